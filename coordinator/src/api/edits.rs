//! `POST /api/images/:id/edit`: proposes an edit for a prompt, then applies it when the client confirms it.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use fleet::edit::{Alternative, EditUse, MadePage, Proposals, Proposed};
use fleet::llm::Allowance;
use fleet::protocol::BlobId;
use futures::future::try_join_all;
use render_core::edit::{Carousel, ExecuteError};
use render_core::warning::Warning;
use serde_json::{Map, Value};
use tokio::time::{Instant, sleep_until};
use uuid::Uuid;

use super::aim::{Aim, aim, refused, with_uploads};
use super::deeds::{self, Confirmed};
use super::edited::{self, EditAnswer};
use super::editor::{editor, in_time};
use super::generations;
use super::input::is_control;
use super::spec::examples;
use super::spec::params::{GenerationId, IdempotencyKey};
use super::spec::requests::EditRequest;
use super::view::GenerationAnswer;
use super::{pages, storage, view};
use crate::access::{Authorised, Scoped, scope};
use crate::app::App;
use crate::clock::Millis;
use crate::http::error::{ApiError, Conflict, Detail, Missing};
use crate::http::form::{nearest, workspace_fault};
use crate::http::idempotency::{self, Done, Idempotent};
use crate::http::json::Unparsed;
use crate::http::path::{Id, kind};
use crate::http::query::NoParameters;
use crate::integrity::hashed_name;
use crate::metrics;
use crate::state::{
    Answer, EditEnd, EditOrder, Granted, Growth, NewPage, PREVIEWS, Placed, StateError, Store, Uneditable,
};
use crate::words;

/// Fields of the request.
pub(super) const FIELDS: [&str; 3] = ["outputId", "prompt", "confirmedInstruction"];
/// Maximum length of a prompt in characters.
const PROMPT_CHARS: usize = 2_000;
/// Maximum length of an instruction in bytes: far more than the words of a page need.
const INSTRUCTION_BYTES: usize = 100_000;
/// Seconds for which a preview is kept.
const PREVIEW_S: u64 = 3_600;
/// How long a response waits for the new version.
const PATIENCE: Duration = Duration::from_secs(30);
/// Interval between two checks of an edit while no notification arrives.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// Pixels of storage reserved for each picture that an edit asks for.
const PICTURE_PIXELS: u64 = 2_048 * 2_048;
/// How many times an edit is recomputed because the image changed in the meantime.
const TRIES: u32 = 3;

/// Edit an image
///
/// An edit takes two steps. First send a `prompt` in your own words. The response shows what would change and what it
/// would cost; nothing is changed or charged yet. If the prompt can't be understood or applied, the response asks for
/// another one. Then send the request again with the refined instruction as `confirmedInstruction`: the image is
/// rendered as its next version, and earlier versions are kept.
///
/// An instruction describes the resulting state, so confirming it again changes nothing and costs nothing.
#[utoipa::path(
    post,
    path = "/api/images/{id}/edit",
    operation_id = "editImage",
    tag = "Images",
    security(("apiKey" = ["images:edit"])),
    params(GenerationId, IdempotencyKey),
    request_body(
        content = EditRequest,
        description = "A prompt, or the instruction to confirm.",
        examples(
            ("ask" = (summary = "propose an edit", value = json!(examples::edit_request()))),
            ("confirm" = (summary = "confirm the edit", value = json!(examples::edit_confirmation()))),
        ),
    ),
    responses(
        (
            status = 200,
            description = "A proposal; a request for another prompt, also if a confirmed instruction is not possible; or the new version.",
            body = EditAnswer,
            examples(
                ("proposal" = (summary = "proposal", value = json!(examples::proposal()))),
                ("question" = (summary = "request for another prompt", value = json!(examples::clarification()))),
                ("result" = (summary = "new version after confirmation", value = json!(examples::edited()))),
            ),
        ),
        (
            status = 202,
            description = "Confirmed, but not rendered within 30 seconds. The output shows the new version when it is ready.",
            body = GenerationAnswer,
            headers(("Location" = String, description = "The path of the generation.")),
            example = json!(examples::editing()),
        ),
    ),
    extensions(("x-codes" = json!([
        "generation_not_found", "output_not_found", "not_ready", "written_pages", "edit_in_progress", "stale_instruction", "invalid_prompt",
        "instruction_not_understood", "upload_not_found", "upload_expired", "validation_failed", "insufficient_credits",
        "storage_quota", "queue_full", "busy", "no_workers", "shutting_down", "edit_timed_out", "render_failed",
    ]))),
)]
pub async fn edit(
    State(app): State<Arc<App>>,
    caller: Scoped<scope::ImagesEdit>,
    Id(id, ..): Id<kind::Generation>,
    NoParameters(warnings): NoParameters,
    sent: Idempotent<Unparsed>,
) -> Result<Response, ApiError> {
    work(app, &caller, Some(id), warnings, sent).await
}

