//! ninth: a style for unit tests that no other file names.

use super::minimal;
use crate::design::Theme;

pub(super) const THEME: Theme = Theme {
    rank: 100,
    // Round corners distinguish it from the style that provides its other tokens.
    radius: 24.0,
    ..minimal::THEME
};
