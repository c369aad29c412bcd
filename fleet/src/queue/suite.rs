//! Guarantees that every queue must keep, whatever its transport. The tests of each implementation run this suite.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use render_core::random::Chance;
use uuid::Uuid;

use super::{Delivery, Queue};
use crate::protocol::{Class, Ticket};

const ALL: [Class; 4] = Class::ALL;
/// Timeout that only a lost ticket or a lost wake-up reaches.
const NEVER: Duration = Duration::from_secs(30);

/// Returns the ticket of the `n`th job.
pub fn ticket(n: u32, class: Class) -> Ticket {
    Ticket { job: Uuid::from_u128(u128::from(n)), epoch: 1.into(), class }
}

/// Runs every case, each on an empty queue of its own.
pub async fn run<Q: Queue + 'static>(make: impl AsyncFn() -> Arc<Q>) {
    classes_in_order(&*make().await).await;
    only_the_classes_asked_for(make().await).await;
    dropped_is_delivered_again(&*make().await).await;
    done_is_not_delivered_again(&*make().await).await;
    at_once_or_not_at_all(&*make().await).await;
    wakes_whoever_waits(make().await).await;
    thousand_with_drops(make().await).await;
}

async fn next(queue: &impl Queue, classes: &[Class]) -> Box<dyn Delivery> {
    tokio::time::timeout(NEVER, queue.next(classes)).await.expect("a ticket was lost").unwrap()
}

async fn classes_in_order(queue: &impl Queue) {
    for (n, class) in
        [(1, Class::Render4k), (2, Class::Render2k), (3, Class::Plan), (4, Class::Render2k), (5, Class::Edit)]
    {
        queue.publish(ticket(n, class)).await.unwrap();
    }
    let mut got = Vec::new();
    for _ in 0..5 {
        let delivery = next(queue, &ALL).await;
        got.push(delivery.ticket());
        delivery.done().await;
    }
    let want = [(5, Class::Edit), (3, Class::Plan), (2, Class::Render2k), (4, Class::Render2k), (1, Class::Render4k)]
        .map(|(n, c)| ticket(n, c));
    assert_eq!(got, want);
}

async fn only_the_classes_asked_for<Q: Queue + 'static>(queue: Arc<Q>) {
    let renderer = {
        let queue = Arc::clone(&queue);
        tokio::spawn(async move { next(&*queue, &[Class::Render2k]).await.ticket() })
    };
    queue.publish(ticket(1, Class::Plan)).await.unwrap();
    // The renderer leaves the plan alone, even if it is woken.
    let plan = next(&*queue, &[Class::Plan]).await;
    assert_eq!(plan.ticket(), ticket(1, Class::Plan));
    plan.done().await;
    queue.publish(ticket(2, Class::Render2k)).await.unwrap();
    assert_eq!(renderer.await.unwrap(), ticket(2, Class::Render2k));
}

async fn dropped_is_delivered_again(queue: &impl Queue) {
    queue.publish(ticket(1, Class::Plan)).await.unwrap();
    for _ in 0..5 {
        let delivery = next(queue, &ALL).await;
        assert_eq!(delivery.ticket(), ticket(1, Class::Plan));
        drop(delivery);
    }
    next(queue, &ALL).await.done().await;
}

async fn done_is_not_delivered_again(queue: &impl Queue) {
    queue.publish(ticket(1, Class::Plan)).await.unwrap();
    next(queue, &ALL).await.done().await;
    queue.publish(ticket(2, Class::Render4k)).await.unwrap();
    let delivery = next(queue, &ALL).await;
    assert_eq!(delivery.ticket(), ticket(2, Class::Render4k), "the first came back");
    delivery.done().await;
}

async fn at_once_or_not_at_all(queue: &impl Queue) {
    let at_once = async || tokio::time::timeout(NEVER, queue.at_once(&ALL)).await.expect("it waits").unwrap();
    assert!(at_once().await.is_none());
    // The queue may skip a class for a moment that was just found empty.
    tokio::time::sleep(Duration::from_millis(50)).await;
    for n in 1..=3 {
        queue.publish(ticket(n, Class::Render2k)).await.unwrap();
    }
    for n in 1..=3 {
        let delivery = at_once().await.expect("one waits");
        assert_eq!((delivery.ticket(), delivery.more()), (ticket(n, Class::Render2k), n < 3));
        delivery.done().await;
    }
    assert!(at_once().await.is_none());
}

async fn wakes_whoever_waits<Q: Queue + 'static>(queue: Arc<Q>) {
    let waiters: Vec<_> = (0..8)
        .map(|_| {
            let queue = Arc::clone(&queue);
            tokio::spawn(async move {
                let delivery = next(&*queue, &ALL).await;
                let ticket = delivery.ticket();
                delivery.done().await;
                ticket
            })
        })
        .collect();
    tokio::task::yield_now().await;
    for n in 0..8 {
        queue.publish(ticket(n, ALL[n as usize % 4])).await.unwrap();
    }
    let mut got = HashSet::new();
    for waiter in waiters {
        assert!(got.insert(waiter.await.unwrap()), "delivered twice");
    }
    assert_eq!(got.len(), 8);
}

async fn thousand_with_drops<Q: Queue + 'static>(queue: Arc<Q>) {
    const TICKETS: u32 = 1_000;
    let done: Arc<Mutex<HashMap<Ticket, u32>>> = Arc::default();
    let consumers: Vec<_> = (0..16_u32)
        .map(|consumer| {
            let (queue, done) = (Arc::clone(&queue), Arc::clone(&done));
            tokio::spawn(async move {
                // Each consumer has a different order of classes, so all of them compete for all lanes.
                let mut classes = ALL;
                classes.rotate_left(consumer as usize % 4);
                // The same drops in every run.
                let mut chance = Chance::new(u64::from(consumer));
                loop {
                    let delivery = queue.next(&classes).await.unwrap();
                    tokio::task::yield_now().await;
                    if chance.below(3) == 0 {
                        continue;
                    }
                    let ticket = delivery.ticket();
                    delivery.done().await;
                    *done.lock().entry(ticket).or_default() += 1;
                }
            })
        })
        .collect();
    let publishers: Vec<_> = (0..4_u32)
        .map(|part| {
            let queue = Arc::clone(&queue);
            tokio::spawn(async move {
                for n in (part..TICKETS).step_by(4) {
                    queue.publish(ticket(n, ALL[n as usize % 4])).await.unwrap();
                    if n % 64 < 4 {
                        tokio::task::yield_now().await;
                    }
                }
            })
        })
        .collect();
    for publisher in publishers {
        publisher.await.unwrap();
    }
    tokio::time::timeout(NEVER, async {
        while done.lock().len() < TICKETS as usize {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    })
    .await
    .expect("tickets were lost");
    for consumer in consumers {
        consumer.abort();
        let _ = consumer.await;
    }
    // Each ticket was published once, so each must be done once.
    assert!(done.lock().values().all(|times| *times == 1));
}
