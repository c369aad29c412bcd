//! Detects pages that consist of a redirect: `<meta http-equiv=refresh>` and hardly any text, as static site generators
//! write for a moved page.

/// Maximum bytes of a page to examine. Redirect pages have a few hundred.
const BYTES: usize = 16 << 10;
/// Maximum visible characters of a redirect page: "This page has moved", and a link.
const SHOWN: usize = 300;
/// Maximum delay in seconds. A page that stays longer is meant to be read.
const DELAY: f32 = 10.0;

/// Elements whose text is invisible, or which contain no elements. Browsers that run scripts ignore `noscript`.
const RAW: [&str; 8] = ["script", "style", "noscript", "template", "title", "textarea", "iframe", "noframes"];

/// Returns the location to which a page redirects, as written: the bytes of a URL reference. `None` for a page with
/// content.
pub(super) fn location(page: &[u8]) -> Option<Vec<u8>> {
    if page.len() > BYTES {
        return None;
    }
    let mut found = None;
    let mut shown = 0;
    let mut at = 0;
    while at < page.len() {
        let rest = &page[at..];
        if rest.starts_with(b"<!--") {
            at = behind(page, at + 4, b"-->");
        } else if rest.len() > 1
            && rest[0] == b'<'
            && (rest[1].is_ascii_alphabetic() || matches!(rest[1], b'/' | b'!' | b'?'))
        {
            let tag = Tag::read(rest);
            at += tag.length;
            if found.is_none() && tag.name == "meta" {
                found = tag.refresh();
            } else if RAW.contains(&tag.name.as_str()) {
                at = end_of(page, at, &tag.name);
            }
        } else {
            // Count characters, not bytes: skip the continuation bytes of UTF-8.
            shown += usize::from(!rest[0].is_ascii_whitespace() && rest[0] & 0xc0 != 0x80);
            at += 1;
        }
    }
    found.filter(|_| shown <= SHOWN)
}

/// Returns the position after the next `mark`, searching from `from`, or the end.
fn behind(page: &[u8], from: usize, mark: &[u8]) -> usize {
    let rest = page.get(from..).unwrap_or_default();
    rest.windows(mark.len()).position(|w| w == mark).map_or(page.len(), |found| from + found + mark.len())
}

/// Returns the position of the end tag of `name`, searching from `from`, or the end.
fn end_of(page: &[u8], from: usize, name: &str) -> usize {
    let rest = &page[from..];
    let ends = |w: &[u8]| w.starts_with(b"</") && w[2..].eq_ignore_ascii_case(name.as_bytes());
    rest.windows(name.len() + 2).position(ends).map_or(page.len(), |found| from + found)
}

/// A start or end tag.
struct Tag {
    /// In lower case. The name of an end tag includes its slash.
    name: String,
    /// Names in lower case, with their values.
    attributes: Vec<(String, Vec<u8>)>,
    /// Length in bytes.
    length: usize,
}

impl Tag {
    /// Parses the tag at the beginning of `text`.
    fn read(text: &[u8]) -> Self {
        let ends = |b: u8| b.is_ascii_whitespace() || b == b'>';
        let name_end = text.iter().position(|b| ends(*b)).unwrap_or(text.len());
        let name = String::from_utf8_lossy(&text[1..name_end.max(1)]).trim_end_matches('/').to_ascii_lowercase();
        let mut attributes = Vec::new();
        let mut at = name_end;
        loop {
            at += text[at..].iter().take_while(|b| b.is_ascii_whitespace() || **b == b'/').count();
            match text.get(at) {
                None => break,
                Some(b'>') => {
                    at += 1;
                    break;
                }
                Some(_) => {}
            }
            // A name has at least one byte, whichever it is.
            let more = text[at + 1..].iter().take_while(|b| !ends(**b) && !matches!(b, b'=' | b'/')).count();
            let name = String::from_utf8_lossy(&text[at..at + 1 + more]).to_ascii_lowercase();
            at += 1 + more;
            let space = text[at..].iter().take_while(|b| b.is_ascii_whitespace()).count();
            if text.get(at + space) != Some(&b'=') {
                attributes.push((name, Vec::new()));
                continue;
            }
            at += space + 1;
            at += text[at..].iter().take_while(|b| b.is_ascii_whitespace()).count();
            let (value, behind) = match text.get(at) {
                Some(quote @ (b'"' | b'\'')) => {
                    let end = text[at + 1..].iter().position(|b| b == quote).map_or(text.len(), |e| at + 1 + e);
                    (&text[at + 1..end], (end + 1).min(text.len()))
                }
                _ => {
                    let end = text[at..].iter().position(|b| ends(*b)).map_or(text.len(), |e| at + e);
                    (&text[at..end], end)
                }
            };
            attributes.push((name, value.to_vec()));
            at = behind;
        }
        Self { name, attributes, length: at }
    }

