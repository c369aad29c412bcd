//! The resource limits of a page, and what a rasteriser keeps afterwards.

use super::*;
use crate::limits::{GRADIENT_STOPS, SCENE_ELEMENTS};
use crate::scene::{Clip, Layer};

/// Prepares a scene without drawing it.
fn prepared(scene: &Scene, canvas: Canvas) -> Result<(), RasterError> {
    prepare::check(scene, canvas)?;
    let (fonts, caches, workspace) = (Fonts::new(), Caches::default(), Workspace::default());
    Context::new(canvas, &fonts, &caches, &workspace).prepare(scene, &mut Frame::default())
}

fn soft(count: usize, blur: f32) -> Scene {
    let dot = Item::rect(Rect::at(-1e4, -1e4, 1e5, 1e5), Color::WHITE, Role::Mark);
    let layers = (0..count).map(|i| Layer { blur, ..Layer::new(i..i + 1) }).collect();
    Scene { layers, ..scene(vec![dot; count]) }
}

#[test]
fn blurs_hold_a_bounded_number_of_texels() {
    let large = canvas(4096, 4096);
    assert_eq!(prepared(&soft(1, 1.0), large), Ok(()));
    assert!(matches!(prepared(&soft(5, 1.0), large), Err(RasterError::BlursTooLarge(_))));
    assert_eq!(prepared(&soft(5, 40.0), large), Ok(()), "wide ones are made small");
    // Wide blurs enlarge the canvas for the blurs nested in them.
    let mut nested = soft(1, 1e9);
    nested.layers = [1e9, 1e9, 0.5].map(|blur| Layer { blur, ..Layer::new(0..1) }).into();
    assert!(matches!(prepared(&nested, canvas(8192, 8192)), Err(RasterError::BlursTooLarge(_))));
    // If little of the blurred layers is visible, little is made.
    let mut clipped = soft(5, 1.0);
    let window = Coverage::Rect { rect: Rect::at(300.0, 200.0, 500.0, 400.0), radii: [0.0; 4], stroke: None };
    let clip = Some(Clip { transform: Affine::IDENTITY, coverage: window });
    clipped.layers.insert(0, Layer { clip, ..Layer::new(0..5) });
    assert_eq!(prepared(&clipped, large), Ok(()));
}

#[test]
fn what_a_clip_hides_of_a_blur_isnt_missed() {
    let mut clipped = soft(1, 3.0);
    clipped.items[0] = Item::circle(Point::new(60.0, 50.0), 30.0, Color::WHITE, Role::Art);
    let plain = draw(&clipped, canvas(120, 100));
    let window = Coverage::Rect { rect: Rect::at(20.0, 30.0, 50.0, 40.0), radii: [0.0; 4], stroke: None };
    let clip = Some(Clip { transform: Affine::IDENTITY, coverage: window });
    clipped.layers.insert(0, Layer { clip, ..Layer::new(0..1) });
    let shown = draw(&clipped, canvas(120, 100));
    for (i, (a, b)) in plain.data.chunks_exact(3).zip(shown.data.chunks_exact(3)).enumerate() {
        let within = (20..70).contains(&(i % 120)) && (30..70).contains(&(i / 120));
        assert_eq!(b, if within { a } else { &[0; 3] });
    }
}

#[test]
fn elements_and_stops_are_bounded() {
    let points = vec![Point::new(1.0, 1.0); SCENE_ELEMENTS / 2 + 1];
    let line = |points: &[Point]| {
        white(Coverage::Polyline { points: points.into(), closed: false, stroke: None }, Affine::IDENTITY)
    };
    let most = scene(vec![line(&points[1..]), line(&points[1..])]);
    assert_eq!(prepare::check(&most, canvas(9, 9)), Ok(()));
    let over = scene(vec![line(&points), line(&points)]);
    assert_eq!(prepare::check(&over, canvas(9, 9)), Err(RasterError::TooManyElements(points.len() * 2)));
    let stops = vec![Stop { offset: 0.5, color: Color::WHITE }; GRADIENT_STOPS + 1];
    let paint = Paint::Radial { center: Point::new(1.0, 1.0), radius: 5.0, stops: stops.into() };
    let fade = Item { paint, ..line(&points[..3]) };
    assert_eq!(prepare::check(&scene(vec![fade]), canvas(9, 9)), Err(RasterError::TooManyStops(GRADIENT_STOPS + 1)));
}

#[test]
fn idle_frames_hold_nothing() {
    let rasteriser = CpuRasteriser::new();
    draw_with(&rasteriser, &everything(), Canvas::new(50, 60));
    assert!(rasteriser.idle.lock().iter().all(|(frame, _)| frame.steps.is_empty() && frame.lines.len() == 0));
}
