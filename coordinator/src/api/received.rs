//! Receives bodies that may be large: files, and creations with a base64 file or an escaped text. They are written to
//! disk as they arrive and then loaded into the working memory; see [`crate::bodies`].

use std::time::Duration;

use axum::body::{Body, HttpBody};
use axum::http::HeaderMap;
use futures::StreamExt;
use memchr::memmem;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::creation::{self, Creation};
use super::input::Input;
use crate::app::App;
use crate::bodies::{BodyFault, IN_MEMORY, Received, Working};
use crate::http::error::ApiError;
use crate::http::idempotency::{self, Payload};
use crate::http::json::{self, BODY_BYTES, BODY_TIME, DROPPED_BYTES, FILE_BODY_BYTES};

/// Maximum size in bytes of a body without a file. A text of 200,000 characters takes up to 2,400,000 bytes if every
/// character is escaped (`\ud83d\ude00`). The remaining fields have the megabyte that every body has.
pub const TEXT_BODY_BYTES: usize = 4 << 20;
/// Length in bytes of an escape such as `\ud83d`. Escapes don't count towards [`BODY_BYTES`].
const ESCAPE_BYTES: usize = 6;
/// The field that contains a file.
const FILE_FIELD: &[u8] = b"\"inputFile\"";
/// Time limit for receiving a large body.
const LARGE_BODY_TIME: Duration = Duration::from_secs(60);
/// Memory for parsing a creation as a multiple of its size: the body and the strings that the JSON parser copies from
/// it, then those strings and the decoded file.
const COPIES: u64 = 2;

/// The received body of a creation or an estimate, not parsed yet. Its digest is the fingerprint of the request.
#[derive(Debug)]
pub struct Sent {
    received: Received,
}

impl Payload for Sent {
    async fn receive(app: &App, path: &str, headers: &HeaderMap, body: Body) -> Result<Self, ApiError> {
        let is_small = body.size_hint().exact().is_some_and(|bytes| bytes <= BODY_BYTES as u64);
        let time = if is_small { BODY_TIME } else { LARGE_BODY_TIME };
        let received = receive(app, body, idempotency::hasher(path), FILE_BODY_BYTES, time).await;
        // A wrong media type is reported before an excessive size.
        json::check_type(headers)?;
        Ok(Self { received: received? })
    }

    fn fingerprint(&self, _: &str) -> [u8; 32] {
        self.received.digest
    }
}

impl Sent {
    /// Parses the creation. Also returns the working memory that its file occupies.
    ///
    /// # Errors
    /// [`ApiError::BodyTooLarge`], [`ApiError::InvalidJson`], [`ApiError::Invalid`], [`ApiError::Busy`].
    pub async fn creation(self, app: &App, account: Uuid) -> Result<(Creation, Option<Working>), ApiError> {
        let is_large = self.received.bytes > IN_MEMORY;
        let loaded = self.received.load(account, COPIES).await.map_err(fault)?;
        let (body, mut working) = (loaded.bytes, loaded.working);
        let (ceilings, guard) = (app.ceilings, app.guard.clone());
        let read = move || {
            check_size(&body)?;
            let fields = json::parse(&body)?;
            // At most two copies exist at a time: the body is freed before the file is decoded from its field.
            drop(body);
            creation::read(&fields, ceilings, &guard)
        };
        let creation = match is_large {
            // Parsing takes tens of milliseconds and would block other requests.
            true => tokio::task::spawn_blocking(read).await.map_err(|error| {
                tracing::error!(%error, "parsing a body failed");
                ApiError::Internal
            })??,
            false => read()?,
        };
        let file = if let Input::File(file, _) = &creation.input { file.len() as u64 } else { 0 };
        if let Some(working) = &mut working {
            working.shrink_to(file);
        }
        Ok((creation, working))
    }
}

/// Checks the size of a body. A body without a file has the limit of an ordinary body, not counting escapes.
fn check_size(body: &[u8]) -> Result<(), ApiError> {
    if body.len() <= BODY_BYTES || memmem::find(body, FILE_FIELD).is_some() {
        return Ok(());
    }
    let escapes = memmem::find_iter(body, b"\\u").count() * ESCAPE_BYTES;
    let is_too_large = body.len() > TEXT_BODY_BYTES || body.len().saturating_sub(escapes) > BODY_BYTES;
    if is_too_large { Err(ApiError::BodyTooLarge(BODY_BYTES)) } else { Ok(()) }
}

/// Receives a body of at most `most` bytes.
///
/// # Errors
/// [`ApiError::BodyTooLarge`], [`ApiError::BodyTimeout`], [`ApiError::StorageUnavailable`].
pub async fn receive(app: &App, body: Body, digest: Sha256, most: usize, time: Duration) -> Result<Received, ApiError> {
    let most_bytes = most as u64;
    let declared = body.size_hint().exact().filter(|bytes| *bytes <= most_bytes);
    let receiving = async {
        let mut receiver = app.bodies.receive(declared, digest);
        let mut stream = body.into_data_stream();
        let mut seen = 0;
        while let Some(part) = stream.next().await {
            let part = part.map_err(|_| json::broken_off())?;
            seen += part.len() as u64;
            if seen <= most_bytes {
                receiver.take(&part).await.map_err(fault)?;
            } else if seen > most_bytes + DROPPED_BYTES as u64 {
                break;
            }
        }
        if seen <= most_bytes { receiver.end().await.map_err(fault) } else { Err(ApiError::BodyTooLarge(most)) }
    };
    tokio::time::timeout(time, receiving).await.map_err(|_| ApiError::BodyTimeout)?
}

/// Receives a body of at most `most` bytes whose digest is not needed; see [`receive`].
///
/// # Errors
/// The same as [`receive`].
pub async fn receive_file(app: &App, body: Body, most: usize, time: Duration) -> Result<Received, ApiError> {
    receive(app, body, Sha256::new(), most, time).await
}

/// Maps a fault in receiving or loading a body to an API error.
pub fn fault(fault: BodyFault) -> ApiError {
    match fault {
        BodyFault::Busy => ApiError::Busy,
        BodyFault::NoRoom(_) | BodyFault::Disk(_) => {
            tracing::error!(error = %fault, "receiving a body failed");
            ApiError::StorageUnavailable
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_don_t_count_and_all_else_does() {
        let sized = |text: &str, rest: usize| {
            let body = format!("{{\"inputContent\": \"{text}\", \"x\": \"{}\"}}", "x".repeat(rest));
            check_size(body.as_bytes()).is_ok()
        };
        let pairs = "\\ud83d\\ude00".repeat(200_000);
        assert!(sized(&pairs, 0) && sized(&pairs, BODY_BYTES - 100));
        assert!(!sized(&pairs, BODY_BYTES));
        assert!(!sized(&"\\u0061".repeat(TEXT_BODY_BYTES / 6 + 1), 0));
        assert!(!sized(&"a".repeat(BODY_BYTES), 0));
        assert!(check_size(&[b"{\"inputFile\": \"".as_slice(), &vec![b'A'; 5 << 20]].concat()).is_ok());
    }
}