/// Edit an image by its output's id alone
///
/// The same as `POST /api/images/{id}/edit`, without the generation's id: output ids are globally unique.
#[utoipa::path(
    post,
    path = "/api/images/edit",
    operation_id = "editImageByOutput",
    tag = "Images",
    security(("apiKey" = ["images:edit"])),
    params(IdempotencyKey),
    request_body(
        content = EditRequest,
        description = "A prompt, or the instruction to confirm.",
        examples(
            ("ask" = (summary = "propose an edit", value = json!(examples::edit_request()))),
            ("confirm" = (summary = "confirm the edit", value = json!(examples::edit_confirmation()))),
        ),
    ),
    responses(
        (
            status = 200,
            description = "A proposal; a request for another prompt, also if a confirmed instruction is not possible; or the new version.",
            body = EditAnswer,
            examples(
                ("proposal" = (summary = "proposal", value = json!(examples::proposal()))),
                ("question" = (summary = "request for another prompt", value = json!(examples::clarification()))),
                ("result" = (summary = "new version after confirmation", value = json!(examples::edited()))),
            ),
        ),
        (
            status = 202,
            description = "Confirmed, but not rendered within 30 seconds. The output shows the new version when it is ready.",
            body = GenerationAnswer,
            headers(("Location" = String, description = "The path of the generation.")),
            example = json!(examples::editing()),
        ),
    ),
    extensions(("x-codes" = json!([
        "output_not_found", "not_ready", "written_pages", "edit_in_progress", "stale_instruction", "invalid_prompt",
        "instruction_not_understood", "upload_not_found", "upload_expired", "validation_failed", "insufficient_credits",
        "storage_quota", "queue_full", "busy", "no_workers", "shutting_down", "edit_timed_out", "render_failed",
    ]))),
)]
pub async fn edit_by_output(
    State(app): State<Arc<App>>,
    caller: Scoped<scope::ImagesEdit>,
    NoParameters(warnings): NoParameters,
    sent: Idempotent<Unparsed>,
) -> Result<Response, ApiError> {
    work(app, &caller, None, warnings, sent).await
}

/// A parsed request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Asked {
    pub output: Uuid,
    pub prompt: String,
    pub confirmed: Option<String>,
    /// Notes about the request itself, for the client.
    pub notes: Vec<String>,
    /// Whether the client sent a whole page. Changes that are not possible are then reported as faults of page
    /// elements.
    pub whole: bool,
}

async fn work(
    app: Arc<App>,
    caller: &Authorised,
    within: Option<Uuid>,
    warnings: Vec<Warning>,
    sent: Idempotent<Unparsed>,
) -> Result<Response, ApiError> {
    sent.answer(&app, caller.account_id, async |body, key| {
        let mut asked = read(&body.fields()?)?;
        asked.notes.extend(warnings.into_iter().map(|warning| warning.message));
        // The answer is stored only once it exists. A repeated request before that finds the edit in progress, or finds
        // that the image already matches the instruction.
        Ok(Done::Unchanged(match &asked.confirmed {
            None => propose(&app, caller, within, &asked).await?,
            Some(instruction) => match Confirmed::parse(instruction) {
                Some(confirmed) => return deeds::confirm(&app, caller, within, asked.output, confirmed, &key).await,
                None => confirm(&app, caller, within, &asked, instruction).await?,
            },
        }))
    })
    .await
}

