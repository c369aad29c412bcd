//! Everyday wording: a table of patterns (`words/plain.txt`), each with the clause of the grammar that it stands for.
//!
//! A pattern matches a whole clause, or several clauses that follow each other. What it captures goes into the clause as the
//! prompt spells it.

mod rest;
mod said;
mod table;

use said::{Meant, Said};

pub(super) use said::OnPage;
pub(super) use table::List;

/// Marks a clause of the table, so that `partly` can rely on it. The character is invisible and never typed.
pub(super) const SURE: char = '\u{2060}';

/// A prompt in the words of the table.
pub(super) struct Plain {
    /// The prompt with clauses of the grammar.
    pub(super) prompt: String,
    /// Whether a clause holds words for the page, whose end no other reading knows.
    pub(super) open: bool,
}

/// A prompt with clauses of the grammar for those that the table has; `None` where it has none of them. Complaints are left
/// out where another clause says what to do.
pub(super) fn plain(prompt: &str, page: &OnPage) -> Option<Plain> {
    let found = Said::of(prompt, page).found();
    let strong = found.iter().any(|meant| !meant.pattern.weak);
    let (mut out, mut copied) = (String::new(), 0);
    for Meant { at, clause, pattern } in &found {
        out.push_str(prompt.get(copied..at.start)?);
        if !(pattern.weak && (strong || clause.is_empty())) {
            out.push(SURE);
            out.push_str(clause);
            // The stop of a sentence for the page parts the prompt as well.
            if prompt.get(at.clone()).is_some_and(|said| said.ends_with('.')) {
                out.push('.');
            }
        }
        copied = at.end;
    }
    out.push_str(prompt.get(copied..)?);
    let open = found.iter().any(|meant| meant.pattern.is_open());
    (!found.is_empty()).then_some(Plain { prompt: out, open })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_whole_clauses() {
        for (prompt, meant) in [
            ("number them 1 2 3 instead of the icons", Some("number the points")),
            ("way too busy, just lose those half circles pls", Some("way too busy, remove the decoration")),
            ("numera las razones del 1 al 6", Some("number the points")),
            ("“Key takeaways” instead of Recap", Some("replace “Recap” with “Key takeaways”")),
            ("way too much text, just keep the headline", Some(", remove the text below the headline")),
            ("number them by hand", None),
            ("make it blue", None),
        ] {
            let said = plain(prompt, &OnPage::default()).map(|said| said.prompt.replace(SURE, ""));
            assert_eq!(said.as_deref(), meant, "{prompt}");
        }
    }

    #[test]
    fn words_for_the_page_end_where_the_next_instruction_begins() {
        let page =
            OnPage { texts: vec!["FEC filters (in the app)".into(), "Water at dawn".into()], ..OnPage::default() };
        for (prompt, meant) in [
            ("headline should be Stop filing tickets and make it bold", "set the headline to “Stop filing tickets”"),
            ("the headline is too long, change it to Dig less. the font is ugly", "set the headline to “Dig less”"),
            ("filters should be filers, typo", "replace “filters” with “filers”"),
            ("instead of dawn write dusk, and a little sun icon", "replace “dawn” with “dusk”"),
            ("take out (in the app)", "remove the words “in the app”"),
            ("add a 4th point: Homework: read about rain", "add a point “Homework: read about rain”"),
            ("just keep: Water early, before the sun is up.", "reworded “Water early, before the sun is up.”"),
        ] {
            let said = plain(prompt, &page).map(|said| said.prompt).unwrap_or_default();
            let clause = said.split(SURE).nth(1).unwrap_or_default();
            assert!(clause.starts_with(meant), "{prompt}: {said}");
        }
        // What says how something is to look, or which words to find, is no text.
        for prompt in [
            "headline: bigger, red",
            "cut it to one sentence",
            "swap dawn for something neutral",
            "just keep the headline",
        ] {
            assert!(plain(prompt, &page).is_none_or(|said| !said.open), "{prompt}");
        }
    }
}
