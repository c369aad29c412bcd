//! Pages that show a structure of the source in its own form: a timeline, two sides, a chart. `offers` has the same
//! blocks as points and lists, for pages and formats without room for the structure.

use super::material::Material;
use super::tone::Budget;
use super::wording;
use super::{Copy, Figure, ItemCopy, PageKind, PageOutline, answer, heading, in_order, labels};
use crate::content::{
    Announcement, Block, BlockKind, Compare, Event, Fact, FactKind, Node, Point, ProsCons, Series, Sourced, Span, Stat,
    Subject, Table,
};
use crate::content::{number, segment, stands_alone, words};

/// Most characters of a column's name, of a cell, and of a leaf.
const NAME: usize = 18;
const CELL: usize = 30;
const LEAF: usize = 40;
/// Most rows and columns of a table without its heads; most items of a chart.
const ROWS: usize = 7;
const COLUMNS: usize = 3;
const POINTS: usize = 24;
/// Most points of one side.
const SIDE: usize = 4;
/// Number of figures side by side, and most characters of their labels.
const FIGURES: std::ops::RangeInclusive<usize> = 3..=6;
const LABEL: usize = 36;

/// Returns the page that shows a block's structure; `None` if it has none, or too much of it for one page.
pub(super) fn page(material: &Material<'_>, block: &Block) -> Option<PageOutline> {
    let hand = Hand { material };
    let page = match &block.kind {
        BlockKind::Steps { title, steps } => hand.process(title.as_ref(), steps),
        BlockKind::Checklist { title, items } => {
            let rows = items.iter().map(|i| Some(ItemCopy { done: i.done, ..hand.line(&i.point)? }));
            hand.titled(PageKind::Checklist, title.as_ref(), held(rows, 3..=8)?)
        }
        BlockKind::Hierarchy { title, nodes } => hand.tree(title.as_ref(), nodes),
        BlockKind::Series(series) => hand.series(series),
        BlockKind::Table(table) => hand.chart(table).or_else(|| hand.table(table)),
        BlockKind::Compare(compare) => hand.versus(compare),
        BlockKind::ProsCons(both) => hand.pros_cons(both),
        BlockKind::Timeline { title, events } => hand.timeline(title.as_ref(), events),
        BlockKind::Definition { term, meaning, .. } => hand.definition(term, meaning),
        BlockKind::QuestionAnswer { question, answer, who } => hand.question(question, answer, who.as_ref()),
        BlockKind::MythFact { myth_label, myth, fact_label, fact } => {
            hand.myth_fact(myth_label, myth, fact_label.as_ref(), fact)
        }
        BlockKind::Announcement(announcement) => hand.announcement(announcement),
        _ => None,
    }?;
    Some(PageOutline { score: block.score.clamp(0.0, 1.0), ..page })
}

/// Returns a page with the best figures of the source in its order; `None` if fewer than three fit.
pub(super) fn figures(material: &Material<'_>) -> Option<PageOutline> {
    let hand = Hand { material };
    let mut kept: Vec<(u32, ItemCopy)> = Vec::new();
    for (stat, _) in &material.stats {
        if kept.len() == *FIGURES.end() {
            break;
        }
        // The same figure may be a block of its own and part of a series.
        let new = kept.iter().all(|(at, _)| *at != stat.span.start);
        if let Some(item) = hand.figure(stat).filter(|_| new) {
            kept.push((stat.span.start, item));
        }
    }
    kept.sort_by_key(|(at, _)| *at);
    let items: Vec<ItemCopy> = kept.into_iter().map(|(_, item)| item).collect();
    let page =
        PageOutline { kicker: None, title: material.title(), items, ..PageOutline::blank(PageKind::Figures, 0.6) };
    Some(page).filter(|p| FIGURES.contains(&p.items.len()))
}

