//! Converts planes of luma and chroma, as AV1 has them, to red, green and blue (ITU-T H.273, 8.3).

use re_rav1d::dav1d::pixel::{MatrixCoefficients, YUVRange};
use re_rav1d::dav1d::{Picture, PixelLayout, PlanarImageComponent as Component};

use super::super::colour::{Samples, Space};
use super::boxes::Coding;

/// Code points of the matrices that are no weights of red and blue: identity (the planes hold green, blue and red) and
/// YCgCo.
const IDENTITY: u8 = 0;
const YCGCO: u8 = 8;

/// How the values of planes map to colours.
pub(super) struct Matrix {
    code: u8,
    /// The weights of red and blue in luma.
    red: f32,
    blue: f32,
    /// The value of zero luma, the range of luma above it, and the range of chroma.
    black: f32,
    range: f32,
    span: f32,
    /// The value of zero chroma.
    middle: f32,
}

impl Matrix {
    /// Uses the code points of the container, else those of the picture's own header.
    pub fn new(picture: &Picture, coding: Option<Coding>) -> Self {
        let code = coding.map_or_else(|| own_matrix(picture), |c| c.matrix);
        let full = coding.map_or_else(|| picture.color_range() == YUVRange::Full, |c| c.full_range);
        let (red, blue) = match code {
            1 => (0.2126, 0.0722),
            4 => (0.30, 0.11),
            7 => (0.212, 0.087),
            9 => (0.2627, 0.0593),
            // BT.601, which is also the default.
            _ => (0.299, 0.114),
        };
        let bits = bits(picture);
        let unit = f32::from(1_u16 << (bits - 8));
        let most = f32::from((1_u16 << bits) - 1);
        let (black, range, span) = if full { (0.0, most, most) } else { (16.0 * unit, 219.0 * unit, 224.0 * unit) };
        Self { code, red, blue, black, range, span, middle: 128.0 * unit }
    }

    fn brightness(&self, y: f32) -> f32 {
        (y - self.black) / self.range
    }

    fn colour(&self, y: f32, u: f32, v: f32) -> [f32; 3] {
        let light = self.brightness(y);
        if self.code == IDENTITY {
            return [self.brightness(v), light, self.brightness(u)];
        }
        let (b, r) = ((u - self.middle) / self.span, (v - self.middle) / self.span);
        if self.code == YCGCO {
            return [light - b + r, light + b, light - b - r];
        }
        let green = 1.0 - self.red - self.blue;
        let (r, b) = (2.0 * (1.0 - self.red) * r, 2.0 * (1.0 - self.blue) * b);
        [light + r, light - (self.red * r + self.blue * b) / green, light + b]
    }
}

/// Returns the matrix that a picture's own header specifies.
fn own_matrix(picture: &Picture) -> u8 {
    match picture.matrix_coefficients() {
        MatrixCoefficients::Identity => IDENTITY,
        MatrixCoefficients::YCgCo => YCGCO,
        MatrixCoefficients::BT709 => 1,
        MatrixCoefficients::BT470M => 4,
        MatrixCoefficients::ST240M => 7,
        MatrixCoefficients::BT2020NonConstantLuminance | MatrixCoefficients::BT2020ConstantLuminance => 9,
        _ => 6,
    }
}

/// Returns the colour space that a picture's own header specifies.
pub(super) fn named(picture: &Picture) -> Space {
    let (primaries, transfer) = (picture.color_primaries() as u8, picture.transfer_characteristic() as u8);
    Space::Coded { primaries, transfer }
}

/// Returns the bits of a value: 8, 10 or 12.
pub(super) fn bits(picture: &Picture) -> u32 {
    picture.bits_per_component().map_or(8, |bits| bits.0 as u32).clamp(8, 12)
}

/// Returns whether a picture has luma alone.
pub(super) fn is_grey(picture: &Picture) -> bool {
    picture.pixel_layout() == PixelLayout::I400
}

/// The picture that tiles are painted on; opaque at first.
pub(super) struct Canvas {
    width: usize,
    height: usize,
    samples: Samples,
}

impl Canvas {
    /// Returns a canvas of 16 bits per channel if `deep`, else of 8.
    pub fn new(width: u32, height: u32, deep: bool) -> Self {
        let (width, height) = (width as usize, height as usize);
        let length = width * height * 4;
        let samples =
            if deep { Samples::Sixteen(vec![u16::MAX; length]) } else { Samples::Eight(vec![u8::MAX; length]) };
        Self { width, height, samples }
    }

