//! The tables of results, over all articles and for each language.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Serialize;

use super::source::{Article, spread};
use super::targets::{Measure, Target};
use super::{Args, Outcome};
use crate::machine::Machine;
use crate::table::{self, Figure};

/// Maximum characters of an example in the table.
const SHOWN: usize = 160;

/// One row of the table.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    measure: Measure,
    label: &'static str,
    count: usize,
    of: usize,
    /// 0–1; `None` if there was nothing to measure.
    share: Option<f64>,
    at_least: Option<f64>,
    at_most: Option<f64>,
    /// `None` without a target, or if there was nothing to measure.
    held: Option<bool>,
    examples: Vec<Example>,
}

/// An example that fails a target.
#[derive(Debug, Clone, Serialize)]
struct Example {
    file: String,
    text: String,
}

/// The rows for the articles in one language.
#[derive(Debug, Serialize)]
struct InLanguage {
    /// BCP 47 tag; empty for articles that could not be read.
    language: String,
    articles: usize,
    rows: Vec<Row>,
}

/// The results for a folder.
#[derive(Debug, Serialize)]
pub struct Report {
    bench: &'static str,
    machine: Machine,
    folder: PathBuf,
    slides: u32,
    seed: Option<u64>,
    articles: usize,
    rows: Vec<Row>,
    /// Layouts of body pages, with their counts.
    layouts: BTreeMap<&'static str, usize>,
    refused: Vec<Example>,
    /// Milliseconds per article.
    times: Vec<Figure>,
    languages: Vec<InLanguage>,
}

/// An article and its result.
type Measured<'a> = (&'a Article, &'a Outcome);

/// Computes all rows for some articles, each with at most `most` examples.
fn rows(of: &[Measured<'_>], most: usize) -> Vec<Row> {
    Measure::ALL.into_iter().map(|measure| row(measure, of, most)).collect()
}

fn row(measure: Measure, measured: &[Measured<'_>], most: usize) -> Row {
    let (mut count, mut of, mut examples) = (0, 0, Vec::new());
    let example = |article: &Article, text: &str| Example { file: article.file.clone(), text: text.to_owned() };
    for (article, outcome) in measured {
        match &outcome.planned {
            Err(why) if measure == Measure::Refused => {
                count += 1;
                examples.push(example(article, &why.to_string()));
            }
            Err(_) => {}
            Ok(planned) => {
                for finding in planned.findings.iter().filter(|f| f.measure == measure) {
                    count += finding.count;
                    of += finding.of;
                    examples.extend(finding.against.iter().map(|text| example(article, text)));
                }
            }
        }
    }
    if measure == Measure::Refused {
        of = measured.len();
    }
    let share = (of > 0).then(|| count as f64 / of as f64);
    let target = measure.target();
    let (at_least, at_most) = match target {
        Some(Target::AtLeast(least)) => (Some(least), None),
        Some(Target::AtMost(most)) => (None, Some(most)),
        None => (None, None),
    };
    let held = share.zip(target).map(|(share, target)| target.is_held(share));
    let label = measure.label();
    Row { measure, label, count, of, share, at_least, at_most, held, examples: spread(examples, most) }
}

impl Report {
    /// Builds the report from articles and their results.
    pub fn new(args: &Args, articles: &[Article], outcomes: &[Outcome]) -> Self {
        let all: Vec<Measured<'_>> = articles.iter().zip(outcomes).collect();
        let mut by_language: BTreeMap<&str, Vec<Measured<'_>>> = BTreeMap::new();
        for one in &all {
            by_language.entry(one.1.language.as_deref().unwrap_or_default()).or_default().push(*one);
        }
        let languages = by_language.into_iter().map(|(language, those)| InLanguage {
            language: language.to_owned(),
            articles: those.len(),
            rows: rows(&those, args.examples),
        });
        let planned = || outcomes.iter().filter_map(|outcome| outcome.planned.as_ref().ok());
        let mut layouts = BTreeMap::new();
        for layout in planned().flat_map(|planned| &planned.layouts) {
            *layouts.entry(*layout).or_default() += 1;
        }
        let read = outcomes.iter().filter(|o| o.language.is_some()).map(|o| o.read_ms).collect::<Vec<_>>();
        let plan = planned().map(|planned| planned.plan_ms).collect::<Vec<_>>();
        Self {
            bench: "editorial",
            machine: Machine::this(),
            folder: args.folder.clone(),
            slides: args.slides,
            seed: args.seed,
            articles: articles.len(),
            rows: rows(&all, args.examples),
            layouts,
            refused: row(Measure::Refused, &all, usize::MAX).examples,
            times: vec![Figure::of("read", &read), Figure::of("plan", &plan)],
            languages: languages.collect(),
        }
    }

    /// Prints the tables.
    pub fn print(&self, args: &Args) {
        println!("{}", self.machine.describe());
        println!("{} articles of {}, {} slides each", self.articles, self.folder.display(), self.slides);
        println!();
        print_rows(&self.rows);
        for language in self.languages.iter().filter(|_| args.by_language) {
            let tag = if language.language.is_empty() { "unread" } else { &language.language };
            println!("\n{tag}: {} articles", language.articles);
            print_rows(&language.rows);
        }
        let missed = self.rows.iter().filter(|row| row.held == Some(false) && row.measure != Measure::Refused);
        for row in missed.filter(|row| !row.examples.is_empty()) {
            println!("\n{}:", row.label);
            print_examples(&row.examples);
        }
        if !self.refused.is_empty() {
            println!("\nrefused:");
            print_examples(&self.refused);
        }
        println!();
        let mut layouts: Vec<_> = self.layouts.iter().collect();
        layouts.sort_by_key(|(_, count)| Reverse(**count));
        let named: Vec<String> = layouts.iter().map(|(layout, count)| format!("{layout} {count}")).collect();
        println!("layouts of body pages: {}", named.join(", "));
        for Figure { stage, median_ms, p95_ms } in &self.times {
            println!("{stage}: median {median_ms:.1} ms an article, 95th percentile {p95_ms:.1} ms");
        }
    }
}

fn print_rows(rows: &[Row]) {
    let cells = |row: &Row| {
        let share = row.share.map_or_else(|| "–".to_owned(), percent);
        let least = row.at_least.map(|least| format!("≥ {}", percent(least)));
        let target = least.or_else(|| row.at_most.map(|most| format!("≤ {}", percent(most))));
        let held = row.held.map_or("–", |held| if held { "held" } else { "missed" });
        let target = target.unwrap_or_else(|| "–".to_owned());
        vec![row.label.to_owned(), format!("{}/{}", row.count, row.of), share, target, held.to_owned()]
    };
    table::print(&["measure", "count/of", "share", "target", ""], &rows.iter().map(cells).collect::<Vec<_>>());
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

fn print_examples(examples: &[Example]) {
    for Example { file, text } in examples {
        let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let end = line.char_indices().nth(SHOWN).map_or(line.len(), |(end, _)| end);
        println!("  {file}: {}", &line[..end]);
    }
}
