//! A job that kills whoever begins it: three workers die of it, and no more.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::fleet::{Fleet, stop};
use super::tap::Claims;
use super::{count, create, has_ended, settled, small, tell};
use crate::service::{Client, Worker, id};

/// The seed of the job that kills, unlike any other's.
const POISON: u64 = 666_666;
/// Claims that a job may have.
const CLAIMS: usize = 3;

/// Workers that are started again when they die, as a supervisor does it.
struct Keeper<'f> {
    fleet: &'f Fleet,
    workers: Vec<Worker>,
    deaths: usize,
}

impl<'f> Keeper<'f> {
    fn begin(fleet: &'f Fleet, many: usize) -> Self {
        Self { fleet, workers: (0..many).map(|_| Self::worker(fleet)).collect(), deaths: 0 }
    }

    fn worker(fleet: &Fleet) -> Worker {
        fleet.doomed("kept", &format!("seed {POISON}=1"))
    }

    fn look(&mut self) {
        for worker in &mut self.workers {
            if worker.has_ended() {
                *worker = Self::worker(self.fleet);
                self.deaths += 1;
            }
        }
    }

    /// Keeps the workers until a generation has ended.
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
async fn i8_one_poison_job_among_many_ends_after_three_claims() {
    let Some(fleet) = Fleet::start() else { return };
    let (began, client, good) = (Instant::now(), fleet.client(), count(60, 500));
    let (_tap, claims) = Claims::of(&fleet.queue.url);
    let mut keeper = Keeper::begin(&fleet, 2);
    let before = create(&client, 0..good / 2).await;
    let mut body = small(0);
    body["seed"] = json!(POISON);
    let poison = id(&client.create(&body).await).to_owned();
    let after = create(&client, good / 2..good).await;

    for time in 1..=2 {
        let generation = keeper.until_ended(&client, &poison).await;
        assert_eq!(generation["status"], "failed", "{generation:#}");
        assert_eq!(generation["error"]["code"], "render_failed");
        assert_eq!(generation["creditsRefunded"], generation["creditsCharged"]);
        // Its ticket may be brought again meanwhile; what is asked with it then is refused.
        assert_eq!(keeper.deaths, time * CLAIMS, "each claim that is granted is one death");
        assert!(claims.count(&poison) >= keeper.deaths);
        let letters = fleet.asked(&["dead-letter", "list"]);
        assert_eq!(letters["count"], 1, "{letters:#}");
        assert_eq!((&letters["deadLetters"][0]["claims"], id_of_job(&letters)), (&json!(CLAIMS), poison.as_str()));
        if time == 1 {
            // It is as bad as it was.
            fleet.asked(&["dead-letter", "retry", &poison]);
        }
    }
    let accepted = [before, vec![poison.clone()], after].concat();
    let ends = settled(&client, &accepted).await;
    assert_eq!((ends.completed, ends.failed), (accepted.len() - 1, 1), "{ends}");
    let (deaths, claimed) = (keeper.deaths, claims.count(&poison));
    keeper.workers.into_iter().for_each(|worker| _ = stop(worker));
    let figures = format!(
        "{} jobs, {claimed} claims of the poison in two rounds, {deaths} workers died, 1 dead letter each, {ends}",
        accepted.len()
    );
    tell("i8, poison", began, &figures);
}

fn id_of_job(letters: &Value) -> &str {
    let letter = &letters["deadLetters"][0];
    letter["jobId"].as_str().unwrap_or_else(|| panic!("{letters:#}"))
}
