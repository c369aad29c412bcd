//! Scripts: the script of each character (UAX 24), and the typographic properties of each script.

use unicode_bidi::HardcodedBidiData;
use unicode_bidi::data_source::BidiDataSource;
use unicode_script::{Script, ScriptExtension, UnicodeScript};

/// Maximum number of open brackets that are tracked; more deeply nested ones follow their neighbours.
const OPEN_BRACKETS: usize = 64;

/// Returns the script of each character of `text`. Marks, figures and punctuation take the script of the preceding
/// text, or at the start, of the first letter. A closing bracket takes that of its opening one. Punctuation that
/// belongs only to certain scripts takes one of them. A text without any script counts as Latin.
pub(super) fn scripts(text: &str) -> Vec<Script> {
    let mut current = text.chars().find_map(own).unwrap_or(Script::Latin);
    let mut open: Vec<(char, Script)> = Vec::new();
    text.chars()
        .map(|c| {
            // The common case needs no tables.
            if c.is_ascii_alphabetic() {
                current = Script::Latin;
                return current;
            }
            if c.is_ascii() && !matches!(c, '(' | ')' | '[' | ']' | '{' | '}') {
                return current;
            }
            if let Some(script) = own(c) {
                current = script;
                return current;
            }
            if let Some(bracket) = HardcodedBidiData.bidi_matched_opening_bracket(c) {
                if bracket.is_open {
                    let script = among_extensions(c, current);
                    if open.len() < OPEN_BRACKETS {
                        open.push((bracket.opening, script));
                    }
                    return script;
                }
                if let Some(i) = open.iter().rposition(|(opening, _)| *opening == bracket.opening) {
                    let script = open[i].1;
                    open.truncate(i);
                    current = script;
                    return script;
                }
            }
            among_extensions(c, current)
        })
        .collect()
}

/// Returns the script of `c` alone. Kana and other characters written among Han characters count as Han.
fn own(c: char) -> Option<Script> {
    match c.script() {
        Script::Common | Script::Inherited | Script::Unknown => None,
        Script::Hiragana | Script::Katakana | Script::Bopomofo => Some(Script::Han),
        script => Some(script),
    }
}

/// Returns `current`, unless `c` is punctuation of other scripts only.
fn among_extensions(c: char, current: Script) -> Script {
    // Unicode lists no scripts for these, but they fill the square of a Han character, and only CJK faces have them.
    if is_full_width(c) {
        return if is_cjk(current) { current } else { Script::Han };
    }
    let extension = c.script_extension();
    let anywhere = c.script() != Script::Common
        || extension.is_common()
        || extension.is_inherited()
        || extension.contains_script(current)
        || extension.contains_script(Script::Latin);
    match anywhere {
        true => current,
        false if extension.contains_script(Script::Han) => Script::Han,
        false => extension.iter().next().unwrap_or(current),
    }
}

/// Returns whether `c` is a letter, figure or mark without a script of its own that is written only among Han
/// characters: 、 。 「 （.
pub(super) fn is_han_punctuation(c: char) -> bool {
    let extension: ScriptExtension = c.script_extension();
    let listed =
        !extension.is_common() && extension.contains_script(Script::Han) && !extension.contains_script(Script::Latin);
    c.script() == Script::Common && (listed || is_full_width(c))
}

/// Returns whether `c` is a sign as wide as a Han character, by its block: full-width punctuation, figures and
/// currencies, and the corresponding half-width forms.
fn is_full_width(c: char) -> bool {
    matches!(c, '\u{ff01}'..='\u{ff65}' | '\u{ffe0}'..='\u{ffee}') && c.script() == Script::Common
}

/// Returns whether `c` has no script of its own.
pub(super) fn is_neutral(c: char) -> bool {
    own(c).is_none()
}

/// Returns whether the script has its own faces with em-square characters. Except Korean, these have no spaces between
/// words.
pub(super) fn is_cjk(script: Script) -> bool {
    matches!(script, Script::Han | Script::Hangul)
}

/// Returns whether text faces have the script's letters.
pub(super) fn is_general(script: Script) -> bool {
    matches!(script, Script::Latin | Script::Greek | Script::Cyrillic | Script::Common)
}

