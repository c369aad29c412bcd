//! Quantities: numbers in digits and in words, with their units and the words that bound them.

mod bounds;
mod spell;
mod units;

use std::ops::Range;

use super::number;

pub use bounds::Bound;
pub use spell::named;
pub use units::Dimension;

/// A number in a text, with its unit and bound.
#[derive(Debug, Clone, PartialEq)]
pub struct Quantity {
    /// The range of the number, without its unit.
    pub range: Range<usize>,
    /// The possible values, in the unit.
    pub values: Vec<f64>,
    /// The values if it is read as several adjacent numbers.
    pub parts: Vec<f64>,
    /// The dimension, and the size of the unit.
    pub unit: Option<(Dimension, f64)>,
    /// The bound that the text gives.
    pub bound: Bound,
    /// Index of the sentence that contains it, from 0.
    pub place: u32,
    /// Whether the number is written in words.
    pub in_words: bool,
}

/// Articles that stand for one unit of time.
const ONE: [&str; 21] = [
    "a", "an", "one", "ein", "eine", "einen", "einer", "einem", "une", "un", "una", "uno", "uma", "um", "een", "één",
    "jeden", "jedną", "jednej", "одну", "один",
];
/// Phrases after a unit that add half a unit.
const HALF_MORE: [&str; 8] =
    [" and a half", " et demie", " et demi", " y media", " y medio", " e meia", " e mezza", " ونصف"];
/// Time spans that have their own words, in seconds.
const SPANS: &[(f64, &str)] = &[
    (
        1_800.0,
        "half an hour|half-hour|halbe stunde|halben stunde|demi-heure|media hora|meia hora|mezz'ora|mezz’ora|mezzora|pół godziny|نصف ساعة|半時間|半小时",
    ),
    (15_778_800.0, "half a year|halbes jahr|medio año|pół roku|半年|半年間|نصف عام"),
    (5_400.0, "hour and a half|heure et demie|hora y media|hora e meia|ora e mezza|ora e mezzo|ساعة ونصف"),
    (5_400.0, "一个半小时|一個半小時|一時間半"),
    (9_000.0, "两个半小时|兩個半小時|二時間半"),
    (7_200.0, "ساعتين|ساعتان"),
    (172_800.0, "يومين|يومان"),
    (1_209_600.0, "fortnight|أسبوعين|أسبوعان|quinzaine de jours|quince días"),
    (5_259_600.0, "شهرين|شهران"),
    (63_115_200.0, "سنتين|سنتان|عامين|عامان"),
    (315_576_000.0, "decade|jahrzehnt|décennie|década|decennio|dekada|عقد"),
];

/// Returns the quantities of a text, in order. A span in several units ("1 h 30") is one quantity. With `parts`, its
/// parts are returned as quantities too.
pub fn quantities(text: &str, parts: bool) -> Vec<Quantity> {
    let lower = lowered(text);
    let mut out = Vec::new();
    for written in number::all(text) {
        out.push(quantity(&lower, written.range, written.values, written.parts, false));
    }
    for (range, value, common) in spell::spelled(&lower) {
        if common && units::unit(&lower[range.end..]).is_none() {
            continue;
        }
        if out.iter().all(|q: &Quantity| q.range.end <= range.start || q.range.start >= range.end) {
            // "Three billion".
            let (factor, end) = number::power_behind(text, range.end).unwrap_or((1.0, range.end));
            out.push(quantity(&lower, range.start..end, vec![factor * value], Vec::new(), true));
        }
    }
    out.sort_by_key(|q| q.range.start);
    let mut joined = joined(&lower, out, parts);
    // An unbounded "an hour" is too vague to check on a page. "Less than an hour" is checked.
    joined.extend(unnumbered(&lower).into_iter().filter(|q| parts || q.bound != Bound::Exact || q.values[0] != 1.0));
    joined.sort_by_key(|q| q.range.start);
    let mut place = 0;
    let mut from = 0;
    for quantity in &mut joined {
        place += ends(&text[from..quantity.range.start.max(from)]);
        from = quantity.range.start.max(from);
        quantity.place = place;
    }
    joined
}

fn quantity(lower: &str, range: Range<usize>, mut values: Vec<f64>, parts: Vec<f64>, in_words: bool) -> Quantity {
    let unit = units::unit(&lower[range.end..]);
    let behind = range.end + unit.map_or(0, |(.., length)| length);
    if unit.is_some() && HALF_MORE.iter().any(|half| lower[behind..].starts_with(half)) {
        values.iter_mut().for_each(|value| *value += 0.5);
    }
    let bound = bounds::bound(&lower[..range.start], &lower[behind..]);
    let unit = unit.map(|(dimension, size, _)| (dimension, size));
    Quantity { range, values, parts, unit, bound, place: 0, in_words }
}

/// Joins hours with the minutes after them.
fn joined(lower: &str, all: Vec<Quantity>, parts: bool) -> Vec<Quantity> {
    let mut out: Vec<Quantity> = Vec::new();
    let mut all = all.into_iter().peekable();
    while let Some(quantity) = all.next() {
        let whole = all.peek().and_then(|next| together(lower, &quantity, next));
        match whole {
            Some(whole) => {
                let minutes = all.next();
                if parts {
                    out.push(quantity);
                    out.extend(minutes);
                }
                out.push(whole);
            }
            None => out.push(quantity),
        }
    }
    out
}

