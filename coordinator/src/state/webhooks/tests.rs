//! What the end of a generation creates, what happens to it, and what is left of it later.

use fleet::protocol::LEASE_S;
use proptest::prelude::*;

use super::*;
use crate::keys::WebhookSecret;
use crate::state::rows::webhooks::{Attempt, Progress, Shelved, Waiting, WebhookShelf};
use crate::state::rows::{golden as check, golden_older as check_older};
use crate::state::tests::{Bench, T0, account, bench, failure, order, success};
use crate::state::webhooks::deliveries::{DeliveryAction, Due, Reception};
use crate::state::webhooks::subscriptions::PREVIOUS_SECRETS;
use crate::state::{
    Accepted, AccountSecret, Address, Answer, AnswerBody, Events, Full, Keyed, Once, Order, PreviousSecret,
    WEBHOOKS_MAX, WebhookChange,
};

const ID: Uuid = Uuid::from_u128(0x0192_0000_0000_7000_8000_0000_0000_0001);
const DAY_S: u64 = 24 * 3600;

const URL: &str = "https://hooks.example/in";

fn address() -> Address {
    Address::new(URL, "hooks.example:443")
}

fn webhook(events: Events) -> Webhook {
    let secret = WebhookSecret::generate().unwrap();
    Webhook { id: Uuid::now_v7(), address: address(), events, secret, created: T0, disabled: None, previous: vec![] }
}

fn attempt(status: u16) -> Attempt {
    Attempt { at: T0, status: Some(status), error: None, took_ms: 5 }
}

impl Bench {
    fn subscribe(&self, events: Events) -> Uuid {
        match self.store.make_webhook(self.account, &webhook(events), None).unwrap() {
            Once::Made(webhook) => webhook.id,
            other => panic!("{other:?}"),
        }
    }

    /// Creates a generation with a `webhookUrl`.
    fn accept_named(&self) -> Uuid {
        match self.store.accept(&Order { webhook: Some(address()), ..order(self.account, 1) }).unwrap() {
            Accepted::Created(snapshot) => snapshot.generation.id,
            other => panic!("{other:?}"),
        }
    }

    fn due(&self, now: Millis) -> Vec<Due> {
        self.store.due_deliveries(now, 1_000).unwrap().due
    }

    fn of(&self, owner: Uuid) -> Vec<Delivery> {
        self.store.deliveries(self.account, owner, None, 100).unwrap().0
    }
}

#[test]
fn an_end_is_told_to_whom_it_concerns() {
    let b = bench(1_000);
    let all = b.subscribe(Events::ALL);
    let failures = b.subscribe(Events::of(&[Event::Failed, Event::Partial]));
    let plain = b.accept(1);
    assert!(b.due(T0).is_empty(), "nothing has ended");
    b.drain(T0);
    let named = b.accept_named();
    let (claim, _) = b.claim(b.next().unwrap(), T0).unwrap();
    b.store.report(claim, &failure(false), T0).unwrap();

    let events = |owner| b.of(owner).iter().map(|d| (d.generation, d.event)).collect::<Vec<_>>();
    let (mut told, mut both) = (events(all), vec![(plain, Event::Completed), (named, Event::Failed)]);
    told.sort_by_key(|(generation, _)| *generation);
    both.sort_by_key(|(generation, _)| *generation);
    assert_eq!(told, both);
    assert_eq!(events(failures), [(named, Event::Failed)]);
    assert_eq!(events(named), [(named, Event::Failed)]);
    assert!(b.of(plain).is_empty());
    let (waiting, oldest) = b.store.waiting_deliveries().unwrap();
    assert_eq!((waiting, oldest, b.due(T0).len()), (4, Some(T0), 4));
    let other = b.store.create_account(&account(), 0).unwrap();
    assert!(b.store.deliveries(other, all, None, 9).unwrap().0.is_empty());
}

