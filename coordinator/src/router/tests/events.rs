//! Tests of event streams, without sockets. Each test reads as much of a stream as it needs.

use axum::body::BodyDataStream;
use futures::{FutureExt, StreamExt};

use super::*;

/// An open stream.
struct Stream(BodyDataStream);

/// One event.
#[derive(Debug, Clone, PartialEq)]
struct Event {
    id: u32,
    name: String,
    data: Value,
}

impl Event {
    fn read(text: &str) -> Self {
        let field = |name: &str| {
            text.lines()
                .find_map(|l| l.strip_prefix(name)?.strip_prefix(": "))
                .unwrap_or_else(|| panic!("{name}: {text}"))
        };
        assert!(text.ends_with("\n\n"), "{text:?}");
        Self {
            id: field("id").parse().unwrap(),
            name: field("event").to_owned(),
            data: serde_json::from_str(field("data")).unwrap(),
        }
    }

    fn is(&self, name: &str, progress: u64) -> bool {
        self.name == name && self.data["progress"] == progress
    }
}

impl Stream {
    /// Waits for the next event. Returns `None` at the end.
    async fn next(&mut self) -> Option<Event> {
        let part = self.0.next().await?.unwrap();
        Some(Event::read(std::str::from_utf8(&part).unwrap()))
    }

    async fn rest(mut self) -> Vec<Event> {
        let mut all = Vec::new();
        while let Some(event) = self.next().await {
            all.push(event);
        }
        all
    }

    /// Whether the stream currently has nothing to send.
    fn is_silent(&mut self) -> bool {
        self.0.next().now_or_never().is_none()
    }
}

impl Service {
    async fn open(&self, at: &str, after: Option<u32>) -> Result<Stream, Answer> {
        let mut request = self.request("GET", &format!("{at}/events"), Body::empty());
        if let Some(after) = after {
            request.headers_mut().insert("last-event-id", after.into());
        }
        let response = router(Arc::clone(&self.app)).oneshot(request).await.unwrap();
        if response.status() == 200 {
            let header = |name: &str| response.headers()[name].to_str().unwrap();
            assert_eq!((header("content-type"), header("x-accel-buffering")), ("text/event-stream", "no"));
            assert!(header("cache-control").starts_with("no-"));
            assert!(response.headers().get("content-encoding").is_none());
            return Ok(Stream(response.into_body().into_data_stream()));
        }
        let (parts, body) = response.into_parts();
        let body = axum::body::to_bytes(body, usize::MAX).await.unwrap().to_vec();
        Err(Answer { status: parts.status.as_u16(), headers: parts.headers, body })
    }

    async fn stream(&self, at: &str, after: Option<u32>) -> Stream {
        self.open(at, after).await.unwrap_or_else(|a| panic!("{} {:?}", a.status, String::from_utf8_lossy(&a.body)))
    }

    /// Processes the next job.
    async fn work_once(&self, well: bool) {
        let (claim, job) = self.claim().unwrap();
        self.finish(claim, &job, well).await;
    }

    async fn finish(&self, claim: Grant, job: &Job, well: bool) {
        let outcome = match job {
            _ if !well => fault("render_failed"),
            Job::Plan(plan) => planned(plan.formats.clone()),
            Job::Render(render) => Outcome::Rendered(Rendered {
                object: format!("images/{}.png", render.output),
                thumbnail: format!("images/{}-t.png", render.output),
                bytes: 5,
                sha256: [0; 32],
                quality: Quality::default(),
                warnings: vec![],
            }),
        };
        assert_eq!(self.app.store.report(claim, &outcome, Millis::now()).unwrap(), Verdict::Accepted);
    }
}

#[tokio::test]
async fn a_stream_tells_progress_outputs_as_they_land_and_the_end() {
    let s = Service::rich();
    let at = s.pair().await;
    let mut stream = s.stream(&at, None).await;
    let first = stream.next().await.unwrap();
    assert!(first.is("progress", 0), "{first:?}");
    let id = at.rsplit_once('/').unwrap().1;
    assert_eq!(first.data, json!({"generationId": id, "status": "pending", "progress": 0, "stage": "queued"}));
    assert!(stream.is_silent());

    let (claim, job) = s.claim().unwrap();
    assert!(stream.next().await.unwrap().is("progress", 5));
    s.finish(claim, &job, true).await;
    assert!(stream.next().await.unwrap().is("progress", 20));
    s.work_once(true).await;
    let landed = stream.next().await.unwrap();
    assert!(stream.next().await.unwrap().is("progress", 60));
    assert!(stream.is_silent());
    s.work_once(true).await;
    let (other, end) = (stream.next().await.unwrap(), stream.next().await.unwrap());
    assert_eq!(stream.next().await, None);

    assert_eq!((landed.name.as_str(), other.name.as_str(), end.name.as_str()), ("output", "output", "completed"));
    let g = s.get(&at).await.json()["generation"].take();
    assert_eq!(json!([without_urls(&landed.data), without_urls(&other.data)]), without_urls(&g["outputs"]));
    assert_eq!(without_urls(&end.data["generation"]), without_urls(&g));
    assert_eq!(
        path_of(&landed.data["imageUrl"]).split('?').next(),
        path_of(&g["outputs"][0]["imageUrl"]).split('?').next()
    );
}

/// Removes signed URLs, which change every second.
fn without_urls(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(without_urls).collect(),
        Value::Object(map) => {
            let plain = map.iter().filter(|(name, _)| !name.ends_with("Url"));
            Value::Object(plain.map(|(name, v)| (name.clone(), without_urls(v))).collect())
        }
        other => other.clone(),
    }
}

