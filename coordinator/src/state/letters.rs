//! What operators look at: jobs that were given up, and generations whoever they belong to.

use uuid::Uuid;

use super::generations::Snapshot;
use super::keyspace::pair;
use super::records::{Closed, End, Fault, Output, Work};
use super::{ACCOUNTS, CLOSED, GENERATIONS, StateError, Store};
use crate::clock::Millis;

/// A job that was given up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeadLetter {
    /// The job.
    pub job: Uuid,
    /// Whose it was; unknown of those from before it was kept.
    pub account: Option<Uuid>,
    /// The generation that it was part of.
    pub generation: Option<Uuid>,
    /// The place of the output that it was to draw; `None` of one that was to plan.
    pub place: Option<u32>,
    /// Why.
    pub fault: Fault,
    /// How many workers tried.
    pub claims: u32,
    /// When.
    pub at: Millis,
}

impl Output {
    /// `waiting`, `ready` or `failed`, and why it failed.
    pub fn state(&self) -> (&'static str, Option<&Fault>) {
        match &self.end {
            None => ("waiting", None),
            Some(End::Ready(_)) => ("ready", None),
            Some(End::Failed(fault)) => ("failed", Some(fault)),
        }
    }
}

impl Store {
    /// Up to `limit` jobs that were given up, the newest first.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn dead_letters(&self, limit: usize) -> Result<Vec<DeadLetter>, StateError> {
        let mut letters = Vec::new();
        for row in self.shared.tables.scan(&CLOSED, &[]) {
            let (key, closed) = row?;
            if let Closed::GivenUp { fault, claims, at, of } = closed {
                let place = match of.map(|of| of.work) {
                    Some(Work::Render(place)) => Some(place),
                    Some(Work::Plan) | None => None,
                };
                let job = Uuid::from_slice(&key).map_err(|e| StateError::Unreadable(e.to_string()))?;
                let (account, generation) = (of.map(|of| of.account), of.map(|of| of.generation));
                letters.push(DeadLetter { job, account, generation, place, fault, claims, at });
            }
        }
        letters.sort_by_key(|letter| std::cmp::Reverse(letter.at));
        letters.truncate(limit);
        Ok(letters)
    }

    /// A generation and all its outputs, whoever it belongs to.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn generation_of_any(&self, id: Uuid) -> Result<Option<(Snapshot, Vec<Output>)>, StateError> {
        for row in self.shared.tables.scan(&ACCOUNTS, &[]) {
            let (account, _) = row?;
            let account = Uuid::from_slice(&account).map_err(|e| StateError::Unreadable(e.to_string()))?;
            if self.shared.tables.get(&GENERATIONS, &pair(account, id))?.is_none() {
                continue;
            }
            let snapshot = self.generation(account, id)?;
            return snapshot.map(|snapshot| Ok((snapshot, self.outputs(id)?))).transpose();
        }
        Ok(None)
    }
}
