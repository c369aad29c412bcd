//! Classifies words: addresses, numbers, units. Line breaking keeps them together, and clean-up leaves them unchanged.

/// Returns whether `c` is punctuation that may surround a word without being part of it.
pub(super) fn is_wrapper(c: char) -> bool {
    matches!(
        c,
        '"' | '\''
            | '“'
            | '”'
            | '„'
            | '‟'
            | '‘'
            | '’'
            | '‚'
            | '«'
            | '»'
            | '‹'
            | '›'
            | '「'
            | '」'
            | '『'
            | '』'
    ) || matches!(c, '(' | ')' | '[' | ']')
        || matches!(c, ',' | ';' | ':' | '!' | '?' | '…' | '.')
}

/// Returns whether `c` is a quotation mark that opens in some language.
pub(super) fn is_opening_quote(c: char) -> bool {
    matches!(c, '“' | '„' | '«' | '»' | '‹' | '‘' | '‚' | '"')
}

/// Returns whether `token` (without white space) is a URL, a domain, an e-mail address or a handle.
pub(super) fn is_address(token: &str) -> bool {
    let core = token.trim_matches(is_wrapper);
    if core.contains("://") || core.starts_with("www.") || core.starts_with('#') {
        return true;
    }
    if core.contains('@') {
        return core.len() > 1;
    }
    let host = core.split(['/', '?', ':']).next().unwrap_or(core);
    let Some((rest, last)) = host.rsplit_once('.') else { return false };
    last.len() >= 2
        && last.chars().all(|c| c.is_ascii_lowercase())
        && rest.split('.').all(|l| l.chars().count() >= 2 && l.chars().all(|c| c.is_alphanumeric() || c == '-'))
}

/// Returns the ranges of site addresses in a text, without surrounding punctuation; handles and e-mail addresses are
/// excluded.
pub fn addresses(text: &str) -> impl Iterator<Item = std::ops::Range<usize>> + '_ {
    let mut at = 0;
    text.split_inclusive(char::is_whitespace).filter_map(move |word| {
        let start = at;
        at += word.len();
        let token = word.trim_end();
        let core = token.trim_matches(is_wrapper);
        let from = start + (token.len() - token.trim_start_matches(is_wrapper).len());
        (is_address(token) && !core.starts_with('#') && !core.contains('@')).then(|| from..from + core.len())
    })
}

/// Returns whether `token` ends with a digit.
pub(super) fn ends_in_digit(token: &str) -> bool {
    token.chars().next_back().is_some_and(|c| c.is_ascii_digit())
}

/// Returns whether a line break between `prev` and `next`, two words separated by a space, reads badly: number and
/// unit, sign and number, article or preposition and noun, a word and its dash.
pub(super) fn belong_together(prev: &str, next: &str) -> bool {
    let letters = |t: &str| t.chars().all(char::is_alphabetic);
    let next_core = next.trim_end_matches(is_wrapper);
    if matches!(next, "–" | "—" | "-" | "−" | "·" | "→") {
        return true;
    }
    if ends_in_digit(prev) {
        let short = next_core.chars().count() <= 4 && !next_core.is_empty();
        return short && !next.starts_with(['(', '[', '“', '„', '«']) || next.starts_with(|c: char| c.is_ascii_digit());
    }
    if next.starts_with(|c: char| c.is_ascii_digit()) {
        let sign = prev.trim_start_matches(is_wrapper);
        return matches!(sign, "€" | "$" | "£" | "¥" | "₽" | "§" | "№" | "#" | "+" | "−" | "±" | "≤" | "≥" | "<" | ">")
            || matches!(sign, "≈" | "~" | "No." | "Nr." | "p." | "S." | "Fig." | "ca.");
    }
    let word = prev.trim_start_matches(is_wrapper);
    !word.is_empty() && word.chars().count() <= 2 && letters(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_told_from_words() {
        for t in
            ["https://a.b/c", "(www.x.org)", "example.com", "docs.example.com/a/b?c", "@handle", "me@x.org", "#tag"]
        {
            assert!(is_address(t), "{t}");
        }
        for t in ["e.g.", "z.B.", "3.5", "end.", "and/or", "U.S.", "Nr.5", "word", "@"] {
            assert!(!is_address(t), "{t}");
        }
    }

    #[test]
    fn addresses_of_sites_are_found_in_a_text() {
        let text = "Read on at tidelab.example/quiet, or (www.x.org). Not @tide, #tag, me@x.org";
        let found: Vec<&str> = addresses(text).map(|r| &text[r]).collect();
        assert_eq!(found, ["tidelab.example/quiet", "www.x.org"]);
    }

    #[test]
    fn numbers_keep_their_units_and_articles_their_nouns() {
        for (a, b) in
            [("5", "min"), ("31", "%"), ("€", "40"), ("Q3", "2025"), ("a", "house"), ("в", "доме"), ("So", "–")]
        {
            assert!(belong_together(a, b), "{a} {b}");
        }
        for (a, b) in [("house", "a"), ("2025,", "more"), ("the", "house"), ("5", "houses"), ("it.", "Then")] {
            assert!(!belong_together(a, b), "{a} {b}");
        }
    }
}
