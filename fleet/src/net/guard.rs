//! Names to addresses that may be dialled.

use std::net::{IpAddr, SocketAddr};

use url::{Host, Url};

use super::allow::AllowedHost;
use super::dial::Resolver;
use super::fetch::FetchError;
use super::refusal::{self, Refusal, Target};

/// Addresses of one name that are tried.
const TRIED: usize = 4;

/// An address that was judged. Only this module makes one, and a [`Dialler`](super::Dialler) takes nothing else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Checked(SocketAddr);

impl Checked {
    /// The address and port to dial.
    pub fn address(self) -> SocketAddr {
        self.0
    }
}

/// Judges what may be fetched.
#[derive(Debug, Clone, Default)]
pub struct Guard {
    allowed: Vec<AllowedHost>,
}

impl Guard {
    /// A guard that lets the public Internet pass, and `allowed`.
    pub fn new(allowed: Vec<AllowedHost>) -> Self {
        Self { allowed }
    }

    /// Judges a URL as far as it can be told without asking anybody.
    ///
    /// # Errors
    /// [`Refusal`].
    pub fn judge(&self, url: &str) -> Result<Target, Refusal> {
        refusal::judge(url, &self.allowed)
    }

    /// Judges where a redirect from `from` leads.
    pub(super) fn judge_redirect(&self, from: &Target, location: &str) -> Result<Target, FetchError> {
        let url: Url = from.url.join(location.trim()).map_err(|_| FetchError::Redirect)?;
        Ok(refusal::judge_url(url, &self.allowed)?)
    }

    /// The addresses to dial for `target`, all of them judged: one that is not public refuses them all.
    pub(super) async fn addresses(&self, target: &Target, resolver: &dyn Resolver) -> Result<Vec<Checked>, FetchError> {
        let addresses: Vec<IpAddr> = match &target.host {
            Host::Ipv4(address) => vec![(*address).into()],
            Host::Ipv6(address) => vec![(*address).into()],
            Host::Domain(name) => {
                // A public name with the dot of the root: no domain of this machine is tried behind it. Names that the
                // operator allows may be of that domain, or of the file of hosts.
                let asked = if target.allowed { name.clone() } else { format!("{name}.") };
                resolver.resolve(&asked).await.map_err(|e| FetchError::Unresolved(e.to_string()))?
            }
        };
        if addresses.is_empty() {
            return Err(FetchError::Unresolved("no address".into()));
        }
        if !target.allowed {
            for address in &addresses {
                refusal::check(*address).map_err(|refusal| {
                    tracing::info!(host = target.host_name(), %refusal, "a fetch was refused");
                    match &target.host {
                        Host::Domain(name) => Refusal::ResolvesTo(name.clone()),
                        Host::Ipv4(_) | Host::Ipv6(_) => refusal,
                    }
                })?;
            }
        }
        Ok(addresses.into_iter().take(TRIED).map(|a| Checked(SocketAddr::new(a, target.port))).collect())
    }
}
