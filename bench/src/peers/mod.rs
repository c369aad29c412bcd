//! One agreed slide from strings to PNG bytes: through Vivid, and through other renderers in the same run.

mod chromium;
mod look;
mod report;
mod resvg;
mod slide;
mod takumi;
mod timing;
mod vivid;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use render_core::text::Fonts;

use self::chromium::Chromium;
use self::look::{Difference, Small};
use self::report::{Report, Row, Stages};
use self::resvg::Resvg;
use self::slide::{Face, Slide, Text};
use self::takumi::Takumi;
use self::timing::{Entrant, Slides};
use self::vivid::Vivid;
use crate::machine::{self, Machine};
use crate::table;

/// Pictures in flight at the most.
const LANES: usize = 2;

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Whom to measure beside Vivid; chromium is left out where none is installed.
    #[arg(long, value_delimiter = ',', default_values = ["takumi", "resvg", "chromium"])]
    peers: Vec<String>,
    /// Widths in pixels; the height is five quarters of it.
    #[arg(long, value_delimiter = ',', default_values = ["2048", "4096"], value_parser = clap::value_parser!(u32).range(256..=4096))]
    widths: Vec<u32>,
    /// The browser's binary; else the first that is found.
    #[arg(long)]
    chromium: Option<String>,
    /// Threads of the pool that Vivid and takumi share; one a core unless told otherwise.
    #[arg(long)]
    threads: Option<usize>,
    /// Seconds for each renderer, size and number in flight.
    #[arg(long, default_value_t = 2.0)]
    seconds: f64,
    /// Rounds in which everyone has a turn.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..))]
    rounds: u16,
    /// Writes everyone's picture of one slide to this folder.
    #[arg(long)]
    pictures: Option<PathBuf>,
    /// Writes the report as JSON to this file.
    #[arg(long)]
    output: Option<PathBuf>,
    /// Ends with one line of JSON.
    #[arg(long)]
    json: bool,
}

/// A renderer of the slide.
pub trait Peer: Sync {
    fn name(&self) -> &'static str;

    fn version(&self) -> String;

    /// The PNG of a slide at `size` pixels. Only faces and glyphs may be kept from one call to the next. `lane` is below
    /// [`LANES`], and no other call of the same lane runs at the same time.
    fn png(&self, slide: &Slide, size: (u32, u32), lane: usize) -> Result<Vec<u8>>;
}

/// Where CSS puts a text's box so that its first baseline lies where the slide says.
pub struct Css {
    /// Ascent and descent of each face as [`Face::ALL`] has them, in em, both positive.
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

    /// The top in pixels: the baseline lies half of what the line is higher than its face below that face's ascent, and
    /// Blink rounds a face's measures to whole pixels.
    fn top(&self, text: &Text, px: f32) -> f32 {
        let (ascent, descent) = self.faces[text.face as usize];
        let [ascent, descent] = [ascent, descent].map(|v| (v * text.size * px).round());
        text.baseline * px - ((text.step * px - ascent - descent) / 2.0 + ascent)
    }
}

/// The version of a crate that this was built with.
fn locked(name: &str) -> String {
    let lock = include_str!("../../../Cargo.lock");
    let package = lock.split("[[package]]").find(|p| p.trim_start().starts_with(&format!("name = \"{name}\"\n")));
    let version = package.and_then(|p| p.lines().find_map(|l| l.strip_prefix("version = ")));
    version.unwrap_or("unknown").trim_matches('"').to_owned()
}

pub fn run(args: &Args) -> Result<()> {
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
            // The last picture rather than the first, so that what is kept between pictures is under test as well.
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

/// Everyone else who was asked for and is there; dithered where the second says so.
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
                    // Its gradients are dithered, whatever one asks for.
                    others.push((Box::new(Chromium::start(binary, fonts, LANES)?), true));
                }
                None => println!("no Chromium is installed: it is left out"),
            },
            _ => bail!("there is no peer {name:?}: takumi, resvg, chromium"),
        }
    }
    Ok(others)
}

/// How far two pictures of one slide are apart.
fn difference(ours: &[u8], theirs: &[u8], size: (u32, u32)) -> Result<Difference> {
    Ok(Small::of(ours, size)?.difference(&Small::of(theirs, size)?))
}

fn keep(folder: &Path, entrant: &Entrant<'_>, (width, height): (u32, u32), png: &[u8]) -> Result<()> {
    std::fs::create_dir_all(folder)?;
    let dithered = if entrant.dithered { "-dithered" } else { "" };
    let path = folder.join(format!("{}{dithered}-{width}x{height}.png", entrant.peer.name()));
    std::fs::write(&path, png).with_context(|| format!("writing {}", path.display()))
}

/// Medians of Vivid's stages, one in flight on all threads.
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
                // A digit, in some places, and some words are others in the next slide.
                let next = difference(&next, &png, size).unwrap();
                assert!(!next.is_small(), "{} {n} {next:?}", peer.name());
            }
        }
    }
}
