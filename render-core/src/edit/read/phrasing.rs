//! Rules about how words stand: shorter, in capitals, emphasised, broken into lines.

use crate::content::segment::sentences;
use crate::content::words;
use crate::content::{Language, shorten as wordings, shorten_head};
use crate::design::{Part, SlotId, Which};

use super::super::phrase::spelt;
use super::super::{Elements, Op, Reshape};
use super::clause::{Bag, Kind};
use super::done::Done;
use super::sense::{Sense, W};
use super::state::{State, Subject};
use super::things;

/// The slots that a clause is about: parts it names, items, what the last one was about, else the headline.
fn slots(bag: &mut Bag<'_>, st: &mut State<'_, '_>) -> Vec<SlotId> {
    let items = bag.items();
    let mut parts = bag.parts();
    let all_text = bag.take(&[W::Text, W::Everything]);
    if bag.take(&[W::Item, W::Card, W::Bar]) && items.is_empty() {
        parts.push(Part::Points);
    }
    if !items.is_empty() {
        let details = parts.iter().any(|p| matches!(p, Part::Details | Part::Supporting));
        let places = items.iter().filter_map(|i| st.here(*i));
        return places.map(|i| if details { SlotId::ItemBody(i) } else { SlotId::ItemHead(i) }).collect();
    }
    if parts.is_empty() {
        parts = st
            .about
            .iter()
            .filter_map(|s| match s {
                Subject::Text(Which::All(p)) => Some(*p),
                _ => None,
            })
            .collect();
    }
    if parts.is_empty() && all_text {
        return st.slots().into_iter().map(|(s, _)| s).collect();
    }
    if parts.is_empty() {
        st.note("It was taken for the headline.");
        parts.push(Part::Headline);
    }
    let of = |s: &SlotId| Part::of(*s).is_some_and(|p| parts.contains(&p));
    st.slots().into_iter().map(|(s, _)| s).filter(of).collect()
}

fn about(slots: &[SlotId]) -> Vec<Subject> {
    let mut out: Vec<Subject> = Vec::new();
    for part in slots.iter().filter_map(|s| Part::of(*s)) {
        let subject = Subject::Text(Which::All(part));
        if !out.contains(&subject) {
            out.push(subject);
        }
    }
    out
}

/// "shorten the headline", "make the text shorter".
pub(super) fn shorten(bag: &mut Bag<'_>, st: &mut State<'_, '_>) -> Option<Done> {
    if !bag.take(&[W::Shorten]) {
        return None;
    }
    bag.take(&[W::Bit, W::Much, W::Too, W::More]);
    let to_first = bag.take(&[W::FirstSentence]);
    let texts = bag.has(&[W::Text]) && !bag.any(|k| matches!(k, Kind::Sense(Sense::Part(_)) | Kind::Items(_)));
    if texts {
        st.about.clear();
    }
    let mut slots = slots(bag, st);
    if texts {
        let part = st.text_part();
        let longest = slots.iter().copied().max_by_key(|slot| st.text(*slot).map_or(0, |text| text.len()));
        slots.retain(|s| Part::of(*s) == Some(part));
        // On a page of one quotation, that is the text.
        if slots.is_empty() {
            slots.extend(longest);
        }
    }
    let language = &st.page().locale.language;
    let mut any = false;
    for slot in &slots {
        let Some(text) = st.text(*slot) else { continue };
        let heads = matches!(slot, SlotId::Title | SlotId::ItemHead(_));
        let options = match (to_first, heads) {
            (true, _) => leading(&text, 0, language).into_iter().collect(),
            (false, true) => shorten_head(&text, language),
            (false, false) => wordings(&text, language),
        };
        // Not just a full stop fewer.
        let is_shorter = |o: &String| !o.is_empty() && o.chars().count() + 1 < text.chars().count();
        let shorter = options.into_iter().find(is_shorter);
        let halved = || leading(&text, text.len() * 6 / 10, language).filter(is_shorter).filter(|_| !heads);
        let shorter = shorter.or_else(halved);
        if let Some(to) = shorter {
            any = true;
            st.push(Op::Words { slot: *slot, to });
        }
    }
    if !any {
        return Some(Done::No(
            "There is nothing in it that could be left out without changing what it says; say what it should read instead."
                .into(),
        ));
    }
    Some(Done::Yes(about(&slots)))
}

