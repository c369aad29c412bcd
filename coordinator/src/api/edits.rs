//! `POST /api/images/:id/edit`: say what is to change and see what that would be; then confirm it.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::Response;
use fleet::edit::{Alternative, EditUse, Editor, MadePage, Proposals, Proposed};
use fleet::llm::Allowance;
use fleet::protocol::{BlobId, Failure};
use futures::future::try_join_all;
use render_core::edit::{Carousel, ExecuteError};
use serde_json::{Map, Value};
use tokio::time::{Instant, sleep_until, timeout};
use uuid::Uuid;

use super::aim::{Aim, aim, refused, with_uploads};
use super::caller::Authorised;
use super::deeds::{self, Confirmed};
use super::edited::{self, EditAnswer};
use super::error::{ApiError, Conflict, Detail, Missing};
use super::form::{nearest, workspace_fault};
use super::generations::{self, id_of};
use super::input::is_control;
use super::spec::examples;
use super::spec::params::{GenerationId, Idempotent};
use super::spec::requests::EditRequest;
use super::view::GenerationAnswer;
use super::{App, idempotency, json, pages, query, storage, view};
use crate::accounts::Scope;
use crate::clock::Millis;
use crate::integrity::{Repair, hashed_name};
use crate::meters;
use crate::state::{
    Answer, EditEnd, EditOrder, Granted, Growth, NewPage, PREVIEWS, Placed, StateError, Store, Uneditable,
};
use crate::words;

/// Fields of the request.
pub(super) const FIELDS: [&str; 3] = ["outputId", "prompt", "confirmedInstruction"];
/// Characters of a prompt.
const PROMPT_CHARS: usize = 2_000;
/// Bytes of an instruction: far more than the words of a page.
const INSTRUCTION_BYTES: usize = 100_000;
/// Seconds that a preview is there.
const PREVIEW_S: u64 = 3_600;
/// Time that it may take to work out an edit: a language model may be asked twice.
const TIME: Duration = Duration::from_secs(60);
/// How long the new version is waited for.
const PATIENCE: Duration = Duration::from_secs(30);
/// Between looks at an edit of which nothing is heard.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// Pixels that room is reserved for where an edit asks for a picture.
const PICTURE_PIXELS: u64 = 2_048 * 2_048;
/// How often an edit is worked out anew because the image changed meanwhile.
const TRIES: u32 = 3;

