//! Workers are killed at random moments while there is more work than they can do.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use fleet::protocol::Claim;

use super::deaths::FINISHED;
use super::fleet::{Fleet, stop};
use super::job_log::JobLog;
use super::{Dice, count, create, percentile, seed, settled, tell};
use crate::service::Worker;

/// Milliseconds after the start of a job at which a worker is killed.
const LIVES: std::ops::Range<u64> = 10..200;
/// Kills per round. Everything finishes before the next round begins, because a job whose worker dies three times
/// becomes a dead letter.
const KILLS: u64 = 5;
/// Jobs added before each kill, so that no worker is ever idle.
const JOBS: u64 = 30;

/// Two workers, of which the older one is killed next.
struct Line<'f> {
    fleet: &'f Fleet,
    workers: VecDeque<(String, Worker)>,
    begun: u64,
}

impl Line<'_> {
    fn begin_one(&mut self) {
        let name = format!("worker {}", self.begun);
        self.begun += 1;
        let worker = self.fleet.named(&name, "2");
        self.workers.push_back((name, worker));
    }

    /// Kills the older worker at a random moment of its work. Returns its claims and the time of the kill.
    async fn kill_one(&mut self, job_log: &JobLog, chance: &mut Dice) -> Vec<(Claim, Instant)> {
        let (name, worker) = self.workers.pop_front().expect("there are two");
        let until = Instant::now() + FINISHED;
        while job_log.in_hand(&name).is_empty() {
            assert!(Instant::now() < until, "{name} has nothing to do");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        tokio::time::sleep(Duration::from_millis(chance.within(LIVES))).await;
        worker.kill();
        let killed = Instant::now();
        // Its last message may still be in transit.
        tokio::time::sleep(Duration::from_millis(50)).await;
        job_log.in_hand(&name).into_iter().map(|claim| (claim, killed)).collect()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn i7_workers_that_are_killed_at_any_moment_lose_nothing() {
    let Some(fleet) = Fleet::start() else { return };
    let (began, client, mut chance, rounds) = (Instant::now(), fleet.client(), Dice::of(8), count(1, 10));
    let (_tap, job_log) = JobLog::of(&fleet.queue.url);
    let mut line = Line { fleet: &fleet, workers: VecDeque::new(), begun: 0 };
    line.begin_one();
    line.begin_one();
    let (mut accepted, mut orphans, kills) = (Vec::new(), Vec::new(), rounds * KILLS);
    for round in 0..rounds {
        for kill in KILLS * round..KILLS * (round + 1) {
            accepted.extend(create(&client, JOBS * kill..JOBS * (kill + 1)).await);
            orphans.extend(line.kill_one(&job_log, &mut chance).await);
            line.begin_one();
        }
        settled(&client, &accepted).await;
    }
    let ends = settled(&client, &accepted).await;
    assert_eq!((ends.completed, ends.images), (accepted.len(), accepted.len()), "{ends}");
    let mut times = Vec::new();
    for (claim, killed) in &orphans {
        let (done, by) = job_log.done(&claim.job.to_string()).unwrap_or_else(|| panic!("nothing came of {claim:?}"));
        // A job whose report was accepted just before the kill is also done, even if the answer was lost.
        assert!(by == *claim || by.epoch > claim.epoch, "{by:?} after {claim:?}");
        if by != *claim {
            times.push(done.saturating_duration_since(*killed));
        }
    }
    let (lost, again) = (times.len(), job_log.given_again());
    assert!(lost as u64 >= kills, "a kill takes a job at least: {lost} in {kills} kills");
    assert!(again >= lost, "{again} were given again, of {lost} that lost their worker");
    line.workers.into_iter().for_each(|(_, worker)| _ = stop(worker));
    let (p50, p99) = (percentile(&times, 50), percentile(&times, 99));
    let figures = format!(
        "{kills} kills, {lost} jobs lost their worker, {again} given again, finished elsewhere after {p50:.1?} (p50) and \
         {p99:.1?} (p99), {ends}"
    );
    tell("i7, kill -9 of workers at random moments", began, &figures);
    assert!(p99 <= FINISHED, "seed {}: p99 {p99:?} of {times:?}", seed());
}
