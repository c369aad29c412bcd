//! Compares PDF pages with pixel renderings of the same pages: every template in every style, and text of many scripts.

use render_core::Format;
use render_core::compose::compose;
use render_core::content::Language;
use render_core::design::Style;
use render_core::pdf::{About, Pdf};
use render_core::plan::specimens::specimens;
use render_core::raster::cpu::CpuRasteriser;
use render_core::raster::{Pixmap, Rasteriser};
use render_core::scene::{
    Affine, BlendMode, Canvas, Clip, Color, Coverage, Item, Layer, Paint, Point, Rect, Role, Scene, Size, Stop, Stroke,
};
use render_core::text::{Align, Family, Fonts, Locale, Paragraph, TextStyle, layout};

use crate::poppler::{Read, apart};

/// Maximum difference between a page and its picture, in percent.
const TOLERANCE: f64 = 3.0;
const FORMAT: &str = "instagram_post";

fn drawn(scene: &Scene, canvas: Canvas, fonts: &Fonts) -> Pixmap {
    let mut pixels = Pixmap { width: 0, height: 0, data: Vec::new() };
    CpuRasteriser::new().draw(scene, canvas, fonts, &mut pixels).unwrap();
    pixels
}

fn pdf_of(scenes: &[Scene], canvas: Canvas, size: (f32, f32), fonts: &Fonts) -> Vec<u8> {
    let mut pdf = Pdf::new(About { title: Some("Specimens"), language: Some("en") });
    for scene in scenes {
        pdf.add(scene, canvas, size, fonts).unwrap();
    }
    pdf.finish().unwrap()
}

/// Removes what a PDF reader may extract differently: spaces, and hyphens at line breaks.
fn letters(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace() && *c != '\u{ad}' && *c != '\u{c}').collect()
}

#[test]
fn every_page_of_every_style_looks_and_reads_as_its_picture() {
    let fonts = Fonts::new();
    let format = Format::by_id(FORMAT).unwrap();
    let canvas = Canvas::new(648, 810);
    for (seed, style) in (3..).zip(Style::all()) {
        let pages = specimens(style, format.id, seed, &fonts);
        let scenes: Vec<Scene> = pages.iter().map(|page| compose(page, &fonts).scene).collect();
        let bytes = pdf_of(&scenes, canvas, format.size_points(), &fonts);
        assert_eq!(bytes, pdf_of(&scenes, canvas, format.size_points(), &fonts), "the same pages, the same bytes");
        let Some(read) = Read::of(&bytes) else { return };
        assert_eq!((read.title.as_str(), read.pages.len()), ("Specimens", pages.len()));
        assert!(read.pages.iter().all(|size| *size == (810.0, 1012.5)), "{:?}", read.pages);
        assert!(
            !read.fonts().is_empty() && read.fonts().iter().all(|(_, is_embedded)| *is_embedded),
            "{:?}",
            read.fonts()
        );
        for (i, (page, scene)) in pages.iter().zip(&scenes).enumerate() {
            let name = format!("{} {}", style.name(), page.template.name());
            let far = apart(&read.picture(i + 1, canvas.width, canvas.height), &drawn(scene, canvas, &fonts));
            assert!(far <= TOLERANCE, "{name}: {far:.2} %");
            let text = letters(&read.text(i + 1));
            for block in scene.blocks.iter().filter(|block| !block.vertical && !block.text.contains('\n')) {
                // A reader may extract words that are larger or set apart within a block as a separate line.
                for word in block.text.split_whitespace().filter(|word| word.chars().all(char::is_alphanumeric)) {
                    assert!(text.contains(&letters(word)), "{name}: {word:?} of {:?} is not in {text}", block.text);
                }
            }
        }
    }
}

