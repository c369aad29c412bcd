//! The font families, and which vendored families replace which.

use std::collections::BTreeSet;

use parking_lot::Mutex;
use unicode_script::Script;

use super::locale::Han;

/// The general look of a family; fallback prefers families of the same class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    Sans,
    Serif,
    Mono,
    Symbols,
}

macro_rules! families {
    ($($(#[$doc:meta])+ $family:ident $name:literal $class:ident,)+) => {
        /// A family: vendored, or added while the service runs.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Family {
            $($(#[$doc])+ $family,)+
            /// An added family, by name. [`super::Fonts`] holds its faces.
            Added(&'static str),
            /// The family that a brand provides for headings. Only the [`super::Fonts`] made for the brand hold its
            /// faces.
            OwnHeading,
            /// The family that a brand provides for running text.
            OwnBody,
        }

        impl Family {
            /// All vendored families.
            pub const ALL: [Self; [$(stringify!($family)),+].len()] = [$(Self::$family),+];

            /// Returns the name in print.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$family => $name,)+
                    Self::Added(name) => name,
                    Self::OwnHeading => "the brand's heading family",
                    Self::OwnBody => "the brand's body family",
                }
            }

            pub(super) fn class(self) -> Class {
                match self {
                    $(Self::$family => Class::$class,)+
                    // The look of these is unknown; most families are sans serif.
                    Self::Added(_) | Self::OwnHeading | Self::OwnBody => Class::Sans,
                }
            }
        }
    };
}

families! {
    /// Geometric grotesque with Greek and Cyrillic.
    Manrope "Manrope" Sans,
    /// Quiet grotesque, Latin.
    HankenGrotesk "Hanken Grotesk" Sans,
    /// Condensed display serif, Latin.
    InstrumentSerif "Instrument Serif" Serif,
    /// The italic of Instrument Serif. It is a family of its own because a face is identified by family and weight.
    InstrumentSerifItalic "Instrument Serif Italic" Serif,
    /// Neo-grotesque with tight spacing; Greek, Cyrillic and arrows.
    InterTight "Inter Tight" Sans,
    /// Grotesque for text, Latin.
    InstrumentSans "Instrument Sans" Sans,
    /// Quirky grotesque, Latin with Vietnamese.
    SpaceGrotesk "Space Grotesk" Sans,
    /// Neo-grotesque with Cyrillic.
    Geist "Geist" Sans,
    /// Geist's monospaced companion.
    GeistMono "Geist Mono" Mono,
    /// Grotesque for headlines at 62 % of its normal width, Latin with Vietnamese. Each width is a family of its own
    /// because a face is identified by family and weight.
    ArchivoExtraCondensed "Archivo Extra Condensed" Sans,
    /// Archivo at 75 %.
    ArchivoCondensed "Archivo Condensed" Sans,
    /// Archivo at 87 %.
    ArchivoSemiCondensed "Archivo Semi Condensed" Sans,
    /// Archivo at its normal width, for text too.
    Archivo "Archivo" Sans,
    /// Archivo at 112 %.
    ArchivoSemiExpanded "Archivo Semi Expanded" Sans,
    /// Archivo at 125 %.
    ArchivoExpanded "Archivo Expanded" Sans,
    /// Sharp serif, drawn for large type; Latin with Vietnamese.
    Newsreader "Newsreader" Serif,
    /// The italic of Newsreader.
    NewsreaderItalic "Newsreader Italic" Serif,
    /// Round and heavy, for few words; Latin of Western Europe.
    Fredoka "Fredoka" Sans,
    /// Rounded sans with Cyrillic and Vietnamese.
    Nunito "Nunito" Sans,
    /// Neutral grotesque for text, Latin with Vietnamese.
    PublicSans "Public Sans" Sans,
    /// Transitional serif with Greek and Cyrillic, drawn for large type.
    Literata "Literata" Serif,
    /// Grotesque with unusual cuts, drawn for large type and somewhat narrow; Latin with Vietnamese.
    BricolageDisplay "Bricolage Display" Sans,
    /// Bricolage drawn for text.
    Bricolage "Bricolage" Sans,
    /// Wide and heavy, for headlines; replaces Archivo in Cyrillic.
    Unbounded "Unbounded" Sans,
    /// Friendly grotesque; replaces Bricolage in Cyrillic.
    Onest "Onest" Sans,
    /// Light old-style serif of high contrast; replaces Newsreader in Cyrillic.
    Cormorant "Cormorant" Serif,
    /// The italic of Cormorant.
    CormorantItalic "Cormorant Italic" Serif,
    /// Fallback for Latin, Greek and Cyrillic.
    NotoSans "Noto Sans" Sans,
    /// The serif companion of Noto Sans.
    NotoSerif "Noto Serif" Serif,
    /// Arabic for headlines and text, without the letters of Persian and Urdu.
    ReadexPro "Readex Pro" Sans,
    /// Persian, Urdu, Kurdish and Arabic.
    Vazirmatn "Vazirmatn" Sans,
    /// Arabic in the Naskh style, for books.
    NotoNaskhArabic "Noto Naskh Arabic" Serif,
    /// Hebrew.
    NotoSansHebrew "Noto Sans Hebrew" Sans,
    /// Hebrew with contrast.
    NotoSerifHebrew "Noto Serif Hebrew" Serif,
    /// Devanagari.
    NotoSansDevanagari "Noto Sans Devanagari" Sans,
    /// Devanagari with contrast.
    NotoSerifDevanagari "Noto Serif Devanagari" Serif,
    /// Bengali.
    NotoSansBengali "Noto Sans Bengali" Sans,
    /// Bengali with contrast.
    NotoSerifBengali "Noto Serif Bengali" Serif,
    /// Tamil.
    NotoSansTamil "Noto Sans Tamil" Sans,
    /// Tamil with contrast.
    NotoSerifTamil "Noto Serif Tamil" Serif,
    /// Telugu.
    NotoSansTelugu "Noto Sans Telugu" Sans,
    /// Telugu with contrast.
    NotoSerifTelugu "Noto Serif Telugu" Serif,
    /// Thai.
    NotoSansThai "Noto Sans Thai" Sans,
    /// Thai with contrast.
    NotoSerifThai "Noto Serif Thai" Serif,
    /// Georgian.
    NotoSansGeorgian "Noto Sans Georgian" Sans,
    /// Georgian with contrast.
    NotoSerifGeorgian "Noto Serif Georgian" Serif,
    /// Armenian.
    NotoSansArmenian "Noto Sans Armenian" Sans,
    /// Armenian with contrast.
    NotoSerifArmenian "Noto Serif Armenian" Serif,
    /// Ethiopic.
    NotoSansEthiopic "Noto Sans Ethiopic" Sans,
    /// Chinese as on the mainland.
    NotoSansSc "Noto Sans SC" Sans,
    /// Chinese as in Taiwan and Hong Kong.
    NotoSansTc "Noto Sans TC" Sans,
    /// Japanese.
    NotoSansJp "Noto Sans JP" Sans,
    /// Korean.
    NotoSansKr "Noto Sans KR" Sans,
    /// Japanese old style.
    ShipporiMincho "Shippori Mincho" Serif,
    /// Mathematical signs and letters.
    NotoSansMath "Noto Sans Math" Symbols,
    /// Signs, arrows, enclosed characters.
    NotoSansSymbols "Noto Sans Symbols" Symbols,
    /// Shapes, dingbats, more arrows.
    NotoSansSymbols2 "Noto Sans Symbols 2" Symbols,
    /// Lines, boxes and blocks.
    NotoSansMono "Noto Sans Mono" Symbols,
}

impl Family {
    /// Returns the vendored family of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|f| f.name() == name)
    }

    /// Returns the family that an operator added under this name. The name is kept for the life of the process, so that
    /// the family is `Copy` like a vendored one. Don't use it for names that clients choose, because their number is
    /// unbounded.
    pub fn added(name: &str) -> Self {
        Self::Added(kept(name))
    }

    /// Returns a family by name: a vendored one, or one that an operator added to this process.
    pub fn known(name: &str) -> Option<Self> {
        let added = || NAMES.lock().get(name).copied();
        Self::from_name(name).or_else(|| added().map(Self::Added))
    }

    /// Returns whether the family is upright type for Latin headings and text, not for another script or for symbols.
    pub fn is_latin_text(self) -> bool {
        let other_script = matches!(
            self,
            Self::ReadexPro
                | Self::Vazirmatn
                | Self::NotoNaskhArabic
                | Self::NotoSansHebrew
                | Self::NotoSerifHebrew
                | Self::NotoSansDevanagari
                | Self::NotoSerifDevanagari
                | Self::NotoSansBengali
                | Self::NotoSerifBengali
                | Self::NotoSansTamil
                | Self::NotoSerifTamil
                | Self::NotoSansTelugu
                | Self::NotoSerifTelugu
                | Self::NotoSansThai
                | Self::NotoSerifThai
                | Self::NotoSansGeorgian
                | Self::NotoSerifGeorgian
                | Self::NotoSansArmenian
                | Self::NotoSerifArmenian
                | Self::NotoSansEthiopic
                | Self::NotoSansSc
                | Self::NotoSansTc
                | Self::NotoSansJp
                | Self::NotoSansKr
                | Self::ShipporiMincho
        );
        !other_script && self.class() != Class::Symbols && !self.name().ends_with(" Italic")
    }

    /// Returns the families that supply missing Latin, Greek and Cyrillic letters, figures and punctuation, best first:
    /// a family of similar character if there is one, then the families of the class.
    pub(super) fn fallback(self) -> Vec<Self> {
        let kin: &[Self] = match self {
            Self::ArchivoExtraCondensed
            | Self::ArchivoCondensed
            | Self::ArchivoSemiCondensed
            | Self::ArchivoSemiExpanded
            | Self::ArchivoExpanded => &[Self::Unbounded, Self::Onest],
            Self::Archivo | Self::BricolageDisplay | Self::Bricolage => &[Self::Onest],
            Self::Newsreader => &[Self::Cormorant],
            Self::NewsreaderItalic => &[Self::CormorantItalic],
            Self::Fredoka => &[Self::Nunito],
            _ => &[],
        };
        let class: &[Self] = match self.class() {
            Class::Sans | Class::Symbols => &[Self::InterTight, Self::NotoSans, Self::Geist, Self::NotoSerif],
            Class::Serif => &[Self::NotoSerif, Self::NotoSans, Self::InterTight, Self::Geist],
            Class::Mono => &[Self::GeistMono, Self::NotoSans, Self::InterTight, Self::Geist, Self::NotoSerif],
        };
        [kin, class].concat()
    }

    /// Returns whether the letters have serifs.
    pub(super) fn is_serif(self) -> bool {
        self.class() == Class::Serif
    }

    /// Returns the family for Arabic letters beside this one; with the letters of Persian if `persian`.
    pub fn arabic(self, persian: bool) -> Self {
        self.of_script(Script::Arabic, Han::Simplified, persian)[0]
    }

    /// Returns the families made for `script`, those of the same class first. Han characters have the shapes of `han`;
    /// for `persian` text, Arabic faces have its letters too. Empty for Latin, Greek and Cyrillic, and for scripts that
    /// no vendored face has.
    pub(super) fn of_script(self, script: Script, han: Han, persian: bool) -> Vec<Self> {
        let mut families = match script {
            Script::Arabic if persian => vec![Self::Vazirmatn, Self::ReadexPro, Self::NotoNaskhArabic],
            Script::Arabic => vec![Self::ReadexPro, Self::Vazirmatn, Self::NotoNaskhArabic],
            Script::Hebrew => vec![Self::NotoSansHebrew, Self::NotoSerifHebrew],
            Script::Devanagari => vec![Self::NotoSansDevanagari, Self::NotoSerifDevanagari],
            Script::Bengali => vec![Self::NotoSansBengali, Self::NotoSerifBengali],
            Script::Tamil => vec![Self::NotoSansTamil, Self::NotoSerifTamil],
            Script::Telugu => vec![Self::NotoSansTelugu, Self::NotoSerifTelugu],
            Script::Thai => vec![Self::NotoSansThai, Self::NotoSerifThai],
            Script::Georgian => vec![Self::NotoSansGeorgian, Self::NotoSerifGeorgian],
            Script::Armenian => vec![Self::NotoSansArmenian, Self::NotoSerifArmenian],
            Script::Ethiopic => vec![Self::NotoSansEthiopic],
            Script::Han | Script::Hiragana | Script::Katakana | Script::Bopomofo => match han {
                Han::Simplified => vec![Self::NotoSansSc, Self::NotoSansTc, Self::NotoSansJp, Self::NotoSansKr],
                Han::Traditional => vec![Self::NotoSansTc, Self::NotoSansSc, Self::NotoSansJp, Self::NotoSansKr],
                Han::Japanese => {
                    vec![Self::NotoSansJp, Self::ShipporiMincho, Self::NotoSansTc, Self::NotoSansSc, Self::NotoSansKr]
                }
                Han::Korean => vec![Self::NotoSansKr, Self::NotoSansJp, Self::NotoSansTc, Self::NotoSansSc],
            },
            Script::Hangul => vec![Self::NotoSansKr, Self::NotoSansJp, Self::NotoSansSc, Self::NotoSansTc],
            _ => Vec::new(),
        };
        // A monospaced face has no companions in other scripts.
        let class = if self.class() == Class::Serif { Class::Serif } else { Class::Sans };
        families.sort_by_key(|f| f.class() != class);
        families
    }
}

/// The names of families that operators added.
static NAMES: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());

