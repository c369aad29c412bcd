//! The blobs that rows name: all others can go.

use std::collections::HashSet;

use fleet::protocol::BlobId;

use uuid::Uuid;

use super::{
    ACCOUNTS, BUNDLES, EDITS, FACE_SHELVES, GENERATIONS, Given, KITS, OUTPUTS, StateError, Store, UNTOLD, UPLOADS,
    VERSIONS,
};
use crate::clock::Millis;

/// Blobs that must stay.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Named {
    /// All that rows name.
    pub blobs: HashSet<BlobId>,
    /// Those of them that are brands, which name further ones: logos and faces.
    pub brands: HashSet<BlobId>,
    /// Those of them that are pages which may show a photograph that no row names.
    pub pages: HashSet<BlobId>,
}

impl Store {
    /// The blobs that rows name now.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn named_blobs(&self) -> Result<Named, StateError> {
        let (tables, mut named) = (&self.shared.tables, Named::default());
        let mut untold = HashSet::new();
        // What generations are made from comes first: a name that goes from there meanwhile stands with one of them.
        for row in tables.scan(&UPLOADS, &[]) {
            named.blobs.insert(row?.1.blob);
        }
        for row in tables.scan(&FACE_SHELVES, &[]) {
            named.blobs.extend(row?.1.faces.iter().map(|face| face.blob));
        }
        for row in tables.scan(&KITS, &[]) {
            let (_, kit) = row?;
            named.blobs.extend(kit.logo.into_iter().chain(kit.logo_dark).map(|logo| logo.blob));
        }
        for row in tables.scan(&BUNDLES, &[]) {
            named.blobs.insert(row?.1.blob);
        }
        for row in tables.scan(&GENERATIONS, &[]) {
            let (_, generation) = row?;
            let document = generation.planned.map(|planned| planned.document);
            named.blobs.extend(Some(generation.request.input).filter(|_| generation.input_deleted.is_none()));
            named.blobs.extend(document.into_iter().chain(generation.photos.iter().copied()).chain(generation.brand));
            named.brands.extend(generation.brand);
            if generation.photos.contains(&UNTOLD) && matches!(generation.request.given.plain(), Given::Url(_)) {
                untold.insert(generation.id);
            }
        }
        // An edit may have brought a photograph of its own.
        // In the order in which a page goes on: an edit's becomes the output's, and that a version among others.
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
            named.blobs.extend(page);
            if edited || untold(&key) {
                named.pages.extend(page);
            }
        }
        Ok(named)
    }

    /// When the first account was made: what is older was never this state's. Nothing without accounts.
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
        let named = b.store.named_blobs().unwrap();
        // The input, the document, the photograph, two pages.
        assert_eq!(named.blobs.len(), 5);
        for page in [0, 1, 6, 7, 9] {
            assert!(named.blobs.contains(&BlobId([page; 32])), "{page}");
        }
        b.store.delete_generation(b.account, id, T0).unwrap();
        assert_eq!(b.store.named_blobs().unwrap(), Named::default());
        assert_eq!(b.store.began(), Ok(Some(T0)));
    }
}
