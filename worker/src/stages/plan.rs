//! Stored input → stored document and pages.

use std::collections::BTreeSet;
use std::time::Duration;

use bytes::Bytes;
use fleet::estimate::{Estimate, EstimatedPage};
use fleet::files::FileKind;
use fleet::illustrated::{EarlierEdits, GivenImage, Illustrated};
use fleet::llm::Allowance;
use fleet::protocol::{ALT_BYTES, BlobId, Failure, FailureCode, InputKind, PlanJob, Planned, PlannedPage, WARNINGS};
use futures::future::BoxFuture;
use futures::stream::{self, StreamExt, TryStreamExt};
use render_core::content::{Document, Idea, Language, ReadOptions};
use render_core::design::{Brand, Page, Style};
use render_core::format::{Format, FormatId};
use render_core::leaf;
use render_core::limits::{self, PHOTO_EDGE_PX};
use render_core::outline::{Outline, PageOutline, RevisedPage, Sources};
use render_core::plan::{Plan, PlanError, PlanRequest, plan};
use render_core::warning::{Warning, WarningCode};
use uuid::Uuid;

use super::carry::{self, Edited};
use super::context::Context;
use super::stage::{Stage, Work};
use crate::brand::Branded;
use crate::copywriter::offline::{named, reads_in, wanted};
use crate::copywriter::{Copywriter, LONGEST, Look, Order, Settled, estimated, given, settle};
use crate::ingest::photo::{Lead, LeadAt, lead, unavailable};
use crate::ingest::pictures::{Gallery, Means, gallery};
use crate::{failure, ingest};

/// Stored input → stored document and pages.
pub(super) const STAGES: &[Stage<State>] = &[
    Stage { name: "fetch", deadline: Duration::from_secs(13), work: Work::Io(fetch) },
    // The fetcher has its own deadline, and reports what exactly timed out.
    Stage { name: "download", deadline: Duration::from_secs(20), work: Work::Ask(download) },
    // The sandbox has its own deadline too.
    Stage { name: "extract", deadline: Duration::from_secs(30), work: Work::Ask(extract) },
    Stage { name: "photo", deadline: Duration::from_secs(13), work: Work::Ask(photo) },
    Stage { name: "brand", deadline: Duration::from_secs(13), work: Work::Ask(brand) },
    Stage { name: "ingest", deadline: Duration::from_secs(10), work: Work::Cpu(read) },
    Stage { name: "pictures", deadline: Duration::from_secs(20), work: Work::Ask(pictures) },
    Stage { name: "write", deadline: LONGEST, work: Work::Ask(write) },
    Stage { name: "plan", deadline: Duration::from_secs(60), work: Work::Cpu(design) },
    Stage { name: "edited pictures", deadline: Duration::from_secs(10), work: Work::Ask(edited_pictures) },
    Stage { name: "edits", deadline: Duration::from_secs(20), work: Work::Cpu(edits) },
    Stage { name: "pack", deadline: Duration::from_secs(10), work: Work::Cpu(pack) },
    Stage { name: "store", deadline: Duration::from_secs(60), work: Work::Io(store) },
];

/// Returns the stages after the input is loaded and before anything is stored.
pub(super) fn planning() -> &'static [Stage<State>] {
    let is = |name: &'static str| move |stage: &Stage<State>| stage.name == name;
    let from = STAGES.iter().position(is("download")).expect("it is one of them");
    let to = STAGES.iter().position(is("pack")).expect("it is one of them");
    &STAGES[from..to]
}

/// Timeout of the lead photograph.
const PATIENCE: Duration = Duration::from_secs(12);
/// Timeout of all other pictures together.
const PATIENCE_FOR_ALL: Duration = Duration::from_secs(15);
/// Timeout of pictures for an estimate, which a client waits for.
const HASTE: Duration = Duration::from_secs(4);
/// Pages that are stored concurrently.
const PUTS: usize = 8;

