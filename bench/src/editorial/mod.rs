//! Measures the text quality of carousels of real articles: titles, leftover markup, headlines, layouts, support,
//! headings. Reads and plans every article of a folder as the service would for a request with its text.

mod measures;
mod report;
mod source;
mod targets;

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use anyhow::{Context as _, Result, anyhow, bail};
use fleet::sandbox::Sandbox;
use parking_lot::Mutex;
use render_core::design::Style;
use render_core::format::{Format, FormatId};
use render_core::plan::{PlanRequest, default_seed, plan};
use render_core::text::Fonts;
use tokio::runtime::Handle;

use crate::machine;

use measures::{Finding, Said};
use report::Report;
use source::Article;

/// Format of the carousels.
const FORMAT: &str = "linkedin_carousel_portrait";

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Folder of the articles, searched recursively: Markdown, HTML and text files.
    folder: PathBuf,
    /// Slides of each carousel.
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(2..=20))]
    slides: u32,
    /// Maximum number of articles, evenly spaced in the order of their paths.
    #[arg(long)]
    max: Option<usize>,
    /// Seed of every carousel; by default, each article has the seed that the service derives from its text.
    #[arg(long)]
    seed: Option<u64>,
    /// Prints the result as one line of JSON at the end.
    #[arg(long)]
    json: bool,
    /// Repeats the table for each detected language.
    #[arg(long)]
    by_language: bool,
    /// Number of examples for each missed target.
    #[arg(long, default_value_t = 0)]
    examples: usize,
}

/// The result of one article.
struct Outcome {
    /// BCP 47 tag; `None` if the article could not be read.
    language: Option<String>,
    read_ms: f64,
    /// Measurements and layouts of the pages and the milliseconds for planning, or the reason for a failure.
    planned: Result<Planned>,
}

struct Planned {
    findings: Vec<Finding>,
    layouts: Vec<&'static str>,
    plan_ms: f64,
}

pub fn run(args: &Args) -> Result<()> {
    let articles = source::articles(&args.folder, args.max)?;
    let outcomes = Studio::new(args)?.all(&articles)?;
    let report = Report::new(args, &articles, &outcomes);
    report.print(args);
    if args.json {
        println!("{}", serde_json::to_string(&report)?);
    }
    Ok(())
}

/// Inputs for planning an article.
struct Studio {
    format: FormatId,
    slides: u32,
    seed: Option<u64>,
    fonts: Fonts,
    sandbox: Sandbox,
    runtime: tokio::runtime::Runtime,
}

impl Studio {
    fn new(args: &Args) -> Result<Self> {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        Ok(Self {
            format: Format::by_id(FORMAT).with_context(|| format!("there is no format {FORMAT}"))?.id,
            slides: args.slides,
            seed: args.seed,
            fonts: Fonts::new(),
            sandbox: Sandbox::new(machine::cores())?,
            runtime,
        })
    }

    /// Processes all articles, on all cores.
    fn all(&self, articles: &[Article]) -> Result<Vec<Outcome>> {
        let (next, done) = (AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
        let work = || {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some(article) = articles.get(number) else { break };
                let outcome = self.outcome(article);
                done.lock().insert(number, outcome);
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..machine::cores() {
                scope.spawn(|| {
                    // A pool with a single thread, so that the time of one article includes no work for another.
                    let Ok(pool) = rayon::ThreadPoolBuilder::new().num_threads(1).build() else { return };
                    pool.install(work);
                });
            }
        });
        let done = done.into_inner();
        if done.len() != articles.len() {
            bail!("only {} of {} articles were measured", done.len(), articles.len());
        }
        Ok(done.into_values().collect())
    }

    fn outcome(&self, article: &Article) -> Outcome {
        let mut outcome = Outcome { language: None, read_ms: 0.0, planned: Err(anyhow!("it made the engine panic")) };
        // The service also catches a panic, and refuses the request.
        let planned = catch_unwind(AssertUnwindSafe(|| self.planned(article, &mut outcome)));
        if let Ok(planned) = planned {
            outcome.planned = planned;
        }
        outcome
    }

    fn planned(&self, article: &Article, outcome: &mut Outcome) -> Result<Planned> {
        let text = article.text()?;
        let began = Instant::now();
        let handle: &Handle = self.runtime.handle();
        let document = article.document(&text, &self.sandbox, handle);
        outcome.read_ms = began.elapsed().as_secs_f64() * 1e3;
        let document = document?;
        outcome.language = Some(document.language.code().to_owned());
        let request = PlanRequest::of(
            &document,
            vec![(self.format, Some(self.slides))],
            Style::MODERN,
            self.seed.unwrap_or_else(|| default_seed(&text)),
        );
        let began = Instant::now();
        let plan = plan(&request, &self.fonts)?;
        let plan_ms = began.elapsed().as_secs_f64() * 1e3;
        let pages: Vec<Said> = plan.pages.iter().map(Said::of).collect();
        let layouts = measures::body(&pages).iter().map(|page| page.layout).collect();
        Ok(Planned { findings: measures::measured(&article.headed(&text), &pages), layouts, plan_ms })
    }
}