/// Returns all items if each can be shown and their number fits the page.
fn held(
    items: impl Iterator<Item = Option<ItemCopy>>,
    count: std::ops::RangeInclusive<usize>,
) -> Option<Vec<ItemCopy>> {
    let items: Vec<ItemCopy> = items.collect::<Option<_>>()?;
    count.contains(&items.len()).then_some(items)
}

struct Hand<'m, 'a> {
    material: &'m Material<'a>,
}

impl Hand<'_, '_> {
    fn budget(&self) -> &Budget {
        &self.material.budget
    }

    /// Returns a page under its own title, with the set's title as kicker, or under the set's title.
    fn titled(&self, kind: PageKind, title: Option<&Sourced>, items: Vec<ItemCopy>) -> Option<PageOutline> {
        let (material, tone) = (self.material, self.material.tone());
        // "It is because of this that our policy is to" needs the sentence before it.
        let alone = |t: &&Sourced| tone.exact || stands_alone(&t.text, words::of(tone.language.primary()));
        let own = title.filter(alone).and_then(|t| wording::headline(t, tone)).and_then(|t| wording::claim(t, tone));
        let kicker = own.as_ref().filter(|o| Some(*o) != material.title().as_ref()).and_then(|_| material.kicker());
        let title = own.or_else(|| material.title());
        title.as_ref()?;
        Some(PageOutline { kicker, title, items, ..PageOutline::blank(kind, 0.5) })
    }

    /// Returns the wordings with at most `most` characters; `None` if there is none.
    fn short(&self, words: &Sourced, most: usize) -> Option<Copy> {
        let mut copy = wording::headline(words, self.material.tone())?;
        copy.wordings.retain(|w| w.chars().count() <= most);
        (!copy.wordings.is_empty()).then_some(copy)
    }

    fn item(&self, point: &Point) -> Option<ItemCopy> {
        wording::item(None, point, self.budget(), self.material.tone())
    }

    /// Returns a point without its support.
    fn line(&self, point: &Point) -> Option<ItemCopy> {
        wording::bare_item(point, self.budget(), self.material.tone())
    }

    fn process(&self, title: Option<&Sourced>, steps: &[Point]) -> Option<PageOutline> {
        let items = held(steps.iter().map(|s| self.timed(s)), 3..=6)?;
        self.titled(PageKind::Process, title, items)
    }

    /// Returns a step. A duration in brackets in its head becomes its label.
    fn timed(&self, step: &Point) -> Option<ItemCopy> {
        let plain = || self.item(step);
        let text = step.head.text.trim_end_matches(['.', ':']).trim_end();
        let Some((front, inside)) = text.strip_suffix(')').and_then(|t| t.rsplit_once(" (")) else { return plain() };
        let timed = inside.chars().count() <= 12
            && inside.starts_with(|c: char| c.is_numeric())
            && inside.contains(char::is_alphabetic);
        if !timed || self.material.tone().exact || segment::count_words(front) == 0 {
            return plain();
        }
        let words = |text: &str| Sourced { text: text.trim().to_owned(), span: step.head.span };
        let item = self.item(&Point::new(words(front), step.body.clone()))?;
        Some(ItemCopy { label: wording::copy(vec![inside.to_owned()], Some(step.head.span)), ..item })
    }

    fn timeline(&self, title: Option<&Sourced>, events: &[Event]) -> Option<PageOutline> {
        let items =
            events.iter().map(|e| Some(ItemCopy { label: Some(self.short(&e.date, 16)?), ..self.item(&e.point)? }));
        self.titled(PageKind::Timeline, title, held(items, 3..=7)?)
    }

