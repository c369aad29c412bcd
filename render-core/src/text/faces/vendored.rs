//! The faces in the binary.

use crate::text::Family;

/// A vendored face in its compressed form.
pub(super) struct Vendored {
    pub family: Family,
    pub weight: u16,
    /// The file, compressed with zstd.
    pub packed: &'static [u8],
}

macro_rules! vendored {
    ($($family:ident $file:literal: $($weight:literal)+;)+) => {
        &[$($(Vendored {
            family: Family::$family,
            weight: $weight,
            packed: include_bytes!(concat!("../../../assets/fonts/", $file, "-", $weight, ".ttf.zst")),
        },)+)+]
    };
}

/// In the order of [`FaceId`].
pub(super) static VENDORED: &[Vendored] = vendored! {
    Manrope "manrope": 500 600 700 800;
    HankenGrotesk "hanken-grotesk": 500 600 700;
    InstrumentSerif "instrument-serif": 400;
    InstrumentSerifItalic "instrument-serif-italic": 400;
    InterTight "inter-tight": 400 500 600 700;
    InstrumentSans "instrument-sans": 400 500 600;
    SpaceGrotesk "space-grotesk": 500 600 700;
    Geist "geist": 400 500 600;
    GeistMono "geist-mono": 400 500;
    ArchivoExtraCondensed "archivo-extra-condensed": 900;
    ArchivoCondensed "archivo-condensed": 900;
    ArchivoSemiCondensed "archivo-semi-condensed": 900;
    Archivo "archivo": 500 600 700 900;
    ArchivoSemiExpanded "archivo-semi-expanded": 800 900;
    ArchivoExpanded "archivo-expanded": 900;
    Newsreader "newsreader": 300 400 500;
    NewsreaderItalic "newsreader-italic": 300 400;
    Fredoka "fredoka": 600 700;
    Nunito "nunito": 600 700 800;
    PublicSans "public-sans": 400 500 600 700;
    Literata "literata": 600;
    BricolageDisplay "bricolage-display": 800;
    Bricolage "bricolage": 400 500 600 700;
    Unbounded "unbounded": 800;
    Onest "onest": 400 500 700 800;
    Cormorant "cormorant": 300 400;
    CormorantItalic "cormorant-italic": 300 400;
    NotoSans "noto-sans": 400 600 700;
    NotoSerif "noto-serif": 400 600;
    ReadexPro "readex-pro": 400 600 700;
    Vazirmatn "vazirmatn": 400 600 800;
    NotoNaskhArabic "noto-naskh-arabic": 400 700;
    NotoSansHebrew "noto-sans-hebrew": 400 600 700;
    NotoSerifHebrew "noto-serif-hebrew": 400 600;
    NotoSansDevanagari "noto-sans-devanagari": 400 600 700;
    NotoSerifDevanagari "noto-serif-devanagari": 400 600;
    NotoSansBengali "noto-sans-bengali": 400 600 700;
    NotoSerifBengali "noto-serif-bengali": 400;
    NotoSansTamil "noto-sans-tamil": 400 600 700;
    NotoSerifTamil "noto-serif-tamil": 400;
    NotoSansTelugu "noto-sans-telugu": 400 600 700;
    NotoSerifTelugu "noto-serif-telugu": 400;
    NotoSansThai "noto-sans-thai": 400 600 700;
    NotoSerifThai "noto-serif-thai": 400 600;
    NotoSansGeorgian "noto-sans-georgian": 400 600 700;
    NotoSerifGeorgian "noto-serif-georgian": 400;
    NotoSansArmenian "noto-sans-armenian": 400 600 700;
    NotoSerifArmenian "noto-serif-armenian": 400;
    NotoSansEthiopic "noto-sans-ethiopic": 400 600 700;
    NotoSansSc "noto-sans-sc": 400 700;
    NotoSansTc "noto-sans-tc": 400 700;
    NotoSansJp "noto-sans-jp": 400 700;
    NotoSansKr "noto-sans-kr": 400 700;
    ShipporiMincho "shippori-mincho": 500 700;
    NotoSansMath "noto-sans-math": 400;
    NotoSansSymbols "noto-sans-symbols": 400;
    NotoSansSymbols2 "noto-sans-symbols-2": 400;
    NotoSansMono "noto-sans-mono": 400;
};
