//! The design measures, computed on scene and pixels.

use serde::{Deserialize, Serialize};

/// The measures of one page.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Quality {
    /// Whether every hard measure holds.
    pub passed: bool,
    /// Every measure that was taken.
    pub checks: Vec<Check>,
}

/// One measure.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Check {
    /// Its name, in snake case.
    pub name: String,
    /// What was measured.
    pub value: f32,
    /// What it is held against.
    pub gate: f32,
    /// Whether it holds.
    pub passed: bool,
    /// Hard measures decide whether a page passes; soft ones steer the choice.
    pub hard: bool,
}

/// Takes the measures of a scene and, where given, of its pixels (any resolution).
pub fn inspect(scene: &crate::scene::Scene, page: &crate::design::Page, pixels: Option<&crate::raster::Pixmap>) -> Quality {
    unimplemented!("{scene:?} {page:?} {pixels:?}")
}
