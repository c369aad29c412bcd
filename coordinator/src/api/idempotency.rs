//! `Idempotency-Key`: what it may be, and which ones are being worked on.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

use axum::http::{HeaderMap, HeaderName};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::error::ApiError;

const HEADER: HeaderName = HeaderName::from_static("idempotency-key");
/// Characters of a key.
const KEY_CHARS: usize = 255;

/// The key of a request, where it has one.
///
/// # Errors
/// [`ApiError::InvalidHeader`].
pub fn key(headers: &HeaderMap) -> Result<Option<String>, ApiError> {
    let mut sent = headers.get_all(HEADER).iter();
    let Some(key) = sent.next() else { return Ok(None) };
    let text = key.to_str().ok().filter(|k| {
        (1..=KEY_CHARS).contains(&k.len()) && k.bytes().all(|b| b.is_ascii_graphic()) && sent.next().is_none()
    });
    let message = "Idempotency-Key must be sent once, as 1 to 255 visible ASCII characters.";
    text.map(|k| Some(k.to_owned())).ok_or_else(|| ApiError::InvalidHeader(message.into()))
}

/// What makes two requests the same.
pub fn fingerprint(path: &str, body: &[u8]) -> [u8; 32] {
    Sha256::new().chain_update(path).chain_update([0]).chain_update(body).finalize().into()
}

/// Keys whose requests are being worked on.
#[derive(Debug, Default)]
pub struct InFlight(Mutex<HashSet<(Uuid, String)>>);

/// One of them, until dropped.
#[derive(Debug)]
pub struct Guard<'a> {
    all: &'a InFlight,
    this: (Uuid, String),
}

impl InFlight {
    /// Takes an account's key, unless its twin has it.
    ///
    /// # Errors
    /// [`ApiError::IdempotencyInProgress`].
    pub fn take(&self, account: Uuid, key: &str) -> Result<Guard<'_>, ApiError> {
        let this = (account, key.to_owned());
        let free = self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(this.clone());
        if free { Ok(Guard { all: self, this }) } else { Err(ApiError::IdempotencyInProgress) }
    }
}

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        self.all.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.this);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_visible_ascii_and_sent_once() {
        let read = |values: &[&[u8]]| {
            let mut headers = HeaderMap::new();
            for v in values {
                headers.append(HEADER, axum::http::HeaderValue::from_bytes(v).unwrap());
            }
            key(&headers)
        };
        assert_eq!(read(&[]), Ok(None));
        assert_eq!(read(&[b"order-1"]), Ok(Some("order-1".into())));
        assert!(read(&[&[b'a'; 255]]).is_ok());
        for wrong in [[b"".as_slice()].as_slice(), &[b"a b"], &[b"\xc3\xa9"], &[&[b'a'; 256]], &[b"a", b"a"]] {
            assert!(read(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn a_key_is_free_again_when_its_request_ends() {
        let all = InFlight::default();
        let (a, b) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let first = all.take(a, "k").unwrap();
        assert!(all.take(a, "k").is_err());
        assert!(all.take(b, "k").is_ok() && all.take(a, "l").is_ok());
        drop(first);
        assert!(all.take(a, "k").is_ok());
    }
}
