//! [`SourcePages`]: the input of a generation that is derived from another one, as it is stored and as workers read it.

use std::borrow::Cow;

use bincode::config;
use serde::{Deserialize, Serialize};

/// First byte of the stored form.
const VERSION: u8 = 1;
/// Maximum bytes of the stored form. A document and a hundred pages take a few hundred kilobytes.
pub const SOURCE_BYTES: usize = 64 << 20;

/// The pages from which new ones are derived. Contains everything that the new generation needs of the old one's text
/// and design, so that the old one may be edited or deleted meanwhile.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourcePages<'a> {
    /// The kind of derivation.
    pub derivation: Derivation,
    /// The stored document (zstd-compressed JSON) from which the pages were made.
    pub document: Cow<'a, [u8]>,
    /// The carousels and visuals, each with its stored pages (`render_core::design::stored`) in order.
    pub sets: Vec<Vec<Cow<'a, [u8]>>>,
}

/// How new pages are derived from others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Derivation {
    /// The same design in another language.
    Localized,
    /// This many other designs of the same text, one after the other, each with all sets in order.
    Varied(u32),
}

/// Why bytes are not the stored form of [`SourcePages`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("these bytes are not the source of a derived generation: {0}")]
pub struct MalformedSource(String);

impl SourcePages<'_> {
    /// Encodes the stored form.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = vec![VERSION];
        bincode::serde::encode_into_std_write(self, &mut bytes, config::standard())
            .expect("bytes and numbers can be written to memory");
        bytes
    }

    /// Decodes a stored form.
    ///
    /// # Errors
    /// [`MalformedSource`].
    pub fn decode(bytes: &[u8]) -> Result<SourcePages<'static>, MalformedSource> {
        let malformed = |why: String| MalformedSource(why);
        let (version, body) = bytes.split_first().ok_or_else(|| malformed("it is empty".into()))?;
        if *version != VERSION {
            return Err(malformed(format!("version {version} is not {VERSION}")));
        }
        let limited = config::standard().with_limit::<SOURCE_BYTES>();
        let (source, read) =
            bincode::serde::decode_from_slice(body, limited).map_err(|error| malformed(error.to_string()))?;
        if read == body.len() { Ok(source) } else { Err(malformed(format!("{} extra bytes", body.len() - read))) }
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
