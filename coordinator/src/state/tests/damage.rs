//! Damages, truncates, removes or swaps files of a state, one at a time. Either everything is still there, or the state
//! stays closed and the documented recovery restores it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use render_core::random::Chance;

use super::{T0, account, success};
use crate::state::copies::import::tests::rows;
use crate::state::tests::Bench;
use crate::state::{StateError, Store, recover};

type Rows = Vec<(usize, Vec<u8>, Vec<u8>)>;

/// A state at rest, its contents and its exports.
struct Image {
    files: BTreeMap<PathBuf, Vec<u8>>,
    rows: Rows,
    exports: Vec<PathBuf>,
    /// Whether only the journal has the last commits.
    killed: bool,
}

/// Files by their path in `folder`.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => folders.push(path),
                // Reserved space without content.
                false if path.ends_with("ballast") => {}
                false => {
                    drop(found.insert(path.strip_prefix(folder).unwrap().to_owned(), std::fs::read(&path).unwrap()))
                }
            }
        }
    }
    found
}

fn lay(files: &BTreeMap<PathBuf, Vec<u8>>, folder: &Path) {
    for (path, bytes) in files {
        let path = folder.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
}

/// Creates a state with `generations` generations, most of them after two exports, as it lies on the disk. `killed`
/// leaves it as a killed process does.
fn image(folder: &Path, generations: u32, killed: bool) -> Image {
    let state = folder.join("origin");
    let store = Store::open(&state).unwrap();
    let id = store.create_account(&account(), 1_000_000).unwrap();
    let b = Bench { folder: tempfile::tempdir().unwrap(), store, account: id };
    let exports: Vec<_> = (0..2).map(|n| folder.join(format!("{n}.vivid"))).collect();
    for n in 0..generations {
        b.accept(3);
        if n % 3 > 0 {
            let (claim, job) = b.claim(b.next().unwrap(), T0).unwrap();
            b.store.report(claim, &success(&job), T0).unwrap();
        }
        if n == generations / 4 || n == generations / 2 {
            b.store.export(&exports[usize::from(n == generations / 2)], T0).unwrap();
        }
    }
    b.store.settle().unwrap();
    let (rows, at_work) = (rows(&b.store), files(&state));
    b.store.close().unwrap();
    drop(b);
    let files = if killed { at_work } else { files(&state) };
    Image { files, rows, exports: exports.into_iter().rev().collect(), killed }
}

/// The outcomes of damage.
#[derive(Debug, Default)]
struct Ends {
    harmless: u32,
    recovered: u32,
    /// The damage hit commits of a killed process that existed in only one place. They can't be recovered, and recovery
    /// says so.
    told: u32,
}

impl Image {
    /// Opens the state in `folder`. If that is refused, recovers it. Everything must be there then.
    fn check(&self, folder: &Path, what: &str, ends: &mut Ends) {
        match Store::open(folder) {
            Ok(store) => {
                assert!(rows(&store) == self.rows, "{what}: it opens, and something is missing");
                ends.harmless += 1;
            }
            Err(why) => {
                let mut made = recover(folder, &self.exports, false, T0);
                if self.killed && what.contains("journal/") && made.is_err() {
                    made = recover(folder, &self.exports, true, T0);
                    let lost = made.as_ref().ok().and_then(Option::as_ref).map_or(0, |made| made.lost);
                    assert!((1..50).contains(&lost), "{what}: {why}: {made:?}");
                    drop(Store::open(folder).unwrap());
                    ends.told += 1;
                    return;
                }
                let made = made.unwrap_or_else(|e| panic!("{what}: refused ({why}), and not recovered: {e}"));
                assert!(made.is_some_and(|made| made.lost == 0), "{what}: {why}");
                let store = Store::open(folder).unwrap_or_else(|e| panic!("{what}: recovered, and refused again: {e}"));
                assert!(rows(&store) == self.rows, "{what}: {why}: it was recovered, and something is missing");
                ends.recovered += 1;
            }
        }
    }
}

fn seed() -> u64 {
    std::env::var("VIVID_CHAOS_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(0x5eed_1234_abcd)
}

/// Damages the state `times` times, each time in a different way.
#[expect(clippy::print_stdout, reason = "the figures are what a long run is for")]
fn damage(killed: bool, times: u32) -> Ends {
    let folder = tempfile::tempdir().unwrap();
    let long = std::env::var("VIVID_CHAOS").is_ok_and(|mode| mode == "long");
    let (generations, times) = if long { (400, times * 5) } else { (60, times) };
    let image = image(folder.path(), generations, killed);
    let bytes: usize = image.files.values().map(Vec::len).sum();
    let (mut chance, mut ends) = (Chance::new(seed()), Ends::default());
    for n in 0..times {
        let mut damaged = image.files.clone();
        // Larger files are hit more often.
        let mut at = chance.below(bytes);
        let (path, content) = damaged
            .iter_mut()
            .find(|(_, content)| {
                let found = at < content.len();
                at -= if found { 0 } else { content.len() };
                found
            })
            .unwrap();
        let path = path.clone();
        let what = match n % 5 {
            0..=2 => {
                content[at] ^= 1 << chance.below(8);
                format!("a bit of byte {at} of {}", path.display())
            }
            3 => {
                content.truncate(at);
                format!("{} cut at {at}", path.display())
            }
            _ => {
                let length = chance.below(4096).min(content.len() - at);
                content[at..at + length].fill(0);
                format!("{length} bytes at {at} of {} are zeros", path.display())
            }
        };
        let state = folder.path().join(format!("state-{n}"));
        lay(&damaged, &state);
        image.check(&state, &what, &mut ends);
        let _ = std::fs::remove_dir_all(&state);
        let _ = std::fs::remove_dir_all(folder.path().join(format!("state-{n}.damaged-{}", T0.0)));
    }
    let paths: Vec<_> = image.files.keys().cloned().collect();
    for (n, path) in paths.iter().enumerate() {
        let state = folder.path().join(format!("removed-{n}"));
        let mut damaged = image.files.clone();
        damaged.remove(path);
        lay(&damaged, &state);
        image.check(&state, &format!("{} removed", path.display()), &mut ends);
        let other = &paths[(n + 1) % paths.len()];
        let state = folder.path().join(format!("exchanged-{n}"));
        let mut damaged = image.files.clone();
        damaged.insert(path.clone(), image.files[other].clone());
        damaged.insert(other.clone(), image.files[path].clone());
        lay(&damaged, &state);
        image.check(&state, &format!("{} and {} exchanged", path.display(), other.display()), &mut ends);
    }
    println!("chaos: i16, damaged files ({bytes} bytes, killed: {killed}): {ends:?}");
    ends
}

#[test]
fn i16_damage_to_a_state_at_rest_is_never_a_silent_loss() {
    let ends = damage(false, 40);
    assert!(ends.recovered > 0 && ends.harmless > 0, "{ends:?}");
}

#[test]
fn i16_damage_to_a_state_of_a_killed_process_is_never_a_silent_loss() {
    let ends = damage(true, 40);
    assert!(ends.recovered > 0, "{ends:?}");
}

#[test]
fn i16_an_older_database_is_brought_up_to_date_by_the_journal() {
    let folder = tempfile::tempdir().unwrap();
    let (state, older) = (folder.path().join("state"), folder.path().join("older"));
    let store = Store::open(&state).unwrap();
    store.create_account(&account(), 5).unwrap();
    drop(store);
    lay(&files(&state), &older);
    let store = Store::open(&state).unwrap();
    let second = store.create_account(&account(), 7).unwrap();
    drop(store);
    let journal = files(&state.join("journal"));
    std::fs::remove_dir_all(&state).unwrap();
    lay(&files(&older), &state);
    lay(&journal, &state.join("journal"));
    let store = Store::open(&state).unwrap();
    assert_eq!(store.balance(second, T0).unwrap().available(), 7);
}

#[test]
fn i16_a_database_without_its_journal_stays_closed() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("state");
    let store = Store::open(&state).unwrap();
    let id = store.create_account(&account(), 5).unwrap();
    drop(store);
    std::fs::remove_dir_all(state.join("journal")).unwrap();
    assert!(matches!(Store::open(&state), Err(StateError::Damaged(why)) if why.contains("journal is missing")));
    let made = recover(&state, &[], false, T0).unwrap().unwrap();
    assert_eq!((made.lost, made.export), (0, None));
    assert_eq!(Store::open(&state).unwrap().balance(id, T0).unwrap().available(), 5);
    assert_eq!(recover(&state, &[], false, T0), Ok(None), "it is sound now");
}

#[test]
fn i16_what_cannot_be_recovered_is_given_up_only_if_asked() {
    let folder = tempfile::tempdir().unwrap();
    let (state, export) = (folder.path().join("state"), folder.path().join("a.vivid"));
    let store = Store::open(&state).unwrap();
    let first = store.create_account(&account(), 5).unwrap();
    // The second export lets the journal drop its beginning.
    store.export(&folder.path().join("first.vivid"), T0).unwrap();
    store.export(&export, T0).unwrap();
    store.create_account(&account(), 7).unwrap();
    let third = store.create_account(&account(), 9).unwrap();
    drop(store);
    // Damage both the database and the record of the second account.
    std::fs::write(state.join("db"), b"nothing").unwrap();
    let journal = files(&state.join("journal"));
    let (name, mut bytes) = journal.into_iter().rfind(|(path, _)| path.extension().is_some()).unwrap();
    bytes[200] ^= 1;
    std::fs::write(state.join("journal").join(name), bytes).unwrap();
    assert!(Store::open(&state).is_err());
    let refused = recover(&state, std::slice::from_ref(&export), false, T0);
    assert!(matches!(&refused, Err(StateError::Damaged(why)) if why.contains("--accept-loss")), "{refused:?}");
    let made = recover(&state, &[export], true, T0).unwrap().unwrap();
    assert!(made.lost > 0 && made.damaged.exists(), "{made:?}");
    let store = Store::open(&state).unwrap();
    assert_eq!(store.balance(first, T0).unwrap().available(), 5);
    assert_eq!(store.balance(third, T0).unwrap().available(), 0);
}
