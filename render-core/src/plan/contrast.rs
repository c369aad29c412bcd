//! Colours of a brand that text can't be read in as they are: they are lighter or darker there, and whoever looks for the
//! exact ones should know.

use crate::design::{Brand, Field, Page};
use crate::scene::{Color, Scene};
use crate::warning::{Warning, WarningCode};

/// Lightness that nobody sees the difference of.
const SEEN: f32 = 0.012;

/// A warning for each colour of the brand that words of a page, or the ground under all of them, have in another lightness.
pub(super) fn adjusted(brand: &Brand, page: &Page, scene: &Scene) -> Vec<Warning> {
    let palette = &page.palette;
    let used = |color: Color| {
        let spots = scene.blocks.iter().flat_map(|b| &b.spots).map(|s| s.color);
        scene.blocks.iter().map(|b| b.color).chain(spots).any(|ink| ink == color)
    };
    let own = |color: &Color| [brand.primary, brand.secondary, brand.accent].contains(&Some(*color));
    let mut moved: Vec<Color> = Vec::new();
    moved.extend(
        Some(palette.accent).filter(own).filter(|c| differs(*c, palette.accent_text) && used(palette.accent_text)),
    );
    if page.field == Field::Base {
        moved.extend(brand.text.filter(|text| differs(*text, palette.ink) && used(palette.ink)));
        moved.extend(brand.background.filter(|ground| differs(*ground, palette.bg)));
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
        let inked = |text| Brand { name: "Acme".into(), text: Some(Color::hex(text)), ..Brand::default() };
        assert_eq!((warned(&inked(0xd8_d8_d0)), warned(&inked(0x10_10_10))), (1, 0));
    }
}