/// The state that the stages pass on.
pub(super) struct State {
    job: PlanJob,
    /// The key of fair scheduling in the sandbox.
    whose: Uuid,
    input: Bytes,
    /// The page or file that the input refers to or holds, if it isn't plain text.
    fetched: Option<ingest::Fetched>,
    /// The photograph that came with the input.
    lead: Option<Lead>,
    /// The address of that photograph, and the base of the input's relative addresses.
    lead_url: Option<String>,
    base: Option<String>,
    /// The pictures that came with the input.
    given: Vec<GivenImage>,
    /// The client's outline for some formats, as received and as outlines.
    outline: Vec<(String, Vec<RevisedPage>)>,
    outlines: Vec<(FormatId, Outline)>,
    /// Edits of an earlier generation, and the pictures that they name.
    edits: Option<EarlierEdits>,
    edited_pictures: Vec<Edited>,
    /// The client's pictures, and the other pictures of the input.
    gallery: Gallery,
    /// The stored photographs that pages show.
    photos: Vec<BlobId>,
    /// The words of the input.
    source: String,
    document: Option<Document>,
    /// What the input describes besides its document, if it is an idea.
    idea: Option<Idea>,
    /// The brand of the pages.
    branded: Option<Branded>,
    settled: Option<Settled>,
    /// An estimate: no language model is called for it.
    told_only: bool,
    /// The language that the caller asked for.
    named: Option<Language>,
    /// What the account may use of the language model.
    allowance: Allowance,
    plan: Option<Plan>,
    style: Style,
    warnings: Vec<Warning>,
    /// The stored document, then the stored pages, in order.
    packed: Vec<Bytes>,
    /// The blob ids of `packed`.
    ids: Vec<BlobId>,
}

impl State {
    pub fn new(job: PlanJob, allowance: Allowance) -> Self {
        Self {
            whose: job.generation,
            job,
            input: Bytes::new(),
            fetched: None,
            lead: None,
            lead_url: None,
            base: None,
            given: Vec::new(),
            outline: Vec::new(),
            outlines: Vec::new(),
            edits: None,
            edited_pictures: Vec::new(),
            gallery: Gallery::default(),
            photos: Vec::new(),
            source: String::new(),
            document: None,
            idea: None,
            branded: None,
            settled: None,
            told_only: false,
            named: None,
            allowance,
            plan: None,
            style: Style::MODERN,
            warnings: Vec::new(),
            packed: Vec::new(),
            ids: Vec::new(),
        }
    }

    /// Returns the state of an estimate for this account, whose input is already loaded.
    pub fn with_input(account: Uuid, job: PlanJob, input: Bytes) -> Self {
        Self { input, whose: account, told_only: true, ..Self::new(job, Allowance::default()) }
    }

    pub fn into_planned(self) -> Planned {
        let (title, language) = (self.title(), self.language());
        let plan = self.plan.expect("stage plan comes before");
        let (first, pages) = self.ids.split_first().expect("stage store comes before");
        Planned {
            document: *first,
            language,
            title,
            style: self.style.name().to_owned(),
            pages: plan.pages.iter().zip(pages).map(|(page, id)| planned_page(page, *id)).collect(),
            warnings: self.warnings.into_iter().take(WARNINGS).collect(),
            photos: self.photos,
            tokens: Some(self.allowance.used()),
            usage: None,
        }
    }

    pub fn into_estimate(self) -> Estimate {
        let (title, language) = (self.title(), self.language());
        let plan = self.plan.expect("stage plan comes before");
        Estimate {
            title,
            language,
            style: self.style.name().to_owned(),
            pages: plan.pages.iter().zip(&plan.outlines).map(estimated_page).collect(),
            warnings: self.warnings,
        }
    }

    /// Returns the title of the result.
    fn title(&self) -> String {
        let reworded = self.settled.as_ref().filter(|s| s.translated || !self.outline.is_empty());
        let reworded = reworded.and_then(|s| s.outlines.first());
        let named = self.job.title.clone().filter(|_| !self.outline.is_empty());
        named
            .or_else(|| reworded.and_then(|(_, outline)| heading(outline)))
            .unwrap_or_else(|| self.document().title.text.clone())
    }

    /// Returns the BCP 47 tag of the pages' language.
    fn language(&self) -> String {
        let first = self.plan.as_ref().and_then(|plan| plan.pages.first());
        first.map_or(&self.document().language, |page| &page.locale.language).to_string()
    }

