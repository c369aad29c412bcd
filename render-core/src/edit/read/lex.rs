//! Splits a prompt into pieces: words, quoted text, numbers, colours, signs.

use std::ops::Range;

use crate::scene::Color;

use super::super::UPLOADED;

/// The content of a piece of a prompt.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Raw {
    /// A word, or a sign that can replace one, in lower case and without accents.
    Word(String),
    /// Text in quotation marks, without the marks.
    Quoted(String),
    /// A number.
    Num(f32),
    /// A colour as `#abc`, `#aabbcc` or `rgb(…)`.
    Colour(Color),
    /// A handle or an address.
    Name(String),
    /// A mark that can end a clause.
    Mark(char),
}

/// A piece and its byte range in the prompt.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Piece {
    /// Its content.
    pub(super) raw: Raw,
    /// Its byte range, including quotation marks.
    pub(super) at: Range<usize>,
}

/// Converts a text to lower case without accents, so that "Größer", "GRÖSSER" and "grosser" are the same word.
pub(super) fn fold(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars().flat_map(char::to_lowercase) {
        let plain = match c {
            'à' | 'á' | 'â' | 'ã' | 'ä' | 'å' => "a",
            'ç' => "c",
            'è' | 'é' | 'ê' | 'ë' => "e",
            'ì' | 'í' | 'î' | 'ï' | 'ı' => "i",
            'ñ' => "n",
            'ò' | 'ó' | 'ô' | 'õ' | 'ö' | 'ø' => "o",
            'ù' | 'ú' | 'û' | 'ü' => "u",
            'ý' | 'ÿ' => "y",
            'ß' => "ss",
            'œ' => "oe",
            'æ' => "ae",
            // Combining accents of decomposed or lower-cased text.
            '\u{300}'..='\u{36f}' => "",
            c => {
                out.push(c);
                continue;
            }
        };
        out.push_str(plain);
    }
    out
}

/// Returns whether a character belongs to a script without spaces between words.
pub(in super::super) fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{e00}'..='\u{e7f}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}')
}

/// Returns the closing quotation marks that match an opening one.
fn closers(open: char) -> &'static [char] {
    match open {
        '"' | '“' | '”' | '„' => &['"', '”', '“'],
        '«' => &['»'],
        '»' => &['«'],
        '‹' => &['›'],
        '「' => &['」'],
        '『' => &['』'],
        '\'' | '‘' | '’' | '‚' => &['\'', '’', '‘'],
        '`' => &['`'],
        _ => &[],
    }
}

/// Splits a prompt into pieces. `known` divides runs of scripts without spaces: it returns the length in bytes of the
/// longest known word at the start of a text.
pub(super) fn pieces(text: &str, known: impl Fn(&str) -> Option<usize>) -> Vec<Piece> {
    let mut out: Vec<Piece> = Vec::new();
    let mut at = 0;
    while let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) {
        let rest = text.get(at..).unwrap_or_default();
        let before = text.get(..at).and_then(|t| t.chars().next_back());
        let end = at + c.len_utf8();
        let mut push = |raw: Raw, len: usize| out.push(Piece { raw, at: at..at + len });
        if let Some((inner, len)) = quoted(rest, before) {
            push(Raw::Quoted(inner.to_owned()), len);
            at += len;
        } else if let Some((color, len)) = colour(rest) {
            push(Raw::Colour(color), len);
            at += len;
        } else if let Some(len) = name(rest, before) {
            push(Raw::Name(rest.get(..len).unwrap_or_default().to_owned()), len);
            at += len;
        } else if let Some((number, len)) = number(rest) {
            push(Raw::Num(number), len);
            at += len;
        } else if is_unspaced(c) {
            let run = rest.find(|c| !is_unspaced(c)).unwrap_or(rest.len());
            let run = rest.get(..run).unwrap_or_default();
            let len = known(run).unwrap_or_else(|| {
                let next = run.char_indices().skip(1).find(|(i, _)| run.get(*i..).and_then(&known).is_some());
                next.map_or(run.len(), |(i, _)| i)
            });
            push(Raw::Word(run.get(..len).unwrap_or_default().to_owned()), len);
            at += len.max(1);
        } else if c.is_alphanumeric() {
            let len = rest.find(|c: char| !is_inner(c) || is_unspaced(c)).unwrap_or(rest.len());
            word(rest.get(..len).unwrap_or_default(), at, &mut out);
            at += len;
        } else {
            let sign = ["->", "=>", "→", "=", "&", "+", "%", "％", "٪"].into_iter().find(|s| rest.starts_with(s));
            match (sign, c) {
                (Some(sign), _) => {
                    push(Raw::Word(sign.to_owned()), sign.len());
                    at += sign.len();
                    continue;
                }
                (
                    None,
                    '.' | ',' | ';' | ':' | '!' | '?' | '\n' | '。' | '、' | '，' | '：' | '；' | '؛' | '،' | '•',
                ) => {
                    push(Raw::Mark(ascii(c)), c.len_utf8());
                }
                _ => {}
            }
            at = end;
        }
    }
    out
}

