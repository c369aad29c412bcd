//! What a prompt asks of a page.
//!
//! ```text
//! characters --lex--> pieces --lexicon--> tokens --clauses--> rules --state--> ops
//! ```
//!
//! Words of many languages stand for the same few senses (`words`), and a rule asks which of them a clause has, hardly in
//! which order. What no rule can make use of in full is asked back: a wrong edit is worse than a question.

mod added;
mod arrange;
mod carousel;
mod clause;
mod clauses;
mod colour;
mod colours;
mod corrected;
mod deeds;
mod done;
#[cfg(test)]
mod everywhere_tests;
mod forms;
mod icons;
mod items;
mod layout;
mod lex;
mod lexicon;
mod marks;
mod partly;
mod phrasing;
mod pictures;
mod plain;
mod put;
mod reading;
mod remarks;
mod rewording;
mod said_back;
mod seen;
mod sense;
mod sizes;
mod slides;
mod state;
mod suggest;
#[cfg(test)]
mod tests;
mod things;
mod titles;
mod type_rules;
mod typos;
mod wishes;
mod wording;

pub use carousel::{Carousel, SlideAt};
pub use deeds::{Deed, deed};

pub(super) use lex::is_unspaced;
pub(super) use lexicon::number_word;
pub(super) use said_back::offered;
pub(super) use suggest::near;
pub(super) use wishes::{is_brief, offers};

use super::{Op, Target};
use state::State;

/// Characters of the longest prompt that is read.
const LONGEST: usize = 2_000;

/// What a prompt asks.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// The changes, in the order in which they are done.
    pub ops: Vec<Op>,
    /// Whether it is meant for all slides of the set.
    pub everywhere: bool,
    /// What was taken for what, where a prompt has several readings: a sentence each.
    pub notes: Vec<String>,
    /// Whether sentences were left out that can't be read; the notes name them.
    pub partial: bool,
}

/// Why a prompt is not done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnreadReason {
    /// It can't be read.
    NotUnderstood,
    /// It can't be done on this page.
    NotPossible,
}

/// A question back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unread {
    /// Which of the two.
    pub reason: UnreadReason,
    /// What was not understood, or why it can't be done; a sentence or two.
    pub message: String,
    /// Prompts that this page would understand; whether they change it is for whoever offers them to try.
    pub suggestions: Vec<String>,
    /// Whether a language model might do what is asked.
    pub open: bool,
}

/// What a prompt asks of a page, what is relative in it resolved against the page as it stands.
///
/// # Errors
/// [`Unread`].
pub fn read(prompt: &str, target: &Target<'_>) -> Result<Asked, Unread> {
    let unread = |reason, message: String, open| Unread { reason, message, suggestions: suggestions(target), open };
    let not_understood = |message: &str, open| unread(UnreadReason::NotUnderstood, message.to_owned(), open);
    if prompt.chars().nth(LONGEST).is_some() {
        return Err(not_understood(&format!("A prompt may have at most {LONGEST} characters."), false));
    }
    if !prompt.chars().any(char::is_alphanumeric) {
        return Err(not_understood("The prompt says nothing. What should change on this page?", false));
    }
    let whole = |state: &Result<State<'_, '_>, String>| {
        state.as_ref().is_ok_and(|state| state.cannot.is_none() && !state.partial)
    };
    // Everyday wording goes before what the lists make of single words of it.
    let texts = target.page.slots.iter().map(|slot| slot.text.clone()).collect();
    let on_page = plain::OnPage { texts, shown: things::shown(prompt, &State::new(target)) };
    let said = plain::plain(prompt, &on_page);
    let open = said.as_ref().is_some_and(|said| said.open);
    let said = said.map(|said| of_all(&said.prompt, Some(prompt), target));
    let done = match said {
        Some(said) if whole(&said) => said,
        // Without its table, words for the page have no certain end.
        Some(said) if open && said.as_ref().is_ok_and(|state| state.cannot.is_none()) => said,
        said => {
            let own = of_all(prompt, None, target);
            match said {
                Some(said) if !whole(&own) && said.is_ok() => said,
                _ => own,
            }
        }
    };
    match done {
        Ok(state) => match state.cannot {
            // A model may change the page itself.
            Some(why) => Err(unread(UnreadReason::NotPossible, why, true)),
            None => {
                Ok(Asked { ops: state.ops, everywhere: state.everywhere, notes: state.notes, partial: state.partial })
            }
        },
        Err(at) => Err(not_understood(&said_back::message("“{}” was not understood.", &at, prompt), true)),
    }
}

/// What a prompt changes. What is said of all slides is read as such from its first clause on.
fn of_all<'t, 'a>(prompt: &str, heard: Option<&str>, target: &'t Target<'a>) -> Result<State<'t, 'a>, String> {
    let state = reading::read(prompt, heard, target, false)?;
    if state.everywhere { reading::read(prompt, heard, target, true) } else { Ok(state) }
}

/// A picture that an edit speaks of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedPicture {
    /// Where it is to be had.
    pub url: String,
    /// The stored file, where an instruction names it.
    pub key: Option<String>,
}

/// The pictures that a prompt or an instruction speaks of, by their URLs: whoever reads or executes it on a page gives them
/// to its [`Target`].
pub fn pictures(words: &str) -> Vec<NamedPicture> {
    if let Ok(instruction) = super::Instruction::parse(words) {
        let named = instruction.ops.into_iter().filter_map(|op| match op {
            Op::Picture { url, key } => Some(NamedPicture { url, key }),
            _ => None,
        });
        return named.collect();
    }
    if words.chars().nth(LONGEST).is_some() {
        return Vec::new();
    }
    pictures::named(words).into_iter().map(|url| NamedPicture { url, key: None }).collect()
}

/// Prompts that suit a page.
pub fn suggestions(target: &Target<'_>) -> Vec<String> {
    suggest::of(target)
}
