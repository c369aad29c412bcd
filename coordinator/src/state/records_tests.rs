//! Golden bytes: rows as version 1 wrote them. These must stay readable for ever.

use render_core::inspect::{Check, Quality};
use render_core::warning::WarningCode;

use super::*;
use crate::state::table::{decode, encode};

const ID: Uuid = Uuid::from_u128(0x0192_0000_0000_7000_8000_0000_0000_0001);

fn check<R: Record + PartialEq + std::fmt::Debug>(record: &R, golden: &str) {
    let row = encode(record).unwrap();
    assert_eq!(hex::encode(&row), golden, "version 1 of this record changed; make version 2 instead");
    assert_eq!(decode::<R>(&row).as_ref(), Ok(record));
    for cut in 0..row.len() {
        assert!(decode::<R>(&row[..cut]).is_err(), "a torn row was read");
    }
    let longer = [row.as_slice(), &[0]].concat();
    assert!(decode::<R>(&longer).is_err(), "bytes after the record were ignored");
    assert!(decode::<R>(&[&[99], &row[1..]].concat()).is_err(), "another version was read");
}

fn fault() -> Fault {
    Fault { code: "no_content".into(), message: "Nothing to say.".into() }
}

#[test]
fn account() {
    check(&Account { name: "house".into(), plan: Plan::Pro, active: true, created: Millis(5) }, "0105686f75736501010a");
}

#[test]
fn key() {
    let record = KeyRecord {
        id: ID,
        account: ID,
        name: "k".into(),
        scopes: Scopes::ALL,
        created: Millis(5),
        revoked: Some(Millis(6)),
        digest: KeyDigest([7; 32]),
    };
    check(
        &record,
        "0110019200000000700080000000000000011001920000000070008000000000000001016bfcffffffff0a010c070707\
         0707070707070707070707070707070707070707070707070707070707",
    );
}

#[test]
fn money() {
    check(&Balance { available: 10_000, reserved: 15 }, "01fb10270f");
    check(&Entry { amount: 15, at: Millis(5) }, "010f0a");
}

#[test]
fn generation() {
    let request = Request {
        given: Given::Text,
        input: BlobId([1; 32]),
        excerpt: "Foxes".into(),
        formats: vec![("instagram_post".into(), None), ("linkedin_carousel".into(), Some(5))],
        title: Some("T".into()),
        brand: None,
        style: Some("dark".into()),
        language: Some("en".into()),
        resolution: Resolution::FourK,
        image_format: ImageFormat::Webp,
        seed: 42,
    };
    let planned =
        PlannedFacts { document: BlobId([2; 32]), title: "T".into(), language: "en".into(), style: "dark".into() };
    let record = Generation {
        id: ID,
        account: ID,
        status: Status::Partial,
        created: Millis(5),
        started: Some(Millis(6)),
        completed: Some(Millis(7)),
        request,
        planned: Some(planned),
        total: 6,
        done: 5,
        failed: 1,
        charged: 85,
        refunded: 15,
        fault: Some(fault()),
        round: 0,
        exact: false,
    };
    let version_1 = "0110019200000000700080000000000000011001920000000070008000000000000001030a010c010e00010101010101\
         010101010101010101010101010101010101010101010101010105466f786573020e696e7374616772616d5f706f7374\
         00116c696e6b6564696e5f6361726f7573656c01050101540001046461726b0102656e01022a01020202020202020202\
         0202020202020202020202020202020202020202020202015402656e046461726b060501550f010a6e6f5f636f6e7465\
         6e740f4e6f7468696e6720746f207361792e00";
    assert_eq!(decode::<Generation>(&hex::decode(version_1).unwrap()).as_ref(), Ok(&record));
    check(&record, &format!("02{}00", &version_1[2..]));
    let whole = Generation { exact: true, ..record.clone() };
    check(&whole, &format!("02{}01", &version_1[2..]));
    let of_page = Request { given: Given::Url("https://a.example".into()), ..record.request.clone() };
    check(
        &Generation { request: of_page, ..record },
        "0210019200000000700080000000000000011001920000000070008000000000000001030a010c010e01116874747073\
         3a2f2f612e6578616d706c65010101010101010101010101010101010101010101010101010101010101010105466f78\
         6573020e696e7374616772616d5f706f737400116c696e6b6564696e5f6361726f7573656c0105010154000104646172\
         6b0102656e01022a010202020202020202020202020202020202020202020202020202020202020202015402656e0464\
         61726b060501550f010a6e6f5f636f6e74656e740f4e6f7468696e6720746f207361792e0000",
    );
}

