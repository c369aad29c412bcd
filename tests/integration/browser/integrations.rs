//! Tests of the integrations page: API keys, code examples, webhooks.

use serde_json::json;

use super::Visit;
use crate::e2e::pages::Web;
use crate::service::Client;

/// Returns the secret in the open dialog.
const SECRET: &str = "document.querySelector('dialog[open] .secret code')?.textContent ?? ''";

impl Visit {
    async fn secret(&self, prefix: &str) -> String {
        self.browser.until(&format!("({SECRET}).startsWith('{prefix}')")).await;
        self.browser.run(&format!("return {SECRET}")).await.as_str().unwrap().to_owned()
    }
}

#[tokio::test]
async fn a_key_is_made_shown_once_rotated_and_revoked() {
    let Some(visit) = Visit::signed_in().await else { return };
    let browser = &visit.browser;
    visit.go("/integrations").await;
    browser.press("API Keys").await;
    browser.press("New key").await;
    browser.press("Make the key").await;
    browser.says("Give the key a name.").await;
    browser.field("Name").await.write("newsletter").await;
    browser.press("Make the key").await;
    let key = visit.secret("vd_").await;
    let client = Client::new(&visit.service.base, &key);
    assert_eq!(client.get("/api/generations").await.status, 200);
    browser.press("Copy").await;
    browser.says("Copied").await;
    browser.press("Done").await;
    browser.says("newsletter").await;

    // Neither the page nor the data it loads later contains the secret again.
    visit.go("/integrations").await;
    browser.says("newsletter").await;
    let shown = browser.run("return document.documentElement.outerHTML").await;
    assert!(!shown.as_str().unwrap().contains(&key));

    browser.press("What newsletter did").await;
    browser.says("Requests").await;
    browser.press("Close").await;
    browser.press("Rotate newsletter").await;
    browser.press("Make the new key").await;
    let next = visit.secret("vd_").await;
    assert_ne!(next, key);
    browser.press("Copy").await;
    browser.press("Done").await;
    let next = Client::new(&visit.service.base, &next);
    assert_eq!((client.get("/api/generations").await.status, next.get("/api/generations").await.status), (200, 200));

    visit.go("/integrations").await;
    browser.press("Revoke newsletter").await;
    browser.press("Revoke the key").await;
    browser.until("document.body.innerText.includes('that ended')").await;
    let refused = [client.get("/api/generations").await.status, next.get("/api/generations").await.status];
    assert!(refused.contains(&401), "{refused:?}");
    visit.has_no_complaints().await;
}

#[tokio::test]
async fn code_to_paste_names_this_server() {
    let Some(visit) = Visit::signed_in().await else { return };
    visit.go("/integrations").await;
    for language in ["curl", "JavaScript", "Python", "Rust"] {
        visit.browser.find(&format!("//label[normalize-space()='{language}']")).await.click().await;
        let shown = "[...document.querySelectorAll('pre')].filter(p => p.offsetParent).map(p => p.textContent).join()";
        visit.browser.until(&format!("({shown}).includes({})", json!(visit.service.base))).await;
        visit.browser.until(&format!("({shown}).includes('VIVID_API_KEY')")).await;
    }
    let links = "[...document.querySelectorAll('main a')].map(a => new URL(a.href).pathname)";
    visit.browser.until(&format!("({links}).includes('/docs') && ({links}).includes('/openapi.json')")).await;
}

#[tokio::test]
async fn a_webhook_is_told_and_its_deliveries_are_seen() {
    let web = Web::start(|_| ("200 OK\r\nContent-Length: 0\r\nConnection: close".into(), Vec::new()));
    let host = web.address().to_string();
    let Some(visit) = Visit::signed_in_with(&["--allow-host", &host]).await else { return };
    let browser = &visit.browser;
    visit.go("/integrations#webhooks").await;
    browser.press("New webhook").await;
    browser.field("Address").await.write("https://10.0.0.1/told").await;
    browser.press("Add the webhook").await;
    browser.until("document.querySelector('dialog .fault')").await;
    let address = browser.field("Address").await;
    address.clear().await;
    address.write(&web.url("/told")).await;
    browser.press("Add the webhook").await;
    visit.secret("whsec_").await;
    browser.press("Copy").await;
    browser.press("Done").await;
    visit.made(json!({})).await;
    while web.times_asked("/told") == 0 {
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    browser.press("What was sent to").await;
    browser.says("Delivered").await;
    browser.press("Close").await;
    browser.press("Delete the webhook to").await;
    browser.press("Delete the webhook").await;
    browser.says("No webhook yet").await;
    visit.has_no_complaints().await;
}