/// Parses a request.
fn read(body: &Map<String, Value>) -> Result<Asked, ApiError> {
    if let Some(fault) = workspace_fault(body) {
        return Err(ApiError::Invalid(vec![fault]));
    }
    let invalid = |code, message: &str| ApiError::Invalid(vec![Detail::new("outputId", code, message)]);
    let output = match body.get("outputId") {
        None | Some(Value::Null) => return Err(invalid("missing_field", "Name the image to edit in outputId.")),
        Some(Value::String(id)) => id.parse().map_err(|_| ApiError::Missing(Missing::Output))?,
        Some(_) => return Err(invalid("invalid_value", "outputId must be a string.")),
    };
    let prompt = body.get("prompt").and_then(Value::as_str).map(str::trim).filter(|p| !p.is_empty());
    let prompt = prompt.ok_or_else(|| ApiError::InvalidPrompt("Say in prompt what to change, as a string.".into()))?;
    if prompt.chars().count() > PROMPT_CHARS {
        return Err(ApiError::InvalidPrompt(format!(
            "A prompt must have at most {PROMPT_CHARS} characters. Split it into several edits."
        )));
    }
    if let Some(c) = prompt.chars().find(|c| is_control(*c)) {
        return Err(ApiError::InvalidPrompt(format!("The prompt contains the {}. Remove it.", named(c))));
    }
    let confirmed = match body.get("confirmedInstruction") {
        None | Some(Value::Null) => None,
        Some(Value::String(instruction)) if instruction.len() <= INSTRUCTION_BYTES => {
            if let Some(c) = instruction.chars().find(|c| is_control(*c)) {
                return Err(ApiError::InstructionNotUnderstood(format!("it contains the {}", named(c))));
            }
            Some(instruction.clone())
        }
        Some(_) => return Err(ApiError::InstructionNotUnderstood("it is not a valid instruction".into())),
    };
    let unknown = body.keys().filter(|field| !FIELDS.contains(&field.as_str())).take(FIELDS.len());
    let notes = unknown.map(|field| {
        let hint = nearest(field, FIELDS.into_iter()).map(|n| format!(" Did you mean {n}?")).unwrap_or_default();
        let field: String = field.chars().take(40).collect();
        format!("The field {field:?} is not known and was ignored.{hint}")
    });
    Ok(Asked { output, prompt: prompt.to_owned(), confirmed, notes: notes.collect(), whole: false })
}

/// Returns the name of a control character for error messages.
fn named(c: char) -> String {
    format!("control character U+{:04X}", u32::from(c))
}

/// Step one: computes what the prompt would do.
pub(super) async fn propose(
    app: &Arc<App>,
    caller: &Authorised,
    within: Option<Uuid>,
    asked: &Asked,
) -> Result<Answer, ApiError> {
    let began = Instant::now();
    let aim = aim(app, caller, within, asked.output).await?;
    let said = aim.said();
    let carousel = aim.slide().map(|slide| Carousel { slide, said: &said });
    if let Some(deed) = render_core::edit::deed(&asked.prompt, carousel) {
        let answer = deeds::propose(app, caller, &aim, deed).await?;
        return Ok(idempotency::success(StatusCode::OK, None, &answer));
    }
    let pages = with_uploads(app, aim.pages.clone(), &asked.prompt).await?;
    let proposed = in_use(app, caller, &asked.prompt, async |used| {
        in_time(editor(app)?.propose(pages, asked.prompt.clone(), used)).await
    })
    .await?;
    let (now, output) = (Millis::now(), asked.output);
    let Proposals { answer, alternatives } = proposed;
    let other = async |other: Alternative| {
        let image = preview_url(app, &aim, &other.proposed, now).await?;
        Ok::<_, ApiError>(edited::alternative(other, image, app.free_corrections))
    };
    let alternatives = try_join_all(alternatives.into_iter().map(other)).await?;
    let answer = match answer {
        Ok(mut proposed) => {
            proposed.notes.extend(asked.notes.iter().cloned());
            let image = preview_url(app, &aim, &proposed, now).await?;
            metrics::edited(if proposed.edited.is_empty() { "unchanged" } else { "proposed" }, 1);
            EditAnswer::Proposal(edited::proposal(output, proposed, image, alternatives, app.free_corrections))
        }
        Err(unread) => {
            metrics::edited("clarified", 1);
            EditAnswer::Clarification(edited::clarification(unread, alternatives))
        }
    };
    metrics::edit_proposed(began.elapsed());
    Ok(idempotency::success(StatusCode::OK, None, &answer))
}

/// Returns the URL of a preview of the edited page, or of the current image if nothing changes.
async fn preview_url(app: &App, aim: &Aim, proposed: &Proposed, now: Millis) -> Result<String, ApiError> {
    let Some(picture) = proposed.preview.clone() else {
        let image = aim.found.image().ok_or(ApiError::Internal)?;
        return Ok(app.signer.url(&image.thumbnail, now));
    };
    let prefix = format!("{PREVIEWS}{}/", aim.found.snapshot.generation.id);
    let key = hashed_name(&prefix, Uuid::now_v7(), &picture, "png");
    let (object, until) = (key.clone(), now.plus_seconds(PREVIEW_S));
    // The preview is registered before it is stored, so that it is cleaned up if this request is interrupted in
    // between.
    app.store.run(move |store| store.preview(&object, until)).await?;
    app.blobs.put_object(&key, picture, "image/png").await.map_err(|e| {
        tracing::error!(error = %e, "storing a preview failed");
        ApiError::StorageUnavailable
    })?;
    Ok(app.signer.url_for(&key, PREVIEW_S, now))
}

