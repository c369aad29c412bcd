//! A loaded face.

use std::sync::{Arc, OnceLock};

use harfrust::{Font, ShapePlan};
use kurbo::{BezPath, Shape};
use parking_lot::RwLock;
use skrifa::instance::{LocationRef, Size};
use skrifa::outline::{DrawSettings, OutlinePen};
use skrifa::raw::TableProvider;
use skrifa::raw::types::Tag;
use skrifa::{FontRef, GlyphId, MetadataProvider};

use super::plan_key::PlanKey;
use super::vendored::Vendored;
use crate::scene::Rect;
use crate::text::FaceMetrics;
use crate::text::script::shaping;

/// Em size in pixels at which fontdue flattens curves: above the largest text that it draws (80 du at 2 px/du).
const FONTDUE_SCALE: f32 = 160.0;
/// Faces with more glyphs than this are not loaded by fontdue.
const FONTDUE_GLYPHS: u32 = 3_000;
/// Number of shaping plans that a face caches; when it is full, the cache is cleared.
const PLANS: usize = 64;

/// A face, decompressed and parsed.
pub(super) struct Loaded {
    pub bytes: Arc<Vec<u8>>,
    pub shaping: Font,
    pub units_per_em: f32,
    /// Whether the face has vertical metrics (`vmtx`).
    pub vertical: bool,
    /// For a vendored face, a bit for each character of the basic multilingual plane that it has.
    covered: Option<Vec<u64>>,
    metrics: OnceLock<FaceMetrics>,
    ink: Vec<OnceLock<Rect>>,
    plans: RwLock<Vec<(PlanKey, Arc<ShapePlan>)>>,
    /// The face as loaded by fontdue, for faces that fontdue may load.
    fontdue: Option<OnceLock<fontdue::Font>>,
}

impl Loaded {
    pub fn vendored(v: &Vendored) -> Self {
        let bytes = zstd::decode_all(v.packed).expect("a vendored face unpacks; a test loads each one");
        let mut face = Self::parse(bytes).expect("a vendored face parses; a test loads each one");
        let mut covered = vec![0u64; 0x1_0000 / 64];
        for (c, _) in face.shaping.charmap().unicodes().filter(|(c, id)| *c < 0x1_0000 && id.to_u32() != 0) {
            covered[c as usize / 64] |= 1 << (c % 64);
        }
        face.covered = Some(covered);
        face.fontdue = (face.shaping.num_glyphs() <= FONTDUE_GLYPHS).then(OnceLock::new);
        face
    }

    /// Loads a face from outside. It is drawn from its outlines, because fontdue panics on some files.
    pub fn added(bytes: Vec<u8>) -> Option<Self> {
        Self::parse(bytes)
    }

    fn parse(bytes: Vec<u8>) -> Option<Self> {
        let bytes = Arc::new(bytes);
        let vertical = FontRef::new(&bytes).ok()?.vmtx().is_ok();
        let shaping = Font::new(harfrust::font::Blob::Shared(bytes.clone()), 0)?;
        let glyphs = shaping.num_glyphs() as usize;
        let units_per_em = f32::from(shaping.units_per_em());
        (units_per_em > 0.0).then(|| Self {
            units_per_em,
            vertical,
            bytes,
            shaping,
            covered: None,
            metrics: OnceLock::new(),
            ink: (0..glyphs).map(|_| OnceLock::new()).collect(),
            plans: RwLock::default(),
            fontdue: None,
        })
    }

