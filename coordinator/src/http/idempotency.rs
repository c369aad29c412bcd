//! `Idempotency-Key`: validates keys, tracks keys whose requests are in progress, and replays stored answers.
//!
//! A POST handler reads its body and calls [`begin`]. If there is no stored answer, it makes its change. A change of
//! the state is committed in the same transaction as the answer (through [`Begun::keyed`] and `state::once`). A request
//! that changes nothing stores its answer with [`Begun::keep`].

use std::ops::ControlFlow;

use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::error::{ApiError, Conflict};
use crate::app::{App, KeyGuard};
use crate::clock::Millis;
use crate::integrity::{ANSWERS, Repair, Unsound, hashed_name};
use crate::state::{Answer, AnswerBody, Keyed, Once, Past};

const HEADER: HeaderName = HeaderName::from_static("idempotency-key");
const REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");
/// Maximum length of a key in characters.
const KEY_CHARS: usize = 255;
/// Answers up to this many bytes are stored in the state. A longer answer that changes nothing in the state is stored
/// as an object, so that many answers use disk instead of memory.
const ANSWER_BYTES: usize = 4_000;

/// Returns the idempotency key of a request, if it has one.
///
/// # Errors
/// [`ApiError::InvalidHeader`].
pub fn key(headers: &HeaderMap) -> Result<Option<String>, ApiError> {
    let mut sent = headers.get_all(HEADER).iter();
    let Some(key) = sent.next() else { return Ok(None) };
    let text = key.to_str().ok().filter(|k| {
        (1..=KEY_CHARS).contains(&k.len()) && k.bytes().all(|b| b.is_ascii_graphic()) && sent.next().is_none()
    });
    let message = "Idempotency-Key must be sent once, as 1 to 255 visible ASCII characters.";
    text.map(|k| Some(k.to_owned())).ok_or_else(|| ApiError::InvalidHeader(message.into()))
}

/// Returns the fingerprint of a request. Requests with the same fingerprint count as the same request.
pub fn fingerprint(path: &str, body: &[u8]) -> [u8; 32] {
    hasher(path).chain_update(body).finalize().into()
}

/// Returns the hasher of [`fingerprint`], ready for the bytes of the body.
pub fn hasher(path: &str) -> Sha256 {
    Sha256::new().chain_update(path).chain_update([0])
}

/// A POST in progress. It holds its idempotency key, if it has one, until dropped.
pub struct Begun<'a> {
    app: &'a App,
    account: Uuid,
    keyed: Option<(String, [u8; 32])>,
    _alone: Option<KeyGuard<'a>>,
}

/// Begins a POST to `path`, written with its ids as in the contract. Returns the stored answer instead if the same
/// request was answered before.
///
/// # Errors
/// [`ApiError::InvalidHeader`], [`Conflict::IdempotencyInProgress`], [`Conflict::IdempotencyConflict`], and state
/// errors.
pub async fn begin<'a>(
    app: &'a App,
    account: Uuid,
    headers: &HeaderMap,
    path: &str,
    body: &[u8],
) -> Result<ControlFlow<Response, Begun<'a>>, ApiError> {
    begin_as(app, account, headers, || fingerprint(path, body)).await
}

/// The same as [`begin`], for a request with this fingerprint.
///
/// # Errors
/// The same as [`begin`].
pub async fn begin_as<'a>(
    app: &'a App,
    account: Uuid,
    headers: &HeaderMap,
    fingerprint: impl FnOnce() -> [u8; 32],
) -> Result<ControlFlow<Response, Begun<'a>>, ApiError> {
    let Some(key) = key(headers)? else {
        return Ok(ControlFlow::Continue(Begun { app, account, keyed: None, _alone: None }));
    };
    let taken = app.in_flight.take(account, &key);
    let alone = taken.ok_or(ApiError::Conflict(Conflict::IdempotencyInProgress))?;
    let request = fingerprint();
    let asked = key.clone();
    match app.store.run(move |store| store.answered(account, &asked, &request, Millis::now())).await? {
        Past::Nothing => {
            let keyed = Some((key, request));
            Ok(ControlFlow::Continue(Begun { app, account, keyed, _alone: Some(alone) }))
        }
        Past::Answer(answer) => replay(app, answer).await.map(ControlFlow::Break),
        Past::Conflict => Err(ApiError::Conflict(Conflict::IdempotencyConflict)),
    }
}

