//! Page → scene: a page's content fills its template, and the resulting tree is laid out.
//!
//! ```text
//! Page --template--> text in the page language --markup--> Tree --pictures--> Tree --sheet--> Scene
//! ```

mod authored;
mod correction;
mod number;
mod template;
mod view;
mod whole;

pub use authored::{Authored, Way, named, painted, photo_number, rearranged, repainted, slots as page_slots};

pub use correction::Correction;
pub use number::renumbered;
pub use view::{ElementView, PageView, view};
pub use whole::{Rewritten, listed, rewritten, text};

use crate::design::{Page, SlotId, Theme, Writing};
use crate::outline::PageKind;
use crate::scene::Scene;
use crate::sheet::{self, Frame, Located, Setting, Stage, Touches};
use crate::text::Fonts;
use crate::tree::{Fault, Tree};
use crate::warning::Warning;
use crate::{elements, markup, pictures};

use template::Surroundings;

/// A scene and the results of composing it.
#[derive(Debug, Clone, PartialEq)]
pub struct Composed {
    /// The scene, in du.
    pub scene: Scene,
    /// Warnings for the user: missing glyphs, elements that were dropped.
    pub warnings: Vec<Warning>,
    /// Whether every text stays within its range of sizes, its number of lines and its box.
    pub fits: bool,
    /// Whether anything exceeds its box even at the smallest type: such a page must not be shown.
    pub broken: bool,
    /// Whether the page's template has a place for its picture and the scene shows it.
    pub pictured: bool,
    /// The content that exceeds its box, element by element.
    pub faults: Vec<Fault>,
    /// The positions of the elements.
    pub elements: Vec<Located>,
}

/// The start of a picture in the page language.
const PICTURE: &str = "<picture ";
/// The start of an ornament.
const ART: &str = "<art ";

/// Returns a page's content in its template, as text in the page language.
///
/// # Errors
/// A description of the template's mistake.
pub fn written(page: &Page) -> Result<String, String> {
    let theme = Theme::of(page.style);
    let direction = page.locale.language.direction();
    let frame = Frame::of(page.format.format(), theme, direction, page.adjust.space);
    let surroundings = Surroundings { page, theme, frame: &frame };
    if let Some(own) = page.authored.as_deref().filter(|_| page.whole) {
        return whole::settable(own, &page.slots);
    }
    if let Some(own) = &page.authored {
        return template::framed(&surroundings, &authored::inside(own, &page.slots)?);
    }
    let text = template::filled(&surroundings)?;
    Ok(match &page.picture {
        // Some templates give the picture a place of their own.
        Some(name) if !text.contains(PICTURE) => {
            let shown = illustrated(&text, name);
            if page.art.is_some() { shown } else { unadorned(&shown) }
        }
        _ => text,
    })
}

/// Returns a page's text with a picture in place of its first ornament. The picture takes the ornament's position and
/// stays on the side of the page where the ornament bleeds.
fn illustrated(text: &str, picture: &str) -> String {
    let Some((before, (own, after))) =
        text.split_once(ART).and_then(|(before, rest)| Some((before, rest.split_once("/>")?)))
    else {
        return text.to_owned();
    };
    let value = |name: &str| own.split_once(&format!("{name}=\"")).and_then(|(_, rest)| rest.split('"').next());
    let side = value("bleed").map_or("center", |bleed| match (bleed.contains("left"), bleed.contains("right")) {
        (true, false) => "left",
        (false, true) => "right",
        _ => "center",
    });
    let kept: String = ["grow", "basis", "width", "height", "self", "at", "optional"]
        .into_iter()
        .filter_map(|name| Some(format!(" {name}=\"{}\"", value(name)?)))
        .collect();
    let what = template::picture_attribute(picture);
    format!("{before}<picture {what} position=\"{side}\"{kept}/>{after}")
}

/// Returns a page's text without its ornaments.
fn unadorned(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, ornament)) = rest.split_once(ART) {
        out.push_str(before);
        rest = ornament.split_once("/>").map_or("", |(_, after)| after);
    }
    out + rest
}