    fn tree(&self, title: Option<&Sourced>, nodes: &[Node]) -> Option<PageOutline> {
        let shallow = nodes.iter().all(|n| n.children.iter().all(|c| c.children.is_empty()));
        let full = nodes.iter().all(|n| (1..=4).contains(&n.children.len()));
        if !shallow || !full || !(2..=4).contains(&nodes.len()) {
            return None;
        }
        let groups = nodes.iter().map(|n| self.short(&n.head, LEAF)).collect::<Option<Vec<_>>>()?;
        let leaf = |group: usize, node: &Node| {
            Some(ItemCopy { group: group as u8, ..ItemCopy::new(self.short(&node.head, LEAF)?, None) })
        };
        let items = nodes.iter().enumerate().flat_map(|(g, n)| n.children.iter().map(move |c| leaf(g, c)));
        Some(PageOutline { groups, ..self.titled(PageKind::Tree, title, held(items, 2..=12)?)? })
    }

    fn series(&self, series: &Series) -> Option<PageOutline> {
        let items = series.values.iter().map(|v| {
            let head = self.short(&v.label, CELL)?;
            let figure = wording::copy(vec![v.figure.text.clone()], Some(v.figure.span))?;
            Some(ItemCopy { cells: vec![figure], numbers: vec![v.number], ..ItemCopy::new(head, None) })
        });
        self.titled(PageKind::Series, series.title.as_ref(), held(items, 3..=POINTS)?)
    }

    /// Returns a table whose cells are figures of one unit as a chart.
    fn chart(&self, table: &Table) -> Option<PageOutline> {
        let columns = table.header.len().checked_sub(1).filter(|n| (1..=COLUMNS).contains(n))?;
        let mut units: Vec<String> = Vec::new();
        let items = table.rows.iter().map(|row| {
            let (head, cells) = row.split_first()?;
            let mut numbers = Vec::with_capacity(columns);
            for cell in cells {
                let (number, unit) = plain_figure(&cell.text)?;
                numbers.push(number);
                units.push(unit);
            }
            let cells = cells.iter().map(|c| wording::copy(vec![c.text.clone()], Some(c.span)));
            let cells = cells.collect::<Option<Vec<_>>>()?;
            Some(ItemCopy { cells, numbers, ..ItemCopy::new(self.short(head, CELL)?, None) })
        });
        // Two rows of one figure each make a comparison.
        let least = if columns == 1 { 2 } else { 3 };
        let items = held(items.collect::<Vec<_>>().into_iter(), least..=POINTS)?;
        // Several series make lines over time; without an order they are shown as a table.
        let ordered = || in_order(table.rows.iter().filter_map(|r| r.first()).map(|c| c.text.as_str()));
        if !units.windows(2).all(|u| u[0] == u[1]) || columns > 1 && !ordered() {
            return None;
        }
        let groups = table.header[1..].iter().map(|h| self.short(h, CELL)).collect::<Option<Vec<_>>>()?;
        Some(PageOutline { groups, ..self.titled(PageKind::Series, table.title.as_ref(), items)? })
    }

    fn table(&self, table: &Table) -> Option<PageOutline> {
        // Columns of ticks mean nothing without the table around them.
        let says = |c: &Sourced| c.text.chars().any(char::is_alphanumeric);
        let cells = || table.rows.iter().flat_map(|row| row.iter().skip(1));
        if !self.material.tone().exact && 2 * cells().filter(|c| says(c)).count() <= cells().count() {
            return None;
        }
        let columns = table.header.len().checked_sub(1).filter(|n| (1..=COLUMNS).contains(n))?;
        let items = table.rows.iter().map(|row| {
            let (head, cells) = row.split_first()?;
            let cells = cells.iter().map(|c| self.short(c, CELL)).collect::<Option<Vec<_>>>()?;
            Some(ItemCopy { cells, ..ItemCopy::new(self.short(head, CELL)?, None) })
        });
        let items = held(items.collect::<Vec<_>>().into_iter(), 2..=ROWS)?;
        // Two columns of cells make a comparison; a single one is a list with values.
        let groups = table.header[1..].iter().map(|h| self.short(h, NAME + 4)).collect::<Option<Vec<_>>>()?;
        let page = self.titled(PageKind::Table, table.title.as_ref(), items)?;
        Some(PageOutline { groups, ..page }).filter(|_| columns >= 2)
    }

