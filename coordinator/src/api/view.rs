//! How generations look on the wire. What the comments on these fields say is what the OpenAPI document says of them.

use std::collections::BTreeMap;

use render_core::format::Resolution;
use render_core::inspect;
use render_core::warning::Warning;
use serde::Serialize;
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};
use uuid::Uuid;

use super::spec::examples;
use crate::app::App;
use crate::clock::Millis;
use crate::http::listing::{self, Expand};
use crate::http::names;
use crate::state::{self, End, Given, Image, Snapshot, Status};
use crate::urls::file_name;

/// Progress of a generation that a worker has begun to design.
const DESIGNING: u32 = 5;
/// Progress of one whose pages are designed.
const DESIGNED: u32 = 20;

/// An answer that is a generation.
#[derive(Debug, Serialize, ToSchema)]
pub struct GenerationAnswer {
    /// The generation.
    pub generation: Generation,
}

/// A page of the account's generations.
#[derive(Debug, Serialize, ToSchema)]
pub struct GenerationsAnswer {
    /// Newest first.
    #[schema(value_type = Vec<ListedGeneration>)]
    pub generations: Vec<Generation>,
    /// Where this page ends.
    pub pagination: listing::Pagination,
    /// What the client should know of the query.
    #[schema(value_type = Vec<names::Warning>)]
    pub warnings: Vec<Warning>,
}

/// Images made of one input: what was asked for, how far it is, and what came of it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(examples(json!(examples::completed())))]
pub struct Generation {
    /// Its id, a UUID of version 7.
    pub id: Uuid,
    /// The generation that it was made from, where it is a translation or a variation of one.
    #[schema(required)]
    pub parent_id: Option<Uuid>,
    /// Where it stands. What has ended stays as it is.
    #[schema(value_type = names::GenerationStatus)]
    pub status: &'static str,
    /// How far it is, in percent. It never falls, except to 0 when a generation is tried again. A cancelled generation keeps
    /// the progress that it had reached.
    #[schema(maximum = 100)]
    pub progress: u32,
    /// What is being done.
    pub stage: Stage,
    /// What it is called: as its owner [renamed it](#operation/renameGeneration), else the title that was sent or found;
    /// `null` until there is one.
    #[schema(required)]
    pub title: Option<String>,
    /// What the content was given as.
    #[schema(value_type = names::GivenType)]
    pub input_type: &'static str,
    /// The address that the content was fetched from, as it was sent.
    #[schema(required)]
    pub input_url: Option<String>,
    /// The formats, in the order of the request.
    #[schema(value_type = Vec<names::FormatId>)]
    pub output_formats: Vec<String>,
    /// Slides of each carousel, by its format's id.
    pub carousel_counts: BTreeMap<String, u32>,
    /// The brand kit that it is made with.
    #[schema(required)]
    pub brand_id: Option<Uuid>,
    /// Its style; `null` until one is chosen.
    #[schema(required, value_type = Option<names::VisualStyle>)]
    pub visual_style: Option<String>,
    /// BCP 47 tag of its words; `null` until that is known.
    #[schema(required)]
    pub language: Option<String>,
    /// How large its images are.
    #[schema(value_type = names::Resolution)]
    pub resolution: &'static str,
    /// Whether its images are of the platform's own pixel size, not of `resolution`.
    pub exact_size: bool,
    /// What its images are encoded as.
    #[schema(value_type = names::ImageFormat)]
    pub image_format: &'static str,
    /// Seed of all that is drawn by chance: the same request and seed give the same pixels.
    #[schema(maximum = 9007199254740991_i64)]
    pub seed: u64,
    /// Whether its words stand as they were sent, whole.
    pub use_exact_content: bool,
    /// The readers of its pages, as the request describes them.
    #[schema(required)]
    pub audience: Option<String>,
    /// The goal of its pages, as the request describes it.
    #[schema(required)]
    pub goal: Option<String>,
    /// The tone of its pages, as the request describes it.
    #[schema(required)]
    pub tone: Option<String>,
    /// What the language model took for its pages; `null` until they are planned, and where none was asked.
    #[schema(required)]
    pub language_model: Option<ModelUsage>,
    /// Credits that were held when it was accepted.
    pub credits_charged: u64,
    /// Credits that came back, for outputs that failed.
    pub credits_refunded: u64,
    /// How many images it has; 0 until the end.
    pub output_count: u32,
    /// The signed URL of a small picture of its first image; `null` until the end, and where there is none.
    #[schema(required, format = "uri")]
    pub thumbnail_url: Option<String>,
    /// The images, in the order of the request and slides in order; empty until the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required, value_type = Vec<Output>)]
    pub outputs: Option<Vec<Output>>,
    /// Slides that were removed; they can be put back ([arrangeSlides](#operation/arrangeSlides)).
    pub removed_outputs: Vec<RemovedOutput>,
    /// What the client should know.
    #[schema(value_type = Vec<names::Warning>)]
    pub warnings: Vec<PlacedWarning>,
    /// Why it failed, or outputs of it did.
    #[schema(required)]
    pub error: Option<GenerationError>,
    /// The message of `error`.
    #[schema(required)]
    pub error_message: Option<String>,
    /// When it was accepted.
    #[schema(format = DateTime)]
    pub created_at: String,
    /// When a worker began.
    #[schema(required, format = DateTime)]
    pub started_at: Option<String>,
    /// When it ended.
    #[schema(required, format = DateTime)]
    pub completed_at: Option<String>,
    /// When its images were deleted, where the service keeps images for a time; their URLs answer 404 from then on.
    #[schema(required, format = DateTime)]
    pub images_deleted_at: Option<String>,
}

