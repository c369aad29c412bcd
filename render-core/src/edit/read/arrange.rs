//! Rules about where things stand: alignment, space, the page number.

use crate::content::Direction;
use crate::design::{Part, Stand, Which};
use crate::text::Align;

use super::super::Op;
use super::clause::Bag;
use super::done::Done;
use super::sense::W;
use super::state::{State, Subject};

/// "centre the headline", "align left".
pub(super) fn align(bag: &mut Bag<'_>, st: &mut State<'_, '_>) -> Option<Done> {
    let side = bag.take_word(&[W::Left, W::Right, W::Centre, W::Top, W::Bottom, W::Start, W::End, W::Up, W::Down]);
    let verb = bag.take(&[W::Align, W::Move]);
    let side = side?;
    let parts = bag.parts();
    let little = bag.take(&[W::Bit]);
    bag.take(&[W::Much]);
    let upright = bag.take(&[W::Upright]);
    let named = bag.take(&[W::Text, W::All, W::Everything, W::Layout, W::Look, W::It]);
    let of = parts.first().copied().unwrap_or(Part::Headline);
    let high = match side {
        W::Top | W::Up => Some(Stand::Top),
        W::Bottom | W::Down => Some(Stand::Bottom),
        W::Centre if upright => Some(Stand::Middle),
        _ => None,
    };
    if let Some(to) = high {
        let said = named || parts.iter().any(|p| is_said(*p)) || (parts.is_empty() && verb);
        if !said || !parts.iter().all(|p| is_said(*p)) {
            return (verb && !parts.is_empty())
                .then(|| Done::No("Only the text as a whole can be moved; the rest follows the layout.".into()));
        }
        if !crate::compose::stands_free(st.page()) {
            return Some(Done::No(
                "What this layout shows fills the page; another layout (“another layout”) moves its text.".into(),
            ));
        }
        // A little way up from the foot is half way.
        let to =
            if little && st.stand().is_some_and(|now| now != Stand::Middle && now != to) { Stand::Middle } else { to };
        st.push(Op::Stand(to));
        return Some(Done::Yes(vec![Subject::Text(Which::All(of))]));
    }
    if !parts.is_empty() && parts.iter().all(|p| !matches!(p, Part::Headline | Part::Supporting | Part::Kicker)) {
        return Some(Done::No("Only headline and supporting text can be aligned; the rest follows the layout.".into()));
    }
    if parts.is_empty() && bag.take(&[W::Item, W::Card, W::Bar]) {
        return Some(Done::No("Only headline and supporting text can be aligned; the rest follows the layout.".into()));
    }
    if !named && parts.is_empty() && !verb {
        st.note("It was taken for the alignment of the text.");
    }
    let rtl = st.page().locale.direction == Direction::Rtl;
    let to = match (side, rtl) {
        (W::Centre, _) => Align::Center,
        (W::Start, _) | (W::Left, false) | (W::Right, true) => Align::Start,
        _ => Align::End,
    };
    st.push(Op::Align(to));
    Some(Done::Yes(vec![Subject::Text(Which::All(of))]))
}

/// Whether a part is moved where the text is.
fn is_said(part: Part) -> bool {
    matches!(part, Part::Headline | Part::Supporting | Part::Figure)
}

/// "more white space", "tighter".
pub(super) fn space(bag: &mut Bag<'_>, st: &mut State<'_, '_>) -> Option<Done> {
    // "change the title to More space" is about what it says.
    let at = |is: &dyn Fn(&super::clause::Tok) -> bool| bag.toks.iter().position(is);
    let part = at(&|t| matches!(t.kind, super::clause::Kind::Sense(super::sense::Sense::Part(_))));
    let link = at(&|t| t.is(W::To));
    if part.is_some() && part < link && link < at(&|t| t.is(W::Space)) {
        return None;
    }
    // "Smaller text and more air" are two things.
    if bag.has(&[W::Text]) && bag.has(&[W::Smaller, W::Bigger]) && bag.has(&[W::Space, W::More]) {
        return None;
    }
    let said = bag.take(&[W::Space]);
    let margin = bag.take(&[W::Margin]);
    let tight = bag.take(&[W::Busy, W::Condensed]);
    let loose = bag.take(&[W::Calm]);
    if !said && !margin && !tight && !loose {
        return None;
    }
    let less = bag.take(&[W::Less, W::Smaller, W::Decrease, W::Remove, W::Tiny]);
    let too = bag.take(&[W::Too]);
    bag.take(&[W::More, W::Bigger, W::Increase, W::Add, W::All, W::Huge, W::Largest]);
    let much = bag.take(&[W::Much]);
    let bit = bag.take(&[W::Bit]);
    bag.take(&[W::Text, W::Item, W::Layout, W::Look, W::Colour, W::Line, W::Show]);
    bag.parts();
    bag.items();
    let percent = bag.take(&[W::Percent]);
    let to = bag.has(&[W::To]);
    let number = if percent { bag.number() } else { None };
    // "too much space" wants less of it, "too tight" more.
    let mut wider = !less;
    if too {
        wider = !wider;
    }
    if tight && !said {
        wider = too || less;
    }
    let now = f32::from(st.space());
    let by = match (number, much, bit) {
        (Some(n), ..) if to => n / now * 100.0 / 100.0,
        (Some(n), ..) => {
            if wider {
                1.0 + n / 100.0
            } else {
                1.0 - n.min(50.0) / 100.0
            }
        }
        (_, true, _) if !too => {
            if wider {
                1.4
            } else {
                0.7
            }
        }
        (_, _, true) => {
            if wider {
                1.1
            } else {
                0.92
            }
        }
        _ if wider => 1.2,
        _ => 0.85,
    };
    st.push(Op::Space((now * by).round().clamp(50.0, 200.0) as u16));
    if loose {
        st.note("More space makes a page calmer; “remove the art” would be another way.");
    }
    Some(Done::Yes(vec![Subject::Page]))
}

/// "hide the page number".
pub(super) fn counter(bag: &mut Bag<'_>, st: &mut State<'_, '_>) -> Option<Done> {
    let hides = bag.take(&[W::Remove, W::None]);
    let shows = bag.take(&[W::Show, W::Add]);
    if hides == shows {
        return None;
    }
    let parts = bag.parts();
    if parts.is_empty() || parts.iter().any(|p| *p != Part::Counter) {
        return None;
    }
    bag.take(&[W::All]);
    if st.page().slide.is_none() {
        return Some(Done::No("Only the slides of a carousel have page numbers.".into()));
    }
    st.push(Op::Counter(shows));
    Some(Done::Yes(vec![Subject::Text(Which::All(Part::Counter))]))
}
