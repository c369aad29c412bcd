//! Parses JSON front matter: an object at the start of the text.

use std::ops::Range;

use serde_json::Value as Json;

use super::entries::{Entries, Value};

/// Maximum nesting depth of objects.
const DEPTH: usize = 4;

/// Parses the object that opens `text`, and returns its end. `at` is the offset of `text` in the source.
pub(super) fn read(text: &str, at: usize) -> Option<(Entries, usize)> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Json>();
    let object = values.next()?.ok()?;
    let end = values.byte_offset();
    let mut out = Entries::default();
    collect("", &object, &(at..at + end), DEPTH, &mut out);
    object.is_object().then_some((out, end))
}

/// Collects values. Each gets the range of the whole object, because the parser reports no closer position.
fn collect(key: &str, value: &Json, range: &Range<usize>, depth: usize, out: &mut Entries) {
    match value {
        Json::String(text) => out.push(key, Value { text: text.clone(), range: range.clone() }),
        Json::Number(number) => out.push(key, Value { text: number.to_string(), range: range.clone() }),
        Json::Array(all) if depth > 0 => all.iter().for_each(|v| collect(key, v, range, depth - 1, out)),
        Json::Object(all) if depth > 0 => {
            for (name, value) in all {
                let name = name.to_lowercase();
                let name = if key.is_empty() { name } else { format!("{key}.{name}") };
                collect(&name, value, range, depth - 1, out);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_and_what_follows() {
        let text =
            "{\"title\": \"Low water\", \"tags\": [\"a\", \"b\"], \"seo\": {\"image\": \"x.png\"}, \"n\": 3}\n\nProse";
        let (read, end) = read(text, 0).unwrap();
        let keys: Vec<(&str, usize)> = read.0.iter().map(|e| (e.key.as_str(), e.values.len())).collect();
        assert_eq!(keys, [("n", 1), ("seo.image", 1), ("tags", 2), ("title", 1)]);
        assert_eq!(text[end..].trim(), "Prose");
        assert!(super::read("{broken", 0).is_none() && super::read("[1]", 0).is_none());
    }
}
