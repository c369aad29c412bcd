//! From a clause to what it changes, and the search for the clauses of a prompt.

use std::collections::HashSet;

use crate::design::{Part, SlotId, Template, Which};
use crate::outline::PageKind;

use super::clause::{Bag, Kind, Tok, commands, with_items};
use super::done::Done;
use super::lex::fold;
use super::sense::{Sense, W};
use super::state::{State, Subject};
use super::{
    arrange, colours, corrected, forms, icons, items, layout, marks, phrasing, pictures, plain, put, rewording,
    said_back, seen, sizes, slides, things, type_rules, wording,
};

/// Pieces between separators in one clause, and tries in all: prompts with more are no instructions.
pub(super) const JOINED: usize = 8;
const TRIES: usize = 160;

type Rule = fn(&mut Bag<'_>, &mut State<'_, '_>) -> Option<Done>;

/// Rules for clauses that say words in quotation marks.
const QUOTED: [Rule; 16] = [
    rewording::reworded,
    rewording::recued,
    rewording::amended,
    rewording::joined,
    rewording::listed,
    rewording::ended,
    corrected::arrow,
    corrected::instead,
    corrected::respelt,
    pictures::another,
    pictures::drawing,
    marks::quoted,
    put::add,
    icons::set,
    type_rules::face,
    wording::quoted,
];

/// A rule for clauses that say words of the page in their place.
const MARKED: [Rule; 4] = [corrected::arrow, corrected::instead, pictures::another, wording::marked];

/// Rules for clauses of the lists' words alone, in the order of how much they ask for.
const RULES: [Rule; 43] = [
    pictures::another,
    rewording::itemised,
    rewording::uncued,
    colours::usual,
    slides::arrange,
    put::emoji,
    forms::set,
    put::add,
    put::move_to,
    marks::whole,
    pictures::never,
    items::number_points,
    icons::remove,
    icons::set,
    type_rules::face,
    items::arrange,
    items::remove,
    phrasing::shorten,
    phrasing::case,
    phrasing::emphasis_off,
    things::redrawn,
    pictures::drawing,
    pictures::photo,
    pictures::logo,
    things::sized,
    pictures::art,
    sizes::size,
    things::painted,
    seen::recoloured,
    colours::two,
    colours::set,
    colours::contrast,
    colours::moved,
    colours::ground,
    colours::scheme,
    type_rules::weight,
    arrange::align,
    arrange::space,
    items::highlight,
    arrange::counter,
    layout::set,
    phrasing::remove,
    things::take_off,
];

/// Rules for clauses that say words without quotation marks.
const OPEN: [Rule; 4] = [wording::open_replace, marks::open, wording::open_words, wording::open_set];

/// What is shown of a clause that can't be read.
pub(super) fn shown(text: &str) -> String {
    let said = text.chars().filter(|c| *c != plain::SURE);
    let clean: String = said.map(|c| if c.is_control() { ' ' } else { c }).collect();
    let clean = clean.trim();
    match clean.char_indices().nth(80) {
        Some((end, _)) => format!("{}…", clean.get(..end).unwrap_or_default().trim_end()),
        None => clean.to_owned(),
    }
}

/// The search for clauses that read a prompt to its end: the shortest first, and longer ones where the rest can't be read.
pub(super) struct Search<'p> {
    pub(super) prompt: &'p str,
    pub(super) toks: &'p [Tok],
    pub(super) parts: &'p [std::ops::Range<usize>],
    tries: usize,
    failed: HashSet<(usize, bool)>,
    /// The last clause that was come to.
    pub(super) furthest: usize,
}

impl<'p> Search<'p> {
    /// Through the clauses of a prompt, or of a part of it.
    pub(super) fn new(prompt: &'p str, toks: &'p [Tok], parts: &'p [std::ops::Range<usize>]) -> Self {
        Self { prompt, toks, parts, tries: TRIES, failed: HashSet::new(), furthest: 0 }
    }

    pub(super) fn text(&self, start: usize, end: usize) -> Option<&str> {
        let (first, last) = (self.toks.get(start)?, self.toks.get(end.checked_sub(1)?)?);
        self.prompt.get(first.at.start..last.at.end)
    }

