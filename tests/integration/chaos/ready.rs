//! A service with a long history becomes ready quickly, whatever the size of its state.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::fleet::READY;
use super::{count, tell};
use crate::e2e::UNHURRIED;
use crate::service::{Client, Service, id, operate};

/// One in this many generations stays open; the others are cancelled. None is rendered, because a start does not read
/// rendered generations either.
const OPEN_EVERY: u64 = 500;
/// Number of concurrent clients.
const CLIENTS: usize = 16;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn i1_a_service_with_much_behind_it_is_ready_in_five_seconds_after_a_kill() {
    let (began, data, many) = (Instant::now(), tempfile::tempdir().unwrap(), count(5_000, 100_000));
    let settings = [&UNHURRIED[..], &["--workers", "0", "--max-backlog", "1000000"]].concat();
    let service = Service::start(data.path(), &settings);
    let key = service.key.clone().unwrap();
    grant(data.path(), many * 10);
    let (client, next) = (service.client(), Arc::new(AtomicU64::new(0)));
    let mut clients = JoinSet::new();
    for _ in 0..CLIENTS {
        clients.spawn(fill(client.clone(), Arc::clone(&next), many));
    }
    let open: Vec<String> = clients.join_all().await.concat();
    assert_eq!(open.len() as u64, many.div_ceil(OPEN_EVERY));
    let filled = began.elapsed();
    service.kill();

    let service = Service::start(data.path(), &settings);
    let took = service.ready_after;
    let client = Client::new(&service.base, &key);
    let shown = client.get("/api/generations?status=pending&limit=100").await.json();
    let page: Vec<_> = shown["generations"].as_array().unwrap().iter().map(|g| id(g).to_owned()).collect();
    assert!(page.iter().all(|of| open.contains(of)) && page.len() == open.len().min(100), "{shown:#}");
    let balance = client.get("/api/credits/balance").await.json();
    assert_eq!(balance["reserved"], json!(open.len() * 10), "what was held is held");
    let figures = format!("ready {took:.2?} after the start on {many} generations, written in {filled:.0?}");
    tell("i1, much is behind it", began, &figures);
    assert!(took < READY, "ready after {took:?}");
}

/// Adds credits to the account.
fn grant(data: &std::path::Path, credits: u64) {
    let said = |words: &[&str]| -> Value {
        let said = operate(data, words);
        assert!(said.status.success(), "{words:?}: {}", String::from_utf8_lossy(&said.stderr));
        serde_json::from_slice(&said.stdout).unwrap()
    };
    let accounts = said(&["account", "list"]);
    said(&["account", "credit", id(&accounts["accounts"][0]), &credits.to_string()]);
}

/// Creates generations until there are `many`, and cancels nearly all of them. Returns those that stay open.
async fn fill(client: Client, next: Arc<AtomicU64>, many: u64) -> Vec<String> {
    let mut open = Vec::new();
    loop {
        let n = next.fetch_add(1, Ordering::Relaxed);
        if n >= many {
            return open;
        }
        let text = format!("Habit {n} of calm teams.\n\nWrite decisions down. Meet less. Ship small.");
        let body = json!({"inputType": "text", "inputContent": text, "outputFormats": ["ad_mpu"]});
        let made = id(&client.create(&body).await).to_owned();
        if n.is_multiple_of(OPEN_EVERY) {
            open.push(made);
            continue;
        }
        let cancelled = client.post(&format!("/api/generations/{made}/cancel"), &json!({})).await;
        assert_eq!(cancelled.status, 200, "{}", String::from_utf8_lossy(&cancelled.body));
    }
}
