//! The trusted certificate authorities of a connection to NATS.

use std::path::Path;

use tokio_rustls::rustls::pki_types::CertificateDer;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

/// Returns a configuration that trusts the system's certificates and those in a PEM file.
///
/// # Errors
/// The reason why the file can't be used.
pub(super) fn beside_the_systems(file: &Path) -> Result<ClientConfig, String> {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    let text = std::fs::read(file).map_err(|e| e.to_string())?;
    let mut count = 0;
    for certificate in CertificateDer::pem_slice_iter(&text) {
        let certificate = certificate.map_err(|e| format!("not a PEM file of certificates: {e}"))?;
        roots.add(certificate).map_err(|e| format!("a certificate is invalid: {e}"))?;
        count += 1;
    }
    if count == 0 {
        return Err("the file contains no certificate".into());
    }
    Ok(ClientConfig::builder().with_root_certificates(roots).with_no_client_auth())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_without_certificates_is_refused() {
        crate::tls::choose();
        let file = |name: &str| Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/tls").join(name);
        assert!(beside_the_systems(&file("one-cert.pem")).is_ok());
        for (wrong, why) in [("one-key.pem", "no certificate"), ("absent.pem", "No such file")] {
            let error = beside_the_systems(&file(wrong)).unwrap_err();
            assert!(error.contains(why), "{error}");
        }
    }
}
