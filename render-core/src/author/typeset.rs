//! Typography of an author's words: the quotation marks and spaces of the language.

use crate::content::Language;
use crate::text::polish;
use crate::tree::{Kind, Node, Tree};

/// Quotation marks that may already surround a quotation.
const QUOTES: &str = "\"“”„‟«»‹›「」『』";
/// Languages without a space before a percent sign.
const CLOSED: [&str; 15] = ["el", "en", "he", "hi", "id", "it", "ja", "ko", "nl", "pl", "pt", "th", "uk", "vi", "zh"];
/// Elements whose words are left unchanged.
const PLAIN: [&str; 3] = ["code", "terminal", "qr"];

/// Applies the typographic rules of its language to the words of a page.
pub(super) fn typeset(tree: &mut Tree, language: &Language) {
    node(&mut tree.root, language);
}

fn node(of: &mut Node, language: &Language) {
    if PLAIN.contains(&of.name()) {
        return;
    }
    for run in &mut of.words {
        run.text = percents(&spaced(&run.text, |text| polish(text, language)), language);
    }
    if of.name() == "quote" && !of.words.is_empty() {
        quoted(of, language);
    }
    let element = of.element;
    let is_words = |name: &str| element.attribute(name).is_some_and(|a| a.kind == Kind::Words);
    for (_, value) in of.attributes.iter_mut().filter(|(name, _)| is_words(name)) {
        *value = percents(&polish(value, language), language);
    }
    of.children.iter_mut().for_each(|child| node(child, language));
}

/// Removes the space before percent signs in languages without one, according to CLDR's percent patterns.
fn percents(text: &str, language: &Language) -> String {
    if !CLOSED.contains(&language.primary()) || !text.contains('%') {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        let bare = out.trim_end_matches([' ', '\u{a0}', '\u{202f}']);
        if c == '%' && bare.ends_with(|digit: char| digit.is_numeric()) {
            out.truncate(bare.len());
        }
        out.push(c);
    }
    out
}

/// Applies `change` to a text without the spaces at its ends.
fn spaced(text: &str, change: impl FnOnce(&str) -> String) -> String {
    let bare = text.trim_matches(' ');
    let front = text.len() - text.trim_start_matches(' ').len();
    let (before, after) = (&text[..front], &text[front + bare.len()..]);
    if bare.is_empty() { text.to_owned() } else { format!("{before}{}{after}", change(bare)) }
}

/// Adds the quotation marks of its language to a quotation without any.
fn quoted(of: &mut Node, language: &Language) {
    let text = of.text();
    if text.trim_start().starts_with(|c| QUOTES.contains(c)) {
        return;
    }
    let marked = polish(&format!("\"{}\"", text.trim()), language);
    let (Some(opens), Some(closes)) = (marked.split(text.trim()).next(), marked.rsplit(text.trim()).next()) else {
        return;
    };
    // The marks are added to existing runs, so that nothing else about these changes.
    if let Some(first) = of.words.first_mut() {
        first.text = format!("{opens}{}", first.text.trim_start());
    }
    if let Some(last) = of.words.last_mut() {
        last.text = format!("{}{closes}", last.text.trim_end());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elements::VOCABULARY;
    use crate::markup;

    fn set(page: &str, language: &str) -> String {
        let mut tree = markup::parse(page, &VOCABULARY).expect("a page");
        typeset(&mut tree, &language.parse().expect("a language"));
        markup::print(&tree)
    }

    #[test]
    fn words_get_the_marks_and_spaces_of_their_language() {
        let page = "<page><headline>Don't wait <em>10 Jahre</em> more</headline><text>\"So\" - now</text></page>";
        let text = set(page, "de");
        assert!(text.contains("Don’t wait <em>10 Jahre</em> more"), "{text}");
        assert!(text.contains("„So“ – now"), "{text}");
        let share = "<page><headline>over 95 % of <em>7 %</em></headline></page>";
        assert!(set(share, "en").contains("over 95% of <em>7%</em>"), "{}", set(share, "en"));
        assert!(set(share, "de").contains("95\u{a0}%"), "{}", set(share, "de"));
        let code = "<page><headline>x</headline><terminal>$ echo \"a\" -- b</terminal></page>";
        assert!(set(code, "de").contains("$ echo \"a\" -- b"));
    }

    #[test]
    fn quotations_stand_in_marks() {
        let quote = |words: &str, language: &str| set(&format!("<page><quote>{words}</quote></page>"), language);
        assert!(quote("So it is.", "en").contains(">“So it is.”<"));
        assert!(quote("“So it is.”", "en").contains(">“So it is.”<"));
        assert!(quote("So <em>ist</em> es", "de").contains(">„So <em>ist</em> es“<"));
        assert!(
            quote("C’est ça", "fr").contains(">«\u{202f}C’est ça\u{202f}»<")
                || quote("C’est ça", "fr").contains("«\u{a0}C’est")
        );
    }
}