/// Edit an image
///
/// Two steps. First send a prompt, in your own words: the answer says what would change, what that costs, and shows it;
/// nothing is changed or charged. Or it asks back, where the prompt can't be read or can't be done. Then send the same with
/// the refined instruction as `confirmedInstruction`: the image is drawn anew as its next version, and its earlier versions
/// stay.
///
/// An instruction says what is to be, not what is to be done, so confirming it again changes nothing and costs nothing.
#[utoipa::path(
    post,
    path = "/api/images/{id}/edit",
    operation_id = "editImage",
    tag = "Images",
    security(("apiKey" = ["images:edit"])),
    params(GenerationId, Idempotent),
    request_body(
        content = EditRequest,
        description = "What is to change, or what is confirmed.",
        examples(
            ("ask" = (summary = "see what would change", value = json!(examples::edit_request()))),
            ("confirm" = (summary = "have it done", value = json!(examples::edit_confirmation()))),
        ),
    ),
    responses(
        (
            status = 200,
            description = "What would change; a question back, also where what is confirmed can't be done; or the new version.",
            body = EditAnswer,
            examples(
                ("proposal" = (summary = "what would change", value = json!(examples::proposal()))),
                ("question" = (summary = "a question back", value = json!(examples::clarification()))),
                ("result" = (summary = "the new version, once it is confirmed", value = json!(examples::edited()))),
            ),
        ),
        (
            status = 202,
            description = "Confirmed, and not drawn yet after 30 seconds: the output shows the new version once it is.",
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
    caller: Authorised,
    id: Result<Path<String>, PathRejection>,
    uri: Uri,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    caller.need(Scope::ImagesEdit)?;
    work(app, &caller, Some(id_of(id)?), &uri, headers, body).await
}

/// Edit an image by its output's id alone
///
/// The same as `POST /api/images/{id}/edit`: the id of an output is unique on its own.
#[utoipa::path(
    post,
    path = "/api/images/edit",
    operation_id = "editImageByOutput",
    tag = "Images",
    security(("apiKey" = ["images:edit"])),
    params(Idempotent),
    request_body(
        content = EditRequest,
        description = "What is to change, or what is confirmed.",
        examples(
            ("ask" = (summary = "see what would change", value = json!(examples::edit_request()))),
            ("confirm" = (summary = "have it done", value = json!(examples::edit_confirmation()))),
        ),
    ),
    responses(
        (
            status = 200,
            description = "What would change; a question back, also where what is confirmed can't be done; or the new version.",
            body = EditAnswer,
            examples(
                ("proposal" = (summary = "what would change", value = json!(examples::proposal()))),
                ("question" = (summary = "a question back", value = json!(examples::clarification()))),
                ("result" = (summary = "the new version, once it is confirmed", value = json!(examples::edited()))),
            ),
        ),
        (
            status = 202,
            description = "Confirmed, and not drawn yet after 30 seconds: the output shows the new version once it is.",
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
    caller: Authorised,
    uri: Uri,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    caller.need(Scope::ImagesEdit)?;
    work(app, &caller, None, &uri, headers, body).await
}

/// What a request says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Asked {
    pub output: Uuid,
    pub prompt: String,
    pub confirmed: Option<String>,
    /// What the client should know of the request itself.
    pub notes: Vec<String>,
    /// Whether the page came as a whole: what can't be done are faults of its elements.
    pub whole: bool,
}

async fn work(
    app: Arc<App>,
    caller: &Authorised,
    within: Option<Uuid>,
    uri: &Uri,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    let body = json::read_body(&headers, body).await?;
    let path = within.map_or_else(|| "/api/images/edit".to_owned(), |id| format!("/api/images/{id}/edit"));
    let begun = match idempotency::begin(&app, caller.account_id, &headers, &path, &body).await? {
        ControlFlow::Continue(begun) => begun,
        ControlFlow::Break(answer) => return Ok(answer),
    };
    let mut asked = read(&json::parse(&body)?)?;
    asked.notes.extend(query::warnings(uri, &[]).into_iter().map(|warning| warning.message));
    // Kept once there is an answer: whoever asks again before that finds the edit under way, or what it says holding.
    let answer = match &asked.confirmed {
        None => propose(&app, caller, within, &asked).await?,
        Some(instruction) => match Confirmed::parse(instruction) {
            Some(confirmed) => return deeds::confirm(&app, caller, within, asked.output, confirmed, begun).await,
            None => confirm(&app, caller, within, &asked, instruction).await?,
        },
    };
    begun.keep(answer).await
}

/// Reads a request.
fn read(body: &Map<String, Value>) -> Result<Asked, ApiError> {
    if let Some(fault) = workspace_fault(body) {
        return Err(ApiError::Invalid(vec![fault]));
    }
    let invalid = |code, message: &str| ApiError::Invalid(vec![Detail::new("outputId", code, message)]);
    let output = match body.get("outputId") {
        None | Some(Value::Null) => return Err(invalid("missing_field", "Name the image to edit in outputId.")),
        Some(Value::String(id)) => id.parse().map_err(|_| ApiError::Missing(Missing::Output))?,
        Some(_) => return Err(invalid("invalid_value", "outputId is a text.")),
    };
    let prompt = body.get("prompt").and_then(Value::as_str).map(str::trim).filter(|p| !p.is_empty());
    let prompt = prompt.ok_or_else(|| ApiError::InvalidPrompt("Say in prompt what is to change, as a text.".into()))?;
    if prompt.chars().count() > PROMPT_CHARS {
        return Err(ApiError::InvalidPrompt(format!(
            "A prompt has at most {PROMPT_CHARS} characters; say less at once."
        )));
    }
    if let Some(c) = prompt.chars().find(|c| is_control(*c)) {
        return Err(ApiError::InvalidPrompt(format!("The prompt holds the {}; take it out.", named(c))));
    }
    let confirmed = match body.get("confirmedInstruction") {
        None | Some(Value::Null) => None,
        Some(Value::String(instruction)) if instruction.len() <= INSTRUCTION_BYTES => {
            if let Some(c) = instruction.chars().find(|c| is_control(*c)) {
                return Err(ApiError::InstructionNotUnderstood(format!("it holds the {}", named(c))));
            }
            Some(instruction.clone())
        }
        Some(_) => return Err(ApiError::InstructionNotUnderstood("it is no such text".into())),
    };
    let unknown = body.keys().filter(|field| !FIELDS.contains(&field.as_str())).take(FIELDS.len());
    let notes = unknown.map(|field| {
        let hint = nearest(field, FIELDS.into_iter()).map(|n| format!(" Did you mean {n}?")).unwrap_or_default();
        let field: String = field.chars().take(40).collect();
        format!("The field {field:?} is not known and was ignored.{hint}")
    });
    Ok(Asked { output, prompt: prompt.to_owned(), confirmed, notes: notes.collect(), whole: false })
}

/// A control character, as messages say it.
fn named(c: char) -> String {
    format!("control character U+{:04X}", u32::from(c))
}

/// The first step: what the prompt would do.
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
            meters::edited(if proposed.edited.is_empty() { "unchanged" } else { "proposed" }, 1);
            EditAnswer::Proposal(edited::proposal(output, proposed, image, alternatives, app.free_corrections))
        }
        Err(unread) => {
            meters::edited("clarified", 1);
            EditAnswer::Clarification(edited::clarification(unread, alternatives))
        }
    };
    meters::edit_proposed(began.elapsed());
    Ok(idempotency::success(StatusCode::OK, None, &answer))
}

