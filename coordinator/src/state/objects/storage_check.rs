//! Recomputes the storage of accounts from the rows that reference stored objects: for states of versions that did not
//! count it, and to check the running totals.

use std::collections::BTreeMap;

use fleet::protocol::BlobId;
use uuid::Uuid;

use crate::state::database::tables::{Abort, Tx};
use crate::state::error::StateError;
use crate::state::generations::images::image_is_gone;
use crate::state::objects::storage;
use crate::state::rows::assets::UploadKind;
use crate::state::rows::generations::Generation;
use crate::state::rows::keyspace::{self, versioned};
use crate::state::rows::objects::{Storage, Stored};
use crate::state::rows::outputs::{End, Image, Output, Version};
use crate::state::rows::schema::{
    ACCOUNTS, BUNDLES, EDITS, FACE_SHELVES, GENERATIONS, KITS, OUTPUTS, STORAGE, STORED, UPLOADS, VERSIONS,
};
use crate::state::store::Store;

/// Rows corrected per transaction.
const AT_ONCE: usize = 500;
/// How many times an account that changes during the check is checked again.
const TRIES: u32 = 5;
/// Key of a marker row that says the whole state is counted.
const COUNTED: Uuid = Uuid::nil();

/// Result of a check of an account's storage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StorageCheck {
    /// The total equals the sum of what the account's rows reference.
    Right,
    /// The total was wrong, or rows of stored objects were missing or superfluous. This many rows were corrected.
    Corrected(usize),
    /// The account changed during every attempt, so the result is unknown.
    Busy,
}

/// References of an account's rows, by the keys of [`STORED`], and the pixels of images that aren't rendered yet.
#[derive(Default)]
struct References {
    account: Uuid,
    stored: BTreeMap<Vec<u8>, Stored>,
    pixels: u64,
}

impl References {
    fn add(&mut self, key: Vec<u8>, bytes: u64, measured: bool) {
        let stored = self.stored.entry(key).or_default();
        stored.references += 1;
        if measured || !stored.measured {
            (stored.bytes, stored.measured) = (bytes, measured);
        }
    }

    fn blob(&mut self, id: &BlobId, bytes: Option<u64>) {
        self.add(storage::blob_key(self.account, id), bytes.unwrap_or(0), bytes.is_some());
    }

    fn image(&mut self, image: &Image) {
        self.add(storage::image_key(self.account, image), image.bytes, false);
    }
}

/// Marks everything as counted. Call it on a state that stores nothing yet.
pub(in crate::state) fn begin(tx: &Tx<'_>) -> Result<(), Abort> {
    tx.put(&STORAGE, COUNTED.as_bytes(), &Storage::default())
}

/// The page and the image of a version, if they exist.
type PageAndImage = (Option<BlobId>, Option<Image>);

impl Store {
    /// Counts the storage of all accounts if the state comes from a version that did not.
    pub(in crate::state) fn count_storage(&self) -> Result<(), StateError> {
        if self.shared.tables.get(&STORAGE, COUNTED.as_bytes())?.is_some() {
            return Ok(());
        }
        tracing::info!("counting the storage of all accounts");
        for row in self.shared.tables.scan(&ACCOUNTS, &[]) {
            self.check_storage(keyspace::id(&row?.0)?)?;
        }
        self.commit(begin)
    }

