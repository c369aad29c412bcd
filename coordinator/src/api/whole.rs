//! Texts that are to be set whole: whether the pages asked for hold them, told before anything is made.

use render_core::content::{ReadOptions, read_text_with};
use render_core::format::Format;
use render_core::outline::{self, left_out, outline};

use super::creation::Creation;
use super::error::{ApiError, Detail};
use super::input::Input;

/// Checks a text that is to be set word for word. What has to be fetched or unpacked first is checked by whoever does.
///
/// # Errors
/// [`ApiError::Invalid`] with the capacity.
pub async fn check(creation: &Creation) -> Result<(), ApiError> {
    let Input::Text(text) = &creation.input else { return Ok(()) };
    if !creation.exact {
        return Ok(());
    }
    let (text, title, formats) = (text.clone(), creation.title.clone(), creation.formats.clone());
    let checked = tokio::task::spawn_blocking(move || capacity(&text, title, &formats)).await;
    checked.map_err(|error| {
        tracing::error!(%error, "a text could not be measured");
        ApiError::Internal
    })?
}

fn capacity(text: &str, title: Option<String>, formats: &[(String, Option<u32>)]) -> Result<(), ApiError> {
    let options = ReadOptions { title, exact: true, ..ReadOptions::default() };
    // A text without words is a fault of its own.
    let Ok(document) = read_text_with(text, &options) else { return Ok(()) };
    let all = left_out(&document, std::iter::empty());
    for (id, slides) in formats {
        let Some(format) = Format::by_id(id) else { continue };
        let outlines = outline(&outline::Request { document: &document, format, slides: *slides });
        let least = outlines.iter().map(|o| left_out(&document, o.texts())).min().unwrap_or(0);
        if least > 0 {
            let message = format!(
                "Word for word, {id} holds about {} of the {all} characters that this text says. Ask for more slides, \
                 shorten the text, or leave useExactContent out.",
                all - least
            );
            return Err(ApiError::Invalid(vec![Detail::new("inputContent", "content_too_long", message)]));
        }
    }
    Ok(())
}
