//! Rules about words: what a slot says, what stands instead of something else, what is added and taken off.

use crate::design::{Part, SlotId, Which};

use super::super::phrase::{replaced, spelt};
use super::super::{ItemWords, Op, Reshape};
use super::clause::{Bag, Kind, Tok, plain_words};
use super::done::Done;
use super::lex::fold;
use super::sense::{Sense, W};
use super::state::{State, Subject};
use super::{items, phrasing, pictures, things};

/// The slot that a part's words stand in, where it has one alone.
pub(super) fn slot_of(part: Part) -> Option<SlotId> {
    Some(match part {
        Part::Headline => SlotId::Title,
        Part::Supporting => SlotId::Body,
        Part::Kicker => SlotId::Kicker,
        Part::Figure => SlotId::Value,
        Part::Attribution => SlotId::Attribution,
        Part::Note => SlotId::Note,
        Part::Button => SlotId::Cta,
        Part::Footer => SlotId::Handle,
        Part::BrandName => SlotId::Brand,
        Part::Points | Part::Details | Part::Labels | Part::Counter => return None,
    })
}

/// Clauses with quoted text.
pub(super) fn quoted(bag: &mut Bag<'_>, st: &mut State<'_, '_>) -> Option<Done> {
    let places = positions(bag);
    let quotes = bag.quotes();
    let first = quotes.first()?.clone();
    if let [front, rest] = quotes.as_slice()
        && let Some(done) = lines(st, front, rest)
    {
        let n = bag.toks.len();
        bag.take_range(0..n);
        return Some(done);
    }
    if bag.take(&[W::Break, W::Line]) {
        return phrasing::break_line(bag, st, &first);
    }
    // "Add a sentence to Sedum" explains a point that is there.
    let explains = bag.any(|k| matches!(k, Kind::Sense(Sense::Part(Part::Details | Part::Supporting))))
        && bag.any(|k| matches!(k, Kind::Items(_)))
        && !bag.has(&[W::With, W::After, W::Before]);
    let adds = bag.has(&[W::Add])
        && (bag.has(&[W::Item, W::Bar, W::Card]) || bag.any(|k| matches!(k, Kind::Items(_))))
        && !explains;
    if adds {
        return add(bag, st, quotes);
    }
    let replaces = bag.has(&[W::Replace, W::Set, W::Swap, W::Rename, W::Say, W::Use]) || bag.has(&[W::To, W::With]);
    if let [from, to] = quotes.as_slice()
        && replaces
        && !bag.has(&[W::Item])
    {
        let (from, to) =
            if bag.has(&[W::Use]) && !bag.has(&[W::To, W::With, W::Set]) { (to, from) } else { (from, to) };
        bag.take(&[W::Replace, W::Swap, W::Rename, W::Say, W::Word, W::Text, W::All]);
        let parts = bag.parts();
        return Some(replace(st, from, to, &parts));
    }
    let heads = st.heads();
    let is_head = |q: &String| heads.iter().any(|h| fold(h) == fold(q));
    if bag.has(&[W::Highlight, W::Bold, W::Bolder, W::Emphasis]) {
        if quotes.iter().all(is_head) && !bag.has(&[W::Word]) && bag.parts().is_empty() {
            return items::highlight_named(bag, st, &first);
        }
        return phrasing::stress(bag, st, &quotes);
    }
    if bag.take(&[W::Remove]) {
        let from_points = bag.has(&[W::Item, W::Bar, W::Card]) || quotes.iter().all(is_head) && !bag.has(&[W::Word]);
        bag.take(&[W::Word, W::Item, W::Bar, W::Card, W::Text]);
        if from_points {
            return items::remove_named(st, &quotes);
        }
        let parts = bag.parts();
        let bracketed = |q: &String| {
            let whole = format!("({q})");
            let said = st.slots().iter().any(|(_, text)| spelt(text, &whole).is_some());
            if said { whole } else { q.clone() }
        };
        let quotes: Vec<String> = quotes.iter().map(bracketed).collect();
        let gone = quotes.iter().map(|q| replace(st, q, "", &parts)).collect::<Vec<_>>();
        return gone.into_iter().next_back();
    }
    if bag.any(|kind| matches!(kind, Kind::Sense(Sense::Colour(_)))) {
        return phrasing::stress(bag, st, &quotes);
    }
    if bag.has(&[W::Upper, W::Lower]) {
        let to = if bag.take(&[W::Upper]) { first.to_uppercase() } else { first.to_lowercase() };
        bag.take(&[W::Lower, W::Word, W::Capitalise]);
        let parts = bag.parts();
        return Some(replace_as_is(st, &first, &to, &parts));
    }
    if bag.has(&[W::Icon, W::Face, W::Move, W::Sort]) || places && !adds {
        return None;
    }
    set(bag, st, &quotes)
}

