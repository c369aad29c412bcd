//! Which of a worker's hands takes the next job, and when. A worker works on as many jobs at once as it has slots. It has
//! two hands a slot: while one works, the other fetches the next job, so that the slot need not wait for queue and desk.
//! A job is fetched so only after a ticket that others waited behind, for then nobody else is free to come for it; only
//! while no job at hand may take long, so that it is begun soon; and only where nobody has claimed it before.
//!
//! A job that has lost a worker may be what that died of. It is done alone: its ticket waits until all slots are free, it is
//! claimed then, and nothing is fetched beside it; a second such ticket goes back to the queue. So a job that ends its workers
//! takes others with it at most once, when nobody knew, and those are then done alone as well, and come to their end. A job
//! that is still running after [`ALONE`] most likely waits for a language model: it keeps one slot and shares the worker, or
//! every plan that a restart interrupted would block all other jobs for minutes, one after another.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use fleet::protocol::Class;
use fleet::queue::{Delivery, Queue, QueueError};
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};

/// How long a job that has lost a worker has this one to itself.
pub const ALONE: Duration = Duration::from_secs(30);

/// The slots of a worker.
#[derive(Debug)]
pub struct Slots {
    count: usize,
    free: Arc<Semaphore>,
    /// Whether others waited behind a ticket, as far as anybody has seen.
    more: AtomicBool,
    /// Jobs at hand that may take long.
    long: AtomicUsize,
    /// Jobs at hand that wait for a slot.
    waiting: AtomicUsize,
    /// The only place of a job that is done alone.
    alone: Arc<Semaphore>,
    /// Told of everything that may be somebody's turn.
    news: Notify,
}

/// A ticket, and what its job has by then.
pub struct Fetched {
    /// The ticket.
    pub delivery: Box<dyn Delivery>,
    /// What its job holds.
    pub hold: Hold,
}

/// What a job holds that was fetched: a slot, or the right to the next.
#[derive(Debug)]
pub struct Hold {
    slots: Arc<Slots>,
    slot: Option<Slot>,
    /// Where it is done alone: that no other is.
    alone: Option<OwnedSemaphorePermit>,
    /// Counts it among those behind which nothing is fetched, as long as it is at hand.
    _long: Option<Counted>,
}

/// What an empty hand may do.
#[derive(Debug)]
enum Turn {
    /// Wait for a ticket, and work on its job at once.
    Slot(Slot),
    /// Fetch a job that would wait anyway.
    Ahead,
}

/// A slot that is somebody's.
#[derive(Debug)]
struct Slot {
    slots: Arc<Slots>,
    place: Option<OwnedSemaphorePermit>,
}

/// A job that is counted, among those that take long or those that wait.
#[derive(Debug)]
struct Counted {
    slots: Arc<Slots>,
    among: fn(&Slots) -> &AtomicUsize,
}

impl Slots {
    /// So many; one at the least.
    pub fn new(count: usize) -> Arc<Self> {
        let count = count.max(1);
        Arc::new(Self {
            count,
            free: Arc::new(Semaphore::new(count)),
            more: AtomicBool::new(false),
            long: AtomicUsize::new(0),
            waiting: AtomicUsize::new(0),
            alone: Arc::new(Semaphore::new(1)),
            news: Notify::new(),
        })
    }

    /// How many hands there are for them.
    pub fn hands(&self) -> usize {
        2 * self.count
    }

    /// The next ticket for a hand that is empty, for a slot or ahead of one; `None` where there was none after all. May be
    /// dropped at any time: a ticket goes back then.
    ///
    /// # Errors
    /// Those of the queue.
    pub async fn fetch(self: &Arc<Self>, queue: &dyn Queue) -> Result<Option<Fetched>, QueueError> {
        let turn = self.turn().await;
        self.found(turn, queue).await
    }

