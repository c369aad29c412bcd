//! Resolves names to addresses that may be dialled.

use std::net::{IpAddr, SocketAddr};

use url::{Host, Url};

use super::allow::AllowedHost;
use super::deny::{self, Network};
use super::error::FetchError;
use super::refusal::{self, Refusal, Target};
use super::resolve::Resolver;

/// Maximum addresses to try per name.
const TRIED: usize = 4;

/// A judged address. Only this module creates one, and a [`Dialler`](super::Dialler) accepts nothing else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Checked(SocketAddr);

impl Checked {
    /// Returns the address and port to dial.
    pub fn address(self) -> SocketAddr {
        self.0
    }
}

/// Decides which URLs and addresses may be contacted.
#[derive(Debug, Clone, Default)]
pub struct Guard {
    allowed: Vec<AllowedHost>,
    denied: Vec<Network>,
}

impl Guard {
    /// Creates a guard that accepts the public Internet and the hosts in `allowed`.
    pub fn new(allowed: Vec<AllowedHost>) -> Self {
        Self { allowed, denied: Vec::new() }
    }

    /// Returns the same guard, which also refuses these networks, whatever is allowed.
    #[must_use]
    pub fn denying(self, denied: Vec<Network>) -> Self {
        Self { denied, ..self }
    }

    /// Returns the first host that is allowed by an address that is also denied: it can never be reached.
    pub fn contradiction(&self) -> Option<&AllowedHost> {
        self.allowed.iter().find(|host| host.address().is_some_and(|address| self.is_denied(address)))
    }

    fn is_denied(&self, address: IpAddr) -> bool {
        deny::is_metadata(address) || self.denied.iter().any(|network| network.holds(address))
    }

    /// Refuses a denied address, whether or not its host is allowed.
    fn check_denied(&self, address: IpAddr) -> Result<(), Refusal> {
        if self.is_denied(address) { Err(Refusal::Denied(address)) } else { Ok(()) }
    }

    fn judged(&self, target: Target) -> Result<Target, Refusal> {
        match &target.host {
            Host::Ipv4(address) => self.check_denied((*address).into())?,
            Host::Ipv6(address) => self.check_denied((*address).into())?,
            Host::Domain(_) => {}
        }
        Ok(target)
    }

    /// Judges a URL without resolving names.
    ///
    /// # Errors
    /// [`Refusal`].
    pub fn judge(&self, url: &str) -> Result<Target, Refusal> {
        self.judged(refusal::judge(url, &self.allowed)?)
    }

    /// Judges the target of a redirect from `from`.
    pub(super) fn judge_redirect(&self, from: &Target, location: &str) -> Result<Target, FetchError> {
        let url: Url = from.url.join(location.trim()).map_err(|_| FetchError::Redirect)?;
        Ok(self.judged(refusal::judge_url(url, &self.allowed)?)?)
    }

    /// Returns the addresses to dial for `target`. All of them are judged, and one that is not public refuses them all.
    pub(super) async fn addresses(&self, target: &Target, resolver: &dyn Resolver) -> Result<Vec<Checked>, FetchError> {
        let addresses: Vec<IpAddr> = match &target.host {
            Host::Ipv4(address) => vec![(*address).into()],
            Host::Ipv6(address) => vec![(*address).into()],
            Host::Domain(name) => {
                // A public name gets a trailing dot, so that the resolver does not append this machine's search domain.
                // Names that the operator allows may be in that domain, or in the hosts file.
                let asked = if target.allowed { name.clone() } else { format!("{name}.") };
                resolver.resolve(&asked).await.map_err(|e| FetchError::Unresolved(e.to_string()))?
            }
        };
        if addresses.is_empty() {
            return Err(FetchError::Unresolved("no address".into()));
        }
        for address in &addresses {
            // A denied address stays denied where the operator allows the name: someone else may control its DNS
            // records.
            let public = if target.allowed { Ok(()) } else { refusal::check(*address) };
            public.and_then(|()| self.check_denied(*address)).map_err(|refusal| {
                tracing::info!(host = target.host_name(), %refusal, "request refused: address not allowed");
                match &target.host {
                    Host::Domain(name) => Refusal::ResolvesTo(name.clone()),
                    Host::Ipv4(_) | Host::Ipv6(_) => refusal,
                }
            })?;
        }
        Ok(addresses.into_iter().take(TRIED).map(|a| Checked(SocketAddr::new(a, target.port))).collect())
    }
}

