//! Translates messages and offers into the language of a prompt.

use std::sync::LazyLock;

use super::lexicon;
use super::{Target, read};

/// The languages of the table, in the order of its columns.
const LANGUAGES: [&str; 9] = ["en", "de", "fr", "es", "it", "pt", "nl", "ja", "zh"];
/// The placeholder in messages for words of the prompt.
const GAP: &str = "{}";

static ROWS: LazyLock<Vec<Vec<&'static str>>> = LazyLock::new(|| {
    let lines = include_str!("words/offers.txt").lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.split('|').map(str::trim).collect()).collect()
});

/// Returns the column of the table for the language of a prompt, or the English column if it has none.
fn column(prompt: &str) -> usize {
    let kana = |c: char| matches!(c, '\u{3040}'..='\u{30ff}');
    let han = |c: char| matches!(c, '\u{3400}'..='\u{9fff}');
    match () {
        () if prompt.chars().any(kana) => LANGUAGES.len() - 2,
        () if prompt.chars().any(han) => LANGUAGES.len() - 1,
        () => lexicon::language(prompt).and_then(|code| LANGUAGES.iter().position(|own| *own == code)).unwrap_or(0),
    }
}

/// Returns a text of the table in the language of a prompt, with `inside` in place of [`GAP`].
pub(super) fn message(text: &str, inside: &str, prompt: &str) -> String {
    let row = ROWS.iter().find(|row| row.first() == Some(&text));
    let translated = row.and_then(|row| row.get(column(prompt))).copied();
    translated.unwrap_or(text).replacen(GAP, inside, 1)
}

/// Returns an offered prompt in the language of the prompt that it answers. If the translation isn't read as the same
/// ops on this page, returns the English offer.
pub(in super::super) fn offered(offer: &str, prompt: &str, target: &Target<'_>) -> String {
    let row = ROWS.iter().find(|row| row.first() == Some(&offer));
    let translated = row.and_then(|row| row.get(column(prompt))).copied().filter(|translated| *translated != offer);
    let same = |translated: &&str| {
        let (own, other) = (read(offer, target), read(translated, target));
        matches!((own, other), (Ok(own), Ok(other)) if own.ops == other.ops && !other.partial)
    };
    translated.filter(same).unwrap_or(offer).to_owned()
}

#[cfg(test)]
mod tests {
    use super::super::tests::{page, target};
    use super::*;

    #[test]
    fn messages_are_in_the_language_of_the_prompt() {
        let text = "“{}” was not understood.";
        assert_eq!(
            message(text, "mach was", "mach bitte die Überschrift schöner"),
            "„mach was“ habe ich nicht verstanden."
        );
        assert_eq!(message(text, "x", "make it nice"), "“x” was not understood.");
        assert_eq!(message(text, "見出しを", "見出しをもっといい感じに"), "「見出しを」は理解できませんでした。");
    }

    /// Checks that every translation is read as the same ops as the English prompt.
    #[test]
    fn offers_are_read_as_the_english_ones() {
        assert!(ROWS.iter().all(|row| row.len() == LANGUAGES.len()), "{:?}", ROWS.iter().find(|r| r.len() != 9));
        let pages = ["slide", "list", "tiles", "stat", "recap", "bars"].map(page);
        let mut wrong = Vec::new();
        for row in ROWS.iter().filter(|row| !row[0].contains(GAP)) {
            let Some((target, own)) = pages.iter().find_map(|page| {
                let target = target(page, None);
                let own = read(row[0], &target).ok()?;
                Some((target, own))
            }) else {
                wrong.push(format!("{}: read on no page", row[0]));
                continue;
            };
            for translated in &row[1..] {
                let same = read(translated, &target).is_ok_and(|read| read.ops == own.ops && !read.partial);
                if !same {
                    wrong.push(format!("{}: {translated}", row[0]));
                }
            }
        }
        assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n"));
    }
}