/// Returns the time span of two adjacent quantities.
fn together(lower: &str, hours: &Quantity, minutes: &Quantity) -> Option<Quantity> {
    let (Dimension::Time, size @ (3_600.0 | 60.0 | 1.0)) = hours.unit? else { return None };
    let small = minutes.unit.is_none_or(|unit| unit == (Dimension::Time, size / 60.0));
    // Hundredths of a second: 54秒20.
    let parts = if size == 1.0 { 100.0 } else { 60.0 };
    let (h, m) = (*hours.values.first()?, *minutes.values.first()?);
    let unit_end = hours.range.end + units::unit(&lower[hours.range.end..])?.2;
    let gap = lower.get(unit_end..minutes.range.start)?;
    let near = matches!(gap.trim(), "" | "and" | "und" | "et" | "y" | "e" | "i" | "و" | "と");
    let near = near && (size > 1.0 || gap.is_empty());
    (small && near && m < parts).then(|| Quantity {
        range: hours.range.start..minutes.range.end,
        values: vec![h + m / parts],
        ..hours.clone()
    })
}

/// Returns time spans without a number: "half an hour", "an hour".
fn unnumbered(lower: &str) -> Vec<Quantity> {
    let mut out = Vec::new();
    let mut push = |range: Range<usize>, value: f64, size: f64| {
        let bound = bounds::bound(&lower[..range.start], &lower[range.end..]);
        let unit = Some((Dimension::Time, size));
        out.push(Quantity { range, values: vec![value], parts: Vec::new(), unit, bound, place: 0, in_words: true });
    };
    for (seconds, names) in SPANS {
        for name in names.split('|') {
            for (at, _) in lower.match_indices(name) {
                // "一个半小时" is longer than "半小时".
                let is_end = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() || super::words::is_unspaced(c));
                let (before, behind) = (lower[..at].chars().next_back(), lower[at + name.len()..].chars().next());
                let whole = !(name.starts_with('半') && matches!(before, Some('个' | '個')));
                if whole && is_end(before) && is_end(behind) {
                    push(at..at + name.len(), seconds / 60.0, 60.0);
                }
            }
        }
    }
    let mut at = 0;
    for word in lower.split_inclusive(char::is_whitespace) {
        let end = at + word.len();
        if ONE.contains(&word.trim_end())
            && let Some((Dimension::Time, size, length)) = units::unit(&lower[end..])
        {
            push(at..end + length, 1.0, size);
        }
        at = end;
    }
    out
}

/// Returns the number of sentences and lines that end in a text.
fn ends(text: &str) -> u32 {
    let mut chars = text.chars().peekable();
    let mut count = 0;
    while let Some(c) = chars.next() {
        let over = chars.peek().is_none_or(|next| next.is_whitespace());
        count += u32::from(matches!(c, '。' | '！' | '？' | '\n') || over && matches!(c, '.' | '!' | '?' | '؟' | '।'));
    }
    count
}

/// Returns a text in lower case with unchanged byte offsets.
fn lowered(text: &str) -> String {
    let lower = |c: char| {
        let mut lower = c.to_lowercase();
        match (lower.next(), lower.next()) {
            (Some(small), None) if small.len_utf8() == c.len_utf8() => small,
            _ => c,
        }
    };
    text.chars().map(lower).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Vec<(f64, Option<Dimension>, Bound)> {
        quantities(text, false).into_iter().map(|q| (q.values[0], q.unit.map(|u| u.0), q.bound)).collect()
    }

    #[test]
    fn quantities_have_units_and_bounds() {
        use Bound::{AtLeast, AtMost, Exact};
        use Dimension::{Length, Share, Time};
        assert_eq!(of("Up to 40 percent of it"), [(40.0, Some(Share), AtMost)]);
        assert_eq!(of("Der Weg ist 2,5 km lang"), [(2.5, Some(Length), Exact)]);
        assert_eq!(of("1 h 30 d'atelier"), [(1.5, Some(Time), Exact)]);
        assert_eq!(of("at least twenty-five people"), [(25.0, None, AtLeast)]);
        assert_eq!(of("二十五人以上"), [(25.0, None, AtLeast)]);
        let spans =
            |text: &str| quantities(text, true).iter().map(|q| q.values[0] * q.unit.unwrap().1).collect::<Vec<_>>();
        assert_eq!(spans("in less than an hour"), [3_600.0]);
        assert_eq!(spans("media hora"), [1_800.0]);
        assert_eq!(spans("2 hours and 15 minutes"), [7_200.0, 8_100.0, 900.0]);
    }

    #[test]
    fn sentences_are_counted() {
        let places = |text: &str| quantities(text, false).iter().map(|q| q.place).collect::<Vec<_>>();
        assert_eq!(places("It has 3.5 parts. And 4. Or 5!\n6"), [0, 1, 2, 4]);
        assert_eq!(places("三つ。四つ"), [0, 1]);
    }
}
