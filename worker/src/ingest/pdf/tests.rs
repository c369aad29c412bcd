//! Compares PDFs of many producers with their expected text, and reads broken ones.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use icu_normalizer::ComposingNormalizerBorrowed;
use render_core::random::Chance;
use serde::Deserialize;

use super::*;

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/sources/pdf")
}

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOf {
    One(String),
    Many(Vec<String>),
}

/// An expectation, as described in `tests/data/sources/README.md`, as far as it concerns the text alone.
#[derive(Deserialize)]
struct Expected {
    title: Option<OneOf>,
    pages: Option<usize>,
    #[serde(default)]
    points: Vec<String>,
    #[serde(default)]
    steps: Vec<String>,
    #[serde(default)]
    items: Vec<String>,
    #[serde(default)]
    order: Vec<String>,
    #[serde(default)]
    absent: Vec<String>,
    #[serde(default)]
    quotes: Vec<Quote>,
    #[serde(default)]
    tables: Vec<Rows>,
    #[serde(default)]
    error: Vec<String>,
    #[serde(default)]
    may_read: bool,
}

#[derive(Deserialize)]
struct Quote {
    text_starts: String,
}

#[derive(Deserialize)]
struct Rows {
    header: Vec<String>,
    row: Vec<String>,
}

/// Returns every PDF with its expectation.
fn all() -> Vec<(String, Vec<u8>, Expected)> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(sources()).unwrap().map(|e| e.unwrap().path()).collect();
    files.retain(|f| f.extension().is_some_and(|e| e == "pdf"));
    files.sort();
    let expected = |file: &Path| {
        let text = std::fs::read_to_string(file.with_extension("expect.toml")).unwrap();
        toml::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", file.display()))
    };
    let name = |file: &Path| file.file_stem().unwrap().to_str().unwrap().to_owned();
    files.iter().map(|f| (name(f), std::fs::read(f).unwrap(), expected(f))).collect()
}

/// Normalises a text for comparison: without markup, white space and hyphens, with straight quotation marks.
fn fold(text: &str) -> String {
    let kept =
        |c: char| !c.is_whitespace() && !matches!(c, '\\' | '-' | '\u{2010}' | '\u{ad}' | '\u{200b}'..='\u{200f}');
    let plain = |c| match c {
        '“' | '”' | '„' | '«' | '»' => '"',
        '‘' | '’' | '‚' => '\'',
        c => c,
    };
    let text = ComposingNormalizerBorrowed::new_nfkc().normalize(text);
    text.chars().filter(|c| kept(*c)).map(plain).flat_map(char::to_lowercase).collect()
}

/// Returns what is missing in a PDF's text, by key.
fn missing(read: &Read, expected: &Expected) -> Vec<(&'static str, String)> {
    let text = fold(&read.markdown);
    let lines = |of: fn(&str) -> bool| read.markdown.lines().filter(move |l| of(l)).map(fold).collect::<Vec<_>>();
    let headings = lines(|l| l.starts_with('#'));
    let listed = lines(|l| l.starts_with("- ") || l.split_once(". ").is_some_and(|(n, _)| n.parse::<u32>().is_ok()));
    let mut missing = Vec::new();
    let titles = match &expected.title {
        Some(OneOf::One(title)) => std::slice::from_ref(title),
        Some(OneOf::Many(titles)) => titles,
        None => &[],
    };
    if !titles.is_empty() && !titles.iter().any(|t| headings.iter().any(|h| h.contains(&fold(t)))) {
        missing.push(("title", titles[0].clone()));
    }
    if let Some(pages) = expected.pages.filter(|p| *p != read.pages.len()) {
        missing.push(("pages", pages.to_string()));
    }
    let quotes = expected.quotes.iter().map(|q| &q.text_starts);
    missing.extend(
        expected.points.iter().chain(quotes).filter(|p| !text.contains(&fold(p))).map(|p| ("points", p.clone())),
    );
    let steps = expected.steps.iter().chain(&expected.items);
    missing.extend(steps.filter(|s| !listed.iter().any(|l| l.contains(&fold(s)))).map(|s| ("items", s.clone())));
    missing.extend(expected.absent.iter().filter(|a| text.contains(&fold(a))).map(|a| ("absent", a.clone())));
    let mut from = 0;
    for phrase in &expected.order {
        match text[from..].find(&fold(phrase)) {
            Some(at) => from += at,
            None => missing.push(("order", phrase.clone())),
        }
    }
    for rows in &expected.tables {
        for row in [&rows.header, &rows.row] {
            if !text.contains(&fold(&format!("| {} |", row.join(" | ")))) {
                missing.push(("tables", row.join(" | ")));
            }
        }
    }
    missing
}

/// Known differences from what a reader sees: file and key.
const KNOWN: &[(&str, &str)] = &[
    // Column headings in bold above a rule: read as a heading above the table.
    ("informe", "tables"),
    // A page number with dashes, below the margin that is searched.
    ("groff-manual", "absent"),
    // The subject of a letter is neither larger nor bolder than its text.
    ("letter", "title"),
    // The footer of a one-page invoice: nothing distinguishes it from the last paragraph.
    ("rechnung", "absent"),
    // Different heads on the two pages; a table whose rows coincide with lines of the next column; the references.
    ("two-column-paper", "absent"),
    ("two-column-paper", "tables"),
    // The head of a two-page leaflet, on its first page.
    ("type3-leaflet", "absent"),
];