/// The first sentence of a text, and those behind it that end within `bytes`; `None` where that is all of it.
fn leading(text: &str, bytes: usize, language: &Language) -> Option<String> {
    let ends: Vec<usize> = sentences(text, words::of(language.primary())).iter().map(|range| range.end).collect();
    let end = ends.iter().copied().rfind(|end| *end <= bytes).or(ends.first().copied())?;
    (ends.len() > 1 && end < text.trim_end().len()).then(|| text.get(..end).unwrap_or(text).trim_end().to_owned())
}

/// All texts without what stands in brackets.
pub(super) fn unbracketed(st: &mut State<'_, '_>) -> Done {
    let without = |text: &str| {
        let (start, end) = (text.find('(')?, text.find(')')?);
        let (front, rest) = (text.get(..start)?.trim_end(), text.get(end + 1..)?);
        // What is left of a text that begins with brackets is none.
        (!front.is_empty() && start < end).then(|| format!("{front}{rest}"))
    };
    let changed: Vec<(SlotId, String)> =
        st.slots().into_iter().filter_map(|(slot, text)| Some((slot, without(&text)?))).collect();
    if changed.is_empty() {
        return Done::No("No text on this page has anything in brackets.".into());
    }
    st.certain = true;
    for (slot, to) in changed {
        st.push(Op::Words { slot, to });
    }
    Done::Yes(Vec::new())
}

/// "in capitals", "title case", "capitalise the headline".
pub(super) fn case(bag: &mut Bag<'_>, st: &mut State<'_, '_>) -> Option<Done> {
    let case = bag.take_word(&[W::Upper, W::Lower, W::TitleCase, W::SentenceCase]);
    let verb = bag.take(&[W::Capitalise]);
    if case.is_none() && !verb {
        return None;
    }
    if bag.take(&[W::Remove]) && case == Some(W::Upper) {
        return cased(bag, st, W::SentenceCase);
    }
    cased(bag, st, case.unwrap_or(W::TitleCase))
}

fn cased(bag: &mut Bag<'_>, st: &mut State<'_, '_>, case: W) -> Option<Done> {
    bag.take(&[W::All, W::Word]);
    let slots = slots(bag, st);
    if slots.is_empty() {
        return Some(Done::No("This page has no such text.".into()));
    }
    let turkic = matches!(st.page().locale.language.primary(), "tr" | "az");
    for slot in &slots {
        let Some(text) = st.text(*slot) else { continue };
        let to = match case {
            W::Upper => upper(&text, turkic),
            W::Lower => lower(&text, turkic),
            W::SentenceCase => sentence_case(&text, turkic),
            _ => title_case(&text, turkic),
        };
        st.push(Op::Words { slot: *slot, to });
    }
    Some(Done::Yes(about(&slots)))
}

/// Capitals; Turkish tells i with a dot from the one without.
fn upper(text: &str, turkic: bool) -> String {
    if turkic { text.replace('i', "İ").to_uppercase() } else { text.to_uppercase() }
}

fn lower(text: &str, turkic: bool) -> String {
    if turkic { text.replace('I', "ı").replace('İ', "i").to_lowercase() } else { text.to_lowercase() }
}

fn first_upper(word: &str, turkic: bool) -> String {
    let end = word.chars().next().map_or(0, char::len_utf8);
    let (first, rest) = word.split_at(end);
    upper(first, turkic) + rest
}

/// Whether a word keeps its own capitals: an abbreviation, or a name with one inside.
fn keeps_case(word: &str) -> bool {
    word.chars().skip(1).any(char::is_uppercase)
}

