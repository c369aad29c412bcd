//! Points, sizes, rectangles and affine maps in `f32`.

/// A point or a vector.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Point {
    /// To the right.
    pub x: f32,
    /// Down.
    pub y: f32,
}

impl Point {
    /// Creates the point (x, y).
    pub const fn new(x: f32, y: f32) -> Self {
        Self { x, y }
    }
}

/// A width and a height.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Size {
    /// Width.
    pub w: f32,
    /// Height.
    pub h: f32,
}

impl Size {
    /// Creates a size of `w` × `h`.
    pub const fn new(w: f32, h: f32) -> Self {
        Self { w, h }
    }

    /// Returns the shorter side.
    pub fn short(self) -> f32 {
        self.w.min(self.h)
    }

    /// Returns width divided by height.
    pub fn aspect(self) -> f32 {
        self.w / self.h
    }
}

/// An axis-aligned rectangle; empty if `x1 <= x0` or `y1 <= y0`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Rect {
    /// Left.
    pub x0: f32,
    /// Top.
    pub y0: f32,
    /// Right.
    pub x1: f32,
    /// Bottom.
    pub y1: f32,
}

impl Rect {
    /// Contains nothing, and is neutral in [`Rect::union`].
    pub const EMPTY: Self = Self { x0: f32::MAX, y0: f32::MAX, x1: f32::MIN, y1: f32::MIN };

    /// Creates a rectangle from its edges.
    pub const fn new(x0: f32, y0: f32, x1: f32, y1: f32) -> Self {
        Self { x0, y0, x1, y1 }
    }

    /// Creates a rectangle from its top left corner and its size.
    pub fn at(x: f32, y: f32, w: f32, h: f32) -> Self {
        Self { x0: x, y0: y, x1: x + w, y1: y + h }
    }

    /// Returns the width, negative if empty.
    pub fn w(&self) -> f32 {
        self.x1 - self.x0
    }

    /// Returns the height, negative if empty.
    pub fn h(&self) -> f32 {
        self.y1 - self.y0
    }

    /// Returns width and height.
    pub fn size(&self) -> Size {
        Size::new(self.w(), self.h())
    }

    /// Returns the centre.
    pub fn center(&self) -> Point {
        Point::new((self.x0 + self.x1) / 2.0, (self.y0 + self.y1) / 2.0)
    }

    /// Returns whether the rectangle has no area.
    pub fn is_empty(&self) -> bool {
        self.x1 <= self.x0 || self.y1 <= self.y0
    }

    /// Returns the area; 0 if empty.
    pub fn area(&self) -> f32 {
        self.w().max(0.0) * self.h().max(0.0)
    }

    /// Returns the rectangle moved by (dx, dy).
    pub fn shift(&self, dx: f32, dy: f32) -> Self {
        Self::new(self.x0 + dx, self.y0 + dy, self.x1 + dx, self.y1 + dy)
    }

    /// Returns the rectangle grown by `d` on every side (shrunk if negative).
    pub fn grow(&self, d: f32) -> Self {
        Self::new(self.x0 - d, self.y0 - d, self.x1 + d, self.y1 + d)
    }

    /// Returns the smallest rectangle around both.
    pub fn union(&self, o: &Self) -> Self {
        if self.is_empty() {
            return *o;
        }
        if o.is_empty() {
            return *self;
        }
        Self::new(self.x0.min(o.x0), self.y0.min(o.y0), self.x1.max(o.x1), self.y1.max(o.y1))
    }

    /// Returns the intersection; empty if they don't overlap.
    pub fn intersect(&self, o: &Self) -> Self {
        Self::new(self.x0.max(o.x0), self.y0.max(o.y0), self.x1.min(o.x1), self.y1.min(o.y1))
    }

    /// Returns whether `o` lies inside; edges may exceed by `eps`.
    pub fn contains(&self, o: &Self, eps: f32) -> bool {
        o.x0 >= self.x0 - eps && o.y0 >= self.y0 - eps && o.x1 <= self.x1 + eps && o.y1 <= self.y1 + eps
    }
}

/// An affine map, column-major as in CSS `matrix(a, b, c, d, e, f)`:
/// x' = a·x + c·y + e, y' = b·x + d·y + f.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Affine(pub [f32; 6]);

