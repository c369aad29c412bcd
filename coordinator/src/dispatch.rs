//! From the outbox to the queue, and back where the queue lost something; and what there is to tell of the state now and
//! then.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use fleet::failpoint::failpoint;
use fleet::presence::Fleet;
use fleet::protocol::{Class, Ticket};
use fleet::queue::nats::NatsQueue;
use fleet::queue::{Queue, QueueError};
use futures::future::join_all;
use tokio::sync::Notify;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep, sleep_until, timeout};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::clock::Millis;
use crate::meters;
use crate::state::{Outbox, StateError, Store, Turn};

/// Tickets whose turn it is, taken from the outbox at once.
const BATCH: usize = 256;
/// Between looks at leases.
const REAP_EVERY: Duration = Duration::from_secs(1);
/// Between looks for jobs that the queue lost.
const RECONCILE_EVERY: Duration = Duration::from_secs(15);
/// Between looks whether the queue's server has what it needs: it may have lost everything.
const PREPARE_EVERY: Duration = Duration::from_secs(5);
/// A ticket that was published longer ago than this is on the queue, or lost.
const SETTLED: Duration = Duration::from_secs(5);
/// A ticket that nobody has come for in so long is put up again where there are workers: whatever became of it.
const STALE: Duration = Duration::from_secs(120);
/// Tickets on the queue that nobody has come for, for each job that the workers can do at once: enough that none of them
/// waits for the next, and so few that what comes later and goes first has nothing to overtake.
const AHEAD: usize = 2;
/// The least of them, while no worker has said that it is there.
const LEAST: usize = 16;
/// Between looks at what the gauges show.
const GAUGE_EVERY: Duration = Duration::from_secs(5);
/// Between looks for what may be forgotten.
const FORGET_EVERY: Duration = Duration::from_secs(3600);
/// Between two writes of what changes with every request.
const WRITE_EVERY: Duration = Duration::from_secs(60);
/// After something failed.
const PAUSE: Duration = Duration::from_millis(500);
/// While there is something in it, the outbox is gone over this often: whose turn it is changes with whoever comes.
const LOOK_AGAIN: Duration = Duration::from_millis(100);
/// The outbox is looked at this often even if nobody rings.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// Which tickets the queue has been given and no worker has claimed, as far as this process knows; and what waits behind
/// them.
#[derive(Debug, Clone, Default)]
pub struct Queued {
    tickets: Arc<Mutex<HashMap<Uuid, Waiting>>>,
    behind: Arc<Mutex<Behind>>,
    /// Rung when a worker came for one.
    taken: Arc<Notify>,
    trouble: Arc<Mutex<Trouble>>,
}

/// Why the queue takes nothing, where it doesn't.
#[derive(Debug, Default)]
struct Trouble {
    /// What it said when its stream was to be made or looked at.
    prepared: Option<String>,
    /// What it said to the last tickets.
    published: Option<String>,
}

/// What the queue is asked for.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Asked {
    /// For its stream and consumers.
    Prepare,
    /// To take tickets.
    Publish,
}

/// A ticket that waits.
#[derive(Debug, Clone, Copy)]
struct Waiting {
    epoch: u32,
    class: Class,
    /// When its job was first put up.
    since: Instant,
    /// When this ticket was.
    published: Instant,
    /// It is to be put up again: the queue has lost it, or nobody came.
    lost: bool,
}

/// What the queue has not been given yet.
#[derive(Debug, Clone, Copy, Default)]
struct Behind {
    jobs: [usize; Class::ALL.len()],
    /// Since when the oldest of them has waited.
    oldest: Option<Instant>,
}

