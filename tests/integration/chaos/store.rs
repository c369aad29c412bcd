//! The object store is slow, fails occasionally, truncates responses, lies, or is unreachable: retries are bounded, and
//! completed images can be downloaded, even during the fault.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::fleet::{Fleet, Load, or_passed_over, queue, stop};
use super::proxy::{Done, Mode, Proxy};
use super::{Ends, PATIENCE, count, create, has_ended, listed, seed, settled, small, tell};
use crate::image;
use crate::service::{Client, Worker};
use crate::storage::Storage;

/// Maximum number of tries of a call to the store. A fault may multiply the number of requests by at most this factor.
const TRIES: u64 = 5;
/// Maximum number of times a client requests an image that it can't get completely.
const FETCHES: usize = 20;
/// Interval between two requests of a load.
const EVERY: Duration = Duration::from_millis(50);
/// How long the store is unreachable in a short and in a long run. The long one exceeds the five minutes that the
/// service waits, plus a round of all jobs.
const AWAY: [Duration; 2] = [Duration::from_secs(8), Duration::from_secs(420)];

/// A fleet with a bucket, and the proxy in front of it.
struct Bucketed {
    fleet: Fleet,
    proxy: Proxy,
    workers: [Worker; 2],
    /// Number of requests for a small generation without faults, including those of the test's downloads.
    each: u64,
    _storage: Storage,
}

impl Bucketed {
    async fn start() -> Option<Self> {
        let (queue, storage) = (queue()?, or_passed_over("SeaweedFS", Storage::start())?);
        let (proxy, url) = (Proxy::before(&storage.url), queue.url.clone());
        let fleet = Fleet::on(queue, &url, Some(&proxy.url));
        let workers = [fleet.worker("2"), fleet.worker("2")];
        let mut store = Self { fleet, proxy, workers, each: 0, _storage: storage };
        let well = create(&store.fleet.client(), 90_000..90_002).await;
        store.watched(&well).await;
        let ends = settled(&store.fleet.client(), &well).await;
        assert_eq!(ends.completed, well.len(), "{ends}");
        store.each = store.proxy.done().all().div_ceil(well.len() as u64);
        Some(store)
    }

    /// Creates generations during a fault and waits until they end. Returns them, and what the fault did.
    async fn under(&self, mode: Mode, jobs: u64) -> (Vec<String>, Done) {
        let before = self.proxy.done();
        self.proxy.set(mode);
        let load = Load::begin(&self.fleet, EVERY, jobs);
        while !load.has_ended() {
            tokio::time::sleep(EVERY).await;
        }
        let accepted = load.end().await;
        self.watched(&accepted).await;
        (accepted, self.proxy.done().since(&before))
    }

