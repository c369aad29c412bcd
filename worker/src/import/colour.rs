//! Converts the colours of a picture to sRGB from the colour space that its file specifies.

use std::sync::Arc;

use moxcms::{
    Chromaticity, CicpColorPrimaries, CicpProfile, ColorPrimaries, ColorProfile, DataColorSpace, Layout,
    MatrixCoefficients, ToneReprCurve, TransferCharacteristics, TransformExecutor, TransformOptions, XyY,
};

/// Pixels that are converted at a time, through a buffer.
const PART: usize = 1 << 14;
/// Levels of each channel at which a profile is compared with sRGB.
const PROBES: [u8; 6] = [0, 51, 102, 153, 204, 255];
/// Code points of transfer functions that displays show as sRGB: BT.709, unspecified, BT.601, IEC 61966-2-1, BT.2020.
const SRGB_TRANSFER: [u8; 6] = [1, 2, 6, 13, 14, 15];
/// How far a PNG's gamma may differ from 1/2.2, which stands for sRGB.
const GAMMA_TOLERANCE: f32 = 0.01;
/// Minimum of twice the area of the triangle of three primaries; that of sRGB has 0.22.
const LEAST_GAMUT: f32 = 1e-3;

/// The space of a file's colours.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) enum Space {
    /// sRGB, the default of files that specify no space.
    #[default]
    Srgb,
    /// The space of an ICC profile.
    Icc(Vec<u8>),
    /// The space of two code points of ITU-T H.273.
    Coded { primaries: u8, transfer: u8 },
    /// A power of linear light (`encoded = light ^ gamma`), and the chromaticities of white, red, green and blue if
    /// they differ from those of sRGB.
    Gamma { gamma: f32, chromaticities: Option<[(f32, f32); 4]> },
}

/// Channel values, four per pixel: red, green, blue, and straight alpha.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Samples {
    /// 8 bits per channel.
    Eight(Vec<u8>),
    /// 16 bits per channel.
    Sixteen(Vec<u16>),
}

impl Space {
    /// Converts the samples to 8-bit sRGB. It ignores a profile that is broken or for another kind of picture, as
    /// browsers do. The three colours of a grey picture (`is_grey`) are equal.
    pub fn to_srgb(&self, samples: Samples, is_grey: bool) -> Vec<u8> {
        match samples {
            Samples::Eight(mut rgba) => {
                self.convert_8(&mut rgba, is_grey);
                rgba
            }
            Samples::Sixteen(mut wide) => {
                self.convert_16(&mut wide, is_grey);
                wide.into_iter().map(rounded).collect()
            }
        }
    }

    /// Converts amounts of cyan, magenta, yellow and black (four bytes per pixel, 0 for no ink) to opaque sRGB.
    pub fn inks_to_srgb(&self, inks: &[u8]) -> Vec<u8> {
        let profile = self.profile().filter(|p| p.color_space == DataColorSpace::Cmyk);
        let transform = profile.and_then(|p| {
            p.create_transform_8bit(Layout::Rgba, &ColorProfile::new_srgb(), Layout::Rgb, options()).ok()
        });
        let mut rgba = Vec::with_capacity(inks.len());
        let mut rgb = vec![0; PART * 3];
        for part in inks.chunks(PART * 4) {
            let rgb = &mut rgb[..part.len() / 4 * 3];
            if transform.as_ref().is_none_or(|t| t.transform(part, rgb).is_err()) {
                // Multiplies the light that each ink lets through.
                let left = |ink: u8, black: u8| {
                    let product = u32::from(255 - ink) * u32::from(255 - black);
                    ((product + 127) / 255) as u8
                };
                for (out, p) in rgb.chunks_exact_mut(3).zip(part.chunks_exact(4)) {
                    out.copy_from_slice(&[left(p[0], p[3]), left(p[1], p[3]), left(p[2], p[3])]);
                }
            }
            rgba.extend(rgb.chunks_exact(3).flat_map(|p| [p[0], p[1], p[2], 255]));
        }
        rgba
    }

