//! Tracks which rows commits touch while an export reads all of them. A scan of the tables is not a consistent snapshot;
//! together with the rows that were touched meanwhile, read again while no commit runs, it is.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use super::StateError;

/// A row: the index of its table, and its key.
pub(super) type Row = (usize, Vec<u8>);

/// Every commit enters it, and notes the rows that it touched before it leaves.
#[derive(Debug, Default)]
pub(super) struct DirtySet {
    gate: RwLock<()>,
    /// Whether an export tracks it.
    kept: AtomicBool,
    /// Whether the database is still the one that was open when tracking began.
    whole: AtomicBool,
    touched: Mutex<BTreeSet<Row>>,
}

impl DirtySet {
    /// Held by a commit from before its transaction until it has noted the rows that it touched.
    pub(super) fn enter(&self) -> RwLockReadGuard<'_, ()> {
        self.gate.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes the rows that were touched, if an export tracks them.
    pub(super) fn note<'a>(&self, rows: impl IntoIterator<Item = (usize, &'a [u8])>) {
        if self.kept.load(Ordering::Relaxed) {
            let mut touched = self.touched.lock().unwrap_or_else(PoisonError::into_inner);
            touched.extend(rows.into_iter().map(|(table, key)| (table, key.to_owned())));
        }
    }

    /// Begins to track rows.
    ///
    /// # Errors
    /// [`StateError::Busy`] if another export tracks them already.
    pub(super) fn keep(&self) -> Result<Kept<'_>, StateError> {
        // Alone: no commit is between its transaction and its note.
        let _alone = self.gate.write().unwrap_or_else(PoisonError::into_inner);
        if self.kept.swap(true, Ordering::Relaxed) {
            return Err(StateError::Busy("an export"));
        }
        self.whole.store(true, Ordering::Relaxed);
        Ok(Kept { dirty: self })
    }

    /// Tells an export that the database is opened anew. No commit runs while the guard lives.
    pub(super) fn interrupt(&self) -> RwLockWriteGuard<'_, ()> {
        let alone = self.pause();
        self.whole.store(false, Ordering::Relaxed);
        alone
    }

    /// Waits for the commits that run and holds back further ones while the guard lives.
    pub(super) fn pause(&self) -> RwLockWriteGuard<'_, ()> {
        self.gate.write().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Tracking of rows in progress; it ends when this is dropped.
pub(super) struct Kept<'a> {
    dirty: &'a DirtySet,
}

impl Kept<'_> {
    /// The rows touched since the last time.
    pub(super) fn take(&self) -> BTreeSet<Row> {
        std::mem::take(&mut *self.dirty.touched.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Whether the rows read so far are still those of the state.
    ///
    /// # Errors
    /// [`StateError::Storage`] where the database was opened anew meanwhile.
    pub(super) fn whole(&self) -> Result<(), StateError> {
        if self.dirty.whole.load(Ordering::Relaxed) {
            Ok(())
        } else {
            Err(StateError::Storage("the database was opened anew while it was read".into()))
        }
    }

    /// Runs `f` with the rows touched since the last time while no commit runs.
    ///
    /// # Errors
    /// Those of `f`; [`StateError::Storage`] where the database was opened anew meanwhile.
    pub(super) fn alone<T>(&self, f: impl FnOnce(BTreeSet<Row>) -> Result<T, StateError>) -> Result<T, StateError> {
        let _alone = self.dirty.gate.write().unwrap_or_else(PoisonError::into_inner);
        let done = f(self.take())?;
        self.whole().map(|()| done)
    }
}

impl Drop for Kept<'_> {
    fn drop(&mut self) {
        let _alone = self.dirty.gate.write().unwrap_or_else(PoisonError::into_inner);
        self.dirty.kept.store(false, Ordering::Relaxed);
        self.take();
    }
}
