//! Cones, meshes, patterns and pictures.

use super::*;
use crate::scene::{Backdrop, Image, ImageFit, Pattern};

const SIDE: u32 = 96;

fn fill(paint: Paint) -> Pixmap {
    let rect = Coverage::Rect { rect: Rect::at(0.0, 0.0, SIDE as f32, SIDE as f32), radii: [0.0; 4], stroke: None };
    draw(&scene(vec![Item::new(rect, paint, Role::Art)]), canvas(SIDE, SIDE))
}

fn red(image: &Pixmap, x: u32, y: u32) -> u8 {
    image.data[((y * image.width + x) * 3) as usize]
}

fn black_to_white() -> Arc<[Stop]> {
    [Stop { offset: 0.0, color: Color::BLACK }, Stop { offset: 1.0, color: Color::WHITE }].into()
}

#[test]
fn a_cone_turns_and_its_seam_is_soft() {
    let quarter = std::f32::consts::FRAC_PI_2;
    for k in 0..4_usize {
        let paint = Paint::Conic { center: Point::new(48.0, 48.0), start: quarter * k as f32, stops: black_to_white() };
        let image = fill(paint);
        // Clockwise from three o'clock: black just after the start, medium at the far side, white just before the
        // start.
        let around = [(90, 52), (44, 90), (5, 44), (52, 5)];
        let seen: Vec<u8> = (0..4).map(|i| around[(i + k) % 4]).map(|(x, y)| red(&image, x, y)).collect();
        assert!(seen.is_sorted() && seen[0] < 20 && seen[3] > 150, "{k}: {seen:?}");
    }
    // The seam lies on the middle of a row of pixels, so that row is the mean of both ends.
    let image = fill(Paint::Conic { center: Point::new(20.0, 48.5), start: 0.0, stops: black_to_white() });
    let [before, on, after] = [47, 48, 49].map(|y| red(&image, 90, y));
    assert!(before > 245 && after < 10 && on.abs_diff(127) < 12, "{before} {on} {after}");
}

#[test]
fn meshes_keep_their_corners_and_go_on_beyond() {
    let colors: Arc<[Color]> = [0xFF0000, 0x00FF00, 0x0000FF, 0xFFFFFF].map(Color::hex).into();
    let mesh = |rect: Rect| fill(Paint::Mesh { rect, columns: 2, colors: Arc::clone(&colors) });
    let image = mesh(Rect::at(20.0, 20.0, 50.0, 50.0));
    let at = |x: u32, y: u32| image.data[((y * SIDE + x) * 3) as usize..][..3].to_vec();
    assert_eq!([at(2, 2), at(94, 3), at(4, 94), at(94, 94)], [[255, 0, 0], [0, 255, 0], [0, 0, 255], [255; 3]]);
    assert!(mesh(Rect::EMPTY).data.iter().all(|v| *v == 0), "no extent, nothing drawn");
}

