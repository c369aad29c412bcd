//! Tests TLS: only a host with a valid certificate is accepted. The self-signed certificate is for pages.example.

use std::net::SocketAddr;
use std::sync::Arc;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::task::JoinSet;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use tokio_rustls::rustls::{RootCertStore, ServerConfig};

use super::super::{FetchError, Fetched, Fetcher, Guard, Limits, Parts};
use super::PAGES;
use super::fakes::{Line, Names, PUBLIC};

const CERTIFICATE: &[u8] = include_bytes!("certificate.der");
const KEY: &[u8] = include_bytes!("key.der");

async fn serve(tasks: &mut JoinSet<()>) -> SocketAddr {
    let provider = Arc::new(tokio_rustls::rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(KEY.to_vec()));
    let config = config.with_no_client_auth().with_single_cert(vec![CertificateDer::from(CERTIFICATE)], key).unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tasks.spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            // Clients that don't trust the certificate close the connection.
            let Ok(mut stream) = acceptor.accept(stream).await else { continue };
            let mut request = [0; 2048];
            let _ = stream.read(&mut request).await;
            let answer = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 4\r\n\r\n<p>x";
            let _ = stream.write_all(answer).await;
            let _ = stream.shutdown().await;
        }
    });
    address
}

async fn fetch(url: &str, trusted: bool) -> Result<Fetched, FetchError> {
    let mut tasks = JoinSet::new();
    let server = serve(&mut tasks).await;
    let mut roots = RootCertStore::empty();
    if trusted {
        roots.add(CertificateDer::from(CERTIFICATE)).unwrap();
    }
    let resolver = Names::of(&[("pages.example", &[&[PUBLIC]]), ("other.example", &[&[PUBLIC]])]);
    let dialler = Line::to(server);
    let fetcher = Fetcher::new(Parts { guard: Guard::default(), resolver, dialler, roots, limits: Limits::default() });
    fetcher.fetch(url, PAGES).await
}

#[tokio::test]
async fn a_host_that_is_known_is_heard() {
    let fetched = fetch("https://pages.example/", true).await.unwrap();
    assert_eq!(&fetched.body[..], b"<p>x");
    assert!(fetch("https://pages.example./", true).await.is_ok());
}

#[tokio::test]
async fn others_are_not() {
    for (url, trusted) in
        [("https://pages.example/", false), ("https://other.example/", true), ("https://93.184.216.34/", true)]
    {
        let failed = fetch(url, trusted).await.unwrap_err();
        assert!(matches!(failed, FetchError::Tls(_)), "{url}: {failed:?}");
        assert_eq!((failed.code().name(), failed.retry()), ("url_fetch_failed", false));
    }
    // Plain HTTP to a TLS port.
    assert!(fetch("http://pages.example/", true).await.is_err());
}
