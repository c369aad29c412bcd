//! Dialling, as a trait, so that tests can replace it; and TLS over the connection.

use std::io;
use std::net::IpAddr;
use std::sync::Arc;

use async_trait::async_trait;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

use super::guard::Checked;

/// Opens connections.
#[async_trait]
pub trait Dialler: Send + Sync {
    /// Connects to exactly this address.
    ///
    /// # Errors
    /// Where connecting fails.
    async fn dial(&self, to: Checked) -> io::Result<Box<dyn Stream>>;
}

/// A bidirectional byte stream.
pub trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Stream for T {}

/// Dials over TCP.
#[derive(Debug, Clone, Copy, Default)]
pub struct TcpDialler;

#[async_trait]
impl Dialler for TcpDialler {
    async fn dial(&self, to: Checked) -> io::Result<Box<dyn Stream>> {
        let stream = TcpStream::connect(to.address()).await?;
        stream.set_nodelay(true)?;
        Ok(Box::new(stream))
    }
}

/// Returns a TLS configuration like that of browsers: versions 1.2 and 1.3, only HTTP/1.1.
pub(crate) fn tls(roots: RootCertStore) -> Arc<ClientConfig> {
    let provider = Arc::new(tokio_rustls::rustls::crypto::ring::default_provider());
    let versions = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let builder = versions.expect("the provider has suites for both versions");
    let mut config = builder.with_root_certificates(roots).with_no_client_auth();
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    // No session resumption: fetches share no state.
    config.resumption = tokio_rustls::rustls::client::Resumption::disabled();
    Arc::new(config)
}

/// Returns Mozilla's root certificates.
pub(crate) fn roots() -> RootCertStore {
    RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() }
}

/// Establishes TLS over `stream` with the host named `host`.
pub(crate) async fn within_tls(
    config: &Arc<ClientConfig>,
    host: &url::Host<String>,
    stream: Box<dyn Stream>,
) -> io::Result<Box<dyn Stream>> {
    let name = match host {
        url::Host::Domain(name) => ServerName::try_from(name.clone()).map_err(io::Error::other)?,
        url::Host::Ipv4(address) => IpAddr::V4(*address).into(),
        url::Host::Ipv6(address) => IpAddr::V6(*address).into(),
    };
    Ok(Box::new(TlsConnector::from(Arc::clone(config)).connect(name, stream).await?))
}
