//! E-mail addresses of members: validated loosely, and normalized to one form.

use std::fmt;

use icu_normalizer::ComposingNormalizerBorrowed;
use sha2::{Digest, Sha256};

/// Maximum lengths in bytes of an address and of the part before its `@` (RFC 5321 §4.5.3.1, without the angle
/// brackets).
const BYTES: usize = 254;
const LOCAL_BYTES: usize = 64;

/// An e-mail address in its canonical form: NFC, lower case, no surrounding spaces.
///
/// The service doesn't check whether the mailbox exists, because it sends no mail.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Email(String);

impl Email {
    /// Parses an address. Returns `None` if the text can't be one.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        // Check the length before the expensive normalization, which never makes a text many times shorter.
        if text.len() > 4 * BYTES {
            return None;
        }
        let text = ComposingNormalizerBorrowed::new_nfc().normalize(&text.to_lowercase()).into_owned();
        let (local, domain) = text.split_once('@')?;
        let odd = |c: char| c.is_whitespace() || c.is_control() || "@()<>[]{},;:\\\"|`".contains(c);
        let dotted = |part: &str| part.split('.').all(|atom| !atom.is_empty());
        let sound = text.len() <= BYTES
            && (1..=LOCAL_BYTES).contains(&local.len())
            && dotted(local)
            && dotted(domain)
            && !local.contains(odd)
            && !domain.contains(|c: char| odd(c) || c.is_ascii() && !c.is_ascii_alphanumeric() && !".-".contains(c))
            && domain.split('.').all(|label| !label.starts_with('-') && !label.ends_with('-'));
        sound.then_some(Self(text))
    }

    /// Returns the address.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Returns the key under which attempts on an address are counted. It is the same for every spelling, and also works
/// for text that isn't an address.
pub fn counted_as(text: &str) -> [u8; 16] {
    let spelt = Email::parse(text).map_or_else(|| text.trim().to_lowercase(), |email| email.0);
    let mut half = [0; 16];
    half.copy_from_slice(&Sha256::digest(spelt.as_bytes())[..16]);
    half
}

impl fmt::Display for Email {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Email {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn addresses_have_one_spelling() {
        for (sent, kept) in [
            ("ann@example.org", "ann@example.org"),
            (" Ann.O'Neil+x@Example.ORG\n", "ann.o'neil+x@example.org"),
            ("root@localhost", "root@localhost"),
            ("e\u{301}va@exa\u{301}mple.org", "éva@exámple.org"),
            ("ÉVA@EXÁMPLE.ORG", "éva@exámple.org"),
        ] {
            assert_eq!(Email::parse(sent).as_ref().map(Email::as_str), Some(kept), "{sent}");
            assert_eq!(counted_as(sent), counted_as(kept));
        }
    }

    #[test]
    fn what_can_be_no_address_is_none() {
        let long = format!("{}@example.org", "a".repeat(65));
        let longer = format!("a@{}", vec!["a".repeat(60); 5].join("."));
        let huge = "a".repeat(1 << 20);
        for wrong in [
            "",
            "@",
            "ann",
            "ann@",
            "@example.org",
            "a@b@c",
            "a b@c",
            "a@b c",
            ".a@b",
            "a.@b",
            "a..b@c",
            "a@.b",
            "a@b.",
            "a@b..c",
            "a@-b",
            "a@b-.c",
            "<a@b>",
            "a\u{0}b@c",
            "a,b@c",
            "a@b/c",
            &long,
            &longer,
            &huge,
        ] {
            assert_eq!(Email::parse(wrong), None, "{wrong:.80}");
        }
        assert_eq!(counted_as(" X "), counted_as("x"));
    }

    proptest! {
        #[test]
        fn what_was_read_reads_itself_back(text in "\\PC{1,9}@\\PC{1,9}") {
            if let Some(email) = Email::parse(&text) {
                prop_assert_eq!(Email::parse(email.as_str()), Some(email));
            }
        }
    }
}
