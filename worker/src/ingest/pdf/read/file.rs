//! Opens a PDF, and decodes the text in its objects.

use hayro_interpret::hayro_syntax::{DecryptionError, LoadPdfError, Pdf};
use serde::{Deserialize, Serialize};

/// Why a PDF has no text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum PdfFault {
    /// Not a PDF, or a damaged one.
    #[error("the file is not a PDF, or it is damaged")]
    Invalid,
    /// It needs a password.
    #[error("the PDF is protected by a password: remove it first")]
    Encrypted,
    /// It contains only pictures.
    #[error("the PDF has no text, only pictures of it: run text recognition on it first")]
    NoText,
    /// Its pages exceed the limits.
    #[error("the PDF is too complex")]
    TooComplex,
}

/// Opens a PDF.
///
/// # Errors
/// [`PdfFault::Encrypted`], [`PdfFault::Invalid`].
pub fn opened(bytes: &[u8]) -> Result<Pdf, PdfFault> {
    // Some mailers put bytes before the file.
    let start = bytes.windows(5).take(1024).position(|w| w == b"%PDF-").ok_or(PdfFault::Invalid)?;
    Pdf::new(bytes[start..].to_vec()).map_err(|e| match e {
        LoadPdfError::Decryption(DecryptionError::PasswordProtected | DecryptionError::UnsupportedAlgorithm) => {
            PdfFault::Encrypted
        }
        LoadPdfError::Decryption(_) | LoadPdfError::Invalid => PdfFault::Invalid,
    })
}

/// Decodes a text string (PDF 2.0, 7.9.2.2): UTF-16 or UTF-8 with a byte order mark, else one byte per character.
pub fn text_string(bytes: &[u8]) -> String {
    let text = match bytes {
        [0xfe, 0xff, rest @ ..] => {
            let units = rest.chunks_exact(2).map(|c| u16::from_be_bytes([c[0], c[1]]));
            char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
        }
        [0xef, 0xbb, 0xbf, rest @ ..] => String::from_utf8_lossy(rest).into_owned(),
        _ => std::str::from_utf8(bytes).map_or_else(|_| bytes.iter().map(|b| char::from(*b)).collect(), str::to_owned),
    };
    text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|w| !w.is_empty()).collect::<Vec<_>>().join(" ")
}
