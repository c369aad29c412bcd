//! Passwords of members: which ones are allowed, and how they are hashed (argon2id, RFC 9106). Hashing uses much memory
//! by design, so only a few passwords are hashed at once, on blocking threads, and the queue is limited.

use std::fmt;
use std::sync::Arc;

use argon2::{Algorithm, Argon2, Params, Version};
use icu_normalizer::ComposingNormalizerBorrowed;
use serde::{Deserialize, Serialize};
use subtle::ConstantTimeEq;
use tokio::sync::Semaphore;
use zxcvbn::Score;

/// Allowed number of characters.
pub const CHARS: std::ops::RangeInclusive<usize> = 10..=256;
/// Maximum size in bytes before normalization. A text that composes to 256 characters isn't much longer before.
const BYTES: usize = 16 << 10;
/// Memory, passes and lanes of argon2id, as recommended by OWASP's Password Storage Cheat Sheet (19 MiB, 2, 1).
const MEMORY_KIB: u32 = 19 << 10;
const PASSES: u32 = 2;
const LANES: u32 = 1;
/// Maximum number of passwords hashed at once: 76 MiB.
const AT_ONCE: usize = 4;
/// Maximum number of waiting requests, about 2 seconds of work. Further requests are refused, so that a flood of logins
/// doesn't fill the queue indefinitely.
const IN_LINE: usize = 64;

/// Words that an attacker tries first here, in addition to the dictionaries of zxcvbn.
const KNOWN: [&str; 2] = ["vivid", "correcthorsebatterystaple"];
/// The lowest allowed score: an attacker needs at least a million guesses.
const LEAST_SCORE: Score = Score::Two;
/// Characters of a password that are judged. The time that zxcvbn takes grows steeply with the length of a password
/// that is made for it: up to 0.1 s for this many characters, a second for 100.
const JUDGED: usize = 32;

/// A new password has too few or too many characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("A password has from {} to {} characters.", CHARS.start(), CHARS.end())]
pub struct WrongLength;

/// A password as received, in NFC, so that the same text typed on another system is the same password. It is never
/// displayed.
#[derive(Clone)]
pub struct Password(String);

impl Password {
    /// Reads a password for a login. Returns `None` if nobody can have this password.
    pub fn given(text: &str) -> Option<Self> {
        let password = Self::composed(text)?;
        (password.0.chars().count() <= *CHARS.end()).then_some(password)
    }

    /// Reads a new password.
    ///
    /// # Errors
    /// [`WrongLength`].
    pub fn chosen(text: &str) -> Result<Self, WrongLength> {
        let password = Self::composed(text).ok_or(WrongLength)?;
        if CHARS.contains(&password.0.chars().count()) { Ok(password) } else { Err(WrongLength) }
    }

    /// Returns whether attackers try this password early. This takes up to 0.1 s, so it belongs on a blocking thread.
    fn is_guessable(&self) -> bool {
        let judged: String = self.0.chars().take(JUDGED).collect();
        zxcvbn::zxcvbn(&judged, &KNOWN).score() < LEAST_SCORE
    }

    fn composed(text: &str) -> Option<Self> {
        (text.len() <= BYTES).then(|| Self(ComposingNormalizerBorrowed::new_nfc().normalize(text).into_owned()))
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password(…)")
    }
}

/// The stored hash of a password.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub struct PasswordHash {
    /// Memory used for hashing, in KiB.
    pub memory_kib: u32,
    /// Number of passes.
    pub passes: u32,
    /// Number of lanes.
    pub lanes: u32,
    /// The salt.
    pub salt: [u8; 16],
    /// The argon2id hash.
    pub hash: [u8; 32],
}

impl PasswordHash {
    /// Stands in for a missing hash, so that checking takes equally long. No password matches it.
    const NOBODYS: Self = Self { memory_kib: MEMORY_KIB, passes: PASSES, lanes: LANES, salt: [0; 16], hash: [0; 32] };

