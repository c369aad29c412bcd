//! Tickets on their way to the queue.

use std::collections::{HashMap, VecDeque};
use std::sync::PoisonError;

use fleet::protocol::{Class, Ticket};
use uuid::Uuid;

use super::records::{OpenJob, Posting};
use super::table::{Abort, Tx};
use super::{JOBS, OUTBOX, StateError, Store};

/// Puts a job up. A plan has the id of its generation and a drawing that of its output, so that whoever stops those finds
/// their jobs.
pub(super) fn post(tx: &Tx<'_>, id: Uuid, job: &OpenJob) -> Result<(), Abort> {
    tx.put(&JOBS, id.as_bytes(), job)?;
    tx.put(&OUTBOX, id.as_bytes(), &Posting { epoch: job.epoch, class: job.class })
}

/// What waits to be put up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outbox {
    /// The tickets whose turn it is.
    pub next: Vec<Ticket>,
    /// How many there are of each class, these included.
    pub all: [(Class, usize); Class::ALL.len()],
}

/// Who was served when.
#[derive(Debug, Default)]
pub(super) struct Turns {
    count: u64,
    last: HashMap<Uuid, u64>,
}

impl Turns {
    /// Up to `limit` of the tickets that wait, by account.
    fn take(&mut self, waiting: HashMap<Uuid, Vec<Ticket>>, limit: usize) -> Vec<Ticket> {
        // Who has nothing waiting is no later than anybody else when it comes back.
        self.last.retain(|account, _| waiting.contains_key(account));
        // Somebody waits for an edit, whoever has had more turns.
        let (mut edits, mut others) = (HashMap::new(), HashMap::new());
        for (account, tickets) in waiting {
            let (first, then): (Vec<_>, Vec<_>) = tickets.into_iter().partition(|t| t.class == Class::Edit);
            edits.insert(account, first);
            others.insert(account, then);
        }
        let mut taken = self.take_in_turns(edits, limit);
        let room = limit - taken.len();
        taken.extend(self.take_in_turns(others, room));
        taken
    }

    fn take_in_turns(&mut self, waiting: HashMap<Uuid, Vec<Ticket>>, limit: usize) -> Vec<Ticket> {
        let mut queues: Vec<(Uuid, VecDeque<Ticket>)> = Vec::with_capacity(waiting.len());
        for (account, mut tickets) in waiting.into_iter().filter(|(_, tickets)| !tickets.is_empty()) {
            tickets.sort_unstable_by_key(|ticket| (ticket.class.rank(), ticket.job));
            queues.push((account, tickets.into()));
        }
        queues.sort_unstable_by_key(|(account, _)| (self.last.get(account).copied().unwrap_or(0), *account));
        let mut taken = Vec::new();
        while taken.len() < limit && !queues.is_empty() {
            for (account, tickets) in &mut queues {
                if taken.len() == limit {
                    break;
                }
                if let Some(ticket) = tickets.pop_front() {
                    taken.push(ticket);
                    self.count += 1;
                    self.last.insert(*account, self.count);
                }
            }
            queues.retain(|(_, tickets)| !tickets.is_empty());
        }
        taken
    }
}

impl Store {
    /// Up to `limit` tickets that the queue has not been given, oldest job first.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn outbox(&self, limit: usize) -> Result<Vec<Ticket>, StateError> {
        self.shared
            .tables
            .scan(&OUTBOX, &[])
            .take(limit)
            .map(|row| {
                let (key, Posting { epoch, class }) = row?;
                let job = Uuid::from_slice(&key).map_err(|e| StateError::Unreadable(e.to_string()))?;
                Ok(Ticket { job, epoch, class })
            })
            .collect()
    }

    /// Up to `limit` tickets that the queue has not been given: edits first; one of each account in turn, whoever was last
    /// served going last, so that a large batch starves nobody; of an account plans before drawings, and the oldest job
    /// first.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn outbox_in_turns(&self, limit: usize) -> Result<Outbox, StateError> {
        let tables = &self.shared.tables;
        let mut waiting: HashMap<Uuid, Vec<Ticket>> = HashMap::new();
        for row in tables.scan(&OUTBOX, &[]) {
            let (key, Posting { epoch, class }) = row?;
            let job = Uuid::from_slice(&key).map_err(|e| StateError::Unreadable(e.to_string()))?;
            // One that is gone is put up like any other; its claim is refused.
            let account = tables.get(&JOBS, &key)?.map_or(Uuid::nil(), |job| job.account);
            waiting.entry(account).or_default().push(Ticket { job, epoch, class });
        }
        let count = |class| waiting.values().flatten().filter(|ticket| ticket.class == class).count();
        let all = Class::ALL.map(|class| (class, count(class)));
        let next = self.shared.turns.lock().unwrap_or_else(PoisonError::into_inner).take(waiting, limit);
        Ok(Outbox { next, all })
    }

    /// Notes that the queue has a ticket. Not flushed: published twice, it is refused the second time.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn published(&self, ticket: Ticket) -> Result<(), StateError> {
        let posting = Posting { epoch: ticket.epoch, class: ticket.class };
        self.shared.tables.remove_if(&OUTBOX, ticket.job.as_bytes(), &posting)
    }

    /// Waits until the outbox may have gained a row.
    pub async fn posted(&self) {
        self.shared.posted.notified().await;
    }

    pub(super) fn ring(&self) {
        self.shared.posted.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tickets(first: u128, count: u128, class: Class) -> Vec<Ticket> {
        (first..first + count).map(|n| Ticket { job: Uuid::from_u128(n), epoch: 1, class }).collect()
    }

    #[test]
    fn a_large_batch_starves_nobody() {
        let (large, small) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let mut turns = Turns::default();
        let of = |taken: &[Ticket]| taken.iter().map(|t| t.job.as_u128()).collect::<Vec<_>>();
        let batch = tickets(100, 1_000, Class::Render2k);
        let alone = turns.take(HashMap::from([(large, batch.clone())]), 3);
        assert_eq!(of(&alone), [100, 101, 102]);
        let both = HashMap::from([(large, batch), (small, tickets(5_000, 2, Class::Render4k))]);
        assert_eq!(of(&turns.take(both.clone(), 5)), [5_000, 100, 5_001, 101, 102]);
        assert_eq!(of(&turns.take(both.clone(), 1)), [5_000], "the other was served last");
        assert_eq!(of(&turns.take(both, 1)), [100]);
    }

    #[test]
    fn edits_go_before_everybodys_batches() {
        let (large, small) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let mut batch = tickets(100, 1_000, Class::Render2k);
        batch.extend(tickets(7_000, 2, Class::Edit));
        let waiting = HashMap::from([(large, batch), (small, tickets(5_000, 1, Class::Plan))]);
        let taken = Turns::default().take(waiting, 4);
        assert_eq!(taken.iter().map(|t| t.job.as_u128()).collect::<Vec<_>>(), [7_000, 7_001, 5_000, 100]);
    }

    #[test]
    fn edits_go_before_plans_before_drawings_and_old_jobs_before_new_ones() {
        let mut waiting = tickets(1, 2, Class::Render2k);
        waiting.extend(tickets(9, 1, Class::Plan));
        waiting.extend(tickets(7, 1, Class::Plan));
        waiting.extend(tickets(20, 1, Class::Edit));
        let taken = Turns::default().take(HashMap::from([(Uuid::nil(), waiting)]), 9);
        assert_eq!(taken.iter().map(|t| t.job.as_u128()).collect::<Vec<_>>(), [20, 7, 9, 1, 2]);
    }
}
