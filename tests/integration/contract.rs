//! Checks responses against the OpenAPI document: the status is documented for the path and method, required headers
//! are present, and the body matches the schema exactly, without missing or additional fields.

use std::collections::HashMap;
use std::sync::Arc;

use jsonschema::Validator;
use parking_lot::Mutex;
use serde_json::{Value, json};

/// A response to check.
pub struct Seen<'a> {
    /// The method of the request.
    pub method: &'a str,
    /// The path of the request, without the query.
    pub path: &'a str,
    /// The status of the response.
    pub status: u16,
    /// The headers of the response, by name.
    pub header: &'a (dyn Fn(&str) -> Option<String> + Sync),
    /// The body of the response.
    pub body: &'a [u8],
}

/// A document to check responses against.
pub struct Contract {
    document: Value,
    /// Compiled schemas, by JSON pointer.
    compiled: Mutex<HashMap<String, Arc<Validator>>>,
}

/// The response for a path that the document does not have.
const NO_PATH: (u16, &str) = (404, "not_found");
/// The response for a method that the document does not have.
const NO_METHOD: (u16, &str) = (405, "method_not_allowed");
/// Errors that may occur at any path, before routing.
const UNSEEN: [(u16, &str); 8] = [
    (400, "host_invalid"),
    (400, "malformed_request"),
    (400, "tls_required"),
    (408, "request_timeout"),
    (414, "uri_too_long"),
    (429, "rate_limit_exceeded"),
    (431, "headers_too_large"),
    (503, "too_many_connections"),
];
/// Headers of every response, documented or not.
const ALWAYS: [&str; 4] = ["X-Request-Id", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"];

impl Contract {
    /// Creates a contract from this document. Clients ignore unknown fields and names; these checks don't.
    pub fn new(mut document: Value) -> Self {
        if let Some(schemas) = document.pointer_mut("/components/schemas").and_then(Value::as_object_mut) {
            for schema in schemas.values_mut() {
                if schema.get("properties").is_some() {
                    schema["additionalProperties"] = json!(false);
                } else if schema["anyOf"][0]["enum"].is_array() {
                    *schema = schema["anyOf"][0].take();
                }
            }
        }
        Self { document, compiled: Mutex::default() }
    }

    /// Checks a response against the document. Paths of the console and the operator's API are skipped because they are
    /// not in the document, and so is `OPTIONS`, which only browsers send.
    ///
    /// # Errors
    /// Returns what is wrong with the response.
    pub fn check(&self, seen: &Seen<'_>) -> Result<(), String> {
        if ["/console/", "/admin/"].iter().any(|p| seen.path.starts_with(p)) || seen.method == "OPTIONS" {
            return Ok(());
        }
        self.find_fault(seen).map_err(|fault| {
            let body: String = String::from_utf8_lossy(seen.body).chars().take(2000).collect();
            format!("{} {} answered {}, and {fault}\n{body}", seen.method, seen.path, seen.status)
        })
    }

    fn find_fault(&self, seen: &Seen<'_>) -> Result<(), String> {
        for name in ALWAYS {
            if (seen.header)(name).is_none() {
                return Err(format!("lacks the header {name}"));
            }
        }
        if UNSEEN.iter().any(|(status, code)| *status == seen.status && has_code(seen.body, code)) {
            return self.check_json("/components/schemas/Error", seen.body);
        }
        let Some(path) = self.path(seen.path) else { return self.check_refusal(seen, NO_PATH) };
        let method = if seen.method == "HEAD" { "get".into() } else { seen.method.to_lowercase() };
        let at = format!("/paths/{}/{method}", escaped(path));
        let Some(operation) = self.document.pointer(&at) else { return self.check_refusal(seen, NO_METHOD) };
        let Some(response) = operation["responses"].get(seen.status.to_string()) else {
            return Err(format!("{method} {path} has no such status in the document"));
        };
        let (response, at) = match response["$ref"].as_str() {
            Some(pointer) => (self.resolved(pointer), pointer.trim_start_matches('#').to_owned()),
            None => (response, format!("{at}/responses/{}", seen.status)),
        };
        self.check_headers(response, seen)?;
        if seen.method == "HEAD" {
            return Ok(());
        }
        let Some(content) = response.get("content").and_then(Value::as_object) else {
            return if seen.body.is_empty() { Ok(()) } else { Err("has a body, where the document has none".into()) };
        };
        let said = (seen.header)("content-type").unwrap_or_default();
        let Some(kind) = content.keys().find(|kind| **kind == said || said.split(';').next() == Some(kind.as_str()))
        else {
            return Err(format!("is {said:?}, which the document doesn't have"));
        };
        if (seen.header)("content-encoding").is_some() {
            return Ok(());
        }
        match content[kind].get("schema") {
            Some(_) if kind == "application/json" => {
                self.check_json(&format!("{at}/content/{}/schema", escaped(kind)), seen.body)?;
            }
            _ => return Ok(()),
        }
        // All errors share one schema; the examples list the codes.
        match content[kind].get("examples").and_then(Value::as_object) {
            Some(codes) if seen.status >= 400 && !codes.keys().any(|code| has_code(seen.body, code)) => {
                Err("its code is none that the document has for this".into())
            }
            _ => Ok(()),
        }
    }

    /// Returns the document's path template that matches a path: the one with the most literal segments.
    fn path(&self, path: &str) -> Option<&str> {
        let paths = self.document["paths"].as_object()?;
        // Under /api a trailing slash makes no difference.
        let path = path.strip_suffix('/').filter(|path| path.starts_with("/api/")).unwrap_or(path);
        let fitting = paths.keys().filter(|template| fits(template, path));
        fitting.min_by_key(|template| template.matches('{').count()).map(String::as_str)
    }

    fn resolved(&self, pointer: &str) -> &Value {
        let found = self.document.pointer(pointer.trim_start_matches('#'));
        found.unwrap_or_else(|| panic!("{pointer} leads nowhere"))
    }

    fn check_headers(&self, response: &Value, seen: &Seen<'_>) -> Result<(), String> {
        for (name, header) in response["headers"].as_object().into_iter().flatten() {
            let header = header["$ref"].as_str().map_or(header, |pointer| self.resolved(pointer));
            match (seen.header)(name) {
                None if header["required"] == true => return Err(format!("lacks the header {name}")),
                Some(value) if header["schema"]["type"] == "integer" && value.parse::<u64>().is_err() => {
                    return Err(format!("says {name}: {value}, which is no number"));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Checks the error for a path or method that the document does not have.
    fn check_refusal(&self, seen: &Seen<'_>, (status, code): (u16, &str)) -> Result<(), String> {
        if seen.status != status {
            return Err("the document has no such path and method".into());
        }
        if seen.method == "HEAD" {
            return Ok(());
        }
        self.check_json("/components/schemas/Error", seen.body)?;
        if has_code(seen.body, code) { Ok(()) } else { Err(format!("is not {code}")) }
    }

    /// Checks a body against the schema at this JSON pointer.
    fn check_json(&self, at: &str, body: &[u8]) -> Result<(), String> {
        let body: Value = serde_json::from_slice(body).map_err(|e| format!("is no JSON: {e}"))?;
        let faults: Vec<String> =
            self.compiled(at).iter_errors(&body).map(|e| format!("{} at {}", e, e.instance_path())).collect();
        if faults.is_empty() {
            Ok(())
        } else {
            Err(format!("its body is not what the document says: {}", faults.join("; ")))
        }
    }

    fn compiled(&self, at: &str) -> Arc<Validator> {
        let mut compiled = self.compiled.lock();
        let made = compiled.entry(at.to_owned()).or_insert_with(|| {
            // Builds a standalone schema document together with the components that it refers to.
            let mut schema = self.document.pointer(at).unwrap_or_else(|| panic!("{at} leads nowhere")).clone();
            schema["components"] = self.document["components"].clone();
            let options = jsonschema::draft202012::options().should_validate_formats(true);
            Arc::new(options.build(&schema).unwrap_or_else(|e| panic!("{at} is no schema: {e}")))
        });
        Arc::clone(made)
    }
}

/// Whether a body is an error with this code.
fn has_code(body: &[u8], code: &str) -> bool {
    serde_json::from_slice::<Value>(body).is_ok_and(|body| body["code"] == code)
}

/// Escapes a name for a JSON pointer (RFC 6901).
fn escaped(step: &str) -> String {
    step.replace('~', "~0").replace('/', "~1")
}

/// Whether a path matches a template. A file's key may contain slashes.
fn fits(template: &str, path: &str) -> bool {
    if let Some(files) = template.strip_suffix("{key}") {
        return path.strip_prefix(files).is_some_and(|key| !key.is_empty());
    }
    let (mut wanted, mut given) = (template.split('/'), path.split('/'));
    loop {
        match (wanted.next(), given.next()) {
            (None, None) => return true,
            (Some(w), Some(g)) if w == g || w.starts_with('{') && !g.is_empty() => {}
            _ => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contract() -> Contract {
        let thing = json!({"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Thing"}}},
            "headers": {"Location": {"required": true, "schema": {"type": "string"}},
                "X-RateLimit-Limit": {"$ref": "#/components/headers/Limit"}}});
        Contract::new(json!({
            "paths": {
                "/things/{id}": {"get": {"responses": {"200": thing, "404": {"$ref": "#/components/responses/404"}}}},
                "/things/new": {"post": {"responses": {"204": {}}}},
                "/files/{key}": {"get": {"responses": {"200": {"content": {"image/png": {}}}}}},
            },
            "components": {
                "headers": {"Limit": {"required": true, "schema": {"type": "integer"}}},
                "responses": {"404": {"content": {"application/json": {
                    "schema": {"$ref": "#/components/schemas/Error"}, "examples": {"thing_not_found": {}}}}}},
                "schemas": {
                    "Thing": {"type": "object", "required": ["id", "size"], "properties": {
                        "id": {"type": "string", "format": "uuid"}, "size": {"$ref": "#/components/schemas/Size"}}},
                    "Size": {"type": "object", "required": ["width"], "properties": {"width": {"type": "integer"}}},
                    "Error": {"type": "object", "required": ["code"], "properties": {"code": {"type": "string"}}},
                },
            },
        }))
    }

    fn check(method: &str, path: &str, status: u16, kind: &str, body: &Value, without: &str) -> Result<(), String> {
        let header = |name: &str| match name {
            _ if name.eq_ignore_ascii_case(without) => None,
            "content-type" => Some(kind.to_owned()),
            "content-encoding" => None,
            _ => Some("7".to_owned()),
        };
        let body = if body.is_null() { Vec::new() } else { body.to_string().into_bytes() };
        contract().check(&Seen { method, path, status, header: &header, body: &body })
    }

    const JSON: &str = "application/json";

    fn thing() -> Value {
        json!({"id": "0198c0de-0000-7000-8000-000000000000", "size": {"width": 7}})
    }

    #[test]
    fn what_is_documented_passes() {
        check("GET", "/things/1", 200, JSON, &thing(), "").unwrap();
        check("GET", "/things/1", 200, "application/json; charset=utf-8", &thing(), "").unwrap();
        check("HEAD", "/things/1", 200, JSON, &Value::Null, "").unwrap();
        check("GET", "/things/1", 404, JSON, &json!({"code": "thing_not_found"}), "").unwrap();
        check("POST", "/things/new", 204, "", &Value::Null, "").unwrap();
        check("GET", "/files/a/b.png", 200, "image/png", &json!("bytes"), "").unwrap();
        check("GET", "/nowhere", 404, JSON, &json!({"code": "not_found"}), "").unwrap();
        check("GET", "/things/new", 405, JSON, &json!({"code": "method_not_allowed"}), "").unwrap();
    }

    #[test]
    fn what_is_broken_is_refused() {
        let refused = |method: &str, path: &str, status: u16, kind: &str, body: &Value, without: &str, why: &str| {
            let fault = check(method, path, status, kind, body, without).unwrap_err();
            assert!(fault.contains(why), "{fault}");
        };
        let broken = |change: &dyn Fn(&mut Value)| {
            let mut thing = thing();
            change(&mut thing);
            thing
        };
        let get = |body: &Value, why: &str| refused("GET", "/things/1", 200, JSON, body, "", why);
        get(&broken(&|t| t["size"] = Value::Null), "null is not of type");
        get(&broken(&|t| t["size"]["width"] = json!("7")), "is not of type \"integer\" at /size/width");
        get(&broken(&|t| t["id"] = json!("7")), "uuid");
        get(&broken(&|t| t["more"] = json!(1)), "'more' was unexpected");
        get(&broken(&|t| t["size"]["more"] = json!(1)), "'more' was unexpected");
        get(&broken(&|t| _ = t["size"].as_object_mut().unwrap().remove("width")), "\"width\" is a required property");
        get(&Value::Null, "is no JSON");
        refused("GET", "/things/1", 201, JSON, &thing(), "", "no such status");
        refused("GET", "/things/1", 200, "text/plain", &thing(), "", "which the document doesn't have");
        refused("GET", "/things/1", 200, JSON, &thing(), "location", "lacks the header Location");
        refused("GET", "/things/1", 200, JSON, &thing(), "x-request-id", "lacks the header X-Request-Id");
        refused("GET", "/things/1", 404, JSON, &json!({"code": "not_found"}), "", "its code is none");
        refused("POST", "/things/new", 204, JSON, &thing(), "", "has a body");
        refused("GET", "/nowhere", 200, JSON, &thing(), "", "no such path");
        refused("GET", "/nowhere", 404, JSON, &json!({"code": "other"}), "", "is not not_found");
        refused("PATCH", "/things/1", 200, JSON, &thing(), "", "no such path and method");
    }
}
