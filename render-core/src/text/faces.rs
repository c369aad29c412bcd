//! The faces: vendored, compressed in the binary, loaded when first used, shared by all workers of a process.

use std::sync::{Arc, OnceLock};

use harfrust::{Direction, Feature, Font, Script, ShapePlan, Tag};
use kurbo::{BezPath, Shape};
use skrifa::instance::{LocationRef, Size};
use skrifa::outline::{DrawSettings, OutlinePen};
use skrifa::{FontRef, GlyphId, MetadataProvider};

use super::FaceMetrics;
use super::family::Family;
use crate::scene::Rect;

/// A family at one weight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FaceId(u16);

impl FaceId {
    /// Its place among the vendored faces: dense, from 0, below [`Fonts::len`].
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

struct Vendored {
    family: Family,
    weight: u16,
    packed: &'static [u8],
}

macro_rules! vendored {
    ($($family:ident $file:literal: $($weight:literal)+;)+) => {
        &[$($(Vendored {
            family: Family::$family,
            weight: $weight,
            packed: include_bytes!(concat!("../../assets/fonts/", $file, "-", $weight, ".ttf.zst")),
        },)+)+]
    };
}

/// In the order of [`FaceId`].
static VENDORED: &[Vendored] = vendored! {
    Manrope "manrope": 500 600 700 800;
    HankenGrotesk "hanken-grotesk": 500 600 700;
    InstrumentSerif "instrument-serif": 400;
    InterTight "inter-tight": 400 500 600 700;
    InstrumentSans "instrument-sans": 400 500 600;
    SpaceGrotesk "space-grotesk": 500 600 700;
    Geist "geist": 400 500 600;
    GeistMono "geist-mono": 400 500;
    NotoSans "noto-sans": 400 600 700;
    NotoSerif "noto-serif": 400 600;
};

/// Em size in pixels that fontdue flattens curves for: above the largest text it draws (80 du at 2 px/du).
const FONTDUE_SCALE: f32 = 160.0;

/// The scripts that get a shaping plan of their own, and the rest.
pub(super) const SCRIPTS: [Script; 4] = [Script::LATIN, Script::GREEK, Script::CYRILLIC, Script::COMMON];

/// Combinations of [`FeatureSet`].
const FEATURE_SETS: usize = 8;

/// The features that a style chooses; kerning, ligatures, contextual and local forms are always on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct FeatureSet {
    pub tabular: bool,
    pub case: bool,
    /// Letters are set clearly tighter or looser than drawn, so optional ligatures, whose letters keep their distance,
    /// would stand out (CSS Text 3, section 8.2).
    pub spaced: bool,
}

impl FeatureSet {
    fn index(self) -> usize {
        usize::from(self.tabular) + 2 * usize::from(self.case) + 4 * usize::from(self.spaced)
    }

    pub(super) fn features(self) -> Vec<Feature> {
        let on = |tag: &[u8; 4]| Feature::new(Tag::new(tag), 1, ..);
        let mut features = Vec::new();
        if self.tabular {
            features.extend([on(b"tnum"), on(b"lnum")]);
        }
        if self.case {
            features.push(on(b"case"));
        }
        if self.spaced {
            features.extend([b"liga", b"clig"].map(|tag| Feature::new(Tag::new(tag), 0, ..)));
        }
        features
    }
}

/// A face, unpacked and parsed.
struct Loaded {
    bytes: Arc<Vec<u8>>,
    shaping: Font,
    units_per_em: f32,
    /// A bit for each character of the basic plane that the face has.
    covered: Vec<u64>,
    metrics: OnceLock<FaceMetrics>,
    ink: Vec<OnceLock<Rect>>,
    plans: [OnceLock<ShapePlan>; SCRIPTS.len() * FEATURE_SETS],
    fontdue: OnceLock<fontdue::Font>,
}

impl Loaded {
    fn new(v: &Vendored) -> Self {
        let bytes = zstd::decode_all(v.packed).expect("a vendored face unpacks; a test loads each one");
        let bytes = Arc::new(bytes);
        let shaping = Font::new(harfrust::font::Blob::Shared(bytes.clone()), 0)
            .expect("a vendored face parses; a test loads each one");
        let glyphs = shaping.num_glyphs() as usize;
        let mut covered = vec![0u64; 0x1_0000 / 64];
        for (c, _) in shaping.charmap().unicodes().filter(|(c, id)| *c < 0x1_0000 && id.to_u32() != 0) {
            covered[c as usize / 64] |= 1 << (c % 64);
        }
        Self {
            units_per_em: f32::from(shaping.units_per_em()),
            bytes,
            shaping,
            covered,
            metrics: OnceLock::new(),
            ink: (0..glyphs).map(|_| OnceLock::new()).collect(),
            plans: [const { OnceLock::new() }; _],
            fontdue: OnceLock::new(),
        }
    }

