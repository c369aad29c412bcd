//! The items of a chart, and their numbers formatted for the page's language.

use crate::content::Language;
use crate::sheet::With;
use crate::text::{decimal, decimal_beside_longer};
use crate::tree::{Node, Run};

/// Currency signs that precede the number.
const BEFORE: [&str; 6] = ["$", "£", "¥", "₹", "US$", "R$"];
/// Languages with a space before the per cent sign.
const APART: [&str; 14] = ["de", "fr", "es", "sv", "nb", "no", "da", "fi", "cs", "sk", "ru", "uk", "bg", "ro"];
/// Numbers from this value on have separators, and then shorter ones in the same chart have them too.
const LONG: f64 = 10_000.0;
/// Most digits of a number.
const DIGITS: usize = 17;

/// A chart as its element describes it.
pub struct Chart<'n> {
    /// The id of its element.
    pub id: &'n str,
    /// Its items with numbers.
    pub entries: Vec<Entry<'n>>,
    /// The names of the series.
    pub series: Vec<&'n str>,
    /// Index of the series in the accent.
    pub hero: Option<usize>,
    /// The end of its scale, if given.
    pub max: Option<f64>,
}

/// An item of a chart.
pub struct Entry<'n> {
    /// The item.
    pub node: &'n Node,
    /// Its numbers, one per series.
    pub numbers: Vec<f64>,
    /// The formatted numbers.
    pub written: Vec<String>,
    /// Whether it is highlighted.
    pub mark: bool,
}

impl<'n> Chart<'n> {
    /// Reads the chart of an element with items.
    pub fn of(node: &'n Node, with: &With<'_>) -> Self {
        let unit = node.get("unit").unwrap_or_default();
        let raws = node.children.iter().flat_map(|item| tokens(item).filter_map(|t| t.parse::<f64>().ok()));
        let long = raws.fold(0.0, |most: f64, n| most.max(n.abs())) >= LONG;
        let entries = node.children.iter().filter_map(|item| Entry::read(item, unit, long, with.setting.language));
        let series = node.get("series").unwrap_or_default().split('|').map(str::trim).filter(|s| !s.is_empty());
        Self {
            id: &node.id,
            entries: entries.collect(),
            series: series.collect(),
            hero: node.number("accent").map(|n| (n as usize).saturating_sub(1)),
            max: node.number("max").filter(|m| *m > 0.0),
        }
    }

    /// Returns the largest number of values of an item.
    pub fn count(&self) -> usize {
        self.entries.iter().map(|e| e.numbers.len()).max().unwrap_or_default()
    }

    /// Returns all numbers.
    pub fn numbers(&self) -> impl Iterator<Item = f64> + '_ {
        self.entries.iter().flat_map(|e| e.numbers.iter().copied())
    }

    /// Returns whether an item is highlighted.
    pub fn marked(&self) -> bool {
        self.entries.iter().any(|e| e.mark)
    }

    /// Returns the ends of a scale with 0 and all of `numbers`.
    pub fn ends(&self, numbers: impl Iterator<Item = f64>) -> (f64, f64) {
        let (low, high) = numbers.fold((0.0_f64, 0.0_f64), |(low, high), n| (low.min(n), high.max(n)));
        let high = self.max.map_or(high, |max| max.max(high));
        if high > low { (low, high) } else { (0.0, 1.0) }
    }
}

impl<'n> Entry<'n> {
    /// Reads an item; `None` if it has no number.
    pub fn of(node: &'n Node, unit: &str, language: &Language) -> Option<Self> {
        Self::read(node, unit, false, language)
    }

