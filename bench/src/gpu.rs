//! Finds the bottleneck of a graphics device: times the stages of a page on it, alone and with several pages in flight.
//! Also measures the throughput of the CPU for comparison.

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, anyhow};
use render_core::compose::compose;
use render_core::design::Style;
use render_core::encode::{ImageFormat, encode};
use render_core::format::{Format, Resolution};
use render_core::plan::specimens::specimens;
use render_core::raster::cpu::CpuRasteriser;
use render_core::raster::gpu::{GpuRasteriser, Passed, Selector, open};
use render_core::raster::{Pixmap, Rasteriser};
use render_core::scene::{Canvas, Scene};
use render_core::text::Fonts;
use serde::Serialize;

use crate::machine::{self, Machine};
use crate::table::{self, Figure};

/// The stages of a page on a device.
const STAGES: [&str; 5] = ["prepare", "upload", "raster", "copy", "encode"];

#[derive(Debug, clap::Args)]
pub struct Args {
    /// The device: any, hardware, a number or a part of its name.
    #[arg(long, default_value = "any")]
    device: String,
    /// Formats, by id.
    #[arg(long, value_delimiter = ',', default_values = ["instagram_post"])]
    formats: Vec<String>,
    /// Resolutions.
    #[arg(long, value_delimiter = ',', default_values = ["2K", "4K"])]
    resolutions: Vec<String>,
    /// Style of the pages, one page of each template.
    #[arg(long, default_value = "modern")]
    style: String,
    /// Numbers of pages in flight, with one loop each.
    #[arg(long, value_delimiter = ',', default_values = ["1", "2", "4", "8", "16"])]
    in_flight: Vec<usize>,
    /// Seconds of each measurement.
    #[arg(long, default_value_t = 2.0)]
    seconds: f64,
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
    in_flight: usize,
    /// Milliseconds per page, with the other pages in flight.
    stages: Vec<Figure>,
    /// Throughput on the device, including read-back and PNG.
    images_per_second: f64,
    /// Throughput with the CPU rasteriser instead.
    images_per_second_cpu: f64,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Report {
    bench: &'static str,
    machine: Machine,
    device: String,
    style: String,
    rows: Vec<Row>,
}

/// Pages that are rendered repeatedly.
struct Subject<'a> {
    scenes: &'a [Scene],
    canvas: Canvas,
    fonts: &'a Fonts,
    seconds: Duration,
}

/// The measurements of one loop: the milliseconds of each stage of each page.
type Laps = Vec<[f64; STAGES.len()]>;

impl Subject<'_> {
    /// Renders and encodes with a number of loops; `draw` returns the times of its own stages.
    fn flow(
        &self,
        in_flight: usize,
        draw: &(dyn Fn(&Scene, &mut Pixmap) -> Result<[f64; STAGES.len() - 1]> + Sync),
    ) -> Result<(Laps, f64)> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(machine::cores()).build()?;
        let work = |lane: usize, until: Option<Instant>| -> Result<Laps> {
            let mut pixels = Pixmap { width: 0, height: 0, data: Vec::new() };
            let mut laps = Vec::new();
            for scene in self.scenes.iter().cycle().skip(lane) {
                // Without a time limit, renders each page once, as a warm-up.
                if until.map_or(laps.len() == self.scenes.len(), |end| Instant::now() >= end) {
                    break;
                }
                let drawn = pool.install(|| draw(scene, &mut pixels))?;
                let started = Instant::now();
                std::hint::black_box(pool.install(|| encode(&pixels, ImageFormat::Png))?);
                let [a, b, c, d] = drawn;
                laps.push([a, b, c, d, ms(started.elapsed())]);
            }
            Ok(laps)
        };
        work(0, None)?;
        let started = Instant::now();
        let until = Some(started + self.seconds);
        let work = &work;
        let done: Result<Vec<Laps>> = std::thread::scope(|scope| {
            let loops: Vec<_> = (0..in_flight).map(|lane| scope.spawn(move || work(lane, until))).collect();
            loops.into_iter().map(|running| running.join().map_err(|_| anyhow!("a loop panicked"))?).collect()
        });
        let elapsed = started.elapsed().as_secs_f64();
        let laps: Laps = done?.into_iter().flatten().collect();
        let rate = laps.len() as f64 / elapsed;
        Ok((laps, rate))
    }

    fn on_device(&self, gpu: &GpuRasteriser, in_flight: usize) -> Result<(Laps, f64)> {
        self.flow(in_flight, &|scene, pixels| {
            let mut laps = [0.0; STAGES.len() - 1];
            let mut last = Instant::now();
            gpu.draw_watched(scene, self.canvas, self.fonts, pixels, &mut |passed| {
                let now = Instant::now();
                let stage = match passed {
                    Passed::Prepared => 0,
                    Passed::Submitted => 1,
                    Passed::Drawn => 2,
                    Passed::Copied => 3,
                };
                laps[stage] += ms(now - std::mem::replace(&mut last, now));
            })?;
            Ok(laps)
        })
    }

    fn on_cpu(&self, cpu: &CpuRasteriser, in_flight: usize) -> Result<f64> {
        let (_, rate) = self.flow(in_flight, &|scene, pixels| {
            cpu.draw(scene, self.canvas, self.fonts, pixels)?;
            Ok([0.0; STAGES.len() - 1])
        })?;
        Ok(rate)
    }
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}

