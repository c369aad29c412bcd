//! Tests of editing an image by hand: choose an element of the picture, change it, save. Also with the keyboard only.

use std::time::Duration;

use serde_json::{Value, json};

use super::Visit;

const ENTER: &str = "\u{E007}";
const DOWN: &str = "\u{E015}";
const DELETE: &str = "\u{E017}";

/// Returns the labels of the boxes over the picture, in order.
const BOXES: &str = "return [...document.querySelectorAll('.hand-box')].map(e => e.getAttribute('aria-label'))";

impl Visit {
    /// Opens an image with a headline and points, and waits until it can be edited by hand.
    async fn by_hand(&self) -> (Value, String) {
        let generation = self.made(json!({"visualStyle": "modern"})).await;
        let (id, output) = (generation["id"].as_str().unwrap(), generation["outputs"][0]["id"].as_str().unwrap());
        self.go(&format!("/generations/{id}/outputs/{output}")).await;
        self.browser.until("document.querySelector('.hand-box')").await;
        let at = format!("/api/images/{id}/outputs/{output}/page");
        (generation, at)
    }

    /// Clicks an element of the picture.
    async fn choose_element(&self, begins: &str) {
        let path = format!("//button[contains(@class, 'hand-box') and starts-with(@aria-label, '{begins}')]");
        self.browser.find(&path).await.click().await;
    }

    async fn version(&self, generation: &Value) -> u64 {
        let read = self.client.generation(generation["id"].as_str().unwrap()).await;
        read["outputs"][0]["version"].as_u64().unwrap()
    }

    async fn saved(&self, generation: &Value, version: u64) {
        self.browser.press("Save").await;
        while self.version(generation).await != version {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        self.browser.says(&format!("Saved as version {version}")).await;
    }

    async fn text(&self, at: &str) -> String {
        self.client.get(at).await.json()["page"].as_str().unwrap().to_owned()
    }
}

#[tokio::test]
async fn a_word_is_corrected_on_the_picture_and_costs_nothing() {
    let Some(visit) = Visit::signed_in().await else { return };
    let browser = &visit.browser;
    let (generation, at) = visit.by_hand().await;
    let before = visit.client.get("/api/credits/balance").await.json()["balance"].clone();
    visit.choose_element("Headline").await;
    let words = browser.find("//div[@role='textbox']").await;
    words.write(" indeed").await;
    browser.find("//button[contains(., 'Save · free')]").await;
    assert!(browser.run("return document.querySelector('.image-now').src.startsWith('data:')").await == true);
    let barriers = browser.barriers().await;
    assert!(barriers.is_empty(), "{barriers:#?}");
    assert_eq!(visit.version(&generation).await, 1, "a preview stores nothing");
    visit.saved(&generation, 2).await;
    assert!(visit.text(&at).await.contains(" indeed"));
    assert_eq!(visit.client.get("/api/credits/balance").await.json()["balance"], before);

    // The typed text is undone, and the undone state can be saved as well.
    browser.press("Undo").await;
    browser.find("//button[contains(., 'Save · free')]").await;
    visit.saved(&generation, 3).await;
    assert!(!visit.text(&at).await.contains(" indeed"));
    visit.has_no_complaints().await;
}

#[tokio::test]
async fn sizes_colours_and_order_are_changed_and_undone() {
    let Some(visit) = Visit::signed_in().await else { return };
    let browser = &visit.browser;
    let (generation, at) = visit.by_hand().await;
    let before = visit.text(&at).await;
    visit.choose_element("Headline").await;
    browser.press("Smaller").await;
    browser.find("//button[contains(., 'Save · 10 credits')]").await;
    browser.find("//div[@aria-label='Colour']//button[2]").await.click().await;
    browser.press("Duplicate").await;
    browser.until("document.querySelectorAll('.hand-box[aria-label^=\"Headline\"]').length === 2").await;
    browser.press("Delete").await;
    browser.until("document.querySelectorAll('.hand-box[aria-label^=\"Headline\"]').length === 1").await;
    for _ in 0..4 {
        browser.press("Undo").await;
    }
    browser.until("document.querySelector('.hand .button.primary').disabled").await;
    browser.press("Redo").await;
    browser.find("//button[contains(., 'Save · 10 credits')]").await;
    visit.saved(&generation, 2).await;
    let after = visit.text(&at).await;
    assert_ne!(before, after);
    visit.has_no_complaints().await;
}

#[tokio::test]
async fn elements_are_reached_and_deleted_by_keys() {
    let Some(visit) = Visit::signed_in().await else { return };
    let browser = &visit.browser;
    let (_, _) = visit.by_hand().await;
    let boxes = browser.run(BOXES).await;
    let count = boxes.as_array().unwrap().len();
    assert!(count > 2, "{boxes}");
    browser.run("document.querySelector('.hand-box[tabindex=\"0\"]').focus(); return 0").await;
    browser.key(DOWN).await;
    let second = browser.run("return document.activeElement.getAttribute('aria-label')").await;
    assert_eq!(second, boxes[1]);
    browser.key(ENTER).await;
    browser.until("document.querySelector('.hand-panel')").await;
    browser.run("document.querySelector('.hand-box[aria-pressed=\"true\"]').focus(); return 0").await;
    browser.key(DELETE).await;
    browser.until(&format!("document.querySelectorAll('.hand-box').length < {count}")).await;
    browser.until("!document.querySelector('.hand .button.primary').disabled").await;
    browser.press("Discard").await;
    browser.until(&format!("document.querySelectorAll('.hand-box').length === {count}")).await;
    visit.has_no_complaints().await;
}

#[tokio::test]
async fn an_icon_is_found_by_what_it_shows() {
    let Some(visit) = Visit::signed_in().await else { return };
    let browser = &visit.browser;
    let generation = visit.made(json!({"outputFormats": ["linkedin_carousel_portrait"], "carouselCounts": {"linkedin_carousel_portrait": 4}})).await;
    let id = generation["id"].as_str().unwrap();
    for output in generation["outputs"].as_array().unwrap() {
        visit.go(&format!("/generations/{id}/outputs/{}", output["id"].as_str().unwrap())).await;
        browser.until("document.querySelector('.hand-box')").await;
        if browser.run("return document.querySelector('.hand-box[aria-label=\"Icon\"], .hand-box[aria-label=\"Badge\"]') !== null").await != true {
            continue;
        }
        let path = "//button[contains(@class, 'hand-box') and (@aria-label = 'Icon' or @aria-label = 'Badge')]";
        browser.find(path).await.click().await;
        browser.run("document.querySelector('.hand-picker').open = true; return 0").await;
        browser.find("//input[@aria-label='Find icons']").await.write("cloud").await;
        browser.click("//button[contains(@class, 'hand-drawing') and @aria-label='cloud']").await;
        browser.find("//button[contains(., 'Save · 10 credits')]").await;
        visit.has_no_complaints().await;
        return;
    }
    panic!("no slide shows an icon");
}
