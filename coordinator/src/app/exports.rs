//! Exports of generations that are being built.

use std::collections::HashMap;
use std::sync::{Arc, Weak};

use fleet::fair_semaphore::{AccountLimits, FairSemaphore};
use parking_lot::Mutex;
use uuid::Uuid;

use crate::state::BundleKind;

/// Maximum size of an export in bytes: above the size limit of any network for a carousel PDF.
pub const EXPORT_BYTES: u64 = 128 << 20;
/// Number of ZIP archives built concurrently. Each is held in memory until it is stored.
const ARCHIVES: usize = 2;
/// Number of archives of one account that may wait for their turn.
const WAITING: usize = 8;

/// Identifies an export: the generation, the file type, and the format if only one is exported.
pub(crate) type What = (Uuid, BundleKind, Option<String>);

/// Held while an export is built, so that concurrent requests for it wait.
pub(crate) type Turn = tokio::sync::Mutex<()>;

/// Exports that are being built.
#[derive(Debug, Clone)]
pub struct Exports {
    making: Arc<Mutex<HashMap<What, Weak<Turn>>>>,
    /// Limits the ZIP archives that are built concurrently.
    pub(crate) archives: FairSemaphore,
}

impl Default for Exports {
    fn default() -> Self {
        Self {
            making: Arc::default(),
            archives: FairSemaphore::new(ARCHIVES, AccountLimits { held: 1, waiting: WAITING }),
        }
    }
}

impl Exports {
    /// Returns the lock for this export, so that it is built only once.
    pub(crate) fn turn(&self, what: &What) -> Arc<Turn> {
        let mut making = self.making.lock();
        making.retain(|_, turn| turn.strong_count() > 0);
        if let Some(turn) = making.get(what).and_then(Weak::upgrade) {
            return turn;
        }
        let turn = Arc::default();
        making.insert(what.clone(), Arc::downgrade(&turn));
        turn
    }
}
