//! Random pages of all declared elements and attributes: each either is laid out or reports faults, and what is laid
//! out stays inside its boxes.

use proptest::prelude::*;

use super::*;
use crate::design::{STYLE_NAMES, Style};
use crate::elements::VOCABULARY;
use crate::format::Format;
use crate::inspect::inspect;
use crate::text::Fonts;

const FORMATS: [&str; 6] = [
    "instagram_post",
    "instagram_square",
    "instagram_story",
    "presentation_slide",
    "twitter_header",
    "instagram_carousel",
];
proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn pages_made_by_chance_are_set_or_refused(seed in any::<u64>()) {
        static FONTS: std::sync::OnceLock<Fonts> = std::sync::OnceLock::new();
        let fonts = FONTS.get_or_init(Fonts::new);
        let text = random::random(seed);
        let chance = |n: usize, count: usize| (crate::design::drawn(seed, n as u64) % count as u64) as usize;
        let format = Format::by_id(FORMATS[chance(1, FORMATS.len())]).expect("a format");
        let style = Style::all().nth(chance(2, STYLE_NAMES.len())).expect("a style");
        let written =
            Written { text: &text, format, style, brand: None, language: None, photos: Vec::new(), seed, fonts };
        match leaves(written) {
            Err(faults) => prop_assert!(!faults.is_empty()),
            Ok(leaves) => {
                let composed = leaves[0].compose(fonts).expect("it was set before");
                let quality = inspect(&composed.scene, &leaves[0], None);
                let canvas = crate::scene::Rect::new(0.0, 0.0, composed.scene.size.w, composed.scene.size.h);
                for block in composed.scene.blocks.iter().filter(|b| !b.lines.is_empty()) {
                    prop_assert!(canvas.contains(&block.slot_box, 1.0), "{}: {block:?}\n{text}", format.id);
                }
                let overflow = quality.checks.iter().find(|c| c.name == "text_overflow").expect("it is measured");
                prop_assert!(overflow.passed, "{} {style:?}: {overflow:?}\n{text}", format.id);
                let again = crate::markup::parse(&leaves[0].markup, &VOCABULARY).expect("its own text");
                prop_assert_eq!(crate::markup::print(&again), leaves[0].markup.clone());
            }
        }
    }
}
