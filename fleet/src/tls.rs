//! Selects the cryptography provider of TLS.

use tokio_rustls::rustls::crypto::ring;

/// Installs ring as the provider for the whole process, unless another is installed. Clients that are created before
/// find no provider.
pub fn choose() {
    // Fails if a provider is already installed, which then stays.
    let _ = ring::default_provider().install_default();
}
