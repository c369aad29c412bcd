//! Decodes bytes to text: by the declared encoding or, if the bytes contradict it, by detection.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

/// Elements whose content is not parsed as tags.
const RAW: [&[u8]; 8] = [b"script", b"style", b"title", b"textarea", b"xmp", b"iframe", b"noembed", b"noframes"];

/// Decodes a page by its byte order mark, the header, its own declaration, or detection, in that order. An encoding
/// that the bytes contradict is skipped.
pub(super) fn page(bytes: &[u8], header: Option<&str>, host: Option<&str>) -> String {
    decode(bytes, header, declared, host)
}

/// Like [`page`], for plain text, which has no declaration of its own: tags in it are ordinary words.
pub(crate) fn plain(bytes: &[u8], header: Option<&str>) -> String {
    decode(bytes, header, |_| None, None)
}

fn decode(
    bytes: &[u8],
    header: Option<&str>,
    declared: fn(&[u8]) -> Option<&'static Encoding>,
    host: Option<&str>,
) -> String {
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        return encoding.decode_without_bom_handling(&bytes[mark..]).0.into_owned();
    }
    // Text in another encoding is not valid UTF-8 by chance.
    if let Ok(text) = std::str::from_utf8(bytes)
        && !text.is_ascii()
    {
        return text.to_owned();
    }
    let named = [header.and_then(|name| Encoding::for_label(name.as_bytes())), declared(bytes), Some(UTF_8)];
    for encoding in named.into_iter().flatten() {
        let (text, wrong) = encoding.decode_without_bom_handling(bytes);
        if !wrong || nearly_right(&text) {
            return text.into_owned();
        }
    }
    guess(bytes, host).decode_without_bom_handling(bytes).0.into_owned()
}

/// Returns whether few characters of a text are undecodable, relative to the non-ASCII characters that are not.
fn nearly_right(text: &str) -> bool {
    let (mut unread, mut read) = (0_usize, 0_usize);
    for c in text.chars().filter(|c| !c.is_ascii()) {
        if c == char::REPLACEMENT_CHARACTER { unread += 1 } else { read += 1 }
    }
    unread * 20 <= read
}

fn guess(bytes: &[u8], host: Option<&str>) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    // The detector takes the domain's country into account; it accepts lower-case ASCII only.
    let country = host.and_then(|h| h.rsplit('.').next()).filter(|t| t.bytes().all(|b| b.is_ascii_lowercase()));
    detector.guess(country.filter(|t| !t.is_empty()).map(str::as_bytes), Utf8Detection::Allow)
}

/// Returns the encoding in a `meta` element or an XML declaration. A page should declare it within its first kilobyte,
/// but browsers restart parsing when they find it later, so it counts anywhere.
fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    let encoding = in_xml_declaration(bytes).or_else(|| in_meta(bytes))?;
    // A page that is ASCII up to here is not UTF-16, whatever it declares.
    Some(if encoding == UTF_16BE || encoding == UTF_16LE { UTF_8 } else { encoding })
}

fn in_xml_declaration(bytes: &[u8]) -> Option<&'static Encoding> {
    let declaration = bytes.trim_ascii_start().strip_prefix(b"<?xml")?;
    let declaration = &declaration[..declaration.iter().position(|b| *b == b'>')?];
    Attributes(declaration).find(|(name, _)| name == b"encoding").and_then(|(_, value)| Encoding::for_label(value))
}

/// Returns the encoding of the first `meta` element with one, outside comments, scripts and other elements without
/// tags.
fn in_meta(bytes: &[u8]) -> Option<&'static Encoding> {
    let mut rest = bytes;
    loop {
        rest = &rest[rest.iter().position(|b| *b == b'<')? + 1..];
        if let Some(comment) = rest.strip_prefix(b"!--") {
            rest = &comment[comment_end(comment)?..];
            continue;
        }
        let name = &rest[..rest.iter().position(|b| !b.is_ascii_alphanumeric())?];
        if name.is_empty() {
            continue;
        }
        let mut attributes = Attributes(&rest[name.len()..]);
        if name.eq_ignore_ascii_case(b"meta")
            && let Some(encoding) = named_by(&mut attributes)
        {
            return Some(encoding);
        }
        attributes.by_ref().for_each(drop);
        rest = attributes.0;
        if RAW.iter().any(|raw| name.eq_ignore_ascii_case(raw)) {
            rest = &rest[end_tag(rest, name)?..];
        }
    }
}

