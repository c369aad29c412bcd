use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

use fleet::protocol::{ClaimAnswer, Grant, Terms};

use super::*;
use crate::state::copies::copy::{Head, Writer};
use crate::state::rows::schema::{ACCOUNTS, JOBS, OUTPUTS};
use crate::state::tests::{Bench, T0, bench, order, success};
use crate::state::{Accepted, Filter, NewClaim};

/// Every row of every table, in its stored encoding.
pub(in crate::state) fn rows(store: &Store) -> Vec<(usize, Vec<u8>, Vec<u8>)> {
    let mut all = Vec::new();
    for table in 0..TREES.len() {
        for row in store.shared.tables.scan_raw(table) {
            let (key, row) = row.unwrap();
            all.push((table, key.to_vec(), row.to_vec()));
        }
    }
    all
}

/// Creates a state with work in progress: a generation that is done, one that failed, one half rendered, one that
/// waits.
fn busy() -> Bench {
    let b = bench(1_000);
    b.accept(3);
    b.drain(T0);
    b.accept(2);
    let (claim, _) = b.claim(b.next().unwrap(), T0).unwrap();
    b.store.report(claim, &crate::state::tests::failure(false), T0).unwrap();
    b.accept(2);
    let (claim, job) = b.claim(b.next().unwrap(), T0).unwrap();
    b.store.report(claim, &success(&job), T0).unwrap();
    b.claim(b.next().unwrap(), T0).unwrap();
    b.accept(1);
    b
}

#[test]
fn what_is_exported_is_imported() {
    let b = busy();
    let folder = tempfile::tempdir().unwrap();
    let (file, state) = (folder.path().join("a.vivid"), folder.path().join("new/state"));
    let exported = b.store.export(&file, T0).unwrap();
    assert_eq!((exported.at, exported.rows), (T0, rows(&b.store).len() as u64));
    assert_eq!(exported.bytes, std::fs::metadata(&file).unwrap().len());
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600, "it holds the secret");
    }
    let imported = import(&state, &file).unwrap();
    assert_eq!((imported.at, imported.entries, imported.unbalanced), (T0, exported.rows, vec![]));
    assert_eq!(imported.service, env!("CARGO_PKG_VERSION"));

    let copy = Store::open(&state).unwrap();
    assert_eq!(rows(&copy), rows(&b.store));
    assert_eq!(copy.signing_secret(), b.store.signing_secret());
    assert_eq!(copy.backlog(), b.store.backlog());
    // Open work continues to its end.
    let copy = Bench { store: copy, ..b };
    assert_eq!(copy.store.reap_all(T0).unwrap(), 1);
    copy.store.reconcile(|_, _| false).unwrap();
    copy.drain(T0);
    let (all, _) = copy.store.generations(copy.account, &Filter::default(), None, 9).unwrap();
    assert_eq!(all.iter().filter(|s| s.generation.status.is_terminal()).count(), 4);
    assert_eq!(copy.check_money().1, 0);
}