    /// Returns the brand of the pages.
    fn brand(&self) -> Option<&Brand> {
        self.branded.as_ref().map(|branded| &branded.brand)
    }

    /// Returns the copywriter of the pages; `None` if the words are set exactly as they are, or if the client sent an
    /// outline.
    fn copywriter<'a>(&self, context: &'a Context) -> Option<&'a Copywriter> {
        context.copywriter.as_ref().filter(|_| !self.job.exact && self.outline.is_empty())
    }

    /// Returns the files of the pictures that the pages show, each once.
    fn shown(&self) -> Vec<Bytes> {
        let shown = self.plan.as_ref().map(shown).unwrap_or_default();
        let lead = |key: &str| self.lead.as_ref().filter(|lead| lead.photo.key == key).map(|lead| &lead.file);
        let edited =
            |key: &str| self.edited_pictures.iter().find(|edited| edited.key == key).map(|edited| &edited.file);
        let file = |key| lead(key).or_else(|| self.gallery.file(key)).or_else(|| edited(key));
        shown.into_iter().filter_map(|key| file(key).cloned()).collect()
    }

    fn document(&self) -> &Document {
        self.document.as_ref().expect("stage ingest comes before")
    }
}

/// Returns the keys of the pictures that the pages show.
fn shown(plan: &Plan) -> BTreeSet<&str> {
    plan.pages.iter().filter_map(|page| Some(page.photo.as_ref()?.key.as_str())).collect()
}

/// Returns the heading of an outline's first page.
fn heading(outline: &Outline) -> Option<String> {
    outline.pages.first()?.title.as_ref()?.wordings.first().cloned()
}

fn estimated_page((page, said): (&Page, &PageOutline)) -> EstimatedPage {
    EstimatedPage {
        format: page.format.to_string(),
        slide: page.slide.map(|slide| slide.index),
        archetype: page.template.name().to_owned(),
        texts: page.slots.iter().map(|slot| (slot.id.to_string(), slot.text.clone())).collect(),
        outline: Some(RevisedPage::of(said)),
        alt_text: page.alt_text.clone(),
        warnings: page.warnings.clone(),
    }
}

pub(super) fn planned_page(page: &Page, id: BlobId) -> PlannedPage {
    PlannedPage {
        format: page.format.to_string(),
        slide: page.slide.map(|slide| slide.index),
        page: id,
        // Cut to the length that is stored: a report of hundreds of pages has a size limit too.
        alt_text: page.alt_text[..page.alt_text.floor_char_boundary(ALT_BYTES)].to_owned(),
    }
}

fn fetch<'a>(state: &'a mut State, context: &'a Context) -> BoxFuture<'a, Result<(), Failure>> {
    Box::pin(async move {
        state.input = context.blobs.get_blob(&state.job.input).await.map_err(|e| failure::unread(&e))?;
        Ok(())
    })
}

fn download<'a>(state: &'a mut State, context: &'a Context) -> BoxFuture<'a, Result<(), Failure>> {
    Box::pin(async move {
        if state.job.input_kind == InputKind::Illustrated {
            let input = std::mem::take(&mut state.input);
            let whole = Illustrated::unpack(&input).map_err(|why| {
                failure::lasting(FailureCode::RenderFailed, format!("the input can't be read: {why}"))
            })?;
            (state.job.input_kind, state.input) = (whole.kind, whole.input);
            (state.given, state.outline, state.edits) = (whole.images, whole.outline, whole.edits);
        }
        let wanted = match state.job.input_kind {
            InputKind::Text | InputKind::Idea | InputKind::Pages | InputKind::Markup => return Ok(()),
            InputKind::Pdf | InputKind::File(_) => {
                let kind = if let InputKind::File(kind) = state.job.input_kind { kind } else { FileKind::Pdf };
                state.fetched = Some(ingest::Fetched::of_file(kind, std::mem::take(&mut state.input)));
                return Ok(());
            }
            InputKind::Url => ingest::PAGES,
            InputKind::PdfUrl => ingest::FILES,
            InputKind::Illustrated => return Err(nested()),
        };
        let url = std::mem::take(&mut state.input);
        state.fetched = Some(ingest::fetch(&url, wanted, &context.fetcher).await?);
        Ok(())
    })
}

