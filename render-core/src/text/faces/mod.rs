//! The faces, shared by all workers of a process: vendored ones, which are compressed in the binary and loaded on first
//! use, and those added at run time.

mod added;
mod check;
mod loaded;
mod plan_key;
mod vendored;

use std::sync::{Arc, OnceLock};

use harfrust::{Font, ShapePlan};
use kurbo::BezPath;
use unicode_script::Script;

use self::added::Added;
use self::loaded::Loaded;
use self::vendored::VENDORED;
use super::FaceMetrics;
use super::character::is_invisible;
use super::family::Family;
use super::script::{is_general, reference_letter};
use crate::scene::Rect;

pub use self::added::{AddError, OwnFace};
pub use self::check::{FontFault, check_font};
pub(super) use self::plan_key::{FeatureSet, PlanKey};
pub use crate::scene::FaceId;

/// All faces. Clones share them: each vendored face is decompressed on first use and stays loaded, and a face added to
/// one clone is available in all. Faces that a brand provides ([`Fonts::with`]) are available only in that instance.
#[derive(Clone)]
pub struct Fonts(Arc<Shelf>, Arc<[(Family, OwnFace)]>);

struct Shelf {
    vendored: Box<[OnceLock<Loaded>]>,
    added: Added,
}

impl std::fmt::Debug for Fonts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (vendored, added) = (&self.0.vendored, self.0.added.faces().count());
        let loaded = vendored.iter().filter(|l| l.get().is_some()).count();
        write!(f, "Fonts({loaded} of {} loaded, {added} added, {} own)", vendored.len(), self.1.len())
    }
}

impl Default for Fonts {
    fn default() -> Self {
        Self::new()
    }
}

impl Fonts {
    /// Creates fonts with the vendored faces, none of them decompressed yet.
    pub fn new() -> Self {
        let vendored = VENDORED.iter().map(|_| OnceLock::new()).collect();
        Self(Arc::new(Shelf { vendored, added: Added::default() }), Arc::default())
    }

    /// Returns fonts that share these faces and also have those that a brand provides, each with its family
    /// ([`Family::OwnHeading`], [`Family::OwnBody`]). Other fonts that share these faces don't see the brand's.
    #[must_use]
    pub fn with(&self, own: Vec<(Family, OwnFace)>) -> Self {
        Self(Arc::clone(&self.0), own.into())
    }

    /// Adds a face from a whole file that passed [`check_font`]. From then on, characters that no vendored face has are
    /// set in it.
    ///
    /// # Errors
    /// [`AddError`]; the faces are unchanged.
    pub fn add(&self, sfnt: Vec<u8>) -> Result<FaceId, AddError> {
        self.0.added.add(sfnt).map(Self::added_id)
    }

    /// Returns the id of the added face with number `i`.
    fn added_id(i: usize) -> FaceId {
        FaceId((VENDORED.len() + i) as u32)
    }

    /// Returns every face, in the order of addition, with the brand's own faces last.
    pub fn faces(&self) -> impl Iterator<Item = FaceId> + use<> {
        let shared = VENDORED.len() + self.0.added.faces().count();
        let own: Vec<FaceId> = self.1.iter().map(|(_, face)| face.id()).collect();
        (0..shared).map(|i| FaceId(i as u32)).chain(own)
    }

    /// Returns, for each family from outside, the face nearest to `weight`: first the brand's own, then in the order of
    /// addition.
    pub(super) fn added(&self, weight: u16) -> impl Iterator<Item = FaceId> {
        let mut families: Vec<Family> = Vec::new();
        for family in self.1.iter().map(|(family, _)| *family).chain(self.0.added.faces().map(|face| face.family)) {
            if !families.contains(&family) {
                families.push(family);
            }
        }
        families.into_iter().map(move |family| self.face(family, weight))
    }

    /// Returns the face of `family` nearest to `weight` (100–900); of two equally near ones, the heavier. A family that
    /// these fonts don't have, because it was added elsewhere, falls back to Noto Sans.
    pub fn face(&self, family: Family, weight: u16) -> FaceId {
        let distance = |w: u16| (w.abs_diff(weight), u16::MAX - w);
        if let Family::Added(_) | Family::OwnHeading | Family::OwnBody = family {
            let own = self.1.iter().filter(|(f, _)| *f == family).map(|(_, face)| (face.weight(), face.id()));
            let added = self.0.added.faces().enumerate().filter(|(_, face)| face.family == family);
            let added = added.map(|(i, face)| (face.weight, Self::added_id(i)));
            let nearest = own.chain(added).min_by_key(|(w, _)| distance(*w));
            return nearest.map_or_else(|| self.face(Family::NotoSans, weight), |(_, face)| face);
        }
        let nearest = (0..).zip(VENDORED).filter(|(_, v)| v.family == family).min_by_key(|(_, v)| distance(v.weight));
        FaceId(nearest.expect("every family has a vendored face; a test asks for each one").0)
    }

