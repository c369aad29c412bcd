//! Tests of authorization: keys, scopes, plans, signatures, rate limits, and early rejections.

use super::*;
use crate::budget::Holder;
use crate::integrity::hashed_name;
use crate::state::PREVIEWS;

#[tokio::test]
async fn keys_are_checked_before_all_else() {
    let s = Service::rich();
    let with_keys = async |keys: &[&str], path: &str| {
        let mut request = Request::get(path).body(Body::empty()).unwrap();
        for key in keys {
            request.headers_mut().append("x-api-key", key.parse().unwrap());
        }
        s.send(request).await
    };
    let key = s.key.as_str();
    assert_eq!(with_keys(&[], "/api/brands").await.error(), (401, "api_key_missing".into()));
    assert_eq!(with_keys(&[""], "/api/brands").await.error(), (401, "api_key_missing".into()));
    let in_query = with_keys(&[], &format!("/api/brands?x-api-key={key}")).await;
    assert_eq!(in_query.error(), (401, "api_key_missing".into()));
    let unknown = ApiKey::generate().unwrap();
    for wrong in [&["vd_x"][..], &[&key[..42]], &[&format!("{}0", &key[..42])], &[key, key], &[unknown.reveal()]] {
        let answer = with_keys(wrong, "/api/brands").await;
        assert!(wrong == [key] || answer.error() == (401, "api_key_invalid".into()), "{wrong:?}");
    }
    assert_eq!(with_keys(&[key], "/api/brands").await.json(), json!({"brands": [], "count": 0, "warnings": []}));
    assert_eq!(with_keys(&[], "/api/idea-mode/formats").await.status, 401);
    assert_eq!(with_keys(&[], "/api/formats").await.status, 200);

    let challenge = |answer: &Answer| answer.header("www-authenticate").to_owned();
    assert_eq!(challenge(&with_keys(&[], "/api/brands").await), "Bearer realm=\"vivid\"");
    let refused = "Bearer realm=\"vivid\", error=\"invalid_token\"";
    assert_eq!(challenge(&with_keys(&["vd_x"], "/api/brands").await), refused);
    assert_eq!(challenge(&with_keys(&[key], "/api/brands").await), "");

    let id = s.app.store.keys(s.account).unwrap()[0].id;
    assert!(s.app.store.revoke_key(s.account, id, Millis(1)).unwrap());
    assert_eq!(challenge(&s.get("/api/brands").await), refused);
    assert_eq!(s.get("/api/brands").await.error(), (401, "api_key_revoked".into()));
}

