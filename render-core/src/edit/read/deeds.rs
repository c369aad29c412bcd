//! What a prompt asks of an image's versions or of the slides of its carousel, rather than of its page.

use std::collections::HashSet;

use crate::design::Slide;

use super::LONGEST;
use super::carousel::{Carousel, Named, SlideAt, named};
use super::clause::{Kind, Tok, commands, is_slide, tokens};
use super::lex::fold;
use super::lexicon;
use super::remarks::without_reasons;
use super::sense::{Sense, W};
use super::{added, plain, titles};

/// A change that is not to a page.
#[derive(Debug, Clone, PartialEq)]
pub enum Deed {
    /// Back to what the image was before its last change, or to what it was at first.
    Undo {
        /// To its first version.
        first: bool,
    },
    /// The slides of the carousel in another order; those that are missing are removed.
    Slides(Vec<SlideAt>),
    /// What the slide at this index says, on two slides.
    Split(u32),
}

/// What is done to slides.
const DEEDS: [W; 7] = [W::Remove, W::Move, W::Swap, W::Reverse, W::Duplicate, W::Add, W::Break];
/// What else such a prompt says.
const BESIDE: [W; 20] = [
    W::Page,
    W::Set_,
    W::This,
    W::It,
    W::To,
    W::After,
    W::Before,
    W::Top,
    W::Bottom,
    W::Start,
    W::End,
    W::Left,
    W::Right,
    W::Up,
    W::Down,
    W::And,
    W::With,
    W::Set,
    W::Fill,
    W::Sort,
];

/// What a prompt asks of versions or slides, where it asks for nothing else; `carousel` is that of the page that it is about.
/// `None` for every other prompt.
pub fn deed(prompt: &str, carousel: Option<Carousel<'_>>) -> Option<Deed> {
    if prompt.chars().nth(LONGEST).is_some() {
        return None;
    }
    let said = plain::plain(prompt, &plain::OnPage::default());
    let prompt = said.as_ref().map_or(prompt, |said| said.prompt.as_str());
    let pieces = lexicon::cut(prompt);
    let toks = tokens(&pieces, &lexicon::senses(&pieces, &HashSet::new(), None));
    let toks = without_reasons(prompt, &toks);
    let named = carousel.and_then(|carousel| titles::named(prompt, &toks, carousel));
    let (toks, remarked) = instructions(prompt, &named.unwrap_or(toks))?;
    let spoken = remarked || toks.iter().any(|tok| is_slide(tok, prompt));
    undo(prompt, &toks).or_else(|| {
        let slide = carousel?.slide;
        let split = if spoken { split(&toks, slide) } else { None };
        split
            .or_else(|| added::slide(prompt, &toks, slide).map(Deed::Slides))
            .or_else(|| slides(&toks, slide).filter(|_| spoken).map(Deed::Slides))
    })
}

/// The tokens without clauses that only remark on this slide ("we don't need this one, delete the slide"), and whether one of
/// those speaks of the slide ("this slide is boring, delete it"). `None` where a remark may name another one.
fn instructions(prompt: &str, toks: &[Tok]) -> Option<(Vec<Tok>, bool)> {
    let (mut out, mut remarked) = (Vec::new(), false);
    // "this slide" may be one token.
    let this = |tok: &Tok| {
        let phrase = || prompt.get(tok.at.clone()).is_some_and(|words| words.contains(' '));
        tok.is(W::This) || tok.is(W::Page) && phrase()
    };
    // "this slide is boring"
    let is_remark = |clause: &[Tok]| {
        let mut words = clause.iter().filter(|tok| !tok.is(W::Fill)).skip_while(|tok| tok.is(W::This));
        let of_slide = words.next().is_some_and(|tok| tok.is(W::Page) && is_slide(tok, prompt));
        of_slide
            && words.next().is_some_and(|tok| tok.is(W::Is))
            && clause.iter().any(this)
            && !clause.iter().any(is_count)
    };
    let ends = |tok: &Tok| matches!(tok.kind, Kind::Mark(mark) if mark != ':');
    for clause in toks.split(ends).filter(|clause| !clause.is_empty()) {
        let orders = |tok: &Tok| commands(tok) || tok.is(W::Undo) || tok.is(W::Duplicate);
        // "…, text “…”" goes on with the words of a new slide.
        let says = |tok: &Tok| matches!(tok.kind, Kind::Quoted(_));
        if clause.iter().any(|tok| orders(tok) || says(tok)) || clause.iter().all(Tok::is_fill) {
            out.extend(clause.iter().cloned());
        } else if is_remark(clause) {
            remarked = true;
        } else if clause.iter().any(|tok| tok.is(W::Page) || is_count(tok)) {
            return None;
        }
    }
    // A misspelt word may be another one.
    (!out.iter().any(|tok: &Tok| tok.slip)).then_some((out, remarked))
}

