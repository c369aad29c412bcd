//! `/api/generations/:id/localize` and `/variations`: make new generations from the finished pages of an existing one,
//! in another language or in other designs. Two more paths take the generation's id in the body, for clients of other
//! services.

use std::borrow::Cow;
use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use fleet::protocol::BlobId;
use fleet::source::{Derivation, SourcePages};
use futures::future::try_join_all;
use render_core::compose;
use render_core::content::Language;
use render_core::design::{Brand, Slide, stored};
use render_core::leaf;
use render_core::warning::Warning;
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;
use uuid::Uuid;

use super::generations::{self, PATH};
use super::spec::examples;
use super::spec::params::{GenerationId, IdempotencyKey};
use super::spec::requests::{
    LocalizeByReferenceRequest, LocalizeRequest, VariationByReferenceRequest, VariationRequest,
};
use super::view::Generation as GenerationView;
use super::{storage, view};
use crate::access::{Authorised, Scoped, scope};
use crate::app::App;
use crate::clock::Millis;
use crate::credits;
use crate::http::error::{ApiError, Conflict, Detail, Missing};
use crate::http::form::{Form, INTEGER_MAX};
use crate::http::idempotency::{self, Idempotent};
use crate::http::json::Unparsed;
use crate::http::path::{Id, kind};
use crate::http::query::NoParameters;
use crate::state::{
    Answer, End, Generation, Given, Growth, Keyed, Order, OrderSizes, Output, PlannedOutput, Request, Snapshot,
};

/// The path segments that follow a generation's id in this module.
pub(crate) const ACTIONS: [&str; 2] = ["localize", "variations"];
/// The paths that take the generation's id in the body.
pub(crate) const REFERENCE_PATHS: [&str; 2] = ["/api/images/localize-mcp", "/api/images/variation-mcp"];
/// Fields of a localization request. The paths that take the id in the body also accept [`REFERENCE`].
pub(super) const LOCALIZE_FIELDS: [&str; 3] = ["language", "outputIds", "maxCredits"];
pub(super) const VARIATION_FIELDS: [&str; 4] = ["count", "outputIds", "maxCredits", "seed"];
/// The body field that names the generation.
const REFERENCE: &str = "referenceGenerationId";
/// Maximum number of variations per request.
const COUNT: u64 = 10;
/// Error codes of all operations in this module.
const CODES: [&str; 13] = [
    "generation_not_found",
    "output_not_found",
    "not_ready",
    "written_pages",
    "validation_failed",
    "insufficient_credits",
    "max_credits_exceeded",
    "plan_required",
    "storage_quota",
    "storage_damaged",
    "queue_full",
    "busy",
    "shutting_down",
];

/// A generation made from another one.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DerivedAnswer {
    /// The new generation.
    generation: GenerationView,
    /// The id of the new generation, the same as `generation.id`.
    generation_id: Uuid,
    /// The number of images that it makes.
    #[schema(examples(3))]
    expected_count: u32,
    /// The price in credits, the same as `generation.creditsCharged`.
    #[schema(examples(30))]
    credit_cost: u64,
}

/// Make a generation in another language
///
/// Creates a generation with the same design and translated text. The service's language model translates; if the
/// service has none, the response is 400 `translation_unavailable`. Each image costs the same as in any generation.
#[utoipa::path(
    post,
    path = "/api/generations/{id}/localize",
    operation_id = "localizeGeneration",
    tag = "Generations",
    security(("apiKey" = ["generations:write"])),
    params(GenerationId, IdempotencyKey),
    request_body(content = LocalizeRequest, description = "The target language."),
    responses((
        status = 202,
        description = "Accepted. The generation runs in the background.",
        body = DerivedAnswer,
        headers(("Location" = String, description = "The path of the new generation.")),
        example = json!(examples::localized()),
    )),
    extensions(("x-codes" = json!(CODES))),
)]
pub async fn localize(
    State(app): State<Arc<App>>,
    caller: Scoped<scope::GenerationsWrite>,
    Id(id, ..): Id<kind::Generation>,
    NoParameters(warnings): NoParameters,
    sent: Idempotent<Unparsed>,
) -> Result<Response, ApiError> {
    derive(app, &caller, Kind::Localize, Some(id), warnings, sent).await
}

