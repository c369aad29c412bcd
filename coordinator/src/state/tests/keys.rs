//! API keys: named, rotated, revoked and counted; and their golden bytes.

use super::*;
use crate::accounts::{Scope, Scopes};
use crate::clock::Day;
use crate::keys::{ApiKey, KeyDigest};
use crate::state::database::tables::Tx;
use crate::state::rows::keys::{KeyAt, KeyShelf};
use crate::state::rows::schema::{KEY_DAYS, KEY_INDEX, KEY_SHELVES, KEYS};
use crate::state::rows::{golden as check, golden_older as check_older, keyspace};

const ID: Uuid = Uuid::from_u128(0x0192_0000_0000_7000_8000_0000_0000_0001);

#[test]
fn golden_bytes() {
    let record = KeyRecord {
        id: ID,
        account: ID,
        name: "k".into(),
        scopes: Scopes::ALL,
        created: Millis(5),
        revoked: Some(Millis(6)),
        digest: KeyDigest([7; 32]),
        used: None,
        replaced: None,
        ending: None,
    };
    let version_1 = "0110019200000000700080000000000000011001920000000070008000000000000001016bfcffffffff0a010c070707\
         0707070707070707070707070707070707070707070707070707070707";
    check_older(&record, version_1);
    check_older(&record, &format!("02{}0000", &version_1[2..]));
    check(&record, &format!("03{}000000", &version_1[2..]));
    let replaced = Some(Replaced { by: ID, until: Millis(9) });
    let rotated = KeyRecord { used: Some(Millis(8)), replaced, ending: Some("Zz09".into()), ..record };
    check(&rotated, &format!("03{}01100110{}1201045a7a3039", &version_1[2..], "01920000000070008000000000000001"));
    check(&KeyAt { row: [7; 16] }, "0107070707070707070707070707070707");
    let shelf = KeyShelf { keys: vec![(ID, None), (ID, Some(Millis(5)))] };
    let id = "1001920000000070008000000000000001";
    check(&shelf, &format!("0102{id}00{id}010a"));
    check(&KeyDay { requests: 9, generations: 2, credits: 300 }, "010902fb2c01");
}

impl Bench {
    fn make(&self, name: &str) -> (KeyRecord, ApiKey) {
        self.store.create_key(self.account, name, Scopes::ALL, T0).unwrap()
    }

    fn valid(&self, key: &ApiKey, now: Millis) -> bool {
        match self.store.caller(key.digest()).unwrap().unwrap().by {
            By::Key(record) => record.is_valid(now),
            By::Session(_) => panic!("a key was asked for"),
        }
    }

    fn used(&self, id: Uuid) -> Option<Millis> {
        self.store.key(self.account, id).unwrap().unwrap().used
    }

    fn usage(&self, id: Uuid, days: u32, now: Millis) -> Vec<(Day, KeyDay)> {
        self.store.key_usage(self.account, id, days, now).unwrap().unwrap()
    }
}

#[test]
fn a_key_is_its_whole_digest() {
    let b = bench(0);
    let (record, key) = b.make("k");
    let mut alike = key.digest();
    alike.0[31] ^= 1;
    assert_eq!(b.store.caller(alike).unwrap(), None);
    let caller = b.store.caller(key.digest()).unwrap().unwrap();
    assert_eq!((caller.key_id(), caller.account_id), (Some(record.id), b.account));
}

#[test]
fn keys_are_listed_newest_first_and_to_their_account_alone() {
    let b = bench(0);
    let other = b.store.create_account(&account(), 0).unwrap();
    let (first, _) = b.store.create_key(b.account, "first", Scopes::of(&[Scope::BrandsRead]), T0).unwrap();
    let (second, _) = b.make("second");
    assert_eq!(b.store.keys(b.account).unwrap(), [second.clone(), first.clone()]);
    assert_eq!(b.store.key(b.account, first.id).unwrap(), Some(first.clone()));
    assert_eq!(b.store.keys(other).unwrap(), []);
    assert_eq!(b.store.key(other, first.id).unwrap(), None);
    assert!(!b.store.revoke_key(other, first.id, T0).unwrap());
    assert!(b.store.rotate_key(other, first.id, 0, T0).unwrap().is_none());
    assert_eq!(b.store.key_usage(other, first.id, 9, T0).unwrap(), None);
    assert_eq!(b.store.keys(b.account).unwrap(), [second, first]);
}

