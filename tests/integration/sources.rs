//! Checks what a reader should find in each text under `tests/data/sources/text`, and that pages contain nothing that
//! the text does not.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use render_core::content::{Block, BlockKind, Document, Point, Stat, read_text};
use render_core::format::Format;
use render_core::outline::{Copy, PageKind, PageOutline, Request, outline};
use toml::{Table, Value};

use crate::repo;

/// Returns the sources with their expectations, by name.
fn sources() -> Vec<(String, String, Table)> {
    let folder = repo::root().join("tests/data/sources/text");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(&folder).expect("sources").map(|e| e.expect("entry").path()).collect();
    files.retain(|f| f.extension().is_some_and(|e| e == "md" || e == "txt"));
    files.sort();
    assert!(files.len() >= 25, "{} sources", files.len());
    let read = |path: &Path| std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let load = |file: PathBuf| {
        let expected = read(&file.with_extension("expect.toml"));
        let name = file.file_stem().expect("a name").to_string_lossy().into_owned();
        let table = expected.parse().unwrap_or_else(|e| panic!("{name}: {e}"));
        (name, read(&file), table)
    };
    files.into_iter().map(load).collect()
}

/// Normalizes text for comparison: no white space, straight quotation marks, lower case.
fn folded(text: &str) -> String {
    let straight = |c: char| match c {
        '“' | '”' | '„' | '«' | '»' => '"',
        '‘' | '’' | '‚' => '\'',
        other => other,
    };
    let kept =
        text.chars().filter(|c| !c.is_whitespace() && !matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}'));
    kept.map(straight).flat_map(char::to_lowercase).collect()
}

fn has(text: &str, phrase: &str) -> bool {
    folded(text).contains(&folded(phrase))
}

fn strings(expected: &Table, key: &str) -> Vec<String> {
    match expected.get(key) {
        None => Vec::new(),
        Some(Value::String(one)) => vec![one.clone()],
        Some(Value::Array(all)) => all.iter().filter_map(|v| v.as_str().map(str::to_owned)).collect(),
        Some(other) => panic!("{key} is {other}"),
    }
}

fn tables<'t>(expected: &'t Table, key: &str) -> Vec<&'t Table> {
    expected.get(key).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_table).collect()
}

fn text<'t>(table: &'t Table, key: &str) -> &'t str {
    table.get(key).and_then(Value::as_str).unwrap_or("")
}

fn heads(points: &[Point]) -> Vec<String> {
    points.iter().map(|p| p.head.text.clone()).collect()
}

/// Returns the heads of an ordered or unordered list.
fn listed(block: &Block, in_order: bool) -> Option<Vec<String>> {
    match &block.kind {
        BlockKind::Steps { steps, .. } => Some(heads(steps)),
        BlockKind::List { items, numbered, .. } => (*numbered || !in_order).then(|| heads(items)),
        BlockKind::Checklist { items, .. } if !in_order => {
            Some(items.iter().map(|i| i.point.head.text.clone()).collect())
        }
        BlockKind::Hierarchy { nodes, .. } if !in_order => Some(nodes.iter().map(|n| n.head.text.clone()).collect()),
        _ => None,
    }
}

/// Whether each of `found` contains the phrase of `wanted` at the same position.
fn are(found: &[String], wanted: &[String]) -> bool {
    found.len() == wanted.len() && found.iter().zip(wanted).all(|(f, w)| has(f, w))
}

fn is_stat(stat: &Stat, expected: &Table) -> bool {
    let digits = stat.value.trim_start_matches(|c: char| !c.is_numeric());
    let unit = text(expected, "unit");
    let number =
        expected.get("number").map(|n| n.as_float().or_else(|| n.as_integer().map(|i| i as f64)).expect("a number"));
    folded(digits) == folded(text(expected, "value"))
        && (unit.is_empty() || has(&format!("{} {}", stat.value, stat.unit), unit))
        && number.is_none_or(|n| (stat.number - n).abs() <= 1e-9 * n.abs())
        && has(&stat.label.text, text(expected, "label_contains"))
}

