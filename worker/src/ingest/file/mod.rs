//! Office documents, books and tables of values → Markdown. A file is read in the sandbox; what comes back is its Markdown
//! and what the file says of itself.
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
mod xlsx;
mod xml;

#[cfg(test)]
mod tests;

use bytes::Bytes;
use fleet::files::FileKind;
use fleet::protocol::Failure;
use fleet::sandbox::{Limits, Sandbox, SandboxError, Task};
use render_core::content::{ContentError, Document, Language, ReadOptions, read_text_with};
use serde::{Deserialize, Serialize};

use self::fault::FileFault;
use super::fetched::cut;
use crate::failure;

/// The child's task: a file as [`packed`] → what it says, or why it says nothing, as JSON.
pub(crate) const FILE: Task = Task { name: "file", run: read_packed };
/// Bytes of what is read back of a file.
const ANSWER: usize = 16 << 20;

/// What a file says.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Read {
    /// Who wrote it, where that is worth naming: of books.
    pub author: Option<String>,
    /// The tag of its language, as the file gives it.
    pub language: Option<String>,
    /// What it says, under its title.
    pub markdown: String,
}

/// What a file says, found in a child process.
///
/// # Errors
/// A [`Failure`] under the contract's code.
pub(crate) async fn extracted(kind: FileKind, file: &[u8], sandbox: &Sandbox) -> Result<Read, Failure> {
    let limits = Limits { answer: ANSWER, ..Limits::default() };
    let answer = sandbox.run(FILE.name, packed(kind, file), limits).await.map_err(|e| broken(kind, &e))?;
    let read: Result<Read, FileFault> = serde_json::from_slice(&answer)
        .map_err(|e| failure::passing("render_failed", format!("the sandbox's answer can't be read: {e}")))?;
    read.map_err(|fault| fault.failure(kind))
}

/// The document of what a file says, under the title asked for where there is one; `host` is where it came from.
///
/// # Errors
/// A [`Failure`] where it says nothing.
pub(crate) fn document(read: &Read, host: Option<&str>, options: ReadOptions) -> Result<Document, Failure> {
    let text = cut(&read.markdown);
    let named = |options: &ReadOptions| {
        // A template's language is often not that of the words: it counts where it only names the detected one more closely.
        let detected = Language::detect(text);
        let declared = read.language.as_deref().and_then(|tag| Language::parse(tag).ok());
        options.language.clone().or_else(|| declared.filter(|d| d.primary() == detected.primary()))
    };
    let source = host.map(str::to_owned).or_else(|| read.author.clone());
    let options = ReadOptions { language: named(&options), source, markdown: true, ..options };
    read_text_with(text, &options).map_err(|error| match error {
        ContentError::Empty => failure::lasting("no_content", "The file holds no words."),
        ContentError::TooLong(_) => failure::lasting("file_too_complex", format!("The file is too long: {error}.")),
    })
}

/// A file as the child reads it: the name of its kind, a line end, the bytes.
fn packed(kind: FileKind, file: &[u8]) -> Bytes {
    [kind.name().as_bytes(), b"\n", file].concat().into()
}

fn read_packed(packed: &[u8]) -> Result<Vec<u8>, String> {
    let end = packed.iter().position(|b| *b == b'\n').ok_or("no kind")?;
    let name = &packed[..end];
    let kind = FileKind::ALL.into_iter().find(|kind| kind.name().as_bytes() == name).ok_or("an unknown kind")?;
    serde_json::to_vec(&read(kind, &packed[end + 1..])).map_err(|e| e.to_string())
}

/// Reads a file of a kind that this module knows.
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

/// Why a file was given up within the sandbox. What broke it stays in the log.
fn broken(kind: FileKind, error: &SandboxError) -> Failure {
    tracing::warn!(%error, kind = kind.name(), "a file could not be read in the sandbox");
    match error {
        SandboxError::TimedOut | SandboxError::OutOfMemory | SandboxError::AnswerTooLarge => {
            FileFault::TooComplex.failure(kind)
        }
        SandboxError::Start(_) => failure::passing("render_failed", "no sandbox could be started to read the file in"),
        SandboxError::Refused(_) | SandboxError::Forbidden | SandboxError::Crashed(_) => {
            FileFault::Invalid.failure(kind)
        }
    }
}