pub fn run(args: &Args) -> Result<()> {
    let style = Style::by_name(&args.style).with_context(|| format!("there is no style {:?}", args.style))?;
    let Ok(selector) = args.device.parse::<Selector>();
    let gpu = open(selector).with_context(|| format!("opening the device {:?}", args.device))?;
    let (cpu, fonts) = (CpuRasteriser::new(), Fonts::new());
    let mut rows = Vec::new();
    for id in &args.formats {
        let format = Format::by_id(id).with_context(|| format!("there is no format {id:?}"))?;
        let scenes: Vec<Scene> =
            specimens(style, format.id, 7, &fonts).iter().map(|page| compose(page, &fonts).scene).collect();
        for name in &args.resolutions {
            let resolution = Resolution::by_name(name).with_context(|| format!("there is no resolution {name:?}"))?;
            let (width, height) = format.size(resolution);
            let subject = Subject {
                scenes: &scenes,
                canvas: Canvas::new(width, height),
                fonts: &fonts,
                seconds: Duration::from_secs_f64(args.seconds),
            };
            for in_flight in args.in_flight.iter().copied().filter(|n| *n > 0) {
                let (laps, images_per_second) = subject.on_device(&gpu, in_flight)?;
                let stages = STAGES.iter().enumerate().map(|(at, stage)| {
                    let samples: Vec<f64> = laps.iter().map(|lap| lap[at]).collect();
                    Figure::of(stage, &samples)
                });
                rows.push(Row {
                    format: id.clone(),
                    resolution: resolution.name(),
                    width,
                    height,
                    in_flight,
                    stages: stages.collect(),
                    images_per_second,
                    images_per_second_cpu: subject.on_cpu(&cpu, in_flight)?,
                });
            }
        }
    }
    let device = gpu.adapter();
    let report = Report {
        bench: "gpu",
        machine: Machine::this(),
        device: format!("{} ({}, {:?})", device.name, device.backend, device.kind),
        style: style.name().to_owned(),
        rows,
    };
    report.print();
    if args.json {
        println!("{}", serde_json::to_string(&report)?);
    }
    Ok(())
}

impl Report {
    fn print(&self) {
        println!("{}", self.machine.describe());
        println!("drawn by {}; ms a page, median / p95; PNG encoded on the CPU", self.device);
        println!();
        let heads: Vec<&str> =
            ["format", "pixels", "in flight"].into_iter().chain(STAGES).chain(["img/s", "img/s cpu"]).collect();
        let rows: Vec<Vec<String>> = self
            .rows
            .iter()
            .map(|row| {
                let mut cells =
                    vec![row.format.clone(), format!("{}×{}", row.width, row.height), row.in_flight.to_string()];
                cells.extend(row.stages.iter().map(|s| format!("{:.2} / {:.2}", s.median_ms, s.p95_ms)));
                cells.extend([row.images_per_second, row.images_per_second_cpu].map(|rate| format!("{rate:.1}")));
                cells
            })
            .collect();
        table::print(&heads, &rows);
    }
}
