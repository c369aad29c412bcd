//! Makes commits durable. One thread flushes the journal for everybody who waits: one flush covers all commits before it. The
//! same thread flushes the database now and then, so that a start has little to replay: two flushes at once can deadlock
//! in sled.
//!
//! While the disk has no room, commits are refused before they begin. If a write fails all the same, no further commit is
//! taken; the same thread then opens the state anew, as soon as there is room, and reads go on until it does.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SendError, Sender, channel, sync_channel};
use std::time::{Duration, Instant};

use fleet::failpoint::failpoint;
use fleet::room::Room;

use super::StateError;
use super::ballast::Ballast;
use super::table::Tables;
use crate::meters;

/// Somebody who waits for a flush.
struct Waiter {
    /// How many commits wait with it.
    commits: usize,
    /// Whether the database is to be flushed too.
    whole: bool,
    told: Told,
}

/// What follows a flush, on the committing thread: it must be quick and not panic.
type Told = Box<dyn FnOnce(Result<(), StateError>) + Send>;

/// How long a flush waits for commits that are under way.
const GATHER: Duration = Duration::from_millis(2);
/// Between looks at a state that failed.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// Between flushes of the database. A start replays the commits since the last one, at most.
const CHECKPOINT_EVERY: Duration = Duration::from_secs(2);

/// What the committing thread works on.
pub(super) struct Work {
    pub(super) tables: Arc<Tables>,
    pub(super) room: Room,
    pub(super) ballast: Ballast,
    /// Opens the database anew, and follows with whatever was read from it.
    pub(super) reopen: Box<dyn Fn() -> Result<(), StateError> + Send>,
}

/// The door to the committing thread, which ends with it.
#[derive(Debug, Clone)]
pub(super) struct Committer {
    waiting: Sender<Waiter>,
    /// Commits that may be visible and not yet on the disk.
    under_way: Arc<AtomicUsize>,
    room: Room,
}

/// A commit from before its transaction until after its flush.
pub(super) struct UnderWay(Arc<AtomicUsize>);

