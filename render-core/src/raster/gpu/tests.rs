//! Compares the device with the reference rasteriser, and checks its errors.

#![allow(clippy::print_stderr, reason = "a test that is skipped says so")]

use super::atlas::Atlas;
use super::*;
use crate::raster::cpu::CpuRasteriser;
use crate::raster::{DeviceFault, Pixmap, Rasteriser};
use crate::scene::{Color, Coverage, Glyph, GlyphRun, Item, Paint, Point, Rect, Role, Size, Stop};
use crate::text::Family;

/// Returns the rasteriser; on a machine without a device, prints that the test is skipped.
fn gpu() -> Option<GpuRasteriser> {
    open(Selector::Any).inspect_err(|error| eprintln!("skipped: {error}")).ok()
}

fn render(rasteriser: &dyn Rasteriser, scene: &Scene, canvas: Canvas) -> Result<Pixmap, RasterError> {
    let mut out = Pixmap { width: 0, height: 0, data: Vec::new() };
    rasteriser.draw(scene, canvas, &Fonts::new(), &mut out).map(|()| out)
}

/// Draws the items with both rasterisers; the pictures must agree within 2 of 255.
fn compare(gpu: &GpuRasteriser, name: &str, items: Vec<Item>, canvas: Canvas) {
    let background = Color::hex(0xF4F1EA);
    let scene = Scene { size: canvas.size_du(), background, items, layers: Vec::new(), blocks: Vec::new() };
    let want = render(&CpuRasteriser::new(), &scene, canvas).unwrap();
    let got = render(gpu, &scene, canvas).unwrap();
    assert_eq!((want.width, want.height, want.data.len()), (got.width, got.height, got.data.len()), "{name}");
    let apart = |(i, (a, b)): (usize, (&u8, &u8))| (a.abs_diff(*b), i / 3);
    let worst = want.data.iter().zip(&got.data).enumerate().map(apart).max_by_key(|(d, _)| *d).unwrap();
    let (x, y) = (worst.1 as u32 % want.width, worst.1 as u32 / want.width);
    let at = |p: &Pixmap| p.data[worst.1 * 3..worst.1 * 3 + 3].to_vec();
    assert!(worst.0 <= 2, "{name}: {} apart at {x}, {y}: cpu {:?}, gpu {:?}", worst.0, at(&want), at(&got));
}

fn canvas(width: u32, height: u32) -> Canvas {
    Canvas { width, height, scale: 1.0, dither: true }
}

fn coverages() -> Vec<(&'static str, Coverage)> {
    use crate::scene::{BezPath, FillRule, Stroke};
    use std::sync::Arc;
    let rect = Rect::at(10.3, 12.6, 140.2, 90.7);
    let center = Point::new(80.2, 60.7);
    let star = BezPath::from_svg("M80 10 L110 110 L15 45 L145 45 L50 110 Z").unwrap();
    let star = Arc::new(star);
    vec![
        ("whole", Coverage::Rect { rect: Rect::at(10.0, 12.0, 140.0, 90.0), radii: [0.0; 4], stroke: None }),
        ("rect", Coverage::Rect { rect, radii: [0.0; 4], stroke: None }),
        ("rounded", Coverage::Rect { rect, radii: [4.0, 12.0, 30.0, 0.0], stroke: None }),
        ("outlined", Coverage::Rect { rect, radii: [20.0; 4], stroke: Some(6.0) }),
        ("ellipse", Coverage::Ellipse { center, radii: Size::new(60.0, 40.0), stroke: None }),
        ("ring", Coverage::Ellipse { center, radii: Size::new(45.0, 45.0), stroke: Some(9.5) }),
        ("shadow", Coverage::Shadow { rect: Rect::at(50.0, 40.0, 60.0, 40.0), radius: 12.0, sigma: 11.0 }),
        ("hard shadow", Coverage::Shadow { rect: Rect::at(30.0, 30.0, 100.0, 60.0), radius: 25.0, sigma: 0.5 }),
        ("path", Coverage::Path { path: Arc::clone(&star), rule: FillRule::NonZero }),
        ("even-odd", Coverage::Path { path: Arc::clone(&star), rule: FillRule::EvenOdd }),
        ("pen", Coverage::Stroke { path: star, stroke: Stroke::round(3.0) }),
    ]
}

fn paints() -> Vec<(&'static str, Paint)> {
    let stops = |alpha: f32| {
        [
            Stop { offset: 0.1, color: Color::hex(0x0E3B36) },
            Stop { offset: 0.6, color: Color::hex(0xFF4D14).alpha(alpha) },
            Stop { offset: 1.0, color: Color::hex(0xF2C14E) },
        ]
    };
    let linear = |alpha: f32| Paint::Linear {
        from: Point::new(20.0, 10.0),
        to: Point::new(130.0, 100.0),
        stops: stops(alpha).into(),
    };
    let faint = [Stop { offset: 0.0, color: Color::hex(0x101010) }, Stop { offset: 1.0, color: Color::hex(0x181818) }];
    vec![
        ("solid", Paint::Solid(Color::hex(0x1D3557))),
        ("glass", Paint::Solid(Color::hex(0x1D3557).alpha(0.37))),
        ("linear", linear(1.0)),
        ("fading", linear(0.2)),
        ("dithered", Paint::Linear { from: Point::new(0.0, 0.0), to: Point::new(160.0, 20.0), stops: faint.into() }),
        ("radial", Paint::Radial { center: Point::new(70.0, 50.0), radius: 70.0, stops: stops(0.6).into() }),
    ]
}

