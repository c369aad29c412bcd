//! Tests of webhooks through the router, with deliveries to receivers on loopback.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use fleet::net::{Checked, Dialler, Parts, Poster, Resolver, Stream};
use hmac::{Hmac, KeyInit, Mac};
use parking_lot::Mutex;
use sha2::Sha256;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

use super::*;
use crate::services::webhooks;
use crate::state::WEBHOOKS_MAX;

const URL: &str = "https://hooks.example/in?token=b#c";

impl Service {
    async fn post_json(&self, path: &str, body: &Value) -> Answer {
        self.send(self.request("POST", path, body.to_string())).await
    }

    async fn subscribe(&self, url: &str) -> Value {
        let answer = self.post_json("/api/webhooks", &json!({"url": url})).await;
        assert_eq!(answer.status, 201, "{}", String::from_utf8_lossy(&answer.body));
        answer.json()["webhook"].take()
    }

    /// Restricts the key of the service's account to these scopes.
    fn with_scopes(self, scopes: &[Scope]) -> Self {
        let (_, key) = self.app.store.create_key(self.account, "k", Scopes::of(scopes), Millis(0)).unwrap();
        Self { key: key.reveal().to_owned(), ..self }
    }

    fn of_another(&self) -> String {
        new_account(&self.app, Plan::Pro, 100).1
    }

    async fn deliveries(&self, path: &str) -> Vec<Value> {
        let answer = self.get(&format!("{path}/deliveries")).await;
        assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
        answer.json()["deliveries"].as_array().unwrap().clone()
    }

    /// Sends due deliveries until dropped.
    fn delivering(&self, net: &Arc<Net>) -> JoinSet<()> {
        let parts = Parts::of_the_system(Guard::new(net.allowed.iter().map(|a| a.parse().unwrap()).collect()));
        let (resolver, dialler) = (Arc::clone(net) as Arc<dyn Resolver>, Arc::clone(net) as Arc<dyn Dialler>);
        let poster = Poster::new(Parts { resolver, dialler, ..parts });
        let mut tasks = JoinSet::new();
        tasks.spawn(webhooks::deliver(Arc::clone(&self.app), poster, CancellationToken::new()));
        tasks
    }
}

fn path_to(webhook: &Value) -> String {
    format!("/api/webhooks/{}", webhook["id"].as_str().unwrap())
}

#[tokio::test]
async fn a_webhook_is_made_read_and_deleted() {
    let s = Service::rich();
    let body = json!({"url": URL, "events": ["generation.failed", "generation.completed"], "evnts": []});
    let made = s.post_json("/api/webhooks", &body).await;
    assert_eq!(made.status, 201);
    let mut shown = made.json()["webhook"].take();
    assert_eq!(made.header("location"), path_to(&shown));
    assert_eq!(made.json()["warnings"][0]["code"], "unknown_field");
    let secret = shown["secret"].take();
    assert!(secret.as_str().is_some_and(|s| s.starts_with("whsec_") && s.len() == 49), "{secret}");
    shown.as_object_mut().unwrap().remove("secret");
    let events = ["generation.completed", "generation.failed"];
    let want = json!({
        "id": shown["id"], "url": URL, "events": events, "active": true, "createdAt": shown["createdAt"],
        "disabledAt": null, "previousSecretExpiresAt": null,
    });
    assert_eq!(shown, want);
    let read = s.get(&path_to(&shown)).await;
    assert_eq!(read.json(), json!({"webhook": shown}), "its secret is shown once");
    let other = s.subscribe("http://hooks.example/").await;
    assert_eq!(other["events"].as_array().unwrap().len(), 4, "all of them, where none is named");
    let listed = s.get("/api/webhooks").await;
    assert_eq!((&listed.json()["count"], &listed.json()["webhooks"][0]), (&json!(2), &shown));
    assert!(!String::from_utf8_lossy(&listed.body).contains("whsec_"));
    assert_eq!(s.deliveries(&path_to(&shown)).await, [] as [Value; 0]);

    let deleted = s.send(s.request("DELETE", &path_to(&shown), Body::empty())).await;
    assert_eq!((deleted.status, deleted.body.len()), (204, 0));
    for (method, path) in
        [("GET", path_to(&shown)), ("DELETE", path_to(&shown)), ("GET", format!("{}/deliveries", path_to(&shown)))]
    {
        let gone = s.send(s.request(method, &path, Body::empty())).await;
        assert_eq!(gone.error(), (404, "webhook_not_found".into()), "{method} {path}");
    }
    assert_eq!(s.get("/api/webhooks/7").await.error(), (404, "webhook_not_found".into()));
}

