//! Secrets never appear in a log, row, blob or queue message, whatever fails (I14).

use std::io::Write;
use std::path::Path;

use axum::routing::get;
use fleet::protocol;
use parking_lot::Mutex;
use tracing_subscriber::fmt::MakeWriter;

use super::*;
use crate::accounts::Role;
use crate::emails::Email;
use crate::state::Invitation;

/// An in-memory log.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Log {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

/// Captures what all threads log from now on, at every level. A thread-local subscriber would miss the threads that run
/// the state.
fn everything_logged() -> Log {
    let log = Log::default();
    let subscriber = tracing_subscriber::fmt().with_max_level(tracing::Level::TRACE).with_writer(log.clone()).finish();
    tracing::subscriber::set_global_default(subscriber).expect("no other test of this process logs");
    log
}

/// Whether the bytes contain the text.
fn holds(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|w| w == text.as_bytes())
}

/// The parts of a secret that would bring a finder close to the whole.
fn halves(secret: &str) -> [&str; 2] {
    let (first, second) = secret.split_at(secret.len() / 2);
    [first, second]
}

/// Whether the bytes contain something that looks like a key. Random bytes never have the prefix followed by so many
/// matching characters.
fn holds_a_key(bytes: &[u8]) -> bool {
    bytes.windows(3 + 12).any(|w| w.starts_with(b"vd_") && w[3..].iter().all(u8::is_ascii_alphanumeric))
}

/// Reads every file below a folder and concatenates them.
fn files(folder: &Path) -> Vec<u8> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            all.extend(files(&path));
        } else {
            all.extend(std::fs::read(&path).unwrap());
        }
    }
    all
}

#[tokio::test]
async fn i14_keys_are_in_no_log_no_row_and_no_message() {
    const PASSWORD: &str = "nobody writes this down";
    let log = everything_logged();
    let s = Service::rich();
    let mut secrets = vec![s.key.clone(), PASSWORD.to_owned()];
    let mut messages = Vec::new();
    assert_eq!(s.create(&text()).await.status, 202);
    while let Some(ticket) = s.app.store.outbox(1).unwrap().first().copied() {
        messages.extend(protocol::encode(&ticket).unwrap());
        let answer = s.app.store.claim(ticket, &NewClaim::here("test", 7), Millis::now()).unwrap();
        messages.extend(protocol::encode(&answer).unwrap());
        let ClaimAnswer::Granted(claim, job, Terms { secret, .. }) = answer else { panic!("{ticket:?}") };
        let claim = Grant { claim, secret };
        let outcome = match job {
            Job::Plan(plan) => planned(plan.formats),
            Job::Render(_) => fault("render_failed"),
        };
        s.app.store.report(claim, &outcome, Millis::now()).unwrap();
    }

    // Invalid keys of every kind: mistyped, sent twice, truncated, in the query.
    let typo = format!("{}{}", &s.key[..42], if s.key.ends_with('a') { 'b' } else { 'a' });
    for sent in [&typo, &s.key[..42], ""] {
        let request = Request::get("/api/brands").header("x-api-key", sent).body(Body::empty()).unwrap();
        assert_eq!(s.send(request).await.status, 401);
    }
    let twice = Request::get("/api/brands").header("x-api-key", &s.key).header("x-api-key", &s.key);
    assert_eq!(s.send(twice.body(Body::empty()).unwrap()).await.status, 401);
    assert_eq!(s.create(&json!({"inputType": "none"})).await.status, 400);

    // Keys that are rotated, revoked, or in use when a handler panics.
    let first = s.app.store.keys(s.account).unwrap()[0].id;
    let (second, key) = s.app.store.rotate_key(s.account, first, 60, Millis::now()).unwrap().unwrap();
    secrets.push(key.reveal().to_owned());
    let panics = Router::new()
        .route("/api/panics", get(async || -> &'static str { panic!("a handler that is broken") }))
        .layer(from_fn_with_state(Arc::clone(&s.app), frame::frame))
        .with_state(Arc::clone(&s.app));
    let broken = panics.oneshot(s.request("GET", "/api/panics", Body::empty())).await.unwrap();
    assert_eq!(broken.status().as_u16(), 500);
    s.app.store.revoke_key(s.account, second.id, Millis::now()).unwrap();

    // The link, password and session of a member.
    let email = Email::parse("ann@example.org").unwrap();
    let invitation = s.app.store.invite_member(s.account, &email, "Ann", Role::Holder, Millis::now()).unwrap();
    let Invitation::Made(invited) = invitation else { panic!() };
    secrets.push(invited.token.reveal().to_owned());
    let post = |path: &str, body: Value| {
        let request = Request::post(path).header("content-type", "application/json");
        s.send(request.body(Body::from(body.to_string())).unwrap())
    };
    let set = json!({"token": invited.token.reveal(), "password": PASSWORD});
    assert_eq!(post("/console/api/password", set).await.status, 204);
    assert_eq!(post("/console/api/session", json!({"email": email.as_str(), "password": "wrong"})).await.status, 401);
    let session = post("/console/api/session", json!({"email": email.as_str(), "password": PASSWORD})).await;
    let cookie = session.header("set-cookie").split([';', '=']).nth(1).unwrap().to_owned();
    secrets.push(cookie);

    s.app.store.write_recent().unwrap();
    let state = files(s._folder.path());
    let said = log.0.lock().clone();
    // Proves that the search works: it finds text that is present.
    assert!(holds(&said, "answered"));
    assert!(holds(&said, "a handler panicked"));
    assert!(holds(&state, "ann@example.org"));
    assert!(holds_a_key(format!("key={}", s.key).as_bytes()));
    assert!(state.windows(32).any(|w| w == ApiKey::parse(&s.key).unwrap().digest().0), "the digest is kept");
    for secret in &secrets {
        for part in halves(secret) {
            assert!(!holds(&state, part), "a row holds {part}");
            assert!(!holds(&said, part), "a line of the log holds {part}");
            assert!(!holds(&messages, part), "a message holds {part}");
        }
    }
    for place in [&state, &said, &messages] {
        assert!(!holds_a_key(place));
    }
}
