//! Tests of the API through the router, without sockets. The test itself acts as the only worker through the state.

use std::collections::HashSet;
use std::sync::LazyLock;
use std::time::Duration;

use axum::body::Body;
use axum::http::{HeaderMap, Request};
use fleet::blobs::Blobs;
use fleet::net::Guard;
use fleet::protocol::{
    BlobId, ClaimAnswer, Class, Failure, Grant, Job, Outcome, Planned, PlannedPage, Rendered, Terms, Ticket, Verdict,
    image_keys,
};
use render_core::inspect::Quality;
use render_core::warning::{Warning, WarningCode};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;
use uuid::Uuid;

use contract::{Contract, Seen};

use super::*;
use crate::accounts::{Plan, Scope, Scopes};
use crate::app::{Ceilings, Console, Exports, InFlight, Streams};
use crate::bodies::Bodies;
use crate::budget::Budget;
use crate::clock::Millis;
use crate::health::Health;
use crate::integrity::Integrity;
use crate::keys::{ApiKey, KeyPlans};
use crate::limits::Limiter;
use crate::serve::{Peer, Refusal};
use crate::state::{Account, AccountChange, DueTicket, NewClaim, Store};
use crate::urls::Signer;

mod access;
mod arrange;
mod brands;
mod console;
#[path = "../../../tests/integration/contract.rs"]
mod contract;
mod edge;
mod edits;
mod events;
mod examples;
mod exports;
mod health;
mod lifecycle;
mod order;
mod pages;
mod queries;
mod secrets;
mod storage;
mod uploads;
mod webhooks;

/// The OpenAPI contract that every response is checked against.
static CONTRACT: LazyLock<Contract> = LazyLock::new(|| {
    let (_, document) = api::paths().split_for_parts();
    Contract::new(serde_json::to_value(api::spec::finish(document, "http://h")).unwrap())
});

struct Service {
    _folder: tempfile::TempDir,
    app: Arc<App>,
    account: Uuid,
    key: String,
}

struct Answer {
    status: u16,
    headers: HeaderMap,
    body: Vec<u8>,
}

impl Answer {
    fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|e| panic!("{e}: {}", String::from_utf8_lossy(&self.body)))
    }

    fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |v| v.to_str().unwrap())
    }

    /// Returns status and code of an error response, after checking its format and the headers that every response
    /// carries.
    fn error(&self) -> (u16, String) {
        let body = self.json();
        for field in ["error", "message", "code", "requestId"] {
            assert!(body[field].as_str().is_some_and(|s| !s.is_empty()), "{field}: {body}");
        }
        assert_eq!(body["requestId"], self.header("x-request-id"));
        self.carries_limits();
        (self.status, body["code"].as_str().unwrap().to_owned())
    }

    fn carries_limits(&self) {
        for name in ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"] {
            assert!(self.header(name).parse::<u64>().is_ok(), "{name}: {:?}", self.headers);
        }
    }
}

/// Returns a text that fills this many slides.
fn foxes(slides: u32) -> String {
    (1..slides)
        .map(|n| format!("- Fox {n} sleeps under its own old oak tree\n"))
        .fold("# Foxes\n\n".into(), |all, fox| all + &fox)
}

fn text() -> Value {
    json!({"inputType": "text", "inputContent": "A fox.", "outputFormats": ["instagram_post"]})
}

/// A request body for a carousel of two slides and a visual.
fn carousel_and_visual() -> Value {
    let mut body = text();
    body["outputFormats"] = json!(["linkedin_carousel", "instagram_post"]);
    body["inputContent"] = json!(foxes(2));
    body["carouselCounts"] = json!({"linkedin_carousel": 2});
    body
}

