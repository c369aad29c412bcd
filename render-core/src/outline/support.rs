//! The support of a point on its page: a structure, a list, a figure or a quotation of its section, else its sentences.

use std::ops::Range;

use super::answer::Told;
use super::material::{Material, STRONG_QUOTE, STRONG_STAT, Saying, Topic};
use super::offers::{Entry, List};
use super::{Copy, ItemCopy, PageKind, PageOutline, Support, change, series, structure, wording};
use crate::content::spans::Spans;
use crate::content::{Block, BlockKind, Sourced, Span, says_alone, segment, takes_back, words};

/// Most characters of a sentence in a row of its own, and of a note.
const ROW: usize = 110;
/// Number of rows of sentences on a page.
const ROWS: Range<usize> = 2..5;
/// Number of entries of a list under a point.
const ENTRIES: std::ops::RangeInclusive<usize> = 2..=7;
/// Number of entries of a list of names, and most characters of one of them.
const NAMES: std::ops::RangeInclusive<usize> = 8..=10;
const NAME: usize = 36;
/// Most sentences of an answer before the list that they introduce.
const LEADING: usize = 4;
/// Number of entries from which a list gets its own kind of page.
const LISTED: usize = 3;
/// Fewest words of a sentence in a row.
const WORDS: usize = 4;

/// What the neighbouring pages show.
pub(super) struct Around<'s> {
    /// Words that other pages show.
    pub taken: &'s Spans,
    /// Where the sentences end that the page may show.
    pub ends: u32,
    /// The page before: neighbouring pages show different kinds of support.
    pub before: Option<&'s PageOutline>,
}

impl Around<'_> {
    /// Nothing: what a page shows if it is alone.
    pub const NONE: Around<'static> = Around { taken: Spans::NONE, ends: u32::MAX, before: None };

    /// Returns whether a page may show a sentence.
    pub fn leaves(&self, words: &Sourced) -> bool {
        words.span.start < self.ends && !self.taken.overlap(words.span)
    }
}

/// Builds the page of a point.
pub(super) fn page(material: &Material<'_>, topic: &Topic<'_>, around: &Around<'_>) -> PageOutline {
    let plain = material.topic(topic, |words| around.leaves(words));
    if material.tone().exact {
        return plain;
    }
    let finder = Finder { material, topic, around, section: material.section(topic) };
    let listed = finder.answer_in_items(&plain);
    let shown = listed.or_else(|| finder.structure()).or_else(|| finder.list(&plain));
    let shown = shown.or_else(|| finder.change(&plain));
    let shown = shown.or_else(|| finder.series(&plain).filter(|_| !finder.follows(Support::Things)));
    let shown = shown.or_else(|| finder.figure(&plain).filter(|_| !finder.follows(Support::Figure)));
    // In an interview, every answer names its speaker.
    let named = material.is_interview() || !finder.follows(Support::Quotation);
    let shown = shown.or_else(|| finder.quotation(&plain).filter(|_| named));
    shown.unwrap_or_else(|| finder.sentences(plain))
}

/// Returns whether a point has any support.
pub(super) fn is_supported(material: &Material<'_>, topic: &Topic<'_>) -> bool {
    let page = page(material, topic, &Around::NONE);
    page.body.is_some() || page.figure.is_some() || !page.items.is_empty()
}

struct Finder<'m, 'a> {
    material: &'m Material<'a>,
    topic: &'m Topic<'a>,
    around: &'m Around<'m>,
    /// The bytes from the point's head to the next head.
    section: Range<u32>,
}

impl Finder<'_, '_> {
    /// Returns whether the page before shows this kind of support.
    fn follows(&self, support: Support) -> bool {
        self.around.before.is_some_and(|page| page.evidence() == support)
    }

    /// Returns whether words stand in the point's section and on no other page.
    fn has(&self, span: Span) -> bool {
        self.section.contains(&span.start) && !self.around.taken.overlap(span)
    }

    /// Returns a chart, a table, two sides or a sequence of events under the point's claim.
    fn structure(&self) -> Option<PageOutline> {
        let head = self.topic.point.head.span;
        let own = |b: &&Block| match &b.kind {
            BlockKind::QuestionAnswer { question, .. } => question.span == head,
            BlockKind::MythFact { myth, .. } => myth.span == head,
            BlockKind::Definition { whole, .. } => whole.span == head,
            _ => false,
        };
        let blocks = || self.material.document.blocks.iter();
        let repeated = |page: &PageOutline| self.around.before.is_some_and(|before| before.kind == page.kind);
        let own = blocks().find(own).and_then(|b| Some((b, structure::page(self.material, b)?)));
        // A question always stays with its answer, even on consecutive pages of that kind.
        let asked = |block: &Block| matches!(block.kind, BlockKind::QuestionAnswer { .. });
        if let Some((_, page)) = own.filter(|(block, page)| asked(block) || !repeated(page)) {
            return Some(page);
        }
        // These pages have no room for the numeral that a numbered point needs.
        let shown = |b: &&Block| {
            let kind = matches!(
                b.kind,
                BlockKind::Series(_)
                    | BlockKind::Table(_)
                    | BlockKind::Compare(_)
                    | BlockKind::ProsCons(_)
                    | BlockKind::Timeline { .. }
                    | BlockKind::Checklist { .. }
                    | BlockKind::Hierarchy { .. }
            );
            kind && self.topic.number.is_none() && self.has(b.span)
        };
        let page = blocks().filter(shown).find_map(|block| structure::page(self.material, block))?;
        let claim = self.material.claim(self.topic).filter(|_| !page.groups.is_empty() || !page.items.is_empty())?;
        Some(PageOutline { title: Some(claim), kicker: self.material.kicker(), ..page })
    }

