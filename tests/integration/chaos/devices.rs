//! A worker loses its graphics card. The driver is real (Mesa's CPU driver); the loss is injected.

use std::time::{Duration, Instant};

use render_core::raster::gpu::adapters;
use serde_json::Value;

use super::fleet::{Fleet, stop};
use super::{create, settled, tell};

/// Returns the number of a device, if there is one.
#[expect(clippy::print_stderr, reason = "a skipped test says so")]
fn device() -> Option<String> {
    let first = adapters().first().map(|adapter| adapter.index.to_string());
    if first.is_none() {
        assert!(std::env::var_os("REQUIRE_GPU").is_none(), "REQUIRE_GPU is set, but there is no device");
        eprintln!("skipped: no device here");
    }
    first
}

/// Whether a worker renders on a device other than the CPU.
fn has_device(worker: &Value) -> bool {
    worker["devices"].as_array().is_some_and(|devices| devices.len() == 2)
}

/// Loses a worker's device this many times, and checks how the worker ends: when told to, or by itself.
async fn with_a_device_lost(times: u32) {
    let (Some(device), Some(fleet)) = (device(), Fleet::start()) else { return };
    let (began, client) = (Instant::now(), fleet.client());
    let fault = format!("device lost={times}");
    let settings = ["--workers", "2", "--device", &device];
    let carded = fleet.worker_with(&[("VIVID_FAULT", &fault)], &settings);
    fleet.until("it comes with its card", |shown| has_device(&shown["workers"][0])).await;
    let accepted = create(&client, 0..8).await;
    let ended = if times > 1 {
        // The worker finishes its jobs on the CPU and leaves the rest to another worker.
        let status = carded.ended();
        assert_eq!(status.code(), Some(1), "so that whoever started it starts it again");
        let other = fleet.worker("2");
        let ends = settled(&client, &accepted).await;
        stop(other);
        ends
    } else {
        let ends = settled(&client, &accepted).await;
        stop(carded);
        ends
    };
    assert_eq!(ended.completed, accepted.len(), "{ended}");
    // No job waited for its lease to expire.
    let waited = began.elapsed();
    assert!(waited < Duration::from_secs(60), "{waited:?}");
    tell(&format!("a device lost {times} times"), began, &ended.to_string());
}

#[tokio::test]
async fn a_device_that_is_lost_is_made_anew() {
    with_a_device_lost(1).await;
}

#[tokio::test]
async fn a_worker_that_loses_its_device_for_good_finishes_and_ends() {
    with_a_device_lost(2).await;
}

#[tokio::test]
async fn a_worker_with_a_device_has_as_many_slots_as_keep_its_cores_at_work() {
    let (Some(device), Some(fleet)) = (device(), Fleet::start()) else { return };
    let worker = fleet.worker_with(&[], &["--device", &device]);
    let cores = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    // With Mesa's slow driver, a page waits for the device longer than it uses a core.
    let suits = |slots: u64| (cores..=2 * cores).contains(&slots);
    let comes = |shown: &Value| has_device(&shown["workers"][0]) && shown["slots"].as_u64().is_some_and(suits);
    fleet.until("it comes with its card", comes).await;
    stop(worker);
}
