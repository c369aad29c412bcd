//! Stored pages and a prompt → what the edit would change, with a small picture; or an instruction → the edited pages.

use std::time::Duration;

use bytes::Bytes;
use fleet::edit::{
    Alternative, EditPages, EditUse, EditedPage, MadePage, OfferedDesign, Previewed, Proposals, Proposed, Unsaid,
};
use fleet::llm::Turn;
use fleet::protocol::{Failure, FailureCode};
use futures::future::{BoxFuture, try_join_all};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use render_core::author;
use render_core::cancel::Scope;
use render_core::compose::{PageView, compose, renumbered, text, view};
use render_core::design::{Brand, Page, Photo, Slide, stored};
use render_core::edit::{
    self, Aspect, Design, Edited, ExecuteError, NamedPicture, Picture, Proposal, Target, Unread, UnreadReason,
    composing, execute, propose, propose_clauses,
};
use render_core::encode::{ImageFormat, encode};
use render_core::leaf;
use render_core::limits::{LEAST_PHOTO_PX as SMALLEST, PHOTO_EDGE_PX};
use render_core::outline::RevisedPage;
use render_core::scene::Canvas;
use render_core::warning::Warning;

use super::context::Context;
use super::stage::{Stage, Work};
use crate::copywriter::added_texts::added_texts;
use crate::copywriter::edit::{self as written, Rephrased};
use crate::failure;
use crate::ingest::photo::{LeadAt, lead};
use crate::renderer::{PREVIEW_PX, Renderer};

/// A little longer than the timeout of the model.
const REPHRASING: Duration = written::PATIENCE.saturating_add(Duration::from_secs(5));

/// How long an edit waits for a picture that it asks for, and how many pictures it may ask for.
const PATIENCE: Duration = Duration::from_secs(6);
const PICTURES: usize = 2;

/// Pixels of the short edge of a design in a list.
const LISTED_PX: u32 = 270;

/// Message for a prompt that can be met in several ways.
const SEVERAL: &str = "This can be done in several ways. Choose one, or say exactly what should change.";

/// Stored pages and a prompt → the proposed changes.
pub(super) const PROPOSING: &[Stage<State>] = &[
    Stage { name: "fetch", deadline: Duration::from_secs(10), work: Work::Ask(fetch) },
    Stage { name: "open", deadline: Duration::from_secs(5), work: Work::Cpu(open) },
    Stage { name: "photo", deadline: Duration::from_secs(10), work: Work::Ask(photo) },
    Stage { name: "pictures", deadline: Duration::from_secs(15), work: Work::Ask(pictures) },
    Stage { name: "keep", deadline: Duration::from_secs(10), work: Work::Io(keep) },
    Stage { name: "propose", deadline: Duration::from_secs(10), work: Work::Cpu(read) },
    // If the grammar doesn't read the prompt, a language model restates it in the grammar, and may correct itself once.
    Stage { name: "rephrase", deadline: REPHRASING, work: Work::Ask(rephrase) },
    Stage { name: "judge", deadline: Duration::from_secs(10), work: Work::Cpu(judge) },
    Stage { name: "mend", deadline: REPHRASING, work: Work::Ask(rephrase) },
    Stage { name: "judge", deadline: Duration::from_secs(10), work: Work::Cpu(judge) },
    Stage { name: "alternatives", deadline: Duration::from_secs(10), work: Work::Cpu(alternatives) },
    Stage { name: "preview", deadline: Duration::from_secs(5), work: Work::Cpu(draw) },
];

/// Stored pages and an instruction → the edited pages.
pub(super) const EXECUTING: &[Stage<State>] = &[
    Stage { name: "fetch", deadline: Duration::from_secs(10), work: Work::Ask(fetch) },
    Stage { name: "open", deadline: Duration::from_secs(5), work: Work::Cpu(open) },
    Stage { name: "photo", deadline: Duration::from_secs(10), work: Work::Ask(photo) },
    Stage { name: "pictures", deadline: Duration::from_secs(15), work: Work::Ask(pictures) },
    Stage { name: "keep", deadline: Duration::from_secs(10), work: Work::Io(keep) },
    Stage { name: "execute", deadline: Duration::from_secs(10), work: Work::Cpu(make) },
];

