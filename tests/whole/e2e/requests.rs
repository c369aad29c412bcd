//! The contract's shapes: what is refused, and how; what is borne, and with which warning.

use std::collections::HashSet;

use serde_json::{Value, json};

use super::{UNHURRIED, codes, fresh};
use crate::service::{Answer, id};

fn text() -> Value {
    json!({"inputType": "text", "inputContent": "Cool the room to 18 °C.", "outputFormats": ["ad_mpu"]})
}

/// The text request with a field set.
fn with(field: &str, value: Value) -> Value {
    let mut request = text();
    request[field] = value;
    request
}

/// The details of a refused body as (field, code).
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
        "brandId": "none",
    });
    let told = faults(&client.post("/api/generations", &wrong).await);
    let codes: HashSet<_> = told.iter().map(|(_, code)| code.as_str()).collect();
    for code in ["content_empty", "unknown_format", "carousel_count_missing", "invalid_value", "unknown_language"] {
        assert!(codes.contains(code), "{code} is missing in {told:?}");
    }
    let fields: HashSet<_> = told.iter().map(|(f, _)| f.split(['.', '[']).next().unwrap_or("")).collect();
    for field in ["inputContent", "outputFormats", "carouselCounts", "visualStyle", "language", "resolution", "seed"] {
        assert!(fields.contains(field), "{field} is missing in {told:?}");
    }
}

#[tokio::test]
async fn what_is_not_built_says_so() {
    let (_data, _service, client) = fresh(&UNHURRIED);
    {
        let answer = client.post("/api/generations", &with("webhookUrl", json!("https://example.com/hook"))).await;
        assert_eq!(answer.status, 400);
        let said = answer.json();
        assert!(said.to_string().contains("not_available"), "{said:#}");
        answer.has_headers();
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
        assert_eq!(shown["sizes"]["2K"], json!({"width": width, "height": height}));
        assert_eq!(shown["sizes"]["4K"], json!({"width": 2 * width, "height": 2 * height}));
    }
    let keyless = client.with_key("").get("/api/formats").await;
    assert_eq!(keyless.status, 200);
    assert_eq!(keyless.json()["formats"], formats["formats"]);
    let brands = client.get("/api/brands").await;
    assert_eq!(brands.json(), json!({"brands": [], "count": 0}));
}
