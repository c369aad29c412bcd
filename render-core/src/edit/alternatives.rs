//! Exact prompts that a vague prompt may mean, each tried on the page.

use rayon::iter::{IntoParallelIterator, ParallelIterator};

use super::proposal::{Proposal, propose};
use super::read::{UnreadReason, offers, suggestions};
use super::{Target, read};
use crate::cancel;

/// The most alternatives to offer.
const MOST: usize = 3;
/// The most prompts to try at once.
const TRIED: usize = 8;
/// With fewer alternatives than this, general suggestions are offered too.
const ENOUGH: usize = 2;

/// A prompt and its effect.
#[derive(Debug, Clone, PartialEq)]
pub struct Alternative {
    /// The prompt.
    pub prompt: String,
    /// Its effect. It always changes the page that the original prompt was about.
    pub proposal: Proposal,
}

/// Returns whether a prompt is a wish that several changes could meet, such as "less boring".
pub fn is_vague(prompt: &str) -> bool {
    read::is_brief(prompt) && !offers(prompt).is_empty()
}

/// Returns up to three prompts that are close to `prompt`, each of which changes the page at `at` visibly. `answer` is
/// the instruction that the prompt was read as, or the reason why it was not read. For a vague prompt, the alternatives
/// are ways to meet it. For a prompt that can't be read or applied, they are about the same subject. If a prompt that
/// can't be read has too few of these, suggestions that suit the page follow.
pub fn alternatives(
    prompt: &str,
    targets: &[Target<'_>],
    at: usize,
    answer: Result<&str, UnreadReason>,
) -> Vec<Alternative> {
    let Some(target) = targets.get(at) else { return Vec::new() };
    let unread = answer == Err(UnreadReason::NotUnderstood);
    let mut prompts: Vec<String> = Vec::new();
    if unread || is_vague(prompt) {
        prompts.extend(offers(prompt).iter().map(|offer| (*offer).to_owned()));
    }
    if answer.is_err() {
        prompts.extend(read::near(prompt));
    }
    prompts.truncate(TRIED);
    let mut found = tried(prompts, targets, at, answer.ok());
    if unread && found.len() < ENOUGH {
        found.extend(tried(suggestions(target), targets, at, None));
    }
    found.truncate(MOST);
    // Phrase each alternative like the prompt.
    for other in &mut found {
        other.prompt = read::offered(&other.prompt, prompt, target);
    }
    found
}

/// Returns the prompts that change the page at `at` visibly, without those that have the same effect as `done` or
/// another.
fn tried(prompts: Vec<String>, targets: &[Target<'_>], at: usize, done: Option<&str>) -> Vec<Alternative> {
    let scope = cancel::Scope::current();
    let visible = |proposal: &Proposal| {
        let scene = targets.get(at).map(|target| &target.scene);
        proposal.edited.iter().any(|e| e.at == at && Some(&e.composed.scene) != scene)
    };
    let each = |prompt: String| {
        let proposal = scope.enter(|| propose(&prompt, targets, at)).ok()?;
        (visible(&proposal) && !proposal.partial).then_some(Alternative { prompt, proposal })
    };
    let all: Vec<Alternative> = prompts.into_par_iter().filter_map(each).collect();
    let mut known: Vec<&str> = done.into_iter().collect();
    let is_new = all.iter().map(|other| {
        let instruction = other.proposal.instruction.as_str();
        let is_new = !known.contains(&instruction);
        known.push(instruction);
        is_new
    });
    let is_new: Vec<bool> = is_new.collect();
    all.into_iter().zip(is_new).filter_map(|(other, is_new)| is_new.then_some(other)).collect()
}

#[cfg(test)]
#[path = "alternatives_tests.rs"]
mod tests;
