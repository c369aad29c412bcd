//! Compares drawings with slow references.

use std::sync::Arc;

use proptest::prelude::*;

mod coverages;
mod layers;
mod limits;
mod paints;
mod wild;

use super::*;
use crate::limits::{EDGE_PX, SCENE_ITEMS};
use crate::scene::{
    Affine, BezPath, Color, Coverage, FillRule, Glyph, GlyphRun, Item, Paint, Point, Rect, Role, Size, Stop,
};
use crate::text::Family;

/// Returns a canvas on which one du is one pixel, for any size.
fn canvas(width: u32, height: u32) -> Canvas {
    Canvas { width, height, scale: 1.0, dither: true }
}

fn scene(items: Vec<Item>) -> Scene {
    Scene { size: Size::new(1080.0, 1080.0), background: Color::BLACK, items, layers: Vec::new(), blocks: Vec::new() }
}

fn draw_with(rasteriser: &CpuRasteriser, scene: &Scene, canvas: Canvas) -> Pixmap {
    let mut out = Pixmap { width: 0, height: 0, data: Vec::new() };
    rasteriser.draw(scene, canvas, &Fonts::new(), &mut out).unwrap();
    assert_eq!(out.data.len(), (canvas.width * canvas.height * 3) as usize);
    out
}

fn draw(scene: &Scene, canvas: Canvas) -> Pixmap {
    draw_with(&CpuRasteriser::new(), scene, canvas)
}

fn white(coverage: Coverage, transform: Affine) -> Item {
    Item { transform, coverage, paint: Paint::Solid(Color::WHITE), role: Role::Art }
}

/// Returns the coverage of white on black, 0 to 1.
fn coverage(image: &Pixmap) -> Vec<f32> {
    image.data.chunks_exact(3).map(|p| f32::from(p[0]) / 255.0).collect()
}

fn rotation(degrees: f64) -> Affine {
    let (sin, cos) = libm::sincos(degrees.to_radians());
    Affine([cos as f32, sin as f32, -sin as f32, cos as f32, 0.0, 0.0])
}

/// Returns whether a point of the item's space is inside, by the definition of the shape.
fn inside(coverage: &Coverage, x: f32, y: f32) -> bool {
    let round = |r: &Rect, radii: [f32; 4], grow: f32| {
        let r = r.grow(grow);
        if x < r.x0 || x > r.x1 || y < r.y0 || y > r.y1 {
            return false;
        }
        let [a, b, c, d] = radii.map(|v| if v > 0.0 { (v + grow).max(0.0) } else { 0.0 });
        let beyond = |dx: f32, dy: f32, radius: f32| dx > 0.0 && dy > 0.0 && dx * dx + dy * dy > radius * radius;
        !(beyond(r.x0 + a - x, r.y0 + a - y, a)
            || beyond(x - r.x1 + b, r.y0 + b - y, b)
            || beyond(x - r.x1 + c, y - r.y1 + c, c)
            || beyond(r.x0 + d - x, y - r.y1 + d, d))
    };
    match coverage {
        Coverage::Rect { rect, radii, stroke: None } => round(rect, *radii, 0.0),
        Coverage::Rect { rect, radii, stroke: Some(w) } => {
            // Round corners that don't fit the inner edge are scaled down, like all corners.
            let inner = rect.grow(-w / 2.0);
            let shrunk = radii.map(|v| if v > 0.0 { (v - w / 2.0).max(0.0) } else { 0.0 });
            let sums = [0, 1, 2, 3].map(|i| ([inner.w(), inner.h()][i % 2], shrunk[i] + shrunk[(i + 1) % 4]));
            let fit = sums.iter().filter(|(_, sum)| *sum > 0.0).fold(1.0_f32, |f, (edge, sum)| f.min(edge / sum));
            let inner_radii = shrunk.map(|v| v * fit);
            round(rect, *radii, w / 2.0) && (inner.is_empty() || !round(&inner, inner_radii, 0.0))
        }
        Coverage::Ellipse { center, radii, stroke } => {
            let (dx, dy) = (x - center.x, y - center.y);
            match stroke {
                None => (dx / radii.w) * (dx / radii.w) + (dy / radii.h) * (dy / radii.h) <= 1.0,
                Some(w) if radii.w == radii.h => ((dx * dx + dy * dy).sqrt() - radii.w).abs() <= w / 2.0,
                Some(w) => {
                    // The nearest of many points of the curve.
                    let near = (0..400).map(|i| {
                        let (sin, cos) = libm::sincosf(std::f32::consts::TAU * i as f32 / 400.0);
                        let (ex, ey) = (dx - radii.w * cos, dy - radii.h * sin);
                        ex * ex + ey * ey
                    });
                    near.fold(f32::MAX, f32::min) <= w * w / 4.0
                }
            }
        }
        _ => unreachable!("only analytic shapes are compared"),
    }
}

