//! Opens the database and its journal, and fails unless they hold every acknowledged commit.
//!
//! The database records the commit that it is at. If its rows don't have that commit's digest, or the journal doesn't
//! hold that commit, the state is damaged and stays closed. If the journal continues after that commit, the database is
//! behind (a killed process had not flushed it, or it lost its end), and opening brings it up to date.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::Duration;

use sled::transaction::{ConflictableTransactionError, TransactionError, Transactional};

use crate::state::database::ballast::Ballast;
use crate::state::error::StateError;
use crate::state::journal::{Broken, Digest, History, Journal, Position, Record, is_one};
use crate::state::rows::schema::TREES;

/// Size of sled's page cache in bytes.
const CACHE_BYTES: u64 = 64 << 20;
/// How long opening waits for an ending process to release the lock.
const LOCK_WAIT: Duration = Duration::from_secs(5);
/// The tree that holds the position of the last commit.
const POSITION_TREE: &str = "position";
/// Its only key.
pub(in crate::state) const POSITION_KEY: &[u8] = b"position";

/// Returns the journal's folder within the state's folder.
pub(in crate::state) fn journal_folder(folder: &Path) -> PathBuf {
    folder.join("journal")
}

/// A database and its journal that agree.
pub(in crate::state) struct Opened {
    /// One tree per table, in the order of [`TREES`], then the position tree.
    pub(in crate::state) trees: Vec<sled::Tree>,
    pub(in crate::state) journal: Journal,
    /// Declared after the trees, so that the database is dropped once nothing of it is in use.
    pub(in crate::state) db: sled::Db,
}

impl From<Broken> for StateError {
    fn from(broken: Broken) -> Self {
        match broken {
            Broken::Io(e) => Self::Storage(format!("the journal can't be read: {e}")),
            Broken::Damaged(why) => Self::Damaged(format!("the journal is broken: {why}")),
        }
    }
}

impl Opened {
    /// Opens the state in `folder`, and creates it if it is missing. A state of a version without a journal gets one.
    ///
    /// # Errors
    /// [`StateError::InUse`], [`StateError::Storage`], [`StateError::Damaged`].
    pub(in crate::state) fn open(folder: &Path) -> Result<Self, StateError> {
        let database = match Database::open(folder) {
            // sled may lack disk space to open: free the disk reserve and try again.
            Err(StateError::Storage(_)) if Ballast::of(folder).drop() => Database::open(folder)?,
            opened => opened?,
        };
        let at = database.position()?;
        let (digest, history) = std::thread::scope(|scope| {
            let history = scope.spawn(|| History::read(&journal_folder(folder), at.map_or(0, |at| at.seq)));
            (database.digest(), joined(history))
        });
        let (digest, history) = (digest?, history?);
        let journal = match (at, history) {
            (Some(at), None) => {
                return Err(StateError::Damaged(format!(
                    "the journal is missing, and the database holds {} commits",
                    at.seq
                )));
            }
            (None, None) => database.begin(folder, Position { digest, ..Position::default() })?,
            (at, Some(history)) => {
                // The position is written right after the journal is created. If it is missing, the database is still
                // as it was then.
                let at = at.unwrap_or(Position { digest, ..Position::default() });
                check(&at, digest, &history)?;
                if at.seq > history.last.seq {
                    database.begin_ahead(folder, at, &history)?
                } else {
                    database.catch_up(at, &history)?;
                    let journal = Journal::resume(&journal_folder(folder), &history, at.seq);
                    journal.map_err(|e| StateError::Storage(format!("the journal can't be opened: {e}")))?
                }
            }
        };
        Ok(Self { trees: database.trees, journal, db: database.db })
    }
}

