//! Rules about colours.

use crate::design::{Background, Part, Which};
use crate::scene::Color;

use super::super::{Ground, Hue, Op};
use super::clause::{Bag, Kind};
use super::colour::{Way, is_dark, moved as shifted};
use super::done::Done;
use super::seen;
use super::sense::{Sense, W};
use super::state::{State, Subject};

/// Near-white and near-black, where a style has no such ground.
const PAPER: Color = Color::hex(0xf7f6f2);
const NIGHT: Color = Color::hex(0x121417);

/// What a clause's colour is of: texts, colours of the page.
fn subjects(bag: &mut Bag<'_>, st: &mut State<'_, '_>) -> Vec<Subject> {
    let mut out: Vec<Subject> = bag
        .take_all(|k| match k {
            Kind::Sense(Sense::Hue(h)) => Some(*h),
            Kind::Sense(Sense::Word(W::Background)) => Some(Hue::Background),
            _ => None,
        })
        .into_iter()
        .map(Subject::Hue)
        .collect();
    let items = bag.items();
    let parts = bag.parts();
    let bars = bag.has(&[W::Bar]);
    let details = parts.iter().any(|p| matches!(p, Part::Details | Part::Supporting));
    for item in &items {
        let Some(at) = st.here(*item) else { continue };
        let slot = if details { crate::design::SlotId::ItemBody(at) } else { crate::design::SlotId::ItemHead(at) };
        out.push(Subject::Text(Which::One(slot)));
    }
    if items.is_empty() {
        out.extend(parts.into_iter().map(|p| Subject::Text(Which::All(p))));
        let text = bag.take(&[W::Text, W::Everything]);
        let cards = bag.take(&[W::Card]);
        if cards {
            out.push(Subject::Hue(Hue::Cards));
        } else if bag.take(&[W::Art, W::Icon, W::Chart, W::Bar]) {
            out.push(Subject::Hue(Hue::Accent));
            if bars {
                st.note("The bars' colour is the accent.");
            }
        } else if bag.take(&[W::Item]) {
            out.push(Subject::Text(Which::All(Part::Points)));
        } else if text && out.is_empty() {
            out.push(Subject::Hue(Hue::Text));
        } else if bag.take(&[W::Line]) {
            out.push(Subject::Hue(Hue::Lines));
        }
    } else {
        bag.take(&[W::Bar, W::Card, W::Item, W::Text]);
    }
    bag.take(&[W::Text]);
    out
}

/// What the last clause was about, where that has a colour.
fn before(st: &State<'_, '_>) -> Vec<Subject> {
    let coloured = |s: &&Subject| matches!(s, Subject::Text(_) | Subject::Hue(_));
    st.about.iter().filter(coloured).copied().collect()
}

fn paint(st: &mut State<'_, '_>, subject: Subject, to: Color) -> Result<(), String> {
    match subject {
        Subject::Hue(Hue::Panel) if !seen::is_shown(st, st.target.colour(Hue::Panel)) => {
            return Err("This page shows no panel; its bands and shapes have the colours of the style.".into());
        }
        Subject::Hue(hue) => st.push(Op::Colour { hue, to }),
        Subject::Text(Which::All(Part::Button)) => {
            if !st.has(Part::Button) {
                return Err("This page has no call to action.".into());
            }
            st.note("A button has the accent's colour.");
            st.push(Op::Colour { hue: Hue::Accent, to });
        }
        Subject::Text(which) => {
            if let Which::All(part) = which
                && st.ink(which).is_none()
            {
                return Err(format!("This page has no {}.", part.name()));
            }
            st.push(Op::Ink { which, to });
        }
        _ => {}
    }
    Ok(())
}

