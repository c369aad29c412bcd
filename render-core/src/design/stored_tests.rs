//! Pages of every stored version can be read, and encoded pages decode to the same value.

use super::*;
use crate::design::{LogoLook, LogoPlace, Part, SlotId, Stand, Which};
use crate::text::{Align, Family};

fn encode(page: &Page) -> Vec<u8> {
    super::encode(page, None)
}

fn page() -> Page {
    Page {
        format: Format::by_id("instagram_carousel").expect("in the catalogue").id,
        slide: Some(Slide { index: 1, count: 5 }),
        template: Template::named("step-slide"),
        style: Style::DARK,
        palette: Palette {
            bg: Color::hex(0x3be0a0),
            surface: Color::hex(0x00be83),
            ink: Color::hex(0x05130c),
            ink2: Color::hex(0x0a2519),
            line: Color::hex(0x00b37b),
            accent: Color::hex(0x05130c),
            accent_text: Color::hex(0x05130c),
            accent2: Color::hex(0x008d60),
            tint: Color::hex(0x11cc8d),
            on_accent: Color::hex(0x3be0a0),
            field: Color::hex(0x05130c),
            on_field: Color::hex(0x3be0a0),
            art: [0x05130c, 0x05130c, 0x008d60, 0x11cc8d, 0x00be83].map(Color::hex),
        },
        background: Background::Accent,
        picture: None,
        motif: None,
        sameness: None,
        authored: None,
        whole: false,
        scheme: None,
        art: Some(Art { recipe: Recipe::Limb, seed: u64::MAX, value: Some(0.4) }),
        photo: None,
        logo: None,
        faces: Faces { display: Family::SpaceGrotesk, body: Family::SpaceGrotesk, data: Family::GeistMono },
        writing: Writing::Horizontal,
        slots: vec![
            Slot {
                id: SlotId::Title,
                text: "Zwei Wörter “mehr”".into(),
                span: Some(Span { start: 3, end: 20 }),
                emphasis: Vec::new(),
            },
            Slot { id: SlotId::ItemBody(11), text: "x".into(), span: None, emphasis: Vec::new() },
        ],
        items: Vec::new(),
        sizes: SizeCaps { title: Some(81.5), body: None, item: Some(40.0) },
        adjust: Adjust::default(),
        locale: Locale { language: Language::parse("de").expect("a language"), direction: Direction::Ltr },
        alt_text: "A page.".into(),
        seed: 42,
        warnings: Vec::new(),
    }
}

#[test]
fn warnings_come_back_and_unknown_ones_are_left_out() {
    let warned = Page { warnings: vec![Warning::new(WarningCode::TextShrunk, "small")], ..page() };
    assert_eq!(decode(&encode(&warned)).expect("own bytes"), warned);
    let mut json: serde_json::Value =
        serde_json::from_slice(&zstd::decode_all(&*encode(&warned)).expect("zstd")).expect("JSON");
    json["warnings"][0]["code"] = "a_code_of_tomorrow".into();
    let later = zstd::encode_all(&*serde_json::to_vec(&json).expect("JSON"), 0).expect("zstd");
    assert_eq!(decode(&later).expect("a page"), page());
}

fn emphatic() -> Page {
    let mut page = page();
    page.slots[0].emphasis = vec![0..4, 5..12];
    page
}

#[test]
fn a_page_comes_back_as_it_was() {
    assert_eq!(decode(&encode(&page())).expect("own bytes"), page());
    assert_eq!(decode(&encode(&emphatic())).expect("own bytes"), emphatic());
    assert_eq!(decode(&encode(&charted())).expect("own bytes"), charted());
    let photo = Photo {
        key: "ab".repeat(32),
        width: 1200,
        height: 800,
        focus: Point::new(0.25, 0.75),
        crop: Crop::Whole,
        pixels: None,
    };
    let pictured = Page { photo: Some(photo), ..page() };
    assert_eq!(decode(&encode(&pictured)).expect("own bytes"), pictured);
    let columns = Page { writing: Writing::Vertical, ..page() };
    assert_eq!(decode(&encode(&columns)).expect("own bytes"), columns);
    let faces = Faces { display: Family::OwnHeading, body: Family::OwnBody, data: Family::added("Acme Mono") };
    let branded = Page { faces, ..page() };
    assert_eq!(decode(&encode(&branded)).expect("own bytes"), branded);
    let illustrated = Page { picture: Some("bridge".to_owned()), ..page() };
    assert_eq!(decode(&encode(&illustrated)).expect("own bytes"), illustrated);
}

