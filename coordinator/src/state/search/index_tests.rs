use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;

fn id(n: u64) -> Uuid {
    Uuid::from_u128(u128::from(n) << 64)
}

fn entry(n: u64, status: Status, input: InputType, brand: Option<u64>) -> Entry {
    Entry { id: id(n), created: Millis(n as i64), brand: brand.map(id), status, input, text: 0..0 }
}

fn all(shelf: &Shelf) -> Vec<(Uuid, Vec<u8>)> {
    for pair in shelf.blocks.windows(2) {
        assert!(pair[0].last() < pair[1].first(), "blocks overlap");
    }
    for block in &shelf.blocks {
        assert!((1..=BLOCK).contains(&block.entries.len()));
        let named: usize = block.entries.iter().map(|e| e.text.len()).sum();
        assert_eq!(named + block.slack, block.texts.len());
        assert!(block.slack <= SLACK.max(block.texts.len() / 2));
    }
    shelf.blocks.iter().flat_map(|b| b.entries.iter().map(|e| (e.id, b.text(e).to_owned()))).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    /// Compares the index with a map that is scanned completely: all puts and removals in any order, and all filters.
    #[test]
    fn it_finds_what_a_walk_over_all_finds(
        steps in prop::collection::vec((0u64..1500, 0u8..5, 0usize..6, 0u8..4, prop::option::of(0u64..3)), 1..3000),
        asked in prop::collection::vec(
            (prop::option::of(0usize..6), prop::option::of(0u8..4), prop::option::of(0u64..3), 0u64..1600, 0i64..1600,
             prop::option::of("[ab]{1,3}"), 1usize..40),
            1..20,
        ),
    ) {
        let inputs = [InputType::Text, InputType::Url, InputType::Idea, InputType::Pdf, InputType::Pages];
        let (mut shelf, mut model) = (Shelf::default(), BTreeMap::new());
        for (n, act, status, input, brand) in steps {
            if act == 0 {
                shelf.remove(id(n));
                model.remove(&id(n));
            } else {
                let entry = entry(n, Status::ALL[status], inputs[usize::from(input)], brand);
                // Texts of various lengths, so that blocks have slack.
                let text = "ab".repeat(usize::from(act) * 40) + ["", "a", "bb", "bab"][n as usize % 4];
                shelf.put(entry.clone(), text.as_bytes());
                model.insert(entry.id, (entry, text));
            }
        }
        let kept: Vec<_> = model.iter().map(|(id, (_, text))| (*id, text.clone().into_bytes())).collect();
        prop_assert_eq!(all(&shelf), kept);
        for (status, input, brand, before, created, query, limit) in asked {
            let filter = Filter {
                status: status.map(|s| Status::ALL[s]),
                input_type: input.map(|i| inputs[usize::from(i)]),
                brand: brand.map(id),
                created_after: (created % 2 == 0).then_some(Millis(created)),
                created_before: (created % 3 == 0).then_some(Millis(created)),
                query,
            };
            let holds = |e: &Entry, text: &str| e.passes(&filter) && filter.query.as_ref().is_none_or(|q| text.contains(q));
            let older = model.values().rev().filter(|(e, _)| e.id < id(before));
            let expected: Vec<_> = older.filter(|(e, t)| holds(e, t)).map(|(e, _)| e.id).take(limit).collect();
            prop_assert_eq!(shelf.find(&filter, id(before), limit), expected);
        }
    }
}

#[test]
fn blocks_fill_up_when_the_newest_comes_last() {
    let mut shelf = Shelf::default();
    for n in 0..(3 * BLOCK as u64) {
        shelf.put(entry(n, Status::Pending, InputType::Text, None), b"x");
    }
    assert_eq!(shelf.blocks.iter().map(|b| b.entries.len()).collect::<Vec<_>>(), [BLOCK; 3]);
}

#[test]
fn nothing_is_found_across_two_texts() {
    let mut shelf = Shelf::default();
    let both = [b"over".as_slice(), &[BETWEEN], b"lap"].concat();
    shelf.put(entry(1, Status::Pending, InputType::Text, None), &both);
    shelf.put(entry(2, Status::Pending, InputType::Text, None), b"ping");
    let found = |q: &str| shelf.find(&Filter { query: Some(q.into()), ..Filter::default() }, Uuid::max(), 9);
    assert_eq!(found("OVER"), [id(1)], "in any case");
    assert_eq!(found("p"), [id(2), id(1)]);
    assert!(found("overlap").is_empty() && found("lapping").is_empty());
}