/// "undo that", "go back to the original".
fn undo(prompt: &str, toks: &[Tok]) -> Option<Deed> {
    let idle = |tok: &Tok| {
        tok.is_fill() || [W::Undo, W::It, W::This, W::Page, W::To, W::All, W::Mode].iter().any(|word| tok.is(*word))
    };
    let words = fold(prompt);
    let undoes = toks.iter().any(|tok| tok.is(W::Undo)) && toks.iter().all(idle);
    undoes.then(|| Deed::Undo { first: words.contains("original") || words.contains("first") })
}

/// "split this slide in two".
fn split(toks: &[Tok], slide: Slide) -> Option<Deed> {
    let idle = [W::Break, W::This, W::It, W::Page, W::Set_, W::In, W::To, W::Half, W::On];
    let alone = toks.iter().all(|tok| {
        tok.is_fill() || idle.iter().any(|word| tok.is(*word)) || matches!(tok.kind, Kind::Num(_)) || is_count(tok)
    });
    if !(alone && toks.iter().any(|tok| tok.is(W::Break))) {
        return None;
    }
    // "into two slides" counts what it becomes; "slide 3" names it.
    let into = toks.iter().position(|tok| tok.is(W::In) || tok.is(W::To)).unwrap_or(toks.len());
    let (what, parts) = toks.split_at(into);
    let named = named(what, slide.count as usize);
    let two = named_counts(parts).is_none_or(|count| count == 2);
    let at = named.first().map_or(slide.index as usize, |one| one.slide);
    (two && named.len() < 2 && at < slide.count as usize).then_some(Deed::Split(at as u32))
}

fn is_count(tok: &Tok) -> bool {
    matches!(tok.kind, Kind::Sense(Sense::Number(_) | Sense::Ordinal(_)))
}

/// The number that tokens say.
fn named_counts(toks: &[Tok]) -> Option<usize> {
    toks.iter().find_map(|tok| match tok.kind {
        Kind::Num(n) => Some(n as usize),
        Kind::Sense(Sense::Number(n)) => Some(usize::from(n)),
        _ => None,
    })
}

