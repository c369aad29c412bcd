//! Golden bytes: rows as version 1 wrote them. They must stay readable forever.

use fleet::protocol::{BlobId, Class, ModelUsage, Secret, Wishes};
use render_core::format::Resolution;
use render_core::inspect::{Check, Quality};
use render_core::warning::{Warning, WarningCode};
use uuid::Uuid;

use crate::accounts::Plan;
use crate::balance::{Balance, Pack, Share, Source};
use crate::clock::{Millis, Month};
use crate::state::rows::accounts::Meta;
use crate::state::rows::assets::{FaceShelf, KitShelf};
use crate::state::rows::encoding::{Record, decode, encode};
use crate::state::rows::idempotency::Idempotency;
use crate::state::rows::jobs::{Closed, DeadJob, Lease, OpenJob, Posting, Proof, Unstored, Work};
use crate::state::rows::ledger::EntryPlace;
use crate::state::rows::objects::Probe;
use crate::state::{
    Account, AccountFace, End, Entry, Fault, Generation, Given, Granted, Image, ImageFormat, Kit, KitColors,
    KitContent, KitLogo, Output, PlannedFacts, Request, Status, UNTOLD, Upload, UploadKind,
};

const ID: Uuid = Uuid::from_u128(0x0192_0000_0000_7000_8000_0000_0000_0001);

pub(in crate::state) fn check<R: Record + PartialEq + std::fmt::Debug>(record: &R, golden: &str) {
    let row = encode(record).unwrap();
    assert_eq!(hex::encode(&row), golden, "version 1 of this record changed; make version 2 instead");
    assert_eq!(decode::<R>(&row).as_ref(), Ok(record));
    for cut in 0..row.len() {
        assert!(decode::<R>(&row[..cut]).is_err(), "a torn row was read");
    }
    let longer = [row.as_slice(), &[0]].concat();
    assert!(decode::<R>(&longer).is_err(), "bytes after the record were ignored");
    for version in [0, R::VERSION + 1, 99] {
        assert!(decode::<R>(&[&[version], &row[1..]].concat()).is_err(), "version {version} was read");
    }
}

/// Checks that a row that an older version wrote is read as `record`, and only as a whole.
pub(in crate::state) fn check_older<R: Record + PartialEq + std::fmt::Debug>(record: &R, row: &str) {
    let row = hex::decode(row).unwrap();
    assert!((1..R::VERSION).contains(&row[0]), "version {} is not older than {}", row[0], R::VERSION);
    assert_eq!(decode::<R>(&row).as_ref(), Ok(record));
    for cut in 0..row.len() {
        assert!(decode::<R>(&row[..cut]).is_err(), "a torn row of version {} was read", row[0]);
    }
    let longer = [row.as_slice(), &[0]].concat();
    assert!(decode::<R>(&longer).is_err(), "bytes after a row of version {} were ignored", row[0]);
}

fn fault() -> Fault {
    Fault { code: "no_content".into(), message: "Nothing to say.".into() }
}

#[test]
fn account() {
    check(&Account { name: "house".into(), plan: Plan::Pro, active: true, created: Millis(5) }, "0105686f75736501010a");
}

#[test]
fn money() {
    let balance = Balance { topup: 10_000, reserved: 15, ..Balance::default() };
    check_older(&balance, "01fb10270f");
    check(&balance, "02fb10270f00000000");
    let pack = Pack { id: ID, left: 7, expires: Millis(5) };
    let full = Balance { monthly: 3, month: Month(24_322), packs: vec![pack], entries: 9, ..balance };
    check(&full, "02fb10270f03fb025f0110019200000000700080000000000000010 70a09".replace(' ', "").as_str());

    let entry = Entry { amount: 15, at: Millis(5), number: 0, available: 0, reserved: 0, shares: vec![], note: None };
    check_older(&entry, "010f0a");
    let share = |source, amount| Share { source, amount };
    let shares = vec![share(Source::Topup, 1), share(Source::Monthly(Month(2)), 6), share(Source::Pack(ID), 8)];
    check(
        &Entry { number: 1, available: 2, reserved: 3, shares, note: Some("n".into()), ..entry },
        "020f0a0102030300010102060210019200000000700080000000000000010801016e",
    );
    check(&EntryPlace(vec![1, 2]), "01020102");
}

fn a_generation() -> Generation {
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
    Generation {
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
        brand: None,
        photos: Vec::new(),
        images_deleted: None,
        input_deleted: None,
        parent: None,
        wishes: Wishes::default(),
        usage: None,
        name: None,
    }
}

