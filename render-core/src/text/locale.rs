//! The language of a text, as far as typesetting depends on it.

use crate::content::{Direction, Language};

/// Number of bytes kept of a tag: language, script and region (`zh-Hant-TW`).
const TAG_BYTES: usize = 12;

/// The language of a paragraph. It selects local letter forms (`locl`), the national shapes of Han characters, the
/// rules of line breaking, and the direction of a text without strong characters. The default has no language and
/// guesses from the text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Locale {
    /// The tag in lower case, padded with zeros.
    tag: [u8; TAG_BYTES],
    len: u8,
    rtl: bool,
}

/// The national shapes of Han characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Han {
    /// Mainland China and Singapore.
    Simplified,
    /// Taiwan, Hong Kong and Macao.
    Traditional,
    Japanese,
    Korean,
}

impl Locale {
    /// Returns the locale of `language`.
    pub fn of(language: &Language) -> Self {
        let mut locale = Self { rtl: language.direction() == Direction::Rtl, ..Self::default() };
        // Keeps whole subtags only; variants and extensions don't affect typesetting.
        for part in language.code().split('-') {
            let from = usize::from(locale.len);
            let gap = usize::from(from > 0);
            if from + gap + part.len() > TAG_BYTES {
                break;
            }
            if gap == 1 {
                locale.tag[from] = b'-';
            }
            for (to, byte) in locale.tag[from + gap..].iter_mut().zip(part.bytes()) {
                *to = byte.to_ascii_lowercase();
            }
            locale.len += (gap + part.len()) as u8;
        }
        locale
    }

    /// Returns the tag in lower case; empty if the language is unknown.
    pub(super) fn tag(&self) -> &str {
        std::str::from_utf8(&self.tag[..usize::from(self.len)]).unwrap_or_default()
    }

    /// Returns the language subtag.
    pub(super) fn primary(&self) -> &str {
        self.tag().split('-').next().unwrap_or_default()
    }

    /// Returns whether the language is written from right to left.
    pub(super) fn is_rtl(&self) -> bool {
        self.rtl
    }

    /// Returns the shapes of Han characters that readers of the language expect.
    pub(super) fn han(&self) -> Option<Han> {
        let has = |wanted: &[&str]| self.tag().split('-').skip(1).any(|s| wanted.contains(&s));
        match self.primary() {
            "ja" => Some(Han::Japanese),
            "ko" => Some(Han::Korean),
            "yue" if !has(&["hans", "cn"]) => Some(Han::Traditional),
            "zh" | "yue" if has(&["hant"]) || has(&["tw", "hk", "mo"]) && !has(&["hans"]) => Some(Han::Traditional),
            "zh" | "yue" | "wuu" | "nan" | "hak" => Some(Han::Simplified),
            _ => None,
        }
    }

    /// Returns the language in the form that the shaper takes.
    pub(super) fn shaping(&self) -> Option<harfrust::Language> {
        match self.tag() {
            "" => None,
            tag => harfrust::Language::new(tag),
        }
    }
}

impl std::fmt::Debug for Locale {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Locale({:?})", self.tag())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn locale(tag: &str) -> Locale {
        Locale::of(&Language::parse(tag).unwrap())
    }

    #[test]
    fn han_characters_follow_script_before_region() {
        for (tag, han) in [
            ("zh", Some(Han::Simplified)),
            ("zh-TW", Some(Han::Traditional)),
            ("zh-Hant", Some(Han::Traditional)),
            ("zh-Hans-HK", Some(Han::Simplified)),
            ("zh-Hant-HK", Some(Han::Traditional)),
            ("ja", Some(Han::Japanese)),
            ("ko-KR", Some(Han::Korean)),
            ("de", None),
        ] {
            assert_eq!(locale(tag).han(), han, "{tag}");
        }
        assert_eq!(Locale::default().han(), None);
    }

    #[test]
    fn tags_are_kept_by_whole_subtags() {
        assert_eq!(locale("zh-Hant-TW").tag(), "zh-hant-tw");
        assert_eq!(locale("de-CH-1996").tag(), "de-ch-1996");
        assert_eq!(locale("zh-Hant-TW-variant1").tag(), "zh-hant-tw");
        assert!(locale("ur").is_rtl() && !locale("tr").is_rtl());
        assert!(Locale::default().shaping().is_none());
    }
}
