//! Finds the speakers of interviews, transcripts and chats, and separates their labels from their words.

use std::collections::BTreeMap;
use std::ops::Range;

use super::Sourced;
use super::blocks::{Clean, Form, Raw};
use super::words::{self, common, is_one_of, terms::Terms};
use super::{number, segment};

/// Maximum words and characters of a name.
const NAME: (usize, usize) = (5, 40);
/// Maximum characters of a label: a name and, in brackets, a role.
const LABEL: usize = 90;
/// Minimum turns of a conversation.
const TURNS: usize = 4;
/// Minimum turns of one speaker that prove a label to be a name, if a question is asked. Otherwise one more is
/// needed.
const OWN: usize = 2;
/// Number of letters of initials that stand for a name.
const INITIALS: std::ops::RangeInclusive<usize> = 2..=3;
/// Minimum average words of a turn.
const WORDS: usize = 4;

/// A turn in a block: its label, and the start of its words.
struct Turn {
    /// Start of its line.
    start: usize,
    label: Range<usize>,
    words: usize,
}

/// Splits a conversation into turns. Each becomes a paragraph with a speaker.
pub(super) fn find(raws: Vec<Raw>, terms: &Terms) -> Vec<Raw> {
    let found: Vec<Vec<Turn>> = raws.iter().map(|raw| turns(raw, terms)).collect();
    let Some(names) = speakers(&raws, &found) else { return raws };
    let full = full_names(&raws, &found, &names);
    let introduced = introduced(&raws, &found);
    let mut out = Vec::with_capacity(raws.len());
    for (raw, turns) in raws.into_iter().zip(found) {
        let own: Vec<Turn> = turns
            .into_iter()
            .filter(|t| {
                let key = key(&raw.clean.text[t.label.clone()]);
                names.contains_key(&key) || full.contains_key(&initials(&key))
            })
            .collect();
        if own.is_empty() {
            out.push(raw);
            continue;
        }
        let before = raw.clean.slice(0..own[0].start);
        if segment::says_something(&before.text) {
            out.push(Raw::new(Form::Paragraph, before));
        }
        for (i, turn) in own.iter().enumerate() {
            let end = own.get(i + 1).map_or(raw.clean.text.len(), |next| next.start);
            let clean = raw.clean.slice(turn.words..end.max(turn.words));
            let label = raw.clean.sourced(turn.label.clone());
            let key = key(&label.text);
            let speaker = full.get(&key).or_else(|| introduced.get(&key)).cloned().unwrap_or(label);
            if segment::says_something(&clean.text) {
                out.push(Raw { speaker: Some(speaker), ..Raw::new(Form::Paragraph, clean) });
            }
        }
    }
    out
}

/// Returns the speakers whose first label states their role, in the form of an attribution: "Ada Moor, harbour
/// master".
fn introduced(raws: &[Raw], found: &[Vec<Turn>]) -> BTreeMap<String, Sourced> {
    let mut out = BTreeMap::new();
    for (raw, turn) in raws.iter().zip(found).flat_map(|(raw, turns)| turns.iter().map(move |t| (raw, t))) {
        let label = raw.clean.sourced(turn.label.clone());
        let (name, does) = parts(&label.text);
        if let Some(does) = does {
            let text = format!("{name}, {does}");
            out.entry(key(&label.text)).or_insert(Sourced { text, span: label.span });
        }
    }
    // Later labels may be first names.
    let first = |name: &str| name.split(' ').next().unwrap_or("").to_owned();
    let names: Vec<String> = out.keys().cloned().collect();
    for name in &names {
        let alone = names.iter().filter(|other| first(other) == first(name)).count() == 1;
        if let Some(speaker) = out.get(name).filter(|_| alone).cloned() {
            out.entry(first(name)).or_insert(speaker);
        }
    }
    out
}

/// Splits a label into the name and the text in brackets after it.
fn parts(label: &str) -> (&str, Option<&str>) {
    let found = label.trim_end().strip_suffix(')').and_then(|front| front.split_once(" ("));
    match found.filter(|(name, does)| !name.trim().is_empty() && !does.contains(['(', ')'])) {
        Some((name, does)) => (name.trim(), Some(does.trim())),
        None => (label, None),
    }
}