    pub fn font_ref(&self) -> FontRef<'_> {
        FontRef::new(&self.bytes).expect("it was parsed before")
    }

    pub fn has_pictures(&self) -> bool {
        let font = self.font_ref();
        [b"COLR", b"SVG ", b"CBDT", b"sbix"].iter().any(|tag| font.table_data(Tag::new(tag)).is_some())
    }

    pub fn outline(&self, glyph: u16) -> Option<BezPath> {
        let glyphs = self.font_ref().outline_glyphs();
        let outline = glyphs.get(GlyphId::from(glyph))?;
        let mut pen = EmPen { path: BezPath::new(), scale: 1.0 / f64::from(self.units_per_em) };
        let settings = DrawSettings::unhinted(Size::unscaled(), LocationRef::default());
        outline.draw(settings, &mut pen).ok()?;
        Some(pen.path)
    }

    pub fn ink(&self, glyph: u16) -> Rect {
        let Some(cell) = self.ink.get(usize::from(glyph)) else { return Rect::EMPTY };
        *cell.get_or_init(|| match self.outline(glyph) {
            Some(path) if !path.elements().is_empty() => {
                let b = path.bounding_box();
                Rect::new(b.x0 as f32, b.y0 as f32, b.x1 as f32, b.y1 as f32)
            }
            _ => Rect::EMPTY,
        })
    }

    pub fn glyph(&self, c: char) -> Option<u16> {
        let id = self.shaping.charmap().map_unicode(c)?.to_u32();
        u16::try_from(id).ok().filter(|id| *id != 0)
    }

    pub fn covers(&self, c: char) -> bool {
        let code = u32::from(c);
        match &self.covered {
            Some(covered) => match covered.get(code as usize / 64) {
                Some(bits) => (bits >> (code % 64)) & 1 == 1,
                None => self.glyph(c).is_some(),
            },
            // A face of pictures has glyphs without outlines, which would leave holes in the text.
            None => self.glyph(c).is_some_and(|glyph| !self.ink(glyph).is_empty()),
        }
    }

    pub fn metrics(&self) -> FaceMetrics {
        *self.metrics.get_or_init(|| {
            let m = self.font_ref().metrics(Size::new(1.0), LocationRef::default());
            // Measures the letters instead of reading the OS/2 fields, because some faces carry the values of a related
            // face.
            let top = |c: char| self.glyph(c).map(|g| -self.ink(g).y0).filter(|h| *h > 0.0 && *h < 2.0);
            // The table holds the position of the line's top (OpenType, `post`).
            let line = m.underline.filter(|l| l.thickness > 0.0 && l.thickness < 0.3 && l.offset < 0.1);
            FaceMetrics {
                cap_height: top('H').or(m.cap_height).unwrap_or(0.7),
                x_height: top('x').or(m.x_height).unwrap_or(0.5),
                ascent: m.ascent,
                descent: m.descent,
                underline: line.map_or(-0.1, |l| l.offset - l.thickness / 2.0),
                underline_thickness: line.map_or(0.05, |l| l.thickness),
            }
        })
    }

    /// Returns the shaping plan for `key`, created on first use.
    pub fn plan(&self, key: PlanKey) -> Arc<ShapePlan> {
        let found = |plans: &[(PlanKey, Arc<ShapePlan>)]| {
            plans.iter().find(|(k, _)| *k == key).map(|(_, plan)| Arc::clone(plan))
        };
        if let Some(plan) = found(&self.plans.read()) {
            return plan;
        }
        let (script, language) = (shaping(key.script), key.locale.shaping());
        let plan = ShapePlan::new(&self.shaping, key.direction, Some(script), language.as_ref(), &key.set.features());
        let plan = Arc::new(plan);
        let mut plans = self.plans.write();
        if let Some(plan) = found(&plans) {
            return plan;
        }
        if plans.len() == PLANS {
            plans.clear();
        }
        plans.push((key, Arc::clone(&plan)));
        plan
    }

    /// Returns the face as loaded by fontdue; `None` for a face from outside, and for one with so many glyphs that
    /// loading all of them costs too much. Fontdue takes 191 MB for a whole Chinese face.
    pub fn fontdue(&self) -> Option<&fontdue::Font> {
        self.fontdue.as_ref().map(|fontdue| {
            fontdue.get_or_init(|| {
                let settings =
                    fontdue::FontSettings { collection_index: 0, scale: FONTDUE_SCALE, load_substitutions: true };
                fontdue::Font::from_bytes(self.bytes.as_slice(), settings)
                    .expect("a vendored face parses; a test loads each one")
            })
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
