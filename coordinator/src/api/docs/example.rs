//! Examples: of what is sent and answered, made from the schemas, and the commands that send it.

use serde_json::Value;

use super::tree::Json;

/// Depth beyond which an example says no more: the objects of the API are flatter.
const DEPTH: usize = 12;
/// Characters of a line that is not broken.
const LINE: usize = 72;

/// An example of a schema: its own, or one put together from those of its parts. `root` is the document.
pub fn of(schema: &Json, root: &Json) -> Json {
    example(schema, root, DEPTH)
}

fn example(schema: &Json, root: &Json, left: usize) -> Json {
    if left == 0 {
        return Json::Leaf(Value::Null);
    }
    if let Some(own) = schema.get("examples").items().first() {
        return in_order(own, schema, root, left);
    }
    if let Some(pointer) = schema.find("$ref") {
        return example(root.at(pointer.text()), root, left - 1);
    }
    let choices = ["oneOf", "anyOf", "allOf"].into_iter().flat_map(|of| schema.get(of).items());
    if let Some(choice) = choices.into_iter().find(|c| c.get("type").text() != "null") {
        return example(choice, root, left - 1);
    }
    if let Some(first) = schema.get("enum").items().first() {
        return first.clone();
    }
    if let Some(default) = schema.find("default") {
        return default.clone();
    }
    let leaf = |value: Value| Json::Leaf(value);
    match kind(schema) {
        "object" => {
            let members = schema.get("properties").members().iter();
            Json::Map(members.map(|(name, part)| (name.clone(), example(part, root, left - 1))).collect())
        }
        "array" => Json::List(vec![example(schema.get("items"), root, left - 1)]),
        "string" => leaf(match schema.get("format").text() {
            "uuid" => "0198c0de-0000-7000-8000-000000000000".into(),
            "date-time" => "2026-01-31T12:00:00.000Z".into(),
            "uri" => "https://vivid.example/files/…".into(),
            _ => "…".into(),
        }),
        "integer" | "number" => leaf(schema.get("minimum").number().unwrap_or(0).into()),
        "boolean" => leaf(false.into()),
        _ => leaf(Value::Null),
    }
}

/// The names of a list, whether others are allowed beside them or not.
pub fn names(schema: &Json) -> &[Json] {
    let closed = schema.get("enum").items();
    let open = || schema.get("anyOf").items().first().map(|known| known.get("enum").items());
    if closed.is_empty() { open().unwrap_or_default() } else { closed }
}

/// The type of a schema; of several the first that isn't `null`.
pub fn kind(schema: &Json) -> &str {
    let said = schema.get("type");
    let several = said.items().iter().map(Json::text).find(|t| *t != "null");
    several.unwrap_or_else(|| said.text())
}

/// A value, its members in the order in which the schema lists them.
pub fn ordered(value: &Json, schema: &Json, root: &Json) -> Json {
    in_order(value, schema, root, DEPTH)
}

fn in_order(value: &Json, schema: &Json, root: &Json, left: usize) -> Json {
    if left == 0 {
        return value.clone();
    }
    let deeper = |value: &Json, schema: &Json| in_order(value, schema, root, left - 1);
    if let Some(pointer) = schema.find("$ref") {
        return deeper(value, root.at(pointer.text()));
    }
    if let Some(choice) = schema.get("oneOf").items().iter().find(|c| c.get("type").text() != "null") {
        return deeper(value, choice);
    }
    match value {
        Json::Map(members) => {
            let parts = schema.get("properties").members();
            let place = |name: &str| parts.iter().position(|(part, _)| part == name).unwrap_or(parts.len());
            let member =
                |(name, value): &(String, Json)| (name.clone(), deeper(value, schema.get("properties").get(name)));
            let mut members: Vec<_> = members.iter().map(member).collect();
            members.sort_by_key(|(name, _)| place(name));
            Json::Map(members)
        }
        Json::List(items) => Json::List(items.iter().map(|item| deeper(item, schema.get("items"))).collect()),
        Json::Leaf(_) => value.clone(),
    }
}

/// JSON on lines that people can read.
pub fn pretty(json: &Json) -> String {
    let mut text = String::new();
    write(json, 0, &mut text);
    text
}

fn write(json: &Json, indent: usize, text: &mut String) {
    let short = line(json);
    let rows: Vec<(Option<&str>, &Json)> = match json {
        Json::Map(members) => members.iter().map(|(name, value)| (Some(name.as_str()), value)).collect(),
        Json::List(items) => items.iter().map(|item| (None, item)).collect(),
        Json::Leaf(_) => Vec::new(),
    };
    if rows.is_empty() || indent > 0 && indent + short.chars().count() <= LINE {
        text.push_str(&short);
        return;
    }
    let (open, close) = if matches!(json, Json::Map(_)) { ('{', '}') } else { ('[', ']') };
    text.push(open);
    for (place, (name, value)) in rows.iter().enumerate() {
        text.push_str(if place == 0 { "\n" } else { ",\n" });
        text.push_str(&" ".repeat(indent + 2));
        if let Some(name) = name {
            text.push_str(&format!("{}: ", Value::from(*name)));
        }
        write(value, indent + 2, text);
    }
    text.push('\n');
    text.push_str(&" ".repeat(indent));
    text.push(close);
}

