//! What does the arithmetic of TLS where a library asks for it.

use tokio_rustls::rustls::crypto::ring;

/// Has it done by ring, in the whole process, unless something else is chosen already. Clients that are made before this
/// find nothing to do it by.
pub fn choose() {
    // Chosen already: then that stays.
    let _ = ring::default_provider().install_default();
}
