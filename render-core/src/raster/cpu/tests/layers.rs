//! Groups: opacity, clips, blend modes, blurs.

use super::*;
use crate::limits::{BLURRED_LAYERS, LAYER_DEPTH, SCENE_LAYERS};
use crate::scene::{BlendMode, Clip, Layer};

fn layered(items: Vec<Item>, layers: Vec<Layer>) -> Scene {
    Scene { layers, ..scene(items) }
}

fn block(x: f32, y: f32, w: f32, h: f32, color: Color) -> Item {
    Item::rect(Rect::at(x, y, w, h), color, Role::Art)
}

fn pixel(image: &Pixmap, x: u32, y: u32) -> [u8; 3] {
    let at = ((y * image.width + x) * 3) as usize;
    [image.data[at], image.data[at + 1], image.data[at + 2]]
}

fn most_apart(a: &Pixmap, b: &Pixmap) -> u8 {
    a.data.iter().zip(&b.data).map(|(a, b)| a.abs_diff(*b)).max().unwrap()
}

#[test]
fn a_faded_group_is_one_picture() {
    // Two overlapping squares of one colour, faded as a group, look like one shape.
    let red = Color::hex(0xFF4D14);
    let two = vec![block(10.0, 10.0, 60.0, 60.0, red), block(40.0, 40.0, 70.0, 50.0, red)];
    let group = layered(two, vec![Layer { opacity: 0.4, ..Layer::new(0..2) }]);
    let image = draw(&group, canvas(150, 100));
    let faded = red.alpha(0.4).over(Color::BLACK).to_rgba8();
    for (x, y) in [(12, 12), (50, 50), (100, 80)] {
        assert_eq!(pixel(&image, x, y)[..], faded[..3]);
    }
    assert_eq!(pixel(&image, 140, 5), [0, 0, 0]);
}

#[test]
fn a_group_that_changes_nothing_leaves_no_trace() {
    let scene = everything();
    let plain = draw(&scene, Canvas::new(437, 546).undithered());
    let n = scene.items.len();
    let nested = vec![Layer::new(0..n), Layer::new(2..9), Layer::new(4..4), Layer::new(4..6)];
    let grouped = draw(&Scene { layers: nested, ..scene }, Canvas::new(437, 546).undithered());
    assert!(most_apart(&plain, &grouped) <= 1);
}

#[test]
fn a_clip_shows_what_it_covers() {
    let shape = |x: f32| Coverage::Ellipse { center: Point::new(x, 50.0), radii: Size::new(40.0, 40.0), stroke: None };
    let clipped = |clip: Coverage| {
        let layer = Layer { clip: Some(Clip { transform: Affine::IDENTITY, coverage: clip }), ..Layer::new(0..1) };
        draw(&layered(vec![block(0.0, 0.0, 200.0, 100.0, Color::WHITE)], vec![layer]), canvas(200, 100))
    };
    assert_eq!(clipped(shape(90.0)), draw(&scene(vec![white(shape(90.0), Affine::IDENTITY)]), canvas(200, 100)));
    // Clips by small and large glyphs, and by a shape without extent, which hides everything.
    let fonts = Fonts::new();
    let face = fonts.face(Family::Manrope, 800);
    for size in [40.0, 90.0] {
        let glyphs: Vec<Glyph> = "Vi"
            .chars()
            .zip([20.0, 90.0])
            .map(|(c, x)| Glyph { id: fonts.glyph(face, c).unwrap(), at: Point::new(x, 80.0) })
            .collect();
        let word = Coverage::Glyphs(GlyphRun::new(face, size, glyphs));
        let drawn = draw(&scene(vec![white(word.clone(), Affine::IDENTITY)]), canvas(200, 100));
        assert!(most_apart(&clipped(word), &drawn) <= 1 && drawn.data.contains(&255));
    }
    let nothing = Coverage::Rect { rect: Rect::EMPTY, radii: [0.0; 4], stroke: None };
    assert!(clipped(nothing).data.iter().all(|v| *v == 0));
}

