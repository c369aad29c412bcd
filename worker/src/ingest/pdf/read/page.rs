//! Collects what a page draws: glyphs, lines and boxes, pictures. Lengths are in points (1/72 inch), y points down.

use hayro_interpret::font::{Glyph as PdfGlyph, GlyphRun};
use hayro_interpret::hayro_cmap::WritingMode;
use hayro_interpret::hayro_syntax::Pdf;
use hayro_interpret::hayro_syntax::object::{Dict, String as PdfString};
use hayro_interpret::hayro_syntax::page::Page;
use hayro_interpret::kurbo::{Affine, BezPath, Point, Rect, Shape, Vec2};
use hayro_interpret::{
    BlendMode, ClipPath, Context, Device, DrawMode, DrawProps, Image, ImageDrawProps, InterpreterCache,
    InterpreterSettings, RenderContent, SoftMask, TransformExt, interpret_page,
};

use super::file::text_string;
use super::fonts::Fonts;
use super::forms;
use super::marks::{Mark, Marks};
use super::picture::Picture;
use super::script::is_cjk;
use super::tags::Places;

/// Limit of glyphs per document.
const GLYPHS: usize = 1 << 20;
/// Limit of lines and boxes per page.
const RULES: usize = 4_000;
/// Limit of pictures per page.
const PICTURES: usize = 64;
/// Glyphs of a page whose neighbours decide the direction of its text.
const SAMPLE: usize = 200;
/// Characters of a replacement text (ActualText): a longer one is a description.
const ACTUAL: usize = 100;
/// The width of a usual letter, in em.
const LETTER: std::ops::RangeInclusive<f32> = 0.25..=1.1;

/// A glyph with its text.
#[derive(Debug, Clone)]
pub struct Glyph {
    pub text: String,
    /// The start of the glyph and that of the next one.
    pub x0: f32,
    pub x1: f32,
    /// The baseline.
    pub y: f32,
    /// The em.
    pub size: f32,
    pub bold: bool,
    /// The number of its font.
    pub font: usize,
    /// Whether only the code suggests its text.
    pub guessed: bool,
    /// The number of its mark among those of the page.
    pub mark: usize,
}

/// A page, as it is drawn.
#[derive(Debug, Default)]
pub struct Drawn {
    pub height: f32,
    /// Area of the page in square points.
    pub area: f64,
    pub glyphs: Vec<Glyph>,
    /// The marks of glyphs, by their numbers.
    pub marks: Vec<Mark>,
    /// Lines and the edges of boxes, as thin rectangles.
    pub rules: Vec<Rect>,
    /// Those that may be photographs.
    pub pictures: Vec<Picture>,
    /// Glyphs whose text is unknown.
    pub unknown: usize,
}

/// Reads a page; `places` are those of its marked content. Subtracts its glyphs from `left`, and returns `None` if the
/// document exceeds it.
pub fn read<'a>(
    pdf: &'a Pdf,
    page: &Page<'a>,
    places: Option<&Places>,
    cache: &InterpreterCache<'a>,
    fonts: &mut Fonts,
    left: &mut usize,
) -> Option<Drawn> {
    let (width, height) = page.render_dimensions();
    let bounds = Rect::new(0.0, 0.0, f64::from(width), f64::from(height));
    let mut collector = Collector::new(bounds, fonts, *left);
    // Annotations contain the filled-in values of forms.
    for part in [RenderContent::PAGE, RenderContent::ANNOTATIONS] {
        let settings = InterpreterSettings { render_content: part, ..InterpreterSettings::default() };
        let mut context = Context::new(page.initial_transform(true).to_kurbo(), bounds, cache, pdf.xref(), settings);
        interpret_page(page, &mut context, &mut collector);
        collector.marks.end_page();
    }
    *left = collector.left;
    (collector.left > 0).then(|| {
        let marks = places.map_or_else(Vec::new, |places| collector.marks.placed(page, places));
        Drawn { marks, ..collector.finish(width, height) }
    })
}

/// Returns the limit of glyphs per document.
pub fn most_glyphs() -> usize {
    GLYPHS
}

/// The direction of lines, in anticlockwise quarter turns: right, up, left, down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Quarters(usize);

impl Quarters {
    /// Returns the direction of a line that runs along a vector, if it is parallel to an edge of the page. `up` points
    /// to the top of its letters. The letters of a Type 3 font may be upside down and flipped by its matrix
    /// (`mirrored`).
    fn of(along: (f64, f64), up: Vec2, mirrored: bool) -> Option<Self> {
        // Italic letters lean, and a scan may be slightly rotated.
        let size = up.hypot();
        (0..4).map(Self).find(|quarters| {
            let ((ax, ay), (ux, uy)) = (quarters.turned(along), quarters.turned((up.x, up.y)));
            ux.abs() < 0.3 * size && (uy < 0.0 || mirrored) && ay.abs() <= 0.05 * size && ax >= 0.0
        })
    }

