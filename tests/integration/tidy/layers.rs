//! Checks imports within the crates: which modules may depend on which, and that the files of a crate's modules import
//! each other without cycles.

use std::collections::{BTreeMap, BTreeSet};

use super::layer_tables::{CRATES, Layers};
use super::{is_unit_test, none, shipped};
use crate::repo;

/// Returns the sources of a module of the crate in `folder`, without tests.
fn sources(folder: &str, module: &str) -> Vec<(String, String)> {
    let (within, alone) = (format!("{folder}{module}/"), format!("{folder}{module}.rs"));
    let all = repo::texts("rs").into_iter().filter(|(file, _)| file.starts_with(&within) || *file == alone);
    let own: Vec<_> = all.filter(|(file, _)| !is_unit_test(file)).collect();
    assert!(!own.is_empty(), "{folder}{module} is gone, and its layer with it");
    own
}

/// Returns the imports of a source as path segments: groups are expanded, comments and tests removed.
pub(super) fn imports(text: &str) -> Vec<Vec<String>> {
    let code = shipped(text).into_iter().map(|line| line.split("//").next().unwrap_or(""));
    let code: String = code.collect::<Vec<_>>().join(" ");
    let mut found = Vec::new();
    for (at, _) in code.match_indices("use ") {
        let starts = code[..at].chars().next_back().is_none_or(|c| c.is_whitespace() || c == ')');
        if let (true, Some(end)) = (starts, code[at..].find(';')) {
            expand(&code[at + 4..at + end], &mut Vec::new(), &mut found);
        }
    }
    // Finds paths that are written out in the code.
    for (at, _) in ["crate::", "super::"].into_iter().flat_map(|start| code.match_indices(start)) {
        // The path of `pub(in …)` is no import.
        let is_scope = code[..at].ends_with("(in ");
        if is_scope || code[..at].ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | ':')) {
            continue;
        }
        let path: String = code[at..].chars().take_while(|c| c.is_alphanumeric() || matches!(c, '_' | ':')).collect();
        // Groups in `use` items were expanded above.
        if code[at + path.len()..].starts_with('{') {
            continue;
        }
        let path: Vec<String> = path.split("::").filter(|s| !s.is_empty()).map(str::to_owned).collect();
        if path.len() > 1 && !found.contains(&path) {
            found.push(path);
        }
    }
    found
}

/// Expands a use tree.
fn expand(tree: &str, before: &mut Vec<String>, found: &mut Vec<Vec<String>>) {
    let tree = tree.trim();
    let group = tree.find('{');
    let head = group.map_or(tree, |at| &tree[..at]);
    let segments: Vec<String> = head
        .split("::")
        .map(|s| s.split(" as ").next().unwrap_or("").trim().to_owned())
        .filter(|s| !s.is_empty())
        .collect();
    let length = before.len();
    before.extend(segments);
    match group {
        None => found.push(before.clone()),
        Some(at) => {
            let inner = tree[at + 1..].rsplit_once('}').map_or("", |(inner, _)| inner);
            let (mut depth, mut from) = (0, 0);
            for (i, c) in inner.char_indices().chain([(inner.len(), ',')]) {
                match c {
                    '{' => depth += 1,
                    '}' => depth -= 1,
                    ',' if depth == 0 => {
                        if !inner[from..i].trim().is_empty() {
                            expand(&inner[from..i], before, found);
                        }
                        from = (i + 1).min(inner.len());
                    }
                    _ => {}
                }
            }
        }
    }
    before.truncate(length);
}

#[test]
fn modules_know_only_the_layers_below() {
    let mut findings = Vec::new();
    for layers in CRATES {
        findings.extend(crossings(layers));
    }
    none("imports of layers that a module may not know", findings);
}

/// Returns the modules of a crate that have no layer, and the imports from layers that are not below.
fn crossings(Layers { folder, table }: &Layers) -> Vec<String> {
    let own = repo::files();
    let own = own.iter().filter(|file| !is_unit_test(file)).filter_map(|file| file.strip_prefix(folder));
    let modules: BTreeSet<String> =
        own.filter_map(|file| Some(file.split('/').next()?.trim_end_matches(".rs").to_owned())).collect();
    let has_layer = |module: &str| table.iter().any(|(layered, _)| *layered == module);
    let without = modules.iter().filter(|module| !["lib", "main"].contains(&module.as_str()) && !has_layer(module));
    let mut findings: Vec<String> = without.map(|module| format!("{folder}{module} has no layer")).collect();
    for (place, (module, allowed)) in table.iter().enumerate() {
        let is_below = |other: &&&str| table[..place].iter().any(|(below, _)| below == *other);
        let above = allowed.iter().filter(|other| !is_below(other));
        findings.extend(above.map(|other| format!("{folder}{module} may know {other} above it")));
        for (file, text) in sources(folder, module) {
            let own = module_of(&file, folder);
            let named = imports(&text).into_iter().filter(|path| ["crate", "super"].contains(&path[0].as_str()));
            let named = named.filter_map(|path| absolute(&path, &own)?.first().cloned());
            let known = named.filter(|other| modules.contains(other) && other != module);
            let crossed: BTreeSet<String> = known.filter(|other| !allowed.contains(&other.as_str())).collect();
            findings.extend(crossed.into_iter().map(|other| format!("{file} -> {other}")));
        }
    }
    findings
}