/// Where the edited page is shown; where nothing changes, the image as it is.
async fn preview_url(app: &App, aim: &Aim, proposed: &Proposed, now: Millis) -> Result<String, ApiError> {
    let Some(picture) = proposed.preview.clone() else {
        let image = aim.found.image().ok_or(ApiError::Internal)?;
        return Ok(app.signer.url(&image.thumbnail, now));
    };
    let prefix = format!("{PREVIEWS}{}/", aim.found.snapshot.generation.id);
    let key = hashed_name(&prefix, Uuid::now_v7(), &picture, "png");
    let (object, until) = (key.clone(), now.plus_seconds(PREVIEW_S));
    // Before it is there, so that nothing is left if this ends between.
    app.store.run(move |store| store.preview(&object, until)).await?;
    app.blobs.put_object(&key, picture, "image/png").await.map_err(|e| {
        tracing::error!(error = %e, "a preview can't be stored");
        ApiError::StorageUnavailable
    })?;
    Ok(app.signer.url_for(&key, PREVIEW_S, now))
}

/// The second step: what was confirmed is carried out.
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
            // It was read well: asked back as a prompt that can't be done is.
            Err(ExecuteError::NotPossible(why)) => {
                meters::edited("clarified", 1);
                let answer = EditAnswer::Clarification(edited::not_possible(why));
                return Ok(idempotency::success(StatusCode::OK, None, &answer));
            }
        };
        if made.is_empty() {
            meters::edited("unchanged", 1);
            let answer = edited::executed(&aim.found, &[aim.found.place], 0, app, Millis::now())?;
            return Ok(idempotency::success(StatusCode::OK, None, &answer));
        }
        let order = order(app, caller, asked, instruction, &aim, made).await?;
        // However long others wait: edits go before them.
        let room = app.max_backlog.saturating_sub(app.store.backlog());
        let changed: Vec<(u32, u32)> = order.pages.iter().map(|page| (page.place, page.of + 1)).collect();
        let cost = order.pages.iter().map(|page| page.cost).sum();
        match app.store.run(move |store| store.begin_edit(&order, room, Millis::now())).await? {
            Ok(edit) => {
                tracing::info!(account = %caller.account_id, output = %asked.output, outputs = changed.len(), "an edit was confirmed");
                return finished(app, caller, &aim.found, edit, &changed, cost).await;
            }
            // Worked out anew against what it shows by now: maybe that is what was asked for.
            Err(Uneditable::Moved) => {}
            Err(why) => return Err(refused(why, within.is_some())),
        }
    }
    Err(ApiError::Conflict(Conflict::EditInProgress))
}

