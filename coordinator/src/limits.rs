//! Rate limits: fixed windows of 60 s, each started by its first request, one per account and class. Clients without a
//! valid key share the window of their address. Console sessions have windows of their own, and so have logins. See
//! `throttle` for the limits on guessing passwords.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};

use parking_lot::Mutex;
use uuid::Uuid;

use crate::clock::Millis;

/// Length of a window in seconds.
const WINDOW_S: u64 = 60;
/// Maximum number of windows. Beyond it, addresses without a window share one, which bounds the memory and doesn't
/// affect accounts.
const WINDOWS: usize = 100_000;
/// Logins per address and window: enough for an office behind one address, and slow for guessing.
const LOGINS_BY_ADDRESS: u32 = 20;
/// Previews of changed pages per window, unless a setting overrides it: ten per second.
const PREVIEWS: u32 = 600;
/// Password attempts per client, member and window: a few typing errors a minute.
const PASSWORDS_BY_CLIENT: u32 = 10;

/// The rate class of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RateClass {
    /// Reading.
    Get,
    /// Creating a generation.
    Generate,
    /// Previewing a changed page, which the editor does while the user types.
    Preview,
    /// Any other request.
    Other,
    /// Logging in, or setting a password through a link, from one address.
    Login,
    /// Trying a member's password, from one client.
    Password,
}

/// Who a window belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Subject {
    /// An account, whichever of its keys is used.
    Account(Uuid),
    /// The console sessions of an account, whichever member they belong to.
    Sessions(Uuid),
    /// A client that tries a member's password, given by half of a SHA-256 of both.
    Guesser([u8; 16]),
    /// An address: IPv4, or the /64 prefix that an IPv6 subscriber has.
    Address(IpAddr),
    /// All addresses and guessers beyond the maximum number of windows.
    Crowd,
}

impl Subject {
    /// Returns the subject of a client without a valid key.
    pub fn of_address(address: IpAddr) -> Self {
        Self::Address(match address.to_canonical() {
            IpAddr::V6(v6) => {
                let s = v6.segments();
                IpAddr::V6(Ipv6Addr::new(s[0], s[1], s[2], s[3], 0, 0, 0, 0))
            }
            v4 => v4,
        })
    }
}

/// State of a request's window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rate {
    /// Whether the request is within the limit.
    pub allowed: bool,
    /// Requests allowed per window.
    pub limit: u32,
    /// Requests left in the current window.
    pub remaining: u32,
    /// When the window ends.
    pub reset: Millis,
}

impl Rate {
    /// Returns the seconds after which a refused request may be retried.
    pub fn wait_s(&self, now: Millis) -> u64 {
        // At least one second: a window that ends within this second has not ended yet.
        u64::try_from((self.reset.0 - now.0 + 999) / 1000).unwrap_or(1).max(1)
    }
}

#[derive(Debug, Clone, Copy)]
struct Window {
    ends: Millis,
    used: u32,
}

/// Counts requests and enforces the limits.
#[derive(Debug)]
pub struct Limiter {
    get: u32,
    generate: u32,
    other: u32,
    previews: u32,
    windows: Mutex<Windows>,
}

#[derive(Debug, Default)]
struct Windows {
    open: HashMap<(Subject, RateClass), Window>,
    /// When expired windows were last dropped.
    swept: Millis,
}

impl Limiter {
    /// Creates a limiter with limits per minute. The limit of previews is 600 unless [`Self::with_previews`] changes
    /// it.
    pub fn new(get: u32, generate: u32, other: u32) -> Self {
        Self { get, generate, other, previews: PREVIEWS, windows: Mutex::default() }
    }

    /// Sets the limit of previews per minute.
    pub fn with_previews(self, previews: u32) -> Self {
        Self { previews, ..self }
    }

    /// Counts a request.
    pub fn count(&self, subject: Subject, class: RateClass, now: Millis) -> Rate {
        let limit = self.limit(class);
        let mut windows = self.windows.lock();
        let subject = windows.make_room(subject, class, now);
        let fresh = Window { ends: now.plus_seconds(WINDOW_S), used: 0 };
        let window = windows.open.entry((subject, class)).or_insert(fresh);
        if window.ends <= now {
            *window = fresh;
        }
        let allowed = window.used < limit;
        window.used += u32::from(allowed);
        Rate { allowed, limit, remaining: limit - window.used, reset: window.ends }
    }

    /// Returns the state of the window for the next request, without counting one.
    pub fn look(&self, subject: Subject, class: RateClass, now: Millis) -> Rate {
        let limit = self.limit(class);
        let windows = self.windows.lock();
        let open = windows.open.get(&(subject, class)).filter(|w| w.ends > now);
        let (used, reset) = open.map_or((0, now.plus_seconds(WINDOW_S)), |w| (w.used, w.ends));
        Rate { allowed: true, limit, remaining: limit.saturating_sub(used), reset }
    }

    fn limit(&self, class: RateClass) -> u32 {
        match class {
            RateClass::Get => self.get,
            RateClass::Generate => self.generate,
            RateClass::Preview => self.previews,
            RateClass::Other => self.other,
            RateClass::Login => LOGINS_BY_ADDRESS,
            RateClass::Password => PASSWORDS_BY_CLIENT,
        }
    }
}