/// Keeps the name for the life of the process, so that a [`Family`] is `Copy` for an added face too.
fn kept(name: &str) -> &'static str {
    let mut names = NAMES.lock();
    if let Some(name) = names.get(name) {
        return name;
    }
    let name: &'static str = name.to_owned().leak();
    names.insert(name);
    name
}

/// Families with symbols that no text face has; only Thai faces have the baht sign.
pub(super) const SIGNS: [Family; 5] = [
    Family::NotoSansMath,
    Family::NotoSansSymbols,
    Family::NotoSansSymbols2,
    Family::NotoSansMono,
    Family::NotoSansThai,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_again() {
        for family in Family::ALL {
            assert_eq!(Family::from_name(family.name()), Some(family));
        }
        assert_eq!(Family::from_name("Comic Sans"), None);
        assert_eq!(Family::added("Comic Sans"), Family::added(&String::from("Comic Sans")));
    }

    #[test]
    fn latin_text_is_set_in_upright_faces_made_for_it() {
        let fonts = crate::text::Fonts::new();
        let latin: Vec<Family> = Family::ALL.into_iter().filter(|f| f.is_latin_text()).collect();
        for family in [Family::Manrope, Family::InstrumentSerif, Family::GeistMono, Family::NotoSerif] {
            assert!(latin.contains(&family), "{family:?}");
        }
        for family in [Family::InstrumentSerifItalic, Family::NotoSansJp, Family::NotoSansMath, Family::ReadexPro] {
            assert!(!latin.contains(&family), "{family:?}");
        }
        assert!(latin.iter().all(|f| fonts.covers_text(*f, "Zwölf Boxkämpfer jagen Àlöïs & 1,234 “quotes”")));
    }

    #[test]
    fn fallback_begins_in_the_same_class() {
        for family in Family::ALL.into_iter().filter(|f| f.class() != Class::Symbols) {
            assert_eq!(family.fallback()[0].class(), family.class());
        }
    }

    #[test]
    fn a_family_of_its_character_comes_before_the_class() {
        assert_eq!(Family::ArchivoCondensed.fallback()[0], Family::Unbounded);
        assert_eq!(Family::Newsreader.fallback()[..2], [Family::Cormorant, Family::NotoSerif]);
        assert_eq!(Family::Geist.fallback()[0], Family::InterTight);
    }

    #[test]
    fn scripts_keep_to_the_class_and_han_to_the_language() {
        let arabic = |f: Family| f.of_script(Script::Arabic, Han::Simplified, false)[0];
        assert_eq!(arabic(Family::Manrope), Family::ReadexPro);
        assert_eq!(arabic(Family::GeistMono), Family::ReadexPro);
        assert_eq!(arabic(Family::InstrumentSerif), Family::NotoNaskhArabic);
        assert_eq!(Family::Geist.of_script(Script::Arabic, Han::Simplified, true)[0], Family::Vazirmatn);
        let han = |f: Family, han: Han| f.of_script(Script::Han, han, false)[0];
        assert_eq!(han(Family::Manrope, Han::Traditional), Family::NotoSansTc);
        assert_eq!(han(Family::NotoSerif, Han::Japanese), Family::ShipporiMincho);
        assert_eq!(han(Family::NotoSerif, Han::Simplified), Family::NotoSansSc);
    }
}