#[tokio::test]
async fn every_fault_of_a_webhook_is_told_at_once() {
    let s = Service::rich();
    for (body, field, code) in [
        (json!({}), "url", "missing_field"),
        (json!({"url": 7}), "url", "invalid_value"),
        (json!({"url": "hooks.example/in"}), "url", "invalid_value"),
        (json!({"url": format!("https://hooks.example/{}", "x".repeat(2_048))}), "url", "invalid_value"),
        (json!({"url": "ftp://hooks.example/"}), "url", "url_not_allowed"),
        (json!({"url": "https://me:you@hooks.example/"}), "url", "url_not_allowed"),
        (json!({"url": "https://hooks.example:8443/"}), "url", "url_not_allowed"),
        (json!({"url": "http://localhost/"}), "url", "url_not_allowed"),
        (json!({"url": "http://2130706433/"}), "url", "url_not_allowed"),
        (json!({"url": "http://[::ffff:10.0.0.1]/"}), "url", "url_not_allowed"),
        (json!({"url": "http://169.254.169.254/latest/"}), "url", "url_not_allowed"),
        (json!({"url": URL, "events": "generation.failed"}), "events", "invalid_value"),
        (json!({"url": URL, "events": []}), "events", "invalid_value"),
        (json!({"url": URL, "events": vec!["generation.failed"; 10_000]}), "events", "invalid_value"),
        (json!({"url": URL, "events": [1]}), "events[0]", "invalid_value"),
        (json!({"url": URL, "events": ["generation.failed", "generation.done"]}), "events[1]", "unknown_event"),
    ] {
        let answer = s.post_json("/api/webhooks", &body).await;
        assert_eq!(answer.error(), (400, "validation_failed".into()), "{body}");
        let detail = &answer.json()["details"][0];
        assert_eq!((&detail["field"], &detail["code"]), (&json!(field), &json!(code)), "{body}");
    }
    let both = s.post_json("/api/webhooks", &json!({"url": "http://10.0.0.1/", "events": ["x"]})).await;
    assert_eq!(both.json()["details"].as_array().unwrap().len(), 2);
    let near = s.post_json("/api/webhooks", &json!({"url": URL, "events": ["generation.complete"]})).await;
    assert!(near.json()["message"].as_str().unwrap().contains("Did you mean generation.completed?"));
    for _ in 0..WEBHOOKS_MAX {
        s.subscribe(URL).await;
    }
    let full = s.post_json("/api/webhooks", &json!({"url": URL})).await;
    assert_eq!(full.error(), (400, "validation_failed".into()));
    assert_eq!(full.json()["details"][0]["code"], "too_many_webhooks");
}

#[tokio::test]
async fn one_idempotency_key_makes_one_webhook() {
    let s = Service::rich();
    let under = async |url: &str| {
        let mut request = s.request("POST", "/api/webhooks", json!({"url": url}).to_string());
        request.headers_mut().insert("idempotency-key", "k".parse().unwrap());
        s.send(request).await
    };
    let (first, again) = (under(URL).await, under(URL).await);
    assert_eq!((first.status, again.status), (201, 201));
    assert_eq!((first.json(), again.header("idempotent-replayed")), (again.json(), "true"));
    assert_eq!(under("https://other.example/").await.error(), (409, "idempotency_conflict".into()));
    assert_eq!(s.get("/api/webhooks").await.json()["count"], 1);
}

