//! Typographic clean-up: replaces keyboard characters by typographic ones.
//!
//! Only marks change; letters and digits never do. Addresses and code are unchanged.

use unicode_script::{Script, UnicodeScript};

use super::token::{is_address, is_wrapper};
use crate::content::Language;
use crate::content::words::is_unspaced;

/// Units that a no-break space joins to the preceding number.
const UNITS: &[&str] = &[
    "%", "‰", "°", "°C", "°F", "€", "$", "£", "¥", "₽", "zł", "Kč", "kr", "EUR", "USD", "GBP", "CHF", "mm", "cm", "m",
    "km", "m²", "km²", "m³", "ml", "cl", "l", "L", "mg", "g", "kg", "t", "ms", "s", "sec", "min", "h", "hrs", "W",
    "kW", "MW", "GW", "TW", "Wh", "kWh", "MWh", "GWh", "TWh", "V", "A", "mA", "Hz", "kHz", "MHz", "GHz", "kB", "KB",
    "MB", "GB", "TB", "px", "pt", "dpi", "Mio", "Mrd", "млн", "млрд", "тыс", "руб", "мин", "ч", "кг", "км", "м", "см",
    "г", "т",
];

/// The quotation marks of a language: outer pair, inner pair.
struct Quotes {
    outer: [&'static str; 2],
    inner: [&'static str; 2],
}

impl Quotes {
    /// Returns the delimiters of the Common Locale Data Repository, by the tag and by its first part. Arabic has the
    /// marks used in print.
    fn of(tag: &str) -> Self {
        let primary = tag.split('-').next().unwrap_or(tag);
        let (outer, inner) = match (tag, primary) {
            ("de-CH" | "de-LI", _) => (["«", "»"], ["‹", "›"]),
            ("fr-CH", _) => (["«", "»"], ["‹", "›"]),
            ("pt-PT", _) => (["«", "»"], ["“", "”"]),
            ("zh-TW" | "zh-HK" | "zh-MO", _) | (_, "ja") => (["「", "」"], ["『", "』"]),
            (tag, "zh" | "yue") if tag.contains("Hant") => (["「", "」"], ["『", "』"]),
            (_, "de" | "cs" | "sk" | "sl" | "bg" | "is" | "lt" | "et" | "ka" | "mk" | "lb") => (["„", "“"], ["‚", "‘"]),
            (_, "fr") => (["«\u{202f}", "\u{202f}»"], ["“", "”"]),
            (_, "ru" | "uk" | "be" | "ky") => (["«", "»"], ["„", "“"]),
            ("es" | "es-ES", _) | (_, "el" | "ca" | "gl" | "sq" | "ar") => (["«", "»"], ["“", "”"]),
            (_, "nb" | "nn" | "no") => (["«", "»"], ["‘", "’"]),
            (_, "hy" | "fa" | "am") => (["«", "»"], ["‹", "›"]),
            (_, "pl" | "ro" | "hu" | "hr" | "bs" | "sr") => (["„", "”"], ["‚", "’"]),
            (_, "sv" | "fi" | "he") => (["”", "”"], ["’", "’"]),
            _ => (["“", "”"], ["‘", "’"]),
        };
        Self { outer, inner }
    }
}

/// Replaces straight quotation marks by those of `language`, and inserts apostrophes, dashes, ellipses, true minus and
/// multiplication signs, and no-break spaces between numbers and units. Letters and digits, URLs, handles and code stay
/// unchanged. The function is idempotent.
pub fn polish(text: &str, language: &Language) -> String {
    polish_in(text, language.code())
}

fn polish_in(text: &str, language: &str) -> String {
    let text = rewrite(text, signs);
    let quotes = Quotes::of(language);
    let mut open = Open::default();
    let text = rewrite(&text, |at, out| quote(at, out, &quotes, &mut open));
    let french = language == "fr" || language.starts_with("fr-");
    rewrite(&text, |at, out| space(at, out, french))
}

/// A position in a text.
struct At<'a> {
    chars: &'a [char],
    i: usize,
}

impl At<'_> {
    /// Returns the character at offset `d`, if there is one.
    fn get(&self, d: isize) -> Option<char> {
        self.i.checked_add_signed(d).and_then(|i| self.chars.get(i)).copied()
    }

