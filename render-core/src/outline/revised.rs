//! Outlines in the form that clients read and revise: one wording for each part of a page.

use std::cell::Cell;
use std::collections::HashMap;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Copy, Figure, ItemCopy, PageKind, PageOutline, written};
use crate::cancel;
use crate::content::{Document, Sourced, Span, quantities};

/// Fewest characters of a text that is searched for within the sentences of a document.
const SOUGHT: usize = 12;
/// Most texts of an outline that are searched for this way.
const SEARCHES: usize = 500;

/// The content of one page. Serialises as the `outline` of the API.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RevisedPage {
    /// Its role in the set, by name, such as `myth-fact`.
    #[serde(serialize_with = "kind_name", deserialize_with = "named_kind")]
    pub kind: PageKind,
    /// A few words over the headline.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kicker: Option<String>,
    /// The headline; the words of a quotation, the label of a figure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The text that supports the headline.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The figure of a page that is about one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub figure: Option<RevisedFigure>,
    /// The numeral of a step, or of the first item of a list that continues from another page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<u32>,
    /// The page's points, rows, events or bars.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub items: Vec<RevisedItem>,
    /// The names of both sides, of a table's columns, of a chart's series.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<String>,
    /// Who said it, or where a figure comes from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attribution: Option<String>,
    /// A closing remark.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The call to action.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action: Option<String>,
}

/// A figure and its unit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RevisedFigure {
    /// Sign, currency and digits.
    pub value: String,
    /// The text after it; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub unit: String,
}

/// One item of a page.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct RevisedItem {
    /// The item in a few words.
    pub title: String,
    /// A sentence about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// A date, a duration, the kind of fact.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// The cells of a row after its title; the figures of a bar.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cells: Vec<String>,
    /// The numbers that a chart draws. If empty, a chart reads them from `cells`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<f64>,
    /// Index of the page's group that it belongs to, from 0.
    #[serde(default, skip_serializing_if = "is_first")]
    pub group: u8,
    /// Whether it is ticked off.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub done: bool,
}

impl RevisedPage {
    /// Returns the content of `said`, in its fullest wording.
    pub fn of(said: &PageOutline) -> Self {
        let words = |copy: &Copy| copy.wordings.first().cloned().unwrap_or_default();
        let optional = |copy: &Option<Copy>| copy.as_ref().map(words).filter(|text| !text.is_empty());
        let item = |item: &ItemCopy| RevisedItem {
            title: words(&item.head),
            text: optional(&item.body),
            label: optional(&item.label),
            cells: item.cells.iter().map(words).collect(),
            values: item.numbers.clone(),
            group: item.group,
            done: item.done,
        };
        let figure = |figure: &Figure| RevisedFigure { value: figure.value.clone(), unit: figure.unit.clone() };
        Self {
            kind: said.kind,
            kicker: optional(&said.kicker),
            title: optional(&said.title),
            text: optional(&said.body),
            figure: said.figure.as_ref().map(figure),
            number: said.number,
            items: said.items.iter().map(item).collect(),
            groups: said.groups.iter().map(words).collect(),
            attribution: optional(&said.attribution),
            note: optional(&said.note),
            action: optional(&said.cta),
        }
    }

    /// Returns the page as an outline whose words all stay unchanged. Words that occur in the source keep their span
    /// there, and with it their emphasis and their pictures.
    pub fn outline(&self, sources: &Sources<'_>) -> PageOutline {
        let copy = |text: &String| {
            let text = text.trim();
            (!text.is_empty()).then(|| Copy { wordings: vec![text.to_owned()], span: sources.find(text) })
        };
        let optional = |text: &Option<String>| text.as_ref().and_then(copy);
        let item = |item: &RevisedItem| {
            Some(ItemCopy {
                label: optional(&item.label),
                cells: item.cells.iter().filter_map(copy).collect(),
                numbers: numbers(self.kind, item),
                group: item.group,
                done: item.done,
                ..ItemCopy::new(copy(&item.title)?, optional(&item.text))
            })
        };
        let figure = self.figure.as_ref().filter(|figure| !figure.value.trim().is_empty()).map(|figure| Figure {
            value: figure.value.trim().to_owned(),
            unit: figure.unit.trim().to_owned(),
            number: number(&format!("{} {}", figure.value, figure.unit)),
            span: sources.find(figure.value.trim()).unwrap_or(Span { start: 0, end: 0 }),
        });
        PageOutline {
            kicker: optional(&self.kicker),
            title: optional(&self.title),
            body: optional(&self.text),
            items: self.items.iter().filter_map(item).collect(),
            groups: self.groups.iter().filter_map(copy).collect(),
            figure,
            number: self.number,
            attribution: optional(&self.attribution),
            note: optional(&self.note),
            cta: optional(&self.action),
            whole: true,
            ..PageOutline::blank(self.kind, 0.8)
        }
    }
}

/// Finds the texts of an outline in a document.
#[derive(Debug)]
pub struct Sources<'a> {
    same: HashMap<&'a str, Span>,
    sentences: Vec<&'a Sourced>,
    /// Number of texts that may still be searched for within sentences: each search scans the whole document.
    left: Cell<usize>,
}

