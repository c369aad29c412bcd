//! The encoding of messages: a version byte, then bincode. This code also reads and writes messages of the previous
//! version, because coordinator and workers are not upgraded at the same moment. [`super::NegotiatedVersion`] and the
//! job service decide which of the two versions to write.
//!
//! A field that the previous version lacks is marked as [`newer`].

use bincode::config;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{ClaimAnswer, ClaimRequest, Grant, Job, Outcome, PROTOCOL_VERSION, ReportRequest, Ticket, Verdict, newer};

/// Maximum size of a message in bytes, version byte included: the default limit of NATS.
pub const MESSAGE_BYTES: usize = 1 << 20;

/// Why decoding or encoding a message failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WireError {
    /// No bytes at all.
    #[error("the message is empty")]
    Empty,
    /// The message has a protocol version that this process does not read.
    #[error("unsupported protocol version {0}; supported are {PROTOCOL_VERSION} and the previous one")]
    Version(u8),
    /// Over [`MESSAGE_BYTES`].
    #[error("a message of {0} bytes is over the limit of {MESSAGE_BYTES}")]
    TooLong(usize),
    /// The bytes are not the expected message.
    #[error("malformed message: {0}")]
    Malformed(String),
    /// Bytes are left over after the message.
    #[error("{0} bytes after the end of the message")]
    Trailing(usize),
}

/// A message between coordinator and worker.
pub trait Message: Serialize + DeserializeOwned {
    /// The version in which the message is written. Tickets have a version of their own, because their sender does not
    /// know which version the reader supports.
    const VERSION: u8 = PROTOCOL_VERSION;
}

impl Message for Ticket {
    /// The shape of a ticket is that of version 4. The version that changes the shape still writes the old one, and
    /// only the next version writes the new one.
    const VERSION: u8 = 4;
}
impl Message for Job {}
impl Message for ClaimAnswer {}
impl Message for Verdict {}
impl Message for ClaimRequest {}
impl Message for Grant {}
impl Message for ReportRequest {}
impl Message for Outcome {}

/// Limits decoding: without a limit, a length prefix of a few bytes could request any amount of memory.
fn limited() -> impl config::Config {
    config::standard().with_limit::<MESSAGE_BYTES>()
}

/// Returns how many bytes a part of a message takes.
pub fn length(part: &impl Serialize) -> usize {
    bincode::serde::encode_to_vec(part, config::standard()).map_or(0, |bytes| bytes.len())
}

/// Encodes `message`.
///
/// # Errors
/// [`WireError::TooLong`]; [`WireError::Malformed`] where a value can't be written.
pub fn encode<M: Message>(message: &M) -> Result<Vec<u8>, WireError> {
    encode_as(M::VERSION, message)
}

/// Encodes `message` in its version or the previous one.
///
/// # Errors
/// As for [`encode`]; [`WireError::Version`] for any other version.
pub fn encode_as<M: Message>(version: u8, message: &M) -> Result<Vec<u8>, WireError> {
    if !matches!(M::VERSION.checked_sub(version), Some(0 | 1)) {
        return Err(WireError::Version(version));
    }
    let mut bytes = vec![version];
    newer::within(version, || bincode::serde::encode_into_std_write(message, &mut bytes, config::standard()))
        .map_err(|e| WireError::Malformed(e.to_string()))?;
    if bytes.len() > MESSAGE_BYTES {
        return Err(WireError::TooLong(bytes.len()));
    }
    Ok(bytes)
}

