//! Limits how fast a member's password can be guessed.
//!
//! Three limits apply at once, each against a different kind of guessing:
//!
//! - *One address* may try to log in 20 times a minute, to any account ([`RateClass::Login`]): an office behind one
//!   address can log in, and trying one password on many accounts is slow.
//! - *One client, for one member,* may try 10 passwords a minute ([`RateClass::Password`]). The client is part of the
//!   key, so wrong passwords from elsewhere never use up what the member has at its own address.
//! - *One member, from all unknown clients,* has a queue: 20 passwords at once, then one every 4 seconds. Many
//!   addresses together guess no faster than that, 21,600 times a day. When the 20 are used up, a client waits for its
//!   turn, and it is refused only if the wait is long: 12 seconds for its first password of a minute, 4 for further
//!   ones, so that clients that keep guessing leave room for a new one. One address alone may try 10 a minute, which
//!   delays nobody.
//!
//! A botnet with a new address for every guess can keep a member's queue full all day. The member can still log in from
//! any browser in which it has logged in before: that browser has a cookie (`Console::familiar`), which takes no place
//! in the queue and has 10 passwords a minute of its own. A new browser has to wait for the queue then. Locking the
//! account instead would let anyone lock members out; without the queue, guessing would be as fast as the botnet is
//! large.

use std::collections::HashMap;
use std::time::Duration;

use parking_lot::Mutex;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::clock::Millis;
use crate::limits::{Limiter, Rate, RateClass, Subject};

/// Number of passwords that unknown clients may try at once for a member before they must wait.
const AT_ONCE: i64 = 20;
/// Milliseconds per further password.
const PACE_MS: i64 = 4_000;
/// Maximum wait in milliseconds. A client that would have to wait longer is refused.
const LONGEST_MS: i64 = 12_000;
/// Maximum wait of a client that has already tried a password for this member within the minute. It is shorter, so that
/// clients that keep guessing leave room for new ones.
const LONGEST_AGAIN_MS: i64 = 4_000;
/// Maximum number of queues. Beyond it, members without a queue share one, so that memory stays bounded.
const LINES: usize = 100_000;
/// Key of the shared queue. No known input has this hash.
const SHARED: [u8; 16] = [0; 16];

/// A client that tries a password.
#[derive(Debug, Clone, Copy)]
pub enum Client {
    /// An unknown client at this address.
    Unknown(Subject),
    /// A browser in which the member has logged in before, by its id.
    Familiar([u8; 16]),
    /// A session of the member.
    Session(Uuid),
}

impl Client {
    /// Returns the subject under which the limiter counts the password: this client trying this member.
    fn subject(self, member: [u8; 16]) -> Subject {
        let hasher = Sha256::new().chain_update(member);
        let digest = match self {
            Self::Unknown(address) => hasher.chain_update(b"address").chain_update(format!("{address:?}")),
            Self::Familiar(id) => hasher.chain_update(b"browser").chain_update(id),
            // All sessions of a member count together, so that stolen sessions don't multiply the number of guesses.
            Self::Session(_) => hasher.chain_update(b"session"),
        };
        let mut half = [0; 16];
        half.copy_from_slice(&digest.finalize()[..16]);
        Subject::Guesser(half)
    }
}

/// When the next place in a queue would be due without an initial burst: the theoretical arrival time of GCRA.
#[derive(Debug, Clone, Copy)]
struct Line(Millis);

/// Counts password attempts.
#[derive(Debug, Default)]
pub struct Throttle(Mutex<Lines>);

#[derive(Debug, Default)]
struct Lines {
    open: HashMap<[u8; 16], Line>,
    /// When empty queues were last dropped.
    swept: Millis,
}

impl Throttle {
    /// Counts an attempt of `client` at the password of `member`. Returns how long to wait before checking the
    /// password.
    ///
    /// # Errors
    /// Returns the limit that was exceeded.
    pub fn admit(&self, limiter: &Limiter, member: [u8; 16], client: Client, now: Millis) -> Result<Duration, Rate> {
        let rate = limiter.count(client.subject(member), RateClass::Password, now);
        if !rate.allowed {
            return Err(rate);
        }
        match client {
            Client::Unknown(_) => {
                let is_first = rate.remaining + 1 >= rate.limit;
                self.0.lock().take_place(member, if is_first { LONGEST_MS } else { LONGEST_AGAIN_MS }, now)
            }
            Client::Familiar(_) | Client::Session(_) => Ok(Duration::ZERO),
        }
    }

    /// Returns the place of a correct password, because it was not a guess.
    pub fn was_right(&self, member: [u8; 16]) {
        let mut lines = self.0.lock();
        if let Some(line) = lines.open.get_mut(&member) {
            line.0.0 -= PACE_MS;
        }
    }
}

impl Lines {
    /// Takes the next place, unless its wait would exceed `longest` milliseconds.
    fn take_place(&mut self, member: [u8; 16], longest: i64, now: Millis) -> Result<Duration, Rate> {
        let member = self.make_room(member, now);
        let line = self.open.entry(member).or_insert(Line(now));
        let due = line.0.0.max(now.0);
        let wait = due - (AT_ONCE - 1) * PACE_MS - now.0;
        if wait > longest {
            let limit = u32::try_from(AT_ONCE).expect("a small number");
            let reset = Millis(now.0 + wait - longest);
            return Err(Rate { allowed: false, limit, remaining: 0, reset });
        }
        line.0 = Millis(due + PACE_MS);
        Ok(Duration::from_millis(u64::try_from(wait).unwrap_or(0)))
    }

