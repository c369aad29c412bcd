//! An object store that is slow, fails now and then, breaks its answers off, or is away: tries are bounded, and what is
//! called completed can be fetched all the same.

use std::time::{Duration, Instant};

use super::fleet::{Fleet, Load, stop};
use super::proxy::{Mode, Proxy};
use super::{Ends, count, create, settled, tell};
use crate::nats::Server;
use crate::service::Worker;
use crate::storage::Storage;

/// A fleet with a bucket, and what stands before that.
struct Bucketed {
    fleet: Fleet,
    proxy: Proxy,
    workers: [Worker; 2],
    _storage: Storage,
}

impl Bucketed {
    fn start() -> Option<Self> {
        let (queue, storage) = (Server::start()?, Storage::start()?);
        let (proxy, url) = (Proxy::before(&storage.url), queue.url.clone());
        let fleet = Fleet::on(queue, &url, Some(&proxy.url));
        let workers = [fleet.worker("2"), fleet.worker("2")];
        Some(Self { fleet, proxy, workers, _storage: storage })
    }

    /// Everything has ended as it may where the store was in trouble: completed, or refunded.
    async fn settled(&self, accepted: &[String]) -> Ends {
        self.proxy.set(Mode::Pass);
        settled(&self.fleet.client(), accepted).await
    }

    /// Looks whether all is well again.
    async fn end(self, what: &str, began: Instant, figures: &str) {
        let client = self.fleet.client();
        let before = settled(&client, &[]).await;
        let more = create(&client, 50_000..50_002).await;
        let after = settled(&client, &more).await;
        assert_eq!(after.completed, before.completed + more.len(), "it goes on by itself: {before}, {after}");
        self.workers.into_iter().for_each(|worker| _ = stop(worker));
        tell(what, began, &format!("{figures}, {}", self.proxy.done()));
    }
}

#[tokio::test]
async fn i10_a_store_that_takes_five_seconds_is_slow_and_nothing_else() {
    let Some(store) = Bucketed::start() else { return };
    let (began, client) = (Instant::now(), store.fleet.client());
    store.proxy.set(Mode::Slow(Duration::from_secs(5)));
    let accepted = create(&client, 0..count(1, 10)).await;
    for id in &accepted {
        client.finished(id).await;
    }
    let ends = store.settled(&accepted).await;
    assert_eq!(ends.completed, accepted.len(), "{ends}");
    store.end("i10, a store that is slow (5 s)", began, &ends.to_string()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn i10_a_store_that_fails_three_times_in_ten_is_asked_again() {
    let Some(store) = Bucketed::start() else { return };
    let began = Instant::now();
    store.proxy.set(Mode::Failing(30));
    let load = Load::begin(&store.fleet, Duration::from_millis(50), count(30, 500));
    while !load.has_ended() {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let accepted = load.end().await;
    let client = store.fleet.client();
    for id in &accepted {
        client.finished(id).await;
    }
    let ends = store.settled(&accepted).await;
    // Five tries of each call, three claims of each job: chance alone does not fail a tenth of them.
    assert!(ends.completed * 10 >= accepted.len() * 9, "{ends}");
    store.end("i10, a store that fails (30 %)", began, &ends.to_string()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn i10_a_store_that_breaks_answers_off_completes_nothing_falsely() {
    let Some(store) = Bucketed::start() else { return };
    let began = Instant::now();
    store.proxy.set(Mode::Cutting(30));
    let load = Load::begin(&store.fleet, Duration::from_millis(50), count(20, 300));
    while !load.has_ended() {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let accepted = load.end().await;
    let client = store.fleet.client();
    for id in &accepted {
        client.finished(id).await;
    }
    let ends = store.settled(&accepted).await;
    assert!(ends.completed * 10 >= accepted.len() * 9, "{ends}");
    store.end("i10, a store that breaks off answers (30 %)", began, &ends.to_string()).await;
}

/// Away for a moment: nobody's work is lost for it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn i10_a_store_that_is_away_for_a_moment_costs_time_alone() {
    let Some(store) = Bucketed::start() else { return };
    let began = Instant::now();
    let accepted = create(&store.fleet.client(), 0..count(20, 100)).await;
    store.proxy.set(Mode::Down);
    tokio::time::sleep(Duration::from_secs(8)).await;
    let ends = store.settled(&accepted).await;
    assert_eq!(ends.completed, accepted.len(), "{ends}");
    store.end("i10, a store that is away for 8 s", began, &ends.to_string()).await;
}

/// Away for long: what waits for it ends as failed and is refunded, and nothing is completed that can't be fetched.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn i10_a_store_that_is_away_for_long_fails_what_waits_and_refunds_it() {
    let Some(store) = Bucketed::start() else { return };
    let began = Instant::now();
    let accepted = create(&store.fleet.client(), 0..count(20, 100)).await;
    store.proxy.set(Mode::Down);
    let refused = store.fleet.client().post("/api/generations", &super::small(1_000)).await;
    assert_eq!(refused.error(503, "unavailable"), "storage_unavailable");
    tokio::time::sleep(count(Duration::from_secs(8), Duration::from_secs(320))).await;
    let ends = store.settled(&accepted).await;
    // In the short run some may be left to be completed.
    assert_eq!(ends.completed + ends.failed, accepted.len(), "{ends}");
    let away = count(8, 320);
    store.end(&format!("i10, a store that is away for {away} s"), began, &ends.to_string()).await;
}
