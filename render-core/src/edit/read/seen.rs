//! Things called by what is seen of them: "the compass", "the grey text", "swap the blue stripe for yellow", "the one about
//! deadlines".

use crate::content::Language;
use crate::design::SlotId;
use crate::icon::Icon;
use crate::scene::{Color, Paint};

use super::super::phrase::spelt;
use super::super::{Hue, Op};
use super::clause::{Bag, Kind, Tok};
use super::done::Done;
use super::lex::fold;
use super::sense::{Sense, W};
use super::state::{State, Subject};

/// How far a colour's tone may be from the name that it is called by, in degrees, and how far one without a tone, in OKLab.
const TONE: f32 = 40.0;
const NEAR: f32 = 0.25;
/// The least chroma of a colour that is called by its tone: beige is no pink.
const TINTED: f32 = 0.04;
/// How far apart two colours may be that look the same.
const SAME: f32 = 0.02;

/// Words in front of a colour of somebody's own.
const OURS: [&str; 13] = [
    "our", "unser", "unserem", "unseren", "unserer", "notre", "nuestro", "nuestra", "nostro", "nosso", "nossa", "ons",
    "onze",
];

/// The tokens of a clause with the page's picture by its name, and without the colours by which texts are told apart.
pub(super) fn called(prompt: &str, mut toks: Vec<Tok>, state: &State<'_, '_>) -> Vec<Tok> {
    let picture = state.page().picture.as_deref().unwrap_or_default();
    // Behind "to" and "with" stand words for the page.
    let links = |tok: &Tok| tok.is(W::To) || tok.is(W::With) || tok.kind == Kind::Mark(':');
    let end = toks.iter().position(links).unwrap_or(toks.len());
    let open = |tok: &Tok| matches!(tok.kind, Kind::Unknown | Kind::Sense(Sense::Layout(_)));
    for tok in toks.iter_mut().take(end).filter(|tok| open(tok)) {
        let word = prompt.get(tok.at.clone()).map(fold).unwrap_or_default();
        if !picture.is_empty() && picture.split('-').any(|name| name == word || format!("{name}s") == word) {
            tok.kind = Kind::Sense(Sense::Word(W::Art));
        }
    }
    // "Our yellow" is the one of this page.
    for at in 1..toks.len() {
        let ours = toks.get(at - 1).and_then(|tok| prompt.get(tok.at.clone())).map(fold);
        let ours = ours.is_some_and(|word| OURS.contains(&word.as_str()));
        if let Some(Kind::Sense(Sense::Colour(colour))) = toks.get(at).map(|tok| tok.kind.clone()).filter(|_| ours)
            && let Some(own) = own_tone(state, colour)
            && let Some(tok) = toks.get_mut(at)
        {
            tok.kind = Kind::Sense(Sense::Colour(own));
        }
    }
    let relative = [W::Darker, W::Lighter, W::Bigger, W::Smaller, W::Bolder, W::Thinner, W::Remove];
    let has = |words: &[W]| toks.iter().any(|tok| tok.word().is_some_and(|word| words.contains(&word)));
    if has(&relative) {
        // "The text at the bottom" says which text, where nothing is moved.
        let placed = has(&[W::Text]) && !has(&[W::Move, W::Align, W::Add, W::Photo, W::Logo, W::Art]);
        let places = [W::Top, W::Bottom, W::Left, W::Right, W::Down, W::Up];
        for tok in toks.iter_mut().filter(|tok| placed && tok.word().is_some_and(|word| places.contains(&word))) {
            tok.kind = Kind::Sense(Sense::Word(W::Fill));
        }
        let names = |tok: &Tok| matches!(tok.kind, Kind::Sense(Sense::Part(_)) | Kind::Items(_)) || tok.is(W::Text);
        let described: Vec<bool> = toks.windows(2).map(|pair| is_colour(&pair[0].kind) && names(&pair[1])).collect();
        for (tok, _) in toks.iter_mut().zip(described).filter(|(_, described)| *described) {
            tok.kind = Kind::Sense(Sense::Word(W::Fill));
        }
    }
    toks
}

