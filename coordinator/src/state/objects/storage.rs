//! Storage accounting: the bytes that each account stores in the object store, and their limit.
//!
//! Every blob and image that an account's rows reference has a row here, keyed by the account and the blob's or image's
//! name, with its size and number of references. The sum of the sizes is the account's total. References are added and
//! removed in the transaction that writes or removes the referencing row ([`Change`]), so the total always equals the
//! sum, and content that is referenced twice counts once. `storage_check.rs` recomputes everything from the other
//! tables.
//!
//! A blob counts for as long as it may occupy space, not only while it is referenced. Its row is written without a
//! reference before the blob is stored, so that a request that is refused or interrupted afterwards leaves nothing
//! uncounted. After its last reference is removed, the row stays until the blob is removed from the object store
//! (`leftovers.rs`). Images are removed from the object store at once, and so are their rows.
//!
//! Images that aren't rendered yet count by their pixels. An order is accepted only if its images are likely to fit,
//! and nothing that was accepted fails for lack of storage.

use std::collections::{HashMap, HashSet};

use fleet::protocol::BlobId;
use uuid::Uuid;

use crate::accounts::StorageQuotas;
use crate::state::database::tables::{Abort, Tx};
use crate::state::error::StateError;
use crate::state::rows::keyspace;
use crate::state::rows::objects::{Storage, Stored, reserved};
use crate::state::rows::outputs::Image;
use crate::state::rows::schema::{ACCOUNTS, STORAGE, STORED};
use crate::state::store::{Shared, Store};

/// The account's storage quota is exceeded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StorageFull {
    /// Bytes that the request needs.
    pub required: u64,
    /// Bytes that are used.
    pub used: u64,
    /// The quota.
    pub quota: u64,
}

/// Blobs that a request adds, and the pixels of the images that it orders.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Growth {
    /// Blobs and their sizes in bytes.
    pub blobs: Vec<(BlobId, u64)>,
    /// Pixels.
    pub pixels: u64,
}

/// What the object store reports about the objects that a worker stored.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StoredFacts {
    /// Sizes of blobs, in bytes.
    pub blobs: HashMap<BlobId, u64>,
    /// What pages say, by their blobs.
    pub words: HashMap<BlobId, String>,
    /// Size of the thumbnail, in bytes.
    pub thumbnail: Option<u64>,
    /// SHA-256 of the thumbnail.
    pub thumbnail_sha256: Option<[u8; 32]>,
}

/// Pixels of an image.
pub(in crate::state) fn pixels(width: u32, height: u32) -> u64 {
    u64::from(width) * u64::from(height)
}

/// A key starts with the account's id, followed by one of these bytes for the kind of object.
const BLOB: u8 = 0;
const IMAGE: u8 = 1;

/// Returns the key of a blob that an account stores.
pub(in crate::state) fn blob_key(account: Uuid, id: &BlobId) -> Vec<u8> {
    [account.as_bytes().as_slice(), &[BLOB], &id.0].concat()
}

/// Returns the key of an image that an account stores, including its thumbnail.
pub(in crate::state) fn image_key(account: Uuid, image: &Image) -> Vec<u8> {
    [account.as_bytes().as_slice(), &[IMAGE], image.object.as_bytes()].concat()
}

/// Returns whether a key refers to a blob.
pub(in crate::state) fn is_blob(key: &[u8]) -> bool {
    key.get(16) == Some(&BLOB)
}

/// An object in the object store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoredThing {
    /// A blob.
    Blob(BlobId),
    /// An image, by its key.
    Image(String),
}

/// Decodes a key of [`STORED`].
pub(in crate::state) fn read_key(key: &[u8]) -> Result<(Uuid, StoredThing), StateError> {
    let unreadable = || StateError::Unreadable("the key of something stored".into());
    let (account, rest) = key.split_at_checked(16).ok_or_else(unreadable)?;
    let thing = match rest.split_first() {
        Some((&BLOB, id)) => StoredThing::Blob(BlobId(id.try_into().map_err(|_| unreadable())?)),
        Some((&IMAGE, key)) => StoredThing::Image(String::from_utf8(key.to_vec()).map_err(|_| unreadable())?),
        _ => return Err(unreadable()),
    };
    Ok((keyspace::id(account)?, thing))
}