/// A stored page → its text, and the positions of its elements.
pub(super) const VIEWING: &[Stage<State>] = &[
    Stage { name: "fetch", deadline: Duration::from_secs(10), work: Work::Ask(fetch) },
    Stage { name: "open", deadline: Duration::from_secs(5), work: Work::Cpu(open) },
    Stage { name: "photo", deadline: Duration::from_secs(10), work: Work::Ask(photo) },
    Stage { name: "view", deadline: Duration::from_secs(5), work: Work::Cpu(look) },
];

/// A stored page and an instruction that recomposes it → the result. No language model is called, whatever is wrong
/// with the page.
pub(super) const PREVIEWING: &[Stage<State>] = &[
    Stage { name: "fetch", deadline: Duration::from_secs(10), work: Work::Ask(fetch) },
    Stage { name: "open", deadline: Duration::from_secs(5), work: Work::Cpu(open) },
    Stage { name: "photo", deadline: Duration::from_secs(10), work: Work::Ask(photo) },
    Stage { name: "propose", deadline: Duration::from_secs(10), work: Work::Cpu(follow) },
    Stage { name: "preview", deadline: Duration::from_secs(5), work: Work::Cpu(draw) },
    Stage { name: "view", deadline: Duration::from_secs(5), work: Work::Cpu(look) },
];

/// Stored pages and an aspect of their look → designs to choose from.
pub(super) const DESIGNING: &[Stage<State>] = &[
    Stage { name: "fetch", deadline: Duration::from_secs(10), work: Work::Ask(fetch) },
    Stage { name: "open", deadline: Duration::from_secs(5), work: Work::Cpu(open) },
    Stage { name: "photo", deadline: Duration::from_secs(10), work: Work::Ask(photo) },
    Stage { name: "designs", deadline: Duration::from_secs(20), work: Work::Cpu(offer) },
];

/// The state that the stages pass on.
pub(super) struct State {
    pub(super) of: EditPages,
    /// The prompt, or the instruction.
    words: String,
    stored: Vec<Bytes>,
    pub(super) pages: Vec<Page>,
    /// The slides that the stored pages were planned as.
    pub(super) slides: Vec<Option<Slide>>,
    brand: Option<Brand>,
    /// The pictures that the prompt asks for, and the files of the new ones.
    pictures: Vec<Picture>,
    files: Vec<Bytes>,
    /// Renders with the faces of the pages' brand.
    renderer: Option<Renderer>,
    proposed: Option<Result<Proposed, Unread>>,
    alternatives: Vec<Alternative>,
    /// The conversation with a language model so far.
    turns: Vec<Turn>,
    /// What the edit may use of the model, and what it used.
    used: EditUse,
    /// The model's reading of the prompt, and its answer verbatim.
    rephrased: Option<(Rephrased, String)>,
    /// The model says that the request can't be met.
    refused: bool,
    edited: Vec<Edited>,
    made: Option<Result<Vec<MadePage>, ExecuteError>>,
    view: Option<PageView>,
    /// The aspect that designs are offered for, and whether they apply to all pages.
    choice: Option<(Aspect, bool)>,
    designs: Vec<OfferedDesign>,
    /// The new words of each page, if they are replaced.
    pub(super) says: Vec<Option<RevisedPage>>,
    pub(super) halves: Option<Option<[RevisedPage; 2]>>,
    pub(super) arranged: Option<Result<Vec<MadePage>, Unsaid>>,
}

impl State {
    pub fn new(of: EditPages, words: String, used: EditUse) -> Self {
        Self {
            of,
            words,
            stored: Vec::new(),
            pages: Vec::new(),
            slides: Vec::new(),
            brand: None,
            pictures: Vec::new(),
            files: Vec::new(),
            renderer: None,
            proposed: None,
            alternatives: Vec::new(),
            turns: Vec::new(),
            used,
            rephrased: None,
            refused: false,
            edited: Vec::new(),
            made: None,
            view: None,
            choice: None,
            designs: Vec::new(),
            says: Vec::new(),
            halves: None,
            arranged: None,
        }
    }

    pub fn choosing(of: EditPages, aspect: Aspect, everywhere: bool) -> Self {
        Self { choice: Some((aspect, everywhere)), ..Self::new(of, String::new(), EditUse::default()) }
    }

