//! What setting type costs: the text of a slide, fitted, in a Latin script and in others.

use std::time::Instant;

use anyhow::{Result, anyhow};
use render_core::content::Language;
use render_core::scene::Size;
use render_core::text::{Align, Family, Fonts, Locale, Paragraph, TextStyle, fit};
use serde::Serialize;

use crate::machine::Machine;
use crate::table;

/// Words of a slide in languages that part them; characters in those that don't.
const WORDS: usize = 80;
const CHARACTERS: usize = 240;
/// Title, subtitle and body: box in du, range of sizes, lines, and the share of the words.
const SETTINGS: [(Size, (f32, f32), usize, f32); 3] = [
    (Size { w: 936.0, h: 360.0 }, (64.0, 132.0), 3, 0.1),
    (Size { w: 936.0, h: 240.0 }, (36.0, 64.0), 4, 0.25),
    (Size { w: 936.0, h: 560.0 }, (24.0, 44.0), 14, 0.65),
];
/// Sentences in many languages: tag, script, text.
const SENTENCES: &str = include_str!("../../tests/data/pangrams.tsv");

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Languages, by tag.
    #[arg(long, value_delimiter = ',', default_values = ["en", "vi", "ru", "ar", "he", "hi", "th", "ja", "zh-Hans", "ko"])]
    languages: Vec<String>,
    /// Runs that are timed.
    #[arg(long, default_value_t = 50)]
    iterations: usize,
    /// Ends with one line of JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    language: String,
    script: &'static str,
    characters: usize,
    /// The first time, faces unpacked.
    cold_ms: f64,
    median_ms: f64,
    p95_ms: f64,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Report {
    bench: &'static str,
    machine: Machine,
    iterations: usize,
    rows: Vec<Row>,
    /// Of English first in the list.
    ratios: Vec<(String, f64)>,
}

/// The paragraphs of a slide.
struct Slide {
    texts: [String; SETTINGS.len()],
    locale: Locale,
}

impl Slide {
    /// A slide of a sentence's words, gone through again and again.
    fn new(language: &str, script: &str, sentence: &str) -> Result<Self> {
        let spaced = !matches!(script, "Thai" | "Jpan" | "Hans" | "Hant");
        let units: Vec<&str> = if spaced {
            sentence.split_inclusive(' ').collect()
        } else {
            sentence.char_indices().map(|(at, c)| &sentence[at..at + c.len_utf8()]).collect()
        };
        let count = if spaced { WORDS } else { CHARACTERS };
        let mut words = units.iter().cycle();
        let texts = SETTINGS.map(|(_, _, _, share)| {
            let taken = (count as f32 * share).round() as usize;
            words.by_ref().take(taken).copied().collect::<String>().trim().to_owned()
        });
        Ok(Self { texts, locale: Locale::of(&Language::parse(language)?) })
    }

    fn set(&self, fonts: &Fonts) {
        for ((text, (bounds, (min, max), lines, _)), weight) in self.texts.iter().zip(SETTINGS).zip([700, 600, 400]) {
            let face = fonts.face(Family::InterTight, weight);
            let style = TextStyle { face, size: max, tracking: -0.01, leading: 1.2, tabular: false, case: false };
            let paragraph =
                Paragraph { text, style, locale: self.locale, align: Align::Start, balance: true, optical: true };
            std::hint::black_box(fit(fonts, &paragraph, bounds, min, max, lines));
        }
    }
}

pub fn run(args: &Args) -> Result<()> {
    let mut rows = Vec::new();
    for language in &args.languages {
        let mut lines = SENTENCES.lines().filter(|line| !line.starts_with('#')).map(|line| line.splitn(3, '\t'));
        let found = lines.find_map(|mut row| {
            let (tag, script, text) = (row.next()?, row.next()?, row.next()?);
            (tag == language).then_some((script, text))
        });
        let (script, sentence) = found.ok_or_else(|| anyhow!("there is no sentence in {language:?}"))?;
        let slide = Slide::new(language, script, sentence)?;
        let fonts = Fonts::new();
        let timed = || {
            let started = Instant::now();
            slide.set(&fonts);
            started.elapsed().as_secs_f64() * 1_000.0
        };
        let cold_ms = timed();
        let samples: Vec<f64> = (0..args.iterations.max(1)).map(|_| timed()).collect();
        rows.push(Row {
            language: language.clone(),
            script,
            characters: slide.texts.iter().map(|text| text.chars().count()).sum(),
            cold_ms,
            median_ms: table::quantile(&samples, 0.5),
            p95_ms: table::quantile(&samples, 0.95),
        });
    }
    let first = rows.first().map_or(1.0, |row| row.median_ms);
    let ratios = rows.iter().map(|row| (row.language.clone(), row.median_ms / first)).collect();
    let report = Report { bench: "type", machine: Machine::this(), iterations: args.iterations, rows, ratios };
    report.print();
    if args.json {
        println!("{}", serde_json::to_string(&report)?);
    }
    Ok(())
}

impl Report {
    fn print(&self) {
        println!("{}", self.machine.describe());
        println!("the text of a slide, three sizes, each fitted; {} runs, ms", self.iterations);
        println!();
        let cells = |(row, (_, ratio)): (&Row, &(String, f64))| {
            let figures = [row.cold_ms, row.median_ms, row.p95_ms].map(|ms| format!("{ms:.2}"));
            let mut cells = vec![row.language.clone(), row.script.to_owned(), row.characters.to_string()];
            cells.extend(figures);
            cells.push(format!("{ratio:.2}"));
            cells
        };
        let rows: Vec<Vec<String>> = self.rows.iter().zip(&self.ratios).map(cells).collect();
        table::print(&["language", "script", "characters", "first", "median", "p95", "to the first row"], &rows);
    }
}
