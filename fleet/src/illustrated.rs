//! An input with its pictures, its outline and earlier edits. The store holds all of it as one object, which
//! is kept, counted and deleted like any other input.

use bincode::config;
use bytes::Bytes;
use render_core::edit::PastEdits;
use render_core::limits::{IMAGES_BYTES, INPUT_BYTES, PHOTOS};
use render_core::outline::RevisedPage;
use serde::{Deserialize, Serialize};

use crate::protocol::InputKind;

/// Maximum bytes of the header: kinds, addresses, alternative texts, lengths.
const HEADER_BYTES: usize = 256 << 10;
/// Maximum bytes of the outline as JSON: several times those of the largest request.
const OUTLINE_BYTES: usize = 8 << 20;
/// Bytes of the earlier edits, as JSON.
pub const EDITS_BYTES: usize = 4 << 20;
/// Bytes of the header's length, which precedes the header.
const LENGTH_BYTES: usize = 4;

/// An input, its pictures, its outline and the earlier edits of its pages.
#[derive(Debug, Clone, PartialEq)]
pub struct Illustrated {
    /// The kind of `input`: any except [`InputKind::Illustrated`].
    pub kind: InputKind,
    /// The input, as it would be stored without pictures.
    pub input: Bytes,
    /// The pictures in their sender's order, at most 20.
    pub images: Vec<GivenImage>,
    /// The content of pages, by format id. Formats without an entry get an outline from the input.
    pub outline: Vec<(String, Vec<RevisedPage>)>,
    /// Edits of an earlier generation that are made again on these pages.
    pub edits: Option<EarlierEdits>,
}

/// The edits of an earlier generation, page by page.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct EarlierEdits {
    /// Whether the pages look otherwise than those that were edited: they have another style or seed.
    pub anew: bool,
    /// The edits of each page.
    pub pages: Vec<EditsOfPage>,
    /// Changes to the set as a whole that are not made again, a sentence each.
    pub lost: Vec<String>,
}

/// The edits of a page, by the page that takes its place.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EditsOfPage {
    /// Format id.
    pub format: String,
    /// Slide from 0; `None` for a visual.
    pub slide: Option<u32>,
    /// The edits.
    pub edits: PastEdits,
}

/// A picture that comes with an input.
#[derive(Debug, Clone, PartialEq)]
pub struct GivenImage {
    /// Where the picture comes from.
    pub source: ImageSource,
    /// Its description; empty if unknown.
    pub alt: String,
    /// Where pages may show it.
    pub place: ImagePlace,
}

/// The source of a picture.
#[derive(Debug, Clone, PartialEq)]
pub enum ImageSource {
    /// A URL.
    Url(String),
    /// The bytes of its file.
    File(Bytes),
}

/// Where pages may show a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ImagePlace {
    /// On covers and single images.
    Cover,
    /// Anywhere it suits the text; on the cover if no other picture leads it.
    Any,
}

#[derive(Serialize, Deserialize)]
struct Header {
    kind: InputKind,
    input: u64,
    images: Vec<Entry>,
}

#[derive(Serialize, Deserialize)]
struct Entry {
    source: Source,
    alt: String,
    place: ImagePlace,
}

#[derive(Serialize, Deserialize)]
enum Source {
    Url(String),
    /// Length of its file in bytes.
    File(u64),
}

impl Illustrated {
    /// Encodes the input: the length of the header as a little-endian `u32`, the header, the input, the files in order,
    /// the outline, the edits. The header ends with the lengths of the outline and of the edits as little-endian `u64`.
    /// Without edits the second length is omitted, without both parts both lengths are.
    ///
    /// # Errors
    /// The reason, in a few words.
    pub fn pack(&self) -> Result<Vec<u8>, String> {
        let entry = |image: &GivenImage| Entry {
            source: match &image.source {
                ImageSource::Url(url) => Source::Url(url.clone()),
                ImageSource::File(file) => Source::File(file.len() as u64),
            },
            alt: image.alt.clone(),
            place: image.place,
        };
        let images = self.images.iter().map(entry).collect();
        let header = Header { kind: self.kind, input: self.input.len() as u64, images };
        let mut header = bincode::serde::encode_to_vec(&header, config::standard()).map_err(|e| e.to_string())?;
        let outline = match self.outline.as_slice() {
            [] => Vec::new(),
            outline => serde_json::to_vec(outline).map_err(|e| e.to_string())?,
        };
        if outline.len() > OUTLINE_BYTES {
            return Err(format!("its outline has {} bytes, more than {OUTLINE_BYTES}", outline.len()));
        }
        let edits = match &self.edits {
            None => Vec::new(),
            Some(edits) => serde_json::to_vec(edits).map_err(|e| e.to_string())?,
        };
        if edits.len() > EDITS_BYTES {
            return Err(format!("its edits have {} bytes, more than {EDITS_BYTES}", edits.len()));
        }
        if !outline.is_empty() || !edits.is_empty() {
            header.extend_from_slice(&(outline.len() as u64).to_le_bytes());
        }
        if !edits.is_empty() {
            header.extend_from_slice(&(edits.len() as u64).to_le_bytes());
        }
        if header.len() > HEADER_BYTES {
            return Err(format!("its header has {} bytes, more than {HEADER_BYTES}", header.len()));
        }
        let files = self.images.iter().filter_map(|image| match &image.source {
            ImageSource::File(file) => Some(file),
            ImageSource::Url(_) => None,
        });
        let mut out = (header.len() as u32).to_le_bytes().to_vec();
        out.extend_from_slice(&header);
        out.extend_from_slice(&self.input);
        files.for_each(|file| out.extend_from_slice(file));
        out.extend_from_slice(&outline);
        out.extend_from_slice(&edits);
        Ok(out)
    }

