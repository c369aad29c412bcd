//! What a model wrote, and why it wrote nothing.

use std::fmt;

use fleet::llm::LlmError;
use render_core::format::FormatId;
use render_core::outline::Outline;

use super::look::Look;

/// What a model wrote.
#[derive(Debug, Default)]
pub(crate) struct Written {
    /// An outline for each format that it composed pages for.
    pub outlines: Vec<(FormatId, Outline)>,
    /// The formats without an outline, and why.
    pub missing: Vec<(FormatId, Cause)>,
    /// The look that it chose; `None` if it wrote nothing.
    pub look: Option<Look>,
}

/// Why a model gave no outline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Cause {
    /// It gave no answer.
    Silent(LlmError),
    /// Its answers broke a rule, including the corrected ones.
    Invalid,
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Silent(error) => error.fmt(f),
            Self::Invalid => f.write_str("its answer broke the limits, or contained facts that the input doesn't"),
        }
    }
}

impl Cause {
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Silent(error) => error.name(),
            Self::Invalid => "invalid",
        }
    }
}