#[test]
fn a_revoked_key_is_refused_and_stays_revoked() {
    let b = bench(0);
    let (record, key) = b.make("k");
    assert!(b.valid(&key, T0));
    assert!(b.store.revoke_key(b.account, record.id, T0).unwrap());
    assert!(!b.valid(&key, T0));
    assert!(b.store.revoke_key(b.account, record.id, T0.plus_seconds(9)).unwrap());
    assert_eq!(b.store.key(b.account, record.id).unwrap().unwrap().revoked, Some(T0), "since the first time");
    assert!(!b.store.revoke_key(b.account, Uuid::now_v7(), T0).unwrap());
    assert!(b.store.rotate_key(b.account, record.id, 60, T0).unwrap().is_none(), "nothing is left to rotate");
}

#[test]
fn a_rotated_key_is_valid_for_its_grace() {
    let b = bench(0);
    let (old, old_key) = b.store.create_key(b.account, "shop", Scopes::of(&[Scope::CreditsRead]), T0).unwrap();
    let (new, new_key) = b.store.rotate_key(b.account, old.id, 60, T0).unwrap().unwrap();
    assert_eq!((new.name.as_str(), new.scopes), ("shop", old.scopes));
    assert_ne!(new_key.digest(), old_key.digest());
    assert!(b.valid(&old_key, T0.plus_seconds(59)) && b.valid(&new_key, T0));
    assert!(!b.valid(&old_key, T0.plus_seconds(60)));
    assert!(b.store.rotate_key(b.account, old.id, 60, T0).unwrap().is_none(), "once");

    let (last, last_key) = b.store.rotate_key(b.account, new.id, 0, T0).unwrap().unwrap();
    assert!(!b.valid(&new_key, T0), "without a grace at once");
    b.store.rotate_key(b.account, last.id, u64::MAX, T0).unwrap().unwrap();
    assert!(b.valid(&last_key, T0.plus_seconds(GRACE_S - 1)) && !b.valid(&last_key, T0.plus_seconds(GRACE_S)));
    b.store.revoke_key(b.account, last.id, T0).unwrap();
    assert!(!b.valid(&last_key, T0), "a grace can be cut short");
}

#[test]
fn an_account_has_so_many_valid_keys_and_remembers_so_many_that_ended() {
    let b = bench(0);
    let keys: Vec<_> = (0..LIVE_KEYS).map(|_| b.make("k")).collect();
    let full = |b: &Bench| b.store.create_key(b.account, "k", Scopes::ALL, T0).map(|_| ());
    assert_eq!(full(&b), Err(StateError::TooManyKeys));
    assert_eq!(b.store.rotate_key(b.account, keys[0].0.id, 60, T0).map(|_| ()), Err(StateError::TooManyKeys));
    assert!(b.valid(&keys[0].1, T0), "it was not touched");
    b.store.rotate_key(b.account, keys[0].0.id, 0, T0).unwrap().unwrap();
    assert_eq!(full(&b), Err(StateError::TooManyKeys));
    b.store.revoke_key(b.account, keys[1].0.id, T0).unwrap();
    assert_eq!(full(&b), Ok(()));

    // However many keys are created and revoked, no more rows are kept than fit the shelf.
    for n in 0..LIVE_KEYS as u64 + 5 {
        let now = T0.plus_seconds(n);
        let newest = b.store.keys(b.account).unwrap()[0].id;
        b.store.revoke_key(b.account, newest, now).unwrap();
        b.store.create_key(b.account, "k", Scopes::ALL, now).unwrap();
    }
    let kept = b.store.keys(b.account).unwrap();
    assert_eq!(kept.iter().filter(|key| key.is_valid(T0)).count(), LIVE_KEYS);
    assert_eq!(kept.len(), 2 * LIVE_KEYS);
    assert_eq!(b.store.shared.tables.scan(&KEYS, &[]).count(), kept.len());
    assert_eq!(b.store.caller(keys[0].1.digest()).unwrap(), None, "the first that ended is forgotten");
}

