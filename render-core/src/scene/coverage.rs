//! The part of the canvas that an item covers.

use std::ops::Range;
use std::sync::Arc;

use super::{BezPath, FaceId, Point, Rect, Size};

/// The part of the canvas that an item covers. All lengths are in the item's space; angles are in radians, clockwise
/// from three o'clock.
#[derive(Debug, Clone, PartialEq)]
pub enum Coverage {
    /// A rectangle with a radius for each corner: top left, top right, bottom right, bottom left (clockwise).
    /// Radii above half an edge are scaled down together, as CSS does.
    Rect {
        /// The box.
        rect: Rect,
        /// Corner radii.
        radii: [f32; 4],
        /// `None` fills the rectangle; otherwise a band of this width centred on the outline.
        stroke: Option<f32>,
    },
    /// An ellipse, filled or stroked. A stroked circle is a ring.
    Ellipse {
        /// The centre.
        center: Point,
        /// Half axes.
        radii: Size,
        /// As for `Rect`.
        stroke: Option<f32>,
    },
    /// A part of a circle: a sector (with its corner in the centre) if filled, else an arc.
    Arc {
        /// The circle's centre.
        center: Point,
        /// The circle's radius.
        radius: f32,
        /// The start angle.
        start: f32,
        /// The angle covered; negative is anticlockwise, more than a turn is one turn.
        sweep: f32,
        /// `None` fills a sector; otherwise the arc alone, drawn with this pen.
        stroke: Option<Stroke>,
    },
    /// Everything within `radius` of a line segment.
    Capsule {
        /// One end of the segment.
        from: Point,
        /// The other.
        to: Point,
        /// Half the capsule's thickness.
        radius: f32,
        /// As for `Rect`.
        stroke: Option<f32>,
    },
    /// Straight lines through points: a polygon if filled, else a line.
    Polyline {
        /// At least two points.
        points: Arc<[Point]>,
        /// Whether the line returns to the first point. A filled polygon always does.
        closed: bool,
        /// `None` fills a polygon with the non-zero rule; otherwise a line drawn with this pen.
        stroke: Option<Stroke>,
    },
    /// The shadow of a rounded rectangle: its box blurred by a Gaussian of this deviation.
    Shadow {
        /// The box that casts it (already offset and spread).
        rect: Rect,
        /// One radius for all corners.
        radius: f32,
        /// Standard deviation of the blur; 0 is a hard edge.
        sigma: f32,
    },
    /// The inside of a path.
    Path {
        /// The path; open subpaths are closed by a straight line.
        path: Arc<BezPath>,
        /// What counts as inside.
        rule: FillRule,
    },
    /// A line along a path.
    Stroke {
        /// The path.
        path: Arc<BezPath>,
        /// The pen.
        stroke: Stroke,
    },
    /// Shaped glyphs of one face at one size.
    Glyphs(GlyphRun),
}

impl Coverage {
    /// Returns a box around everything covered, in the item's space. Mitred corners and glyphs may extend beyond it.
    pub fn bounds(&self) -> Rect {
        let around = |points: &mut dyn Iterator<Item = Point>| {
            points.fold(Rect::EMPTY, |all, p| all.union(&Rect::new(p.x, p.y, p.x, p.y).grow(HAIR)))
        };
        let pen = |stroke: &Option<Stroke>| stroke.as_ref().map_or(0.0, |s| 0.5 * s.width);
        match self {
            Self::Rect { rect, stroke, .. } => rect.grow(stroke.map_or(0.0, |s| 0.5 * s)),
            Self::Ellipse { center, radii, stroke } => {
                Rect::new(center.x - radii.w, center.y - radii.h, center.x + radii.w, center.y + radii.h)
                    .grow(stroke.map_or(0.0, |s| 0.5 * s))
            }
            Self::Arc { center, radius, stroke, .. } => {
                Rect::new(center.x, center.y, center.x, center.y).grow(radius + pen(stroke))
            }
            Self::Capsule { from, to, radius, stroke } => {
                around(&mut [*from, *to].into_iter()).grow(radius + stroke.map_or(0.0, |s| 0.5 * s))
            }
            Self::Polyline { points, stroke, .. } => around(&mut points.iter().copied()).grow(pen(stroke)),
            Self::Shadow { rect, sigma, .. } => rect.grow(3.0 * sigma),
            Self::Path { path, .. } => of_path(path),
            Self::Stroke { path, stroke } => of_path(path).grow(0.5 * stroke.width),
            Self::Glyphs(_) => Rect::EMPTY,
        }
    }
}

/// Half the side of the box of a point.
const HAIR: f32 = 1e-3;

fn of_path(path: &BezPath) -> Rect {
    if path.elements().is_empty() {
        return Rect::EMPTY;
    }
    let b = path.control_box();
    Rect::new(b.x0 as f32, b.y0 as f32, b.x1 as f32, b.y1 as f32)
}

/// What counts as the inside of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FillRule {
    /// Points with a non-zero winding number.
    #[default]
    NonZero,
    /// Points with an odd winding number.
    EvenOdd,
}

