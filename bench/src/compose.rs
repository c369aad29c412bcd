//! Times the stages between a designed page and its scene, and the design of a page.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context as _, Result, bail};
use render_core::compose::{set_watched, written};
use render_core::content::read_text;
use render_core::design::{Page, Style, Template, Theme};
use render_core::format::Format;
use render_core::plan::specimens::specimen;
use render_core::plan::{PlanRequest, plan};
use render_core::sheet::Stage;
use render_core::text::Fonts;
use render_core::{elements, markup, pictures};
use serde::Serialize;
use serde_json::Value;

use crate::machine::Machine;
use crate::render::text;
use crate::table::{self, Figure, quantile};

/// The stages, in order. `layout` is one arrangement of all boxes; `fit` makes many.
const STAGES: [&str; 8] = ["fill", "parse", "pictures", "resolve", "fit", "layout", "draw", "page"];
/// One format for each shape.
const FORMATS: [&str; 5] =
    ["instagram_post", "instagram_carousel", "instagram_story", "presentation_slide", "twitter_header"];
/// Time limits for a page in ms: from its text to its boxes, and for its design including all candidates.
const PAGE_MS: f64 = 0.6;
const PLAN_MS: f64 = 3.0;

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Text from which carousels are designed.
    #[arg(long, default_value = "tests/data/article.md")]
    content: PathBuf,
    /// Timed runs of each page.
    #[arg(long, default_value_t = 9)]
    iterations: usize,
    /// Another build of this program, for example of the previous commit. It makes the same measurements before and
    /// after this one, and each result is shown as a ratio to its results.
    #[arg(long)]
    against: Option<PathBuf>,
    /// Prints the result as one line of JSON at the end.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Report {
    bench: &'static str,
    machine: Machine,
    /// Number of pages: one of each template in every style and shape.
    pages: usize,
    /// Median number of box arrangements until a page fits.
    passes: f64,
    /// Statistics over the medians of all pages.
    stages: Vec<Figure>,
    /// Milliseconds to design a page, including all candidates, for carousels in every style.
    plan: Figure,
    /// Ratios to the medians of the other build, by stage.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    ratios: BTreeMap<String, f64>,
}

pub fn run(args: &Args) -> Result<()> {
    let before = args.against.as_deref().map(|other| peer(other, args)).transpose()?;
    let mut report = measure(args)?;
    if let (Some(other), Some(before)) = (&args.against, before) {
        let after = peer(other, args)?;
        let mean = |stage: &str| Some((before.get(stage)? + after.get(stage)?) / 2.0);
        let figures = report.stages.iter().chain([&report.plan]);
        let ratio = |f: &Figure| Some((f.stage.to_owned(), f.median_ms / mean(f.stage)?));
        report.ratios = figures.filter_map(ratio).collect();
    }
    report.print();
    if args.json {
        println!("{}", serde_json::to_string(&report)?);
    }
    Ok(())
}

/// Returns the medians of another build, by stage.
fn peer(program: &Path, args: &Args) -> Result<BTreeMap<String, f64>> {
    let mut command = Command::new(program);
    command.args(["compose", "--json", "--iterations", &args.iterations.to_string(), "--content"]).arg(&args.content);
    let made = command.output().with_context(|| format!("starting {}", program.display()))?;
    if !made.status.success() {
        bail!("{} ended with {}: {}", program.display(), made.status, String::from_utf8_lossy(&made.stderr));
    }
    let printed = String::from_utf8_lossy(&made.stdout).into_owned();
    let value: Value = serde_json::from_str(printed.trim_end().lines().next_back().unwrap_or_default())?;
    let stages = value["stages"].as_array().into_iter().flatten().chain([&value["plan"]]);
    let figure = |f: &Value| Some((f["stage"].as_str()?.to_owned(), f["medianMs"].as_f64()?));
    Ok(stages.filter_map(figure).collect())
}

