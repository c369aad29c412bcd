//! Coordinator and workers in processes of their own, with a queue and an object store between them.

use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::UNHURRIED;
use crate::nats::Server;
use crate::service::{Client, Service, Worker, exchange, id, operate};
use crate::storage::{BUCKET, Storage};

fn text(n: usize) -> Value {
    json!({
        "inputType": "text", "outputFormats": ["ad_mpu", "linkedin_carousel"], "carouselCounts": {"linkedin_carousel": 3},
        "inputContent": format!("# Habit {n} of calm teams\n\n- Write decisions down\n- Meet less\n- Ship small\n- Rest well"),
    })
}

/// A coordinator on this queue and a folder that its workers share.
struct Fleet {
    data: TempDir,
    queue: Server,
    coordinator: Service,
}

impl Fleet {
    fn start() -> Option<Self> {
        let (data, queue) = (tempfile::tempdir().unwrap(), Server::start()?);
        let more = [&["--queue", &queue.url][..], &UNHURRIED].concat();
        let coordinator = Service::start(data.path(), &more);
        Some(Self { data, queue, coordinator })
    }

    fn worker(&self, slots: &str) -> Worker {
        let store = self.data.path().join("store");
        Worker::start(&[], &["--queue", &self.queue.url, "--store", store.to_str().unwrap(), "--workers", slots])
    }

    /// What the operator is told of it.
    fn shown(&self) -> Value {
        let said = operate(self.data.path(), &["fleet"]);
        assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
        serde_json::from_slice(&said.stdout).unwrap()
    }

