//! Arcs, capsules, polylines, pens and fill rules.

use super::*;
use crate::scene::{LineCap, LineJoin, Stroke};

fn area(coverage: Coverage) -> f32 {
    super::coverage(&draw(&scene(vec![white(coverage, Affine::IDENTITY)]), canvas(120, 120))).iter().sum()
}

fn image(coverage: Coverage) -> Pixmap {
    draw(&scene(vec![white(coverage, Affine::IDENTITY)]), canvas(120, 120))
}

fn close(got: f32, want: f32) {
    assert!((got - want).abs() < 0.004 * want + 0.6, "{got} instead of {want}");
}

const MIDDLE: Point = Point::new(60.0, 60.0);
const TURN: f32 = std::f32::consts::TAU;

#[test]
fn sectors_and_arcs_have_their_area() {
    let arc = |sweep: f32, stroke: Option<Stroke>| {
        area(Coverage::Arc { center: MIDDLE, radius: 40.0, start: 0.7, sweep, stroke })
    };
    for sweep in [0.4, -1.9, 3.0, 5.5] {
        close(arc(sweep, None), sweep.abs() * 800.0);
        close(arc(sweep, Some(Stroke::new(6.0))), sweep.abs() * 240.0);
        let caps = std::f32::consts::PI * 9.0;
        close(arc(sweep, Some(Stroke::round(6.0))), sweep.abs() * 240.0 + caps);
    }
    for sweep in [TURN, 3.0 * TURN, -2.0 * TURN] {
        close(arc(sweep, None), TURN * 800.0);
        close(arc(sweep, Some(Stroke::new(6.0))), TURN * 240.0);
    }
    assert_eq!(arc(0.0, None), 0.0);
    // Without a centre, the shape is the area between arc and chord plus the triangle to the centre: the far side stays
    // empty.
    let half = image(Coverage::Arc { center: MIDDLE, radius: 40.0, start: 0.0, sweep: TURN / 2.0, stroke: None });
    assert!(half.data[(80 * 120 + 60) * 3] == 255 && half.data[(40 * 120 + 60) * 3] == 0, "clockwise is down");
}

#[test]
fn an_upright_capsule_is_a_rounded_box() {
    for stroke in [None, Some(4.0)] {
        for (from, to, rect) in [
            ((30.0, 50.0), (90.0, 50.0), Rect::new(18.0, 38.0, 102.0, 62.0)),
            ((90.0, 50.0), (30.0, 50.0), Rect::new(18.0, 38.0, 102.0, 62.0)),
            ((44.0, 80.0), (44.0, 30.0), Rect::new(32.0, 18.0, 56.0, 92.0)),
        ] {
            let [from, to] = [from, to].map(|(x, y)| Point::new(x, y));
            let capsule = image(Coverage::Capsule { from, to, radius: 12.0, stroke });
            assert!(capsule == image(Coverage::Rect { rect, radii: [12.0; 4], stroke }));
        }
    }
    let slanted =
        Coverage::Capsule { from: Point::new(30.0, 40.0), to: Point::new(78.0, 76.0), radius: 10.0, stroke: None };
    close(area(slanted), 60.0 * 20.0 + std::f32::consts::PI * 100.0);
    let dot = Coverage::Capsule { from: MIDDLE, to: MIDDLE, radius: 10.0, stroke: None };
    close(area(dot), std::f32::consts::PI * 100.0);
}

fn star() -> Arc<BezPath> {
    let mut path = BezPath::new();
    for i in 0..5 {
        let (sin, cos) = libm::sincos(f64::from(i * 2) * std::f64::consts::TAU / 5.0 - std::f64::consts::FRAC_PI_2);
        let p = (60.0 + 50.0 * cos, 60.0 + 50.0 * sin);
        if i == 0 { path.move_to(p) } else { path.line_to(p) }
    }
    path.close_path();
    Arc::new(path)
}

#[test]
fn an_even_odd_star_has_a_hole() {
    let drawn = |rule: FillRule| image(Coverage::Path { path: star(), rule });
    let (whole, holed) = (drawn(FillRule::NonZero), drawn(FillRule::EvenOdd));
    let at = |image: &Pixmap, x: usize, y: usize| image.data[(y * 120 + x) * 3];
    assert_eq!((at(&whole, 60, 60), at(&holed, 60, 60)), (255, 0));
    assert_eq!((at(&whole, 60, 25), at(&holed, 60, 25)), (255, 255));
    let sum = |image: &Pixmap| super::coverage(image).iter().sum::<f32>();
    // The pentagon in the middle; its radius is the star's times (3 − √5)/2.
    let inner = 50.0 * 0.381_966;
    let pentagon = 2.5 * inner * inner * libm::sinf(TURN / 5.0);
    close(sum(&whole) - sum(&holed), pentagon);
}

