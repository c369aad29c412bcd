use axum::http::Method;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::get;

use super::*;
use crate::http::pack;
use crate::integrity::hashed_name;
use crate::router::frame;
use crate::state::PREVIEWS;

const ORIGIN: &str = "https://app.example";

fn keyless(method: &str, path: &str, headers: &[(&str, &str)]) -> Request<Body> {
    let request = Request::builder().method(method).uri(path);
    headers.iter().fold(request, |r, (name, value)| r.header(*name, *value)).body(Body::empty()).unwrap()
}

impl Service {
    fn calls_from(origins: &[&str], limiter: Limiter) -> Self {
        let mut s = Self::start(1000, limiter);
        Arc::get_mut(&mut s.app).unwrap().cors = origins.iter().map(|o| o.parse().unwrap()).collect();
        s
    }

    /// Stores an image with these bytes and returns the path of its URL.
    async fn image(&self, bytes: &'static [u8]) -> String {
        let key = &hashed_name(PREVIEWS, Uuid::from_u128(0), bytes, "png");
        self.app.blobs.put_object(key, bytes.into(), "image/png").await.unwrap();
        path_of(&json!(self.app.signer.url(key, Millis::now()))).to_owned()
    }

    async fn get_with(&self, path: &str, headers: &[(&str, &str)]) -> Answer {
        let mut request = self.request("GET", path, Body::empty());
        request.headers_mut().extend(keyless("GET", path, headers).headers().clone());
        self.send(request).await
    }
}

#[tokio::test]
async fn a_browser_asks_ahead_without_a_key_and_without_being_counted() {
    let s = Service::calls_from(&[ORIGIN], Limiter::new(9, 9, 1));
    let asked = [("origin", ORIGIN), ("access-control-request-method", "POST")];
    for _ in 0..5 {
        let answer = s.send(keyless("OPTIONS", "/api/generations", &asked)).await;
        assert_eq!((answer.status, answer.body.len()), (204, 0));
        assert_eq!(answer.header("access-control-allow-origin"), ORIGIN);
        assert!(answer.header("access-control-allow-headers").contains("X-API-Key"));
        assert!(answer.header("access-control-allow-methods").contains("POST"));
        assert_eq!((answer.header("vary"), answer.header("x-ratelimit-remaining")), ("Origin", "1"));
        answer.carries_limits();
    }
    // Requests from other origins, and other OPTIONS requests, are treated like any request.
    let other = [("origin", "https://other.example"), asked[1]];
    let refused = s.send(keyless("OPTIONS", "/api/generations", &other)).await;
    assert_eq!(refused.error(), (405, "method_not_allowed".into()));
    assert_eq!((refused.header("access-control-allow-origin"), refused.header("vary")), ("", "Origin"));
    assert_eq!(s.send(keyless("OPTIONS", "/api/generations", &asked[..1])).await.status, 429);
}

#[tokio::test]
async fn pages_that_may_call_can_read_what_they_need_of_every_answer() {
    let s = Service::calls_from(&[ORIGIN], Limiter::new(99, 99, 99));
    for (request, status) in [
        (keyless("GET", "/api/brands", &[("origin", ORIGIN)]), 401),
        (keyless("GET", "/api/nothing", &[("origin", ORIGIN)]), 404),
        (keyless("GET", "/api/formats", &[("origin", ORIGIN)]), 200),
    ] {
        let answer = s.send(request).await;
        assert_eq!((answer.status, answer.header("access-control-allow-origin")), (status, ORIGIN));
        for name in ["X-RateLimit-Remaining", "Retry-After", "X-Request-Id", "Location", "Idempotent-Replayed"] {
            assert!(answer.header("access-control-expose-headers").contains(name), "{name}");
        }
    }
    let plain = Service::start(0, Limiter::new(9, 9, 9));
    let answer = plain.send(keyless("GET", "/api/formats", &[("origin", ORIGIN)])).await;
    assert!(!answer.headers.contains_key("access-control-allow-origin"), "off unless it is set");
}