/// Returns the page as a tree with its pictures drawn.
///
/// # Errors
/// A description of the template's mistake.
pub fn tree(page: &Page) -> Result<Tree, String> {
    drawn(page, &written(page)?)
}

/// Returns a page's text as a tree with its pictures drawn.
fn drawn(page: &Page, text: &str) -> Result<Tree, String> {
    let faults = |faults: Vec<Fault>| {
        let lines: Vec<String> = faults.iter().map(ToString::to_string).collect();
        format!("{}: {}", page.template.name(), lines.join("; "))
    };
    let tree = markup::parse(text, &elements::VOCABULARY).map_err(faults)?;
    pictures::resolve(&tree, Theme::of(page.style).manner, page.seed).map_err(faults)
}

/// Composes a page. The scene is in du and serves every resolution of the page's format. A page whose template has a
/// mistake is broken and empty.
pub fn compose(page: &Page, fonts: &Fonts) -> Composed {
    // Content that a template isn't made for, for example when an edit tries it, gives no tree.
    let made = written(page).and_then(|text| Ok((text.contains(PICTURE), drawn(page, &text)?)));
    let Ok((places, tree)) = made else { return empty(page) };
    let composed = set(page, &tree, fonts);
    // A picture is left out if words need its space.
    let drawn = || composed.elements.iter().any(|at| at.id.starts_with("picture") && at.rect.w() * at.rect.h() > 0.0);
    Composed { pictured: places && drawn(), ..composed }
}

/// Composes a page from its stored text, so that its picture stays the same when its template changes. Uses the
/// template if there is no text, or if the page language no longer accepts it.
pub fn restored(page: &Page, text: Option<&str>, fonts: &Fonts) -> Composed {
    let tree = text.and_then(|text| drawn(page, text).ok());
    tree.map_or_else(|| compose(page, fonts), |tree| set(page, &tree, fonts))
}

fn set(page: &Page, tree: &Tree, fonts: &Fonts) -> Composed {
    set_watched(page, tree, fonts, &mut |_| {})
}

/// Composes a page's tree and calls `ended` after each stage, so that stages can be timed.
pub fn set_watched(page: &Page, tree: &Tree, fonts: &Fonts, ended: &mut dyn FnMut(Stage)) -> Composed {
    let photos: Vec<_> = page.photo.iter().map(|photo| (authored::PHOTO.to_owned(), photo.clone())).collect();
    let setting = Setting {
        format: page.format.format(),
        style: page.style,
        palette: page.palette,
        brand: page.text(SlotId::Brand).unwrap_or_default(),
        logos: [page.logo.as_ref(), page.logo.as_ref()],
        faces: page.faces,
        language: &page.locale.language,
        fonts,
        slide: page.slide,
        photos: &photos,
        seed: page.seed,
        touches: Touches {
            adjust: Some(&page.adjust),
            sizes: page.sizes,
            groups: &[],
            art: page.art,
            generous: page.authored.is_some() && !page.whole,
        },
        build_box: elements::build_box,
    };
    let sheet = sheet::set_watched(tree, &setting, ended);
    let broken = !sheet.faults.is_empty();
    // A page doesn't fit if its type is below the sizes in the template, or if words are missing. An author decides
    // which elements a full page may drop, so authored pages may miss some.
    let says_all = page.authored.is_some() || says_all(page, &sheet.scene);
    let fits = !broken && sheet.share >= 0.0 && says_all;
    Composed {
        scene: sheet.scene,
        warnings: sheet.warnings,
        fits,
        broken,
        pictured: false,
        faults: sheet.faults,
        elements: sheet.elements,
    }
}

/// Returns whether a scene shows every text of a page whose words a person settled, except the line above the headline
/// and the labels of a chart.
pub(crate) fn shows_all(page: &Page, scene: &Scene) -> bool {
    let shown: Vec<SlotId> = scene.blocks.iter().filter_map(|block| block.slot.parse().ok()).collect();
    let charted = page.items.iter().any(|item| !item.numbers.is_empty());
    // An icon may replace a fact's label ("Date").
    let facts = [PageKind::Announcement, PageKind::Event, PageKind::Offer]
        .iter()
        .any(|kind| page.template.kinds().contains(kind));
    let counts = |id: SlotId| {
        use SlotId::{Cta, ItemBody, ItemLabel};
        id == Cta || matches!(id, ItemBody(_) if !charted) || matches!(id, ItemLabel(_) if !charted && !facts)
    };
    says_all(page, scene) && page.slots.iter().filter(|slot| counts(slot.id)).all(|slot| shown.contains(&slot.id))
}