#[test]
fn patterns_cover_what_they_should() {
    let mean = |pattern: Pattern| {
        let image = fill(Paint::Backdrop(Backdrop { pattern, seed: 7, stops: black_to_white() }));
        // Converts the gradient's colours, which are even in OKLab, back to values.
        let value = |v: &u8| Color::rgb8(*v, *v, *v).to_oklab()[0];
        let sum: f32 = image.data.iter().step_by(3).map(value).sum();
        sum / (SIDE * SIDE) as f32
    };
    let dots = mean(Pattern::Dots { pitch: 16.0, radius: 5.0 });
    assert!((dots - std::f32::consts::PI * 25.0 / 256.0).abs() < 0.02, "{dots}");
    let fine = mean(Pattern::Dots { pitch: 1.3, radius: 0.4 });
    assert!((fine - std::f32::consts::PI * 0.16 / 1.69).abs() < 0.02, "{fine}");
    let waves = mean(Pattern::Waves { pitch: 12.0, length: 48.0, amplitude: 0.0, width: 3.0 });
    assert!((waves - 0.25).abs() < 0.02, "{waves}");
    let hair = mean(Pattern::Waves { pitch: 0.4, length: 48.0, amplitude: 3.0, width: 0.1 });
    assert!((hair - 0.25).abs() < 0.06, "{hair}");
    let rays = mean(Pattern::Rays { center: Point::new(48.0, 48.0), count: 12, start: 0.3 });
    assert!((rays - 0.5).abs() < 0.02, "{rays}");
    for even in [
        Pattern::Noise { size: 12.0, octaves: 5 },
        Pattern::Grain { size: 1.5 },
        Pattern::Rays { center: Point::new(48.0, 48.0), count: u32::MAX, start: 0.0 },
        Pattern::Noise { size: 1e-3, octaves: 8 },
    ] {
        assert!((mean(even) - 0.5).abs() < 0.06, "{even:?}");
    }
    let half = Pattern::Halftone { pitch: 8.0, from: Point::new(0.0, 0.0), to: Point::new(96.0, 0.0) };
    let image = fill(Paint::Backdrop(Backdrop { pattern: half, seed: 0, stops: black_to_white() }));
    let column = |x: u32| (0..SIDE).map(|y| u32::from(red(&image, x, y))).sum::<u32>() / SIDE;
    assert!(column(1) < 8 && column(94) > 250 && (60..200).contains(&column(48)));
}

#[test]
fn patterns_have_looks_of_their_own() {
    for pattern in [
        Pattern::Noise { size: 30.0, octaves: 4 },
        Pattern::Grain { size: 2.0 },
        Pattern::Contours { size: 40.0, levels: 12, width: 1.5 },
        Pattern::Stars { pitch: 12.0, radius: 3.0 },
        Pattern::Blobs { pitch: 30.0, radius: 40.0 },
    ] {
        let [a, b, c] =
            [1, 1, 2].map(|seed| fill(Paint::Backdrop(Backdrop { pattern, seed, stops: black_to_white() })));
        assert!(a == b && a != c, "{pattern:?}");
        let (low, high) = (a.data.iter().min().unwrap(), a.data.iter().max().unwrap());
        assert!(high - low > 60, "{pattern:?}: {low} to {high}");
    }
}

#[test]
fn patterns_are_the_same_at_every_size() {
    for pattern in [
        Pattern::Noise { size: 300.0, octaves: 3 },
        Pattern::Contours { size: 300.0, levels: 10, width: 6.0 },
        Pattern::Stars { pitch: 90.0, radius: 24.0 },
        Pattern::Blobs { pitch: 300.0, radius: 300.0 },
        Pattern::Waves { pitch: 60.0, length: 200.0, amplitude: 20.0, width: 8.0 },
    ] {
        let rect = Coverage::Rect { rect: Rect::at(0.0, 0.0, 1080.0, 1080.0), radii: [0.0; 4], stroke: None };
        let paint = Paint::Backdrop(Backdrop { pattern, seed: 5, stops: black_to_white() });
        let scene = scene(vec![Item::new(rect, paint, Role::Art)]);
        let (small, large) = (draw(&scene, Canvas::new(270, 270)), draw(&scene, Canvas::new(1080, 1080)));
        let halved = crate::encode::thumbnail(&large, 270);
        let apart = |(a, b): (&u8, &u8)| f64::from(a.abs_diff(*b));
        let mean = small.data.iter().zip(&halved.data).map(apart).sum::<f64>() / small.data.len() as f64;
        assert!(mean < 4.0, "{pattern:?}: {mean}");
    }
}

/// Red increases to the right, green downwards.
fn ramp(width: u32, height: u32) -> Image {
    let rgba: Vec<u8> = (0..height)
        .flat_map(|y| (0..width).map(move |x| (x, y)))
        .flat_map(|(x, y)| [(x * 255 / (width - 1)) as u8, (y * 255 / (height - 1)) as u8, 0, 255])
        .collect();
    Image::new(width, height, rgba).unwrap()
}

