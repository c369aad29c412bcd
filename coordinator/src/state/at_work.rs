//! Who works on what.

use fleet::protocol::Class;
use uuid::Uuid;

use super::jobs::job_id;
use super::records::Work;
use super::{JOBS, LEASES, StateError, Store};
use crate::clock::Millis;

/// A job that a worker has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AtWork {
    /// What the worker calls itself.
    pub worker: String,
    /// The job.
    pub job: Uuid,
    /// What it is for.
    pub generation: Uuid,
    /// Its class.
    pub class: Class,
    /// The place of the image that it draws in its generation, from 0; `None` for a plan.
    pub place: Option<u32>,
    /// Which claim on it this is, from 1.
    pub claim: u32,
    /// When it was claimed; zero where an older version granted it.
    pub since: Millis,
}

impl Store {
    /// Every job that a worker has, the oldest claim first.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn at_work(&self) -> Result<Vec<AtWork>, StateError> {
        let tables = &self.shared.tables;
        let mut jobs = Vec::new();
        for row in tables.scan(&LEASES, &[]) {
            let (key, lease) = row?;
            // One that is reported meanwhile is done.
            let Some(job) = tables.get(&JOBS, &key)? else { continue };
            let place = match job.work {
                Work::Plan => None,
                Work::Render(place) | Work::Edit(place) | Work::Repair { place, .. } => Some(place),
            };
            jobs.push(AtWork {
                worker: lease.worker,
                job: job_id(&key)?,
                generation: job.generation,
                class: job.class,
                place,
                claim: job.claims,
                since: lease.since,
            });
        }
        jobs.sort_by_key(|at_work| (at_work.since, at_work.job));
        Ok(jobs)
    }
}
