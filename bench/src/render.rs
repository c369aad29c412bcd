//! Times the stages of a page on one core, and pages per second on one core and on all.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, anyhow, bail};
use render_core::compose::compose;
use render_core::content::read_text;
use render_core::design::Style;
use render_core::encode::{ImageFormat, encode};
use render_core::format::{Format, Resolution};
use render_core::inspect::inspect;
use render_core::plan::{PlanRequest, plan};
use render_core::scene::Canvas;
use render_core::text::Fonts;
use serde::Serialize;
use worker::renderer::Renderer;

use crate::machine::{self, Machine};
use crate::table::{self, Figure};

/// The timed stages, in order.
const STAGES: [&str; 8] = ["read", "plan", "compose", "raster", "inspect", "encode", "thumbnail", "total"];

/// The article that all renders use by default.
pub const ARTICLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/article.md");

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Formats, by id; a carousel has --slides slides.
    #[arg(long, value_delimiter = ',', default_values = ["instagram_post", "instagram_story", "twitter_post", "linkedin_carousel_portrait"])]
    formats: Vec<String>,
    /// Slides of a carousel.
    #[arg(long, default_value_t = 5)]
    slides: u32,
    /// Resolutions.
    #[arg(long, value_delimiter = ',', default_values = ["2K", "4K"])]
    resolutions: Vec<String>,
    /// Style.
    #[arg(long, default_value = "modern")]
    style: String,
    /// Format of the image files: png, jpeg, webp.
    #[arg(long, default_value = "png")]
    image_format: String,
    /// Text to render.
    #[arg(long, default_value = ARTICLE)]
    content: PathBuf,
    /// Timed runs.
    #[arg(long, default_value_t = 20)]
    iterations: usize,
    /// Warm-up runs.
    #[arg(long, default_value_t = 3)]
    warmup: usize,
    /// Seconds for which all cores render.
    #[arg(long, default_value_t = 3.0)]
    seconds: f64,
    /// Rendering device: cpu, or a device by number or name, as for the service.
    #[arg(long, default_value = "cpu")]
    device: String,
    /// Prints the result as one line of JSON at the end.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    format: String,
    resolution: &'static str,
    width: u32,
    height: u32,
    pages: usize,
    bytes_per_image: usize,
    one_core: Vec<Figure>,
    images_per_second_one_core: f64,
    images_per_second_all_cores: f64,
    /// Peak memory of the whole process, including everything above.
    peak_mib: f64,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Report {
    bench: &'static str,
    machine: Machine,
    warmup: usize,
    iterations: usize,
    style: String,
    image_format: String,
    /// The rendering devices, the fallback CPU last.
    device: String,
    rows: Vec<Row>,
}

/// One format at one resolution.
struct Subject<'a> {
    text: &'a str,
    format: &'static Format,
    slides: Option<u32>,
    style: Style,
    canvas: Canvas,
    image: ImageFormat,
    renderer: &'a Renderer,
}

/// The result of one run.
struct Made {
    /// Milliseconds per page, as in [`STAGES`].
    ms: [f64; STAGES.len()],
    pages: usize,
    bytes: usize,
}

impl Subject<'_> {
    /// Runs everything from a text to the bytes of its images.
    fn make(&self) -> Result<Made> {
        let mut ms = [0.0; STAGES.len()];
        let mut clock = Clock(Instant::now());
        let document = read_text(self.text)?;
        ms[0] = clock.lap();
        let formats = vec![(self.format.id, self.slides)];
        let request = PlanRequest::of(&document, formats, self.style, 7);
        let plan = plan(&request, self.renderer.fonts())?;
        ms[1] = clock.lap();
        let mut bytes = 0;
        for page in &plan.pages {
            let composed = compose(page, self.renderer.fonts());
            ms[2] += clock.lap();
            let drawn = self.renderer.draw(&composed.scene, self.canvas)?;
            ms[3] += clock.lap();
            let backdrop = self.renderer.backdrop(&composed.scene)?;
            std::hint::black_box(inspect(&composed.scene, page, Some(&backdrop)));
            ms[4] += clock.lap();
            bytes += encode(&drawn, self.image)?.len();
            ms[5] += clock.lap();
            let small = self.renderer.thumbnail(&composed.scene, self.canvas)?;
            std::hint::black_box(encode(&small, self.image)?);
            ms[6] += clock.lap();
        }
        let pages = plan.pages.len();
        if pages == 0 {
            bail!("{} has no pages", self.format.id);
        }
        ms[7] = ms.iter().sum();
        Ok(Made { ms: ms.map(|v| v / pages as f64), pages, bytes: bytes / pages })
    }

    fn measure(&self, args: &Args, resolution: Resolution) -> Result<Row> {
        machine::forget_peak();
        let one = pool(1)?;
        let runs: Vec<Made> = one.install(|| {
            for _ in 0..args.warmup {
                self.make()?;
            }
            (0..args.iterations.max(1)).map(|_| self.make()).collect::<Result<_>>()
        })?;
        let figures: Vec<Figure> = STAGES
            .iter()
            .enumerate()
            .map(|(at, stage)| {
                let samples: Vec<f64> = runs.iter().map(|run| run.ms[at]).collect();
                Figure::of(stage, &samples)
            })
            .collect();
        let all = self.on_all_cores(Duration::from_secs_f64(args.seconds))?;
        Ok(Row {
            format: self.format.id.to_string(),
            resolution: resolution.name(),
            width: self.canvas.width,
            height: self.canvas.height,
            pages: runs[0].pages,
            bytes_per_image: runs[0].bytes,
            images_per_second_one_core: 1_000.0 / figures[STAGES.len() - 1].median_ms,
            images_per_second_all_cores: all,
            peak_mib: machine::memory(None).map_or(0.0, |m| m.peak_mib),
            one_core: figures,
        })
    }

    /// Returns the images per second with one loop per core on one shared pool, as in a worker.
    fn on_all_cores(&self, time: Duration) -> Result<f64> {
        let pool = pool(machine::cores())?;
        let started = Instant::now();
        let loops = machine::cores();
        let made: Result<Vec<usize>> = std::thread::scope(|scope| {
            let running: Vec<_> = (0..loops)
                .map(|_| {
                    scope.spawn(|| {
                        let mut images = 0;
                        while started.elapsed() < time {
                            images += pool.install(|| self.make())?.pages;
                        }
                        Ok(images)
                    })
                })
                .collect();
            let joined = running.into_iter().map(|loop_| loop_.join().map_err(|_| anyhow!("a loop panicked"))?);
            joined.collect()
        });
        Ok(made?.iter().sum::<usize>() as f64 / started.elapsed().as_secs_f64())
    }
}

