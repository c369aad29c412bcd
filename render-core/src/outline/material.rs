//! What a document offers to pages: its points in order, its figures, quotations and lists, and what they are worth.

use super::wording::{self, Budget};
use super::{Copy, Figure, ItemCopy, PageKind, PageOutline, labels};
use crate::content::{BlockKind, Document, Language, Point, Sourced, Span, Stat};

/// The score from which a key point is one of the source's own points, not its setting.
const MAIN: f32 = 0.5;
/// The score from which a figure can stand on a page of its own.
pub(super) const STRONG_STAT: f32 = 0.6;
/// The score from which a quotation can.
pub(super) const STRONG_QUOTE: f32 = 0.6;

/// One of the points that a text makes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Topic<'a> {
    /// Head and support.
    pub point: &'a Point,
    /// Its number, where the source counts.
    pub number: Option<u32>,
    /// Whether it is a step.
    pub step: bool,
    /// What it is worth, 0–1.
    pub score: f32,
}

/// A quotation.
#[derive(Debug, Clone, Copy)]
pub(super) struct Saying<'a> {
    /// The words.
    pub text: &'a Sourced,
    /// The speaker.
    pub who: Option<&'a Sourced>,
    /// What it is worth, 0–1.
    pub score: f32,
}

/// A list inside the text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Listed<'a> {
    /// Its title.
    pub title: Option<&'a Sourced>,
    /// Its items.
    pub items: &'a [Point],
}

/// A document sorted by what pages need.
pub(super) struct Material<'a> {
    pub document: &'a Document,
    pub budget: Budget,
    /// The points in order.
    pub topics: Vec<Topic<'a>>,
    /// Points that set the scene or close it, in order.
    pub asides: Vec<Topic<'a>>,
    /// Figures, best first.
    pub stats: Vec<(&'a Stat, f32)>,
    /// Quotations, best first.
    pub sayings: Vec<Saying<'a>>,
    /// Lists that are not the topics.
    pub lists: Vec<Listed<'a>>,
    /// What to do now.
    pub call: Option<&'a Sourced>,
}

impl<'a> Material<'a> {
    pub fn of(document: &'a Document, budget: Budget) -> Self {
        let mut out = Self {
            document,
            budget,
            topics: Vec::new(),
            asides: Vec::new(),
            stats: Vec::new(),
            sayings: Vec::new(),
            lists: Vec::new(),
            call: None,
        };
        // The longest counted list is what the text is about; without one, its own points are.
        let main = |i: usize| match &document.blocks[i].kind {
            BlockKind::Steps { steps, .. } => Some(steps.len()),
            BlockKind::List { numbered: true, items, .. } => Some(items.len()),
            _ => None,
        };
        let points =
            document.blocks.iter().filter(|b| matches!(b.kind, BlockKind::KeyPoint(_)) && b.score >= 0.7).count();
        let counted =
            (0..document.blocks.len()).filter(|i| main(*i).is_some_and(|n| n >= points)).max_by_key(|i| main(*i));
        for (i, block) in document.blocks.iter().enumerate() {
            match &block.kind {
                BlockKind::Steps { steps, title } => {
                    if counted == Some(i) {
                        out.topics = counted_topics(steps, true, block.score);
                    } else {
                        out.lists.push(Listed { title: title.as_ref(), items: steps });
                    }
                }
                BlockKind::List { items, title, .. } => {
                    if counted == Some(i) {
                        out.topics = counted_topics(items, false, block.score);
                    } else {
                        out.lists.push(Listed { title: title.as_ref(), items });
                    }
                }
                BlockKind::Stat(stat) => out.stats.push((stat, block.score)),
                BlockKind::Quote { text, who } => {
                    out.sayings.push(Saying { text, who: who.as_ref(), score: block.score });
                }
                BlockKind::CallToAction(call) => out.call = Some(call),
                BlockKind::KeyPoint(_) => {}
            }
        }
        let own = |out: &mut Self, least: f32| {
            for block in &document.blocks {
                if let BlockKind::KeyPoint(point) = &block.kind {
                    let topic = Topic { point, number: None, step: false, score: block.score };
                    if block.score >= least { out.topics.push(topic) } else { out.asides.push(topic) }
                }
            }
        };
        if counted.is_some() {
            own(&mut out, f32::INFINITY);
        } else {
            own(&mut out, MAIN);
        }
        // A text of one list without prose: its items are the points.
        if out.topics.is_empty()
            && let Some(at) = (0..out.lists.len()).max_by_key(|i| (out.lists[*i].items.len(), std::cmp::Reverse(*i)))
        {
            let list = out.lists.remove(at);
            out.topics =
                list.items.iter().map(|point| Topic { point, number: None, step: false, score: 0.7 }).collect();
        }
        if out.topics.is_empty() {
            out.topics = std::mem::take(&mut out.asides);
        }
        out.stats.sort_by(|a, b| b.1.total_cmp(&a.1));
        out.sayings.sort_by(|a, b| b.score.total_cmp(&a.score));
        out
    }