    async fn found(self: &Arc<Self>, turn: Turn, queue: &dyn Queue) -> Result<Option<Fetched>, QueueError> {
        let (slot, found) = match turn {
            Turn::Slot(slot) => {
                let found = tokio::select! {
                    biased;
                    // Whoever holds a slot and has no job gives it to the job that has none.
                    () = self.wanted() => None,
                    delivery = queue.next(&Class::ALL) => Some(delivery?),
                };
                (Some(slot), found)
            }
            Turn::Ahead => {
                let found = queue.at_once(&Class::ALL).await?;
                let found = found.filter(|d| d.ticket().is_fresh() && self.long.load(Ordering::SeqCst) == 0);
                if found.is_none() {
                    self.more.store(false, Ordering::SeqCst);
                }
                (None, found)
            }
        };
        let Some(delivery) = found else { return Ok(None) };
        if delivery.ticket().is_suspect() {
            return Ok(self.found_suspect(delivery, slot).await);
        }
        // A language model may have a word in a plan, or a page that is slow to come.
        let long = (delivery.ticket().class == Class::Plan).then(|| self.counted(|slots| &slots.long));
        if delivery.more() {
            self.more.store(true, Ordering::SeqCst);
            self.news.notify_waiters();
        }
        Ok(Some(Fetched { delivery, hold: Hold { slots: Arc::clone(self), slot, alone: None, _long: long } }))
    }

    /// Waits until nothing else is at hand; `None` where another that is done alone is.
    async fn found_suspect(self: &Arc<Self>, delivery: Box<dyn Delivery>, slot: Option<Slot>) -> Option<Fetched> {
        // Rings when it is dropped, after the place below is free.
        let long = self.counted(|slots| &slots.long);
        let Ok(alone) = Arc::clone(&self.alone).try_acquire_owned() else {
            // Dropped, it goes back. Others must come to their turn, whatever waits there.
            drop(delivery);
            tokio::task::yield_now().await;
            return None;
        };
        // It waits for all of them, and holds none meanwhile.
        drop(slot);
        let slot = self.slots_for(self.count).await;
        let hold = Hold { slots: Arc::clone(self), slot: Some(slot), alone: Some(alone), _long: Some(long) };
        Some(Fetched { delivery, hold })
    }

    /// Waits for so many slots at once.
    async fn slots_for(self: &Arc<Self>, places: usize) -> Slot {
        let _waiting = self.counted(|slots| &slots.waiting);
        let free = Arc::clone(&self.free);
        let place = free.acquire_many_owned(places as u32).await.expect("slots are never closed");
        Slot { slots: Arc::clone(self), place: Some(place) }
    }

    /// Whether a job is at hand, or waits, that is done alone.
    fn is_alone(&self) -> bool {
        self.alone.available_permits() == 0
    }

    /// Waits until an empty hand may do something. A slot goes to a job that was fetched before.
    async fn turn(self: &Arc<Self>) -> Turn {
        loop {
            // Listening starts before the look.
            let mut news = pin!(self.news.notified());
            news.as_mut().enable();
            if self.is_alone() {
                news.await;
                continue;
            }
            let free = self.waiting.load(Ordering::SeqCst) == 0;
            if let Some(place) = free.then(|| Arc::clone(&self.free).try_acquire_owned().ok()).flatten() {
                return Turn::Slot(Slot { slots: Arc::clone(self), place: Some(place) });
            }
            if self.more.load(Ordering::SeqCst) && self.long.load(Ordering::SeqCst) == 0 {
                return Turn::Ahead;
            }
            news.await;
        }
    }

    /// Waits until a job at hand waits for a slot, or for all of them.
    async fn wanted(&self) {
        loop {
            let mut news = pin!(self.news.notified());
            news.as_mut().enable();
            if self.waiting.load(Ordering::SeqCst) > 0 || self.is_alone() {
                return;
            }
            news.await;
        }
    }

    fn counted(self: &Arc<Self>, among: fn(&Self) -> &AtomicUsize) -> Counted {
        among(self).fetch_add(1, Ordering::SeqCst);
        self.news.notify_waiters();
        Counted { slots: Arc::clone(self), among }
    }
}

