//! The connection limiter: limits connections in total and per client address.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;

use parking_lot::Mutex;

use crate::limits::Subject;
use crate::metrics;

/// Number of connections beyond the limits that get an error response. Further ones are closed silently, because
/// responses cost resources too.
pub const CROWD: usize = 512;

/// Counts connections.
pub struct Gate {
    most: usize,
    per_address: usize,
    exempt: Vec<IpAddr>,
    counts: Mutex<Counts>,
}

#[derive(Default)]
struct Counts {
    admitted: usize,
    crowd: usize,
    by_address: HashMap<Subject, usize>,
}

/// How to handle a connection.
pub enum Entry {
    /// Serve it.
    Admitted(Slot),
    /// Refuse it with an error response.
    Crowded(Slot),
    /// Close it silently.
    Shut,
}

/// A counted connection. Dropping it frees its place.
pub struct Slot {
    gate: Arc<Gate>,
    place: Place,
}

#[derive(Clone, Copy)]
enum Place {
    Exempt,
    Of(Subject),
    Crowd,
}

impl Gate {
    /// Creates a limiter for `most` connections, `per_address` of them per address. The limit per address doesn't apply
    /// to `exempt` addresses.
    pub fn new(most: usize, per_address: usize, exempt: Vec<IpAddr>) -> Arc<Self> {
        Arc::new(Self { most, per_address, exempt, counts: Mutex::default() })
    }

    /// Counts a connection of this client.
    pub fn enter(self: &Arc<Self>, peer: IpAddr) -> Entry {
        let subject = Subject::of_address(peer);
        let exempt = self.exempt.contains(&peer.to_canonical());
        let mut counts = self.counts.lock();
        let of_address = counts.by_address.get(&subject).copied().unwrap_or(0);
        let slot = |place| Slot { gate: Arc::clone(self), place };
        if counts.admitted < self.most && (exempt || of_address < self.per_address) {
            counts.admitted += 1;
            metrics::connection_opened();
            if exempt {
                return Entry::Admitted(slot(Place::Exempt));
            }
            *counts.by_address.entry(subject).or_default() += 1;
            return Entry::Admitted(slot(Place::Of(subject)));
        }
        metrics::connection_refused();
        if counts.crowd >= CROWD {
            return Entry::Shut;
        }
        counts.crowd += 1;
        Entry::Crowded(slot(Place::Crowd))
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        let mut counts = self.gate.counts.lock();
        match self.place {
            Place::Crowd => {
                counts.crowd -= 1;
                return;
            }
            Place::Exempt => {}
            Place::Of(subject) => {
                if let Some(of_address) = counts.by_address.get_mut(&subject) {
                    *of_address -= 1;
                    if *of_address == 0 {
                        counts.by_address.remove(&subject);
                    }
                }
            }
        }
        counts.admitted -= 1;
        metrics::connection_closed();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    fn admitted(entry: Entry) -> Option<Slot> {
        if let Entry::Admitted(slot) = entry { Some(slot) } else { None }
    }

    #[test]
    fn there_are_so_many_in_all_and_so_many_of_one_address() {
        let gate = Gate::new(5, 2, vec![ip("10.0.0.1")]);
        let one = admitted(gate.enter(ip("192.0.2.1"))).unwrap();
        let _two = admitted(gate.enter(ip("192.0.2.1"))).unwrap();
        let crowded = gate.enter(ip("192.0.2.1"));
        assert!(matches!(crowded, Entry::Crowded(_)));
        let _proxied: Vec<_> = (0..3).map(|_| admitted(gate.enter(ip("::ffff:10.0.0.1"))).unwrap()).collect();
        assert!(matches!(gate.enter(ip("10.0.0.1")), Entry::Crowded(_)), "five in all");
        drop(one);
        assert!(admitted(gate.enter(ip("192.0.2.1"))).is_some());
    }

    #[test]
    fn what_leaves_leaves_nothing_behind() {
        let gate = Gate::new(100_000, 1, Vec::new());
        let subnets: Vec<_> = (0..2000u16).map(|n| admitted(gate.enter(ip(&format!("2001:db8:0:{n:x}::1"))))).collect();
        assert!(subnets.iter().all(Option::is_some));
        assert!(admitted(gate.enter(ip("2001:db8:0:7::2"))).is_none(), "a subscriber of IPv6 is one");
        let crowd: Vec<_> = (0..CROWD + 9).map(|_| gate.enter(ip("2001:db8:0:8::9"))).collect();
        assert!(matches!(crowd.last(), Some(Entry::Shut)));
        drop((subnets, crowd));
        let counts = gate.counts.lock();
        assert_eq!((counts.admitted, counts.crowd, counts.by_address.len()), (0, 0, 0));
    }
}
