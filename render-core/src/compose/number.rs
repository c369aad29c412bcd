//! Moves a page to another position of its carousel.

use crate::design::{Page, Slide, SlotId, Writing};
use crate::outline::Locale;
use crate::text::{kanji_numerals, numerals};

/// Returns the page counter as the foot shows it: "3 / 8".
pub(super) fn counter(slide: Slide, locale: &Locale, writing: Writing) -> String {
    let written = |n| match writing {
        Writing::Vertical => kanji_numerals(n),
        Writing::Horizontal => numerals(n, &locale.language),
    };
    format!("{} / {}", written(slide.index + 1), written(slide.count))
}

/// Returns a page as another slide of its carousel, in the same layout variant. Its template numbers it. In the text of
/// a page that an editor rewrote, the element `counter` is updated if it still shows the old counter.
pub fn renumbered(page: &Page, slide: Slide) -> Page {
    let mut moved = Page { slide: Some(slide), ..page.clone() };
    moved.adjust.variant = Some(page.variant()).filter(|variant| *variant != moved.variant_by_place());
    let Some(was) = page.slide.filter(|_| page.whole) else { return moved };
    let said = |slide| counter(slide, &page.locale, page.writing);
    let own = moved.slots.iter_mut().find(|slot| slot.id == SlotId::Counter && slot.text == said(was));
    if let Some(own) = own {
        own.text = said(slide);
    }
    moved
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compose::{compose, rewritten, text, written};
    use crate::design::{Style, Template};
    use crate::format::Format;
    use crate::plan::specimens::specimen;
    use crate::text::Fonts;

    #[test]
    fn pages_keep_their_look_wherever_they_move() {
        let fonts = Fonts::new();
        let format = Format::by_id("linkedin_carousel").expect("a format").id;
        let mut seen = 0;
        for template in Template::all() {
            let Some(page) = specimen(template, Style::MODERN, format, 3, &fonts) else { continue };
            let page = renumbered(&page, Slide { index: 2, count: 6 });
            let moved = renumbered(&page, Slide { index: 3, count: 6 });
            let shape = |page: &Page| written(page).map(|text| text.replace("4 / 6", "3 / 6"));
            assert_eq!(shape(&moved), shape(&page), "{}", template.name());
            seen += 1;
        }
        assert!(seen > 40);
    }

    #[test]
    fn pages_say_their_number_wherever_they_move_also_those_that_an_editor_rewrote() {
        let fonts = Fonts::new();
        let format = Format::by_id("linkedin_carousel").expect("a format").id;
        let page = specimen(Template::named("point-lead"), Style::MODERN, format, 3, &fonts).expect("a specimen");
        let page = renumbered(&page, Slide { index: 2, count: 4 });
        let own = rewritten(&text(&page).expect("a text")).expect("a page");
        let whole = Page { authored: Some(own.text), whole: true, slots: own.slots, ..page.clone() };
        for page in [page, whole] {
            let moved = renumbered(&page, Slide { index: 1, count: 5 });
            let said = text(&moved).expect("a text");
            assert!(said.contains("2 / 5") && !said.contains("3 / 4"), "{said}");
            assert_ne!(compose(&moved, &fonts).scene, compose(&page, &fonts).scene);
            assert_eq!(renumbered(&moved, Slide { index: 2, count: 4 }), page, "and back");
        }
    }
}
