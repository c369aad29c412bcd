//! Deletes generations, images and inputs whose retention has ended.

use uuid::Uuid;

use crate::clock::Millis;
use crate::state::error::StateError;
use crate::state::generations::read::{edit_under_way, read_outputs};
use crate::state::jobs::images;
use crate::state::objects::storage::Change;
use crate::state::objects::{bundles, deletion_queue};
use crate::state::rows::jobs::Closed;
use crate::state::rows::keyspace::pair;
use crate::state::rows::schema::{CLOSED, GENERATIONS};
use crate::state::search::filter::Filter;
use crate::state::status::Status;
use crate::state::store::Store;

/// Seconds for which the end of a job is remembered, to recognize repeated reports.
const CLOSED_S: u64 = 24 * 3600;
/// Generations read per page.
const PAGE: usize = 500;

impl Store {
    /// Deletes the images of up to `most` generations that were accepted before `before` and have ended. The
    /// generations stay. Returns the number of generations that had images.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn delete_old_images(&self, before: Millis, most: usize, now: Millis) -> Result<usize, StateError> {
        let mut emptied = 0;
        for account in self.shared.index.accounts() {
            let mut after = Uuid::nil();
            while emptied < most {
                let old = self.shared.index.oldest(account, before, after, PAGE);
                let Some(last) = old.last() else { break };
                after = *last;
                for id in old {
                    let kept = self.shared.tables.get(&GENERATIONS, &pair(account, id))?;
                    if emptied < most && kept.is_some_and(|generation| generation.may_have_images()) {
                        emptied += usize::from(self.delete_images(account, id, now)?);
                    }
                }
            }
        }
        self.shared.deletions.notify_one();
        Ok(emptied)
    }

    fn delete_images(&self, account: Uuid, id: Uuid, now: Millis) -> Result<bool, StateError> {
        let previews = self.previews(id)?;
        self.commit(|tx| {
            let Some(mut generation) = tx.get(&GENERATIONS, &pair(account, id))? else { return Ok(false) };
            if !generation.may_have_images() {
                return Ok(false);
            }
            let outputs = read_outputs(tx, &generation)?;
            for place in 0..generation.total {
                // An edit is in progress: the next run deletes the images, including the new one.
                if edit_under_way(tx, id, place)?.is_some() {
                    return Ok(false);
                }
            }
            let mut change = Change::of(account);
            for (place, output) in (0..).zip(&outputs) {
                images::throw_away(tx, id, place, output, &mut change, now)?;
            }
            bundles::remove_all(tx, id, &outputs, &mut change)?;
            change.apply(tx)?;
            for preview in &previews {
                deletion_queue::put(tx, preview, now)?;
            }
            generation.images_deleted = Some(now);
            tx.put(&GENERATIONS, &pair(account, id), &generation)?;
            Ok(true)
        })
    }

    /// Deletes the inputs of up to `most` generations that failed or were cancelled and ended before `before`, because
    /// nothing shows them any more. Returns the number of inputs.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn delete_failed_inputs(&self, before: Millis, most: usize, now: Millis) -> Result<usize, StateError> {
        let mut deleted = 0;
        for account in self.shared.index.accounts() {
            for status in [Status::Failed, Status::Cancelled] {
                // A generation that ended before `before` was also accepted before it.
                let filter = Filter { status: Some(status), created_before: Some(before), ..Filter::default() };
                let mut after = None;
                while deleted < most {
                    let ids = self.shared.index.find(account, &filter, after, PAGE);
                    let Some(last) = ids.last() else { break };
                    after = Some(*last);
                    for id in ids {
                        let kept = self.shared.tables.get(&GENERATIONS, &pair(account, id))?;
                        if deleted < most && kept.is_some_and(|generation| generation.has_useless_input(before)) {
                            deleted += usize::from(self.delete_input(account, id, before, now)?);
                        }
                    }
                }
            }
        }
        Ok(deleted)
    }

    fn delete_input(&self, account: Uuid, id: Uuid, before: Millis, now: Millis) -> Result<bool, StateError> {
        self.commit(|tx| {
            // Check again inside the transaction: the generation may have been retried since.
            let kept = tx.get(&GENERATIONS, &pair(account, id))?;
            let Some(mut generation) = kept.filter(|generation| generation.has_useless_input(before)) else {
                return Ok(false);
            };
            let mut change = Change::of(account);
            change.remove_blob(&generation.request.input);
            change.apply(tx)?;
            generation.input_deleted = Some(now);
            tx.put(&GENERATIONS, &pair(account, id), &generation)?;
            Ok(true)
        })
    }

    /// Deletes up to `most` generations that were accepted before `before` and have ended, with their images. Returns
    /// the number of generations.
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
                    // The next run deletes generations that are still in progress now.
                    if kept.is_some_and(|generation| generation.status.is_terminal()) {
                        deleted += usize::from(self.delete_generation(account, id, now)?);
                    }
                }
            }
        }
        Ok(deleted)
    }
}

