//! Health checks that run in the background, so that a health request returns the last results at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use bytes::Bytes;
use fleet::blobs::Blobs;
use fleet::room::Room;
use parking_lot::RwLock;
use serde::Serialize;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::clock::Millis;
use crate::queued::Queued;
use crate::state::{StateError, Store};

/// Interval between rounds of checks.
const EVERY: Duration = Duration::from_secs(5);
/// Rounds between probes of a healthy object store: a rented store charges for them.
const STORE_ROUNDS: u32 = 3;
/// Timeout of a write of the state to the disk, and of a put, get and delete of a probe in the object store.
const PATIENCE: Duration = Duration::from_secs(5);
/// A disk with less free space than this multiple of its reserve causes a warning.
const ROOMY: u64 = 4;
/// A job that waits longer than this causes a warning.
const LONG: Duration = Duration::from_secs(300);

/// Result of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Finding {
    /// Healthy.
    Ok,
    /// Requests are accepted, but an operator should look into it.
    Warning,
    /// Requests can't be accepted.
    Failed,
}

/// One check and its result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ReadinessCheck)]
pub struct Check {
    /// Name of the check: `state`, `objectStore`, `disk`, `workers`, `queue`.
    pub name: &'static str,
    /// The result.
    pub status: Finding,
    /// What is wrong; `null` if nothing is.
    #[schema(required)]
    pub message: Option<String>,
}

impl Check {
    fn of(name: &'static str, found: Result<(), (Finding, String)>) -> Self {
        match found {
            Ok(()) => Self { name, status: Finding::Ok, message: None },
            Err((status, message)) => Self { name, status, message: Some(message) },
        }
    }
}

/// The results of a round of checks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// The worst result of all checks.
    pub status: Finding,
    /// The individual checks.
    pub checks: Vec<Check>,
}

impl Report {
    fn of(checks: Vec<Check>) -> Self {
        let has = |finding| checks.iter().any(|c| c.status == finding);
        let status = match (has(Finding::Failed), has(Finding::Warning)) {
            (true, _) => Finding::Failed,
            (_, true) => Finding::Warning,
            _ => Finding::Ok,
        };
        Self { status, checks }
    }
}

/// The latest report. Clones share it.
#[derive(Debug, Clone)]
pub struct Health(Arc<RwLock<Arc<Report>>>);

impl Default for Health {
    /// Returns a report without checks.
    fn default() -> Self {
        Self(Arc::new(RwLock::new(Arc::new(Report::of(Vec::new())))))
    }
}

impl Health {
    /// Returns the report of the last round.
    pub fn report(&self) -> Arc<Report> {
        Arc::clone(&self.0.read())
    }

    fn set(&self, report: Report) {
        let before = std::mem::replace(&mut *self.0.write(), Arc::new(report.clone()));
        for check in &report.checks {
            let was = before.checks.iter().find(|c| c.name == check.name).map_or(Finding::Ok, |c| c.status);
            let message = check.message.as_deref().unwrap_or("well again");
            match check.status {
                status if status == was => {}
                Finding::Failed => tracing::error!(check = check.name, message, "check failed: not ready"),
                Finding::Warning => tracing::warn!(check = check.name, message, "check warns"),
                Finding::Ok => tracing::info!(check = check.name, message, "check recovered"),
            }
            crate::metrics::checked(check.name, check.status == Finding::Failed);
        }
    }
}