/// Returns the full names of speakers whose labels are initials: "Ada Moor:" once, then "AM:".
fn full_names(raws: &[Raw], found: &[Vec<Turn>], names: &BTreeMap<String, usize>) -> BTreeMap<String, Sourced> {
    let mut out = BTreeMap::new();
    for (raw, turn) in raws.iter().zip(found).flat_map(|(raw, turns)| turns.iter().map(move |t| (raw, t))) {
        let name = raw.clean.sourced(turn.label.clone());
        let short = initials(&key(&name.text));
        if name.text.contains(' ') && names.contains_key(&short) {
            out.entry(short).or_insert(name);
        }
    }
    for short in names.keys().filter(|name| INITIALS.contains(&name.chars().count())) {
        if !out.contains_key(short)
            && let Some(name) = raws.iter().find_map(|raw| named_in(&raw.clean, short))
        {
            out.insert(short.clone(), name);
        }
    }
    out
}

/// Returns the first name in a text whose words begin with these letters: "Ada Moor" for "am".
fn named_in(clean: &Clean, short: &str) -> Option<Sourced> {
    let words: Vec<&str> = clean.text.split(' ').collect();
    let start = |word: &&str| word.as_ptr() as usize - clean.text.as_ptr() as usize;
    let count = short.chars().count();
    words.windows(count).find_map(|name| {
        let said = |(n, word): (usize, &&str)| {
            let bare = if n + 1 == count { word.trim_end_matches(|c: char| !c.is_alphanumeric()) } else { word };
            let mut letters = bare.chars();
            // A word in capitals is not a name.
            letters.next().is_some_and(char::is_uppercase) && letters.next().is_some_and(char::is_lowercase)
        };
        let letters = name.iter().filter_map(|w| w.chars().next()).flat_map(char::to_lowercase).eq(short.chars());
        let last = name[count - 1].trim_end_matches(|c: char| !c.is_alphanumeric());
        let end = start(&name[count - 1]) + last.len();
        (letters && name.iter().enumerate().all(said)).then(|| clean.sourced(start(&name[0])..end))
    })
}

/// Returns the first letters of a name's words.
fn initials(name: &str) -> String {
    name.split_whitespace().filter_map(|w| w.chars().next()).collect()
}

/// Returns the names among the labels of a text and the number of turns of each, or `None` if the text is no
/// conversation.
fn speakers(raws: &[Raw], found: &[Vec<Turn>]) -> Option<BTreeMap<String, usize>> {
    let mut names: BTreeMap<String, usize> = BTreeMap::new();
    let (mut asked, mut said) = (false, 0);
    let mut bold: Vec<String> = Vec::new();
    for (at, (raw, turns)) in raws.iter().zip(found).enumerate() {
        // A question without a label is a line of its own above the turn.
        let above = at.checked_sub(1).filter(|above| !turns.is_empty() && found[*above].is_empty());
        asked |= above.is_some_and(|above| raws[above].clean.text.trim_end().ends_with(['?', '？', '؟']));
        for (i, turn) in turns.iter().enumerate() {
            let key = key(&raw.clean.text[turn.label.clone()]);
            if key.contains(' ') && raw.lead.is_some_and(|lead| turn.start == 0 && lead >= key.len()) {
                bold.push(key.clone());
            }
            *names.entry(key).or_default() += 1;
            let end = turns.get(i + 1).map_or(raw.clean.text.len(), |next| next.start);
            let words = raw.clean.text[turn.words..end.max(turn.words)].trim_end();
            asked |= words.ends_with(['?', '？', '؟']);
            said += segment::count_words(words).min(40);
        }
    }
    let full: Vec<String> = names.keys().filter(|name| name.contains(' ')).map(|name| initials(name)).collect();
    names.retain(|name, _| !is_one_of(common::LABELS, name) || full.contains(name));
    let least = if asked { OWN } else { OWN + 1 };
    // In an interview with several people, some answer only once.
    let first = |name: &String| bold.iter().any(|full| full.split(' ').next() == Some(name));
    names.retain(|name, n| *n >= least || asked && (bold.contains(name) || first(name)));
    let turns: usize = names.values().sum();
    let all: usize = found.iter().map(Vec::len).sum();
    let blocks = found.iter().filter(|t| !t.is_empty()).count();
    let prose = raws.iter().filter(|r| matches!(r.form, Form::Paragraph)).count();
    let two = names.len() >= 2 || asked && !names.is_empty() && turns > TURNS;
    (two && turns >= TURNS && said >= WORDS * all && 4 * blocks >= prose).then_some(names)
}

