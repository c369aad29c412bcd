//! The kinds of things that a source says.

use serde::{Deserialize, Serialize};

use super::{Sourced, Span};

/// One thing that the source says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Block {
    /// What kind of thing.
    pub kind: BlockKind,
    /// The detector's score, 0–1.
    pub score: f32,
    /// The range of the source that it covers.
    pub span: Span,
}

/// The kinds of things that a source says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum BlockKind {
    /// The opening that makes a reader go on: a question, or a figure.
    Hook(Sourced),
    /// A point of its own: a heading and what stands under it, or a ranked sentence.
    KeyPoint(Point),
    /// Steps to be done in order.
    Steps {
        /// The line that introduces them.
        title: Option<Sourced>,
        /// In order.
        steps: Vec<Point>,
    },
    /// Things of one kind, in no order.
    List {
        /// The line that introduces them.
        title: Option<Sourced>,
        /// The sentence between that line and them, which leads to them: "Bring along:".
        #[serde(default)]
        lead: Option<Sourced>,
        /// Whether the source numbers them.
        numbered: bool,
        /// The items.
        items: Vec<Point>,
    },
    /// Things to be ticked off.
    Checklist {
        /// The line that introduces them.
        title: Option<Sourced>,
        /// In the source's order.
        items: Vec<ChecklistItem>,
    },
    /// Things below things.
    Hierarchy {
        /// The line that introduces them.
        title: Option<Sourced>,
        /// The topmost, in order.
        nodes: Vec<Node>,
    },
    /// A figure in the context of a noun.
    Stat(Stat),
    /// Figures of one kind beside each other.
    Series(Series),
    /// Rows of cells.
    Table(Table),
    /// Two things held against each other.
    Compare(Compare),
    /// What speaks for a thing and what against it.
    ProsCons(ProsCons),
    /// What happened when, in order.
    Timeline {
        /// The line that introduces them.
        title: Option<Sourced>,
        /// In the source's order, which is that of time or its reverse.
        events: Vec<Event>,
    },
    /// Somebody's words.
    Quote {
        /// The words, without quotation marks.
        text: Sourced,
        /// Who said them.
        who: Option<Sourced>,
    },
    /// What a word means.
    Definition {
        /// The word.
        term: Sourced,
        /// What it means: the rest of the sentence, or the gloss behind the dash.
        meaning: Sourced,
        /// Both, as the source puts it.
        whole: Sourced,
    },
    /// A question that the source asks and answers.
    QuestionAnswer {
        /// The question.
        question: Sourced,
        /// The sentences of the answer, best first.
        answer: Vec<Sourced>,
        /// Who answers, where the source says so.
        #[serde(default)]
        who: Option<Sourced>,
    },
    /// A belief and what is true.
    MythFact {
        /// The source's own word for the belief: "Myth".
        myth_label: Sourced,
        /// The belief.
        myth: Sourced,
        /// The source's own word for what is true, where it has one: "Fact".
        fact_label: Option<Sourced>,
        /// What is true, in the source's order.
        fact: Vec<Sourced>,
    },
    /// What an announcement, an offer or an event comes down to.
    Announcement(Announcement),
    /// What the reader should do now.
    CallToAction(Sourced),
}

/// A head and what supports it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// The point in a few words.
    pub head: Sourced,
    /// The sentences that support it, best first; may be empty.
    pub body: Vec<Sourced>,
    /// Sentences about it that say too little to stand beside it while there are others, best first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub more: Vec<Sourced>,
}

/// A thing to be ticked off.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChecklistItem {
    /// What is to be done.
    pub point: Point,
    /// Whether the source has ticked it.
    pub done: bool,
}

/// A thing and those below it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Node {
    /// The thing.
    pub head: Sourced,
    /// What stands below it, in order.
    pub children: Vec<Self>,
}

/// A figure.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Stat {
    /// The figure as set, sign and currency included, unit apart: "−31", "$4.2", "18.4".
    pub value: String,
    /// What stands behind the figure: "%", "×", "bn", "h a week"; may be empty.
    pub unit: String,
    /// The number for charts and for checking, where it is one: −31 → -31.0.
    pub number: f64,
    /// The clause that gives it meaning.
    pub label: Sourced,
    /// Who counted, where the sentence says so.
    pub source: Option<Sourced>,
    /// The range of the figure itself.
    pub span: Span,
}