    pub(super) fn from<'t, 'a>(&mut self, at: usize, state: State<'t, 'a>) -> Option<State<'t, 'a>> {
        let Some(first) = self.parts.get(at) else { return Some(state) };
        self.furthest = self.furthest.max(at);
        if self.failed.contains(&(at, state.open)) {
            return None;
        }
        let start = first.start;
        // Behind text without quotation marks only what is plainly an instruction begins a clause.
        let begins = self.toks.get(start..).unwrap_or_default().iter().find(|t| !t.is_fill()).is_some_and(commands);
        if !state.open || begins {
            for n in 1..=JOINED {
                let Some(last) = self.parts.get(at + n - 1) else { break };
                if self.tries == 0 {
                    return None;
                }
                self.tries -= 1;
                let toks = self.toks.get(start..last.end).unwrap_or_default();
                if let Some(next) = clause(self.prompt, toks, &state)
                    && let Some(whole) = self.from(at + n, next)
                {
                    return Some(whole);
                }
            }
        }
        self.failed.insert((at, state.open));
        None
    }
}

/// The page after a clause; `None` where no rule reads it.
pub(super) fn clause<'t, 'a>(prompt: &str, toks: &[Tok], state: &State<'t, 'a>) -> Option<State<'t, 'a>> {
    let mut state = state.clone();
    state.open = false;
    let mut toks = prepared(prompt, toks, &state);
    // Words for the page end before "on all slides".
    while toks.len() > 1 && toks.last().is_some_and(|tok| tok.is(W::Everywhere)) {
        state.everywhere |= state.page().slide.is_some();
        toks.pop();
    }
    let mut bag = Bag::new(prompt, toks);
    if bag.take(&[W::Everywhere]) {
        state.everywhere |= state.page().slide.is_some();
    }
    let tried = |rules: &[Rule], lenient: bool| {
        rules.iter().find_map(|rule| {
            let (mut bag, mut next) = (bag.clone(), state.clone());
            let done = rule(&mut bag, &mut next)?;
            let left = bag.unknown();
            if !bag.is_spent(lenient) || left.len() > usize::from(lenient) {
                return None;
            }
            if let Some(word) = left.first() {
                next.note(said_back::message("“{}” was not understood and left out.", word, prompt));
            }
            match done {
                Done::Yes(about) => next.about = about,
                Done::No(why) => next.cannot = next.cannot.or(Some(why)),
            }
            Some(next)
        })
    };
    let says = bag.any(|k| matches!(k, Kind::Quoted(_) | Kind::Name(_)));
    if says && let Some(next) = tried(&QUOTED, false) {
        return Some(next);
    }
    let beyond = |k: &Kind| matches!(k, Kind::Items(of) if of.iter().any(|i| usize::from(*i) >= state.heads().len()));
    if bag.any(beyond) {
        let mut next = state.clone();
        let why = match state.heads().len() {
            0 => "This page has no points.".to_owned(),
            n => format!("This page has {n} points."),
        };
        next.cannot = next.cannot.or(Some(why));
        return Some(next);
    }
    if let Some(next) = tried(&MARKED, false) {
        return Some(next);
    }
    // "change the title to Cats": no slip of "caps".
    let link = bag.toks.iter().position(|t| t.is(W::To)).unwrap_or(bag.toks.len());
    let short_slip = |t: &Tok| t.slip && t.at.len() <= 4;
    if bag.toks.iter().skip(link).any(short_slip)
        && let Some(next) = tried(&OPEN, false)
    {
        return Some(next);
    }
    if let Some(next) = tried(&RULES, false) {
        return Some(next);
    }
    if let Some(next) = tried(&OPEN, false) {
        return Some(next);
    }
    // One word that nobody knows is left out where it is plain what the others are about.
    let about = bag.any(|k| matches!(k, Kind::Sense(Sense::Part(_) | Sense::Hue(_)) | Kind::Items(_)));
    let named = about || bag.has(&[W::Background, W::Logo, W::Photo, W::Palette, W::Icon]);
    let known = bag.toks.iter().filter(|t| t.kind != Kind::Unknown && !t.is_fill()).count();
    let single = !bag.toks.iter().any(Tok::parts);
    if !state.strict && named && single && known >= 3 && !bag.has(&[W::Not, W::Than]) {
        tried(&RULES, true)
    } else {
        None
    }
}

