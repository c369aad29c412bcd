//! Invalid input of every kind in JSON, headers and ids, over both HTTP versions. Each request gets an error in the
//! contract's format with the right code, and nothing is stored or charged.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Value, json};

use super::{UNHURRIED, fresh};
use crate::service::{Answer, Client, id};
use crate::wire::{Http2, Said, parse};

/// A request and the expected response.
struct Case {
    what: String,
    said: Said,
    status: u16,
    error: &'static str,
    code: &'static str,
    /// A code that must be among `details`.
    detail: Option<&'static str>,
}

fn case(what: impl Into<String>, said: Said, (status, error, code): (u16, &'static str, &'static str)) -> Case {
    Case { what: what.into(), said, status, error, code, detail: None }
}

type Kind = (u16, &'static str, &'static str);

const INVALID_JSON: Kind = (400, "invalid_request", "invalid_json");
const INVALID: Kind = (400, "invalid_request", "validation_failed");
const MEDIA_TYPE: Kind = (415, "invalid_request", "unsupported_media_type");
const TOO_LARGE: Kind = (413, "invalid_request", "body_too_large");
const MALFORMED: Kind = (400, "invalid_request", "malformed_request");
const HEADERS: Kind = (431, "invalid_request", "headers_too_large");
const URI: Kind = (414, "invalid_request", "uri_too_long");
const KEY_MISSING: Kind = (401, "authentication_error", "api_key_missing");
const KEY_INVALID: Kind = (401, "authentication_error", "api_key_invalid");
const NOT_FOUND: Kind = (404, "not_found", "not_found");
const METHOD: Kind = (405, "method_not_allowed", "method_not_allowed");

/// Every path with its methods. `{id}` stands for an id.
const PATHS: [(&str, &[&str]); 26] = [
    ("/api/generations", &["GET", "HEAD", "POST"]),
    ("/api/generations/{id}", &["GET", "HEAD", "PATCH", "DELETE"]),
    ("/api/generations/{id}/cancel", &["POST"]),
    ("/api/generations/{id}/retry", &["POST"]),
    ("/api/generations/{id}/events", &["GET", "HEAD"]),
    ("/api/generations/{id}/deliveries", &["GET", "HEAD"]),
    ("/api/webhooks", &["GET", "HEAD", "POST"]),
    ("/api/generations/{id}/export", &["GET", "HEAD"]),
    ("/api/generations/{id}/localize", &["POST"]),
    ("/api/generations/{id}/variations", &["POST"]),
    ("/api/images/variation-mcp", &["POST"]),
    ("/api/webhooks/{id}", &["GET", "HEAD", "PATCH", "DELETE"]),
    ("/api/webhooks/{id}/test", &["POST"]),
    ("/api/webhooks/{id}/secret/rotate", &["POST"]),
    ("/api/webhooks/{id}/deliveries", &["GET", "HEAD"]),
    ("/api/webhooks/secret", &["GET", "HEAD"]),
    ("/api/webhooks/secret/rotate", &["POST"]),
    ("/api/credits/ledger", &["GET", "HEAD"]),
    ("/api/generations/estimate", &["POST"]),
    ("/api/uploads", &["POST"]),
    ("/api/brands", &["GET", "HEAD", "POST"]),
    ("/api/brands/{id}", &["GET", "HEAD", "PUT", "DELETE"]),
    ("/api/brands/{id}/logo", &["PUT"]),
    ("/api/fonts", &["GET", "HEAD"]),
    ("/api/credits/balance", &["GET", "HEAD"]),
    ("/api/idea-mode/formats", &["GET", "HEAD"]),
];

/// Slightly more than one mebibyte.
const OVER: usize = (1 << 20) + 1;
const UNKNOWN: &str = "01980000-0000-7000-8000-000000000000";

fn text() -> Value {
    json!({"inputType": "text", "inputContent": "Cool the room to 18 °C.", "outputFormats": ["ad_mpu"]})
}

