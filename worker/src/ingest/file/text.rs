//! The text that is read from a file.

use serde::{Deserialize, Serialize};

/// The text of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Read {
    /// The author, for books only.
    pub author: Option<String>,
    /// The file's own language tag.
    pub language: Option<String>,
    /// The text, under its title.
    pub markdown: String,
}
