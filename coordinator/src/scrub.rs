//! The scrub: repeatedly reads all stored objects and compares them with their hashes. It finds damage before a client
//! asks for the object, while a copy or a page to recreate it still exists.
//!
//! A pass reads every image and thumbnail that a row references, then every blob, at a limited rate. It waits while
//! jobs are open or images are being read, unless it falls behind schedule. Its progress is stored in the state, so it
//! resumes there after a restart. Damaged images are rendered again ([`crate::integrity`]). A damaged blob can only be
//! restored by someone who has a copy, so the scrub counts it and logs its name.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use fleet::blobs::BlobError;
use fleet::protocol::BlobId;
use futures::TryStreamExt;
use tokio::sync::Notify;
use tokio::time::{Instant, sleep, sleep_until};
use tokio_util::sync::CancellationToken;

use crate::clock::Millis;
use crate::integrity::{self, Examined, Found, Integrity, Unsound};
use crate::metrics;
use crate::state::{Pass, ScrubAt, ScrubProgress, StateError, Store, UNTOLD};

/// Delay from the start of the process to the first check.
const FIRST: Duration = Duration::from_secs(10);
/// Interval between checks of whether a pass is due and how many repairs there are.
const LOOK_EVERY: Duration = Duration::from_secs(15);
/// Pause after an error of the store or the state.
const PAUSE: Duration = Duration::from_secs(30);
/// Interval between writes of the progress, which limits what a restart repeats.
const NOTE_EVERY: Duration = Duration::from_secs(20);
/// The scrub continues once no image was read for this long.
const QUIET: Duration = Duration::from_millis(500);
/// Interval between checks for that.
const QUIET_LOOK: Duration = Duration::from_millis(250);
/// Outputs whose images are looked up at once.
const OUTPUTS: usize = 32;
/// The share of a pass's time that is planned for images. The rest is for blobs, which are far smaller.
const IMAGES_SHARE: f64 = 0.9;
/// Number of repairs in progress above which the scrub pauses until they are done.
const REPAIRS: u64 = 64;

/// Seconds per day.
const DAY_S: u64 = 24 * 3600;

/// The scrub. Clones share it.
#[derive(Clone)]
pub struct Scrub {
    integrity: Integrity,
    /// Maximum number of bytes read per second.
    rate: u64,
    /// Time from the start of a pass to the start of the next; zero starts passes only on command.
    period: Duration,
    /// Notified by [`Self::begin`].
    asked: Arc<Notify>,
}

