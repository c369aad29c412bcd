//! The kinds of blocks that a document consists of.

use serde::{Deserialize, Serialize};

use super::{Sourced, Span};

/// One block of a document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Block {
    /// The kind of block.
    pub kind: BlockKind,
    /// The detector's score, 0–1.
    pub score: f32,
    /// The range of the source that the block covers.
    pub span: Span,
}

/// The kinds of blocks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum BlockKind {
    /// An opening that draws the reader in: a question, or a figure.
    Hook(Sourced),
    /// A standalone point: a heading and its content, or a ranked sentence.
    KeyPoint(Point),
    /// Steps to be done in order.
    Steps {
        /// The line that introduces the steps.
        title: Option<Sourced>,
        /// The steps, in order.
        steps: Vec<Point>,
    },
    /// Items of one kind, in no particular order.
    List {
        /// The line that introduces the items.
        title: Option<Sourced>,
        /// The sentence between that line and the items that leads into them: "Bring along:".
        #[serde(default)]
        lead: Option<Sourced>,
        /// Whether the source numbers the items.
        numbered: bool,
        /// The items.
        items: Vec<Point>,
    },
    /// Items to be ticked off.
    Checklist {
        /// The line that introduces the items.
        title: Option<Sourced>,
        /// The items, in the source's order.
        items: Vec<ChecklistItem>,
    },
    /// A tree of items.
    Hierarchy {
        /// The line that introduces the tree.
        title: Option<Sourced>,
        /// The top level, in order.
        nodes: Vec<Node>,
    },
    /// A figure and the phrase that says what it counts.
    Stat(Stat),
    /// Several figures of one kind.
    Series(Series),
    /// Rows of cells.
    Table(Table),
    /// A comparison of two things.
    Compare(Compare),
    /// Arguments for and against something.
    ProsCons(ProsCons),
    /// Dated events, in order.
    Timeline {
        /// The line that introduces the events.
        title: Option<Sourced>,
        /// The events in the source's order, which is chronological or reverse chronological.
        events: Vec<Event>,
    },
    /// A quotation.
    Quote {
        /// The quoted words, without quotation marks.
        text: Sourced,
        /// The speaker.
        who: Option<Sourced>,
    },
    /// The definition of a term.
    Definition {
        /// The term.
        term: Sourced,
        /// The meaning: the rest of the sentence, or the gloss after the dash.
        meaning: Sourced,
        /// The term and its meaning, as the source words them.
        whole: Sourced,
    },
    /// A question that the source asks and answers.
    QuestionAnswer {
        /// The question.
        question: Sourced,
        /// The sentences of the answer, best first.
        answer: Vec<Sourced>,
        /// Who answers, if the source says so.
        #[serde(default)]
        who: Option<Sourced>,
    },
    /// A false belief and its correction.
    MythFact {
        /// The source's own label for the belief: "Myth".
        myth_label: Sourced,
        /// The belief.
        myth: Sourced,
        /// The source's own label for the correction, if it has one: "Fact".
        fact_label: Option<Sourced>,
        /// The correction, in the source's order.
        fact: Vec<Sourced>,
    },
    /// The key facts of an announcement, an offer or an event.
    Announcement(Announcement),
    /// What the reader is asked to do now.
    CallToAction(Sourced),
}

/// A head and the sentences that support it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// The point in a few words.
    pub head: Sourced,
    /// The sentences that support the head, best first. May be empty.
    pub body: Vec<Sourced>,
    /// Weaker sentences about the point, best first. They are used only if there are no others.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub more: Vec<Sourced>,
}

/// An item to be ticked off.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChecklistItem {
    /// What has to be done.
    pub point: Point,
    /// Whether the source marks the item as done.
    pub done: bool,
}

/// An item of a hierarchy and its children.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Node {
    /// The item.
    pub head: Sourced,
    /// The items below it, in order.
    pub children: Vec<Self>,
}

