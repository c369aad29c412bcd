//! Tests of the order in which a request is checked: of several faults, the response tells the first.

use super::*;

/// An id that nothing has.
const ABSENT: &str = "0198c0de-0000-7000-8000-00000000000a";

impl Service {
    /// Sends a request with these headers and returns the error.
    async fn fault(&self, (method, path): (&str, &str), headers: &[(&str, &str)], body: &str) -> (u16, String) {
        let request = headers
            .iter()
            .fold(Request::builder().method(method).uri(path), |request, (name, value)| request.header(*name, *value));
        self.send(request.body(body.to_owned().into()).unwrap()).await.error()
    }

    fn key_for(&self, scope: Scope) -> String {
        let (_, key) = self.app.store.create_key(self.account, "k", Scopes::of(&[scope]), Millis(0)).unwrap();
        key.reveal().to_owned()
    }
}

#[tokio::test]
async fn the_first_fault_is_told() {
    let s = Service::rich();
    let poor = s.key_for(Scope::CreditsRead);
    let (json, text, bad) =
        (("content-type", "application/json"), ("content-type", "text/plain"), ("idempotency-key", "not a key"));
    for (method, before, after) in [
        ("PUT", "/api/images/", "/slides"),
        ("POST", "/api/images/", "/edit"),
        ("POST", "/api/generations/", "/variations"),
    ] {
        let (wrong, absent) = (format!("{before}7{after}"), format!("{before}{ABSENT}{after}"));
        let (wrong, absent) = ((method, wrong.as_str()), (method, absent.as_str()));
        let own = ("x-api-key", s.key.as_str());
        let told = async |at, headers: &[(&str, &str)], body| {
            let (status, code) = s.fault(at, headers, body).await;
            format!("{status} {code}")
        };
        assert_eq!(told(wrong, &[text, bad], "{").await, "401 api_key_missing");
        assert_eq!(told(wrong, &[("x-api-key", &poor), text, bad], "{").await, "403 insufficient_scope");
        assert_eq!(told(wrong, &[own, text, bad], "{").await, "404 generation_not_found");
        assert_eq!(told(absent, &[own, text, bad], "{").await, "415 unsupported_media_type");
        assert_eq!(told(absent, &[own, json, bad], "{").await, "400 validation_failed");
        assert_eq!(told(absent, &[own, json], "{").await, "400 invalid_json");
        let body = json!({"slides": [{"outputId": ABSENT}], "outputId": ABSENT, "prompt": "bigger", "count": 1});
        assert_eq!(told(absent, &[own, json], &body.to_string()).await, "404 generation_not_found");
    }
}

#[tokio::test]
async fn some_faults_wait_until_the_thing_is_found() {
    let s = Service::rich();
    let own = ("x-api-key", s.key.as_str());
    let (json, text) = (("content-type", "application/json"), ("content-type", "text/plain"));
    let absent = |path: &str| path.replace(":id", ABSENT);
    for (method, path, kind, body, said) in [
        // The body of a brand kit is received before its id is checked, and parsed once the brand kit is found.
        ("PUT", "/api/brands/7", text, "{", "415 unsupported_media_type"),
        ("PUT", "/api/brands/7", json, "{", "404 brand_not_found"),
        ("PUT", "/api/brands/:id", json, "{", "404 brand_not_found"),
        ("PATCH", "/api/webhooks/7", text, "{", "404 webhook_not_found"),
        ("PATCH", "/api/webhooks/:id", json, "{", "400 invalid_json"),
        ("POST", "/api/webhooks/:id/secret/rotate", text, "{", "415 unsupported_media_type"),
        ("POST", "/api/webhooks/:id/secret/rotate", text, "", "404 webhook_not_found"),
        // The query of a list of deliveries is read once its owner is found.
        ("GET", "/api/webhooks/:id/deliveries?limit=0", json, "", "404 webhook_not_found"),
        ("GET", "/api/generations/:id/deliveries?limit=0", json, "", "404 generation_not_found"),
        ("GET", "/api/images/:id/outputs/7/versions?limit=0", json, "", "404 output_not_found"),
        ("GET", "/api/images/:id/outputs/:id/versions?limit=0", json, "", "400 validation_failed"),
        ("POST", "/api/webhooks/7/deliveries/7/redeliver", json, "", "404 webhook_not_found"),
        ("POST", "/api/webhooks/:id/deliveries/7/redeliver", json, "", "404 delivery_not_found"),
        ("POST", "/api/webhooks/:id/deliveries/:id/redeliver", json, "", "404 webhook_not_found"),
    ] {
        let (status, code) = s.fault((method, &absent(path)), &[own, kind], body).await;
        assert_eq!(format!("{status} {code}"), said, "{method} {path}");
    }
}

#[tokio::test]
async fn a_stopping_service_says_so_before_it_reads_a_body() {
    let s = Service::rich();
    let poor = s.key_for(Scope::CreditsRead);
    s.app.stopping.cancel();
    let retry = ("POST", "/api/generations/7/retry");
    assert_eq!(s.fault(retry, &[], "{").await, (401, "api_key_missing".into()));
    assert_eq!(s.fault(retry, &[("x-api-key", &poor)], "{").await, (503, "shutting_down".into()));
    let upload = ("POST", "/api/uploads");
    assert_eq!(s.fault(upload, &[("x-api-key", &poor)], "").await, (403, "insufficient_scope".into()));
    for scope in [Scope::GenerationsWrite, Scope::BrandsWrite] {
        assert_eq!(s.fault(upload, &[("x-api-key", &s.key_for(scope))], "").await, (503, "shutting_down".into()));
    }
}

#[tokio::test]
async fn every_spelling_of_an_id_names_the_same_request() {
    let s = Service::rich();
    let made = s.create(&text()).await.json();
    let id = made["generation"]["id"].as_str().unwrap();
    let cancel = async |id: &str, tail: &str| {
        let mut request = s.request("POST", &format!("/api/generations/{id}/cancel{tail}"), "");
        request.headers_mut().insert("idempotency-key", "k".parse().unwrap());
        s.send(request).await
    };
    let first = cancel(id, "").await;
    assert_eq!((first.status, first.header("idempotent-replayed")), (200, ""));
    for (spelled, tail) in [(id.to_uppercase(), ""), (id.replace('-', ""), "/"), (id.replace('0', "%30"), "?x=y")] {
        let again = cancel(&spelled, tail).await;
        assert_eq!((again.status, again.header("idempotent-replayed")), (200, "true"), "{spelled}{tail}");
        assert_eq!(again.body, first.body);
    }
}
