//! [`Scheme`]: the colours that the author of a set chooses for its subject, and the palettes derived from them.

use super::palette::{FIELD_DARK, SMALL_TEXT, accent_ink, ink_on, inks, legible, readable, readable_shade};
use super::{Background, Palette};
use crate::scene::Color;
use crate::scene::color::Oklch;

/// Least contrast of a visible mark on its background.
const SEEN: f32 = 1.6;
/// Least lightness contrast (APCA) of the best ink on a background: that of headlines and large text. Words use the ink
/// with the best contrast.
const GROUND_LC: f32 = 45.0;
/// Chroma from which a background counts as coloured; supporting text on it uses the full ink.
const COLOURED: f32 = 0.06;
/// Most that the lightness of a scheme's colour changes to become an ink, and to become a background of light ink.
const SHADED: f32 = 0.15;
const DARKENED: f32 = 0.12;
/// Share of the background in the supporting ink on dark backgrounds.
const SUPPORTING: f32 = 0.2;
/// Least distance in OKLab of two distinguishable colours of a set.
const APART: f32 = 0.08;

/// Five colours of a set: the background of most pages, the background of pages that stand out, the accent, and two
/// more. Drawings use them exactly; as backgrounds they change in lightness if no ink would be readable on them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scheme(pub [Color; 5]);

impl Scheme {
    /// Creates a scheme of five opaque, distinguishable colours; `None` if two of them look the same.
    pub fn of(colours: [Color; 5]) -> Option<Self> {
        let apart = |(i, a): (usize, &Color)| colours[i + 1..].iter().all(|b| a.distance(*b) >= APART);
        let distinct = colours.iter().enumerate().all(apart);
        (distinct && colours.iter().all(|c| c.a == 1.0)).then_some(Self(colours))
    }

    /// Parses a scheme of five colours written as `#rrggbb`.
    pub fn read<'c>(colours: impl Iterator<Item = &'c str>) -> Option<Self> {
        let colours: Vec<Color> = colours.map(|text| Color::parse(text.trim())).collect::<Option<_>>()?;
        Self::of(colours.try_into().ok()?)
    }

    /// Returns the palette of pages on `background`.
    pub(super) fn palette(&self, background: Background) -> Palette {
        self.palette_on(self.seed(background))
    }

    /// Returns the palette of pages on one of the colours.
    pub(super) fn palette_on(&self, seed: Color) -> Palette {
        let own = self.0;
        let bg = ground(seed);
        let lch = bg.to_oklch();
        let dark = lch.l < FIELD_DARK + 0.05;
        let shade = |d: f32| Oklch { l: (lch.l + if dark { d } else { -d }).clamp(0.0, 1.0), ..lch }.to_color();
        let ink = self.ink(bg);
        let seen: Vec<Color> = [2, 3, 4, 1, 0].map(|i| own[i]).into_iter().filter(|c| c.contrast(bg) >= SEEN).collect();
        let chosen = seen.first().copied().unwrap_or(ink);
        // Words stand on the accent too.
        let accent = Some(ground(chosen)).filter(|c| c.contrast(bg) >= SEEN).unwrap_or(chosen);
        let accent_text = match dark {
            false => accent_ink(accent.to_oklch(), bg, ink),
            true => legible(accent.to_oklch(), bg, SMALL_TEXT),
        };
        let other = ground(own[usize::from(seed == own[0])]);
        Palette {
            bg,
            surface: shade(0.05),
            ink,
            ink2: supporting(ink, bg),
            line: shade(0.14),
            accent,
            accent_text,
            accent2: seen.get(1).copied().unwrap_or(ink),
            tint: shade(0.09),
            on_accent: self.ink(accent),
            field: other,
            on_field: self.ink(other),
            // Drawings that continue the background have its colour.
            art: own.map(|c| if c == seed { bg } else { c }),
        }
    }

    /// Returns the colour of a background.
    fn seed(&self, background: Background) -> Color {
        let [base, contrast, ..] = self.0;
        match background {
            Background::Base => base,
            Background::Accent => contrast,
            Background::Close => {
                let darkest =
                    self.0.into_iter().min_by(|a, b| a.luminance().total_cmp(&b.luminance())).unwrap_or(contrast);
                if darkest == base { contrast } else { darkest }
            }
        }
    }

    /// Returns the ink for a background: the colour of the scheme with the best contrast, or a shade of it with enough;
    /// else near black or near white.
    fn ink(&self, bg: Color) -> Color {
        let best = self.0.into_iter().max_by(|a, b| a.contrast(bg).total_cmp(&b.contrast(bg)));
        let own = best.and_then(|ink| {
            let darker = ink.luminance() < bg.luminance();
            let lch = ink.to_oklch();
            // A pale or a bright colour changes its character on the way to a readable shade.
            let near = |shade: &Color| (shade.to_oklch().l - lch.l).abs() <= SHADED;
            readable_shade(lch, bg, darker, (SMALL_TEXT, GROUND_LC)).filter(near)
        });
        own.unwrap_or_else(|| readable(ink_on(bg, bg.to_oklch().h), bg))
    }
}

