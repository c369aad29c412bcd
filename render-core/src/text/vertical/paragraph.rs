//! Paragraphs to be set in columns.

use crate::text::{Locale, TextStyle};

/// A paragraph to be set in columns: balanced, each beginning at the top.
#[derive(Debug, Clone, PartialEq)]
pub struct VerticalText<'a> {
    /// The text; `\n` forces a break.
    pub text: &'a str,
    /// How it is set; the leading is the distance of the columns.
    pub style: TextStyle,
    /// The language it is set for.
    pub locale: Locale,
}
