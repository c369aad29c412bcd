//! Rules about text sizes, absolute and relative to the current size.

use crate::design::{Part, SlotId, Which};

use super::super::Op;
use super::super::op::LARGEST;
use super::clause::{Bag, Kind, Tok, small};
use super::done::Done;
use super::lex::fold;
use super::sense::{Sense, W};
use super::state::{State, Subject};

/// Rounds a size and limits it to the range of ops.
pub(super) fn du(size: f32) -> u16 {
    size.round().clamp(4.0, 2000.0) as u16
}

/// A requested change of a size.
#[derive(Clone, Copy)]
enum To {
    By(f32),
    Du(f32),
    /// Larger by this many du.
    Add(f32),
    /// As large as fits.
    Most,
}

/// Takes a fraction that a clause names: "by a third", "two thirds", "um ein Viertel".
fn share(bag: &mut Bag<'_>) -> Option<f32> {
    let at = |i: usize| bag.toks.get(i);
    let one = |i: usize| at(i).is_some_and(|t| matches!(fold(bag.words(t)).as_str(), "a" | "one"));
    let found = (0..bag.toks.len()).find_map(|i| {
        let before = i.checked_sub(1);
        match at(i)?.kind {
            Kind::Sense(Sense::Share(n)) => {
                let many = before.and_then(at).and_then(small);
                Some((i - usize::from(many.is_some()), i + 1, f32::from(many.unwrap_or(1)) / f32::from(n)))
            }
            // "a third bigger", "by a fifth": a fraction, unless an item follows as in "a third point".
            Kind::Sense(Sense::Ordinal(n)) if n >= 3 && before.is_some_and(one) => {
                let counts = at(i + 1).is_some_and(|t| t.is(W::Item) || t.is(W::Bar) || t.is(W::Card));
                (!counts).then(|| (i, i + 1, 1.0 / f32::from(n)))
            }
            _ => None,
        }
    });
    let (from, to, share) = found?;
    bag.take_range(from..to);
    (share < 1.0).then_some(share)
}

/// Takes a comparison with another size, including a factor: "as big as the body text", "twice as large as the points",
/// "the same size as the headline". Returns the size in du, or an error if the page has no such text.
fn compared(bag: &mut Bag<'_>, st: &State<'_, '_>) -> Option<Result<f32, String>> {
    let last = bag.toks.iter().rposition(|t| t.is(W::As))?;
    let behind: Vec<&Tok> = bag.toks.iter().skip(last + 1).filter(|t| !t.is_fill()).collect();
    let which = match behind.as_slice() {
        [Tok { kind: Kind::Sense(Sense::Part(part)), .. }] => Which::All(*part),
        [Tok { kind: Kind::Items(items), .. }] => Which::One(SlotId::ItemHead(st.here(*items.first()?)?)),
        [tok] if tok.is(W::Item) => Which::All(Part::Points),
        _ => return None,
    };
    let says = |words: &[W]| bag.toks.iter().take(last).any(|t| t.word().is_some_and(|w| words.contains(&w)));
    let likens = says(&[W::As]) && says(&[W::Bigger, W::Smaller, W::Largest]) || says(&[W::Size]);
    if !likens && !says(&[W::Double, W::Half]) {
        return None;
    }
    let end = bag.toks.len();
    bag.take_range(last..end);
    let times = bag.take(&[W::Times]).then(|| bag.number()).flatten();
    let by = match (times, bag.take(&[W::Double]), bag.take(&[W::Half])) {
        (Some(n), ..) => n.clamp(0.1, 20.0),
        (_, true, _) => 2.0,
        (_, _, true) => 0.5,
        _ => 1.0,
    };
    bag.take(&[W::Bigger, W::Smaller, W::Size, W::Increase, W::Decrease]);
    let which = of_page(st, which);
    let size = st.size(which).map(|size| size * by);
    Some(size.ok_or_else(|| format!("This page has no {}.", named(which))))
}

/// On a page with details but no supporting text, "the text" means the details.
fn of_page(st: &State<'_, '_>, which: Which) -> Which {
    if which == Which::All(Part::Supporting) && !st.has(Part::Supporting) && st.has(Part::Details) {
        return Which::All(Part::Details);
    }
    which
}

/// Returns the name of some texts.
fn named(which: Which) -> String {
    match which {
        Which::All(part) => part.name().to_owned(),
        one => one.to_string(),
    }
}