impl<'a> Sources<'a> {
    /// Indexes the texts of a document.
    pub fn of(document: &'a Document) -> Self {
        let sentences: Vec<&Sourced> = document.sentences.iter().chain(document.words()).collect();
        // The first of several places wins.
        let same = sentences.iter().rev().map(|sourced| (sourced.text.as_str(), sourced.span)).collect();
        Self { same, sentences, left: Cell::new(SEARCHES) }
    }

    /// Returns the span of the heading or sentence with exactly these words, else of the first one that contains them.
    fn find(&self, text: &str) -> Option<Span> {
        cancel::tick();
        let within = || {
            self.left.set(self.left.get().checked_sub(1)?);
            self.sentences.iter().find(|sourced| sourced.text.contains(text)).map(|sourced| sourced.span)
        };
        let long = text.chars().nth(SOUGHT - 1).is_some();
        let found = self.same.get(text).copied().or_else(|| if long { within() } else { None })?;
        (found.end > found.start).then_some(found)
    }
}

/// Returns the numbers that a chart draws for an item.
fn numbers(kind: PageKind, item: &RevisedItem) -> Vec<f64> {
    if !item.values.is_empty() {
        return item.values.clone();
    }
    match kind {
        PageKind::Series => item.cells.iter().map(|cell| number(cell)).collect(),
        // A figure and its unit.
        PageKind::Figures => item.cells.first().map(|cell| number(cell)).into_iter().collect(),
        _ => Vec::new(),
    }
}

/// Returns the first number of a text.
fn number(text: &str) -> f64 {
    let first = quantities(text, false).into_iter().next();
    first.and_then(|quantity| quantity.values.first().copied()).unwrap_or_else(|| written::number(text))
}

/// Groups are counted from 0.
#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_first(group: &u8) -> bool {
    *group == 0
}

fn kind_name<S: Serializer>(kind: &PageKind, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(kind.name())
}

fn named_kind<'de, D: Deserializer<'de>>(deserializer: D) -> Result<PageKind, D::Error> {
    let name = String::deserialize(deserializer)?;
    PageKind::by_name(&name).ok_or_else(|| serde::de::Error::custom(format!("{name:?} is no kind of page")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::{ReadOptions, read_text_with};

    fn document() -> Document {
        let text = "# Tides\n\nThe sea rises twice a day in most harbours. Ships wait for it.\n";
        read_text_with(text, &ReadOptions::default()).unwrap()
    }

    #[test]
    fn what_is_read_is_what_is_written() {
        let item = RevisedItem {
            title: "Brest".into(),
            label: Some("North".into()),
            cells: vec!["6.9 m".into(), "7.1 m".into()],
            values: vec![6.9, 7.1],
            group: 1,
            done: true,
            text: Some("At the mole.".into()),
        };
        let page = RevisedPage {
            kind: PageKind::Series,
            kicker: Some("Tides".into()),
            title: Some("Where the sea rises".into()),
            text: Some("The sea rises twice a day in most harbours.".into()),
            figure: Some(RevisedFigure { value: "7.1".into(), unit: "m".into() }),
            number: Some(3),
            items: vec![item.clone(), RevisedItem { values: Vec::new(), ..item }],
            groups: vec!["2023".into(), "2024".into()],
            attribution: Some("Harbour office".into()),
            note: Some("Ships wait for it.".into()),
            action: Some("Read the tables".into()),
        };
        let said = page.outline(&Sources::of(&document()));
        assert_eq!(said.items[0].numbers, said.items[1].numbers, "numbers are read from the cells");
        let mut back = RevisedPage::of(&said);
        back.items[1].values.clear();
        assert_eq!(back, page);
        let json = serde_json::to_string(&page).unwrap();
        assert!(json.contains(r#""kind":"series""#), "{json}");
        assert_eq!(serde_json::from_str::<RevisedPage>(&json).unwrap(), page);
    }

    #[test]
    fn words_of_the_source_keep_their_place() {
        let document = document();
        let sources = Sources::of(&document);
        assert_eq!(sources.find("Ships wait for it."), sources.find("Ships wait for it"));
        assert!(sources.find("Ships wait for it.").is_some());
        assert_eq!(sources.find("Ships sink at sea"), None);
        assert_eq!(sources.find("it"), None, "a word that stands in any text");
    }

    #[test]
    fn what_is_empty_is_left_out() {
        let page = RevisedPage {
            kind: PageKind::List,
            kicker: Some("  ".into()),
            title: Some(" Three tides ".into()),
            text: None,
            figure: Some(RevisedFigure { value: " ".into(), unit: "m".into() }),
            number: None,
            items: vec![RevisedItem::default(), RevisedItem { title: "Neap".into(), ..RevisedItem::default() }],
            groups: vec![String::new()],
            attribution: None,
            note: None,
            action: None,
        };
        let said = page.outline(&Sources::of(&document()));
        assert_eq!(said.title.map(|title| title.wordings), Some(vec!["Three tides".to_owned()]));
        assert_eq!((said.kicker, said.figure, said.groups.len(), said.items.len()), (None, None, 0, 1));
    }
}
