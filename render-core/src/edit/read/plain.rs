//! Everyday wording: a table of patterns (`words/plain.txt`), each with the clause of the grammar that it stands for.
//!
//! A pattern is matched against a whole clause, or against clauses that follow each other, and only there. What it captures
//! goes into the clause as it is written in the prompt.

use std::ops::Range;
use std::sync::OnceLock;

use super::lex::{Piece, Raw, fold, pieces};

/// Words that a capture may take.
const CAPTURED: usize = 8;
/// The most pieces of a prompt that is searched, and the most clauses of a pattern.
const LONGEST: usize = 80;
const CLAUSES: usize = 4;
/// Marks a clause of the table, so that `partly` can rely on it. The character is invisible and never typed.
pub(super) const SURE: char = '\u{2060}';
/// Words that name nothing by themselves.
const ARTICLES: [&str; 12] = ["the", "a", "an", "this", "that", "it", "el", "la", "los", "las", "o", "os"];
/// Words between clauses.
const ANDS: [&str; 6] = ["and", "&", "und", "et", "y", "e"];

/// A part of a pattern.
#[derive(Debug, Clone, PartialEq)]
enum Part {
    /// One of several phrases.
    Words { of: Vec<Vec<String>>, optional: bool },
    /// Words of the prompt that go into the clause under this name.
    Capture { name: String, is: Captured },
    /// Any words, up to this many.
    Any(usize),
}

/// What a capture takes.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Captured {
    Words,
    /// A quotation, or words of which the first has a capital.
    Named,
    /// A colour's code.
    Colour,
    /// A handle or an address.
    Address,
}

struct Pattern {
    parts: Vec<Part>,
    clause: &'static str,
    /// Whether it is a complaint, which is dropped if another clause says what to do.
    weak: bool,
}

/// The patterns, and words that are skipped at the start and the end of a clause.
struct Table {
    patterns: Vec<Pattern>,
    fill: Vec<String>,
}

fn table() -> &'static Table {
    static READ: OnceLock<Table> = OnceLock::new();
    READ.get_or_init(|| {
        let mut groups: Vec<(String, String)> = Vec::new();
        let (mut patterns, mut fill) = (Vec::new(), Vec::new());
        for line in include_str!("words/plain.txt").lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
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

/// The parts of a pattern: words, `(a|b c)`, `?optional`, `{x}`, `{X}`, `{#}`, `{@}`, `{*3}`, and `@names` of groups.
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
                None if name.starts_with(char::is_uppercase) => {
                    Part::Capture { name: name.to_owned(), is: Captured::Named }
                }
                None => Part::Capture { name: name.to_owned(), is: Captured::Words },
            }
        } else {
            let of = word.trim_matches(['(', ')']).split('|');
            Part::Words { of: of.map(|words| words.split(' ').map(fold).collect()).collect(), optional }
        });
    }
    out
}

/// A prompt, its pieces and their folded words.
struct Said<'p> {
    prompt: &'p str,
    pieces: Vec<Piece>,
    words: Vec<String>,
}

impl<'p> Said<'p> {
    fn of(prompt: &'p str) -> Self {
        let pieces = pieces(prompt, |_| None);
        let word = |piece: &Piece| match &piece.raw {
            Raw::Word(word) => word.clone(),
            Raw::Quoted(_) => String::new(),
            // Any mark that ends a clause is written as a comma in the table.
            Raw::Mark(',' | '.' | ';') => ",".to_owned(),
            Raw::Mark(mark) => mark.to_string(),
            _ => prompt.get(piece.at.clone()).map(fold).unwrap_or_default(),
        };
        let words = pieces.iter().map(word).collect();
        Self { prompt, pieces, words }
    }

    fn parts(&self, at: usize) -> bool {
        let mark = matches!(self.pieces.get(at).map(|piece| &piece.raw), Some(Raw::Mark(',' | '.' | ';')));
        mark || self.words.get(at).is_some_and(|word| ANDS.contains(&word.as_str()))
    }

