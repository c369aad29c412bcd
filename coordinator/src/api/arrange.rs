//! `PUT /api/images/:id/slides`: the slides of a carousel in another order, with some removed, put back or copied.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use fleet::edit::{EditPage, EditPages, MadePage};
use fleet::protocol::BlobId;
use futures::future::try_join_all;
use render_core::design::Slide;
use render_core::format::Format;
use serde::Serialize;
use serde_json::{Map, Value};
use tokio::time::{Instant, sleep_until};
use utoipa::ToSchema;
use uuid::Uuid;

use super::aim::refused;
use super::caller::Authorised;
use super::edits::{editor, in_time};
use super::error::{ApiError, Conflict, Detail, Missing};
use super::form::workspace_fault;
use super::generations::{self, id_of};
use super::spec::examples;
use super::spec::params::{GenerationId, Idempotent};
use super::spec::requests::SlidesRequest;
use super::{App, idempotency, json, storage, view};
use crate::accounts::Scope;
use crate::clock::Millis;
use crate::credits;
use crate::state::{
    AddedSlide, Answer, ArrangeOrder, Arranged, ArrangedSlide, EditEnd, EditOrder, End, Given, Growth, Keyed, NewPage,
    Once, Output, PlannedOutput, Snapshot, Uneditable,
};

/// Fields of the request.
const SLIDES: &str = "slides";
const DRY_RUN: &str = "dryRun";
/// All of them.
#[cfg(test)]
pub(super) const FIELDS: [&str; 2] = [SLIDES, DRY_RUN];
/// Fields of a slide.
const KEPT: &str = "outputId";
const COPIED: &str = "copyOf";
/// What stands as the prompt of versions that are made so.
const PROMPT: &str = "The slides were rearranged.";
/// How long an answer waits for images.
const PATIENCE: Duration = Duration::from_secs(30);
/// The longest time between two looks at what became of them.
const LOOK_EVERY: Duration = Duration::from_millis(500);
/// How often a change is worked out anew where the carousel changed meanwhile.
const TRIES: usize = 3;

/// What comes of a new order of slides.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
#[expect(clippy::large_enum_variant, reason = "one at a time, and written at once")]
pub enum SlidesAnswer {
    /// The order holds.
    Arranged(ArrangedSlides),
    /// It was only tried.
    Trial(SlidesTrial),
}

/// A carousel in its new order.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ArrangedSlides {
    /// Credits that were taken: those of the copies.
    #[schema(examples(15))]
    credits_charged: u64,
    /// The generation.
    generation: view::Generation,
}

/// What a new order would take.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SlidesTrial {
    /// Credits that it costs.
    credit_cost: u64,
    /// Slides that are added.
    added_slides: usize,
    /// Slides that are removed.
    removed_slides: usize,
    /// Slides that are rendered again because their page numbers change.
    renumbered_slides: usize,
}

/// Rearrange the slides of a carousel
///
/// Gives a carousel its slides in another order. List every slide that it is to have: `outputId` names one of its slides, also
/// one that was removed before, and `copyOf` adds a copy of one. Slides that you leave out are removed; they can be put back,
/// and nothing of them is deleted. Page numbers follow. A copy costs what a slide costs; everything else is free. While
/// copies are rendered, the generation is `pending` or `processing` again, and it ends as any other does. With `dryRun` you
/// learn the price.
#[utoipa::path(
    put,
    path = "/api/images/{id}/slides",
    operation_id = "arrangeSlides",
    tag = "Images",
    security(("apiKey" = ["images:edit"])),
    params(GenerationId, Idempotent),
    request_body(content = SlidesRequest, description = "The slides."),
    responses(
        (
            status = 200,
            description = "The carousel in its new order; of a trial, what it would take.",
            body = SlidesAnswer,
            example = json!(examples::arranged()),
        ),
        (
            status = 202,
            description = "Accepted, and not rendered yet after 30 seconds.",
            body = SlidesAnswer,
            headers(("Location" = String, description = "The path of the generation.")),
            example = json!(examples::arranged()),
        ),
    ),
    extensions(("x-codes" = json!([
        "generation_not_found", "output_not_found", "not_ready", "written_pages", "edit_in_progress", "validation_failed",
        "insufficient_credits", "storage_quota", "queue_full", "busy", "no_workers", "shutting_down", "edit_timed_out",
        "render_failed",
    ]))),
)]
pub async fn replace(
    State(app): State<Arc<App>>,
    caller: Authorised,
    id: Result<Path<String>, PathRejection>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    caller.need(Scope::ImagesEdit)?;
    let id = id_of(id)?;
    let body = json::read_body(&headers, body).await?;
    let path = format!("/api/images/{id}/slides");
    let begun = match idempotency::begin(&app, caller.account_id, &headers, &path, &body).await? {
        ControlFlow::Continue(begun) => begun,
        ControlFlow::Break(answer) => return Ok(answer),
    };
    let asked = Asked::read(&json::parse(&body)?)?;
    let tell = |snapshot: &Snapshot, cost, status| answer(&app, snapshot, cost, status);
    let keyed = begun.keyed(accepted(Arc::clone(&app)));
    if asked.dry_run {
        let (plan, made) = planned(&app, &caller, id, &asked).await?;
        let body = SlidesAnswer::Trial(plan.trial(&made));
        return begun.keep(idempotency::success(StatusCode::OK, None, &body)).await;
    }
    match arrange(&app, &caller, id, &asked, keyed.as_ref(), &tell).await? {
        // Kept by the transaction that made it.
        (answer, true) => Ok(idempotency::respond(&answer)),
        (answer, false) => begun.keep(answer).await,
    }
}

