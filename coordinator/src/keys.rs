//! API keys: `vd_`, 34 random base62 characters (202 bits), and a CRC-32 of everything before in 6 more characters, so
//! that a typo is refused without a lookup. Only the SHA-256 is stored. Also the secrets that sign webhooks.

use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use crate::accounts::Plan;

/// Prefix of every key.
const PREFIX: &str = "vd_";
/// Number of random characters after the prefix.
const RANDOM: usize = 34;
/// Number of characters of the checksum; 62⁶ > 2³².
const CHECK: usize = 6;
/// Number of last characters by which people tell keys apart.
const ENDING: usize = 4;
const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// An API key in plain text. `Debug` hides it; [`ApiKey::reveal`] returns it, for the one time that it is shown.
#[derive(Clone)]
pub struct ApiKey(String);

/// The SHA-256 of a key or token, which is what the state stores. Lookups use [`KeyDigest::row`] and then compare the
/// whole digest.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub struct KeyDigest(pub [u8; 32]);

/// The plans whose accounts may use API keys.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct KeyPlans(Vec<Plan>);

impl KeyPlans {
    /// Creates the set of these plans. An empty list allows all plans.
    pub fn new(plans: Vec<Plan>) -> Self {
        Self(plans)
    }

    /// Returns whether accounts of this plan may use API keys.
    pub fn allow(&self, plan: Plan) -> bool {
        self.0.is_empty() || self.0.contains(&plan)
    }
}

impl KeyDigest {
    /// Returns the half that rows are keyed by. The timing of a lookup may leak something about this half, but nothing
    /// about the rest.
    pub fn row(&self) -> &[u8] {
        &self.0[..16]
    }
}

impl ApiKey {
    /// Generates a new key from the system's randomness.
    ///
    /// # Errors
    /// [`getrandom::Error`] if the system provides no randomness.
    pub fn generate() -> Result<Self, getrandom::Error> {
        let mut key = random(PREFIX, RANDOM)?;
        let check = checksum(&key);
        key.push_str(&check);
        Ok(Self(key))
    }

    /// Parses a key from a header. Returns `None` if the text can't be a key.
    pub fn parse(text: &str) -> Option<Self> {
        let whole = text.len() == PREFIX.len() + RANDOM + CHECK
            && text.starts_with(PREFIX)
            && text[PREFIX.len()..].bytes().all(|b| b.is_ascii_alphanumeric());
        if !whole {
            return None;
        }
        let (body, check) = text.split_at(PREFIX.len() + RANDOM);
        (checksum(body) == check).then(|| Self(text.to_owned()))
    }

    /// Returns the digest to store.
    pub fn digest(&self) -> KeyDigest {
        KeyDigest(Sha256::digest(self.0.as_bytes()).into())
    }

    /// Returns the last characters, by which people tell keys apart. They are part of the checksum and give no access.
    pub fn ending(&self) -> &str {
        &self.0[self.0.len() - ENDING..]
    }

    /// Returns the key itself. Never log or store it.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ApiKey(…)")
    }
}

impl PartialEq for KeyDigest {
    /// Compares in constant time.
    fn eq(&self, other: &Self) -> bool {
        self.0.ct_eq(&other.0).into()
    }
}

impl Eq for KeyDigest {}

impl fmt::Debug for KeyDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KeyDigest(…)")
    }
}

/// Prefix of every webhook secret.
const SECRET_PREFIX: &str = "whsec_";
/// Number of random characters after the prefix: 256 bits.
const SECRET_RANDOM: usize = 43;

/// A secret that signs deliveries. It is stored in plain text, because signing needs the secret itself. `Debug` hides
/// it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WebhookSecret(String);

impl WebhookSecret {
    /// Generates a new secret from the system's randomness.
    ///
    /// # Errors
    /// [`getrandom::Error`] if the system provides no randomness.
    pub fn generate() -> Result<Self, getrandom::Error> {
        random(SECRET_PREFIX, SECRET_RANDOM).map(Self)
    }

    /// Returns the secret itself. Never log it.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Creates a secret with known text.
    #[cfg(test)]
    pub fn known(text: &str) -> Self {
        Self(text.into())
    }
}

impl fmt::Debug for WebhookSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("WebhookSecret(…)")
    }
}

/// Returns `prefix` followed by `chars` random base62 characters.
fn random(prefix: &str, chars: usize) -> Result<String, getrandom::Error> {
    let length = prefix.len() + chars;
    let mut text = String::with_capacity(length + CHECK);
    text.push_str(prefix);
    while text.len() < length {
        let mut bytes = [0; 64];
        getrandom::fill(&mut bytes)?;
        // 248 = 4 · 62: larger bytes would favour the first characters of the alphabet.
        let fair = bytes.iter().filter(|b| **b < 248).map(|b| char::from(ALPHABET[usize::from(b % 62)]));
        text.extend(fair.take(length - text.len()));
    }
    Ok(text)
}

/// Returns the CRC-32 of `body` in base62, most significant character first.
fn checksum(body: &str) -> String {
    let mut rest = crc32fast::hash(body.as_bytes()) as usize;
    let mut out = [b'0'; CHECK];
    for c in out.iter_mut().rev() {
        *c = ALPHABET[rest % 62];
        rest /= 62;
    }
    out.iter().map(|b| char::from(*b)).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_new_key_reads_back_and_no_two_are_alike() {
        let (a, b) = (ApiKey::generate().unwrap(), ApiKey::generate().unwrap());
        assert_eq!(a.reveal().len(), 43);
        assert_eq!(ApiKey::parse(a.reveal()).unwrap().digest(), a.digest());
        assert_ne!(a.digest(), b.digest());
        assert!(!format!("{a:?} {:?}", a.digest()).contains("vd_"));
    }

    #[test]
    fn plans_are_all_unless_some_are_named() {
        assert!(Plan::ALL.into_iter().all(|plan| KeyPlans::default().allow(plan)));
        let paid = KeyPlans::new(vec![Plan::Pro]);
        assert!(paid.allow(Plan::Pro) && !paid.allow(Plan::Free));
    }

    #[test]
    fn a_new_secret_is_like_no_other_and_is_not_shown_by_chance() {
        let (a, b) = (WebhookSecret::generate().unwrap(), WebhookSecret::generate().unwrap());
        assert_ne!(a, b);
        let random = a.reveal().strip_prefix("whsec_").unwrap();
        assert!(random.len() == 43 && random.bytes().all(|c| c.is_ascii_alphanumeric()), "{random}");
        assert_eq!(format!("{a:?}"), "WebhookSecret(…)");
    }

    #[test]
    fn the_checksum_is_fixed() {
        // Keys that were handed out earlier must stay valid.
        let body = format!("vd_{}", "A".repeat(34));
        let key = format!("{body}{}", checksum(&body));
        assert_eq!(key, "vd_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA4TkeKA");
        assert!(ApiKey::parse(&key).is_some());
    }

    proptest! {
        #[test]
        fn one_changed_character_is_noticed(at in 3usize..43, to in 0usize..62) {
            let key = ApiKey::generate().unwrap();
            let mut bytes = key.reveal().as_bytes().to_vec();
            prop_assume!(bytes[at] != ALPHABET[to]);
            bytes[at] = ALPHABET[to];
            prop_assert!(ApiKey::parse(std::str::from_utf8(&bytes).unwrap()).is_none());
        }

        #[test]
        fn anything_may_be_read(text in "\\PC*") {
            let _ = ApiKey::parse(&text);
        }
    }
}
