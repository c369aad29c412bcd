//! The families that are vendored, and which of them stands in for which.

/// A vendored family.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Family {
    /// Geometric grotesque with Greek and Cyrillic.
    Manrope,
    /// Quiet grotesque, Latin.
    HankenGrotesk,
    /// Condensed display serif, Latin.
    InstrumentSerif,
    /// Neo-grotesque set tight, with Greek, Cyrillic and arrows.
    InterTight,
    /// Grotesque for text, Latin.
    InstrumentSans,
    /// Quirky grotesque, Latin with Vietnamese.
    SpaceGrotesk,
    /// Neo-grotesque with Cyrillic.
    Geist,
    /// Its monospaced sister.
    GeistMono,
    /// Fallback for Latin, Greek and Cyrillic.
    NotoSans,
    /// Its serif sister.
    NotoSerif,
}

/// What a family looks like from afar; fallback stays within it where it can.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Sans,
    Serif,
    Mono,
}

impl Family {
    /// Every family.
    pub const ALL: [Self; 10] = [
        Self::Manrope,
        Self::HankenGrotesk,
        Self::InstrumentSerif,
        Self::InterTight,
        Self::InstrumentSans,
        Self::SpaceGrotesk,
        Self::Geist,
        Self::GeistMono,
        Self::NotoSans,
        Self::NotoSerif,
    ];

    /// Its name in print.
    pub fn name(self) -> &'static str {
        match self {
            Self::Manrope => "Manrope",
            Self::HankenGrotesk => "Hanken Grotesk",
            Self::InstrumentSerif => "Instrument Serif",
            Self::InterTight => "Inter Tight",
            Self::InstrumentSans => "Instrument Sans",
            Self::SpaceGrotesk => "Space Grotesk",
            Self::Geist => "Geist",
            Self::GeistMono => "Geist Mono",
            Self::NotoSans => "Noto Sans",
            Self::NotoSerif => "Noto Serif",
        }
    }

    /// The family of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|f| f.name() == name)
    }

    fn class(self) -> Class {
        match self {
            Self::InstrumentSerif | Self::NotoSerif => Class::Serif,
            Self::GeistMono => Class::Mono,
            _ => Class::Sans,
        }
    }

    /// Where characters that it lacks come from, best first.
    pub(super) fn fallback(self) -> &'static [Self] {
        match self.class() {
            Class::Sans => &[Self::InterTight, Self::NotoSans, Self::Geist, Self::NotoSerif],
            Class::Serif => &[Self::NotoSerif, Self::NotoSans, Self::InterTight, Self::Geist],
            Class::Mono => &[Self::GeistMono, Self::NotoSans, Self::InterTight, Self::Geist, Self::NotoSerif],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_again() {
        for family in Family::ALL {
            assert_eq!(Family::from_name(family.name()), Some(family));
        }
        assert_eq!(Family::from_name("Comic Sans"), None);
    }

    #[test]
    fn fallback_begins_in_the_same_class() {
        for family in Family::ALL {
            assert_eq!(family.fallback()[0].class(), family.class());
        }
    }
}
