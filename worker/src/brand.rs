//! What a brand contributes to its pages: its kit, the pixels of its logos, and its own faces. Logos and faces are
//! cached for later pages.

use fleet::blobs::Blobs;
use fleet::protocol::{BlobId, Failure, FailureCode};
use render_core::design::Brand;
use render_core::scene::Image;
use render_core::text::{Family, Fonts, OwnFace};

use crate::cache::{Cache, image};
use crate::failure;

/// Bytes of pixels and of faces that are cached.
const LOGO_BYTES: usize = 64 << 20;
const FACE_BYTES: usize = 128 << 20;

/// A brand, ready for use on pages.
#[derive(Debug, Clone)]
pub struct Branded {
    /// The brand kit; its logos have their pixels.
    pub brand: Brand,
    /// The shared faces and the brand's own.
    pub fonts: Fonts,
}

/// Loads brands.
pub struct Brands {
    logos: Cache<Image>,
    faces: Cache<OwnFace>,
}

impl Default for Brands {
    fn default() -> Self {
        Self {
            logos: Cache::new("the logo of the brand kit", LOGO_BYTES),
            faces: Cache::new("a font of the brand kit", FACE_BYTES),
        }
    }
}

impl Brands {
    /// Loads the stored brand `id` for pages that otherwise use the faces `shared`.
    ///
    /// # Errors
    /// A [`Failure`] if the store fails, or if the stored bytes are not a brand.
    pub async fn load(&self, id: BlobId, blobs: &Blobs, shared: &Fonts) -> Result<Branded, Failure> {
        let stored = blobs.get_blob(&id).await.map_err(|e| failure::unread(&e))?;
        self.ready(&stored, blobs, shared).await
    }

    /// Like [`Self::load`], for the stored form of a brand that need not be in the store.
    ///
    /// # Errors
    /// As [`Self::load`].
    pub async fn ready(&self, stored: &[u8], blobs: &Blobs, shared: &Fonts) -> Result<Branded, Failure> {
        let mut brand =
            Brand::decode(stored).map_err(|e| failure::lasting(FailureCode::RenderFailed, e.to_string()))?;
        for logo in brand.logos_mut() {
            let image = self.logos.get(logo.key, blobs, |png| image(&png)).await?;
            if (image.width(), image.height()) != (logo.width, logo.height) {
                return Err(self.logos.unreadable());
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

/// Returns a face and the bytes that it takes in the cache.
fn face(sfnt: &[u8]) -> Option<(OwnFace, usize)> {
    OwnFace::new(sfnt.to_vec()).ok().map(|face| (face, sfnt.len()))
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use render_core::design::{FaceFile, FileKey, Logo};
    use render_core::text::check_font;

    use super::*;
    use crate::import::logo;

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

        // The size of a logo must be that of the kit; and a file that was missing may appear later.
        let wrong = Brand { logo: Some(Logo { width: 2, ..logo.clone() }), ..brand.clone() };
        let failure = brands.load(stored(&blobs, &wrong).await, &blobs, &shared).await.unwrap_err();
        assert_eq!((failure.code.as_str(), failure.retry), ("render_failed", false));
        let text = Logo { key: put(&blobs, "no picture").await, ..logo };
        let broken = Brand { logo: Some(text), ..brand };
        let failure = brands.load(stored(&blobs, &broken).await, &blobs, &shared).await.unwrap_err();
        assert_eq!(failure.message, "the logo of the brand kit can't be read");
        let gone = brands.load(BlobId([9; 32]), &blobs, &shared).await.unwrap_err();
        assert_eq!(gone.code, "storage_damaged");
    }
}
