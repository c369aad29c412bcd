//! Slides that a prompt calls by what they say: "the slide about roses", "the FAQ slide".

use super::carousel::{ABOUT, Carousel};
use super::clause::{Kind, Tok, is_slide};
use super::lex::fold;
use super::sense::{Sense, W};

/// Letters from which a word can name a slide.
const LONG: usize = 3;

/// The tokens of a prompt with the words that name a slide by what it says in place of its number; `None` where there are no
/// such words, or where they name none or several.
pub(super) fn named(prompt: &str, toks: &[Tok], carousel: Carousel<'_>) -> Option<Vec<Tok>> {
    // A new slide is called by what it will say.
    if toks.iter().any(|tok| tok.is(W::Add)) {
        return None;
    }
    let slide = toks.iter().position(|tok| is_slide(tok, prompt))?;
    let strange = |tok: &Tok| tok.slip || matches!(tok.kind, Kind::Unknown | Kind::Quoted(_));
    let about = |tok: &Tok| prompt.get(tok.at.clone()).is_some_and(|word| ABOUT.contains(&fold(word).as_str()));
    let first = toks.iter().position(|tok| strange(tok) && !about(tok))?;
    let last = toks.iter().rposition(strange)?;
    let within = toks.get(first..=last)?;
    // "the FAQ slide", "the slide about the FAQ"
    let beside = first > slide
        && toks[slide + 1..first].iter().all(|tok| tok.is_fill() || tok.is(W::With) || tok.is(W::Say) || about(tok))
        || last < slide && toks[last + 1..slide].iter().all(Tok::is_fill);
    let apart = within.iter().any(|tok| matches!(tok.kind, Kind::Mark(_)) || tok.is(W::Remove) || tok.is(W::Move));
    if !beside || apart {
        return None;
    }
    let words = fold(prompt.get(toks[first].at.start..toks[last].at.end)?);
    let words: Vec<&str> =
        words.split(|c: char| !c.is_alphanumeric()).filter(|word| word.chars().count() >= LONG).collect();
    let says = |text: &str| {
        let text = fold(text);
        let said: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).collect();
        words.iter().all(|word| said.contains(word))
    };
    if words.is_empty() {
        return None;
    }
    let mut found = carousel.said.iter().enumerate().filter(|(_, text)| says(text)).map(|(n, _)| n);
    let (at, None) = (found.next()?, found.next()) else { return None };
    let number =
        Tok { kind: Kind::Sense(Sense::Number(u8::try_from(at + 1).ok()?)), slip: false, ..toks[first].clone() };
    let mut out: Vec<Tok> = toks[..if first > slide { slide + 1 } else { first }].to_vec();
    out.push(number);
    out.extend(toks[last + 1..].iter().cloned());
    Some(out)
}
