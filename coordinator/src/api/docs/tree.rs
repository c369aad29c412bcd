//! JSON with ordered members: the page shows fields in the order of the document.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

/// A JSON value.
#[derive(Debug, Clone, PartialEq)]
pub enum Json {
    /// A string, a number, `true`, `false` or `null`.
    Leaf(Value),
    /// An array.
    List(Vec<Self>),
    /// An object with its members in order.
    Map(Vec<(String, Self)>),
}

/// Returned in place of a missing value.
static NOTHING: Json = Json::Leaf(Value::Null);

impl Json {
    /// Returns the member with this name, or `null`.
    pub fn get(&self, name: &str) -> &Self {
        self.find(name).unwrap_or(&NOTHING)
    }

    /// Returns the member with this name, if there is one.
    pub fn find(&self, name: &str) -> Option<&Self> {
        self.members().iter().find(|(n, _)| n == name).map(|(_, value)| value)
    }

    /// Resolves a JSON pointer in a URI fragment (RFC 6901, section 6). Returns `null` if it leads nowhere.
    pub fn at(&self, pointer: &str) -> &Self {
        let path = pointer.trim_start_matches("#/").split('/');
        path.fold(self, |node, step| node.get(&step.replace("~1", "/").replace("~0", "~")))
    }

    /// Returns the members of an object.
    pub fn members(&self) -> &[(String, Self)] {
        if let Self::Map(members) = self { members } else { &[] }
    }

    /// Returns the items of an array.
    pub fn items(&self) -> &[Self] {
        if let Self::List(items) = self { items } else { &[] }
    }

    /// Returns the text of a string, and an empty string for any other value.
    pub fn text(&self) -> &str {
        if let Self::Leaf(Value::String(text)) = self { text } else { "" }
    }

    /// Returns the value as a non-negative integer, if it is one.
    pub fn number(&self) -> Option<u64> {
        if let Self::Leaf(value) = self { value.as_u64() } else { None }
    }

    /// Whether the value is `true`.
    pub fn is_true(&self) -> bool {
        *self == Self::Leaf(Value::Bool(true))
    }

    /// Whether the value is `null`.
    pub fn is_null(&self) -> bool {
        *self == NOTHING
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_bool<E: Error>(self, v: bool) -> Result<Json, E> {
        Ok(Json::Leaf(v.into()))
    }

    fn visit_i64<E: Error>(self, v: i64) -> Result<Json, E> {
        Ok(Json::Leaf(v.into()))
    }

    fn visit_u64<E: Error>(self, v: u64) -> Result<Json, E> {
        Ok(Json::Leaf(v.into()))
    }

    fn visit_f64<E: Error>(self, v: f64) -> Result<Json, E> {
        Ok(Json::Leaf(v.into()))
    }

    fn visit_str<E: Error>(self, v: &str) -> Result<Json, E> {
        Ok(Json::Leaf(v.into()))
    }

    fn visit_unit<E: Error>(self) -> Result<Json, E> {
        Ok(Json::Leaf(Value::Null))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Json, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element()? {
            items.push(item);
        }
        Ok(Json::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Json, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = map.next_entry()? {
            members.push(member);
        }
        Ok(Json::Map(members))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_keep_their_order_and_are_found() {
        let json: Json =
            serde_json::from_str(r#"{"b": [1, -2, 0.5], "a": {"x/y": "z", "n": null, "t": true}}"#).unwrap();
        let names: Vec<_> = json.members().iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["b", "a"]);
        assert_eq!((json.get("b").items().len(), json.get("b").items()[0].number()), (3, Some(1)));
        assert_eq!(json.at("#/a/x~1y").text(), "z");
        assert!(json.at("#/a/t").is_true() && json.at("#/a/n").is_null() && json.at("#/nowhere/at/all").is_null());
    }
}
