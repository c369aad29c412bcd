//! Fills templates: the content of a planned page becomes a page in the page language.
//!
//! ```text
//! content (slots, items) + style tokens + format --context--> minijinja template --> text in the page language
//! ```

mod context;
mod cue;
mod pieces;

use std::sync::LazyLock;

use minijinja::{Environment, Error, ErrorKind, UndefinedBehavior, Value};

pub use context::Surroundings;
pub(super) use context::picture_attribute;

use super::authored::Inside;
use crate::design::{Template, template};

static ENVIRONMENT: LazyLock<Environment<'static>> = LazyLock::new(|| {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    context::functions(&mut environment);
    for (name, text) in template::parts() {
        add(&mut environment, format!("parts/{name}"), text);
    }
    for template in Template::all() {
        add(&mut environment, template.name().to_owned(), template.text());
    }
    environment
});

fn add(environment: &mut Environment<'static>, name: String, text: &'static str) {
    let added = environment.add_template_owned(name, text);
    debug_assert!(added.is_ok(), "{:?}", added.map_err(|e| explained(&e)));
}

/// Returns a description of a template's mistake, with the line.
fn explained(error: &Error) -> String {
    let line = error.line().map(|l| format!(" line {l}")).unwrap_or_default();
    let inner = std::error::Error::source(error).map(|e| format!(" ({e})")).unwrap_or_default();
    format!("{}{line}: {error}{inner}", error.name().unwrap_or_default())
}

/// Returns a page's content in its template, as text in the page language.
///
/// # Errors
/// A description of the template's mistake.
pub fn filled(surroundings: &Surroundings<'_>) -> Result<String, String> {
    let template = surroundings.page.template;
    let found = ENVIRONMENT.get_template(template.name()).map_err(|e| explained(&e))?;
    found.render(Value::from_pairs(surroundings.values(template.header()))).map_err(|e| explained(&e))
}

/// Returns an authored page's content in the common frame, as text in the page language.
///
/// # Errors
/// A description of the frame's mistake.
pub fn framed(surroundings: &Surroundings<'_>, inside: &Inside) -> Result<String, String> {
    let frame = ENVIRONMENT.get_template("parts/authored").map_err(|e| explained(&e))?;
    let mut values = surroundings.values(surroundings.page.template.header());
    values.push(("main", Value::from(inside.main.as_str())));
    values.push(("under", inside.under.as_deref().map_or(Value::from(()), Value::from)));
    frame.render(Value::from_pairs(values)).map_err(|e| explained(&e))
}

/// Creates an error that a function of templates reports.
fn refused(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::InvalidOperation, message.into())
}
