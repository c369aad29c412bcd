//! Character references: XML's, and HTML's names for common characters.

use std::borrow::Cow;

use super::is_xml;

/// Maximum length of a reference between `&` and `;`.
const LONGEST: usize = 12;

/// HTML names of characters.
const NAMED: &[(&str, char)] = &[
    ("nbsp", '\u{a0}'),
    ("ensp", '\u{2002}'),
    ("emsp", '\u{2003}'),
    ("thinsp", '\u{2009}'),
    ("shy", '\u{ad}'),
    ("zwj", '\u{200d}'),
    ("zwnj", '\u{200c}'),
    ("ndash", '–'),
    ("mdash", '—'),
    ("minus", '−'),
    ("hellip", '…'),
    ("lsquo", '‘'),
    ("rsquo", '’'),
    ("sbquo", '‚'),
    ("ldquo", '“'),
    ("rdquo", '”'),
    ("bdquo", '„'),
    ("lsaquo", '‹'),
    ("rsaquo", '›'),
    ("laquo", '«'),
    ("raquo", '»'),
    ("iexcl", '¡'),
    ("iquest", '¿'),
    ("copy", '©'),
    ("reg", '®'),
    ("trade", '™'),
    ("sect", '§'),
    ("para", '¶'),
    ("deg", '°'),
    ("micro", 'µ'),
    ("middot", '·'),
    ("bull", '•'),
    ("times", '×'),
    ("divide", '÷'),
    ("plusmn", '±'),
    ("ne", '≠'),
    ("le", '≤'),
    ("ge", '≥'),
    ("asymp", '≈'),
    ("infin", '∞'),
    ("permil", '‰'),
    ("frac12", '½'),
    ("frac14", '¼'),
    ("frac34", '¾'),
    ("sup2", '²'),
    ("sup3", '³'),
    ("euro", '€'),
    ("pound", '£'),
    ("yen", '¥'),
    ("cent", '¢'),
    ("larr", '←'),
    ("uarr", '↑'),
    ("rarr", '→'),
    ("darr", '↓'),
    ("harr", '↔'),
    ("check", '✓'),
    ("cross", '✗'),
    ("star", '☆'),
    ("starf", '★'),
    ("hearts", '♥'),
    ("auml", 'ä'),
    ("ouml", 'ö'),
    ("uuml", 'ü'),
    ("Auml", 'Ä'),
    ("Ouml", 'Ö'),
    ("Uuml", 'Ü'),
    ("szlig", 'ß'),
    ("agrave", 'à'),
    ("acirc", 'â'),
    ("aacute", 'á'),
    ("atilde", 'ã'),
    ("aring", 'å'),
    ("aelig", 'æ'),
    ("ccedil", 'ç'),
    ("egrave", 'è'),
    ("eacute", 'é'),
    ("ecirc", 'ê'),
    ("euml", 'ë'),
    ("Eacute", 'É'),
    ("iacute", 'í'),
    ("icirc", 'î'),
    ("iuml", 'ï'),
    ("ntilde", 'ñ'),
    ("oacute", 'ó'),
    ("ocirc", 'ô'),
    ("otilde", 'õ'),
    ("oslash", 'ø'),
    ("oelig", 'œ'),
    ("ugrave", 'ù'),
    ("uacute", 'ú'),
    ("ucirc", 'û'),
];

/// Returns the XML for the `&` at the start of `text`, and the number of bytes that it replaces. An `&` that starts no
/// reference stands for itself; a reference to a character that XML can't hold is removed.
pub(super) fn reference(text: &str) -> (usize, Cow<'_, str>) {
    let stray = (1, Cow::Borrowed("&amp;"));
    let is_part = |b: &u8| b.is_ascii_alphanumeric() || *b == b'#';
    let len = text.bytes().skip(1).take(LONGEST).take_while(is_part).count();
    let Some(whole) = text.get(..len + 2).filter(|whole| whole.ends_with(';')) else { return stray };
    let name = &whole[1..=len];
    let with = match name {
        "amp" | "lt" | "gt" | "quot" | "apos" => Some(Cow::Borrowed(whole)),
        _ if name.starts_with('#') => code(&name[1..]).map(|code| match char::from_u32(code).filter(|c| is_xml(*c)) {
            Some(_) => Cow::Owned(format!("&#{code};")),
            None => Cow::Borrowed(""),
        }),
        _ => NAMED.iter().find(|(known, _)| *known == name).map(|(_, c)| Cow::Owned(c.to_string())),
    };
    with.map_or(stray, |with| (whole.len(), with))
}

/// Returns the number of a numeric reference, without its `#`.
fn code(digits: &str) -> Option<u32> {
    match digits.strip_prefix(['x', 'X']) {
        Some(hex) => u32::from_str_radix(hex, 16).ok(),
        None => digits.parse().ok(),
    }
}
