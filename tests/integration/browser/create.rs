//! Tests of creating images from a text, an idea and a PDF, with price and outline shown before anything is spent.

use serde_json::json;

use super::{TEXT, Visit};
use crate::repo;

impl Visit {
    /// Fills in the form with a text.
    pub(super) async fn write_content(&self) {
        let text = self.browser.field("Your text").await;
        text.clear().await;
        text.write(TEXT).await;
    }

    /// Chooses a format by its picture.
    async fn choose(&self, format: &str) {
        let search = self.browser.field("Search formats").await;
        search.clear().await;
        search.write(format).await;
        let named = format!("//label[.//input[@type='checkbox']][.//span[normalize-space()='{format}']]");
        self.browser.find(&named).await.click().await;
    }

    /// Creates the generation once the input has been uploaded.
    async fn create(&self) {
        let ready =
            "[...document.querySelectorAll('button')].some(b => b.textContent.startsWith('Create') && !b.disabled)";
        self.browser.until(ready).await;
        self.browser.press("Create ").await;
    }

    /// Waits until the generation's page reports that all images are done.
    async fn is_made(&self, images: usize) {
        self.browser.until("location.pathname.startsWith('/generations/')").await;
        self.browser.says("Completed").await;
        let newest = self.client.get("/api/generations?limit=1").await.json();
        assert_eq!(newest["generations"][0]["outputCount"], images);
    }
}

#[tokio::test]
async fn a_text_becomes_images_after_its_price_and_outline() {
    let Some(visit) = Visit::signed_in().await else { return };
    let browser = &visit.browser;
    visit.write_content().await;
    visit.choose("LinkedIn carousel").await;
    browser.press("Fewer slides of LinkedIn carousel").await;
    let default = visit.client.get("/api/formats").await.json()["formats"]
        .as_array()
        .and_then(|formats| formats.iter().find(|format| format["id"] == "linkedin_carousel"))
        .and_then(|format| format["slides"]["default"].as_u64())
        .unwrap();
    let (slides, cost) = (default - 1, 10 + 15 * (default - 1));
    browser.says(&format!("Create {} images · {cost} credits", slides + 1)).await;
    browser.press("See the outline").await;
    browser.says(&format!("LinkedIn carousel, slide {slides}")).await;
    browser.says("Sleep better").await;
    assert_eq!(visit.client.get("/api/credits/balance").await.json()["balance"], 10_000, "an outline costs nothing");

    // Style previews show the user's own text; the test chooses one.
    browser.until("document.querySelectorAll('main label img[src^=\"data:image\"]').length >= 8").await;
    browser.find("//label[.//input[@type='radio']][normalize-space()='Bold']").await.click().await;
    browser.until("document.querySelector('.stale')").await;
    browser.press("Create ").await;
    visit.is_made(1 + slides as usize).await;
    let newest = visit.client.get("/api/generations?limit=1").await.json();
    assert_eq!(
        (&newest["generations"][0]["visualStyle"], &newest["generations"][0]["creditsCharged"]),
        (&json!("bold"), &json!(cost))
    );
    visit.go("/").await;
    assert_eq!(browser.field("Your text").await.property("value").await, "", "the draft is done with");
    visit.has_no_complaints().await;
}

#[tokio::test]
async fn a_draft_stays_and_an_idea_is_made_by_keys() {
    let Some(visit) = Visit::signed_in().await else { return };
    let browser = &visit.browser;
    visit.write_content().await;
    visit.go("/library").await;
    visit.go("/").await;
    assert_eq!(browser.field("Your text").await.property("value").await, TEXT);
    browser.find("//label[normalize-space()='Idea']").await.click().await;
    let idea = browser.field("Your idea").await;
    idea.write("Three habits of calm teams: write decisions down, meet less, ship small").await;
    // Presses Control and Enter.
    idea.write("\u{E009}\u{E007}").await;
    visit.is_made(1).await;
    visit.has_no_complaints().await;
}

/// Returns the examples of the Idea tab, as displayed.
const EXAMPLES: &str = "return [...document.querySelectorAll('.create-example')].map(e => e.textContent)";