#[tokio::test]
async fn a_key_may_come_as_a_bearer_token() {
    let s = Service::rich();
    let ask = async |headers: &[(&'static str, &str)]| {
        let mut request = Request::get("/api/brands").body(Body::empty()).unwrap();
        for (name, value) in headers {
            request.headers_mut().append(*name, value.parse().unwrap());
        }
        s.send(request).await
    };
    let key = s.key.as_str();
    for scheme in ["Bearer", "bearer", "BEARER"] {
        assert_eq!(ask(&[("authorization", &format!("{scheme} {key}"))]).await.status, 200, "{scheme}");
    }
    let token = format!("Bearer {key}");
    let missing = (401, "api_key_missing".to_owned());
    let invalid = (401, "api_key_invalid".to_owned());
    // X-API-Key takes precedence over any other header.
    assert_eq!(ask(&[("x-api-key", key), ("authorization", "Bearer vd_other")]).await.status, 200);
    assert_eq!(ask(&[("x-api-key", "vd_x"), ("authorization", &token)]).await.error(), invalid);
    assert_eq!(ask(&[("x-api-key", ""), ("authorization", &token)]).await.error(), missing);
    // Basic credentials belong to a proxy, not to the API.
    assert_eq!(ask(&[("authorization", "Basic dTpw")]).await.error(), missing);
    assert_eq!(ask(&[("x-api-key", key), ("authorization", "Basic dTpw")]).await.status, 200);
    assert_eq!(ask(&[("authorization", "Bearer")]).await.error(), missing);
    assert_eq!(ask(&[("authorization", "Bearer vd_x")]).await.error(), invalid);
    assert_eq!(ask(&[("authorization", &token), ("authorization", &token)]).await.error(), invalid);
}

#[tokio::test]
async fn scopes_plans_and_deactivation_are_403() {
    let s = Service::rich();
    let scopes = Scopes::of(&[Scope::BrandsRead]);
    let key = s.app.store.create_key(s.account, "narrow", scopes, Millis(0)).unwrap().1.reveal().to_owned();
    let narrow = Service { key, ..s };
    assert_eq!(narrow.get("/api/brands").await.status, 200);
    for path in ["/api/generations", "/api/credits/balance", "/api/generations/x"] {
        assert_eq!(narrow.get(path).await.error(), (403, "insufficient_scope".into()), "{path}");
    }
    assert_eq!(narrow.create(&text()).await.error(), (403, "insufficient_scope".into()));

    let (account, key) = new_account(&narrow.app, Plan::Free, 1000);
    let free = Service { key, account, ..narrow };
    let mut body = text();
    body["resolution"] = json!("4K");
    assert_eq!(free.create(&body).await.error(), (403, "plan_required".into()));
    assert_eq!(free.create(&text()).await.status, 202);

    let close = AccountChange { active: Some(false), ..AccountChange::default() };
    free.app.store.change_account(account, &close, Millis::now()).unwrap();
    assert_eq!(free.get("/api/brands").await.error(), (403, "account_deactivated".into()));
}

#[tokio::test]
async fn whatever_goes_wrong_has_the_contracts_shape() {
    let s = Service::rich();
    let post = |kind: &'static str, body: Vec<u8>| {
        let mut request = s.request("POST", "/api/generations", body);
        request.headers_mut().insert("content-type", kind.parse().unwrap());
        s.send(request)
    };
    let json = "application/json";
    assert_eq!(post(json, b"{".to_vec()).await.error(), (400, "invalid_json".into()));
    assert_eq!(post(json, b"[]".to_vec()).await.error(), (400, "invalid_json".into()));
    assert_eq!(post(json, b"{}".to_vec()).await.error(), (400, "validation_failed".into()));
    assert_eq!(post("text/plain", b"{}".to_vec()).await.error(), (415, "unsupported_media_type".into()));
    assert_eq!(post(json, vec![b' '; (1 << 20) + 1]).await.error(), (413, "body_too_large".into()));
    assert_eq!(post(json, vec![b' '; 1 << 20]).await.error(), (400, "invalid_json".into()));

    for (method, path, expected) in [
        ("GET", "/nothing", (404, "not_found")),
        ("GET", "/api/nothing", (404, "not_found")),
        ("GET", "/files/", (404, "not_found")),
        ("DELETE", "/api/generations", (405, "method_not_allowed")),
        ("POST", "/healthz", (405, "method_not_allowed")),
        ("GET", "/api/generations/..%2f", (404, "generation_not_found")),
        ("GET", "/api/generations/%00", (404, "generation_not_found")),
        ("GET", "/api/generations/%ff", (404, "generation_not_found")),
        ("GET", "/api/generations?cursor=x", (400, "invalid_cursor")),
        ("GET", "/api/generations?limit=0", (400, "validation_failed")),
    ] {
        let answer = s.send(s.request(method, path, Body::empty())).await;
        assert_eq!(answer.error(), (expected.0, expected.1.to_owned()), "{method} {path}");
        assert_eq!(answer.status == 405, !answer.header("allow").is_empty());
    }
    let long = format!("/api/generations/{}", "a".repeat(10_000));
    assert_eq!(s.get(&long).await.error(), (404, "generation_not_found".into()));
    assert_eq!(s.get(&format!("{long}{long}")).await.error(), (414, "uri_too_long".into()));
    let mut headers = s.request("GET", "/api/brands", Body::empty());
    for n in 0..101 {
        headers.headers_mut().append("x-filler", n.into());
    }
    assert_eq!(s.send(headers).await.error(), (431, "headers_too_large".into()));
}

