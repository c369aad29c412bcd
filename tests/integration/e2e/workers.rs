//! Tests of operator signals to workers, and of what workers do by themselves.

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::{Value, json};

use super::UNHURRIED;
use crate::nats::Server;
use crate::service::{Service, Worker, id, operate};
use crate::storage::{BUCKET, Storage};

fn text() -> Value {
    json!({
        "inputType": "text", "outputFormats": ["ad_mpu"],
        "inputContent": "# Calm teams\n\n- Write decisions down\n- Meet less\n- Ship small",
    })
}

#[tokio::test]
async fn a_bucket_is_reached_as_flags_say() {
    let (Some(queue), Some(storage)) = (Server::start(), Storage::start()) else { return };
    let data = tempfile::tempdir().unwrap();
    let (secret, place) = (data.path().join("secret"), format!("s3://{BUCKET}/flags"));
    let mut settings = vec!["--queue", queue.url.as_str(), "--store", place.as_str()];
    settings.extend(["--store-endpoint", storage.url.as_str(), "--store-region", "us-east-1"]);
    settings.extend(["--store-key-id", "test", "--store-key-file", secret.to_str().unwrap()]);
    std::fs::write(&secret, "test\n").unwrap();
    let coordinator = Service::start(&data.path().join("data"), &[&settings[..], &UNHURRIED].concat());
    let worker = Worker::start(&[], &settings);
    let client = coordinator.client();
    let generation = client.completed(&text()).await;
    let image = client.get(generation["outputs"][0]["imageUrl"].as_str().unwrap()).await;
    assert_eq!((image.status, image.body.len() as u64), (200, generation["outputs"][0]["bytes"].as_u64().unwrap()));
    assert!(worker.stop().success());
}

/// The worker exceeds its memory limit from the start, so it restarts after every job.
#[tokio::test]
async fn a_worker_that_holds_too_much_begins_anew_and_loses_nothing() {
    let Some(queue) = Server::start() else { return };
    let data = tempfile::tempdir().unwrap();
    let coordinator = Service::start(data.path(), &[&["--queue", &queue.url][..], &UNHURRIED].concat());
    let store = data.path().join("store");
    let settings = ["--queue", &queue.url, "--store", store.to_str().unwrap(), "--memory-limit-mib", "1"];
    let worker = Worker::start(&[], &settings);
    let client = coordinator.client();
    let (mut lives, mut made_so_far) = (BTreeSet::new(), 0);
    while lives.len() < 3 {
        made_so_far += 1;
        assert!(made_so_far < 200, "it never begins anew");
        let made = client.create(&text()).await;
        while client.generation(id(&made)).await["status"] != "completed" {
            let said = operate(data.path(), &["fleet"]);
            let shown: Value = serde_json::from_slice(&said.stdout).unwrap();
            lives.extend(shown["workers"].as_array().unwrap().iter().map(|worker| worker["id"].to_string()));
        }
    }
    assert_eq!(client.get("/api/credits/balance").await.json()["balance"], 10_000 - made_so_far * 10);
    assert!(worker.stop().success(), "it is the same process still");
}

/// Regression test: a worker over its memory limit is replaced by a new process up to half a second after its job.
/// SIGTERM killed the new process if it arrived before the process handled signals. The worker must stop gracefully at
/// any time.
#[tokio::test]
async fn a_worker_stops_also_while_it_begins_anew() {
    let Some(queue) = Server::start() else { return };
    let data = tempfile::tempdir().unwrap();
    let coordinator = Service::start(data.path(), &[&["--queue", &queue.url][..], &UNHURRIED].concat());
    let store = data.path().join("store");
    let settings = ["--queue", &queue.url, "--store", store.to_str().unwrap(), "--memory-limit-mib", "1"];
    let client = coordinator.client();
    for round in 0..8 {
        let worker = Worker::start(&[], &settings);
        let made = client.create(&text()).await;
        while client.generation(id(&made)).await["status"] != "completed" {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        tokio::time::sleep(Duration::from_millis(round * 75)).await;
        let ended = worker.stop();
        assert!(ended.success(), "{ended} after {} ms", round * 75);
    }
}
