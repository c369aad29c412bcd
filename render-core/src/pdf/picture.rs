//! Draws what PDF can't express with the CPU rasteriser.

use std::sync::Arc;

use krilla::geom::{Size as Extent, Transform};
use krilla::image::{BitsPerComponent, CustomImage, Image, ImageColorspace};
use krilla::surface::Surface;

use super::{PdfError, Shelf};
use crate::encode::{ImageFormat, encode};
use crate::raster::{Pixmap, Rasteriser};
use crate::scene::{Affine, Backdrop, Canvas, Color, Item, Paint, Rect, Scene, Size, Stop};
use crate::text::Fonts;

/// A part of the pixel grid of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Patch {
    x: u32,
    y: u32,
    width: u32,
    height: u32,
}

/// Pixels of a patch, four bytes each: encoded sRGB, not premultiplied, and alpha.
pub(super) struct Drawn {
    patch: Patch,
    rgba: Vec<u8>,
}

impl Patch {
    /// Returns the pixels that `du` touches; `None` if it is off the page.
    pub fn around(du: &Rect, canvas: &Canvas) -> Option<Self> {
        let edge = |v: f32, most: u32| if v.is_nan() { 0.0 } else { v.clamp(0.0, most as f32) };
        let x = edge((du.x0 * canvas.scale).floor(), canvas.width) as u32;
        let y = edge((du.y0 * canvas.scale).floor(), canvas.height) as u32;
        let x1 = edge((du.x1 * canvas.scale).ceil(), canvas.width) as u32;
        let y1 = edge((du.y1 * canvas.scale).ceil(), canvas.height) as u32;
        (x1 > x && y1 > y).then(|| Self { x, y, width: x1 - x, height: y1 - y })
    }

    /// Returns the whole page.
    pub fn page(canvas: &Canvas) -> Self {
        Self { x: 0, y: 0, width: canvas.width, height: canvas.height }
    }

    /// Returns the patch in du.
    pub fn du(&self, canvas: &Canvas) -> Rect {
        let s = canvas.scale;
        Rect::at(self.x as f32 / s, self.y as f32 / s, self.width as f32 / s, self.height as f32 / s)
    }
}

impl Shelf {
    /// Draws the items of `scene` and its layers on `ground`, within a patch of its page.
    fn pixels(
        &self,
        scene: &Scene,
        ground: Color,
        patch: Patch,
        canvas: Canvas,
        fonts: &Fonts,
    ) -> Result<Pixmap, PdfError> {
        let du = patch.du(&canvas);
        let moved = |transform: &Affine| Affine::translate(-du.x0, -du.y0).after(transform);
        let items = scene.items.iter().map(|item| Item { transform: moved(&item.transform), ..item.clone() });
        let layers = scene.layers.iter().map(|layer| {
            let mut layer = layer.clone();
            if let Some(clip) = &mut layer.clip {
                clip.transform = moved(&clip.transform);
            }
            layer
        });
        let scene = Scene {
            size: Size::new(du.w(), du.h()),
            background: ground,
            items: items.collect(),
            layers: layers.collect(),
            blocks: Vec::new(),
        };
        let canvas = Canvas { width: patch.width, height: patch.height, ..canvas };
        let mut out = Pixmap { width: 0, height: 0, data: Vec::new() };
        self.raster.draw(&scene, canvas, fonts, &mut out)?;
        Ok(out)
    }

