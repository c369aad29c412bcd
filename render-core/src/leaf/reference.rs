//! The reference page of the language, with its examples.

use crate::{elements, markup};

macro_rules! files {
    ($($title:literal $name:literal)+) => {
        [$(($title, include_str!(concat!("../../assets/pages/examples/", $name, ".xml")))),+]
    };
}

/// Example pages with their titles. Together they show every element.
pub const EXAMPLES: [(&str, &str); 10] = files![
    "A cover" "01-cover"
    "A contrast" "02-contrast"
    "A list" "03-list"
    "A figure" "04-figure"
    "Charts and a table" "05-charts"
    "A way in time" "06-way"
    "Diagrams" "07-system"
    "Devices" "08-devices"
    "A quotation" "09-people"
    "A drawing" "10-drawing"
];

/// Returns the reference page without examples, for a language model's prompt: at most 3,000 tokens.
pub fn reference() -> String {
    markup::reference(&elements::VOCABULARY, &[])
}

/// Returns the reference page with the examples, as in `docs/page-language.md`.
pub fn reference_page() -> String {
    markup::reference(&elements::VOCABULARY, &EXAMPLES)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// Upper limit for the tokens of the reference.
    const TOKENS: usize = 3_000;

    /// Estimates the tokens of a text; on such text, the result is close to the encodings of common models. A word
    /// counts as one token plus one for every eight further letters. A sign counts as one unless it usually joins a
    /// word.
    fn tokens(text: &str) -> usize {
        let mut count = 0;
        let mut word = 0;
        for c in text.chars() {
            if c.is_alphanumeric() {
                word += 1;
                continue;
            }
            count += usize::from(word > 0) + word / 8;
            word = 0;
            count += usize::from(!matches!(c, ' ' | '`' | '.' | ',' | '\n'));
        }
        count + usize::from(word > 0)
    }

    #[test]
    fn the_reference_fits_into_a_prompt() {
        let found = tokens(&reference());
        assert!(found <= TOKENS, "{found} tokens, {} characters", reference().len());
    }

    #[test]
    fn the_examples_show_every_element() {
        let trees: Vec<_> = EXAMPLES
            .iter()
            .flat_map(|(title, text)| crate::leaf::read(text).unwrap_or_else(|faults| panic!("{title}: {faults:?}")))
            .collect();
        let shown: HashSet<&str> = trees.iter().flat_map(|t| t.root.walk().map(|n| n.name())).collect();
        let missing: Vec<_> = elements::VOCABULARY.0.iter().map(|e| e.name).filter(|n| !shown.contains(n)).collect();
        assert!(missing.is_empty(), "no example shows {missing:?}");
    }
}
