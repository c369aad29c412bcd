//! `POST /api/pages/render`: renders pages in the page language to images. The pages become an ordinary generation, and
//! the response waits for it.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::Response;
use fleet::net::Guard;
use fleet::protocol::{BlobId, FailureCode, InputKind, PlanJob, Wishes};
use render_core::content::Language;
use render_core::design::STYLE_NAMES;
use render_core::format::{Format, Resolution};
use render_core::leaf;
use render_core::limits::{MARKUP_BYTES, PHOTOS};
use render_core::tree::{Fault, Tree};
use render_core::warning::Warning;
use serde::Serialize;
use serde_json::{Map, Value};
use tokio::time::{Instant, sleep_until, timeout};
use utoipa::ToSchema;
use uuid::Uuid;

use super::spec::examples;
use super::spec::params::IdempotencyKey;
use super::spec::requests::PagesRequest;
use super::view::GenerationAnswer;
use super::{branding, generations, storage, view};
use crate::access::{Authorised, Scoped, scope};
use crate::app::App;
use crate::clock::Millis;
use crate::credits;
use crate::http::error::{ApiError, Detail, Missing};
use crate::http::form::{Form, INTEGER_MAX, nearest};
use crate::http::idempotency::{self, Done, Idempotent, RequestKey};
use crate::http::json::Unparsed;
use crate::http::query::NoParameters;
use crate::state::{Answer, Given, Growth, ImageFormat, Keyed, Order, OrderSizes, PlannedOutput, Request, Snapshot};

/// The path of this resource.
pub(crate) const PATH: &str = "/api/pages/render";
/// All fields of the request.
pub(super) const FIELDS: [&str; 12] = [
    "pages",
    "format",
    "visualStyle",
    "brandId",
    "language",
    "title",
    "resolution",
    "exactSize",
    "imageFormat",
    "seed",
    "maxCredits",
    "dryRun",
];
/// The error code for faults in pages, and for generations that fail because of them.
pub(super) const INVALID: &str = "page_invalid";
/// Maximum number of pages per request in a format that is not a carousel.
const PAGES: usize = 35;
/// How long a response waits for images.
const PATIENCE: Duration = Duration::from_secs(30);
/// Time limit for a dry run.
const TRIAL: Duration = Duration::from_secs(20);

/// The result of a request to render pages.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
#[expect(clippy::large_enum_variant, reason = "created once per response and serialized immediately")]
pub enum PagesAnswer {
    /// The pages were rendered.
    Rendered(GenerationAnswer),
    /// Dry run: the pages were only checked.
    Trial(TrialAnswer),
}

/// The result of a dry run.
#[derive(Debug, Serialize, ToSchema)]
pub struct TrialAnswer {
    /// Every fault, in page order; empty if the pages can be rendered.
    faults: Vec<PageFault>,
}

/// A fault in one element of a page.
#[derive(Debug, Serialize, ToSchema)]
pub struct PageFault {
    /// The element's id. If there are several pages, elements from the second page on have a prefix such as `page-2/`.
    #[schema(examples("headline-1"))]
    element: String,
    /// What is wrong and what is allowed.
    #[schema(examples("61 characters, 45 fit"))]
    message: String,
}

/// Render pages
///
/// Renders pages written in the [page language](https://github.com/vivid/vivid/blob/main/docs/page-language.md) and
/// returns the finished generation, or 202 if rendering takes more than 30 seconds. Each page costs as much as a
/// visual. Faults in the pages are reported as 400 `page_invalid`, with one entry in `details` for each, and nothing is
/// charged. Set `dryRun` to check the pages without rendering them.
#[utoipa::path(
    post,
    path = "/api/pages/render",
    operation_id = "renderPages",
    tag = "Generations",
    security(("apiKey" = ["generations:write"])),
    params(IdempotencyKey),
    request_body(content = PagesRequest, description = "The pages and rendering options."),
    responses(
        (
            status = 200,
            description = "The generation with its images or, for a dry run, the faults.",
            body = PagesAnswer,
            example = json!(examples::rendered_pages()),
        ),
        (
            status = 202,
            description = "Accepted, but not rendered within 30 seconds. Poll the generation.",
            body = GenerationAnswer,
            example = json!(examples::pages_under_way()),
        ),
    ),
    extensions(("x-codes" = json!([
        "page_invalid", "insufficient_credits", "max_credits_exceeded", "plan_required", "brand_not_found",
        "storage_quota", "queue_full", "busy", "no_workers", "shutting_down",
    ]))),
)]
pub async fn render(
    State(app): State<Arc<App>>,
    caller: Scoped<scope::GenerationsWrite>,
    NoParameters(warnings): NoParameters,
    sent: Idempotent<Unparsed>,
) -> Result<Response, ApiError> {
    let account = caller.account_id;
    let work = async |body: Unparsed, key: RequestKey| {
        let mut asked = read(&body.fields()?)?;
        asked.warnings.extend(warnings);
        accept(&app, &caller, asked, &key).await
    };
    // The stored answer is the acceptance, so a repeated request waits for the generation too.
    sent.answer_with(&app, account, work, async |accepted| finished(&app, account, accepted).await).await
}

