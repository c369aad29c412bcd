//! Signed file URLs: `{base}/files/{path}?expires={Unix seconds}&signature={hex HMAC-SHA256 of path and expiry}`.
//!
//! The path is the key of an object. For an image of a generation, a readable file name follows the key, so that
//! clients that name files after their URLs keep the order: `{key}/03-linkedin_carousel.png`.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::clock::Millis;

/// Path prefix of object URLs.
pub const FILES: &str = "/files/";

/// Creates and verifies signed URLs.
#[derive(Clone)]
pub struct Signer {
    base: String,
    secret: [u8; 32],
    lifetime_s: u64,
}

/// Result of a verification.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signature {
    /// Valid, for this many more seconds.
    Valid(u64),
    /// Signed by this service, but expired.
    Expired,
    /// Not signed by this service.
    Forged,
}

impl Signer {
    /// Creates a signer of URLs on `base` that are valid for `lifetime_s` seconds.
    pub fn new(base: String, secret: [u8; 32], lifetime_s: u64) -> Self {
        Self { base, secret, lifetime_s }
    }

    /// Returns the base URL at which clients reach the service.
    pub fn base(&self) -> &str {
        &self.base
    }

    /// Returns for how many seconds a new URL is valid.
    pub fn lifetime_s(&self) -> u64 {
        self.lifetime_s
    }

    /// Returns a new URL of an object.
    pub fn url(&self, key: &str, now: Millis) -> String {
        self.url_for(key, self.lifetime_s, now)
    }

    /// Returns a new URL of an object that ends in `name`, which consists of URL path characters without a slash.
    pub fn named_url(&self, key: &str, name: &str, now: Millis) -> String {
        self.url(&format!("{key}/{name}"), now)
    }

    /// Returns a new URL of an object that exists for only `seconds`.
    pub fn url_for(&self, key: &str, seconds: u64, now: Millis) -> String {
        let expires = now.plus_seconds(seconds.min(self.lifetime_s)).seconds();
        let signature = hex::encode(self.mac(key, expires).finalize().into_bytes());
        format!("{}{FILES}{key}?expires={expires}&signature={signature}", self.base)
    }

    /// Verifies the parts of a URL, comparing the signature in constant time. `path` is what follows [`FILES`].
    pub fn check(&self, path: &str, expires: &str, signature: &str, now: Millis) -> Signature {
        // Each URL has a single spelling: a number in a non-canonical form is refused.
        let number = expires.parse::<i64>().ok().filter(|n| n.to_string() == expires);
        let (Some(expires), Ok(signature)) = (number, hex::decode(signature)) else { return Signature::Forged };
        if self.mac(path, expires).verify_slice(&signature).is_err() {
            return Signature::Forged;
        }
        match u64::try_from(expires.saturating_sub(now.seconds())) {
            Ok(0) | Err(_) => Signature::Expired,
            Ok(left) => Signature::Valid(left),
        }
    }

    fn mac(&self, path: &str, expires: i64) -> Hmac<Sha256> {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.secret).expect("HMAC takes a key of any length");
        mac.update(path.as_bytes());
        // No path contains a zero byte, so two different pairs never give the same bytes.
        mac.update(&[0]);
        mac.update(&expires.to_be_bytes());
        mac
    }
}

/// Splits the path of a URL into the object's key and the file name, if it has one. The last segment of a key has an
/// extension and no other segment of it does.
pub fn key_and_name(path: &str) -> (&str, Option<&str>) {
    match path.rsplit_once('/') {
        Some((key, name)) if key.rsplit('/').next().is_some_and(|last| last.contains('.')) => (key, Some(name)),
        _ => (path, None),
    }
}

/// The file name of an output: its place in the generation from 0, counted from 1 and padded to the digits of the last
/// place so that names sort in order, then its format and the extension of `object`.
pub fn file_name(place: u32, total: u32, format: &str, object: &str) -> String {
    let extension = object.rsplit('.').next().unwrap_or(object);
    let digits = total.max(1).ilog10() as usize + 1;
    format!("{:0width$}-{format}.{extension}", place + 1, width = digits.max(2))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const T0: Millis = Millis(1_700_000_000_000);

    fn signer(secret: u8) -> Signer {
        Signer::new("http://h".into(), [secret; 32], 60)
    }

    fn parts(url: &str) -> (&str, &str, &str) {
        let (key, query) = url.strip_prefix("http://h/files/").unwrap().split_once('?').unwrap();
        let (expires, signature) = query.split_once('&').unwrap();
        (key, expires.strip_prefix("expires=").unwrap(), signature.strip_prefix("signature=").unwrap())
    }

    #[test]
    fn a_url_is_good_for_its_key_until_it_expires() {
        let url = signer(1).url("images/a.png", T0);
        let (key, expires, signature) = parts(&url);
        let check = |s: &Signer, key, expires, at| s.check(key, expires, signature, at);
        assert_eq!(check(&signer(1), key, expires, T0), Signature::Valid(60));
        assert_eq!(check(&signer(1), key, expires, T0.plus_seconds(59)), Signature::Valid(1));
        assert_eq!(check(&signer(1), key, expires, T0.plus_seconds(60)), Signature::Expired);
        assert_eq!(check(&signer(2), key, expires, T0), Signature::Forged);
        assert_eq!(check(&signer(1), "images/b.png", expires, T0), Signature::Forged);
        let later = (expires.parse::<i64>().unwrap() + 1).to_string();
        assert_eq!(check(&signer(1), key, &later, T0), Signature::Forged);
        assert_eq!(check(&signer(1), key, &format!("+{expires}"), T0), Signature::Forged);
    }

    #[test]
    fn a_file_name_follows_the_key_and_is_signed() {
        let url = signer(1).named_url("images/a.png", "03-linkedin_carousel.png", T0);
        let (path, expires, signature) = parts(&url);
        assert_eq!(path, "images/a.png/03-linkedin_carousel.png");
        assert_eq!(key_and_name(path), ("images/a.png", Some("03-linkedin_carousel.png")));
        assert_eq!(signer(1).check(path, expires, signature, T0), Signature::Valid(60));
        assert_eq!(signer(1).check("images/a.png/other.png", expires, signature, T0), Signature::Forged);
        assert_eq!(key_and_name("images/a.png"), ("images/a.png", None));
        assert_eq!(key_and_name("a.png"), ("a.png", None));
    }

    #[test]
    fn file_names_sort_in_order() {
        assert_eq!(file_name(2, 10, "linkedin_carousel", "outputs/1.png"), "03-linkedin_carousel.png");
        for total in [1, 9, 10, 99, 100, 101, 1_000] {
            let names: Vec<String> = (0..total).map(|place| file_name(place, total, "story", "1.jpg")).collect();
            assert!(names.is_sorted(), "{total}");
        }
    }

    proptest! {
        #[test]
        fn no_changed_signature_passes(at in 0usize..64, to in 0u32..16) {
            let url = signer(1).url("images/a.png", T0);
            let (key, expires, signature) = parts(&url);
            let to = char::from_digit(to, 16).unwrap();
            prop_assume!(signature.as_bytes()[at] != to as u8);
            let changed: String = signature.chars().enumerate().map(|(i, c)| if i == at { to } else { c }).collect();
            prop_assert_eq!(signer(1).check(key, expires, &changed, T0), Signature::Forged);
        }

        #[test]
        fn anything_may_be_checked(key in "\\PC*", expires in "\\PC*", signature in "\\PC*") {
            prop_assert_eq!(signer(1).check(&key, &expires, &signature, T0), Signature::Forged);
        }
    }
}
