//! Jobs during an outage of the object store.

use fleet::protocol::{Failure, Outcome, Verdict};

use super::{T0, bench, success};
use crate::state::status::Status;

fn store_away() -> Outcome {
    Outcome::Failed(Failure {
        code: "storage_failed".into(),
        message: "away".into(),
        retry: true,
        tokens: None,
        usage: None,
    })
}

#[test]
fn a_job_outlasts_a_store_that_is_away_for_a_while() {
    let b = bench(100);
    let id = b.accept(1);
    let mut now = T0;
    // One minute of outage. Interruptions of the whole process during it are counted separately.
    for _ in 0..10 {
        let (claim, _) = b.claim(b.next().unwrap(), now).unwrap();
        assert_eq!(b.store.report(claim, &store_away(), now).unwrap(), Verdict::Accepted);
        assert!(b.store.next_tickets(9).next.is_empty(), "it waits for its store");
        assert_eq!(b.store.outbox(9).unwrap().len(), 1, "and is not forgotten");
        b.claim(b.next().unwrap(), now).unwrap();
        assert_eq!(b.store.reap_all(now).unwrap(), 1);
        now = now.plus_seconds(6);
    }
    let (claim, job) = b.claim(b.next().unwrap(), now).unwrap();
    assert_eq!(b.store.report(claim, &success(&job), now).unwrap(), Verdict::Accepted);
    b.drain(now);
    assert_eq!(b.get(id).generation.status, Status::Completed);
    assert_eq!(b.check_money(), (85, 0));
}

#[test]
fn who_comes_late_to_an_outage_does_not_wait_as_long_again() {
    // The last failure of other jobs, whether anything was stored in the meantime, and when the next job fails.
    for (until, stored, late, given_up) in
        [(300, false, 301, true), (250, false, 299, false), (300, true, 301, false), (200, false, 301, false)]
    {
        let b = bench(100);
        let ids = [0; 2].map(|_| b.accept(1));
        let at = |seconds| T0.plus_seconds(seconds);
        let (first, second) = (b.next().unwrap(), b.next().unwrap());
        let mut ticket = first;
        for now in (0..until).step_by(25).map(at) {
            let (claim, _) = b.claim(ticket, now).unwrap();
            b.store.report(claim, &store_away(), now).unwrap();
            ticket = b.next().unwrap();
        }
        if stored {
            let (claim, job) = b.claim(ticket, at(until)).unwrap();
            b.store.report(claim, &success(&job), at(until)).unwrap();
        }
        let (claim, _) = b.claim(second, at(late)).unwrap();
        b.store.report(claim, &store_away(), at(late)).unwrap();
        let status = b.get(ids[1]).generation.status;
        assert_eq!(status == Status::Failed, given_up, "{until} {stored} {late}: {status:?}");
    }
}

#[test]
fn a_job_is_given_up_where_the_store_stays_away() {
    // However often it is tried in the meantime.
    for (every, tries) in [(1, 301), (40, 9), (299, 3), (1_000, 3)] {
        let b = bench(100);
        let id = b.accept(2);
        let (mut now, mut failures) = (T0, 0);
        while let Some(ticket) = b.next() {
            let (claim, _) = b.claim(ticket, now).unwrap();
            b.store.report(claim, &store_away(), now).unwrap();
            failures += 1;
            now = now.plus_seconds(every);
            assert!(failures <= tries, "it goes on for ever");
        }
        assert_eq!(failures, tries, "every {every} s");
        let end = b.get(id).generation;
        assert_eq!(
            (end.status, end.refunded, end.fault.unwrap().code.as_str()),
            (Status::Failed, 30, "storage_failed")
        );
        assert_eq!(b.check_money(), (100, 0));
    }
}
