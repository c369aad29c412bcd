//! Rules that mark words: "underline “water” in the headline", "cross out the old price", "make the word free bold".

use crate::design::{Part, SlotId, Which};

use super::super::phrase::spelt;
use super::super::{Marking, Op, Reshape};
use super::clause::{Bag, Kind, Tok};
use super::done::Done;
use super::sense::W;
use super::state::{State, Subject};

/// The words that such a clause may contain beside the marked words and the marking.
const BESIDE: [W; 13] = [
    W::Underline,
    W::Strike,
    W::Bold,
    W::Bolder,
    W::Word,
    W::Text,
    W::Line,
    W::Set,
    W::Use,
    W::Item,
    W::All,
    W::Show,
    W::Add,
];

/// Marks words in quotation marks.
pub(super) fn quoted(bag: &mut Bag<'_>, st: &mut State<'_, '_>) -> Option<Done> {
    let how = how(bag, true)?;
    let phrases = bag.quotes();
    marked(bag, st, how, &phrases)
}

/// Marks unquoted words that occur on the page.
pub(super) fn open(bag: &mut Bag<'_>, st: &mut State<'_, '_>) -> Option<Done> {
    let how = how(bag, true)?;
    // "the word Sedum" means the word even if a point is called "Sedum".
    let word = bag.has(&[W::Word]);
    let words =
        |tok: &Tok| matches!(tok.kind, Kind::Unknown | Kind::Num(_)) || word && matches!(tok.kind, Kind::Items(_));
    let first = bag.toks.iter().position(words)?;
    let last = bag.toks.iter().rposition(words)?;
    let phrase = bag.slice(first..last + 1).to_owned();
    let said = st.slots().into_iter().any(|(_, text)| spelt(&text, &phrase).is_some());
    if !said {
        return None;
    }
    bag.take_range(first..last + 1);
    marked(bag, st, how, &[phrase])
}

/// Marks whole texts: "underline the headline".
pub(super) fn whole(bag: &mut Bag<'_>, st: &mut State<'_, '_>) -> Option<Done> {
    let how = how(bag, false)?;
    if bag.any(|kind| matches!(kind, Kind::Unknown | Kind::Quoted(_))) {
        return None;
    }
    marked(bag, st, how, &[])
}

/// Returns the requested marking. Bold counts only if `bold` is set, because whole texts have a weight instead.
fn how(bag: &Bag<'_>, bold: bool) -> Option<Marking> {
    let how = match () {
        () if bag.has(&[W::Underline]) => Marking::Underlined,
        () if bag.has(&[W::Strike]) => Marking::Struck,
        () if bold && bag.has(&[W::Bold, W::Bolder]) => Marking::Bold,
        () => return None,
    };
    // Other clauses mention weights too: "replace “A” by a bold “B”", "a bold style".
    let other = [W::Replace, W::Swap, W::Rename, W::Say, W::To, W::Look, W::Highlight, W::Emphasis, W::Bigger];
    let taken = how == Marking::Bold && bag.has(&other);
    (!taken).then_some(how)
}

fn marked(bag: &mut Bag<'_>, st: &mut State<'_, '_>, how: Marking, phrases: &[String]) -> Option<Done> {
    let off = bag.take(&[W::Remove, W::None, W::Not]);
    while bag.take(&BESIDE) {}
    let (parts, items) = (bag.parts(), bag.items());
    let within = |slot: SlotId| {
        let of_item = |n: &u8| matches!(slot, SlotId::ItemHead(m) | SlotId::ItemBody(m) if m == *n);
        (parts.is_empty() || Part::of(slot).is_some_and(|part| parts.contains(&part)))
            && (items.is_empty() || items.iter().any(of_item))
    };
    // Search the headline first.
    let mut slots: Vec<(SlotId, String)> = st.slots().into_iter().filter(|(slot, _)| within(*slot)).collect();
    slots.sort_by_key(|(slot, _)| *slot != SlotId::Title);
    let how = if off { Marking::Plain } else { how };
    let mut subjects = Vec::new();
    let mut push = |st: &mut State<'_, '_>, slot: SlotId, words: String| {
        st.push(Op::Element(Reshape::Mark { words, how, of: slot.to_string() }));
        subjects.extend(Part::of(slot).map(|part| Subject::Text(Which::All(part))));
    };
    if phrases.is_empty() {
        if parts.is_empty() && items.is_empty() {
            return None;
        }
        for (slot, _) in &slots {
            push(st, *slot, String::new());
        }
    }
    for phrase in phrases {
        let found = slots.iter().find_map(|(slot, text)| Some((*slot, spelt(text, phrase)?)));
        let Some((slot, words)) = found else {
            return Some(Done::No(format!("No text on this page says “{phrase}”.")));
        };
        push(st, slot, words);
    }
    if subjects.is_empty() {
        return None;
    }
    st.certain = true;
    Some(Done::Yes(subjects))
}

#[cfg(test)]
mod tests {
    use super::super::tests::page;
    use crate::edit::{Target, read};
    use crate::text::Fonts;

    #[test]
    fn words_and_texts_are_marked() {
        let fonts = Fonts::new();
        let page = page("list");
        let target = Target::new(&page, 1, None, &fonts);
        for (prompt, clauses) in [
            ("underline “full sun”", "mark “full sun” in element “item.0.body” as underlined"),
            ("make the word Sedum bold", "mark “Sedum” in element “item.1.head” as bold"),
            ("cross out “Sedum”", "mark “Sedum” in element “item.1.head” as struck out"),
            ("unterstreiche „Lavender“", "mark “Lavender” in element “item.0.head” as underlined"),
            ("underline the headline", "mark all of element “title” as underlined"),
        ] {
            let asked = read(prompt, &target).unwrap_or_else(|unread| panic!("{prompt}: {}", unread.message));
            let said: Vec<String> = asked.ops.iter().map(crate::edit::instruction::clause).collect();
            assert_eq!(said, [clauses], "{prompt}");
        }
        for prompt in ["underline", "underline “what nobody says”"] {
            assert!(read(prompt, &target).is_err(), "{prompt}");
        }
        for prompt in ["make the headline bold", "make it bold", "highlight “full sun”"] {
            let asked = read(prompt, &target).unwrap_or_else(|unread| panic!("{prompt}: {}", unread.message));
            let said: Vec<String> = asked.ops.iter().map(crate::edit::instruction::clause).collect();
            assert!(!said.concat().starts_with("mark "), "{said:?}");
        }
    }
}
