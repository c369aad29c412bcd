//! From a prompt to what it changes: all of its clauses, or those that can be read.

use std::collections::HashSet;

use super::super::Target;
use super::clause::{Tok, plain_words, tokens, with_items};
use super::clauses::{Search, by_name, shown};
use super::state::State;
use super::{lexicon, partly, remarks, things};

/// Pieces between separators in a prompt.
const PIECES: usize = 40;

/// What a prompt changes; the clause that can't be read where there is one. `heard` is the prompt as it was typed, if this
/// is another wording of it.
pub(super) fn read<'t, 'a>(
    prompt: &str,
    heard: Option<&str>,
    target: &'t Target<'a>,
    everywhere: bool,
) -> Result<State<'t, 'a>, String> {
    let pieces = lexicon::cut(prompt);
    let kept: HashSet<String> = target.page.slots.iter().flat_map(|s| plain_words(&s.text)).collect();
    let toks = tokens(&pieces, &lexicon::senses(&pieces, &kept, heard));
    let parts = parted(&toks);
    if parts.len() > PIECES {
        return Err(shown(prompt));
    }
    let mut search = Search::new(prompt, &toks, &parts);
    let begun = State { everywhere, ..State::new(target) };
    // What a complaint is about is what the instruction behind it changes.
    let named = things::recognised(prompt, &toks, &begun);
    let known = identified(prompt, &named, &begun);
    let (about, complaints) = remarks::with_antecedents(&known, &parted(&known));
    if !complaints.is_empty()
        && let Some(read) = partly::read(prompt, &about, &parted(&about), &complaints, begun.clone())
        && !read.partial
    {
        return Ok(read);
    }
    let told = |s: &State<'_, '_>| !s.ops.is_empty() || s.cannot.is_some();
    let found = search.from(0, begun.clone()).filter(told);
    // What can be done goes before the reason why another part can't.
    if found.as_ref().is_some_and(|state| state.cannot.is_some())
        && parts.len() > 1
        && let Some(done) = without_remarks(prompt, &named, begun.clone()).filter(|state| state.cannot.is_none())
    {
        return Ok(done);
    }
    found.or_else(|| without_remarks(prompt, &named, begun)).ok_or_else(|| {
        let at = parts.get(search.furthest).or(parts.first());
        shown(at.and_then(|r| search.text(r.start, r.end)).unwrap_or(prompt))
    })
}

/// The tokens with the items that they call by their places and by their words.
fn identified(prompt: &str, toks: &[Tok], state: &State<'_, '_>) -> Vec<Tok> {
    by_name(prompt, &with_items(toks, prompt, state.heads().len()), state)
}

/// What a prompt changes that has remarks beside its instructions, or calls things by what they show (`toks` knows them); else
/// those of its clauses that can be read.
fn without_remarks<'t, 'a>(prompt: &str, toks: &[Tok], begun: State<'t, 'a>) -> Option<State<'t, 'a>> {
    let toks = identified(prompt, toks, &begun);
    let toks = remarks::without_reasons(prompt, &toks);
    let (toks, complaints) = remarks::with_antecedents(&toks, &parted(&toks));
    let parts = parted(&toks);
    let whole = Search::new(prompt, &toks, &parts).from(0, begun.clone()).filter(|s| !s.ops.is_empty());
    let (done, undone) = match whole {
        Some(whole) if whole.cannot.is_some() && parts.len() > 1 => (None, Some(whole)),
        whole => (whole, None),
    };
    done.or_else(|| partly::read(prompt, &toks, &parts, &complaints, begun)).or(undone)
}

/// The runs of tokens between separators.
fn parted(toks: &[Tok]) -> Vec<std::ops::Range<usize>> {
    let mut out = Vec::new();
    let mut start = 0;
    for (i, tok) in toks.iter().enumerate() {
        if tok.parts() {
            if i > start {
                out.push(start..i);
            }
            start = i + 1;
        }
    }
    if toks.len() > start {
        out.push(start..toks.len());
    }
    // What says nothing at all ("please", "thanks") is no clause.
    let says = |r: &std::ops::Range<usize>| toks.get(r.clone()).is_some_and(|t| t.iter().any(|t| !t.is_fill()));
    out.retain(says);
    out
}
