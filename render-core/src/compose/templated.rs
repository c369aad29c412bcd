//! Planned pages: content and template → tree → scene.

use super::Composed;
use crate::design::{Page, Theme};
use crate::sheet::{self, Frame, Setting, Touches};
use crate::template::{self, Surroundings};
use crate::text::Fonts;
use crate::tree::Tree;
use crate::{elements, markup, pictures};

/// What a page calls its photograph.
pub(super) const PHOTO: &str = "photo";

/// The page as text in the page language.
///
/// # Errors
/// What is wrong with its template.
pub fn written(page: &Page) -> Result<String, String> {
    let theme = Theme::of(page.style);
    let frame = frame(page, theme);
    template::markup(page.archetype.name(), &Surroundings { page, theme, frame: &frame })
}

fn frame(page: &Page, theme: &Theme) -> Frame {
    Frame::of(page.format.format(), theme, page.locale.language.direction(), page.adjust.space)
}

/// The page as a tree, its pictures drawn.
fn tree(page: &Page) -> Result<Tree, String> {
    let text = written(page)?;
    let faults = |faults: Vec<crate::tree::Fault>| {
        let lines: Vec<String> = faults.iter().map(ToString::to_string).collect();
        format!("{}: {}\n{text}", page.archetype.name(), lines.join("; "))
    };
    let tree = markup::parse(&text, &elements::VOCABULARY).map_err(faults)?;
    pictures::resolve(&tree, Theme::of(page.style).manner, page.seed).map_err(faults)
}

/// Sets a page.
pub(super) fn compose(page: &Page, fonts: &Fonts) -> Composed {
    let tree = match tree(page) {
        Ok(tree) => tree,
        Err(wrong) => panic!("{wrong}"),
    };
    let photos: Vec<_> = page.photo.iter().map(|photo| (PHOTO.to_owned(), photo.clone())).collect();
    let setting = Setting {
        format: page.format.format(),
        style: page.style,
        palette: page.palette,
        brand: page.text(crate::design::SlotId::Brand).unwrap_or_default(),
        logos: [page.logo.as_ref(), page.logo.as_ref()],
        faces: page.faces,
        language: &page.locale.language,
        fonts,
        slide: page.slide,
        photos: &photos,
        seed: page.seed,
        touches: Touches { adjust: Some(&page.adjust), sizes: page.sizes, art: page.art },
        dress: elements::dress,
    };
    let sheet = sheet::set(&tree, &setting);
    // Type below the sizes that the template asks for is a misfit, as is anything out of its box.
    let fits = sheet.faults.is_empty() && sheet.share >= 0.0;
    Composed { scene: sheet.scene, warnings: sheet.warnings, fits }
}
