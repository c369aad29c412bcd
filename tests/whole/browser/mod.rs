//! The console in a real browser: every flow as a person goes through it, and on every page what all pages must be.

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

/// The address that the owner signs in with.
const OWNER: &str = "owner@localhost";
/// What generations of these tests are made of.
const TEXT: &str = "# Sleep better\n\nSeven hours is the least that most adults need. 73 % of people who keep one bedtime fall \
    asleep faster.\n\n- Keep one bedtime, weekends too\n- No screens in the last hour\n- Cool the room to 18 °C\n- No coffee \
    after two in the afternoon\n- Get daylight in the morning\n";

/// A service, a browser, and a client with the key of the first start, for the same account.
struct Visit {
    _data: tempfile::TempDir,
    service: Service,
    browser: Browser,
    client: Client,
}

impl Visit {
    /// A fresh service whose owner has a password and is signed in; none without a browser.
    async fn signed_in() -> Option<Self> {
        Self::signed_in_with(&[]).await
    }

    /// The same, of a service with further settings.
    async fn signed_in_with(more: &[&str]) -> Option<Self> {
        let visit = Self::unknown(more).await?;
        let set = json!({"token": visit.link(), "password": PASSWORD});
        assert_eq!(Client::new(&visit.service.base, "").post("/console/api/password", &set).await.status, 204);
        visit.go("/login").await;
        visit.sign_in(OWNER).await;
        visit.browser.says("Make something worth reading").await;
        Some(visit)
    }

    /// A fresh service that nobody has signed in to.
    async fn unknown(more: &[&str]) -> Option<Self> {
        let programs = Programs::find()?;
        let data = tempfile::tempdir().unwrap();
        let settings: Vec<&str> = UNHURRIED.iter().chain(more).copied().collect();
        let service = Service::start(data.path(), &settings);
        let (client, browser) = (service.client(), Browser::open(&programs).await);
        Some(Self { _data: data, service, browser, client })
    }

    /// What the first start printed for the owner.
    fn link(&self) -> &str {
        let line = self.service.said.iter().find_map(|line| line.split_once("/welcome#"));
        line.expect("the first start prints a link").1
    }

    async fn go(&self, path: &str) {
        self.browser.go(&format!("{}{path}", self.service.base)).await;
    }

    /// Fills in the form of the page to sign in.
    async fn sign_in(&self, email: &str) {
        self.browser.field("E-mail").await.write(email).await;
        self.browser.field("Password").await.write(PASSWORD).await;
        self.browser.press("Sign in").await;
    }

    /// A generation of the account's, made and finished.
    async fn made(&self, more: Value) -> Value {
        let mut body = json!({"inputType": "text", "inputContent": TEXT, "outputFormats": ["instagram_post"]});
        for (name, value) in more.as_object().into_iter().flatten() {
            body[name] = value.clone();
        }
        self.client.completed(&body).await
    }

    /// A signed-in visit, and a generation that failed because the page that it was to be made of answers with `status`.
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

    /// Whether nothing went wrong in the browser.
    async fn has_no_complaints(&self) {
        let complaints = self.browser.complaints().await;
        assert!(complaints.is_empty(), "{complaints:#?}");
    }
}