/// "“Why we love” / “modular contracting”": a text in these two lines, where it is made of them.
fn lines(st: &mut State<'_, '_>, front: &str, rest: &str) -> Option<Done> {
    let folded = |text: &str| plain_words(text).join(" ");
    let whole = format!("{} {}", folded(front), folded(rest));
    let (slot, _) = st.slots().into_iter().find(|(_, text)| folded(text) == whole)?;
    st.certain = true;
    st.push(Op::Words { slot, to: format!("{}\n{}", front.trim(), rest.trim()) });
    Some(Done::Yes(Part::of(slot).map(|part| Subject::Text(Which::All(part))).into_iter().collect()))
}

/// Whether it says where something is to stand.
fn positions(bag: &Bag<'_>) -> bool {
    bag.has(&[W::After, W::Before])
}

/// Puts words where a clause says.
fn set(bag: &mut Bag<'_>, st: &mut State<'_, '_>, quotes: &[String]) -> Option<Done> {
    // German and Dutch have one word for "change" and "other" once accents are off.
    let said = bag.take(&[W::Say, W::Rename, W::Replace, W::Add, W::Word, W::Other, W::Shorten, W::Swap]);
    let items = bag.items();
    let mut parts = bag.parts();
    let of_text = bag.take(&[W::Text]);
    let all_items = bag.take(&[W::Item, W::Bar, W::Card]);
    if all_items && items.is_empty() && parts.is_empty() {
        st.push(Op::Items(quotes.iter().map(|q| ItemWords { head: q.clone(), body: None }).collect()));
        return Some(Done::Yes(vec![Subject::Text(Which::All(Part::Points))]));
    }
    let [text] = quotes else { return None };
    if parts.is_empty() && items.is_empty() {
        let about = st.about.iter().find_map(|s| match s {
            Subject::Text(Which::All(p)) => Some(*p),
            _ => None,
        });
        let instructs = said || bag.has(&[W::Set, W::Use]) || bag.has(&[W::To]);
        match about.filter(|_| instructs) {
            Some(part) => parts.push(part),
            None if instructs && of_text => {
                st.note(format!("“The text” was taken for the {}.", st.text_part().name()));
                parts.push(st.text_part());
            }
            None if instructs => {
                st.note("It was taken for the headline.");
                parts.push(Part::Headline);
            }
            None => return None,
        }
    }
    let text = with_line(bag, st, text);
    put(st, &parts, &items, &text)
}

/// What supports the headline once a clause adds a line to it: the line alone, or below what is there.
fn with_line(bag: &Bag<'_>, st: &State<'_, '_>, text: &str) -> String {
    let line = |t: &Tok| {
        let words = fold(bag.words(t));
        t.kind == Kind::Sense(Sense::Part(Part::Supporting))
            && ["line ", "sentence "].iter().any(|w| words.starts_with(w))
    };
    match st.text(SlotId::Body).filter(|_| bag.has(&[W::Add]) && bag.toks.iter().any(line)) {
        Some(there) => format!("{there}\n{text}"),
        None => text.to_owned(),
    }
}