    /// Rotates a vector so that lines run to the right.
    fn turned(self, (x, y): (f64, f64)) -> (f64, f64) {
        match self.0 {
            0 => (x, y),
            1 => (-y, x),
            2 => (-x, -y),
            _ => (y, -x),
        }
    }

    /// Maps a point of a page of this size to the rotated page.
    fn place(self, p: Point, page: Rect) -> Point {
        match self.0 {
            0 => p,
            1 => Point::new(page.height() - p.y, p.x),
            2 => Point::new(page.width() - p.x, page.height() - p.y),
            _ => Point::new(p.y, page.width() - p.x),
        }
    }

    fn rect(self, rect: Rect, page: Rect) -> Rect {
        Rect::from_points(self.place(rect.origin(), page), self.place(Point::new(rect.x1, rect.y1), page))
    }
}

struct Collector<'f> {
    bounds: Rect,
    fonts: &'f mut Fonts,
    /// Glyphs by the direction of their lines.
    across: [Vec<Glyph>; 4],
    /// Invisible text: the output of a scanner's text recognition.
    hidden: [Vec<Glyph>; 4],
    /// Glyphs of vertical writing.
    down: Vec<Glyph>,
    marks: Marks,
    rules: Vec<Rect>,
    dots: Vec<Rect>,
    pictures: Vec<Picture>,
    /// Pictures so far, and the area that they cover.
    met: usize,
    pictured: f64,
    unknown: usize,
    left: usize,
}

impl<'f> Collector<'f> {
    fn new(bounds: Rect, fonts: &'f mut Fonts, left: usize) -> Self {
        Self {
            bounds,
            fonts,
            across: Default::default(),
            hidden: Default::default(),
            down: Vec::new(),
            marks: Marks::default(),
            rules: Vec::new(),
            dots: Vec::new(),
            pictures: Vec::new(),
            met: 0,
            pictured: 0.0,
            unknown: 0,
            left,
        }
    }

    fn finish(mut self, width: f32, height: f32) -> Drawn {
        let area = self.bounds.area().max(1.0);
        let count = |lines: &[Vec<Glyph>; 4]| lines.iter().map(Vec::len).sum::<usize>();
        let (shown, hidden) = (count(&self.across) + self.down.len(), count(&self.hidden));
        // Uses the invisible text if it lies behind a picture of it, or if there is little else.
        if self.pictured / area > 0.5 && shown < hidden || 8 * shown < hidden {
            self.across = std::mem::take(&mut self.hidden);
        }
        // Most lines of a page run in one direction; others are notes along its edges, or labels of axes.
        let quarters = (0..4).rev().max_by_key(|n| self.across[*n].len()).map_or(Quarters(0), Quarters);
        let mut across = std::mem::take(&mut self.across[quarters.0]);
        own_sizes(&mut across, self.fonts);
        if self.down.is_empty() && quarters.0 == 0 && stands_in_columns(&across) {
            let turned = |g: Glyph| {
                let (x, y) = (g.y - 0.8 * g.size, self.bounds.width() as f32 - (g.x0 + g.x1) / 2.0 + 0.3 * g.size);
                Glyph { x0: x, x1: x + g.size, y, ..g }
            };
            self.down = std::mem::take(&mut across).into_iter().map(turned).collect();
        }
        let vertical = self.down.len() > across.len();
        // Vertical text is read as if the page were rotated.
        let glyphs = if vertical { self.down } else { across };
        let sideways = vertical || quarters.0 % 2 == 1;
        let height = if sideways { width } else { height };
        let mut drawn =
            Drawn { height, area, glyphs, pictures: self.pictures, unknown: self.unknown, ..Drawn::default() };
        if !vertical {
            let turned =
                |rects: Vec<Rect>| rects.into_iter().map(|r| quarters.rect(r, self.bounds)).collect::<Vec<_>>();
            drawn.rules = turned(self.rules);
            drawn.bullets(&turned(self.dots));
        }
        drawn
    }