    /// Paints the colours of a tile at a position; clips what lies outside.
    pub fn paint(&mut self, tile: &Picture, matrix: &Matrix, x0: usize, y0: usize) {
        let Some((across, down)) = self.inside(tile, x0, y0) else { return };
        let layout = tile.pixel_layout();
        let mut luma = Plane::of(tile, Component::Y);
        let grey = layout == PixelLayout::I400;
        let mut chroma = (!grey).then(|| (Plane::of(tile, Component::U), Plane::of(tile, Component::V)));
        let (mut light, mut u, mut v) = (vec![0.0; across], vec![0.0; across], vec![0.0; across]);
        let mut row = vec![[0.0; 3]; across];
        for y in 0..down {
            luma.spread(PixelLayout::I444, y, &mut light);
            if let Some((blue, red)) = &mut chroma {
                blue.spread(layout, y, &mut u);
                red.spread(layout, y, &mut v);
            }
            for (x, rgb) in row.iter_mut().enumerate() {
                *rgb = if grey { [matrix.brightness(light[x]); 3] } else { matrix.colour(light[x], u[x], v[x]) };
            }
            self.store((y0 + y) * self.width + x0, &row);
        }
    }

    /// Like [`paint`](Self::paint), for the tiles of a transparency picture, which has luma alone.
    pub fn paint_alpha(&mut self, tile: &Picture, matrix: &Matrix, x0: usize, y0: usize) {
        let Some((across, down)) = self.inside(tile, x0, y0) else { return };
        let mut luma = Plane::of(tile, Component::Y);
        let mut light = vec![0.0; across];
        for y in 0..down {
            luma.spread(PixelLayout::I444, y, &mut light);
            let from = ((y0 + y) * self.width + x0) * 4;
            let alphas = light.iter().map(|v| matrix.brightness(*v));
            match &mut self.samples {
                Samples::Eight(out) => out[from..].chunks_exact_mut(4).zip(alphas).for_each(|(p, a)| p[3] = eight(a)),
                Samples::Sixteen(out) => {
                    out[from..].chunks_exact_mut(4).zip(alphas).for_each(|(p, a)| p[3] = sixteen(a))
                }
            }
        }
    }

    /// Converts premultiplied colours to straight alpha.
    pub fn divide_by_alpha(&mut self) {
        fn divide<V: Copy + Into<u32> + TryFrom<u32>>(samples: &mut [V], most: u32) {
            for p in samples.chunks_exact_mut(4) {
                let alpha: u32 = p[3].into();
                for v in &mut p[..3] {
                    let straight = ((*v).into() * most + alpha / 2).checked_div(alpha).unwrap_or(0).min(most);
                    *v = V::try_from(straight).unwrap_or(*v);
                }
            }
        }
        match &mut self.samples {
            Samples::Eight(samples) => divide(samples, u8::MAX.into()),
            Samples::Sixteen(samples) => divide(samples, u16::MAX.into()),
        }
    }

    pub fn into_samples(self) -> Samples {
        self.samples
    }

    /// Returns how much of a tile lies within the canvas; `None` if none of it does.
    fn inside(&self, tile: &Picture, x0: usize, y0: usize) -> Option<(usize, usize)> {
        let across = self.width.saturating_sub(x0).min(tile.width() as usize);
        let down = self.height.saturating_sub(y0).min(tile.height() as usize);
        (across > 0 && down > 0).then_some((across, down))
    }

    /// Stores the colours of a row, starting at pixel `from`.
    fn store(&mut self, from: usize, row: &[[f32; 3]]) {
        match &mut self.samples {
            Samples::Eight(out) => {
                out[from * 4..]
                    .chunks_exact_mut(4)
                    .zip(row)
                    .for_each(|(p, rgb)| p[..3].copy_from_slice(&rgb.map(eight)));
            }
            Samples::Sixteen(out) => {
                out[from * 4..]
                    .chunks_exact_mut(4)
                    .zip(row)
                    .for_each(|(p, rgb)| p[..3].copy_from_slice(&rgb.map(sixteen)));
            }
        }
    }
}

fn eight(value: f32) -> u8 {
    (value.clamp(0.0, 1.0) * 255.0 + 0.5) as u8
}

