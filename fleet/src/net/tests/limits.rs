//! Tests that a host can neither exhaust a worker's memory nor keep it busy.

use std::time::Duration;

use super::super::body::tests::gzip;
use super::fakes::{Reply, Server, page, reading, redirect};
use super::{HTML, PAGES};
use crate::net::{FetchError, Fetched, Limits};

/// Returns limits that never apply within a test; each test lowers the one under test.
fn limits() -> Limits {
    Limits {
        total: Duration::from_secs(20),
        connect: Duration::from_secs(10),
        answer: Duration::from_secs(10),
        silence: Duration::from_secs(10),
        page_bytes: 100_000,
        ..Limits::default()
    }
}

const SHORT: Duration = Duration::from_millis(200);

async fn fetch(reply: Reply, limits: Limits) -> Result<Fetched, FetchError> {
    let server = Server::of(reply).await;
    reading(&server, limits).fetch("http://pages.example/", PAGES).await
}

fn head(headers: &str) -> Vec<u8> {
    format!("HTTP/1.1 200 OK\r\n{HTML}{headers}\r\n").into_bytes()
}

#[tokio::test]
async fn an_endless_body_ends() {
    let failed = fetch(Reply::Endless(head("")), limits()).await.unwrap_err();
    assert!(matches!(failed, FetchError::TooLarge(100_000)), "{failed:?}");
    assert_eq!((failed.code().name(), failed.retry()), ("url_too_large", false));
}

#[tokio::test]
async fn a_body_that_announces_too_much_is_not_read() {
    let failed = fetch(Reply::Silence(head("Content-Length: 100001\r\n")), limits()).await.unwrap_err();
    assert!(matches!(failed, FetchError::TooLarge(_)), "{failed:?}");
    // A page of exactly the limit is read.
    let whole = fetch(page(HTML, &[b'x'; 100_000]), limits()).await.unwrap();
    assert_eq!(whole.body.len(), 100_000);
}

#[tokio::test]
async fn a_bomb_is_not_unpacked() {
    let bomb = gzip(&vec![b' '; 10 << 20]);
    assert!(bomb.len() < 20_000);
    let headers = format!("{HTML}Content-Encoding: gzip\r\n");
    let failed = fetch(page(&headers, &bomb), limits()).await.unwrap_err();
    assert_eq!((failed.code().name(), failed.retry()), ("url_too_large", false), "{failed:?}");
    let page = fetch(page(&headers, &gzip(b"<p>Tides</p>")), limits()).await.unwrap();
    assert_eq!(&page.body[..], b"<p>Tides</p>");
}

#[tokio::test]
async fn a_body_that_drips_is_given_up() {
    let slow = Limits { silence: SHORT, ..limits() };
    for reply in [Reply::Drip(head(""), Duration::from_millis(20)), Reply::Silence(head(""))] {
        let failed = fetch(reply, slow.clone()).await.unwrap_err();
        assert!(matches!(failed, FetchError::TooSlow), "{failed:?}");
        assert_eq!((failed.code().name(), failed.retry()), ("url_fetch_failed", false));
    }
}

#[tokio::test]
async fn headers_that_drip_or_never_come_are_given_up() {
    let slow = Limits { answer: SHORT, ..limits() };
    for reply in [
        Reply::Drip(b"HTTP/1.1 200 OK\r\nX-A: ".to_vec(), Duration::from_millis(20)),
        Reply::Silence(Vec::new()),
        Reply::Silence(b"HTTP/1.1 100 Continue\r\n\r\n".to_vec()),
    ] {
        let failed = fetch(reply, slow.clone()).await.unwrap_err();
        assert!(matches!(failed, FetchError::TimedOut) && failed.retry(), "{failed:?}");
    }
}

#[tokio::test]
async fn all_of_it_has_its_time() {
    // Each redirect alone is within the limits.
    let server = Server::start(|head| {
        std::thread::sleep(Duration::from_millis(60));
        redirect(if head.contains("/a ") { "/b" } else { "/a?x" })
    });
    let server = server.await;
    let short = Limits { total: Duration::from_millis(100), redirects: 1_000, ..limits() };
    let failed = reading(&server, short).fetch("http://pages.example/a", PAGES).await.unwrap_err();
    assert!(matches!(failed, FetchError::TooSlow), "{failed:?}");
}

#[tokio::test]
async fn headers_have_a_size_and_a_number() {
    let long = format!("X-A: {}\r\n", "a".repeat(70_000));
    let many: String = (0..101).map(|i| format!("X-{i}: a\r\n")).collect();
    for headers in [long, many] {
        let failed = fetch(Reply::Bytes(head(&headers)), limits()).await.unwrap_err();
        assert!(matches!(failed, FetchError::Headers), "{failed:?}");
        assert_eq!((failed.code().name(), failed.retry()), ("url_fetch_failed", false));
    }
    let failed = fetch(Reply::Endless(b"HTTP/1.1 200 OK\r\nX-A: ".to_vec()), limits()).await.unwrap_err();
    assert!(matches!(failed, FetchError::Headers), "{failed:?}");
    let bearable: String = (0..90).map(|i| format!("X-{i}: {}\r\n", "a".repeat(300))).collect();
    assert!(fetch(page(&format!("{HTML}{bearable}"), b"<p>x"), limits()).await.is_ok());
}
