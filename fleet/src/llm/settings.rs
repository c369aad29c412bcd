//! How to access a model.

use std::fmt;
use std::time::Duration;

use super::budget::Price;

/// A secret that is never printed.
#[derive(Clone)]
pub struct Key(String);

impl Key {
    /// Creates a key, trimming white space.
    pub fn new(secret: &str) -> Self {
        Self(secret.trim().to_owned())
    }

    /// Returns the key itself, for the header of a request.
    pub(super) fn secret(&self) -> &str {
        &self.0
    }
}

impl std::str::FromStr for Key {
    type Err = std::convert::Infallible;

    fn from_str(secret: &str) -> Result<Self, Self::Err> {
        Ok(Self::new(secret))
    }
}

impl<'de> serde::Deserialize<'de> for Key {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self::new(&<String as serde::Deserialize>::deserialize(deserializer)?))
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(…)")
    }
}

/// How to access a model.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The base URL, up to and without `/chat/completions`: `https://api.example.org/v1`.
    pub base_url: String,
    /// The model's name there.
    pub model: String,
    /// The API key.
    pub key: Option<Key>,
    /// Timeout for one call, from connecting to the last byte.
    pub timeout: Duration,
    /// Maximum concurrent calls; further ones wait.
    pub calls: usize,
    /// Maximum tokens per day (UTC), prompts and answers together, counted in this process.
    pub daily_tokens: Option<u64>,
    /// Price of its tokens, where known.
    pub price: Option<Price>,
}

/// Why settings are invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadSetting {
    /// Not an `http` or `https` URL of a host and a path.
    #[error("the base URL must be http:// or https://, a host and a path, without user, query or fragment")]
    Url,
    /// The key has characters that a header can't hold.
    #[error("the key contains characters that an HTTP header can't hold")]
    Key,
    /// The model has no name.
    #[error("the model's name is empty")]
    Model,
}
