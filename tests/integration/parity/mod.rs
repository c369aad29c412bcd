//! Compares the two rasterisers: both render every scene of the suite, and every pixel must agree within 2 of 255.
//!
//! Without a Vulkan driver the GPU half is skipped with a message; `REQUIRE_GPU=1` makes that a failure. If a picture
//! differs, both versions are written to a folder that the failure names.

mod coverages;
mod layers;
mod paints;
mod scenes;

use std::path::{Path, PathBuf};

use render_core::raster::cpu::CpuRasteriser;
use render_core::raster::gpu::{GpuRasteriser, Selector, open};
use render_core::raster::{Pixmap, Rasteriser};
use render_core::scene::{Affine, Canvas, Color, Coverage, Item, Layer, Paint, Role, Scene, Size};
use render_core::text::Fonts;

use crate::image;

/// Maximum difference of a channel.
const TOLERANCE: u8 = 2;

/// One picture of the suite.
pub struct Case {
    pub name: String,
    pub scene: Scene,
    pub canvas: Canvas,
}

impl Case {
    /// A picture of 96 × 96 du at `scale` pixels per du.
    fn small(name: String, items: Vec<Item>, layers: Vec<Layer>, scale: f32) -> Self {
        let background = Color::hex(0xF4F1EA);
        let scene = Scene { size: Size::new(96.0, 96.0), background, items, layers, blocks: Vec::new() };
        let px = (96.0 * scale) as u32;
        Self { name, scene, canvas: Canvas { width: px, height: px, scale, dither: true } }
    }
}

fn item(coverage: Coverage, paint: Paint) -> Item {
    Item::new(coverage, paint, Role::Art)
}

/// A rotation by `degrees` and a scaling about the centre of the small field.
fn turned(degrees: f64, by: f32) -> Affine {
    let (sin, cos) = libm::sincos(degrees.to_radians());
    let [sin, cos] = [sin as f32 * by, cos as f32 * by];
    Affine::translate(48.0, 48.0)
        .after(&Affine([cos, sin, -sin, cos, 0.0, 0.0]))
        .after(&Affine::translate(-48.0, -48.0))
}

/// Returns the GPU rasteriser, or `None` on a machine without one.
#[allow(clippy::print_stderr, reason = "a skipped test says so")]
fn gpu() -> Option<GpuRasteriser> {
    match open(Selector::Any) {
        Ok(gpu) => Some(gpu),
        Err(error) if std::env::var_os("REQUIRE_GPU").is_none() => {
            eprintln!("skipped: no GPU rasteriser here ({error})");
            None
        }
        Err(error) => panic!("REQUIRE_GPU is set, but there is no GPU rasteriser: {error}"),
    }
}

fn draw(rasteriser: &dyn Rasteriser, case: &Case, fonts: &Fonts) -> Pixmap {
    let mut pixels = Pixmap { width: 0, height: 0, data: Vec::new() };
    if let Err(error) = rasteriser.draw(&case.scene, case.canvas, fonts, &mut pixels) {
        panic!("{} by {}: {error}", case.name, rasteriser.name());
    }
    pixels
}

/// Writes both pictures and their difference. Returns the folder.
fn show(name: &str, cpu: &Pixmap, gpu: &Pixmap) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("parity");
    std::fs::create_dir_all(&folder).unwrap();
    image::write(&folder.join(format!("{name}-cpu.png")), cpu);
    image::write(&folder.join(format!("{name}-gpu.png")), gpu);
    let loud = |d: u8| [d.saturating_mul(16), if d > TOLERANCE { 0 } else { d * 16 }, 0];
    let data = image::distances(cpu, gpu).into_iter().flat_map(loud).collect();
    image::write(&folder.join(format!("{name}-difference.png")), &Pixmap { data, ..*cpu });
    folder
}

/// Checks every case: both rasterisers must draw something, and the same.
fn check(cases: Vec<Case>) {
    let fonts = Fonts::new();
    let cpu = CpuRasteriser::new();
    let gpu = gpu();
    let mut findings = Vec::new();
    for case in &cases {
        let drawn = draw(&cpu, case, &fonts);
        let [r, g, b, _] = case.scene.background.to_rgba8();
        if drawn.data.chunks_exact(3).all(|p| p == [r, g, b]) {
            findings.push(format!("{}: nothing drawn", case.name));
        }
        let Some(gpu) = &gpu else { continue };
        let other = draw(gpu, case, &fonts);
        let distances = image::distances(&drawn, &other);
        let apart = distances.iter().filter(|d| **d > TOLERANCE).count();
        if apart > 0 {
            let worst = distances.iter().max().copied().unwrap_or(0);
            let folder = show(&case.name, &drawn, &other);
            findings.push(format!("{}: {apart} pixels apart, up to {worst}; see {}", case.name, folder.display()));
        }
    }
    assert!(findings.is_empty(), "{} of {}:\n  {}", findings.len(), cases.len(), findings.join("\n  "));
}

/// Every coverage with every paint.
fn products(fonts: &Fonts) -> Vec<Case> {
    let mut cases = Vec::new();
    for (shape, coverage) in coverages::coverages(fonts) {
        for (ink, paint) in paints::paints() {
            let items = vec![item(coverage.clone(), paint)];
            cases.push(Case::small(format!("{shape}-{ink}"), items, Vec::new(), 1.0));
        }
    }
    cases
}

/// Every picture of the suite except the largest.
pub fn cases(fonts: &Fonts) -> Vec<Case> {
    let all = [products, scenes::transformed, scenes::edges, layers::layers, scenes::pages];
    all.into_iter().flat_map(|cases| cases(fonts)).collect()
}

#[test]
fn every_coverage_with_every_paint() {
    let cases = products(&Fonts::new());
    assert!(cases.len() >= 150, "{} pictures", cases.len());
    check(cases);
}

#[test]
fn transforms_and_scales() {
    check(scenes::transformed(&Fonts::new()));
}

#[test]
fn edges_of_canvases_and_tiles() {
    check(scenes::edges(&Fonts::new()));
}

#[test]
fn layers() {
    check(layers::layers(&Fonts::new()));
}

#[test]
fn whole_pages_in_every_style() {
    check(scenes::pages(&Fonts::new()));
}

#[test]
fn four_thousand_pixels() {
    check(scenes::large(&Fonts::new()));
}