    fn slice(&self, from: usize, to: usize) -> &'p str {
        let (Some(first), Some(last)) = (self.pieces.get(from), self.pieces.get(to.wrapping_sub(1))) else { return "" };
        self.prompt.get(first.at.start..last.at.end).unwrap_or_default()
    }

    /// What the parts of a pattern capture where they match all pieces from `at` to `end`.
    fn captured(&self, parts: &[Part], at: usize, end: usize) -> Option<Vec<(String, &'p str)>> {
        let Some((part, rest)) = parts.split_first() else { return (at == end).then(Vec::new) };
        match part {
            Part::Words { of, optional } => {
                let stands = |words: &&Vec<String>| {
                    at + words.len() <= end && self.words.get(at..at + words.len()).is_some_and(|said| said == **words)
                };
                let found = of.iter().filter(stands).find_map(|words| self.captured(rest, at + words.len(), end));
                found.or_else(|| if *optional { self.captured(rest, at, end) } else { None })
            }
            Part::Any(most) => (0..=*most)
                .take_while(|n| at + n <= end && (*n == 0 || !self.parts(at + n - 1)))
                .find_map(|n| self.captured(rest, at + n, end)),
            Part::Capture { name, is } => {
                let takes = |n: &usize| {
                    let piece = self.pieces.get(at);
                    match is {
                        Captured::Colour => *n == 1 && matches!(piece.map(|p| &p.raw), Some(Raw::Colour(_))),
                        Captured::Address => *n == 1 && matches!(piece.map(|p| &p.raw), Some(Raw::Name(_))),
                        Captured::Words => true,
                        Captured::Named => piece.is_some_and(|piece| {
                            matches!(piece.raw, Raw::Quoted(_))
                                || self.slice(at, at + 1).starts_with(char::is_uppercase)
                        }),
                    }
                };
                let free = |n: &usize| at + n <= end && !self.parts(at + n - 1);
                // "The" alone is no name.
                let names = |word: &String| !ARTICLES.contains(&word.as_str());
                let says = |n: &usize| self.words.get(at..at + n).is_some_and(|of| of.iter().any(names));
                (1..=CAPTURED).take_while(free).filter(takes).filter(says).find_map(|n| {
                    let mut out = self.captured(rest, at + n, end)?;
                    out.push((name.clone(), self.slice(at, at + n)));
                    Some(out)
                })
            }
        }
    }

    /// The clause that the pieces from `from` to `to` stand for.
    fn meant(&self, mut from: usize, mut to: usize, table: &Table) -> Option<(String, bool)> {
        let fills = |at: usize| self.words.get(at).is_some_and(|word| table.fill.contains(word));
        while from < to && fills(from) {
            from += 1;
        }
        while to > from && fills(to - 1) {
            to -= 1;
        }
        if from == to {
            return None;
        }
        table.patterns.iter().find_map(|pattern| {
            let captured = self.captured(&pattern.parts, from, to)?;
            let put = |clause: String, (name, words): &(String, &str)| {
                let bare = words.trim_matches(['"', '“', '”', '„', '«', '»', '\'', '‘', '’']).trim();
                let quoted = clause.replace(&format!("“{{{name}}}”"), &format!("“{bare}”"));
                quoted.replace(&format!("{{{name}}}"), words)
            };
            Some((captured.iter().fold(pattern.clause.to_owned(), put), pattern.weak))
        })
    }

    /// The clauses that the table has: the bytes of the prompt that they stand on, what they stand for, and whether they are
    /// complaints.
    fn found(&self, table: &Table) -> Vec<(Range<usize>, String, bool)> {
        let n = self.pieces.len();
        let (mut out, mut at) = (Vec::new(), if n > LONGEST { n } else { 0 });
        while at < n {
            let mut ends: Vec<usize> = (at + 1..n).filter(|end| self.parts(*end)).take(CLAUSES).collect();
            if ends.len() < CLAUSES {
                ends.push(n);
            }
            let found = ends.iter().rev().find_map(|end| Some((*end, self.meant(at, *end, table)?)));
            let bytes = |end: usize| Some(self.pieces.get(at)?.at.start..self.pieces.get(end - 1)?.at.end);
            let next = found.as_ref().map(|(end, _)| *end).or(ends.first().copied());
            if let Some((end, (clause, weak))) = found
                && let Some(bytes) = bytes(end)
            {
                out.push((bytes, clause, weak));
            }
            at = next.unwrap_or(n);
            while at < n && self.parts(at) {
                at += 1;
            }
        }
        out
    }
}

/// A prompt with clauses of the grammar for those that the table has; `None` where it has none of them. Complaints are left
/// out where another clause says what to do.
pub(super) fn plain(prompt: &str) -> Option<String> {
    let said = Said::of(prompt);
    let found = said.found(table());
    let strong = found.iter().any(|(.., weak)| !weak);
    let (mut out, mut copied) = (String::new(), 0);
    for (at, clause, weak) in &found {
        out.push_str(prompt.get(copied..at.start)?);
        if !(*weak && (strong || clause.is_empty())) {
            out.push(SURE);
            out.push_str(clause);
        }
        copied = at.end;
    }
    out.push_str(prompt.get(copied..)?);
    (!found.is_empty()).then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_whole_clauses() {
        for (prompt, meant) in [
            ("number them 1 2 3 instead of the icons", Some("number the points")),
            ("way too busy, just lose those half circles pls", Some("way too busy, remove the decoration")),
            ("numera las razones del 1 al 6", Some("number the points")),
            ("“Key takeaways” instead of Recap", Some("replace “Recap” with “Key takeaways”")),
            ("way too much text, just keep the headline", Some(", remove the text below the headline")),
            ("number them by hand", None),
            ("make it blue", None),
        ] {
            let said = plain(prompt).map(|said| said.replace(SURE, ""));
            assert_eq!(said.as_deref(), meant, "{prompt}");
        }
    }

    #[test]
    fn the_table_has_a_clause_for_every_pattern() {
        let table = table();
        assert!(table.patterns.len() > 50 && table.fill.len() > 5);
        for Pattern { parts, clause, weak } in &table.patterns {
            assert!((*weak || !clause.is_empty()) && !parts.is_empty(), "{clause}");
            let named = parts.iter().filter_map(|part| match part {
                Part::Capture { name, .. } => Some(format!("{{{name}}}")),
                _ => None,
            });
            let named: Vec<String> = named.collect();
            let used = clause.matches('{').count();
            assert!(named.iter().filter(|name| clause.contains(*name)).count() == used, "{clause}: {named:?}");
        }
    }
}