    pub fn saying(of: EditPages, says: Vec<Option<RevisedPage>>) -> Self {
        Self { says, ..Self::new(of, String::new(), EditUse::default()) }
    }

    pub fn into_proposals(self) -> Proposals {
        Proposals { answer: self.proposed.expect("stage propose comes before"), alternatives: self.alternatives }
    }

    pub fn into_made(self) -> Result<Vec<MadePage>, ExecuteError> {
        self.made.expect("stage execute comes before")
    }

    pub fn into_designs(self) -> Vec<OfferedDesign> {
        self.designs
    }

    pub fn into_halves(self) -> Option<[RevisedPage; 2]> {
        self.halves.expect("stage halves comes before")
    }

    pub fn into_arranged(self) -> Result<Vec<MadePage>, Unsaid> {
        self.arranged.expect("stage arrange comes before")
    }

    pub fn into_view(self) -> PageView {
        self.view.expect("stage view comes before")
    }

    pub fn into_previewed(self) -> Result<Previewed, String> {
        let proposed = self.proposed.expect("stage propose comes before").map_err(|unread| unread.message)?;
        let correction = self.edited.first().and_then(|edited| edited.correction);
        Ok(Previewed {
            view: self.view.expect("stage view comes before"),
            changes: proposed.changes,
            edited: proposed.preview.map(|png| (png, correction)),
        })
    }

    pub(super) fn renderer(&self) -> &Renderer {
        self.renderer.as_ref().expect("stage fetch comes before")
    }

    /// Returns the pages in their current form.
    pub(super) fn targets(&self) -> Vec<Target<'_>> {
        let (brand, fonts) = (self.brand.as_ref(), self.renderer().fonts());
        let pages: Vec<_> = self.pages.iter().zip(&self.of.pages).collect();
        let target = |page, version| Target::new(page, version, brand, fonts).with_pictures(&self.pictures);
        let scope = Scope::current();
        pages.par_iter().map(|(page, of)| scope.enter(|| target(page, of.version))).collect()
    }
}

pub(super) fn fetch<'a>(state: &'a mut State, context: &'a Context) -> BoxFuture<'a, Result<(), Failure>> {
    Box::pin(async move {
        let pages = try_join_all(state.of.pages.iter().map(|of| context.blobs.get_blob(&of.page)));
        state.stored = pages.await.map_err(|e| failure::unread(&e))?;
        state.renderer = Some(match state.of.brand {
            Some(brand) => {
                let branded = context.brands.load(brand, &context.blobs, context.renderer.fonts()).await?;
                state.brand = Some(branded.brand);
                context.renderer.with_fonts(branded.fonts)
            }
            None => context.renderer.clone(),
        });
        Ok(())
    })
}

pub(super) fn open(state: &mut State, _: &Context) -> Result<(), Failure> {
    let scope = Scope::current();
    let opened =
        state.stored.par_iter().map(|bytes| scope.enter(|| stored::decode(bytes))).collect::<Result<Vec<_>, _>>();
    state.pages = opened.map_err(|e| failure::lasting(FailureCode::RenderFailed, e.to_string()))?;
    state.stored = Vec::new();
    for (page, of) in state.pages.iter_mut().zip(&state.of.pages) {
        let was = page.slide;
        if let Some(slide) = of.slide.filter(|slide| was != Some(*slide)) {
            *page = renumbered(page, slide);
        }
        state.slides.push(was);
    }
    // A stored page refers to its logo; the loaded brand kit has the pixels.
    for logo in state.pages.iter_mut().filter_map(|page| page.logo.as_mut()) {
        if let Some(brand) = &mut state.brand {
            logo.pixels = brand.logos_mut().find(|l| l.key == logo.key).and_then(|l| l.pixels.clone());
        }
    }
    Ok(())
}

pub(super) fn photo<'a>(state: &'a mut State, context: &'a Context) -> BoxFuture<'a, Result<(), Failure>> {
    Box::pin(async move {
        for photo in state.pages.iter_mut().filter_map(|page| page.photo.as_mut()) {
            photo.pixels = Some(context.photos.load(&photo.key, &context.blobs).await?);
        }
        Ok(())
    })
}

