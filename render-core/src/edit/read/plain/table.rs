//! The table of everyday wording (`words/plain.txt`).

use std::collections::HashSet;
use std::sync::OnceLock;

use super::super::lex::fold;

macro_rules! lists {
    ($($(#[$doc:meta])* $name:ident $key:literal)+) => {
        /// A list of words, folded, in several languages.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(in super::super) enum List { $($(#[$doc])* $name,)+ }

        impl List {
            const KEYS: &[&str] = &[$($key),+];
        }
    };
}

lists! {
    /// Words that say nothing at the start and the end of a clause.
    Fill "fill"
    /// Words that name nothing by themselves.
    Articles "articles"
    /// Words between clauses.
    Ands "ands"
    /// Words in front of a further instruction.
    Afterwards "afterwards"
    /// Words that, at the start of a clause, are never words for the page.
    Asides "asides"
    /// Words at the end of a prompt that are never words for the page.
    Polite "polite"
    /// Words that begin a wish for words instead of the words.
    Vague "vague"
    /// Words in front of [`List::Measures`].
    Counts "counts"
    /// Words for an amount of text.
    Measures "measures"
    /// Words that begin a remark on what is there.
    Remarks "remarks"
    /// Words that ask for something, so that their clause is no remark.
    Asks "asks"
    /// Words that begin a reason, which changes nothing of what is asked.
    Reasons "reasons"
    /// Likewise, where no thing, colour or number is named behind them.
    Likenesses "likenesses"
}

impl List {
    /// Returns whether a folded word is in the list.
    pub(in super::super) fn has(self, word: &str) -> bool {
        table().lists.get(self as usize).is_some_and(|list| list.contains(word))
    }
}

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
    /// A place in a list: "first".
    Place,
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

/// The patterns, in the order in which they are tried, and the lists of words.
pub(super) struct Table {
    pub(super) patterns: Vec<Pattern>,
    /// In the order of [`List`].
    lists: Vec<HashSet<String>>,
}

pub(super) fn table() -> &'static Table {
    static READ: OnceLock<Table> = OnceLock::new();
    READ.get_or_init(|| {
        let mut groups: Vec<(String, String)> = Vec::new();
        let mut patterns = Vec::new();
        let mut lists = vec![HashSet::new(); List::KEYS.len()];
        for line in include_str!("../words/plain.txt").lines().filter(|line| !line.starts_with('#') && !line.is_empty())
        {
            if let Some((name, words)) = line.strip_prefix('@').and_then(|line| line.split_once(" = ")) {
                groups.push((format!("@{name}"), words.trim_matches(['(', ')']).to_owned()));
            } else if let Some((key, words)) = line.strip_prefix('!').and_then(|line| line.split_once(" = ")) {
                // A test checks that every key is that of a list.
                let list = List::KEYS.iter().position(|own| *own == key).and_then(|at| lists.get_mut(at));
                list.into_iter().for_each(|list| list.extend(words.split("; ").map(fold)));
            } else if let Some((clause, list)) = line.split_once(" <= ") {
                let (weak, clause) = clause.strip_prefix('~').map_or((false, clause), |clause| (true, clause.trim()));
                let read = |pattern: &str| Pattern { parts: parts(&expanded(pattern, &groups)), clause, weak };
                patterns.extend(list.split(" | ").map(read));
            }
        }
        Table { patterns, lists }
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
/// `{%x}`, `{*3}`, and `@names` of groups.
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
                    let is = match name.chars().next() {
                        Some('=') => Captured::OnPage,
                        Some('>') => Captured::Rest,
                        Some('~') => Captured::Hue,
                        Some('^') => Captured::Shown,
                        Some('%') => Captured::Place,
                        Some(first) if first.is_uppercase() => Captured::Named,
                        _ => Captured::Words,
                    };
                    let name = name.trim_start_matches(['=', '>', '~', '^', '%']);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_has_a_clause_and_every_list_its_words() {
        let Table { patterns, lists } = table();
        assert!(patterns.len() > 200 && lists.iter().all(|list| list.len() > 3));
        let text = include_str!("../words/plain.txt").lines();
        let keys = text.filter_map(|line| line.strip_prefix('!')?.split_once(" = ")).map(|(key, _)| key);
        assert!(keys.clone().all(|key| List::KEYS.contains(&key)), "{:?}", keys.collect::<Vec<_>>());
        for Pattern { parts, clause, weak } in patterns {
            assert!((*weak || !clause.is_empty()) && !parts.is_empty(), "{clause}");
            let named =
                |used: &str| parts.iter().any(|part| matches!(part, Part::Capture { name, .. } if name == used));
            let mut used = clause.split('{').skip(1).filter_map(|part| part.split('}').next());
            assert!(used.all(named), "{clause}");
        }
    }
}