/// Step two: applies a confirmed instruction.
pub(super) async fn confirm(
    app: &Arc<App>,
    caller: &Authorised,
    within: Option<Uuid>,
    asked: &Asked,
    instruction: &str,
) -> Result<Answer, ApiError> {
    for _ in 0..TRIES {
        if app.stopping.is_cancelled() {
            return Err(ApiError::ShuttingDown);
        }
        let aim = aim(app, caller, within, asked.output).await?;
        let pages = with_uploads(app, aim.pages.clone(), instruction).await?;
        let made = in_use(app, caller, instruction, async |used| {
            in_time(editor(app)?.execute(pages, instruction.to_owned(), used)).await
        })
        .await?;
        let made = match made {
            Ok(made) => made,
            Err(ExecuteError::Malformed(why)) => return Err(ApiError::InstructionNotUnderstood(why.to_string())),
            Err(ExecuteError::Stale) => return Err(ApiError::Conflict(Conflict::StaleInstruction)),
            Err(ExecuteError::NotPossible(why)) if asked.whole => return Err(pages::invalid(pages::listed(&why))),
            // The instruction is valid but not possible: answer as for a prompt that is not possible.
            Err(ExecuteError::NotPossible(why)) => {
                metrics::edited("clarified", 1);
                let answer = EditAnswer::Clarification(edited::not_possible(why));
                return Ok(idempotency::success(StatusCode::OK, None, &answer));
            }
        };
        if made.is_empty() {
            metrics::edited("unchanged", 1);
            let answer = edited::executed(&aim.found, &[aim.found.place], 0, app, Millis::now())?;
            return Ok(idempotency::success(StatusCode::OK, None, &answer));
        }
        let order = order(app, caller, asked, instruction, &aim, made).await?;
        // Only the backlog limits edits, not the wait time: edits are rendered before other jobs.
        let room = app.max_backlog.saturating_sub(app.store.backlog());
        let changed: Vec<(u32, u32)> = order.pages.iter().map(|page| (page.place, page.of + 1)).collect();
        let cost = order.pages.iter().map(|page| page.cost).sum();
        match app.store.run(move |store| store.begin_edit(&order, room, Millis::now())).await? {
            Ok(edit) => {
                tracing::info!(account = %caller.account_id, output = %asked.output, outputs = changed.len(), "an edit was confirmed");
                return finished(app, caller, &aim.found, edit, &changed, cost).await;
            }
            // The image changed in the meantime: compute the edit again. The image may now match the instruction.
            Err(Uneditable::Moved) => {}
            Err(why) => return Err(refused(why, within.is_some())),
        }
    }
    Err(ApiError::Conflict(Conflict::EditInProgress))
}

/// Runs `work`, which computes an edit, and accounts for what it used: tokens of a language model, and pictures that
/// the words ask for. Pictures that no page shows stay stored for a day.
async fn in_use<T>(
    app: &App,
    caller: &Authorised,
    words: &str,
    work: impl AsyncFnOnce(EditUse) -> Result<T, ApiError>,
) -> Result<T, ApiError> {
    let account = caller.account_id;
    // Reserved before any picture is fetched. A picture takes about as much storage as an image.
    let pictures = render_core::edit::pictures(words).len() as u64;
    storage::reserve(app, account, Growth { pixels: pictures * PICTURE_PIXELS, ..Growth::default() }).await?;
    let granted = app.store.run(move |store| store.grant_tokens(account, Millis::now())).await?;
    let used = EditUse::of(Allowance::of(granted.map(|granted| granted.tokens)));
    let unsettled = Unsettled(Some((app.store.clone(), account, granted, used.clone())));
    let done = work(used).await;
    unsettled.settle().await?;
    done
}

/// Usage of an edit that is not accounted for yet. Dropping it, for example because the client disconnected, accounts
/// for it too.
struct Unsettled(Option<(Store, Uuid, Option<Granted>, EditUse)>);

impl Unsettled {
    async fn settle(mut self) -> Result<(), StateError> {
        match self.0.take() {
            Some(used) => settle(used).await,
            None => Ok(()),
        }
    }
}

impl Drop for Unsettled {
    fn drop(&mut self) {
        let Some(used) = self.0.take() else { return };
        tokio::spawn(async move {
            if let Err(error) = settle(used).await {
                tracing::warn!(%error, "recording the usage of an interrupted edit failed");
            }
        });
    }
}

