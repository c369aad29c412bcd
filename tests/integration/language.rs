//! The page language: its reference page, and pictures of its examples.

use render_core::Format;
use render_core::design::Style;
use render_core::leaf::{self, EXAMPLES, Written};
use render_core::text::Fonts;

use crate::{golden, repo};

/// The format and style in which each example is shown.
const SHOWN: [(&str, Style); 10] = [
    ("instagram_post", Style::MODERN),
    ("instagram_post", Style::CREATIVE),
    ("instagram_square", Style::PLAYFUL),
    ("instagram_post", Style::DARK),
    ("presentation_slide", Style::CORPORATE),
    ("instagram_post", Style::MINIMAL),
    ("instagram_story", Style::ELEGANT),
    ("instagram_square", Style::BOLD),
    ("presentation_slide", Style::MODERN),
    ("instagram_post", Style::CORPORATE),
];

/// Returns the names of the examples' pictures.
pub fn names() -> impl Iterator<Item = String> {
    EXAMPLES.iter().map(|(title, _)| format!("page-{}", title.to_lowercase().replace(' ', "-")))
}

#[test]
fn the_reference_page_is_made_of_the_declarations() {
    const PAGE: &str = "docs/page-language.md";
    let made = format!("{}\n", leaf::reference_page().trim_end());
    if std::env::var_os("VIVID_BLESS").is_some() {
        std::fs::write(repo::root().join(PAGE), &made).unwrap();
    }
    assert!(repo::text(PAGE) == made, "{PAGE} is not what the declarations say (VIVID_BLESS=1 writes it)");
}

#[test]
fn the_examples_look_as_they_did() {
    let fonts = Fonts::new();
    let pictures = EXAMPLES.iter().zip(names()).zip(SHOWN).map(|(((title, text), name), (format, style))| {
        let written = Written {
            text,
            format: Format::by_id(format).unwrap(),
            style,
            brand: None,
            language: None,
            photos: Vec::new(),
            seed: 3,
            fonts: &fonts,
        };
        let leaves = leaf::leaves(written).unwrap_or_else(|faults| panic!("{title}: {faults:?}"));
        let scene = leaves[0].compose(&fonts).unwrap().scene;
        (name, golden::draw_scene(&scene, &fonts))
    });
    golden::check(&pictures.collect::<Vec<_>>());
}

/// Rebuilt slides of a designer. The first line of each names what it is rendered with.
#[test]
fn the_rebuilt_slides_have_no_faults() {
    let fonts = Fonts::new();
    let folder = repo::root().join("render-core/assets/pages/anchors");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 12);
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let first = text.lines().next().unwrap();
        let said = |name: &str| {
            let rest = &first[first.find(name).unwrap_or_else(|| panic!("{first}: no {name}")) + name.len()..];
            rest.trim_start().split([',', ' ']).next().unwrap().to_owned()
        };
        let written = Written {
            text: &text,
            format: Format::by_id(&said("format")).unwrap(),
            style: Style::by_name(&said("style")).unwrap(),
            brand: None,
            language: None,
            photos: Vec::new(),
            seed: said("seed").parse().unwrap(),
            fonts: &fonts,
        };
        let leaves = leaf::leaves(written).unwrap_or_else(|faults| panic!("{}: {faults:?}", file.display()));
        assert!(leaves[0].warnings.is_empty(), "{}: {:?}", file.display(), leaves[0].warnings);
    }
}
