use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use super::held::PROGRESS_EVERY;
use super::*;
use crate::nats::server::Server;
use crate::queue::suite;

/// The timeout of a test.
const SOON: Duration = Duration::from_secs(20);

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

/// Two processes share the work, and neither keeps tickets that it can't take.
#[tokio::test]
async fn what_nobody_here_takes_goes_to_another() {
    let Some(server) = Server::start() else { return };
    let (here, there) = (NatsQueue::new(server.client().await, "t"), NatsQueue::new(server.client().await, "t"));
    here.prepare().await.unwrap();
    // This waiter waits for every class and gets a ticket of one. Its requests for the others stay open for a while.
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
    // The first ticket is still in progress, and acknowledgements take a while to arrive.
    for held in [1, 0] {
        tokio::time::timeout(SOON, async {
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
    let next = tokio::time::timeout(SOON, queue.next(&Class::ALL)).await.unwrap().unwrap();
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
    let next = tokio::time::timeout(SOON, queue.next(&Class::ALL)).await.unwrap().unwrap();
    assert_eq!(next.ticket(), suite::ticket(3, Class::Plan));
}

/// A worker of the previous version receives a ticket of a newer one, and bytes that nobody can decode.
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
    let next = tokio::time::timeout(SOON, queue.next(&Class::ALL)).await.unwrap().unwrap();
    assert_eq!(next.ticket(), suite::ticket(2, Class::Plan), "whoever came for the others goes on to it");
    next.done().await;
    while queue.holds().await.unwrap() != Some(1) {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(queue.holds().await.unwrap(), Some(1), "the newer one is there still");
}

/// Progress acknowledgements keep the server from delivering a ticket again.
#[tokio::test]
async fn a_ticket_that_is_worked_on_for_long_goes_to_nobody_else() {
    let Some(server) = Server::start() else { return };
    let (here, there) = (NatsQueue::new(server.client().await, "t"), NatsQueue::new(server.client().await, "t"));
    here.prepare().await.unwrap();
    here.publish(suite::ticket(1, Class::Plan)).await.unwrap();
    let held = here.next(&Class::ALL).await.unwrap();
    let another = tokio::time::timeout(ACK_WAIT + PROGRESS_EVERY, there.next(&Class::ALL)).await;
    assert!(another.is_err(), "it was delivered again");
    held.done().await;
    while here.holds().await.unwrap() != Some(0) {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test]
async fn a_stream_and_consumers_of_an_older_version_are_brought_up_to_date() {
    let Some(server) = Server::start() else { return };
    let queue = NatsQueue::new(server.client().await, "t");
    let old = StreamConfig {
        name: queue.names.stream(),
        subjects: vec![queue.names.subject(Class::Plan)],
        retention: RetentionPolicy::WorkQueue,
        duplicate_window: Duration::from_secs(120),
        ..StreamConfig::default()
    };
    queue.context.create_stream(old).await.unwrap();
    let old = pull::Config {
        durable_name: Some(consumer(Class::Plan).to_owned()),
        filter_subject: queue.names.subject(Class::Plan),
        ack_policy: AckPolicy::Explicit,
        ack_wait: Duration::from_secs(1),
        max_deliver: 3,
        max_ack_pending: 7,
        max_waiting: MOST,
        ..pull::Config::default()
    };
    queue.context.create_consumer_on_stream(old, queue.names.stream()).await.unwrap();
    queue.publish(suite::ticket(1, Class::Plan)).await.unwrap();
    // Twice, as coordinators do at each start.
    for _ in 0..2 {
        queue.prepare().await.unwrap();
    }
    let mut stream = queue.context.get_stream(queue.names.stream()).await.unwrap();
    let config = stream.info().await.unwrap().config.clone();
    assert_eq!((config.subjects, config.duplicate_window), (vec!["t.jobs.*".to_owned()], Duration::from_millis(100)));
    let plans: jetstream::consumer::PullConsumer = stream.get_consumer(consumer(Class::Plan)).await.unwrap();
    let config = &plans.cached_info().config;
    assert_eq!((config.ack_wait, config.max_deliver, config.max_ack_pending), (ACK_WAIT, -1, MOST));
    assert_eq!(queue.next(&Class::ALL).await.unwrap().ticket(), suite::ticket(1, Class::Plan), "what waited is there");
}

/// Creates a stream that fills the server's storage, or removes it.
async fn fill(client: &Client, full: bool) {
    let context = jetstream::new(client.clone());
    if !full {
        context.delete_stream("filler").await.unwrap();
        return;
    }
    let filler = StreamConfig { name: "filler".into(), subjects: vec!["filler".into()], ..StreamConfig::default() };
    context.create_stream(filler).await.unwrap();
    while context.publish("filler", vec![0; 50_000].into()).await.unwrap().await.is_ok() {}
}

#[tokio::test]
async fn a_server_without_storage_says_so_and_takes_tickets_once_there_is_room() {
    let Some(server) = Server::start_as("jetstream { max_file_store: 1MB }") else { return };
    let client = server.client().await;
    let queue = NatsQueue::new(client.clone(), "t");
    fill(&client, true).await;
    // An empty stream needs no storage.
    queue.prepare().await.unwrap();
    let refused = queue.publish(suite::ticket(1, Class::Plan)).await.unwrap_err();
    assert!(refused.is_of_storage(), "{refused}");
    assert!(!QueueError("no responders".into()).is_of_storage());
    fill(&client, false).await;
    queue.publish(suite::ticket(1, Class::Plan)).await.unwrap();
    let next = tokio::time::timeout(SOON, queue.next(&Class::ALL)).await.unwrap().unwrap();
    assert_eq!(next.ticket(), suite::ticket(1, Class::Plan));
}
