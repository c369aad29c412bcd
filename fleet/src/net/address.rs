//! Decides which addresses are public: all except those that IANA's special-purpose registries list.
//!
//! <https://www.iana.org/assignments/iana-ipv4-special-registry> and
//! <https://www.iana.org/assignments/iana-ipv6-special-registry>. Blocks of the registries that are globally reachable
//! (AS112, AMT) count as special too: no web pages are served there.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// A block of IPv4 addresses: base, prefix length and purpose.
struct Block4(Ipv4Addr, u32, &'static str);

/// A block of IPv6 addresses: base, prefix length and purpose.
struct Block6(Ipv6Addr, u32, &'static str);

const fn v4(a: u8, b: u8, c: u8, d: u8, length: u32, what: &'static str) -> Block4 {
    Block4(Ipv4Addr::new(a, b, c, d), length, what)
}

const fn v6(head: [u16; 4], length: u32, what: &'static str) -> Block6 {
    Block6(Ipv6Addr::new(head[0], head[1], head[2], head[3], 0, 0, 0, 0), length, what)
}

/// IPv4 blocks where no public web pages are.
const SPECIAL_4: [Block4; 18] = [
    v4(0, 0, 0, 0, 8, "this network"),
    v4(10, 0, 0, 0, 8, "private"),
    v4(100, 64, 0, 0, 10, "shared by carriers"),
    v4(127, 0, 0, 0, 8, "loopback"),
    v4(169, 254, 0, 0, 16, "link-local"),
    v4(172, 16, 0, 0, 12, "private"),
    v4(192, 0, 0, 0, 24, "protocol assignments"),
    v4(192, 0, 2, 0, 24, "documentation"),
    v4(192, 31, 196, 0, 24, "AS112"),
    v4(192, 52, 193, 0, 24, "multicast tunnels"),
    v4(192, 88, 99, 0, 24, "6to4 relays"),
    v4(192, 168, 0, 0, 16, "private"),
    v4(192, 175, 48, 0, 24, "AS112"),
    v4(198, 18, 0, 0, 15, "benchmarks"),
    v4(198, 51, 100, 0, 24, "documentation"),
    v4(203, 0, 113, 0, 24, "documentation"),
    v4(224, 0, 0, 0, 4, "multicast"),
    v4(240, 0, 0, 0, 4, "reserved"),
];

/// The block assigned as global unicast (RFC 4291); every address outside it is special.
const GLOBAL_6: Block6 = v6([0x2000, 0, 0, 0], 3, "global unicast");

/// IPv6 blocks where no public web pages are. The first match names an address, so narrower blocks come before the
/// blocks that contain them.
const SPECIAL_6: [Block6; 16] = [
    Block6(Ipv6Addr::UNSPECIFIED, 128, "unspecified"),
    Block6(Ipv6Addr::LOCALHOST, 128, "loopback"),
    Block6(Ipv6Addr::new(0, 0, 0, 0, 0, 0xffff, 0, 0), 96, "IPv4-mapped"),
    v6([0, 0, 0, 0], 96, "IPv4-compatible"),
    v6([0x64, 0xff9b, 0, 0], 96, "NAT64"),
    v6([0x64, 0xff9b, 1, 0], 48, "local NAT64"),
    v6([0x2001, 0, 0, 0], 32, "Teredo"),
    v6([0x2001, 0, 0, 0], 23, "protocol assignments"),
    v6([0x2001, 0xdb8, 0, 0], 32, "documentation"),
    v6([0x2002, 0, 0, 0], 16, "6to4"),
    v6([0x2620, 0x4f, 0x8000, 0], 48, "AS112"),
    v6([0x3fff, 0, 0, 0], 20, "documentation"),
    v6([0x3ffe, 0, 0, 0], 16, "6bone"),
    v6([0xfc00, 0, 0, 0], 7, "unique local"),
    v6([0xfe80, 0, 0, 0], 9, "link-local or site-local"),
    v6([0xff00, 0, 0, 0], 8, "multicast"),
];

impl Block4 {
    fn holds(&self, address: Ipv4Addr) -> bool {
        (address.to_bits() ^ self.0.to_bits()) >> (32 - self.1) == 0
    }
}

impl Block6 {
    fn holds(&self, address: Ipv6Addr) -> bool {
        (address.to_bits() ^ self.0.to_bits()) >> (128 - self.1) == 0
    }
}

/// Returns the purpose of a special address; `None` for a public one.
pub(super) fn special(address: IpAddr) -> Option<&'static str> {
    match address {
        IpAddr::V4(address) => SPECIAL_4.iter().find(|b| b.holds(address)).map(|b| b.2),
        IpAddr::V6(address) => {
            let listed = SPECIAL_6.iter().find(|b| b.holds(address)).map(|b| b.2);
            listed.or_else(|| embedded(address)).or_else(|| (!GLOBAL_6.holds(address)).then_some("unassigned"))
        }
    }
}

/// Detects ISATAP (RFC 5214): the lower half of an address with any prefix may contain an IPv4 address to which a
/// tunnel leads.
fn embedded(address: Ipv6Addr) -> Option<&'static str> {
    let [_, _, _, _, universal, isatap, ..] = address.segments();
    (matches!(universal, 0 | 0x200) && isatap == 0x5efe).then_some("ISATAP")
}