/// Bodies that are not JSON, or have an unsupported type.
fn bodies(method: &str, path: &str) -> Vec<Case> {
    let said = || Said::new(method, path);
    let whole = json!({"name": "x", "inputType": "text"}).to_string();
    let deep = |n: usize| format!("{}1{}", "{\"a\":".repeat(n), "}".repeat(n));
    let broken: Vec<(&str, Vec<u8>)> = vec![
        ("nothing", b"".to_vec()),
        ("truncated", whole.as_bytes()[..whole.len() - 2].to_vec()),
        ("a byte order mark", [b"\xef\xbb\xbf", whole.as_bytes()].concat()),
        ("invalid UTF-8", b"{\"name\": \"\xff\xfe\"}".to_vec()),
        ("not a number", b"{\"name\": NaN}".to_vec()),
        ("a number without end", b"{\"name\": 1e999}".to_vec()),
        ("a lone surrogate", b"{\"name\": \"\\ud800\"}".to_vec()),
        ("a depth of 129", deep(129).into_bytes()),
        ("a depth of 100,000", deep(100_000).into_bytes()),
        ("a key twice", b"{\"name\": \"x\", \"name\": \"y\"}".to_vec()),
        ("a key twice within", b"{\"name\": {\"a\": 1, \"a\": 1}}".to_vec()),
        ("an array at the root", b"[]".to_vec()),
        ("null", b"null".to_vec()),
        ("a string", whole.replace('"', "'").into_bytes()),
        ("two objects", format!("{whole}{whole}").into_bytes()),
        ("a zero byte", b"{\"name\": \"\0\"}".to_vec()),
    ];
    let mut cases: Vec<_> =
        broken.into_iter().map(|(what, body)| case(what, said().json(body), INVALID_JSON)).collect();
    let large = || said().json(vec![b' '; OVER]);
    cases.push(case("over 1 MiB", large(), TOO_LARGE));
    cases.push(case("over 1 MiB in chunks", Said { chunked: true, ..large() }, TOO_LARGE));
    cases.push(case("far over 1 MiB in chunks", Said { chunked: true, ..said().json(vec![b' '; 8 << 20]) }, TOO_LARGE));
    cases.push(case("no type", said().body(whole.clone()), MEDIA_TYPE));
    for kind in [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/json; charset=latin1",
        "json",
    ] {
        cases.push(case(kind, said().header("content-type", kind).body(whole.clone()), MEDIA_TYPE));
    }
    // "{}" compressed with gzip.
    let gzip = b"\x1f\x8b\x08\0\0\0\0\0\0\x03\xab\xae\x05\0\x43\xbf\xa6\xa3\x02\0\0\0";
    cases.push(case("gzip", said().header("content-encoding", "gzip").json(gzip.as_slice()), MEDIA_TYPE));
    for case in &mut cases {
        case.what = format!("{method} {path}: {}", case.what);
    }
    cases
}

/// Invalid fields of a creation.
fn fields() -> Vec<Case> {
    let with = |field: &str, value: Value| {
        let mut request = text();
        request[field] = value;
        request
    };
    let counts = |n: Value| {
        let mut request = with("outputFormats", json!(["linkedin_carousel"]));
        request["carouselCounts"] = json!({"linkedin_carousel": n});
        request
    };
    let many: Vec<String> = (0..10_000).map(|n| format!("f{n}")).collect();
    let mut cases: Vec<(Value, &str)> = vec![
        (json!({}), "missing_field"),
        (with("inputContent", json!("a\u{0}b")), "invalid_characters"),
        (with("inputContent", json!("a\u{1b}[2Jb")), "invalid_characters"),
        (with("inputContent", json!("")), "content_empty"),
        (with("inputContent", json!(" \n\t\u{a0} ")), "content_empty"),
        (with("inputContent", json!("a".repeat(200_001))), "content_too_long"),
        (with("outputFormats", json!([])), "invalid_value"),
        (with("outputFormats", json!(many)), "invalid_value"),
        (with("outputFormats", json!(["Ad_Mpu"])), "unknown_format"),
        (with("outputFormats", json!([7])), "invalid_value"),
        (counts(json!(0)), "carousel_count_out_of_range"),
        (counts(json!(-1)), "carousel_count_out_of_range"),
        (counts(json!(21)), "carousel_count_out_of_range"),
        (counts(json!(1_000_000_000)), "carousel_count_out_of_range"),
        (counts(json!(1.5)), "invalid_value"),
        (counts(json!("3")), "invalid_value"),
        (with("language", json!("xx-invalid-language")), "unknown_language"),
    ];
    for field in
        ["inputType", "inputContent", "outputFormats", "carouselCounts", "brandId", "visualStyle", "resolution"]
    {
        for wrong in [json!(7), json!(true), json!({"a": ["b"]}), json!([[]])] {
            // carouselCounts is an object itself, so there the fault is in its entries.
            if !(field == "carouselCounts" && wrong.is_object()) {
                cases.push((with(field, wrong), "invalid_value"));
            }
        }
    }
    let post = |path: &'static str| {
        cases.iter().map(move |(body, detail)| Case {
            what: format!("POST {path}: {detail} of {:.60}", body.to_string()),
            said: Said::new("POST", path).json(body.to_string()),
            status: 400,
            error: INVALID.1,
            code: INVALID.2,
            detail: Some(detail),
        })
    };
    post("/api/generations").chain(post("/api/generations/estimate")).collect()
}

