//! The parts from which the clients are built, so that tests can replace some of them.

use std::sync::Arc;

use tokio_rustls::rustls::RootCertStore;

use super::dial::{self, Dialler, TcpDialler};
use super::guard::Guard;
use super::limits::Limits;
use super::resolve::{Resolver, SystemResolver};

/// The parts from which a fetcher or a poster is built.
pub struct Parts {
    /// Decides what may be fetched.
    pub guard: Guard,
    /// Resolves names.
    pub resolver: Arc<dyn Resolver>,
    /// Opens connections.
    pub dialler: Arc<dyn Dialler>,
    /// Trusted root certificates.
    pub roots: RootCertStore,
    /// Limits of time, size and redirects.
    pub limits: Limits,
}

impl Parts {
    /// Returns the parts for the real network.
    pub fn of_the_system(guard: Guard) -> Self {
        Self {
            guard,
            resolver: Arc::new(SystemResolver),
            dialler: Arc::new(TcpDialler),
            roots: dial::roots(),
            limits: Limits::default(),
        }
    }
}
