//! The kinds of files that generations accept, detected from their bytes.
//!
//! [`FileKind::detect`] reads the beginning of a file and, for a ZIP archive, the names of its entries. It decompresses
//! nothing, so it may run outside the sandbox. A file's name and media type are hints: they decide between kinds of
//! text, which look alike, and reveal a file that is not what it claims to be.

mod archive;
mod detect;
mod tabular;

use serde::{Deserialize, Serialize};

/// A kind of file. Stored and sent as its position in this list, so new kinds go at the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum FileKind {
    /// PDF.
    Pdf,
    /// A Word document (Office Open XML).
    Docx,
    /// A PowerPoint presentation (Office Open XML).
    Pptx,
    /// An Excel workbook (Office Open XML).
    Xlsx,
    /// An OpenDocument text.
    Odt,
    /// An OpenDocument presentation.
    Odp,
    /// An OpenDocument spreadsheet.
    Ods,
    /// An EPUB book.
    Epub,
    /// HTML or XHTML.
    Html,
    /// Values separated by commas or semicolons.
    Csv,
    /// Values separated by tabs.
    Tsv,
    /// Markdown.
    Markdown,
    /// Plain text.
    Text,
}

/// The names of all kinds, for messages.
pub const READ_KINDS: &str = "PDF, DOCX, PPTX, XLSX, ODT, ODP, ODS, EPUB, HTML, CSV, TSV, Markdown or plain text";

/// What is known about a file besides its bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Hint<'a> {
    /// The file's name, or the path of its URL.
    pub name: Option<&'a str>,
    /// Its media type, with or without parameters.
    pub media: Option<&'a str>,
}

/// Why a file is not accepted. The text is a sentence for the file's sender.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum UnreadFile {
    /// The file has no bytes, or only white space.
    #[error("The file is empty.")]
    Empty,
    /// A password-protected Office file.
    #[error("The file is protected by a password. Save it without one and send it again.")]
    Encrypted,
    /// An Office file in the binary format used before 2007.
    #[error(
        "The file has the binary Office format used before 2007 (.doc, .xls, .ppt). Save it as DOCX, XLSX, PPTX or PDF."
    )]
    Legacy,
    /// Its name or media type claims a kind that its bytes contradict.
    #[error("The file claims to be {}, but its bytes are not. Supported kinds: {READ_KINDS}.", .0.name())]
    Mismatch(FileKind),
    /// Any other kind.
    #[error("Files of this kind are not supported. Supported kinds: {READ_KINDS}.")]
    Unsupported,
}

impl FileKind {
    /// Every kind, in the order of their stored values.
    pub const ALL: [Self; 13] = [
        Self::Pdf,
        Self::Docx,
        Self::Pptx,
        Self::Xlsx,
        Self::Odt,
        Self::Odp,
        Self::Ods,
        Self::Epub,
        Self::Html,
        Self::Csv,
        Self::Tsv,
        Self::Markdown,
        Self::Text,
    ];

    /// Detects the kind of a file.
    ///
    /// # Errors
    /// [`UnreadFile`].
    pub fn detect(file: &[u8], hint: Hint<'_>) -> Result<Self, UnreadFile> {
        detect::detect(file, hint)
    }

    /// Returns the display name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pdf => "PDF",
            Self::Docx => "DOCX",
            Self::Pptx => "PPTX",
            Self::Xlsx => "XLSX",
            Self::Odt => "ODT",
            Self::Odp => "ODP",
            Self::Ods => "ODS",
            Self::Epub => "EPUB",
            Self::Html => "HTML",
            Self::Csv => "CSV",
            Self::Tsv => "TSV",
            Self::Markdown => "Markdown",
            Self::Text => "plain text",
        }
    }

    /// Returns the media type.
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Pdf => "application/pdf",
            Self::Docx => "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
            Self::Pptx => "application/vnd.openxmlformats-officedocument.presentationml.presentation",
            Self::Xlsx => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            Self::Odt => "application/vnd.oasis.opendocument.text",
            Self::Odp => "application/vnd.oasis.opendocument.presentation",
            Self::Ods => "application/vnd.oasis.opendocument.spreadsheet",
            Self::Epub => "application/epub+zip",
            Self::Html => "text/html",
            Self::Csv => "text/csv",
            Self::Tsv => "text/tab-separated-values",
            Self::Markdown => "text/markdown",
            Self::Text => "text/plain",
        }
    }

    /// Returns the kind that a media type names. `text/plain` and `application/octet-stream` name none: servers and
    /// browsers send them for files that they don't recognize.
    pub fn of_media_type(media: &str) -> Option<Self> {
        let essence = media.split(';').next().unwrap_or("").trim().to_ascii_lowercase();
        match essence.as_str() {
            "application/x-pdf" => Some(Self::Pdf),
            "application/xhtml+xml" => Some(Self::Html),
            "application/csv" | "text/x-csv" | "text/comma-separated-values" => Some(Self::Csv),
            "text/x-markdown" => Some(Self::Markdown),
            "text/plain" => None,
            essence => Self::ALL.into_iter().find(|kind| kind.media_type() == essence),
        }
    }

    /// Returns the kind that a file name's extension stands for.
    pub fn of_name(name: &str) -> Option<Self> {
        let extension = name.rsplit(['/', '\\']).next()?.rsplit_once('.')?.1.to_ascii_lowercase();
        Some(match extension.as_str() {
            "pdf" => Self::Pdf,
            "docx" | "docm" | "dotx" => Self::Docx,
            "pptx" | "pptm" | "ppsx" | "potx" => Self::Pptx,
            "xlsx" | "xlsm" | "xltx" => Self::Xlsx,
            "odt" | "ott" => Self::Odt,
            "odp" | "otp" => Self::Odp,
            "ods" | "ots" => Self::Ods,
            "epub" => Self::Epub,
            "html" | "htm" | "xhtml" => Self::Html,
            "csv" => Self::Csv,
            "tsv" | "tab" => Self::Tsv,
            "md" | "markdown" => Self::Markdown,
            "txt" | "text" => Self::Text,
            _ => return None,
        })
    }

    /// Returns whether it is a kind of text, which bytes alone can't prove.
    pub fn is_text(self) -> bool {
        matches!(self, Self::Html | Self::Csv | Self::Tsv | Self::Markdown | Self::Text)
    }
}

impl Hint<'_> {
    /// Returns the kind that the hint suggests. The name takes precedence over the media type, which browsers derive
    /// from the installed programs.
    pub fn kind(&self) -> Option<FileKind> {
        self.name.and_then(FileKind::of_name).or_else(|| self.media.and_then(FileKind::of_media_type))
    }
}

#[cfg(test)]
mod tests;
