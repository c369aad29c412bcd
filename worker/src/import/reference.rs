//! Compares pictures of many kinds with references. `tests/data/pictures/make.py` makes both: the pictures, and what
//! Pillow and LittleCMS decode from them.

use std::path::Path;

use fleet::import::PictureKind;
use proptest::prelude::*;

use super::decode::decoded;
use super::pixels::Pixels;

fn file(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/pictures").join(name);
    std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn picture(name: &str) -> Pixels {
    let file = file(name);
    decoded(PictureKind::of(&file).unwrap(), &file).unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// Returns the greatest difference, in levels, between the centres of the fields (`edge` long) of two pictures. Lossy
/// files may differ near edges.
fn apart(a: &Pixels, b: &Pixels, edge: u32) -> u8 {
    assert_eq!((a.width, a.height), (b.width, b.height));
    let within = |v: u32| (edge / 4..edge - edge / 4).contains(&(v % edge));
    let places = (0..a.height).flat_map(|y| (0..a.width).map(move |x| (x, y)));
    let places = places.filter(|(x, y)| within(*x) && within(*y)).map(|(x, y)| ((y * a.width + x) * 4) as usize);
    let levels = places.flat_map(|at| (at..at + 4).map(|i| a.rgba[i].abs_diff(b.rgba[i])));
    levels.max().unwrap()
}

#[test]
fn colours_are_those_of_the_reference_in_every_space() {
    for (name, reference, levels) in [
        ("chart-p3.png", "chart.png", 1),
        ("chart-p3.jpg", "chart.png", 3),
        ("chart-p3.webp", "chart.png", 1),
        ("chart-p3.avif", "chart.png", 5),
        ("chart-p3-16.png", "chart.png", 1),
        ("chart-cicp-16.png", "chart.png", 1),
        ("chart-linear-16.png", "chart.png", 1),
        ("chart-adobe-rgb.png", "chart.png", 2),
        ("chart-adobe-rgb.jpg", "chart.png", 3),
        ("chart-adobe-rgb.webp", "chart.png", 2),
        ("chart-adobe-rgb.avif", "chart.png", 5),
        ("chart-srgb.avif", "chart.png", 2),
        ("chart-420-limited.avif", "chart.png", 6),
        ("chart-grey.avif", "chart-grey.png", 1),
        ("chart-grey-gamma.png", "chart-grey.png", 1),
        ("cmyk-adobe.jpg", "cmyk-adobe.png", 2),
        ("cmyk-plain.jpg", "cmyk-adobe.png", 2),
        ("cmyk-unmarked.jpg", "cmyk-adobe.png", 2),
        ("cmyk-progressive.jpg", "cmyk-adobe.png", 2),
        ("ycck.jpg", "ycck.png", 2),
        ("cmyk-profile.jpg", "cmyk-profile.png", 4),
        ("cmyk-profile-plain.jpg", "cmyk-profile.png", 4),
        ("ycck-profile.jpg", "ycck-profile.png", 4),
    ] {
        let far = apart(&picture(name), &picture(reference), 16);
        assert!(far <= levels, "{name} is {far} levels from {reference}");
    }
    // Without its profile a picture differs, which shows that profiles are applied.
    let wide = file("chart-p3.png");
    let at = wide.windows(4).position(|w| w == b"iCCP").unwrap();
    let length = u32::from_be_bytes(wide[at - 4..at].try_into().unwrap()) as usize;
    let bare = [&wide[..at - 4], &wide[at + length + 8..]].concat();
    assert!(apart(&decoded(PictureKind::Png, &bare).unwrap(), &picture("chart.png"), 16) > 20);
}

#[test]
fn pictures_of_every_kind_stand_upright() {
    let want = picture("fields.png");
    for kind in ["png", "webp", "avif"] {
        for value in 1..=8 {
            let name = format!("fields-{value}.{kind}");
            let far = apart(&picture(&name), &want, 8);
            assert!(far <= 8, "{name} is {far} levels from the upright picture");
        }
    }
    assert_eq!(picture("fields-6-late.png"), want);
}

#[test]
fn an_avif_may_be_seen_through() {
    let (got, want) = (picture("sheer.avif"), picture("sheer.png"));
    let alpha = |p: &Pixels| p.rgba.chunks_exact(4).map(|p| p[3]).collect::<Vec<_>>();
    assert!(alpha(&got).iter().zip(alpha(&want)).all(|(a, b)| a.abs_diff(b) <= 2));
    assert!(apart(&got, &want, 8) <= 8);
}

#[test]
fn a_broken_profile_is_passed_over() {
    let whole = file("chart-p3.webp");
    let at = whole.windows(4).position(|w| w == b"ICCP").unwrap();
    let mut broken = whole.clone();
    broken[at + 8 + 36..at + 8 + 40].fill(b'?');
    let seen = decoded(PictureKind::Webp, &broken).unwrap();
    assert!(apart(&seen, &picture("chart.png"), 16) > 20);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn broken_pictures_end_in_words(
        name in prop::sample::select(&["sheer.avif", "chart-p3.avif", "fields-6.png", "chart-p3.webp", "cmyk-profile.jpg", "ycck.jpg"][..]),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
        end in any::<prop::sample::Index>(),
        cut in any::<bool>(),
    ) {
        let mut file = file(name);
        let kind = PictureKind::of(&file).unwrap();
        for (at, byte) in changes {
            let at = at.index(file.len());
            file[at] = byte;
        }
        if cut {
            file.truncate(end.index(file.len()));
        }
        if let Err(why) = decoded(kind, &file) {
            prop_assert!(why.len() > 8, "{why}");
        }
    }
}
