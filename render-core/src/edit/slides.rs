//! Slides that show new words in the look of an existing slide: new slides, and the halves of a slide that is split.

use crate::compose::{compose, repainted, shows_all};
use crate::content::segment::sentences;
use crate::content::words;
use crate::design::{Adjust, Page, Slide, Slot, SlotId};
use crate::outline::{PageKind, PageOutline, RevisedItem, RevisedPage, Sources};
use crate::plan::specimens::{Sample, blank, sample};
use crate::plan::{outline_of, suited};

use super::apply::{alt_text, resettled};
use super::{ApplyError, Target};

/// The number of layouts to try.
const TRIED: usize = 8;

/// Returns the content of a page.
pub fn page_text(page: &Page) -> RevisedPage {
    RevisedPage::of(&outline_of(page))
}

/// Returns a page with the content `words` in the look of the page of `like`, as the slide `slide`. It keeps the layout
/// of that page if the layout suits the words.
///
/// # Errors
/// [`ApplyError`] if no layout of the style has room for the words.
pub fn restated(like: &Target<'_>, words: &RevisedPage, slide: Slide) -> Result<Page, ApplyError> {
    let page = like.page;
    let document = blank(&page.locale);
    let outline = words.outline(&Sources::of(&document));
    let mut layouts = suited(&outline, page);
    let own = page.template;
    if page.authored.is_none() && own.kinds().contains(&words.kind) && !own.shows_photo() {
        layouts.retain(|layout| *layout != own);
        layouts.insert(0, own);
    }
    for template in layouts.into_iter().take(TRIED) {
        let sampled = Sample {
            said: &outline,
            template,
            locale: &page.locale,
            style: page.style,
            format: page.format,
            seed: page.seed,
            brand: like.brand,
            place: (slide.index as usize, slide.count as usize),
        };
        let Some(new) = sample(&sampled, like.fonts) else { continue };
        let Ok(new) = resettled(like, styled_like(like, &outline, new)) else { continue };
        if shows_all(&new, &compose(&new, like.fonts).scene) {
            return Ok(new);
        }
    }
    Err(ApplyError("No layout has room for what this slide is to say. Shorten it, or split it.".to_owned()))
}

/// Gives a new page the colours, typefaces and kicker of the page of `like`.
fn styled_like(like: &Target<'_>, outline: &PageOutline, new: Page) -> Page {
    let page = like.page;
    let kept = Adjust {
        scheme: page.adjust.scheme,
        unnumbered: page.adjust.unnumbered,
        logo: page.adjust.logo,
        ..Adjust::default()
    };
    let same = new.template == page.template && page.authored.is_none();
    let mut new = Page {
        faces: page.faces,
        scheme: page.scheme,
        adjust: if same { Adjust { highlight: None, ..page.adjust.clone() } } else { kept },
        sizes: if same { page.sizes } else { new.sizes },
        background: if same { page.background } else { new.background },
        ..new
    };
    let kicker = page.text(SlotId::Kicker).filter(|_| outline.kicker.is_none() && outline.kind != PageKind::Cover);
    if let Some(text) = kicker {
        let at = usize::from(new.slots.first().is_some_and(|slot| slot.id == SlotId::Brand));
        let slot = Slot { id: SlotId::Kicker, text: text.to_owned(), span: None, emphasis: Vec::new() };
        new.slots.insert(at, slot);
    }
    new.palette = repainted(&new, like.brand, new.background, false);
    new.logo = like.brand.and_then(|brand| brand.logo_on(new.palette.bg)).cloned();
    new.alt_text = alt_text(&new);
    new
}

/// Splits the content of a slide in two. Returns `None` if it has fewer than two items and fewer than two
/// sentences. Both halves have the headline; attribution, note and call to action are on the second.
pub fn halves(words: &RevisedPage, language: &str) -> Option<[RevisedPage; 2]> {
    let (first, second) = match words.items.len() {
        0 | 1 => {
            let (before, after) = parted(words.text.as_deref()?, language)?;
            let with = |text: &str| RevisedPage { text: Some(text.to_owned()), ..words.clone() };
            (with(before), with(after))
        }
        count => {
            let (before, after) = words.items.split_at(count.div_ceil(2));
            let with = |items: &[RevisedItem]| RevisedPage { items: items.to_vec(), ..words.clone() };
            // The second list continues the numbering.
            let counts = words.number.is_some() || words.kind == PageKind::Process;
            let number = counts.then(|| words.number.unwrap_or(1) + before.len() as u32);
            (with(before), RevisedPage { number, text: None, ..with(after) })
        }
    };
    Some([RevisedPage { attribution: None, note: None, action: None, ..first }, second])
}

