//! Repeats the edits of an earlier page on the page that replaces it.
//!
//! [`PastEdits`] collects the edits of a page as clauses of the instruction grammar. [`carry`] applies them to another
//! page, one after the other, and reports those that can't be applied there.

use serde::{Deserialize, Serialize};
use unicode_segmentation::UnicodeSegmentation;

use crate::compose::Correction;
use crate::design::{Page, SlotId};

use super::instruction::clause;
use super::{Applied, ApplyError, Instruction, Op, Target, apply};

/// The share of one page's words, in hundredths, that the other must contain for the two to count as the same page.
const SAME_WORDS: usize = 60;
/// The most characters of a clause in a report.
const CLAUSE_CHARS: usize = 120;

/// The edits of a page, oldest first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PastEdits {
    /// The words of the page before its first edit.
    pub said: String,
    /// The edits, as clauses of refined instructions.
    pub clauses: Vec<String>,
    /// Edits that no clause expresses, in a few words each.
    pub lost: Vec<String>,
}

/// A page with the edits of an earlier page.
#[derive(Debug, Clone)]
pub struct Carried {
    /// The page.
    pub page: Page,
    /// The number of edits that were applied.
    pub kept: usize,
    /// The edits that could not be applied: each edit and the reason, in a few words.
    pub lost: Vec<String>,
}

impl PastEdits {
    /// Creates an empty list of edits for a page whose first version is `first`.
    pub fn of(first: &Page) -> Self {
        Self { said: words(first), ..Self::default() }
    }

    /// Returns whether the page has no edits.
    pub fn is_empty(&self) -> bool {
        self.clauses.is_empty() && self.lost.is_empty()
    }

    /// Adds the edits of a refined instruction. Returns false and adds nothing if the instruction composes the whole
    /// page or is not in the grammar. The caller then compares the pages before and after it
    /// ([`PastEdits::add_difference`]).
    pub fn add(&mut self, instruction: &str) -> bool {
        let Ok(Instruction { ops, .. }) = Instruction::parse(instruction) else { return false };
        if ops.iter().any(|op| matches!(op, Op::Page(_))) {
            return false;
        }
        self.clauses.extend(ops.iter().map(clause));
        true
    }

    /// Returns the pictures that the edits placed on the page: the address of each and the key of its stored file.
    pub fn pictures(&self) -> Vec<(String, String)> {
        let ops = self.clauses.iter().flat_map(|text| Instruction::parse_clauses(text).unwrap_or_default());
        let named = ops.filter_map(|op| match op {
            Op::Picture { url, key: Some(key) } => Some((url, key)),
            _ => None,
        });
        named.collect()
    }

    /// Adds the difference between two versions of a page. Changed words become replacements; all else is recorded as
    /// lost.
    pub fn add_difference(&mut self, before: &Page, after: &Page) {
        for slot in &before.slots {
            let now = after.text(slot.id).unwrap_or_default();
            if now != slot.text {
                self.clauses.push(clause(&Op::Replace { from: slot.text.clone(), to: now.to_owned() }));
            }
        }
        for slot in after.slots.iter().filter(|slot| before.text(slot.id).is_none()) {
            self.lost.push(format!("the added text “{}”", shortened(&slot.text)));
        }
        let only_words = before.slide == after.slide && Correction::between(before, after).is_some();
        if !only_words && without_slide(before) != without_slide(after) {
            self.lost.push("the layout and look that were set on the page itself".to_owned());
        }
    }
}

/// Returns a page without the fields that depend on its slide number or are derived from its words.
fn without_slide(page: &Page) -> Page {
    Page { slide: None, alt_text: String::new(), warnings: Vec::new(), sameness: None, ..page.clone() }
}

