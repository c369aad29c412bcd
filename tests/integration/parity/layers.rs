//! Layers: opacity, blending, clips, blurs, and all of them nested.

use render_core::scene::{Affine, BlendMode, Clip, Color, Coverage, Item, Layer, Paint, Point, Rect, Role, Size};
use render_core::text::Fonts;

use super::coverages::coverages;
use super::paints::{picture, stops};
use super::{Case, item, turned};

/// A background with hard edges, a gradient and a translucent disc.
fn ground() -> Vec<Item> {
    let sky = Paint::Linear {
        from: Point::new(0.0, 0.0),
        to: Point::new(96.0, 60.0),
        stops: stops(&[Color::hex(0x0E3B36), Color::hex(0xFFC247)]),
    };
    vec![
        item(Coverage::Rect { rect: Rect::at(0.0, 0.0, 96.0, 60.0), radii: [0.0; 4], stroke: None }, sky),
        Item::rect(Rect::at(20.0, 50.0, 40.0, 30.0), Color::hex(0x3355FF), Role::Art),
        Item::circle(Point::new(70.0, 70.0), 18.0, Color::hex(0xFF4D14).alpha(0.6), Role::Art),
    ]
}

/// The content of a layer: two overlapping shapes, and a gradient that fades out.
fn figures() -> Vec<Item> {
    let glow = Paint::Radial {
        center: Point::new(40.0, 40.0),
        radius: 34.0,
        stops: stops(&[Color::hex(0xFFF3C4), Color::hex(0xFF4D14).alpha(0.0)]),
    };
    vec![
        item(Coverage::Ellipse { center: Point::new(40.0, 40.0), radii: Size::new(34.0, 34.0), stroke: None }, glow),
        Item::rounded(Rect::at(26.4, 20.2, 44.0, 30.0), [8.0; 4], Color::hex(0x3BE0A0), Role::Art),
        Item::circle(Point::new(62.0, 56.0), 16.0, Color::hex(0x15171C).alpha(0.8), Role::Art),
    ]
}

/// Builds a case with the background and the figures in layers. `layers` count items from the first figure.
fn case(name: &str, layers: Vec<Layer>) -> Case {
    let mut items = ground();
    let first = items.len();
    items.extend(figures());
    let shift = |l: Layer| Layer { items: l.items.start + first..l.items.end + first, ..l };
    Case::small(format!("layer-{name}"), items, layers.into_iter().map(shift).collect(), 2.0)
}

fn clip(coverage: Coverage) -> Option<Clip> {
    Some(Clip { transform: Affine::IDENTITY, coverage })
}

pub fn layers(fonts: &Fonts) -> Vec<Case> {
    let all = || Layer::new(0..3);
    let mut cases = vec![
        case("plain", vec![all()]),
        case("faded", vec![Layer { opacity: 0.45, ..all() }]),
        case("partly", vec![Layer { opacity: 0.5, ..Layer::new(1..2) }]),
    ];
    for mode in BlendMode::ALL {
        cases.push(case(&format!("{mode:?}"), vec![Layer { blend: mode, ..all() }]));
        // Nested in a layer that is partly empty below it.
        let inner = Layer { blend: mode, opacity: 0.8, ..Layer::new(2..3) };
        cases.push(case(&format!("{mode:?}-nested"), vec![Layer { opacity: 0.9, ..all() }, inner]));
    }
    for (name, coverage) in coverages(fonts) {
        cases.push(case(&format!("clip-{name}"), vec![Layer { clip: clip(coverage), ..all() }]));
    }
    cases.extend(blurs());
    cases.extend(nests(fonts));
    cases
}

