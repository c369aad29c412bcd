//! The results of the run: values, ratios and targets, as a table and as JSON.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::Serialize;

use crate::Args;
use crate::look::{self, Difference};
use crate::machine::Machine;
use crate::table;
use crate::timing::{Entrant, Samples, Spread};

/// The size to which the ratios and most targets apply.
const WIDTH: u32 = 2048;
const WIDE: u32 = 4096;
/// Vivid's name among the rows.
pub const VIVID: &str = "vivid";
/// The number of threads to which the targets of the stages apply.
const THREADS: usize = 2;

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    bench: &'static str,
    /// Day of the run, UTC.
    date: String,
    machine: Machine,
    /// The device that rendered Vivid's images.
    device: &'static str,
    threads: usize,
    seconds: f64,
    rounds: u16,
    /// Vivid's values divided by the others' at 2048×2560: a throughput ratio over 1 is faster, a latency or bytes
    /// ratio below 1 is less.
    peers: BTreeMap<&'static str, Standing>,
    marks: Vec<Mark>,
    /// Vivid's stages, with one image in flight on all threads.
    stages: Vec<Stages>,
    pub rows: Vec<Row>,
}

/// One renderer at one size.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Row {
    peer: &'static str,
    version: String,
    dithered: bool,
    width: u32,
    height: u32,
    /// Milliseconds per image, one in flight.
    latency_ms: Spread,
    /// Images per second, two in flight.
    images_per_second: Spread,
    /// Mean size of the PNG files.
    bytes: f64,
    /// Difference from Vivid's image, in steps of 255.
    difference: Difference,
    pub same_picture: bool,
}

/// Medians of Vivid's stages.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Stages {
    pub width: u32,
    pub height: u32,
    pub dithered: bool,
    pub compose_ms: f64,
    pub raster_ms: f64,
    pub encode_ms: f64,
}

/// Vivid's values divided by the other renderer's.
#[derive(Debug, Clone, Copy, Serialize)]
struct Ratios {
    throughput_ratio: f64,
    latency_ratio: f64,
    bytes_ratio: f64,
}

#[derive(Debug, Serialize)]
struct Standing {
    #[serde(flatten)]
    plain: Ratios,
    /// The ratios with dithering on both sides, if the other renderer supports it.
    #[serde(skip_serializing_if = "Option::is_none")]
    dithered: Option<Ratios>,
}

/// A value and its target.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Mark {
    name: String,
    value: f64,
    mark: f64,
    /// Whether a higher value is better.
    at_least: bool,
    met: bool,
    /// A goal beyond the target.
    #[serde(skip_serializing_if = "Option::is_none")]
    aim: Option<f64>,
}

impl Row {
    pub fn new(entrant: &Entrant<'_>, (width, height): (u32, u32), samples: &Samples, difference: Difference) -> Self {
        Self {
            peer: entrant.peer.name(),
            version: entrant.peer.version(),
            dithered: entrant.dithered,
            width,
            height,
            latency_ms: samples.latency(),
            images_per_second: samples.throughput(),
            bytes: samples.mean_bytes(),
            difference,
            same_picture: difference.is_small(),
        }
    }

    /// Returns the name of the renderer with its settings.
    pub fn label(&self) -> String {
        let dithered = if self.dithered { ", dithered" } else { "" };
        format!("{} {}{dithered}", self.peer, self.version)
    }

    /// Computes the ratios of this entrant to `theirs`.
    fn over(&self, theirs: &Self) -> Ratios {
        Ratios {
            throughput_ratio: self.images_per_second.median / theirs.images_per_second.median,
            latency_ratio: self.latency_ms.median / theirs.latency_ms.median,
            bytes_ratio: self.bytes / theirs.bytes,
        }
    }
}

impl Mark {
    fn new(name: impl Into<String>, value: f64, mark: f64, at_least: bool, aim: Option<f64>) -> Self {
        let met = if at_least { value >= mark } else { value <= mark };
        Self { name: name.into(), value, mark, at_least, met, aim }
    }
}

fn find<'a>(rows: &'a [Row], peer: &str, width: u32, dithered: bool) -> Option<&'a Row> {
    rows.iter().find(|row| row.peer == peer && row.width == width && row.dithered == dithered)
}

impl Report {
    pub fn new(machine: Machine, threads: usize, args: &Args, rows: Vec<Row>, stages: Vec<Stages>) -> Self {
        let mut peers = BTreeMap::new();
        let at = |peer, dithered| find(&rows, peer, WIDTH, dithered);
        for name in rows.iter().map(|row| row.peer).filter(|name| *name != VIVID) {
            // A renderer that always or never dithers is compared with both variants.
            let theirs = at(name, false).or_else(|| at(name, true));
            if let Some((ours, theirs)) = at(VIVID, false).zip(theirs) {
                let both = at(VIVID, true).zip(at(name, true));
                let dithered = both.map(|(ours, theirs)| ours.over(theirs));
                peers.insert(name, Standing { plain: ours.over(theirs), dithered });
            }
        }
        let marks = marks(&peers, &rows, &stages);
        Self {
            bench: "peers",
            date: Timestamp::now().strftime("%Y-%m-%d").to_string(),
            machine,
            device: "cpu",
            threads,
            seconds: args.seconds,
            rounds: args.rounds,
            peers,
            marks,
            stages,
            rows,
        }
    }

