//! Thousands of clients hold connections without using them: silent ones, idle ones, and ones that send heads and
//! bodies one byte at a time. Other clients are served all the time, and no connection is reset.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use super::{UNHURRIED, fresh};
use crate::chaos::percentile;
use crate::service::Client;
use crate::wire::{Said, parse};

/// Number of connections, if there are enough file descriptors.
const CONNECTIONS: usize = 10_000;
/// File descriptors reserved for tests that run in parallel.
const OTHERS: usize = 1500;
/// Memory limit of the service with all connections open, in bytes.
const MEMORY: u64 = 1 << 30;
/// Connections opened concurrently.
const AT_ONCE: usize = 200;
/// Number of ordinary requests, sent before and while all connections are open.
const HEALTHY: usize = 300;
/// Response time that is always acceptable. Doubling it means nothing if it was only a millisecond or two before.
const FLOOR: Duration = Duration::from_millis(25);
/// How long the service waits for the rest of a head or body: ten seconds, plus the time to notice it on a busy
/// machine.
const WAITED: std::ops::RangeInclusive<Duration> = Duration::from_secs(9)..=Duration::from_secs(13);

/// Raises the limit of file descriptors and returns it.
#[cfg(unix)]
fn descriptors() -> usize {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    let current = Some(maximum.unwrap_or(1 << 20).min(1 << 20));
    let _ = setrlimit(Resource::Nofile, Rlimit { current, maximum });
    getrlimit(Resource::Nofile).current.map_or(usize::MAX, |n| usize::try_from(n).unwrap_or(usize::MAX))
}

#[cfg(not(unix))]
fn descriptors() -> usize {
    2 * OTHERS
}

/// The behaviour of a client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Habit {
    /// Sends nothing.
    Silent,
    /// Got a response and keeps the connection open.
    Idle,
    /// Has sent part of a head.
    SlowHead,
    /// Has sent part of a body.
    SlowBody,
}

const HABITS: [Habit; 4] = [Habit::Silent, Habit::Idle, Habit::SlowHead, Habit::SlowBody];

const ASK: &[u8] = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n";
const OK: &[u8] = b"{\"status\":\"ok\"}";

/// Reads one response to [`ASK`] from a connection that stays open.
async fn answered(stream: &mut TcpStream) {
    let mut raw = Vec::new();
    while !raw.ends_with(OK) {
        assert!(stream.read_buf(&mut raw).await.expect("no reset") > 0, "closed: {}", String::from_utf8_lossy(&raw));
    }
    assert_eq!(parse(&raw).status, 200);
}

async fn open(address: Arc<str>, key: Arc<str>, habit: Habit) -> (Habit, TcpStream) {
    let mut stream = TcpStream::connect(&*address).await.unwrap();
    match habit {
        Habit::Silent => {}
        Habit::Idle => {
            stream.write_all(ASK).await.unwrap();
            answered(&mut stream).await;
        }
        Habit::SlowHead => stream.write_all(b"GET /api/brands HTTP/1.1\r\nHost: x\r\nX-Slow").await.unwrap(),
        Habit::SlowBody => {
            let head =
                "POST /api/generations HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 900";
            stream.write_all(format!("{head}\r\nX-API-Key: {key}\r\n\r\n{{").as_bytes()).await.unwrap();
        }
    }
    (habit, stream)
}

/// Opens a connection, signals when it has sent everything it will send at once, and then behaves as `habit` says until
/// the service closes the connection. Returns how long the service waited for the rest.
async fn live(
    (address, key): (Arc<str>, Arc<str>),
    habit: Habit,
    opened: tokio::sync::mpsc::UnboundedSender<()>,
    mut served: tokio::sync::watch::Receiver<bool>,
) -> (Habit, Duration) {
    let (_, mut stream) = open(address, key, habit).await;
    let said = Instant::now();
    opened.send(()).unwrap();
    if habit == Habit::Idle {
        served.wait_for(|all| *all).await.unwrap();
        stream.write_all(ASK).await.unwrap();
        answered(&mut stream).await;
        return (habit, said.elapsed());
    }
    let mut raw = Vec::new();
    stream.read_to_end(&mut raw).await.unwrap_or_else(|e| panic!("{habit:?}: {e}"));
    let took = said.elapsed();
    match habit {
        Habit::SlowHead | Habit::SlowBody => {
            assert_eq!(parse(&raw).error(408, "invalid_request"), "request_timeout", "{habit:?}");
        }
        _ => assert!(raw.is_empty(), "{habit:?}: {}", String::from_utf8_lossy(&raw)),
    }
    (habit, took)
}

