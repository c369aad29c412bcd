//! What the examples that try files out have in common.

use std::path::Path;

/// Names and texts of the XML files in a folder, in the order of their names.
pub fn files(folder: &Path) -> Result<Vec<(String, String)>, String> {
    let files = std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let paths = files.filter_map(|f| Some(f.ok()?.path())).filter(|p| p.extension().is_some_and(|e| e == "xml"));
    let mut found = Vec::new();
    for path in paths {
        let text = std::fs::read_to_string(&path).map_err(|e| e.to_string())?;
        found.push((path.file_stem().unwrap_or_default().to_string_lossy().into_owned(), text));
    }
    found.sort();
    Ok(found)
}
