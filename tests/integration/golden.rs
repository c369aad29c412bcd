//! Compares pictures with references in `tests/golden`: small pictures of each template in two of the styles, smaller
//! ones of it in the others, one per script, some with emphasis and emoji, and two with vertical text.
//!
//! `VIVID_BLESS=1` writes new references; look at them before you commit. If a picture differs, the test writes it with
//! its reference and their difference to a folder that the failure names.

use std::path::{Path, PathBuf};

use render_core::Format;
use render_core::compose::compose;
use render_core::content::{Language, read_text};
use render_core::design::{Page, Style, Template, Writing};
use render_core::plan::specimens::specimens;
use render_core::plan::{PlanRequest, plan};
use render_core::raster::cpu::CpuRasteriser;
use render_core::raster::{Pixmap, Rasteriser};
use render_core::scene::{Affine, Canvas, Color, Coverage, Item, Paint, Rect, Role, Scene, Size};
use render_core::text::{Align, Family, Fonts, Locale, Paragraph, TextStyle, VerticalText, layout, layout_vertical};

use crate::{edits, image, language, repo};

/// The format of the pictures.
const FORMAT: &str = "instagram_post";
/// Short edge in pixels: large enough to show a wrong line break, small enough to commit.
const SHORT_PX: f32 = 270.0;
/// The same for the pictures of all other templates of a style, large enough to show the layout.
const SMALL_PX: f32 = 108.0;
/// Maximum difference of a channel, which allows for rounding on another machine.
const TOLERANCE: u8 = 2;
/// One in this many pixels may differ by more.
const STRAYS: usize = 1000;

fn references() -> PathBuf {
    repo::root().join("tests/golden")
}

pub fn draw(page: &Page, fonts: &Fonts) -> Pixmap {
    draw_scene(&compose(page, fonts).scene, fonts)
}

/// Renders a scene at a small size.
pub fn draw_scene(scene: &Scene, fonts: &Fonts) -> Pixmap {
    draw_scene_at(scene, SHORT_PX, fonts)
}

/// Renders a scene with a short edge of `short` pixels.
fn draw_scene_at(scene: &Scene, short: f32, fonts: &Fonts) -> Pixmap {
    let scale = short / scene.size.w.min(scene.size.h);
    let px = |du: f32| (du * scale).round() as u32;
    let canvas = Canvas { width: px(scene.size.w), height: px(scene.size.h), scale, dither: true };
    let mut pixels = Pixmap { width: 0, height: 0, data: Vec::new() };
    CpuRasteriser::new().draw(scene, canvas, fonts, &mut pixels).unwrap();
    pixels
}

/// Returns what is wrong with a picture, if anything.
fn compare(actual: &Pixmap, reference: &Pixmap) -> Option<String> {
    if (actual.width, actual.height) != (reference.width, reference.height) {
        return Some(format!("{}×{} pixels", actual.width, actual.height));
    }
    let distances = image::distances(actual, reference);
    let strays = distances.iter().filter(|d| **d > TOLERANCE).count();
    let worst = distances.iter().max().copied().unwrap_or(0);
    (strays > distances.len() / STRAYS).then(|| format!("{strays} pixels differ, by up to {worst}"))
}

/// Writes the actual picture, the reference and the difference. Returns the folder.
fn show(name: &str, actual: &Pixmap, reference: &Pixmap) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("golden");
    std::fs::create_dir_all(&folder).unwrap();
    let name = name.replace('/', "-");
    image::write(&folder.join(format!("{name}-actual.png")), actual);
    image::write(&folder.join(format!("{name}-reference.png")), reference);
    if (actual.width, actual.height) == (reference.width, reference.height) {
        let loud = |d: u8| [d.saturating_mul(16), if d > TOLERANCE { 0 } else { d * 16 }, 0];
        let data = image::distances(actual, reference).into_iter().flat_map(loud).collect();
        image::write(&folder.join(format!("{name}-difference.png")), &Pixmap { data, ..*reference });
    }
    folder
}

