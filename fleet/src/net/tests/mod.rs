//! Tests dial only loopback. For all other addresses, fakes record what would have been dialled.

mod fakes;
mod limits;
mod posts;
mod private;
mod tls;

use fakes::{Line, Names, PUBLIC, Reply, Server, fetcher, page, reading, reading_really, redirect};

use super::{FetchError, Fetched, Kind, Limits, Refusal};

const PAGES: &[Kind] = &[Kind::Html, Kind::Text];
const HTML: &str = "Content-Type: text/html; charset=iso-8859-2\r\n";

#[tokio::test]
async fn a_page_is_fetched() {
    let server = Server::of(page(HTML, b"<p>Tides</p>")).await;
    let names = Names::of(&[("pages.example", &[&[PUBLIC, "2606:4700::1111"]])]);
    let line = Line::to(server.address);
    let fetched = fetcher(names.clone(), line.clone(), &[]).fetch("http://Pages.example/a%20b?c=d#e", PAGES).await;
    let wanted = Fetched {
        url: "http://pages.example/a%20b?c=d".into(),
        kind: Kind::Html,
        media: Some("text/html".into()),
        charset: Some("iso-8859-2".into()),
        body: "<p>Tides</p>".into(),
    };
    assert_eq!(fetched.unwrap(), wanted);
    assert_eq!(line.dialled(), [format!("{PUBLIC}:80")]);
    assert_eq!(*names.asked.lock(), ["pages.example."], "with the dot of the root");
    let requests = server.requests();
    let head = requests[0].to_ascii_lowercase();
    assert!(head.starts_with("get /a%20b?c=d http/1.1\r\nhost: pages.example\r\n"), "{head}");
    for never in ["cookie", "authorization", "referer", "x-forwarded", "proxy"] {
        assert!(!head.contains(never), "{head}");
    }
}

#[tokio::test]
async fn the_real_dialler_reaches_what_the_operator_allows() {
    let server = Server::of(page("Content-Type: text/plain\r\n", b"Tides")).await;
    let (fetcher, base) = reading_really(&server);
    let fetched = fetcher.fetch(&format!("{base}/notes.txt"), PAGES).await.unwrap();
    assert_eq!((fetched.kind, &fetched.body[..]), (Kind::Text, &b"Tides"[..]));
    let head = server.requests()[0].clone();
    assert!(head.contains(&format!("host: {}\r\n", server.address)), "{head}");
}

#[tokio::test]
async fn a_second_address_is_tried() {
    let server = Server::of(page(HTML, b"<p>x")).await;
    // Nothing listens on the first address of a name that the operator allows.
    let port = server.address.port();
    let names = Names::of(&[("wiki.corp", &[&["127.0.0.2", "127.0.0.1"]])]);
    let line = Line::to_port(port);
    let fetcher = fetcher(names, line.clone(), &["wiki.corp"]);
    assert!(fetcher.fetch("http://wiki.corp/", PAGES).await.is_ok());
    assert_eq!(line.dialled(), ["127.0.0.2:80", "127.0.0.1:80"]);
}

#[tokio::test]
async fn redirects_are_followed_five_times() {
    let hops = |last: usize| {
        Server::start(move |head| {
            let at: usize = head.split(['/', ' ']).nth(2).unwrap().parse().unwrap();
            if at < last { redirect(&format!("/{}", at + 1)) } else { page(HTML, b"<p>there</p>") }
        })
    };
    let server = hops(5).await;
    let fetched = reading(&server, Limits::default()).fetch("http://pages.example/0", PAGES).await.unwrap();
    assert_eq!(fetched.url, "http://pages.example/5");
    let server = hops(6).await;
    let failed = reading(&server, Limits::default()).fetch("http://pages.example/0", PAGES).await.unwrap_err();
    assert!(matches!(failed, FetchError::Redirects(5)), "{failed:?}");
    assert_eq!(server.requests().len(), 6);
}

