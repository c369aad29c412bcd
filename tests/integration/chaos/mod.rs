//! Fault injection: processes that end at any point, a queue and an object store that are slow, broken, unreachable or
//! lost, a full disk, duplicate tickets. In every case, accepted generations end, accounts pay only for what they get,
//! and completed images can be downloaded.
//!
//! The processes, the queue and the store are real. Randomness comes from `VIVID_CHAOS_SEED`, which is printed.
//! `VIVID_CHAOS=long` uses the figures of docs/reliability.md instead of those that every test run has time for.

mod copies;
mod deaths;
mod devices;
mod disk;
pub mod fleet;
mod job_log;
mod killed;
mod kills;
mod late;
mod poison;
mod proxy;
mod queue;
mod ready;
mod restarts;
mod store;
mod tap;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use render_core::random::Chance;
use serde_json::{Value, json};

use crate::image;
use crate::service::{Client, id};

/// The initial balance of the first account.
pub const GRANT: u64 = 10_000;
/// Time limit for all accepted generations to end after the last fault.
const PATIENCE: Duration = Duration::from_secs(300);

/// Random numbers from a seed that a failure prints.
pub struct Dice(Chance);

impl Dice {
    fn new(seed: u64) -> Self {
        Self(Chance::new(seed))
    }

    /// Returns an independent generator for one part of a test, derived from the common seed.
    fn of(part: u64) -> Self {
        Self::new(Chance::new(seed() ^ part).number())
    }

    fn next(&mut self) -> u64 {
        self.0.number()
    }

    fn within(&mut self, range: std::ops::Range<u64>) -> u64 {
        range.start + self.next() % (range.end - range.start)
    }
}

/// Returns the common seed.
#[expect(clippy::print_stderr, reason = "shown when a test fails")]
fn seed() -> u64 {
    static SEED: OnceLock<u64> = OnceLock::new();
    *SEED.get_or_init(|| {
        let given = std::env::var("VIVID_CHAOS_SEED").ok().and_then(|s| s.parse().ok());
        let now = || SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos() as u64 % 1_000_000;
        let seed = given.unwrap_or_else(now);
        eprintln!("VIVID_CHAOS_SEED={seed} repeats the requests and the moments");
        seed
    })
}

/// Returns the figure for ordinary runs, or that of docs/reliability.md if `VIVID_CHAOS` is `long`.
fn count<T>(short: T, long: T) -> T {
    if std::env::var("VIVID_CHAOS").is_ok_and(|v| v == "long") { long } else { short }
}

/// Prints what a test did and how long it took.
#[expect(clippy::print_stderr, reason = "these tests exist to print the figures")]
pub fn tell(what: &str, began: Instant, figures: &str) {
    eprintln!("chaos: {what}: {figures}, in {:.1} s", began.elapsed().as_secs_f64());
}

/// A small request, deterministic in `n`.
fn small(n: u64) -> Value {
    let text = format!("# Habit {n} of calm teams\n\n- Write decisions down\n- Meet less\n- Rest well");
    json!({"inputType": "text", "inputContent": text, "outputFormats": ["ad_mpu"], "seed": n})
}

/// Creates this many small generations and returns their ids.
async fn create(client: &Client, some: std::ops::Range<u64>) -> Vec<String> {
    let mut ids = Vec::new();
    for n in some {
        ids.push(id(&client.create(&small(n)).await).to_owned());
    }
    ids
}

/// Returns every generation of the account by id, from all pages of the list.
pub async fn listed(client: &Client) -> BTreeMap<String, Value> {
    let mut all = BTreeMap::new();
    let mut cursor = String::new();
    loop {
        let page = client.get(&format!("/api/generations?limit=100&expand=quality{cursor}")).await.json();
        for generation in page["generations"].as_array().unwrap() {
            let twice = all.insert(id(generation).to_owned(), generation.clone());
            assert!(twice.is_none(), "listed twice: {generation:#}");
        }
        match page["pagination"]["nextCursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => return all,
        }
    }
}