    /// Drops empty queues occasionally, and returns which queue to use.
    fn make_room(&mut self, member: [u8; 16], now: Millis) -> [u8; 16] {
        if self.open.contains_key(&member) {
            return member;
        }
        let is_full = self.open.len() >= LINES;
        // At most once a second when full, so that cleanup itself can't be abused to overload the service.
        if now >= self.swept.plus_seconds(if is_full { 1 } else { 60 }) {
            self.open.retain(|_, line| line.0 > now);
            self.swept = now;
        }
        if self.open.len() >= LINES { SHARED } else { member }
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use super::*;

    const T0: Millis = Millis(1_700_000_000_000);
    const ANN: [u8; 16] = [7; 16];

    struct Door(Throttle, Limiter);

    impl Door {
        fn new() -> Self {
            Self(Throttle::default(), Limiter::new(1, 1, 1))
        }

        fn say(&self, client: Client, at_ms: i64) -> Option<Duration> {
            self.0.admit(&self.1, ANN, client, Millis(T0.0 + at_ms)).ok()
        }
    }

    fn from(n: u32) -> Client {
        Client::Unknown(Subject::of_address(IpAddr::V4((0x0a00_0000 + n).into())))
    }

    #[test]
    fn wrong_passwords_from_one_address_leave_the_member_alone() {
        let door = Door::new();
        for n in 0..50 {
            assert_eq!(door.say(from(1), n), (n < 10).then_some(Duration::ZERO), "password {n}");
        }
        assert_eq!(door.say(from(2), 50), Some(Duration::ZERO), "from anywhere else");
        // The same holds for an hour.
        for minute in 1..60 {
            let passed = (0..50).filter(|n| door.say(from(1), minute * 60_001 + n).is_some()).count();
            assert_eq!(passed, 10);
            assert_eq!(door.say(from(2), minute * 60_001 + 50), Some(Duration::ZERO));
        }
    }

    #[test]
    fn a_guess_from_many_addresses_is_bounded_and_waits() {
        let door = Door::new();
        let hour = 3_600_000;
        let (mut passed, mut waited, mut refused) = (0, 0, 0);
        for n in 0..36_000_u32 {
            match door.say(from(n), i64::from(n) * 100) {
                Some(wait) if wait.is_zero() => passed += 1,
                Some(wait) => {
                    assert!(wait <= Duration::from_millis(LONGEST_MS as u64));
                    passed += 1;
                    waited += 1;
                }
                None => refused += 1,
            }
        }
        assert!(passed <= AT_ONCE + hour / PACE_MS + LONGEST_MS / PACE_MS + 1, "{passed} passwords in an hour");
        assert!(passed >= hour / PACE_MS && waited > 0 && refused > 0, "{passed} {waited} {refused}");
        // A browser in which the member has logged in before doesn't wait in that queue.
        assert_eq!(door.say(Client::Familiar([1; 16]), hour), Some(Duration::ZERO));
        // It has its own limit.
        let more = (0..50).filter(|_| door.say(Client::Familiar([1; 16]), hour).is_some()).count();
        assert_eq!(more, 9);
    }

    #[test]
    fn a_few_addresses_that_go_on_guessing_leave_room_for_a_new_one() {
        let door = Door::new();
        for s in 0..3_600 {
            for n in 0..8 {
                let _ = door.say(from(n), s * 1_000 + i64::from(n));
            }
            if s % 60 == 59 {
                let wait = door.say(from(1_000), s * 1_000 + 500);
                assert!(wait.is_some_and(|wait| wait <= Duration::from_secs(12)), "second {s}: {wait:?}");
            }
        }
    }

    #[test]
    fn what_was_right_was_no_guess() {
        let door = Door::new();
        for n in 0..200 {
            assert_eq!(door.say(from(n), i64::from(n)), Some(Duration::ZERO));
            door.0.was_right(ANN);
        }
    }

    #[test]
    fn a_refusal_says_when_to_come_again() {
        let door = Door::new();
        let refusal = (0..99).find_map(|n| door.0.admit(&door.1, ANN, from(n), T0).err()).unwrap();
        let wait = i64::try_from(refusal.wait_s(T0)).unwrap() * 1000;
        assert!((1_000..=PACE_MS).contains(&wait), "{wait}");
        assert!(door.say(from(999), wait).is_some());
    }

    #[test]
    fn sessions_of_a_member_have_a_window_together() {
        let door = Door::new();
        let passed = (0..30).filter(|n| door.say(Client::Session(Uuid::from_u128(*n)), 0).is_some()).count();
        assert_eq!(passed, 10);
    }

    #[test]
    fn memory_is_bounded() {
        let throttle = Throttle::default();
        for n in 0..LINES as u128 + 500 {
            let _ = throttle.0.lock().take_place(n.to_be_bytes(), LONGEST_MS, T0);
        }
        assert!(throttle.0.lock().open.len() <= LINES + 1);
        let later = T0.plus_seconds(61);
        assert!(throttle.0.lock().take_place([9; 16], LONGEST_MS, later).is_ok());
        assert!(throttle.0.lock().open.len() <= 2, "the new one, and the one that was shared");
    }
}
