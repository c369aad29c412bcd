//! Measures which words of a document that is set verbatim are missing from its pages.

use super::said::Said;
use super::{Copy, Outline, PageOutline};
use crate::cancel;
use crate::content::{Document, guard};

/// Returns the number of characters of a verbatim document, its title and each of its sentences, that `texts` don't
/// contain, compared letter by letter.
pub fn left_out<'t>(document: &Document, texts: impl Iterator<Item = &'t str>) -> usize {
    let mut said = Said::default();
    texts.for_each(|text| said.push(guard::folded(text)));
    let words = document.sentences.iter().chain([&document.title]).inspect(|_| cancel::tick());
    let missing = words.filter(|w| !said.holds(&guard::folded(&w.text).collect::<String>()));
    missing.map(|w| w.text.chars().count()).sum()
}

impl Outline {
    /// Returns the fullest wording of all its words.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.pages.iter().flat_map(PageOutline::texts)
    }
}

impl PageOutline {
    /// Returns the fullest wording of all its words.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        let figure = self.figure.iter().flat_map(|f| [f.value.as_str(), f.unit.as_str()]);
        self.copies().filter_map(Copy::fullest).chain(figure)
    }
}

impl Copy {
    fn fullest(&self) -> Option<&str> {
        self.wordings.first().map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::{ReadOptions, read_text_with};

    #[test]
    fn what_no_page_says_is_counted() {
        let options = ReadOptions { exact: true, ..ReadOptions::default() };
        let text = "# Tides\n\nThe sea rises twice a day.\n\n- Spring tides\n- Neap tides\n- Slack water\n";
        let document = read_text_with(text, &options).unwrap();
        let all = ["Tides", "The sea rises\ntwice a day", "Spring tides", "Neap tides", "SLACK water!"];
        assert_eq!(left_out(&document, all.into_iter()), 0);
        assert_eq!(left_out(&document, all.into_iter().filter(|t| *t != "Neap tides")), "Neap tides".len());
        assert!(left_out(&document, ["Tides"].into_iter()) > 40);
    }
}
