//! Flattens paths to directed line segments on the pixel grid, clipped to the canvas.
//!
//! Subdivision follows Wang's bound (1984): if the second derivative is at most `m`, `n = √(m / 8·tol)` equal pieces
//! keep every chord within `tol` of the curve. This needs only square roots, so every platform subdivides in the same
//! way.

use std::ops::Range;

use kurbo::{BezPath, PathEl, Point};

use super::pixels::PixelBox;

/// The largest distance between a chord and its curve, in pixels.
const TOLERANCE: f64 = 0.02;
/// Upper limit for the pieces of one curve.
const MAX_PIECES: f64 = 512.0;
/// A path that reaches less than this far into a pixel, in pixels, doesn't touch it.
const SLIVER: f64 = 1e-4;
/// Coordinates are clamped to this many pixels, where all sums below are still exact enough.
const REACH: f64 = 1e7;

/// One segment, `y0 < y1`, inside the canvas.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Line {
    pub x0: f32,
    pub y0: f32,
    pub x1: f32,
    pub y1: f32,
    /// +1 if the path runs down, −1 if it runs up.
    pub winding: f32,
}

/// Lines of a block.
const BLOCK: usize = 32;
/// The lines of a long path are sorted by groups of this many rows.
const ORDER_ROWS: f32 = 16.0;
/// Paths of more lines than this are sorted.
const LONG: usize = 8_192;

/// The lines of all paths, in blocks with a known top and bottom, so that a band of rows skips blocks outside it.
#[derive(Default)]
pub(super) struct Lines {
    all: Vec<Line>,
    /// Top and bottom of each block; filled by `finish`.
    spans: Vec<[f32; 2]>,
}

impl Lines {
    pub fn len(&self) -> usize {
        self.all.len()
    }

    pub fn clear(&mut self) {
        self.all.clear();
        self.spans.clear();
    }

    /// Keeps only the first `len` lines.
    pub fn truncate(&mut self, len: usize) {
        self.all.truncate(len);
    }

    /// Computes the blocks. Must be called after all lines are added.
    pub fn finish(&mut self) {
        let span = |block: &[Line]| block.iter().fold([f32::MAX, 0.0], |s, l| [l.y0.min(s[0]), l.y1.max(s[1])]);
        self.spans.clear();
        self.spans.extend(self.all.chunks(BLOCK).map(span));
    }

    /// Returns the lines of one path.
    pub fn path(&self, range: Range<usize>) -> PathLines<'_> {
        PathLines { lines: self, range }
    }
}

/// The lines of one path.
#[derive(Clone)]
pub(super) struct PathLines<'a> {
    lines: &'a Lines,
    range: Range<usize>,
}

impl PathLines<'_> {
    /// Calls `each` for the lines that lie at least partly between `top` and `bottom`, always in the same order.
    #[inline]
    pub fn within(&self, top: f32, bottom: f32, mut each: impl FnMut(&Line)) {
        let (mut from, end) = (self.range.start, self.range.end);
        while from < end {
            let block = from / BLOCK;
            let to = ((block + 1) * BLOCK).min(end);
            let [y0, y1] = self.lines.spans[block];
            if y1 > top && y0 < bottom {
                self.lines.all[from..to].iter().filter(|l| l.y1 > top && l.y0 < bottom).for_each(&mut each);
            }
            from = to;
        }
    }
}

/// Appends the segments of `path` to `lines`, at most `most` of them. `map` (kurbo's coefficients) takes the item's
/// space to pixels. Returns the pixels that the path can touch; `None` if there are none or a coordinate is not a
/// number.
pub(super) fn flatten(
    path: &BezPath,
    map: kurbo::Affine,
    [width, height]: [u32; 2],
    most: usize,
    lines: &mut Lines,
) -> Option<PixelBox> {
    let lines = &mut lines.all;
    let mark = lines.len();
    let mut sink = Sink {
        most: mark + most,
        lines,
        width: f64::from(width),
        height: f64::from(height),
        min: Point::new(f64::MAX, f64::MAX),
        max: Point::new(f64::MIN, f64::MIN),
    };
    let done = walk(path, map, &mut sink);
    let (min, max) = (sink.min, sink.max);
    if done.is_none() || sink.lines.len() == mark {
        lines.truncate(mark);
        return None;
    }
    if lines.len() - mark > LONG {
        // Groups lines that are close to each other, in whatever order the path visits them. Sorts in place, because a
        // stable sort would allocate a buffer for long paths.
        lines[mark..].sort_unstable_by_key(|l| (l.y0 / ORDER_ROWS) as u32);
    }
    let whole = |v: f64, edge: u32| v.clamp(0.0, f64::from(edge)) as i32;
    Some([
        whole((min.x + SLIVER).floor(), width),
        whole((min.y + SLIVER).floor(), height),
        whole((max.x - SLIVER).ceil(), width),
        whole((max.y - SLIVER).ceil(), height),
    ])
}

