//! Shares that a text says in words: "half of them", "zwei Drittel der Leute".

use super::cues::spelled;
use super::segment;

/// Words for halves, thirds and quarters, in lower case, with the parts that they are of.
const PARTS: &[(f64, &str)] = &[
    (2.0, "half halves hälfte halb halbe moitié demi mitad metà metade helft половина половину половины yarısı"),
    (3.0, "third thirds drittel tiers tercio tercios terzo terzi terço terços derde треть трети"),
    (4.0, "quarter quarters viertel quart quarts cuarto cuartos quarto quarti quartos kwart четверть четверти"),
    (5.0, "fifth fifths fünftel cinquième cinquièmes quinto quintos quinti vijfde"),
];
/// Words behind a part of something.
const OF: &str = "of the a der des aller von de du d la le les el los di del della da do das van het из";

/// The values that shares in words can be written as: 2/3, 66.7 and 67 for "two thirds".
pub(super) fn fractions(text: &str) -> Vec<f64> {
    let words: Vec<String> = segment::words_of(text).iter().map(|word| word.to_lowercase()).collect();
    let has = |list: &str, word: &str| list.split(' ').any(|w| w == word);
    let mut out = Vec::new();
    for (i, word) in words.iter().enumerate() {
        let Some((of, _)) = PARTS.iter().find(|(_, list)| has(list, word)) else { continue };
        let count = i.checked_sub(1).and_then(|before| spelled(&words[before])).filter(|n| f64::from(*n) < *of);
        // "A third time" is no share; a half is one wherever it stands.
        let follows = words.get(i + 1).is_some_and(|next| has(OF, next));
        if count.is_none_or(|n| n < 2) && !follows && *of > 2.0 {
            continue;
        }
        let share = f64::from(count.unwrap_or(1)) / of;
        let percent = 100.0 * share;
        out.extend([
            share,
            (1000.0 * share).round() / 1000.0,
            percent,
            percent.round(),
            (10.0 * percent).round() / 10.0,
        ]);
        out.extend([percent.floor()]);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_in_words_have_values() {
        let has = |text: &str, value: f64| fractions(text).iter().any(|v| (v - value).abs() < 1e-9);
        assert!(has("Two thirds of them left", 67.0) && has("Two thirds of them left", 66.7));
        assert!(has("zwei Drittel der Leute", 66.0) && has("les deux tiers d’entre eux", 0.667));
        assert!(has("half the team", 50.0) && has("la moitié", 0.5) && has("a quarter of it", 25.0));
        assert!(has("three quarters", 75.0));
        assert!(fractions("a third time, and a third-party tool in the third quarter").is_empty());
    }
}
