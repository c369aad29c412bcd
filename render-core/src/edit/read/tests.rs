use std::sync::OnceLock;

use proptest::prelude::*;

use super::super::instruction::clause as printed;
use super::*;
use crate::content::{Direction, Language};
use crate::design::{Brand, FileKey, Logo, Page, Part, SlotId, Style, Template, Which};
use crate::format::Format;
use crate::outline::Locale;
use crate::plan::specimens::specimen;
use crate::scene::Color;
use crate::text::Fonts;

static PROMPTS: [&str; 2] = [include_str!("prompts.txt"), include_str!("prompts_abroad.txt")];

fn fonts() -> &'static Fonts {
    static FONTS: OnceLock<Fonts> = OnceLock::new();
    FONTS.get_or_init(Fonts::new)
}

fn brand() -> Brand {
    let logo = Logo { key: FileKey([7; 32]), width: 400, height: 90, pixels: None };
    Brand {
        name: "Acme".into(),
        primary: Some(Color::hex(0x0a5f38)),
        accent: Some(Color::hex(0xff7a00)),
        logo: Some(logo),
        heading: Some(crate::text::Family::Archivo),
        ..Brand::default()
    }
}

/// The sample page of a name, in fixed colours.
pub(super) fn page(name: &str) -> Page {
    let (template, style, format) = match name {
        "list" => (Template::named("list-grid"), Style::MINIMAL, "instagram_post"),
        "stat" => (Template::named("big-stat"), Style::MODERN, "instagram_post"),
        "quote" => (Template::named("quote"), Style::ELEGANT, "instagram_post"),
        "slide" => (Template::named("point-slide"), Style::MODERN, "instagram_carousel"),
        "bars" => (Template::named("bar-rank"), Style::CORPORATE, "instagram_post"),
        "recap" => (Template::named("recap-cta"), Style::MODERN, "instagram_carousel"),
        "tiles" => (Template::named("tips-bento"), Style::MODERN, "instagram_post"),
        "photo" => (Template::named("cover-split"), Style::MODERN, "instagram_post"),
        "brand" => (Template::named("cover-type"), Style::MODERN, "instagram_post"),
        "night" => (Template::named("cover-type"), Style::DARK, "instagram_post"),
        "rtl" => (Template::named("point-slide"), Style::MODERN, "instagram_carousel"),
        other => panic!("no page {other}"),
    };
    let format = Format::by_id(format).expect("in the catalogue").id;
    let mut page = specimen(template, style, format, 3, fonts()).unwrap_or_else(|| panic!("no specimen {name}"));
    let p = &mut page.palette;
    (p.bg, p.surface, p.ink, p.ink2) = (Color::hex(0xf7f3ea), Color::WHITE, Color::hex(0x15171c), Color::hex(0x15171c));
    (p.accent, p.field, p.line) = (Color::hex(0xff4d14), Color::hex(0x0e3b36), Color::hex(0xd9d2c4));
    if name == "night" {
        (p.bg, p.ink) = (Color::hex(0x101418), Color::hex(0xf2f2ee));
    }
    if name == "tiles" {
        page.items.resize(5, crate::design::ItemData::default());
        for (item, icon) in page.items.iter_mut().zip(["coffee", "tea", "egg", "fish", "apple"]) {
            item.icon = crate::icon::Icon::by_name(icon);
        }
    }
    if name == "recap" {
        // Its items have numerals.
        page.items.iter_mut().for_each(|item| item.icon = None);
    }
    if let Some(photo) = &mut page.photo {
        photo.focus = crate::scene::Point::new(0.5, 0.5);
    }
    if name == "brand" {
        page.logo = brand().logo;
    }
    if name == "rtl" {
        page.locale = Locale { language: Language::parse("he").expect("Hebrew"), direction: Direction::Rtl };
        for slot in &mut page.slots {
            match slot.id {
                SlotId::Title => slot.text = "מים לגינה בבוקר".into(),
                SlotId::Body => slot.text = "השקיה אחת ארוכה מספיקה לשבוע.".into(),
                _ => {}
            }
        }
    }
    page
}

