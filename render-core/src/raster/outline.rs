//! Outlines of the basic shapes, for where they are drawn as paths.

use crate::scene::{BezPath, Point, Rect, Size};

/// Handle length of a cubic that draws an eighth of the unit circle, 4/3·tan(π/16): off by 4·10⁻⁶ at most.
const EIGHTH: f64 = 0.265_216_489_839_544_6;
const DIAGONAL: f64 = std::f64::consts::FRAC_1_SQRT_2;

/// Appends a rectangle with these corner radii (clockwise from the top left, fitting), the other way round where
/// `reversed`.
pub(super) fn round_rect(path: &mut BezPath, rect: Rect, radii: [f32; 4], reversed: bool) {
    let mut part = BezPath::new();
    let [x0, y0, x1, y1] = [rect.x0, rect.y0, rect.x1, rect.y1].map(f64::from);
    let [a, b, c, d] = radii.map(f64::from);
    part.move_to((x0, y0 + a));
    corner(&mut part, (x0 + a, y0 + a), a, (-1.0, 0.0), (0.0, -1.0));
    part.line_to((x1 - b, y0));
    corner(&mut part, (x1 - b, y0 + b), b, (0.0, -1.0), (1.0, 0.0));
    part.line_to((x1, y1 - c));
    corner(&mut part, (x1 - c, y1 - c), c, (1.0, 0.0), (0.0, 1.0));
    part.line_to((x0 + d, y1));
    corner(&mut part, (x0 + d, y1 - d), d, (0.0, 1.0), (-1.0, 0.0));
    part.close_path();
    append(path, part, reversed);
}

/// A quarter of a circle around `c` from direction `u` to direction `v`.
fn corner(path: &mut BezPath, c: (f64, f64), radius: f64, u: (f64, f64), v: (f64, f64)) {
    if radius <= 0.0 {
        return;
    }
    let at = |along_u: f64, along_v: f64| {
        (c.0 + radius * (u.0 * along_u + v.0 * along_v), c.1 + radius * (u.1 * along_u + v.1 * along_v))
    };
    let k = EIGHTH * DIAGONAL;
    path.curve_to(at(1.0, EIGHTH), at(DIAGONAL + k, DIAGONAL - k), at(DIAGONAL, DIAGONAL));
    path.curve_to(at(DIAGONAL - k, DIAGONAL + k), at(EIGHTH, 1.0), at(0.0, 1.0));
}

/// Appends the curve that runs `offset` outside an ellipse (inside where negative), as a polygon where it isn't one
/// itself.
pub(super) fn parallel_ellipse(path: &mut BezPath, center: Point, radii: Size, offset: f32, reversed: bool) {
    let mut part = BezPath::new();
    let [cx, cy, rx, ry, o] = [center.x, center.y, radii.w, radii.h, offset].map(f64::from);
    if offset == 0.0 || radii.w == radii.h {
        let (rx, ry) = (rx + o, ry + o);
        let at = |x: f64, y: f64| (cx + rx * x, cy + ry * y);
        let k = EIGHTH * DIAGONAL;
        part.move_to(at(1.0, 0.0));
        let mut u = (1.0, 0.0);
        for v in [(0.0, 1.0), (-1.0, 0.0), (0.0, -1.0), (1.0, 0.0)] {
            let to = |s: f64, t: f64| at(u.0 * s + v.0 * t, u.1 * s + v.1 * t);
            part.curve_to(to(1.0, EIGHTH), to(DIAGONAL + k, DIAGONAL - k), to(DIAGONAL, DIAGONAL));
            part.curve_to(to(DIAGONAL - k, DIAGONAL + k), to(EIGHTH, 1.0), to(0.0, 1.0));
            u = v;
        }
    } else {
        const STEPS: u32 = 512;
        for i in 0..STEPS {
            let (sin, cos) = libm::sincos(std::f64::consts::TAU * f64::from(i) / f64::from(STEPS));
            // The normal of (rx·cos, ry·sin) is (ry·cos, rx·sin).
            let (nx, ny) = (ry * cos, rx * sin);
            let len = (nx * nx + ny * ny).sqrt().max(f64::MIN_POSITIVE);
            let p = (cx + rx * cos + o * nx / len, cy + ry * sin + o * ny / len);
            if i == 0 { part.move_to(p) } else { part.line_to(p) }
        }
    }
    part.close_path();
    append(path, part, reversed);
}

fn append(path: &mut BezPath, part: BezPath, reversed: bool) {
    path.extend(if reversed { part.reverse_subpaths() } else { part });
}