fn title_case(text: &str, turkic: bool) -> String {
    let small =
        ["a", "an", "the", "and", "or", "but", "nor", "of", "in", "on", "at", "to", "for", "by", "as", "with", "from"];
    let shouts = !text.chars().any(char::is_lowercase);
    let text = if shouts { lower(text, turkic) } else { text.to_owned() };
    let words: Vec<&str> = text.split(' ').collect();
    let last = words.len().saturating_sub(1);
    let cased = words.iter().enumerate().map(|(i, w)| {
        if i > 0 && i < last && small.contains(w) || keeps_case(w) { (*w).to_owned() } else { first_upper(w, turkic) }
    });
    cased.collect::<Vec<_>>().join(" ")
}

fn sentence_case(text: &str, turkic: bool) -> String {
    let shouts = !text.chars().any(char::is_lowercase);
    let mut start = true;
    let words = text.split(' ').map(|w| {
        let plain = if keeps_case(w) && !shouts { w.to_owned() } else { lower(w, turkic) };
        let word = if start { first_upper(&plain, turkic) } else { plain };
        start = w.ends_with(['.', '!', '?', ':']);
        word
    });
    words.collect::<Vec<_>>().join(" ")
}

/// Emphasises phrases where the clause, or the page, has them.
pub(super) fn stress(bag: &mut Bag<'_>, st: &mut State<'_, '_>, phrases: &[String]) -> Option<Done> {
    bag.take(&[W::Highlight, W::Bold, W::Bolder, W::Emphasis, W::Word, W::Text, W::Colour]);
    if !bag.colours().is_empty() {
        st.note("Single words take the page's emphasis, not a colour of their own.");
    }
    let parts = bag.parts();
    let items = bag.items();
    let within = |slot: SlotId| {
        let of_item = |i: &u8| matches!(slot, SlotId::ItemHead(n) | SlotId::ItemBody(n) if n == *i);
        (parts.is_empty() || Part::of(slot).is_some_and(|p| parts.contains(&p)))
            && (items.is_empty() || items.iter().any(of_item))
    };
    let first = phrases.first()?;
    // The headline first, then whatever says it.
    let mut slots: Vec<(SlotId, String)> = st.slots().into_iter().filter(|(s, _)| within(*s)).collect();
    slots.sort_by_key(|(s, _)| *s != SlotId::Title);
    let Some((slot, text)) = slots.into_iter().find(|(_, text)| spelt(text, first).is_some()) else {
        let place = parts.first().map_or("No text on this page".to_owned(), |p| format!("The {}", p.name()));
        let verb = if parts.is_empty() { "says" } else { "doesn't say" };
        return Some(Done::No(format!("{place} {verb} “{first}”.")));
    };
    st.certain = true;
    let words = phrases.iter().filter_map(|p| spelt(&text, p)).collect();
    st.push(Op::Stress { slot, words });
    Some(Done::Yes(about(&[slot])))
}

/// "remove the highlighting from the headline".
pub(super) fn emphasis_off(bag: &mut Bag<'_>, st: &mut State<'_, '_>) -> Option<Done> {
    if !bag.take(&[W::Remove, W::None]) || !bag.take(&[W::Emphasis]) {
        return None;
    }
    bag.take(&[W::All, W::Word, W::Text, W::After, W::Before]);
    bag.number();
    let named = bag.any(|k| matches!(k, Kind::Sense(Sense::Part(_))));
    let slots: Vec<SlotId> = if named {
        slots(bag, st)
    } else {
        let marked = st.page().slots.iter().filter(|s| !s.emphasis.is_empty()).map(|s| s.id);
        let marked: Vec<SlotId> = marked.collect();
        if marked.is_empty() { vec![SlotId::Title] } else { marked }
    };
    let tree = things::tree(st);
    for slot in &slots {
        st.push(Op::Stress { slot: *slot, words: Vec::new() });
        // The style emphasises a word of its own accord.
        let id = slot.to_string();
        let stress = tree.as_ref().and_then(|tree| tree.find(&id)?.get("stress"));
        if stress.is_some_and(|stress| stress != "none") {
            let to = Elements::One(id);
            st.push(Op::Element(Reshape::Give { to, name: "stress".to_owned(), value: "none".to_owned() }));
        }
    }
    Some(Done::Yes(about(&slots)))
}