/// JSON on one line.
fn line(json: &Json) -> String {
    let joined = |parts: Vec<String>| parts.join(", ");
    match json {
        Json::Leaf(value) => value.to_string(),
        Json::List(items) => format!("[{}]", joined(items.iter().map(line).collect())),
        Json::Map(members) => {
            let member = |(name, value): &(String, Json)| format!("{}: {}", Value::from(name.as_str()), line(value));
            format!("{{{}}}", joined(members.iter().map(member).collect()))
        }
    }
}

/// The command that makes a request.
pub fn curl(method: &str, path: &str, operation: &Json, root: &Json) -> String {
    let answers_picture =
        operation.at("#/responses/200/content").members().iter().any(|(t, _)| t.starts_with("image/"));
    if answers_picture {
        return "curl -s \"$IMAGE_URL\" -o image.png".into();
    }
    let path = path.replace("{id}", "$ID").replace('{', "$").replace('}', "").to_owned();
    let mut parts = vec![match method {
        "GET" | "POST" => format!("curl -s \"$VIVID{path}\""),
        _ => format!("curl -s -X {method} \"$VIVID{path}\""),
    }];
    if !operation.get("security").items().is_empty() {
        parts.push("-H \"X-API-Key: $KEY\"".into());
    }
    if let Some((kind, body)) = operation.at("#/requestBody/content").members().first() {
        parts.push(match kind.as_str() {
            "application/json" => {
                let json = pretty(&of(body.get("schema"), root)).replace('\'', "'\\''");
                format!("-H 'Content-Type: application/json' \\\n  -d '{json}'")
            }
            "multipart/form-data" => "-F file=@report.pdf".into(),
            _ => "--data-binary @logo.svg".into(),
        });
    } else if method == "POST" {
        parts[0] = format!("curl -s -X POST \"$VIVID{path}\"");
    }
    parts.join(" \\\n  ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(text: &str) -> Json {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn an_example_is_put_together_from_its_parts() {
        let root = json(
            r##"{"s": {"type": "object", "properties": {
                "z": {"$ref": "#/n"}, "a": {"type": ["string", "null"], "format": "uuid"},
                "l": {"type": "array", "items": {"type": "integer", "minimum": 1}},
                "o": {"oneOf": [{"type": "null"}, {"$ref": "#/n"}]}}},
              "n": {"type": "string", "enum": ["one", "two"]}}"##,
        );
        let made = pretty(&of(root.get("s"), &root));
        let wanted = "{\n  \"z\": \"one\",\n  \"a\": \"0198c0de-0000-7000-8000-000000000000\",\n  \"l\": [1],\n  \"o\": \"one\"\n}";
        assert_eq!(made, wanted);
    }

    #[test]
    fn an_example_of_its_own_goes_before_and_keeps_the_order_of_the_fields() {
        let schema = json(r#"{"properties": {"b": {}, "a": {}}, "examples": [{"a": 1, "b": "it's"}]}"#);
        assert_eq!(line(&of(&schema, &schema)), r#"{"b": "it's", "a": 1}"#);
    }

    #[test]
    fn what_refers_to_itself_comes_to_an_end() {
        let root = json(r##"{"s": {"type": "object", "properties": {"s": {"$ref": "#/s"}}}}"##);
        assert!(line(&of(root.get("s"), &root)).ends_with("{\"s\": null}}}}}}"));
    }

    #[test]
    fn commands_can_be_pasted() {
        let root = json("{}");
        let operation = json(
            r#"{"security": [{"apiKey": []}], "requestBody": {"content": {"application/json": {"schema": {"examples": ["it's"]}}}}}"#,
        );
        let command = curl("POST", "/api/things/{id}", &operation, &root);
        assert_eq!(
            command,
            "curl -s \"$VIVID/api/things/$ID\" \\\n  -H \"X-API-Key: $KEY\" \\\n  -H 'Content-Type: application/json' \\\n  -d '\"it'\\''s\"'"
        );
        assert_eq!(curl("DELETE", "/x", &json("{}"), &root), "curl -s -X DELETE \"$VIVID/x\"");
        assert_eq!(curl("POST", "/x", &json("{}"), &root), "curl -s -X POST \"$VIVID/x\"");
    }
}