    /// Reads an item; `long` means that the chart has numbers of five digits.
    fn read(node: &'n Node, unit: &str, long: bool, language: &Language) -> Option<Self> {
        let numbers: Vec<(f64, &str)> = tokens(node).filter_map(|t| Some((t.parse().ok()?, t))).collect();
        let written = numbers.iter().map(|(n, raw)| with_unit(&written(*n, raw, long, language), unit, language));
        // If the page gives the numbers as written in the source, they stay that way.
        let said = node.get("said").map(|said| said.split('|').map(|s| s.trim().to_owned()).collect::<Vec<_>>());
        let written = said.filter(|said| said.len() == numbers.len()).unwrap_or_else(|| written.collect());
        let mark = node.flag("mark");
        let numbers: Vec<f64> = numbers.into_iter().map(|(n, _)| n).collect();
        (!numbers.is_empty()).then_some(Self { node, numbers, written, mark })
    }

    /// Returns its first number.
    pub fn number(&self) -> f64 {
        self.numbers.first().copied().unwrap_or_default()
    }
}

/// Returns the numbers of an item as written in its attributes.
fn tokens(node: &Node) -> impl Iterator<Item = &str> {
    let raw = node.get("values").or_else(|| node.get("value")).unwrap_or_default();
    raw.split([' ', ',', ';', '\n', '\t', '\r']).filter(|t| !t.is_empty())
}

/// Returns the name of an item and the id of these words: its label, else its head, else its words.
pub fn name(node: &Node) -> Option<(String, Vec<Run>)> {
    let attribute = |name: &str| Some((format!("{}.{name}", node.id), vec![Run::plain(node.get(name)?)]));
    let words = || (!node.words.is_empty()).then(|| (node.id.clone(), node.words.clone()));
    attribute("label").or_else(|| attribute("head")).or_else(words)
}

/// Formats a number for the language, with the decimals of its source.
fn written(number: f64, raw: &str, long: bool, language: &Language) -> String {
    let decimal = if long { decimal_beside_longer } else { decimal };
    let plain = |text: &str| {
        let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
        let (whole, decimals) = digits.split_once('.').unwrap_or((digits, ""));
        let sound = !whole.is_empty() && (whole.len() + decimals.len()) <= DIGITS;
        let coefficient = format!("{whole}{decimals}").parse::<i64>().ok().filter(|_| sound)?;
        let sign = if text.starts_with('-') { -1 } else { 1 };
        Some(decimal(sign * coefficient, -(decimals.len() as i16), language))
    };
    plain(raw).or_else(|| plain(&format!("{number}"))).unwrap_or_else(|| raw.to_owned())
}

/// Returns a number with its unit.
fn with_unit(number: &str, unit: &str, language: &Language) -> String {
    let unit = unit.trim();
    let english = language.primary() == "en";
    if BEFORE.contains(&unit) || unit == "€" && english {
        return match number.strip_prefix('−') {
            Some(number) => format!("−{unit}{number}"),
            None => format!("{unit}{number}"),
        };
    }
    let joined = match unit {
        "" => true,
        "%" => !APART.contains(&language.primary()),
        "°" | "×" | "″" | "′" => true,
        other => other.chars().count() == 1 && other.chars().all(char::is_alphabetic) && !is_measure(other),
    };
    if joined { format!("{number}{unit}") } else { format!("{number}\u{a0}{unit}") }
}

/// Returns whether a letter is a unit of measure and not a power of ten.
fn is_measure(letter: &str) -> bool {
    matches!(letter, "h" | "g" | "l" | "L" | "t" | "W" | "V" | "A" | "€")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_in_the_language_with_their_unit() {
        let text = |raw: &str, unit: &str, tag: &str| {
            let language = Language::parse(tag).unwrap();
            with_unit(&written(raw.parse().unwrap(), raw, false, &language), unit, &language)
        };
        assert_eq!(text("10.50", "%", "en"), "10.50%");
        assert_eq!(text("10.5", "%", "de"), "10,5\u{a0}%");
        assert_eq!(text("-20397", "$", "en"), "−$20,397");
        assert_eq!(text("20397", "€", "de"), "20.397\u{a0}€");
        assert_eq!(text("1e3", "k", "en"), "1000k");
        assert_eq!(text("8", "min", "en"), "8\u{a0}min");
        let language = Language::parse("en").unwrap();
        assert_eq!([false, true].map(|long| written(9450.0, "9450", long, &language)), ["9450", "9,450"]);
    }
}