/// Puts words into a slot.
fn put(st: &mut State<'_, '_>, parts: &[Part], items: &[u8], text: &str) -> Option<Done> {
    let text = text.trim();
    let slot = match (parts, items) {
        ([], [item]) => SlotId::ItemHead(st.here(*item)?),
        ([Part::Points], [item]) => SlotId::ItemHead(st.here(*item)?),
        ([Part::Details | Part::Supporting], [item]) => SlotId::ItemBody(st.here(*item)?),
        ([Part::Labels], [item]) => SlotId::ItemLabel(st.here(*item)?),
        // "the headline of point 2".
        ([Part::Headline], [item]) => SlotId::ItemHead(st.here(*item)?),
        ([Part::Counter], []) => return Some(Done::No("The page number counts by itself.".into())),
        ([Part::Figure], []) => return Some(figure(st, text)),
        ([Part::Supporting], []) if !st.has(Part::Supporting) && st.has(Part::Details) && st.heads().len() == 1 => {
            SlotId::ItemBody(0)
        }
        ([part], []) => slot_of(*part)?,
        _ => return None,
    };
    st.push(Op::Words { slot, to: text.to_owned() });
    let which = match (slot, Part::of(slot)) {
        (SlotId::ItemHead(_) | SlotId::ItemBody(_) | SlotId::ItemLabel(_), _) | (_, None) => Which::One(slot),
        (_, Some(part)) => Which::All(part),
    };
    Some(Done::Yes(vec![Subject::Text(which)]))
}

/// A figure: its unit stands in a slot of its own.
fn figure(st: &mut State<'_, '_>, text: &str) -> Done {
    let slot = if st.text(SlotId::Value).is_some() { SlotId::Value } else { SlotId::Number };
    if st.text(slot).is_none() {
        return Done::No("This page has no figure.".into());
    }
    let end = text.find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | ',' | '−' | '-' | '+' | ' ' | '\u{a0}')));
    let (value, unit) = text.split_at(end.unwrap_or(text.len()));
    let (value, unit) = (value.trim(), unit.trim());
    let unit_now = st.text(SlotId::Unit);
    if slot == SlotId::Value && !value.is_empty() && !unit.is_empty() && unit_now.is_some() {
        st.push(Op::Words { slot, to: value.to_owned() });
        if unit_now.as_deref() != Some(unit) {
            st.push(Op::Words { slot: SlotId::Unit, to: unit.to_owned() });
        }
    } else {
        st.push(Op::Words { slot, to: text.to_owned() });
    }
    Done::Yes(vec![Subject::Text(Which::All(Part::Figure))])
}

/// Adds items where the clause says, else at the end.
fn add(bag: &mut Bag<'_>, st: &mut State<'_, '_>, quotes: Vec<String>) -> Option<Done> {
    bag.take(&[W::Add, W::Item, W::Bar, W::Card, W::Say, W::Text, W::Other]);
    let with_body = bag.take(&[W::With])
        || bag
            .take_one(|k| matches!(k, Kind::Sense(Sense::Part(Part::Details | Part::Supporting))).then_some(()))
            .is_some();
    bag.parts();
    let mut list = st.items();
    let mut near = bag.items().first().copied();
    if near.is_none() && bag.has(&[W::After, W::Before]) {
        let last = u8::try_from(list.len()).unwrap_or(u8::MAX);
        let named = bag.take_one(|k| match k {
            Kind::Sense(Sense::Ordinal(n)) => Some(*n),
            _ => None,
        });
        near = named.map(|n| if n == 0 { last } else { n }.saturating_sub(1));
    }
    let place = bag.take_word(&[W::After, W::Before, W::Top, W::Bottom, W::Start, W::End]);
    let at = match (place, near) {
        (Some(W::After), Some(item)) => st.now_at(item)? + 1,
        (Some(W::Before), Some(item)) => st.now_at(item)?,
        // "add X as the first point".
        (None, Some(item)) => usize::from(item).min(list.len()),
        (Some(W::Top | W::Start), _) => 0,
        _ => list.len(),
    };
    let new: Vec<ItemWords> = match quotes.as_slice() {
        [head, body] if with_body => vec![ItemWords { head: head.clone(), body: Some(body.clone()) }],
        heads => heads.iter().map(|h| ItemWords { head: h.clone(), body: None }).collect(),
    };
    if list.is_empty() {
        return Some(Done::No("This page has no points to add to; a new generation can set one as a list.".into()));
    }
    list.splice(at.min(list.len())..at.min(list.len()), new);
    st.push(Op::Items(list));
    Some(Done::Yes(vec![Subject::Text(Which::All(Part::Points))]))
}

/// Puts one phrase for another wherever the page, or the parts named, have it.
fn replace(st: &mut State<'_, '_>, from: &str, to: &str, parts: &[Part]) -> Done {
    in_slots(st, from, to, parts, false)
}

