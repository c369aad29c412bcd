//! Tests of arranging the slides of a carousel: with buttons, by dragging, with the keyboard only, and undoing it.

use std::time::Duration;

use serde_json::{Value, json};

use super::Visit;

const ENTER: &str = "\u{E007}";
/// Drags the first slide onto the third.
const DRAG: &str = "const cards = document.querySelectorAll('[aria-label=Slides] .arrange-card'); \
    const data = new DataTransfer(); \
    cards[0].dispatchEvent(new DragEvent('dragstart', { dataTransfer: data, bubbles: true })); \
    cards[2].dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true }));";

impl Visit {
    /// Returns the ids of a generation's outputs once there are `count` of them in another order than `before`.
    async fn order_after(&self, id: &str, before: &[Value], count: usize) -> Vec<Value> {
        loop {
            let generation = self.client.generation(id).await;
            let outputs = generation["outputs"].as_array().unwrap();
            let ids: Vec<Value> = outputs.iter().map(|output| output["id"].clone()).collect();
            if ids.len() == count && ids != before {
                return ids;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
}

#[tokio::test]
async fn slides_are_dragged_copied_and_removed_and_all_of_it_is_undone() {
    let Some(visit) = Visit::signed_in().await else { return };
    let browser = &visit.browser;
    let carousel = json!({"outputFormats": ["instagram_carousel"], "carouselCounts": {"instagram_carousel": 4}});
    let made = visit.made(carousel).await;
    let id = made["id"].as_str().unwrap();
    let first: Vec<Value> = made["outputs"].as_array().unwrap().iter().map(|output| output["id"].clone()).collect();
    let balance = async || visit.client.get("/api/credits/balance").await.json()["balance"].as_u64().unwrap();
    let before = balance().await;

    visit.go(&format!("/generations/{id}")).await;
    browser.press("Arrange slides").await;
    browser.until("document.querySelectorAll('[aria-label=Slides] .arrange-card').length === 4").await;
    assert!(browser.run("return [...document.querySelectorAll('dialog button')].at(-1).disabled").await == true);
    let barriers = browser.barriers().await;
    assert!(barriers.is_empty(), "{barriers:#?}");
    browser.run(DRAG).await;
    browser.press("Remove slide 1").await;
    browser.says("Removed").await;
    browser.press("Copy slide 3").await;
    browser.press("Save · 15 credits").await;
    let arranged = visit.order_after(id, &first, 4).await;
    assert_eq!(arranged[..3], [first[2].clone(), first[0].clone(), first[3].clone()]);
    assert_eq!(balance().await, before - 15);

    browser.says("The slides were rearranged").await;
    browser.press("Undo").await;
    assert_eq!(visit.order_after(id, &arranged, 4).await, first);
    assert_eq!(balance().await, before - 15);
    browser.until("!document.body.innerText.includes('The slides were rearranged')").await;

    // Adds a slide with the user's own text.
    browser.press("Arrange slides").await;
    browser.press("Points").await;
    browser.find("//input[@aria-label='Headline']").await.write("Bring along").await;
    browser.find("//textarea[@aria-label='Points, one a line']").await.write("A pen\nPaper\nTime").await;
    let barriers = browser.barriers().await;
    assert!(barriers.is_empty(), "{barriers:#?}");
    browser.press("Save · 15 credits").await;
    let added = visit.order_after(id, &first, 5).await;
    let new = &visit.client.generation(id).await["outputs"][4];
    assert!(new["altText"].as_str().unwrap().contains("Bring along"), "{new:#}");
    browser.says("The slides were rearranged").await;
    browser.press("Undo").await;
    assert_eq!(visit.order_after(id, &added, 4).await, first);
    assert_eq!(balance().await, before - 30);
    browser.until("!document.body.innerText.includes('The slides were rearranged')").await;

    // With the keyboard only; a removed slide is restored.
    browser.press("Arrange slides").await;
    browser.until("document.querySelectorAll('[aria-label=\"Removed slides\"] .arrange-card').length === 2").await;
    browser.run("document.querySelector('[aria-label=\"Move back slide 1\"]').focus()").await;
    browser.key(ENTER).await;
    browser.until("document.activeElement.ariaLabel === 'Move back slide 2'").await;
    browser.press("Save · free").await;
    let moved = visit.order_after(id, &first, 4).await;
    assert_eq!(moved[..2], [first[1].clone(), first[0].clone()]);
    visit.has_no_complaints().await;
}

#[tokio::test]
async fn a_slide_is_deleted_in_words_and_the_next_one_is_shown() {
    let Some(visit) = Visit::signed_in().await else { return };
    let browser = &visit.browser;
    let carousel = json!({"outputFormats": ["instagram_carousel"], "carouselCounts": {"instagram_carousel": 4}});
    let made = visit.made(carousel).await;
    let id = made["id"].as_str().unwrap();
    let first: Vec<Value> = made["outputs"].as_array().unwrap().iter().map(|output| output["id"].clone()).collect();
    visit.go(&format!("/generations/{id}/outputs/{}", first[1].as_str().unwrap())).await;
    visit.propose("delete this slide").await;
    browser.press("Apply · free").await;
    assert_eq!(visit.order_after(id, &first, 3).await, [first[0].clone(), first[2].clone(), first[3].clone()]);
    browser.until(&format!("location.pathname.endsWith('/outputs/{}')", first[2].as_str().unwrap())).await;
    browser.find("//*[@aria-label='Slide 2 of 3']").await;
    visit.has_no_complaints().await;
}
