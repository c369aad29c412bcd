//! Tests of each kind of front matter, and of texts without any.

use proptest::prelude::*;

use super::*;

fn title(text: &str) -> Option<String> {
    read(text).title.map(|t| t.text)
}

fn rest(text: &str) -> &str {
    text[read(text).end..].trim()
}

#[test]
fn every_kind_gives_title_and_text() {
    for text in [
        "---\ntitle: Low water\nlayout: post\n---\nBody",
        "\u{feff}\n---\ntitle: Low water\n...\n\nBody",
        "---\r\ntitle: Low water\r\n---\r\nBody",
        "+++\ntitle = \"Low water\"\n[extra]\nx = 1\n+++\n\nBody",
        "{\n  \"title\": \"Low water\",\n  \"draft\": false\n}\n\nBody",
        ";;;\n{\"title\": \"Low water\"}\n;;;\nBody",
        "---\ntitle: Low water\ndate: 2026-05-12\n\nBody",
        "title: Low water\ndate: 2026-05-12\n---\nBody",
        "Title: Low water\nDate: 2026-05-12\nSlug: low\n\nBody",
        "Subject: Low water\nFrom: Ada Moor <a@b.example>\n\nBody",
    ] {
        assert_eq!(title(text).as_deref(), Some("Low water"), "{text}");
        assert_eq!(rest(text), "Body", "{text}");
    }
}

#[test]
fn prose_is_no_front_matter() {
    for text in [
        "---\n\nA rule opens this text.\n\n---\n\nMore.",
        "Title: Open evening\nDate: 12 May\nPlace: Mill Hall\n\nCome.",
        "Note: this is prose.\nIt goes on.",
        "{curly} words open this text.\n",
        "A text.\n---\nUnder a rule.",
        "---",
        "+++\nWe add this.\n+++\n",
        "",
    ] {
        assert_eq!(read(text), Matter::default(), "{text}");
    }
    // Empty front matter is not part of the text either.
    assert_eq!(rest("---\n---\nBody"), "Body");
}

#[test]
fn what_it_says_beside_the_title() {
    let text = "---\ntitle: Low water\nexcerpt: Short\ndescription: When the tide is out for long.\nauthors:\n- ada\n- Ada Moor\n\
        tags: [sea, wind]\nimage: /a/b.png\nlang: pt_BR\ndate: 2026-05-12\n---\nBody";
    let matter = read(text);
    assert_eq!(matter.dek.map(|d| d.text).as_deref(), Some("When the tide is out for long."));
    assert_eq!(matter.authors.iter().map(|a| a.text.as_str()).collect::<Vec<_>>(), ["Ada Moor"]);
    assert_eq!(matter.tags.len(), 2);
    assert_eq!(matter.image.map(|i| i.text).as_deref(), Some("/a/b.png"));
    assert_eq!(matter.language.map(|l| l.code().to_owned()).as_deref(), Some("pt-BR"));
    assert_eq!(matter.date.map(|d| d.text).as_deref(), Some("2026-05-12"));
    assert_eq!(title("---\ntitle: Index\nlayout: x\n---\nBody"), None);
}

#[test]
fn of_several_descriptions_a_short_one_goes_first() {
    let long = "The tide is out for long. ".repeat(12);
    let matter =
        read(&format!("---\ntitle: Low water\nexcerpt: {long}\ndescription: When boats wait for water.\n---\nBody"));
    assert_eq!(matter.dek.map(|d| d.text).as_deref(), Some("When boats wait for water."));
}

proptest! {
    #[test]
    fn reads_anything(
        text in "(---|\\+\\+\\+|;;;|\n|\n\n|title|: |= |\"|'|\\[|\\]|\\{|\\}|- |  |>|\\||#|From|Subject|slug|[a-zé]{1,5}|\\\\u00e9){0,40}"
    ) {
        let matter = read(&text);
        prop_assert!(text.is_char_boundary(matter.end));
        let said = matter.title.iter().chain(&matter.dek).chain(&matter.authors).chain(&matter.tags);
        for words in said.chain(&matter.date).chain(&matter.image) {
            prop_assert!(text.get(words.span.start as usize..words.span.end as usize).is_some());
        }
    }
}
