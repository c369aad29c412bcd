//! Judges URLs without resolving names.

use std::net::IpAddr;

use render_core::limits;
use url::{Host, Url};

use super::address;
use super::allow::{AllowedHost, WEB_PORTS, bare};

/// Suffixes of names that are never public (RFC 6761, 6762, 7686, 8375, 9476; ICANN 2024 for `internal`) or that home
/// routers serve.
const LOCAL_NAMES: [&str; 12] = [
    "localhost",
    "local",
    "internal",
    "intranet",
    "home.arpa",
    "lan",
    "localdomain",
    "corp",
    "onion",
    "alt",
    "test",
    "invalid",
];

/// Why a URL is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Longer than [`limits::URL_CHARS`].
    #[error("the URL has {0} characters; at most {max} are allowed", max = limits::URL_CHARS)]
    TooLong(usize),
    /// Not an absolute URL.
    #[error("this is not a URL; send one such as https://example.org/article")]
    Malformed,
    /// Neither http nor https.
    #[error("the scheme {0:?} is not allowed; use http or https")]
    Scheme(String),
    /// A name or password before the host.
    #[error("the URL contains a user name or password; remove it")]
    UserInfo,
    /// Neither 80 nor 443.
    #[error("port {0} is not allowed; use 80 or 443")]
    Port(u16),
    /// A name that is never public.
    #[error("{0} is not a public host name")]
    LocalName(String),
    /// An address that is not public, and its purpose.
    #[error("the address {0} is not public ({1})")]
    Address(IpAddr, &'static str),
    /// An address that is denied: a cloud's metadata service, or one of a network that the operator denies.
    #[error("the address {0} is not allowed")]
    Denied(IpAddr),
    /// A name with an address that is not public. The message omits the address, so that it reveals nothing about the
    /// network.
    #[error("{0} leads to an address that is not public")]
    ResolvesTo(String),
}

impl Refusal {
    /// Returns the API's error code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::TooLong(_) | Self::Malformed => "invalid_value",
            _ => "url_not_allowed",
        }
    }
}

/// A URL that may be fetched, as far as this is known without resolving names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    pub(super) url: Url,
    pub(super) host: Host<String>,
    pub(super) port: u16,
    /// Whether the operator allows the host, whatever it resolves to.
    pub(super) allowed: bool,
}

impl Target {
    /// Returns the URL to fetch: normalised, without a fragment.
    pub fn url(&self) -> &str {
        self.url.as_str()
    }

    /// Returns the receiver: the host in its normal form, and the port.
    pub fn receiver(&self) -> String {
        format!("{}:{}", self.host, self.port)
    }

    /// Returns the host for TLS and the `Host` header.
    pub(super) fn host_name(&self) -> String {
        self.host.to_string()
    }
}

/// Judges `text` by the WHATWG URL Standard, which handles every spelling of an address that browsers accept.
///
/// # Errors
/// [`Refusal`].
pub(super) fn judge(text: &str, allowed: &[AllowedHost]) -> Result<Target, Refusal> {
    // Counted before parsing.
    let chars = text.chars().count();
    if chars > limits::URL_CHARS {
        return Err(Refusal::TooLong(chars));
    }
    judge_url(Url::parse(text.trim()).map_err(|_| Refusal::Malformed)?, allowed)
}

/// Like [`judge`], for a URL that is already parsed.
pub(super) fn judge_url(mut url: Url, allowed: &[AllowedHost]) -> Result<Target, Refusal> {
    url.set_fragment(None);
    // Checked again in normal form, where every byte outside ASCII takes three characters.
    if url.as_str().len() > limits::URL_CHARS {
        return Err(Refusal::TooLong(url.as_str().len()));
    }
    if !matches!(url.scheme(), "http" | "https") {
        return Err(Refusal::Scheme(url.scheme().to_owned()));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(Refusal::UserInfo);
    }
    let port = url.port_or_known_default().ok_or(Refusal::Malformed)?;
    let host = match url.host().ok_or(Refusal::Malformed)? {
        Host::Domain(name) => Host::Domain(bare(name).to_owned()),
        Host::Ipv4(address) => Host::Ipv4(address),
        Host::Ipv6(address) => Host::Ipv6(address),
    };
    if allowed.iter().any(|a| a.covers(&host, port)) {
        return Ok(Target { url, host, port, allowed: true });
    }
    if !WEB_PORTS.contains(&port) {
        return Err(Refusal::Port(port));
    }
    match &host {
        Host::Domain(name) if is_local(name) => return Err(Refusal::LocalName(name.clone())),
        Host::Domain(_) => {}
        Host::Ipv4(address) => check((*address).into())?,
        Host::Ipv6(address) => check((*address).into())?,
    }
    Ok(Target { url, host, port, allowed: false })
}

/// Refuses an address that is not public.
pub(super) fn check(address: IpAddr) -> Result<(), Refusal> {
    address::special(address).map_or(Ok(()), |what| Err(Refusal::Address(address, what)))
}

