//! Determines the head of a list item: the words before a mark, the words set apart, or the first sentence.

use std::ops::Range;

use super::blocks::Clean;
use super::segment;
use super::words::{self, Words};

/// Maximum characters of the head of a list item.
pub(super) const HEAD: usize = 90;

/// Whether the words of an item up to `lead` are its head, rather than the emphasised part of a sentence. They are if
/// a mark or a line end separates them from the rest, or if a new sentence follows.
pub(super) fn is_head(clean: &Clean, lead: usize, lexicon: &Words) -> bool {
    let (head, rest) = clean.text.split_at(lead);
    let marks = [':', '：', '.', '。', '!', '！', '?', '？', '–', '—', '-', '|', '(', '（', '،', '।'];
    let rest = rest.trim_start();
    let line = clean.breaks.iter().any(|b| (lead..=lead + 1).contains(b));
    // German nouns are capitalised anywhere.
    let anew = lexicon.code != "de"
        && rest
            .chars()
            .find(|c| c.is_alphanumeric())
            .is_some_and(|c| c.is_uppercase() || !c.is_lowercase() && !words::is_unspaced(c));
    line || head.trim_end().ends_with(marks)
        || rest.starts_with(marks)
        || anew && !rest.starts_with([',', '，', '、', ';'])
}

/// Removes the conjunction that joins an item to the next one: "write it down; and".
pub(super) fn without_joint(head: &str) -> &str {
    let bare = [" and", " or", " und", " oder", " et", " ou", " y", " o", " e", " en", " и", " или"]
        .into_iter()
        .find_map(|joint| head.strip_suffix(joint).filter(|rest| rest.ends_with([';', ','])))
        .unwrap_or(head);
    bare.trim_end_matches([';', ',', ' '])
}

/// Splits "Head: body", "Head – body", or a first sentence and the rest.
pub(super) fn split_head(text: &str, lexicon: &Words) -> (Range<usize>, Range<usize>) {
    let sentences = segment::sentences(text, lexicon);
    let first = sentences.first().cloned().unwrap_or(0..text.len());
    let short = |at: usize| (2..=HEAD / 2).contains(&text[..at].chars().count());
    // Two dashes enclose an aside within the sentence: "Show how teams — even small ones — can test".
    let dashes = |text: &str| [" – ", " — ", " - "].iter().map(|dash| text.matches(dash).count()).sum::<usize>();
    let one_dash = dashes(&text[first.clone()]) == 1;
    let cut = text[first.clone()].char_indices().find_map(|(i, c)| {
        let at = first.start + i;
        let spaced = text[at + c.len_utf8()..].starts_with(' ');
        let colon = c == ':' && spaced;
        let dash = one_dash && matches!(c, '–' | '—' | '-') && spaced && text[..at].ends_with(' ');
        ((colon || dash) && short(at)).then_some((at, at + c.len_utf8()))
    });
    match cut {
        Some((head, rest)) if !text[rest..].trim().is_empty() => (0..head, rest..text.len()),
        _ => (first.clone(), first.end..text.len()),
    }
}
