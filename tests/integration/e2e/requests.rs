//! Tests of the contract: which requests are rejected and how, and which are accepted with which warnings.

use std::collections::HashSet;

use serde_json::{Value, json};

use super::{UNHURRIED, codes, fresh};
use crate::service::{Answer, exchange, id};

fn text() -> Value {
    json!({"inputType": "text", "inputContent": "Cool the room to 18 °C.", "outputFormats": ["ad_mpu"]})
}

/// Returns the text request with one field set.
fn with(field: &str, value: Value) -> Value {
    let mut request = text();
    request[field] = value;
    request
}

/// Returns the details of a rejected request as (field, code).
fn faults(answer: &Answer) -> HashSet<(String, String)> {
    assert_eq!(answer.error(400, "invalid_request"), "validation_failed");
    let body = answer.json();
    let of = |d: &Value, name: &str| d[name].as_str().unwrap().to_owned();
    body["details"].as_array().unwrap().iter().map(|d| (of(d, "field"), of(d, "code"))).collect()
}

#[tokio::test]
async fn every_fault_of_a_body_is_told_at_once() {
    let (_data, _service, client) = fresh(&UNHURRIED);
    let wrong = json!({
        "inputType": "text", "inputContent": " \n ", "outputFormats": ["instagram_post", "nope", "linkedin_carousel"],
        "visualStyle": "loud", "language": "klingonese", "resolution": "8K", "seed": "x", "imageFormat": "gif",
        "brandId": "none", "carouselCounts": {"linkedin_carousel": 0},
    });
    let told = faults(&client.post("/api/generations", &wrong).await);
    let codes: HashSet<_> = told.iter().map(|(_, code)| code.as_str()).collect();
    for code in ["content_empty", "unknown_format", "carousel_count_out_of_range", "invalid_value", "unknown_language"]
    {
        assert!(codes.contains(code), "{code} is missing in {told:?}");
    }
    let fields: HashSet<_> = told.iter().map(|(f, _)| f.split(['.', '[']).next().unwrap_or("")).collect();
    for field in ["inputContent", "outputFormats", "carouselCounts", "visualStyle", "language", "resolution", "seed"] {
        assert!(fields.contains(field), "{field} is missing in {told:?}");
    }
}

#[tokio::test]
async fn each_fault_has_its_code() {
    let (_data, _service, client) = fresh(&UNHURRIED);
    let counts = |n: Value| {
        let mut request = with("outputFormats", json!(["linkedin_carousel"]));
        request["carouselCounts"] = json!({"linkedin_carousel": n});
        request
    };
    let cases = [
        (json!({}), "missing_field"),
        (with("inputContent", json!("a\u{0}b")), "invalid_characters"),
        (with("inputContent", json!("a".repeat(200_001))), "content_too_long"),
        (with("inputContent", json!(7)), "invalid_value"),
        (with("outputFormats", json!([])), "invalid_value"),
        (with("outputFormats", json!("ad_mpu")), "invalid_value"),
        (with("outputFormats", json!(["Ad_Mpu"])), "unknown_format"),
        (counts(json!(0)), "carousel_count_out_of_range"),
        (counts(json!(-1)), "carousel_count_out_of_range"),
        (counts(json!(21)), "carousel_count_out_of_range"),
        (counts(json!(1_000_000_000)), "carousel_count_out_of_range"),
        (counts(json!(1.5)), "invalid_value"),
        (counts(json!("3")), "invalid_value"),
        (with("language", json!("xx-invalid-language")), "unknown_language"),
    ];
    for (request, code) in cases {
        let told = faults(&client.post("/api/generations", &request).await);
        assert!(told.iter().any(|(_, c)| c == code), "{code} is missing in {told:?}");
    }
    assert_eq!(client.get("/api/credits/balance").await.json()["balance"], 10_000, "refused requests cost nothing");
}

#[tokio::test]
async fn bodies_that_are_no_json_are_told_apart() {
    let (_data, _service, client) = fresh(&UNHURRIED);
    let post = |kind: &str, body: Vec<u8>| {
        client.request("POST", "/api/generations").header("content-type", kind.to_owned()).body(body)
    };
    let whole = text().to_string();
    let deep = format!("{}{}", "[".repeat(200), "]".repeat(200));
    let broken: [Vec<u8>; 9] = [
        whole.as_bytes()[..whole.len() - 3].to_vec(),
        b"".to_vec(),
        b"[]".to_vec(),
        b"null".to_vec(),
        b"{\"inputType\": NaN}".to_vec(),
        b"{\"inputContent\": \"\xff\xfe\"}".to_vec(),
        b"{\"inputContent\": \"\\ud800\"}".to_vec(),
        deep.into_bytes(),
        format!("{whole}{whole}").into_bytes(),
    ];
    for body in broken {
        let shown = String::from_utf8_lossy(&body).into_owned();
        let answer = client.send(post("application/json", body)).await.unwrap();
        let code = answer.error(400, "invalid_request");
        assert!(["invalid_json", "validation_failed"].contains(&code.as_str()), "{code} for {shown:.80}");
    }
    for kind in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"] {
        let answer = client.send(post(kind, whole.clone().into_bytes())).await.unwrap();
        assert_eq!(answer.error(415, "invalid_request"), "unsupported_media_type");
    }
    let answer = client.send(post("application/json; charset=utf-8", whole.into_bytes())).await.unwrap();
    assert_eq!(answer.status, 202);
}