/// Accepts the pages, or lists their faults in a dry run.
async fn accept(app: &Arc<App>, caller: &Authorised, mut asked: Asked, key: &RequestKey) -> Result<Done, ApiError> {
    let account = caller.account_id;
    generations::check_plan(caller, asked.resolution)?;
    let worn = match asked.brand {
        Some(id) => Some(branding::worn(app, account, id).await?.ok_or(ApiError::Missing(Missing::Brand))?),
        None => None,
    };
    let faults = faults(app, account, &mut asked, worn.as_ref().map(|worn| worn.brand)).await?;
    if asked.dry_run {
        let faults = faults.into_iter().map(PageFault::from).collect();
        return Ok(Done::unchanged(&PagesAnswer::Trial(TrialAnswer { faults })));
    }
    if !faults.is_empty() {
        return Err(invalid(faults));
    }
    generations::check_capacity(app, account, &asked.outputs()?, asked.max_credits).await?;
    let answer = generations::accepted(Arc::clone(app));
    let order = order(app, caller, asked, worn, key.keyed(answer.clone())).await?;
    generations::accept(app, order, answer).await
}

/// A parsed request.
struct Asked {
    text: String,
    /// The parsed pages; empty until they are parsed.
    trees: Vec<Tree>,
    format: &'static Format,
    style: Option<String>,
    brand: Option<Uuid>,
    language: Option<Language>,
    title: Option<String>,
    resolution: Resolution,
    image_format: ImageFormat,
    seed: u64,
    max_credits: Option<u64>,
    dry_run: bool,
    warnings: Vec<Warning>,
}

fn read(body: &Map<String, Value>) -> Result<Asked, ApiError> {
    let mut form = Form::new(body);
    form.warn_of_unknown("", body, &FIELDS);
    form.refuse_workspace();
    let text = form.wanted("pages").map(str::to_owned);
    if text.as_ref().is_some_and(|text| text.len() > MARKUP_BYTES) {
        form.fault("pages", "invalid_value", format!("pages has more than {MARKUP_BYTES} bytes, the maximum."));
    }
    let format = form.page_format();
    let style = form.one_of("visualStyle", &STYLE_NAMES).map(|i| STYLE_NAMES[i].to_owned());
    let brand = form.brand();
    let language = form.language();
    let title = form.title();
    let resolution = form.resolution();
    let image_format = form.image_format();
    let seed = form.integer("seed", INTEGER_MAX);
    let max_credits = form.integer("maxCredits", INTEGER_MAX);
    let dry_run = form.boolean("dryRun").unwrap_or(false);
    let (faults, warnings) = form.end();
    let (Some(text), Some(format), true) = (text, format, faults.is_empty()) else {
        return Err(ApiError::Invalid(faults));
    };
    // By default the seed depends on the page text, so the same pages look the same.
    let own = || BlobId::of(text.as_bytes()).0.iter().take(6).fold(0, |n, byte| n << 8 | u64::from(*byte));
    let seed = seed.unwrap_or_else(own);
    Ok(Asked {
        text,
        trees: Vec::new(),
        format,
        style,
        brand,
        language,
        title,
        resolution,
        image_format,
        seed,
        max_credits,
        dry_run,
        warnings,
    })
}

impl Form<'_> {
    fn page_format(&mut self) -> Option<&'static Format> {
        const FIELD: &str = "format";
        let id = self.wanted(FIELD)?;
        let found = Format::by_id(id);
        if found.is_none() {
            let shown: String = id.chars().take(60).collect();
            let ids = Format::all().iter().map(|f| f.id.as_str());
            let hint = nearest(id, ids).map(|n| format!(" Did you mean {n}?")).unwrap_or_default();
            self.fault(FIELD, "unknown_format", format!("There is no format {shown:?}.{hint}"));
        }
        found
    }
}