impl Hold {
    /// Waits for the slot, where it is not here yet. The job has it until this is dropped.
    pub async fn begin(&mut self) {
        if self.slot.is_none() {
            self.slot = Some(self.slots.slots_for(1).await);
        }
    }

    /// Ends being alone: gives back the right to it, and all slots but one.
    pub fn share(&mut self) {
        let Some(alone) = self.alone.take() else { return };
        let place = self.slot.as_mut().and_then(|slot| slot.place.as_mut());
        drop(place.and_then(|place| place.split(self.slots.count - 1)));
        drop(alone);
        self.slots.news.notify_waiters();
    }

    /// Whether the job has its slot.
    pub fn has_begun(&self) -> bool {
        self.slot.is_some()
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        // Before the news of it.
        drop(self.place.take());
        self.slots.news.notify_waiters();
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        (self.among)(&self.slots).fetch_sub(1, Ordering::SeqCst);
        self.slots.news.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use fleet::protocol::{Ticket, next_epoch};
    use fleet::queue::embedded::EmbeddedQueue;
    use tokio::time::{sleep, timeout};
    use uuid::Uuid;

    use super::*;

    const SOON: Duration = Duration::from_millis(20);

    async fn put_up(queue: &EmbeddedQueue, tickets: impl IntoIterator<Item = (u128, u32, Class)>) {
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
        assert_eq!(slots.hands(), 4);
        put_up(&queue, (1..=5).map(|n| (n, 1, Class::Render2k))).await;
        let (first, second) = (next(&slots, &queue).await, next(&slots, &queue).await);
        assert!(first.hold.has_begun() && second.hold.has_begun());
        let mut third = next(&slots, &queue).await;
        assert_eq!([job(&first), job(&second), job(&third)], [1, 2, 3]);
        assert!(!third.hold.has_begun() && timeout(SOON, third.hold.begin()).await.is_err());
        drop(first);
        timeout(SOON, third.hold.begin()).await.unwrap();
        assert!(third.hold.has_begun());
    }

    #[tokio::test]
    async fn nothing_is_fetched_ahead_of_what_was_claimed_before_or_behind_what_may_take_long() {
        let (slots, queue) = (Slots::new(1), EmbeddedQueue::new());
        put_up(&queue, [(1, 1, Class::Plan), (2, 1, Class::Plan)]).await;
        let plan = next(&slots, &queue).await;
        assert!(timeout(SOON, slots.fetch(&queue)).await.is_err(), "behind a plan");
        drop(plan);
        let slots = Slots::new(1);
        put_up(&queue, [(3, 1, Class::Edit), (4, 2, Class::Edit)]).await;
        let edit = next(&slots, &queue).await;
        assert_eq!(job(&edit), 3);
        assert!(none_soon(&slots, &queue).await, "put up again");
        drop(edit);
        assert_eq!(job(&next(&slots, &queue).await), 4);
    }

    #[tokio::test]
    async fn a_slot_without_a_job_goes_to_the_job_without_a_slot() {
        let (slots, queue) = (Slots::new(1), EmbeddedQueue::new());
        put_up(&queue, [(1, 1, Class::Render2k), (2, 1, Class::Render2k)]).await;
        let first = next(&slots, &queue).await;
        let mut ahead = next(&slots, &queue).await;
        // Its claim is on its way; meanwhile the slot is free, and a hand waits with it for what never comes.
        first.delivery.done().await;
        drop(first.hold);
        let idle = tokio::spawn({
            let (slots, queue) = (Arc::clone(&slots), queue.clone());
            async move { slots.fetch(&queue).await.unwrap().is_none() }
        });
        sleep(SOON).await;
        assert!(!idle.is_finished());
        timeout(Duration::from_secs(10), ahead.hold.begin()).await.expect("it has the slot");
        assert!(idle.await.unwrap());
        assert!(none_soon(&slots, &queue).await);
        put_up(&queue, [(3, 1, Class::Render2k)]).await;
        ahead.delivery.done().await;
        drop(ahead.hold);
        assert_eq!(job(&next(&slots, &queue).await), 3);
    }

    #[tokio::test]
    async fn a_job_that_has_lost_a_worker_is_done_alone() {
        let (slots, queue) = (Slots::new(3), EmbeddedQueue::new());
        let lost = next_epoch(1, true);
        put_up(&queue, [(1, 1, Class::Render2k)]).await;
        let first = next(&slots, &queue).await;
        let nothing_else = async || assert!(timeout(SOON, slots.fetch(&queue)).await.is_err());
        put_up(&queue, [(2, lost, Class::Render2k)]).await;
        let coming = tokio::spawn({
            let (slots, queue) = (Arc::clone(&slots), queue.clone());
            async move { next(&slots, &queue).await }
        });
        sleep(SOON).await;
        put_up(&queue, [(3, lost, Class::Render2k), (4, 1, Class::Render2k)]).await;
        nothing_else().await;
        assert!(!coming.is_finished() && queue.waiting() == 2, "another is at hand");
        drop(first.hold);
        let suspect = coming.await.unwrap();
        assert!(job(&suspect) == 2 && suspect.hold.has_begun());
        nothing_else().await;
        assert_eq!(queue.waiting(), 2);
        suspect.delivery.done().await;
        drop(suspect.hold);
        for n in [3, 4] {
            let fetched = next(&slots, &queue).await;
            assert_eq!(job(&fetched), n);
            fetched.delivery.done().await;
        }
    }

    #[tokio::test]
    async fn a_job_that_has_been_alone_for_long_shares_its_worker() {
        let (slots, queue) = (Slots::new(2), EmbeddedQueue::new());
        put_up(&queue, [(1, next_epoch(1, true), Class::Plan), (2, 1, Class::Render2k)]).await;
        let mut suspect = next(&slots, &queue).await;
        assert!(timeout(SOON, slots.fetch(&queue)).await.is_err(), "it is alone");
        suspect.hold.share();
        let other = next(&slots, &queue).await;
        assert!(job(&other) == 2 && other.hold.has_begun());
        // It has one slot, and the other job has the second.
        put_up(&queue, [(3, 1, Class::Render2k)]).await;
        assert!(timeout(SOON, slots.fetch(&queue)).await.is_err());
        drop(suspect.hold);
        assert_eq!(job(&next(&slots, &queue).await), 3);
    }

    /// One thread, and hands that come for the next at once: each must come to its turn.
    #[tokio::test]
    async fn many_that_are_done_alone_come_to_their_end() {
        let (slots, queue) = (Slots::new(2), EmbeddedQueue::new());
        put_up(&queue, (1..=9).map(|n| (n, next_epoch(1, true), Class::Render2k))).await;
        let hands: Vec<_> = (0..slots.hands())
            .map(|_| {
                let (slots, queue) = (Arc::clone(&slots), queue.clone());
                tokio::spawn(async move {
                    loop {
                        let Some(Fetched { delivery, hold }) = slots.fetch(&queue).await.unwrap() else { continue };
                        // Its claim, and its work.
                        sleep(Duration::from_millis(5)).await;
                        drop(hold);
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
        hands.iter().for_each(tokio::task::JoinHandle::abort);
    }

    #[tokio::test]
    async fn of_two_that_are_done_alone_one_goes_back() {
        let (slots, queue) = (Slots::new(3), EmbeddedQueue::new());
        let lost = next_epoch(1, true);
        let idle = [slots.turn().await, slots.turn().await];
        put_up(&queue, [(1, lost, Class::Render2k), (2, lost, Class::Render2k)]).await;
        // Two hands came for them at the same time.
        let found: Vec<_> = futures::future::join_all(idle.map(|turn| slots.found(turn, &queue))).await;
        let found: Vec<_> = found.into_iter().filter_map(Result::unwrap).collect();
        assert_eq!((found.len(), queue.waiting()), (1, 1));
    }
}
