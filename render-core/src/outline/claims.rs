//! Detects claims in written words that need a source.

use crate::content::entities::{CURRENCY_WORDS, PERCENT_WORDS};
use crate::content::guard::addresses;
use crate::content::number;
use crate::content::words::has;

/// Numbers from this value on are claims; smaller ones count what is on the page.
const LARGE: f64 = 100.0;

/// Returns whether words make a claim that must not be invented: a share, a price, a year or
/// another large number, or a quotation.
pub fn is_claim(text: &str) -> bool {
    const MARKS: [char; 18] =
        ['%', '％', '٪', '‰', '$', '€', '£', '¥', '₽', '₹', '₺', '×', '“', '„', '«', '"', '「', '『'];
    let lower = text.to_lowercase();
    let mut words = lower.split(|c: char| !c.is_alphanumeric());
    let measured = words.any(|w| has(PERCENT_WORDS, w) || has(CURRENCY_WORDS, w));
    let large = number::all(text).iter().any(|n| n.values.iter().any(|v| *v >= LARGE));
    text.contains(MARKS) || large || measured && text.chars().any(char::is_numeric)
}

/// Returns the details that a reader would act on, as written: numbers, codes and addresses.
pub fn facts(text: &str) -> Vec<String> {
    let mut out: Vec<String> = number::all(text).into_iter().map(|n| text[n.range].to_owned()).collect();
    out.extend(addresses(text).map(str::to_owned));
    out.dedup();
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_and_facts() {
        assert_eq!(facts("30 % off until 31 August, code SUN30"), ["30", "31", "30", "SUN30"]);
        assert!(is_claim("40 percent of adults") && is_claim("costs 20 dollars"));
        assert!(is_claim("85 % agree") && is_claim("since 1987") && is_claim("“So it is”"));
        assert!(!is_claim("Walk 30 minutes at 7:30"));
    }
}