/// Invalid ids, at every path that has one.
fn ids(deleted: &str) -> Vec<Case> {
    let mut cases = Vec::new();
    let long = "a".repeat(10_000);
    // Without a language model, a translation is rejected whatever its id.
    let known = |path: &str| path.contains("{id}") && !path.ends_with("localize");
    for (path, methods) in PATHS.iter().filter(|(path, _)| known(path)) {
        let code = match path.split('/').nth(2) {
            Some("brands") => "brand_not_found",
            Some("webhooks") => "webhook_not_found",
            _ => "generation_not_found",
        };
        for bad in [UNKNOWN, deleted, "7", "..%2f", "..%2f..%2fhealthz", "%00", "%ff", "%2e%2e", "null", "a'--", &long]
        {
            for method in methods.iter().filter(|m| **m != "HEAD") {
                // Operations with a body check the body first.
                let query = if path.ends_with("export") { "?format=pdf" } else { "" };
                let said = Said::new(method, &format!("{}{query}", path.replace("{id}", bad)));
                let said = match (*method, path.rsplit('/').next()) {
                    ("PUT", Some("logo")) => said.body("x"),
                    ("PUT", _) => said.json(r#"{"name": "x"}"#),
                    ("PATCH", _) => said.json(r#"{"title": "x"}"#),
                    (_, Some("variations")) => said.json(r#"{"count": 1}"#),
                    _ => said,
                };
                cases.push(case(format!("{method} {path} with {bad:.20}"), said, (404, "not_found", code)));
            }
        }
    }
    for path in [
        "/api",
        "/api/",
        "/api/nothing",
        "/api/generations//",
        "/api//generations",
        "/api/brands/x/y/z",
        "/nothing",
        "/api/generations/../credits/balance",
        "/api/./brands",
    ] {
        cases.push(case(path, Said::new("GET", path), NOT_FOUND));
    }
    let forged = (403, "permission_error", "signature_invalid");
    for path in ["/files/nothing", "/files/..%2f..%2fstate", "/files/%00?expires=1&signature=00", "/files/a?expires=x"]
    {
        cases.push(case(path, Said::new("GET", path), forged));
    }
    cases
}

/// Methods that no path supports.
fn methods() -> Vec<Case> {
    let mut cases = Vec::new();
    for (path, methods) in PATHS {
        let path = path.replace("{id}", UNKNOWN);
        for method in ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW"] {
            if !methods.contains(&method) {
                cases.push(case(format!("{method} {path}"), Said::new(method, &path), METHOD));
            }
        }
    }
    cases
}

/// Invalid headers, except for keys.
fn headers() -> Vec<Case> {
    let get = || Said::new("GET", "/api/brands");
    let many = |n: usize| (0..n).fold(get(), |said, n| said.header(&format!("x-filler-{n}"), "1"));
    let idempotent =
        |key: &[u8]| Said::new("POST", "/api/generations").header("idempotency-key", key).json(text().to_string());
    vec![
        case("101 headers", many(101), HEADERS),
        case("500 headers", many(500), HEADERS),
        case("a path of 17,000 bytes", Said::new("GET", &format!("/api/brands/{}", "a".repeat(17_000))), URI),
        case("a query of 17,000 bytes", Said::new("GET", &format!("/api/brands?{}", "a".repeat(17_000))), URI),
        case("an empty idempotency key", idempotent(b""), INVALID),
        case("one of 256 characters", idempotent(&[b'k'; 256]), INVALID),
        case("one with a space", idempotent(b"a b"), INVALID),
        case("one that isn't ASCII", idempotent("schlüssel".as_bytes()), INVALID),
    ]
}

/// Invalid keys, and keys in wrong places.
fn keys(key: &str) -> Vec<Case> {
    let mut typo = key.to_owned().into_bytes();
    typo[10] = if typo[10] == b'a' { b'b' } else { b'a' };
    let typo = String::from_utf8(typo).unwrap();
    let get = || Said::new("GET", "/api/brands");
    let with = |value: &str| get().header("x-api-key", value);
    let mut cases = vec![
        case("no key", get(), KEY_MISSING),
        case("an empty key", with(""), KEY_MISSING),
        case(
            "a key in the query",
            Said::new("GET", &format!("/api/brands?X-API-Key={key}&api_key={key}")),
            KEY_MISSING,
        ),
        case("a key elsewhere", get().header("authorization", format!("Basic {key}")), KEY_MISSING),
        case(
            "a bearer token with a typing error",
            get().header("authorization", format!("Bearer {typo}")),
            KEY_INVALID,
        ),
        case("a key as a cookie", get().header("cookie", format!("X-API-Key={key}")), KEY_MISSING),
        case("a typing error", with(&typo), KEY_INVALID),
        case("a short key", with(&key[..key.len() - 1]), KEY_INVALID),
        case("a long key", with(&format!("{key}x")), KEY_INVALID),
        case("a beginning", with("vd_"), KEY_INVALID),
        case("another kind", with("sk-nonsense"), KEY_INVALID),
        case("two keys in one", with(&format!("{key}, {key}")), KEY_INVALID),
        case("two keys", with(key).header("x-api-key", key), KEY_INVALID),
        case("one that isn't ASCII", with("vd_ключ"), KEY_INVALID),
        case("a large one", with(&"k".repeat(10_000)), KEY_INVALID),
    ];
    for (path, methods) in PATHS {
        for method in methods.iter().filter(|m| **m != "HEAD") {
            let said = Said::new(method, &path.replace("{id}", UNKNOWN)).json("{");
            cases.push(case(format!("{method} {path} without a key"), said, KEY_MISSING));
        }
    }
    cases
}

/// Invalid HTTP/1.1 requests, as bytes.
fn heads() -> Vec<(&'static str, Vec<u8>, Kind)> {
    let head = |first: &str, rest: &str| format!("{first}\r\nHost: x\r\n{rest}\r\n").into_bytes();
    let get = |rest: &str| head("GET /api/brands HTTP/1.1", rest);
    vec![
        ("no request", b"hello\r\n\r\n".to_vec(), MALFORMED),
        ("a zero byte in the path", head("GET /api/generations/\0 HTTP/1.1", ""), MALFORMED),
        ("a space in the path", head("GET /api/generations/a b HTTP/1.1", ""), MALFORMED),
        ("another version", head("GET /api/brands HTTP/3.0", ""), MALFORMED),
        ("a header without a colon", get("nonsense\r\n"), MALFORMED),
        ("a space in a header's name", get("X Y: 1\r\n"), MALFORMED),
        ("a zero byte in a header", get("X-Y: a\0b\r\n"), MALFORMED),
        ("two lengths", get("Content-Length: 1\r\nContent-Length: 2\r\n"), MALFORMED),
        ("a length that is none", get("Content-Length: -1\r\n"), MALFORMED),
        ("a path of 70,000 bytes", head(&format!("GET /api/{} HTTP/1.1", "a".repeat(70_000)), ""), URI),
        ("a header of 70,000 bytes", get(&format!("X-Y: {}\r\n", "a".repeat(70_000))), HEADERS),
        ("2,000 headers", get(&"X-Y: 1\r\n".repeat(2000)), HEADERS),
    ]
}

/// Asserts that the response is as expected.
fn check(answer: &Answer, case: &Case, over: &str) {
    let what = format!("{} over {over}", case.what);
    let told = String::from_utf8_lossy(&answer.body[..answer.body.len().min(500)]);
    assert_eq!(answer.status, case.status, "{what}: {told}");
    assert_eq!(answer.error(case.status, case.error), case.code, "{what}");
    let body = answer.json();
    let codes: Vec<_> = body["details"].as_array().into_iter().flatten().filter_map(|d| d["code"].as_str()).collect();
    assert!(case.detail.is_none_or(|c| codes.contains(&c)), "{what}: {codes:?}");
    assert_eq!(answer.header("allow").is_empty(), case.status != 405, "{what}");
}

/// Returns the account's data, and the files in the object store.
async fn standing(client: &Client, data: &Path) -> (Vec<Value>, BTreeSet<String>) {
    let mut has = Vec::new();
    for path in ["/api/generations", "/api/brands", "/api/fonts", "/api/credits/balance", "/api/webhooks"] {
        has.push(client.get(path).await.json());
    }
    let mut folders = vec![data.join("store")];
    let mut files = BTreeSet::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() { folders.push(path) } else { _ = files.insert(path.display().to_string()) }
        }
    }
    (has, files)
}

