//! Opens the state: the database, the in-memory views and the threads.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use fleet::room::Room;
use tokio::sync::Notify;
use uuid::Uuid;

use crate::accounts::MonthlyCredits;
use crate::state::database::ballast::Ballast;
use crate::state::database::batcher::Batcher;
use crate::state::database::commit::{self, Committer};
use crate::state::database::opening::{Opened, joined};
use crate::state::database::tables::{Tables, Tx};
use crate::state::error::StateError;
use crate::state::generations::output_index;
use crate::state::memory::counters::Counters;
use crate::state::memory::limits::{StorageLimits, TokenLimit};
use crate::state::memory::outage::Outage;
use crate::state::memory::recent::Recent;
use crate::state::memory::scheduler::Scheduler;
use crate::state::memory::watchers::Watchers;
use crate::state::objects::storage_check;
use crate::state::rows::accounts::Meta;
use crate::state::rows::jobs::Work;
use crate::state::rows::keyspace;
use crate::state::rows::schema::{EDITS, GENERATIONS, JOBS, META, META_KEY};
use crate::state::search::index::Index;
use crate::state::store::{Shared, Store};

/// Free space to keep on the disk in bytes: room for what sled writes during compaction, and for deletions.
pub const RESERVE_BYTES: u64 = 64 << 20;

impl Store {
    /// Opens the state in `folder`, and creates it if it is missing. Writes are refused while less than
    /// [`RESERVE_BYTES`] of the disk are free.
    ///
    /// # Errors
    /// [`StateError::InUse`], [`StateError::Storage`], [`StateError::Unreadable`], [`StateError::NoRoom`],
    /// [`StateError::HalfDone`].
    pub fn open(folder: &Path) -> Result<Self, StateError> {
        Self::open_with(folder, MonthlyCredits::default())
    }

    /// Like [`Self::open`], with credits that plans grant each month.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn open_with(folder: &Path, monthly: MonthlyCredits) -> Result<Self, StateError> {
        Self::open_in(folder, monthly, Room::of(folder, RESERVE_BYTES))
    }

    /// Like [`Self::open_with`], with a disk reserve.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn open_in(folder: &Path, monthly: MonthlyCredits, room: Room) -> Result<Self, StateError> {
        if import_mark(folder).exists() {
            return Err(StateError::HalfDone(folder.display().to_string()));
        }
        Self::open_whole(folder, monthly, room)
    }

    /// Like [`Self::open_in`], even while an import into the folder is marked as unfinished.
    pub(in crate::state) fn open_whole(folder: &Path, monthly: MonthlyCredits, room: Room) -> Result<Self, StateError> {
        let tables = Arc::new(Tables::new(Opened::open(folder)?));
        let (index, scheduler, backlog) = std::thread::scope(|scope| {
            let scheduler = scope.spawn(|| Scheduler::read(&tables));
            let backlog = scope.spawn(|| count_backlog(&tables));
            (Index::read(&tables), joined(scheduler), joined(backlog))
        });
        let (index, scheduler, backlog) = (Arc::new(index?), Arc::new(scheduler?), Arc::new(AtomicI64::new(backlog?)));
        let reopen = {
            let (tables, index, backlog) = (Arc::clone(&tables), Arc::clone(&index), Arc::clone(&backlog));
            let scheduler = Arc::clone(&scheduler);
            let folder = folder.to_owned();
            move || {
                let follow = || {
                    index.reread(&tables)?;
                    scheduler.reread(&tables)?;
                    backlog.store(count_backlog(&tables)?, Ordering::Relaxed);
                    Ok(())
                };
                tables.reopen(|| Opened::open(&folder), follow)
            }
        };
        let ballast = Ballast::of(folder);
        let work = commit::Work { tables: Arc::clone(&tables), room, ballast, reopen: Box::new(reopen) };
        let committer = Committer::start(work)?;
        let meta = match tables.get(&META, META_KEY)? {
            Some(meta) => meta,
            None => {
                let mut signing_secret = [0; 32];
                getrandom::fill(&mut signing_secret).map_err(|e| StateError::Randomness(e.to_string()))?;
                let meta = Meta { signing_secret, first_account: None };
                let write = |tx: &Tx<'_>| {
                    output_index::begin(tx)?;
                    storage_check::begin(tx)?;
                    tx.put(&META, META_KEY, &meta)
                };
                committer.commit(&tables, || tables.transact(write), |_| {})?;
                meta
            }
        };
        let shared = Shared {
            tables,
            committer,
            batcher: Batcher::start(Store::commit_batch)?,
            index,
            meta,
            enqueued: Notify::new(),
            webhooks: Notify::new(),
            deletions: Notify::new(),
            watchers: Watchers::default(),
            backlog,
            monthly,
            recent: Recent::default(),
            counters: Counters::default(),
            scheduler,
            outage: Outage::default(),
            storage: StorageLimits::default(),
            tokens: TokenLimit::default(),
        };
        let store = Self { shared: Arc::new(shared) };
        store.index_keys()?;
        match store.index_outputs() {
            // The next start retries. Until then, requests that name the generation still find its outputs.
            Err(StateError::NoRoom(why)) => tracing::warn!(%why, "output index not built: the next start retries"),
            indexed => indexed?,
        }
        match store.count_storage() {
            // The next start counts everything again. Until then the totals cover only what is added and removed.
            Err(StateError::NoRoom(why)) => tracing::warn!(%why, "stored bytes not counted: the next start retries"),
            counted => counted?,
        }
        Ok(store)
    }
}

/// Counts the unfinished outputs of generations with open jobs, and the outputs being edited.
fn count_backlog(tables: &Tables) -> Result<i64, StateError> {
    let mut open = std::collections::HashMap::<Uuid, i64>::new();
    for job in tables.scan(&JOBS, &[]) {
        let (_, job) = job?;
        // The job's generation may also be at work, with jobs of its own.
        if matches!(job.work, Work::Edit(_) | Work::Repair { .. }) {
            continue;
        }
        if let std::collections::hash_map::Entry::Vacant(slot) = open.entry(job.generation) {
            let generation = tables.get(&GENERATIONS, &keyspace::pair(job.account, job.generation))?;
            slot.insert(generation.map_or(0, |g| i64::from(g.total - g.done - g.failed)));
        }
    }
    let mut edits = 0;
    for edit in tables.scan(&EDITS, &[]) {
        edits += i64::from(edit?.1.fault.is_none());
    }
    Ok(open.values().sum::<i64>() + edits)
}

/// Returns the path of the marker beside a folder during an import into it.
pub(in crate::state) fn import_mark(folder: &Path) -> PathBuf {
    let mut name = folder.as_os_str().to_owned();
    name.push(".importing");
    name.into()
}
