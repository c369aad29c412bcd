//! Messages of every kind, and their bytes as the previous version wrote them.

use render_core::inspect::{Check, Quality};
use render_core::warning::{Warning, WarningCode};
use uuid::Uuid;

use super::{
    BlobId, Claim, ClaimAnswer, ClaimRequest, Class, Failure, Grant, InputKind, Job, Outcome, PlanJob, Planned,
    PlannedPage, RenderJob, Rendered, ReportRequest, Secret, Terms, Ticket, Wishes,
};

pub(crate) const ID: Uuid = Uuid::from_u128(0x0190_0000_0000_7000_8000_0000_0000_0001);

pub(crate) fn ticket() -> Ticket {
    Ticket { job: ID, epoch: 2.into(), class: Class::Render4k }
}

pub(crate) fn claim() -> Claim {
    Claim { job: ID, epoch: 300.into(), nonce: u128::MAX - 1 }
}

pub(crate) fn secret() -> Secret {
    Secret([3; 16])
}

pub(crate) fn grant() -> Grant {
    Grant { claim: claim(), secret: Some(secret()) }
}

pub(crate) fn granted() -> ClaimAnswer {
    ClaimAnswer::Granted(claim(), render_job(), Terms { secret: Some(secret()), folder: Some("w".into()) })
}

pub(crate) fn plan_job() -> Job {
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
        tokens: None,
        wishes: Wishes::default(),
    })
}

pub(crate) fn render_job() -> Job {
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

pub(crate) fn planned() -> Outcome {
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
        photos: vec![BlobId([5; 32])],
        tokens: None,
        usage: None,
    })
}

pub(crate) fn rendered() -> Outcome {
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

pub(crate) fn failed() -> Outcome {
    Outcome::Failed(Failure {
        code: "no_content".into(),
        message: "none".into(),
        retry: false,
        tokens: None,
        usage: None,
    })
}

/// The claim request of a worker called `w`.
pub(crate) fn claim_request() -> ClaimRequest {
    ClaimRequest { ticket: ticket(), worker: "w".into() }
}

pub(crate) fn report() -> ReportRequest {
    ReportRequest { claim: claim(), outcome: planned(), secret: Some(secret()) }
}

/// Messages as version 13 wrote them. These bytes never change: another shape needs another version. Tickets are still
/// written as in version 4.
const GOLDEN_V13: [(&str, &str); 13] = [
    ("ticket", "0410019000000000700080000000000000010202"),
    ("ticket of an edit", "0410019000000000700080000000000000010203"),
    (
        "claim",
        concat!(
            "0d1001900000000070008000000000000001fb2c01fefeffffffffffffffffffffffffffffff01030303030303030303",
            "03030303030303",
        ),
    ),
    (
        "plan job",
        concat!(
            "0d0010019000000000700080000000000000010107070707070707070707070707070707070707070707070707070707",
            "0707070701055469646573020e696e7374616772616d5f706f7374001a6c696e6b6564696e5f6361726f7573656c5f70",
            "6f727472616974010501046461726b002a01010606060606060606060606060606060606060606060606060606060606",
            "06060600000000",
        ),
    ),
    (
        "render job",
        concat!(
            "0d0110019000000000700080000000000000011001900000000070008000000000000001010808080808080808080808",
            "080808080808080808080808080808080808080808fb6606fb000803706e670106060606060606060606060606060606",
            "06060606060606060606060606060606",
        ),
    ),
    (
        "granted",
        concat!(
            "0d001001900000000070008000000000000001fb2c01fefeffffffffffffffffffffffffffffff011001900000000070",
            "008000000000000001100190000000007000800000000000000101080808080808080808080808080808080808080808",
            "0808080808080808080808fb6606fb000803706e67010606060606060606060606060606060606060606060606060606",
            "0606060606060103030303030303030303030303030303010177",
        ),
    ),
    ("refused", "0d01"),
    ("verdict", "0d01"),
    (
        "planned",
        concat!(
            "0d00090909090909090909090909090909090909090909090909090909090909090905546964657302656e046461726b",
            "010e696e7374616772616d5f706f73740100010101010101010101010101010101010101010101010101010101010101",
            "010103616c740105036665770105050505050505050505050505050505050505050505050505050505050505050000",
        ),
    ),
    (
        "rendered",
        concat!(
            "0d010d6f7574707574732f612e706e67136f7574707574732f612d7468756d622e706e67fc7011010002020202020202",
            "020202020202020202020202020202020202020202020202020101086f766572666c6f770000003f0000803f010100",
        ),
    ),
    ("failed", "0d020a6e6f5f636f6e74656e74046e6f6e65000000"),
    ("claim request", "0d100190000000007000800000000000000102020177"),
    (
        "report",
        concat!(
            "0d1001900000000070008000000000000001fb2c01fefeffffffffffffffffffffffffffffff00090909090909090909",
            "090909090909090909090909090909090909090909090905546964657302656e046461726b010e696e7374616772616d",
            "5f706f73740100010101010101010101010101010101010101010101010101010101010101010103616c740105036665",
            "770105050505050505050505050505050505050505050505050505050505050505050000010303030303030303030303",
            "0303030303",
        ),
    ),
];

/// Returns a message as version 13 wrote it.
pub(crate) fn old(name: &str) -> Vec<u8> {
    hex::decode(GOLDEN_V13.iter().find(|(n, _)| *n == name).expect("a name of the list").1).unwrap()
}
