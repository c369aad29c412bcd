//! Colours of a brand that text can't be read in as they are: they are lighter or darker there, and whoever looks for the
//! exact ones should know.

use crate::design::{Brand, Field, Page};
use crate::scene::{Color, Scene};
use crate::warning::{Warning, WarningCode};

/// How far two hues may be apart, in degrees, and still be one: what rounding to eight bits makes of a hue.
const HUE: f32 = 4.0;
/// Chroma below which a colour has no hue to know it by.
const GREY: f32 = 0.03;
/// Lightness that nobody sees the difference of.
const SEEN: f32 = 0.012;

/// A warning for each colour of the brand that words of a page, or the ground under them, have in another lightness.
pub(super) fn adjusted(brand: &Brand, page: &Page, scene: &Scene) -> Vec<Warning> {
    let used = || {
        let spots = scene.blocks.iter().flat_map(|b| &b.spots).map(|s| s.color);
        scene.blocks.iter().map(|b| b.color).chain(spots)
    };
    let own = [brand.primary, brand.secondary, brand.accent, brand.text, brand.background];
    let mut moved: Vec<Color> = Vec::new();
    for color in [brand.primary, brand.secondary, brand.accent].into_iter().flatten() {
        if used().any(|ink| !own.contains(&Some(ink)) && is_moved(color, ink)) {
            moved.push(color);
        }
    }
    if page.field == Field::Base {
        moved.extend(brand.text.filter(|text| *text != page.palette.ink && used().any(|ink| ink == page.palette.ink)));
        moved.extend(brand.background.filter(|ground| differs(*ground, page.palette.bg)));
    }
    moved.dedup();
    let said = |color: Color| {
        let hex = color.to_hex();
        let message =
            format!("{hex} of the brand kit is lighter or darker where text would not be read in it or on it.");
        Warning::new(WarningCode::BrandContrastAdjusted, message)
    };
    moved.into_iter().map(said).collect()
}

/// Whether an ink is a colour in another lightness.
fn is_moved(color: Color, ink: Color) -> bool {
    let (a, b) = (color.to_oklch(), ink.to_oklch());
    let turn = (a.h - b.h).rem_euclid(360.0);
    a.c > GREY && b.c > GREY && turn.min(360.0 - turn) < HUE && differs(color, ink)
}

fn differs(a: Color, b: Color) -> bool {
    (a.to_oklch().l - b.to_oklch().l).abs() > SEEN
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::read_text;
    use crate::design::Style;
    use crate::format::Format;
    use crate::outline::Locale;
    use crate::plan::{PlanRequest, plan};
    use crate::scene::color::Oklch;
    use crate::text::Fonts;

    #[test]
    fn a_kit_whose_colours_can_not_be_read_is_said_so() {
        let text = "# Three ways to save water\n\n- Mulch first\n- Water at dawn\n- Let it go gold\n";
        let (fonts, document) = (Fonts::new(), read_text(text).unwrap());
        let warned = |brand: &Brand| {
            let request = PlanRequest {
                document: &document,
                locale: Locale { language: document.language.clone(), direction: document.direction },
                formats: vec![(Format::by_id("instagram_post").unwrap().id, None)],
                style: Style::Modern,
                seed: 7,
                written: &[],
                photo: None,
                brand: Some(brand),
            };
            let warnings = plan(&request, &fonts).unwrap().warnings;
            warnings.iter().filter(|w| w.code == WarningCode::BrandContrastAdjusted).count()
        };
        let kit =
            |background| Brand { name: "Acme".into(), background: Some(Color::hex(background)), ..Brand::default() };
        assert_eq!((warned(&kit(0x8a_8a_8a)), warned(&kit(0xff_ff_ff))), (1, 0));
    }

    #[test]
    fn a_colour_in_another_lightness_is_known_by_its_hue() {
        let brand = Color::hex(0xFF_7A_00);
        let lch = brand.to_oklch();
        assert!(is_moved(brand, Oklch { l: lch.l - 0.15, c: lch.c * 0.8, ..lch }.to_color()));
        assert!(!is_moved(brand, brand));
        assert!(!is_moved(brand, Oklch { h: lch.h + 40.0, l: 0.4, ..lch }.to_color()));
        assert!(!is_moved(Color::hex(0x20_20_20), Color::hex(0x60_60_60)));
    }
}
