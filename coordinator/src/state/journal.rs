//! Which rows commits touch while somebody reads all of them. A scan of the tables is no picture of one moment; together
//! with the rows that were touched meanwhile, read once more while no commit runs, it is.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use super::StateError;

/// A row: the index of its table, and its key.
pub(super) type Row = (usize, Vec<u8>);

/// Every commit enters it, and notes what it touched before it leaves.
#[derive(Debug, Default)]
pub(super) struct Journal {
    gate: RwLock<()>,
    /// Whether anybody keeps it.
    kept: AtomicBool,
    /// Whether the rows are still those that were there when it began to be kept.
    whole: AtomicBool,
    touched: Mutex<BTreeSet<Row>>,
}

impl Journal {
    /// Entered by a commit from before its transaction until it has noted what that touched.
    pub(super) fn enter(&self) -> RwLockReadGuard<'_, ()> {
        self.gate.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes the rows that were touched, where anybody wants to know.
    pub(super) fn note<'a>(&self, rows: impl IntoIterator<Item = (usize, &'a [u8])>) {
        if self.kept.load(Ordering::Relaxed) {
            let mut touched = self.touched.lock().unwrap_or_else(PoisonError::into_inner);
            touched.extend(rows.into_iter().map(|(table, key)| (table, key.to_owned())));
        }
    }

    /// Begins to keep it.
    ///
    /// # Errors
    /// [`StateError::Busy`] where it is kept for somebody already.
    pub(super) fn keep(&self) -> Result<Kept<'_>, StateError> {
        // Alone: no commit is between its transaction and its note.
        let _alone = self.gate.write().unwrap_or_else(PoisonError::into_inner);
        if self.kept.swap(true, Ordering::Relaxed) {
            return Err(StateError::Busy("an export"));
        }
        self.whole.store(true, Ordering::Relaxed);
        Ok(Kept { journal: self })
    }

    /// Tells whoever keeps it that the rows are no longer those that it read. No commit runs while the guard lives.
    pub(super) fn interrupt(&self) -> RwLockWriteGuard<'_, ()> {
        let alone = self.gate.write().unwrap_or_else(PoisonError::into_inner);
        self.whole.store(false, Ordering::Relaxed);
        alone
    }
}

/// A journal that is being kept; it ends with this.
pub(super) struct Kept<'a> {
    journal: &'a Journal,
}

impl Kept<'_> {
    /// The rows touched since the last time.
    pub(super) fn take(&self) -> BTreeSet<Row> {
        std::mem::take(&mut *self.journal.touched.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Whether the rows read so far are still those of the state.
    ///
    /// # Errors
    /// [`StateError::Storage`] where the database was opened anew meanwhile.
    pub(super) fn whole(&self) -> Result<(), StateError> {
        if self.journal.whole.load(Ordering::Relaxed) {
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
        let _alone = self.journal.gate.write().unwrap_or_else(PoisonError::into_inner);
        let done = f(self.take())?;
        self.whole().map(|()| done)
    }
}

impl Drop for Kept<'_> {
    fn drop(&mut self) {
        let _alone = self.journal.gate.write().unwrap_or_else(PoisonError::into_inner);
        self.journal.kept.store(false, Ordering::Relaxed);
        self.take();
    }
}