fn measure(args: &Args) -> Result<Report> {
    let fonts = Fonts::new();
    let pages = specimens(&fonts);
    let mut samples: [Vec<f64>; STAGES.len()] = Default::default();
    let mut passes = Vec::new();
    for page in &pages {
        let mut runs: [Vec<f64>; STAGES.len()] = Default::default();
        // The first run fills the caches that pages share.
        for run in 0..=args.iterations.max(1) {
            let (times, arranged) = once(page, &fonts)?;
            if run > 0 {
                runs.iter_mut().zip(times).for_each(|(runs, ms)| runs.push(ms));
            } else {
                passes.push(f64::from(arranged));
            }
        }
        samples.iter_mut().zip(&runs).for_each(|(samples, runs)| samples.push(quantile(runs, 0.5)));
    }
    Ok(Report {
        bench: "compose",
        machine: Machine::this(),
        pages: pages.len(),
        passes: quantile(&passes, 0.5),
        stages: STAGES.iter().zip(&samples).map(|(stage, samples)| Figure::of(stage, samples)).collect(),
        plan: Figure::of("plan", &designed(&text(&args.content)?, args.iterations, &fonts)?),
        ratios: BTreeMap::new(),
    })
}

/// Returns one page of each template, in every style and shape that the template supports.
fn specimens(fonts: &Fonts) -> Vec<Page> {
    let shapes = FORMATS.iter().filter_map(|id| Format::by_id(id));
    let all = shapes.flat_map(|f| Style::all().flat_map(move |s| Template::all().map(move |t| (t, s, f.id))));
    all.filter_map(|(template, style, format)| specimen(template, style, format, 3, fonts)).collect()
}

/// Returns the milliseconds of each stage, and the number of box arrangements.
fn once(page: &Page, fonts: &Fonts) -> Result<([f64; STAGES.len()], u32)> {
    let mut at = Instant::now();
    let mut lap = || {
        let now = Instant::now();
        (now - std::mem::replace(&mut at, now)).as_secs_f64() * 1e3
    };
    let wrong = |what: &dyn std::fmt::Debug| anyhow::anyhow!("{}: {what:?}", page.template.name());
    let text = written(page).map_err(|e| wrong(&e))?;
    let fill = lap();
    let tree = markup::parse(&text, &elements::VOCABULARY).map_err(|e| wrong(&e))?;
    let parse = lap();
    let tree = pictures::resolve(&tree, Theme::of(page.style).manner, page.seed).map_err(|e| wrong(&e))?;
    let drawn = lap();
    let (mut resolve, mut fit, mut draw, mut passes) = (0.0, 0.0, 0.0, 1);
    std::hint::black_box(set_watched(page, &tree, fonts, &mut |stage| match stage {
        Stage::Resolved => resolve = lap(),
        Stage::Fitted(arranged) => (fit, passes) = (lap(), arranged.max(1)),
        Stage::Drawn => draw = lap(),
    }));
    let page = parse + drawn + resolve + fit;
    Ok(([fill, parse, drawn, resolve, fit, fit / f64::from(passes), draw, page], passes))
}

/// Returns the milliseconds per page to design carousels of a text, in every style.
fn designed(text: &str, iterations: usize, fonts: &Fonts) -> Result<Vec<f64>> {
    let document = read_text(text)?;
    let format = Format::by_id("instagram_carousel").context("the catalogue has carousels")?;
    let mut samples = Vec::new();
    for run in 0..=iterations.max(1) {
        for style in Style::all() {
            let request = PlanRequest::of(&document, vec![(format.id, Some(8))], style, 7);
            let began = Instant::now();
            let pages = plan(&request, fonts)?.pages.len();
            if run > 0 {
                samples.push(began.elapsed().as_secs_f64() * 1e3 / pages.max(1) as f64);
            }
        }
    }
    Ok(samples)
}

impl Report {
    fn print(&self) {
        println!("{}", self.machine.describe());
        println!(
            "{} pages; boxes are arranged {} times a page until they fit (median); ms a page",
            self.pages, self.passes
        );
        println!();
        let row = |f: &Figure| {
            let ratio = self.ratios.get(f.stage).map(|r| format!("{r:.2}"));
            vec![
                f.stage.to_owned(),
                format!("{:.3}", f.median_ms),
                format!("{:.3}", f.p95_ms),
                ratio.unwrap_or_default(),
            ]
        };
        let rows: Vec<Vec<String>> = self.stages.iter().chain([&self.plan]).map(row).collect();
        table::print(&["stage", "median", "95th", "× the other build"], &rows);
        println!();
        let page = self.stages.iter().find(|f| f.stage == "page").map_or(0.0, |f| f.median_ms);
        for (what, ms, most) in [("a page", page, PAGE_MS), ("designing a page", self.plan.median_ms, PLAN_MS)] {
            let held = if ms <= most { "held" } else { "MISSED" };
            println!("{what}: {ms:.2} ms of {most} ms, {held}");
        }
    }
}
