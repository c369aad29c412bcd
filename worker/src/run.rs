//! The worker loop: fetch a ticket, claim its job, work with heartbeats, report the result. It shuts down without
//! losing a job.

mod clock;
pub mod slots;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use fleet::blobs::RetryPolicy;
use fleet::failpoint::failpoint;
use fleet::job_service::{JobService, JobServiceError};
use fleet::protocol::{Caller, Claim, ClaimAnswer, Grant, HEARTBEAT_S, Job, LEASE_S, Outcome, Terms, Verdict};
use fleet::queue::{Delivery, Queue};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;
use tracing::Instrument;

use self::slots::{Fetched, Permits, Slots};
use crate::metrics::{BUSY, CLAIMS, JOB_SECONDS, JOBS, SWEPT};
use crate::stages::{self, Claimed, Context, Stop};

/// The parts of a worker.
pub struct Parts {
    /// The queue of tickets.
    pub queue: Arc<dyn Queue>,
    /// The job service: it grants claims and accepts reports.
    pub job_service: Arc<dyn JobService>,
    /// The shared context of the jobs.
    pub context: Arc<Context>,
    /// Jobs worked on at once.
    pub loops: usize,
    /// Name of this worker in the coordinator's log.
    pub name: String,
    /// Counts the running loops, including those that prefetch.
    pub running: Arc<AtomicUsize>,
    /// Counts the loops that work on a job.
    pub busy: Arc<AtomicUsize>,
    /// Counts the jobs whose report was attempted.
    pub reported: Arc<AtomicUsize>,
}

/// Intervals and limits between worker and coordinator.
#[derive(Debug, Clone, Copy)]
struct Timing {
    /// Interval of heartbeats, and timeout of each call.
    heartbeat: Duration,
    /// How long a claim stands without a heartbeat.
    lease: Duration,
    /// Pause after a call that failed.
    pause: Duration,
}

impl Default for Timing {
    fn default() -> Self {
        Self {
            heartbeat: Duration::from_secs(HEARTBEAT_S),
            lease: Duration::from_secs(LEASE_S),
            pause: Duration::from_millis(250),
        }
    }
}

/// Works until `shutdown` is cancelled; then claims no new job, finishes the running ones, and returns.
pub async fn run(parts: Parts, shutdown: CancellationToken) {
    let Parts { queue, job_service, context, loops, name, running, busy, reported } = parts;
    let (caller, timing, slots) = (Arc::new(Caller::here(&name)), Timing::default(), Slots::new(loops));
    Worker { queue, job_service, context, caller, timing, running, busy, reported, slots }.run(&shutdown).await;
}

#[derive(Clone)]
struct Worker {
    queue: Arc<dyn Queue>,
    job_service: Arc<dyn JobService>,
    context: Arc<Context>,
    caller: Arc<Caller>,
    timing: Timing,
    running: Arc<AtomicUsize>,
    busy: Arc<AtomicUsize>,
    reported: Arc<AtomicUsize>,
    slots: Arc<Slots>,
}

/// A job that has ended and is to be reported.
struct Finished {
    grant: Grant,
    outcome: Outcome,
    /// Whether it succeeded.
    done: bool,
    /// When the coordinator last confirmed the claim.
    heard: Instant,
    kind: &'static str,
    /// The objects stored under its claim.
    objects: Vec<String>,
    started: Instant,
    busy: Busy,
    span: tracing::Span,
}

/// A job that was given a slot.
struct Begun {
    started: Instant,
    busy: Busy,
}

/// The result of a job, and when it got its slot; `None` if its claim was lost before that.
type Ended = (Result<Outcome, Stop>, Option<Begun>);

impl Worker {
    async fn run(self, shutdown: &CancellationToken) {
        // Before the first job: with a wrong clock every job would fail.
        self.context.blobs.ask_for_the_time().await;
        let _watching = AbortOnDrop(tokio::spawn(clock::watch(self.context.blobs.clone())).abort_handle());
        let mut running = JoinSet::new();
        for _ in 0..self.slots.loop_count() {
            running.spawn(self.clone().work(shutdown.clone()));
        }
        while let Some(ended) = running.join_next().await {
            if let Err(error) = ended {
                // Stages catch their own panics, so this is a fault of the loop. Its ticket returned to the queue.
                tracing::error!(%error, "worker loop failed: it restarts after a pause");
                if !shutdown.is_cancelled() {
                    sleep(self.timing.pause).await;
                    running.spawn(self.clone().work(shutdown.clone()));
                }
            }
        }
    }