    /// Compares an account's recorded storage with the rows that reference it, and corrects differences.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn check_storage(&self, account: Uuid) -> Result<StorageCheck, StateError> {
        let tables = &self.shared.tables;
        for _ in 0..TRIES {
            // Every change of references also changes this row, so it detects concurrent changes.
            let before = self.storage(account)?;
            let References { stored: mut right, pixels, .. } = self.references(account)?;
            let mut parts = Vec::new();
            for row in tables.scan(&STORED, account.as_bytes()) {
                let (key, stored) = row?;
                if right.contains_key(key.as_ref()) {
                    parts.extend(stored.parts.iter().map(|part| storage::blob_key(account, part)));
                }
            }
            for key in parts {
                right.entry(key).or_default().references += 1;
            }
            let (mut corrections, mut sum) = (Vec::new(), 0);
            for row in tables.scan(&STORED, account.as_bytes()) {
                let (key, stored) = row?;
                let Some(new) = right.remove(key.as_ref()) else {
                    if storage::is_blob(&key) {
                        // The object store holds the blob until orphan collection removes it.
                        sum += stored.bytes;
                        if stored.references > 0 {
                            let there = Stored { references: 0, parts: Vec::new(), ..stored };
                            corrections.push((key.to_vec(), Some(there)));
                        }
                    } else {
                        corrections.push((key.to_vec(), None));
                    }
                    continue;
                };
                sum += stored.bytes;
                if stored.references != new.references {
                    // Keep the size and the parts, which only this row has.
                    corrections.push((key.to_vec(), Some(Stored { references: new.references, ..stored })));
                }
            }
            sum += right.values().map(|missing| missing.bytes).sum::<u64>();
            corrections.extend(right.into_iter().map(|(key, missing)| (key, Some(missing))));
            let exact = Storage { bytes: sum, pending_pixels: pixels, ..before };
            if corrections.is_empty() && exact == before {
                return Ok(StorageCheck::Right);
            }
            let count = corrections.len();
            if self.correct(account, before, exact, &corrections)? {
                return Ok(StorageCheck::Corrected(count));
            }
        }
        Ok(StorageCheck::Busy)
    }

    /// Writes corrections unless the account's storage has changed since `before`. Returns whether all of them were
    /// written.
    fn correct(
        &self,
        account: Uuid,
        before: Storage,
        exact: Storage,
        corrections: &[(Vec<u8>, Option<Stored>)],
    ) -> Result<bool, StateError> {
        // At least one transaction. The last one also writes the total.
        let parts = corrections.len().div_ceil(AT_ONCE).max(1);
        for (part, changes) in (0..parts).zip(before.changes..) {
            let some = corrections.iter().skip(part * AT_ONCE).take(AT_ONCE);
            let stands = self.commit(|tx| {
                let mut total = tx.get(&STORAGE, account.as_bytes())?.unwrap_or_default();
                if total.changes != changes {
                    return Ok(false);
                }
                for (key, stored) in some.clone() {
                    let old = tx.get(&STORED, key)?.map_or(0, |stored| stored.bytes);
                    total.bytes = total.bytes.saturating_sub(old) + stored.as_ref().map_or(0, |stored| stored.bytes);
                    match stored {
                        Some(stored) => tx.put(&STORED, key, stored)?,
                        None => tx.remove(&STORED, key)?,
                    }
                }
                if part + 1 == parts {
                    total = exact;
                }
                tx.put(&STORAGE, account.as_bytes(), &Storage { changes: changes + 1, ..total })?;
                Ok(true)
            })?;
            if !stands {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Collects the references of an account's rows. A row that changes in the meantime is seen either before or after
    /// its change.
    fn references(&self, account: Uuid) -> Result<References, StateError> {
        let tables = &self.shared.tables;
        let mut all = References { account, ..References::default() };
        let shelf = tables.get(&FACE_SHELVES, account.as_bytes())?.unwrap_or_default();
        for face in &shelf.faces {
            all.blob(&face.blob, Some(face.bytes));
        }
        for row in tables.scan(&UPLOADS, account.as_bytes()) {
            let (_, upload) = row?;
            // The stored font file is larger or smaller than its upload.
            let bytes = (!matches!(upload.kind, UploadKind::Font { .. })).then_some(upload.bytes);
            all.blob(&upload.blob, bytes);
        }
        for row in tables.scan(&KITS, account.as_bytes()) {
            let (_, kit) = row?;
            kit.logos().for_each(|logo| all.blob(&logo.blob, None));
        }
        for row in tables.scan(&GENERATIONS, account.as_bytes()) {
            self.references_of(&row?.1, &mut all)?;
        }
        Ok(all)
    }

    /// Collects the references of a generation.
    fn references_of(&self, generation: &Generation, all: &mut References) -> Result<(), StateError> {
        let tables = &self.shared.tables;
        for blob in generation.blobs() {
            all.blob(&blob, None);
        }
        for row in tables.scan(&BUNDLES, generation.id.as_bytes()) {
            let (_, bundle) = row?;
            all.blob(&bundle.blob, Some(bundle.bytes));
        }
        for row in tables.scan(&OUTPUTS, generation.id.as_bytes()) {
            let (key, output) = row?;
            let Some(place) = keyspace::place(&key) else { continue };
            if output.end.is_none() && !generation.status.is_terminal() {
                all.pixels += storage::pixels(output.width, output.height);
            }
            for (page, image) in self.versions_of(generation, place, &output)? {
                page.iter().for_each(|page| all.blob(page, None));
                image.iter().for_each(|image| all.image(image));
            }
            let edit = tables.get(&EDITS, &keyspace::placed(generation.id, place))?;
            if let Some(edit) = edit.filter(|edit| edit.fault.is_none()) {
                all.blob(&edit.page, None);
                match &edit.drawn {
                    Some(image) => all.image(image),
                    None => all.pixels += storage::pixels(output.width, output.height),
                }
            }
        }
        Ok(())
    }

    /// Returns the page and the image of each version of an output, if they exist.
    fn versions_of(
        &self,
        generation: &Generation,
        place: u32,
        output: &Output,
    ) -> Result<Vec<PageAndImage>, StateError> {
        let (tables, mut found) = (&self.shared.tables, Vec::new());
        let is_gone = |version: Option<&Version>| {
            if generation.images_deleted.is_none() {
                return Ok(false);
            }
            let gone = |tx: &Tx<'_>| image_is_gone(tx, generation, place, output, version);
            tables.transact(gone).map(|(gone, _)| gone)
        };
        if output.version == 1 {
            let image = match &output.end {
                Some(End::Ready(image)) if !is_gone(None)? => Some(image.clone()),
                _ => None,
            };
            return Ok(vec![(output.page, image)]);
        }
        for number in 1..=output.version {
            let Some(version) = tables.get(&VERSIONS, &versioned(generation.id, place, number))? else { continue };
            let gone = is_gone(Some(&version))?;
            found.push((Some(version.page), Some(version.image).filter(|_| !gone)));
        }
        Ok(found)
    }

    /// Returns the ids of all accounts.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn account_ids(&self) -> Result<Vec<Uuid>, StateError> {
        self.shared.tables.scan(&ACCOUNTS, &[]).map(|row| keyspace::id(&row?.0)).collect()
    }
}

#[cfg(test)]
#[path = "storage_tests.rs"]
mod tests;