pub(super) fn replace_as_is(st: &mut State<'_, '_>, from: &str, to: &str, parts: &[Part]) -> Done {
    in_slots(st, from, to, parts, true)
}

fn in_slots(st: &mut State<'_, '_>, from: &str, to: &str, parts: &[Part], as_is: bool) -> Done {
    if st.everywhere && parts.is_empty() && !as_is {
        st.push(Op::Replace { from: from.to_owned(), to: to.to_owned() });
        return Done::Yes(Vec::new());
    }
    let of = |slot: SlotId| parts.is_empty() || Part::of(slot).is_some_and(|p| parts.contains(&p));
    let changed: Vec<(SlotId, String)> = st
        .slots()
        .into_iter()
        .filter(|(slot, _)| of(*slot))
        .filter_map(|(slot, text)| Some((slot, replaced(&text, from, to, as_is)?)))
        .collect();
    let rebuilt = st.ops.iter().any(|op| matches!(op, Op::Element(Reshape::Take(_))));
    let was = |text: &String| spelt(text, from).is_some();
    if changed.is_empty() && rebuilt && to.is_empty() && st.page().slots.iter().any(|slot| was(&slot.text)) {
        return Done::Yes(Vec::new());
    }
    if changed.is_empty() {
        return Done::No(format!("No text on this page says “{from}”."));
    }
    st.certain = true;
    let about =
        changed.iter().filter_map(|(s, _)| Part::of(*s)).map(|p| Subject::Text(Which::All(p))).take(1).collect();
    for (slot, to) in changed {
        st.push(Op::Words { slot, to });
    }
    Done::Yes(about)
}

/// Text without quotation marks from some token on.
fn open_text<'s>(bag: &Bag<'s>, from: usize) -> Option<&'s str> {
    let text = bag.slice(from..bag.toks.len()).trim_end_matches(['.', ',', ';']).trim();
    // Behind a colon the mark of a question belongs to the words: "add a question: How much?"
    let told = from.checked_sub(1).and_then(|n| bag.toks.get(n)).is_some_and(|tok| tok.kind == Kind::Mark(':'));
    let end = bag.toks.last().map_or(0, |tok| tok.at.end);
    let marked = told && bag.src.get(end..).is_some_and(|rest| rest.starts_with(['?', '!', '？', '！']));
    let start = bag.toks.get(from).map_or(end, |tok| tok.at.start);
    let closed = bag.src.get(end..).and_then(|rest| rest.chars().next()).map_or(end, |mark| end + mark.len_utf8());
    let text = if marked { bag.src.get(start..closed).unwrap_or(text) } else { text };
    // A further sentence that speaks of the page is an instruction of its own, and no words for it.
    let sentence = bag.toks.iter().skip(from).position(|tok| matches!(tok.kind, Kind::Mark('.' | ';')));
    let speaks = |tok: &Tok| {
        matches!(tok.kind, Kind::Sense(Sense::Part(_) | Sense::Hue(_)))
            || [W::Everywhere, W::Logo, W::Bigger, W::Smaller, W::Huge].iter().any(|word| tok.is(*word))
    };
    if sentence.is_some_and(|at| bag.toks.iter().skip(from + at).any(speaks)) {
        return None;
    }
    // Behind a quotation something else is asked: "replace “a” by “b” and …".
    if matches!(bag.toks.get(from).map(|tok| &tok.kind), Some(Kind::Quoted(_))) && from + 1 < bag.toks.len() {
        return None;
    }
    let text = text.trim_matches(['"', '“', '”', '„']).trim();
    (!text.is_empty()).then_some(text)
}

