//! Paragraphs for vertical layout.

use crate::text::{Locale, TextStyle};

/// A paragraph to lay out in balanced columns that all start at the top.
#[derive(Debug, Clone, PartialEq)]
pub struct VerticalText<'a> {
    /// The text; `\n` forces a break.
    pub text: &'a str,
    /// The style of the text; the leading is the distance of the columns.
    pub style: TextStyle,
    /// The language of the text.
    pub locale: Locale,
}
