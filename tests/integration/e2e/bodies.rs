//! Many large, slow bodies: the service buffers a bounded part of them, and other clients are served.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use super::{UNHURRIED, fresh};
use crate::people::found;
use crate::service::{Answer, Client, Service, exchange};
use crate::wire::parse;

/// Requests held open at the same time.
const HELD: usize = 50;
/// Size of each body in bytes, as in an attack that made the service use 3.3 GB.
const BYTES: usize = 34_500_000;
/// Memory limit of the service in bytes.
const MEMORY: u64 = 512 << 20;
/// Bytes per write.
const PIECE: usize = 256 << 10;
/// Time limit for a response, or for sending a request except for its last byte.
const PATIENCE: Duration = Duration::from_secs(50);

/// A request that was sent except for its last byte, or the response that arrived earlier.
enum Sent {
    Held(Box<TcpStream>),
    Answered(Box<Answer>),
}

/// The body of a creation with a unique base64 PDF, of about this many bytes.
fn body(bytes: usize) -> Arc<[u8]> {
    let head = "{\"inputType\":\"pdf\",\"outputFormats\":[\"instagram_post\"],\"inputFile\":\"JVBERi0xLjQK";
    let tail = "\"}";
    let filled = (bytes - head.len() - tail.len()) / 4 * 4;
    [head.as_bytes(), &vec![b'A'; filled], tail.as_bytes()].concat().into()
}

/// Sends a request except for its last byte, unless the response arrives earlier.
async fn hold(address: Arc<str>, key: Option<Arc<str>>, path: &str, body: Arc<[u8]>) -> Sent {
    let mut stream = TcpStream::connect(&*address).await.unwrap();
    let key = key.map(|key| format!("X-API-Key: {key}\r\n")).unwrap_or_default();
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n{key}Connection: close\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    let (mut reads, mut writes) = stream.split();
    let mut raw = Vec::new();
    let sending = async {
        for piece in body[..body.len() - 1].chunks(PIECE) {
            if writes.write_all(piece).await.is_err() {
                return std::future::pending().await;
            }
        }
    };
    let is_held = tokio::select! {
        biased;
        read = reads.read_buf(&mut raw) => { read.expect("no reset"); false }
        () = sending => true,
    };
    if is_held {
        return Sent::Held(Box::new(stream));
    }
    while reads.read_buf(&mut raw).await.expect("no reset") > 0 {}
    Sent::Answered(Box::new(parse(&raw)))
}