    fn of(password: &Password, salt: [u8; 16]) -> Result<Self, argon2::Error> {
        let fresh = Self { salt, ..Self::NOBODYS };
        Ok(Self { hash: fresh.again(password)?, ..fresh })
    }

    /// Hashes `password` with the same salt and parameters.
    fn again(&self, password: &Password) -> Result<[u8; 32], argon2::Error> {
        let params = Params::new(self.memory_kib, self.passes, self.lanes, None)?;
        let mut hash = [0; 32];
        Argon2::new(Algorithm::Argon2id, Version::V0x13, params).hash_password_into(
            password.0.as_bytes(),
            &self.salt,
            &mut hash,
        )?;
        Ok(hash)
    }
}

impl PartialEq for PasswordHash {
    fn eq(&self, other: &Self) -> bool {
        (self.memory_kib, self.passes, self.lanes) == (other.memory_kib, other.passes, other.lanes)
            && bool::from(self.salt.ct_eq(&other.salt) & self.hash.ct_eq(&other.hash))
    }
}

impl Eq for PasswordHash {}

impl fmt::Debug for PasswordHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PasswordHash(…)")
    }
}

/// Why a password couldn't be hashed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HashError {
    /// Too many requests are waiting.
    #[error("too many passwords are waiting to be hashed")]
    Busy,
    /// Hashing failed.
    #[error("a password can't be hashed: {0}")]
    Failed(String),
}

/// Hashes passwords, a few at a time.
#[derive(Debug)]
pub struct Hasher {
    at_work: Arc<Semaphore>,
    in_line: Semaphore,
    #[cfg(test)]
    pub(crate) hashed: Arc<std::sync::atomic::AtomicUsize>,
}

impl Default for Hasher {
    fn default() -> Self {
        Self {
            at_work: Arc::new(Semaphore::new(AT_ONCE)),
            in_line: Semaphore::new(AT_ONCE + IN_LINE),
            #[cfg(test)]
            hashed: Arc::default(),
        }
    }
}

impl Hasher {
    /// Returns the hash to store for a new password; `None` if it is one that attackers try early.
    ///
    /// # Errors
    /// [`HashError`].
    pub async fn hash(&self, password: Password) -> Result<Option<PasswordHash>, HashError> {
        let mut salt = [0; 16];
        getrandom::fill(&mut salt).map_err(|e| HashError::Failed(e.to_string()))?;
        let judge = move || match password.is_guessable() {
            true => Ok(None),
            false => PasswordHash::of(&password, salt).map(Some),
        };
        self.in_turn(judge).await
    }

    /// Returns whether `password` matches the stored hash. Without a hash it returns `false`, after the same time.
    ///
    /// # Errors
    /// [`HashError`].
    pub async fn matches(&self, password: Password, kept: Option<PasswordHash>) -> Result<bool, HashError> {
        let there = kept.is_some();
        let kept = kept.unwrap_or(PasswordHash::NOBODYS);
        let hash = self.in_turn(move || kept.again(&password)).await?;
        Ok(bool::from(hash.ct_eq(&kept.hash)) && there)
    }

