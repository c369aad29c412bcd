//! The queue dies, loses everything, or is slow: requests are accepted all the time, and nothing is lost.

use std::time::{Duration, Instant};

use fleet::nats::{Client as Nats, Settings, connect};
use serde_json::{Value, json};

use super::fleet::{Fleet, Load, or_passed_over, queue, stop, waiting};
use super::job_log::JobLog;
use super::proxy::{Mode, Proxy};
use super::tap::messages;
use super::{Dice, count, create, has_ended, listed, settled, tell};
use crate::nats::Server;
use crate::service::Client;

/// Time limit for a request while the queue is unreachable.
const ACCEPTED: Duration = Duration::from_secs(5);
/// Longer than a lease lasts without renewal.
const PAST_LEASE: Duration = Duration::from_secs(17);
/// Time until subscribers have received everything that the queue has passed on.
const SETTLED: Duration = Duration::from_millis(200);
/// Time until disconnected workers are connected again.
const CONNECTED: Duration = Duration::from_secs(3);
/// The stream that stores tickets.
const TICKETS: &str = "vivid-jobs";

#[tokio::test]
async fn i1_a_queue_that_loses_everything_is_filled_again() {
    let Some(queue) = queue() else { return };
    let (began, proxy) = (Instant::now(), Proxy::before(&queue.url));
    let mut fleet = Fleet::on(queue, &proxy.url, None);
    let client = fleet.client();
    let before = create(&client, 0..3).await;
    fleet.until("they are on the queue", |shown| waiting(shown, "plan") == 3).await;
    assert_eq!(messages(&fleet.queue.url, TICKETS), Some(3), "a ticket each");
    // Cut the connections until it is verified that the stream is gone.
    proxy.set(Mode::Down);
    fleet.queue.restart(true);
    assert_eq!(messages(&fleet.queue.url, TICKETS), None, "they are lost, and what they lay on");
    proxy.set(Mode::Pass);
    let after = create(&client, 3..5).await;
    let worker = fleet.worker("2");
    let lost = settled(&client, &[before, after].concat()).await;
    assert_eq!(lost.completed, 5, "{lost}");
    // A queue that restarts with its data intact. No worker runs, so nobody claims the tickets before the restart.
    stop(worker);
    let more = create(&client, 5..7).await;
    fleet.until("they are on the queue", |shown| waiting(shown, "plan") == 2).await;
    fleet.queue.restart(false);
    assert_eq!(messages(&fleet.queue.url, TICKETS), Some(2), "it has kept them");
    let worker = fleet.worker("2");
    let ends = settled(&client, &more).await;
    assert_eq!(ends.completed, 7, "{ends}");
    stop(worker);
    tell("i1, a queue that loses everything", began, &format!("3 tickets lost, 2 kept, {ends}"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn i1_a_queue_that_is_killed_at_work_loses_nothing() {
    let Some(queue) = queue() else { return };
    let (began, mut chance, kills) = (Instant::now(), Dice::of(1), count(3, 20));
    let (proxy, most) = (Proxy::before(&queue.url), count(60, 800));
    let mut fleet = Fleet::on(queue, &proxy.url, None);
    let workers = [fleet.worker("1"), fleet.worker("1")];
    fleet.until("they come", |shown| shown["count"] == 2).await;
    let load = Load::begin(&fleet, Duration::from_millis(150), most);
    let (mut wiped, mut slowest) = (0, Duration::ZERO);
    for n in 0..kills {
        tokio::time::sleep(Duration::from_millis(chance.within(300..1500))).await;
        // The queue is unreachable for a while, and may then have lost everything.
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

/// The queue is unreachable for so long that every lease has expired when it returns. The reports of workers are
/// rejected then.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn i1_a_queue_that_is_away_for_longer_than_a_lease_loses_nothing() {
    let Some(queue) = queue() else { return };
    let (began, proxy, direct) = (Instant::now(), Proxy::before(&queue.url), queue.url.clone());
    let fleet = Fleet::on(queue, &proxy.url, None);
    let (_tap, job_log) = JobLog::of(&direct);
    let workers = [fleet.named("one", "1"), fleet.named("two", "1")];
    fleet.until("they come", |shown| shown["count"] == 2).await;
    let client = fleet.client();
    // Fast workers may have reported everything by now, and workers that were just cut off take a while to reconnect.
    // In that case add more jobs.
    let mut before = Vec::new();
    let is_held = || !job_log.in_hand("one").is_empty() || !job_log.in_hand("two").is_empty();
    loop {
        let (next, asked) = (before.len() as u64, Instant::now());
        before.extend(create(&client, next..next + 60).await);
        while !is_held() && asked.elapsed() < CONNECTED {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        proxy.set(Mode::Down);
        tokio::time::sleep(SETTLED).await;
        if is_held() {
            break;
        }
        assert!(before.len() < 600, "the workers never hold a job when the queue goes away");
        proxy.set(Mode::Pass);
    }
    let (away, next) = (Instant::now(), before.len() as u64);
    let after = create(&client, next..next + 5).await;
    assert!(away.elapsed() < ACCEPTED, "5 requests took {:?}", away.elapsed());
    tokio::time::sleep(PAST_LEASE.saturating_sub(away.elapsed())).await;
    let held = [job_log.in_hand("one"), job_log.in_hand("two")].concat();
    // A report in transit may have been accepted although its answer was lost.
    let unsaid = held.iter().filter(|claim| !job_log.is_sent(**claim)).count();
    let open = listed(&client).await.values().filter(|generation| !has_ended(generation)).count();
    let held = held.len();
    assert!(held > 0 && open >= after.len(), "{held} jobs in hand, {open} generations open");
    proxy.set(Mode::Pass);
    let apart = away.elapsed();
    let accepted = [before, after].concat();
    let ends = settled(&client, &accepted).await;
    assert_eq!((ends.completed, ends.images), (accepted.len(), accepted.len()), "{ends}");
    let again = job_log.given_again();
    assert!(again >= unsaid, "{again} of {unsaid} were given again");
    workers.into_iter().for_each(|worker| _ = stop(worker));
    let figures = format!("away for {apart:.1?} with {held} jobs in hand, {again} given again, {ends}");
    tell("i1, a queue that is away for longer than a lease", began, &figures);
}

#[tokio::test]
async fn a_slow_queue_is_slow_and_nothing_else() {
    let Some(queue) = queue() else { return };
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

/// Returns the queue server's answer to a JetStream API request, or to a message published to a stream.
async fn asked(nats: &Nats, subject: &str, words: Vec<u8>) -> Value {
    let answer = nats.request(subject.to_owned(), words.into()).await.unwrap();
    serde_json::from_slice(&answer.payload).unwrap()
}

/// Fills the server's storage limit with other data, or frees it again.
async fn fill(nats: &Nats, full: bool) {
    if !full {
        let removed = asked(nats, "$JS.API.STREAM.DELETE.filler", Vec::new()).await;
        assert_eq!(removed["success"], true, "{removed}");
        return;
    }
    let stream = json!({"name": "filler", "subjects": ["filler"], "storage": "file", "max_msgs": -1, "max_bytes": -1});
    let made = asked(nats, "$JS.API.STREAM.CREATE.filler", stream.to_string().into_bytes()).await;
    assert!(made["error"].is_null(), "{made}");
    while asked(nats, "filler", vec![0; 50_000]).await["error"].is_null() {}
}

/// Waits until the readiness page's entry for the queue meets the condition. Requests are accepted all the time.
async fn readiness(client: &Client, holds: impl Fn(&Value) -> bool) -> Value {
    let until = Instant::now() + PAST_LEASE * 2;
    loop {
        let ready = client.get("/readyz").await;
        assert_eq!(ready.status, 200);
        let ready = ready.json();
        let queue = ready["checks"].as_array().unwrap().iter().find(|check| check["name"] == "queue").unwrap();
        if holds(queue) {
            return queue.clone();
        }
        assert!(Instant::now() < until, "{queue:#}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

#[tokio::test]
async fn i1_a_queue_out_of_storage_is_told_and_loses_nothing() {
    let server = Server::start_as("jetstream { max_file_store: 1MB }");
    let Some(server) = or_passed_over("NATS server", server) else { return };
    let began = Instant::now();
    let servers = server.url.parse().unwrap();
    let nats = connect(&Settings { servers, credentials: None, ca: None, name: "test".into() }).await.unwrap();
    // Both at the start of the service and while it runs.
    fill(&nats, true).await;
    let url = server.url.clone();
    let fleet = Fleet::on(server, &url, None);
    let (client, worker) = (fleet.client(), fleet.worker("2"));
    let mut accepted = Vec::new();
    for round in 0..2 {
        if round > 0 {
            fill(&nats, true).await;
        }
        let asked = Instant::now();
        accepted.extend(create(&client, 10 * round..10 * round + 5).await);
        assert!(asked.elapsed() < ACCEPTED, "5 requests took {:?}", asked.elapsed());
        let told = readiness(&client, |queue| queue["status"] == "warning").await;
        let why = told["message"].as_str().unwrap();
        assert!(why.contains("out of storage") && why.contains("accepted"), "{why}");
        fill(&nats, false).await;
        readiness(&client, |queue| queue["status"] == "ok").await;
        let ends = settled(&client, &accepted).await;
        assert_eq!(ends.completed, accepted.len(), "{ends}");
    }
    stop(worker);
    tell(
        "i1, a queue out of storage",
        began,
        &format!("twice, at a start and at work, {} generations", accepted.len()),
    );
}
