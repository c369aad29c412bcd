//! Times an edit request: from a prompt and a page to the refined instruction and a small preview of the resulting
//! page.

use std::time::Instant;

use anyhow::{Context, Result};
use render_core::design::{Page, Style, Template};
use render_core::edit::{Target, propose};
use render_core::encode::{ImageFormat, encode};
use render_core::format::Format;
use render_core::plan::specimens::specimen;
use render_core::raster::cpu::CpuRasteriser;
use render_core::raster::{Pixmap, Rasteriser};
use render_core::scene::Canvas;
use render_core::text::Fonts;
use serde::Serialize;

use crate::machine::Machine;
use crate::table;

/// Time limit for a response in ms.
const LIMIT_MS: f64 = 150.0;
/// Short edge of the preview in pixels, as in the service.
const PREVIEW_PX: u32 = 540;
/// The pages.
const PAGES: [(&str, Style); 4] = [
    ("cover-type", Style::MODERN),
    ("list-grid", Style::MINIMAL),
    ("tips-bento", Style::PLAYFUL),
    ("bar-rank", Style::CORPORATE),
];
/// The prompts, from a single word to a search for a size that doesn't fit.
const PROMPTS: [&str; 6] = [
    "change the title to \"Rest is work\"",
    "make the background navy",
    "make it elegant",
    "make the headline 20% smaller and centre it",
    "make the headline huge",
    "make everything bigger",
];

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Timed runs of each prompt on each page.
    #[arg(long, default_value_t = 20)]
    iterations: usize,
    /// Prints the result as one line of JSON at the end.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    prompt: &'static str,
    /// Time to the instruction and the resulting page; time from there to the preview.
    propose_ms: f64,
    preview_ms: f64,
    median_ms: f64,
    p95_ms: f64,
    limit_ms: f64,
    /// The 95th percentile divided by the limit.
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
    let fonts = Fonts::new();
    let format = Format::by_id("instagram_post").context("a format is gone")?.id;
    let page = |(template, style)| {
        specimen(Template::named(template), style, format, 7, &fonts).context("a page can't be set")
    };
    let pages: Vec<Page> = PAGES.into_iter().map(page).collect::<Result<_>>()?;
    let mut rows = Vec::new();
    for prompt in PROMPTS {
        let mut samples: [Vec<f64>; 3] = Default::default();
        for page in pages.iter().cycle().take(args.iterations.max(1) * pages.len()) {
            let started = Instant::now();
            let proposal = propose(prompt, &[Target::new(page, 1, None, &fonts)], 0);
            let proposed = started.elapsed();
            // If the edit is impossible, the refusal is the result.
            if let Some(edited) = proposal.ok().and_then(|p| p.edited.into_iter().next()) {
                draw(&edited.composed.scene, &fonts)?;
            }
            let whole = started.elapsed();
            let ms = [proposed, whole - proposed, whole].map(|t| t.as_secs_f64() * 1_000.0);
            samples.iter_mut().zip(ms).for_each(|(all, ms)| all.push(ms));
        }
        let [propose_ms, preview_ms, median_ms] = [0, 1, 2].map(|i| table::quantile(&samples[i], 0.5));
        let p95_ms = table::quantile(&samples[2], 0.95);
        let ratio = p95_ms / LIMIT_MS;
        rows.push(Row { prompt, propose_ms, preview_ms, median_ms, p95_ms, limit_ms: LIMIT_MS, ratio });
    }
    let report = Report { bench: "edit", machine: Machine::this(), iterations: args.iterations, rows };
    report.print();
    if args.json {
        println!("{}", serde_json::to_string(&report)?);
    }
    Ok(())
}

/// Renders the preview as a PNG.
fn draw(scene: &render_core::scene::Scene, fonts: &Fonts) -> Result<()> {
    let by = PREVIEW_PX as f32 / scene.size.w.min(scene.size.h);
    let px = |du: f32| (du * by).round() as u32;
    let mut pixels = Pixmap { width: 0, height: 0, data: Vec::new() };
    CpuRasteriser::new().draw(scene, Canvas::new(px(scene.size.w), px(scene.size.h)), fonts, &mut pixels)?;
    encode(&pixels, ImageFormat::Png)?;
    Ok(())
}

impl Report {
    fn print(&self) {
        println!("{}", self.machine.describe());
        println!(
            "from a prompt to an instruction and a picture; {} runs on each of {} pages, ms",
            self.iterations,
            PAGES.len()
        );
        println!();
        let cells = |row: &Row| {
            let figures = [row.propose_ms, row.preview_ms, row.median_ms, row.p95_ms, row.limit_ms, row.ratio];
            let mut cells = vec![row.prompt.to_owned()];
            cells.extend(figures.map(|figure| format!("{figure:.2}")));
            cells
        };
        let rows: Vec<Vec<String>> = self.rows.iter().map(cells).collect();
        table::print(&["prompt", "instruction", "picture", "all", "p95", "limit", "of the limit"], &rows);
    }
}
