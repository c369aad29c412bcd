//! Times pictures, one and two in flight, everyone in turn.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow};
use render_core::text::Fonts;
use serde::Serialize;

use super::slide::Slide;
use super::{LANES, Peer};
use crate::table;

/// Who has taken this many times the seconds, one picture of theirs being longer than a turn, has no further turns.
const PATIENCE: f64 = 4.0;

/// A renderer in one of its settings.
pub struct Entrant<'a> {
    pub peer: &'a dyn Peer,
    pub dithered: bool,
}

/// What one entrant's pictures of one size took.
#[derive(Debug, Default, Clone)]
pub struct Samples {
    /// One in flight: milliseconds of each picture.
    pub ms: Vec<f64>,
    /// Two in flight: pictures a second, round by round.
    pub per_second: Vec<f64>,
    /// Bytes of each picture.
    pub bytes: Vec<f64>,
    /// The last picture that was timed, and its slide's iteration.
    pub last: Option<(usize, Vec<u8>)>,
}

/// Of many samples.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Spread {
    pub median: f64,
    pub best: f64,
}

impl Samples {
    /// Milliseconds a picture, one in flight.
    pub fn latency(&self) -> Spread {
        Spread { median: table::quantile(&self.ms, 0.5), best: table::quantile(&self.ms, 0.0) }
    }

    /// Pictures a second, two in flight.
    pub fn throughput(&self) -> Spread {
        Spread { median: table::quantile(&self.per_second, 0.5), best: table::quantile(&self.per_second, 1.0) }
    }

    /// Bytes a picture, mean.
    pub fn mean_bytes(&self) -> f64 {
        self.bytes.iter().sum::<f64>() / self.bytes.len().max(1) as f64
    }
}

/// The iterations of a whole run: no slide is drawn twice.
#[derive(Default)]
pub struct Slides(AtomicUsize);

impl Slides {
    pub fn next(&self) -> usize {
        self.0.fetch_add(1, Ordering::Relaxed)
    }
}

/// Times every entrant at one size in rounds, so that what slows the machine for a while slows all of them: in each
/// round every entrant draws for `seconds / rounds` with one and then with two pictures in flight.
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
            // Of as many pictures as take about as long, the same number for each lane.
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
        // The first after another's turn finds its memory cold; where that takes the turn, it counts all the same.
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

/// Pictures a second.
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
