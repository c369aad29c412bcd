//! Probes of the state: whether it is writable, and how large it is.

use crate::clock::Millis;
use crate::state::error::StateError;
use crate::state::rows::objects::Probe;
use crate::state::rows::schema::{LEASES, PROBES};
use crate::state::store::{Shared, Store};

/// The only key of the probe table.
const KEY: &[u8] = b"probe";

/// Sizes of the state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Sizes {
    /// Generations of all accounts.
    pub generations: u64,
    /// Bytes of text that a search of the lists scans.
    pub text_bytes: u64,
    /// Jobs that workers hold.
    pub leases: u64,
    /// Bytes of the database on the disk.
    pub disk_bytes: u64,
}

impl Store {
    /// Writes a row. Returns once it is on the disk, which proves that the state is writable.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn prove(&self, now: Millis) -> Result<(), StateError> {
        self.commit(|tx| tx.put(&PROBES, KEY, &Probe { at: now }))
    }

    /// Returns the sizes. Reads no rows but those of leases.
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