#[test]
fn output() {
    let quality = Quality {
        passed: true,
        checks: vec![Check { name: "contrast".into(), value: 7.5, gate: 4.5, passed: true, hard: true }],
    };
    let image =
        Image { object: "images/a.png".into(), thumbnail: "images/b.png".into(), bytes: 9, sha256: [3; 32], quality };
    let record = Output {
        id: ID,
        format: "linkedin_carousel".into(),
        slide: Some(4),
        width: 2048,
        height: 2048,
        cost: 15,
        version: 1,
        page: Some(BlobId([4; 32])),
        alt_text: "A fox.".into(),
        end: Some(End::Ready(image)),
    };
    check(
        &record,
        "011001920000000070008000000000000001116c696e6b6564696e5f6361726f7573656c0104fb0008fb00080f010104\
         04040404040404040404040404040404040404040404040404040404040404064120666f782e01000c696d616765732f\
         612e706e670c696d616765732f622e706e67090303030303030303030303030303030303030303030303030303030303\
         030303010108636f6e74726173740000f040000090400101",
    );
    check(
        &Output { page: None, end: Some(End::Failed(fault())), ..record },
        "011001920000000070008000000000000001116c696e6b6564696e5f6361726f7573656c0104fb0008fb00080f010006\
         4120666f782e01010a6e6f5f636f6e74656e740f4e6f7468696e6720746f207361792e",
    );
}

#[test]
fn warning() {
    check(
        &Warning::new(WarningCode::ContentShortened, "Two points did not fit."),
        "01021754776f20706f696e747320646964206e6f74206669742e",
    );
}

#[test]
fn jobs() {
    let job = OpenJob {
        account: ID,
        generation: ID,
        work: Work::Render(4),
        class: Class::Render4k,
        epoch: 2,
        claims: 1,
        interruptions: 1,
        fault: Some(fault()),
    };
    check(
        &job,
        "0110019200000000700080000000000000011001920000000070008000000000000001010402020101010a6e6f5f636f\
         6e74656e740f4e6f7468696e6720746f207361792e",
    );
    check(
        &Lease { nonce: 1 << 127, worker: "w".into(), expires: Millis(5) },
        "01fe0000000000000000000000000000008001770a",
    );
    check(&Closed::Accepted { nonce: 1, at: Millis(5) }, "0100010a");
    check(
        &Closed::GivenUp { fault: fault(), claims: 3, at: Millis(5) },
        "01010a6e6f5f636f6e74656e740f4e6f7468696e6720746f207361792e030a",
    );
    check(&Posting { epoch: 2, class: Class::Plan }, "010200");
}

#[test]
fn the_rest() {
    check(
        &Idempotency { request: [5; 32], made: ID, at: Millis(5) },
        "010505050505050505050505050505050505050505050505050505050505050505100192000000007000800000000000\
         00010a",
    );
    check(
        &Meta { signing_secret: [6; 32], first_account: Some((ID, true)) },
        "010606060606060606060606060606060606060606060606060606060606060606011001920000000070008000000000\
         00000101",
    );
    check(
        &Upload { id: ID, blob: BlobId::of(b"a"), bytes: 9, created: Millis(5), expires: Millis(6) },
        "011001920000000070008000000000000001ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb090a0c",
    );
}
