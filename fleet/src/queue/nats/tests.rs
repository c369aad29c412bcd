use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use super::*;
use crate::nats::server::Server;
use crate::queue::suite;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn keeps_the_promises_of_a_queue() {
    let Some(server) = Server::start() else { return };
    let made = AtomicU32::new(0);
    suite::run(async || {
        let prefix = format!("t{}", made.fetch_add(1, Ordering::Relaxed));
        let queue = NatsQueue::new(server.client().await, &prefix);
        queue.prepare().await.unwrap();
        Arc::new(queue)
    })
    .await;
}

/// Two processes share the work, and neither keeps from the other what it can't take itself.
#[tokio::test]
async fn what_nobody_here_takes_goes_to_another() {
    let Some(server) = Server::start() else { return };
    let (here, there) = (NatsQueue::new(server.client().await, "t"), NatsQueue::new(server.client().await, "t"));
    here.prepare().await.unwrap();
    // It waits for every class, and is served by the first: its requests at the others stay open for a while.
    let first = tokio::spawn({
        let here = here.clone();
        async move { here.next(&Class::ALL).await.unwrap() }
    });
    tokio::time::sleep(Duration::from_millis(200)).await;
    here.publish(suite::ticket(1, Class::Render4k)).await.unwrap();
    let mut first = Some(first.await.unwrap());
    for n in 2..6 {
        here.publish(suite::ticket(n, Class::Plan)).await.unwrap();
        let began = std::time::Instant::now();
        let next = there.next(&Class::ALL).await.unwrap();
        assert_eq!(next.ticket(), suite::ticket(n, Class::Plan));
        assert!(began.elapsed() < ACK_WAIT / 2, "it was kept elsewhere");
        next.done().await;
    }
    // An acknowledgement is on its way for a while. The first is worked on.
    for held in [1, 0] {
        tokio::time::timeout(ACK_WAIT, async {
            while there.holds().await.unwrap() != Some(held) {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        })
        .await
        .unwrap();
        if let Some(first) = first.take() {
            first.done().await;
        }
    }
}

#[tokio::test]
async fn a_server_that_comes_back_goes_on_and_one_that_lost_everything_is_empty() {
    let Some(mut server) = Server::start() else { return };
    let queue = NatsQueue::new(server.client().await, "t");
    queue.prepare().await.unwrap();
    queue.publish(suite::ticket(1, Class::Plan)).await.unwrap();
    server.restart(false);
    let next = tokio::time::timeout(ACK_WAIT, queue.next(&Class::ALL)).await.unwrap().unwrap();
    assert_eq!(next.ticket(), suite::ticket(1, Class::Plan));
    next.done().await;
    let waiting = tokio::spawn({
        let queue = queue.clone();
        async move { queue.next(&Class::ALL).await.unwrap().ticket() }
    });
    queue.publish(suite::ticket(2, Class::Plan)).await.unwrap();
    assert_eq!(waiting.await.unwrap(), suite::ticket(2, Class::Plan));

    server.restart(true);
    while queue.holds().await.ok() != Some(Some(0)) {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!(queue.publish(suite::ticket(3, Class::Plan)).await.is_err(), "there is no stream");
    queue.prepare().await.unwrap();
    queue.publish(suite::ticket(3, Class::Plan)).await.unwrap();
    let next = tokio::time::timeout(ACK_WAIT, queue.next(&Class::ALL)).await.unwrap().unwrap();
    assert_eq!(next.ticket(), suite::ticket(3, Class::Plan));
}

/// A worker of the version before finds what only newer ones read, and bytes that nobody does.
#[tokio::test]
async fn tickets_of_other_versions_are_left_to_others() {
    let Some(server) = Server::start() else { return };
    let client = server.client().await;
    let queue = NatsQueue::new(client.clone(), "t");
    queue.prepare().await.unwrap();
    let subject = queue.names.subject(Class::Plan);
    let mut newer = encode(&suite::ticket(1, Class::Plan)).unwrap();
    newer[0] = u8::MAX;
    for bytes in [newer, Vec::new()] {
        queue.context.publish(subject.clone(), bytes.into()).await.unwrap().await.unwrap();
    }
    queue.publish(suite::ticket(2, Class::Plan)).await.unwrap();
    let next = tokio::time::timeout(ACK_WAIT, queue.next(&Class::ALL)).await.unwrap().unwrap();
    assert_eq!(next.ticket(), suite::ticket(2, Class::Plan), "whoever came for the others goes on to it");
    next.done().await;
    while queue.holds().await.unwrap() != Some(1) {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(queue.holds().await.unwrap(), Some(1), "the newer one is there still");
}
