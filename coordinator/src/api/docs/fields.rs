//! Renders schemas as lists of fields: each with name, type, bounds and description.

use std::fmt::Write;

use super::example::{kind, names};
use super::html::{escaped, inline};
use super::tree::Json;

/// Enumerations with at most this many names are shown where they are used. Longer ones get their own section.
const SHORT_LIST: usize = 9;

/// Renders the schemas of a document.
pub struct Fields<'a> {
    /// The OpenAPI document.
    pub root: &'a Json,
    /// Objects that have their own section on the page. Fields link to them.
    pub objects: Vec<&'a str>,
}

impl<'a> Fields<'a> {
    /// Renders the fields of an object.
    pub fn list(&self, schema: &'a Json) -> String {
        let schema = self.resolved(schema);
        let required: Vec<&str> = schema.get("required").items().iter().map(Json::text).collect();
        let mut html = String::from("<dl class=\"fields\">");
        for (name, field) in schema.get("properties").members() {
            let mark = if required.contains(&name.as_str()) { "" } else { "<span class=\"opt\">optional</span>" };
            html += &self.field(name, field, mark);
        }
        html + "</dl>"
    }

    /// Renders one field. `mark` says whether it is required.
    pub fn field(&self, name: &str, schema: &'a Json, mark: &str) -> String {
        let mut html = String::new();
        let kind = self.kind_of(schema);
        // An optional field may be `null` as well; one of the two notes is enough.
        let kind = if mark.is_empty() { &kind } else { kind.trim_end_matches(" or null") };
        let _ = write!(
            html,
            "<div class=\"field\"><dt><code class=\"name\">{}</code> <span class=\"type\">{}</span> {mark}</dt><dd>",
            escaped(name),
            kind
        );
        let described = self.description(schema);
        if !described.is_empty() {
            let _ = write!(html, "<p>{}</p>", inline(described));
        }
        html += &self.bounds(schema);
        let inner = self.innermost(schema);
        let is_own = inner.find("$ref").is_some_and(|r| self.objects.contains(&short(r.text())));
        if !is_own && !self.resolved(inner).get("properties").members().is_empty() {
            let _ = write!(html, "<details><summary>Fields of <code>{}</code></summary>", escaped(name));
            html += &self.list(inner);
            html += "</details>";
        }
        html + "</dd></div>"
    }