/// An unpacked input must not hold another packed input.
fn nested() -> Failure {
    failure::lasting(FailureCode::RenderFailed, "an input with pictures must not contain another one")
}

fn extract<'a>(state: &'a mut State, context: &'a Context) -> BoxFuture<'a, Result<(), Failure>> {
    Box::pin(async move {
        if let Some(fetched) = state.fetched.take() {
            state.fetched = Some(fetched.extracted(&context.sandbox.of_account(state.whose)).await?);
        }
        Ok(())
    })
}

fn photo<'a>(state: &'a mut State, context: &'a Context) -> BoxFuture<'a, Result<(), Failure>> {
    Box::pin(async move {
        let Some(at) = state.fetched.as_ref().and_then(ingest::Fetched::lead) else { return Ok(()) };
        if let LeadAt::Address(url) = at {
            state.lead_url = Some(url.to_owned());
        }
        // A picture is optional: the pages are made without one that exceeds the timeout.
        let patience = if state.told_only { HASTE } else { PATIENCE };
        match lead(at, &context.fetcher, &context.sandbox.of_account(state.whose), patience, PHOTO_EDGE_PX).await {
            Ok(lead) => state.lead = lead,
            Err(why) => state.warnings.push(unavailable(&why)),
        }
        Ok(())
    })
}

fn brand<'a>(state: &'a mut State, context: &'a Context) -> BoxFuture<'a, Result<(), Failure>> {
    Box::pin(async move {
        state.branded = branded(state.job.brand, context).await?;
        Ok(())
    })
}

/// Loads the brand that the job refers to, if any.
pub(super) async fn branded(brand: Option<BlobId>, context: &Context) -> Result<Option<Branded>, Failure> {
    match brand {
        Some(brand) => Ok(Some(context.brands.load(brand, &context.blobs, context.renderer.fonts()).await?)),
        None => Ok(None),
    }
}

fn read(state: &mut State, context: &Context) -> Result<(), Failure> {
    let input = std::mem::take(&mut state.input);
    let (title, exact) = (state.job.title.clone(), state.job.exact);
    state.named = named(state.job.language.as_deref())?;
    let (named, translates) = (state.named.as_ref(), state.copywriter(context).is_some());
    let options = |source: &str| {
        let language = reads_in(named, source, translates);
        ReadOptions { title, language, exact, ..ReadOptions::default() }
    };
    state.document = Some(match (state.job.input_kind, state.fetched.take()) {
        (InputKind::Url | InputKind::Pdf | InputKind::PdfUrl | InputKind::File(_), fetched) => {
            let fetched =
                fetched.ok_or_else(|| failure::passing(FailureCode::RenderFailed, "the input was not fetched"))?;
            state.source = fetched.words();
            state.base = fetched.base().map(str::to_owned);
            fetched.document(options(&state.source))?
        }
        (InputKind::Text, _) => {
            state.source = ingest::utf8(&input)?.to_owned();
            ingest::text(&input, &options(&state.source))?
        }
        (InputKind::Pages | InputKind::Markup, _) => {
            return Err(failure::lasting(FailureCode::RenderFailed, "pages are not read as a document"));
        }
        (InputKind::Illustrated, _) => return Err(nested()),
        (InputKind::Idea, _) => {
            state.source = ingest::utf8(&input)?.to_owned();
            let idea = ingest::idea(&input, &options(&state.source))?;
            let document = idea.document.clone();
            state.idea = Some(idea);
            document
        }
    });
    state.outlines = outlined(&state.outline, state.document())?;
    Ok(())
}

/// Fetches the other pictures. The pages need at most one more than there are pages.
fn pictures<'a>(state: &'a mut State, context: &'a Context) -> BoxFuture<'a, Result<(), Failure>> {
    Box::pin(async move {
        let pages = state.job.formats.iter().map(|(_, slides)| slides.unwrap_or(1)).max().unwrap_or(1);
        let most = limits::PHOTOS.min(pages as usize + 1);
        let patience = if state.told_only { HASTE } else { PATIENCE_FOR_ALL };
        let sandbox = context.sandbox.of_account(state.whose);
        let means = Means { fetcher: &context.fetcher, sandbox: &sandbox, patience };
        let lead = (state.lead_url.as_deref(), state.lead.as_ref());
        let images = &state.document().images;
        let gallery = gallery(&state.given, images, state.base.as_deref(), lead, most, &means).await;
        state.warnings.extend(gallery.warnings.iter().cloned());
        state.gallery = gallery;
        Ok(())
    })
}

