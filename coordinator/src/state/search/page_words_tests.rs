//! What the search finds: titles, beginnings, and the words of the pages that are shown; and being called otherwise.

use std::collections::HashMap;

use fleet::protocol::{BlobId, Outcome, Verdict};

use super::*;
use crate::state::rows::golden;
use crate::state::tests::{Bench, T0, bench, success};
use crate::state::{Bundle, BundleKind, Filter, Once, Snapshot, StorageCheck, Store, StoredFacts};

impl Bench {
    fn found(&self, words: &str) -> usize {
        let filter = Filter { query: Some(words.into()), ..Filter::default() };
        self.store.generations(self.account, &filter, None, 100).unwrap().0.len()
    }

    /// The same state, opened anew.
    fn reopened(self) -> Self {
        let Self { folder, store, account } = self;
        drop(store);
        let store = Store::open(folder.path()).unwrap();
        Self { folder, store, account }
    }

    /// A generation whose pages say these words.
    fn saying(&self, pages: &[&str]) -> Snapshot {
        let id = self.accept(pages.len() as u32);
        let (grant, job) = self.claim(self.next().unwrap(), T0).unwrap();
        let Outcome::Planned(planned) = success(&job) else { panic!("{job:?}") };
        let words: HashMap<_, _> =
            planned.pages.iter().map(|p| p.page).zip(pages.iter().map(|p| (*p).to_owned())).collect();
        let stored = StoredFacts { words, ..StoredFacts::default() };
        let outcome = Outcome::Planned(planned);
        let report =
            self.store.commit_alone(|reply| self.store.reporting(grant, outcome.clone(), stored.clone(), T0, reply));
        assert_eq!(report.unwrap(), Verdict::Accepted);
        self.drain(T0);
        self.get(id)
    }
}

#[test]
fn rows_stay_as_they_are() {
    golden(&PageWords { text: "a fox".into() }, "0105612066 6f78".replace(' ', "").as_str());
}

#[test]
fn words_of_pages_are_found() {
    let mut b = bench(100_000);
    b.saying(&["Wren in the Hedge\nSings at dawn", "Île de Ré"]);
    for _ in 0..2 {
        assert_eq!(b.found("in the hedge"), 1, "in any case");
        assert_eq!(b.found("ÎLE DE"), 1, "of any page");
        assert_eq!(b.found("dawn île"), 0, "nothing is found across two pages");
        assert_eq!(b.found("slide 1"), 0, "the words of a page go before its description");
        assert_eq!(b.found("quick brown") + b.found("foxes"), 2, "beginnings and titles as ever");
        b = b.reopened();
    }
}

#[test]
fn pages_of_earlier_versions_of_the_service_are_found_by_their_descriptions() {
    let mut b = bench(100_000);
    b.accept(2);
    b.drain(T0);
    for _ in 0..2 {
        assert_eq!((b.found("slide 1"), b.found("slide 7")), (1, 0));
        b = b.reopened();
    }
}

#[test]
fn the_words_are_those_of_what_is_shown() {
    let b = bench(100_000);
    let before = b.saying(&["Wren in the hedge", "Owl"]);
    let id = before.generation.id;
    b.begin(&before, &[0], 40).unwrap();
    assert_eq!((b.found("hedge"), b.found("page 40")), (1, 0), "an edit that is under way");
    b.draw();
    assert_eq!((b.found("hedge"), b.found("page 40"), b.found("owl")), (0, 1, 1));
    let Once::Made(_) = b.restore(&b.get(id), 0, 1) else { panic!() };
    assert_eq!((b.found("hedge"), b.found("page 40")), (1, 0), "an earlier version has its words again");
    let b = b.reopened();
    assert_eq!((b.found("hedge"), b.found("page 40"), b.found("owl")), (1, 0, 1));
    b.store.delete_generation(b.account, id, T0).unwrap();
    assert_eq!(b.found("hedge"), 0);
    assert_eq!(b.store.shared.tables.scan(&PAGE_WORDS, &[]).count(), 0);
}

#[test]
fn long_pages_are_kept_in_part() {
    let b = bench(100_000);
    let long = format!("first {} last", "ö ".repeat(20_000));
    let pages: Vec<String> = (0..30).map(|n| format!("page{n} {long}")).collect();
    let made = b.saying(&pages.iter().map(String::as_str).collect::<Vec<_>>());
    let kept = shown(&b.store.shared.tables, made.generation.id).unwrap();
    assert_eq!(kept.len(), 30);
    assert!(kept.iter().all(|words| (1_990..=2_000).contains(&words.len())));
    assert_eq!((b.found("page2 first"), b.found("last")), (1, 0));
    assert_eq!(b.found("page29"), 0, "a generation is searched up to {SEARCHED_BYTES} bytes");
}

#[test]
fn of_each_output_the_latest_version_counts() {
    let (one, two) = (Uuid::now_v7(), Uuid::now_v7());
    let mut latest = Latest::default();
    let mut push = |generation, place, version, text: &str| {
        latest.push(&keyspace::versioned(generation, place, version), PageWords { text: text.into() })
    };
    assert_eq!(push(one, 0, 1, "a"), None);
    assert_eq!(push(one, 0, 2, "b"), None);
    assert_eq!(push(one, 3, 1, "c"), None);
    assert_eq!(push(two, 0, 1, "d"), Some((one, vec!["b".into(), "c".into()])));
    assert_eq!(latest.end(), Some((two, vec!["d".into()])));
    assert_eq!(latest.end(), None);
}

#[test]
fn a_generation_is_called_what_its_owner_calls_it() {
    let b = bench(100_000);
    let id = b.accept(1);
    let rename = |name: Option<&str>| b.store.rename(b.account, id, name, T0).unwrap().unwrap();
    assert_eq!(rename(Some("Early")).generation.title(), Some("Early"), "before it has a title");
    b.drain(T0);
    assert_eq!(b.get(id).generation.title(), Some("Early"));
    assert_eq!((b.found("early"), b.found("foxes")), (1, 1), "the title that was found is searched too");
    let bundle = Bundle { kind: BundleKind::Pdf, format: None, blob: BlobId([5; 32]), bytes: 9, shows: vec![(0, 1)] };
    b.store.keep_bundle(b.account, id, &bundle).unwrap().unwrap().unwrap();
    let renamed = rename(Some("Late"));
    assert_eq!((renamed.generation.title(), renamed.outputs.len()), (Some("Late"), 1));
    assert_eq!(b.store.bundle(id, BundleKind::Pdf, None).unwrap(), None, "files that say the old title are made anew");
    assert_eq!((b.found("early"), b.found("late")), (0, 1));
    assert_eq!(rename(None).generation.title(), Some("Foxes"));
    let stranger = Uuid::now_v7();
    assert_eq!(b.store.rename(stranger, id, Some("Mine"), T0).unwrap(), None);
    assert_eq!(b.store.check_storage(b.account).unwrap(), StorageCheck::Right);
    assert_eq!(b.check_money().1, 0);
}
