//! The service as those see it who run it.

use super::Visit;

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
    browser.until("!document.querySelector('dialog[open]') || document.querySelector('dialog[open] [autofocus], dialog[open] .buttons')").await;
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
async fn failures_are_seen_with_their_reasons() {
    let Some((visit, _)) = Visit::with_a_failure().await else { return };
    visit.go("/fleet").await;
    visit.browser.until("!document.body.innerText.includes('Nothing failed')").await;
    visit.browser.says("first account").await;
    visit.has_no_complaints().await;
}
