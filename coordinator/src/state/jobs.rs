//! Jobs: which worker may work on which job, for how long, and how many times.
//!
//! A job is open from when it is enqueued until a report is accepted or the job is given up. While open it waits (in
//! the outbox or the queue) or is leased. A claim names the epoch of its ticket, so a ticket from before the job was
//! last enqueued is void.

use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use fleet::protocol::{
    BlobId, Claim, ClaimAnswer, Class, EARLIER_EDITS_SINCE, EDIT_EPOCHS, EPOCHS_A_ROUND, Grant, InputKind, Job,
    LEASE_S, MAX_CLAIMS, PlanJob, RenderJob, Terms, Ticket, Verdict, next_epoch,
};
use uuid::Uuid;

use super::clerk::{Filing, Reply};
use super::given::Given;
use super::keyspace::{pair, placed};
use super::proofs::{NewClaim, Proof};
use super::records::{Closed, Fault, Generation, ImageFormat, Lease, OpenJob, Unstored, Work};
use super::status::Status;
use super::table::{Abort, Tx};
use super::token_days::Granted;
use super::{
    CLOSED, EDITS, GENERATIONS, JOBS, LEASES, OUTBOX, OUTPUTS, StateError, Store, clip, course, edits, outbox, repairs,
    reports, token_days, trash,
};
use crate::clock::Millis;
use crate::meters;

/// Number of claims that may end with the whole process before such claims count against the job. Usually the job did
/// not end the process, but a job that does must not do so forever.
const INTERRUPTIONS: u32 = 10;
/// Error code of a failure of the object store.
pub(crate) const STORE_FAULT: &str = "storage_failed";
/// A failure of the object store doesn't count against a job, because no other worker would succeed while the store is
/// down. The exception is a failure after the store has failed every upload for `STORE_PATIENCE`, or after this job has
/// waited that long and failed `STORE_FAULTS` times. The count matters when many jobs wait, because each is then
/// retried only rarely.
const STORE_PATIENCE: Duration = Duration::from_secs(300);
const STORE_FAULTS: u32 = 3;
/// Maximum and minimum pause before the next try. The pause is as long as the store has been down so far.
const LONGEST_PAUSE: Duration = Duration::from_secs(10);
const FIRST_PAUSE: Duration = Duration::from_secs(1);
/// Jobs enqueued per transaction.
const PUT_UP_AT_ONCE: usize = 64;
/// Seconds for which the end of a job is remembered, to recognize repeated reports.
const CLOSED_S: u64 = 24 * 3600;

/// What happened to a job that lost its worker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// Nothing: its worker still holds it, or it is finished.
    Stands,
    /// It was enqueued again.
    PutUp,
    /// It was given up, which failed this many outputs of the generation.
    GivenUp(Uuid, u32),
}

/// Why a job is enqueued again. The names are label values of the retry metric.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Setback {
    /// Its worker sent no heartbeat in time.
    WorkerLost,
    /// The process that worked on it was restarted.
    Restarted,
    /// The object store failed.
    Storage,
    /// The worker, or the check of its report, found a failure that a retry may avoid.
    Failed,
}

impl Setback {
    pub(crate) const ALL: [Self; 4] = [Self::WorkerLost, Self::Restarted, Self::Storage, Self::Failed];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::WorkerLost => "worker_lost",
            Self::Restarted => "restarted",
            Self::Storage => "storage",
            Self::Failed => "failed",
        }
    }
}

impl OpenJob {
    /// Creates an unstarted job in a generation's round.
    pub(super) fn new(account: Uuid, generation: Uuid, work: Work, class: Class, round: u32) -> Self {
        let epoch = round.saturating_mul(EPOCHS_A_ROUND).saturating_add(1);
        Self::at_epoch(account, generation, work, class, epoch)
    }

    /// Creates an unstarted job that is enqueued at this epoch.
    pub(super) fn at_epoch(account: Uuid, generation: Uuid, work: Work, class: Class, epoch: u32) -> Self {
        let (claims, interruptions) = (0, 0);
        Self {
            account,
            generation,
            work,
            class,
            epoch,
            claims,
            interruptions,
            fault: None,
            unstored: None,
            tokens: None,
        }
    }

