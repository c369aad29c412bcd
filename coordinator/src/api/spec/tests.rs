use std::collections::{BTreeMap, BTreeSet};

use axum::http::HeaderMap;
use serde_json::Value;

use super::*;
use crate::accounts::Scope;
use crate::api::{
    brands, creation, derive, designs, drawings, edits, kit, lifecycle, outline, page_text, pages, slide_order,
    versions, webhooks,
};
use crate::http::error::codes::{self, Audience};
use crate::http::listing;

fn document() -> Value {
    let (_, api) = crate::api::paths().split_for_parts();
    serde_json::to_value(finish(api, "https://vivid.example/base")).unwrap()
}

/// Returns every operation as (method, path, operation).
fn operations(document: &Value) -> Vec<(String, String, &Value)> {
    let paths = document["paths"].as_object().unwrap().iter();
    let all = paths.flat_map(|(path, item)| {
        let methods = item.as_object().unwrap().iter();
        methods.map(move |(method, said)| (method.to_uppercase(), path.clone(), said))
    });
    all.collect()
}

/// Visits every nested value with its location.
fn walk<'v>(value: &'v Value, at: &str, each: &mut impl FnMut(&str, &'v Value)) {
    each(at, value);
    match value {
        Value::Object(members) => members.iter().for_each(|(name, v)| walk(v, &format!("{at}/{name}"), each)),
        Value::Array(items) => items.iter().enumerate().for_each(|(n, v)| walk(v, &format!("{at}/{n}"), each)),
        _ => {}
    }
}

fn names(of: &Value) -> BTreeSet<&str> {
    of.as_object().into_iter().flatten().map(|(name, _)| name.as_str()).collect()
}

fn page() -> String {
    std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/api.md")).unwrap()
}

/// Returns the words of a text that are in backquotes.
fn quoted(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

/// Returns the cells of a table's rows. The table is found by its heading.
fn table<'p>(page: &'p str, heading: &str) -> Vec<Vec<&'p str>> {
    let start = page.find(heading).unwrap_or_else(|| panic!("no table begins with {heading}"));
    let rows = page[start..].lines().skip(2).take_while(|l| l.starts_with('|'));
    // A bar within a cell is escaped.
    rows.map(|row| row.trim_matches('|').split(" | ").map(str::trim).collect()).collect()
}

#[test]
fn it_says_what_it_is_and_every_reference_leads_somewhere() {
    let document = document();
    assert_eq!((&document["openapi"], &document["info"]["title"]), (&"3.1.0".into(), &"Vivid".into()));
    assert_eq!(document["servers"][0]["url"], "https://vivid.example/base");
    let (mut refs, mut broken) = (0, Vec::new());
    walk(&document, "", &mut |at, value| {
        if let Some(pointer) = value.get("$ref").and_then(Value::as_str) {
            refs += 1;
            if document.pointer(pointer.trim_start_matches('#')).is_none() {
                broken.push(format!("{at}: {pointer}"));
            }
        }
    });
    assert!(refs > 200 && broken.is_empty(), "{refs} {broken:?}");
}