/// Why a pass stopped early. It resumes where it stopped.
#[derive(Debug, thiserror::Error)]
enum Stopped {
    #[error(transparent)]
    State(#[from] StateError),
    #[error(transparent)]
    Unsound(#[from] Unsound),
    #[error(transparent)]
    Blob(#[from] BlobError),
    #[error("the service stops")]
    Ending,
}

/// Number of consecutive unreadable objects after which the store counts as unavailable.
const STORE_IS_AWAY: u32 = 5;

/// A pass in progress.
struct Run<'a> {
    scrub: &'a Scrub,
    stop: &'a CancellationToken,
    pass: Pass,
    at: ScrubAt,
    outputs: u64,
    done: u64,
    last: Option<Pass>,
    /// Whether the pass was requested and so doesn't wait for a quiet moment.
    hurried: bool,
    /// Earliest time at which the bytes read so far respect the rate.
    paid_until: Instant,
    noted: Instant,
    /// Objects and bytes read since the metrics were last updated.
    read: (u64, u64),
    /// Number of consecutive unreadable objects.
    unreadable: u32,
}

impl Scrub {
    /// Creates a scrub that reads up to `mib_s` MiB per second and starts a pass every `days` days; 0 starts passes
    /// only on command.
    pub fn new(integrity: Integrity, mib_s: u32, days: u32) -> Self {
        let period = Duration::from_secs(u64::from(days) * DAY_S);
        Self { integrity, rate: u64::from(mib_s) << 20, period, asked: Arc::new(Notify::new()) }
    }

    /// Returns the progress.
    ///
    /// # Errors
    /// [`StateError`].
    pub async fn progress(&self) -> Result<ScrubProgress, StateError> {
        self.store().run(Store::scrub_progress).await
    }

    /// Starts a pass now, or speeds up the current one: it no longer waits for quiet moments, but it keeps to its rate.
    pub fn begin(&self) {
        self.asked.notify_one();
    }

    /// Runs the scrub until `stop` is cancelled.
    pub async fn run(self, stop: CancellationToken) {
        let (mut wait, mut hurried) = (FIRST, false);
        loop {
            tokio::select! {
                () = stop.cancelled() => return,
                () = self.asked.notified() => hurried = true,
                () = sleep(wait) => {}
            }
            wait = match self.look(hurried, &stop).await {
                Ok(()) => {
                    hurried = false;
                    LOOK_EVERY
                }
                Err(Stopped::Ending) => return,
                Err(error) => {
                    tracing::warn!(%error, "scrub interrupted; it resumes in 30 s");
                    PAUSE
                }
            };
        }
    }

    /// Runs a pass if one is due, in progress or requested.
    async fn look(&self, hurried: bool, stop: &CancellationToken) -> Result<(), Stopped> {
        let (under_way, failed) = self.store().run(Store::repairs).await?;
        metrics::repairs(under_way, failed);
        let ScrubProgress { now: begun, last } = self.progress().await?;
        let now = Millis::now();
        // Before the first pass has ended, count the time since it started.
        let since = last.map(|pass| pass.ended).or(begun.as_ref().map(|(pass, ..)| pass.began)).unwrap_or(now);
        metrics::scrub_passes(self.period, since);
        let age = |pass: Pass| Duration::from_millis(u64::try_from(now.0 - pass.began.0).unwrap_or(0));
        let is_due = !self.period.is_zero() && last.is_none_or(|pass| age(pass) >= self.period);
        if !(hurried || is_due || begun.is_some()) {
            return Ok(());
        }
        let (pass, at, outputs, done) = match begun {
            Some(begun) => begun,
            None => {
                let outputs = self.store().run(Store::count_outputs).await?;
                (Pass { began: now, ..Pass::default() }, ScrubAt::Images(Vec::new()), outputs, 0)
            }
        };
        let (paid_until, noted, read) = (Instant::now(), Instant::now(), (0, 0));
        let mut run =
            Run { scrub: self, stop, pass, at, outputs, done, last, hurried, paid_until, noted, read, unreadable: 0 };
        let ended = run.go().await;
        run.note(ended.is_ok()).await?;
        ended
    }

    fn store(&self) -> &Store {
        self.integrity.store()
    }
}

impl Run<'_> {
    /// Runs the pass to its end.
    async fn go(&mut self) -> Result<(), Stopped> {
        while let ScrubAt::Images(after) = self.at.clone() {
            let some = self.scrub.store().run(move |store| store.images_after(&after, OUTPUTS)).await?;
            let Some((last, _)) = some.last() else {
                self.at = ScrubAt::Blobs(0);
                break;
            };
            let last = last.clone();
            for (key, objects) in some {
                for object in objects {
                    self.turn().await?;
                    self.object(&object).await?;
                }
                self.done += 1;
                self.at = ScrubAt::Images(key);
            }
            self.at = ScrubAt::Images(last);
        }
        let named = self.named().await?;
        while let ScrubAt::Blobs(first) = self.at {
            self.blobs(first, &named).await?;
            match first.checked_add(1) {
                Some(next) => self.at = ScrubAt::Blobs(next),
                None => break,
            }
        }
        Ok(())
    }

    async fn object(&mut self, key: &str) -> Result<(), Stopped> {
        match self.scrub.integrity.examine(key, Found::Scrub).await {
            Ok(Examined::Sound(metadata)) => self.count(metadata.bytes),
            Ok(Examined::Damaged(_)) => {
                self.count(0);
                self.pass.damaged += 1;
            }
            Ok(Examined::Unnamed) => {}
            Err(Unsound::Blob(error)) => return self.unreadable(error),
            Err(error) => return Err(error.into()),
        }
        self.unreadable = 0;
        Ok(())
    }

    /// Counts an unreadable object as damaged, unless the store is unavailable: it times out, or several objects in a
    /// row can't be read.
    fn unreadable(&mut self, error: BlobError) -> Result<(), Stopped> {
        self.unreadable += 1;
        if self.unreadable >= STORE_IS_AWAY || matches!(error, BlobError::TimedOut(_)) {
            return Err(error.into());
        }
        self.count(0);
        self.pass.damaged += 1;
        integrity::blob_damaged(&error, Found::Scrub);
        Ok(())
    }

    /// Checks the blobs whose names begin with `first`, and looks for missing ones among those in `named`.
    async fn blobs(&mut self, first: u8, named: &HashSet<BlobId>) -> Result<(), Stopped> {
        let there: Vec<(BlobId, _)> = self.scrub.integrity.blobs().blobs_in(first).try_collect().await?;
        let listed: HashSet<BlobId> = there.iter().map(|(id, _)| *id).collect();
        let is_missing = |id: &&BlobId| id.0[0] == first && !listed.contains(*id);
        let mut missing: HashSet<BlobId> = named.iter().filter(is_missing).copied().collect();
        for (id, metadata) in there {
            self.turn().await?;
            match self.scrub.integrity.blobs().check_blob(&id).await {
                Ok(_) => {
                    self.unreadable = 0;
                    self.count(metadata.bytes);
                }
                // Either the blob was removed because nothing referenced it, or it is missing although it is
                // referenced.
                Err(BlobError::NotFound(_)) => drop(missing.insert(id)),
                Err(error @ (BlobError::Damaged(_) | BlobError::TooLarge { .. })) => {
                    self.count(metadata.bytes);
                    self.pass.damaged += 1;
                    integrity::blob_damaged(&error, Found::Scrub);
                }
                Err(error) => self.unreadable(error)?,
            }
        }
        self.missing(missing).await
    }

    /// Reports the missing blobs that rows still reference.
    async fn missing(&mut self, missing: HashSet<BlobId>) -> Result<(), Stopped> {
        if missing.is_empty() {
            return Ok(());
        }
        let named = self.named().await?;
        for id in missing.iter().filter(|id| named.contains(*id)) {
            if let Err(error @ BlobError::NotFound(_)) = self.scrub.integrity.blobs().check_blob(id).await {
                self.pass.damaged += 1;
                integrity::blob_damaged(&error, Found::Scrub);
            }
        }
        Ok(())
    }

    /// Returns the blobs that rows reference.
    async fn named(&self) -> Result<HashSet<BlobId>, StateError> {
        let mut named = self.scrub.store().run(Store::gc_roots).await?.blobs;
        named.remove(&UNTOLD);
        Ok(named)
    }

    fn count(&mut self, bytes: u64) {
        self.pass.objects += 1;
        self.pass.bytes += bytes;
        self.read.0 += 1;
        self.read.1 += bytes;
        #[expect(clippy::cast_precision_loss, reason = "a time; bytes of an object and rates stay far below 2^53")]
        let time = Duration::from_secs_f64(bytes as f64 / self.scrub.rate.max(1) as f64);
        self.paid_until = self.paid_until.max(Instant::now()) + time;
    }

    /// Waits until the next object may be read.
    async fn turn(&mut self) -> Result<(), Stopped> {
        if self.noted.elapsed() >= NOTE_EVERY {
            self.note(false).await?;
        }
        let until = self.paid_until;
        self.unless_stopped(sleep_until(until)).await?;
        loop {
            let store = self.scrub.store();
            let (repairs, failed) = store.run(Store::repairs).await?;
            metrics::repairs(repairs, failed);
            let quiet =
                self.hurried || self.is_behind() || (store.backlog() == 0 && self.scrub.integrity.is_quiet(QUIET));
            if quiet && repairs < REPAIRS {
                return Ok(());
            }
            self.unless_stopped(sleep(QUIET_LOOK)).await?;
        }
    }

    async fn unless_stopped(&mut self, wait: impl Future<Output = ()>) -> Result<(), Stopped> {
        tokio::select! {
            () = self.stop.cancelled() => return Err(Stopped::Ending),
            () = self.scrub.asked.notified() => self.hurried = true,
            () = wait => {}
        }
        Ok(())
    }

    /// Returns whether the pass is behind schedule.
    #[expect(clippy::cast_precision_loss, reason = "a share; counts stay far below 2^53")]
    fn is_behind(&self) -> bool {
        let done = match self.at {
            ScrubAt::Images(_) => IMAGES_SHARE * self.done as f64 / self.outputs.max(1) as f64,
            ScrubAt::Blobs(first) => IMAGES_SHARE + (1.0 - IMAGES_SHARE) * f64::from(first) / 256.0,
        };
        let age = Duration::from_millis(u64::try_from(Millis::now().0 - self.pass.began.0).unwrap_or(0));
        !self.scrub.period.is_zero()
            && age.as_secs_f64() > self.scrub.period.as_secs_f64() * done + NOTE_EVERY.as_secs_f64()
    }

    /// Stores the progress, or the end of the pass.
    async fn note(&mut self, ended: bool) -> Result<(), StateError> {
        let (objects, bytes) = std::mem::take(&mut self.read);
        metrics::scrubbed(objects, bytes);
        self.noted = Instant::now();
        let progress = if ended {
            let pass = Pass { ended: Millis::now(), ..self.pass };
            let Pass { objects, bytes, damaged, .. } = pass;
            tracing::info!(objects, bytes, damaged, "scrub pass completed");
            metrics::scrub_passes(self.scrub.period, pass.ended);
            ScrubProgress { now: None, last: Some(pass) }
        } else {
            ScrubProgress { now: Some((self.pass, self.at.clone(), self.outputs, self.done)), last: self.last }
        };
        self.scrub.store().run(move |store| store.note_scrub(&progress)).await
    }
}

#[cfg(test)]
#[path = "scrub_tests.rs"]
mod tests;
