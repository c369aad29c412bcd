//! Prompts of which only a part can be read: that part is done, and the rest is named.

use std::collections::HashSet;
use std::ops::Range;

use super::super::Op;
use super::clause::{Kind, Tok, commands, names};
use super::clauses::{JOINED, Search, clause, shown};
use super::sense::W;
use super::state::State;
use super::{plain, remarks, said_back};

/// What can be read of a prompt: sentence by sentence, and of a sentence that can't be read clause by clause. Clauses that
/// begin where `complaints` says are passed over. `None` where nothing can be read, and where all can without that.
pub(super) fn read<'t, 'a>(
    prompt: &str,
    toks: &[Tok],
    parts: &[Range<usize>],
    complaints: &HashSet<usize>,
    begun: State<'t, 'a>,
) -> Option<State<'t, 'a>> {
    let complains = |part: &Range<usize>| toks.get(part.start).is_some_and(|tok| complaints.contains(&tok.at.start));
    let parts: Vec<Range<usize>> = parts.iter().filter(|part| !complains(part)).cloned().collect();
    let ends = |at: &usize| matches!(toks.get(*at).map(|tok| &tok.kind), Some(Kind::Mark('.' | ';' | '!' | '?')));
    let sentences = parts.chunk_by(|part, next| !(part.end..next.start).any(|at| ends(&at)));
    let (mut state, mut left) = (begun, Vec::new());
    for sentence in sentences {
        let mut search = Search::new(prompt, toks, sentence);
        let (start, end) = (sentence.first()?.start, sentence.last()?.end);
        let of = toks.get(start..end).unwrap_or_default();
        let named = of.iter().any(names) || is_sure(prompt, of);
        let before = state.ops.len();
        let whole = search.from(0, State { open: false, ..state.clone() });
        let whole = whole.filter(|read| named && read.ops.len() > before && read.cannot.is_none());
        match whole.map(|read| (read, Vec::new())).or_else(|| by_clause(&search, &state)) {
            Some((read, unread)) => {
                state = read;
                left.extend(unread);
            }
            None => left.extend(search.text(start, end).and_then(|text| unread(text, of, prompt))),
        }
    }
    if state.ops.is_empty() {
        return None;
    }
    state.partial = !left.is_empty();
    left.into_iter().for_each(|note| state.note(note));
    Some(state)
}

/// What is said of a part that was not understood; `None` if it asks for nothing.
fn unread(text: &str, toks: &[Tok], prompt: &str) -> Option<String> {
    let note = || said_back::message("“{}” was not understood and left out.", &shown(text), prompt);
    (!remarks::is_remark(text, toks)).then(note)
}

/// Whether a clause only states something: "the type is flush left".
fn states(clause: &[Tok]) -> bool {
    let is = clause.iter().position(|tok| tok.is(W::Is));
    let told = clause.iter().take(is.unwrap_or(0)).any(names);
    let asks = [W::Too, W::Want, W::More, W::Less, W::Not, W::To, W::Huge, W::Tiny];
    told && !clause.iter().any(|tok| commands(tok) || asks.iter().any(|word| tok.is(*word)))
}

/// Whether a clause is one of the table of everyday wording.
fn is_sure(prompt: &str, clause: &[Tok]) -> bool {
    let start = clause.first().map_or(0, |tok| tok.at.start);
    prompt.get(..start).is_some_and(|before| before.ends_with(plain::SURE))
}

/// The clauses of a sentence that can be read, and what is said of the others. The first one must say itself what it is
/// about. `None` where none can, where one that can't might limit those before it, and where words for the page have no
/// certain end.
fn by_clause<'t, 'a>(sentence: &Search<'_>, state: &State<'t, 'a>) -> Option<(State<'t, 'a>, Vec<String>)> {
    let Search { prompt, toks, parts, .. } = *sentence;
    let mut state = State { open: false, strict: true, certain: false, ..state.clone() };
    let (mut left, mut begun, mut ordered, mut at) = (Vec::new(), false, false, 0);
    while let Some(part) = parts.get(at) {
        // What says how something is asks for nothing.
        if toks.get(part.clone()).is_some_and(states) {
            let of = toks.get(part.clone()).unwrap_or_default();
            left.extend(sentence.text(part.start, part.end).and_then(|text| unread(text, of, prompt)));
            at += 1;
            continue;
        }
        let mut found: Option<(usize, State<'t, 'a>)> = None;
        let mut why = None;
        for n in 1..=JOINED.min(parts.len() - at) {
            let Some(of) = parts.get(at + n - 1).and_then(|last| toks.get(part.start..last.end)) else { break };
            let Some(read) = clause(prompt, of, &state) else { continue };
            if !(begun || of.iter().any(names) || read.certain || is_sure(prompt, of)) {
                continue;
            }
            // '…, no “percent”' says how something is to be written.
            let first = of.iter().find(|tok| !tok.is_fill()).and_then(|tok| prompt.get(tok.at.clone()));
            if !left.is_empty() && first.is_some_and(|word| matches!(word.to_lowercase().as_str(), "no" | "without")) {
                continue;
            }
            // Behind an instruction that can't be read, a fragment may be a part of it.
            if !begun && ordered && !of.iter().any(commands) && !is_sure(prompt, of) {
                continue;
            }
            if let Some(reason) = read.cannot.filter(|_| n == 1) {
                why = Some(reason);
            } else if read.ops.len() > state.ops.len() {
                let open = read.open;
                found = Some((n, State { cannot: None, ..read }));
                if !open {
                    break;
                }
            }
        }
        if let Some((n, read)) = found {
            let instructs = |next: &Range<usize>| {
                toks.get(next.clone()).is_some_and(|of| of.iter().find(|t| !t.is_fill()).is_some_and(commands))
            };
            if read.open && parts.get(at + n).is_some_and(|next| !instructs(next)) {
                return None;
            }
            (state, begun, at) = (read, true, at + n);
            continue;
        }
        let of = toks.get(part.clone()).unwrap_or_default();
        // "… but not the headline" is harmless where single words were named.
        let limits = of.iter().any(|tok| tok.is(W::Not))
            && of.iter().any(|tok| names(tok) && !tok.is(W::Everything))
            && !state.ops.iter().all(|op| matches!(op, Op::Stress { .. }));
        if begun && limits {
            return None;
        }
        ordered |= of.iter().any(|tok| commands(tok) && !tok.slip);
        let text = sentence.text(part.start, part.end)?;
        match why {
            Some(why) => left.push(format!("“{}” was left out. {why}", shown(text))),
            None => left.extend(unread(text, of, prompt)),
        }
        at += 1;
    }
    begun.then_some((State { strict: false, ..state }, left))
}