#[test]
fn every_operation_and_every_field_is_described() {
    let document = document();
    let tags: BTreeSet<&str> =
        document["tags"].as_array().unwrap().iter().map(|t| t["name"].as_str().unwrap()).collect();
    let scopes: BTreeSet<&str> = Scope::ALL.iter().map(|s| s.name()).collect();
    let (mut ids, mut used) = (BTreeSet::new(), BTreeSet::new());
    for (method, path, said) in operations(&document) {
        let at = format!("{method} {path}");
        for word in ["summary", "description", "operationId"] {
            assert!(said[word].as_str().is_some_and(|s| !s.is_empty()), "{at}: {word}");
        }
        assert!(ids.insert(said["operationId"].as_str().unwrap()), "{at}: its id stands twice");
        let tag = said["tags"][0].as_str().unwrap();
        assert!(tags.contains(tag), "{at}: {tag}");
        used.insert(tag);
        assert!(said.get("x-codes").is_none(), "{at}");
        let open = ["/api/formats", "/files/{key}", "/healthz", "/readyz", "/openapi.json", "/docs"];
        match said["security"].as_array().unwrap_or_else(|| panic!("{at}")).as_slice() {
            [] => assert!(open.contains(&path.as_str()), "{at}"),
            ways => {
                let (keys, bearers) = ways.split_at(ways.len() / 2);
                for (key, bearer) in keys.iter().zip(bearers) {
                    let needed = key["apiKey"].as_array().unwrap();
                    assert!(needed.iter().all(|scope| scopes.contains(scope.as_str().unwrap())), "{at}");
                    assert_eq!(bearer["bearer"], key["apiKey"], "{at}");
                }
                assert!(!open.contains(&path.as_str()) && keys.len() == bearers.len(), "{at}");
            }
        }
    }
    assert_eq!(used, tags, "groups that nothing is in");
    let mut bare = Vec::new();
    walk(&document["components"]["schemas"], "", &mut |at, value| {
        for (name, field) in value.get("properties").and_then(Value::as_object).into_iter().flatten() {
            let described = |v: &Value| v["description"].as_str().is_some_and(|d| d.ends_with('.'));
            let choices = field["oneOf"].as_array().is_some_and(|c| c.iter().any(described));
            if !described(field) && !choices {
                bare.push(format!("{at}/{name}"));
            }
        }
    });
    assert!(bare.is_empty(), "{bare:?}");
}

/// Clients rely on every field, so every field in a response is required, except for the listed optional ones.
#[test]
fn answers_have_all_of_their_fields() {
    let document = document();
    let known = [
        "Error.details",
        "Error.required",
        "Error.available",
        "Error.maxCredits",
        "ErrorDetail.element",
        "ListedGeneration.outputs",
        "Quality.checks",
        "Upload.font",
        "Warning.formatId",
        "Warning.slideIndex",
        "Webhook.secret",
    ];
    let mut optional = BTreeSet::new();
    for (name, schema) in document["components"]["schemas"].as_object().unwrap() {
        let required: Vec<&str> =
            schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let left = names(&schema["properties"]).into_iter().filter(|field| !required.contains(field));
        // Outline objects occur in requests as well, so their fields stay optional.
        if !name.ends_with("Request") && !name.starts_with("Outline") {
            optional.extend(left.map(|field| format!("{name}.{field}")));
        }
    }
    assert_eq!(optional, known.map(str::to_owned).into());
}

