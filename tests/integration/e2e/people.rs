//! Tests of members in the console: login, keys, links.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::UNHURRIED;
use crate::people::{Founded, PASSWORD, Seat, found};
use crate::service::{Client, Service};

/// Timeout for conditions that must become true.
const PATIENCE: Duration = Duration::from_secs(60);

/// Starts a service with an account whose holder is logged in.
async fn with_holder(more: &[&str]) -> (tempfile::TempDir, Service, Founded, Seat) {
    let data = tempfile::tempdir().unwrap();
    let ann = found(&data, &[("ann@example.org", 0)]).remove(0);
    let service = Service::start(data.path(), more);
    let seat = Seat::first(&service, &ann).await;
    (data, service, ann, seat)
}

fn client(service: &Service, key: &Value) -> Client {
    Client::new(&service.base, key.as_str().unwrap())
}

#[tokio::test]
async fn a_member_logs_in_works_and_logs_out() {
    let (data, service, ann, seat) = with_holder(&UNHURRIED).await;
    let here = seat.get("/console/api/session").await.json();
    assert_eq!((&here["member"]["email"], &here["account"]["id"]), (&json!(ann.email), &json!(ann.account)));
    assert_eq!(here["csrfToken"], seat.csrf);

    // Requests that change something require the CSRF token, in the console and in the API.
    let text = json!({"inputType": "text", "inputContent": "Cool the room to 18 °C.", "outputFormats": ["ad_mpu"]});
    let bare = Client::new(&service.base, "");
    for (path, body) in [("/console/api/keys", json!({"name": "shop"})), ("/api/generations", text.clone())] {
        let without = bare.request("POST", path).header("Cookie", &seat.cookie).json(&body);
        let refused = bare.send(without).await.unwrap();
        assert_eq!(refused.error(403, "permission_error"), "csrf_token_invalid");
        let elsewhere = seat.request("POST", path).header("Origin", "https://evil.example").json(&body);
        assert_eq!(bare.send(elsewhere).await.unwrap().error(403, "permission_error"), "origin_not_allowed");
        let own = seat.request("POST", path).header("Origin", &service.base).header("Sec-Fetch-Site", "same-origin");
        let status = bare.send(own.json(&body)).await.unwrap().status;
        assert!([201, 202].contains(&status), "{status}");
    }
    let made = seat.get("/api/generations").await.json();
    assert_eq!(made["generations"].as_array().unwrap().len(), 1);
    assert_eq!(
        Client::new(&service.base, &ann.key).get("/api/generations").await.json()["generations"][0]["id"],
        made["generations"][0]["id"],
        "the session's account is the key's"
    );

    // Sessions survive a restart.
    assert!(service.stop().success());
    let service = Service::start(data.path(), &UNHURRIED);
    let again = Client::new(&service.base, "");
    let look = || again.request("GET", "/console/api/session").header("Cookie", &seat.cookie);
    assert_eq!(again.send(look()).await.unwrap().status, 200);
    let out = again.request("DELETE", "/console/api/session").header("Cookie", &seat.cookie);
    let out = again.send(out.header("X-CSRF-Token", &seat.csrf)).await.unwrap();
    assert_eq!(out.status, 204);
    assert_eq!(again.send(look()).await.unwrap().error(401, "authentication_error"), "session_invalid");
}

