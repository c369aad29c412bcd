//! Coordinator and workers that are told to end, one after the other, or are killed, while work goes on: nothing is lost
//! and nothing is done twice.

use std::time::{Duration, Instant};

use super::fleet::{Fleet, Load, stop};
use super::{Chance, count, settled, tell};

/// Between two requests.
const EVERY: Duration = Duration::from_millis(200);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rolling_restarts_of_workers_lose_nothing() {
    let Some(fleet) = Fleet::start() else { return };
    let (began, mut chance, restarts) = (Instant::now(), Chance::of(2), count(10, 100));
    let mut workers = vec![fleet.worker("2"), fleet.worker("2")];
    fleet.until("they come", |shown| shown["count"] == 2).await;
    let load = Load::begin(&fleet, EVERY, count(80, 900));
    let mut slowest = Duration::ZERO;
    for _ in 0..restarts {
        workers.push(fleet.worker("2"));
        tokio::time::sleep(Duration::from_millis(chance.within(200..900))).await;
        slowest = slowest.max(stop(workers.remove(0)));
    }
    let accepted = load.end().await;
    let ends = settled(&fleet.client(), &accepted).await;
    assert_eq!((ends.completed, ends.images), (accepted.len(), accepted.len()), "{ends}");
    workers.into_iter().for_each(|worker| _ = stop(worker));
    let figures = format!("{restarts} restarts, the slowest end took {slowest:.1?}, {ends}");
    tell("SIGTERM of workers", began, &figures);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rolling_restarts_of_the_coordinator_lose_nothing() {
    let Some(mut fleet) = Fleet::start() else { return };
    let (began, mut chance, restarts) = (Instant::now(), Chance::of(3), count(3, 20));
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
    let figures = format!("{restarts} restarts, the slowest end took {slowest:.1?}, {ends}");
    tell("SIGTERM of the coordinator", began, &figures);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn i1_i2_a_coordinator_that_is_killed_goes_on_with_the_workers_there_are() {
    let Some(mut fleet) = Fleet::start() else { return };
    let (began, mut chance, kills) = (Instant::now(), Chance::of(4), count(5, 50));
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
    tell("i1 i2, kill -9 of the coordinator", began, &format!("{kills} kills, {ends}"));
}
