//! Times the path from an input to its outlines: a long text, a web page and a PDF, each to the outlines of a post and
//! a carousel. Parses pages and PDFs in a child process like the service, including the start of the process.

use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, anyhow};
use fleet::sandbox::{Limits, Sandbox};
use render_core::content::{Document, ReadOptions, read_text_with};
use render_core::format::Format;
use render_core::outline::{self, outline};
use serde::Serialize;

use crate::machine::Machine;
use crate::table;

/// Number of words of the text.
const WORDS: usize = 2_000;
/// The outlines: format, and slides of a carousel.
const FORMATS: [(&str, Option<u32>); 2] = [("instagram_post", None), ("linkedin_carousel", Some(8))];
/// The inputs: name, file under `tests/data/sources`, the sandbox's task, and the time limit in ms.
const INPUTS: [(&str, &str, Option<&str>, f64); 3] = [
    ("text of 2,000 words", "text/long-article.md", None, 15.0),
    ("page of 190 KB", "html/long.html", Some("page"), 40.0),
    ("PDF of 20 pages", "pdf/annual-report.pdf", Some("pdf"), 150.0),
];

#[derive(Debug, clap::Args)]
pub struct Args {
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
    input: &'static str,
    bytes: usize,
    /// Medians: in the child process, to the document, to the outlines, and in total.
    child_ms: f64,
    read_ms: f64,
    outline_ms: f64,
    median_ms: f64,
    p95_ms: f64,
    limit_ms: f64,
    /// The median divided by the limit.
    ratio: f64,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Report {
    bench: &'static str,
    machine: Machine,
    iterations: usize,
    rows: Vec<Row>,
}

pub fn run(args: &Args) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let sandbox = Sandbox::new(1)?;
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/sources");
    let mut rows = Vec::new();
    for (input, file, task, limit_ms) in INPUTS {
        let path = sources.join(file);
        let bytes = std::fs::read(&path).with_context(|| format!("can't read {}", path.display()))?;
        let given = match task {
            None => repeated(&String::from_utf8(bytes)?).into_bytes(),
            // A line with its URL precedes the page.
            Some("page") => [b"{\"url\":\"https://pages.example/long\",\"charset\":null}\n", &bytes[..]].concat(),
            Some(_) => bytes,
        };
        let mut samples: [Vec<f64>; 4] = Default::default();
        for _ in 0..args.iterations.max(1) {
            let started = Instant::now();
            let (words, options) = match task {
                None => (String::from_utf8(given.clone())?, ReadOptions::default()),
                Some(task) => {
                    let answer = runtime.block_on(sandbox.run(task, given.clone().into(), Limits::default()))?;
                    (markdown(&answer)?, ReadOptions { markdown: true, ..ReadOptions::default() })
                }
            };
            let child = started.elapsed();
            let document = read_text_with(&words, &options)?;
            let read = started.elapsed();
            outline_all(&document)?;
            let whole = started.elapsed();
            let ms = [child, read - child, whole - read, whole].map(|t| t.as_secs_f64() * 1_000.0);
            samples.iter_mut().zip(ms).for_each(|(all, ms)| all.push(ms));
        }
        let [child_ms, read_ms, outline_ms, median_ms] = [0, 1, 2, 3].map(|i| table::quantile(&samples[i], 0.5));
        let p95_ms = table::quantile(&samples[3], 0.95);
        let (bytes, ratio) = (given.len(), median_ms / limit_ms);
        rows.push(Row { input, bytes, child_ms, read_ms, outline_ms, median_ms, p95_ms, limit_ms, ratio });
    }
    let report = Report { bench: "ingest", machine: Machine::this(), iterations: args.iterations, rows };
    report.print();
    if args.json {
        println!("{}", serde_json::to_string(&report)?);
    }
    Ok(())
}

/// Returns a text of [`WORDS`] words: this text, repeated by paragraph.
fn repeated(text: &str) -> String {
    let paragraphs: Vec<&str> = text.split_inclusive("\n\n").collect();
    let mut words = 0;
    let enough = |paragraph: &&&str| {
        let more = words < WORDS;
        words += paragraph.split_whitespace().count();
        more
    };
    paragraphs.iter().chain(paragraphs.iter().skip(1)).take_while(enough).copied().collect()
}

/// Returns the text in a response of the sandbox.
fn markdown(answer: &[u8]) -> Result<String> {
    let answer: serde_json::Value = serde_json::from_slice(answer)?;
    let words = answer["Ok"]["markdown"].as_str();
    words.map(str::to_owned).ok_or_else(|| anyhow!("the input could not be read: {answer}"))
}

fn outline_all(document: &Document) -> Result<()> {
    for (id, slides) in FORMATS {
        let format = Format::by_id(id).ok_or_else(|| anyhow!("there is no format {id}"))?;
        let outlines = outline(&outline::Request { document, format, slides })
            .map_err(|too_little| anyhow!("{id} has only {} slides", too_little.carries))?;
        std::hint::black_box(outlines.first().ok_or_else(|| anyhow!("{id} has no outline"))?);
    }
    Ok(())
}

impl Report {
    fn print(&self) {
        println!("{}", self.machine.describe());
        println!("from an input to outlines; medians of {} runs, ms", self.iterations);
        println!();
        let cells = |row: &Row| {
            let mut cells = vec![row.input.to_owned(), row.bytes.to_string()];
            let figures =
                [row.child_ms, row.read_ms, row.outline_ms, row.median_ms, row.p95_ms, row.limit_ms, row.ratio];
            cells.extend(figures.map(|figure| format!("{figure:.2}")));
            cells
        };
        let rows: Vec<Vec<String>> = self.rows.iter().map(cells).collect();
        let heads = ["input", "bytes", "child", "read", "outline", "all", "p95", "limit", "of the limit"];
        table::print(&heads, &rows);
    }
}
