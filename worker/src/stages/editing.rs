//! Edits that a client waits for, each a run of the stages of [`super::edit`]. They store nothing but the pictures that
//! an edit asks for.

use std::sync::Arc;

use fleet::edit::{EditPages, EditUse, MadePage, OfferedDesign, Previewed, Proposals, Unsaid};
use render_core::compose::PageView;
use render_core::edit::{Aspect, ExecuteError};
use render_core::outline::RevisedPage;
use tokio_util::sync::CancellationToken;

use super::context::Context;
use super::stage::{Stop, run};
use super::{arranging, edit};

/// Returns what `prompt` would change on some pages; stores no pages.
pub(crate) async fn propose(
    pages: EditPages,
    prompt: String,
    used: EditUse,
    context: &Arc<Context>,
) -> Result<Proposals, Stop> {
    let whose = pages.account;
    let state = edit::State::new(pages, prompt, used);
    let done = run("proposal", whose, edit::PROPOSING, state, context, &CancellationToken::new()).await?;
    Ok(done.into_proposals())
}

/// Returns a page as text, with the positions of its elements.
pub(crate) async fn view(pages: EditPages, context: &Arc<Context>) -> Result<PageView, Stop> {
    let whose = pages.account;
    let state = edit::State::new(pages, String::new(), EditUse::default());
    Ok(run("view", whose, edit::VIEWING, state, context, &CancellationToken::new()).await?.into_view())
}

/// Returns what an instruction would make of a page, or the page's faults; stores nothing.
pub(crate) async fn preview(
    pages: EditPages,
    instruction: String,
    context: &Arc<Context>,
) -> Result<Result<Previewed, String>, Stop> {
    let whose = pages.account;
    let state = edit::State::new(pages, instruction, EditUse::default());
    let done = run("preview", whose, edit::PREVIEWING, state, context, &CancellationToken::new()).await?;
    Ok(done.into_previewed())
}

/// Returns designs of one aspect of a page, or of all pages; stores nothing.
pub(crate) async fn designs(
    pages: EditPages,
    aspect: Aspect,
    everywhere: bool,
    context: &Arc<Context>,
) -> Result<Vec<OfferedDesign>, Stop> {
    let whose = pages.account;
    let state = edit::State::choosing(pages, aspect, everywhere);
    let done = run("designs", whose, edit::DESIGNING, state, context, &CancellationToken::new()).await?;
    Ok(done.into_designs())
}

/// Returns the contents of the two slides that a page is split into.
pub(crate) async fn halves(pages: EditPages, context: &Arc<Context>) -> Result<Option<[RevisedPage; 2]>, Stop> {
    let whose = pages.account;
    let state = edit::State::new(pages, String::new(), EditUse::default());
    Ok(run("halves", whose, arranging::SPLITTING, state, context, &CancellationToken::new()).await?.into_halves())
}

/// Returns the pages that look different as the slides that they become, with their new words; stores nothing.
pub(crate) async fn arrange(
    pages: EditPages,
    says: Vec<Option<RevisedPage>>,
    context: &Arc<Context>,
) -> Result<Result<Vec<MadePage>, Unsaid>, Stop> {
    let whose = pages.account;
    let state = edit::State::saying(pages, says);
    let done = run("arrange", whose, arranging::ARRANGING, state, context, &CancellationToken::new()).await?;
    Ok(done.into_arranged())
}

/// Returns the pages that `instruction` makes of some; stores no pages.
pub(crate) async fn execute(
    pages: EditPages,
    instruction: String,
    used: EditUse,
    context: &Arc<Context>,
) -> Result<Result<Vec<MadePage>, ExecuteError>, Stop> {
    let whose = pages.account;
    let state = edit::State::new(pages, instruction, used);
    let done = run("edit", whose, edit::EXECUTING, state, context, &CancellationToken::new()).await?;
    Ok(done.into_made())
}
