//! The stored form of documents: JSON with a format version.

use serde::{Deserialize, Serialize};

use super::{DOCUMENT_VERSION, Document};

/// Why bytes cannot be read as a document.
#[derive(Debug, thiserror::Error)]
pub enum StoredError {
    /// The bytes are not the JSON of a document.
    #[error("invalid stored document: {0}")]
    Malformed(#[from] serde_json::Error),
    /// The document was written by a newer version of the code.
    #[error("the document has version {0}; the newest supported version is {DOCUMENT_VERSION}")]
    TooNew(u32),
}

#[derive(Serialize)]
struct Written<'a> {
    version: u32,
    document: &'a Document,
}

#[derive(Deserialize)]
struct Version {
    version: u32,
}

#[derive(Deserialize)]
struct Read {
    document: Document,
}

impl Document {
    /// Returns the stored form.
    ///
    /// # Errors
    /// Returns [`StoredError::Malformed`] if a figure is not a number that JSON can represent.
    pub fn to_json(&self) -> Result<Vec<u8>, StoredError> {
        Ok(serde_json::to_vec(&Written { version: DOCUMENT_VERSION, document: self })?)
    }

    /// Reads a document from the stored form of this or an earlier version.
    ///
    /// # Errors
    /// Returns [`StoredError`] if the bytes are not a document, or are of a newer version.
    pub fn from_json(json: &[u8]) -> Result<Self, StoredError> {
        let Version { version } = serde_json::from_slice(json)?;
        if version > DOCUMENT_VERSION {
            return Err(StoredError::TooNew(version));
        }
        let Read { mut document } = serde_json::from_slice(json)?;
        if version == 1 {
            // Version 1 stored only the words of the blocks.
            document.evidence = document.words().into_iter().collect();
        }
        Ok(document)
    }
}

#[cfg(test)]
mod tests {
    use super::super::read_text;
    use super::*;

    #[test]
    fn documents_come_back() {
        let text = include_str!("../../../tests/data/article.md");
        let document = read_text(text).unwrap();
        assert_eq!(Document::from_json(&document.to_json().unwrap()).unwrap(), document);
    }

    #[test]
    fn the_first_version_is_read_and_later_ones_are_not() {
        let first = r#"{"version":1,"document":{"language":"en","direction":"ltr","title":{"text":"9 tides","span":
            {"start":2,"end":9}},"dek":null,"source":null,"blocks":[{"kind":{"kind":"call_to_action","text":"Go",
            "span":{"start":10,"end":12}},"score":0.5,"span":{"start":10,"end":12}}]}}"#;
        let document = Document::from_json(first.as_bytes()).unwrap();
        assert_eq!((document.blocks.len(), document.entities.len(), document.exact), (1, 0, false));
        assert!(document.evidence.allows("9 tides").is_ok() && document.evidence.allows("8 tides").is_err());
        assert!(matches!(Document::from_json(br#"{"version":99,"document":0}"#), Err(StoredError::TooNew(99))));
        assert!(matches!(Document::from_json(b"{}"), Err(StoredError::Malformed(_))));
    }
}
