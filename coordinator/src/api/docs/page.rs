//! Renders the page: the introduction, every operation by group, the objects in responses, and the errors.

use std::collections::BTreeMap;
use std::fmt::Write;

use axum::http::StatusCode;

use super::fields::{Fields, parameter, short};
use super::html::{escaped, inline, panel, paragraphs};
use super::tree::Json;
use super::{example, guide};

/// Methods in the order in which a path's operations are shown.
const METHODS: [&str; 5] = ["post", "get", "put", "patch", "delete"];
/// The group of operations that includes the section on deliveries.
const RECEIVED: &str = "Webhooks";
/// The page's icon: its first letter in the page's colours.
const ICON: &str = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Crect \
    width='32' height='32' rx='7' fill='%23c8401f'/%3E%3Cpath d='M8 9h4l4 11 4-11h4l-6.4 15h-3.2z' fill='%23fff'/%3E%3C/svg%3E";

/// One operation of the document.
struct Operation<'a> {
    method: &'static str,
    path: &'a str,
    said: &'a Json,
}

impl Operation<'_> {
    fn id(&self) -> &str {
        self.said.get("operationId").text()
    }

    /// Renders the method, such as `GET`, as a coloured label.
    fn label(&self) -> String {
        format!("<span class=\"method {0}\">{1}</span>", self.method, self.method.to_uppercase())
    }
}

/// Renders a document with this stylesheet.
pub fn page(json: &[u8], style: &str) -> String {
    let root: Json = serde_json::from_slice(json).expect("the service made it of its own document");
    let operations = operations(&root);
    let objects = objects(&root, &operations);
    let names: Vec<&str> = objects.iter().map(|(name, _)| *name).collect();
    let fields = Fields { root: &root, objects: names };
    let lists = lists(&root);
    let title = format!("{} API", root.at("#/info/title").text());
    let mut html = format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <meta name=\"color-scheme\" content=\"light dark\"><title>{}</title>\
         <link rel=\"icon\" href=\"{}\"><style>{style}</style></head><body>\
         <a class=\"skip\" href=\"#content\">Skip to the content</a>",
        escaped(&title),
        escaped(ICON),
    );
    html += &navigation(&root, &operations, &objects, &lists);
    html += "<main id=\"content\">";
    html += &guide::introduction(&root, &title);
    for tag in root.get("tags").items() {
        let name = tag.get("name").text();
        let _ = write!(
            html,
            "<section class=\"group\" id=\"{}\"><header><h2>{}</h2><p>{}</p></header>",
            anchor(name),
            escaped(name),
            inline(tag.get("description").text())
        );
        for operation in operations.iter().filter(|o| of_tag(o, name)) {
            html += &article(operation, &fields);
        }
        if name == RECEIVED {
            html += &guide::deliveries(&root, &fields);
        }
        html += "</section>";
    }
    html += &objects_section(&objects, &fields);
    html += &lists_section(&lists);
    html += &errors_section(&root);
    html + "</main></body></html>"
}

fn operations(root: &Json) -> Vec<Operation<'_>> {
    let paths = root.get("paths").members().iter();
    let all = paths.flat_map(|(path, item)| {
        METHODS.into_iter().filter_map(move |method| Some(Operation { method, path, said: item.find(method)? }))
    });
    all.collect()
}

fn of_tag(operation: &Operation<'_>, tag: &str) -> bool {
    operation.said.get("tags").items().iter().any(|t| t.text() == tag)
}

/// Returns the schema of a response's body.
fn body_of(response: &Json) -> Option<&Json> {
    let (_, content) = response.get("content").members().first()?;
    content.find("schema")
}

/// Returns the objects that occur within responses but are not responses themselves, in order of first use.
fn objects<'a>(root: &'a Json, operations: &[Operation<'a>]) -> Vec<(&'a str, &'a Json)> {
    let mut found: Vec<(&str, &Json)> = Vec::new();
    let mut ahead: Vec<&Json> = Vec::new();
    for operation in operations {
        for (status, response) in operation.said.get("responses").members() {
            if status.starts_with('2')
                && let Some(schema) = body_of(response)
            {
                ahead.push(root.at(schema.get("$ref").text()));
            }
        }
    }
    ahead.reverse();
    while let Some(schema) = ahead.pop() {
        match schema {
            Json::Map(members) => {
                if let Some(pointer) = schema.find("$ref") {
                    let (name, target) = (short(pointer.text()), root.at(pointer.text()));
                    let is_object = !target.get("properties").members().is_empty();
                    if is_object && found.iter().all(|(n, _)| *n != name) {
                        found.push((name, target));
                        ahead.push(target);
                    }
                }
                ahead.extend(members.iter().rev().map(|(_, member)| member));
            }
            Json::List(items) => ahead.extend(items.iter().rev()),
            Json::Leaf(_) => {}
        }
    }
    found
}

/// Returns the enumerations that are too long to be shown where they are used.
fn lists(root: &Json) -> Vec<(&str, &Json)> {
    let schemas = root.at("#/components/schemas").members().iter().map(|(name, schema)| (name.as_str(), schema));
    let long = schemas.filter(|(name, s)| example::names(s).len() > 9 && *name != "ErrorCode" && *name != "ErrorType");
    long.collect()
}

