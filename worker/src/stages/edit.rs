//! Stored pages and a prompt → what that would do, with a small picture; or an instruction → the pages that it makes.

use std::time::Duration;

use bytes::Bytes;
use fleet::edit::{EditPages, MadePage, Proposed};
use fleet::protocol::Failure;
use futures::future::{BoxFuture, try_join_all};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use render_core::compose::compose;
use render_core::design::{Brand, Page, stored};
use render_core::edit::{Edited, ExecuteError, Target, Unread, execute, propose};
use render_core::encode::{ImageFormat, encode};
use render_core::scene::Canvas;
use render_core::warning::Warning;

use super::{Stage, Tools, Work};
use crate::failure;
use crate::renderer::Renderer;

/// Stored pages and a prompt → what that would do.
pub(super) const PROPOSING: &[Stage<State>] = &[
    Stage { name: "fetch", deadline: Duration::from_secs(10), work: Work::Ask(fetch) },
    Stage { name: "open", deadline: Duration::from_secs(5), work: Work::Cpu(open) },
    Stage { name: "photo", deadline: Duration::from_secs(10), work: Work::Ask(photo) },
    Stage { name: "propose", deadline: Duration::from_secs(10), work: Work::Cpu(read) },
    Stage { name: "preview", deadline: Duration::from_secs(5), work: Work::Cpu(draw) },
];

/// Stored pages and an instruction → the pages that it makes.
pub(super) const EXECUTING: &[Stage<State>] = &[
    Stage { name: "fetch", deadline: Duration::from_secs(10), work: Work::Ask(fetch) },
    Stage { name: "open", deadline: Duration::from_secs(5), work: Work::Cpu(open) },
    Stage { name: "photo", deadline: Duration::from_secs(10), work: Work::Ask(photo) },
    Stage { name: "execute", deadline: Duration::from_secs(10), work: Work::Cpu(make) },
];

/// What the stages hand on.
pub(super) struct State {
    of: EditPages,
    /// The prompt, or the instruction.
    words: String,
    stored: Vec<Bytes>,
    pages: Vec<Page>,
    brand: Option<Brand>,
    /// What draws: with the faces of whose pages they are.
    renderer: Option<Renderer>,
    proposed: Option<Result<Proposed, Unread>>,
    edited: Vec<Edited>,
    made: Option<Result<Vec<MadePage>, ExecuteError>>,
}

impl State {
    pub fn new(of: EditPages, words: String) -> Self {
        Self {
            of,
            words,
            stored: Vec::new(),
            pages: Vec::new(),
            brand: None,
            renderer: None,
            proposed: None,
            edited: Vec::new(),
            made: None,
        }
    }

    pub fn into_proposed(self) -> Result<Proposed, Unread> {
        self.proposed.expect("stage propose comes before")
    }

    pub fn into_made(self) -> Result<Vec<MadePage>, ExecuteError> {
        self.made.expect("stage execute comes before")
    }

    fn renderer(&self) -> &Renderer {
        self.renderer.as_ref().expect("stage fetch comes before")
    }

    /// The pages as they stand.
    fn targets(&self) -> Vec<Target<'_>> {
        let (brand, fonts) = (self.brand.as_ref(), self.renderer().fonts());
        let pages: Vec<_> = self.pages.iter().zip(&self.of.pages).collect();
        pages.par_iter().map(|(page, of)| Target::new(page, of.version, brand, fonts)).collect()
    }
}

fn fetch<'a>(state: &'a mut State, tools: &'a Tools) -> BoxFuture<'a, Result<(), Failure>> {
    Box::pin(async move {
        let pages = try_join_all(state.of.pages.iter().map(|of| tools.blobs.get_blob(&of.page)));
        state.stored = pages.await.map_err(|e| failure::storage(&e))?;
        state.renderer = Some(match state.of.brand {
            Some(brand) => {
                let branded = tools.brands.load(brand, &tools.blobs, tools.renderer.fonts()).await?;
                state.brand = Some(branded.brand);
                tools.renderer.with_fonts(branded.fonts)
            }
            None => tools.renderer.clone(),
        });
        Ok(())
    })
}

fn open(state: &mut State, _: &Tools) -> Result<(), Failure> {
    let opened = state.stored.par_iter().map(|bytes| stored::decode(bytes)).collect::<Result<Vec<_>, _>>();
    state.pages = opened.map_err(|e| failure::lasting("render_failed", e.to_string()))?;
    state.stored = Vec::new();
    // A stored page names its logo; the kit that came along has the pixels.
    for logo in state.pages.iter_mut().filter_map(|page| page.logo.as_mut()) {
        if let Some(brand) = &mut state.brand {
            logo.pixels = brand.logos_mut().find(|l| l.key == logo.key).and_then(|l| l.pixels.clone());
        }
    }
    Ok(())
}

fn photo<'a>(state: &'a mut State, tools: &'a Tools) -> BoxFuture<'a, Result<(), Failure>> {
    Box::pin(async move {
        for photo in state.pages.iter_mut().filter_map(|page| page.photo.as_mut()) {
            photo.pixels = Some(tools.photos.load(&photo.key, &tools.blobs).await?);
        }
        Ok(())
    })
}

fn read(state: &mut State, _: &Tools) -> Result<(), Failure> {
    let proposed = propose(&state.words, &state.targets(), state.of.at);
    state.proposed = Some(proposed.map(|proposal| {
        state.edited = proposal.edited;
        let mut notes = proposal.notes;
        for warning in new_warnings(state) {
            if !notes.contains(&warning.message) {
                notes.push(warning.message);
            }
        }
        Proposed {
            instruction: proposal.instruction,
            changes: proposal.changes,
            notes,
            edited: state.edited.iter().map(|e| e.at).collect(),
            preview: None,
        }
    }));
    Ok(())
}

/// What is wrong with the edited page that was not before.
fn new_warnings(state: &State) -> Vec<Warning> {
    let edited = state.edited.iter().find(|e| e.at == state.of.at);
    let mut warnings = edited.map(|e| e.composed.warnings.clone()).unwrap_or_default();
    if let (false, Some(page)) = (warnings.is_empty(), state.pages.get(state.of.at)) {
        let before = compose(page, state.renderer().fonts()).warnings;
        warnings.retain(|warning| !before.contains(warning));
    }
    warnings
}

fn draw(state: &mut State, _: &Tools) -> Result<(), Failure> {
    let asked = state.edited.iter().find(|e| e.at == state.of.at).or(state.edited.first());
    let Some((edited, of)) = asked.and_then(|e| Some((e, state.of.pages.get(e.at)?))) else { return Ok(()) };
    let failed = |e: &dyn std::fmt::Display| failure::lasting("render_failed", e.to_string());
    let small = state.renderer().preview(&edited.composed.scene, Canvas::new(of.width, of.height));
    let png = encode(&small.map_err(|e| failed(&e))?, ImageFormat::Png).map_err(|e| failed(&e))?;
    if let Some(Ok(proposed)) = &mut state.proposed {
        proposed.preview = Some(png.into());
    }
    Ok(())
}

fn make(state: &mut State, _: &Tools) -> Result<(), Failure> {
    let made = execute(&state.words, &state.targets(), state.of.at);
    let made = made.map(|edited| {
        let page =
            |e: &Edited| MadePage { at: e.at, page: stored::encode(&e.page).into(), alt_text: e.page.alt_text.clone() };
        edited.iter().map(page).collect()
    });
    state.made = Some(made);
    Ok(())
}
