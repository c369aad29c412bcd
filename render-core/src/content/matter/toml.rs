//! Parses TOML front matter line by line: keys with strings, lists and tables.

use std::ops::Range;

use super::entries::{Entries, Value, listed, unquoted};
use crate::content::dialect::code::lines;

/// Parses the front matter at `range` of the source.
pub(super) fn read(source: &str, range: Range<usize>) -> Entries {
    let mut out = Entries::default();
    let mut table = String::new();
    let mut skip_to = range.start;
    for (offset, line) in lines(&source[range.clone()]) {
        let at = range.start + offset;
        let text = line.trim();
        if at < skip_to || text.is_empty() || text.starts_with('#') {
            continue;
        }
        if let Some(name) = text.strip_prefix('[').filter(|_| !text.contains('=')) {
            table = name.trim_matches(['[', ']', ' ', '"']).to_lowercase();
            continue;
        }
        let Some((key, rest)) = text.split_once('=') else { continue };
        let (key, written) = (key.trim().trim_matches('"').to_lowercase(), rest.trim());
        let key = if table.is_empty() { key } else { format!("{table}.{key}") };
        let start = at + (line.len() - line.trim_start().len()) + text.len() - written.len();
        let end = value_end(source, start..range.end, written);
        skip_to = end;
        push(source, &key, start..end, &mut out);
    }
    out
}

/// Returns the end of a value that begins on this line. Lists and strings may span several lines.
fn value_end(source: &str, rest: Range<usize>, written: &str) -> usize {
    let close = ["\"\"\"", "'''"].into_iter().find(|m| written.starts_with(m));
    let line = rest.start + written.len();
    if let Some(mark) = close {
        let from = rest.start + mark.len();
        return source[from..rest.end].find(mark).map_or(line, |i| from + i + mark.len());
    }
    if written.starts_with('[') && !written.contains(']') {
        return source[rest.clone()].find(']').map_or(line, |i| rest.start + i + 1);
    }
    line
}

fn push(source: &str, key: &str, range: Range<usize>, out: &mut Entries) {
    let written = source[range.clone()].trim();
    if written.starts_with('[') {
        for (offset, item) in listed(written) {
            let at = range.start + offset;
            value(key, item, at, out);
        }
    } else {
        value(key, written, range.start, out);
    }
}

fn value(key: &str, written: &str, at: usize, out: &mut Entries) {
    // Only the name of an inline table is used.
    if written.starts_with('{') {
        let name =
            written.split_once("name").and_then(|(_, rest)| rest.split_once('"')).and_then(|(_, r)| r.split_once('"'));
        if let Some((name, _)) = name {
            let text = name.to_owned();
            out.push(&format!("{key}.name"), Value { text, range: at..at + written.len() });
        }
        return;
    }
    let long = ["\"\"\"", "'''"].into_iter().find_map(|m| written.strip_prefix(m)?.strip_suffix(m));
    let bare = match written.starts_with(['"', '\'']) {
        true => written,
        false => written.split('#').next().unwrap_or("").trim(),
    };
    let closed = bare.chars().next().filter(|c| matches!(c, '"' | '\'')).and_then(|mark| {
        // A comment may follow the closing mark.
        let inner = &bare[1..];
        let escaped = |i: usize| mark == '"' && inner[..i].ends_with('\\');
        inner.match_indices(mark).map(|(i, _)| i).find(|i| !escaped(*i)).map(|i| &bare[..i + 2])
    });
    let text =
        long.map_or_else(|| unquoted(closed.unwrap_or(bare)), |l| l.split_whitespace().collect::<Vec<_>>().join(" "));
    out.push(key, Value { text, range: at..at + written.len() });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_lists_and_tables() {
        let text = "title = \"Low \\\"water\\\"\" # draft\ndate = 2026-05-12\ntags = [\n  \"a\",\n  'b'\n]\n\
            description = \"\"\"\nOne\ntwo\"\"\"\n[extra]\nlead = 'It is'\nauthors = [{ name = \"Ada Moor\" }]\n";
        let read = read(text, 0..text.len());
        let all: Vec<(&str, Vec<&str>)> =
            read.0.iter().map(|e| (e.key.as_str(), e.values.iter().map(|v| v.text.as_str()).collect())).collect();
        assert_eq!(
            all,
            [
                ("title", vec!["Low \"water\""]),
                ("date", vec!["2026-05-12"]),
                ("tags", vec!["a", "b"]),
                ("description", vec!["One two"]),
                ("extra.lead", vec!["It is"]),
                ("extra.authors.name", vec!["Ada Moor"]),
            ]
        );
        assert!(read.0.iter().flat_map(|e| &e.values).all(|v| text.get(v.range.clone()).is_some()));
    }

    #[test]
    fn what_is_broken_ends_with_its_line() {
        let text = "tags = [\ntitle = \"\"\"open\nx = \"y\"\n";
        let read = read(text, 0..text.len());
        assert!(read.0.iter().any(|e| e.key == "x" && e.values[0].text == "y"), "{read:?}");
    }
}
