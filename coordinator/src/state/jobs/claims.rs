//! Claims: which worker may work on which job, for how long, and what it may report.
//!
//! A job is open from when it is enqueued until a report is accepted or the job is given up. While open it waits (in
//! the outbox or the queue) or is leased. A claim names the epoch of its ticket, so a ticket from before the job was
//! last enqueued is void.

use fleet::protocol::{
    BlobId, Caller, Claim, ClaimAnswer, EARLIER_EDITS_SINCE, Grant, InputKind, Job, LEASE_S, Outcome, PlanJob,
    RenderJob, Secret, Terms, Ticket, Verdict,
};
use uuid::Uuid;

use crate::clock::Millis;
use crate::state::billing::token_days;
use crate::state::database::tables::{Abort, Tx};
use crate::state::error::StateError;
use crate::state::generations::event_log;
use crate::state::generations::read::edit_under_way;
use crate::state::jobs::repair_subject;
use crate::state::rows::encoding::clip;
use crate::state::rows::generations::Generation;
use crate::state::rows::given::Given;
use crate::state::rows::jobs::{Lease, OpenJob, Proof, Work};
use crate::state::rows::keyspace::{pair, placed};
use crate::state::rows::ledger::Granted;
use crate::state::rows::schema::{EDITS, GENERATIONS, JOBS, LEASES, OUTBOX, OUTPUTS};
use crate::state::status::Status;
use crate::state::store::{BatchedWrite, Reply, Store};

/// A request to claim a job: the caller, and random bits for the claim.
#[derive(Debug, Clone)]
pub struct NewClaim {
    /// The caller.
    pub caller: Caller,
    /// Unique per claim. It appears in object keys.
    pub nonce: u128,
    /// Proves the claim; `None` for a caller whose protocol version has no secrets.
    pub secret: Option<Secret>,
}

impl NewClaim {
    /// Creates a claim of a worker in this process, without a secret.
    pub fn here(worker: &str, nonce: u128) -> Self {
        Self { caller: Caller::here(worker), nonce, secret: None }
    }
}

/// What a worker may report under a claim that holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Allowed {
    /// The keys of the image and the thumbnail; `None` for a plan.
    images: Option<[String; 2]>,
}

impl Allowed {
    /// Returns whether the outcome matches the kind of job and names exactly the objects that the worker was to store.
    pub fn permits(&self, outcome: &Outcome) -> bool {
        match (outcome, &self.images) {
            (Outcome::Failed(_), _) | (Outcome::Planned(_), None) => true,
            (Outcome::Rendered(done), Some([image, thumbnail])) => {
                done.object == *image && done.thumbnail == *thumbnail
            }
            (Outcome::Planned(_), Some(_)) | (Outcome::Rendered(_), None) => false,
        }
    }
}

impl Store {
    /// Returns what may be reported under a claim. `None` if the claim no longer holds or the secret is wrong. The
    /// result stays valid for as long as the claim does, because it depends only on the claim and on fixed properties
    /// of its job.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn allowed(&self, grant: Grant, now: Millis) -> Result<Option<Allowed>, StateError> {
        let (tables, key) = (&self.shared.tables, grant.claim.job.as_bytes());
        let (Some(job), Some(lease)) = (tables.get(&JOBS, key)?, tables.get(&LEASES, key)?) else { return Ok(None) };
        if !lease.is_held(&job, grant, now) {
            return Ok(None);
        }
        let place = match job.work {
            Work::Plan => return Ok(Some(Allowed { images: None })),
            Work::Render(place) | Work::Edit(place) | Work::Repair { place, .. } => place,
        };
        let at = placed(job.generation, place);
        let generation = tables.get(&GENERATIONS, &pair(job.account, job.generation))?;
        // If a row is missing, the job was cancelled in the meantime.
        let (Some(generation), Some(output)) = (generation, tables.get(&OUTPUTS, &at)?) else { return Ok(None) };
        let version = match job.work {
            Work::Edit(_) => tables.get(&EDITS, &at)?.map(|edit| edit.version),
            Work::Repair { version, .. } => Some(version),
            Work::Plan | Work::Render(_) => Some(output.version),
        };
        Ok(version.map(|version| Allowed { images: Some(lease.image_keys(&generation, output.id, version)) }))
    }
}

