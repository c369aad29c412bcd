//! PDF → document. The file is read in the sandbox, which returns Markdown and the offset of each page.

mod read;
#[cfg(test)]
mod tests;

use bytes::Bytes;
use fleet::protocol::{Failure, FailureCode};
use fleet::sandbox::{Limits, Sandbox, SandboxError, Task};
use render_core::content::{ContentError, Document, ReadOptions, read_text_with};

pub(crate) use self::read::{Figure, Read};
use self::read::{PdfFault, photograph, read};
use super::clip::clip;
use super::shown::Shown;
use crate::failure;

/// The child's task: the file → its text, or why there is none, as JSON.
pub(crate) const PDF: Task =
    Task { name: "pdf", run: |bytes| serde_json::to_vec(&read(bytes)).map_err(|e| e.to_string()) };
/// The child's task: a file as [`with_figures`] → the pixels of the photograph among them, as [`Shown`].
pub(crate) const FIGURE: Task = Task { name: "figure", run: |packed| shown(packed).map(|shown| shown.packed()) };
/// Bytes that the sandbox may return for a file's text.
const ANSWER: usize = 16 << 20;

/// Extracts the text of a PDF in a child process.
///
/// # Errors
/// A [`Failure`] with the API's code.
pub(crate) async fn extracted(file: Bytes, sandbox: &Sandbox) -> Result<Read, Failure> {
    let limits = Limits { answer: ANSWER, ..Limits::default() };
    let answer = sandbox.run(PDF.name, file, limits).await.map_err(|e| broken(&e))?;
    let read: Result<Read, PdfFault> = serde_json::from_slice(&answer)
        .map_err(|e| failure::passing(FailureCode::RenderFailed, format!("the sandbox's answer can't be read: {e}")))?;
    read.map_err(|fault| failure::lasting(code(fault), sentence(&fault.to_string())))
}

/// Packs a file for the child that looks for its photograph: the positions of its pictures as JSON, a line end, the
/// bytes.
pub(crate) fn with_figures(file: &[u8], figures: &[Figure]) -> Bytes {
    let mut packed = serde_json::to_vec(figures).unwrap_or_default();
    packed.push(b'\n');
    packed.extend_from_slice(file);
    packed.into()
}

fn shown(packed: &[u8]) -> Result<Shown, String> {
    let end = packed.iter().position(|b| *b == b'\n').ok_or("no figures")?;
    let figures: Vec<Figure> = serde_json::from_slice(&packed[..end]).map_err(|e| e.to_string())?;
    photograph(&packed[end + 1..], &figures).map(Shown)
}

fn code(fault: PdfFault) -> FailureCode {
    match fault {
        PdfFault::Invalid => FailureCode::PdfInvalid,
        PdfFault::Encrypted => FailureCode::PdfEncrypted,
        PdfFault::NoText => FailureCode::PdfNoText,
        PdfFault::TooComplex => FailureCode::PdfTooComplex,
    }
}

/// Returns why the sandbox abandoned a file. The cause of a crash stays in the log.
fn broken(error: &SandboxError) -> Failure {
    tracing::warn!(%error, "reading a PDF in the sandbox failed");
    match error {
        SandboxError::TimedOut | SandboxError::OutOfMemory | SandboxError::AnswerTooLarge => {
            failure::lasting(FailureCode::PdfTooComplex, sentence(&PdfFault::TooComplex.to_string()))
        }
        SandboxError::Start(_) => {
            failure::passing(FailureCode::RenderFailed, "no sandbox could be started to read the PDF in")
        }
        SandboxError::Refused(_) | SandboxError::Forbidden | SandboxError::Crashed(_) => {
            failure::lasting(FailureCode::PdfInvalid, sentence(&PdfFault::Invalid.to_string()))
        }
    }
}

fn sentence(why: &str) -> String {
    format!("The PDF could not be read: {why}.")
}

/// Returns the document of a PDF, with the caller's options; `source` is the attribution.
///
/// # Errors
/// A [`Failure`] if there is no text.
pub(crate) fn document(read: &Read, source: Option<String>, options: ReadOptions) -> Result<Document, Failure> {
    let options = ReadOptions { source, markdown: true, ..options };
    read_text_with(clip(&read.markdown), &options).map_err(|e| match e {
        ContentError::Empty => failure::lasting(FailureCode::PdfNoText, sentence(&PdfFault::NoText.to_string())),
        ContentError::TooLong(_) => failure::lasting(FailureCode::PdfTooLarge, sentence(&e.to_string())),
    })
}
