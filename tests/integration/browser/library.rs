//! Tests of the library and of a generation's page.

use std::time::Duration;

use serde_json::{Value, json};

use super::Visit;
use crate::e2e::pages::Web;

#[tokio::test]
async fn generations_are_found_by_words_and_filters() {
    let Some(visit) = Visit::signed_in().await else { return };
    let browser = &visit.browser;
    visit.go("/library").await;
    browser.until("document.querySelector('.empty')").await;
    visit.made(json!({"title": "Quiet rooms"})).await;
    visit.made(json!({"title": "Loud streets", "visualStyle": "bold"})).await;
    visit.go("/library").await;
    browser.says("Quiet rooms").await;
    browser
        .until("[...document.querySelectorAll('main img')].filter(i => i.complete && i.naturalWidth > 0).length >= 2")
        .await;
    // "/" focuses the search field.
    browser.key("/").await;
    browser.until("document.activeElement.type === 'search'").await;
    browser.find("//input[@type='search']").await.write("loud").await;
    browser
        .until("!document.body.innerText.includes('Quiet rooms') && document.body.innerText.includes('Loud streets')")
        .await;
    browser.until("location.search.includes('q=loud')").await;
    visit.go("/library?status=failed").await;
    browser.says("Nothing found").await;
    browser.press("Clear the filters").await;
    browser.says("Quiet rooms").await;
    browser.press("Quiet rooms").await;
    browser.until("location.pathname.startsWith('/generations/')").await;
    visit.has_no_complaints().await;
}

#[tokio::test]
async fn words_that_stand_on_slides_are_found() {
    let Some(visit) = Visit::signed_in().await else { return };
    let browser = &visit.browser;
    visit.made(json!({"title": "Quiet rooms"})).await;
    // The kestrels come after the excerpt, so only the search in page texts finds them.
    let text = "# Birds of the coast\n\nFive birds that anybody can learn in a day.\n\n## Terns\n\nTerns dive for small eels \
        from a height of ten metres. They nest on shingle, and defend it with noise.\n\n## Curlews\n\nCurlews wait for the tide \
        to fall. Their long bills reach worms that no other bird can reach.\n\n## Plovers\n\nPlovers run, stop and look. On a \
        wet beach they find food by eye alone, even at night.\n\n## Gulls\n\nGulls follow ploughs and ships. They drop shells \
        on rocks until these break.\n\n## Kestrels\n\nA kestrel hovers over the dunes and looks for voles.\n";
    assert!(text.find("kestrel").unwrap() > 420);
    let carousel = json!({"inputContent": text, "outputFormats": ["instagram_carousel"], "carouselCounts": {"instagram_carousel": 6}});
    let made = visit.made(carousel).await;
    let said: String = made["outputs"].as_array().unwrap().iter().map(|o| o["altText"].as_str().unwrap()).collect();
    assert!(said.contains("kestrel"), "{said}");
    visit.go("/library").await;
    browser.says("Quiet rooms").await;
    browser.find("//input[@type='search']").await.write("KESTREL hovers").await;
    browser
        .until("!document.body.innerText.includes('Quiet rooms') && document.body.innerText.includes('Birds of the coast')")
        .await;
    // The search finds words that an edit added to a slide, and no longer those that it removed.
    let of_kestrels = |o: &&Value| o["altText"].as_str().unwrap().contains("kestrel");
    let output = made["outputs"].as_array().unwrap().iter().find(of_kestrels).unwrap()["id"].as_str().unwrap();
    let (id, found) = (made["id"].as_str().unwrap(), "return document.querySelectorAll('.library-card').length");
    let page = format!("/api/images/{id}/outputs/{output}/page");
    let read = visit.client.get(&page).await.json();
    let changed = read["page"].as_str().unwrap().replace("kestrel", "buzzard").replace("Kestrel", "Buzzard");
    let put = json!({"page": changed, "version": read["version"]});
    assert_eq!(
        visit.client.send(visit.client.request("PUT", &page).json(&put)).await.unwrap().status,
        200,
        "{changed}"
    );
    for (words, cards) in [("kestrel", 0), ("buzzard", 1)] {
        visit.go(&format!("/library?q={words}")).await;
        assert_eq!(browser.run(found).await, cards, "{words}");
    }
    visit.has_no_complaints().await;
}

