//! Checks the map in docs/architecture.md against the tree: it lists every folder, and nothing that does not exist.

use std::collections::BTreeSet;

use super::none;
use crate::repo;

/// Returns what the map lists: folders (without trailing slash) and files, as paths from the root.
fn listed() -> (BTreeSet<String>, BTreeSet<String>) {
    let page = repo::text("docs/architecture.md");
    let map = page.split("```").nth(1).expect("the map is the first code block");
    let (mut folders, mut files) = (BTreeSet::new(), BTreeSet::new());
    let mut above: Vec<String> = Vec::new();
    for line in map.lines().filter(|l| !l.trim().is_empty()) {
        let depth = (line.len() - line.trim_start().len()) / 2;
        let names = line.trim_start().split("  ").next().unwrap_or("");
        above.truncate(depth);
        for name in names.split(' ') {
            match name.strip_suffix('/') {
                Some(folder) => {
                    let path = above.iter().map(String::as_str).chain([folder]).collect::<Vec<_>>().join("/");
                    folders.insert(path);
                }
                None => _ = files.insert(above.iter().map(String::as_str).chain([name]).collect::<Vec<_>>().join("/")),
            }
        }
        if let Some(folder) = names.strip_suffix('/') {
            above.push(folder.to_owned());
        }
    }
    (folders, files)
}

/// The map omits `src/`, which every crate has.
fn as_listed(path: &str) -> String {
    path.replacen("/src/", "/", 1)
}

#[test]
fn the_map_shows_the_tree() {
    let (folders, files) = listed();
    let there: BTreeSet<String> = repo::files().iter().map(|f| as_listed(f)).collect();
    let mut folders_there = BTreeSet::new();
    for file in &there {
        let ends = file.match_indices('/').map(|(at, _)| file[..at].to_owned());
        folders_there.extend(ends);
    }
    none("folders that docs/architecture.md doesn't list", folders_there.difference(&folders).cloned().collect());
    none("folders that docs/architecture.md lists in vain", folders.difference(&folders_there).cloned().collect());
    none("files that docs/architecture.md lists in vain", files.difference(&there).cloned().collect());
}
