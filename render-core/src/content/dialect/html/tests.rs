//! Tests of HTML elements converted to Markdown.

use super::super::edits::Edited;
use super::*;

fn markdown(text: &str) -> String {
    let edited = Edited::of(text).apply(&edits(text, &Code::of(text))).text;
    // Ignore blank lines and spaces at the ends of lines.
    let lines: Vec<&str> = edited.lines().map(str::trim_end).collect();
    let mut out: Vec<&str> = Vec::new();
    for line in lines {
        if !line.is_empty() || out.last().is_some_and(|l| !l.is_empty()) {
            out.push(line);
        }
    }
    out.join("\n").replace("#  ", "# ").trim().to_owned()
}

#[test]
fn blocks_become_those_of_markdown() {
    for (text, want) in [
        ("<p>Closed on Sunday.</p>", "Closed on Sunday."),
        ("<h1 align=\"center\">\n  My\n  Project\n</h1>\n\nText", "# My Project\n\nText"),
        ("<h1><img src=\"a.png\" alt=\"Tide logo\"></h1>", "# Tide"),
        ("<div>\n    <p>One</p>\n    Two *b*\n</div>", "One\n\nTwo *b*"),
        (
            "<ul>\n  <li>One</li>\n  <li>Two\n    <ul><li>Three</li></ul>\n  </li>\n</ul>\nText",
            "- One\n\n- Two\n\n    - Three\n\nText",
        ),
        ("<ol><li>One<li>Two</ol>", "1. One\n1. Two"),
        (
            "<blockquote>Slow is\nsmooth. <cite>Ada Moor</cite></blockquote>\nText",
            "> Slow is\n> smooth.\n>\n> — Ada Moor\n\nText",
        ),
        ("<dl><dt>Ebb</dt><dd>The tide goes out</dd></dl>", "Ebb\n: The tide goes out"),
        ("<details><summary>Why</summary>\n\nText\n</details>", "\u{fdd0}Why\u{fdd1}\n\nText"),
        ("One<br>two <!-- no --> <a href=\"#x\">three</a>", "One\u{fdd4}two  [three](#)"),
        ("<b>Bold</b> and <a href=\"/y\"><i>it</i></a>", "\u{fdd0}Bold\u{fdd1} and [\u{fdd2}it\u{fdd3}](x)"),
    ] {
        assert_eq!(markdown(text), want, "{text}");
    }
}

#[test]
fn quotations_set_aside() {
    let text = "<aside markdown=\"1\" class=\"pquote\">\n  <img src=\"a\" alt=\"avatar\">\n  I broke it.\n  <p class=\"pquote-credit\">\n— @lord, [\"Tips\"](x)\n  </p>\n</aside>\nText";
    let got = markdown(text);
    assert!(got.contains("> I broke it.") && got.contains("> — @lord"), "{got}");
    assert!(got.ends_with("\n\nText"), "{got}");
}

#[test]
fn tables() {
    let text = "<table>\n<tr><th>Line</th><th>May</th></tr>\n<tr><td>North\n|x</td><td>3</td></tr>\n</table>";
    assert_eq!(markdown(text), "| Line | May |\n| --- | --- |\n| North \\|x | 3 |");
    assert_eq!(markdown("<table><tr><td><img src=x></td><td>Words</td></tr></table>"), "Words");
}

#[test]
fn what_is_not_read_goes() {
    for (text, want) in [
        ("<script>if (a < b) {}</script>Text", "Text"),
        ("<style>p { x: y }</style>\nText", "Text"),
        ("a <img src=\"x\" alt=\"y > z\"> b", "a  b"),
        ("<figure><img src=x><figcaption>A boat</figcaption></figure>Text", "Text"),
        ("<Tabs><TabItem value=\"x\">Text</TabItem></Tabs>", "Text"),
        ("<!-- a\n\nb -->Text", "Text"),
        ("<Callout>\n\n\tText is *here*.\n\n</Callout>", "Text is *here*."),
        ("<p>\n  <a href=\"x\">\n    <img alt=\"logo\">\n  </a>\n</p>Text", "Text"),
        ("漢字<rt>かんじ</rt>", "漢字"),
    ] {
        assert_eq!(markdown(text), want, "{text}");
    }
}

#[test]
fn what_is_raised() {
    for (text, want) in [
        ("12 m<sup>2</sup>", "12 m²"),
        ("10<sup>-6</sup> s", "10⁻⁶ s"),
        ("It grew.<sup>1</sup> Much", "It grew. Much"),
        ("growth<sup><a href=\"#n\">3</a></sup> x", "growth x"),
        ("the 3<sup>rd</sup> day", "the 3rd day"),
        ("H<sub>2</sub>O", "H2O"),
    ] {
        assert_eq!(markdown(text), want, "{text}");
    }
}

#[test]
fn lines_of_markdown_stay_whole() {
    for (text, want) in [
        ("| a<br>b | <p>c</p> |", "| a\u{fdd4}b | c |"),
        ("## Title <a name=\"x\"></a>", "## Title"),
        ("- <div>item</div>", "- item"),
        ("Vec<String> and a < b", "Vec\\<String> and a < b"),
    ] {
        assert_eq!(markdown(text), want, "{text}");
    }
}

#[test]
fn nothing_takes_time_by_the_square() {
    for part in [
        "<div>",
        "<li>",
        "<ul><li>",
        "<table><tr><td>",
        "<blockquote>",
        "<a href=x>",
        "<sup>",
        "<h1>",
        "<pre>",
        "<script>",
        "<details>\n",
    ] {
        let _ = edits(&part.repeat(20_000), &Code::default());
    }
}
