//! The guarantees of the state, tested event by event and in any order of events.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use fleet::protocol::{
    BlobId, Claim, ClaimAnswer, Class, Failure, Grant, Job, LEASE_S, MAX_CLAIMS, Outcome, Planned, PlannedPage,
    Rendered, Terms, Ticket, Verdict, Wishes,
};
use proptest::prelude::*;
use render_core::format::Resolution;
use render_core::inspect::Quality;
use render_core::warning::{Warning, WarningCode};
use tempfile::TempDir;
use uuid::Uuid;

use super::*;
use crate::accounts::Plan;
use crate::clock::Millis;
use crate::credits;
use crate::state::database::commit::Committer;
use crate::state::rows::schema::{ANSWERS, CLOSED, IDEMPOTENCY};

mod damage;
mod edits;
mod keys;
mod lifecycle;
mod outages;
mod people;
mod room;

pub(super) const T0: Millis = Millis(1_700_000_000_000);

pub(super) struct Bench {
    pub(super) folder: TempDir,
    pub(super) store: Store,
    pub(super) account: Uuid,
}

pub(super) fn account() -> Account {
    Account { name: "test".into(), plan: Plan::Pro, active: true, created: T0 }
}

pub(super) fn bench(credits: u64) -> Bench {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let account = store.create_account(&account(), credits).unwrap();
    Bench { folder, store, account }
}

pub(crate) fn order(account: Uuid, slides: u32) -> Order {
    let output = |slide| PlannedOutput {
        format: "deck".into(),
        slide: Some(slide),
        width: 1638,
        height: 2048,
        cost: credits::SLIDE,
    };
    Order {
        exact: false,
        brand: None,
        sizes: OrderSizes { input: 40, ..OrderSizes::default() },
        account,
        key: None,
        created: T0,
        request: Request {
            given: Given::Text,
            input: BlobId([7; 32]),
            excerpt: "The quick brown fox".into(),
            formats: vec![("deck".into(), Some(slides))],
            title: None,
            brand: None,
            style: None,
            language: None,
            resolution: Resolution::TwoK,
            image_format: ImageFormat::Png,
            seed: 1,
        },
        outputs: (0..slides).map(output).collect(),
        photos: Vec::new(),
        parent: None,
        wishes: Wishes::default(),
        webhook: None,
        warnings: vec![Warning::new(WarningCode::UnknownField, "no such field")],
        idempotency: None,
    }
}

/// An idempotency key whose response is the generation's id.
fn keyed(key: &str, hash: u8) -> Option<Keyed<Snapshot>> {
    Some(Keyed::new(key.into(), [hash; 32], told))
}

fn told(snapshot: &Snapshot) -> Answer {
    let body = AnswerBody::Bytes(snapshot.generation.id.as_bytes().to_vec());
    Answer { status: 202, location: None, body }
}

impl Bench {
    pub(super) fn accept(&self, slides: u32) -> Uuid {
        match self.store.accept(&order(self.account, slides)).unwrap() {
            Accepted::Created(s) => s.generation.id,
            other => panic!("{other:?}"),
        }
    }

    /// Takes the next ticket of the outbox, as the queue would.
    pub(super) fn next(&self) -> Option<Ticket> {
        let ticket = self.store.outbox(1).unwrap().first().copied()?;
        self.store.published(&[ticket]).unwrap();
        Some(ticket)
    }

    pub(super) fn claim(&self, ticket: Ticket, now: Millis) -> Option<(Grant, Job)> {
        let nonce = Uuid::new_v7(uuid::Timestamp::now(uuid::NoContext)).as_u128();
        match self.store.claim(ticket, &NewClaim::here("w", nonce), now).unwrap() {
            ClaimAnswer::Granted(claim, job, Terms { secret, .. }) => Some((Grant { claim, secret }, job)),
            ClaimAnswer::Refused => None,
        }
    }

    pub(super) fn get(&self, id: Uuid) -> Snapshot {
        self.store.generation(self.account, id).unwrap().unwrap()
    }

    /// Completes everything that waits.
    pub(super) fn drain(&self, now: Millis) {
        while let Some(ticket) = self.next() {
            if let Some((claim, job)) = self.claim(ticket, now) {
                assert_eq!(self.store.report(claim, &success(&job), now).unwrap(), Verdict::Accepted);
            }
        }
    }

