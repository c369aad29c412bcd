//! What a brand brings along to its pages: what its kit says, the pixels of its logos, and its own faces. Logos, faces and
//! the photographs of pages are kept for the next page.

use std::sync::{Mutex, PoisonError};

use bytes::Bytes;
use fleet::blobs::Blobs;
use fleet::protocol::{BlobId, Failure};
use render_core::design::{Brand, FileKey};
use render_core::scene::Image;
use render_core::text::{Family, Fonts, OwnFace};

use crate::failure;

/// Bytes of pixels that are kept, and of faces.
const KEPT_PIXELS: usize = 64 << 20;
const KEPT_FACES: usize = 128 << 20;
const KEPT_PHOTOS: usize = 128 << 20;

/// A brand, ready to be worn.
#[derive(Debug, Clone)]
pub struct Branded {
    /// What its kit says; its logos have their pixels.
    pub brand: Brand,
    /// The faces of all, and its own beside them.
    pub fonts: Fonts,
}

/// Reads brands and photographs.
pub struct Brands {
    logos: Shelf<Image>,
    faces: Shelf<OwnFace>,
    /// Those of pages, which have no brand.
    photos: Shelf<Image>,
}

impl Default for Brands {
    fn default() -> Self {
        Self { logos: Shelf::new(KEPT_PIXELS), faces: Shelf::new(KEPT_FACES), photos: Shelf::new(KEPT_PHOTOS) }
    }
}

impl Brands {
    /// The stored brand `id`, for pages that else have the faces `shared`.
    ///
    /// # Errors
    /// A [`Failure`] where the store fails, or holds something else.
    pub async fn load(&self, id: BlobId, blobs: &Blobs, shared: &Fonts) -> Result<Branded, Failure> {
        let stored = blobs.get_blob(&id).await.map_err(|e| failure::storage(&e))?;
        let mut brand = Brand::decode(&stored).map_err(|e| failure::lasting("render_failed", e.to_string()))?;
        for logo in brand.logos_mut() {
            let image = self.logos.get(logo.key, blobs, |png| image(&png)).await?;
            if (image.width(), image.height()) != (logo.width, logo.height) {
                return Err(unreadable("the logo of the brand kit"));
            }
            logo.pixels = Some(image);
        }
        let mut own: Vec<(Family, OwnFace)> = Vec::with_capacity(brand.faces.len());
        for file in &brand.faces {
            own.push((file.family, self.faces.get(file.key, blobs, |sfnt| face(&sfnt)).await?));
        }
        Ok(Branded { brand, fonts: shared.with(own) })
    }
}

impl Brands {
    /// The pixels of the photograph whose stored file is named `key`.
    ///
    /// # Errors
    /// A [`Failure`] where the store fails, or holds something else.
    pub async fn photo(&self, key: &str, blobs: &Blobs) -> Result<Image, Failure> {
        let id: BlobId = key.parse().map_err(|_| unreadable("the photograph"))?;
        self.photos.get(FileKey(id.0), blobs, |png| image(&png)).await
    }
}

fn unreadable(what: &str) -> Failure {
    failure::lasting("render_failed", format!("{what} can't be read"))
}

/// A face, and what it costs to keep.
fn face(sfnt: &[u8]) -> Option<(OwnFace, usize)> {
    OwnFace::new(sfnt.to_vec()).ok().map(|face| (face, sfnt.len()))
}

/// The pixels of a PNG that this service wrote, and what they cost to keep.
pub(crate) fn image(file: &[u8]) -> Option<(Image, usize)> {
    let mut reader = png::Decoder::new(std::io::Cursor::new(file)).read_info().ok()?;
    let mut rgba = vec![0; reader.output_buffer_size()?];
    let frame = reader.next_frame(&mut rgba).ok()?;
    if (frame.color_type, frame.bit_depth) != (png::ColorType::Rgba, png::BitDepth::Eight) {
        return None;
    }
    let cost = rgba.len();
    Some((Image::new(frame.width, frame.height, rgba).ok()?, cost))
}

/// What was made of stored files; those used longest ago go first.
struct Shelf<T> {
    known: Mutex<Vec<(FileKey, T, usize)>>,
    most_bytes: usize,
}

