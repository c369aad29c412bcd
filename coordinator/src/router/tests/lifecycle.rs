//! Tests of cancelling, retrying and deleting, and of stored responses under idempotency keys.

use super::*;

impl Service {
    async fn post(&self, path: &str, key: Option<&str>, body: &str) -> Answer {
        let mut request = self.request("POST", path, body.to_owned());
        if let Some(key) = key {
            request.headers_mut().insert("idempotency-key", key.parse().unwrap());
        }
        self.send(request).await
    }

    /// Creates a generation of two images and returns its path.
    pub(super) async fn pair(&self) -> String {
        let mut body = text();
        body["outputFormats"] = json!(["instagram_post", "facebook_post"]);
        self.create(&body).await.header("location").to_owned()
    }

    async fn balance(&self) -> [u64; 2] {
        let balance = self.get("/api/credits/balance").await.json();
        [&balance["balance"], &balance["reserved"]].map(|v| v.as_u64().unwrap())
    }
}

fn credits(answer: &Answer) -> [u64; 2] {
    let g = answer.json()["generation"].take();
    [&g["creditsCharged"], &g["creditsRefunded"]].map(|v| v.as_u64().unwrap())
}

#[tokio::test]
async fn a_generation_is_cancelled_once() {
    let s = Service::start(100, Limiter::new(999, 999, 999));
    let at = s.pair().await;
    let (claim, job) = s.claim().unwrap();
    let answer = s.post(&format!("{at}/cancel"), None, "").await;
    let g = answer.json()["generation"].take();
    assert_eq!((answer.status, &g["status"], &g["progress"]), (200, &json!("cancelled"), &json!(5)));
    assert!(g["completedAt"].is_string() && g["error"].is_null());
    assert_eq!((credits(&answer), s.balance().await), ([20, 20], [100, 0]));
    assert_eq!(s.get(&at).await.json()["generation"], g);
    let Job::Plan(plan) = job else { panic!() };
    let late = s.app.store.report(claim, &planned(plan.formats), Millis::now()).unwrap();
    assert_eq!(late, Verdict::Refused);
    let again = s.post(&format!("{at}/cancel"), None, "{}").await;
    assert_eq!(again.error(), (409, "not_cancellable".into()));
    assert_eq!(s.post(&format!("{at}/retry"), None, "").await.error(), (409, "not_retryable".into()));
    assert_eq!(s.get("/api/generations?status=cancelled").await.json()["generations"][0]["id"], g["id"]);
}

#[tokio::test]
async fn a_cancelled_generation_says_how_far_it_was() {
    let s = Service::rich();
    let waiting = s.pair().await;
    let cancel =
        async |at: &str| s.post(&format!("{at}/cancel"), None, "").await.json()["generation"]["progress"].take();
    assert_eq!(cancel(&waiting).await, 0);

    let half = s.pair().await;
    let (claim, job) = s.claim().unwrap();
    let Job::Plan(plan) = job else { panic!() };
    s.app.store.report(claim, &planned(plan.formats), Millis::now()).unwrap();
    let (claim, Job::Render(render)) = s.claim().unwrap() else { panic!() };
    let [object, thumbnail] =
        image_keys(None, render.generation, render.output, render.version, claim.claim.nonce, "png");
    let (sha256, quality, warnings) = (BlobId::of(b"image").0, Quality::default(), vec![]);
    let rendered = Outcome::Rendered(Rendered { object, thumbnail, bytes: 5, sha256, quality, warnings });
    s.app.store.report(claim, &rendered, Millis::now()).unwrap();
    let before = s.get(&half).await.json()["generation"]["progress"].take();
    assert_eq!((&before, cancel(&half).await), (&json!(60), json!(60)));
    assert_eq!(s.get(&half).await.json()["generation"]["progress"], 60);
}

