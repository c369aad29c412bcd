//! What a kill leaves behind: the process is ended at random points while work comes in, and started again.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{Chance, seed, settled, tell};
use crate::e2e::UNHURRIED;
use crate::service::{Client, Service, id};

const KILLS: u32 = 50;
/// Milliseconds after it is ready at which the service is killed.
const LIVES: std::ops::Range<u64> = 5..400;
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

#[tokio::test]
async fn i1_i2_fifty_kills_lose_nothing_and_charge_nothing_twice() {
    let (began, mut chance) = (Instant::now(), Chance(seed()));
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
        assert_eq!(generation["creditsCharged"], *credits, "seed {}: {generation:#}", seed());
    }
    // What was cut off before its answer may have been accepted too: it ends and is paid all the same. A job that was
    // killed thrice at work is given up; that is an end too.
    let ids: Vec<_> = accepted.into_iter().map(|(id, _)| id).collect();
    let ends = settled(&client, &ids).await;
    assert!(ends.completed * 2 > ids.len(), "seed {}: {ends} of {}", seed(), ids.len());
    tell("i1 i2, kill -9 of all in one", began, &format!("{KILLS} kills, {} answered, {ends}", ids.len()));
}