    /// Returns the italic of `face` if one is vendored.
    pub fn italic(&self, face: FaceId) -> Option<FaceId> {
        match self.family(face) {
            Family::InstrumentSerif => Some(self.face(Family::InstrumentSerifItalic, self.weight(face))),
            Family::Newsreader => Some(self.face(Family::NewsreaderItalic, self.weight(face))),
            Family::Cormorant => Some(self.face(Family::CormorantItalic, self.weight(face))),
            _ => None,
        }
    }

    /// Returns the family of `face`.
    pub fn family(&self, face: FaceId) -> Family {
        match (VENDORED.get(face.index()), self.own(face)) {
            (Some(vendored), _) => vendored.family,
            (None, Some((family, _))) => *family,
            (None, None) => self.0.added.at(face).family,
        }
    }

    /// Returns the weight of `face`.
    pub fn weight(&self, face: FaceId) -> u16 {
        match (VENDORED.get(face.index()), self.own(face)) {
            (Some(vendored), _) => vendored.weight,
            (None, Some((_, own))) => own.weight(),
            (None, None) => self.0.added.at(face).weight,
        }
    }

    /// Returns the TrueType or OpenType file of `face`.
    pub fn bytes(&self, face: FaceId) -> &[u8] {
        &self.loaded(face).bytes
    }

    /// Returns whether the file of `face` has coloured glyphs or bitmaps besides outlines.
    pub fn has_pictures(&self, face: FaceId) -> bool {
        self.loaded(face).has_pictures()
    }

    /// Returns the file of `face`, shared.
    pub fn file(&self, face: FaceId) -> Arc<Vec<u8>> {
        Arc::clone(&self.loaded(face).bytes)
    }

    /// Returns the vertical metrics of `face`, in em.
    pub fn metrics(&self, face: FaceId) -> FaceMetrics {
        self.loaded(face).metrics()
    }

    /// Returns whether `face` itself has a glyph for `c`.
    pub fn covers(&self, face: FaceId, c: char) -> bool {
        self.loaded(face).covers(c)
    }

    /// Returns whether `family` itself has a glyph for every character of `text`, except white space and controls.
    pub fn covers_text(&self, family: Family, text: &str) -> bool {
        let face = self.face(family, 400);
        text.chars().all(|c| c.is_whitespace() || is_invisible(c) || self.covers(face, c))
    }

    /// Returns the glyph of `face` for `c` alone, unshaped.
    pub fn glyph(&self, face: FaceId, c: char) -> Option<u16> {
        self.loaded(face).glyph(c)
    }

    /// Returns the unhinted outline of a glyph in em units, origin on the baseline, y down. To draw it, scale it by the
    /// size and move it to the glyph's position. Empty for a space, `None` for a glyph that the face doesn't have.
    pub fn outline(&self, face: FaceId, glyph: u16) -> Option<BezPath> {
        self.loaded(face).outline(glyph)
    }

    /// Returns the exact bounding box of a glyph's outline in em units, y down; [`Rect::EMPTY`] if it has no ink.
    pub fn glyph_ink(&self, face: FaceId, glyph: u16) -> Rect {
        self.loaded(face).ink(glyph)
    }

    /// Returns `face` parsed for rasterising by glyph index, loaded on first use. `None` for a face with thousands of
    /// glyphs, which takes too much memory to load as a whole, and for an added face: draw their [`Fonts::outline`]s.
    pub fn fontdue(&self, face: FaceId) -> Option<&fontdue::Font> {
        self.loaded(face).fontdue()
    }

    /// Returns `face` in the form that the shaper takes.
    pub(super) fn shaping(&self, face: FaceId) -> &Font {
        &self.loaded(face).shaping
    }

    /// Returns the font units per em of `face`.
    pub(super) fn units_per_em(&self, face: FaceId) -> f32 {
        self.loaded(face).units_per_em
    }

    /// Returns whether `face` has vertical metrics for its glyphs.
    pub(super) fn has_vertical_metrics(&self, face: FaceId) -> bool {
        self.loaded(face).vertical
    }

    /// Returns the shaping plan of `face` for `key`.
    pub(super) fn plan(&self, face: FaceId, key: PlanKey) -> Arc<ShapePlan> {
        self.loaded(face).plan(key)
    }

    /// Returns the height by which lines of `script` are aligned, in em: that of capitals, or of a flat letter of the
    /// script.
    pub(super) fn letter_height(&self, face: FaceId, script: Script) -> f32 {
        let loaded = self.loaded(face);
        let letter = (!is_general(script)).then(|| loaded.glyph(reference_letter(script))).flatten();
        let top = letter.map(|g| -loaded.ink(g).y0).filter(|h| *h > 0.2 && *h < 1.5);
        top.unwrap_or_else(|| loaded.metrics().cap_height)
    }

