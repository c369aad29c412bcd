//! The committer thread: makes commits durable. It flushes the journal for all waiting commits, since one flush covers
//! every commit before it. The same thread periodically flushes the database, so that a start has little to replay. It
//! is one thread because two concurrent flushes can deadlock in sled.
//!
//! While the disk is full, commits are refused before they start. If a write fails nevertheless, all further commits
//! are refused and reads continue. The thread reopens the state as soon as there is space.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SendError, Sender, channel, sync_channel};
use std::time::{Duration, Instant};

use fleet::failpoint::failpoint;
use fleet::room::Room;

use crate::metrics;
use crate::state::database::ballast::Ballast;
use crate::state::database::tables::Tables;
use crate::state::error::StateError;

/// A caller that waits for a flush.
struct Waiter {
    /// Number of commits that this flush is for.
    commits: usize,
    /// Whether to flush the database too.
    whole: bool,
    callback: Callback,
}

/// Callback that runs after a flush, on the committer thread. It must be quick and must not panic.
type Callback = Box<dyn FnOnce(Result<(), StateError>) + Send>;

/// How long a flush waits for commits in progress.
const GATHER: Duration = Duration::from_millis(2);
/// Interval between checks of a failed state.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// Interval between flushes of the database. A start replays at most the commits since the last one.
const CHECKPOINT_EVERY: Duration = Duration::from_secs(2);

/// What the committer thread works on.
pub(in crate::state) struct Work {
    pub(in crate::state) tables: Arc<Tables>,
    pub(in crate::state) room: Room,
    pub(in crate::state) ballast: Ballast,
    /// Reopens the database and rebuilds the in-memory views of it.
    pub(in crate::state) reopen: Box<dyn Fn() -> Result<(), StateError> + Send>,
}

/// Handle to the committer thread. The thread ends when this handle is dropped.
#[derive(Debug, Clone)]
pub(in crate::state) struct Committer {
    waiting: Sender<Waiter>,
    /// Number of commits that may be visible but aren't on the disk yet.
    under_way: Arc<AtomicUsize>,
    room: Room,
}

/// Counts a commit as in progress from before its transaction until after its flush.
pub(in crate::state) struct UnderWay(Arc<AtomicUsize>);

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
    pub(in crate::state) fn start(work: Work) -> Result<Self, StateError> {
        let (waiting, waiters) = channel();
        let (room, under_way) = (work.room.clone(), Arc::<AtomicUsize>::default());
        let beside = Arc::clone(&under_way);
        std::thread::Builder::new()
            .name("committer".into())
            .spawn(move || run(&work, &waiters, &beside))
            .map_err(|e| StateError::Storage(e.to_string()))?;
        Ok(Self { waiting, under_way, room })
    }

    /// Runs a transaction and returns once it is on the disk. Blocks. If the transaction succeeds, `stands` gets its
    /// value even if the flush fails: the commit is visible, so in-memory counts must follow it.
    pub(in crate::state) fn commit<T>(
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

    /// Runs a transaction if the state is writable. Its changes are visible but not yet on the disk.
    pub(in crate::state) fn begin<T>(
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

    /// Checks that the disk has free space.
    pub(in crate::state) fn has_room(&self) -> Result<(), StateError> {
        Ok(self.room.check(0)?)
    }

    /// Creates a committer without a thread, on which every flush fails.
    #[cfg(test)]
    pub(in crate::state) fn ended() -> Self {
        Self { waiting: channel().0, under_way: Arc::default(), room: Room::told(|| Ok(u64::MAX), 0) }
    }

    /// Returns once everything visible is on the disk, so that nothing reported to a client is ever lost. Blocks only
    /// while a commit is in progress.
    pub(in crate::state) fn settle(&self) -> Result<(), StateError> {
        if self.under_way.load(Ordering::SeqCst) == 0 { Ok(()) } else { self.flush(0) }
    }

    /// Flushes for `commits` commits, and returns when the flush is done.
    pub(in crate::state) fn flush(&self, commits: usize) -> Result<(), StateError> {
        self.wait(commits, false)
    }

    /// Flushes the journal and the database, and returns when both are done.
    pub(in crate::state) fn checkpoint(&self) -> Result<(), StateError> {
        self.wait(0, true)
    }

    fn wait(&self, commits: usize, whole: bool) -> Result<(), StateError> {
        let (told, flushed) = sync_channel(1);
        // The send fails if the caller stopped waiting. Nobody awaits the result then.
        self.send(Waiter { commits, whole, callback: Box::new(move |result| drop(told.send(result))) });
        flushed.recv().map_err(|_| ended())?
    }

    /// Flushes for `commits` commits in the background, and passes the result to `told`.
    pub(in crate::state) fn flush_then(&self, commits: usize, callback: Callback) {
        self.send(Waiter { commits, whole: false, callback });
    }

    fn send(&self, waiter: Waiter) {
        if let Err(SendError(waiter)) = self.waiting.send(waiter) {
            (waiter.callback)(Err(ended()));
        }
    }
}

fn ended() -> StateError {
    StateError::Storage("the committer thread has ended".into())
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
                Ok(()) => tracing::warn!("state reopened after a disk fault"),
                Err(e) => {
                    tracing::error!(error = %e, "state not reopened: retrying");
                    std::thread::sleep(LOOK_EVERY);
                }
            }
        }
    }
}

/// Schedules the flushes of the database.
struct Checkpoint {
    last: Instant,
    /// Whether there were commits since the last flush.
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
            Err(error) => tracing::error!(%error, "database flush failed"),
        }
        *self = Self::default();
    }
}

/// Collects everyone who waits for a flush, and waits a moment for commits in progress that will need one too: a flush
/// costs the same for one commit as for many. A single commit is not delayed.
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

/// Flushes once for everyone in `group`.
fn flush(work: &Work, group: Vec<Waiter>) {
    let began = Instant::now();
    let whole = group.iter().any(|waiter| waiter.whole);
    let result = if whole { work.tables.checkpoint() } else { work.tables.sync() };
    metrics::flushed(began.elapsed(), group.iter().map(|waiter| waiter.commits).sum());
    if let Err(e) = &result {
        tracing::error!(error = %e, "journal flush failed: commits are not on the disk");
    }
    for waiter in group {
        (waiter.callback)(result.clone());
    }
}
