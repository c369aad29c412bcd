//! Tests of the console's own endpoints, and of sessions that call the API.

use std::sync::atomic::Ordering;

use super::*;

use crate::accounts::Role;
use crate::emails::Email;
use crate::keys::KeyPlans;
use crate::limits::Subject;
use crate::state::{AccountChange, IDLE_S, Invitation, LINK_S, MemberChange};
use crate::throttle::Client;

const PASSWORD: &str = "cold rooms sleep well";

/// A logged-in member with a browser.
#[derive(Clone)]
pub(super) struct Seat {
    pub cookie: String,
    pub csrf: String,
    pub member: Uuid,
}

fn email(text: &str) -> Email {
    Email::parse(text).unwrap()
}

impl Service {
    /// Invites a member of the account at `now`. Returns its id and the link's token.
    fn invite(&self, address: &str, role: Role, now: Millis) -> (Uuid, String) {
        match self.app.store.invite_member(self.account, &email(address), "N", role, now).unwrap() {
            Invitation::Made(invited) => (invited.member.id, invited.token.reveal().to_owned()),
            other => panic!("{other:?}"),
        }
    }

    async fn browse(&self, method: &str, path: &str, body: &Value) -> Answer {
        let request = Request::builder().method(method).uri(path).header("content-type", "application/json");
        self.send(request.body(Body::from(body.to_string())).unwrap()).await
    }

    async fn log_in(&self, address: &str, password: &str) -> Answer {
        self.browse("POST", "/console/api/session", &json!({"email": address, "password": password})).await
    }

    /// Creates a member, who is logged in by the link that set the password.
    pub(super) async fn seat(&self, address: &str, role: Role) -> Seat {
        let (member, token) = self.invite(address, role, Millis::now());
        let set = self.browse("POST", "/console/api/password", &json!({"token": token, "password": PASSWORD})).await;
        assert_eq!(set.status, 204, "{}", String::from_utf8_lossy(&set.body));
        let cookie = set.header("set-cookie").split(';').next().unwrap().to_owned();
        let seat = Seat { cookie, csrf: String::new(), member };
        let csrf = self.look(&seat, "/console/api/session").await.json()["csrfToken"].as_str().unwrap().to_owned();
        Seat { csrf, ..seat }
    }

    async fn seat_again(&self, address: &str, password: &str, member: Uuid) -> Seat {
        let answer = self.log_in(address, password).await;
        assert_eq!(answer.status, 201, "{}", String::from_utf8_lossy(&answer.body));
        let cookie = answer.header("set-cookie").split(';').next().unwrap().to_owned();
        Seat { cookie, csrf: answer.json()["csrfToken"].as_str().unwrap().to_owned(), member }
    }

    pub(super) async fn at(&self, seat: &Seat, method: &str, path: &str, body: &Value) -> Answer {
        let request = Request::builder().method(method).uri(path).header("cookie", &seat.cookie);
        let request = request.header("x-csrf-token", &seat.csrf).header("content-type", "application/json");
        let body = if body.is_null() { Body::empty() } else { Body::from(body.to_string()) };
        self.send(request.body(body).unwrap()).await
    }

    async fn look(&self, seat: &Seat, path: &str) -> Answer {
        self.at(seat, "GET", path, &Value::Null).await
    }

    fn with_key(&self, key: &Value) -> Request<Body> {
        Request::get("/api/brands").header("x-api-key", key.as_str().unwrap()).body(Body::empty()).unwrap()
    }
}

/// Returns an error without the parts that differ between requests.
fn sameness(answer: &Answer) -> (u16, Value) {
    let mut body = answer.json();
    body.as_object_mut().unwrap().remove("requestId").expect("every error has one");
    (answer.status, body)
}

