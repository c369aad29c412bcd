//! Tests of estimates.

use serde_json::{Value, json};

use super::pages::Web;
use super::{UNHURRIED, fresh};

const TEXT: &str = "# Water early\n\nPlants drink before the sun is high.\n\n- Water at six\n- Water the roots\n- Leave the \
leaves dry\n";

fn of_text() -> Value {
    json!({
        "inputType": "text", "inputContent": TEXT, "outputFormats": ["instagram_post", "linkedin_carousel"],
        "carouselCounts": {"linkedin_carousel": 4}, "visualStyle": "bold", "seed": 7,
    })
}

#[tokio::test]
async fn an_estimate_says_what_is_made_and_keeps_nothing() {
    let (_data, _service, client) = fresh(&UNHURRIED);
    let answer = client.post("/api/generations/estimate", &of_text()).await;
    assert_eq!(answer.status, 200, "{:#}", answer.json());
    answer.has_headers();
    let estimate = answer.json()["estimate"].clone();
    assert_eq!((&estimate["credits"], &estimate["available"]), (&json!(70), &json!(10_000)));
    assert_eq!((&estimate["affordable"], &estimate["title"]), (&json!(true), &json!("Water early")));
    assert_eq!((&estimate["language"], &estimate["visualStyle"]), (&json!("en"), &json!("bold")));
    assert_eq!(estimate["warnings"], json!([]));
    let outputs = estimate["outputs"].as_array().unwrap();
    assert_eq!(outputs.iter().map(|o| o["credits"].as_u64().unwrap()).collect::<Vec<_>>(), [10, 15, 15, 15, 15]);
    assert_eq!(client.get("/api/generations").await.json()["generations"], json!([]));
    assert_eq!(client.get("/api/credits/balance").await.json()["balance"], 10_000);
    // The generation matches the estimate.
    let made = client.completed(&of_text()).await;
    let alt = |of: &Value| of["altText"].as_str().unwrap().to_owned();
    let told: Vec<String> = outputs.iter().map(|o| alt(&o["page"])).collect();
    assert_eq!(made["outputs"].as_array().unwrap().iter().map(alt).collect::<Vec<_>>(), told);
    for output in outputs {
        let texts = output["page"]["texts"].as_array().unwrap();
        assert!(texts.iter().any(|t| t["slot"] == "title" && t["text"].as_str().is_some_and(|t| !t.is_empty())));
    }
}

#[tokio::test]
async fn an_outline_that_was_changed_is_what_is_made() {
    let (_data, _service, client) = fresh(&UNHURRIED);
    let estimate = client.post("/api/generations/estimate", &of_text()).await.json()["estimate"].clone();
    let mut outline = estimate["outline"].clone();
    let of_carousel = outline.as_array_mut().unwrap().iter_mut().find(|set| set["formatId"] == "linkedin_carousel");
    let pages = of_carousel.unwrap()["pages"].as_array_mut().unwrap();
    assert_eq!(pages.len(), 4);
    // Changes words, order and pages: one page is removed, one is new, two swap places.
    pages[0]["title"] = json!("Water before breakfast");
    pages.remove(3);
    pages.swap(1, 2);
    pages.push(json!({"title": "Ask a neighbour", "text": "Somebody waters while you are away."}));
    pages.push(
        json!({"kind": "stat", "title": "of the water stays in the ground", "figure": {"value": "80", "unit": "%"}}),
    );
    let mut body = of_text();
    body["outline"] = outline.clone();
    let counted = client.post("/api/generations", &body).await;
    assert_eq!(counted.error(400, "invalid_request"), "validation_failed", "4 slides were asked for, and there are 5");
    body.as_object_mut().unwrap().remove("carouselCounts");

    let told = client.post("/api/generations/estimate", &body).await.json()["estimate"].clone();
    assert_eq!((&told["credits"], &told["outline"]), (&json!(85), &with_kinds(&outline)));
    let made = client.completed(&body).await;
    let outputs = made["outputs"].as_array().unwrap();
    assert_eq!((outputs.len(), &made["creditsCharged"]), (6, &json!(85)));
    let alt = |n: usize| outputs[n]["altText"].as_str().unwrap();
    assert!(alt(1).contains("Water before breakfast"), "{}", alt(1));
    assert!(alt(4).contains("Ask a neighbour") && alt(4).contains("while you are away"), "{}", alt(4));
    assert!(alt(5).contains("80%"), "{}", alt(5));

    // Text that no page has room for is reported, and nothing is charged.
    let endless = "Water the roots and leave the leaves dry, whatever anybody says about it. ".repeat(25);
    let crowded = json!({"items": vec![json!({"title": endless.trim()}); 12]});
    body["outline"][1]["pages"][2] = crowded;
    let refused = client.post("/api/generations/estimate", &body).await;
    assert_eq!(refused.error(400, "invalid_request"), "validation_failed");
    let fault = &refused.json()["details"][0];
    assert!(fault["code"] == "content_too_long" && fault["message"].as_str().unwrap().contains("slide 3"), "{fault}");
    assert_eq!(fault["field"], "outline[1].pages[2]", "{fault}");
    // Text that no layout of its page kind shows is an error, not dropped.
    let mut covered = of_text();
    covered["outputFormats"] = json!(["instagram_post"]);
    covered.as_object_mut().unwrap().remove("carouselCounts");
    let cover = json!({"kind": "cover", "title": "Water early", "items": [{"title": "At six"}]});
    covered["outline"] = json!([{"formatId": "instagram_post", "pages": [cover]}]);
    let refused = client.post("/api/generations/estimate", &covered).await;
    assert_eq!((refused.status, &refused.json()["details"][0]["code"]), (400, &json!("content_too_long")));
    let generation = client.create(&body).await;
    let ended = client.finished(generation["id"].as_str().unwrap()).await;
    assert_eq!((&ended["status"], &ended["error"]["code"]), (&json!("failed"), &json!("content_too_long")));
    assert_eq!(client.get("/api/credits/balance").await.json()["balance"], 10_000 - 85);
}

