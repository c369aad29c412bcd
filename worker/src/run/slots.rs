//! Decides which loop of a worker fetches the next job, and when. A worker runs as many jobs at once as it has slots.
//! Each slot has two loops: while one works, the other prefetches the next job, so that the slot need not wait for the
//! queue and the job service. A loop prefetches only if three conditions hold: other tickets waited behind the last
//! one, so that no idle worker would take the job; no running job may take long, so that the prefetched job starts
//! soon; and nobody has claimed the job before.
//!
//! A job that has lost a worker may have killed it. Such a job is quarantined, so it runs alone: its ticket waits until
//! all slots are free, the worker claims it then, and nothing is prefetched beside it. A second quarantined ticket
//! returns to the queue. So a job that kills its workers takes other jobs down at most once, before anybody suspects
//! it; those jobs are then quarantined too, and each finishes alone. A job that still runs after [`QUARANTINE`] most
//! likely waits for a language model: it keeps one slot and shares the worker. Otherwise every plan that a restart
//! interrupted would block all other jobs for minutes, one after another.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use fleet::protocol::Class;
use fleet::queue::{Delivery, Queue, QueueError};
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};

/// How long a quarantined job has this worker to itself.
pub const QUARANTINE: Duration = Duration::from_secs(30);

/// The slots of a worker.
#[derive(Debug)]
pub struct Slots {
    count: usize,
    free: Arc<Semaphore>,
    /// Whether other tickets waited behind the last one that was fetched.
    more: AtomicBool,
    /// Fetched jobs that may take long.
    long: AtomicUsize,
    /// Fetched jobs that wait for a slot.
    waiting: AtomicUsize,
    /// The only permit for a quarantined job.
    quarantine: Arc<Semaphore>,
    /// Notified of every change that may let a loop proceed.
    changed: Notify,
}

/// A fetched ticket, and the permits of its job.
pub struct Fetched {
    /// The ticket.
    pub delivery: Box<dyn Delivery>,
    /// The permits of its job.
    pub permits: Permits,
}

/// The permits of a fetched job: a slot, or the right to the next free one.
#[derive(Debug)]
pub struct Permits {
    slots: Arc<Slots>,
    slot: Option<Slot>,
    /// The permit of a quarantined job, which runs alone.
    quarantine: Option<OwnedSemaphorePermit>,
    /// Counts the job as long-running while it is held; nothing is prefetched behind such a job.
    _long: Option<Counted>,
}

/// What an idle loop may do.
#[derive(Debug)]
enum Turn {
    /// Wait for a ticket, and work on its job at once.
    Slot(Slot),
    /// Prefetch a job that would otherwise wait in the queue.
    Prefetch,
}

/// A slot that is taken.
#[derive(Debug)]
struct Slot {
    slots: Arc<Slots>,
    permit: Option<OwnedSemaphorePermit>,
}

/// A job that is counted, as long-running or as waiting for a slot.
#[derive(Debug)]
struct Counted {
    slots: Arc<Slots>,
    among: fn(&Slots) -> &AtomicUsize,
}

impl Slots {
    /// Returns `count` slots, at least one.
    pub fn new(count: usize) -> Arc<Self> {
        let count = count.max(1);
        Arc::new(Self {
            count,
            free: Arc::new(Semaphore::new(count)),
            more: AtomicBool::new(false),
            long: AtomicUsize::new(0),
            waiting: AtomicUsize::new(0),
            quarantine: Arc::new(Semaphore::new(1)),
            changed: Notify::new(),
        })
    }

    /// Returns the number of loops: two per slot.
    pub fn loop_count(&self) -> usize {
        2 * self.count
    }

    /// Fetches the next ticket for an idle loop, with a slot or as a prefetch. Returns `None` if there was none after
    /// all. Cancel-safe: a ticket returns to the queue if this is dropped.
    ///
    /// # Errors
    /// The errors of the queue.
    pub async fn fetch(self: &Arc<Self>, queue: &dyn Queue) -> Result<Option<Fetched>, QueueError> {
        let turn = self.turn().await;
        self.found(turn, queue).await
    }