/// A page with this text, large and small.
fn page_of(tag: &str, words: &str, fonts: &Fonts) -> Scene {
    let locale = Language::parse(tag).map_or(Locale::default(), |language| Locale::of(&language));
    let (mut items, mut y) = (Vec::new(), 100.0);
    for size in [90.0, 40.0] {
        let face = fonts.face(Family::Manrope, 700);
        let style =
            TextStyle { face, size, tracking: -0.02, leading: 1.1, tabular: false, case: false, stylistic_set: 0 };
        let p = Paragraph { text: words, style, locale, align: Align::Start, balance: true, optical: true, spans: &[] };
        let laid = layout(fonts, &p, 880.0);
        assert!(laid.missing.is_empty(), "{tag}: {:?}", laid.missing);
        items.extend(laid.runs.into_iter().map(|run| Item {
            transform: Affine::translate(100.0, y),
            coverage: Coverage::Glyphs(run.glyphs),
            paint: Paint::Solid(Color::WHITE),
            role: Role::Text(0),
        }));
        y += laid.height + 120.0;
    }
    scene(items, vec![])
}

#[test]
fn text_is_read_back_in_every_script() {
    let fonts = Fonts::new();
    let canvas = Canvas::new(648, 648);
    for (tag, words) in [
        ("en", "Efficient offices find affluent staff"),
        // Without lam-alef: Poppler reverses the letters of a ligature within right-to-left words.
        ("ar", "مرحبا بكم في حديقة"),
        ("he", "שלום לכולם בגינה"),
        ("ja", "庭の水やりを減らす五つの習慣"),
        ("zh", "让花园自己浇水的五个习惯"),
        ("ko", "정원을 위한 다섯 가지 습관"),
        ("hi", "बगीचे के लिए पाँच आदतें"),
        ("th", "ห้านิสัยเพื่อสวนที่ดี"),
        ("ru", "Пять привычек для сада"),
        ("en", "Water early 🌱 and rest 😀"),
    ] {
        let scene = page_of(tag, words, &fonts);
        let bytes = pdf_of(std::slice::from_ref(&scene), canvas, (486.0, 486.0), &fonts);
        let Some(read) = Read::of(&bytes) else { return };
        assert!(read.fonts().iter().all(|(_, is_embedded)| *is_embedded), "{tag}: {:?}", read.fonts());
        // Poppler marks the direction of right-to-left lines.
        let text: String = letters(&read.text(1)).chars().filter(|c| !('\u{200e}'..='\u{202e}').contains(c)).collect();
        assert!(text.contains(&letters(words)), "{tag}: {words:?} is not in {text:?}");
        let far = apart(&read.picture(1, canvas.width, canvas.height), &drawn(&scene, canvas, &fonts));
        assert!(far <= TOLERANCE, "{tag}: {far:.2} %");
    }
}

fn scene(items: Vec<Item>, layers: Vec<Layer>) -> Scene {
    let background = Color::hex(0x1D2B53);
    Scene { size: Size::new(1080.0, 1080.0), background, items, layers, blocks: Vec::new() }
}

fn stops(colors: &[(f32, u32, f32)]) -> std::sync::Arc<[Stop]> {
    colors.iter().map(|(offset, color, a)| Stop { offset: *offset, color: Color::hex(*color).alpha(*a) }).collect()
}

