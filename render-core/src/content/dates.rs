//! Finds dates and times of day in text, and their order.

use std::ops::Range;

use super::words::terms::{self, Terms};
use super::words::{self, is_unspaced};
use super::{Language, number};
use crate::cancel;

/// Range of years that a bare four-digit number can be.
const YEARS: std::ops::RangeInclusive<u32> = 1_000..=2_199;
/// Maximum words before a leading date.
const LEADING: usize = 3;

/// The precision of a date.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Precision {
    /// Hours and minutes.
    Time,
    /// A year alone, which may be any four-digit number.
    Year,
    /// A month or a day.
    Day,
}

/// A date or a time of day.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Date {
    pub range: Range<usize>,
    /// Years, with months and days as fractions. For a time, hours.
    pub order: f64,
    pub precision: Precision,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    /// The value and the number of digits.
    Number(u32, usize),
    Word,
    Mark(char),
    Space,
}

#[derive(Debug, Clone)]
struct Token {
    range: Range<usize>,
    kind: Kind,
}

/// A text split into numbers, words, marks and spaces.
struct Tokens<'a> {
    text: &'a str,
    terms: &'a Terms,
    all: Vec<Token>,
}

/// Returns every date and time in a text.
pub(super) fn all(text: &str, terms: &Terms) -> Vec<Date> {
    // Without a digit there is no date, and most texts have few digits.
    if !text.chars().any(|c| number::digit(c).is_some()) {
        return Vec::new();
    }
    let tokens = Tokens::of(text, terms);
    let mut out = Vec::new();
    let mut i = 0;
    while i < tokens.all.len() {
        cancel::tick();
        let fresh =
            i == 0 || !matches!(tokens.all[i - 1].kind, Kind::Word | Kind::Number(..)) || tokens.unspaced(i - 1);
        match tokens.at(i).filter(|_| fresh) {
            Some((date, next)) => {
                out.push(date);
                i = next;
            }
            None => i += 1,
        }
    }
    out
}

/// Returns the date that opens a text and the start of the rest. Words such as "In" and brackets may precede the
/// date.
pub(super) fn leading(text: &str, terms: &Terms) -> Option<(Date, usize)> {
    let front: usize = text.char_indices().nth(48).map_or(text.len(), |(i, _)| i);
    let tokens = Tokens::of(&text[..front], terms);
    let mut i = 0;
    let mut skipped = 0;
    loop {
        if let Some((mut date, _)) = tokens.at(i) {
            let to = date.range.end;
            // "since May 1994" is kept as a whole. An opening bracket is not part of it.
            let from = if skipped > 0 { 0 } else { date.range.start };
            date.range = from..to;
            return Some((date, to));
        }
        match tokens.all.get(i)?.kind {
            Kind::Space | Kind::Mark('[' | '(') => i += 1,
            Kind::Word if skipped < LEADING && tokens.is(i, terms.before_date) => {
                skipped += 1;
                i += 1;
            }
            _ => return None,
        }
    }
}

/// Returns the range of the day in the first date of `text`, if the day is a separate number next to the month in
/// words: the "12" of "Thursday, 12 May", the "12–14" of "12–14 May". Returns `None` for 12.05.2026 and 5月12日.
pub(crate) fn day_of(text: &str, language: &Language) -> Option<Range<usize>> {
    let date = all(text, terms::of(language.primary())).into_iter().find(|d| d.precision == Precision::Day)?;
    let worded = |range: &Range<usize>| text[range.clone()].chars().any(is_letter);
    let is_dash = |c: char| matches!(c, '-' | '–' | '‑' | '—');
    let mut words = text.split_whitespace().map(|word| {
        let at = word.as_ptr() as usize - text.as_ptr() as usize;
        (at, word.trim_end_matches(['.', ',', '،']))
    });
    let day = |word: &str| {
        let digits: Vec<u32> = word.chars().map_while(number::digit).collect();
        let value = digits.iter().fold(0, |n, d| n * 10 + d);
        let rest = word.chars().skip(digits.len());
        // "3rd", "1er".
        let ordinal = rest.clone().count() <= 2 && rest.clone().all(is_letter) && !rest.clone().any(is_unspaced);
        (matches!(digits.len(), 1 | 2) && (1..=31).contains(&value) && ordinal).then_some(())
    };
    words.find_map(|(at, word)| {
        let range = at..at + word.len();
        let within = range.end > date.range.start && range.start < date.range.end;
        let days = word.split(is_dash).all(|part| day(part).is_some());
        (within && days && worded(&date.range)).then_some(range)
    })
}