#[test]
fn a_job_that_is_given_up_is_told_too() {
    let b = bench(100);
    let all = b.subscribe(Events::ALL);
    b.accept(1);
    let mut now = T0;
    while let Some(ticket) = b.next() {
        b.claim(ticket, now).unwrap();
        now = now.plus_seconds(LEASE_S);
        b.store.reap(now).unwrap();
    }
    assert_eq!(b.of(all).iter().map(|d| (d.event, d.created)).collect::<Vec<_>>(), [(Event::Failed, now)]);
}

/// An end before a crash is delivered after it, and an end that was reported twice is delivered once.
#[test]
fn an_end_and_its_deliveries_are_one_change() {
    let b = bench(100);
    let all = b.subscribe(Events::ALL);
    let id = b.accept(1);
    let (plan, job) = b.claim(b.next().unwrap(), T0).unwrap();
    b.store.report(plan, &success(&job), T0).unwrap();
    let (claim, job) = b.claim(b.next().unwrap(), T0).unwrap();
    for _ in 0..3 {
        b.store.report(claim, &success(&job), T0).unwrap();
    }
    let Bench { folder, store, account } = b;
    drop(store);
    // A new process has nothing in memory: only the rows.
    let b = Bench { store: Store::open(folder.path()).unwrap(), folder, account };
    let told = b.of(all);
    assert_eq!(told.iter().map(|d| (d.generation, d.progress)).collect::<Vec<_>>(), [(id, Progress::Waiting(T0))]);
    let due = b.due(T0);
    assert_eq!(due.len(), 1);
    let DeliveryAction::Send(sending) = b.store.delivery_action(&due[0], T0).unwrap() else { panic!() };
    assert_eq!((sending.delivery.id, sending.url.as_str()), (told[0].id, "https://hooks.example/in"));
    assert_eq!(sending.snapshot, Some(b.get(id)));
}

#[test]
fn what_is_not_taken_is_tried_for_a_day() {
    let b = bench(100);
    let all = b.subscribe(Events::ALL);
    b.accept(1);
    b.drain(T0);
    let mut now = T0;
    let mut pauses = Vec::new();
    loop {
        let due = b.due(now);
        assert_eq!(due.len(), 1, "after {pauses:?}");
        match b.store.attempted(&due[0], URL, &attempt(500), Reception::Missed, now).unwrap() {
            Progress::Waiting(next) => {
                assert!(b.due(Millis(next.0 - 1)).is_empty());
                assert_eq!(b.store.due_deliveries(now, 9).unwrap().next, Some(next));
                pauses.push((next.0 - now.0) / 1000);
                now = next;
            }
            Progress::GivenUp => break,
            Progress::Delivered => panic!(),
        }
        // A repeated report counts once.
        assert!(matches!(
            b.store.attempted(&due[0], URL, &attempt(500), Reception::Missed, now).unwrap(),
            Progress::Waiting(_)
        ));
    }
    let least = [10, 60, 300, 1_800, 7_200, 21_600, 43_200];
    assert_eq!(pauses.len(), least.len());
    for (pause, least) in pauses.iter().zip(least) {
        assert!((least..=least + least / 5).contains(pause), "{pause} for {least}");
    }
    assert!((DAY_S * 4 / 5..DAY_S * 21 / 20).contains(&((now.0 - T0.0) as u64 / 1000)));
    let told = b.of(all);
    assert_eq!((told[0].attempts.len(), told[0].progress), (8, Progress::GivenUp));
    assert_eq!(b.store.waiting_deliveries().unwrap(), (0, None));
}