    /// Returns the first epoch of the job that renders a version made by an edit.
    pub(super) fn edit_epoch(version: u32) -> u32 {
        EDIT_EPOCHS.saturating_add(version.saturating_mul(EPOCHS_A_ROUND))
    }
}

impl ImageFormat {
    /// Its name in requests and jobs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Jpeg => "jpeg",
            Self::Webp => "webp",
        }
    }
}

impl Store {
    /// Grants a ticket's job to a worker, if the job is open, has the ticket's epoch, and isn't leased.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn claim(&self, ticket: Ticket, new: &NewClaim, now: Millis) -> Result<ClaimAnswer, StateError> {
        self.alone(|reply| self.claiming(ticket, new, now, reply))
    }

    /// Like [`Self::claim`], as a commit for the write batcher.
    pub fn claiming(&self, ticket: Ticket, new: &NewClaim, now: Millis, reply: Reply<ClaimAnswer>) -> Filing {
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
                course::moved(tx, generation.id)?;
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
        Filing::new(claim, tell, reply).early()
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

    /// Takes expired leases away: the job is enqueued again, or given up after its last claim. Returns the number of
    /// leases.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn reap(&self, now: Millis) -> Result<usize, StateError> {
        let mut expired = HashMap::new();
        for row in self.shared.tables.scan(&LEASES, &[]) {
            let (key, lease) = row?;
            if lease.expires <= now {
                expired.insert(job_id(&key)?, lease.worker);
            }
        }
        // If several workers go silent at once, the network failed rather than a job that crashes its worker. Then the
        // jobs aren't quarantined.
        let gone = expired.values().collect::<HashSet<_>>().len() == 1;
        for id in expired.keys() {
            self.take_away(*id, gone, now)?;
        }
        Ok(expired.len())
    }

    /// Enqueues every open job that is neither leased nor in the outbox nor in the queue, as `queued` reports. Returns
    /// the number of jobs.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn reconcile(&self, queued: impl Fn(Uuid, u32) -> bool) -> Result<usize, StateError> {
        let mut lost = Vec::new();
        for row in self.shared.tables.scan(&JOBS, &[]) {
            let (key, job) = row?;
            let id = job_id(&key)?;
            let waits = queued(id, job.epoch) || self.shared.turns.has(id);
            if !waits && self.shared.tables.get(&LEASES, &key)?.is_none() {
                lost.push((id, job.epoch));
            }
        }
        let mut enqueued = 0;
        for some in lost.chunks(PUT_UP_AT_ONCE) {
            enqueued += self.commit(|tx| {
                let mut enqueued = 0;
                for (id, epoch) in some {
                    // Check again inside the transaction: the job may have been claimed or enqueued since.
                    let Some(job) = tx.get(&JOBS, id.as_bytes())? else { continue };
                    let leased = tx.get(&LEASES, id.as_bytes())?.is_some();
                    if leased || job.epoch != *epoch || tx.get(&OUTBOX, id.as_bytes())?.is_some() {
                        continue;
                    }
                    outbox::post(tx, *id, &OpenJob { epoch: next_epoch(job.epoch, false), ..job })?;
                    enqueued += 1;
                }
                Ok(enqueued)
            })?;
        }
        if enqueued > 0 {
            self.ring();
        }
        Ok(enqueued)
    }

    /// Takes every job from its worker, at a start after which no worker is left. Such claims don't count against the
    /// jobs, up to a limit. Returns the number of leases.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn reap_all(&self, now: Millis) -> Result<usize, StateError> {
        let ids: Vec<Uuid> =
            self.shared.tables.scan(&LEASES, &[]).map(|row| job_id(&row?.0)).collect::<Result<_, StateError>>()?;
        for id in &ids {
            let take = |tx: &Tx<'_>| {
                let key = id.as_bytes();
                let (Some(job), Some(_)) = (tx.get(&JOBS, key)?, tx.get(&LEASES, key)?) else {
                    return Ok(Fate::Stands);
                };
                let forgiven = u32::from(job.interruptions < INTERRUPTIONS);
                let (claims, interruptions) = (job.claims - forgiven, job.interruptions + forgiven);
                enqueue_again(tx, *id, &OpenJob { claims, interruptions, ..job }, &lost(), true, now)
            };
            self.commit_and(take, |fate| self.follow(*fate, Setback::Restarted))?;
        }
        Ok(ids.len())
    }

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

    /// Takes a job from a worker whose lease expired. `gone` quarantines the job, which may have crashed the worker.
    fn take_away(&self, id: Uuid, gone: bool, now: Millis) -> Result<(), StateError> {
        let take = |tx: &Tx<'_>| {
            let key = id.as_bytes();
            let (Some(job), Some(lease)) = (tx.get(&JOBS, key)?, tx.get(&LEASES, key)?) else {
                return Ok(Fate::Stands);
            };
            if lease.expires > now {
                return Ok(Fate::Stands);
            }
            enqueue_again(tx, id, &job, &lost(), gone, now)
        };
        self.commit_and(take, |fate| self.follow(*fate, Setback::WorkerLost))?;
        Ok(())
    }

    /// Handles a worker's report of a failure that may not happen again.
    pub(super) fn trying_again(
        &self,
        grant: Grant,
        fault: Fault,
        tokens: Option<u64>,
        now: Millis,
        reply: Reply<Verdict>,
    ) -> Filing {
        let job_id = grant.claim.job;
        let outage = (fault.code == STORE_FAULT).then(|| self.shared.outage.since(now));
        let why = if outage.is_some() { Setback::Storage } else { Setback::Failed };
        let enqueue = move |tx: &Tx<'_>| {
            let Some(job) = stands(tx, grant, now)? else { return Ok((None, Duration::ZERO)) };
            token_days::settle(tx, job.account, job.tokens, token_days::credible(&job, tokens), now)?;
            let job = OpenJob { tokens: None, ..job };
            let (job, pause) = outage.map_or((job.clone(), Duration::ZERO), |since| excused(job, since, now));
            Ok((Some(enqueue_again(tx, job_id, &job, &fault, false, now)?), pause))
        };
        let verdict = |(fate, _): (Option<Fate>, _)| if fate.is_some() { Verdict::Accepted } else { Verdict::Refused };
        let follow = move |store: &Self, (fate, pause): &(Option<Fate>, Duration)| {
            // A late report says nothing about the object store.
            if fate.is_some() && outage.is_some() {
                store.shared.outage.failed(now);
            }
            if *fate == Some(Fate::PutUp) && !pause.is_zero() {
                // Hold the ticket before waking the publisher.
                store.shared.turns.hold(job_id, Instant::now() + *pause);
            }
            store.follow(fate.unwrap_or(Fate::Stands), why);
        };
        Filing::new(enqueue, follow, move |fate| reply(fate.map(verdict)))
    }

    fn follow(&self, fate: Fate, why: Setback) {
        match fate {
            Fate::Stands => {}
            Fate::PutUp => {
                meters::job_enqueued_again(why);
                self.ring();
            }
            Fate::GivenUp(generation, outputs) => {
                meters::job_given_up();
                self.ring_webhooks();
                self.shared.tallies.add(outputs, true);
                self.add_backlog(-i64::from(outputs));
                self.tell(generation);
            }
        }
    }
}