impl Begun<'_> {
    /// Returns the key for a change of the state. `answer` builds the response of a successful change.
    pub fn keyed<T>(&self, answer: impl Fn(&T) -> Answer + Send + Sync + 'static) -> Option<Keyed<T>> {
        let (key, request) = self.keyed.clone()?;
        Some(Keyed::new(key, request, answer))
    }

    /// Stores the answer of a request that changes nothing in the state, then responds with it.
    ///
    /// # Errors
    /// [`ApiError::StorageUnavailable`], and state errors.
    pub async fn keep(self, answer: Answer) -> Result<Response, ApiError> {
        let (app, account, now) = (self.app, self.account, Millis::now());
        let Some((key, request)) = self.keyed.clone() else { return Ok(respond(&answer)) };
        let mut kept = answer.clone();
        if let AnswerBody::Bytes(bytes) = &answer.body
            && bytes.len() > ANSWER_BYTES
        {
            let object = hashed_name(&format!("{ANSWERS}{account}/"), Uuid::now_v7(), bytes, "json");
            // The object is registered before it is stored, so that it is cleaned up if this request is interrupted in
            // between.
            let thrown = object.clone();
            app.store.run(move |store| store.queue_deletion(&thrown, now)).await?;
            app.blobs.put_object(&object, bytes.clone().into(), "application/json").await.map_err(|e| {
                tracing::error!(error = %e, "storing a response failed");
                ApiError::StorageUnavailable
            })?;
            kept.body = AnswerBody::Object(object);
        }
        let keyed = Keyed::new(key, request, move |(): &()| kept.clone());
        match app.store.run(move |store| store.keep_answer(account, &keyed, now)).await? {
            Once::Made(()) => Ok(respond(&answer)),
            // A concurrent request with the same key finished first. Its client had disconnected, but the request kept
            // running.
            Once::Replayed(answer) => replay(app, answer).await,
            Once::Conflict => Err(ApiError::Conflict(Conflict::IdempotencyConflict)),
            Once::Refused(never) => match never {},
        }
    }
}

/// Builds the response for a change that is made at most once.
///
/// # Errors
/// [`Conflict::IdempotencyConflict`], the errors of `refusal`, and those of [`replay`].
pub async fn tell<T, R>(
    app: &App,
    became: Once<T, R>,
    answer: impl Fn(&T) -> Answer,
    refusal: impl FnOnce(R) -> ApiError,
) -> Result<Response, ApiError> {
    match became {
        Once::Made(made) => Ok(respond(&answer(&made))),
        Once::Replayed(answer) => replay(app, answer).await,
        Once::Conflict => Err(ApiError::Conflict(Conflict::IdempotencyConflict)),
        Once::Refused(why) => Err(refusal(why)),
    }
}

/// Responds with a stored answer.
///
/// # Errors
/// [`ApiError::StorageUnavailable`], [`ApiError::StorageDamaged`].
pub async fn replay(app: &App, answer: Answer) -> Result<Response, ApiError> {
    let mut answer = answer;
    if let AnswerBody::Object(object) = &answer.body {
        let sound = app.integrity.sound(object).await.map_err(|e| match e {
            // The object must exist as long as the row that references it.
            Unsound::NotFound => ApiError::StorageDamaged(Repair::Impossible),
            e => e.into(),
        })?;
        let read = app.integrity.open(object, sound, None).await?.bytes().await;
        answer.body = AnswerBody::Bytes(read?.to_vec());
    }
    let mut response = respond(&answer);
    response.headers_mut().insert(REPLAYED, HeaderValue::from_static("true"));
    Ok(response)
}

/// Builds a success answer with this body.
pub fn success(status: StatusCode, location: Option<String>, body: &impl Serialize) -> Answer {
    let body = serde_json::to_vec(body).expect("answers are maps with names for keys");
    Answer { status: status.as_u16(), location, body: AnswerBody::Bytes(body) }
}

/// Builds the response from an answer that is in memory.
pub fn respond(answer: &Answer) -> Response {
    let status = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::OK);
    let body = match &answer.body {
        AnswerBody::Bytes(bytes) => bytes.clone(),
        AnswerBody::Object(_) => Vec::new(),
    };
    let json = HeaderValue::from_static("application/json");
    let mut response = (status, [(header::CONTENT_TYPE, json)], body).into_response();
    if let Some(location) = answer.location.as_ref().and_then(|l| HeaderValue::from_str(l).ok()) {
        response.headers_mut().insert(header::LOCATION, location);
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_visible_ascii_and_sent_once() {
        let read = |values: &[&[u8]]| {
            let mut headers = HeaderMap::new();
            for v in values {
                headers.append(HEADER, axum::http::HeaderValue::from_bytes(v).unwrap());
            }
            key(&headers)
        };
        assert_eq!(read(&[]), Ok(None));
        assert_eq!(read(&[b"order-1"]), Ok(Some("order-1".into())));
        assert!(read(&[&[b'a'; 255]]).is_ok());
        for wrong in [[b"".as_slice()].as_slice(), &[b"a b"], &[b"\xc3\xa9"], &[&[b'a'; 256]], &[b"a", b"a"]] {
            assert!(read(wrong).is_err(), "{wrong:?}");
        }
    }
}