#[test]
fn every_pdf_says_what_a_reader_finds_in_it() {
    let mut found = BTreeSet::new();
    let mut details = Vec::new();
    for (name, bytes, expected) in all().into_iter().filter(|(_, _, e)| e.error.is_empty()) {
        match read(&bytes) {
            Ok(read) => {
                for (key, what) in missing(&read, &expected) {
                    details.push(format!("{name}: {key}: {what}"));
                    found.insert((name.clone(), key.to_owned()));
                }
                assert!(document(&read, None, ReadOptions::default()).is_ok(), "{name}");
            }
            Err(e) => _ = found.insert((name, e.to_string())),
        }
    }
    let known: BTreeSet<_> = KNOWN.iter().map(|(name, key)| ((*name).to_owned(), (*key).to_owned())).collect();
    assert_eq!(found, known, "{details:#?}");
}

#[tokio::test]
async fn broken_ones_end_with_their_code() {
    let sandbox = Sandbox::new(1).unwrap();
    for (name, bytes, expected) in all().into_iter().filter(|(_, _, e)| !e.error.is_empty()) {
        match extracted(bytes.into(), &sandbox).await {
            Ok(_) => assert!(expected.may_read, "{name} was read"),
            Err(failure) => {
                assert!(expected.error.contains(&failure.code), "{name}: {failure:?}");
                assert!(!failure.retry, "{name}: {failure:?}");
            }
        }
    }
}

/// Breaks files at random.
struct Breaker(Chance);

impl Breaker {
    fn below(&mut self, n: usize) -> usize {
        self.0.below(n)
    }

    /// Returns a copy of a file that is cut off, lacks a part or has changed bytes.
    fn broken(&mut self, file: &[u8]) -> Vec<u8> {
        let mut file = file.to_vec();
        match self.below(8) {
            0 => file.truncate(self.below(file.len())),
            1 => {
                let (from, length) = (self.below(file.len()), self.below(400));
                let end = (from + length).min(file.len());
                file.drain(from..end);
            }
            _ => {
                for _ in 0..=self.below(30) {
                    let at = self.below(file.len());
                    file[at] = b"\0\xff09<>[]()/% RnobjR"[self.below(19)];
                }
            }
        }
        file
    }
}

#[tokio::test]
async fn two_thousand_broken_pdfs_break_nothing() {
    let mut whole: Vec<Vec<u8>> =
        all().into_iter().filter(|(_, _, e)| e.error.is_empty()).map(|(_, bytes, _)| bytes).collect();
    // Small files are fast to read, and a change is more likely to matter.
    whole.sort_by_key(Vec::len);
    whole.truncate(8);
    let sandbox = Sandbox::new(2).unwrap();
    let mut numbers = Breaker(Chance::new(1));
    let mut read = 0;
    for _ in 0..200 {
        let runs = (0..10).map(|_| {
            let of = numbers.below(whole.len());
            let file = numbers.broken(&whole[of]);
            extracted(file.into(), &sandbox)
        });
        for result in futures::future::join_all(runs.collect::<Vec<_>>()).await {
            match result {
                Ok(_) => read += 1,
                Err(failure) => assert!(failure.code.starts_with("pdf_"), "{failure:?}"),
            }
        }
    }
    assert!(read > 200, "only {read} were read: the rest is not tested");
}

const MEADOW: &str = "roof-meadow.pdf";

fn source(name: &str) -> Vec<u8> {
    std::fs::read(sources().join(name)).unwrap()
}

#[test]
fn a_photograph_leads_and_a_chart_or_a_mark_does_not() {
    let file = source(MEADOW);
    // The logo is on both pages; the chart comes first, but is not a photograph.
    let figures = read(&file).unwrap().figures;
    assert_eq!(figures, [Figure { page: 0, nth: 1 }, Figure { page: 1, nth: 1 }]);
    let pixels = photograph(&file, &figures).unwrap().unwrap();
    assert_eq!((pixels.width, pixels.height), (1000, 640));
    let green = |p: &&[u8]| p[1] > p[0] + 20 && p[1] > p[2] + 20;
    assert!(pixels.rgba.chunks_exact(4).filter(green).count() > 600_000);
    assert_eq!(photograph(&file, &figures[..1]).unwrap(), None);
    // Figures that don't exist.
    assert_eq!(photograph(&file, &[Figure { page: 0, nth: 9 }, Figure { page: 9, nth: 0 }]).unwrap(), None);
    assert!(photograph(b"%PDF-1.7", &figures).is_err());
}

#[test]
fn the_ground_of_a_page_is_no_figure() {
    for name in ["scanned-with-text.pdf", "newsletter.pdf", "report.pdf", "deck.pdf"] {
        let figures = read(&source(name)).unwrap().figures;
        assert_eq!(figures, [], "{name}");
    }
}

#[tokio::test]
async fn broken_pictures_are_not_shown_and_break_nothing() {
    let sandbox = Sandbox::new(2).unwrap();
    let whole = source(MEADOW);
    let figures = read(&whole).unwrap().figures;
    let mut numbers = Breaker(Chance::new(2));
    let (mut shown, mut left_out) = (0, 0);
    for _ in 0..20 {
        let runs = (0..10).map(|_| {
            let packed = with_figures(&numbers.broken(&whole), &figures);
            sandbox.run(FIGURE.name, packed, Limits::default())
        });
        for result in futures::future::join_all(runs.collect::<Vec<_>>()).await {
            match result {
                Ok(answer) if !answer.is_empty() => shown += 1,
                Ok(_) | Err(SandboxError::Refused(_) | SandboxError::Crashed(_)) => left_out += 1,
                Err(e) => panic!("{e:?}"),
            }
        }
    }
    assert!(shown > 20 && left_out > 5, "{shown} shown, {left_out} left out");
}