    /// Returns the points of two sides, grouped by side.
    fn sides(&self, kind: PageKind, title: Option<&Sourced>, sides: [(&Sourced, &[Point]); 2]) -> Option<PageOutline> {
        let groups = sides.iter().map(|(name, _)| self.short(name, NAME + 8)).collect::<Option<Vec<_>>>()?;
        let fair = sides.iter().all(|(_, points)| (1..=SIDE).contains(&points.len()));
        let items = (0..)
            .zip(sides)
            .flat_map(|(group, (_, points))| points.iter().map(move |p| Some(ItemCopy { group, ..self.line(p)? })));
        let items = held(items, 2..=2 * SIDE).filter(|_| fair)?;
        Some(PageOutline { groups, ..self.titled(kind, title, items)? })
    }

    fn versus(&self, compare: &Compare) -> Option<PageOutline> {
        let side = |s: &'_ crate::content::Side| (s.name.clone(), s.points.clone());
        let ((left, l), (right, r)) = (side(&compare.left), side(&compare.right));
        self.sides(PageKind::Versus, compare.title.as_ref(), [(&left, &l), (&right, &r)])
    }

    fn pros_cons(&self, both: &ProsCons) -> Option<PageOutline> {
        self.sides(PageKind::ProsCons, None, [(&both.pros_title, &both.pros), (&both.cons_title, &both.cons)])
    }

    fn definition(&self, term: &Sourced, meaning: &Sourced) -> Option<PageOutline> {
        let tone = self.material.tone();
        let body = wording::support(&[&wording::capital(meaning)], self.budget().body, tone);
        let title = self.short(term, 24);
        body.as_ref()?;
        title.as_ref()?;
        Some(PageOutline {
            kicker: self.material.kicker(),
            title,
            body,
            ..PageOutline::blank(PageKind::Definition, 0.5)
        })
    }

    fn question(&self, question: &Sourced, answer: &[Sourced], who: Option<&Sourced>) -> Option<PageOutline> {
        let tone = self.material.tone();
        let answer = answer::sentences(&question.text, answer, tone);
        let asked = wording::headline(question, tone)?;
        let attribution = who.and_then(|who| wording::name(who, tone));
        let body = Some(wording::answer(&answer, self.budget().body, tone)?);
        if let Some(title) = wording::claim(asked.clone(), tone).or_else(|| heading::front(question, tone)) {
            let (kicker, title) = (self.material.kicker(), Some(title));
            return Some(PageOutline {
                kicker,
                title,
                body,
                attribution,
                ..PageOutline::blank(PageKind::Question, 0.5)
            });
        }
        // A long question becomes the kicker over its answer; an even longer one is left out.
        let kicker = wording::kicker(&asked).or_else(|| self.material.kicker());
        Some(PageOutline { kicker, body, attribution, ..PageOutline::blank(PageKind::Point, 0.5) })
    }

    fn myth_fact(
        &self,
        myth_label: &Sourced,
        myth: &Sourced,
        fact_label: Option<&Sourced>,
        fact: &[Sourced],
    ) -> Option<PageOutline> {
        let tone = self.material.tone();
        let (first, more) = fact.split_first()?;
        let (head, rest) = wording::first_sentence(first, tone);
        let rest: Vec<&Sourced> = rest.iter().chain(more).collect();
        let fact_name = match fact_label {
            Some(words) => self.short(words, NAME)?,
            // This is the layout's own word. It claims nothing that the source doesn't.
            None => Copy { wordings: vec![labels::fact(self.material.language())?.to_owned()], span: None },
        };
        let fact = ItemCopy {
            group: 1,
            ..ItemCopy::new(wording::headline(&head, tone)?, wording::support(&rest, self.budget().item * 3 / 2, tone))
        };
        Some(PageOutline {
            kicker: self.material.kicker(),
            groups: vec![self.short(myth_label, NAME)?, fact_name],
            items: vec![ItemCopy::new(wording::headline(myth, tone)?, None), fact],
            ..PageOutline::blank(PageKind::MythFact, 0.5)
        })
    }