/// An object that a transaction adds a reference to.
struct Added {
    key: Vec<u8>,
    stored: Stored,
}

/// Changes of an account's storage in a transaction, collected first and applied once.
pub(in crate::state) struct Change {
    account: Uuid,
    added: Vec<Added>,
    removed: Vec<Vec<u8>>,
    opened: u64,
    closed: u64,
}

impl Change {
    /// Creates an empty change.
    pub(in crate::state) fn of(account: Uuid) -> Self {
        Self { account, added: Vec::new(), removed: Vec::new(), opened: 0, closed: 0 }
    }

    /// Adds a reference to a blob, whose size may be unknown.
    pub(in crate::state) fn add_blob(&mut self, id: &BlobId, bytes: Option<u64>) {
        self.add_brand(id, bytes, &[]);
    }

    /// Counts a blob without a reference, before or after it is stored.
    fn lay_blob(&mut self, id: &BlobId, bytes: u64) {
        let stored = Stored { bytes, measured: true, ..Stored::default() };
        self.added.push(Added { key: blob_key(self.account, id), stored });
    }

    /// Adds a reference to a brand, which itself references `parts`.
    pub(in crate::state) fn add_brand(&mut self, id: &BlobId, bytes: Option<u64>, parts: &[BlobId]) {
        let stored =
            Stored { bytes: bytes.unwrap_or(0), references: 1, measured: bytes.is_some(), parts: parts.to_vec() };
        self.added.push(Added { key: blob_key(self.account, id), stored });
    }

    /// Removes a reference to a blob.
    pub(in crate::state) fn remove_blob(&mut self, id: &BlobId) {
        self.removed.push(blob_key(self.account, id));
    }

    /// Adds a reference to an image with its thumbnail, whose size may be unknown.
    pub(in crate::state) fn add_image(&mut self, image: &Image, thumbnail: Option<u64>) {
        let bytes = image.bytes.saturating_add(thumbnail.unwrap_or(0));
        let stored = Stored { bytes, references: 1, measured: thumbnail.is_some(), parts: Vec::new() };
        self.added.push(Added { key: image_key(self.account, image), stored });
    }

    /// Removes a reference to an image. An image whose references were all removed before is left alone.
    pub(in crate::state) fn remove_image(&mut self, image: &Image) {
        self.removed.push(image_key(self.account, image));
    }

    /// Reserves storage for an image to be rendered.
    pub(in crate::state) fn open(&mut self, width: u32, height: u32) {
        self.opened += pixels(width, height);
    }

    /// Releases the reservation of an image that was stored or won't be.
    pub(in crate::state) fn close(&mut self, width: u32, height: u32) {
        self.closed += pixels(width, height);
    }

    /// Checks that the additions fit into the account's quota. Objects that are already counted need no space, and a
    /// change that needs no space always fits.
    pub(in crate::state) fn fits(&self, tx: &Tx<'_>, quotas: &StorageQuotas) -> Result<Result<(), StorageFull>, Abort> {
        let Some(account) = tx.get(&ACCOUNTS, self.account.as_bytes())? else { return Ok(Ok(())) };
        let Some(quota) = quotas.of(account.plan) else { return Ok(Ok(())) };
        let (mut required, mut seen) = (reserved(self.opened), HashSet::new());
        for Added { key, stored } in &self.added {
            if seen.insert(key) && tx.get(&STORED, key)?.is_none() {
                required += stored.bytes;
            }
        }
        let used = tx.get(&STORAGE, self.account.as_bytes())?.unwrap_or_default().used();
        let fits = required == 0 || used.saturating_add(required) <= quota;
        Ok(if fits { Ok(()) } else { Err(StorageFull { required, used, quota }) })
    }

    /// Writes the change.
    pub(in crate::state) fn apply(self, tx: &Tx<'_>) -> Result<(), Abort> {
        let Self { account, added, removed, opened, closed } = self;
        if added.is_empty() && removed.is_empty() && opened == closed {
            return Ok(());
        }
        let mut total = tx.get(&STORAGE, account.as_bytes())?.unwrap_or_default();
        for Added { key, stored } in added {
            put(tx, account, &mut total, &key, stored)?;
        }
        for key in removed {
            take(tx, account, &mut total, &key)?;
        }
        total.pending_pixels = (total.pending_pixels + opened).saturating_sub(closed);
        total.changes += 1;
        tx.put(&STORAGE, account.as_bytes(), &total)
    }
}

