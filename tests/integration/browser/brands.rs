//! Tests of brand kits: creating one with a preview, logos and fonts; changing and deleting it.

use serde_json::json;

use super::Visit;
use crate::repo;

#[tokio::test]
async fn a_kit_is_made_seen_and_worn() {
    let Some(visit) = Visit::signed_in().await else { return };
    let browser = &visit.browser;
    visit.go("/brands").await;
    browser.press("New brand kit").await;
    browser.until("location.pathname === '/brands/new'").await;
    browser.field("Name").await.write("Acme").await;
    browser.field("Primary").await.write("#0a5f38").await;
    browser.field("Background").await.write("#fbf7ef").await;
    // The editor shows the contrast, and three designs with the brand kit.
    browser.says(": 1").await;
    let drawn = "[...document.querySelectorAll('main img')].filter(i => i.src.startsWith('data:image') && i.naturalWidth > 0).length";
    browser.until(&format!("{drawn} >= 3")).await;
    let logo = repo::root().join("tests/data/logos/disc.png").display().to_string();
    browser.hidden("input[type=file]").await.write(&logo).await;
    browser.press("Save").await;
    browser.until("/^\\/brands\\/[0-9a-f-]{36}$/.test(location.pathname)").await;
    let read = async || visit.client.get("/api/brands").await.json()["brands"][0].take();
    while read().await["logoUrl"].is_null() {
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    let kit = read().await;
    assert_eq!(
        (&kit["name"], &kit["colors"]["primary"], &kit["colors"]["accent"]),
        (&json!("Acme"), &json!("#0a5f38"), &json!(null))
    );

    // The user chooses a font by its specimen.
    browser.find("//button[contains(., 'Headings')]").await.click().await;
    browser.field("Search fonts").await.write("newsr").await;
    browser.find("//*[@role='option'][contains(., 'Newsreader')]").await.click().await;
    browser.press("Save").await;
    while read().await["fonts"]["heading"] != "Newsreader" {
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    visit.has_no_complaints().await;

    visit.go("/brands").await;
    browser.press("More for Acme").await;
    browser.press("Delete").await;
    browser.find("//dialog//button[starts-with(normalize-space(), 'Delete')]").await.click().await;
    while visit.client.get("/api/brands").await.json()["count"] != 0 {
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    browser.until("document.querySelector('.empty')").await;
}
