//! Tests of a generation's lifecycle: following, cancelling, retrying and deleting it; and of replayed responses.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{UNHURRIED, fresh};
use crate::service::{Answer, Client, Service, id};

/// Timeout for conditions that must become true on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A carousel with many slides, which takes a while.
fn long() -> Value {
    let habits: String = (1..35).map(|n| format!("- Habit {n} has its own hour of the day\n")).collect();
    json!({
        "inputType": "text", "inputContent": format!("# Sleep better\n\n{habits}"),
        "outputFormats": ["tiktok_carousel"], "carouselCounts": {"tiktok_carousel": 35},
    })
}

fn short() -> Value {
    json!({"inputType": "text", "inputContent": "Cool the room to 18 °C.", "outputFormats": ["ad_mpu"]})
}

/// An open event stream.
struct Stream {
    response: reqwest::Response,
    /// Bytes received but not yet parsed. They may end in the middle of a character.
    bytes: Vec<u8>,
}

/// Number, name and data of an event.
type Event = (u32, String, Value);

impl Stream {
    async fn open(client: &Client, of: &str, after: Option<u32>) -> Self {
        let mut request = client.request("GET", &format!("/api/generations/{of}/events"));
        if let Some(after) = after {
            request = request.header("Last-Event-ID", after);
        }
        let response = request.send().await.unwrap();
        assert_eq!(
            (response.status().as_u16(), &response.headers()["content-type"]),
            (200, &"text/event-stream".parse().unwrap())
        );
        Self { response, bytes: Vec::new() }
    }

    /// Returns the next block, an event or a comment. `None` at the end of the stream or on an error.
    async fn block(&mut self) -> Option<String> {
        loop {
            if let Some(end) = self.bytes.windows(2).position(|two| two == b"\n\n") {
                let rest = self.bytes.split_off(end + 2);
                let block = std::mem::replace(&mut self.bytes, rest);
                return Some(String::from_utf8(block).unwrap().trim_end().to_owned());
            }
            self.bytes.extend_from_slice(&self.response.chunk().await.ok()??);
        }
    }

    async fn next(&mut self) -> Option<Event> {
        loop {
            let block = self.block().await?;
            let field = |name: &str| block.lines().find_map(|l| l.strip_prefix(name)?.strip_prefix(": "));
            if let (Some(id), Some(name), Some(data)) = (field("id"), field("event"), field("data")) {
                return Some((id.parse().unwrap(), name.to_owned(), serde_json::from_str(data).unwrap()));
            }
            assert!(block.starts_with(':'), "{block:?}");
        }
    }
}

/// Returns the files of a generation's images.
fn images(data: &Path, generation: &str) -> usize {
    let outputs = match std::fs::read_dir(data.join("store/outputs").join(generation)) {
        Ok(outputs) => outputs,
        Err(_) => return 0,
    };
    outputs.filter_map(|o| Some(std::fs::read_dir(o.ok()?.path()).ok()?.count())).sum()
}

