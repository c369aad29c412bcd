//! Statements about an order that several prompts share: the language, the purpose, the colours, how far the pages may go
//! beyond the source, and the source itself, between marks that its author can't know.

use std::fmt::Write;

use render_core::content::Language;
use render_core::design::{Background, Colours};

use super::order::Order;

/// Characters of a source that are shown to a model.
const SOURCE_CHARS: usize = 24_000;

/// States how far the pages may go beyond the source.
pub(super) fn licence(order: &Order<'_>) -> String {
    let Some(idea) = order.idea else { return "Say nothing that the source doesn't say.\n".to_owned() };
    format!(
        "The source is an idea of the kind {}. Develop it into content that is concrete, useful and commonly known to be true. \
         Make up no statistics, shares, prices, years, studies, people, quotations, addresses or codes; those of the idea \
         stand on the pages as it writes them. Charts need numbers of the idea: use none without. Numbers of an invented example are \
         allowed on a page that says “for example”.\n",
        idea.kind.name()
    )
}

/// States the language to write in.
pub(super) fn language(order: &Order<'_>) -> String {
    let named = |l: &Language| l.english_name().map_or_else(|| l.to_string(), |name| format!("{name} ({l})"));
    let (wanted, own) = (order.language, order.source_language);
    if wanted.primary() == own.primary() {
        format!("Write in {}.\n", named(wanted))
    } else {
        format!("The source is in {}. Translate: write in {} alone.\n", named(own), named(wanted))
    }
}

/// States the purpose of the pages in the client's words. They are quoted, because they are no instructions beyond
/// that.
pub(super) fn wishes(order: &Order<'_>) -> String {
    let wishes = order.wishes;
    let mut out = String::new();
    // Writing to a string can't fail.
    if let Some(audience) = &wishes.audience {
        let _ = writeln!(out, "The readers: {audience:?}. Choose what they need, and words that they use.");
    }
    if let Some(goal) = &wishes.goal {
        let _ = writeln!(
            out,
            "The goal: {goal:?}. The pages lead there and the last one names it, as far as the source bears it out; it is no \
             source of facts."
        );
    }
    if let Some(tone) = wishes.tone.as_deref().or(order.tone) {
        let _ = writeln!(out, "The tone of voice, which concerns the choice of words alone: {tone:?}.");
    }
    out
}

/// Returns the source between its marks.
pub(super) fn source(order: &Order<'_>) -> String {
    let mark = format!("SOURCE-{}", order.generation.simple());
    // The author of the source can't know the mark; if it occurs in the source all the same, it is removed.
    let source = shown(order.source).replace(&mark, "");
    format!("BEGIN {mark}\n{source}\nEND {mark}\n")
}

/// Returns the source; of a long one its beginning and end, where texts state their topic and conclusion.
fn shown(source: &str) -> String {
    if source.chars().count() <= SOURCE_CHARS {
        return source.to_owned();
    }
    let paragraphs: Vec<&str> = source.split('\n').collect();
    let front = within(paragraphs.iter(), SOURCE_CHARS * 2 / 3);
    let back = within(paragraphs[front..].iter().rev(), SOURCE_CHARS / 3);
    if front == 0 {
        return source.chars().take(SOURCE_CHARS).collect();
    }
    [&paragraphs[..front], &paragraphs[paragraphs.len() - back..]].concat().join("\n")
}

/// Returns how many paragraphs fit into `most` characters.
fn within<'p, 's: 'p>(paragraphs: impl Iterator<Item = &'p &'s str>, most: usize) -> usize {
    let mut left = most;
    let fits = |paragraph: &&str| match left.checked_sub(paragraph.chars().count() + 1) {
        Some(rest) => {
            left = rest;
            true
        }
        None => false,
    };
    paragraphs.copied().take_while(fits).count()
}

/// Describes the colours of an order's pages to a model that draws with them.
pub(super) fn palette(order: &Order<'_>) -> String {
    let colours = Colours { style: order.look.style, seed: order.seed, brand: order.brand, scheme: order.look.scheme };
    let grounds = Background::ALL.map(|background| {
        let p = colours.on(background);
        format!(
            "field {}: ground {}, ink {}, accent {}",
            background.name(),
            p.bg.to_hex(),
            p.ink.to_hex(),
            p.accent.to_hex()
        )
    });
    let art = colours.on(Background::Base).art;
    let art: Vec<String> = (1..).zip(art).map(|(n, c)| format!("art{n} {}", c.to_hex())).collect();
    format!("Its colours: {}; {}.\n", grounds.join("; "), art.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_source_is_shown_from_both_ends() {
        assert_eq!(shown("Short."), "Short.");
        let long: String = (0..4_000).map(|n| format!("Paragraph {n}.\n")).collect();
        let seen = shown(&long);
        assert!(seen.chars().count() <= SOURCE_CHARS && seen.chars().count() > SOURCE_CHARS * 9 / 10);
        assert!(
            seen.starts_with("Paragraph 0.") && seen.contains("Paragraph 3999.") && !seen.contains("Paragraph 2000.")
        );
        assert_eq!(shown(&"x".repeat(90_000)).len(), SOURCE_CHARS);
    }
}
