//! Workers that are suspended or cut off return after other workers have done their jobs. Their late reports are
//! rejected.

use std::net::TcpListener;
use std::path::Path;
use std::time::{Duration, Instant};

use fleet::protocol::Verdict;
use serde_json::Value;

use super::fleet::{Fleet, queue, stop};
use super::job_log::JobLog;
use super::proxy::{Mode, Proxy};
use super::{create, settled, tell};
use crate::service::{Client, Worker, exchange, id};

/// Longer than a lease lasts without renewal.
const PAST_LEASE: Duration = Duration::from_secs(17);
/// Timeout for conditions that must become true.
const PATIENCE: Duration = Duration::from_secs(60);

/// The worker is suspended after it stored the image and before it sent the report. Only the answer to its report can
/// tell it that the job was granted to another worker.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn i6_a_report_that_comes_when_another_has_finished_is_refused() {
    let Some(fleet) = Fleet::start() else { return };
    let (began, client) = (Instant::now(), fleet.client());
    let (_tap, job_log) = JobLog::of(&fleet.queue.url);
    let sleeper = fleet.doomed("sleeper", "render: to report=1:stop");
    let accepted = create(&client, 0..1).await;
    until("it falls asleep", || sleeper.is_stopped()).await;
    let held = job_log.in_hand("sleeper");
    let [claim] = held.as_slice() else { panic!("it has one job: {held:?}") };
    let (store, mine) = (fleet.data.path().join("store"), format!("{:032x}", claim.nonce));
    assert_eq!(objects(&store, &mine), 2, "an image and a thumbnail are stored under its claim");

    let other = fleet.named("other", "1");
    let ends = settled(&client, &accepted).await;
    assert_eq!((ends.completed, ends.images), (1, 1), "{ends}");
    let (_, winner) = job_log.done(&claim.job.to_string()).expect("it is done");
    assert!(winner.epoch > claim.epoch && winner.nonce != claim.nonce, "{winner:?} after {claim:?}");
    assert_eq!(job_log.verdicts(*claim), [], "it sleeps");
    let before = images(&client, &accepted).await;

    sleeper.signal("CONT");
    until("it is answered", || !job_log.verdicts(*claim).is_empty()).await;
    assert!(
        job_log.verdicts(*claim).iter().all(|verdict| *verdict == Verdict::Refused),
        "{:?}",
        job_log.verdicts(*claim)
    );
    until("what it stored is swept", || objects(&store, &mine) == 0).await;
    assert_eq!(objects(&store, &format!("{:032x}", winner.nonce)), 2, "and nothing else is");
    assert_eq!(images(&client, &accepted).await, before, "what came late shows nowhere");
    assert_eq!(settled(&client, &accepted).await, ends);
    stop(other);
    stop(sleeper);
    tell("i6, a report that comes too late", began, &format!("1 report refused, 2 objects swept, {ends}"));
}

