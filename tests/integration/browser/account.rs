//! Tests of the account page and the credits page: the member, its sessions, other members, and the ledger.

use serde_json::json;

use super::{OWNER, Visit};
use crate::people::PASSWORD;

#[tokio::test]
async fn somebody_is_invited_and_comes_in() {
    let Some(visit) = Visit::signed_in().await else { return };
    let browser = &visit.browser;
    visit.go("/account").await;
    browser.press("Invite somebody").await;
    browser.field("E-mail").await.write("ben@example.org").await;
    browser.field("Name").await.write("Ben").await;
    browser.find("//dialog//button[@type='submit']").await.click().await;
    let link = "document.querySelector('dialog[open] .secret code')?.textContent ?? ''";
    browser.until(&format!("({link}).includes('/welcome#')")).await;
    let link = browser.run(&format!("return {link}")).await.as_str().unwrap().to_owned();
    browser.press("Copy").await;
    browser.press("Done").await;
    browser.says("ben@example.org").await;

    browser.press("Sign out").await;
    browser.until("location.pathname === '/login'").await;
    browser.go(&link).await;
    browser.field("Password").await.write(PASSWORD).await;
    browser.field("The same again").await.write(PASSWORD).await;
    browser.press("Set the password").await;
    browser.says("Make something worth reading").await;
    // A member who is not staff can't open the service page.
    visit.go("/fleet").await;
    browser.says("This page is not here").await;
    visit.has_no_complaints().await;
}

#[tokio::test]
async fn a_password_is_changed_and_other_sessions_end() {
    let Some(visit) = Visit::signed_in().await else { return };
    let browser = &visit.browser;
    let other = crate::people::Seat::log_in(&visit.service, OWNER).await;
    visit.go("/account").await;
    browser.field("Current password").await.write("not the password").await;
    browser.field("New password").await.write("a much better password").await;
    browser.find("//form[.//input[@autocomplete='new-password']]//button[@type='submit']").await.click().await;
    browser.until("document.querySelector('main [role=alert], main .fault')").await;
    let current = browser.field("Current password").await;
    current.clear().await;
    current.write(PASSWORD).await;
    browser.find("//form[.//input[@autocomplete='new-password']]//button[@type='submit']").await.click().await;
    browser.says("The password is changed.").await;
    browser.until("!document.querySelector('main [aria-invalid=true]')").await;
    assert_eq!(other.get("/console/api/session").await.status, 401);
    // The page continues with the new session.
    visit.go("/account").await;
    browser.says(OWNER).await;
    visit.has_no_complaints().await;
}

#[tokio::test]
async fn the_ledger_says_where_credits_went() {
    let Some(visit) = Visit::signed_in().await else { return };
    visit.made(json!({"title": "Quiet rooms"})).await;
    visit.go("/credits").await;
    visit.browser.says("9,990").await;
    visit.browser.says("Quiet rooms").await;
    visit.browser.until("document.querySelector('main canvas')").await;
    visit.browser.press("As a table").await;
    visit.browser.press("Quiet rooms").await;
    visit.browser.until("location.pathname.startsWith('/generations/')").await;
    visit.has_no_complaints().await;
}

#[tokio::test]
async fn the_ledger_pages_by_what_people_read() {
    let Some(visit) = Visit::signed_in().await else { return };
    let browser = &visit.browser;
    // A carousel has several ledger entries, but one row.
    let body = json!({"inputType": "text", "inputContent": super::TEXT, "outputFormats": ["instagram_carousel"],
        "carouselCounts": {"instagram_carousel": 3}});
    let made = futures::future::join_all((0..22).map(|_| visit.client.create(&body))).await;
    for generation in made {
        visit.client.finished(generation["id"].as_str().unwrap()).await;
    }
    visit.go("/credits").await;
    let rows = |n: usize| format!("document.querySelectorAll('.credits-ledger tbody tr').length === {n}");
    browser.until(&rows(20)).await;
    let paid = "[...document.querySelectorAll('.credits-ledger tbody tr')].slice(0, 20).every(row => \
        row.innerText.includes('Paid · 3\u{a0}images') && row.innerText.includes('−45'))";
    browser.until(paid).await;
    browser.press("Show more").await;
    // The two remaining carousels, and the account's initial and monthly credits.
    browser.until(&rows(24)).await;
    browser.until("document.querySelector('.credits-more').hidden").await;
    let barriers = browser.barriers().await;
    assert!(barriers.is_empty(), "{barriers:#?}");
    visit.has_no_complaints().await;
}
