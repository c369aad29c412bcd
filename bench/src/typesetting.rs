//! Times typesetting: the fitted text of a slide, in a Latin script and in others. Also measures the memory of a
//! process after it has set and rendered one language after the other.

use std::time::Instant;

use anyhow::{Result, anyhow};
use render_core::content::Language;
use render_core::raster::cpu::CpuRasteriser;
use render_core::raster::{Pixmap, Rasteriser};
use render_core::scene::{Affine, Canvas, Color, Coverage, Item, Paint, Role, Scene, Size};
use render_core::text::{Align, Family, Fit, Fonts, Locale, Paragraph, TextStyle, fit};
use serde::Serialize;

use crate::machine::{self, Machine};
use crate::table;

/// Words of a slide in languages with spaces between words; characters in others.
const WORDS: usize = 80;
const CHARACTERS: usize = 240;
/// Title, subtitle and body: box in du, range of sizes, lines, and share of the words.
const SETTINGS: [(Size, (f32, f32), usize, f32); 3] = [
    (Size { w: 936.0, h: 360.0 }, (64.0, 132.0), 3, 0.1),
    (Size { w: 936.0, h: 240.0 }, (36.0, 64.0), 4, 0.25),
    (Size { w: 936.0, h: 560.0 }, (24.0, 44.0), 14, 0.65),
];
/// Sentences in many languages: tag, script, text.
const SENTENCES: &str = include_str!("../../tests/data/pangrams.tsv");

/// One language per script. Latin is first, because most processes render only Latin text.
const DEFAULT: [&str; 19] = [
    "en", "vi", "ru", "el", "ar", "fa", "he", "hi", "bn", "ta", "te", "th", "ka", "hy", "am", "ja", "zh-Hans",
    "zh-Hant", "ko",
];

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Languages, by tag.
    #[arg(long, value_delimiter = ',', default_values = DEFAULT)]
    languages: Vec<String>,
    /// Timed runs.
    #[arg(long, default_value_t = 50)]
    iterations: usize,
    /// Prints the result as one line of JSON at the end.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    language: String,
    script: &'static str,
    characters: usize,
    /// The first run, which unpacks the faces.
    cold_ms: f64,
    median_ms: f64,
    p95_ms: f64,
    /// Resident MiB after this row and the previous rows; `None` if the system does not report it.
    resident_mib: Option<f64>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Report {
    bench: &'static str,
    machine: Machine,
    iterations: usize,
    rows: Vec<Row>,
    /// Ratio to English, which is first in the list.
    ratios: Vec<(String, f64)>,
}

/// The paragraphs of a slide.
struct Slide {
    texts: [String; SETTINGS.len()],
    locale: Locale,
}

impl Slide {
    /// Builds a slide from a sentence's words, repeated as often as needed.
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

    fn set(&self, fonts: &Fonts) -> [Fit; SETTINGS.len()] {
        let mut settings = self.texts.iter().zip(SETTINGS).zip([700, 600, 400]);
        std::array::from_fn(|_| {
            let ((text, (bounds, (min, max), lines, _)), weight) = settings.next().expect("one text a setting");
            let face = fonts.face(Family::InterTight, weight);
            let style = TextStyle {
                face,
                size: max,
                tracking: -0.01,
                leading: 1.2,
                tabular: false,
                case: false,
                stylistic_set: 0,
            };
            let paragraph = Paragraph {
                text,
                style,
                locale: self.locale,
                align: Align::Start,
                balance: true,
                optical: true,
                spans: &[],
            };
            fit(fonts, &paragraph, bounds, min, max, lines)
        })
    }

    /// Sets the slide and renders it at two pixels per du.
    fn draw(&self, fonts: &Fonts, cpu: &CpuRasteriser, pixels: &mut Pixmap) -> Result<()> {
        let mut y = 72.0;
        let mut items = Vec::new();
        for Fit { laid, .. } in self.set(fonts) {
            items.extend(laid.runs.into_iter().map(|run| Item {
                transform: Affine::translate(72.0, y),
                coverage: Coverage::Glyphs(run.glyphs),
                paint: Paint::Solid(Color::rgb8(20, 20, 24)),
                role: Role::Text(0),
            }));
            y += laid.height + 72.0;
        }
        let size = Size { w: 1080.0, h: 1350.0 };
        let background = Color::rgb8(250, 248, 244);
        let scene = Scene { size, background, items, layers: Vec::new(), blocks: Vec::new() };
        let canvas = Canvas { width: 2160, height: 2700, scale: 2.0, dither: false };
        Ok(cpu.draw(&scene, canvas, fonts, pixels)?)
    }
}

pub fn run(args: &Args) -> Result<()> {
    let mut slides = Vec::new();
    for language in &args.languages {
        let mut lines = SENTENCES.lines().filter(|line| !line.starts_with('#')).map(|line| line.splitn(3, '\t'));
        let found = lines.find_map(|mut row| {
            let (tag, script, text) = (row.next()?, row.next()?, row.next()?);
            (tag == language).then_some((script, text))
        });
        let (script, sentence) = found.ok_or_else(|| anyhow!("there is no sentence in {language:?}"))?;
        slides.push((language, script, Slide::new(language, script, sentence)?));
    }
    // Runs before all timings: each timing unpacks its faces again, and the process keeps freed memory.
    let (all, cpu) = (Fonts::new(), CpuRasteriser::new());
    let mut pixels = Pixmap { width: 0, height: 0, data: Vec::new() };
    let mut resident = Vec::new();
    for (.., slide) in &slides {
        slide.draw(&all, &cpu, &mut pixels)?;
        resident.push(machine::memory(None).map(|memory| memory.resident_mib));
    }
    let mut rows = Vec::new();
    for ((language, script, slide), resident_mib) in slides.into_iter().zip(resident) {
        let fonts = Fonts::new();
        let timed = || {
            let started = Instant::now();
            std::hint::black_box(slide.set(&fonts));
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
            resident_mib,
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
            cells.push(row.resident_mib.map_or_else(|| "unknown".to_owned(), |mib| format!("{mib:.0}")));
            cells
        };
        let rows: Vec<Vec<String>> = self.rows.iter().zip(&self.ratios).map(cells).collect();
        table::print(
            &["language", "script", "characters", "first", "median", "p95", "to the first row", "MiB so far"],
            &rows,
        );
    }
}
