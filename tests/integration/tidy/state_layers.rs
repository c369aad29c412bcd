//! Checks imports within the coordinator's `state`: its folders and files form layers, and no files import each other
//! in a cycle.

use std::collections::{BTreeMap, BTreeSet};

use super::layers::{absolute, imports};
use super::{is_unit_test, none};
use crate::repo;

const ROOT: &str = "coordinator/src/state/";
/// Folders and files of `state`, from bottom to top. Each may import only those before it.
const LAYERS: [&str; 19] = [
    "status",
    "error",
    "journal",
    "rows",
    "database",
    "search",
    "memory",
    "store",
    "probe",
    "generations",
    "objects",
    "idempotency",
    "billing",
    "people",
    "assets",
    "webhooks",
    "jobs",
    "open",
    "copies",
];

/// Returns the sources of `state` without tests and without its `mod.rs`, which only re-exports items.
fn sources() -> Vec<(String, String)> {
    let own = |file: &str| file.starts_with(ROOT) && file != format!("{ROOT}mod.rs") && !is_unit_test(file);
    repo::texts("rs").into_iter().filter(|(file, _)| own(file)).collect()
}

/// Returns the module of a file below `state`, as segments.
fn module_of(file: &str) -> Vec<String> {
    let path = file.trim_start_matches(ROOT).trim_end_matches(".rs").trim_end_matches("/mod");
    path.split('/').map(str::to_owned).collect()
}

/// Returns the paths below `state` that a source imports or writes out, as segments.
fn paths(file: &str, text: &str) -> Vec<Vec<String>> {
    let mut module = vec!["state".to_owned()];
    module.extend(module_of(file));
    let absolute = imports(text).into_iter().filter_map(|import| absolute(&import, &module));
    let below = absolute.filter(|path| path.len() > 1 && path[0] == "state");
    below.map(|path| path[1..].to_vec()).collect()
}

/// Returns the file that defines the item or module at a path below `state`.
fn target(path: &[String], files: &BTreeSet<String>) -> Option<String> {
    (1..=path.len()).rev().find_map(|n| {
        let joined = format!("{ROOT}{}", path[..n].join("/"));
        [format!("{joined}.rs"), format!("{joined}/mod.rs")].into_iter().find(|file| files.contains(file))
    })
}

#[test]
fn parts_of_the_state_know_only_the_layers_below() {
    let rank = |module: &str| LAYERS.iter().position(|layer| *layer == module);
    let (mut findings, mut seen) = (Vec::new(), BTreeSet::new());
    for (file, text) in sources() {
        let module = module_of(&file)[0].clone();
        let Some(own) = rank(&module) else {
            findings.push(format!("{file} has no layer"));
            continue;
        };
        seen.insert(module);
        for path in paths(&file, &text) {
            // An item that `mod.rs` re-exports must be imported from the file that defines it.
            if rank(&path[0]).is_none_or(|other| other > own) {
                findings.push(format!("{file} -> {}", path.join("::")));
            }
        }
    }
    findings.extend(LAYERS.iter().filter(|layer| !seen.contains(**layer)).map(|layer| format!("{layer} is gone")));
    none("imports of layers that a part of the state may not know", findings);
}

#[test]
fn files_of_the_state_have_no_import_cycles() {
    let all = sources();
    let files: BTreeSet<String> = all.iter().map(|(file, _)| file.clone()).collect();
    let mut left: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (file, text) in &all {
        let known =
            paths(file, text).into_iter().filter_map(|path| target(&path, &files)).filter(|known| known != file);
        left.entry(file.clone()).or_default().extend(known);
    }
    assert!(left.values().map(BTreeSet::len).sum::<usize>() > 300, "the imports are no longer found");
    // Repeatedly removes files without imports of remaining files. What remains is on a cycle or leads to one.
    loop {
        let names: BTreeSet<String> = left.keys().cloned().collect();
        left.retain(|_, known| known.iter().any(|other| names.contains(other)));
        if left.len() == names.len() {
            break;
        }
    }
    let cycles = left.iter().map(|(file, known)| {
        let known: Vec<&str> = known.iter().filter(|other| left.contains_key(*other)).map(String::as_str).collect();
        format!("{file} -> {}", known.join(", "))
    });
    none("files of the state on an import cycle, or leading to one", cycles.collect());
}