/// Fault of a job that is given up because its workers never reported.
fn lost() -> Fault {
    let message = "The workers that took this on did not come back. Try again; if it happens with the same content, \
                   please report it.";
    Fault { code: "render_failed".into(), message: message.into() }
}

/// Returns the job of a claim if the claim still holds and is proved.
pub(super) fn stands(tx: &Tx<'_>, grant: Grant, now: Millis) -> Result<Option<OpenJob>, Abort> {
    let key = grant.claim.job.as_bytes();
    let (Some(job), Some(lease)) = (tx.get(&JOBS, key)?, tx.get(&LEASES, key)?) else { return Ok(None) };
    Ok(lease.is_held(&job, grant, now).then_some(job))
}

/// Returns the job after a failure of the object store, and how long to wait. `outage` is when the store started to
/// fail every upload. The claim doesn't count against the job while the store may still recover; after that it is the
/// last one.
fn excused(job: OpenJob, outage: Millis, now: Millis) -> (OpenJob, Duration) {
    let Unstored { since, times } = job.unstored.unwrap_or(Unstored { since: now, times: 0 });
    let times = times.saturating_add(1);
    let [own, all] =
        [since, outage].map(|at| Duration::from_millis(u64::try_from(now.0.saturating_sub(at.0)).unwrap_or(0)));
    let is_over = all >= STORE_PATIENCE || (own >= STORE_PATIENCE && times >= STORE_FAULTS);
    let claims = if is_over { MAX_CLAIMS } else { job.claims - 1 };
    let pause = own.max(all).clamp(FIRST_PAUSE, LONGEST_PAUSE);
    (OpenJob { claims, unstored: Some(Unstored { since, times }), ..job }, pause)
}

