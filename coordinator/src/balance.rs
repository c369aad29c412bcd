//! The balance of an account: monthly credits, packs that expire, and top-ups that don't; and the order in which they
//! are spent.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::clock::{Millis, Month};

/// Maximum number of packs per account: the balance is one small row.
pub const PACKS: usize = 100;
/// Seconds for which refunded credits are valid if their source has expired. This is longer than any month, so that
/// they never expire twice within a month.
const RETURNED_S: u64 = 32 * 24 * 3600;
/// Id of the pack of such refunded credits.
const RETURNED: Uuid = Uuid::nil();

/// The source of credits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Source {
    /// Bought or granted, without expiry.
    Topup,
    /// The plan's credits for a month.
    Monthly(Month),
    /// A pack, which expires.
    Pack(Uuid),
}

/// An amount of credits from one source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Share {
    /// The source.
    pub source: Source,
    /// The amount.
    pub amount: u64,
}

/// Credits that expire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pack {
    /// The pack's id; nil for the pack of refunded credits.
    pub id: Uuid,
    /// Remaining credits.
    pub left: u64,
    /// When it expires.
    pub expires: Millis,
}

/// The balance of an account. It always equals the sum of the ledger's entries.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Balance {
    /// Credits that don't expire.
    pub topup: u64,
    /// Credits reserved for unfinished outputs.
    pub reserved: u64,
    /// Remaining credits of the month.
    pub monthly: u64,
    /// The month of `monthly`.
    pub month: Month,
    /// The packs, by expiry.
    pub packs: Vec<Pack>,
    /// Number of ledger entries so far.
    pub entries: u64,
}

/// A movement would make the balance negative or overflow it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{amount} credits don't fit a balance of {available} and {reserved} reserved")]
pub struct Overdrawn {
    /// Credits of the movement.
    pub amount: u64,
    /// Available credits.
    pub available: u64,
    /// Reserved credits.
    pub reserved: u64,
}

impl Balance {
    /// Returns the available credits as of the last change: everything but what is reserved.
    pub fn available(&self) -> u64 {
        self.topup + self.monthly + self.in_packs()
    }

    /// Returns the remaining credits of all packs.
    pub fn in_packs(&self) -> u64 {
        self.packs.iter().map(|p| p.left).sum()
    }

    /// Returns whether a month or a pack has ended since the last change.
    pub fn is_due(&self, now: Millis) -> bool {
        self.month < Month::of(now) || self.packs.first().is_some_and(|p| p.expires <= now)
    }

