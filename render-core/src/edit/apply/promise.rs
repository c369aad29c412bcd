//! Compares the number of items that a page promises ("5 habits that last") with the number of items it has.

use crate::content::number;
use crate::design::{Page, Part, SlotId};

use super::super::read::number_word;

/// Returns a note for each text that still promises the old number of items.
pub(super) fn broken(before: &Page, after: &Page) -> Vec<String> {
    let (had, has) = (before.item_count(), after.item_count());
    if had == has || had == 0 || has == 0 {
        return Vec::new();
    }
    let texts = [(SlotId::Title, Part::Headline), (SlotId::Body, Part::Supporting)];
    let still = texts.into_iter().filter_map(|(slot, part)| {
        let said = promised(after.text(slot)?, had, after.locale.language.primary())?;
        let were = if has == 1 { "there is 1 now".to_owned() } else { format!("there are {has} now") };
        Some(format!("The {} still says “{said}”, and {were}.", part.name()))
    });
    still.collect()
}

/// Returns how a text writes the number `count`, in digits or in words. Measures and shares ("5 %", "5.5", "1 in 5")
/// don't count.
fn promised<'t>(text: &'t str, count: usize, language: &str) -> Option<&'t str> {
    let digits = number::all(text).into_iter().find(|n| {
        let whole = matches!(n.values.as_slice(), [value] if (*value - count as f64).abs() < 1e-9);
        let behind = text.get(n.range.end..).unwrap_or_default().trim_start_matches([' ', '\u{a0}']);
        whole && behind.starts_with(char::is_alphabetic)
    });
    if let Some(said) = digits {
        return text.get(said.range).map(str::trim);
    }
    let mut words = text.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty());
    words.find(|word| number_word(word, language).is_some_and(|n| usize::from(n) == count))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_things_are_found_and_measures_are_not() {
        assert_eq!(promised("5 habits that last", 5, "en"), Some("5"));
        assert_eq!(promised("Five habits that last", 5, "en"), Some("Five"));
        assert_eq!(promised("Vier Pflanzen", 4, "de"), Some("Vier"));
        assert_eq!(promised("5 habits that last", 4, "en"), None);
        assert_eq!(promised("Save 5 % of water", 5, "en"), None);
        assert_eq!(promised("Fives and tens", 5, "en"), None);
        // "To" is 2 in Norwegian, and "hat" 6 in Hungarian.
        assert_eq!(promised("To vaner", 2, "no"), Some("To"));
        assert_eq!(promised("How to wear a hat", 2, "en"), None);
        assert_eq!(promised("How to wear a hat", 6, "en"), None);
    }
}