/// A figure.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Stat {
    /// The figure as displayed, with sign and currency but without unit: "−31", "$4.2", "18.4".
    pub value: String,
    /// The text after the figure: "%", "×", "bn", "h a week". May be empty.
    pub unit: String,
    /// The numeric value for charts and checks: −31 → -31.0.
    pub number: f64,
    /// The clause that gives the figure its meaning.
    pub label: Sourced,
    /// Who measured it, if the sentence says so.
    pub source: Option<Sourced>,
    /// The range of the figure itself.
    pub span: Span,
}

/// Figures that share one unit, each with a label.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Series {
    /// What the figures count.
    pub title: Option<Sourced>,
    /// The shared unit, as the source writes it. May be empty.
    pub unit: String,
    /// Three or more values, in the source's order.
    pub values: Vec<Value>,
}

/// One figure of a series.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Value {
    /// What the figure is about.
    pub label: Sourced,
    /// The figure as the source writes it, unit included.
    pub figure: Sourced,
    /// The figure's sign, currency and digits only.
    pub value: String,
    /// The numeric value, with powers of ten applied.
    pub number: f64,
}

/// Rows of cells under a header.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Table {
    /// What the table shows.
    pub title: Option<Sourced>,
    /// One cell per column. The first may be empty.
    pub header: Vec<Sourced>,
    /// Each row is as long as the header. A cell may be empty.
    pub rows: Vec<Vec<Sourced>>,
}

/// A comparison of two things.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Compare {
    /// The line that names both.
    pub title: Option<Sourced>,
    /// The first thing.
    pub left: Side,
    /// The second thing.
    pub right: Side,
}

/// One of two compared things.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Side {
    /// Its name.
    pub name: Sourced,
    /// What the source says about it. May be empty.
    pub points: Vec<Point>,
}

/// Arguments for and against something, each under the source's own heading.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ProsCons {
    /// The heading over the arguments in favour.
    pub pros_title: Sourced,
    /// The arguments in favour.
    pub pros: Vec<Point>,
    /// The heading over the arguments against.
    pub cons_title: Sourced,
    /// The arguments against.
    pub cons: Vec<Point>,
}

/// What happened at a time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// The time as the source writes it.
    pub date: Sourced,
    /// The sort key: years, with months, days and hours as fractions. For a time of day alone, hours.
    pub order: f64,
    /// What happened.
    pub point: Point,
}

/// The key facts of an announcement.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Announcement {
    /// What is announced.
    pub subject: Subject,
    /// The facts, in the source's order.
    pub facts: Vec<Fact>,
}

/// What is announced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Subject {
    /// News with a date, an address or a price.
    Announcement,
    /// Something at a reduced price.
    Offer,
    /// Something to attend.
    Event,
}

/// What a source declares itself to be in metadata. A web page does so in JSON-LD and Open Graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Declared {
    /// An article, a report, a recipe: it informs and announces nothing.
    Article,
    /// The page of one event.
    Event,
    /// The page of one offer or of one product that is for sale.
    Offer,
}

/// One fact of an announcement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fact {
    /// The kind of fact.
    pub kind: FactKind,
    /// The words.
    pub words: Sourced,
}

/// The kinds of facts that announcements have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FactKind {
    /// The reduction: "20 % off".
    Discount,
    /// The price.
    Price,
    /// The code to enter.
    Code,
    /// The day or days.
    Date,
    /// The time of day.
    Time,
    /// The place.
    Place,
    /// Who speaks or performs.
    Speaker,
    /// A web address.
    Url,
    /// An account name.
    Handle,
}

impl Announcement {
    /// Returns the facts that are shown together on a page: the first of each kind, and every date. Addresses and
    /// accounts are shown with the call to action instead.
    pub fn main_facts(&self) -> impl Iterator<Item = &Fact> {
        let is_address = |f: &&Fact| matches!(f.kind, FactKind::Url | FactKind::Handle);
        let mut said: Vec<FactKind> = Vec::new();
        self.facts.iter().filter(move |f| !is_address(f)).filter(move |f| {
            let again = said.contains(&f.kind) && f.kind != FactKind::Date;
            said.push(f.kind);
            !again
        })
    }
}

