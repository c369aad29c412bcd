//! The bytes of a message: a version byte, then bincode. What the version before wrote is read too, for coordinator and
//! workers aren't renewed at the same moment.

use std::borrow::Cow;

use bincode::config;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{Claim, ClaimAnswer, ClaimRequest, Job, Outcome, PROTOCOL_VERSION, ReportRequest, Ticket, Verdict};

/// Ceiling of a message, version byte included: what a message queue carries by default.
pub const MESSAGE_BYTES: usize = 1 << 20;

/// Why bytes are not a message, or a message not bytes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WireError {
    /// No bytes at all.
    #[error("an empty message")]
    Empty,
    /// Written by a version of the protocol that this one does not read.
    #[error("protocol version {0} is neither {PROTOCOL_VERSION} nor the one before")]
    Version(u8),
    /// Over [`MESSAGE_BYTES`].
    #[error("a message of {0} bytes is over the limit of {MESSAGE_BYTES}")]
    TooLong(usize),
    /// Not the message that was expected.
    #[error("malformed message: {0}")]
    Malformed(String),
    /// Bytes are left over after the message.
    #[error("{0} bytes after the end of the message")]
    Trailing(usize),
}

/// What travels between coordinator and worker.
pub trait Message: Serialize + DeserializeOwned {
    /// A message of version 3 as one of version 4.
    fn upgraded(body: &[u8]) -> Cow<'_, [u8]> {
        Cow::Borrowed(body)
    }
}

impl Message for Ticket {}
impl Message for Claim {}
impl Message for Job {}
impl Message for ClaimAnswer {}
impl Message for Verdict {}
impl Message for ClaimRequest {}
impl Message for ReportRequest {}
impl Message for Outcome {
    /// What is planned ends in its photograph: none was told.
    fn upgraded(body: &[u8]) -> Cow<'_, [u8]> {
        if body.first() == Some(&0) { Cow::Owned([body, &[0]].concat()) } else { Cow::Borrowed(body) }
    }
}

/// The bytes of `message`.
///
/// # Errors
/// [`WireError::TooLong`]; [`WireError::Malformed`] where a value cannot be written.
pub fn encode<M: Message>(message: &M) -> Result<Vec<u8>, WireError> {
    let mut bytes = vec![PROTOCOL_VERSION];
    bincode::serde::encode_into_std_write(message, &mut bytes, config::standard())
        .map_err(|e| WireError::Malformed(e.to_string()))?;
    if bytes.len() > MESSAGE_BYTES {
        return Err(WireError::TooLong(bytes.len()));
    }
    Ok(bytes)
}

