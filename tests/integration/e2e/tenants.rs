//! Accounts are isolated (I9): a resource of another account gets exactly the response of a resource that does not
//! exist.

use serde_json::{Value, json};

use super::UNHURRIED;
use crate::people::{Seat, found};
use crate::repo;
use crate::service::{Answer, Client, Service, id};

/// An id that does not exist.
const NOTHING: &str = "0192a0c4-0000-7000-8000-000000000000";

/// A request with an id: the method, the route pattern, the kind of resource the id belongs to, and the body.
struct Case {
    method: &'static str,
    route: &'static str,
    of: Of,
    body: fn(&str) -> Option<Value>,
}

/// The kind of resource that a request's id belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Of {
    Generation,
    Brand,
    Upload,
    Webhook,
    Key,
    Member,
    Session,
    Output,
}

fn nothing(_: &str) -> Option<Value> {
    None
}

fn named(_: &str) -> Option<Value> {
    Some(json!({"name": "Taken"}))
}

fn titled(_: &str) -> Option<Value> {
    Some(json!({"title": "Taken"}))
}

fn text_with_brand(id: &str) -> Option<Value> {
    Some(json!({"inputType": "text", "inputContent": "A fox.", "outputFormats": ["ad_mpu"], "brandId": id}))
}

fn sample_with_brand(id: &str) -> Option<Value> {
    Some(json!({"name": "Taken", "brandId": id}))
}

fn pdf_with_file(id: &str) -> Option<Value> {
    Some(json!({"inputType": "pdf", "fileId": id, "outputFormats": ["ad_mpu"]}))
}

fn text_with_edits(id: &str) -> Option<Value> {
    Some(json!({"inputType": "text", "inputContent": "A fox.", "outputFormats": ["ad_mpu"], "editsOf": id}))
}

fn counted(_: &str) -> Option<Value> {
    Some(json!({"count": 1}))
}

fn counted_by_reference(id: &str) -> Option<Value> {
    Some(json!({"referenceGenerationId": id, "count": 1}))
}

fn edit_of_nothing(_: &str) -> Option<Value> {
    Some(json!({"outputId": NOTHING, "prompt": "make the background blue"}))
}

fn edit_of_output(id: &str) -> Option<Value> {
    Some(json!({"outputId": id, "prompt": "make the background blue"}))
}

fn slides_of_nothing(_: &str) -> Option<Value> {
    Some(json!({"slides": [{"outputId": NOTHING}]}))
}

fn page(_: &str) -> Option<Value> {
    Some(json!({"page": "<page><headline>Taken</headline></page>", "version": 1}))
}

fn page_alone(_: &str) -> Option<Value> {
    Some(json!({"page": "<page><headline>Taken</headline></page>"}))
}

fn first_version(_: &str) -> Option<Value> {
    Some(json!({"version": 1}))
}

const fn case(method: &'static str, route: &'static str, of: Of, body: fn(&str) -> Option<Value>) -> Case {
    Case { method, route, of, body }
}