#[tokio::test]
async fn a_redirect_may_name_its_place_in_any_bytes() {
    for (location, place) in [
        (&b"/caf\xe9?q=\xfcber"[..], "/caf%E9?q=%FCber"),
        (b"http://pages.example/caf\xe9", "/caf%E9"),
        ("/café?q=über".as_bytes(), "/caf%C3%A9?q=%C3%BCber"),
        (b"/%e9 and \xe9", "/%e9%20and%20%E9"),
        (b"//pages.example/\x93\xfa\x96{", "/%93%FA%96%7B"),
    ] {
        let head = [&b"HTTP/1.1 301 Moved\r\nLocation: "[..], location, b"\r\nContent-Length: 0\r\n\r\n"].concat();
        let server = Server::start(move |asked| {
            if asked.starts_with("GET / ") { Reply::Bytes(head.clone()) } else { page(HTML, b"<p>there</p>") }
        });
        let server = server.await;
        let fetched = reading(&server, Limits::default()).fetch("http://pages.example/", PAGES).await.unwrap();
        assert_eq!(fetched.url, format!("http://pages.example{place}"));
        assert!(server.requests()[1].starts_with(&format!("GET {place} ")), "{:?}", server.requests());
    }
    // A host name with raw bytes is not a URL.
    let head = b"HTTP/1.1 301 Moved\r\nLocation: http://b\xfccher.example/\r\nContent-Length: 0\r\n\r\n";
    let server = Server::of(Reply::Bytes(head.to_vec())).await;
    let failed = reading(&server, Limits::default()).fetch("http://pages.example/", PAGES).await.unwrap_err();
    assert!(matches!(failed, FetchError::Redirect), "{failed:?}");
}

#[tokio::test]
async fn a_circle_is_seen() {
    let server = Server::start(|head| redirect(if head.starts_with("GET /a ") { "/b#x" } else { "/a" })).await;
    let failed = reading(&server, Limits::default()).fetch("http://pages.example/a", PAGES).await.unwrap_err();
    assert!(matches!(failed, FetchError::Loop), "{failed:?}");
    assert_eq!(server.requests().len(), 2);
}

#[tokio::test]
async fn a_page_that_is_a_redirect_is_followed_as_one() {
    let refresh = |to: &str| page(HTML, format!("<meta http-equiv=refresh content=\"0; url={to}\">").as_bytes());
    let hops = |last: usize| {
        Server::start(move |head| {
            let at: usize = head.split(['/', ' ']).nth(2).unwrap().parse().unwrap();
            if at < last { refresh(&format!("/{}", at + 1)) } else { page(HTML, b"<p>there</p>") }
        })
    };
    let server = hops(5).await;
    let fetched = reading(&server, Limits::default()).fetch("http://pages.example/0", PAGES).await.unwrap();
    assert_eq!((fetched.url.as_str(), &fetched.body[..]), ("http://pages.example/5", &b"<p>there</p>"[..]));
    let server = hops(6).await;
    let failed = reading(&server, Limits::default()).fetch("http://pages.example/0", PAGES).await.unwrap_err();
    assert!(matches!(failed, FetchError::Redirects(5)), "{failed:?}");
    // Pages that refresh themselves or each other are results, not redirects.
    let server = Server::start(move |head| refresh(if head.starts_with("GET /a ") { "/b" } else { "/a" })).await;
    let fetched = reading(&server, Limits::default()).fetch("http://pages.example/a", PAGES).await.unwrap();
    assert_eq!(fetched.url, "http://pages.example/b");
    // A refresh for browsers without scripts is ignored.
    let server = Server::of(page(HTML, b"<noscript><meta http-equiv=refresh content='0;url=/b'></noscript>")).await;
    let fetched = reading(&server, Limits::default()).fetch("http://pages.example/a", PAGES).await.unwrap();
    assert_eq!(fetched.url, "http://pages.example/a");
}

