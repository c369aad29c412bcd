//! How jobs fail and generations end.

use fleet::protocol::Verdict;
use uuid::Uuid;

use crate::clock::Millis;
use crate::credits::Movement;
use crate::state::billing::holds::held;
use crate::state::billing::ledger;
use crate::state::database::tables::{Abort, Tx};
use crate::state::generations::event_log;
use crate::state::jobs::{edits, repairs};
use crate::state::objects::storage::Change;
use crate::state::rows::generations::{Fault, Generation};
use crate::state::rows::jobs::{Closed, DeadJob, OpenJob, Work};
use crate::state::rows::keyspace::{pair, placed};
use crate::state::rows::outputs::{End, Output};
use crate::state::rows::schema::{CLOSED, GENERATIONS, JOBS, OUTPUTS};
use crate::state::status::Status;
use crate::state::webhooks::deliveries;

/// The effects of a report.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::state) struct Taken {
    pub(in crate::state) verdict: Verdict,
    /// The generation, if its events changed.
    pub(in crate::state) generation: Option<Uuid>,
    /// Number of outputs that ended with the report.
    pub(in crate::state) ended: u32,
    /// Status and times of the generation, if it ended with the report.
    pub(in crate::state) finished: Option<(Status, Millis, Millis)>,
    /// Whether jobs were enqueued.
    pub(in crate::state) enqueued: bool,
    /// The worker that rendered an image.
    pub(in crate::state) drawn_by: Option<String>,
}

impl Taken {
    pub(in crate::state) const REFUSED: Self =
        Self { verdict: Verdict::Refused, generation: None, ended: 0, finished: None, enqueued: false, drawn_by: None };
    pub(in crate::state) const REPEATED: Self = Self { verdict: Verdict::Accepted, ..Self::REFUSED };

    /// The effects of a report on an edit that ended for `ended` outputs. The generation's status is unchanged.
    pub(in crate::state) fn edited(job: &OpenJob, ended: u32) -> Self {
        let generation = (ended > 0).then_some(job.generation);
        Self { generation, ended, ..Self::REPEATED }
    }

    pub(in crate::state) fn of(generation: &Generation, ended: u32, enqueued: bool) -> Self {
        let finished = generation.completed.map(|at| (generation.status, generation.created, at));
        Self { generation: Some(generation.id), ended, finished, enqueued, ..Self::REPEATED }
    }
}

/// Gives up a job after its last claim: records a dead letter and fails the job. Returns how many outputs ended.
pub(in crate::state) fn give_up(
    tx: &Tx<'_>,
    id: Uuid,
    job: &OpenJob,
    fault: &Fault,
    now: Millis,
) -> Result<u32, Abort> {
    let of = Some(DeadJob { account: job.account, generation: job.generation, work: job.work });
    let letter = Closed::GivenUp { fault: fault.clone(), claims: job.claims, at: now, of };
    tx.put(&CLOSED, id.as_bytes(), &letter)?;
    tx.remove(&JOBS, id.as_bytes())?;
    fail(tx, id, job, fault, now).map(|taken| taken.ended)
}

/// Fails the edit, repair or outputs that a closed job was for.
pub(in crate::state) fn fail(tx: &Tx<'_>, id: Uuid, job: &OpenJob, fault: &Fault, now: Millis) -> Result<Taken, Abort> {
    match job.work {
        Work::Edit(place) => return Ok(Taken::edited(job, edits::fail(tx, job, place, fault, now)?)),
        Work::Repair { place, version } => {
            repairs::fail(tx, id, job, (place, version), fault, now)?;
            return Ok(Taken::REPEATED);
        }
        Work::Plan | Work::Render(_) => {}
    }
    let before = tx.need(&GENERATIONS, &pair(job.account, job.generation))?;
    let generation = fail_work(tx, job, fault, now)?;
    Ok(Taken::of(&generation, generation.failed - before.failed, false))
}

/// Fails the outputs of a job, gives their credits back, and ends the generation if those were the last.
fn fail_work(tx: &Tx<'_>, job: &OpenJob, fault: &Fault, now: Millis) -> Result<Generation, Abort> {
    let at = pair(job.account, job.generation);
    let mut generation = tx.need(&GENERATIONS, &at)?;
    let places = match job.work {
        Work::Plan => 0..generation.total,
        Work::Render(place) | Work::Edit(place) => place..place + 1,
        // A failed repair fails no output: the output stays what it was.
        Work::Repair { .. } => 0..0,
    };
    let mut change = Change::of(job.account);
    for place in places {
        let row = placed(generation.id, place);
        let output = tx.need(&OUTPUTS, &row)?;
        change.close(output.width, output.height);
        ledger::post(tx, &held(&generation, &output), Movement::Release, now)?;
        generation.refunded += output.cost;
        generation.failed += 1;
        tx.put(&OUTPUTS, &row, &Output { end: Some(End::Failed(fault.clone())), ..output })?;
    }
    change.apply(tx)?;
    generation.fault.get_or_insert_with(|| fault.clone());
    finish(tx, &mut generation, now)?;
    tx.put(&GENERATIONS, &at, &generation)?;
    event_log::moved(tx, generation.id)?;
    Ok(generation)
}

/// Gives a generation its terminal status once all its outputs have ended, and creates its webhook deliveries.
pub(in crate::state) fn finish(tx: &Tx<'_>, generation: &mut Generation, now: Millis) -> Result<(), Abort> {
    if generation.done + generation.failed < generation.total {
        return Ok(());
    }
    end(tx, generation, Status::outcome(generation.done, generation.failed), now)
}

/// Gives a generation its terminal status. Nothing else does.
pub(in crate::state) fn end(
    tx: &Tx<'_>,
    generation: &mut Generation,
    status: Status,
    now: Millis,
) -> Result<(), Abort> {
    generation.status = generation.status.become_status(status)?;
    generation.completed = Some(now);
    deliveries::ended(tx, generation, now)
}