/// The target of a page, its texts in fixed sizes and inks.
pub(super) fn target<'a>(page: &'a Page, brand: Option<&'a Brand>) -> Target<'a> {
    let mut target = Target::new(page, 1, brand, fonts());
    for block in &mut target.scene.blocks {
        let part = block.slot.parse().ok().and_then(Part::of);
        (block.size, block.weight) = match part {
            Some(Part::Headline) => (120.0, 600),
            Some(Part::Figure) => (400.0, 600),
            Some(Part::Points) => (50.0, 600),
            Some(Part::Supporting) => (40.0, 400),
            Some(Part::Details) => (30.0, 400),
            _ => (24.0, 500),
        };
        block.color = page.palette.ink;
    }
    target
}

/// Colours in braces: "{darker 0.12 #f7f3ea}".
fn expected(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some((before, tail)) = rest.split_once('{') {
        let (inside, after) = tail.split_once('}').expect("a closing brace");
        let [way, by, hex] = inside.split(' ').collect::<Vec<_>>()[..] else { panic!("{inside}") };
        let way = match way {
            "darker" => colour::Way::Darker,
            "lighter" => colour::Way::Lighter,
            "warmer" => colour::Way::Warmer,
            "cooler" => colour::Way::Cooler,
            "vivid" => colour::Way::Vivid,
            "muted" => colour::Way::Muted,
            other => panic!("{other}"),
        };
        let moved = colour::moved(Color::parse(hex).expect("a colour"), way, by.parse().expect("a number"));
        out.push_str(before);
        out.push_str(&moved.to_hex());
        rest = after;
    }
    out + rest
}

fn said(read: &Result<Asked, Unread>) -> String {
    match read {
        Ok(asked) => {
            let clauses = asked.ops.iter().map(printed).collect::<Vec<_>>().join("; ");
            if asked.everywhere { format!("* {clauses}") } else { clauses }
        }
        Err(Unread { reason: UnreadReason::NotUnderstood, .. }) => "? not_understood".into(),
        Err(Unread { reason: UnreadReason::NotPossible, .. }) => "! not_possible".into(),
    }
}

#[test]
fn prompts_ask_what_they_say() {
    let brand = brand();
    let (mut wrong, mut counts) = (Vec::new(), Vec::new());
    for list in PROMPTS {
        let mut n = 0;
        let mut at: Option<Page> = None;
        let mut branded = false;
        for line in list.lines().filter(|l| !l.is_empty() && !l.starts_with("# ")) {
            if let Some(name) = line.strip_prefix('[').and_then(|l| l.strip_suffix(']')) {
                at = Some(page(name));
                branded = name == "brand";
                continue;
            }
            let (prompt, want) = line.rsplit_once(" => ").unwrap_or_else(|| panic!("{line}"));
            let page = at.as_ref().expect("a page before its prompts");
            let read = read(prompt, &target(page, branded.then_some(&brand)));
            let got = said(&read);
            n += 1;
            if got != expected(want) {
                let why = read.as_ref().err().map(|e| e.message.clone()).unwrap_or_default();
                wrong.push(format!("{prompt}\n    want {}\n    got  {got} {why}", expected(want)));
            }
        }
        counts.push(n);
    }
    assert!(wrong.is_empty(), "{} of {counts:?}\n{}", wrong.len(), wrong.join("\n"));
    assert!(counts[0] >= 300 && counts[1] >= 100, "{counts:?}");
}

#[test]
fn several_readings_are_told() {
    let page = page("list");
    let target = target(&page, None);
    for prompt in ["bigger", "make it blue", "make the text bigger", "make it bold", "make it pop"] {
        let asked = read(prompt, &target).unwrap_or_else(|e| panic!("{prompt}: {e:?}"));
        assert!(!asked.notes.is_empty(), "{prompt}");
    }
}

