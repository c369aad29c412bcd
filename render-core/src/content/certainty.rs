//! Whether a text is surely in another language than one asked for. Where it is, setting its words as if they were in the
//! language asked for would be wrong; where that is unsure, refusing would be.

use whatlang::Script;

use super::Language;
use super::words;

/// How sure trigram statistics must be.
const SURE: f64 = 0.9;
/// Letters from which on they can be, and from which on another script says enough.
const LETTERS: (usize, usize) = (40, 12);
/// Characters that are looked at.
const SAMPLE_CHARS: usize = 6_000;

/// Languages that statistics take for each other.
const ALIKE: [&[&str]; 6] = [
    &["no", "nb", "nn", "da", "sv"],
    &["hr", "sr", "bs", "sl", "sh"],
    &["id", "ms"],
    &["cs", "sk"],
    &["ru", "uk", "be", "bg", "mk"],
    &["es", "gl", "pt", "ca", "ast"],
];

impl Language {
    /// The language of `text`, where that is surely another than this one: at least .9 sure, of a text of some length.
    pub fn surely_another(&self, text: &str) -> Option<Self> {
        let sample: String = text.chars().filter(|c| !c.is_control() || c.is_whitespace()).take(SAMPLE_CHARS).collect();
        let letters = sample.chars().filter(|c| c.is_alphabetic()).count();
        let info = whatlang::detect(&sample)?;
        let own = Self::detect(text);
        let (mine, its) = (self.primary(), own.primary());
        if mine == its || ALIKE.iter().any(|group| group.contains(&mine) && group.contains(&its)) {
            return None;
        }
        let (enough, some) = LETTERS;
        // Names in Latin letters stand in texts of every script, and Chinese characters in Japanese.
        let other_script = info.script() != Script::Latin
            && scripts(mine).is_some_and(|scripts| !scripts.contains(&info.script()))
            && letters >= some;
        let by_words = words::most_likely(&sample).is_none_or(|code| code == its);
        let by_statistics =
            letters >= enough && info.confidence() >= SURE && by_words && info.script() != Script::Mandarin;
        (other_script || by_statistics).then_some(own)
    }
}

/// The scripts that a language is written in, where that is known.
fn scripts(code: &str) -> Option<&'static [Script]> {
    Some(match code {
        "en" | "de" | "fr" | "es" | "it" | "pt" | "nl" | "da" | "sv" | "no" | "nb" | "nn" | "fi" | "pl" | "cs"
        | "sk" | "hu" | "ro" | "hr" | "sl" | "tr" | "vi" | "id" | "ms" | "et" | "lv" | "lt" | "ca" | "is" | "ga"
        | "sq" => &[Script::Latin],
        "ru" | "uk" | "bg" | "be" | "mk" => &[Script::Cyrillic],
        "ar" | "fa" | "ur" | "ps" => &[Script::Arabic],
        "hi" | "mr" | "ne" => &[Script::Devanagari],
        "el" => &[Script::Greek],
        "he" | "yi" => &[Script::Hebrew],
        "th" => &[Script::Thai],
        "ko" => &[Script::Hangul, Script::Mandarin],
        "ja" => &[Script::Hiragana, Script::Katakana, Script::Mandarin],
        "zh" | "yue" => &[Script::Mandarin],
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn another(asked: &str, text: &str) -> Option<String> {
        Language::parse(asked).unwrap().surely_another(text).map(|l| l.code().to_owned())
    }

    #[test]
    fn long_texts_and_other_scripts_are_sure() {
        let english = "The keeper of the lighthouse went up the stairs every evening to light the lamp.";
        let german = "Der Wärter des Leuchtturms stieg jeden Abend die Treppe hinauf, um die Lampe anzuzünden.";
        assert_eq!(another("de", english).as_deref(), Some("en"));
        assert_eq!(another("ja", english).as_deref(), Some("en"));
        assert_eq!(another("en", german).as_deref(), Some("de"));
        assert_eq!(another("en", "灯台守は毎晩、階段を上って灯りをともした。").as_deref(), Some("ja"));
        assert_eq!(another("de", "Смотритель маяка поднимался по лестнице").as_deref(), Some("ru"));
        assert_eq!(another("en", "كان حارس المنارة يصعد السلم كل مساء").as_deref(), Some("ar"));
    }

    #[test]
    fn short_alike_and_same_are_not() {
        for (asked, text) in [
            ("de", "Sale"),
            ("de", "5 tips for better sleep"),
            ("en", "Die Kunst der Pause"),
            ("ja", "NIKE Air Max 2026"),
            ("ja", "睡眠改善"),
            ("nb", "Fyrvokteren gik hver aften op ad trappen for at tænde lampen, og ingen så ham komme ned igen."),
            ("en-GB", "The keeper of the lighthouse went up the stairs every evening to light the lamp."),
            ("de", ""),
            ("de", "42"),
        ] {
            assert_eq!(another(asked, text), None, "{asked}: {text}");
        }
    }
}
