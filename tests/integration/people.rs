//! Accounts with members, created before the service starts, and members in their browsers.

use coordinator::accounts::{Plan, Role, Scopes};
use coordinator::clock::Millis;
use coordinator::emails::Email;
use coordinator::state::{Account, Invitation, Store};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::service::{Answer, Client, Service};

/// The password of every member in these tests.
pub const PASSWORD: &str = "cold rooms sleep well";

/// An account with one key, and a member without a password.
pub struct Founded {
    /// The account's id.
    pub account: String,
    /// An API key of the account.
    pub key: String,
    /// The member's e-mail address.
    pub email: &'static str,
    /// The token of the member's link.
    pub link: String,
}

/// Creates an account for each e-mail address in the state of a stopped service. Each has a holder who was invited this
/// many seconds ago.
pub fn found(data: &TempDir, holders: &[(&'static str, u64)]) -> Vec<Founded> {
    let store = Store::open(&data.path().join("state")).unwrap();
    let found = |(address, ago): &(&'static str, u64)| {
        let now = Millis::now();
        let account = Account { name: (*address).into(), plan: Plan::Pro, active: true, created: now };
        let account = store.create_account(&account, 10_000).unwrap();
        let (_, key) = store.create_key(account, "k", Scopes::ALL, now).unwrap();
        let email = Email::parse(address).unwrap();
        let invited = store.invite_member(account, &email, "N", Role::Holder, now.minus_seconds(*ago)).unwrap();
        let Invitation::Made(invited) = invited else { panic!("{invited:?}") };
        Founded {
            account: account.to_string(),
            key: key.reveal().to_owned(),
            email: address,
            link: invited.token.reveal().to_owned(),
        }
    };
    holders.iter().map(found).collect()
}

/// A logged-in member with a browser.
#[derive(Clone)]
pub struct Seat {
    client: Client,
    /// The session cookie, including its name.
    pub cookie: String,
    /// The CSRF token.
    pub csrf: String,
}

impl Seat {
    /// Sets a member's password by its link, and logs in.
    pub async fn first(service: &Service, of: &Founded) -> Self {
        let client = Client::new(&service.base, "");
        let set = client.post("/console/api/password", &json!({"token": of.link, "password": PASSWORD})).await;
        assert_eq!(set.status, 204, "{}", String::from_utf8_lossy(&set.body));
        Self::log_in(service, of.email).await
    }

    /// Logs in.
    pub async fn log_in(service: &Service, email: &str) -> Self {
        let client = Client::new(&service.base, "");
        let answer = client.post("/console/api/session", &json!({"email": email, "password": PASSWORD})).await;
        assert_eq!(answer.status, 201, "{}", String::from_utf8_lossy(&answer.body));
        answer.has_headers();
        let cookie = answer.header("set-cookie");
        assert!(cookie.contains("; HttpOnly; SameSite=Strict"), "{cookie}");
        let cookie = cookie.split(';').next().unwrap().to_owned();
        Self { client, cookie, csrf: answer.json()["csrfToken"].as_str().unwrap().to_owned() }
    }

    /// Starts a request with the session, to be completed by the caller.
    pub fn request(&self, method: &str, path: &str) -> reqwest::RequestBuilder {
        self.client.request(method, path).header("Cookie", &self.cookie).header("X-CSRF-Token", &self.csrf)
    }

    /// Sends a GET request.
    pub async fn get(&self, path: &str) -> Answer {
        self.client.send(self.request("GET", path)).await.unwrap()
    }

    /// Sends a request with JSON.
    pub async fn send(&self, method: &str, path: &str, body: &Value) -> Answer {
        self.client.send(self.request(method, path).json(body)).await.unwrap()
    }
}
