//! Applies the source guard: words without a source are removed from pages.

use crate::content::Evidence;
use crate::outline::{Copy, ItemCopy, Outline, PageKind, PageOutline};
use crate::warning::{Warning, WarningCode, quoted};

/// Removes the wordings that the source doesn't support from a page. Returns `None` if the page would lose its
/// headline, its figure or all of its items.
pub(super) fn vetted(page: PageOutline, evidence: &Evidence) -> Option<PageOutline> {
    let said = |words: &str| evidence.allows(words).is_ok();
    let quoted = |words: &str| said(words) && evidence.allows_quotation(words).is_ok();
    let keep = |copy: Option<Copy>| copy.and_then(|c| kept(c, said));
    let (had_title, had_items) = (page.title.is_some(), !page.items.is_empty());
    let title = match page.kind {
        PageKind::Quote => page.title.and_then(|c| kept(c, quoted)),
        _ => keep(page.title),
    };
    let items: Vec<ItemCopy> = page
        .items
        .into_iter()
        .filter_map(|item| {
            let cells = item.cells.into_iter().map(|c| kept(c, said)).collect::<Option<Vec<Copy>>>()?;
            let (head, body, label) = (kept(item.head, said)?, keep(item.body), keep(item.label));
            Some(ItemCopy { head, body, label, cells, ..item })
        })
        .collect();
    let groups = page.groups.into_iter().map(|g| kept(g, said)).collect::<Option<Vec<Copy>>>()?;
    let true_figure = page.figure.as_ref().is_none_or(|f| said(&format!("{} {}", f.value, f.unit)));
    if had_title && title.is_none() || had_items && items.is_empty() || !true_figure {
        return None;
    }
    let (kicker, body) = (keep(page.kicker), keep(page.body));
    let (attribution, note, cta) = (keep(page.attribution), keep(page.note), keep(page.cta));
    Some(PageOutline { kicker, title, body, note, items, groups, attribution, cta, ..page })
}

/// Builds a page from the supported parts of a page that isn't supported as a whole: the first copy with a supported
/// wording becomes the headline, the next one the text. Returns `None` if there is none.
pub(super) fn salvaged(page: &PageOutline, evidence: &Evidence) -> Option<PageOutline> {
    let said = |words: &str| evidence.allows(words).is_ok();
    // A quotation that isn't in the source is no statement of the source either.
    let title = page.title.as_ref().filter(|_| page.kind != PageKind::Quote);
    let items = page.items.iter().flat_map(|item| [Some(&item.head), item.body.as_ref()]).flatten();
    let mut copies = title.into_iter().chain(&page.body).chain(items).filter_map(|copy| kept(copy.clone(), said));
    let (title, body) = (copies.next()?, copies.next());
    let kind = if page.kind == PageKind::Cover { PageKind::Cover } else { PageKind::Point };
    Some(PageOutline { title: Some(title), body, ..PageOutline::blank(kind, page.score) })
}

/// Returns a warning that names what a page lost when it was vetted.
pub(super) fn lost(before: &PageOutline, after: &PageOutline) -> Option<Warning> {
    let copies = |page: &PageOutline| -> Vec<Copy> {
        let own = [&page.title, &page.body, &page.note, &page.attribution, &page.cta].into_iter().flatten().cloned();
        own.chain(page.items.iter().flat_map(|item| [Some(item.head.clone()), item.body.clone()]).flatten()).collect()
    };
    let said: Vec<String> = copies(after).into_iter().flat_map(|copy| copy.wordings).collect();
    let figure = before.figure.as_ref().filter(|_| after.figure.is_none()).map(|f| format!("{} {}", f.value, f.unit));
    let gone = copies(before).into_iter().filter(|copy| !copy.wordings.iter().any(|wording| said.contains(wording)));
    let gone: Vec<String> =
        figure.into_iter().chain(gone.filter_map(|copy| copy.wordings.into_iter().next())).collect();
    let message = || format!("Left out, because the content doesn't say it in these words: {}.", quoted(&gone));
    (!gone.is_empty()).then(|| Warning::new(WarningCode::ContentShortened, message()))
}

/// Keeps the wordings of a copy that may be used; `None` if there are none.
fn kept(mut copy: Copy, may_say: impl Fn(&str) -> bool) -> Option<Copy> {
    copy.wordings.retain(|w| may_say(w));
    (!copy.wordings.is_empty()).then_some(copy)
}

