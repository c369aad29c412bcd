//! Objects that nothing shows any more: their keys stand here until they are removed from the object store, so that a
//! crash leaves none behind. What stands here is not served.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::records::{Generation, Lease};
use super::table::{Abort, Record, Tx};
use super::{StateError, Store, TRASH};
use crate::clock::Millis;

/// Seconds after which nobody stores anything any more under a claim that was lost: a lease and the patience of a put are
/// a quarter of a minute each, and a machine may have been asleep.
const LATE_S: u64 = 3600;

/// What the keys of previews begin with; the generation's id comes next.
pub const PREVIEWS: &str = "previews/";

/// An object to be removed, by its key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Trash {
    /// From when on.
    pub(super) due: Millis,
}

impl Record for Trash {}

/// Has an object removed, from now on.
pub(super) fn put(tx: &Tx<'_>, object: &str, now: Millis) -> Result<(), Abort> {
    tx.put(&TRASH, object.as_bytes(), &Trash { due: now })
}

/// Has removed what a worker may yet store that has lost its claim on a version of an output. No report under that claim is
/// ever taken, so nothing shows it.
pub(super) fn put_late(
    tx: &Tx<'_>,
    generation: &Generation,
    output: Uuid,
    version: u32,
    lease: &Lease,
    now: Millis,
) -> Result<(), Abort> {
    put_late_keys(tx, lease.image_keys(generation, output, version), now)
}

/// The same, of these keys.
pub(super) fn put_late_keys(tx: &Tx<'_>, keys: [String; 2], now: Millis) -> Result<(), Abort> {
    let late = Trash { due: now.plus_seconds(LATE_S) };
    keys.iter().try_for_each(|object| tx.put(&TRASH, object.as_bytes(), &late))
}

impl Store {
    /// Keys of up to `limit` objects that are to be removed by `now`.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn trash(&self, limit: usize, now: Millis) -> Result<Vec<String>, StateError> {
        let mut due = Vec::new();
        for row in self.shared.tables.scan(&TRASH, &[]) {
            let (key, trash) = row?;
            if trash.due <= now {
                due.push(String::from_utf8(key.to_vec()).map_err(|e| StateError::Unreadable(e.to_string()))?);
            }
            if due.len() == limit {
                break;
            }
        }
        // What is removed can't be put back: only what surely is to go.
        self.settle()?;
        Ok(due)
    }

    /// Has an object removed in a while, unless something holds on to it by then.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn throw_away(&self, object: &str, now: Millis) -> Result<(), StateError> {
        let trash = Trash { due: now.plus_seconds(LATE_S) };
        self.commit(|tx| tx.put(&TRASH, object.as_bytes(), &trash))
    }

    /// Notes that objects are removed.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn swept(&self, objects: &[String]) -> Result<(), StateError> {
        self.commit(|tx| objects.iter().try_for_each(|object| tx.remove(&TRASH, object.as_bytes())))
    }

    /// Whether an object is to be removed, and so is not there for anybody. A preview is there until it is due.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn is_trash(&self, object: &str, now: Millis) -> Result<bool, StateError> {
        let trash = self.shared.tables.get(&TRASH, object.as_bytes())?;
        Ok(trash.is_some_and(|trash| trash.due <= now || !object.starts_with(PREVIEWS)))
    }

    /// Has a preview removed once it was shown long enough: to be told before it is stored.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn preview(&self, object: &str, until: Millis) -> Result<(), StateError> {
        self.commit(|tx| tx.put(&TRASH, object.as_bytes(), &Trash { due: until }))
    }

    /// The previews of a generation's edits that are there.
    pub(super) fn previews(&self, generation: Uuid) -> Result<Vec<String>, StateError> {
        let rows = self.shared.tables.scan(&TRASH, format!("{PREVIEWS}{generation}/").as_bytes());
        rows.map(|row| String::from_utf8(row?.0.to_vec()).map_err(|e| StateError::Unreadable(e.to_string()))).collect()
    }

    /// Waits until something may have been thrown away.
    pub async fn thrown_away(&self) {
        self.shared.thrown_away.notified().await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::records::golden;

    #[test]
    fn rows_stay_as_they_are() {
        golden(&Trash { due: Millis(5) }, "010a");
    }

    #[test]
    fn what_is_due_is_swept_and_what_is_late_waits() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let now = Millis(1_700_000_000_000);
        for key in ["a", "b", "c"] {
            store.commit(|tx| put(tx, key, now)).unwrap();
        }
        store.throw_away("d", now).unwrap();
        assert_eq!(store.trash(2, now).unwrap(), ["a", "b"]);
        let is_trash = |key: &str, now| store.is_trash(key, now).unwrap();
        assert!(is_trash("a", now) && is_trash("d", now) && !is_trash("e", now));
        store.swept(&["a".into(), "b".into()]).unwrap();
        assert_eq!(store.trash(9, now).unwrap(), ["c"]);
        assert!(!is_trash("a", now));
        let until = now.plus_seconds(60);
        store.preview("previews/x/y", until).unwrap();
        assert!(!is_trash("previews/x/y", now) && is_trash("previews/x/y", until));
        store.swept(&["previews/x/y".into()]).unwrap();
        assert_eq!(store.trash(9, now.plus_seconds(LATE_S)).unwrap(), ["c", "d"]);
    }
}