impl<'a> Tokens<'a> {
    fn of(text: &'a str, terms: &'a Terms) -> Self {
        let mut all: Vec<Token> = Vec::new();
        for (at, c) in text.char_indices() {
            let end = at + c.len_utf8();
            let digit = number::digit(c);
            let apart = is_unspaced(c);
            if let Some(last) = all.last_mut().filter(|l| l.range.end == at) {
                match (last.kind, digit) {
                    (Kind::Number(value, n), Some(d)) if n < 9 => {
                        last.kind = Kind::Number(value * 10 + d, n + 1);
                        last.range.end = end;
                        continue;
                    }
                    (Kind::Word, None) if !apart && is_letter(c) && !is_unspaced(first(text, last)) => {
                        last.range.end = end;
                        continue;
                    }
                    _ => {}
                }
            }
            let kind = match digit {
                Some(d) => Kind::Number(d, 1),
                None if is_letter(c) => Kind::Word,
                None if c.is_whitespace() => Kind::Space,
                None => Kind::Mark(c),
            };
            all.push(Token { range: at..end, kind });
        }
        Self { text, terms, all }
    }

    fn word(&self, i: usize) -> Option<&'a str> {
        self.all.get(i).filter(|t| t.kind == Kind::Word).map(|t| &self.text[t.range.clone()])
    }

    fn is(&self, i: usize, list: &str) -> bool {
        self.word(i).is_some_and(|w| {
            let lower = w.to_lowercase();
            words::is_one_of(list, &lower)
        })
    }

    fn number(&self, i: usize) -> Option<(u32, usize)> {
        match self.all.get(i)?.kind {
            Kind::Number(value, digits) => Some((value, digits)),
            _ => None,
        }
    }

    fn mark(&self, i: usize, marks: &[char]) -> bool {
        matches!(self.all.get(i).map(|t| t.kind), Some(Kind::Mark(c)) if marks.contains(&c))
    }

    fn unspaced(&self, i: usize) -> bool {
        self.all.get(i).is_some_and(|t| is_unspaced(first(self.text, t)))
    }

    /// Skips one space.
    fn past(&self, i: usize) -> usize {
        i + usize::from(matches!(self.all.get(i).map(|t| t.kind), Some(Kind::Space)))
    }

    fn date(&self, from: usize, to: usize, order: f64, precision: Precision) -> Option<(Date, usize)> {
        let range = self.all[from].range.start..self.all[to - 1].range.end;
        Some((Date { range, order, precision }, to))
    }

    /// Returns the date at token `i`, and the index of the token after it.
    fn at(&self, i: usize) -> Option<(Date, usize)> {
        self.number(i).map_or_else(|| self.month_first(i), |(n, digits)| self.number_first(i, n, digits))
    }

    fn month(&self, i: usize) -> Option<u32> {
        self.word(i).and_then(|w| self.terms.month(&w.to_lowercase()))
    }

    fn year(&self, i: usize) -> Option<u32> {
        self.number(i).filter(|(n, digits)| *digits == 4 && YEARS.contains(n)).map(|(n, _)| n)
    }

    /// Parses "May 3, 2021", "May 2021".
    fn month_first(&self, i: usize) -> Option<(Date, usize)> {
        let month = self.month(i)?;
        let mut at = i + 1 + usize::from(self.mark(i + 1, &['.']));
        at = self.past(at);
        if let Some(year) = self.year(at) {
            return self.date(i, at + 1, order(year, month, 0), Precision::Day);
        }
        let (day, _) = self.number(at).filter(|(n, digits)| *digits <= 2 && (1..=31).contains(n))?;
        let mut end = at + 1;
        if self.is(end, "st|nd|rd|th") {
            end += 1;
        }
        let behind = self.past(end + usize::from(self.mark(end, &[','])));
        match self.year(behind) {
            Some(year) => self.date(i, behind + 1, order(year, month, day), Precision::Day),
            None => self.date(i, end, order(0, month, day), Precision::Day),
        }
    }

    fn number_first(&self, i: usize, n: u32, digits: usize) -> Option<(Date, usize)> {
        self.numeric(i, n, digits)
            .or_else(|| self.eastern(i, n, digits))
            .or_else(|| self.day_first(i, n, digits))
            .or_else(|| self.time(i, n, digits))
            .or_else(|| {
                let year = self.year(i)?;
                // Accepts "1990s", but no part of a longer number or of a measure.
                let end = i + 1 + usize::from(self.is(i + 1, "s"));
                let runs_on = self.mark(i + 1, &['.', ',', '\'', '/', ':']) && self.number(i + 2).is_some()
                    || self.mark(i + 1, &['%', '€', '$', '£', '°'])
                    || i > 0 && self.mark(i - 1, &['$', '€', '£', '¥', '#', '.', ',', '/']);
                if runs_on {
                    return None;
                }
                self.date(i, end, f64::from(year), Precision::Year)
            })
    }

    /// Parses "2021-05-03", "03.05.2021", "3/5/2021".
    fn numeric(&self, i: usize, n: u32, digits: usize) -> Option<(Date, usize)> {
        let dash = self.mark(i + 1, &['-', '.', '/']);
        let Kind::Mark(mark) = self.all.get(i + 1)?.kind else { return None };
        let (second, _) = self.number(i + 2).filter(|(_, d)| dash && *d <= 2)?;
        if !self.mark(i + 3, &[mark]) {
            return None;
        }
        let (third, third_digits) = self.number(i + 4)?;
        let (year, month, day) = match (digits, third_digits) {
            (4, 1..=2) => (n, second, third),
            // The day may precede or follow the month. Only the order of dates depends on it.
            (1..=2, 4) if second <= 12 => (third, second, n),
            (1..=2, 4) => (third, n, second),
            _ => return None,
        };
        let plausible = YEARS.contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day);
        if !plausible || self.mark(i + 5, &[mark]) && self.number(i + 6).is_some() {
            return None;
        }
        self.date(i, i + 5, order(year, month, day), Precision::Day)
    }

    /// Parses "2021年5月3日", "5月3日", "8時30分".
    fn eastern(&self, i: usize, n: u32, digits: usize) -> Option<(Date, usize)> {
        let unit = |at: usize, units: &str| self.word(at).is_some_and(|w| units.contains(w));
        let small = |at: usize| self.number(at).filter(|(_, d)| *d <= 2).map(|(n, _)| n);
        if digits <= 2 && unit(i + 1, "時时点點") && n <= 24 {
            let minutes = small(i + 2).filter(|_| unit(i + 3, "分"));
            let end = if minutes.is_some() { i + 4 } else { i + 2 };
            // "点" also means a point: "3点建议".
            let bare = minutes.is_none() && unit(i + 1, "点點") && self.unspaced(i + 2);
            return if bare { None } else { self.date(i, end, hours(n, minutes.unwrap_or(0)), Precision::Time) };
        }
        let (year, mut at) = if digits == 4 && unit(i + 1, "年년") { (n, i + 2) } else { (0, i) };
        let (mut month, mut day) = (0, 0);
        if let Some(found) = small(at).filter(|m| unit(at + 1, "月월") && (1..=12).contains(m)) {
            month = found;
            at += 2;
            if let Some(found) = small(at).filter(|d| unit(at + 1, "日号號일") && (1..=31).contains(d)) {
                day = found;
                at += 2;
            }
        }
        if at == i {
            return None;
        }
        let precision = if month > 0 { Precision::Day } else { Precision::Year };
        self.date(i, at, order(year, month, day), precision)
    }

    /// Parses "3 May 2021", "3. Mai", "1er mai", "3 de mayo de 2021".
    fn day_first(&self, i: usize, n: u32, digits: usize) -> Option<(Date, usize)> {
        if digits > 2 || !(1..=31).contains(&n) {
            return None;
        }
        let mut at = i + 1;
        if self.mark(at, &['.', 'º']) || self.is(at, "st|nd|rd|th|er") {
            at += 1;
        }
        at = self.past(at);
        let of = |at: usize| if self.is(at, "de|of|del|di") { self.past(at + 1) } else { at };
        at = of(at);
        let month = self.month(at)?;
        let mut end = at + 1;
        let stop = end + usize::from(self.mark(end, &['.']));
        let behind = self.past(of(self.past(stop + usize::from(self.mark(stop, &[','])))));
        let mut year = 0;
        if let Some(found) = self.year(behind) {
            year = found;
            end = behind + 1;
        }
        self.date(i, end, order(year, month, n), Precision::Day)
    }

    /// Parses "10:30", "19 h 30", "9 am", "20 Uhr".
    fn time(&self, i: usize, n: u32, digits: usize) -> Option<(Date, usize)> {
        if digits > 2 || n > 24 || i > 0 && self.mark(i - 1, &[':', '.', ',']) {
            return None;
        }
        let mut end = i + 1;
        let mut minutes = None;
        let minute = |at: usize| self.number(at).filter(|(m, d)| *d == 2 && *m < 60).map(|(m, _)| m);
        if self.mark(end, &[':']) {
            minutes = Some(minute(end + 1)?);
            end += 2;
            if self.mark(end, &[':']) && self.number(end + 1).is_some() {
                return None;
            }
        } else if let Some(m) = minute(end + 1).filter(|_| self.mark(end, &['.'])) {
            // "10.30" is a time only with a word such as "Uhr" or "am".
            self.is(self.past(end + 2), "uhr|am|pm|h").then_some(())?;
            minutes = Some(m);
            end += 2;
        }
        let word = self.past(end);
        let mut hour = n;
        if self.is(word, "am|pm") {
            if n == 0 || n > 12 {
                return None;
            }
            hour = n % 12 + if self.is(word, "pm") { 12 } else { 0 };
            end = word + 1;
        } else if self.is(word, "uhr") {
            end = word + 1;
        } else if self.is(word, "h") && !self.mark(word + 1, &['/']) {
            end = word + 1;
            if let Some(m) = minute(self.past(end)) {
                minutes = Some(m);
                end = self.past(end) + 1;
            }
        } else if minutes.is_none() {
            return None;
        }
        self.date(i, end, hours(hour, minutes.unwrap_or(0)), Precision::Time)
    }
}