/// Compares pictures with the references of their names, or replaces the references.
pub fn check(pictures: &[(String, Pixmap)]) {
    let bless = std::env::var_os("VIVID_BLESS").is_some();
    let mut findings = Vec::new();
    for (name, actual) in pictures {
        let path = references().join(format!("{name}.png"));
        if bless {
            image::write(&path, actual);
            continue;
        }
        let Ok(bytes) = std::fs::read(&path) else {
            findings.push(format!("{name}: no reference"));
            continue;
        };
        let reference = image::decode(&bytes).unwrap();
        if let Some(finding) = compare(actual, &reference) {
            let folder = show(name, actual, &reference);
            findings.push(format!("{name}: {finding}; see {}", folder.display()));
        }
    }
    assert!(findings.is_empty(), "pictures changed (VIVID_BLESS=1 accepts them):\n  {}", findings.join("\n  "));
}

/// Templates that exist only for wide pages.
const WIDE: [&str; 2] = ["article-card", "timeline-h"];
/// Templates whose art only some seeds of a style select.
const DEALT: [&str; 1] = ["cover-mosaic"];
/// A style's larger pictures cover one in this many templates; each template has them in two of the eight styles.
const EVERY: usize = 4;

/// Whether a template has a larger picture in a style.
fn is_large(style: Style, template: Template) -> bool {
    let at = |found: Option<usize>| found.expect("one of all");
    let a = at(Template::all().position(|one| one == template));
    let s = at(Style::all().position(|one| one == style));
    (a + s).is_multiple_of(EVERY)
}

/// Renders specimens of a style from a seed, so that styles show different hues, and compares them. Every template that
/// the style uses has a specimen.
fn check_style(style: Style, seed: u64) {
    let fonts = Fonts::new();
    let format = Format::by_id(FORMAT).unwrap().id;
    let pages = specimens(style, format, seed, &fonts);
    let drawn = |a: &Template| pages.iter().any(|p| p.template == *a);
    let lacking: Vec<_> = Template::all().filter(|a| style.uses(*a) && !drawn(a)).collect();
    assert!(
        lacking.iter().all(|a| WIDE.contains(&a.name()) || DEALT.contains(&a.name())),
        "{lacking:?} could not be set in {FORMAT}"
    );
    let drawn = |p: &Page| {
        let name = format!("{}-{}", style.name(), p.template.name());
        if is_large(style, p.template) {
            return (name, draw(p, &fonts));
        }
        (format!("small/{name}"), draw_scene_at(&compose(p, &fonts).scene, SMALL_PX, &fonts))
    };
    check(&pages.iter().map(drawn).collect::<Vec<_>>());
}

/// Maximum number of characters of the text below the headline.
const SCRIPT_CHARS: usize = 70;
/// A headline for each script, by language. The text below it comes from `pangrams.tsv`.
const SCRIPTS: [(&str, &str); 20] = [
    ("vi", "Mỗi ngày một điều mới"),
    ("el", "Κάθε μέρα κάτι νέο"),
    ("ru", "Каждый день что-то новое"),
    ("ar", "كل يوم 3 أفكار جديدة (Vivid)"),
    ("fa", "هر روز یک ایده‌ی تازه"),
    ("ur", "ہر دن ایک نیا خیال"),
    ("he", "בכל יום רעיון חדש (Vivid 2)"),
    ("hi", "हर दिन एक नया विचार"),
    ("bn", "প্রতিদিন একটি নতুন ভাবনা"),
    ("ta", "ஒவ்வொரு நாளும் புதிய எண்ணம்"),
    ("te", "ప్రతిరోజూ ఒక కొత్త ఆలోచన"),
    ("th", "ทุกวันมีความคิดใหม่"),
    ("ka", "ყოველდღე ახალი იდეა"),
    ("hy", "Ամեն օր նոր գաղափար"),
    ("am", "በየቀኑ አዲስ ሐሳብ"),
    ("ja", "毎日ひとつ、新しい「考え」を。"),
    ("zh-Hans", "每天一个“新想法”"),
    ("zh-Hant", "每天一個新想法，AI 時代"),
    ("ko", "매일 하나의 새로운 생각"),
    ("und", "Signs → ½ ∑ € ₹ ₿"),
];

