//! Fallback pages: the same content in a plainer structure, for shapes that have no layout for the original one.

use super::{Copy, ItemCopy, PageKind, PageOutline, Support};
use crate::content::{Language, clip, front, takes_back, words};
use crate::warning::{Warning, WarningCode, quoted};

/// Limits in characters for a headline that must be cut because no template has room for it; the first that fits is
/// used.
const CUTS: [usize; 5] = [90, 60, 40, 24, 12];
/// Limits in characters for the few words that stand for a headline that can't be cut.
const TOPICS: [usize; 2] = [24, 12];

impl PageOutline {
    /// Returns the same words as a list; as a point if there are no items; as a recap if there are items and a call to
    /// action. Labels, cells and groups become part of the text of their items. Returns `None` if the page is already
    /// as plain, or if it is `whole` and would lose words.
    pub fn plain(&self) -> Option<Self> {
        let keeps = |plain: &Self| self.texts().all(|text| plain.texts().any(|other| other.contains(text)));
        self.plainer().filter(|plain| !self.whole || keeps(plain))
    }

    fn plainer(&self) -> Option<Self> {
        use PageKind::{Cover, List, Point, Quote, Recap, Stat, Step};
        if matches!(self.kind, Point | Step) {
            return match self.evidence() {
                Support::Contrast | Support::Change => Some(self.without_cards()),
                Support::Things => Some(Self { kind: List, note: None, ..self.clone() }),
                // The supporting content replaces the claim.
                Support::Figure => {
                    Some(Self { kind: Stat, title: self.body.clone(), body: None, note: None, ..self.clone() })
                }
                Support::Quotation => {
                    Some(Self { kind: Quote, title: self.body.clone(), body: None, note: None, ..self.clone() })
                }
                Support::Sentences | Support::Statement => None,
            };
        }
        if matches!(self.kind, Cover | Point | Step | List | Recap) {
            return None;
        }
        let title = self.figure.as_ref().map_or_else(|| self.title.clone(), |_| Some(self.with_its_figure()));
        let plain = Self { figure: None, number: None, groups: Vec::new(), title, ..self.clone() };
        if self.items.is_empty() {
            let body = self.body.clone().or_else(|| self.attribution.clone());
            return Some(Self { kind: Point, body, attribution: None, ..plain });
        }
        let kind = if self.cta.is_some() { Recap } else { List };
        Some(Self { kind, items: self.plain_items(), ..plain })
    }

    /// Returns versions of the page with fewer and fewer words, each with warnings about what it leaves out: without
    /// the call to action; headline and text; headline only; the headline cut, unless that removes a qualification;
    /// other words of the page in place of a headline that can't be cut; and last, a few words of it. These are for
    /// shapes in which nothing else fits. The words are in `language`.
    pub fn bare(&self, language: &Language) -> Vec<(Self, Vec<Warning>)> {
        let kind = if self.kind == PageKind::Cover { PageKind::Cover } else { PageKind::Point };
        let title = match (&self.title, &self.figure) {
            (_, Some(_)) => self.with_its_figure(),
            (Some(title), None) => title.clone(),
            (None, None) => match self.copies().next() {
                Some(first) => first.clone(),
                None => return Vec::new(),
            },
        };
        let warned = |message: String| Warning::new(WarningCode::ContentShortened, message);
        let (mut out, mut costs) = (Vec::new(), Vec::new());
        if let Some(call) = self.cta.as_ref().and_then(|call| call.wordings.first()) {
            costs.push(warned(format!("There was no room for “{call}”.")));
            out.push((Self { cta: None, ..self.clone() }, costs.clone()));
        }
        if !self.items.is_empty() {
            let heads = quoted(self.items.iter().filter_map(|item| item.head.wordings.first()));
            costs.push(warned(format!("There was no room for {} items: {heads}.", self.items.len())));
        }
        let alone = Self { title: Some(title.clone()), ..Self::blank(kind, self.score) };
        let left_out = costs.clone();
        // A quotation keeps its speaker.
        if let Some(body) = self.body.as_ref().or(self.attribution.as_ref()) {
            out.push((Self { body: Some(body.clone()), ..alone.clone() }, costs.clone()));
            let text = body.wordings.first().map_or("", |w| front(w, CUTS[0]));
            costs.push(warned(format!("There was no room for the text under the headline: “{text}”.")));
        }
        out.push((alone.clone(), costs.clone()));
        let shortest = title.wordings.last().map_or("", String::as_str);
        let under = |title: Copy, costs: &[Warning], message: String| {
            let costs = costs.iter().cloned().chain([warned(message)]).collect();
            (Self { title: Some(title), ..alone.clone() }, costs)
        };
        let cuts: Vec<&str> = CUTS.into_iter().filter_map(|most| clip(shortest, most, language)).collect();
        out.extend(cuts.iter().map(|cut| {
            let message = format!(
                "The headline is cut to “{cut}”, because no layout has room for “{shortest}”. Shorten it, or choose a \
                 format with more room."
            );
            under(Copy { wordings: vec![(*cut).to_owned()], span: title.span }, &costs, message)
        }));
        if clip(shortest, CUTS[CUTS.len() - 1], language).is_none() {
            let message = format!(
                "There was no room for the headline: “{shortest}”. Shorten it, or choose a format with more room."
            );
            let others = self.statements(shortest, language).map(|(copy, is_body)| {
                let costs = if is_body { &left_out } else { &costs };
                under(copy.clone(), costs, message.clone())
            });
            out.extend(others);
            // If nothing else fits, a few words of the headline name the topic. The warning quotes the whole headline.
            let topics =
                TOPICS.into_iter().map(|most| front(shortest, most)).filter(|topic| topic.len() < shortest.len());
            out.extend(topics.map(|topic| {
                let title = Copy { wordings: vec![topic.to_owned()], span: title.span };
                under(title, &costs, message.clone())
            }));
        }
        out
    }

