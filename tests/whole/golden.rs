//! Pictures against their references in `tests/golden`: one small picture an archetype and style.
//!
//! `VIVID_BLESS=1` writes the references anew; look at them before they are committed. A picture that differs is
//! written beside its reference and their difference into a folder that the failure names.

use std::path::{Path, PathBuf};

use render_core::Format;
use render_core::compose::compose;
use render_core::design::{Archetype, Page, Style};
use render_core::plan::specimens::specimens;
use render_core::raster::cpu::CpuRasteriser;
use render_core::raster::{Pixmap, Rasteriser};
use render_core::scene::Canvas;
use render_core::text::Fonts;

use crate::{image, repo};

/// The pictures are set in this format.
const FORMAT: &str = "instagram_post";
/// Short edge in pixels: large enough to see a wrong line break, small enough to keep.
const SHORT_PX: f32 = 270.0;
/// A channel may differ by this much: what another machine's rounding could do.
const TOLERANCE: u8 = 2;
/// One pixel in so many may differ by more.
const STRAYS: usize = 1000;

fn references() -> PathBuf {
    repo::root().join("tests/golden")
}

fn draw(page: &Page, fonts: &Fonts) -> Pixmap {
    let scene = compose(page, fonts).scene;
    let scale = SHORT_PX / scene.size.w.min(scene.size.h);
    let px = |du: f32| (du * scale).round() as u32;
    let canvas = Canvas { width: px(scene.size.w), height: px(scene.size.h), scale, dither: true };
    let mut pixels = Pixmap { width: 0, height: 0, data: Vec::new() };
    CpuRasteriser::new().draw(&scene, canvas, fonts, &mut pixels).unwrap();
    pixels
}

/// What is wrong with a picture, if anything.
fn compare(actual: &Pixmap, reference: &Pixmap) -> Option<String> {
    if (actual.width, actual.height) != (reference.width, reference.height) {
        return Some(format!("{}×{} pixels", actual.width, actual.height));
    }
    let distances = image::distances(actual, reference);
    let strays = distances.iter().filter(|d| **d > TOLERANCE).count();
    let worst = distances.iter().max().copied().unwrap_or(0);
    (strays > distances.len() / STRAYS).then(|| format!("{strays} pixels differ, by up to {worst}"))
}

/// Writes what was drawn, what it should be and where they differ; returns the folder.
fn show(name: &str, actual: &Pixmap, reference: &Pixmap) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("golden");
    std::fs::create_dir_all(&folder).unwrap();
    image::write(&folder.join(format!("{name}-actual.png")), actual);
    image::write(&folder.join(format!("{name}-reference.png")), reference);
    if (actual.width, actual.height) == (reference.width, reference.height) {
        let loud = |d: u8| [d.saturating_mul(16), if d > TOLERANCE { 0 } else { d * 16 }, 0];
        let data = image::distances(actual, reference).into_iter().flat_map(loud).collect();
        image::write(&folder.join(format!("{name}-difference.png")), &Pixmap { data, ..*reference });
    }
    folder
}

/// Draws the specimens of a style from a seed, so that the three show different hues, and compares them.
fn check(style: Style, seed: u64) {
    let bless = std::env::var_os("VIVID_BLESS").is_some();
    let fonts = Fonts::new();
    let format = Format::by_id(FORMAT).unwrap().id;
    let pages = specimens(style, format, seed, &fonts);
    let drawn: Vec<_> = pages.iter().map(|p| p.archetype).collect();
    assert_eq!(drawn, Archetype::ALL, "an archetype could not be set in {FORMAT}");
    let mut findings = Vec::new();
    for page in &pages {
        let name = format!("{}-{}", style.name(), page.archetype.name());
        let path = references().join(format!("{name}.png"));
        let actual = draw(page, &fonts);
        if bless {
            image::write(&path, &actual);
            continue;
        }
        let Ok(bytes) = std::fs::read(&path) else {
            findings.push(format!("{name}: no reference"));
            continue;
        };
        let reference = image::decode(&bytes).unwrap();
        if let Some(finding) = compare(&actual, &reference) {
            let folder = show(&name, &actual, &reference);
            findings.push(format!("{name}: {finding}; see {}", folder.display()));
        }
    }
    assert!(findings.is_empty(), "pictures changed (VIVID_BLESS=1 accepts them):\n  {}", findings.join("\n  "));
}

#[test]
fn modern_looks_as_it_did() {
    check(Style::Modern, 7);
}

#[test]
fn minimal_looks_as_it_did() {
    check(Style::Minimal, 5);
}

#[test]
fn dark_looks_as_it_did() {
    check(Style::Dark, 3);
}

#[test]
fn every_reference_has_its_picture_and_stays_small() {
    for entry in std::fs::read_dir(references()).unwrap() {
        let entry = entry.unwrap();
        let file = entry.file_name().into_string().unwrap();
        let known = |s: &Style| Archetype::ALL.iter().any(|a| file == format!("{}-{}.png", s.name(), a.name()));
        assert!(Style::ALL.iter().any(known), "{file} is a reference of nothing");
        let bytes = entry.metadata().unwrap().len();
        assert!(bytes <= 32 << 10, "{file}: {bytes} bytes");
    }
}

/// The comparison can fail: a word moved by a pixel is noticed, rounding is not.
#[test]
fn comparing_notices_what_an_eye_would() {
    let plain = |v: u8| Pixmap { width: 100, height: 100, data: vec![v; 30_000] };
    assert_eq!(compare(&plain(100), &plain(102)), None);
    assert!(compare(&plain(100), &plain(103)).is_some());
    let mut few = plain(100);
    few.data[..30].fill(0);
    assert_eq!(compare(&few, &plain(100)), None, "ten strays in ten thousand are borne");
    few.data[..33].fill(0);
    assert!(compare(&few, &plain(100)).is_some());
}
