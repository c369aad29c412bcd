//! Laying out trees: a [`Tree`] and a [`Setting`] become a scene.
//!
//! ```text
//! tree --dress--> boxes (tokens resolved) --fit, arrange--> places --draw--> scene
//! ```
//!
//! Elements are turned into [`Boxed`] values by a function of the layer above, [`Setting::dress`]: this layer knows boxes,
//! words and drawings, and no element by name.

mod arrange;
mod boxed;
mod draw;
mod dress;
mod fit;
mod frame;
mod inks;
pub(crate) mod marks;
mod words;

pub use boxed::{
    Border, Boxed, Content, Drawn, Extent, Flow, Justify, Lay, Look, Pin, Place, Ranged, Sketch, Tracks,
};
pub use dress::{Dresser, With, place};
pub use frame::Frame;
pub use inks::{Inks, mix};
pub use words::{Manner, Plan, Words};

use crate::content::Language;
use crate::design::{Brand, Faces, Field, Logo, Palette, Photo, Slide, Style, Theme};
use crate::format::Format;
use crate::scene::{Color, Scene};
use crate::text::{Align, Fonts, Paragraph, ShapedText};
use crate::tree::{Colour, Fault, Tree};
use crate::warning::{Warning, WarningCode};

/// Everything beside the tree that a page is set with.
pub struct Setting<'a> {
    /// The format.
    pub format: &'a Format,
    /// The style.
    pub style: Style,
    /// Colours of the page's field.
    pub palette: Palette,
    /// What the brand is called; empty without one.
    pub brand: &'a str,
    /// The brand's logos for light and for dark grounds.
    pub logos: [Option<&'a Logo>; 2],
    /// The families.
    pub faces: Faces,
    /// The language of the words.
    pub language: &'a Language,
    /// The fonts.
    pub fonts: &'a Fonts,
    /// The page's place in a carousel.
    pub slide: Option<Slide>,
    /// Photographs by the names that the page calls them by.
    pub photos: &'a [(String, Photo)],
    /// Whatever is chosen by chance is chosen by this.
    pub seed: u64,
    /// Turns elements into boxes.
    pub dress: Dresser,
}

/// A page as it was set.
pub struct Sheet {
    /// The scene, in du.
    pub scene: Scene,
    /// What doesn't fit; empty where the page can be shown.
    pub faults: Vec<Fault>,
    /// What the reader should know: missing glyphs, elements that were left out.
    pub warnings: Vec<Warning>,
    /// The share of its ranges that type takes: 1 at the largest sizes, 0 at the smallest, −1 at the floor.
    pub share: f32,
}

impl Setting<'_> {
    /// The tokens of the style.
    pub fn theme(&self) -> &'static Theme {
        Theme::of(self.style)
    }

    /// The photograph of this name.
    pub fn photo(&self, name: &str) -> Option<&Photo> {
        self.photos.iter().find(|(n, _)| n == name).map(|(_, photo)| photo)
    }

    /// The brand's logo for a ground: the variant made for it where there is one.
    pub fn logo(&self, ground: Color) -> Option<&Logo> {
        let [light, dark] = self.logos;
        if ground.to_oklch().l < 0.6 { dark.or(light) } else { light.or(dark) }
    }

    /// A paragraph, shaped.
    pub fn shaped(&self, paragraph: &Paragraph<'_>) -> ShapedText {
        ShapedText::new(self.fonts, paragraph)
    }
}

/// The families that `seed` picks for the words of pages: a brand's own, else the style's.
pub fn faces(trees: &[Tree], style: Style, brand: Option<&Brand>, language: &Language, seed: u64, fonts: &Fonts) -> Faces {
    let words: Vec<String> = trees.iter().flat_map(|t| t.root.walk().map(crate::tree::Node::text)).collect();
    let mut faces = Theme::of(style).choose_faces(&words.join(" "), language, seed, fonts);
    if let Some(brand) = brand {
        faces.display = brand.heading.unwrap_or(faces.display);
        if let Some(body) = brand.body {
            (faces.body, faces.data) = (body, body);
        }
    }
    faces
}

/// The colours of a page: those of its field in its style or brand, on the ground that it names.
pub fn palette(tree: &Tree, style: Style, brand: Option<&Brand>, seed: u64) -> Palette {
    let field = match tree.root.get("field") {
        Some("accent") => Field::Accent,
        Some("close") => Field::Close,
        _ => Field::Base,
    };
    let palette = match brand {
        Some(brand) => Palette::of_brand(style, field, seed, brand),
        None => Palette::pick(style, field, seed),
    };
    match tree.root.colour("bg") {
        Some(Colour::Exact(color)) => palette.on_ground(color),
        Some(role @ Colour::Role(_)) => palette.on_ground(Inks::of(palette).fill(role)),
        None => palette,
    }
}

/// Sets a page. The tree must have passed [`Tree::check`].
pub fn set(tree: &Tree, setting: &Setting<'_>) -> Sheet {
    let frame = Frame::of(setting.format, setting.theme(), setting.language.direction());
    let palette = setting.palette;
    let with = With { setting, frame: &frame, inks: Inks::of(palette), align: Align::Start, flow: Flow::Column };
    let root = (setting.dress)(&tree.root, &with);
    let fitted = fit::fit(root, frame.room, frame.rtl);
    let drawing = draw::draw(&fitted.root, &fitted.placed, &frame, palette.bg, setting);
    let mut warnings = Vec::new();
    if !drawing.missing.is_empty() {
        let names: Vec<String> = drawing.missing.iter().map(|c| format!("{c} (U+{:04X})", *c as u32)).collect();
        let message = format!("No face has these characters; they were left out: {}.", names.join(", "));
        warnings.push(Warning::new(WarningCode::MissingGlyphs, message));
    }
    if !fitted.dropped.is_empty() {
        let message = format!("Left out, since the page was too full: {}.", fitted.dropped.join(", "));
        warnings.push(Warning::new(WarningCode::ContentShortened, message));
    }
    Sheet { scene: drawing.scene, faults: fitted.faults, warnings, share: fitted.share }
}
