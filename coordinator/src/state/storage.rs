//! Bytes that each account keeps in the object store, and their limit.
//!
//! Every blob and image that a row of an account refers to has a row here, by the account and the name of the blob or
//! image, with its size and the number of references. Their sum is the account's total. References come and go in the
//! transaction that writes or removes the row which makes them ([`Change`]), so the total always equals the sum, and what
//! is stored twice counts once. `storage_check.rs` recomputes all of it from the other tables.
//!
//! A blob counts as long as it may take room, not as long as something refers to it. Its row is written, without a
//! reference, before the blob is stored, so that a request that is refused or cut off afterwards leaves nothing uncounted;
//! and it stays, without a reference, from its last reference until the blob is removed from the object store
//! (`leftovers.rs`). Images are removed from the object store at once, and so are their rows.
//!
//! Images that are yet to be rendered are counted by their pixels: an order is accepted only where its images are likely
//! to fit, and nothing that was accepted fails for lack of storage.

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use fleet::protocol::BlobId;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::records::Image;
use super::table::{Abort, LONGEST_ROW, Record, Tx};
use super::{ACCOUNTS, STORAGE, STORED, StateError, Store, keyspace};
use crate::accounts::StorageQuotas;

/// Pixels of an image that one byte is reserved for until the image is stored: 1 MiB for 2,048 × 2,048.
const PIXELS_PER_BYTE: u64 = 4;

/// What an account keeps, by its id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Storage {
    /// Bytes of everything that its rows refer to.
    pub bytes: u64,
    /// Pixels of images that were accepted and are not stored yet.
    pub pending_pixels: u64,
    /// Counts the transactions that changed this row.
    pub(super) changes: u64,
}

impl Record for Storage {}

impl Storage {
    /// Bytes that count against the quota: what is stored, and what is reserved for images that are yet to come.
    pub fn used(&self) -> u64 {
        self.bytes + reserved(self.pending_pixels)
    }
}

/// A blob or an image that an account keeps, by the account and its name.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct Stored {
    /// Bytes of it, as far as they are known.
    pub(super) bytes: u64,
    /// Rows that refer to it; 0 for a blob that is about to be stored, or to be removed.
    pub(super) references: u32,
    /// Whether `bytes` is its whole size.
    pub(super) measured: bool,
    /// The blobs that it refers to itself: the logos and faces of a brand.
    pub(super) parts: Vec<BlobId>,
}

impl Record for Stored {
    const BYTES: usize = LONGEST_ROW;
}

/// Why something isn't stored: the account's quota is used up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StorageFull {
    /// Bytes that it would take.
    pub required: u64,
    /// Bytes that are used.
    pub used: u64,
    /// The quota.
    pub quota: u64,
}

/// Blobs that a request adds, and the pixels of the images that it asks for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Growth {
    /// Blobs and their sizes in bytes.
    pub blobs: Vec<(BlobId, u64)>,
    /// Pixels.
    pub pixels: u64,
}

/// What is known of what a worker stored, as far as the object store told it.
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

/// What the process knows of storage beside the tables.
#[derive(Debug, Default)]
pub(super) struct StorageLimits {
    quotas: OnceLock<StorageQuotas>,
}

/// Bytes that are reserved for so many pixels.
fn reserved(pixels: u64) -> u64 {
    pixels / PIXELS_PER_BYTE
}

/// Pixels of an image.
pub(super) fn pixels(width: u32, height: u32) -> u64 {
    u64::from(width) * u64::from(height)
}

/// What the keys of an account's rows begin with is its id; what follows says what kind of thing it is.
const BLOB: u8 = 0;
const IMAGE: u8 = 1;

/// The key of a blob that an account keeps.
pub(super) fn blob_key(account: Uuid, id: &BlobId) -> Vec<u8> {
    [account.as_bytes().as_slice(), &[BLOB], &id.0].concat()
}

/// The key of an image that an account keeps, thumbnail included.
pub(super) fn image_key(account: Uuid, image: &Image) -> Vec<u8> {
    [account.as_bytes().as_slice(), &[IMAGE], image.object.as_bytes()].concat()
}