/// Every endpoint with an id in its path, query or body.
const CASES: [Case; 64] = [
    case("GET", "/api/generations/{id}", Of::Generation, nothing),
    case("PATCH", "/api/generations/{id}", Of::Generation, titled),
    case("DELETE", "/api/generations/{id}", Of::Generation, nothing),
    case("POST", "/api/generations/{id}/cancel", Of::Generation, nothing),
    case("POST", "/api/generations/{id}/retry", Of::Generation, nothing),
    case("GET", "/api/generations/{id}/events", Of::Generation, nothing),
    case("GET", "/api/generations/{id}/deliveries", Of::Generation, nothing),
    case("GET", "/api/generations/{id}/export?format=zip", Of::Generation, nothing),
    case("GET", "/api/webhooks/{id}", Of::Webhook, nothing),
    case("POST", "/api/webhooks/{id}/test", Of::Webhook, nothing),
    case("POST", "/api/webhooks/{id}/secret/rotate", Of::Webhook, nothing),
    case("DELETE", "/api/webhooks/{id}", Of::Webhook, nothing),
    case("GET", "/api/webhooks/{id}/deliveries", Of::Webhook, nothing),
    case("GET", "/api/brands/{id}", Of::Brand, nothing),
    case("PUT", "/api/brands/{id}", Of::Brand, named),
    case("DELETE", "/api/brands/{id}", Of::Brand, nothing),
    case("PUT", "/api/brands/{id}/logo", Of::Brand, nothing),
    case("GET", "/api/generations?brandId={id}", Of::Brand, nothing),
    case("POST", "/api/generations", Of::Brand, text_with_brand),
    case("POST", "/api/generations/estimate", Of::Brand, text_with_brand),
    case("POST", "/api/generations", Of::Upload, pdf_with_file),
    case("POST", "/api/generations/estimate", Of::Upload, pdf_with_file),
    case("POST", "/api/generations", Of::Generation, text_with_edits),
    case("POST", "/api/generations/estimate", Of::Generation, text_with_edits),
    case("POST", "/api/generations/{id}/variations", Of::Generation, counted),
    case("POST", "/api/images/variation-mcp", Of::Generation, counted_by_reference),
    case("POST", "/api/generations/{id}/deliveries/{deliveryId}/redeliver", Of::Generation, nothing),
    case("POST", "/api/webhooks/{id}/deliveries/{deliveryId}/redeliver", Of::Webhook, nothing),
    case("POST", "/api/images/{id}/edit", Of::Generation, edit_of_nothing),
    case("POST", "/api/images/{id}/edit", Of::Output, edit_of_output),
    case("POST", "/api/images/edit", Of::Output, edit_of_output),
    case("PUT", "/api/images/{id}/slides", Of::Generation, slides_of_nothing),
    case("GET", "/api/images/{id}/outputs/{outputId}/designs?aspect=layout", Of::Generation, nothing),
    case("GET", "/api/images/{id}/outputs/{outputId}/designs?aspect=layout", Of::Output, nothing),
    case("GET", "/api/images/{id}/outputs/{outputId}/page", Of::Generation, nothing),
    case("GET", "/api/images/{id}/outputs/{outputId}/page", Of::Output, nothing),
    case("PUT", "/api/images/{id}/outputs/{outputId}/page", Of::Output, page),
    case("POST", "/api/images/{id}/outputs/{outputId}/page/preview", Of::Output, page_alone),
    case("POST", "/api/images/{id}/outputs/{outputId}/restore", Of::Generation, first_version),
    case("POST", "/api/images/{id}/outputs/{outputId}/restore", Of::Output, first_version),
    case("GET", "/api/images/{id}/outputs/{outputId}/versions", Of::Generation, nothing),
    case("GET", "/api/images/{id}/outputs/{outputId}/versions", Of::Output, nothing),
    case("GET", "/api/brands/{id}", Of::Output, nothing),
    // An id of another kind of resource does not exist either.
    case("GET", "/api/generations/{id}", Of::Brand, nothing),
    case("GET", "/api/brands/{id}", Of::Generation, nothing),
    case("DELETE", "/api/webhooks/{id}", Of::Brand, nothing),
    case("DELETE", "/console/api/sessions/{id}", Of::Session, nothing),
    case("DELETE", "/console/api/keys/{id}", Of::Key, nothing),
    case("POST", "/console/api/keys/{id}/rotate", Of::Key, named),
    case("GET", "/console/api/keys/{id}/usage", Of::Key, nothing),
    case("PUT", "/console/api/members/{id}", Of::Member, named),
    case("DELETE", "/console/api/members/{id}", Of::Member, nothing),
    case("POST", "/console/api/members/{id}/link", Of::Member, nothing),
    case("DELETE", "/console/api/keys/{id}", Of::Member, nothing),
    case("DELETE", "/console/api/members/{id}", Of::Key, nothing),
    case("POST", "/console/api/generations/{id}/input", Of::Generation, nothing),
    case("GET", "/console/api/generations/{id}/sources", Of::Generation, nothing),
    case("GET", "/console/api/pictures/{id}/{version}", Of::Output, nothing),
    case("GET", "/console/api/swatches?brand={id}", Of::Brand, nothing),
    case("POST", "/console/api/samples", Of::Brand, sample_with_brand),
    case("GET", "/?again={id}", Of::Generation, nothing),
    case("GET", "/generations/{id}", Of::Generation, nothing),
    case("GET", "/generations/{id}/outputs/{output}", Of::Generation, nothing),
    case("GET", "/brands/{id}", Of::Brand, nothing),
];