/// Converts a name to an anchor.
fn anchor(name: &str) -> String {
    name.to_lowercase().replace(' ', "-")
}

fn navigation(root: &Json, operations: &[Operation<'_>], objects: &[(&str, &Json)], lists: &[(&str, &Json)]) -> String {
    let mut html = format!(
        "<nav aria-label=\"Contents\"><p class=\"brand\"><a href=\"#content\">{}</a> <span>API {}</span></p><ul>\
         <li><a href=\"#start\">First image</a></li><li><a href=\"#errors\">Errors</a></li></ul>",
        escaped(root.at("#/info/title").text()),
        escaped(root.at("#/info/version").text()),
    );
    for tag in root.get("tags").items() {
        let name = tag.get("name").text();
        let _ = write!(html, "<h2><a href=\"#{}\">{}</a></h2><ul>", anchor(name), escaped(name));
        for operation in operations.iter().filter(|o| of_tag(o, name)) {
            let summary = escaped(operation.said.get("summary").text());
            let _ = write!(
                html,
                "<li><a href=\"#{}\">{}<span>{summary}</span></a></li>",
                operation.id(),
                operation.label()
            );
        }
        if name == RECEIVED {
            html +=
                "<li><a href=\"#deliveries\"><span class=\"method\"></span><span>Receive deliveries</span></a></li>";
        }
        html += "</ul>";
    }
    for (title, names) in [("Objects", objects), ("Lists", lists)] {
        let _ = write!(html, "<h2><a href=\"#{}\">{title}</a></h2><ul>", anchor(title));
        for (name, _) in names {
            let _ = write!(html, "<li><a href=\"#{name}\">{name}</a></li>");
        }
        html += "</ul>";
    }
    html + "</nav>"
}

fn article(operation: &Operation<'_>, fields: &Fields<'_>) -> String {
    let said = operation.said;
    let path = escaped(operation.path).replace('{', "<var>{").replace('}', "}</var>");
    let mut html = format!(
        "<article id=\"{id}\"><h3><a href=\"#{id}\">{}</a></h3><p class=\"signature\">{} <code>{path}</code></p>\
         <div class=\"columns\"><div>{}{}",
        escaped(said.get("summary").text()),
        operation.label(),
        key(said),
        paragraphs(said.get("description").text()),
        id = operation.id(),
    );
    for (place, heading) in [("path", "Path"), ("query", "Query"), ("header", "Headers")] {
        let parameters = said.get("parameters").items().iter().filter(|p| p.get("in").text() == place);
        let list = parameters.fold(String::new(), |list, p| list + &parameter(p, fields));
        if !list.is_empty() {
            let _ = write!(html, "<h4>{heading}</h4><dl class=\"fields\">{list}</dl>");
        }
    }
    let content = said.at("#/requestBody/content").members();
    if let Some((_, body)) = content.first() {
        let kinds: Vec<String> = content.iter().map(|(kind, _)| format!("<code>{}</code>", escaped(kind))).collect();
        let about = inline(said.at("#/requestBody/description").text());
        let _ = write!(html, "<h4>Body</h4><p class=\"kinds\">{} <span>{about}</span></p>", kinds.join(" "));
        if let Some(schema) = body.find("schema") {
            html += &fields.list(schema);
        }
    }
    html += &answers(said, fields);
    html += "</div><div class=\"panels\">";
    html += &requests(operation, fields.root);
    for (status, response) in said.get("responses").members().iter().filter(|(status, _)| status.starts_with('2')) {
        html += &answers_shown(status, response, fields);
    }
    html + "</div></div></article>"
}

/// Renders the commands of an operation's requests: one, or one for each named example.
fn requests(operation: &Operation<'_>, root: &Json) -> String {
    let content = operation.said.at("#/requestBody/content").members().first();
    let named = content.map_or(&[][..], |(_, body)| body.get("examples").members());
    let curl = |body| example::curl(&operation.method.to_uppercase(), operation.path, operation.said, body, root);
    if named.is_empty() {
        return panel("Request", &curl(None));
    }
    let shown = named.iter().map(|(_, named)| {
        let heading = format!("Request: {}", named.get("summary").text());
        panel(&heading, &curl(Some(named.get("value"))))
    });
    shown.collect()
}

/// Renders the successful responses: each named example, or one built from the schema.
fn answers_shown<'a>(status: &str, response: &'a Json, fields: &Fields<'a>) -> String {
    let content = response.at("#/content/application~1json");
    let schema = content.get("schema");
    let named = content.get("examples").members();
    if !named.is_empty() {
        let shown = named.iter().map(|(_, named)| {
            let heading = format!("Response {status}: {}", named.get("summary").text());
            panel(&heading, &example::pretty(&example::ordered(named.get("value"), schema, fields.root)))
        });
        return shown.collect();
    }
    if fields.resolved(schema).get("properties").members().is_empty() {
        return String::new();
    }
    panel(&format!("Response {status}"), &example::pretty(&example::of_content(content, fields.root)))
}

