//! The table of everyday wording (`words/plain.txt`).

use std::sync::OnceLock;

use super::super::lex::fold;

/// A part of a pattern.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Part {
    /// One of several phrases.
    Words { of: Vec<Vec<String>>, optional: bool },
    /// Words of the prompt that go into the clause under this name.
    Capture { name: String, is: Captured },
    /// Any words, up to this many.
    Any(usize),
}

/// What a capture takes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Captured {
    Words,
    /// A quotation, or words of which the first has a capital.
    Named,
    /// A colour's code.
    Colour,
    /// A handle or an address.
    Address,
    /// Words that the page says.
    OnPage,
    /// A colour by name.
    Hue,
    /// A word for a picture or an icon that the page shows.
    Shown,
    /// New words for the page: a quotation, or everything up to the next instruction. Ends the pattern.
    Rest,
}

pub(super) struct Pattern {
    pub(super) parts: Vec<Part>,
    /// The clause of the grammar, with the names of captures in braces.
    pub(super) clause: &'static str,
    /// Whether it is a complaint, which is dropped if another clause says what to do.
    pub(super) weak: bool,
}

impl Pattern {
    /// Returns whether it ends in words for the page, which end where the next instruction begins.
    pub(super) fn is_open(&self) -> bool {
        matches!(self.parts.last(), Some(Part::Capture { is: Captured::Rest, .. }))
    }
}

/// The patterns, and words that are skipped at the start and the end of a clause.
pub(super) struct Table {
    pub(super) patterns: Vec<Pattern>,
    pub(super) fill: Vec<String>,
}

pub(super) fn table() -> &'static Table {
    static READ: OnceLock<Table> = OnceLock::new();
    READ.get_or_init(|| {
        let mut groups: Vec<(String, String)> = Vec::new();
        let (mut patterns, mut fill) = (Vec::new(), Vec::new());
        for line in include_str!("../words/plain.txt").lines().filter(|line| !line.starts_with('#') && !line.is_empty())
        {
            if let Some((name, words)) = line.strip_prefix('@').and_then(|line| line.split_once(" = ")) {
                groups.push((format!("@{name}"), words.trim_matches(['(', ')']).to_owned()));
            } else if let Some(words) = line.strip_prefix("~ = ") {
                fill = words.split("; ").map(fold).collect();
            } else if let Some((clause, list)) = line.split_once(" <= ") {
                let (weak, clause) = clause.strip_prefix('~').map_or((false, clause), |clause| (true, clause.trim()));
                let read = |pattern: &str| Pattern { parts: parts(&expanded(pattern, &groups)), clause, weak };
                patterns.extend(list.split(" | ").map(read));
            }
        }
        Table { patterns, fill }
    })
}

/// A pattern with the words of the groups that it names.
fn expanded(pattern: &str, groups: &[(String, String)]) -> String {
    groups.iter().fold(pattern.to_owned(), |pattern, (name, words)| {
        // Within another group its words are among that group's.
        let inside = |pattern: String, mark: char| pattern.replace(&format!("{mark}{name}"), &format!("{mark}{words}"));
        let pattern = inside(inside(pattern, '('), '|');
        pattern.replace(name.as_str(), &format!("({words})"))
    })
}

/// The parts of a pattern: words, `(a|b c)`, `?optional`, `{x}`, `{X}`, `{#}`, `{@}`, `{=x}`, `{>x}`, `{~x}`, `{^x}`,
/// `{*3}`,
/// and `@names` of groups.
fn parts(pattern: &str) -> Vec<Part> {
    let mut out = Vec::new();
    let mut rest = pattern.trim();
    while !rest.is_empty() {
        let optional = rest.starts_with('?');
        let from = rest.trim_start_matches('?');
        let end = match from.chars().next() {
            Some('(') => from.find(')').map_or(from.len(), |at| at + 1),
            Some('{') => from.find('}').map_or(from.len(), |at| at + 1),
            _ => from.find(' ').unwrap_or(from.len()),
        };
        let word = from.get(..end).unwrap_or(from);
        rest = from.get(end..).unwrap_or_default().trim_start();
        out.push(if let Some(name) = word.strip_prefix('{').and_then(|name| name.strip_suffix('}')) {
            match name.strip_prefix('*') {
                Some(most) => Part::Any(most.parse().unwrap_or(1)),
                None if name == "#" => Part::Capture { name: name.to_owned(), is: Captured::Colour },
                None if name == "@" => Part::Capture { name: name.to_owned(), is: Captured::Address },
                None => {
                    let (is, name) = match name.chars().next() {
                        Some('=') => (Captured::OnPage, name.trim_start_matches('=')),
                        Some('>') => (Captured::Rest, name.trim_start_matches('>')),
                        Some('~') => (Captured::Hue, name.trim_start_matches('~')),
                        Some('^') => (Captured::Shown, name.trim_start_matches('^')),
                        Some(first) if first.is_uppercase() => (Captured::Named, name),
                        _ => (Captured::Words, name),
                    };
                    Part::Capture { name: name.to_owned(), is }
                }
            }
        } else {
            let of = word.trim_matches(['(', ')']).split('|');
            Part::Words { of: of.map(|words| words.split(' ').map(fold).collect()).collect(), optional }
        });
    }
    out
}
