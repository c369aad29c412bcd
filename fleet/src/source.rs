//! [`SourcePages`]: the input of a generation that is derived from another one, as it is stored and read by a worker.

use std::borrow::Cow;

use bincode::config;
use serde::{Deserialize, Serialize};

/// The first byte of the stored form.
const VERSION: u8 = 1;
/// The longest stored form in bytes: a document and a hundred pages take a few hundred kilobytes.
pub const SOURCE_BYTES: usize = 64 << 20;

/// The pages that new ones are derived from. It holds everything that the new generation needs of the old one's text and
/// design, so that the old one can be edited or deleted meanwhile.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourcePages<'a> {
    /// What is made of the pages.
    pub derivation: Derivation,
    /// The stored document (JSON under zstd) that the pages were made from.
    pub document: Cow<'a, [u8]>,
    /// The carousels and visuals, each with its stored pages (`render_core::design::stored`) in order.
    pub sets: Vec<Vec<Cow<'a, [u8]>>>,
}

/// What is made of pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Derivation {
    /// The same design in another language.
    Localized,
    /// This many other designs of the same words, one after the other, each with all sets in order.
    Varied(u32),
}

/// Why bytes are not the stored form of [`SourcePages`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("these bytes are not the source of a derived generation: {0}")]
pub struct MalformedSource(String);

impl SourcePages<'_> {
    /// The stored form.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = vec![VERSION];
        bincode::serde::encode_into_std_write(self, &mut bytes, config::standard())
            .expect("bytes and numbers can be written to memory");
        bytes
    }

    /// What a stored form holds.
    ///
    /// # Errors
    /// [`MalformedSource`].
    pub fn decode(bytes: &[u8]) -> Result<SourcePages<'static>, MalformedSource> {
        let malformed = |why: String| MalformedSource(why);
        let (version, body) = bytes.split_first().ok_or_else(|| malformed("no bytes at all".into()))?;
        if *version != VERSION {
            return Err(malformed(format!("version {version} is not {VERSION}")));
        }
        let limited = config::standard().with_limit::<SOURCE_BYTES>();
        let (source, read) =
            bincode::serde::decode_from_slice(body, limited).map_err(|error| malformed(error.to_string()))?;
        if read == body.len() { Ok(source) } else { Err(malformed(format!("{} bytes too many", body.len() - read))) }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn source() -> SourcePages<'static> {
        SourcePages {
            derivation: Derivation::Varied(3),
            document: Cow::Borrowed(b"document"),
            sets: vec![vec![Cow::Borrowed(b"a")], vec![Cow::Borrowed(b"b"), Cow::Borrowed(b"c")]],
        }
    }

    #[test]
    fn the_stored_form_stays_as_it_is() {
        let bytes = source().encode();
        assert_eq!(hex::encode(&bytes), "01010308646f63756d656e740201016102016201 63".replace(' ', ""));
        assert_eq!(SourcePages::decode(&bytes), Ok(source()));
        for cut in 0..bytes.len() {
            assert!(SourcePages::decode(&bytes[..cut]).is_err(), "cut at {cut}");
        }
        assert!(SourcePages::decode(&[bytes.as_slice(), &[0]].concat()).is_err());
    }

    proptest! {
        #[test]
        fn any_bytes_are_a_source_or_an_error(mut bytes in proptest::collection::vec(any::<u8>(), 1..300), ours: bool) {
            if ours {
                bytes[0] = VERSION;
            }
            let _ = SourcePages::decode(&bytes);
        }
    }
}