/// The tokens of a clause with what this page makes of them: its items by place and by name, its figure, its quotation.
fn prepared(prompt: &str, toks: &[Tok], state: &State<'_, '_>) -> Vec<Tok> {
    let heads = state.heads();
    // "first make the title smaller": an order of clauses.
    let begins =
        matches!(toks, [first, second, ..] if first.kind == Kind::Sense(Sense::Ordinal(1)) && commands(second));
    let toks = toks.get(usize::from(begins)..).unwrap_or_default();
    let toks: Vec<Tok> = toks.iter().map(|tok| kept(prompt, tok, toks)).collect();
    let toks = complained(with_rest(with_items(&toks, prompt, heads.len()), state), prompt);
    let mut toks = seen::called(prompt, seen::by_words(prompt, toks, state), state);
    for tok in &mut toks {
        match tok.word() {
            Some(W::Quote) if state.page().template.kinds() == [PageKind::Quote] => {
                tok.kind = Kind::Sense(Sense::Part(Part::Headline));
            }
            Some(W::Quote) => {
                if let Some(quote) = Template::first_of(PageKind::Quote) {
                    tok.kind = Kind::Sense(Sense::Layout(quote));
                }
            }
            Some(W::Number) if state.has(Part::Figure) => tok.kind = Kind::Sense(Sense::Part(Part::Figure)),
            // Numerals of its points are what is seen first.
            Some(W::Number) if things::has_numerals(state) => {}
            Some(W::Number) if state.page().slide.is_some() => tok.kind = Kind::Sense(Sense::Part(Part::Counter)),
            _ => {}
        }
    }
    by_name(prompt, &toks, state)
}

/// A token; "keep" says nothing where it is said what is to become of the rest.
fn kept(prompt: &str, tok: &Tok, of: &[Tok]) -> Tok {
    let keeps = tok.kind == Kind::Unknown && prompt.get(tok.at.clone()).is_some_and(|word| fold(word) == "keep");
    let idle = keeps && of.iter().any(|tok| tok.is(W::Rest)) && of.iter().any(|tok| tok.is(W::Remove));
    if idle { Tok { kind: Kind::Sense(Sense::Word(W::Fill)), ..tok.clone() } } else { tok.clone() }
}

/// The tokens with the items and texts that are called by their words.
pub(super) fn by_name(prompt: &str, toks: &[Tok], state: &State<'_, '_>) -> Vec<Tok> {
    let heads = state.heads();
    let mut out: Vec<Tok> = Vec::with_capacity(toks.len());
    let mut at = 0;
    while let Some(first) = toks.get(at) {
        let found = heads.iter().enumerate().find_map(|(i, head)| {
            let n = named(prompt, toks.get(at..).unwrap_or_default(), head)?;
            Some((u8::try_from(i).ok()?, n))
        });
        match found {
            Some((item, n)) => {
                let end = toks.get(at + n - 1).map_or(first.at.end, |t| t.at.end);
                out.push(Tok { kind: Kind::Items(vec![item]), at: first.at.start..end, slip: false });
                at += n;
                // "the Lavender bar".
                if toks.get(at).is_some_and(|t| t.is(W::Bar) || t.is(W::Item) || t.is(W::Card)) {
                    at += 1;
                }
            }
            None => match part_by_text(prompt, toks.get(at..).unwrap_or_default(), state) {
                Some((part, n)) => {
                    let end = toks.get(at + n - 1).map_or(first.at.end, |t| t.at.end);
                    out.push(Tok { kind: Kind::Sense(Sense::Part(part)), at: first.at.start..end, slip: false });
                    at += n;
                }
                None => {
                    out.push(first.clone());
                    at += 1;
                }
            },
        }
    }
    out
}

