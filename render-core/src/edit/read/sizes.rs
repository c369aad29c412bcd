//! Rules about sizes: of texts, absolute and against what they are.

use crate::design::{Part, SlotId, Which};

use super::super::Op;
use super::clause::{Bag, Kind};
use super::clauses::Done;
use super::sense::{Sense, W};
use super::state::{State, Subject};
use super::wording::here;

/// A size as ops have it.
pub(super) fn du(size: f32) -> u16 {
    size.round().clamp(4.0, 2000.0) as u16
}

/// What a clause asks of a size.
enum To {
    By(f32),
    Du(f32),
}

/// "bigger", "20 % smaller", "to 80 px", "twice as large", "too small".
fn change(bag: &mut Bag<'_>) -> Option<To> {
    let said_size = bag.take(&[W::Size]);
    let half = bag.take(&[W::Half]);
    let double = bag.take(&[W::Double]);
    let word = bag.take_word(&[W::Huge, W::Tiny, W::Bigger, W::Smaller, W::Increase, W::Decrease]);
    let more = bag.take(&[W::Bigger, W::Smaller]);
    let too = bag.take(&[W::Too]);
    let bit = bag.take(&[W::Bit]);
    let much = bag.take(&[W::Much]);
    let less = bag.take(&[W::Less]);
    bag.take(&[W::More]);
    let percent = bag.any(|k| *k == Kind::Sense(Sense::Word(W::Percent)));
    let times = bag.any(|k| *k == Kind::Sense(Sense::Word(W::Times)));
    let px = bag.any(|k| *k == Kind::Sense(Sense::Word(W::Px)));
    if double || half {
        let by = if double && !matches!(word, Some(W::Smaller | W::Tiny | W::Decrease)) { 2.0 } else { 0.5 };
        return Some(To::By(by));
    }
    let mut grows = match word {
        Some(W::Huge | W::Bigger | W::Increase) => Some(true),
        Some(_) => Some(false),
        None => None,
    };
    if too != less {
        grows = grows.map(|g| !g);
    }
    let to = bag.has(&[W::To]);
    if percent || times || px || said_size || grows.is_some() {
        let number = if percent || times || px || (said_size && !matches!(word, Some(W::Huge | W::Tiny))) || to {
            bag.number()
        } else {
            None
        };
        if let Some(n) = number {
            bag.take(&[W::Percent, W::Times, W::Px]);
            if percent {
                // "to 80 %" is what is left, "by 20 %" what goes.
                return Some(To::By(match grows {
                    Some(true) if !to || n < 100.0 => 1.0 + n / 100.0,
                    Some(false) if !to => 1.0 - n.min(90.0) / 100.0,
                    _ => n / 100.0,
                }));
            }
            if times {
                return Some(To::By(if grows == Some(false) { 1.0 / n.max(0.1) } else { n }));
            }
            return Some(To::Du(n));
        }
    }
    let factor = match word? {
        W::Huge | W::Tiny => 1.6,
        _ if much && more => 1.6,
        _ if much => 1.6,
        _ if bit => 1.12,
        _ => 1.25,
    };
    grows.map(|g| To::By(if g { factor } else { 1.0 / factor }))
}

/// Sizes of texts.
pub(super) fn size(bag: &mut Bag<'_>, st: &mut State<'_, '_>) -> Option<Done> {
    // "change the number to 65 %" is about what it says.
    let says = bag.has(&[W::To])
        && !bag.has(&[W::Size, W::Px, W::Bigger, W::Smaller, W::Huge, W::Tiny, W::Increase, W::Decrease]);
    if says && bag.any(|k| matches!(k, Kind::Sense(Sense::Part(Part::Figure)))) {
        return None;
    }
    let to = change(bag)?;
    let items = bag.items();
    let parts = bag.parts();
    let pictures = bag.take_word(&[W::Photo, W::Art, W::Icon, W::Chart]);
    let mut which: Vec<Which> = Vec::new();
    if items.is_empty() {
        which.extend(parts.into_iter().map(Which::All));
    } else {
        let details = parts.iter().any(|p| matches!(p, Part::Details | Part::Supporting));
        for item in items {
            let at = here(st, item)?;
            which.push(Which::One(if details { SlotId::ItemBody(at) } else { SlotId::ItemHead(at) }));
        }
    }
    let of_items = |w: &Which| matches!(w, Which::One(_) | Which::All(Part::Points | Part::Details | Part::Labels));
    if bag.take(&[W::Item, W::Card, W::Bar]) && !which.iter().any(of_items) {
        which.push(Which::All(Part::Points));
    }
    let everything = bag.take(&[W::Everything]);
    let all = bag.take(&[W::All]) || everything;
    let text = bag.take(&[W::Text, W::Face]) || everything;
    if text && which.is_empty() {
        if all {
            which.extend(st.texts().into_iter().map(Which::All));
        } else {
            let part = st.text_part();
            st.note(format!("“The text” was taken for the {}.", part.name()));
            which.push(Which::All(part));
        }
    }
    if let Some(picture) = pictures {
        let name = match picture {
            W::Photo => "photograph",
            W::Art => "art",
            W::Icon => "icons",
            _ => "chart",
        };
        return Some(Done::No(format!(
            "The {name} fills the room that the layout leaves; smaller texts leave more of it."
        )));
    }
    if which.is_empty() {
        which = st.about.iter().filter_map(|s| if let Subject::Text(w) = s { Some(*w) } else { None }).collect();
    }
    if which.is_empty() {
        st.note("It was taken for the headline.");
        which.push(Which::All(Part::Headline));
    }
    for w in &mut which {
        // "the text" under a list is what its items say.
        if *w == Which::All(Part::Supporting) && !st.has(Part::Supporting) && st.has(Part::Details) {
            *w = Which::All(Part::Details);
        }
        let Some(now) = st.size(*w) else {
            let name = match w {
                Which::All(part) => part.name().to_owned(),
                one => one.to_string(),
            };
            return Some(Done::No(format!("This page has no {name}.")));
        };
        let to = match to {
            To::By(by) => now * by,
            To::Du(size) => size,
        };
        st.push(Op::Size { which: *w, to: du(to) });
    }
    Some(Done::Yes(which.into_iter().map(Subject::Text).collect()))
}