/// Waits until a generation has this many files.
async fn left_with(data: &Path, generation: &str, files: usize) {
    let until = Instant::now() + PATIENCE;
    while images(data, generation) != files {
        assert!(Instant::now() < until, "{} files, not {files}", images(data, generation));
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

impl Client {
    async fn act(&self, of: &str, what: &str) -> Answer {
        self.send(self.request("POST", &format!("/api/generations/{of}/{what}"))).await.unwrap()
    }

    async fn delete(&self, of: &str) -> Answer {
        self.send(self.request("DELETE", &format!("/api/generations/{of}"))).await.unwrap()
    }

    async fn spendable(&self) -> u64 {
        let balance = self.get("/api/credits/balance").await.json();
        assert_eq!(balance["reserved"], 0);
        balance["balance"].as_u64().unwrap()
    }
}

#[tokio::test]
async fn a_cancelled_generation_keeps_what_is_ready_and_its_workers_drop_the_rest() {
    let (data, _service, client) = fresh(&UNHURRIED);
    let made = client.create(&long()).await;
    let of = id(&made);
    let mut stream = Stream::open(&client, of, None).await;
    let mut landed = Vec::new();
    while landed.len() < 2 {
        let (_, name, event) = stream.next().await.expect("it goes on");
        match name.as_str() {
            "output" => landed.push(event),
            other => assert_eq!(other, "progress"),
        }
    }
    let cancelled = client.act(of, "cancel").await;
    assert_eq!(cancelled.status, 200);
    let g = cancelled.json()["generation"].take();
    assert_eq!(g["status"], "cancelled");
    let ready = g["outputs"].as_array().unwrap();
    assert!((2..35).contains(&ready.len()), "{}", ready.len());
    assert_eq!(g["creditsCharged"].as_u64().unwrap() - g["creditsRefunded"].as_u64().unwrap(), 15 * ready.len() as u64);
    assert_eq!(client.spendable().await, 10_000 - 15 * ready.len() as u64);
    let mut last = None;
    while let Some((_, name, event)) = stream.next().await {
        if name == "output" {
            landed.push(event);
        }
        last = Some(name);
    }
    assert_eq!(last.as_deref(), Some("cancelled"));
    assert_eq!(landed.len(), ready.len(), "each was told");
    for output in ready {
        assert_eq!(client.get(output["imageUrl"].as_str().unwrap()).await.status, 200);
    }
    // Images that were being rendered are discarded: two files per finished image remain.
    left_with(data.path(), of, 2 * ready.len()).await;
    assert_eq!(client.generation(of).await["outputs"].as_array().unwrap().len(), ready.len());
    assert_eq!(client.act(of, "cancel").await.error(409, "conflict"), "not_cancellable");
    assert_eq!(client.act(of, "retry").await.error(409, "conflict"), "not_retryable");

    let url = ready[0]["imageUrl"].as_str().unwrap();
    assert_eq!(client.delete(of).await.status, 204);
    assert_eq!(client.get(url).await.error(404, "not_found"), "not_found");
    assert_eq!(client.get(&format!("/api/generations/{of}")).await.error(404, "not_found"), "generation_not_found");
    left_with(data.path(), of, 0).await;
    // The workers are free for other jobs.
    client.completed(&short()).await;
}

#[tokio::test]
async fn a_deleted_generation_leaves_no_image_whatever_was_being_drawn() {
    let (data, _service, client) = fresh(&UNHURRIED);
    let made = client.create(&long()).await;
    let of = id(&made);
    let mut stream = Stream::open(&client, of, None).await;
    while stream.next().await.expect("it goes on").1 != "output" {}
    assert_eq!(client.delete(of).await.status, 204);
    while stream.next().await.is_some() {}
    client.completed(&short()).await;
    left_with(data.path(), of, 0).await;
    assert_eq!(client.get("/api/generations").await.json()["generations"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn what_failed_is_tried_again() {
    let (_data, _service, client) = fresh(&UNHURRIED);
    let broken = base64::Engine::encode(&base64::prelude::BASE64_STANDARD, b"%PDF-1.7\nnot much of one");
    let made = client.create(&json!({"inputType": "pdf", "inputFile": broken, "outputFormats": ["ad_mpu"]})).await;
    let failed = client.finished(id(&made)).await;
    assert_eq!((&failed["status"], &failed["error"]["code"]), (&json!("failed"), &json!("pdf_invalid")));
    for round in 1..3 {
        let again = client.act(id(&made), "retry").await;
        assert_eq!(again.status, 200, "{}", String::from_utf8_lossy(&again.body));
        let g = again.json()["generation"].take();
        assert_eq!((&g["status"], &g["error"], &g["progress"]), (&json!("pending"), &Value::Null, &json!(0)));
        let failed = client.finished(id(&made)).await;
        assert_eq!(failed["error"]["code"], "pdf_invalid", "planned again");
        assert_eq!(failed["creditsCharged"], 10 * (round + 1));
        assert_eq!(failed["creditsRefunded"], failed["creditsCharged"]);
    }
    assert_eq!(client.spendable().await, 10_000);
}

#[tokio::test]
async fn a_stream_goes_on_in_the_next_process() {
    let data = tempfile::tempdir().unwrap();
    let mut service = Service::start(data.path(), &UNHURRIED);
    let key = service.key.clone().unwrap();
    let made = service.client().create(&long()).await;
    let of = id(&made).to_owned();
    let (mut after, mut seen) = (None, Vec::new());
    let mut end = None;
    for life in 0..4 {
        let client = Client::new(&service.base, &key);
        let mut stream = Stream::open(&client, &of, after).await;
        let mut here = 0;
        while let Some((number, name, event)) = stream.next().await {
            assert!(after.is_none_or(|last| number > last), "{number} after {after:?}");
            after = Some(number);
            match name.as_str() {
                "output" => {
                    seen.push(id(&event).to_owned());
                    here += 1;
                }
                "progress" => {}
                _ => end = Some((name, event)),
            }
            if life < 3 && here == 4 {
                break;
            }
        }
        if end.is_some() {
            break;
        }
        service.kill();
        service = Service::start(data.path(), &UNHURRIED);
    }
    let (name, event) = end.expect("it came to its end");
    assert_eq!(name, "completed");
    let outputs = event["generation"]["outputs"].as_array().unwrap();
    assert_eq!((outputs.len(), seen.len()), (35, 35));
    seen.sort();
    let mut all: Vec<_> = outputs.iter().map(|o| id(o).to_owned()).collect();
    all.sort();
    assert_eq!(seen, all, "each once");
    let client = Client::new(&service.base, &key);
    let told = client.request("GET", &format!("/api/generations/{of}/events")).header("Last-Event-ID", after.unwrap());
    assert_eq!(client.send(told).await.unwrap().status, 204);
}

#[tokio::test]
async fn an_idle_stream_is_kept_alive_and_ends_with_the_service() {
    let mut settings = UNHURRIED.to_vec();
    settings.extend(["--workers", "0", "--max-streams", "1"]);
    let (_data, service, client) = fresh(&settings);
    let made = client.create(&short()).await;
    let mut stream = Stream::open(&client, id(&made), None).await;
    assert_eq!(stream.next().await.unwrap().1, "progress");
    let second = client.get(&format!("/api/generations/{}/events", id(&made))).await;
    assert_eq!(second.error(429, "rate_limited"), "too_many_streams");
    // Closing the connection frees the stream's slot.
    drop(stream);
    let until = Instant::now() + PATIENCE;
    let mut stream = loop {
        let request = client.request("GET", &format!("/api/generations/{}/events", id(&made)));
        let response = request.send().await.unwrap();
        if response.status() == 200 {
            assert!(
                !response.headers()["x-request-id"].is_empty() && response.headers().contains_key("x-ratelimit-reset")
            );
            break Stream { response, bytes: Vec::new() };
        }
        assert!(Instant::now() < until, "the place is still taken");
        tokio::time::sleep(Duration::from_millis(20)).await;
    };
    assert_eq!(stream.next().await.unwrap().1, "progress");
    let comment = stream.block().await.unwrap();
    assert!(comment.starts_with(':'), "{comment:?}");
    let ending = tokio::task::spawn_blocking(move || service.stop());
    assert_eq!(stream.next().await, None);
    assert!(ending.await.unwrap().success());
}

#[tokio::test]
async fn an_estimate_is_answered_once_under_its_key() {
    let (_data, _service, client) = fresh(&UNHURRIED);
    let post = async |body: &Value| {
        let request = client.request("POST", "/api/generations/estimate").header("Idempotency-Key", "e").json(body);
        client.send(request).await.unwrap()
    };
    let refused = post(&json!({"inputType": "text"})).await;
    assert_eq!(refused.error(400, "invalid_request"), "validation_failed");
    let first = post(&long()).await;
    assert_eq!((first.status, first.header("idempotent-replayed")), (200, ""));
    assert!(first.body.len() > 5_000, "too long for a row");
    // The replayed response still has the old balance.
    client.completed(&short()).await;
    let again = post(&long()).await;
    assert_eq!((again.status, again.header("idempotent-replayed")), (200, "true"));
    assert_eq!(first.body, again.body);
    assert_eq!(post(&short()).await.error(409, "conflict"), "idempotency_conflict");
}
