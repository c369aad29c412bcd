//! Rules about the words of a whole text: another wording for the text that it resembles, an earlier end, a list of its
//! sentences.

use std::collections::HashSet;

use crate::content::segment::sentences;
use crate::content::words;
use crate::design::{Part, SlotId, Which};

use super::super::phrase::found;
use super::super::reshape::escaped;
use super::super::{Beside, Elements, ItemWords, Op, Reshape};
use super::clause::{Bag, Kind, plain_words};
use super::done::Done;
use super::sense::{Sense, W};
use super::state::{State, Subject};
use super::{put, things, wording};

/// The share of the words of a new wording that the text must have that it replaces.
const RESEMBLES: f32 = 0.4;
/// Different words of a new wording that is a sentence rather than a headline.
const SENTENCE: usize = 4;
/// The most items that a text is split into.
const ITEMS: usize = 8;

/// "reworded “…”": the new wording of the text that has most of its words. If no text has enough of them, it replaces the
/// only text beside the headline.
pub(super) fn reworded(bag: &mut Bag<'_>, st: &mut State<'_, '_>) -> Option<Done> {
    if !bag.take(&[W::Reword]) {
        return None;
    }
    let [wording] = &bag.quotes()[..] else { return None };
    let texts = st.slots();
    let said: HashSet<String> = plain_words(wording).into_iter().collect();
    let shared = |text: &str| {
        let own: HashSet<String> = plain_words(text).into_iter().collect();
        said.intersection(&own).count() as f32 / said.len().max(1) as f32
    };
    let frame = |slot: SlotId| matches!(slot, SlotId::Kicker | SlotId::Handle | SlotId::Brand);
    let own: Vec<&(SlotId, String)> = texts.iter().filter(|(slot, _)| !frame(*slot)).collect();
    let likest = own.iter().max_by(|a, b| shared(&a.1).total_cmp(&shared(&b.1)))?;
    let beside: Vec<_> = own.iter().filter(|(slot, _)| *slot != SlotId::Title).collect();
    let slot = match (&beside[..], &own[..]) {
        _ if shared(&likest.1) >= RESEMBLES => likest.0,
        ([], [(slot, _)]) => *slot,
        ([(slot, _)], _) if said.len() >= SENTENCE => *slot,
        _ => return Some(Done::No("Say which text should read so: “change the headline to …”.".into())),
    };
    st.certain = true;
    st.push(Op::Words { slot, to: wording.trim().to_owned() });
    Some(Done::Yes(about(slot)))
}

/// "reworded “…” for “…”": new words for the text that says the second phrase, or for that phrase if they are as few.
pub(super) fn amended(bag: &mut Bag<'_>, st: &mut State<'_, '_>) -> Option<Done> {
    if !(bag.has(&[W::Reword]) && bag.has(&[W::For])) {
        return None;
    }
    let [to, said] = &bag.quotes()[..] else { return None };
    bag.take(&[W::Reword, W::For]);
    let (slot, text) = st.slots().into_iter().find(|(_, text)| !found(text, said).is_empty())?;
    let count = |text: &str| text.split_whitespace().count();
    if 3 * count(to) < count(&text) && count(to) <= 2 * count(said) {
        return Some(wording::replace_as_is(st, said, to, &[]));
    }
    st.certain = true;
    st.push(Op::Words { slot, to: to.trim().to_owned() });
    Some(Done::Yes(about(slot)))
}

