//! Parses the `outline` of a creation: what the pages of its formats say, in the client's words.

use render_core::format::Format;
use render_core::limits::{CHART_ROWS, PAGE_ITEMS, SLOT_CHARS};
use render_core::outline::{PageKind, RevisedFigure, RevisedItem, RevisedPage};
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::http::form::{Form, nearest, whole};
use crate::http::names;

pub(super) const FIELD: &str = "outline";
const SET_FIELDS: [&str; 2] = ["formatId", "pages"];
pub(super) const PAGE_FIELDS: [&str; 11] =
    ["kind", "kicker", "title", "text", "figure", "number", "items", "groups", "attribution", "note", "action"];
pub(super) const ITEM_FIELDS: [&str; 7] = ["title", "text", "label", "cells", "values", "group", "done"];
pub(super) const FIGURE_FIELDS: [&str; 2] = ["value", "unit"];
/// Maximum number of groups on a page, and of cells in an item.
const COLUMNS: usize = 12;
/// Maximum size of an outline as JSON, in bytes.
const BYTES: usize = 1 << 20;
/// The largest step number.
const NUMBER_MAX: u64 = 999;

/// The text of a format's pages.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FormatOutline {
    /// The format.
    #[schema(value_type = names::FormatId)]
    format_id: String,
    /// The format's pages, in order: one page for a visual, one per slide for a carousel.
    #[schema(value_type = Vec<OutlinePage>, min_items = 1, max_items = 35)]
    pages: Vec<RevisedPage>,
}

/// The text of a page. Omit fields that the page does not have.
#[derive(ToSchema)]
#[allow(dead_code, reason = "the schema of `RevisedPage`")]
pub struct OutlinePage {
    /// The role of the page in its set. By default `list` for a page with items and `point` for any other page.
    #[schema(value_type = Option<names::PageKind>)]
    kind: Option<String>,
    /// A short line above the headline.
    #[schema(max_length = 2000)]
    kicker: Option<String>,
    /// The headline. On a quote page, the quotation; on a figure page, the label.
    #[schema(max_length = 2000, examples("Sleep better"))]
    title: Option<String>,
    /// Supporting text for the headline.
    #[schema(max_length = 2000, examples("Three habits that cost nothing."))]
    text: Option<String>,
    /// The figure, on a page that is about a single figure.
    figure: Option<OutlineFigure>,
    /// The number of a step, or of the first item if a list continues from another page.
    #[schema(maximum = 999)]
    number: Option<u32>,
    /// The page's points, rows, events or bars: at most 12, or 60 on a `series` page.
    #[schema(max_items = 60)]
    items: Option<Vec<OutlineItem>>,
    /// The names of the two sides of a comparison, the columns of a table, or the series of a chart.
    #[schema(max_items = 12)]
    groups: Option<Vec<String>>,
    /// The author of a quotation, or the source of a figure.
    #[schema(max_length = 2000)]
    attribution: Option<String>,
    /// A closing remark.
    #[schema(max_length = 2000)]
    note: Option<String>,
    /// The call to action.
    #[schema(max_length = 2000)]
    action: Option<String>,
}

/// A figure with its unit.
#[derive(ToSchema)]
#[allow(dead_code, reason = "the schema of `RevisedFigure`")]
pub struct OutlineFigure {
    /// The number, with its sign and currency.
    #[schema(max_length = 2000, examples("64"))]
    value: String,
    /// The unit after the number.
    #[schema(max_length = 2000, examples("%"))]
    unit: Option<String>,
}

/// An item of a page.
#[derive(ToSchema)]
#[allow(dead_code, reason = "the schema of `RevisedItem`")]
pub struct OutlineItem {
    /// A short title of the item.
    #[schema(max_length = 2000, examples("Go to bed at one time"))]
    title: String,
    /// A sentence about the item.
    #[schema(max_length = 2000)]
    text: Option<String>,
    /// A label, such as a date, a duration or the kind of fact.
    #[schema(max_length = 2000)]
    label: Option<String>,
    /// The cells of a table row after its title, or the figures of a bar.
    #[schema(max_items = 12)]
    cells: Option<Vec<String>>,
    /// The numbers that a chart plots. By default they are parsed from `cells`.
    #[schema(max_items = 12)]
    values: Option<Vec<f64>>,
    /// The index of the group that the item belongs to, from 0.
    #[schema(maximum = 11)]
    group: Option<u32>,
    /// Whether the item is ticked.
    done: Option<bool>,
}

