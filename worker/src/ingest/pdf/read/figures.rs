//! Finds which pictures of a PDF may be photographs, and decodes the one that is.
//!
//! The text is read first, which also finds the positions of pictures ([`candidates`]). A separate child then decodes
//! one ([`photograph`]), so that a picture that crashes its decoder does not affect the text.

use hayro_interpret::font::GlyphRun;
use hayro_interpret::kurbo::{BezPath, Rect};
use hayro_interpret::{
    BlendMode, ClipPath, Context, Device, DrawMode, DrawProps, Image, ImageData, ImageDrawProps, InterpreterCache,
    InterpreterSettings, RenderContent, SoftMask, TransformExt, interpret_page,
};
use render_core::limits::PHOTO_EDGE_PX;

use super::file::opened;
use super::page::Drawn;
use super::picture::{Figure, Picture, readable};
use crate::import::pixels::Pixels;

/// Limit of pictures that are examined.
const CANDIDATES: usize = 4;
/// Pages whose pictures may represent the document.
const FRONT: usize = 24;
/// The share of its page that a figure takes: less is an ornament, more is a background or a scan.
const SHARE: std::ops::RangeInclusive<f64> = 0.05..=0.8;
/// Minimum entropy of a photograph's brightness in bits (Shannon, 1948), of 8. Diagrams, screenshots and scanned text
/// have 1 to 4, because most of their pixels are the paper's; photographs have 6 to 7.8.
const BITS: f64 = 5.0;
/// Pixels that are sampled for it.
const SAMPLE: usize = 1 << 16;

/// Returns the pictures that may lead the document, the likeliest first: those of the first page that has any, by size,
/// then those of later ones. A picture that recurs on another page is page furniture.
pub fn candidates(pages: &[Drawn]) -> Vec<Figure> {
    let on_another = |page: usize, key: u128| {
        pages.iter().enumerate().any(|(other, drawn)| other != page && drawn.pictures.iter().any(|p| p.key == key))
    };
    let mut found = Vec::new();
    for (number, page) in pages.iter().enumerate().take(FRONT) {
        let share = |p: &Picture| p.place.area() / page.area.max(1.0);
        let mut own: Vec<&Picture> =
            page.pictures.iter().filter(|p| SHARE.contains(&share(p)) && !on_another(number, p.key)).collect();
        own.sort_by(|a, b| b.place.area().total_cmp(&a.place.area()));
        found.extend(own.into_iter().map(|p| Figure { page: number, nth: p.nth }));
    }
    found.truncate(CANDIDATES);
    found
}

/// Returns the first of these pictures that is a photograph, at most [`PHOTO_EDGE_PX`] long.
///
/// # Errors
/// If the file is not a PDF.
pub fn photograph(file: &[u8], figures: &[Figure]) -> Result<Option<Pixels>, String> {
    let pdf = opened(file).map_err(|fault| fault.to_string())?;
    let cache = InterpreterCache::new();
    for figure in figures.iter().take(CANDIDATES) {
        let Some(page) = pdf.pages().get(figure.page) else { continue };
        let (width, height) = page.render_dimensions();
        let bounds = Rect::new(0.0, 0.0, f64::from(width), f64::from(height));
        let settings = InterpreterSettings { render_content: RenderContent::PAGE, ..InterpreterSettings::default() };
        let mut context = Context::new(page.initial_transform(true).to_kurbo(), bounds, &cache, pdf.xref(), settings);
        let mut finder = Finder { left: Some(figure.nth), pixels: None };
        interpret_page(page, &mut context, &mut finder);
        if let Some(pixels) = finder.pixels.filter(is_photograph) {
            return Ok(Some(pixels.reduced(PHOTO_EDGE_PX)));
        }
    }
    Ok(None)
}

/// Returns whether a picture shows the world rather than words or shapes, by the entropy of its brightness.
fn is_photograph(pixels: &Pixels) -> bool {
    let step = (pixels.rgba.len() / 4).div_ceil(SAMPLE).max(1);
    let mut counts = [0_u32; 256];
    let mut all = 0_u32;
    for p in pixels.rgba.chunks_exact(4).step_by(step) {
        // Rec. 601.
        let luma = (299 * u32::from(p[0]) + 587 * u32::from(p[1]) + 114 * u32::from(p[2])) / 1000;
        counts[luma as usize] += 1;
        all += 1;
    }
    let bits = |n: u32| {
        let share = f64::from(n) / f64::from(all);
        -share * libm::log2(share)
    };
    counts.into_iter().filter(|n| *n > 0).map(bits).sum::<f64>() >= BITS
}

/// Extracts one picture of a page.
struct Finder {
    /// Pictures before it; `None` once it was reached.
    left: Option<usize>,
    pixels: Option<Pixels>,
}

impl<'a> Device<'a> for Finder {
    fn draw_image(&mut self, image: Image<'a, '_>, _: ImageDrawProps<'a>) {
        let Some(left) = self.left else { return };
        self.left = left.checked_sub(1);
        let Image::Raster(raster) = image else { return };
        if left == 0 && readable(raster.width(), raster.height()) {
            raster.with_rgba(|data, alpha| self.pixels = opaque(&data, alpha.map(|a| a.data).as_deref()), None);
        }
    }

    fn draw_path(&mut self, _: &BezPath, _: DrawProps<'a>, _: &DrawMode) {}
    fn draw_glyph_run(&mut self, _: &GlyphRun<'_, 'a>, _: DrawProps<'a>, _: &DrawMode) {}
    fn push_clip_path(&mut self, _: &ClipPath) {}
    fn push_transparency_group(&mut self, _: f32, _: Option<SoftMask<'a>>, _: BlendMode) {}
    fn pop_clip(&mut self) {}
    fn pop_transparency_group(&mut self) {}
}

/// Returns the pixels of an opaque picture; `None` for a transparent one.
fn opaque(data: &ImageData, alpha: Option<&[u8]>) -> Option<Pixels> {
    let (width, height) = (data.width(), data.height());
    if alpha.is_some_and(|alpha| alpha.iter().any(|a| *a < 255)) || !readable(width, height) {
        return None;
    }
    let rgba = match data {
        ImageData::Rgb(rgb) => rgb.data.chunks_exact(3).flat_map(|p| [p[0], p[1], p[2], 255]).collect(),
        ImageData::Luma(luma) => luma.data.iter().flat_map(|y| [*y, *y, *y, 255]).collect::<Vec<_>>(),
    };
    (rgba.len() == width as usize * height as usize * 4).then_some(Pixels { width, height, rgba })
}