    /// Returns other words of a page that can stand alone and are shorter than its headline, and whether they are its
    /// body.
    fn statements(&self, headline: &str, language: &Language) -> impl Iterator<Item = (&Copy, bool)> {
        let lexicon = words::of(language.primary());
        let items = self.items.iter().flat_map(|item| [Some(&item.head), item.body.as_ref()]).flatten();
        let all = self.body.iter().map(|body| (body, true)).chain(items.map(|copy| (copy, false)));
        let most = headline.chars().count();
        all.filter(move |(copy, _)| {
            let is_shorter = copy.wordings.last().is_some_and(|shortest| shortest.chars().count() < most);
            is_shorter && copy.wordings.iter().all(|wording| !takes_back(wording, lexicon))
        })
    }

    /// Moves the example of a point into its text: the wrong way, an arrow, the right way.
    fn without_cards(&self) -> Self {
        let heads: Vec<&Copy> = self.items.iter().map(|i| &i.head).collect();
        let example = joined(&heads, |words| words.join(" → "));
        let body = match &self.body {
            Some(body) => joined(&[body, &example], |words| words.join(" ")),
            None => example,
        };
        Self { items: Vec::new(), groups: Vec::new(), body: Some(body), ..self.clone() }
    }

    /// Returns the title after the figure that it explains: "64% of respondents", "31 l: Tomatoes".
    fn with_its_figure(&self) -> Copy {
        let figure = self.figure.as_ref().map(|f| {
            let glue = if f.unit.chars().next().is_some_and(char::is_alphabetic) { " " } else { "" };
            format!("{}{glue}{}", f.value, f.unit)
        });
        let figure = figure.unwrap_or_default();
        let Some(title) = &self.title else { return Copy { wordings: vec![figure], span: None } };
        joined(&[title], |words| {
            let reads_on = words[0].chars().next().is_some_and(char::is_lowercase);
            format!("{figure}{} {}", if reads_on { "" } else { ":" }, words[0])
        })
    }

    fn plain_items(&self) -> Vec<ItemCopy> {
        match self.kind {
            PageKind::Versus | PageKind::ProsCons | PageKind::MythFact | PageKind::Tree => {
                let group = |(i, name): (usize, &Copy)| {
                    let heads = self.items.iter().filter(|item| usize::from(item.group) == i).map(|item| &item.head);
                    let heads: Vec<&Copy> = heads.collect();
                    let body = (!heads.is_empty()).then(|| joined(&heads, |words| words.join(mark(words))));
                    ItemCopy { omitted: self.about(i), ..ItemCopy::new(name.clone(), body) }
                };
                self.groups.iter().enumerate().map(group).collect()
            }
            _ => self.items.iter().map(|item| self.plain_item(item)).collect(),
        }
    }

    /// Returns the text of a group's items without their heads.
    fn about(&self, group: usize) -> Option<Copy> {
        let items = self.items.iter().filter(|item| usize::from(item.group) == group);
        let about: Vec<&Copy> = items.flat_map(|item| item.body.iter().chain(&item.omitted)).collect();
        (!about.is_empty()).then(|| joined(&about, |words| words.join(" ")))
    }

