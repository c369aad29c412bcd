//! The deletion queue: keys of objects that nothing shows any more. A key stays in the queue until its object is
//! removed from the object store, so that a crash leaves no object behind. Queued objects are not served.

use uuid::Uuid;

use crate::clock::Millis;
use crate::state::database::tables::{Abort, Tx};
use crate::state::error::StateError;
use crate::state::rows::generations::Generation;
use crate::state::rows::jobs::Lease;
use crate::state::rows::objects::QueuedDeletion;
use crate::state::rows::schema::DELETIONS;
use crate::state::store::Store;

/// Seconds after which no worker stores an object under a lost claim any more. A lease and the timeout of a put are a
/// quarter of a minute each, but the worker's machine may have been suspended.
const LATE_S: u64 = 3600;

/// Prefix of the keys of previews. The generation's id follows.
pub const PREVIEWS: &str = "previews/";

/// Queues an object for removal now.
pub(in crate::state) fn put(tx: &Tx<'_>, object: &str, now: Millis) -> Result<(), Abort> {
    tx.put(&DELETIONS, object.as_bytes(), &QueuedDeletion { due: now })
}

/// Queues the objects that a worker may still store for a version of an output after it lost its claim. The coordinator
/// accepts no report under that claim, so nothing shows them.
pub(in crate::state) fn put_late(
    tx: &Tx<'_>,
    generation: &Generation,
    output: Uuid,
    version: u32,
    lease: &Lease,
    now: Millis,
) -> Result<(), Abort> {
    put_late_keys(tx, lease.image_keys(generation, output, version), now)
}

/// Like [`put_late`], for these keys.
pub(in crate::state) fn put_late_keys(tx: &Tx<'_>, keys: [String; 2], now: Millis) -> Result<(), Abort> {
    let late = QueuedDeletion { due: now.plus_seconds(LATE_S) };
    keys.iter().try_for_each(|object| tx.put(&DELETIONS, object.as_bytes(), &late))
}

impl Store {
    /// Returns the keys of up to `limit` objects that are due at `now`.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn due_deletions(&self, limit: usize, now: Millis) -> Result<Vec<String>, StateError> {
        let mut due = Vec::new();
        for row in self.shared.tables.scan(&DELETIONS, &[]) {
            let (key, queued) = row?;
            if queued.due <= now {
                due.push(String::from_utf8(key.to_vec()).map_err(|e| StateError::Unreadable(e.to_string()))?);
            }
            if due.len() == limit {
                break;
            }
        }
        // A removed object can't be restored, so return only keys whose commits are on the disk.
        self.settle()?;
        Ok(due)
    }

    /// Queues an object for removal after a delay, unless something references it by then.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn queue_deletion(&self, object: &str, now: Millis) -> Result<(), StateError> {
        let queued = QueuedDeletion { due: now.plus_seconds(LATE_S) };
        self.commit(|tx| tx.put(&DELETIONS, object.as_bytes(), &queued))
    }

    /// Takes removed objects off the queue.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn deleted(&self, objects: &[String]) -> Result<(), StateError> {
        self.commit(|tx| objects.iter().try_for_each(|object| tx.remove(&DELETIONS, object.as_bytes())))
    }

    /// Returns whether an object counts as gone because it is queued. A preview is served until it is due.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn is_deletion_queued(&self, object: &str, now: Millis) -> Result<bool, StateError> {
        let queued = self.shared.tables.get(&DELETIONS, object.as_bytes())?;
        Ok(queued.is_some_and(|queued| queued.due <= now || !object.starts_with(PREVIEWS)))
    }

    /// Queues a preview for removal at `until`. Call it before storing the preview.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn preview(&self, object: &str, until: Millis) -> Result<(), StateError> {
        self.commit(|tx| tx.put(&DELETIONS, object.as_bytes(), &QueuedDeletion { due: until }))
    }

    /// Returns the keys of the stored previews of a generation's edits.
    pub(in crate::state) fn previews(&self, generation: Uuid) -> Result<Vec<String>, StateError> {
        let rows = self.shared.tables.scan(&DELETIONS, format!("{PREVIEWS}{generation}/").as_bytes());
        rows.map(|row| String::from_utf8(row?.0.to_vec()).map_err(|e| StateError::Unreadable(e.to_string()))).collect()
    }

    /// Waits until the queue may have gained an object.
    pub async fn deletion_queued(&self) {
        self.shared.deletions.notified().await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::rows::golden;

    #[test]
    fn rows_stay_as_they_are() {
        golden(&QueuedDeletion { due: Millis(5) }, "010a");
    }

    #[test]
    fn what_is_due_is_swept_and_what_is_late_waits() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let now = Millis(1_700_000_000_000);
        for key in ["a", "b", "c"] {
            store.commit(|tx| put(tx, key, now)).unwrap();
        }
        store.queue_deletion("d", now).unwrap();
        assert_eq!(store.due_deletions(2, now).unwrap(), ["a", "b"]);
        let is_queued = |key: &str, now| store.is_deletion_queued(key, now).unwrap();
        assert!(is_queued("a", now) && is_queued("d", now) && !is_queued("e", now));
        store.deleted(&["a".into(), "b".into()]).unwrap();
        assert_eq!(store.due_deletions(9, now).unwrap(), ["c"]);
        assert!(!is_queued("a", now));
        let until = now.plus_seconds(60);
        store.preview("previews/x/y", until).unwrap();
        assert!(!is_queued("previews/x/y", now) && is_queued("previews/x/y", until));
        store.deleted(&["previews/x/y".into()]).unwrap();
        assert_eq!(store.due_deletions(9, now.plus_seconds(LATE_S)).unwrap(), ["c", "d"]);
    }
}