/// A pen.
#[derive(Debug, Clone, PartialEq)]
pub struct Stroke {
    /// Thickness.
    pub width: f32,
    /// How corners look.
    pub join: LineJoin,
    /// How ends look.
    pub cap: LineCap,
    /// Alternating lengths of dashes and gaps; empty for a solid line.
    pub dashes: Arc<[f32]>,
    /// Offset into the dashes at which the line begins.
    pub dash_offset: f32,
}

impl Stroke {
    /// Creates a solid line with square corners (mitred up to four times the width) and flat ends.
    pub fn new(width: f32) -> Self {
        Self { width, join: LineJoin::Miter(4.0), cap: LineCap::Butt, dashes: Arc::default(), dash_offset: 0.0 }
    }

    /// Creates a solid line with round corners and ends.
    pub fn round(width: f32) -> Self {
        Self { join: LineJoin::Round, cap: LineCap::Round, ..Self::new(width) }
    }
}

/// How two lines meet.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum LineJoin {
    /// The outer edges are extended until they meet; a bevel if the corner would extend further than this times half
    /// the width.
    Miter(f32),
    /// Rounded.
    Round,
    /// Cut off.
    Bevel,
}

/// How a line ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineCap {
    /// Flat, at the last point.
    Butt,
    /// With half a circle around the last point.
    Round,
    /// Flat, half the width beyond the last point.
    Square,
}

/// Glyphs of one face and size, positioned in the item's space.
#[derive(Debug, Clone, PartialEq)]
pub struct GlyphRun {
    /// The face.
    pub face: FaceId,
    /// Em size.
    pub size: f32,
    /// The glyphs.
    pub glyphs: Arc<[Glyph]>,
    /// The text of the glyphs. Rasterisers ignore it.
    pub source: GlyphSource,
}

impl GlyphRun {
    /// Creates a run of glyphs with unknown text.
    pub fn new(face: FaceId, size: f32, glyphs: impl Into<Arc<[Glyph]>>) -> Self {
        Self { face, size, glyphs: glyphs.into(), source: GlyphSource::default() }
    }
}

/// The text that glyphs were shaped from.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct GlyphSource {
    /// The whole text, shared by the runs of a paragraph.
    pub text: Arc<str>,
    /// One byte range of `text` for each glyph: its cluster. Glyphs of one cluster have the same range; a hyphen that a
    /// line break added has an empty one. Empty if the text is unknown.
    pub ranges: Arc<[Range<u32>]>,
}

impl GlyphSource {
    /// Returns the text of glyph `i` of the run; `None` if it is unknown.
    pub fn of(&self, i: usize) -> Option<&str> {
        let range = self.ranges.get(i)?;
        self.text.get(range.start as usize..range.end as usize)
    }
}

/// One positioned glyph.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Glyph {
    /// Index in the face.
    pub id: u16,
    /// The glyph's origin: on the baseline, where its left side bearing starts.
    pub at: Point,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_hold_what_is_covered() {
        let (center, from, to) = (Point::new(50.0, 40.0), Point::new(10.0, 20.0), Point::new(30.0, 60.0));
        let rect = Rect::new(10.0, 20.0, 30.0, 60.0);
        let square = {
            let mut path = BezPath::new();
            path.move_to((10.0, 20.0));
            path.line_to((30.0, 20.0));
            path.line_to((30.0, 60.0));
            Arc::new(path)
        };
        let pen = || Some(Stroke::round(4.0));
        let points: Arc<[Point]> = [from, to].into();
        let cases = [
            (Coverage::Rect { rect, radii: [5.0; 4], stroke: None }, rect),
            (Coverage::Rect { rect, radii: [0.0; 4], stroke: Some(4.0) }, rect.grow(2.0)),
            (
                Coverage::Ellipse { center, radii: Size::new(9.0, 5.0), stroke: Some(2.0) },
                Rect::new(40.0, 34.0, 60.0, 46.0),
            ),
            (
                Coverage::Arc { center, radius: 10.0, start: 0.0, sweep: 1.0, stroke: pen() },
                Rect::new(38.0, 28.0, 62.0, 52.0),
            ),
            (Coverage::Capsule { from, to, radius: 3.0, stroke: None }, rect.grow(3.0)),
            (Coverage::Polyline { points, closed: false, stroke: pen() }, rect.grow(2.0)),
            (Coverage::Shadow { rect, radius: 2.0, sigma: 2.0 }, rect.grow(6.0)),
            (Coverage::Path { path: Arc::clone(&square), rule: FillRule::NonZero }, rect),
            (Coverage::Stroke { path: square, stroke: Stroke::round(4.0) }, rect.grow(2.0)),
        ];
        for (coverage, expected) in cases {
            let found = coverage.bounds();
            assert!(
                found.grow(0.01).contains(&expected, 0.0) && expected.grow(0.01).contains(&found, 0.0),
                "{found:?}"
            );
        }
        let nothing = Coverage::Path { path: Arc::default(), rule: FillRule::NonZero };
        assert!(nothing.bounds().is_empty());
    }
}
