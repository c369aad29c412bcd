//! Extracts the words of a text that indicate its language: addresses, handles and hashtags are removed, and headline
//! capitals become lower case.

use icu_normalizer::ComposingNormalizerBorrowed;

/// Maximum characters of a text that are examined.
const SAMPLE_CHARS: usize = 6_000;
const ADDRESSES: [&str; 3] = ["http://", "https://", "www."];

/// Returns the words at the beginning of `text` in Unicode's composed form, each between two spaces. A text that
/// consists only of addresses and tags is kept.
pub(super) fn plain(text: &str) -> String {
    let sample: String = text.chars().filter(|c| !c.is_control() || c.is_whitespace()).take(SAMPLE_CHARS).collect();
    let mut out = String::with_capacity(sample.len() + 2);
    out.push(' ');
    for token in sample.split_whitespace() {
        push_words(token, &mut out);
        if !out.ends_with(' ') {
            out.push(' ');
        }
    }
    if !out.contains(char::is_alphabetic) {
        out = format!(" {sample} ");
    }
    if is_mostly_capitalised(&out) {
        out = out.to_lowercase();
    }
    ComposingNormalizerBorrowed::new_nfc().normalize(&out).into_owned()
}

/// Appends a token without its addresses, handles and hashtags.
fn push_words(token: &str, out: &mut String) {
    let mut rest = token;
    while !rest.is_empty() {
        let address =
            ADDRESSES.iter().any(|start| rest.get(..start.len()).is_some_and(|s| s.eq_ignore_ascii_case(start)));
        let end = |is_part: fn(char) -> bool| rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let skipped = if address {
            // In scripts without spaces the sentence continues directly after the address.
            end(|c| c.is_ascii_graphic() && !matches!(c, ')' | ']' | '>' | '"'))
        } else if rest.starts_with(['#', '@']) {
            // An @ is followed by a handle or a host.
            let marks = if rest.starts_with('@') { "_.-" } else { "_" };
            1 + rest[1..].find(|c: char| !c.is_alphanumeric() && !marks.contains(c)).unwrap_or(rest.len() - 1)
        } else {
            let word = end(is_of_mailbox);
            // The local part of a mail address is skipped like the part after the @.
            if word > 0 && rest[word..].starts_with('@') { word } else { 0 }
        };
        if skipped > 0 {
            out.push(' ');
            rest = &rest[skipped..];
            continue;
        }
        let end = next_start(rest);
        out.push_str(&rest[..end]);
        rest = &rest[end..];
    }
}

/// Returns the length of `rest` up to the next place where an address, a handle, a hashtag or a mail address may
/// start.
fn next_start(rest: &str) -> usize {
    let mut before = rest.chars().next().unwrap_or(' ');
    for (at, c) in rest.char_indices().skip(1) {
        // No address starts within a local part, so each character is examined at most a few times.
        if is_of_mailbox(c) && !is_of_mailbox(before) || matches!(c, '#' | '@') {
            return at;
        }
        before = c;
    }
    rest.len()
}

/// Whether a character is allowed in the local part of a mail address.
fn is_of_mailbox(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-' | '+')
}

/// Whether at least 60 % of the words begin with a capital, as in a headline or a text in capitals.
fn is_mostly_capitalised(text: &str) -> bool {
    let words = text.split(|c: char| !c.is_alphabetic()).filter_map(|word| word.chars().next());
    let (mut cased, mut capitals) = (0_usize, 0_usize);
    for first in words {
        cased += usize::from(first.is_lowercase() || first.is_uppercase());
        capitals += usize::from(first.is_uppercase());
    }
    cased >= 2 && capitals * 5 >= cased * 3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_tags_are_left_out() {
        for (text, words) in [
            ("See https://example.org/a?b=c for more", "See for more"),
            ("(https://example.org) www.example.org yes", "( ) yes"),
            ("详情见https://example.org，谢谢", "详情见 ，谢谢"),
            ("Write to anna.b@example.org today", "Write to today"),
            ("@anna #sale2026 now #größe", "now"),
            ("C# and it’s well-known", "C and it’s well-known"),
            ("e\u{301}te\u{301}", "été"),
            ("#größe @anna", "#größe @anna"),
            ("", ""),
        ] {
            let found: Vec<String> = plain(text).split_whitespace().map(str::to_owned).collect();
            assert_eq!(found.join(" "), words, "{text}");
        }
    }

    #[test]
    fn headline_capitals_are_lowered() {
        assert_eq!(plain("THE KEEPER"), " the keeper ");
        assert_eq!(plain("The Keeper of the Lamp"), " the keeper of the lamp ");
        assert_eq!(plain("The keeper of the lamp"), " The keeper of the lamp ");
        assert_eq!(plain("Berlin"), " Berlin ");
    }
}
