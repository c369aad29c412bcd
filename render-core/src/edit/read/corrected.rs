//! Corrections without a verb: "teh -> the", "118 agreements, not 116".

use super::super::phrase::{found, spelt};
use super::clause::{Bag, Kind, Tok, plain_words};
use super::done::Done;
use super::sense::W;
use super::state::State;
use super::wording;

/// Signs between what a text says and what it should say.
const ARROWS: [&str; 5] = ["->", "-->", "=>", "→", "⇒"];
/// Words of the longest phrase that is corrected.
const WORDS: usize = 8;
/// Tokens of the longest clause around words that the page spells otherwise.
const ASIDE: usize = 6;

/// "Ihrer Namen -> ihrer Namen": what stands before the arrow must stand on the page.
pub(super) fn arrow(bag: &mut Bag<'_>, st: &mut State<'_, '_>) -> Option<Done> {
    let n = bag.toks.len();
    let at = bag.toks.iter().position(|tok| ARROWS.contains(&bag.words(tok)))?;
    let texts = st.slots();
    let known = |phrase: &str| texts.iter().any(|(_, text)| spelt(text, phrase).is_some());
    let from = (at.saturating_sub(WORDS)..at).map(|start| said(bag, start, at)).find(|from| known(from))?;
    let ends = |tok: &Tok| matches!(tok.kind, Kind::Mark(',' | '.' | ';'));
    let to = said(bag, at + 1, n);
    if to.is_empty() || from == to || bag.toks.iter().skip(at + 1).any(ends) {
        return None;
    }
    bag.take_range(0..n);
    // Where the page says both, the arrow may stand between two things of it: "June → September".
    if known(&to) {
        return None;
    }
    st.certain = true;
    Some(wording::replace_as_is(st, &from, &to, &[]))
}

/// "it's 118, not 116": a number for the only other one of the clause, a quoted word for one like it, a phrase for a similar
/// one.
pub(super) fn instead(bag: &mut Bag<'_>, st: &mut State<'_, '_>) -> Option<Done> {
    let n = bag.toks.len();
    let not = bag.toks.iter().rposition(|tok| tok.is(W::Not))?;
    if let Some((from, to)) = phrases(bag, st, not) {
        bag.take_range(0..n);
        st.certain = true;
        return Some(wording::replace_as_is(st, &from, &to, &[]));
    }
    // A word of the page, or what may be one that is misspelt.
    let word = |tok: &Tok| tok.slip || matches!(tok.kind, Kind::Unknown | Kind::Items(_));
    let content = |tok: &Tok| word(tok) || matches!(tok.kind, Kind::Num(_) | Kind::Quoted(_));
    let (before, after) = (bag.toks.get(..not)?, bag.toks.get(not + 1..)?);
    // Nothing but the two and fillers: what instructs is another matter.
    let plain = |tok: &Tok| content(tok) || tok.is_fill() || matches!(tok.kind, Kind::Mark(_)) || tok.is(W::It);
    if !before.iter().chain(after).all(plain) {
        return None;
    }
    let [wrong] = after.iter().filter(|tok| content(tok)).collect::<Vec<_>>()[..] else { return None };
    let same = |tok: &&Tok| match (&tok.kind, &wrong.kind) {
        (Kind::Num(_), Kind::Num(_)) | (Kind::Quoted(_), _) => true,
        _ if word(tok) && word(wrong) => similar(bag.words(tok), bag.words(wrong)),
        _ => false,
    };
    let [right] = before.iter().filter(same).collect::<Vec<_>>()[..] else { return None };
    let (from, to) = (bare(bag.words(wrong)), bare(bag.words(right)));
    let to = st.slots().iter().find_map(|(_, text)| without_lead(text, &from, &to)).unwrap_or(to);
    if from == to || !st.slots().iter().any(|(_, text)| spelt(text, &from).is_some()) {
        return None;
    }
    bag.take_range(0..n);
    st.certain = true;
    Some(wording::replace_as_is(st, &from, &to, &[]))
}