/// Returns the turns of a paragraph: one, or one per line.
fn turns(raw: &Raw, terms: &Terms) -> Vec<Turn> {
    let clean = &raw.clean;
    // The first message of a chat looks like a title.
    let spoken = matches!(raw.form, Form::Paragraph) || matches!(raw.form, Form::Heading(..)) && stamp(&clean.text) > 0;
    if !spoken {
        return Vec::new();
    }
    let first = turn(clean, 0..clean.text.len(), terms);
    let mut out: Vec<Turn> = first.into_iter().collect();
    for at in clean.breaks.iter().copied() {
        out.extend(turn(clean, at..clean.text.len(), terms));
    }
    out
}

/// Returns the turn that begins a line: "Anna: …", in a chat after a time.
fn turn(clean: &Clean, range: Range<usize>, terms: &Terms) -> Option<Turn> {
    let line = &clean.text[range.clone()];
    let stamp = stamp(line);
    let rest = &line[stamp..];
    let near = rest.char_indices().nth(LABEL).map_or(rest.len(), |(i, _)| i);
    let colon = rest[..near].find([':', '：'])?;
    let label = rest[..colon].trim();
    let mark = rest[colon..].chars().next()?.len_utf8();
    let behind = &rest[colon + mark..];
    let words = behind.trim_start();
    let parted = behind.starts_with([' ', '\u{3000}']) || mark > 1;
    if !parted || words.is_empty() || !is_name(label, terms) {
        return None;
    }
    let start = range.start + stamp + (rest[..colon].len() - rest[..colon].trim_start().len());
    Some(Turn { start: range.start, label: start..start + label.len(), words: range.start + line.len() - words.len() })
}

/// Whether a label can be a name: few words, each capitalised if the script has capitals. A role may follow in
/// brackets.
fn is_name(label: &str, terms: &Terms) -> bool {
    let (label, _) = parts(label);
    let words: Vec<&str> = label.split_whitespace().collect();
    let short = (1..=NAME.0).contains(&words.len()) && label.chars().count() <= NAME.1;
    let letters = label.chars().all(|c| {
        c.is_alphanumeric()
            || matches!(c, ' ' | '.' | '-' | '’' | '\'' | '(' | ')' | ',' | '@' | '_')
            || words::is_mark(c)
    });
    let capital = |w: &&str| w.chars().find(|c| c.is_alphabetic()).is_some_and(|c| !c.is_lowercase());
    let small = words.iter().filter(|w| !capital(w)).count();
    let lower = label.to_lowercase();
    // The labels of questions and answers are not names.
    let labels = [terms.question, terms.answer, terms.myth, terms.fact, terms.place, terms.speaker, common::LABELS];
    let known = labels.iter().any(|list| is_one_of(list, &lower)) && !are_initials(label);
    let unspaced = label.chars().any(words::is_unspaced);
    let counted = label.chars().any(|c| number::digit(c).is_some()) && !label.starts_with('@');
    short && letters && small <= words.len() / 3 && !known && !counted && (!unspaced || label.chars().count() <= 10)
}

/// Whether a label may be initials: "AM". "NB" and "PS" look the same, so the full name must occur in the text.
fn are_initials(label: &str) -> bool {
    INITIALS.contains(&label.chars().count()) && label.chars().all(char::is_uppercase)
}

/// Returns a label in the form used for comparison: the name alone.
fn key(label: &str) -> String {
    parts(label.trim()).0.to_lowercase()
}

