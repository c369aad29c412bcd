//! Requests about the slides of a carousel themselves, which an edit of one page can't meet.

use super::clause::{Bag, Kind, is_slide};
use super::done::Done;
use super::sense::{Sense, W};
use super::state::State;

/// What is said to them.
const ELSEWHERE: &str = "That can't be read. Slides can be added, split, deleted, duplicated, moved and swapped: “delete this \
    slide”, “move slide 3 before slide 2”, “add a slide after this one saying …”.";
/// What may be done to slides.
const DEEDS: [W; 8] = [W::Remove, W::Add, W::Move, W::Swap, W::Sort, W::Reverse, W::Break, W::Duplicate];
/// What else such a request says.
const BESIDE: [W; 13] = [
    W::Page,
    W::Set_,
    W::This,
    W::To,
    W::After,
    W::Before,
    W::Top,
    W::Bottom,
    W::Start,
    W::End,
    W::Other,
    W::And,
    W::Fill,
];
/// "delete this slide", "move slide 3 before slide 2", "duplicate this slide": nothing but slides is spoken of.
pub(super) fn arrange(bag: &mut Bag<'_>, st: &mut State<'_, '_>) -> Option<Done> {
    st.page().slide?;
    let is_slide = |tok: &super::clause::Tok| !tok.slip && is_slide(tok, bag.src);
    let spoken_of = bag.toks.iter().any(is_slide);
    let done = bag.toks.iter().any(|tok| !tok.slip && tok.word().is_some_and(|word| DEEDS.contains(&word)));
    let alone = bag.toks.iter().all(|tok| match &tok.kind {
        Kind::Sense(Sense::Word(word)) => DEEDS.contains(word) || BESIDE.contains(word),
        Kind::Sense(Sense::Ordinal(_) | Sense::Number(_) | Sense::Share(_)) | Kind::Num(_) => true,
        _ => false,
    });
    if !(spoken_of && done && alone) {
        return None;
    }
    let n = bag.toks.len();
    bag.take_range(0..n);
    Some(Done::No(ELSEWHERE.to_owned()))
}
