//! The look of a set: its style and its colours.

use render_core::design::{Scheme, Style};

/// How the pages of a set look.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Look {
    /// The style.
    pub style: Style,
    /// The colours, if they are neither the brand's nor the style's own.
    pub scheme: Option<Scheme>,
}

impl Look {
    /// Returns the look of an order before anything is chosen: the requested style, else the default.
    pub fn of(style: Option<Style>) -> Self {
        Self { style: style.unwrap_or(Style::MODERN), scheme: None }
    }
}
