//! Accounts with members, as they are before the service starts, and members at their browsers.

use coordinator::accounts::{Plan, Role, Scopes};
use coordinator::clock::Millis;
use coordinator::emails::Email;
use coordinator::state::{Account, Invitation, Store};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::service::{Answer, Client, Service};

/// The password of every member here.
pub const PASSWORD: &str = "cold rooms sleep well";

/// An account, one key of it, and a member without a password yet.
pub struct Founded {
    /// The account's id.
    pub account: String,
    /// An API key of it.
    pub key: String,
    /// The member's e-mail address.
    pub email: &'static str,
    /// What opens the member's link.
    pub link: String,
}

/// Makes an account for each e-mail address in the state of a service that isn't running, each with a holder who was
/// invited so many seconds ago.
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

/// A member at a browser.
#[derive(Clone)]
pub struct Seat {
    client: Client,
    /// The session's cookie, with its name.
    pub cookie: String,
    /// What requests that change something prove themselves by.
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

    /// A request of the session, to be finished by the caller.
    pub fn request(&self, method: &str, path: &str) -> reqwest::RequestBuilder {
        self.client.request(method, path).header("Cookie", &self.cookie).header("X-CSRF-Token", &self.csrf)
    }

    /// GET.
    pub async fn get(&self, path: &str) -> Answer {
        self.client.send(self.request("GET", path)).await.unwrap()
    }

    /// Any request with JSON.
    pub async fn send(&self, method: &str, path: &str, body: &Value) -> Answer {
        self.client.send(self.request(method, path).json(body)).await.unwrap()
    }
}
