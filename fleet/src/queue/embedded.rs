//! The queue within this process.
//!
//! It holds each waiting ticket once. So its memory is bounded by the open jobs of its publisher, however often they
//! are published again.

use std::collections::{HashSet, VecDeque};
use std::pin::pin;
use std::sync::Arc;

use async_trait::async_trait;
use parking_lot::Mutex;
use tokio::sync::Notify;

use super::{Delivery, Queue, QueueError};
use crate::protocol::{Class, Ticket};

/// A queue between the tasks of one process. Clones share it.
#[derive(Debug, Clone, Default)]
pub struct EmbeddedQueue {
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    lanes: Mutex<Lanes>,
    /// Notified when a ticket is published.
    arrived: Notify,
}

#[derive(Debug, Default)]
struct Lanes {
    edit: VecDeque<Ticket>,
    plan: VecDeque<Ticket>,
    render_2k: VecDeque<Ticket>,
    render_4k: VecDeque<Ticket>,
    /// All tickets in the lanes.
    waiting: HashSet<Ticket>,
}

impl Lanes {
    fn lane(&mut self, class: Class) -> &mut VecDeque<Ticket> {
        match class {
            Class::Edit => &mut self.edit,
            Class::Plan => &mut self.plan,
            Class::Render2k => &mut self.render_2k,
            Class::Render4k => &mut self.render_4k,
        }
    }

    /// Takes the next ticket, and returns whether others of its class wait behind it.
    fn take(&mut self, classes: &[Class]) -> Option<(Ticket, bool)> {
        let ticket = classes.iter().find_map(|class| self.lane(*class).pop_front())?;
        self.waiting.remove(&ticket);
        Some((ticket, !self.lane(ticket.class).is_empty()))
    }
}

impl Shared {
    fn put(&self, ticket: Ticket) {
        {
            let mut lanes = self.lanes.lock();
            if lanes.waiting.insert(ticket) {
                lanes.lane(ticket.class).push_back(ticket);
            }
        }
        // Wake all waiters: a single one might not take this class.
        self.arrived.notify_waiters();
    }

    fn take(self: &Arc<Self>, classes: &[Class]) -> Option<Box<dyn Delivery>> {
        let (ticket, more) = self.lanes.lock().take(classes)?;
        Some(Box::new(Held { shared: Arc::clone(self), ticket, more, done: false }))
    }
}

impl EmbeddedQueue {
    /// Creates an empty queue.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns how many tickets wait, without those that workers hold.
    pub fn waiting(&self) -> usize {
        self.shared.lanes.lock().waiting.len()
    }
}

#[async_trait]
impl Queue for EmbeddedQueue {
    async fn publish(&self, ticket: Ticket) -> Result<(), QueueError> {
        self.shared.put(ticket);
        Ok(())
    }

    async fn next(&self, classes: &[Class]) -> Result<Box<dyn Delivery>, QueueError> {
        loop {
            // Register before looking, so that a ticket published between the look and the wait still wakes this
            // waiter.
            let mut arrived = pin!(self.shared.arrived.notified());
            arrived.as_mut().enable();
            if let Some(held) = self.shared.take(classes) {
                return Ok(held);
            }
            arrived.await;
        }
    }

    async fn at_once(&self, classes: &[Class]) -> Result<Option<Box<dyn Delivery>>, QueueError> {
        Ok(self.shared.take(classes))
    }

    async fn holds(&self) -> Result<Option<u64>, QueueError> {
        Ok(None)
    }
}

/// A ticket that a worker holds.
struct Held {
    shared: Arc<Shared>,
    ticket: Ticket,
    more: bool,
    done: bool,
}

#[async_trait]
impl Delivery for Held {
    fn ticket(&self) -> Ticket {
        self.ticket
    }

    fn more(&self) -> bool {
        self.more
    }

    async fn done(mut self: Box<Self>) {
        self.done = true;
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        if !self.done {
            self.shared.put(self.ticket);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::queue::suite;

    #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
    async fn keeps_the_promises_of_a_queue() {
        suite::run(async || Arc::new(EmbeddedQueue::new())).await;
    }

    #[tokio::test]
    async fn a_waiting_ticket_is_held_once() {
        let queue = EmbeddedQueue::new();
        let ticket = suite::ticket(1, Class::Plan);
        for _ in 0..100 {
            queue.publish(ticket).await.unwrap();
        }
        assert_eq!(queue.waiting(), 1);
        let held = queue.next(&[Class::Plan]).await.unwrap();
        // A held ticket is not waiting: published again, it is delivered again.
        queue.publish(ticket).await.unwrap();
        assert_eq!(queue.waiting(), 1);
        drop(held);
        assert_eq!(queue.waiting(), 1);
    }

    #[tokio::test]
    async fn giving_up_waiting_loses_nothing() {
        let queue = EmbeddedQueue::new();
        for n in 0..50 {
            let waiter = {
                let queue = queue.clone();
                tokio::spawn(async move { drop(queue.next(&[Class::Plan]).await) })
            };
            tokio::task::yield_now().await;
            queue.publish(suite::ticket(n, Class::Plan)).await.unwrap();
            waiter.abort();
            let _ = waiter.await;
            let got = queue.next(&[Class::Plan]).await.unwrap();
            assert_eq!(got.ticket(), suite::ticket(n, Class::Plan));
            got.done().await;
        }
    }
}
