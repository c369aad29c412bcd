//! `Idempotency-Key`: what it may be, which ones are being worked on, and what was answered under them.
//!
//! A handler of a POST reads its body, [`begin`]s, and where that has no answer yet makes its change: in the state within
//! one transaction with the answer (by [`Begun::keyed`] and `state::once`), or, where there is nothing to change there,
//! by [`Begun::keep`]ing the answer.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};

use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::App;
use super::error::{ApiError, Conflict};
use crate::clock::Millis;
use crate::integrity::{ANSWERS, Repair, Unsound, hashed_name};
use crate::state::{Answer, AnswerBody, Keyed, Once, Past};

const HEADER: HeaderName = HeaderName::from_static("idempotency-key");
const REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");
/// Characters of a key.
const KEY_CHARS: usize = 255;
/// Bytes of an answer that is kept in the state. A longer one that changes nothing there is an object: many of them are
/// to cost disk, not memory.
const ANSWER_BYTES: usize = 4_000;

/// The key of a request, where it has one.
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

/// What makes two requests the same.
pub fn fingerprint(path: &str, body: &[u8]) -> [u8; 32] {
    hasher(path).chain_update(body).finalize().into()
}

/// What makes the [`fingerprint`] of a request, and takes the bytes of its body.
pub fn hasher(path: &str) -> Sha256 {
    Sha256::new().chain_update(path).chain_update([0])
}

/// A POST that is being worked on. Its idempotency key, if it has one, is taken until this is dropped.
pub struct Begun<'a> {
    app: &'a App,
    account: Uuid,
    keyed: Option<(String, [u8; 32])>,
    _alone: Option<Guard<'a>>,
}

/// Begins a POST to `path`, as the contract writes it with its ids, or breaks off with what was answered to the same
/// request before.
///
/// # Errors
/// [`ApiError::InvalidHeader`], [`Conflict::IdempotencyInProgress`], [`Conflict::IdempotencyConflict`], and those of the
/// state.
pub async fn begin<'a>(
    app: &'a App,
    account: Uuid,
    headers: &HeaderMap,
    path: &str,
    body: &[u8],
) -> Result<ControlFlow<Response, Begun<'a>>, ApiError> {
    begin_as(app, account, headers, || fingerprint(path, body)).await
}

/// [`begin`], of a request with this fingerprint.
///
/// # Errors
/// As [`begin`].
pub async fn begin_as<'a>(
    app: &'a App,
    account: Uuid,
    headers: &HeaderMap,
    fingerprint: impl FnOnce() -> [u8; 32],
) -> Result<ControlFlow<Response, Begun<'a>>, ApiError> {
    let Some(key) = key(headers)? else {
        return Ok(ControlFlow::Continue(Begun { app, account, keyed: None, _alone: None }));
    };
    let alone = app.in_flight.take(account, &key)?;
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
    /// The key for a change of the state, with how its success is told.
    pub fn keyed<T>(&self, answer: impl Fn(&T) -> Answer + Send + Sync + 'static) -> Option<Keyed<T>> {
        let (key, request) = self.keyed.clone()?;
        Some(Keyed::new(key, request, answer))
    }

    /// Answers a request that changes nothing in the state, once its answer is kept.
    ///
    /// # Errors
    /// [`ApiError::StorageUnavailable`], and those of the state.
    pub async fn keep(self, answer: Answer) -> Result<Response, ApiError> {
        let (app, account, now) = (self.app, self.account, Millis::now());
        let Some((key, request)) = self.keyed.clone() else { return Ok(respond(&answer)) };
        let mut kept = answer.clone();
        if let AnswerBody::Bytes(bytes) = &answer.body
            && bytes.len() > ANSWER_BYTES
        {
            let object = hashed_name(&format!("{ANSWERS}{account}/"), Uuid::now_v7(), bytes, "json");
            // Before it is there, so that nothing is left if this ends between.
            let thrown = object.clone();
            app.store.run(move |store| store.throw_away(&thrown, now)).await?;
            app.blobs.put_object(&object, bytes.clone().into(), "application/json").await.map_err(|e| {
                tracing::error!(error = %e, "an answer can't be stored");
                ApiError::StorageUnavailable
            })?;
            kept.body = AnswerBody::Object(object);
        }
        let keyed = Keyed::new(key, request, move |(): &()| kept.clone());
        match app.store.run(move |store| store.keep_answer(account, &keyed, now)).await? {
            Once::Made(()) => Ok(respond(&answer)),
            // A twin whose client had gone was not called off.
            Once::Replayed(answer) => replay(app, answer).await,
            Once::Conflict => Err(ApiError::Conflict(Conflict::IdempotencyConflict)),
            Once::Refused(never) => match never {},
        }
    }
}

/// What the client is told of a change that was to be made once.
///
/// # Errors
/// [`Conflict::IdempotencyConflict`], what `refusal` says, and those of [`replay`].
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

/// Gives an answer again.
///
/// # Errors
/// [`ApiError::StorageUnavailable`], [`ApiError::StorageDamaged`].
pub async fn replay(app: &App, answer: Answer) -> Result<Response, ApiError> {
    let mut answer = answer;
    if let AnswerBody::Object(object) = &answer.body {
        let sound = app.integrity.sound(object).await.map_err(|e| match e {
            // It is kept as long as the row that names it.
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

/// A success with this body.
pub fn success(status: StatusCode, location: Option<String>, body: &impl Serialize) -> Answer {
    let body = serde_json::to_vec(body).expect("answers are maps with names for keys");
    Answer { status: status.as_u16(), location, body: AnswerBody::Bytes(body) }
}

/// An answer whose bytes are at hand, as the client gets it.
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

/// Keys whose requests are being worked on.
#[derive(Debug, Default)]
pub struct InFlight(Mutex<HashSet<(Uuid, String)>>);

/// One of them, until dropped.
#[derive(Debug)]
pub struct Guard<'a> {
    all: &'a InFlight,
    this: (Uuid, String),
}

impl InFlight {
    /// Takes an account's key, unless its twin has it.
    ///
    /// # Errors
    /// [`Conflict::IdempotencyInProgress`].
    pub fn take(&self, account: Uuid, key: &str) -> Result<Guard<'_>, ApiError> {
        let this = (account, key.to_owned());
        let free = self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(this.clone());
        if free { Ok(Guard { all: self, this }) } else { Err(ApiError::Conflict(Conflict::IdempotencyInProgress)) }
    }
}

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        self.all.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.this);
    }
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

    #[test]
    fn a_key_is_free_again_when_its_request_ends() {
        let all = InFlight::default();
        let (a, b) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let first = all.take(a, "k").unwrap();
        assert!(all.take(a, "k").is_err());
        assert!(all.take(b, "k").is_ok() && all.take(a, "l").is_ok());
        drop(first);
        assert!(all.take(a, "k").is_ok());
    }
}