/// "break the headline after “save”".
pub(super) fn break_line(bag: &mut Bag<'_>, st: &mut State<'_, '_>, phrase: &str) -> Option<Done> {
    bag.take(&[W::Break, W::Line, W::Add, W::Other, W::Word, W::Move, W::Text]);
    let place = bag.take_word(&[W::After, W::Before]);
    bag.take(&[W::After, W::Before]);
    let parts = bag.parts();
    let of = |slot: SlotId| match parts.first() {
        Some(part) => Part::of(slot) == Some(*part),
        None => true,
    };
    let mut slots: Vec<(SlotId, String)> = st.slots().into_iter().filter(|(s, _)| of(*s)).collect();
    slots.sort_by_key(|(s, _)| *s != SlotId::Title);
    let Some((slot, text)) = slots.into_iter().find(|(_, text)| spelt(text, phrase).is_some()) else {
        return Some(Done::No(format!("No text on this page says “{phrase}”.")));
    };
    let word = spelt(&text, phrase)?;
    let at = text.find(&word)?;
    // "put “save” on a new line" breaks in front of it.
    let at = if place == Some(W::After) { at + word.len() } else { at };
    let (front, rest) = text.split_at(at);
    let rest = rest.trim_start();
    // A comma or full stop stays with the word before it.
    let marks = rest.find(|c: char| !matches!(c, ',' | '.' | ';' | ':' | '!' | '?' | '…')).unwrap_or(rest.len());
    let (mark, rest) = rest.split_at(marks);
    let (front, rest) = (format!("{}{mark}", front.trim_end()), rest.trim_start());
    if front.is_empty() || rest.is_empty() {
        return Some(Done::No(format!("There is nothing to break off at “{phrase}”.")));
    }
    st.push(Op::Words { slot, to: format!("{front}\n{rest}") });
    Some(Done::Yes(about(&[slot])))
}

/// Texts off the page.
pub(super) fn remove(bag: &mut Bag<'_>, st: &mut State<'_, '_>) -> Option<Done> {
    if !bag.take(&[W::Remove, W::None]) {
        return None;
    }
    if bag.take(&[W::Brackets]) {
        return Some(unbracketed(st));
    }
    let mut parts = bag.parts();
    let items = bag.items();
    if parts.is_empty() && items.is_empty() && bag.take(&[W::Text]) {
        parts.push(st.text_part());
        st.note(format!("“The text” was taken for the {}.", st.text_part().name()));
    }
    bag.take(&[W::All, W::Text, W::Line]);
    if parts.is_empty() && items.is_empty() && things::uncarded(bag, st) {
        return Some(Done::Yes(Vec::new()));
    }
    if parts.is_empty() && items.is_empty() && bag.take(&[W::Item, W::Card, W::Bar]) {
        parts.push(Part::Points);
    }
    if parts.is_empty() {
        return None;
    }
    let mut about = Vec::new();
    for part in parts {
        let mut slots: Vec<SlotId> = match (part, items.as_slice()) {
            (_, []) => st.slots().into_iter().map(|(s, _)| s).filter(|s| Part::of(*s) == Some(part)).collect(),
            (Part::Details | Part::Supporting, of) => {
                of.iter().filter_map(|i| st.here(*i)).map(SlotId::ItemBody).collect()
            }
            (Part::Labels, of) => of.iter().filter_map(|i| st.here(*i)).map(SlotId::ItemLabel).collect(),
            _ => return None,
        };
        slots.retain(|s| st.text(*s).is_some());
        if part == Part::Points {
            return Some(Done::No("The points make this page; say which one of them should go.".into()));
        }
        if slots.is_empty() {
            return Some(Done::No(format!("This page has no {}.", part.name())));
        }
        for slot in slots {
            st.push(Op::Words { slot, to: String::new() });
        }
        about.push(Subject::Text(Which::All(part)));
    }
    Some(Done::Yes(about))
}
