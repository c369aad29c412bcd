//! Texts that are to be set whole: whether the pages asked for hold them, told before anything is made.

use std::sync::LazyLock;
use std::time::Duration;

use fleet::share::{Each, Share};
use fleet::watch::Watch;
use render_core::content::{ReadOptions, read_text_with};
use render_core::format::Format;
use render_core::outline::{self, left_out, outline};

use uuid::Uuid;

use super::creation::Creation;
use super::error::{ApiError, Detail};
use super::input::Input;

/// Time that a check may wait for its turn, and time that it may take.
const TIME: Duration = Duration::from_secs(20);
/// Checks of one account that may wait for those before them.
const WAITING: usize = 16;

/// Limits concurrent checks to one per core, and one account to one fewer.
static TURNS: LazyLock<Share> = LazyLock::new(|| {
    let places = worker::setup::cores().max(2);
    Share::new(places, Each { waiting: WAITING, ..Each::all_but_one(places) })
});

/// Checks a text of `account` that is to be set word for word. What has to be fetched or unpacked first is checked by whoever
/// does.
///
/// # Errors
/// [`ApiError::Invalid`] with the capacity; [`ApiError::Busy`] where it would take too long.
pub async fn check(account: Uuid, creation: &Creation) -> Result<(), ApiError> {
    let Input::Text(text) = &creation.input else { return Ok(()) };
    if !creation.exact {
        return Ok(());
    }
    let (text, formats) = (text.clone(), creation.formats.clone());
    let language = creation.language.as_deref().and_then(|tag| tag.parse().ok());
    let options = ReadOptions { title: creation.title.clone(), language, exact: true, ..ReadOptions::default() };
    let place = tokio::time::timeout(TIME, TURNS.take(account)).await.map_err(|_| ApiError::Busy)?;
    let place = place.map_err(|_| ApiError::Busy)?;
    // Dropped with this, whoever still waits.
    let watch = Watch::new(TIME);
    let scope = watch.scope();
    let checked = tokio::task::spawn_blocking(move || {
        let _place = place;
        scope.run(|| capacity(&text, &options, &formats))
    });
    let checked = checked.await.map_err(|error| {
        tracing::error!(%error, "a text could not be measured");
        ApiError::Internal
    })?;
    checked.unwrap_or(Err(ApiError::Busy))
}

fn capacity(text: &str, options: &ReadOptions, formats: &[(String, Option<u32>)]) -> Result<(), ApiError> {
    // A text without words is a fault of its own.
    let Ok(document) = read_text_with(text, options) else { return Ok(()) };
    let all = left_out(&document, std::iter::empty());
    for (id, slides) in formats {
        let Some(format) = Format::by_id(id) else { continue };
        // What is too little for its slides is told where it is planned.
        let Ok(outlines) = outline(&outline::Request { document: &document, format, slides: *slides }) else { continue };
        let least = outlines.iter().map(|o| left_out(&document, o.texts())).min().unwrap_or(0);
        if least > 0 {
            let message = format!(
                "Word for word, the pages asked for in {id} leave out about {least} of the {all} characters that this text \
                 says. Ask for more slides, shorten the text, or leave useExactContent out."
            );
            return Err(ApiError::Invalid(vec![Detail::new("inputContent", "content_too_long", message)]));
        }
    }
    Ok(())
}