#[cfg(test)]
mod tests {
    use async_trait::async_trait;

    use super::*;

    /// Resolves every name to these addresses.
    struct Names(Vec<IpAddr>);

    #[async_trait]
    impl Resolver for Names {
        async fn resolve(&self, _: &str) -> std::io::Result<Vec<IpAddr>> {
            Ok(self.0.clone())
        }
    }

    fn guard(allowed: &[&str], denied: &[&str]) -> Guard {
        let guard = Guard::new(allowed.iter().map(|a| a.parse().unwrap()).collect());
        guard.denying(denied.iter().map(|d| d.parse().unwrap()).collect())
    }

    /// Returns whether the guard accepts a name that resolves to this address.
    async fn leads(guard: &Guard, url: &str, address: &str) -> bool {
        let target = guard.judge(url).unwrap();
        guard.addresses(&target, &Names(vec![address.parse().unwrap()])).await.is_ok()
    }

    #[tokio::test]
    async fn i15_denied_networks_are_refused_by_address_and_by_name() {
        let guard = guard(&["wiki.corp", "10.1.2.3:8080"], &["93.184.0.0/16", "10.1.0.0/16", "2606:4700::/32"]);
        for url in
            ["http://93.184.216.34/", "http://0x5db8d822/", "https://[2606:4700::1111]/", "http://10.1.2.3:8080/"]
        {
            assert!(matches!(guard.judge(url), Err(Refusal::Denied(_))), "{url}: {:?}", guard.judge(url));
        }
        assert_eq!(guard.judge("http://93.184.216.34/").unwrap_err().code(), "url_not_allowed");
        assert!(guard.judge("http://93.185.0.1/").is_ok());
        assert!(!leads(&guard, "http://example.org/", "93.184.216.34").await);
        assert!(leads(&guard, "http://example.org/", "93.185.0.1").await);
        assert!(leads(&guard, "http://wiki.corp/", "10.2.0.1").await, "what is allowed leads anywhere else");
        assert!(!leads(&guard, "http://wiki.corp/", "10.1.0.1").await, "denied goes before allowed");
        assert!(!leads(&guard, "http://wiki.corp/", "::ffff:10.1.0.1").await);
    }

    #[tokio::test]
    async fn i15_metadata_services_are_denied_whatever_is_allowed() {
        let guard = guard(&["wiki.corp", "169.254.169.254"], &[]);
        for address in ["169.254.169.254", "168.63.129.16", "100.100.100.200", "192.0.0.192"] {
            assert!(guard.judge(&format!("http://{address}/")).is_err(), "{address}");
            assert!(!leads(&guard, "http://wiki.corp/", address).await, "{address}");
            assert!(!leads(&guard, "http://example.org/", address).await, "{address}");
        }
        assert!(
            guard.judge("http://[fd00:ec2::254]/").is_err()
                && !leads(&guard, "http://wiki.corp/", "fd00:ec2::254").await
        );
        assert!(guard.judge("http://168.63.129.17/").is_ok());
    }

    #[test]
    fn what_is_allowed_and_denied_at_once_is_noticed() {
        let said = |allowed: &[&str], denied: &[&str]| guard(allowed, denied).contradiction().map(ToString::to_string);
        assert_eq!(said(&["wiki.corp", "10.0.0.7:8080"], &["10.1.0.0/16"]), None);
        assert_eq!(said(&["wiki.corp", "10.1.0.7:8080"], &["10.1.0.0/16"]).as_deref(), Some("10.1.0.7:8080"));
        assert_eq!(said(&["[fd00:ec2::254]"], &[]).as_deref(), Some("[fd00:ec2::254]"));
    }
}