fn has_ended(generation: &Value) -> bool {
    !["pending", "processing"].contains(&generation["status"].as_str().unwrap())
}

/// Counts how the generations ended.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
struct Ends {
    completed: usize,
    /// Some outputs are ready, the others were refunded.
    partial: usize,
    failed: usize,
    images: usize,
    paid: u64,
}

impl std::fmt::Display for Ends {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { completed, partial, failed, images, paid } = self;
        write!(f, "{completed} completed, {partial} partial, {failed} failed, 0 lost, {images} images, {paid} credits")
    }
}

/// Waits until every generation of the account has ended, then checks the result: no `accepted` generation is missing,
/// every image can be downloaded completely, nothing is duplicated, and the account paid exactly for what it got.
async fn settled(client: &Client, accepted: &[String]) -> Ends {
    let until = Instant::now() + PATIENCE;
    let mut all = listed(client).await;
    while !all.values().all(has_ended) {
        let open: Vec<_> = all.values().filter(|g| !has_ended(g)).take(3).collect();
        assert!(Instant::now() < until, "seed {}: not ended in {PATIENCE:?}: {open:#?}", seed());
        tokio::time::sleep(Duration::from_millis(200)).await;
        all = listed(client).await;
    }
    for id in accepted {
        assert!(all.contains_key(id), "seed {}: {id} was accepted and is gone", seed());
    }
    let mut ends = Ends::default();
    for id in all.keys() {
        let generation = client.generation(id).await;
        let outputs = generation["outputs"].as_array().unwrap();
        let credits = |name: &str| generation[name].as_u64().unwrap();
        let worth: u64 = outputs.iter().map(|o| if o["kind"] == "slide" { 15 } else { 10 }).sum();
        assert_eq!(credits("creditsCharged") - credits("creditsRefunded"), worth, "seed {}: {generation:#}", seed());
        let whole = credits("creditsRefunded") == 0;
        match generation["status"].as_str().unwrap() {
            "completed" => {
                assert!(whole && !outputs.is_empty(), "seed {}: {generation:#}", seed());
                ends.completed += 1;
            }
            "partial" => {
                assert!(!whole && !outputs.is_empty(), "seed {}: {generation:#}", seed());
                ends.partial += 1;
            }
            "failed" => {
                assert!(outputs.is_empty() && generation["error"]["code"].is_string(), "{generation:#}");
                ends.failed += 1;
            }
            other => panic!("seed {}: {other} is no end: {generation:#}", seed()),
        }
        let places: BTreeSet<_> = outputs.iter().map(|o| o["sortOrder"].as_u64().unwrap()).collect();
        assert_eq!(places.len(), outputs.len(), "seed {}: shown twice: {generation:#}", seed());
        for output in outputs {
            fetchable(client, output).await;
        }
        ends.images += outputs.len();
        ends.paid += worth;
    }
    let balance = client.get("/api/credits/balance").await.json();
    assert_eq!((&balance["reserved"], &balance["balance"]), (&json!(0), &json!(GRANT - ends.paid)), "seed {}", seed());
    ends
}

/// Checks that the image and the thumbnail of an output can be downloaded and match their description.
async fn fetchable(client: &Client, output: &Value) {
    let image = client.get(output["imageUrl"].as_str().unwrap()).await;
    assert_eq!(image.status, 200, "seed {}: {output:#}", seed());
    assert_eq!(output["bytes"], image.body.len(), "seed {}: {output:#}", seed());
    let pixels = image::decode(&image.body).unwrap();
    assert_eq!((&output["width"], &output["height"]), (&json!(pixels.width), &json!(pixels.height)));
    let thumbnail = client.get(output["thumbnailUrl"].as_str().unwrap()).await;
    assert_eq!(thumbnail.status, 200, "seed {}: {output:#}", seed());
}

/// Returns the given percentile of the times.
pub fn percentile(times: &[Duration], percent: usize) -> Duration {
    let mut sorted = times.to_vec();
    sorted.sort();
    sorted.get((sorted.len() * percent).div_ceil(100).saturating_sub(1)).copied().unwrap_or_default()
}
