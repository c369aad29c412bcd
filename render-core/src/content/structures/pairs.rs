//! Finds pairs: pros and cons, myths and facts, questions and answers, comparisons.

use std::ops::Range;

use super::{Candidate, Finder, Unit};
use crate::content::blocks::Form;
use crate::content::{BlockKind, Compare, Point, ProsCons, Side, Sourced, Span, number, segment};

/// Maximum characters of a heading over one side of a pair.
const HEADING: usize = 48;
/// Maximum words of the name of a compared thing.
const NAME_WORDS: usize = 5;

impl Finder<'_> {
    /// Finds two neighbouring headings for pros and cons, each over a list or lines.
    pub(super) fn pros_and_cons(&self) -> Option<Candidate> {
        let marks: Vec<(usize, bool)> = (self.from..self.raws().len())
            .filter_map(|i| {
                let text = self.mark(i)?;
                let is = |list: &str| {
                    list.split('|').any(|p| p == text || text.starts_with(&format!("{p} ")) && p.len() > 3)
                };
                if is(self.terms.pros) { Some((i, true)) } else { is(self.terms.cons).then_some((i, false)) }
            })
            .collect();
        let pair = marks.windows(2).find(|p| p[0].1 != p[1].1)?;
        let (first, second) = (pair[0].0, pair[1].0);
        let ends = |i: usize, limit: usize| match self.raws()[i].form {
            Form::Heading(..) => self.section_end(i).min(limit),
            _ => (i + 1..limit).find(|k| !matches!(self.raws()[*k].form, Form::Item { .. })).unwrap_or(limit),
        };
        if ends(first, second) < second {
            return None;
        }
        let end = ends(second, self.raws().len());
        let sides = [(first, first + 1..second), (second, second + 1..end)].map(|(head, range)| {
            let clean = &self.raws()[head].clean;
            let title = clean.sourced(0..clean.text.trim_end_matches([':', '：', ' ']).len());
            (title, self.points(range))
        });
        if sides.iter().any(|(_, points)| points.is_empty()) {
            return None;
        }
        let span = self.span_of(first..end)?;
        let [one, other] = sides;
        let ((pros_title, pros), (cons_title, cons)) = if pair[0].1 { (one, other) } else { (other, one) };
        let kind = BlockKind::ProsCons(ProsCons { pros_title, pros, cons_title, cons });
        Some(Candidate { kind, score: 0.97, span, claims: true })
    }

    /// Returns the words of a short heading, or of a line that ends in a colon, in lower case.
    fn mark(&self, i: usize) -> Option<String> {
        let raw = &self.raws()[i];
        let text = raw.clean.text.as_str();
        let heads = matches!(raw.form, Form::Heading(..)) || raw.form == Form::Paragraph && text.ends_with([':', '：']);
        let bare = text.trim_matches(|c: char| !c.is_alphanumeric() && !crate::content::words::is_mark(c));
        (heads && bare.chars().count() <= HEADING).then(|| bare.to_lowercase())
    }

    /// Finds "Myth: …" with "Fact: …", or with the paragraph below it.
    pub(super) fn myths(&self) -> Vec<Candidate> {
        let pairs = self.labelled_pairs(self.terms.myth, self.terms.fact, true);
        pairs
            .into_iter()
            .map(|pair| {
                let span = pair.span();
                let Pair { label, words, answer_label, answer } = pair;
                let kind =
                    BlockKind::MythFact { myth_label: label, myth: words, fact_label: answer_label, fact: answer };
                Candidate { kind, score: 0.95, span, claims: true }
            })
            .collect()
    }

    /// Finds "Q: …" with "A: …".
    pub(super) fn answers(&self) -> Vec<Candidate> {
        let pairs = self.labelled_pairs(self.terms.question, self.terms.answer, false);
        pairs
            .into_iter()
            .map(|pair| {
                let span = pair.span();
                let kind = BlockKind::QuestionAnswer { question: pair.words, answer: pair.answer, who: None };
                Candidate { kind, score: 0.92, span, claims: true }
            })
            .collect()
    }

    /// Finds labelled words and their answers. An answer follows a label of its own or, if `unlabelled`, may be the
    /// prose below.
    fn labelled_pairs(&self, label: &str, answer: &str, unlabelled: bool) -> Vec<Pair> {
        let units = self.units();
        let mut out = Vec::new();
        let mut i = 0;
        while i < units.len() {
            let Some((end, rest)) = labelled(self.text(&units[i]), label) else {
                i += 1;
                continue;
            };
            let unit = &units[i];
            let mut pair = Pair {
                label: self.part(unit, 0..end),
                words: self.part(unit, rest..self.text(unit).len()),
                answer_label: None,
                answer: Vec::new(),
            };
            i += 1;
            while let Some(next) = units.get(i) {
                let heading = matches!(self.raws()[next.raw].form, Form::Heading(..));
                let text = self.text(next);
                let said = labelled(text, answer).filter(|_| pair.answer_label.is_none());
                // Prose may follow below a heading. Below a line, only adjacent and labelled lines count.
                let below = unlabelled || pair.answer_label.is_some();
                let apart = next.raw > unit.raw + 1 && pair.answer_label.is_none() && said.is_none();
                if labelled(text, label).is_some() || heading && said.is_none() || said.is_none() && (!below || apart) {
                    break;
                }
                let from = said.map_or(0, |(_, rest)| rest);
                if let Some((end, _)) = said {
                    pair.answer_label = Some(self.part(next, 0..end));
                }
                let words = &text[from..];
                let own = segment::sentences(words, self.reader.lexicon);
                pair.answer.extend(own.into_iter().map(|s| self.part(next, from + s.start..from + s.end)));
                // A labelled answer ends with its paragraph.
                i += 1;
                if pair.answer_label.is_some() && units.get(i).is_some_and(|u| u.raw != next.raw) {
                    break;
                }
            }
            if !pair.answer.is_empty() {
                out.push(pair);
            }
        }
        out
    }

    /// Returns headings, items, and the lines of paragraphs, in order.
    fn units(&self) -> Vec<Unit> {
        let mut out = Vec::new();
        for (raw, block) in self.raws().iter().enumerate().skip(self.from) {
            match block.form {
                Form::Paragraph => out.extend(block.clean.lines().into_iter().map(|range| Unit { raw, range })),
                Form::Heading(..) | Form::Item { .. } => out.push(Unit { raw, range: 0..block.clean.text.len() }),
                Form::Quote | Form::Table => {}
            }
        }
        out
    }

    /// Finds "A vs B" in the title or a heading, with the content under headings of these names, or a text of two
    /// sections with lists of equal length.
    pub(super) fn comparisons(&self) -> Option<Candidate> {
        let headings: Vec<usize> =
            (self.from..self.raws().len()).filter(|i| matches!(self.raws()[*i].form, Form::Heading(..))).collect();
        let titles = self.title.into_iter().chain(headings.iter().map(|i| &self.raws()[*i].clean));
        let named = titles.take(1 + headings.len()).find_map(|clean| {
            let (left, right) = versus(&clean.text)?;
            Some((clean.sourced(0..clean.text.len()), clean.sourced(left), clean.sourced(right)))
        });
        if let Some((title, left, right)) = named {
            let under = |name: &Sourced| {
                let name = name.text.to_lowercase();
                let found = headings.iter().find(|i| {
                    let text = self.raws()[**i].clean.text.to_lowercase();
                    text == name || text.chars().count() <= HEADING && text.contains(&name) && versus(&text).is_none()
                })?;
                Some((*found, self.section_end(*found)))
            };
            let (one, other) = (under(&left), under(&right));
            let side = |name: &Sourced, at: Option<(usize, usize)>| Side {
                name: at.map_or_else(
                    || name.clone(),
                    |(i, _)| self.raws()[i].clean.sourced(0..self.raws()[i].clean.text.len()),
                ),
                points: at.map_or_else(Vec::new, |(i, end)| self.points(i + 1..end)),
            };
            let span = match (one, other) {
                (Some(a), Some(b)) if a.1 == b.0 => self.span_of(a.0..b.1),
                (Some(a), Some(b)) if b.1 == a.0 => self.span_of(b.0..a.1),
                _ => None,
            };
            let compare = Compare { title: Some(title.clone()), left: side(&left, one), right: side(&right, other) };
            let claims = span.is_some();
            // Without sections of their own, the two things are only named, and the text about them stays where it
            // is.
            let compare = if claims {
                compare
            } else {
                Compare { left: side(&left, None), right: side(&right, None), ..compare }
            };
            return Some(Candidate {
                kind: BlockKind::Compare(compare),
                score: if claims { 0.92 } else { 0.6 },
                span: span.unwrap_or(title.span),
                claims,
            });
        }
        self.equal_lists(&headings)
    }

    /// Finds two headings, the only ones of their level, each over a list of the same length and nothing else.
    fn equal_lists(&self, headings: &[usize]) -> Option<Candidate> {
        let level = |i: usize| match self.raws()[i].form {
            Form::Heading(level, _) => level,
            _ => 0,
        };
        let pair = headings.windows(2).find(|p| {
            let alone = headings.iter().filter(|h| level(**h) == level(p[0])).count() == 2;
            alone && level(p[0]) == level(p[1]) && self.section_end(p[0]) == p[1]
        })?;
        let ranges = [pair[0] + 1..pair[1], pair[1] + 1..self.section_end(pair[1])];
        let is_list =
            |r: &Range<usize>| r.len() >= 2 && r.clone().all(|i| matches!(self.raws()[i].form, Form::Item { .. }));
        if !ranges.iter().all(is_list) || ranges[0].len() != ranges[1].len() {
            return None;
        }
        let span = self.span_of(pair[0]..ranges[1].end)?;
        let side = |heading: usize, range: &Range<usize>| {
            let clean = &self.raws()[heading].clean;
            let points: Vec<Point> = self.points(range.clone());
            Side { name: clean.sourced(0..clean.text.len()), points }
        };
        let compare = Compare { title: None, left: side(pair[0], &ranges[0]), right: side(pair[1], &ranges[1]) };
        Some(Candidate { kind: BlockKind::Compare(compare), score: 0.91, span, claims: true })
    }
}