#[tokio::test]
async fn too_large_is_said_whether_or_not_the_size_was_told() {
    let (_data, service, client) = fresh(&UNHURRIED);
    let huge = with("inputContent", json!("a".repeat(2 << 20)));
    let answer = client.post("/api/generations", &huge).await;
    assert_eq!(answer.error(413, "invalid_request"), "body_too_large");

    let key = service.key.as_deref().unwrap();
    let mut chunked = format!(
        "POST /api/generations HTTP/1.1\r\nHost: x\r\nX-API-Key: {key}\r\nContent-Type: application/json\r\n\
         Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
    )
    .into_bytes();
    for _ in 0..40 {
        chunked.extend_from_slice(b"10000\r\n");
        chunked.extend_from_slice(&[b' '; 0x10000]);
        chunked.extend_from_slice(b"\r\n");
    }
    chunked.extend_from_slice(b"0\r\n\r\n");
    let answer = exchange(service.address(), &chunked).unwrap();
    assert!(answer.starts_with("HTTP/1.1 413"), "{answer:.300}");
    assert!(answer.contains("\"body_too_large\""), "{answer:.300}");
}

#[tokio::test]
async fn headers_and_paths_beyond_reason_are_answered_in_shape() {
    let (_data, service, _client) = fresh(&UNHURRIED);
    let get = |path: &str, headers: &str| {
        exchange(
            service.address(),
            format!("GET {path} HTTP/1.1\r\nHost: x\r\n{headers}Connection: close\r\n\r\n").as_bytes(),
        )
        .unwrap()
    };
    let many: String = (0..150).map(|n| format!("X-Filler-{n}: {n}\r\n")).collect();
    let answer = get("/api/brands", &many);
    assert!(answer.starts_with("HTTP/1.1 431"), "{answer:.300}");
    assert!(answer.contains("\"headers_too_large\""), "{answer:.600}");
    let answer = get(&format!("/api/generations/{}", "a".repeat(20_000)), "");
    assert!(answer.starts_with("HTTP/1.1 414"), "{answer:.300}");
    assert!(answer.contains("\"uri_too_long\""), "{answer:.600}");
}

#[tokio::test]
async fn paths_and_methods_that_are_none_are_told_apart() {
    let (_data, _service, client) = fresh(&UNHURRIED);
    assert_eq!(client.get("/api/nothing").await.error(404, "not_found"), "not_found");
    assert_eq!(client.get("/files/nothing").await.status / 100, 4);
    let unknown = "01980000-0000-7000-8000-000000000000";
    for id in [unknown, "7", "..%2fbrands", "%00", &"a".repeat(2000)] {
        let answer = client.get(&format!("/api/generations/{id}")).await;
        assert_eq!(answer.error(404, "not_found"), "generation_not_found", "{id:.40}");
    }
    for (method, path) in [("PUT", "/api/generations"), ("PATCH", "/api/brands"), ("DELETE", "/api/credits/balance")] {
        let answer = client.send(client.request(method, path)).await.unwrap();
        assert_eq!(answer.error(405, "method_not_allowed"), "method_not_allowed");
        assert!(!answer.header("allow").is_empty());
    }
}

#[tokio::test]
async fn unknown_fields_and_idle_counts_are_warnings() {
    let (_data, _service, client) = fresh(&UNHURRIED);
    let mut request = with("visualStlye", json!("dark"));
    request["carouselCounts"] = json!({"linkedin_carousel": 4});
    let generation = client.create(&request).await;
    let warnings = &generation["warnings"];
    assert!(codes(warnings).contains(&"unknown_field"), "{warnings:#}");
    assert!(codes(warnings).contains(&"count_ignored"), "{warnings:#}");
    assert!(warnings.to_string().contains("visualStyle"), "it names the field that was meant: {warnings:#}");
    let finished = client.finished(id(&generation)).await;
    assert!(codes(&finished["warnings"]).contains(&"unknown_field"), "warnings stay: {finished:#}");
}