    /// Returns the available and the reserved credits, after checking the balance against the ledger.
    pub(super) fn check_money(&self) -> (u64, u64) {
        let balance = self.store.balance(self.account, T0).unwrap();
        let money = (balance.available(), balance.reserved);
        assert_eq!(self.store.audit(self.account).unwrap(), money);
        self.store.shared.scheduler.agrees_with(&self.store.shared.tables);
        money
    }
}

pub(super) fn success(job: &Job) -> Outcome {
    match job {
        Job::Plan(plan) => {
            let slides = plan.formats[0].1.unwrap();
            let page = |slide| PlannedPage {
                format: "deck".into(),
                slide: Some(slide),
                page: BlobId([slide as u8; 32]),
                alt_text: format!("slide {slide}"),
            };
            Outcome::Planned(Planned {
                document: BlobId([9; 32]),
                title: "Foxes".into(),
                language: "en".into(),
                style: "modern".into(),
                pages: (0..slides).map(page).collect(),
                warnings: vec![Warning::new(WarningCode::FewPoints, "few")],
                photos: vec![BlobId([6; 32])],
                tokens: None,
                usage: None,
            })
        }
        Job::Render(render) => Outcome::Rendered(Rendered {
            object: format!("images/{}.png", render.output),
            thumbnail: format!("images/{}-t.png", render.output),
            bytes: 5,
            sha256: [1; 32],
            quality: Quality::default(),
            warnings: vec![Warning::new(WarningCode::TextShrunk, "shrunk")],
        }),
    }
}

pub(super) fn failure(retry: bool) -> Outcome {
    Outcome::Failed(Failure { code: "no_content".into(), message: "nothing".into(), retry, tokens: None, usage: None })
}

#[test]
fn an_order_goes_all_the_way() {
    let b = bench(100);
    let id = b.accept(3);
    assert_eq!(b.check_money(), (55, 45));
    assert_eq!(b.store.backlog(), 3);
    assert_eq!(b.get(id).generation.status, Status::Pending);

    let (claim, job) = b.claim(b.next().unwrap(), T0).unwrap();
    assert_eq!(b.get(id).generation.status, Status::Processing);
    assert_eq!(b.store.report(claim, &success(&job), T0).unwrap(), Verdict::Accepted);
    assert!(b.get(id).outputs.is_empty(), "nothing shows before the end");
    b.drain(T0);

    let done = b.get(id);
    assert_eq!(done.generation.status, Status::Completed);
    assert_eq!(done.generation.completed, Some(T0));
    assert_eq!(done.outputs.iter().map(|o| o.slide).collect::<Vec<_>>(), [Some(0), Some(1), Some(2)]);
    // One warning of the request, one of the plan, and the same one of each output.
    let about: Vec<_> = done.warnings.iter().map(|w| (w.warning.code, w.output)).collect();
    let shrunk = |place| (WarningCode::TextShrunk, Some(place));
    let general = [(WarningCode::UnknownField, None), (WarningCode::FewPoints, None)];
    assert_eq!(about, [&general[..], &[shrunk(0), shrunk(1), shrunk(2)]].concat());
    assert_eq!(b.check_money(), (55, 0));
    assert_eq!(b.store.backlog(), 0);
}

#[test]
fn a_ticket_is_good_for_one_claim() {
    let b = bench(100);
    b.accept(1);
    let ticket = b.next().unwrap();
    assert!(b.claim(Ticket { epoch: 2.into(), ..ticket }, T0).is_none(), "not that epoch");
    let (claim, job) = b.claim(ticket, T0).unwrap();
    assert!(b.claim(ticket, T0).is_none(), "leased");
    b.store.report(claim, &success(&job), T0).unwrap();
    assert!(b.claim(ticket, T0).is_none(), "done");
}

#[test]
fn who_works_on_what_is_told_until_it_is_reported() {
    let b = bench(100);
    let id = b.accept(2);
    let (plan, job) = b.claim(b.next().unwrap(), T0).unwrap();
    let at_work = |job: Uuid, class, place, since| AtWork {
        worker: "w".into(),
        job,
        generation: id,
        class,
        place,
        claim: 1,
        since,
    };
    assert_eq!(b.store.at_work().unwrap(), [at_work(id, Class::Plan, None, T0)]);
    b.store.report(plan, &success(&job), T0).unwrap();
    assert!(b.store.at_work().unwrap().is_empty());
    let later = T0.plus_seconds(1);
    let (first, _) = b.claim(b.next().unwrap(), later).unwrap();
    let (second, job) = b.claim(b.next().unwrap(), T0).unwrap();
    // A heartbeat extends a claim without renewing it.
    b.store.heartbeat(first, later.plus_seconds(5)).unwrap();
    let drawing = |Grant { claim, .. }: Grant, place, since| at_work(claim.job, Class::Render2k, Some(place), since);
    assert_eq!(b.store.at_work().unwrap(), [drawing(second, 1, T0), drawing(first, 0, later)]);
    b.store.report(second, &success(&job), later).unwrap();
    assert_eq!(b.store.at_work().unwrap(), [drawing(first, 0, later)]);
}

