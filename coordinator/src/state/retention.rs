//! Generations that were kept their time, deleted a few at once.

use uuid::Uuid;

use super::keyspace::pair;
use super::{GENERATIONS, Shared, StateError, Store};
use crate::clock::Millis;

/// Generations looked at in one step; each that goes is a commit of its own.
const STEP: usize = 32;

/// How far a pass over all accounts has come.
#[derive(Debug)]
pub struct Pass {
    /// Accounts that are still to be looked at, the next one last.
    accounts: Vec<Uuid>,
    /// The last generation of that account that was looked at.
    after: Uuid,
}

impl Store {
    /// Begins to look for generations that were kept their time.
    pub fn pass(&self) -> Pass {
        Pass { accounts: self.shared.index.accounts(), after: Uuid::nil() }
    }

    /// Deletes the next few generations that ended before `before`, with their images. One that has not ended stays,
    /// however old it is. Returns how many went; nothing once the pass is over.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn forget_generations(
        &self,
        pass: &mut Pass,
        before: Millis,
        now: Millis,
    ) -> Result<Option<usize>, StateError> {
        let Shared { tables, index, .. } = &*self.shared;
        let Some(&account) = pass.accounts.last() else { return Ok(None) };
        // What was accepted later can't have ended before.
        let ids = index.oldest(account, before, pass.after, STEP);
        let mut gone = 0;
        for id in &ids {
            let generation = tables.get(&GENERATIONS, &pair(account, *id))?;
            if generation.is_some_and(|g| g.completed.is_some_and(|at| at < before)) {
                gone += usize::from(self.delete_generation(account, *id, now)?);
            }
            pass.after = *id;
        }
        if ids.len() < STEP {
            pass.accounts.pop();
            pass.after = Uuid::nil();
        }
        Ok(Some(gone))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::tests::{Bench, T0, bench, order};
    use crate::state::{Accepted, Filter, Order};

    fn sweep(b: &Bench, before: Millis) -> usize {
        let (mut pass, mut gone) = (b.store.pass(), 0);
        while let Some(n) = b.store.forget_generations(&mut pass, before, before).unwrap() {
            gone += n;
        }
        gone
    }

    fn accept(b: &Bench, account: Uuid, created: Millis) -> Uuid {
        match b.store.accept(&Order { created, ..order(account, 1) }).unwrap() {
            Accepted::Created(made) => made.generation.id,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_ended_long_ago_goes_with_its_images_and_stays_paid() {
        let b = bench(10_000);
        let old: Vec<_> = (0..STEP + 3).map(|_| accept(&b, b.account, T0)).collect();
        b.drain(T0.plus_seconds(10));
        // Accepted as long ago, and nobody has drawn it yet.
        let open = accept(&b, b.account, T0);
        let young = accept(&b, b.account, T0.plus_seconds(100));
        let money = b.check_money();
        assert_eq!(sweep(&b, T0.plus_seconds(10)), 0, "it ended at that time, not before");
        assert_eq!(sweep(&b, T0.plus_seconds(11)), old.len());
        assert_eq!(sweep(&b, T0.plus_seconds(11)), 0);
        let (left, _) = b.store.generations(b.account, &Filter::default(), None, 100).unwrap();
        assert_eq!(left.iter().map(|s| s.generation.id).collect::<Vec<_>>(), [young, open]);
        assert_eq!(b.store.trash(1_000, T0.plus_seconds(11)).unwrap().len(), 2 * old.len(), "images and thumbnails");
        assert_eq!(b.check_money(), money);
    }

    #[test]
    fn every_account_is_looked_at() {
        let b = bench(10_000);
        let other = b.store.create_account(&crate::state::tests::account(), 100).unwrap();
        accept(&b, b.account, T0);
        accept(&b, other, T0);
        b.drain(T0);
        assert_eq!(sweep(&b, T0.plus_seconds(1)), 2);
    }
}
