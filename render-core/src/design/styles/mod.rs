//! One file a style: its tokens, its voices, and how a palette follows from a scheme's colours.

pub(super) mod bold;
pub(super) mod corporate;
pub(super) mod creative;
pub(super) mod dark;
pub(super) mod elegant;
pub(super) mod minimal;
pub(super) mod modern;
pub(super) mod playful;
