//! One fixed slide from strings to PNG bytes: with Vivid, and with other renderers in the same run. Prints a table and,
//! with `--json`, one JSON object as its last line.
#![allow(clippy::print_stdout, reason = "printing its findings is what this program does")]

mod chromium;
mod look;
#[path = "../../src/machine.rs"]
#[allow(dead_code, reason = "it is the bench's, which also measures memory")]
mod machine;
mod report;
mod resvg;
mod slide;
#[path = "../../src/table.rs"]
#[allow(dead_code, reason = "it is the bench's, which also prints the times of stages")]
mod table;
mod takumi;
mod timing;
mod vivid;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use clap::Parser;
use render_core::text::Fonts;

use crate::chromium::Chromium;
use crate::look::{Difference, Small};
use crate::machine::Machine;
use crate::report::{Report, Row, Stages};
use crate::resvg::Resvg;
use crate::slide::{Face, Slide, Text};
use crate::takumi::Takumi;
use crate::timing::{Entrant, Slides};
use crate::vivid::Vivid;

/// The service's allocator, so that Vivid takes as long as in the service.
#[global_allocator]
static ALLOCATOR: worker::allocator::Allocator = worker::allocator::Allocator;

/// Maximum number of images in flight.
const LANES: usize = 2;

/// Times one slide from strings to PNG with Vivid and with other renderers, and checks that the images agree.
#[derive(Debug, Parser)]
#[command(name = "peers")]
struct Args {
    /// The renderers to compare with; chromium is skipped if it is not installed.
    #[arg(long, value_delimiter = ',', default_values = ["takumi", "resvg", "chromium"])]
    peers: Vec<String>,
    /// Widths in pixels; the height is 5/4 of the width.
    #[arg(long, value_delimiter = ',', default_values = ["2048", "4096"], value_parser = clap::value_parser!(u32).range(256..=4096))]
    widths: Vec<u32>,
    /// The browser's binary; by default, the first that is found.
    #[arg(long)]
    chromium: Option<String>,
    /// Threads of the pool that Vivid and takumi share; by default, one per core.
    #[arg(long)]
    threads: Option<usize>,
    /// Seconds for each renderer, size and number of images in flight.
    #[arg(long, default_value_t = 2.0)]
    seconds: f64,
    /// Rounds; each renderer has one turn in each round.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..))]
    rounds: u16,
    /// Folder for each renderer's image of one slide.
    #[arg(long)]
    pictures: Option<PathBuf>,
    /// File for the report as JSON.
    #[arg(long)]
    output: Option<PathBuf>,
    /// Prints the result as one line of JSON at the end.
    #[arg(long)]
    json: bool,
}

/// A renderer of the slide.
pub trait Peer: Sync {
    /// Returns its name in the report.
    fn name(&self) -> &'static str;

    /// Returns its version in the report.
    fn version(&self) -> String;

    /// Returns the PNG of a slide at `size` pixels. A renderer may keep only faces and glyphs between calls. `lane` is
    /// below [`LANES`], and no two calls with the same lane run at the same time.
    fn png(&self, slide: &Slide, size: (u32, u32), lane: usize) -> Result<Vec<u8>>;
}

/// Positions of text boxes in CSS for which the first baseline is where the slide specifies it.
pub struct Css {
    /// Ascent and descent of each face in the order of [`Face::ALL`], in em, both positive.
    faces: [(f32, f32); 2],
}

impl Css {
    fn new(fonts: &Fonts) -> Self {
        Self {
            faces: Face::ALL.map(|face| {
                let m = fonts.metrics(face.id(fonts));
                (m.ascent, -m.descent)
            }),
        }
    }

    /// Returns the top in pixels. The line is higher than its face, and half of that excess lies above the face's
    /// ascent. Blink rounds a face's metrics to whole pixels.
    fn top(&self, text: &Text, px: f32) -> f32 {
        let (ascent, descent) = self.faces[text.face as usize];
        let [ascent, descent] = [ascent, descent].map(|v| (v * text.size * px).round());
        text.baseline * px - ((text.step * px - ascent - descent) / 2.0 + ascent)
    }
}

/// Returns the version of a crate in this build.
fn locked(name: &str) -> String {
    let lock = include_str!("../Cargo.lock");
    let package = lock.split("[[package]]").find(|p| p.trim_start().starts_with(&format!("name = \"{name}\"\n")));
    let version = package.and_then(|p| p.lines().find_map(|l| l.strip_prefix("version = ")));
    version.unwrap_or("unknown").trim_matches('"').to_owned()
}

fn main() -> Result<()> {
    run(&Args::parse())
}