    fn convert_8(&self, rgba: &mut [u8], is_grey: bool) {
        let srgb = ColorProfile::new_srgb();
        match self.profile() {
            Some(profile) if profile.color_space == DataColorSpace::Gray && is_grey => {
                let transform = profile.create_transform_8bit(Layout::Gray, &srgb, Layout::Rgb, options());
                let tones: Vec<u8> = (0..=u8::MAX).collect();
                toned(transform.ok(), &tones, rgba);
            }
            Some(profile) if profile.color_space == DataColorSpace::Rgb => {
                let transform = profile.create_transform_8bit(Layout::Rgba, &srgb, Layout::Rgba, options());
                // A profile of sRGB itself must change nothing, not even by rounding.
                let transform = transform.ok().filter(|t| !is_identity(t.as_ref()));
                in_parts(transform, rgba);
            }
            _ => {}
        }
    }

    fn convert_16(&self, rgba: &mut [u16], is_grey: bool) {
        let srgb = ColorProfile::new_srgb();
        match self.profile() {
            Some(profile) if profile.color_space == DataColorSpace::Gray && is_grey => {
                let transform = profile.create_transform_16bit(Layout::Gray, &srgb, Layout::Rgb, options());
                let tones: Vec<u16> = (0..=u16::MAX).collect();
                toned(transform.ok(), &tones, rgba);
            }
            Some(profile) if profile.color_space == DataColorSpace::Rgb => {
                let transform = profile.create_transform_16bit(Layout::Rgba, &srgb, Layout::Rgba, options());
                in_parts(transform.ok(), rgba);
            }
            _ => {}
        }
    }

    /// Returns the profile of the space; `None` for sRGB and for an unreadable profile.
    fn profile(&self) -> Option<ColorProfile> {
        match self {
            Self::Srgb => None,
            Self::Icc(bytes) => ColorProfile::new_from_slice(bytes).ok(),
            Self::Coded { primaries, transfer } => coded(*primaries, *transfer),
            Self::Gamma { gamma, chromaticities } => powered(*gamma, *chromaticities),
        }
    }
}

fn options() -> TransformOptions {
    TransformOptions::default()
}

/// Returns the profile of two code points; `None` for those of sRGB and for unknown ones.
fn coded(primaries: u8, transfer: u8) -> Option<ColorProfile> {
    let srgb_curve = SRGB_TRANSFER.contains(&transfer);
    let color_primaries = CicpColorPrimaries::try_from(if primaries == 2 { 1 } else { primaries }).ok()?;
    if srgb_curve && matches!(color_primaries, CicpColorPrimaries::Bt709) {
        return None;
    }
    let transfer_characteristics =
        if srgb_curve { TransferCharacteristics::Srgb } else { TransferCharacteristics::try_from(transfer).ok()? };
    let matrix_coefficients = MatrixCoefficients::Identity;
    let profile = CicpProfile { color_primaries, transfer_characteristics, matrix_coefficients, full_range: true };
    let profile = ColorProfile::new_from_cicp(profile);
    profile.red_trc.is_some().then_some(profile)
}

/// Returns the profile of a gamma; `None` if it stands for sRGB. Ignores primaries that span no colours.
fn powered(gamma: f32, chromaticities: Option<[(f32, f32); 4]>) -> Option<ColorProfile> {
    let chromaticities = chromaticities.filter(spans_colours);
    let is_usual = (gamma - 1.0 / 2.2).abs() < GAMMA_TOLERANCE;
    if is_usual && chromaticities.is_none() || !(0.05..=5.0).contains(&gamma) {
        return None;
    }
    let mut profile = ColorProfile::new_srgb();
    if let Some([white, red, green, blue]) = chromaticities {
        let point = |(x, y): (f32, f32)| Chromaticity { x, y };
        let primaries = ColorPrimaries { red: point(red), green: point(green), blue: point(blue) };
        profile.update_rgb_colorimetry(XyY { x: white.0.into(), y: white.1.into(), yb: 1.0 }, primaries);
    }
    if !is_usual {
        let curve = Some(ToneReprCurve::Parametric(vec![1.0 / gamma]));
        (profile.red_trc, profile.green_trc, profile.blue_trc) = (curve.clone(), curve.clone(), curve);
    }
    profile.cicp = None;
    Some(profile)
}