/// Make variations of a generation
///
/// Creates a generation with the same text in other designs: different colour schemes, art and layouts in the same
/// style and brand. It has `count` times as many images as you choose, ordered by variation. Each image costs the same
/// as in any generation.
#[utoipa::path(
    post,
    path = "/api/generations/{id}/variations",
    operation_id = "varyGeneration",
    tag = "Generations",
    security(("apiKey" = ["generations:write"])),
    params(GenerationId, IdempotencyKey),
    request_body(content = VariationRequest, description = "The number of variations."),
    responses((
        status = 202,
        description = "Accepted. The generation runs in the background.",
        body = DerivedAnswer,
        headers(("Location" = String, description = "The path of the new generation.")),
        example = json!(examples::varied()),
    )),
    extensions(("x-codes" = json!(CODES))),
)]
pub async fn vary(
    State(app): State<Arc<App>>,
    caller: Scoped<scope::GenerationsWrite>,
    Id(id, ..): Id<kind::Generation>,
    NoParameters(warnings): NoParameters,
    sent: Idempotent<Unparsed>,
) -> Result<Response, ApiError> {
    derive(app, &caller, Kind::Vary, Some(id), warnings, sent).await
}

/// Make a generation in another language, by reference
///
/// The same as `POST /api/generations/{id}/localize`, with the id in `referenceGenerationId`.
#[utoipa::path(
    post,
    path = "/api/images/localize-mcp",
    operation_id = "localizeGenerationByReference",
    tag = "Generations",
    security(("apiKey" = ["generations:write"])),
    params(IdempotencyKey),
    request_body(content = LocalizeByReferenceRequest, description = "The generation and the target language."),
    responses((
        status = 202,
        description = "Accepted. The generation runs in the background.",
        body = DerivedAnswer,
        headers(("Location" = String, description = "The path of the new generation.")),
        example = json!(examples::localized()),
    )),
    extensions(("x-codes" = json!(CODES))),
)]
pub async fn localize_by_reference(
    State(app): State<Arc<App>>,
    caller: Scoped<scope::GenerationsWrite>,
    NoParameters(warnings): NoParameters,
    sent: Idempotent<Unparsed>,
) -> Result<Response, ApiError> {
    derive(app, &caller, Kind::Localize, None, warnings, sent).await
}

/// Make variations of a generation, by reference
///
/// The same as `POST /api/generations/{id}/variations`, with the id in `referenceGenerationId`.
#[utoipa::path(
    post,
    path = "/api/images/variation-mcp",
    operation_id = "varyGenerationByReference",
    tag = "Generations",
    security(("apiKey" = ["generations:write"])),
    params(IdempotencyKey),
    request_body(content = VariationByReferenceRequest, description = "The generation and the number of variations."),
    responses((
        status = 202,
        description = "Accepted. The generation runs in the background.",
        body = DerivedAnswer,
        headers(("Location" = String, description = "The path of the new generation.")),
        example = json!(examples::varied()),
    )),
    extensions(("x-codes" = json!(CODES))),
)]
pub async fn vary_by_reference(
    State(app): State<Arc<App>>,
    caller: Scoped<scope::GenerationsWrite>,
    NoParameters(warnings): NoParameters,
    sent: Idempotent<Unparsed>,
) -> Result<Response, ApiError> {
    derive(app, &caller, Kind::Vary, None, warnings, sent).await
}

/// The kind of derivation that the request asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Localize,
    Vary,
}

impl Kind {
    fn fields(self) -> &'static [&'static str] {
        match self {
            Self::Localize => &LOCALIZE_FIELDS,
            Self::Vary => &VARIATION_FIELDS,
        }
    }
}

/// A parsed request.
#[derive(Debug, Clone, PartialEq)]
struct Asked {
    generation: Uuid,
    derivation: Derivation,
    language: Option<Language>,
    /// The outputs to use; empty means all.
    outputs: Vec<Uuid>,
    max_credits: Option<u64>,
    /// The seed of the variations. Two requests with the same seed produce the same images.
    seed: Option<u64>,
    warnings: Vec<Warning>,
}

