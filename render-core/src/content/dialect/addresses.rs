//! Shortens web addresses for display: without `https://` and `www.`, and no longer than fits a line.

use std::ops::Range;

use super::code::Code;
use super::edits::Edit;

/// Maximum characters of an address that is shown in full.
const SHOWN: usize = 40;
/// Hosts of the addresses that a social network appends to posts. They lead to the post or its picture.
const APPENDED: [&str; 2] = ["t.co/", "pic.twitter.com/"];

/// Returns the edits that shorten the addresses of a text.
pub(super) fn edits(text: &str, code: &Code, markdown: bool) -> Vec<Edit> {
    let mut out = Vec::new();
    for range in all(text) {
        let code = code.end_at(range.start).map(|_| code.is_span(range.start));
        match code {
            None => show(text, range, markdown, &mut out),
            // In a code span no character is a mark.
            Some(true) if is_host(&text[range.clone()]) => show(text, range, false, &mut out),
            Some(_) => {}
        }
    }
    out.extend(bare(text).filter(|range| code.end_at(range.start).is_none()).map(Edit::delete));
    out
}

/// Returns the addresses of pictures that stand without a scheme at the end of copied posts: "pic.twitter.com/a1B2c3".
fn bare(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    text.match_indices(APPENDED[1]).filter(|(at, _)| !text[..*at].ends_with("//")).map(|(at, _)| {
        let end = at + text[at..].find(is_end).unwrap_or(text.len() - at);
        at..end
    })
}

/// Returns the addresses of a text that begin with `http://` or `https://`.
pub(in crate::content) fn all(text: &str) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(found) = memchr::memmem::find(&text.as_bytes()[at..], b"://") {
        let colon = at + found;
        at = colon + 3;
        let scheme = ["https", "http"].into_iter().find(|s| ends_with(&text[..colon], s));
        let Some(start) = scheme.map(|s| colon - s.len()) else { continue };
        if text[..start].chars().next_back().is_some_and(|c| c.is_ascii_alphanumeric()) {
            continue;
        }
        let end = at + text[at..].find(is_end).unwrap_or(text.len() - at);
        let mut end = at + text[at..end].trim_end_matches(['.', ',', ';', ':', '!', '?', '\'', '*', '_', '"']).len();
        // A closing parenthesis without an opening one inside the address does not belong to it.
        if text[at..end].ends_with(')') && !text[at..end].contains('(') {
            end = at + text[at..end].trim_end_matches(')').trim_end_matches(['.', ',']).len();
        }
        if end > at {
            out.push(start..end);
            at = end;
        }
    }
    out
}

/// Returns the mail addresses and telephone numbers that links of a text lead to.
pub(in crate::content) fn reached(text: &str) -> impl Iterator<Item = &str> {
    ["mailto:", "tel:"].into_iter().flat_map(move |scheme| text.match_indices(scheme)).map(move |(at, scheme)| {
        let rest = &text[at + scheme.len()..];
        let end = rest.find(|c| is_end(c) || matches!(c, '?' | ')' | ']')).unwrap_or(rest.len());
        &rest[..end]
    })
}

/// Whether a text ends with `end`, ignoring case.
fn ends_with(text: &str, end: &str) -> bool {
    let own = text.len().checked_sub(end.len()).and_then(|i| text.get(i..));
    own.is_some_and(|own| own.eq_ignore_ascii_case(end))
}

/// Whether an address contains a host. `http://www` alone does not.
fn is_host(address: &str) -> bool {
    let host = address.split("://").nth(1).unwrap_or("").split(['/', '?', '#', ':']).next().unwrap_or("");
    host == "localhost"
        || host.contains('.')
            && !host.ends_with('.')
            && host.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-'))
}

fn is_end(c: char) -> bool {
    c.is_whitespace()
        || matches!(c, '<' | '>' | '"' | '|' | '`' | '[' | ']' | '“' | '”' | '»')
        || crate::content::words::is_unspaced(c)
        || matches!(c, '。' | '，' | '、' | '）' | '（' | '」')
        || super::marks::is_mark(c)
}

/// Shortens an address and, in Markdown, escapes characters that must not become marks.
fn show(text: &str, range: Range<usize>, markdown: bool, out: &mut Vec<Edit>) {
    let angled = text[..range.start].ends_with('<') && text[range.end..].starts_with('>');
    let scheme = text[range.clone()].find("://").map_or(0, |i| i + 3);
    let mut start = range.start + scheme;
    start += if text[start..range.end].starts_with("www.") { 4 } else { 0 };
    let shown = &text[start..range.end];
    // In the middle of a post, such an address stands for what the post speaks of.
    let behind = text[range.end..].trim_start_matches([' ', '>', '”', '"', '’', '\'']);
    let closes = behind.trim().is_empty()
        || behind.starts_with(['\n', '\r', '<', '#', '—', '–', '-'])
        || behind.starts_with(APPENDED[1]);
    if closes && APPENDED.iter().any(|host| shown.starts_with(host)) {
        out.push(Edit::delete(range.start - usize::from(angled)..range.end + usize::from(angled)));
        return;
    }
    let host = shown.find(['/', '?', '#']).unwrap_or(shown.len());
    let page = shown[host..].find(['?', '#']).map_or(shown.len(), |i| host + i);
    let end = match shown.chars().count() {
        n if n <= SHOWN => shown.trim_end_matches('/').len(),
        _ if shown[..page].chars().count() <= SHOWN => shown[..page].trim_end_matches('/').len(),
        _ => host,
    };
    let end = start + end.max(host);
    out.push(Edit::delete(range.start - usize::from(angled)..start));
    if markdown {
        let signs = text[start..end].match_indices(['*', '_', '~']);
        out.extend(signs.map(|(i, _)| Edit::insert(start + i, "\\")));
    }
    out.push(Edit::delete(end..range.end + usize::from(angled)));
}

#[cfg(test)]
mod tests {
    use super::super::edits::Edited;
    use super::*;

    fn read(text: &str) -> String {
        Edited::of(text).apply(&edits(text, &Code::of(text), false)).text
    }

    #[test]
    fn addresses_are_shown_short() {
        for (text, want) in [
            ("Read on at https://www.tide.example/quiet/.", "Read on at tide.example/quiet."),
            ("(see HTTP://tide.example)", "(see tide.example)"),
            ("<https://tide.example/a_(b)>", "tide.example/a_(b)"),
            ("https://tide.example/quiet?utm_source=a&utm_medium=bbbbbbbbb x", "tide.example/quiet x"),
            ("https://tide.example/a-very-long-way-to-a-page-that-nobody-reads", "tide.example"),
            ("在https://tide.example/a。好", "在tide.example/a。好"),
            (
                "`https://a.example/b` `https://www` xhttps://b https://",
                "`a.example/b` `https://www` xhttps://b https://",
            ),
            ("```\nhttps://a.example\n```", "```\nhttps://a.example\n```"),
            ("It floats. https://t.co/wDVIA", "It floats. "),
            ("It floats. https://t.co/wDVIA pic.twitter.com/a1B2", "It floats.  "),
            ("See https://t.co/wDVIA, and wait", "See t.co/wDVIA, and wait"),
            ("Ask https://t.co/wDVIA politely", "Ask t.co/wDVIA politely"),
        ] {
            assert_eq!(read(text), want, "{text}");
        }
        let text = "https://a.example/b_c_d";
        assert_eq!(Edited::of(text).apply(&edits(text, &Code::default(), true)).text, "a.example/b\\_c\\_d");
    }
}