#[cfg(test)]
pub(super) mod tests {
    use proptest::prelude::*;

    use super::*;

    fn special_of(text: &str) -> Option<&'static str> {
        special(text.parse().unwrap())
    }

    #[test]
    fn the_edges_of_the_blocks() {
        for (inside, outside) in [
            (["0.0.0.0", "0.255.255.255"], "1.0.0.0"),
            (["10.0.0.0", "10.255.255.255"], "11.0.0.0"),
            (["100.64.0.0", "100.127.255.255"], "100.128.0.0"),
            (["127.0.0.1", "127.255.255.255"], "128.0.0.0"),
            (["169.254.0.0", "169.254.169.254"], "169.255.0.0"),
            (["172.16.0.0", "172.31.255.255"], "172.32.0.0"),
            (["192.168.0.0", "192.168.255.255"], "192.169.0.0"),
            (["198.18.0.0", "198.19.255.255"], "198.20.0.0"),
            (["224.0.0.1", "255.255.255.255"], "223.255.255.255"),
            (["fc00::", "fdff:ffff::1"], "2600::1"),
            (["fe80::1", "feff::1"], "2a00:1450:4001::1"),
            (["2001::", "2001:1ff:ffff::1"], "2001:200::1"),
            (["2002::", "2002:ffff::1"], "2003::1"),
            (["3fff::", "3fff:fff::1"], "3fff:1000::1"),
            (["64:ff9b::1.1.1.1", "64:ff9b:1::1"], "2606:4700::1111"),
            (["::", "::ffff:8.8.8.8"], "2001:4860:4860::8888"),
            (["::8.8.8.8", "2001:db8::1"], "2001:db9::1"),
            (["2620:4f:8000::1", "5f00::1"], "2620:4f:8001::1"),
            (["4000::1", "2a00::5efe:10.0.0.1"], "2a00::5eff:10.0.0.1"),
            (["ff02::1", "2a00::200:5efe:a00:1"], "2a00::201:5efe:a00:1"),
        ] {
            for address in inside {
                assert!(special_of(address).is_some(), "{address} passes for public");
            }
            assert_eq!(special_of(outside), None, "{outside}");
        }
    }

    #[test]
    fn addresses_are_named_by_the_nearest_block() {
        for (address, name) in [
            ("::1", "loopback"),
            ("::ffff:10.0.0.1", "IPv4-mapped"),
            ("2001:0:53aa::1", "Teredo"),
            ("2001:2::1", "protocol assignments"),
            ("192.0.0.9", "protocol assignments"),
        ] {
            assert_eq!(special_of(address), Some(name));
        }
    }

    /// Generates any address of the special-purpose blocks, or one outside the global unicast block.
    pub(in crate::net) fn any_special() -> impl Strategy<Value = IpAddr> {
        let four = (0..SPECIAL_4.len(), any::<u32>()).prop_map(|(block, host)| {
            let Block4(base, length, _) = SPECIAL_4[block];
            IpAddr::V4(Ipv4Addr::from_bits(base.to_bits() | (host & (u32::MAX >> length))))
        });
        let six = (0..SPECIAL_6.len(), any::<u128>()).prop_map(|(block, host)| {
            let Block6(base, length, _) = SPECIAL_6[block];
            IpAddr::V6(Ipv6Addr::from_bits(base.to_bits() | (host & (u128::MAX.checked_shr(length).unwrap_or(0)))))
        });
        let unassigned = any::<u128>().prop_map(|bits| {
            // Outside of 2000::/3.
            let top = (bits >> 125) as u8;
            IpAddr::V6(Ipv6Addr::from_bits(if top == 1 { bits ^ (1 << 127) } else { bits }))
        });
        prop_oneof![3 => four, 3 => six, 1 => unassigned]
    }

    proptest! {
        #[test]
        fn no_special_address_passes(address in any_special()) {
            prop_assert!(special(address).is_some(), "{}", address);
        }
    }
}
