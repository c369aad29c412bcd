//! The repository as the tests see it: its root, files and text.

use std::path::{Path, PathBuf};

/// The root of the repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the tests' crate lies in the repository")
}

/// Returns every file that is or will be under version control, relative to the root and sorted. Files that git ignores
/// are left out.
pub fn files() -> Vec<String> {
    let mut found = Vec::new();
    walk(root(), &Ignored::read(), &mut found);
    found.sort();
    found
}

/// Returns the files with this extension, with their text.
pub fn texts(extension: &str) -> Vec<(String, String)> {
    let ends = format!(".{extension}");
    files().into_iter().filter(|f| f.ends_with(&ends)).map(|f| (text(&f), f)).map(|(t, f)| (f, t)).collect()
}

/// Returns the text of a file.
pub fn text(file: &str) -> String {
    std::fs::read_to_string(root().join(file)).unwrap_or_else(|e| panic!("{file}: {e}"))
}

/// What git ignores: paths from the root, and folder names at any depth.
struct Ignored {
    paths: Vec<PathBuf>,
    names: Vec<String>,
}

impl Ignored {
    fn read() -> Self {
        let (mut paths, mut names) = (vec![root().join(".git")], Vec::new());
        for line in text(".gitignore").lines().map(|l| l.trim_end_matches('/')).filter(|l| !l.is_empty()) {
            match line.strip_prefix('/') {
                Some(path) => paths.push(root().join(path)),
                None => names.push(line.to_owned()),
            }
        }
        Self { paths, names }
    }

    fn covers(&self, path: &Path) -> bool {
        let name = path.file_name().map(|n| n.to_string_lossy());
        self.paths.iter().any(|p| p == path) || name.is_some_and(|n| self.names.contains(&n.into_owned()))
    }
}

fn walk(folder: &Path, ignored: &Ignored, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let path = entry.path();
        if ignored.covers(&path) {
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
