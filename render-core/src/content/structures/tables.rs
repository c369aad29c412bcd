//! Finds tables, and series of figures with one unit.

use super::{Candidate, Finder, LEAST, Unit, label_end};
use crate::content::blocks::{Clean, Form};
use crate::content::entities::is_currency;
use crate::content::{BlockKind, Series, Sourced, Table, Value, number, segment};
use crate::limits;

/// Maximum words of a figure and its unit.
const FIGURE_WORDS: usize = 4;
/// Maximum characters of a series label.
const LABEL: usize = 60;

/// Cells that mark the column that applies to a row.
const TICKS: [&str; 9] = ["X", "x", "✓", "✔", "✔️", "✅", "•", "●", "☑"];

/// Returns a table in which each row ticks one column as a table of two columns: what a row is about, and the heading
/// of the column that it ticks. Returns `None` for other tables.
fn ticked(header: &[Sourced], rows: &[Vec<Sourced>]) -> Option<(Vec<Sourced>, Vec<Vec<Sourced>>)> {
    if header.len() < LEAST {
        return None;
    }
    let ticked = |row: &Vec<Sourced>| {
        let (label, cells) = row.split_first()?;
        let mut marked = cells.iter().enumerate().filter(|(_, cell)| !cell.text.is_empty());
        let (Some((at, cell)), None) = (marked.next(), marked.next()) else { return None };
        let heading = header.get(at + 1).filter(|heading| !heading.text.is_empty())?;
        TICKS.contains(&cell.text.as_str()).then(|| vec![label.clone(), heading.clone()])
    };
    let rows: Option<Vec<Vec<Sourced>>> = rows.iter().map(ticked).collect();
    let blank = Sourced { text: String::new(), span: header[0].span };
    Some((vec![header[0].clone(), blank], rows?))
}

impl Finder<'_> {
    /// Finds marked-up tables.
    pub(super) fn tables(&self) -> Vec<Candidate> {
        let raws = self.raws().iter().enumerate().skip(self.from);
        raws.filter(|(_, raw)| raw.form == Form::Table)
            .filter_map(|(i, raw)| {
                let at = raw.clean.whole();
                let cell = |clean: &Clean| match clean.text.is_empty() {
                    // An empty cell gets the start of its table as its position.
                    true => {
                        Sourced { text: String::new(), span: crate::content::Span { start: at.start, end: at.start } }
                    }
                    false => clean.sourced(0..clean.text.len()),
                };
                let (header, rows) = raw.rows.split_first()?;
                let header: Vec<Sourced> = header.iter().map(cell).collect();
                let rows: Vec<Vec<Sourced>> = rows
                    .iter()
                    .take(limits::TABLE_ROWS)
                    .map(|row| row.iter().map(cell).collect::<Vec<_>>())
                    .filter(|row| row.len() == header.len() && row.iter().any(|c| !c.text.is_empty()))
                    .collect();
                if header.is_empty() || rows.is_empty() {
                    return None;
                }
                let (header, rows) = ticked(&header, &rows).unwrap_or((header, rows));
                let kind = BlockKind::Table(Table { title: self.title_over(i), header, rows });
                Some(Candidate { kind, score: 0.95, span: at, claims: true })
            })
            .collect()
    }

    /// Finds three or more lines or items that consist of a label and a figure, all with one unit.
    pub(super) fn series(&self) -> Vec<Candidate> {
        let mut out = Vec::new();
        for run in self.runs() {
            // A list must be a series as a whole. In a paragraph, some of the lines may be one.
            let is_list = matches!(self.raws()[run[0].raw].form, Form::Item { .. });
            let mut values: Vec<(Unit, Value, String)> = Vec::new();
            for unit in &run {
                let found = self.value(unit);
                let goes_on = found.as_ref().is_some_and(|(_, u)| values.last().is_none_or(|(_, _, own)| own == u));
                if !goes_on {
                    out.extend(self.series_of(std::mem::take(&mut values), is_list.then_some(run.len())));
                }
                values.extend(found.map(|(value, u)| (unit.clone(), value, u)));
            }
            out.extend(self.series_of(values, is_list.then_some(run.len())));
        }
        out
    }

    fn series_of(&self, values: Vec<(Unit, Value, String)>, all: Option<usize>) -> Option<Candidate> {
        if values.len() < LEAST || all.is_some_and(|n| n != values.len()) {
            return None;
        }
        let title = self.title_of(&values[0].0);
        let span = values.iter().map(|(u, _, _)| self.sourced(u).span).reduce(crate::content::Span::union)?;
        let unit = values[0].2.clone();
        let series = Series { title, unit, values: values.into_iter().map(|(_, v, _)| v).collect() };
        Some(Candidate { kind: BlockKind::Series(series), score: 0.93, span, claims: true })
    }

    /// Parses "Berlin: 3.6 million" as label, figure and unit.
    fn value(&self, unit: &Unit) -> Option<(Value, String)> {
        let text = self.text(unit);
        // Split at the last colon, because labels may contain times of day.
        let (label, rest) = text
            .rmatch_indices(": ")
            .map(|(at, _)| (at, at + 2))
            .find(|(at, rest)| !text[*rest..].is_empty() && !text[..*at].is_empty())
            .or_else(|| label_end(text))?;
        let figure = text[rest..].trim_end_matches(['.', ';', ',', '。']);
        let found = number::all(figure);
        let [only] = found.as_slice() else { return None };
        let number = only.values.first().copied()?;
        let front = &figure[..only.range.start];
        let opens = front.chars().all(|c| is_currency(c) || matches!(c, '+' | '-' | '−' | '~' | '≈' | ' '));
        let back = figure[only.range.end..].trim();
        let words = segment::count_words(text[..label].trim());
        let short = text[..label].chars().count() <= LABEL && segment::count_words(figure) <= FIGURE_WORDS;
        if !opens || !short || words == 0 || back.contains(['.', '(', ',']) {
            return None;
        }
        let currency: String = front.chars().filter(|c| is_currency(*c)).collect();
        // The word that scales the figure belongs to its unit.
        let digits = figure[only.range.clone()].find(|c: char| c.is_alphabetic()).unwrap_or(only.range.len());
        let value = format!("{}{}", front.trim_start(), figure[only.range.start..only.range.start + digits].trim_end());
        let unit_words = figure[only.range.start + digits..].trim().to_owned();
        let shared = if currency.is_empty() { unit_words } else { String::new() };
        let value = Value {
            label: self.part(unit, 0..label),
            figure: self.part(unit, rest..rest + figure.len()),
            value,
            number: if front.contains(['-', '−']) { -number } else { number },
        };
        Some((value, if currency.is_empty() { shared } else { currency }))
    }
}