#[test]
fn a_repeated_report_is_taken_and_changes_nothing() {
    let b = bench(100);
    let id = b.accept(2);
    let (plan, plan_job) = b.claim(b.next().unwrap(), T0).unwrap();
    for _ in 0..3 {
        assert_eq!(b.store.report(plan, &success(&plan_job), T0).unwrap(), Verdict::Accepted);
    }
    assert_eq!(b.store.outbox(9).unwrap().len(), 2, "one job an output, once");
    let (claim, job) = b.claim(b.next().unwrap(), T0).unwrap();
    for _ in 0..3 {
        assert_eq!(b.store.report(claim, &success(&job), T0).unwrap(), Verdict::Accepted);
    }
    assert_eq!(b.get(id).generation.done, 1);
    assert_eq!(b.check_money(), (70, 15));
    let stranger = Grant { claim: Claim { nonce: claim.claim.nonce ^ 1, ..claim.claim }, ..claim };
    assert_eq!(b.store.report(stranger, &success(&job), T0).unwrap(), Verdict::Refused);
}

#[test]
fn a_stale_worker_cannot_finish() {
    let b = bench(100);
    let id = b.accept(1);
    let (stale, job) = b.claim(b.next().unwrap(), T0).unwrap();
    let beat = T0.plus_seconds(LEASE_S - 1);
    assert_eq!(b.store.heartbeat(stale, beat).unwrap(), Verdict::Accepted);
    let late = beat.plus_seconds(LEASE_S);
    assert_eq!(b.store.reap(late.minus_seconds(1)).unwrap(), 0, "the heartbeat counted");
    assert_eq!(b.store.heartbeat(stale, late).unwrap(), Verdict::Refused);
    assert_eq!(b.store.report(stale, &success(&job), late).unwrap(), Verdict::Refused);
    assert_eq!(b.store.reap(late).unwrap(), 1);

    let again = b.next().unwrap();
    assert!(again.epoch.quarantined, "it may be what its worker died of");
    let (claim, _) = b.claim(again, late).unwrap();
    assert_eq!(b.store.report(stale, &success(&job), late).unwrap(), Verdict::Refused);
    assert_eq!(b.store.report(claim, &success(&job), late).unwrap(), Verdict::Accepted);
    b.drain(late);
    assert_eq!(b.get(id).generation.status, Status::Completed);
}

#[test]
fn a_poison_job_ends_after_its_last_claim() {
    let b = bench(100);
    let id = b.accept(2);
    let mut now = T0;
    for n in 1..=MAX_CLAIMS {
        let (claim, _) = b.claim(b.next().unwrap(), now).unwrap();
        if n % 2 == 0 {
            assert_eq!(b.store.report(claim, &failure(true), now).unwrap(), Verdict::Accepted);
        } else {
            now = now.plus_seconds(LEASE_S);
            assert_eq!(b.store.reap(now).unwrap(), 1);
        }
    }
    assert!(b.next().is_none(), "it is not enqueued again");
    let end = b.get(id).generation;
    assert_eq!((end.status, end.failed, end.refunded), (Status::Failed, 2, 30));
    assert_eq!(end.fault.unwrap().code, "render_failed");
    assert_eq!(b.check_money(), (100, 0));
    assert_eq!(b.store.backlog(), 0);
}

#[test]
fn what_fails_for_good_is_refunded() {
    let b = bench(100);
    let nothing = b.accept(2);
    let (claim, _) = b.claim(b.next().unwrap(), T0).unwrap();
    b.store.report(claim, &failure(false), T0).unwrap();
    assert_eq!(b.get(nothing).generation.status, Status::Failed);
    assert_eq!(b.get(nothing).generation.fault.unwrap().code, "no_content");
    assert_eq!(b.check_money(), (100, 0));

    let some = b.accept(3);
    let (claim, job) = b.claim(b.next().unwrap(), T0).unwrap();
    b.store.report(claim, &success(&job), T0).unwrap();
    let (claim, _) = b.claim(b.next().unwrap(), T0).unwrap();
    b.store.report(claim, &failure(false), T0).unwrap();
    b.drain(T0);
    let end = b.get(some).generation;
    assert_eq!((end.status, end.charged, end.refunded), (Status::Partial, 45, 15));
    assert_eq!(b.check_money(), (70, 0));
}

