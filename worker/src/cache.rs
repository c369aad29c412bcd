//! A cache of decoded files for later pages: the pixels of logos and photographs, and faces.

use bytes::Bytes;
use fleet::blobs::Blobs;
use fleet::protocol::{BlobId, Failure, FailureCode};
use parking_lot::Mutex;
use render_core::design::FileKey;
use render_core::scene::Image;

use crate::failure;

/// Bytes of photograph pixels that are cached.
const PHOTO_BYTES: usize = 128 << 20;

/// A cache of values decoded from stored files; it evicts the least recently used first.
pub(crate) struct Cache<T> {
    /// The name of such a file in messages: "the logo of the brand kit".
    what: &'static str,
    entries: Mutex<Vec<(FileKey, T, usize)>>,
    max_bytes: usize,
}

impl<T: Clone + Send + 'static> Cache<T> {
    /// Returns an empty cache for `what` that holds up to `max_bytes`.
    pub fn new(what: &'static str, max_bytes: usize) -> Self {
        Self { what, entries: Mutex::default(), max_bytes }
    }

    /// Returns the cached value of a file, or what `make` decodes from it: the value and the bytes that it takes.
    ///
    /// # Errors
    /// A [`Failure`] if the store fails, or if `make` can't decode the file.
    pub async fn get(
        &self,
        key: FileKey,
        blobs: &Blobs,
        make: impl FnOnce(Bytes) -> Option<(T, usize)> + Send + 'static,
    ) -> Result<T, Failure> {
        if let Some(cached) = self.cached(key) {
            return Ok(cached);
        }
        let file = blobs.get_blob(&BlobId(key.0)).await.map_err(|e| failure::unread(&e))?;
        // Decoding takes long enough to block other tasks.
        let made = tokio::task::spawn_blocking(move || make(file)).await.map_err(|_| failure::panicked())?;
        let (made, cost) = made.ok_or_else(|| self.unreadable())?;
        self.insert(key, made.clone(), cost);
        Ok(made)
    }

    /// Returns the failure for a stored file that is not what it should be.
    pub fn unreadable(&self) -> Failure {
        failure::lasting(FailureCode::RenderFailed, format!("{} can't be read", self.what))
    }

    fn cached(&self, key: FileKey) -> Option<T> {
        let mut entries = self.entries.lock();
        let at = entries.iter().position(|(k, ..)| *k == key)?;
        let entry = entries.remove(at);
        let found = entry.1.clone();
        entries.push(entry);
        Some(found)
    }

    fn insert(&self, key: FileKey, made: T, cost: usize) {
        let mut entries = self.entries.lock();
        entries.retain(|(k, ..)| *k != key);
        entries.push((key, made, cost));
        let mut bytes: usize = entries.iter().map(|(.., cost)| cost).sum();
        while bytes > self.max_bytes && entries.len() > 1 {
            bytes -= entries.remove(0).2;
        }
    }
}

/// Loads the photographs of pages.
pub struct Photos(Cache<Image>);

impl Default for Photos {
    fn default() -> Self {
        Self(Cache::new("the photograph of the page", PHOTO_BYTES))
    }
}

impl Photos {
    /// Returns the pixels of the photograph whose blob is `key`.
    ///
    /// # Errors
    /// A [`Failure`] if the store fails, or if the blob is not such a photograph.
    pub async fn load(&self, key: &str, blobs: &Blobs) -> Result<Image, Failure> {
        let id: BlobId = key.parse().map_err(|_| self.0.unreadable())?;
        self.0.get(FileKey(id.0), blobs, |png| image(&png)).await
    }
}

/// Returns the pixels of a PNG that this service wrote, and the bytes that they take.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::pixels::Pixels;

    #[test]
    fn the_cache_is_bounded() {
        let cache: Cache<u8> = Cache::new("a number", 10);
        let key = |n| FileKey([n; 32]);
        for n in 0..3 {
            cache.insert(key(n), n, 4);
        }
        assert_eq!([0, 1, 2].map(|n| cache.cached(key(n))), [None, Some(1), Some(2)]);
        assert_eq!(cache.cached(key(1)), Some(1));
        cache.insert(key(4), 4, 3);
        assert_eq!([1, 2, 4].map(|n| cache.cached(key(n))), [Some(1), None, Some(4)]);
        cache.insert(key(5), 5, 100);
        assert_eq!((cache.cached(key(4)), cache.cached(key(5))), (None, Some(5)));
    }

    #[tokio::test]
    async fn a_photograph_is_read_and_what_is_none_is_named() {
        let (blobs, photos) = (Blobs::memory(), Photos::default());
        let pixels = Pixels { width: 2, height: 1, rgba: vec![9, 8, 7, 255, 1, 2, 3, 255] };
        let id = blobs.put_blob(pixels.png(png::Compression::Fast).unwrap().into()).await.unwrap();
        assert_eq!(photos.load(&id.to_string(), &blobs).await.unwrap().rgba(), pixels.rgba);
        let text = blobs.put_blob("no picture".into()).await.unwrap();
        for key in [text.to_string().as_str(), "no name"] {
            let failure = photos.load(key, &blobs).await.unwrap_err();
            assert_eq!((failure.code.as_str(), failure.retry), ("render_failed", false));
            assert!(failure.message.starts_with("the photograph of the page"), "{}", failure.message);
        }
        assert_eq!(photos.load(&BlobId([9; 32]).to_string(), &blobs).await.unwrap_err().code, "storage_damaged");
    }
}