/// What a request asks for.
pub(super) struct Asked {
    pub slides: Vec<AskedSlide>,
    pub dry_run: bool,
}

/// A slide of a request.
#[derive(Clone, Copy)]
pub(super) enum AskedSlide {
    /// The slide that is this output.
    Kept(Uuid),
    /// A copy of it.
    Copied(Uuid),
}

fn invalid(field: &str, code: &'static str, message: impl Into<String>) -> ApiError {
    ApiError::Invalid(vec![Detail::new(field, code, message)])
}

impl Asked {
    fn read(body: &Map<String, Value>) -> Result<Self, ApiError> {
        if let Some(fault) = workspace_fault(body) {
            return Err(ApiError::Invalid(vec![fault]));
        }
        let slides = match body.get(SLIDES) {
            None | Some(Value::Null) => {
                return Err(invalid(
                    SLIDES,
                    "missing_field",
                    "List in slides every slide that the carousel is to have.",
                ));
            }
            Some(Value::Array(slides)) if !slides.is_empty() => slides,
            Some(_) => return Err(invalid(SLIDES, "invalid_value", "slides is a list of at least one slide.")),
        };
        let dry_run = match body.get(DRY_RUN) {
            None | Some(Value::Null) => false,
            Some(Value::Bool(dry_run)) => *dry_run,
            Some(_) => return Err(invalid(DRY_RUN, "invalid_value", "dryRun is true or false.")),
        };
        let slides: Vec<AskedSlide> =
            slides.iter().enumerate().map(|(n, slide)| AskedSlide::read(n, slide)).collect::<Result<_, _>>()?;
        let mut kept = Vec::new();
        for (n, slide) in slides.iter().enumerate() {
            let AskedSlide::Kept(id) = slide else { continue };
            if kept.contains(id) {
                let message = "This slide is listed twice. Name it in copyOf to add a copy.";
                return Err(invalid(&format!("{SLIDES}[{n}].{KEPT}"), "invalid_value", message));
            }
            kept.push(*id);
        }
        Ok(Self { slides, dry_run })
    }
}

impl AskedSlide {
    fn read(n: usize, slide: &Value) -> Result<Self, ApiError> {
        let field = format!("{SLIDES}[{n}]");
        let id = |name: &str| slide.get(name).filter(|value| !value.is_null());
        let (name, given, of): (_, _, fn(Uuid) -> Self) = match (id(KEPT), id(COPIED)) {
            (Some(given), None) => (KEPT, given, Self::Kept),
            (None, Some(given)) => (COPIED, given, Self::Copied),
            _ => {
                let message = "A slide is an object with outputId or copyOf, and not both.";
                return Err(invalid(&field, "invalid_value", message));
            }
        };
        let given = given.as_str().ok_or_else(|| {
            invalid(&format!("{field}.{name}"), "invalid_value", format!("{name} is the id of an output, as a text."))
        })?;
        given.parse().map(of).map_err(|_| ApiError::Missing(Missing::Output))
    }

    fn id(self) -> Uuid {
        match self {
            Self::Kept(id) | Self::Copied(id) => id,
        }
    }
}