#[tokio::test]
async fn a_key_for_a_request_makes_it_once() {
    let (_data, _service, client) = fresh(&UNHURRIED);
    let post = |body: Value, key: &str| {
        client.request("POST", "/api/generations").header("Idempotency-Key", key.to_owned()).json(&body)
    };
    let first = client.send(post(text(), "one")).await.unwrap();
    let again = client.send(post(text(), "one")).await.unwrap();
    assert_eq!((first.status, again.status), (202, 202));
    assert_eq!(first.header("idempotent-replayed"), "");
    assert_eq!(again.header("idempotent-replayed"), "true");
    assert_eq!(first.json()["generation"]["id"], again.json()["generation"]["id"]);
    let other = client.send(post(with("seed", json!(3)), "one")).await.unwrap();
    assert_eq!(other.error(409, "conflict"), "idempotency_conflict");
    let answer = client.send(post(text(), "two")).await.unwrap();
    assert_ne!(answer.json()["generation"]["id"], first.json()["generation"]["id"]);
    assert_eq!(client.send(post(text(), &"k".repeat(256))).await.unwrap().status, 400);

    let running: Vec<_> = (0..20)
        .map(|_| {
            let (client, request) = (client.clone(), post(text(), "three"));
            tokio::spawn(async move { client.send(request).await.unwrap() })
        })
        .collect();
    let mut together = Vec::new();
    for request in running {
        together.push(request.await.unwrap());
    }
    let made: HashSet<_> =
        together.iter().filter(|a| a.status == 202).map(|a| a.json()["generation"]["id"].to_string()).collect();
    assert_eq!(made.len(), 1, "one key, one generation");
    assert!(together.iter().all(|a| a.status == 202 || a.error(409, "conflict") == "idempotency_in_progress"));
    assert_eq!(client.get("/api/generations").await.json()["generations"].as_array().unwrap().len(), 3);
}

#[tokio::test]
async fn lists_turn_pages_and_filter() {
    let (_data, _service, client) = fresh(&UNHURRIED);
    let mut made = Vec::new();
    for n in 0..5 {
        made.push(id(&client.completed(&with("title", json!(format!("Number {n}")))).await).to_owned());
    }
    made.reverse();
    let ids = |page: &Value| -> Vec<String> {
        page["generations"].as_array().unwrap().iter().map(|g| id(g).to_owned()).collect()
    };
    let first = client.get("/api/generations?limit=2").await.json();
    assert_eq!(ids(&first), made[..2]);
    assert_eq!(first["pagination"]["limit"], 2);
    assert_eq!(first["pagination"]["hasMore"], true);
    let cursor = first["pagination"]["nextCursor"].as_str().unwrap();
    let rest = client.get(&format!("/api/generations?limit=3&cursor={cursor}")).await.json();
    assert_eq!(ids(&rest), made[2..]);
    assert_eq!(rest["pagination"]["hasMore"], false);
    assert_eq!(rest["pagination"]["nextCursor"], Value::Null);

    assert_eq!(ids(&client.get("/api/generations?status=completed").await.json()).len(), 5);
    assert_eq!(ids(&client.get("/api/generations?status=failed").await.json()).len(), 0);
    assert_eq!(ids(&client.get("/api/generations?q=number%203").await.json()), made[1..2]);
    let before = client.get("/api/generations?createdBefore=2001-01-01T00:00:00Z").await.json();
    assert_eq!(ids(&before).len(), 0);

    assert_eq!(client.get("/api/generations?cursor=nonsense").await.error(400, "invalid_request"), "invalid_cursor");
    for query in ["limit=0", "limit=101", "limit=x", "status=done", "createdAfter=yesterday"] {
        client.get(&format!("/api/generations?{query}")).await.error(400, "invalid_request");
    }
}

#[tokio::test]
async fn the_catalogue_is_served_with_and_without_a_key() {
    let (_data, _service, client) = fresh(&UNHURRIED);
    let formats = client.get("/api/idea-mode/formats").await.json();
    let listed = formats["formats"].as_array().unwrap();
    assert_eq!(formats["count"], render_core::Format::all().len());
    assert_eq!(formats["count"], listed.len());
    for (shown, format) in listed.iter().zip(render_core::Format::all()) {
        assert_eq!(shown["id"], format.id.as_str());
        assert_eq!(shown["isCarousel"], format.carousel);
        assert_eq!(shown["is_carousel"], format.carousel);
        assert_eq!(shown["creditsPerUnit"], if format.carousel { 15 } else { 10 });
        assert_eq!(shown["slides"].is_object(), format.carousel);
        let (width, height) = format.size(render_core::format::Resolution::TwoK);
        assert_eq!(shown["sizes"]["exact"], json!({"width": format.width, "height": format.height}));
        assert_eq!(shown["dimensions"], format!("{}x{}", format.width, format.height));
        assert_eq!(shown["sizes"]["2K"], json!({"width": width, "height": height}));
        assert_eq!(shown["sizes"]["4K"], json!({"width": 2 * width, "height": 2 * height}));
    }
    let keyless = client.with_key("").get("/api/formats").await;
    assert_eq!(keyless.status, 200);
    assert_eq!(keyless.json()["formats"], formats["formats"]);
    let brands = client.get("/api/brands").await;
    assert_eq!(brands.json(), json!({"brands": [], "count": 0, "warnings": []}));
}
