//! Dead letters and generations, as an admin sees them whatever the account.

use uuid::Uuid;

use crate::clock::Millis;
use crate::state::error::StateError;
use crate::state::generations::snapshot::Snapshot;
use crate::state::rows::generations::Fault;
use crate::state::rows::jobs::{Closed, Work};
use crate::state::rows::outputs::Output;
use crate::state::rows::schema::CLOSED;
use crate::state::store::Store;

/// A dead letter: a job that was given up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeadLetter {
    /// The job.
    pub job: Uuid,
    /// The account. `None` for jobs given up by versions that did not store it.
    pub account: Option<Uuid>,
    /// The generation that the job belonged to.
    pub generation: Option<Uuid>,
    /// The place of the output that the job was to render; `None` for a plan.
    pub place: Option<u32>,
    /// Why it was given up.
    pub fault: Fault,
    /// How many times workers claimed it.
    pub claims: u32,
    /// When it was given up.
    pub at: Millis,
}

impl DeadLetter {
    /// Returns the dead letter of a closed job, or `None` if the job was not given up.
    fn of(job: Uuid, closed: Closed) -> Option<Self> {
        let Closed::GivenUp { fault, claims, at, of } = closed else { return None };
        let place = match of.map(|of| of.work) {
            Some(Work::Render(place) | Work::Edit(place) | Work::Repair { place, .. }) => Some(place),
            Some(Work::Plan) | None => None,
        };
        let (account, generation) = (of.map(|of| of.account), of.map(|of| of.generation));
        Some(Self { job, account, generation, place, fault, claims, at })
    }
}

impl Store {
    /// Returns up to `limit` dead letters, the newest first.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn dead_letters(&self, limit: usize) -> Result<Vec<DeadLetter>, StateError> {
        let mut letters = Vec::new();
        for row in self.shared.tables.scan(&CLOSED, &[]) {
            let (key, closed) = row?;
            let job = Uuid::from_slice(&key).map_err(|e| StateError::Unreadable(e.to_string()))?;
            letters.extend(DeadLetter::of(job, closed));
        }
        letters.sort_by_key(|letter| std::cmp::Reverse(letter.at));
        letters.truncate(limit);
        Ok(letters)
    }

    /// Returns one dead letter.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn dead_letter(&self, job: Uuid) -> Result<Option<DeadLetter>, StateError> {
        Ok(self.shared.tables.get(&CLOSED, job.as_bytes())?.and_then(|closed| DeadLetter::of(job, closed)))
    }

    /// Returns a generation and all its outputs, whatever account it belongs to.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn generation_of_any(&self, id: Uuid) -> Result<Option<(Snapshot, Vec<Output>)>, StateError> {
        let Some(account) = self.shared.index.owner(id) else { return Ok(None) };
        let snapshot = self.generation(account, id)?;
        snapshot.map(|snapshot| Ok((snapshot, self.outputs(id)?))).transpose()
    }
}