fn run(args: &Args) -> Result<()> {
    let machine = Machine::this();
    let threads = args.threads.unwrap_or_else(machine::cores);
    rayon::ThreadPoolBuilder::new().num_threads(threads).build_global()?;
    let fonts = Fonts::new();
    let [ours, dithered] = [false, true].map(|dithered| Vivid::new(fonts.clone(), LANES, dithered));
    let others = others(args, &fonts)?;
    let mut entrants = vec![Entrant { peer: &ours, dithered: false }, Entrant { peer: &dithered, dithered: true }];
    entrants.extend(others.iter().map(|(peer, dithered)| Entrant { peer: peer.as_ref(), dithered: *dithered }));

    let slides = Slides::default();
    let (mut rows, mut stages) = (Vec::new(), Vec::new());
    for width in &args.widths {
        let size = (*width, width * 5 / 4);
        let first = slides.next();
        for entrant in &entrants {
            let png = entrant.peer.png(&Slide::new(first, &fonts), size, 0)?;
            if let Some(folder) = &args.pictures {
                keep(folder, entrant, size, &png)?;
            }
        }
        let samples = timing::measure(&entrants, size, (args.rounds.into(), args.seconds), &slides, &fonts)?;
        for (entrant, samples) in entrants.iter().zip(&samples) {
            let (n, png) = samples.last.as_ref().context("nothing was timed")?;
            // Checks the last image instead of the first, so that state kept between images is tested too.
            let own = ours.png(&Slide::new(*n, &fonts), size, 0)?;
            let difference =
                difference(&own, png, size).with_context(|| format!("{}'s picture", entrant.peer.name()))?;
            if let Some(folder) = args.pictures.as_ref().filter(|_| !difference.is_small()) {
                keep(&folder.join("apart"), entrant, size, png)?;
                keep(&folder.join(format!("apart-from-{}", entrant.peer.name())), &entrants[0], size, &own)?;
            }
            rows.push(Row::new(entrant, size, samples, difference));
        }
        for (vivid, dithered) in [(&ours, false), (&dithered, true)] {
            stages.push(Stages { dithered, ..time_stages(vivid, size, args.seconds, &slides, &fonts)? });
        }
    }
    let report = Report::new(machine, threads, args, rows, stages);
    report.print();
    if let Some(path) = &args.output {
        let text = serde_json::to_string_pretty(&report)? + "\n";
        std::fs::write(path, text).with_context(|| format!("writing {}", path.display()))?;
    }
    if args.json {
        println!("{}", serde_json::to_string(&report)?);
    }
    let other: Vec<String> = report.rows.iter().filter(|row| !row.same_picture).map(Row::label).collect();
    if !other.is_empty() {
        bail!("another picture than Vivid's: {}", other.join(", "));
    }
    Ok(())
}

/// Returns all requested and available renderers; dithered if the second argument says so.
fn others(args: &Args, fonts: &Fonts) -> Result<Vec<(Box<dyn Peer>, bool)>> {
    let mut others: Vec<(Box<dyn Peer>, bool)> = Vec::new();
    for name in &args.peers {
        match name.as_str() {
            "takumi" => {
                for dithered in [false, true] {
                    others.push((Box::new(Takumi::new(fonts, dithered)?), dithered));
                }
            }
            "resvg" => others.push((Box::new(Resvg::new(fonts)), false)),
            "chromium" => match args.chromium.as_deref().or_else(|| chromium::installed()) {
                Some(binary) => {
                    // Chromium always dithers gradients.
                    others.push((Box::new(Chromium::start(binary, fonts, LANES)?), true));
                }
                None => println!("no Chromium is installed: it is left out"),
            },
            _ => bail!("there is no peer {name:?}: takumi, resvg, chromium"),
        }
    }
    Ok(others)
}

/// Returns the difference between two images of one slide.
fn difference(ours: &[u8], theirs: &[u8], size: (u32, u32)) -> Result<Difference> {
    Ok(Small::of(ours, size)?.difference(&Small::of(theirs, size)?))
}

fn keep(folder: &Path, entrant: &Entrant<'_>, (width, height): (u32, u32), png: &[u8]) -> Result<()> {
    std::fs::create_dir_all(folder)?;
    let dithered = if entrant.dithered { "-dithered" } else { "" };
    let path = folder.join(format!("{}{dithered}-{width}x{height}.png", entrant.peer.name()));
    std::fs::write(&path, png).with_context(|| format!("writing {}", path.display()))
}

/// Returns the medians of Vivid's stages, with one image in flight on all threads.
fn time_stages(ours: &Vivid, size: (u32, u32), seconds: f64, slides: &Slides, fonts: &Fonts) -> Result<Stages> {
    let mut samples = Vec::new();
    let begun = Instant::now();
    ours.timed(&Slide::new(slides.next(), fonts), size)?;
    while samples.is_empty() || begun.elapsed() < Duration::from_secs_f64(seconds) {
        samples.push(ours.timed(&Slide::new(slides.next(), fonts), size)?.1);
    }
    let median = |stage: usize| table::quantile(&samples.iter().map(|ms| ms[stage]).collect::<Vec<_>>(), 0.5);
    Ok(Stages {
        width: size.0,
        height: size.1,
        dithered: false,
        compose_ms: median(0),
        raster_ms: median(1),
        encode_ms: median(2),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_those_of_the_lock_file() {
        assert!(locked("takumi").starts_with("2."), "{}", locked("takumi"));
        assert_eq!(locked("no such crate"), "unknown");
    }

    #[test]
    fn everyone_shows_the_same_slide() {
        let fonts = Fonts::new();
        let ours = Vivid::new(fonts.clone(), 1, false);
        let size = (2048, 2560);
        let others: [Box<dyn Peer>; 2] = [Box::new(Takumi::new(&fonts, false).unwrap()), Box::new(Resvg::new(&fonts))];
        for peer in others {
            for n in 0..8 {
                let [own, next] = [n, n + 1].map(|n| ours.png(&Slide::new(n, &fonts), size, 0).unwrap());
                let png = peer.png(&Slide::new(n, &fonts), size, 0).unwrap();
                let same = difference(&own, &png, size).unwrap();
                assert!(same.is_small(), "{} {n} {same:?}", peer.name());
                // Consecutive slides differ in some digits and words.
                let next = difference(&next, &png, size).unwrap();
                assert!(!next.is_small(), "{} {n} {next:?}", peer.name());
            }
        }
    }
}