impl Service {
    fn start(credits: u64, limiter: Limiter) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (store, blobs) = (Store::open(folder.path()).unwrap(), Blobs::memory());
        let app = Arc::new(App {
            signer: Signer::new("http://h".into(), *store.signing_secret(), 60),
            integrity: Integrity::new(store.clone(), blobs.clone()),
            blobs,
            redirects: false,
            limiter,
            trusted_proxies: Vec::new(),
            bodies: Bodies::new(Budget::new(256 << 20, 128 << 20), folder.path()),
            ceilings: Ceilings { text_chars: 200_000, images: 100, translates: false },
            cors: Vec::new(),
            guard: Guard::default(),
            estimator: None,
            editor: None,
            sampler: None,
            exporter: Some(Arc::new(exports::Binder::default())),
            exports: Exports::default(),
            work: Default::default(),
            history: Default::default(),
            importer: Some(Arc::new(brands::Reader)),
            max_brands: 3,
            max_backlog: 600,
            free_corrections: 20,
            max_wait: None,
            health: Health::default(),
            keep_uploads_s: 86_400,
            key_plans: KeyPlans::default(),
            console: Console::new("http://h", true, store.signing_secret()),
            store,
            stopping: CancellationToken::new(),
            in_flight: InFlight::default(),
            streams: Streams::new(3),
        });
        let (account, key) = new_account(&app, Plan::Pro, credits);
        Self { _folder: folder, app, account, key }
    }

    fn rich() -> Self {
        Self::start(1_000_000, Limiter::new(100_000, 100_000, 100_000))
    }

    /// Sends a request and checks the response against the OpenAPI document, which describes requests with keys, not
    /// sessions.
    async fn send(&self, request: Request<Body>) -> Answer {
        let (method, path) = (request.method().clone(), request.uri().path().to_owned());
        let has_session = request.headers().contains_key("cookie");
        let response = router(Arc::clone(&self.app)).oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let body = axum::body::to_bytes(body, usize::MAX).await.unwrap().to_vec();
        let answer = Answer { status: parts.status.as_u16(), headers: parts.headers, body };
        let header = |name: &str| Some(answer.headers.get(name)?.to_str().unwrap().to_owned());
        let seen =
            Seen { method: method.as_str(), path: &path, status: answer.status, header: &header, body: &answer.body };
        match CONTRACT.check(&seen) {
            Err(fault) if !has_session => panic!("{fault}"),
            _ => answer,
        }
    }

    fn request(&self, method: &str, path: &str, body: impl Into<Body>) -> Request<Body> {
        let request = Request::builder().method(method).uri(path).header("x-api-key", &self.key);
        request.header("content-type", "application/json").body(body.into()).unwrap()
    }

    async fn get(&self, path: &str) -> Answer {
        self.send(self.request("GET", path, Body::empty())).await
    }

    async fn create(&self, body: &Value) -> Answer {
        self.send(self.request("POST", "/api/generations", body.to_string())).await
    }

    async fn create_under(&self, key: &str, body: &Value) -> Answer {
        let mut request = self.request("POST", "/api/generations", body.to_string());
        request.headers_mut().insert("idempotency-key", key.parse().unwrap());
        self.send(request).await
    }

    /// Claims the next job, if there is one.
    fn claim(&self) -> Option<(Grant, Job)> {
        let store = &self.app.store;
        let ticket: Ticket = *store.outbox(1).unwrap().first()?;
        match store.claim(ticket, &NewClaim::here("test", 7), Millis::now()).unwrap() {
            ClaimAnswer::Granted(claim, job, Terms { secret, .. }) => Some((Grant { claim, secret }, job)),
            ClaimAnswer::Refused => panic!("{ticket:?}"),
        }
    }

    /// Processes every queued job. Renders for which `fails` returns true fail permanently.
    async fn work(&self, fails: impl Fn(usize) -> bool) {
        let mut renders = 0;
        while let Some((claim, job)) = self.claim() {
            let outcome = match &job {
                Job::Plan(plan) => planned(plan.formats.clone()),
                Job::Render(render) => {
                    renders += 1;
                    let (generation, output, version) = (render.generation, render.output, render.version);
                    let [object, thumbnail] = image_keys(None, generation, output, version, claim.claim.nonce, "png");
                    for key in [&object, &thumbnail] {
                        self.app.blobs.put_object(key, b"image".as_slice().into(), "image/png").await.unwrap();
                    }
                    let warnings = vec![Warning::new(WarningCode::TextShrunk, "The headline is small.")];
                    let (sha256, quality) = (BlobId::of(b"image").0, Quality::default());
                    match fails(renders - 1) {
                        true => fault("render_failed"),
                        false => Outcome::Rendered(Rendered { object, thumbnail, bytes: 5, sha256, quality, warnings }),
                    }
                }
            };
            assert_eq!(self.app.store.report(claim, &outcome, Millis::now()).unwrap(), Verdict::Accepted);
        }
    }
}

