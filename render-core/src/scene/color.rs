//! Colour: sRGB for storage and blending, OKLCH for choosing colours, WCAG and APCA for legibility.
//!
//! Blending happens in encoded sRGB, as in browsers and design tools: a palette picked there looks the same here, and
//! text on light and dark backgrounds has the weight that type designers hint for. Gradients are the exception: they
//! interpolate in OKLab, where mid-tones keep their chroma.

use libm::{cbrtf as cbrt, powf};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A colour in encoded sRGB, straight alpha, each channel 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Color {
    /// Red.
    pub r: f32,
    /// Green.
    pub g: f32,
    /// Blue.
    pub b: f32,
    /// Alpha.
    pub a: f32,
}

/// A colour in OKLCH (Ottosson 2020): lightness 0–1, chroma 0–~0.37, hue in degrees.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Oklch {
    /// Lightness.
    pub l: f32,
    /// Chroma.
    pub c: f32,
    /// Hue in degrees.
    pub h: f32,
}

impl Color {
    /// White.
    pub const WHITE: Self = Self::rgb8(255, 255, 255);
    /// Black.
    pub const BLACK: Self = Self::rgb8(0, 0, 0);

    /// Creates a colour from bytes.
    pub const fn rgb8(r: u8, g: u8, b: u8) -> Self {
        Self { r: r as f32 / 255.0, g: g as f32 / 255.0, b: b as f32 / 255.0, a: 1.0 }
    }

    /// Creates a colour from `0xRRGGBB`.
    pub const fn hex(v: u32) -> Self {
        Self::rgb8((v >> 16) as u8, (v >> 8) as u8, v as u8)
    }

    /// Parses `#rrggbb`; `None` for any other text.
    pub fn parse(s: &str) -> Option<Self> {
        let digits = s.strip_prefix('#')?;
        (digits.len() == 6 && digits.bytes().all(|b| b.is_ascii_hexdigit()))
            .then(|| u32::from_str_radix(digits, 16).ok())
            .flatten()
            .map(Self::hex)
    }

    /// Returns the nearest bytes, alpha last.
    pub fn to_rgba8(self) -> [u8; 4] {
        [self.r, self.g, self.b, self.a].map(|v| (v.clamp(0.0, 1.0) * 255.0 + 0.5) as u8)
    }

    /// Returns `#rrggbb`, without alpha.
    pub fn to_hex(self) -> String {
        let [r, g, b, _] = self.to_rgba8();
        format!("#{r:02x}{g:02x}{b:02x}")
    }

    /// Returns the same colour with this alpha.
    pub const fn alpha(self, a: f32) -> Self {
        Self { a, ..self }
    }

    /// Composites `self` over an opaque `under`, in encoded sRGB.
    pub fn over(self, under: Self) -> Self {
        let mix = |s: f32, d: f32| d + (s - d) * self.a;
        Self { r: mix(self.r, under.r), g: mix(self.g, under.g), b: mix(self.b, under.b), a: 1.0 }
    }

    /// Returns the OKLab coordinates (L, a, b), without alpha.
    pub fn to_oklab(self) -> [f32; 3] {
        let [r, g, b] = [self.r, self.g, self.b].map(decode);
        let l = cbrt(0.412_221_46 * r + 0.536_332_55 * g + 0.051_445_995 * b);
        let m = cbrt(0.211_903_5 * r + 0.680_699_5 * g + 0.107_396_96 * b);
        let s = cbrt(0.088_302_46 * r + 0.281_718_85 * g + 0.629_978_7 * b);
        [
            0.210_454_26 * l + 0.793_617_8 * m - 0.004_072_047 * s,
            1.977_998_5 * l - 2.428_592_2 * m + 0.450_593_7 * s,
            0.025_904_037 * l + 0.782_771_77 * m - 0.808_675_77 * s,
        ]
    }

    /// Creates an opaque colour from OKLab; channels outside the gamut are clipped.
    pub fn from_oklab(lab: [f32; 3]) -> Self {
        let [r, g, b] = oklab_to_linear(lab).map(|v| encode(v.clamp(0.0, 1.0)));
        Self { r, g, b, a: 1.0 }
    }

    /// Returns the distance to another colour in OKLab.
    pub fn distance(self, other: Self) -> f32 {
        let (a, b) = (self.to_oklab(), other.to_oklab());
        (0..3).map(|i| (a[i] - b[i]) * (a[i] - b[i])).sum::<f32>().sqrt()
    }

    /// Returns the OKLCH coordinates.
    pub fn to_oklch(self) -> Oklch {
        let [l, a, b] = self.to_oklab();
        let hue = libm::atan2(b as f64, a as f64).to_degrees() as f32;
        Oklch { l, c: libm::sqrtf(a * a + b * b), h: if hue < 0.0 { hue + 360.0 } else { hue } }
    }

    /// Returns the WCAG 2 relative luminance, 0 to 1.
    pub fn luminance(self) -> f32 {
        0.2126 * decode(self.r) + 0.7152 * decode(self.g) + 0.0722 * decode(self.b)
    }