    /// Merges an item's parts: its label goes before its words, its value after them.
    fn plain_item(&self, item: &ItemCopy) -> ItemCopy {
        let head = match (&item.label, self.kind) {
            (Some(label), PageKind::Process) => joined(&[&item.head, label], |w| format!("{} ({})", w[0], w[1])),
            (Some(label), _) => joined(&[label, &item.head], |w| format!("{}: {}", w[0], w[1])),
            _ => item.head.clone(),
        };
        let several = item.cells.len() > 1;
        let named: Vec<Copy> = item
            .cells
            .iter()
            .enumerate()
            .map(|(i, cell)| match self.groups.get(i + usize::from(self.groups.len() > item.cells.len())) {
                Some(group) if several => joined(&[group, cell], |w| format!("{}: {}", w[0], w[1])),
                _ => cell.clone(),
            })
            .collect();
        let cells: Vec<&Copy> = named.iter().collect();
        let plain = match cells[..] {
            // A figure and its unit.
            [value, unit] if self.kind == PageKind::Figures => {
                let figure = joined(&[value, unit], |w| {
                    let glue = if w[1].starts_with(char::is_alphabetic) { " " } else { "" };
                    format!("{}{glue}{}", w[0], w[1])
                });
                ItemCopy::new(joined(&[&head, &figure], |w| format!("{}: {}", w[0], w[1])), item.body.clone())
            }
            [] => ItemCopy { done: item.done, ..ItemCopy::new(head, item.body.clone()) },
            [one] => ItemCopy::new(joined(&[&head, one], |w| format!("{}: {}", w[0], w[1])), item.body.clone()),
            _ => ItemCopy::new(head, Some(joined(&cells, |words| words.join(mark(words))))),
        };
        ItemCopy { omitted: item.omitted.clone(), ..plain }
    }
}

/// Joins several copies wording by wording. A copy that has no shorter wording keeps its last one.
fn joined(copies: &[&Copy], join: impl Fn(&[&str]) -> String) -> Copy {
    let most = copies.iter().map(|c| c.wordings.len()).max().unwrap_or(0);
    fn word(copy: &Copy, level: usize) -> &str {
        copy.wordings.get(level.min(copy.wordings.len().saturating_sub(1))).map_or("", String::as_str)
    }
    let at = |level: usize| join(&copies.iter().map(|c| word(c, level)).collect::<Vec<_>>());
    Copy { wordings: (0..most).map(at).collect(), span: copies.iter().find_map(|c| c.span) }
}