/// "end the text after “…”": the text that says these words, up to them.
pub(super) fn ended(bag: &mut Bag<'_>, st: &mut State<'_, '_>) -> Option<Done> {
    if !(bag.has(&[W::End]) && bag.has(&[W::Text]) && bag.has(&[W::After])) {
        return None;
    }
    let [last] = &bag.quotes()[..] else { return None };
    bag.take(&[W::End, W::Text, W::After]);
    let cut = |text: &str| {
        let end = found(text, last).first()?.end;
        let rest = text.get(end..)?;
        let stop = if rest.starts_with(['.', '!', '?', '…']) { rest.get(..1).unwrap_or(".") } else { "" };
        let closes = if stop.is_empty() && text.trim_end().ends_with('.') { "." } else { stop };
        (!rest.trim_matches(|c: char| !c.is_alphanumeric()).is_empty()).then(|| format!("{}{closes}", &text[..end]))
    };
    // A headline says the same words as the text below it now and then.
    let cuts = st.slots().into_iter().filter_map(|(slot, text)| Some((slot, cut(&text)?, text.len())));
    let Some((slot, to, _)) = cuts.max_by_key(|(_, _, length)| *length) else {
        return Some(Done::No(format!("No text on this page goes on after “{last}”.")));
    };
    st.certain = true;
    st.push(Op::Words { slot, to });
    Some(Done::Yes(about(slot)))
}

/// The subject of the next clause after a slot was changed.
fn about(slot: SlotId) -> Vec<Subject> {
    let which = match slot {
        SlotId::ItemHead(_) | SlotId::ItemBody(_) | SlotId::ItemLabel(_) => Which::One(slot),
        slot => Part::of(slot).map_or(Which::One(slot), Which::All),
    };
    vec![Subject::Text(which)]
}

/// "keep “part 2” together": no line break within these words.
pub(super) fn joined(bag: &mut Bag<'_>, st: &mut State<'_, '_>) -> Option<Done> {
    let [words] = &bag.quotes()[..] else { return None };
    if !bag.take(&[W::Together]) {
        return None;
    }
    bag.take_unknown();
    let tied = words.replace(' ', "\u{a0}").replace('-', "\u{2011}");
    Some(wording::replace_as_is(st, words, &tied, &[]))
}

/// "remove the cue": "Swipe" or "Save" at the foot, with its arrow.
pub(super) fn uncued(bag: &mut Bag<'_>, st: &mut State<'_, '_>) -> Option<Done> {
    if !bag.has(&[W::Cue]) || !bag.take(&[W::Remove]) {
        return None;
    }
    bag.take(&[W::Cue]);
    let tree = things::tree(st)?;
    let Some(row) = tree.root.walk().find(|node| node.name() == "row" && node.children.iter().any(|c| c.id == "cue"))
    else {
        return Some(Done::No("This page says neither “Save” nor “Swipe”.".into()));
    };
    st.push(Op::Element(Reshape::Take(Elements::One(row.id.clone()))));
    Some(Done::Yes(Vec::new()))
}

/// "change the cue to “Share”": other words for "Swipe" or "Save" at the foot.
pub(super) fn recued(bag: &mut Bag<'_>, st: &mut State<'_, '_>) -> Option<Done> {
    if !bag.take(&[W::Cue]) || bag.has(&[W::Remove]) {
        return None;
    }
    let [words] = &bag.quotes()[..] else { return None };
    let tree = things::tree(st)?;
    if tree.find("cue").is_none() {
        return Some(Done::No("This page says neither “Save” nor “Swipe”.".into()));
    }
    let id = put::free(&tree, "cue");
    let element = format!("<caption id=\"{id}\" fit=\"xs..xs\" lines=\"1\">{}</caption>", escaped(words.trim()));
    st.push(Op::Element(Reshape::Put { element, place: Beside::After, of: "cue".to_owned() }));
    st.push(Op::Element(Reshape::Take(Elements::One("cue".to_owned()))));
    Some(Done::Yes(Vec::new()))
}

/// "itemise “a / b / c”": the points that a prompt lists.
pub(super) fn listed(bag: &mut Bag<'_>, st: &mut State<'_, '_>) -> Option<Done> {
    if !bag.take(&[W::Itemise]) {
        return None;
    }
    let [list] = &bag.quotes()[..] else { return None };
    let mark = ['/', ';', '•', '|', ','].into_iter().find(|mark| list.contains(*mark))?;
    let items = list.split(mark).map(str::trim).filter(|item| !item.is_empty());
    let items: Vec<ItemWords> = items.map(|item| ItemWords { head: item.to_owned(), body: None }).collect();
    if items.len() < 2 {
        return None;
    }
    st.push(Op::Items(items));
    Some(Done::Yes(vec![Subject::Text(Which::All(Part::Points))]))
}

