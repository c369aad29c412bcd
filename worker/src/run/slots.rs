//! Which of a worker's hands takes the next job, and when. A worker works on as many jobs at once as it has slots. It has
//! two hands a slot: while one works, the other fetches the next job, so that the slot need not wait for queue and desk.
//! Only tickets that others wait behind are fetched so, for nobody else was free to come for them; and only while no job
//! at hand may take long, so that what is fetched is begun soon.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};

/// The slots of a worker.
#[derive(Debug)]
pub struct Slots {
    count: usize,
    free: Arc<Semaphore>,
    /// Whether others waited behind the ticket that was fetched last.
    more: AtomicBool,
    /// Jobs in slots that may take long.
    long: AtomicUsize,
    /// Told of everything that may be somebody's turn.
    news: Notify,
}

/// What the next hand may do.
#[derive(Debug)]
pub enum Turn {
    /// Wait for a ticket, and work on its job at once.
    Slot(Slot),
    /// Fetch a job that would wait anyway.
    Ahead,
}

/// A slot that is somebody's.
#[derive(Debug)]
pub struct Slot {
    slots: Arc<Slots>,
    place: Option<OwnedSemaphorePermit>,
}

/// A job that may take long.
#[derive(Debug)]
pub struct Long(Arc<Slots>);

impl Slots {
    /// So many; one at the least.
    pub fn new(count: usize) -> Arc<Self> {
        let count = count.max(1);
        Arc::new(Self {
            count,
            free: Arc::new(Semaphore::new(count)),
            more: AtomicBool::new(false),
            long: AtomicUsize::new(0),
            news: Notify::new(),
        })
    }

    /// How many hands there are for them.
    pub fn hands(&self) -> usize {
        2 * self.count
    }

    /// Waits until a hand that is empty may do something. A slot goes to a job that was fetched before.
    pub async fn turn(self: &Arc<Self>) -> Turn {
        loop {
            // Listening starts before the look.
            let mut news = pin!(self.news.notified());
            news.as_mut().enable();
            if let Ok(place) = Arc::clone(&self.free).try_acquire_owned() {
                return Turn::Slot(self.slot_of(place));
            }
            if self.more.load(Ordering::SeqCst) && self.long.load(Ordering::SeqCst) == 0 {
                return Turn::Ahead;
            }
            news.await;
        }
    }

    /// Waits for a slot, for a job at hand.
    pub async fn slot(self: &Arc<Self>) -> Slot {
        let place = Arc::clone(&self.free).acquire_owned().await.expect("slots are never closed");
        self.slot_of(place)
    }

    fn slot_of(self: &Arc<Self>, place: OwnedSemaphorePermit) -> Slot {
        Slot { slots: Arc::clone(self), place: Some(place) }
    }

    /// Notes whether others waited behind the ticket that was fetched last.
    pub fn saw(&self, more: bool) {
        if self.more.swap(more, Ordering::SeqCst) != more && more {
            self.news.notify_waiters();
        }
    }

    /// Notes that a job in a slot may take long, until what this returns is dropped.
    pub fn long(self: &Arc<Self>) -> Long {
        self.long.fetch_add(1, Ordering::SeqCst);
        Long(Arc::clone(self))
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        // Before the news of it.
        drop(self.place.take());
        self.slots.news.notify_waiters();
    }
}

impl Drop for Long {
    fn drop(&mut self) {
        self.0.long.fetch_sub(1, Ordering::SeqCst);
        self.0.news.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::timeout;

    use super::*;

    async fn nobody_s_turn(slots: &Arc<Slots>) -> bool {
        timeout(Duration::from_millis(20), slots.turn()).await.is_err()
    }

    #[tokio::test]
    async fn a_free_slot_is_anybody_s_and_none_is_given_twice() {
        let slots = Slots::new(2);
        assert_eq!(slots.hands(), 4);
        let (Turn::Slot(first), Turn::Slot(_second)) = (slots.turn().await, slots.turn().await) else {
            panic!("they are free")
        };
        assert!(nobody_s_turn(&slots).await);
        let waiting = tokio::spawn({
            let slots = Arc::clone(&slots);
            async move { slots.turn().await }
        });
        tokio::task::yield_now().await;
        drop(first);
        assert!(matches!(waiting.await.unwrap(), Turn::Slot(_)));
    }

    #[tokio::test]
    async fn a_job_is_fetched_ahead_where_others_wait_and_nothing_takes_long() {
        let slots = Slots::new(1);
        let slot = slots.slot().await;
        slots.saw(true);
        assert!(matches!(slots.turn().await, Turn::Ahead));
        let long = slots.long();
        assert!(nobody_s_turn(&slots).await);
        drop(long);
        assert!(matches!(slots.turn().await, Turn::Ahead));
        slots.saw(false);
        assert!(nobody_s_turn(&slots).await);
        drop(slot);
        assert!(matches!(slots.turn().await, Turn::Slot(_)));
    }

    #[tokio::test]
    async fn a_slot_goes_to_the_job_at_hand_first() {
        let slots = Slots::new(1);
        let slot = slots.slot().await;
        let turn = tokio::spawn({
            let slots = Arc::clone(&slots);
            async move { slots.turn().await }
        });
        let at_hand = tokio::spawn({
            let slots = Arc::clone(&slots);
            async move { slots.slot().await }
        });
        tokio::time::sleep(Duration::from_millis(5)).await;
        drop(slot);
        let taken = at_hand.await.unwrap();
        tokio::time::sleep(Duration::from_millis(5)).await;
        assert!(!turn.is_finished());
        drop(taken);
        assert!(matches!(turn.await.unwrap(), Turn::Slot(_)));
    }
}