/// Returns the encoding in the attributes of a `meta` element: in `charset`, or in the content of a `Content-Type`.
fn named_by(attributes: &mut Attributes<'_>) -> Option<&'static Encoding> {
    let (mut is_type, mut content) = (false, None);
    for (name, value) in attributes {
        match name.as_slice() {
            b"charset" => return Encoding::for_label(value),
            b"http-equiv" => is_type = value.trim_ascii().eq_ignore_ascii_case(b"content-type"),
            b"content" => content = content.or(Some(value)),
            _ => {}
        }
    }
    let content = content.filter(|_| is_type)?.to_ascii_lowercase();
    // HTML Standard, 2.4.5.
    let mut rest = content.as_slice();
    loop {
        rest = rest[find(rest, b"charset")? + b"charset".len()..].trim_ascii_start();
        let Some(label) = rest.strip_prefix(b"=") else { continue };
        let label = label.trim_ascii_start();
        let quote = label.first().filter(|b| matches!(b, b'"' | b'\''));
        let label = if quote.is_some() { &label[1..] } else { label };
        let ends = |b: &u8| quote.map_or(*b == b';' || b.is_ascii_whitespace(), |q| b == q);
        return Encoding::for_label(&label[..label.iter().position(ends).unwrap_or(label.len())]);
    }
}

/// Iterates over the attributes of a tag, with names in lower case; afterwards the rest after the tag remains.
struct Attributes<'a>(&'a [u8]);

impl<'a> Iterator for Attributes<'a> {
    type Item = (Vec<u8>, &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let skip = |rest: &'a [u8]| {
            let from = rest.iter().position(|b| !b.is_ascii_whitespace() && *b != b'/').unwrap_or(rest.len());
            &rest[from..]
        };
        let rest = skip(self.0);
        if rest.first().is_none_or(|b| *b == b'>') {
            // Further calls return `None` too.
            self.0 = rest;
            return None;
        }
        let ends = |(n, b): (usize, &u8)| b.is_ascii_whitespace() || b"/>".contains(b) || *b == b'=' && n > 0;
        let end = rest.iter().enumerate().position(ends).unwrap_or(rest.len());
        let (name, rest) = rest.split_at(end);
        let name = name.to_ascii_lowercase();
        let Some(rest) = rest.trim_ascii_start().strip_prefix(b"=") else {
            self.0 = rest;
            return Some((name, b""));
        };
        let rest = rest.trim_ascii_start();
        let (value, rest) = match rest {
            [quote @ (b'"' | b'\''), rest @ ..] => {
                let end = rest.iter().position(|b| b == quote).unwrap_or(rest.len());
                (&rest[..end], rest.get(end + 1..).unwrap_or_default())
            }
            _ => rest.split_at(rest.iter().position(|b| b.is_ascii_whitespace() || *b == b'>').unwrap_or(rest.len())),
        };
        self.0 = rest;
        Some((name, value))
    }
}

/// Returns where the end tag of an element starts.
fn end_tag(text: &[u8], name: &[u8]) -> Option<usize> {
    let is_end = |w: &[u8]| w.starts_with(b"</") && w[2..].eq_ignore_ascii_case(name);
    text.windows(name.len() + 2).position(is_end)
}

/// Returns where a comment ends that starts before `text`. It reads no further than that end, so that a text of
/// comments is scanned once.
fn comment_end(text: &[u8]) -> Option<usize> {
    let mut dashes = 0;
    text.iter().enumerate().find_map(|(at, byte)| {
        match byte {
            b'-' => dashes += 1,
            b'!' if dashes >= 2 && text.get(at + 1) == Some(&b'>') => return Some(at + 2),
            b'>' if dashes >= 2 => return Some(at + 1),
            _ => dashes = 0,
        }
        None
    })
}