/// Labelled words and their answer.
struct Pair {
    label: Sourced,
    words: Sourced,
    answer_label: Option<Sourced>,
    answer: Vec<Sourced>,
}

impl Pair {
    fn span(&self) -> Span {
        self.answer.iter().fold(self.label.span.union(self.words.span), |span, a| span.union(a.span))
    }
}

/// Returns the end of a label of `list` at the start of a text, and the start of its words: "Myth 3: A bee …". A
/// number may follow the label. A colon or dash must.
fn labelled(text: &str, list: &str) -> Option<(usize, usize)> {
    let front = text.char_indices().nth(40).map_or(text.len(), |(i, _)| i);
    let lower = crate::content::words::lower_in_place(&text[..front]);
    let longest = list.split('|').filter(|l| !l.is_empty() && lower.starts_with(l)).max_by_key(|l| l.len())?;
    let behind = &text[longest.len()..];
    let counted = behind.trim_start_matches([' ', '#', '№', '.']).trim_start_matches(|c| number::digit(c).is_some());
    // "A1" is a label, "Aside" is a word.
    let numbered = counted.len() < behind.len() && counted.trim_start().len() < behind.trim_start().len();
    let rest = if numbered { counted } else { behind };
    let marks = rest.trim_start();
    let mark = marks.chars().next().filter(|c| matches!(c, ':' | '：' | '–' | '—' | '.' | ')' | '|'))?;
    let plain = matches!(mark, '.' | ')') && !numbered;
    let words = marks[mark.len_utf8()..].trim_start();
    let dash = matches!(mark, '–' | '—') && !rest.starts_with(' ');
    (!plain && !dash && !words.is_empty()).then(|| (text.len() - rest.len(), text.len() - words.len()))
}