/// Checks that a database at position `at`, whose rows have the digest `digest`, matches a point of `history`.
fn check(at: &Position, digest: Digest, history: &History) -> Result<(), StateError> {
    let damaged = |why: String| Err(StateError::Damaged(why));
    if at.digest != digest {
        return damaged(format!(
            "the database claims to be at commit {}, but its rows differ from that commit",
            at.seq
        ));
    }
    if at.seq > history.last.seq {
        // sled writes when its buffers are full, so after a power failure its file may be ahead of the journal's. If
        // the mark exists, every acknowledged commit is in the journal, so nobody was told of the extra commits.
        if history.has_mark() {
            return Ok(());
        }
        return damaged(format!(
            "the database holds commit {}, and the journal ends with {}",
            at.seq, history.last.seq
        ));
    }
    match history.asked {
        Some(said) if said == *at => Ok(()),
        Some(_) => damaged(format!("commit {} of the database differs from that of the journal", at.seq)),
        None => {
            let first = history.first.seq;
            damaged(format!("the database stands at commit {}, and the journal begins after commit {first}", at.seq))
        }
    }
}

/// A database whose rows may differ from those that were committed.
pub(in crate::state) struct Database {
    pub(in crate::state) trees: Vec<sled::Tree>,
    pub(in crate::state) db: sled::Db,
}

impl Database {
    /// Opens the database in `folder`.
    ///
    /// # Errors
    /// [`StateError::InUse`], [`StateError::Storage`], [`StateError::Damaged`].
    pub(in crate::state) fn open(folder: &Path) -> Result<Self, StateError> {
        if is_one(&folder.join("db")) {
            // sled would overwrite it.
            return Err(StateError::Damaged("the database file is a file of the journal".into()));
        }
        let open = || {
            let db = open_db(folder)?;
            let names = TREES.iter().chain([&POSITION_TREE]);
            let trees = names.map(|name| db.open_tree(name)).collect::<Result<_, _>>()?;
            Ok(Self { trees, db })
        };
        unless_it_panics(open)
    }

    /// Returns the commit that the database claims to be at.
    pub(in crate::state) fn position(&self) -> Result<Option<Position>, StateError> {
        let row = unless_it_panics(|| Ok(self.trees[TREES.len()].get(POSITION_KEY)?))?;
        let damaged = || StateError::Damaged("the position of the database can't be read".into());
        row.map(|row| Position::read(&row).ok_or_else(damaged)).transpose()
    }

    /// Computes the digest of all rows. It reads every row, on two threads.
    pub(in crate::state) fn digest(&self) -> Result<Digest, StateError> {
        let next = std::sync::atomic::AtomicUsize::new(0);
        let part = || {
            let mut digest = Digest::default();
            loop {
                let table = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                let Some(name) = TREES.get(table) else { return Ok(digest) };
                for row in &self.trees[table] {
                    let (key, row) = row?;
                    digest.add(name, &key, &row);
                }
            }
        };
        let run = || unless_it_panics(part);
        std::thread::scope(|scope| {
            let other = scope.spawn(run);
            let one = run();
            let other = other.join().unwrap_or_else(|_| Err(StateError::Storage("a thread ended".into())));
            Ok(one?.join(other?))
        })
    }

    /// Creates a journal that starts at `base`, and records `base` as the database's position.
    pub(in crate::state) fn begin(&self, folder: &Path, base: Position) -> Result<Journal, StateError> {
        let journal = Journal::begin(&journal_folder(folder), base);
        let journal = journal.map_err(|e| StateError::Storage(format!("the journal can't be created: {e}")))?;
        self.trees[TREES.len()].insert(POSITION_KEY, base.bytes().as_slice())?;
        self.db.flush()?;
        Ok(journal)
    }

    /// Creates a new journal at `at`, because the database is ahead of the old one. The old journal is kept aside until
    /// this happens again.
    fn begin_ahead(&self, folder: &Path, at: Position, history: &History) -> Result<Journal, StateError> {
        let failed = |e: std::io::Error| StateError::Storage(format!("the journal can't be moved: {e}"));
        let commits = at.seq - history.last.seq;
        tracing::warn!(commits, "journal restarted: the database has commits beyond it that were never acknowledged");
        self.db.flush()?;
        let (journal, aside) = (journal_folder(folder), folder.join("journal.before"));
        match std::fs::remove_dir_all(&aside) {
            Err(e) if e.kind() != std::io::ErrorKind::NotFound => return Err(failed(e)),
            _ => {}
        }
        std::fs::rename(&journal, &aside).map_err(failed)?;
        self.begin(folder, at)
    }

