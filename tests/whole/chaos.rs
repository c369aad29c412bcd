//! What a kill leaves behind: the process is ended at random points while work comes in, and started again.

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

use crate::e2e::UNHURRIED;
use crate::image;
use crate::service::{Client, Service, id};

const KILLS: u32 = 50;
/// Milliseconds after it is ready at which the service is killed.
const LIVES: std::ops::Range<u64> = 5..400;
/// What the first account begins with.
pub const GRANT: u64 = 10_000;

/// Chance from a seed that a failure prints (SplitMix64; Steele, Lea, Flood 2014).
struct Chance(u64);

impl Chance {
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

/// A small request: one or two visuals, or a short carousel.
fn request(chance: &mut Chance) -> (Value, u64) {
    let (formats, counts, credits) = match chance.within(0..4) {
        0 => (json!(["ad_mpu", "ad_leaderboard"]), json!({}), 20),
        1 => (json!(["linkedin_carousel"]), json!({"linkedin_carousel": 2}), 30),
        _ => (json!(["ad_mpu"]), json!({}), 10),
    };
    let text = "# Sleep better\n\n- Keep one bedtime, also on Sundays\n- Cool the room to 18 °C\n- No screens in bed";
    let request = json!({
        "inputType": "text", "inputContent": text, "outputFormats": formats, "carouselCounts": counts,
        "seed": chance.within(0..1 << 50),
    });
    (request, credits)
}

/// Posts until the service is gone; returns what it accepted, with its price.
async fn post_until_killed(client: Client, mut chance: Chance, most: usize) -> Vec<(String, u64)> {
    let mut accepted = Vec::new();
    while accepted.len() < most {
        let (body, credits) = request(&mut chance);
        let Ok(answer) = client.send(client.request("POST", "/api/generations").json(&body)).await else { break };
        assert_eq!(answer.status, 202, "{}", String::from_utf8_lossy(&answer.body));
        accepted.push((id(&answer.json()["generation"]).to_owned(), credits));
    }
    accepted
}

/// Every generation of the account by its id, through the list's pages.
pub async fn listed(client: &Client) -> BTreeMap<String, Value> {
    let mut all = BTreeMap::new();
    let mut cursor = String::new();
    loop {
        let page = client.get(&format!("/api/generations?limit=100{cursor}")).await.json();
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

#[tokio::test]
#[expect(clippy::print_stderr, reason = "shown when the test fails")]
async fn i1_i2_fifty_kills_lose_nothing_and_charge_nothing_twice() {
    let seed = std::env::var("VIVID_CHAOS_SEED")
        .ok()
        .and_then(|s| s.parse().ok())
        .unwrap_or_else(|| SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos() as u64 % 1_000_000);
    eprintln!("VIVID_CHAOS_SEED={seed} repeats the requests and the lives");
    let mut chance = Chance(seed);
    let data = tempfile::tempdir().unwrap();
    let mut accepted: Vec<(String, u64)> = Vec::new();
    let mut key: Option<String> = None;

    for _ in 0..KILLS {
        let service = Service::start(data.path(), &UNHURRIED);
        // A start that was cut off before it could note that its key was shown shows another.
        key = service.key.clone().or(key);
        let client = Client::new(&service.base, key.as_deref().expect("the first start prints a key"));
        // A few posts a life, so that old work goes on under the kills as well.
        let posts: Vec<_> =
            (0..2).map(|_| tokio::spawn(post_until_killed(client.clone(), Chance(chance.next()), 2))).collect();
        tokio::time::sleep(Duration::from_millis(chance.within(LIVES))).await;
        service.kill();
        for post in posts {
            accepted.extend(post.await.unwrap());
        }
    }
    assert!(accepted.len() > 20, "only {} were accepted in {KILLS} lives", accepted.len());

    let service = Service::start(data.path(), &UNHURRIED);
    key = service.key.clone().or(key);
    let client = Client::new(&service.base, key.as_deref().unwrap());
    for (id, credits) in &accepted {
        let generation = client.finished(id).await;
        assert_eq!(generation["creditsCharged"], *credits, "seed {seed}: {generation:#}");
    }

    // What was cut off before its answer may have been accepted too: it ends and is paid all the same.
    let (mut paid, mut completed) = (0, 0);
    for id in listed(&client).await.keys() {
        let generation = client.finished(id).await;
        let credits = |name: &str| generation[name].as_u64().unwrap();
        let outputs = generation["outputs"].as_array().unwrap();
        let worth: u64 = outputs.iter().map(|o| if o["kind"] == "slide" { 15 } else { 10 }).sum();
        assert_eq!(credits("creditsCharged") - credits("creditsRefunded"), worth, "seed {seed}: {generation:#}");
        // A job that was killed thrice at work is given up; that is an end too.
        match generation["status"].as_str().unwrap() {
            "completed" => completed += 1,
            "partial" | "failed" => assert!(generation["error"]["code"].is_string(), "seed {seed}: {generation:#}"),
            other => panic!("seed {seed}: {other} is no end: {generation:#}"),
        }
        for output in outputs {
            let answer = client.get(output["imageUrl"].as_str().unwrap()).await;
            assert_eq!(answer.status, 200, "seed {seed}: {output:#}");
            let pixels = image::decode(&answer.body).unwrap();
            assert_eq!(output["width"], pixels.width, "seed {seed}");
        }
        paid += worth;
    }
    assert!(completed * 2 > accepted.len(), "seed {seed}: {completed} of {} were completed", accepted.len());
    let known = listed(&client).await;
    for (id, _) in &accepted {
        assert!(known.contains_key(id), "seed {seed}: {id} was accepted and is gone");
    }
    let balance = client.get("/api/credits/balance").await.json();
    assert_eq!(balance["reserved"], 0, "seed {seed}");
    assert_eq!(balance["balance"], GRANT - paid, "seed {seed}: {paid} paid");
}