/// Returns the outlines whose words all have a source; `None` if there is none. If a page of a set, or every outline of a visual, has other
/// words, the wordings with a source replace them.
pub(super) fn outlines(outlines: Vec<Outline>, evidence: &Evidence) -> Option<Vec<Outline>> {
    let each = |outline: &Outline, vet: &dyn Fn(&PageOutline) -> Option<PageOutline>| {
        let pages: Vec<PageOutline> = outline.pages.iter().map(vet).collect::<Option<_>>()?;
        let lost = outline.pages.iter().zip(&pages).filter_map(|(before, after)| lost(before, after));
        let warnings = outline.warnings.iter().cloned().chain(lost).collect();
        Some(Outline { pages, warnings })
    };
    let mut kept: Vec<Outline> =
        outlines.iter().filter_map(|o| each(o, &|page| vetted(page.clone(), evidence))).collect();
    if kept.is_empty() {
        let spare: Option<PageOutline> =
            outlines.iter().flat_map(|o| &o.pages).find_map(|page| salvaged(page, evidence));
        let sound = |page: &PageOutline| {
            vetted(page.clone(), evidence).or_else(|| salvaged(page, evidence)).or_else(|| spare.clone())
        };
        kept = outlines.iter().filter_map(|o| each(o, &sound)).collect();
    }
    (!kept.is_empty() || outlines.is_empty()).then_some(kept)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::Span;
    use crate::outline::Figure;

    fn copy(wordings: &[&str]) -> Copy {
        Copy { wordings: wordings.iter().map(|w| (*w).to_owned()).collect(), span: None }
    }

    fn page(kind: PageKind, title: &[&str]) -> PageOutline {
        PageOutline { title: Some(copy(title)), ..PageOutline::blank(kind, 0.5) }
    }

    #[test]
    fn what_has_no_source_goes() {
        let source =
            Evidence::of("Rents fell by 31 % in 12 towns. \u{201c}Nobody had asked us before,\u{201d} said Ada Moor.");
        let point = page(PageKind::Point, &["Rents fell by 31 % in 13 towns", "Rents fell by 31 %"]);
        let kept = vetted(point, &source).unwrap();
        assert_eq!(kept.title.unwrap().wordings, ["Rents fell by 31 %"]);
        assert_eq!(vetted(page(PageKind::Point, &["In 14 towns"]), &source), None);
        assert!(vetted(page(PageKind::Quote, &["Nobody had asked us before"]), &source).is_some());
        assert_eq!(vetted(page(PageKind::Quote, &["Nobody asked us before"]), &source), None);
        let figure = |value: &str| {
            let figure = Figure { value: value.into(), unit: "%".into(), number: 0.0, span: Span { start: 0, end: 1 } };
            PageOutline { figure: Some(figure), ..page(PageKind::Stat, &["Rents fell"]) }
        };
        assert!(vetted(figure("31"), &source).is_some());
        assert_eq!(vetted(figure("32"), &source), None);
        let items = vec![
            ItemCopy::new(copy(&["12 towns"]), Some(copy(&["by 99 %"]))),
            ItemCopy::new(copy(&["15 towns"]), None),
        ];
        let list = vetted(PageOutline { items, ..page(PageKind::List, &["Rents"]) }, &source).unwrap();
        assert_eq!(list.items, [ItemCopy::new(copy(&["12 towns"]), None)]);
        let made_up = PageOutline { body: Some(copy(&["Rents fell"])), ..page(PageKind::Point, &["In 14 towns"]) };
        let sound = salvaged(&made_up, &source).unwrap();
        assert_eq!((sound.title, sound.body), (Some(copy(&["Rents fell"])), None));
    }

    #[test]
    fn what_goes_is_named() {
        let source = Evidence::of("Rents fell by 31 % in 12 towns. Nobody had asked us before.");
        let items = ["12 towns", "Nobody had asked us before", "Rents fell by 31 %"];
        let items: Vec<ItemCopy> = items.iter().map(|head| ItemCopy::new(copy(&[head]), None)).collect();
        let list = PageOutline { items, ..page(PageKind::List, &["In 14 towns"]) };
        let sound = salvaged(&list, &source).unwrap();
        let warning = lost(&list, &sound).unwrap();
        assert_eq!(warning.code, WarningCode::ContentShortened);
        assert!(warning.message.contains("“In 14 towns”, “Rents fell by 31 %”"), "{}", warning.message);
        assert!(!warning.message.contains("12 towns"), "{}", warning.message);
        let shorter = page(PageKind::Point, &["Rents fell by 31 % in 13 towns", "Rents fell by 31 %"]);
        assert_eq!(lost(&shorter, &vetted(shorter.clone(), &source).unwrap()), None);
        let figure = Figure { value: "32".into(), unit: "%".into(), number: 0.0, span: Span { start: 0, end: 1 } };
        let stat = PageOutline { figure: Some(figure), ..page(PageKind::Stat, &["Rents fell"]) };
        let warning = lost(&stat, &salvaged(&stat, &source).unwrap()).unwrap();
        assert!(warning.message.contains("“32 %”"), "{}", warning.message);
    }

    #[test]
    fn a_quotation_that_is_not_the_sources_is_not_salvaged() {
        let source = Evidence::of("“Nobody had asked us before,” said Ada Moor.");
        assert_eq!(salvaged(&page(PageKind::Quote, &["Nobody asked us before"]), &source), None);
    }
}