    fn announcement(&self, announcement: &Announcement) -> Option<PageOutline> {
        let (material, language) = (self.material, self.material.language());
        let kind = match announcement.subject {
            Subject::Announcement => PageKind::Announcement,
            Subject::Offer => PageKind::Offer,
            Subject::Event => PageKind::Event,
        };
        let is = |f: &Fact, kinds: &[FactKind]| kinds.contains(&f.kind);
        let figure = announcement.facts.iter().find(|f| is(f, &[FactKind::Discount])).and_then(discount);
        // A discount that is the page's figure is not repeated here.
        let facts = announcement.main_facts().filter(|f| !(is(f, &[FactKind::Discount]) && figure.is_some()));
        let items = facts.filter_map(|f| {
            let label = labels::fact_kind(f.kind, language)?;
            let label = Some(Copy { wordings: vec![label.to_owned()], span: None });
            Some(ItemCopy { label, ..ItemCopy::new(self.short(&f.words, CELL + 6)?, None) })
        });
        let items: Vec<ItemCopy> = items.take(4).collect();
        let address = announcement.facts.iter().find(|f| is(f, &[FactKind::Url, FactKind::Handle]));
        let call = material.call().or_else(|| wording::call(&address?.words, material.tone()));
        let cover = material.cover();
        cover.title.as_ref()?;
        let page = PageOutline {
            title: cover.title,
            body: cover.body,
            items,
            figure,
            cta: call,
            ..PageOutline::blank(kind, 0.5)
        };
        Some(page).filter(|p| !p.items.is_empty())
    }

    /// Returns a figure and a short label.
    fn figure(&self, stat: &Stat) -> Option<ItemCopy> {
        let head = wording::label(&stat.label, self.material.tone())?;
        let wordings: Vec<String> = head.wordings.into_iter().filter(|w| w.chars().count() <= LABEL).collect();
        let head = wording::copy(wordings, head.span)?;
        let cell = |text: &str| Copy { wordings: vec![text.to_owned()], span: Some(stat.span) };
        let mut cells = vec![cell(&stat.value)];
        if !stat.unit.is_empty() {
            cells.push(cell(&stat.unit));
        }
        Some(ItemCopy { cells, numbers: vec![stat.number], ..ItemCopy::new(head, None) })
    }
}

/// Returns the number of a cell that contains only a figure, and the text around its digits.
fn plain_figure(text: &str) -> Option<(f64, String)> {
    let found = number::all(text);
    let [one] = found.as_slice() else { return None };
    let value = one.values.first()?;
    let (before, behind) = (&text[..one.range.start], text[one.range.end..].trim());
    let negative = before.trim_end().ends_with(['-', '−', '–']);
    let unit = format!("{}{behind}", before.trim().trim_end_matches(['-', '−', '–', '+']));
    (unit.chars().count() <= 8).then_some((if negative { -value } else { *value }, unit))
}

/// Returns the figure of a discount: "30 % off".
fn discount(fact: &Fact) -> Option<Figure> {
    let text = &fact.words.text;
    let found = number::all(text);
    let [one] = found.as_slice() else { return None };
    let number = *one.values.first()?;
    let behind = text[one.range.end..].trim_start();
    let unit = behind.chars().next().filter(|c| matches!(c, '%' | '％' | '٪'));
    let before = text[..one.range.start].chars().next_back().filter(|c| matches!(c, '$' | '€' | '£' | '¥'));
    if unit.is_none() && before.is_none() {
        return None;
    }
    let value = format!("{}{}", before.map(String::from).unwrap_or_default(), &text[one.range.clone()]);
    let span = Span { start: fact.words.span.start, end: fact.words.span.end };
    Some(Figure { value, unit: unit.map(String::from).unwrap_or_default(), number, span })
}
