//! `PUT /api/images/:id/slides`: reorders the slides of a carousel, and removes, restores or copies slides.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use fleet::edit::{EditPage, EditPages, MadePage, Unsaid};
use fleet::protocol::BlobId;
use futures::future::try_join_all;
use render_core::design::Slide;
use render_core::format::Format;
use render_core::outline::RevisedPage;
use serde::Serialize;
use tokio::time::{Instant, sleep_until};
use utoipa::ToSchema;
use uuid::Uuid;

use super::aim::refused;
use super::editor::{editor, in_time};
use super::generations;
use super::slide_order::{self, AskedSlide, SAID, SLIDES, invalid};
use super::spec::examples;
use super::spec::params::{GenerationId, IdempotencyKey};
use super::spec::requests::SlidesRequest;
use super::{storage, view};
use crate::access::{Authorised, Scoped, scope};
use crate::app::App;
use crate::clock::Millis;
use crate::credits;
use crate::http::error::{ApiError, Conflict, Missing};
use crate::http::idempotency::{self, Done, Idempotent};
use crate::http::json::Unparsed;
use crate::http::path::{Id, kind};
use crate::state::{
    AddedSlide, Answer, ArrangeOrder, Arranged, ArrangedSlide, EditEnd, EditOrder, End, Given, Growth, Keyed, NewPage,
    Once, Output, PlannedOutput, Snapshot, Uneditable,
};
use crate::words;

/// The prompt recorded for versions that this endpoint makes.
const PROMPT: &str = "The slides were rearranged.";
/// How long a response waits for images.
const PATIENCE: Duration = Duration::from_secs(30);
/// The longest interval between two checks of the generation's state.
const LOOK_EVERY: Duration = Duration::from_millis(500);
/// How many times a change is recomputed because the carousel changed in the meantime.
const TRIES: usize = 3;

/// The result of a request to rearrange slides.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
#[expect(clippy::large_enum_variant, reason = "created once per response and serialized immediately")]
pub enum SlidesAnswer {
    /// The new order was applied.
    Arranged(ArrangedSlides),
    /// Dry run: nothing was changed.
    Trial(SlidesTrial),
}

/// A carousel in its new order.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ArrangedSlides {
    /// Credits charged.
    #[schema(examples(15))]
    credits_charged: u64,
    /// The generation.
    generation: view::Generation,
}

/// What a new order would change and cost.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SlidesTrial {
    /// Price in credits.
    credit_cost: u64,
    /// Number of slides that would be added.
    added_slides: usize,
    /// Number of slides that would be removed.
    removed_slides: usize,
    /// Number of existing slides whose text would change.
    rewritten_slides: usize,
    /// Number of slides that would be rendered again because their page numbers change.
    renumbered_slides: usize,
}

