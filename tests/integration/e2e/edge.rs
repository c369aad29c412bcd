//! Tests of connections: HTTP/1.1 and HTTP/2, plain and over TLS, connection limits, and shutdown.

use std::net::{IpAddr, Ipv4Addr};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

use super::{UNHURRIED, fresh};
use crate::repo;
use crate::service::{Service, start_in_vain};
use crate::wire::{Http2, Said, ask, parse};

/// Timeout for conditions that must become true.
const PATIENCE: Duration = Duration::from_secs(60);
const PAUSE: Duration = Duration::from_millis(20);

#[tokio::test]
async fn http2_serves_many_at_once_and_as_http1_does() {
    let (_data, service, _client) = fresh(&UNHURRIED);
    let key = service.key.clone().unwrap();
    let connection = Arc::new(Http2::connect(service.address()).await);
    let running: Vec<_> = (0..200)
        .map(|n| {
            let (connection, key) = (Arc::clone(&connection), key.clone());
            let path = if n % 2 == 0 { "/api/formats" } else { "/api/brands" };
            let said = Said::new("GET", path).header("x-api-key", key);
            tokio::spawn(async move { said.over_http2(&connection).await.unwrap() })
        })
        .collect();
    let plain = Said::new("GET", "/api/formats").over_http1(service.address());
    for (n, answer) in running.into_iter().enumerate() {
        let answer = answer.await.unwrap();
        assert_eq!(answer.status, 200);
        answer.has_headers();
        assert!(n % 2 == 1 || answer.body == plain.body);
    }
    let head = Said::new("HEAD", "/api/nothing").over_http2(&connection).await.unwrap();
    assert_eq!((head.status, head.body.len()), (404, 0));
    assert!(head.header("content-length").parse::<u32>().is_ok_and(|n| n > 0));
}

/// CVE-2023-44487 (HTTP/2 rapid reset): requests that are reset immediately after they are sent.
#[tokio::test]
async fn requests_taken_back_end_the_connection_and_nothing_else() {
    let (_data, service, client) = fresh(&UNHURRIED);
    let Http2 { sender, ended } = Http2::connect(service.address()).await;
    let flood = tokio::spawn(async move {
        loop {
            // Enough at once that some wait to be processed; then send everything.
            for _ in 0..90 {
                let Ok(mut sender) = sender.clone().ready().await else { return };
                let request = http::Request::get("http://x/api/formats").body(()).unwrap();
                let Ok((_, mut stream)) = sender.send_request(request, false) else { return };
                stream.send_reset(h2::Reason::CANCEL);
            }
            tokio::task::yield_now().await;
        }
    });
    for _ in 0..20 {
        assert_eq!(client.get("/healthz").await.status, 200);
    }
    let end = tokio::time::timeout(PATIENCE, ended).await.expect("it is ended").unwrap();
    assert_eq!(end.unwrap_err().reason(), Some(h2::Reason::ENHANCE_YOUR_CALM));
    flood.await.unwrap();
    assert_eq!(client.get("/healthz").await.status, 200);
}

fn certificate(name: &str) -> CertificateDer<'static> {
    CertificateDer::from_pem_file(repo::root().join(format!("tests/data/tls/{name}-cert.pem"))).unwrap()
}

/// Installs a certificate and its key where the service reads them.
fn install(name: &str, folder: &Path) {
    for part in ["cert", "key"] {
        let from = repo::root().join(format!("tests/data/tls/{name}-{part}.pem"));
        std::fs::copy(from, folder.join(format!("{part}.pem"))).unwrap();
    }
}