    /// Applies the commits of `history` after `at`, the database's position.
    fn catch_up(&self, at: Position, history: &History) -> Result<(), StateError> {
        if at.seq == history.last.seq {
            return Ok(());
        }
        let began = std::time::Instant::now();
        // Not flushed, because that fails on a full disk. The journal can be replayed again.
        history.replay(at.seq, |record| self.apply(record))?;
        let (commits, took) = (history.last.seq - at.seq, began.elapsed());
        tracing::info!(commits, ?took, "journal replayed: the database was behind it");
        Ok(())
    }

    /// Applies a record to the state before it.
    ///
    /// # Errors
    /// [`StateError::Damaged`] if the result is not the state that the record states.
    pub(in crate::state) fn apply(&self, record: &Record<'_>) -> Result<(), StateError> {
        let mut places = Vec::with_capacity(record.changes.len());
        for change in &record.changes {
            let place = TREES.iter().position(|name| *name == change.table);
            let unknown = || {
                let seq = record.position.seq;
                StateError::Damaged(format!(
                    "commit {seq} has a table {:?}, which this version does not know",
                    change.table
                ))
            };
            places.push(place.ok_or_else(unknown)?);
        }
        let applied = self.trees.as_slice().transaction(|trees| {
            let position = &trees[TREES.len()];
            let before = position.get(POSITION_KEY)?.and_then(|row| Position::read(&row)).unwrap_or_default();
            let mut digest = before.digest;
            for (change, place) in record.changes.iter().zip(&places) {
                let (tree, table) = (&trees[*place], change.table);
                let old = match change.row {
                    Some(row) => {
                        digest.add(table, change.key, row);
                        tree.insert(change.key, row)?
                    }
                    None => tree.remove(change.key)?,
                };
                if let Some(old) = old {
                    digest.remove(table, change.key, &old);
                }
            }
            if digest != record.position.digest {
                let why = format!("commit {} does not lead to the state that it records", record.position.seq);
                return Err(ConflictableTransactionError::Abort(StateError::Damaged(why)));
            }
            position.insert(POSITION_KEY, record.position.bytes().as_slice())?;
            Ok(())
        });
        applied.map_err(|e| match e {
            TransactionError::Abort(e) => e,
            TransactionError::Storage(e) => e.into(),
        })
    }
}

/// Turns panics into errors: sled panics on some kinds of damage in the files that it reads.
fn unless_it_panics<T>(read: impl FnOnce() -> Result<T, StateError>) -> Result<T, StateError> {
    match catch_unwind(AssertUnwindSafe(read)) {
        Ok(read) => read,
        Err(_) => Err(StateError::Damaged("the database can't be read".into())),
    }
}

fn open_db(folder: &Path) -> Result<sled::Db, StateError> {
    let until = std::time::Instant::now() + LOCK_WAIT;
    loop {
        // Disable sled's periodic flushes: only the committer thread may flush.
        let opened = sled::Config::new().path(folder).cache_capacity(CACHE_BYTES).flush_every_ms(None).open();
        match opened {
            Ok(db) => return Ok(db),
            Err(sled::Error::Io(e)) if e.to_string().contains("lock") => {
                if std::time::Instant::now() > until {
                    return Err(StateError::InUse(folder.display().to_string()));
                }
                std::thread::sleep(Duration::from_millis(50));
            }
            Err(e) => return Err(e.into()),
        }
    }
}

/// Returns the result of a thread, and propagates its panic.
pub(in crate::state) fn joined<T>(thread: std::thread::ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}