    /// Draws the items of `scene` and its layers on a transparent background, without empty rows and columns at the
    /// edges of `patch`. `None` if the whole patch is empty.
    pub fn apart(&self, scene: &Scene, patch: Patch, canvas: Canvas, fonts: &Fonts) -> Result<Option<Drawn>, PdfError> {
        // Alpha follows from the difference between drawings on black and on white.
        let canvas = canvas.undithered();
        let rgba = if let Some((scene, Color { r, g, b, .. })) = one_coloured(scene) {
            let [r, g, b, _] = Color { r, g, b, a: 1.0 }.to_rgba8();
            let alpha = self.pixels(&scene, Color::BLACK, patch, canvas, fonts)?;
            alpha.data.chunks_exact(3).flat_map(|grey| [r, g, b, grey[0]]).collect()
        } else {
            let [black, white] = [Color::BLACK, Color::WHITE];
            let on_black = self.pixels(scene, black, patch, canvas, fonts)?;
            let on_white = self.pixels(scene, white, patch, canvas, fonts)?;
            let pairs = on_black.data.chunks_exact(3).zip(on_white.data.chunks_exact(3));
            pairs.flat_map(|(black, white)| uncovered(black, white)).collect()
        };
        Ok(Drawn { patch, rgba }.trimmed())
    }

    /// Draws the whole scene on its own background, opaque.
    pub fn whole(&self, scene: &Scene, canvas: Canvas, fonts: &Fonts) -> Result<Drawn, PdfError> {
        let patch = Patch::page(&canvas);
        let drawn = self.pixels(scene, scene.background, patch, canvas, fonts)?;
        Ok(Drawn { patch, rgba: drawn.data.chunks_exact(3).flat_map(|p| [p[0], p[1], p[2], 255]).collect() })
    }

    /// Returns a picture of a scene in the writer's form. Pictures without alpha, such as photographs, become JPEG.
    pub fn picture(&mut self, image: &crate::scene::Image) -> Result<Image, PdfError> {
        if let Some(known) = self.pictures.get(&image.id()) {
            return Ok(known.clone());
        }
        let made = embed(image.width(), image.height(), image.rgba())?;
        self.pictures.insert(image.id(), made.clone());
        Ok(made)
    }
}

/// Returns the scene in white, and its colour, if all of it has one colour. On black, the white is exactly the alpha.
fn one_coloured(scene: &Scene) -> Option<(Scene, Color)> {
    let [item] = &scene.items[..] else { return None };
    let white = |stops: &Arc<[Stop]>| -> Option<(Arc<[Stop]>, Color)> {
        let first = stops.first()?.color;
        let is_alike = stops.iter().all(|stop| Color { a: first.a, ..stop.color } == first);
        let stops = stops.iter().map(|stop| Stop { color: Color::WHITE.alpha(stop.color.a), ..*stop });
        is_alike.then(|| (stops.collect(), first))
    };
    let (paint, color) = match &item.paint {
        Paint::Solid(color) => (Paint::Solid(Color::WHITE.alpha(color.a)), *color),
        Paint::Backdrop(backdrop) => {
            let (stops, color) = white(&backdrop.stops)?;
            (Paint::Backdrop(Backdrop { stops, ..backdrop.clone() }), color)
        }
        Paint::Conic { center, start, stops } => {
            let (stops, color) = white(stops)?;
            (Paint::Conic { center: *center, start: *start, stops }, color)
        }
        _ => return None,
    };
    let items = vec![Item { paint, ..item.clone() }];
    Some((Scene { items, ..scene.clone() }, color))
}

/// Computes colour and alpha of a pixel from its colours on black and on white.
fn uncovered(black: &[u8], white: &[u8]) -> [u8; 4] {
    let shown: u32 = black.iter().zip(white).map(|(b, w)| u32::from(w.saturating_sub(*b))).sum();
    let alpha = 255 - (shown + 1) / 3;
    if alpha == 0 {
        return [0; 4];
    }
    let colour = |b: u8| ((u32::from(b) * 255 + alpha / 2) / alpha).min(255) as u8;
    [colour(black[0]), colour(black[1]), colour(black[2]), alpha as u8]
}

