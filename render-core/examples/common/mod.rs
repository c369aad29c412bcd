//! What the examples that try files out have in common.
#![allow(dead_code, reason = "no example uses all of it")]

use std::path::Path;

use render_core::content::{Language, read_text};
use render_core::design::{Page, Style};
use render_core::format::FormatId;
use render_core::outline::{Locale, Outline};
use render_core::plan::{PlanRequest, plan};
use render_core::text::Fonts;

/// Runs a command with the arguments of the program; says what is wrong and ends with 1 where it fails.
#[allow(clippy::print_stderr, reason = "a command says what is wrong")]
pub fn start(run: impl FnOnce(&[String]) -> Result<(), String>) {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let Err(wrong) = run(&arguments) {
        eprintln!("{wrong}");
        std::process::exit(1);
    }
}

/// How a text is planned.
pub struct Planned<'a> {
    pub format: FormatId,
    /// Slides of a carousel.
    pub slides: u32,
    pub style: Style,
    pub seed: u64,
    /// Outlines that are written already.
    pub written: &'a [(FormatId, Outline)],
}

impl Planned<'_> {
    /// The pages of a text.
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
