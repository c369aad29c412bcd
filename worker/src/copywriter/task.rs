//! One set of pages that a model writes: what it is asked for, and how an answer is checked.

use std::collections::{BTreeMap, BTreeSet};

use fleet::llm::Budget;
use render_core::author::{Commission, Fault, Licence, Reading};
use render_core::content::{Evidence, Idea};
use render_core::format::{Density, FormatId, Purpose};
use render_core::outline::{Locale, Outline, facts};
use render_core::plan::{self, PlanRequest};

use super::brief::Brief;
use super::order::Order;

/// Facts of an idea that its pages must contain; if there are more, none is required.
const KEPT: usize = 8;

/// Formats that share pages: the same count, purpose and reading distance.
pub(super) struct Set {
    pub formats: Vec<FormatId>,
    pub slides: Option<u32>,
    purpose: Purpose,
    density: Density,
}

/// The result of checking an answer.
pub(super) struct Judged {
    pub outline: Outline,
    /// What is wrong with it.
    pub faults: Vec<Fault>,
    /// The pages that the faults concern; empty if they concern the whole set.
    pub pages: Vec<usize>,
}

/// One set of pages that is being written.
pub(super) struct Task<'a> {
    pub order: &'a Order<'a>,
    pub set: &'a Set,
    pub commission: Commission<'a>,
    pub brief: Option<&'a Brief>,
    pub budget: &'a Budget,
    pub max_tokens: u32,
}

/// Checks the content of an answer, and how its pages fit each of the formats.
pub(super) fn judge(task: &Task<'_>, answer: &str) -> Result<Judged, Vec<Fault>> {
    let Reading { outline, faults } = task.commission.read(answer)?;
    let mut all = faults;
    let request = request(task.order, task.set, &[]);
    for (nth, format) in task.set.formats.iter().enumerate() {
        for (index, found) in plan::faults(&request, *format, &outline, task.order.fonts) {
            let faults = found.iter().map(|fault| Fault::of_page(index, fault, &outline.pages[index]));
            all.extend(faults.map(|fault| if nth == 0 { fault } else { fault.within(format.format()) }));
        }
    }
    Ok(Judged { outline, pages: pages_of(&all), faults: all })
}

/// Returns the pages that faults concern, in order; empty if one of them concerns the whole set.
pub(super) fn pages_of(faults: &[Fault]) -> Vec<usize> {
    let pages: Option<BTreeSet<usize>> = faults.iter().map(Fault::page).collect();
    pages.unwrap_or_default().into_iter().collect()
}

/// Returns the plan request for the pages of a set.
pub(super) fn request<'a>(order: &Order<'a>, set: &Set, written: &'a [(FormatId, Outline)]) -> PlanRequest<'a> {
    PlanRequest {
        document: order.document,
        locale: Locale { language: order.language.clone(), direction: order.language.direction() },
        formats: set.formats.iter().map(|format| (*format, set.slides)).collect(),
        style: order.look.style,
        seed: order.seed,
        written,
        photo: order.photo,
        pictures: order.pictures,
        brand: order.brand,
        scheme: order.look.scheme,
    }
}

/// Groups the formats of an order that can share pages.
pub(super) fn sets(formats: &[(FormatId, Option<u32>)]) -> Vec<Set> {
    let mut sets: BTreeMap<(Option<u32>, u8, u8), Set> = BTreeMap::new();
    for (id, slides) in formats {
        let format = id.format();
        let (purpose, density) = (format.purpose, format.density);
        let set = sets.entry((*slides, purpose as u8, density as u8));
        set.or_insert(Set { formats: Vec::new(), slides: *slides, purpose, density }).formats.push(*id);
    }
    sets.into_values().collect()
}

pub(super) fn commission<'a>(order: &Order<'a>, evidence: &'a Evidence, set: &Set) -> Commission<'a> {
    let translated = order.language.primary() != order.source_language.primary();
    Commission {
        slides: set.slides,
        purpose: set.purpose,
        density: set.density,
        title: order.title,
        language: order.language,
        source_language: order.source_language,
        source: order.source,
        evidence,
        licence: if order.idea.is_some() { Licence::Idea } else { Licence::Source },
        count: order.idea.and_then(|idea| idea.count),
        kept: order.idea.map_or_else(Vec::new, |idea| kept(idea, order.source, translated)),
        photos: order.photos().len(),
    }
}

/// Returns the facts of an idea that its pages must contain, because a reader would act on them. In another language
/// numbers may be written differently; codes and addresses are not.
fn kept(idea: &Idea, source: &str, translated: bool) -> Vec<String> {
    // The count is checked by counting the things themselves.
    let count = idea.count.map(|n| n.to_string());
    let is_number = |fact: &String| fact.chars().all(|c| !c.is_alphabetic());
    let facts: Vec<String> =
        facts(source).into_iter().filter(|f| !(translated && is_number(f)) && Some(f) != count.as_ref()).collect();
    // An idea that is a whole text has too many facts for a page.
    if facts.len() <= KEPT { facts } else { Vec::new() }
}

#[cfg(test)]
mod tests {
    use render_core::format::Format;

    use super::*;

    #[test]
    fn formats_that_the_same_pages_serve_share_a_call() {
        let of = [
            ("instagram_post", None),
            ("instagram_story", None),
            ("linkedin_post", None),
            ("tiktok_carousel", Some(5)),
            ("instagram_carousel", Some(5)),
            ("linkedin_carousel", Some(6)),
        ]
        .map(|(id, slides)| (Format::by_id(id).unwrap().id, slides));
        let sets = sets(&of);
        assert_eq!(sets.iter().map(|s| s.formats.len()).sum::<usize>(), of.len());
        assert!((3..=4).contains(&sets.len()), "{}", sets.len());
    }
}
