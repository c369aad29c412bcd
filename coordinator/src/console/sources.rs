//! `GET /console/api/generations/:id/sources`: where the input says what the pages say.

use std::io::Read;
use std::sync::Arc;

use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use render_core::content::{Document, Span};
use render_core::design::Page;
use render_core::leaf;
use serde::Serialize;
use uuid::Uuid;

use super::id_of;
use super::visitor::Active;
use crate::api::App;
use crate::api::error::{ApiError, Missing};

/// Bytes of a document beyond which none is read: the longest text makes a tenth of them.
const DOCUMENT_BYTES: u64 = 64 << 20;

/// Where each page's statements come from.
#[derive(Debug, Serialize)]
pub(super) struct Sources {
    outputs: Vec<OutputSources>,
}

/// Those of one image.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct OutputSources {
    output_id: Uuid,
    statements: Vec<Statement>,
}

/// Something that a page says.
#[derive(Debug, Serialize)]
struct Statement {
    /// What it is on the page.
    slot: String,
    /// Its words.
    text: String,
    /// The passage of the input that says so.
    source: Option<String>,
    /// What else there is to say of where it comes from.
    note: Option<&'static str>,
}

/// `GET …/sources`.
pub(super) async fn read(
    State(app): State<Arc<App>>,
    visitor: Active,
    id: Result<Path<String>, PathRejection>,
) -> Result<Json<Sources>, ApiError> {
    let (account, id) = (visitor.account_id, id_of(id, ApiError::Missing(Missing::Generation))?);
    let found = app.store.run(move |store| store.generation(account, id)).await?;
    let snapshot = found.ok_or(ApiError::Missing(Missing::Generation))?;
    let Some(planned) = &snapshot.generation.planned else { return Ok(Json(Sources { outputs: Vec::new() })) };
    let unreadable = |error: &dyn std::fmt::Display| {
        tracing::error!(%error, generation = %id, "a stored page or document can't be read");
        ApiError::StorageUnavailable
    };
    let document = app.blobs.get_blob(&planned.document).await?;
    let document = opened(&document).map_err(|e| unreadable(&e))?;
    let mut outputs = Vec::new();
    for output in &snapshot.outputs {
        let Some(page) = output.page else { continue };
        let page = app.blobs.get_blob(&page).await?;
        // A page that was written in the page language is its own source.
        let Some(page) = leaf::decode(&page).map_err(|e| unreadable(&e))?.planned() else { continue };
        outputs.push(OutputSources { output_id: output.id, statements: statements(&page, &document) });
    }
    Ok(Json(Sources { outputs }))
}

/// The document of a blob: JSON under zstd.
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
            (None, _) => Some("The layout's own words, or an edit's."),
            (Some(_), None) => Some("From the input, in other words."),
            (Some(_), Some(_)) => None,
        };
        Statement { slot: slot.id.to_string(), text: slot.text.clone(), source, note }
    };
    slots.map(statement).collect()
}

/// What the input says there: its sentences that the span touches, or else the words that it was read as.
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