impl Windows {
    /// Drops expired windows occasionally, and returns which subject to count a new request under.
    fn make_room(&mut self, subject: Subject, class: RateClass, now: Millis) -> Subject {
        if self.open.contains_key(&(subject, class)) {
            return subject;
        }
        let full = self.open.len() >= WINDOWS;
        // At most once a second when full, so that cleanup itself can't be abused to overload the service.
        if now >= self.swept.plus_seconds(if full { 1 } else { WINDOW_S }) {
            self.open.retain(|_, w| w.ends > now);
            self.swept = now;
        }
        match subject {
            Subject::Address(_) | Subject::Guesser(_) if self.open.len() >= WINDOWS => Subject::Crowd,
            other => other,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const T0: Millis = Millis(1_700_000_000_000);

    fn account(n: u128) -> Subject {
        Subject::Account(Uuid::from_u128(n))
    }

    #[test]
    fn a_window_lets_its_limit_through_and_then_nothing_until_it_ends() {
        let limiter = Limiter::new(3, 2, 1);
        let count = |s| limiter.count(account(1), RateClass::Get, T0.plus_seconds(s));
        assert_eq!(count(5), Rate { allowed: true, limit: 3, remaining: 2, reset: T0.plus_seconds(65) });
        assert_eq!(count(6).remaining, 1);
        assert_eq!(count(60), Rate { allowed: true, limit: 3, remaining: 0, reset: T0.plus_seconds(65) });
        assert_eq!(count(64), Rate { allowed: false, limit: 3, remaining: 0, reset: T0.plus_seconds(65) });
        assert_eq!(count(65), Rate { allowed: true, limit: 3, remaining: 2, reset: T0.plus_seconds(125) });
    }

    #[test]
    fn classes_and_subjects_are_apart() {
        let limiter = Limiter::new(1, 1, 1);
        for class in [RateClass::Get, RateClass::Generate, RateClass::Other] {
            for n in 1..4 {
                for subject in [account(n), Subject::Sessions(Uuid::from_u128(n))] {
                    assert!(limiter.count(subject, class, T0).allowed);
                    assert!(!limiter.count(subject, class, T0).allowed);
                }
            }
        }
    }

    #[test]
    fn logins_have_limits_of_their_own() {
        let limiter = Limiter::new(1, 1, 1);
        let passes = |subject, class| (0..99).filter(|_| limiter.count(subject, class, T0).allowed).count();
        assert_eq!(passes(Subject::of_address([9; 4].into()), RateClass::Login), LOGINS_BY_ADDRESS as usize);
        assert_eq!(passes(Subject::Guesser([9; 16]), RateClass::Password), PASSWORDS_BY_CLIENT as usize);
        assert_eq!(passes(Subject::of_address([9; 4].into()), RateClass::Other), 1);
    }

    #[test]
    fn a_refusal_says_how_long_to_wait() {
        let limiter = Limiter::new(0, 0, 0);
        let rate = limiter.count(account(1), RateClass::Get, T0);
        assert_eq!(rate.wait_s(T0), WINDOW_S);
        assert_eq!((rate.wait_s(Millis(rate.reset.0 - 1001)), rate.wait_s(Millis(rate.reset.0 - 1))), (2, 1));
    }

    #[test]
    fn looking_counts_nothing() {
        let limiter = Limiter::new(2, 2, 2);
        limiter.count(account(1), RateClass::Get, T0);
        for _ in 0..9 {
            assert_eq!(limiter.look(account(1), RateClass::Get, T0).remaining, 1);
        }
        assert_eq!(limiter.look(account(2), RateClass::Get, T0).remaining, 2);
    }

    #[test]
    fn a_subscriber_of_ipv6_has_one_window() {
        let subject = |a: &str| Subject::of_address(a.parse().unwrap());
        assert_eq!(subject("2001:db8:1:2::1"), subject("2001:db8:1:2:ffff::9"));
        assert_ne!(subject("2001:db8:1:2::1"), subject("2001:db8:1:3::1"));
        assert_eq!(subject("::ffff:192.0.2.1"), subject("192.0.2.1"));
    }

    #[test]
    fn memory_is_bounded_and_accounts_keep_their_windows() {
        let limiter = Limiter::new(1, 1, 1);
        for n in 0..WINDOWS as u32 + 500 {
            limiter.count(Subject::Address(IpAddr::V4(n.into())), RateClass::Get, T0);
            limiter.count(Subject::Guesser(u128::from(n).to_be_bytes()), RateClass::Password, T0);
        }
        assert!(limiter.windows.lock().open.len() <= WINDOWS + 2);
        assert!(limiter.count(account(1), RateClass::Get, T0).allowed);
        let later = T0.plus_seconds(WINDOW_S + 1);
        assert!(limiter.count(Subject::Address([9, 9, 9, 9].into()), RateClass::Get, later).allowed);
        assert!(limiter.windows.lock().open.len() <= 2);
    }

    proptest! {
        #[test]
        fn no_window_lets_more_through(gaps in prop::collection::vec(0i64..20_000, 1..200), limit in 0u32..9) {
            let limiter = Limiter::new(limit, limit, limit);
            let (mut now, mut passed) = (T0, HashMap::<i64, u32>::new());
            for gap in gaps {
                now = Millis(now.0 + gap);
                let rate = limiter.count(account(1), RateClass::Get, now);
                prop_assert!(rate.reset > now && rate.reset <= now.plus_seconds(WINDOW_S));
                *passed.entry(rate.reset.0).or_default() += u32::from(rate.allowed);
                prop_assert_eq!(rate.remaining, limit - passed[&rate.reset.0]);
            }
            prop_assert!(passed.values().all(|n| *n <= limit));
        }
    }
}