fn slides(toks: &[Tok], slide: Slide) -> Option<Vec<SlideAt>> {
    let (count, here) = (slide.count as usize, slide.index as usize);
    let alone = toks.iter().all(|tok| match &tok.kind {
        Kind::Sense(Sense::Word(word)) => DEEDS.contains(word) || BESIDE.contains(word) || tok.is_fill(),
        Kind::Sense(Sense::Ordinal(_) | Sense::Number(_)) | Kind::Num(_) => true,
        _ => false,
    });
    if !alone || count < 2 {
        return None;
    }
    let has = |word: W| toks.iter().any(|tok| tok.is(word));
    let named = named(toks, count);
    if named.iter().any(|one| one.slide >= count) {
        return None;
    }
    let own = |named: &[Named]| -> Vec<usize> {
        if named.is_empty() { vec![here] } else { named.iter().map(|one| one.slide).collect() }
    };
    let kept = |index: usize| SlideAt { index: index as u32, copied: false, says: None };
    let order = |of: Vec<usize>| of.into_iter().map(kept).collect::<Vec<_>>();
    if has(W::Remove) {
        let gone = own(&named);
        let rest: Vec<usize> = (0..count).filter(|n| !gone.contains(n)).collect();
        let all = has(W::Set_) && named.is_empty();
        return (!rest.is_empty() && !all).then(|| order(rest));
    }
    if has(W::Duplicate) {
        let [of] = own(&named)[..] else { return None };
        let with_copy = |n: usize| {
            let copy = SlideAt { copied: true, ..kept(n) };
            [Some(kept(n)), (n == of).then_some(copy)].into_iter().flatten()
        };
        return Some((0..count).flat_map(with_copy).collect());
    }
    if has(W::Swap) {
        let (a, b) = match own(&named)[..] {
            [one] if one != here => (here, one),
            [a, b] => (a, b),
            _ => return None,
        };
        let mut all: Vec<usize> = (0..count).collect();
        all.swap(a, b);
        return Some(order(all));
    }
    if has(W::Reverse) {
        return named.is_empty().then(|| order((0..count).rev().collect()));
    }
    moved(toks, &named, count, here).map(order)
}

