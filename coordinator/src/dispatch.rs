//! From the outbox to the queue, and back where the queue lost something; and what there is to tell of the state now and
//! then.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use fleet::protocol::{Class, Ticket};
use fleet::queue::Queue;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep, timeout};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::clock::Millis;
use crate::failpoint::failpoint;
use crate::meters;
use crate::state::{StateError, Store};

/// Tickets taken from the outbox at once.
const BATCH: usize = 256;
/// Between looks at leases.
const REAP_EVERY: Duration = Duration::from_secs(1);
/// Between looks for jobs that the queue lost.
const RECONCILE_EVERY: Duration = Duration::from_secs(15);
/// Between looks at what the gauges show.
const GAUGE_EVERY: Duration = Duration::from_secs(5);
/// Between looks for what may be forgotten.
const FORGET_EVERY: Duration = Duration::from_secs(3600);
/// Between two writes of what changes with every request.
const WRITE_EVERY: Duration = Duration::from_secs(60);
/// After something failed.
const PAUSE: Duration = Duration::from_millis(500);
/// The outbox is looked at this often even if nobody rings.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// Which tickets the queue has been given and no worker has claimed, as far as this process knows.
#[derive(Debug, Clone, Default)]
pub struct Queued(Arc<Mutex<HashMap<Uuid, Waiting>>>);

/// A ticket that waits.
#[derive(Debug, Clone, Copy)]
struct Waiting {
    epoch: u32,
    class: Class,
    since: Instant,
}

impl Queued {
    fn with<T>(&self, f: impl FnOnce(&mut HashMap<Uuid, Waiting>) -> T) -> T {
        f(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn add(&self, ticket: Ticket) {
        let waiting = Waiting { epoch: ticket.epoch, class: ticket.class, since: Instant::now() };
        self.with(|q| q.insert(ticket.job, waiting));
    }

    /// How long the oldest ticket has waited.
    pub fn oldest(&self) -> Option<Duration> {
        self.with(|q| q.values().map(|w| w.since).min()).map(|since| since.elapsed())
    }

    /// How many tickets wait, by their class.
    fn depths(&self) -> [(Class, usize); 3] {
        let count = |class| self.with(|q| q.values().filter(|w| w.class == class).count());
        [Class::Plan, Class::Render2k, Class::Render4k].map(|class| (class, count(class)))
    }

    /// Notes that a worker came with this ticket.
    pub fn remove(&self, ticket: Ticket) {
        self.with(|q| {
            if q.get(&ticket.job).is_some_and(|w| w.epoch == ticket.epoch) {
                q.remove(&ticket.job);
            }
        });
    }

    fn has(&self, job: Uuid, epoch: u32) -> bool {
        self.with(|q| q.get(&job).is_some_and(|w| w.epoch == epoch))
    }
}

/// Publishes tickets from the outbox until `stop` is cancelled.
pub async fn publish(store: Store, queue: Arc<dyn Queue>, queued: Queued, stop: CancellationToken) {
    while !stop.is_cancelled() {
        match publish_batch(&store, &*queue, &queued).await {
            // Nothing there: wait for the bell.
            Ok(0) => tokio::select! {
                () = stop.cancelled() => {}
                _ = timeout(LOOK_EVERY, store.posted()) => {}
            },
            Ok(_) => {}
            Err(()) => sleep(PAUSE).await,
        }
    }
}

async fn publish_batch(store: &Store, queue: &dyn Queue, queued: &Queued) -> Result<usize, ()> {
    let tickets = store.run(|s| s.outbox(BATCH)).await.map_err(|e| complain("the outbox can't be read", &e))?;
    if !tickets.is_empty() {
        failpoint("outbox read");
    }
    for ticket in &tickets {
        // Before it is published: a worker may be faster than the next line.
        queued.add(*ticket);
        if let Err(e) = queue.publish(*ticket).await {
            queued.remove(*ticket);
            complain("a ticket can't be published", &e);
            return Err(());
        }
        tracing::debug!(job = %ticket.job, epoch = ticket.epoch, class = class_name(ticket.class), "a ticket was published");
    }
    if !tickets.is_empty() {
        failpoint("outbox published");
    }
    let published = tickets.clone();
    store
        .run(move |s| published.into_iter().try_for_each(|ticket| s.published(ticket)))
        .await
        .map_err(|e| complain("the outbox can't be written", &e))?;
    if !tickets.is_empty() {
        failpoint("outbox written");
    }
    Ok(tickets.len())
}

/// Writes what keys and sessions did, until `stop` is cancelled. What comes after that is left to the end.
pub async fn write_recent(store: Store, stop: CancellationToken) {
    loop {
        tokio::select! {
            () = stop.cancelled() => return,
            () = sleep(WRITE_EVERY) => {}
        }
        if let Err(e) = store.run(Store::write_recent).await {
            complain("when keys and sessions were last used can't be written", &e);
        }
    }
}

/// Puts up jobs whose workers are gone or that the queue lost, and forgets what is old, until `stop` is cancelled.
pub async fn keep(store: Store, queued: Queued, stop: CancellationToken) {
    let mut tick = interval(REAP_EVERY);
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let (mut reconciled, mut forgot) = (Instant::now(), Instant::now());
    let mut gauged: Option<Instant> = None;
    loop {
        tokio::select! {
            () = stop.cancelled() => return,
            _ = tick.tick() => {}
        }
        done("reaping", store.run(|s| s.reap(Millis::now())).await, |n| {
            if n > 0 {
                tracing::warn!(jobs = n, "jobs lost their workers");
            }
        });
        if reconciled.elapsed() >= RECONCILE_EVERY {
            reconciled = Instant::now();
            reconcile(&store, &queued).await;
        }
        if gauged.is_none_or(|at| at.elapsed() >= GAUGE_EVERY) {
            gauged = Some(Instant::now());
            gauge(&store, &queued).await;
        }
        if forgot.elapsed() >= FORGET_EVERY {
            forgot = Instant::now();
            done("forgetting", store.run(|s| s.forget(Millis::now())).await, |()| {});
            done("renewing credits", store.run(|s| s.renew(Millis::now())).await, |n| {
                if n > 0 {
                    tracing::info!(accounts = n, "accounts got the credits of the month, or lost what had ended");
                }
            });
        }
    }
}

/// Shows how much there is of everything.
async fn gauge(store: &Store, queued: &Queued) {
    for (class, waiting) in queued.depths() {
        meters::jobs_waiting(class_name(class), waiting);
    }
    meters::oldest_waiting(queued.oldest().unwrap_or_default());
    done("looking at sizes", store.run(Store::sizes).await, |sizes| meters::sizes(&sizes));
}

/// The name of a class of jobs, in logs and metrics.
fn class_name(class: Class) -> &'static str {
    match class {
        Class::Plan => "plan",
        Class::Render2k => "render_2k",
        Class::Render4k => "render_4k",
    }
}

/// Puts up every open job that nobody has; at a start, before anything is queued, all that wait.
pub async fn reconcile(store: &Store, queued: &Queued) {
    let queued = queued.clone();
    let result = store.run(move |s| s.reconcile(|job, epoch| queued.has(job, epoch))).await;
    done("reconciling", result, |n| {
        if n > 0 {
            tracing::info!(jobs = n, "jobs were put up again");
            meters::jobs_reconciled(n);
        }
    });
}

fn done<T>(what: &str, result: Result<T, StateError>, then: impl FnOnce(T)) {
    match result {
        Ok(value) => then(value),
        Err(e) => complain(what, &e),
    }
}

fn complain(what: &str, error: &dyn std::error::Error) {
    tracing::error!(%error, "{what}");
}
