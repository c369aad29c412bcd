//! Tests of the console's pages: access control, content security policy, and error pages.

use axum::http::header;

use super::console::Seat;
use super::*;
use crate::accounts::Role;
use crate::state::MemberChange;

const PAGES: [&str; 8] = ["/", "/library", "/brands", "/brands/new", "/integrations", "/credits", "/account", "/fleet"];

impl Service {
    /// Requests a page the way a browser does.
    async fn page(&self, seat: Option<&Seat>, path: &str) -> Answer {
        let mut request = Request::get(path).header(header::ACCEPT, "text/html,application/xhtml+xml");
        if let Some(seat) = seat {
            request = request.header(header::COOKIE, &seat.cookie);
        }
        let request = request.body(Body::empty()).unwrap();
        let (parts, body) = router(Arc::clone(&self.app)).oneshot(request).await.unwrap().into_parts();
        let body = axum::body::to_bytes(body, usize::MAX).await.unwrap().to_vec();
        Answer { status: parts.status.as_u16(), headers: parts.headers, body }
    }

    fn make_staff(&self, seat: &Seat) {
        let change = MemberChange { admin: Some(true), ..MemberChange::default() };
        self.app.store.change_member(self.account, seat.member, &change, false, Millis::now()).unwrap();
    }
}

fn html(answer: &Answer) -> String {
    assert!(answer.header("content-type").starts_with("text/html"), "{:?}", answer.headers);
    String::from_utf8(answer.body.clone()).unwrap()
}

#[tokio::test]
async fn whoever_is_not_signed_in_is_sent_to_sign_in() {
    let s = Service::rich();
    for path in PAGES {
        let answer = s.page(None, path).await;
        assert_eq!(answer.status, 303, "{path}");
        let to = answer.header("location");
        assert!(to == "/login" || to == format!("/login?next={}", path.replace('/', "%2F")), "{path}: {to}");
    }
    assert_eq!(s.page(None, "/login").await.status, 200);
    assert_eq!(s.page(None, "/welcome").await.status, 200);
}

#[tokio::test]
async fn nothing_runs_in_a_page_but_what_carries_its_nonce() {
    let s = Service::rich();
    let ann = s.seat("ann@example.org", Role::Holder).await;
    s.make_staff(&ann);
    let mut nonces = std::collections::HashSet::new();
    for path in PAGES.iter().chain(&["/login", "/welcome"]) {
        let answer = s.page(Some(&ann), path).await;
        assert_eq!(answer.status, 200, "{path}: {}", String::from_utf8_lossy(&answer.body));
        let policy = answer.header("content-security-policy").to_owned();
        let nonce =
            policy.split("'nonce-").nth(1).and_then(|rest| rest.split('\'').next()).expect("a nonce").to_owned();
        assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
        assert!(nonces.insert(nonce.clone()), "a nonce is used once");
        assert_eq!(answer.header("cache-control"), "no-store");
        let page = html(&answer);
        for script in page.split("<script").skip(1).filter(|script| !script.contains("application/json")) {
            let (head, rest) = script.split_once('>').unwrap();
            assert!(head.contains(&format!("nonce=\"{nonce}\"")) && head.contains("src="), "{path}: {head}");
            assert!(rest.starts_with("</script>"), "{path}: a script within the page");
        }
        assert!(!page.contains("<style") && !page.contains(" style=") && !page.contains(" onclick="), "{path}");
    }
}

#[tokio::test]
async fn texts_in_a_page_s_data_end_no_script() {
    let s = Service::rich();
    let ann = s.seat("ann@example.org", Role::Holder).await;
    let made = s.at(&ann, "POST", "/console/api/keys", &json!({"name": "</script><script>alert(1)"})).await;
    assert_eq!(made.status, 201);
    let secret = made.json()["secret"].as_str().unwrap().to_owned();
    let page = html(&s.page(Some(&ann), "/integrations").await);
    assert!(!page.contains("</script><script>alert") && page.contains("\\u003c/script>"), "{page}");
    assert!(!page.contains(&secret), "a key is shown once, and not here");
}