/// Returns the separator between words in a row: a semicolon if one of them contains a comma or is a sentence.
fn mark(words: &[&str]) -> &'static str {
    if words.iter().any(|w| w.contains([',', '.', ':'])) { "; " } else { ", " }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::Span;
    use crate::outline::Figure;

    fn copy(wordings: &[&str]) -> Copy {
        Copy { wordings: wordings.iter().map(|w| (*w).to_owned()).collect(), span: None }
    }

    fn item(label: Option<&str>, head: &str, cells: &[&str], group: u8) -> ItemCopy {
        ItemCopy {
            label: label.map(|l| copy(&[l])),
            cells: cells.iter().map(|c| copy(&[c])).collect(),
            group,
            ..ItemCopy::new(copy(&[head]), None)
        }
    }

    fn page(kind: PageKind, groups: &[&str], items: Vec<ItemCopy>) -> PageOutline {
        let groups = groups.iter().map(|g| copy(&[g])).collect();
        PageOutline { title: Some(copy(&["A long title", "Title"])), groups, items, ..PageOutline::blank(kind, 0.5) }
    }

    fn item_texts(page: &PageOutline) -> Vec<String> {
        page.items
            .iter()
            .map(|i| {
                let body = i.body.as_ref().map(|b| format!(" | {}", b.wordings[0])).unwrap_or_default();
                format!("{}{body}", i.head.wordings[0])
            })
            .collect()
    }

    #[test]
    fn nothing_that_a_structure_says_is_lost() {
        for (kind, groups, items, expected) in [
            (
                PageKind::Timeline,
                &[][..],
                vec![item(Some("1990"), "First shop", &[], 0), item(Some("2004"), "Online", &[], 0)],
                &["1990: First shop", "2004: Online"][..],
            ),
            (PageKind::Process, &[], vec![item(Some("5 min"), "Stir", &[], 0)], &["Stir (5 min)"]),
            (PageKind::Series, &[], vec![item(None, "Oslo", &["31 l"], 0)], &["Oslo: 31 l"]),
            (PageKind::Figures, &[], vec![item(None, "Rain", &["31", "l"], 0)], &["Rain: 31 l"]),
            (
                PageKind::Table,
                &["Plan", "Price", "Seats"],
                vec![item(None, "Team", &["€9", "5"], 0)],
                &["Team | Price: €9; Seats: 5"],
            ),
            (
                PageKind::ProsCons,
                &["For", "Against"],
                vec![item(None, "Cheap", &[], 0), item(None, "Light", &[], 0), item(None, "Loud, at night", &[], 1)],
                &["For | Cheap, Light", "Against | Loud, at night"],
            ),
        ] {
            let plain = page(kind, groups, items).plain().expect("a structure");
            assert_eq!(plain.kind, PageKind::List);
            assert_eq!(item_texts(&plain), expected, "{kind:?}");
        }
    }

    #[test]
    fn a_bare_page_says_what_it_leaves_out() {
        let long = "One two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen";
        let full = PageOutline {
            title: Some(copy(&[long])),
            body: Some(copy(&["More about it"])),
            ..page(PageKind::Timeline, &[], vec![item(None, "x", &[], 0)])
        };
        let bare = full.bare(&Language::english());
        let words = |p: &PageOutline| p.texts().map(|t| t.chars().count()).sum::<usize>();
        assert!(bare.windows(2).all(|p| words(&p[1].0) < words(&p[0].0)), "{bare:#?}");
        assert!(bare.iter().all(|(p, warnings)| p.kind == PageKind::Point && !warnings.is_empty()));
        let (last, warnings) = bare.last().expect("a cut headline");
        assert_eq!(last.title.as_ref().map(|t| t.wordings.clone()), Some(vec!["One two".to_owned()]));
        assert!(warnings.iter().any(|w| w.message.contains(long)), "{warnings:?}");
        let short = page(PageKind::Cover, &[], Vec::new()).bare(&Language::english());
        assert_eq!(short.len(), 1);
        assert!(short[0].0.kind == PageKind::Cover && short[0].1.is_empty());
    }

    #[test]
    fn other_words_take_the_place_of_a_headline_that_can_not_be_cut() {
        let long = "We will not be raising prices for any of our customers, unless they ask us to do so";
        let page = PageOutline {
            title: Some(copy(&[long])),
            body: Some(copy(&["We wrote to everyone"])),
            ..page(PageKind::List, &[], vec![item(None, "But not to you", &[], 0), item(None, "Prices stay", &[], 0)])
        };
        let bare = page.bare(&Language::english());
        let titles: Vec<&str> =
            bare.iter().filter_map(|(p, _)| p.title.as_ref()?.wordings.first()).map(String::as_str).collect();
        let topics = ["We will not be raising", "We will not"];
        assert_eq!(titles, [long, long, "We wrote to everyone", "Prices stay", topics[0], topics[1]]);
        let told = |n: usize, words: &str| bare[n].1.iter().any(|w| w.message.contains(words));
        assert!(told(2, long) && told(2, "2 items") && !told(2, "We wrote to everyone"), "{:?}", bare[2].1);
        assert!(told(3, long) && told(3, "We wrote to everyone"), "{:?}", bare[3].1);
    }

    #[test]
    fn a_figure_leads_its_point_and_a_call_closes_a_recap() {
        let figure = Figure { value: "64".into(), unit: "%".into(), number: 64.0, span: Span { start: 0, end: 3 } };
        let stat = PageOutline {
            figure: Some(figure),
            attribution: Some(copy(&["Survey"])),
            title: Some(copy(&["of the readers of it", "of readers"])),
            ..page(PageKind::Stat, &[], Vec::new())
        };
        let plain = stat.plain().expect("a figure");
        assert_eq!((plain.kind, plain.figure), (PageKind::Point, None));
        assert_eq!(plain.title.expect("a title").wordings, ["64% of the readers of it", "64% of readers"]);
        assert_eq!(plain.body, Some(copy(&["Survey"])));
        let offer =
            PageOutline { cta: Some(copy(&["Buy"])), ..page(PageKind::Offer, &[], vec![item(None, "x", &[], 0)]) };
        assert_eq!(offer.plain().map(|p| p.kind), Some(PageKind::Recap));
        for kind in [PageKind::Cover, PageKind::Point, PageKind::Step, PageKind::List, PageKind::Recap] {
            assert_eq!(page(kind, &[], Vec::new()).plain(), None);
        }
    }
}