/// Renders which key and scope an operation needs.
fn key(operation: &Json) -> String {
    let ways = operation.get("security").items();
    if ways.is_empty() {
        return "<p class=\"key\">No key</p>".into();
    }
    let scopes: Vec<String> = ways
        .iter()
        .flat_map(|way| way.get("apiKey").items())
        .map(|scope| format!("<code>{}</code>", escaped(scope.text())))
        .collect();
    match scopes.is_empty() {
        true => "<p class=\"key\">Any key</p>".into(),
        false => format!("<p class=\"key\">Key with {}</p>", scopes.join(" or ")),
    }
}

fn answers<'a>(operation: &'a Json, fields: &Fields<'a>) -> String {
    let mut html = String::from("<h4>Responses</h4><dl class=\"answers\">");
    let mut refused = String::new();
    for (status, response) in operation.get("responses").members() {
        let reason = status.parse().ok().and_then(|s| StatusCode::from_u16(s).ok()).and_then(|s| s.canonical_reason());
        let heading = format!("<dt><b>{status}</b> {}</dt>", escaped(reason.unwrap_or_default()));
        let Some(pointer) = response.find("$ref") else {
            let _ = write!(html, "{heading}<dd><p>{}</p>", inline(response.get("description").text()));
            html += &own_headers(response);
            if let Some(schema) = body_of(response).map(|s| fields.resolved(s))
                && !schema.get("properties").members().is_empty()
            {
                html += &fields.list(schema);
            }
            html += "</dd>";
            continue;
        };
        let codes = fields.root.at(pointer.text()).at("#/content/application~1json/examples").members();
        let codes: Vec<String> = codes.iter().map(|(c, _)| format!("<a href=\"#{c}\"><code>{c}</code></a>")).collect();
        let _ = write!(refused, "{heading}<dd>{}</dd>", codes.join(" "));
    }
    let _ = write!(
        html,
        "</dl><details class=\"refusals\"><summary>Errors</summary><dl class=\"answers\">{refused}</dl></details>"
    );
    html
}

/// Renders the headers that only some responses have.
fn own_headers(response: &Json) -> String {
    let own = response.get("headers").members().iter().filter(|(name, _)| !name.starts_with("X-"));
    let names: Vec<String> = own.map(|(name, _)| format!("<code>{}</code>", escaped(name))).collect();
    if names.is_empty() { String::new() } else { format!("<p class=\"bounds\">with {}</p>", names.join(" ")) }
}

fn objects_section<'a>(objects: &[(&'a str, &'a Json)], fields: &Fields<'a>) -> String {
    let mut html = String::from(
        "<section class=\"group\" id=\"objects\"><header><h2>Objects</h2><p>Objects that occur in responses.</p></header>",
    );
    for (name, schema) in objects {
        let about = inline(schema.get("description").text());
        let _ = write!(
            html,
            "<article id=\"{name}\"><h3><a href=\"#{name}\">{name}</a></h3><div class=\"columns\"><div><p>{about}</p>{}</div>\
             <div class=\"panels\">{}</div></div></article>",
            fields.list(schema),
            panel(name, &example::pretty(&example::of(schema, fields.root))),
        );
    }
    html + "</section>"
}

fn lists_section(lists: &[(&str, &Json)]) -> String {
    let mut html = String::from(
        "<section class=\"group\" id=\"lists\"><header><h2>Lists</h2><p>Enumerations that fields refer to.</p></header>",
    );
    for (name, schema) in lists {
        let about = inline(schema.get("description").text());
        let _ = write!(
            html,
            "<article id=\"{name}\"><h3><a href=\"#{name}\">{name}</a></h3><p>{about}</p><ul class=\"list\">"
        );
        for item in example::names(schema) {
            let _ = write!(html, "<li><code>{}</code></li>", escaped(item.text()));
        }
        html += "</ul></article>";
    }
    html + "</section>"
}

/// Renders every error code once, with its status and message.
fn errors_section(root: &Json) -> String {
    let mut rows: BTreeMap<(&str, &str), (&str, &str)> = BTreeMap::new();
    for (name, response) in root.at("#/components/responses").members() {
        let status = name.split('.').next().unwrap_or_default();
        for (code, example) in response.at("#/content/application~1json/examples").members() {
            let said = example.get("value");
            rows.insert((status, code), (said.get("error").text(), said.get("message").text()));
        }
    }
    let mut html = String::from(
        "<section class=\"group\" id=\"errors\"><header><h2>Errors</h2><p>Every error code with an example message.</p>\
         </header><div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Errors\"><table><thead><tr>\
         <th scope=\"col\">Status</th><th scope=\"col\">Code</th><th scope=\"col\">Type</th><th scope=\"col\">Message</th>\
         </tr></thead><tbody>",
    );
    for ((status, code), (kind, message)) in rows {
        let _ = write!(
            html,
            "<tr id=\"{code}\"><td>{status}</td><th scope=\"row\"><code>{code}</code></th><td><code>{kind}</code></td>\
             <td>{}</td></tr>",
            escaped(message)
        );
    }
    html + "</tbody></table></div></section>"
}
