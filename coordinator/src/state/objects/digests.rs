//! Expected digests of stored objects: the hash of every image and thumbnail that a row references.
//!
//! An image's hash is in its row, as its worker reported it. A thumbnail's hash is in a table of its own, keyed by the
//! thumbnail's key: the coordinator computes it when it accepts the report of the image. Thumbnails of versions that
//! didn't record hashes have none until they are first read or scrubbed. That records the hash of the stored bytes.

use uuid::Uuid;

use crate::state::database::tables::{Abort, Tx};
use crate::state::error::StateError;
use crate::state::generations::images::{is_gone, rendered};
use crate::state::rows::keyspace::{pair, placed};
use crate::state::rows::outputs::{Digest, End, Image};
use crate::state::rows::schema::{DIGESTS, GENERATIONS, OUTPUT_PLACES, OUTPUTS, VERSIONS};
use crate::state::store::Store;

/// Prefix of the keys of images.
const OUTPUTS_PREFIX: &str = "outputs/";
/// Suffix of a thumbnail's name, before the extension.
const THUMBNAIL: &str = "-thumb";

/// The expected contents of an object, and what it belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expected {
    /// The account.
    pub account: Uuid,
    /// The generation.
    pub generation: Uuid,
    /// The place of the output in the generation.
    pub place: u32,
    /// The version of the output that it was rendered for.
    pub version: u32,
    /// The key of the image: the object itself, or the image that it is the thumbnail of.
    pub image: String,
    /// The key of the image's thumbnail.
    pub thumbnail: String,
    /// The SHA-256 of the object; `None` for a thumbnail whose hash was never recorded.
    pub sha256: Option<[u8; 32]>,
}

/// The key of an output's row, and the keys of the images and thumbnails of all its versions.
pub type ImagesOf = (Vec<u8>, Vec<String>);

/// The parts of the key of an image or thumbnail ([`fleet::protocol::image_keys`]).
pub(in crate::state) struct Key {
    pub(in crate::state) generation: Uuid,
    pub(in crate::state) output: Uuid,
    pub(in crate::state) version: u32,
    is_thumbnail: bool,
}

impl Key {
    pub(in crate::state) fn read(key: &str) -> Option<Self> {
        // Parse from the end: a worker's own folder may precede the generation's.
        let mut parts = key.strip_prefix(OUTPUTS_PREFIX)?.rsplit('/');
        let (name, output, generation) = (parts.next()?, parts.next()?, parts.next()?);
        let (version, rest) = name.split_once('-')?;
        let is_thumbnail = rest.rsplit_once('.')?.0.ends_with(THUMBNAIL);
        let (generation, output) = (generation.parse().ok()?, output.parse().ok()?);
        Some(Self { generation, output, version: version.parse().ok()?, is_thumbnail })
    }
}

/// Records the hash of a thumbnail.
pub(in crate::state) fn put(tx: &Tx<'_>, thumbnail: &str, sha256: [u8; 32]) -> Result<(), Abort> {
    tx.put(&DIGESTS, thumbnail.as_bytes(), &Digest { sha256 })
}

fn expected(tx: &Tx<'_>, name: &str, key: &Key) -> Result<Option<Expected>, Abort> {
    let Some(at) = tx.get(&OUTPUT_PLACES, key.output.as_bytes())? else { return Ok(None) };
    let Some(generation) = tx.get(&GENERATIONS, &pair(at.account, at.generation))? else { return Ok(None) };
    let Some(output) = tx.get(&OUTPUTS, &placed(generation.id, at.place))? else { return Ok(None) };
    if generation.id != key.generation {
        return Ok(None);
    }
    let Some(version) = rendered(tx, &generation, at.place, &output, key.version)? else { return Ok(None) };
    let Image { object: image, thumbnail, sha256, .. } = version.image.clone();
    let named = if key.is_thumbnail { &thumbnail } else { &image };
    if named != name || is_gone(tx, &generation, at.place, &output, &version)? {
        return Ok(None);
    }
    let sha256 = match key.is_thumbnail {
        true => tx.get(&DIGESTS, name.as_bytes())?.map(|digest| digest.sha256),
        false => Some(sha256),
    };
    let (account, generation) = (at.account, generation.id);
    Ok(Some(Expected { account, generation, place: at.place, version: key.version, image, thumbnail, sha256 }))
}

impl Store {
    /// Returns the expected contents of the image or thumbnail with this key. `None` if no row references it, or if
    /// retention deleted it.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn expected(&self, name: &str) -> Result<Option<Expected>, StateError> {
        let Some(key) = Key::read(name) else { return Ok(None) };
        // A read-only transaction, so that all rows come from one snapshot.
        Ok(self.shared.tables.transact(|tx| expected(tx, name, &key))?.0)
    }

    /// Records the hash of a thumbnail if it has none and a row references it. Returns whether the recorded hash equals
    /// this one.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn record_digest(&self, thumbnail: &str, sha256: [u8; 32]) -> Result<bool, StateError> {
        let Some(key) = Key::read(thumbnail) else { return Ok(false) };
        self.commit(|tx| match expected(tx, thumbnail, &key)? {
            Some(Expected { sha256: Some(there), .. }) => Ok(there == sha256),
            Some(_) => put(tx, thumbnail, sha256).map(|()| true),
            None => Ok(false),
        })
    }

    /// Returns the images of up to `most` outputs, in the order of their rows, after the row `after` (empty to start):
    /// for each output the key of its row, and the keys of all its versions' images and thumbnails.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn images_after(&self, after: &[u8], most: usize) -> Result<Vec<ImagesOf>, StateError> {
        let tables = &self.shared.tables;
        let (start, end) = ([after, &[0]].concat(), vec![u8::MAX; 21]);
        let mut found = Vec::new();
        for row in tables.range(&OUTPUTS, start, end).take(most) {
            let (key, output) = row?;
            let mut objects = Vec::new();
            let mut add = |image: Image| {
                // A restored version shows the same image again.
                for object in [image.object, image.thumbnail] {
                    if !objects.contains(&object) {
                        objects.push(object);
                    }
                }
            };
            for row in tables.scan(&VERSIONS, &key) {
                add(row?.1.image);
            }
            if let Some(End::Ready(image)) = output.end {
                add(image);
            }
            found.push((key.to_vec(), objects));
        }
        Ok(found)
    }

    /// Returns the number of outputs, ready or not.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn count_outputs(&self) -> Result<u64, StateError> {
        let mut count = 0;
        for row in self.shared.tables.scan_raw(OUTPUTS.index()) {
            row?;
            count += 1;
        }
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use fleet::protocol::image_keys;

    use super::*;
    use crate::state::rows::golden;

    #[test]
    fn rows_stay_as_they_are() {
        golden(&Digest { sha256: [7; 32] }, &format!("01{}", "07".repeat(32)));
    }

    #[test]
    fn keys_say_what_they_were_made_of() {
        let (generation, output) = (Uuid::from_u128(1 << 100), Uuid::from_u128(77));
        for (folder, at) in [(None, 0), (None, 1), (Some("w1"), 0), (Some("w1"), 1)] {
            let name = &image_keys(folder, generation, output, 12, u128::MAX, "png")[at];
            let key = Key::read(name).unwrap();
            assert_eq!((key.generation, key.output, key.version), (generation, output, 12));
            assert_eq!(key.is_thumbnail, at == 1);
        }
        for other in ["", "outputs/", "outputs/a/b/c", "previews/x/y.png", "outputs/1/2", "logos/a.png"] {
            assert!(Key::read(other).is_none(), "{other}");
        }
    }
}