/// Takes a leased job from its worker: enqueues it with a later epoch, or gives it up after its last claim. `gone`
/// quarantines the job, because its worker disappeared.
fn enqueue_again(tx: &Tx<'_>, id: Uuid, job: &OpenJob, fault: &Fault, gone: bool, now: Millis) -> Result<Fate, Abort> {
    let Some(generation) = unfinished(tx, job)? else {
        call_off(tx, id)?;
        return Ok(Fate::Stands);
    };
    if let (Some(lease), Some((output, version))) = (tx.get(&LEASES, id.as_bytes())?, drawn(tx, job)?) {
        trash::put_late(tx, &generation, output, version, &lease, now)?;
    }
    tx.remove(&LEASES, id.as_bytes())?;
    if job.claims >= MAX_CLAIMS {
        return Ok(Fate::GivenUp(job.generation, reports::give_up(tx, id, job, fault, now)?));
    }
    let epoch = next_epoch(job.epoch, gone);
    outbox::post(tx, id, &OpenJob { epoch, fault: Some(fault.clone()), ..job.clone() })?;
    Ok(Fate::PutUp)
}

/// Returns the generation of a job, unless the generation or the edit has ended without the job.
fn unfinished(tx: &Tx<'_>, job: &OpenJob) -> Result<Option<Generation>, Abort> {
    let generation = tx.get(&GENERATIONS, &pair(job.account, job.generation))?;
    if let Work::Edit(place) = job.work {
        let stands = edits::under_way(tx, job.generation, place)?.is_some();
        return Ok(generation.filter(|_| stands));
    }
    if let (Work::Repair { place, version }, Some(generation)) = (job.work, &generation) {
        let stands = repairs::subject(tx, generation, place, version)?.is_some();
        return Ok(Some(generation.clone()).filter(|_| stands));
    }
    Ok(generation.filter(|g| !g.status.is_terminal()))
}

/// Returns the output that a job renders, and its version.
fn drawn(tx: &Tx<'_>, job: &OpenJob) -> Result<Option<(Uuid, u32)>, Abort> {
    let place = match job.work {
        Work::Plan => return Ok(None),
        Work::Render(place) | Work::Edit(place) | Work::Repair { place, .. } => place,
    };
    let output = tx.need(&OUTPUTS, &placed(job.generation, place))?;
    let version = match job.work {
        Work::Edit(place) => edits::under_way(tx, job.generation, place)?.map(|edit| edit.version),
        Work::Repair { version, .. } => Some(version),
        Work::Plan | Work::Render(_) => None,
    };
    Ok(Some((output.id, version.unwrap_or(output.version))))
}

/// Cancels a job and voids the claim on it. Returns the lease, if there was one.
pub(super) fn call_off(tx: &Tx<'_>, id: Uuid) -> Result<Option<Lease>, Abort> {
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
                    (version, repairs::subject(tx, generation, place, version)?.map(|subject| subject.page()))
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

pub(super) fn job_id(key: &[u8]) -> Result<Uuid, StateError> {
    Uuid::from_slice(key).map_err(|e| StateError::Unreadable(e.to_string()))
}
