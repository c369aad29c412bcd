//! Tests of logging in and out.

use super::{OWNER, Visit};
use crate::people::PASSWORD;

#[tokio::test]
async fn the_link_of_the_first_start_sets_a_password_once() {
    let Some(visit) = Visit::unknown(&[]).await else { return };
    let browser = &visit.browser;
    visit.go(&format!("/welcome#{}", visit.link())).await;
    browser.field("Password").await.write(PASSWORD).await;
    browser.field("The same again").await.write("something else").await;
    browser.press("Set the password").await;
    browser.until("!document.getElementById('fault').hidden").await;
    let again = browser.field("The same again").await;
    again.clear().await;
    again.write(PASSWORD).await;
    browser.press("Set the password").await;
    // Setting the password also logs the member in.
    browser.until("location.pathname === '/'").await;
    browser.says("Make something worth reading").await;

    visit.go(&format!("/welcome#{}", visit.link())).await;
    browser.field("Password").await.write(PASSWORD).await;
    browser.field("The same again").await.write(PASSWORD).await;
    browser.press("Set the password").await;
    browser.until("!document.getElementById('fault').hidden").await;
    visit.has_no_complaints().await;
}

#[tokio::test]
async fn whoever_is_not_signed_in_signs_in_and_comes_back() {
    let Some(visit) = Visit::signed_in().await else { return };
    let browser = &visit.browser;
    browser.press("Sign out").await;
    browser.until("location.pathname === '/login'").await;
    visit.go("/library?status=failed").await;
    browser.until("location.pathname === '/login'").await;
    browser.field("E-mail").await.write(OWNER).await;
    browser.field("Password").await.write("not the password").await;
    browser.press("Sign in").await;
    browser.until("!document.getElementById('fault').hidden").await;
    let password = browser.field("Password").await;
    password.clear().await;
    password.write(PASSWORD).await;
    browser.press("Sign in").await;
    browser.until("location.pathname === '/library' && location.search === '?status=failed'").await;
    visit.has_no_complaints().await;
}

#[tokio::test]
async fn a_page_that_is_not_there_says_so_to_people_and_programs() {
    let Some(visit) = Visit::signed_in().await else { return };
    visit.go("/nowhere").await;
    visit.browser.says("This page is not here").await;
    visit.go("/generations/0192a0c4-0000-7000-8000-000000000000").await;
    visit.browser.says("This page is not here").await;
    let answer = visit.client.get("/nowhere").await;
    assert_eq!(answer.error(404, "not_found"), "not_found");
}