#[tokio::test]
async fn without_a_model_the_idea_tab_says_so_and_its_examples_fill_an_image() {
    let Some(visit) = Visit::signed_in().await else { return };
    let browser = &visit.browser;
    browser.find("//label[normalize-space()='Idea']").await.click().await;
    for words in ["no language model", "used as it is", "one a line", "--llm-base-url", "--llm-model"] {
        browser.says(words).await;
    }
    let barriers = browser.barriers().await;
    assert!(barriers.is_empty(), "{barriers:#?}");
    let examples = browser.run(EXAMPLES).await;
    let examples: Vec<&str> = examples.as_array().unwrap().iter().filter_map(|e| e.as_str()).collect();
    assert_eq!(examples.len(), 4, "an offer, an event, a quotation, a list");
    for idea in &examples {
        let formats = json!(["instagram_post", "instagram_story", "pinterest_pin"]);
        let body = json!({"inputType": "idea", "inputContent": idea, "outputFormats": formats});
        let answer = visit.client.post("/api/generations/estimate", &body).await;
        assert_eq!(answer.status, 200, "{idea}: {:#}", answer.json());
        let estimate = &answer.json()["estimate"];
        let codes: Vec<_> = estimate["warnings"].as_array().unwrap().iter().map(|w| w["code"].clone()).collect();
        assert_eq!(codes, ["copy_not_expanded"], "{idea}");
        let outputs = estimate["outputs"].as_array().unwrap();
        assert_eq!(outputs.len(), 3, "{idea}");
        for output in outputs {
            let texts = output["page"]["texts"].as_array().unwrap();
            assert!(texts.len() >= 2, "{idea}: a title alone fills no image: {texts:?}");
        }
    }
    browser.press(examples[0]).await;
    browser.press("See the outline").await;
    browser.says("“Summer sale”").await;
    visit.has_no_complaints().await;
}

#[tokio::test]
async fn an_outline_is_changed_before_it_is_made() {
    let Some(visit) = Visit::signed_in().await else { return };
    let browser = &visit.browser;
    visit.write_content().await;
    visit.choose("LinkedIn carousel").await;
    browser.press("See the outline").await;
    browser.says("LinkedIn carousel, slide 1").await;
    let slides =
        browser.run("return document.querySelectorAll('[data-format=linkedin_carousel] .create-page').length").await;
    let slides = slides.as_u64().unwrap();
    let headline = "[data-format=linkedin_carousel] .create-page[data-place='0'] textarea[data-field=headline]";
    let typed = |words: &str| {
        format!(
            "const field = document.querySelector(\"{headline}\"); field.focus(); field.value = '{words}'; \
             field.dispatchEvent(new Event('input', {{bubbles: true}})); field.dispatchEvent(new Event('change', {{bubbles: true}}))"
        )
    };
    browser.run(&typed("Rest well tonight")).await;
    browser.press("Add a slide after slide 1").await;
    // The new slide's headline has the focus.
    browser.until("document.activeElement.matches(\"[data-place='1'] textarea\")").await;
    browser.field("Slide 2: headline").await.write("Put the phone away").await;
    browser.says(&format!("Create {} images · {} credits", slides + 2, 10 + 15 * (slides + 1))).await;
    browser.press("Remove slide 3").await;
    browser.press("Undo").await;
    browser.says(&format!("Create {} images", slides + 2)).await;

    // The changed text is kept between visits.
    visit.go("/").await;
    browser.until(&format!("document.querySelector(\"{headline}\")?.value === 'Rest well tonight'")).await;
    browser.press("Create ").await;
    visit.is_made(slides as usize + 2).await;
    let newest = visit.client.get("/api/generations?limit=1&expand=outputs").await.json();
    let told = newest["generations"][0]["outputs"].to_string();
    assert!(told.contains("Rest well tonight") && told.contains("Put the phone away"), "{told}");
    visit.has_no_complaints().await;
}

#[tokio::test]
async fn with_a_model_the_idea_tab_offers_topics() {
    let model = ["--llm-base-url", "http://127.0.0.1:9/v1", "--llm-model", "none"];
    let Some(visit) = Visit::signed_in_with(&model).await else { return };
    visit.browser.find("//label[normalize-space()='Idea']").await.click().await;
    visit.browser.says("5 tips for better sleep").await;
    let page = visit.browser.run("return document.querySelector('main').innerText").await;
    assert!(!page.as_str().unwrap().contains("no language model"), "{page}");
    visit.has_no_complaints().await;
}

#[tokio::test]
async fn a_file_is_sent_removed_and_made_into_images() {
    let Some(visit) = Visit::signed_in().await else { return };
    let browser = &visit.browser;
    browser.find("//label[normalize-space()='File']").await.click().await;
    let path = repo::root().join("tests/data/sources/pdf/annual-report.pdf").display().to_string();
    browser.hidden("input[type=file]").await.write(&path).await;
    browser.press("Remove the file").await;
    browser.says("Drop a file here").await;
    browser.hidden("input[type=file]").await.write(&path).await;
    visit.create().await;
    browser.until("location.pathname.startsWith('/generations/')").await;
    browser.says("Completed").await;
    let newest = visit.client.get("/api/generations?limit=1").await.json();
    assert_eq!(newest["generations"][0]["inputType"], "pdf");
    visit.has_no_complaints().await;
}

