//! Tests of the service page, as staff sees it.

use std::time::{Duration, Instant};

use serde_json::json;

use super::Visit;
use crate::nats::Server;
use crate::service::Worker;

#[tokio::test]
async fn staff_see_the_fleet_and_make_accounts() {
    let Some(visit) = Visit::signed_in().await else { return };
    let browser = &visit.browser;
    visit.go("/fleet").await;
    browser.says("This process").await;
    browser.says("first account").await;
    browser.says("Live").await;
    browser.press("New account").await;
    browser.field("Name").await.write("Ada & Sons").await;
    browser.find("//dialog//button[@type='submit']").await.click().await;
    // Wait for the response: leaving the page earlier could cancel the request.
    browser.says("“Ada & Sons” is there").await;
    visit.go("/fleet").await;
    browser.says("Ada & Sons").await;
    browser.press("Add credits to Ada & Sons").await;
    browser.field("Credits").await.write("250").await;
    browser.find("//dialog//button[@type='submit']").await.click().await;
    browser.until("!document.querySelector('dialog[open]')").await;
    let accounts =
        browser.run_async("return (await (await fetch('/console/api/service/accounts')).json()).accounts").await;
    let ada = accounts.as_array().unwrap().iter().find(|account| account["name"] == "Ada & Sons").unwrap();
    let path = format!("/console/api/service/accounts/{}", ada["id"].as_str().unwrap());
    let shown = browser.run_async(&format!("return await (await fetch('{path}')).json()")).await;
    assert_eq!(shown["account"]["credits"]["topupBalance"], 250, "{shown}");
    visit.has_no_complaints().await;
}

#[tokio::test]
async fn workers_are_shown_with_what_they_have() {
    let (Some(queue), store) = (Server::start(), tempfile::tempdir().unwrap()) else { return };
    let settings = ["--queue", queue.url.as_str(), "--store", store.path().to_str().unwrap()];
    let Some(visit) = Visit::signed_in_with(&settings).await else { return };
    visit.go("/fleet").await;
    visit.browser.says("No workers on other machines yet").await;
    let worker = Worker::start(&[], &[&settings[..], &["--name", "far", "--workers", "2"]].concat());
    visit.browser.says("far").await;
    let client = visit.service.client();
    let load = tokio::spawn(async move {
        for n in 0.. {
            let slides = json!({
                "inputType": "text", "inputContent": format!("Habits {n} of calm teams. Write decisions down. Meet less. Rest well."),
                "outputFormats": ["linkedin_carousel"], "carouselCounts": {"linkedin_carousel": 3},
            });
            client.create(&slides).await;
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    });
    let (shown, told) = (r"/\b[12] (plan|image)s?\b/", r"/^(Plan|Image \d) of [0-9a-f-]{36}, /");
    let titles = "[...document.querySelectorAll('[title]')]";
    let both = format!("{shown}.test(document.body.innerText) && {titles}.some(e => {told}.test(e.title))");
    // The page polls, and jobs may finish between two polls.
    let until = Instant::now() + Duration::from_secs(20);
    loop {
        visit.go("/fleet").await;
        visit.browser.says("2 slots busy").await;
        if visit.browser.run(&format!("return {both}")).await == true {
            break;
        }
        assert!(Instant::now() < until, "nobody is seen at work");
    }
    load.abort();
    visit.has_no_complaints().await;
    assert!(worker.stop().success());
}

#[tokio::test]
async fn failures_are_seen_with_their_reasons() {
    // Several workers retry a temporary failure before the job becomes a dead letter.
    let Some((visit, _)) = Visit::with_a_failure("503 Service Unavailable").await else { return };
    visit.go("/fleet").await;
    visit.browser.until("!document.body.innerText.includes('Nothing failed')").await;
    visit.browser.says("first account").await;
    // After a retry it fails again and becomes a dead letter a second time.
    let letters = async || {
        let script = "return (await (await fetch('/console/api/service')).json()).deadLetters.deadLetters";
        visit.browser.run_async(script).await.as_array().cloned().unwrap_or_default()
    };
    let before = letters().await;
    assert_eq!(before.len(), 1, "{before:?}");
    visit
        .browser
        .find("//section[.//h2[normalize-space()='Jobs given up']]//button[normalize-space()='Retry']")
        .await
        .click()
        .await;
    loop {
        let now = letters().await;
        if now.first().is_some_and(|letter| letter["givenUpAt"] != before[0]["givenUpAt"]) {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    visit.has_no_complaints().await;
}
