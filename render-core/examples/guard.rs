//! Measures the source guard on pairs of a source and a sentence. `guard tests/pairs/*.jsonl` prints false refusals and
//! false passes by kind and language; with `list` as the first argument, it also prints each of them.

use std::collections::BTreeMap;
use std::error::Error;

use render_core::content::Evidence;
use serde::Deserialize;

#[derive(Deserialize)]
struct Pair {
    lang: String,
    source: String,
    sentence: String,
    ok: bool,
    kind: String,
    why: String,
}

/// True pairs, true pairs that were refused, false pairs, false pairs that passed.
type Counts = [usize; 4];

#[allow(clippy::print_stdout, reason = "a command prints its findings")]
fn main() -> Result<(), Box<dyn Error>> {
    let mut files: Vec<String> = std::env::args().skip(1).collect();
    let lists = files.first().is_some_and(|first| first == "list");
    if lists {
        files.remove(0);
    }
    let mut rows: BTreeMap<String, Counts> = BTreeMap::new();
    for file in files {
        for line in std::fs::read_to_string(file)?.lines() {
            let pair: Pair = serde_json::from_str(line)?;
            let refused = refusal(&pair);
            let at = if pair.ok { 0 } else { 2 };
            let wrong = pair.ok == refused.is_some();
            for name in ["total".to_owned(), pair.kind.clone(), pair.lang.clone()] {
                let row = rows.entry(name).or_default();
                row[at] += 1;
                row[at + 1] += usize::from(wrong);
            }
            if wrong && lists {
                let said = refused.unwrap_or_else(|| pair.why.clone());
                println!("{} {} {}\n  {}\n  > {}\n  {said}", pair.lang, pair.kind, pair.ok, pair.source, pair.sentence);
            }
        }
    }
    println!("{:10} {:>6} {:>8} {:>6} {:>7}", "", "true", "refused", "false", "passed");
    for (name, [yes, refused, no, passed]) in rows {
        println!("{name:10} {yes:6} {refused:8} {no:6} {passed:7}");
    }
    Ok(())
}

/// Returns why the guard refuses the sentence of a pair.
fn refusal(pair: &Pair) -> Option<String> {
    let evidence = Evidence::of(&pair.source);
    let said = evidence.bears_out(&pair.sentence).and_then(|()| evidence.allows_addresses(&pair.sentence));
    said.err().map(|why| why.to_string())
}