/// "replace water with rain", "change Tomatoes to Potatoes": words of the page for others.
pub(super) fn open_replace(bag: &mut Bag<'_>, st: &mut State<'_, '_>) -> Option<Done> {
    let verb =
        bag.toks.iter().position(|t| [W::Replace, W::Set, W::Rename, W::Swap, W::Use].iter().any(|w| t.is(*w)))?;
    // What is said before the verb is another matter.
    if !bag.toks.get(..verb)?.iter().all(|tok| tok.is_fill() || tok.parts()) {
        return None;
    }
    let strong = bag.toks.get(verb).is_some_and(|t| t.is(W::Replace) || t.is(W::Swap));
    let link = bag
        .toks
        .iter()
        .enumerate()
        .skip(verb + 2)
        .find(|(_, t)| t.is(W::With) || t.is(W::To) || t.is(W::For) && strong);
    let (link, _) = link?;
    let mut start = verb + 1;
    while start + 1 < link && bag.toks.get(start).is_some_and(|t| t.is_fill() || t.is(W::Word) || t.is(W::All)) {
        start += 1;
    }
    let quoted = |i: usize| match bag.toks.get(i).map(|t| &t.kind) {
        Some(Kind::Quoted(text)) => Some(text.clone()),
        _ => None,
    };
    let from = quoted(start).filter(|_| start + 1 == link).unwrap_or_else(|| bag.slice(start..link).to_owned());
    let to = quoted(link + 1)
        .filter(|_| link + 2 == bag.toks.len())
        .or_else(|| open_text(bag, link + 1).map(str::to_owned))?;
    let (is_quoted, open) = (quoted(start).is_some(), quoted(link + 1).is_none());
    let known = st.slots().iter().any(|(_, text)| spelt(text, &from).is_some());
    // What names a part of the page is no text of it, and what nobody says isn't replaced.
    let names = bag.toks.get(start..link).unwrap_or_default().iter().any(|t| {
        matches!(t.kind, Kind::Sense(Sense::Part(_) | Sense::Hue(_) | Sense::Colour(_)) | Kind::Items(_))
            || t.word().is_some_and(|w| !matches!(w, W::Fill | W::Word))
    });
    if !known
        && strong
        && !names
        && let Some(done) = other_picture(bag, st, &to)
    {
        return Some(done);
    }
    if from.is_empty() || !known && (names || !strong) && !is_quoted {
        return None;
    }
    // "Turn “get in touch” into a button, black with white text" makes something else of the words.
    let behind: Vec<&Tok> = bag.toks.iter().skip(link + 1).filter(|t| !t.is_fill()).collect();
    if behind.len() > 1 && matches!(behind.first().map(|t| &t.kind), Some(Kind::Sense(Sense::Part(_)))) {
        return None;
    }
    st.open = open;
    bag.take_range(0..bag.toks.len());
    Some(replace(st, &from, &to, &[]))
}

/// "swap the temple for a handshake": what the page doesn't say may be its only picture, if the other is one.
fn other_picture(bag: &mut Bag<'_>, st: &mut State<'_, '_>, to: &str) -> Option<Done> {
    let tree = things::tree(st)?;
    let pictures = tree.root.walk().filter(|node| matches!(node.name(), "picture" | "svg" | "art")).count();
    let name = pictures::depicted(to, "", st).into_iter().next().filter(|_| pictures == 1)?;
    bag.take_range(0..bag.toks.len());
    st.certain = true;
    st.push(Op::Drawing(name));
    Some(Done::Yes(vec![Subject::Art]))
}

/// "highlight little in the headline", "break the headline before that": words of the page that may be words of ours, in
/// their place.
pub(super) fn marked(bag: &mut Bag<'_>, st: &mut State<'_, '_>) -> Option<Done> {
    let n = bag.toks.len();
    let at = |word: W| bag.toks.iter().position(|t| t.is(word));
    let idle = |t: &Tok| t.is_fill() || t.is(W::Word);
    let trimmed = |mut from: usize, to: usize| {
        while from + 1 < to && bag.toks.get(from).is_some_and(idle) {
            from += 1;
        }
        bag.slice(from..to).to_owned()
    };
    let part = |t: &Tok| match t.kind {
        Kind::Sense(Sense::Part(p)) => Some(p),
        _ => None,
    };
    if let Some(verb) = at(W::Highlight)
        && let Some(place) = bag.toks.iter().rposition(|t| t.is(W::In))
        && place > verb + 1
        && let [rest @ .., last] = bag.toks.get(place + 1..n)?
        && let Some(part) = part(last)
        && rest.iter().all(Tok::is_fill)
    {
        let phrase = trimmed(verb + 1, place);
        let slot = slot_of(part)?;
        let text = st.text(slot)?;
        let word = spelt(&text, &phrase)?;
        bag.take_range(0..n);
        st.push(Op::Stress { slot, words: vec![word] });
        return Some(Done::Yes(vec![Subject::Text(Which::All(part))]));
    }
    if at(W::Break).is_some()
        && let Some(place) = at(W::After).or_else(|| at(W::Before))
        && !bag.any(|k| matches!(k, Kind::Quoted(_)))
    {
        let phrase = trimmed(place + 1, n);
        let said = st.slots().iter().any(|(_, text)| spelt(text, &phrase).is_some());
        bag.take_range(place + 1..n);
        return if said { phrasing::break_line(bag, st, &phrase) } else { None };
    }
    None
}