/// Renders a headline as outlines and small text, in the box between the margins. The box is drawn as well.
fn draw_script(tag: &str, headline: &str, text: &str, fonts: &Fonts) -> Pixmap {
    let (size, margin) = (Size::new(1080.0, 600.0), 60.0);
    let width = size.w - 2.0 * margin;
    let locale = Language::parse(tag).map_or(Locale::default(), |l| Locale::of(&l));
    let ink = Color::rgb8(24, 24, 32);
    let bounds = Rect::new(margin, margin, margin + width, size.h - margin);
    let mut items = vec![Item::rect(bounds, Color::rgb8(236, 236, 228), Role::Mark)];
    let mut y = margin;
    for (words, family, weight, em) in
        [(headline, Family::Manrope, 700, 96.0), (text, Family::InstrumentSerif, 400, 48.0)]
    {
        let face = fonts.face(family, weight);
        let style =
            TextStyle { face, size: em, tracking: -0.02, leading: 1.1, tabular: false, case: false, stylistic_set: 0 };
        let p = Paragraph { text: words, style, locale, align: Align::Start, balance: true, optical: true, spans: &[] };
        let laid = layout(fonts, &p, width);
        assert!(laid.missing.is_empty(), "{tag}: {:?}", laid.missing);
        items.extend(laid.runs.into_iter().map(|run| Item {
            transform: Affine::translate(margin, y),
            coverage: Coverage::Glyphs(run.glyphs),
            paint: Paint::Solid(ink),
            role: Role::Text(0),
        }));
        y += laid.height + em * 0.4 + 24.0;
    }
    let scene = Scene { size, background: Color::rgb8(255, 255, 255), items, layers: Vec::new(), blocks: Vec::new() };
    let canvas = Canvas { width: 405, height: 225, scale: 0.375, dither: false };
    let mut pixels = Pixmap { width: 0, height: 0, data: Vec::new() };
    CpuRasteriser::new().draw(&scene, canvas, fonts, &mut pixels).unwrap();
    pixels
}

#[test]
fn every_script_looks_as_it_did() {
    let fonts = Fonts::new();
    let texts = std::fs::read_to_string(repo::root().join("tests/data/pangrams.tsv")).unwrap();
    let text_of = |tag: &str| {
        let row = texts.lines().find(|l| l.split('\t').next() == Some(tag)).unwrap();
        row.rsplit('\t').next().unwrap().chars().take(SCRIPT_CHARS).collect::<String>()
    };
    let name = |tag: &str| format!("script-{}", tag.to_lowercase());
    let drawn = SCRIPTS.iter().map(|(tag, words)| (name(tag), draw_script(tag, words, &text_of(tag), &fonts)));
    check(&drawn.collect::<Vec<_>>());
}

/// A Japanese text whose cover has vertical text.
const COLUMNS: &str = include_str!("../data/japanese.md");
/// Everything that vertical text treats specially: brackets, numbers, words, signs.
const VERTICAL: &str = "「AI時代」の12の習慣、30%がHealth Careで、ラーメン（っ!?）と3.5倍。え、『二重』も…365日。";

#[test]
fn columns_look_as_they_did() {
    let fonts = Fonts::new();
    let document = read_text(COLUMNS).unwrap();
    let request =
        PlanRequest::of(&document, vec![(Format::by_id("instagram_carousel").unwrap().id, Some(7))], Style::MINIMAL, 5);
    let pages = plan(&request, &fonts).unwrap().pages;
    assert!(pages.iter().all(|p| p.writing == Writing::Vertical), "the set agrees");
    check(&[
        ("vertical-cover".to_owned(), draw(&pages[0], &fonts)),
        ("vertical-text".to_owned(), draw_columns(&fonts)),
    ]);
}

