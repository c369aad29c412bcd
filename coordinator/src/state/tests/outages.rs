//! Jobs while the object store is away.

use fleet::protocol::{Failure, MAX_CLAIMS, Outcome, Verdict};

use super::super::status::Status;
use super::{T0, bench, success};

fn store_away() -> Outcome {
    Outcome::Failed(Failure { code: "storage_failed".into(), message: "away".into(), retry: true })
}

#[test]
fn a_job_outlasts_a_store_that_is_away_for_a_while() {
    let b = bench(100);
    let id = b.accept(1);
    let mut failures = 0;
    // A minute of it.
    for _ in 0..10 {
        let (claim, _) = b.claim(b.next().unwrap(), T0).unwrap();
        assert_eq!(b.store.report(claim, &store_away(), T0).unwrap(), Verdict::Accepted);
        failures += 1;
        assert!(b.store.outbox_in_turns(9).next.is_empty(), "it waits for its store");
        assert_eq!(b.store.outbox(9).unwrap().len(), 1, "and is not forgotten");
    }
    assert!(failures > MAX_CLAIMS);
    // What kills its worker is given up as ever.
    let (claim, job) = b.claim(b.next().unwrap(), T0).unwrap();
    assert_eq!(b.store.report(claim, &success(&job), T0).unwrap(), Verdict::Accepted);
    b.drain(T0);
    assert_eq!(b.get(id).generation.status, Status::Completed);
    assert_eq!(b.check_money(), (85, 0));
}

#[test]
fn a_job_is_given_up_where_the_store_stays_away() {
    let b = bench(100);
    let id = b.accept(2);
    let mut failures = 0;
    while let Some(ticket) = b.next() {
        let (claim, _) = b.claim(ticket, T0).unwrap();
        b.store.report(claim, &store_away(), T0).unwrap();
        failures += 1;
        assert!(failures < 100, "it goes on for ever");
    }
    assert_eq!(failures, super::super::jobs::STORE_FAULTS + MAX_CLAIMS);
    let end = b.get(id).generation;
    assert_eq!((end.status, end.refunded, end.fault.unwrap().code.as_str()), (Status::Failed, 30, "storage_failed"));
    assert_eq!(b.check_money(), (100, 0));
}