/// Every paint, coverage and layer, whether or not PDF supports it natively.
#[test]
fn every_paint_and_layer_looks_as_it_is_drawn() {
    let fonts = Fonts::new();
    let middle = Point::new(540.0, 540.0);
    let card = |rect| Coverage::Rect { rect, radii: [40.0; 4], stroke: None };
    let field = Rect::new(180.0, 180.0, 900.0, 900.0);
    let item = |coverage, paint| Item::new(coverage, paint, Role::Art);
    let red_to_nothing = || stops(&[(0.0, 0xFF004D, 1.0), (1.0, 0x000000, 0.0)]);
    let hard = || stops(&[(0.0, 0xFFEC27, 1.0), (0.5, 0xFFEC27, 1.0), (0.5, 0x29ADFF, 1.0), (1.0, 0x008751, 1.0)]);
    let dashed = Stroke { dashes: [40.0, 30.0].into(), ..Stroke::round(24.0) };
    let discs = || {
        let disc = |x: f32, color| Item::circle(Point::new(x, 540.0), 260.0, Color::hex(color), Role::Art);
        vec![disc(420.0, 0xFF004D), disc(660.0, 0x00E436)]
    };
    let clip = Clip { transform: Affine::IDENTITY, coverage: card(field) };
    let mut cases = vec![
        (
            "linear",
            scene(
                vec![item(
                    card(field),
                    Paint::Linear { from: Point::new(180.0, 0.0), to: Point::new(900.0, 0.0), stops: hard() },
                )],
                vec![],
            ),
        ),
        (
            "fading",
            scene(
                vec![item(
                    card(field),
                    Paint::Linear { from: Point::new(180.0, 0.0), to: Point::new(900.0, 0.0), stops: red_to_nothing() },
                )],
                vec![],
            ),
        ),
        (
            "radial",
            scene(
                vec![item(card(field), Paint::Radial { center: middle, radius: 360.0, stops: red_to_nothing() })],
                vec![],
            ),
        ),
        ("conic", scene(vec![item(card(field), Paint::Conic { center: middle, start: 0.4, stops: hard() })], vec![])),
        (
            "mesh",
            scene(
                vec![item(
                    card(field),
                    Paint::Mesh {
                        rect: field,
                        columns: 2,
                        colors: [0xFF004D, 0xFFEC27, 0x29ADFF, 0x00E436].map(Color::hex).into(),
                    },
                )],
                vec![],
            ),
        ),
        (
            "shadow",
            scene(
                vec![item(
                    Coverage::Shadow { rect: field, radius: 40.0, sigma: 40.0 },
                    Paint::Solid(Color::BLACK.alpha(0.6)),
                )],
                vec![],
            ),
        ),
        (
            "band",
            scene(
                vec![item(
                    Coverage::Rect { rect: field, radii: [60.0, 0.0, 60.0, 0.0], stroke: Some(30.0) },
                    Paint::Solid(Color::WHITE),
                )],
                vec![],
            ),
        ),
        (
            "arc",
            scene(
                vec![item(
                    Coverage::Arc { center: middle, radius: 300.0, start: 0.3, sweep: 4.0, stroke: Some(dashed) },
                    Paint::Solid(Color::WHITE),
                )],
                vec![],
            ),
        ),
        (
            "capsule",
            scene(
                vec![item(
                    Coverage::Capsule {
                        from: Point::new(240.0, 300.0),
                        to: Point::new(800.0, 700.0),
                        radius: 90.0,
                        stroke: Some(20.0),
                    },
                    Paint::Solid(Color::WHITE),
                )],
                vec![],
            ),
        ),
        ("blurred", scene(discs(), vec![Layer { blur: 30.0, clip: Some(clip.clone()), ..Layer::new(0..2) }])),
        ("faded", scene(discs(), vec![Layer { opacity: 0.5, ..Layer::new(0..2) }])),
        (
            "backdrop",
            scene(
                [discs(), vec![Item::rect(field, Color::WHITE.alpha(0.3), Role::Field)]].concat(),
                vec![Layer { backdrop_blur: 25.0, clip: Some(clip.clone()), ..Layer::new(2..3) }],
            ),
        ),
        (
            "soft clip",
            scene(
                discs(),
                vec![Layer {
                    clip: Some(Clip {
                        transform: Affine::IDENTITY,
                        coverage: Coverage::Shadow { rect: field, radius: 40.0, sigma: 50.0 },
                    }),
                    ..Layer::new(0..2)
                }],
            ),
        ),
    ];
    for blend in BlendMode::ALL {
        let inner = Layer { blend, ..Layer::new(1..2) };
        cases.push(("nested blend", scene(discs(), vec![Layer { opacity: 0.8, ..Layer::new(0..2) }, inner.clone()])));
        cases.push(("blend", scene(discs(), vec![inner])));
    }
    let canvas = Canvas::new(540, 540).undithered();
    let scenes: Vec<Scene> = cases.iter().map(|(_, scene)| scene.clone()).collect();
    let Some(read) = Read::of(&pdf_of(&scenes, canvas, (405.0, 405.0), &fonts)) else { return };
    for (i, (name, scene)) in cases.iter().enumerate() {
        let far = apart(&read.picture(i + 1, 540, 540), &drawn(scene, canvas, &fonts));
        assert!(far <= TOLERANCE, "{name}, {:?}: {far:.2} %", scene.layers.last().map(|layer| layer.blend));
    }
}
