//! What things cost, and what a ledger entry does to a balance.

use serde::{Deserialize, Serialize};

/// Credits of a visual.
pub const VISUAL: u64 = 10;
/// Credits of a carousel slide.
pub const SLIDE: u64 = 15;
/// Credits of an executed edit.
pub const EDIT: u64 = 10;

/// Credits of an output of this kind.
pub fn cost(is_slide: bool) -> u64 {
    if is_slide { SLIDE } else { VISUAL }
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
}

impl Movement {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Grant => "grant",
            Self::Hold => "hold",
            Self::Capture => "capture",
            Self::Release => "release",
        }
    }
}

/// What an account has. Always the sum of its ledger entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Balance {
    /// What can be spent now.
    pub available: u64,
    /// What is held for outputs that are not finished.
    pub reserved: u64,
}

/// An entry that would make a balance negative.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{movement:?} of {amount} credits does not fit a balance of {balance:?}")]
pub struct Overdrawn {
    /// What the entry says.
    pub movement: Movement,
    /// How many credits.
    pub amount: u64,
    /// What there is.
    pub balance: Balance,
}

impl Balance {
    /// The balance after an entry.
    ///
    /// # Errors
    /// [`Overdrawn`]; nothing is ever negative.
    pub fn after(self, movement: Movement, amount: u64) -> Result<Self, Overdrawn> {
        let overdrawn = Overdrawn { movement, amount, balance: self };
        let take = |from: u64| from.checked_sub(amount).ok_or(overdrawn);
        let give = |to: u64| to.checked_add(amount).ok_or(overdrawn);
        Ok(match movement {
            Movement::Grant => Self { available: give(self.available)?, ..self },
            Movement::Hold => Self { available: take(self.available)?, reserved: give(self.reserved)? },
            Movement::Capture => Self { reserved: take(self.reserved)?, ..self },
            Movement::Release => Self { reserved: take(self.reserved)?, available: give(self.available)? },
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_hold_needs_what_it_holds() {
        let ten = Balance::default().after(Movement::Grant, 10).unwrap();
        assert!(ten.after(Movement::Hold, 11).is_err());
        let held = ten.after(Movement::Hold, 10).unwrap();
        assert_eq!(held, Balance { available: 0, reserved: 10 });
        assert_eq!(held.after(Movement::Release, 10), Ok(ten));
        assert_eq!(held.after(Movement::Capture, 10), Ok(Balance::default()));
        assert!(held.after(Movement::Capture, 11).is_err());
    }

    proptest! {
        #[test]
        fn credits_are_neither_made_nor_lost(amounts in prop::collection::vec((0u8..4, 0u64..1000), 0..60)) {
            let (mut balance, mut granted, mut captured) = (Balance::default(), 0, 0);
            for (kind, amount) in amounts {
                let movement = [Movement::Grant, Movement::Hold, Movement::Capture, Movement::Release][kind as usize];
                if let Ok(next) = balance.after(movement, amount) {
                    balance = next;
                    match movement {
                        Movement::Grant => granted += amount,
                        Movement::Capture => captured += amount,
                        Movement::Hold | Movement::Release => {}
                    }
                }
                prop_assert_eq!(balance.available + balance.reserved + captured, granted);
            }
        }
    }
}
