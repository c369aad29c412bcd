//! Random scenes with extreme numbers: each is drawn or rejected, always in the same way.

use super::*;
use crate::scene::{Backdrop, BlendMode, Clip, Image, ImageFit, Layer, LineCap, LineJoin, Pattern, Stroke};

proptest! {
    #![proptest_config(ProptestConfig { cases: 160, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn wild_scenes_draw_something_or_nothing(scene in wild_scene()) {
        let canvas = Canvas::new(150, 40);
        let rasteriser = CpuRasteriser::new();
        let first = draw_with(&rasteriser, &scene, canvas);
        prop_assert!(draw_with(&rasteriser, &scene, canvas) == first, "with warm caches");
        for threads in [1, 4] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            prop_assert!(pool.install(|| draw(&scene, canvas)) == first, "{threads} threads");
        }
    }
}

fn wild_scene() -> BoxedStrategy<Scene> {
    let items = proptest::collection::vec(wild_item(), 1..6);
    let layer = (
        (0_usize..6, 0_usize..6),
        wild(),
        prop_oneof![3 => Just(0.0), 1 => 0.0_f32..300.0, 1 => wild()],
        prop_oneof![3 => Just(0.0), 1 => 0.0_f32..300.0, 1 => wild()],
        0..BlendMode::ALL.len(),
        prop_oneof![Just(None), (wild_coverage(), wild_transform()).prop_map(Some)],
    );
    (items, proptest::collection::vec(layer, 0..3))
        .prop_map(|(items, layers)| {
            let count = items.len();
            let mut layers: Vec<Layer> = layers
                .into_iter()
                .map(|((a, b), opacity, blur, backdrop_blur, blend, clip)| Layer {
                    items: a.min(b).min(count)..a.max(b).min(count),
                    opacity,
                    blend: BlendMode::ALL[blend],
                    clip: clip.map(|(coverage, transform)| Clip { transform, coverage }),
                    blur,
                    backdrop_blur,
                })
                .collect();
            layers.sort_by_key(|l| (l.items.start, usize::MAX - l.items.end));
            // Layers that overlap an earlier one in part are cut at its end.
            for i in 1..layers.len() {
                for j in 0..i {
                    let end = layers[j].items.end;
                    if layers[i].items.start < end && layers[i].items.end > end {
                        layers[i].items.end = end;
                    }
                }
            }
            layers.sort_by_key(|l| (l.items.start, usize::MAX - l.items.end));
            Scene { layers, ..scene(items) }
        })
        .boxed()
}

fn wild() -> BoxedStrategy<f32> {
    prop_oneof![
        4 => -100.0_f32..1200.0,
        1 => prop_oneof![Just(f32::NAN), Just(f32::INFINITY), Just(f32::NEG_INFINITY), Just(f32::MAX), Just(0.0), Just(1e-30)],
        1 => any::<f32>(),
    ]
    .boxed()
}

fn wild_coverage() -> BoxedStrategy<Coverage> {
    let rect = || [wild(), wild(), wild(), wild()].prop_map(|[a, b, c, d]| Rect::new(a, b, c, d));
    let stroke = || prop_oneof![Just(None), wild().prop_map(Some)];
    let pen = || {
        (wild(), 0..3_u8, wild(), proptest::collection::vec(wild(), 0..4)).prop_map(|(width, kind, v, dashes)| Stroke {
            width,
            join: [LineJoin::Miter(v), LineJoin::Round, LineJoin::Bevel][usize::from(kind)],
            cap: [LineCap::Butt, LineCap::Round, LineCap::Square][usize::from(kind)],
            dashes: dashes.into(),
            dash_offset: v,
        })
    };
    let maybe_pen = || prop_oneof![Just(None), pen().prop_map(Some)];
    prop_oneof![
        ([wild(), wild(), wild(), wild(), wild()], maybe_pen()).prop_map(|([x, y, radius, start, sweep], stroke)| {
            Coverage::Arc { center: Point::new(x, y), radius, start, sweep, stroke }
        }),
        (rect(), wild(), stroke()).prop_map(|(r, radius, stroke)| Coverage::Capsule {
            from: Point::new(r.x0, r.y0),
            to: Point::new(r.x1, r.y1),
            radius,
            stroke
        }),
        (proptest::collection::vec((wild(), wild()), 0..7), any::<bool>(), maybe_pen()).prop_map(
            |(points, closed, stroke)| Coverage::Polyline {
                points: points.into_iter().map(|(x, y)| Point::new(x, y)).collect(),
                closed,
                stroke
            }
        ),
        (rect(), [wild(), wild(), wild(), wild()], stroke()).prop_map(|(rect, radii, stroke)| Coverage::Rect {
            rect,
            radii,
            stroke
        }),
        ([wild(), wild(), wild(), wild()], stroke()).prop_map(|([x, y, w, h], stroke)| Coverage::Ellipse {
            center: Point::new(x, y),
            radii: Size::new(w, h),
            stroke
        }),
        (rect(), wild(), wild()).prop_map(|(rect, radius, sigma)| Coverage::Shadow { rect, radius, sigma }),
        proptest::collection::vec([wild(), wild(), wild(), wild(), wild(), wild()], 1..9).prop_map(|curves| {
            let mut path = BezPath::new();
            path.move_to((0.0, 0.0));
            for c in curves {
                let [a, b, c, d, e, f] = c.map(f64::from);
                path.curve_to((a, b), (c, d), (e, f));
            }
            Coverage::Path { path: Arc::new(path), rule: FillRule::EvenOdd }
        }),
        (wild(), 0..80_u16, wild(), wild()).prop_map(|(size, id, x, y)| {
            let face = Fonts::new().face(Family::Manrope, 400);
            Coverage::Glyphs(GlyphRun::new(face, size, [Glyph { id, at: Point::new(x, y) }]))
        }),
    ]
    .boxed()
}

