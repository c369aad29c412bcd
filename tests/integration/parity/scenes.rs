//! Transforms, edges, whole pages and large canvases.

use render_core::Format;
use render_core::compose::compose;
use render_core::design::Style;
use render_core::plan::specimens::specimens;
use render_core::scene::{
    Affine, BlendMode, Canvas, Clip, Color, Coverage, Item, Layer, Paint, Point, Rect, Role, Scene, Size,
};
use render_core::text::Fonts;

use super::coverages::{coverages, word};
use super::paints::{backdrop, paints, patterns, picture, stops};
use super::{Case, item, turned};

/// Every coverage rotated, skewed, mirrored and at odd scales, and every paint as well.
pub fn transformed(fonts: &Fonts) -> Vec<Case> {
    let maps = [
        ("turned", turned(23.0, 0.9)),
        ("skewed", Affine([1.0, 0.2, -0.3, 0.8, 14.0, 2.0])),
        ("mirrored", Affine([-1.0, 0.0, 0.0, 1.0, 96.0, 0.0])),
        ("squeezed", Affine([1.0, 0.0, 0.0, 0.3, 0.0, 30.0])),
    ];
    let ink = || Paint::Linear {
        from: Point::new(0.0, 0.0),
        to: Point::new(96.0, 96.0),
        stops: stops(&[Color::hex(0xFF4D14), Color::hex(0x15171C)]),
    };
    let mut cases = Vec::new();
    for (how, map) in maps {
        for (name, coverage) in coverages(fonts) {
            let moved = Item { transform: map, ..item(coverage, ink()) };
            cases.push(Case::small(format!("{how}-{name}"), vec![moved], Vec::new(), 1.0));
        }
        for (name, paint) in paints() {
            let field = Coverage::Rect { rect: Rect::at(8.0, 8.0, 80.0, 80.0), radii: [20.0; 4], stroke: None };
            let moved = Item { transform: map, ..item(field, paint) };
            cases.push(Case::small(format!("{how}-{name}"), vec![moved], Vec::new(), 1.0));
        }
    }
    for scale in [0.37, 1.5, 3.21] {
        for (name, coverage) in coverages(fonts) {
            let name = format!("{name}-at-{scale}");
            cases.push(Case::small(name, vec![item(coverage, ink())], Vec::new(), scale));
        }
    }
    cases
}

/// Small and odd canvases, and shapes that end on tile borders, extend beyond the canvas, or are far larger.
pub fn edges(fonts: &Fonts) -> Vec<Case> {
    let mut items = vec![
        Item::rect(Rect::new(-50.0, -50.0, 30.0, 16.0), Color::hex(0xFF4D14), Role::Art),
        Item::rect(Rect::new(64.0, 16.0, 128.0, 48.0), Color::hex(0x3355FF).alpha(0.5), Role::Art),
        Item::circle(Point::new(64.0, 64.0), 32.0, Color::hex(0x3BE0A0), Role::Art),
        Item::circle(Point::new(0.0, 4000.0), 3960.0, Color::hex(0x15171C).alpha(0.8), Role::Art),
        Item::ring(Point::new(128.0, 0.0), 64.0, 16.0, Color::hex(0xFFC247), Role::Art),
        item(word(fonts, "edge of it", 40.0, Point::new(-12.0, 20.0), 0.6), Paint::Solid(Color::BLACK)),
        item(word(fonts, "Off", 120.0, Point::new(70.0, 150.0), 0.6), Paint::Solid(Color::hex(0x3355FF))),
    ];
    let shadow = Coverage::Shadow { rect: Rect::new(-20.0, 90.0, 40.0, 170.0), radius: 8.0, sigma: 12.0 };
    items.push(item(shadow, Paint::Solid(Color::BLACK.alpha(0.6))));
    let scene = Scene {
        size: Size::new(128.0, 128.0),
        background: Color::hex(0xF4F1EA),
        items,
        layers: vec![
            Layer { opacity: 0.7, ..Layer::new(1..4) },
            Layer { blend: BlendMode::Overlay, ..Layer::new(3..4) },
            Layer { blur: 4.0, ..Layer::new(4..5) },
        ],
        blocks: Vec::new(),
    };
    let sizes = [(2, 1), (7, 5), (63, 15), (64, 16), (65, 17), (128, 128), (129, 33), (1, 200), (200, 1), (301, 299)];
    sizes
        .into_iter()
        .map(|(width, height)| Case {
            name: format!("canvas-{width}x{height}"),
            scene: scene.clone(),
            canvas: Canvas { width, height, scale: 1.0, dither: true },
        })
        .collect()
}

