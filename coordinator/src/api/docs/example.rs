//! Builds example requests and responses from the schemas, and shell commands that send the requests.

use serde_json::Value;

use super::tree::Json;

/// Maximum depth of an example. The API's objects are less deeply nested.
const DEPTH: usize = 12;
/// Maximum length in characters of JSON that is printed on one line.
const LINE: usize = 72;

/// Returns the example of a schema: its own, or one built from the examples of its parts. `root` is the document.
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

/// Returns the enumerated names of a schema, whether or not it also allows other strings.
pub fn names(schema: &Json) -> &[Json] {
    let closed = schema.get("enum").items();
    let open = || schema.get("anyOf").items().first().map(|known| known.get("enum").items());
    if closed.is_empty() { open().unwrap_or_default() } else { closed }
}

/// Returns the type of a schema, or its first type that isn't `null`.
pub fn kind(schema: &Json) -> &str {
    let said = schema.get("type");
    let several = said.items().iter().map(Json::text).find(|t| *t != "null");
    several.unwrap_or_else(|| said.text())
}

/// Reorders the members of a value to the order of the schema.
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
    let choices = schema.get("oneOf").items();
    // Of several object schemas, choose the one that has all of the value's fields.
    let has_all = |choice: &&Json| {
        let fields = choice.find("$ref").map_or(*choice, |pointer| root.at(pointer.text())).get("properties");
        !value.members().is_empty() && value.members().iter().all(|(name, _)| fields.find(name).is_some())
    };
    let is_some = |choice: &&Json| choice.get("type").text() != "null";
    if let Some(choice) = choices.iter().find(has_all).or_else(|| choices.iter().find(is_some)) {
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

/// Formats JSON on several lines.
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

/// Formats JSON on one line.
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

/// Returns the example of a media type: its own, ordered like its schema, or one built from the schema.
pub fn of_content(content: &Json, root: &Json) -> Json {
    let (own, schema) = (content.get("example"), content.get("schema"));
    if own.is_null() { of(schema, root) } else { ordered(own, schema, root) }
}

/// Returns the URL at which clients reach the service.
pub fn base(root: &Json) -> &str {
    root.get("servers").items().first().map_or("", |server| server.get("url").text())
}

/// A self-contained shell command with the variables it needs at the top.
pub struct Snippet {
    text: String,
}

impl Snippet {
    /// Starts a command that has the service's base URL as a variable.
    pub fn new(root: &Json) -> Self {
        Self { text: format!("BASE_URL={}\n", base(root)) }
    }

    /// Adds the API key as a variable.
    pub fn with_key(self) -> Self {
        self.set("API_KEY", "vd_YOUR_KEY")
    }

    /// Adds another variable.
    pub fn set(mut self, name: &str, value: &str) -> Self {
        let quote = if value.contains(['?', '&', ' ']) { "'" } else { "" };
        self.text += &format!("{name}={quote}{value}{quote}\n");
        self
    }

    /// Returns the variables followed by the command.
    pub fn command(self, command: &str) -> String {
        format!("{}\n{command}", self.text)
    }
}

/// Returns the curl command of a request. `body` replaces the schema's own example as the body.
pub fn curl(method: &str, path: &str, operation: &Json, body: Option<&Json>, root: &Json) -> String {
    let mut snippet = Snippet::new(root);
    if operation.at("#/responses/200/content").members().iter().any(|(kind, _)| kind.starts_with("image/")) {
        let output = root.at("#/components/schemas/Output").get("examples").items();
        let url = output.first().map_or("", |output| output.get("imageUrl").text());
        return Snippet { text: String::new() }.set("IMAGE_URL", url).command("curl -s \"$IMAGE_URL\" -o image.png");
    }
    let needs_key = !operation.get("security").items().is_empty();
    if needs_key {
        snippet = snippet.with_key();
    }
    let mut path = path.to_owned();
    for parameter in operation.get("parameters").items().iter().filter(|p| p.get("in").text() == "path") {
        let name = parameter.get("name").text();
        let variable = constant(name);
        path = path.replace(&format!("{{{name}}}"), &format!("${variable}"));
        snippet = snippet.set(&variable, parameter.get("example").text());
    }
    // Only required query parameters have an example.
    let in_query = operation.get("parameters").items().iter().filter(|p| p.get("in").text() == "query");
    let named = in_query.map(|p| (p.get("name").text(), p.get("example").text()));
    for (n, (name, value)) in named.filter(|(_, value)| !value.is_empty()).enumerate() {
        let mark = if n == 0 { '?' } else { '&' };
        path.push_str(&format!("{mark}{name}={value}"));
    }
    let sent = operation.at("#/requestBody/content").members().first();
    let verb = match (method, sent) {
        ("GET", _) | ("POST", Some(_)) => String::new(),
        _ => format!("-X {method} "),
    };
    let mut parts = vec![format!("curl -s {verb}\"$BASE_URL{path}\"")];
    if needs_key {
        parts.push("-H \"X-API-Key: $API_KEY\"".into());
    }
    if let Some((kind, content)) = sent {
        parts.push(match kind.as_str() {
            "application/json" => {
                let body =
                    body.map_or_else(|| of_content(content, root), |body| ordered(body, content.get("schema"), root));
                let json = pretty(&body).replace('\'', "'\\''");
                format!("-H 'Content-Type: application/json' \\\n  -d '{json}'")
            }
            "multipart/form-data" => {
                snippet = snippet.set("FILE", "report.pdf");
                "-F \"file=@$FILE\"".into()
            }
            _ => {
                snippet = snippet.set("FILE", "logo.png");
                "-H 'Content-Type: application/octet-stream' \\\n  --data-binary \"@$FILE\"".into()
            }
        });
    }
    snippet.command(&parts.join(" \\\n  "))
}

/// Converts `outputId` to `OUTPUT_ID`.
fn constant(name: &str) -> String {
    let mut constant = String::new();
    for c in name.chars() {
        if c.is_uppercase() {
            constant.push('_');
        }
        constant.extend(c.to_uppercase());
    }
    constant
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
    fn commands_can_be_pasted_by_themselves() {
        let root = json(r#"{"servers": [{"url": "https://vivid.example"}]}"#);
        let operation = json(
            r#"{"security": [{"apiKey": []}], "parameters": [{"in": "path", "name": "thingId", "example": "7"}],
                "requestBody": {"content": {"application/json": {"schema": {"examples": ["it's"]}}}}}"#,
        );
        let top = "BASE_URL=https://vivid.example\nAPI_KEY=vd_YOUR_KEY\nTHING_ID=7\n\n";
        let sent = |body: &str| {
            format!(
                "{top}curl -s \"$BASE_URL/api/things/$THING_ID\" \\\n  -H \"X-API-Key: $API_KEY\" \\\n  \
                 -H 'Content-Type: application/json' \\\n  -d '{body}'"
            )
        };
        let curl = |method: &str, path: &str, operation: &Json, body: Option<&Json>| {
            curl(method, path, operation, body, &root)
        };
        assert_eq!(curl("POST", "/api/things/{thingId}", &operation, None), sent("\"it'\\''s\""));
        assert_eq!(
            curl("POST", "/api/things/{thingId}", &operation, Some(&json("{\"a\": 1}"))),
            sent("{\n  \"a\": 1\n}")
        );
        let bare = "BASE_URL=https://vivid.example\n\n";
        for method in ["DELETE", "POST", "PUT"] {
            assert_eq!(curl(method, "/x", &json("{}"), None), format!("{bare}curl -s -X {method} \"$BASE_URL/x\""));
        }
        assert_eq!(curl("GET", "/x", &json("{}"), None), format!("{bare}curl -s \"$BASE_URL/x\""));
    }
}