/// The smallest number without a unit that counts as a size.
const LEAST: f32 = 10.0;

/// Takes a size change: "bigger", "20 % smaller", "to 80 px", "twice as large", "too small".
fn change(bag: &mut Bag<'_>) -> Option<To> {
    let said_size = bag.take(&[W::Size]);
    let half = bag.take(&[W::Half]);
    let double = bag.take(&[W::Double]);
    let word = bag.take_word(&[W::Largest, W::Huge, W::Tiny, W::Bigger, W::Smaller, W::Increase, W::Decrease]);
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
        Some(W::Largest | W::Huge | W::Bigger | W::Increase) => Some(true),
        Some(_) => Some(false),
        None => None,
    };
    if too != less {
        grows = grows.map(|g| !g);
    }
    let to = bag.has(&[W::To]);
    if let Some(share) = share(bag) {
        // "to two thirds" names the rest, "by a third" the difference.
        return Some(To::By(match grows {
            _ if to => share,
            Some(true) => 1.0 + share,
            Some(false) => 1.0 - share,
            None => return None,
        }));
    }
    if percent || times || px || said_size || grows.is_some() {
        let number =
            if percent || times || px || (said_size && !matches!(word, Some(W::Largest | W::Huge | W::Tiny))) || to {
                bag.number()
            } else {
                None
            };
        if let Some(n) = number {
            bag.take(&[W::Percent, W::Times, W::Px]);
            if percent {
                // "to 80 %" names the rest, "by 20 %" the difference.
                return Some(To::By(match grows {
                    Some(true) if !to || n < 100.0 => 1.0 + n / 100.0,
                    Some(false) if !to => 1.0 - n.min(90.0) / 100.0,
                    _ => n / 100.0,
                }));
            }
            if times {
                return Some(To::By(if grows == Some(false) { 1.0 / n.max(0.1) } else { n }));
            }
            // "2pt smaller".
            if let (true, false, Some(grows)) = (px, to, grows) {
                return Some(To::Add(if grows { n } else { -n }));
            }
            // "Number the points 1 to 6": a number too small for a text size needs a unit to count as one.
            return (px || n >= LEAST).then_some(To::Du(n));
        }
    }
    if word == Some(W::Largest) && grows == Some(true) {
        return Some(To::Most);
    }
    let factor = match word? {
        W::Largest | W::Huge | W::Tiny => 1.6,
        _ if much && more => 1.6,
        _ if much => 1.6,
        _ if bit => 1.12,
        _ => 1.25,
    };
    grows.map(|g| To::By(if g { factor } else { 1.0 / factor }))
}

/// Reads a clause about text sizes.
pub(super) fn size(bag: &mut Bag<'_>, st: &mut State<'_, '_>) -> Option<Done> {
    // "change the number to 65 %" is about the figure's text, not its size.
    let says = bag.has(&[W::To])
        && !bag.has(&[W::Size, W::Px, W::Bigger, W::Smaller, W::Largest, W::Huge, W::Tiny, W::Increase, W::Decrease]);
    if says && bag.any(|k| matches!(k, Kind::Sense(Sense::Part(Part::Figure)))) {
        return None;
    }
    let to = match compared(bag, st) {
        Some(Ok(size)) => To::Du(size),
        Some(Err(why)) => {
            let n = bag.toks.len();
            bag.take_range(0..n);
            return Some(Done::No(why));
        }
        None => change(bag)?,
    };
    let items = bag.items();
    let parts = bag.parts();
    let pictures = bag.take_word(&[W::Photo, W::Art, W::Icon, W::Chart]);
    let mut which: Vec<Which> = Vec::new();
    if items.is_empty() {
        which.extend(parts.into_iter().map(Which::All));
    } else {
        let details = parts.iter().any(|p| matches!(p, Part::Details | Part::Supporting));
        for item in items {
            let at = st.here(item)?;
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
        *w = of_page(st, *w);
        let Some(now) = st.size(*w) else { return Some(Done::No(format!("This page has no {}.", named(*w)))) };
        let to = match to {
            To::By(by) => du(now * by),
            To::Du(size) => du(size),
            To::Add(by) => du((now + by).max(LEAST)),
            To::Most => LARGEST,
        };
        st.push(Op::Size { which: *w, to });
    }
    Some(Done::Yes(which.into_iter().map(Subject::Text).collect()))
}