    /// Follows a reference. Returns any other schema unchanged.
    pub fn resolved(&self, schema: &'a Json) -> &'a Json {
        match schema.find("$ref") {
            Some(pointer) => self.root.at(pointer.text()),
            None => schema,
        }
    }

    /// Returns a schema without an enclosing array or `null` alternative.
    fn innermost(&self, schema: &'a Json) -> &'a Json {
        let choice = schema.get("oneOf").items().iter().find(|c| c.get("type").text() != "null");
        match (choice, schema.find("items")) {
            (Some(choice), _) => self.innermost(choice),
            (None, Some(items)) => self.innermost(items),
            (None, None) => schema,
        }
    }

    fn description(&self, schema: &'a Json) -> &'a str {
        let own = schema.get("description").text();
        if own.is_empty() { self.innermost(schema).get("description").text() } else { own }
    }

    /// Returns the type in readable form.
    pub fn kind_of(&self, schema: &'a Json) -> String {
        if let Some(pointer) = schema.find("$ref") {
            let name = short(pointer.text());
            if self.objects.contains(&name) {
                return format!("<a href=\"#{name}\">{name}</a>");
            }
            let target = self.root.at(pointer.text());
            return match names(target) {
                list if list.len() > SHORT_LIST => format!("<a href=\"#{name}\">{name}</a>"),
                [_, ..] => "string".into(),
                [] => self.kind_of(target),
            };
        }
        let choices = schema.get("oneOf").items();
        if !choices.is_empty() {
            let kinds: Vec<String> = choices.iter().map(|c| self.kind_of(c)).collect();
            return kinds.join(" or ");
        }
        if let Some(items) = schema.find("items") {
            return format!("list of {}", plural(self.kind_of(items)));
        }
        if let Some(values) = schema.find("additionalProperties") {
            return format!("object of {}", plural(self.kind_of(values)));
        }
        let word = match (kind(schema), schema.get("format").text()) {
            ("string", "uuid") => "UUID",
            ("string", "date-time") => "time",
            ("string", "uri") => "URL",
            ("", _) => "anything",
            ("null", _) => "null",
            (word, _) => word,
        };
        let nullable = schema.get("type").items().iter().any(|t| t.text() == "null");
        format!("{}{}", escaped(word), if nullable { " or null" } else { "" })
    }

    /// Renders the bounds of a value and its allowed names.
    fn bounds(&self, schema: &'a Json) -> String {
        let inner = self.innermost(schema);
        let target = match inner.find("$ref") {
            Some(pointer) => self.root.at(pointer.text()),
            None => inner,
        };
        let mut said: Vec<String> = Vec::new();
        let number = |name: &str| target.get(name).number();
        let range = |low: Option<u64>, high: Option<u64>, what: &str| match (low.filter(|l| *l > 0), high) {
            (Some(low), Some(high)) => Some(format!("{} to {}{what}", grouped(low), grouped(high))),
            (Some(low), None) => Some(format!("at least {}{what}", grouped(low))),
            (None, Some(high)) => Some(format!("at most {}{what}", grouped(high))),
            (None, None) => None,
        };
        said.extend(range(number("minLength"), number("maxLength"), " characters"));
        said.extend(range(number("minimum"), number("maximum"), ""));
        said.extend(range(schema.get("minItems").number(), schema.get("maxItems").number(), " items"));
        if let Some(default) = schema.find("default").or_else(|| target.find("default")) {
            said.push(format!("default <code>{}</code>", escaped(&super::example::pretty(default))));
        }
        let names = names(target);
        let mut html = String::new();
        if (1..=SHORT_LIST).contains(&names.len()) {
            let names: Vec<String> = names.iter().map(|n| format!("<code>{}</code>", escaped(n.text()))).collect();
            let _ = write!(html, "<p class=\"names\">{}</p>", names.join(" "));
        }
        if !said.is_empty() {
            let _ = write!(html, "<p class=\"bounds\">{}</p>", said.join(" · "));
        }
        html
    }
}

/// Returns the plural of a type.
fn plural(kind: String) -> String {
    match kind.as_str() {
        "string" | "integer" | "number" | "boolean" | "UUID" | "URL" | "time" => kind + "s",
        _ => kind,
    }
}

/// Returns the last part of a reference, which is the schema's name.
pub fn short(pointer: &str) -> &str {
    pointer.rsplit('/').next().unwrap_or(pointer)
}

/// Formats a number with thousands separators.
fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut grouped = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// Renders a parameter as a field.
pub fn parameter<'a>(parameter: &'a Json, fields: &Fields<'a>) -> String {
    let mark = if parameter.get("required").is_true() { "" } else { "<span class=\"opt\">optional</span>" };
    let html = fields.field(parameter.get("name").text(), parameter.get("schema"), mark);
    let about = format!("<dd><p>{}</p>", inline(parameter.get("description").text()));
    html.replacen("<dd>", &about, 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_tell_their_types_and_bounds() {
        let root: Json = serde_json::from_str(
            r##"{"components": {"schemas": {
                "Thing": {"type": "object", "required": ["id"], "properties": {
                    "id": {"type": "string", "format": "uuid", "description": "Its `id`."},
                    "title": {"type": ["string", "null"], "minLength": 1, "maxLength": 20000},
                    "kind": {"oneOf": [{"$ref": "#/components/schemas/Kind", "description": "Which."}, {"type": "null"}]},
                    "parts": {"type": "array", "items": {"$ref": "#/components/schemas/Part"}, "maxItems": 3},
                    "inner": {"$ref": "#/components/schemas/Inner"}}},
                "Kind": {"type": "string", "enum": ["a", "b"]},
                "Part": {"type": "object", "properties": {"x": {}}},
                "Inner": {"type": "object", "properties": {"n": {"type": "integer", "minimum": 1}}}}}}"##,
        )
        .unwrap();
        let fields = Fields { root: &root, objects: vec!["Part"] };
        let html = fields.list(root.at("#/components/schemas/Thing"));
        for part in [
            "<code class=\"name\">id</code> <span class=\"type\">UUID</span> </dt><dd><p>Its <code>id</code>.</p>",
            "string</span> <span class=\"opt\">optional</span>",
            "1 to 20,000 characters",
            "<p>Which.</p><p class=\"names\"><code>a</code> <code>b</code></p>",
            "list of <a href=\"#Part\">Part</a></span>",
            "at most 3 items",
            "<summary>Fields of <code>inner</code></summary><dl class=\"fields\">",
            "at least 1",
        ] {
            assert!(html.contains(part), "{part}: {html}");
        }
        assert_eq!((grouped(7), grouped(9007199254740991)), ("7".to_owned(), "9,007,199,254,740,991".to_owned()));
    }
}
