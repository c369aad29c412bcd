//! What each block of a document offers to the kinds of page: points and lists whose heads are complete, so that a page
//! without support for a structure loses nothing of it.

use super::wording;
use crate::content::{
    BlockKind, Compare, Document, FactKind, Node, Point, Series, Sourced, Span, Stat, Table, segment,
};

/// A point and the label that its head always needs: a date, the source's word "Myth".
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Entry {
    /// The words before the head.
    pub label: Option<Sourced>,
    /// Head and support.
    pub point: Point,
}

/// Entries that can share a page.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct List {
    /// What the entries are.
    pub title: Option<Sourced>,
    /// The sentence under the title that introduces the entries.
    pub lead: Option<Sourced>,
    /// The entries in order.
    pub entries: Vec<Entry>,
    /// Whether the source numbers them.
    pub numbered: bool,
    /// Whether they are steps.
    pub steps: bool,
    /// Whether the list must be shown complete, because its order or number carries the meaning.
    pub whole: bool,
}

/// The points, lists and figures of a block.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Offer {
    /// Points of the text, each of which can fill a page.
    pub points: Vec<Entry>,
    /// Points that introduce others and can fill a page where there is room.
    pub asides: Vec<Entry>,
    /// Lists.
    pub lists: Vec<List>,
    /// The heading over the block, as a point.
    pub heading: Option<Entry>,
    /// Figures that are not blocks of their own.
    pub stats: Vec<Stat>,
}

/// Returns the offer of each block.
pub(super) fn of(document: &Document) -> Vec<Offer> {
    document.blocks.iter().map(|b| Offer { heading: heading(&b.kind), ..offer(&b.kind) }).collect()
}

impl Entry {
    fn of(point: &Point) -> Self {
        Self { label: None, point: point.clone() }
    }

    /// Returns the entry as an item of a list.
    pub fn item(&self) -> (Option<&Sourced>, &Point) {
        (self.label.as_ref(), &self.point)
    }

    fn labelled(label: &Sourced, point: &Point) -> Self {
        Self { label: Some(label.clone()), point: point.clone() }
    }
}

/// Most words of a name.
const NAME: usize = 4;

impl List {
    /// Returns whether each entry contains words: a column of numbers has none.
    pub fn says_words(&self) -> bool {
        let says = |e: &Entry| e.label.is_some() || e.point.head.text.chars().any(char::is_alphabetic);
        self.entries.iter().all(says)
    }

    /// Returns whether most entries say more than a name.
    pub fn says_claims(&self) -> bool {
        let says = |e: &&Entry| e.point.sentences().next().is_some() || segment::count_words(&e.point.head.text) > NAME;
        2 * self.entries.iter().filter(says).count() >= self.entries.len()
    }

    fn of(title: Option<&Sourced>, entries: Vec<Entry>) -> Self {
        Self { title: title.cloned(), lead: None, entries, numbered: false, steps: false, whole: false }
    }
}

/// Returns the heading over a structure as a point that the structure supports.
fn heading(kind: &BlockKind) -> Option<Entry> {
    let title = match kind {
        BlockKind::Steps { title, .. }
        | BlockKind::List { title, .. }
        | BlockKind::Checklist { title, .. }
        | BlockKind::Hierarchy { title, .. }
        | BlockKind::Timeline { title, .. } => title,
        BlockKind::Table(table) => &table.title,
        BlockKind::Series(series) => &series.title,
        BlockKind::Compare(compare) => &compare.title,
        _ => &None,
    };
    let heading = title.as_ref().filter(|title| !title.text.ends_with([':', '：']));
    heading.map(|title| Entry::of(&Point::new(title.clone(), Vec::new())))
}