/// Fetches the pictures that the prompt asks for. A picture that was fetched before and is referred to by its file is
/// already stored.
fn pictures<'a>(state: &'a mut State, context: &'a Context) -> BoxFuture<'a, Result<(), Failure>> {
    Box::pin(async move {
        let sandbox = context.sandbox.of_account(state.of.account);
        for NamedPicture { url, key } in edit::pictures(&state.words).into_iter().take(PICTURES) {
            let known = match key {
                Some(key) => context.photos.load(&key, &context.blobs).await.ok().map(|pixels| Photo::of(key, pixels)),
                None => None,
            };
            let uploaded = state.of.uploads.iter().find(|(address, _)| *address == url);
            let file = match uploaded.filter(|_| known.is_none()) {
                Some((_, file)) => Some(context.blobs.get_blob(file).await.map_err(|e| failure::unread(&e))?),
                None => None,
            };
            let at = file.as_ref().map_or(LeadAt::Address(&url), LeadAt::File);
            let found = match known {
                Some(photo) => Ok(photo),
                None => match lead(at, &context.fetcher, &sandbox, PATIENCE, PHOTO_EDGE_PX).await {
                    Ok(Some(lead)) => {
                        state.files.push(lead.file);
                        Ok(lead.photo)
                    }
                    Ok(None) => Err(format!("it must be a photo of at least {} by {} pixels", SMALLEST.0, SMALLEST.1)),
                    Err(why) => Err(why),
                },
            };
            state.pictures.push(Picture { url, found });
        }
        Ok(())
    })
}

/// Stores the pictures before anything refers to them.
fn keep<'a>(state: &'a mut State, context: &'a Context) -> BoxFuture<'a, Result<(), Failure>> {
    Box::pin(async move {
        for file in std::mem::take(&mut state.files) {
            let bytes = file.len() as u64;
            let picture = context.blobs.put_blob(file).await.map_err(|e| failure::storage(&e))?;
            state.used.stored(picture, bytes);
        }
        Ok(())
    })
}

fn read(state: &mut State, context: &Context) -> Result<(), Failure> {
    let targets = state.targets();
    let proposed = propose(&state.words, &targets, state.of.at);
    let rest = match &proposed {
        Ok(proposal) => proposal.partial,
        Err(unread) => unread.open,
    };
    let open = rest && context.copywriter.is_some();
    let sees = open && context.copywriter.as_ref().is_some_and(|copywriter| copywriter.sees());
    let seen = |target: &Target<'_>| sees.then(|| shown(state, target)).flatten();
    let target = targets.get(state.of.at).filter(|_| open);
    let turns = target.map(|target| written::turns(&state.words, &targets, state.of.at, seen(target)));
    drop(targets);
    state.turns = turns.unwrap_or_default();
    match proposed {
        Ok(proposal) => take(state, proposal),
        Err(unread) => state.proposed = Some(Err(unread)),
    }
    Ok(())
}

/// Carries out an instruction.
fn follow(state: &mut State, _: &Context) -> Result<(), Failure> {
    match propose(&state.words, &state.targets(), state.of.at) {
        Ok(proposal) => take(state, proposal),
        Err(unread) => state.proposed = Some(Err(unread)),
    }
    Ok(())
}

/// Returns a small picture of a page, as a JPEG.
fn shown(state: &State, target: &Target<'_>) -> Option<Bytes> {
    let of = state.of.pages.get(state.of.at)?;
    let small = state.renderer().preview(&target.scene, Canvas::new(of.width, of.height), PREVIEW_PX).ok()?;
    encode(&small, ImageFormat::Jpeg).ok().map(Bytes::from)
}

/// Records a proposal as the answer.
fn take(state: &mut State, proposal: Proposal) {
    state.edited = proposal.edited;
    let mut notes = proposal.notes;
    for warning in new_warnings(state) {
        if !notes.contains(&warning.message) {
            notes.push(warning.message);
        }
    }
    state.proposed = Some(Ok(Proposed {
        instruction: proposal.instruction,
        changes: proposal.changes,
        notes,
        edited: pages_of(&state.edited),
        preview: None,
    }));
}

fn pages_of(edited: &[Edited]) -> Vec<EditedPage> {
    edited.iter().map(|e| EditedPage { at: e.at, correction: e.correction }).collect()
}