impl Service {
    /// Returns the balance, after checking that it equals the sum of the ledger entries.
    fn check_money(&self) -> u64 {
        let balance = self.app.store.balance(self.account, Millis::now()).unwrap();
        assert_eq!(self.app.store.audit(self.account).unwrap(), (balance.available(), balance.reserved));
        balance.available()
    }
}

fn new_account(app: &App, plan: Plan, credits: u64) -> (Uuid, String) {
    let account = Account { name: "t".into(), plan, active: true, created: Millis(0) };
    let id = app.store.create_account(&account, credits).unwrap();
    let (_, key) = app.store.create_key(id, "k", Scopes::ALL, Millis(0)).unwrap();
    (id, key.reveal().to_owned())
}

fn planned(formats: Vec<(String, Option<u32>)>) -> Outcome {
    let page = |format: &str, slide| PlannedPage {
        format: format.to_owned(),
        slide,
        page: BlobId([1; 32]),
        alt_text: "A fox.".into(),
    };
    let pages = formats.iter().flat_map(|(format, slides)| match slides {
        Some(n) => (0..*n).map(|slide| page(format, Some(slide))).collect(),
        None => vec![page(format, None)],
    });
    Outcome::Planned(Planned {
        document: BlobId([2; 32]),
        title: "Fox".into(),
        language: "en".into(),
        style: "modern".into(),
        pages: pages.collect(),
        warnings: vec![],
        photos: Vec::new(),
        tokens: None,
        usage: None,
    })
}

fn fault(code: &str) -> Outcome {
    Outcome::Failed(Failure {
        code: code.into(),
        message: "It did not work.".into(),
        retry: false,
        tokens: None,
        usage: None,
    })
}

fn path_of(url: &Value) -> &str {
    url.as_str().unwrap().strip_prefix("http://h").unwrap()
}