/// What the checks examine.
pub struct Watch {
    store: Store,
    blobs: Blobs,
    /// The disks with their reserves, by name.
    disks: Vec<(&'static str, Room)>,
    /// Number of running worker loops in this process; `None` if it should run none.
    loops: Option<Arc<AtomicUsize>>,
    queued: Queued,
    probe: String,
    /// A test write to the state that timed out and is still running.
    writing: Option<JoinHandle<Result<(), StateError>>>,
    store_found: Result<(), (Finding, String)>,
    rounds: u32,
}

impl Watch {
    /// Creates the checks. `disks` are the disks with their reserves, by name. `loops` counts the worker loops of this
    /// process, if it should run any.
    pub fn new(
        store: Store,
        blobs: Blobs,
        disks: Vec<(&'static str, Room)>,
        loops: Option<Arc<AtomicUsize>>,
        queued: Queued,
    ) -> Self {
        let probe = format!("probes/{}", Uuid::now_v7());
        Self { store, blobs, disks, loops, queued, probe, writing: None, store_found: Ok(()), rounds: 0 }
    }

    /// Runs the checks periodically until `stop` is cancelled.
    pub async fn run(mut self, health: Health, stop: CancellationToken) {
        loop {
            self.round(&health).await;
            tokio::select! {
                () = stop.cancelled() => return,
                () = tokio::time::sleep(EVERY) => {}
            }
        }
    }

    /// Runs all checks once.
    pub async fn round(&mut self, health: &Health) {
        if self.rounds.is_multiple_of(STORE_ROUNDS) || self.store_found.is_err() {
            self.store_found = self.object_store().await;
        }
        self.rounds = self.rounds.wrapping_add(1);
        let checks = vec![
            Check::of("state", self.state().await),
            Check::of("objectStore", self.store_found.clone()),
            Check::of("disk", self.disk()),
            Check::of("workers", self.workers()),
            Check::of("queue", self.queue()),
        ];
        health.set(Report::of(checks));
    }

    /// Checks that a write reaches the disk.
    async fn state(&mut self) -> Result<(), (Finding, String)> {
        let failed = |why: String| Err((Finding::Failed, why));
        if let Err(e) = self.store.writable() {
            return failed(format!("Nothing can be written: {e}."));
        }
        let mut writing = match self.writing.take() {
            Some(still) => still,
            None => {
                let store = self.store.clone();
                tokio::spawn(async move { store.run(|s| s.prove(Millis::now())).await })
            }
        };
        match timeout(PATIENCE, &mut writing).await {
            Ok(Ok(Ok(()))) => Ok(()),
            Ok(Ok(Err(e))) => failed(format!("A write failed: {e}.")),
            Ok(Err(e)) => failed(format!("A write failed: {e}.")),
            Err(_) => {
                // Check this write again next time, instead of starting another one behind it.
                self.writing = Some(writing);
                failed(format!("A write takes longer than {} s.", PATIENCE.as_secs()))
            }
        }
    }

    /// Checks that the object store can store, return and delete an object.
    async fn object_store(&self) -> Result<(), (Finding, String)> {
        let bytes = Bytes::copy_from_slice(self.probe.as_bytes());
        let probe = async {
            self.blobs.put_object(&self.probe, bytes.clone(), "application/octet-stream").await?;
            let there = self.blobs.get_object(&self.probe).await?.bytes().await?;
            self.blobs.delete(&self.probe).await?;
            Ok::<_, fleet::blobs::BlobError>(there == bytes)
        };
        let why = match timeout(PATIENCE, probe).await {
            Ok(Ok(true)) => return Ok(()),
            Ok(Ok(false)) => "It gives other bytes than it was given.".into(),
            Ok(Err(e)) if e.is_of_the_clock() => match &*self.blobs.clock().borrow() {
                Some(why) => format!("The clock is wrong: {why}."),
                None => format!("A probe failed: {e}."),
            },
            Ok(Err(e)) => format!("A probe failed: {e}."),
            Err(_) => format!("A probe takes longer than {} s.", PATIENCE.as_secs()),
        };
        Err((Finding::Failed, why))
    }

    fn disk(&self) -> Result<(), (Finding, String)> {
        let mut low = None;
        for (name, room) in &self.disks {
            let Ok(free) = room.free() else { continue };
            let said = format!(
                "The disk of the {name} has {} MiB left, and {} MiB are kept free.",
                free >> 20,
                room.reserve() >> 20
            );
            if room.check(0).is_err() {
                return Err((Finding::Failed, said));
            }
            if free < room.reserve().saturating_mul(ROOMY) {
                low = Some(said);
            }
        }
        low.map_or(Ok(()), |said| Err((Finding::Warning, said)))
    }

    fn workers(&self) -> Result<(), (Finding, String)> {
        match &self.loops {
            Some(loops) if loops.load(Ordering::Relaxed) == 0 => {
                Err((Finding::Warning, "No worker loop runs; jobs wait.".into()))
            }
            _ => Ok(()),
        }
    }

    /// A faulty queue is only a warning: requests are accepted, and their jobs wait in the state.
    fn queue(&self) -> Result<(), (Finding, String)> {
        if let Some(why) = self.queued.trouble() {
            return Err((Finding::Warning, format!("{why} What is asked for is accepted and waits.")));
        }
        match self.queued.oldest() {
            Some(age) if age > LONG => {
                Err((Finding::Warning, format!("The oldest job has waited for {} s.", age.as_secs())))
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU64;

    use fleet::queue::QueueError;

    use super::*;
    use crate::queued::Asked;

    struct Bench {
        _folder: tempfile::TempDir,
        free: Arc<AtomicU64>,
        loops: Arc<AtomicUsize>,
        watch: Watch,
        health: Health,
    }

    fn bench(blobs: Blobs) -> Bench {
        let (folder, free) = (tempfile::tempdir().unwrap(), Arc::new(AtomicU64::new(1 << 40)));
        let told = Arc::clone(&free);
        let room = Room::told(move || Ok(told.load(Ordering::Relaxed)), 1 << 20);
        let store = Store::open_in(folder.path(), Default::default(), room.clone()).unwrap();
        let loops = Arc::new(AtomicUsize::new(1));
        let watch = Watch::new(store, blobs, vec![("state", room)], Some(Arc::clone(&loops)), Queued::default());
        Bench { _folder: folder, free, loops, watch, health: Health::default() }
    }

    impl Bench {
        /// Returns the overall result, and the result of the check with this name.
        async fn look(&mut self, name: &str) -> (Finding, Finding) {
            self.watch.round(&self.health).await;
            let report = self.health.report();
            let check = report.checks.iter().find(|c| c.name == name).unwrap();
            assert_eq!(check.message.is_some(), check.status != Finding::Ok, "{check:?}");
            (report.status, check.status)
        }
    }

    #[tokio::test]
    async fn a_sound_service_is_well() {
        let mut b = bench(Blobs::memory());
        assert_eq!(b.look("state").await, (Finding::Ok, Finding::Ok));
        assert_eq!(b.health.report().checks.len(), 5);
        assert!(b.watch.blobs.get_object(&b.watch.probe).await.is_err(), "the probe is removed");
    }

    #[tokio::test]
    async fn a_full_disk_is_not_ready_and_recovers() {
        let mut b = bench(Blobs::memory());
        b.free.store((2 << 20) - 1, Ordering::Relaxed);
        assert_eq!(b.look("disk").await, (Finding::Warning, Finding::Warning));
        b.free.store((1 << 20) - 1, Ordering::Relaxed);
        assert_eq!(b.look("disk").await, (Finding::Failed, Finding::Failed));
        assert_eq!(b.look("state").await.1, Finding::Failed);
        b.free.store(1 << 40, Ordering::Relaxed);
        assert_eq!(b.look("state").await, (Finding::Ok, Finding::Ok));
    }

    #[tokio::test]
    async fn an_object_store_that_is_gone_is_not_ready() {
        let folder = tempfile::tempdir().unwrap();
        let blobs = Blobs::local(&folder.path().join("store")).unwrap();
        let mut b = bench(blobs);
        assert_eq!(b.look("objectStore").await.1, Finding::Ok);
        // A file in place of the folder makes every operation fail at once.
        std::fs::remove_dir_all(folder.path().join("store")).unwrap();
        std::fs::write(folder.path().join("store"), b"").unwrap();
        b.watch.rounds = 0;
        assert_eq!(b.look("objectStore").await, (Finding::Failed, Finding::Failed));
        std::fs::remove_file(folder.path().join("store")).unwrap();
        std::fs::create_dir(folder.path().join("store")).unwrap();
        assert_eq!(b.look("objectStore").await, (Finding::Ok, Finding::Ok), "looked at again at once");
    }

    #[tokio::test]
    async fn a_queue_that_takes_nothing_is_a_warning_until_it_does() {
        let mut b = bench(Blobs::memory());
        let refused = |why: &str| Err::<(), _>(QueueError(why.into()));
        b.watch.queued.note(Asked::Publish, &refused("insufficient resources"));
        assert_eq!(b.look("queue").await, (Finding::Warning, Finding::Warning));
        let message = |b: &Bench| b.health.report().checks.last().unwrap().message.clone().unwrap_or_default();
        assert!(message(&b).contains("out of storage (queue: insufficient resources)"), "{}", message(&b));
        b.watch.queued.note(Asked::Publish, &Ok(()));
        b.watch.queued.note(Asked::Prepare, &refused("no responders"));
        assert_eq!(b.look("queue").await, (Finding::Warning, Finding::Warning));
        assert!(message(&b).contains("can't be used (queue: no responders)"), "{}", message(&b));
        b.watch.queued.note(Asked::Prepare, &Ok(()));
        assert_eq!(b.look("queue").await, (Finding::Ok, Finding::Ok));
    }

    #[tokio::test]
    async fn missing_workers_are_a_warning() {
        let mut b = bench(Blobs::memory());
        b.loops.store(0, Ordering::Relaxed);
        assert_eq!(b.look("workers").await, (Finding::Warning, Finding::Warning));
        b.watch.loops = None;
        assert_eq!(b.look("workers").await, (Finding::Ok, Finding::Ok), "none were asked for");
    }
}
