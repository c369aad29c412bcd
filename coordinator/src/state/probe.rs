//! Looks at the state itself: whether it can be written, and how much there is of it.

use serde::{Deserialize, Serialize};

use super::table::Record;
use super::{LEASES, PROBES, Shared, StateError, Store};
use crate::clock::Millis;

/// The only key of the table of probes.
const KEY: &[u8] = b"probe";

/// The last write that was tried for its own sake.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Probe {
    pub(super) at: Millis,
}

impl Record for Probe {}

/// How much there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Sizes {
    /// Generations, of all accounts.
    pub generations: u64,
    /// Bytes that searches of lists go through.
    pub text_bytes: u64,
    /// Jobs that workers have.
    pub leases: u64,
    /// Bytes of the database on the disk.
    pub disk_bytes: u64,
}

impl Store {
    /// Writes a row; that it is on the disk when this returns proves that others can be.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn prove(&self, now: Millis) -> Result<(), StateError> {
        self.commit(|tx| tx.put(&PROBES, KEY, &Probe { at: now }))
    }

    /// How much there is. Reads no rows but those of jobs in progress.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn sizes(&self) -> Result<Sizes, StateError> {
        let Shared { tables, index, .. } = &*self.shared;
        let (generations, text_bytes) = index.size();
        let mut leases = 0;
        for row in tables.scan_raw(LEASES.index()) {
            row?;
            leases += 1;
        }
        Ok(Sizes { generations, text_bytes, leases, disk_bytes: tables.disk_bytes()? })
    }
}
