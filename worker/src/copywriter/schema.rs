//! The JSON schema of what a model hands in. Limits of characters stand in the descriptions: hosted models that keep to
//! schemas know no lengths of strings. They are checked all the same.

use render_core::outline::{Commission, PageKind};
use serde_json::{Value, json};

/// The schema of a commission's answer.
pub(super) fn of(commission: &Commission<'_>) -> Value {
    let pages = commission.pages();
    let room = &commission.room;
    let mut kinds: Vec<&str> = (0..pages).flat_map(|i| commission.kinds(i)).map(|k| k.name()).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let text = |what: &str, most: usize| json!({ "type": "string", "description": format!("{what}; at most {most} characters") });
    let optional = |what: &str, most: usize| {
        let description = format!("{what}; at most {most} characters; null where there is none");
        json!({ "type": ["string", "null"], "description": description })
    };
    let item = json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["head", "body"],
        "properties": {
            "head": text("the item in a few words", room.item_head),
            "body": optional("a sentence about it", room.item_body),
        },
    });
    let title = format!(
        "the headline, at most {} characters; on a page of kind quote the words that were said, on one of kind stat what \
         the figure means, at most {}",
        room.title, room.statement
    );
    let lists = [PageKind::List.name(), PageKind::Recap.name()].join(" and ");
    let properties = json!({
        "kind": { "type": "string", "enum": kinds },
        "title": { "type": "string", "description": title },
        "body": optional("what supports the headline", room.body),
        "items": {
            "type": "array",
            "items": item,
            "maxItems": room.items,
            "description": format!("for pages of kind {lists} only, from 2 to {}; else empty", room.items),
        },
        "value": optional("the figure of a page of kind stat, with sign and currency", room.value),
        "unit": optional("the unit behind the figure, such as %", room.value),
        "attribution": optional("who said a quotation; where a figure comes from", room.attribution),
        "cta": optional("what the reader should do now, on the last page only", room.cta),
    });
    json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["pages"],
        "properties": {
            "pages": {
                "type": "array",
                "minItems": pages,
                "maxItems": pages,
                "items": {
                    "type": "object",
                    "additionalProperties": false,
                    "required": ["kind", "title", "body", "items", "value", "unit", "attribution", "cta"],
                    "properties": properties,
                },
            },
        },
    })
}
