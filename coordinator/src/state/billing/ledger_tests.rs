use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use fleet::room::Room;

use super::*;
use crate::accounts::Plan;
use crate::state::{Account, AccountChange};

const T0: &str = "2026-11-10T12:00:00Z";
const MONTHLY: MonthlyCredits = MonthlyCredits { free: 10, starter: 20, pro: 50, business: 80 };

fn at(time: &str) -> Millis {
    Millis::parse(time).unwrap()
}

struct Bench {
    _folder: tempfile::TempDir,
    store: Store,
    account: Uuid,
}

fn bench(plan: Plan, credits: u64) -> Bench {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open_with(folder.path(), MONTHLY).unwrap();
    let account = Account { name: "a".into(), plan, active: true, created: at(T0) };
    let account = store.create_account(&account, credits).unwrap();
    Bench { _folder: folder, store, account }
}

impl Bench {
    fn balance(&self, now: &str) -> Balance {
        let balance = self.store.balance(self.account, at(now)).unwrap();
        assert_eq!(self.store.audit(self.account).unwrap(), (balance.available(), balance.reserved));
        balance
    }

    fn give(&self, amount: u64, expires: Option<&str>, now: &str) -> Gave {
        let gift = Gift { id: Uuid::now_v7(), amount, expires: expires.map(at), note: Some("thanks".into()) };
        self.store.give(self.account, &gift, at(now)).unwrap()
    }

    fn change(&self, change: AccountChange, now: &str) {
        self.store.change_account(self.account, &change, at(now)).unwrap().unwrap();
    }

    fn movements(&self) -> Vec<(Movement, u64)> {
        let (lines, more) = self.store.ledger(self.account, None, 100).unwrap();
        assert!(!more);
        lines.iter().map(|line| (line.movement, line.entry.amount)).collect()
    }
}

#[test]
fn a_month_s_credits_end_with_it_and_top_ups_don_t() {
    let b = bench(Plan::Pro, 7);
    assert_eq!(b.balance(T0).available(), 57);
    assert_eq!(b.balance("2026-11-30T23:59:59Z").available(), 57);
    let december = b.balance("2026-12-01T00:00:00Z");
    assert_eq!((december.monthly, december.topup, december.available()), (50, 7, 57));
    assert_eq!(b.store.renew(at("2026-12-20T00:00:00Z")).unwrap(), 0, "a month is given once");
    assert_eq!(b.store.renew(at("2027-02-01T00:00:00Z")).unwrap(), 1);
    assert_eq!(b.balance("2027-02-01T00:00:00Z").available(), 57, "nothing is given for months gone by");
    let (grant, expiry) = (Movement::Grant, Movement::Expiry);
    assert_eq!(b.movements(), [(grant, 50), (expiry, 50), (grant, 50), (expiry, 50), (grant, 50), (grant, 7)]);
}

#[test]
fn where_nothing_can_be_written_a_balance_is_told_as_it_will_be() {
    let (folder, free) = (tempfile::tempdir().unwrap(), Arc::new(AtomicU64::new(100)));
    let told = Arc::clone(&free);
    let room = Room::told(move || Ok(told.load(Ordering::Relaxed)), 50);
    let store = Store::open_in(folder.path(), MONTHLY, room).unwrap();
    let owner = Account { name: "a".into(), plan: Plan::Pro, active: true, created: at(T0) };
    let account = store.create_account(&owner, 7).unwrap();
    let b = Bench { _folder: folder, store, account };
    b.give(30, Some("2026-11-20T00:00:00Z"), T0);
    b.give(9, Some("2027-11-20T00:00:00Z"), T0);
    let entries = b.movements().len();
    free.store(49, Ordering::Relaxed);
    let december = b.store.balance(account, at("2026-12-05T00:00:00Z")).unwrap();
    assert_eq!((december.monthly, december.topup, december.in_packs()), (50, 7, 9));
    assert_eq!(b.movements().len(), entries);
    assert!(matches!(b.store.renew(at("2026-12-05T00:00:00Z")), Err(StateError::NoRoom(_))));
    free.store(100, Ordering::Relaxed);
    let entered = b.balance("2026-12-05T00:00:00Z");
    assert_eq!(entered, Balance { entries: entered.entries, ..december });
}