impl Drawn {
    /// Removes the empty edges.
    fn trimmed(self) -> Option<Self> {
        let Patch { x, y, width, height } = self.patch;
        let row = width as usize * 4;
        let is_inked = |pixel: &[u8]| pixel[3] > 0;
        let rows: Vec<&[u8]> = self.rgba.chunks_exact(row).collect();
        let is_row_inked = |row: &&[u8]| row.chunks_exact(4).any(is_inked);
        let top = rows.iter().position(is_row_inked)?;
        let bottom = rows.iter().rposition(is_row_inked)? + 1;
        let left = rows.iter().filter_map(|row| row.chunks_exact(4).position(is_inked)).min()?;
        let right = rows.iter().filter_map(|row| row.chunks_exact(4).rposition(is_inked)).max()? + 1;
        if (left, top, right, bottom) == (0, 0, width as usize, height as usize) {
            return Some(self);
        }
        let rgba = rows[top..bottom].iter().flat_map(|row| row[left * 4..right * 4].iter().copied()).collect();
        let (width, height) = ((right - left) as u32, (bottom - top) as u32);
        Some(Self { patch: Patch { x: x + left as u32, y: y + top as u32, width, height }, rgba })
    }

    /// Places the picture on the page; the surface's unit is the du.
    pub fn place(&self, surface: &mut Surface<'_>, canvas: &Canvas) -> Result<(), PdfError> {
        let image = embed(self.patch.width, self.patch.height, &self.rgba)?;
        let du = self.patch.du(canvas);
        place(surface, image, &du, &Affine::IDENTITY);
        Ok(())
    }
}

/// Draws a picture over `rect`, in the space that `map` takes to the surface's.
pub(super) fn place(surface: &mut Surface<'_>, image: Image, rect: &Rect, map: &Affine) {
    let Some(extent) = Extent::from_wh(rect.w(), rect.h()) else { return };
    surface.push_transform(&transform(&map.after(&Affine::translate(rect.x0, rect.y0))));
    surface.draw_image(image, extent);
    surface.pop();
}

/// Converts a map to the writer's form.
pub(super) fn transform(map: &Affine) -> Transform {
    let [a, b, c, d, e, f] = map.0;
    Transform::from_row(a, b, c, d, e, f)
}

/// Converts pixels to the writer's form: losslessly with alpha, as JPEG without. Readers interpolate them when
/// enlarging.
fn embed(width: u32, height: u32, rgba: &[u8]) -> Result<Image, PdfError> {
    let failed = PdfError::Writer;
    let rgb: Vec<u8> = rgba.chunks_exact(4).flat_map(|p| [p[0], p[1], p[2]]).collect();
    if rgba.chunks_exact(4).all(|p| p[3] == 255) {
        let pixmap = Pixmap { width, height, data: rgb };
        let jpeg = encode(&pixmap, ImageFormat::Jpeg).map_err(|e| failed(e.to_string()))?;
        return Image::from_jpeg(jpeg.into(), true).map_err(failed);
    }
    let alpha = rgba.chunks_exact(4).map(|p| p[3]).collect();
    Image::from_custom(Sampled(Arc::new(Samples { size: (width, height), rgb, alpha })), true).map_err(failed)
}

#[derive(Hash)]
struct Samples {
    size: (u32, u32),
    rgb: Vec<u8>,
    alpha: Vec<u8>,
}

/// Pixels with alpha. Clones share them.
#[derive(Hash, Clone)]
struct Sampled(Arc<Samples>);

impl CustomImage for Sampled {
    fn color_channel(&self) -> &[u8] {
        &self.0.rgb
    }

    fn alpha_channel(&self) -> Option<&[u8]> {
        Some(&self.0.alpha)
    }

    fn bits_per_component(&self) -> BitsPerComponent {
        BitsPerComponent::Eight
    }

    fn size(&self) -> (u32, u32) {
        self.0.size
    }

    fn icc_profile(&self) -> Option<&[u8]> {
        None
    }

    fn color_space(&self) -> ImageColorspace {
        ImageColorspace::Rgb
    }
}
