//! Generations that were kept long enough.

use uuid::Uuid;

use super::{GENERATIONS, StateError, Store, keyspace::pair};
use crate::clock::Millis;

impl Store {
    /// Deletes up to `most` generations that were accepted before `before` and have ended, with their images. Returns how
    /// many.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn delete_old(&self, before: Millis, most: usize, now: Millis) -> Result<usize, StateError> {
        let mut deleted = 0;
        for account in self.shared.index.accounts() {
            let mut after = Uuid::nil();
            while deleted < most {
                let old = self.shared.index.oldest(account, before, after, most - deleted);
                let Some(last) = old.last() else { break };
                after = *last;
                for id in old {
                    let kept = self.shared.tables.get(&GENERATIONS, &pair(account, id))?;
                    // One that is still worked on goes the next time.
                    if kept.is_some_and(|generation| generation.status.is_terminal()) {
                        deleted += usize::from(self.delete_generation(account, id, now)?);
                    }
                }
            }
        }
        Ok(deleted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::tests::{Bench, T0, bench, order};
    use crate::state::{Accepted, Filter, Order};

    fn accept(b: &Bench, account: Uuid, created: Millis) -> Uuid {
        match b.store.accept(&Order { created, ..order(account, 1) }).unwrap() {
            Accepted::Created(made) => made.generation.id,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_is_old_goes_with_its_images_and_stays_paid() {
        let b = bench(10_000);
        for _ in 0..5 {
            accept(&b, b.account, T0);
        }
        b.drain(T0);
        // As old, and nobody has drawn it yet; and one that is young.
        let open = accept(&b, b.account, T0);
        let young = accept(&b, b.account, T0.plus_seconds(100));
        let (money, later) = (b.check_money(), T0.plus_seconds(1));
        assert_eq!(b.store.delete_old(T0, 9, later).unwrap(), 0, "accepted then, not before");
        assert_eq!(b.store.delete_old(later, 3, later).unwrap(), 3, "no more at once");
        assert_eq!(b.store.delete_old(later, 9, later).unwrap(), 2);
        assert_eq!(b.store.delete_old(later, 9, later).unwrap(), 0);
        let (left, _) = b.store.generations(b.account, &Filter::default(), None, 100).unwrap();
        assert_eq!(left.iter().map(|s| s.generation.id).collect::<Vec<_>>(), [young, open]);
        assert_eq!(b.store.trash(1_000, later).unwrap().len(), 10, "images and thumbnails");
        assert_eq!(b.check_money(), money);
    }

    #[test]
    fn every_account_is_looked_at() {
        let b = bench(10_000);
        let other = b.store.create_account(&crate::state::tests::account(), 100).unwrap();
        accept(&b, b.account, T0);
        accept(&b, other, T0);
        b.drain(T0);
        let later = T0.plus_seconds(1);
        assert_eq!(b.store.delete_old(later, 9, later).unwrap(), 2);
    }
}