fn offer(kind: &BlockKind) -> Offer {
    let entries = |points: &[Point]| points.iter().map(Entry::of).collect::<Vec<_>>();
    let points = |points: Vec<Entry>| Offer { points, ..Offer::default() };
    let lists = |lists: Vec<List>| Offer { lists, ..Offer::default() };
    match kind {
        BlockKind::KeyPoint(point) => points(vec![Entry::of(point)]),
        BlockKind::Steps { title, steps } => {
            let list = List::of(title.as_ref(), entries(steps));
            let list = List { numbered: true, steps: true, whole: true, ..list };
            lists(vec![list])
        }
        BlockKind::List { title, lead, numbered, items } => {
            let list = List { numbered: *numbered, lead: lead.clone(), ..List::of(title.as_ref(), entries(items)) };
            lists(vec![list])
        }
        BlockKind::Checklist { title, items } => {
            lists(vec![List::of(title.as_ref(), items.iter().map(|i| Entry::of(&i.point)).collect())])
        }
        BlockKind::Hierarchy { title, nodes } => {
            lists(vec![List::of(title.as_ref(), nodes.iter().map(branch).collect())])
        }
        BlockKind::Series(series) => figures(series),
        BlockKind::Table(table) => lists(vec![rows(table)]),
        BlockKind::Compare(compare) => lists(sides(compare)),
        BlockKind::ProsCons(both) => lists(vec![
            List::of(Some(&both.pros_title), entries(&both.pros)),
            List::of(Some(&both.cons_title), entries(&both.cons)),
        ]),
        BlockKind::Timeline { title, events } => {
            let entries = events.iter().map(|e| Entry::labelled(&e.date, &e.point)).collect();
            lists(vec![List { whole: true, ..List::of(title.as_ref(), entries) }])
        }
        BlockKind::Definition { whole, .. } => {
            let point = Point::new(whole.clone(), Vec::new());
            Offer { asides: vec![Entry::of(&point)], ..Offer::default() }
        }
        BlockKind::QuestionAnswer { question, answer, .. } => {
            points(vec![Entry::of(&Point::new(question.clone(), answer.clone()))])
        }
        BlockKind::MythFact { myth_label, myth, fact, .. } => {
            let point = Point::new(myth.clone(), fact.clone());
            points(vec![Entry::labelled(myth_label, &point)])
        }
        BlockKind::Announcement(announcement) => {
            // Addresses belong to the call to action.
            let facts = announcement.facts.iter().filter(|f| !matches!(f.kind, FactKind::Url | FactKind::Handle));
            let point = |words: &Sourced| Entry::of(&Point::new(words.clone(), Vec::new()));
            lists(vec![List::of(None, facts.map(|f| point(&f.words)).collect())])
        }
        BlockKind::Hook(_) | BlockKind::Stat(_) | BlockKind::Quote { .. } | BlockKind::CallToAction(_) => {
            Offer::default()
        }
    }
}

/// Converts a node and everything below it.
fn branch(node: &Node) -> Entry {
    fn below(node: &Node, out: &mut Vec<Sourced>) {
        for child in &node.children {
            out.push(child.head.clone());
            below(child, out);
        }
    }
    let mut body = Vec::new();
    below(node, &mut body);
    Entry { label: None, point: Point::new(node.head.clone(), body) }
}

/// Converts a series to lines of label and figure. Its largest figure can stand alone with its label, because that
/// claims nothing about the others.
fn figures(series: &Series) -> Offer {
    let entries = series.values.iter().map(|v| {
        let point = Point::new(v.figure.clone(), Vec::new());
        Entry::labelled(&v.label, &point)
    });
    let list = List { whole: true, ..List::of(series.title.as_ref(), entries.collect()) };
    let largest = series.values.iter().max_by(|a, b| a.number.total_cmp(&b.number)).map(|v| Stat {
        value: v.value.clone(),
        unit: series.unit.clone(),
        number: v.number,
        label: series.title.as_ref().map_or_else(|| v.label.clone(), |t| wording::joined_words(t, &v.label)),
        source: None,
        span: v.figure.span,
    });
    Offer { lists: vec![list], stats: largest.into_iter().collect(), ..Offer::default() }
}

/// Converts a table row by row. The first cell is the head. In a table of two columns the second cell belongs to the
/// head; with more columns, each cell follows the name of its column.
fn rows(table: &Table) -> List {
    let entries = table.rows.iter().filter_map(|row| {
        let (first, rest) = row.split_first()?;
        let filled = || rest.iter().zip(table.header.iter().skip(1)).filter(|(cell, _)| !cell.text.is_empty());
        if let [only] = rest {
            let point = Point::new(only.clone(), Vec::new());
            return Some(Entry { label: Some(first.clone()).filter(|f| !f.text.is_empty()), point });
        }
        let cells: Vec<Sourced> = filled()
            .map(|(cell, name)| if name.text.is_empty() { cell.clone() } else { wording::joined_words(name, cell) })
            .collect();
        let body = cells.iter().map(|c| c.text.as_str()).collect::<Vec<_>>().join("; ");
        let span = cells.iter().map(|c| c.span).reduce(Span::union);
        let body = span.map(|span| Sourced { text: body, span });
        match (first.text.is_empty(), body) {
            (true, None) => None,
            (true, Some(body)) => Some(Entry::of(&Point::new(body, Vec::new()))),
            (false, body) => Some(Entry::of(&Point::new(first.clone(), body.into_iter().collect()))),
        }
    });
    List { whole: true, ..List::of(table.title.as_ref(), entries.filter(|e| !e.point.head.text.is_empty()).collect()) }
}

/// Returns each side as a list under its name.
fn sides(compare: &Compare) -> Vec<List> {
    [&compare.left, &compare.right]
        .into_iter()
        .filter(|side| !side.points.is_empty())
        .map(|side| List::of(Some(&side.name), side.points.iter().map(Entry::of).collect()))
        .collect()
}