/// Splits a text between sentences into two parts of similar length.
fn parted<'t>(text: &'t str, language: &str) -> Option<(&'t str, &'t str)> {
    let middle = text.len() / 2;
    let ends = sentences(text, words::of(language)).into_iter().map(|sentence| sentence.end);
    let inner = ends.filter(|end| *end < text.len());
    let at = inner.min_by_key(|end| end.abs_diff(middle))?;
    let (before, after) = (text.get(..at)?.trim(), text.get(at..)?.trim());
    (!before.is_empty() && !after.is_empty()).then_some((before, after))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::{Style, Template};
    use crate::format::Format;
    use crate::plan::specimens::specimen;
    use crate::text::Fonts;

    fn page(template: &str, fonts: &Fonts) -> Page {
        let format = Format::by_id("linkedin_carousel_portrait").expect("a format").id;
        specimen(Template::named(template), Style::MODERN, format, 3, fonts).expect("a specimen")
    }

    fn saying(json: &str) -> RevisedPage {
        serde_json::from_str(json).expect("a page")
    }

    #[test]
    fn new_slides_say_their_words_in_the_look_of_another() {
        let fonts = Fonts::new();
        let like = page("point-lead", &fonts);
        let target = Target::new(&like, 1, None, &fonts);
        let slide = Slide { index: 2, count: 9 };
        for (json, says) in [
            (r#"{"kind": "point", "title": "Any questions?"}"#, "Any questions?"),
            (r#"{"kind": "list", "title": "Bring", "items": [{"title": "A pen"}, {"title": "Paper"}]}"#, "Paper"),
            (r#"{"kind": "stat", "title": "of plants need less water", "figure": {"value": "64", "unit": "%"}}"#, "64"),
            (r#"{"kind": "quote", "title": "Less is more", "attribution": "A gardener"}"#, "A gardener"),
        ] {
            let new = restated(&target, &saying(json), slide).expect(json);
            assert_eq!((new.style, new.faces, new.slide), (like.style, like.faces, Some(slide)));
            assert!(new.slots.iter().any(|slot| slot.text == says), "{json}: {:?}", new.slots);
            assert_eq!(new.text(SlotId::Kicker), like.text(SlotId::Kicker));
        }
        let long = format!(r#"{{"kind": "point", "title": "{}"}}"#, "word ".repeat(300));
        assert!(restated(&target, &saying(&long), slide).is_err());
    }

    #[test]
    fn a_slide_is_split_between_its_points_or_sentences() {
        let fonts = Fonts::new();
        let list = page("list-numbered", &fonts);
        let said = page_text(&list);
        let [first, second] = halves(&said, "en").expect("several points");
        assert_eq!([&first.items[..], &second.items[..]].concat(), said.items);
        assert_eq!((&first.title, &second.title), (&said.title, &said.title));
        let target = Target::new(&list, 1, None, &fonts);
        for half in [&first, &second] {
            let slide = Slide { index: 3, count: 8 };
            let new = restated(&target, half, slide).expect("less than before");
            assert_eq!(new.template, list.template, "its layout stays");
        }
        let text =
            saying(r#"{"kind": "point", "title": "T", "text": "Water late. Dr. Ba agrees. Mulch!", "note": "N"}"#);
        let [first, second] = halves(&text, "en").expect("several sentences");
        assert_eq!(first.text.as_deref(), Some("Water late."));
        assert_eq!(second.text.as_deref(), Some("Dr. Ba agrees. Mulch!"));
        assert_eq!((first.note, second.note.as_deref()), (None, Some("N")));
        assert!(halves(&saying(r#"{"kind": "point", "title": "T", "text": "One sentence."}"#), "en").is_none());
    }
}