fn write<'a>(state: &'a mut State, context: &'a Context) -> BoxFuture<'a, Result<(), Failure>> {
    Box::pin(async move {
        let document = state.document.as_ref().expect("stage ingest comes before");
        let formats = formats(&state.job)?;
        let wanted = wanted(document, &state.source, state.named.as_ref());
        if !state.outline.is_empty() {
            state.settled = Some(given(std::mem::take(&mut state.outlines), wanted));
            return Ok(());
        }
        let (language, source_language) = (wanted.locale().language.clone(), wanted.source_language().clone());
        let copywriter = state.copywriter(context);
        if state.told_only && copywriter.is_some() {
            let settled = estimated(document, wanted);
            state.warnings.extend(settled.warnings.iter().cloned());
            state.settled = Some(settled);
            return Ok(());
        }
        let asked = asked(state.job.style.as_deref())?;
        let order = Order {
            generation: state.job.generation,
            source: &state.source,
            document,
            idea: state.idea.as_ref(),
            title: state.job.title.as_deref(),
            formats: &formats,
            language: &language,
            source_language: &source_language,
            wishes: &state.job.wishes,
            tone: state.brand().and_then(|brand| brand.tone.as_deref()),
            style: asked,
            look: Look::of(asked),
            brand: state.brand(),
            fonts: state.branded.as_ref().map_or(context.renderer.fonts(), |branded| &branded.fonts),
            photo: state.lead.as_ref().map(|lead| &lead.photo),
            pictures: &state.gallery.pictures,
            seed: state.job.seed,
            allowance: &state.allowance,
        };
        let settled = settle(copywriter, &order, wanted).await?;
        state.warnings.extend(settled.warnings.iter().cloned());
        state.settled = Some(settled);
        Ok(())
    })
}

/// Returns the outlines of the client, whose words stay as they are.
fn outlined(given: &[(String, Vec<RevisedPage>)], document: &Document) -> Result<Vec<(FormatId, Outline)>, Failure> {
    let sources = Sources::of(document);
    let outlined = |(id, pages): &(String, Vec<RevisedPage>)| {
        let pages = pages.iter().map(|page| page.outline(&sources)).collect();
        Ok((format(id)?, Outline { pages, warnings: Vec::new() }))
    };
    given.iter().map(outlined).collect()
}

fn design(state: &mut State, context: &Context) -> Result<(), Failure> {
    let settled = state.settled.as_ref().expect("stage write comes before");
    let Look { style, scheme } = settled.look.unwrap_or(Look::of(asked(state.job.style.as_deref())?));
    state.style = style;
    let mut formats = formats(&state.job)?;
    let writes = state.copywriter(context).is_some();
    let fonts = state.branded.as_ref().map_or(context.renderer.fonts(), |branded| &branded.fonts);
    let mut written = settled.outlines.clone();
    let mut refused = Vec::new();
    let planned = loop {
        let request = PlanRequest {
            document: state.document(),
            locale: settled.locale.clone(),
            formats: formats.clone(),
            style,
            seed: state.job.seed,
            written: &written,
            photo: state.lead.as_ref().map(|lead| &lead.photo),
            pictures: &state.gallery.pictures,
            brand: state.brand(),
            scheme,
        };
        match plan(&request, fonts) {
            // Words of the right length may still be too wide. A translation has no fallback.
            Err(PlanError::NothingFits(format))
                if !settled.translated && written.iter().any(|(written, _)| *written == format) =>
            {
                written.retain(|(written, _)| *written != format);
                let message =
                    format!("The language model's words don't fit {format}; the page uses the input's own words.");
                refused.push(Warning::new(WarningCode::CopywriterUnavailable, message));
            }
            // A language model would fill the slides itself, so an estimate counts the slides that the input's own
            // words fill.
            Err(PlanError::TooLittle { format, carries, .. }) if state.told_only && writes => {
                formats.iter_mut().filter(|(id, _)| *id == format).for_each(|(_, slides)| *slides = Some(carries));
            }
            planned => break planned,
        }
    };
    let exact = state.job.exact;
    let plan = planned.map_err(|e| match e {
        PlanError::NoContent => failure::lasting(FailureCode::NoContent, e.to_string()),
        PlanError::TooLong(_) | PlanError::Crowded { .. } => {
            failure::lasting(FailureCode::ContentTooLong, e.to_string())
        }
        PlanError::TooLittle { .. } if state.idea.is_some() && !writes => failure::lasting(
            FailureCode::TooLittleContent,
            format!("{e}; a language model (--llm-base-url and --llm-model) would develop the idea"),
        ),
        PlanError::TooLittle { .. } => failure::lasting(FailureCode::TooLittleContent, e.to_string()),
        PlanError::NothingFits(_) if exact => failure::lasting(FailureCode::ContentTooLong, e.to_string()),
        PlanError::NothingFits(_) | PlanError::Unsourced(_) => {
            failure::lasting(FailureCode::RenderFailed, e.to_string())
        }
    })?;
    state.warnings.extend(refused);
    state.warnings.extend(plan.warnings.iter().cloned());
    state.warnings.extend(state.gallery.unshown(&shown(&plan)));
    state.plan = Some(plan);
    Ok(())
}