    /// Decodes bytes that [`Self::pack`] encoded.
    ///
    /// # Errors
    /// The reason, in a few words.
    pub fn unpack(bytes: &Bytes) -> Result<Self, String> {
        let short = || "it ends too early".to_owned();
        let length = bytes.first_chunk::<LENGTH_BYTES>().ok_or_else(short)?;
        let length = u32::from_le_bytes(*length) as usize;
        if length > HEADER_BYTES {
            return Err("its header is too long".to_owned());
        }
        let mut at = LENGTH_BYTES;
        let mut take = |length: u64| {
            let end = at.checked_add(usize::try_from(length).ok()?).filter(|end| *end <= bytes.len())?;
            let part = bytes.slice(at..end);
            at = end;
            Some(part)
        };
        let head = take(length as u64).ok_or_else(short)?;
        let limited = config::standard().with_limit::<HEADER_BYTES>();
        let (header, read): (Header, usize) =
            bincode::serde::decode_from_slice(&head, limited).map_err(|e| e.to_string())?;
        let (outlined, edited) = lengths(head.get(read..).unwrap_or_default())?;
        if outlined > OUTLINE_BYTES as u64
            || edited > EDITS_BYTES as u64
            || header.images.len() > PHOTOS
            || header.kind == InputKind::Illustrated
        {
            return Err("its header is malformed".to_owned());
        }
        let input = take(header.input).filter(|input| input.len() <= INPUT_BYTES).ok_or_else(short)?;
        let mut images = Vec::with_capacity(header.images.len());
        for Entry { source, alt, place } in header.images {
            let source = match source {
                Source::Url(url) => ImageSource::Url(url),
                Source::File(length) => ImageSource::File(take(length).ok_or_else(short)?),
            };
            images.push(GivenImage { source, alt, place });
        }
        let outline = match take(outlined).ok_or_else(short)? {
            json if json.is_empty() => Vec::new(),
            json => serde_json::from_slice(&json).map_err(|e| e.to_string())?,
        };
        let edits = match take(edited).ok_or_else(short)? {
            json if json.is_empty() => None,
            json => Some(serde_json::from_slice(&json).map_err(|e| e.to_string())?),
        };
        if at != bytes.len()
            || at > LENGTH_BYTES + HEADER_BYTES + INPUT_BYTES + IMAGES_BYTES + OUTLINE_BYTES + EDITS_BYTES
        {
            return Err("it is longer than its header declares".to_owned());
        }
        Ok(Self { kind: header.kind, input, images, outline, edits })
    }
}

/// The lengths of the outline and of the edits, at the end of a header.
fn lengths(end: &[u8]) -> Result<(u64, u64), String> {
    let (outline, edits) = match end.as_chunks::<8>() {
        ([], []) => (0, 0),
        ([outline], []) => (u64::from_le_bytes(*outline), 0),
        ([outline, edits], []) => (u64::from_le_bytes(*outline), u64::from_le_bytes(*edits)),
        _ => return Err("its header is malformed".to_owned()),
    };
    Ok((outline, edits))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn illustrated() -> Illustrated {
        let image = |source, alt: &str, place| GivenImage { source, alt: alt.to_owned(), place };
        Illustrated {
            kind: InputKind::Text,
            input: Bytes::from_static(b"# Tides"),
            images: vec![
                image(ImageSource::Url("https://a.example/mole.jpg".into()), "The mole", ImagePlace::Any),
                image(ImageSource::File(Bytes::from_static(b"\x89PNG")), "", ImagePlace::Cover),
                image(ImageSource::File(Bytes::from_static(b"\xff\xd8\xff")), "A quay", ImagePlace::Any),
            ],
            outline: Vec::new(),
            edits: None,
        }
    }

    fn edited() -> Illustrated {
        let past =
            PastEdits { said: "Tides".into(), clauses: vec!["set the headline to “Ebb”".into()], lost: Vec::new() };
        let page = EditsOfPage { format: "instagram_carousel".into(), slide: Some(1), edits: past };
        let edits = EarlierEdits { anew: true, pages: vec![page], lost: vec!["A slide was added.".into()] };
        Illustrated { edits: Some(edits), ..illustrated() }
    }

    fn outlined() -> Illustrated {
        let page: RevisedPage =
            serde_json::from_str(r#"{"kind": "point", "title": "Tides", "items": [], "groups": []}"#).unwrap();
        Illustrated { outline: vec![("instagram_carousel".into(), vec![page.clone(), page])], ..illustrated() }
    }

    #[test]
    fn what_is_packed_is_unpacked() {
        let both = Illustrated { edits: edited().edits, ..outlined() };
        for whole in [illustrated(), outlined(), Illustrated { images: Vec::new(), ..outlined() }, edited(), both] {
            assert_eq!(Illustrated::unpack(&whole.pack().unwrap().into()), Ok(whole));
        }
    }

    #[test]
    fn what_is_cut_or_prolonged_holds_nothing() {
        for bytes in [illustrated(), outlined(), edited()].map(|whole| whole.pack().unwrap()) {
            for end in 0..bytes.len() {
                assert!(Illustrated::unpack(&bytes[..end].to_vec().into()).is_err(), "{end}");
            }
            assert!(Illustrated::unpack(&[bytes, vec![0]].concat().into()).is_err());
        }
    }

    #[test]
    fn an_envelope_holds_no_envelope() {
        let nested = Illustrated { kind: InputKind::Illustrated, ..illustrated() };
        assert!(Illustrated::unpack(&nested.pack().unwrap().into()).is_err());
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            _ = Illustrated::unpack(&bytes.into());
        }
    }
}