async fn settle((store, account, granted, used): (Store, Uuid, Option<Granted>, EditUse)) -> Result<(), StateError> {
    let (tokens, pictures) = (used.allowance.used(), used.pictures());
    let account_for = move |store: &Store| {
        store.count_stored(account, &pictures)?;
        store.settle_tokens(account, granted, tokens, Millis::now())
    };
    store.run(account_for).await
}

/// Reserves storage for the new pages and their images, stores the pages, and builds the order.
async fn order(
    app: &App,
    caller: &Authorised,
    asked: &Asked,
    instruction: &str,
    aim: &Aim,
    made: Vec<MadePage>,
) -> Result<EditOrder, ApiError> {
    let sizes = made.iter().filter_map(|made| aim.pages.pages.get(made.at));
    let growth = Growth {
        blobs: made.iter().map(|made| (BlobId::of(&made.page), made.page.len() as u64)).collect(),
        pixels: sizes.map(|of| u64::from(of.width) * u64::from(of.height)).sum(),
    };
    storage::reserve(app, caller.account_id, growth).await?;
    let put = async |made: MadePage| {
        let (Some(place), Some(of)) = (aim.set.get(made.at), aim.pages.pages.get(made.at)) else {
            tracing::error!(at = made.at, "an edit returned a page for an output without one");
            return Err(ApiError::Internal);
        };
        let (bytes, words) = (made.page.len() as u64, words::of_page(&made.page));
        let page = app.blobs.put_blob(made.page).await.map_err(|e| {
            tracing::error!(error = %e, "storing a page failed");
            ApiError::StorageUnavailable
        })?;
        let cost = crate::credits::edit(made.correction, app.free_corrections);
        Ok(NewPage { place: *place, of: of.version, page, bytes, alt_text: made.alt_text, words, cost })
    };
    Ok(EditOrder {
        account: caller.account_id,
        generation: aim.found.snapshot.generation.id,
        key: caller.key_id(),
        prompt: asked.prompt.clone(),
        instruction: instruction.to_owned(),
        pages: try_join_all(made.into_iter().map(put)).await?,
    })
}

/// Waits for the new versions and returns them. If they take too long, returns the generation instead.
async fn finished(
    app: &Arc<App>,
    caller: &Authorised,
    before: &Placed,
    edit: Uuid,
    changed: &[(u32, u32)],
    cost: u64,
) -> Result<Answer, ApiError> {
    let (account, generation) = (caller.account_id, before.snapshot.generation.id);
    let output = before.output().ok_or(ApiError::Internal)?.id;
    let Some(&(place, version)) = changed.first() else { return Err(ApiError::Internal) };
    let until = Instant::now() + PATIENCE;
    let mut watch = app.store.watch(generation);
    loop {
        match app.store.run(move |store| store.edit_end(generation, place, edit, version)).await? {
            EditEnd::UnderWay => {}
            EditEnd::Done => break,
            EditEnd::Failed(fault) => return Err(ApiError::EditFailed(fault.message)),
            EditEnd::Gone => return lost(app, account, generation).await,
        }
        tokio::select! {
            () = watch.news() => {}
            () = tokio::time::sleep(LOOK_EVERY) => {}
            () = sleep_until(until) => return later(app, account, generation).await,
            () = app.stopping.cancelled() => return later(app, account, generation).await,
        }
    }
    let found = app.store.run(move |store| store.placed(account, Some(generation), output)).await?;
    let found = found.map_err(|why| refused(why, true))?;
    let places: Vec<u32> = changed.iter().map(|(place, _)| *place).collect();
    let answer = edited::executed(&found, &places, cost, app, Millis::now())?;
    Ok(idempotency::success(StatusCode::OK, None, &answer))
}

/// Builds the response for an edit that ended without a version: its generation was deleted, or it failed and another
/// edit or a restore replaced its record before the failure was seen.
pub(crate) async fn lost(app: &App, account: Uuid, id: Uuid) -> Result<Answer, ApiError> {
    let found = app.store.run(move |store| store.generation(account, id)).await?;
    Err(match found {
        Some(_) => ApiError::EditFailed("it failed, and the image was edited or restored in the meantime".into()),
        None => ApiError::Missing(Missing::Generation),
    })
}

/// Builds the response for an edit that is still running, which points to the generation.
async fn later(app: &App, account: Uuid, id: Uuid) -> Result<Answer, ApiError> {
    let found = app.store.run(move |store| store.generation(account, id)).await?;
    let snapshot = found.ok_or(ApiError::Missing(Missing::Generation))?;
    let body = GenerationAnswer { generation: view::generation(&snapshot, app, Millis::now()) };
    let location = format!("{}/{id}", generations::PATH);
    Ok(idempotency::success(StatusCode::ACCEPTED, Some(location), &body))
}
