//! ninth, in unit tests alone: a style that nothing but this file knows.

use super::minimal;
use crate::design::Theme;

pub(super) const THEME: Theme = Theme {
    rank: 100,
    // Round corners tell it from the style that it takes its other tokens from.
    radius: 24.0,
    ..minimal::THEME
};