/// Returns the Western equivalent of a punctuation mark.
fn ascii(c: char) -> char {
    match c {
        '。' | '!' | '?' => '.',
        '、' | '，' | '،' => ',',
        '；' | '؛' | '\n' | '•' => ';',
        '：' => ':',
        c => c,
    }
}

fn is_inner(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '\'' | '’' | '\u{300}'..='\u{36f}') || is_joined(c)
}

/// Returns whether a character is a vowel sign, a point or a joiner. In scripts of the Near East and of India it
/// belongs to the letter before it.
fn is_joined(c: char) -> bool {
    matches!(
        c,
        '\u{5b0}'..='\u{5bd}' | '\u{5bf}' | '\u{5c1}'..='\u{5c2}' | '\u{640}' | '\u{64b}'..='\u{65f}' | '\u{670}'
            | '\u{900}'..='\u{903}' | '\u{93a}'..='\u{94f}' | '\u{980}'..='\u{983}' | '\u{9bc}'..='\u{9cd}'
            | '\u{b82}' | '\u{bbe}'..='\u{bcd}' | '\u{200c}' | '\u{200d}'
    )
}

/// Pushes a word and splits it at an apostrophe: "l'icône" is two words, "headline's" is one.
fn word(text: &str, at: usize, out: &mut Vec<Piece>) {
    let text = text.trim_end_matches(['\'', '’']);
    let at_all = at..at + text.len();
    let Some((i, mark)) = text.char_indices().find(|(_, c)| matches!(c, '\'' | '’')) else {
        out.push(Piece { raw: Raw::Word(fold(text)), at: at_all });
        return;
    };
    let (first, rest) = (text.get(..i).unwrap_or_default(), text.get(i + mark.len_utf8()..).unwrap_or_default());
    let tail = fold(rest);
    match tail.as_str() {
        "s" => out.push(Piece { raw: Raw::Word(fold(first)), at: at_all }),
        "t" | "ll" | "d" | "re" | "ve" | "m" => out.push(Piece { raw: Raw::Word(fold(first) + &tail), at: at_all }),
        _ => {
            out.push(Piece { raw: Raw::Word(fold(first)), at: at..at + i });
            word(rest, at + i + mark.len_utf8(), out);
        }
    }
}

/// Returns the quoted text at the start of `rest` and its length in bytes including the quotation marks.
fn quoted(rest: &str, before: Option<char>) -> Option<(&str, usize)> {
    let open = rest.chars().next()?;
    let close = closers(open);
    let single = matches!(open, '\'' | '‘' | '’' | '‚');
    if close.is_empty() || single && before.is_some_and(char::is_alphanumeric) {
        return None;
    }
    let inner = rest.get(open.len_utf8()..)?;
    if open == '’' && !inner.starts_with(char::is_alphanumeric) {
        return None;
    }
    let found = inner.char_indices().find(|(i, c)| {
        let after = inner.get(i + c.len_utf8()..).and_then(|t| t.chars().next());
        close.contains(c) && *i > 0 && !(single && after.is_some_and(char::is_alphanumeric))
    });
    let (end, c) = found?;
    let said = inner.get(..end)?.trim();
    (!said.is_empty()).then_some((said, open.len_utf8() + end + c.len_utf8()))
}

fn colour(rest: &str) -> Option<(Color, usize)> {
    if let Some(digits) = rest.strip_prefix('#') {
        let len = digits.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(digits.len());
        let digits = digits.get(..len)?;
        let long = match len {
            3 => digits.chars().flat_map(|c| [c, c]).collect(),
            6 => digits.to_owned(),
            _ => return None,
        };
        return Some((Color::parse(&format!("#{long}"))?, len + 1));
    }
    let head = rest.get(..4)?;
    if !head.eq_ignore_ascii_case("rgb(") {
        return None;
    }
    let inner = rest.get(4..)?;
    let end = inner.find(')')?;
    let channels: Vec<u8> =
        inner.get(..end)?.split([',', ' ']).filter(|s| !s.is_empty()).filter_map(|s| s.parse().ok()).collect();
    let [r, g, b] = channels.as_slice() else { return None };
    Some((Color::rgb8(*r, *g, *b), end + 5))
}