/// The message in `bytes`, which must hold it and nothing else.
///
/// # Errors
/// [`WireError`].
pub fn decode<M: Message>(bytes: &[u8]) -> Result<M, WireError> {
    let (&version, body) = bytes.split_first().ok_or(WireError::Empty)?;
    if version != PROTOCOL_VERSION && version.checked_add(1) != Some(PROTOCOL_VERSION) {
        return Err(WireError::Version(version));
    }
    if bytes.len() > MESSAGE_BYTES {
        return Err(WireError::TooLong(bytes.len()));
    }
    let body = if version == PROTOCOL_VERSION { Cow::Borrowed(body) } else { M::upgraded(body) };
    // Without a limit a length prefix of a few bytes could ask for any amount of memory.
    let limited = config::standard().with_limit::<MESSAGE_BYTES>();
    let (message, read) =
        bincode::serde::decode_from_slice(&body, limited).map_err(|e| WireError::Malformed(e.to_string()))?;
    match body.len() - read {
        0 => Ok(message),
        rest => Err(WireError::Trailing(rest)),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use render_core::inspect::{Check, Quality};
    use render_core::warning::{Warning, WarningCode};
    use uuid::Uuid;

    use super::super::{BlobId, Class, Failure, InputKind, PlanJob, Planned, PlannedPage, RenderJob, Rendered};
    use super::*;

    const ID: Uuid = Uuid::from_u128(0x0190_0000_0000_7000_8000_0000_0000_0001);

    fn ticket() -> Ticket {
        Ticket { job: ID, epoch: 2, class: Class::Render4k }
    }

    fn claim() -> Claim {
        Claim { job: ID, epoch: 300, nonce: u128::MAX - 1 }
    }

    fn plan_job() -> Job {
        Job::Plan(PlanJob {
            generation: ID,
            input_kind: InputKind::Url,
            input: BlobId([7; 32]),
            title: Some("Tides".into()),
            formats: vec![("instagram_post".into(), None), ("linkedin_carousel_portrait".into(), Some(5))],
            style: Some("dark".into()),
            language: None,
            seed: 42,
            exact: true,
            brand: Some(BlobId([6; 32])),
        })
    }

    fn render_job() -> Job {
        Job::Render(RenderJob {
            generation: ID,
            output: ID,
            version: 1,
            page: BlobId([8; 32]),
            width: 1638,
            height: 2048,
            image_format: "png".into(),
            brand: Some(BlobId([6; 32])),
        })
    }

    fn planned() -> Outcome {
        Outcome::Planned(Planned {
            document: BlobId([9; 32]),
            title: "Tides".into(),
            language: "en".into(),
            style: "dark".into(),
            pages: vec![PlannedPage {
                format: "instagram_post".into(),
                slide: Some(0),
                page: BlobId([1; 32]),
                alt_text: "alt".into(),
            }],
            warnings: vec![Warning::new(WarningCode::FewPoints, "few")],
            photo: Some(BlobId([5; 32])),
        })
    }

    fn rendered() -> Outcome {
        Outcome::Rendered(Rendered {
            object: "outputs/a.png".into(),
            thumbnail: "outputs/a-thumb.png".into(),
            bytes: 70_000,
            sha256: [2; 32],
            quality: Quality {
                passed: true,
                checks: vec![Check { name: "overflow".into(), value: 0.5, gate: 1.0, passed: true, hard: true }],
            },
            warnings: vec![],
        })
    }

    fn failed() -> Outcome {
        Outcome::Failed(Failure { code: "no_content".into(), message: "none".into(), retry: false })
    }

    /// What version 3 looks like on the wire. These bytes never change: another shape is another version.
    const GOLDEN_V3: [(&str, &str); 9] = [
        ("ticket", "0310019000000000700080000000000000010202"),
        ("claim", "031001900000000070008000000000000001fb2c01fefeffffffffffffffffffffffffffffff"),
        (
            "plan job",
            concat!(
                "03001001900000000070008000000000000001010707070707070707070707070707070707070707070707070707070707",
                "07070701055469646573020e696e7374616772616d5f706f7374001a6c696e6b6564696e5f6361726f7573656c5f706f",
                "727472616974010501046461726b002a01010606060606060606060606060606060606060606060606060606060606060606",
            ),
        ),
        (
            "render job",
            concat!(
                "030110019000000000700080000000000000011001900000000070008000000000000001010808080808080808080808",
                "080808080808080808080808080808080808080808fb6606fb000803706e67",
                "010606060606060606060606060606060606060606060606060606060606060606",
            ),
        ),
        (
            "granted",
            concat!(
                "03001001900000000070008000000000000001fb2c01fefeffffffffffffffffffffffffffffff011001900000000070",
                "008000000000000001100190000000007000800000000000000101080808080808080808080808080808080808080808",
                "0808080808080808080808fb6606fb000803706e67",
                "010606060606060606060606060606060606060606060606060606060606060606",
            ),
        ),
        ("verdict", "0301"),
        (
            "planned",
            concat!(
                "0300090909090909090909090909090909090909090909090909090909090909090905546964657302656e046461726b",
                "010e696e7374616772616d5f706f73740100010101010101010101010101010101010101010101010101010101010101",
                "010103616c74010503666577",
            ),
        ),
        (
            "rendered",
            concat!(
                "03010d6f7574707574732f612e706e67136f7574707574732f612d7468756d622e706e67fc7011010002020202020202",
                "020202020202020202020202020202020202020202020202020101086f766572666c6f770000003f0000803f010100",
            ),
        ),
        ("failed", "03020a6e6f5f636f6e74656e74046e6f6e6500"),
    ];

    /// What version 4 adds to what is planned at its end: the photograph.
    const PHOTO: &str = "010505050505050505050505050505050505050505050505050505050505050505";

    /// `message` has these bytes, and `old` (what it is without what version 4 added) is read from those of version 3.
    fn check<M: Message + PartialEq + std::fmt::Debug>(name: &str, message: M, old: M) {
        let bytes = encode(&message).unwrap();
        assert_eq!(decode::<M>(&bytes).unwrap(), message);
        let version_3 = GOLDEN_V3.iter().find(|(n, _)| *n == name).unwrap().1;
        let added = if message == old { "" } else { PHOTO };
        assert_eq!(hex::encode(&bytes), format!("04{}{added}", &version_3[2..]), "{name}");
        assert_eq!(decode::<M>(&hex::decode(version_3).unwrap()).unwrap(), old, "{name}");
        for cut in 0..bytes.len() {
            assert!(decode::<M>(&bytes[..cut]).is_err(), "{name} cut at {cut}");
        }
        let mut long = bytes.clone();
        long.push(0);
        assert_eq!(decode::<M>(&long), Err(WireError::Trailing(1)));
        let mut newer = bytes;
        for other in [PROTOCOL_VERSION + 1, 1, 255] {
            newer[0] = other;
            assert_eq!(decode::<M>(&newer), Err(WireError::Version(other)));
        }
    }

    #[test]
    fn bytes_stay_as_they_are() {
        check("ticket", ticket(), ticket());
        check("claim", claim(), claim());
        check("plan job", plan_job(), plan_job());
        check("render job", render_job(), render_job());
        check("granted", ClaimAnswer::Granted(claim(), render_job()), ClaimAnswer::Granted(claim(), render_job()));
        check("verdict", Verdict::Refused, Verdict::Refused);
        let Outcome::Planned(done) = planned() else { unreachable!() };
        check("planned", planned(), Outcome::Planned(Planned { photo: None, ..done }));
        check("rendered", rendered(), rendered());
        check("failed", failed(), failed());
        assert_eq!(decode::<ClaimAnswer>(&[PROTOCOL_VERSION, 1]), Ok(ClaimAnswer::Refused));
    }

    /// Added to version 4 at its end: tickets of its own consumer alone say it, so no older worker reads one.
    #[test]
    fn tickets_of_edits_stay_as_they_are() {
        let edit = Ticket { class: Class::Edit, ..ticket() };
        assert_eq!(hex::encode(encode(&edit).unwrap()), "0410019000000000700080000000000000010203");
        assert_eq!(decode::<Ticket>(&encode(&edit).unwrap()), Ok(edit));
    }

    #[test]
    fn classes_are_in_the_order_of_their_ranks() {
        assert_eq!(Class::ALL.map(Class::rank), [0, 1, 2, 3]);
    }

    /// New in version 4.
    #[test]
    fn what_workers_ask_stays_as_it_is() {
        let knock = ClaimRequest { ticket: ticket(), worker: "w".into() };
        assert_eq!(hex::encode(encode(&knock).unwrap()), format!("04{}0177", &GOLDEN_V3[0].1[2..]));
        assert_eq!(decode::<ClaimRequest>(&encode(&knock).unwrap()), Ok(knock));
        let report = ReportRequest { claim: claim(), outcome: failed() };
        let golden = format!("04{}{}", &GOLDEN_V3[1].1[2..], &GOLDEN_V3[8].1[2..]);
        assert_eq!(hex::encode(encode(&report).unwrap()), golden);
        assert_eq!(decode::<ReportRequest>(&encode(&report).unwrap()), Ok(report));
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
        let long = Outcome::Failed(Failure { code: String::new(), message: "x".repeat(MESSAGE_BYTES), retry: false });
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
            let _ = decode::<Claim>(&bytes);
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
                // Where they still are a message, it is one that writes back.
                if let Ok(read) = decode::<Outcome>(&bytes) {
                    prop_assert!(encode(&read).is_ok());
                }
            }
        }
    }
}