    pub fn print(&self) {
        println!("{}", self.machine.describe());
        println!(
            "{}; {} threads; {} s each in {} rounds; strings to PNG, medians (best)",
            self.date, self.threads, self.seconds, self.rounds
        );
        println!(
            "the same picture: at most {} of 255 from Vivid's at 256 pixels' width, and {} where it differs most",
            look::MEAN,
            look::WORST
        );
        println!();
        self.print_rows();
        println!();
        self.print_stages();
        println!();
        self.print_marks();
    }

    fn print_rows(&self) {
        let heads = ["renderer", "pixels", "ms, 1", "img/s, 2", "KB", "× img/s", "× ms", "× bytes", "apart", "most"];
        let spread = |s: Spread| format!("{:.1} ({:.1})", s.median, s.best);
        let rows = self.rows.iter().map(|row| {
            let mut cells = vec![row.label(), format!("{}×{}", row.width, row.height)];
            cells.extend([row.latency_ms, row.images_per_second].map(spread));
            cells.push(format!("{:.0}", row.bytes / 1_000.0));
            let ours = find(&self.rows, VIVID, row.width, row.dithered).filter(|_| row.peer != VIVID);
            match ours.map(|ours| ours.over(row)) {
                Some(r) => {
                    cells.extend([r.throughput_ratio, r.latency_ratio, r.bytes_ratio].map(|v| format!("{v:.2}")));
                }
                None => cells.extend(["", "", ""].map(str::to_owned)),
            }
            let Difference { mean, worst } = row.difference;
            let verdict = if row.same_picture { "" } else { " ANOTHER PICTURE" };
            cells.extend([format!("{mean:.2}"), format!("{worst:.1}{verdict}")]);
            cells
        });
        table::print(&heads, &rows.collect::<Vec<_>>());
    }

    fn print_stages(&self) {
        let heads = ["vivid's stages, one in flight, ms", "compose", "raster", "encode"];
        let rows = self.stages.iter().map(|s| {
            let dithered = if s.dithered { ", dithered" } else { "" };
            let mut cells = vec![format!("{}×{}{dithered}", s.width, s.height)];
            cells.extend([s.compose_ms, s.raster_ms, s.encode_ms].map(|v| format!("{v:.2}")));
            cells
        });
        table::print(&heads, &rows.collect::<Vec<_>>());
    }

    fn print_marks(&self) {
        let rows = self.marks.iter().map(|m| {
            let sign = if m.at_least { '≥' } else { '≤' };
            let aim = m.aim.map_or(String::new(), |aim| format!("(aim {sign} {aim})"));
            let verdict = if m.met { "met" } else { "missed" };
            vec![m.name.clone(), format!("{:.2}", m.value), format!("{sign} {} {aim}", m.mark), verdict.to_owned()]
        });
        let rows: Vec<_> = rows.collect();
        if !rows.is_empty() {
            table::print(&["mark", "is", "should be", ""], &rows);
        }
        if self.threads != THREADS {
            println!("the marks are for {THREADS} threads; these are figures of {}", self.threads);
        }
    }
}

fn marks(peers: &BTreeMap<&str, Standing>, rows: &[Row], stages: &[Stages]) -> Vec<Mark> {
    let mut marks = Vec::new();
    if let Some(Standing { plain, .. }) = peers.get("takumi") {
        marks.push(Mark::new("images/s over takumi's", plain.throughput_ratio, 2.0, true, Some(3.0)));
        marks.push(Mark::new("bytes over takumi's", plain.bytes_ratio, 1.5, false, Some(1.0)));
    }
    if let Some(Standing { plain, .. }) = peers.get("chromium") {
        marks.push(Mark::new("images/s over Chromium's", plain.throughput_ratio, 20.0, true, None));
    }
    if let Some(s) = stages.iter().find(|s| s.width == WIDTH && !s.dithered) {
        for (stage, value, most) in
            [("raster", s.raster_ms, 8.0), ("encode", s.encode_ms, 9.0), ("compose", s.compose_ms, 2.0)]
        {
            marks.push(Mark::new(format!("{stage}, ms"), value, most, false, None));
        }
    }
    if let Some((small, large)) = find(rows, VIVID, WIDTH, false).zip(find(rows, VIVID, WIDE, false)) {
        let ratio = large.latency_ms.median / small.latency_ms.median;
        marks.push(Mark::new("4096×5120 over 2048×2560, ms", ratio, 4.2, false, None));
    }
    marks
}
