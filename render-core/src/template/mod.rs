//! Templates: how the content of a planned page becomes a page in the page language.
//!
//! ```text
//! content (slots, items) + style tokens + format --context--> minijinja template --> text in the page language
//! ```
//!
//! Each file of `assets/templates` is one template: a header that says what content it suits, and behind it the page with
//! slots and loops. Files of `assets/templates/parts` are shared by templates: the frame that all pages extend, and macros.
//! Adding a template takes one file; nothing in Rust names a template.

mod context;
mod cue;
mod header;

use std::sync::OnceLock;

use minijinja::{Environment, Error, ErrorKind, UndefinedBehavior, Value};

pub use context::Surroundings;
pub use header::{Header, Use};

include!(concat!(env!("OUT_DIR"), "/templates.rs"));

/// A template and what its header says.
#[derive(Debug)]
pub struct Template {
    /// Its name: that of its file.
    pub name: String,
    /// Its header.
    pub header: Header,
}

struct Library {
    templates: Vec<Template>,
    environment: Environment<'static>,
}

static LIBRARY: OnceLock<Library> = OnceLock::new();

fn library() -> &'static Library {
    LIBRARY.get_or_init(|| {
        let own = |files: &[(&str, &str)]| -> Vec<(String, String)> {
            files.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
        };
        Library::read(own(PARTS), own(TEMPLATES)).unwrap_or_else(|wrong| {
            debug_assert!(false, "{wrong}");
            Library { templates: Vec::new(), environment: Environment::new() }
        })
    })
}

/// Uses the templates of a folder in place of the built-in ones, for programs that try templates out. Must be called before
/// any template is used.
///
/// # Errors
/// What is wrong with a file.
pub fn load(folder: &std::path::Path) -> Result<(), String> {
    let read = |folder: std::path::PathBuf| -> Result<Vec<(String, String)>, String> {
        let files = std::fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        let paths = files.filter_map(|f| Some(f.ok()?.path())).filter(|p| p.extension().is_some_and(|e| e == "xml"));
        let mut found = Vec::new();
        for path in paths {
            let text = std::fs::read_to_string(&path).map_err(|e| e.to_string())?;
            found.push((path.file_stem().unwrap_or_default().to_string_lossy().into_owned(), text));
        }
        found.sort();
        Ok(found)
    };
    let library = Library::read(read(folder.join("parts"))?, read(folder.to_owned())?)?;
    LIBRARY.set(library).map_err(|_| "templates are in use already".to_owned())
}

impl Library {
    fn read(parts: Vec<(String, String)>, files: Vec<(String, String)>) -> Result<Self, String> {
        let mut environment = Environment::new();
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        context::functions(&mut environment);
        let mut templates = Vec::with_capacity(files.len());
        for (name, text) in parts {
            environment.add_template_owned(format!("parts/{name}"), text).map_err(|e| explained(&name, &e))?;
        }
        for (name, text) in files {
            let (header, body) = header::read(&text).map_err(|e| format!("{name}: {e}"))?;
            environment.add_template_owned(name.clone(), body.to_owned()).map_err(|e| explained(&name, &e))?;
            templates.push(Template { name, header });
        }
        Ok(Self { templates, environment })
    }
}

/// What is wrong with a template, with the line.
fn explained(name: &str, error: &Error) -> String {
    let line = error.line().map(|l| format!(" line {l}")).unwrap_or_default();
    let inner = std::error::Error::source(error).map(|e| format!(" ({e})")).unwrap_or_default();
    format!("{}{line}: {error}{inner}", error.name().unwrap_or(name))
}

/// Every template.
pub fn all() -> &'static [Template] {
    &library().templates
}

/// The template of this name.
pub fn find(name: &str) -> Option<&'static Template> {
    all().iter().find(|t| t.name == name)
}

/// A page's content in a template, as text in the page language.
///
/// # Errors
/// What is wrong with the template.
pub fn markup(name: &str, surroundings: &Surroundings<'_>) -> Result<String, String> {
    let template = library().environment.get_template(name).map_err(|e| explained(name, &e))?;
    let header = find(name).map(|t| &t.header).ok_or_else(|| format!("{name}: no such template"))?;
    template.render(Value::from_pairs(surroundings.values(header))).map_err(|e| explained(name, &e))
}

/// An error that a function of templates reports.
fn refused(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::InvalidOperation, message.into())
}