/// A generation in a list: `outputs` is left out unless `expand=outputs` asks for it.
#[derive(Debug)]
pub struct ListedGeneration;

impl PartialSchema for ListedGeneration {
    fn schema() -> RefOr<Schema> {
        let RefOr::T(Schema::Object(mut object)) = Generation::schema() else { return Generation::schema() };
        object.required.retain(|field| field != "outputs");
        object.description =
            Some("A generation in a list: `outputs` is left out unless `expand=outputs` asks for it.".into());
        object.examples = vec![examples::listed()];
        Schema::Object(object).into()
    }
}

impl ToSchema for ListedGeneration {
    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        Generation::schemas(schemas);
    }
}

/// What a language model took for a generation.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ModelUsage {
    /// The model's name.
    #[schema(examples("gpt-oss-120b"))]
    pub name: String,
    /// Calls that it answered.
    pub calls: u32,
    /// Tokens of their prompts.
    pub input_tokens: u64,
    /// Tokens of their answers.
    pub output_tokens: u64,
    /// Their price in US dollars; `null` where the operator has set no prices.
    #[schema(required, examples(0.0142))]
    pub cost_usd: Option<f64>,
}

impl From<&fleet::protocol::ModelUsage> for ModelUsage {
    fn from(usage: &fleet::protocol::ModelUsage) -> Self {
        Self {
            name: usage.model.clone(),
            calls: usage.calls,
            input_tokens: usage.input_tokens,
            output_tokens: usage.output_tokens,
            cost_usd: usage.micro_usd.map(|micro| micro as f64 / 1e6),
        }
    }
}

/// What is being done for a generation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// It waits for a worker.
    Queued,
    /// Its content is read and its pages are planned.
    Designing,
    /// Its pages are drawn.
    Rendering,
    /// It has ended.
    Finished,
}

/// Why a generation failed.
#[derive(Debug, Serialize, ToSchema)]
pub struct GenerationError {
    /// The exact cause.
    #[schema(value_type = names::GenerationErrorCode)]
    pub code: String,
    /// What happened, in a sentence.
    #[schema(examples("The host could not be reached."))]
    pub message: String,
}

