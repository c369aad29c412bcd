//! Sets a page: from elements to boxes, positions, and the scene.

use std::cell::Cell;
use std::collections::HashMap;

use crate::content::Language;
use crate::design::{Background, Brand, Colours, Faces, Palette, Style, Theme};
use crate::scene::Scene;
use crate::text::{Align, Fonts};
use crate::tree::{Colour, Fault, Tree};
use crate::warning::{Warning, WarningCode};

use super::boxed::Flow;
use super::draw::Located;
use super::frame::Frame;
use super::inks::Inks;
use super::setting::{Setting, With};
use super::{draw, fit};

/// The result of setting a page.
pub struct Sheet {
    /// The scene, in du.
    pub scene: Scene,
    /// The positions of the elements.
    pub elements: Vec<Located>,
    /// What doesn't fit; empty if the page can be shown.
    pub faults: Vec<Fault>,
    /// Warnings for the user: missing glyphs, elements that were dropped.
    pub warnings: Vec<Warning>,
    /// The share of its ranges that type takes: 1 at the largest sizes, 0 at the smallest, −1 at the floor.
    pub share: f32,
    /// The sizes in du that the fit groups named in the setting agreed on.
    pub groups: Vec<(String, f32)>,
}

/// Returns the font families that `seed` picks for the words of pages: a brand's own, else the style's.
pub fn faces(
    trees: &[Tree],
    style: Style,
    brand: Option<&Brand>,
    language: &Language,
    seed: u64,
    fonts: &Fonts,
) -> Faces {
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

/// Returns the colours of a page: those of its background in its style or brand, on the ground in its attributes.
pub fn palette(tree: &Tree, style: Style, brand: Option<&Brand>, seed: u64) -> Palette {
    let background = match tree.root.get("field") {
        Some("accent") => Background::Accent,
        Some("close") => Background::Close,
        _ => Background::Base,
    };
    let palette = Colours { style, seed, brand, scheme: None }.on(background);
    tree.root.colour("bg").map_or(palette, |bg| grounded(palette, bg))
}

/// Returns a palette on the ground that a page asks for.
pub fn grounded(palette: Palette, ground: Colour) -> Palette {
    palette.on_ground(Inks::of(palette).fill(ground))
}

/// A finished stage of setting a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Elements became boxes: tokens are resolved, words shaped.
    Resolved,
    /// The boxes were fitted, in this many layout passes.
    Fitted(u32),
    /// The scene was drawn.
    Drawn,
}

/// Sets a page. The tree must have passed [`Tree::check`].
pub fn set(tree: &Tree, setting: &Setting<'_>) -> Sheet {
    set_watched(tree, setting, &mut |_| {})
}

/// Sets a page and calls `ended` after each stage, so that stages can be timed.
pub fn set_watched(tree: &Tree, setting: &Setting<'_>, ended: &mut dyn FnMut(Stage)) -> Sheet {
    let frame = Frame::of(setting.format, setting.theme(), setting.language.direction(), setting.touches.space());
    let palette = setting.palette;
    let with = With { setting, frame: &frame, inks: Inks::of(palette), align: Align::Start, flow: Flow::Column };
    let root = (setting.build_box)(&tree.root, &with);
    ended(Stage::Resolved);
    let passes = Cell::new(0);
    let foot = setting.format.safe_rect_du().y1;
    let groups = setting.touches.groups;
    let (alike, generous) = (HashMap::new(), setting.touches.generous);
    let ground = fit::Ground { room: frame.room, foot, rtl: frame.rtl, groups, own: &alike, generous, passes: &passes };
    let fitted = fit::fit(root, ground);
    ended(Stage::Fitted(passes.get()));
    let drawing = draw::draw(&fitted.root, &fitted.placed, &frame, palette.bg, setting);
    ended(Stage::Drawn);
    let mut warnings = Vec::new();
    if !drawing.missing.is_empty() {
        let names: Vec<String> = drawing.missing.iter().map(|c| format!("{c} (U+{:04X})", *c as u32)).collect();
        let message = format!("No font has these characters; they were left out: {}.", names.join(", "));
        warnings.push(Warning::new(WarningCode::MissingGlyphs, message));
    }
    if !fitted.dropped.is_empty() {
        let message = format!("Left out because the page was too full: {}.", fitted.dropped.join(", "));
        warnings.push(Warning::new(WarningCode::ContentShortened, message));
    }
    Sheet {
        scene: drawing.scene,
        elements: drawing.elements,
        groups: fit::group_sizes(&fitted, groups),
        faults: fitted.faults,
        warnings,
        share: fitted.share,
    }
}