    /// Returns the packs that have expired.
    pub fn ended(&self, now: Millis) -> impl Iterator<Item = Pack> + use<'_> {
        self.packs.iter().copied().take_while(move |p| p.expires <= now)
    }

    /// Adds credits. `expires` is used for packs only.
    ///
    /// # Errors
    /// [`Overdrawn`] if the balance would overflow.
    pub fn grant(&mut self, share: Share, expires: Millis) -> Result<(), Overdrawn> {
        let total = self.available().checked_add(self.reserved).and_then(|n| n.checked_add(share.amount));
        if total.is_none() {
            return Err(self.overdrawn(share.amount));
        }
        match share.source {
            Source::Topup => self.topup += share.amount,
            Source::Monthly(month) => {
                self.monthly += share.amount;
                self.month = month;
            }
            Source::Pack(id) => {
                match self.packs.iter_mut().find(|p| p.id == id) {
                    Some(pack) => {
                        pack.left += share.amount;
                        pack.expires = pack.expires.max(expires);
                    }
                    None => self.packs.push(Pack { id, left: share.amount, expires }),
                }
                self.packs.sort_by_key(|p| (p.expires, p.id));
            }
        }
        Ok(())
    }

    /// Reserves credits, those that expire first: monthly credits, then packs, then top-ups. Returns their sources.
    ///
    /// # Errors
    /// [`Overdrawn`] if too few credits are available.
    pub fn hold(&mut self, amount: u64) -> Result<Vec<Share>, Overdrawn> {
        if self.available() < amount {
            return Err(self.overdrawn(amount));
        }
        let mut shares = Vec::new();
        let mut missing = amount;
        let mut take = |from: &mut u64, source| {
            let taken = missing.min(*from);
            *from -= taken;
            missing -= taken;
            if taken > 0 {
                shares.push(Share { source, amount: taken });
            }
        };
        take(&mut self.monthly, Source::Monthly(self.month));
        self.packs.iter_mut().for_each(|p| take(&mut p.left, Source::Pack(p.id)));
        take(&mut self.topup, Source::Topup);
        self.packs.retain(|p| p.left > 0);
        self.reserved += amount;
        Ok(shares)
    }

    /// Captures reserved credits.
    ///
    /// # Errors
    /// [`Overdrawn`] if fewer credits are reserved.
    pub fn capture(&mut self, amount: u64) -> Result<(), Overdrawn> {
        self.reserved = self.reserved.checked_sub(amount).ok_or_else(|| self.overdrawn(amount))?;
        Ok(())
    }

    /// Releases reserved credits to their sources. If a source has expired in the meantime, the credits are valid for
    /// another month. A pack that was used up is no longer stored and counts as expired. Returns where the credits
    /// went.
    ///
    /// # Errors
    /// [`Overdrawn`] if fewer credits are reserved.
    pub fn release(&mut self, amount: u64, from: &[Share], now: Millis) -> Result<Vec<Share>, Overdrawn> {
        self.capture(amount)?;
        let known: u64 = from.iter().map(|s| s.amount).sum();
        // Versions that did not store the sources of a hold had top-ups only.
        let unknown = Share { source: Source::Topup, amount: amount.saturating_sub(known) };
        let mut back = Vec::new();
        for share in from.iter().copied().chain((unknown.amount > 0).then_some(unknown)) {
            let lives = match share.source {
                Source::Topup => true,
                Source::Monthly(month) => month == self.month && month == Month::of(now),
                Source::Pack(id) => self.packs.iter().any(|p| p.id == id && p.expires > now),
            };
            let source = if lives { share.source } else { Source::Pack(RETURNED) };
            let share = Share { source, ..share };
            // A pack that is still valid keeps its expiry.
            let expires = if lives { Millis(0) } else { now.plus_seconds(RETURNED_S) };
            self.grant(share, expires)?;
            back.push(share);
        }
        Ok(back)
    }

    /// Expires the remaining credits of a source, and returns their amount.
    pub fn expire(&mut self, source: Source) -> u64 {
        match source {
            Source::Topup => 0,
            Source::Monthly(_) => std::mem::take(&mut self.monthly),
            Source::Pack(id) => {
                let left = self.packs.iter().filter(|p| p.id == id).map(|p| p.left).sum();
                self.packs.retain(|p| p.id != id);
                left
            }
        }
    }

    fn overdrawn(&self, amount: u64) -> Overdrawn {
        Overdrawn { amount, available: self.available(), reserved: self.reserved }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const T0: Millis = Millis(1_700_000_000_000);
    const NEVER: Millis = Millis(i64::MAX);

    fn share(source: Source, amount: u64) -> Share {
        Share { source, amount }
    }

    fn pack(n: u128) -> Source {
        Source::Pack(Uuid::from_u128(n))
    }

    fn full() -> Balance {
        let mut balance = Balance::default();
        balance.grant(share(Source::Topup, 100), NEVER).unwrap();
        balance.grant(share(pack(2), 20), T0.plus_seconds(200)).unwrap();
        balance.grant(share(pack(1), 10), T0.plus_seconds(100)).unwrap();
        balance.grant(share(Source::Monthly(Month::of(T0)), 5), NEVER).unwrap();
        balance
    }

    #[test]
    fn what_ends_first_is_spent_first() {
        let mut balance = full();
        assert_eq!(balance.available(), 135);
        let month = Source::Monthly(Month::of(T0));
        assert_eq!(balance.hold(12), Ok(vec![share(month, 5), share(pack(1), 7)]));
        assert_eq!(balance.hold(30), Ok(vec![share(pack(1), 3), share(pack(2), 20), share(Source::Topup, 7)]));
        assert_eq!((balance.available(), balance.reserved, balance.packs.len()), (93, 42, 0));
        assert!(balance.hold(94).is_err() && balance.capture(43).is_err());
        assert_eq!((balance.available(), balance.reserved), (93, 42), "a refusal changes nothing");
    }

    #[test]
    fn what_comes_back_goes_where_it_came_from() {
        let mut balance = full();
        let held = balance.hold(12).unwrap();
        assert_eq!(balance.release(12, &held, T0), Ok(held));
        assert_eq!(balance, full());
    }

    #[test]
    fn what_comes_back_too_late_is_good_for_another_month() {
        let mut balance = full();
        let held = balance.hold(15).unwrap();
        // The month's own credits haven't been expired yet.
        let later = T0.plus_seconds(40 * 24 * 3600);
        let back = balance.release(15, &held, later).unwrap();
        assert_eq!(back, [share(Source::Pack(RETURNED), 5), share(Source::Pack(RETURNED), 10)]);
        assert_eq!((balance.available(), balance.in_packs(), balance.monthly), (135, 35, 0));
        assert!(Month::of(balance.packs[1].expires) > Month::of(later), "the pack that ends sooner comes first");
    }

    #[test]
    fn a_hold_of_old_comes_back_as_top_up() {
        let mut balance = Balance { reserved: 15, ..Balance::default() };
        balance.release(15, &[], T0).unwrap();
        assert_eq!((balance.topup, balance.reserved), (15, 0));
    }

    #[test]
    fn packs_end() {
        let mut balance = full();
        assert!(!balance.is_due(T0.plus_seconds(99)));
        let later = T0.plus_seconds(150);
        assert!(balance.is_due(later));
        let ended: Vec<Pack> = balance.ended(later).collect();
        assert_eq!(ended.iter().map(|p| p.left).collect::<Vec<_>>(), [10]);
        assert_eq!(balance.expire(Source::Pack(ended[0].id)), 10);
        assert!(!balance.is_due(later) && balance.available() == 125);
    }

    #[test]
    fn more_than_can_be_counted_is_refused() {
        let mut balance = full();
        assert!(balance.grant(share(Source::Topup, u64::MAX - 10), NEVER).is_err());
        assert_eq!(balance, full());
    }

    proptest! {
        #[test]
        fn credits_are_neither_made_nor_lost(steps in prop::collection::vec((0u8..6, 0u64..400, 0u128..4), 0..80)) {
            let (mut balance, mut granted, mut gone) = (Balance::default(), 0, 0);
            let mut held: Vec<(u64, Vec<Share>)> = Vec::new();
            for (kind, amount, n) in steps {
                match kind {
                    0 => {
                        let source = [Source::Topup, Source::Monthly(Month::of(T0)), pack(n)][n as usize % 3];
                        balance.grant(share(source, amount), T0.plus_seconds(amount)).unwrap();
                        granted += amount;
                    }
                    1 | 2 => {
                        if let Ok(shares) = balance.hold(amount) {
                            prop_assert_eq!(shares.iter().map(|s| s.amount).sum::<u64>(), amount);
                            held.push((amount, shares));
                        } else {
                            prop_assert!(balance.available() < amount);
                        }
                    }
                    3 => if let Some((amount, _)) = held.pop() {
                        balance.capture(amount).unwrap();
                        gone += amount;
                    },
                    4 => if let Some((amount, shares)) = held.pop() {
                        balance.release(amount, &shares, T0).unwrap();
                    },
                    _ => gone += balance.expire([pack(n), Source::Monthly(Month::of(T0))][n as usize % 2]),
                }
                prop_assert_eq!(balance.reserved, held.iter().map(|h| h.0).sum::<u64>());
                prop_assert_eq!(balance.available() + balance.reserved + gone, granted);
                prop_assert!(balance.packs.is_sorted_by_key(|p| p.expires));
            }
        }
    }
}