impl Store {
    /// Grants a ticket's job to a worker, if the job is open, has the ticket's epoch, and isn't leased.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn claim(&self, ticket: Ticket, new: &NewClaim, now: Millis) -> Result<ClaimAnswer, StateError> {
        self.commit_alone(|reply| self.claiming(ticket, new, now, reply))
    }

    /// Like [`Self::claim`], as a commit for the write batcher.
    pub fn claiming(&self, ticket: Ticket, new: &NewClaim, now: Millis, reply: Reply<ClaimAnswer>) -> BatchedWrite {
        let token_limit = self.shared.tokens.get();
        let NewClaim { nonce, secret, .. } = *new;
        let folder = new.caller.identity.clone();
        let lease = Lease {
            nonce,
            worker: clip(&new.caller.shown(), 200),
            expires: now.plus_seconds(LEASE_S),
            since: now,
            proof: secret.map(Proof::of),
            folder: folder.clone(),
        };
        let claim = move |tx: &Tx<'_>| {
            let key = ticket.job.as_bytes();
            let Some(job) = tx.get(&JOBS, key)? else { return Ok(ClaimAnswer::Refused) };
            if job.epoch != ticket.epoch || tx.get(&LEASES, key)?.is_some() {
                return Ok(ClaimAnswer::Refused);
            }
            let job = OpenJob { claims: job.claims + 1, ..job };
            let at = pair(job.account, job.generation);
            let Some(mut generation) = unfinished(tx, &job)? else {
                call_off(tx, ticket.job)?;
                return Ok(ClaimAnswer::Refused);
            };
            // An edit or repair belongs to a generation that has already ended, even if a retry has reopened it since.
            if generation.status == Status::Pending && !matches!(job.work, Work::Edit(_) | Work::Repair { .. }) {
                generation.status = generation.status.become_status(Status::Processing)?;
                generation.started.get_or_insert(now);
                tx.put(&GENERATIONS, &at, &generation)?;
                event_log::moved(tx, generation.id)?;
            }
            // Exact content is not rewritten by a language model, so it gets no tokens.
            let tokens = match job.work {
                Work::Plan if !generation.exact => token_days::grant(tx, job.account, token_limit, now)?,
                Work::Plan | Work::Render(_) | Work::Edit(_) | Work::Repair { .. } => None,
            };
            let job = OpenJob { tokens, ..job };
            let work = describe(tx, &generation, job.work, tokens)?;
            tx.put(&JOBS, key, &job)?;
            tx.put(&LEASES, key, &lease)?;
            tx.remove(&OUTBOX, key)?;
            let claim = Claim { job: ticket.job, epoch: ticket.epoch, nonce };
            Ok(ClaimAnswer::Granted(claim, work, Terms { secret, folder: folder.clone() }))
        };
        let tell = |store: &Self, answer: &ClaimAnswer| match answer {
            ClaimAnswer::Granted(_, Job::Plan(PlanJob { generation, .. }), _)
            | ClaimAnswer::Granted(_, Job::Render(RenderJob { generation, .. }), _) => store.tell(*generation),
            ClaimAnswer::Refused => {}
        };
        // The worker does not wait for the disk: if a crash loses the claim, its report is refused and the job is
        // enqueued again.
        BatchedWrite::new(claim, tell, reply).early()
    }

    /// Returns the lowest protocol version of workers that `job` may be given to; 0 if any worker may have it.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn least_version(&self, job: Uuid) -> Result<u8, StateError> {
        let tables = &self.shared.tables;
        let Some(job) = tables.get(&JOBS, job.as_bytes())?.filter(|job| matches!(job.work, Work::Plan)) else {
            return Ok(0);
        };
        let generation = tables.get(&GENERATIONS, &pair(job.account, job.generation))?;
        Ok(if generation.is_some_and(|g| matches!(g.request.given, Given::Remade(_))) {
            EARLIER_EDITS_SINCE
        } else {
            0
        })
    }

    /// Extends a claim that still holds, if the caller proves it.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn heartbeat(&self, grant: Grant, now: Millis) -> Result<Verdict, StateError> {
        self.commit(|tx| {
            if stands(tx, grant, now)?.is_none() {
                return Ok(Verdict::Refused);
            }
            let key = grant.claim.job.as_bytes();
            let lease = tx.need(&LEASES, key)?;
            tx.put(&LEASES, key, &Lease { expires: now.plus_seconds(LEASE_S), ..lease })?;
            Ok(Verdict::Accepted)
        })
    }
}

