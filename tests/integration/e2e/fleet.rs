//! Tests of coordinator and workers in separate processes with a bucket. Fault injection is in `chaos`.

use std::time::{Duration, Instant};

use fleet::nats::{Settings, connect};
use fleet::protocol::{Class, Ticket};
use fleet::queue::Queue as _;
use fleet::queue::nats::NatsQueue;
use serde_json::{Value, json};

use super::{UNHURRIED, bucket};
use crate::nats::Server;
use crate::service::{Client, Service, Worker, exchange, id, start_in_vain};
use crate::storage::{BUCKET, Storage};

/// Time limit for a repair on a machine that is busy with other tests.
const PATIENCE: Duration = Duration::from_secs(120);

fn text(n: usize) -> Value {
    json!({
        "inputType": "text", "outputFormats": ["ad_mpu", "linkedin_carousel"], "carouselCounts": {"linkedin_carousel": 3},
        "inputContent": format!("# Habit {n} of calm teams\n\n- Write decisions down\n- Meet less\n- Ship small\n- Rest well"),
    })
}

async fn create_some(client: &Client, some: std::ops::Range<usize>) -> Vec<String> {
    let mut ids = Vec::new();
    for n in some {
        ids.push(id(&client.create(&text(n)).await).to_owned());
    }
    ids
}

/// Checks that each is completed, that its images can be downloaded, and that the right price was charged.
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

/// The queue accepts tickets from the start, even if it was never used before.
#[tokio::test]
async fn a_service_that_listens_has_its_queue_ready() {
    let Some(queue) = Server::start() else { return };
    let data = tempfile::tempdir().unwrap();
    let store = data.path().join("store").to_str().unwrap().to_owned();
    let settings = ["--queue", queue.url.as_str(), "--store", &store];
    let _coordinator = Service::start_in(&[], data.path(), &[&settings[..], &UNHURRIED].concat());
    let settings = Settings { servers: queue.url.parse().unwrap(), credentials: None, ca: None, name: "test".into() };
    let theirs = NatsQueue::new(connect(&settings).await.unwrap(), "vivid");
    theirs.publish(Ticket { job: Default::default(), epoch: 1.into(), class: Class::Plan }).await.unwrap();
}

/// The second coordinator refuses to start even with another data folder. Otherwise both would hand out jobs that the
/// other does not know.
#[tokio::test]
async fn a_second_coordinator_on_a_queue_refuses_to_start() {
    let Some(queue) = Server::start() else { return };
    let (first, second) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let settings = ["--queue", queue.url.as_str()];
    let coordinator = Service::start_in(&[], first.path(), &settings);
    let ended = start_in_vain(second.path(), &settings);
    let said = String::from_utf8_lossy(&ended.stderr);
    assert!(
        !ended.status.success() && said.contains("another coordinator (") && said.contains("under the prefix vivid"),
        "{said}"
    );
    let elsewhere = Service::start_in(&[], second.path(), &[&settings[..], &["--queue-prefix", "other"]].concat());
    for service in [&coordinator, &elsewhere] {
        assert_eq!(service.client().get("/api/credits/balance").await.status, 200);
    }
    drop((coordinator, elsewhere));
    Service::start_in(&[], second.path(), &settings);
}

/// The plan is several times larger than the queue server's message limit.
#[tokio::test]
async fn a_plan_larger_than_a_message_is_completed() {
    let Some(queue) = Server::start_as("max_payload: 8192") else { return };
    let data = tempfile::tempdir().unwrap();
    let store = data.path().join("store").to_str().unwrap().to_owned();
    let settings = ["--queue", queue.url.as_str(), "--store", &store];
    let coordinator = Service::start_in(&[], data.path(), &[&settings[..], &UNHURRIED].concat());
    let (client, worker) = (coordinator.client(), Worker::start(&[], &settings));
    let sections = (1..=30).map(|n| {
        format!(
            "## Habit {n} of calm teams\n\nTeams that write decisions down for the {n}th time meet less, ship smaller things, and \
             rest well. They know who decided what, and why, and what it was that was not decided.\n\n"
        )
    });
    let text = format!("# Thirty habits of calm teams\n\n{}", sections.collect::<String>());
    let generation = client
        .completed(&json!({
            "inputType": "text", "inputContent": text, "exactSize": true,
            "outputFormats": ["presentation_slide", "presentation_4_3"],
            "carouselCounts": {"presentation_slide": 30, "presentation_4_3": 30},
        }))
        .await;
    let outputs = generation["outputs"].as_array().unwrap();
    let described: usize = outputs.iter().map(|output| output["altText"].as_str().unwrap().len()).sum();
    assert!(outputs.len() == 60 && described > 8_192, "{} descriptions of {described} bytes", outputs.len());
    let sizes: Vec<_> = [0, 59].map(|n| (&outputs[n]["width"], &outputs[n]["height"])).into();
    assert_eq!(sizes, [(&json!(1920), &json!(1080)), (&json!(1024), &json!(768))]);
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
    // The same text again: existing blobs are reused.
    let again = create_some(&client, 0..1).await;
    check_all(&client, &again, 3 * 55).await;
    let key = coordinator.key.clone().unwrap();
    drop(coordinator);
    let redirecting = [&settings[..], &UNHURRIED, &["--store-redirect", "true"]].concat();
    let coordinator = Service::start_in(&environment, data.path(), &redirecting);
    let client = Client::new(&coordinator.base, &key);
    let image = client.generation(&again[0]).await["outputs"][0]["imageUrl"].as_str().unwrap().to_owned();
    let path = image.strip_prefix(&coordinator.base).unwrap();
    let get = |address: &str, path: &str| {
        exchange(address, format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").as_bytes())
            .unwrap()
    };
    let sent = get(coordinator.address(), path);
    assert!(sent.starts_with("HTTP/1.1 302"), "{sent}");
    let there = sent.lines().find_map(|line| line.strip_prefix("location: ")).unwrap();
    let there = there.strip_prefix(&storage.url).expect("it leads to the store");
    let store = storage.url.strip_prefix("http://").unwrap();
    let fetched = get(store, there);
    assert!(fetched.starts_with("HTTP/1.1 200") && fetched.contains("PNG"), "{:.200}", fetched);
    let unsigned = get(store, there.split('?').next().unwrap());
    assert!(unsigned.starts_with("HTTP/1.1 403"), "{:.200}", unsigned);
    // Clients are not redirected to a damaged image.
    let there = there.split('?').next().unwrap().strip_prefix(&format!("/{BUCKET}/vivid/")).unwrap();
    let blobs = bucket::under(&storage, "vivid", "test");
    blobs.put_object(there, "damaged".into(), "image/png").await.unwrap();
    let until = Instant::now() + PATIENCE;
    let mut sent = get(coordinator.address(), path);
    assert!(sent.starts_with("HTTP/1.1 503") && sent.contains("storage_damaged"), "{sent}");
    while !sent.starts_with("HTTP/1.1 302") {
        assert!(Instant::now() < until, "{sent}");
        tokio::time::sleep(Duration::from_millis(50)).await;
        sent = get(coordinator.address(), path);
    }
    let gone = client.send(client.request("DELETE", &format!("/api/generations/{}", ids[0]))).await.unwrap();
    assert_eq!(gone.status, 204);
    assert!(worker.stop().success());
}
