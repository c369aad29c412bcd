//! Coordinator and workers are stopped one after another, or killed, while jobs run: nothing is lost, and nothing runs
//! twice.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use tokio::task::JoinSet;

use super::fleet::{Fleet, Load, stop};
use super::job_log::JobLog;
use super::{Dice, count, create, settled, tell};

/// Interval between two requests.
const EVERY: Duration = Duration::from_millis(200);
/// Requests sent at once before a worker is stopped.
const ENOUGH: u64 = 8;
/// Time for messages in transit to the coordinator when a worker is stopped on a busy machine.
const ON_ITS_WAY: Duration = Duration::from_millis(300);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rolling_restarts_of_workers_lose_nothing() {
    let Some(fleet) = Fleet::start() else { return };
    let (began, mut chance, restarts) = (Instant::now(), Dice::of(2), count(10, 100));
    let (_tap, job_log) = JobLog::of(&fleet.queue.url);
    let worker = |n: usize| (format!("worker {n}"), fleet.named(&format!("worker {n}"), "2"));
    let mut workers = VecDeque::from([worker(0), worker(1)]);
    fleet.until("they come", |shown| shown["count"] == 2).await;
    let load = Load::begin(&fleet, EVERY, count(80, 150));
    let (mut slowest, mut in_hand, mut added) = (Duration::ZERO, 0, Vec::new());
    for n in 0..restarts {
        workers.push_back(worker(n + 2));
        tokio::time::sleep(Duration::from_millis(chance.within(200..900))).await;
        let (name, old) = workers.pop_front().unwrap();
        // Stop the worker during its work: enough requests arrive at once for it to have some.
        let first = 10_000 + ENOUGH * n as u64;
        let client = fleet.client();
        let at_once = (first..first + ENOUGH).map(|one| (client.clone(), one));
        let posts: JoinSet<_> = at_once.map(|(client, n)| async move { create(&client, n..n + 1).await }).collect();
        added.extend(posts.join_all().await.concat());
        let until = Instant::now() + Duration::from_secs(1);
        while job_log.in_hand(&name).is_empty() && Instant::now() < until {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        let (told, held) = (Instant::now(), job_log.in_hand(&name));
        slowest = slowest.max(stop(old));
        // The worker finished its jobs itself and claimed no more.
        for claim in &held {
            assert_eq!(job_log.done(&claim.job.to_string()).map(|(_, by)| by), Some(*claim), "{name} left its job");
        }
        assert_eq!(job_log.in_hand(&name), [], "{name} left its job");
        let last = job_log.last_asked_by(&name).map(|asked| asked.saturating_duration_since(told));
        assert!(last.is_none_or(|after| after < ON_ITS_WAY), "{name} came for work {last:?} after it was told to end");
        in_hand += held.len();
    }
    let accepted = [load.end().await, added].concat();
    let ends = settled(&fleet.client(), &accepted).await;
    assert_eq!((ends.completed, ends.images), (accepted.len(), accepted.len()), "{ends}");
    assert!(in_hand * 2 >= restarts, "{in_hand} jobs were in hand at {restarts} restarts");
    assert_eq!(job_log.given_again(), 0, "nothing was taken from anybody");
    workers.into_iter().for_each(|(_, worker)| _ = stop(worker));
    let figures = format!(
        "{restarts} restarts with {in_hand} jobs in hand, 0 given to others, the slowest end took {slowest:.1?}, {ends}"
    );
    tell("SIGTERM of workers", began, &figures);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rolling_restarts_of_the_coordinator_lose_nothing() {
    let Some(mut fleet) = Fleet::start() else { return };
    let (began, mut chance, restarts) = (Instant::now(), Dice::of(3), count(3, 20));
    let workers = [fleet.worker("1"), fleet.worker("1")];
    let load = Load::begin(&fleet, EVERY, count(40, 300));
    let mut slowest = Duration::ZERO;
    for _ in 0..restarts {
        tokio::time::sleep(Duration::from_millis(chance.within(300..1500))).await;
        slowest = slowest.max(fleet.restart());
    }
    let accepted = load.end().await;
    let ends = settled(&fleet.client(), &accepted).await;
    assert_eq!((ends.completed, ends.images), (accepted.len(), accepted.len()), "{ends}");
    workers.into_iter().for_each(|worker| _ = stop(worker));
    let start = fleet.slowest_start;
    let figures =
        format!("{restarts} restarts, the slowest end took {slowest:.1?}, the slowest start {start:.1?}, {ends}");
    tell("SIGTERM of the coordinator", began, &figures);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn i1_i2_a_coordinator_that_is_killed_goes_on_with_the_workers_there_are() {
    let Some(mut fleet) = Fleet::start() else { return };
    let (began, mut chance, kills) = (Instant::now(), Dice::of(4), count(5, 50));
    let workers = [fleet.worker("1"), fleet.worker("1")];
    let load = Load::begin(&fleet, EVERY, count(40, 500));
    for _ in 0..kills {
        tokio::time::sleep(Duration::from_millis(chance.within(50..1200))).await;
        fleet.kill();
    }
    let accepted = load.end().await;
    let ends = settled(&fleet.client(), &accepted).await;
    assert_eq!((ends.completed, ends.images), (accepted.len(), accepted.len()), "{ends}");
    workers.into_iter().for_each(|worker| _ = stop(worker));
    let figures = format!("{kills} kills, the slowest start took {:.1?}, {ends}", fleet.slowest_start);
    tell("i1 i2, kill -9 of the coordinator", began, &figures);
}