/// Whether a key names a blob.
pub(super) fn is_blob(key: &[u8]) -> bool {
    key.get(16) == Some(&BLOB)
}

/// Something in the object store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoredThing {
    /// A blob.
    Blob(BlobId),
    /// An image, by its key.
    Image(String),
}

/// What a key of [`STORED`] names.
pub(super) fn read_key(key: &[u8]) -> Result<(Uuid, StoredThing), StateError> {
    let unreadable = || StateError::Unreadable("the key of something stored".into());
    let (account, rest) = key.split_at_checked(16).ok_or_else(unreadable)?;
    let thing = match rest.split_first() {
        Some((&BLOB, id)) => StoredThing::Blob(BlobId(id.try_into().map_err(|_| unreadable())?)),
        Some((&IMAGE, key)) => StoredThing::Image(String::from_utf8(key.to_vec()).map_err(|_| unreadable())?),
        _ => return Err(unreadable()),
    };
    Ok((keyspace::id(account)?, thing))
}

/// Something that a transaction begins to refer to.
struct Added {
    key: Vec<u8>,
    stored: Stored,
}

/// What a transaction changes of an account's storage. Collected first and applied once.
pub(super) struct Change {
    account: Uuid,
    added: Vec<Added>,
    removed: Vec<Vec<u8>>,
    opened: u64,
    closed: u64,
}

impl Change {
    /// Nothing yet.
    pub(super) fn of(account: Uuid) -> Self {
        Self { account, added: Vec::new(), removed: Vec::new(), opened: 0, closed: 0 }
    }

    /// One more reference to a blob, whose size may not be known yet.
    pub(super) fn add_blob(&mut self, id: &BlobId, bytes: Option<u64>) {
        self.add_brand(id, bytes, &[]);
    }

    /// A blob that is about to be stored, or was, without a reference.
    fn lay_blob(&mut self, id: &BlobId, bytes: u64) {
        let stored = Stored { bytes, measured: true, ..Stored::default() };
        self.added.push(Added { key: blob_key(self.account, id), stored });
    }

    /// One more reference to a brand, which refers to `parts` itself.
    pub(super) fn add_brand(&mut self, id: &BlobId, bytes: Option<u64>, parts: &[BlobId]) {
        let stored =
            Stored { bytes: bytes.unwrap_or(0), references: 1, measured: bytes.is_some(), parts: parts.to_vec() };
        self.added.push(Added { key: blob_key(self.account, id), stored });
    }

    /// One reference less to a blob.
    pub(super) fn remove_blob(&mut self, id: &BlobId) {
        self.removed.push(blob_key(self.account, id));
    }

    /// One more reference to an image with its thumbnail, whose size may not be known yet.
    pub(super) fn add_image(&mut self, image: &Image, thumbnail: Option<u64>) {
        let bytes = image.bytes.saturating_add(thumbnail.unwrap_or(0));
        let stored = Stored { bytes, references: 1, measured: thumbnail.is_some(), parts: Vec::new() };
        self.added.push(Added { key: image_key(self.account, image), stored });
    }

    /// One reference less to an image. One that was removed with all its references before is no longer there, and stays so.
    pub(super) fn remove_image(&mut self, image: &Image) {
        self.removed.push(image_key(self.account, image));
    }

    /// An image is to be rendered.
    pub(super) fn open(&mut self, width: u32, height: u32) {
        self.opened += pixels(width, height);
    }

    /// An image is stored, or won't be.
    pub(super) fn close(&mut self, width: u32, height: u32) {
        self.closed += pixels(width, height);
    }

    /// Whether what it adds fits into the account's quota. What is there already takes no room, and what takes none always
    /// fits.
    pub(super) fn fits(&self, tx: &Tx<'_>, quotas: &StorageQuotas) -> Result<Result<(), StorageFull>, Abort> {
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

    /// Writes it down.
    pub(super) fn apply(self, tx: &Tx<'_>) -> Result<(), Abort> {
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

/// Adds the references of `new`, which may be none.
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
            // Stored before the brand that names it.
            put(tx, account, total, &blob_key(account, part), Stored { references: 1, ..Stored::default() })?;
        }
    }
    let references = there.references + new.references;
    tx.put(&STORED, key, &Stored { bytes, references, measured: there.measured || new.measured, parts })
}

