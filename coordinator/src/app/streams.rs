//! The open event streams.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;
use uuid::Uuid;

use crate::metrics;

/// Counts the open streams of each account.
#[derive(Debug)]
pub struct Streams {
    most: u32,
    open: Arc<Mutex<HashMap<Uuid, u32>>>,
}

impl Streams {
    /// Creates the counter. Each account may have `most` streams open.
    pub fn new(most: u32) -> Self {
        Self { most, open: Arc::default() }
    }

    /// Takes a place for a stream of an account.
    ///
    /// # Errors
    /// The maximum number of open streams, if the account has as many.
    pub fn take(&self, account: Uuid) -> Result<StreamPlace, u32> {
        let mut open = self.open.lock();
        let count = open.entry(account).or_default();
        if *count >= self.most {
            return Err(self.most);
        }
        *count += 1;
        metrics::event_streams(1.0);
        Ok(StreamPlace { open: Arc::clone(&self.open), account })
    }
}

/// One open stream of an account. Dropping it frees the place.
#[derive(Debug)]
pub struct StreamPlace {
    open: Arc<Mutex<HashMap<Uuid, u32>>>,
    account: Uuid,
}

impl Drop for StreamPlace {
    fn drop(&mut self) {
        metrics::event_streams(-1.0);
        let mut open = self.open.lock();
        if let Some(count) = open.get_mut(&self.account) {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.account);
            }
        }
    }
}
