//! How well an English sentence stands alone on a slide, by a linear model over its words and its form.
//!
//! `words/merit.txt` holds the weights. A sentence has the feature `w X` for each word, `b X Y` for each pair of
//! neighbouring words, `f X` and `g X Y` for its first word and its first two words, `s X` for its second word and
//! `l X` for its last word. Words are in lower case; a word that contains a digit is `0`. `#` marks features of form.
//! Editors judged 1,755 sentences of 279 articles, each by itself under its title and heading (December 2026). The
//! weights are a logistic regression with an L1 penalty beside the odds of `odds.rs`. In held-out articles, editors
//! accept 73 of 100 sentences in the best fifth; by the odds alone, 62; of all sentences, 40.

use std::collections::HashMap;
use std::sync::LazyLock;

use unicode_segmentation::UnicodeSegmentation as _;

static WEIGHTS: LazyLock<HashMap<&'static str, f32>> = LazyLock::new(|| {
    let lines = include_str!("words/merit.txt").lines().filter(|line| !line.starts_with("//"));
    lines
        .filter_map(|line| line.split_once('\t'))
        .filter_map(|(key, weight)| Some((key, weight.parse().ok()?)))
        .collect()
});

/// Returns the log odds that an editor accepts a sentence as the only text of a slide, relative to the mean sentence.
/// In other languages than English, all sentences are equal.
pub(crate) fn merit(text: &str, code: &str) -> f32 {
    if code != "en" {
        return 0.0;
    }
    let raw: Vec<&str> = text.unicode_words().collect();
    let words: Vec<String> = raw.iter().map(|word| plain(word)).collect();
    let mut sum = weight("#") + form(text, &raw);
    let mut seen: Vec<&str> = Vec::new();
    let mut add = |key: String| {
        if let Some((key, weight)) = WEIGHTS.get_key_value(key.as_str()).filter(|(key, _)| !seen.contains(key)) {
            sum += weight;
            seen.push(key);
        }
    };
    words.iter().for_each(|word| add(format!("w {word}")));
    words.windows(2).for_each(|pair| add(format!("b {} {}", pair[0], pair[1])));
    if let [first, ..] = words.as_slice() {
        add(format!("f {first}"));
        add(format!("l {}", words[words.len() - 1]));
    }
    if let [first, second, ..] = words.as_slice() {
        add(format!("s {second}"));
        add(format!("g {first} {second}"));
    }
    sum
}

fn weight(key: &str) -> f32 {
    WEIGHTS.get(key).copied().unwrap_or(0.0)
}

/// Returns a word in lower case with straight apostrophes, or `0` for one with a digit.
fn plain(word: &str) -> String {
    if word.contains(|c: char| c.is_ascii_digit()) {
        return "0".to_owned();
    }
    word.to_lowercase().replace('’', "'")
}

/// Returns the weight of the features that aren't single words: names, numbers, signs.
fn form(text: &str, words: &[&str]) -> f32 {
    let when = |key: &str, holds: bool| if holds { weight(key) } else { 0.0 };
    let by = |key: &str, amount: f32| weight(key) * amount;
    let text = text.trim();
    let is_name =
        |w: &&&str| w.starts_with(char::is_uppercase) && **w != "I" && !w.starts_with("I'") && !w.starts_with("I’");
    let names = words.iter().skip(1).filter(is_name).count();
    let short =
        |w: &&&str| w.chars().count() > 1 && w.chars().any(char::is_uppercase) && !w.chars().any(char::is_lowercase);
    let abbreviations = words.iter().filter(short).count();
    let ended = text.ends_with(['.', '!', '?', ':', ';', ')', '"', '”', '’', '\'']);
    by("# caps", names.min(6) as f32 / 3.0)
        + by("# abbr", abbreviations.min(3) as f32)
        + by("# comma", text.matches(',').count().min(4) as f32 / 2.0)
        + when("# digit", text.contains(|c: char| c.is_ascii_digit()))
        + when("# paren", text.contains('('))
        + when("# quote", text.contains(['"', '“', '”']))
        + when("# colon", text.ends_with(':'))
        + when("# q", text.ends_with('?'))
        + when("# ex", text.ends_with('!'))
        + when("# noend", !ended)
        + when("# lower", text.starts_with(char::is_lowercase))
        + when("# code", text.contains(['{', '}', '`', '_', '=', '<', '>', '/']))
        + when("# dash", text.contains('—') || text.contains(" – "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_depends_on_its_article_has_less_merit() {
        let merit = |text: &str| merit(text, "en");
        assert!(merit("This is how I did it.") < merit("A crew of nine counts the boats of the harbour."));
        assert!(merit("We’ll show these below:") < merit("Public piers need new ropes when boats are counted."));
        assert!(merit("We’ll count.").to_bits() == merit("We'll count.").to_bits());
    }

    #[test]
    fn every_weight_is_read() {
        let lines = include_str!("words/merit.txt").lines().filter(|line| !line.starts_with("//")).count();
        assert_eq!(WEIGHTS.len(), lines);
        assert!(WEIGHTS.values().all(|weight| weight.abs() < 10.0));
    }

    #[test]
    fn other_languages_are_not_weighed() {
        assert!(merit("Das zeigen wir unten.", "de") == 0.0);
    }
}
