//! The view of a drawing in its box, and the parts of it that hold elements.

use crate::scene::{Affine, Rect, Size};
use crate::tree::Anchor;

/// A part of a drawing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plot {
    /// The part, in the drawing's units.
    pub rect: Rect,
    /// The drawing's view.
    pub view: View,
}

/// The view of a drawing in its box.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct View {
    /// The part of its plane that is shown, in the drawing's units.
    pub rect: Rect,
    /// Whether it covers its box instead of fitting into it.
    pub cover: bool,
    /// Its position in a box of another shape.
    pub position: Anchor,
    /// How far it extends beyond its box, left and right, in du.
    pub beyond: [f32; 2],
}

impl View {
    /// Returns the transform from the drawing's units into a box.
    pub fn within(&self, rect: &Rect) -> Affine {
        let rect = Rect { x0: rect.x0 - self.beyond[0], x1: rect.x1 + self.beyond[1], ..*rect };
        let Size { w, h } = self.rect.size();
        let (sx, sy) = (rect.w() / w, rect.h() / h);
        let scale = if self.cover { sx.max(sy) } else { sx.min(sy) };
        let x = rect.x0 + (rect.w() - scale * w) * self.position.x.unwrap_or(0.5);
        let y = rect.y0 + (rect.h() - scale * h) * self.position.y.unwrap_or(0.5);
        Affine([scale, 0.0, 0.0, scale, x - scale * self.rect.x0, y - scale * self.rect.y0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Point;

    #[test]
    fn a_view_keeps_its_aspect_and_stands_where_it_should() {
        let rect = Rect::new(100.0, 0.0, 300.0, 100.0);
        let view = |cover, x, y| View {
            rect: Rect::at(5.0, 5.0, 10.0, 10.0),
            cover,
            position: Anchor { x: Some(x), y: Some(y) },
            beyond: [0.0; 2],
        };
        let contained = view(false, 1.0, 0.5).within(&rect);
        assert_eq!(contained.apply(Point::new(15.0, 15.0)), Point::new(300.0, 100.0));
        assert_eq!(contained.apply(Point::new(5.0, 5.0)), Point::new(200.0, 0.0));
        let covering = view(true, 0.5, 0.0).within(&rect);
        assert_eq!(covering.apply(Point::new(5.0, 5.0)), Point::new(100.0, 0.0));
        assert_eq!(covering.apply(Point::new(15.0, 15.0)), Point::new(300.0, 200.0));
        let wider = View { beyond: [50.0, 150.0], ..view(true, 0.5, 1.0) }.within(&rect);
        assert_eq!(wider.apply(Point::new(5.0, 15.0)), Point::new(50.0, 100.0));
    }
}