    fn is(&self, d: isize, test: impl Fn(char) -> bool) -> bool {
        self.get(d).is_some_and(test)
    }

    /// Returns whether a word can start here: at the start of the text, or after a space or an opening mark.
    fn at_start(&self) -> bool {
        self.get(-1).is_none_or(|c| c.is_whitespace() || "([{–—/\"'“„«‚‘‹「『".contains(c))
    }

    fn starts_with(&self, text: &str) -> bool {
        text.chars().zip(0..).all(|(c, d)| self.get(d) == Some(c))
    }
}

/// Copies `text`. At each character, `rule` may write a replacement; it returns how many characters it replaced, 0 for
/// none.
fn rewrite(text: &str, mut rule: impl FnMut(&At<'_>, &mut String) -> usize) -> String {
    let chars: Vec<char> = text.chars().collect();
    let fixed = protected(text);
    let mut out = String::with_capacity(text.len() + 8);
    let mut i = 0;
    while i < chars.len() {
        let taken = if fixed[i] { 0 } else { rule(&At { chars: &chars, i }, &mut out) };
        if taken == 0 {
            out.push(chars[i]);
        }
        i += taken.max(1);
    }
    out
}

/// Returns for each character whether it belongs to an address or to code.
fn protected(text: &str) -> Vec<bool> {
    let mut fixed = Vec::with_capacity(text.len());
    let mut in_code = false;
    for word in text.split_inclusive(char::is_whitespace) {
        let token = word.trim_end();
        let core = token.trim_matches(is_wrapper);
        let lead = token.chars().take_while(|c| is_wrapper(*c)).count();
        // A quotation mark opened inside the token is closed inside it: `size="4"`.
        let closing = token.chars().nth(lead + core.chars().count()).filter(|c| matches!(c, '"' | '\''));
        let inside = closing.is_some_and(|c| core.matches(c).count() % 2 == 1);
        let core_end = lead + core.chars().count() + usize::from(inside);
        let keep = is_address(token) || is_code(core);
        for (i, c) in word.chars().enumerate() {
            let tick = c == '`';
            fixed.push(tick || in_code || (keep && (lead..core_end).contains(&i)));
            in_code ^= tick;
        }
    }
    if in_code {
        // An unpaired backtick starts no code.
        return protected(&text.replace('`', "_"));
    }
    fixed
}

fn is_code(core: &str) -> bool {
    let flag = core.trim_start_matches('-');
    core.contains(['_', '\\', '{', '}', '=', '<', '>', '|'])
        || core.contains("::")
        || core.contains("&&")
        || core.starts_with("0x")
        || core.matches('/').count() > 1
        || (flag.len() < core.len() && flag.starts_with(|c: char| c.is_ascii_alphabetic()))
}

/// Replaces dashes, minus, ellipsis and multiplication signs.
fn signs(at: &At<'_>, out: &mut String) -> usize {
    let alone = |d: isize, c: char| at.get(-1) != Some(c) && at.get(d) != Some(c);
    let digit = |c: char| c.is_ascii_digit();
    match at.get(0) {
        Some('.') if at.starts_with("...") && alone(3, '.') => {
            out.push('…');
            3
        }
        Some('-') if at.starts_with("--") && alone(2, '-') => {
            let (before, after) = (at.get(-1).unwrap_or(' '), at.get(2).unwrap_or(' '));
            if before.is_alphabetic() && after.is_alphabetic() {
                out.push_str(" – ");
            } else if (before == ' ' && after == ' ' && follows_word(at)) || (digit(before) && digit(after)) {
                out.push('–');
            } else {
                return 0;
            }
            2
        }
        Some('-') if alone(1, '-') => {
            if at.is(-1, |c| c == ' ') && at.is(1, |c| c == ' ') && follows_word(at) {
                out.push('–');
            } else if at.at_start() && at.is(1, digit) {
                out.push('−');
            } else {
                return 0;
            }
            1
        }
        Some('x') => {
            let tight = at.is(-1, digit) && at.is(1, digit);
            let loose = at.is(-1, |c| c == ' ') && at.is(1, |c| c == ' ') && at.is(-2, digit) && at.is(2, digit);
            if tight || loose {
                out.push('×');
            }
            usize::from(tight || loose)
        }
        _ => 0,
    }
}

/// Returns whether text precedes on the line; a dash at the start of a line is a bullet.
fn follows_word(at: &At<'_>) -> bool {
    at.chars[..at.i].iter().rev().take_while(|c| **c != '\n').any(|c| !c.is_whitespace())
}

/// Straight marks that are open.
#[derive(Default)]
struct Open {
    double: bool,
    single: bool,
}

fn quote(at: &At<'_>, out: &mut String, quotes: &Quotes, open: &mut Open) -> usize {
    let word = |c: char| c.is_alphanumeric();
    let before = at.is(-1, |c| !c.is_whitespace());
    let after = at.is(1, |c| !c.is_whitespace());
    match at.get(0) {
        Some('"') if at.at_start() && after => {
            open.double = true;
            out.push_str(quotes.outer[0]);
        }
        // For scripts without spaces, and for prefixes written together with their words.
        Some('"') if !open.double && after && at.is(-1, joins_words) && closes_double_later(at) => {
            open.double = true;
            out.push_str(quotes.outer[0]);
        }
        Some('"') if at.is(-1, |c| c.is_ascii_digit()) && (!open.double || follows_feet(at)) => out.push('″'),
        Some('"') if before => {
            open.double = false;
            out.push_str(quotes.outer[1]);
        }
        // In "rock 'n' roll", the "n" has lost letters on both sides.
        Some('\'') if at.starts_with("'n'") && !at.is(3, word) => {
            out.push_str("’n’");
            return 3;
        }
        Some('\'') if at.at_start() && is_elided(at) => out.push('’'),
        Some('\'') if at.at_start() && at.is(1, |c| c.is_alphabetic() || c == '"') && closes_later(at) => {
            open.single = true;
            out.push_str(quotes.inner[0]);
        }
        Some('\'') if open.single && before && !at.is(1, word) => {
            open.single = false;
            out.push_str(quotes.inner[1]);
        }
        Some('\'') if at.is(-1, |c| c.is_ascii_digit()) && (!at.is(1, word) || is_feet(at)) => out.push('′'),
        Some('\'') if before || after => out.push('’'),
        _ => return 0,
    }
    1
}

/// Returns whether words can follow this letter without a space.
fn joins_words(c: char) -> bool {
    let wide = matches!(c, '、' | '，' | '。' | '：' | '；' | '！' | '？' | '（');
    wide || is_unspaced(c) || matches!(c.script(), Script::Arabic | Script::Hebrew)
}

/// Returns whether a double mark follows on this line.
fn closes_double_later(at: &At<'_>) -> bool {
    at.chars[at.i + 1..].iter().take_while(|c| **c != '\n').any(|c| *c == '"')
}

/// Returns whether a mark replaces letters that English omits at the start of a word.
fn is_elided(at: &At<'_>) -> bool {
    let word: String =
        at.chars[at.i + 1..].iter().take(6).take_while(|c| c.is_alphabetic()).flat_map(|c| c.to_lowercase()).collect();
    matches!(word.as_str(), "tis" | "twas" | "twill" | "til" | "em" | "cause" | "bout")
}

/// Returns whether a mark between digits means feet: inches and their mark follow.
fn is_feet(at: &At<'_>) -> bool {
    let inches = at.chars[at.i + 1..].iter().take_while(|c| c.is_ascii_digit()).count();
    let behind = at.get(1 + inches as isize);
    (1..=2).contains(&inches) && !behind.is_some_and(|c| c.is_alphanumeric() || c == '\'')
}

/// Returns whether the digits before a mark follow feet: 5′10.
fn follows_feet(at: &At<'_>) -> bool {
    let digits = at.chars[..at.i].iter().rev().take_while(|c| c.is_ascii_digit()).count();
    let mark = at.get(-(digits as isize) - 1);
    let feet = at.get(-(digits as isize) - 2).is_some_and(|c| c.is_ascii_digit());
    feet && matches!(mark, Some('\'' | '′'))
}

/// Returns whether a closing single mark follows on this line.
fn closes_later(at: &At<'_>) -> bool {
    let line = at.chars[at.i..].iter().take_while(|c| **c != '\n').count();
    let rest = &at.chars[at.i..at.i + line];
    (2..rest.len()).any(|i| {
        let closed = rest.get(i + 1).is_none_or(|c| !c.is_alphanumeric());
        rest[i] == '\'' && !rest[i - 1].is_whitespace() && closed
    })
}

/// Inserts no-break spaces between number and unit, and around French marks.
fn space(at: &At<'_>, out: &mut String, french: bool) -> usize {
    if at.get(0) != Some(' ') {
        return 0;
    }
    let rest = &at.chars[at.i + 1..];
    let next: String = rest.iter().take_while(|c| !c.is_whitespace()).collect();
    let unit = next.trim_end_matches(is_wrapper);
    let bound = if at.is(-1, |c| c.is_ascii_digit()) && UNITS.contains(&unit) {
        '\u{a0}'
    } else if french && (at.is(-1, |c| c == '«') || matches!(next.as_str(), "»" | ";" | "!" | "?")) {
        '\u{202f}'
    } else if french && next == ":" && at.is(-1, |c| !c.is_whitespace()) {
        '\u{a0}'
    } else {
        return 0;
    };
    out.push(bound);
    1
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn quotation_marks_are_the_language_s() {
        for (language, want) in [
            ("en", "She said “it’s ‘fine’ now”."),
            ("de", "She said „it’s ‚fine‘ now“."),
            ("fr", "She said «\u{202f}it’s “fine” now\u{202f}»."),
            ("ru", "She said «it’s „fine“ now»."),
            ("it", "She said “it’s ‘fine’ now”."),
            ("es", "She said «it’s “fine” now»."),
            ("es-MX", "She said “it’s ‘fine’ now”."),
            ("de-CH", "She said «it’s ‹fine› now»."),
            ("ja", "She said 「it’s 『fine』 now」."),
            ("zh-Hant-HK", "She said 「it’s 『fine』 now」."),
            ("zh", "She said “it’s ‘fine’ now”."),
        ] {
            assert_eq!(polish_in("She said \"it's 'fine' now\".", language), want);
        }
        assert_eq!(polish_in("\"\"Go\" now\" ('90s, dogs' tails)", "en"), "““Go” now” (’90s, dogs’ tails)");
    }

    #[test]
    fn signs_become_what_they_mean() {
        for (typed, want) in [
            ("one - two -- three--four", "one – two – three – four"),
            ("wait...", "wait…"),
            ("-5 to (-3)", "−5 to (−3)"),
            ("1080x1350 and 3 x 4", "1080×1350 and 3 × 4"),
            ("31 % in 5 min.", "31\u{a0}% in 5\u{a0}min."),
            ("a 27\" screen, 6' tall", "a 27″ screen, 6′ tall"),
            ("He is 5'10\" or 5'11.", "He is 5′10″ or 5′11."),
            ("\"He is 5'10\" tall\" they say", "“He is 5′10″ tall” they say"),
            ("rock 'n' roll, 'twas 'so'", "rock ’n’ roll, ’twas ‘so’"),
            ("'\"Yes,\" he said.' x", "‘“Yes,” he said.’ x"),
            ("well-known 2025-01-02, 10-20", "well-known 2025-01-02, 10-20"),
            ("- a bullet", "- a bullet"),
        ] {
            assert_eq!(polish_in(typed, "en"), want);
        }
    }

    #[test]
    fn addresses_and_code_stay() {
        for text in [
            "https://x.org/a--b?c='1'",
            "run --all -v",
            "`a - b \"c\"`",
            "@o'neil...x.org",
            "size=\"4\"",
            "foo_bar'baz",
            "0x1F",
            "{{7*7}} <script>'a'</script>",
        ] {
            assert_eq!(polish_in(text, "en"), text);
        }
        assert_eq!(polish_in("\"see example.com\"...", "en"), "“see example.com”…");
    }

    proptest! {
        #[test]
        fn letters_and_digits_stay_and_twice_is_once(
            text in "([a-cmx0-9 .'\"_`/@«»“–-]|--|\\.\\.\\.| - | x |é|\n|км|km| % ){0,40}",
            language in prop::sample::select(vec!["en", "de", "fr", "ru", "sv", "ja", "de-CH", "he"]),
        ) {
            let once = polish_in(&text, language);
            let kept = |t: &str| t.chars().filter(|c| c.is_alphanumeric() && *c != 'x').collect::<String>();
            prop_assert_eq!(kept(&text), kept(&once));
            prop_assert_eq!(polish_in(&once, language), once);
        }
    }
}
