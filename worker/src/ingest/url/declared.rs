//! The declared type of a page: an article, an event or an offer, by its JSON-LD types, else by Open Graph.

use render_core::content::Declared;
use serde_json::Value;

use super::values::{text, types};

/// Types of schema.org that are articles, besides those that end in "Article" or "Posting".
const ARTICLES: [&str; 3] = ["Report", "Recipe", "HowTo"];
/// Types with such an ending that are not articles.
const NO_ARTICLES: [&str; 1] = ["JobPosting"];
/// Types of schema.org that are events, besides those that end in "Event".
const EVENTS: [&str; 5] = ["Festival", "Hackathon", "Course", "CourseInstance", "EventSeries"];
/// Types with such an ending that are not occasions to attend.
const NO_EVENTS: [&str; 5] = ["SaleEvent", "PublicationEvent", "BroadcastEvent", "OnDemandEvent", "DeliveryEvent"];
/// Types of schema.org that are offers.
const OFFERS: [&str; 5] = ["Offer", "AggregateOffer", "OfferForPurchase", "OfferForLease", "SaleEvent"];
/// Types of schema.org that are offers if they have `offers`.
const PRODUCTS: [&str; 8] =
    ["Product", "ProductGroup", "ProductModel", "IndividualProduct", "SomeProducts", "Vehicle", "Car", "Motorcycle"];

/// The types of a page's own objects, collected from its JSON-LD.
#[derive(Debug, Default)]
pub(super) struct Types {
    article: bool,
    event: Subject,
    offer: Subject,
}

/// The objects of one type: a page is about one of them, not a list.
#[derive(Debug, Default, PartialEq, Eq)]
enum Subject {
    #[default]
    None,
    /// One, with its name.
    One(Option<String>),
    /// Several with different names.
    Several,
}

impl Subject {
    fn add(&mut self, name: Option<String>) {
        match self {
            Self::None => *self = Self::One(name),
            Self::One(first) if *first != name => *self = Self::Several,
            Self::One(_) | Self::Several => {}
        }
    }

    fn is_one(&self) -> bool {
        matches!(self, Self::One(_))
    }
}

impl Types {
    /// Records an object that represents the page: at the top level, in an array, in `@graph` or as `mainEntity`.
    pub fn see(&mut self, object: &Value) {
        let name = || text(object.get("name"));
        let sold = object.get("offers").is_some_and(|offers| !offers.is_null());
        for kind in types(object).map(bare) {
            if is_article(kind) {
                self.article = true;
            } else if is_event(kind) {
                self.event.add(name());
            } else if OFFERS.contains(&kind) || sold && PRODUCTS.contains(&kind) {
                self.offer.add(name());
            }
        }
    }

    /// Returns the type of the page: that of its JSON-LD, an article first, else the `og:type`.
    pub fn declared(&self, og_type: Option<&str>) -> Option<Declared> {
        if self.article {
            return Some(Declared::Article);
        }
        if self.event.is_one() {
            return Some(Declared::Event);
        }
        if self.offer.is_one() {
            return Some(Declared::Offer);
        }
        // A list of events or products, whatever the template's `og:type`.
        if self.event == Subject::Several || self.offer == Subject::Several {
            return None;
        }
        let whole = og_type?.trim().to_ascii_lowercase();
        // Pages also write "og:product" and "events.event".
        match bare(&whole) {
            "article" => Some(Declared::Article),
            "event" | "events.event" => Some(Declared::Event),
            "product" | "product.item" => Some(Declared::Offer),
            _ => None,
        }
    }
}

/// Returns a type without its vocabulary: "https://schema.org/Event" and "schema:Event" are "Event".
fn bare(kind: &str) -> &str {
    kind.rsplit(['/', '#', ':']).next().unwrap_or(kind)
}

fn is_article(kind: &str) -> bool {
    let named = kind.ends_with("Article") || kind.ends_with("Posting");
    named && !NO_ARTICLES.contains(&kind) || ARTICLES.contains(&kind)
}

