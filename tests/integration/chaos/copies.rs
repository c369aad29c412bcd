//! Duplicate tickets: each job runs once, is shown once and is charged once.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use super::fleet::{Fleet, stop};
use super::job_log::JobLog;
use super::tap::Tap;
use super::{Dice, count, create, settled, tell};

/// Number of additional copies published of each ticket.
const AGAIN: std::ops::Range<u64> = 1..5;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn i5_tickets_that_come_two_to_five_times_give_one_image_each() {
    let Some(fleet) = Fleet::start() else { return };
    let (began, client, jobs) = (Instant::now(), fleet.client(), count(120, 1_000));
    let tickets = Arc::new((AtomicUsize::new(0), AtomicUsize::new(0)));
    let (noted, chance) = (Arc::clone(&tickets), Mutex::new(Dice::of(5)));
    let _repeats = Tap::open(&fleet.queue.url, &["vivid.jobs.*"], move |ticket| {
        let again = chance.lock().within(AGAIN) as usize;
        noted.0.fetch_add(1, Ordering::SeqCst);
        noted.1.fetch_add(1 + again, Ordering::SeqCst);
        vec![ticket.said.to_vec(); again]
    });
    let (_tap, job_log) = JobLog::of(&fleet.queue.url);
    let workers = [fleet.worker("2"), fleet.worker("2")];
    let accepted = create(&client, 0..jobs).await;
    let ends = settled(&client, &accepted).await;
    assert_eq!((ends.completed, ends.images), (accepted.len(), accepted.len()), "{ends}");

    // Workers claim every copy, and the coordinator refuses all but one claim per job.
    let (published, delivered) = (&tickets.0, &tickets.1);
    let until = Instant::now() + Duration::from_secs(60);
    while job_log.asked() < delivered.load(Ordering::SeqCst) {
        assert!(Instant::now() < until, "{} of {delivered:?} tickets were brought", job_log.asked());
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!(published.load(Ordering::SeqCst) >= 2 * accepted.len(), "a plan and a drawing each");
    assert!(accepted.iter().all(|id| (2..=5).contains(&job_log.asked_for(id))), "each plan came two to five times");
    assert_eq!(settled(&client, &accepted).await, ends, "what came late changes nothing");
    workers.into_iter().for_each(|worker| _ = stop(worker));
    let figures = format!("{published:?} tickets, {} brought, {ends}", job_log.asked());
    tell("i5, copies of tickets", began, &figures);
}
