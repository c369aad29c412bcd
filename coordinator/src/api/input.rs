//! Parses the input of a creation: a text, an idea, an address or a file.

use axum::body::Bytes;
use base64::Engine;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use fleet::files::{FileKind, Hint};
use fleet::net::Guard;
use fleet::protocol::BlobId;
use render_core::limits;
use render_core::plan::default_seed;
use render_core::warning::{Warning, WarningCode};
use uuid::Uuid;

use crate::http::form::Form;

/// Base64 (RFC 4648), with or without padding.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// The input of a creation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// A text.
    Text(String),
    /// The address of a web page.
    Url(String),
    /// A short description of what the pages should be about.
    Idea(String),
    /// The address of a file, and the field that contained it.
    FileUrl(String, &'static str),
    /// The bytes of a file, and its kind.
    File(Bytes, FileKind),
    /// A file that was uploaded earlier.
    Upload(Uuid),
}

impl Input {
    /// Returns the input's text or address, or an empty string if it has neither.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Text(words) | Self::Url(words) | Self::Idea(words) | Self::FileUrl(words, _) => words,
            Self::File(..) | Self::Upload(_) => "",
        }
    }
}

impl Input {
    /// Returns the field that contained the input. Faults of the input are reported under this field.
    pub fn field(&self) -> &'static str {
        match self {
            Self::Text(_) | Self::Idea(_) => "inputContent",
            Self::Url(_) => "inputUrl",
            Self::FileUrl(_, field) => field,
            Self::File(..) => "inputFile",
            Self::Upload(_) => "fileId",
        }
    }

    /// Returns the seed for what is made from the input, which is stored as `blob`. A file has the same seed however it
    /// is sent.
    pub fn seed(&self, blob: &BlobId) -> u64 {
        match self {
            Self::File(..) | Self::Upload(_) => default_seed(&blob.to_string()),
            words => default_seed(words.as_str()),
        }
    }
}

/// The input fields, each with the input types that use it.
const FIELDS: [(&str, &[&str]); 5] = [
    ("inputContent", &["text", "idea"]),
    ("inputUrl", &["url", "pdf"]),
    ("inputFileUrl", &["pdf"]),
    ("inputFile", &["pdf"]),
    ("fileId", &["pdf"]),
];
/// The file fields. A request must send exactly one of them.
const FILE_FIELDS: [&str; 4] = ["inputFileUrl", "inputUrl", "fileId", "inputFile"];

