//! Checks, before anything is stored, that a text fills the requested slides and that the slides can hold the text.

use std::sync::LazyLock;
use std::time::Duration;

use fleet::cancel_guard::CancelGuard;
use fleet::fair_semaphore::{AccountLimits, FairSemaphore};
use render_core::content::{Document, Language, ReadOptions, read_idea, read_text_with};
use render_core::format::{Format, FormatId};
use render_core::outline::{self, TooLittle, left_out, outline};
use render_core::plan::PlanError;
use render_core::warning::{Warning, WarningCode};

use uuid::Uuid;

use super::creation::Creation;
use super::input::Input;
use crate::http::error::{ApiError, Detail};

/// Time limit for waiting for a check's turn, and for the check itself.
const TIME: Duration = Duration::from_secs(20);
/// Maximum number of waiting checks per account.
const WAITING: usize = 128;
/// Characters per slide that always fill it. Longer texts are not checked here; the worker that plans them reports
/// faults.
const AMPLE: usize = 600;

/// Limits concurrent checks to one per core, and one account to one fewer.
static TURNS: LazyLock<FairSemaphore> = LazyLock::new(|| {
    let permits = worker::setup::cores().max(2);
    FairSemaphore::new(permits, AccountLimits { waiting: WAITING, ..AccountLimits::all_but_one(permits) })
});

/// The input of a check.
struct Check {
    text: String,
    idea: bool,
    options: ReadOptions,
    formats: Vec<(String, Option<u32>)>,
    /// Ids of the carousels whose count the request leaves out.
    defaulted: Vec<String>,
}

/// Checks the text or idea of `account`, and sets the slide counts that the request omits: the service's default, or as
/// many slides as the text fills. Input that must be fetched or unpacked first, and text that a language model writes
/// (`writes`), is checked later by the worker that processes it.
///
/// # Errors
/// [`ApiError::Invalid`] states how many slides the text fills, or how many characters of a text that must be used word
/// for word don't fit on the slides. [`ApiError::Busy`] if the check would take too long.
pub async fn settle(account: Uuid, creation: &mut Creation, writes: bool) -> Result<(), ApiError> {
    if let Some(check) = check(creation, writes) {
        let permit = tokio::time::timeout(TIME, TURNS.acquire(account)).await.map_err(|_| ApiError::Busy)?;
        let permit = permit.map_err(|_| ApiError::Busy)?;
        // Dropping the watch cancels the check if the client has disconnected.
        let guard = CancelGuard::new(TIME);
        let scope = guard.scope();
        let checked = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            scope.run(|| check.counts())
        });
        let checked = checked.await.map_err(|error| {
            tracing::error!(%error, "checking a text failed");
            ApiError::Internal
        })?;
        for (id, slides) in checked.unwrap_or(Err(ApiError::Busy))? {
            creation.set_slides(id, slides);
        }
    }
    warn_of_defaults(creation);
    Ok(())
}

/// Returns the check that a creation needs, if any: a text that must be used word for word, or a short text for the
/// requested slides.
fn check(creation: &Creation, writes: bool) -> Option<Check> {
    let (text, idea) = match &creation.input {
        Input::Text(text) => (text, false),
        Input::Idea(text) => (text, true),
        _ => return None,
    };
    // Formats that the client outlined need no check.
    let outlined = |id: &String| creation.outline.iter().any(|(known, _)| known == id);
    let formats: Vec<_> = creation.formats.iter().filter(|(id, _)| !outlined(id)).cloned().collect();
    if formats.is_empty() {
        return None;
    }
    // If the request has an outline, no language model writes the other formats.
    let writes = writes && creation.outline.is_empty();
    let slides = formats.iter().filter_map(|(_, slides)| *slides).max().unwrap_or(0) as usize;
    let few = slides > 1 && text.chars().count() < AMPLE * slides;
    (creation.exact || few && !writes).then(|| Check {
        text: text.clone(),
        idea,
        options: ReadOptions {
            title: creation.title.clone(),
            language: creation.language.as_deref().and_then(|tag| tag.parse::<Language>().ok()),
            exact: creation.exact,
            ..ReadOptions::default()
        },
        formats,
        defaulted: creation.defaulted.clone(),
    })
}

impl Check {
    /// Returns the slide counts that the text determines.
    fn counts(&self) -> Result<Vec<(FormatId, u32)>, ApiError> {
        // A text without words is reported as a separate fault.
        let Some(document) = self.document() else { return Ok(Vec::new()) };
        let mut settled = Vec::new();
        for (id, slides) in &self.formats {
            let Some(format) = Format::by_id(id) else { continue };
            let mut request = outline::Request { document: &document, format, slides: *slides };
            let outlines = match (outline(&request), slides) {
                (Err(TooLittle { carries }), Some(_)) if self.defaulted.contains(id) => {
                    settled.push((format.id, carries));
                    request.slides = Some(carries);
                    outline(&request)
                }
                (outlines, _) => outlines,
            };
            let outlines = outlines.map_err(|TooLittle { carries }| {
                let asked = slides.unwrap_or(1);
                let mut message = PlanError::TooLittle { format: format.id, asked, carries }.to_string();
                if self.idea {
                    message += "; a language model (--llm-base-url and --llm-model) would develop the idea";
                }
                invalid(&format!("carouselCounts.{id}"), "too_little_content", sentence(&message))
            })?;
            let all = || left_out(&document, std::iter::empty());
            let least = outlines.iter().map(|o| left_out(&document, o.texts())).min().filter(|_| document.exact);
            if let Some(least @ 1..) = least {
                let message = format!(
                    "Word for word, the pages asked for in {id} leave out about {least} of the {} characters that this \
                     text says. Ask for more slides, shorten the text, or leave useExactContent out.",
                    all()
                );
                return Err(invalid("inputContent", "content_too_long", message));
            }
        }
        Ok(settled)
    }

    fn document(&self) -> Option<Document> {
        match self.idea {
            true => read_idea(&self.text, &self.options).ok().map(|idea| idea.document),
            false => read_text_with(&self.text, &self.options).ok(),
        }
    }
}

fn invalid(field: &str, code: &'static str, message: String) -> ApiError {
    ApiError::Invalid(vec![Detail::new(field, code, message)])
}

/// Formats a message as a sentence.
fn sentence(message: &str) -> String {
    let mut chars = message.chars();
    let first = chars.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", chars.as_str())
}

/// Warns how many slides each carousel gets whose count the request omits.
fn warn_of_defaults(creation: &mut Creation) {
    for id in &creation.defaulted {
        let Some((_, Some(slides))) = creation.formats.iter().find(|(format, _)| format == id) else { continue };
        let Some(bounds) = Format::by_id(id).and_then(|format| format.slides) else { continue };
        let (min, max) = (bounds.min, bounds.max);
        let noun = if *slides == 1 { "slide" } else { "slides" };
        let message = format!(
            "carouselCounts names no count for {id}, so it gets {slides} {noun}; it can have from {min} to {max}."
        );
        creation.warnings.push(Warning::new(WarningCode::CarouselCountDefaulted, message));
    }
}

#[cfg(test)]
#[path = "slides_tests.rs"]
mod tests;
