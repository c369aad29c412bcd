//! Faults: processes that end at any point, a queue and an object store that are slow, broken, cut off or gone, a full
//! disk, tickets that come several times. Whatever happens, what was accepted comes to an end, an account pays for what it
//! got and for nothing else, and what is called completed can be fetched.
//!
//! The processes are the real ones, and so are the queue and the store. Chance comes from `VIVID_CHAOS_SEED`, which is
//! printed; `VIVID_CHAOS=long` takes the figures of docs/reliability.md instead of those that every run has time for.

mod copies;
mod deaths;
mod desk;
mod devices;
mod disk;
pub mod fleet;
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

use serde_json::{Value, json};

use crate::image;
use crate::service::{Client, id};

/// What the first account begins with.
pub const GRANT: u64 = 10_000;
/// How long everything that was accepted may take to come to its end once no more is broken.
const PATIENCE: Duration = Duration::from_secs(300);

/// Chance from a seed that a failure prints (SplitMix64; Steele, Lea, Flood 2014).
pub struct Chance(u64);

impl Chance {
    /// Another one for each part of a test that goes its own way, from the seed of all.
    fn of(part: u64) -> Self {
        Self(Self(seed() ^ part).next())
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn within(&mut self, range: std::ops::Range<u64>) -> u64 {
        range.start + self.next() % (range.end - range.start)
    }
}

/// The seed of all chance.
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

/// The figure of every run, or the one of docs/reliability.md where `VIVID_CHAOS` is `long`.
fn count<T>(short: T, long: T) -> T {
    if std::env::var("VIVID_CHAOS").is_ok_and(|v| v == "long") { long } else { short }
}

/// Says what a test did and how long that took.
#[expect(clippy::print_stderr, reason = "the figures are what these tests are run for")]
pub fn tell(what: &str, began: Instant, figures: &str) {
    eprintln!("chaos: {what}: {figures}, in {:.1} s", began.elapsed().as_secs_f64());
}

/// A small request, the same for the same number.
fn small(n: u64) -> Value {
    let text = format!("# Habit {n} of calm teams\n\n- Write decisions down\n- Meet less\n- Rest well");
    json!({"inputType": "text", "inputContent": text, "outputFormats": ["ad_mpu"], "seed": n})
}

/// Creates so many small generations; returns their ids.
async fn create(client: &Client, some: std::ops::Range<u64>) -> Vec<String> {
    let mut ids = Vec::new();
    for n in some {
        ids.push(id(&client.create(&small(n)).await).to_owned());
    }
    ids
}

/// Every generation of the account by its id, through the list's pages.
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

/// What all of it came to.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
struct Ends {
    completed: usize,
    /// Some outputs are there, the others are refunded.
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

/// Waits until every generation of the account has ended, and looks whether everything is where it belongs: nothing of
/// what was `accepted` is missing, every image can be fetched whole, nothing is there twice, and the account paid for what
/// it got and nothing else.
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

/// The image of an output is there, whole, and what it is said to be; and so is its thumbnail.
async fn fetchable(client: &Client, output: &Value) {
    let image = client.get(output["imageUrl"].as_str().unwrap()).await;
    assert_eq!(image.status, 200, "seed {}: {output:#}", seed());
    assert_eq!(output["bytes"], image.body.len(), "seed {}: {output:#}", seed());
    let pixels = image::decode(&image.body).unwrap();
    assert_eq!((&output["width"], &output["height"]), (&json!(pixels.width), &json!(pixels.height)));
    let thumbnail = client.get(output["thumbnailUrl"].as_str().unwrap()).await;
    assert_eq!(thumbnail.status, 200, "seed {}: {output:#}", seed());
}

/// The longest that so many in a hundred took.
pub fn percentile(times: &[Duration], percent: usize) -> Duration {
    let mut sorted = times.to_vec();
    sorted.sort();
    sorted.get((sorted.len() * percent).div_ceil(100).saturating_sub(1)).copied().unwrap_or_default()
}
