//! Networks that this service never connects to, whatever else is allowed: cloud metadata services, and networks that
//! the operator denies with `--deny-net`.
//!
//! These take precedence over `--allow-host`. An allowed name is dialled wherever it resolves to, so anyone who
//! controls the name's DNS records could point it at a metadata service, which gives the machine's own credentials to
//! any process on the machine. No page or webhook receiver belongs there, so no setting allows them.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

/// NAT64 prefixes: the last 32 bits of such an address are an IPv4 address (RFC 6052, 8215).
const NAT64: [[u16; 3]; 2] = [[0x64, 0xff9b, 0], [0x64, 0xff9b, 1]];

/// A network in CIDR notation: `10.1.0.0/16`, `2001:db8::/32`. A plain address is a network of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Network {
    base: IpAddr,
    length: u32,
}

/// The error for a text that is not a network.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a network; write ADDRESS/LENGTH, such as 10.1.0.0/16, with zero bits after the length")]
pub struct NoNetwork(String);

/// Addresses at which cloud providers serve metadata and credentials to their machines. Some of them look public, and
/// an operator may have reason to allow others, so they need this list.
const METADATA: [Network; 9] = [
    // All link-local addresses: AWS, Google, Azure, Oracle and most others (169.254.169.254), ECS (169.254.170.2), EKS
    // (169.254.170.23), Scaleway (169.254.42.42), Tencent (169.254.0.23).
    Network { base: IpAddr::V4(Ipv4Addr::new(169, 254, 0, 0)), length: 16 },
    // Azure's virtual host, which looks like a public address.
    Network { base: IpAddr::V4(Ipv4Addr::new(168, 63, 129, 16)), length: 32 },
    // Alibaba.
    Network { base: IpAddr::V4(Ipv4Addr::new(100, 100, 100, 200)), length: 32 },
    // Oracle Cloud, legacy.
    Network { base: IpAddr::V4(Ipv4Addr::new(192, 0, 0, 192)), length: 32 },
    // AWS: the instance's metadata and ECS and EKS credentials.
    Network { base: IpAddr::V6(Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0)), length: 32 },
    // Google.
    Network { base: IpAddr::V6(Ipv6Addr::new(0xfd20, 0xce, 0, 0, 0, 0, 0, 0x254)), length: 128 },
    // Scaleway.
    Network { base: IpAddr::V6(Ipv6Addr::new(0xfd00, 0x42, 0, 0, 0, 0, 0, 0x42)), length: 128 },
    // Oracle Cloud.
    Network { base: IpAddr::V6(Ipv6Addr::new(0xfd00, 0xc1, 0, 0, 0, 0, 0xa9fe, 0xa9fe)), length: 128 },
    // OpenStack.
    Network { base: IpAddr::V6(Ipv6Addr::new(0xfe80, 0, 0, 0, 0, 0, 0xa9fe, 0xa9fe)), length: 128 },
];

impl Network {
    /// Returns whether it contains this address. Also finds an IPv4 address within the IPv6 addresses that lead to it.
    pub fn holds(&self, address: IpAddr) -> bool {
        match (self.base, address) {
            (IpAddr::V4(base), IpAddr::V4(address)) => {
                (u64::from(base.to_bits() ^ address.to_bits())) >> (32 - self.length) == 0
            }
            (IpAddr::V6(base), IpAddr::V6(address)) => {
                (base.to_bits() ^ address.to_bits()).checked_shr(128 - self.length).unwrap_or(0) == 0
            }
            (IpAddr::V4(_), IpAddr::V6(address)) => {
                carried(address).into_iter().flatten().any(|inner| self.holds(inner.into()))
            }
            (IpAddr::V6(_), IpAddr::V4(_)) => false,
        }
    }
}

/// Returns whether this address is a cloud's metadata service.
pub(super) fn is_metadata(address: IpAddr) -> bool {
    METADATA.iter().any(|network| network.holds(address))
}

/// Returns the IPv4 addresses that an IPv6 address may lead to: mapped or compatible (RFC 4291), translated (RFC 6052,
/// 8215), by 6to4 (RFC 3056), and by ISATAP (RFC 5214).
fn carried(address: Ipv6Addr) -> [Option<Ipv4Addr>; 2] {
    let segments = address.segments();
    let pair = |high: u16, low: u16| Ipv4Addr::from_bits(u32::from(high) << 16 | u32::from(low));
    let last = pair(segments[6], segments[7]);
    let is_prefix = |prefix: &[u16]| segments.starts_with(prefix);
    let in_the_end = is_prefix(&[0, 0, 0, 0, 0, 0xffff])
        || is_prefix(&[0; 6])
        || NAT64.iter().any(|prefix| is_prefix(prefix))
        || (matches!(segments[4], 0 | 0x200) && segments[5] == 0x5efe);
    [in_the_end.then_some(last), is_prefix(&[0x2002]).then(|| pair(segments[1], segments[2]))]
}

