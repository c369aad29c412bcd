//! Extracts the words that clauses put on a page, without the IDs, sizes and colours that they refer to.

use render_core::author;
use render_core::edit::{Instruction, MalformedInstruction, Op, Reshape};

/// Attributes that hold words or figures shown on the page.
const SAID: [&str; 16] = [
    "by",
    "unit",
    "series",
    "label",
    "note",
    "head",
    "said",
    "title",
    "stub",
    "stub-label",
    "initials",
    "value",
    "values",
    "total",
    "x",
    "y",
];

/// Returns the words that `clauses` put on a page, one text each. It excludes words that they remove, and the names of
/// elements.
///
/// # Errors
/// [`MalformedInstruction`].
pub(crate) fn added_texts(clauses: &str) -> Result<Vec<String>, MalformedInstruction> {
    let ops = Instruction::parse_clauses(clauses)?;
    Ok(ops.into_iter().flat_map(words).collect())
}

fn words(op: Op) -> Vec<String> {
    match op {
        Op::Words { to, .. } | Op::Replace { to, .. } => vec![to],
        Op::Items(items) => items.into_iter().flat_map(|item| [Some(item.head), item.body]).flatten().collect(),
        Op::Page(page) => author::lines(&page),
        Op::Element(Reshape::Put { element, .. }) => author::lines(&format!("<page>{element}</page>")),
        // Some attributes hold words: who said a quotation, the unit of a chart.
        Op::Element(Reshape::Give { name, value, .. }) if SAID.contains(&name.as_str()) => vec![value],
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_words_are_told() {
        let added = |clauses: &str| added_texts(clauses).expect("clauses");
        assert_eq!(
            added(
                "take away element “rule-1”; give every card the radius “6”; set the headline size to 150; \
                 move element “row-2” before element “item.0.head”; mark “9” in element “body-1” as bold"
            ),
            Vec::<String>::new()
        );
        assert_eq!(
            added("set the headline to “4 habits”; set the points to “A 1” with “B 2”, “C”; replace “7” by “8”"),
            ["4 habits", "A 1", "B 2", "C", "8"]
        );
        assert_eq!(
            added("put “<pill id=\"new-1\" fill=\"#ff0000\">Only 5 left</pill>” after element “title-2”"),
            ["Only 5 left"]
        );
        assert_eq!(added("give element “quote-1” the by “Ann, 34”"), ["Ann, 34"]);
        assert!(super::added_texts("make it 5 times nicer").is_err());
    }
}
