//! Languages: BCP 47 tags, English names, and language detection.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Direction;
use super::detect::{Detection, usual};

/// Maximum bytes of a tag (RFC 5646, 4.4.1).
const TAG_BYTES: usize = 35;

/// A language as a BCP 47 tag in its usual case: `en`, `pt-BR`, `zh-Hant-TW`. Serialises as that string.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Language(String);

/// The error for text that names no language.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a language: use a two-letter code, an English name or a BCP 47 tag")]
pub struct UnknownLanguage(pub String);

impl Language {
    /// English.
    pub fn english() -> Self {
        Self("en".to_owned())
    }

    /// Parses a two-letter code, an English name in any case, or a BCP 47 tag.
    ///
    /// # Errors
    /// Returns [`UnknownLanguage`] if the text is none of these.
    pub fn parse(text: &str) -> Result<Self, UnknownLanguage> {
        let asked = text.trim();
        from_tag(asked).or_else(|| from_name(asked)).map(Self).ok_or_else(|| UnknownLanguage(text.to_owned()))
    }

    /// Detects the language of a text by its first 6,000 characters. Returns English if the text is too short to
    /// tell.
    ///
    /// The result is one of 36 languages, or one with a script or letters of its own. Norwegian is `nb`.
    pub fn detect(text: &str) -> Self {
        Detection::of(text).map_or_else(Self::english, |found| Self(found.code.to_owned()))
    }

    /// Whether both are the same language, regardless of script, region and alternative codes: `pt-BR` and `pt`, `no`
    /// and `nb`.
    pub fn is_kind_of(&self, other: &Self) -> bool {
        usual(self.primary()) == usual(other.primary())
    }

    /// Returns the language of `text` if it is certainly another one than this. This requires a text of some length,
    /// and a language that the detection can distinguish from the text's.
    pub fn surely_another(&self, text: &str) -> Option<Self> {
        let found = Detection::of(text)?;
        found.excludes(self.primary()).then(|| Self(found.code.to_owned()))
    }

    /// Returns the tag.
    pub fn code(&self) -> &str {
        &self.0
    }

    /// Returns only the language subtag: `pt` of `pt-BR`.
    pub fn primary(&self) -> &str {
        self.0.split('-').next().unwrap_or(&self.0)
    }