/// The formulas of W3C Compositing and Blending Level 1, 5.8, channel by channel.
fn by_formula(mode: BlendMode, d: f64, s: f64) -> f64 {
    let hard = |d: f64, s: f64| if s <= 0.5 { d * 2.0 * s } else { d + (2.0 * s - 1.0) - d * (2.0 * s - 1.0) };
    match mode {
        BlendMode::Normal => s,
        BlendMode::Multiply => d * s,
        BlendMode::Screen => d + s - d * s,
        BlendMode::Overlay => hard(s, d),
        BlendMode::Darken => d.min(s),
        BlendMode::Lighten => d.max(s),
        BlendMode::ColorDodge if d == 0.0 => 0.0,
        BlendMode::ColorDodge if s >= 1.0 => 1.0,
        BlendMode::ColorDodge => (d / (1.0 - s)).min(1.0),
        BlendMode::ColorBurn if d >= 1.0 => 1.0,
        BlendMode::ColorBurn if s <= 0.0 => 0.0,
        BlendMode::ColorBurn => 1.0 - ((1.0 - d) / s).min(1.0),
        BlendMode::HardLight => hard(d, s),
        BlendMode::SoftLight if s <= 0.5 => d - (1.0 - 2.0 * s) * d * (1.0 - d),
        BlendMode::SoftLight => {
            let root = if d <= 0.25 { ((16.0 * d - 12.0) * d + 4.0) * d } else { d.sqrt() };
            d + (2.0 * s - 1.0) * (root - d)
        }
        BlendMode::Difference => (d - s).abs(),
        BlendMode::Exclusion => d + s - 2.0 * d * s,
    }
}

#[test]
fn blend_modes_follow_their_formulas() {
    let colors = [0x000000, 0xFFFFFF, 0x15C0FF, 0x8040A0, 0xFF00D0, 0x303C38].map(Color::hex);
    for mode in BlendMode::ALL {
        for under in colors {
            for (over, alpha, opacity) in colors.map(|c| (c, 1.0, 1.0)).into_iter().chain(colors.map(|c| (c, 0.6, 0.5)))
            {
                let items = vec![block(0.0, 0.0, 80.0, 9.0, under), block(0.0, 0.0, 80.0, 9.0, over.alpha(alpha))];
                let layer = Layer { blend: mode, opacity, ..Layer::new(1..2) };
                let got = pixel(&draw(&layered(items, vec![layer]), canvas(80, 9)), 40, 4);
                let channel = |d: f32, s: f32| {
                    let (d, s, a) = (f64::from(d), f64::from(s), f64::from(alpha * opacity));
                    (((1.0 - a) * d + a * by_formula(mode, d, s)) * 255.0).round() as u8
                };
                let want = [channel(under.r, over.r), channel(under.g, over.g), channel(under.b, over.b)];
                let apart = got.iter().zip(want).map(|(a, b)| a.abs_diff(b)).max().unwrap();
                assert!(apart <= 1, "{mode:?} {under:?} {over:?}: {got:?} {want:?}");
            }
        }
    }
}

#[test]
fn a_mode_within_a_group_meets_only_the_group() {
    // Over a transparent backdrop, a mode equals normal; the black below the group has no effect.
    let items = vec![block(0.0, 0.0, 80.0, 9.0, Color::hex(0x8040A0))];
    let inner = Layer { blend: BlendMode::Multiply, ..Layer::new(0..1) };
    let image = draw(&layered(items, vec![Layer::new(0..1), inner]), canvas(80, 9));
    assert_eq!(pixel(&image, 40, 4), [0x80, 0x40, 0xA0]);
}

#[test]
fn the_blur_of_a_box_is_its_shadow() {
    for (sigma, size) in [(2.0, 120), (6.5, 160), (9.0, 200), (17.0, 260), (40.0, 500)] {
        let edge = size as f32;
        let rect = Rect::new(edge * 0.3, edge * 0.35, edge * 0.7 + 0.5, edge * 0.6);
        let shadow = Coverage::Shadow { rect, radius: 0.0, sigma };
        let want = draw(&scene(vec![white(shadow, Affine::IDENTITY)]), canvas(size, size).undithered());
        let layer = Layer { blur: sigma, ..Layer::new(0..1) };
        let item = Item::rect(rect, Color::WHITE, Role::Art);
        let got = draw(&layered(vec![item], vec![layer]), canvas(size, size).undithered());
        assert!(most_apart(&got, &want) <= 2, "{sigma}: {}", most_apart(&got, &want));
    }
}