#[tokio::test]
async fn keys_are_rotated_with_a_grace_and_revoked_at_once() {
    let (_data, service, _ann, seat) = with_holder(&UNHURRIED).await;
    let make = async |name: &str| {
        let made = seat.send("POST", "/console/api/keys", &json!({"name": name})).await;
        assert_eq!(made.status, 201, "{}", String::from_utf8_lossy(&made.body));
        let made = made.json();
        (format!("/console/api/keys/{}", made["key"]["id"].as_str().unwrap()), client(&service, &made["secret"]))
    };
    let rotate = async |path: &str, grace_s: u32| {
        let rotated = seat.send("POST", &format!("{path}/rotate"), &json!({"graceSeconds": grace_s})).await;
        assert_eq!(rotated.status, 201, "{}", String::from_utf8_lossy(&rotated.body));
        client(&service, &rotated.json()["secret"])
    };
    let (path, old) = make("long").await;
    let new = rotate(&path, 3600).await;
    assert_eq!((old.get("/api/brands").await.status, new.get("/api/brands").await.status), (200, 200));
    assert_eq!(seat.send("DELETE", &path, &Value::Null).await.status, 204);
    assert_eq!(old.get("/api/brands").await.error(401, "authentication_error"), "api_key_revoked");
    assert_eq!(new.get("/api/brands").await.status, 200);

    let (path, old) = make("short").await;
    let new = rotate(&path, 1).await;
    let until = Instant::now() + PATIENCE;
    while old.get("/api/brands").await.status == 200 {
        assert!(Instant::now() < until, "the grace has no end");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(old.get("/api/brands").await.error(401, "authentication_error"), "api_key_revoked");
    assert_eq!(new.get("/api/brands").await.status, 200);

    let (path, old) = make("none").await;
    rotate(&path, 0).await;
    assert_eq!(old.get("/api/brands").await.error(401, "authentication_error"), "api_key_revoked");
}

#[tokio::test]
async fn what_a_key_did_is_there_after_a_restart() {
    let (data, service, ann, _) = with_holder(&UNHURRIED).await;
    let keyed = Client::new(&service.base, &ann.key);
    for _ in 0..6 {
        assert_eq!(keyed.get("/api/brands").await.status, 200);
    }
    let text = json!({"inputType": "text", "inputContent": "Cool the room to 18 °C.", "outputFormats": ["ad_mpu"]});
    keyed.create(&text).await;
    assert!(service.stop().success());

    let service = Service::start(data.path(), &UNHURRIED);
    let seat = Seat::log_in(&service, ann.email).await;
    let keys = seat.get("/console/api/keys").await.json();
    assert!(keys["keys"][0]["lastUsedAt"].is_string(), "{keys:#}");
    let path = format!("/console/api/keys/{}/usage", keys["keys"][0]["id"].as_str().unwrap());
    let usage = seat.get(&path).await.json();
    let sum = |name: &str| {
        let days = usage["usage"].as_array().unwrap().iter();
        days.map(|day| day[name].as_u64().unwrap()).sum::<u64>()
    };
    assert_eq!((sum("requests"), sum("generations"), sum("credits")), (7, 1, 10), "{usage:#}");
}

#[tokio::test]
async fn a_link_sets_a_password_once_and_not_after_a_week() {
    const WEEK_S: u64 = 7 * 24 * 3600;
    let data = tempfile::tempdir().unwrap();
    let founded = found(&data, &[("ann@example.org", 0), ("late@example.org", WEEK_S)]);
    let service = Service::start(data.path(), &UNHURRIED);
    let open = Client::new(&service.base, "");
    let set = async |link: &str, password: &str| {
        open.post("/console/api/password", &json!({"token": link, "password": password})).await
    };
    assert_eq!(set(&founded[1].link, PASSWORD).await.error(410, "gone"), "link_expired");
    assert_eq!(set("nonsense", PASSWORD).await.error(404, "not_found"), "link_not_found");
    assert_eq!(set(&founded[0].link, "password123").await.error(400, "invalid_request"), "validation_failed");
    assert_eq!(set(&founded[0].link, PASSWORD).await.status, 204, "a refused password doesn't use it up");
    assert_eq!(set(&founded[0].link, PASSWORD).await.error(404, "not_found"), "link_not_found");

    let login = |email: &str| json!({"email": email, "password": PASSWORD});
    let late = open.post("/console/api/session", &login("late@example.org")).await;
    assert_eq!(late.error(401, "authentication_error"), "credentials_invalid");
    let seat = Seat::log_in(&service, "ANN@example.org").await;

    // A member with the role operator, from invitation to removal.
    let ben = json!({"email": "ben@example.org", "name": "Ben", "role": "operator"});
    let invited = seat.send("POST", "/console/api/members", &ben).await;
    assert_eq!(invited.status, 201);
    let invited = invited.json();
    assert_eq!(set(invited["link"]["token"].as_str().unwrap(), PASSWORD).await.status, 204);
    let ben = Seat::log_in(&service, "ben@example.org").await;
    let balance = Client::new(&service.base, &founded[0].key).get("/api/credits/balance").await.json();
    assert_eq!(ben.get("/api/credits/balance").await.json(), balance, "the account's own");
    assert_eq!(ben.get("/console/api/keys").await.error(403, "permission_error"), "role_required");
    let path = format!("/console/api/members/{}", invited["member"]["id"].as_str().unwrap());
    assert_eq!(seat.send("DELETE", &path, &Value::Null).await.status, 204);
    assert_eq!(ben.get("/api/credits/balance").await.error(401, "authentication_error"), "session_invalid");
}

#[tokio::test]
async fn behind_https_the_cookie_is_for_it_alone() {
    let data = tempfile::tempdir().unwrap();
    let ann = found(&data, &[("ann@example.org", 0)]).remove(0);
    let public = ["--public-url", "https://vivid.example"];
    let service = Service::start(data.path(), &[&UNHURRIED[..], &public[..]].concat());
    // The service reports its public URL, but the tests use the address where it listens.
    let open = Client::new(&service.base, "");
    let set = json!({"token": ann.link, "password": PASSWORD});
    assert_eq!(open.post("/console/api/password", &set).await.status, 204);
    let login = json!({"email": ann.email, "password": PASSWORD});
    let request = |origin| open.request("POST", "/console/api/session").header("Origin", origin).json(&login);
    let refused = open.send(request("http://vivid.example")).await.unwrap();
    assert_eq!(refused.error(403, "permission_error"), "origin_not_allowed");
    let begun = open.send(request("https://vivid.example")).await.unwrap();
    let cookie = begun.header("set-cookie");
    assert!(cookie.starts_with("__Host-vivid=") && cookie.ends_with("; Secure"), "{cookie}");
}

#[tokio::test]
async fn keys_are_for_the_plans_that_are_named() {
    let data = tempfile::tempdir().unwrap();
    let ann = found(&data, &[("ann@example.org", 0)]).remove(0);
    let service = Service::start(data.path(), &[&UNHURRIED[..], &["--key-plans", "free"]].concat());
    let keyed = Client::new(&service.base, &ann.key);
    assert_eq!(keyed.get("/api/brands").await.error(403, "permission_error"), "plan_required");
    let seat = Seat::first(&service, &ann).await;
    let made = seat.send("POST", "/console/api/keys", &json!({"name": "shop"})).await;
    assert_eq!(made.error(403, "permission_error"), "plan_required");
    assert_eq!(seat.get("/api/brands").await.status, 200);
}