#[test]
fn generation() {
    let record = a_generation();
    // Rows of older versions did not record whether there is a photograph.
    let untold = |record: &Generation| Generation { photos: vec![UNTOLD], ..record.clone() };
    let version_1 = "0110019200000000700080000000000000011001920000000070008000000000000001030a010c010e00010101010101\
         010101010101010101010101010101010101010101010101010105466f786573020e696e7374616772616d5f706f7374\
         00116c696e6b6564696e5f6361726f7573656c01050101540001046461726b0102656e01022a01020202020202020202\
         0202020202020202020202020202020202020202020202015402656e046461726b060501550f010a6e6f5f636f6e7465\
         6e740f4e6f7468696e6720746f207361792e00";
    check_older(&untold(&record), version_1);
    let whole = Generation { exact: true, ..record.clone() };
    for (exact, record) in [("00", &record), ("01", &whole)] {
        let version_2 = format!("02{}{exact}", &version_1[2..]);
        check_older(&untold(record), &version_2);
        let version_3 = format!("03{}00", &version_2[2..]);
        check_older(&untold(record), &version_3);
        let version_4 = format!("04{}0000", &version_3[2..]);
        check_older(record, &version_4);
        let version_5 = format!("05{}00", &version_4[2..]);
        check_older(record, &version_5);
        let version_6 = format!("06{}00", &version_5[2..]);
        check_older(record, &version_6);
        let version_7 = format!("07{}", &version_6[2..]);
        check_older(record, &version_7);
        let version_8 = format!("08{}00000000", &version_6[2..]);
        check_older(record, &version_8);
        check(record, &format!("09{}00", &version_8[2..]));
    }
    let branded = Generation { brand: Some(BlobId([8; 32])), ..whole };
    check(&branded, &format!("09{}0101{}000000000000000000", &version_1[2..], "08".repeat(32)));
    let emptied = Generation { photos: vec![BlobId([9; 32])], images_deleted: Some(Millis(8)), ..branded };
    let emptied_row = format!("09{}0101{}01{}0110", &version_1[2..], "08".repeat(32), "09".repeat(32));
    check(&emptied, &format!("{emptied_row}00000000000000"));
    let expired = Generation { input_deleted: Some(Millis(9)), ..emptied };
    check(&expired, &format!("{emptied_row}0112000000000000"));
    let derived = Generation { parent: Some(ID), ..expired };
    let parent = "01120110019200000000700080000000000000 01".replace(' ', "");
    check(&derived, &format!("{emptied_row}{parent}0000000000"));
    let several = Generation { photos: vec![BlobId([9; 32]), BlobId([10; 32])], ..derived };
    let photos = format!("02{}{}", "09".repeat(32), "0a".repeat(32));
    check(&several, &format!("09{}0101{}{photos}0110{parent}0000000000", &version_1[2..], "08".repeat(32)));
    let wishes = Wishes { audience: Some("A".into()), goal: None, tone: Some("T".into()) };
    let usage = ModelUsage { model: "m".into(), calls: 2, input_tokens: 9, output_tokens: 1, micro_usd: Some(3) };
    let written = Generation { wishes, usage: Some(usage), ..several };
    let row = format!("09{}0101{}{photos}0110{parent}", &version_1[2..], "08".repeat(32));
    check(&written, &format!("{row}0101410001015401016d020901010300"));
    let renamed = Generation { name: Some("N".into()), ..written };
    check(&renamed, &format!("{row}0101410001015401016d020901010301014e"));
}

