//! The statuses of a generation, and the transitions between them.

use serde::{Deserialize, Serialize};

/// The status of a generation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Status {
    /// Accepted; no worker has started.
    Pending,
    /// Being designed and rendered.
    Processing,
    /// Every output is ready.
    Completed,
    /// Some outputs are ready, and the others failed permanently.
    Partial,
    /// No output is ready, and none will be.
    Failed,
    /// Cancelled by the client.
    Cancelled,
}

/// A status change that the transition table doesn't allow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a generation that is {from:?} can't become {to:?}")]
pub struct BadTransition {
    /// The current status.
    pub from: Status,
    /// The requested status.
    pub to: Status,
}

impl Status {
    /// Every status.
    pub const ALL: [Self; 6] =
        [Self::Pending, Self::Processing, Self::Completed, Self::Partial, Self::Failed, Self::Cancelled];

    /// Returns its name in the API.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Processing => "processing",
            Self::Completed => "completed",
            Self::Partial => "partial",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }

    /// Returns the status with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|s| s.name() == name)
    }

    /// Returns whether it is final.
    pub fn is_terminal(self) -> bool {
        matches!(self, Self::Completed | Self::Partial | Self::Failed | Self::Cancelled)
    }

    /// The transition table: all transitions except [`Self::reopened`] and [`Self::extended`].
    fn may_become(self, next: Self) -> bool {
        match self {
            Self::Pending => matches!(next, Self::Processing | Self::Failed | Self::Cancelled),
            Self::Processing => next.is_terminal(),
            Self::Completed | Self::Partial | Self::Failed | Self::Cancelled => false,
        }
    }

    /// Returns `next` if the table allows the transition.
    ///
    /// # Errors
    /// [`BadTransition`].
    pub fn become_status(self, next: Self) -> Result<Self, BadTransition> {
        if self.may_become(next) { Ok(next) } else { Err(BadTransition { from: self, to: next }) }
    }

    /// Returns the status after a retry.
    ///
    /// # Errors
    /// [`BadTransition`] for all but `partial` and `failed`.
    pub fn reopened(self) -> Result<Self, BadTransition> {
        match self {
            Self::Partial | Self::Failed => Ok(Self::Pending),
            _ => Err(BadTransition { from: self, to: Self::Pending }),
        }
    }

    /// Returns the status after an output is added.
    ///
    /// # Errors
    /// [`BadTransition`] for all but `completed` and `partial`.
    pub fn extended(self) -> Result<Self, BadTransition> {
        match self {
            Self::Completed | Self::Partial => Ok(Self::Pending),
            _ => Err(BadTransition { from: self, to: Self::Pending }),
        }
    }

    /// Returns the final status of a generation whose outputs have all ended.
    pub(in crate::state) fn outcome(done: u32, failed: u32) -> Self {
        match (done, failed) {
            (_, 0) => Self::Completed,
            (0, _) => Self::Failed,
            _ => Self::Partial,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// How far along a status is.
    fn rank(s: Status) -> u8 {
        match s {
            Status::Pending => 0,
            Status::Processing => 1,
            _ => 2,
        }
    }

    #[test]
    fn i11_only_a_retry_leaves_an_end_and_only_where_outputs_failed() {
        for s in Status::ALL {
            assert_eq!(s.reopened().is_ok(), matches!(s, Status::Partial | Status::Failed), "{s:?}");
            assert!(!s.is_terminal() || Status::ALL.iter().all(|next| s.become_status(*next).is_err()));
        }
    }

    proptest! {
        #[test]
        fn i11_no_walk_goes_back_or_leaves_the_end(steps in prop::collection::vec(0usize..6, 0..40)) {
            let mut at = Status::Pending;
            for next in steps.into_iter().map(|i| Status::ALL[i]) {
                if let Ok(to) = at.become_status(next) {
                    prop_assert!(rank(to) > rank(at), "{at:?} became {to:?}");
                    prop_assert!(!at.is_terminal());
                    at = to;
                }
            }
        }
    }

    #[test]
    fn names_read_back() {
        for s in Status::ALL {
            assert_eq!(Status::from_name(s.name()), Some(s));
        }
        assert_eq!(Status::from_name("done"), None);
    }
}