fn wild_pattern() -> BoxedStrategy<Pattern> {
    let number = || prop_oneof![0..40_u32, any::<u32>()];
    (0..9_u8, [wild(), wild(), wild(), wild(), wild()], number())
        .prop_map(|(kind, [a, b, c, d, e], n)| match kind {
            0 => Pattern::Noise { size: a, octaves: n },
            1 => Pattern::Grain { size: a },
            2 => Pattern::Rays { center: Point::new(a, b), count: n, start: c },
            3 => Pattern::Contours { size: a, levels: n, width: b },
            4 => Pattern::Halftone { pitch: a, from: Point::new(b, c), to: Point::new(d, e) },
            5 => Pattern::Dots { pitch: a, radius: b },
            6 => Pattern::Stars { pitch: a, radius: b },
            7 => Pattern::Waves { pitch: a, length: b, amplitude: c, width: d },
            _ => Pattern::Blobs { pitch: a, radius: b },
        })
        .boxed()
}

fn wild_transform() -> BoxedStrategy<Affine> {
    prop_oneof![
        3 => Just(Affine::IDENTITY),
        1 => [wild(), wild(), wild(), wild(), wild(), wild()].prop_map(Affine),
        1 => (-2.0_f32..2.0, -2.0_f32..2.0, -2.0_f32..2.0, -2.0_f32..2.0).prop_map(|(a, b, c, d)| Affine([a, b, c, d, 9.0, 5.0])),
    ]
    .boxed()
}

fn wild_item() -> BoxedStrategy<Item> {
    let color = || [wild(), wild(), wild(), wild()].prop_map(|[r, g, b, a]| Color { r, g, b, a });
    let stops = || {
        proptest::collection::vec((wild(), [wild(), wild(), wild(), wild()]), 0..4).prop_map(|stops| {
            stops
                .into_iter()
                .map(|(offset, [r, g, b, a])| Stop { offset, color: Color { r, g, b, a } })
                .collect::<Arc<[Stop]>>()
        })
    };
    let paint = prop_oneof![
        [wild(), wild(), wild(), wild()].prop_map(|[r, g, b, a]| Paint::Solid(Color { r, g, b, a })),
        ([wild(), wild(), wild(), wild()], stops()).prop_map(|([a, b, c, d], stops)| Paint::Linear {
            from: Point::new(a, b),
            to: Point::new(c, d),
            stops
        }),
        ([wild(), wild(), wild()], stops()).prop_map(|([a, b, radius], stops)| Paint::Radial {
            center: Point::new(a, b),
            radius,
            stops
        }),
        ([wild(), wild(), wild()], stops()).prop_map(|([a, b, start], stops)| Paint::Conic {
            center: Point::new(a, b),
            start,
            stops
        }),
        ([wild(), wild(), wild(), wild()], 0..5_u32, proptest::collection::vec(color(), 0..9)).prop_map(
            |([a, b, c, d], columns, colors)| Paint::Mesh {
                rect: Rect::new(a, b, c, d),
                columns,
                colors: colors.into()
            }
        ),
        (wild_pattern(), any::<u32>(), stops()).prop_map(|(pattern, seed, stops)| Paint::Backdrop(Backdrop {
            pattern,
            seed,
            stops
        })),
        ([wild(), wild(), wild(), wild()], [wild(), wild()], 0..3_usize, proptest::collection::vec(any::<u8>(), 24))
            .prop_map(|([a, b, c, d], [x, y], fit, rgba)| Paint::Image {
                image: Image::new(3, 2, rgba).unwrap(),
                rect: Rect::new(a, b, c, d),
                fit: [ImageFit::Cover, ImageFit::Contain, ImageFit::Fill][fit],
                focus: Point::new(x, y)
            }),
    ]
    .boxed();
    (wild_coverage(), paint, wild_transform())
        .prop_map(|(coverage, paint, transform)| Item { transform, coverage, paint, role: Role::Art })
        .boxed()
}
