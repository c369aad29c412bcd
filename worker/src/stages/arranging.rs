//! Stored pages and a new order of slides → the pages that change because of it.

use std::time::Duration;

use fleet::edit::{MadePage, Unsaid};
use fleet::protocol::{Failure, FailureCode};
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use render_core::cancel::Scope;
use render_core::compose::{compose, renumbered};
use render_core::design::Page;
use render_core::edit::{Target, halves, page_text, restated};
use render_core::leaf;

use super::context::Context;
use super::edit::{State, fetch, open, photo};
use super::stage::{Stage, Work};
use crate::failure;

/// A stored page → the contents of the two slides that it is split into.
pub(super) const SPLITTING: &[Stage<State>] = &[
    Stage { name: "fetch", deadline: Duration::from_secs(10), work: Work::Ask(fetch) },
    Stage { name: "open", deadline: Duration::from_secs(5), work: Work::Cpu(open) },
    Stage { name: "halves", deadline: Duration::from_secs(5), work: Work::Cpu(split) },
];

/// Stored pages → the pages that look different as the slides that they become.
pub(super) const ARRANGING: &[Stage<State>] = &[
    Stage { name: "fetch", deadline: Duration::from_secs(10), work: Work::Ask(fetch) },
    Stage { name: "open", deadline: Duration::from_secs(5), work: Work::Cpu(open) },
    Stage { name: "photo", deadline: Duration::from_secs(10), work: Work::Ask(photo) },
    Stage { name: "arrange", deadline: Duration::from_secs(20), work: Work::Cpu(arrange) },
];

fn split(state: &mut State, _: &Context) -> Result<(), Failure> {
    let page = state.pages.get(state.of.at);
    let page =
        page.ok_or_else(|| failure::lasting(FailureCode::RenderFailed, "the edit refers to no page".to_owned()))?;
    state.halves = Some(halves(&page_text(page), page.locale.language.primary()));
    Ok(())
}

/// Replaces the words that are given, and keeps the pages that look different in their new slide.
fn arrange(state: &mut State, _: &Context) -> Result<(), Failure> {
    let (scope, targets) = (Scope::current(), state.targets());
    let made = |at: usize| scope.enter(|| arranged(state, &targets, at));
    let made: Result<Vec<Option<MadePage>>, Unsaid> = (0..state.pages.len()).into_par_iter().map(made).collect();
    drop(targets);
    state.arranged = Some(made.map(|made| made.into_iter().flatten().collect()));
    Ok(())
}

/// Returns the page at `at` in its new form; `None` if it looks the same.
fn arranged(state: &State, targets: &[Target<'_>], at: usize) -> Result<Option<MadePage>, Unsaid> {
    let Some((page, target)) = state.pages.get(at).zip(targets.get(at)) else { return Ok(None) };
    let was = state.slides.get(at).copied().flatten();
    let made = |page: &Page| MadePage {
        at,
        page: leaf::encode_planned(page).into(),
        alt_text: page.alt_text.clone(),
        correction: None,
    };
    if let Some(says) = state.says.get(at).and_then(Option::as_ref) {
        let slide = page.slide.or(was).ok_or_else(|| Unsaid { at, why: "This image is not a slide.".to_owned() })?;
        let new = restated(target, says, slide).map_err(|why| Unsaid { at, why: why.to_string() })?;
        let looks_as_before = compose(&new, state.renderer().fonts()).scene == target.scene;
        return Ok((!looks_as_before).then(|| made(&new)));
    }
    let Some(was) = was.filter(|was| page.slide != Some(*was)) else { return Ok(None) };
    let before = compose(&renumbered(page, was), state.renderer().fonts()).scene;
    Ok((target.scene != before).then(|| made(page)))
}