    async fn until(&self, what: &str, holds: impl Fn(&Value) -> bool) {
        for _ in 0..600 {
            if holds(&self.shown()) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        panic!("{what}: {:#}", self.shown());
    }
}

/// How many jobs of a class wait.
fn waiting(shown: &Value, class: &str) -> u64 {
    let classes = shown["queue"].as_array().into_iter().flatten();
    classes.filter(|c| c["class"] == class).filter_map(|c| c["waiting"].as_u64()).sum()
}

async fn create_some(client: &Client, some: std::ops::Range<usize>) -> Vec<String> {
    let mut ids = Vec::new();
    for n in some {
        ids.push(id(&client.create(&text(n)).await).to_owned());
    }
    ids
}

/// Each is completed, every image of it can be fetched, and it cost what it costs.
async fn check_all(client: &Client, ids: &[String], spent: u64) {
    for id in ids {
        let generation = client.finished(id).await;
        assert_eq!(generation["status"], "completed", "{generation:#}");
        let outputs = generation["outputs"].as_array().unwrap();
        assert_eq!(outputs.len(), 4);
        for output in outputs {
            let image = client.get(output["imageUrl"].as_str().unwrap()).await;
            assert_eq!((image.status, image.body.len() as u64), (200, output["bytes"].as_u64().unwrap()));
        }
    }
    let balance = client.get("/api/credits/balance").await.json();
    assert_eq!((&balance["balance"], &balance["reserved"]), (&json!(10_000 - spent), &json!(0)));
}

#[tokio::test]
async fn i7_workers_may_die_and_others_finish() {
    let Some(fleet) = Fleet::start() else { return };
    let client = fleet.coordinator.client();
    let early = create_some(&client, 0..2).await;
    assert_eq!(fleet.shown()["count"], 0, "nobody has come, and they are accepted all the same");
    let (first, second) = (fleet.worker("1"), fleet.worker("1"));
    fleet.until("two workers come", |shown| shown["count"] == 2 && shown["slots"] == 2).await;
    let late = create_some(&client, 2..10).await;
    fleet.until("they work", |shown| shown["busy"] == 2).await;
    first.kill();
    let third = fleet.worker("2");
    check_all(&client, &[early, late].concat(), 10 * 55).await;
    fleet.until("the dead one is forgotten", |shown| shown["count"] == 2).await;
    assert!(second.stop().success() && third.stop().success());
    fleet.until("those that stop take their leave", |shown| shown["count"] == 0).await;
}

#[tokio::test]
async fn i6_a_worker_that_slept_past_its_lease_is_refused() {
    let Some(fleet) = Fleet::start() else { return };
    let client = fleet.coordinator.client();
    let sleeper = fleet.worker("1");
    let ids = create_some(&client, 0..8).await;
    fleet.until("it works", |shown| shown["busy"] == 1).await;
    sleeper.signal("STOP");
    let other = fleet.worker("1");
    check_all(&client, &ids, 8 * 55).await;
    let before = client.generation(&ids[0]).await;
    sleeper.signal("CONT");
    tokio::time::sleep(Duration::from_secs(2)).await;
    let after = client.generation(&ids[0]).await;
    let shown = |generation: &Value| {
        generation["outputs"].as_array().unwrap().iter().map(|o| o["bytes"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(shown(&before), shown(&after));
    check_all(&client, &ids, 8 * 55).await;
    assert!(other.stop().success() && sleeper.stop().success());
}

#[tokio::test]
async fn i1_a_queue_that_loses_everything_is_filled_again() {
    let Some(mut fleet) = Fleet::start() else { return };
    let client = fleet.coordinator.client();
    let before = create_some(&client, 0..3).await;
    fleet.until("they are on the queue", |shown| waiting(shown, "plan") == 3).await;
    fleet.queue.restart(true);
    let after = create_some(&client, 3..5).await;
    let worker = fleet.worker("2");
    check_all(&client, &[before, after].concat(), 5 * 55).await;
    // And one that comes back with what it had.
    let more = create_some(&client, 5..7).await;
    fleet.queue.restart(false);
    check_all(&client, &more, 7 * 55).await;
    assert!(worker.stop().success());
}

#[tokio::test]
async fn a_coordinator_that_dies_goes_on_with_the_workers_there_are() {
    let Some(fleet) = Fleet::start() else { return };
    let Fleet { data, queue, coordinator } = fleet;
    let (key, store) = (coordinator.key.clone().unwrap(), data.path().join("store"));
    let worker = Worker::start(&[], &["--queue", &queue.url, "--store", store.to_str().unwrap(), "--workers", "2"]);
    let ids = create_some(&coordinator.client(), 0..4).await;
    coordinator.kill();
    let coordinator = Service::start(data.path(), &[&["--queue", &queue.url][..], &UNHURRIED].concat());
    check_all(&Client::new(&coordinator.base, &key), &ids, 4 * 55).await;
    assert!(worker.stop().success());
}

#[tokio::test]
async fn pictures_lie_in_a_bucket() {
    let (Some(queue), Some(storage)) = (Server::start(), Storage::start()) else { return };
    let (data, place) = (tempfile::tempdir().unwrap(), format!("s3://{BUCKET}/vivid"));
    let settings = ["--queue", queue.url.as_str(), "--store", place.as_str()];
    let environment = storage.environment();
    let coordinator = Service::start_in(&environment, data.path(), &[&settings[..], &UNHURRIED].concat());
    let client = coordinator.client();
    let worker = Worker::start(&environment, &settings);
    let ids = create_some(&client, 0..2).await;
    check_all(&client, &ids, 2 * 55).await;
    assert!(!data.path().join("store").exists(), "nothing lies here");
    // The same words again: what is there already is taken as it is.
    let again = create_some(&client, 0..1).await;
    check_all(&client, &again, 3 * 55).await;
    let key = coordinator.key.clone().unwrap();
    drop(coordinator);
    let redirecting = [&settings[..], &UNHURRIED, &["--store-redirect", "true"]].concat();
    let coordinator = Service::start_in(&environment, data.path(), &redirecting);
    let client = Client::new(&coordinator.base, &key);
    let image = client.generation(&again[0]).await["outputs"][0]["imageUrl"].as_str().unwrap().to_owned();
    let path = image.strip_prefix(&coordinator.base).unwrap();
    let get = |path: &str| format!("GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").into_bytes();
    let sent = exchange(coordinator.address(), &get(path)).unwrap();
    assert!(sent.starts_with("HTTP/1.1 302"), "{sent}");
    let there = sent.lines().find_map(|line| line.strip_prefix("location: ")).unwrap();
    let there = there.strip_prefix(&storage.url).expect("it leads to the store");
    let fetched = exchange(storage.url.strip_prefix("http://").unwrap(), &get(there)).unwrap();
    assert!(fetched.starts_with("HTTP/1.1 200") && fetched.contains("PNG"), "{:.200}", fetched);
    let gone = client.send(client.request("DELETE", &format!("/api/generations/{}", ids[0]))).await.unwrap();
    assert_eq!(gone.status, 204);
    assert!(worker.stop().success());
}