/// Every template of every style, as published.
pub fn pages(fonts: &Fonts) -> Vec<Case> {
    let format = Format::by_id("instagram_post").unwrap();
    let mut cases = Vec::new();
    for style in Style::all() {
        for page in specimens(style, format.id, 11, fonts) {
            let scene = compose(&page, fonts).scene;
            let canvas = Canvas::new(scene.size.w as u32 / 2, scene.size.h as u32 / 2);
            let name = format!("page-{}-{}", style.name(), page.template.name());
            cases.push(Case { name, scene, canvas });
        }
    }
    cases
}

/// One canvas of 4096 × 5120 with everything on it, with and without dithering.
pub fn large(fonts: &Fonts) -> Vec<Case> {
    let size = Size::new(1080.0, 1350.0);
    let ground = Paint::Linear {
        from: Point::new(0.0, 0.0),
        to: Point::new(200.0, 1350.0),
        stops: stops(&[Color::hex(0x0E3B36), Color::hex(0x14524B)]),
    };
    let whole = Coverage::Rect { rect: Rect::at(0.0, 0.0, size.w, size.h), radii: [0.0; 4], stroke: None };
    let mut items = vec![item(whole, ground)];
    for (i, (_, coverage)) in coverages(fonts).into_iter().enumerate() {
        let at = Affine::translate((i % 8) as f32 * 130.0 + 20.0, (i / 8) as f32 * 130.0 + 20.0);
        let paints = paints();
        let paint = paints[i % paints.len()].1.clone();
        items.push(Item { transform: at, ..item(coverage, paint) });
    }
    let first = items.len();
    for (i, (_, pattern)) in patterns().into_iter().enumerate() {
        let ink = stops(&[Color::WHITE.alpha(0.0), Color::hex(0xFFC247)]);
        let rect = Rect::at(i as f32 * 115.0 + 20.0, 760.0, 105.0, 180.0);
        items.push(item(Coverage::Rect { rect, radii: [12.0; 4], stroke: None }, backdrop(pattern, &ink)));
    }
    let photo = Paint::Image {
        image: picture(900, 600),
        rect: Rect::at(60.0, 980.0, 420.0, 300.0),
        fit: render_core::scene::ImageFit::Cover,
        focus: Point::new(0.3, 0.5),
    };
    let frame = Coverage::Rect { rect: Rect::at(60.0, 980.0, 420.0, 300.0), radii: [40.0; 4], stroke: None };
    items.push(item(frame, photo));
    items.push(item(word(fonts, "Type", 190.0, Point::new(520.0, 1200.0), 0.6), Paint::Solid(Color::WHITE)));
    let glass = Coverage::Rect { rect: Rect::at(300.0, 1040.0, 420.0, 200.0), radii: [30.0; 4], stroke: None };
    let pane = Item::rect(Rect::at(0.0, 900.0, 1080.0, 450.0), Color::WHITE.alpha(0.2), Role::Art);
    items.push(pane);
    let last = items.len();
    let layers = vec![
        Layer { opacity: 0.9, blend: BlendMode::Screen, ..Layer::new(first..first + 4) },
        Layer {
            backdrop_blur: 14.0,
            clip: Some(Clip { transform: Affine::IDENTITY, coverage: glass }),
            ..Layer::new(last - 1..last)
        },
    ];
    let scene = Scene { size, background: Color::BLACK, items, layers, blocks: Vec::new() };
    let canvas = Canvas::new(4096, 5120);
    vec![
        Case { name: "4k".into(), scene: scene.clone(), canvas },
        Case { name: "4k-undithered".into(), scene, canvas: canvas.undithered() },
    ]
}