#[test]
fn what_lies_off_the_canvas_blurs_onto_it() {
    let item = block(-60.0, -60.0, 59.0, 300.0, Color::WHITE);
    let layer = Layer { blur: 8.0, ..Layer::new(0..1) };
    let image = draw(&layered(vec![item], vec![layer]), canvas(64, 64));
    let row: Vec<u8> = (0..40).map(|x| pixel(&image, x, 32)[0]).collect();
    assert!(row[0] > 90 && row.is_sorted_by(|a, b| a >= b) && row[39] == 0, "{row:?}");
}

#[test]
fn a_blurred_backdrop_is_seen_where_the_clip_lets_it() {
    // Black on the left, white on the right. A clip in the middle shows the blurred step; everything outside is
    // unchanged.
    let items = vec![block(100.0, 0.0, 100.0, 80.0, Color::WHITE)];
    let clip = Clip {
        transform: Affine::IDENTITY,
        coverage: Coverage::Rect { rect: Rect::at(60.0, 20.0, 80.0, 40.0), radii: [0.0; 4], stroke: None },
    };
    let layer = Layer { backdrop_blur: 10.0, clip: Some(clip), ..Layer::new(1..1) };
    let image = draw(&layered(items, vec![layer]), canvas(200, 80));
    let phi = |x: f32| crate::raster::shadow::phi((x + 0.5 - 100.0) / 10.0) * 255.0;
    for x in 61..139 {
        let got = f32::from(pixel(&image, x, 40)[0]);
        assert!((got - phi(x as f32)).abs() <= 2.0, "{x}: {got} {}", phi(x as f32));
    }
    for (x, v) in [(30, 0), (59, 0), (141, 255), (99, 0)] {
        assert_eq!(pixel(&image, x, if x == 99 { 5 } else { 40 })[0], v);
    }
}

#[test]
fn a_backdrop_has_no_dark_rim() {
    let items = vec![block(-10.0, -10.0, 300.0, 300.0, Color::WHITE)];
    let layer = Layer { backdrop_blur: 20.0, ..Layer::new(1..1) };
    let image = draw(&layered(items, vec![layer]), canvas(130, 70));
    assert!(image.data.iter().all(|v| *v == 255));
}

#[test]
fn backdrops_and_blurs_nest() {
    // Within a group, the backdrop is what the group has drawn, not what is below the group.
    let items = vec![
        block(0.0, 0.0, 300.0, 300.0, Color::WHITE),
        block(40.0, 0.0, 40.0, 120.0, Color::hex(0xFF0000)),
        block(0.0, 0.0, 10.0, 10.0, Color::hex(0x00FF00)),
    ];
    let layers = vec![
        Layer::new(1..3),
        Layer { backdrop_blur: 6.0, ..Layer::new(2..3) },
        Layer { blur: 3.0, ..Layer::new(2..3) },
    ];
    let image = draw(&layered(items, layers), canvas(120, 120));
    let [r, g, b] = pixel(&image, 60, 60);
    assert!(r == 255 && g < 3 && b < 3, "inside of the red bar");
    assert_eq!(pixel(&image, 110, 60), [255; 3]);
    let [r, g, _] = pixel(&image, 36, 60);
    assert!(r == 255 && g > 60 && g < 250, "its edge is soft: {g}");
    let [r, g, _] = pixel(&image, 3, 3);
    assert!(g > 200 && r < 160, "{r} {g}");
}

