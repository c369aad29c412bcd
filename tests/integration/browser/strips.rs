//! Tests of slide strips and the overview: each is one tab stop, and arrow keys follow the language's direction.

use serde_json::{Value, json};

use super::Visit;

const LEFT: &str = "\u{E012}";
const RIGHT: &str = "\u{E014}";
const DOWN: &str = "\u{E015}";
const END: &str = "\u{E010}";
const HOME: &str = "\u{E011}";
const ENTER: &str = "\u{E007}";
const ARABIC: &str = "# النوم الجيد\n\nسبع ساعات هي أقل ما يحتاجه معظم البالغين.\n\n- حافظ على موعد نوم واحد حتى في عطلة نهاية الأسبوع\n\
    - لا شاشات في الساعة الأخيرة\n- برّد الغرفة إلى ثماني عشرة درجة\n- لا قهوة بعد الثانية ظهراً\n";

impl Visit {
    async fn carousel(&self, more: Value) -> Value {
        let mut body = json!({"outputFormats": ["instagram_carousel"], "carouselCounts": {"instagram_carousel": 4}});
        for (name, value) in more.as_object().into_iter().flatten() {
            body[name] = value.clone();
        }
        self.made(body).await
    }

    /// Presses keys one after another. After each key, waits until the slide with that number has the focus.
    async fn walks(&self, keys: &[(&str, usize)]) {
        for (key, slide) in keys {
            self.browser.key(key).await;
            let words = format!("lide {slide} of 4");
            self.browser.until(&format!("document.activeElement.ariaLabel?.includes({})", json!(words))).await;
        }
    }

    async fn has_one_stop(&self, strip: &str) {
        let stops = format!(
            "return [...document.querySelectorAll('{strip} a, {strip} button')].filter(e => e.tabIndex === 0).length"
        );
        assert_eq!(self.browser.run(&stops).await, 1, "{strip}");
        self.browser.run(&format!("document.querySelector('{strip} [tabindex=\"0\"]').focus()")).await;
    }
}

#[tokio::test]
async fn a_strip_is_one_tab_stop_and_runs_as_its_language_does() {
    let Some(visit) = Visit::signed_in().await else { return };
    for (text, on, back) in [(super::TEXT, RIGHT, LEFT), (ARABIC, LEFT, RIGHT)] {
        let made = visit.carousel(json!({"inputContent": text})).await;
        let id = made["id"].as_str().unwrap();
        visit.go(&format!("/generations/{id}")).await;
        for strip in [".generation-strip", ".generation-film"] {
            visit.has_one_stop(strip).await;
            visit.walks(&[(on, 2), (on, 3), (back, 2), (END, 4), (on, 4), (HOME, 1)]).await;
        }
        let first = "document.querySelector('.generation-cell').getBoundingClientRect().left";
        let second = "document.querySelector('.generation-cell + .generation-cell').getBoundingClientRect().left";
        let order = if on == RIGHT { "<" } else { ">" };
        visit.browser.until(&format!("{first} {order} {second}")).await;
        let output = made["outputs"][0]["id"].as_str().unwrap();
        visit.go(&format!("/generations/{id}/outputs/{output}")).await;
        visit.has_one_stop(".image-slides").await;
        visit.walks(&[(on, 2), (DOWN, 3), (back, 2)]).await;
        visit.browser.key(ENTER).await;
        visit.browser.find("//*[@aria-current='page'][@aria-label='Slide 2 of 4']").await;
    }
    visit.has_no_complaints().await;
}

#[tokio::test]
async fn the_overview_shows_all_images_and_is_remembered() {
    let Some(visit) = Visit::signed_in().await else { return };
    let browser = &visit.browser;
    let made = visit.carousel(json!({})).await;
    visit.go(&format!("/generations/{}", made["id"].as_str().unwrap())).await;
    browser.find("//label[normalize-space()='Overview']").await.click().await;
    browser.until("location.search === '?view=grid'").await;
    browser
        .until("[...document.querySelectorAll('.generation-tile img')].filter(i => i.complete && i.naturalWidth > 0).length === 4")
        .await;
    let barriers = browser.barriers().await;
    assert!(barriers.is_empty(), "{barriers:#?}");
    visit.has_one_stop(".generation-overview").await;
    visit.walks(&[(RIGHT, 2), (RIGHT, 3), (LEFT, 2), (END, 4), (HOME, 1), (RIGHT, 2)]).await;
    browser.run("location.reload()").await;
    browser
        .until("document.querySelector('.generation-overview') && document.querySelector('.generation-strip').hidden")
        .await;
    visit.has_one_stop(".generation-overview").await;
    visit.walks(&[(RIGHT, 2), (RIGHT, 3)]).await;
    browser.key(ENTER).await;
    browser.until("location.hash === '#3' && location.search === ''").await;
    browser.until("!document.querySelector('.generation-strip').hidden").await;
    browser.says("3 of 4").await;
    visit.has_no_complaints().await;
}
