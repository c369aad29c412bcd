//! What a child returns that decodes a photograph.

use crate::import::pixels::Pixels;

/// The photograph that a child decoded.
pub(super) struct Shown(pub Option<Pixels>);

impl Shown {
    /// Packs the pixels; empty if there are none.
    pub fn packed(&self) -> Vec<u8> {
        self.0.as_ref().map(Pixels::packed).unwrap_or_default()
    }
}