#[tokio::test]
async fn a_member_logs_in_and_out() {
    let s = Service::rich();
    let ann = s.seat("Ann@Example.org", Role::Holder).await;
    let here = s.look(&ann, "/console/api/session").await;
    let said = here.json();
    assert_eq!((&said["member"]["email"], &said["member"]["role"]), (&json!("ann@example.org"), &json!("holder")));
    assert_eq!((&said["account"]["id"], &said["account"]["plan"]), (&json!(s.account), &json!("pro")));
    assert_eq!((&said["csrfToken"], &said["session"]["current"]), (&json!(ann.csrf), &json!(true)));
    assert!(said["member"]["lastLoginAt"].is_string() && said["member"]["invited"] == false);
    here.carries_limits();
    assert!(!String::from_utf8_lossy(&here.body).contains(ann.cookie.split_once('=').unwrap().1));

    let second = s.seat_again("ann@example.org", PASSWORD, ann.member).await;
    let list = s.look(&ann, "/console/api/sessions").await.json();
    assert_eq!(list["count"], 2);
    let current: Vec<_> = list["sessions"].as_array().unwrap().iter().map(|s| s["current"].clone()).collect();
    assert_eq!(current, [json!(false), json!(true)], "newest first");
    let path = format!("/console/api/sessions/{}", list["sessions"][0]["id"].as_str().unwrap());
    assert_eq!(s.at(&ann, "DELETE", &path, &Value::Null).await.status, 204);
    assert_eq!(s.at(&ann, "DELETE", &path, &Value::Null).await.error(), (404, "session_not_found".into()));
    assert_eq!(s.look(&second, "/console/api/session").await.error(), (401, "session_invalid".into()));

    let out = s.at(&ann, "DELETE", "/console/api/session", &Value::Null).await;
    assert_eq!((out.status, out.header("set-cookie").contains("Max-Age=0")), (204, true));
    assert_eq!(s.look(&ann, "/console/api/session").await.error(), (401, "session_invalid".into()));
    let nobody = s.browse("GET", "/console/api/session", &Value::Null).await;
    assert_eq!(nobody.error(), (401, "session_missing".into()));
    // An API key does not count as a session.
    let keyed = s.get("/console/api/keys").await;
    assert_eq!(keyed.error(), (401, "session_missing".into()));
}