fn walk(path: &BezPath, map: kurbo::Affine, sink: &mut Sink) -> Option<()> {
    let at = |p: Point| {
        let q = map * p;
        (!q.x.is_nan() && !q.y.is_nan()).then(|| Point::new(q.x.clamp(-REACH, REACH), q.y.clamp(-REACH, REACH)))
    };
    let (mut start, mut last) = (Point::ZERO, Point::ZERO);
    for el in path.elements() {
        match *el {
            PathEl::MoveTo(p) => {
                sink.line(last, start);
                start = at(p)?;
                last = start;
            }
            PathEl::LineTo(p) => {
                let p = at(p)?;
                sink.line(last, p);
                last = p;
            }
            PathEl::QuadTo(a, p) => {
                let (a, p) = (at(a)?, at(p)?);
                sink.quad(last, a, p);
                last = p;
            }
            PathEl::CurveTo(a, b, p) => {
                let (a, b, p) = (at(a)?, at(b)?, at(p)?);
                sink.cubic(last, a, b, p);
                last = p;
            }
            PathEl::ClosePath => {
                sink.line(last, start);
                last = start;
            }
        }
    }
    // Filling closes open subpaths.
    sink.line(last, start);
    Some(())
}

struct Sink<'a> {
    lines: &'a mut Vec<Line>,
    /// Upper limit for the total number of lines.
    most: usize,
    width: f64,
    height: f64,
    min: Point,
    max: Point,
}