/// "The one about deadlines", "the 25 agencies one": the only item that says these words, in clauses that move or remove
/// items.
pub(super) fn by_words(prompt: &str, toks: Vec<Tok>, state: &State<'_, '_>) -> Vec<Tok> {
    let deeds = [W::Remove, W::Move, W::Swap, W::Set];
    let deed = toks.iter().any(|tok| !tok.slip && tok.word().is_some_and(|word| deeds.contains(&word)));
    let one = |tok: &Tok| prompt.get(tok.at.clone()).is_some_and(|word| matches!(fold(word).as_str(), "one" | "ones"));
    let speaks = |tok: &Tok| one(tok) || matches!(tok.kind, Kind::Items(_)) || tok.is(W::Item) || tok.is(W::Card);
    let open = |tok: &Tok| matches!(tok.kind, Kind::Unknown | Kind::Num(_));
    if !deed || !toks.iter().any(speaks) || toks.iter().any(|tok| matches!(tok.kind, Kind::Quoted(_))) {
        return toks;
    }
    let (Some(first), Some(last)) = (toks.iter().position(open), toks.iter().rposition(open)) else { return toks };
    let between = toks.get(first..=last).unwrap_or_default();
    if !between.iter().all(|tok| open(tok) || tok.is_fill() || tok.word().is_some()) {
        return toks;
    }
    let at = between.first().map_or(0, |tok| tok.at.start)..between.last().map_or(0, |tok| tok.at.end);
    let says = |slot: SlotId, phrase: &str| state.text(slot).is_some_and(|text| spelt(&text, phrase).is_some());
    let count = u8::try_from(state.heads().len()).unwrap_or(u8::MAX);
    // "about working remotely": the first words may be none of the item's.
    let phrases = between.iter().filter(|tok| open(tok)).take(2).filter_map(|tok| prompt.get(tok.at.start..at.end));
    let found = phrases.map(|phrase| {
        (0..count)
            .filter(|n| says(SlotId::ItemHead(*n), phrase) || says(SlotId::ItemBody(*n), phrase))
            .collect::<Vec<u8>>()
    });
    let said = found.into_iter().find_map(|found| if let [item] = found[..] { Some(item) } else { None });
    // "The lightbulb": the only item with that icon.
    let shown = || {
        let icons = between.iter().filter(|tok| open(tok)).flat_map(|tok| {
            Icon::things(&prompt.get(tok.at.clone()).map(fold).unwrap_or_default(), &Language::english())
        });
        let icons: Vec<Icon> = icons.collect();
        let has = |n: &u8| {
            let icon = state.page().items.get(usize::from(*n)).and_then(|item| item.icon);
            icon.is_some_and(|icon| icons.contains(&icon))
        };
        let with: Vec<u8> = (0..count).filter(has).collect();
        if let [item] = with[..] { Some(item) } else { None }
    };
    let Some(item) = said.or_else(shown) else { return toks };
    let mut out: Vec<Tok> = Vec::with_capacity(toks.len());
    for (n, tok) in toks.into_iter().enumerate() {
        match n {
            n if n == first => out.push(Tok { kind: Kind::Items(vec![item]), at: at.clone(), slip: false }),
            n if (first..=last).contains(&n) => {}
            _ if tok.kind == Kind::Items(vec![item]) => {}
            _ => out.push(tok),
        }
    }
    out
}

fn is_colour(kind: &Kind) -> bool {
    matches!(kind, Kind::Sense(Sense::Colour(_)))
}