/// Figures with one unit and a label each.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Series {
    /// What is counted.
    pub title: Option<Sourced>,
    /// The unit that all share, as the source writes it; may be empty.
    pub unit: String,
    /// Three or more, in the source's order.
    pub values: Vec<Value>,
}

/// One figure of a series.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Value {
    /// What it is the figure of.
    pub label: Sourced,
    /// The figure as the source writes it, unit included.
    pub figure: Sourced,
    /// The figure's sign, currency and digits alone.
    pub value: String,
    /// Its value; powers of ten applied.
    pub number: f64,
}

/// Rows of cells under a header.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Table {
    /// What it shows.
    pub title: Option<Sourced>,
    /// One cell a column; the first may be empty.
    pub header: Vec<Sourced>,
    /// Each as long as the header; a cell may be empty.
    pub rows: Vec<Vec<Sourced>>,
}

/// Two things held against each other.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Compare {
    /// The line that names both.
    pub title: Option<Sourced>,
    /// One thing.
    pub left: Side,
    /// The other.
    pub right: Side,
}

/// One of two things that are compared.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Side {
    /// What it is called.
    pub name: Sourced,
    /// What is said of it; may be empty.
    pub points: Vec<Point>,
}

/// What speaks for a thing and what against it, each under the source's own heading.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ProsCons {
    /// The heading over what speaks for it.
    pub pros_title: Sourced,
    /// What speaks for it.
    pub pros: Vec<Point>,
    /// The heading over what speaks against it.
    pub cons_title: Sourced,
    /// What speaks against it.
    pub cons: Vec<Point>,
}

/// What happened at a time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// The time as the source writes it.
    pub date: Sourced,
    /// Its place in the order: years, with months, days and hours as fractions; of a time of day alone, hours.
    pub order: f64,
    /// What happened.
    pub point: Point,
}

/// What an announcement comes down to.
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
    /// Something to be had for less.
    Offer,
    /// Something to go to.
    Event,
}

/// What a source declares itself to be, outside its words: a web page does so in JSON-LD and Open Graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Declared {
    /// An article, a report, a recipe: it tells of things and announces none.
    Article,
    /// The page of one event.
    Event,
    /// The page of one offer or of one product that is for sale.
    Offer,
}

/// A fact of an announcement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fact {
    /// What kind of fact.
    pub kind: FactKind,
    /// The words.
    pub words: Sourced,
}

/// The kinds of facts that announcements have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FactKind {
    /// What is taken off: "20 % off".
    Discount,
    /// What it costs.
    Price,
    /// What to type in to get it.
    Code,
    /// The day or days.
    Date,
    /// The time of day.
    Time,
    /// Where.
    Place,
    /// Who speaks or plays.
    Speaker,
    /// An address in the web.
    Url,
    /// An account.
    Handle,
}

impl Announcement {
    /// What stands together on a page: of each kind what comes first, and every date. Addresses stand with what to do now.
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
    /// A point and the sentences that support it, best first.
    pub fn new(head: Sourced, body: Vec<Sourced>) -> Self {
        Self { head, body, more: Vec::new() }
    }

    /// A point without support.
    pub(super) fn bare(head: Sourced) -> Self {
        Self::new(head, Vec::new())
    }

    /// All sentences about it, best first.
    pub fn sentences(&self) -> impl Iterator<Item = &Sourced> {
        self.body.iter().chain(&self.more)
    }

    /// Where it stands: the smallest span around its words.
    pub(super) fn span(&self) -> Span {
        self.sentences().fold(self.head.span, |span, words| span.union(words.span))
    }
}

impl Block {
    /// The block of a point.
    pub(super) fn key_point(point: Point, score: f32) -> Self {
        let span = point.span();
        Self { kind: BlockKind::KeyPoint(point), score, span }
    }

    /// All its words.
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