/// Returns a response without the request's id and without times.
fn sameness(answer: &Answer) -> (u16, Vec<(String, String)>, String) {
    let request = answer.header("x-request-id").to_owned();
    assert!(!request.is_empty());
    let passing = ["x-request-id", "date", "x-ratelimit-remaining", "x-ratelimit-reset"];
    let mut headers: Vec<(String, String)> = answer
        .headers
        .iter()
        .filter(|(name, _)| !passing.contains(&name.as_str()))
        .map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned()))
        .collect();
    headers.sort();
    (answer.status, headers, String::from_utf8(answer.body.clone()).unwrap().replace(&request, "REQUEST"))
}

/// An account's resources, by kind.
struct Things {
    key: Client,
    seat: Seat,
    ids: Vec<(Of, String)>,
}

impl Things {
    async fn of(service: &Service, key: &str, seat: Seat) -> Self {
        let key = Client::new(&service.base, key);
        let brand = key.post("/api/brands", &json!({"name": "Acme"})).await.json()["brand"].take();
        let mut body = text_with_brand(id(&brand)).unwrap();
        body["title"] = json!("Ours");
        let generation = key.completed(&body).await;
        let part =
            "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.pdf\"\r\n\r\n%PDF-1.7\r\n--b--\r\n";
        let upload = key.request("POST", "/api/uploads").header("Content-Type", "multipart/form-data; boundary=b");
        let upload = key.send(upload.body(part)).await.unwrap().json()["upload"].take();
        // Created after the generations, so that nothing is delivered to it.
        let webhook = json!({"url": "https://hooks.example/vivid", "events": ["generation.completed"]});
        let webhook = key.post("/api/webhooks", &webhook).await.json()["webhook"].take();
        let first = |list: Value, name: &str| id(&list[name][0]).to_owned();
        let ids = vec![
            (Of::Generation, id(&generation).to_owned()),
            (Of::Output, id(&generation["outputs"][0]).to_owned()),
            (Of::Brand, id(&brand).to_owned()),
            (Of::Upload, id(&upload).to_owned()),
            (Of::Webhook, id(&webhook).to_owned()),
            (Of::Key, first(seat.get("/console/api/keys").await.json(), "keys")),
            (Of::Member, first(seat.get("/console/api/members").await.json(), "members")),
            (Of::Session, first(seat.get("/console/api/sessions").await.json(), "sessions")),
        ];
        Self { key, seat, ids }
    }

    fn id(&self, of: Of) -> &str {
        &self.ids.iter().find(|(kind, _)| *kind == of).expect("one of each kind").1
    }

    /// Returns all data of the account that does not change by being read.
    async fn inventory(&self) -> Value {
        let brands = self.key.get("/api/brands").await.json();
        let generation = self.key.generation(self.id(Of::Generation)).await;
        let webhooks = self.key.get("/api/webhooks").await.json();
        let keys = self.seat.get("/console/api/keys").await.json();
        let members = self.seat.get("/console/api/members").await.json();
        let sessions = self.seat.get("/console/api/sessions").await.json();
        json!([
            brands,
            webhooks,
            generation["status"],
            generation["title"],
            generation["outputs"].as_array().unwrap().len(),
            keys["keys"][0]["valid"],
            keys["count"],
            members,
            sessions["count"],
        ])
    }
}