    async fn found(self: &Arc<Self>, turn: Turn, queue: &dyn Queue) -> Result<Option<Fetched>, QueueError> {
        let (slot, found) = match turn {
            Turn::Slot(slot) => {
                let found = tokio::select! {
                    biased;
                    // A loop that holds a slot and has no job gives the slot to a job that waits for one.
                    () = self.wanted() => None,
                    delivery = queue.next(&Class::ALL) => Some(delivery?),
                };
                (Some(slot), found)
            }
            Turn::Prefetch => {
                let found = queue.at_once(&Class::ALL).await?;
                let found = found.filter(|d| d.ticket().epoch.is_fresh() && self.long.load(Ordering::SeqCst) == 0);
                if found.is_none() {
                    self.more.store(false, Ordering::SeqCst);
                }
                (None, found)
            }
        };
        let Some(delivery) = found else { return Ok(None) };
        if delivery.ticket().epoch.quarantined {
            return Ok(self.found_quarantined(delivery, slot).await);
        }
        // A plan may wait for a language model, or for a slow page.
        let long = (delivery.ticket().class == Class::Plan).then(|| self.counted(|slots| &slots.long));
        if delivery.more() {
            self.more.store(true, Ordering::SeqCst);
            self.changed.notify_waiters();
        }
        Ok(Some(Fetched {
            delivery,
            permits: Permits { slots: Arc::clone(self), slot, quarantine: None, _long: long },
        }))
    }

    /// Waits until no other job runs. Returns `None` if another quarantined job is already held.
    async fn found_quarantined(self: &Arc<Self>, delivery: Box<dyn Delivery>, slot: Option<Slot>) -> Option<Fetched> {
        // Dropped last: it notifies after the permit below is free.
        let long = self.counted(|slots| &slots.long);
        let Ok(quarantine) = Arc::clone(&self.quarantine).try_acquire_owned() else {
            // The dropped ticket returns to the queue. The yield lets other tasks run, however many such tickets wait.
            drop(delivery);
            tokio::task::yield_now().await;
            return None;
        };
        // The job waits for all slots, and holds none meanwhile.
        drop(slot);
        let slot = self.slots_for(self.count).await;
        let permits =
            Permits { slots: Arc::clone(self), slot: Some(slot), quarantine: Some(quarantine), _long: Some(long) };
        Some(Fetched { delivery, permits })
    }

    /// Waits for `places` slots at once.
    async fn slots_for(self: &Arc<Self>, count: usize) -> Slot {
        let _waiting = self.counted(|slots| &slots.waiting);
        let free = Arc::clone(&self.free);
        let permit = free.acquire_many_owned(count as u32).await.expect("slots are never closed");
        Slot { slots: Arc::clone(self), permit: Some(permit) }
    }

    /// Returns whether a quarantined job runs, or waits to run.
    fn has_quarantined(&self) -> bool {
        self.quarantine.available_permits() == 0
    }

    /// Waits until an idle loop may do something. Free slots go to prefetched jobs first.
    async fn turn(self: &Arc<Self>) -> Turn {
        loop {
            // Subscribes before it checks, so that it misses no notification.
            let mut changed = pin!(self.changed.notified());
            changed.as_mut().enable();
            if self.has_quarantined() {
                changed.await;
                continue;
            }
            let free = self.waiting.load(Ordering::SeqCst) == 0;
            if let Some(permit) = free.then(|| Arc::clone(&self.free).try_acquire_owned().ok()).flatten() {
                return Turn::Slot(Slot { slots: Arc::clone(self), permit: Some(permit) });
            }
            if self.more.load(Ordering::SeqCst) && self.long.load(Ordering::SeqCst) == 0 {
                return Turn::Prefetch;
            }
            changed.await;
        }
    }

    /// Waits until a fetched job waits for a slot, or a quarantined one for all of them.
    async fn wanted(&self) {
        loop {
            let mut changed = pin!(self.changed.notified());
            changed.as_mut().enable();
            if self.waiting.load(Ordering::SeqCst) > 0 || self.has_quarantined() {
                return;
            }
            changed.await;
        }
    }

    fn counted(self: &Arc<Self>, among: fn(&Self) -> &AtomicUsize) -> Counted {
        among(self).fetch_add(1, Ordering::SeqCst);
        self.changed.notify_waiters();
        Counted { slots: Arc::clone(self), among }
    }
}

impl Permits {
    /// Waits for the slot, if the job has none yet. The job keeps it until this is dropped.
    pub async fn acquire_slot(&mut self) {
        if self.slot.is_none() {
            self.slot = Some(self.slots.slots_for(1).await);
        }
    }

    /// Ends the quarantine: returns its permit, and all slots but one.
    pub fn end_quarantine(&mut self) {
        let Some(quarantine) = self.quarantine.take() else { return };
        let permit = self.slot.as_mut().and_then(|slot| slot.permit.as_mut());
        drop(permit.and_then(|permit| permit.split(self.slots.count - 1)));
        drop(quarantine);
        self.slots.changed.notify_waiters();
    }