struct Clock(Instant);

impl Clock {
    /// Milliseconds since the last lap.
    fn lap(&mut self) -> f64 {
        let now = Instant::now();
        let lap = now - std::mem::replace(&mut self.0, now);
        lap.as_secs_f64() * 1_000.0
    }
}

fn pool(threads: usize) -> Result<rayon::ThreadPool> {
    Ok(rayon::ThreadPoolBuilder::new().num_threads(threads).build()?)
}

/// Reads the text in a file.
pub fn text(path: &std::path::Path) -> Result<String> {
    std::fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))
}

/// Returns a format of the catalogue.
pub fn format(id: &str) -> Result<&'static Format> {
    Format::by_id(id).with_context(|| format!("there is no format {id:?}"))
}

pub fn run(args: &Args) -> Result<()> {
    let machine = Machine::this();
    let text = text(&args.content)?;
    let style = Style::by_name(&args.style).with_context(|| format!("there is no style {:?}", args.style))?;
    let image = ImageFormat::from_name(&args.image_format)
        .with_context(|| format!("there is no image format {:?}", args.image_format))?;
    let renderer = Renderer::open(&args.device.parse()?, Fonts::new(), machine.cores)?;
    let (mut rows, mut failures) = (Vec::new(), Vec::new());
    for id in &args.formats {
        let format = format(id)?;
        for name in &args.resolutions {
            let resolution = Resolution::by_name(name).with_context(|| format!("there is no resolution {name:?}"))?;
            let (width, height) = format.size(resolution);
            let subject = Subject {
                text: &text,
                format,
                slides: format.carousel.then_some(args.slides),
                style,
                canvas: Canvas::new(width, height),
                image,
                renderer: &renderer,
            };
            match subject.measure(args, resolution) {
                Ok(row) => rows.push(row),
                // The results of the other formats are still useful.
                Err(error) => failures.push(format!("{id} at {name}: {error:#}")),
            }
        }
    }
    let report = Report {
        bench: "render",
        machine,
        warmup: args.warmup,
        iterations: args.iterations,
        style: style.name().to_owned(),
        image_format: args.image_format.clone(),
        device: renderer.devices().join(", else "),
        rows,
    };
    report.print();
    if args.json {
        println!("{}", serde_json::to_string(&report)?);
    }
    if !failures.is_empty() {
        bail!("some rows failed: {}", failures.join("; "));
    }
    Ok(())
}

impl Report {
    fn print(&self) {
        println!("{}", self.machine.describe());
        println!("drawn by {}", self.device);
        println!(
            "{} runs after {} to warm up; {}, {}; ms a page on one core, median / p95",
            self.iterations, self.warmup, self.style, self.image_format
        );
        println!();
        let heads: Vec<&str> =
            ["format", "pixels"].into_iter().chain(STAGES).chain(["img/s 1", "img/s all", "KB", "peak MiB"]).collect();
        let rows: Vec<Vec<String>> = self
            .rows
            .iter()
            .map(|row| {
                let pages = if row.pages > 1 { format!(" ×{}", row.pages) } else { String::new() };
                let mut cells = vec![format!("{}{pages}", row.format), format!("{}×{}", row.width, row.height)];
                cells.extend(row.one_core.iter().map(|f| format!("{:.1} / {:.1}", f.median_ms, f.p95_ms)));
                cells.push(format!("{:.1}", row.images_per_second_one_core));
                cells.push(format!("{:.1}", row.images_per_second_all_cores));
                cells.push(format!("{:.0}", row.bytes_per_image as f64 / 1_000.0));
                cells.push(format!("{:.0}", row.peak_mib));
                cells
            })
            .collect();
        table::print(&heads, &rows);
    }
}
