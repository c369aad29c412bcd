//! `/admin/generations/:id`, `/admin/dead-letters`: inspects and retries the work of generations.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use uuid::Uuid;

use crate::api::{lifecycle, view};
use crate::app::App;
use crate::clock::Millis;
use crate::http::error::{ApiError, Conflict, Missing};
use crate::http::path::{Id, kind};
use crate::state::{DeadLetter, Once};

/// Maximum number of dead letters in a response.
const LETTERS: usize = 1_000;

/// A generation and its account.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Shown {
    account_id: Uuid,
    generation: view::Generation,
    /// Every output, whether ready or not.
    work: Vec<WorkView>,
}

/// A generation that was reopened.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Reopened {
    account_id: Uuid,
    generation: view::Generation,
}

/// An output, whether ready or not.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct WorkView {
    output_id: Uuid,
    format_id: String,
    slide_index: Option<u32>,
    /// `waiting`, `ready` or `failed`.
    state: &'static str,
    code: Option<String>,
    message: Option<String>,
}

/// A dead letter: a job that was given up.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct LetterView {
    job_id: Uuid,
    account_id: Option<Uuid>,
    generation_id: Option<Uuid>,
    /// The place of the output that the job should have rendered; absent for a planning job.
    sort_order: Option<u32>,
    code: String,
    message: String,
    claims: u32,
    given_up_at: String,
}

/// The dead letters.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Letters {
    dead_letters: Vec<LetterView>,
    count: usize,
}

/// Returns a generation of any account.
pub async fn read(
    State(app): State<Arc<App>>,
    Id(id, ..): Id<kind::Generation>,
) -> Result<Json<impl Serialize>, ApiError> {
    let found = app.store.run(move |store| store.generation_of_any(id)).await?;
    let (snapshot, outputs) = found.ok_or(ApiError::Missing(Missing::Generation))?;
    let work = (0..).zip(outputs).map(|(place, output)| {
        let (state, fault) = output.state();
        WorkView {
            output_id: output.id,
            format_id: output.format.clone(),
            slide_index: snapshot.slide(place, &output),
            state,
            code: fault.map(|f| f.code.clone()),
            message: fault.map(|f| f.message.clone()),
        }
    });
    Ok(Json(Shown {
        account_id: snapshot.generation.account,
        work: work.collect(),
        generation: view::generation(&snapshot, &app, Millis::now()),
    }))
}

/// Renders the failed outputs of a generation again. Its account pays.
pub async fn retry(
    State(app): State<Arc<App>>,
    Id(id, ..): Id<kind::Generation>,
) -> Result<Json<impl Serialize>, ApiError> {
    again(app, id).await
}

/// Retries the generation that a dead letter belongs to.
pub async fn retry_letter(
    State(app): State<Arc<App>>,
    Id(job, ..): Id<kind::DeadLetter>,
) -> Result<Json<impl Serialize>, ApiError> {
    let letter =
        app.store.run(move |store| store.dead_letter(job)).await?.ok_or(ApiError::Missing(Missing::DeadLetter))?;
    again(app, letter.generation.ok_or(ApiError::Missing(Missing::Generation))?).await
}

async fn again(app: Arc<App>, id: Uuid) -> Result<Json<Reopened>, ApiError> {
    let found = app.store.run(move |store| store.generation_of_any(id)).await?;
    let account_id = found.ok_or(ApiError::Missing(Missing::Generation))?.0.generation.account;
    // The wait limit does not apply to the operator, who knows how long the queue is. The backlog limit still does.
    let room = app.max_backlog.saturating_sub(app.store.backlog());
    let now = Millis::now();
    match app.store.run(move |store| store.retry(account_id, id, room, None, now)).await? {
        Once::Made(snapshot) => {
            Ok(Json(Reopened { account_id, generation: view::generation(&snapshot, &app, Millis::now()) }))
        }
        Once::Refused(refusal) => Err(lifecycle::refused(refusal, Conflict::NotRetryable)),
        // Unreachable: these occur only with an idempotency key.
        Once::Replayed(_) | Once::Conflict => Err(ApiError::Internal),
    }
}

/// Lists the dead letters, newest first.
pub async fn dead_letters(State(app): State<Arc<App>>) -> Result<Json<impl Serialize>, ApiError> {
    Ok(Json(letters(&app).await?))
}

/// Reads the dead letters. The console's fleet page uses this too.
pub(crate) async fn letters(app: &App) -> Result<Letters, ApiError> {
    let letters = app.store.run(|store| store.dead_letters(LETTERS)).await?;
    let dead_letters: Vec<LetterView> = letters.into_iter().map(LetterView::of).collect();
    Ok(Letters { count: dead_letters.len(), dead_letters })
}

impl LetterView {
    fn of(letter: DeadLetter) -> Self {
        Self {
            job_id: letter.job,
            account_id: letter.account,
            generation_id: letter.generation,
            sort_order: letter.place,
            code: letter.fault.code,
            message: letter.fault.message,
            claims: letter.claims,
            given_up_at: letter.at.to_string(),
        }
    }
}