#[tokio::test]
async fn a_generation_is_renamed_in_the_library_and_on_its_page() {
    let Some(visit) = Visit::signed_in().await else { return };
    let browser = &visit.browser;
    let made = visit.made(json!({"title": "Quiet rooms"})).await;
    let path = format!("/api/generations/{}", made["id"].as_str().unwrap());
    let title = async || visit.client.get(&path).await.json()["generation"]["title"].take();
    let call = async |name: &str| {
        browser.press("Rename").await;
        let field = browser.field("Title").await;
        field.clear().await;
        field.write(name).await;
        browser.key("\u{E007}").await;
        browser.until("!document.querySelector('dialog[open]')").await;
    };
    visit.go("/library").await;
    call("Still rooms").await;
    browser.until("document.querySelector('.library-title').textContent === 'Still rooms'").await;
    browser.until("document.activeElement.classList.contains('library-rename')").await;
    assert_eq!(title().await, "Still rooms");
    browser.press("Still rooms").await;
    browser.until("document.querySelector('h1').textContent === 'Still rooms'").await;
    let long = "Donaudampfschifffahrt".repeat(9);
    call(&long).await;
    browser.until("document.title.startsWith('Donaudampf')").await;
    assert_eq!(title().await, long);
    // A title that is a single word of nearly the maximum length doesn't overflow the window.
    for path in ["/library", &format!("/generations/{}", made["id"].as_str().unwrap())] {
        visit.go(path).await;
        browser.device(390, 844, "light").await;
        browser.until("document.documentElement.scrollWidth <= innerWidth").await;
        browser.device(1280, 900, "light").await;
    }
    call("").await;
    browser.until("document.querySelector('h1').textContent === 'Quiet rooms'").await;
    visit.has_no_complaints().await;
}

#[tokio::test]
async fn a_generation_shows_all_that_is_known_of_it() {
    let Some(visit) = Visit::signed_in().await else { return };
    let browser = &visit.browser;
    let generation =
        visit.made(json!({"outputFormats": ["instagram_post", "instagram_carousel"], "carouselCounts": {"instagram_carousel": 3}})).await;
    let id = generation["id"].as_str().unwrap();
    visit.go(&format!("/generations/{id}")).await;
    browser.until("[...document.querySelectorAll('main img')].some(i => i.complete && i.naturalWidth > 600)").await;
    let alt = generation["outputs"][0]["altText"].as_str().unwrap();
    browser.says(alt).await;
    browser.press("Where each statement comes from").await;
    browser.says("Word for word from the input").await;
    browser.press("Design checks").await;
    browser.until("document.querySelector('main table')").await;

    // Downloads a single image, and all images as one file.
    let fetched = "const a = [...document.querySelectorAll('a[download]')]; const sizes = []; for (const one of a) { const r = await \
        fetch(one.href); if (!r.ok) throw r.status; sizes.push([r.headers.get('content-type'), (await r.arrayBuffer()).byteLength]); } \
        return sizes;";
    let sizes = browser.run_async(fetched).await;
    let kinds: Vec<_> = sizes.as_array().unwrap().iter().map(|s| s[0].as_str().unwrap().to_owned()).collect();
    assert!(kinds.contains(&"image/png".to_owned()), "{sizes}");
    let files = "const kinds = []; for (const [format, size] of [['pdf', 4], ['zip', 5]]) { const { url } = await (await \
        fetch(`/api/generations/${location.pathname.split('/')[2]}/export?format=${format}`)).json(); const r = await \
        fetch(new URL(url).pathname + new URL(url).search); kinds.push(r.headers.get('content-type')); } return kinds;";
    assert_eq!(browser.run_async(files).await, json!(["application/pdf", "application/zip"]));
    browser.press("Download all").await;
    browser.says("PDF").await;
    browser.says("ZIP").await;
    browser.press("Copy URL").await;
    browser.says("is copied").await;

    // Moves through the slides with keys and buttons.
    visit.go(&format!("/generations/{id}")).await;
    browser.press("Next").await;
    browser.press("Next").await;
    browser.says("2 of 3").await;
    // A scroll that stops halfway does not change the selection; a swipe does.
    let scroll = |to: &str| {
        format!(
            "const strip = document.querySelector('.generation-strip'); strip.scrollTo({{left: {to}, behavior: 'instant'}});"
        )
    };
    browser.run(&scroll("0")).await;
    tokio::time::sleep(Duration::from_millis(400)).await;
    browser.says("2 of 3").await;
    browser.run(&format!("{} strip.dispatchEvent(new WheelEvent('wheel'));", scroll("strip.scrollWidth"))).await;
    browser.says("3 of 3").await;
    visit.has_no_complaints().await;
}

#[tokio::test]
async fn a_generation_is_made_again_with_one_thing_changed() {
    let Some(visit) = Visit::signed_in().await else { return };
    let browser = &visit.browser;
    let generation = visit.made(json!({"visualStyle": "modern", "seed": 5})).await;
    let ways = [
        ("New style", Some("Elegant"), json!(["elegant", 5, ["instagram_post"]])),
        ("New formats", Some("Quote card"), json!(["modern", 5, ["quote_card"]])),
        ("New look", None, json!(["modern", null, ["instagram_post"]])),
    ];
    for (way, choice, expected) in ways {
        visit.go(&format!("/generations/{}", generation["id"].as_str().unwrap())).await;
        browser.press("Make it again").await;
        browser.find(&format!("//dialog//label[normalize-space()='{way}']")).await.click().await;
        if let Some(choice) = choice {
            browser.find(&format!("//dialog//label[starts-with(normalize-space(), '{choice}')]")).await.click().await;
        }
        browser.press("Create 1 image").await;
        let here = generation["id"].as_str().unwrap();
        browser
            .until(&format!("location.pathname.startsWith('/generations/') && !location.pathname.includes('{here}')"))
            .await;
        browser.says("Completed").await;
        let newest = visit.client.get("/api/generations?limit=1").await.json()["generations"][0].take();
        assert_eq!(newest["visualStyle"], expected[0], "{way}");
        assert_eq!(newest["seed"] == 5, expected[1] == 5, "{way}: {}", newest["seed"]);
        assert_eq!(newest["outputFormats"], expected[2], "{way}");
    }
    visit.has_no_complaints().await;
}

