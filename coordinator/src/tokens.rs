//! Tokens of one-time links and sessions: 32 random bytes in base64url (RFC 4648 §5, without padding). Only the SHA-256
//! is stored: a token with 256 random bits needs no slow hash.

use std::fmt;

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

use crate::keys::KeyDigest;

/// Number of random bytes.
const BYTES: usize = 32;

/// A token in plain text. `Debug` hides it; [`Token::reveal`] returns it.
#[derive(Clone)]
pub struct Token(String);

impl Token {
    /// Generates a new token from the system's randomness.
    ///
    /// # Errors
    /// [`getrandom::Error`] if the system provides no randomness.
    pub fn generate() -> Result<Self, getrandom::Error> {
        let mut bytes = [0; BYTES];
        getrandom::fill(&mut bytes)?;
        Ok(Self(BASE64_URL_SAFE_NO_PAD.encode(bytes)))
    }

    /// Parses a token from a client. Returns `None` if the text can't be a token.
    pub fn parse(text: &str) -> Option<Self> {
        // The decoder accepts only the canonical encoding: bits beyond the last byte must be zero.
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(text).ok()?;
        (bytes.len() == BYTES).then(|| Self(text.to_owned()))
    }

    /// Returns the digest to store.
    pub fn digest(&self) -> KeyDigest {
        KeyDigest(Sha256::digest(self.0.as_bytes()).into())
    }

    /// Returns the token itself. Never log or store it.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_new_token_reads_back_and_no_two_are_alike() {
        let (a, b) = (Token::generate().unwrap(), Token::generate().unwrap());
        assert_eq!(a.reveal().len(), 43);
        assert_eq!(Token::parse(a.reveal()).unwrap().digest(), a.digest());
        assert_ne!(a.digest(), b.digest());
        assert!(!format!("{a:?}").contains(a.reveal()));
    }

    #[test]
    fn a_token_has_one_spelling() {
        let zeros = "A".repeat(43);
        assert!(Token::parse(&zeros).is_some());
        for wrong in [format!("{zeros}="), format!("{zeros}A"), zeros[1..].to_owned(), format!("{}B", &zeros[1..])] {
            assert!(Token::parse(&wrong).is_none(), "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn anything_may_be_read(text in "\\PC*") {
            let _ = Token::parse(&text);
        }
    }
}