    /// Returns the English name, without script and region: "German".
    pub fn english_name(&self) -> Option<&'static str> {
        let primary = self.primary();
        let language = isolang::Language::from_639_1(primary).or_else(|| isolang::Language::from_639_3(primary))?;
        Some(language.to_name())
    }

    /// Returns the reading direction.
    pub fn direction(&self) -> Direction {
        const RTL_SCRIPTS: [&str; 9] = ["Arab", "Hebr", "Thaa", "Syrc", "Nkoo", "Adlm", "Rohg", "Mand", "Aran"];
        const RTL: [&str; 14] =
            ["ar", "he", "fa", "ur", "yi", "ps", "sd", "ug", "dv", "ckb", "arc", "syr", "nqo", "arz"];
        let script =
            self.0.split('-').skip(1).find(|s| s.len() == 4 && s.starts_with(|c: char| c.is_ascii_uppercase()));
        let rtl = match script {
            Some(script) => RTL_SCRIPTS.contains(&script),
            None => RTL.contains(&self.primary()),
        };
        if rtl { Direction::Rtl } else { Direction::Ltr }
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl FromStr for Language {
    type Err = UnknownLanguage;

    fn from_str(text: &str) -> Result<Self, UnknownLanguage> {
        Self::parse(text)
    }
}

impl Serialize for Language {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Language {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::parse(&String::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}

/// Returns the canonical form of a BCP 47 tag: a known language, then script, region and variants in their usual
/// case.
fn from_tag(asked: &str) -> Option<String> {
    if asked.is_empty() || asked.len() > TAG_BYTES || !asked.is_ascii() {
        return None;
    }
    let mut parts = asked.split(['-', '_']);
    let mut tag = subtag(parts.next()?)?.to_owned();
    for part in parts {
        let alphabetic = part.bytes().all(|b| b.is_ascii_alphabetic());
        let digits = part.bytes().all(|b| b.is_ascii_digit());
        let canonical = match part.len() {
            4 if alphabetic => part[..1].to_ascii_uppercase() + &part[1..].to_ascii_lowercase(),
            2 if alphabetic => part.to_ascii_uppercase(),
            3 if digits => part.to_owned(),
            4..=8 if part.bytes().all(|b| b.is_ascii_alphanumeric()) => part.to_ascii_lowercase(),
            _ => return None,
        };
        tag.push('-');
        tag.push_str(&canonical);
    }
    Some(tag)
}

/// Returns the shortest code for a language code of two or three letters.
fn subtag(code: &str) -> Option<&'static str> {
    let code = code.to_ascii_lowercase();
    // Deprecated codes, and codes of a member language that usually mean the whole macrolanguage.
    let code = match code.as_str() {
        "iw" => "he",
        "in" => "id",
        "ji" => "yi",
        "cmn" => "zh",
        "pes" => "fa",
        "arb" => "ar",
        other => other,
    };
    let language = isolang::Language::from_639_1(code).or_else(|| isolang::Language::from_639_3(code))?;
    Some(language.to_639_1().unwrap_or_else(|| language.to_639_3()))
}

/// Returns the tag of an English name. The standard's names are formal ("Modern Greek (1453-)"), so common names are
/// tried first.
fn from_name(asked: &str) -> Option<String> {
    const SAID: [(&str, &str); 36] = [
        ("bokmal", "nb"),
        ("bokmål", "nb"),
        ("brazilian portuguese", "pt-BR"),
        ("cantonese", "yue"),
        ("castilian", "es"),
        ("chinese (simplified)", "zh-Hans"),
        ("chinese (traditional)", "zh-Hant"),
        ("farsi", "fa"),
        ("filipino", "fil"),
        ("flemish", "nl-BE"),
        ("gaelic", "gd"),
        ("greek", "el"),
        ("haitian creole", "ht"),
        ("kyrgyz", "ky"),
        ("malay", "ms"),
        ("mandarin", "zh"),
        ("mandarin chinese", "zh"),
        ("moldovan", "ro-MD"),
        ("myanmar", "my"),
        ("nepali", "ne"),
        ("norwegian bokmal", "nb"),
        ("nynorsk", "nn"),
        ("odia", "or"),
        ("oriya", "or"),
        ("pashto", "ps"),
        ("portuguese (brazil)", "pt-BR"),
        ("punjabi", "pa"),
        ("sami", "se"),
        ("simplified chinese", "zh-Hans"),
        ("sinhalese", "si"),
        ("sorani", "ckb"),
        ("swahili", "sw"),
        ("traditional chinese", "zh-Hant"),
        ("uyghur", "ug"),
        ("valencian", "ca-valencia"),
        ("western frisian", "fy"),
    ];
    let name = asked.to_lowercase();
    if name.len() < 3 || name.len() > 60 {
        return None;
    }
    if let Some((_, tag)) = SAID.iter().find(|(said, _)| *said == name) {
        return Some((*tag).to_owned());
    }
    // If several languages share a name, the one with a two-letter code is meant.
    let named = isolang::Language::match_names(move |n| n.to_lowercase() == name);
    let found = named.min_by_key(|l| l.to_639_1().is_none())?;
    Some(found.to_639_1().unwrap_or_else(|| found.to_639_3()).to_owned())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn codes_names_and_tags() {
        let code = |s: &str| Language::parse(s).map(|l| l.code().to_owned()).ok();
        for (asked, tag) in [
            ("en", "en"),
            ("EN", "en"),
            (" German ", "de"),
            ("german", "de"),
            ("GREEK", "el"),
            ("Chinese", "zh"),
            ("Persian", "fa"),
            ("Norwegian", "no"),
            ("Spanish", "es"),
            ("Brazilian Portuguese", "pt-BR"),
            ("zh-TW", "zh-TW"),
            ("zh_hant_tw", "zh-Hant-TW"),
            ("pt-br", "pt-BR"),
            ("es-419", "es-419"),
            ("deu", "de"),
            ("iw", "he"),
            ("sl-rozaj", "sl-rozaj"),
        ] {
            assert_eq!(code(asked).as_deref(), Some(tag), "{asked}");
        }
        for nonsense in ["", "  ", "xx", "klingonish", "en-", "en--US", "e", "12", "en-US-!", "日本"] {
            assert_eq!(code(nonsense), None, "{nonsense:?}");
        }
    }

    #[test]
    fn directions() {
        for (tag, rtl) in
            [("ar", true), ("he", true), ("ur-PK", true), ("az-Arab", true), ("ks-Deva", false), ("en", false)]
        {
            let direction = Language::parse(tag).unwrap().direction();
            assert_eq!(direction == Direction::Rtl, rtl, "{tag}");
        }
    }

    #[test]
    fn detects() {
        for (text, tag) in [
            ("", "en"),
            ("42", "en"),
            ("Sale", "en"),
            ("The keeper of the lighthouse went up the stairs every evening to light the lamp.", "en"),
            ("Der Wärter des Leuchtturms stieg jeden Abend die Treppe hinauf, um die Lampe anzuzünden.", "de"),
            ("Le gardien du phare montait chaque soir l’escalier pour allumer la lampe.", "fr"),
            ("El guardián del faro subía cada tarde la escalera para encender la lámpara.", "es"),
            ("Смотритель маяка каждый вечер поднимался по лестнице, чтобы зажечь лампу.", "ru"),
            ("Ο φύλακας του φάρου ανέβαινε κάθε βράδυ τη σκάλα για να ανάψει τη λάμπα.", "el"),
            ("灯台守は毎晩、階段を上って灯りをともした。", "ja"),
            ("燈塔看守人每天晚上爬上樓梯點燈。", "zh"),
            ("كان حارس المنارة يصعد السلم كل مساء ليضيء المصباح.", "ar"),
            ("Die Kunst der Pause", "de"),
            ("Four habits of calm teams. Write decisions down. Meet less. Ship small. Rest well.", "en"),
        ] {
            assert_eq!(Language::detect(text).code(), tag, "{text}");
        }
    }

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
            ("nn", "Fyrvokteren gik hver aften op ad trappen for at tænde lampen, og ingen så ham komme ned igen."),
            ("en-GB", "The keeper of the lighthouse went up the stairs every evening to light the lamp."),
            ("de", ""),
            ("de", "42"),
        ] {
            assert_eq!(another(asked, text), None, "{asked}: {text}");
        }
    }

    proptest! {
        #[test]
        fn reads_anything(text in "\\PC{0,60}") {
            let _ = Language::detect(&text);
            if let Ok(language) = Language::parse(&text) {
                prop_assert_eq!(Language::parse(language.code()), Ok(language));
            }
        }
    }
}
