//! Times images with one and two in flight, with the renderers taking turns.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow};
use render_core::text::Fonts;
use serde::Serialize;

use crate::slide::Slide;
use crate::table;
use crate::{LANES, Peer};

/// A renderer gets no further turns after it has used this multiple of the seconds, because one image takes longer than
/// a turn.
const PATIENCE: f64 = 4.0;

/// A renderer with one setting.
pub struct Entrant<'a> {
    pub peer: &'a dyn Peer,
    pub dithered: bool,
}

/// The measurements of one entrant at one size.
#[derive(Debug, Default, Clone)]
pub struct Samples {
    /// Milliseconds of each image, one in flight.
    pub ms: Vec<f64>,
    /// Images per second, two in flight, by round.
    pub per_second: Vec<f64>,
    /// Bytes of each image.
    pub bytes: Vec<f64>,
    /// The last timed image, and the iteration of its slide.
    pub last: Option<(usize, Vec<u8>)>,
}

/// Statistics of many samples.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Spread {
    pub median: f64,
    pub best: f64,
}

impl Samples {
    /// Returns the milliseconds per image, one in flight.
    pub fn latency(&self) -> Spread {
        Spread { median: table::quantile(&self.ms, 0.5), best: table::quantile(&self.ms, 0.0) }
    }

    /// Returns the images per second, two in flight.
    pub fn throughput(&self) -> Spread {
        Spread { median: table::quantile(&self.per_second, 0.5), best: table::quantile(&self.per_second, 1.0) }
    }

    /// Returns the mean bytes per image.
    pub fn mean_bytes(&self) -> f64 {
        self.bytes.iter().sum::<f64>() / self.bytes.len().max(1) as f64
    }
}

/// The iterations of a whole run: no slide is rendered twice.
#[derive(Default)]
pub struct Slides(AtomicUsize);

impl Slides {
    pub fn next(&self) -> usize {
        self.0.fetch_add(1, Ordering::Relaxed)
    }
}

/// Times every entrant at one size in rounds, so that a temporary slowdown of the machine affects all of them. In each
/// round, every entrant renders for `seconds / rounds`, first with one and then with two images in flight.
pub fn measure(
    entrants: &[Entrant<'_>],
    size: (u32, u32),
    (rounds, seconds): (usize, f64),
    slides: &Slides,
    fonts: &Fonts,
) -> Result<Vec<Samples>> {
    let turn = Duration::from_secs_f64(seconds / rounds as f64);
    let mut all = vec![Samples::default(); entrants.len()];
    for entrant in entrants {
        for lane in 0..LANES {
            entrant.peer.png(&Slide::new(slides.next(), fonts), size, lane)?;
        }
    }
    let mut spent = vec![Duration::ZERO; entrants.len()];
    for _ in 0..rounds {
        for ((entrant, samples), spent) in entrants.iter().zip(&mut all).zip(&mut spent) {
            if spent.as_secs_f64() > PATIENCE * seconds {
                continue;
            }
            let begun = Instant::now();
            one_in_flight(entrant.peer, size, turn, slides, fonts, samples)?;
            let each = table::quantile(&samples.ms, 0.5) / 1_000.0;
            // As many images as take about that time, the same number for each lane.
            let pictures = ((turn.as_secs_f64() / each).ceil() as usize).max(2).next_multiple_of(LANES);
            samples.per_second.push(two_in_flight(entrant.peer, size, pictures, slides, fonts)?);
            *spent += begun.elapsed();
        }
    }
    Ok(all)
}

fn one_in_flight(
    peer: &dyn Peer,
    size: (u32, u32),
    turn: Duration,
    slides: &Slides,
    fonts: &Fonts,
    samples: &mut Samples,
) -> Result<()> {
    let mut begun = Instant::now();
    let mut warm = false;
    loop {
        let n = slides.next();
        let started = Instant::now();
        let png = peer.png(&Slide::new(n, fonts), size, 0)?;
        let took = started.elapsed();
        // The first image after another renderer's turn has cold caches; it counts only if it takes up the whole turn.
        if !warm && took < turn / 2 {
            (begun, warm) = (Instant::now(), true);
            continue;
        }
        warm = true;
        samples.ms.push(took.as_secs_f64() * 1_000.0);
        samples.bytes.push(png.len() as f64);
        samples.last = Some((n, png));
        if begun.elapsed() >= turn {
            return Ok(());
        }
    }
}

/// Returns images per second.
fn two_in_flight(peer: &dyn Peer, size: (u32, u32), pictures: usize, slides: &Slides, fonts: &Fonts) -> Result<f64> {
    let drawn = AtomicUsize::new(0);
    let begun = Instant::now();
    std::thread::scope(|scope| {
        let lanes: Vec<_> = (0..LANES)
            .map(|lane| {
                let drawn = &drawn;
                scope.spawn(move || -> Result<()> {
                    while drawn.fetch_add(1, Ordering::Relaxed) < pictures {
                        std::hint::black_box(peer.png(&Slide::new(slides.next(), fonts), size, lane)?);
                    }
                    Ok(())
                })
            })
            .collect();
        lanes.into_iter().try_for_each(|lane| lane.join().map_err(|_| anyhow!("{} panicked", peer.name()))?)
    })?;
    Ok(pictures as f64 / begun.elapsed().as_secs_f64())
}
