//! Tests of request parsing, and of parsing the faults that workers report.

use serde_json::json;

use super::*;

fn asked(body: &Value) -> Result<Asked, ApiError> {
    read(body.as_object().expect("an object"))
}

fn faults_of(body: &Value) -> Vec<(String, &'static str)> {
    let Err(ApiError::Invalid(details)) = asked(body) else { panic!("{body} has no faults") };
    details.into_iter().map(|d| (d.field, d.code)).collect()
}

#[test]
fn a_request_names_pages_and_a_format() {
    assert_eq!(faults_of(&json!({})), [("pages".to_owned(), "missing_field"), ("format".to_owned(), "missing_field")]);
    let unknown = json!({"pages": "<page/>", "format": "instagram_pst", "seed": -1});
    assert_eq!(faults_of(&unknown), [("format".to_owned(), "unknown_format"), ("seed".to_owned(), "invalid_value")]);
    let long = json!({"pages": "x".repeat(MARKUP_BYTES + 1), "format": "instagram_post"});
    assert_eq!(faults_of(&long), [("pages".to_owned(), "invalid_value")]);
}

#[test]
fn every_page_costs_what_a_visual_costs_and_has_its_place() {
    let two = "<page><text>One</text></page><page><text>Two</text></page>";
    for (format, slides, formats) in [
        ("instagram_carousel", [Some(0), Some(1)], vec![("instagram_carousel".to_owned(), Some(2))]),
        ("instagram_post", [None, None], vec![("instagram_post".to_owned(), None); 2]),
    ] {
        let mut asked = asked(&json!({"pages": two, "format": format})).expect("a request without faults");
        asked.trees = leaf::read(two).expect("pages without faults");
        let outputs = asked.outputs().expect("two pages fit");
        assert_eq!(outputs.iter().map(|o| o.slide).collect::<Vec<_>>(), slides, "{format}");
        assert!(outputs.iter().all(|o| o.cost == credits::VISUAL));
        assert_eq!(asked.formats(), formats);
    }
}

#[test]
fn a_carousel_takes_as_many_pages_as_it_has_slides() {
    let mut asked =
        asked(&json!({"pages": "<page/>", "format": "instagram_carousel"})).expect("a request without faults");
    let most = Format::by_id("instagram_carousel").expect("a format").slides.expect("it has slides").max as usize;
    for (count, fits) in [(1, true), (most, true), (most + 1, false)] {
        asked.trees = leaf::read(&"<page><text>x</text></page>".repeat(count)).expect("pages without faults");
        assert_eq!(asked.outputs().is_ok(), fits, "{count}");
    }
}

#[test]
fn faults_are_told_one_by_one() {
    let written = "headline-2: 61 characters, 45 fit\npage-2/title: is none of: a, b";
    let faults = listed(written);
    let said = |element: &str, message: &str| Fault::new(element, message);
    assert_eq!(faults, [said("headline-2", "61 characters, 45 fit"), said("page-2/title", "is none of: a, b")]);
    let ApiError::PageInvalid(details) = invalid(faults) else { panic!("another error") };
    assert_eq!(details[0].element.as_deref(), Some("headline-2"));
    assert!(details.iter().all(|d| d.field == "pages" && d.code == INVALID));
}