#[test]
fn what_is_taken_is_done() {
    let b = bench(100);
    let id = b.accept_named();
    b.drain(T0);
    let due = b.due(T0)[0];
    assert_eq!(b.store.attempted(&due, URL, &attempt(503), Reception::Missed, T0).unwrap(), b.of(id)[0].progress);
    let again = b.due(T0.plus_seconds(12))[0];
    assert_eq!(b.store.delivery_action(&due, T0).unwrap(), DeliveryAction::Done, "that time has passed");
    let progress = b.store.attempted(&again, URL, &attempt(204), Reception::Taken, T0).unwrap();
    assert_eq!((progress, b.due(T0.plus_seconds(DAY_S)).len()), (Progress::Delivered, 0));
    assert_eq!(b.store.delivery_action(&again, T0).unwrap(), DeliveryAction::Done);
    let statuses: Vec<_> = b.of(id)[0].attempts.iter().map(|a| a.status).collect();
    assert_eq!(statuses, [Some(503), Some(204)]);
    // The first read created the secret, and it stays.
    let secret = b.store.webhook_secret(b.account, T0).unwrap();
    assert_eq!(b.store.webhook_secret(b.account, T0.plus_seconds(9)).unwrap(), secret);
    let fresh = b.store.rotate_webhook_secret(b.account, T0.plus_seconds(60), T0.plus_seconds(9)).unwrap();
    assert_ne!(fresh.secret, secret.secret);
    assert_eq!(b.store.webhook_secret(b.account, T0).unwrap(), fresh);
    let signing = |at: u64| b.store.webhook_secrets(b.account, T0.plus_seconds(at)).unwrap();
    assert_eq!(signing(59), [fresh.secret.clone(), secret.secret.clone()]);
    assert_eq!(signing(60), std::slice::from_ref(&fresh.secret));
    // A repeated rotation does not end the overlap of the first one.
    let last = b.store.rotate_webhook_secret(b.account, T0.plus_seconds(90), T0.plus_seconds(30)).unwrap();
    assert_eq!(signing(59), [last.secret.clone(), fresh.secret.clone(), secret.secret]);
    assert_eq!(signing(60), [last.secret, fresh.secret]);
    // A rotation without an overlap ends all others.
    let last = b.store.rotate_webhook_secret(b.account, T0.plus_seconds(40), T0.plus_seconds(40)).unwrap();
    assert_eq!(signing(40), [last.secret]);
    for at in 41..60 {
        b.store.rotate_webhook_secret(b.account, T0.plus_seconds(90), T0.plus_seconds(at)).unwrap();
    }
    assert_eq!(signing(60).len(), 1 + PREVIOUS_SECRETS);
}

/// The row of a delivery stays within its limit, whatever the receiver responds and however often it is sent again.
#[test]
fn a_delivery_is_sent_again_any_number_of_times() {
    let b = bench(100);
    let id = b.accept_named();
    b.drain(T0);
    let (delivery, mut now) = (b.of(id)[0].id, T0);
    for round in 0..500 {
        let due = b.due(now);
        let failed = Attempt { at: now, status: None, error: Some("x".repeat(1_000)), took_ms: u32::MAX };
        b.store.attempted(&due[0], URL, &failed, Reception::Missed, now).unwrap();
        now = now.plus_seconds(1);
        b.store.redeliver(b.account, id, delivery, now).unwrap().unwrap();
        assert!(b.of(id)[0].attempts.len() <= 20, "{round}");
    }
    assert_eq!(b.of(id)[0].attempts.last().unwrap().at, Millis(now.0 - 1_000), "the newest stay");
}