fn blurs() -> Vec<Case> {
    let all = || Layer::new(0..3);
    let card = || clip(Coverage::Rect { rect: Rect::at(14.0, 18.0, 66.0, 60.0), radii: [12.0; 4], stroke: None });
    let mut cases = Vec::new();
    for sigma in [0.3, 1.0, 3.7, 9.0, 31.0] {
        cases.push(case(&format!("blur-{sigma}"), vec![Layer { blur: sigma, ..all() }]));
        let glass = Layer { backdrop_blur: sigma, clip: card(), ..Layer::new(1..2) };
        cases.push(case(&format!("backdrop-{sigma}"), vec![glass]));
    }
    let both = Layer { blur: 2.0, backdrop_blur: 6.0, opacity: 0.7, clip: card(), ..all() };
    let screen = Layer { blur: 5.0, blend: BlendMode::Screen, ..all() };
    let bare = Layer { backdrop_blur: 4.0, clip: card(), ..Layer::new(0..0) };
    cases.push(case("blur-both", vec![both]));
    cases.push(case("blur-screen", vec![screen]));
    cases.push(case("backdrop-bare", vec![bare]));
    cases.push(case("backdrop-whole", vec![Layer { backdrop_blur: 5.0, ..Layer::new(1..3) }]));
    // Shapes beyond the edge of the canvas still contribute to the blur.
    let beyond = vec![
        Item::circle(Point::new(-20.0, 50.0), 30.0, Color::hex(0xFF4D14), Role::Art),
        Item::rect(Rect::at(80.0, 80.0, 60.0, 60.0), Color::hex(0x3355FF), Role::Art),
    ];
    cases.push(Case::small("layer-blur-bleed".into(), beyond, vec![Layer { blur: 12.0, ..Layer::new(0..2) }], 2.0));
    cases
}

fn nests(fonts: &Fonts) -> Vec<Case> {
    let disc =
        |x: f32, r: f32| clip(Coverage::Ellipse { center: Point::new(x, 46.0), radii: Size::new(r, r), stroke: None });
    let word = super::coverages::word(fonts, "ABC", 48.0, Point::new(4.0, 66.0), 0.62);
    let text = Clip { transform: turned(-9.0, 1.0), coverage: word };
    let deep: Vec<Layer> =
        (0..12).map(|i| Layer { opacity: 0.96, clip: disc(48.0, 46.0 - 2.0 * i as f32), ..Layer::new(0..3) }).collect();
    let apart = vec![
        Layer { opacity: 0.6, ..Layer::new(0..1) },
        Layer { blend: BlendMode::Multiply, ..Layer::new(1..2) },
        Layer { clip: disc(60.0, 14.0), ..Layer::new(2..3) },
    ];
    let within = vec![
        Layer { blur: 3.0, blend: BlendMode::HardLight, ..Layer::new(0..3) },
        Layer { opacity: 0.5, clip: disc(40.0, 30.0), ..Layer::new(0..2) },
        Layer { blend: BlendMode::Difference, ..Layer::new(1..2) },
    ];
    let glass_in_glass = vec![
        Layer { backdrop_blur: 3.0, clip: disc(44.0, 40.0), ..Layer::new(0..3) },
        Layer { backdrop_blur: 6.0, clip: disc(56.0, 26.0), ..Layer::new(2..3) },
    ];
    let photo = Paint::Image {
        image: picture(200, 150),
        rect: Rect::at(0.0, 0.0, 96.0, 96.0),
        fit: render_core::scene::ImageFit::Cover,
        focus: Point::new(0.5, 0.5),
    };
    let full = Coverage::Rect { rect: Rect::at(0.0, 0.0, 96.0, 96.0), radii: [0.0; 4], stroke: None };
    let masked = vec![Layer { clip: Some(text.clone()), ..Layer::new(0..1) }];
    vec![
        case("clip-turned-text", vec![Layer { clip: Some(text), ..Layer::new(0..3) }]),
        case("deep", deep),
        case("apart", apart),
        case("within-blur", within),
        case("glass-in-glass", glass_in_glass),
        Case::small("layer-photo-in-text".into(), vec![item(full, photo)], masked, 2.0),
    ]
}