impl FromStr for Network {
    type Err = NoNetwork;

    fn from_str(text: &str) -> Result<Self, NoNetwork> {
        let wrong = || NoNetwork(text.to_owned());
        let (base, length) = match text.trim().split_once('/') {
            Some((base, length)) if length.bytes().all(|b| b.is_ascii_digit()) => (base, Some(length)),
            Some(_) => return Err(wrong()),
            None => (text.trim(), None),
        };
        let base: IpAddr = base.parse().map_err(|_| wrong())?;
        let most = if base.is_ipv4() { 32 } else { 128 };
        let length = length.map_or(Ok(most), str::parse).ok().filter(|length| *length <= most).ok_or_else(wrong)?;
        // Host bits, as in 10.1.2.3/16, are more likely a typing error than intended.
        let behind = match base {
            IpAddr::V4(base) => u128::from(base.to_bits()).checked_shl(96 + length).unwrap_or(0),
            IpAddr::V6(base) => base.to_bits().checked_shl(length).unwrap_or(0),
        };
        if behind != 0 {
            return Err(wrong());
        }
        // An IPv4 network in IPv6 notation, such as ::ffff:10.1.0.0/112.
        let mapped = match base {
            IpAddr::V6(base) => base.to_ipv4_mapped().zip(length.checked_sub(96)),
            IpAddr::V4(_) => None,
        };
        Ok(match mapped {
            Some((base, length)) => Self { base: base.into(), length },
            None => Self { base, length },
        })
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.base, self.length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn network(text: &str) -> Network {
        text.parse().unwrap()
    }

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn a_network_holds_its_addresses_in_every_form() {
        for (net, inside, outside) in [
            ("10.1.0.0/16", ["10.1.0.0", "10.1.255.255"], "10.2.0.0"),
            ("8.8.8.8", ["8.8.8.8", "::ffff:8.8.8.8"], "8.8.8.9"),
            ("8.8.8.0/24", ["64:ff9b::8.8.8.1", "64:ff9b:1::8.8.8.1"], "64:ff9b::8.8.9.1"),
            ("8.8.8.0/24", ["2002:808:801::1", "2001:1234::200:5efe:808:801"], "2002:808:901::1"),
            ("0.0.0.0/0", ["1.2.3.4", "::1.2.3.4"], "2001:db8::1"),
            ("2001:db8::/32", ["2001:db8::", "2001:db8:ffff::1"], "2001:db9::"),
            ("::/0", ["::1", "2001:db8::1"], "1.2.3.4"),
            ("::ffff:10.1.0.0/112", ["10.1.2.3", "::ffff:10.1.2.3"], "10.2.0.0"),
            ("2001:db8::1", ["2001:db8::1", "2001:db8:0::1"], "2001:db8::2"),
        ] {
            for address in inside {
                assert!(network(net).holds(ip(address)), "{net} {address}");
            }
            assert!(!network(net).holds(ip(outside)), "{net} {outside}");
        }
    }

    #[test]
    fn it_reads_what_it_writes_and_nothing_else() {
        for text in ["10.1.0.0/16", "2001:db8::/32", "0.0.0.0/0", "::/0", "8.8.8.8/32", "::1/128"] {
            assert_eq!(network(text).to_string(), text);
        }
        assert_eq!(network(" 8.8.8.8 ").to_string(), "8.8.8.8/32");
        for wrong in [
            "",
            "/8",
            "10.0.0.0/",
            "10.0.0.0/33",
            "::/129",
            "10.1.2.3/16",
            "10.0.0.0/-1",
            "10/8",
            "a.b",
            "10.0.0.0/8/8",
        ] {
            assert!(wrong.parse::<Network>().is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn metadata_services_are_known() {
        for address in [
            "169.254.169.254",
            "169.254.170.2",
            "168.63.129.16",
            "100.100.100.200",
            "192.0.0.192",
            "fd00:ec2::254",
            "fd20:ce::254",
            "::ffff:169.254.169.254",
            "64:ff9b::168.63.129.16",
            "2002:a83f:8110::1",
        ] {
            assert!(is_metadata(ip(address)), "{address}");
        }
        for other in ["168.63.129.17", "8.8.8.8", "10.0.0.1", "fd00::1", "2606:4700::1111"] {
            assert!(!is_metadata(ip(other)), "{other}");
        }
    }
}