#[tokio::test]
async fn what_failed_is_tried_again_while_there_are_credits_and_room() {
    let mut s = Service::start(30, Limiter::new(999, 999, 999));
    let at = s.pair().await;
    s.work(|n| n == 0).await;
    let g = s.get(&at).await.json()["generation"].take();
    assert_eq!((&g["status"], &g["error"]["code"]), (&json!("partial"), &json!("render_failed")));
    let other = s.pair().await;
    assert_eq!(s.balance().await, [0, 20]);
    let short = s.post(&format!("{at}/retry"), None, "").await;
    assert_eq!(short.error(), (402, "insufficient_credits".into()));
    assert_eq!((&short.json()["required"], &short.json()["available"]), (&json!(10), &json!(0)));
    let elsewhere = s.post(&format!("{at}/retry"), None, r#"{"workspaceId": "w"}"#).await;
    assert_eq!((elsewhere.status, &elsewhere.json()["details"][0]["code"]), (400, &json!("unsupported_field")));
    Arc::get_mut(&mut s.app).unwrap().max_backlog = 2;
    assert_eq!(s.post(&format!("{at}/retry"), None, "").await.error(), (503, "queue_full".into()));
    assert_eq!(s.delete(&other).await.status, 204);

    let again = s.post(&format!("{at}/retry"), None, "").await;
    let g = again.json()["generation"].take();
    assert_eq!((again.status, &g["status"], &g["progress"]), (200, &json!("pending"), &json!(0)));
    assert_eq!((&g["error"], &g["errorMessage"], &g["completedAt"]), (&Value::Null, &Value::Null, &Value::Null));
    assert_eq!((&g["outputs"], credits(&again)), (&json!([]), [30, 10]));
    s.work(|_| false).await;
    let done = s.get(&at).await;
    let g = done.json()["generation"].take();
    let order: Vec<_> = g["outputs"].as_array().unwrap().iter().map(|o| o["formatId"].clone()).collect();
    assert_eq!((&g["status"], json!(order)), (&json!("completed"), json!(["instagram_post", "facebook_post"])));
    assert_eq!((credits(&done), s.balance().await), ([30, 10], [10, 0]));
    s.app.stopping.cancel();
    assert_eq!(s.post(&format!("{at}/retry"), None, "").await.error(), (503, "shutting_down".into()));
}

#[tokio::test]
async fn a_deleted_generation_and_its_images_are_gone_at_once() {
    let s = Service::start(100, Limiter::new(999, 999, 999));
    let at = s.pair().await;
    s.work(|_| false).await;
    let g = s.get(&at).await.json()["generation"].take();
    let urls: Vec<String> =
        ["imageUrl", "thumbnailUrl"].iter().map(|url| path_of(&g["outputs"][0][url]).to_owned()).collect();
    for url in &urls {
        assert_eq!(s.get(url).await.status, 200);
    }
    let deleted = s.delete(&at).await;
    assert_eq!((deleted.status, deleted.body.as_slice()), (204, b"".as_slice()));
    deleted.carries_limits();
    for url in &urls {
        assert_eq!(s.get(url).await.error(), (404, "not_found".into()));
    }
    for answer in [
        s.get(&at).await,
        s.delete(&at).await,
        s.get(&format!("{at}/events")).await,
        s.post(&format!("{at}/cancel"), None, "").await,
        s.post(&format!("{at}/retry"), None, "").await,
    ] {
        assert_eq!(answer.error(), (404, "generation_not_found".into()));
    }
    assert_eq!(s.get("/api/generations").await.json()["generations"], json!([]));
    assert_eq!(s.balance().await, [80, 0], "what was made is paid");
    // A running generation is cancelled first.
    let at = s.pair().await;
    s.claim().unwrap();
    assert_eq!(s.delete(&at).await.status, 204);
    assert_eq!(s.balance().await, [80, 0]);
    s.check_money();
}

#[tokio::test]
async fn another_accounts_generation_is_as_good_as_none() {
    let s = Service::rich();
    let at = s.pair().await;
    let (_, key) = new_account(&s.app, Plan::Pro, 100);
    let scopes = Scopes::of(&[Scope::GenerationsRead]);
    let (_, reader) = s.app.store.create_key(s.account, "reader", scopes, Millis(0)).unwrap();
    let stranger = Service { key, ..s };
    let absent = "/api/generations/0192a0c4-0000-7000-8000-000000000000";
    for at in [at.as_str(), absent, "/api/generations/x", "/api/generations/%00"] {
        for (method, tail) in [("POST", "/cancel"), ("POST", "/retry"), ("DELETE", ""), ("GET", "/events")] {
            let answer = stranger.send(stranger.request(method, &format!("{at}{tail}"), Body::empty())).await;
            assert_eq!(answer.error(), (404, "generation_not_found".into()), "{method} {at}{tail}");
        }
    }
    let reader = Service { key: reader.reveal().to_owned(), ..stranger };
    for (method, tail) in [("POST", "/cancel"), ("POST", "/retry"), ("DELETE", "")] {
        let answer = reader.send(reader.request(method, &format!("{at}{tail}"), Body::empty())).await;
        assert_eq!(answer.error(), (403, "insufficient_scope".into()), "{method}");
    }
    assert_eq!(reader.get(&at).await.json()["generation"]["status"], "pending");
}

#[tokio::test]
async fn bodies_that_are_not_wanted_are_none_or_objects() {
    let s = Service::rich();
    let at = s.pair().await;
    for wrong in ["[]", "{", "1", "null"] {
        assert_eq!(s.post(&format!("{at}/cancel"), None, wrong).await.error(), (400, "invalid_json".into()), "{wrong}");
    }
    let long = " ".repeat(20_000);
    assert_eq!(s.post(&format!("{at}/cancel"), None, &long).await.error(), (413, "body_too_large".into()));
    assert_eq!(s.get(&at).await.json()["generation"]["status"], "pending");
    assert_eq!(s.post(&format!("{at}/cancel"), None, r#"{"why": "not"}"#).await.status, 200);
    for (method, tail) in [("GET", "/cancel"), ("PUT", "/retry"), ("POST", "/events"), ("POST", "")] {
        let answer = s.send(s.request(method, &format!("{at}{tail}"), Body::empty())).await;
        assert_eq!(answer.error(), (405, "method_not_allowed".into()), "{method} {tail}");
    }
}

#[tokio::test]
async fn a_key_is_good_for_one_request_of_any_kind() {
    let s = Service::rich();
    let made = s.create_under("a", &text()).await;
    let at = made.header("location").to_owned();
    let cancel = format!("{at}/cancel");
    assert_eq!(s.post(&cancel, Some("a"), "").await.error(), (409, "idempotency_conflict".into()));
    let first = s.post(&cancel, Some("b"), "").await;
    let again = s.post(&cancel, Some("b"), "").await;
    assert_eq!((first.status, again.status), (200, 200));
    assert_eq!((first.header("idempotent-replayed"), again.header("idempotent-replayed")), ("", "true"));
    assert_eq!(first.body, again.body, "to the byte");
    assert_eq!(first.header("content-type"), again.header("content-type"));
    assert_eq!(s.post(&cancel, Some("b"), "{}").await.error(), (409, "idempotency_conflict".into()), "another body");
    let retry = format!("{at}/retry");
    assert_eq!(s.post(&retry, Some("b"), "").await.error(), (409, "idempotency_conflict".into()), "another path");
    assert_eq!(s.create_under("b", &text()).await.error(), (409, "idempotency_conflict".into()));
    let kit = r#"{"name": "Acme"}"#;
    assert_eq!(s.post("/api/brands", Some("b"), kit).await.error(), (409, "idempotency_conflict".into()));
    assert_eq!(s.post("/api/brands", Some("c"), kit).await.status, 201);
    assert_eq!(s.post(&cancel, Some("c"), "").await.error(), (409, "idempotency_conflict".into()));
    // Error responses are not stored, and other accounts have their own keys.
    assert_eq!(s.post(&cancel, Some("d"), "").await.error(), (409, "not_cancellable".into()));
    assert_eq!(s.post(&retry, Some("d"), "").await.error(), (409, "not_retryable".into()));
    assert_eq!(s.post(&retry, Some("not a key"), "").await.error(), (400, "validation_failed".into()));

    // The stored response remains after the generation is deleted.
    assert_eq!(s.delete(&at).await.status, 204);
    let again = s.create_under("a", &text()).await;
    assert_eq!((again.status, again.header("idempotent-replayed")), (202, "true"));
    assert_eq!((&again.body, again.header("location")), (&made.body, at.as_str()));
    assert_eq!(s.get(&at).await.status, 404);
    assert_eq!(s.post(&cancel, Some("b"), "").await.body, first.body);
}

#[tokio::test]
async fn i4_a_hundred_retries_at_once_under_one_key_are_one() {
    let s = Service::start(1000, Limiter::new(9999, 9999, 9999));
    let at = s.pair().await;
    s.work(|_| true).await;
    let path = format!("{at}/retry");
    let answers = futures::future::join_all((0..100).map(|_| s.post(&path, Some("k"), ""))).await;
    let mut bodies = HashSet::new();
    for answer in answers {
        match answer.status {
            200 => _ = bodies.insert(answer.body),
            _ => assert_eq!(answer.error(), (409, "idempotency_in_progress".into())),
        }
    }
    assert_eq!(bodies.len(), 1);
    assert_eq!(s.balance().await, [980, 20]);
    s.work(|_| true).await;
    assert_eq!(s.post(&path, Some("k"), "").await.header("idempotent-replayed"), "true", "a day long");
    assert_eq!(s.balance().await, [1000, 0]);
    assert_eq!(s.post(&path, Some("l"), "").await.status, 200);
}

#[tokio::test]
async fn i4_whoever_lets_go_of_an_answer_finds_it_under_its_key() {
    let s = Service::start(1000, Limiter::new(9999, 9999, 9999));
    let at = s.pair().await;
    let path = format!("{at}/cancel");
    // The client disconnects while its request is in progress. Wherever that happens, the generation was created once
    // or not at all, and repeating the request shows which.
    for polls in 1..6 {
        let mut request = Box::pin(s.post(&path, Some("k"), ""));
        for _ in 0..polls {
            if futures::poll!(&mut request).is_ready() {
                break;
            }
            tokio::task::yield_now().await;
        }
    }
    let answer = loop {
        let answer = s.post(&path, Some("k"), "").await;
        if answer.status == 200 {
            break answer;
        }
        assert_eq!(answer.error(), (409, "idempotency_in_progress".into()));
    };
    assert_eq!(answer.json()["generation"]["status"], "cancelled");
    assert_eq!(s.balance().await, [1000, 0]);
    s.check_money();
}

#[tokio::test]
async fn a_generation_is_renamed() {
    let s = Service::rich();
    let at = s.pair().await;
    let patch = async |body: &str| s.send(s.request("PATCH", &at, body.to_owned())).await;
    let title = async || s.get(&at).await.json()["generation"]["title"].take();
    assert_eq!(title().await, Value::Null);
    let answer = patch(r#"{"title": "  Autumn campaign "}"#).await;
    assert_eq!((answer.status, &answer.json()["generation"]["title"]), (200, &json!("Autumn campaign")));
    s.work(|_| false).await;
    assert_eq!(title().await, "Autumn campaign");
    assert_eq!(s.get("/api/generations?q=autumn").await.json()["generations"][0]["title"], "Autumn campaign");

    let long = format!(r#"{{"title": "{}"}}"#, "ö".repeat(201));
    for (body, code) in [
        ("{}", "missing_field"),
        (r#"{"title": 7}"#, "invalid_value"),
        (r#"{"title": "  "}"#, "invalid_value"),
        (r#"{"title": "a\nb"}"#, "invalid_characters"),
        (&long, "invalid_value"),
    ] {
        let refused = patch(body).await;
        let detail = refused.json()["details"][0].take();
        assert_eq!((refused.error(), &detail["field"]), ((400, "validation_failed".into()), &json!("title")), "{body}");
        assert_eq!(detail["code"], code, "{body}");
    }
    assert_eq!(patch(&format!(r#"{{"title": "{}"}}"#, "ö".repeat(200))).await.status, 200);
    let found = patch(r#"{"title": null, "name": "x"}"#).await.json()["generation"].take();
    assert_eq!((found["title"].as_str(), found["outputs"].as_array().unwrap().len()), (Some("Fox"), 2));
    assert_eq!(found["warnings"].as_array().unwrap().last().unwrap()["code"], "unknown_field");
    let nobody = s.request("PATCH", &format!("/api/generations/{}", Uuid::now_v7()), r#"{"title": "x"}"#);
    assert_eq!(s.send(nobody).await.error(), (404, "generation_not_found".into()));
}
