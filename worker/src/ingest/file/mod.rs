//! Converts office documents, books and tables of values to Markdown. A file is read in the sandbox, which returns its
//! Markdown and the file's metadata.
//!
//! ```text
//! archive (ZIP) -> xml (elements) -> docx | pptx | odf | epub -> blocks -> Markdown
//!                                    xlsx | odf (sheets) | csv -> grid  -> blocks
//! ```

mod archive;
mod blocks;
mod csv;
mod docx;
mod epub;
mod fault;
mod grid;
mod odf;
mod pptx;
mod properties;
mod text;
mod xlsx;
mod xml;

#[cfg(test)]
mod tests;

use bytes::Bytes;
use fleet::files::FileKind;
use fleet::protocol::{Failure, FailureCode};
use fleet::sandbox::{Limits, Sandbox, SandboxError, Task};
use render_core::content::{ContentError, Document, Language, ReadOptions, read_text_with};

pub(crate) use self::text::Read;

use self::fault::FileFault;
use super::clip::clip;
use crate::failure;

/// The child's task: a file as [`packed`] → its text, or why there is none, as JSON.
pub(crate) const FILE: Task = Task { name: "file", run: read_packed };
/// Bytes that the sandbox may return for a file.
const ANSWER: usize = 16 << 20;

/// Extracts the text of a file in a child process.
///
/// # Errors
/// A [`Failure`] with the API's code.
pub(crate) async fn extracted(kind: FileKind, file: &[u8], sandbox: &Sandbox) -> Result<Read, Failure> {
    let limits = Limits { answer: ANSWER, ..Limits::default() };
    let answer = sandbox.run(FILE.name, packed(kind, file), limits).await.map_err(|e| broken(kind, &e))?;
    let read: Result<Read, FileFault> = serde_json::from_slice(&answer)
        .map_err(|e| failure::passing(FailureCode::RenderFailed, format!("the sandbox's answer can't be read: {e}")))?;
    read.map_err(|fault| fault.failure(kind))
}

/// Returns the document of a file, with the requested title if there is one; `host` is where the file came from.
///
/// # Errors
/// A [`Failure`] if there is no text.
pub(crate) fn document(read: &Read, host: Option<&str>, options: ReadOptions) -> Result<Document, Failure> {
    let text = clip(&read.markdown);
    let named = |options: &ReadOptions| {
        // A template's language often differs from that of the words. It counts only if it specifies the detected
        // language further.
        let detected = Language::detect(text);
        let declared = read.language.as_deref().and_then(|tag| Language::parse(tag).ok());
        options.language.clone().or_else(|| declared.filter(|d| d.primary() == detected.primary()))
    };
    let source = host.map(str::to_owned).or_else(|| read.author.clone());
    let options = ReadOptions { language: named(&options), source, markdown: true, ..options };
    read_text_with(text, &options).map_err(|error| match error {
        ContentError::Empty => failure::lasting(FailureCode::NoContent, "The file contains no text."),
        ContentError::TooLong(_) => {
            failure::lasting(FailureCode::FileTooComplex, format!("The file is too long: {error}."))
        }
    })
}

/// Packs a file for the child: the name of its kind, a line end, the bytes.
fn packed(kind: FileKind, file: &[u8]) -> Bytes {
    [kind.name().as_bytes(), b"\n", file].concat().into()
}

fn read_packed(packed: &[u8]) -> Result<Vec<u8>, String> {
    let end = packed.iter().position(|b| *b == b'\n').ok_or("no kind")?;
    let name = &packed[..end];
    let kind = FileKind::ALL.into_iter().find(|kind| kind.name().as_bytes() == name).ok_or("an unknown kind")?;
    serde_json::to_vec(&read(kind, &packed[end + 1..])).map_err(|e| e.to_string())
}

/// Reads a file of a supported kind.
fn read(kind: FileKind, file: &[u8]) -> Result<Read, FileFault> {
    let read = match kind {
        FileKind::Docx => docx::read(file),
        FileKind::Pptx => pptx::read(file),
        FileKind::Xlsx => xlsx::read(file),
        FileKind::Odt | FileKind::Odp | FileKind::Ods => odf::read(file),
        FileKind::Epub => epub::read(file),
        FileKind::Csv | FileKind::Tsv => csv::read(file, kind),
        FileKind::Pdf | FileKind::Html | FileKind::Markdown | FileKind::Text => Err(FileFault::Invalid),
    }?;
    if read.markdown.chars().any(char::is_alphanumeric) { Ok(read) } else { Err(FileFault::NoText) }
}

/// Returns why the sandbox abandoned a file. The cause of a crash stays in the log.
fn broken(kind: FileKind, error: &SandboxError) -> Failure {
    tracing::warn!(%error, kind = kind.name(), "reading a file in the sandbox failed");
    match error {
        SandboxError::TimedOut | SandboxError::OutOfMemory | SandboxError::AnswerTooLarge => {
            FileFault::TooComplex.failure(kind)
        }
        SandboxError::Start(_) => {
            failure::passing(FailureCode::RenderFailed, "no sandbox could be started to read the file in")
        }
        SandboxError::Refused(_) | SandboxError::Forbidden | SandboxError::Crashed(_) => {
            FileFault::Invalid.failure(kind)
        }
    }
}