#[test]
fn pages_that_were_not_asked_for_are_refused() {
    let b = bench(100);
    b.accept(2);
    let (claim, job) = b.claim(b.next().unwrap(), T0).unwrap();
    let Outcome::Planned(mut plan) = success(&job) else { unreachable!() };
    plan.pages.pop();
    assert_eq!(b.store.report(claim, &Outcome::Planned(plan), T0).unwrap(), Verdict::Refused);
    assert_eq!(b.store.report(claim, &success(&job), T0).unwrap(), Verdict::Accepted);
}

#[test]
fn no_more_is_spent_than_there_is() {
    // A balance for seven orders, and five hundred at once.
    let b = bench(7 * 15 + 14);
    let (accepted, refused) = (AtomicUsize::new(0), AtomicUsize::new(0));
    std::thread::scope(|threads| {
        for _ in 0..20 {
            threads.spawn(|| {
                for _ in 0..25 {
                    match b.store.accept(&order(b.account, 1)).unwrap() {
                        Accepted::Created(_) => accepted.fetch_add(1, Ordering::Relaxed),
                        Accepted::Insufficient { required: 15, available } if available < 15 => {
                            refused.fetch_add(1, Ordering::Relaxed)
                        }
                        other => panic!("{other:?}"),
                    };
                }
            });
        }
    });
    assert_eq!((accepted.into_inner(), refused.into_inner()), (7, 493));
    assert_eq!(b.check_money(), (14, 105));
}

#[test]
fn an_idempotency_key_makes_one_generation() {
    let b = bench(100);
    let keyed = |hash| Order { idempotency: keyed("k", hash), ..order(b.account, 1) };
    let Accepted::Created(first) = b.store.accept(&keyed(1)).unwrap() else { panic!() };
    b.drain(T0);
    let Accepted::Replayed(again) = b.store.accept(&keyed(1)).unwrap() else { panic!() };
    assert_eq!(again, told(&first), "what was answered then");
    assert_eq!(b.store.accept(&keyed(2)).unwrap(), Accepted::Conflict);
    let tomorrow = Order { created: T0.plus_seconds(24 * 3600), ..keyed(2) };
    assert!(matches!(b.store.accept(&tomorrow).unwrap(), Accepted::Created(_)));
    // Another account's key is a different key.
    let other = b.store.create_account(&account(), 100).unwrap();
    let theirs = Order { account: other, ..keyed(1) };
    assert!(matches!(b.store.accept(&theirs).unwrap(), Accepted::Created(_)));
}

#[test]
fn a_refused_order_leaves_its_idempotency_key_free() {
    let b = bench(10);
    let first = Order { idempotency: keyed("k", 1), ..order(b.account, 1) };
    assert!(matches!(b.store.accept(&first).unwrap(), Accepted::Insufficient { required: 15, available: 10 }));
    let cheaper = Order { idempotency: keyed("k", 2), ..order(b.account, 0) };
    assert!(matches!(b.store.accept(&cheaper).unwrap(), Accepted::Created(_)));
}

#[test]
fn accounts_do_not_see_each_other() {
    let b = bench(100);
    let id = b.accept(1);
    let other = b.store.create_account(&account(), 100).unwrap();
    assert_eq!(b.store.generation(other, id).unwrap(), None);
    assert_eq!(b.store.generations(other, &Filter::default(), None, 10).unwrap(), (vec![], false));
    assert_eq!(b.store.balance(other, T0).unwrap().available(), 100);
}