#[test]
fn suggestions_are_understood() {
    for name in ["list", "stat", "quote", "slide", "bars", "recap", "tiles", "photo", "brand", "night", "rtl"] {
        let page = page(name);
        let target = target(&page, None);
        let all = suggestions(&target);
        assert!((4..=5).contains(&all.len()));
        // The others are for pages that have more than one layout.
        for prompt in all.into_iter().take(3) {
            assert!(read(&prompt, &target).is_ok_and(|a| !a.ops.is_empty()), "{name}: {prompt}");
        }
    }
}

#[test]
fn what_was_not_understood_is_named() {
    let page = page("list");
    let target = target(&page, None);
    let unread = read("paint the fence and feed the goat", &target).expect_err("a fence");
    assert_eq!(unread.message, "“paint the fence” was not understood.");
    for prompt in ["", " \n", "\u{0}\u{1}", &"a".repeat(2001)] {
        let unread = read(prompt, &target).expect_err("no prompt");
        assert_eq!(unread.reason, UnreadReason::NotUnderstood);
        assert!(unread.suggestions.len() >= 2);
    }
}

#[test]
fn sentences_that_can_not_be_read_are_named_and_the_others_done() {
    let page = page("slide");
    let target = target(&page, None);
    let read = |prompt: &str| read(prompt, &target);
    let asked = read("Paint the fence. Make the headline smaller.").expect("one of them");
    assert!(asked.partial && asked.notes.iter().any(|note| note.contains("“Paint the fence” was not understood")));
    assert!(matches!(asked.ops[..], [Op::Size { .. }]), "{:?}", asked.ops);
    // Words for the page end where the next instruction begins.
    let title = page.text(SlotId::Title).expect("a headline").split(' ').next().expect("a word");
    let asked =
        read(&format!("replace {title} with Cloudpeak. And on every slide the logo should dance")).expect("a word");
    let said: Vec<String> = asked.ops.iter().map(printed).collect();
    assert!(said.iter().all(|clause| !clause.contains("every slide")), "{said:?}");
    // What says by itself nothing of the page is no instruction.
    for prompt in [
        "He says “so it is” and goes. Please cut it to “So it goes”.",
        "It is dull. Can it be stronger?",
        "Paint the fence. Then it.",
    ] {
        assert!(read(prompt).is_err(), "{prompt}");
    }
}

#[test]
fn words_that_mean_something_else_are_no_sizes_and_no_points() {
    let page = page("list");
    let target = target(&page, None);
    for prompt in [
        "number the points 1 to 6 and make the heading bigger",
        "add a little icon for each point, a cup for the first",
    ] {
        let asked = read(prompt, &target);
        let wrong = |op: &Op| matches!(op, Op::Size { which: Which::One(_), .. } | Op::Items(_));
        assert!(!asked.as_ref().is_ok_and(|asked| asked.ops.iter().any(wrong)), "{prompt}: {asked:?}");
    }
}

/// The ops that a prompt asks of the slide, whose headline is "Mulch before the heat, not after it".
fn of_slide(prompt: &str, picture: Option<&str>) -> Result<Vec<Op>, Unread> {
    let page = Page { picture: picture.map(str::to_owned), ..page("slide") };
    read(prompt, &target(&page, None)).map(|asked| asked.ops)
}

#[test]
fn texts_are_called_by_their_words() {
    let page = page("slide");
    let title = page.text(SlotId::Title).expect("a headline").to_owned();
    let (front, rest) = title.split_at(title.find(", ").map_or(9, |at| at + 1));
    let asked = of_slide(&format!("it should be on two lines, “{front}” / “{}”", rest.trim()), None).unwrap();
    assert_eq!(asked, [Op::Words { slot: SlotId::Title, to: format!("{front}\n{}", rest.trim()) }]);
    let asked = of_slide("make mulch and heat stand out", None).unwrap();
    assert_eq!(asked, [Op::Stress { slot: SlotId::Title, words: vec!["Mulch".into(), "heat".into()] }]);
}