/// A carousel, and what it is to be.
struct Plan {
    snapshot: Snapshot,
    /// The places that it shows.
    before: Vec<u32>,
    /// For each slide that it is to have the place of its output, and whether that is copied.
    slides: Vec<(u32, bool)>,
}

impl Plan {
    fn of(snapshot: Snapshot, asked: &Asked) -> Result<Self, ApiError> {
        let places = asked.slides.iter().map(|slide| {
            let place = snapshot.place(slide.id()).ok_or(ApiError::Missing(Missing::Output))?;
            Ok((place, matches!(slide, AskedSlide::Copied(_))))
        });
        if !snapshot.generation.status.is_terminal() || !snapshot.generation.may_have_images() {
            return Err(ApiError::Conflict(Conflict::NotEditable));
        }
        if snapshot.generation.request.given == Given::Markup {
            return Err(ApiError::Conflict(Conflict::WrittenPages));
        }
        let slides: Vec<(u32, bool)> = places.collect::<Result<_, ApiError>>()?;
        let first = slides.first().and_then(|(place, _)| snapshot.slides(*place));
        let Some((before, removed)) = first else {
            return Err(invalid(SLIDES, "invalid_value", "These are no slides of a carousel."));
        };
        if let Some(n) = slides.iter().position(|(place, _)| !before.contains(place) && !removed.contains(place)) {
            let message = "This is no slide of the same carousel as the first one.";
            return Err(invalid(&format!("{SLIDES}[{n}]"), "invalid_value", message));
        }
        // Slides without an image are in no answer, so that nobody can list them: they stay where they are.
        let is_ready =
            |place: &u32| snapshot.outputs.get(*place as usize).is_some_and(|o| matches!(o.end, Some(End::Ready(_))));
        let mut slides = slides;
        for (n, place) in before.iter().enumerate().filter(|(_, place)| !is_ready(place)) {
            if !slides.contains(&(*place, false)) {
                slides.insert(n.min(slides.len()), (*place, false));
            }
        }
        let plan = Self { snapshot, before, slides };
        plan.check_count()?;
        Ok(plan)
    }

    fn check_count(&self) -> Result<(), ApiError> {
        let format = self.before.first().and_then(|place| Format::by_id(&self.output(*place)?.format));
        let Some(bounds) = format.and_then(|format| format.slides) else { return Ok(()) };
        let (least, most) = (bounds.min as usize, bounds.max as usize);
        let count = self.slides.len();
        if (least..=most).contains(&count) {
            return Ok(());
        }
        let message = format!("This carousel takes from {least} to {most} slides; these are {count}.");
        Err(invalid(SLIDES, "carousel_count_out_of_range", message))
    }

    fn output(&self, place: u32) -> Option<&Output> {
        self.snapshot.outputs.get(place as usize)
    }

    /// The outputs with the places that they get, those that failed left out: they have no page to number.
    fn ready(&self) -> impl Iterator<Item = (usize, u32, &Output, BlobId)> {
        self.slides.iter().enumerate().filter_map(|(n, (place, _))| {
            let output = self.output(*place)?;
            matches!(output.end, Some(End::Ready(_))).then_some((n, *place, output, output.page?))
        })
    }

    /// The pages as the slides that they are to be, and which slide each of them is.
    fn pages(&self, account: Uuid) -> (EditPages, Vec<usize>) {
        let count = self.slides.len() as u32;
        let page = |(n, _, output, page): (usize, u32, &Output, BlobId)| {
            let Output { version, width, height, .. } = *output;
            let slide = Some(Slide { index: n as u32, count });
            (EditPage { page, version, width, height, slide }, n)
        };
        let (pages, of) = self.ready().map(page).unzip();
        (EditPages { account, pages, at: 0, brand: self.snapshot.generation.brand }, of)
    }

    /// Whether nothing would change.
    fn holds(&self) -> bool {
        self.slides.iter().all(|(_, copied)| !copied) && self.slides.iter().map(|(place, _)| place).eq(&self.before)
    }

