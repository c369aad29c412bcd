//! TLS with rustls: loads the certificate and key from PEM files, and reloads them on command.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::RwLock;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::{self, PemObject};
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::{self, ServerConfig};

/// Name of HTTP/2 in the handshake (ALPN, RFC 7301).
pub const HTTP2: &[u8] = b"h2";
const HTTP1: &[u8] = b"http/1.1";

/// Why TLS can't be used.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// A file can't be read.
    #[error("{path}: {source}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
    /// A file is not valid PEM.
    #[error("{path} is not valid PEM: {source}")]
    NotPem {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: pem::Error,
    },
    /// A file lacks the expected item.
    #[error("{path} holds no {what} in PEM")]
    Missing {
        /// The file.
        path: PathBuf,
        /// The missing item.
        what: &'static str,
    },
    /// The certificate and the key don't match, or are of an unsupported kind.
    #[error("the certificate {certificate} and the key {key} can't be used: {source}")]
    Unusable {
        /// The certificate file.
        certificate: PathBuf,
        /// The key file.
        key: PathBuf,
        /// The cause.
        source: rustls::Error,
    },
}

/// A certificate and its key.
pub struct Tls {
    certificate: PathBuf,
    key: PathBuf,
    config: RwLock<Arc<ServerConfig>>,
}

impl Tls {
    /// Loads the certificate chain (the certificate first, then its issuers) and the key.
    ///
    /// # Errors
    /// [`TlsError`].
    pub fn load(certificate: PathBuf, key: PathBuf) -> Result<Self, TlsError> {
        let config = RwLock::new(read(&certificate, &key)?);
        Ok(Self { certificate, key, config })
    }

    /// Reloads both. If that fails, the previous ones stay in use.
    ///
    /// # Errors
    /// [`TlsError`].
    pub fn reload(&self) -> Result<(), TlsError> {
        let config = read(&self.certificate, &self.key)?;
        *self.config.write() = config;
        Ok(())
    }

    /// Returns the acceptor of TLS handshakes.
    pub fn acceptor(&self) -> TlsAcceptor {
        Arc::clone(&self.config.read()).into()
    }
}

fn read(certificate: &Path, key: &Path) -> Result<Arc<ServerConfig>, TlsError> {
    let bytes =
        |path: &Path| std::fs::read(path).map_err(|source| TlsError::Unreadable { path: path.to_owned(), source });
    let not_pem = |path: &Path, source| TlsError::NotPem { path: path.to_owned(), source };
    let missing = |path: &Path, what| TlsError::Missing { path: path.to_owned(), what };
    let chain: Vec<_> = CertificateDer::pem_slice_iter(&bytes(certificate)?)
        .collect::<Result<_, _>>()
        .map_err(|e| not_pem(certificate, e))?;
    if chain.is_empty() {
        return Err(missing(certificate, "certificate"));
    }
    let secret = PrivateKeyDer::from_pem_slice(&bytes(key)?).map_err(|e| match e {
        pem::Error::NoItemsFound => missing(key, "private key"),
        e => not_pem(key, e),
    })?;
    let unusable = |source| TlsError::Unusable { certificate: certificate.to_owned(), key: key.to_owned(), source };
    let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(unusable)?
        .with_no_client_auth()
        .with_single_cert(chain, secret)
        .map_err(unusable)?;
    config.alpn_protocols = vec![HTTP2.to_vec(), HTTP1.to_vec()];
    Ok(Arc::new(config))
}