/// Returns whether a name is never public. The resolver would look up a name without a dot in this machine's domain.
fn is_local(name: &str) -> bool {
    let within = |end: &&str| name == *end || name.strip_suffix(*end).is_some_and(|head| head.ends_with('.'));
    !name.contains('.') || LOCAL_NAMES.iter().any(within)
}

#[cfg(test)]
mod tests {
    use std::net::{Ipv4Addr, Ipv6Addr};

    use proptest::prelude::*;

    use super::super::address::tests::any_special;
    use super::*;

    fn verdict(url: &str) -> Result<Target, Refusal> {
        judge(url, &[])
    }

    #[test]
    fn pages_of_the_web_may_be_fetched() {
        for (url, normal) in [
            ("https://example.org/a?b=c#d", "https://example.org/a?b=c"),
            (" HTTP://Example.ORG ", "http://example.org/"),
            ("http://example.org:443/", "http://example.org:443/"),
            ("https://example.org:80/", "https://example.org:80/"),
            ("https://bücher.example.com/über", "https://xn--bcher-kva.example.com/%C3%BCber"),
            ("http://8.8.8.8/", "http://8.8.8.8/"),
            ("http://[2606:4700::1111]/", "http://[2606:4700::1111]/"),
            ("https://example.org./", "https://example.org./"),
            ("https:example.org/one-slash-too-few", "https://example.org/one-slash-too-few"),
        ] {
            assert_eq!(verdict(url).unwrap().url(), normal);
        }
    }

    #[test]
    fn everything_else_is_refused_by_name() {
        let refused = |url: &str| verdict(url).map(|t| t.url().to_owned()).unwrap_err();
        for url in
            ["", "  ", "example.org", "/a", "//example.org", "http://", "http:///", "https://[::1", "http://a b/"]
        {
            assert_eq!((refused(url), refused(url).code()), (Refusal::Malformed, "invalid_value"), "{url:?}");
        }
        for url in [
            "file:///etc/passwd",
            "gopher://example.org/",
            "data:text/html,x",
            "ftp://example.org/",
            "javascript:0",
            "ws://example.org/",
            "dict://127.0.0.1:11211/",
            "blob:https://example.org/1",
            "mailto:a@example.org",
        ] {
            assert!(matches!(refused(url), Refusal::Scheme(_)), "{url}: {:?}", refused(url));
        }
        for url in ["http://me@example.org/", "http://me:secret@example.org/", "http://:secret@example.org/"] {
            assert_eq!(refused(url), Refusal::UserInfo, "{url}");
        }
        for (url, port) in
            [("http://example.org:22/", 22), ("https://example.org:8443/", 8443), ("http://8.8.8.8:1", 1)]
        {
            assert_eq!(refused(url), Refusal::Port(port), "{url}");
        }
        for url in [
            "http://localhost/",
            "http://LOCALHOST./",
            "http://a.localhost/",
            "http://printer.local/",
            "http://metadata/",
            "http://metadata.google.internal/",
            "http://router.home.arpa/",
            "http://x.onion/",
            "http://nas.lan/",
            "http://%6cocalhost/",
            "http://ｌｏｃａｌｈｏｓｔ/",
        ] {
            assert!(matches!(refused(url), Refusal::LocalName(_)), "{url}: {:?}", refused(url));
        }
        assert_eq!(refused(&format!("https://example.org/{}", "x".repeat(2_029))), Refusal::TooLong(2_049));
        assert!(verdict(&format!("https://example.org/{}", "x".repeat(2_028))).is_ok());
        // Short as written, but three times as long as sent.
        let wide = format!("https://example.org/{}", "ü".repeat(2_000));
        assert!(matches!(refused(&wide), Refusal::TooLong(12_020)));
    }

    #[test]
    fn addresses_are_seen_through_every_spelling() {
        for host in [
            "127.0.0.1",
            "2130706433",
            "017700000001",
            "0x7f000001",
            "0x7F.1",
            "127.1",
            "127.0.1",
            "0177.0.0.1",
            "0x7f.0x0.0x0.0x1",
            "127.0.0.1.",
            "%31%32%37.0.0.1",
            "１２７.０.０.１",
            "127。0。0。1",
            "0.0.0.0",
            "0",
            "169.254.169.254",
            "2852039166",
            "0xa9fea9fe",
            "100.64.0.1",
            "[::1]",
            "[0:0:0:0:0:0:0:1]",
            "[::ffff:127.0.0.1]",
            "[::ffff:7f00:1]",
            "[64:ff9b::127.0.0.1]",
            "[64:ff9b::8.8.8.8]",
            "[2002:7f00:1::]",
            "[2001:0:4136:e378:8000:63bf:3fff:fdd2]",
            "[fec0::1]",
            "[fe80::1]",
            "[fc00::1]",
            "[::127.0.0.1]",
            "[::]",
            "[ff02::1]",
            "255.255.255.255",
            "[100::1]",
            "[5f00::1]",
        ] {
            for url in [format!("http://{host}/"), format!("HTTPS://{host}:80/x")] {
                assert!(matches!(verdict(&url), Err(Refusal::Address(..))), "{url}: {:?}", verdict(&url));
            }
        }
        // Not a spelling of an address, and not a name that could be resolved.
        for host in ["[fe80::1%25eth0]", "256.1.1.1", "1.2.3.4.5", "0x100000000", "127.0.0.1.1", "[::ffff:127.1]"] {
            assert_eq!(verdict(&format!("http://{host}/")), Err(Refusal::Malformed), "{host}");
        }
    }