fn sixteen(value: f32) -> u16 {
    (value.clamp(0.0, 1.0) * 65_535.0 + 0.5) as u16
}

/// The values of one component.
struct Plane {
    bytes: re_rav1d::dav1d::Plane,
    /// Bytes per row.
    stride: usize,
    /// Whether a value takes two bytes.
    wide: bool,
    width: usize,
    height: usize,
    /// The row that is being converted.
    row: Vec<f32>,
}

impl Plane {
    fn of(picture: &Picture, component: Component) -> Self {
        let (width, height) = (picture.width() as usize, picture.height() as usize);
        let layout = if component == Component::Y { PixelLayout::I444 } else { picture.pixel_layout() };
        let (width, height) = match layout {
            PixelLayout::I420 => (width.div_ceil(2), height.div_ceil(2)),
            PixelLayout::I422 => (width.div_ceil(2), height),
            PixelLayout::I444 | PixelLayout::I400 => (width, height),
        };
        let (bytes, stride) = (picture.plane(component), picture.stride(component) as usize);
        Self { bytes, stride, wide: bits(picture) > 8, width, height, row: Vec::with_capacity(width) }
    }

    /// Loads a row, interpolated with its neighbour if there is one.
    fn take(&mut self, y: usize, neighbour: Option<usize>) {
        let bytes: &[u8] = &self.bytes;
        let values = |y: usize| bytes[y * self.stride..].chunks_exact(if self.wide { 2 } else { 1 }).take(self.width);
        let value = |b: &[u8]| match b {
            [low, high] => f32::from(u16::from_ne_bytes([*low, *high])),
            _ => f32::from(b[0]),
        };
        self.row.clear();
        match neighbour {
            None => self.row.extend(values(y).map(value)),
            Some(other) => {
                let pairs = values(y).zip(values(other));
                self.row.extend(pairs.map(|(near, far)| 0.75 * value(near) + 0.25 * value(far)));
            }
        }
    }

    /// Writes a row at the picture's resolution, interpolating between the values of a subsampled plane.
    fn spread(&mut self, layout: PixelLayout, y: usize, out: &mut [f32]) {
        match layout {
            PixelLayout::I420 => {
                let (near, far) = neighbours(y, self.height);
                self.take(near, Some(far));
            }
            PixelLayout::I422 | PixelLayout::I444 | PixelLayout::I400 => self.take(y, None),
        }
        match layout {
            PixelLayout::I420 | PixelLayout::I422 => {
                for (x, out) in out.iter_mut().enumerate() {
                    let (near, far) = neighbours(x, self.width);
                    *out = 0.75 * self.row[near] + 0.25 * self.row[far];
                }
            }
            PixelLayout::I444 | PixelLayout::I400 => out.copy_from_slice(&self.row[..out.len()]),
        }
    }
}

/// Returns the subsampled value that is nearest to position `n`, and the next one on its other side, of `all` values.
fn neighbours(n: usize, all: usize) -> (usize, usize) {
    let near = (n / 2).min(all - 1);
    let far = if n.is_multiple_of(2) { near.saturating_sub(1) } else { (near + 1).min(all - 1) };
    (near, far)
}

#[cfg(test)]
mod tests {
    use super::super::boxes::Container;
    use super::super::picture;
    use super::*;

    #[test]
    fn a_tile_outside_the_picture_leaves_no_trace() {
        let file = include_bytes!("../../../../tests/data/pictures/chart-grey.avif");
        let container = Container::read(file).unwrap();
        let tile = picture(&container.coded(container.primary()).unwrap().0[0]).unwrap();
        let matrix = Matrix::new(&tile, None);
        let (width, height) = (tile.width() as usize, tile.height() as usize);
        for deep in [false, true] {
            let mut canvas = Canvas::new(10, 12, deep);
            canvas.paint(&tile, &matrix, 0, 0);
            canvas.paint_alpha(&tile, &matrix, 0, 0);
            let before = canvas.samples.clone();
            for (x, y) in [(10, 0), (width, 0), (0, 12), (0, height), (width, height), (10 + 12 * width, 0)] {
                canvas.paint(&tile, &matrix, x, y);
                canvas.paint_alpha(&tile, &matrix, x, y);
            }
            assert_eq!(canvas.samples, before);
        }
    }
}