    async fn in_turn<T: Send + 'static>(
        &self,
        hash: impl FnOnce() -> Result<T, argon2::Error> + Send + 'static,
    ) -> Result<T, HashError> {
        let failed = |e: &dyn fmt::Display| HashError::Failed(e.to_string());
        let _place = self.in_line.try_acquire().map_err(|_| HashError::Busy)?;
        let turn = Arc::clone(&self.at_work).acquire_owned().await.map_err(|e| failed(&e))?;
        #[cfg(test)]
        self.hashed.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        // The permit is released when the work ends, even if the caller no longer waits.
        let work = move || {
            let _turn = turn;
            hash()
        };
        tokio::task::spawn_blocking(work).await.map_err(|e| failed(&e))?.map_err(|e| failed(&e))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn password(text: &str) -> Password {
        Password::chosen(text).unwrap()
    }

    #[tokio::test]
    async fn a_password_matches_what_was_kept_of_it_alone() {
        let hasher = Hasher::default();
        let kept = hasher.hash(password("cold rooms sleep well")).await.unwrap().unwrap();
        assert_ne!(Some(kept), hasher.hash(password("cold rooms sleep well")).await.unwrap(), "the salt differs");
        assert!(hasher.matches(password("cold rooms sleep well"), Some(kept)).await.unwrap());
        assert!(!hasher.matches(password("cold rooms sleep wel1"), Some(kept)).await.unwrap());
        assert!(!hasher.matches(password("cold rooms sleep well"), None).await.unwrap());
        assert_eq!(hasher.hashed.load(std::sync::atomic::Ordering::Relaxed), 5, "nothing kept takes as long");
        assert!(!format!("{kept:?} {:?}", password("cold rooms sleep well")).contains("cold"));
    }

    #[test]
    fn the_hash_is_argon2id_at_its_costs() {
        // Existing hashes must stay valid. The reference implementation in C made this one.
        let kept = PasswordHash::of(&password("cold rooms sleep well"), *b"0123456789abcdef").unwrap();
        assert_eq!((kept.memory_kib, kept.passes, kept.lanes), (19_456, 2, 1));
        assert_eq!(hex::encode(kept.hash), "6fd43b9f5dd7cc37e6d0da1735b312e2545b07662da3139960f5b07c06041d3c");
    }

    #[test]
    fn the_same_keys_are_the_same_password() {
        assert_eq!(password("Zoe\u{308} zoe\u{308} zoe").0, "Zoë zoë zoe");
        assert_eq!(Password::given("Zoe\u{308} zoe\u{308} zoe").unwrap().0, "Zoë zoë zoe");
    }

    #[test]
    fn what_is_short_or_long_is_refused() {
        let refused = |text: &str| Password::chosen(text).map(|_| ());
        assert_eq!(refused("9 cranes?"), Err(WrongLength));
        // Nine characters, and a combining mark that composes with one of them.
        assert_eq!(refused("9 crans?e\u{308}"), Err(WrongLength));
        let long =
            |chars| "Zwölf Boxkämpfer jagen Eva quer durch Köln! ".chars().cycle().take(chars).collect::<String>();
        assert_eq!(refused(&long(257)), Err(WrongLength));
        assert_eq!(refused(&long(1 << 20)), Err(WrongLength));
        assert_eq!(refused(&long(256)), Ok(()));
        assert!(Password::given(&long(257)).is_none());
        assert!(Password::given("").is_some(), "it is merely wrong");
    }

    #[test]
    fn what_is_easy_to_guess_is_refused() {
        for text in [
            "PassWord123",
            "passw0rd123",
            "0123456789",
            "1q2w3e4r5t6y",
            "qwertyuiop123",
            "iloveyou1234",
            "administrator",
            "aaaaaaaaaaaa",
            "vividvivid",
            "CorrectHorseBatteryStaple",
        ] {
            assert!(password(text).is_guessable(), "{text}");
        }
        // The last one is made to be judged slowly.
        let slow = format!("4@8({{[<369!1|70$5+7%2{}", "a4".repeat(100));
        for text in ["cold rooms sleep well", "9 cranes?!", "夜はよく眠れる静かな部屋", &slow] {
            assert!(!password(text).is_guessable(), "{text}");
        }
    }

    #[tokio::test]
    async fn what_is_easy_to_guess_is_not_hashed() {
        assert_eq!(Hasher::default().hash(password("Password123")).await, Ok(None));
    }

    #[tokio::test]
    async fn only_so_many_wait() {
        let hasher = Hasher::default();
        let _all = Arc::clone(&hasher.at_work).acquire_many_owned(AT_ONCE as u32).await.unwrap();
        let _line = hasher.in_line.acquire_many((AT_ONCE + IN_LINE) as u32).await.unwrap();
        assert_eq!(hasher.hash(password("cold rooms sleep well")).await, Err(HashError::Busy));
    }
}
