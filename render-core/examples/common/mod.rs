//! Code shared by the examples that try files out.
#![allow(dead_code, reason = "each example uses only a part of it")]

use std::path::Path;

use render_core::content::{Language, read_text};
use render_core::design::{Page, Style};
use render_core::format::FormatId;
use render_core::outline::{Locale, Outline};
use render_core::plan::{PlanRequest, plan};
use render_core::text::Fonts;

/// Runs a command with the program's arguments. On failure, prints the error and exits with status 1.
#[allow(clippy::print_stderr, reason = "a command prints its error")]
pub fn start(run: impl FnOnce(&[String]) -> Result<(), String>) {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let Err(wrong) = run(&arguments) {
        eprintln!("{wrong}");
        std::process::exit(1);
    }
}

/// The parameters for planning a text.
pub struct Planned<'a> {
    pub format: FormatId,
    /// Number of slides in a carousel.
    pub slides: u32,
    pub style: Style,
    pub seed: u64,
    /// Outlines that were already written.
    pub written: &'a [(FormatId, Outline)],
}

impl Planned<'_> {
    /// Plans the pages of a text.
    pub fn pages(&self, text: &str, fonts: &Fonts) -> Result<Vec<Page>, String> {
        let document = read_text(text).map_err(|e| e.to_string())?;
        let language = Language::detect(text);
        let request = PlanRequest {
            locale: Locale { direction: language.direction(), language },
            written: self.written,
            ..PlanRequest::of(
                &document,
                vec![(self.format, self.format.format().carousel.then_some(self.slides))],
                self.style,
                self.seed,
            )
        };
        Ok(plan(&request, fonts).map_err(|e| e.to_string())?.pages)
    }
}

/// Returns names and contents of the XML files in a folder, sorted by name.
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
