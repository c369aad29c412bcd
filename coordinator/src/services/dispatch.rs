//! Publishes tickets from the outbox to the queue, republishes tickets that the queue lost, and runs periodic
//! maintenance of the state.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use fleet::failpoint::failpoint;
use fleet::presence::Fleet;
use fleet::protocol::Class;
use fleet::queue::Queue;
use fleet::queue::nats::NatsQueue;
use futures::future::join_all;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep, sleep_until, timeout};
use tokio_util::sync::CancellationToken;

use crate::clock::Millis;
use crate::metrics;
use crate::queued::{Asked, Queued, class_name};
use crate::state::{DueTicket, StateError, Store};

/// Maximum number of tickets taken from the outbox at a time.
const BATCH: usize = 256;
/// Interval between checks of leases.
const REAP_EVERY: Duration = Duration::from_secs(1);
/// Interval between searches for jobs that the queue lost.
const RECONCILE_EVERY: Duration = Duration::from_secs(15);
/// Interval between checks of the queue's stream and consumers on its server, which may have lost everything.
const PREPARE_EVERY: Duration = Duration::from_secs(5);
/// Age from which a published ticket is either on the queue or lost.
const SETTLED: Duration = Duration::from_secs(5);
/// Age from which an unclaimed ticket is republished if there are workers, whatever happened to it.
const STALE: Duration = Duration::from_secs(120);
/// Number of unclaimed tickets on the queue per job that the workers can run at once: enough that no worker waits for
/// its next job, and few enough that later tickets with priority have little to overtake.
const AHEAD: usize = 2;
/// Minimum number of tickets on the queue, used while no worker has reported.
const LEAST: usize = 16;
/// Interval between updates of the gauges.
const GAUGE_EVERY: Duration = Duration::from_secs(5);
/// Interval between deletions of expired rows.
const FORGET_EVERY: Duration = Duration::from_secs(3600);
/// Interval between writes of values that change with every request.
const WRITE_EVERY: Duration = Duration::from_secs(60);
/// Pause after a failure.
const PAUSE: Duration = Duration::from_millis(500);
/// Interval between scans of a non-empty outbox: every new ticket may change the order.
const LOOK_AGAIN: Duration = Duration::from_millis(100);
/// Interval between scans of the outbox even without a notification.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// Number of jobs that workers can run at once.
#[derive(Debug, Clone)]
pub struct Slots {
    /// In this process.
    pub here: usize,
    /// On other machines, if the queue reaches any.
    pub fleet: Option<Fleet>,
}

impl Slots {
    fn count(&self) -> usize {
        self.here + self.fleet.as_ref().map_or(0, Fleet::slots)
    }
}

/// Publishes tickets from the outbox until `stop` is cancelled, but no more than workers will claim soon.
pub async fn publish(store: Store, queue: Arc<dyn Queue>, queued: Queued, slots: Slots, stop: CancellationToken) {
    // The next tickets, and when they were determined: each scan reads all waiting tickets.
    let (mut tickets, mut looked) = (VecDeque::new(), Instant::now());
    while !stop.is_cancelled() {
        let room = (slots.count() * AHEAD).max(LEAST).saturating_sub(queued.on_queue()).min(BATCH);
        if tickets.is_empty() || looked.elapsed() >= LOOK_AGAIN {
            looked = Instant::now();
            let outbox = store.next_tickets(BATCH);
            let next = room.max(edits(&outbox.next)).min(outbox.next.len());
            queued.look_behind(&outbox, &outbox.next[..next]);
            tickets = outbox.next.into();
        }
        // A person waits for each edit, so edits ignore the limit.
        let room = room.max(edits(&tickets));
        if tickets.is_empty() {
            // Nothing waits, so clear the error. Then wait for a notification.
            queued.note(Asked::Publish, &Ok(()));
            tokio::select! {
                () = stop.cancelled() => {}
                _ = timeout(LOOK_EVERY, store.enqueued()) => {}
            }
        } else if room == 0 {
            // Wait until a worker claims a ticket, or until there may be an edit.
            tokio::select! {
                () = stop.cancelled() => {}
                _ = timeout(LOOK_EVERY, queued.taken()) => {}
                () = store.enqueued() => sleep_until(looked + LOOK_AGAIN).await,
            }
        } else {
            let batch = tickets.drain(..room.min(tickets.len())).collect();
            if publish_some(&store, &*queue, &queued, batch).await.is_err() {
                tickets.clear();
                // The tickets that should have been published wait again.
                queued.look_behind(&store.next_tickets(0), &[]);
                sleep(PAUSE).await;
            }
        }
    }
}

/// Counts the edits at the head of these tickets.
fn edits<'t>(tickets: impl IntoIterator<Item = &'t DueTicket>) -> usize {
    tickets.into_iter().take_while(|due| due.ticket.class == Class::Edit).count()
}

