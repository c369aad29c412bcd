//! Twenty basic edits in every language that pages are written in.

use super::tests::{page, target};
use super::*;
use crate::design::Page;
use crate::edit::Op;

/// Prompts by language: `[xx]`, then lines `number | prompt`.
static PROMPTS: &str = include_str!("prompts_everywhere.txt");

/// The edits in English, which the numbers count from 1.
const EDITS: [&str; 20] = [
    "Make the headline bigger",
    "Make the headline smaller",
    "Make the text bigger",
    "Change the headline to “Hello”",
    "Remove the supporting text",
    "Make the background blue",
    "Make the headline #d62828",
    "Remove the icons",
    "Centre the text",
    "More space",
    "Less space",
    "Use a dark background",
    "Use other colours",
    "Use the elegant style",
    "Remove the page number",
    "Remove the pattern",
    "Replace “Four” with “Five”",
    "Make the headline bolder",
    "Delete the last point",
    "Use another layout",
];

/// Prompts of a language that may be asked back: a question is better than a wrong edit.
const UNREAD_MOST: usize = 6;

/// What an edit, and a prompt, ask of the first of some pages that the edit can be asked of.
fn asked(edit: &str, prompt: &str, pages: &[Page]) -> (Vec<Op>, Option<Vec<Op>>) {
    let ops = |prompt: &str, page: &Page| read(prompt, &target(page, None)).ok().map(|asked| asked.ops);
    let found = pages.iter().find_map(|page| Some((ops(edit, page)?, page)));
    let (wanted, page) = found.unwrap_or_else(|| panic!("no page for {edit}"));
    (wanted, ops(prompt, page))
}

#[test]
fn basic_edits_are_understood_in_every_language() {
    let pages = ["list", "slide", "tiles", "recap", "stat"].map(page);
    let (mut wrong, mut languages, mut language) = (Vec::new(), Vec::new(), "");
    let mut unread: Vec<String> = Vec::new();
    for line in PROMPTS.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty()) {
        if let Some(code) = line.strip_prefix('[').and_then(|l| l.strip_suffix(']')) {
            language = code;
            languages.push(code);
            continue;
        }
        let (number, prompt) = line.split_once(" | ").unwrap_or_else(|| panic!("{line}"));
        let edit = EDITS[number.trim().parse::<usize>().unwrap_or_else(|_| panic!("{line}")) - 1];
        let (wanted, found) = asked(edit, prompt, &pages);
        match found {
            Some(found) if found == wanted => {}
            None => unread.push(format!("{language} {number} | {prompt}")),
            Some(found) => wrong.push(format!("{language} {number} | {prompt}: {found:?}")),
        }
    }
    assert!(wrong.is_empty(), "wrong:\n{}\nunread:\n{}", wrong.join("\n"), unread.join("\n"));
    for language in &languages {
        let missed = unread.iter().filter(|line| line.starts_with(language)).count();
        assert!(missed <= UNREAD_MOST, "{language}: {missed} are not understood\n{}", unread.join("\n"));
    }
    assert_eq!(
        languages.len(),
        35,
        "every language of the service but English, whose prompts stand in a list of their own"
    );
}