#[test]
fn polylines_are_closed_where_filled() {
    let points: Arc<[Point]> = [(20.0, 20.0), (100.0, 20.0), (20.0, 100.0)].map(|(x, y)| Point::new(x, y)).into();
    let line =
        |closed: bool, stroke: Option<Stroke>| Coverage::Polyline { points: Arc::clone(&points), closed, stroke };
    assert_eq!(image(line(false, None)), image(line(true, None)));
    close(area(line(true, None)), 3200.0);
    let hypotenuse = (2.0_f32).sqrt() * 80.0;
    // Thin, so that the area added or shared by corners is negligible.
    let bevel = Stroke { join: LineJoin::Bevel, ..Stroke::new(1.0) };
    let within = |got: f32, want: f32| assert!((got - want).abs() < 0.01 * want, "{got} instead of {want}");
    let (open, closed) = (area(line(false, Some(bevel.clone()))), area(line(true, Some(bevel))));
    within(open, 80.0 + hypotenuse);
    within(closed, 160.0 + hypotenuse);
}

#[test]
fn joins_and_caps_reach_as_far_as_they_should() {
    let corner: Arc<[Point]> = [(30.0, 90.0), (30.0, 30.0), (90.0, 30.0)].map(|(x, y)| Point::new(x, y)).into();
    let drawn = |join: LineJoin, cap: LineCap| {
        let stroke = Stroke { join, cap, ..Stroke::new(20.0) };
        area(Coverage::Polyline { points: Arc::clone(&corner), closed: false, stroke: Some(stroke) })
    };
    // Two bars of 60 × 20 that share a quarter of the corner's square.
    let bars = 2.0 * 1200.0 - 100.0;
    let quarter = std::f32::consts::PI * 25.0;
    close(drawn(LineJoin::Miter(4.0), LineCap::Butt), bars + 100.0);
    close(drawn(LineJoin::Miter(1.0), LineCap::Butt), bars + 50.0);
    close(drawn(LineJoin::Bevel, LineCap::Butt), bars + 50.0);
    close(drawn(LineJoin::Round, LineCap::Butt), bars + quarter);
    close(drawn(LineJoin::Round, LineCap::Square), bars + quarter + 400.0);
    close(drawn(LineJoin::Round, LineCap::Round), bars + quarter + 4.0 * quarter);
}

#[test]
fn dashes_and_gaps_take_turns() {
    let mut path = BezPath::new();
    path.move_to((10.0, 60.0));
    path.line_to((110.0, 60.0));
    let path = Arc::new(path);
    let dashed = |dashes: &[f32], dash_offset: f32| {
        let stroke = Stroke { dashes: dashes.into(), dash_offset, ..Stroke::new(4.0) };
        image(Coverage::Stroke { path: Arc::clone(&path), stroke })
    };
    let row = |image: &Pixmap| (0..120).map(|x| image.data[(60 * 120 + x) * 3] == 255).collect::<Vec<_>>();
    let on = |of: &dyn Fn(usize) -> bool| (0..120).map(|x| (10..110).contains(&x) && of(x - 10)).collect::<Vec<_>>();
    assert_eq!(row(&dashed(&[10.0, 5.0], 0.0)), on(&|x| x % 15 < 10));
    assert_eq!(row(&dashed(&[10.0, 5.0], 7.0)), on(&|x| (x + 7) % 15 < 10));
    assert_eq!(row(&dashed(&[8.0], -4.0)), on(&|x| (x + 12) % 16 < 8), "an odd list is gone through twice");
    for whole in [&[][..], &[0.01, 0.02], &[f32::NAN, 3.0], &[-1.0, 4.0]] {
        assert_eq!(row(&dashed(whole, 0.0)), on(&|_| true));
    }
}

#[test]
fn a_stroke_beside_a_sharp_corner_fits_its_box() {
    let rect = Rect::at(10.0, 10.0, 100.0, 100.0);
    for radii in [[0.0, 100.0, 0.0, 0.0], [100.0, 0.0, 0.0, 0.0], [0.0, 0.0, 100.0, 0.0]] {
        let item = white(Coverage::Rect { rect, radii, stroke: Some(40.0) }, Affine::IDENTITY);
        let (mean, most) = compare(&item, 120);
        assert!(mean <= 0.025 && most <= 0.09, "{radii:?}: mean {mean}, most {most}");
    }
}

#[test]
fn a_corner_far_off_the_canvas_stays_there() {
    let rect = Rect::new(-1e6, -1e6, 1e6, 1e6);
    let image = image_of(Coverage::Rect { rect, radii: [1e5; 4], stroke: None }, Affine::scale(4.0));
    assert!(image.data.iter().all(|v| *v == 255));
}

fn image_of(coverage: Coverage, transform: Affine) -> Pixmap {
    draw(&scene(vec![white(coverage, transform)]), canvas(120, 120))
}

#[test]
fn the_shortest_capsule_is_a_disc() {
    let [from, to] = [Point::new(0.0, 0.0), Point::new(1e-25, 1e-25)];
    let capsule = image_of(Coverage::Capsule { from, to, radius: 20.0, stroke: None }, Affine::translate(60.0, 60.0));
    close(super::coverage(&capsule).iter().sum(), std::f32::consts::PI * 400.0);
}