    /// Returns the first value of an attribute.
    fn get(&self, name: &str) -> Option<&[u8]> {
        self.attributes.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_slice())
    }

    /// Returns the location to which a `meta` element redirects.
    fn refresh(&self) -> Option<Vec<u8>> {
        if !self.get("http-equiv")?.trim_ascii().eq_ignore_ascii_case(b"refresh") {
            return None;
        }
        let content = self.get("content")?.trim_ascii();
        let number = content.iter().take_while(|b| b.is_ascii_digit() || **b == b'.').count();
        let delay: f32 = std::str::from_utf8(&content[..number]).ok()?.parse().unwrap_or(0.0);
        let rest = content[number..].trim_ascii_start();
        let rest = rest.strip_prefix(b";").or_else(|| rest.strip_prefix(b",")).unwrap_or(rest).trim_ascii();
        let labelled = || {
            let (label, value) = rest.split_at_checked(3)?;
            let value = value.trim_ascii_start().strip_prefix(b"=")?;
            label.eq_ignore_ascii_case(b"url").then(|| value.trim_ascii())
        };
        let url = labelled().unwrap_or(rest);
        let url = match url {
            [quote @ (b'"' | b'\''), inside @ ..] => inside.split(|b| b == quote).next().unwrap_or_default(),
            bare => bare,
        };
        (delay <= DELAY && !url.is_empty()).then(|| unescaped(url))
    }
}

/// Decodes common HTML escapes in a URL reference.
fn unescaped(url: &[u8]) -> Vec<u8> {
    const ESCAPES: [(&[u8], u8); 5] =
        [(b"&amp;", b'&'), (b"&#38;", b'&'), (b"&#x2f;", b'/'), (b"&#47;", b'/'), (b"&#61;", b'=')];
    let mut out = Vec::with_capacity(url.len());
    let mut rest = url;
    while let Some((first, behind)) = rest.split_first() {
        let escape = ESCAPES.iter().find(|(e, _)| rest.len() >= e.len() && rest[..e.len()].eq_ignore_ascii_case(e));
        let (byte, behind) = escape.map_or((*first, behind), |(e, byte)| (*byte, &rest[e.len()..]));
        out.push(byte);
        rest = behind;
    }
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn leads(page: &str) -> Option<String> {
        location(page.as_bytes()).map(|l| String::from_utf8(l).unwrap())
    }

    #[test]
    fn a_page_that_is_a_redirect_leads_on() {
        for (page, to) in [
            (
                "<!DOCTYPE html><html lang=en><head><title>https://a.example/new/</title>\
                 <link rel=canonical href=https://a.example/new/><meta name=robots content=noindex><meta charset=utf-8>\
                 <meta http-equiv=refresh content=\"0; url=https://a.example/new/\"></head></html>",
                "https://a.example/new/",
            ),
            (
                "<META content='3;URL=\"../b?x=1&amp;y=2\"' HTTP-EQUIV='Refresh'/><p>We moved: <a href=b>b</a>",
                "../b?x=1&y=2",
            ),
            ("<meta http-equiv=refresh content=0;/b>", "/b"),
            ("<meta http-equiv=refresh content=\"0, url = '/b'c\">", "/b"),
            ("<script>if (a<b) x('<noscript>')</script><meta http-equiv=refresh content=';url=/b'>", "/b"),
            ("<!-- <meta http-equiv=refresh content='0;url=/a'> --><meta http-equiv=refresh content='0;url=/b'>", "/b"),
        ] {
            assert_eq!(leads(page).as_deref(), Some(to), "{page}");
        }
    }

    #[test]
    fn a_page_that_says_something_is_read() {
        let refresh = "<meta http-equiv=refresh content='0;url=/b'>";
        for page in [
            format!("<noscript>{refresh}</noscript><div id=app></div>"),
            format!("<NoScript>{refresh}"),
            format!("<template>{refresh}</template>"),
            format!("<textarea>{refresh}</textarea>"),
            format!("<!--{refresh}"),
            format!("{refresh}<p>{}", "The sea rises and falls. ".repeat(30)),
            format!("{refresh}<!--{}-->", "x".repeat(BYTES)),
            "<meta http-equiv=refresh content=300>".into(),
            "<meta http-equiv=refresh content='300;url=/b'>".into(),
            "<meta http-equiv=refresh content='0;url='>".into(),
            "<meta http-equiv=refresh>".into(),
            "<meta name=refresh content='0;url=/b'>".into(),
            "<meta http-equiv=refresh content='0;url=/b".into(),
            String::new(),
        ] {
            let unended = page.ends_with("/b");
            assert_eq!(leads(&page).is_some(), unended, "{page}");
        }
    }

    proptest! {
        #[test]
        fn anything_is_scanned_to_its_end(page in "(<|>|!|--|/|=|\"|'| |meta|noscript|http-equiv|refresh|content|é|a){0,60}") {
            let _ = location(page.as_bytes());
        }
    }
}