/// "highlight water in the headline", "break the headline after save", "remove very from the title".
pub(super) fn open_words(bag: &mut Bag<'_>, st: &mut State<'_, '_>) -> Option<Done> {
    let marks = bag.has(&[W::Highlight, W::Bold, W::Bolder, W::Emphasis]);
    let coloured = bag.any(|kind| matches!(kind, Kind::Sense(Sense::Colour(_))));
    let words = |t: &Tok| t.kind == Kind::Unknown || (marks || coloured) && matches!(t.kind, Kind::Num(_));
    let unknown: Vec<usize> = (0..bag.toks.len()).filter(|i| bag.toks.get(*i).is_some_and(words)).collect();
    let (first, last) = (*unknown.first()?, *unknown.last()?);
    let phrase = bag.slice(first..last + 1).to_owned();
    let said = |phrase: &str| st.slots().into_iter().any(|(_, text)| spelt(&text, phrase).is_some());
    // "README and CONTRIBUTORS": several words, each in its place.
    let each: Vec<String> = phrase.split(" and ").map(|word| word.trim().to_owned()).collect();
    let several = marks && each.len() > 1 && each.iter().all(|word| said(word));
    if !said(&phrase) && !several {
        return None;
    }
    bag.take_range(first..last + 1);
    if several {
        return phrasing::stress(bag, st, &each);
    }
    if bag.take(&[W::Break, W::Line]) {
        return phrasing::break_line(bag, st, &phrase);
    }
    if marks || coloured {
        return phrasing::stress(bag, st, &[phrase]);
    }
    if bag.take(&[W::Remove]) && bag.take(&[W::Word]) {
        let parts = bag.parts();
        return Some(replace(st, &phrase, "", &parts));
    }
    None
}

/// Where words for the page begin in a clause that says some without quotation marks.
struct Opening {
    /// The first token of the words.
    from: usize,
    /// Whether they are those of a new item.
    new_item: bool,
}

/// The opening of "change the title to …", "title: …", "add a point …"; `None` where a clause has none.
fn opening(bag: &Bag<'_>) -> Option<Opening> {
    let cuts = |t: &Tok| t.is(W::Shorten) || t.is(W::Remove);
    let is_verb =
        |t: &Tok| cuts(t) || [W::Set, W::Use, W::Say, W::Rename, W::Replace, W::Add, W::Want].iter().any(|w| t.is(*w));
    let is_ref = |t: &Tok| matches!(t.kind, Kind::Sense(Sense::Part(_)) | Kind::Items(_)) || t.is(W::It);
    let links = |t: &Tok| [W::To, W::With, W::Say].iter().any(|w| t.is(*w)) || t.kind == Kind::Mark(':');
    let is_item = |t: &Tok| t.is(W::Item) || t.is(W::Bar) || t.is(W::Card);
    let passes = |t: &Tok| {
        is_verb(t)
            || is_ref(t)
            || is_item(t)
            || [W::Fill, W::Is, W::Of, W::For, W::In, W::On, W::Text, W::Other].iter().any(|w| t.is(*w))
    };
    let adds = bag.toks.iter().take_while(|t| passes(t)).any(|t| t.is(W::Add));
    let refers = |to: usize| bag.toks.iter().take(to).any(is_ref);
    let linked = bag.toks.iter().enumerate().find(|(i, t)| *i > 0 && links(t) && (refers(*i) || adds)).map(|(i, _)| i);
    let linked = linked.filter(|i| bag.toks.iter().take(*i).all(passes));
    // "cut the subtitle to: …" says what it should read, "remove the subtitle" doesn't.
    let reads = |i: usize| bag.toks.get(i).is_some_and(|t| t.is(W::To) || t.kind == Kind::Mark(':'));
    let linked = linked.filter(|i| reads(*i) || !bag.toks.iter().take(*i).any(cuts));
    let new_item = adds && bag.toks.iter().any(is_item) && !bag.any(|k| matches!(k, Kind::Items(_)));
    let mut from = match linked {
        Some(i) => i + 1,
        // Without a link only what is added follows at once.
        // "Add a third question: …" says it behind the colon.
        None if adds => match bag.toks.iter().rposition(|t| t.kind == Kind::Mark(':')) {
            Some(colon) => colon + 1,
            None => bag.toks.iter().position(|t| !passes(t))?,
        },
        None => return None,
    };
    while bag.toks.get(from).is_some_and(|t| links(t) && !t.is(W::With)) {
        from += 1;
    }
    // "Add an icon for each point" adds no point of these words.
    let things = [W::Icon, W::Photo, W::Logo, W::Art, W::Chart];
    if linked.is_none() && bag.toks.iter().any(|t| t.word().is_some_and(|word| things.contains(&word))) {
        return None;
    }
    Some(Opening { from, new_item })
}