/// Renders vertical text in columns as high as the box drawn below them.
fn draw_columns(fonts: &Fonts) -> Pixmap {
    let (size, margin) = (Size::new(1080.0, 900.0), 60.0);
    let style = TextStyle {
        face: fonts.face(Family::ShipporiMincho, 500),
        size: 88.0,
        tracking: 0.03,
        leading: 1.4,
        tabular: false,
        case: false,
        stylistic_set: 0,
    };
    let locale = Locale::of(&Language::parse("ja").unwrap());
    let height = size.h - 2.0 * margin;
    let laid = layout_vertical(fonts, &VerticalText { text: VERTICAL, style, locale }, height);
    assert!(laid.missing.is_empty() && laid.width < size.w - 2.0 * margin, "{} {:?}", laid.width, laid.missing);
    let bounds = Rect::at(margin, margin, laid.width, height);
    let mut items = vec![Item::rect(bounds, Color::rgb8(236, 236, 228), Role::Mark)];
    items.extend(laid.runs.into_iter().map(|run| Item {
        transform: Affine::translate(margin, margin).after(&run.transform),
        coverage: Coverage::Glyphs(run.glyphs),
        paint: Paint::Solid(Color::rgb8(24, 24, 32)),
        role: Role::Text(0),
    }));
    let scene = Scene { size, background: Color::rgb8(255, 255, 255), items, layers: Vec::new(), blocks: Vec::new() };
    let canvas = Canvas { width: 405, height: 338, scale: 0.375, dither: false };
    let mut pixels = Pixmap { width: 0, height: 0, data: Vec::new() };
    CpuRasteriser::new().draw(&scene, canvas, fonts, &mut pixels).unwrap();
    pixels
}

#[test]
fn modern_looks_as_it_did() {
    check_style(Style::MODERN, 7);
}

#[test]
fn minimal_looks_as_it_did() {
    check_style(Style::MINIMAL, 5);
}

#[test]
fn bold_looks_as_it_did() {
    check_style(Style::BOLD, 1);
}

#[test]
fn elegant_looks_as_it_did() {
    check_style(Style::ELEGANT, 2);
}

#[test]
fn playful_looks_as_it_did() {
    check_style(Style::PLAYFUL, 4);
}

#[test]
fn corporate_looks_as_it_did() {
    check_style(Style::CORPORATE, 6);
}

#[test]
fn creative_looks_as_it_did() {
    check_style(Style::CREATIVE, 8);
}

#[test]
fn dark_looks_as_it_did() {
    check_style(Style::DARK, 3);
}

/// A text with every kind of emphasis: in titles, text and a quotation, an address, a unit.
const EMPHATIC: &str = "# Fewer meetings, **better mornings**\n\nA team of nine gave *two hours a day* back to its work, \
and nobody missed a thing.\n\n## Start with the **calendar**\n\nBlock the hours before noon and *defend them* for a \
month.\n\n## Write it down\n\nA short note saves a long call, **every time**, for everyone.\n\n## Keep count\n\nThe \
year after, 1.4 million hours of calls were never held.\n\n> We stopped counting hours and started **finishing \
things**.\n> — Ada Moor, editor\n\nGet the checklist at tidelab.example/quiet.\n";
/// A text with emoji: a flag, a skin tone, a family, a character that is text by default.
const EMOJI: &str = "# Summer camp 🏕️ opens on 9 June\n\nTwo weeks by the lake 🌊 for everyone from 8 to 14.\n\n\
## Bring a friend 🧑🏽‍🤝‍🧑🏻\n\nTwo who sign up together pay half each.\n\n## Families stay 👨‍👩‍👧‍👦 over night\n\nTents for four are there, \
and breakfast is at eight.\n\n## Guests from abroad 🇫🇮🇯🇵 are welcome\n\nWe speak six languages ✔ and learn a seventh.\n";
/// Pictures of texts: name, text, style, seed and template.
const TEXTS: [(&str, &str, Style, u64, &str); 8] = [
    ("emphasis-modern", EMPHATIC, Style::MODERN, 1, "cover-type"),
    ("emphasis-minimal", EMPHATIC, Style::MINIMAL, 5, "cover-type"),
    ("emphasis-dark", EMPHATIC, Style::DARK, 3, "cover-type"),
    ("emphasis-quote", EMPHATIC, Style::MODERN, 1, "quote"),
    ("emphasis-text", EMPHATIC, Style::MODERN, 1, "point-slide"),
    ("emphasis-address", EMPHATIC, Style::MINIMAL, 5, "recap-cta"),
    ("emoji-cover", EMOJI, Style::MODERN, 1, "cover-type"),
    ("emoji-text", EMOJI, Style::DARK, 3, "point-slide"),
];