#[tokio::test]
async fn a_wrong_login_tells_nothing() {
    let s = Service::rich();
    s.seat("ann@example.org", Role::Holder).await;
    let ben = s.seat("ben@example.org", Role::Operator).await;
    let disabled = MemberChange { disabled: Some(true), ..MemberChange::default() };
    s.app.store.change_member(s.account, ben.member, &disabled, false, Millis::now()).unwrap();
    s.invite("new@example.org", Role::Operator, Millis::now());
    let hashed = || s.app.console.hasher.hashed.load(Ordering::Relaxed);
    let mut told = Vec::new();
    for (address, password) in [
        ("ann@example.org", "cold rooms sleep wel1"),
        ("nobody@example.org", PASSWORD),
        ("ben@example.org", PASSWORD),
        ("new@example.org", PASSWORD),
        ("no address", PASSWORD),
        ("ann@example.org", ""),
    ] {
        let before = hashed();
        let answer = s.log_in(address, password).await;
        assert_eq!(answer.error(), (401, "credentials_invalid".into()), "{address}");
        assert!(answer.header("set-cookie").is_empty());
        assert_eq!(hashed() - before, 1, "as much work for {address}");
        told.push(sameness(&answer));
    }
    told.dedup();
    assert_eq!(told.len(), 1, "{told:?}");
    let long = "x".repeat(257);
    assert_eq!(s.log_in("ann@example.org", &long).await.error(), (401, "credentials_invalid".into()));
    let faults = s.browse("POST", "/console/api/session", &json!({"email": 1})).await;
    assert_eq!(faults.error(), (400, "validation_failed".into()));
    assert_eq!(faults.json()["details"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn logins_are_limited_by_address_and_by_member() {
    let s = Service::start(0, Limiter::new(9, 9, 9));
    for left in (0..10).rev() {
        let answer = s.log_in("Ann@example.org", "wrong wrong wrong").await;
        assert_eq!((answer.status, answer.header("x-ratelimit-limit")), (401, "20"));
        assert_eq!(answer.header("x-ratelimit-remaining"), (10 + left).to_string());
    }
    let refused = s.log_in("ann@EXAMPLE.org", "wrong wrong wrong").await;
    assert_eq!(refused.error(), (429, "rate_limit_exceeded".into()));
    assert_eq!((refused.header("x-ratelimit-limit"), refused.header("x-ratelimit-remaining")), ("10", "0"));
    assert!((1..=60).contains(&refused.header("retry-after").parse::<u64>().unwrap()));
    for n in 0..9 {
        assert_eq!(s.log_in(&format!("a{n}@example.org"), "wrong wrong wrong").await.status, 401);
    }
    let refused = s.log_in("z@example.org", "wrong wrong wrong").await;
    assert_eq!((refused.error(), refused.header("x-ratelimit-limit")), ((429, "rate_limit_exceeded".into()), "20"));
    // Guessing links is limited in the same way; the API's rate limits are separate.
    let link = s.browse("POST", "/console/api/password", &json!({"token": "x", "password": PASSWORD})).await;
    assert_eq!(link.status, 429);
    assert_eq!(s.get("/api/brands").await.header("x-ratelimit-remaining"), "8");
}

#[tokio::test]
async fn wrong_passwords_from_elsewhere_lock_nobody_out() {
    let s = Service::rich();
    let ann = s.seat("ann@example.org", Role::Holder).await;
    let log_in = async |from: [u8; 4], password: &str, cookie: &str| {
        let body = json!({"email": "ann@example.org", "password": password}).to_string();
        let request = Request::builder().method("POST").uri("/console/api/session").header("cookie", cookie);
        let mut request = request.header("content-type", "application/json").body(Body::from(body)).unwrap();
        request.extensions_mut().insert(Peer(from.into()));
        s.send(request).await
    };
    for n in 0..15 {
        let status = log_in([192, 0, 2, 1], "wrong wrong wrong", "").await.status;
        assert_eq!(status, if n < 10 { 401 } else { 429 }, "{n}");
    }
    let first = log_in([192, 0, 2, 2], PASSWORD, "").await;
    assert_eq!(first.status, 201, "{}", String::from_utf8_lossy(&first.body));
    assert!(log_in([192, 0, 2, 1], PASSWORD, "").await.status == 429, "but not from there");
    // Many addresses fill the queue of unknown clients. A browser that has logged in before does not wait in that
    // queue.
    let cookies: Vec<_> = first.headers.get_all("set-cookie").iter().map(|c| c.to_str().unwrap()).collect();
    assert_eq!(cookies.len(), 2, "{cookies:?}");
    let browser = cookies[1].split(';').next().unwrap();
    assert!(browser.starts_with("vivid-browser="));
    let member = crate::emails::counted_as("ann@example.org");
    let mut addresses = (0..200_u8).map(|n| Client::Unknown(Subject::of_address([198, 51, 100, n].into())));
    let now = Millis::now();
    let is_full = addresses.any(|client| s.app.console.throttle.admit(&s.app.limiter, member, client, now).is_err());
    assert!(is_full);
    let late = log_in([192, 0, 2, 3], PASSWORD, "").await;
    assert_eq!(late.error(), (429, "rate_limit_exceeded".into()));
    let back = log_in([192, 0, 2, 3], PASSWORD, browser).await;
    assert_eq!((back.status, back.headers.get_all("set-cookie").iter().count()), (201, 1));
    // The cookie of an earlier login does not authenticate by itself.
    assert_eq!(log_in([192, 0, 2, 3], "wrong wrong wrong", browser).await.status, 401);
    assert_eq!(s.at(&ann, "GET", "/console/api/session", &Value::Null).await.status, 200);
}

#[tokio::test]
async fn what_changes_something_proves_where_it_comes_from() {
    let s = Service::rich();
    let ann = s.seat("ann@example.org", Role::Holder).await;
    let other = s.seat("ben@example.org", Role::Holder).await;
    let name = json!({"name": "shop"});
    let forged = [
        Seat { csrf: String::new(), ..ann.clone() },
        Seat { csrf: "00".repeat(32), ..ann.clone() },
        Seat { csrf: other.csrf.clone(), ..ann.clone() },
    ];
    for seat in &forged {
        for (method, path, body) in [
            ("POST", "/console/api/keys", &name),
            ("DELETE", "/console/api/session", &Value::Null),
            ("POST", "/api/generations", &text()),
            ("DELETE", "/api/brands/0192a0c4-0000-7000-8000-000000000000", &Value::Null),
        ] {
            let refused = s.at(seat, method, path, body).await;
            assert_eq!(refused.error(), (403, "csrf_token_invalid".into()), "{method} {path}");
        }
    }
    let mut bare = Request::post("/console/api/keys").header("cookie", &ann.cookie).body(Body::empty()).unwrap();
    assert_eq!(s.send(bare).await.error(), (403, "csrf_token_invalid".into()));
    for (header, value) in [("origin", "http://evil.example"), ("sec-fetch-site", "cross-site")] {
        for path in ["/console/api/keys", "/console/api/session", "/console/api/password", "/api/generations"] {
            bare = Request::post(path)
                .header("cookie", &ann.cookie)
                .header("x-csrf-token", &ann.csrf)
                .header("content-type", "application/json")
                .header(header, value)
                .body("{}".into())
                .unwrap();
            assert_eq!(s.send(bare).await.error(), (403, "origin_not_allowed".into()), "{path} {header}");
        }
    }
    assert_eq!(s.app.store.keys(s.account).unwrap().len(), 1, "no key was made");
    let fine = Request::post("/console/api/keys").header("cookie", &ann.cookie).header("x-csrf-token", &ann.csrf);
    let fine = fine.header("origin", "http://h").header("sec-fetch-site", "same-origin");
    let fine = fine.header("content-type", "application/json").body(name.to_string().into()).unwrap();
    assert_eq!(s.send(fine).await.status, 201);
}

#[tokio::test]
async fn a_session_calls_the_api_as_its_account_in_windows_of_its_own() {
    // Each seat reads its session once.
    let s = Service::start(1000, Limiter::new(6, 2, 9));
    let ann = s.seat("ann@example.org", Role::Operator).await;
    let made = s.at(&ann, "POST", "/api/generations", &text()).await;
    assert_eq!((made.status, made.header("x-ratelimit-remaining")), (202, "1"));
    let location = made.header("location").to_owned();
    let mut bare = ann.clone();
    bare.csrf = String::new();
    assert_eq!(s.look(&bare, &location).await.status, 200, "reading wants no token");
    assert_eq!(s.get(&location).await.header("x-ratelimit-remaining"), "5", "the key's window is another");
    assert_eq!(s.look(&ann, "/api/credits/balance").await.json()["balance"], 990);
    assert_eq!(s.look(&ann, "/console/api/session").await.header("x-ratelimit-remaining"), "2");
    let ben = s.seat("ben@example.org", Role::Operator).await;
    assert_eq!(s.look(&ben, "/api/brands").await.header("x-ratelimit-remaining"), "0", "one an account");
    assert_eq!(s.look(&ben, "/api/brands").await.error(), (429, "rate_limit_exceeded".into()));
    // A key takes precedence over a session, even if the key is invalid.
    let both = |key: &str| {
        Request::get("/api/brands").header("cookie", &ann.cookie).header("x-api-key", key).body(Body::empty()).unwrap()
    };
    assert_eq!(s.send(both(&s.key)).await.header("x-ratelimit-remaining"), "4");
    assert_eq!(s.send(both("vd_x")).await.error(), (401, "api_key_invalid".into()));
    // A bearer token that is not a key belongs to a proxy and does not affect the session.
    let bearer = |token: &str| {
        let request = Request::get("/api/brands").header("cookie", &ann.cookie).header("authorization", token);
        request.body(Body::empty()).unwrap()
    };
    assert_eq!(
        s.send(bearer("Bearer eyJhbGciOi.x.y")).await.error(),
        (429, "rate_limit_exceeded".into()),
        "her session"
    );
    assert_eq!(s.send(bearer(&format!("Bearer {}", s.key))).await.header("x-ratelimit-remaining"), "3");
    assert_eq!(s.send(both("")).await.error(), (401, "api_key_missing".into()));
    let over = Seat { cookie: format!("vivid={}", "A".repeat(43)), ..ann };
    assert_eq!(s.look(&over, "/api/fonts").await.error(), (401, "session_invalid".into()));
}

#[tokio::test]
async fn a_key_is_made_shown_once_rotated_and_revoked() {
    let s = Service::rich();
    let ann = s.seat("ann@example.org", Role::Holder).await;
    let body = json!({"name": " shop ", "scopes": ["brands:read", "generations:write"], "nmae": 1});
    let made = s.at(&ann, "POST", "/console/api/keys", &body).await;
    assert_eq!(made.status, 201, "{}", String::from_utf8_lossy(&made.body));
    let made = made.json();
    assert_eq!((&made["key"]["name"], &made["key"]["valid"]), (&json!("shop"), &json!(true)));
    assert_eq!(made["key"]["scopes"], json!(["generations:write", "brands:read"]));
    assert_eq!((&made["key"]["lastUsedAt"], &made["warnings"][0]["code"]), (&Value::Null, &json!("unknown_field")));
    let secret = made["secret"].as_str().unwrap();
    assert!(made["key"]["ending"].as_str().is_some_and(|end| end.len() == 4 && secret.ends_with(end)), "{made:#}");
    let path = format!("/console/api/keys/{}", made["key"]["id"].as_str().unwrap());
    assert_eq!(s.send(s.with_key(&made["secret"])).await.status, 200);

    let list = s.look(&ann, "/console/api/keys").await;
    assert!(!String::from_utf8_lossy(&list.body).contains("vd_"), "it is shown once");
    let list = list.json();
    assert_eq!(
        (&list["count"], &list["keys"][0]["name"], &list["keys"][1]["name"]),
        (&json!(2), &json!("shop"), &json!("k"))
    );
    assert!(list["keys"][0]["lastUsedAt"].is_string() && list["keys"][1]["lastUsedAt"].is_null());
    let mut create = s.request("POST", "/api/generations", text().to_string());
    create.headers_mut().insert("x-api-key", made["secret"].as_str().unwrap().parse().unwrap());
    assert_eq!(s.send(create).await.status, 202);
    let usage = s.look(&ann, &format!("{path}/usage")).await.json();
    let today = Millis::now().day().to_string();
    // The test may run across midnight, which gives two days.
    let days = usage["usage"].as_array().unwrap();
    let sum = |name: &str| days.iter().map(|day| day[name].as_u64().unwrap()).sum::<u64>();
    assert_eq!((sum("requests"), sum("generations"), sum("credits")), (2, 1, 10));
    assert!(days.iter().all(|day| day["day"].as_str().unwrap() <= today.as_str()));

    let rotate = format!("{path}/rotate");
    let rotated = s.at(&ann, "POST", &rotate, &json!({"graceSeconds": 3600})).await;
    assert_eq!(rotated.status, 201);
    let rotated = rotated.json();
    assert_eq!((&rotated["key"]["name"], &rotated["key"]["scopes"]), (&json!("shop"), &made["key"]["scopes"]));
    for secret in [&made["secret"], &rotated["secret"]] {
        assert_eq!(s.send(s.with_key(secret)).await.status, 200);
    }
    let old = s.look(&ann, "/console/api/keys").await.json()["keys"][1].clone();
    assert_eq!((&old["replacedBy"], &old["valid"]), (&rotated["key"]["id"], &json!(true)));
    assert!(Millis::parse(old["validUntil"].as_str().unwrap()).unwrap() > Millis::now());
    assert_eq!(s.at(&ann, "POST", &rotate, &json!({})).await.error(), (409, "key_ended".into()));

    assert_eq!(s.at(&ann, "DELETE", &path, &Value::Null).await.status, 204);
    assert_eq!(s.send(s.with_key(&made["secret"])).await.error(), (401, "api_key_revoked".into()));
    assert_eq!(s.at(&ann, "DELETE", &path, &Value::Null).await.status, 204, "again");
    assert_eq!(s.send(s.with_key(&rotated["secret"])).await.status, 200);
    let newest = format!("/console/api/keys/{}/rotate", rotated["key"]["id"].as_str().unwrap());
    assert_eq!(s.at(&ann, "POST", &newest, &json!({"graceSeconds": 0})).await.status, 201);
    assert_eq!(s.send(s.with_key(&rotated["secret"])).await.error(), (401, "api_key_revoked".into()));
}

#[tokio::test]
async fn a_plan_without_keys_has_none() {
    let mut s = Service::rich();
    let ann = s.seat("ann@example.org", Role::Holder).await;
    let id = s.app.store.keys(s.account).unwrap()[0].id;
    Arc::get_mut(&mut s.app).unwrap().key_plans = KeyPlans::new(vec![Plan::Free]);
    assert_eq!(s.get("/api/brands").await.error(), (403, "plan_required".into()));
    let made = s.at(&ann, "POST", "/console/api/keys", &json!({"name": "shop"})).await;
    assert_eq!(made.error(), (403, "plan_required".into()));
    let rotated = s.at(&ann, "POST", &format!("/console/api/keys/{id}/rotate"), &json!({})).await;
    assert_eq!(rotated.error(), (403, "plan_required".into()));
    assert_eq!(s.look(&ann, "/api/brands").await.status, 200, "a session is no key");
    assert_eq!(s.look(&ann, "/console/api/keys").await.json()["count"], 1);
    assert_eq!(s.at(&ann, "DELETE", &format!("/console/api/keys/{id}"), &Value::Null).await.status, 204);
    let (_, key) = new_account(&s.app, Plan::Free, 0);
    assert_eq!(s.send(s.with_key(&json!(key))).await.status, 200);
}

#[tokio::test]
async fn operators_do_everything_but_keys_and_members() {
    let s = Service::rich();
    let ben = s.seat("ben@example.org", Role::Operator).await;
    let nothing = "0192a0c4-0000-7000-8000-000000000000";
    for (method, path) in [
        ("GET", "/console/api/keys".to_owned()),
        ("POST", "/console/api/keys".to_owned()),
        ("POST", format!("/console/api/keys/{nothing}/rotate")),
        ("DELETE", format!("/console/api/keys/{nothing}")),
        ("GET", format!("/console/api/keys/{nothing}/usage")),
        ("GET", "/console/api/members".to_owned()),
        ("POST", "/console/api/members".to_owned()),
        ("PUT", format!("/console/api/members/{}", ben.member)),
        ("DELETE", format!("/console/api/members/{nothing}")),
        ("POST", format!("/console/api/members/{}/link", ben.member)),
    ] {
        assert_eq!(
            s.at(&ben, method, &path, &json!({})).await.error(),
            (403, "role_required".into()),
            "{method} {path}"
        );
    }
    assert_eq!(s.at(&ben, "POST", "/api/brands", &json!({"name": "Acme"})).await.status, 201);
    assert_eq!(s.look(&ben, "/console/api/sessions").await.json()["count"], 1);
}

#[tokio::test]
async fn members_are_invited_changed_and_removed() {
    let s = Service::rich();
    let ann = s.seat("ann@example.org", Role::Holder).await;
    let body = json!({"email": " Ben@Example.org ", "name": "Ben", "role": "operator"});
    let invited = s.at(&ann, "POST", "/console/api/members", &body).await;
    assert_eq!(invited.status, 201, "{}", String::from_utf8_lossy(&invited.body));
    let invited = invited.json();
    assert_eq!((&invited["member"]["email"], &invited["member"]["invited"]), (&json!("ben@example.org"), &json!(true)));
    let left = Millis::parse(invited["link"]["expiresAt"].as_str().unwrap()).unwrap().0 - Millis::now().0;
    assert!((LINK_S as i64 * 1000 - 60_000..=LINK_S as i64 * 1000).contains(&left));
    assert_eq!(s.at(&ann, "POST", "/console/api/members", &body).await.error(), (409, "email_taken".into()));
    let list = s.look(&ann, "/console/api/members").await;
    assert!(!String::from_utf8_lossy(&list.body).contains(invited["link"]["token"].as_str().unwrap()));
    assert_eq!(list.json()["count"], 2);

    let path = format!("/console/api/members/{}", invited["member"]["id"].as_str().unwrap());
    let again = s.at(&ann, "POST", &format!("{path}/link"), &Value::Null).await;
    assert_eq!(again.status, 201);
    let set = |token: Value| json!({"token": token, "password": PASSWORD});
    let first = s.browse("POST", "/console/api/password", &set(invited["link"]["token"].clone())).await;
    assert_eq!(first.error(), (404, "link_not_found".into()), "a new link voids the one before");
    let token = again.json()["link"]["token"].clone();
    assert_eq!(s.browse("POST", "/console/api/password", &set(token.clone())).await.status, 204);
    assert_eq!(s.browse("POST", "/console/api/password", &set(token)).await.error(), (404, "link_not_found".into()));
    let id = invited["member"]["id"].as_str().unwrap().parse().unwrap();
    let ben = s.seat_again("ben@example.org", PASSWORD, id).await;

    let own = format!("/console/api/members/{}", ann.member);
    for (method, body) in
        [("DELETE", Value::Null), ("PUT", json!({"role": "operator"})), ("PUT", json!({"disabled": true}))]
    {
        assert_eq!(s.at(&ann, method, &own, &body).await.error(), (409, "last_holder".into()));
    }
    let changed = s.at(&ann, "PUT", &path, &json!({"name": "Benjamin", "role": "holder"})).await;
    assert_eq!(changed.json()["member"]["role"], "holder");
    assert_eq!(s.look(&ben, "/console/api/keys").await.status, 200, "at once");
    assert_eq!(s.at(&ann, "PUT", &path, &json!({"disabled": true})).await.json()["member"]["disabled"], true);
    assert_eq!(s.look(&ben, "/console/api/session").await.error(), (401, "session_invalid".into()));
    let link = s.at(&ann, "POST", &format!("{path}/link"), &Value::Null).await;
    assert_eq!(link.error(), (409, "member_disabled".into()));
    assert_eq!(s.at(&ann, "PUT", &path, &json!({"disabled": false})).await.status, 200);
    let ben = s.seat_again("ben@example.org", PASSWORD, id).await;
    assert_eq!(s.at(&ann, "DELETE", &path, &Value::Null).await.status, 204);
    assert_eq!(s.look(&ben, "/api/brands").await.error(), (401, "session_invalid".into()));
    assert_eq!(s.at(&ann, "DELETE", &path, &Value::Null).await.error(), (404, "member_not_found".into()));
}

#[tokio::test]
async fn a_password_is_changed_by_who_knows_it() {
    let s = Service::rich();
    let ann = s.seat("ann@example.org", Role::Operator).await;
    let elsewhere = s.seat_again("ann@example.org", PASSWORD, ann.member).await;
    let change = |current: &str, new: &str| json!({"current": current, "new": new});
    let wrong = s.at(&ann, "PUT", "/console/api/password", &change("no idea at all", "warm rooms, too")).await;
    assert_eq!(wrong.error(), (401, "credentials_invalid".into()));
    for (new, code) in [("short", "invalid_value"), ("Password123", "password_common")] {
        let refused = s.at(&ann, "PUT", "/console/api/password", &change(PASSWORD, new)).await;
        assert_eq!(refused.error(), (400, "validation_failed".into()));
        assert_eq!(refused.json()["details"][0]["code"], code);
    }
    assert_eq!(s.look(&elsewhere, "/console/api/session").await.status, 200);

    let set = s.at(&ann, "PUT", "/console/api/password", &change(PASSWORD, "warm rooms, too")).await;
    assert_eq!(set.status, 201);
    let cookie = set.header("set-cookie").split(';').next().unwrap().to_owned();
    let fresh = Seat { cookie, csrf: set.json()["csrfToken"].as_str().unwrap().to_owned(), ..ann.clone() };
    for over in [&ann, &elsewhere] {
        assert_eq!(s.look(over, "/console/api/session").await.error(), (401, "session_invalid".into()));
    }
    assert_eq!(s.look(&fresh, "/console/api/sessions").await.json()["count"], 1);
    assert_eq!(s.log_in("ann@example.org", PASSWORD).await.status, 401);
    assert_eq!(s.log_in("ann@example.org", "warm rooms, too").await.status, 201);
}

#[tokio::test]
async fn links_and_sessions_end_with_their_time_and_accounts_with_their_standing() {
    let s = Service::rich();
    let ago = |seconds| Millis::now().minus_seconds(seconds);
    let (_, old) = s.invite("old@example.org", Role::Operator, ago(LINK_S));
    let set = |token: &str| json!({"token": token, "password": PASSWORD});
    let expired = s.browse("POST", "/console/api/password", &set(&old)).await;
    assert_eq!(expired.error(), (410, "link_expired".into()));
    for token in ["", "x", &"A".repeat(43)] {
        let none = s.browse("POST", "/console/api/password", &set(token)).await;
        assert_eq!(none.error(), (404, "link_not_found".into()));
    }
    let hashed = s.app.console.hasher.hashed.load(Ordering::Relaxed);
    assert_eq!(hashed, 0, "no work is done for what is no link");

    let ann = s.seat("ann@example.org", Role::Holder).await;
    let member = s.app.store.member(s.account, ann.member).unwrap().unwrap();
    let crate::state::LoggedIn::Begun(_, token) = s.app.store.begin_session(&member, "", ago(IDLE_S)).unwrap() else {
        panic!()
    };
    let rested = Seat { cookie: format!("vivid={}", token.reveal()), ..ann.clone() };
    assert_eq!(s.look(&rested, "/console/api/session").await.error(), (401, "session_invalid".into()));

    let close = AccountChange { active: Some(false), ..AccountChange::default() };
    s.app.store.change_account(s.account, &close, Millis::now()).unwrap();
    for path in ["/console/api/session", "/console/api/keys", "/api/brands"] {
        assert_eq!(s.look(&ann, path).await.error(), (403, "account_deactivated".into()));
    }
    assert_eq!(s.log_in("ann@example.org", PASSWORD).await.error(), (403, "account_deactivated".into()));
    assert_eq!(s.log_in("ann@example.org", "wrong wrong wrong").await.error(), (401, "credentials_invalid".into()));
    assert_eq!(s.at(&ann, "DELETE", "/console/api/session", &Value::Null).await.status, 204, "out is always open");
}

#[tokio::test]
async fn what_the_console_is_sent_wrong_is_said() {
    let s = Service::rich();
    let ann = s.seat("ann@example.org", Role::Holder).await;
    let key = s.app.store.keys(s.account).unwrap()[0].id;
    let rotate = format!("/console/api/keys/{key}/rotate");
    let own = format!("/console/api/members/{}", ann.member);
    let member = |email: &str, name: &str, role: &str| json!({"email": email, "name": name, "role": role});
    for (method, path, body, fields) in [
        ("POST", "/console/api/keys", json!({}), &["name"][..]),
        ("POST", "/console/api/keys", json!({"name": "", "scopes": []}), &["name", "scopes"]),
        ("POST", "/console/api/keys", json!({"name": "a\u{7}", "scopes": "all"}), &["name", "scopes"]),
        (
            "POST",
            "/console/api/keys",
            json!({"name": "x".repeat(101), "scopes": ["brands:read", 1, "all"]}),
            &["name", "scopes[1]", "scopes[2]"],
        ),
        ("POST", &rotate, json!({"graceSeconds": 30 * 86_400 + 1}), &["graceSeconds"]),
        ("POST", &rotate, json!({"graceSeconds": -1}), &["graceSeconds"]),
        ("POST", "/console/api/members", json!({}), &["email", "name", "role"]),
        ("POST", "/console/api/members", member("ann", " ", "boss"), &["email", "role", "name"]),
        ("PUT", &own, json!({"name": 7, "role": 1, "disabled": "yes"}), &["name", "role", "disabled"]),
        ("PUT", "/console/api/password", json!({"current": 1}), &["current", "new"]),
    ] {
        let answer = s.at(&ann, method, path, &body).await;
        assert_eq!(answer.error(), (400, "validation_failed".into()), "{method} {path} {body}");
        let told = answer.json();
        let told: Vec<_> = told["details"].as_array().unwrap().iter().map(|d| d["field"].as_str().unwrap()).collect();
        assert_eq!(told, fields, "{method} {path} {body}");
    }
    for (method, path, expected) in [
        ("GET", format!("/console/api/keys/{key}/usage?days=0"), (400, "validation_failed")),
        ("GET", format!("/console/api/keys/{key}/usage?days=401"), (400, "validation_failed")),
        ("GET", "/console/api/nothing".to_owned(), (404, "not_found")),
        ("GET", "/console/nothing".to_owned(), (404, "not_found")),
        ("PATCH", "/console/api/keys".to_owned(), (405, "method_not_allowed")),
        ("DELETE", "/console/api/keys/..%2f".to_owned(), (404, "key_not_found")),
        ("GET", "/console/api/keys/%ff/usage".to_owned(), (404, "key_not_found")),
        ("DELETE", "/console/api/members/%00".to_owned(), (404, "member_not_found")),
        ("DELETE", "/console/api/sessions/x".to_owned(), (404, "session_not_found")),
    ] {
        let answer = s.at(&ann, method, &path, &Value::Null).await;
        assert_eq!(answer.error(), (expected.0, expected.1.to_owned()), "{method} {path}");
    }
    assert_eq!(s.at(&ann, "POST", "/console/api/keys", &json!([1])).await.error(), (400, "invalid_json".into()));
    for _ in 1..crate::state::LIVE_KEYS {
        s.app.store.create_key(s.account, "k", Scopes::ALL, Millis(0)).unwrap();
    }
    let full = s.at(&ann, "POST", "/console/api/keys", &json!({"name": "one more"})).await;
    assert_eq!((full.error().0, &full.json()["details"][0]["code"]), (400, &json!("too_many_keys")));
}