#[test]
fn layers_that_cross_are_refused() {
    let items = vec![block(0.0, 0.0, 1.0, 1.0, Color::WHITE); 8];
    let result = |layers: Vec<Layer>| {
        let mut out = Pixmap { width: 0, height: 0, data: Vec::new() };
        CpuRasteriser::new().draw(&layered(items.clone(), layers), canvas(5, 5), &Fonts::new(), &mut out)
    };
    let over = |ranges: &[(usize, usize)]| result(ranges.iter().map(|r| Layer::new(r.0..r.1)).collect());
    assert_eq!(over(&[(0, 8), (0, 4), (0, 4), (1, 1), (2, 3), (4, 8)]), Ok(()));
    assert_eq!(over(&[(0, 4), (3, 6)]), Err(RasterError::LayersCross(1)));
    assert_eq!(over(&[(0, 4), (0, 6)]), Err(RasterError::LayersCross(1)));
    assert_eq!(over(&[(2, 4), (0, 1)]), Err(RasterError::LayersCross(1)));
    assert_eq!(over(&[(0, 9)]), Err(RasterError::LayersCross(0)));
    assert_eq!(result(vec![Layer::new(0..8); LAYER_DEPTH]), Ok(()));
    let deep = LAYER_DEPTH + 1;
    assert_eq!(result(vec![Layer::new(0..8); deep]), Err(RasterError::TooManyLayers(deep)));
    let many = SCENE_LAYERS + 1;
    assert_eq!(result(vec![Layer::new(8..8); many]), Err(RasterError::TooManyLayers(many)));
    let blurred = BLURRED_LAYERS + 1;
    let soft: Vec<Layer> = (0..blurred).map(|i| Layer { blur: 1.0, ..Layer::new(i % 8..i % 8 + 1) }).collect();
    assert_eq!(result(soft), Err(RasterError::TooManyBlurs(blurred)));
}

/// Where an opaque card covers whole cells, hidden items aren't drawn. A path with the same outline hides nothing in
/// advance, so all items under it are drawn. Both pictures must be equal.
#[test]
fn what_is_hidden_leaves_no_trace() {
    let fade: Arc<[Stop]> = [Color::hex(0x0E3B36), Color::hex(0x3BE0A0)]
        .iter()
        .zip([0.0, 1.0])
        .map(|(&color, offset)| Stop { offset, color })
        .collect();
    let along = |x: f32| Paint::Linear { from: Point::new(0.0, 0.0), to: Point::new(x, 40.0), stops: fade.clone() };
    for (paint, dither) in
        [(Paint::Solid(Color::hex(0xF4F1EA)), true), (along(900.0), true), (along(30.0), false), (along(9e4), true)]
    {
        let drawn = |card: fn(Rect) -> Coverage, rows: usize| {
            let mut items = everything().items;
            let under = items.len();
            items.push(block(40.0, 90.0, 700.0, 500.0, Color::hex(0x33AA77)));
            // Within a group, the pane hides only what the group drew before it.
            let pane = Coverage::Rect { rect: Rect::at(70.0, 200.0, 500.0, 300.0), radii: [0.0; 4], stroke: None };
            items.push(Item::new(pane, Paint::Solid(Color::hex(0x7A1FA2)), Role::Art));
            for rect in [Rect::at(90.0, 120.0, 700.0, 640.0), Rect::at(300.0, 700.0, 500.0, 200.0)] {
                items.push(Item::new(card(rect), paint.clone(), Role::Art));
            }
            let above = items.len();
            items.push(block(200.0, 220.0, 400.0, 420.0, Color::hex(0x0A1032).alpha(0.4)));
            items.push(block(310.0, 260.0, 200.0, 90.0, Color::WHITE));
            let layers = vec![
                Layer { opacity: 0.5, ..Layer::new(3..6) },
                Layer { opacity: 0.6, ..Layer::new(under..under + 2) },
                Layer { opacity: 0.7, backdrop_blur: 6.0, ..Layer::new(above..above + 2) },
            ];
            let size = if dither { canvas(1000, 1000) } else { canvas(1000, 1000).undithered() };
            draw_with(&CpuRasteriser::with_band_rows(rows), &layered(items, layers), size)
        };
        let path = |rect: Rect| {
            let mut path = BezPath::new();
            let Rect { x0, y0, x1, y1 } = rect;
            [(x0, y0), (x1, y0), (x1, y1), (x0, y1)].into_iter().enumerate().for_each(|(i, (x, y))| match i {
                0 => path.move_to((f64::from(x), f64::from(y))),
                _ => path.line_to((f64::from(x), f64::from(y))),
            });
            path.close_path();
            Coverage::Path { path: Arc::new(path), rule: FillRule::NonZero }
        };
        let rect = |rect: Rect| Coverage::Rect { rect, radii: [0.0; 4], stroke: None };
        for rows in [1, 16, 23] {
            assert!(drawn(rect, rows) == drawn(path, rows), "{rows} rows");
        }
    }
}