impl Form<'_> {
    pub(super) fn input(&mut self, text_chars: usize, guard: &Guard) -> Option<Input> {
        const FIELD: &str = "inputType";
        let Some(kind) = self.string(FIELD) else {
            if self.get(FIELD).is_none() {
                let message = "Send inputType: text, url, pdf (for files of any kind) or idea.";
                self.fault(FIELD, "missing_field", message);
            }
            return None;
        };
        let input = match kind {
            "text" => self.content(kind, text_chars).map(Input::Text),
            "idea" => self.content(kind, limits::IDEA_CHARS.min(text_chars)).map(Input::Idea),
            "url" => self.url(guard).map(Input::Url),
            "pdf" => self.file_input(guard),
            _ => {
                self.fault(FIELD, "invalid_value", "inputType must be one of text, url, pdf, idea.");
                return None;
            }
        };
        for (field, types) in FIELDS {
            if !types.contains(&kind) && self.get(field).is_some() {
                self.passed_over(field, text_chars);
                let message =
                    format!("{field} was ignored, because it applies only to inputType {}.", types.join(" or "));
                self.warnings.push(Warning::new(WarningCode::UnknownField, message));
            }
        }
        input
    }

    /// Validates a field that belongs to another input type. It is ignored, but must still have the right form.
    fn passed_over(&mut self, field: &'static str, text_chars: usize) {
        let Some(text) = self.string(field) else { return };
        let (most, code) = match field {
            "inputContent" => (text_chars, "content_too_long"),
            "inputUrl" | "inputFileUrl" => (limits::URL_CHARS, "invalid_value"),
            _ => return,
        };
        let chars = text.chars().count();
        if chars > most {
            self.fault(field, code, format!("{field} has {chars} characters, but at most {most} are allowed."));
        }
    }

    fn content(&mut self, kind: &str, limit: usize) -> Option<String> {
        const FIELD: &str = "inputContent";
        let text = self.string(FIELD);
        if self.get(FIELD).is_none() {
            self.fault(FIELD, "missing_field", format!("Send the {kind} in inputContent."));
        }
        let text = text?;
        let chars = text.chars().count();
        if text.trim().is_empty() {
            self.fault(FIELD, "content_empty", "inputContent contains no words.");
        } else if chars > limit {
            let message = format!("inputContent has {chars} characters, but at most {limit} are allowed.");
            self.fault(FIELD, "content_too_long", message);
        }
        if let Some(c) = text.chars().find(|c| is_control(*c)) {
            let message = format!("inputContent contains the control character U+{:04X}. Remove it.", u32::from(c));
            self.fault(FIELD, "invalid_characters", message);
        }
        Some(text.to_owned())
    }

    fn url(&mut self, guard: &Guard) -> Option<String> {
        const FIELD: &str = "inputUrl";
        if self.get(FIELD).is_none() {
            self.fault(FIELD, "missing_field", "Send the page's address in inputUrl.");
        }
        self.address(FIELD, guard)
    }

    /// Reads a URL that the service fetches or sends to.
    pub(super) fn address(&mut self, field: &'static str, guard: &Guard) -> Option<String> {
        let url = self.string(field)?.trim();
        // The URL is stored as it was sent, including its fragment.
        if url.len() > 2 * limits::URL_CHARS {
            self.fault(
                field,
                "invalid_value",
                format!("{field} has {} bytes, but at most {} are allowed.", url.len(), 2 * limits::URL_CHARS),
            );
        } else if let Err(refusal) = guard.judge(url) {
            self.fault(field, refusal.code(), format!("{field}: {refusal}."));
        }
        Some(url.to_owned())
    }

    fn file_input(&mut self, guard: &Guard) -> Option<Input> {
        let sent: Vec<&'static str> = FILE_FIELDS.into_iter().filter(|f| self.get(f).is_some()).collect();
        let Some((field, more)) = sent.split_first() else {
            let message = "Send the file as inputFileUrl (its address), fileId (an upload) or inputFile (base64).";
            self.fault("inputFileUrl", "missing_field", message);
            return None;
        };
        if let Some(more) = more.first() {
            let message = format!("Send the file in exactly one field; this request sends {}.", sent.join(" and "));
            self.fault(*more, "invalid_value", message);
            return None;
        }
        match *field {
            "inputFile" => self.file().map(|(file, kind)| Input::File(file, kind)),
            "fileId" => {
                let id = self.string(field)?.parse().ok();
                if id.is_none() {
                    self.fault(*field, "invalid_value", "fileId must be the id of an upload.");
                }
                id.map(Input::Upload)
            }
            _ => self.address(field, guard).map(|url| Input::FileUrl(url, field)),
        }
    }

    /// Reads `inputFile`: base64, or a base64 data URI (RFC 2397). The data URI's media type is only a hint.
    fn file(&mut self) -> Option<(Bytes, FileKind)> {
        const FIELD: &str = "inputFile";
        let sent = self.string(FIELD)?.trim();
        let (media, encoded) = match sent.strip_prefix("data:") {
            Some(uri) => match uri.split_once(',').filter(|(head, _)| head.ends_with(";base64")) {
                Some((head, encoded)) => (Some(head), encoded),
                None => {
                    self.fault(FIELD, "invalid_value", "A data URI in inputFile must use base64.");
                    return None;
                }
            },
            None => (None, sent),
        };
        let Ok(file) = BASE64.decode(encoded) else {
            self.fault(FIELD, "invalid_value", "inputFile must be base64 (RFC 4648) or a base64 data URI.");
            return None;
        };
        if file.len() > limits::PDF_BYTES {
            let message = format!("inputFile has {} bytes, but at most {} are allowed.", file.len(), limits::PDF_BYTES);
            self.fault(FIELD, "content_too_long", message);
            return None;
        }
        match FileKind::detect(&file, Hint { name: None, media }) {
            Ok(kind) => Some((file.into(), kind)),
            Err(why) => {
                self.fault(FIELD, "invalid_value", format!("inputFile is not readable: {why}"));
                None
            }
        }
    }
}

/// Whether a character is not allowed in text: every control character except tab and line ends.
pub(super) fn is_control(c: char) -> bool {
    c.is_control() && !matches!(c, '\t' | '\n' | '\r')
}
