//! The design checks, computed on scene and pixels.
//!
//! Hard checks decide whether a page may be shown: whether it is readable, and whether anything overflows, overlaps, or
//! lies under a phone's controls. Soft checks guide the choice between candidates: hierarchy, line length, widows,
//! restraint, how well a page is filled.

mod filled;
mod layout;
mod legibility;
mod miss;
mod restraint;

use serde::{Deserialize, Serialize};

use crate::design::{Page, Style};
use crate::format::FormatId;
use crate::raster::Pixmap;
use crate::scene::{Canvas, Item, Layer, Role, Scene};

pub use filled::{ALIKE, art_share, emptiness, ground, sameness};
pub use miss::{Miss, misses};

/// The least WCAG contrast of small and of large text.
const CONTRAST_SMALL: f32 = 4.5;
const CONTRAST_LARGE: f32 = 3.0;

/// The check results of one page.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Quality {
    /// Whether every hard check passed.
    pub passed: bool,
    /// All checks that were made.
    pub checks: Vec<Check>,
}

/// The result of one check.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Check {
    /// Its name, in snake case.
    pub name: String,
    /// The measured value.
    pub value: f32,
    /// The limit for the value.
    pub gate: f32,
    /// Whether it passed.
    pub passed: bool,
    /// Whether it is hard: hard checks decide whether a page passes, soft ones guide the choice.
    pub hard: bool,
}

/// The criteria for a scene.
#[derive(Debug, Clone, Copy)]
pub struct Against {
    /// The format that it is made for.
    pub format: FormatId,
    /// Its style.
    pub style: Style,
    /// Whether all its words have the same role, so that none dominates.
    pub type_only: bool,
    /// Whether running text may be as small as the sentences of items.
    pub notes: bool,
    /// Whether it must have words.
    pub words: bool,
    /// How much of it coincides with the slide before it, if known.
    pub sameness: Option<f32>,
}

impl From<&Page> for Against {
    fn from(page: &Page) -> Self {
        let type_only = page.template.is_plain();
        Self { format: page.format, style: page.style, type_only, notes: true, words: true, sameness: page.sameness }
    }
}

/// Checks a scene. Legibility is only checked with a `backdrop`: the scene of [`without_text`] drawn at any resolution;
/// [`proof_canvas`] is sufficient.
pub fn inspect(scene: &Scene, against: impl Into<Against>, backdrop: Option<&Pixmap>) -> Quality {
    let against = against.into();
    let mut report = Report::default();
    layout::measure(&mut report, scene, against);
    filled::measure(&mut report, scene, against);
    restraint::measure(&mut report, scene, against);
    if let Some(pixels) = backdrop {
        legibility::measure(&mut report, scene, pixels);
    }
    Quality { passed: report.checks.iter().all(|c| c.passed || !c.hard), checks: report.checks }
}

/// Short edge in pixels of the pictures for legibility checks.
const PROOF_PX: f32 = 256.0;

/// Returns a canvas that is large enough to check a scene's legibility.
pub fn proof_canvas(scene: &Scene) -> Canvas {
    let scale = PROOF_PX / scene.size.short();
    let px = |du: f32| (du * scale).round().max(1.0) as u32;
    Canvas { width: px(scene.size.w), height: px(scene.size.h), scale, dither: true }
}

/// Returns the scene without its text.
pub fn without_text(scene: &Scene) -> Scene {
    let stays = |item: &Item| !matches!(item.role, Role::Text(_));
    let left = |upto: usize| scene.items.iter().take(upto).filter(|i| stays(i)).count();
    let layers = scene.layers.iter().map(|l| Layer { items: left(l.items.start)..left(l.items.end), ..l.clone() });
    Scene {
        size: scene.size,
        background: scene.background,
        items: scene.items.iter().filter(|i| stays(i)).cloned().collect(),
        layers: layers.collect(),
        blocks: Vec::new(),
    }
}

impl Quality {
    /// Returns by how much a value exceeds its limit; 0 if the check passed or wasn't made.
    pub fn excess(&self, name: &str) -> f32 {
        self.checks.iter().find(|c| c.name == name).map_or(0.0, |c| (c.value - c.gate).max(0.0))
    }

    /// Returns the share of soft checks that passed, 0–1.
    pub fn softness(&self) -> f32 {
        let soft = || self.checks.iter().filter(|c| !c.hard);
        let held = soft().filter(|c| c.passed).count();
        held as f32 / soft().count().max(1) as f32
    }
}

#[derive(Default)]
struct Report {
    checks: Vec<Check>,
}

impl Report {
    fn at_least(&mut self, name: &str, value: f32, gate: f32, hard: bool) {
        self.push(name, value, gate, value >= gate, hard);
    }

    fn at_most(&mut self, name: &str, value: f32, gate: f32, hard: bool) {
        self.push(name, value, gate, value <= gate, hard);
    }

    fn push(&mut self, name: &str, value: f32, gate: f32, passed: bool, hard: bool) {
        self.checks.push(Check { name: name.to_owned(), value, gate, passed, hard });
    }
}