#[tokio::test]
async fn cookies_are_not_carried() {
    let server = Server::start(|head| {
        if head.starts_with("GET /in") {
            let head =
                "HTTP/1.1 303 See Other\r\nSet-Cookie: a=b; Path=/\r\nLocation: /page\r\nContent-Length: 0\r\n\r\n";
            return Reply::Bytes(head.into());
        }
        page(HTML, b"<p>x")
    });
    let server = server.await;
    reading(&server, Limits::default()).fetch("http://pages.example/in", PAGES).await.unwrap();
    let requests = server.requests();
    assert_eq!(requests.len(), 2);
    assert!(!requests[1].to_ascii_lowercase().contains("cookie"), "{requests:?}");
}

#[tokio::test]
async fn kinds_that_are_not_wanted_are_not_read() {
    for (headers, body, told) in [
        ("Content-Type: image/png\r\n", &b"\x89PNG"[..], "image/png"),
        ("Content-Type: application/octet-stream\r\n", b"MZ\x90\0", "application/octet-stream"),
        ("Content-Type: application/pdf\r\n", b"%PDF-1.7", "application/pdf"),
        ("Content-Type: application/octet-stream\r\n", b"%PDF-1.7", "application/octet-stream"),
        ("", b"\0\x01\x02", "of an unknown type"),
    ] {
        let server = Server::of(page(headers, body)).await;
        let fetcher = reading(&server, Limits::default());
        let failed = fetcher.fetch("http://pages.example/", PAGES).await.unwrap_err();
        assert!(matches!(&failed, FetchError::Type(t) if t == told), "{headers}: {failed:?}");
        assert_eq!((failed.code().name(), failed.retry()), ("url_unsupported_type", false));
        if body.starts_with(b"%PDF") {
            let fetched = fetcher.fetch("http://pages.example/", &[Kind::Pdf]).await.unwrap();
            assert_eq!(fetched.kind, Kind::Pdf);
        }
    }
    let server = Server::of(page("", b" <!doctype html><p>x")).await;
    let fetched = reading(&server, Limits::default()).fetch("http://pages.example/", PAGES).await.unwrap();
    assert_eq!(fetched.kind, Kind::Html);
}

#[tokio::test]
async fn what_is_wrong_has_its_code_and_may_pass_or_not() {
    let status = |line: &str| Reply::Bytes(format!("HTTP/1.1 {line}\r\nContent-Length: 0\r\n\r\n").into_bytes());
    for (reply, retry) in [
        (status("404 Not Found"), false),
        (status("401 Unauthorized"), false),
        (status("304 Not Modified"), false),
        (status("429 Too Many Requests"), true),
        (status("503 Service Unavailable"), true),
        (redirect("http://"), false),
        (Reply::Bytes(b"SSH-2.0-OpenSSH_9.6\r\n".to_vec()), false),
        (Reply::Bytes(Vec::new()), true),
        (Reply::Bytes(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 9\r\n\r\nshort".to_vec()), true),
        (page("Content-Type: text/html\r\nContent-Encoding: zstd\r\n", b"x"), false),
        (page("Content-Type: text/html\r\nContent-Encoding: gzip\r\n", b"<p>not packed"), false),
    ] {
        let server = Server::of(reply).await;
        let failed = reading(&server, Limits::default()).fetch("http://pages.example/", PAGES).await.unwrap_err();
        assert_eq!((failed.code().name(), failed.retry()), ("url_fetch_failed", retry), "{failed:?}");
    }
    let nobody = fetcher(Names::of(&[("pages.example", &[&[PUBLIC]])]), Line::dead(), &[]);
    let failed = nobody.fetch("http://pages.example/", PAGES).await.unwrap_err();
    assert!(matches!(failed, FetchError::Unreachable(_)) && failed.retry(), "{failed:?}");
    let failed = nobody.fetch("http://unknown.example/", PAGES).await.unwrap_err();
    assert!(matches!(failed, FetchError::Unresolved(_)) && failed.retry(), "{failed:?}");
    let failed = nobody.fetch("ftp://pages.example/", PAGES).await.unwrap_err();
    assert!(matches!(failed, FetchError::Refused(Refusal::Scheme(_))) && !failed.retry(), "{failed:?}");
}
