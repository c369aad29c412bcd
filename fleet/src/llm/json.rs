//! Extracts one JSON object from a model's answer, ignoring the fences, prose and reasoning around it.

use serde_json::{Map, Value};

/// Why an answer contains no object.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoObject {
    /// The answer has no JSON object in braces.
    #[error("the answer contains no JSON object")]
    None,
    /// The text after a brace is not JSON.
    #[error("the answer's JSON is invalid: {0}")]
    Broken(String),
}

/// Maximum opening braces to try. Models write a sentence before the object, seldom a page.
const TRIED: usize = 32;

/// Returns the first complete JSON object of `text`. If the model's reasoning ends with `</think>`, only the text after
/// it counts.
///
/// # Errors
/// [`NoObject`].
pub fn object(text: &str) -> Result<Map<String, Value>, NoObject> {
    let said = text.rsplit_once("</think>").map_or(text, |(_, said)| said);
    first(said)
}

fn first(text: &str) -> Result<Map<String, Value>, NoObject> {
    let mut failure = NoObject::None;
    let mut at = 0;
    for _ in 0..TRIED {
        let Some(start) = text[at..].find('{').map(|i| at + i) else { break };
        // Reads one value and stops: prose may follow.
        let mut stream = serde_json::Deserializer::from_str(&text[start..]).into_iter::<Value>();
        match stream.next() {
            Some(Ok(Value::Object(object))) => return Ok(object),
            Some(Err(e)) if failure == NoObject::None => failure = NoObject::Broken(e.to_string()),
            _ => {}
        }
        at = start + 1;
    }
    Err(failure)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_object_is_found_in_whatever_stands_around_it() {
        for text in [
            r#"{"a": 1}"#,
            "```json\n{\"a\": 1}\n```",
            "Here is {my} answer:\n\n{\"a\": 1}\n\nI hope it helps {you}.",
            "<think>{\"a\": 2} or {\"a\": 3}?</think>\n{\"a\": 1}",
            "{\"a\": 1}{\"a\": 2}",
            "[{\"a\": 1}]",
        ] {
            assert_eq!(object(text).unwrap()["a"], 1, "{text}");
        }
        assert_eq!(object("no").unwrap_err(), NoObject::None);
        assert!(matches!(object("{\"a\": 1"), Err(NoObject::Broken(_))));
        assert!(matches!(object("{'a': 1}"), Err(NoObject::Broken(_))));
    }

    #[test]
    fn what_is_deep_or_endless_is_broken() {
        let deep = format!("{{\"a\": {}{}}}", "[".repeat(100_000), "]".repeat(100_000));
        assert!(object(&deep).is_err());
        assert!(object(&"{".repeat(1 << 20)).is_err());
    }
}