/// Adds the references of `new`, possibly none.
fn put(tx: &Tx<'_>, account: Uuid, total: &mut Storage, key: &[u8], new: Stored) -> Result<(), Abort> {
    let there = tx.get(&STORED, key)?.unwrap_or_default();
    let bytes = match there.measured {
        true => there.bytes,
        false if new.measured => new.bytes,
        false => there.bytes.max(new.bytes),
    };
    total.bytes = total.bytes.saturating_sub(there.bytes).saturating_add(bytes);
    let parts = if there.references > 0 { there.parts } else { new.parts };
    if there.references == 0 {
        for part in &parts {
            // A part is stored before the brand that references it.
            put(tx, account, total, &blob_key(account, part), Stored { references: 1, ..Stored::default() })?;
        }
    }
    let references = there.references + new.references;
    tx.put(&STORED, key, &Stored { bytes, references, measured: there.measured || new.measured, parts })
}

/// Changes the size of an image that was rendered again under the same key.
pub(in crate::state) fn resize_image(tx: &Tx<'_>, account: Uuid, image: &Image, bytes: u64) -> Result<(), Abort> {
    let key = image_key(account, image);
    let Some(stored) = tx.get(&STORED, &key)? else { return Ok(()) };
    let resized = stored.bytes.saturating_sub(image.bytes).saturating_add(bytes);
    let mut total = tx.get(&STORAGE, account.as_bytes())?.unwrap_or_default();
    total.bytes = total.bytes.saturating_sub(stored.bytes).saturating_add(resized);
    total.changes += 1;
    tx.put(&STORED, &key, &Stored { bytes: resized, ..stored })?;
    tx.put(&STORAGE, account.as_bytes(), &total)
}

/// Removes a reference.
fn take(tx: &Tx<'_>, account: Uuid, total: &mut Storage, key: &[u8]) -> Result<(), Abort> {
    let Some(stored) = tx.get(&STORED, key)?.filter(|stored| stored.references > 0) else { return Ok(()) };
    if stored.references > 1 {
        return tx.put(&STORED, key, &Stored { references: stored.references - 1, ..stored });
    }
    if is_blob(key) {
        tx.put(&STORED, key, &Stored { references: 0, parts: Vec::new(), ..stored })?;
    } else {
        tx.remove(&STORED, key)?;
        total.bytes = total.bytes.saturating_sub(stored.bytes);
    }
    stored.parts.iter().try_for_each(|part| take(tx, account, total, &blob_key(account, part)))
}

impl Store {
    /// Limits the storage of accounts; without this call it is unlimited. Only the first call has an effect.
    pub fn limit_storage(&self, quotas: StorageQuotas) {
        // A second call is a programming error, but harmless.
        let _ = self.shared.storage.quotas.set(quotas);
    }

    /// Returns the storage quotas.
    pub fn storage_quotas(&self) -> &StorageQuotas {
        const UNLIMITED: &StorageQuotas = &StorageQuotas { free: 0, starter: 0, pro: 0, business: 0 };
        self.shared.storage.quotas.get().unwrap_or(UNLIMITED)
    }