/// Returns the ink of supporting text: the ink on coloured backgrounds, a paler one on others.
fn supporting(ink: Color, bg: Color) -> Color {
    let ground = bg.to_oklch();
    if ground.l < FIELD_DARK {
        let [a, b] = [ink, bg].map(Color::to_oklab);
        return readable(Color::from_oklab(std::array::from_fn(|i| a[i] + (b[i] - a[i]) * SUPPORTING)), bg);
    }
    if ground.c > COLOURED { ink } else { readable(Oklch { l: 0.45, ..ink.to_oklch() }.to_color(), bg) }
}

/// Returns a colour as a background: unchanged if the ink that suits it is readable on it, else with the nearest
/// lightness at which it is.
///
/// WCAG's contrast favours black on saturated middle tones such as greens and blues, where readers prefer white. There
/// the background becomes somewhat darker until light ink reads.
fn ground(seed: Color) -> Color {
    let lch = seed.to_oklch();
    let moved = |by: f32| Oklch { l: (lch.l + by).clamp(0.0, 1.0), ..lch }.to_color();
    let reads = |ink: Color, bg: Color| ink.contrast(bg) >= SMALL_TEXT && ink.apca(bg) >= GROUND_LC;
    let (light, dark) = inks(lch.h);
    if lch.c > COLOURED && light.apca(seed) > dark.apca(seed) {
        let mut darker = (0..).map(|n| -0.005 * n as f32).take_while(|by| *by >= -DARKENED).map(moved);
        if let Some(bg) = darker.find(|bg| reads(light, *bg)) {
            return bg;
        }
    }
    let shades = (1..200).flat_map(|n| [-0.005, 0.005].map(|step| moved(step * n as f32)));
    std::iter::once(seed).chain(shades).find(|bg| reads(ink_on(*bg, lch.h), *bg)).unwrap_or(seed)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn colour() -> impl Strategy<Value = Color> {
        (0_u32..0x0100_0000).prop_map(Color::hex)
    }

    proptest! {
        #[test]
        fn words_read_on_every_ground_of_any_scheme(colours in prop::array::uniform5(colour())) {
            let Some(scheme) = Scheme::of(colours) else { return Ok(()) };
            for background in Background::ALL {
                let p = scheme.palette(background);
                for ink in [p.ink, p.ink2, p.accent_text] {
                    prop_assert!(ink.contrast(p.bg) >= 4.5, "{background:?} {} on {}", ink.to_hex(), p.bg.to_hex());
                }
                prop_assert!(p.accent.contrast(p.bg) >= SEEN);
                prop_assert!(p.on_field.contrast(p.field) >= 4.5);
                let ground = scheme.seed(background);
                let shown = colours.map(|c| if c == ground { p.bg } else { c });
                prop_assert_eq!(p.art, shown);
            }
        }
    }

    #[test]
    fn colours_are_as_chosen_where_words_read_on_them() {
        let scheme = |hex: [u32; 5]| Scheme::of(hex.map(Color::hex));
        let moon = scheme([0x0B1026, 0xE9EAEC, 0xF23C1A, 0x8A8F98, 0xFFC53D]).expect("five colours");
        let base = moon.palette(Background::Base);
        assert_eq!((base.bg, base.art[2]), (Color::hex(0x0B1026), Color::hex(0xF23C1A)));
        // White words stand on the accent.
        assert!(
            base.accent.distance(Color::hex(0xF23C1A)) < 0.13 && base.on_accent.contrast(base.accent) >= SMALL_TEXT
        );
        let accent = moon.palette(Background::Accent);
        assert_eq!((accent.bg, accent.ink), (Color::hex(0xE9EAEC), Color::hex(0x0B1026)));
        assert_eq!(scheme([0x0B1026, 0x0B1027, 0xF23C1A, 0x8A8F98, 0xFFC53D]), None);
    }

    #[test]
    fn middle_tones_carry_light_words_or_those_of_the_scheme() {
        let scheme = |hex: [u32; 5]| Scheme::of(hex.map(Color::hex)).expect("five colours");
        // Green, blue and red grounds with the near black and the cream of the scheme.
        for ground in [0x16A35A, 0x3F78E0, 0xE5302A] {
            let p = scheme([ground, 0x17131F, 0xFFC928, 0xF7A8C4, 0xFFF7E0]).palette(Background::Base);
            assert!(p.ink.luminance() > 0.8, "{ground:06x}: {}", p.ink.to_hex());
            assert!(p.bg.distance(Color::hex(ground)) < 0.13);
        }
        // Navy on orange stays navy.
        let p = scheme([0xFF8A3D, 0x0E2B4A, 0xFFC928, 0x2F9C95, 0xFFF7E0]).palette(Background::Base);
        assert!(p.ink.to_oklch().c > 0.03 && p.ink.contrast(p.bg) >= SMALL_TEXT, "{}", p.ink.to_hex());
    }

    #[test]
    fn a_scheme_is_read_from_five_colours() {
        let read = |text: &str| Scheme::read(text.split(' '));
        assert!(read("#0b1026 #e9eaec #f23c1a #8a8f98 #ffc53d").is_some());
        for wrong in ["#0b1026 navy #f23c1a #8a8f98 #ffc53d", "#0b1026", "#0b1026 #0b1026 #f23c1a #8a8f98 #ffc53d"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }
}