#[test]
fn a_receiver_that_is_gone_is_left_alone() {
    let b = bench(1_000);
    let all = b.subscribe(Events::ALL);
    b.accept(1);
    b.accept(1);
    b.drain(T0);
    let due = b.due(T0);
    let progress = b.store.attempted(&due[0], URL, &attempt(410), Reception::Gone, T0.plus_seconds(1)).unwrap();
    assert_eq!(progress, Progress::GivenUp);
    let webhook = b.store.webhook(b.account, all).unwrap().unwrap();
    assert_eq!(webhook.disabled, Some(T0.plus_seconds(1)));
    assert_eq!(b.store.delivery_action(&due[1], T0).unwrap(), DeliveryAction::Void("the webhook is disabled"));
    b.store.attempted(&due[1], URL, &attempt(0), Reception::Void, T0).unwrap();
    b.accept(1);
    b.drain(T0.plus_seconds(2));
    assert!(b.due(T0.plus_seconds(9)).is_empty());

    // It gets another address and is enabled while the attempt at the old address is running.
    let other = WebhookChange {
        address: Some(Address::new("https://hooks.example/new", "hooks.example:443")),
        active: Some(true),
        ..WebhookChange::default()
    };
    b.store.change_webhook(b.account, all, &other, T0).unwrap();
    b.accept(1);
    b.drain(T0.plus_seconds(3));
    let due = b.due(T0.plus_seconds(9))[0];
    b.store.attempted(&due, URL, &attempt(410), Reception::Gone, T0.plus_seconds(10)).unwrap();
    assert_eq!(b.store.webhook(b.account, all).unwrap().unwrap().disabled, None);
}

#[test]
fn what_can_not_be_sent_says_so() {
    let b = bench(1_000);
    let all = b.subscribe(Events::ALL);
    b.accept(1);
    b.drain(T0);
    assert!(b.store.remove_webhook(b.account, all).unwrap());
    assert!(!b.store.remove_webhook(b.account, all).unwrap());
    assert_eq!(b.store.delivery_action(&b.due(T0)[0], T0).unwrap(), DeliveryAction::Void("the webhook was deleted"));
    b.store.attempted(&b.due(T0)[0], URL, &attempt(0), Reception::Void, T0).unwrap();

    let sleeping = b.store.create_account(&crate::state::Account { active: false, ..account() }, 100).unwrap();
    let b = Bench { account: sleeping, ..b };
    b.accept_named();
    b.drain(T0);
    assert_eq!(b.store.delivery_action(&b.due(T0)[0], T0).unwrap(), DeliveryAction::Held("the account is deactivated"));
}

#[test]
fn a_lane_that_does_not_move_holds_up_no_other() {
    let b = bench(10_000);
    b.subscribe(Events::ALL);
    for _ in 0..30 {
        b.accept(1);
    }
    b.drain(T0);
    let other = Bench { account: b.store.create_account(&account(), 100).unwrap(), ..b };
    other.accept_named();
    other.drain(T0.plus_seconds(1));
    let now = T0.plus_seconds(2);
    let batch = other.store.due_deliveries(now, 4).unwrap();
    let of = |account| batch.due.iter().filter(|d| d.account == account).count();
    assert_eq!((batch.due.len(), of(other.account)), (5, 1));
    assert_eq!(batch.due.last().unwrap().account, other.account, "the oldest first");
    assert_eq!(other.store.due_deliveries(T0.minus_seconds(1), 4).unwrap().next, Some(T0));
}

#[test]
fn deliveries_are_listed_by_pages() {
    let b = bench(1_000);
    let all = b.subscribe(Events::ALL);
    let mut made: Vec<Uuid> = (0..5).map(|_| b.accept(1)).collect();
    for n in 0..5 {
        let now = T0.plus_seconds(n);
        for _ in 0..2 {
            let (claim, job) = b.claim(b.next().unwrap(), now).unwrap();
            b.store.report(claim, &success(&job), now).unwrap();
        }
    }
    made.sort_unstable();
    let (mut seen, mut after) = (Vec::new(), None);
    loop {
        let (page, more) = b.store.deliveries(b.account, all, after, 2).unwrap();
        assert!(page.windows(2).all(|w| w[0].id > w[1].id));
        after = page.last().map(|d| d.id);
        seen.extend(page.iter().map(|d| d.generation));
        if !more {
            break;
        }
    }
    seen.sort_unstable();
    assert_eq!(seen, made);
}

fn shown(webhook: &Webhook) -> Answer {
    Answer { status: 201, location: None, body: AnswerBody::Bytes(webhook.id.to_string().into_bytes()) }
}

fn keyed(request: u8) -> Keyed<Webhook> {
    Keyed::new("k".into(), [request; 32], shown)
}