/// "change the blue to green", "make the yellow part white": another colour for the one that is called so.
pub(super) fn recoloured(bag: &mut Bag<'_>, st: &mut State<'_, '_>) -> Option<Done> {
    let at: Vec<usize> = (0..bag.toks.len()).filter(|i| bag.toks.get(*i).is_some_and(|t| is_colour(&t.kind))).collect();
    let [first, second] = at[..] else { return None };
    let verb = [W::Set, W::Replace, W::Swap, W::Use];
    let before = bag.toks.get(..first)?.iter().chain(bag.toks.get(second + 1..)?);
    let says = before.clone().any(|tok| tok.word().is_some_and(|word| verb.contains(&word)));
    let between = bag.toks.get(first + 1..second)?;
    // What is said between them is what has the first colour: a word of nobody's, "stripe", or a general one.
    let things = [W::Card, W::Bar, W::Line, W::Background, W::Colour, W::Page];
    let links = [W::To, W::With, W::For];
    let known = |tok: &Tok| {
        tok.is_fill()
            || tok.kind == Kind::Unknown
            || tok.kind == Kind::Sense(Sense::Hue(Hue::Panel))
            || tok.word().is_some_and(|word| things.contains(&word) || links.contains(&word))
    };
    let linked = between.iter().any(|tok| tok.word().is_some_and(|word| links.contains(&word)));
    let one = between.iter().any(|tok| matches!(fold(bag.words(tok)).as_str(), "one" | "ones"));
    // "Make the orange burgundy": the page shows the first one.
    let there = [first.checked_sub(1)?, second.checked_sub(1)?].map(|at| bag.toks.get(at).is_some_and(Tok::is_fill));
    let seen = matches!(bag.toks.get(first).map(|tok| &tok.kind), Some(Kind::Sense(Sense::Colour(colour))) if of_look(st, *colour).is_some());
    let adjoin = between.is_empty() && there[0] && seen;
    let described =
        one || adjoin || between.first().is_some_and(|tok| tok.kind == Kind::Unknown || !tok.is_fill() && !linked);
    let unknown = between.iter().filter(|tok| tok.kind == Kind::Unknown).count();
    // "… and the beige one white" goes on.
    let says = says || one && !st.ops.is_empty();
    if !says || !between.iter().all(known) || !(linked || described) || unknown > 1 {
        return None;
    }
    let named = between.iter().find_map(|tok| match tok.kind {
        Kind::Sense(Sense::Hue(hue)) => Some(hue),
        Kind::Sense(Sense::Word(W::Background)) => Some(Hue::Background),
        _ => None,
    });
    let colours = bag.colours();
    let [was, to] = colours[..] else { return None };
    bag.take_range(first..second);
    bag.take(&[W::Replace, W::Swap, W::All, W::Colour]);
    let Some(hue) = named.filter(|hue| is_shown(st, st.target.colour(*hue))).or_else(|| of_look(st, was)) else {
        return Some(Done::No("Nothing on this page has that colour as one of its own.".into()));
    };
    st.push(Op::Colour { hue, to });
    Some(Done::Yes(vec![Subject::Hue(hue)]))
}

/// The colour of the page's palette that has the tone of `colour`, whether this page shows it or not.
fn own_tone(st: &State<'_, '_>, colour: Color) -> Option<Color> {
    let wanted = colour.to_oklch();
    let own = [Hue::Accent, Hue::Panel].map(|hue| st.target.colour(hue));
    own.into_iter().find(|own| {
        let seen = own.to_oklch();
        let turn = (seen.h - wanted.h).rem_euclid(360.0);
        !seen.is_grey() && !wanted.is_grey() && turn.min(360.0 - turn) < TONE
    })
}

/// The colour of the page that somebody may call by the name of `colour`.
pub(super) fn of_look(st: &State<'_, '_>, colour: Color) -> Option<Hue> {
    let wanted = colour.to_oklch();
    let toned = |seen: Color| {
        let seen = seen.to_oklch();
        let turn = (seen.h - wanted.h).rem_euclid(360.0);
        seen.c >= TINTED && turn.min(360.0 - turn) < TONE
    };
    let near = |hue: &Hue| {
        let own = st.target.colour(*hue);
        // What nobody sees isn't meant.
        if !is_shown(st, own) {
            return None;
        }
        let distance = own.distance(colour);
        let like = if wanted.is_grey() { distance < NEAR } else { toned(own) };
        like.then_some(distance)
    };
    // A line in a tone of the ground is not what people call by the ground's colour.
    let grounded = !wanted.is_grey() && toned(st.target.scene.background);
    let hues = Hue::ALL.into_iter().filter(|hue| !(grounded && *hue == Hue::Lines));
    let found = hues.filter_map(|hue| Some((near(&hue)?, hue)));
    found.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, hue)| hue)
}

/// Whether the page shows a colour as a ground or a shape of its own.
pub(super) fn is_shown(st: &State<'_, '_>, colour: Color) -> bool {
    let scene = &st.target.scene;
    let solid = |paint: &Paint| matches!(paint, Paint::Solid(own) if own.distance(colour) < SAME);
    scene.background.distance(colour) < SAME || scene.items.iter().any(|item| solid(&item.paint))
}