/// Applies `past` edits to the page of `target`. With `anew`, the page gets a new look, so edits of style, layout,
/// colour scheme, ground and art are skipped and reported as lost.
pub fn carry(past: &PastEdits, anew: bool, target: &Target<'_>) -> Carried {
    let mut carried = Carried { page: target.page.clone(), kept: 0, lost: past.lost.clone() };
    let says_the_same = says_most_of(target.page, &past.said);
    for op in last_of_each(past.clauses.iter().flat_map(|text| Instruction::parse_clauses(text).unwrap_or_default())) {
        let has_place = says_the_same || is_headline(&op) && has_headline_of(target.page, &past.said);
        let why = if is_about_words(&op) && !has_place {
            "the slide says something else now".to_owned()
        } else if anew && decides_look(&op) {
            "the new look decides it".to_owned()
        } else {
            match applied(&op, &carried.page, target) {
                Ok(page) => {
                    (carried.page, carried.kept) = (page, carried.kept + 1);
                    continue;
                }
                Err(ApplyError(why)) => why,
            }
        };
        carried.lost.push(format!("{} ({})", shortened(&clause(&op)), why.trim_end_matches('.')));
    }
    carried
}

/// Returns the page with one more op applied.
fn applied(op: &Op, page: &Page, target: &Target<'_>) -> Result<Page, ApplyError> {
    let now = Target::new(page, target.version, target.brand, target.fonts).with_pictures(target.pictures);
    let Applied { page: after, .. } = apply(std::slice::from_ref(op), &now)?;
    match op {
        Op::Replace { from, .. } if after == *page => {
            Err(ApplyError(format!("the slide doesn't say “{}”", shortened(from))))
        }
        _ => Ok(after),
    }
}

/// Removes the ops that a later op with the same key overrides.
fn last_of_each(ops: impl Iterator<Item = Op>) -> Vec<Op> {
    let ops: Vec<Op> = ops.collect();
    let keys: Vec<Option<String>> = ops.iter().map(Op::key).collect();
    let is_last = |n: usize| keys[n].is_none() || !keys[n + 1..].contains(&keys[n]);
    let last: Vec<bool> = (0..ops.len()).map(is_last).collect();
    ops.into_iter().zip(last).filter_map(|(op, last)| last.then_some(op)).collect()
}

/// Returns whether a page contains at least [`SAME_WORDS`] per cent of some words, or they that share of the page's: a
/// design with less room leaves words out, and one with more adds some.
fn says_most_of(page: &Page, said: &str) -> bool {
    let now = words(page).to_lowercase();
    let now: Vec<&str> = now.unicode_words().collect();
    let said = said.to_lowercase();
    let said: Vec<&str> = said.unicode_words().collect();
    let most = |of: &[&str], within: &[&str]| {
        let found = of.iter().filter(|word| within.contains(word)).count();
        found * 100 >= of.len() * SAME_WORDS
    };
    most(&said, &now) || !now.is_empty() && most(&now, &said)
}

/// Returns all words of a page.
fn words(page: &Page) -> String {
    page.slots.iter().map(|slot| slot.text.as_str()).collect::<Vec<_>>().join(" ")
}

/// Returns whether an op changes the headline.
fn is_headline(op: &Op) -> bool {
    matches!(op, Op::Words { slot: SlotId::Title, .. })
}

/// Returns whether the headline of a page is among some words: designs of one text share it, whatever else they show.
fn has_headline_of(page: &Page, said: &str) -> bool {
    page.text(SlotId::Title).is_some_and(|title| !title.is_empty() && said.contains(title))
}

/// Returns whether an op applies only to a page with the same words.
fn is_about_words(op: &Op) -> bool {
    match op {
        Op::Words { .. } | Op::Items(_) | Op::Stress { .. } | Op::Icons(_) | Op::Highlight(_) | Op::Drawing(_) => true,
        Op::Element(change) => !change.is_general(),
        _ => false,
    }
}