#[test]
fn lists_are_newest_first_and_go_on_where_they_ended() {
    let b = bench(1000);
    let ids: Vec<Uuid> = (0..5).map(|_| b.accept(1)).collect();
    let all = Filter::default();
    let page = |after| b.store.generations(b.account, &all, after, 2).unwrap();
    let seen = |(page, more): (Vec<Snapshot>, bool)| (page.iter().map(|s| s.generation.id).collect::<Vec<_>>(), more);
    assert_eq!(seen(page(None)), (vec![ids[4], ids[3]], true));
    assert_eq!(seen(page(Some(ids[3]))), (vec![ids[2], ids[1]], true));
    assert_eq!(seen(page(Some(ids[1]))), (vec![ids[0]], false));

    b.drain(T0);
    b.accept(1);
    let count = |f: Filter| b.store.generations(b.account, &f, None, 10).unwrap().0.len();
    assert_eq!(count(Filter { status: Some(Status::Completed), ..Filter::default() }), 5);
    assert_eq!(count(Filter { query: Some("FOXES".into()), ..Filter::default() }), 5, "the title that was found");
    assert_eq!(count(Filter { query: Some("quick BROWN".into()), ..Filter::default() }), 6, "how the content begins");
    assert_eq!(count(Filter { created_before: Some(T0), ..Filter::default() }), 0);
    assert_eq!(count(Filter { created_after: Some(T0), ..Filter::default() }), 6);
    assert_eq!(count(Filter { brand: Some(Uuid::nil()), ..Filter::default() }), 0);
}

#[test]
fn what_was_accepted_outlives_the_process() {
    let folder = tempfile::tempdir().unwrap();
    let (id, account, secret) = {
        let store = Store::open(folder.path()).unwrap();
        let account = store.create_account(&account(), 100).unwrap();
        let Accepted::Created(made) = store.accept(&order(account, 2)).unwrap() else { panic!() };
        let ticket = store.outbox(1).unwrap()[0];
        store.published(&[ticket]).unwrap();
        assert!(matches!(store.claim(ticket, &NewClaim::here("gone", 1), T0).unwrap(), ClaimAnswer::Granted(..)));
        (made.generation.id, account, *store.signing_secret())
    };
    let b = Bench { store: Store::open(folder.path()).unwrap(), folder, account };
    assert_eq!(*b.store.signing_secret(), secret);
    assert_eq!(b.store.backlog(), 2);
    // Its worker died with the process.
    assert_eq!(b.store.reap_all(T0).unwrap(), 1);
    b.drain(T0);
    assert_eq!(b.get(id).generation.status, Status::Completed);
    assert_eq!(b.check_money(), (70, 0));
}

#[test]
fn some_kills_of_the_process_do_not_count_against_a_job() {
    let b = bench(100);
    let id = b.accept(1);
    let mut lives = 0;
    while let Some(ticket) = b.next() {
        b.claim(ticket, T0).unwrap();
        b.store.reap_all(T0).unwrap();
        lives += 1;
    }
    assert_eq!(lives, 10 + MAX_CLAIMS);
    assert_eq!(b.get(id).generation.status, Status::Failed);
    assert_eq!(b.check_money(), (100, 0));
}

#[test]
fn a_job_that_the_queue_lost_is_enqueued_again() {
    let b = bench(100);
    b.accept(1);
    let lost = b.next().unwrap();
    assert_eq!(b.store.reconcile(|job, epoch| (job, epoch) == (lost.job, 1.into())).unwrap(), 0, "the queue has it");
    assert_eq!(b.store.reconcile(|_, _| false).unwrap(), 1);
    assert_eq!(b.store.reconcile(|_, _| false).unwrap(), 0, "on its way");
    assert!(b.claim(lost, T0).is_none(), "the old ticket is void");
    assert!(b.claim(b.next().unwrap(), T0).is_some());
    assert_eq!(b.store.reconcile(|_, _| false).unwrap(), 0, "leased");
}

#[test]
fn an_order_that_the_disk_did_not_take_in_time_is_counted_and_worked_on() {
    use futures::FutureExt;
    let mut b = bench(100);
    Arc::get_mut(&mut b.store.shared).unwrap().committer = Committer::ended();
    assert!(matches!(b.store.accept(&order(b.account, 2)), Err(StateError::Storage(_))));
    assert_eq!(b.store.outbox(9).unwrap().len(), 1, "the order stands");
    assert_eq!(b.store.backlog(), 2);
    assert!(b.store.enqueued().now_or_never().is_some(), "nobody rang");
}

