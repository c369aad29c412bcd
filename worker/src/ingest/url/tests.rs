//! Compares real pages with what a reader should find in them (tests/data/sources/html).

use std::path::{Path, PathBuf};

use proptest::prelude::*;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use render_core::content::without_pictures;
use toml::{Table, Value};

use super::*;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/sources/html")
}

/// Normalises a text: collapses white space, drops soft hyphens, and straightens quotation marks.
fn folded(text: &str) -> String {
    let straight = text.chars().filter(|c| *c != '\u{ad}').map(|c| match c {
        '“' | '”' | '„' | '«' | '»' => '"',
        '‘' | '’' => '\'',
        c => c,
    });
    straight.collect::<String>().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the words of Markdown, without code and the alternative texts of pictures.
fn words(markdown: &str) -> String {
    let mut fenced = false;
    let mut out = String::new();
    for line in without_pictures(markdown).lines() {
        if line.starts_with("```") {
            fenced = !fenced;
        } else if !fenced {
            out += line.trim_start_matches(['>', ' ']);
            out.push('\n');
        }
    }
    folded(&out.replace("**", "").replace('\\', ""))
}

fn texts(table: &Table, key: &str) -> Vec<String> {
    match table.get(key) {
        Some(Value::String(one)) => vec![folded(one)],
        Some(Value::Array(many)) => many.iter().filter_map(Value::as_str).map(folded).collect(),
        _ => Vec::new(),
    }
}

/// Returns the bytes of a page.
fn bytes(name: &str, expected: &Table) -> Vec<u8> {
    std::fs::read(folder().join(format!("{name}.html"))).unwrap_or_else(|e| panic!("{name}: {e}, {expected:?}"))
}

fn findings(name: &str, expected: &Table) -> Vec<String> {
    let bytes = bytes(name, expected);
    let header = expected.get("content_type").and_then(Value::as_str).and_then(|t| t.split_once("charset="));
    let url = expected.get("url").and_then(Value::as_str).unwrap_or("https://pages.example/");
    let read = read_page(Page { url, charset: header.map(|(_, c)| c), bytes: &bytes });
    let errors = texts(expected, "error");
    let may_read = expected.get("may_read").and_then(Value::as_bool).unwrap_or(false);
    let article = match read {
        Err(_) if !errors.is_empty() => return Vec::new(),
        Err(e) => return vec![format!("{name}: {e}")],
        Ok(article) if !errors.is_empty() && !may_read => {
            return vec![format!("{name}: was read: {}", article.markdown)];
        }
        Ok(article) => article,
    };
    let mut found = Vec::new();
    let mut told = |what: &str, is: Option<&str>| {
        let wanted = texts(expected, what);
        if !wanted.is_empty() && !is.is_some_and(|is| wanted.contains(&folded(is))) {
            found.push(format!("{name}: {what} is {is:?}, not {wanted:?}"));
        }
    };
    told("title", article.title.as_deref());
    told("author", article.author.as_deref());
    told("site", article.site.as_deref());
    told("date", article.date.as_deref().map(|d| &d[..d.len().min(10)]));
    told("image", article.image.as_deref());
    let words = words(&article.markdown);
    for key in ["points", "items", "steps", "timeline", "questions"] {
        let missing = texts(expected, key).into_iter().filter(|phrase| !words.contains(phrase));
        found.extend(missing.map(|phrase| format!("{name}: {key}: {phrase:?} is missing")));
    }
    let quotes = expected.get("quotes").and_then(Value::as_array).into_iter().flatten();
    for quote in quotes.filter_map(|q| q.get("text_starts")?.as_str()).map(folded) {
        if !words.contains(&quote) {
            found.push(format!("{name}: quotation {quote:?} is missing"));
        }
    }
    let mut from = 0;
    for phrase in texts(expected, "order") {
        match words[from..].find(&phrase) {
            Some(at) => from += at + phrase.len(),
            None => found.push(format!("{name}: order: {phrase:?} is missing or too early")),
        }
    }
    let stray = texts(expected, "absent").into_iter().filter(|phrase| words.contains(phrase));
    found.extend(stray.map(|phrase| format!("{name}: {phrase:?} is no part of the page")));
    for table in expected.get("tables").and_then(Value::as_array).into_iter().flatten() {
        for key in ["header", "row"] {
            let cells = texts(table.as_table().unwrap(), key);
            if !cells.is_empty() && !words.contains(&format!("| {} |", cells.join(" | "))) {
                found.push(format!("{name}: {key} {cells:?} is missing"));
            }
        }
    }
    if !found.is_empty() && std::env::var_os("SHOW").is_some() {
        found.push(format!("{name}: {article:#?}\n{}", article.markdown));
    }
    found
}

#[test]
fn pages_say_what_a_reader_finds() {
    let mut names: Vec<_> = std::fs::read_dir(folder())
        .unwrap()
        .filter_map(|entry| entry.unwrap().file_name().to_str()?.strip_suffix(".expect.toml").map(str::to_owned))
        .collect();
    names.sort_unstable();
    assert!(names.len() > 10, "{names:?}");
    let mut all = Vec::new();
    for name in names {
        let text = std::fs::read_to_string(folder().join(format!("{name}.expect.toml"))).unwrap();
        all.extend(findings(&name, &text.parse().unwrap()));
    }
    assert!(all.is_empty(), "{} findings\n{}", all.len(), all.join("\n"));
}

/// Returns the blocks of Markdown as (kind, words).
fn blocks(markdown: &str) -> Vec<(String, String)> {
    let mut out: Vec<(String, String)> = Vec::new();
    let mut kind = Vec::new();
    for event in Parser::new_ext(markdown, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH) {
        match event {
            Event::Start(tag) => {
                let name = match tag {
                    Tag::Heading { level, .. } => level.to_string(),
                    Tag::Paragraph => "p".into(),
                    Tag::Item => "li".into(),
                    Tag::BlockQuote(_) => "quote".into(),
                    Tag::CodeBlock(_) => "code".into(),
                    Tag::TableCell => "cell".into(),
                    Tag::Image { .. } => "image".into(),
                    Tag::Link { .. } => "link".into(),
                    Tag::HtmlBlock => "html".into(),
                    Tag::Emphasis => "em".into(),
                    _ => continue,
                };
                kind.push(name);
                if !matches!(kind.last().map(String::as_str), Some("em" | "link")) {
                    out.push((kind.join(" "), String::new()));
                }
            }
            Event::End(
                TagEnd::Heading(_)
                | TagEnd::Paragraph
                | TagEnd::Item
                | TagEnd::BlockQuote(_)
                | TagEnd::CodeBlock
                | TagEnd::TableCell
                | TagEnd::Image
                | TagEnd::Link
                | TagEnd::HtmlBlock
                | TagEnd::Emphasis,
            ) => _ = kind.pop(),
            Event::Text(t) | Event::Code(t) | Event::Html(t) | Event::InlineHtml(t) => match out.last_mut() {
                Some((_, words)) => *words += &t,
                None => out.push(("none".into(), t.to_string())),
            },
            Event::SoftBreak | Event::HardBreak => out.last_mut().unwrap().1.push(' '),
            _ => {}
        }
    }
    out.retain(|(_, words)| !words.is_empty());
    out
}

fn markdown(html: &str) -> String {
    let page = dom_query::Document::from(html);
    markdown::write(&page.body().unwrap(), Some("T"), None)
}

#[test]
fn pictures_stand_behind_their_blocks_once() {
    let html = "<h1>T</h1><p>Boats <img src=https://x.example/boat.jpg alt='A boat'> at the quay <img \
        src=https://x.example/dot.png alt=dot width=12>.</p><picture><source srcset=b.webp><img src=https://x.example/b.jpg \
        alt='Nets'></picture><p><img src=https://x.example/plain.jpg alt=''>End <img src=https://x.example/b.jpg alt=b></p>";
    let want = "# T\n\nBoats at the quay .\n\n![A boat](https://x.example/boat.jpg)\n\n![Nets](https://x.example/b.jpg)\n\nEnd\n";
    assert_eq!(markdown(html), want);
}

#[test]
fn blocks_stay_what_they_are() {
    let html = "<h1>T</h1><h2>Head</h2><p>One <a href=x>link</a>, <b>two</b>.<br>Three</p>\
        <ul><li>a<ul><li>b</ul><li><p>c</p><p>d</p></ul><ol start=3><li>e<li>f</ol>\
        <dl><dt>Term<dd>Meaning</dl><blockquote><p>Said.</p><footer>— Ada</footer></blockquote>\
        <table><tr><th>x<th>y<tr><td>1<td>2 | 3</table><pre>if a &lt; b {\n  c\n}</pre>\
        <figure><img src=https://x.example/a.png><figcaption>Cap</figcaption></figure>10<sup>6</sup> m";
    let got = blocks(&markdown(html));
    let want = [
        ("h1", "T"),
        ("h2", "Head"),
        ("p", "One link, two. Three"),
        ("li p", "a"),
        ("li li", "b"),
        ("li p", "c"),
        ("li p", "d"),
        ("li", "e"),
        ("li", "f"),
        ("li p", "Term"),
        ("li p", "Meaning"),
        ("quote p", "Said."),
        ("quote p", "— Ada"),
        ("cell", "x"),
        ("cell", "y"),
        ("cell", "1"),
        ("cell", "2 | 3"),
        ("code", "if a < b {\n  c\n}\n"),
        ("p image", "Cap"),
        ("p", "10⁶ m"),
    ];
    let got: Vec<_> = got.iter().map(|(k, w)| (k.as_str(), w.as_str())).collect();
    assert_eq!(got, want, "{}", markdown(html));
}

#[test]
fn nothing_is_too_deep() {
    for tag in ["div", "ul><li", "blockquote", "table><tr><td", "b", "font", "section"] {
        let html = format!("{}<p>{}", format!("<{tag}>").repeat(2_000), "The sea rises and falls. ".repeat(20));
        let _ = read_page(Page { url: "https://a.example/", charset: None, bytes: html.as_bytes() });
    }
}

/// A small reproducible random number generator.
fn next(state: &mut u64) -> usize {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as usize
}

#[test]
fn damaged_pages_are_read_or_refused() {
    let pages = ["news", "lexikon", "recette", "sjis", "forum", "statistics", "vieux-site", "amp"];
    let pages = pages.map(|name| std::fs::read(folder().join(format!("{name}.html"))).unwrap());
    let pieces: [&[u8]; 10] =
        [b"<", b">", b"</div>", b"<table>", b"<li>", b"\0", b"<!--", b"<script>", b"&#x110000;", b"<b a="];
    let mut state = 5;
    for round in 0..2_000 {
        let mut page = pages[round % pages.len()].clone();
        for _ in 0..=next(&mut state) % 8 {
            let at = next(&mut state) % page.len();
            let to = (at + next(&mut state) % 400).min(page.len());
            match next(&mut state) % 4 {
                0 => page.truncate(at.max(1)),
                1 => _ = page.drain(at..to),
                2 => {
                    let piece = page[at..to].to_vec();
                    page.splice(at..at, piece.iter().copied().cycle().take(piece.len() * 8));
                }
                _ => _ = page.splice(at..at, pieces[next(&mut state) % pieces.len()].iter().copied()),
            }
            if page.is_empty() {
                page.push(b'x');
            }
        }
        let _ = read_page(Page { url: "https://a.example/", charset: None, bytes: &page });
    }
}

proptest! {
    #[test]
    fn words_are_never_marks(words in proptest::collection::vec("[ -~]{1,12}|[#>+*=_`~|:.)\\[\\]0-9-]{1,5}", 1..8)) {
        let text = words.join(" ").split_whitespace().collect::<Vec<_>>().join(" ");
        let escaped: String = text.chars().map(|c| format!("&#{};", u32::from(c))).collect();
        for (html, kind) in [
            (format!("<p>{escaped}</p>"), "p"),
            (format!("<ul><li>{escaped}</ul>"), "li"),
            (format!("<blockquote>{escaped}</blockquote>"), "quote p"),
            (format!("<h3>{escaped}</h3>"), "h3"),
        ] {
            let markdown = markdown(&html);
            let mut got = blocks(&markdown);
            got.remove(0);
            // A heading that repeats the page's title is dropped.
            let letters: String = text.chars().filter(|c| c.is_alphanumeric()).collect();
            if !letters.is_empty() && !letters.eq_ignore_ascii_case("t") {
                prop_assert_eq!(&got, &vec![(kind.to_owned(), text.clone())], "{}", markdown);
            }
        }
    }
}

#[test]
fn the_lead_image_is_found_however_its_address_is_written() {
    let long = format!("https://cdn.example/a.jpg?s={}", "x".repeat(1_500));
    for (written, address) in [
        ("//cdn.example/a.jpg", "https://cdn.example/a.jpg"),
        ("/a.jpg?w=1&amp;h=2", "https://pages.example/a.jpg?w=1&h=2"),
        ("https://cdn.example/a.jpg?w=1&amp;amp;h=2", "https://cdn.example/a.jpg?w=1&h=2"),
        ("//cdn.example/a.jpg?w=1&amp;#038;h=2", "https://cdn.example/a.jpg?w=1&h=2"),
        ("https://cdn.example/a.jpg?w=1&amp;amp;amp;h=2", "https://cdn.example/a.jpg?w=1&h=2"),
        (" a b.jpg ", "https://pages.example/news/a%20b.jpg"),
        (long.as_str(), long.as_str()),
    ] {
        let words =
            "<p>The sea rises and falls twice a day, and the moon pulls at the water. At new and full moon the \
            tides are highest, for the sun pulls the same way.</p>"
                .repeat(3);
        let linked = written.replace("&amp;#", "&#").replace("&amp;amp;", "&amp;");
        for head in [
            format!("<meta property='og:image' content=''><meta property='og:image' content='{written}'>"),
            format!("<script type='application/ld+json'>{{\"@type\": \"Article\", \"image\": \"{linked}\"}}</script>"),
            format!(
                "<script type='application/ld+json'>{{\"@type\": \"Article\", \"image\": \
                 [{{\"@type\": \"ImageObject\", \"contentUrl\": \"{linked}\"}}]}}</script>"
            ),
        ] {
            let html = format!("<html><head>{head}<title>Tides</title></head><body><article>{words}</article>");
            let page = Page { url: "https://pages.example/news/tides", charset: None, bytes: html.as_bytes() };
            assert_eq!(read_page(page).unwrap().image.as_deref(), Some(address), "{head}");
        }
    }
}