/// Returns the length in bytes of a time before a message: "[10:32, 5/3/2026] ", "12.03.26, 10:32 - ".
fn stamp(line: &str) -> usize {
    let is_stamp = |c: char| {
        c.is_ascii_digit()
            || matches!(c, ':' | '.' | '/' | ',' | ' ' | '-' | '–' | '[' | ']' | '(' | ')' | '\u{202f}' | '\u{a0}')
    };
    let mut rest = line.trim_start_matches(is_stamp);
    for half in ["AM", "PM", "am", "pm", "Uhr", "a.m.", "p.m."] {
        if let Some(behind) = rest.strip_prefix(half) {
            rest = behind.trim_start_matches(is_stamp);
        }
    }
    let stamp = &line[..line.len() - rest.len()];
    let timed = stamp.contains(':') && stamp.chars().filter(char::is_ascii_digit).count() >= 3;
    if timed { stamp.len() } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::super::words::terms;
    use super::super::{markdown, plain};
    use super::*;

    fn turns_in(raws: Vec<Raw>) -> Vec<(String, String)> {
        let turns = find(raws, terms::of("en"));
        turns.into_iter().map(|r| (r.speaker.map_or(String::new(), |s| s.text), r.clean.text)).collect()
    }

    fn pair(a: &str, b: &str) -> (String, String) {
        (a.to_owned(), b.to_owned())
    }

    #[test]
    fn interviews() {
        let text = "We met at the pier.\n\n**Ada Moor: Why do you count the boats?**\n\n**Bo Lind:** Because nobody else does.\n\nIt is quiet work.\n\n\
            **Ada Moor: And then?**\n\n**Bo Lind:** Then I go home.";
        assert_eq!(
            turns_in(markdown::read(text).0),
            [
                pair("", "We met at the pier."),
                pair("Ada Moor", "Why do you count the boats?"),
                pair("Bo Lind", "Because nobody else does."),
                pair("", "It is quiet work."),
                pair("Ada Moor", "And then?"),
                pair("Bo Lind", "Then I go home."),
            ]
        );
    }

    #[test]
    fn several_answer_one_question() {
        let text = "*Why do you count the boats?*\n\n**Ada Moor** (harbour master/pilot): Because nobody else does it.\n\n\
            **Bo Lind** (crew): It is quiet work.\n\n*And then?*\n\n**Cy Holm** (cook): Then we all eat.\n\n\
            **Ada**: Then I go home.\n\n**Bo**: So do I, most of the time.\n\n**Ada**: And I sleep.";
        let who: Vec<String> = turns_in(markdown::read(text).0).into_iter().map(|(who, _)| who).collect();
        let (ada, bo, cy) = ("Ada Moor, harbour master/pilot", "Bo Lind, crew", "Cy Holm, cook");
        assert_eq!(who, ["", ada, bo, "", cy, ada, bo, ada]);
    }

    #[test]
    fn initials_stand_for_names() {
        let text = "**Ada Moor:** Why do you count boats?\n\n**Bo Lind:** Because nobody else does.\n\n**AM:** And then what?\n\n\
            **BL:** Then I go home again.\n\n**AM:** Is it far?\n\n**BL:** Not very far at all.";
        let who: Vec<String> = turns_in(markdown::read(text).0).into_iter().map(|(who, _)| who).collect();
        let introduced = format!(
            "I met Ada Moor, the harbour master, and Bo Lind.\n\n{}",
            text.replace("Ada Moor:", "AM:").replace("Bo Lind:", "BL:")
        );
        let named = turns_in(markdown::read(&introduced).0).into_iter().map(|(who, _)| who);
        assert!(named.skip(1).eq(who.iter().cloned()), "{introduced}");
        assert_eq!(who, ["Ada Moor", "Bo Lind", "Ada Moor", "Bo Lind", "Ada Moor", "Bo Lind"]);
    }

    #[test]
    fn initials_that_are_an_abbreviation_too() {
        let text = "**Nora Berg:** Why do you count boats?\n\n**Bo Lind:** Because nobody else does.\n\n**NB:** And then what?\n\n\
            **BL:** Then I go home again.\n\n**NB:** Is it far?\n\n**BL:** Not very far at all.";
        let who: Vec<String> = turns_in(markdown::read(text).0).into_iter().map(|(who, _)| who).collect();
        assert_eq!(who, ["Nora Berg", "Bo Lind", "Nora Berg", "Bo Lind", "Nora Berg", "Bo Lind"]);
        let notes =
            "NB: Bring a coat to the pier.\n\nNB: Is the gate shut?\n\nNB: Bring boots too.\n\nNB: It is cold and wet.";
        assert!(turns_in(plain::read(notes)).iter().all(|(who, _)| who.is_empty()));
    }

    #[test]
    fn chats() {
        let text = "[10:32, 5/3/2026] Anna: Are we open on Sunday?\n[10:33, 5/3/2026] Ben: No, we close at noon.\n[10:35, 5/3/2026] Anna: \
            I will tell them then.\n[10:36, 5/3/2026] Ben: Thank you, that helps.";
        let got = turns_in(plain::read(text));
        assert_eq!(got.len(), 4);
        assert_eq!(got[1], pair("Ben", "No, we close at noon."));
    }

    #[test]
    fn labels_of_facts_are_no_speakers() {
        for text in [
            "Price: 12 euros\n\nPlace: Mill Hall\n\nPrice: 15 euros\n\nPlace: Pier",
            "Note: It is cold.\n\nNote: It is wet.\n\nTip: Bring a coat.\n\nTip: Bring boots.",
            "Anna: one thing\n\nThe rest is prose that goes on.",
        ] {
            assert!(turns_in(plain::read(text)).iter().all(|(who, _)| who.is_empty()), "{text}");
        }
    }
}
