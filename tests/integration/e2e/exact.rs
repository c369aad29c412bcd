//! Tests of `useExactContent`: text is used word for word, or rejected.

use serde_json::{Value, json};

use super::{UNHURRIED, fresh};

const SHORT: &str = "# Garden day\n\nBring gloves, a spade and something to share.\n\n## The hedge\n\nWe lay the last forty \
metres of it.\n\n## The well\n\nIts pump wants a new seal, and somebody with small hands.\n";

fn of(text: &str, slides: u32) -> Value {
    json!({
        "inputType": "text", "inputContent": text, "outputFormats": ["linkedin_carousel"],
        "carouselCounts": {"linkedin_carousel": slides}, "useExactContent": true,
    })
}

fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[tokio::test]
async fn every_word_stands_on_the_pages_or_nothing_is_made() {
    let (_data, _service, client) = fresh(&UNHURRIED);
    let told = client.post("/api/generations/estimate", &of(SHORT, 3)).await;
    assert_eq!(told.status, 200, "{:#}", told.json());
    let pages = told.json()["estimate"]["outputs"].as_array().unwrap().clone();
    let texts = pages.iter().flat_map(|p| p["page"]["texts"].as_array().unwrap()).map(|t| t["text"].as_str().unwrap());
    let said = letters(&texts.collect::<Vec<_>>().join(" "));
    for sentence in SHORT.lines().filter(|l| !l.is_empty()) {
        assert!(said.contains(&letters(sentence)), "{sentence:?} is not in {said}");
    }
    let made = client.completed(&of(SHORT, 3)).await;
    assert_eq!((&made["useExactContent"], made["outputs"].as_array().unwrap().len()), (&json!(true), 3));
    let more: String = (1..60).map(|n| format!("Neighbour {n} will bring a kettle, and another the cups. ")).collect();
    let long = format!("{SHORT}\n{more}");
    let answer = client.post("/api/generations", &of(&long, 3)).await;
    assert_eq!(answer.error(400, "invalid_request"), "validation_failed");
    let detail = &answer.json()["details"][0];
    assert_eq!((&detail["field"], &detail["code"]), (&json!("inputContent"), &json!("content_too_long")));
    assert!(detail["message"].as_str().unwrap().contains("characters"), "{detail:#}");
}