#[tokio::test]
async fn json_is_packed_for_those_who_take_it() {
    let s = Service::rich();
    let whole = s.get("/api/formats").await;
    assert_eq!((whole.header("content-encoding"), whole.header("vary")), ("", "Accept-Encoding"));
    let gzip = s.get_with("/api/formats", &[("accept-encoding", "gzip")]).await;
    assert_eq!((gzip.header("content-encoding"), gzip.header("vary")), ("gzip", "Accept-Encoding"));
    assert!(gzip.body.len() * 3 < whole.body.len());
    let mut unpacked = Vec::new();
    std::io::Read::read_to_end(&mut flate2::read::GzDecoder::new(gzip.body.as_slice()), &mut unpacked).unwrap();
    assert_eq!(unpacked, whole.body);
    let brotli = s.get_with("/api/formats", &[("accept-encoding", "gzip, br")]).await;
    assert_eq!(brotli.header("content-encoding"), "br");
    gzip.carries_limits();

    let small = s.get_with("/api/brands", &[("accept-encoding", "gzip")]).await;
    assert_eq!((small.header("content-encoding"), small.header("vary")), ("", ""));
    let image = s.image(&[0; 5000]).await;
    let image = s.get_with(&image, &[("accept-encoding", "gzip")]).await;
    assert_eq!((image.header("content-encoding"), image.body.len()), ("", 5000));

    let mut head = s.request("HEAD", "/api/formats", Body::empty());
    let bare = s.send(head).await;
    assert_eq!((bare.status, bare.body.len()), (200, 0));
    assert_eq!(bare.header("content-length"), whole.body.len().to_string());
    head = s.request("HEAD", "/api/formats", Body::empty());
    head.headers_mut().insert("accept-encoding", "gzip".parse().unwrap());
    let bare = s.send(head).await;
    assert_eq!((bare.header("content-encoding"), bare.body.len()), ("gzip", 0));
    assert_eq!(bare.header("content-length"), gzip.body.len().to_string());
}

#[tokio::test]
async fn a_stream_of_events_goes_out_as_it_comes() {
    let (sender, receiver) = futures::channel::mpsc::unbounded::<Result<&'static str, std::io::Error>>();
    let events = Body::from_stream(receiver);
    let cell = Arc::new(parking_lot::Mutex::new(Some(events)));
    let stream = move || {
        let body = cell.lock().take().unwrap();
        async move { ([("content-type", "text/event-stream")], body) }
    };
    let router: Router = Router::new().route("/", get(stream)).layer(from_fn(pack::pack));
    let response = router.oneshot(keyless("GET", "/", &[("accept-encoding", "gzip, br")])).await.unwrap();
    assert!(!response.headers().contains_key("content-encoding"));
    let mut body = response.into_body().into_data_stream();
    for event in ["data: 1\n\n", "data: 2\n\n"] {
        sender.unbounded_send(Ok(event)).unwrap();
        assert_eq!(futures::StreamExt::next(&mut body).await.unwrap().unwrap(), event);
    }
}

#[tokio::test]
async fn head_is_get_without_its_body() {
    let s = Service::rich();
    let image = s.image(b"0123456789").await;
    for path in ["/api/brands", "/api/generations", "/api/nothing", "/api/generations/x", "/healthz", &image] {
        let whole = s.get(path).await;
        let head = s.send(s.request("HEAD", path, Body::empty())).await;
        assert_eq!((head.status, head.body.len()), (whole.status, 0), "{path}");
        assert_eq!(head.header("content-length"), whole.body.len().to_string(), "{path}");
        assert_eq!(head.header("content-type"), whole.header("content-type"), "{path}");
        head.carries_limits();
    }
}