async fn derive(
    app: Arc<App>,
    caller: &Authorised,
    kind: Kind,
    generation: Option<Uuid>,
    warnings: Vec<Warning>,
    sent: Idempotent<Unparsed>,
) -> Result<Response, ApiError> {
    let account = caller.account_id;
    sent.answer(&app, account, async |body, key| {
        let mut asked = read(kind, generation, &body.fields()?, app.ceilings.translates)?;
        asked.warnings.extend(warnings);
        let id = asked.generation;
        let found = app.store.run(move |store| store.generation(account, id)).await?;
        let parent = found.ok_or(ApiError::Missing(Missing::Generation))?;
        if parent.generation.request.given == Given::Markup {
            return Err(ApiError::Conflict(Conflict::WrittenPages));
        }
        let chosen = chosen(&parent, &asked)?;
        let outputs = planned(&chosen, asked.derivation);
        check(&app, caller, &parent.generation, &asked, &outputs).await?;
        let answer = accepted(Arc::clone(&app));
        let order = order(&app, caller, &parent, &chosen, asked, outputs, key.keyed(answer.clone())).await?;
        generations::accept(&app, order, answer).await
    })
    .await
}

/// Parses a request.
fn read(kind: Kind, generation: Option<Uuid>, body: &Map<String, Value>, translates: bool) -> Result<Asked, ApiError> {
    let mut form = Form::new(body);
    let mut known = kind.fields().to_vec();
    if generation.is_none() {
        known.push(REFERENCE);
    }
    form.warn_of_unknown("", body, &known);
    form.refuse_workspace();
    let named = match generation {
        Some(id) => Some(id),
        None => form
            .wanted(REFERENCE)
            .map(|id| id.parse().map_err(|_| ApiError::Missing(Missing::Generation)))
            .transpose()?,
    };
    let outputs = form.output_ids();
    let max_credits = form.integer("maxCredits", INTEGER_MAX);
    let (derivation, language, seed) = match kind {
        Kind::Localize => (Derivation::Localized, form.target_language(translates), None),
        Kind::Vary => (Derivation::Varied(form.variations()), None, form.integer("seed", INTEGER_MAX)),
    };
    let (faults, warnings) = form.end();
    match named.filter(|_| faults.is_empty()) {
        Some(generation) => Ok(Asked { generation, derivation, language, outputs, max_credits, seed, warnings }),
        None => Err(ApiError::Invalid(faults)),
    }
}

impl Form<'_> {
    fn output_ids(&mut self) -> Vec<Uuid> {
        const FIELD: &str = "outputIds";
        let Some(value) = self.get(FIELD) else { return Vec::new() };
        let Some(items) = value.as_array().filter(|items| !items.is_empty()) else {
            self.fault(FIELD, "invalid_value", "outputIds must be a list of output ids of the generation.");
            return Vec::new();
        };
        let mut ids = Vec::new();
        for (place, item) in items.iter().enumerate() {
            match item.as_str().and_then(|id| id.parse().ok()) {
                Some(id) => ids.push(id),
                None => self.fault(format!("{FIELD}[{place}]"), "invalid_value", "An output's id is a UUID."),
            }
        }
        ids
    }

    fn target_language(&mut self, translates: bool) -> Option<Language> {
        const FIELD: &str = "language";
        self.wanted(FIELD)?;
        let language = self.language();
        if !translates {
            let message = "This service has no language model, so it can't translate.";
            self.fault(FIELD, "translation_unavailable", message);
        }
        language
    }

    fn variations(&mut self) -> u32 {
        const FIELD: &str = "count";
        if self.get(FIELD).is_none() {
            self.fault(FIELD, "missing_field", format!("Send the number of variations in count, from 1 to {COUNT}."));
            return 1;
        }
        let count = self.integer(FIELD, COUNT);
        if count == Some(0) {
            self.fault(FIELD, "invalid_value", format!("count must be a whole number from 1 to {COUNT}."));
        }
        count.and_then(|count| u32::try_from(count).ok()).unwrap_or(1)
    }
}

/// An output that new outputs are made from.
#[derive(Clone, Copy)]
struct Chosen<'s> {
    output: &'s Output,
    /// The output's slide position in its carousel, from 0; `None` for a visual.
    slide: Option<u32>,
    /// The slide's current position if the carousel was rearranged. The stored page may still say another position.
    moved: Option<Slide>,
}