/// The part whose whole text stands at the start of some tokens, and how many they are: a button is called by its words.
fn part_by_text(prompt: &str, toks: &[Tok], state: &State<'_, '_>) -> Option<(Part, usize)> {
    let parts = [SlotId::Value, SlotId::Cta, SlotId::Kicker, SlotId::Attribution, SlotId::Handle, SlotId::Note];
    parts.into_iter().find_map(|slot| {
        let text = state.text(slot)?;
        let n = named(prompt, toks, &text)?;
        let percent = slot == SlotId::Value && toks.get(n).is_some_and(|tok| tok.is(W::Percent));
        Some((Part::of(slot)?, n + usize::from(percent)))
    })
}

/// "The title is huge": a complaint, which asks for the opposite.
fn complained(mut toks: Vec<Tok>, prompt: &str) -> Vec<Tok> {
    let Some(at) = toks.iter().position(|tok| tok.is(W::Is)) else { return toks };
    let instructs = |tok: &Tok| commands(tok) || [W::Want, W::Too, W::Not, W::More, W::Less].iter().any(|w| tok.is(*w));
    let how = [W::Bigger, W::Smaller, W::Huge, W::Largest, W::Tiny, W::Bold, W::Thin];
    let told = toks.iter().skip(at).position(|tok| tok.word().is_some_and(|word| how.contains(&word)));
    let Some(told) = told.map(|n| n + at).filter(|_| !toks.iter().any(instructs)) else { return toks };
    // "is bigger" may be a wish, and "zu klein" says by itself which way.
    let word = toks.get(told).and_then(|tok| prompt.get(tok.at.clone())).unwrap_or_default();
    let plain = !word.contains(' ') || toks.get(told).is_some_and(|tok| tok.is(W::Huge) || tok.is(W::Tiny));
    if word.ends_with("er") || !plain {
        return toks;
    }
    let opposite = match toks.get(told).and_then(Tok::word) {
        Some(W::Huge | W::Largest) => W::Bigger,
        Some(W::Tiny) => W::Smaller,
        Some(word) => word,
        None => return toks,
    };
    for (n, word) in [(at, W::Too), (told, opposite)] {
        if let Some(tok) = toks.get_mut(n) {
            tok.kind = Kind::Sense(Sense::Word(word));
        }
    }
    toks
}

/// "The rest" as items: those that neither the clause nor the one before it named. Where the rest is to go, those that are
/// named stay.
fn with_rest(mut toks: Vec<Tok>, state: &State<'_, '_>) -> Vec<Tok> {
    let Some(at) = toks.iter().position(|t| t.is(W::Rest)) else { return toks };
    let count = u8::try_from(state.heads().len()).unwrap_or(u8::MAX);
    let here = toks.iter().take(at).filter_map(|t| if let Kind::Items(of) = &t.kind { Some(of.clone()) } else { None });
    let mut named: Vec<u8> = here.flatten().collect();
    if named.is_empty() {
        let before = state.about.iter().filter_map(|subject| match subject {
            Subject::Item(n) => Some(*n),
            Subject::Text(Which::One(SlotId::ItemHead(n) | SlotId::ItemBody(n) | SlotId::ItemLabel(n))) => Some(*n),
            _ => None,
        });
        named = before.collect();
    }
    let rest: Vec<u8> = (0..count).filter(|n| !named.contains(n)).collect();
    if named.is_empty() || rest.is_empty() {
        return toks;
    }
    let stays = toks.iter().any(|t| t.is(W::Remove));
    for (n, tok) in toks.iter_mut().enumerate() {
        if n == at {
            tok.kind = Kind::Items(rest.clone());
        } else if n < at && stays && matches!(tok.kind, Kind::Items(_)) {
            tok.kind = Kind::Sense(Sense::Word(W::Fill));
        }
    }
    toks
}

/// How many tokens at the start are an item's head; words that mean something to the grammar only as they are spelt on the
/// page.
fn named(prompt: &str, toks: &[Tok], head: &str) -> Option<usize> {
    let first = toks.first()?;
    let whole = fold(head);
    for n in 1..=toks.len().min(6) {
        let (of, last) = (toks.get(..n)?, toks.get(n - 1)?);
        let text = prompt.get(first.at.start..last.at.end)?;
        if of.iter().any(|t| matches!(t.kind, Kind::Quoted(_) | Kind::Items(_))) {
            return None;
        }
        if text == head || of.iter().any(|t| t.kind == Kind::Unknown) && fold(text) == whole {
            return Some(n);
        }
    }
    None
}
