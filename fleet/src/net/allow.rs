//! Hosts that the operator allows although they are not public: `--allow-host NAME[:PORT]`.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use url::Host;

/// The ports of public web pages.
pub(super) const WEB_PORTS: [u16; 2] = [80, 443];

/// A host, by name or address, and its ports that requests may go to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AllowedHost {
    host: Host<String>,
    /// The only port; `None` for 80 and 443.
    port: Option<u16>,
}

/// The error for a text that names no host.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not NAME or NAME:PORT; put an IPv6 address in brackets")]
pub struct NoHost(String);

impl AllowedHost {
    /// Returns its address, if it is given as one.
    pub(super) fn address(&self) -> Option<IpAddr> {
        match &self.host {
            Host::Ipv4(address) => Some((*address).into()),
            Host::Ipv6(address) => Some((*address).into()),
            Host::Domain(_) => None,
        }
    }

    /// Returns whether it covers this host on this port.
    pub(super) fn covers(&self, host: &Host<String>, port: u16) -> bool {
        self.host == *host && self.port.map_or(WEB_PORTS.contains(&port), |p| p == port)
    }
}

impl FromStr for AllowedHost {
    type Err = NoHost;

    fn from_str(text: &str) -> Result<Self, NoHost> {
        let wrong = || NoHost(text.to_owned());
        // The colons of an IPv6 address are within brackets.
        let (host, port) = match text.rsplit_once(':') {
            Some((host, port)) if !port.ends_with(']') => (host, Some(port)),
            _ => (text, None),
        };
        let port = match port {
            Some(port) if port.bytes().all(|b| b.is_ascii_digit()) => {
                Some(port.parse().ok().filter(|p| *p != 0).ok_or_else(wrong)?)
            }
            Some(_) => return Err(wrong()),
            None => None,
        };
        let host = match Host::parse(host).map_err(|_| wrong())? {
            // No wildcards: the operator names each host.
            Host::Domain(name) if !name.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b)) => {
                return Err(wrong());
            }
            Host::Domain(name) => Host::Domain(bare(&name).to_owned()),
            address => address,
        };
        Ok(Self { host, port })
    }
}

impl fmt::Display for AllowedHost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.port {
            Some(port) => write!(f, "{}:{port}", self.host),
            None => write!(f, "{}", self.host),
        }
    }
}

/// Strips the trailing dot of the DNS root from a name.
pub(super) fn bare(name: &str) -> &str {
    name.strip_suffix('.').unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn host(text: &str) -> AllowedHost {
        text.parse().unwrap()
    }

    #[test]
    fn a_host_has_the_ports_of_the_web_or_the_one_that_is_named() {
        let name = Host::Domain("wiki.corp".to_owned());
        for port in [80, 443] {
            assert!(host("Wiki.Corp").covers(&name, port));
            assert!(!host("wiki.corp:8080").covers(&name, port));
        }
        assert!(!host("wiki.corp").covers(&name, 8080));
        assert!(host("wiki.corp.:8080").covers(&name, 8080));
        assert!(!host("other.corp:8080").covers(&name, 8080));
        let loopback = Host::Ipv6("::1".parse().unwrap());
        assert!(host("[::1]:99").covers(&loopback, 99) && host("[::1]").covers(&loopback, 80));
        assert!(host("127.1:99").covers(&Host::Ipv4("127.0.0.1".parse().unwrap()), 99));
    }

    #[test]
    fn what_names_no_host_is_refused() {
        for wrong in ["", ":80", "a:", "a:0", "a:65536", "a:x", "a b", "::1", "http://a", "a/b", "*", "a@b", "[::1"] {
            let read = wrong.parse::<AllowedHost>();
            assert!(read.is_err(), "{wrong:?} reads as {read:?}");
        }
    }

    #[test]
    fn it_writes_as_it_reads() {
        for text in ["wiki.corp", "wiki.corp:8080", "[::1]:99", "127.0.0.1"] {
            assert_eq!(host(text).to_string(), text);
        }
    }
}
