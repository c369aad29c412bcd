//! A full disk, and a database that must be reopened.

use std::sync::atomic::AtomicU64;

use fleet::protocol::Verdict;
use fleet::room::Room;

use super::*;
use crate::accounts::MonthlyCredits;

#[test]
fn without_room_nothing_is_written_and_everything_read() {
    let (folder, free) = (tempfile::tempdir().unwrap(), Arc::new(AtomicU64::new(100)));
    let told = Arc::clone(&free);
    let room = Room::told(move || Ok(told.load(Ordering::Relaxed)), 50);
    let store = Store::open_in(folder.path(), MonthlyCredits::default(), room).unwrap();
    let account = store.create_account(&account(), 100).unwrap();
    let b = Bench { folder, store, account };
    let id = b.accept(1);
    free.store(49, Ordering::Relaxed);
    assert!(matches!(b.store.accept(&order(account, 1)), Err(StateError::NoRoom(_))));
    assert!(matches!(b.store.export(&b.folder.path().join("e"), T0), Err(StateError::NoRoom(_))));
    assert_eq!(b.get(id).generation.status, Status::Pending);
    free.store(50, Ordering::Relaxed);
    b.accept(1);
}

#[test]
fn a_database_that_is_opened_anew_is_what_it_was() {
    let b = bench(100);
    let id = b.accept(2);
    let (claim, job) = b.claim(b.next().unwrap(), T0).unwrap();
    let tables = &b.store.shared.tables;
    let kept = tables.dirty().keep().unwrap();
    tables.reopen(|| Err(StateError::Storage("the disk is still full".into())), || Ok(())).unwrap_err();
    // The committer thread finds it closed and opens it.
    while tables.fault().is_err() {
        std::thread::yield_now();
    }
    assert!(kept.whole().is_err(), "whoever was reading all of it is told");
    drop(kept);
    assert_eq!(b.store.report(claim, &success(&job), T0).unwrap(), Verdict::Accepted);
    b.drain(T0);
    assert_eq!(b.get(id).generation.status, Status::Completed);
    assert_eq!(b.check_money(), (70, 0));
}