/// Waits until the condition holds.
async fn until(what: &str, holds: impl Fn() -> bool) {
    let until = Instant::now() + PATIENCE;
    while !holds() {
        assert!(Instant::now() < until, "{what}: not in {PATIENCE:?}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Returns how many files in the store have `part` in their path.
fn objects(store: &Path, part: &str) -> usize {
    let entries = std::fs::read_dir(store).unwrap().map(|entry| entry.unwrap().path());
    let count = |path: std::path::PathBuf| {
        // Folders may disappear during the walk.
        if path.is_dir() { objects(&path, part) } else { usize::from(path.to_string_lossy().contains(part)) }
    };
    entries.map(count).sum()
}

#[tokio::test]
async fn i6_a_worker_that_slept_past_its_lease_is_refused() {
    let Some(fleet) = Fleet::start() else { return };
    let (began, client) = (Instant::now(), fleet.client());
    let sleeper = Watched::start(&fleet, &fleet.queue.url);
    let accepted = create(&client, 0..60).await;
    fleet.until("it works", |shown| shown["busy"].as_u64() >= Some(1)).await;
    sleeper.worker.signal("STOP");
    let other = fleet.worker("1");
    let ends = settled(&client, &accepted).await;
    let before = images(&client, &accepted).await;
    sleeper.worker.signal("CONT");
    let told = sleeper.is_told().await;
    assert_eq!(images(&client, &accepted).await, before, "what came late shows nowhere");
    assert_eq!((settled(&client, &accepted).await, ends.completed), (ends.clone(), accepted.len()));
    stop(other);
    stop(sleeper.worker);
    tell("i6, a worker sleeps past its lease", began, &format!("{told} jobs taken from it, {ends}"));
}

#[tokio::test]
async fn i6_a_worker_that_was_cut_off_past_its_lease_is_refused() {
    let Some(queue) = queue() else { return };
    let (began, proxy, url) = (Instant::now(), Proxy::before(&queue.url), queue.url.clone());
    let fleet = Fleet::on(queue, &url, None);
    let client = fleet.client();
    let far = Watched::start(&fleet, &proxy.url);
    let accepted = create(&client, 0..60).await;
    fleet.until("it works", |shown| shown["busy"].as_u64() >= Some(1)).await;
    proxy.set(Mode::Silent);
    let cut = Instant::now();
    let near = fleet.worker("1");
    tokio::time::sleep(PAST_LEASE).await;
    let ends = settled(&client, &accepted).await;
    let before = images(&client, &accepted).await;
    // The delayed messages arrive now.
    proxy.set(Mode::Pass);
    let apart = cut.elapsed();
    let told = far.is_told().await;
    assert_eq!(images(&client, &accepted).await, before, "what came late shows nowhere");
    assert_eq!((settled(&client, &accepted).await, ends.completed), (ends.clone(), accepted.len()));
    // The worker can be used again.
    stop(near);
    let more = create(&client, 60..63).await;
    let ends = settled(&client, &more).await;
    assert_eq!(ends.completed, accepted.len() + more.len(), "{ends}");
    stop(far.worker);
    tell("i6, a partition", began, &format!("{apart:.1?} apart, {told} jobs taken from the far one, {ends}"));
}

/// Returns the id, path and size of each image.
async fn images(client: &Client, of: &[String]) -> Vec<(String, String, Value)> {
    let mut shown = Vec::new();
    for generation in of {
        let generation = client.generation(generation).await;
        for output in generation["outputs"].as_array().unwrap() {
            let path = output["imageUrl"].as_str().unwrap().split('?').next().unwrap().to_owned();
            shown.push((id(output).to_owned(), path, output["bytes"].clone()));
        }
    }
    shown
}

/// A worker that exposes the outcomes of its jobs as metrics.
struct Watched {
    worker: Worker,
    metrics: String,
}

impl Watched {
    fn start(fleet: &Fleet, queue: &str) -> Self {
        // The worker does not report which port it chose, so the test picks one.
        let metrics = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
        let worker = fleet.worker_at(queue, &[], &["--workers", "2", "--metrics-listen", &metrics]);
        Self { worker, metrics }
    }

    /// Waits until the worker notices that a job is no longer its own: from a refused request, or from missing answers.
    /// Returns the number of such jobs.
    async fn is_told(&self) -> u64 {
        let until = Instant::now() + Duration::from_secs(60);
        loop {
            let said =
                exchange(&self.metrics, b"GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").unwrap();
            let jobs = said.lines().filter(|line| line.starts_with("vivid_worker_jobs_total{"));
            let told =
                |line: &&str| ["refused", "lost", "unreported"].iter().any(|o| line.contains(&format!("\"{o}\"")));
            let count = |line: &str| line.rsplit_once(' ')?.1.parse::<u64>().ok();
            let taken = jobs.filter(told).filter_map(count).sum();
            if taken > 0 {
                return taken;
            }
            assert!(Instant::now() < until, "it believes that the job is its own: {said}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
}