/// "use navy for the headline", "white text on black", "background: #101820", "in our brand colour".
pub(super) fn set(bag: &mut Bag<'_>, st: &mut State<'_, '_>) -> Option<Done> {
    // "add a point: Sage" is no colour's matter.
    if bag.has(&[W::Add]) && bag.has(&[W::Item]) {
        return None;
    }
    // The words in the button have an ink of their own.
    let button_text = bag.has(&[W::Text]) && bag.any(|k| *k == Kind::Sense(Sense::Part(Part::Button)));
    let mut colours = bag.colours();
    if colours.is_empty() && bag.take(&[W::Brand]) {
        bag.take(&[W::Palette]);
        match brand(st) {
            Ok(color) => colours.push(color),
            Err(why) => {
                subjects(bag, st);
                bag.take(&[W::Colour, W::All]);
                return Some(Done::No(why));
            }
        }
    }
    if colours.is_empty() {
        return None;
    }
    bag.take(&[W::Colour, W::Palette, W::All, W::Add, W::Replace, W::More, W::Other, W::Highlight]);
    let mut of = subjects(bag, st);
    if of.is_empty() {
        of = before(st);
    }
    if button_text {
        let color = colours.first()?;
        if !st.has(Part::Button) {
            return Some(Done::No("This page has no call to action.".into()));
        }
        let which = Which::All(Part::Button);
        st.push(Op::Ink { which, to: *color });
        return Some(Done::Yes(vec![Subject::Text(which)]));
    }
    if of.is_empty() {
        let color = *colours.first()?;
        let hue = if color.to_oklch().is_grey() { Hue::Background } else { Hue::Accent };
        st.note(format!("It was taken for the {} colour.", hue.name()));
        of.push(Subject::Hue(hue));
    }
    // As many colours as things go one to one; one goes to all.
    if colours.len() != 1 && colours.len() != of.len() {
        return None;
    }
    for (i, subject) in of.iter().enumerate() {
        let color = colours.get(i).or(colours.first())?;
        if let Err(why) = paint(st, *subject, *color) {
            return Some(Done::No(why));
        }
    }
    Some(Done::Yes(of))
}

/// "use the usual background": the ground that the slides of the style have.
pub(super) fn usual(bag: &mut Bag<'_>, st: &mut State<'_, '_>) -> Option<Done> {
    if !(bag.has(&[W::Usual]) && bag.take(&[W::Background])) {
        return None;
    }
    bag.take(&[W::Usual]);
    if st.page().background == Background::Base {
        return Some(Done::No("This page has the usual background of its style.".into()));
    }
    st.push(Op::Ground(Ground::Own));
    Some(Done::Yes(vec![Subject::Hue(Hue::Background)]))
}

/// Two colours: "white text on black", "a cream background with navy text", "black on yellow", "navy and gold".
pub(super) fn two(bag: &mut Bag<'_>, st: &mut State<'_, '_>) -> Option<Done> {
    let is_colour = |k: &Kind| matches!(k, Kind::Sense(Sense::Colour(_)));
    let at: Vec<usize> = (0..bag.toks.len()).filter(|i| bag.toks.get(*i).is_some_and(|t| is_colour(&t.kind))).collect();
    let [first, second] = at.as_slice() else { return None };
    // "The beige one white" is about one thing.
    if bag.toks.get(*first..*second)?.iter().any(|t| bag.words(t).eq_ignore_ascii_case("one")) {
        return None;
    }
    let on = bag.toks.get(*first..*second)?.iter().any(|t| t.is(W::On));
    // "White text on the orange": a field of the page, whose text has an ink of its own.
    let article = second.checked_sub(1).and_then(|at| bag.toks.get(at)).is_some_and(|t| bag.words(t) == "the");
    let field =
        bag.toks.get(*second).and_then(|t| if let Kind::Sense(Sense::Colour(c)) = t.kind { Some(c) } else { None });
    if on && article && field.and_then(|colour| seen::of_look(st, colour)).is_some_and(|hue| hue != Hue::Background) {
        bag.take_range(0..bag.toks.len());
        return Some(Done::No(
            "Texts on such a field follow its colour; name one of them to set its colour alone.".into(),
        ));
    }
    // What they are of, in the order in which it is said.
    let mut of: Vec<Subject> = bag.take_all(|k| match k {
        Kind::Sense(Sense::Hue(h)) => Some(Subject::Hue(*h)),
        Kind::Sense(Sense::Word(W::Background)) => Some(Subject::Hue(Hue::Background)),
        Kind::Sense(Sense::Word(W::Text)) => Some(Subject::Hue(Hue::Text)),
        Kind::Sense(Sense::Part(p)) => Some(Subject::Text(Which::All(*p))),
        _ => None,
    });
    let colours = bag.colours();
    bag.take(&[W::Colour, W::Palette, W::All, W::More]);
    match of.as_slice() {
        [] if on => of = vec![Subject::Hue(Hue::Text), Subject::Hue(Hue::Background)],
        [] => {
            st.note("The first colour was taken for the background, the second for the accent.");
            of = vec![Subject::Hue(Hue::Background), Subject::Hue(Hue::Accent)];
        }
        [one] if on && *one != Subject::Hue(Hue::Background) => of.push(Subject::Hue(Hue::Background)),
        // "white on a black background".
        [_] if on => of.insert(0, Subject::Hue(Hue::Text)),
        [_, _] => {}
        _ => return None,
    }
    for (subject, color) in of.iter().zip(colours) {
        // "… on the blue background" says which it is already.
        let is_there =
            on && *subject == Subject::Hue(Hue::Background) && seen::of_look(st, color) == Some(Hue::Background);
        if is_there && bag.has(&[W::Background]) {
            continue;
        }
        if let Err(why) = paint(st, *subject, color) {
            return Some(Done::No(why));
        }
    }
    Some(Done::Yes(of))
}