    fn loaded(&self, face: FaceId) -> &Loaded {
        match (VENDORED.get(face.index()), self.own(face)) {
            (Some(vendored), _) => self.0.vendored[face.index()].get_or_init(|| Loaded::vendored(vendored)),
            (None, Some((_, own))) => own.loaded(),
            (None, None) => &self.0.added.at(face).loaded,
        }
    }

    /// Returns the brand's own face with this id, if it is one.
    fn own(&self, face: FaceId) -> Option<&(Family, OwnFace)> {
        self.1.iter().find(|(_, own)| own.id() == face)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_face_loads_and_draws() {
        let fonts = Fonts::new();
        for face in fonts.faces() {
            let m = fonts.metrics(face);
            let name = (fonts.family(face), fonts.weight(face));
            assert!(m.cap_height > 0.6 && m.cap_height < 0.95, "{name:?} {m:?}");
            assert!(m.x_height > 0.38 && m.x_height < m.cap_height, "{name:?} {m:?}");
            assert!(m.ascent > 0.7 && m.descent < 0.0, "{name:?} {m:?}");
            let inked = (0..fonts.shaping(face).num_glyphs() as u16).filter(|g| !fonts.glyph_ink(face, *g).is_empty());
            assert!(inked.take(80).count() == 80, "{name:?}");
        }
    }

    /// If fontdue doesn't find a glyph that only substitutions reach, it draws nothing and reports no error.
    #[test]
    fn fontdue_has_every_glyph_that_has_an_outline() {
        let fonts = Fonts::new();
        for face in fonts.faces() {
            let Some(font) = fonts.fontdue(face) else { continue };
            let lacking = (0..fonts.shaping(face).num_glyphs() as u16)
                .filter(|g| !fonts.glyph_ink(face, *g).is_empty())
                .filter(|g| font.metrics_indexed(*g, 60.0).width == 0)
                .collect::<Vec<_>>();
            assert_eq!(lacking, [0u16; 0], "{:?}", fonts.family(face));
        }
    }

    #[test]
    fn faces_of_thousands_of_glyphs_are_not_read_as_a_whole() {
        let fonts = Fonts::new();
        assert!(fonts.fontdue(fonts.face(Family::NotoSansSc, 400)).is_none());
        assert!(fonts.fontdue(fonts.face(Family::NotoSansThai, 400)).is_some());
    }

    #[test]
    fn lines_are_aligned_by_a_letter_of_the_script() {
        let fonts = Fonts::new();
        let height = |family, script| fonts.letter_height(fonts.face(family, 400), script);
        for (family, script) in [
            (Family::ReadexPro, Script::Arabic),
            (Family::NotoSansHebrew, Script::Hebrew),
            (Family::NotoSansDevanagari, Script::Devanagari),
            (Family::NotoSansThai, Script::Thai),
            (Family::NotoSansJp, Script::Han),
            (Family::NotoSansKr, Script::Hangul),
        ] {
            let h = height(family, script);
            assert!((0.45..0.95).contains(&h), "{family:?} {h}");
        }
        assert_eq!(height(Family::Manrope, Script::Latin), fonts.metrics(fonts.face(Family::Manrope, 400)).cap_height);
    }

    #[test]
    fn ink_agrees_with_fontdue() {
        let fonts = Fonts::new();
        let face = fonts.face(Family::InstrumentSerif, 400);
        for c in "Qgjf“Åß@".chars() {
            let g = fonts.glyph(face, c).unwrap();
            let (ink, m) = (fonts.glyph_ink(face, g), fonts.fontdue(face).unwrap().metrics_indexed(g, 1000.0));
            assert!((ink.x0 * 1000.0 - m.bounds.xmin).abs() < 2.0, "{c}");
            assert!((ink.y1 * 1000.0 + m.bounds.ymin).abs() < 2.0, "{c}");
            assert!((ink.w() * 1000.0 - m.bounds.width).abs() < 3.0, "{c}");
        }
    }

    #[test]
    fn faces_are_found_by_family_and_weight() {
        let fonts = Fonts::new();
        for family in Family::ALL {
            assert_eq!(fonts.family(fonts.face(family, 400)), family);
        }
        assert_eq!(fonts.weight(fonts.face(Family::Manrope, 900)), 800);
        assert_eq!(fonts.weight(fonts.face(Family::Manrope, 100)), 500);
        assert_eq!(fonts.weight(fonts.face(Family::NotoSans, 500)), 600);
    }

    #[test]
    fn coverage_is_the_face_s_own() {
        let fonts = Fonts::new();
        assert!(fonts.covers_text(Family::Manrope, "Größe 30 %\nПривет"));
        assert!(!fonts.covers_text(Family::HankenGrotesk, "Привет"));
        assert!(!fonts.covers(fonts.face(Family::NotoSans, 400), '漢'));
    }
}