    async fn work(self, shutdown: CancellationToken) {
        let _running = Running::new(Arc::clone(&self.running));
        // Reports in flight: the loop starts the next job while it reports the previous one.
        let mut reports = JoinSet::new();
        let mut clock = self.context.blobs.clock();
        loop {
            tokio::select! {
                biased;
                () = shutdown.cancelled() => break,
                _ = clock.wait_for(Option::is_none) => {}
            }
            let fetched = tokio::select! {
                biased;
                () = shutdown.cancelled() => break,
                fetched = self.slots.fetch(&*self.queue) => fetched,
            };
            let refused = clock.borrow().is_some();
            match fetched {
                Ok(None) => {}
                // Returns the ticket to the queue: the store refused the clock while the worker waited for a ticket.
                Ok(Some(fetched)) if refused => drop(fetched),
                Ok(Some(fetched)) => {
                    let Some((finished, delivery)) = self.claim_and_run(fetched, &shutdown).await else { continue };
                    // One report at a time: a worker that can't report claims no more jobs.
                    while reports.join_next().await.is_some() {}
                    let span = finished.span.clone();
                    reports.spawn(
                        self.clone().report_and_acknowledge(finished, delivery, shutdown.clone()).instrument(span),
                    );
                }
                Err(error) => {
                    tracing::warn!(%error, "fetching a ticket failed");
                    self.pause(&shutdown).await;
                }
            }
        }
        while reports.join_next().await.is_some() {}
    }

    /// Works on the job of a ticket, up to its report. Returns `None` if there is nothing to report.
    async fn claim_and_run(
        &self,
        fetched: Fetched,
        shutdown: &CancellationToken,
    ) -> Option<(Finished, Box<dyn Delivery>)> {
        let Fetched { delivery, permits } = fetched;
        let ticket = delivery.ticket();
        match timeout(self.timing.heartbeat, self.job_service.claim(ticket, &self.caller))
            .await
            .unwrap_or_else(|_| Err(no_answer()))
        {
            Ok(ClaimAnswer::Granted(claim, job, terms)) => {
                metrics::counter!(CLAIMS, "answer" => "granted").increment(1);
                let span = tracing::info_span!(
                    "job",
                    job = %claim.job,
                    generation = %stages::generation(&job),
                    epoch = u32::from(claim.epoch),
                    kind = stages::name(&job),
                );
                if let Some(finished) = self.run_job(claim, job, terms, permits).instrument(span).await {
                    return Some((finished, delivery));
                }
                delivery.done().await;
            }
            Ok(ClaimAnswer::Refused) => {
                metrics::counter!(CLAIMS, "answer" => "refused").increment(1);
                delivery.done().await;
            }
            Err(error) => {
                metrics::counter!(CLAIMS, "answer" => "none").increment(1);
                tracing::warn!(%error, job = %ticket.job, "claim failed");
                // The ticket returns to the queue before the pause: another worker may reach the coordinator.
                drop(delivery);
                self.pause(shutdown).await;
            }
        }
        None
    }

    /// Works on a job. Returns `None` if its claim was lost meanwhile.
    async fn run_job(&self, claim: Claim, job: Job, terms: Terms, permits: Permits) -> Option<Finished> {
        let kind = stages::name(&job);
        let Terms { secret, folder } = terms;
        let grant = Grant { claim, secret };
        let place = Claimed { claim, folder };
        let objects = stages::objects(&place, &job);
        let (ended, heard) = self.with_heartbeats(grant, place, job, permits).await;
        let (outcome, done, begun) = match ended {
            (Ok(outcome), Some(begun)) => (outcome, true, begun),
            (Err(Stop::Failed(failure)), Some(begun)) => {
                tracing::warn!(code = failure.code, why = failure.message, retry = failure.retry, "job failed");
                (Outcome::Failed(failure), false, begun)
            }
            // A job that was not begun has no result, and stored nothing.
            (_, begun) => {
                tracing::info!("job abandoned: its claim was revoked or expired");
                metrics::counter!(JOBS, "job" => kind, "outcome" => "lost").increment(1);
                if begun.is_some() {
                    self.delete_objects(&objects).await;
                }
                return None;
            }
        };
        let span = tracing::Span::current();
        let Begun { started, busy } = begun;
        Some(Finished { grant, outcome, done, heard, kind, objects, started, busy, span })
    }

    /// Reports a job and acknowledges its ticket; without an answer, the ticket returns to the queue.
    async fn report_and_acknowledge(
        self,
        finished: Finished,
        delivery: Box<dyn Delivery>,
        shutdown: CancellationToken,
    ) {
        let Finished { grant, outcome, done, heard, kind, objects, started, busy, .. } = finished;
        failpoint(format_args!("{kind}: to report"));
        let verdict = self.report(grant, outcome, heard).await;
        failpoint(format_args!("{kind}: reported"));
        metrics::histogram!(JOB_SECONDS, "job" => kind).record(started.elapsed().as_secs_f64());
        drop(busy);
        self.reported.fetch_add(1, Ordering::Relaxed);
        let result = match verdict {
            Some(Verdict::Accepted) if done => "done",
            Some(Verdict::Accepted) => "failed",
            Some(Verdict::Refused) => "refused",
            None => "unreported",
        };
        metrics::counter!(JOBS, "job" => kind, "outcome" => result).increment(1);
        // The coordinator may have accepted a report whose answer was lost: then its objects are visible and stay.
        if matches!(result, "failed" | "refused") {
            self.delete_objects(&objects).await;
        }
        if verdict.is_some() {
            delivery.done().await;
        } else {
            drop(delivery);
            self.pause(&shutdown).await;
        }
    }