impl Asked {
    /// Plans one image per page.
    ///
    /// # Errors
    /// The number of pages is outside the format's limits.
    fn outputs(&self) -> Result<Vec<PlannedOutput>, ApiError> {
        let count = self.trees.len();
        let (min, max) = match self.format.slides {
            Some(slides) => (slides.min as usize, slides.max as usize),
            None => (1, PAGES),
        };
        if !(min..=max).contains(&count) {
            let message = format!("{} must have {min} to {max} pages, but there are {count}.", self.format.id);
            return Err(ApiError::Invalid(vec![Detail::new("pages", "carousel_count_out_of_range", message)]));
        }
        let (width, height) = self.format.size(self.resolution);
        let output = |index: usize| PlannedOutput {
            format: self.format.id.to_string(),
            slide: self.format.carousel.then_some(index as u32),
            width,
            height,
            cost: credits::VISUAL,
        };
        Ok((0..count).map(output).collect())
    }

    /// Returns format ids and slide counts in the form that generations use.
    fn formats(&self) -> Vec<(String, Option<u32>)> {
        let id = self.format.id.to_string();
        let count = self.trees.len();
        if self.format.carousel {
            vec![(id, u32::try_from(count).ok())]
        } else {
            std::iter::repeat_n((id, None), count).collect()
        }
    }
}

/// Returns the faults of the pages: syntax errors first, then content that does not fit, if this process has workers
/// that can check it.
async fn faults(app: &App, account: Uuid, asked: &mut Asked, brand: Option<BlobId>) -> Result<Vec<Fault>, ApiError> {
    let text = asked.text.clone();
    let read = tokio::task::spawn_blocking(move || leaf::read(&text)).await.map_err(|_| ApiError::Internal)?;
    match read {
        Ok(trees) => asked.trees = trees,
        Err(faults) => return Ok(faults),
    }
    asked.outputs()?;
    let unreachable = unreachable(&asked.trees, &app.guard);
    if !unreachable.is_empty() {
        return Ok(unreachable);
    }
    let Some(estimator) = &app.estimator else {
        // Without workers here, the worker that renders the pages reports content that does not fit.
        return if asked.dry_run { Err(ApiError::NoWorkers) } else { Ok(Vec::new()) };
    };
    let input = Bytes::from(asked.text.clone());
    let job = PlanJob {
        generation: Uuid::now_v7(),
        input_kind: InputKind::Markup,
        input: BlobId::of(&input),
        title: asked.title.clone(),
        formats: asked.formats(),
        style: asked.style.clone(),
        language: asked.language.as_ref().map(|l| l.code().to_owned()),
        seed: asked.seed,
        exact: true,
        brand,
        tokens: None,
        wishes: Wishes::default(),
    };
    match timeout(TRIAL, estimator.estimate(account, job, input)).await {
        Ok(Ok(_)) => Ok(Vec::new()),
        Ok(Err(failure)) if failure.is(FailureCode::PageInvalid) => Ok(listed(&failure.message)),
        Ok(Err(failure)) if failure.is(FailureCode::Busy) => Err(ApiError::Busy),
        Ok(Err(failure)) => {
            tracing::error!(code = failure.code, why = failure.message, "dry run of pages failed");
            Err(ApiError::Internal)
        }
        Err(_) => Err(ApiError::Busy),
    }
}

/// Returns faults for photographs that can't be shown: their `src` is not a URL that may be fetched, or there are more
/// of them than a request may have.
fn unreachable(trees: &[Tree], guard: &Guard) -> Vec<Fault> {
    let judged = |(n, (element, source)): (usize, (String, String))| {
        let wrong = if n < PHOTOS {
            let refusal = guard.judge(&source).err()?;
            format!("src must be the URL of a photograph: {refusal}")
        } else {
            format!("is one photograph too many; a request can have at most {PHOTOS}")
        };
        Some(Fault::new(element, wrong))
    };
    leaf::sources(trees).into_iter().enumerate().filter_map(judged).collect()
}

/// Parses faults as workers write them: one `element: message` per line.
pub(super) fn listed(message: &str) -> Vec<Fault> {
    let fault = |line: &str| match line.split_once(": ") {
        Some((element, message)) => Fault::new(element, message),
        None => Fault::new("page", line),
    };
    message.lines().map(fault).collect()
}

