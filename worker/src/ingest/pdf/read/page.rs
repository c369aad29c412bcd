//! What a page draws: its glyphs, its lines and boxes, its pictures. Lengths in points (1/72 inch), y down.

use hayro_interpret::font::{Glyph as PdfGlyph, GlyphRun};
use hayro_interpret::hayro_cmap::{BfString, WritingMode};
use hayro_interpret::hayro_syntax::Pdf;
use hayro_interpret::hayro_syntax::page::Page;
use hayro_interpret::kurbo::{Affine, BezPath, Point, Rect, Shape};
use hayro_interpret::{
    BlendMode, ClipPath, Context, Device, DrawMode, DrawProps, Image, ImageDrawProps, InterpreterCache,
    InterpreterSettings, RenderContent, SoftMask, TransformExt, interpret_page,
};

use super::figures::Picture;

/// Glyphs of one document; one of more is no text.
const GLYPHS: usize = 1 << 20;
/// Lines and boxes of one page that are looked at.
const RULES: usize = 4_000;
/// Pictures of one page that are kept in mind.
const PICTURES: usize = 64;
/// Glyphs of a page whose neighbours tell which way its text runs.
const SAMPLE: usize = 200;

/// A glyph with what it stands for.
#[derive(Debug, Clone)]
pub struct Glyph {
    pub text: String,
    /// From where the glyph begins to where the next one would.
    pub x0: f32,
    pub x1: f32,
    /// The baseline.
    pub y: f32,
    /// The em.
    pub size: f32,
    pub bold: bool,
}

/// A page, as it is drawn.
#[derive(Debug, Default)]
pub struct Drawn {
    pub height: f32,
    /// Of the page, in square points.
    pub area: f64,
    pub glyphs: Vec<Glyph>,
    /// Lines and the edges of boxes: thin rectangles.
    pub rules: Vec<Rect>,
    /// Those that may be photographs.
    pub pictures: Vec<Picture>,
    /// Glyphs of which nothing says what they stand for.
    pub unknown: usize,
}

/// Reads a page. `None` where the document has more glyphs than `left`, which is lessened by its own.
pub fn read<'a>(pdf: &'a Pdf, page: &Page<'a>, cache: &InterpreterCache<'a>, left: &mut usize) -> Option<Drawn> {
    let (width, height) = page.render_dimensions();
    let bounds = Rect::new(0.0, 0.0, f64::from(width), f64::from(height));
    let settings = InterpreterSettings { render_content: RenderContent::PAGE, ..InterpreterSettings::default() };
    let mut context = Context::new(page.initial_transform(true).to_kurbo(), bounds, cache, pdf.xref(), settings);
    let mut collector = Collector { bounds, left: *left, ..Collector::default() };
    interpret_page(page, &mut context, &mut collector);
    if collector.left == 0 {
        return None;
    }
    *left = collector.left;
    Some(collector.finish(width, height))
}

/// Glyphs that a document may have.
pub fn most_glyphs() -> usize {
    GLYPHS
}

#[derive(Default)]
struct Collector {
    bounds: Rect,
    across: Vec<Glyph>,
    down: Vec<Glyph>,
    /// Text that isn't shown: what a scanner's software read.
    hidden: Vec<Glyph>,
    rules: Vec<Rect>,
    dots: Vec<Rect>,
    pictures: Vec<Picture>,
    /// Pictures so far, and what they cover.
    met: usize,
    pictured: f64,
    unknown: usize,
    left: usize,
}

impl Collector {
    fn finish(mut self, width: f32, height: f32) -> Drawn {
        let area = self.bounds.area().max(1.0);
        let pictured = self.pictured / area > 0.5;
        if pictured && self.across.len() + self.down.len() < self.hidden.len() {
            self.across = self.hidden;
        }
        if self.down.is_empty() && stands_in_columns(&self.across) {
            let turned = |g: Glyph| {
                let (x, y) = (g.y - 0.8 * g.size, self.bounds.width() as f32 - (g.x0 + g.x1) / 2.0 + 0.3 * g.size);
                Glyph { x0: x, x1: x + g.size, y, ..g }
            };
            self.down = std::mem::take(&mut self.across).into_iter().map(turned).collect();
        }
        let vertical = self.down.len() > self.across.len();
        // Text that runs down the page is read as if the page were turned.
        let (glyphs, height) = if vertical { (self.down, width) } else { (self.across, height) };
        let (rules, pictures, unknown) = (self.rules, self.pictures, self.unknown);
        let mut drawn = Drawn { height, area, glyphs, rules, pictures, unknown };
        if vertical {
            drawn.rules.clear();
        } else {
            drawn.bullets(&self.dots);
        }
        drawn
    }