impl Store {
    /// Deletes expired rows: idempotency keys, uploads, font faces that no brand kit uses, ends of jobs except dead
    /// letters, sessions, old usage of keys, and finished deliveries.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn forget(&self, now: Millis) -> Result<(), StateError> {
        let tables = &self.shared.tables;
        self.forget_answers(now)?;
        self.forget_uploads(now)?;
        self.forget_sessions(now)?;
        self.forget_key_days(now)?;
        self.forget_webhooks(now)?;
        for row in tables.scan(&CLOSED, &[]) {
            let (key, closed) = row?;
            if matches!(&closed, Closed::Accepted { at, .. } if at.plus_seconds(CLOSED_S) <= now) {
                tables.remove_if(&CLOSED, &key, &closed)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::tests::{Bench, T0, bench, order};
    use crate::state::{Accepted, Order};

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
        // One generation of the same age that is still open, and one that is young.
        let open = accept(&b, b.account, T0);
        let young = accept(&b, b.account, T0.plus_seconds(100));
        let (money, later) = (b.check_money(), T0.plus_seconds(1));
        assert_eq!(b.store.delete_old(T0, 9, later).unwrap(), 0, "accepted then, not before");
        assert_eq!(b.store.delete_old(later, 3, later).unwrap(), 3, "no more at once");
        assert_eq!(b.store.delete_old(later, 9, later).unwrap(), 2);
        assert_eq!(b.store.delete_old(later, 9, later).unwrap(), 0);
        let (left, _) = b.store.generations(b.account, &Filter::default(), None, 100).unwrap();
        assert_eq!(left.iter().map(|s| s.generation.id).collect::<Vec<_>>(), [young, open]);
        assert_eq!(b.store.due_deletions(1_000, later).unwrap().len(), 10, "images and thumbnails");
        assert_eq!(b.check_money(), money);
    }

    #[test]
    fn images_go_alone_and_once() {
        let b = bench(10_000);
        for _ in 0..3 {
            accept(&b, b.account, T0);
        }
        b.drain(T0);
        accept(&b, b.account, T0);
        let (money, later) = (b.check_money(), T0.plus_seconds(1));
        assert_eq!(b.store.delete_old_images(T0, 9, later).unwrap(), 0);
        assert_eq!(b.store.delete_old_images(later, 2, later).unwrap(), 2, "no more at once");
        assert_eq!(b.store.delete_old_images(later, 9, later).unwrap(), 1);
        assert_eq!(b.store.delete_old_images(later, 9, later).unwrap(), 0);
        assert_eq!(b.store.due_deletions(1_000, later).unwrap().len(), 6, "images and thumbnails");
        let (left, _) = b.store.generations(b.account, &Filter::default(), None, 100).unwrap();
        let deleted: Vec<_> = left.iter().map(|s| s.generation.images_deleted).collect();
        assert_eq!(deleted, [None, Some(later), Some(later), Some(later)]);
        assert!(left.iter().skip(1).all(|s| s.outputs.len() == 1), "what they were is told");
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