#[tokio::test]
async fn images_need_a_signature_that_is_ours_and_fresh() {
    let s = Service::rich();
    let key = &hashed_name(PREVIEWS, Uuid::from_u128(0), b"x", "png");
    s.app.blobs.put_object(key, b"x".as_slice().into(), "image/png").await.unwrap();
    let at = |then: Millis, key: &str| path_of(&json!(s.app.signer.url(key, then))).to_owned();
    let now = Millis::now();
    assert_eq!(s.get(&at(now, key)).await.status, 200);
    assert_eq!(s.get(&at(now.minus_seconds(61), key)).await.error(), (410, "url_expired".into()));
    assert_eq!(s.get(&at(now, "images/none.png")).await.error(), (404, "not_found".into()));
    assert_eq!(s.get(&at(now, "blobs/aa/bb")).await.error(), (404, "not_found".into()));
    assert_eq!(s.get(&format!("/files/{key}")).await.error(), (403, "signature_invalid".into()));
    let forged = at(now, "images/none.png").replace("images/none.png", key);
    assert_eq!(s.get(&forged).await.error(), (403, "signature_invalid".into()));

    let named = path_of(&json!(s.app.signer.named_url(key, "03-linkedin_carousel.png", now))).to_owned();
    let answer = s.get(&named).await;
    assert_eq!((answer.status, answer.header("content-type")), (200, "image/png"));
    assert_eq!(answer.header("content-disposition"), "inline; filename=\"03-linkedin_carousel.png\"");
    let renamed = named.replace("03-linkedin", "04-linkedin");
    assert_eq!(s.get(&renamed).await.error(), (403, "signature_invalid".into()));
    assert_eq!(s.get(&at(now, key)).await.header("content-disposition"), "inline");
}

#[tokio::test]
async fn i13_limits_are_one_an_account_and_class() {
    let s = Service::start(10_000, Limiter::new(3, 2, 1));
    let (_, second) = s.app.store.create_key(s.account, "second", Scopes::ALL, Millis(0)).unwrap();
    for left in [2, 1, 0] {
        let answer = s.get("/api/brands").await;
        assert_eq!((answer.status, answer.header("x-ratelimit-remaining")), (200, left.to_string().as_str()));
    }
    let mut request = s.request("GET", "/api/nothing", Body::empty());
    request.headers_mut().insert("x-api-key", second.reveal().parse().unwrap());
    let refused = s.send(request).await;
    assert_eq!(refused.error(), (429, "rate_limit_exceeded".into()), "more keys give no more requests");
    assert!((1..=60).contains(&refused.header("retry-after").parse::<u64>().unwrap()));
    let reset: i64 = refused.header("x-ratelimit-reset").parse().unwrap();
    assert!((0..=61).contains(&(reset - Millis::now().seconds())));

    assert_eq!(s.create(&text()).await.status, 202);
    assert_eq!(s.create(&json!({})).await.status, 400);
    assert_eq!(s.create(&text()).await.status, 429);
    assert_eq!(s.send(s.request("PUT", "/api/generations", Body::empty())).await.status, 405);
    assert_eq!(s.send(s.request("PUT", "/api/generations", Body::empty())).await.status, 429);
    // Preflights are not counted, but have the rate limit headers.
    for _ in 0..9 {
        let answer = s.get("/healthz").await;
        assert_eq!((answer.status, answer.header("x-ratelimit-remaining")), (200, "3"));
    }
}

#[tokio::test]
async fn i18_a_body_beyond_the_budget_is_refused_and_others_are_not() {
    let s = Service::rich();
    let (_, other) = new_account(&s.app, Plan::Pro, 100);
    let mut share = s.app.bodies.budget.share(Holder::Account(s.account));
    share.grow_to(128 << 20).unwrap();
    let busy = s.create(&text()).await;
    assert_eq!((busy.error(), busy.header("retry-after")), ((503, "busy".into()), "5"));
    // A chunked body without a declared length counts too.
    let parts = futures::stream::iter(["{\"name\":", "\"x\"}"].map(Ok::<_, std::io::Error>));
    let untold = s.request("POST", "/api/brands", Body::from_stream(parts));
    assert_eq!(s.send(untold).await.error(), (503, "busy".into()));
    // A request without a body takes no share of the budget.
    assert_eq!(s.get("/api/brands").await.status, 200);
    let mut of_other = s.request("POST", "/api/generations", text().to_string());
    of_other.headers_mut().insert("x-api-key", other.parse().unwrap());
    assert_eq!(s.send(of_other).await.status, 202);
    drop(share);
    assert_eq!(s.create(&text()).await.status, 202);
    assert_eq!(s.app.bodies.budget.held(), 0);
}