impl FormatOutline {
    /// Groups the pages of an estimate by format.
    pub(super) fn of(pages: impl IntoIterator<Item = (String, RevisedPage)>) -> Vec<Self> {
        let mut out: Vec<Self> = Vec::new();
        for (format_id, page) in pages {
            match out.last_mut().filter(|last| last.format_id == format_id) {
                Some(last) => last.pages.push(page),
                None => out.push(Self { format_id, pages: vec![page] }),
            }
        }
        out
    }
}

/// Returns the field of the outline page that fits no layout. The planner's message names the slide and the format
/// (`render_core::plan::PlanError::Crowded`).
pub(super) fn crowded(message: &str, outline: &[(String, Vec<RevisedPage>)]) -> Option<String> {
    let (page, rest) = message.split_once(" of ")?;
    let format = rest.split(' ').next()?;
    let set = outline.iter().position(|(id, _)| id == format)?;
    let slide = match page {
        "the page" => 0,
        page => page.strip_prefix("slide ")?.parse::<usize>().ok()?.checked_sub(1)?,
    };
    (slide < outline[set].1.len()).then(|| format!("{FIELD}[{set}].pages[{slide}]"))
}

impl<'a> Form<'a> {
    /// Reads the pages of some formats. The number of pages sets the slide count of each carousel.
    pub(super) fn outline(
        &mut self,
        formats: &mut [(&'static Format, Option<u32>)],
    ) -> Vec<(String, Vec<RevisedPage>)> {
        let Some(value) = self.get(FIELD) else { return Vec::new() };
        let Some(sets) = value.as_array() else {
            self.fault(FIELD, "invalid_value", "outline must be a list of objects with formatId and pages.");
            return Vec::new();
        };
        if value.to_string().len() > BYTES {
            self.fault(FIELD, "content_too_long", format!("outline has more than {BYTES} bytes, the maximum."));
            return Vec::new();
        }
        if sets.len() > formats.len() {
            self.fault(FIELD, "invalid_value", "outline has more entries than outputFormats.");
        }
        let mut out: Vec<(String, Vec<RevisedPage>)> = Vec::new();
        for (n, set) in sets.iter().take(formats.len()).enumerate() {
            let at = format!("{FIELD}[{n}]");
            let Some(object) = self.object(&at, set, &SET_FIELDS) else { continue };
            let Some(id) = self.text(&at, object, "formatId") else {
                self.fault(at.clone(), "missing_field", format!("{at} needs formatId."));
                continue;
            };
            let Some((format, slides)) = formats.iter_mut().find(|(format, _)| format.id.as_str() == id) else {
                let shown: String = id.chars().take(60).collect();
                let message = format!("{at} is for {shown:?}, which is not in outputFormats.");
                self.fault(format!("{at}.formatId"), "invalid_value", message);
                continue;
            };
            if out.iter().any(|(known, _)| known == id) {
                self.fault(format!("{at}.formatId"), "invalid_value", format!("outline has two entries for {id}."));
                continue;
            }
            let pages = self.outline_pages(&at, object, format);
            if format.carousel {
                self.check_count(format, pages.len());
                *slides = Some(pages.len() as u32);
            }
            out.push((id.to_owned(), pages));
        }
        out
    }

    /// Checks that a slide count in the request matches the number of pages.
    fn check_count(&mut self, format: &Format, pages: usize) {
        let counts = self.get("carouselCounts").and_then(Value::as_object);
        let count = counts.and_then(|counts| counts.get(format.id.as_str())).and_then(whole);
        if count.is_some_and(|count| count != pages as u64) {
            let field = format!("carouselCounts.{}", format.id);
            let message =
                format!("outline has {pages} pages for {}. Leave this count out, or set it to {pages}.", format.id);
            self.fault(field, "invalid_value", message);
        }
    }

    fn outline_pages(&mut self, at: &str, object: &'a Map<String, Value>, format: &Format) -> Vec<RevisedPage> {
        let field = format!("{at}.pages");
        let Some(pages) = object.get("pages").and_then(Value::as_array) else {
            self.fault(field, "missing_field", format!("{at} needs pages, a list of objects."));
            return Vec::new();
        };
        let (least, most) = format.slides.map_or((1, 1), |bounds| (bounds.min as usize, bounds.max as usize));
        if !(least..=most).contains(&pages.len()) {
            let holds = if most == 1 { "one page".to_owned() } else { format!("from {least} to {most} slides") };
            let message = format!("{} must have {holds}, but this outline has {}.", format.id, pages.len());
            self.fault(field.clone(), "carousel_count_out_of_range", message);
        }
        let pages = pages.iter().take(most).enumerate();
        pages.filter_map(|(n, page)| self.outline_page(&format!("{field}[{n}]"), page)).collect()
    }

    /// Reads one page of an outline. `at` is the path of its field.
    pub(super) fn outline_page(&mut self, at: &str, page: &'a Value) -> Option<RevisedPage> {
        let object = self.object(at, page, &PAGE_FIELDS)?;
        let items = self.list(at, object, "items");
        let kind = match self.text(at, object, "kind") {
            None if items.is_empty() => Some(PageKind::Point),
            None => Some(PageKind::List),
            Some(name) => PageKind::by_name(name).or_else(|| {
                let hint = nearest(name, PageKind::ALL.iter().map(|kind| kind.name()));
                let hint = hint.map(|near| format!(" Did you mean {near}?")).unwrap_or_default();
                let shown: String = name.chars().take(60).collect();
                self.fault(format!("{at}.kind"), "invalid_value", format!("{shown:?} is not a kind of page.{hint}"));
                None
            }),
        };
        let most = if kind == Some(PageKind::Series) { CHART_ROWS } else { PAGE_ITEMS };
        if items.len() > most {
            self.fault(
                format!("{at}.items"),
                "invalid_value",
                format!("A page of this kind can have at most {most} items."),
            );
        }
        let items = items.iter().take(most).enumerate();
        let items = items.filter_map(|(n, item)| self.outline_item(&format!("{at}.items[{n}]"), item)).collect();
        let [kicker, title, text, attribution, note, action] =
            ["kicker", "title", "text", "attribution", "note", "action"].map(|name| self.words(at, object, name));
        let page = RevisedPage {
            kind: kind?,
            kicker,
            title,
            text,
            figure: self.outline_figure(at, object),
            number: self.small(at, object, "number", NUMBER_MAX),
            items,
            groups: self.word_list(at, object, "groups"),
            attribution,
            note,
            action,
        };
        if page.title.is_none() && page.text.is_none() && page.figure.is_none() && page.items.is_empty() {
            self.fault(at, "missing_field", format!("{at} is empty. Give it a title or a text."));
        }
        Some(page)
    }

    fn outline_item(&mut self, at: &str, item: &'a Value) -> Option<RevisedItem> {
        let object = self.object(at, item, &ITEM_FIELDS)?;
        let [title, text, label] = ["title", "text", "label"].map(|name| self.words(at, object, name));
        if title.is_none() {
            self.fault(at, "missing_field", format!("{at} needs a title."));
        }
        let values = self.list(at, object, "values");
        let numbers: Vec<f64> = values.iter().take(COLUMNS).filter_map(Value::as_f64).collect();
        if numbers.len() != values.len() {
            let message = format!("{at}.values must be at most {COLUMNS} numbers.");
            self.fault(format!("{at}.values"), "invalid_value", message);
        }
        let done = object.get("done").filter(|value| !value.is_null());
        if done.is_some_and(|done| !done.is_boolean()) {
            self.fault(format!("{at}.done"), "invalid_value", format!("{at}.done must be true or false."));
        }
        Some(RevisedItem {
            title: title?,
            text,
            label,
            cells: self.word_list(at, object, "cells"),
            values: numbers,
            group: self.small(at, object, "group", COLUMNS as u64 - 1).unwrap_or(0) as u8,
            done: done.and_then(Value::as_bool).unwrap_or(false),
        })
    }

    fn outline_figure(&mut self, at: &str, object: &'a Map<String, Value>) -> Option<RevisedFigure> {
        let figure = object.get("figure").filter(|figure| !figure.is_null())?;
        let at = format!("{at}.figure");
        let object = self.object(&at, figure, &FIGURE_FIELDS)?;
        let [value, unit] = FIGURE_FIELDS.map(|name| self.words(&at, object, name));
        if value.is_none() {
            self.fault(at.clone(), "missing_field", format!("{at} needs a value."));
        }
        Some(RevisedFigure { value: value?, unit: unit.unwrap_or_default() })
    }

    /// Reads an object with these fields.
    fn object(&mut self, at: &str, value: &'a Value, fields: &[&str]) -> Option<&'a Map<String, Value>> {
        let object = value.as_object();
        match object {
            Some(object) => self.warn_of_unknown(&format!("{at}."), object, fields),
            None => self.fault(at, "invalid_value", format!("{at} must be an object.")),
        }
        object
    }

    fn list(&mut self, at: &str, object: &'a Map<String, Value>, name: &str) -> &'a [Value] {
        let Some(value) = object.get(name).filter(|value| !value.is_null()) else { return &[] };
        if value.as_array().is_none() {
            self.fault(format!("{at}.{name}"), "invalid_value", format!("{at}.{name} must be a list."));
        }
        value.as_array().map_or(&[], Vec::as_slice)
    }

    /// Reads a text and collapses its white space. Returns `None` if it has no words.
    fn words(&mut self, at: &str, object: &'a Map<String, Value>, name: &str) -> Option<String> {
        let text = self.text(at, object, name)?;
        self.folded(&format!("{at}.{name}"), text)
    }

    fn word_list(&mut self, at: &str, object: &'a Map<String, Value>, name: &str) -> Vec<String> {
        let texts = self.list(at, object, name);
        let words: Vec<String> = texts
            .iter()
            .take(COLUMNS)
            .filter_map(|text| self.folded(&format!("{at}.{name}"), text.as_str()?))
            .collect();
        if words.len() != texts.len() {
            let message = format!("{at}.{name} must be at most {COLUMNS} strings, none of them empty.");
            self.fault(format!("{at}.{name}"), "invalid_value", message);
        }
        words
    }

    fn folded(&mut self, field: &str, text: &str) -> Option<String> {
        let folded = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if folded.chars().count() > SLOT_CHARS {
            self.fault(
                field,
                "content_too_long",
                format!("{field} has more than {SLOT_CHARS} characters, the maximum."),
            );
        }
        if folded.chars().any(char::is_control) {
            self.fault(field, "invalid_characters", format!("{field} contains a control character. Remove it."));
        }
        (!folded.is_empty()).then_some(folded)
    }

    fn small(&mut self, at: &str, object: &'a Map<String, Value>, name: &str, most: u64) -> Option<u32> {
        let value = object.get(name).filter(|value| !value.is_null())?;
        let number = whole(value).filter(|number| *number <= most);
        if number.is_none() {
            let message = format!("{at}.{name} must be a whole number from 0 to {most}.");
            self.fault(format!("{at}.{name}"), "invalid_value", message);
        }
        number.and_then(|number| u32::try_from(number).ok())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    type Outlines = Vec<(String, Vec<RevisedPage>)>;

    fn read(body: &Value) -> (Outlines, Vec<Option<u32>>, Vec<String>) {
        let mut form = Form::new(body.as_object().unwrap());
        let by_id = |id: &str| Format::by_id(id).unwrap();
        let mut formats = [(by_id("instagram_carousel"), Some(5)), (by_id("instagram_post"), None)];
        let outline = form.outline(&mut formats);
        let faults = form.end().0.into_iter().map(|fault| format!("{} {}", fault.field, fault.code)).collect();
        (outline, formats.iter().map(|(_, slides)| *slides).collect(), faults)
    }

    #[test]
    fn a_page_that_is_too_full_is_named() {
        let page = json!({"title": "x"});
        let pages = [
            json!({"formatId": "instagram_post", "pages": [page]}),
            json!({"formatId": "instagram_carousel", "pages": [page, page, page]}),
        ];
        let (outline, ..) = read(&json!({"outline": pages}));
        let crowded =
            |page: &str| super::crowded(&format!("{page} says more than any layout has a place for"), &outline);
        assert_eq!(crowded("the page of instagram_post").as_deref(), Some("outline[0].pages[0]"));
        assert_eq!(crowded("slide 3 of instagram_carousel").as_deref(), Some("outline[1].pages[2]"));
        for other in ["slide 4 of instagram_carousel", "slide 0 of instagram_carousel", "slide 1 of story", "a page"] {
            assert_eq!(crowded(other), None, "{other}");
        }
        // The planner's own message.
        let format = Format::by_id("instagram_carousel").unwrap().id;
        let said = render_core::plan::PlanError::Crowded { format, slide: Some(1) }.to_string();
        assert_eq!(super::crowded(&said, &outline).as_deref(), Some("outline[1].pages[1]"));
    }

    #[test]
    fn what_an_estimate_tells_is_read_back() {
        let pages = json!([
            {"kind": "cover", "title": "Sleep\n better", "text": "Three habits."},
            {"title": "One time", "items": [{"title": "Early", "cells": ["3 h"], "values": [3.0], "group": 1}],
             "groups": ["Before", "After"]},
            {"kind": "stat", "title": "of people", "figure": {"value": "64", "unit": "%"}, "number": 2, "kicker": null},
        ]);
        let (outline, slides, faults) = read(&json!({"outline": [{"formatId": "instagram_carousel", "pages": pages}]}));
        assert_eq!(faults, [""; 0]);
        assert_eq!(slides, [Some(3), None], "the count is that of the pages");
        let (id, pages) = &outline[0];
        assert_eq!((id.as_str(), pages[0].title.as_deref()), ("instagram_carousel", Some("Sleep better")));
        assert_eq!((pages[1].kind, pages[2].kind), (PageKind::List, PageKind::Stat));
        let told = FormatOutline::of(pages.iter().map(|page| (id.clone(), page.clone())));
        let (again, _, faults) = read(&json!({"outline": serde_json::to_value(&told).unwrap()}));
        assert_eq!((again, faults), (outline, Vec::new()));
    }

    #[test]
    fn every_fault_is_told_where_it_is() {
        let faults = |outline: Value| read(&json!({"outline": outline})).2;
        assert_eq!(faults(json!({})), ["outline invalid_value"]);
        assert_eq!(faults(json!([{"pages": []}, 7])), ["outline[0] missing_field", "outline[1] invalid_value"]);
        assert_eq!(faults(json!([{"formatId": "story", "pages": []}])), ["outline[0].formatId invalid_value"]);
        let post = |pages: Value| faults(json!([{"formatId": "instagram_post", "pages": pages}]));
        assert_eq!(post(json!([])), ["outline[0].pages carousel_count_out_of_range"]);
        assert_eq!(post(json!([{"kicker": "x", "text": " "}])), ["outline[0].pages[0] missing_field"]);
        let page = json!({
            "kind": "pont", "title": 7, "number": -1, "groups": ["", "b"], "figure": {"unit": "%"},
            "items": [{"text": "x", "values": ["3"], "done": 1}, "x"],
        });
        assert_eq!(
            post(json!([page])),
            [
                "outline[0].pages[0].kind invalid_value",
                "outline[0].pages[0].items[0] missing_field",
                "outline[0].pages[0].items[0].values invalid_value",
                "outline[0].pages[0].items[0].done invalid_value",
                "outline[0].pages[0].items[1] invalid_value",
                "outline[0].pages[0].title invalid_value",
            ]
        );
        let long = "x".repeat(SLOT_CHARS + 1);
        assert_eq!(post(json!([{"title": long}])), ["outline[0].pages[0].title content_too_long"]);
        let items = vec![json!({"title": "x"}); PAGE_ITEMS + 1];
        assert_eq!(post(json!([{"title": "x", "items": items}])), ["outline[0].pages[0].items invalid_value"]);
        let (.., faults) = read(&json!({
            "carouselCounts": {"instagram_carousel": 4},
            "outline": [{"formatId": "instagram_carousel", "pages": [{"title": "a"}, {"title": "b"}]}],
        }));
        assert_eq!(faults, ["carouselCounts.instagram_carousel invalid_value"]);
    }
}