#[tokio::test]
async fn webhooks_are_their_accounts_and_want_scopes() {
    let s = Service::rich();
    let webhook = s.subscribe(URL).await;
    let mut named = text();
    named["webhookUrl"] = json!(URL);
    let generation = s.create(&named).await.json()["generation"]["id"].as_str().unwrap().to_owned();
    let secret = s.get("/api/webhooks/secret").await.json();
    let (of_it, of_generation) =
        (format!("{}/deliveries", path_to(&webhook)), format!("/api/generations/{generation}/deliveries"));
    assert_eq!(s.get(&of_generation).await.status, 200);

    let mut other = Service { key: s.of_another(), ..s };
    for (method, path, code) in [
        ("GET", path_to(&webhook), "webhook_not_found"),
        ("DELETE", path_to(&webhook), "webhook_not_found"),
        ("PATCH", path_to(&webhook), "webhook_not_found"),
        ("POST", format!("{}/test", path_to(&webhook)), "webhook_not_found"),
        ("POST", format!("{}/secret/rotate", path_to(&webhook)), "webhook_not_found"),
        ("POST", format!("{of_it}/{}/redeliver", Uuid::nil()), "webhook_not_found"),
        ("POST", format!("{of_generation}/{}/redeliver", Uuid::nil()), "generation_not_found"),
        ("GET", of_it.clone(), "webhook_not_found"),
        ("GET", of_generation.clone(), "generation_not_found"),
    ] {
        let body = if method == "PATCH" { "{}" } else { "" };
        let answer = other.send(other.request(method, &path, body)).await;
        assert_eq!(answer.error(), (404, code.into()), "{method} {path}");
    }
    assert_eq!(other.get("/api/webhooks").await.json(), json!({"webhooks": [], "count": 0, "warnings": []}));
    assert_ne!(other.get("/api/webhooks/secret").await.json()["secret"], secret["secret"]);

    let all = [
        ("GET", "/api/webhooks".to_owned()),
        ("GET", path_to(&webhook)),
        ("GET", of_it),
        ("GET", of_generation),
        ("GET", "/api/webhooks/secret".to_owned()),
        ("POST", "/api/webhooks/secret/rotate".to_owned()),
        ("POST", "/api/webhooks".to_owned()),
        ("PATCH", path_to(&webhook)),
        ("POST", format!("{}/test", path_to(&webhook))),
        ("DELETE", path_to(&webhook)),
    ];
    for (scopes, open) in [(vec![Scope::GenerationsRead], 4), (vec![Scope::BrandsRead, Scope::CreditsRead], 0)] {
        other = other.with_scopes(&scopes);
        for (place, (method, path)) in all.iter().enumerate() {
            let answer = other.send(other.request(method, path, json!({"url": URL}).to_string())).await;
            let refused = answer.status == 403;
            assert_eq!(refused, place >= open, "{method} {path} with {scopes:?}: {}", answer.status);
        }
    }
}

#[tokio::test]
async fn the_secret_of_single_webhooks_is_read_and_rotated() {
    let s = Service::rich();
    let read = async || s.get("/api/webhooks/secret").await.json();
    let first = read().await;
    assert!(first["secret"].as_str().unwrap().starts_with("whsec_"), "{first}");
    assert!(Millis::parse(first["createdAt"].as_str().unwrap()).is_some());
    assert_eq!(read().await, first);
    let fresh = s.post_json("/api/webhooks/secret/rotate", &json!({})).await;
    assert_eq!((fresh.status, fresh.json()["secret"] == first["secret"]), (200, false));
    assert_eq!(read().await, fresh.json());
}

