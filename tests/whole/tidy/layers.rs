//! Checks imports within render-core: which modules may depend on which, and that layered modules have no cycles
//! between their files.

use std::collections::{BTreeMap, BTreeSet};

use super::{is_unit_test, none};
use crate::repo;

/// Modules and the modules that each may depend on, from bottom to top.
const LAYERS: [(&str, &[&str]); 25] = [
    ("cancel", &[]),
    ("limits", &[]),
    ("warning", &[]),
    ("content", &["cancel", "limits"]),
    ("icon", &["content"]),
    ("scene", &["limits"]),
    ("format", &["scene"]),
    ("text", &["content", "limits", "scene"]),
    ("outline", &["cancel", "content", "format", "limits", "warning"]),
    ("raster", &["cancel", "limits", "scene", "text"]),
    ("encode", &["cancel", "raster"]),
    ("pdf", &["cancel", "encode", "raster", "scene", "text"]),
    ("design", &["content", "format", "icon", "limits", "outline", "scene", "text", "warning"]),
    ("inspect", &["cancel", "design", "format", "raster", "scene"]),
    ("tree", &["icon", "limits", "scene", "text"]),
    ("sheet", &["content", "design", "format", "scene", "text", "tree", "warning"]),
    ("art", &["design", "scene"]),
    ("elements", &["art", "content", "design", "icon", "limits", "scene", "sheet", "text", "tree"]),
    ("markup", &["limits", "tree"]),
    ("pictures", &["content", "design", "elements", "limits", "markup", "scene", "text", "tree"]),
    (
        "compose",
        &[
            "content", "design", "elements", "format", "icon", "limits", "markup", "outline", "pictures", "scene",
            "sheet", "text", "tree", "warning",
        ],
    ),
    (
        "plan",
        &[
            "cancel", "compose", "content", "design", "format", "icon", "inspect", "limits", "outline", "pictures",
            "raster", "scene", "text", "tree", "warning",
        ],
    ),
    (
        "leaf",
        &[
            "compose", "content", "design", "elements", "format", "inspect", "limits", "markup", "pictures", "raster",
            "scene", "sheet", "text", "tree", "warning",
        ],
    ),
    (
        "author",
        &[
            "compose", "content", "design", "elements", "format", "icon", "leaf", "markup", "outline", "pictures",
            "sheet", "text", "tree",
        ],
    ),
    (
        "edit",
        &[
            "cancel", "compose", "content", "design", "elements", "icon", "inspect", "limits", "markup", "outline",
            "pictures", "plan", "raster", "scene", "text", "tree", "warning",
        ],
    ),
];

/// Returns the sources of a module, without tests.
fn sources(module: &str) -> Vec<(String, String)> {
    let (folder, alone) = (format!("render-core/src/{module}/"), format!("render-core/src/{module}.rs"));
    let all = repo::texts("rs").into_iter().filter(|(file, _)| file.starts_with(&folder) || *file == alone);
    let own: Vec<_> = all.filter(|(file, _)| !is_unit_test(file)).collect();
    assert!(!own.is_empty(), "{module} is gone, and its layer with it");
    own
}