async fn publish_some(store: &Store, queue: &dyn Queue, queued: &Queued, tickets: Vec<DueTicket>) -> Result<(), ()> {
    failpoint("outbox read");
    // Record the tickets before publishing them: a worker may claim one before the next line runs.
    tickets.iter().for_each(|due| queued.add(*due));
    let results = join_all(tickets.iter().map(|due| queue.publish(due.ticket))).await;
    let mut published = Vec::with_capacity(tickets.len());
    let mut failed = false;
    queued.note(Asked::Publish, results.iter().find(|result| result.is_err()).unwrap_or(&Ok(())));
    for (DueTicket { ticket, .. }, result) in tickets.iter().zip(results) {
        match result {
            Ok(()) => {
                let class = class_name(ticket.class);
                tracing::debug!(job = %ticket.job, epoch = u32::from(ticket.epoch), class, "ticket published");
                published.push(*ticket);
            }
            Err(e) => {
                queued.remove(*ticket);
                if !failed {
                    complain("publishing tickets failed", &e);
                }
                failed = true;
            }
        }
    }
    failpoint("outbox published");
    store.run(move |s| s.published(&published)).await.map_err(|e| complain("clearing the outbox failed", &e))?;
    failpoint("outbox written");
    if failed { Err(()) } else { Ok(()) }
}

/// Creates the queue's stream and consumers on its server, and recreates them if they are lost, until `stop` is
/// cancelled.
pub async fn prepare(queue: Arc<NatsQueue>, queued: Queued, stop: CancellationToken) {
    let mut ready = false;
    while !stop.is_cancelled() {
        let prepared = queue.prepare().await;
        queued.note(Asked::Prepare, &prepared);
        metrics::queue_connected(queued.trouble().is_none());
        match prepared {
            Ok(()) if !ready => {
                tracing::info!("the queue is ready");
                ready = true;
            }
            Ok(()) => {}
            Err(error) => {
                tracing::warn!(%error, "the queue is not ready");
                ready = false;
            }
        }
        let pause = if ready { PREPARE_EVERY } else { PAUSE };
        tokio::select! {
            () = stop.cancelled() => {}
            () = sleep(pause) => {}
        }
    }
}

/// Writes the use of keys and sessions periodically, until `stop` is cancelled. The shutdown writes the rest.
pub async fn write_recent(store: Store, stop: CancellationToken) {
    loop {
        tokio::select! {
            () = stop.cancelled() => return,
            () = sleep(WRITE_EVERY) => {}
        }
        if let Err(e) = store.run(Store::write_recent).await {
            complain("writing the use of keys and sessions failed", &e);
        }
    }
}

/// Enqueues jobs again whose workers disappeared or whose tickets the queue lost, and deletes expired rows, until
/// `stop` is cancelled.
pub async fn keep(store: Store, queue: Arc<dyn Queue>, queued: Queued, slots: Slots, stop: CancellationToken) {
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
                tracing::warn!(jobs = n, "leases expired: jobs lost their workers");
            }
        });
        if reconciled.elapsed() >= RECONCILE_EVERY {
            reconciled = Instant::now();
            notice_loss(&*queue, &queued, &slots).await;
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
                    tracing::info!(accounts = n, "monthly credits granted and expired credits removed");
                }
            });
        }
    }
}

/// Marks published tickets as lost if the queue holds fewer than were published, for example because its server was
/// wiped. A job that is published twice as a result is claimed only once.
async fn notice_loss(queue: &dyn Queue, queued: &Queued, slots: &Slots) {
    let held = match queue.holds().await {
        Ok(Some(held)) => usize::try_from(held).unwrap_or(usize::MAX),
        Ok(None) => return,
        Err(error) => return tracing::warn!(%error, "reading the size of the queue failed"),
    };
    if held < queued.settled(SETTLED) {
        let jobs = queued.give_up_older(SETTLED);
        tracing::warn!(jobs, held, "queue lost tickets: publishing them again");
    }
    // A single lost ticket doesn't show in the count if many others are left.
    let jobs = if slots.count() > 0 { queued.give_up_older(STALE) } else { 0 };
    if jobs > 0 {
        tracing::warn!(jobs, "tickets unclaimed for too long: publishing them again");
    }
}

/// Updates the gauges.
async fn gauge(store: &Store, queued: &Queued) {
    for (class, waiting) in queued.depths() {
        metrics::jobs_waiting(class_name(class), waiting);
    }
    metrics::oldest_waiting(queued.oldest().unwrap_or_default());
    done("looking at sizes", store.run(Store::sizes).await, |sizes| {
        metrics::jobs_in_progress(sizes.leases);
        metrics::state_sizes(sizes.generations, sizes.text_bytes, sizes.disk_bytes);
    });
}

/// Enqueues every open job that is neither leased nor queued. At startup, before anything is queued, these are all
/// waiting jobs.
pub async fn reconcile(store: &Store, queued: &Queued) {
    let queued = queued.clone();
    let result = store.run(move |s| s.reconcile(|job, epoch| queued.has(job, epoch))).await;
    done("reconciling", result, |n| {
        if n > 0 {
            tracing::info!(jobs = n, "jobs enqueued again");
            metrics::jobs_reconciled(n);
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
