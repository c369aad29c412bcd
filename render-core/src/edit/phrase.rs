//! Finds and replaces phrases in texts, as whole words and case-insensitively.

/// Converts a character for comparison: to lower case, and typographic quotation marks and dashes to the typed ones.
fn plain(c: char) -> impl Iterator<Item = char> {
    let typed = match c {
        '‘' | '’' | '‚' | '`' => '\'',
        '“' | '”' | '„' => '"',
        '‐' | '‑' | '–' | '—' => '-',
        '\u{a0}' | '\u{202f}' => ' ',
        c => c,
    };
    typed.to_lowercase()
}

/// Returns the byte ranges where a text contains a phrase as whole words, in any case. Typed quotation marks, hyphens and
/// spaces match the typographic ones.
pub(super) fn found(text: &str, phrase: &str) -> Vec<std::ops::Range<usize>> {
    let wanted: Vec<char> = phrase.chars().flat_map(plain).collect();
    let Some(last) = wanted.last() else { return Vec::new() };
    let open = wanted.first().is_some_and(|c| c.is_alphanumeric());
    let close = last.is_alphanumeric();
    let spaced = !wanted.iter().any(|c| super::read::is_unspaced(*c));
    let mut out: Vec<std::ops::Range<usize>> = Vec::new();
    for (i, _) in text.char_indices() {
        let rest = text.get(i..).unwrap_or_default();
        let before = text.get(..i).and_then(|t| t.chars().next_back());
        if out.last().is_some_and(|r| i < r.end) || open && spaced && before.is_some_and(char::is_alphanumeric) {
            continue;
        }
        let mut at = 0;
        let mut chars = rest.char_indices();
        let same = loop {
            if at >= wanted.len() {
                break true;
            }
            let Some((_, c)) = chars.next() else { break false };
            if !plain(c).all(|l| {
                at += 1;
                wanted.get(at - 1).is_some_and(|w| *w == l || w.is_whitespace() && l.is_whitespace())
            }) {
                break false;
            }
        };
        let end = i + chars.offset().min(rest.len());
        let after = text.get(end..).and_then(|t| t.chars().next());
        if same && !(close && spaced && after.is_some_and(char::is_alphanumeric)) {
            out.push(i..end);
        }
    }
    out
}

/// Returns a phrase in the text's own spelling and case, or `None` if the text doesn't contain it as whole words.
pub(super) fn spelt(text: &str, phrase: &str) -> Option<String> {
    found(text, phrase).first().and_then(|r| text.get(r.clone())).map(str::to_owned)
}

/// Replaces a phrase in a text. Unless `as_is` is set, the replacement takes over a leading capital or all capitals. An
/// occurrence inside an existing occurrence of `to` is skipped: replacing "cat" by "cat food" leaves "cat food" alone.
/// Returns `None` if nothing is replaced.
pub(super) fn replaced(text: &str, from: &str, to: &str, as_is: bool) -> Option<String> {
    let mut done = found(text, to);
    // A text that only spells it otherwise has it to be replaced.
    done.retain(|place| text.get(place.clone()) == Some(to));
    let is_done = |r: &std::ops::Range<usize>| done.iter().any(|d| d.start <= r.start && r.end <= d.end);
    let mut places = found(text, from);
    places.retain(|place| !is_done(place));
    if places.is_empty() {
        return None;
    }
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for place in places {
        out.push_str(text.get(at..place.start)?);
        let was = text.get(place.clone())?;
        // An abbreviation is in capitals anywhere.
        let shouts = !text.chars().any(char::is_lowercase) && was.chars().filter(|c| c.is_alphabetic()).count() > 1;
        if as_is {
            out.push_str(to);
        } else if shouts && was.chars().any(char::is_uppercase) {
            out.push_str(&to.to_uppercase());
        } else if was.starts_with(char::is_uppercase) {
            out.push_str(&crate::content::capitalised(to));
        } else {
            out.push_str(to);
        }
        at = place.end;
    }
    out.push_str(text.get(at..)?);
    if to.is_empty() {
        // Close the gap that a removed word leaves, and capitalise the sentence again.
        let joined = out.split_whitespace().collect::<Vec<_>>().join(" ");
        let tidy = joined.replace(" ,", ",").replace(" .", ".").replace(" ?", "?").replace(" !", "!");
        let tidy = tidy.trim_start_matches([':', ',', ';', '–', '—', '.', '!', '?', ' ']);
        let tidy = tidy.trim_end_matches([',', ';', '–', '—', ' ']);
        let capital = text.starts_with(char::is_uppercase);
        return Some(if capital { crate::content::capitalised(tidy.trim()) } else { tidy.trim().to_owned() });
    }
    Some(out)
}
