//! A worker that loses its graphics card. The driver is a real one, if Mesa's that draws on the CPU; that it is lost is what
//! the worker is told.

use std::time::{Duration, Instant};

use render_core::raster::gpu::adapters;

use super::fleet::{Fleet, stop};
use super::{create, settled, tell};

/// The number of a device, where there is one.
#[expect(clippy::print_stderr, reason = "a test that leaves something out says so")]
fn device() -> Option<String> {
    let first = adapters().first().map(|adapter| adapter.index.to_string());
    if first.is_none() {
        assert!(std::env::var_os("REQUIRE_GPU").is_none(), "REQUIRE_GPU is set, but there is no device");
        eprintln!("skipped: no device here");
    }
    first
}

/// How a worker ends whose device was lost so often: told to, or by itself.
async fn with_a_device_lost(times: u32) {
    let (Some(device), Some(fleet)) = (device(), Fleet::start()) else { return };
    let (began, client) = (Instant::now(), fleet.client());
    let fault = format!("device lost={times}");
    let settings = ["--workers", "2", "--device", &device, "--name", "carded"];
    let carded = fleet.worker_with(&[("VIVID_FAULT", &fault)], &settings);
    fleet
        .until("it comes with its card", |shown| {
            shown["workers"][0]["devices"].as_array().is_some_and(|d| d.len() == 2)
        })
        .await;
    let accepted = create(&client, 0..8).await;
    let ended = if times > 1 {
        // It finishes what it has, on the CPU, and leaves the rest to another.
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
    // Nobody lost a job with it.
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
