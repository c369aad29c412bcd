//! What things cost, and what a ledger entry says of its credits.

use render_core::edit::Correction;
use serde::{Deserialize, Serialize};

/// Credits of a visual.
pub const VISUAL: u64 = 10;
/// Credits of a carousel slide.
pub const SLIDE: u64 = 15;
/// Credits of an edit of one page that does more than correct words.
pub const EDIT: u64 = 10;

/// Credits of an output of this kind.
pub fn cost(is_slide: bool) -> u64 {
    if is_slide { SLIDE } else { VISUAL }
}

/// Credits of an edit of one page: none where it corrects at most `free` hundredths of the page's words and does nothing else.
pub fn edit(correction: Option<Correction>, free: u8) -> u64 {
    if correction.is_some_and(|correction| correction.is_within(free)) { 0 } else { EDIT }
}

/// What a ledger entry says about its credits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Movement {
    /// Given to the account.
    Grant,
    /// Set aside for an output.
    Hold,
    /// Taken for good: the output was delivered.
    Capture,
    /// Given back: the output failed.
    Release,
    /// Gone with their month or their pack, unspent.
    Expiry,
}

impl Movement {
    /// Its name in the contract.
    pub fn name(self) -> &'static str {
        match self {
            Self::Grant => "grant",
            Self::Hold => "hold",
            Self::Capture => "capture",
            Self::Release => "release",
            Self::Expiry => "expiry",
        }
    }
}