/// Returns the outputs to derive from: sets of finished outputs, in order.
fn chosen<'s>(parent: &'s Snapshot, asked: &Asked) -> Result<Vec<Vec<Chosen<'s>>>, ApiError> {
    let is_shown = |id: &Uuid| parent.place(*id).is_some_and(|place| !parent.arrangement.is_removed(place));
    if !asked.outputs.iter().all(is_shown) {
        // Checked first: while a generation is still running, its outputs are not reported.
        parent_has_ended(parent)?;
        return Err(ApiError::Missing(Missing::Output));
    }
    parent_has_ended(parent)?;
    let is_chosen = |output: &Output| asked.outputs.is_empty() || asked.outputs.contains(&output.id);
    let is_ready = |output: &Output| matches!(output.end, Some(End::Ready(_))) && output.page.is_some();
    let chosen = parent.sets().into_iter().map(|set| {
        let count = set.len() as u32;
        let one = |place: u32| {
            let output = parent.outputs.get(place as usize).filter(|o| is_chosen(o) && is_ready(o))?;
            let moved = parent.arrangement.slide(place).map(|index| Slide { index, count });
            Some(Chosen { output, slide: parent.slide(place, output), moved })
        };
        set.into_iter().filter_map(one).collect::<Vec<_>>()
    });
    let chosen: Vec<Vec<Chosen<'_>>> = chosen.filter(|set| !set.is_empty()).collect();
    if chosen.is_empty() {
        Err(ApiError::Conflict(Conflict::NotFinished(parent.generation.status)))
    } else {
        Ok(chosen)
    }
}

fn parent_has_ended(parent: &Snapshot) -> Result<(), ApiError> {
    let status = parent.generation.status;
    if status.is_terminal() { Ok(()) } else { Err(ApiError::Conflict(Conflict::NotFinished(status))) }
}

/// How many times each chosen output is made.
fn times(derivation: Derivation) -> usize {
    match derivation {
        Derivation::Localized => 1,
        Derivation::Varied(count) => count as usize,
    }
}

/// The images to make.
fn planned(chosen: &[Vec<Chosen<'_>>], derivation: Derivation) -> Vec<PlannedOutput> {
    let anew = |Chosen { output, slide, .. }: &Chosen<'_>| PlannedOutput {
        format: output.format.clone(),
        slide: *slide,
        width: output.width,
        height: output.height,
        cost: credits::cost(slide.is_some()),
    };
    let once: Vec<PlannedOutput> = chosen.iter().flatten().map(anew).collect();
    std::iter::repeat_n(once, times(derivation)).flatten().collect()
}

/// Runs the checks that can reject the request before anything is stored.
async fn check(
    app: &App,
    caller: &Authorised,
    parent: &Generation,
    asked: &Asked,
    outputs: &[PlannedOutput],
) -> Result<(), ApiError> {
    let refuse = |field: &str, code, message| Err(ApiError::Invalid(vec![Detail::new(field, code, message)]));
    let own = parent.planned.as_ref().map(|planned| planned.language.as_str());
    if let Some(language) = asked.language.as_ref().filter(|language| Some(language.code()) == own) {
        return refuse("language", "invalid_value", format!("The generation is already in {language}."));
    }
    let most = app.ceilings.images;
    if outputs.len() > most {
        let message =
            format!("This request asks for {} images, but one request can make at most {most}.", outputs.len());
        return refuse("count", "too_many_outputs", message);
    }
    generations::check_plan(caller, parent.request.resolution)?;
    generations::check_capacity(app, caller.account_id, outputs, asked.max_credits).await
}