impl Point {
    /// Creates a point from a head and its supporting sentences, best first.
    pub fn new(head: Sourced, body: Vec<Sourced>) -> Self {
        Self { head, body, more: Vec::new() }
    }

    /// Creates a point without supporting sentences.
    pub(super) fn bare(head: Sourced) -> Self {
        Self::new(head, Vec::new())
    }

    /// Returns all sentences about the point, best first.
    pub fn sentences(&self) -> impl Iterator<Item = &Sourced> {
        self.body.iter().chain(&self.more)
    }

    /// Returns the smallest span around the point's words.
    pub(super) fn span(&self) -> Span {
        self.sentences().fold(self.head.span, |span, words| span.union(words.span))
    }
}

impl Block {
    /// Creates the block of a point.
    pub(super) fn key_point(point: Point, score: f32) -> Self {
        let span = point.span();
        Self { kind: BlockKind::KeyPoint(point), score, span }
    }

    /// Returns all words of the block.
    pub fn words(&self) -> Vec<&Sourced> {
        let mut out = Vec::new();
        match &self.kind {
            BlockKind::Hook(words) | BlockKind::CallToAction(words) => out.push(words),
            BlockKind::KeyPoint(point) => out.extend(words_of(point)),
            BlockKind::Steps { title, steps: items } => {
                out.extend(title);
                out.extend(items.iter().flat_map(words_of));
            }
            BlockKind::List { title, lead, items, .. } => {
                out.extend(title.iter().chain(lead));
                out.extend(items.iter().flat_map(words_of));
            }
            BlockKind::Checklist { title, items } => {
                out.extend(title);
                out.extend(items.iter().flat_map(|i| words_of(&i.point)));
            }
            BlockKind::Hierarchy { title, nodes } => {
                out.extend(title);
                nodes.iter().for_each(|n| n.words(&mut out));
            }
            BlockKind::Stat(stat) => {
                out.push(&stat.label);
                out.extend(&stat.source);
            }
            BlockKind::Series(series) => {
                out.extend(&series.title);
                out.extend(series.values.iter().flat_map(|v| [&v.label, &v.figure]));
            }
            BlockKind::Table(table) => {
                out.extend(&table.title);
                out.extend(table.header.iter().chain(table.rows.iter().flatten()));
            }
            BlockKind::Compare(compare) => {
                out.extend(&compare.title);
                for side in [&compare.left, &compare.right] {
                    out.push(&side.name);
                    out.extend(side.points.iter().flat_map(words_of));
                }
            }
            BlockKind::ProsCons(both) => {
                out.push(&both.pros_title);
                out.extend(both.pros.iter().flat_map(words_of));
                out.push(&both.cons_title);
                out.extend(both.cons.iter().flat_map(words_of));
            }
            BlockKind::Timeline { title, events } => {
                out.extend(title);
                out.extend(events.iter().flat_map(|e| std::iter::once(&e.date).chain(words_of(&e.point))));
            }
            BlockKind::Quote { text, who } => {
                out.push(text);
                out.extend(who);
            }
            BlockKind::Definition { term, meaning, whole } => out.extend([term, meaning, whole]),
            BlockKind::QuestionAnswer { question, answer, who } => {
                out.push(question);
                out.extend(answer.iter().chain(who));
            }
            BlockKind::MythFact { myth_label, myth, fact_label, fact } => {
                out.extend([myth_label, myth]);
                out.extend(fact_label);
                out.extend(fact);
            }
            BlockKind::Announcement(announcement) => out.extend(announcement.facts.iter().map(|f| &f.words)),
        }
        out
    }
}

impl Node {
    fn words<'a>(&'a self, out: &mut Vec<&'a Sourced>) {
        out.push(&self.head);
        self.children.iter().for_each(|c| c.words(out));
    }
}

fn words_of(point: &Point) -> impl Iterator<Item = &Sourced> {
    std::iter::once(&point.head).chain(point.sentences())
}