#[test]
fn emphasis_and_emoji_look_as_they_did() {
    let fonts = Fonts::new();
    let pictures = TEXTS.map(|(name, text, style, seed, template)| {
        let template = Template::named(template);
        let document = read_text(text).unwrap();
        let formats = vec![(Format::by_id("instagram_carousel").unwrap().id, Some(8))];
        let pages = plan(&PlanRequest::of(&document, formats, style, seed), &fonts).unwrap().pages;
        let page = pages.iter().find(|p| p.template.kinds()[0] == template.kinds()[0]).unwrap();
        (name.to_owned(), draw(page, &fonts))
    });
    check(&pictures);
}

/// A page in a right-to-left language is the mirror image of the left-to-right one, except for its text.
#[test]
fn right_to_left_is_mirrored() {
    let fonts = Fonts::new();
    let format = Format::by_id(FORMAT).unwrap().id;
    for mut page in specimens(Style::MODERN, format, 7, &fonts) {
        let plain = compose(&page, &fonts).scene;
        // These differ by design: a Hebrew page has no hanging English quotation marks, and full-width lines always
        // start at the left.
        if ["quote", "cover-wall"].contains(&page.template.name()) {
            continue;
        }
        page.locale.language = Language::parse("he").unwrap();
        let mirrored = compose(&page, &fonts).scene;
        let slots = |s: &Scene| s.blocks.iter().map(|b| format!("{} {}", b.slot, b.text)).collect::<Vec<_>>();
        assert_eq!(slots(&plain), slots(&mirrored), "{:?}", page.template);
        for (a, b) in plain.blocks.iter().zip(&mirrored.blocks) {
            let (a, b) = (a.slot_box, b.slot_box);
            let apart = [a.x0 - (plain.size.w - b.x1), a.y0 - b.y0];
            assert!(apart.iter().all(|d| d.abs() < 1.0), "{:?}: {a:?} {b:?}", page.template);
        }
    }
}

#[test]
fn every_reference_has_its_picture_and_stays_small() {
    let small = std::fs::read_dir(references().join("small")).unwrap();
    for entry in std::fs::read_dir(references()).unwrap().chain(small) {
        let entry = entry.unwrap();
        let path = entry.path();
        if path.is_dir() {
            continue;
        }
        let file = path.strip_prefix(references()).unwrap().to_str().unwrap();
        let is = |s: Style, a: Template| {
            let folder = if is_large(s, a) { "" } else { "small/" };
            file == format!("{folder}{}-{}.png", s.name(), a.name())
        };
        let known = |s: Style| Template::all().any(|a| is(s, a));
        let script = SCRIPTS.iter().any(|(tag, _)| file == format!("script-{}.png", tag.to_lowercase()));
        let emphasis = TEXTS.iter().any(|(name, ..)| file == format!("{name}.png"));
        let columns = file == "vertical-cover.png" || file == "vertical-text.png";
        let edit = edits::names().any(|name| file == format!("edit-{name}.png"));
        let example = language::names().any(|name| file == format!("{name}.png"));
        let known = script || emphasis || columns || edit || example || Style::all().any(known);
        assert!(known, "{file} is a reference of nothing");
        let bytes = entry.metadata().unwrap().len();
        // Pictures of edits contain both the page before and after.
        let most = if edit {
            96
        } else if file.starts_with("small/") {
            16
        } else {
            48
        } << 10;
        assert!(bytes <= most, "{file}: {bytes} bytes");
    }
}

/// Checks the comparison itself: a word moved by one pixel is detected, rounding is not.
#[test]
fn comparing_notices_what_an_eye_would() {
    let plain = |v: u8| Pixmap { width: 100, height: 100, data: vec![v; 30_000] };
    assert_eq!(compare(&plain(100), &plain(102)), None);
    assert!(compare(&plain(100), &plain(103)).is_some());
    let mut few = plain(100);
    few.data[..30].fill(0);
    assert_eq!(compare(&few, &plain(100)), None, "ten strays in ten thousand are borne");
    few.data[..33].fill(0);
    assert!(compare(&few, &plain(100)).is_some());
}