#[test]
fn what_is_kept_for_a_day_goes_after_a_day() {
    let b = bench(100);
    let first = Order { idempotency: keyed("k", 1), ..order(b.account, 1) };
    b.store.accept(&first).unwrap();
    b.drain(T0);
    let rows = |b: &Bench| {
        let t = &b.store.shared.tables;
        (t.scan(&IDEMPOTENCY, &[]).count(), t.scan(&ANSWERS, &[]).count(), t.scan(&CLOSED, &[]).count())
    };
    b.store.forget(T0.plus_seconds(24 * 3600 - 1)).unwrap();
    assert_eq!(rows(&b), (1, 2, 2));
    b.store.forget(T0.plus_seconds(24 * 3600)).unwrap();
    assert_eq!(rows(&b), (0, 0, 0));
}

#[test]
fn the_largest_rows_fit() {
    let b = bench(10_000);
    let long = "語".repeat(2_000);
    let mut order = order(b.account, 0);
    order.request.excerpt = long.clone();
    order.request.title = Some("語".repeat(200));
    order.request.formats = (0..20).map(|n| (format!("a_format_with_quite_a_long_name_{n:02}"), Some(20))).collect();
    order.outputs = order.request.formats.iter().map(|(f, _)| planned_output(f)).collect();
    order.warnings = vec![Warning::new(WarningCode::UnknownField, long.clone()); 80];
    let Accepted::Created(made) = b.store.accept(&order).unwrap() else { panic!() };
    let (claim, _) = b.claim(b.next().unwrap(), T0).unwrap();
    let page = |o: &PlannedOutput| PlannedPage {
        format: o.format.clone(),
        slide: o.slide,
        page: BlobId([1; 32]),
        alt_text: long.clone(),
    };
    let planned = Planned {
        document: BlobId([9; 32]),
        title: long.clone(),
        language: long.clone(),
        style: long.clone(),
        pages: order.outputs.iter().map(page).collect(),
        warnings: vec![],
        photos: Vec::new(),
        tokens: None,
        usage: None,
    };
    assert_eq!(b.store.report(claim, &Outcome::Planned(planned), T0).unwrap(), Verdict::Accepted);
    let (claim, _) = b.claim(b.next().unwrap(), T0).unwrap();
    let fault = Failure { code: long.clone(), message: long, retry: false, tokens: None, usage: None };
    assert_eq!(b.store.report(claim, &Outcome::Failed(fault), T0).unwrap(), Verdict::Accepted);
    assert_eq!(b.get(made.generation.id).generation.failed, 1);
}

fn planned_output(format: &str) -> PlannedOutput {
    PlannedOutput { format: format.into(), slide: None, width: 1, height: 1, cost: 10 }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    /// Whatever the order of events, the balance is the sum of the ledger, no status goes back, and in the end every
    /// generation is terminal and no credits are reserved.
    #[test]
    fn any_order_of_events_ends_well(events in prop::collection::vec((0u8..8, 0usize..8), 1..60)) {
        let b = bench(150);
        let mut now = T0;
        let (mut ids, mut tickets, mut claims) = (Vec::<(Uuid, Status)>::new(), Vec::new(), Vec::new());
        for (event, which) in events {
            match event {
                0 => if let Accepted::Created(s) = b.store.accept(&order(b.account, 1 + which as u32 % 3)).unwrap() {
                    ids.push((s.generation.id, Status::Pending));
                },
                1 | 2 => tickets.extend(b.next()),
                3 | 4 => if let Some(t) = tickets.get(which % tickets.len().max(1)) {
                    claims.extend(b.claim(*t, now));
                },
                5 => if let Some((claim, job)) = claims.get(which % claims.len().max(1)) {
                    b.store.report(*claim, &success(job), now).unwrap();
                },
                6 => if let Some((claim, _)) = claims.get(which % claims.len().max(1)) {
                    b.store.report(*claim, &failure(which % 2 == 0), now).unwrap();
                },
                _ => {
                    now = now.plus_seconds(LEASE_S);
                    b.store.reap(now).unwrap();
                }
            }
            b.check_money();
            for (id, before) in &mut ids {
                let after = b.get(*id).generation.status;
                prop_assert!(after == *before || !before.is_terminal() && after != Status::Pending);
                *before = after;
            }
        }
        b.store.reap_all(now).unwrap();
        b.store.reconcile(|_, _| false).unwrap();
        b.drain(now);
        let mut spent = 0;
        for (id, _) in ids {
            let g = b.get(id).generation;
            prop_assert!(g.status.is_terminal());
            spent += g.charged - g.refunded;
        }
        prop_assert_eq!(b.check_money(), (150 - spent, 0));
        prop_assert_eq!(b.store.backlog(), 0);
    }
}