    /// Runs a job while it sends heartbeats. Returns the result, and when the coordinator last confirmed the claim.
    async fn with_heartbeats(&self, grant: Grant, place: Claimed, job: Job, permits: Permits) -> (Ended, Instant) {
        let lost = CancellationToken::new();
        let mut heard = Instant::now();
        let mut work = std::pin::pin!(self.in_slot(place, job, permits, &lost));
        let ended = tokio::select! {
            biased;
            ended = &mut work => Some(ended),
            () = self.beat_until_lost(grant, &mut heard) => None,
        };
        let ended = match ended {
            Some(ended) => ended,
            None => {
                lost.cancel();
                // The job ends at its next stage boundary; its result comes too late.
                (Err(Stop::Lost), work.await.1)
            }
        };
        (ended, heard)
    }

    /// Runs a job in a slot; a prefetched job waits for one first.
    async fn in_slot(&self, place: Claimed, job: Job, mut permits: Permits, lost: &CancellationToken) -> Ended {
        if lost.run_until_cancelled(permits.acquire_slot()).await.is_none() {
            return (Err(Stop::Lost), None);
        }
        let begun = Begun { started: Instant::now(), busy: Busy::new(Arc::clone(&self.busy)) };
        let mut work = std::pin::pin!(stages::work(place, job, &self.context, lost));
        let ended = match timeout(slots::QUARANTINE, &mut work).await {
            Ok(ended) => ended,
            Err(_) => {
                permits.end_quarantine();
                work.await
            }
        };
        drop(permits);
        (ended, Some(begun))
    }

    /// Sends heartbeats until the claim no longer stands. `heard` is when the coordinator last confirmed it.
    async fn beat_until_lost(&self, grant: Grant, heard: &mut Instant) {
        loop {
            sleep(self.timing.heartbeat).await;
            let sent = Instant::now();
            match timeout(self.timing.heartbeat, self.job_service.heartbeat(grant))
                .await
                .unwrap_or_else(|_| Err(no_answer()))
            {
                Ok(Verdict::Accepted) => *heard = sent,
                Ok(Verdict::Refused) => return,
                Err(error) if heard.elapsed() >= self.timing.lease => {
                    tracing::warn!(%error, "claim expired: heartbeats got no answer for the whole lease");
                    return;
                }
                Err(error) => tracing::warn!(%error, "heartbeat failed"),
            }
        }
    }

    /// Reports a result, and retries with backoff while the coordinator does not answer and the claim may still stand.
    async fn report(&self, grant: Grant, outcome: Outcome, heard: Instant) -> Option<Verdict> {
        let mut pause = self.timing.pause;
        loop {
            let answer = timeout(self.timing.heartbeat, self.job_service.report(grant, outcome.clone())).await;
            match answer.unwrap_or_else(|_| Err(no_answer())) {
                Ok(verdict) => return Some(verdict),
                Err(error) => tracing::warn!(%error, "report failed"),
            }
            if heard.elapsed() + pause >= self.timing.lease {
                return None;
            }
            sleep(pause).await;
            pause *= 2;
        }
    }

    /// Deletes the objects of a claim that did not succeed, if the store lets a worker delete. Otherwise the
    /// coordinator deletes them an hour later.
    async fn delete_objects(&self, objects: &[String]) {
        let once = RetryPolicy { attempts: 1, ..RetryPolicy::default() };
        let blobs = self.context.blobs.clone().with_retries(once);
        for key in objects {
            match blobs.delete(key).await {
                Ok(()) => metrics::counter!(SWEPT).increment(1),
                Err(error) => {
                    tracing::debug!(%error, key, "deleting an unused object failed: the coordinator will delete it")
                }
            }
        }
    }

    async fn pause(&self, shutdown: &CancellationToken) {
        tokio::select! {
            () = shutdown.cancelled() => {}
            () = sleep(self.timing.pause) => {}
        }
    }
}

fn no_answer() -> JobServiceError {
    JobServiceError("no answer in time".into())
}

/// Aborts a task when the task that started it ends.
struct AbortOnDrop(tokio::task::AbortHandle);

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Counts a loop as running while it lives.
struct Running(Arc<AtomicUsize>);

impl Running {
    fn new(count: Arc<AtomicUsize>) -> Self {
        count.fetch_add(1, Ordering::Relaxed);
        Self(count)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Counts a loop as busy while it lives.
struct Busy(Arc<AtomicUsize>);

impl Busy {
    fn new(count: Arc<AtomicUsize>) -> Self {
        metrics::gauge!(BUSY).increment(1);
        count.fetch_add(1, Ordering::Relaxed);
        Self(count)
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        metrics::gauge!(BUSY).decrement(1);
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests;