/// Returns whether white, red, green and blue are colours, the last three form a triangle, and the first lies within
/// it.
fn spans_colours(points: &[(f32, f32); 4]) -> bool {
    let is_colour = |(x, y): &(f32, f32)| *x >= 0.0 && *y > 0.0 && x + y <= 1.001;
    let [white, red, green, blue] = *points;
    let twice_area =
        |a: (f32, f32), b: (f32, f32), c: (f32, f32)| (b.0 - a.0) * (c.1 - a.1) - (c.0 - a.0) * (b.1 - a.1);
    let whole = twice_area(red, green, blue);
    let parts = [twice_area(white, green, blue), twice_area(red, white, blue), twice_area(red, green, white)];
    points.iter().all(is_colour) && whole.abs() >= LEAST_GAMUT && parts.iter().all(|part| part / whole > 0.0)
}

/// Maps each pixel's tone to its converted colours; `tones` are all tones, ascending.
fn toned<T, V>(transform: Option<Arc<T>>, tones: &[V], rgba: &mut [V])
where
    T: TransformExecutor<V> + ?Sized,
    V: Copy + Default + Into<usize>,
{
    let mut table = vec![V::default(); tones.len() * 3];
    if transform.is_some_and(|t| t.transform(tones, &mut table).is_ok()) {
        for pixel in rgba.chunks_exact_mut(4) {
            let at = pixel[0].into() * 3;
            pixel[..3].copy_from_slice(&table[at..at + 3]);
        }
    }
}

fn in_parts<T, V>(transform: Option<Arc<T>>, rgba: &mut [V])
where
    T: TransformExecutor<V> + ?Sized,
    V: Copy + Default,
{
    let Some(transform) = transform else { return };
    let mut copy = Vec::with_capacity(PART * 4);
    for part in rgba.chunks_mut(PART * 4) {
        copy.clear();
        copy.extend_from_slice(part);
        if transform.transform(&copy, part).is_err() {
            part.copy_from_slice(&copy);
        }
    }
}

/// Returns whether a conversion moves no colour by more than one level.
fn is_identity<T: TransformExecutor<u8> + ?Sized>(transform: &T) -> bool {
    let colours =
        PROBES.iter().flat_map(|r| PROBES.iter().flat_map(move |g| PROBES.iter().map(move |b| [*r, *g, *b, 255])));
    let probes: Vec<u8> = colours.flatten().collect();
    let mut out = vec![0; probes.len()];
    transform.transform(&probes, &mut out).is_ok() && probes.iter().zip(&out).all(|(a, b)| a.abs_diff(*b) <= 1)
}

/// Rounds a 16-bit sample to 8 bits.
fn rounded(v: u16) -> u8 {
    ((u32::from(v) * 255 + 32_767) / 65_535) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHITE: (f32, f32) = (0.3127, 0.3290);
    const P3: [(f32, f32); 4] = [WHITE, (0.680, 0.320), (0.265, 0.690), (0.150, 0.060)];

    fn seen(gamma: f32, chromaticities: Option<[(f32, f32); 4]>) -> Vec<u8> {
        let samples = Samples::Eight(vec![200, 30, 40, 255, 12, 130, 250, 255, 128, 128, 128, 255]);
        Space::Gamma { gamma, chromaticities }.to_srgb(samples, false)
    }

    #[test]
    fn primaries_that_span_no_colours_are_passed_over() {
        let [_, red, green, blue] = P3;
        for points in [
            [(0.0, 0.0); 4],
            [WHITE; 4],
            [(0.0, 0.0), red, green, blue],
            [(0.3127, 0.0), red, green, blue],
            [WHITE, red, (0.265, 0.0), blue],
            // Points on one line, and a white outside the triangle.
            [WHITE, (0.6, 0.3), (0.4, 0.4), (0.2, 0.5)],
            [(0.6, 0.4), red, green, blue],
            [WHITE, (640.0, 330.0), (300.0, 600.0), (150.0, 60.0)],
            [WHITE, red, green, (f32::NAN, 0.06)],
        ] {
            for gamma in [1.0 / 2.2, 1.0 / 1.8, 1.0] {
                assert_eq!(seen(gamma, Some(points)), seen(gamma, None), "{points:?}");
            }
        }
        assert_ne!(seen(1.0 / 2.2, Some(P3)), seen(1.0 / 2.2, None));
        // Wider than the range of visible colours.
        let prophoto = [(0.3457, 0.3585), (0.7347, 0.2653), (0.1596, 0.8404), (0.0366, 0.0001)];
        assert!(spans_colours(&P3) && spans_colours(&prophoto));
    }
}
