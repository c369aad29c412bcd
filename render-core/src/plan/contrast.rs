//! Brand colours that are unreadable as text: pages use a lighter or darker shade, and users who expect the exact
//! colour get a warning.

use crate::design::{Background, Brand, Page};
use crate::scene::color::Oklch;
use crate::scene::{Color, Scene};
use crate::warning::{Warning, WarningCode};

/// Difference in lightness that is invisible.
const SEEN: f32 = 0.012;

/// Most degrees between two hues that count as one, with colours rounded to bytes.
const SAME_HUE: f32 = 4.0;

/// Returns a warning for each colour of the brand that a page uses in another lightness, for words or as the
/// background.
pub(super) fn adjusted(brand: &Brand, page: &Page, scene: &Scene) -> Vec<Warning> {
    let palette = &page.palette;
    let used = |color: Color| {
        let spots = scene.blocks.iter().flat_map(|b| &b.spots).map(|s| s.color);
        scene.blocks.iter().map(|b| b.color).chain(spots).any(|ink| ink == color)
    };
    let own: Vec<Color> = [brand.primary, brand.secondary, brand.accent].into_iter().flatten().collect();
    let accent = Some(palette.accent_text).filter(|ink| *ink != palette.ink && used(*ink));
    let mut moved: Vec<Color> = accent.and_then(|ink| origin(&own, ink)).into_iter().collect();
    if page.background == Background::Base {
        moved.extend(brand.text.filter(|text| differs(*text, palette.ink) && used(palette.ink)));
        moved.extend(brand.background.filter(|ground| differs(*ground, palette.bg)));
    }
    let said = |color: Color| {
        let hex = color.to_hex();
        let message =
            format!("{hex} of the brand kit would be hard to read in places; a lighter or darker shade is used there.");
        Warning::new(WarningCode::BrandContrastAdjusted, message)
    };
    moved.into_iter().map(said).collect()
}

/// Returns the colour of `own` that an ink shows in another lightness; `None` if the ink is one of them exactly, or
/// another colour.
fn origin(own: &[Color], ink: Color) -> Option<Color> {
    let of_its_hue = || own.iter().copied().filter(|color| is_one_hue(color.to_oklch(), ink.to_oklch()));
    if of_its_hue().any(|color| !differs(color, ink)) {
        return None;
    }
    // Of a light and a dark colour of the same hue, the one that best matches the ink's chroma at its lightness.
    let off = |color: &Color| {
        let moved = Oklch { l: ink.to_oklch().l, ..color.to_oklch() }.to_color();
        (moved.to_oklch().c - ink.to_oklch().c).abs()
    };
    of_its_hue().min_by(|a, b| off(a).total_cmp(&off(b)))
}

fn is_one_hue(a: Oklch, b: Oklch) -> bool {
    let apart = (a.h - b.h).abs();
    match (a.is_grey(), b.is_grey()) {
        (false, false) => apart.min(360.0 - apart) <= SAME_HUE,
        (a, b) => a && b,
    }
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
    use crate::plan::{PlanRequest, plan};
    use crate::text::Fonts;

    /// A list of things without icons.
    const LIST: &str = "# Three ways to dawdle\n\n- Loiter first\n- Linger at will\n- Let it be so\n";

    /// Returns the colours of `brand` that the single page made of `text` warns about.
    fn warned((text, style, seed): (&str, Style, u64), brand: Brand) -> Vec<String> {
        let (fonts, document) = (Fonts::new(), read_text(text).unwrap());
        let request = PlanRequest {
            brand: Some(&Brand { name: "Acme".into(), ..brand }),
            ..PlanRequest::of(&document, vec![(Format::by_id("instagram_post").unwrap().id, None)], style, seed)
        };
        let warnings = plan(&request, &fonts).unwrap().warnings;
        let of_brand = warnings.iter().filter(|w| w.code == WarningCode::BrandContrastAdjusted);
        of_brand.map(|w| w.message[..7].to_owned()).collect()
    }

    #[test]
    fn a_kit_whose_colours_can_not_be_read_is_said_so() {
        let list = (LIST, Style::MODERN, 7);
        let kit = |background| Brand { background: Some(Color::hex(background)), ..Brand::default() };
        assert_eq!(warned(list, kit(0x8a_8a_8a)), ["#8a8a8a"]);
        assert!(warned(list, kit(0xff_ff_ff)).is_empty());
        let inked = |text| Brand { text: Some(Color::hex(text)), ..Brand::default() };
        assert_eq!(warned(list, inked(0xd8_d8_d0)), ["#d8d8d0"]);
        assert!(warned(list, inked(0x10_10_10)).is_empty());
    }

    #[test]
    fn the_colour_that_words_have_is_the_one_that_is_named() {
        let kit = |primary, accent: Option<u32>| Brand {
            primary: Some(Color::hex(primary)),
            accent: accent.map(Color::hex),
            ..Brand::default()
        };
        // Each style sets words in another colour of the kit: in its metallic colour or its one accent.
        // Not every template of a list has words in it.
        let of = |style, primary, accent| -> Vec<Vec<String>> {
            (0..12)
                .map(|seed| warned((LIST, style, seed), kit(primary, accent)))
                .filter(|found| !found.is_empty())
                .collect()
        };
        let gold = of(Style::ELEGANT, 0x0e_3b_36, Some(0xf2_c1_4e));
        assert!(!gold.is_empty() && gold.iter().all(|found| *found == ["#f2c14e"]), "{gold:?}");
        assert!(of(Style::ELEGANT, 0x0e_3b_36, None).is_empty());
        let grey = of(Style::MINIMAL, 0x8a_8a_8a, None);
        assert!(!grey.is_empty() && grey.iter().all(|found| *found == ["#8a8a8a"]), "{grey:?}");
        // With a yellow brand colour, words use the ink.
        for style in [Style::MODERN, Style::MINIMAL] {
            assert!(warned((LIST, style, 9), kit(0xff_d4_00, None)).is_empty(), "{style:?}");
        }
        // A dark style lightens every colour that is too dark for it. Templates without words in the accent colour have
        // nothing to lighten.
        let deep: Vec<_> = (0..12).map(|seed| warned((LIST, Style::DARK, seed), kit(0x0b_5f_d0, None))).collect();
        assert!(deep.iter().any(|found| *found == ["#0b5fd0"]), "{deep:?}");
    }

    #[test]
    fn greys_are_of_one_hue_and_of_no_other() {
        let hue = |a: u32, b: u32| is_one_hue(Color::hex(a).to_oklch(), Color::hex(b).to_oklch());
        assert!(hue(0x8a_8a_8a, 0x40_40_40) && hue(0xff_d4_00, 0x7c_66_00));
        assert!(!hue(0x8a_8a_8a, 0xff_d4_00) && !hue(0xff_d4_00, 0xff_9e_00));
        // Hues wrap around at 360 degrees.
        assert!(is_one_hue(Oklch::new(0.5, 0.1, 359.0), Oklch::new(0.6, 0.1, 1.0)));
    }
}