/// One image.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(examples(json!(examples::output())))]
pub struct Output {
    /// Its id, a UUID of version 7.
    pub id: Uuid,
    /// The same as `id`.
    pub output_id: Uuid,
    /// The format that it is in.
    #[schema(value_type = names::FormatId)]
    pub format_id: String,
    /// Whether it stands alone or is a slide of a carousel.
    pub kind: OutputKind,
    /// Which slide of its carousel, from 0; `null` for a visual.
    #[schema(required)]
    pub slide_index: Option<u32>,
    /// Its place among the outputs of the generation, from 0.
    pub sort_order: u32,
    /// The signed URL of the image, valid for seven days unless the service is configured otherwise. Every read of the
    /// generation gives a fresh one. Its path ends in a file name that keeps the order: `03-linkedin_carousel.png`.
    #[schema(format = "uri")]
    pub image_url: String,
    /// The same as `imageUrl`.
    #[schema(format = "uri")]
    pub file_url: String,
    /// The signed URL of a small WebP of it.
    #[schema(format = "uri")]
    pub thumbnail_url: String,
    /// Its width in pixels.
    pub width: u32,
    /// Its height in pixels.
    pub height: u32,
    /// Its media type.
    #[schema(value_type = names::ImageType)]
    pub mime_type: String,
    /// Size of the file.
    pub bytes: u64,
    /// Which version of it this is, from 1.
    #[schema(minimum = 1)]
    pub version: u32,
    /// The edit of it that is under way, or that failed last; `null` where there is none.
    #[schema(required)]
    pub edit: Option<OutputEdit>,
    /// What it shows and says, for those who can't see it.
    pub alt_text: String,
    /// The design measures that were taken of it.
    pub quality: Quality,
}

/// An edit of an image that has made no new version.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OutputEdit {
    /// Whether it is under way.
    pub status: EditStatus,
    /// The version that it makes.
    #[schema(minimum = 2)]
    pub version: u32,
    /// When it was confirmed.
    #[schema(format = DateTime)]
    pub started_at: String,
    /// Why it failed; its credits came back.
    #[schema(required)]
    pub error: Option<GenerationError>,
}

/// Where an edit stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum EditStatus {
    /// Its version is being drawn.
    Running,
    /// It failed, and nothing changed.
    Failed,
}

/// Whether an image stands alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum OutputKind {
    /// It stands alone.
    Visual,
    /// It is one of a carousel.
    Slide,
}

/// The design measures of an image.
#[derive(Debug, Serialize, ToSchema)]
pub struct Quality {
    /// Whether every hard measure holds.
    #[schema(examples(true))]
    pub passed: bool,
    /// Every measure that was taken. A list leaves them out unless `expand=quality` asks for them.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub checks: Option<Vec<Check>>,
}

/// One design measure.
#[derive(Debug, Serialize, ToSchema)]
pub struct Check {
    /// What is measured.
    #[schema(examples("contrast"))]
    pub name: String,
    /// What was found.
    #[schema(examples(7.4))]
    pub value: f64,
    /// What it is held against.
    #[schema(examples(4.5))]
    pub gate: f64,
    /// Whether it holds.
    #[schema(examples(true))]
    pub passed: bool,
    /// Whether the image counts as failed without it; other measures steer the choice between designs.
    pub hard: bool,
}

/// A slide that was removed from its carousel.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RemovedOutput {
    /// Its id.
    output_id: Uuid,
    /// The id of its format.
    format_id: String,
    /// The signed URL of a small picture of it; `null` where it has no image.
    #[schema(required, format = "uri")]
    thumbnail_url: Option<String>,
    /// What it shows and says, for those who can't see it.
    alt_text: String,
}

/// A warning with the output that it is about, where it is about one.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PlacedWarning {
    #[serde(flatten)]
    pub warning: Warning,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slide_index: Option<u32>,
}

impl From<Warning> for PlacedWarning {
    /// A warning that is about no single output.
    fn from(warning: Warning) -> Self {
        Self { warning, format_id: None, slide_index: None }
    }
}