/// Returns the file of a module path in the crate in `folder`, or `None` if there is none.
fn file_of(path: &[String], folder: &str, files: &BTreeSet<String>) -> Option<String> {
    let joined = format!("{folder}{}", path.join("/"));
    [format!("{joined}.rs"), format!("{joined}/mod.rs")].into_iter().find(|f| files.contains(f))
}

/// Returns the module of a file, as segments.
fn module_of(file: &str, folder: &str) -> Vec<String> {
    let path = file.trim_start_matches(folder).trim_end_matches(".rs").trim_end_matches("/mod");
    path.split('/').map(str::to_owned).collect()
}

/// Returns the absolute path of an import in its crate.
pub(super) fn absolute(import: &[String], module: &[String]) -> Option<Vec<String>> {
    let mut at = match import.first()?.as_str() {
        "crate" => Vec::new(),
        "super" => module[..module.len().checked_sub(1)?].to_vec(),
        "self" => module.to_vec(),
        // A child of this module.
        _ => return Some(module.iter().chain(import).cloned().collect()),
    };
    for segment in &import[1..] {
        match segment.as_str() {
            "super" => drop(at.pop()),
            segment => at.push(segment.to_owned()),
        }
    }
    Some(at)
}

/// Returns the file that an absolute path refers to. Follows re-exports of modules that have files below them.
fn target(
    path: &[String],
    folder: &str,
    files: &BTreeSet<String>,
    exports: &BTreeMap<String, Vec<Vec<String>>>,
    depth: usize,
) -> Option<String> {
    let (length, file) = (1..=path.len()).rev().find_map(|n| Some((n, file_of(&path[..n], folder, files)?)))?;
    let name = path.get(length);
    if let (Some(name), Some(exported), true) = (name, exports.get(&file), depth < 4) {
        let through = exported.iter().find(|e| e.last() == Some(name));
        if let Some(found) = through.and_then(|e| target(e, folder, files, exports, depth + 1)) {
            return Some(found);
        }
    }
    Some(file)
}

/// Whether a file is a module with files below it.
fn has_children(file: &str, files: &BTreeSet<String>) -> bool {
    let within = format!("{}/", file.trim_end_matches(".rs"));
    file.ends_with("/mod.rs") || files.iter().any(|other| other.starts_with(&within))
}

/// Returns the paths that a source re-exports.
fn exported(text: &str, module: &[String]) -> Vec<Vec<String>> {
    let public = text.split("pub").skip(1).filter_map(|part| {
        let part = part.strip_prefix('(').and_then(|scope| scope.split_once(')')).map_or(part, |(_, part)| part);
        let tree = part.trim_start().strip_prefix("use ")?.split(';').next()?;
        Some(format!("use {tree};\n"))
    });
    imports(&public.collect::<String>()).iter().filter_map(|import| absolute(import, module)).collect()
}

/// Returns the files of a crate's modules that are on an import cycle.
fn cycles(Layers { folder, table }: &Layers) -> Vec<String> {
    let all: Vec<(String, String)> = table.iter().flat_map(|(module, _)| sources(folder, module)).collect();
    let files: BTreeSet<String> = all.iter().map(|(file, _)| file.clone()).collect();
    let parents = all.iter().filter(|(file, _)| has_children(file, &files));
    let exports: BTreeMap<String, Vec<Vec<String>>> =
        parents.map(|(file, text)| (file.clone(), exported(text, &module_of(file, folder)))).collect();
    let mut edges: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (file, text) in &all {
        let module = module_of(file, folder);
        // A re-export is not a dependency of its own.
        let handed: BTreeSet<&Vec<String>> = exports.get(file).into_iter().flatten().collect();
        let paths = imports(text).into_iter().filter_map(|i| absolute(&i, &module)).filter(|p| !handed.contains(p));
        let known = paths.filter_map(|p| target(&p, folder, &files, &exports, 0)).filter(|t| t != file);
        edges.entry(file.clone()).or_default().extend(known);
    }
    let count = edges.values().map(BTreeSet::len).sum::<usize>();
    assert!(count > edges.len() / 2, "the imports of {folder} are no longer found: {count}");
    // Repeatedly removes files that import no remaining file, or that no remaining file imports. What remains is on a
    // cycle, or between two cycles.
    let mut left = edges;
    loop {
        let names: BTreeSet<String> = left.keys().cloned().collect();
        let imported: BTreeSet<String> = left.values().flatten().cloned().collect();
        left.retain(|file, known| imported.contains(file) && known.iter().any(|other| names.contains(other)));
        if left.len() == names.len() {
            break;
        }
    }
    let left_of = |known: &BTreeSet<String>| {
        known.iter().filter(|k| left.contains_key(*k)).map(String::as_str).collect::<Vec<_>>().join(", ")
    };
    left.iter().map(|(file, known)| format!("{file} -> {}", left_of(known))).collect()
}

#[test]
fn files_have_no_import_cycles() {
    none("files on an import cycle", CRATES.into_iter().flat_map(cycles).collect());
}

#[test]
fn imports_are_taken_apart() {
    let text = "use crate::{a::{B, c::D as E}, f};\npub use super::g;\npub(in crate::x) fn x() { crate::h::i() }\n#[cfg(test)]\nuse crate::z;";
    let found: Vec<String> = imports(text).iter().map(|p| p.join("::")).collect();
    assert_eq!(found, ["crate::a::B", "crate::a::c::D", "crate::f", "super::g", "crate::h::i"]);
}
