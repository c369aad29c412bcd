//! Palettes of pages: from the scheme of a style that a seed picks, from a brand's colours put into that scheme, or
//! from the colours that an author chose for a set.

use super::palette::{Branding, SMALL_TEXT, legible};
use super::{Background, Brand, Palette, Scheme, Style, Theme};
use crate::scene::Color;

/// What determines the colours of a page.
#[derive(Debug, Clone, Copy)]
pub struct Colours<'a> {
    /// The style.
    pub style: Style,
    /// Picks one of the style's schemes.
    pub seed: u64,
    /// The brand; its colours take precedence.
    pub brand: Option<&'a Brand>,
    /// The colours that an author chose; they take precedence over those of the style.
    pub scheme: Option<Scheme>,
}

impl Colours<'_> {
    /// Returns the palette on `background`.
    pub fn on(&self, background: Background) -> Palette {
        match (self.branded(), self.scheme) {
            (Some(brand), _) => Palette::of_brand(self.style, background, self.seed, brand),
            (None, Some(scheme)) => scheme.palette(background),
            (None, None) => Palette::pick(self.style, background, self.seed),
        }
    }

    /// Returns the palette on colour `n`, from 0 to 4, of those that an author chose; `None` if others take precedence.
    pub fn on_chosen(&self, n: u8) -> Option<Palette> {
        let scheme = self.scheme.filter(|_| self.branded().is_none())?;
        Some(scheme.palette_on(*scheme.0.get(usize::from(n))?))
    }

    fn branded(&self) -> Option<&Brand> {
        self.brand.filter(|brand| brand.has_colours())
    }
}

impl Palette {
    /// Returns the palette of `style` on `background` that `seed` picks.
    pub fn pick(style: Style, background: Background, seed: u64) -> Self {
        let theme = Theme::of(style);
        let scheme = theme.schemes[(seed % theme.schemes.len() as u64) as usize];
        let colors: Vec<Color> = scheme.iter().map(|hex| Color::hex(*hex)).collect();
        (theme.palette)(background, &colors)
    }

    /// Returns the palette of `style` on `background` for a brand. The brand's colours replace those of the style's
    /// scheme and are exact in art and marks. Text and the backgrounds under it only change in lightness, where
    /// readability requires it.
    pub fn of_brand(style: Style, background: Background, seed: u64, brand: &Brand) -> Self {
        let theme = Theme::of(style);
        let own = theme.schemes[(seed % theme.schemes.len() as u64) as usize];
        let mut scheme: Vec<Color> = own.iter().map(|hex| Color::hex(*hex)).collect();
        apply_brand(style, brand, &mut scheme);
        let mut palette = (theme.palette)(background, &scheme);
        if background == Background::Base {
            if let Some(ground) = brand.background {
                palette = palette.on_ground(ground);
            }
            if let Some(ink) = brand.text {
                palette.ink = legible(ink.to_oklch(), palette.bg, SMALL_TEXT);
                palette.ink2 = legible(ink.to_oklch(), palette.bg, SMALL_TEXT);
            }
        }
        palette
    }
}

/// Puts the colours of a brand in the places of a style's scheme that have the same role.
fn apply_brand(style: Style, brand: &Brand, scheme: &mut [Color]) {
    let Some(primary) = brand.primary.or(brand.accent).or(brand.secondary) else { return };
    let accent = brand.accent.or(brand.secondary);
    let branding = Branding { primary, accent, secondary: brand.secondary, scheme };
    (Theme::of(style).brand)(branding);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::palette::{FIELD_DARK, FIELD_LIGHT};

    fn all() -> impl Iterator<Item = (Style, Background, Palette)> {
        Style::all().flat_map(|style| {
            [Background::Base, Background::Accent, Background::Close].into_iter().flat_map(move |background| {
                (0..30).map(move |seed| (style, background, Palette::pick(style, background, seed)))
            })
        })
    }

    #[test]
    fn every_text_colour_reads_on_its_field() {
        for (style, background, p) in all() {
            for (name, ink) in [("ink", p.ink), ("ink2", p.ink2), ("accent_text", p.accent_text)] {
                let ratio = ink.contrast(p.bg);
                assert!(ratio >= 4.5, "{style:?} {background:?} {name} {} on {}: {ratio}", ink.to_hex(), p.bg.to_hex());
                let lc = ink.apca(p.bg);
                assert!(lc >= 60.0, "{style:?} {background:?} {name} {} on {}: Lc {lc}", ink.to_hex(), p.bg.to_hex());
            }
            assert!(p.on_accent.contrast(p.accent) >= 4.5, "{style:?} {background:?} on {}", p.accent.to_hex());
        }
    }

    #[test]
    fn a_brand_of_any_colours_is_read() {
        for hex in [0x00FF00, 0xFFFF00, 0x000000, 0xFFFFFF, 0x7F7F7F, 0x6B2FD6, 0xFF4D14, 0x0A2BFF] {
            for ground in [None, Some(Color::hex(0x9A9A9A)), Some(Color::hex(0x101820)), Some(Color::WHITE)] {
                let brand = Brand { primary: Some(Color::hex(hex)), background: ground, ..Brand::default() };
                for style in Style::all() {
                    for background in [Background::Base, Background::Accent, Background::Close] {
                        let p = Palette::of_brand(style, background, 3, &brand);
                        for ink in [p.ink, p.ink2, p.accent_text] {
                            let ratio = ink.contrast(p.bg);
                            assert!(ratio >= 4.5, "{style:?} {background:?} {hex:06x} on {}: {ratio}", p.bg.to_hex());
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn fields_keep_out_of_the_dead_band() {
        for (style, background, p) in all() {
            let l = p.bg.to_oklch().l;
            assert!(
                l <= FIELD_DARK + 0.005 || l >= FIELD_LIGHT - 0.005,
                "{style:?} {background:?} {}: L {l}",
                p.bg.to_hex()
            );
        }
    }
}