/// "it's “por qué importa”", "spell it “wide variety”": what the page spells with other spaces, hyphens or accents.
pub(super) fn respelt(bag: &mut Bag<'_>, st: &mut State<'_, '_>) -> Option<Done> {
    let mut quotes = bag.clone().quotes();
    let to = quotes.pop().filter(|_| quotes.is_empty())?;
    let plain = |tok: &Tok| {
        matches!(tok.kind, Kind::Quoted(_) | Kind::Unknown) || tok.is_fill() || tok.is(W::It) || tok.is(W::Spelt)
    };
    if !bag.toks.iter().all(plain) || bag.toks.len() > ASIDE {
        return None;
    }
    let bare = |text: &str| super::lex::fold(text).chars().filter(|c| c.is_alphanumeric()).collect::<String>();
    let wanted = bare(&to);
    let same = |own: &str| bare(own) == wanted && own.trim() != to;
    let from = st.slots().into_iter().find_map(|(_, text)| phrase(&text, 2 * to.len() + 8, same))?;
    bag.take_range(0..bag.toks.len());
    st.certain = true;
    Some(wording::replace_as_is(st, &from, &to, &[]))
}

/// The first run of whole words of a text, of at most `most` bytes, that `is` accepts.
fn phrase(text: &str, most: usize, is: impl Fn(&str) -> bool) -> Option<String> {
    let inside = |at: usize| {
        let (before, after) = text.split_at(at);
        before.ends_with(char::is_alphanumeric) && after.starts_with(char::is_alphanumeric)
    };
    let cuts: Vec<usize> = (0..=text.len()).filter(|at| text.is_char_boundary(*at) && !inside(*at)).collect();
    let runs = cuts.iter().flat_map(|start| {
        cuts.iter().filter(move |end| *end > start && **end - *start <= most).map(move |end| *start..*end)
    });
    let own = runs.filter_map(|run| text.get(run)).find(|own| is(own))?;
    Some(own.trim().to_owned())
}

/// "where they are, not where they're at": what the page says behind "not", and a similar phrase right before it.
fn phrases(bag: &Bag<'_>, st: &State<'_, '_>, not: usize) -> Option<(String, String)> {
    let n = bag.toks.len();
    let wrong = said(bag, not + 1, n);
    if wrong.split_whitespace().count() < 2 || !st.slots().iter().any(|(_, text)| spelt(text, &wrong).is_some()) {
        return None;
    }
    let end = bag.toks.get(..not)?.iter().rposition(|tok| !matches!(tok.kind, Kind::Mark(_)))? + 1;
    let near = |right: &String| right.len().abs_diff(wrong.len());
    let like = |right: &String| similar(right, &wrong) || shares_words(right, &wrong);
    let right = (0..end).map(|start| said(bag, start, end)).filter(like).min_by_key(near)?;
    (right != wrong).then_some((wrong, right))
}

/// The words that replace others without those at their start that the text says right before: "le cadre du projet" for "de
/// la projet" in "dans le cadre de la projet" is "du projet". `None` if the text says nothing of the kind.
fn without_lead(text: &str, from: &str, to: &str) -> Option<String> {
    let before = text.get(..found(text, from).first()?.start)?.trim_end().to_lowercase();
    let words: Vec<&str> = to.split(' ').collect();
    let lead = (1..words.len()).rev().find(|n| {
        let lead = words.get(..*n).unwrap_or_default().join(" ").to_lowercase();
        before.strip_suffix(lead.as_str()).is_some_and(|rest| !rest.ends_with(char::is_alphanumeric))
    })?;
    Some(words.get(lead..)?.join(" "))
}

fn said(bag: &Bag<'_>, from: usize, to: usize) -> String {
    bare(bag.slice(from..to))
}

/// Words without the marks around them.
fn bare(words: &str) -> String {
    words.trim_matches(|c: char| c.is_whitespace() || "\"'“”„‘’«»`,.;:".contains(c)).to_owned()
}

/// Whether one word may be the other with a slip in it.
fn similar(a: &str, b: &str) -> bool {
    let (a, b) = (super::lex::fold(a), super::lex::fold(b));
    let length = |word: &str| word.chars().count();
    let shared = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
    length(&a).abs_diff(length(&b)) <= 2 && 2 * shared >= length(&a).min(length(&b))
}

/// Whether a phrase has half of the words of another, and as many of its own: "before heat", "before the heat".
fn shares_words(a: &str, b: &str) -> bool {
    let (a, b) = (plain_words(a), plain_words(b));
    let shared = a.iter().filter(|word| b.contains(word)).count();
    2 * shared >= a.len().max(b.len())
}
