//! The GC roots: the blobs that rows reference. Every other blob can be deleted.

use std::collections::HashSet;

use fleet::protocol::BlobId;
use uuid::Uuid;

use crate::clock::Millis;
use crate::state::error::StateError;
use crate::state::rows::generations::UNTOLD;
use crate::state::rows::given::Given;
use crate::state::rows::schema::{
    ACCOUNTS, BUNDLES, EDITS, FACE_SHELVES, GENERATIONS, KITS, OUTPUTS, UPLOADS, VERSIONS,
};
use crate::state::store::Store;

/// The blobs that must be kept.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GcRoots {
    /// All blobs that rows reference.
    pub blobs: HashSet<BlobId>,
    /// The subset that are brands. A brand references further blobs: logos and font faces.
    pub brands: HashSet<BlobId>,
    /// The subset that are pages that may show a photograph which no row references.
    pub pages: HashSet<BlobId>,
}

impl Store {
    /// Returns the blobs that rows reference now.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn gc_roots(&self) -> Result<GcRoots, StateError> {
        let (tables, mut roots) = (&self.shared.tables, GcRoots::default());
        let mut untold = HashSet::new();
        // Scan the sources of generations first. A reference that moves from a source into a generation during the scan
        // is then still found in the generation.
        for row in tables.scan(&UPLOADS, &[]) {
            roots.blobs.insert(row?.1.blob);
        }
        for row in tables.scan(&FACE_SHELVES, &[]) {
            roots.blobs.extend(row?.1.faces.iter().map(|face| face.blob));
        }
        for row in tables.scan(&KITS, &[]) {
            let (_, kit) = row?;
            roots.blobs.extend(kit.logo.into_iter().chain(kit.logo_dark).map(|logo| logo.blob));
        }
        for row in tables.scan(&BUNDLES, &[]) {
            roots.blobs.insert(row?.1.blob);
        }
        for row in tables.scan(&GENERATIONS, &[]) {
            let (_, generation) = row?;
            let document = generation.planned.map(|planned| planned.document);
            roots.blobs.extend(Some(generation.request.input).filter(|_| generation.input_deleted.is_none()));
            roots.blobs.extend(document.into_iter().chain(generation.photos.iter().copied()).chain(generation.brand));
            roots.brands.extend(generation.brand);
            if generation.photos.contains(&UNTOLD) && matches!(generation.request.given.plain(), Given::Url(_)) {
                untold.insert(generation.id);
            }
        }
        // An edit may have added a photograph of its own. The order of the scans follows the life of a page: the page
        // of an edit becomes the output's page, which later becomes a version's page.
        let untold =
            |key: &[u8]| key.get(..16).is_some_and(|id| Uuid::from_slice(id).is_ok_and(|id| untold.contains(&id)));
        let mut pages = Vec::new();
        for row in tables.scan(&EDITS, &[]) {
            let (key, edit) = row?;
            pages.push((key, Some(edit.page).filter(|_| edit.fault.is_none()), true));
        }
        for row in tables.scan(&OUTPUTS, &[]) {
            let (key, output) = row?;
            pages.push((key, output.page, output.version > 1));
        }
        for row in tables.scan(&VERSIONS, &[]) {
            let (key, version) = row?;
            pages.push((key, Some(version.page), version.edit.is_some() || version.restored.is_some()));
        }
        for (key, page, edited) in pages {
            roots.blobs.extend(page);
            if edited || untold(&key) {
                roots.pages.extend(page);
            }
        }
        Ok(roots)
    }

    /// Returns when the first account was created, or `None` without accounts. Objects older than that never belonged
    /// to this state.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn began(&self) -> Result<Option<Millis>, StateError> {
        let mut first = None;
        for row in self.shared.tables.scan(&ACCOUNTS, &[]) {
            let created = row?.1.created;
            first = Some(first.map_or(created, |first: Millis| first.min(created)));
        }
        Ok(first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::tests::{T0, bench};

    #[test]
    fn all_that_a_generation_is_made_of_is_named_while_it_is_there() {
        let b = bench(100);
        let id = b.accept(2);
        b.drain(T0);
        let roots = b.store.gc_roots().unwrap();
        // The input, the document, the photograph and two pages.
        assert_eq!(roots.blobs.len(), 5);
        for page in [0, 1, 6, 7, 9] {
            assert!(roots.blobs.contains(&BlobId([page; 32])), "{page}");
        }
        b.store.delete_generation(b.account, id, T0).unwrap();
        assert_eq!(b.store.gc_roots().unwrap(), GcRoots::default());
        assert_eq!(b.store.began(), Ok(Some(T0)));
    }
}
