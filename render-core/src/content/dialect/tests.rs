//! Tests of all passes in sequence.

use proptest::prelude::*;

use super::*;

fn read(text: &str) -> String {
    commonmark(text, 0..text.len(), false).text
}

#[test]
fn passes_build_on_each_other() {
    for (text, want) in [
        ("[{% image \"a.png\" \"A\" %}](https://a.example) b", "[](x) b"),
        ("<a href=\"{{ site.url }}/x\">Words</a>", "[Words](x)"),
        ("See [a]({{ \"/b\" | url }})~5 {#id}", "See [a](x)\\~5"),
        ("A page\u{c}break and\u{b}a line", "A page break and\na line"),
    ] {
        assert_eq!(read(text), want, "{text}");
    }
}

#[test]
fn plain_text_has_entities_and_addresses() {
    let text = "Fish &amp; chips &#233; &nope; &ecirc;t at https://a.example/";
    assert_eq!(plain(text, 0..text.len(), false).text, "Fish & chips é &nope; êt at a.example");
    assert_eq!(plain("a\n\nb https://a.example", 3..22, true).text, "b https://a.example");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn every_byte_has_a_place(
        text in "(<p>|</p>|<li>|<ul>|</ul>|<td>|<tr>|<table>|</table>|<h1>|</h1>|<blockquote>|</blockquote>|<a href=x>|</a>|<sup>|</sup>|<!--|-->|\\{%|%\\}|\\{\\{|\\}\\}|\\{#a\\}|\\[|\\]|\\(|\\)|:::|> |\\[!NOTE\\]|`|```|\\*\\*|\\*|_|~|\\$|#|- |1\\. |\n|\n\n| |[a-z]{1,4}|很|é|\u{c}|https://a\\.b/){0,60}"
    ) {
        for edited in [commonmark(&text, 0..text.len(), false), plain(&text, 0..text.len(), false)] {
            let mut end = 0;
            for piece in edited.parts(0..edited.text.len()) {
                prop_assert_eq!(piece.at.start, end);
                end = piece.at.end;
                prop_assert!(text.get(piece.source.clone()).is_some());
                if piece.copied {
                    prop_assert_eq!(&edited.text[piece.at], &text[piece.source]);
                }
            }
            prop_assert_eq!(end, edited.text.len());
        }
    }
}
