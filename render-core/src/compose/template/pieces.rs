//! A sentence in pieces: what leads it, and the words around that.

use std::ops::Range;

use minijinja::Value;

use crate::content::{Language, enclosed, stated};
use crate::design::Slot;

/// Most characters before or after the figure of a sentence.
const AROUND: usize = 210;

/// Returns a slot's words in pieces: the figure of its sentence or the clause of its claim (`key`, with `chars`, and
/// whether it is a `figure`), and the words `before` it (with `before_chars`) and `after` it, which may be empty. Returns
/// none if there is no such part, or if its script has no spaces: joined pieces have one between them.
pub(super) fn clauses(slot: &Slot, claim: Option<Range<usize>>, language: &Language) -> Value {
    let text = slot.text.as_str();
    let found = stated(text, language.primary()).filter(|_| slot.emphasis.is_empty());
    let found = found.filter(|key| {
        let around = text[..key.start].chars().count().max(text[key.end..].chars().count());
        (1..=AROUND).contains(&around)
    });
    let figure = found.is_some();
    let Some(mut key) = found.or(claim) else { return Value::from(()) };
    // A dash opens the words after it; a headline doesn't end in one.
    let bare = text[key.clone()].trim_end_matches(['–', '—']);
    if bare.ends_with(' ') {
        key.end = key.start + bare.trim_end().len();
    }
    let (before, after) = (&text[..key.start], &text[key.end..]);
    // A headline doesn't end within a quotation.
    let cut = enclosed(text, false).iter().any(|quoted| quoted.start < key.end && key.end < quoted.end);
    if cut {
        return Value::from(());
    }
    let spaced = (before.is_empty() || before.ends_with(' ')) && (after.is_empty() || after.starts_with(' '));
    if !spaced || text.contains('\n') {
        return Value::from(());
    }
    Value::from_pairs([
        ("before", Value::from(escaped(before.trim_end()))),
        ("key", Value::from(escaped(&text[key.clone()]))),
        ("after", Value::from(escaped(after.trim_start()))),
        ("chars", Value::from(text[key].chars().count())),
        ("before_chars", Value::from(before.chars().count())),
        ("figure", Value::from(figure)),
    ])
}

/// Escapes words for elements and attributes in the text of a page.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::claim;
    use crate::design::SlotId;

    #[test]
    fn a_sentence_splits_at_the_clause_of_its_claim() {
        let pieces = |text: &str, code: &str| {
            let language = Language::parse(code).expect("a language");
            let slot = Slot { id: SlotId::Body, text: text.to_owned(), span: None, emphasis: Vec::new() };
            let found = clauses(&slot, claim(text, &language), &language);
            ["before", "key", "after"].map(|name| found.get_attr(name).map(|v| v.to_string()).unwrap_or_default())
        };
        assert_eq!(
            pieces("When it rains, the boats stay in, because the \"mole\" is wet.", "en"),
            ["When it rains,", "the boats stay in,", "because the &quot;mole&quot; is wet."]
        );
        assert_eq!(
            pieces("For crews, no boat may leave the harbour in the fog — the mole is wet.", "en"),
            ["For crews,", "no boat may leave the harbour in the fog", "— the mole is wet."]
        );
        assert_eq!(
            pieces("By now the crews of the town have mended more than 34 boats for their neighbours.", "en"),
            ["By now the crews of the town have mended more than", "34", "boats for their neighbours."]
        );
        let quoted = "As the master said, the boats “stay where they are, from the first of May to the last of June.”";
        assert_eq!(pieces(quoted, "en")[1], "");
        assert_eq!(pieces("Boats stay in the harbour.", "en")[1], "");
        // Pieces are joined with spaces, which this script doesn't have.
        assert_eq!(pieces("雨が降ったら、船はすべて港にとどまります。", "ja")[1], "");
    }
}
