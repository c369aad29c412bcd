//! Stored input → stored document and pages.

use std::time::Duration;

use bytes::Bytes;
use fleet::protocol::{BlobId, Failure, InputKind, PlanJob, Planned, PlannedPage};
use futures::future::BoxFuture;
use futures::stream::{self, StreamExt, TryStreamExt};
use render_core::content::Document;
use render_core::design::{Page, Style, stored};
use render_core::format::{Format, FormatId};
use render_core::plan::{Plan, PlanError, PlanRequest, plan};
use render_core::warning::{Warning, WarningCode};

use super::{Stage, Tools, Work};
use crate::{copywriter, failure, ingest};

/// Stored input → stored document and pages.
pub(super) const STAGES: &[Stage<State>] = &[
    Stage { name: "fetch", deadline: Duration::from_secs(13), work: Work::Io(fetch) },
    // The fetcher has a deadline of its own, and knows better what was late.
    Stage { name: "download", deadline: Duration::from_secs(20), work: Work::Io(download) },
    // The sandbox has one too.
    Stage { name: "extract", deadline: Duration::from_secs(30), work: Work::Io(extract) },
    Stage { name: "ingest", deadline: Duration::from_secs(10), work: Work::Cpu(read) },
    Stage { name: "plan", deadline: Duration::from_secs(60), work: Work::Cpu(design) },
    Stage { name: "pack", deadline: Duration::from_secs(10), work: Work::Cpu(pack) },
    Stage { name: "store", deadline: Duration::from_secs(60), work: Work::Io(store) },
];

/// Pages that are stored at the same time.
const PUTS: usize = 8;

/// What the stages hand on.
pub(super) struct State {
    job: PlanJob,
    input: Bytes,
    /// What the input names, where it is a URL.
    fetched: Option<ingest::Fetched>,
    document: Option<Document>,
    plan: Option<Plan>,
    style: Style,
    warnings: Vec<Warning>,
    /// The stored document, then the stored pages, in order.
    packed: Vec<Bytes>,
    /// The names of `packed`.
    ids: Vec<BlobId>,
}

impl State {
    pub fn new(job: PlanJob) -> Self {
        Self {
            job,
            input: Bytes::new(),
            fetched: None,
            document: None,
            plan: None,
            style: Style::Modern,
            warnings: Vec::new(),
            packed: Vec::new(),
            ids: Vec::new(),
        }
    }

    pub fn into_planned(self) -> Planned {
        let document = self.document.expect("stage ingest comes before");
        let plan = self.plan.expect("stage plan comes before");
        let (first, pages) = self.ids.split_first().expect("stage store comes before");
        let language = plan.pages.first().map_or(&document.language, |page| &page.locale.language);
        Planned {
            document: *first,
            language: language.to_string(),
            title: document.title.text,
            style: self.style.name().to_owned(),
            pages: plan.pages.iter().zip(pages).map(|(page, id)| planned_page(page, *id)).collect(),
            warnings: self.warnings,
        }
    }

    fn document(&self) -> &Document {
        self.document.as_ref().expect("stage ingest comes before")
    }
}

fn planned_page(page: &Page, id: BlobId) -> PlannedPage {
    PlannedPage {
        format: page.format.to_string(),
        slide: page.slide.map(|slide| slide.index),
        page: id,
        alt_text: page.alt_text.clone(),
    }
}

fn fetch<'a>(state: &'a mut State, tools: &'a Tools) -> BoxFuture<'a, Result<(), Failure>> {
    Box::pin(async move {
        state.input = tools.blobs.get_blob(&state.job.input).await.map_err(|e| failure::storage(&e))?;
        Ok(())
    })
}

fn download<'a>(state: &'a mut State, tools: &'a Tools) -> BoxFuture<'a, Result<(), Failure>> {
    Box::pin(async move {
        if state.job.input_kind == InputKind::Url {
            let url = std::mem::take(&mut state.input);
            state.fetched = Some(ingest::fetch(&url, &tools.fetcher).await?);
        }
        Ok(())
    })
}

fn extract<'a>(state: &'a mut State, tools: &'a Tools) -> BoxFuture<'a, Result<(), Failure>> {
    Box::pin(async move {
        if let Some(fetched) = state.fetched.take() {
            state.fetched = Some(fetched.extracted(&tools.sandbox).await?);
        }
        Ok(())
    })
}

fn read(state: &mut State, _: &Tools) -> Result<(), Failure> {
    let input = std::mem::take(&mut state.input);
    let title = state.job.title.as_deref();
    let document = match state.fetched.take() {
        Some(fetched) => fetched.document(title)?,
        None => ingest::text(&input, title)?,
    };
    state.document = Some(document);
    Ok(())
}

fn design(state: &mut State, tools: &Tools) -> Result<(), Failure> {
    let (style, substituted) = style(state.job.style.as_deref())?;
    state.style = style;
    state.warnings.extend(substituted);
    let (locale, mismatch) = copywriter::offline::locale(state.document(), state.job.language.as_deref())?;
    state.warnings.extend(mismatch);
    let request = PlanRequest {
        document: state.document(),
        locale,
        formats: state
            .job
            .formats
            .iter()
            .map(|(id, slides)| Ok((format(id)?, *slides)))
            .collect::<Result<_, Failure>>()?,
        style,
        seed: state.job.seed,
    };
    let plan = plan(&request, tools.renderer.fonts()).map_err(|e| match e {
        PlanError::NoContent => failure::lasting("no_content", e.to_string()),
        PlanError::NothingFits(_) | PlanError::Unsourced(_) => failure::lasting("render_failed", e.to_string()),
    })?;
    state.warnings.extend(plan.warnings.iter().cloned());
    state.plan = Some(plan);
    Ok(())
}

/// The style drawn for the one asked for, and what to say where it is another.
fn style(asked: Option<&str>) -> Result<(Style, Option<Warning>), Failure> {
    let Some(asked) = asked else { return Ok((Style::Modern, None)) };
    let style = Style::nearest(asked)
        .ok_or_else(|| failure::lasting("render_failed", format!("there is no style named {asked:?}")))?;
    let substituted = (style.name() != asked).then(|| {
        let message = format!("the style {asked} is not drawn yet; {}, its nearest, stands in", style.name());
        Warning::new(WarningCode::StyleSubstituted, message)
    });
    Ok((style, substituted))
}

fn format(id: &str) -> Result<FormatId, Failure> {
    Format::by_id(id)
        .map(|format| format.id)
        .ok_or_else(|| failure::lasting("render_failed", format!("there is no format named {id:?}")))
}

fn pack(state: &mut State, _: &Tools) -> Result<(), Failure> {
    let plan = state.plan.as_ref().expect("stage plan comes before");
    let document = ingest::stored(state.document())?;
    state.packed = std::iter::once(document).chain(plan.pages.iter().map(stored::encode)).map(Bytes::from).collect();
    Ok(())
}

fn store<'a>(state: &'a mut State, tools: &'a Tools) -> BoxFuture<'a, Result<(), Failure>> {
    Box::pin(async move {
        let puts = std::mem::take(&mut state.packed).into_iter().map(|bytes| tools.blobs.put_blob(bytes));
        let ids = stream::iter(puts).buffered(PUTS).try_collect().await;
        state.ids = ids.map_err(|e| failure::storage(&e))?;
        Ok(())
    })
}