pub(super) fn invalid(faults: Vec<Fault>) -> ApiError {
    let detail =
        |Fault { element, message }| Detail { element: Some(element), ..Detail::new("pages", INVALID, message) };
    ApiError::PageInvalid(faults.into_iter().map(detail).collect())
}

impl From<Fault> for PageFault {
    fn from(Fault { element, message }: Fault) -> Self {
        Self { element, message }
    }
}

/// Reserves storage for the pages and images, stores the pages, and builds the order.
async fn order(
    app: &App,
    caller: &Authorised,
    asked: Asked,
    worn: Option<branding::Worn>,
    idempotency: Option<Keyed<Snapshot>>,
) -> Result<Order, ApiError> {
    let (account, created) = (caller.account_id, Millis::now());
    let outputs = asked.outputs()?;
    let input = Bytes::from(asked.text.clone());
    let (blob, size) = (BlobId::of(&input), input.len() as u64);
    let pixels = outputs.iter().map(|o| u64::from(o.width) * u64::from(o.height)).sum();
    storage::reserve(app, account, Growth { blobs: vec![(blob, size)], pixels }).await?;
    let mut sizes = OrderSizes { input: size, ..OrderSizes::default() };
    let (mut warnings, mut style, mut brand) = (asked.warnings.clone(), asked.style.clone(), None);
    if let Some(worn) = worn {
        warnings.extend(worn.warnings);
        style = style.or(worn.style);
        brand = Some(worn.brand);
        (sizes.brand, sizes.brand_parts) = (worn.bytes, worn.parts);
    }
    app.blobs.put_blob(input).await.map_err(|error| {
        tracing::error!(%error, "storing pages failed");
        ApiError::StorageUnavailable
    })?;
    let said: Vec<String> = asked.trees.iter().map(leaf::spoken).collect();
    let request = Request {
        given: Given::Markup,
        input: blob,
        excerpt: said.join("\n").chars().take(400).collect(),
        formats: asked.formats(),
        title: asked.title,
        brand: asked.brand,
        style,
        language: asked.language.map(|l| l.code().to_owned()),
        resolution: asked.resolution,
        image_format: asked.image_format,
        seed: asked.seed,
    };
    Ok(Order {
        account,
        key: caller.key_id(),
        created,
        request,
        exact: true,
        brand,
        sizes,
        outputs,
        photos: Vec::new(),
        parent: None,
        wishes: Wishes::default(),
        webhook: None,
        warnings,
        idempotency,
    })
}

/// Waits until the generation in `accepted` has ended, for at most [`PATIENCE`], and returns the response. A response
/// that is not an acceptance is returned unchanged.
async fn finished(app: &App, account: Uuid, accepted: Response) -> Result<Response, ApiError> {
    let named =
        accepted.headers().get(header::LOCATION).and_then(|l| l.to_str().ok()?.rsplit('/').next()?.parse().ok());
    let Some(id) = named.filter(|_| accepted.status() == StatusCode::ACCEPTED) else { return Ok(accepted) };
    // Subscribe before the first read, so that no notification is missed in between.
    let mut watch = app.store.watch(id);
    let until = Instant::now() + PATIENCE;
    loop {
        let snapshot = app.store.run(move |store| store.generation(account, id)).await?;
        let Some(snapshot) = snapshot else { return Ok(accepted) };
        if snapshot.generation.status.is_terminal() {
            return ended(app, &snapshot);
        }
        tokio::select! {
            () = app.stopping.cancelled() => return Ok(accepted),
            () = watch.news() => {}
            () = sleep_until(until) => return Ok(accepted),
        }
    }
}

/// Builds the response for a generation that has ended.
fn ended(app: &App, snapshot: &Snapshot) -> Result<Response, ApiError> {
    if let Some(fault) =
        snapshot.generation.fault.as_ref().filter(|fault| fault.code == FailureCode::PageInvalid.name())
    {
        return Err(invalid(listed(&fault.message)));
    }
    let body = PagesAnswer::Rendered(GenerationAnswer { generation: view::generation(snapshot, app, Millis::now()) });
    let answer: Answer = idempotency::success(StatusCode::OK, None, &body);
    Ok(idempotency::respond(&answer))
}

#[cfg(test)]
#[path = "pages_tests.rs"]
mod tests;