/// Measures ordinary requests, on new connections and on a reused one.
async fn healthy(client: &Client, address: &str) -> Vec<Duration> {
    let mut times = Vec::new();
    for _ in 0..HEALTHY / 2 {
        let began = Instant::now();
        assert_eq!(client.get("/api/credits/balance").await.status, 200);
        let between = Instant::now();
        assert_eq!(Said::new("GET", "/api/formats").over_http1(address).status, 200);
        times.extend([between - began, between.elapsed()]);
        tokio::task::yield_now().await;
    }
    times
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[expect(clippy::print_stderr, reason = "this test exists to print the figures")]
async fn thousands_who_do_nothing_leave_the_others_alone() {
    let many = CONNECTIONS.min(descriptors().saturating_sub(OTHERS));
    let limits = ["--max-connections-per-address", "12000"];
    let (_data, service, client) = fresh(&[&UNHURRIED[..], &limits].concat());
    let (address, key): (Arc<str>, Arc<str>) = (service.address().into(), service.key.clone().unwrap().into());
    let before = percentile(&healthy(&client, &address).await, 99);

    let (opened, mut openings) = tokio::sync::mpsc::unbounded_channel();
    let (served, is_served) = tokio::sync::watch::channel(false);
    let mut crowd = JoinSet::new();
    for n in 0..many {
        let to = (Arc::clone(&address), Arc::clone(&key));
        crowd.spawn(live(to, HABITS[n % HABITS.len()], opened.clone(), is_served.clone()));
        if n >= AT_ONCE {
            openings.recv().await.unwrap();
        }
    }
    for _ in 0..many.min(AT_ONCE) {
        openings.recv().await.unwrap();
    }
    let during = percentile(&healthy(&client, &address).await, 99);
    assert!(service.memory().is_none_or(|bytes| bytes < MEMORY), "{:?} bytes", service.memory());
    served.send(true).unwrap();

    let mut waited = BTreeMap::new();
    while let Some(ended) = crowd.join_next().await {
        let (habit, took) = ended.unwrap();
        waited.entry(format!("{habit:?}")).or_insert_with(Vec::new).push(took);
    }
    for habit in [Habit::SlowHead, Habit::SlowBody] {
        let times = &waited[&format!("{habit:?}")];
        let all_in_time = times.iter().all(|took| WAITED.contains(took));
        assert!(all_in_time, "{habit:?}: {:?} to {:?}", times.iter().min(), times.iter().max());
    }
    assert!(during <= (before * 2).max(FLOOR), "p99 was {before:?} before, and {during:?} with {many} connections");
    assert_eq!(client.get("/api/generations").await.json()["generations"], serde_json::json!([]));
    let spans = waited.iter().map(|(habit, times)| {
        format!("{habit} {:.1?} to {:.1?}", times.iter().min().unwrap(), times.iter().max().unwrap())
    });
    eprintln!(
        "crowds: {many} connections; p99 of {HEALTHY} requests {before:.1?} before and {during:.1?} with them; waited for: {}",
        spans.collect::<Vec<_>>().join(", ")
    );
}

/// A head that arrives byte by byte has ten seconds from its first byte. Later bytes don't extend the limit.
#[tokio::test]
async fn a_head_that_drips_is_not_waited_for() {
    let (_data, service, _client) = fresh(&[]);
    let stream = TcpStream::connect(service.address()).await.unwrap();
    let (mut reads, mut writes) = stream.into_split();
    let began = Instant::now();
    let dripping = tokio::spawn(async move {
        let _ = writes.write_all(b"GET /healthz HTTP/1.1\r\nHost: ").await;
        while writes.write_all(b"x").await.is_ok() {
            tokio::time::sleep(Duration::from_millis(500)).await;
        }
    });
    let mut first = [0; 12];
    reads.read_exact(&mut first).await.expect("no reset");
    assert_eq!(&first, b"HTTP/1.1 408");
    assert!(WAITED.contains(&began.elapsed()), "after {:?}", began.elapsed());
    dripping.abort();
}

/// Twelve clients with separate connections send requests as fast as they can: together they get what the account's
/// limit allows.
#[tokio::test]
async fn i13_limits_hold_over_all_connections_of_an_account() {
    const LIMIT: usize = 40;
    let (_data, service, client) = fresh(&["--rate-get", "40"]);
    let key = service.key.clone().expect("the first start prints a key");
    // The client fetches the OpenAPI document once, without a key.
    assert_eq!(client.get("/api/brands").await.status, 200);
    let mut clients = JoinSet::new();
    for _ in 0..12 {
        let client = Client::new(&service.base, &key);
        clients.spawn(async move {
            let mut got = 0;
            for _ in 0..15 {
                let answer = client.get("/api/brands").await;
                match answer.status {
                    200 => got += 1,
                    _ => assert_eq!(answer.error(429, "rate_limited"), "rate_limit_exceeded"),
                }
            }
            got
        });
    }
    let got: usize = clients.join_all().await.into_iter().sum();
    assert_eq!(got, LIMIT - 1, "and the one before");
}