/// Returns whether a scene shows a page's headline, support, figure and items.
fn says_all(page: &Page, scene: &Scene) -> bool {
    let shown: Vec<SlotId> = scene.blocks.iter().filter_map(|block| block.slot.parse().ok()).collect();
    // A chart of many rows only labels some of them.
    let charted = page.items.iter().any(|item| !item.numbers.is_empty());
    let counts = |id: SlotId| {
        use SlotId::{Attribution, Body, ItemHead, Note, Title, Value};
        matches!(id, Title | Body | Note | Value | Attribution) || matches!(id, ItemHead(_) if !charted)
    };
    page.slots.iter().filter(|slot| counts(slot.id)).all(|slot| shown.contains(&slot.id))
}

fn empty(page: &Page) -> Composed {
    let size = page.format.format().size_du();
    let scene = Scene { size, background: page.palette.bg, items: Vec::new(), layers: Vec::new(), blocks: Vec::new() };
    let (warnings, faults, elements) = (Vec::new(), Vec::new(), Vec::new());
    Composed { scene, warnings, fits: false, broken: true, pictured: false, faults, elements }
}

/// Returns whether a page's content can be placed anywhere between head and foot: none of it fills the page or is tied
/// to a part of it.
pub(crate) fn stands_free(page: &Page) -> bool {
    page.template.stands_free() && page.writing == Writing::Horizontal
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::{Style, Template};
    use crate::format::Format;
    use crate::plan::specimens::specimen;

    #[test]
    fn a_picture_takes_the_place_of_an_ornament() {
        let text = "<page><art grow=\"1\" bleed=\"top right\" optional=\"9\"/><art grow=\"2\"/></page>";
        assert_eq!(
            illustrated(text, "bridge"),
            "<page><picture name=\"bridge\" position=\"right\" grow=\"1\" optional=\"9\"/><art grow=\"2\"/></page>"
        );
        assert_eq!(illustrated("<page/>", "bridge"), "<page/>");
        assert_eq!(unadorned("<page><art grow=\"1\"/><rule/><art/ ></page>"), "<page><rule/><art/ ></page>");
        let fonts = Fonts::new();
        let format = Format::by_id("linkedin_carousel_portrait").expect("a format").id;
        let cover = specimen(Template::named("cover-type"), Style::MODERN, format, 1, &fonts).expect("a specimen");
        let drawn = |page: &Page| tree(page).expect("a tree").root.walk().filter(|n| n.name() == "svg").count();
        let cover = Page { picture: None, ..cover };
        let shown = Page { picture: Some("bridge".to_owned()), ..cover.clone() };
        assert_eq!((drawn(&cover), drawn(&shown)), (0, 1));
        assert!(compose(&shown, &fonts).fits);
    }

    #[test]
    fn every_template_is_a_tree_in_every_style_and_shape() {
        let fonts = Fonts::new();
        for template in Template::all() {
            for style in Style::all() {
                for format in
                    ["instagram_post", "instagram_carousel", "instagram_story", "presentation_slide", "twitter_header"]
                {
                    let format = Format::by_id(format).expect("in the catalogue").id;
                    let Some(page) = specimen(template, style, format, 3, &fonts) else { continue };
                    let tree = tree(&page).unwrap_or_else(|wrong| panic!("{style:?} {format}: {wrong}"));
                    let ids: Vec<&str> = tree.root.walk().map(|n| n.id.as_str()).collect();
                    let title =
                        page.text(SlotId::Title).is_none() || ids.contains(&"title") || ids.contains(&"title.0");
                    assert!(title, "{template:?} {style:?} {format}: the title has no id");
                }
            }
        }
    }
}
