//! The repository as the tests see it: its root, its files, its text.

use std::path::{Path, PathBuf};

/// The root of the repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the tests' crate lies in the repository")
}

/// Every file under version control or about to be, relative to the root and sorted; what git ignores is left out.
pub fn files() -> Vec<String> {
    let mut found = Vec::new();
    walk(root(), &ignored(), &mut found);
    found.sort();
    found
}

/// The files whose name ends with `.{extension}`, with their text.
pub fn texts(extension: &str) -> Vec<(String, String)> {
    let ends = format!(".{extension}");
    files().into_iter().filter(|f| f.ends_with(&ends)).map(|f| (text(&f), f)).map(|(t, f)| (f, t)).collect()
}

/// The text of a file.
pub fn text(file: &str) -> String {
    std::fs::read_to_string(root().join(file)).unwrap_or_else(|e| panic!("{file}: {e}"))
}

fn ignored() -> Vec<PathBuf> {
    let rules = text(".gitignore");
    let rooted = rules.lines().filter_map(|l| l.trim().strip_prefix('/'));
    rooted.map(|l| root().join(l.trim_end_matches('/'))).chain([root().join(".git")]).collect()
}

fn walk(folder: &Path, ignored: &[PathBuf], found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let path = entry.path();
        if ignored.contains(&path) || entry.file_name() == "__pycache__" {
            continue;
        }
        if entry.file_type().unwrap().is_dir() {
            walk(&path, ignored, found);
        } else {
            let relative = path.strip_prefix(root()).unwrap();
            found.push(relative.components().map(|c| c.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/"));
        }
    }
}
