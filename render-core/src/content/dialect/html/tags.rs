//! Scans the HTML and component tags of a text, and its comments.

use std::collections::BTreeSet;
use std::ops::Range;

use memchr::{memchr, memmem};

use super::super::code::Code;
use crate::cancel;
use crate::content::words::has;

/// Maximum attributes of a tag, and its maximum bytes outside quotation marks.
const QUOTED: usize = 64;
const UNQUOTED: usize = 2_000;

/// The elements of HTML, separated by white space.
const ELEMENTS: &str = "a abbr acronym address area article aside audio b base basefont bdi bdo big blink blockquote body br button \
    canvas caption center cite code col colgroup data datalist dd del details dfn dialog dir div dl dt em embed fieldset \
    figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe img input ins kbd \
    label legend li link main map mark marquee math menu meta meter nav nobr noframes noscript object ol optgroup option output \
    p param picture pre progress q rb rp rt rtc ruby s samp script search section select slot small source span strike strong \
    style sub summary sup svg table tbody td template textarea tfoot th thead time title tr track tt u ul var video wbr \
    path circle rect line polygon polyline ellipse g defs use";

/// The kind of a tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// `<a>`.
    Open,
    /// `</a>`.
    Close,
    /// `<a/>`.
    Empty,
    /// `<!-- … -->`, `<!doctype …>`, `<?xml … ?>`, and JSX's `<>`.
    Comment,
    /// A `<` that opens no tag but would be parsed as one.
    Literal,
}

/// A tag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Tag<'a> {
    /// The range of the tag.
    pub range: Range<usize>,
    /// The kind of the tag.
    pub kind: Kind,
    /// The name in lower case. Empty for a comment.
    pub name: String,
    /// The text after the name.
    pub attributes: &'a str,
}

impl<'a> Tag<'a> {
    /// Returns the value of an attribute.
    pub fn attribute(&self, name: &str) -> Option<&'a str> {
        let lower = self.attributes.to_ascii_lowercase();
        let at = lower.match_indices(name).map(|(at, _)| at).find(|at| {
            let before = lower[..*at].chars().next_back();
            let behind = lower[at + name.len()..].trim_start();
            before.is_none_or(char::is_whitespace) && behind.starts_with('=')
        })?;
        let rest = self.attributes[at + name.len()..].trim_start().strip_prefix('=')?.trim_start();
        match rest.chars().next()? {
            mark @ ('"' | '\'') => rest[1..].split(mark).next(),
            _ => rest.split(|c: char| c.is_whitespace() || c == '>').next(),
        }
    }
}

/// Whether HTML has an element with this lower-case name.
pub(super) fn is_known(name: &str) -> bool {
    has(ELEMENTS, name)
}

/// Whether a text contains an HTML tag.
pub(in crate::content::dialect) fn any(text: &str) -> bool {
    let mut at = 0;
    while let Some(found) = memchr(b'<', &text.as_bytes()[at..]) {
        let open = at + found;
        let rest = text[open + 1..].trim_start_matches('/');
        let name: String = rest.chars().take(12).take_while(char::is_ascii_alphanumeric).collect();
        let behind = &rest[name.len()..];
        if has(ELEMENTS, &name.to_ascii_lowercase()) && behind.starts_with(['>', ' ', '/', '\n'])
            || rest.starts_with("!--")
        {
            return true;
        }
        at = open + 1;
    }
    false
}

/// Returns the tags of a text, in order. A tag with an unknown name only counts if it is closed somewhere, is
/// self-closing, or has attributes.
pub(super) fn of<'a>(text: &'a str, code: &Code) -> Vec<Tag<'a>> {
    let mut scanner = Scanner { text, seen: Vec::new() };
    let mut out: Vec<Tag<'a>> = Vec::new();
    let mut at = 0;
    while let Some(found) = memchr(b'<', &text.as_bytes()[at..]) {
        cancel::tick();
        let open = at + found;
        if let Some(end) = code.end_at(open) {
            at = end;
            continue;
        }
        at = open + 1;
        if text.as_bytes()[..open].ends_with(b"\\") {
            continue;
        }
        if let Some(tag) = scanner.tag(open) {
            at = tag.range.end;
            out.push(tag);
        }
    }
    let closed: BTreeSet<String> = out.iter().filter(|t| t.kind == Kind::Close).map(|t| t.name.clone()).collect();
    for tag in &mut out {
        let known = tag.kind == Kind::Comment || has(ELEMENTS, &tag.name);
        let meant = closed.contains(&tag.name) || tag.kind == Kind::Empty || tag.attributes.contains('=');
        if !known && !meant {
            tag.kind = Kind::Literal;
        }
    }
    out
}

struct Scanner<'a> {
    text: &'a str,
    /// The last position found for each mark. Without it, searching again at every tag would take quadratic time.
    seen: Vec<(&'static str, Option<usize>)>,
}