    /// Returns the WCAG 2 contrast ratio of two opaque colours, 1 to 21.
    pub fn contrast(self, other: Self) -> f32 {
        let (a, b) = (self.luminance(), other.luminance());
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    /// Returns the APCA lightness contrast (0.0.98G-4g) of `self` as text on the background `field`: magnitude 0 to
    /// ~108.
    pub fn apca(self, field: Self) -> f32 {
        let y = |c: Self| {
            let v = 0.212_672_9 * powf(c.r, 2.4) + 0.715_152_2 * powf(c.g, 2.4) + 0.072_175 * powf(c.b, 2.4);
            if v < 0.022 { v + powf(0.022 - v, 1.414) } else { v }
        };
        let (text, back) = (y(self), y(field));
        if (text - back).abs() < 0.0005 {
            return 0.0;
        }
        let lc = if back > text {
            let s = (powf(back, 0.56) - powf(text, 0.57)) * 1.14;
            if s < 0.1 { 0.0 } else { s - 0.027 }
        } else {
            let s = (powf(back, 0.65) - powf(text, 0.62)) * 1.14;
            if s > -0.1 { 0.0 } else { s + 0.027 }
        };
        (lc * 100.0).abs()
    }
}

impl Oklch {
    /// Creates a colour with this lightness, chroma and hue.
    pub const fn new(l: f32, c: f32, h: f32) -> Self {
        Self { l, c, h }
    }

    /// Returns whether the chroma is so small that the hue is invisible.
    pub fn is_grey(self) -> bool {
        self.c <= 0.02
    }

    /// Returns whether the colour is an orange or a yellow, which looks brown if it is dark.
    pub fn is_warm(self) -> bool {
        !self.is_grey() && (30.0..110.0).contains(&self.h)
    }

    /// Returns the nearest sRGB colour with 8 bits per channel, so that writing it as `#rrggbb` is lossless. Outside
    /// the gamut, chroma is reduced until the colour fits; lightness and hue are kept.
    pub fn to_color(self) -> Color {
        let [r, g, b, _] = self.in_gamut().to_rgba8();
        Color::rgb8(r, g, b)
    }

    fn in_gamut(self) -> Color {
        if self.fits() {
            return Color::from_oklab(self.lab());
        }
        let (mut low, mut high) = (0.0_f32, self.c);
        for _ in 0..18 {
            let mid = (low + high) / 2.0;
            if (Self { c: mid, ..self }).fits() { low = mid } else { high = mid }
        }
        Color::from_oklab(Self { c: low, ..self }.lab())
    }

    fn lab(self) -> [f32; 3] {
        let (sin, cos) = libm::sincos((self.h as f64).to_radians());
        [self.l, self.c * cos as f32, self.c * sin as f32]
    }

    fn fits(self) -> bool {
        oklab_to_linear(self.lab()).iter().all(|v| (-0.0005..=1.0005).contains(v))
    }
}

/// Converts encoded sRGB to linear light, one channel.
pub fn decode(v: f32) -> f32 {
    if v <= 0.040_45 { v / 12.92 } else { powf((v + 0.055) / 1.055, 2.4) }
}

/// Converts linear light to encoded sRGB, one channel.
pub fn encode(v: f32) -> f32 {
    if v <= 0.003_130_8 { v * 12.92 } else { 1.055 * powf(v, 1.0 / 2.4) - 0.055 }
}

fn oklab_to_linear([l, a, b]: [f32; 3]) -> [f32; 3] {
    let cube = |v: f32| v * v * v;
    let l_ = cube(l + 0.396_337_78 * a + 0.215_803_76 * b);
    let m_ = cube(l - 0.105_561_346 * a - 0.063_854_17 * b);
    let s_ = cube(l - 0.089_484_18 * a - 1.291_485_5 * b);
    [
        4.076_741_7 * l_ - 3.307_711_6 * m_ + 0.230_969_94 * s_,
        -1.268_438 * l_ + 2.609_757_4 * m_ - 0.341_319_38 * s_,
        -0.004_196_086_3 * l_ - 0.703_418_6 * m_ + 1.707_614_7 * s_,
    ]
}

impl Serialize for Color {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(&self.to_hex())
    }
}

impl<'de> Deserialize<'de> for Color {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let text = String::deserialize(d)?;
        Self::parse(&text).ok_or_else(|| serde::de::Error::custom(format!("not a colour: {text}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn oklch_round_trips() {
        for v in [0xFF4D14_u32, 0x15171C, 0xF4F1EA, 0x3BE0A0, 0x0E3B36] {
            let c = Color::hex(v);
            assert_eq!(c.to_oklch().to_color().to_hex(), c.to_hex());
        }
    }

    #[test]
    fn out_of_gamut_keeps_lightness_and_hue() {
        let c = Oklch::new(0.7, 0.4, 150.0).to_color().to_oklch();
        assert!((c.l - 0.7).abs() < 0.01 && (c.h - 150.0).abs() < 1.5, "{c:?}");
    }

    #[test]
    fn greys_are_not_warm() {
        let warm = |hex| Color::hex(hex).to_oklch().is_warm();
        assert_eq!([0xFFB547, 0xB4530A, 0xD62F14, 0xC9E265, 0x0B5FD0].map(warm), [true, true, true, false, false]);
        // The hue of a grey is about 90°, which is that of gold.
        assert_eq!([0x8A8A8A, 0xFFFFFF, 0x000000].map(warm), [false; 3]);
    }

    #[test]
    fn contrast_of_black_on_white() {
        assert!((Color::BLACK.contrast(Color::WHITE) - 21.0).abs() < 0.01);
        assert!((Color::BLACK.apca(Color::WHITE) - 106.0).abs() < 1.0);
        assert!((Color::WHITE.apca(Color::BLACK) - 107.9).abs() < 1.0);
    }
}