#[test]
fn one_key_makes_one_webhook_and_there_is_a_most() {
    let b = bench(0);
    let make = |request| b.store.make_webhook(b.account, &webhook(Events::ALL), Some(&keyed(request))).unwrap();
    let Once::Made(first) = make(1) else { panic!() };
    assert_eq!(make(1), Once::Replayed(shown(&first)));
    assert_eq!(make(2), Once::Conflict);
    b.store.remove_webhook(b.account, first.id).unwrap();
    assert_eq!(make(1), Once::Replayed(shown(&first)), "as it was then");
    for _ in 0..WEBHOOKS_MAX {
        b.subscribe(Events::ALL);
    }
    assert_eq!(b.store.webhooks(b.account).unwrap().len(), WEBHOOKS_MAX);
    assert_eq!(b.store.make_webhook(b.account, &webhook(Events::ALL), None).unwrap(), Once::Refused(Full));
}

#[test]
fn the_log_goes_after_a_week() {
    let b = bench(1_000);
    let all = b.subscribe(Events::ALL);
    b.accept(1);
    b.accept(1);
    b.drain(T0);
    let done = b.due(T0)[0];
    b.store.attempted(&done, URL, &attempt(200), Reception::Taken, T0).unwrap();
    b.store.forget(T0.plus_seconds(7 * DAY_S - 1)).unwrap();
    assert_eq!(b.of(all).len(), 2);
    b.store.forget(T0.plus_seconds(7 * DAY_S)).unwrap();
    let left = b.of(all);
    assert_eq!(left.iter().map(|d| d.progress).collect::<Vec<_>>(), [Progress::Waiting(T0)], "what waits stays");

    let id = b.accept_named();
    b.drain(T0);
    let urls = || b.store.shared.tables.scan(&WEBHOOK_URLS, &[]).count();
    b.store.forget(T0).unwrap();
    assert_eq!(urls(), 1, "its generation is there");
    let row = pair(b.account, id);
    b.store.commit(|tx| tx.remove(&GENERATIONS, &row)).unwrap();
    b.store.forget(T0).unwrap();
    assert_eq!(urls(), 0);
    let of_it = b.due(T0).into_iter().find(|due| due.key_owner() == id).unwrap();
    assert_eq!(b.store.delivery_action(&of_it, T0).unwrap(), DeliveryAction::Void("the generation was deleted"));
}

#[test]
fn the_largest_rows_fit() {
    let b = bench(1_000);
    let long = Address::new(&"ü".repeat(2_048), "hooks.example:443");
    let largest = Webhook { address: long.clone(), ..webhook(Events::ALL) };
    assert!(matches!(b.store.make_webhook(b.account, &largest, None).unwrap(), Once::Made(_)));
    let order = Order { webhook: Some(long), ..order(b.account, 1) };
    assert!(matches!(b.store.accept(&order).unwrap(), Accepted::Created(_)));
    b.drain(T0);
    let mut now = T0;
    while let Some(due) = b.due(now).first() {
        let attempt = Attempt { error: Some("語".repeat(2_000)), ..attempt(500) };
        b.store.attempted(due, URL, &attempt, Reception::Missed, now).unwrap();
        now = now.plus_seconds(DAY_S);
    }
}