fn first(text: &str, token: &Token) -> char {
    text[token.range.clone()].chars().next().unwrap_or(' ')
}

fn is_letter(c: char) -> bool {
    c.is_alphabetic() || super::words::is_mark(c)
}

fn order(year: u32, month: u32, day: u32) -> f64 {
    f64::from(year) + f64::from(month) / 13.0 + f64::from(day) / 416.0
}

fn hours(hour: u32, minutes: u32) -> f64 {
    f64::from(hour) + f64::from(minutes) / 60.0
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn found<'a>(text: &'a str, code: &str) -> Vec<&'a str> {
        all(text, terms::of(code)).into_iter().map(|d| &text[d.range]).collect()
    }

    #[test]
    fn dates_and_times_of_many_languages() {
        assert_eq!(found("On 3 May 2024, at 10:30.", "en"), ["3 May 2024", "10:30"]);
        assert_eq!(found("May 3rd, 2024 to June 1, from 7 pm", "en"), ["May 3rd, 2024", "June 1", "7 pm"]);
        assert_eq!(found("Am 13. Dezember 2026 um 20 Uhr", "de"), ["13. Dezember 2026", "20 Uhr"]);
        assert_eq!(found("du 1er au 15 mai, de 19 h à 18 h 30", "fr"), ["15 mai", "19 h", "18 h 30"]);
        assert_eq!(found("el 3 de mayo de 2021", "es"), ["3 de mayo de 2021"]);
        assert_eq!(found("до 31 августа 2026", "ru"), ["31 августа 2026"]);
        assert_eq!(found("2021年5月3日と5月3日、8時30分", "ja"), ["2021年5月3日", "5月3日", "8時30分"]);
        assert_eq!(found("في 3 مايو ٢٠٢٤", "ar"), ["3 مايو ٢٠٢٤"]);
        assert_eq!(found("2026-10-30, 03.05.2021", "en"), ["2026-10-30", "03.05.2021"]);
        assert_eq!(found("since 1998", "en"), ["1998"]);
    }

    #[test]
    fn other_numbers_are_no_dates() {
        for text in
            ["$2,400 of 5 km", "12 of them", "version 3.2.0", "1,998 people", "3 kg", "may 5000 come", "call 555 0199"]
        {
            assert!(
                found(text, "en").iter().all(|d| d.len() == 4 && d.parse::<u32>().is_ok_and(|y| y == 1998)),
                "{text}"
            );
        }
    }

    #[test]
    fn days_that_can_stand_alone() {
        let day = |text: &'static str, tag| day_of(text, &Language::parse(tag).expect("a language")).map(|r| &text[r]);
        assert_eq!(day("Thursday, 12 May", "en"), Some("12"));
        assert_eq!(day("May 3rd, 2024", "en"), Some("3rd"));
        assert_eq!(day("12–14 May", "en"), Some("12–14"));
        assert_eq!(day("Donnerstag, 12. Mai 2026", "de"), Some("12"));
        assert_eq!(day("3 مايو ٢٠٢٤", "ar"), Some("3"));
        for (text, tag) in [("7 pm", "en"), ("Canal Street 8", "en"), ("12.05.2026", "de"), ("5月12日", "ja")] {
            assert_eq!(day(text, tag), None, "{text}");
        }
    }

    #[test]
    fn dates_that_lead() {
        let lead = |text: &'static str, code| {
            leading(text, terms::of(code)).map(|(d, rest)| (&text[d.range], &text[rest..], d.order))
        };
        assert_eq!(lead("1994: The harbour froze", "en"), Some(("1994", ": The harbour froze", 1994.0)));
        assert_eq!(lead("In 1998, a dam broke", "en").map(|l| l.0), Some("In 1998"));
        assert_eq!(lead("1924年 石積み", "ja").map(|l| (l.0, l.1)), Some(("1924年", " 石積み")));
        assert_eq!(lead("19 h – Les Cuivres", "fr").map(|l| (l.0, l.2)), Some(("19 h", 19.0)));
        assert_eq!(lead("The 1994 harbour", "en").map(|l| l.0), Some("The 1994"));
        assert_eq!(lead("Water early", "en"), None);
    }

    proptest! {
        #[test]
        fn reads_anything(text in "([0-9]{1,5}|[.:/, -]|May|am| h|年|月|3|\\PC){0,24}") {
            for code in ["en", "ja", "fr"] {
                let terms = terms::of(code);
                for date in all(&text, terms) {
                    prop_assert!(date.order.is_finite() && text.get(date.range).is_some());
                }
                if let Some((date, rest)) = leading(&text, terms) {
                    prop_assert!(text.get(date.range).is_some() && text.get(rest..).is_some());
                }
            }
        }
    }
}
