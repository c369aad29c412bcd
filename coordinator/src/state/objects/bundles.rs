//! Bundles: files made from a generation's images for download. The service keeps one per kind and format filter.
//!
//! A row is valid as long as the outputs that it shows still have the versions that it lists. The bundle's blob counts
//! as storage of the account, and is deleted with the generation or its images.

use fleet::protocol::BlobId;
use uuid::Uuid;

use crate::state::database::tables::{Abort, Tx};
use crate::state::error::StateError;
use crate::state::objects::storage::{Change, StorageFull};
use crate::state::rows::assets::{Bundle, BundleKind};
use crate::state::rows::keyspace::pair;
use crate::state::rows::outputs::Output;
use crate::state::rows::schema::{BUNDLES, GENERATIONS};
use crate::state::store::Store;

/// Returns the key of a generation's bundle.
fn key(generation: Uuid, kind: BundleKind, format: Option<&str>) -> Vec<u8> {
    [generation.as_bytes().as_slice(), &[kind as u8], format.unwrap_or_default().as_bytes()].concat()
}

/// Removes all bundles of a generation with these outputs.
pub(in crate::state) fn remove_all(
    tx: &Tx<'_>,
    generation: Uuid,
    outputs: &[Output],
    change: &mut Change,
) -> Result<(), Abort> {
    let mut formats: Vec<Option<&str>> = vec![None];
    for output in outputs {
        if !formats.contains(&Some(&output.format)) {
            formats.push(Some(&output.format));
        }
    }
    for kind in BundleKind::ALL {
        for format in &formats {
            let key = key(generation, kind, *format);
            if let Some(bundle) = tx.get(&BUNDLES, &key)? {
                change.remove_blob(&bundle.blob);
                tx.remove(&BUNDLES, &key)?;
            }
        }
    }
    Ok(())
}

impl Store {
    /// Returns the stored bundle of a generation, whatever versions it contains.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn bundle(
        &self,
        generation: Uuid,
        kind: BundleKind,
        format: Option<&str>,
    ) -> Result<Option<Bundle>, StateError> {
        self.shared.tables.get(&BUNDLES, &key(generation, kind, format))
    }

    /// Returns whether a blob is one of a generation's bundles.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn is_bundle(&self, generation: Uuid, blob: &BlobId) -> Result<bool, StateError> {
        for row in self.shared.tables.scan(&BUNDLES, generation.as_bytes()) {
            if row?.1.blob == *blob {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Stores the row of a bundle whose blob is stored, and replaces the previous one. Returns `None` if the generation
    /// or its images are gone.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn keep_bundle(
        &self,
        account: Uuid,
        generation: Uuid,
        bundle: &Bundle,
    ) -> Result<Option<Result<(), StorageFull>>, StateError> {
        self.commit(|tx: &Tx<'_>| {
            let found = tx.get(&GENERATIONS, &pair(account, generation))?;
            if !found.is_some_and(|generation| generation.may_have_images()) {
                return Ok(None);
            }
            let key = key(generation, bundle.kind, bundle.format.as_deref());
            let mut change = Change::of(account);
            change.add_blob(&bundle.blob, Some(bundle.bytes));
            if let Err(full) = change.fits(tx, self.storage_quotas())? {
                return Ok(Some(Err(full)));
            }
            if let Some(old) = tx.get(&BUNDLES, &key)? {
                change.remove_blob(&old.blob);
            }
            change.apply(tx)?;
            tx.put(&BUNDLES, &key, bundle)?;
            Ok(Some(Ok(())))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::StorageCheck;
    use crate::state::rows::golden;
    use crate::state::tests::{T0, bench};

    fn bundle(kind: BundleKind, format: Option<&str>, blob: u8) -> Bundle {
        Bundle {
            kind,
            format: format.map(str::to_owned),
            blob: BlobId([blob; 32]),
            bytes: 1_000,
            shows: vec![(0, 1), (1, 1)],
        }
    }

    #[test]
    fn rows_stay_as_they_are() {
        let blob = "07".repeat(32);
        golden(
            &bundle(BundleKind::Zip, Some("quote_card"), 7),
            &format!("0101010a71756f74655f63617264{blob}fbe8030200010101"),
        );
    }

    #[test]
    fn files_count_as_storage_and_go_with_their_generation() {
        let b = bench(100_000);
        let id = b.accept(2);
        b.drain(T0);
        let format = b.get(id).outputs[0].format.clone();
        let keep = |bundle: &Bundle| b.store.keep_bundle(b.account, id, bundle).unwrap();
        let used = || b.store.storage(b.account).unwrap().bytes;
        let before = used();
        assert_eq!(keep(&bundle(BundleKind::Pdf, None, 20)), Some(Ok(())));
        assert_eq!(keep(&bundle(BundleKind::Pdf, Some(&format), 21)), Some(Ok(())));
        assert_eq!(keep(&bundle(BundleKind::Zip, None, 22)), Some(Ok(())));
        assert_eq!(used(), before + 3_000);
        assert_eq!(b.store.bundle(id, BundleKind::Pdf, None).unwrap().unwrap().blob, BlobId([20; 32]));
        assert_eq!(b.store.bundle(id, BundleKind::Zip, Some(&format)).unwrap(), None);
        // A new bundle replaces the old one, which counts until it is removed from the object store.
        assert_eq!(keep(&bundle(BundleKind::Pdf, None, 23)), Some(Ok(())));
        assert!(
            !b.store.is_bundle(id, &BlobId([20; 32])).unwrap() && b.store.is_bundle(id, &BlobId([23; 32])).unwrap()
        );
        let named = b.store.gc_roots().unwrap().blobs;
        assert!(
            !named.contains(&BlobId([20; 32])) && [21, 22, 23].iter().all(|blob| named.contains(&BlobId([*blob; 32])))
        );
        assert_eq!(b.store.check_storage(b.account).unwrap(), StorageCheck::Right);

        b.store.delete_generation(b.account, id, T0).unwrap();
        assert_eq!(b.store.bundle(id, BundleKind::Zip, None).unwrap(), None);
        assert!(b.store.gc_roots().unwrap().blobs.is_empty());
        assert_eq!(b.store.check_storage(b.account).unwrap(), StorageCheck::Right);
        assert_eq!(keep(&bundle(BundleKind::Pdf, None, 24)), None, "there is no such generation any more");
        assert!(!b.store.is_bundle(id, &BlobId([23; 32])).unwrap());
    }

    #[test]
    fn files_go_with_the_images() {
        let b = bench(100_000);
        let id = b.accept(1);
        b.drain(T0);
        assert_eq!(b.get(id).exported(None).len(), 1);
        assert_eq!(b.store.keep_bundle(b.account, id, &bundle(BundleKind::Zip, None, 22)).unwrap(), Some(Ok(())));
        let later = T0.plus_seconds(10);
        assert_eq!(b.store.delete_old_images(later, 9, later).unwrap(), 1);
        assert_eq!(b.store.bundle(id, BundleKind::Zip, None).unwrap(), None);
        assert_eq!(b.get(id).exported(None).len(), 0);
        assert_eq!(b.store.keep_bundle(b.account, id, &bundle(BundleKind::Zip, None, 22)).unwrap(), None);
        assert_eq!(b.store.check_storage(b.account).unwrap(), StorageCheck::Right);
    }
}