/// Works out an edit with `work`, and accounts for what that used: tokens of a language model, and pictures that the words
/// ask for, which stay stored for a day where no page shows them.
async fn in_use<T>(
    app: &App,
    caller: &Authorised,
    words: &str,
    work: impl AsyncFnOnce(EditUse) -> Result<T, ApiError>,
) -> Result<T, ApiError> {
    let account = caller.account_id;
    // Before any is fetched; each takes about as much as an image.
    let pictures = render_core::edit::pictures(words).len() as u64;
    storage::reserve(app, account, Growth { pixels: pictures * PICTURE_PIXELS, ..Growth::default() }).await?;
    let granted = app.store.run(move |store| store.grant_tokens(account, Millis::now())).await?;
    let used = EditUse::of(Allowance::of(granted.map(|granted| granted.tokens)));
    let unsettled = Unsettled(Some((app.store.clone(), account, granted, used.clone())));
    let done = work(used).await;
    unsettled.settle().await?;
    done
}

/// What an edit used and nothing has accounted for yet. Dropped, as where the client goes away, it is accounted for as well.
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
                tracing::warn!(%error, "what a cut-off edit used can't be counted");
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

/// Stores the new pages, where the account has room for them and their images, and makes an order of them.
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
            tracing::error!(at = made.at, "an edit made a page of none");
            return Err(ApiError::Internal);
        };
        let (bytes, words) = (made.page.len() as u64, words::of_page(&made.page));
        let page = app.blobs.put_blob(made.page).await.map_err(|e| {
            tracing::error!(error = %e, "a page can't be stored");
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

/// Waits until the new versions are there, and answers with them; or, where that takes long, with the generation.
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

/// That nothing is known any more of an edit which made no version: its generation was deleted, or it failed, and another
/// edit or a restore took its place before that was seen.
pub(super) async fn lost(app: &App, account: Uuid, id: Uuid) -> Result<Answer, ApiError> {
    let found = app.store.run(move |store| store.generation(account, id)).await?;
    Err(match found {
        Some(_) => ApiError::EditFailed("it failed, and the image was edited or restored since".into()),
        None => ApiError::Missing(Missing::Generation),
    })
}

/// That an edit goes on: the generation shows it.
async fn later(app: &App, account: Uuid, id: Uuid) -> Result<Answer, ApiError> {
    let found = app.store.run(move |store| store.generation(account, id)).await?;
    let snapshot = found.ok_or(ApiError::Missing(Missing::Generation))?;
    let body = GenerationAnswer { generation: view::generation(&snapshot, app, Millis::now()) };
    let location = format!("{}/{id}", generations::PATH);
    Ok(idempotency::success(StatusCode::ACCEPTED, Some(location), &body))
}

pub(super) fn editor(app: &App) -> Result<&Arc<dyn Editor>, ApiError> {
    app.editor.as_ref().ok_or(ApiError::NoWorkers)
}

pub(super) async fn in_time<T>(work: impl Future<Output = Result<T, Failure>>) -> Result<T, ApiError> {
    let done = timeout(TIME, work).await.map_err(|_| ApiError::EditTimedOut)?;
    done.map_err(|failure| {
        if failure.code == "busy" {
            return ApiError::Busy;
        }
        tracing::error!(code = failure.code, message = failure.message, "an edit can't be worked out");
        match failure.code.as_str() {
            "storage_failed" => ApiError::StorageUnavailable,
            "storage_damaged" => ApiError::StorageDamaged(Repair::Impossible),
            _ => ApiError::Internal,
        }
    })
}