#[tokio::test]
async fn an_image_is_sent_once_and_in_parts() {
    let s = Service::rich();
    let image = s.image(b"0123456789").await;
    let whole = s.get(&image).await;
    let (tag, date) = (whole.header("etag").to_owned(), whole.header("last-modified").to_owned());
    assert!(tag.starts_with('"') && date.ends_with(" GMT"), "{:?}", whole.headers);
    assert_eq!((whole.header("accept-ranges"), whole.header("content-length")), ("bytes", "10"));

    for had in [[("if-none-match", tag.as_str())], [("if-modified-since", date.as_str())]] {
        let same = s.get_with(&image, &had).await;
        assert_eq!((same.status, same.body.len(), same.header("etag")), (304, 0, tag.as_str()), "{had:?}");
        assert!(same.header("cache-control").starts_with("private, max-age="));
        same.carries_limits();
    }
    assert_eq!(s.get_with(&image, &[("if-none-match", "\"other\"")]).await.status, 200);

    for (range, part, of) in [
        ("bytes=2-4", "234", "bytes 2-4/10"),
        ("bytes=7-", "789", "bytes 7-9/10"),
        ("bytes=-1", "9", "bytes 9-9/10"),
        ("bytes=0-99", "0123456789", "bytes 0-9/10"),
    ] {
        let answer = s.get_with(&image, &[("range", range), ("if-range", &tag)]).await;
        assert_eq!((answer.status, answer.body.as_slice()), (206, part.as_bytes()), "{range}");
        assert_eq!(answer.header("content-range"), of);
        assert_eq!(answer.header("content-length"), part.len().to_string());
        assert_eq!((answer.header("etag"), answer.header("content-type")), (tag.as_str(), "image/png"));
    }
    for whole in [[("range", "bytes=0-1,4-5"), ("x", "y")], [("range", "bytes=0-1"), ("if-range", "\"other\"")]] {
        let answer = s.get_with(&image, &whole).await;
        assert_eq!((answer.status, answer.body.len()), (200, 10), "{whole:?}");
    }
    let beyond = s.get_with(&image, &[("range", "bytes=10-")]).await;
    assert_eq!(beyond.error(), (416, "range_not_satisfiable".into()));
    assert_eq!(beyond.header("content-range"), "bytes */10");

    let missing = path_of(&json!(s.app.signer.url("images/none.png", Millis::now()))).to_owned();
    assert_eq!(s.get_with(&missing, &[("if-none-match", "*")]).await.error(), (404, "not_found".into()));
}

#[tokio::test]
async fn what_was_never_looked_at_is_refused_in_shape() {
    let s = Service::start(0, Limiter::new(1, 1, 1));
    let refused = async |refusal| {
        let mut request = keyless("GET", "/api/formats", &[]);
        request.extensions_mut().insert(refusal);
        s.send(request).await
    };
    for (refusal, status, code) in [
        (Refusal::TooManyConnections, 503, "too_many_connections"),
        (Refusal::Malformed, 400, "malformed_request"),
        (Refusal::HeadersTooLarge, 431, "headers_too_large"),
        (Refusal::UriTooLong, 414, "uri_too_long"),
        (Refusal::HeadTimeout, 408, "request_timeout"),
        (Refusal::NotEncrypted, 400, "tls_required"),
    ] {
        let answer = refused(refusal).await;
        assert_eq!(answer.error(), (status, code.to_owned()));
        assert_eq!(answer.header("retry-after").is_empty(), status != 503);
        assert_eq!(answer.header("x-ratelimit-remaining"), "1", "uncounted");
    }
}

#[tokio::test]
async fn a_fault_of_ours_is_told_in_shape() {
    let s = Service::rich();
    let broken = || async {
        if true {
            panic!("a fault")
        }
    };
    let faults = Router::new()
        .route("/api/broken", get(broken))
        .layer(from_fn(pack::pack))
        .layer(from_fn_with_state(Arc::clone(&s.app), frame::frame));
    for method in [Method::GET, Method::HEAD] {
        let request = Request::builder().method(method.clone()).uri("/api/broken").body(Body::empty()).unwrap();
        let (parts, body) = faults.clone().oneshot(request).await.unwrap().into_parts();
        let body = axum::body::to_bytes(body, usize::MAX).await.unwrap().to_vec();
        let answer = Answer { status: parts.status.as_u16(), headers: parts.headers, body };
        assert_eq!(answer.status, 500);
        answer.carries_limits();
        if method == Method::GET {
            assert_eq!(answer.error(), (500, "internal_error".into()));
        }
    }
}
