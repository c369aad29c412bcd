//! TLS by rustls: certificate and key from PEM files, read again when the operator says so.

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::{self, PemObject};
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::{self, ServerConfig};

/// How HTTP/2 is called in the handshake (ALPN, RFC 7301).
pub const HTTP2: &[u8] = b"h2";
const HTTP1: &[u8] = b"http/1.1";

/// Why TLS can't be spoken.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// A file can't be read.
    #[error("{path}: {source}")]
    Unreadable {
        /// Which file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A file isn't PEM as it should be.
    #[error("{path} is not in PEM: {source}")]
    NotPem {
        /// Which file.
        path: PathBuf,
        /// Why.
        source: pem::Error,
    },
    /// There is nothing of the kind in it.
    #[error("{path} holds no {what} in PEM")]
    Missing {
        /// Which file.
        path: PathBuf,
        /// What.
        what: &'static str,
    },
    /// The certificate and the key are not for each other, or of a kind that isn't known.
    #[error("the certificate {certificate} and the key {key} can't be used: {source}")]
    Unusable {
        /// One file.
        certificate: PathBuf,
        /// The other.
        key: PathBuf,
        /// Why.
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
    /// Reads both: the certificate with those that lead to a known authority after it, and the key.
    ///
    /// # Errors
    /// [`TlsError`].
    pub fn load(certificate: PathBuf, key: PathBuf) -> Result<Self, TlsError> {
        let config = RwLock::new(read(&certificate, &key)?);
        Ok(Self { certificate, key, config })
    }

    /// Reads both anew. Where that fails, what was read before stays.
    ///
    /// # Errors
    /// [`TlsError`].
    pub fn reload(&self) -> Result<(), TlsError> {
        let config = read(&self.certificate, &self.key)?;
        *self.config.write().unwrap_or_else(PoisonError::into_inner) = config;
        Ok(())
    }

    /// What shakes hands.
    pub fn acceptor(&self) -> TlsAcceptor {
        Arc::clone(&self.config.read().unwrap_or_else(PoisonError::into_inner)).into()
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