fn is_event(kind: &str) -> bool {
    kind.ends_with("Event") && !NO_EVENTS.contains(&kind) || EVENTS.contains(&kind)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::ingest::url::{Page, read_page};

    const STORY: &str = "<p>The sea rises and falls twice a day, and the moon pulls at the water wherever it stands above \
        it. At new and full moon the tides are highest, for the sun pulls the same way.</p>";

    fn declared(head: &str) -> Option<Declared> {
        let html = format!("<title>Tides</title>{head}<body><h1>Tides</h1>{STORY}");
        read_page(Page { url: "https://tidewater.example/", charset: None, bytes: html.as_bytes() }).unwrap().declared
    }

    fn linked(json: &str) -> String {
        format!("<script type='application/ld+json'>{json}</script>")
    }

    #[test]
    fn json_ld_says_what_a_page_is() {
        use Declared::{Article, Event, Offer};
        for (json, is) in [
            (r#"{"@type": "Event", "name": "Open evening"}"#, Some(Event)),
            (r#"{"@type": "https://schema.org/MusicEvent"}"#, Some(Event)),
            (r#"{"@type": ["Thing", "schema:BusinessEvent"]}"#, Some(Event)),
            (r#"[{"@type": "BreadcrumbList"}, {"@type": "Festival", "offers": {"@type": "Offer"}}]"#, Some(Event)),
            (r#"{"@graph": [{"@type": "WebSite"}, {"@type": "WebPage"}, {"@type": "EducationEvent"}]}"#, Some(Event)),
            (r#"{"@type": "WebPage", "mainEntity": {"@type": "Course", "name": "Sailing"}}"#, Some(Event)),
            (r#"{"@type": "BroadcastEvent"}"#, None),
            (r#"{"@type": "Offer"}"#, Some(Offer)),
            (r#"{"@type": "AggregateOffer"}"#, Some(Offer)),
            (r#"{"@type": "Product", "offers": {"@type": "Offer", "price": "9"}}"#, Some(Offer)),
            (r#"{"@type": "Product", "name": "Lamp"}"#, None),
            (r#"{"@type": "Product", "offers": null}"#, None),
            (r#"{"@type": "SaleEvent"}"#, Some(Offer)),
            (r#"{"@type": "Article"}"#, Some(Article)),
            (r#"{"@type": ["NewsArticle"]}"#, Some(Article)),
            (r#"{"@graph": [{"@type": "Event"}, {"@type": "BlogPosting"}]}"#, Some(Article)),
            (r#"{"@type": "LiveBlogPosting", "about": {"@type": "Event"}}"#, Some(Article)),
            (r#"{"@type": "Report"}"#, Some(Article)),
            (r#"{"@type": "TechArticle"}"#, Some(Article)),
            (r#"{"@type": "JobPosting"}"#, None),
            (r#"{"@type": "WebPage"}"#, None),
            // Several objects are a list; one that occurs twice is one.
            (r#"[{"@type": "Event", "name": "A"}, {"@type": "Event", "name": "B"}]"#, None),
            (r#"[{"@type": "Event", "name": "A"}, {"@type": "Event", "name": "A"}]"#, Some(Event)),
            (r#"[{"@type": "Event", "name": "A"}, {"@type": "Product", "offers": [{}], "name": "B"}]"#, Some(Event)),
        ] {
            assert_eq!(declared(&linked(json)), is, "{json}");
        }
    }

    #[test]
    fn open_graph_says_it_where_json_ld_does_not() {
        let said =
            |kind: &str, json: &str| declared(&format!("<meta property=og:type content='{kind}'>{}", linked(json)));
        for (kind, is) in [
            ("article", Some(Declared::Article)),
            ("Event", Some(Declared::Event)),
            ("events.event", Some(Declared::Event)),
            ("og:product", Some(Declared::Offer)),
            ("product.item", Some(Declared::Offer)),
            ("product.group", None),
            ("website", None),
            ("", None),
        ] {
            assert_eq!(said(kind, r#"{"@type": "WebPage"}"#), is, "{kind}");
        }
        // A template that declares all its pages as articles.
        assert_eq!(said("article", r#"{"@type": "Event"}"#), Some(Declared::Event));
        assert_eq!(said("product", r#"{"@type": "NewsArticle"}"#), Some(Declared::Article));
        let two = r#"[{"@type": "Event", "name": "A"}, {"@type": "Event", "name": "B"}]"#;
        assert_eq!(said("event", two), None);
        assert_eq!(declared(""), None);
    }

    #[test]
    fn json_ld_that_is_too_deep_or_too_large_says_nothing() {
        let event = r#"{"@type": "Event"}"#;
        let deep = |n: usize| format!("{}{event}{}", "[".repeat(n), "]".repeat(n));
        assert_eq!(declared(&linked(&deep(20))), Some(Declared::Event));
        assert_eq!(declared(&linked(&deep(200))), None);
        assert_eq!(declared(&linked(&deep(100_000))), None);
        let long = |n: usize| format!(r#"{{"@type": "Event", "description": "{}"}}"#, "x".repeat(n));
        assert_eq!(declared(&linked(&long(100_000))), Some(Declared::Event));
        assert_eq!(declared(&linked(&long(render_core::limits::LINKED_DATA_BYTES))), None);
        // Behind more objects than are read.
        assert_eq!(declared(&linked(&format!("[{}{event}]", "{},".repeat(100_000)))), None);
        let nested = format!(r#"{}{event}{}"#, r#"{"@graph": "#.repeat(50), "}".repeat(50));
        assert_eq!(declared(&linked(&nested)), Some(Declared::Event));
    }

    proptest! {
        #[test]
        fn any_json_is_read(json in r#"[\[\]{}",:@a-z0-9 ]{0,200}"#, kind in "[a-zA-Z:./#]{0,20}") {
            declared(&linked(&json));
            let mut types = Types::default();
            types.see(&serde_json::json!({ "@type": kind }));
            types.declared(Some(&kind));
        }
    }
}