fn brand(st: &State<'_, '_>) -> Result<Color, String> {
    let Some(brand) = st.target.brand else { return Err("This generation has no brand kit.".into()) };
    brand.primary.or(brand.accent).or(brand.secondary).ok_or_else(|| "The brand kit names no colours.".into())
}

/// "more contrast", "make the text easier to read".
pub(super) fn contrast(bag: &mut Bag<'_>, st: &mut State<'_, '_>) -> Option<Done> {
    let said = bag.take(&[W::Contrast]);
    let pops = !said && bag.take(&[W::Pop]);
    if !said && !pops {
        return None;
    }
    let less = bag.take(&[W::Less, W::Decrease]);
    bag.take(&[W::More, W::Much, W::Bit, W::Increase, W::Colour, W::Add, W::Too, W::Palette, W::Bigger, W::All]);
    let of = subjects(bag, st);
    if pops {
        if !of.is_empty() {
            return None;
        }
        st.note("To stand out more, the accent is stronger and the headline larger.");
        let accent = shifted(st.colour(Hue::Accent), Way::Vivid, 0.12);
        st.push(Op::Colour { hue: Hue::Accent, to: accent });
        let which = Which::All(Part::Headline);
        if let Some(size) = st.size(which) {
            st.push(Op::Size { which, to: super::sizes::du(size * 1.12) });
        }
        return Some(Done::Yes(vec![Subject::Page]));
    }
    let bg = st.colour(Hue::Background);
    let by = 0.15;
    let away = if is_dark(bg) == less { Way::Darker } else { Way::Lighter };
    let inks: Vec<Subject> = of.iter().copied().filter(|s| matches!(s, Subject::Text(_))).collect();
    if inks.is_empty() {
        st.push(Op::Colour { hue: Hue::Text, to: shifted(st.colour(Hue::Text), away, by) });
        // Ink that is as dark, or as light, as it gets leaves the rest to the ground.
        let ink = st.target.colour(Hue::Text).to_oklch().l;
        if !less && !(0.25..=0.88).contains(&ink) {
            let way = if is_dark(bg) { Way::Darker } else { Way::Lighter };
            st.push(Op::Colour { hue: Hue::Background, to: shifted(bg, way, 0.06) });
        }
        return Some(Done::Yes(vec![Subject::Hue(Hue::Text)]));
    }
    for subject in &inks {
        let Subject::Text(which) = *subject else { continue };
        let Some(ink) = st.ink(which) else { return Some(Done::No("This page has no such text.".into())) };
        st.push(Op::Ink { which, to: shifted(ink, away, by) });
    }
    Some(Done::Yes(inks))
}

/// "make the background darker", "warmer colours", "less saturated".
pub(super) fn moved(bag: &mut Bag<'_>, st: &mut State<'_, '_>) -> Option<Done> {
    let mut word = bag.take_word(&[W::Darker, W::Lighter, W::Warmer, W::Cooler, W::Vivid, W::Muted]);
    let less = bag.take(&[W::Less]);
    let too = bag.take(&[W::Too]);
    // "Make the red softer": a colour that the page shows.
    let shown = bag.colours();
    if word.is_none() && too {
        word = bag.take_word(&[W::Dark, W::Light]).map(|w| if w == W::Dark { W::Darker } else { W::Lighter });
    }
    let mut way = match word? {
        W::Darker => Way::Darker,
        W::Lighter => Way::Lighter,
        W::Warmer => Way::Warmer,
        W::Cooler => Way::Cooler,
        W::Vivid => Way::Vivid,
        _ => Way::Muted,
    };
    if less != too {
        way = match way {
            Way::Darker => Way::Lighter,
            Way::Lighter => Way::Darker,
            Way::Warmer => Way::Cooler,
            Way::Cooler => Way::Warmer,
            Way::Vivid => Way::Muted,
            Way::Muted => Way::Vivid,
        };
    }
    let by = if bag.take(&[W::Bit]) {
        0.06
    } else if bag.take(&[W::Much]) {
        0.25
    } else {
        0.12
    };
    bag.take(&[W::More, W::All]);
    let whole = bag.take(&[W::Palette, W::Look, W::Brand]);
    bag.take(&[W::Colour]);
    let mut of = subjects(bag, st);
    if of.is_empty() && !shown.is_empty() {
        let hues: Option<Vec<Hue>> = shown.iter().map(|colour| seen::of_look(st, *colour)).collect();
        let Some(hues) = hues else {
            return Some(Done::No("Nothing on this page has that colour as one of its own.".into()));
        };
        of.extend(hues.into_iter().map(Subject::Hue));
    }
    if of.is_empty() && !whole {
        of = before(st);
    }
    if of.is_empty() {
        if matches!(way, Way::Darker | Way::Lighter) {
            if !whole {
                st.note("It was taken for the background.");
            }
            of.push(Subject::Hue(Hue::Background));
        } else {
            if !whole {
                st.note("It was taken for background and accent.");
            }
            of.extend([Subject::Hue(Hue::Background), Subject::Hue(Hue::Accent)]);
        }
    }
    for subject in &of {
        let now = match *subject {
            Subject::Hue(hue) => Some(st.colour(hue)),
            Subject::Text(Which::All(Part::Button)) => Some(st.colour(Hue::Accent)),
            Subject::Text(which) => st.ink(which),
            _ => None,
        };
        let Some(now) = now else { return Some(Done::No("This page has no such text.".into())) };
        if let Err(why) = paint(st, *subject, shifted(now, way, by)) {
            return Some(Done::No(why));
        }
    }
    Some(Done::Yes(of))
}