impl<T: Clone + Send + 'static> Shelf<T> {
    fn new(most_bytes: usize) -> Self {
        Self { known: Mutex::default(), most_bytes }
    }

    /// What `make` makes of a file, with the bytes that it takes.
    async fn get(
        &self,
        key: FileKey,
        blobs: &Blobs,
        make: impl FnOnce(Bytes) -> Option<(T, usize)> + Send + 'static,
    ) -> Result<T, Failure> {
        if let Some(known) = self.known(key) {
            return Ok(known);
        }
        let file = blobs.get_blob(&BlobId(key.0)).await.map_err(|e| failure::storage(&e))?;
        // It takes long enough to be in the way of others.
        let made = tokio::task::spawn_blocking(move || make(file)).await.map_err(|_| failure::panicked())?;
        let (made, cost) = made.ok_or_else(|| unreadable("a logo, a font or the photograph"))?;
        self.keep(key, made.clone(), cost);
        Ok(made)
    }

    fn known(&self, key: FileKey) -> Option<T> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let at = known.iter().position(|(k, ..)| *k == key)?;
        let entry = known.remove(at);
        let found = entry.1.clone();
        known.push(entry);
        Some(found)
    }

    fn keep(&self, key: FileKey, made: T, cost: usize) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.retain(|(k, ..)| *k != key);
        known.push((key, made, cost));
        let mut bytes: usize = known.iter().map(|(.., cost)| cost).sum();
        while bytes > self.most_bytes && known.len() > 1 {
            bytes -= known.remove(0).2;
        }
    }
}

#[cfg(test)]
mod tests {
    use render_core::design::{FaceFile, Logo};
    use render_core::text::check_font;

    use super::*;
    use crate::intake::logo;

    const CHEROKEE: &[u8] = include_bytes!("../../tests/data/fonts/noto-sans-cherokee-400.ttf");

    async fn put(blobs: &Blobs, bytes: impl Into<Bytes>) -> FileKey {
        FileKey(blobs.put_blob(bytes.into()).await.unwrap().0)
    }

    async fn stored(blobs: &Blobs, brand: &Brand) -> BlobId {
        blobs.put_blob(brand.encode().into()).await.unwrap()
    }

    #[tokio::test]
    async fn a_brand_comes_with_pixels_and_faces() {
        let (blobs, brands, shared) = (Blobs::memory(), Brands::default(), Fonts::new());
        let pixels: Vec<u8> = (0..24).collect();
        let answer = [&3_u32.to_le_bytes()[..], &2_u32.to_le_bytes(), &pixels].concat();
        let picture = logo::picture(&answer).unwrap();
        let logo = Logo { key: put(&blobs, picture.png).await, width: 3, height: 2, pixels: None };
        let file = FaceFile { family: Family::OwnHeading, key: put(&blobs, check_font(CHEROKEE).unwrap()).await };
        let brand = Brand {
            name: "A".into(),
            logo: Some(logo.clone()),
            heading: Some(Family::OwnHeading),
            faces: vec![file],
            ..Brand::default()
        };
        let id = stored(&blobs, &brand).await;
        let first = brands.load(id, &blobs, &shared).await.unwrap();
        let seen = first.brand.logo.as_ref().unwrap().pixels.clone().unwrap();
        assert_eq!((seen.width(), seen.height(), seen.rgba()), (3, 2, &pixels[..]));
        assert!(first.fonts.covers_text(Family::OwnHeading, "ᏣᎳᎩ") && !shared.covers_text(Family::OwnHeading, "Ꮳ"));
        // Another brand with the same files has the same pixels and faces.
        let other = Brand { name: "B".into(), ..brand.clone() };
        let second = brands.load(stored(&blobs, &other).await, &blobs, &shared).await.unwrap();
        assert_eq!(first.fonts.face(Family::OwnHeading, 400), second.fonts.face(Family::OwnHeading, 400));

        // What the kit says of its logo must be so; and what isn't there may come to be there.
        let wrong = Brand { logo: Some(Logo { width: 2, ..logo.clone() }), ..brand.clone() };
        let failure = brands.load(stored(&blobs, &wrong).await, &blobs, &shared).await.unwrap_err();
        assert_eq!((failure.code.as_str(), failure.retry), ("render_failed", false));
        let text = Logo { key: put(&blobs, "no picture").await, ..logo };
        let broken = Brand { logo: Some(text), ..brand };
        assert!(brands.load(stored(&blobs, &broken).await, &blobs, &shared).await.is_err());
        let gone = brands.load(BlobId([9; 32]), &blobs, &shared).await.unwrap_err();
        assert_eq!(gone.code, "storage_failed");
    }

    #[test]
    fn what_is_kept_is_bounded() {
        let shelf: Shelf<u8> = Shelf::new(10);
        let key = |n| FileKey([n; 32]);
        for n in 0..3 {
            shelf.keep(key(n), n, 4);
        }
        assert_eq!([0, 1, 2].map(|n| shelf.known(key(n))), [None, Some(1), Some(2)]);
        assert_eq!(shelf.known(key(1)), Some(1));
        shelf.keep(key(4), 4, 3);
        assert_eq!([1, 2, 4].map(|n| shelf.known(key(n))), [Some(1), None, Some(4)]);
        shelf.keep(key(5), 5, 100);
        assert_eq!((shelf.known(key(4)), shelf.known(key(5))), (None, Some(5)));
    }
}