fn find(text: &[u8], what: &[u8]) -> Option<usize> {
    text.windows(what.len()).position(|w| w == what)
}

#[cfg(test)]
mod tests {
    use encoding_rs::{
        EUC_KR, GBK, ISO_8859_2, ISO_8859_7, KOI8_R, SHIFT_JIS, WINDOWS_1250, WINDOWS_1251, WINDOWS_1252, WINDOWS_1254,
    };
    use proptest::prelude::*;

    use super::*;

    fn written(meta: &str, words: &str, encoding: &'static Encoding) -> Vec<u8> {
        let (bytes, _, wrong) = encoding.encode(words);
        assert!(!wrong);
        [format!("<!doctype html><html><head>{meta}</head><body>").as_bytes(), &bytes].concat()
    }

    const FRENCH: &str = "Les marées montent et descendent; à l’été, elles découvrent la grève.";
    const RUSSIAN: &str = "Приливы поднимаются и опускаются дважды в сутки, и море отступает далеко от берега.";
    const JAPANESE: &str = "潮は一日に二度満ちて引きます。海岸では注意が必要です。";

    #[test]
    fn what_a_page_names_is_believed() {
        for (meta, header, words, encoding) in [
            ("<meta charset=windows-1252>", None, FRENCH, WINDOWS_1252),
            ("<META http-equiv='Content-Type' content='text/html; charset=koi8-r'>", None, RUSSIAN, KOI8_R),
            ("<meta name=a content=b><meta charset = \"Shift_JIS\" />", None, JAPANESE, SHIFT_JIS),
            ("", Some("windows-1251"), RUSSIAN, WINDOWS_1251),
            // The header takes precedence over the page.
            ("<meta charset=koi8-r>", Some("windows-1251"), RUSSIAN, WINDOWS_1251),
            ("<!-- <meta charset=koi8-r> --><meta charset=windows-1251>", None, RUSSIAN, WINDOWS_1251),
            ("<meta charset=utf-16le>", None, FRENCH, UTF_8),
        ] {
            let text = page(&written(meta, words, encoding), header, None);
            assert!(text.ends_with(words), "{meta} {header:?}: {text}");
        }
        // Words about encodings are not the declaration.
        let talk = "<meta name=description content='charset=koi8-r'><title><meta charset=koi8-r></title>";
        let text = page(&written(&format!("{talk}<meta charset=windows-1251>"), RUSSIAN, WINDOWS_1251), None, None);
        assert!(text.ends_with(RUSSIAN), "{text}");
        let xml = [b"<?xml version='1.0' encoding='windows-1251'?>", &*WINDOWS_1251.encode(RUSSIAN).0].concat();
        assert!(page(&xml, None, None).ends_with(RUSSIAN));
    }

    #[test]
    fn the_name_counts_however_late_it_comes() {
        let script = format!("<script>{}</script>", "if (1 < 2) { write('<meta charset=utf-8>'); }\n".repeat(60));
        let style = format!("<style>{}</style>", "p { color: red } /* <!-- */\n".repeat(100));
        let comment = format!("<!-- {} -->", "<meta charset=koi8-r>\n".repeat(100));
        // Short words in an encoding that detection mistakes for another.
        for (words, encoding) in [("Žluťoučký kůň", WINDOWS_1250), ("Čaj", ISO_8859_2), ("Ελλάδα", ISO_8859_7)]
        {
            for before in [&script, &style, &comment, &format!("{comment}{script}{style}")] {
                for meta in [
                    format!("<meta charset={}>", encoding.name()),
                    format!("<meta http-equiv=content-type content='text/html;charset={}'>", encoding.name()),
                ] {
                    let text = page(&written(&format!("{before}{meta}"), words, encoding), None, None);
                    assert!(text.ends_with(words), "{meta}: {}", &text[text.len() - 40..]);
                }
            }
        }
    }

