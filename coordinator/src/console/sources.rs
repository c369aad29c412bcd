//! `GET /console/api/generations/:id/sources`: shows which passage of the input each statement on a page comes from.

use std::io::Read;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use render_core::content::{Document, Span};
use render_core::design::Page;
use render_core::leaf;
use serde::Serialize;
use uuid::Uuid;

use crate::access::Active;
use crate::app::App;
use crate::http::error::{ApiError, Missing};
use crate::http::path::{Id, kind};

/// Maximum size of a document in bytes. The document of the longest text has a tenth of this size.
const DOCUMENT_BYTES: u64 = 64 << 20;

/// The sources of the statements on each page.
#[derive(Debug, Serialize)]
pub(super) struct Sources {
    outputs: Vec<OutputSources>,
}

/// The sources of one image's statements.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct OutputSources {
    output_id: Uuid,
    statements: Vec<Statement>,
}

/// A statement on a page.
#[derive(Debug, Serialize)]
struct Statement {
    /// The slot of the page that contains it.
    slot: String,
    /// The text of the statement.
    text: String,
    /// The passage of the input that the statement comes from.
    source: Option<String>,
    /// A note for statements without a passage.
    note: Option<&'static str>,
}

/// `GET …/sources`.
pub(super) async fn read(
    State(app): State<Arc<App>>,
    visitor: Active,
    Id(id, ..): Id<kind::Generation>,
) -> Result<Json<Sources>, ApiError> {
    let account = visitor.account_id;
    let found = app.store.run(move |store| store.generation(account, id)).await?;
    let snapshot = found.ok_or(ApiError::Missing(Missing::Generation))?;
    let Some(planned) = &snapshot.generation.planned else { return Ok(Json(Sources { outputs: Vec::new() })) };
    let unreadable = |error: &dyn std::fmt::Display| {
        tracing::error!(%error, generation = %id, "decoding a stored page or document failed");
        ApiError::StorageUnavailable
    };
    let document = app.blobs.get_blob(&planned.document).await?;
    let document = opened(&document).map_err(|e| unreadable(&e))?;
    let mut outputs = Vec::new();
    for output in &snapshot.outputs {
        let Some(page) = output.page else { continue };
        let page = app.blobs.get_blob(&page).await?;
        // A page written in the page language has no input to compare with.
        let Some(page) = leaf::decode(&page).map_err(|e| unreadable(&e))?.planned() else { continue };
        outputs.push(OutputSources { output_id: output.id, statements: statements(&page, &document) });
    }
    Ok(Json(Sources { outputs }))
}

/// Decodes the document in a blob: JSON compressed with zstd.
fn opened(blob: &[u8]) -> Result<Document, Box<dyn std::error::Error + Send + Sync>> {
    let mut json = Vec::new();
    zstd::Decoder::new(blob)?.take(DOCUMENT_BYTES).read_to_end(&mut json)?;
    Ok(Document::from_json(&json)?)
}

fn statements(page: &Page, document: &Document) -> Vec<Statement> {
    let slots = page.slots.iter().filter(|slot| !slot.text.trim().is_empty());
    let statement = |slot: &render_core::design::Slot| {
        let source = slot.span.and_then(|span| passage(span, document));
        let note = match (slot.span, &source) {
            (None, _) => Some("Added by the layout or by an edit."),
            (Some(_), None) => Some("Paraphrased from the input."),
            (Some(_), Some(_)) => None,
        };
        Statement { slot: slot.id.to_string(), text: slot.text.clone(), source, note }
    };
    slots.map(statement).collect()
}

/// Returns the sentences of the input that overlap the span, or the text that was parsed there if no sentence does.
fn passage(span: Span, document: &Document) -> Option<String> {
    let touches = |other: &Span| other.start < span.end && span.start < other.end;
    let mut found: Vec<&str> =
        document.sentences.iter().filter(|s| touches(&s.span)).map(|s| s.text.as_str()).collect();
    if found.is_empty() {
        found = document.words().into_iter().filter(|s| touches(&s.span)).map(|s| s.text.as_str()).collect();
        found.truncate(1);
    }
    (!found.is_empty()).then(|| found.join(" "))
}