#[tokio::test]
async fn a_webhook_is_changed_tested_and_switched_on_again() {
    let s = Service::rich();
    let receiver = Receiver::start(|got| Some(if got.head.contains("/gone") { 410 } else { 204 })).await;
    let _delivering = s.delivering(&Net::of(receiver.address));
    let webhook = s.subscribe("http://hooks.example/gone").await;
    let path = path_to(&webhook);
    let change = async |body: Value| {
        let answer = s.send(s.request("PATCH", &path, body.to_string())).await;
        assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
        answer.json()
    };
    s.create(&text()).await;
    s.work(|_| false).await;
    until("the receiver is gone", async || s.get(&path).await.json()["webhook"]["active"] == json!(false)).await;

    // A missed delivery can be sent again once the webhook is enabled.
    let missed = s.deliveries(&path).await[0].take();
    let again = format!("{path}/deliveries/{}/redeliver", missed["id"].as_str().unwrap());
    assert_eq!(s.post_json(&again, &json!({})).await.error(), (409, "webhook_disabled".into()));
    let test = s.post_json(&format!("{path}/test"), &json!({})).await;
    let delivery = test.json()["delivery"].take();
    assert_eq!(
        (test.status, &delivery["type"], &delivery["generationId"]),
        (202, &json!("webhook.test"), &json!(null))
    );
    until("the test", async || s.deliveries(&path).await[0]["status"] == "failed").await;

    let body = json!({"active": true, "url": "http://hooks.example/in", "events": ["generation.completed"], "x": 1});
    let changed = change(body).await;
    let shown = &changed["webhook"];
    assert_eq!((&shown["active"], &shown["url"]), (&json!(true), &json!("http://hooks.example/in")));
    assert_eq!((&shown["disabledAt"], &shown["events"]), (&json!(null), &json!(["generation.completed"])));
    assert_eq!(changed["warnings"][0]["code"], "unknown_field");
    assert_eq!(s.post_json(&again, &json!({})).await.status, 202);
    until("it is sent again", async || {
        s.deliveries(&path).await.iter().any(|d| d["id"] == missed["id"] && d["status"] == "delivered")
    })
    .await;
    let test = s.post_json(&format!("{path}/test"), &json!({})).await.json()["delivery"]["id"].take();
    until("the test is taken", async || {
        s.deliveries(&path).await.iter().any(|d| d["id"] == test && d["status"] == "delivered")
    })
    .await;
    let told = receiver.got().pop().unwrap();
    assert!(told.is_signed_with(&webhook["secret"]));
    let body = told.json();
    assert_eq!((&body["type"], &body["generation"], &body["id"]), (&json!("webhook.test"), &json!(null), &test));

    assert_eq!(change(json!({"active": false})).await["webhook"]["active"], false);
    s.create(&text()).await;
    s.work(|_| false).await;
    assert_eq!(s.deliveries(&path).await.len(), 3, "a webhook that is off hears of nothing");
    for (body, field, code) in [
        (json!({"url": "http://localhost/"}), "url", "url_not_allowed"),
        (json!({"events": []}), "events", "invalid_value"),
        (json!({"active": "yes"}), "active", "invalid_value"),
    ] {
        let answer = s.send(s.request("PATCH", &path, body.to_string())).await;
        let detail = answer.json()["details"][0].take();
        assert_eq!((answer.status, &detail["field"], &detail["code"]), (400, &json!(field), &json!(code)), "{body}");
    }
    let none = format!("{path}/deliveries/{}/redeliver", Uuid::nil());
    assert_eq!(s.post_json(&none, &json!({})).await.error(), (404, "delivery_not_found".into()));
}

#[tokio::test]
async fn a_rotated_secret_signs_beside_the_new_one_for_a_while() {
    let s = Service::rich();
    let receiver = Receiver::start(|_| Some(204)).await;
    let _delivering = s.delivering(&Net::of(receiver.address));
    let webhook = s.subscribe("http://hooks.example/in").await;
    let rotate = format!("{}/secret/rotate", path_to(&webhook));
    let rotated = s.post_json(&rotate, &json!({"overlapHours": 1})).await.json()["webhook"].take();
    assert!(rotated["previousSecretExpiresAt"].is_string());
    let sent = async || {
        let before = receiver.got().len();
        s.post_json(&format!("{}/test", path_to(&webhook)), &json!({})).await;
        until("a test", async || receiver.got().len() > before).await;
        receiver.got().pop().unwrap()
    };
    let both = sent().await;
    assert!(both.is_signed_with(&webhook["secret"]) && both.is_signed_with(&rotated["secret"]));
    let last = s.post_json(&rotate, &json!({"overlapHours": 0})).await.json()["webhook"].take();
    assert_eq!(last["previousSecretExpiresAt"], json!(null));
    let one = sent().await;
    assert!(one.is_signed_with(&last["secret"]) && !one.is_signed_with(&rotated["secret"]));
    let long = s.post_json(&rotate, &json!({"overlapHours": 169})).await;
    assert_eq!(long.json()["details"][0]["field"], "overlapHours");
    assert_eq!(s.send(s.request("POST", &rotate, Body::empty())).await.status, 200, "the body may be left out");
}

/// A fake network: every name resolves to `leads_to`, and connection attempts are recorded.
struct Net {
    allowed: Vec<String>,
    leads_to: IpAddr,
    /// The address that all connections go to.
    server: SocketAddr,
    dialled: Mutex<Vec<SocketAddr>>,
}