/// Returns the names on both sides of "vs" in a line.
fn versus(text: &str) -> Option<(Range<usize>, Range<usize>)> {
    let lower = crate::content::words::lower_in_place(text);
    let (at, len) = [" vs. ", " vs ", " versus ", " v. ", "对比", "対"]
        .into_iter()
        .find_map(|mark| lower.find(mark).map(|at| (at, mark.len())))?;
    let marks = [':', '?', '–', '—', ',', '.', '!', '：', '？', '，', '('];
    let from = text[..at].rfind(marks).map_or(0, |i| i + text[i..].chars().next().map_or(1, char::len_utf8));
    let to = text[at + len..].find(marks).map_or(text.len(), |i| at + len + i);
    let left = segment::trimmed(text, from..at);
    let right = segment::trimmed(text, at + len..to);
    let name = |r: &Range<usize>| (1..=NAME_WORDS).contains(&segment::count_words(&text[r.clone()]));
    (name(&left) && name(&right)).then_some((left, right))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels() {
        let of = |text: &'static str, list| labelled(text, list).map(|(end, rest)| (&text[..end], &text[rest..]));
        assert_eq!(of("Myth: A bee dies", "myth|false"), Some(("Myth", "A bee dies")));
        assert_eq!(of("Myth 3 – A bee dies", "myth"), Some(("Myth 3", "A bee dies")));
        assert_eq!(of("Q1. Why?", "q|question"), Some(("Q1", "Why?")));
        assert_eq!(of("問：なぜ", "質問|問"), Some(("問", "なぜ")));
        assert_eq!(of("A bee. It flies", "a"), None);
        assert_eq!(of("Aside: no", "a"), None);
        assert_eq!(of("A. Moor: no", "a"), None);
    }

    #[test]
    fn names_around_vs() {
        let of = |text: &'static str| versus(text).map(|(a, b)| (&text[a], &text[b]));
        assert_eq!(of("Heat pump vs pellet stove: which one?"), Some(("Heat pump", "pellet stove")));
        assert_eq!(of("Guide: Rust vs. Go"), Some(("Rust", "Go")));
        assert_eq!(of("A long road with many words on it vs one"), None);
        assert_eq!(of("Just one"), None);
    }
}
