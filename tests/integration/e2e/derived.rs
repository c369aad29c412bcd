//! Tests of translations and variations, and of the paths that clients of other services use for them.

use serde_json::{Value, json};

use super::words::server::{Reply, Server};
use super::words::with_model;
use super::{UNHURRIED, fresh};
use crate::service::{Client, id};

const TEXT: &str = "# Sleep better\n\n- Keep one bedtime, also on Sundays\n- No screens in the last hour\n- Cool the room to \
    18 °C\n- Drink coffee before noon";

async fn parent(client: &Client) -> Value {
    client
        .completed(&json!({
            "inputType": "text", "inputContent": TEXT, "title": "Sleep better tonight", "useExactContent": false,
            "outputFormats": ["instagram_post", "linkedin_carousel"], "carouselCounts": {"linkedin_carousel": 3},
            "visualStyle": "modern", "seed": 7,
        }))
        .await
}

fn outputs(generation: &Value) -> Vec<(&str, Option<u64>)> {
    let outputs = generation["outputs"].as_array().unwrap().iter();
    outputs.map(|o| (o["formatId"].as_str().unwrap(), o["slideIndex"].as_u64())).collect()
}

/// Requests a derived generation and waits until it has ended.
async fn derived(client: &Client, path: &str, body: &Value) -> (Value, Value) {
    let answer = client.post(path, body).await;
    assert_eq!(answer.status, 202, "{}", String::from_utf8_lossy(&answer.body));
    let told = answer.json();
    assert_eq!(answer.header("location"), format!("/api/generations/{}", id(&told["generation"])));
    assert_eq!(told["generationId"], told["generation"]["id"]);
    assert_eq!(told["creditCost"], told["generation"]["creditsCharged"]);
    let done = client.finished(told["generationId"].as_str().unwrap()).await;
    assert_eq!(done["status"], "completed", "{done:#}");
    assert_eq!(told["expectedCount"], done["outputs"].as_array().unwrap().len());
    (told, done)
}

#[tokio::test]
async fn variations_say_the_same_in_other_designs() {
    let (_data, _service, client) = fresh(&UNHURRIED);
    let parent = parent(&client).await;
    let path = format!("/api/generations/{}/variations?cuont=2", id(&parent));
    let (told, done) = derived(&client, &path, &json!({"count": 2, "seed": 5})).await;
    let warnings = done["warnings"].as_array().unwrap();
    assert!(warnings.iter().any(|warning| warning["code"] == "unknown_field"), "of the query: {warnings:?}");
    assert_eq!((&told["expectedCount"], &told["creditCost"]), (&json!(8), &json!(2 * (10 + 3 * 15))));
    assert_eq!(
        (&done["parentId"], &done["visualStyle"], &done["inputType"]),
        (&parent["id"], &json!("modern"), &json!("text"))
    );
    let set = [
        ("instagram_post", None),
        ("linkedin_carousel", Some(0)),
        ("linkedin_carousel", Some(1)),
        ("linkedin_carousel", Some(2)),
    ];
    assert_eq!(outputs(&done), [set, set].concat());
    let texts = |generation: &Value| -> Vec<Value> {
        generation["outputs"].as_array().unwrap().iter().map(|o| o["altText"].clone()).collect()
    };
    let own = texts(&parent);
    assert_eq!(texts(&done), [own.clone(), own].concat());
    let mut images = Vec::new();
    for output in parent["outputs"].as_array().unwrap().iter().chain(done["outputs"].as_array().unwrap()) {
        images.push(client.get(output["imageUrl"].as_str().unwrap()).await.body);
    }
    // A slide whose content few layouts support may look the same, but not a whole set.
    let [a, b, c] = [&images[..4], &images[4..8], &images[8..]];
    assert!(a != b && b != c && a != c, "a set has the same design twice");
    let fresh = (0..4).filter(|n| a[*n] != b[*n] && a[*n] != c[*n]).count();
    assert!(fresh >= 2, "{fresh} of 4 outputs have another design");

    let slide = parent["outputs"][2]["id"].clone();
    let (told, done) = derived(&client, &path, &json!({"count": 1, "outputIds": [slide]})).await;
    assert_eq!((&told["expectedCount"], &told["creditCost"]), (&json!(1), &json!(15)));
    assert_eq!(outputs(&done), [("linkedin_carousel", Some(1))]);

    // A variation can have variations of its own, and survives the deletion of its original.
    assert_eq!(
        client.send(client.request("DELETE", &format!("/api/generations/{}", id(&parent)))).await.unwrap().status,
        204
    );
    let path = format!("/api/generations/{}/variations", id(&done));
    let (_, again) = derived(&client, &path, &json!({"count": 1})).await;
    assert_eq!(again["parentId"], done["id"]);
}

#[tokio::test]
async fn the_paths_of_other_services_clients_work() {
    let (_data, _service, client) = fresh(&UNHURRIED);
    let parent = parent(&client).await;
    let body = json!({"referenceGenerationId": parent["id"], "count": 1});
    let (told, done) = derived(&client, "/api/images/variation-mcp", &body).await;
    assert_eq!((&told["expectedCount"], &done["parentId"]), (&json!(4), &parent["id"]));
    let body = json!({"referenceGenerationId": parent["id"], "language": "es"});
    let refused = client.post("/api/images/localize-mcp", &body).await;
    assert_eq!(refused.error(400, "invalid_request"), "validation_failed");
    assert_eq!(refused.json()["details"][0]["code"], "translation_unavailable");
}