/// "move slide 3 before slide 2", "move this slide to the end", "make this the first slide".
fn moved(toks: &[Tok], named: &[Named], count: usize, here: usize) -> Option<Vec<usize>> {
    let has = |word: W| toks.iter().any(|tok| tok.is(word));
    let at = |words: &[W]| toks.iter().position(|tok| tok.word().is_some_and(|word| words.contains(&word)));
    let this = has(W::This) || has(W::It);
    if !(has(W::Move) || has(W::Set) && this) {
        return None;
    }
    let link = at(&[W::Before, W::After]).or_else(|| at(&[W::To])).unwrap_or(toks.len());
    let what: Vec<usize> = named.iter().filter(|one| one.at < link && !this).map(|one| one.slide).collect();
    let others: Vec<usize> = named.iter().filter(|one| one.at > link || this).map(|one| one.slide).collect();
    let what = match what[..] {
        [] => here,
        [one] => one,
        _ => return None,
    };
    let rest: Vec<usize> = (0..count).filter(|n| *n != what).collect();
    let place = match others[..] {
        [other] if has(W::Before) => rest.iter().position(|n| *n == other)?,
        [other] if has(W::After) => rest.iter().position(|n| *n == other)? + 1,
        [other] => other,
        [] if has(W::Start) || has(W::Top) => 0,
        [] if has(W::End) || has(W::Bottom) => rest.len(),
        [] if has(W::Left) || has(W::Up) => what.checked_sub(1)?,
        [] if has(W::Right) || has(W::Down) => what + 1,
        _ => return None,
    };
    let mut out = rest;
    out.insert(place.min(out.len()), what);
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The slides that a prompt makes of five on the third of them: numbers from 1, copies in brackets.
    fn order(prompt: &str) -> Option<String> {
        let said = ["Compost well", "Water late", "Mulch your beds", "Prune trees in winter", "Thanks for reading"];
        let carousel = Carousel { slide: Slide { index: 2, count: 5 }, said: &said };
        let slides = match deed(prompt, Some(carousel))? {
            Deed::Slides(slides) => slides,
            Deed::Split(at) => return Some(format!("split {}", at + 1)),
            Deed::Undo { .. } => return None,
        };
        let shown = |s: &SlideAt| match &s.says {
            Some(says) if says.title.is_some() && says.text.is_some() && says.title.as_deref() != Some("Headline") => {
                format!("[{}: {}]", says.title.as_deref().unwrap_or_default(), says.text.as_deref().unwrap_or_default())
            }
            Some(says) => format!("[{}]", says.title.as_deref().unwrap_or_default()),
            None if s.copied => format!("({})", s.index + 1),
            None => (s.index + 1).to_string(),
        };
        Some(slides.iter().map(shown).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn slides_are_removed_copied_and_moved() {
        for (prompt, expected) in [
            ("delete this slide", "1 2 4 5"),
            ("remove slide 2 and slide 4, please", "1 3 5"),
            ("delete the last slide", "1 2 3 4"),
            ("duplicate this slide", "1 2 3 (3) 4 5"),
            ("make a copy of slide 1", "1 (1) 2 3 4 5"),
            ("move slide 5 before slide 2", "1 5 2 3 4"),
            ("move this slide to the end", "1 2 4 5 3"),
            ("move this slide to the start", "3 1 2 4 5"),
            ("move slide 1 after slide 3", "2 3 1 4 5"),
            ("move this slide to position 2", "1 3 2 4 5"),
            ("make this the first slide", "3 1 2 4 5"),
            ("swap slides 1 and 2", "2 1 3 4 5"),
            ("swap this slide with slide 5", "1 2 5 4 3"),
            ("reverse the slides", "5 4 3 2 1"),
            ("delete the slide about trees", "1 2 3 5"),
            ("move the mulch slide to the end", "1 2 4 5 3"),
            ("remove the “Thanks for reading” slide", "1 2 3 4"),
            ("split this slide into two", "split 3"),
            ("split slide 2 in two slides", "split 2"),
            ("this slide is too full, split it", "split 3"),
            ("this slide is boring, delete it", "1 2 4 5"),
            ("add a slide after this one", "1 2 3 [Headline] 4 5"),
            ("add a new slide at the end saying “Any questions?”", "1 2 3 4 5 [Any questions?]"),
            (
                "add a slide after this one: title “Visit us”, text “From 10 to 6.”",
                "1 2 3 [Visit us: From 10 to 6.] 4 5",
            ),
            ("insert a slide before slide 2 with the headline “Why compost”", "1 [Why compost] 2 3 4 5"),
            ("Add a slide titled Our team", "1 2 3 [Our team] 4 5"),
            ("add a slide about our refund policy, please", "1 2 3 [Our refund policy] 4 5"),
            ("Füge am Ende eine Folie hinzu: „Danke“", "1 2 3 4 5 [Danke]"),
            ("Diese Folie löschen", "1 2 4 5"),
            ("supprime cette diapositive", "1 2 4 5"),
            ("this is too much, delete this slide because nobody reads it", "1 2 4 5"),
        ] {
            assert_eq!(order(prompt).as_deref(), Some(expected), "{prompt}");
        }
        for prompt in [
            "delete slide 9",
            "the second slide is boring, delete it",
            "this slide and slide 3 are dull, delete it",
            "this slide's mascot is ugly, delete it",
            "the headline on this slide is ugly, delete it",
            "on this slide the headline is ugly, delete it",
            "delete it",
            "remove the headline on this slide",
            "delete all slides",
            "make this slide blue",
            "remove this image",
            "move the logo to the end",
            "make the first point bigger",
            "delete the slide about bees",
            "delete the slide about the",
            "split the headline into two lines",
            "split the list",
            "split it in two",
            "split this slide into three",
            "add a slide number",
            "add a point to this slide",
            "add “new” to the headline of this slide",
            "add the logo on this slide",
            "add a line saying hello on this slide",
            "add a picture to slide 2",
        ] {
            assert_eq!(order(prompt), None, "{prompt}");
        }
    }

    #[test]
    fn changes_are_undone() {
        for (prompt, first) in [
            ("undo", false),
            ("Undo that please", false),
            ("go back to the original version", true),
            ("revert it", false),
        ] {
            assert_eq!(deed(prompt, None), Some(Deed::Undo { first }), "{prompt}");
        }
        for prompt in ["undo the blue headline", "remove the button", ""] {
            assert_eq!(deed(prompt, None), None, "{prompt}");
        }
    }
}