#[test]
fn golden_bytes() {
    let secret = WebhookSecret::known("whsec_a");
    let address = Address { url: "https://a.example".into(), receiver: 1 };
    check(&address, "011168747470733a2f2f612e6578616d706c6501");
    let record = Webhook {
        id: ID,
        address,
        events: Events::of(&[Event::Completed, Event::Cancelled]),
        secret: secret.clone(),
        created: Millis(5),
        disabled: Some(Millis(6)),
        previous: vec![],
    };
    let id = "1001920000000070008000000000000001";
    let row = format!("{id}1168747470733a2f2f612e6578616d706c65010907{}0a010c", hex::encode("whsec_a"));
    check_older(&record, &format!("01{row}"));
    check(&record, &format!("02{row}00"));
    let previous = vec![PreviousSecret { secret: secret.clone(), until: Millis(7) }];
    let old = format!("0107{}0e", hex::encode("whsec_a"));
    check(&Webhook { previous: previous.clone(), ..record }, &format!("02{row}{old}"));
    let shelved = Shelved { id: ID, events: Events::ALL, receiver: 2, disabled: true };
    let secret = Some(AccountSecret { secret, created: Millis(5) });
    let shelf = WebhookShelf { webhooks: vec![shelved], secret, previous: vec![] };
    let row = format!("01{id}0f02010107{}0a", hex::encode("whsec_a"));
    check_older(&shelf, &format!("01{row}"));
    check(&shelf, &format!("02{row}00"));
    check(&WebhookShelf { previous, ..shelf }, &format!("02{row}{old}"));
    let delivery = Delivery {
        id: ID,
        account: ID,
        owner: Owner::Webhook(ID),
        generation: ID,
        event: Event::Cancelled,
        receiver: 3,
        created: Millis(5),
        attempts: vec![
            Attempt { at: Millis(6), status: Some(500), error: None, took_ms: 9 },
            Attempt { at: Millis(7), status: None, error: Some("no".into()), took_ms: 9 },
        ],
        progress: Progress::Waiting(Millis(8)),
    };
    let row = format!("01{id}{id}00{id}{id}03030a020c01fbf40100090e0001026e6f09");
    check(&delivery, &format!("{row}0010"));
    check(&Delivery { progress: Progress::Delivered, ..delivery.clone() }, &format!("{row}01"));
    check(
        &Delivery { progress: Progress::GivenUp, owner: Owner::Generation, attempts: vec![], ..delivery },
        &format!("01{id}{id}01{id}03030a0002"),
    );
    check(&Waiting { account: ID, owner: ID, receiver: 4 }, &format!("01{id}{id}04"));
}

#[test]
fn a_receiver_is_a_host_and_a_port() {
    // The value is stored, so it must never change: the first bytes of SHA-256("hooks.example:443").
    assert_eq!(address().receiver, 0x9c31_d69c_e850_0618);
    assert_ne!(Address::new("https://hooks.example/in", "hooks.example:80").receiver, address().receiver);
}

#[test]
fn events_have_names() {
    for event in Event::ALL {
        assert_eq!(Event::from_name(event.name()), Some(event));
        assert_eq!(Events::of(&[event]).names(), [event.name()]);
    }
    assert_eq!(Event::from_name("generation.done"), None);
    assert_eq!(Events::ALL, Events::of(&Event::ALL));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    /// However attempts end, a waiting delivery is in the index exactly once, at its time, and no other is.
    #[test]
    fn the_index_shows_what_waits(ends in prop::collection::vec((0usize..8, 0u8..4, 0u64..9_000), 1..40)) {
        let b = bench(1_000);
        let owner = b.subscribe(Events::ALL);
        for _ in 0..6 {
            b.accept(1);
        }
        b.drain(T0);
        let mut now = T0;
        for (which, end, seconds) in ends {
            now = now.plus_seconds(seconds);
            let reception = [Reception::Taken, Reception::Missed, Reception::Missed, Reception::Void][usize::from(end)];
            if let Some(due) = b.due(now).get(which) {
                b.store.attempted(due, URL, &attempt(500), reception, now).unwrap();
            }
            let mut waits: Vec<_> = b.of(owner).iter().filter_map(|d| match d.progress {
                Progress::Waiting(at) => Some((at, d.id)),
                _ => None,
            }).collect();
            let mut indexed: Vec<_> =
                b.due(T0.plus_seconds(400 * DAY_S)).iter().map(|due| (due.at, due.delivery)).collect();
            waits.sort_unstable();
            indexed.sort_unstable();
            prop_assert_eq!(waits, indexed);
        }
    }
}