/// Returns the mean (over the edge's pixels) and the largest difference between the drawing and 256 samples per pixel.
fn compare(item: &Item, size: u32) -> (f32, f32) {
    let got = coverage(&draw(&scene(vec![item.clone()]), canvas(size, size)));
    let back = item.transform.inverse().unwrap();
    let (mut sum, mut most, mut edge) = (0.0_f32, 0.0_f32, 0_u32);
    for (i, got) in got.iter().enumerate() {
        let (px, py) = (i as u32 % size, i as u32 / size);
        let sample = |dx: f32, dy: f32| {
            let p = back.apply(Point::new(px as f32 + dx, py as f32 + dy));
            inside(&item.coverage, p.x, p.y)
        };
        let corners = [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0), (0.5, 0.5)].map(|(x, y)| sample(x, y));
        let plain = corners.iter().all(|&c| c == corners[0]) && *got == if corners[0] { 1.0 } else { 0.0 };
        // A lattice whose projections are dense too, so that upright edges are sampled as finely as slanted ones.
        let lattice = |s: u32| sample((s as f32 + 0.5) / 256.0, ((s * 157 % 256) as f32 + 0.5) / 256.0);
        let hits = if plain { u32::from(corners[0]) * 256 } else { (0..256).map(|s| u32::from(lattice(s))).sum() };
        let error = (got - hits as f32 / 256.0).abs();
        if hits != 0 && hits != 256 || error > 0.002 {
            edge += 1;
        }
        sum += error;
        most = most.max(error);
    }
    (sum / edge.max(1) as f32, most)
}