    /// Returns the storage of an account.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn storage(&self, account: Uuid) -> Result<Storage, StateError> {
        Ok(self.shared.tables.get(&STORAGE, account.as_bytes())?.unwrap_or_default())
    }

    /// Counts blobs that a request is about to store, unless they and the ordered images exceed the account's quota.
    /// The blobs count until they are referenced or are gone from the object store. The transaction that references
    /// them checks the quota again.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn reserve_storage(&self, account: Uuid, growth: &Growth) -> Result<Result<(), StorageFull>, StateError> {
        self.count(|tx| {
            let mut change = Change::of(account);
            growth.blobs.iter().for_each(|(id, bytes)| change.lay_blob(id, *bytes));
            change.opened = growth.pixels;
            if let Err(full) = change.fits(tx, self.storage_quotas())? {
                return Ok(Err(full));
            }
            // The images are counted when they are ordered.
            change.opened = 0;
            change.apply(tx).map(Ok)
        })
    }

    /// Counts stored blobs that no row references, even if they exceed the quota.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn count_stored(&self, account: Uuid, blobs: &[(BlobId, u64)]) -> Result<(), StateError> {
        self.count(|tx| {
            let mut change = Change::of(account);
            blobs.iter().for_each(|(id, bytes)| change.lay_blob(id, *bytes));
            change.apply(tx)
        })
    }

    /// Runs a transaction that need not reach the disk: a crash loses only the count.
    fn count<T>(&self, transaction: impl Fn(&Tx<'_>) -> Result<T, Abort>) -> Result<T, StateError> {
        let Shared { tables, committer, .. } = &*self.shared;
        committer.begin(tables, || self.visible(transaction)).map(|(counted, _)| counted)
    }

    /// Returns up to `limit` blobs that count although no row of their account references them, only those after
    /// `after`: their keys and ids.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn unreferenced(&self, after: &[u8], limit: usize) -> Result<Vec<(Vec<u8>, BlobId)>, StateError> {
        self.stored_after(after, limit, |stored, thing| match thing {
            StoredThing::Blob(id) if stored.references == 0 => Some(id),
            _ => None,
        })
    }

    /// Stops counting these blobs, unless they are referenced again.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn uncount(&self, keys: &[Vec<u8>]) -> Result<(), StateError> {
        self.commit(|tx| {
            for key in keys {
                let Some(stored) = tx.get(&STORED, key)?.filter(|stored| stored.references == 0) else { continue };
                let (account, _) = read_key(key)?;
                let mut total = tx.get(&STORAGE, account.as_bytes())?.unwrap_or_default();
                total.bytes = total.bytes.saturating_sub(stored.bytes);
                total.changes += 1;
                tx.remove(&STORED, key)?;
                tx.put(&STORAGE, account.as_bytes(), &total)?;
            }
            Ok(())
        })
    }

    /// Returns up to `limit` objects whose size isn't known yet, only those after `after`: their keys, and the objects.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn unmeasured(&self, after: &[u8], limit: usize) -> Result<Vec<(Vec<u8>, StoredThing)>, StateError> {
        self.stored_after(after, limit, |stored, thing| (!stored.measured).then_some(thing))
    }

    /// Returns up to `limit` rows after the key `after` for which `chosen` returns a value, with their keys.
    fn stored_after<T>(
        &self,
        after: &[u8],
        limit: usize,
        chosen: impl Fn(&Stored, StoredThing) -> Option<T>,
    ) -> Result<Vec<(Vec<u8>, T)>, StateError> {
        // The first key after `after`.
        let start = [after, &[0]].concat();
        let mut found = Vec::new();
        for row in self.shared.tables.range(&STORED, start, vec![u8::MAX; 17]) {
            let (key, stored) = row?;
            if let Some(it) = chosen(&stored, read_key(&key)?.1) {
                found.push((key.to_vec(), it));
            }
            if found.len() == limit {
                break;
            }
        }
        Ok(found)
    }

    /// Records the sizes of objects found by [`Self::unmeasured`]: the full size of a blob, the thumbnail's size of an
    /// image.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn measured(&self, sizes: &[(Vec<u8>, u64)]) -> Result<(), StateError> {
        self.commit(|tx| {
            for (key, bytes) in sizes {
                let Some(stored) = tx.get(&STORED, key)?.filter(|stored| !stored.measured) else { continue };
                let (account, thing) = read_key(key)?;
                let known = match thing {
                    StoredThing::Blob(_) => 0,
                    StoredThing::Image(_) => stored.bytes,
                };
                let size = known.saturating_add(*bytes);
                let mut total = tx.get(&STORAGE, account.as_bytes())?.unwrap_or_default();
                total.bytes = total.bytes.saturating_sub(stored.bytes).saturating_add(size);
                total.changes += 1;
                tx.put(&STORED, key, &Stored { bytes: size, measured: true, ..stored })?;
                tx.put(&STORAGE, account.as_bytes(), &total)?;
            }
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::rows::golden;

    #[test]
    fn rows_stay_as_they_are() {
        golden(&Storage { bytes: 300, pending_pixels: 7, changes: 2 }, "01fb2c010702");
        let part = BlobId([5; 32]);
        let stored = Stored { bytes: 9, references: 2, measured: true, parts: vec![part] };
        golden(&stored, &format!("0109020101{}", "05".repeat(32)));
    }
}
