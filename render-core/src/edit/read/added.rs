//! Reads prompts that add a slide: "Add a slide after this one saying “Any questions?”".

use crate::design::Slide;
use crate::outline::{PageKind, RevisedPage};

use super::carousel::{ABOUT, SlideAt, named};
use super::clause::{Kind, Tok, is_slide};
use super::lex::fold;
use super::sense::{Sense, W};

/// The placeholder text of a new slide whose words the prompt leaves open.
const HEADLINE: &str = "Headline";
const TEXT: &str = "Supporting text";
/// The words that say where the new slide goes.
const PLACE: [W; 16] = [
    W::Add,
    W::Page,
    W::Set_,
    W::This,
    W::It,
    W::After,
    W::Before,
    W::To,
    W::Top,
    W::Bottom,
    W::Start,
    W::End,
    W::And,
    W::Other,
    W::In,
    W::On,
];

/// Returns the slides of a carousel with a new one, if the prompt asks for nothing else.
pub(super) fn slide(prompt: &str, toks: &[Tok], slide: Slide) -> Option<Vec<SlideAt>> {
    let add = toks.iter().position(|tok| tok.is(W::Add))?;
    let at = toks.iter().position(|tok| is_slide(tok, prompt))?;
    // "add a point to this slide" adds no slide. In some languages the verb follows the slide.
    let between = if add < at { toks.get(add + 1..at)? } else { toks.get(..at)? };
    let one = between.iter().all(|tok| tok.is_fill() || PLACE.iter().any(|word| tok.is(*word)) || is_one(tok));
    let is_this = between.iter().any(|tok| tok.is(W::This) || tok.is(W::It));
    let into = between.iter().any(|tok| tok.is(W::To) || tok.is(W::On)) && add < at;
    if !one
        || is_this
        || into && !between.iter().any(|tok| [W::End, W::Bottom, W::Start, W::Top].iter().any(|word| tok.is(*word)))
    {
        return None;
    }
    let Words { title, text, before } = said(prompt, toks, at)?;
    let place = toks.get(..before)?;
    let known = |tok: &Tok| {
        let word = PLACE.iter().any(|word| tok.is(*word)) || tok.is_fill() || tok.is(W::With);
        word || is_one(tok) || matches!(tok.kind, Kind::Mark(_) | Kind::Num(_) | Kind::Sense(Sense::Ordinal(_)))
    };
    if !place.iter().all(known) {
        return None;
    }
    let count = slide.count as usize;
    let has = |word: W| place.iter().any(|tok| tok.is(word));
    let behind = place.iter().position(|tok| tok.is(W::After) || tok.is(W::Before)).unwrap_or(0);
    let other = named(place, count).into_iter().find(|one| one.at > behind && behind > 0).map(|one| one.slide);
    if other.is_some_and(|other| other >= count) {
        return None;
    }
    let beside = other.unwrap_or(slide.index as usize);
    let index = match () {
        () if has(W::Before) => beside,
        () if has(W::After) => beside + 1,
        () if has(W::End) || has(W::Bottom) => count,
        () if has(W::Start) || has(W::Top) => 0,
        () => slide.index as usize + 1,
    };
    let like = index.saturating_sub(1).max(usize::from(count > 1)).min(count - 1);
    let kept = |index: usize| SlideAt { index: index as u32, copied: false, says: None };
    let mut out: Vec<SlideAt> = (0..count).map(kept).collect();
    out.insert(index.min(count), SlideAt { copied: true, says: Some(page(title, text)), ..kept(like) });
    Some(out)
}

fn is_one(tok: &Tok) -> bool {
    matches!(tok.kind, Kind::Sense(Sense::Number(1)))
}

/// The words for a new slide.
struct Words {
    title: Option<String>,
    text: Option<String>,
    /// The number of tokens before them.
    before: usize,
}

/// Returns a page with a headline, or with placeholders if there is none.
fn page(title: Option<String>, text: Option<String>) -> RevisedPage {
    let text = text.or_else(|| title.is_none().then(|| TEXT.to_owned()));
    RevisedPage {
        kind: PageKind::Point,
        kicker: None,
        title: Some(title.unwrap_or_else(|| HEADLINE.to_owned())),
        text,
        figure: None,
        number: None,
        items: Vec::new(),
        groups: Vec::new(),
        attribution: None,
        note: None,
        action: None,
    }
}

/// Returns the words for the new slide, if the prompt has any. `None` if the prompt asks for something else too.
fn said(prompt: &str, toks: &[Tok], slide: usize) -> Option<Words> {
    let quoted = toks.iter().position(|tok| matches!(tok.kind, Kind::Quoted(_)));
    if let Some(at) = quoted {
        let quotes =
            toks[at..].iter().filter_map(|tok| if let Kind::Quoted(text) = &tok.kind { Some(text) } else { None });
        let mut quotes = quotes.map(|text| text.trim().to_owned());
        let (title, text) = (quotes.next(), quotes.next());
        let rest = toks.get(at + 1..)?;
        // "title “…”, text “…”"
        let of_text = |tok: &Tok| {
            let names = tok.is(W::Text) || matches!(tok.kind, Kind::Quoted(_) | Kind::Sense(Sense::Part(_)));
            text.is_some() && (names || tok.is(W::And))
        };
        let idle = |tok: &Tok| tok.is_fill() || tok.is(W::Add) || matches!(tok.kind, Kind::Mark(_));
        let last = quotes.next().is_none() && rest.iter().all(|tok| idle(tok) || of_text(tok));
        // "with the headline", "saying", ":"
        let introduces = |tok: &Tok| {
            tok.is(W::Say)
                || tok.is(W::With)
                || tok.is(W::Text)
                || matches!(tok.kind, Kind::Mark(':') | Kind::Sense(Sense::Part(_)))
        };
        let from = toks[..at].iter().rposition(|tok| !introduces(tok) && !tok.is_fill()).map_or(0, |at| at + 1);
        return last.then(|| Words { title, text, before: from.max(slide + 1).min(at) });
    }
    let word = |tok: &Tok| prompt.get(tok.at.clone()).map(fold).unwrap_or_default();
    let opens = |(n, tok): (usize, &Tok)| n > slide && (tok.is(W::Say) || ABOUT.contains(&word(tok).as_str()));
    // "on" and "for" introduce a subject only right after the slide.
    let at = toks.iter().enumerate().position(opens).filter(|at| {
        let tok = &toks[*at];
        tok.is(W::Say) || word(tok).as_str() == "about" || *at == slide + 1
    });
    let Some(at) = at else { return Some(Words { title: None, text: None, before: toks.len() }) };
    let text = prompt.get(toks[at].at.end..)?;
    let text = text.trim_matches(|c: char| c.is_whitespace() || ":.,;!".contains(c));
    let text = ["please", "bitte", "por favor", "s'il te plaît", "s'il vous plaît"]
        .iter()
        .fold(text, |text, polite| text.strip_suffix(polite).unwrap_or(text));
    let text = text.trim_matches(|c: char| c.is_whitespace() || ",;".contains(c));
    let mut letters = text.chars();
    let capital: String = letters.next()?.to_uppercase().chain(letters).collect();
    Some(Words { title: Some(capital), text: None, before: at })
}