fn shapes() -> impl Strategy<Value = Coverage> {
    let stroke = || prop_oneof![Just(None), (1.0_f32..9.0).prop_map(Some)];
    let rect = (
        4.0_f32..24.0,
        4.0_f32..24.0,
        8.0_f32..26.0,
        8.0_f32..26.0,
        std::array::from_fn(|_| 0.0_f32..9.0),
        0..3_u8,
        stroke(),
    );
    let rect = rect.prop_map(|(x, y, w, h, radii, kind, stroke): (f32, f32, f32, f32, [f32; 4], u8, Option<f32>)| {
        // Sharp corners, all corners alike, or each different. Large enough for distances to be accurate, and fitting
        // the box.
        let fit = (w.min(h) / 18.0).min(1.0);
        let radii = match kind {
            0 => [0.0; 4],
            1 => [(radii[0] + 2.0).min(9.0) * fit; 4],
            _ => radii.map(|r| if r < 2.0 { 0.0 } else { r * fit }),
        };
        Coverage::Rect { rect: Rect::at(x, y, w, h), radii, stroke }
    });
    let ellipse = (20.0_f32..28.0, 20.0_f32..28.0, 5.0_f32..17.0, 5.0_f32..17.0, any::<bool>(), stroke());
    let ellipse = ellipse.prop_map(|(x, y, rx, ry, round, stroke)| Coverage::Ellipse {
        center: Point::new(x, y),
        radii: Size::new(rx, if round { rx } else { ry }),
        stroke: stroke.map(|w| w.min(4.0)),
    });
    prop_oneof![rect, ellipse]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 80, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn shapes_cover_what_they_should(shape in shapes(), turn in prop_oneof![Just(0.0_f64), -40.0..40.0_f64]) {
        // Rotated around the centre of the canvas.
        let transform = Affine::translate(25.0, 25.0).after(&rotation(turn)).after(&Affine::translate(-25.0, -25.0));
        let (mean, most) = compare(&white(shape, if turn == 0.0 { Affine::IDENTITY } else { transform }), 52);
        prop_assert!(mean <= 0.025 && most <= 0.09, "mean {mean}, most {most}");
    }

    #[test]
    fn path_covers_its_area(p in proptest::array::uniform6(8.0_f64..80.0), bow in 0.0_f64..30.0) {
        let (a, b, c) = (kurbo::Point::new(p[0], p[1]), kurbo::Point::new(p[2], p[3]), kurbo::Point::new(p[4], p[5]));
        // Curved away from the opposite corner, so that the outline never intersects itself.
        let turn = (b - a).cross(c - a).signum();
        let normal = kurbo::Vec2::new((c - b).y, -(c - b).x) / (c - b).hypot().max(1e-9) * turn;
        let mut path = BezPath::new();
        path.move_to(a);
        path.line_to(b);
        path.quad_to(b.midpoint(c) + normal * bow, c);
        path.close_path();
        let area = kurbo::Shape::area(&path).abs() as f32;
        let cut = kurbo::Shape::bounding_box(&path);
        prop_assume!(cut.x0 > 0.0 && cut.y0 > 0.0 && cut.x1 < 90.0 && cut.y1 < 90.0);
        let total: f32 = coverage(&draw(&scene(vec![Item::path(path.clone(), Color::WHITE, Role::Art)]), canvas(90, 90))).iter().sum();
        // Chords cut off a little of each curve, and bytes are rounded.
        let slack = 0.02 * kurbo::Shape::perimeter(&path, 0.01) as f32 + 0.5;
        prop_assert!((total - area).abs() < slack, "{total} of {area}");
    }

}

/// Returns a scene with something of everything, in du of a 1080 × 1350 canvas.
fn everything() -> Scene {
    let fonts = Fonts::new();
    let face = fonts.face(Family::Manrope, 800);
    let word = |size: f32, x: f32, y: f32| -> Coverage {
        let glyphs: Vec<Glyph> = "Vivid sets type"
            .chars()
            .enumerate()
            .filter_map(|(i, c)| {
                let id = fonts.glyph(face, c)?;
                Some(Glyph { id, at: Point::new(x + i as f32 * size * 0.57, y) })
            })
            .collect();
        Coverage::Glyphs(GlyphRun::new(face, size, glyphs))
    };
    let fade: Arc<[Stop]> = [
        Stop { offset: 0.0, color: Color::hex(0x0E3B36) },
        Stop { offset: 0.6, color: Color::hex(0x3BE0A0) },
        Stop { offset: 1.0, color: Color::hex(0x3BE0A0).alpha(0.0) },
    ]
    .into();
    let paint = |c: u32| Paint::Solid(Color::hex(c));
    let mut path = BezPath::new();
    path.move_to((100.0, 900.0));
    path.curve_to((300.0, 700.0), (500.0, 1300.0), (900.0, 840.0));
    path.line_to((760.0, 1200.0));
    path.close_path();
    let mut tilted = Item::rounded(Rect::at(600.0, 150.0, 330.0, 220.0), [30.0; 4], Color::hex(0xFF4D14), Role::Field);
    tilted.transform = rotation(3.0);
    let mut items = vec![
        Item::new(
            Coverage::Rect { rect: Rect::at(0.0, 0.0, 1080.0, 600.0), radii: [0.0; 4], stroke: None },
            Paint::Linear { from: Point::new(0.0, 0.0), to: Point::new(1080.0, 600.0), stops: Arc::clone(&fade) },
            Role::Field,
        ),
        Item::new(
            Coverage::Ellipse { center: Point::new(800.0, 1000.0), radii: Size::new(300.0, 300.0), stroke: None },
            Paint::Radial { center: Point::new(700.0, 900.0), radius: 400.0, stops: fade },
            Role::Art,
        ),
        Item::new(
            Coverage::Shadow { rect: Rect::at(80.0, 420.0, 500.0, 300.0), radius: 28.0, sigma: 24.0 },
            Paint::Solid(Color::BLACK.alpha(0.3)),
            Role::Art,
        ),
        Item::rounded(Rect::at(80.0, 400.0, 500.0, 300.0), [28.0, 0.0, 120.0, 28.0], Color::hex(0xF4F1EA), Role::Field),
        Item::ring(Point::new(300.0, 1100.0), 140.0, 18.0, Color::hex(0x15171C).alpha(0.7), Role::Art),
        Item::path(path, Color::hex(0x3355FF).alpha(0.5), Role::Art),
        tilted,
        Item::rect(Rect::at(72.0, 72.0, 936.0, 2.0), Color::WHITE, Role::Mark),
        Item::new(word(40.0, 100.3, 480.2), paint(0x15171C), Role::Text(0)),
        Item::new(word(180.0, 60.0, 300.0), paint(0xFFFFFF), Role::Text(1)),
    ];
    let mut turned = Item::new(word(44.0, 0.0, 0.0), paint(0xFF4D14), Role::Text(2));
    turned.transform = Affine::translate(500.0, 1250.0).after(&rotation(-12.0));
    items.push(turned);
    Scene {
        size: Size::new(1080.0, 1350.0),
        background: Color::hex(0xF4F1EA),
        items,
        layers: Vec::new(),
        blocks: Vec::new(),
    }
}