#[test]
fn what_a_key_did_is_counted_by_day() {
    let b = bench(1000);
    let (key, _) = b.make("k");
    let noon = Millis(T0.day().0 as i64 * 86_400_000 + 43_200_000);
    let tomorrow = noon.plus_seconds(24 * 3600);
    for _ in 0..3 {
        b.store.key_used(&key, noon);
    }
    let accept = |created, slides| {
        let order = Order { key: Some(key.id), created, ..order(b.account, slides) };
        b.store.accept(&order).unwrap()
    };
    assert!(matches!(accept(noon, 2), Accepted::Created(_)));
    assert!(matches!(accept(noon, 99), Accepted::Insufficient { .. }));
    let today = KeyDay { requests: 3, generations: 1, credits: 30 };
    assert_eq!(b.usage(key.id, 30, noon), [(noon.day(), today)], "in memory or on the disk");
    assert_eq!(b.used(key.id), Some(noon));

    b.store.write_recent().unwrap();
    b.store.write_recent().unwrap();
    assert_eq!(b.usage(key.id, 30, noon), [(noon.day(), today)], "written once");
    b.store.key_used(&key, tomorrow);
    assert!(matches!(accept(tomorrow, 1), Accepted::Created(_)));
    let next = KeyDay { requests: 1, generations: 1, credits: 15 };
    assert_eq!(b.usage(key.id, 2, tomorrow), [(noon.day(), today), (tomorrow.day(), next)]);
    assert_eq!(b.usage(key.id, 1, tomorrow), [(tomorrow.day(), next)]);
    b.store.key_used(&key, noon);
    assert_eq!(b.used(key.id), Some(tomorrow), "a clock that goes back changes nothing");

    b.store.forget(noon.plus_seconds(u64::from(USAGE_DAYS) * 86_400)).unwrap();
    assert_eq!(b.usage(key.id, 2, tomorrow).len(), 2);
    b.store.forget(noon.plus_seconds(u64::from(USAGE_DAYS + 2) * 86_400)).unwrap();
    assert_eq!(b.store.shared.tables.scan(&KEY_DAYS, &[]).count(), 0);
}

#[test]
fn a_repeated_order_is_counted_once() {
    let b = bench(1000);
    let (key, _) = b.make("k");
    let once = Order { key: Some(key.id), idempotency: keyed("i", 1), ..order(b.account, 1) };
    assert!(matches!(b.store.accept(&once).unwrap(), Accepted::Created(_)));
    assert!(matches!(b.store.accept(&once).unwrap(), Accepted::Replayed(_)));
    assert_eq!(b.usage(key.id, 1, T0), [(T0.day(), KeyDay { requests: 0, generations: 1, credits: 15 })]);
}

#[test]
fn what_was_not_written_is_kept_for_the_next_time() {
    let mut b = bench(0);
    let (key, _) = b.make("k");
    b.store.key_used(&key, T0);
    b.store.write_recent().unwrap();
    let whole = std::mem::replace(&mut Arc::get_mut(&mut b.store.shared).unwrap().committer, Committer::ended());
    b.store.key_used(&key, T0);
    assert!(b.store.write_recent().is_err(), "the disk fails");
    Arc::get_mut(&mut b.store.shared).unwrap().committer = whole;
    b.store.write_recent().unwrap();
    let twice = KeyDay { requests: 2, ..KeyDay::default() };
    assert_eq!(b.usage(key.id, 1, T0), [(T0.day(), twice)], "neither lost nor counted twice");
}

#[test]
fn keys_of_a_time_before_the_index_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let (account, made) = {
        let store = Store::open(folder.path()).unwrap();
        let account = store.create_account(&account(), 0).unwrap();
        let made = ["a", "b"].map(|name| store.create_key(account, name, Scopes::ALL, T0).unwrap().0);
        store.revoke_key(account, made[0].id, T0).unwrap();
        let strip = |tx: &Tx<'_>| {
            tx.remove(&KEY_SHELVES, account.as_bytes())?;
            made.iter().try_for_each(|key| tx.remove(&KEY_INDEX, &keyspace::pair(account, key.id)))
        };
        store.commit(strip).unwrap();
        assert_eq!(store.keys(account).unwrap(), []);
        (account, made)
    };
    let store = Store::open(folder.path()).unwrap();
    assert_eq!(store.keys(account).unwrap().iter().map(|key| key.id).collect::<Vec<_>>(), [made[1].id, made[0].id]);
    assert!(store.rotate_key(account, made[1].id, 0, T0).unwrap().is_some());
}

#[test]
fn a_hundred_starts_without_a_look_at_the_key_lock_nobody_out() {
    let b = bench(0);
    let keys: Vec<_> = (0..LIVE_KEYS + 2).map(|_| b.store.first_key(&account(), 10, T0).unwrap().unwrap()).collect();
    let valid = keys.iter().filter(|key| b.valid(key, T0)).count();
    assert_eq!(valid, LIVE_KEYS);
    assert!(b.valid(keys.last().unwrap(), T0) && !b.valid(&keys[0], T0));
}

#[test]
fn the_first_key_is_made_until_it_was_shown() {
    let b = bench(0);
    let key = |b: &Bench| b.store.first_key(&account(), 10_000, T0).unwrap();
    let (first, second) = (key(&b).unwrap(), key(&b).unwrap());
    let callers = [&first, &second].map(|k| b.store.caller(k.digest()).unwrap().unwrap());
    assert_eq!(callers[0].account_id, callers[1].account_id, "one account");
    assert_eq!(b.store.balance(callers[0].account_id, T0).unwrap().available(), 10_000, "granted once");
    b.store.first_key_shown().unwrap();
    assert!(key(&b).is_none());
}