#[tokio::test]
async fn a_generation_that_is_made_again_keeps_its_edits_where_that_is_wanted() {
    let Some(visit) = Visit::signed_in().await else { return };
    let browser = &visit.browser;
    let generation = visit.made(json!({"visualStyle": "modern", "seed": 5})).await;
    let (here, output) = (generation["id"].as_str().unwrap(), &generation["outputs"][0]["id"]);
    let edit = format!("/api/images/{here}/edit");
    let prompt = json!({"outputId": output, "prompt": "change the headline to “Rest first”"});
    let mut prompt = prompt.as_object().unwrap().clone();
    let proposed = visit.client.post(&edit, &prompt.clone().into()).await.json();
    prompt.insert("confirmedInstruction".into(), proposed["refinedInstruction"].clone());
    assert_eq!(visit.client.post(&edit, &prompt.into()).await.status, 200);
    for kept in [true, false] {
        visit.go(&format!("/generations/{here}")).await;
        browser.press("Make it again").await;
        let choice = browser.find("//dialog//label[starts-with(normalize-space(), 'Keep the edits of 1 image')]").await;
        if !kept {
            choice.click().await;
        }
        browser.press("Create 1 image").await;
        browser
            .until(&format!("location.pathname.startsWith('/generations/') && !location.pathname.includes('{here}')"))
            .await;
        browser.says("Completed").await;
        let newest = visit.client.get("/api/generations?limit=1&expand=outputs").await.json()["generations"][0].take();
        let at = format!(
            "/api/images/{}/outputs/{}/page",
            newest["id"].as_str().unwrap(),
            newest["outputs"][0]["id"].as_str().unwrap()
        );
        let page = visit.client.get(&at).await.json();
        assert_eq!(page.to_string().contains("Rest first"), kept, "{page:#}");
    }
    visit.has_no_complaints().await;
}

#[tokio::test]
async fn more_like_this_makes_other_designs() {
    let Some(visit) = Visit::signed_in().await else { return };
    let browser = &visit.browser;
    let generation = visit.made(json!({"visualStyle": "modern", "seed": 5})).await;
    let here = generation["id"].as_str().unwrap();
    visit.go(&format!("/generations/{here}")).await;
    let buttons = "return [...document.querySelectorAll('.page-head button')].map(b => b.textContent.trim())";
    let buttons = browser.run(buttons).await;
    assert!(!buttons.to_string().contains("In another language"), "there is no language model: {buttons}");
    browser.press("More like this").await;
    browser.says("From 1 to 10 of each image.").await;
    browser.press("Create 3 images · 30 credits").await;
    browser
        .until(&format!("location.pathname.startsWith('/generations/') && !location.pathname.includes('{here}')"))
        .await;
    browser.says("Completed").await;
    browser.says("Made from").await;
    let newest = visit.client.get("/api/generations?limit=1&expand=outputs").await.json()["generations"][0].take();
    assert_eq!((&newest["parentId"], newest["outputs"].as_array().unwrap().len()), (&generation["id"], 3));
    visit.has_no_complaints().await;
}

#[tokio::test]
async fn what_failed_says_why_and_is_deleted() {
    let Some((visit, id)) = Visit::with_a_failure("404 Not Found").await else { return };
    let browser = &visit.browser;
    visit.go(&format!("/generations/{id}")).await;
    browser.says("Failed").await;
    browser.press("Delete").await;
    browser.find("//dialog//button[normalize-space()='Delete']").await.click().await;
    browser.until("location.pathname === '/library'").await;
    assert_eq!(visit.client.get(&format!("/api/generations/{id}")).await.status, 404);
    visit.has_no_complaints().await;
}

#[tokio::test]
async fn a_lost_connection_is_told_and_the_page_goes_on() {
    // The web page responds slowly, so the generation stays in progress meanwhile.
    let web = Web::start(|_| {
        std::thread::sleep(Duration::from_secs(9));
        ("200 OK\r\nContent-Type: text/plain\r\nConnection: close".into(), super::TEXT.into())
    });
    let Some(visit) = Visit::signed_in_with(&["--allow-host", &web.address().to_string()]).await else { return };
    let browser = &visit.browser;
    let body = json!({"inputType": "url", "inputUrl": web.url("/slow"), "outputFormats": ["instagram_post"]});
    let made = visit.client.create(&body).await;
    visit.go(&format!("/generations/{}", made["id"].as_str().unwrap())).await;
    browser.until("document.querySelector('.generation-stage')").await;
    browser.offline(true).await;
    browser.says("The connection to the service is lost").await;
    browser.offline(false).await;
    browser.says("Completed").await;
    browser
        .until("!document.body.innerText.includes('is lost') && document.querySelector('.generation-picture img')")
        .await;
}