    fn font_ref(&self) -> FontRef<'_> {
        FontRef::new(&self.bytes).expect("a vendored face parses; a test loads each one")
    }

    fn outline(&self, glyph: u16) -> Option<BezPath> {
        let glyphs = self.font_ref().outline_glyphs();
        let outline = glyphs.get(GlyphId::from(glyph))?;
        let mut pen = EmPen { path: BezPath::new(), scale: 1.0 / f64::from(self.units_per_em) };
        let settings = DrawSettings::unhinted(Size::unscaled(), LocationRef::default());
        outline.draw(settings, &mut pen).ok()?;
        Some(pen.path)
    }

    fn ink(&self, glyph: u16) -> Rect {
        let Some(cell) = self.ink.get(usize::from(glyph)) else { return Rect::EMPTY };
        *cell.get_or_init(|| match self.outline(glyph) {
            Some(path) if !path.elements().is_empty() => {
                let b = path.bounding_box();
                Rect::new(b.x0 as f32, b.y0 as f32, b.x1 as f32, b.y1 as f32)
            }
            _ => Rect::EMPTY,
        })
    }

    fn glyph(&self, c: char) -> Option<u16> {
        let id = self.shaping.charmap().map_unicode(c)?.to_u32();
        u16::try_from(id).ok().filter(|id| *id != 0)
    }

    fn covers(&self, c: char) -> bool {
        let code = u32::from(c);
        match self.covered.get(code as usize / 64) {
            Some(bits) => (bits >> (code % 64)) & 1 == 1,
            None => self.glyph(c).is_some(),
        }
    }

    fn metrics(&self) -> FaceMetrics {
        *self.metrics.get_or_init(|| {
            let m = self.font_ref().metrics(Size::new(1.0), LocationRef::default());
            // The letters themselves rather than the OS/2 fields: some faces carry a relative's figures there.
            let top = |c: char| self.glyph(c).map(|g| -self.ink(g).y0).filter(|h| *h > 0.0 && *h < 2.0);
            FaceMetrics {
                cap_height: top('H').or(m.cap_height).unwrap_or(0.7),
                x_height: top('x').or(m.x_height).unwrap_or(0.5),
                ascent: m.ascent,
                descent: m.descent,
            }
        })
    }
}

/// Collects an outline in em units, y down.
struct EmPen {
    path: BezPath,
    scale: f64,
}

impl EmPen {
    fn at(&self, x: f32, y: f32) -> (f64, f64) {
        (f64::from(x) * self.scale, -f64::from(y) * self.scale)
    }
}

impl OutlinePen for EmPen {
    fn move_to(&mut self, x: f32, y: f32) {
        self.path.move_to(self.at(x, y));
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.path.line_to(self.at(x, y));
    }

    fn quad_to(&mut self, cx: f32, cy: f32, x: f32, y: f32) {
        self.path.quad_to(self.at(cx, cy), self.at(x, y));
    }

    fn curve_to(&mut self, ax: f32, ay: f32, bx: f32, by: f32, x: f32, y: f32) {
        self.path.curve_to(self.at(ax, ay), self.at(bx, by), self.at(x, y));
    }

    fn close(&mut self) {
        self.path.close_path();
    }
}

/// All vendored faces. Cloning shares them; each face is unpacked when first asked for and stays.
#[derive(Clone)]
pub struct Fonts(Arc<[OnceLock<Loaded>]>);

impl std::fmt::Debug for Fonts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let loaded = self.0.iter().filter(|l| l.get().is_some()).count();
        write!(f, "Fonts({loaded} of {} loaded)", self.0.len())
    }
}

impl Default for Fonts {
    fn default() -> Self {
        Self::new()
    }
}

impl Fonts {
    /// The vendored faces, none of them unpacked yet.
    pub fn new() -> Self {
        Self(VENDORED.iter().map(|_| OnceLock::new()).collect())
    }

    /// How many faces there are.
    #[allow(clippy::len_without_is_empty, reason = "faces are never none")]
    pub fn len(&self) -> usize {
        VENDORED.len()
    }

    /// Every face.
    pub fn faces(&self) -> impl Iterator<Item = FaceId> + use<> {
        (0..VENDORED.len() as u16).map(FaceId)
    }

    /// The face of `family` nearest to `weight` (100–900); of two equally near ones the heavier.
    pub fn face(&self, family: Family, weight: u16) -> FaceId {
        let distance = |v: &Vendored| (v.weight.abs_diff(weight), u16::MAX - v.weight);
        let nearest = (0..).zip(VENDORED).filter(|(_, v)| v.family == family).min_by_key(|(_, v)| distance(v));
        FaceId(nearest.expect("every family has a vendored face; a test asks for each one").0)
    }

    /// The family of `face`.
    pub fn family(&self, face: FaceId) -> Family {
        VENDORED[face.index()].family
    }

    /// The weight of `face`.
    pub fn weight(&self, face: FaceId) -> u16 {
        VENDORED[face.index()].weight
    }