    fn glyph(&mut self, glyph: &PdfGlyph<'_>, transform: Affine, down: bool, mode: &DrawMode) {
        if self.left == 0 {
            return;
        }
        self.left -= 1;
        let text = match glyph.as_unicode() {
            Some(BfString::Char(c)) => c.to_string(),
            Some(BfString::String(s)) => s,
            None => {
                self.unknown += 1;
                return;
            }
        };
        let (advance, bold) = match glyph {
            PdfGlyph::Outline(outline) => {
                let font = outline.font_data();
                let named =
                    |name: &str| ["Bold", "Black", "Heavy", "Semibold", "Demi"].iter().any(|b| name.contains(b));
                let bold = font.is_some_and(|f| {
                    f.weight.is_some_and(|w| w >= 600) || f.postscript_name.as_deref().is_some_and(named)
                });
                (outline.advance_width().unwrap_or(500.0), bold)
            }
            PdfGlyph::Type3(glyph) => (glyph.advance_width().unwrap_or(500.0), false),
        };
        let origin = transform * Point::ZERO;
        let along = transform * Point::new(f64::from(advance), 0.0) - origin;
        let up = transform * Point::new(0.0, 1000.0) - origin;
        let size = up.hypot();
        if !(self.bounds.contains(origin) && size > 0.5 && size < 2_000.0 && along.hypot().is_finite()) {
            return;
        }
        let upright = up.x.abs() < 0.3 * size && up.y < 0.0;
        if down {
            // From top to bottom, lines from right to left: read across, from the top of a page turned left.
            let x = origin.y as f32;
            let y = (self.bounds.width() - origin.x) as f32 + 0.3 * size as f32;
            self.down.push(Glyph { text, x0: x, x1: x + size as f32, y, size: size as f32, bold });
        } else if upright && along.y.abs() <= 0.05 * size && along.x >= 0.0 {
            let (x0, x1) = (origin.x as f32, (origin.x + along.x) as f32);
            let glyph = Glyph { text, x0, x1, y: origin.y as f32, size: size as f32, bold };
            if matches!(mode, DrawMode::Invisible) { self.hidden.push(glyph) } else { self.across.push(glyph) }
        }
    }
}

/// Whether glyphs that are placed one by one run down the page: Chinese and Japanese ones, each nearer to the one below
/// it than to the one beside it.
fn stands_in_columns(glyphs: &[Glyph]) -> bool {
    let signs: Vec<&Glyph> = glyphs.iter().filter(|g| g.text.chars().all(super::blocks::is_cjk)).collect();
    if signs.len() < 40 || 2 * signs.len() < glyphs.len() {
        return false;
    }
    let sample: Vec<&&Glyph> = signs.iter().step_by(signs.len().div_ceil(SAMPLE)).collect();
    let below = |a: &Glyph, b: &Glyph| ((a.x0 - b.x0).abs() < 0.3 * a.size).then_some(b.y - a.y);
    let beside = |a: &Glyph, b: &Glyph| ((a.y - b.y).abs() < 0.3 * a.size).then_some(b.x0 - a.x0);
    let nearest = |a: &Glyph, apart: &dyn Fn(&Glyph, &Glyph) -> Option<f32>| {
        signs.iter().filter_map(|b| apart(a, b)).filter(|d| *d > 0.1 * a.size).fold(f32::MAX, f32::min)
    };
    let down = sample.iter().filter(|g| nearest(g, &below) < 0.9 * nearest(g, &beside)).count();
    3 * down > 2 * sample.len()
}

impl Drawn {
    /// Dots that are drawn rather than set, before a line of text, are its bullets.
    fn bullets(&mut self, dots: &[Rect]) {
        for dot in dots {
            let (right, middle) = (dot.x1 as f32, dot.center().y as f32);
            let beside = |g: &&Glyph| {
                (middle - (g.y - 0.3 * g.size)).abs() < 0.3 * g.size
                    && (0.0..2.0 * g.size).contains(&(g.x0 - right))
                    && dot.width() < f64::from(0.6 * g.size)
            };
            let first = self.glyphs.iter().filter(beside).min_by(|a, b| a.x0.total_cmp(&b.x0));
            if let Some(first) = first.cloned() {
                let x0 = dot.x0 as f32;
                self.glyphs.push(Glyph { text: "•".into(), x0, x1: right, bold: false, ..first });
            }
        }
    }
}

impl<'a> Device<'a> for Collector {
    fn draw_path(&mut self, path: &BezPath, props: DrawProps<'a>, mode: &DrawMode) {
        let bounds = (props.transform * path.clone()).bounding_box();
        if self.rules.len() >= RULES || !bounds.is_finite() || matches!(mode, DrawMode::Invisible) {
            return;
        }
        let (thin, long) = (bounds.width().min(bounds.height()), bounds.width().max(bounds.height()));
        if thin < 3.0 && long > 12.0 {
            self.rules.push(bounds);
        } else if thin > 0.8 && long < 9.0 && thin > 0.8 * long && matches!(mode, DrawMode::Fill(_)) {
            self.dots.push(bounds);
        } else if matches!(mode, DrawMode::Stroke(_)) && thin >= 3.0 {
            // The edges of a box.
            let Rect { x0, y0, x1, y1 } = bounds;
            self.rules.extend([
                Rect::new(x0, y0, x1, y0),
                Rect::new(x0, y1, x1, y1),
                Rect::new(x0, y0, x0, y1),
                Rect::new(x1, y0, x1, y1),
            ]);
        }
    }

    fn draw_glyph_run(&mut self, run: &GlyphRun<'_, 'a>, props: DrawProps<'a>, mode: &DrawMode) {
        let down = matches!(run.writing_mode(), WritingMode::Vertical);
        for glyph in run.glyphs() {
            self.glyph(glyph, props.transform * glyph.transform(), down, mode);
        }
    }

    fn draw_image(&mut self, image: Image<'a, '_>, props: ImageDrawProps<'a>) {
        // A picture is a unit square or, by another convention, its pixels; either way it ends up on the page.
        let (w, h) = (f64::from(image.width()), f64::from(image.height()));
        let bounds = props.transform.transform_rect_bbox(Rect::new(0.0, 0.0, w, h)).intersect(self.bounds);
        self.pictured += bounds.area();
        if self.pictures.len() < PICTURES {
            self.pictures.extend(Picture::new(self.met, &image, props.transform, bounds));
        }
        self.met += 1;
    }

    fn push_clip_path(&mut self, _: &ClipPath) {}
    fn push_transparency_group(&mut self, _: f32, _: Option<SoftMask<'a>>, _: BlendMode) {}
    fn pop_clip(&mut self) {}
    fn pop_transparency_group(&mut self) {}
}
