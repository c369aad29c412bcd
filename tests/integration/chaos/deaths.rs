//! Workers die at any point of their work, and other workers finish it.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::fleet::{Fleet, stop};
use super::job_log::JobLog;
use super::{count, create, has_ended, listed, percentile, settled, tell};
use crate::service::{Client, Worker};

/// Points at which a worker dies, from first to last: after it has read the job, while it works, before and after it
/// stores, before and after it reports. It still holds the ticket at all of them.
const POINTS: [&str; 11] = [
    "plan: fetch",
    "plan: plan",
    "plan: pack",
    "plan: store",
    "plan: to report",
    "plan: reported",
    "render: fetch",
    "render: raster",
    "render: thumbnail",
    "render: store",
    "render: to report",
];
/// At this point only the ticket's acknowledgement is left to do.
const LAST: &str = "render: reported";
/// Time limit for other workers to finish a dead worker's jobs: the lease plus some work.
pub const FINISHED: Duration = Duration::from_secs(30);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn i7_a_worker_may_die_anywhere_and_others_finish() {
    let Some(fleet) = Fleet::start() else { return };
    let (began, client) = (Instant::now(), fleet.client());
    let (_tap, job_log) = JobLog::of(&fleet.queue.url);
    let (mut accepted, mut times) = (Vec::new(), Vec::new());
    for round in 0..count(1, 10) {
        times.extend(die_once_each(&fleet, &client, &job_log, round, &mut accepted).await);
    }
    let ends = settled(&client, &accepted).await;
    assert_eq!(ends.completed, accepted.len(), "{ends}");
    let (p50, p99) = (percentile(&times, 50), percentile(&times, 99));
    let figures =
        format!("{} deaths, finished elsewhere after {p50:.1?} (p50) and {p99:.1?} (p99), {ends}", times.len());
    tell("i7, workers die at named points", began, &figures);
    assert!(p99 <= FINISHED, "p99 {p99:?} of {times:?}");
}

/// Starts one worker per point, which dies there, then other workers. Returns the time from each death to the end of
/// the generation that the dead worker was processing.
async fn die_once_each(
    fleet: &Fleet,
    client: &Client,
    job_log: &JobLog,
    round: u64,
    accepted: &mut Vec<String>,
) -> Vec<Duration> {
    let name = |point: &str| format!("{point} ({round})");
    let points = POINTS.iter().chain([&LAST]);
    let mut doomed: Vec<(&str, Worker)> =
        points.map(|point| (*point, fleet.doomed(&name(point), &format!("{point}=1")))).collect();
    fleet.until("all of them come", |shown| shown["count"].as_u64() >= Some(doomed.len() as u64)).await;

    // Workers that die while rendering have planned before, and each holds one more job besides the one it processes.
    // There are enough jobs for all of them to die at once, so no ticket has to be redelivered for another worker to
    // die.
    let first = round * 100;
    accepted.extend(create(client, first..first + 4 * POINTS.len() as u64).await);
    let (mut dead, until) = (BTreeMap::new(), Instant::now() + Duration::from_secs(60));
    while !doomed.is_empty() {
        doomed.retain_mut(|(point, worker)| {
            let ended = worker.has_ended();
            if ended {
                dead.insert(*point, Instant::now());
            }
            !ended
        });
        assert!(Instant::now() < until, "still there: {:?}", doomed.iter().map(|(point, _)| point).collect::<Vec<_>>());
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let others = fleet.worker("2");
    let mut ended: BTreeMap<String, (Instant, Value)> = BTreeMap::new();
    while ended.len() < accepted.len() {
        for (id, generation) in listed(client).await {
            if has_ended(&generation) && !ended.contains_key(&id) {
                ended.insert(id, (Instant::now(), generation));
            }
        }
        assert!(Instant::now() < until + FINISHED, "{} of {} ended", ended.len(), accepted.len());
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert!(stop(others) < FINISHED);
    // A job's id is the id of what it makes: a planning job has its generation's id, a rendering job its output's.
    let of_job = |job: &str| {
        let makes =
            |id: &String, g: &Value| id == job || g["outputs"].as_array().unwrap().iter().any(|o| o["id"] == job);
        ended.iter().find(|(id, (_, generation))| makes(id, generation)).map(|(_, (at, _))| *at)
    };
    let took = |(point, died): (&str, Instant)| {
        let job = job_log.last_of(&name(point)).unwrap_or_else(|| panic!("{point}: died without a job"));
        let at = of_job(&job).unwrap_or_else(|| panic!("{point}: nothing came of {job}"));
        at.saturating_duration_since(died)
    };
    // A job that was already reported needs no other worker to finish it, so it is left out.
    dead.into_iter().filter(|(point, _)| *point != LAST).map(took).collect()
}

#[tokio::test]
async fn i7_workers_may_be_killed_and_others_finish() {
    let Some(fleet) = Fleet::start() else { return };
    let (began, client) = (Instant::now(), fleet.client());
    let early = create(&client, 0..2).await;
    assert_eq!(fleet.asked(&["fleet"])["count"], 0, "nobody has come, and they are accepted all the same");
    let (first, second) = (fleet.worker("1"), fleet.worker("1"));
    fleet.until("two workers come", |shown| shown["count"] == 2 && shown["slots"] == 2).await;
    let late = create(&client, 2..80).await;
    fleet.until("they work", |shown| shown["busy"] == 2).await;
    first.kill();
    let third = fleet.worker("2");
    let accepted = [early, late].concat();
    let ends = settled(&client, &accepted).await;
    assert_eq!(ends.completed, accepted.len(), "{ends}");
    fleet.until("the dead one is forgotten", |shown| shown["count"] == 2).await;
    stop(second);
    stop(third);
    fleet.until("those that stop take their leave", |shown| shown["count"] == 0).await;
    tell("i7, kill -9 of a worker", began, &ends.to_string());
}