impl Queued {
    fn with<T>(&self, f: impl FnOnce(&mut HashMap<Uuid, Waiting>) -> T) -> T {
        f(&mut self.tickets.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Notes that the queue is given this ticket.
    pub(crate) fn add(&self, Turn { ticket, since }: Turn) {
        self.with(|q| {
            let since = q.get(&ticket.job).map_or(since.into(), |waiting| waiting.since);
            let (Ticket { epoch, class, .. }, published) = (ticket, Instant::now());
            q.insert(ticket.job, Waiting { epoch, class, since, published, lost: false });
        });
    }

    /// Notes what the queue said to something.
    pub(crate) fn note<T>(&self, asked: Asked, answer: &Result<T, QueueError>) {
        let why = answer.as_ref().err().map(|error| match error.is_of_storage() {
            true => format!("The queue's server is out of storage ({error}): free its disk, or raise max_file_store."),
            false => format!("The queue can't be used ({error})."),
        });
        let mut trouble = self.trouble.lock().unwrap_or_else(PoisonError::into_inner);
        match asked {
            Asked::Prepare => trouble.prepared = why,
            Asked::Publish => trouble.published = why,
        }
    }

    /// Why the queue takes no tickets, in words for the operator; nothing where it does.
    pub fn trouble(&self) -> Option<String> {
        let trouble = self.trouble.lock().unwrap_or_else(PoisonError::into_inner);
        trouble.published.as_ref().or(trouble.prepared.as_ref()).cloned()
    }

    /// How long the oldest job has waited: its ticket on the queue, or whatever comes after those.
    pub fn oldest(&self) -> Option<Duration> {
        let queued = self.with(|q| q.values().map(|w| w.since).min());
        let behind = self.behind.lock().unwrap_or_else(PoisonError::into_inner).oldest;
        queued.into_iter().chain(behind).min().map(|since| since.elapsed())
    }

    /// How many jobs wait, by their class: on the queue, and to be put there.
    pub fn depths(&self) -> [(Class, usize); Class::ALL.len()] {
        let behind = self.behind.lock().unwrap_or_else(PoisonError::into_inner).jobs;
        let count = |class| self.with(|q| q.values().filter(|w| w.class == class && !w.lost).count());
        let mut place = 0;
        Class::ALL.map(|class| {
            place += 1;
            (class, count(class) + behind[place - 1])
        })
    }

    /// Notes what was found to wait, of which so many tickets are put up now.
    fn look_behind(&self, Outbox { all, oldest, .. }: &Outbox, put_up: &[Turn]) {
        let left =
            all.map(|(class, count)| count - put_up.iter().filter(|t| t.ticket.class == class).count().min(count));
        // The oldest may be among those that are put up now, and is counted for a moment longer.
        let oldest = oldest.filter(|_| left.iter().sum::<usize>() > 0).map(Instant::from);
        *self.behind.lock().unwrap_or_else(PoisonError::into_inner) = Behind { jobs: left, oldest };
    }

    /// Notes that a worker came with this ticket.
    pub fn remove(&self, ticket: Ticket) {
        self.with(|q| {
            if q.get(&ticket.job).is_some_and(|w| w.epoch == ticket.epoch) {
                q.remove(&ticket.job);
            }
        });
        self.taken.notify_one();
    }

    /// Returns when a worker has come for a ticket.
    async fn taken(&self) {
        self.taken.notified().await;
    }

    /// How many tickets are on the queue.
    fn len(&self) -> usize {
        self.with(|q| q.values().filter(|waiting| !waiting.lost).count())
    }

    /// Has every ticket put up again that was published so long ago; returns how many.
    fn give_up_older(&self, age: Duration) -> usize {
        let given_up = self.with(|q| {
            let old = q.values_mut().filter(|waiting| !waiting.lost && waiting.published.elapsed() >= age);
            old.map(|waiting| waiting.lost = true).count()
        });
        if given_up > 0 {
            self.taken.notify_one();
        }
        given_up
    }

    /// How many tickets were published a while ago.
    fn settled(&self) -> usize {
        self.with(|q| q.values().filter(|waiting| !waiting.lost && waiting.published.elapsed() >= SETTLED).count())
    }

    fn has(&self, job: Uuid, epoch: u32) -> bool {
        self.with(|q| q.get(&job).is_some_and(|waiting| !waiting.lost && waiting.epoch == epoch))
    }
}

/// Jobs that workers can work on at once.
#[derive(Debug, Clone)]
pub struct Slots {
    /// In this process.
    pub here: usize,
    /// On other machines, where the queue reaches any.
    pub fleet: Option<Fleet>,
}

impl Slots {
    fn count(&self) -> usize {
        self.here + self.fleet.as_ref().map_or(0, Fleet::slots)
    }
}

/// Publishes tickets from the outbox until `stop` is cancelled, no more than workers will soon come for.
pub async fn publish(store: Store, queue: Arc<dyn Queue>, queued: Queued, slots: Slots, stop: CancellationToken) {
    // Those whose turn it is, and when they were found: each look goes over all that waits.
    let (mut turns, mut looked) = (VecDeque::new(), Instant::now());
    while !stop.is_cancelled() {
        let room = (slots.count() * AHEAD).max(LEAST).saturating_sub(queued.len()).min(BATCH);
        if turns.is_empty() || looked.elapsed() >= LOOK_AGAIN {
            looked = Instant::now();
            let outbox = store.outbox_in_turns(BATCH);
            let next = room.max(edits(&outbox.next)).min(outbox.next.len());
            queued.look_behind(&outbox, &outbox.next[..next]);
            turns = outbox.next.into();
        }
        // Somebody waits for an edit: it needs no room.
        let room = room.max(edits(&turns));
        if turns.is_empty() {
            // Nothing there, so nothing is refused: wait for the bell.
            queued.note(Asked::Publish, &Ok(()));
            tokio::select! {
                () = stop.cancelled() => {}
                _ = timeout(LOOK_EVERY, store.posted()) => {}
            }
        } else if room == 0 {
            // Until a worker comes for one, or there may be an edit.
            tokio::select! {
                () = stop.cancelled() => {}
                _ = timeout(LOOK_EVERY, queued.taken()) => {}
                () = store.posted() => sleep_until(looked + LOOK_AGAIN).await,
            }
        } else {
            let tickets = turns.drain(..room.min(turns.len())).collect();
            if publish_some(&store, &*queue, &queued, tickets).await.is_err() {
                turns.clear();
                // Those that were to be put up wait as before.
                queued.look_behind(&store.outbox_in_turns(0), &[]);
                sleep(PAUSE).await;
            }
        }
    }
}

/// How many edits there are at the head of these, where they stand.
fn edits<'t>(turns: impl IntoIterator<Item = &'t Turn>) -> usize {
    turns.into_iter().take_while(|turn| turn.ticket.class == Class::Edit).count()
}

async fn publish_some(store: &Store, queue: &dyn Queue, queued: &Queued, turns: Vec<Turn>) -> Result<(), ()> {
    failpoint("outbox read");
    // Before it is published: a worker may be faster than the next line.
    turns.iter().for_each(|turn| queued.add(*turn));
    let results = join_all(turns.iter().map(|turn| queue.publish(turn.ticket))).await;
    let mut published = Vec::with_capacity(turns.len());
    let mut failed = false;
    queued.note(Asked::Publish, results.iter().find(|result| result.is_err()).unwrap_or(&Ok(())));
    for (Turn { ticket, .. }, result) in turns.iter().zip(results) {
        match result {
            Ok(()) => {
                let class = class_name(ticket.class);
                tracing::debug!(job = %ticket.job, epoch = ticket.epoch, class, "a ticket was published");
                published.push(*ticket);
            }
            Err(e) => {
                queued.remove(*ticket);
                if !failed {
                    complain("tickets can't be published", &e);
                }
                failed = true;
            }
        }
    }
    failpoint("outbox published");
    store.run(move |s| s.published(&published)).await.map_err(|e| complain("the outbox can't be written", &e))?;
    failpoint("outbox written");
    if failed { Err(()) } else { Ok(()) }
}

/// Has what the queue needs made on its server, until `stop` is cancelled: at first, and again where it was lost.
pub async fn prepare(queue: Arc<NatsQueue>, queued: Queued, stop: CancellationToken) {
    let mut ready = false;
    while !stop.is_cancelled() {
        let prepared = queue.prepare().await;
        queued.note(Asked::Prepare, &prepared);
        meters::queue_connected(queued.trouble().is_none());
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
                tracing::warn!(jobs = n, "jobs lost their workers");
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
                    tracing::info!(accounts = n, "accounts got the credits of the month, or lost what had ended");
                }
            });
        }
    }
}

/// Forgets what was published where the queue holds less than that: a server that was wiped has lost it. Whatever is put
/// up twice for it is claimed once.
async fn notice_loss(queue: &dyn Queue, queued: &Queued, slots: &Slots) {
    let held = match queue.holds().await {
        Ok(Some(held)) => usize::try_from(held).unwrap_or(usize::MAX),
        Ok(None) => return,
        Err(error) => return tracing::warn!(%error, "the queue does not say what it holds"),
    };
    if held < queued.settled() {
        let jobs = queued.give_up_older(SETTLED);
        tracing::warn!(jobs, held, "the queue has lost tickets");
    }
    // One may be lost among many that are not.
    let jobs = if slots.count() > 0 { queued.give_up_older(STALE) } else { 0 };
    if jobs > 0 {
        tracing::warn!(jobs, "nobody came for tickets in a long time; they are put up again");
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

/// The name of a class of jobs, in logs, metrics and lists.
pub fn class_name(class: Class) -> &'static str {
    match class {
        Class::Edit => "edit",
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
