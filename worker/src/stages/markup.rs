//! Pages in the page language → stored pages.

use std::collections::BTreeSet;
use std::time::Duration;

use bytes::Bytes;
use fleet::estimate::{Estimate, EstimatedPage};
use fleet::protocol::{ALT_BYTES, BlobId, Failure, FailureCode, PlanJob, Planned, PlannedPage};
use futures::future::BoxFuture;
use futures::stream::{self, StreamExt as _};
use render_core::content::{Language, ReadOptions};
use render_core::design::Style;
use render_core::format::Format;
use render_core::leaf::{self, Leaf, Written};
use render_core::tree::Fault;
use tokio::time::Instant;

use super::context::Context;
use super::plan::{branded, put_all};
use super::stage::{Stage, Work};
use crate::brand::Branded;
use crate::ingest::photo::{Lead, LeadAt, lead, no_photograph};
use crate::{failure, ingest};

/// Timeout of all photographs together, and how many are fetched concurrently.
const PATIENCE: Duration = Duration::from_secs(10);
const FETCHES: usize = 4;
/// The longer edge in pixels of photographs that only their size is needed of.
const MEASURED_PX: u32 = 512;

/// Pages in the page language → stored pages.
pub(super) const STAGES: &[Stage<State>] = &[
    Stage { name: "fetch", deadline: Duration::from_secs(13), work: Work::Io(fetch) },
    Stage { name: "read", deadline: Duration::from_secs(10), work: Work::Cpu(read) },
    Stage { name: "photos", deadline: Duration::from_secs(13), work: Work::Ask(photos) },
    Stage { name: "brand", deadline: Duration::from_secs(13), work: Work::Ask(brand) },
    Stage { name: "plan", deadline: Duration::from_secs(30), work: Work::Cpu(set) },
    Stage { name: "pack", deadline: Duration::from_secs(10), work: Work::Cpu(pack) },
    Stage { name: "store", deadline: Duration::from_secs(60), work: Work::Io(store) },
];

/// The stages of a trial run, which stores nothing.
pub(super) const TRIAL: &[Stage<State>] = STAGES.split_at(1).1.split_at(4).0;

/// The state that the stages pass on.
pub(super) struct State {
    job: PlanJob,
    input: Bytes,
    /// The addresses of photographs, each once, with the first element that names it.
    sources: Vec<(String, String)>,
    /// The photographs by their addresses, with reduced pixels.
    photos: Vec<(String, Lead)>,
    branded: Option<Branded>,
    leaves: Vec<Leaf>,
    /// The stored document, then the stored pages, in order.
    packed: Vec<Bytes>,
    ids: Vec<BlobId>,
}

impl State {
    pub fn new(job: PlanJob) -> Self {
        Self {
            job,
            input: Bytes::new(),
            sources: Vec::new(),
            photos: Vec::new(),
            branded: None,
            leaves: Vec::new(),
            packed: Vec::new(),
            ids: Vec::new(),
        }
    }

    /// Returns a state whose input is already loaded.
    pub fn with_input(job: PlanJob, input: Bytes) -> Self {
        Self { input, ..Self::new(job) }
    }

    pub fn into_planned(self) -> Planned {
        let (document, pages) = self.ids.split_first().expect("stage store comes before");
        Planned {
            document: *document,
            title: self.title(),
            language: self.language(),
            style: self.style().name().to_owned(),
            pages: self.leaves.iter().zip(pages).map(|(leaf, id)| planned(leaf, *id)).collect(),
            warnings: Vec::new(),
            photos: self.shown(),
            tokens: Some(0),
            usage: None,
        }
    }

    pub fn into_estimate(self) -> Estimate {
        let (title, language, style) = (self.title(), self.language(), self.style().name().to_owned());
        let page = |leaf: Leaf| EstimatedPage {
            format: leaf.format.to_string(),
            slide: leaf.slide.map(|slide| slide.index),
            archetype: "page".to_owned(),
            texts: Vec::new(),
            outline: None,
            alt_text: leaf.alt_text,
            warnings: leaf.warnings,
        };
        Estimate { title, language, style, pages: self.leaves.into_iter().map(page).collect(), warnings: Vec::new() }
    }

    /// Returns the title of the result: the request's, else the first line of the first page.
    fn title(&self) -> String {
        let first = || self.leaves.first().and_then(|leaf| leaf.alt_text.split(['.', '\n']).next()).unwrap_or_default();
        self.job.title.clone().unwrap_or_else(|| first().chars().take(200).collect())
    }

    /// Returns the photographs that the pages show, each once.
    fn shown(&self) -> Vec<BlobId> {
        let ids: BTreeSet<BlobId> = self.photos.iter().filter_map(|(_, lead)| lead.photo.key.parse().ok()).collect();
        ids.into_iter().collect()
    }

    /// Returns the BCP 47 tag of the pages' language.
    fn language(&self) -> String {
        self.leaves.first().map_or_else(|| "en".to_owned(), |leaf| leaf.language.to_string())
    }

    fn style(&self) -> Style {
        let brand = || self.branded.as_ref().and_then(|branded| branded.brand.style);
        self.job.style.as_deref().and_then(Style::by_name).or_else(brand).unwrap_or(Style::MODERN)
    }
}

fn planned(leaf: &Leaf, page: BlobId) -> PlannedPage {
    PlannedPage {
        format: leaf.format.to_string(),
        slide: leaf.slide.map(|slide| slide.index),
        page,
        alt_text: leaf.alt_text[..leaf.alt_text.floor_char_boundary(ALT_BYTES)].to_owned(),
    }
}