#[tokio::test]
async fn requests_that_can_t_be_met_cost_nothing() {
    let (_data, _service, client) = fresh(&UNHURRIED);
    let parent = parent(&client).await;
    let before = client.get("/api/credits/balance").await.json()["balance"].clone();
    let path = format!("/api/generations/{}/variations", id(&parent));
    let none = "0192a0c4-0000-7000-8000-000000000000";
    for (body, field, code) in [
        (json!({}), "count", "missing_field"),
        (json!({"count": 0}), "count", "invalid_value"),
        (json!({"count": 11}), "count", "invalid_value"),
        (json!({"count": "3"}), "count", "invalid_value"),
        (json!({"count": 1, "outputIds": []}), "outputIds", "invalid_value"),
        (json!({"count": 1, "outputIds": ["x"]}), "outputIds[0]", "invalid_value"),
        (json!({"count": 1, "seed": -1}), "seed", "invalid_value"),
        (json!({"count": 1, "workspaceId": "w"}), "workspaceId", "unsupported_field"),
    ] {
        let refused = client.post(&path, &body).await;
        assert_eq!(refused.error(400, "invalid_request"), "validation_failed", "{body}");
        let detail = refused.json()["details"][0].take();
        assert_eq!((&detail["field"], &detail["code"]), (&json!(field), &json!(code)), "{body}");
    }
    let other = client.post(&path, &json!({"count": 1, "outputIds": [none]})).await;
    assert_eq!(other.error(404, "not_found"), "output_not_found");
    let dear = client.post(&path, &json!({"count": 2, "maxCredits": 109})).await;
    assert_eq!(dear.error(402, "insufficient_credits"), "max_credits_exceeded");
    let missing = client.post(&format!("/api/generations/{none}/variations"), &json!({"count": 1})).await;
    assert_eq!(missing.error(404, "not_found"), "generation_not_found");
    let unnamed = client.post("/api/images/variation-mcp", &json!({"count": 1})).await;
    assert_eq!(unnamed.json()["details"][0]["field"], "referenceGenerationId");
    assert_eq!(client.get("/api/credits/balance").await.json()["balance"], before);
}

/// The model's response: every text of the material in "Spanish".
fn translated(body: &Value) -> Reply {
    let told = body["messages"].as_array().unwrap().last().unwrap()["content"].as_str().unwrap().to_owned();
    let texts = told.lines().filter_map(|line| {
        let (number, rest) = line.split_once(" [")?;
        let (_, text) = rest.split_once("] ")?;
        Some((number.parse::<u64>().ok()?, text.to_owned()))
    });
    let said = |text: &str| match text {
        text if text.contains("Sleep better") => "Duerme mejor esta noche".to_owned(),
        text if text.contains("bedtime") => "La misma hora para dormir todos los días".to_owned(),
        text if text.contains("18") => "Deja el dormitorio a 18 °C".to_owned(),
        _ => "Descansa sin pantallas por la noche".to_owned(),
    };
    let texts: Vec<Value> = texts.map(|(number, text)| json!({"number": number, "text": said(&text)})).collect();
    Reply::json(&json!({ "texts": texts }))
}

#[tokio::test]
async fn a_translation_keeps_the_design_and_says_it_in_the_language() {
    let server = Server::start(|_, body| match body["response_format"]["json_schema"]["name"].as_str() {
        Some("translation") => translated(body),
        // The first generation uses the text's own words, without the model.
        _ => Reply::Status(503, "Retry-After: 0\r\n", "{}".into()),
    })
    .await;
    let (_data, _service, client) = with_model(&server);
    let parent = parent(&client).await;
    let path = format!("/api/generations/{}/localize", id(&parent));
    let (told, done) = derived(&client, &path, &json!({"language": "Spanish"})).await;
    assert_eq!((&told["expectedCount"], &told["creditCost"]), (&json!(4), &json!(55)));
    assert_eq!((&done["language"], &done["title"]), (&json!("es"), &json!("Duerme mejor esta noche")), "{done:#}");
    assert_eq!((outputs(&done), &done["visualStyle"]), (outputs(&parent), &parent["visualStyle"]));
    for output in done["outputs"].as_array().unwrap() {
        let said = output["altText"].as_str().unwrap();
        assert!(["Duerme", "Descansa", "La misma hora", "Deja"].iter().any(|words| said.contains(words)), "{said}");
    }
    let same = client.post(&path, &json!({"language": "en"})).await;
    assert_eq!(same.json()["details"][0]["field"], "language");
}

#[tokio::test]
async fn a_translation_that_can_t_be_had_is_refunded() {
    let server = Server::start(|_, body| match body["response_format"]["json_schema"]["name"].as_str() {
        // The model returns the texts unchanged, in English.
        Some("translation") => Reply::json(&json!({"texts": [{"number": 1, "text": "Sleep better tonight"}]})),
        _ => Reply::Status(503, "Retry-After: 0\r\n", "{}".into()),
    })
    .await;
    let (_data, _service, client) = with_model(&server);
    let parent = parent(&client).await;
    let path = format!("/api/generations/{}/localize", id(&parent));
    let answer = client.post(&path, &json!({"language": "es"})).await.json();
    let failed = client.finished(answer["generationId"].as_str().unwrap()).await;
    assert_eq!((&failed["status"], &failed["error"]["code"]), (&json!("failed"), &json!("translation_unavailable")));
    assert_eq!(failed["creditsRefunded"], failed["creditsCharged"]);
}