    fn glyph(&mut self, glyph: &PdfGlyph<'_>, font: usize, transform: Affine, down: bool, mode: &DrawMode) {
        if self.left == 0 {
            return;
        }
        self.left -= 1;
        let meaning = self.fonts.meaning(font, glyph);
        let advance = match glyph {
            PdfGlyph::Outline(outline) => outline.advance_width(),
            PdfGlyph::Type3(glyph) => glyph.advance_width(),
        };
        let origin = transform * Point::ZERO;
        let along = transform * Point::new(f64::from(advance.unwrap_or(500.0)), 0.0) - origin;
        let up = transform * Point::new(0.0, 1000.0) - origin;
        let size = up.hypot();
        let drawn = matches!(glyph, PdfGlyph::Type3(_));
        let fits = drawn || size > 0.5;
        if !(self.bounds.contains(origin) && fits && size < 2_000.0 && along.hypot().is_finite()) {
            return;
        }
        let said = self.marks.actual();
        let (text, guessed) = match (said, meaning) {
            (Some((text, told)), _) => {
                (if std::mem::replace(told, true) { String::new() } else { text.clone() }, false)
            }
            (None, Some(meaning)) => (meaning.text, meaning.guessed),
            (None, None) => {
                self.unknown += 1;
                return;
            }
        };
        let (size, bold) = (size as f32, self.fonts.is_bold(font));
        let mark = self.marks.current();
        if down {
            // Vertical lines follow each other from right to left, so they are read across on a page that is rotated to
            // the left.
            let x = origin.y as f32;
            let y = (self.bounds.width() - origin.x) as f32 + 0.3 * size;
            self.down.push(Glyph { text, x0: x, x1: x + size, y, size, bold, font, guessed, mark });
        } else if let Some(quarters) = Quarters::of((along.x, along.y), up, drawn) {
            let place = quarters.place(origin, self.bounds);
            let (x0, y) = (place.x as f32, place.y as f32);
            let glyph = Glyph { text, x0, x1: x0 + along.hypot() as f32, y, size, bold, font, guessed, mark };
            let lines = if matches!(mode, DrawMode::Invisible) { &mut self.hidden } else { &mut self.across };
            // A glyph whose text stands for several is as wide as all of them.
            match lines[quarters.0].last_mut() {
                Some(first) if glyph.text.is_empty() && (first.y - y).abs() < 0.5 * size => {
                    first.x1 = first.x1.max(glyph.x1)
                }
                _ => lines[quarters.0].push(glyph),
            }
        }
    }
}

/// Gives the glyphs of Type 3 fonts the em of letters of their width, because such a font may have an em of any size.
fn own_sizes(glyphs: &mut [Glyph], fonts: &Fonts) {
    let drawn = |g: &Glyph| fonts.is_drawn(g.font) && !g.text.trim().is_empty();
    let mut widths: Vec<f32> = glyphs.iter().filter(|g| drawn(g)).map(|g| (g.x1 - g.x0) / g.size).collect();
    widths.sort_by(f32::total_cmp);
    let Some(usual) = widths.get(widths.len() / 2) else { return };
    if *usual > 0.0 && !LETTER.contains(usual) {
        let em = 2.0 * usual;
        glyphs.iter_mut().filter(|g| fonts.is_drawn(g.font)).for_each(|g| g.size *= em);
    }
}

/// Returns whether individually placed glyphs run down the page: Chinese and Japanese ones, each closer to the one
/// below it than to the one beside it.
fn stands_in_columns(glyphs: &[Glyph]) -> bool {
    let signs: Vec<&Glyph> = glyphs.iter().filter(|g| g.text.chars().all(is_cjk)).collect();
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
    /// Turns drawn dots before a line of text into its bullets.
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
                self.glyphs.push(Glyph { text: "•".into(), x0, x1: right, bold: false, guessed: false, ..first });
            }
        }
    }
}

impl<'a> Device<'a> for Collector<'_> {
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
        let Some(first) = run.glyphs().first() else { return };
        let font = self.fonts.number(first);
        for glyph in run.glyphs() {
            self.glyph(glyph, font, props.transform * glyph.transform(), down, mode);
        }
    }

    fn draw_image(&mut self, image: Image<'a, '_>, props: ImageDrawProps<'a>) {
        // A picture is a unit square or, by another convention, as large as its pixels; the bounds are clipped to the
        // page.
        let (w, h) = (f64::from(image.width()), f64::from(image.height()));
        let bounds = props.transform.transform_rect_bbox(Rect::new(0.0, 0.0, w, h)).intersect(self.bounds);
        self.pictured += bounds.area();
        if self.pictures.len() < PICTURES {
            self.pictures.extend(Picture::new(self.met, &image, props.transform, bounds));
        }
        self.met += 1;
    }

    fn begin_marked_content(&mut self, tag: &[u8], properties: Option<&Dict<'_>>) {
        let id = properties.and_then(|p| p.get::<i32>("MCID")).and_then(|id| u32::try_from(id).ok());
        let actual = properties.and_then(|p| p.get::<PdfString<'_>>("ActualText"));
        let actual = actual.map(|text| text_string(text.as_bytes())).filter(|t| t.chars().count() <= ACTUAL);
        self.marks.begin(tag == b"Artifact", id, actual);
    }

    fn end_marked_content(&mut self) {
        self.marks.end();
    }

    fn push_clip_path(&mut self, clip: &ClipPath) {
        self.marks.clip(forms::is_bounds(&clip.path));
    }

    fn push_clip_rect(&mut self, _: &Rect) {
        self.marks.clip(false);
    }

    fn pop_clip(&mut self) {
        self.marks.unclip();
    }

    fn push_transparency_group(&mut self, _: f32, _: Option<SoftMask<'a>>, _: BlendMode) {}
    fn pop_transparency_group(&mut self) {}
}