#[test]
fn bands_and_threads_leave_no_trace() {
    let (scene, canvas) = (everything(), Canvas::new(437, 546));
    let expected = draw(&scene, canvas);
    for rows in [1, 7, 64, 1000] {
        assert!(draw_with(&CpuRasteriser::with_band_rows(rows), &scene, canvas) == expected, "{rows} rows a band");
    }
    for threads in [1, 5] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        assert!(pool.install(|| draw(&scene, canvas)) == expected, "{threads} threads");
    }
    // A second draw with warm caches, into a buffer of another size.
    let rasteriser = CpuRasteriser::new();
    let mut out = draw_with(&rasteriser, &scene, Canvas::new(50, 60));
    rasteriser.draw(&scene, canvas, &Fonts::new(), &mut out).unwrap();
    assert!(out == expected);
}

#[test]
fn resolutions_agree() {
    let scene = everything();
    let (small, large) = (draw(&scene, Canvas::new(540, 675)), draw(&scene, Canvas::new(1080, 1350)));
    let halved = crate::encode::thumbnail(&large, 675);
    assert_eq!((halved.width, halved.height), (540, 675));
    let errors: Vec<f64> = small.data.iter().zip(&halved.data).map(|(a, b)| f64::from(a.abs_diff(*b))).collect();
    let mean = errors.iter().sum::<f64>() / errors.len() as f64;
    assert!(mean < 0.6, "{mean} of 255");
}

#[test]
fn hairlines_are_crisp() {
    let draw_rule = |y: f32, h: f32| {
        let image = draw(&scene(vec![Item::rect(Rect::at(2.0, y, 6.0, h), Color::WHITE, Role::Mark)]), canvas(10, 6));
        (0..6).map(|y| image.data[(y * 10 + 5) * 3]).collect::<Vec<_>>()
    };
    assert_eq!(draw_rule(2.0, 1.0), [0, 0, 255, 0, 0, 0]);
    assert_eq!(draw_rule(2.5, 1.0), [0, 0, 128, 128, 0, 0]);
    assert_eq!(draw_rule(2.0, 0.2), [0, 0, 51, 0, 0, 0]);
}

#[test]
fn quarter_circle_in_a_box() {
    let shape = Coverage::Rect { rect: Rect::at(3.0, 3.0, 40.0, 40.0), radii: [40.0, 0.0, 0.0, 0.0], stroke: None };
    let total: f32 = coverage(&draw(&scene(vec![white(shape, Affine::IDENTITY)]), canvas(50, 50))).iter().sum();
    assert!((total - std::f32::consts::PI * 400.0).abs() < 2.0, "{total}");
}