    /// Waits until all of these have ended. Downloads every image as soon as its generation is completed, even during
    /// the fault.
    async fn watched(&self, accepted: &[String]) {
        let client = self.fleet.client();
        let (mut seen, until) = (BTreeSet::new(), Instant::now() + count(1, 4) * PATIENCE);
        while seen.len() < accepted.len() {
            for (id, shown) in listed(&client).await {
                if !accepted.contains(&id) || !has_ended(&shown) || !seen.insert(id.clone()) {
                    continue;
                }
                for output in client.generation(&id).await["outputs"].as_array().unwrap() {
                    fetched_at_last(&client, output).await;
                }
            }
            let left = accepted.len() - seen.len();
            assert!(Instant::now() < until, "seed {}: {left} of {} have not ended", seed(), accepted.len());
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    /// Asserts that the number of requests is bounded, and that the fault hit at least `least` percent of them.
    fn in_bounds(&self, done: &Done, jobs: usize, hurt: u64, least: u64) {
        let (all, most) = (done.all(), TRIES * self.each * jobs as u64);
        assert!(hurt * 100 >= least * all, "seed {}: the fault was not there: {done}", seed());
        assert!(all <= most, "seed {}: {all} requests for {jobs} jobs of {} each: {done}", seed(), self.each);
    }

    /// Ends the fault and checks that every generation was completed or refunded.
    async fn settled(&self, accepted: &[String]) -> Ends {
        self.proxy.set(Mode::Pass);
        settled(&self.fleet.client(), accepted).await
    }

    /// Checks that the service works normally again.
    async fn end(self, what: &str, began: Instant, figures: &str) {
        let client = self.fleet.client();
        let before = settled(&client, &[]).await;
        let more = create(&client, 50_000..50_002).await;
        let after = settled(&client, &more).await;
        assert_eq!(after.completed, before.completed + more.len(), "it goes on by itself: {before}, {after}");
        self.workers.into_iter().for_each(|worker| _ = stop(worker));
        tell(what, began, figures);
    }
}

/// Checks that the image and thumbnail of an output can be downloaded, if necessary in several tries. A complete
/// download must match its description, and none may be missing.
async fn fetched_at_last(client: &Client, output: &Value) {
    for url in ["imageUrl", "thumbnailUrl"] {
        let mut whole = None;
        for _ in 0..FETCHES {
            match client.send(client.request("GET", output[url].as_str().unwrap())).await {
                Ok(answer) if answer.status == 200 => {
                    whole = Some(answer.body);
                    break;
                }
                // The download broke off, or the store could not be read at the moment.
                Err(_) => {}
                Ok(answer) if answer.status == 503 => {}
                Ok(answer) => panic!("seed {}: {} for {url} of {output:#}", seed(), answer.status),
            }
        }
        let body = whole.unwrap_or_else(|| panic!("seed {}: {url} can't be had: {output:#}", seed()));
        let pixels = image::decode(&body).unwrap_or_else(|e| {
            panic!("seed {}: {url} is no image, but {} bytes of it: {e}: {output:#}", seed(), body.len())
        });
        if url == "imageUrl" {
            assert_eq!(output["bytes"], body.len(), "seed {}: {output:#}", seed());
            assert_eq!((&output["width"], &output["height"]), (&json!(pixels.width), &json!(pixels.height)));
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn i10_a_store_that_takes_five_seconds_is_slow_and_nothing_else() {
    let Some(store) = Bucketed::start().await else { return };
    let began = Instant::now();
    let (accepted, done) = store.under(Mode::Slow(Duration::from_secs(5)), count(2, 20)).await;
    store.in_bounds(&done, accepted.len(), done.slowed, 80);
    let ends = store.settled(&accepted).await;
    assert_eq!(ends.completed, accepted.len() + 2, "{ends}");
    store.end("i10, a store that is slow (5 s)", began, &format!("{done}, {ends}")).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn i10_a_store_that_fails_three_times_in_ten_is_asked_again() {
    let Some(store) = Bucketed::start().await else { return };
    let began = Instant::now();
    let (accepted, done) = store.under(Mode::Failing(30), count(30, 500)).await;
    store.in_bounds(&done, accepted.len(), done.failed, 20);
    let ends = store.settled(&accepted).await;
    // With five tries per call and three claims per job, chance alone does not fail a tenth of them.
    assert!(ends.completed * 10 >= accepted.len() * 9, "{ends}");
    store.end("i10, a store that fails (30 %)", began, &format!("{done}, {ends}")).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn i10_a_store_that_breaks_answers_off_completes_nothing_falsely() {
    let Some(store) = Bucketed::start().await else { return };
    let began = Instant::now();
    let (accepted, done) = store.under(Mode::Cutting(30), count(20, 300)).await;
    store.in_bounds(&done, accepted.len(), done.cut, 20);
    let ends = store.settled(&accepted).await;
    assert!(ends.completed * 10 >= accepted.len() * 9, "{ends}");
    store.end("i10, a store that breaks off answers (30 %)", began, &format!("{done}, {ends}")).await;
}

/// The store confirms objects that are lost or truncated. Images are verified before they are completed. Texts and
/// pages are not; if one is missing, the generation fails and is refunded.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn i10_a_store_that_lies_completes_nothing_falsely() {
    let Some(store) = Bucketed::start().await else { return };
    let began = Instant::now();
    let (accepted, done) = store.under(Mode::Lying(20), count(30, 300)).await;
    let puts_a_job = 2;
    let lies = done.lost + done.shortened;
    assert!(lies * 10 >= accepted.len() as u64 * puts_a_job, "seed {}: it did not lie: {done}", seed());
    assert!(done.lost > 0 && done.shortened > 0, "seed {}: in one way alone: {done}", seed());
    store.in_bounds(&done, accepted.len(), lies, 0);
    let ends = store.settled(&accepted).await;
    assert!(ends.completed * 20 >= accepted.len() * 19, "seed {}: what is not there is put again: {ends}", seed());
    store.end("i10, a store that lies (20 % of what is put)", began, &format!("{done}, {ends}")).await;
}

/// A short outage with many jobs: no job is lost.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn i10_a_store_that_is_away_for_a_moment_costs_many_time_alone() {
    away_for_a_moment(count(20, 100)).await;
}

/// A short outage with so few jobs that each of them reaches its last try during the outage.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn i10_a_store_that_is_away_for_a_moment_costs_two_time_alone() {
    away_for_a_moment(2).await;
}

async fn away_for_a_moment(jobs: u64) {
    let Some(store) = Bucketed::start().await else { return };
    let (began, before) = (Instant::now(), store.proxy.done());
    let accepted = create(&store.fleet.client(), 0..jobs).await;
    store.proxy.set(Mode::Down);
    tokio::time::sleep(AWAY[0]).await;
    let done = store.proxy.done().since(&before);
    assert!(done.refused > 0, "nobody asked for it: {done}");
    let ends = store.settled(&accepted).await;
    assert_eq!(ends.completed, accepted.len() + 2, "{ends}");
    let done = store.proxy.done().since(&before);
    store.in_bounds(&done, accepted.len(), done.refused, 0);
    store.end(&format!("i10, a store that is away for {:?}", AWAY[0]), began, &format!("{done}, {ends}")).await;
}

/// A long outage: waiting jobs fail and are refunded during the outage, and nothing is completed that can't be
/// downloaded.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn i10_a_store_that_is_away_for_long_fails_what_waits_and_refunds_it() {
    let Some(store) = Bucketed::start().await else { return };
    let (began, client, before) = (Instant::now(), store.fleet.client(), store.proxy.done());
    let accepted = create(&client, 0..count(20, 100)).await;
    store.proxy.set(Mode::Down);
    let away = Instant::now();
    let refused = client.post("/api/generations", &small(1_000)).await;
    assert_eq!(refused.error(503, "unavailable"), "storage_unavailable");
    let [short, long] = AWAY;
    let time = count(short, long);
    tokio::time::sleep(time).await;
    let done = store.proxy.done().since(&before);
    assert!(done.refused > 0, "nobody asked for it: {done}");
    // Every minute of the outage may cost the same number of requests again.
    store.in_bounds(&done, accepted.len() * (1 + time.as_secs() as usize / 60), done.refused, 0);
    let mut ended = String::new();
    if time == long {
        let open: Vec<_> = listed(&client).await.into_values().filter(|g| !has_ended(g)).collect();
        assert!(open.is_empty(), "{} are open after {:?}: {:#?}", open.len(), away.elapsed(), open.first());
        assert_eq!(client.get("/api/credits/balance").await.json()["reserved"], 0, "all of it is refunded");
        ended = format!("all ended after {:.0?}, ", away.elapsed());
    }
    let ends = store.settled(&accepted).await;
    // In the short run, some generations may be completed after the outage.
    assert_eq!(ends.completed + ends.failed, accepted.len() + 2, "{ends}");
    store.end(&format!("i10, a store that is away for {time:?}"), began, &format!("{ended}{done}, {ends}")).await;
}