    /// The TrueType file of `face`.
    pub fn bytes(&self, face: FaceId) -> &[u8] {
        &self.loaded(face).bytes
    }

    /// Vertical measures of `face`, in em.
    pub fn metrics(&self, face: FaceId) -> FaceMetrics {
        self.loaded(face).metrics()
    }

    /// Whether `face` itself has a glyph for `c`.
    pub fn covers(&self, face: FaceId, c: char) -> bool {
        self.loaded(face).covers(c)
    }

    /// Whether `family` itself has a glyph for every character of `text`, white space and controls aside.
    pub fn covers_text(&self, family: Family, text: &str) -> bool {
        let face = self.face(family, 400);
        text.chars().all(|c| c.is_whitespace() || is_invisible(c) || self.covers(face, c))
    }

    /// The glyph that `face` has for `c` on its own, unshaped.
    pub fn glyph(&self, face: FaceId, c: char) -> Option<u16> {
        self.loaded(face).glyph(c)
    }

    /// The unhinted outline of a glyph in em units, origin on the baseline, y down: scale by the size and move to the
    /// glyph's place. Empty for a space, `None` for a glyph the face doesn't have.
    pub fn outline(&self, face: FaceId, glyph: u16) -> Option<BezPath> {
        self.loaded(face).outline(glyph)
    }

    /// The exact bounding box of a glyph's outline in em units, y down; [`Rect::EMPTY`] where it has no ink.
    pub fn glyph_ink(&self, face: FaceId, glyph: u16) -> Rect {
        self.loaded(face).ink(glyph)
    }

    /// `face` parsed for rasterising by glyph index. Parsed when first asked for.
    pub fn fontdue(&self, face: FaceId) -> &fontdue::Font {
        let loaded = self.loaded(face);
        loaded.fontdue.get_or_init(|| {
            let settings =
                fontdue::FontSettings { collection_index: 0, scale: FONTDUE_SCALE, load_substitutions: true };
            fontdue::Font::from_bytes(loaded.bytes.as_slice(), settings)
                .expect("a vendored face parses; a test loads each one")
        })
    }

    /// `face` as the shaper takes it.
    pub(super) fn shaping(&self, face: FaceId) -> &Font {
        &self.loaded(face).shaping
    }

    /// Font units per em of `face`.
    pub(super) fn units_per_em(&self, face: FaceId) -> f32 {
        self.loaded(face).units_per_em
    }

    /// The shaping plan of `face` for left-to-right text of `SCRIPTS[script]`.
    pub(super) fn plan(&self, face: FaceId, script: usize, set: FeatureSet) -> &ShapePlan {
        let loaded = self.loaded(face);
        loaded.plans[script * FEATURE_SETS + set.index()].get_or_init(|| {
            ShapePlan::new(&loaded.shaping, Direction::LeftToRight, Some(SCRIPTS[script]), None, &set.features())
        })
    }

    fn loaded(&self, face: FaceId) -> &Loaded {
        self.0[face.index()].get_or_init(|| Loaded::new(&VENDORED[face.index()]))
    }
}

/// Characters that never have ink and are no loss where a face lacks them: controls, joiners, marks of direction,
/// variation selectors (the default-ignorable characters of UAX 44 as far as they occur in text).
pub(super) fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
            | '\u{e0000}'..='\u{e0fff}')
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
            assert!(m.cap_height > 0.6 && m.cap_height < 0.8, "{name:?} {m:?}");
            assert!(m.x_height > 0.4 && m.x_height < m.cap_height, "{name:?} {m:?}");
            assert!(m.ascent > m.cap_height && m.descent < 0.0, "{name:?} {m:?}");
            let h = fonts.glyph(face, 'H').unwrap();
            assert!(fonts.fontdue(face).metrics_indexed(h, 40.0).width > 10);
            assert!(fonts.outline(face, h).is_some_and(|o| o.elements().len() > 8));
        }
    }

    /// Glyphs that only substitutions reach come out silently empty where fontdue doesn't find them.
    #[test]
    fn fontdue_has_every_glyph_that_has_an_outline() {
        let fonts = Fonts::new();
        for face in fonts.faces() {
            let lacking = (0..fonts.shaping(face).num_glyphs() as u16)
                .filter(|g| !fonts.glyph_ink(face, *g).is_empty())
                .filter(|g| fonts.fontdue(face).metrics_indexed(*g, 60.0).width == 0)
                .collect::<Vec<_>>();
            assert_eq!(lacking, [0u16; 0], "{:?}", fonts.family(face));
        }
    }

    #[test]
    fn ink_agrees_with_fontdue() {
        let fonts = Fonts::new();
        let face = fonts.face(Family::InstrumentSerif, 400);
        for c in "Qgjf“Åß@".chars() {
            let g = fonts.glyph(face, c).unwrap();
            let (ink, m) = (fonts.glyph_ink(face, g), fonts.fontdue(face).metrics_indexed(g, 1000.0));
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
