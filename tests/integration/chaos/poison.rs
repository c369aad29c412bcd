//! A job that kills every worker that starts it: exactly three workers die, and all other jobs are completed.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::fleet::{Fleet, stop};
use super::job_log::JobLog;
use super::{count, create, has_ended, settled, small, tell};
use crate::service::{Client, Worker, id};

/// The seed of the killing text, which no other text has.
const POISON: u64 = 666_666;
/// The format of the killing page, and its failpoint with a size that no other page has.
const PAGE: (&str, &str) = ("ad_leaderboard", "draws 2048x512");
/// Maximum number of claims of a job.
const CLAIMS: usize = 3;
/// Slots of a worker that runs several jobs at once. The jobs in its other slots die with the poison job.
const SLOTS: &str = "4";

/// Workers that are restarted when they die, as a supervisor would do.
struct Keeper<'f> {
    fleet: &'f Fleet,
    failpoint: String,
    slots: &'static str,
    workers: Vec<Worker>,
    deaths: usize,
}

impl<'f> Keeper<'f> {
    fn begin(fleet: &'f Fleet, failpoint: String, slots: &'static str, many: usize) -> Self {
        let mut keeper = Self { fleet, failpoint, slots, workers: Vec::new(), deaths: 0 };
        keeper.workers = (0..many).map(|_| keeper.worker()).collect();
        keeper
    }

    fn worker(&self) -> Worker {
        self.fleet.doomed_with("kept", &self.failpoint, self.slots)
    }

    fn look(&mut self) {
        for n in 0..self.workers.len() {
            if self.workers[n].has_ended() {
                self.workers[n] = self.worker();
                self.deaths += 1;
            }
        }
    }

    /// Keeps the workers running until a generation has ended.
    async fn until_ended(&mut self, client: &Client, of: &str) -> Value {
        let until = Instant::now() + Duration::from_secs(120);
        loop {
            self.look();
            let generation = client.generation(of).await;
            if has_ended(&generation) {
                return generation;
            }
            assert!(Instant::now() < until, "{} workers died, and it has not ended: {generation:#}", self.deaths);
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn i8_one_poison_text_among_many_ends_after_three_claims() {
    let (body, failpoint) = text();
    poisoned("i8, a text that kills", body, failpoint, "1", 2).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn i8_one_poison_page_among_many_ends_after_three_claims() {
    let (body, failpoint) = page();
    poisoned("i8, a page that kills", body, failpoint, "1", count(1, 2)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn i8_a_poison_text_takes_nothing_with_it_that_is_done_beside_it() {
    let (body, failpoint) = text();
    poisoned("i8, a text that kills, with others", body, failpoint, SLOTS, 2).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn i8_a_poison_page_takes_nothing_with_it_that_is_done_beside_it() {
    let (body, failpoint) = page();
    poisoned("i8, a page that kills, with others", body, failpoint, SLOTS, count(1, 2)).await;
}

/// A text that kills, and the failpoint.
fn text() -> (Value, String) {
    let mut body = small(0);
    body["seed"] = json!(POISON);
    (body, format!("seed {POISON}=1"))
}

/// A text with a page that kills, and the failpoint.
fn page() -> (Value, String) {
    let (mut body, (format, failpoint)) = (small(0), PAGE);
    body["outputFormats"] = json!([format]);
    (body, format!("{failpoint}=1"))
}

/// Runs many good jobs with a poison job among them. The poison job's dead letter is retried until it has failed
/// `rounds` times.
async fn poisoned(what: &str, bad: Value, failpoint: String, slots: &'static str, rounds: usize) {
    let Some(fleet) = Fleet::start() else { return };
    let (began, client, good) = (Instant::now(), fleet.client(), count(60, 500));
    let (_tap, job_log) = JobLog::of(&fleet.queue.url);
    let mut keeper = Keeper::begin(&fleet, failpoint, slots, 2);
    let before = create(&client, 0..good / 2).await;
    let poison = id(&client.create(&bad).await).to_owned();
    let after = create(&client, good / 2..good).await;

    let mut job = String::new();
    for round in 1..=rounds {
        let generation = keeper.until_ended(&client, &poison).await;
        assert_eq!(generation["status"], "failed", "{generation:#}");
        assert_eq!(generation["error"]["code"], "render_failed");
        assert_eq!(generation["creditsRefunded"], generation["creditsCharged"]);
        let letters = fleet.asked(&["dead-letter", "list"]);
        assert_eq!(letters["count"], 1, "{letters:#}");
        let letter = &letters["deadLetters"][0];
        assert_eq!((&letter["claims"], &letter["generationId"]), (&json!(CLAIMS), &json!(poison)), "{letters:#}");
        job = letter["jobId"].as_str().unwrap_or_else(|| panic!("{letters:#}")).to_owned();
        // The ticket may be delivered more often, but claims after the last one are refused.
        assert_eq!(keeper.deaths, round * CLAIMS, "each claim that is granted is one death");
        assert!(job_log.asked_for(&job) >= keeper.deaths);
        if round < rounds {
            fleet.asked(&["dead-letter", "retry", &job]);
        }
    }
    let accepted = [before, vec![poison.clone()], after].concat();
    let ends = settled(&client, &accepted).await;
    assert_eq!((ends.completed, ends.failed), (accepted.len() - 1, 1), "{ends}");
    let (deaths, claimed, again) = (keeper.deaths, job_log.asked_for(&job), job_log.given_again());
    // Each death except the last leads to another grant of the poison job. The remaining repeated grants are for jobs
    // in other slots.
    let beside = again.saturating_sub(rounds * (CLAIMS - 1));
    assert!(beside > 0 || slots == "1", "nothing was beside it");
    keeper.workers.into_iter().for_each(|worker| _ = stop(worker));
    let figures = format!(
        "{} jobs, {claimed} claims of the poison in {rounds} rounds, {deaths} workers of {slots} slots died, {beside} \
         jobs beside it were given again, 1 dead letter each, {ends}",
        accepted.len()
    );
    tell(what, began, &figures);
}