/// Returns the imports of a source as path segments: groups are expanded, comments and tests removed.
pub(super) fn imports(text: &str) -> Vec<Vec<String>> {
    let shipped = text.split("#[cfg(test)]").next().unwrap_or("");
    let code: String = shipped.lines().map(|l| l.split("//").next().unwrap_or("")).collect::<Vec<_>>().join(" ");
    let mut found = Vec::new();
    for (at, _) in code.match_indices("use ") {
        let starts = code[..at].chars().next_back().is_none_or(|c| c.is_whitespace() || c == ')');
        if let (true, Some(end)) = (starts, code[at..].find(';')) {
            expand(&code[at + 4..at + end], &mut Vec::new(), &mut found);
        }
    }
    // Finds paths that are written out in the code.
    for (at, _) in code.match_indices("crate::") {
        let path: String = code[at..].chars().take_while(|c| c.is_alphanumeric() || matches!(c, '_' | ':')).collect();
        let path: Vec<String> = path.split("::").filter(|s| !s.is_empty()).map(str::to_owned).collect();
        // Groups in `use` items were expanded above.
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
    let modules: BTreeSet<String> = repo::files()
        .iter()
        .filter_map(|f| {
            f.strip_prefix("render-core/src/")?.split('/').next().map(|m| m.trim_end_matches(".rs").to_owned())
        })
        .collect();
    let layered: BTreeSet<String> = LAYERS.iter().map(|(module, _)| (*module).to_owned()).collect();
    let without = modules.iter().filter(|m| !layered.contains(*m) && !["lib", "format_tests"].contains(&m.as_str()));
    let mut findings: Vec<String> = without.map(|m| format!("{m} has no layer")).collect();
    for (place, (module, allowed)) in LAYERS.into_iter().enumerate() {
        let below: Vec<&str> = LAYERS[..place].iter().map(|(m, _)| *m).collect();
        findings
            .extend(allowed.iter().filter(|m| !below.contains(m)).map(|m| format!("{module} may know {m} above it")));
        for (file, text) in sources(module) {
            let named = imports(&text).into_iter().filter(|path| path.first().is_some_and(|s| s == "crate"));
            let known = named.filter_map(|path| path.get(1).cloned()).filter(|m| modules.contains(m) && m != module);
            let crossed: BTreeSet<String> = known.filter(|m| !allowed.contains(&m.as_str())).collect();
            findings.extend(crossed.into_iter().map(|m| format!("{file} -> {m}")));
        }
    }
    none("imports of layers that a module may not know", findings);
}

/// Returns the file of a module path in its crate, as segments, or `None` if there is none.
fn file_of(path: &[String], files: &BTreeSet<String>) -> Option<String> {
    let joined = format!("render-core/src/{}", path.join("/"));
    [format!("{joined}.rs"), format!("{joined}/mod.rs")].into_iter().find(|f| files.contains(f))
}

/// Returns the module of a file, as segments.
fn module_of(file: &str) -> Vec<String> {
    let path = file.trim_start_matches("render-core/src/").trim_end_matches(".rs").trim_end_matches("/mod");
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

/// Returns the file that an absolute path refers to. Follows re-exports of `mod.rs` files.
fn target(
    path: &[String],
    files: &BTreeSet<String>,
    exports: &BTreeMap<String, Vec<Vec<String>>>,
    depth: usize,
) -> Option<String> {
    let (length, file) = (1..=path.len()).rev().find_map(|n| Some((n, file_of(&path[..n], files)?)))?;
    let name = path.get(length);
    if let (Some(name), Some(exported), true) = (name, exports.get(&file), depth < 4) {
        let through = exported.iter().find(|e| e.last() == Some(name));
        if let Some(found) = through.and_then(|e| target(e, files, exports, depth + 1)) {
            return Some(found);
        }
    }
    Some(file)
}

#[test]
fn layered_modules_have_no_import_cycles() {
    let all: Vec<(String, String)> = LAYERS.iter().flat_map(|(module, _)| sources(module)).collect();
    let files: BTreeSet<String> = all.iter().map(|(file, _)| file.clone()).collect();
    let mut exports: BTreeMap<String, Vec<Vec<String>>> = BTreeMap::new();
    for (file, text) in all.iter().filter(|(file, _)| file.ends_with("/mod.rs")) {
        let public: String = text.split("pub").skip(1).filter(|part| part.contains("use ")).collect();
        let module = module_of(file);
        exports.insert(file.clone(), imports(&public).iter().filter_map(|i| absolute(i, &module)).collect());
    }
    let mut edges: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (file, text) in &all {
        let module = module_of(file);
        // A re-export in a mod.rs is not a dependency of its own.
        let handed: BTreeSet<&Vec<String>> = exports.get(file).into_iter().flatten().collect();
        let paths = imports(text).into_iter().filter_map(|i| absolute(&i, &module)).filter(|p| !handed.contains(p));
        let known = paths.filter_map(|p| target(&p, &files, &exports, 0)).filter(|t| t != file);
        edges.entry(file.clone()).or_default().extend(known);
    }
    assert!(edges.values().map(BTreeSet::len).sum::<usize>() > 100, "the imports are no longer found");
    // Repeatedly removes files without edges to remaining files. What remains is on a cycle or leads to one.
    let mut left = edges;
    loop {
        let names: BTreeSet<String> = left.keys().cloned().collect();
        let (done, rest): (Vec<_>, Vec<_>) =
            left.into_iter().partition(|(_, known)| known.iter().all(|k| !names.contains(k)));
        left = rest.into_iter().collect();
        if done.is_empty() || left.is_empty() {
            break;
        }
    }
    let cycles = left.iter().map(|(file, known)| {
        let known: Vec<&str> = known.iter().filter(|k| left.contains_key(*k)).map(String::as_str).collect();
        format!("{file} -> {}", known.join(", "))
    });
    none("files on an import cycle, or leading to one", cycles.collect());
}

#[test]
fn imports_are_taken_apart() {
    let text =
        "use crate::{a::{B, c::D as E}, f};\npub use super::g;\nfn x() { crate::h::i() }\n#[cfg(test)]\nuse crate::z;";
    let found: Vec<String> = imports(text).iter().map(|p| p.join("::")).collect();
    assert_eq!(found, ["crate::a::B", "crate::a::c::D", "crate::f", "super::g", "crate::h::i"]);
}
