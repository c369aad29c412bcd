//! Checks that the time to read, outline and plan a text grows no faster than its length, with texts of thousands of
//! shapes, each in several lengths.

pub mod forms;
pub mod growth;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::{Result, bail};
use parking_lot::Mutex;
use render_core::text::Fonts;
use serde::Serialize;

use self::forms::Shape;
use self::growth::{STAGES, Steep, Times};
use crate::machine::Machine;
use crate::table;

/// Number of doublings of the length.
const DOUBLINGS: u32 = 3;
/// Number of shapes listed as the slowest.
const LISTED: usize = 10;

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Number of shapes: every string of the alphabets, then random mixtures.
    #[arg(long, default_value_t = 3_000)]
    count: usize,
    /// Number of shapes to skip at the beginning: `--skip 1719 --count 1720` measures a single one.
    #[arg(long, default_value_t = 0)]
    skip: usize,
    /// Characters of the longest text of each shape.
    #[arg(long, default_value_t = render_core::limits::TEXT_CHARS)]
    chars: usize,
    /// Seed of the mixtures.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Milliseconds below which times count as this value, because noise exceeds growth there.
    #[arg(long, default_value_t = 60)]
    floor_ms: u64,
    /// Shapes measured in parallel, each on one thread.
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Prints the result as one line of JSON at the end.
    #[arg(long)]
    json: bool,
}

/// A shape, and the time of each stage for its longest text.
struct Measured {
    /// Its index among the measured shapes.
    number: usize,
    shape: Shape,
    times: Times,
    steep: Vec<Steep>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Report {
    bench: &'static str,
    machine: Machine,
    shapes: usize,
    chars: usize,
    /// Shapes with a stage that grows too fast.
    steep: usize,
    /// For the longest texts, by stage: the medians, and the slowest of all.
    median_ms: [f64; 3],
    most_ms: [f64; 3],
}

pub fn run(args: &Args) -> Result<()> {
    let measured = measure(args)?;
    let ms = |stage: usize| measured.iter().map(|m| m.times[stage].as_secs_f64() * 1_000.0).collect::<Vec<_>>();
    let steep: Vec<&Measured> = measured.iter().filter(|m| !m.steep.is_empty()).collect();
    let report = Report {
        bench: "shapes",
        machine: Machine::this(),
        shapes: measured.len(),
        chars: args.chars,
        steep: steep.len(),
        median_ms: [0, 1, 2].map(|stage| table::quantile(&ms(stage), 0.5)),
        most_ms: [0, 1, 2].map(|stage| table::quantile(&ms(stage), 1.0)),
    };
    println!("{}", report.machine.describe());
    println!("texts of {} shapes, {} characters at the most; ms of the processor", report.shapes, report.chars);
    println!();
    let rows = (0..STAGES.len()).map(|stage| {
        vec![
            STAGES[stage].to_owned(),
            format!("{:.1}", report.median_ms[stage]),
            format!("{:.1}", report.most_ms[stage]),
        ]
    });
    table::print(&["stage", "median", "most"], &rows.collect::<Vec<_>>());
    println!("\nthe slowest:");
    let mut slowest: Vec<&Measured> = measured.iter().collect();
    slowest.sort_by_key(|m| std::cmp::Reverse(m.times.iter().sum::<Duration>()));
    for m in slowest.into_iter().take(LISTED) {
        println!("{:7.0} ms  {}", m.times.iter().sum::<Duration>().as_secs_f64() * 1_000.0, m.shape);
    }
    for m in &steep {
        for Steep { stage, chars, times } in &m.steep {
            let number = m.number + args.skip;
            println!("too fast: shape {number}, {stage} of {chars} to {} characters {times:?}  {}", 2 * chars, m.shape);
        }
    }
    if args.json {
        println!("{}", serde_json::to_string(&report)?);
    }
    if !steep.is_empty() {
        bail!(
            "{} of {} shapes take more than {} times as long at twice the length",
            steep.len(),
            report.shapes,
            growth::MOST
        );
    }
    Ok(())
}

/// Measures every shape in every length, on the requested number of threads.
fn measure(args: &Args) -> Result<Vec<Measured>> {
    let shapes = forms::shapes(args.seed, args.count).split_off(args.skip.min(args.count));
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let floor = Duration::from_millis(args.floor_ms);
    let one = |fonts: &Fonts, number: usize, shape: &Shape| {
        let mut measured = Measured { number, shape: shape.clone(), times: Times::default(), steep: Vec::new() };
        for doubling in (0..DOUBLINGS).rev() {
            let (steep, times) = growth::steep(shape, args.chars >> doubling, floor, fonts);
            measured.times = times;
            measured.steep = steep;
            // A shape that grows too fast would take forever at greater lengths.
            if !measured.steep.is_empty() {
                break;
            }
        }
        measured
    };
    std::thread::scope(|scope| {
        for _ in 0..args.threads.max(1) {
            scope.spawn(|| {
                // A pool with a single thread, so that the measured time is the total time.
                let Ok(pool) = rayon::ThreadPoolBuilder::new().num_threads(1).build() else { return };
                pool.install(|| {
                    let fonts = Fonts::new();
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        let Some(shape) = shapes.get(number) else { break };
                        let measured = one(&fonts, number, shape);
                        done.lock().push(measured);
                    }
                });
            });
        }
    });
    let done = done.into_inner();
    if done.len() != shapes.len() {
        bail!("only {} of {} shapes were measured", done.len(), shapes.len());
    }
    Ok(done)
}