    proptest! {
        #[test]
        fn no_page_is_too_wild(parts in proptest::collection::vec(
            prop_oneof![
                Just("<meta ".to_owned()), Just("charset=".to_owned()), Just("<!--".to_owned()), Just("-->".to_owned()),
                Just("<script".to_owned()), Just("</script>".to_owned()), Just("<?xml encoding=".to_owned()),
                Just("http-equiv=content-type content='".to_owned()), "[ -~]{0,6}"
            ], 0..20)) {
            let html = parts.concat();
            prop_assert_eq!(page(html.as_bytes(), None, None), html);
        }
    }

    #[test]
    fn a_mark_goes_before_everything() {
        let marked = [b"\xef\xbb\xbf", FRENCH.as_bytes()].concat();
        assert_eq!(page(&marked, Some("windows-1251"), None), FRENCH);
        let wide: Vec<u8> = std::iter::once(0xfeff).chain(FRENCH.encode_utf16()).flat_map(u16::to_le_bytes).collect();
        assert_eq!(page(&wide, None, None), FRENCH);
    }

    #[test]
    fn what_is_not_named_or_not_true_is_guessed() {
        for (words, encoding, host) in [
            (FRENCH, UTF_8, None),
            (FRENCH, WINDOWS_1252, None),
            (RUSSIAN, WINDOWS_1251, Some("example.ru")),
            (RUSSIAN, KOI8_R, None),
            (JAPANESE, SHIFT_JIS, None),
            ("潮水每天涨落两次,海边的人都知道什么时候可以下海。", GBK, None),
            ("밀물과 썰물은 하루에 두 번 일어나며 바다는 멀리 물러난다.", EUC_KR, None),
            (
                "Gelgit günde iki kez yükselir ve alçalır; kıyıda dikkatli olmak gerekir, çünkü şaşırtır.",
                WINDOWS_1254,
                Some("example.com.tr"),
            ),
        ] {
            for header in [None, Some("utf-8"), Some("no-such-encoding")] {
                let text = page(&written("", words, encoding), header, host);
                assert!(text.ends_with(words), "{} {header:?}: {text}", encoding.name());
            }
        }
    }

    #[test]
    fn a_comment_ends_at_the_first_of_its_ends() {
        for (comment, end) in
            [("a-->b", Some(4)), ("a--!>b-->", Some(5)), ("a-- ->--->", Some(10)), ("--!-->", Some(6))]
        {
            assert_eq!(comment_end(comment.as_bytes()), end, "{comment}");
        }
        assert_eq!(comment_end(b"a->--!"), None);
        let named = "<!-- --!><meta charset=iso-8859-2><!-- <meta charset=koi8-r> -->";
        assert!(page(&written(named, "Čaj", ISO_8859_2), None, None).ends_with("Čaj"));
    }

    /// A scan that searches to the end of the page for each comment takes hours.
    #[test]
    fn a_page_of_comments_is_gone_through_once() {
        for comment in ["<!---->", "<!----!>", "<!----!-->"] {
            let html = comment.repeat(5_000_000 / comment.len());
            assert_eq!(page(html.as_bytes(), None, None), html, "{comment}");
        }
    }

    #[test]
    fn elements_of_plain_text_name_no_encoding() {
        let text = written("<meta charset=koi8-r>", RUSSIAN, WINDOWS_1251);
        assert!(plain(&text, None).ends_with(RUSSIAN));
        assert!(plain(&text, Some("windows-1251")).ends_with(RUSSIAN));
        assert_eq!(plain(FRENCH.as_bytes(), None), FRENCH);
    }

    #[test]
    fn one_broken_character_does_not_change_the_encoding() {
        let mut bytes = written("<meta charset=utf-8>", &FRENCH.repeat(20), UTF_8);
        bytes.extend_from_slice(b" \xff end");
        let text = page(&bytes, None, None);
        assert!(text.contains("marées") && text.ends_with("\u{fffd} end"), "{text}");
    }
}
