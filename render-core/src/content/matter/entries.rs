//! The entries of front matter, before their keys are interpreted.

use std::ops::Range;

/// A key and its values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    /// The key in lower case. Nested keys are joined by periods: "seo.title".
    pub key: String,
    /// One value, or the values of a list.
    pub values: Vec<Value>,
}

/// A value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Value {
    /// The text, without quotation marks and escapes.
    pub text: String,
    /// The range in the source.
    pub range: Range<usize>,
}

/// Entries in order.
#[derive(Debug, Default)]
pub(super) struct Entries(pub Vec<Entry>);

impl Entries {
    /// Adds a value to the entry of a key.
    pub fn push(&mut self, key: &str, value: Value) {
        if value.text.trim().is_empty() {
            return;
        }
        match self.0.last_mut().filter(|last| last.key == key) {
            Some(last) => last.values.push(value),
            None => self.0.push(Entry { key: key.to_owned(), values: vec![value] }),
        }
    }
}

/// Returns the text of a scalar without its quotation marks and escapes. A mark at only one end belongs to the text.
pub(super) fn unquoted(written: &str) -> String {
    let written = written.trim();
    let inner = |mark: char| {
        let inner = written.strip_prefix(mark)?.strip_suffix(mark)?;
        (written.len() > 1).then_some(inner)
    };
    match (inner('"'), inner('\'')) {
        (Some(inner), _) => unescaped(inner),
        (_, Some(inner)) => inner.replace("''", "'"),
        _ => written.to_owned(),
    }
}

/// Resolves the escapes of text between double quotation marks.
fn unescaped(inner: &str) -> String {
    let mut out = String::with_capacity(inner.len());
    let mut rest = inner.chars();
    while let Some(c) = rest.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        let digits = match rest.next() {
            Some('n' | 't' | 'r' | '\n') => {
                out.push(' ');
                continue;
            }
            Some('u') => 4,
            Some('U') => 8,
            Some('x') => 2,
            Some(other) => {
                out.push(other);
                continue;
            }
            None => continue,
        };
        let code: String = rest.clone().take(digits).take_while(char::is_ascii_hexdigit).collect();
        if let Some(c) = u32::from_str_radix(&code, 16).ok().and_then(char::from_u32) {
            out.push(c);
        }
        rest.nth(code.len().saturating_sub(1)).filter(|_| !code.is_empty());
    }
    out
}

/// Returns the elements of an inline list `[a, "b, c"]`, with their offsets in it.
pub(super) fn listed(list: &str) -> Vec<(usize, &str)> {
    let inner = list.trim_start_matches('[');
    let start = list.len() - inner.len();
    let inner = inner.trim_end().trim_end_matches(']');
    let mut out = Vec::new();
    let mut quote: Option<char> = None;
    let mut from = 0;
    for (at, c) in inner.char_indices().chain([(inner.len(), ',')]) {
        match quote {
            Some(q) if c == q => quote = None,
            Some(_) if at < inner.len() => {}
            None if matches!(c, '"' | '\'') && inner[from..at].trim().is_empty() => quote = Some(c),
            _ if c == ',' => {
                let part = &inner[from..at];
                let lead = part.len() - part.trim_start().len();
                if !part.trim().is_empty() {
                    out.push((start + from + lead, part.trim()));
                }
                from = (at + 1).min(inner.len());
            }
            _ => {}
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scalars() {
        for (written, words) in [
            ("\"A \\\"b\\\" \\u00e9\"", "A \"b\" é"),
            ("'It''s'", "It's"),
            ("'It's fine'", "It's fine"),
            ("\"Yes\" and no", "\"Yes\" and no"),
            ("plain", "plain"),
            ("\"", "\""),
            ("\"a\\", "\"a\\"),
            ("\"a\\u\"", "a"),
        ] {
            assert_eq!(unquoted(written), words, "{written}");
        }
    }

    #[test]
    fn lists() {
        assert_eq!(listed("[a, \"b, c\", 'd']"), [(1, "a"), (4, "\"b, c\""), (12, "'d'")]);
        assert_eq!(listed("[]"), []);
        assert_eq!(listed("[a, it's"), [(1, "a"), (4, "it's")]);
    }
}