impl Net {
    /// Creates a network in which `server` plays the public Internet.
    fn of(server: SocketAddr) -> Arc<Self> {
        let leads_to = "93.184.216.34".parse().unwrap();
        Arc::new(Self { allowed: vec![], leads_to, server, dialled: Mutex::default() })
    }
}

#[async_trait]
impl Resolver for Net {
    async fn resolve(&self, _: &str) -> io::Result<Vec<IpAddr>> {
        Ok(vec![self.leads_to])
    }
}

#[async_trait]
impl Dialler for Net {
    async fn dial(&self, to: Checked) -> io::Result<Box<dyn Stream>> {
        self.dialled.lock().push(to.address());
        Ok(Box::new(TcpStream::connect(self.server).await?))
    }
}

/// A request that a receiver got.
#[derive(Debug, Clone)]
struct Got {
    head: String,
    body: Vec<u8>,
}

impl Got {
    fn header(&self, name: &str) -> &str {
        let lines = self.head.lines().filter_map(|l| l.split_once(": "));
        lines.filter(|(n, _)| n.eq_ignore_ascii_case(name)).map(|(_, v)| v).next().unwrap_or("")
    }

    /// Verifies the signature as a receiver would.
    fn is_signed_with(&self, secret: &Value) -> bool {
        let mut parts = self.header("x-vivid-signature").split(",v1=");
        let t = parts.next().unwrap();
        let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_str().unwrap().as_bytes()).unwrap();
        mac.update(format!("{}.", t.strip_prefix("t=").unwrap()).as_bytes());
        mac.update(&self.body);
        parts.any(|v1| mac.clone().verify_slice(&hex::decode(v1).unwrap()).is_ok())
    }

    fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }
}

/// A receiver that responds with a status, or never.
struct Receiver {
    address: SocketAddr,
    got: Arc<Mutex<Vec<Got>>>,
    open: Arc<AtomicUsize>,
    most: Arc<AtomicUsize>,
    _task: JoinSet<()>,
}

impl Receiver {
    async fn start(answer: impl Fn(&Got) -> Option<u16> + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (got, open, most) = <(Arc<Mutex<Vec<Got>>>, Arc<AtomicUsize>, Arc<AtomicUsize>)>::default();
        let (noted, answer, opened, peak) = (got.clone(), Arc::new(answer), open.clone(), most.clone());
        let mut task = JoinSet::new();
        task.spawn(async move {
            let mut connections = JoinSet::new();
            while let Ok((mut stream, _)) = listener.accept().await {
                let (noted, answer, opened) = (noted.clone(), answer.clone(), opened.clone());
                peak.fetch_max(opened.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                connections.spawn(async move {
                    let got = read(&mut stream).await;
                    let status = answer(&got);
                    noted.lock().push(got);
                    match status {
                        Some(status) => {
                            let head = format!("HTTP/1.1 {status} X\r\nContent-Length: 0\r\n\r\n");
                            let _ = stream.write_all(head.as_bytes()).await;
                        }
                        // Waits until the other end closes the connection.
                        None => while stream.read_u8().await.is_ok() {},
                    }
                    opened.fetch_sub(1, Ordering::SeqCst);
                });
            }
        });
        Self { address, got, open, most, _task: task }
    }

    fn got(&self) -> Vec<Got> {
        self.got.lock().clone()
    }
}

async fn read(stream: &mut TcpStream) -> Got {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        match stream.read_u8().await {
            Ok(byte) => head.push(byte),
            Err(_) => break,
        }
    }
    let mut got = Got { head: String::from_utf8(head).unwrap(), body: Vec::new() };
    got.body = vec![0; got.header("content-length").parse().unwrap_or(0)];
    let _ = stream.read_exact(&mut got.body).await;
    got
}

