//! Renders samples of the design engine into one folder for visual review: every template in every style and ratio,
//! every format, scripts, seeds, articles. Checks all of them, and random content, against the hard measures.

mod chance;
mod parts;
mod pictures;
mod references;
mod sheets;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use render_core::compose::compose;
use render_core::content::Document;
use render_core::design::{Brand, Page, Style};
use render_core::encode::{ImageFormat, encode, thumbnail};
use render_core::format::{Format, Resolution};
use render_core::inspect::{Quality, inspect};
use render_core::limits::EDGE_PX;
use render_core::plan::{PlanError, PlanRequest, plan};
use render_core::raster::Pixmap;
use render_core::scene::Canvas;
use render_core::text::Fonts;
use serde::Serialize;
use worker::renderer::Renderer;

use crate::machine::Machine;
use crate::table;

use parts::Part;

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Output folder, created if missing.
    out: PathBuf,
    /// Parts to render.
    #[arg(long, value_enum, value_delimiter = ',', default_values_t = Part::ALL)]
    parts: Vec<Part>,
    /// Styles.
    #[arg(long, value_delimiter = ',', default_values = ["modern", "minimal", "bold", "elegant", "playful", "corporate", "creative", "dark"])]
    styles: Vec<String>,
    /// Number of random contents, designed and measured but not rendered.
    #[arg(long, default_value_t = 500)]
    random: u32,
    /// Number of random trees of all elements, set and measured but not rendered.
    #[arg(long, default_value_t = 500)]
    trees: u32,
    /// Seed of everything random, including contents.
    #[arg(long, default_value_t = 7)]
    seed: u64,
    /// Renders at 2K; by default, the short edge is 1080 pixels, or fewer if the long edge would exceed 8192.
    #[arg(long)]
    full: bool,
    /// Prints the result as one line of JSON at the end.
    #[arg(long)]
    json: bool,
}

/// An image of the gallery.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Picture {
    file: String,
    style: &'static str,
    format: String,
    template: &'static str,
    width: u32,
    height: u32,
    passed: bool,
    /// Failed measures: name, measured value, limit.
    misses: Vec<(String, f32, f32)>,
    warnings: Vec<String>,
    #[serde(skip)]
    alt_text: String,
    #[serde(skip)]
    small: Pixmap,
}

impl Picture {
    fn remarks(&self) -> Vec<String> {
        let mut says: Vec<String> =
            self.misses.iter().map(|(name, value, gate)| format!("{name} {value:.2} ({gate:.2})")).collect();
        says.extend(self.warnings.iter().cloned());
        vec![self.file.clone(), if self.passed { "passes" } else { "FAILS" }.to_owned(), says.join(", ")]
    }
}

/// Images in one row of a sheet.
type Row = Vec<Picture>;

/// A contact sheet.
struct Sheet {
    file: String,
    title: String,
    rows: Vec<Row>,
}

#[derive(Debug, Serialize)]
struct Report {
    bench: &'static str,
    machine: Machine,
    seed: u64,
    /// Number of designed pages, rendered or not.
    pages: usize,
    /// Number of these pages that fail a hard measure.
    hard_gate_breaks: usize,
    /// Number of requests that produced no page.
    undeliverable: usize,
    /// Number of random trees that were refused because they don't fit.
    trees_refused: usize,
    /// Number of random trees that were refused because a rendered text fails a hard measure.
    trees_missed: usize,
    /// Milliseconds to design a page, including all candidates.
    plan_ms_per_page: f64,
    pictures: Vec<Picture>,
}

/// A design request.
#[derive(Clone, Copy)]
struct Wish<'a> {
    document: &'a Document,
    style: Style,
    seed: u64,
    brand: Option<&'a Brand>,
}

/// The gallery's renderer and its records.
struct Studio<'a> {
    out: &'a Path,
    full: bool,
    seed: u64,
    renderer: Renderer,
    pages: usize,
    breaks: usize,
    undeliverable: usize,
    planned: (usize, Duration),
}