    fn trial(&self, made: &[(usize, MadePage)]) -> SlidesTrial {
        let copies = self.slides.iter().filter(|(_, copied)| *copied).count();
        let kept = |place: &u32| self.slides.iter().any(|(p, copied)| p == place && !copied);
        let renumbered = made.iter().filter(|(n, _)| self.slides.get(*n).is_some_and(|(_, copied)| !copied));
        SlidesTrial {
            credit_cost: copies as u64 * credits::SLIDE,
            added_slides: copies,
            removed_slides: self.before.iter().filter(|place| !kept(place)).count(),
            renumbered_slides: renumbered.count(),
        }
    }
}

/// How a new order is answered to whoever repeats the request.
fn accepted(app: Arc<App>) -> impl Fn(&Arranged) -> Answer + Clone + Send + Sync + 'static {
    move |arranged| answer(&app, &arranged.snapshot, arranged.cost, StatusCode::ACCEPTED)
}

/// The slides as they are to be, and the pages that change for it.
async fn planned(
    app: &App,
    caller: &Authorised,
    id: Uuid,
    asked: &Asked,
) -> Result<(Plan, Vec<(usize, MadePage)>), ApiError> {
    let account = caller.account_id;
    let found = app.store.run(move |store| store.generation(account, id)).await?;
    let plan = Plan::of(found.ok_or(ApiError::Missing(Missing::Generation))?, asked)?;
    let (pages, of) = plan.pages(account);
    let made = in_time(editor(app)?.renumber(pages)).await?;
    let made = made.into_iter().filter_map(|page| Some((*of.get(page.at)?, page))).collect();
    Ok((plan, made))
}

/// What an order costs.
///
/// # Errors
/// As of the order itself.
pub(super) async fn trial(app: &App, caller: &Authorised, id: Uuid, asked: &Asked) -> Result<u64, ApiError> {
    let (plan, made) = planned(app, caller, id, asked).await?;
    Ok(plan.trial(&made).credit_cost)
}

/// Carries a change out. Returns the answer, as `tell` writes it, and whether it is kept already.
pub(super) async fn arrange(
    app: &Arc<App>,
    caller: &Authorised,
    id: Uuid,
    asked: &Asked,
    keyed: Option<&Keyed<Arranged>>,
    tell: &impl Fn(&Snapshot, u64, StatusCode) -> Answer,
) -> Result<(Answer, bool), ApiError> {
    let account = caller.account_id;
    for _ in 0..TRIES {
        if app.stopping.is_cancelled() {
            return Err(ApiError::ShuttingDown);
        }
        let (plan, made) = planned(app, caller, id, asked).await?;
        // Where an earlier change failed to update page numbers, this one does.
        if plan.holds() && made.is_empty() {
            return Ok((tell(&plan.snapshot, 0, StatusCode::OK), false));
        }
        let copies = plan.slides.iter().any(|(_, copied)| *copied);
        let order = order(app, caller, &plan, made).await?;
        // Edits are rendered before other jobs, so that only the backlog limits them. Copies are rendered like new images.
        let room = if copies { app.room() } else { app.max_backlog.saturating_sub(app.store.backlog()) };
        let keyed = keyed.cloned();
        let arranged = app.store.run(move |store| store.arrange(&order, room, keyed.as_ref(), Millis::now())).await?;
        match arranged {
            Once::Made(arranged) => {
                tracing::info!(%account, generation = %id, slides = arranged.shown.len(), "slides were rearranged");
                let (snapshot, charged, status) = finished(app, account, id, arranged).await?;
                return Ok((tell(&snapshot, charged, status), true));
            }
            Once::Replayed(answer) => return Ok((answer, true)),
            Once::Conflict => return Err(ApiError::Conflict(Conflict::IdempotencyConflict)),
            // Worked out anew against what it shows by now.
            Once::Refused(Uneditable::Moved) => {}
            Once::Refused(why) => return Err(refused(why, true)),
        }
    }
    Err(ApiError::Conflict(Conflict::EditInProgress))
}