#[test]
fn overlapping_windings_dont_cancel() {
    let square = |x: f64| kurbo::Shape::to_path(&kurbo::Rect::new(x, 5.0, x + 20.0, 25.0), 0.1);
    let mut path = square(5.0);
    path.extend(square(15.0));
    let image = draw(&scene(vec![Item::path(path, Color::WHITE, Role::Art)]), canvas(40, 30));
    let total: f32 = coverage(&image).iter().sum();
    assert_eq!(total, 600.0);
}

#[test]
fn flat_colour_is_exact_and_gradients_are_dithered() {
    let grey = Color::hex(0x15171C);
    let image = draw(&scene(vec![Item::rect(Rect::at(-5.0, -5.0, 300.0, 300.0), grey, Role::Field)]), canvas(99, 9));
    assert!(image.data.chunks_exact(3).all(|p| p == [0x15, 0x17, 0x1C]));

    let gradient = |to: u32, width: f32| {
        let stops = [Stop { offset: 0.0, color: Color::hex(0x202020) }, Stop { offset: 1.0, color: Color::hex(to) }];
        let paint = Paint::Linear { from: Point::new(0.0, 0.0), to: Point::new(width, 0.0), stops: stops.into() };
        let rect = Coverage::Rect { rect: Rect::at(0.0, 0.0, width, 16.0), radii: [0.0; 4], stroke: None };
        draw(&scene(vec![Item::new(rect, paint, Role::Field)]), canvas(width as u32, 16))
    };
    // Rows differ only where levels are wide enough to be visible as bands.
    let rows_differ = |image: &Pixmap| {
        let row = image.width as usize * 3;
        image.data.chunks_exact(row).any(|r| r != &image.data[..row])
    };
    assert!(rows_differ(&gradient(0x303030, 400.0)), "25 pixels a level");
    assert!(!rows_differ(&gradient(0xF0F0F0, 400.0)), "two pixels a level");
}

#[test]
fn glyphs_match_their_outlines() {
    // The same word, small enough for masks, and as outlines, because it is rotated by a tiny angle.
    let fonts = Fonts::new();
    let face = fonts.face(Family::Manrope, 400);
    for c in ['H', 'g', 'o', 'T', 'j'] {
        for (x, size) in [(10.0, 40.0), (10.333_333, 33.7), (10.666_667, 61.25)] {
            let id = fonts.glyph(face, c).unwrap();
            let run = GlyphRun::new(face, size, [Glyph { id, at: Point::new(x, 60.0) }]);
            let mask = white(Coverage::Glyphs(run.clone()), Affine::IDENTITY);
            let outline = white(Coverage::Glyphs(run), Affine([1.0, 1e-9, 0.0, 1.0, 0.0, 0.0]));
            let [mask, outline] = [mask, outline].map(|i| coverage(&draw(&scene(vec![i]), canvas(90, 90))));
            let ink: f32 = outline.iter().sum();
            let off: f32 = mask.iter().zip(&outline).map(|(a, b)| (a - b).abs()).sum();
            assert!(ink > 50.0 && off < 0.08 * ink, "{c} at {x}, {size} px: {off} of {ink}");
        }
    }
}

#[test]
fn limits_are_errors() {
    let mut out = Pixmap { width: 0, height: 0, data: Vec::new() };
    let rasteriser = CpuRasteriser::new();
    let fonts = Fonts::new();
    for (width, height) in [(0, 5), (5, 0), (EDGE_PX + 1, 5)] {
        let result = rasteriser.draw(&scene(Vec::new()), canvas(width, height), &fonts, &mut out);
        assert_eq!(result, Err(RasterError::CanvasSize { width, height }));
    }
    let dot = Item::rect(Rect::at(0.0, 0.0, 1.0, 1.0), Color::WHITE, Role::Mark);
    let full = scene(vec![dot; SCENE_ITEMS + 1]);
    assert_eq!(rasteriser.draw(&full, canvas(5, 5), &fonts, &mut out), Err(RasterError::TooManyItems(SCENE_ITEMS + 1)));
}
