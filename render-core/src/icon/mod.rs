//! Icons by meaning: which concept a text speaks of, and its drawing in each of five families; and the marks of brands that
//! it names, which are alike in all of them.
//!
//! Names, words and drawings are vendored (`assets/icons`), unpacked when the first is asked for and shared by all. Only
//! a word that stands in the vocabulary, or its plural, calls for an icon: a wrong icon is worse than none.

mod brands;
mod packed;
#[cfg(test)]
mod tests;
mod vocabulary;

use std::sync::{Arc, OnceLock};

use packed::Packed;

use crate::content::Language;
use crate::scene::BezPath;

static PACKED: &[u8] = include_bytes!("../../assets/icons/icons.bin.zst");
static MARKS: &[u8] = include_bytes!("../../assets/icons/marks.bin.zst");

/// A family of icons. What stands on one page comes from one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum IconSet {
    /// Lucide: round strokes, 2/24 of the side by design.
    Lucide,
    /// Tabler, outline: round strokes, 2/24 of the side by design.
    Tabler,
    /// Phosphor, fill: solid shapes.
    PhosphorFill,
    /// Phosphor, light: fine lines, as filled outlines of a fixed weight.
    PhosphorLight,
    /// Phosphor, bold: heavy lines, as filled outlines of a fixed weight.
    PhosphorBold,
}

impl IconSet {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::Lucide, Self::Tabler, Self::PhosphorFill, Self::PhosphorLight, Self::PhosphorBold];

    /// Width of a stroke that is as heavy as the family's lines, in units of an icon's side.
    const fn pen(self) -> f64 {
        match self {
            Self::Lucide | Self::Tabler => 2.0 / 24.0,
            Self::PhosphorLight => 12.0 / 256.0,
            // Shapes are heavier than lines.
            Self::PhosphorFill | Self::PhosphorBold => 24.0 / 256.0,
        }
    }
}

include!(concat!(env!("OUT_DIR"), "/emoji.rs"));

/// A concept with a drawing in some families, most in all, or the mark of a brand. Numbers change with the vocabulary; names stay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Icon(u16);

/// What to draw for an icon, in the unit square, y down.
#[derive(Debug, Clone, PartialEq)]
pub struct Drawing {
    /// Centre lines, to be stroked with round caps and joins.
    pub strokes: Vec<Arc<BezPath>>,
    /// Filled by the non-zero rule.
    pub fills: Vec<Arc<BezPath>>,
    /// Width of the strokes.
    pub pen: f64,
}

impl Icon {
    /// The icon of this name (`map-pin`), a concept's and no family's own.
    pub fn by_name(name: &str) -> Option<Self> {
        let at = packed().names.iter().chain(&marks().names).position(|n| n == name)?;
        Some(Self(u16::try_from(at).ok()?))
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self.mark() {
            Some(n) => &marks().names[n],
            None => &packed().names[usize::from(self.0)],
        }
    }

    /// All icons of concepts, in the vocabulary's order.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..).zip(&packed().names).map(|(n, _)| Self(n))
    }

    /// The marks of brands.
    pub fn marks() -> impl Iterator<Item = Self> {
        (packed().names.len() as u16..).zip(&marks().names).map(|(n, _)| Self(n))
    }

    /// The number of a mark among marks.
    fn mark(self) -> Option<usize> {
        usize::from(self.0).checked_sub(packed().names.len())
    }

    /// What a head or a short label speaks of: the icon of its head noun, or else of another of its words; a word of
    /// little weight ("hour") only where no other calls for one. Words are known in 36 languages and in any of their
    /// forms; numbers, function words and words of many meanings call for none. The name of a brand calls for its mark in
    /// any language, and goes before other words.
    pub fn by_meaning(words: &str, language: &Language) -> Option<Self> {
        Self::meanings(words, language).first().copied()
    }

    /// All that a head or a short label speaks of, the best first.
    pub fn meanings(words: &str, language: &Language) -> Vec<Self> {
        let mark = brands::brand(words).and_then(|n| u16::try_from(packed().names.len() + n).ok());
        mark.into_iter().chain(vocabulary::calls(words, language.primary())).map(Self).collect()
    }

    /// An icon for each head of a list, none for those that speak of nothing that can be drawn. No two are the same: where
    /// two heads speak of one thing first, the later one has what else it speaks of. `None` where fewer than two thirds
    /// have one, for then what leads the others leads all.
    pub fn for_items(heads: &[&str], language: &Language) -> Option<Vec<Option<Self>>> {
        let mut icons: Vec<Option<Self>> = Vec::with_capacity(heads.len());
        for head in heads {
            let free = Self::meanings(head, language).into_iter().find(|icon| !icons.contains(&Some(*icon)));
            icons.push(free);
        }
        let found = icons.iter().flatten().count();
        (3 * found >= 2 * heads.len()).then_some(icons)
    }

    /// The emoji that shows the same; none for marks of brands and for concepts that no emoji shows.
    pub fn emoji(self) -> Option<&'static str> {
        let name = self.name();
        if self.mark().is_some() {
            return None;
        }
        let (_, emoji) = EMOJI.iter().find(|(concept, _)| *concept == name)?;
        // Emoji whose annotations are of little weight begin with `~`; others go first.
        let first = emoji.split_whitespace().min_by_key(|emoji| emoji.starts_with('~'))?;
        Some(first.trim_start_matches('~'))
    }

    /// Its drawing. Where the family lacks it, the centre lines of another stand in, drawn by a pen of the family's weight;
    /// `None` where no family with centre lines has it either.
    pub fn drawing(self, set: IconSet) -> Option<Drawing> {
        self.own_drawing(set).or_else(|| {
            let lines = [IconSet::Lucide, IconSet::Tabler].into_iter().find_map(|other| self.own_drawing(other));
            lines.map(|drawing| Drawing { pen: set.pen(), ..drawing })
        })
    }

    /// The family's own drawing.
    fn own_drawing(self, set: IconSet) -> Option<Drawing> {
        let ((strokes, fills), pen) = match self.mark() {
            Some(n) => (marks().drawing(0, n)?, IconSet::Lucide.pen()),
            None => (packed().drawing(set as usize, usize::from(self.0))?, set.pen()),
        };
        let whole = |path: BezPath| if path.elements().is_empty() { Vec::new() } else { vec![Arc::new(path)] };
        let drawing = Drawing { strokes: whole(strokes), fills: whole(fills), pen };
        (!drawing.strokes.is_empty() || !drawing.fills.is_empty()).then_some(drawing)
    }
}

fn packed() -> &'static Packed {
    static UNPACKED: OnceLock<Packed> = OnceLock::new();
    UNPACKED.get_or_init(|| unpacked(PACKED, IconSet::ALL.len()))
}

fn marks() -> &'static Packed {
    static UNPACKED: OnceLock<Packed> = OnceLock::new();
    UNPACKED.get_or_init(|| unpacked(MARKS, 1))
}

fn unpacked(table: &[u8], sets: usize) -> Packed {
    let bytes = zstd::decode_all(table).expect("the vendored table unpacks; a test loads it");
    Packed::read(bytes, sets).expect("the vendored table is one; a test loads it")
}