#[test]
fn generations_of_other_requests() {
    let record = a_generation();
    // The platform's exact size is a third resolution. Such rows end like all others.
    let exact = Request { resolution: Resolution::Exact, ..record.request.clone() };
    let row = |request| hex::encode(encode(&Generation { request, ..record.clone() }).unwrap());
    assert_eq!(row(exact), row(record.request.clone()).replacen("02656e01022a", "02656e02022a", 1));
    let of_page = Request { given: Given::Url("https://a.example".into()), ..record.request.clone() };
    check(
        &Generation { request: of_page, ..record },
        "0910019200000000700080000000000000011001920000000070008000000000000001030a010c010e01116874747073\
         3a2f2f612e6578616d706c65010101010101010101010101010101010101010101010101010101010101010105466f78\
         6573020e696e7374616772616d5f706f737400116c696e6b6564696e5f6361726f7573656c0105010154000104646172\
         6b0102656e01022a010202020202020202020202020202020202020202020202020202020202020202015402656e0464\
         61726b060501550f010a6e6f5f636f6e74656e740f4e6f7468696e6720746f207361792e000000000000000000000000",
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
        epoch: 2.into(),
        claims: 1,
        interruptions: 1,
        fault: Some(fault()),
        unstored: Some(Unstored { since: Millis(5), times: 2 }),
        tokens: Some(Granted { day: 7, tokens: 300 }),
    };
    check(
        &job,
        "0310019200000000700080000000000000011001920000000070008000000000000001010402020101010a6e6f5f636f\
         6e74656e740f4e6f7468696e6720746f207361792e010a020107fb2c01",
    );
    let edit = OpenJob { work: Work::Edit(4), class: Class::Edit, fault: None, unstored: None, tokens: None, ..job };
    let of_edit =
        "10019200000000700080000000000000011001920000000070008000000000000001020403020101 00".replace(' ', "");
    check(&edit, &format!("03{of_edit}0000"));
    for older in [format!("01{of_edit}"), format!("02{of_edit}00")] {
        check_older(&edit, &older);
    }
    let lease = Lease {
        nonce: 1 << 127,
        worker: "w".into(),
        expires: Millis(5),
        since: Millis(4),
        proof: Some(Proof::of(Secret([3; 16]))),
        folder: Some("w".into()),
    };
    check(&lease, "03fe0000000000000000000000000000008001770a08016399f6d863b08f4652b342c2e1350b4c010177");
    let plain = Lease { proof: None, folder: None, ..lease };
    check_older(&plain, "02fe0000000000000000000000000000008001770a08");
    check_older(&Lease { since: Millis(0), ..plain }, "01fe0000000000000000000000000000008001770a");
    let accepted = |proof| Closed::Accepted { nonce: 1, at: Millis(5), proof };
    for row in ["0100010a", "0200010a"] {
        check_older(&accepted(None), row);
    }
    check(&accepted(Some(Proof::of(Secret([3; 16])))), "0300010a016399f6d863b08f4652b342c2e1350b4c");
    let given_up = "010a6e6f5f636f6e74656e740f4e6f7468696e6720746f207361792e030a";
    let letter = |of| Closed::GivenUp { fault: fault(), claims: 3, at: Millis(5), of };
    check_older(&letter(None), &format!("01{given_up}"));
    let of = DeadJob { account: ID, generation: ID, work: Work::Render(2) };
    let id = "1001920000000070008000000000000001";
    check(&letter(Some(of)), &format!("03{given_up}01{id}{id}0102"));
    check_older(&letter(Some(of)), &format!("02{given_up}01{id}{id}0102"));
    check(&Posting { epoch: 2.into(), class: Class::Plan }, "010200");
    check(&Probe { at: Millis(5) }, "010a");
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
    let kind = UploadKind::Pdf;
    let upload = Upload { id: ID, blob: BlobId::of(b"a"), bytes: 9, created: Millis(5), expires: Millis(6), kind };
    let version_1 =
        "011001920000000070008000000000000001ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb090a0c";
    check_older(&upload, version_1);
    check(&upload, &format!("02{}00", &version_1[2..]));
    let kind = UploadKind::of_file(fleet::files::FileKind::Docx);
    check(&Upload { kind, ..upload.clone() }, &format!("02{}0201", &version_1[2..]));
    let kind = UploadKind::Font { media: "font/ttf".into(), family: "Acme".into(), weight: 700 };
    check(&Upload { kind, ..upload.clone() }, &format!("02{}0108666f6e742f7474660441636d65fbbc02", &version_1[2..]));
    let kind = UploadKind::Picture(fleet::import::PictureKind::Jpeg);
    check(&Upload { kind, ..upload }, &format!("02{}0301", &version_1[2..]));
}

#[test]
fn brands() {
    let content = KitContent {
        name: "Acme".into(),
        colors: KitColors { primary: Some([1, 2, 3]), text: Some([9; 3]), ..KitColors::default() },
        heading: Some("Manrope".into()),
        body: None,
        tone: Some("warm".into()),
        handle: Some("@acme".into()),
        url: Some("acme.example".into()),
        style: Some("bold".into()),
        footer: Some(true),
    };
    let logo = Some(KitLogo { blob: BlobId([5; 32]), width: 700, height: 90 });
    let kit = Kit { id: ID, content, logo, logo_dark: None, created: Millis(5), updated: Millis(6) };
    let row = concat!(
        "1001920000000070008000000000000001",
        "0441636d65",
        "01010203000000",
        "01090909",
        "01074d616e726f706500",
        "01047761726d",
        "01054061636d65",
        "010c61636d652e6578616d706c65",
        "0104626f6c64",
        "0101",
        "010505050505050505050505050505050505050505050505050505050505050505fbbc025a",
        "000a0c",
    );
    check(&kit, &format!("01{row}"));
    check(&KitShelf { kits: 2, default: Some(ID) }, "0102011001920000000070008000000000000001");
    let face = AccountFace {
        upload: ID,
        family: "Acme".into(),
        weight: 700,
        blob: BlobId([6; 32]),
        bytes: 9,
        expires: Millis(6),
    };
    check(
        &FaceShelf { faces: vec![face] },
        concat!(
            "01011001920000000070008000000000000001",
            "0441636d65fbbc02",
            "0606060606060606060606060606060606060606060606060606060606060606090c"
        ),
    );
}
