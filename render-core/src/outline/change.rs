//! Detects changes that a sentence reports: the old and the new value ("The wait fell from 14 days
//! to 2 days").

use std::ops::Range;
use std::sync::LazyLock;

use super::{Copy, ItemCopy};
use crate::content::words::{self, Phrases};
use crate::content::{Language, Sourced, number};

/// Most characters of one state, and most words after its number.
const STATE: usize = 28;
const UNIT: usize = 3;
/// Years, which state a time and not an amount.
const YEARS: std::ops::RangeInclusive<f64> = 1800.0..=2100.0;
/// Words before the old and before the new value, by language.
const STATES: [(&str, &str, &str); 14] = [
    ("en", "from", "to"),
    ("de", "von", "auf"),
    ("fr", "de", "à"),
    ("es", "de", "a"),
    ("it", "da", "a"),
    ("pt", "de", "para"),
    ("nl", "van", "naar"),
    ("sv", "från", "till"),
    ("da", "fra", "til"),
    ("nb", "fra", "til"),
    ("pl", "z", "do"),
    ("ru", "с", "до"),
    ("uk", "з", "до"),
    ("id", "dari", "menjadi"),
];
/// Words that report a change of an amount, in all supported languages, separated by `|`. Without
/// one, "from 9 to 5" is a span of time.
const CHANGES: &str = "cut|cuts|reduce|reduces|reduced|reduction|fell|falls|drop|drops|dropped|rose|rises|grew|grows|growth|\
    increase|increases|increased|decrease|decreases|decreased|improve|improves|improved|went|goes|shrank|shrinks|declined|declines|\
    jumped|climbed|lowered|raised|shortened|sped up|sank|sinkt|fiel|fällt|stieg|steigt|wuchs|wächst|senkte|senkt|gesenkt|gesunken|gestiegen|\
    gewachsen|reduziert|verkürzt|erhöht|passé|passe|passer|réduit|baissé|augmenté|bajó|baja|subió|aumentó|redujo|reducido|\
    pasó|creció|scesa|sceso|salita|salito|passato|ridotto|aumentato|cresciuto|caiu|subiu|aumentou|reduziu|passou|cresceu|\
    daalde|steeg|groeide|verlaagd|minskade|ökade|sjönk|faldt|steg|sank|falt|økte|spadł|spadła|spadło|wzrósł|wzrosła|wzrosło|\
    сократилось|сократился|сократилась|вырос|выросла|выросло|снизилась|снизился|снизилось|впав|зріс|зросла|turun|naik|meningkat";

/// Returns the old and the new value as the items of a page, from the first sentence that reports a
/// change.
pub(super) fn of<'a>(
    sentences: impl Iterator<Item = &'a Sourced>,
    language: &Language,
) -> Option<(Vec<ItemCopy>, &'a Sourced)> {
    let (_, from, to) = STATES.iter().find(|(code, ..)| *code == language.primary())?;
    let found = |s: &'a Sourced| states(&s.text, from, to).map(|states| (states, s));
    let ([before, now], sentence) = sentences.into_iter().find_map(found)?;
    let item = |(range, value): (Range<usize>, f64)| {
        let head = Copy { wordings: vec![sentence.text[range].to_owned()], span: Some(sentence.span) };
        ItemCopy { numbers: vec![value], ..ItemCopy::new(head, None) }
    };
    Some((vec![item(before), item(now)], sentence))
}

/// The range of a state in its sentence, and its number.
type State = (Range<usize>, f64);

fn states(text: &str, from: &str, to: &str) -> Option<[State; 2]> {
    static CHANGE: LazyLock<Phrases> = LazyLock::new(|| Phrases::new(CHANGES));
    if !CHANGE.stand_in(&text.to_lowercase()) {
        return None;
    }
    let joint = format!(" {to} ");
    let opening = format!(" {from} ");
    let opened = text.match_indices(&opening).map(|(at, word)| at + word.len());
    let mut pairs = opened.filter_map(|start| {
        let end = start + text[start..].find(&joint)?;
        let before = state(text, start..end).filter(|(range, _)| range.end == end)?;
        let now = state(text, end + joint.len()..text.len())?;
        let years = [before.1, now.1].iter().all(|value| YEARS.contains(value));
        (before.1 != now.1 && !years).then_some([before, now])
    });
    pairs.next()
}

/// Reads an amount at the start of a range: a number, the characters attached to it, and the
/// counted words.
fn state(text: &str, range: Range<usize>) -> Option<State> {
    let said = &text[range.clone()];
    let first = number::all(said).into_iter().next()?;
    // "$4", "about 4": only a sign and one word may precede the number.
    let front = &said[..first.range.start];
    if front.split_whitespace().count() > 1 || front.contains([',', '.', ';']) {
        return None;
    }
    let behind = &said[first.range.end..];
    let stop = behind.find([',', '.', ';', ':', '(', ')', '–', '—', '!', '?']).unwrap_or(behind.len());
    let mut end = first.range.end;
    for (n, word) in behind[..stop].split_inclusive(' ').enumerate() {
        // Characters attached to the number belong to it; a few words after it are what it counts.
        if n > UNIT || n > 1 && is_joint(word.trim_end()) {
            break;
        }
        end += word.len();
    }
    let end = range.start + said[..end].trim_end().len();
    let value = *first.values.first()?;
    (text[range.start..end].chars().count() <= STATE).then_some((range.start..end, value))
}

/// Returns whether a word continues the sentence after an amount.
fn is_joint(word: &str) -> bool {
    const JOINTS: &str = "in by and while with for over within after since per on at as when because thanks im in und bei für seit nach durch en \
        pour grâce avec y con por in con per e em com por en met voor door och med i og og på w z od в за и при";
    words::has(JOINTS, &word.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::Span;

    fn change(text: &str, code: &str) -> Option<[String; 2]> {
        let said = Sourced { text: text.to_owned(), span: Span { start: 0, end: text.len() as u32 } };
        let (items, _) = of(std::iter::once(&said), &Language::parse(code).unwrap())?;
        let heads: Vec<String> = items.iter().map(|item| item.head.wordings[0].clone()).collect();
        heads.try_into().ok()
    }

    #[test]
    fn a_change_is_what_was_and_what_is() {
        let pair = |a: &str, b: &str| Some([a.to_owned(), b.to_owned()]);
        assert_eq!(change("The wait fell from 14 days to 2 days in a year.", "en"), pair("14 days", "2 days"));
        assert_eq!(change("We cut costs from $4.2 million to $900,000.", "en"), pair("$4.2 million", "$900,000"));
        assert_eq!(change("Die Quote stieg von 40 % auf 64 % im Mai.", "de"), pair("40 %", "64 %"));
        assert_eq!(change("El plazo bajó de 12 semanas a 3 semanas.", "es"), pair("12 semanas", "3 semanas"));
    }

    #[test]
    fn spans_of_time_and_moves_are_no_changes() {
        for text in [
            "We are open from 9 to 5.",
            "Sales rose from 2012 to 2016.",
            "The team grew from Ohio to Maine.",
            "The wait fell from 14 days to almost nothing.",
        ] {
            assert_eq!(change(text, "en"), None, "{text}");
        }
    }
}
