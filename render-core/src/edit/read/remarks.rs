//! Remarks around an instruction: reasons for it, and complaints that say what "it" is.

use std::collections::HashSet;
use std::ops::Range;

use crate::design::Part;

use super::clause::{Kind, Tok, commands, names, plain_words};
use super::lex::fold;
use super::plain::List;
use super::sense::{Sense, W};

/// The tokens without the reasons behind instructions: "move the text up so it stands in the middle".
pub(super) fn without_reasons(prompt: &str, toks: &[Tok]) -> Vec<Tok> {
    let mut out: Vec<Tok> = Vec::with_capacity(toks.len());
    let mut ordered = false;
    let mut at = 0;
    while let Some(tok) = toks.get(at) {
        if tok.parts() {
            ordered = false;
        }
        let word = prompt.get(tok.at.clone()).map(fold).unwrap_or_default();
        let clause = toks.get(at + 1..).unwrap_or_default();
        let rest = clause.iter().take_while(|tok| !tok.parts()).count();
        let plain = |tok: &Tok| match &tok.kind {
            Kind::Unknown => true,
            Kind::Sense(Sense::Word(word)) => !word.is_place() && !commands(tok),
            _ => false,
        };
        let remarks = List::Reasons.has(&word) || List::Likenesses.has(&word) && rest > 1;
        // What names a place or a thing may be what is asked for.
        if ordered && rest > 0 && remarks && !tok.is(W::Set) && clause.iter().take(rest).all(plain) {
            at += rest + 1;
            continue;
        }
        ordered |= commands(tok);
        out.push(tok.clone());
        at += 1;
    }
    out
}

/// Returns whether a part of a prompt only says how something is ("why is this one black?"), so that nothing is missing where
/// it is left out.
pub(super) fn is_remark(text: &str, toks: &[Tok]) -> bool {
    let words = plain_words(&text.replace(['\'', '’'], ""));
    let begins = words.first().is_some_and(|word| List::Remarks.has(word));
    let says = toks.iter().any(|tok| tok.is(W::Too) || tok.is(W::Is));
    let asks = words.iter().any(|word| List::Asks.has(word))
        || toks.iter().any(|tok| orders(tok) || tok.is(W::Want))
        || toks
            .iter()
            .find(|tok| !tok.is_fill())
            .is_some_and(|tok| commands(tok) || matches!(tok.kind, Kind::Quoted(_)));
    (begins || says) && !asks
}

/// Returns whether a token asks for a change wherever it stands; "have" and "show" also tell what is there.
fn orders(tok: &Tok) -> bool {
    commands(tok) && !tok.slip && ![W::Set, W::Use, W::Show, W::Shorten].iter().any(|word| tok.is(*word))
}

/// Returns whether a clause only says how something is to look: "bigger and in the middle".
fn is_fragment(clause: &[Tok]) -> bool {
    let degrees = [W::Double, W::Half, W::Bit, W::Much, W::More, W::Less, W::Vivid, W::Muted, W::Centre];
    let looks = |tok: &Tok| tok.word().is_some_and(|word| word.is_look() || degrees.contains(&word));
    let idle = |tok: &Tok| tok.is_fill() || tok.parts() || tok.is(W::In) || tok.is(W::It) || tok.is(W::This);
    clause.iter().any(looks) && clause.iter().all(|tok| looks(tok) || idle(tok))
}

/// The tokens with what "it" stands for, where a complaint before says that: "the headline looks lost, make it bigger". Also
/// where in the prompt such complaints begin.
pub(super) fn with_antecedents(toks: &[Tok], parts: &[Range<usize>]) -> (Vec<Tok>, HashSet<usize>) {
    let (mut changed, mut complaints) = (toks.to_vec(), HashSet::new());
    let of = |part: &Range<usize>| toks.get(part.clone()).unwrap_or_default();
    let calls = |tok: &Tok| names(tok) && !tok.slip;
    // From the end, so that what is put in moves nothing that is looked at later.
    for (n, part) in parts.iter().enumerate().rev() {
        let clause = of(part);
        let fragment = is_fragment(clause);
        if !(clause.iter().any(commands) || fragment) || clause.iter().any(calls) {
            continue;
        }
        let before = parts.get(..n).unwrap_or_default();
        let ordered = |part: &Range<usize>| of(part).iter().any(commands) || is_fragment(of(part)) && !fragment;
        let from = before.iter().rposition(ordered).map_or(0, |at| at + 1);
        let remarks = before.get(from..).unwrap_or_default();
        // "The letters in the headline": the part says which letters.
        let vague = |tok: &Tok| tok.is(W::Text) || tok.is(W::Face) || tok.is(W::Everything);
        let things = || remarks.iter().flat_map(of).filter(|tok| calls(tok));
        let Some(thing) = things().find(|tok| !vague(tok)).or_else(|| things().next()) else { continue };
        let it = clause.iter().position(|tok| tok.is(W::It) || tok.is(W::This));
        let adds = clause.iter().any(|tok| tok.is(W::Add)) && matches!(thing.kind, Kind::Items(_));
        let quoted = clause.iter().position(|tok| matches!(tok.kind, Kind::Quoted(_))).filter(|_| adds);
        match (it, quoted) {
            (Some(at), _) => {
                if let Some(tok) = changed.get_mut(part.start + at) {
                    tok.kind = thing.kind.clone();
                }
            }
            // "Roles has nothing under it, add “…”": what is added explains that point.
            (None, Some(at)) => {
                let Some(place) = clause.get(at).map(|tok| tok.at.start..tok.at.start) else { continue };
                let put = |kind| Tok { kind, at: place.clone(), slip: false };
                let detail = put(Kind::Sense(Sense::Part(Part::Details)));
                changed.splice(part.start + at..part.start + at, [detail, put(thing.kind.clone())]);
            }
            (None, None) if fragment => {
                let Some(place) = clause.first().map(|tok| tok.at.start..tok.at.start) else { continue };
                let put = Tok { kind: thing.kind.clone(), at: place, slip: false };
                changed.insert(part.start, put);
            }
            (None, None) => continue,
        }
        complaints.extend(remarks.iter().filter_map(|part| of(part).first()).map(|tok| tok.at.start));
    }
    (changed, complaints)
}