    /// Returns the list that answers the point's question, if it is among the first sentences under it.
    fn answer_in_items(&self, plain: &PageOutline) -> Option<PageOutline> {
        let head = self.topic.point.head.span;
        let answers = self.material.document.blocks.iter().find_map(|block| match &block.kind {
            BlockKind::QuestionAnswer { question, answer, who: None } if question.span == head => Some(answer),
            _ => None,
        })?;
        let page = self.list(plain)?;
        let first = page.items.iter().filter_map(|item| item.head.span).map(|span| span.start).min()?;
        let before = answers.iter().filter(|sentence| sentence.span.start < first).count();
        (before <= LEADING).then_some(page)
    }

    /// Returns the complete list of the section.
    fn list(&self, plain: &PageOutline) -> Option<PageOutline> {
        let name = |e: &Entry| e.label.is_none() && e.point.head.text.chars().count() <= NAME;
        let several = |entries: &[Entry]| {
            ENTRIES.contains(&entries.len()) || NAMES.contains(&entries.len()) && entries.iter().all(name)
        };
        let fits = |entries: &[Entry]| several(entries) && entries.iter().all(|e| self.has(e.point.head.span));
        // The list of one part of the section stands for that part alone.
        let heads = || self.material.lists.iter().flat_map(|l| &l.entries).map(|e| e.point.head.span);
        let of_part = |l: &List| l.lead.as_ref().is_some_and(|lead| heads().any(|head| head == lead.span));
        let list = self.material.lists.iter().find(|l| fits(&l.entries) && !of_part(l))?;
        let claim = plain.title.clone()?;
        // A page holds more names than sentences.
        let names = list.entries.len() > *ENTRIES.end();
        let items = |entries| if names { self.material.name_items(entries) } else { self.material.list_items(entries) };
        let items: Vec<ItemCopy> = items(&list.entries)?;
        let alone = items.iter().all(|i| i.body.is_none() && i.head.wordings[0].chars().count() <= ROW);
        let lead = list.lead.as_ref().and_then(|lead| self.material.lead(lead));
        if self.topic.number.is_some() || items.len() < LISTED && alone {
            let body = lead.or_else(|| plain.body.clone());
            return alone.then(|| PageOutline { items, body, groups: Vec::new(), note: None, ..plain.clone() });
        }
        let (kicker, number) = (self.material.kicker(), list.numbered.then_some(1));
        let page = PageOutline::blank(PageKind::List, plain.score);
        Some(PageOutline { kicker, title: Some(claim), body: lead, items, number, ..page })
    }

    /// Returns the things that a sentence of the section counts up.
    fn series(&self, plain: &PageOutline) -> Option<PageOutline> {
        plain.title.as_ref().filter(|_| self.topic.number.is_none())?;
        let lexicon = words::of(self.material.language().primary());
        let alone = |s: &&Sourced| {
            self.around.leaves(s) && says_alone(&s.text, self.material.language()) && !takes_back(&s.text, lexicon)
        };
        let mut said = self.topic.point.sentences().filter(alone);
        let (lead, items) = said.find_map(|sentence| series::of(sentence, self.material.tone()))?;
        let page = PageOutline::blank(PageKind::List, plain.score);
        Some(PageOutline {
            kicker: self.material.kicker(),
            title: plain.title.clone(),
            body: Some(lead),
            items,
            ..page
        })
    }

    /// Returns the old and the new value, with the sentence that reports the change.
    fn change(&self, plain: &PageOutline) -> Option<PageOutline> {
        plain.title.as_ref()?;
        let free = self.topic.point.sentences().filter(|s| self.around.leaves(s));
        let (items, told) = change::of(free, self.material.language())?;
        let note = wording::remark(told, self.material.tone());
        Some(PageOutline { items, note, body: None, groups: Vec::new(), ..plain.clone() })
    }

