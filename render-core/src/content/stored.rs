//! The form in which documents rest: JSON with the version of its fields.

use serde::{Deserialize, Serialize};

use super::{DOCUMENT_VERSION, Document};

/// Why bytes are no document.
#[derive(Debug, thiserror::Error)]
pub enum StoredError {
    /// Not the JSON of a document.
    #[error("these bytes are no document: {0}")]
    Malformed(#[from] serde_json::Error),
    /// Written by a version of the code that is newer than this one.
    #[error("the document has version {0}; this code reads up to {DOCUMENT_VERSION}")]
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
    /// Its stored form.
    ///
    /// # Errors
    /// [`StoredError::Malformed`] where a figure of it is no number that JSON can write.
    pub fn to_json(&self) -> Result<Vec<u8>, StoredError> {
        Ok(serde_json::to_vec(&Written { version: DOCUMENT_VERSION, document: self })?)
    }

    /// The document of a stored form of this version or one before.
    ///
    /// # Errors
    /// [`StoredError`].
    pub fn from_json(json: &[u8]) -> Result<Self, StoredError> {
        let Version { version } = serde_json::from_slice(json)?;
        if version > DOCUMENT_VERSION {
            return Err(StoredError::TooNew(version));
        }
        let Read { mut document } = serde_json::from_slice(json)?;
        if version == 1 {
            // Version 1 kept nothing of the source but the words of its blocks.
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