/// Performs a TLS handshake with a server that shows this certificate.
async fn shake_hands(address: &str, shown: &str, protocol: &str) -> std::io::Result<TlsStream<TcpStream>> {
    let mut roots = RootCertStore::empty();
    roots.add(certificate(shown)).unwrap();
    let provider = Arc::new(tokio_rustls::rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    let mut config = config.with_root_certificates(roots).with_no_client_auth();
    config.alpn_protocols = vec![protocol.into()];
    let stream = TcpStream::connect(address).await?;
    let name = ServerName::from(IpAddr::V4(Ipv4Addr::LOCALHOST));
    TlsConnector::from(Arc::new(config)).connect(name, stream).await
}

#[tokio::test]
async fn tls_is_spoken_with_a_certificate_that_can_be_renewed() {
    let files = tempfile::tempdir().unwrap();
    install("one", files.path());
    let path = |name: &str| files.path().join(name).display().to_string();
    let (cert, key) = (path("cert.pem"), path("key.pem"));
    let data = tempfile::tempdir().unwrap();
    let service = Service::start(data.path(), &["--tls-cert", &cert, "--tls-key", &key]);
    assert!(service.base.starts_with("https://"), "{}", service.base);
    let address = service.address();

    let said = Said::new("GET", "/api/formats");
    let mut stream = shake_hands(address, "one", "http/1.1").await.unwrap();
    let answer = ask(&mut stream, &said.bytes()).await.unwrap();
    assert_eq!(answer.status, 200);
    let stream = shake_hands(address, "one", "h2").await.unwrap();
    assert_eq!(stream.get_ref().1.alpn_protocol(), Some(b"h2".as_slice()));
    let again = said.over_http2(&Http2::on(stream).await).await.unwrap();
    assert_eq!((again.status, again.body), (200, answer.body));
    // A plain-text request gets an error that says so.
    assert_eq!(said.over_http1(address).error(400, "invalid_request"), "tls_required");

    std::fs::write(&cert, "nothing").unwrap();
    service.signal("HUP");
    assert!(shake_hands(address, "one", "h2").await.is_ok(), "the last one stays");
    install("two", files.path());
    service.signal("HUP");
    let until = Instant::now() + PATIENCE;
    while shake_hands(address, "two", "h2").await.is_err() {
        assert!(Instant::now() < until, "the certificate is not read again");
        tokio::time::sleep(PAUSE).await;
    }
    assert!(shake_hands(address, "one", "h2").await.is_err());
    assert!(service.stop().success());
}

#[test]
fn tls_that_cannot_be_spoken_is_told_at_the_start() {
    let data = tempfile::tempdir().unwrap();
    let at = |name: &str| repo::root().join("tests/data/tls").join(name).display().to_string();
    let (cert, key) = (at("one-cert.pem"), at("one-key.pem"));
    for (more, told) in [
        (vec!["--tls-cert", &cert], "tls-key"),
        (vec!["--tls-key", &key], "tls-cert"),
        (vec!["--tls-cert", &at("none.pem"), "--tls-key", &key], "none.pem"),
        (vec!["--tls-cert", &key, "--tls-key", &key], "holds no certificate"),
        (vec!["--tls-cert", &cert, "--tls-key", &cert], "holds no private key"),
        (vec!["--tls-cert", &cert, "--tls-key", &at("two-key.pem")], "can't be used"),
    ] {
        let ended = start_in_vain(data.path(), &more);
        let said = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert!(!ended.status.success() && said.contains(told), "{more:?}: {said}");
    }
}

/// Opens a connection and completes a first request on it.
async fn in_use(address: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).await.unwrap();
    assert_eq!(keep_using(&mut stream).await, 200);
    stream
}

/// Sends a request on an open connection and returns the status.
async fn keep_using(stream: &mut TcpStream) -> u16 {
    stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n").await.unwrap();
    let mut raw = Vec::new();
    while !raw.ends_with(b"{\"status\":\"ok\"}") {
        assert!(stream.read_buf(&mut raw).await.unwrap() > 0, "{}", String::from_utf8_lossy(&raw));
    }
    parse(&raw).status
}

#[tokio::test]
async fn one_connection_too_many_is_told_so() {
    let (_data, service, _client) = fresh(&["--max-connections", "4"]);
    let address = service.address();
    let said = Said::new("GET", "/healthz");
    let mut open = Vec::new();
    while open.len() < 4 {
        // Connections that waited for the start may still be open.
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n").await.unwrap();
        let mut first = [0; 12];
        stream.read_exact(&mut first).await.unwrap();
        if first.ends_with(b"200") {
            open.push(stream);
        }
    }
    for _ in 0..50 {
        let refused = ask(&mut TcpStream::connect(address).await.unwrap(), &said.bytes()).await.expect("no reset");
        assert_eq!(refused.error(503, "unavailable"), "too_many_connections");
        assert!(refused.header("retry-after").parse::<u32>().is_ok_and(|s| s > 0));
    }
    let refused = said.over_http2(&Http2::connect(address).await).await.unwrap();
    assert_eq!(refused.error(503, "unavailable"), "too_many_connections");
    // The service reads a large request to its end, so that the sender can read the response.
    let large = Said::new("POST", "/api/generations").json(vec![b' '; 3 << 20]);
    let refused = ask(&mut TcpStream::connect(address).await.unwrap(), &large.bytes()).await.expect("no reset");
    assert_eq!(refused.status, 503);

    open.pop();
    let until = Instant::now() + PATIENCE;
    while said.over_http1(address).status != 200 {
        assert!(Instant::now() < until, "the place stays taken");
        tokio::time::sleep(PAUSE).await;
    }
}

