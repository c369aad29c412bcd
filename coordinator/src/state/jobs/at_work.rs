//! The jobs that workers hold.

use fleet::protocol::Class;
use uuid::Uuid;

use crate::clock::Millis;
use crate::state::error::StateError;
use crate::state::jobs::claims::job_id;
use crate::state::rows::jobs::Work;
use crate::state::rows::schema::{JOBS, LEASES};
use crate::state::store::Store;

/// A job that a worker holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AtWork {
    /// The worker's name.
    pub worker: String,
    /// The job.
    pub job: Uuid,
    /// The generation that the job belongs to.
    pub generation: Uuid,
    /// The job's class.
    pub class: Class,
    /// The place in the generation of the image that the job renders, from 0; `None` for a plan.
    pub place: Option<u32>,
    /// Number of this claim on the job, from 1.
    pub claim: u32,
    /// When the worker claimed it; zero if an older version granted the claim.
    pub since: Millis,
}

impl Store {
    /// Returns every job that a worker holds, the oldest claim first.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn at_work(&self) -> Result<Vec<AtWork>, StateError> {
        let tables = &self.shared.tables;
        let mut jobs = Vec::new();
        for row in tables.scan(&LEASES, &[]) {
            let (key, lease) = row?;
            // A job without a row was reported in the meantime.
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
