//! Tests of the console in a real browser: every flow as a user goes through it, and the requirements that all pages
//! share.

mod account;
mod brands;
mod by_hand;
mod create;
mod designs;
mod doors;
mod driver;
mod edits;
mod fleet;
mod integrations;
mod library;
mod pages;
mod shots;
mod slides;
mod strips;

use std::time::Duration;

use serde_json::{Value, json};

use crate::e2e::UNHURRIED;
use crate::e2e::pages::Web;
use crate::people::PASSWORD;
use crate::service::{Client, Service};
use driver::{Browser, Programs};

/// The owner's login address.
const OWNER: &str = "owner@localhost";
/// The input of the generations in these tests.
const TEXT: &str = "# Sleep better\n\nSeven hours is the least that most adults need. 73 % of people who keep one bedtime fall \
    asleep faster.\n\n- Keep one bedtime, weekends too\n- No screens in the last hour\n- Cool the room to 18 °C\n- No coffee \
    after two in the afternoon\n- Get daylight in the morning\n";

/// A service, a browser, and an API client with the key of the first start, all for the same account.
struct Visit {
    _data: tempfile::TempDir,
    service: Service,
    browser: Browser,
    client: Client,
}

impl Visit {
    /// Starts a new service whose owner has a password and is logged in. `None` without a browser.
    async fn signed_in() -> Option<Self> {
        Self::signed_in_with(&[]).await
    }

    /// The same with additional settings.
    async fn signed_in_with(more: &[&str]) -> Option<Self> {
        let visit = Self::unknown(more).await?;
        let set = json!({"token": visit.link(), "password": PASSWORD});
        assert_eq!(Client::new(&visit.service.base, "").post("/console/api/password", &set).await.status, 204);
        visit.go("/login").await;
        visit.sign_in(OWNER).await;
        visit.browser.says("Make something worth reading").await;
        Some(visit)
    }

    /// Starts a new service that nobody has logged in to.
    async fn unknown(more: &[&str]) -> Option<Self> {
        let programs = Programs::find()?;
        let data = tempfile::tempdir().unwrap();
        let settings: Vec<&str> = UNHURRIED.iter().chain(more).copied().collect();
        let service = Service::start(data.path(), &settings);
        let (client, browser) = (service.client(), Browser::open(&programs).await);
        Some(Self { _data: data, service, browser, client })
    }

    /// Returns the link that the first start printed for the owner.
    fn link(&self) -> &str {
        let line = self.service.said.iter().find_map(|line| line.split_once("/welcome#"));
        line.expect("the first start prints a link").1
    }

    async fn go(&self, path: &str) {
        self.browser.go(&format!("{}{path}", self.service.base)).await;
    }

    /// Fills in and submits the login form.
    async fn sign_in(&self, email: &str) {
        self.browser.field("E-mail").await.write(email).await;
        self.browser.field("Password").await.write(PASSWORD).await;
        self.browser.press("Sign in").await;
    }

    /// Creates a generation and waits until it is completed.
    async fn made(&self, more: Value) -> Value {
        let mut body = json!({"inputType": "text", "inputContent": TEXT, "outputFormats": ["instagram_post"]});
        for (name, value) in more.as_object().into_iter().flatten() {
            body[name] = value.clone();
        }
        self.client.completed(&body).await
    }

    /// Starts a logged-in visit with a generation that failed, because the web page it was made from returned `status`.
    async fn with_a_failure(status: &'static str) -> Option<(Self, String)> {
        let web = Web::start(move |_| (format!("{status}\r\nContent-Length: 0\r\nConnection: close"), Vec::new()));
        let visit = Self::signed_in_with(&["--allow-host", &web.address().to_string()]).await?;
        let body = json!({"inputType": "url", "inputUrl": web.url("/gone"), "outputFormats": ["instagram_post"]});
        let made = visit.client.post("/api/generations", &body).await.json();
        let id = made["generation"]["id"].as_str().unwrap_or_else(|| panic!("{made}")).to_owned();
        while visit.client.get(&format!("/api/generations/{id}")).await.json()["generation"]["status"] != "failed" {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        Some((visit, id))
    }

    /// Asserts that the browser console has no errors.
    async fn has_no_complaints(&self) {
        let complaints = self.browser.complaints().await;
        assert!(complaints.is_empty(), "{complaints:#?}");
    }
}