/// Counts an image with `bytes`, which was rendered again over the same key.
pub(super) fn resize_image(tx: &Tx<'_>, account: Uuid, image: &Image, bytes: u64) -> Result<(), Abort> {
    let key = image_key(account, image);
    let Some(stored) = tx.get(&STORED, &key)? else { return Ok(()) };
    let resized = stored.bytes.saturating_sub(image.bytes).saturating_add(bytes);
    let mut total = tx.get(&STORAGE, account.as_bytes())?.unwrap_or_default();
    total.bytes = total.bytes.saturating_sub(stored.bytes).saturating_add(resized);
    total.changes += 1;
    tx.put(&STORED, &key, &Stored { bytes: resized, ..stored })?;
    tx.put(&STORAGE, account.as_bytes(), &total)
}

/// Takes a reference away.
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
    /// Limits what accounts may keep; without this they may keep anything. The first call counts.
    pub fn limit_storage(&self, quotas: StorageQuotas) {
        // A second call is a mistake of the program that does no harm.
        let _ = self.shared.storage.quotas.set(quotas);
    }

    /// What accounts may keep.
    pub fn storage_quotas(&self) -> &StorageQuotas {
        const UNLIMITED: &StorageQuotas = &StorageQuotas { free: 0, starter: 0, pro: 0, business: 0 };
        self.shared.storage.quotas.get().unwrap_or(UNLIMITED)
    }

    /// What an account keeps.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn storage(&self, account: Uuid) -> Result<Storage, StateError> {
        Ok(self.shared.tables.get(&STORAGE, account.as_bytes())?.unwrap_or_default())
    }

    /// Counts blobs that a request is about to store, unless the account's quota has no room for them and the images that are
    /// asked for. They count until they are referred to, or are no longer in the object store. The transaction that refers to
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
            // The images are counted once they are ordered.
            change.opened = 0;
            change.apply(tx).map(Ok)
        })
    }

    /// Counts blobs that were stored and that no row refers to, whatever the quota is.
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

    /// Runs a transaction that need not be on the disk: with the process, what it counts is lost, and nothing else.
    fn count<T>(&self, transaction: impl Fn(&Tx<'_>) -> Result<T, Abort>) -> Result<T, StateError> {
        let super::Shared { tables, committer, .. } = &*self.shared;
        committer.begin(tables, || self.visible(transaction)).map(|(counted, _)| counted)
    }

    /// Up to `limit` blobs that count though no row of their account refers to them, those after `after`: their keys, and
    /// which.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn unreferenced(&self, after: &[u8], limit: usize) -> Result<Vec<(Vec<u8>, BlobId)>, StateError> {
        self.stored_after(after, limit, |stored, thing| match thing {
            StoredThing::Blob(id) if stored.references == 0 => Some(id),
            _ => None,
        })
    }

    /// Counts these blobs no longer, where still nothing refers to them.
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

    /// Up to `limit` things whose size is not known yet, those after `after`: their keys, whose they are, and what.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn unmeasured(&self, after: &[u8], limit: usize) -> Result<Vec<(Vec<u8>, StoredThing)>, StateError> {
        self.stored_after(after, limit, |stored, thing| (!stored.measured).then_some(thing))
    }

    /// What `chosen` makes of up to `limit` rows after the key `after`, with their keys.
    fn stored_after<T>(
        &self,
        after: &[u8],
        limit: usize,
        chosen: impl Fn(&Stored, StoredThing) -> Option<T>,
    ) -> Result<Vec<(Vec<u8>, T)>, StateError> {
        // The first key behind it.
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

    /// Takes note of the size of things that were found by [`Self::unmeasured`]: of a blob the whole, of an image its
    /// thumbnail's.
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
    use crate::state::records::golden;

    #[test]
    fn rows_stay_as_they_are() {
        golden(&Storage { bytes: 300, pending_pixels: 7, changes: 2 }, "01fb2c010702");
        let part = BlobId([5; 32]);
        let stored = Stored { bytes: 9, references: 2, measured: true, parts: vec![part] };
        golden(&stored, &format!("0109020101{}", "05".repeat(32)));
    }
}