#[test]
fn an_export_under_load_is_a_state_as_it_stood() {
    let b = bench(1_000_000);
    for _ in 0..40 {
        b.accept(2);
    }
    let folder = tempfile::tempdir().unwrap();
    let (stop, file) = (AtomicBool::new(false), folder.path().join("a.vivid"));
    std::thread::scope(|threads| {
        for n in 0..3 {
            let (b, stop) = (&b, &stop);
            threads.spawn(move || {
                let mut nonce = n << 64;
                while !stop.load(Ordering::Relaxed) {
                    assert!(matches!(b.store.accept(&order(b.account, 2)).unwrap(), Accepted::Created(_)));
                    for ticket in b.store.outbox(3).unwrap() {
                        nonce += 1;
                        let answer = b.store.claim(ticket, &NewClaim::here("w", nonce), T0).unwrap();
                        if let ClaimAnswer::Granted(claim, job, Terms { secret, .. }) = answer {
                            let claim = Grant { claim, secret };
                            b.store.report(claim, &success(&job), T0).unwrap();
                        }
                    }
                }
            });
        }
        for n in 0..5 {
            let state = folder.path().join(format!("state-{n}"));
            let exported = b.store.export(&file, T0).unwrap();
            assert!(import(&state, &file).unwrap().unbalanced.is_empty(), "after {exported:?}");
            check(&Store::open(&state).unwrap(), b.account);
        }
        stop.store(true, Ordering::Relaxed);
    });

    /// Checks that rows that change together agree.
    fn check(store: &Store, account: Uuid) {
        let tables = &store.shared.tables;
        let mut held = 0;
        let (all, _) = store.generations(account, &Filter::default(), None, 100_000).unwrap();
        for snapshot in all {
            let g = snapshot.generation;
            let outputs: Vec<_> = tables.scan(&OUTPUTS, g.id.as_bytes()).map(|row| row.unwrap().1).collect();
            let ended = outputs.iter().filter(|o| o.end.is_some()).count();
            assert_eq!((outputs.len(), ended), (g.total as usize, (g.done + g.failed) as usize));
            assert_eq!(g.status.is_terminal(), g.done + g.failed == g.total);
            let designed = outputs.iter().all(|o| o.page.is_some());
            assert_eq!(g.planned.is_some(), designed);
            held += outputs.iter().filter(|o| o.end.is_none()).map(|o| o.cost).sum::<u64>();
        }
        assert_eq!(store.balance(account, T0).unwrap().reserved, held);
        for job in tables.scan(&JOBS, &[]) {
            let (_, job) = job.unwrap();
            let generation = store.generation(account, job.generation).unwrap().unwrap().generation;
            assert!(!generation.status.is_terminal(), "a job of what has ended");
        }
    }
}