impl Affine {
    /// The identity map.
    pub const IDENTITY: Self = Self([1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);

    /// Returns a translation by (x, y).
    pub const fn translate(x: f32, y: f32) -> Self {
        Self([1.0, 0.0, 0.0, 1.0, x, y])
    }

    /// Returns a scaling about the origin.
    pub const fn scale(s: f32) -> Self {
        Self([s, 0.0, 0.0, s, 0.0, 0.0])
    }

    /// Returns the map that applies `first`, then `self`.
    pub fn after(&self, first: &Self) -> Self {
        let [a, b, c, d, e, f] = self.0;
        let [p, q, r, s, t, u] = first.0;
        Self([a * p + c * q, b * p + d * q, a * r + c * s, b * r + d * s, a * t + c * u + e, b * t + d * u + f])
    }

    /// Returns the image of `p`.
    pub fn apply(&self, p: Point) -> Point {
        let [a, b, c, d, e, f] = self.0;
        Point::new(a * p.x + c * p.y + e, b * p.x + d * p.y + f)
    }

    /// Returns the bounding box of the image of `r`.
    pub fn apply_rect(&self, r: &Rect) -> Rect {
        let corners =
            [(r.x0, r.y0), (r.x1, r.y0), (r.x1, r.y1), (r.x0, r.y1)].map(|(x, y)| self.apply(Point::new(x, y)));
        corners.iter().fold(Rect::EMPTY, |b, p| Rect::new(b.x0.min(p.x), b.y0.min(p.y), b.x1.max(p.x), b.y1.max(p.y)))
    }

    /// Returns the inverse; `None` if the map is singular.
    pub fn inverse(&self) -> Option<Self> {
        let [a, b, c, d, e, f] = self.0;
        let det = a * d - b * c;
        if det.abs() < 1e-12 {
            return None;
        }
        let i = 1.0 / det;
        Some(Self([d * i, -b * i, -c * i, a * i, (c * f - d * e) * i, (b * e - a * f) * i]))
    }

    /// Returns whether the map only translates and scales uniformly, without rotation or reflection.
    pub fn is_upright(&self) -> bool {
        let [a, b, c, d, ..] = self.0;
        b == 0.0 && c == 0.0 && a == d && a > 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_neutral_in_a_union_and_stays_in_an_intersection() {
        let a = Rect::new(1.0, 2.0, 5.0, 8.0);
        assert_eq!(Rect::EMPTY.union(&a), a);
        assert_eq!(a.union(&Rect::EMPTY), a);
        assert!(Rect::EMPTY.union(&Rect::EMPTY).is_empty());
        assert!(a.intersect(&Rect::new(6.0, 0.0, 9.0, 9.0)).is_empty());
        assert_eq!(a.intersect(&Rect::new(4.0, 0.0, 9.0, 3.0)), Rect::new(4.0, 2.0, 5.0, 3.0));
        assert_eq!(Rect::EMPTY.area(), 0.0);
    }

    #[test]
    fn maps_compose_from_the_right_and_invert() {
        let turn = Affine([0.0, 2.0, -2.0, 0.0, 3.0, -1.0]);
        let both = turn.after(&Affine::translate(5.0, 7.0));
        let p = Point::new(1.0, 2.0);
        assert_eq!(both.apply(p), turn.apply(Point::new(6.0, 9.0)));
        let back = both.inverse().map(|i| i.apply(both.apply(p)));
        assert_eq!(back, Some(p));
        assert_eq!(Affine([1.0, 2.0, 2.0, 4.0, 0.0, 0.0]).inverse(), None);
    }

    #[test]
    fn a_turned_rectangle_is_bounded_by_its_corners() {
        let quarter = Affine([0.0, 1.0, -1.0, 0.0, 0.0, 0.0]);
        assert_eq!(quarter.apply_rect(&Rect::new(1.0, 2.0, 4.0, 3.0)), Rect::new(-3.0, 1.0, -2.0, 4.0));
        assert!(!quarter.is_upright() && Affine::scale(2.0).is_upright() && !Affine::scale(-1.0).is_upright());
    }
}
