//! Bodies that may be large: creations with a file in base64 or a text in escapes, and files. They arrive on disk and are
//! read in the working memory; see [`crate::bodies`].

use std::time::Duration;

use axum::body::{Body, HttpBody};
use axum::http::HeaderMap;
use futures::StreamExt;
use memchr::memmem;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::creation::{self, Creation};
use super::error::ApiError;
use super::input::Input;
use super::json::{self, BODY_BYTES, BODY_TIME, DROPPED_BYTES, FILE_BODY_BYTES};
use super::{App, idempotency};
use crate::bodies::{BodyFault, IN_MEMORY, Received, Working};

/// Bytes of a body without a file. A text of 200,000 characters takes up to 2,400,000 bytes where each is written in
/// escapes (`\ud83d\ude00`); the rest of the body has the megabyte that every body has.
pub const TEXT_BODY_BYTES: usize = 4 << 20;
/// Bytes of an escape such as `\ud83d`. They don't count towards [`BODY_BYTES`].
const ESCAPE_BYTES: usize = 6;
/// The field that holds a file.
const FILE_FIELD: &[u8] = b"\"inputFile\"";
/// Time that a large body may take to arrive.
const LARGE_BODY_TIME: Duration = Duration::from_secs(60);
/// Times its size that a creation takes while it is read: the body and the strings that JSON makes of it, then these and
/// the file that base64 makes of them.
const COPIES: u64 = 2;

/// The body of a creation or an estimate, not read yet.
pub struct Sent {
    received: Received,
}

impl Sent {
    /// Receives it. `path` is that of the request as the contract writes it, for the fingerprint.
    ///
    /// # Errors
    /// [`ApiError::UnsupportedMediaType`], [`ApiError::BodyTooLarge`], [`ApiError::BodyTimeout`],
    /// [`ApiError::StorageUnavailable`].
    pub async fn receive(app: &App, headers: &HeaderMap, body: Body, path: &str) -> Result<Self, ApiError> {
        let is_small = body.size_hint().exact().is_some_and(|bytes| bytes <= BODY_BYTES as u64);
        let time = if is_small { BODY_TIME } else { LARGE_BODY_TIME };
        let received = receive(app, body, idempotency::hasher(path), FILE_BODY_BYTES, time).await;
        // What a body is goes before how large it is.
        json::check_type(headers)?;
        Ok(Self { received: received? })
    }

    /// What makes two requests the same.
    pub fn fingerprint(&self) -> [u8; 32] {
        self.received.digest
    }

    /// What is to be made, and the place in the working memory that its file takes.
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
            // Two copies at a time: the body goes before the file is made of its field.
            drop(body);
            creation::read(&fields, ceilings, &guard)
        };
        let creation = match is_large {
            // Takes tens of milliseconds, which other requests would wait for.
            true => tokio::task::spawn_blocking(read).await.map_err(|error| {
                tracing::error!(%error, "a body could not be read");
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

/// Refuses a body that is larger than its kind may be: without a file no more than others, escapes aside.
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

/// A body of at most `most` bytes of which no digest is wanted; see [`receive`].
///
/// # Errors
/// As [`receive`].
pub async fn receive_file(app: &App, body: Body, most: usize, time: Duration) -> Result<Received, ApiError> {
    receive(app, body, Sha256::new(), most, time).await
}

/// A fault of receiving or reading a body, as its sender is told.
pub fn fault(fault: BodyFault) -> ApiError {
    match fault {
        BodyFault::Busy => ApiError::Busy,
        BodyFault::NoRoom(_) | BodyFault::Disk(_) => {
            tracing::error!(error = %fault, "a body can't be received");
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
