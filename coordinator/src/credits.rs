//! Prices in credits, and the kinds of credit movements.

use render_core::edit::Correction;
use serde::{Deserialize, Serialize};

/// Credits per visual.
pub const VISUAL: u64 = 10;
/// Credits per carousel slide.
pub const SLIDE: u64 = 15;
/// Credits for an edit of one page that does more than correct words.
pub const EDIT: u64 = 10;

/// Returns the credits for an output of this kind.
pub fn cost(is_slide: bool) -> u64 {
    if is_slide { SLIDE } else { VISUAL }
}

/// Returns the credits for an edit of one page: none if it only corrects at most `free` percent of the page's words.
pub fn edit(correction: Option<Correction>, free: u8) -> u64 {
    if correction.is_some_and(|correction| correction.is_within(free)) { 0 } else { EDIT }
}

/// The kind of a movement of credits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Movement {
    /// Granted to the account.
    Grant,
    /// Reserved for an output.
    Hold,
    /// Charged: the output was delivered.
    Capture,
    /// Refunded: the output failed.
    Release,
    /// Expired unspent with their month or pack.
    Expiry,
}

impl Movement {
    /// Returns its name in the API.
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