impl<'a> Scanner<'a> {
    fn tag(&mut self, open: usize) -> Option<Tag<'a>> {
        let rest = &self.text[open..];
        if rest.starts_with("<!--") {
            let end = self.find(open + 4, "-->")?;
            return Some(self.comment(open..end));
        }
        if rest.starts_with("<>") || rest.starts_with("</>") {
            return Some(self.comment(open..open + rest.find('>')? + 1));
        }
        if rest.starts_with("<!") || rest.starts_with("<?") {
            let named = rest[2..].starts_with(|c: char| c.is_ascii_alphabetic() || c == '[');
            let end = self.find(open, ">").filter(|_| named)?;
            return Some(self.comment(open..end));
        }
        let close = rest.starts_with("</");
        let start = open + 1 + usize::from(close);
        let name_len = self.text[start..].bytes().take(60).take_while(|b| is_name(*b)).count();
        let name = &self.text[start..start + name_len];
        let behind = &self.text[start + name_len..];
        let parted = behind.starts_with(|c: char| c.is_whitespace() || matches!(c, '>' | '/'));
        if !name.starts_with(|c: char| c.is_ascii_alphabetic()) || !parted || self.find(start, ">").is_none() {
            return None;
        }
        let end = self.end(start + name_len)?;
        let inner = &self.text[start + name_len..end - 1];
        let kind = match (close, inner.ends_with('/')) {
            (true, _) => Kind::Close,
            (false, true) => Kind::Empty,
            (false, false) => Kind::Open,
        };
        Some(Tag { range: open..end, kind, name: name.to_ascii_lowercase(), attributes: inner.trim_end_matches('/') })
    }

    fn comment(&self, range: Range<usize>) -> Tag<'a> {
        Tag { range, kind: Kind::Comment, name: String::new(), attributes: "" }
    }

    /// Returns the end of the next `mark`.
    fn find(&mut self, from: usize, mark: &'static str) -> Option<usize> {
        let known = self.seen.iter().position(|(m, _)| *m == mark);
        if let Some((_, found)) = known.map(|i| self.seen[i])
            && found.is_none_or(|at| at >= from)
        {
            return found.map(|at| at + mark.len());
        }
        let found = memmem::find(&self.text.as_bytes()[from..], mark.as_bytes()).map(|i| from + i);
        match known {
            Some(i) => self.seen[i].1 = found,
            None => self.seen.push((mark, found)),
        }
        found.map(|at| at + mark.len())
    }

    /// Returns the end of the tag whose attributes begin at `from`: after the first `>` outside quotation marks and
    /// braces.
    fn end(&mut self, from: usize) -> Option<usize> {
        let bytes = self.text.as_bytes();
        let (mut quoted, mut depth) = (0, 0_u32);
        let mut at = from;
        let mut unquoted = 0;
        while let Some(byte) = bytes.get(at) {
            match byte {
                b'>' if depth == 0 => return Some(at + 1),
                b'{' => depth += 1,
                b'}' => depth = depth.saturating_sub(1),
                // A quotation mark opens a value only after an equals sign.
                b'"' | b'\''
                    if quoted < QUOTED && bytes[..at].trim_ascii_end().ends_with(b"=")
                        || depth > 0 && *byte == b'"' =>
                {
                    quoted += 1;
                    at += 1 + memchr(*byte, &bytes[at + 1..])?;
                }
                b'<' if depth == 0 => return None,
                b'\n' if depth == 0 && is_blank(&bytes[at + 1..]) => return None,
                _ => {}
            }
            at += 1;
            unquoted += 1;
            if unquoted > UNQUOTED {
                return None;
            }
        }
        None
    }
}

/// Whether the first line of the bytes is blank.
fn is_blank(bytes: &[u8]) -> bool {
    let rest = bytes.iter().find(|b| !matches!(b, b' ' | b'\t' | b'\r'));
    rest.is_none_or(|b| *b == b'\n')
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(Kind, String)> {
        of(text, &Code::of(text)).into_iter().map(|t| (t.kind, t.name)).collect()
    }

    #[test]
    fn tags_and_what_is_none() {
        let tag = |kind, name: &str| (kind, name.to_owned());
        assert_eq!(found("a <B class='x'>b</B>"), [tag(Kind::Open, "b"), tag(Kind::Close, "b")]);
        assert_eq!(found("<img alt=\"a > b\"/> <!-- c -->"), [tag(Kind::Empty, "img"), tag(Kind::Comment, "")]);
        assert_eq!(found("<Tab x={a > b}>t</Tab>"), [tag(Kind::Open, "tab"), tag(Kind::Close, "tab")]);
        assert_eq!(
            found("Vec<String> and <your-name>"),
            [tag(Kind::Literal, "string"), tag(Kind::Literal, "your-name")]
        );
        for text in [
            "a < b > c",
            "<https://a.example>",
            "<a@b.example>",
            "x <3 y",
            "`<p>`",
            "\\<p>",
            "<p",
            "<a b\n\nc>",
            "<-- x",
        ] {
            assert_eq!(found(text), [], "{text}");
        }
    }

    #[test]
    fn attributes() {
        let tags = of("<a HREF = '#x' class=y data-href=\"z\">", &Code::default());
        assert_eq!((tags[0].attribute("href"), tags[0].attribute("class")), (Some("#x"), Some("y")));
        assert_eq!(tags[0].attribute("id"), None);
    }

    #[test]
    fn nothing_takes_time_by_the_square() {
        for part in ["<a ", "<a \"", "<a x=\"", "<!--", "<!x", "<a {", "<a ><", "</a", "<a x='>"] {
            let text = format!("{}>", part.repeat(40_000));
            let _ = of(&text, &Code::default());
        }
    }
}