#[tokio::test]
async fn the_service_is_for_those_who_run_it() {
    let s = Service::rich();
    let (ann, eve) = (s.seat("ann@example.org", Role::Holder).await, s.seat("eve@example.org", Role::Holder).await);
    s.make_staff(&ann);
    assert_eq!(s.page(Some(&ann), "/fleet").await.status, 200);
    assert_eq!(s.page(Some(&eve), "/fleet").await.status, 404);
    assert!(!html(&s.page(Some(&eve), "/").await).contains("href=\"/fleet\""));
    let id = s.account;
    for (method, path) in [
        ("GET", "/console/api/service".to_owned()),
        ("POST", format!("/console/api/service/dead-letters/{id}/retry")),
        ("GET", "/console/api/service/accounts".to_owned()),
        ("POST", "/console/api/service/accounts".to_owned()),
        ("GET", format!("/console/api/service/accounts/{id}")),
        ("PATCH", format!("/console/api/service/accounts/{id}")),
        ("POST", format!("/console/api/service/accounts/{id}/credits")),
        ("POST", format!("/console/api/service/accounts/{id}/members")),
        ("POST", format!("/console/api/service/accounts/{id}/members/{id}/link")),
    ] {
        let answer = s.at(&eve, method, &path, &json!({"amount": 5, "name": "x"})).await;
        assert_eq!(answer.error(), (403, "role_required".into()), "{method} {path}");
        let answer = s.at(&ann, method, &path, &json!({"amount": 5, "name": "x"})).await;
        assert_ne!(answer.status, 403, "{method} {path}");
    }
    // A holder can't get there by changing a staff member either.
    let path = format!("/console/api/members/{}", ann.member);
    assert_eq!(s.at(&eve, "POST", &format!("{path}/link"), &Value::Null).await.error(), (403, "role_required".into()));
    assert_eq!(s.at(&eve, "PUT", &path, &json!({"disabled": true})).await.error(), (403, "role_required".into()));
    assert_eq!(s.at(&eve, "DELETE", &path, &Value::Null).await.error(), (403, "role_required".into()));
    let own = format!("/console/api/members/{}", eve.member);
    let asked = s.at(&eve, "PUT", &own, &json!({"name": "Eve", "staff": true})).await;
    assert_eq!((asked.status, &asked.json()["member"]["staff"]), (200, &json!(false)));
}

#[tokio::test]
async fn errors_are_pages_for_people_and_json_for_programs() {
    let s = Service::rich();
    let ann = s.seat("ann@example.org", Role::Holder).await;
    for path in ["/nowhere", "/generations/nothing", "/brands/nothing"] {
        let answer = s.page(Some(&ann), path).await;
        assert_eq!(answer.status, 404, "{path}");
        assert!(html(&answer).contains("This page is not here") && !answer.header("x-request-id").is_empty());
        let request = Request::get(path).header(header::COOKIE, &ann.cookie).body(Body::empty()).unwrap();
        assert_eq!(s.send(request).await.error().0, 404, "{path}");
    }
    // The API never responds with an HTML page.
    let request = Request::get("/api/nowhere").header(header::ACCEPT, "text/html").body(Body::empty()).unwrap();
    assert_eq!(s.send(request).await.error(), (404, "not_found".into()));
}

#[tokio::test]
async fn assets_are_kept_for_good_and_named_by_their_version() {
    let s = Service::rich();
    let page = html(&s.page(None, "/login").await);
    let path = page.split("href=\"").find(|rest| rest.contains("base.css")).and_then(|rest| rest.split('"').next());
    let path = path.expect("the page has a style");
    let answer = s.page(None, path).await;
    assert_eq!((answer.status, answer.header("content-type")), (200, "text/css; charset=utf-8"));
    assert!(answer.header("cache-control").contains("immutable"));
    let version = path.split('/').nth(2).unwrap();
    let old = s.page(None, &path.replace(version, "000000000000")).await;
    assert_eq!((old.status, old.header("cache-control")), (200, "no-cache"));
    assert_eq!(s.page(None, &path.replace("base.css", "nothing.css")).await.status, 404);
}