/// Sends the last byte of a held request and returns the response.
async fn finish(mut stream: TcpStream) -> Answer {
    stream.write_all(b"}").await.unwrap();
    let mut raw = Vec::new();
    stream.read_to_end(&mut raw).await.unwrap();
    parse(&raw)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[expect(clippy::print_stderr, reason = "this test exists to print the figures")]
async fn i18_fifty_large_bodies_held_open_take_a_bounded_part_of_memory() {
    let data = tempfile::tempdir().unwrap();
    let accounts = found(&data, &[("ann@example.org", 0), ("ben@example.org", 0)]);
    let service = Service::start(data.path(), &[&UNHURRIED[..], &["--workers", "0"]].concat());
    let (ann, ben) = (&accounts[0], Client::new(&service.base, &accounts[1].key));
    let (address, key): (Arc<str>, Arc<str>) = (service.address().into(), ann.key.as_str().into());
    let (before, whole) = (service.memory(), body(BYTES));

    let mut crowd = JoinSet::new();
    for n in 0..HELD {
        let path = if n % 2 == 0 { "/api/generations" } else { "/api/generations/estimate" };
        let held = hold(Arc::clone(&address), Some(Arc::clone(&key)), path, Arc::clone(&whole));
        crowd.spawn(async move { tokio::time::timeout(PATIENCE, held).await.expect("held or answered in time") });
    }
    let (mut held, mut refused) = (Vec::new(), 0);
    while let Some(sent) = crowd.join_next().await {
        match sent.unwrap() {
            Sent::Held(stream) => held.push(*stream),
            Sent::Answered(answer) => {
                assert_eq!(answer.error(503, "unavailable"), "busy");
                assert!(answer.header("retry-after").parse::<u64>().is_ok_and(|s| s > 0));
                refused += 1;
            }
        }
    }
    assert_eq!(held.len() + refused, HELD);
    assert!(!held.is_empty() && held.len() <= 4, "{} are held", held.len());

    // Other clients are served all the time, including their large bodies.
    let small = json!({"inputType": "text", "inputContent": "A fox.", "outputFormats": ["instagram_post"]});
    for _ in 0..20 {
        assert_eq!(ben.post("/api/generations", &small).await.status, 202);
    }
    let large =
        hold(Arc::clone(&address), Some(accounts[1].key.as_str().into()), "/api/generations", Arc::clone(&whole));
    let Sent::Held(large) = large.await else { panic!("another account has a part of its own") };
    assert_eq!(finish(*large).await.status, 202);

    // Held requests are processed a few at a time once complete, and their budget is returned.
    let mut answers = JoinSet::new();
    for stream in held {
        answers.spawn(finish(stream));
    }
    while let Some(answer) = answers.join_next().await {
        let answer = answer.unwrap();
        assert!([202, 503].contains(&answer.status), "{}", answer.status);
    }
    // Later requests reuse the same memory.
    for _ in 0..6 {
        let key = Some(Arc::clone(&key));
        let again = hold(Arc::clone(&address), key, "/api/generations", Arc::clone(&whole)).await;
        let Sent::Held(again) = again else { panic!("the part of the account is free again") };
        assert_eq!(finish(*again).await.status, 202);
    }

    let peak = service.peak_memory();
    assert!(peak.is_none_or(|bytes| bytes <= MEMORY), "{peak:?} bytes at the most");
    let mib = |bytes: Option<u64>| bytes.map_or(0, |bytes| bytes >> 20);
    eprintln!(
        "bodies: {HELD} of {BYTES} bytes: {} MiB before, {} MiB at the most, {refused} refused",
        mib(before),
        mib(peak)
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn i18_strangers_hold_nothing() {
    let (_data, service, client) = fresh(&[&UNHURRIED[..], &["--workers", "0"]].concat());
    let (address, whole): (Arc<str>, _) = (service.address().into(), body(BYTES));
    let before = service.peak_memory();
    let mut crowd = JoinSet::new();
    for path in ["/api/generations", "/api/uploads", "/api/generations/estimate"].into_iter().cycle().take(HELD) {
        crowd.spawn(hold(Arc::clone(&address), None, path, Arc::clone(&whole)));
    }
    while let Some(sent) = crowd.join_next().await {
        let Sent::Answered(answer) = sent.unwrap() else { panic!("it was read without a key") };
        assert_eq!(answer.error(401, "authentication_error"), "api_key_missing");
    }
    // The operator's token is checked before the body, too.
    let admin: Arc<str> = address_of_operators(_data.path());
    let Sent::Answered(answer) = hold(admin, None, "/admin/accounts", Arc::clone(&whole)).await else {
        panic!("it was read without a token")
    };
    assert_eq!((answer.status, answer.json()["code"].clone()), (401, json!("admin_token_invalid")));
    // A login body must be small.
    let login = json!({"email": "ann@example.org", "password": "x".repeat(100_000)});
    let answer = client.post("/console/api/session", &login).await;
    assert_eq!(answer.error(413, "invalid_request"), "body_too_large");
    let grown = service.peak_memory().zip(before).map(|(after, before)| after.saturating_sub(before));
    assert!(grown.is_none_or(|bytes| bytes < 64 << 20), "{grown:?} bytes more");
}

/// Returns the address of the operator's API of the service on `data`.
fn address_of_operators(data: &std::path::Path) -> Arc<str> {
    let address = std::fs::read_to_string(data.join("admin-address")).unwrap();
    address.trim().strip_prefix("http://").unwrap().into()
}

#[tokio::test]
async fn a_slow_sender_loses_its_part_when_its_time_is_over() {
    let (_data, service, client) = fresh(&[&UNHURRIED[..], &["--workers", "0"]].concat());
    let (address, key): (Arc<str>, Arc<str>) = (service.address().into(), service.key.clone().unwrap().into());
    let began = Instant::now();
    let mut streams = Vec::new();
    // Bodies of one megabyte: as many as an account may have in progress, plus one.
    for n in 0..129 {
        let mut stream = TcpStream::connect(&*address).await.unwrap();
        let head = format!(
            "POST /api/brands HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nX-API-Key: {key}\r\n\
             Connection: close\r\nContent-Length: 1048576\r\n\r\n{{"
        );
        stream.write_all(head.as_bytes()).await.unwrap();
        if n == 128 {
            let mut raw = Vec::new();
            stream.read_to_end(&mut raw).await.unwrap();
            assert_eq!(parse(&raw).error(503, "unavailable"), "busy");
        } else {
            streams.push(stream);
        }
        if n == 127 {
            // Wait until all of them are being read.
            tokio::time::sleep(Duration::from_millis(500)).await;
        }
    }
    let kit = json!({"name": "Acme"});
    assert_eq!(client.post("/api/brands", &kit).await.error(503, "unavailable"), "busy");
    for mut stream in streams {
        let mut raw = Vec::new();
        stream.read_to_end(&mut raw).await.unwrap();
        assert_eq!(parse(&raw).error(408, "invalid_request"), "request_timeout");
    }
    assert!(began.elapsed() < Duration::from_secs(30));
    assert_eq!(client.post("/api/brands", &kit).await.status, 201);
}

/// Every listener requires exactly one Host header (RFC 9112, 3.2).
#[tokio::test]
async fn requests_without_a_host_or_with_two_are_refused() {
    let (data, service, client) = fresh(&UNHURRIED);
    let operators = address_of_operators(data.path());
    for (head, is_sound) in [
        ("GET /healthz HTTP/1.1\r\nHost: x\r\n", true),
        ("GET /healthz HTTP/1.0\r\n", true),
        ("GET /healthz HTTP/1.1\r\n", false),
        ("GET /healthz HTTP/1.1\r\nHost:\r\n", false),
        ("GET /healthz HTTP/1.1\r\nHost: x\r\nHost: x\r\n", false),
        ("GET /healthz HTTP/1.1\r\nHost: x\r\nhost: y\r\n", false),
        ("GET /healthz HTTP/1.1\r\nHost: me@x\r\n", false),
        ("GET http://x/healthz HTTP/1.1\r\n", false),
        ("POST /api/generations HTTP/1.1\r\nContent-Length: 2\r\n", false),
    ] {
        let bytes = format!("{head}Connection: close\r\n\r\n{{}}");
        let answer = exchange(service.address(), bytes.as_bytes()).unwrap();
        if is_sound {
            assert!(answer.starts_with("HTTP/1.") && answer.contains(" 200 "), "{head}: {answer:.200}");
            continue;
        }
        assert_eq!(parse(answer.as_bytes()).error(400, "invalid_request"), "host_invalid", "{head}");
        let answer = exchange(&operators, bytes.as_bytes()).unwrap();
        assert!(answer.starts_with("HTTP/1.1 400") && answer.contains("\"host_invalid\""), "{head}: {answer:.200}");
    }
    let connection = crate::wire::Http2::connect(service.address()).await;
    let get = || crate::wire::Said::new("GET", "/api/formats");
    assert_eq!(get().over_http2(&connection).await.unwrap().status, 200);
    assert_eq!(get().header("host", "x").over_http2(&connection).await.unwrap().status, 200);
    for other in [get().header("host", "y"), get().header("host", "x").header("host", "x")] {
        let answer = other.over_http2(&connection).await.unwrap();
        assert_eq!(answer.error(400, "invalid_request"), "host_invalid");
    }
    assert_eq!(client.get("/api/brands").await.status, 200);
}
