//! Tests of choosing a design for an image: previews, applying to one slide or to all slides; and a photo from the
//! user's computer.

use serde_json::{Value, json};

use super::Visit;
use crate::e2e::pages::photograph;

/// Creates a carousel and opens the edit page of its slide at `n`.
async fn opened(visit: &Visit, n: usize) -> (Value, String) {
    let carousel = json!({"outputFormats": ["instagram_carousel"], "carouselCounts": {"instagram_carousel": 4}});
    let made = visit.made(carousel).await;
    let at =
        format!("/generations/{}/outputs/{}", made["id"].as_str().unwrap(), made["outputs"][n]["id"].as_str().unwrap());
    visit.go(&at).await;
    visit.browser.until("document.querySelector('.hand-box')").await;
    (made, at)
}

impl Visit {
    /// Returns the versions of a generation's outputs once they differ from `before`.
    async fn versions_after(&self, made: &Value, before: &[u64]) -> Vec<u64> {
        loop {
            let generation = self.client.generation(made["id"].as_str().unwrap()).await;
            let outputs = generation["outputs"].as_array().unwrap();
            let versions: Vec<u64> = outputs.iter().map(|output| output["version"].as_u64().unwrap()).collect();
            if versions != before {
                return versions;
            }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
    }
}

#[tokio::test]
async fn a_design_is_chosen_for_a_slide_and_for_all() {
    let Some(visit) = Visit::signed_in().await else { return };
    let browser = &visit.browser;
    let (made, _) = opened(&visit, 1).await;
    browser.find("//label[normalize-space()='Design']").await.click().await;
    browser.until("document.querySelectorAll('.designs img').length > 1").await;
    let barriers = browser.barriers().await;
    assert!(barriers.is_empty(), "{barriers:#?}");
    browser.run("document.querySelector('.designs button').click()").await;
    browser.press("Apply · 10 credits").await;
    assert_eq!(visit.versions_after(&made, &[1, 1, 1, 1]).await, [1, 2, 1, 1]);

    browser.find("//label[normalize-space()='Style']").await.click().await;
    browser.find("//label[normalize-space()='On all slides']").await.click().await;
    browser.until("document.querySelector('.designs img') && !document.querySelector('.designs[aria-busy]')").await;
    browser.find("//ul[@aria-label='Designs']//button[contains(., 'Elegant')]").await.click().await;
    browser.press("Apply · 40 credits").await;
    let changed = visit.versions_after(&made, &[1, 2, 1, 1]).await;
    assert_eq!(changed, [2, 3, 2, 2]);
    visit.has_no_complaints().await;
}

#[tokio::test]
async fn a_photo_of_the_users_is_shown() {
    let Some(visit) = Visit::signed_in().await else { return };
    let browser = &visit.browser;
    // A cover has room for a photo.
    let (made, at) = opened(&visit, 0).await;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("green.png");
    std::fs::write(&path, photograph()).unwrap();
    // After a reload, the choice is available again.
    visit.go("/library").await;
    visit.go(&format!("{at}#design")).await;
    browser.until("document.querySelector('.designs img')").await;
    browser.hidden("input[aria-label='Use a photo of yours']").await.write(&path.display().to_string()).await;
    browser.press("Apply · 10 credits").await;
    assert_eq!(visit.versions_after(&made, &[1, 1, 1, 1]).await, [2, 1, 1, 1]);
    visit.has_no_complaints().await;
}