#[tokio::test]
async fn bad_requests_are_told_so_and_leave_nothing_behind() {
    let (data, service, client) = fresh(&UNHURRIED);
    let key = service.key.clone().unwrap();
    let brand = async || client.post("/api/brands", &json!({"name": "Kept"})).await.json()["brand"].take();
    let (kept, deleted) = (brand().await, brand().await);
    let gone = client.send(client.request("DELETE", &format!("/api/brands/{}", id(&deleted)))).await.unwrap();
    assert_eq!(gone.status, 204);
    let before = standing(&client, data.path()).await;

    let own = format!("/api/brands/{}", id(&kept));
    let mut cases: Vec<Case> = Vec::new();
    for path in ["/api/generations", "/api/generations/estimate", "/api/brands", "/api/webhooks"] {
        cases.extend(bodies("POST", path));
    }
    cases.extend(bodies("PUT", &own));
    cases.extend(fields());
    cases.extend(ids(id(&deleted)));
    cases.extend(methods());
    cases.extend(headers());
    for case in &mut cases {
        case.said = case.said.clone().header("x-api-key", key.as_str());
    }
    cases.extend(keys(&key));
    assert!(cases.len() > 300, "{}", cases.len());

    let connection = Http2::connect(service.address()).await;
    for case in &cases {
        check(&case.said.over_http1(service.address()), case, "HTTP/1.1");
        if let Some(answer) = case.said.over_http2(&connection).await {
            check(&answer, case, "HTTP/2");
        }
    }
    for (what, bytes, kind) in heads() {
        let answer = parse(&crate::service::exchange_bytes(service.address(), &bytes).unwrap());
        check(&answer, &case(what, Said::new("", ""), kind), "bytes");
        assert_eq!(answer.header("connection"), "close", "{what}");
    }
    assert_eq!(standing(&client, data.path()).await, before, "nothing is stored or charged");
    assert_eq!(before.0[3]["balance"], 10_000);
}