    pub fn language(&self) -> &Language {
        &self.document.language
    }

    /// Whether the source counts its points, so that none may go missing.
    pub fn counts(&self) -> bool {
        self.topics.first().is_some_and(|t| t.number.is_some())
    }

    pub fn title(&self) -> Option<Copy> {
        wording::headline(&self.document.title, self.budget.title, self.language())
    }

    pub fn kicker(&self) -> Option<Copy> {
        self.title().as_ref().and_then(wording::kicker)
    }

    pub fn call(&self) -> Option<Copy> {
        self.call.and_then(|c| wording::call(c, self.language()))
    }

    /// The cover.
    pub fn cover(&self) -> PageOutline {
        let dek: Vec<&Sourced> = self.document.dek.iter().collect();
        let body = wording::support(&dek, self.budget.body * 3 / 4, self.language());
        let score = if body.is_some() { 0.7 } else { 0.6 };
        PageOutline { title: self.title(), body, ..PageOutline::blank(PageKind::Cover, score) }
    }

    /// A page for one point, without the sentences that stand on other pages.
    pub fn topic(&self, topic: &Topic<'_>, used: &[Span]) -> PageOutline {
        let language = self.language();
        let body: Vec<&Sourced> =
            topic.point.body.iter().filter(|b| !used.iter().any(|u| u.overlaps(b.span))).collect();
        let kind = if topic.number.is_some() || topic.step { PageKind::Step } else { PageKind::Point };
        PageOutline {
            kicker: self.kicker(),
            title: wording::headline(&topic.point.head, self.budget.title, language),
            body: wording::support(&body, self.budget.body, language),
            number: topic.number,
            ..PageOutline::blank(kind, 0.55 + 0.3 * topic.score)
        }
    }

    /// A page for a sentence that supports a point.
    pub fn sentence(&self, words: &Sourced) -> PageOutline {
        let (first, rest) = wording::first_sentence(words, self.language());
        let rest: Vec<&Sourced> = rest.iter().collect();
        PageOutline {
            kicker: self.kicker(),
            title: wording::headline(&first, self.budget.title, self.language()),
            body: wording::support(&rest, self.budget.body, self.language()),
            ..PageOutline::blank(PageKind::Point, 0.5)
        }
    }

    /// A page for several points.
    pub fn list<'p>(
        &self,
        title: Option<&Sourced>,
        points: impl Iterator<Item = &'p Point>,
        score: f32,
    ) -> PageOutline {
        let items: Vec<ItemCopy> = points.filter_map(|p| wording::item(p, &self.budget, self.language())).collect();
        let own = title.and_then(|t| wording::headline(t, self.budget.title, self.language()));
        let kicker = own.as_ref().filter(|o| Some(*o) != self.title().as_ref()).and_then(|_| self.kicker());
        PageOutline { kicker, title: own.or_else(|| self.title()), items, ..PageOutline::blank(PageKind::List, score) }
    }

    pub fn stat(&self, stat: &Stat, score: f32) -> PageOutline {
        let figure =
            Figure { value: stat.value.clone(), unit: stat.unit.clone(), number: stat.number, span: stat.span };
        PageOutline {
            title: wording::label(&stat.label, self.language()),
            figure: Some(figure),
            attribution: stat.source.as_ref().and_then(wording::name),
            ..PageOutline::blank(PageKind::Stat, score)
        }
    }

    pub fn saying(&self, saying: &Saying<'_>) -> PageOutline {
        PageOutline {
            title: wording::quotation(saying.text, self.language()),
            attribution: saying.who.and_then(wording::name),
            ..PageOutline::blank(PageKind::Quote, saying.score)
        }
    }

    /// The end: the heads of the points, and what to do now.
    pub fn recap(&self) -> PageOutline {
        const MOST: usize = 6;
        // Too many points for a recap: the best, in order; of a counted list the first.
        let mut order: Vec<usize> = (0..self.topics.len()).collect();
        if !self.counts() {
            order.sort_by(|a, b| self.topics[*b].score.total_cmp(&self.topics[*a].score));
        }
        let most = if self.counts() { 8 } else { MOST };
        order.truncate(most);
        order.sort_unstable();
        let items = order.iter().filter_map(|i| wording::line(&self.topics[*i].point.head, self.language())).collect();
        let title = Copy { wordings: vec![labels::recap(self.language()).to_owned()], span: None };
        PageOutline {
            kicker: self.kicker(),
            title: Some(title),
            items,
            cta: self.call(),
            ..PageOutline::blank(PageKind::Recap, 0.7)
        }
    }
}

fn counted_topics(points: &[Point], step: bool, score: f32) -> Vec<Topic<'_>> {
    (1..).zip(points).map(|(n, point)| Topic { point, number: Some(n), step, score }).collect()
}