impl UnderWay {
    fn new(count: &Arc<AtomicUsize>) -> Self {
        count.fetch_add(1, Ordering::SeqCst);
        Self(Arc::clone(count))
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Committer {
    pub(super) fn start(work: Work) -> Result<Self, StateError> {
        let (waiting, waiters) = channel();
        let (room, under_way) = (work.room.clone(), Arc::<AtomicUsize>::default());
        let beside = Arc::clone(&under_way);
        std::thread::Builder::new()
            .name("committer".into())
            .spawn(move || run(&work, &waiters, &beside))
            .map_err(|e| StateError::Storage(e.to_string()))?;
        Ok(Self { waiting, under_way, room })
    }

    /// Runs a transaction and returns when it is on the disk. Blocks. `stands` is told what a transaction that went
    /// through came to, on the disk or not: it is visible then, and whatever keeps count must follow.
    pub(super) fn commit<T>(
        &self,
        tables: &Tables,
        transaction: impl FnOnce() -> Result<T, StateError>,
        stands: impl FnOnce(&T),
    ) -> Result<T, StateError> {
        let (result, _under_way) = self.begin(tables, transaction)?;
        let flushed = self.flush(1);
        failpoint("commit on the disk");
        stands(&result);
        flushed.map(|()| result)
    }

    /// Runs a transaction, where anything can be written. What it came to is visible, and not yet on the disk.
    pub(super) fn begin<T>(
        &self,
        tables: &Tables,
        transaction: impl FnOnce() -> Result<T, StateError>,
    ) -> Result<(T, UnderWay), StateError> {
        self.room.check(0)?;
        if let Err(fault) = tables.fault() {
            tables.wake();
            return Err(fault);
        }
        let under_way = UnderWay::new(&self.under_way);
        failpoint("commit asked for");
        let result = transaction()?;
        failpoint("commit visible");
        Ok((result, under_way))
    }

    /// Whether the disk has room.
    pub(super) fn has_room(&self) -> Result<(), StateError> {
        Ok(self.room.check(0)?)
    }

    /// A door that leads nowhere: every flush fails.
    #[cfg(test)]
    pub(super) fn ended() -> Self {
        Self { waiting: channel().0, under_way: Arc::default(), room: Room::told(|| Ok(u64::MAX), 0) }
    }

    /// Returns when everything that was visible is on the disk, so that nothing told to a client is ever taken back.
    /// Blocks only while a commit is under way.
    pub(super) fn settle(&self) -> Result<(), StateError> {
        if self.under_way.load(Ordering::SeqCst) == 0 { Ok(()) } else { self.flush(0) }
    }

    /// Flushes for so many commits, and returns when that is done.
    pub(super) fn flush(&self, commits: usize) -> Result<(), StateError> {
        self.wait(commits, false)
    }

    /// Flushes the journal and the database, and returns when that is done.
    pub(super) fn checkpoint(&self) -> Result<(), StateError> {
        self.wait(0, true)
    }

    fn wait(&self, commits: usize, whole: bool) -> Result<(), StateError> {
        let (told, flushed) = sync_channel(1);
        // A caller that no longer waits needs no answer.
        self.send(Waiter { commits, whole, told: Box::new(move |result| drop(told.send(result))) });
        flushed.recv().map_err(|_| ended())?
    }

    /// Flushes for so many commits, and tells what came of it, while the caller goes on.
    pub(super) fn flush_then(&self, commits: usize, told: Told) {
        self.send(Waiter { commits, whole: false, told });
    }

    fn send(&self, waiter: Waiter) {
        if let Err(SendError(waiter)) = self.waiting.send(waiter) {
            (waiter.told)(Err(ended()));
        }
    }
}

fn ended() -> StateError {
    StateError::Storage("the committing thread has ended".into())
}

fn run(work: &Work, waiters: &Receiver<Waiter>, under_way: &AtomicUsize) {
    let mut checkpoint = Checkpoint::default();
    work.ballast.lay(0, &work.room);
    loop {
        match waiters.recv_timeout(LOOK_EVERY) {
            Ok(first) => {
                flush(work, gather(first, waiters, under_way));
                checkpoint.is_due = true;
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return,
        }
        checkpoint.run(work);
        if work.tables.fault().is_err() && work.room.check(0).is_ok() {
            match (work.reopen)() {
                Ok(()) => tracing::warn!("the state was opened anew after a fault of the disk"),
                Err(e) => {
                    tracing::error!(error = %e, "the state can't be opened anew yet");
                    std::thread::sleep(LOOK_EVERY);
                }
            }
        }
    }
}

/// When the database is flushed.
struct Checkpoint {
    last: Instant,
    /// Whether there were commits since.
    is_due: bool,
}

impl Default for Checkpoint {
    fn default() -> Self {
        Self { last: Instant::now(), is_due: false }
    }
}

impl Checkpoint {
    fn run(&mut self, work: &Work) {
        if !self.is_due || self.last.elapsed() < CHECKPOINT_EVERY {
            return;
        }
        match work.tables.checkpoint().and_then(|()| work.tables.disk_bytes()) {
            Ok(bytes) => work.ballast.lay(bytes, &work.room),
            Err(error) => tracing::error!(%error, "database not flushed"),
        }
        *self = Self::default();
    }
}

/// Whoever waits, and whoever comes while commits are under way that will wait too, for a moment: a flush costs the
/// same for one as for many. A commit that is alone is not held up.
fn gather(first: Waiter, waiters: &Receiver<Waiter>, under_way: &AtomicUsize) -> Vec<Waiter> {
    let until = Instant::now() + GATHER;
    let mut group = vec![first];
    group.extend(waiters.try_iter());
    while group.len() < under_way.load(Ordering::SeqCst) {
        match waiters.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(waiter) => group.push(waiter),
            Err(_) => break,
        }
    }
    group
}

/// Flushes for everybody in `group`.
fn flush(work: &Work, group: Vec<Waiter>) {
    let began = Instant::now();
    let whole = group.iter().any(|waiter| waiter.whole);
    let result = if whole { work.tables.checkpoint() } else { work.tables.sync() };
    meters::flushed(began.elapsed(), group.iter().map(|waiter| waiter.commits).sum());
    if let Err(e) = &result {
        tracing::error!(error = %e, "commits could not be written to the disk");
    }
    for waiter in group {
        (waiter.told)(result.clone());
    }
}
