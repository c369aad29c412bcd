//! Converts Markdown as people and programs write it to CommonMark. Each pass changes one kind of construct, and
//! every byte of the result maps to its source position.

mod addresses;
mod callouts;
mod captions;
pub(super) mod code;
pub(super) mod edits;
mod emphasis;
mod html;
mod indents;
mod inline;
pub(super) mod lines;
pub(super) mod marks;
mod maths;
mod references;
mod rows;
mod templates;

use std::ops::Range;

use self::code::Code;
use self::edits::{Edit, Edited};

pub(super) use self::addresses::{all as addresses, reached};
pub(super) use self::captions::below as caption_below;
pub(super) use self::html::name_in as named;
pub(super) use self::html::{Shown, shown};

/// A pass over a text outside its code.
type Pass = fn(&str, &Code) -> Vec<Edit>;

/// The passes, in order. Each reads the result of the previous one.
const PASSES: [Pass; 9] = [
    maths::edits,
    templates::edits,
    callouts::edits,
    html::edits,
    indents::edits,
    lines::edits,
    rows::edits,
    inline::edits,
    emphasis::edits,
];

/// Returns the Markdown text at `body` as CommonMark. Addresses are shortened unless `exact`.
pub(super) fn commonmark(source: &str, body: Range<usize>, exact: bool) -> Edited {
    let mut edited = only(source, body);
    edited = pass(edited, |text, _| separators(text));
    if !exact {
        edited = pass(edited, captions::edits);
    }
    for edits in PASSES {
        edited = pass(edited, edits);
    }
    if !exact {
        edited = pass(edited, captions::posted);
        edited = pass(edited, |text, code| addresses::edits(text, code, true));
    }
    edited
}

/// Returns the plain text at `body`. Only character references and addresses are processed, no marks.
pub(super) fn plain(source: &str, body: Range<usize>, exact: bool) -> Edited {
    let edited = pass(only(source, body), |text, _| separators(text));
    let edited = pass(edited, |text, _| entities(text));
    let edited = if exact { edited } else { pass(edited, |text, _| lines::pictures(text)) };
    match exact {
        true => edited,
        false => pass(edited, |text, _| addresses::edits(text, &Code::default(), false)),
    }
}

/// Whether a text contains tags of HTML or of a template language.
pub(super) fn is_marked_up(text: &str) -> bool {
    html::tags::any(text) || ["{% ", "{{< ", "{{% ", "\n:::"].iter().any(|mark| text.contains(mark))
}

fn only(source: &str, body: Range<usize>) -> Edited {
    Edited::of(source).apply(&[Edit::delete(0..body.start), Edit::delete(body.end..source.len())])
}

fn pass(edited: Edited, edits: impl Fn(&str, &Code) -> Vec<Edit>) -> Edited {
    let code = Code::of(&edited.text);
    let edits = edits(&edited.text, &code);
    edited.apply(&edits)
}

/// Normalises line and page separators of other programs: vertical tabs, form feeds, Unicode separators, lone
/// carriage returns.
fn separators(text: &str) -> Vec<Edit> {
    let odd = |c: char| matches!(c, '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}' | '\r');
    let found = text.match_indices(odd).filter(|(at, c)| *c != "\r" || !text[at + 1..].starts_with('\n'));
    let edit = |(at, c): (usize, &str)| {
        let with = match c {
            "\u{c}" => " ",
            "\u{2029}" => "\n\n",
            _ => "\n",
        };
        Edit::replace(at..at + c.len(), with)
    };
    found.map(edit).collect()
}

/// Replaces character references.
fn entities(text: &str) -> Vec<Edit> {
    let mut out = Vec::new();
    for (at, _) in text.match_indices('&') {
        let near = &text[at..text.floor_char_boundary((at + 34).min(text.len()))];
        let Some(end) = near.find(';') else { continue };
        let name = &near[1..end];
        let plain = name.starts_with('#') || name.starts_with(|c: char| c.is_ascii_alphabetic());
        if !plain || !name[1..].chars().all(|c| c.is_ascii_alphanumeric()) {
            continue;
        }
        let reference = &near[..=end];
        let words = pulldown_cmark::Parser::new(reference).find_map(|event| match event {
            pulldown_cmark::Event::Text(t) => Some(t),
            _ => None,
        });
        // An unknown name is left unchanged.
        let events = words.filter(|t| !t.starts_with('&') || name == "amp");
        out.extend(events.map(|t| Edit::replace(at..at + end + 1, t.into_string())));
    }
    out
}

#[cfg(test)]
mod tests;
