//! The service is killed at random points while requests arrive, and restarted.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::fleet::READY;
use super::{Dice, count, has_ended, listed, seed, settled, tell};
use crate::e2e::UNHURRIED;
use crate::service::{Client, Service, id};

/// Milliseconds after it is ready at which the service is killed.
const LIVES: std::ops::Range<u64> = 5..250;

/// A small request: one or two visuals, or a short carousel.
fn request(chance: &mut Dice) -> (Value, u64) {
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

/// Sends requests until the service is gone. Returns the accepted generations with their prices.
async fn post_until_killed(client: Client, mut chance: Dice, most: usize) -> Vec<(String, u64)> {
    let mut accepted = Vec::new();
    while accepted.len() < most {
        let (body, credits) = request(&mut chance);
        let Ok(answer) = client.send(client.request("POST", "/api/generations").json(&body)).await else { break };
        assert_eq!(answer.status, 202, "{}", String::from_utf8_lossy(&answer.body));
        accepted.push((id(&answer.json()["generation"]).to_owned(), credits));
    }
    accepted
}

#[tokio::test]
async fn i1_i2_kills_lose_nothing_and_charge_nothing_twice() {
    let (began, mut chance, kills) = (Instant::now(), Dice::new(seed()), count(25, 50));
    let data = tempfile::tempdir().unwrap();
    let mut accepted: Vec<(String, u64)> = Vec::new();
    let mut key: Option<String> = None;
    let (mut at_work, mut slowest) = (0, Duration::ZERO);

    for _ in 0..kills {
        let service = Service::start(data.path(), &UNHURRIED);
        slowest = slowest.max(service.ready_after);
        // A start that was interrupted before it recorded that its key was shown shows another one.
        key = service.key.clone().or(key);
        let client = Client::new(&service.base, key.as_deref().expect("the first start prints a key"));
        // Only a few requests per life, so that kills also hit older work in progress.
        let posts: Vec<_> =
            (0..2).map(|_| tokio::spawn(post_until_killed(client.clone(), Dice::new(chance.next()), 4))).collect();
        tokio::time::sleep(Duration::from_millis(chance.within(LIVES))).await;
        at_work += u32::from(listed(&client).await.values().any(|generation| !has_ended(generation)));
        service.kill();
        for post in posts {
            accepted.extend(post.await.unwrap());
        }
    }
    assert!(accepted.len() as u32 >= kills, "only {} were accepted in {kills} lives", accepted.len());
    assert!(at_work * 2 > kills, "at {at_work} of {kills} kills there was work to be lost");
    assert!(slowest < READY, "ready after {slowest:?}");

    let service = Service::start(data.path(), &UNHURRIED);
    key = service.key.clone().or(key);
    let client = Client::new(&service.base, key.as_deref().unwrap());
    for (id, credits) in &accepted {
        let generation = client.finished(id).await;
        assert_eq!(generation["creditsCharged"], *credits, "seed {}: {generation:#}", seed());
    }
    // A request that was interrupted before its response may have been accepted, and is completed and charged too. A
    // job that was killed three times becomes a dead letter, which also counts as ended.
    let ids: Vec<_> = accepted.into_iter().map(|(id, _)| id).collect();
    let ends = settled(&client, &ids).await;
    assert!(ends.completed * 2 > ids.len(), "seed {}: {ends} of {}", seed(), ids.len());
    let figures = format!(
        "{kills} kills, {at_work} of them with work at hand, the slowest start took {slowest:.1?}, {} answered, {ends}",
        ids.len()
    );
    tell("i1 i2, kill -9 of all in one", began, &figures);
}