/// Stores the new pages, where the account has room for them and their images, and makes an order of them.
async fn order(
    app: &App,
    caller: &Authorised,
    plan: &Plan,
    made: Vec<(usize, MadePage)>,
) -> Result<ArrangeOrder, ApiError> {
    let is_made = |n: usize| made.iter().any(|(of, _)| *of == n);
    let rendered = plan.slides.iter().enumerate().filter(|(n, (_, copied))| *copied || is_made(*n));
    let outputs = rendered.filter_map(|(_, (place, _))| plan.output(*place));
    let growth = Growth {
        blobs: made.iter().map(|(_, made)| (BlobId::of(&made.page), made.page.len() as u64)).collect(),
        pixels: outputs.map(|o| u64::from(o.width) * u64::from(o.height)).sum(),
    };
    storage::reserve(app, caller.account_id, growth).await?;
    let put = async |(n, made): (usize, MadePage)| {
        let bytes = made.page.len() as u64;
        let page = app.blobs.put_blob(made.page).await.map_err(|error| {
            tracing::error!(%error, "a page can't be stored");
            ApiError::StorageUnavailable
        })?;
        Ok::<_, ApiError>((n, page, bytes, made.alt_text))
    };
    let made = try_join_all(made.into_iter().map(put)).await?;
    let (mut slides, mut renumbered) = (Vec::new(), Vec::new());
    for (n, (place, copied)) in plan.slides.iter().enumerate() {
        let output = plan.output(*place).ok_or(ApiError::Internal)?;
        let new = made.iter().find(|(of, ..)| *of == n);
        if *copied {
            // A copy whose number shows nowhere has the same page.
            let own = output.page.filter(|_| matches!(output.end, Some(End::Ready(_))));
            let own = own.ok_or(ApiError::Conflict(Conflict::NotEditable))?;
            let (page, bytes, alt_text) = match new {
                Some((_, page, bytes, alt_text)) => (*page, *bytes, alt_text.clone()),
                None => (own, app.blobs.get_blob(&own).await?.len() as u64, output.alt_text.clone()),
            };
            let Output { width, height, .. } = *output;
            let planned =
                PlannedOutput { format: output.format.clone(), slide: Some(0), width, height, cost: credits::SLIDE };
            slides.push(ArrangedSlide::Added(AddedSlide { output: planned, page, bytes, alt_text }));
        } else {
            slides.push(ArrangedSlide::Kept(*place));
            renumbered.extend(new.map(|(_, page, bytes, alt_text)| NewPage {
                place: *place,
                of: output.version,
                page: *page,
                bytes: *bytes,
                alt_text: alt_text.clone(),
                cost: 0,
            }));
        }
    }
    let renumbered = EditOrder {
        account: caller.account_id,
        generation: plan.snapshot.generation.id,
        key: caller.key_id(),
        prompt: PROMPT.to_owned(),
        instruction: String::new(),
        pages: renumbered,
    };
    Ok(ArrangeOrder { renumbered, before: plan.before.clone(), slides })
}

/// Waits until every image is there, at most for [`PATIENCE`]. Returns the generation as it is then, what was charged and the
/// status of the answer. Where page numbers could not be brought up to date, the outputs say so.
async fn finished(
    app: &Arc<App>,
    account: Uuid,
    id: Uuid,
    arranged: Arranged,
) -> Result<(Snapshot, u64, StatusCode), ApiError> {
    let until = Instant::now() + PATIENCE;
    let mut watch = app.store.watch(id);
    loop {
        let edit = match arranged.edit {
            Some((edit, place, version)) => {
                app.store.run(move |store| store.edit_end(id, place, edit, version)).await?
            }
            None => EditEnd::Done,
        };
        let found = app.store.run(move |store| store.generation(account, id)).await?;
        let snapshot = found.ok_or(ApiError::Missing(Missing::Generation))?;
        if !matches!(edit, EditEnd::UnderWay) && snapshot.generation.status.is_terminal() {
            let refunded = snapshot.generation.refunded.saturating_sub(arranged.snapshot.generation.refunded);
            let charged = arranged.cost.saturating_sub(refunded);
            return Ok((snapshot, charged, StatusCode::OK));
        }
        tokio::select! {
            () = watch.news() => {}
            () = tokio::time::sleep(LOOK_EVERY) => {}
            () = sleep_until(until) => return Ok((snapshot, arranged.cost, StatusCode::ACCEPTED)),
            () = app.stopping.cancelled() => return Ok((snapshot, arranged.cost, StatusCode::ACCEPTED)),
        }
    }
}

fn answer(app: &App, snapshot: &Snapshot, credits_charged: u64, status: StatusCode) -> Answer {
    let location = format!("{}/{}", generations::PATH, snapshot.generation.id);
    let generation = view::generation(snapshot, app, Millis::now());
    let body = SlidesAnswer::Arranged(ArrangedSlides { credits_charged, generation });
    idempotency::success(status, Some(location).filter(|_| status == StatusCode::ACCEPTED), &body)
}
