//! Examples of pages as text, and of the drawings that pages can use.

use serde_json::{Value, json};

use super::examples::OUTPUT;

/// A page in the page language.
const PAGE_TEXT: &str = "<page id=\"page\" gap=\"6\">\n  <headline id=\"title\" fit=\"2xl..hero\">Four habits of calm teams\
    </headline>\n  <lead id=\"body\">Write decisions down.</lead>\n</page>\n";

/// The response with a page as text.
pub fn page_text() -> Value {
    json!({
        "outputId": OUTPUT,
        "version": 2,
        "page": PAGE_TEXT,
        "elements": [placed_headline()],
        "colours": [{"name": "ink", "color": "#1d1a16"}, {"name": "accent", "color": "#d9652b"}],
    })
}

/// The response with a preview of a changed page.
pub fn page_preview() -> Value {
    json!({
        "outputId": OUTPUT,
        "version": 2,
        "image": "data:image/png;base64,iVBORw0KGgo=",
        "page": PAGE_TEXT.replace("calm", "quiet"),
        "elements": [placed_headline()],
        "changes": [{"what": "headline", "from": "Four calm habits", "to": "Four quiet habits"}],
        "creditCost": 0,
    })
}

/// The response with alternative designs.
pub fn designs() -> Value {
    json!({
        "outputId": OUTPUT,
        "version": 2,
        "aspect": "style",
        "designs": [{
            "name": "Elegant",
            "refinedInstruction": "On version 2: set the style to elegant (was modern)",
            "changes": [{"what": "style", "from": "modern", "to": "elegant"}],
            "notes": [],
            "creditCost": 10,
            "changedImages": 1,
            "image": "data:image/png;base64,iVBORw0KGgo=",
        }],
        "warnings": [],
    })
}

/// The response with icons and pictures.
pub fn drawings() -> Value {
    json!({
        "icons": [{"name": "cloud", "svg": "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1 1\"><path d=\"M0 0\"/></svg>"}],
        "pictures": [{"name": "bridge", "about": "a bridge between two banks"}],
        "warnings": [],
    })
}

/// An element with its position.
pub fn placed_headline() -> Value {
    json!({
        "id": "title", "name": "headline", "takes": ["words", "fit", "ink", "align"], "sizes": "xl..hero", "box": [0.07, 0.06, 0.86, 0.21],
        "size": 118.0,
    })
}

/// The body of a request that replaces a page.
pub fn page_text_request() -> Value {
    json!({ "page": PAGE_TEXT.replace("calm", "quiet"), "version": 2 })
}
