//! Icons by meaning: finds the concept that a text mentions, and its drawing in each of five families. Also the marks
//! of brands that the text names, which are the same in all families.
//!
//! Names, words and drawings are vendored (`assets/icons`), decompressed on first use and shared. Only a word in the
//! vocabulary, or its plural, selects an icon: a wrong icon is worse than none.

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

/// A family of icons. All icons of a page come from the same family.
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
    /// All families.
    pub const ALL: [Self; 5] =
        [Self::Lucide, Self::Tabler, Self::PhosphorFill, Self::PhosphorLight, Self::PhosphorBold];

    /// Returns the stroke width that matches the weight of the family's lines, as a share of an icon's side.
    const fn pen(self) -> f64 {
        match self {
            Self::Lucide | Self::Tabler => 2.0 / 24.0,
            Self::PhosphorLight => 12.0 / 256.0,
            // Solid shapes are heavier than lines.
            Self::PhosphorFill | Self::PhosphorBold => 24.0 / 256.0,
        }
    }
}

include!(concat!(env!("OUT_DIR"), "/emoji.rs"));

/// A concept with a drawing in some families, mostly in all, or the mark of a brand. Numbers change with the
/// vocabulary; names are stable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Icon(u16);

/// The drawing of an icon, in the unit square, y down.
#[derive(Debug, Clone, PartialEq)]
pub struct Drawing {
    /// Centre lines, for strokes with round caps and joins.
    pub strokes: Vec<Arc<BezPath>>,
    /// Shapes, filled with the non-zero rule.
    pub fills: Vec<Arc<BezPath>>,
    /// Width of the strokes.
    pub pen: f64,
}

impl Icon {
    /// Returns the icon with this name (`map-pin`): the name of a concept, not one of a family's own names.
    pub fn by_name(name: &str) -> Option<Self> {
        let at = packed().names.iter().chain(&marks().names).position(|n| n == name)?;
        Some(Self(u16::try_from(at).ok()?))
    }

    /// Returns the icon's name.
    pub fn name(self) -> &'static str {
        match self.mark() {
            Some(n) => &marks().names[n],
            None => &packed().names[usize::from(self.0)],
        }
    }

    /// Returns all icons of concepts, in the order of the vocabulary.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..).zip(&packed().names).map(|(n, _)| Self(n))
    }

    /// Returns the marks of brands.
    pub fn marks() -> impl Iterator<Item = Self> {
        (packed().names.len() as u16..).zip(&marks().names).map(|(n, _)| Self(n))
    }

    /// Returns the index among the marks if this icon is one.
    fn mark(self) -> Option<usize> {
        usize::from(self.0).checked_sub(packed().names.len())
    }

    /// Returns the icon for the subject of a head or a short label: the icon of its head noun, or else of another of
    /// its words. A word of little weight ("hour") counts only if no other word selects an icon. Words are recognised
    /// in 36 languages and in any of their forms; numbers, function words and ambiguous words select none. The name of
    /// a brand selects its mark in any language, and takes precedence over other words.
    pub fn by_meaning(words: &str, language: &Language) -> Option<Self> {
        Self::meanings(words, language).first().copied()
    }

    /// Returns all icons for a head or a short label, the best first.
    pub fn meanings(words: &str, language: &Language) -> Vec<Self> {
        Self::behind_brand(words, vocabulary::calls(words, language.primary()))
    }

    /// Returns the icons of the things that a text names, the best first: those that [`meanings`](Self::meanings)
    /// returns for brands and for words of full weight. Verbs and ideas name no thing.
    pub fn things(words: &str, language: &Language) -> Vec<Self> {
        Self::behind_brand(words, vocabulary::strong(words, language.primary()))
    }

    /// Returns icons by their numbers, behind the mark of the first brand that a text names.
    fn behind_brand(words: &str, numbers: Vec<u16>) -> Vec<Self> {
        let mark = brands::brand(words).and_then(|n| u16::try_from(packed().names.len() + n).ok());
        mark.into_iter().chain(numbers).map(Self).collect()
    }

    /// Returns an icon for each head of a list, `None` for heads without a subject that can be drawn. All icons are
    /// different: if two heads have the same first subject, the later one gets its next subject; and if it has no
    /// other, the earlier one does. Returns `None` if fewer than two thirds have an icon, because all items of a list
    /// should start alike.
    pub fn for_items(heads: &[&str], language: &Language) -> Option<Vec<Option<Self>>> {
        let choices: Vec<Vec<Self>> = heads.iter().map(|head| Self::meanings(head, language)).collect();
        let mut icons = vec![None; heads.len()];
        for item in 0..heads.len() {
            assign(item, &choices, &mut icons, &mut Vec::new());
        }
        let found = icons.iter().flatten().count();
        (3 * found >= 2 * heads.len()).then_some(icons)
    }

    /// Returns the emoji for the same concept; `None` for marks of brands and for concepts without an emoji.
    pub fn emoji(self) -> Option<&'static str> {
        let name = self.name();
        if self.mark().is_some() {
            return None;
        }
        let (_, emoji) = EMOJI.iter().find(|(concept, _)| *concept == name)?;
        // Emoji with annotations of little weight start with `~`; others take precedence.
        let first = emoji.split_whitespace().min_by_key(|emoji| emoji.starts_with('~'))?;
        Some(first.trim_start_matches('~'))
    }

    /// Returns the icon's drawing. If the family lacks it, uses the centre lines of another family with a stroke of
    /// this family's weight; `None` if no family with centre lines has it either.
    pub fn drawing(self, set: IconSet) -> Option<Drawing> {
        self.own_drawing(set).or_else(|| {
            let lines = [IconSet::Lucide, IconSet::Tabler].into_iter().find_map(|other| self.own_drawing(other));
            lines.map(|drawing| Drawing { pen: set.pen(), ..drawing })
        })
    }

    /// Returns the drawing in the family itself.
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

/// Gives an item the best of its icons that is free, or else one whose item can take another one instead. Returns
/// whether it has one. `tried` are the icons that no item can be made to give up.
fn assign(item: usize, choices: &[Vec<Icon>], icons: &mut [Option<Icon>], tried: &mut Vec<Icon>) -> bool {
    if let Some(free) = choices[item].iter().find(|icon| !icons.contains(&Some(**icon))) {
        icons[item] = Some(*free);
        return true;
    }
    for icon in &choices[item] {
        if tried.contains(icon) {
            continue;
        }
        tried.push(*icon);
        if let Some(holder) = icons.iter().position(|other| *other == Some(*icon))
            && assign(holder, choices, icons, tried)
        {
            icons[item] = Some(*icon);
            return true;
        }
    }
    false
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