/// "itemise the text": the sentences of a running text as a list in its place.
pub(super) fn itemised(bag: &mut Bag<'_>, st: &mut State<'_, '_>) -> Option<Done> {
    if !bag.take(&[W::Itemise]) {
        return None;
    }
    bag.take(&[W::Text]);
    bag.take_one(|kind| matches!(kind, Kind::Sense(Sense::Part(_))).then_some(()));
    let tree = things::tree(st)?;
    let slots = st.slots();
    let running = |slot: &SlotId| matches!(slot, SlotId::Body | SlotId::ItemBody(0)) && st.heads().len() < 2;
    let Some((slot, text)) = slots.iter().find(|(slot, _)| running(slot)) else {
        return Some(Done::No("This page has no running text that could be split into points.".into()));
    };
    let items = parts_of(text, words::of(st.page().locale.language.primary()));
    let node = things::of_part(&tree, Part::of(*slot)?).into_iter().find(|node| node.id == slot.to_string())?;
    if items.len() < 2 {
        return Some(Done::No("This text is one sentence, which can't be split into points.".into()));
    }
    let each: String = items.iter().map(|item| format!("<item>{}</item>", escaped(item))).collect();
    let id = put::free(&tree, "list");
    let element = format!("<list id=\"{id}\" marks=\"bullet\" fit=\"sm..xl\">{each}</list>");
    st.push(Op::Element(Reshape::Put { element, place: Beside::After, of: node.id.clone() }));
    st.push(Op::Element(Reshape::Take(Elements::One(node.id.clone()))));
    Some(Done::Yes(Vec::new()))
}

/// The sentences of a text, or its quotations if it has several of them.
fn parts_of(text: &str, words: &words::Words) -> Vec<String> {
    let quoted: Vec<String> = text
        .split('“')
        .skip(1)
        .filter_map(|part| part.split_once('”'))
        .map(|(inside, _)| crate::content::capitalised(inside))
        .collect();
    if quoted.len() > 1 {
        return quoted.into_iter().take(ITEMS).collect();
    }
    let all = sentences(text, words).into_iter().filter_map(|range| text.get(range));
    let trimmed = all.map(|sentence| sentence.trim().trim_end_matches('.').to_owned());
    trimmed.filter(|sentence| !sentence.is_empty()).take(ITEMS).collect()
}

#[cfg(test)]
mod tests {
    use super::super::super::apply;
    use super::super::super::instruction::clause as printed;
    use super::super::read;
    use super::super::tests::{page, target};
    use super::*;

    #[test]
    fn texts_of_a_page_are_reworded_split_and_relabelled() {
        let own = page("slide");
        let text = "<page><headline id=\"title\">Mulch first</headline><lead id=\"body\">Bark keeps the ground cool. \
            It holds the water too.</lead><row id=\"foot\"><caption id=\"cue\">Save</caption></row></page>";
        let page = apply(&[Op::Page(text.into())], &target(&own, None)).expect("a page").page;
        let target = target(&page, None);
        let said = |prompt: &str| match read(prompt, &target) {
            Ok(asked) => asked.ops.iter().map(printed).collect::<Vec<_>>().join("; "),
            Err(unread) => unread.message,
        };
        for (prompt, ops) in [
            ("too wordy, just say: Bark keeps it cool.", "set the supporting text to “Bark keeps it cool”"),
            ("cut everything after cool", "set the supporting text to “Bark keeps the ground cool.”"),
            ("change Save to Share", "take away element “cue”"),
            ("get rid of the save thing", "take away element “foot”"),
            (
                "split the text into bullets",
                "<item>Bark keeps the ground cool</item><item>It holds the water too</item>",
            ),
        ] {
            assert!(said(prompt).contains(ops), "{prompt}: {}", said(prompt));
        }
    }
}