/// Returns what a document lacks of `expected`.
fn lacks(document: &Document, expected: &Table) -> Vec<String> {
    let mut out = Vec::new();
    let kinds = || document.blocks.iter().map(|b| &b.kind);
    let mut want = |held: bool, what: &str, detail: &dyn std::fmt::Debug| {
        if !held {
            out.push(format!("{what}: {detail:?}"));
        }
    };
    want(document.language.code() == text(expected, "language"), "language", &document.language.code());
    let title = folded(&document.title.text);
    let titles = strings(expected, "title");
    want(titles.iter().any(|t| folded(t).trim_end_matches('.') == title), "title", &document.title.text);
    let said: Vec<String> = document
        .blocks
        .iter()
        .map(|b| b.words().iter().map(|w| w.text.as_str()).collect::<Vec<_>>().join(" "))
        .chain(document.dek.iter().map(|d| d.text.clone()))
        .collect();
    for point in strings(expected, "points") {
        want(said.iter().any(|s| has(s, &point)) || has(&document.title.text, &point), "point", &point);
    }
    for stat in tables(expected, "stats") {
        let held = kinds().any(|k| matches!(k, BlockKind::Stat(s) if is_stat(s, stat)));
        want(held, "stat", &text(stat, "value"));
    }
    for quote in tables(expected, "quotes") {
        let (starts, by) = (folded(text(quote, "text_starts")), text(quote, "who"));
        let held = kinds().any(|k| match k {
            BlockKind::Quote { text, who } => {
                folded(&text.text).starts_with(&starts)
                    && (by.is_empty() || who.as_ref().is_some_and(|w| has(&w.text, by)))
            }
            _ => false,
        });
        want(held, "quote", &starts);
    }
    for (key, in_order) in [("steps", true), ("items", false)] {
        let wanted = strings(expected, key);
        let held = document.blocks.iter().filter_map(|b| listed(b, in_order)).any(|found| are(&found, &wanted));
        want(wanted.is_empty() || held, key, &wanted);
    }
    let dates = strings(expected, "timeline");
    let held = kinds().any(|k| match k {
        BlockKind::Timeline { events, .. } => {
            are(&events.iter().map(|e| e.date.text.clone()).collect::<Vec<_>>(), &dates)
        }
        _ => false,
    });
    want(dates.is_empty() || held, "timeline", &dates);
    let names = strings(expected, "compare");
    let held = kinds().any(|k| match k {
        BlockKind::Compare(c) => are(&[c.left.name.text.clone(), c.right.name.text.clone()], &names),
        _ => false,
    });
    want(names.is_empty() || held, "compare", &names);
    for term in strings(expected, "definition") {
        let held = kinds().any(|k| matches!(k, BlockKind::Definition { term: t, .. } if has(&t.text, &term)));
        want(held, "definition", &term);
    }
    for asked in strings(expected, "questions") {
        let held =
            kinds().any(|k| matches!(k, BlockKind::QuestionAnswer { question, .. } if has(&question.text, &asked)));
        want(held, "question", &asked);
    }
    for believed in strings(expected, "myths") {
        let held = kinds().any(|k| matches!(k, BlockKind::MythFact { myth, .. } if has(&myth.text, &believed)));
        want(held, "myth", &believed);
    }
    for (key, pick) in [("pros", 0), ("cons", 1)] {
        let wanted = strings(expected, key);
        let held = kinds().any(|k| match k {
            BlockKind::ProsCons(both) => are(&heads([&both.pros, &both.cons][pick]), &wanted),
            _ => false,
        });
        want(wanted.is_empty() || held, key, &wanted);
    }
    for call in strings(expected, "call") {
        want(kinds().any(|k| matches!(k, BlockKind::CallToAction(c) if has(&c.text, &call))), "call", &call);
    }
    for table in tables(expected, "tables") {
        let cells = |key: &str| strings(table, key).iter().map(|c| folded(c)).collect::<Vec<_>>();
        let fold = |row: &[render_core::content::Sourced]| row.iter().map(|c| folded(&c.text)).collect::<Vec<_>>();
        let rows = table.get("rows").and_then(Value::as_integer).expect("rows");
        let held = kinds().any(|k| match k {
            BlockKind::Table(t) => {
                fold(&t.header) == cells("header")
                    && t.rows.len() as i64 == rows
                    && t.rows.iter().any(|r| fold(r) == cells("row"))
            }
            _ => false,
        });
        want(held, "table", &cells("header"));
    }
    for phrase in strings(expected, "absent") {
        want(!document.words().iter().any(|w| has(&w.text, &phrase)), "absent", &phrase);
    }
    out
}

#[test]
fn texts_say_what_a_reader_finds_in_them() {
    let mut missed = String::new();
    for (name, source, expected) in sources() {
        let document = read_text(&source).unwrap_or_else(|e| panic!("{name}: {e}"));
        for fault in lacks(&document, &expected) {
            let _ = writeln!(missed, "{name}: {fault}");
        }
    }
    assert!(missed.is_empty(), "{missed}");
}

fn copies(page: &PageOutline) -> impl Iterator<Item = &Copy> {
    let items = page.items.iter().flat_map(|i| std::iter::once(&i.head).chain(&i.body));
    [&page.kicker, &page.title, &page.body, &page.attribution, &page.cta].into_iter().flatten().chain(items)
}

#[test]
fn no_page_says_what_its_source_does_not() {
    for (name, source, _) in sources() {
        let document = read_text(&source).expect("a text");
        for (format, slides) in [("tiktok_carousel", Some(3)), ("tiktok_carousel", Some(9)), ("one_pager", None)] {
            let format = Format::by_id(format).expect("in the catalogue");
            for page in
                outline(&Request { document: &document, format, slides }).iter().flatten().flat_map(|o| &o.pages)
            {
                for wording in copies(page).flat_map(|c| &c.wordings) {
                    assert_eq!(document.evidence.allows(wording), Ok(()), "{name}: {wording}");
                }
                for said in page.title.iter().filter(|_| page.kind == PageKind::Quote).flat_map(|t| &t.wordings) {
                    assert_eq!(document.evidence.allows_quotation(said), Ok(()), "{name}");
                }
                let figure = page.figure.iter().map(|f| format!("{} {}", f.value, f.unit));
                figure.for_each(|f| assert_eq!(document.evidence.allows(&f), Ok(()), "{name}"));
            }
        }
    }
}

#[test]
fn exact_content_keeps_its_words() {
    use render_core::content::{ReadOptions, read_text_with};
    for (name, source, _) in sources() {
        let options = ReadOptions { exact: true, ..ReadOptions::default() };
        let document = read_text_with(&source, &options).expect("a text");
        let texts: Vec<String> = document.words().iter().map(|w| folded(&w.text)).collect();
        let format = Format::by_id("tiktok_carousel").expect("in the catalogue");
        for page in
            outline(&Request { document: &document, format, slides: Some(7) }).iter().flatten().flat_map(|o| &o.pages)
        {
            let heads = page.items.iter().map(|i| &i.head).chain(&page.title);
            for copy in heads.filter(|c| c.span.is_some()) {
                assert_eq!(copy.wordings.len(), 1, "{name}: {copy:?}");
                let said = folded(&copy.wordings[0]);
                let whole = texts.iter().any(|t| t.contains(&said)) || said.contains(':') || said.contains('：');
                assert!(whole, "{name}: {said}");
            }
        }
    }
}