/// Decodes the message in `bytes`, which must hold exactly one message.
///
/// # Errors
/// [`WireError`].
pub fn decode<M: Message>(bytes: &[u8]) -> Result<M, WireError> {
    let (&version, body) = bytes.split_first().ok_or(WireError::Empty)?;
    if version != M::VERSION && version.checked_add(1) != Some(M::VERSION) {
        return Err(WireError::Version(version));
    }
    if bytes.len() > MESSAGE_BYTES {
        return Err(WireError::TooLong(bytes.len()));
    }
    let (message, read) = newer::within(version, || bincode::serde::decode_from_slice(body, limited()))
        .map_err(|e| WireError::Malformed(e.to_string()))?;
    match body.len() - read {
        0 => Ok(message),
        rest => Err(WireError::Trailing(rest)),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::golden::{
        claim_request, failed, grant, granted, old, plan_job, planned, render_job, rendered, report, ticket,
    };
    use super::super::{Class, Failure};
    use super::*;

    /// Asserts that `message` has the bytes that the previous version wrote, except for the version byte.
    fn check<M: Message + PartialEq + std::fmt::Debug>(name: &str, message: &M) {
        let old = old(name);
        let bytes = encode(message).unwrap();
        let version = if M::VERSION == PROTOCOL_VERSION { M::VERSION } else { old[0] };
        let golden = [&[version], &old[1..]].concat();
        assert_eq!(hex::encode(&bytes), hex::encode(golden), "{name}");
        assert_eq!(decode::<M>(&bytes).as_ref(), Ok(message));
        assert_eq!(decode::<M>(&old).as_ref(), Ok(message), "{name}");
        assert_eq!(encode_as(old[0], message).map(hex::encode), Ok(hex::encode(&old)), "{name}");
        for cut in 0..bytes.len() {
            assert!(decode::<M>(&bytes[..cut]).is_err(), "{name} cut at {cut}");
        }
        let mut long = bytes.clone();
        long.push(0);
        assert_eq!(decode::<M>(&long), Err(WireError::Trailing(1)));
        let mut other = bytes;
        for version in [PROTOCOL_VERSION + 1, 2, 255] {
            other[0] = version;
            assert_eq!(decode::<M>(&other), Err(WireError::Version(version)));
            assert_eq!(encode_as(version, message), Err(WireError::Version(version)));
        }
    }

    #[test]
    fn bytes_stay_as_they_are() {
        check("ticket", &ticket());
        check("ticket of an edit", &Ticket { class: Class::Edit, ..ticket() });
        check("plan job", &plan_job());
        check("render job", &render_job());
        check("refused", &ClaimAnswer::Refused);
        check("verdict", &Verdict::Refused);
        check("planned", &planned());
        check("rendered", &rendered());
        check("failed", &failed());
        check("claim request", &claim_request());
        check("claim", &grant());
        check("report", &report());
        check("granted", &granted());
    }

    /// The reader may be of either version.
    #[test]
    fn tickets_are_written_as_before() {
        assert_eq!(encode(&ticket()), Ok(old("ticket")));
    }

    #[test]
    fn classes_are_in_the_order_of_their_ranks() {
        assert_eq!(Class::ALL.map(Class::rank), [0, 1, 2, 3]);
    }

    #[test]
    fn a_length_bomb_is_refused_without_its_memory() {
        // Outcome::Failed with a code of 2^62 bytes.
        let mut bomb = vec![PROTOCOL_VERSION, 2, 253];
        bomb.extend_from_slice(&(1_u64 << 62).to_le_bytes());
        assert!(matches!(decode::<Outcome>(&bomb), Err(WireError::Malformed(_))));
    }

    #[test]
    fn a_message_over_the_limit_is_not_sent() {
        let long = Outcome::Failed(Failure {
            code: String::new(),
            message: "x".repeat(MESSAGE_BYTES),
            retry: false,
            tokens: None,
            usage: None,
        });
        assert!(matches!(encode(&long), Err(WireError::TooLong(_))));
        assert!(matches!(decode::<Outcome>(&vec![PROTOCOL_VERSION; MESSAGE_BYTES + 1]), Err(WireError::TooLong(_))));
    }

    proptest! {
        #[test]
        fn any_bytes_are_a_message_or_an_error(mut bytes in proptest::collection::vec(any::<u8>(), 0..600), ours: bool) {
            if ours && !bytes.is_empty() {
                bytes[0] = PROTOCOL_VERSION;
            }
            let _ = decode::<Ticket>(&bytes);
            let _ = decode::<Grant>(&bytes);
            let _ = decode::<ReportRequest>(&bytes);
            let _ = decode::<Job>(&bytes);
            let _ = decode::<ClaimAnswer>(&bytes);
            let _ = decode::<Verdict>(&bytes);
            let _ = decode::<Outcome>(&bytes);
        }

        #[test]
        fn changed_bytes_are_a_message_or_an_error(at in 0_usize..200, with: u8) {
            for outcome in [planned(), rendered(), failed()] {
                let mut bytes = encode(&outcome).unwrap();
                let at = at % bytes.len();
                bytes[at] = with;
                // Bytes that still decode must encode again.
                if let Ok(read) = decode::<Outcome>(&bytes) {
                    prop_assert!(encode(&read).is_ok());
                }
            }
        }
    }
}