/// Returns whether letters of the script join or stack, so that letter spacing would separate them.
pub(super) fn is_connected(script: Script) -> bool {
    matches!(
        script,
        Script::Arabic
            | Script::Syriac
            | Script::Nko
            | Script::Mongolian
            | Script::Adlam
            | Script::Hanifi_Rohingya
            | Script::Mandaic
            | Script::Devanagari
            | Script::Bengali
            | Script::Gurmukhi
            | Script::Gujarati
            | Script::Oriya
            | Script::Tamil
            | Script::Telugu
            | Script::Kannada
            | Script::Malayalam
            | Script::Sinhala
            | Script::Thai
            | Script::Lao
            | Script::Khmer
            | Script::Myanmar
            | Script::Tibetan
    )
}

/// Returns a letter as tall as capitals, for a script without them: its top aligns lines.
pub(super) fn reference_letter(script: Script) -> char {
    match script {
        Script::Arabic => 'ا',
        Script::Hebrew => 'ה',
        Script::Devanagari => 'क',
        Script::Bengali => 'ক',
        Script::Tamil => 'க',
        Script::Telugu => 'క',
        Script::Thai => 'ก',
        Script::Georgian => 'ა',
        Script::Armenian => 'Ա',
        Script::Ethiopic => 'ሀ',
        Script::Han => '国',
        Script::Hangul => '한',
        _ => 'H',
    }
}

/// Returns the smallest distance of baselines, as a multiple of the size, for text and for headlines. Marks above and
/// below the letters need space that is empty in Latin.
pub(super) fn least_leading(script: Script) -> (f32, f32) {
    match script {
        Script::Arabic => (1.3, 1.25),
        Script::Hebrew => (1.3, 1.15),
        Script::Thai | Script::Devanagari | Script::Bengali | Script::Tamil | Script::Telugu => (1.4, 1.25),
        Script::Han => (1.4, 1.25),
        Script::Hangul => (1.4, 1.2),
        Script::Ethiopic => (1.3, 1.15),
        _ => (0.0, 0.0),
    }
}

/// Returns the script in the form that the shaper takes.
pub(super) fn shaping(script: Script) -> harfrust::Script {
    let tag = script.short_name().as_bytes();
    let tag = <[u8; 4]>::try_from(tag).ok().map(|t| harfrust::Tag::new(&t));
    tag.and_then(harfrust::Script::from_iso15924_tag).unwrap_or(harfrust::Script::COMMON)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the text with the scripts' four-letter codes, each where the script begins.
    fn marked(text: &str) -> String {
        let mut last = None;
        let mut out = String::new();
        for (script, c) in scripts(text).into_iter().zip(text.chars()) {
            if last != Some(script) {
                out.push_str(&format!("[{}]", script.short_name()));
                last = Some(script);
            }
            out.push(c);
        }
        out
    }

    #[test]
    fn what_has_no_script_follows_its_neighbours() {
        assert_eq!(marked("12 one, два 3"), "[Latn]12 one, [Cyrl]два 3");
        assert_eq!(marked("e\u{301}α\u{301}"), "[Latn]e\u{301}[Grek]α\u{301}");
        assert_eq!(marked("123"), "[Latn]123");
    }

    #[test]
    fn brackets_close_in_the_script_that_opened_them() {
        assert_eq!(marked("one (два) x"), "[Latn]one ([Cyrl]два[Latn]) x");
        assert_eq!(marked("a([б)"), "[Latn]a([[Cyrl]б[Latn])");
    }

    #[test]
    fn japanese_is_of_one_script_with_its_punctuation() {
        assert_eq!(marked("AI「時代のカ」。"), "[Latn]AI[Hani]「時代のカ」。");
        assert_eq!(marked("DNC（可）！Q：x"), "[Latn]DNC[Hani]（可）！[Latn]Q[Hani]：[Latn]x");
        assert_eq!(marked("값（A）"), "[Hang]값（[Latn]A[Hang]）");
        assert_eq!(marked("مرحبا، 3"), "[Arab]مرحبا، 3");
        assert_eq!(marked("да · нет"), "[Cyrl]да · нет");
    }

    #[test]
    fn every_script_has_its_name_at_the_shaper() {
        assert_eq!(shaping(Script::Devanagari), harfrust::Script::DEVANAGARI);
        assert_eq!(shaping(Script::Han), harfrust::Script::HAN);
    }
}
