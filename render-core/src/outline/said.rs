//! An index of what pages say, for repeated searches.

use std::collections::HashSet;

/// Length in bytes of the indexed substrings.
const STRETCH: usize = 8;

/// Texts by their letters, each apart from the next.
#[derive(Debug, Default)]
pub(super) struct Said {
    letters: String,
    /// Every stretch of `letters`: what holds another one needs no search through all of them.
    stretches: HashSet<[u8; STRETCH]>,
}

impl Said {
    /// Takes in the letters of one more text.
    pub fn push(&mut self, letters: impl Iterator<Item = char>) {
        let from = self.letters.len();
        self.letters.extend(letters);
        // Words don't run from one text into the next.
        self.letters.push('\n');
        self.stretches.extend(stretches(&self.letters[from..]));
    }

    /// Whether one of the texts holds these letters.
    pub fn holds(&self, letters: &str) -> bool {
        stretches(letters).all(|stretch| self.stretches.contains(&stretch)) && self.letters.contains(letters)
    }
}

fn stretches(text: &str) -> impl Iterator<Item = [u8; STRETCH]> {
    text.as_bytes().windows(STRETCH).filter_map(|window| window.first_chunk().copied())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn it_holds_what_a_text_holds(texts in "([a-c日]{0,14}\n){1,4}", asked in "[a-c日]{0,12}", at in 0_usize..40, len in 0_usize..20) {
            let mut said = Said::default();
            texts.lines().for_each(|text| said.push(text.chars()));
            // What is asked for is often a part of one of them.
            let part: String = texts.lines().next().unwrap_or("").chars().skip(at % 7).take(len).collect();
            for words in [asked, part] {
                let holds = texts.lines().any(|text| text.contains(&words));
                prop_assert_eq!(said.holds(&words), holds, "{:?} in {:?}", words, texts);
            }
        }
    }
}