#[tokio::test]
async fn pictures_are_sent_described_and_removed() {
    let Some(visit) = Visit::signed_in().await else { return };
    let browser = &visit.browser;
    visit.write_content().await;
    browser.find("//summary[.//h2[normalize-space()='Pictures']]").await.click().await;
    let path = |name: &str| repo::root().join("tests/data/pictures").join(name).display().to_string();
    let files = browser.hidden("#create-pictures").await;
    files.write(&path("sheer.png")).await;
    browser.says("1 picture").await;
    browser.hidden("#create-pictures").await.write(&path("chart-grey.png")).await;
    browser.says("2 pictures").await;
    browser.press("Remove chart-grey.png").await;
    browser.says("1 picture").await;
    browser.find("//input[@aria-label='What sheer.png shows']").await.write("A quiet bedroom").await;
    browser.field("Address of a picture").await.write("no address").await;
    browser.press("Add by address").await;
    browser.says("This is not a web address.").await;
    visit.create().await;
    browser.until("location.pathname.startsWith('/generations/')").await;
    browser.says("Completed").await;
    let newest = visit.client.get("/api/generations?limit=1").await.json();
    let id = newest["generations"][0]["id"].as_str().unwrap();
    let generation = visit.client.get(&format!("/api/generations/{id}")).await.json();
    // One picture is too small to use; the other was removed from the request.
    let codes: Vec<_> =
        generation["generation"]["warnings"].as_array().unwrap().iter().map(|warning| &warning["code"]).collect();
    assert_eq!(codes, ["photo_unavailable"], "{generation:#}");
    visit.has_no_complaints().await;
}

#[tokio::test]
async fn faults_are_told_beside_their_fields_and_nothing_is_lost() {
    let Some(visit) = Visit::signed_in().await else { return };
    let browser = &visit.browser;
    browser.find("//label[normalize-space()='Link']").await.click().await;
    browser.field("Address of the page").await.write("http://10.0.0.1/secret").await;
    browser.press("Create ").await;
    browser.until("document.querySelector('.field .fault')").await;
    assert_eq!(browser.field("Address of the page").await.property("value").await, "http://10.0.0.1/secret");
    assert_eq!(visit.client.get("/api/credits/balance").await.json()["balance"], 10_000);
    visit.has_no_complaints().await;
}

#[tokio::test]
async fn credits_that_are_gone_meanwhile_are_told_once() {
    let Some(visit) = Visit::signed_in().await else { return };
    let browser = &visit.browser;
    visit.write_content().await;
    // Simulates another member who spent the credits in the meantime.
    let late = "const own = window.fetch; window.fetch = (url, init) => init?.method === 'POST' && url.endsWith('/api/generations') \
        ? Promise.resolve(new Response(JSON.stringify({code: 'insufficient_credits', message: 'This takes 10 credits, and there are \
        3.', required: 10, available: 3}), {status: 402})) : own(url, init);";
    browser.run(late).await;
    visit.create().await;
    browser.says("you have 3").await;
    let notes = browser.run("return document.querySelectorAll('.create-summary .note').length").await;
    assert_eq!(notes, 1);
    assert_eq!(browser.run("return document.querySelectorAll('.toast').length").await, 0);
    visit.has_no_complaints().await;
}

#[tokio::test]
async fn a_fault_of_a_page_stands_beside_it() {
    let Some(visit) = Visit::signed_in().await else { return };
    let browser = &visit.browser;
    visit.write_content().await;
    visit.choose("LinkedIn carousel").await;
    browser.press("See the outline").await;
    browser.says("LinkedIn carousel, slide 1").await;
    let page = |place: usize| format!("[data-format=linkedin_carousel] .create-page[data-place='{place}']");
    let typed = |place: usize, words: &str| {
        format!(
            "const field = document.querySelector(\"{} [data-field=headline]\"); field.focus(); field.value = '{words}'; \
             field.dispatchEvent(new Event('input', {{bubbles: true}}))",
            page(place)
        )
    };
    let headed = "return [...document.querySelectorAll('[data-format=linkedin_carousel] .create-page')] \
        .filter(page => page.querySelector('[data-field=headline]')).map(page => Number(page.dataset.place))";
    let headed = browser.run(headed).await;
    let headed: Vec<usize> = headed.as_array().unwrap().iter().map(|place| place.as_u64().unwrap() as usize).collect();
    // The first text exceeds the maximum length, the second fits no layout.
    for (place, words) in [(headed[0], "x ".repeat(1_100)), (headed[1], "Seven hours of sleep ".repeat(70))] {
        browser.run(&typed(place, &words)).await;
        visit.create().await;
        browser.until(&format!("document.querySelector(\"{} .create-fault\")", page(place))).await;
        browser.until(&format!("document.activeElement.closest(\"{}\")", page(place))).await;
        let faults = browser.run("return document.querySelectorAll('.create-fault').length").await;
        assert_eq!(faults, 1, "slide {place}");
        let told = browser.run("return document.querySelector('.create-fault').innerText").await;
        assert!(!told.as_str().unwrap().to_lowercase().contains("outline["), "{told}");
        browser.until("document.activeElement.getAttribute('aria-describedby')?.startsWith('create-fault')").await;
        let barriers = browser.barriers().await;
        assert!(barriers.is_empty(), "{barriers:#?}");
        // The error disappears once the user types something else.
        browser.run(&typed(place, "Rest well")).await;
        browser.until("!document.querySelector('.create-fault')").await;
    }
    visit.has_no_complaints().await;
}
