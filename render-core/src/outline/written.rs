//! Converts an author's page to an outline: every shorter wording is made from the author's words by deletion.

use super::tone::{Budget, Tone};
use super::wording;
use super::{Copy, Figure, ItemCopy, PageKind, PageOutline, labels};
use crate::content::{Language, Sourced, Span};
use crate::format::Density;

/// The content of a page in an author's words. Missing parts are `None` or empty.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WrittenPage {
    /// The headline; the words of a quotation; the meaning of a figure.
    pub title: String,
    /// The text that supports it.
    pub body: Option<String>,
    /// Items, each with a head and an optional sentence about it.
    pub items: Vec<(String, Option<String>)>,
    /// A figure, with sign and currency.
    pub value: Option<String>,
    /// The text after the value: "%", "h a week".
    pub unit: Option<String>,
    /// The speaker of a quotation; the source of a figure.
    pub attribution: Option<String>,
    /// A closing remark.
    pub note: Option<String>,
    /// The call to action.
    pub cta: Option<String>,
}

impl WrittenPage {
    /// Returns the page as an outline of `kind`. The title is `None` if no word can be one.
    pub fn outline(&self, kind: PageKind, density: Density, language: &Language) -> PageOutline {
        let tone = &Tone { language: language.clone(), exact: false };
        let budget = Budget::of(density, language);
        let words = |text: &str| Sourced { text: text.trim().to_owned(), span: Span { start: 0, end: 0 } };
        let optional = |text: &Option<String>| text.as_deref().map(words).filter(|w| !w.text.is_empty());
        let support =
            |text: &Option<String>, most: usize| optional(text).and_then(|w| wording::support(&[&w], most, tone));
        let title = match kind {
            PageKind::Quote => wording::quotation(&words(&self.title), tone),
            PageKind::Stat => wording::label(&words(&self.title), tone),
            PageKind::Recap if self.title.trim().is_empty() => {
                Some(Copy { wordings: vec![labels::recap(language).to_owned()], span: None })
            }
            _ => wording::headline(&words(&self.title), tone),
        };
        let item = |(head, body): &(String, Option<String>)| {
            Some(ItemCopy::new(wording::headline(&words(head), tone)?, support(body, budget.item)))
        };
        let figure = self.value.as_deref().map(str::trim).filter(|v| !v.is_empty()).map(|value| Figure {
            value: value.to_owned(),
            unit: self.unit.as_deref().unwrap_or("").trim().to_owned(),
            number: number(value),
            span: Span { start: 0, end: 0 },
        });
        PageOutline {
            title,
            body: support(&self.body, budget.body),
            items: self.items.iter().filter_map(item).collect(),
            figure,
            attribution: optional(&self.attribution).and_then(|w| wording::name(&w, tone)),
            note: support(&self.note, budget.item),
            cta: optional(&self.cta).and_then(|w| wording::call(&w, tone)),
            ..PageOutline::blank(kind, 0.8)
        }
    }
}

/// Returns the value of a figure as written, for art that is drawn to scale; 0 if it is no plain number.
pub(super) fn number(value: &str) -> f64 {
    // A single comma that doesn't separate thousands is a decimal comma.
    let decimal = value.rsplit_once(',').is_some_and(|(_, behind)| !value.contains('.') && behind.len() != 3);
    let value_en = if decimal { value.replace(',', ".") } else { value.to_owned() };
    let plain: String = value_en.chars().filter(|c| c.is_ascii_digit() || *c == '.').collect();
    let negative = value.trim_start().starts_with(['-', '−']);
    let number = plain.parse::<f64>().unwrap_or(0.0);
    if negative { -number } else { number }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_become_an_outline_with_shorter_wordings() {
        let english = Language::english();
        let page = WrittenPage {
            title: "of its best hours came back".to_owned(),
            value: Some("1,5".to_owned()),
            unit: Some("h".to_owned()),
            cta: Some("Book a bench at tidelab.example".to_owned()),
            ..WrittenPage::default()
        };
        let outline = page.outline(PageKind::Stat, Density::Poster, &english);
        assert_eq!(outline.figure.map(|f| (f.value, f.unit, f.number)), Some(("1,5".into(), "h".into(), 1.5)));
        assert!(outline.cta.expect("a call").wordings.len() > 1, "a call has shorter wordings");
        let recap = WrittenPage { items: vec![("Move meetings".to_owned(), None)], ..WrittenPage::default() };
        let outline = recap.outline(PageKind::Recap, Density::Poster, &english);
        assert_eq!((outline.title.expect("a title").wordings, outline.items.len()), (vec!["Recap".to_owned()], 1));
        assert!(WrittenPage::default().outline(PageKind::Point, Density::Poster, &english).title.is_none());
        assert_eq!(["−12", "1,200", "3.5 %", "half"].map(number), [-12.0, 1200.0, 3.5, 0.0]);
    }
}
