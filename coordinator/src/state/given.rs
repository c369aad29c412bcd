//! What the content of a generation was given as.

use fleet::files::FileKind;
use fleet::protocol::InputKind;
use serde::{Deserialize, Serialize};

/// What the content was given as. What comes to be given comes at the end: the bytes of the others stay.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Given {
    /// The text itself.
    Text,
    /// The address of a page, as the client wrote it.
    Url(String),
    /// A line or two on what the pages are to be about.
    Idea,
    /// A PDF.
    Pdf,
    /// The address of a file, as the client wrote it.
    PdfUrl(String),
    /// Pages in the page language.
    Markup,
    /// A file of another kind than PDF.
    File(FileKind),
    /// Any of these, and pictures with it ([`fleet::illustrated`]).
    Illustrated(Box<Given>),
    /// Any of the others but the one before, an outline of its pages, and maybe pictures ([`fleet::illustrated`]).
    Outlined(Box<Given>),
    /// Any of the others but these two, edits of an earlier generation, and maybe pictures and an outline.
    Remade(Box<Given>),
}

impl Given {
    /// This in one object with pictures, and with an outline or earlier edits where `outlined` or `remade`.
    pub fn packed(self, outlined: bool, remade: bool) -> Self {
        match (remade, outlined) {
            (true, _) => Self::Remade(Box::new(self)),
            (false, true) => Self::Outlined(Box::new(self)),
            (false, false) => Self::Illustrated(Box::new(self)),
        }
    }

    /// This without its pictures, its outline and its earlier edits.
    pub fn plain(&self) -> &Self {
        if let Self::Illustrated(given) | Self::Outlined(given) | Self::Remade(given) = self { given } else { self }
    }

    /// What a worker is told that it is.
    pub fn kind(&self) -> InputKind {
        match self {
            Self::Text => InputKind::Text,
            Self::Url(_) => InputKind::Url,
            Self::Idea => InputKind::Idea,
            Self::Pdf => InputKind::Pdf,
            Self::PdfUrl(_) => InputKind::PdfUrl,
            Self::File(kind) => InputKind::File(*kind),
            Self::Markup => InputKind::Markup,
            Self::Illustrated(_) | Self::Outlined(_) | Self::Remade(_) => InputKind::Illustrated,
        }
    }

    /// A file of this kind.
    pub fn of_file(kind: FileKind) -> Self {
        match kind {
            FileKind::Pdf => Self::Pdf,
            other => Self::File(other),
        }
    }

    /// The kind of the file that it is, where it is one.
    pub fn file_kind(&self) -> Option<FileKind> {
        match self {
            Self::Pdf => Some(FileKind::Pdf),
            Self::File(kind) => Some(*kind),
            Self::Illustrated(given) | Self::Outlined(given) | Self::Remade(given) => given.file_kind(),
            Self::Text | Self::Url(_) | Self::Idea | Self::PdfUrl(_) | Self::Markup => None,
        }
    }
}