/// "dark mode", "a light background".
pub(super) fn ground(bag: &mut Bag<'_>, st: &mut State<'_, '_>) -> Option<Done> {
    let dark = bag.take_word(&[W::Dark, W::Light])? == W::Dark;
    let bg = bag.take(&[W::Background]);
    bag.take(&[W::Mode, W::Look, W::Palette, W::Colour, W::Other]);
    // "light text" is about an ink.
    if let Some(part) = bag.parts().first().copied() {
        let which = Which::All(part);
        st.ink(which)?;
        if !dark && !is_dark(st.colour(Hue::Background)) {
            st.note("On a light page “light” was taken for the weight.");
            st.push(Op::Weight { part, to: 300 });
            return Some(Done::Yes(vec![Subject::Text(which)]));
        }
        st.push(Op::Ink { which, to: if dark { NIGHT } else { PAPER } });
        return Some(Done::Yes(vec![Subject::Text(which)]));
    }
    if !bg && bag.take(&[W::Text]) {
        st.push(Op::Colour { hue: Hue::Text, to: if dark { NIGHT } else { PAPER } });
        return Some(Done::Yes(vec![Subject::Hue(Hue::Text)]));
    }
    let page = st.page();
    let now = st.colour(Hue::Background);
    let colours = page.colours(st.target.brand);
    let painted = |ground: Ground| colours.on(ground.background());
    let fitting = [Ground::Own, Ground::Close, Ground::Accent].into_iter().find(|g| is_dark(painted(*g).bg) == dark);
    let about = vec![Subject::Hue(Hue::Background)];
    if is_dark(now) == dark {
        st.note(if dark { "The page is dark already." } else { "The page is light already." });
        // The ground's own colours could be others, and would take away those that were changed by themselves.
        st.push(Op::Colour { hue: Hue::Background, to: now });
        return Some(Done::Yes(about));
    }
    st.push(match fitting {
        Some(ground) => Op::Ground(ground),
        None => Op::Colour { hue: Hue::Background, to: if dark { NIGHT } else { PAPER } },
    });
    Some(Done::Yes(about))
}

/// "other colours", "the third palette".
pub(super) fn scheme(bag: &mut Bag<'_>, st: &mut State<'_, '_>) -> Option<Done> {
    if !bag.take(&[W::Palette]) {
        return None;
    }
    let (now, n) = st.scheme();
    let asked = bag.number().map(|n| n as u8).or_else(|| {
        bag.take_one(|k| match k {
            Kind::Sense(Sense::Ordinal(n)) => Some(*n),
            _ => None,
        })
    });
    let other = bag.take(&[W::Other, W::Replace, W::All, W::Swap, W::More]) || bag.has(&[W::Set]);
    let to = match asked {
        Some(to) if to > n => {
            let style = st.page().style.name();
            return Some(Done::No(format!("The style {style} has {n} colour schemes.")));
        }
        Some(0) => n,
        Some(to) => to,
        None if other => (now + 1) % n + 1,
        None => return None,
    };
    st.push(Op::Scheme(to));
    Some(Done::Yes(vec![Subject::Page]))
}