#[test]
fn one_at_a_time() {
    let b = bench(0);
    let _kept = b.store.shared.tables.dirty().keep().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.vivid");
    assert_eq!(b.store.export(&file, T0), Err(StateError::Busy("an export")));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_damaged_file_is_refused_and_leaves_nothing() {
    let b = busy();
    let folder = tempfile::tempdir().unwrap();
    let (file, state) = (folder.path().join("a.vivid"), folder.path().join("state"));
    b.store.export(&file, T0).unwrap();
    let whole = std::fs::read(&file).unwrap();
    let refused = |bytes: &[u8]| {
        std::fs::write(&file, bytes).unwrap();
        let Err(StateError::NoCopy(why)) = import(&state, &file) else { panic!() };
        let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
        assert_eq!(left, ["a.vivid"]);
        why
    };
    for at in (0..whole.len()).step_by(97) {
        let mut damaged = whole.clone();
        damaged[at] ^= 0x10;
        refused(&damaged);
        refused(&whole[..at]);
    }
    assert!(refused(b"a text").contains("short"));
    assert!(refused(&[b"VIVIDEXP\x03".as_slice(), &[0; 80]].concat()).contains("newer"));
    assert!(refused(&[0; 90]).contains("none"));
    std::fs::write(&file, whole).unwrap();
    import(&state, &file).unwrap();
}

/// An entry of a copy: the index of its table, its key and its row.
type Row<'a> = (usize, &'a [u8], Option<&'a [u8]>);

/// Writes a copy with these entries and a valid checksum.
fn written(file: &Path, tables: &[&str], entries: &[Row<'_>]) {
    let tables = tables.iter().map(|&t| t.to_owned()).collect();
    let head = Head { service: "0.0.1".into(), at: T0, tables };
    let mut copy = Writer::new(std::fs::File::create(file).unwrap(), &head).unwrap();
    for (table, key, row) in entries {
        copy.entry(*table, key, *row).unwrap();
    }
    let rows: BTreeMap<_, _> = entries.iter().map(|(table, key, row)| ((*table, *key), *row)).collect();
    let mut position = Position { seq: 5, ..Position::default() };
    for ((table, key), row) in rows {
        if let Some(row) = row {
            position.digest.add(&head.tables[table], key, row);
        }
    }
    copy.finish(&position).unwrap();
}

#[test]
fn what_this_version_cannot_read_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (file, state) = (folder.path().join("a.vivid"), folder.path().join("state"));
    let refused = || match import(&state, &file) {
        Err(StateError::NoCopy(why)) => why,
        other => panic!("{other:?}"),
    };
    written(&file, &["meta", "moods"], &[]);
    assert!(refused().contains("moods"));
    written(&file, &["accounts"], &[(0, b"0123456789abcdef", Some(&[9, 9]))]);
    assert!(refused().contains("accounts"));
    assert!(!state.exists());
}

#[test]
fn an_older_copy_is_read_and_its_balances_are_looked_at() {
    // An account of version 1, in a copy of a version with only two tables, in another order.
    let folder = tempfile::tempdir().unwrap();
    let (file, state) = (folder.path().join("a.vivid"), folder.path().join("state"));
    let account = hex::decode("0105686f75736501010a").unwrap();
    let (kept, gone) = ([1; 16], [2; 16]);
    let entries = [
        (1, kept.as_slice(), Some(account.as_slice())),
        (1, &gone, Some(&account)),
        (1, &gone, None),
        (0, &kept, Some(&[1, 9, 0])),
    ];
    written(&file, &["balances", "accounts"], &entries);
    let imported = import(&state, &file).unwrap();
    let unbalanced = vec![Uuid::from_bytes(kept)];
    assert_eq!((imported.service.as_str(), imported.entries, imported.unbalanced), ("0.0.1", 4, unbalanced));
    let store = Store::open(&state).unwrap();
    assert_eq!(store.shared.tables.scan(&ACCOUNTS, &[]).count(), 1);
}

#[test]
fn there_must_be_no_state_yet() {
    let b = busy();
    let folder = tempfile::tempdir().unwrap();
    let (file, state) = (folder.path().join("a.vivid"), folder.path().join("state"));
    b.store.export(&file, T0).unwrap();
    std::fs::create_dir(&state).unwrap();
    std::fs::write(state.join("db"), b"").unwrap();
    assert!(matches!(import(&state, &file), Err(StateError::NotEmpty(_))));
    // The exception is the remains of an interrupted import: the folder is not opened, but an import replaces it.
    std::fs::write(import_mark(&state), b"").unwrap();
    assert!(matches!(Store::open(&state), Err(StateError::HalfDone(_))));
    import(&state, &file).unwrap();
    assert!(!import_mark(&state).exists());
    assert_eq!(rows(&Store::open(&state).unwrap()), rows(&b.store));
}

/// A copy as version 1 of the format writes it. It must stay readable forever.
#[test]
fn the_format() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.vivid");
    written(&file, &["meta", "accounts"], &[(1, b"key", Some(b"row")), (0, b"k", None)]);
    let bytes = std::fs::read(&file).unwrap();
    assert_eq!(&bytes[..9], b"VIVIDEXP\x02");
    let body = zstd::decode_all(&bytes[9..bytes.len() - 32]).unwrap();
    let head = br#"{"service":"0.0.1","at":1700000000000,"tables":["meta","accounts"]}"#;
    let expected = [
        [0, 0, 0, head.len() as u8].as_slice(),
        head,
        b"\x01\x00\x01\x00\x03\x00\x00\x00\x03keyrow",
        b"\x02\x00\x00\x00\x01k",
        b"\x00\x00\x00\x00\x00\x00\x00\x00\x02",
        // The fifth commit, and the digest of the remaining row.
        b"\x00\x00\x00\x00\x00\x00\x00\x05",
        &[0; 32],
        &hex::decode("5793a221ed4716ae23c67f1552cbbff0").unwrap(),
    ]
    .concat();
    assert_eq!(body, expected, "the format changed; make it another version");
}