/// Adds the explicit kind to every page of an outline.
fn with_kinds(outline: &Value) -> Value {
    let mut outline = outline.clone();
    for page in outline.as_array_mut().unwrap().iter_mut().flat_map(|set| set["pages"].as_array_mut().unwrap()) {
        let kind = if page["items"].is_array() { "list" } else { "point" };
        page["kind"] = page.get("kind").filter(|kind| kind.is_string()).cloned().unwrap_or_else(|| json!(kind));
    }
    outline
}

#[tokio::test]
async fn a_page_is_read_for_its_estimate_and_what_is_wrong_is_told() {
    let web = Web::start(|path| match path {
        "/tides" => (
            "200 OK\r\nContent-Type: text/plain".into(),
            b"# Tides\n\nThe sea rises and falls twice a day.\n\n- Spring tides\n- Neap tides\n- Slack water\n"
                .to_vec(),
        ),
        _ => ("404 Not Found\r\nContent-Type: text/html".into(), b"<p>Gone".to_vec()),
    });
    let host = web.address().to_string();
    let (_data, _service, client) = fresh(&[&UNHURRIED[..], &["--allow-host", &host]].concat());
    let of = |path: &str| json!({"inputType": "url", "inputUrl": web.url(path), "outputFormats": ["instagram_post"]});
    let estimate = client.post("/api/generations/estimate", &of("/tides")).await.json();
    assert_eq!((&estimate["estimate"]["title"], &estimate["estimate"]["credits"]), (&json!("Tides"), &json!(10)));
    let gone = client.post("/api/generations/estimate", &of("/gone")).await;
    assert_eq!(gone.error(400, "invalid_request"), "validation_failed");
    let detail = &gone.json()["details"][0];
    assert_eq!((&detail["field"], &detail["code"]), (&json!("inputUrl"), &json!("url_fetch_failed")));
    // Two fields accept a PDF's address. Faults are reported under the field that was used.
    for field in ["inputUrl", "inputFileUrl"] {
        let of = json!({"inputType": "pdf", field: web.url("/gone"), "outputFormats": ["instagram_post"]});
        let gone = client.post("/api/generations/estimate", &of).await.json();
        let detail = &gone["details"][0];
        assert_eq!((&detail["field"], &detail["code"]), (&json!(field), &json!("url_fetch_failed")), "{gone}");
    }
    let empty = json!({"inputType": "text", "inputContent": "…", "outputFormats": ["instagram_post"]});
    let answer = client.post("/api/generations/estimate", &empty).await;
    answer.error(400, "invalid_request");
    assert_eq!(answer.json()["details"][0]["code"], "no_content");
    assert_eq!(client.post("/api/generations/estimate", &json!({})).await.status, 400);
}

#[tokio::test]
async fn without_workers_there_is_no_estimate() {
    let (_data, _service, client) = fresh(&["--workers", "0"]);
    let answer = client.post("/api/generations/estimate", &of_text()).await;
    assert_eq!(answer.error(503, "unavailable"), "no_workers");
}
