//! Page × theme × canvas → scene: resolved, absolute, no inheritance left.

use crate::design::Page;
use crate::scene::Scene;
use crate::text::Fonts;
use crate::warning::Warning;

/// A scene and what happened on the way to it.
#[derive(Debug, Clone, PartialEq)]
pub struct Composed {
    /// The scene, in du.
    pub scene: Scene,
    /// Shrunk type, missing glyphs.
    pub warnings: Vec<Warning>,
}

/// Sets a page. The scene is in du and serves every resolution of the page's format.
pub fn compose(page: &Page, fonts: &Fonts) -> Composed {
    unimplemented!("{page:?} {fonts:p}")
}