/// Reserves storage for the pages and images, stores the pages, and builds the order.
async fn order(
    app: &App,
    caller: &Authorised,
    parent: &Snapshot,
    chosen: &[Vec<Chosen<'_>>],
    asked: Asked,
    outputs: Vec<PlannedOutput>,
    idempotency: Option<Keyed<Snapshot>>,
) -> Result<Order, ApiError> {
    let (account, created) = (caller.account_id, Millis::now());
    let Generation { planned, request, brand, .. } = &parent.generation;
    let photos = parent.generation.photos_told().collect();
    let planned = planned.as_ref().ok_or(ApiError::Internal)?;
    let input = Bytes::from(source(app, &planned.document, chosen, asked.derivation).await?.encode());
    let (blob, size) = (BlobId::of(&input), input.len() as u64);
    let pixels = outputs.iter().map(|o| u64::from(o.width) * u64::from(o.height)).sum();
    storage::reserve(app, account, Growth { blobs: vec![(blob, size)], pixels }).await?;
    let mut sizes = OrderSizes { input: size, ..OrderSizes::default() };
    if let Some(brand) = brand {
        let stored = app.blobs.get_blob(brand).await?;
        sizes.brand = stored.len() as u64;
        sizes.brand_parts = parts(&stored)?;
    }
    app.blobs.put_blob(input).await.map_err(|error| {
        tracing::error!(%error, "storing the pages of a derived generation failed");
        ApiError::StorageUnavailable
    })?;
    let formats: Vec<(String, Option<u32>)> = chosen
        .iter()
        .filter_map(|set| {
            let first = set.first()?;
            Some((first.output.format.clone(), first.slide.and_then(|_| u32::try_from(set.len()).ok())))
        })
        .collect();
    let seed = match asked.derivation {
        Derivation::Localized => request.seed,
        // Without an explicit seed, a repeated request gets new variations.
        Derivation::Varied(_) => asked.seed.unwrap_or_else(|| Uuid::now_v7().as_u64_pair().1 & INTEGER_MAX),
    };
    let request = Request {
        seed,
        input: blob,
        formats: std::iter::repeat_n(formats, times(asked.derivation)).flatten().collect(),
        title: Some(planned.title.clone()),
        style: Some(planned.style.clone()),
        language: asked.language.map_or_else(|| request.language.clone(), |to| Some(to.code().to_owned())),
        ..request.clone()
    };
    Ok(Order {
        account,
        key: caller.key_id(),
        created,
        request,
        exact: parent.generation.exact,
        brand: *brand,
        photos,
        sizes,
        outputs,
        parent: Some(parent.generation.id),
        wishes: parent.generation.wishes.clone(),
        webhook: None,
        warnings: asked.warnings,
        idempotency,
    })
}

/// Reads the pages and builds the document in the format that workers read.
async fn source(
    app: &App,
    document: &BlobId,
    chosen: &[Vec<Chosen<'_>>],
    derivation: Derivation,
) -> Result<SourcePages<'static>, ApiError> {
    let document = app.blobs.get_blob(document).await?;
    let mut sets = Vec::with_capacity(chosen.len());
    for set in chosen {
        let pages = set.iter().filter_map(|chosen| Some((chosen.output.page?, chosen.moved)));
        let page = async |(page, moved): (BlobId, Option<Slide>)| {
            let page = app.blobs.get_blob(&page).await?;
            Ok::<_, ApiError>(Cow::Owned(moved.map_or_else(|| Ok(page.to_vec()), |slide| renumbered(&page, slide))?))
        };
        sets.push(try_join_all(pages.map(page)).await?);
    }
    Ok(SourcePages { derivation, document: Cow::Owned(document.to_vec()), sets })
}

/// Rewrites a stored page for another slide position.
fn renumbered(page: &[u8], slide: Slide) -> Result<Vec<u8>, ApiError> {
    let page = stored::decode(page).map_err(|error| {
        tracing::error!(%error, "decoding a stored page failed");
        ApiError::Internal
    })?;
    Ok(leaf::encode_planned(&compose::renumbered(&page, slide)))
}

/// Returns the logos and faces that a stored brand refers to.
fn parts(brand: &[u8]) -> Result<Vec<BlobId>, ApiError> {
    let brand = Brand::decode(brand).map_err(|error| {
        tracing::error!(%error, "decoding a stored brand failed");
        ApiError::Internal
    })?;
    let logos = brand.logo.iter().chain(&brand.logo_dark).map(|logo| logo.key);
    Ok(logos.chain(brand.faces.iter().map(|face| face.key)).map(|key| BlobId(key.0)).collect())
}

/// Builds the response for an accepted request.
fn accepted(app: Arc<App>) -> impl Fn(&Snapshot) -> Answer + Clone + Send + Sync + 'static {
    let now = Millis::now();
    move |snapshot| {
        let Generation { id, total, charged, .. } = snapshot.generation;
        let body = DerivedAnswer {
            generation: view::generation(snapshot, &app, now),
            generation_id: id,
            expected_count: total,
            credit_cost: charged,
        };
        idempotency::success(StatusCode::ACCEPTED, Some(format!("{PATH}/{id}")), &body)
    }
}