/// Returns the faults of pages as a failure: a line each, `element: message`.
fn invalid(faults: &[Fault]) -> Failure {
    let lines: Vec<String> = faults.iter().map(ToString::to_string).collect();
    failure::lasting(FailureCode::PageInvalid, lines.join("\n"))
}

fn fetch<'a>(state: &'a mut State, context: &'a Context) -> BoxFuture<'a, Result<(), Failure>> {
    Box::pin(async move {
        state.input = context.blobs.get_blob(&state.job.input).await.map_err(|e| failure::unread(&e))?;
        Ok(())
    })
}

/// Finds the photographs that the pages refer to. Stage `plan` reports the faults of the pages.
fn read(state: &mut State, _: &Context) -> Result<(), Failure> {
    let text = std::str::from_utf8(&state.input).unwrap_or_default();
    state.sources = leaf::sources(&leaf::read(text).unwrap_or_default());
    Ok(())
}

fn photos<'a>(state: &'a mut State, context: &'a Context) -> BoxFuture<'a, Result<(), Failure>> {
    Box::pin(async move {
        let sandbox = context.sandbox.of_account(state.job.generation);
        let until = Instant::now() + PATIENCE;
        let fetched = std::mem::take(&mut state.sources).into_iter().map(|(element, source)| {
            let sandbox = &sandbox;
            async move {
                let left = until.saturating_duration_since(Instant::now());
                let found = lead(LeadAt::Address(&source), &context.fetcher, sandbox, left, MEASURED_PX).await;
                match found.and_then(|lead| lead.ok_or_else(no_photograph)) {
                    Ok(lead) => Ok((source, lead)),
                    Err(why) => Err(Fault::new(element, format!("its picture can't be used: {why}"))),
                }
            }
        });
        let mut faults = Vec::new();
        for outcome in stream::iter(fetched).buffered(FETCHES).collect::<Vec<_>>().await {
            match outcome {
                Ok(photo) => state.photos.push(photo),
                Err(fault) => faults.push(fault),
            }
        }
        if faults.is_empty() { Ok(()) } else { Err(invalid(&faults)) }
    })
}

fn brand<'a>(state: &'a mut State, context: &'a Context) -> BoxFuture<'a, Result<(), Failure>> {
    Box::pin(async move {
        state.branded = branded(state.job.brand, context).await?;
        Ok(())
    })
}

fn set(state: &mut State, context: &Context) -> Result<(), Failure> {
    let lost = |what: &str| failure::lasting(FailureCode::RenderFailed, format!("the job names {what}"));
    let text = std::mem::take(&mut state.input);
    let text = std::str::from_utf8(&text).map_err(|_| lost("pages that are not text"))?;
    let (name, _) = state.job.formats.first().ok_or_else(|| lost("no format"))?;
    let format = Format::by_id(name).ok_or_else(|| lost("a format that this worker doesn't know"))?;
    let language = state.job.language.as_deref().map(Language::parse).transpose();
    let fonts = state.branded.as_ref().map_or(context.renderer.fonts(), |branded| &branded.fonts);
    let written = Written {
        text,
        format,
        style: state.style(),
        brand: state.branded.as_ref().map(|branded| &branded.brand),
        language: language.map_err(|_| lost("a language that this worker doesn't know"))?,
        photos: state.photos.iter().map(|(name, lead)| (name.clone(), lead.photo.clone())).collect(),
        seed: state.job.seed,
        fonts,
    };
    let leaves = leaf::leaves(written).map_err(|faults| invalid(&faults))?;
    if leaves.len() != pages_wanted(&state.job) {
        return Err(lost("a different number of pages"));
    }
    let drawn = leaf::misses(&leaves, fonts, |scene| context.renderer.backdrop(scene));
    let faults = drawn.map_err(|e| failure::lasting(FailureCode::RenderFailed, e.to_string()))?;
    if !faults.is_empty() {
        return Err(invalid(&faults));
    }
    state.leaves = leaves;
    Ok(())
}

/// Returns how many pages the request was accepted for.
fn pages_wanted(job: &PlanJob) -> usize {
    job.formats.iter().map(|(_, slides)| slides.map_or(1, |n| n as usize)).sum()
}

fn pack(state: &mut State, _: &Context) -> Result<(), Failure> {
    let words: Vec<&str> = state.leaves.iter().map(|leaf| leaf.alt_text.as_str()).collect();
    let words = words.join("\n\n");
    // Pages without words still need a document that describes what they show.
    let words = if words.trim().is_empty() { "Pictures" } else { &words };
    let language = state.leaves.first().map(|leaf| leaf.language.clone());
    let options = ReadOptions { title: state.job.title.clone(), language, exact: true, ..ReadOptions::default() };
    let document = ingest::stored(&ingest::text(words.as_bytes(), &options)?)?;
    state.packed = std::iter::once(document).chain(state.leaves.iter().map(leaf::encode)).map(Bytes::from).collect();
    Ok(())
}

fn store<'a>(state: &'a mut State, context: &'a Context) -> BoxFuture<'a, Result<(), Failure>> {
    Box::pin(async move {
        put_all(state.photos.iter().map(|(_, lead)| lead.file.clone()).collect(), context).await?;
        state.ids = put_all(std::mem::take(&mut state.packed), context).await?;
        Ok(())
    })
}