/// Whether a token says how something looks: it is no text by itself.
fn is_look(tok: &Tok) -> bool {
    let looks = |word: W| word.is_look() || matches!(word, W::Px | W::Percent | W::Fill);
    matches!(tok.kind, Kind::Sense(Sense::Colour(_) | Sense::Style(_)) | Kind::Num(_)) || tok.word().is_some_and(looks)
}

/// "change the title to Foo bar", "title: Foo bar", "add a point Save water".
pub(super) fn open_set(bag: &mut Bag<'_>, st: &mut State<'_, '_>) -> Option<Done> {
    let Opening { from, new_item } = opening(bag)?;
    let mut text = open_text(bag, from)?.to_owned();
    // A page number, or a colour, is no text.
    let head: Vec<Tok> = bag.toks.iter().take(from).cloned().collect();
    let parts: Vec<Part> = head
        .iter()
        .filter_map(|t| match t.kind {
            Kind::Sense(Sense::Part(p)) => Some(p),
            _ => None,
        })
        .collect();
    let items: Vec<u8> = head
        .iter()
        .filter_map(|t| match &t.kind {
            Kind::Items(of) => Some(of.clone()),
            _ => None,
        })
        .flatten()
        .collect();
    // An address has a certain end, whatever is said beside it.
    let address = |tok: &Tok| if let Kind::Name(name) = &tok.kind { Some(name.clone()) } else { None };
    if let ([Part::Footer], Some(name)) = (parts.as_slice(), bag.toks.iter().skip(from).find_map(address)) {
        text = name;
    }
    let plain = bag.toks.iter().skip(from).all(is_look);
    if bag.toks.iter().skip(from).any(|t| matches!(t.kind, Kind::Quoted(_))) {
        return None;
    }
    let says = matches!(parts.as_slice(), [Part::Figure | Part::Counter]) || new_item;
    if plain && !says {
        return None;
    }
    bag.take_range(0..bag.toks.len());
    st.open = true;
    if new_item && parts.is_empty() {
        let mut list = st.items();
        if list.is_empty() {
            return Some(Done::No("This page has no points to add to; a new generation can set one as a list.".into()));
        }
        list.push(ItemWords { head: crate::content::capitalised(&text), body: None });
        st.push(Op::Items(list));
        return Some(Done::Yes(vec![Subject::Text(Which::All(Part::Points))]));
    }
    if parts.is_empty() && items.is_empty() {
        let about = st.about.iter().find_map(|s| match s {
            Subject::Text(Which::All(p)) => Some(*p),
            _ => None,
        })?;
        return put(st, &[about], &[], &text);
    }
    let text = with_line(bag, st, &stopped(st, &parts, text));
    put(st, &parts, &items, &text)
}

/// A sentence for one that ends in a full stop, which is not the prompt's.
fn stopped(st: &State<'_, '_>, parts: &[Part], text: String) -> String {
    let was = match parts {
        [part] => slot_of(*part).and_then(|slot| st.text(slot)),
        _ => None,
    };
    let ends = text.ends_with(|c: char| c.is_alphanumeric()) && text.split_whitespace().nth(3).is_some();
    if ends && was.is_some_and(|was| was.ends_with('.')) { text + "." } else { text }
}
