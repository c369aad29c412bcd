//! The form in which a client gave the content of a generation.

use fleet::files::FileKind;
use fleet::protocol::InputKind;
use serde::{Deserialize, Serialize};

/// The form of the content. Append new variants at the end, so that the encodings of existing variants stay the same.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Given {
    /// The text itself.
    Text,
    /// The address of a web page, as the client wrote it.
    Url(String),
    /// A line or two that describe what the pages are about.
    Idea,
    /// A PDF.
    Pdf,
    /// The address of a file, as the client wrote it.
    PdfUrl(String),
    /// Pages in the page language.
    Markup,
    /// A file of a kind other than PDF.
    File(FileKind),
    /// Any of the above with pictures ([`fleet::illustrated`]).
    Illustrated(Box<Given>),
    /// Any of the above but `Illustrated`, with an outline of its pages and possibly pictures ([`fleet::illustrated`]).
    Outlined(Box<Given>),
    /// Any of the above but these two, with the edits of an earlier generation and possibly pictures and an outline.
    Remade(Box<Given>),
}

impl Given {
    /// Wraps the content with pictures, and with an outline if `outlined` or with earlier edits if `remade`.
    pub fn packed(self, outlined: bool, remade: bool) -> Self {
        match (remade, outlined) {
            (true, _) => Self::Remade(Box::new(self)),
            (false, true) => Self::Outlined(Box::new(self)),
            (false, false) => Self::Illustrated(Box::new(self)),
        }
    }

    /// Returns the content without its pictures, outline and earlier edits.
    pub fn plain(&self) -> &Self {
        if let Self::Illustrated(given) | Self::Outlined(given) | Self::Remade(given) = self { given } else { self }
    }

    /// Returns the input kind that workers get.
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

    /// Returns the variant for a file of this kind.
    pub fn of_file(kind: FileKind) -> Self {
        match kind {
            FileKind::Pdf => Self::Pdf,
            other => Self::File(other),
        }
    }

    /// Returns the kind of the file, if the content is a file.
    pub fn file_kind(&self) -> Option<FileKind> {
        match self {
            Self::Pdf => Some(FileKind::Pdf),
            Self::File(kind) => Some(*kind),
            Self::Illustrated(given) | Self::Outlined(given) | Self::Remade(given) => given.file_kind(),
            Self::Text | Self::Url(_) | Self::Idea | Self::PdfUrl(_) | Self::Markup => None,
        }
    }
}

/// The forms of content, without the content itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InputType {
    /// A text.
    Text,
    /// The address of a web page.
    Url,
    /// An idea.
    Idea,
    /// A file: a PDF or another kind.
    Pdf,
    /// Pages in the page language.
    Pages,
}

impl Given {
    /// Returns the form of the content.
    pub fn input_type(&self) -> InputType {
        match self {
            Self::Text => InputType::Text,
            Self::Url(_) => InputType::Url,
            Self::Idea => InputType::Idea,
            Self::Pdf | Self::PdfUrl(_) | Self::File(_) => InputType::Pdf,
            Self::Markup => InputType::Pages,
            Self::Illustrated(given) | Self::Outlined(given) | Self::Remade(given) => given.input_type(),
        }
    }
}