#[tokio::test]
async fn one_address_has_its_share_unless_it_is_a_proxy_of_ours() {
    let limits = ["--max-connections-per-address", "3"];
    let (_data, service, _client) = fresh(&limits);
    let mut refused = false;
    let mut open = Vec::new();
    for _ in 0..4 {
        let mut stream = TcpStream::connect(service.address()).await.unwrap();
        stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n").await.unwrap();
        let mut first = [0; 12];
        stream.read_exact(&mut first).await.unwrap();
        refused |= first.ends_with(b"503");
        open.push(stream);
    }
    assert!(refused);
    let (_data, service, _client) = fresh(&[&limits[..], &["--trusted-proxy", "127.0.0.1"]].concat());
    let mut open = Vec::new();
    for _ in 0..20 {
        open.push(in_use(service.address()).await);
    }
}

#[tokio::test]
async fn what_is_under_way_is_finished_and_the_rest_is_told() {
    let (_data, service, _client) = fresh(&UNHURRIED);
    let address = service.address().to_owned();
    let key = service.key.clone().unwrap();
    let body = json!({"name": "Slowly told"}).to_string();
    let post = Said::new("POST", "/api/brands").header("x-api-key", key.as_str()).json(body.as_str());
    let bytes = post.bytes();
    let (said, unsaid) = bytes.split_at(bytes.len() - 5);
    let mut slow = TcpStream::connect(&address).await.unwrap();
    slow.write_all(said).await.unwrap();
    let idle = in_use(&address).await;
    let http2 = Http2::connect(&address).await;
    let request = http::Request::post("http://x/api/brands").header("x-api-key", &key);
    let request = request.header("content-type", "application/json").body(()).unwrap();
    let (answer, mut stream) = http2.sender.clone().ready().await.unwrap().send_request(request, false).unwrap();
    stream.send_data(body.as_bytes()[..5].to_vec().into(), false).unwrap();
    // A response on the same connection proves that the server has accepted the earlier request.
    assert_eq!(Said::new("GET", "/healthz").over_http2(&http2).await.unwrap().status, 200);

    service.signal("TERM");
    // A connection without a request loses nothing, and nothing waits for it.
    let mut idle = idle;
    assert_eq!(idle.read_to_end(&mut Vec::new()).await.expect("no reset"), 0);
    // Clients that connect while other requests finish get 503.
    let ready = Said::new("GET", "/readyz").over_http1(&address);
    assert_eq!(ready.error(503, "unavailable"), "shutting_down");
    let create = Said::new("POST", "/api/generations").header("x-api-key", key.as_str());
    let create =
        create.json(json!({"inputType": "text", "inputContent": "Late.", "outputFormats": ["ad_mpu"]}).to_string());
    assert_eq!(create.over_http1(&address).error(503, "unavailable"), "shutting_down");

    let answered = ask(&mut slow, unsaid).await.expect("no reset");
    assert_eq!(answered.status, 201, "{}", String::from_utf8_lossy(&answered.body));
    assert_eq!(answered.header("connection"), "close");
    stream.send_data(body.as_bytes()[5..].to_vec().into(), true).unwrap();
    assert_eq!(answer.await.unwrap().status(), 201);
    drop(http2.sender);
    http2.ended.await.unwrap().expect("ended in order");
    assert!(service.stop().success());
}

#[tokio::test]
async fn json_comes_packed_and_images_in_parts() {
    let (_data, _service, client) = fresh(&UNHURRIED);
    let whole = client.get("/api/formats").await;
    let packed = client.send(client.request("GET", "/api/formats").header("Accept-Encoding", "gzip")).await.unwrap();
    assert_eq!((packed.header("content-encoding"), packed.header("vary")), ("gzip", "Accept-Encoding"));
    assert!(packed.body.starts_with(b"\x1f\x8b") && packed.body.len() * 3 < whole.body.len());

    let text = json!({"inputType": "text", "inputContent": "Cool the room to 18 °C.", "outputFormats": ["ad_mpu"]});
    let made = client.completed(&text).await;
    let url = made["outputs"][0]["imageUrl"].as_str().unwrap();
    let image = client.get(url).await;
    let with =
        async |name: &str, value: &str| client.send(client.request("GET", url).header(name, value)).await.unwrap();
    let part = with("Range", "bytes=1-3").await;
    assert_eq!((part.status, part.body.as_slice()), (206, b"PNG".as_slice()));
    assert_eq!(part.header("content-range"), format!("bytes 1-3/{}", image.body.len()));
    let rest = with("Range", "bytes=4-").await;
    assert_eq!([&image.body[..1], &part.body, &rest.body].concat(), image.body);
    let same = with("If-None-Match", image.header("etag")).await;
    assert_eq!((same.status, same.body.len()), (304, 0));
    let fresh = client.generation(made["id"].as_str().unwrap()).await;
    let again = client.get(fresh["outputs"][0]["imageUrl"].as_str().unwrap()).await;
    assert_eq!(again.header("etag"), image.header("etag"), "whichever URL it is read by");
    assert_eq!(with("Range", "bytes=99999999-").await.error(416, "invalid_request"), "range_not_satisfiable");
}
