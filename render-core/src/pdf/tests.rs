use super::*;
use crate::scene::{Affine, Color, Coverage, GlyphRun, Item, Layer, Paint, Rect, Role, Size};
use crate::text::{Align, Family, Locale, Paragraph, TextStyle, layout};

fn scene(items: Vec<Item>) -> Scene {
    let background = Color::WHITE;
    Scene { size: Size::new(1080.0, 1080.0), background, items, layers: Vec::new(), blocks: Vec::new() }
}

/// Returns the glyph runs of a text.
fn set(fonts: &Fonts, text: &str) -> Vec<GlyphRun> {
    let face = fonts.face(Family::Manrope, 700);
    let style =
        TextStyle { face, size: 60.0, tracking: 0.0, leading: 1.2, tabular: false, case: false, stylistic_set: 0 };
    let p = Paragraph {
        text,
        style,
        locale: Locale::default(),
        align: Align::Start,
        balance: false,
        optical: true,
        spans: &[],
    };
    layout(fonts, &p, 500.0).runs.into_iter().map(|run| run.glyphs).collect()
}

fn item(run: GlyphRun) -> Item {
    Item {
        transform: Affine::translate(100.0, 100.0),
        coverage: Coverage::Glyphs(run),
        paint: Paint::Solid(Color::BLACK),
        role: Role::Text(0),
    }
}

fn written(scenes: &[Scene], fonts: &Fonts) -> Vec<u8> {
    let mut pdf = Pdf::new(About::default());
    for scene in scenes {
        pdf.add(scene, Canvas::new(270, 270), (202.5, 202.5), fonts).unwrap();
    }
    pdf.finish().unwrap()
}

fn holds(bytes: &[u8], words: &str) -> bool {
    memchr::memmem::find(bytes, words.as_bytes()).is_some()
}

#[test]
fn a_size_that_is_none_is_refused() {
    let fonts = Fonts::new();
    for size in [(0.0, 100.0), (100.0, -1.0), (f32::NAN, 100.0)] {
        let added = Pdf::new(About::default()).add(&scene(vec![]), Canvas::new(9, 9), size, &fonts);
        assert!(matches!(added, Err(PdfError::PageSize(..))), "{size:?}");
    }
}

#[test]
fn text_is_text_once_and_shapes_are_no_pictures() {
    let fonts = Fonts::new();
    let runs = set(&fonts, "Efficient offices");
    let once = written(&[scene(runs.iter().cloned().map(item).collect())], &fonts);
    assert!(holds(&once, "/FontFile") && !holds(&once, "/Subtype/Image"));
    // A run that is drawn twice is text only once. The second time it is drawn as paths, so the embedded font needs no
    // more glyphs.
    let twice: Vec<Item> = runs.iter().chain(&runs).cloned().map(item).collect();
    let twice = written(&[scene(twice)], &fonts);
    assert!(holds(&twice, "/FontFile") && twice.len() > once.len());
    // Glyphs without source text are drawn as paths.
    let bare = runs.iter().map(|run| item(GlyphRun::new(run.face, run.size, run.glyphs.clone())));
    assert!(!holds(&written(&[scene(bare.collect())], &fonts), "/FontFile"));
}

#[test]
fn blurred_text_is_a_picture_that_can_be_read() {
    let fonts = Fonts::new();
    let items: Vec<Item> = set(&fonts, "Quiet").into_iter().map(item).collect();
    let layers = vec![Layer { blur: 12.0, ..Layer::new(0..items.len()) }];
    let bytes = written(&[Scene { layers, ..scene(items) }], &fonts);
    assert!(holds(&bytes, "/FontFile") && holds(&bytes, "/Subtype/Image"));
}

#[test]
fn the_same_pages_are_the_same_bytes() {
    let fonts = Fonts::new();
    let shadow = Coverage::Shadow { rect: Rect::new(200.0, 200.0, 800.0, 800.0), radius: 20.0, sigma: 30.0 };
    let mut items: Vec<Item> = set(&fonts, "The same words").into_iter().map(item).collect();
    items.push(Item::new(shadow, Paint::Solid(Color::BLACK.alpha(0.4)), Role::Art));
    let pages = [scene(items.clone()), scene(items)];
    assert_eq!(written(&pages, &fonts), written(&pages, &Fonts::new()));
}

#[test]
fn runs_know_what_their_glyphs_say() {
    let fonts = Fonts::new();
    for text in ["Efficient offices find affluent staff", "السلام عليكم", "Straße – naïve café", "Water 🌱 early"]
    {
        let mut said = vec![0_u32; text.len()];
        for run in set(&fonts, text) {
            assert_eq!((run.source.ranges.len(), run.source.text.as_ref()), (run.glyphs.len(), text));
            for range in run.source.ranges.iter() {
                said[range.start as usize..range.end as usize].iter_mut().for_each(|n| *n += 1);
            }
        }
        let unsaid: String = text.char_indices().filter(|(at, _)| said[*at] == 0).map(|(_, c)| c).collect();
        assert!(unsaid.chars().all(char::is_whitespace), "{text:?}: {unsaid:?}");
    }
}