/// Finds other meanings of a vague prompt, and possible meanings of one that is not understood; renders a small picture
/// of each.
fn alternatives(state: &mut State, _: &Context) -> Result<(), Failure> {
    let Some(proposed) = &state.proposed else { return Ok(()) };
    let answer = proposed.as_ref().map(|proposed| proposed.instruction.as_str()).map_err(|unread| unread.reason);
    if state.refused {
        return Ok(());
    }
    if answer.is_ok() && !edit::is_vague(&state.words) {
        return Ok(());
    }
    let found = edit::alternatives(&state.words, &state.targets(), state.of.at, answer);
    for edit::Alternative { prompt, proposal } in found {
        // An alternative is optional, so a failed preview drops it.
        let Ok(preview) = small(state, &proposal.edited, PREVIEW_PX) else { continue };
        let edited = pages_of(&proposal.edited);
        let edit::Proposal { instruction, changes, notes, .. } = proposal;
        let proposed = Proposed { instruction, changes, notes, edited, preview };
        state.alternatives.push(Alternative { prompt, proposed });
    }
    if let Some(Err(unread)) = &mut state.proposed {
        unread.suggestions = state.alternatives.iter().map(|other| other.prompt.clone()).collect();
        let unexplained = unread.reason == UnreadReason::NotUnderstood;
        if unexplained && edit::is_vague(&state.words) && !state.alternatives.is_empty() {
            unread.message = SEVERAL.to_owned();
        }
    }
    Ok(())
}

fn rephrase<'a>(state: &'a mut State, context: &'a Context) -> BoxFuture<'a, Result<(), Failure>> {
    Box::pin(async move {
        let Some(copywriter) = context.copywriter.as_ref().filter(|_| !state.turns.is_empty()) else { return Ok(()) };
        let seed = state.words.bytes().fold(0, |n: u64, b| n.wrapping_mul(31).wrapping_add(u64::from(b)));
        match copywriter.rephrase(&state.turns, seed, &state.used.allowance).await {
            Ok(said) => state.rephrased = Some(said),
            Err(error) => {
                // The client is asked to clarify, as it would be without a model.
                tracing::warn!(%error, "rephrasing a prompt failed: no answer from the language model");
                state.turns.clear();
            }
        }
        Ok(())
    })
}

/// Tries the model's reading of the prompt on the page.
fn judge(state: &mut State, _: &Context) -> Result<(), Failure> {
    let Some((rephrased, said)) = state.rephrased.take() else { return Ok(()) };
    // Clauses say what the page language can't, such as colours and faces.
    let composed = rephrased.page.as_deref().map(composing);
    let said_so = [Some(rephrased.clauses).filter(|clauses| !clauses.is_empty()), composed];
    let clauses = said_so.into_iter().flatten().collect::<Vec<_>>().join("; ");
    if clauses.is_empty() {
        if let (Some(why), Some(Err(unread))) = (rephrased.cannot, &mut state.proposed) {
            (unread.reason, unread.message) = (UnreadReason::NotPossible, why);
            // The model knows that the request can't be met, so the suggestions of the word lists would not help.
            state.refused = true;
        }
        state.turns.clear();
        return Ok(());
    }
    let targets = state.targets();
    let foreign =
        added_texts(&clauses).map(|texts| foreign_number(texts.iter().map(String::as_str), &state.words, &targets));
    let judged = match foreign {
        Err(error) => Err(error.to_string()),
        Ok(Some(number)) => Err(format!("neither the page nor the request says {number}")),
        Ok(None) => {
            propose_clauses(&clauses, rephrased.everywhere, &targets, state.of.at).map_err(|error| error.to_string())
        }
    };
    drop(targets);
    match judged {
        Ok(mut proposal) => {
            state.turns.clear();
            // A part that can't be done is noted beside the part that is done.
            proposal.notes.extend(rephrased.cannot);
            take(state, proposal);
        }
        Err(fault) => state.turns.extend(written::mend(&said, &fault)),
    }
    Ok(())
}

