//! The published tickets that no worker has claimed yet, and the jobs that wait behind them.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use fleet::protocol::{Class, Epoch, Ticket};
use fleet::queue::QueueError;
use parking_lot::Mutex;
use tokio::sync::Notify;
use tokio::time::Instant;
use uuid::Uuid;

use crate::state::{DueTicket, Outbox};

/// The tickets that were published and not claimed yet, as far as this process knows, and the jobs that wait behind
/// them.
#[derive(Debug, Clone, Default)]
pub struct Queued {
    tickets: Arc<Mutex<HashMap<Uuid, Waiting>>>,
    behind: Arc<Mutex<Behind>>,
    /// Notified when a worker claimed a ticket.
    taken: Arc<Notify>,
    trouble: Arc<Mutex<Trouble>>,
}

/// Why the queue accepts nothing, if so.
#[derive(Debug, Default)]
struct Trouble {
    /// Error of the last preparation or check of the stream.
    prepared: Option<String>,
    /// Error of the last publication.
    published: Option<String>,
}

/// An operation on the queue.
#[derive(Debug, Clone, Copy)]
pub enum Asked {
    /// Preparing its stream and consumers.
    Prepare,
    /// Publishing tickets.
    Publish,
}

/// An unclaimed ticket.
#[derive(Debug, Clone, Copy)]
struct Waiting {
    epoch: Epoch,
    class: Class,
    /// When its job was first enqueued.
    since: Instant,
    /// When this ticket was published.
    published: Instant,
    /// Whether to republish it, because the queue lost it or no worker claimed it.
    lost: bool,
}

/// The jobs whose tickets aren't published yet.
#[derive(Debug, Clone, Copy, Default)]
struct Behind {
    jobs: [usize; Class::ALL.len()],
    /// When the oldest of them started to wait.
    oldest: Option<Instant>,
}

impl Queued {
    fn with<T>(&self, f: impl FnOnce(&mut HashMap<Uuid, Waiting>) -> T) -> T {
        f(&mut self.tickets.lock())
    }

    /// Records that a ticket is being published.
    pub fn add(&self, DueTicket { ticket, since }: DueTicket) {
        self.with(|q| {
            let since = q.get(&ticket.job).map_or(since.into(), |waiting| waiting.since);
            let (Ticket { epoch, class, .. }, published) = (ticket, Instant::now());
            q.insert(ticket.job, Waiting { epoch, class, since, published, lost: false });
        });
    }

    /// Records the result of an operation on the queue.
    pub fn note<T>(&self, asked: Asked, answer: &Result<T, QueueError>) {
        let why = answer.as_ref().err().map(|error| match error.is_of_storage() {
            true => format!("The queue's server is out of storage ({error}): free its disk, or raise max_file_store."),
            false => format!("The queue can't be used ({error})."),
        });
        let mut trouble = self.trouble.lock();
        match asked {
            Asked::Prepare => trouble.prepared = why,
            Asked::Publish => trouble.published = why,
        }
    }

    /// Returns why the queue accepts no tickets, in words for the operator; `None` if it does.
    pub fn trouble(&self) -> Option<String> {
        let trouble = self.trouble.lock();
        trouble.published.as_ref().or(trouble.prepared.as_ref()).cloned()
    }

    /// Returns how long the oldest job has waited, published or not.
    pub fn oldest(&self) -> Option<Duration> {
        let queued = self.with(|q| q.values().map(|w| w.since).min());
        let behind = self.behind.lock().oldest;
        queued.into_iter().chain(behind).min().map(|since| since.elapsed())
    }

    /// Returns the number of waiting jobs by class, published or not.
    pub fn depths(&self) -> [(Class, usize); Class::ALL.len()] {
        let behind = self.behind.lock().jobs;
        let count = |class| self.with(|q| q.values().filter(|w| w.class == class && !w.lost).count());
        let mut place = 0;
        Class::ALL.map(|class| {
            place += 1;
            (class, count(class) + behind[place - 1])
        })
    }

    /// Records the waiting jobs, of which the tickets in `publishing` are being published now.
    pub fn look_behind(&self, Outbox { all, oldest, .. }: &Outbox, publishing: &[DueTicket]) {
        let left =
            all.map(|(class, count)| count - publishing.iter().filter(|t| t.ticket.class == class).count().min(count));
        // If the oldest one is being published now, it counts a moment longer.
        let oldest = oldest.filter(|_| left.iter().sum::<usize>() > 0).map(Instant::from);
        *self.behind.lock() = Behind { jobs: left, oldest };
    }

    /// Records that a worker claimed this ticket.
    pub fn remove(&self, ticket: Ticket) {
        self.with(|q| {
            if q.get(&ticket.job).is_some_and(|w| w.epoch == ticket.epoch) {
                q.remove(&ticket.job);
            }
        });
        self.taken.notify_one();
    }

    /// Waits until a worker has claimed a ticket.
    pub async fn taken(&self) {
        self.taken.notified().await;
    }

    /// Returns the number of tickets on the queue.
    pub fn on_queue(&self) -> usize {
        self.with(|q| q.values().filter(|waiting| !waiting.lost).count())
    }

    /// Marks every ticket of at least this age as lost, so that it is republished. Returns their number.
    pub fn give_up_older(&self, age: Duration) -> usize {
        let given_up = self.with(|q| {
            let old = q.values_mut().filter(|waiting| !waiting.lost && waiting.published.elapsed() >= age);
            old.map(|waiting| waiting.lost = true).count()
        });
        if given_up > 0 {
            self.taken.notify_one();
        }
        given_up
    }

    /// Returns the number of tickets that were published at least this long ago.
    pub fn settled(&self, age: Duration) -> usize {
        self.with(|q| q.values().filter(|waiting| !waiting.lost && waiting.published.elapsed() >= age).count())
    }

    /// Whether the ticket of a job is on the queue.
    pub fn has(&self, job: Uuid, epoch: Epoch) -> bool {
        self.with(|q| q.get(&job).is_some_and(|waiting| !waiting.lost && waiting.epoch == epoch))
    }
}

/// Returns the name of a class in logs, metrics and lists.
pub fn class_name(class: Class) -> &'static str {
    match class {
        Class::Edit => "edit",
        Class::Plan => "plan",
        Class::Render2k => "render_2k",
        Class::Render4k => "render_4k",
    }
}
