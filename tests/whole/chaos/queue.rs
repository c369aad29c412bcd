//! A queue that dies, loses everything, or is slow: requests are accepted all the while, and nothing is lost.

use std::time::{Duration, Instant};

use super::fleet::{Fleet, Load, stop, waiting};
use super::proxy::{Mode, Proxy};
use super::{Chance, count, create, settled, tell};
use crate::nats::Server;

/// How long a request may take while the queue is away.
const ACCEPTED: Duration = Duration::from_secs(5);

#[tokio::test]
async fn i1_a_queue_that_loses_everything_is_filled_again() {
    let Some(mut fleet) = Fleet::start() else { return };
    let (began, client) = (Instant::now(), fleet.client());
    let before = create(&client, 0..3).await;
    fleet.until("they are on the queue", |shown| waiting(shown, "plan") == 3).await;
    fleet.queue.restart(true);
    let after = create(&client, 3..5).await;
    let worker = fleet.worker("2");
    let lost = settled(&client, &[before, after].concat()).await;
    assert_eq!(lost.completed, 5, "{lost}");
    // And one that comes back with what it had.
    let more = create(&client, 5..7).await;
    fleet.queue.restart(false);
    let ends = settled(&client, &more).await;
    assert_eq!(ends.completed, 7, "{ends}");
    stop(worker);
    tell("i1, a queue that loses everything", began, &ends.to_string());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn i1_a_queue_that_is_killed_at_work_loses_nothing() {
    let Some(queue) = Server::start() else { return };
    let (began, mut chance, kills) = (Instant::now(), Chance::of(1), count(3, 20));
    let (proxy, most) = (Proxy::before(&queue.url), count(60, 800));
    let mut fleet = Fleet::on(queue, &proxy.url, None);
    let workers = [fleet.worker("1"), fleet.worker("1")];
    fleet.until("they come", |shown| shown["count"] == 2).await;
    let load = Load::begin(&fleet, Duration::from_millis(150), most);
    let (mut wiped, mut slowest) = (0, Duration::ZERO);
    for n in 0..kills {
        tokio::time::sleep(Duration::from_millis(chance.within(300..1500))).await;
        // Nobody reaches it for a while, and then it may have forgotten everything.
        proxy.set(Mode::Down);
        let wipe = chance.within(0..2) == 0 || n == 0;
        fleet.queue.restart(wipe);
        wiped += u32::from(wipe);
        let asked = Instant::now();
        let client = fleet.client();
        let accepted = create(&client, 10_000 + n..10_001 + n).await;
        slowest = slowest.max(asked.elapsed());
        assert_eq!(accepted.len(), 1);
        tokio::time::sleep(Duration::from_millis(chance.within(100..2000))).await;
        proxy.set(Mode::Pass);
    }
    let accepted = load.end().await;
    let ends = settled(&fleet.client(), &accepted).await;
    assert_eq!(ends.completed, accepted.len() + kills as usize, "{ends}");
    assert!(slowest < ACCEPTED, "a request took {slowest:?}");
    workers.into_iter().for_each(|worker| _ = stop(worker));
    let figures =
        format!("{kills} kills -9, {wiped} disks wiped, requests answered in {slowest:.1?} meanwhile, {ends}");
    tell("i1, kill -9 of the queue", began, &figures);
}

#[tokio::test]
async fn a_slow_queue_is_slow_and_nothing_else() {
    let Some(queue) = Server::start() else { return };
    let (began, proxy) = (Instant::now(), Proxy::before(&queue.url));
    let fleet = Fleet::on(queue, &proxy.url, None);
    proxy.set(Mode::Slow(Duration::from_millis(200)));
    let client = fleet.client();
    let workers = [fleet.worker("2"), fleet.worker("2")];
    let accepted = create(&client, 0..count(12, 200)).await;
    let ends = settled(&client, &accepted).await;
    assert_eq!(ends.completed, accepted.len(), "{ends}");
    workers.into_iter().for_each(|worker| _ = stop(worker));
    tell("a queue that is 200 ms away", began, &ends.to_string());
}