#[tokio::test]
async fn i9_what_is_anothers_is_answered_like_what_is_not_there() {
    let data = tempfile::tempdir().unwrap();
    let founded = found(&data, &[("ann@example.org", 0), ("eve@example.org", 0)]);
    let service = Service::start(data.path(), &UNHURRIED);
    let (ann, eve) = (Seat::first(&service, &founded[0]).await, Seat::first(&service, &founded[1]).await);
    let ann = Things::of(&service, &founded[0].key, ann).await;
    let eve = Things::of(&service, &founded[1].key, eve).await;
    let before = ann.inventory().await;

    for case in &CASES {
        let is_api = case.route.starts_with("/api/");
        // With every credential that is allowed: key and session in the API, session in the console.
        for by_key in if is_api { &[true, false][..] } else { &[false] } {
            let ask = async |id: &str| {
                // Another account's output, as if it were in a generation of this account.
                let own = eve.id(Of::Generation);
                let in_path = case.route.contains("{outputId}") || case.route.starts_with("/api/images/{id}");
                let (of, output) = if case.of == Of::Output && in_path { (own, id) } else { (id, NOTHING) };
                let path = case.route.replace("{id}", of).replace("{outputId}", output);
                let path = path.replace("{deliveryId}", NOTHING).replace("{version}", "1");
                let request = match by_key {
                    true => eve.key.request(case.method, &path),
                    false => eve.seat.request(case.method, &path),
                };
                let request = match (case.body)(id) {
                    Some(body) => request.json(&body),
                    None => request.body("").header("Content-Type", "application/json"),
                };
                sameness(&eve.key.send(request).await.unwrap())
            };
            let foreign = ask(ann.id(case.of)).await;
            let what = format!("{} {} of {:?}, by key: {by_key}", case.method, case.route, case.of);
            assert_eq!(foreign, ask(NOTHING).await, "{what}");
            let is_list = case.route.starts_with("/api/generations?");
            assert_eq!(foreign.0, if is_list { 200 } else { 404 }, "{what}: {foreign:?}");
            assert!(!foreign.2.contains(ann.id(case.of)), "{what}: {foreign:?}");
        }
    }
    // Lists contain nothing of the other account, whatever page is requested.
    let listed = eve.key.get("/api/generations").await.json();
    assert_eq!(listed["generations"].as_array().unwrap().len(), 1);
    assert_eq!(id(&listed["generations"][0]), eve.id(Of::Generation));
    assert_eq!(ann.inventory().await, before, "nothing of it was touched");
}

/// Fails if a route has no case here, because its isolation would be untested.
#[test]
fn i9_every_route_with_an_id_has_its_case() {
    let mut routes = Vec::new();
    for (file, nested) in
        [("coordinator/src/console/mod.rs", "/console/api"), ("coordinator/src/console/pages/mod.rs", "")]
    {
        let text = repo::text(file);
        let paths = text.match_indices(".route(\"").filter_map(|(at, _)| text[at + 8..].split('"').next());
        routes.extend(paths.filter(|path| path.contains('{')).map(|path| format!("{nested}{path}")));
    }
    for (_, text) in repo::texts("rs").into_iter().filter(|(file, _)| file.starts_with("coordinator/src/api/")) {
        let paths = text.match_indices("path = \"/api/").filter_map(|(at, _)| text[at + 8..].split('"').next());
        routes.extend(paths.filter(|path| path.contains('{')).map(str::to_owned));
    }
    assert!(routes.len() > 25, "routes are looked for in the wrong place: {routes:?}");
    // Objects have no ids: their URLs are signed.
    routes.retain(|route| route != "/files/{*key}");
    // A font family is named, not identified by an id, and only the account's own families are searched.
    routes.retain(|route| route != "/console/api/faces/{family}");
    // Without a language model every account gets the same refusal.
    routes.retain(|route| route != "/api/generations/{id}/localize");
    let path = |case: &Case| case.route.split('?').next().unwrap_or_default();
    let missing: Vec<_> = routes.iter().filter(|route| !CASES.iter().any(|case| path(case) == *route)).collect();
    assert!(missing.is_empty(), "routes without a case: {missing:?}");
}