/// Returns whether an op sets something that a new look decides.
fn decides_look(op: &Op) -> bool {
    matches!(op, Op::Style(_) | Op::Scheme(_) | Op::Ground(_) | Op::Art { .. } | Op::Layout(_))
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(CLAUSE_CHARS) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::{Style, Template};
    use crate::format::Format;
    use crate::plan::specimens::specimen;
    use crate::text::Fonts;

    fn page(seed: u64, fonts: &Fonts) -> Page {
        let template = Template::all().find(|t| t.name() == "point-plain").or_else(|| Template::all().next()).unwrap();
        specimen(template, Style::MODERN, Format::by_id("instagram_post").unwrap().id, seed, fonts).unwrap()
    }

    fn edited(page: &Page, instruction: &str, fonts: &Fonts) -> Page {
        let ops = Instruction::parse(instruction).unwrap().ops;
        apply(&ops, &Target::new(page, 1, None, fonts)).unwrap().page
    }

    #[test]
    fn edits_that_have_their_place_are_made_again() {
        let fonts = Fonts::new();
        let (old, new) = (page(3, &fonts), page(4, &fonts));
        let mut past = PastEdits::of(&old);
        assert!(past.is_empty());
        assert!(past.add("On version 1: set the headline to “Rest”; set the accent colour to #cc0044"));
        assert!(past.add("On version 2: set the headline to “Rest first”; set the style to dark"));
        let Carried { page, kept, lost } = carry(&past, true, &Target::new(&new, 1, None, &fonts));
        assert_eq!(page.text(SlotId::Title), Some("Rest first"));
        assert_eq!(kept, 2, "the first headline is void: {lost:?}");
        assert_eq!((page.style, lost.len()), (Style::MODERN, 1));
        assert!(lost[0].contains("the new look decides it"), "{lost:?}");
    }

    #[test]
    fn words_have_no_place_on_a_page_that_says_something_else() {
        let fonts = Fonts::new();
        let new = page(4, &fonts);
        let past = PastEdits {
            said: "An entirely different subject with none of those terms".to_owned(),
            clauses: vec!["set the headline to “Rest first”".to_owned()],
            lost: vec!["the added text “x”".to_owned()],
        };
        let carried = carry(&past, false, &Target::new(&new, 1, None, &fonts));
        assert_eq!((carried.kept, carried.page == new, carried.lost.len()), (0, true, 2));
    }

    #[test]
    fn a_page_with_fewer_of_the_words_is_the_same() {
        let fonts = Fonts::new();
        let new = page(4, &fonts);
        let said = format!("{} {}", words(&new), "and three times as many other words of the text ".repeat(9));
        assert!(says_most_of(&new, &said) && says_most_of(&new, &words(&new)));
        assert!(!says_most_of(&new, &"entirely different terms ".repeat(9)));
    }

    #[test]
    fn a_headline_is_changed_wherever_it_stands() {
        let fonts = Fonts::new();
        let new = page(4, &fonts);
        let past = PastEdits {
            said: format!("{} {}", new.text(SlotId::Title).unwrap(), "entirely different terms ".repeat(9)),
            clauses: vec!["set the headline to “Rest first”".to_owned()],
            lost: Vec::new(),
        };
        let carried = carry(&past, true, &Target::new(&new, 1, None, &fonts));
        assert_eq!((carried.kept, carried.page.text(SlotId::Title)), (1, Some("Rest first")), "{:?}", carried.lost);
    }

    #[test]
    fn words_that_were_changed_on_the_page_itself_are_replaced() {
        let fonts = Fonts::new();
        let (old, new) = (page(3, &fonts), page(4, &fonts));
        let title = old.text(SlotId::Title).unwrap().to_owned();
        let after = edited(&old, "On version 1: set the headline to “Rest first”", &fonts);
        let mut past = PastEdits::of(&old);
        assert!(!past.add("new slide like …"), "no instruction of the grammar");
        past.add_difference(&old, &after);
        assert_eq!(past.clauses, [clause(&Op::Replace { from: title, to: "Rest first".into() })]);
        assert_eq!(past.lost, Vec::<String>::new());
        let carried = carry(&past, true, &Target::new(&new, 1, None, &fonts));
        assert_eq!(carried.page.text(SlotId::Title), Some("Rest first"));
        // A second time there is nothing to replace.
        let again = carry(&past, true, &Target::new(&carried.page, 1, None, &fonts));
        assert_eq!((again.kept, again.lost.len()), (0, 1));
    }
}