    /// Returns the figure that the section states, with what it counts.
    fn figure(&self, plain: &PageOutline) -> Option<PageOutline> {
        plain.title.as_ref()?;
        let strong = self.material.stats.iter().filter(|(_, score)| *score >= STRONG_STAT);
        let (stat, score) = strong.into_iter().find(|(stat, _)| self.has(stat.label.span))?;
        // The claim may already state the figure.
        let page = self.material.stat(stat, *score);
        let label = page.body.or(page.title).filter(|label| !says(plain.title.as_ref(), label))?;
        let body = Some(label);
        let note = self.note(body.as_ref(), &[stat.label.span]);
        let (figure, attribution) = (page.figure, page.attribution);
        Some(PageOutline { figure, attribution, body, note, items: Vec::new(), groups: Vec::new(), ..plain.clone() })
    }

    /// Returns a quotation about the point.
    fn quotation(&self, plain: &PageOutline) -> Option<PageOutline> {
        plain.title.as_ref()?;
        let strong = self.material.sayings.iter().filter(|s| s.score >= STRONG_QUOTE && s.who.is_some());
        // The author's text about the point takes precedence over a quotation about something else.
        let told = Told::of(&self.topic.point.head.text, self.material.tone());
        let tells = plain.body.is_some() && !self.material.is_interview();
        let about = |s: &Saying<'_>| !tells || told.relates(&s.text.text);
        let held = |s: &Saying<'_>| self.has(s.text.span) && self.material.is_brief(s);
        let saying = strong.into_iter().find(|s| held(s) && about(s))?;
        let body = self.material.quotation(saying);
        let attribution = saying.who.and_then(|who| wording::name(who, self.material.tone()));
        Some(PageOutline { body, attribution, items: Vec::new(), groups: Vec::new(), note: None, ..plain.clone() })
    }

    /// Returns the sentences of the point: as rows if several short ones can stand alone and the page before has no
    /// rows, else as a text with a note.
    fn sentences(&self, plain: PageOutline) -> PageOutline {
        if !plain.items.is_empty() {
            return plain;
        }
        if !self.follows(Support::Things)
            && plain.title.is_some()
            && let Some(items) = self.rows()
        {
            return PageOutline { body: None, note: None, items, ..plain };
        }
        let note = self.note(plain.body.as_ref(), &[]);
        PageOutline { note, ..plain }
    }

    /// Returns sentences that can stand in rows, in the source's order.
    fn rows(&self) -> Option<Vec<ItemCopy>> {
        let mut rows: Vec<&Sourced> = self.short().take(ROWS.end - 1).collect();
        rows.sort_by_key(|s| s.span.start);
        if !ROWS.contains(&rows.len()) {
            return None;
        }
        let item = |s: &&Sourced| wording::remark(s, self.material.tone()).map(|head| ItemCopy::new(head, None));
        rows.iter().map(item).collect()
    }

    /// Returns the best sentence that the page doesn't show yet and that is short enough for a note.
    fn note(&self, body: Option<&Copy>, shown: &[Span]) -> Option<Copy> {
        let said = |s: &Sourced| {
            // A body that opens with this sentence has lost its conjunction.
            let remark = wording::remark(s, self.material.tone());
            let own = remark.iter().flat_map(|copy| &copy.wordings).chain([&s.text]).map(|w| w.trim_end_matches('.'));
            let own: Vec<&str> = own.collect();
            let in_body = body.is_some_and(|b| b.wordings.iter().any(|w| own.iter().any(|o| w.contains(o))));
            in_body || shown.iter().any(|span| span.overlaps(s.span))
        };
        // A note closes the page, so sentences before the body in the source are excluded.
        let end = body?.span.map_or(0, |span| span.end);
        let note = self.short().find(|s| !said(s) && s.span.start >= end)?;
        wording::remark(note, self.material.tone())
    }

    /// Returns the point's short sentences, best first.
    fn short(&self) -> impl Iterator<Item = &Sourced> {
        let fits = |s: &&Sourced| {
            s.text.chars().count() <= ROW
                && segment::count_words(&s.text) >= WORDS
                && self.around.leaves(s)
                && !s.text.ends_with(['?', ':', '？', '：'])
                // A quotation needs its speaker.
                && !s.text.starts_with(['“', '"', '„', '«', '「'])
                && says_alone(&s.text, self.material.language())
                && !takes_back(&s.text, words::of(self.material.language().primary()))
        };
        self.topic.point.body.iter().filter(fits)
    }
}

/// Returns whether a headline contains the words of a label.
fn says(title: Option<&Copy>, label: &Copy) -> bool {
    let bare =
        |text: &str| text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect::<String>();
    let title = title.and_then(|t| t.wordings.first()).map(|t| bare(t)).unwrap_or_default();
    label.wordings.iter().any(|w| title.contains(&bare(w)))
}

#[cfg(test)]
#[path = "support_tests.rs"]
mod tests;