#[tokio::test]
async fn what_forwards_is_believed_of_proxies_alone() {
    let limits = ["--rate-get", "3", "--rate-generate", "9", "--rate-other", "9"];
    let (_data, service, _client) = fresh(&limits);
    let from = |n: u32| {
        let said = Said::new("GET", "/api/brands").header("x-forwarded-for", format!("192.0.2.{n}"));
        said.header("forwarded", format!("for=192.0.2.{n}")).header("x-real-ip", format!("192.0.2.{n}"))
    };
    let statuses: Vec<_> = (0..5).map(|n| from(n).over_http1(service.address()).status).collect();
    assert_eq!(statuses, [401, 401, 401, 429, 429], "one client, whoever it says it is");

    drop(service);

    // Forwarding headers of clients don't influence the URLs in responses.
    let (_data, service, client) = fresh(&UNHURRIED);
    let made = client.completed(&text()).await;
    let said = Said::new("GET", &format!("/api/generations/{}", id(&made)))
        .header("x-api-key", service.key.clone().unwrap())
        .header("x-forwarded-host", "evil.example")
        .header("x-forwarded-proto", "https")
        .header("forwarded", "host=evil.example;proto=https");
    let shown = said.over_http1(service.address()).json();
    let url = shown["generation"]["outputs"][0]["imageUrl"].as_str().unwrap();
    assert!(url.starts_with(&service.base), "{url}");
    assert!(!shown.to_string().contains("evil.example"));
}