/// Returns a page with fields that versions 1 and 2 lack.
fn charted() -> Page {
    let icon = Icon::by_name("map-pin");
    assert!(icon.is_some());
    let items = vec![ItemData { group: 1, numbers: vec![18.4, -3.0], done: true, icon }];
    Page { items, ..emphatic() }
}

#[test]
fn every_slot_name_reads_back() {
    let plain = "kicker title body value unit number attribution cta handle counter item.0.head item.9.body item.1.label \
                 item.2.cell.3 group.1";
    for name in plain.split(' ') {
        assert_eq!(name.parse::<SlotId>().expect("a slot").to_string(), name);
    }
    assert!("item.300.head".parse::<SlotId>().is_err());
    assert!("item.1.tail".parse::<SlotId>().is_err());
}

#[test]
fn version_1_is_still_read() {
    let golden = include_bytes!("stored_v1.json");
    let bytes = zstd::encode_all(golden.as_slice(), 3).expect("compressing memory");
    assert_eq!(decode(&bytes).expect("version 1"), page());
}

#[test]
fn version_2_is_still_read() {
    let golden = include_bytes!("stored_v2.json");
    let bytes = zstd::encode_all(golden.as_slice(), 3).expect("compressing memory");
    assert_eq!(decode(&bytes).expect("version 2"), Page { writing: Writing::Vertical, ..emphatic() });
}

#[test]
fn version_3_is_still_read() {
    let golden = include_bytes!("stored_v3.json");
    let bytes = zstd::encode_all(golden.as_slice(), 3).expect("compressing memory");
    assert_eq!(decode(&bytes).expect("version 3"), charted());
}

/// Returns a page with fields that versions 1 to 3 lack.
fn edited() -> Page {
    let adjust = Adjust {
        scales: vec![(Which::All(Part::Headline), 1.25), (Which::One(SlotId::ItemHead(1)), 0.5)],
        weights: vec![(Part::Supporting, 700)],
        inks: vec![(Which::All(Part::Points), Color::hex(0xff7a00))],
        align: Some(Align::Center),
        stand: None,
        space: 120,
        scheme: Some(2),
        logo: LogoLook { shown: true, place: LogoPlace::FootEnd, percent: 150 },
        dim: 30,
        highlight: Some(1),
        unnumbered: true,
        variant: None,
    };
    Page { adjust, ..charted() }
}

#[test]
fn the_variant_of_a_moved_page_is_kept() {
    let page = Page { adjust: Adjust { variant: Some(4), ..Adjust::default() }, ..charted() };
    assert_eq!(decode(&encode(&page)).expect("own bytes"), page);
}

#[test]
fn where_the_text_stands_is_kept() {
    for stand in Stand::ALL {
        let page = Page { adjust: Adjust { stand: Some(stand), ..Adjust::default() }, ..charted() };
        assert_eq!(decode(&encode(&page)).expect("own bytes"), page);
    }
}

#[test]
fn version_4_is_still_read() {
    let golden = include_bytes!("stored_v4.json");
    let bytes = zstd::encode_all(golden.as_slice(), 3).expect("compressing memory");
    assert_eq!(decode(&bytes).expect("version 4"), edited());
}

#[test]
fn version_5_is_still_read() {
    let golden = include_bytes!("stored_v5.json");
    let tree = "<page><headline id=\"title\">Zwei Wörter</headline></page>";
    let (page, text) = read(5, golden).expect("version 5");
    assert_eq!((page, text.as_deref()), (edited(), Some(tree)));
    let bytes = super::encode(&edited(), Some(tree.to_owned()));
    assert_eq!(zstd::decode_all(bytes.as_slice()).expect("own bytes"), golden.trim_ascii_end());
}

#[test]
fn what_is_not_a_page_is_refused() {
    let zstd = |json: &str| zstd::encode_all(json.as_bytes(), 3).expect("compressing memory");
    assert!(matches!(decode(b"plain"), Err(StoredError::Malformed(_))));
    assert!(matches!(decode(&zstd("{}")), Err(StoredError::Malformed(_))));
    assert!(matches!(decode(&zstd("{\"version\":6}")), Err(StoredError::Newer(6))));
    let bomb = zstd(&" ".repeat(limits::PAGE_BYTES + 1));
    assert!(matches!(decode(&bomb), Err(StoredError::Malformed(_))));
}