/// Returns whether a text is a web URL or the address of an uploaded file.
pub(super) fn is_url(text: &str) -> bool {
    if let Some(id) = text.strip_prefix(UPLOADED) {
        return !id.is_empty() && id.chars().all(|c| c.is_ascii_hexdigit() || c == '-');
    }
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    rest.is_some_and(|rest| rest.starts_with(char::is_alphanumeric) && !rest.contains(char::is_whitespace))
}

/// Returns the length in bytes of a handle or an address at the start of `rest`.
fn name(rest: &str, before: Option<char>) -> Option<usize> {
    if before.is_some_and(|c| c.is_alphanumeric()) {
        return None;
    }
    let len =
        rest.find(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '"' | '“' | '”' | ')')).unwrap_or(rest.len());
    let text = rest.get(..len)?.trim_end_matches(['.', '!', '?', ':']);
    if text.strip_prefix('@').is_some_and(|t| t.starts_with(char::is_alphanumeric)) {
        return Some(text.len());
    }
    if is_url(text) {
        return Some(text.len());
    }
    let host = text.split('/').next()?;
    let (_, end) = host.rsplit_once('.')?;
    let is_address = (2..=10).contains(&end.len())
        && end.chars().all(|c| c.is_ascii_lowercase())
        && host.split('.').all(|l| !l.is_empty() && l.chars().all(|c| c.is_alphanumeric() || c == '-'));
    (is_address || text.starts_with("http")).then_some(text.len())
}

/// Returns the number at the start of `rest` and its length in bytes. "2nd" and "3D" are words.
fn number(rest: &str) -> Option<(f32, usize)> {
    let signed = rest.strip_prefix('#').unwrap_or(rest);
    let skipped = rest.len() - signed.len();
    let whole = signed.find(|c: char| !c.is_ascii_digit()).unwrap_or(signed.len());
    if whole == 0 || whole > 6 {
        return None;
    }
    let mut len = whole;
    let tail = signed.get(whole..)?;
    if let Some(decimals) = tail.strip_prefix(['.', ',']) {
        let n = decimals.find(|c: char| !c.is_ascii_digit()).unwrap_or(decimals.len());
        if (1..=2).contains(&n) {
            len += n + 1;
        }
    }
    let after = signed.get(len..)?;
    let letters = after.find(|c: char| !c.is_alphanumeric()).unwrap_or(after.len());
    let unit = after.get(..letters)?;
    let unspaced = unit.starts_with(is_unspaced);
    if !(unit.is_empty() || unspaced || matches!(unit, "x" | "px" | "pt" | "du" | "X")) {
        return None;
    }
    let value: f32 = signed.get(..len)?.replace(',', ".").parse().ok()?;
    Some((value, skipped + len))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raws(text: &str) -> Vec<Raw> {
        pieces(text, |_| None).into_iter().map(|p| p.raw).collect()
    }

    fn word(text: &str) -> Raw {
        Raw::Word(text.into())
    }

    #[test]
    fn quotes_of_any_kind_hold_text() {
        for text in ["say \"A b, c\"", "say “A b, c”", "say „A b, c“", "say 'A b, c'", "say ‘A b, c’", "say «A b, c»"]
        {
            assert_eq!(raws(text), [word("say"), Raw::Quoted("A b, c".into())], "{text}");
        }
        assert_eq!(raws("don't 'it's so' x's"), [word("dont"), Raw::Quoted("it's so".into()), word("x")]);
        assert_eq!(raws("l'icône"), [word("l"), word("icone")]);
    }

    #[test]
    fn numbers_colours_and_names_are_told_apart() {
        assert_eq!(raws("20%"), [Raw::Num(20.0), word("%")]);
        assert_eq!(raws("1,5x #3"), [Raw::Num(1.5), word("x"), Raw::Num(3.0)]);
        assert_eq!(raws("2nd"), [word("2nd")]);
        assert_eq!(raws("#fff"), [Raw::Colour(Color::WHITE)]);
        assert_eq!(raws("rgb(255, 0, 0)."), [Raw::Colour(Color::hex(0xff0000)), Raw::Mark('.')]);
        assert_eq!(
            raws("@acme, acme.com."),
            [Raw::Name("@acme".into()), Raw::Mark(','), Raw::Name("acme.com".into()), Raw::Mark('.')]
        );
    }
}
