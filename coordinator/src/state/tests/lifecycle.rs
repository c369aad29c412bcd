//! Actions of clients on accepted generations, alone and mixed with all other events.

use std::collections::{BTreeMap, BTreeSet};

use fleet::protocol::Series;

use super::*;
use crate::credits::Movement;
use crate::state::rows::keyspace::EntryKey;
use crate::state::rows::schema::{EVENT_LOGS, GENERATIONS, JOBS, LEASES, LEDGER, OUTBOX, OUTPUTS, WARNINGS};

const FAR: Millis = Millis(i64::MAX);

impl Bench {
    fn cancel(&self, id: Uuid) -> Once<Snapshot, Refusal> {
        self.store.cancel(self.account, id, None, T0).unwrap()
    }

    fn retry(&self, id: Uuid) -> Once<Snapshot, Refusal> {
        self.store.retry(self.account, id, 600, None, T0).unwrap()
    }

    fn delete(&self, id: Uuid) -> bool {
        self.store.delete_generation(self.account, id, T0).unwrap()
    }

    /// Claims and completes the next job.
    fn work(&self, outcome: impl Fn(&Job) -> Outcome) -> Grant {
        let (claim, job) = self.claim(self.next().unwrap(), T0).unwrap();
        assert_eq!(self.store.report(claim, &outcome(&job), T0).unwrap(), Verdict::Accepted);
        claim
    }

    /// Counts the rows of the tables that hold parts of generations, and the jobs.
    fn rows(&self) -> [usize; 8] {
        let t = &self.store.shared.tables;
        [
            t.scan(&GENERATIONS, &[]).count(),
            t.scan(&OUTPUTS, &[]).count(),
            t.scan(&WARNINGS, &[]).count(),
            t.scan(&EVENT_LOGS, &[]).count(),
            t.scan(&JOBS, &[]).count(),
            t.scan(&LEASES, &[]).count(),
            t.scan(&OUTBOX, &[]).count(),
            t.scan(&CLOSED, &[]).count(),
        ]
    }
}

