//! Bytes to text: what the page says of its encoding, and where that is not true, what it looks like.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

/// Bytes from the start in which a page must name its encoding (HTML Standard, 13.2.3.2).
const PRESCAN: usize = 1024;

/// The text of a page: by its byte order mark, the header, its own word, or what its bytes are like; in that order, but
/// a name that the bytes belie is passed over.
pub(crate) fn decode(bytes: &[u8], header: Option<&str>, host: Option<&str>) -> String {
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        return encoding.decode_without_bom_handling(&bytes[mark..]).0.into_owned();
    }
    // Words of another encoding are not UTF-8 by chance.
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

/// Whether a text has few characters that could not be read, beside those that were.
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
    // The detector knows what is usual under a country's domain; it takes no other spelling than lower-case letters.
    let country = host.and_then(|h| h.rsplit('.').next()).filter(|t| t.bytes().all(|b| b.is_ascii_lowercase()));
    detector.guess(country.filter(|t| !t.is_empty()).map(str::as_bytes), Utf8Detection::Allow)
}

/// What a `meta` element or an XML declaration at the start names.
fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = bytes[..bytes.len().min(PRESCAN)].to_ascii_lowercase();
    let xml = head.trim_ascii_start().starts_with(b"<?xml").then(|| label_after(&head, b"encoding")).flatten();
    let encoding = xml.or_else(|| {
        let mut rest = without_comments(&head);
        while let Some(at) = find(&rest, b"<meta") {
            let tag = &rest[at..];
            let end = tag.iter().position(|b| *b == b'>').unwrap_or(tag.len());
            if let Some(encoding) = label_after(&tag[..end], b"charset") {
                return Some(encoding);
            }
            rest = rest[at + 5..].to_vec();
        }
        None
    })?;
    // What is read as ASCII up to here is not UTF-16, whatever it says.
    Some(if encoding == UTF_16BE || encoding == UTF_16LE { UTF_8 } else { encoding })
}

fn without_comments(head: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = head;
    while let Some(start) = find(rest, b"<!--") {
        out.extend_from_slice(&rest[..start]);
        rest = match find(&rest[start..], b"-->") {
            Some(end) => &rest[start + end + 3..],
            None => &[],
        };
    }
    out.extend_from_slice(rest);
    out
}

/// The encoding behind `name=`, with or without quotation marks.
fn label_after(text: &[u8], name: &[u8]) -> Option<&'static Encoding> {
    let at = find(text, name)? + name.len();
    let rest = text[at..].trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
    let rest = rest.strip_prefix(b"\"").or_else(|| rest.strip_prefix(b"'")).unwrap_or(rest);
    let end = rest.iter().position(|b| b"\"' ;/>?\t\r\n".contains(b)).unwrap_or(rest.len());
    Encoding::for_label(&rest[..end])
}

fn find(text: &[u8], what: &[u8]) -> Option<usize> {
    text.windows(what.len()).position(|w| w == what)
}

#[cfg(test)]
mod tests {
    use encoding_rs::{EUC_KR, GBK, KOI8_R, SHIFT_JIS, WINDOWS_1251, WINDOWS_1252, WINDOWS_1254};

    use super::*;

    fn page(meta: &str, words: &str, encoding: &'static Encoding) -> Vec<u8> {
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
            // The header goes before the page.
            ("<meta charset=koi8-r>", Some("windows-1251"), RUSSIAN, WINDOWS_1251),
            ("<!-- <meta charset=koi8-r> --><meta charset=windows-1251>", None, RUSSIAN, WINDOWS_1251),
            ("<meta charset=utf-16le>", None, FRENCH, UTF_8),
        ] {
            let text = decode(&page(meta, words, encoding), header, None);
            assert!(text.ends_with(words), "{meta} {header:?}: {text}");
        }
        let xml = [b"<?xml version='1.0' encoding='windows-1251'?>", &*WINDOWS_1251.encode(RUSSIAN).0].concat();
        assert!(decode(&xml, None, None).ends_with(RUSSIAN));
    }

    #[test]
    fn a_mark_goes_before_everything() {
        let marked = [b"\xef\xbb\xbf", FRENCH.as_bytes()].concat();
        assert_eq!(decode(&marked, Some("windows-1251"), None), FRENCH);
        let wide: Vec<u8> = std::iter::once(0xfeff).chain(FRENCH.encode_utf16()).flat_map(u16::to_le_bytes).collect();
        assert_eq!(decode(&wide, None, None), FRENCH);
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
                let text = decode(&page("", words, encoding), header, host);
                assert!(text.ends_with(words), "{} {header:?}: {text}", encoding.name());
            }
        }
    }

    #[test]
    fn one_broken_character_does_not_change_the_encoding() {
        let mut bytes = page("<meta charset=utf-8>", &FRENCH.repeat(20), UTF_8);
        bytes.extend_from_slice(b" \xff end");
        let text = decode(&bytes, None, None);
        assert!(text.contains("marées") && text.ends_with("\u{fffd} end"), "{text}");
    }
}