/// The warnings of a generation but those about slides that were removed.
fn warnings(snapshot: &Snapshot) -> Vec<PlacedWarning> {
    let shown =
        snapshot.warnings.iter().filter(|w| w.output.is_none_or(|place| !snapshot.arrangement.is_removed(place)));
    let placed = |told: &state::GenerationWarning| {
        let output = told.output.and_then(|place| Some((place, snapshot.outputs.get(place as usize)?)));
        PlacedWarning {
            warning: told.warning.clone(),
            format_id: output.map(|(_, o)| o.format.clone()),
            slide_index: output.and_then(|(place, o)| snapshot.slide(place, o)),
        }
    };
    shown.map(placed).collect()
}

/// The slides that were removed.
fn removed(snapshot: &Snapshot, app: &App, now: Millis) -> Vec<RemovedOutput> {
    let shown = |place: u32| {
        let state::Output { id, format, alt_text, end, .. } = snapshot.outputs.get(place as usize)?;
        let image = match end {
            Some(End::Ready(image)) if snapshot.generation.may_have_images() => Some(image),
            _ => None,
        };
        Some(RemovedOutput {
            output_id: *id,
            format_id: format.clone(),
            thumbnail_url: image.map(|image| app.signer.url(&image.thumbnail, now)),
            alt_text: alt_text.clone(),
        })
    };
    snapshot.arrangement.removed().filter_map(shown).collect()
}

/// A generation.
pub fn generation(snapshot: &Snapshot, app: &App, now: Millis) -> Generation {
    listed(snapshot, app, now, Expand::ALL)
}

/// A generation of a list, with what `expand` asks for.
pub fn listed(snapshot: &Snapshot, app: &App, now: Millis, expand: Expand) -> Generation {
    let g = &snapshot.generation;
    let first = ready(snapshot).next().filter(|_| g.images_deleted.is_none());
    let request = &g.request;
    let (progress, stage) = progress(g);
    let planned = g.planned.as_ref();
    let error = g.fault.as_ref().map(|f| GenerationError { code: f.code.clone(), message: f.message.clone() });
    Generation {
        id: g.id,
        parent_id: g.parent,
        status: g.status.name(),
        progress,
        stage,
        title: g.title().map(str::to_owned),
        input_type: names::input_type(request.given.input_type()),
        input_url: match request.given.plain() {
            Given::Url(url) | Given::PdfUrl(url) => Some(url.clone()),
            _ => None,
        },
        output_formats: request.formats.iter().map(|(id, _)| id.clone()).collect(),
        carousel_counts: snapshot.counts(),
        brand_id: request.brand,
        visual_style: request.style.as_ref().or(planned.map(|p| &p.style)).cloned(),
        language: planned.map(|p| &p.language).or(request.language.as_ref()).cloned(),
        resolution: request.resolution.name(),
        exact_size: request.resolution == Resolution::Exact,
        image_format: request.image_format.name(),
        seed: request.seed,
        use_exact_content: g.exact,
        audience: g.wishes.audience.clone(),
        goal: g.wishes.goal.clone(),
        tone: g.wishes.tone.clone(),
        language_model: g.usage.as_ref().map(ModelUsage::from),
        credits_charged: g.charged,
        credits_refunded: g.refunded,
        output_count: ready(snapshot).count() as u32,
        thumbnail_url: first.map(|(_, _, image)| app.signer.url(&image.thumbnail, now)),
        outputs: expand.outputs.then(|| outputs(snapshot, app, now, expand)),
        removed_outputs: removed(snapshot, app, now),
        warnings: warnings(snapshot),
        error_message: error.as_ref().map(|e| e.message.clone()),
        error,
        created_at: g.created.to_string(),
        started_at: g.started.map(|t| t.to_string()),
        completed_at: g.completed.map(|t| t.to_string()),
        images_deleted_at: g.images_deleted.map(|t| t.to_string()),
    }
}