#[tokio::test]
async fn a_generation_from_creation_to_image() {
    let s = Service::rich();
    let mut body = carousel_and_visual();
    body["visualStyle"] = json!("bold");
    let made = s.create(&body).await;
    assert_eq!(made.status, 202);
    let pending = &made.json()["generation"];
    assert_eq!(made.header("location"), format!("/api/generations/{}", pending["id"].as_str().unwrap()));
    let fields: HashSet<&str> = pending.as_object().unwrap().keys().map(String::as_str).collect();
    let contract = [
        "id",
        "status",
        "progress",
        "stage",
        "title",
        "inputType",
        "inputUrl",
        "outputFormats",
        "carouselCounts",
        "brandId",
        "visualStyle",
        "language",
        "resolution",
        "exactSize",
        "seed",
        "creditsCharged",
        "creditsRefunded",
        "outputs",
        "warnings",
        "error",
        "errorMessage",
        "createdAt",
        "startedAt",
        "completedAt",
    ];
    assert!(contract.iter().all(|f| fields.contains(f)), "{fields:?}");
    let shown = |g: &Value| (g["status"].clone(), g["progress"].clone(), g["outputs"].clone());
    assert_eq!(shown(pending), (json!("pending"), json!(0), json!([])));
    assert_eq!((&pending["creditsCharged"], &pending["startedAt"]), (&json!(40), &Value::Null));

    s.work(|_| false).await;
    let done = s.get(made.header("location")).await.json()["generation"].take();
    assert_eq!((&done["status"], &done["progress"]), (&json!("completed"), &json!(100)));
    assert_eq!(
        (&done["title"], &done["visualStyle"], &done["language"]),
        (&json!("Fox"), &json!("bold"), &json!("en"))
    );
    assert_eq!(done["carouselCounts"], json!({"linkedin_carousel": 2}));
    assert_eq!((&done["exactSize"], &done["resolution"]), (&json!(false), &json!("2K")));
    let outputs = done["outputs"].as_array().unwrap();
    let kinds: Vec<_> =
        outputs.iter().map(|o| (&o["formatId"], &o["kind"], &o["slideIndex"], &o["sortOrder"])).collect();
    assert_eq!(
        json!(kinds),
        json!([
            ["linkedin_carousel", "slide", 0, 0],
            ["linkedin_carousel", "slide", 1, 1],
            ["instagram_post", "visual", null, 2],
        ])
    );
    assert_eq!(outputs[2]["id"], outputs[2]["outputId"]);
    let small = |format: &str| json!({"code": "text_shrunk", "message": "The headline is small.", "formatId": format});
    let slide = |index: u32| {
        let mut warning = small("linkedin_carousel");
        warning["slideIndex"] = index.into();
        warning
    };
    assert_eq!(done["warnings"], json!([slide(0), slide(1), small("instagram_post")]));
    assert_eq!((&outputs[2]["width"], &outputs[2]["height"]), (&json!(1638), &json!(2048)));

    let image = s.get(path_of(&outputs[0]["imageUrl"])).await;
    assert_eq!((image.status, image.body.as_slice()), (200, b"image".as_slice()));
    assert_eq!((image.header("content-type"), image.header("content-length")), ("image/png", "5"));
    let cached = image.header("cache-control");
    let seconds = cached.strip_prefix("private, max-age=").and_then(|c| c.strip_suffix(", immutable"));
    assert!(seconds.is_some_and(|s| (1..=60).contains(&s.parse().unwrap())), "no longer than its URL: {cached}");
    assert_eq!(s.get(path_of(&outputs[0]["thumbnailUrl"])).await.header("content-type"), "image/png");
    image.carries_limits();
}

#[tokio::test]
async fn an_exact_size_is_that_of_the_platform() {
    let s = Service::start(100, Limiter::new(999, 999, 999));
    let mut body = text();
    body["outputFormats"] = json!(["ad_mpu", "instagram_post"]);
    body["exactSize"] = json!(true);
    let made = s.create(&body).await;
    assert_eq!(made.status, 202);
    s.work(|_| false).await;
    let done = s.get(made.header("location")).await.json()["generation"].take();
    assert_eq!((&done["exactSize"], &done["resolution"]), (&json!(true), &json!("2K")));
    let sizes: Vec<_> = done["outputs"].as_array().unwrap().iter().map(|o| [&o["width"], &o["height"]]).collect();
    assert_eq!(json!(sizes), json!([[300, 250], [1080, 1350]]));
    body["resolution"] = json!("4K");
    let refused = s.create(&body).await;
    assert_eq!((refused.status, &refused.json()["details"][0]["field"]), (400, &json!("exactSize")));
}

#[tokio::test]
async fn failures_are_told_and_refunded() {
    let s = Service::start(100, Limiter::new(999, 999, 999));
    let mut body = text();
    body["outputFormats"] = json!(["instagram_post", "facebook_post", "pinterest_pin"]);
    let partial = s.create(&body).await;
    s.work(|n| n == 1).await;
    let g = s.get(partial.header("location")).await.json()["generation"].take();
    assert_eq!(
        (&g["status"], &g["creditsCharged"], &g["creditsRefunded"]),
        (&json!("partial"), &json!(30), &json!(10))
    );
    assert_eq!(g["outputs"].as_array().unwrap().len(), 2);

    let failed = s.create(&text()).await;
    let (claim, _) = s.claim().unwrap();
    s.app.store.report(claim, &fault("no_content"), Millis::now()).unwrap();
    let g = s.get(failed.header("location")).await.json()["generation"].take();
    assert_eq!(
        (&g["status"], &g["error"]["code"], &g["outputs"]),
        (&json!("failed"), &json!("no_content"), &json!([]))
    );
    let balance = s.get("/api/credits/balance").await.json();
    assert_eq!((&balance["balance"], &balance["reserved"], &balance["plan"]), (&json!(80), &json!(0), &json!("pro")));
}