impl Sink<'_> {
    fn line(&mut self, p: Point, q: Point) {
        if p == q {
            return;
        }
        for v in [p, q] {
            self.min = Point::new(self.min.x.min(v.x), self.min.y.min(v.y));
            self.max = Point::new(self.max.x.max(v.x), self.max.y.max(v.y));
        }
        let (winding, top, bottom) = if p.y < q.y { (1.0, p, q) } else { (-1.0, q, p) };
        let (y0, y1) = (top.y.max(0.0), bottom.y.min(self.height));
        if y0 >= y1 {
            return;
        }
        let slope = (bottom.x - top.x) / (bottom.y - top.y);
        let x_at = |y: f64| {
            let x = top.x + (y - top.y) * slope;
            x.clamp(top.x.min(bottom.x), top.x.max(bottom.x))
        };
        // Splits the line at the canvas's sides. Left of the canvas, only the winding counts; right of it, nothing
        // does.
        let crossing = |edge: f64| if slope == 0.0 { y0 } else { (top.y + (edge - top.x) / slope).clamp(y0, y1) };
        let (mut ya, mut yb) = (crossing(0.0), crossing(self.width));
        if ya > yb {
            (ya, yb) = (yb, ya);
        }
        for (from, to) in [(y0, ya), (ya, yb), (yb, y1)] {
            let middle = x_at((from + to) / 2.0);
            if from >= to || middle > self.width || self.lines.len() >= self.most {
                continue;
            }
            let [x0, x1] =
                if middle < 0.0 { [0.0; 2] } else { [x_at(from), x_at(to)].map(|x| x.clamp(0.0, self.width)) };
            self.lines.push(Line { x0: x0 as f32, y0: from as f32, x1: x1 as f32, y1: to as f32, winding });
        }
    }

    fn quad(&mut self, p: Point, a: Point, q: Point) {
        let n = self.pieces([p, a, q], (p.to_vec2() - a.to_vec2() * 2.0 + q.to_vec2()).hypot());
        let mut last = p;
        for i in 1..=n {
            let t = f64::from(i) / f64::from(n);
            let s = 1.0 - t;
            let next = if i == n {
                q
            } else {
                (p.to_vec2() * (s * s) + a.to_vec2() * (2.0 * s * t) + q.to_vec2() * (t * t)).to_point()
            };
            self.line(last, next);
            last = next;
        }
    }

    fn cubic(&mut self, p: Point, a: Point, b: Point, q: Point) {
        let bend = |p: Point, a: Point, q: Point| (p.to_vec2() - a.to_vec2() * 2.0 + q.to_vec2()).hypot();
        let n = self.pieces([p, a, b, q], 3.0 * bend(p, a, b).max(bend(a, b, q)));
        let mut last = p;
        for i in 1..=n {
            let t = f64::from(i) / f64::from(n);
            let s = 1.0 - t;
            let next = if i == n {
                q
            } else {
                (p.to_vec2() * (s * s * s)
                    + a.to_vec2() * (3.0 * s * s * t)
                    + b.to_vec2() * (3.0 * s * t * t)
                    + q.to_vec2() * (t * t * t))
                    .to_point()
            };
            self.line(last, next);
            last = next;
        }
    }

    /// Returns the number of chords for a curve. One is enough if the curve stays above, below or beside the canvas.
    fn pieces<const N: usize>(&self, control: [Point; N], second_difference: f64) -> u32 {
        let beyond = |f: &dyn Fn(&Point) -> bool| control.iter().all(f);
        if beyond(&|c| c.y < 0.0)
            || beyond(&|c| c.y > self.height)
            || beyond(&|c| c.x < 0.0)
            || beyond(&|c| c.x > self.width)
        {
            return 1;
        }
        // A quadratic's second derivative is twice its second difference. For a cubic, the caller has already applied
        // the factor.
        (second_difference / (4.0 * TOLERANCE)).sqrt().ceil().clamp(1.0, MAX_PIECES) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(lines: &[Line]) -> f32 {
        lines.iter().map(|l| l.winding * (l.y1 - l.y0) * -(l.x0 + l.x1) / 2.0).sum()
    }

    #[test]
    fn circle_keeps_its_area() {
        let path = kurbo::Shape::to_path(&kurbo::Circle::new((50.0, 50.0), 40.0), 1e-6);
        let mut lines = Lines::default();
        let bbox = flatten(&path, kurbo::Affine::IDENTITY, [100, 100], usize::MAX, &mut lines).unwrap();
        assert_eq!(bbox, [10, 10, 90, 90]);
        let exact = std::f32::consts::PI * 1600.0;
        assert!((area(&lines.all).abs() - exact).abs() < 8.0, "{} {exact}", area(&lines.all));
    }

    #[test]
    fn clipping_keeps_what_lies_on_the_canvas() {
        // A rectangle that extends far beyond all sides of the canvas except the lower right.
        let path = kurbo::Shape::to_path(&kurbo::Rect::new(-500.0, -500.0, 30.0, 20.0), 0.1);
        let mut lines = Lines::default();
        let bbox = flatten(&path, kurbo::Affine::IDENTITY, [100, 100], usize::MAX, &mut lines).unwrap();
        assert_eq!(bbox, [0, 0, 30, 20]);
        assert_eq!(area(&lines.all).abs(), 600.0);
        assert!(lines.all.iter().all(|l| l.x0 >= 0.0 && l.x1 <= 100.0 && l.y0 >= 0.0 && l.y1 <= 100.0));
    }

    #[test]
    fn not_a_number_draws_nothing() {
        let mut path = BezPath::new();
        path.move_to((0.0, 0.0));
        path.line_to((f64::NAN, 10.0));
        path.line_to((10.0, 10.0));
        let mut lines = Lines::default();
        assert_eq!(flatten(&path, kurbo::Affine::IDENTITY, [100, 100], usize::MAX, &mut lines), None);
        assert!(lines.all.is_empty());
    }

    #[test]
    fn a_band_looks_at_few_lines() {
        // Short strokes all over the canvas, in an order unrelated to their position.
        let mut path = BezPath::new();
        for i in 0..6_000_u32 {
            let at = |by: u32| f64::from(i.wrapping_mul(by) >> 20) / 4.1;
            let (x, y) = (at(2_654_435_761), at(2_246_822_519));
            path.extend(kurbo::Shape::to_path(&kurbo::Rect::new(x, y, x + 2.0, y + 2.0), 0.1));
        }
        let mut lines = Lines::default();
        flatten(&path, kurbo::Affine::IDENTITY, [1000, 1000], usize::MAX, &mut lines).unwrap();
        lines.finish();
        let band = lines.spans.iter().filter(|[y0, y1]| *y1 > 500.0 && *y0 < 516.0).count();
        assert!(band * 20 < lines.spans.len(), "{band} of {} blocks", lines.spans.len());
        let mut found = 0;
        lines.path(3..lines.len()).within(500.0, 516.0, |_| found += 1);
        assert_eq!(found, lines.all[3..].iter().filter(|l| l.y1 > 500.0 && l.y0 < 516.0).count());
    }

    #[test]
    fn no_more_lines_than_allowed() {
        let path = kurbo::Shape::to_path(&kurbo::Circle::new((50.0, 50.0), 40.0), 1e-6);
        let mut lines = Lines::default();
        flatten(&path, kurbo::Affine::IDENTITY, [100, 100], 9, &mut lines).unwrap();
        assert_eq!(lines.len(), 9);
    }
}
