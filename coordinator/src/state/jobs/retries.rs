//! Retries: jobs that lost their worker, or that a worker failed, are enqueued again until their last claim.

use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use fleet::protocol::{Epoch, FailureCode, Grant, MAX_CLAIMS, Verdict};
use uuid::Uuid;

use crate::clock::Millis;
use crate::metrics;
use crate::state::billing::token_days;
use crate::state::database::tables::{Abort, Tx};
use crate::state::error::StateError;
use crate::state::generations::read::edit_under_way;
use crate::state::jobs::claims::{call_off, job_id, stands, unfinished};
use crate::state::jobs::{endings, outbox};
use crate::state::objects::deletion_queue;
use crate::state::rows::generations::Fault;
use crate::state::rows::jobs::{OpenJob, Unstored, Work};
use crate::state::rows::keyspace::placed;
use crate::state::rows::schema::{JOBS, LEASES, OUTBOX, OUTPUTS};
use crate::state::store::{BatchedWrite, Reply, Store};

/// Number of claims that may end with the whole process before such claims count against the job. Usually the job did
/// not end the process, but a job that does must not do so forever.
const INTERRUPTIONS: u32 = 10;
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

impl Store {
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
    pub fn reconcile(&self, queued: impl Fn(Uuid, Epoch) -> bool) -> Result<usize, StateError> {
        let mut lost = Vec::new();
        for row in self.shared.tables.scan(&JOBS, &[]) {
            let (key, job) = row?;
            let id = job_id(&key)?;
            let waits = queued(id, job.epoch) || self.shared.scheduler.has(id);
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
                    outbox::post(tx, *id, &OpenJob { epoch: job.epoch.next(false), ..job })?;
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
    pub(in crate::state) fn trying_again(
        &self,
        grant: Grant,
        fault: Fault,
        tokens: Option<u64>,
        now: Millis,
        reply: Reply<Verdict>,
    ) -> BatchedWrite {
        let job_id = grant.claim.job;
        let outage = (fault.code == FailureCode::StorageFailed.name()).then(|| self.shared.outage.since(now));
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
                store.shared.scheduler.hold(job_id, Instant::now() + *pause);
            }
            store.follow(fate.unwrap_or(Fate::Stands), why);
        };
        BatchedWrite::new(enqueue, follow, move |fate| reply(fate.map(verdict)))
    }

    fn follow(&self, fate: Fate, why: Setback) {
        match fate {
            Fate::Stands => {}
            Fate::PutUp => {
                metrics::job_enqueued_again(why.name());
                self.ring();
            }
            Fate::GivenUp(generation, outputs) => {
                metrics::job_given_up();
                self.ring_webhooks();
                self.shared.counters.add(outputs, true);
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
    Fault { code: FailureCode::RenderFailed.into(), message: message.into() }
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
        deletion_queue::put_late(tx, &generation, output, version, &lease, now)?;
    }
    tx.remove(&LEASES, id.as_bytes())?;
    if job.claims >= MAX_CLAIMS {
        return Ok(Fate::GivenUp(job.generation, endings::give_up(tx, id, job, fault, now)?));
    }
    let epoch = job.epoch.next(gone);
    outbox::post(tx, id, &OpenJob { epoch, fault: Some(fault.clone()), ..job.clone() })?;
    Ok(Fate::PutUp)
}

/// Returns the output that a job renders, and its version.
fn drawn(tx: &Tx<'_>, job: &OpenJob) -> Result<Option<(Uuid, u32)>, Abort> {
    let place = match job.work {
        Work::Plan => return Ok(None),
        Work::Render(place) | Work::Edit(place) | Work::Repair { place, .. } => place,
    };
    let output = tx.need(&OUTPUTS, &placed(job.generation, place))?;
    let version = match job.work {
        Work::Edit(place) => edit_under_way(tx, job.generation, place)?.map(|edit| edit.version),
        Work::Repair { version, .. } => Some(version),
        Work::Plan | Work::Render(_) => None,
    };
    Ok(Some((output.id, version.unwrap_or(output.version))))
}