fn edited_pictures<'a>(state: &'a mut State, context: &'a Context) -> BoxFuture<'a, Result<(), Failure>> {
    Box::pin(async move {
        if let Some(edits) = &state.edits {
            state.edited_pictures = carry::pictures(edits, context).await;
        }
        Ok(())
    })
}

fn edits(state: &mut State, context: &Context) -> Result<(), Failure> {
    let Some(edits) = state.edits.take() else { return Ok(()) };
    let fonts = state.branded.as_ref().map_or(context.renderer.fonts(), |branded| &branded.fonts);
    let brand = state.branded.as_ref().map(|branded| &branded.brand);
    let plan = state.plan.as_mut().expect("stage plan comes before");
    state.warnings.extend(carry::apply(edits, &state.edited_pictures, &mut plan.pages, brand, fonts));
    Ok(())
}

/// Returns the requested style, if any.
fn asked(style: Option<&str>) -> Result<Option<Style>, Failure> {
    let Some(name) = style else { return Ok(None) };
    let found = Style::by_name(name).map(Some);
    found.ok_or_else(|| failure::lasting(FailureCode::RenderFailed, format!("there is no style named {name:?}")))
}

/// Returns the formats to make.
fn formats(job: &PlanJob) -> Result<Vec<(FormatId, Option<u32>)>, Failure> {
    job.formats.iter().map(|(id, slides)| Ok((format(id)?, *slides))).collect()
}

fn format(id: &str) -> Result<FormatId, Failure> {
    Format::by_id(id)
        .map(|format| format.id)
        .ok_or_else(|| failure::lasting(FailureCode::RenderFailed, format!("there is no format named {id:?}")))
}

fn pack(state: &mut State, _: &Context) -> Result<(), Failure> {
    let plan = state.plan.as_ref().expect("stage plan comes before");
    let document = ingest::stored(state.document())?;
    state.packed =
        std::iter::once(document).chain(plan.pages.iter().map(leaf::encode_planned)).map(Bytes::from).collect();
    Ok(())
}

fn store<'a>(state: &'a mut State, context: &'a Context) -> BoxFuture<'a, Result<(), Failure>> {
    Box::pin(async move {
        state.photos = put_all(state.shown(), context).await?;
        state.ids = put_all(std::mem::take(&mut state.packed), context).await?;
        Ok(())
    })
}

/// Stores blobs; returns their ids in order.
pub(super) async fn put_all(blobs: Vec<Bytes>, context: &Context) -> Result<Vec<BlobId>, Failure> {
    let puts = blobs.into_iter().map(|bytes| context.blobs.put_blob(bytes));
    stream::iter(puts).buffered(PUTS).try_collect().await.map_err(|e| failure::storage(&e))
}
