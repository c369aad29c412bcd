//! Tests that messages go only to URLs that may be fetched, and exactly once.

use std::time::Duration;

use super::fakes::{Line, Names, PUBLIC, Reply, Server, page, poster, redirect};
use super::private::FORBIDDEN;
use crate::net::{FetchError, Message, Refusal};

const LONG: Duration = Duration::from_secs(20);
const SHORT: Duration = Duration::from_millis(200);

fn message(url: &str) -> Message {
    let headers = vec![("x-vivid-event", "generation.completed".to_owned())];
    Message { url: url.into(), headers, body: br#"{"id":"a"}"#.as_slice().into() }
}

fn status(line: &str) -> Reply {
    Reply::Bytes(format!("HTTP/1.1 {line}\r\nContent-Length: 0\r\n\r\n").into_bytes())
}

async fn post(server: &Server, total: Duration) -> Result<u16, FetchError> {
    let names = Names::of(&[("hooks.example", &[&[PUBLIC]])]);
    poster(names, Line::to(server.address), &[], total).post(message("http://hooks.example/in?token=b")).await
}

#[tokio::test]
async fn a_message_is_one_request() {
    let server = Server::of(status("204 No Content")).await;
    let names = Names::of(&[("hooks.example", &[&[PUBLIC, "2606:4700::1111"]])]);
    let line = Line::to(server.address);
    let sent = poster(names.clone(), line.clone(), &[], LONG).post(message("http://Hooks.example/in?token=b#c")).await;
    assert_eq!(sent.unwrap(), 204);
    assert_eq!(line.dialled(), [format!("{PUBLIC}:80")]);
    assert_eq!(*names.asked.lock(), ["hooks.example."], "with the dot of the root");
    let requests = server.requests();
    assert_eq!(requests.len(), 1);
    let (head, body) = requests[0].split_once("\r\n\r\n").unwrap();
    assert_eq!(body, r#"{"id":"a"}"#);
    let head = head.to_ascii_lowercase();
    assert!(head.starts_with("post /in?token=b http/1.1\r\nhost: hooks.example\r\nuser-agent: vivid/"), "{head}");
    for header in ["content-type: application/json", "content-length: 10", "x-vivid-event: generation.completed"] {
        assert!(head.contains(&format!("\r\n{header}")), "{head}");
    }
    for never in ["cookie", "authorization", "referer", "x-forwarded", "proxy", "accept-encoding"] {
        assert!(!head.contains(never), "{head}");
    }
}

#[tokio::test]
async fn every_status_is_told_and_no_redirect_is_followed() {
    for (line, told) in [("200 OK", 200), ("410 Gone", 410), ("429 Too Many Requests", 429), ("500 Oh", 500)] {
        let server = Server::of(status(line)).await;
        assert_eq!(post(&server, LONG).await.unwrap(), told);
    }
    for line in ["301 Moved", "302 Found", "303 See Other", "307 Temporary Redirect", "308 Permanent Redirect"] {
        let reply = format!("HTTP/1.1 {line}\r\nLocation: http://hooks.example/there\r\nContent-Length: 0\r\n\r\n");
        let server = Server::of(Reply::Bytes(reply.into_bytes())).await;
        assert_eq!(post(&server, LONG).await.unwrap().to_string(), line[..3]);
        assert_eq!(server.requests().len(), 1);
    }
}

#[tokio::test]
async fn no_canary_hears_of_a_message() {
    let canary = Server::of(status("200 OK")).await;
    let names = Names::of(&[
        ("private.example", &[&["127.0.0.1"]]),
        ("mixed.example", &[&[PUBLIC, "127.0.0.1"]]),
        ("mapped.example", &[&["::ffff:127.0.0.1"]]),
        ("link.example", &[&["fe80::1"]]),
        ("pages.example", &[&["127.0.0.1"]]),
    ]);
    let line = Line::to_port(canary.address.port());
    let guarded = poster(names.clone(), line.clone(), &[], LONG);
    let with_port = format!("http://{}/", canary.address);
    for url in FORBIDDEN.iter().copied().chain([with_port.as_str()]) {
        let failed = guarded.post(message(url)).await.unwrap_err();
        assert!(matches!(failed, FetchError::Refused(_)), "{url}: {failed:?}");
    }
    assert_eq!((canary.requests().len(), line.dialled().len()), (0, 0));
    // Positive control: the canary answers where the operator allows it.
    let allowed = poster(names, line, &["private.example"], LONG);
    assert_eq!(allowed.post(message("http://private.example/")).await.unwrap(), 200);
    assert_eq!(canary.requests().len(), 1);
}

#[tokio::test]
async fn a_redirect_inside_leads_nowhere() {
    let canary = Server::of(status("200 OK")).await;
    let inside = format!("http://{}/", canary.address);
    let server = Server::start(move |_| redirect(&inside)).await;
    assert_eq!(post(&server, LONG).await.unwrap(), 302);
    assert_eq!(canary.requests().len(), 0);
}

#[tokio::test]
async fn a_name_is_judged_again_for_every_message() {
    let server = Server::of(status("200 OK")).await;
    let names = Names::of(&[("rebinds.example", &[&[PUBLIC], &["127.0.0.1"]])]);
    let line = Line::to(server.address);
    let poster = poster(names.clone(), line.clone(), &[], LONG);
    assert_eq!(poster.post(message("http://rebinds.example/")).await.unwrap(), 200);
    assert_eq!((line.dialled(), names.times_asked()), (vec![format!("{PUBLIC}:80")], 1));
    let failed = poster.post(message("http://rebinds.example/")).await.unwrap_err();
    assert!(matches!(failed, FetchError::Refused(Refusal::ResolvesTo(_))), "{failed:?}");
    assert_eq!(line.dialled().len(), 1);
}

#[tokio::test]
async fn who_does_not_answer_in_time_has_not_answered() {
    for reply in [
        Reply::Silence(Vec::new()),
        Reply::Silence(b"HTTP/1.1 100 Continue\r\n\r\n".to_vec()),
        Reply::Drip(b"HTTP/1.1 200 OK\r\nX-A: ".to_vec(), Duration::from_millis(20)),
    ] {
        let server = Server::of(reply).await;
        let failed = post(&server, SHORT).await.unwrap_err();
        assert!(matches!(failed, FetchError::TimedOut), "{failed:?}");
    }
    let nobody = poster(Names::of(&[("hooks.example", &[&[PUBLIC]])]), Line::dead(), &[], LONG);
    let failed = nobody.post(message("http://hooks.example/")).await.unwrap_err();
    assert!(matches!(failed, FetchError::Unreachable(_)), "{failed:?}");
}

#[tokio::test]
async fn an_answer_stands_whatever_its_body_does() {
    let head = || b"HTTP/1.1 200 OK\r\n\r\n".to_vec();
    for reply in [
        Reply::Endless(head()),
        Reply::Silence(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n".to_vec()),
        Reply::Bytes(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort".to_vec()),
        page("Content-Type: text/html\r\n", &[b'x'; 100_000]),
    ] {
        let server = Server::of(reply).await;
        assert_eq!(post(&server, LONG).await.unwrap(), 200);
    }
    let long = format!("HTTP/1.1 200 OK\r\nX-A: {}\r\n\r\n", "a".repeat(70_000));
    let server = Server::of(Reply::Bytes(long.into_bytes())).await;
    assert!(matches!(post(&server, LONG).await, Err(FetchError::Headers)));
}