#[test]
fn every_coverage_with_every_paint_is_as_the_reference_has_it() {
    let Some(gpu) = gpu() else { return };
    for (shape, coverage) in coverages() {
        for (ink, paint) in paints() {
            let item = Item::new(coverage.clone(), paint, Role::Art);
            compare(&gpu, &format!("{shape} {ink}"), vec![item], canvas(163, 121));
        }
    }
}

/// Returns many glyphs, in many sizes, with other shapes between them.
fn texts() -> Vec<Item> {
    let fonts = Fonts::new();
    let face = fonts.face(Family::Manrope, 600);
    let mut items = Vec::new();
    for (row, size) in [14.0, 19.0, 23.0, 31.0, 44.0].into_iter().enumerate() {
        let y = 40.0 + 50.0 * row as f32;
        items.push(Item::rect(Rect::at(8.5, y - 20.0, 300.0, 12.0), Color::hex(0xFFD166), Role::Art));
        let glyphs = "Vivid sets every page".chars().enumerate();
        let glyphs: Vec<Glyph> = glyphs
            .filter_map(|(i, c)| {
                let at = Point::new(10.0 + i as f32 * size * 0.6, y);
                Some(Glyph { id: fonts.glyph(face, c)?, at })
            })
            .collect();
        let run = GlyphRun::new(face, size, glyphs);
        items.push(Item::new(Coverage::Glyphs(run), Paint::Solid(Color::hex(0x15171C)), Role::Art));
    }
    items
}

#[test]
fn an_atlas_that_is_too_small_for_a_page_is_filled_again_and_again() {
    let Some(gpu) = gpu() else { return };
    for (first, most) in [(64, 64), (64, 128), (64, 4096)] {
        *gpu.atlas.lock() = Atlas::with_edges(&gpu.device, first, most);
        for _ in 0..2 {
            compare(&gpu, &format!("an atlas of {first} to {most}"), texts(), canvas(600, 300));
        }
    }
}

#[test]
fn pages_drawn_at_once_are_the_pages_drawn_alone() {
    let Some(gpu) = gpu() else { return };
    *gpu.atlas.lock() = Atlas::with_edges(&gpu.device, 64, 128);
    let background = Color::hex(0xF4F1EA);
    let scene = |n: usize| {
        let items = texts().split_off(n);
        Scene { size: Size::new(600.0, 300.0), background, items, layers: Vec::new(), blocks: Vec::new() }
    };
    let alone: Vec<Pixmap> = (0..4).map(|n| render(&gpu, &scene(n), canvas(600, 300)).unwrap()).collect();
    std::thread::scope(|scope| {
        for n in 0..12 {
            let (gpu, alone, scene) = (&gpu, &alone, &scene);
            scope.spawn(move || {
                let drawn = render(gpu, &scene(n % 4), canvas(600, 300)).unwrap();
                assert!(drawn == alone[n % 4], "page {n}");
            });
        }
    });
}

#[test]
fn a_lost_device_says_so_from_then_on() {
    let Some(gpu) = gpu() else { return };
    let scene = Scene {
        size: Size::new(64.0, 64.0),
        background: Color::BLACK,
        items: vec![Item::circle(Point::new(30.0, 30.0), 20.0, Color::WHITE, Role::Art)],
        layers: Vec::new(),
        blocks: Vec::new(),
    };
    render(&gpu, &scene, canvas(64, 64)).unwrap();
    gpu.device.device.destroy();
    for _ in 0..3 {
        let error = render(&gpu, &scene, canvas(64, 64)).unwrap_err();
        assert_eq!(error.device_fault(), Some(DeviceFault::Lost), "{error}");
    }
}

#[test]
fn a_device_lost_while_pages_are_drawn_is_an_error_on_every_thread() {
    let Some(gpu) = gpu() else { return };
    let items = (0..40).map(|i| Item::circle(Point::new(300.0, 300.0), 290.0 - i as f32, Color::WHITE, Role::Art));
    let scene = Scene {
        size: Size::new(600.0, 600.0),
        background: Color::BLACK,
        items: items.collect(),
        layers: Vec::new(),
        blocks: Vec::new(),
    };
    let draw = || (0..200).find_map(|_| render(&gpu, &scene, canvas(600, 600)).err());
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..3).map(|_| scope.spawn(draw)).collect();
        render(&gpu, &scene, canvas(600, 600)).unwrap();
        gpu.device.device.destroy();
        for thread in threads {
            let error = thread.join().unwrap().expect("the device is gone");
            assert_eq!(error.device_fault(), Some(DeviceFault::Lost), "{error}");
        }
    });
}

#[test]
fn too_large_a_canvas_is_declined() {
    let Some(gpu) = gpu() else { return };
    let edge = gpu.device.device.limits().max_texture_dimension_2d;
    if edge >= crate::limits::EDGE_PX {
        eprintln!("skipped: this device's textures are as large as any canvas");
        return;
    }
    let scene = Scene {
        size: Size::new(1080.0, 1080.0),
        background: Color::BLACK,
        items: Vec::new(),
        layers: Vec::new(),
        blocks: Vec::new(),
    };
    let error = render(&gpu, &scene, canvas(edge + 1, 8)).unwrap_err();
    assert_eq!(error.device_fault(), Some(DeviceFault::Declined), "{error}");
}