fn picture(image: &Image, rect: Rect, fit: ImageFit, focus: Point) -> Pixmap {
    fill(Paint::Image { image: image.clone(), rect, fit, focus })
}

#[test]
fn pictures_fill_their_box_as_told() {
    let wide = ramp(192, 96);
    let middle = Point::new(0.5, 0.5);
    let rect = Rect::at(16.0, 16.0, 64.0, 64.0);
    let at = |image: &Pixmap, x: u32, y: u32| image.data[((y * SIDE + x) * 3) as usize..][..3].to_vec();
    let fill = picture(&wide, rect, ImageFit::Fill, middle);
    assert!(at(&fill, 17, 20)[0] < 12 && at(&fill, 78, 20)[0] > 243);
    let cover = picture(&wide, rect, ImageFit::Cover, middle);
    assert!(at(&cover, 17, 20)[0].abs_diff(66) < 6 && at(&cover, 78, 20)[0].abs_diff(189) < 6);
    let left = picture(&wide, rect, ImageFit::Cover, Point::new(0.0, 0.5));
    assert!(at(&left, 17, 20)[0] < 12 && at(&left, 78, 20)[0].abs_diff(124) < 6);
    let contain = picture(&wide, rect, ImageFit::Contain, middle);
    assert!(at(&contain, 17, 20) == [0; 3] && at(&contain, 78, 48)[0] > 243);
    for image in [&fill, &cover, &left, &contain] {
        assert!(at(image, 14, 48) == [0; 3] && at(image, 81, 48) == [0; 3], "nothing beyond the box");
    }
}

#[test]
fn a_picture_of_its_own_size_is_itself() {
    let image = ramp(SIDE, SIDE);
    let got = picture(&image, Rect::at(0.0, 0.0, SIDE as f32, SIDE as f32), ImageFit::Fill, Point::new(0.5, 0.5));
    let want: Vec<u8> = image.rgba().chunks_exact(4).flat_map(|t| t[..3].to_vec()).collect();
    assert!(got.data == want);
}

#[test]
fn a_picture_s_edge_is_anti_aliased() {
    let white = Image::new(8, 8, vec![255; 256]).unwrap();
    let got = picture(&white, Rect::at(10.25, 10.0, 40.5, 40.0), ImageFit::Fill, Point::new(0.5, 0.5));
    assert_eq!([9, 10, 11, 49, 50, 51].map(|x| red(&got, x, 30)), [0, 191, 255, 255, 191, 0]);
}

#[test]
fn a_narrow_window_shows_its_middle() {
    // A tenth of a texel wide, half way between red and green.
    let texel = |x: usize| if x < 2 { [255, 0, 0, 255] } else { [0, 255, 0, 255] };
    let rgba: Vec<u8> = (0..16).flat_map(|i| texel(i % 4)).collect();
    let image = Image::new(4, 4, rgba).unwrap();
    let rect = Rect::at(10.0, 10.0, 1.0, 40.0);
    let paint = Paint::Image { image, rect, fit: ImageFit::Cover, focus: Point::new(0.5, 0.5) };
    let shape = Coverage::Rect { rect, radii: [0.0; 4], stroke: None };
    let image = draw(&scene(vec![Item::new(shape, paint, Role::Art)]), canvas(30, 60));
    let at = (30 * 30 + 10) * 3;
    assert!(
        image.data[at].abs_diff(128) <= 2 && image.data[at + 1].abs_diff(128) <= 2,
        "{:?}",
        &image.data[at..at + 3]
    );
}

#[test]
fn stars_dont_jump_at_cell_borders() {
    // Stars as large as their cells: neighbouring pixels differ by at most an edge's width.
    let paint = |radius: f32| {
        Paint::Backdrop(Backdrop { pattern: Pattern::Stars { pitch: 30.0, radius }, seed: 3, stops: black_to_white() })
    };
    assert_eq!(fill(paint(30.0)), fill(paint(29.5)), "held where the next cell's neighbours end");
}
