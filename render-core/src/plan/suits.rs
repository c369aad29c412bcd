//! Scores how well templates suit a page that is already designed.

use super::art_direction::in_columns;
use super::choice::{Context, fit, templates};
use super::facts::Around;
use super::photos::Seen;
use super::{illustrate, specimens};
use crate::content::{Span, words};
use crate::design::{Page, SlotId, Template};
use crate::format::Format;
use crate::outline::{Copy, Figure, ItemCopy, PageKind, PageOutline};

/// Returns how well a template suits a page's content by the template's header, 0–1; `None` if the header rules it out.
pub(crate) fn suits(page: &Page, template: Template) -> Option<f32> {
    let format = Format::by_id(page.format.as_str())?;
    let kinds = page.template.kinds().iter().filter(|kind| template.kinds().contains(kind));
    let score = |kind: &PageKind| fit(template, &outlined(page, *kind), format, around(page, format, *kind));
    kinds.filter_map(score).max_by(f32::total_cmp)
}

/// Returns whether a template shows the same parts that a page has: items, sentences about them, a figure.
pub(crate) fn is_alike(page: &Page, template: Template) -> bool {
    let specimen = specimens::outline_of(template);
    let own = outline_of(page);
    let parts = |said: &PageOutline| {
        (!said.items.is_empty(), said.items.iter().any(|item| item.body.is_some()), said.figure.is_some())
    };
    parts(&specimen) == parts(&own) && page.template.kinds().iter().any(|kind| template.kinds().contains(kind))
}

/// Returns the templates that can show `said` in the style, language and format of `like`, best first. Templates that
/// show a photograph are left out.
pub(crate) fn suited(said: &PageOutline, like: &Page) -> Vec<Template> {
    let Some(format) = Format::by_id(like.format.as_str()) else { return Vec::new() };
    let around = Around {
        picture: illustrate::best(said, &like.locale.language).is_some(),
        photo: None,
        ..around(like, format, said.kind)
    };
    let all = templates(said, format, like.style, Context { before: &[], around });
    all.into_iter().map(|(template, _)| template).filter(|template| !template.shows_photo()).collect()
}

fn around(page: &Page, format: &Format, kind: PageKind) -> Around {
    Around {
        photo: page.photo.as_ref().map(Seen::of),
        art: page.art.map(|art| art.recipe),
        picture: page.picture.is_some(),
        columns: in_columns(page.style, &page.locale.language, format, kind),
        language: words::of(page.locale.language.primary()).code,
        seed: page.seed,
    }
}

/// Returns the content of a page as an outline of the kind that its layout suits best.
pub(crate) fn outline_of(page: &Page) -> PageOutline {
    let format = Format::by_id(page.format.as_str());
    let fits = |kind: PageKind| {
        let format = format?;
        fit(page.template, &outlined(page, kind), format, around(page, format, kind))
    };
    let kinds = page.template.kinds().iter().copied();
    let best = kinds.max_by(|a, b| fits(*a).unwrap_or(-1.0).total_cmp(&fits(*b).unwrap_or(-1.0)));
    outlined(page, best.unwrap_or(PageKind::Point))
}

/// Returns the content of a page as an outline of the given kind.
fn outlined(page: &Page, kind: PageKind) -> PageOutline {
    let copy = |slot| page.text(slot).map(|text| Copy { wordings: vec![text.to_owned()], span: None });
    let item = |n: u8| {
        let data = page.items.get(usize::from(n));
        let cells = (0..u8::MAX).map_while(|cell| copy(SlotId::Cell(n, cell))).collect();
        let head = copy(SlotId::ItemHead(n))?;
        Some(ItemCopy {
            label: copy(SlotId::ItemLabel(n)),
            cells,
            numbers: data.map(|data| data.numbers.clone()).unwrap_or_default(),
            group: data.map_or(0, |data| data.group),
            done: data.is_some_and(|data| data.done),
            ..ItemCopy::new(head, copy(SlotId::ItemBody(n)))
        })
    };
    let figure = page.text(SlotId::Value).map(|value| Figure {
        value: value.to_owned(),
        unit: page.text(SlotId::Unit).unwrap_or_default().to_owned(),
        number: page.art.and_then(|art| art.value).map_or(0.0, f64::from),
        span: Span { start: 0, end: 0 },
    });
    PageOutline {
        kicker: copy(SlotId::Kicker),
        title: copy(SlotId::Title),
        body: copy(SlotId::Body),
        items: (0..u8::MAX).map_while(item).collect(),
        groups: (0..u8::MAX).map_while(|n| copy(SlotId::Group(n))).collect(),
        figure,
        number: page.text(SlotId::Number).and_then(|number| number.parse().ok()),
        attribution: copy(SlotId::Attribution),
        note: copy(SlotId::Note),
        cta: copy(SlotId::Cta),
        ..PageOutline::blank(kind, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::Style;
    use crate::plan::specimens::specimen;
    use crate::text::Fonts;

    #[test]
    fn headers_rule_out_templates_for_other_content() {
        let fonts = Fonts::new();
        let format = Format::by_id("linkedin_carousel_portrait").expect("a format").id;
        let page =
            |template| specimen(Template::named(template), Style::MODERN, format, 3, &fonts).expect("a specimen");
        let lead = page("point-lead");
        assert!(suits(&lead, lead.template).is_some());
        assert!(suits(&lead, Template::named("point-rows")).is_none(), "there are no items for its rows");
        assert!(suits(&page("point-rows"), Template::named("point-rows")).is_some());
        assert!(suits(&lead, Template::named("big-stat")).is_none());
    }
}
