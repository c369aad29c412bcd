//! The byte budget of request bodies: how many bytes of bodies the service holds at once, in total and per account.
//!
//! A request takes its share before its body is read (by the declared length) or as the bytes arrive (if no length is
//! declared), and returns the share when the request ends. A share counts whether the bytes are in memory or on disk. A
//! body that doesn't fit is refused at once: the client retries later, and no request waits while holding part of a
//! body.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;
use uuid::Uuid;

use crate::metrics;

/// Size in bytes above which a body is large. Large bodies leave part of the budget to small ones, so that a flood of
/// files doesn't block ordinary requests.
pub const LARGE: u64 = 1 << 20;
/// The budget divided by this is the part that large bodies leave to small ones.
const LEFT_TO_SMALL: u64 = 4;

/// The owner of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Holder {
    /// An account, by API key or session.
    Account(Uuid),
    /// The operator, by token.
    Operator,
    /// All requests without a key, session or token together: unattributed requests must not take more than one
    /// account.
    Strangers,
}

/// The budget has no room for more bytes now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the byte budget of request bodies is used up")]
pub struct UsedUp;

/// The budget. Clones share it.
#[derive(Debug, Clone)]
pub struct Budget(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    most: u64,
    per_holder: u64,
    held: Mutex<Held>,
}

#[derive(Debug, Default)]
struct Held {
    all: u64,
    by_holder: HashMap<Holder, u64>,
}

/// The bytes that one request holds. Dropping this returns them.
#[derive(Debug)]
pub struct Share {
    budget: Budget,
    holder: Holder,
    bytes: u64,
}

impl Budget {
    /// Creates a budget of `most` bytes in total and `per_holder` bytes per holder.
    pub fn new(most: u64, per_holder: u64) -> Self {
        Self(Arc::new(Inner { most, per_holder, held: Mutex::default() }))
    }

    /// Returns an empty share for this holder.
    pub fn share(&self, holder: Holder) -> Share {
        Share { budget: self.clone(), holder, bytes: 0 }
    }

    /// Returns the bytes held now.
    pub fn held(&self) -> u64 {
        self.0.held.lock().all
    }
}

impl Share {
    /// Grows the share to at least `bytes`.
    ///
    /// # Errors
    /// [`UsedUp`]; the share is unchanged.
    pub fn grow_to(&mut self, bytes: u64) -> Result<(), UsedUp> {
        let Some(more) = bytes.checked_sub(self.bytes).filter(|more| *more > 0) else { return Ok(()) };
        let Inner { most, per_holder, .. } = *self.budget.0;
        let most = if bytes > LARGE { most - most / LEFT_TO_SMALL } else { most };
        let mut held = self.budget.0.held.lock();
        let of_holder = held.by_holder.get(&self.holder).copied().unwrap_or(0);
        if of_holder + more > per_holder || held.all + more > most {
            metrics::body_refused();
            return Err(UsedUp);
        }
        held.all += more;
        held.by_holder.insert(self.holder, of_holder + more);
        self.bytes = bytes;
        metrics::body_bytes(held.all);
        Ok(())
    }

    /// Returns the bytes that the share holds.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        if self.bytes == 0 {
            return;
        }
        let mut held = self.budget.0.held.lock();
        held.all -= self.bytes;
        metrics::body_bytes(held.all);
        if let Some(of_holder) = held.by_holder.get_mut(&self.holder) {
            *of_holder -= self.bytes;
            if *of_holder == 0 {
                held.by_holder.remove(&self.holder);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: u64 = 1 << 20;

    fn account(n: u128) -> Holder {
        Holder::Account(Uuid::from_u128(n))
    }

    fn taken(budget: &Budget, holder: Holder, bytes: u64) -> Option<Share> {
        let mut share = budget.share(holder);
        share.grow_to(bytes).ok().map(|()| share)
    }

    #[test]
    fn i18_an_account_has_a_part_of_the_budget_and_gives_it_back() {
        let budget = Budget::new(100 * MIB, 40 * MIB);
        let first = taken(&budget, account(1), 36 * MIB).unwrap();
        assert!(taken(&budget, account(1), 5 * MIB).is_none());
        assert!(taken(&budget, account(2), 36 * MIB).is_some());
        assert_eq!(budget.held(), first.bytes());
        drop(first);
        assert_eq!(budget.held(), 0);
        assert!(taken(&budget, account(1), 40 * MIB).is_some());
        assert!(budget.0.held.lock().by_holder.is_empty(), "whoever holds nothing is forgotten");
    }

    #[test]
    fn i18_large_bodies_leave_room_for_small_ones() {
        let budget = Budget::new(100 * MIB, 40 * MIB);
        let _large: Vec<_> = (0..2).map(|n| taken(&budget, account(n), 36 * MIB).unwrap()).collect();
        assert!(taken(&budget, account(2), 4 * MIB).is_none(), "three quarters are all that large ones have");
        let small: Vec<_> = (3..31).map(|n| taken(&budget, account(n), MIB)).collect();
        assert!(small.iter().all(Option::is_some));
        assert!(taken(&budget, account(99), 1).is_none(), "the budget is all there is");
    }

    #[test]
    fn a_share_grows_with_what_arrives_and_is_unharmed_by_a_refusal() {
        let budget = Budget::new(100, 50);
        let mut share = budget.share(Holder::Strangers);
        assert_eq!((share.grow_to(30), share.grow_to(20), share.bytes()), (Ok(()), Ok(()), 30));
        assert_eq!((share.grow_to(51), share.bytes(), budget.held()), (Err(UsedUp), 30, 30));
        assert!(taken(&budget, Holder::Strangers, 21).is_none(), "strangers are one holder");
    }
}
