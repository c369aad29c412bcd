//! The dirty set: tracks which rows commits touch while an export scans the tables. A scan is not a consistent
//! snapshot. The export makes it one by rereading the touched rows while commits are paused.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::{Mutex, RwLock, RwLockReadGuard, RwLockWriteGuard};

use crate::state::error::StateError;

/// A row: the index of its table, and its key.
pub(in crate::state) type Row = (usize, Vec<u8>);

/// The lock that every commit holds until it has recorded the rows that it touched, and those rows.
#[derive(Debug, Default)]
pub(in crate::state) struct DirtySet {
    gate: RwLock<()>,
    /// Whether an export tracks rows.
    kept: AtomicBool,
    /// Whether the database is still the one that was open when tracking began.
    whole: AtomicBool,
    touched: Mutex<BTreeSet<Row>>,
}

impl DirtySet {
    /// Returns a guard that a commit holds from before its transaction until it has recorded the rows that it touched.
    pub(in crate::state) fn enter(&self) -> RwLockReadGuard<'_, ()> {
        self.gate.read()
    }

    /// Records touched rows, if an export tracks them.
    pub(in crate::state) fn note<'a>(&self, rows: impl IntoIterator<Item = (usize, &'a [u8])>) {
        if self.kept.load(Ordering::Relaxed) {
            let mut touched = self.touched.lock();
            touched.extend(rows.into_iter().map(|(table, key)| (table, key.to_owned())));
        }
    }

    /// Starts to track rows.
    ///
    /// # Errors
    /// [`StateError::Busy`] if another export already tracks them.
    pub(in crate::state) fn keep(&self) -> Result<Kept<'_>, StateError> {
        // Exclusive: no commit is between its transaction and its record of touched rows.
        let _alone = self.gate.write();
        if self.kept.swap(true, Ordering::Relaxed) {
            return Err(StateError::Busy("an export"));
        }
        self.whole.store(true, Ordering::Relaxed);
        Ok(Kept { dirty: self })
    }

    /// Marks the tracked rows as invalid because the database is reopened. No commit runs while the guard lives.
    pub(in crate::state) fn interrupt(&self) -> RwLockWriteGuard<'_, ()> {
        let alone = self.pause();
        self.whole.store(false, Ordering::Relaxed);
        alone
    }

    /// Waits for running commits and blocks new ones while the guard lives.
    pub(in crate::state) fn pause(&self) -> RwLockWriteGuard<'_, ()> {
        self.gate.write()
    }
}

/// A tracking session. It ends when this is dropped.
pub(in crate::state) struct Kept<'a> {
    dirty: &'a DirtySet,
}

impl Kept<'_> {
    /// Takes the rows touched since the last call.
    pub(in crate::state) fn take(&self) -> BTreeSet<Row> {
        std::mem::take(&mut *self.dirty.touched.lock())
    }

    /// Checks that the rows read so far still belong to the open database.
    ///
    /// # Errors
    /// [`StateError::Storage`] if the database was reopened in the meantime.
    pub(in crate::state) fn whole(&self) -> Result<(), StateError> {
        if self.dirty.whole.load(Ordering::Relaxed) {
            Ok(())
        } else {
            Err(StateError::Storage("the database was reopened while it was read".into()))
        }
    }

    /// Runs `f` with the rows touched since the last [`Self::take`], while no commit runs.
    ///
    /// # Errors
    /// Returns the errors of `f`; [`StateError::Storage`] if the database was reopened in the meantime.
    pub(in crate::state) fn alone<T>(
        &self,
        f: impl FnOnce(BTreeSet<Row>) -> Result<T, StateError>,
    ) -> Result<T, StateError> {
        let _alone = self.dirty.gate.write();
        let done = f(self.take())?;
        self.whole().map(|()| done)
    }
}

impl Drop for Kept<'_> {
    fn drop(&mut self) {
        let _alone = self.dirty.gate.write();
        self.dirty.kept.store(false, Ordering::Relaxed);
        self.take();
    }
}
