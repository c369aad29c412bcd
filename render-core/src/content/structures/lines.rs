//! Finds patterns that repeat from line to line: dates in order, terms with glosses, steps.

use super::{Candidate, Finder, LEAST, Unit, label_end};
use crate::content::blocks::Form;
use crate::content::dates::{self, Precision};
use crate::content::{BlockKind, Event, Point, Sourced, Span, points, segment};

/// Maximum words and characters of a term.
const TERM: (usize, usize) = (4, 32);
/// Minimum words of a gloss.
const GLOSS_WORDS: usize = 3;

impl Finder<'_> {
    /// Finds three or more items, lines, paragraphs or headings that open with a date, in order.
    pub(super) fn timelines(&self) -> Vec<Candidate> {
        let mut runs = self.runs();
        runs.extend(self.neighbours(|form| *form == Form::Paragraph));
        let mut out: Vec<Candidate> = Vec::new();
        for run in runs {
            let mut events: Vec<(Unit, Event)> = Vec::new();
            for unit in &run {
                match self.event(unit) {
                    Some(event) => events.push((unit.clone(), event)),
                    None => out.extend(self.timeline(std::mem::take(&mut events))),
                }
            }
            out.extend(self.timeline(events));
        }
        out.extend(self.dated_sections());
        out
    }

    fn timeline(&self, events: Vec<(Unit, Event)>) -> Option<Candidate> {
        let orders: Vec<f64> = events.iter().map(|(_, e)| e.order).collect();
        if events.len() < LEAST || !in_order(&orders) {
            return None;
        }
        let title = self.title_of(&events[0].0);
        let whole = |u: &Unit| {
            if u.range.end == self.clean(u).text.len() { self.span_of(u.raw..u.raw + 1) } else { None }
        };
        let span = events
            .iter()
            .map(|(u, _)| {
                self.sourced(u)
                    .span
                    .union(whole(u).filter(|_| u.range.start == 0).unwrap_or_else(|| self.sourced(u).span))
            })
            .reduce(Span::union)?;
        let events = events.into_iter().map(|(_, e)| e).collect();
        Some(Candidate { kind: BlockKind::Timeline { title, events }, score: 0.94, span, claims: true })
    }

    /// Returns the event of a line: its leading date, and the rest.
    fn event(&self, unit: &Unit) -> Option<Event> {
        let text = self.text(unit);
        let (date, rest) = dates::leading(text, self.terms)?;
        let behind = &text[rest..];
        let apart = behind.trim_start_matches([')', ']', ' ']);
        let marked = apart.starts_with([':', '：', '–', '—', '-', '|', ',', '、', '.']);
        let lead = self.raws()[unit.raw].lead == Some(rest) && unit.range.start == 0;
        let spaced = behind.starts_with(char::is_whitespace);
        // After a time of day, a space is not enough: "9 am classes".
        if !(marked || lead || spaced && date.precision != Precision::Time) {
            return None;
        }
        let words = behind.trim_start_matches([')', ']', ':', '：', '–', '—', '-', '|', ',', '、', '.', ' ', '\u{a0}']);
        if !segment::says_something(words) {
            return None;
        }
        let start = unit.range.start + (text.len() - words.len());
        let point = self.point(unit, start..unit.range.end);
        Some(Event { date: self.part(unit, date.range), order: date.order, point })
    }

    /// Finds headings of one level that open with a date, in order, each with its content.
    fn dated_sections(&self) -> Option<Candidate> {
        let level = |i: usize| match self.raws()[i].form {
            Form::Heading(level, _) => Some(level),
            _ => None,
        };
        let dated = |i: usize| {
            let text = self.raws()[i].clean.text.as_str();
            dates::leading(text, self.terms).filter(|(d, _)| d.precision != Precision::Time)
        };
        let first = (self.from..self.raws().len()).find(|i| level(*i).is_some() && dated(*i).is_some())?;
        let siblings: Vec<usize> = (first..self.raws().len())
            .filter(|i| level(*i) == level(first))
            .take_while(|i| dated(*i).is_some())
            .collect();
        let mut events = Vec::new();
        for &i in &siblings {
            let (date, rest) = dated(i)?;
            let clean = &self.raws()[i].clean;
            let words = clean.text[rest..].trim_start_matches([')', ']', ':', '：', '–', '—', '-', '|', ',', '.', ' ']);
            let mut below: Vec<Sourced> = self
                .points(i + 1..self.section_end(i))
                .into_iter()
                .flat_map(|p| std::iter::once(p.head).chain(p.body).chain(p.more))
                .collect();
            let head = match words.is_empty() {
                false => clean.sourced(clean.text.len() - words.len()..clean.text.len()),
                true if below.is_empty() => continue,
                true => below.remove(0),
            };
            events.push(Event { date: clean.sourced(date.range), order: date.order, point: Point::new(head, below) });
        }
        let orders: Vec<f64> = events.iter().map(|e| e.order).collect();
        let last = *siblings.last()?;
        let span = self.span_of(first..self.section_end(last))?;
        let kind = BlockKind::Timeline { title: None, events };
        (orders.len() >= LEAST && in_order(&orders)).then_some(Candidate { kind, score: 0.94, span, claims: true })
    }

    /// Returns runs of blocks of one form.
    fn neighbours(&self, form: impl Fn(&Form) -> bool) -> Vec<Vec<Unit>> {
        let mut out: Vec<Vec<Unit>> = Vec::new();
        let mut open = false;
        for (raw, block) in self.raws().iter().enumerate().skip(self.from) {
            let fits = form(&block.form);
            if fits {
                let unit = Unit { raw, range: 0..block.clean.text.len() };
                match out.last_mut().filter(|_| open) {
                    Some(run) => run.push(unit),
                    None => out.push(vec![unit]),
                }
            }
            open = fits;
        }
        out
    }

    /// Finds three or more lines "term — gloss" in a paragraph, as a list of terms.
    pub(super) fn glossaries(&self) -> Vec<Candidate> {
        let mut out = Vec::new();
        for run in self.runs() {
            if matches!(self.raws()[run[0].raw].form, Form::Item { .. }) {
                continue;
            }
            let mut items: Vec<(Unit, Point)> = Vec::new();
            for unit in &run {
                match self.gloss(unit) {
                    Some(point) => items.push((unit.clone(), point)),
                    None => out.extend(self.glossary(std::mem::take(&mut items))),
                }
            }
            out.extend(self.glossary(items));
        }
        out
    }

    fn glossary(&self, items: Vec<(Unit, Point)>) -> Option<Candidate> {
        let (first, _) = items.first().filter(|_| items.len() >= LEAST)?;
        let title = self.title_of(first);
        let items: Vec<Point> = items.into_iter().map(|(_, p)| p).collect();
        let span = super::span_of(&items)?;
        let kind = BlockKind::List { title, lead: None, numbered: false, items };
        Some(Candidate { kind, score: 0.86, span, claims: true })
    }

    fn gloss(&self, unit: &Unit) -> Option<Point> {
        let text = self.text(unit);
        let (end, rest) = label_end(text)?;
        let term = &text[..end];
        let (words, chars) = TERM;
        let short = segment::count_words(term) <= words && term.chars().count() <= chars;
        let says = segment::count_words(&text[rest..]) >= GLOSS_WORDS;
        let point = Point::new(self.part(unit, 0..end), vec![self.part(unit, rest..text.len())]);
        (short && says && segment::says_something(term)).then_some(point)
    }

    /// Finds steps that are numbered ("Step 1: …") or ordered by words ("First, … Then … Finally, …").
    pub(super) fn sequences(&self) -> Vec<Candidate> {
        let mut out = Vec::new();
        // Long lines are separate paragraphs, but continue the numbering.
        for run in self.neighbours(|form| *form == Form::Paragraph) {
            let lines =
                run.iter().flat_map(|u| self.clean(u).lines().into_iter().map(move |range| Unit { raw: u.raw, range }));
            let run: Vec<Unit> = lines.collect();
            let mut steps: Vec<(Unit, points::Numbered)> = Vec::new();
            for unit in &run {
                let found = points::numbered(self.text(unit), self.reader.lexicon);
                let next = found.filter(|n| n.step && n.n as usize == steps.len() + 1);
                if next.is_none() {
                    out.extend(self.numbered_lines(std::mem::take(&mut steps)));
                }
                steps.extend(next.map(|n| (unit.clone(), n)));
            }
            out.extend(self.numbered_lines(steps));
        }
        for run in self.neighbours(|form| *form == Form::Paragraph) {
            out.extend(self.ordered(&run, 0.9));
        }
        for raw in self.from..self.raws().len() {
            if self.raws()[raw].form == Form::Paragraph {
                out.extend(self.enumerated(raw));
            }
        }
        out
    }

    fn numbered_lines(&self, steps: Vec<(Unit, points::Numbered)>) -> Option<Candidate> {
        let (first, _) = steps.first().filter(|_| steps.len() >= LEAST)?;
        let title = self.title_of(first);
        let steps: Vec<Point> =
            steps.iter().map(|(u, n)| self.point(u, u.range.start + n.words..u.range.end)).collect();
        let span = super::span_of(&steps)?;
        Some(Candidate { kind: BlockKind::Steps { title, steps }, score: 0.93, span, claims: true })
    }

    /// Finds units that open with the words of a sequence, from its first to its last.
    fn ordered(&self, run: &[Unit], score: f32) -> Vec<Candidate> {
        let mut out = Vec::new();
        let mut steps: Vec<Point> = Vec::new();
        let mut close = |steps: &mut Vec<Point>| {
            let steps = std::mem::take(steps);
            if let Some(span) = super::span_of(&steps).filter(|_| steps.len() >= LEAST) {
                out.push(Candidate { kind: BlockKind::Steps { title: None, steps }, score, span, claims: true });
            }
        };
        for unit in run {
            let text = self.text(unit);
            match self.place_in_sequence(text) {
                Some((0, words)) => {
                    close(&mut steps);
                    steps.push(self.point(unit, unit.range.start + words..unit.range.end));
                }
                Some((place, words)) if !steps.is_empty() => {
                    steps.push(self.point(unit, unit.range.start + words..unit.range.end));
                    if place == 2 {
                        close(&mut steps);
                    }
                }
                _ => close(&mut steps),
            }
        }
        close(&mut steps);
        out
    }

    /// Finds "three things: first, …; second, …; third, …" within one sentence.
    fn enumerated(&self, raw: usize) -> Vec<Candidate> {
        let text = self.raws()[raw].clean.text.as_str();
        if !text.contains([';', '；']) {
            return Vec::new();
        }
        let mut units = Vec::new();
        for sentence in segment::sentences(text, self.reader.lexicon) {
            let mut from = sentence.start;
            let ends = text[sentence.clone()].char_indices().filter(|(_, c)| matches!(c, ';' | '；' | ':' | '：'));
            for (at, c) in ends {
                units.push(Unit { raw, range: from..sentence.start + at });
                from = sentence.start + at + c.len_utf8();
            }
            units.push(Unit { raw, range: from..sentence.end });
        }
        for unit in &mut units {
            unit.range = segment::trimmed(text, unit.range.clone());
        }
        self.ordered(&units, 0.88)
    }

    /// Returns the position in a sequence that a text states (0 first, 1 further, 2 last), and where its own words
    /// begin.
    fn place_in_sequence(&self, text: &str) -> Option<(usize, usize)> {
        let front = text.char_indices().nth(24).map_or(text.len(), |(i, _)| i);
        let lower = crate::content::words::lower_in_place(&text[..front]);
        let unspaced = text.chars().next().is_some_and(crate::content::words::is_unspaced);
        let found = self
            .terms
            .sequence
            .split(';')
            .enumerate()
            .flat_map(|(place, words)| words.split('|').filter(|w| !w.is_empty()).map(move |w| (place, w)));
        let (place, len) = found
            .filter(|(_, word)| lower.starts_with(word))
            .map(|(place, word)| (place, word.len()))
            .filter(|(_, len)| {
                let behind = &text[*len..];
                behind.starts_with([',', '，', '、', ':', '：']) || !unspaced && behind.starts_with(' ')
            })
            .max_by_key(|(_, len)| *len)?;
        let rest = text[len..].trim_start_matches([',', '，', '、', ':', '：', ' ']);
        Some((place, text.len() - rest.len()))
    }
}

/// Whether numbers only rise or only fall, and are not all equal.
fn in_order(orders: &[f64]) -> bool {
    let turns = orders.first() != orders.last();
    turns && (orders.is_sorted() || orders.is_sorted_by(|a, b| a >= b))
}