#[tokio::test]
async fn i3_five_hundred_at_once_spend_what_there_is_and_no_more() {
    let s = Service::start(79, Limiter::new(999, 999, 999));
    let body = text();
    let answers = futures::future::join_all((0..500).map(|_| s.create(&body))).await;
    let count = |status| answers.iter().filter(|a| a.status == status).count();
    assert_eq!((count(202), count(402)), (7, 493));
    let refused = answers.iter().find(|a| a.status == 402).unwrap();
    assert_eq!(refused.error().1, "insufficient_credits");
    assert_eq!(refused.json()["required"], 10);
    assert!(refused.json()["available"].as_u64().unwrap() < 80);
    assert_eq!(s.check_money(), 9);
}

#[tokio::test]
async fn i4_a_thousand_at_once_under_one_key_make_one_generation() {
    let s = Service::rich();
    let body = text();
    let answers = futures::future::join_all((0..1000).map(|_| s.create_under("k", &body))).await;
    let mut ids = HashSet::new();
    for answer in &answers {
        match answer.status {
            202 => _ = ids.insert(answer.json()["generation"]["id"].to_string()),
            _ => assert_eq!(answer.error(), (409, "idempotency_in_progress".into())),
        }
    }
    assert_eq!(ids.len(), 1);
    s.work(|_| false).await;
    let again = s.create_under("k", &body).await;
    assert_eq!((again.status, again.header("idempotent-replayed")), (202, "true"));
    let first = answers.iter().find(|a| a.status == 202 && a.header("idempotent-replayed").is_empty()).unwrap();
    assert_eq!(again.json(), first.json(), "the first answer, word for word");
    assert_eq!(again.header("location"), first.header("location"));
    let mut other = text();
    other["seed"] = json!(1);
    assert_eq!(s.create_under("k", &other).await.error(), (409, "idempotency_conflict".into()));
    assert_eq!(s.get("/api/generations").await.json()["generations"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn what_was_refused_can_be_tried_again_under_its_key() {
    let s = Service::start(5, Limiter::new(999, 999, 999));
    assert_eq!(s.create_under("k", &text()).await.error(), (402, "insufficient_credits".into()));
    let (_, key) = new_account(&s.app, Plan::Pro, 10);
    let richer = Service { key, ..s };
    assert_eq!(richer.create_under("k", &text()).await.status, 202);
    assert_eq!(richer.create_under("a b", &text()).await.error(), (400, "validation_failed".into()));
}

#[tokio::test]
async fn a_fresh_idempotency_key_is_no_way_around_a_full_queue() {
    let mut s = Service::rich();
    Arc::get_mut(&mut s.app).unwrap().max_backlog = 2;
    for key in ["a", "b"] {
        assert_eq!(s.create_under(key, &text()).await.status, 202);
    }
    assert_eq!(s.create_under("c", &text()).await.error(), (503, "queue_full".into()));
    let again = s.create_under("a", &text()).await;
    assert_eq!((again.status, again.header("idempotent-replayed")), (202, "true"));
    let mut other = text();
    other["seed"] = json!(1);
    assert_eq!(s.create_under("b", &other).await.error(), (409, "idempotency_conflict".into()));
    s.work(|_| false).await;
    assert_eq!(s.create_under("c", &text()).await.status, 202);
}

#[tokio::test]
async fn nothing_is_accepted_while_the_oldest_job_waits_too_long() {
    let mut s = Service::rich();
    let ticket = Ticket { job: Uuid::nil(), epoch: 1.into(), class: Class::Plan };
    s.app.work.queued.add(DueTicket { ticket, since: std::time::Instant::now() });
    Arc::get_mut(&mut s.app).unwrap().max_wait = Some(Duration::from_secs(60));
    assert_eq!(s.create(&text()).await.status, 202);
    Arc::get_mut(&mut s.app).unwrap().max_wait = Some(Duration::ZERO);
    assert_eq!(s.create(&text()).await.error(), (503, "queue_full".into()));
    s.app.work.queued.remove(ticket);
    assert_eq!(s.create(&text()).await.status, 202, "nothing waits any more");
}

#[tokio::test]
async fn accounts_are_apart() {
    let s = Service::rich();
    let location = s.create(&text()).await.header("location").to_owned();
    let (_, key) = new_account(&s.app, Plan::Pro, 100);
    let other = Service { key, ..s };
    let foreign = other.get(&location).await;
    let absent = other.get("/api/generations/0192a0c4-0000-7000-8000-000000000000").await;
    assert_eq!(foreign.error(), (404, "generation_not_found".into()));
    assert_eq!(
        (foreign.error(), foreign.json()["message"].clone()),
        (absent.error(), absent.json()["message"].clone())
    );
    assert_eq!(other.get("/api/generations").await.json()["generations"], json!([]));
    assert_eq!(other.get("/api/credits/balance").await.json()["balance"], 100);
}

#[tokio::test]
async fn a_price_above_the_callers_own_is_refused() {
    let s = Service::rich();
    let mut body = text();
    body["maxCredits"] = json!(9);
    let refused = s.create(&body).await;
    assert_eq!(refused.error(), (402, "max_credits_exceeded".into()));
    let told = refused.json();
    assert_eq!((&told["required"], &told["maxCredits"], told.get("available")), (&json!(10), &json!(9), None));
    body["maxCredits"] = json!(10);
    assert_eq!(s.create(&body).await.status, 202);
}

#[tokio::test]
async fn pages_of_a_list_follow_each_other() {
    let s = Service::rich();
    for n in 0..5 {
        let mut body = text();
        body["title"] = json!(format!("Number {n}"));
        s.create(&body).await;
    }
    let mut path = "/api/generations?limit=2".to_owned();
    let mut titles = Vec::new();
    loop {
        let page = s.get(&path).await.json();
        titles.extend(page["generations"].as_array().unwrap().iter().map(|g| g["title"].as_str().unwrap().to_owned()));
        let Some(next) = page["pagination"]["nextCursor"].as_str() else { break };
        assert_eq!(page["pagination"]["hasMore"], true);
        path = format!("/api/generations?limit=2&cursor={next}");
    }
    assert_eq!(titles, ["Number 4", "Number 3", "Number 2", "Number 1", "Number 0"]);
    let found = s.get("/api/generations?q=number%203&status=pending&inputType=text").await.json();
    assert_eq!(found["generations"].as_array().unwrap().len(), 1);
    assert_eq!(s.get("/api/generations?inputType=pdf").await.json()["generations"], json!([]));
}

#[tokio::test]
async fn the_catalogue_is_whole() {
    let s = Service::rich();
    let catalogue = s.get("/api/idea-mode/formats").await.json();
    assert_eq!(catalogue, s.get("/api/formats").await.json());
    let formats = catalogue["formats"].as_array().unwrap();
    assert_eq!(catalogue["count"], formats.len());
    let post = formats.iter().find(|f| f["id"] == "instagram_post").unwrap();
    assert_eq!(post["sizes"]["2K"], json!({"width": 1638, "height": 2048}));
    assert_eq!(post["sizes"]["exact"], json!({"width": 1080, "height": 1350}));
    assert_eq!(post["safeArea"], json!({"top": 0.032, "right": 0.04, "bottom": 0.032, "left": 0.04}));
    assert_eq!((&post["slides"], &post["creditsPerUnit"]), (&Value::Null, &json!(10)));
    let carousel = formats.iter().find(|f| f["id"] == "linkedin_carousel").unwrap();
    assert_eq!((&carousel["isCarousel"], &carousel["is_carousel"]), (&json!(true), &json!(true)));
    assert_eq!((&carousel["slides"]["max"], &carousel["creditsPerUnit"]), (&json!(20), &json!(15)));
}
