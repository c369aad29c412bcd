//! Tests of editing an image by prompt: preview, compare, apply, restore; and the request for another prompt.

use serde_json::{Value, json};

use super::Visit;

impl Visit {
    /// Enters a prompt and waits for the preview.
    pub(super) async fn propose(&self, words: &str) {
        let prompt = self.browser.field("What should change?").await;
        prompt.clear().await;
        prompt.write(words).await;
        self.browser.press("Preview").await;
        self.browser.find("//button[starts-with(normalize-space(), 'Apply')]").await;
    }

    async fn output(&self, generation: &Value) -> Value {
        let read = self.client.generation(generation["id"].as_str().unwrap()).await;
        read["outputs"][0].clone()
    }
}

fn page_of(generation: &Value) -> String {
    let (id, output) = (generation["id"].as_str().unwrap(), generation["outputs"][0]["id"].as_str().unwrap());
    format!("/generations/{id}/outputs/{output}")
}

#[tokio::test]
async fn an_edit_is_previewed_compared_applied_and_taken_back() {
    let Some(visit) = Visit::signed_in().await else { return };
    let browser = &visit.browser;
    let generation = visit.made(json!({"visualStyle": "modern"})).await;
    visit.go(&page_of(&generation)).await;
    visit.propose("make the background navy").await;
    browser.says("10 credits").await;
    // A slider, which keys can move, compares before and after.
    browser.until("document.querySelector('main input[type=range]')").await;
    let range = browser.hidden("main input[type=range]").await;
    let before = range.property("value").await;
    range.write("\u{E014}").await;
    assert_ne!(range.property("value").await, before, "an arrow key moves it");
    assert_eq!(visit.output(&generation).await["version"], 1, "a preview changes nothing");

    browser.press("Apply").await;
    browser
        .until("!document.querySelector('main input[type=range]') || document.body.innerText.includes('Version 2')")
        .await;
    while visit.output(&generation).await["version"] != 2 {
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    assert_eq!(visit.client.get("/api/credits/balance").await.json()["balance"], 9_980);

    visit.go(&page_of(&generation)).await;
    browser.find("//ol[contains(@aria-label, 'Versions')]//button[contains(., 'Version 1')]").await.click().await;
    browser.press("Restore").await;
    while visit.output(&generation).await["version"] != 3 {
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    assert_eq!(visit.client.get("/api/credits/balance").await.json()["balance"], 9_980, "going back costs nothing");
    visit.has_no_complaints().await;
}

#[tokio::test]
async fn what_is_not_understood_is_asked_back_with_suggestions() {
    let Some(visit) = Visit::signed_in().await else { return };
    let browser = &visit.browser;
    let generation = visit.made(json!({})).await;
    visit.go(&page_of(&generation)).await;
    browser.field("What should change?").await.write("frobnicate the wibble").await;
    browser.key("\u{E007}").await;
    browser.says("was not understood").await;
    let suggestion = browser.find("//ul[contains(@class, 'image-others')]//button").await;
    let words = suggestion.text().await;
    assert!(!words.is_empty());
    suggestion.click().await;
    browser.find("//button[starts-with(normalize-space(), 'Apply') or starts-with(normalize-space(), 'Close')]").await;
    visit.has_no_complaints().await;
}

#[tokio::test]
async fn a_corrected_word_is_applied_for_free() {
    let Some(visit) = Visit::signed_in().await else { return };
    let browser = &visit.browser;
    let generation = visit.made(json!({"visualStyle": "modern"})).await;
    let before = visit.client.get("/api/credits/balance").await.json()["balance"].clone();
    visit.go(&page_of(&generation)).await;
    visit.propose("change the headline to “Sleep best”").await;
    browser.press("Apply · free").await;
    browser.says("This is version 2").await;
    assert_eq!(visit.output(&generation).await["version"], 2);
    assert_eq!(visit.client.get("/api/credits/balance").await.json()["balance"], before);
    visit.has_no_complaints().await;
}