/// Returns the job of a claim if the claim still holds and is proved.
pub(in crate::state) fn stands(tx: &Tx<'_>, grant: Grant, now: Millis) -> Result<Option<OpenJob>, Abort> {
    let key = grant.claim.job.as_bytes();
    let (Some(job), Some(lease)) = (tx.get(&JOBS, key)?, tx.get(&LEASES, key)?) else { return Ok(None) };
    Ok(lease.is_held(&job, grant, now).then_some(job))
}

/// Returns the generation of a job, unless the generation or the edit has ended without the job.
pub(in crate::state) fn unfinished(tx: &Tx<'_>, job: &OpenJob) -> Result<Option<Generation>, Abort> {
    let generation = tx.get(&GENERATIONS, &pair(job.account, job.generation))?;
    if let Work::Edit(place) = job.work {
        let stands = edit_under_way(tx, job.generation, place)?.is_some();
        return Ok(generation.filter(|_| stands));
    }
    if let (Work::Repair { place, version }, Some(generation)) = (job.work, &generation) {
        let stands = repair_subject::subject(tx, generation, place, version)?.is_some();
        return Ok(Some(generation.clone()).filter(|_| stands));
    }
    Ok(generation.filter(|g| !g.status.is_terminal()))
}

/// Cancels a job and voids the claim on it. Returns the lease, if there was one.
pub(in crate::state) fn call_off(tx: &Tx<'_>, id: Uuid) -> Result<Option<Lease>, Abort> {
    let key = id.as_bytes();
    let lease = tx.get(&LEASES, key)?;
    tx.remove(&JOBS, key)?;
    tx.remove(&LEASES, key)?;
    tx.remove(&OUTBOX, key)?;
    Ok(lease)
}

/// Describes the job for a worker.
fn describe(tx: &Tx<'_>, generation: &Generation, work: Work, tokens: Option<Granted>) -> Result<Job, Abort> {
    let request = &generation.request;
    Ok(match work {
        Work::Plan => Job::Plan(PlanJob {
            generation: generation.id,
            input_kind: if generation.parent.is_some() { InputKind::Pages } else { request.given.kind() },
            input: request.input,
            title: request.title.clone(),
            formats: request.formats.clone(),
            style: request.style.clone(),
            language: request.language.clone(),
            seed: request.seed,
            exact: generation.exact,
            brand: generation.brand,
            tokens: tokens.map(|granted| granted.tokens),
            wishes: generation.wishes.clone(),
        }),
        Work::Render(place) | Work::Edit(place) | Work::Repair { place, .. } => {
            let output = tx.need(&OUTPUTS, &placed(generation.id, place))?;
            let (version, page): (u32, Option<BlobId>) = match work {
                Work::Repair { version, .. } => {
                    (version, repair_subject::subject(tx, generation, place, version)?.map(|subject| subject.page()))
                }
                Work::Edit(_) => {
                    let edit = tx.need(&EDITS, &placed(generation.id, place))?;
                    (edit.version, Some(edit.page))
                }
                Work::Plan | Work::Render(_) => (output.version, output.page),
            };
            Job::Render(RenderJob {
                generation: generation.id,
                output: output.id,
                version,
                page: page.ok_or(StateError::Missing("pages"))?,
                width: output.width,
                height: output.height,
                image_format: request.image_format.name().into(),
                brand: generation.brand,
            })
        }
    })
}

pub(in crate::state) fn job_id(key: &[u8]) -> Result<Uuid, StateError> {
    Uuid::from_slice(key).map_err(|e| StateError::Unreadable(e.to_string()))
}