#[test]
fn the_fields_of_requests_are_those_that_are_read() {
    let document = document();
    let schema = |name: &str| names(&document["components"]["schemas"][name]["properties"]);
    assert_eq!(schema("CreationRequest"), creation::FIELDS.into());
    assert_eq!(schema("PagesRequest"), pages::FIELDS.into());
    assert_eq!(schema("OutlinePage"), outline::PAGE_FIELDS.into());
    assert_eq!(schema("OutlineItem"), outline::ITEM_FIELDS.into());
    assert_eq!(schema("OutlineFigure"), outline::FIGURE_FIELDS.into());
    assert_eq!(schema("BrandRequest"), kit::FIELDS.into());
    assert_eq!(schema("BrandColorsRequest"), kit::COLORS.into());
    assert_eq!(schema("BrandFontsRequest"), kit::FONTS.into());
    assert_eq!(schema("EditRequest"), edits::FIELDS.into());
    assert_eq!(schema("SlidesRequest"), slide_order::FIELDS.into());
    assert_eq!(schema("RestoreRequest"), versions::FIELDS.into());
    assert_eq!(schema("ImagePageRequest"), page_text::FIELDS.into());
    assert_eq!(schema("RenameRequest"), lifecycle::RENAME_FIELDS.into());
    assert_eq!(schema("WebhookChangeRequest"), webhooks::CHANGE_FIELDS.into());
    assert_eq!(schema("RotationRequest"), webhooks::secrets::FIELDS.into());
    let with_reference = |fields: &[&'static str]| fields.iter().chain(&["referenceGenerationId"]).copied().collect();
    assert_eq!(schema("LocalizeRequest"), derive::LOCALIZE_FIELDS.into());
    assert_eq!(schema("LocalizeByReferenceRequest"), with_reference(&derive::LOCALIZE_FIELDS));
    assert_eq!(schema("VariationRequest"), derive::VARIATION_FIELDS.into());
    assert_eq!(schema("VariationByReferenceRequest"), with_reference(&derive::VARIATION_FIELDS));
}

#[test]
fn the_parameters_of_lists_are_those_that_are_read() {
    let document = document();
    let mut lists = 0;
    for (method, path, said) in operations(&document) {
        let parameters = said["parameters"].as_array().into_iter().flatten();
        let named = parameters.filter(|p| p["in"] == "query").map(|p| p["name"].as_str().unwrap());
        let named: BTreeSet<&str> = named.collect();
        let read: BTreeSet<&str> = match path.as_str() {
            "/api/generations" if method == "GET" => listing::PARAMETERS.into(),
            "/api/brands/{id}/logo" => [brands::VARIANT].into(),
            "/api/drawings" => drawings::PARAMETERS.into(),
            path if designs::lists(path) => designs::PARAMETERS.into(),
            "/files/{key}" => ["expires", "signature"].into(),
            "/api/generations/{id}/export" => ["format", "formatId"].into(),
            _ if named.contains("cursor") => listing::PAGE_PARAMETERS.into(),
            _ => BTreeSet::new(),
        };
        assert_eq!(named, read, "{method} {path}");
        lists += usize::from(named.contains("cursor"));
    }
    assert!(lists >= 5, "{lists}");
}

/// Checks that every example matches its schema.
#[test]
fn examples_are_what_they_are_examples_of() {
    let document = document();
    let mut seen = 0;
    let mut hold = |schema: &Value, example: &Value, at: &str| {
        let mut whole = schema.clone();
        whole["components"] = document["components"].clone();
        let options = jsonschema::draft202012::options().should_validate_formats(true);
        let faults: Vec<String> = options.build(&whole).unwrap().iter_errors(example).map(|e| e.to_string()).collect();
        assert!(faults.is_empty(), "{at}: {faults:?}: {example}");
        seen += 1;
    };
    walk(&document, "", &mut |at, value| {
        let examples = value.get("examples").filter(|_| !at.ends_with("/properties"));
        let schema = value.get("schema");
        match examples {
            Some(Value::Array(examples)) => examples.iter().for_each(|e| hold(value, e, at)),
            // Named examples of a body.
            Some(Value::Object(named)) => named.values().for_each(|e| hold(schema.unwrap(), &e["value"], at)),
            _ => {}
        }
        if let (Some(schema), Some(example)) = (schema, value.get("example")) {
            hold(schema, example, at);
        }
    });
    assert!(seen > 100, "{seen}");
}

/// Checks that the example bodies are valid requests.
#[test]
fn what_is_shown_as_a_creation_is_one() {
    let document = document();
    let example = |name: &str| document["components"]["schemas"][name]["examples"][0].as_object().unwrap().clone();
    let ceilings = crate::app::Ceilings { text_chars: 200_000, images: 100, translates: false };
    let creation = creation::read(&example("CreationRequest"), ceilings, &fleet::net::Guard::default()).unwrap();
    assert!(creation.warnings.is_empty() && creation.outputs.len() == 3);
    assert!(kit::read(&example("BrandRequest"), None).unwrap().warnings.is_empty());
}

/// A new name must not break clients that were generated before it was added, so every enumeration is open, except for
/// those that occur only in requests.
#[test]
fn lists_of_names_are_open() {
    let document = document();
    let (mut open, mut closed) = (0, Vec::new());
    walk(&document, "", &mut |at, value| {
        if value["anyOf"][0]["enum"].is_array() {
            assert_eq!(value["anyOf"][1], serde_json::json!({"type": "string"}), "{at}");
            open += 1;
        } else if value["enum"].is_array() && !at.ends_with("/anyOf/0") {
            closed.push(at.to_owned());
        }
    });
    assert_eq!(closed, ["/components/schemas/Expansion", "/components/schemas/LogoVariant"]);
    assert!(open > 15, "{open}");
}

/// Code generators create one type for all errors, and bytes for files.
#[test]
fn generators_find_one_error_and_bytes() {
    let document = document();
    for (name, response) in document["components"]["responses"].as_object().unwrap() {
        let schema = &response["content"]["application/json"]["schema"];
        assert_eq!(schema, &serde_json::json!({"$ref": "#/components/schemas/Error"}), "{name}");
    }
    let mut bytes = 0;
    for (method, path, said) in operations(&document) {
        for (status, response) in said["responses"].as_object().unwrap() {
            let is_refusal = !status.starts_with(['2', '3']);
            assert_eq!(response["$ref"].is_string(), is_refusal, "{method} {path} {status}");
        }
        let answers = said["responses"].as_object().unwrap().values().map(|response| &response["content"]);
        for content in answers.chain([&said["requestBody"]["content"]]) {
            for (kind, body) in content.as_object().into_iter().flatten() {
                assert!(body["schema"].is_object(), "{method} {path}: {kind}");
                if kind.starts_with("image/") || kind == "application/octet-stream" {
                    assert_eq!(body["schema"], serde_json::json!({"type": "string", "format": "binary"}), "{path}");
                    bytes += 1;
                }
            }
        }
    }
    assert!(bytes >= 12, "{bytes}");
    assert_eq!(document["components"]["schemas"]["UploadRequest"]["properties"]["file"]["format"], "binary");
}

#[test]
fn every_event_is_a_webhook_of_the_document() {
    let document = document();
    let mut events: BTreeSet<&str> = crate::state::Event::ALL.iter().map(|event| event.name()).collect();
    events.insert("webhook.test");
    assert_eq!(names(&document["webhooks"]), events);
    for (event, item) in document["webhooks"].as_object().unwrap() {
        let said = &item["post"];
        let body = &said["requestBody"]["content"]["application/json"]["schema"]["$ref"];
        assert_eq!(body, "#/components/schemas/WebhookPayload", "{event}");
        let headers: Vec<&str> =
            said["parameters"].as_array().unwrap().iter().map(|p| p["name"].as_str().unwrap()).collect();
        assert_eq!(headers, ["X-Vivid-Event", "X-Vivid-Delivery", "X-Vivid-Signature"], "{event}");
    }
}

#[test]
fn every_answer_carries_the_headers_of_every_answer() {
    let document = document();
    for (method, path, said) in operations(&document) {
        for (status, response) in said["responses"].as_object().unwrap() {
            let pointer = response["$ref"].as_str().map(|p| p.trim_start_matches('#'));
            let response = pointer.map_or(response, |p| document.pointer(p).unwrap());
            let headers = names(&response["headers"]);
            for name in ["X-Request-Id", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"] {
                assert!(headers.contains(name), "{method} {path} {status}: {name}");
            }
            assert_eq!(headers.contains("Retry-After"), ["429", "503"].contains(&status.as_str()), "{path} {status}");
            assert_eq!(headers.contains("WWW-Authenticate"), status == "401", "{path} {status}");
        }
    }
}

/// docs/api.md matches the document: the same paths and methods …
#[test]
fn the_page_lists_the_same_endpoints() {
    let document = document();
    let mut listed = BTreeSet::new();
    let page = page();
    for row in table(&page, "| Method and path") {
        let mut methods: Vec<&str> = Vec::new();
        // The cell has `GET, PUT` before a path in backquotes. Further paths in it have the same methods.
        for (place, part) in row[0].split('`').enumerate() {
            if place % 2 == 1 {
                let path = part.split(['?', '…']).next().unwrap();
                let path: Vec<String> = path
                    .split('/')
                    .map(|step| step.strip_prefix(':').map_or(step.to_owned(), |name| format!("{{{name}}}")))
                    .collect();
                let path = path.join("/").replace("/files/", "/files/{key}");
                listed.extend(methods.iter().map(|m| format!("{m} {path}")));
                continue;
            }
            let named: Vec<&str> =
                part.split([',', ' ']).filter(|w| !w.is_empty() && w.chars().all(|c| c.is_ascii_uppercase())).collect();
            if !named.is_empty() {
                methods = named;
            }
        }
    }
    let there: BTreeSet<String> = operations(&document).iter().map(|(m, path, _)| format!("{m} {path}")).collect();
    assert_eq!(listed, there);
}

/// … the same errors under the same statuses …
#[test]
fn the_page_lists_the_same_errors() {
    let document = document();
    let mut documented: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for (name, response) in document["components"]["responses"].as_object().unwrap() {
        let status = name.split('.').next().unwrap().to_owned();
        documented.entry(status).or_default().extend(names(&response["content"]["application/json"]["examples"]));
    }
    // No operation can document the errors of unknown paths and methods.
    documented.entry("405".into()).or_default().insert("method_not_allowed");
    for row in codes::all().iter().filter(|row| row.audience == Audience::Connection) {
        documented.entry(row.status.as_str().to_owned()).or_default().insert(row.code);
    }
    let (page, mut listed) = (page(), BTreeMap::<String, BTreeSet<&str>>::new());
    let kinds: BTreeMap<&str, StatusCode> = codes::all().iter().map(|row| (row.code, row.status)).collect();
    for row in table(&page, "| status | `error`") {
        for code in quoted(row[2]).into_iter().filter(|c| !["required", "available", "maxCredits"].contains(c)) {
            let status = kinds.get(code).unwrap_or_else(|| panic!("no error has the code {code}")).as_str().to_owned();
            assert!(row[0].split(", ").any(|s| s == status), "{code} has {status}, not {}", row[0]);
            listed.entry(status).or_default().insert(code);
        }
    }
    assert_eq!(listed, documented);
}

/// … and the same codes of request faults, failed generations and warnings.
#[test]
fn the_page_lists_the_same_codes() {
    let document = document();
    let list = |name: &str| -> BTreeSet<&str> {
        let names = document["components"]["schemas"][name]["anyOf"][0]["enum"].as_array().unwrap();
        names.iter().map(|n| n.as_str().unwrap()).collect()
    };
    let page = page();
    let said = |begins: &str| {
        let line = page.lines().find(|l| l.contains(begins)).unwrap_or_else(|| panic!("nothing says {begins}"));
        let codes = quoted(&line[line.find(begins).unwrap() + begins.len()..]);
        codes.into_iter().filter(|c| c.contains('_')).collect::<BTreeSet<_>>()
    };
    let estimates = list("GenerationErrorCode");
    let details: BTreeSet<&str> = said("Codes within `details`:").union(&estimates).copied().collect();
    assert_eq!(details, list("DetailCode").union(&estimates).copied().collect());
    assert_eq!(said("`error.code` is one of"), estimates);
    assert_eq!(said("The codes of warnings are"), list("WarningCode"));
}

#[test]
fn who_has_it_already_is_not_sent_it_again() {
    let made = Made::new(b"words".to_vec());
    let ask = |tags: &[&str]| {
        let mut headers = HeaderMap::new();
        for tag in tags {
            headers.append("if-none-match", tag.parse().unwrap());
        }
        made.answer(&headers, "text/plain")
    };
    let first = ask(&[]);
    let tag = first.headers()["etag"].to_str().unwrap().to_owned();
    assert_eq!((first.status(), first.headers()["content-type"].to_str().unwrap()), (StatusCode::OK, "text/plain"));
    for known in [vec![tag.as_str()], vec!["*"], vec!["\"other\"", &format!("\"x\", W/{tag}")]] {
        let again = ask(&known);
        assert_eq!((again.status(), &again.headers()["etag"]), (StatusCode::NOT_MODIFIED, &first.headers()["etag"]));
    }
    assert_eq!(ask(&["\"other\""]).status(), StatusCode::OK);
}