/// Returns a number that a model puts into words and that neither the page nor the prompt contains.
fn foreign_number<'w>(
    mut words: impl Iterator<Item = &'w str>,
    prompt: &str,
    targets: &[Target<'_>],
) -> Option<String> {
    let numbers = |text: &str| -> Vec<String> {
        text.split(|c: char| !c.is_ascii_digit()).filter(|d| !d.is_empty()).map(str::to_owned).collect()
    };
    let mut known = numbers(prompt);
    known.extend(targets.iter().flat_map(|t| &t.page.slots).flat_map(|slot| numbers(&slot.text)));
    let said = targets.iter().filter_map(|t| text(t.page).ok()).flat_map(|text| author::lines(&text));
    known.extend(said.flat_map(|line| numbers(&line)));
    words.find_map(|line| numbers(line).into_iter().find(|number| !known.contains(number)))
}

/// Returns the warnings of the edited page that the page did not have before.
fn new_warnings(state: &State) -> Vec<Warning> {
    let edited = state.edited.iter().find(|e| e.at == state.of.at);
    let mut warnings = edited.map(|e| e.composed.warnings.clone()).unwrap_or_default();
    if let (false, Some(page)) = (warnings.is_empty(), state.pages.get(state.of.at)) {
        let before = compose(page, state.renderer().fonts()).warnings;
        warnings.retain(|warning| !before.contains(warning));
    }
    warnings
}

fn draw(state: &mut State, _: &Context) -> Result<(), Failure> {
    let picture = small(state, &state.edited, PREVIEW_PX)?;
    if let Some(Ok(proposed)) = &mut state.proposed {
        proposed.preview = picture;
    }
    Ok(())
}

/// Returns a picture of the edited page that was asked about, or else of the first edited page, its short edge `short`
/// pixels; `None` if nothing changes.
fn small(state: &State, edited: &[Edited], short: u32) -> Result<Option<Bytes>, Failure> {
    let asked = edited.iter().find(|e| e.at == state.of.at).or(edited.first());
    let Some((edited, of)) = asked.and_then(|e| Some((e, state.of.pages.get(e.at)?))) else { return Ok(None) };
    let failed = |e: &dyn std::fmt::Display| failure::lasting(FailureCode::RenderFailed, e.to_string());
    let small = state.renderer().preview(&edited.composed.scene, Canvas::new(of.width, of.height), short);
    let png = encode(&small.map_err(|e| failed(&e))?, ImageFormat::Png).map_err(|e| failed(&e))?;
    Ok(Some(png.into()))
}

/// Finds the designs of the requested aspect, and renders a small picture of each.
fn offer(state: &mut State, _: &Context) -> Result<(), Failure> {
    let Some((aspect, everywhere)) = state.choice else { return Ok(()) };
    let found = edit::designs(aspect, &state.targets(), state.of.at, everywhere);
    let scope = Scope::current();
    let drawn = |design: &Design| scope.enter(|| small(state, &design.proposal.edited, LISTED_PX));
    let previews = found.par_iter().map(drawn).collect::<Result<Vec<_>, _>>()?;
    let offered = |(Design { name, proposal }, preview)| {
        let edited = pages_of(&proposal.edited);
        let edit::Proposal { instruction, changes, notes, .. } = proposal;
        OfferedDesign { name, proposed: Proposed { instruction, changes, notes, edited, preview } }
    };
    state.designs = found.into_iter().zip(previews).map(offered).collect();
    Ok(())
}

/// Finds the positions of the page's elements: of the edited page, if it is edited.
fn look(state: &mut State, _: &Context) -> Result<(), Failure> {
    let failed = |why: String| failure::lasting(FailureCode::RenderFailed, why);
    state.view = Some(match state.edited.first() {
        Some(edited) => view(&edited.page, &edited.composed).map_err(failed)?,
        None => {
            let page = state.pages.get(state.of.at).ok_or_else(|| failed("the edit refers to no page".into()))?;
            view(page, &compose(page, state.renderer().fonts())).map_err(failed)?
        }
    });
    Ok(())
}

fn make(state: &mut State, _: &Context) -> Result<(), Failure> {
    let made = execute(&state.words, &state.targets(), state.of.at);
    let made = made.map(|edited| {
        let page = |e: &Edited| MadePage {
            at: e.at,
            page: leaf::encode_planned(&e.page).into(),
            alt_text: e.page.alt_text.clone(),
            correction: e.correction,
        };
        edited.iter().map(page).collect()
    });
    state.made = Some(made);
    Ok(())
}
