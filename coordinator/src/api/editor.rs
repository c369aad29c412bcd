//! Runs the editor of the service's workers within a time limit.

use std::sync::Arc;
use std::time::Duration;

use fleet::edit::Editor;
use fleet::protocol::Failure;
use tokio::time::timeout;

use crate::app::App;
use crate::http::error::ApiError;

/// Time limit for computing an edit. The language model may be called twice.
const TIME: Duration = Duration::from_secs(60);

/// Returns the editor.
///
/// # Errors
/// [`ApiError::NoWorkers`].
pub(super) fn editor(app: &App) -> Result<&Arc<dyn Editor>, ApiError> {
    app.editor.as_ref().ok_or(ApiError::NoWorkers)
}

/// Awaits the result of the editor, and converts its failure to an error response.
///
/// # Errors
/// [`ApiError::EditTimedOut`], [`ApiError::Busy`], [`ApiError::StorageUnavailable`], [`ApiError::StorageDamaged`],
/// [`ApiError::Internal`].
pub(super) async fn in_time<T>(work: impl Future<Output = Result<T, Failure>>) -> Result<T, ApiError> {
    let done = timeout(TIME, work).await.map_err(|_| ApiError::EditTimedOut)?;
    done.map_err(|failure| ApiError::of_failure(&failure, "computing an edit failed"))
}