/// Progress from 0 to 100, and what is being done. A cancelled generation keeps the progress that it had reached.
pub fn progress(g: &state::Generation) -> (u32, Stage) {
    match g.status {
        Status::Pending => (0, Stage::Queued),
        Status::Processing if g.planned.is_none() => (worked_off(g), Stage::Designing),
        Status::Processing => (worked_off(g), Stage::Rendering),
        Status::Completed | Status::Partial | Status::Failed => (100, Stage::Finished),
        Status::Cancelled => (worked_off(g), Stage::Finished),
    }
}

/// Progress by the work that has been done, from 0 to 100.
fn worked_off(g: &state::Generation) -> u32 {
    match (&g.planned, g.started) {
        (None, None) => 0,
        (None, Some(_)) => DESIGNING,
        (Some(_), _) => DESIGNED + (100 - DESIGNED) * (g.done + g.failed) / g.total.max(1),
    }
}

/// The outputs that are ready in the order shown, each with its place and its image.
fn ready(snapshot: &Snapshot) -> impl Iterator<Item = (u32, &state::Output, &Image)> {
    snapshot.order().into_iter().filter_map(|place| {
        let output = snapshot.outputs.get(place as usize)?;
        match &output.end {
            Some(End::Ready(image)) => Some((place, output, image)),
            _ => None,
        }
    })
}

fn outputs(snapshot: &Snapshot, app: &App, now: Millis, expand: Expand) -> Vec<Output> {
    let shown = ready(snapshot).map(|(place, o, image)| {
        let mut output = output(place, o, image, snapshot, app, now);
        output.quality.checks = output.quality.checks.filter(|_| expand.quality);
        output
    });
    shown.collect()
}

/// An output that is ready, at its place.
pub fn output(place: u32, o: &state::Output, image: &Image, snapshot: &Snapshot, app: &App, now: Millis) -> Output {
    let order = snapshot.order();
    let position = order.iter().position(|p| *p == place).map_or(place, |position| position as u32);
    let total = if order.is_empty() { snapshot.generation.total } else { order.len() as u32 };
    let url = image_url(&image.object, position, &o.format, total, app, now);
    Output {
        id: o.id,
        output_id: o.id,
        format_id: o.format.clone(),
        kind: if o.slide.is_some() { OutputKind::Slide } else { OutputKind::Visual },
        slide_index: snapshot.slide(place, o),
        sort_order: position,
        file_url: url.clone(),
        image_url: url,
        thumbnail_url: app.signer.url(&image.thumbnail, now),
        width: o.width,
        height: o.height,
        mime_type: format!("image/{}", snapshot.generation.request.image_format.name()),
        bytes: image.bytes,
        version: o.version,
        edit: snapshot.edits.iter().find(|(at, _)| *at == place).map(|(_, edit)| OutputEdit::of(edit)),
        alt_text: o.alt_text.clone(),
        quality: quality(&image.quality),
    }
}

/// The signed URL of an output's image; it ends in a file name that begins with the output's position among `total`.
pub fn image_url(object: &str, position: u32, format: &str, total: u32, app: &App, now: Millis) -> String {
    app.signer.named_url(object, &file_name(position, total, format, object), now)
}

impl OutputEdit {
    fn of(edit: &state::Edit) -> Self {
        let error = |f: &state::Fault| GenerationError { code: f.code.clone(), message: f.message.clone() };
        Self {
            status: if edit.fault.is_some() { EditStatus::Failed } else { EditStatus::Running },
            version: edit.version,
            started_at: edit.begun.to_string(),
            error: edit.fault.as_ref().map(error),
        }
    }
}

/// The design measures, to three decimals.
fn quality(measured: &inspect::Quality) -> Quality {
    let round = |v: f32| (f64::from(v) * 1e3).round() / 1e3;
    let check = |c: &inspect::Check| Check {
        name: c.name.clone(),
        value: round(c.value),
        gate: round(c.gate),
        passed: c.passed,
        hard: c.hard,
    };
    Quality { passed: measured.passed, checks: Some(measured.checks.iter().map(check).collect()) }
}
