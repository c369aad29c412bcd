//! Finds shares written in words: "half of them", "zwei Drittel der Leute".

use super::quantity::named;
use super::{number, segment};

/// Words for halves, thirds, quarters and fifths, in lower case, with their denominators.
const PARTS: &[(f64, &str)] = &[
    (
        2.0,
        "half halves hälfte halb halbe moitié demi mitad metà metade helft половина половину половины yarısı połowa połowę połowy pół نصف نصفهم ونصف",
    ),
    (
        3.0,
        "third thirds drittel tiers tercio tercios terzo terzi terço terços derde треть трети terceras terceros tercera trzecia trzecie trzecich ثلث",
    ),
    (
        4.0,
        "quarter quarters viertel quart quarts cuarto cuartos quarto quarti quartos kwart четверть четверти cuarta cuartas quarta quartas czwarta czwarte czwartych ربع أرباع ربعهم",
    ),
    (
        5.0,
        "fifth fifths fünftel cinquième cinquièmes quinto quintos quinti vijfde quinta quintas piąta piąte خمس أخماس",
    ),
];
/// Words after a part of something.
const OF: &str =
    "of the a der des aller von de du d la le les el los di del della da do das van het из partes z tych de las من";

/// Returns the values by which shares in words can be written: 2/3, 66.7 and 67 for "two thirds".
pub(super) fn fractions(text: &str) -> Vec<f64> {
    let words: Vec<String> = segment::words_of(text).iter().map(|word| word.to_lowercase()).collect();
    let has = |list: &str, word: &str| list.split(' ').any(|w| w == word);
    let mut out = Vec::new();
    for (i, word) in words.iter().enumerate() {
        let Some((of, _)) = PARTS.iter().find(|(_, list)| has(list, word)) else { continue };
        let count = i.checked_sub(1).and_then(|before| named(&words[before])).filter(|n| *n < *of);
        // "A third time" is not a share. A half always is one.
        let follows = words.get(i + 1).is_some_and(|next| has(OF, next)) || word.starts_with(is_arabic);
        if count.is_none_or(|n| n < 2.0) && !follows && *of > 2.0 {
            continue;
        }
        out.extend(written(count.unwrap_or(1.0) / of));
    }
    for (name, share) in WHOLE {
        if text.contains(name) {
            out.extend(written(*share));
        }
    }
    out.extend(signs(text).flat_map(written));
    out
}

/// Words and phrases that name a share by themselves.
const WHOLE: &[(&str, f64)] = &[
    ("ثلثا", 2.0 / 3.0),
    ("ثلثي", 2.0 / 3.0),
    ("半分", 0.5),
    ("半数", 0.5),
    ("過半数", 0.5),
    ("一半", 0.5),
    ("半數", 0.5),
];

/// Finds shares in Chinese and Japanese: 三分之二, 3分の2.
fn signs(text: &str) -> impl Iterator<Item = f64> {
    let digit = |c: Option<char>| {
        let c = c?;
        number::digit(c)
            .map(f64::from)
            .or_else(|| Some("一二三四五六七八九".chars().position(|s| s == c)? as f64 + 1.0))
    };
    ["分之", "分の"].into_iter().flat_map(move |name| {
        text.match_indices(name).filter_map(move |(at, name)| {
            let of = digit(text[..at].chars().next_back())?;
            let count = digit(text[at + name.len()..].chars().next())?;
            (count < of).then(|| count / of)
        })
    })
}

/// Returns the numbers that a share can be written as.
fn written(share: f64) -> [f64; 6] {
    let percent = 100.0 * share;
    [
        share,
        (1000.0 * share).round() / 1000.0,
        percent,
        percent.round(),
        (10.0 * percent).round() / 10.0,
        percent.floor(),
    ]
}

fn is_arabic(c: char) -> bool {
    matches!(c, '\u{600}'..='\u{6ff}')
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