/// Waits until the condition holds.
async fn until(what: &str, mut holds: impl AsyncFnMut() -> bool) {
    let patience = tokio::time::timeout(Duration::from_secs(60), async {
        while !holds().await {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    });
    assert!(patience.await.is_ok(), "in vain: {what}");
}

#[tokio::test]
async fn ends_are_told_as_a_get_would_tell_them() {
    let s = Service::rich();
    let receiver = Receiver::start(|_| Some(204)).await;
    let net = Net::of(receiver.address);
    let webhook = s.subscribe("http://hooks.example/in?token=b#c").await;
    let single = s.get("/api/webhooks/secret").await.json();
    let _delivering = s.delivering(&net);
    let mut body = text();
    body["webhookUrl"] = json!("http://single.example/");
    body["outputFormats"] = json!(["instagram_post", "facebook_post"]);
    let path = s.create(&body).await.header("location").to_owned();
    s.work(|n| n == 1).await;
    until("two deliveries", async || receiver.got().len() == 2).await;
    let generation = s.get(&path).await.json()["generation"].take();
    assert_eq!(generation["status"], "partial");

    for (host, line, secret, owner) in [
        ("hooks.example", "POST /in?token=b HTTP/1.1", &webhook["secret"], path_to(&webhook)),
        ("single.example", "POST / HTTP/1.1", &single["secret"], path.clone()),
    ] {
        let got = receiver.got().into_iter().find(|got| got.header("host") == host).unwrap();
        assert!(got.head.starts_with(&format!("{line}\r\n")), "{}", got.head);
        assert!(got.is_signed_with(secret), "{host}");
        let told = got.json();
        assert_eq!(got.header("x-vivid-delivery"), told["id"].as_str().unwrap());
        assert_eq!((got.header("x-vivid-event"), &told["type"]), ("generation.partial", &json!("generation.partial")));
        assert!(got.header("user-agent").starts_with("Vivid/"), "{}", got.head);
        assert_eq!(got.header("content-type"), "application/json");
        assert_eq!(told["createdAt"], generation["completedAt"]);
        // The signed URLs may differ by a second.
        let shown =
            |g: &Value| g.to_string().split("?expires=").map(|p| p[p.find('"').unwrap()..].to_owned()).collect();
        let (told_shown, get_shown): (Vec<String>, Vec<String>) = (shown(&told["generation"]), shown(&generation));
        assert_eq!(told_shown, get_shown);
        let image = s.get(path_of(&told["generation"]["outputs"][0]["imageUrl"])).await;
        assert_eq!((image.status, image.body.as_slice()), (200, b"image".as_slice()));

        until("its log", async || s.deliveries(&owner).await[0]["status"] == "delivered").await;
        let log = s.deliveries(&owner).await;
        assert_eq!((log.len(), &log[0]["id"], &log[0]["type"]), (1, &told["id"], &json!("generation.partial")));
        assert_eq!((&log[0]["generationId"], &log[0]["nextAttemptAt"]), (&generation["id"], &Value::Null));
        let attempts = log[0]["attempts"].as_array().unwrap();
        assert_eq!((attempts.len(), &attempts[0]["status"], &attempts[0]["error"]), (1, &json!(204), &Value::Null));
    }
    assert_eq!(receiver.got().len(), 2, "once each");
}

#[tokio::test]
async fn what_is_not_taken_waits_and_who_is_gone_is_left_alone() {
    let s = Service::rich();
    let receiver = Receiver::start(|got| Some(got.head.split(['/', ' ']).nth(2).unwrap().parse().unwrap())).await;
    let net = Net::of(receiver.address);
    let mut webhooks = Vec::new();
    for status in [500, 302, 410, 404] {
        webhooks.push(s.subscribe(&format!("http://hooks.example/{status}")).await);
    }
    s.create(&text()).await;
    s.work(|_| false).await;
    // Sends deliveries that were enqueued before any sender ran.
    let _delivering = s.delivering(&net);
    for (webhook, (status, state)) in
        webhooks.iter().zip([(500, "pending"), (302, "pending"), (410, "failed"), (404, "pending")])
    {
        let path = path_to(webhook);
        until("an attempt", async || s.deliveries(&path).await[0]["attempts"] != json!([])).await;
        let log = s.deliveries(&path).await[0].take();
        assert_eq!((&log["attempts"][0]["status"], &log["status"]), (&json!(status), &json!(state)));
        assert_eq!(log["nextAttemptAt"].is_null(), state == "failed");
        let shown = s.get(&path).await.json()["webhook"].take();
        assert_eq!((&shown["active"], shown["disabledAt"].is_null()), (&json!(status != 410), status != 410));
    }
    assert_eq!(receiver.got().len(), 4);
}

#[tokio::test]
async fn no_canary_hears_of_an_end() {
    let s = Service::rich();
    let canary = Receiver::start(|_| Some(200)).await;
    let net = |leads_to: &str, allowed: &[&str]| {
        let allowed = allowed.iter().map(|a| (*a).to_owned()).collect();
        let leads_to = leads_to.parse().unwrap();
        Arc::new(Net { allowed, leads_to, server: canary.address, dialled: Mutex::default() })
    };
    // The name looks public but resolves to a private address.
    let webhook = s.subscribe("http://private.example/").await;
    s.create(&text()).await;
    s.work(|_| false).await;
    for inside in ["127.0.0.1", "::ffff:127.0.0.1", "169.254.169.254"] {
        let net = net(inside, &[]);
        let delivering = s.delivering(&net);
        until("an attempt", async || s.deliveries(&path_to(&webhook)).await[0]["attempts"] != json!([])).await;
        drop(delivering);
        let log = s.deliveries(&path_to(&webhook)).await;
        let attempt = &log[0]["attempts"][0];
        let why = "private.example leads to an address that is not public";
        assert_eq!((&attempt["status"], &attempt["error"]), (&Value::Null, &json!(why)));
        assert_eq!(net.dialled.lock().len(), 0);
        s.create(&text()).await;
        s.work(|_| false).await;
    }
    assert_eq!(canary.got().len(), 0);
    // Positive control: the delivery arrives when the private name is allowed.
    let _delivering = s.delivering(&net("127.0.0.1", &["private.example"]));
    until("a song", async || !canary.got().is_empty()).await;
}

#[tokio::test]
async fn a_receiver_that_never_answers_holds_up_nobody() {
    let s = Service::rich();
    let silent = Receiver::start(|got| (got.header("host") == "quick.example").then_some(200)).await;
    let net = Net::of(silent.address);
    let slow = s.subscribe("http://slow.example/").await;
    let quick = s.subscribe("http://quick.example/").await;
    for _ in 0..30 {
        s.create(&text()).await;
    }
    s.work(|_| false).await;
    let _delivering = s.delivering(&net);
    let delivered = async |webhook: &Value| {
        let page = s.get(&format!("{}/deliveries?limit=100", path_to(webhook))).await.json();
        page["deliveries"].as_array().unwrap().iter().filter(|d| d["status"] == "delivered").count()
    };
    until("all that is quick", async || delivered(&quick).await == 30).await;
    assert_eq!(delivered(&slow).await, 0);
    // At most four connections per account and receiver.
    assert!(silent.most.load(Ordering::SeqCst) <= 8, "{:?}", silent.most);
    let page = s.get(&format!("{}/deliveries?limit=7", path_to(&quick))).await.json();
    assert_eq!((page["deliveries"].as_array().unwrap().len(), &page["pagination"]["hasMore"]), (7, &json!(true)));
    let cursor = page["pagination"]["nextCursor"].as_str().unwrap();
    let rest = s.get(&format!("{}/deliveries?limit=100&cursor={cursor}", path_to(&quick))).await.json();
    assert_eq!(rest["deliveries"].as_array().unwrap().len(), 23);
}

#[tokio::test]
async fn what_a_crash_broke_off_is_sent_again() {
    let s = Service::rich();
    let receiver = Receiver::start(|_| None).await;
    let webhook = s.subscribe("http://hooks.example/").await;
    s.create(&text()).await;
    s.work(|_| false).await;
    let first = s.delivering(&Net::of(receiver.address));
    until("a request", async || receiver.got().len() == 1).await;
    drop(first);
    until("the end of it", async || receiver.open.load(Ordering::SeqCst) == 0).await;
    assert_eq!(s.deliveries(&path_to(&webhook)).await[0]["attempts"], json!([]));

    let again = Receiver::start(|_| Some(200)).await;
    let _second = s.delivering(&Net::of(again.address));
    until("it is taken", async || s.deliveries(&path_to(&webhook)).await[0]["status"] == "delivered").await;
    let ids = [&receiver, &again].map(|r| r.got().iter().map(|got| got.json()["id"].clone()).collect::<Vec<_>>());
    assert_eq!(ids[0], ids[1], "the same delivery");
}