#[tokio::test]
async fn a_stream_goes_on_after_any_event_without_loss_or_repetition() {
    let s = Service::rich();
    let at = s.pair().await;
    let mut whole = s.stream(&at, None).await;
    assert!(whole.next().await.unwrap().is("progress", 0));
    s.work_once(true).await;
    s.work_once(false).await;
    s.work_once(true).await;
    let all = whole.rest().await;
    let names: Vec<&str> = all.iter().map(|e| e.name.as_str()).collect();
    // The client read nothing in between, so it gets the current progress only.
    assert_eq!(names, ["output", "partial"]);
    let landed = all[0].id;
    let ids = |events: Vec<Event>| events.iter().map(|e| e.id).collect::<Vec<_>>();
    for after in 0..=all[1].id + 2 {
        let last = all[1].id;
        let expected = match after {
            // Numbers that have not been assigned yet are ignored.
            n if n < landed || n > last => vec![landed, last],
            n if n < last => vec![last],
            _ => vec![],
        };
        match s.open(&at, Some(after)).await {
            Ok(stream) => assert_eq!(ids(stream.rest().await), expected, "after {after}"),
            Err(answer) => assert_eq!((answer.status, after), (204, last), "all was told"),
        }
    }
    let mut nonsense = s.request("GET", &format!("{at}/events"), Body::empty());
    nonsense.headers_mut().insert("last-event-id", "x".parse().unwrap());
    assert_eq!(s.send(nonsense).await.status, 200);

    // A retry continues the numbering, and reports only newly finished outputs.
    let retried = s.send(s.request("POST", &format!("{at}/retry"), Body::empty())).await;
    assert_eq!(retried.status, 200);
    let mut stream = s.stream(&at, Some(all[1].id)).await;
    let reopened = stream.next().await.unwrap();
    assert!(reopened.is("progress", 0) && reopened.id > all[1].id);
    s.work_once(true).await;
    let rest = stream.rest().await;
    assert_eq!(rest.iter().map(|e| e.name.as_str()).collect::<Vec<_>>(), ["output", "completed"]);
    assert_ne!(rest[0].data["id"], all[0].data["id"]);
    let anew = s.stream(&at, None).await.rest().await;
    assert_eq!(anew.iter().map(|e| e.name.as_str()).collect::<Vec<_>>(), ["output", "output", "completed"]);
}

#[tokio::test]
async fn every_end_ends_a_stream() {
    let s = Service::rich();
    let names = |events: Vec<Event>| events.into_iter().map(|e| e.name).collect::<Vec<_>>();
    let at = s.pair().await;
    let mut stream = s.stream(&at, None).await;
    assert_eq!(stream.next().await.unwrap().name, "progress");
    s.work_once(false).await;
    assert_eq!(names(stream.rest().await), ["failed"]);

    let at = s.pair().await;
    let mut stream = s.stream(&at, None).await;
    assert_eq!(stream.next().await.unwrap().name, "progress");
    assert_eq!(s.send(s.request("POST", &format!("{at}/cancel"), Body::empty())).await.status, 200);
    assert_eq!(names(stream.rest().await), ["cancelled"]);

    let at = s.pair().await;
    let mut stream = s.stream(&at, None).await;
    assert_eq!(stream.next().await.unwrap().name, "progress");
    assert_eq!(s.delete(&at).await.status, 204);
    assert_eq!(stream.next().await, None, "it is gone, and nothing is said of it");

    // A revoked key gets no more events.
    let at = s.pair().await;
    let (record, key) = s.app.store.create_key(s.account, "k", Scopes::ALL, Millis(0)).unwrap();
    let s = Service { key: key.reveal().to_owned(), ..s };
    let mut stream = s.stream(&at, None).await;
    assert_eq!(stream.next().await.unwrap().name, "progress");
    s.app.store.revoke_key(s.account, record.id, Millis(1)).unwrap();
    s.work_once(true).await;
    assert_eq!(stream.next().await, None);
}

#[tokio::test]
async fn streams_end_when_the_service_does() {
    let s = Service::rich();
    let at = s.pair().await;
    let mut stream = s.stream(&at, None).await;
    stream.next().await.unwrap();
    let waiting = tokio::spawn(stream.rest());
    s.app.stopping.cancel();
    assert_eq!(waiting.await.unwrap(), []);
    assert_eq!(s.open(&at, None).await.err().unwrap().error(), (503, "shutting_down".into()));
}

#[tokio::test]
async fn an_account_has_so_many_streams() {
    let s = Service::rich();
    let at = s.pair().await;
    let mut open = Vec::new();
    for _ in 0..3 {
        open.push(s.stream(&at, None).await);
    }
    let refused = s.open(&at, None).await.err().unwrap();
    assert_eq!(refused.error(), (429, "too_many_streams".into()));
    assert!(refused.header("retry-after").parse::<u64>().unwrap() > 0);
    let (_, key) = new_account(&s.app, Plan::Pro, 100);
    let other = Service { key, account: s.account, app: Arc::clone(&s.app), _folder: tempfile::tempdir().unwrap() };
    let theirs = other.pair().await;
    drop(other.stream(&theirs, None).await);
    // Rejected and ended streams free their slots.
    assert_eq!(s.open("/api/generations/x", None).await.err().unwrap().status, 404);
    open.pop();
    let nothing = "/api/generations/0192a0c4-0000-7000-8000-000000000000";
    assert_eq!(s.open(nothing, None).await.err().unwrap().status, 404);
    open.push(s.stream(&at, None).await);
    assert_eq!(s.open(&at, None).await.err().unwrap().status, 429);
    while s.claim().is_some() {}
    assert_eq!(s.delete(&at).await.status, 204);
    for stream in open {
        stream.rest().await;
    }
    let at = s.pair().await;
    s.stream(&at, None).await;
}
