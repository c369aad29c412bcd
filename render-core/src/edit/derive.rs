//! Pages derived from designed pages: the same words in another design ([`vary`]), or the same design in another
//! language ([`reword`]). Both take a whole set (one visual or all slides of a carousel), so that its pages stay
//! consistent.

use std::ops::Range;

use crate::cancel;
use crate::compose::compose;
use crate::design::{Background, Faces, Page, SizeCaps, Slot, SlotId, Template, Theme, Writing};
use crate::inspect::inspect;
use crate::outline::Locale;
use crate::plan::{caps_of, shared_sizes, shares_sizes};
use crate::scene::Scene;
use crate::text::{Fonts, numerals};

use super::apply::{alt_text, apply, fitting, resettled};
use super::{ApplyError, Ground, Op, Target};

/// Returns the pages of a set in their `nth` variation, counted from 1: another colour scheme, other art and, if the
/// style has one, another layout and ground. Style, brand, photographs and words stay. Pages of the set with the same
/// layout get the same new layout.
pub fn vary(set: &[Target<'_>], nth: u32) -> Vec<Page> {
    let mut layouts: Vec<(Template, Option<Template>)> = Vec::new();
    for target in set {
        let from = target.page.template;
        if layouts.iter().all(|(known, _)| *known != from) {
            layouts.push((from, layout(set, from, nth)));
        }
    }
    let pages = set.iter().map(|target| {
        let to = layouts.iter().find(|(from, _)| *from == target.page.template).and_then(|(_, to)| *to);
        redesigned(target, to, nth).unwrap_or_else(|| target.page.clone())
    });
    agreed(pages.collect(), set)
}

/// Returns the new layout for all pages of a set that have the layout `from`, or `None` if they keep it.
fn layout(set: &[Target<'_>], from: Template, nth: u32) -> Option<Template> {
    let style = set.first()?.page.style;
    let same_kind = |a: &Template| a.kinds().iter().any(|kind| from.kinds().contains(kind));
    let mut others: Vec<Template> = Template::all()
        // Only some pages have a photograph.
        .filter(|a| !a.shows_photo() && *a != from)
        .filter(|a| style.uses(*a) && same_kind(a))
        .collect();
    // A page with a photograph would lose it in another layout.
    if from.shows_photo() {
        others.clear();
    }
    others.sort_by(|a, b| style.likes(*b).total_cmp(&style.likes(*a)));
    let own = set.iter().filter(|target| target.page.template == from);
    let possible = |to: Template| own.clone().all(|target| apply(&[Op::Layout(to)], target).is_ok());
    let mut choices: Vec<Option<Template>> =
        others.into_iter().filter(|to| possible(*to)).take(nth as usize).map(Some).collect();
    choices.push(None);
    choices[(nth as usize - 1) % choices.len()]
}

/// Returns a page in another design, or `None` if no part of the design can be applied.
fn redesigned(target: &Target<'_>, layout: Option<Template>, nth: u32) -> Option<Page> {
    cancel::check();
    let page = target.page;
    let theme = Theme::of(page.style);
    // A page with its own elements keeps its layout.
    let layout = layout.filter(|_| page.authored.is_none());
    let template = layout.unwrap_or(page.template);
    let mut ops: Vec<Op> = layout.map(Op::Layout).into_iter().collect();
    let schemes = theme.schemes.len() as u64;
    let scheme = page.adjust.scheme.map_or(page.seed, u64::from) + u64::from(nth);
    ops.push(Op::Scheme((scheme % schemes) as u8 + 1));
    let mut background = if template.has_own_field() { Background::Base } else { page.background };
    // The grounds of carousel slides depend on their position and stay.
    if page.slide.is_none() && !template.has_own_field() {
        const GROUNDS: [Ground; 3] = [Ground::Own, Ground::Accent, Ground::Close];
        let at = GROUNDS.iter().position(|g| *g == Ground::of(page.background)).unwrap_or(0);
        let ground = GROUNDS[(at + (nth + nth / 3) as usize) % GROUNDS.len()];
        background = ground.background();
        ops.push(Op::Ground(ground));
    }
    // A picture shows the page's content and fits any look, so art replaces it only when the colour scheme repeats.
    let same_colours = u64::from(nth).is_multiple_of(schemes);
    if let Some(art) = page.art.filter(|_| page.picture.is_none() || same_colours) {
        let at = theme.lead_art.iter().position(|r| *r == art.recipe).unwrap_or(0);
        let recipe = fitting(theme.lead_art[(at + nth as usize) % theme.lead_art.len()], background);
        ops.push(Op::Art { recipe: Some(recipe), variant: u8::try_from(nth + 1).unwrap_or(u8::MAX) });
    }
    // If the ops can't be applied together, drop them one by one from the end: the art first, then the ground.
    (0..ops.len()).find_map(|left_out| apply(&ops[..ops.len() - left_out], target).ok()).map(|applied| applied.page)
}

/// Returns the pages of a set in another language. `said` has the new words of each page by slot, with the emphasised
/// byte ranges. Slots that it doesn't name keep their words.
///
/// # Errors
/// [`ApplyError`] if a page has no room for the new words in any layout.
pub fn reword(set: &[Target<'_>], said: &[Vec<Reworded>], locale: &Locale) -> Result<Vec<Page>, ApplyError> {
    let words: String = said.iter().flatten().map(|slot| slot.text.as_str()).collect();
    let mut pages = Vec::with_capacity(set.len());
    for (target, said) in set.iter().zip(said) {
        cancel::check();
        let mut page = target.page.clone();
        page.faces = faces(target, &words, locale);
        page.locale = locale.clone();
        if page.writing == Writing::Vertical && locale.language.primary() != "ja" {
            page.writing = Writing::Horizontal;
        }
        page.sizes = SizeCaps::default();
        for slot in &mut page.slots {
            reworded(slot, said, locale);
        }
        page.alt_text = alt_text(&page);
        pages.push(settled(target, page)?);
    }
    Ok(agreed(pages, set))
}

/// New words of a slot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reworded {
    /// Which slot.
    pub slot: SlotId,
    /// Its new text.
    pub text: String,
    /// The emphasised byte ranges of the text, in order and without overlap.
    pub emphasis: Vec<Range<u32>>,
}

fn reworded(slot: &mut Slot, said: &[Reworded], locale: &Locale) {
    if let Some(new) = said.iter().find(|new| new.slot == slot.id) {
        slot.text.clone_from(&new.text);
        slot.emphasis.clone_from(&new.emphasis);
        slot.span = None;
    } else if let (SlotId::Number, Ok(number)) = (slot.id, slot.text.parse()) {
        slot.text = numerals(number, &locale.language);
    }
}

/// Returns the typefaces for a page whose words change to `words`. A typeface of the page stays if it covers them.
fn faces(target: &Target<'_>, words: &str, locale: &Locale) -> Faces {
    let (page, fonts) = (target.page, target.fonts);
    let has = |family| fonts.covers_text(family, words);
    let other = || Theme::of(page.style).choose_faces(words, &locale.language, page.seed, fonts);
    if has(page.faces.display) && has(page.faces.body) {
        return page.faces;
    }
    let other = other();
    let keep = |own, other| if has(own) { own } else { other };
    Faces {
        display: keep(page.faces.display, other.display),
        body: keep(page.faces.body, other.body),
        data: keep(page.faces.data, other.data),
    }
}

/// Fits the page to its words in its own layout, else in another layout of the same kind.
fn settled(target: &Target<'_>, page: Page) -> Result<Page, ApplyError> {
    let refusal = match resettled(target, page.clone()) {
        Ok(page) => return Ok(page),
        Err(refusal) => refusal,
    };
    let style = page.style;
    let from = page.template;
    let others = Template::all().filter(|a| {
        *a != from && style.uses(*a) && !a.shows_photo() && a.kinds().iter().any(|k| from.kinds().contains(k))
    });
    let mut found = others.filter_map(|template| {
        let page = Page { template, authored: None, whole: false, ..page.clone() };
        resettled(target, page).ok()
    });
    found.next().ok_or(refusal)
}

/// Gives the pages of a set the same text sizes. A page without room at these sizes keeps its own.
fn agreed(pages: Vec<Page>, set: &[Target<'_>]) -> Vec<Page> {
    let Some(fonts) = set.first().map(|target| target.fonts) else { return pages };
    let sharing = |page: &Page| page.slide.is_some() && page.template.kinds().iter().any(|k| shares_sizes(page, *k));
    let scenes: Vec<Scene> = pages.iter().filter(|page| sharing(page)).map(|page| compose(page, fonts).scene).collect();
    let sizes = shared_sizes(scenes.iter());
    pages.into_iter().map(|page| if sharing(&page) { resized(page, sizes, fonts) } else { page }).collect()
}

fn resized(page: Page, sizes: SizeCaps, fonts: &Fonts) -> Page {
    let sized = Page { sizes: caps_of(&page, sizes), ..page.clone() };
    let composed = compose(&sized, fonts);
    if composed.fits && inspect(&composed.scene, &sized, None).passed { sized } else { page }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::{Art, Style};
    use crate::format::Format;
    use crate::plan::specimens::specimen;

    const VARIANTS: u32 = 10;

    fn specimens(style: Style, fonts: &Fonts) -> Vec<Page> {
        let format = Format::by_id("instagram_post").unwrap().id;
        Template::all().filter_map(|a| specimen(a, style, format, 3, fonts)).collect()
    }

    fn words(page: &Page) -> Vec<(SlotId, &str)> {
        page.slots.iter().map(|slot| (slot.id, slot.text.as_str())).collect()
    }

    /// The most visible properties of a page.
    fn look(page: &Page) -> (Template, Background, String, Option<Art>) {
        (page.template, page.background, page.palette.bg.to_hex() + &page.palette.accent.to_hex(), page.art)
    }

    #[test]
    fn variations_say_the_same_in_designs_of_their_own() {
        let fonts = Fonts::new();
        for (i, style) in Style::all().enumerate() {
            // Every template meets half of the styles.
            for page in specimens(style, &fonts).into_iter().skip(i % 2).step_by(2) {
                let target = Target::new(&page, 1, None, &fonts);
                let mut looks = vec![look(&page)];
                for nth in 1..=VARIANTS {
                    let varied = vary(std::slice::from_ref(&target), nth);
                    let [varied] = varied.as_slice() else { panic!("one page makes one") };
                    assert_eq!(words(varied), words(&page), "{style:?} {:?}", page.template);
                    assert_eq!(varied.style, page.style);
                    let composed = compose(varied, &fonts);
                    assert!(inspect(&composed.scene, varied, None).passed, "{style:?} {:?} {nth}", page.template);
                    looks.push(look(varied));
                }
                looks.dedup();
                assert_eq!(looks.len(), VARIANTS as usize + 1, "{style:?} {:?}: neighbours look alike", page.template);
            }
        }
    }

    #[test]
    fn a_translation_keeps_the_design() {
        let fonts = Fonts::new();
        let locale = |tag: &str| {
            let language: crate::content::Language = tag.parse().unwrap();
            Locale { direction: language.direction(), language }
        };
        // The same words go into every slot. They are longer than the text of some pages, so a few pages may have no
        // room.
        let mut refused = 0;
        for (tag, text) in [("de", "Überraschend einfach erklärt"), ("ja", "静かな夜に眠る"), ("ar", "نم جيدا كل ليلة")]
        {
            for style in [Style::MODERN, Style::ELEGANT, Style::BOLD] {
                for page in specimens(style, &fonts) {
                    let target = Target::new(&page, 1, None, &fonts);
                    let said = page
                        .slots
                        .iter()
                        .filter(|s| matches!(s.id, SlotId::Title | SlotId::Body | SlotId::ItemHead(_)));
                    let said = said.map(|s| Reworded { slot: s.id, text: text.into(), emphasis: Vec::new() }).collect();
                    let reworded = reword(std::slice::from_ref(&target), &[said], &locale(tag));
                    let Ok(pages) = reworded else {
                        refused += 1;
                        continue;
                    };
                    let new = &pages[0];
                    assert_eq!((new.style, new.palette, new.background), (page.style, page.palette, page.background));
                    assert_eq!(new.locale.language.primary(), tag);
                    assert!(page.text(SlotId::Title).is_none() || new.text(SlotId::Title) == Some(text));
                    assert!(page.text(SlotId::Title).is_none() || new.alt_text.contains(text), "{}", new.alt_text);
                    let composed = compose(new, &fonts);
                    assert!(composed.warnings.is_empty(), "{:?}", composed.warnings);
                    assert!(inspect(&composed.scene, new, None).passed);
                }
            }
        }
        assert!(refused <= 8, "{refused} pages have no room for a translation");
    }
}