#[test]
fn packs_end_on_their_day() {
    let b = bench(Plan::Free, 0);
    assert!(matches!(b.give(30, Some("2026-11-20T00:00:00Z"), T0), Gave::Granted(balance) if balance.in_packs() == 30));
    assert_eq!(b.balance("2026-11-19T23:59:59Z").available(), 40);
    assert_eq!(b.balance("2026-11-20T00:00:00Z").available(), 10);
    assert_eq!(b.movements()[0], (Movement::Expiry, 30));
    for n in 0..PACKS {
        assert!(matches!(b.give(1 + n as u64, Some("2026-12-20T00:00:00Z"), T0), Gave::Granted(_)));
    }
    assert_eq!(b.give(1, Some("2026-12-20T00:00:00Z"), T0), Gave::TooManyPacks);
    assert!(matches!(b.give(1, None, T0), Gave::Granted(_)));
    b.balance(T0);
}

#[test]
fn credits_are_given_once_an_id() {
    let b = bench(Plan::Free, 0);
    let gift = Gift { id: Uuid::now_v7(), amount: 5, expires: None, note: Some("x".repeat(1000)) };
    for _ in 0..3 {
        assert!(matches!(b.store.give(b.account, &gift, at(T0)), Ok(Gave::Granted(balance)) if balance.topup == 5));
    }
    let (lines, _) = b.store.ledger(b.account, None, 1).unwrap();
    assert_eq!(lines[0].entry.note.as_ref().map(String::len), Some(NOTE_BYTES));
    assert_eq!(b.store.give(Uuid::now_v7(), &gift, at(T0)), Ok(Gave::NoAccount));
    assert_eq!(b.give(u64::MAX - 3, None, T0), Gave::TooMuch);
    assert_eq!(b.balance(T0).available(), 15);
}

#[test]
fn a_better_plan_gives_the_difference_at_once() {
    let b = bench(Plan::Free, 0);
    let to = |plan| AccountChange { plan: Some(plan), ..AccountChange::default() };
    b.change(to(Plan::Business), T0);
    assert_eq!(b.balance(T0).monthly, 80);
    b.change(to(Plan::Starter), T0);
    assert_eq!(b.balance(T0).monthly, 80, "what was given is not taken back");
    assert_eq!(b.balance("2026-12-05T00:00:00Z").monthly, 20);
}

#[test]
fn a_deactivated_account_is_given_nothing_until_it_is_back() {
    let b = bench(Plan::Starter, 3);
    let active = |active| AccountChange { active: Some(active), ..AccountChange::default() };
    b.change(active(false), T0);
    assert_eq!(b.balance("2026-12-05T00:00:00Z").available(), 3);
    b.change(active(true), "2027-01-09T00:00:00Z");
    assert_eq!(b.balance("2027-01-09T00:00:00Z").available(), 23);
}

#[test]
fn the_ledger_is_read_in_pages_newest_first() {
    let b = bench(Plan::Free, 0);
    for n in 1..=9 {
        b.give(n, None, T0);
    }
    let (mut before, mut seen) = (None, Vec::new());
    loop {
        let (lines, more) = b.store.ledger(b.account, before, 4).unwrap();
        before = lines.last().map(|line| line.entry.number);
        seen.extend(lines.iter().map(|line| (line.entry.number, line.entry.available)));
        if !more {
            break;
        }
    }
    assert_eq!(seen.len(), 10);
    assert!(seen.is_sorted_by(|a, b| a.0 > b.0 && a.1 > b.1));
    assert_eq!(seen[0], (10, 55));
}
