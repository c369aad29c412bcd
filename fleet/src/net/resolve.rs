//! Name resolution, as a trait, so that tests can replace it.

use std::io;
use std::net::IpAddr;

use async_trait::async_trait;

/// Resolves names.
#[async_trait]
pub trait Resolver: Send + Sync {
    /// Returns the addresses of a name, best first. A trailing dot marks the name as fully qualified.
    ///
    /// # Errors
    /// Where the name has no address, or no resolver answers.
    async fn resolve(&self, name: &str) -> io::Result<Vec<IpAddr>>;
}

/// The operating system's resolver.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemResolver;

#[async_trait]
impl Resolver for SystemResolver {
    async fn resolve(&self, name: &str) -> io::Result<Vec<IpAddr>> {
        Ok(tokio::net::lookup_host((name, 0)).await?.map(|a| a.ip()).collect())
    }
}