#[test]
fn faces_are_called_by_their_mood() {
    let asked = of_slide("use a more elegant font for the headline", None).unwrap();
    let elegant = crate::design::Theme::of(Style::ELEGANT).faces[0].display;
    assert_eq!(asked, [Op::Face { display: true, to: elegant }]);
}

#[test]
fn a_drawing_is_called_by_its_name() {
    let asked = of_slide("get rid of the compass", Some("compass")).unwrap();
    assert!(matches!(asked[..], [Op::Art { recipe: None, .. }]), "{asked:?}");
    let asked = of_slide("swap the compass for a bridge", Some("compass")).unwrap();
    assert_eq!(asked, [Op::Drawing("bridge".into())]);
    // Words for the page are none of the drawing.
    let asked = of_slide("change the headline to compass", Some("compass")).unwrap();
    assert_eq!(asked, [Op::Words { slot: SlotId::Title, to: "compass".into() }]);
}

/// Words of every list, to be thrown together.
fn vocabulary() -> Vec<String> {
    let lists = [include_str!("words/en.txt"), include_str!("words/de.txt"), include_str!("words/cjk.txt")];
    let mut words: Vec<String> = lists
        .iter()
        .flat_map(|l| l.lines())
        .filter_map(|l| l.split_once(" = "))
        .flat_map(|(_, said)| said.split(';').map(|p| p.trim().to_owned()))
        .collect();
    words.extend(
        ["“Lavender”", "'x'", "\"", "‘", "20%", "#fff", "3", "0", "999999", ",", ".", ";", "Thyme", "@a", "and"]
            .map(String::from),
    );
    words
}

#[test]
fn faces_that_an_operator_added_go_by_their_names() {
    const CHEROKEE: &[u8] = include_bytes!("../../../../tests/data/fonts/noto-sans-cherokee-400.ttf");
    let clause = "set the headline face to “Noto Sans Cherokee”";
    let fonts = Fonts::new();
    fonts.add(crate::text::check_font(CHEROKEE).unwrap()).unwrap();
    let page = page("list");
    let asked = read("use Noto Sans Cherokee for the headline", &Target::new(&page, 1, None, &fonts)).unwrap();
    assert_eq!(asked.ops.iter().map(printed).collect::<Vec<_>>(), [clause]);
    assert_eq!(crate::edit::Instruction::parse_clauses(clause).unwrap(), asked.ops);
    assert!(crate::edit::Instruction::parse_clauses("set the headline face to “Nobody’s”").is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn any_text_is_answered(text in any::<String>()) {
        static PAGE: OnceLock<Page> = OnceLock::new();
        let page = PAGE.get_or_init(|| page("list"));
        let _ = read(&text, &target(page, None));
    }

    #[test]
    fn words_thrown_together_are_answered(words in proptest::collection::vec(0_usize..100_000, 1..14), on in 0_usize..4) {
        static PAGES: OnceLock<Vec<Page>> = OnceLock::new();
        static WORDS: OnceLock<Vec<String>> = OnceLock::new();
        let pages = PAGES.get_or_init(|| ["list", "stat", "tiles", "recap"].map(page).into());
        let all = WORDS.get_or_init(vocabulary);
        let text: Vec<&str> = words.iter().map(|i| all[i % all.len()].as_str()).collect();
        let target = target(&pages[on], None);
        if let Ok(asked) = read(&text.join(" "), &target) {
            prop_assert!(!asked.ops.is_empty());
            for op in &asked.ops {
                match op {
                    Op::Size { to, .. } => prop_assert!((4..=2000).contains(to)),
                    Op::Space(to) => prop_assert!((50..=200).contains(to)),
                    Op::Weight { to, .. } => prop_assert!((100..=900).contains(to)),
                    Op::Logo { percent, .. } => prop_assert!((40..=400).contains(percent)),
                    _ => {}
                }
            }
        }
    }
}