    #[test]
    fn what_the_operator_names_may_be_fetched() {
        let allowed = ["wiki.corp", "127.0.0.1:8080"].map(|a| a.parse().unwrap());
        let may = |url: &str| judge(url, &allowed).is_ok_and(|t| t.allowed);
        assert!(may("http://wiki.corp/a") && may("https://WIKI.corp./") && may("http://2130706433:8080/"));
        assert!(!may("http://wiki.corp:8080/") && !may("http://127.0.0.1/") && !may("http://a.wiki.corp/"));
        assert!(!may("ftp://wiki.corp/") && !may("http://me@wiki.corp/"));
        assert!(judge("https://example.org/", &allowed).is_ok_and(|t| !t.allowed));
    }

    /// Formats a number in one of the bases that addresses may use.
    fn number(value: u64, base: u8, zeros: usize) -> String {
        let zeros = "0".repeat(zeros);
        match base % 4 {
            0 => value.to_string(),
            1 => format!("0{zeros}{value:o}"),
            2 => format!("0x{zeros}{value:x}"),
            _ => format!("0X{zeros}{value:X}"),
        }
    }

    /// Formats an IPv4 address in 1 to 4 parts.
    fn spelt_4(address: Ipv4Addr, parts: usize, bases: [u8; 4], zeros: usize) -> String {
        let octets = address.octets();
        let last = octets[parts - 1..].iter().fold(0_u64, |n, o| (n << 8) | u64::from(*o));
        let values = octets[..parts - 1].iter().map(|o| u64::from(*o)).chain([last]);
        let parts: Vec<_> = values.zip(bases).map(|(v, base)| number(v, base, zeros)).collect();
        parts.join(".")
    }

    fn spelt_6(address: Ipv6Addr, form: u8) -> String {
        let groups = address.segments();
        let text = match form % 4 {
            0 => address.to_string(),
            1 => groups.map(|g| format!("{g:04X}")).join(":"),
            2 => groups.map(|g| format!("{g:x}")).join(":"),
            _ => {
                let [.., a, b] = groups;
                let four = Ipv4Addr::from_bits((u32::from(a) << 16) | u32::from(b));
                format!("{}:{four}", groups[..6].iter().map(|g| format!("{g:x}")).collect::<Vec<_>>().join(":"))
            }
        };
        format!("[{text}]")
    }

    /// Replaces some characters by escapes or wide forms that the URL Standard maps back.
    fn disguised(text: &str, which: u64) -> String {
        let mut out = String::new();
        for (i, c) in text.chars().enumerate() {
            match (which >> (2 * (i % 32))) & 3 {
                1 if c.is_ascii_alphanumeric() => out += &format!("%{:02x}", u32::from(c)),
                2 if c.is_ascii_alphanumeric() => out.extend(char::from_u32(u32::from(c) + 0xfee0)),
                3 if c == '.' => out.push('。'),
                _ => out.push(c),
            }
        }
        out
    }

    proptest! {
        #[test]
        fn no_spelling_of_a_special_address_passes(
            address in any_special(), parts in 1_usize..5, bases: [u8; 4], zeros in 0_usize..4, form: u8,
            disguise: u64, dot: bool, https: bool, port in prop_oneof![Just(""), Just(":80"), Just(":443")],
        ) {
            let host = match address {
                IpAddr::V4(a) => {
                    let dot = if dot { "." } else { "" };
                    disguised(&format!("{}{dot}", spelt_4(a, parts, bases, zeros)), disguise)
                }
                IpAddr::V6(a) => spelt_6(a, form),
            };
            let url = format!("{}://{host}{port}/", if https { "https" } else { "http" });
            prop_assert!(matches!(verdict(&url), Err(Refusal::Address(..))), "{} is {:?}", url, verdict(&url));
        }

        #[test]
        fn any_text_has_a_verdict(text in ".{0,80}", scheme in prop_oneof![Just(""), Just("http://"), Just("https://[")]) {
            if let Ok(target) = verdict(&format!("{scheme}{text}")) {
                // What passes names a public host in its normal form too.
                prop_assert!(verdict(target.url()).is_ok(), "{:?}", target);
            }
        }
    }
}