fn made<T: std::fmt::Debug, R: std::fmt::Debug>(once: Once<T, R>) -> T {
    match once {
        Once::Made(made) => made,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_cancelled_generation_is_stopped_and_what_is_ready_stays() {
    let b = bench(100);
    let id = b.accept(4);
    b.work(success);
    b.work(success);
    let (at_work, job) = b.claim(b.next().unwrap(), T0).unwrap();
    let waiting = b.next().unwrap();
    assert_eq!(b.store.backlog(), 3);

    let stopped = made(b.cancel(id));
    assert_eq!(stopped, b.get(id), "what is answered is what stands");
    let g = &stopped.generation;
    assert_eq!((g.status, g.charged, g.refunded, g.completed), (Status::Cancelled, 60, 45, Some(T0)));
    let ready = |s: &Snapshot| s.outputs.iter().filter(|o| matches!(o.end, Some(End::Ready(_)))).count();
    assert_eq!((stopped.outputs.len(), ready(&stopped)), (4, 1));
    assert_eq!(b.check_money(), (85, 0));
    assert_eq!(b.store.backlog(), 0);

    assert!(b.claim(waiting, T0).is_none(), "nobody begins");
    assert_eq!(b.store.heartbeat(at_work, T0).unwrap(), Verdict::Refused, "the worker learns it");
    assert_eq!(b.store.report(at_work, &success(&job), T0).unwrap(), Verdict::Refused);
    assert_eq!(b.store.report(at_work, &failure(true), T0).unwrap(), Verdict::Refused);
    assert!(b.next().is_none());
    assert_eq!(b.store.reconcile(|_, _| false).unwrap() + b.store.reap(FAR).unwrap(), 0);
    assert_eq!(b.get(id), stopped);

    // Objects that the worker may still store are removed later, unless the worker removes them itself.
    assert_eq!(b.store.due_deletions(9, T0).unwrap(), [""; 0]);
    let late = b.store.due_deletions(9, FAR).unwrap();
    let nonce = format!("{:032x}", at_work.claim.nonce);
    assert!(late.len() == 2 && late.iter().all(|key| key.contains(&nonce)), "{late:?}");

    assert_eq!(b.cancel(id), Once::Refused(Refusal::Stands(Status::Cancelled)));
    assert_eq!(b.retry(id), Once::Refused(Refusal::Stands(Status::Cancelled)));
    assert_eq!(b.cancel(Uuid::now_v7()), Once::Refused(Refusal::Absent));
}

#[test]
fn what_failed_is_rendered_again_for_credits_held_anew() {
    let b = bench(100);
    let id = b.accept(3);
    b.work(success);
    b.work(success);
    b.work(|_| failure(false));
    assert_eq!(b.retry(id), Once::Refused(Refusal::Stands(Status::Processing)));
    b.work(|_| failure(false));
    let partial = b.get(id).generation;
    assert_eq!((partial.status, partial.refunded, partial.failed), (Status::Partial, 30, 2));
    assert_eq!(b.check_money(), (85, 0));

    let again = made(b.retry(id));
    let g = &again.generation;
    assert_eq!((g.status, g.round, g.charged, g.refunded), (Status::Pending, 1, 75, 30));
    assert_eq!((&g.fault, g.completed, g.failed, g.done), (&None, None, 0, 1));
    assert!(again.outputs.is_empty());
    assert_eq!(b.check_money(), (55, 30));
    assert_eq!(b.store.backlog(), 2);
    assert!(
        b.store.outbox(9).unwrap().iter().all(|t| t.epoch.series == Series::Round(1)),
        "no ticket of an earlier round is good"
    );

    b.work(success);
    b.work(|_| failure(false));
    let partial = b.get(id).generation;
    assert_eq!((partial.status, partial.charged, partial.refunded), (Status::Partial, 75, 45));
    made(b.retry(id));
    b.drain(T0);
    let done = b.get(id);
    let g = &done.generation;
    assert_eq!((g.status, g.round, g.charged, g.refunded), (Status::Completed, 2, 90, 45));
    assert_eq!(done.outputs.iter().map(|o| o.slide).collect::<Vec<_>>(), [Some(0), Some(1), Some(2)]);
    assert_eq!(b.check_money(), (55, 0));
    assert_eq!(b.retry(id), Once::Refused(Refusal::Stands(Status::Completed)));
}

#[test]
fn a_failed_plan_is_made_again() {
    let b = bench(30);
    let id = b.accept(2);
    b.work(|_| failure(false));
    assert_eq!(b.get(id).generation.status, Status::Failed);
    assert_eq!(b.store.retry(b.account, id, 1, None, T0).unwrap(), Once::Refused(Refusal::Full));
    let spent = b.accept(1);
    assert_eq!(b.retry(id), Once::Refused(Refusal::Insufficient { required: 30, available: 15 }));
    made(b.cancel(spent));
    let g = made(b.retry(id)).generation;
    assert_eq!((g.status, g.charged, g.refunded), (Status::Pending, 60, 30));
    b.drain(T0);
    let g = b.get(id).generation;
    assert_eq!((g.status, g.done, g.failed), (Status::Completed, 2, 0));
    assert_eq!(b.check_money(), (0, 0));
}

#[test]
fn nothing_is_left_of_a_deleted_generation_but_what_it_cost() {
    let b = bench(200);
    let (kept, done, half) = (b.accept(1), b.accept(2), b.accept(3));
    while let Some(ticket) = b.next() {
        let (claim, job) = b.claim(ticket, T0).unwrap();
        let first_of_half = matches!(&job, Job::Render(r) if r.generation == half);
        if first_of_half {
            break;
        }
        b.store.report(claim, &success(&job), T0).unwrap();
    }
    assert_eq!(b.get(half).generation.status, Status::Processing);
    assert!(b.delete(done) && b.delete(half));
    assert!(!b.delete(done), "it is gone");
    assert_eq!(b.store.generation(b.account, done).unwrap(), None);
    assert_eq!(b.store.generations(b.account, &Filter::default(), None, 9).unwrap().0.len(), 1);
    assert_eq!(b.check_money(), (155, 0));
    assert_eq!(b.store.backlog(), 0);
    assert_eq!(b.store.due_deletions(99, T0).unwrap().len(), 4, "two images with their thumbnails");
    assert_eq!(b.store.due_deletions(99, FAR).unwrap().len(), 6, "and what was being made");
    let only_the_other = [1, 1, 3, 1, 0, 0, 0, 2];
    assert_eq!(b.rows(), only_the_other);
    assert_eq!(b.get(kept).generation.status, Status::Completed);
    assert!(b.delete(kept));
    assert_eq!(b.rows(), [0; 8]);
    // Generations of other accounts are not found.
    let mine = b.accept(1);
    assert!(!b.store.delete_generation(Uuid::now_v7(), mine, T0).unwrap());
}

#[test]
fn an_idempotency_key_outlives_its_generation() {
    let b = bench(100);
    let order = Order { idempotency: keyed("new", 1), ..order(b.account, 1) };
    let Accepted::Created(first) = b.store.accept(&order).unwrap() else { panic!() };
    let id = first.generation.id;
    let cancel = |key, hash| b.store.cancel(b.account, id, keyed(key, hash).as_ref(), T0).unwrap();
    let stopped = made(cancel("stop", 2));
    assert_eq!(cancel("stop", 2), Once::Replayed(told(&stopped)));
    assert_eq!(cancel("stop", 3), Once::Conflict);
    assert_eq!(cancel("new", 2), Once::Conflict, "the key of another request");
    assert_eq!(cancel("late", 4), Once::Refused(Refusal::Stands(Status::Cancelled)));
    assert!(b.delete(id));
    assert_eq!(cancel("stop", 2), Once::Replayed(told(&stopped)));
    assert_eq!(cancel("late", 4), Once::Refused(Refusal::Absent), "what was refused is not kept");
    assert_eq!(b.store.accept(&order).unwrap(), Accepted::Replayed(told(&first)));
    assert_eq!(b.store.generations(b.account, &Filter::default(), None, 9).unwrap().0, []);
    assert_eq!(b.check_money(), (100, 0));
}

#[test]
fn one_of_many_cancellations_at_once_is_made() {
    let b = bench(1000);
    let id = b.accept(20);
    b.work(success);
    let (done, stood) = (AtomicUsize::new(0), AtomicUsize::new(0));
    std::thread::scope(|threads| {
        threads.spawn(|| {
            while let Some((claim, job)) = b.next().and_then(|ticket| b.claim(ticket, T0)) {
                b.store.report(claim, &success(&job), T0).unwrap();
            }
        });
        for _ in 0..4 {
            threads.spawn(|| match b.cancel(id) {
                Once::Made(_) => done.fetch_add(1, Ordering::Relaxed),
                Once::Refused(Refusal::Stands(Status::Cancelled | Status::Completed)) => {
                    stood.fetch_add(1, Ordering::Relaxed)
                }
                other => panic!("{other:?}"),
            });
        }
    });
    let g = b.get(id).generation;
    assert_eq!(done.into_inner(), usize::from(g.status == Status::Cancelled));
    assert_eq!(g.charged - g.refunded, u64::from(g.done) * 15);
    assert_eq!(b.check_money(), (1000 - u64::from(g.done) * 15, 0));
    assert_eq!(b.store.backlog(), 0);
}

#[test]
fn news_are_told_to_those_who_wait() {
    use futures::FutureExt;
    let b = bench(100);
    let id = b.accept(1);
    let mut watch = b.store.watch(id);
    let mut told = || watch.news().now_or_never().is_some();
    assert!(!told());
    let (claim, job) = b.claim(b.next().unwrap(), T0).unwrap();
    assert!(told());
    b.store.heartbeat(claim, T0).unwrap();
    assert!(!told(), "a heartbeat is no news");
    b.store.report(claim, &success(&job), T0).unwrap();
    assert!(told());
    b.work(|_| failure(false));
    assert!(told());
    made(b.retry(id));
    assert!(told());
    made(b.cancel(id));
    assert!(told());
    assert!(b.delete(id) && told());
}

/// A client that follows a generation, and occasionally reconnects and resumes.
#[derive(Debug, Default)]
struct Reader {
    after: u32,
    seen: BTreeSet<Uuid>,
}

impl Reader {
    fn look(&mut self, b: &Bench, id: Uuid) {
        let Some(look) = b.store.look(b.account, id, self.after).unwrap() else { return };
        let mut last = self.after;
        for (number, _, output) in look.landed {
            assert!(number > last, "in order, and none before what was told");
            last = number;
            assert!(self.seen.insert(output.id), "told twice");
        }
        assert!(look.told >= last);
        self.after = look.told;
    }
}

/// A generation as the test tracks it.
#[derive(Debug)]
struct Known {
    id: Uuid,
    last: Generation,
    progress: u32,
    told: u32,
    gone: bool,
    reader: Reader,
}

/// A random sequence of actions of clients, workers and maintenance.
struct Walk {
    b: Bench,
    now: Millis,
    known: Vec<Known>,
    tickets: Vec<Ticket>,
    claims: Vec<(Grant, Job)>,
}

impl Walk {
    fn new(credits: u64) -> Self {
        Self { b: bench(credits), now: T0, known: vec![], tickets: vec![], claims: vec![] }
    }

    /// Performs an action. Returns the index of the generation that it retried.
    fn step(&mut self, event: u8, which: usize) -> Option<usize> {
        let Self { b, now, known, tickets, claims } = self;
        let place = which % known.len().max(1);
        let named = known.get(place).map(|k| k.id);
        match (event, named) {
            (0 | 1, _) => {
                if let Accepted::Created(s) = b.store.accept(&order(b.account, 1 + which as u32 % 3)).unwrap() {
                    let (id, last) = (s.generation.id, s.generation);
                    known.push(Known { id, last, progress: 0, told: 1, gone: false, reader: Reader::default() });
                }
            }
            (2..=4, _) => {
                if let Some(ticket) = b.next() {
                    tickets.push(ticket);
                    claims.extend(b.claim(ticket, *now));
                }
            }
            // A ticket that the queue delivers again.
            (5, _) => {
                if let Some(ticket) = tickets.get(which % tickets.len().max(1)) {
                    claims.extend(b.claim(*ticket, *now));
                }
            }
            (6..=8, _) => {
                if let Some((claim, job)) = chosen(claims, which) {
                    b.store.report(*claim, &success(job), *now).unwrap();
                }
            }
            (9 | 10, _) => {
                if let Some((claim, _)) = chosen(claims, which) {
                    b.store.report(*claim, &failure(which.is_multiple_of(4)), *now).unwrap();
                }
            }
            (11, Some(id)) => drop(b.store.cancel(b.account, id, None, *now).unwrap()),
            (12 | 13, Some(id)) => {
                let retried = b.store.retry(b.account, id, 600, None, *now).unwrap();
                return matches!(retried, Once::Made(_)).then_some(place);
            }
            (14, Some(id)) => known[place].gone |= b.store.delete_generation(b.account, id, *now).unwrap(),
            (15 | 16, Some(id)) => known[place].reader.look(b, id),
            _ => {
                *now = now.plus_seconds(LEASE_S);
                b.store.reap(*now).unwrap();
            }
        }
        None
    }

    /// Lets everything run to its end.
    fn end(&mut self) {
        self.b.store.reap_all(self.now).unwrap();
        self.b.store.reconcile(|_, _| false).unwrap();
        self.b.drain(self.now);
        for known in self.known.iter_mut().filter(|k| !k.gone) {
            known.reader.look(&self.b, known.id);
        }
    }

    /// Returns every round of every output in the ledger: the amounts reserved, captured and released.
    fn rounds(&self) -> BTreeMap<Vec<u8>, [u64; 3]> {
        let mut rounds = BTreeMap::<Vec<u8>, [u64; 3]>::new();
        for row in self.b.store.shared.tables.scan(&LEDGER, &[]) {
            let (key, entry) = row.unwrap();
            let (_, round) = key.split_last().unwrap();
            let place = match EntryKey::movement(&key).unwrap() {
                Movement::Hold => 0,
                Movement::Capture => 1,
                Movement::Release => 2,
                _ => continue,
            };
            let sum = &mut rounds.entry(round.to_vec()).or_default()[place];
            assert_eq!(*sum, 0, "entered twice");
            *sum = entry.amount;
        }
        rounds
    }
}

/// Usually returns the latest claim, sometimes an older one.
fn chosen(claims: &[(Grant, Job)], which: usize) -> Option<&(Grant, Job)> {
    if which < 9 { claims.last() } else { claims.get(which % claims.len().max(1)) }
}

fn events() -> impl Strategy<Value = Vec<(u8, usize)>> {
    prop::collection::vec((0u8..18, 0usize..12), 1..150)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    /// The balance always equals the sum of the ledger. No round of an output is both captured and released, or either
    /// twice, and in the end each round was one of them.
    #[test]
    fn i2_every_credit_is_held_once_and_taken_or_given_back_once(events in events()) {
        const GRANT: u64 = 200;
        let mut walk = Walk::new(GRANT);
        for (event, which) in events {
            walk.step(event, which);
            walk.b.check_money();
            for [held, taken, back] in walk.rounds().into_values() {
                prop_assert!(held > 0 && (taken == 0 || back == 0) && taken + back <= held);
            }
            for known in walk.known.iter().filter(|k| !k.gone) {
                let g = walk.b.get(known.id).generation;
                let paid = u64::from(g.done) * credits::SLIDE;
                let open = u64::from(g.total - g.done - g.failed) * credits::SLIDE;
                let held = if g.status.is_terminal() { 0 } else { open };
                prop_assert_eq!(g.charged - g.refunded, paid + held);
            }
        }
        walk.end();
        let rounds = walk.rounds();
        prop_assert!(rounds.values().all(|[held, taken, back]| taken + back == *held));
        let spent: u64 = rounds.values().map(|[_, taken, _]| taken).sum();
        prop_assert_eq!(walk.b.check_money(), (GRANT - spent, 0));
        prop_assert_eq!(walk.b.store.backlog(), 0);
    }

    /// Only a retry moves a status or the progress back. Outputs are complete at the end and absent before. Events
    /// arrive once and in order. A deletion leaves nothing behind.
    #[test]
    fn i11_statuses_never_go_back_but_by_a_retry(events in events()) {
        let mut walk = Walk::new(10_000);
        let rank = |s: Status| match s {
            Status::Pending => 0,
            Status::Processing => 1,
            _ => 2,
        };
        for (event, which) in events {
            let retried = walk.step(event, which);
            for (place, known) in walk.known.iter_mut().enumerate() {
                let there = walk.b.store.generation(walk.b.account, known.id).unwrap();
                prop_assert_eq!(there.is_none(), known.gone);
                let Some(Snapshot { generation: g, outputs, .. }) = there else { continue };
                let (before, progress) = (&known.last, crate::api::view::progress(&g).0);
                if retried == Some(place) {
                    prop_assert!(matches!(before.status, Status::Partial | Status::Failed));
                    prop_assert_eq!((g.round, g.status, g.completed), (before.round + 1, Status::Pending, None));
                } else {
                    prop_assert_eq!(g.round, before.round);
                    prop_assert!(rank(g.status) >= rank(before.status));
                    prop_assert!(g.status == before.status || !before.status.is_terminal());
                    prop_assert!(progress >= known.progress);
                }
                prop_assert_eq!(g.completed.is_some(), g.status.is_terminal());
                prop_assert_eq!(outputs.len(), if g.status.is_terminal() { g.total as usize } else { 0 });
                let slides: Vec<_> = outputs.iter().map(|o| o.slide).collect();
                prop_assert!(slides.is_sorted());
                let told = walk.b.store.look(walk.b.account, known.id, 0).unwrap().unwrap().told;
                prop_assert_eq!(told > known.told, g != *before, "news are numbered, and nothing else");
                (known.last, known.progress, known.told) = (g, progress, told);
            }
        }
        walk.end();
        for known in walk.known.iter().filter(|k| !k.gone) {
            let snapshot = walk.b.get(known.id);
            prop_assert!(snapshot.generation.status.is_terminal());
            let ready: BTreeSet<Uuid> =
                snapshot.outputs.iter().filter(|o| matches!(o.end, Some(End::Ready(_)))).map(|o| o.id).collect();
            prop_assert_eq!(ready.len(), snapshot.generation.done as usize);
            prop_assert_eq!(&known.reader.seen, &ready, "whoever follows sees each that landed");
        }
        for known in &walk.known {
            walk.b.delete(known.id);
        }
        prop_assert_eq!(walk.b.rows(), [0; 8]);
    }
}

#[test]
fn generations_are_deleted_when_they_were_kept_long_enough() {
    let b = bench(1000);
    let ended: Vec<Uuid> = (0..5).map(|_| b.accept(1)).collect();
    b.drain(T0);
    let open = b.accept(1);
    let later = T0.plus_seconds(60);
    assert_eq!(b.store.delete_old(T0, 100, later).unwrap(), 0, "none is older than that");
    assert_eq!(b.store.delete_old(later, 2, later).unwrap(), 2);
    assert_eq!(b.store.generation(b.account, ended[0]).unwrap(), None, "the oldest go first");
    assert_eq!(b.store.delete_old(later, 100, later).unwrap(), 3);
    assert_eq!(b.store.delete_old(later, 100, later).unwrap(), 0);
    assert_eq!(b.get(open).generation.status, Status::Pending, "what has not ended stays");
    b.check_money();
}