impl Studio<'_> {
    /// Renders the pages of a row and writes their files.
    fn row(&mut self, prefix: &str, pages: &[Page]) -> Result<Row> {
        pages.iter().enumerate().map(|(n, page)| self.picture(prefix, n, page)).collect()
    }

    fn picture(&mut self, prefix: &str, nth: usize, page: &Page) -> Result<Picture> {
        let composed = compose(page, self.renderer.fonts());
        let (width, height) = page.format.format().size(Resolution::TwoK);
        let canvas = if self.full {
            Canvas::new(width, height)
        } else {
            // The long edge of a leaderboard is over the limit where its short edge has 1080 pixels.
            let size = composed.scene.size;
            let scale = (EDGE_PX as f32 / size.w.max(size.h)).min(1.0);
            Canvas::new((size.w * scale).round() as u32, (size.h * scale).round() as u32)
        };
        let drawn = self.renderer.draw(&composed.scene, canvas)?;
        let quality = inspect(&composed.scene, page, Some(&self.renderer.backdrop(&composed.scene)?));
        self.pages += 1;
        self.breaks += usize::from(!quality.passed);
        let file = format!("{prefix}-{:02}-{}.png", nth + 1, page.template.name());
        let path = self.out.join(&file);
        fs::write(&path, encode(&drawn, ImageFormat::Png)?).with_context(|| format!("writing {}", path.display()))?;
        Ok(Picture {
            file,
            style: page.style.name(),
            format: page.format.to_string(),
            template: page.template.name(),
            width: canvas.width,
            height: canvas.height,
            passed: quality.passed,
            misses: misses(&quality),
            warnings: composed.warnings.iter().map(|w| w.message.clone()).collect(),
            alt_text: page.alt_text.clone(),
            small: thumbnail(&drawn, sheets::small_edge(canvas.width, canvas.height)),
        })
    }

    /// Measures pages without rendering them.
    fn measure(&mut self, pages: &[Page]) -> Result<()> {
        for page in pages {
            let scene = compose(page, self.renderer.fonts()).scene;
            let quality = inspect(&scene, page, Some(&self.renderer.backdrop(&scene)?));
            self.pages += 1;
            self.breaks += usize::from(!quality.passed);
            if !quality.passed {
                println!("{} {} {}: {:?}", page.style.name(), page.format, page.template.name(), misses(&quality));
            }
        }
        Ok(())
    }

    /// Returns the pages of a request without a brand.
    fn design(
        &mut self,
        document: &Document,
        style: Style,
        format: &'static Format,
        slides: Option<u32>,
        seed: u64,
    ) -> Vec<Page> {
        self.wish(&Wish { document, style, seed, brand: None }, format, slides)
    }

    /// Returns the pages of a request, or none with a message if it can't be designed.
    fn wish(&mut self, wish: &Wish<'_>, format: &'static Format, slides: Option<u32>) -> Vec<Page> {
        let Wish { document, style, seed, brand } = *wish;
        let formats = vec![(format.id, slides)];
        let request = PlanRequest { brand, ..PlanRequest::of(document, formats, style, seed) };
        let began = Instant::now();
        let planned = plan(&request, self.renderer.fonts());
        match planned {
            Ok(plan) => {
                self.planned.0 += plan.pages.len();
                self.planned.1 += began.elapsed();
                plan.pages
            }
            // A text without content, or with too little for its slides, is rightly refused.
            Err(PlanError::NoContent | PlanError::TooLittle { .. }) => Vec::new(),
            Err(error) => {
                println!("{} in {}: {error}", style.name(), format.id);
                self.undeliverable += 1;
                Vec::new()
            }
        }
    }
}

fn misses(quality: &Quality) -> Vec<(String, f32, f32)> {
    quality.checks.iter().filter(|c| !c.passed).map(|c| (c.name.clone(), c.value, c.gate)).collect()
}

pub fn run(args: &Args) -> Result<()> {
    fs::create_dir_all(&args.out).with_context(|| format!("making {}", args.out.display()))?;
    let styles =
        args.styles.iter().map(|name| Style::by_name(name).with_context(|| format!("there is no style {name:?}")));
    let styles: Vec<Style> = styles.collect::<Result<_>>()?;
    let mut studio = Studio {
        out: &args.out,
        full: args.full,
        seed: args.seed,
        renderer: Renderer::cpu(Fonts::new(), 1),
        pages: 0,
        breaks: 0,
        undeliverable: 0,
        planned: (0, Duration::ZERO),
    };
    let mut drawn: Vec<Sheet> = Vec::new();
    for part in &args.parts {
        drawn.extend(part.draw(&mut studio, &styles)?);
    }
    for sheet in &drawn {
        fs::write(args.out.join(&sheet.file), encode(&sheets::sheet(&sheet.rows), ImageFormat::Png)?)?;
    }
    fs::write(args.out.join("index.html"), sheets::index(&drawn))?;
    chance::measure(&mut studio, &styles, args.random)?;
    let [trees_refused, trees_missed] = chance::trees(&mut studio, &styles, args.trees)?;
    let (planned, took) = studio.planned;
    let report = Report {
        bench: "gallery",
        machine: Machine::this(),
        seed: args.seed,
        pages: studio.pages,
        hard_gate_breaks: studio.breaks,
        undeliverable: studio.undeliverable,
        trees_refused,
        trees_missed,
        plan_ms_per_page: took.as_secs_f64() * 1e3 / planned.max(1) as f64,
        pictures: drawn.into_iter().flat_map(|sheet| sheet.rows).flatten().collect(),
    };
    report.print(&args.out);
    if args.json {
        println!("{}", serde_json::to_string(&report)?);
    }
    Ok(())
}

impl Report {
    fn print(&self, out: &Path) {
        println!("{}", self.machine.describe());
        let speaks = |p: &&Picture| !p.passed || !p.warnings.is_empty();
        let rows: Vec<Vec<String>> = self.pictures.iter().filter(speaks).map(Picture::remarks).collect();
        if !rows.is_empty() {
            table::print(&["picture", "", "measures missed: value (gate)"], &rows);
            println!();
        }
        println!(
            "{} pages, {} break a hard measure, {} requests undeliverable, {} trees don't fit, {} are refused once drawn; designing took {:.2} ms a page; pictures in {}",
            self.pages,
            self.hard_gate_breaks,
            self.undeliverable,
            self.trees_refused,
            self.trees_missed,
            self.plan_ms_per_page,
            out.join("index.html").display()
        );
    }
}