    /// Returns whether the job has its slot.
    pub fn has_slot(&self) -> bool {
        self.slot.is_some()
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        // Before the notification.
        drop(self.permit.take());
        self.slots.changed.notify_waiters();
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        (self.among)(&self.slots).fetch_sub(1, Ordering::SeqCst);
        self.slots.changed.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use fleet::protocol::{Epoch, Series, Ticket};
    use fleet::queue::embedded::EmbeddedQueue;
    use tokio::time::{sleep, timeout};
    use uuid::Uuid;

    use super::*;

    const SOON: Duration = Duration::from_millis(20);
    const FIRST: Epoch = Epoch { series: Series::Round(0), quarantined: false, repeats: 0 };

    async fn publish(queue: &EmbeddedQueue, tickets: impl IntoIterator<Item = (u128, Epoch, Class)>) {
        for (job, epoch, class) in tickets {
            queue.publish(Ticket { job: Uuid::from_u128(job), epoch, class }).await.unwrap();
        }
    }

    fn job(fetched: &Fetched) -> u128 {
        fetched.delivery.ticket().job.as_u128()
    }

    async fn next(slots: &Arc<Slots>, queue: &EmbeddedQueue) -> Fetched {
        timeout(Duration::from_secs(10), slots.fetch(queue)).await.expect("a ticket waits").unwrap().expect("a ticket")
    }

    async fn none_soon(slots: &Arc<Slots>, queue: &EmbeddedQueue) -> bool {
        timeout(SOON, slots.fetch(queue)).await.is_ok_and(|found| found.unwrap().is_none())
            && timeout(SOON, slots.fetch(queue)).await.is_err()
    }

    #[tokio::test]
    async fn every_slot_has_a_job_and_one_more_is_fetched_for_each_while_others_wait() {
        let (slots, queue) = (Slots::new(2), EmbeddedQueue::new());
        assert_eq!(slots.loop_count(), 4);
        publish(&queue, (1..=5).map(|n| (n, FIRST, Class::Render2k))).await;
        let (first, second) = (next(&slots, &queue).await, next(&slots, &queue).await);
        assert!(first.permits.has_slot() && second.permits.has_slot());
        let mut third = next(&slots, &queue).await;
        assert_eq!([job(&first), job(&second), job(&third)], [1, 2, 3]);
        assert!(!third.permits.has_slot() && timeout(SOON, third.permits.acquire_slot()).await.is_err());
        drop(first);
        timeout(SOON, third.permits.acquire_slot()).await.unwrap();
        assert!(third.permits.has_slot());
    }

    #[tokio::test]
    async fn nothing_is_fetched_ahead_of_what_was_claimed_before_or_behind_what_may_take_long() {
        let (slots, queue) = (Slots::new(1), EmbeddedQueue::new());
        publish(&queue, [(1, FIRST, Class::Plan), (2, FIRST, Class::Plan)]).await;
        let plan = next(&slots, &queue).await;
        assert!(timeout(SOON, slots.fetch(&queue)).await.is_err(), "behind a plan");
        drop(plan);
        let slots = Slots::new(1);
        publish(&queue, [(3, FIRST, Class::Edit), (4, FIRST.next(false), Class::Edit)]).await;
        let edit = next(&slots, &queue).await;
        assert_eq!(job(&edit), 3);
        assert!(none_soon(&slots, &queue).await, "enqueued again");
        drop(edit);
        assert_eq!(job(&next(&slots, &queue).await), 4);
    }

    #[tokio::test]
    async fn a_slot_without_a_job_goes_to_the_job_without_a_slot() {
        let (slots, queue) = (Slots::new(1), EmbeddedQueue::new());
        publish(&queue, [(1, FIRST, Class::Render2k), (2, FIRST, Class::Render2k)]).await;
        let first = next(&slots, &queue).await;
        let mut prefetched = next(&slots, &queue).await;
        // The claim of the prefetched job is in flight; meanwhile the slot becomes free, and a loop holds it while it
        // waits for a ticket that never comes.
        first.delivery.done().await;
        drop(first.permits);
        let idle = tokio::spawn({
            let (slots, queue) = (Arc::clone(&slots), queue.clone());
            async move { slots.fetch(&queue).await.unwrap().is_none() }
        });
        sleep(SOON).await;
        assert!(!idle.is_finished());
        timeout(Duration::from_secs(10), prefetched.permits.acquire_slot()).await.expect("it has the slot");
        assert!(idle.await.unwrap());
        assert!(none_soon(&slots, &queue).await);
        publish(&queue, [(3, FIRST, Class::Render2k)]).await;
        prefetched.delivery.done().await;
        drop(prefetched.permits);
        assert_eq!(job(&next(&slots, &queue).await), 3);
    }

    #[tokio::test]
    async fn a_job_that_has_lost_a_worker_is_done_alone() {
        let (slots, queue) = (Slots::new(3), EmbeddedQueue::new());
        let lost = FIRST.next(true);
        publish(&queue, [(1, FIRST, Class::Render2k)]).await;
        let first = next(&slots, &queue).await;
        let nothing_else = async || assert!(timeout(SOON, slots.fetch(&queue)).await.is_err());
        publish(&queue, [(2, lost, Class::Render2k)]).await;
        let coming = tokio::spawn({
            let (slots, queue) = (Arc::clone(&slots), queue.clone());
            async move { next(&slots, &queue).await }
        });
        sleep(SOON).await;
        publish(&queue, [(3, lost, Class::Render2k), (4, FIRST, Class::Render2k)]).await;
        nothing_else().await;
        assert!(!coming.is_finished() && queue.waiting() == 2, "another is at hand");
        drop(first.permits);
        let quarantined = coming.await.unwrap();
        assert!(job(&quarantined) == 2 && quarantined.permits.has_slot());
        nothing_else().await;
        assert_eq!(queue.waiting(), 2);
        quarantined.delivery.done().await;
        drop(quarantined.permits);
        for n in [3, 4] {
            let fetched = next(&slots, &queue).await;
            assert_eq!(job(&fetched), n);
            fetched.delivery.done().await;
        }
    }

    #[tokio::test]
    async fn a_job_that_has_been_alone_for_long_shares_its_worker() {
        let (slots, queue) = (Slots::new(2), EmbeddedQueue::new());
        publish(&queue, [(1, FIRST.next(true), Class::Plan), (2, FIRST, Class::Render2k)]).await;
        let mut quarantined = next(&slots, &queue).await;
        assert!(timeout(SOON, slots.fetch(&queue)).await.is_err(), "it is quarantined");
        quarantined.permits.end_quarantine();
        let other = next(&slots, &queue).await;
        assert!(job(&other) == 2 && other.permits.has_slot());
        // The first job has one slot, and the other job has the second.
        publish(&queue, [(3, FIRST, Class::Render2k)]).await;
        assert!(timeout(SOON, slots.fetch(&queue)).await.is_err());
        drop(quarantined.permits);
        assert_eq!(job(&next(&slots, &queue).await), 3);
    }

    /// Runs on one thread, with loops that fetch again at once: each must get its turn.
    #[tokio::test]
    async fn many_that_are_done_alone_come_to_their_end() {
        let (slots, queue) = (Slots::new(2), EmbeddedQueue::new());
        publish(&queue, (1..=9).map(|n| (n, FIRST.next(true), Class::Render2k))).await;
        let tasks: Vec<_> = (0..slots.loop_count())
            .map(|_| {
                let (slots, queue) = (Arc::clone(&slots), queue.clone());
                tokio::spawn(async move {
                    loop {
                        let Some(Fetched { delivery, permits }) = slots.fetch(&queue).await.unwrap() else { continue };
                        // Stands for its claim and its work.
                        sleep(Duration::from_millis(5)).await;
                        drop(permits);
                        delivery.done().await;
                    }
                })
            })
            .collect();
        let until = tokio::time::Instant::now() + Duration::from_secs(10);
        while queue.waiting() > 0 {
            assert!(tokio::time::Instant::now() < until, "nothing goes on");
            sleep(SOON).await;
        }
        tasks.iter().for_each(tokio::task::JoinHandle::abort);
    }

    #[tokio::test]
    async fn of_two_that_are_done_alone_one_goes_back() {
        let (slots, queue) = (Slots::new(3), EmbeddedQueue::new());
        let lost = FIRST.next(true);
        let idle = [slots.turn().await, slots.turn().await];
        publish(&queue, [(1, lost, Class::Render2k), (2, lost, Class::Render2k)]).await;
        // Two loops fetched them at the same time.
        let found: Vec<_> = futures::future::join_all(idle.map(|turn| slots.found(turn, &queue))).await;
        let found: Vec<_> = found.into_iter().filter_map(Result::unwrap).collect();
        assert_eq!((found.len(), queue.waiting()), (1, 1));
    }
}
