//! Values of metadata, cleaned and within limits: those of elements, and those of objects in JSON-LD.

use render_core::limits;
use serde_json::Value;

/// Limit of a title, name or address in characters.
const LONGEST: usize = 300;

/// Returns a value with white space collapsed, if it is neither empty nor too long.
pub(super) fn clean(text: &str) -> Option<String> {
    let folded = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let folded: String = folded.chars().filter(|c| !c.is_control()).collect();
    (!folded.is_empty() && folded.chars().count() <= LONGEST).then_some(folded)
}

/// Returns an address as written, if it is neither empty nor too long. If a site escaped it for HTML twice, or where
/// HTML is not parsed, each `&` is written as `&amp;`, or as `&amp;amp;` after a further escape: this function
/// unescapes all of them.
pub(super) fn address(text: &str) -> Option<String> {
    let mut parts = text.trim().split('&');
    let mut address = parts.next()?.to_owned();
    for mut part in parts {
        while let Some(rest) = ["amp;", "#38;", "#038;", "#x26;"].iter().find_map(|escaped| part.strip_prefix(escaped))
        {
            part = rest;
        }
        address.push('&');
        address.push_str(part);
    }
    (!address.is_empty() && address.chars().count() <= limits::URL_CHARS).then_some(address)
}

/// Returns the types of an object, as written.
pub(super) fn types(value: &Value) -> impl Iterator<Item = &str> {
    let (one, many) = match value.get("@type") {
        Some(Value::String(one)) => (Some(one.as_str()), None),
        Some(Value::Array(many)) => (None, Some(many)),
        _ => (None, None),
    };
    one.into_iter().chain(many.into_iter().flatten().filter_map(Value::as_str))
}

/// Returns a string, cleaned.
pub(super) fn text(value: Option<&Value>) -> Option<String> {
    value.and_then(Value::as_str).and_then(clean)
}

/// Returns a name, or several joined.
pub(super) fn named(value: Option<&Value>) -> Option<String> {
    match value? {
        Value::Array(several) => {
            let names: Vec<_> = several.iter().take(3).filter_map(named_one).collect();
            (!names.is_empty()).then(|| names.join(", "))
        }
        one => named_one(one),
    }
}

fn named_one(value: &Value) -> Option<String> {
    value.as_str().and_then(clean).or_else(|| text(value.get("name")))
}

/// Returns the address of an image, or of the first of several.
pub(super) fn image(value: Option<&Value>) -> Option<String> {
    match value? {
        Value::Array(several) => several.first().and_then(|v| image(Some(v))),
        Value::Object(object) => ["url", "contentUrl", "@id"].iter().find_map(|k| image(object.get(*k))),
        one => one.as_str().and_then(address),
    }
}