/// Rearrange the slides of a carousel
///
/// Puts the slides of a carousel in a new order. List every slide that the carousel should have. `outputId` names one
/// of its slides, including a slide that was removed earlier. `copyOf` adds a copy of a slide. `page` replaces the text
/// of a slide and keeps its look; combine it with `copyOf` to add a new slide that looks like the named one. Slides
/// that you leave out are removed but not deleted, so you can put them back later. Page numbers are updated.
///
/// A copy costs as much as a slide, and new text on an existing slide costs as much as an edit. Everything else is
/// free. While copies are rendered, the generation is `pending` or `processing` again, and then ends like any other.
/// Set `dryRun` to get the price without changing anything.
#[utoipa::path(
    put,
    path = "/api/images/{id}/slides",
    operation_id = "arrangeSlides",
    tag = "Images",
    security(("apiKey" = ["images:edit"])),
    params(GenerationId, IdempotencyKey),
    request_body(content = SlidesRequest, description = "The slides."),
    responses(
        (
            status = 200,
            description = "The carousel in its new order or, for a dry run, what the change would cost.",
            body = SlidesAnswer,
            example = json!(examples::arranged()),
        ),
        (
            status = 202,
            description = "Accepted, but not rendered within 30 seconds. Poll the generation.",
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
    caller: Scoped<scope::ImagesEdit>,
    Id(id, ..): Id<kind::Generation>,
    sent: Idempotent<Unparsed>,
) -> Result<Response, ApiError> {
    sent.answer(&app, caller.account_id, async |body, key| {
        let (asked, dry_run) = slide_order::read(&body.fields()?)?;
        if dry_run {
            let (plan, made) = planned(&app, &caller, id, &asked).await?;
            return Ok(Done::unchanged(&SlidesAnswer::Trial(plan.trial(&made))));
        }
        let tell = |snapshot: &Snapshot, cost, status| answer(&app, snapshot, cost, status);
        let keyed = key.keyed(accepted(Arc::clone(&app)));
        arrange(&app, &caller, id, &asked, keyed.as_ref(), &tell).await
    })
    .await
}

/// A slide in the requested order.
#[derive(Clone)]
struct Wanted {
    /// The place of the output that this slide is, or is a copy of.
    place: u32,
    /// Whether the slide is a new output.
    copied: bool,
    /// New text for the slide, replacing the output's own.
    says: Option<RevisedPage>,
}

/// A carousel and its requested order.
struct Plan {
    snapshot: Snapshot,
    /// The places that the carousel shows now.
    before: Vec<u32>,
    /// The requested slides.
    slides: Vec<Wanted>,
}

impl Plan {
    fn of(snapshot: Snapshot, asked: &[AskedSlide]) -> Result<Self, ApiError> {
        let wanted = asked.iter().map(|AskedSlide { id, copied, says }| {
            let place = snapshot.place(*id).ok_or(ApiError::Missing(Missing::Output))?;
            Ok(Wanted { place, copied: *copied, says: says.clone() })
        });
        if !snapshot.generation.status.is_terminal() || !snapshot.generation.may_have_images() {
            return Err(ApiError::Conflict(Conflict::NotEditable));
        }
        if snapshot.generation.request.given == Given::Markup {
            return Err(ApiError::Conflict(Conflict::WrittenPages));
        }
        let slides: Vec<Wanted> = wanted.collect::<Result<_, ApiError>>()?;
        let first = slides.first().and_then(|slide| snapshot.slides(slide.place));
        let Some((before, removed)) = first else {
            return Err(invalid(SLIDES, "invalid_value", "These are not slides of a carousel."));
        };
        let foreign = |slide: &Wanted| !before.contains(&slide.place) && !removed.contains(&slide.place);
        if let Some(n) = slides.iter().position(foreign) {
            let message = "This slide does not belong to the same carousel as the first one.";
            return Err(invalid(&format!("{SLIDES}[{n}]"), "invalid_value", message));
        }
        // API responses never list slides without an image, so a client can't name them. They keep their positions.
        let is_ready =
            |place: &u32| snapshot.outputs.get(*place as usize).is_some_and(|o| matches!(o.end, Some(End::Ready(_))));
        let mut slides = slides;
        for (n, place) in before.iter().enumerate().filter(|(_, place)| !is_ready(place)) {
            if !slides.iter().any(|slide| slide.place == *place && !slide.copied) {
                slides.insert(n.min(slides.len()), Wanted { place: *place, copied: false, says: None });
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
        let message = format!("This carousel must have {least} to {most} slides, but slides lists {count}.");
        Err(invalid(SLIDES, "carousel_count_out_of_range", message))
    }

    fn output(&self, place: u32) -> Option<&Output> {
        self.snapshot.outputs.get(place as usize)
    }

    /// Returns the ready outputs with their new positions. Failed outputs have no page to number and are left out.
    fn ready(&self) -> impl Iterator<Item = (usize, &Wanted, &Output, BlobId)> {
        self.slides.iter().enumerate().filter_map(|(n, slide)| {
            let output = self.output(slide.place)?;
            matches!(output.end, Some(End::Ready(_))).then_some((n, slide, output, output.page?))
        })
    }

    /// Returns the pages at their new positions, the new text of each, and the index of the requested slide that each
    /// belongs to.
    fn pages(&self, account: Uuid) -> (EditPages, Vec<Option<RevisedPage>>, Vec<usize>) {
        let count = self.slides.len() as u32;
        let page = |(n, _, output, page): (usize, &Wanted, &Output, BlobId)| {
            let Output { version, width, height, .. } = *output;
            let slide = Some(Slide { index: n as u32, count });
            (EditPage { page, version, width, height, slide }, n)
        };
        let says = self.ready().map(|(_, slide, ..)| slide.says.clone()).collect();
        let (pages, of) = self.ready().map(page).unzip();
        (EditPages { account, pages, at: 0, brand: self.snapshot.generation.brand, uploads: Vec::new() }, says, of)
    }

    /// Whether the requested order equals the current one.
    fn holds(&self) -> bool {
        let same = |slide: &Wanted| !slide.copied && slide.says.is_none();
        self.slides.iter().all(same) && self.slides.iter().map(|slide| &slide.place).eq(&self.before)
    }

    fn trial(&self, made: &[(usize, MadePage)]) -> SlidesTrial {
        let copies = self.slides.iter().filter(|slide| slide.copied).count();
        let kept = |place: &u32| self.slides.iter().any(|slide| slide.place == *place && !slide.copied);
        let changed = made.iter().filter_map(|(n, _)| self.slides.get(*n)).filter(|slide| !slide.copied);
        let (rewritten, renumbered): (Vec<_>, Vec<_>) = changed.partition(|slide| slide.says.is_some());
        SlidesTrial {
            credit_cost: copies as u64 * credits::SLIDE + rewritten.len() as u64 * credits::EDIT,
            added_slides: copies,
            removed_slides: self.before.iter().filter(|place| !kept(place)).count(),
            rewritten_slides: rewritten.len(),
            renumbered_slides: renumbered.len(),
        }
    }
}

/// Builds the response for a client that repeats the request.
fn accepted(app: Arc<App>) -> impl Fn(&Arranged) -> Answer + Clone + Send + Sync + 'static {
    move |arranged| answer(&app, &arranged.snapshot, arranged.cost, StatusCode::ACCEPTED)
}

/// Computes the plan for the requested slides and the pages that change.
async fn planned(
    app: &App,
    caller: &Authorised,
    id: Uuid,
    asked: &[AskedSlide],
) -> Result<(Plan, Vec<(usize, MadePage)>), ApiError> {
    let account = caller.account_id;
    let found = app.store.run(move |store| store.generation(account, id)).await?;
    let plan = Plan::of(found.ok_or(ApiError::Missing(Missing::Generation))?, asked)?;
    let (pages, says, of) = plan.pages(account);
    let made = in_time(editor(app)?.arrange(pages, says)).await?;
    let made = made.map_err(|Unsaid { at, why }| {
        let n = of.get(at).copied().unwrap_or_default();
        invalid(&format!("{SLIDES}[{n}].{SAID}"), "content_too_long", why)
    })?;
    let made = made.into_iter().filter_map(|page| Some((*of.get(page.at)?, page))).collect();
    Ok((plan, made))
}

/// Returns the price of a new order in credits.
///
/// # Errors
/// The same errors as [`arrange`].
pub(super) async fn trial(app: &App, caller: &Authorised, id: Uuid, asked: &[AskedSlide]) -> Result<u64, ApiError> {
    let (plan, made) = planned(app, caller, id, asked).await?;
    Ok(plan.trial(&made).credit_cost)
}

/// Applies a new order. Returns the answer as `tell` writes it.
pub(super) async fn arrange(
    app: &Arc<App>,
    caller: &Authorised,
    id: Uuid,
    asked: &[AskedSlide],
    keyed: Option<&Keyed<Arranged>>,
    tell: &impl Fn(&Snapshot, u64, StatusCode) -> Answer,
) -> Result<Done, ApiError> {
    let account = caller.account_id;
    for _ in 0..TRIES {
        if app.stopping.is_cancelled() {
            return Err(ApiError::ShuttingDown);
        }
        let (plan, made) = planned(app, caller, id, asked).await?;
        // If an earlier change failed to update page numbers, this one updates them.
        if plan.holds() && made.is_empty() {
            return Ok(Done::Unchanged(tell(&plan.snapshot, 0, StatusCode::OK)));
        }
        let copies = plan.slides.iter().any(|slide| slide.copied);
        let order = order(app, caller, &plan, made).await?;
        // Edits are rendered before other jobs, so only the backlog limits them. Copies are rendered like new images.
        let room = if copies { app.room() } else { app.max_backlog.saturating_sub(app.store.backlog()) };
        let keyed = keyed.cloned();
        let arranged = app.store.run(move |store| store.arrange(&order, room, keyed.as_ref(), Millis::now())).await?;
        match arranged {
            Once::Made(arranged) => {
                tracing::info!(%account, generation = %id, slides = arranged.shown.len(), "slides were rearranged");
                let (snapshot, charged, status) = finished(app, account, id, arranged).await?;
                return Ok(Done::Changed(tell(&snapshot, charged, status)));
            }
            Once::Replayed(answer) => return Ok(Done::Answered(answer)),
            Once::Conflict => return Err(ApiError::Conflict(Conflict::IdempotencyConflict)),
            // The carousel changed in the meantime: plan again against its current state.
            Once::Refused(Uneditable::Moved) => {}
            Once::Refused(why) => return Err(refused(why, true)),
        }
    }
    Err(ApiError::Conflict(Conflict::EditInProgress))
}

/// Reserves storage for the new pages and their images, stores the pages, and builds the order.
async fn order(
    app: &App,
    caller: &Authorised,
    plan: &Plan,
    made: Vec<(usize, MadePage)>,
) -> Result<ArrangeOrder, ApiError> {
    let is_made = |n: usize| made.iter().any(|(of, _)| *of == n);
    let rendered = plan.slides.iter().enumerate().filter(|(n, slide)| slide.copied || is_made(*n));
    let outputs = rendered.filter_map(|(_, slide)| plan.output(slide.place));
    let growth = Growth {
        blobs: made.iter().map(|(_, made)| (BlobId::of(&made.page), made.page.len() as u64)).collect(),
        pixels: outputs.map(|o| u64::from(o.width) * u64::from(o.height)).sum(),
    };
    storage::reserve(app, caller.account_id, growth).await?;
    let put = async |(n, made): (usize, MadePage)| {
        let (bytes, words) = (made.page.len() as u64, words::of_page(&made.page));
        let page = app.blobs.put_blob(made.page).await.map_err(|error| {
            tracing::error!(%error, "storing a page failed");
            ApiError::StorageUnavailable
        })?;
        Ok::<_, ApiError>((n, page, bytes, made.alt_text, words))
    };
    let made = try_join_all(made.into_iter().map(put)).await?;
    let (mut slides, mut renumbered) = (Vec::new(), Vec::new());
    for (n, Wanted { place, copied, says }) in plan.slides.iter().enumerate() {
        let output = plan.output(*place).ok_or(ApiError::Internal)?;
        let new = made.iter().find(|(of, ..)| *of == n);
        if *copied {
            // If the page number is not visible, the copy has the same page as the original.
            let own = output.page.filter(|_| matches!(output.end, Some(End::Ready(_))));
            let own = own.ok_or(ApiError::Conflict(Conflict::NotEditable))?;
            let (page, bytes, alt_text, words) = match new {
                Some((_, page, bytes, alt_text, words)) => (*page, *bytes, alt_text.clone(), words.clone()),
                None => {
                    let bytes = app.blobs.get_blob(&own).await?;
                    (own, bytes.len() as u64, output.alt_text.clone(), words::of_page(&bytes))
                }
            };
            let Output { width, height, .. } = *output;
            let planned =
                PlannedOutput { format: output.format.clone(), slide: Some(0), width, height, cost: credits::SLIDE };
            slides.push(ArrangedSlide::Added(AddedSlide { output: planned, page, bytes, alt_text, words }));
        } else {
            slides.push(ArrangedSlide::Kept(*place));
            renumbered.extend(new.map(|(_, page, bytes, alt_text, words)| NewPage {
                place: *place,
                of: output.version,
                page: *page,
                bytes: *bytes,
                alt_text: alt_text.clone(),
                words: words.clone(),
                cost: if says.is_some() { credits::EDIT } else { 0 },
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

/// Waits until every image is ready, for at most [`PATIENCE`]. Returns the current generation, the credits charged and
/// the response status. If page numbers could not be updated, the outputs say so.
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
            let undone = if matches!(edit, EditEnd::Failed(_)) { arranged.edit_cost } else { 0 };
            let charged = arranged.cost.saturating_sub(refunded + undone);
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
