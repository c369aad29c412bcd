//! Tests of generations that repeat the edits of an earlier one.

use serde_json::{Value, json};

use super::{UNHURRIED, fresh};
use crate::service::{Client, id};

const TEXT: &str =
    "# Sleep better\n\n- Keep one bedtime, also on Sundays\n- Cool the room to 18 °C\n- No screens in bed";
const ABSENT: &str = "01980000-0000-7000-8000-000000000001";

fn visual(more: &Value) -> Value {
    let mut body = json!({"inputType": "text", "inputContent": TEXT, "outputFormats": ["instagram_post"], "seed": 7});
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    body
}

/// Returns the codes and messages of a generation's warnings.
fn warnings(generation: &Value) -> Vec<(String, String)> {
    let text = |warning: &Value, field: &str| warning[field].as_str().unwrap().to_owned();
    generation["warnings"].as_array().unwrap().iter().map(|w| (text(w, "code"), text(w, "message"))).collect()
}

async fn page(client: &Client, generation: &Value) -> String {
    let at = format!("/api/images/{}/outputs/{}/page", id(generation), id(&generation["outputs"][0]));
    client.get(&at).await.json()["page"].as_str().unwrap_or_default().to_owned()
}

#[tokio::test]
async fn edits_are_made_again_and_lost_ones_are_named() {
    let (_data, _service, client) = fresh(&UNHURRIED);
    let first = client.completed(&visual(&json!({}))).await;
    for prompt in ["change the headline to “Rest first”", "make the accent colour #c02942", "use the dark style"] {
        client.edited(&first, &first["outputs"][0], prompt).await;
    }
    let again = client.completed(&visual(&json!({"seed": 8, "editsOf": first["id"]}))).await;
    assert!(page(&client, &again).await.contains("Rest first"), "{again:#}");
    assert_eq!((&again["outputs"][0]["version"], &again["creditsCharged"]), (&json!(1), &json!(10)));
    assert_eq!(again["visualStyle"], "modern");
    let told = warnings(&again);
    let [(code, message)] = told.as_slice() else { panic!("{told:?}") };
    assert_eq!(code, "edit_not_kept");
    assert!(message.contains("style") && !message.contains("Rest first") && !message.contains("accent"), "{message}");

    // Repeated edits can be repeated again, and the estimate shows them.
    let thrice = visual(&json!({"seed": 9, "editsOf": again["id"]}));
    let estimate = client.post("/api/generations/estimate", &thrice).await.json();
    assert!(estimate.to_string().contains("Rest first"), "{estimate:#}");
    let thrice = client.completed(&thrice).await;
    assert!(page(&client, &thrice).await.contains("Rest first"));

    // With the same look, every edit can be repeated.
    let same = client.completed(&visual(&json!({"editsOf": first["id"]}))).await;
    assert_eq!(warnings(&same), []);

    // A different text does not take over edited words.
    let other = "# Sail further\n\n- Reef early in a rising wind\n- Check the tide tables twice";
    let other = client.completed(&visual(&json!({"inputContent": other, "editsOf": first["id"]}))).await;
    assert!(!page(&client, &other).await.contains("Rest first"));
    assert!(warnings(&other)[0].1.contains("says something else"), "{:?}", warnings(&other));
}

#[tokio::test]
async fn words_that_were_edited_by_hand_are_kept() {
    let (_data, _service, client) = fresh(&UNHURRIED);
    let first = client.completed(&visual(&json!({}))).await;
    let at = format!("/api/images/{}/outputs/{}/page", id(&first), id(&first["outputs"][0]));
    let read = client.get(&at).await.json();
    let text = read["page"].as_str().unwrap().replace("Sleep better", "Sleep well");
    let body = json!({"page": text, "version": 1});
    let put = client.send(client.request("PUT", &at).json(&body)).await.unwrap();
    assert_eq!(put.status, 200, "{:#}", put.json());
    let again = client.completed(&visual(&json!({"seed": 8, "editsOf": first["id"]}))).await;
    assert!(page(&client, &again).await.contains("Sleep well"), "{again:#}");
}

#[tokio::test]
async fn edits_of_nothing_are_refused() {
    let (_data, _service, client) = fresh(&UNHURRIED);
    let absent = client.post("/api/generations", &visual(&json!({"editsOf": ABSENT}))).await;
    assert_eq!((absent.status, &absent.json()["code"]), (404, &json!("generation_not_found")));
    let wrong = client.post("/api/generations", &visual(&json!({"editsOf": "x"}))).await;
    assert_eq!((wrong.status, &wrong.json()["details"][0]["field"]), (400, &json!("editsOf")));
}
