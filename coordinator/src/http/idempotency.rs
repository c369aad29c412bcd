//! `Idempotency-Key`: validates keys, tracks keys whose requests are in progress, and replays stored answers.
//!
//! A POST handler takes [`Idempotent`] as its last argument and calls [`Idempotent::answer`] with its work. If there is
//! no stored answer, the work is done. A change of the state is committed in the same transaction as the answer (through
//! [`RequestKey::keyed`] and `state::once`). The answer of a request that changes nothing is stored afterwards.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::error::{ApiError, Conflict};
use super::json::Unparsed;
use super::path;
use crate::app::App;
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

/// The idempotency key of a request, if it has one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key(pub Option<String>);

impl Key {
    /// # Errors
    /// [`ApiError::InvalidHeader`].
    fn read(headers: &HeaderMap) -> Result<Self, ApiError> {
        let mut sent = headers.get_all(HEADER).iter();
        let Some(key) = sent.next() else { return Ok(Self(None)) };
        let text = key.to_str().ok().filter(|k| {
            (1..=KEY_CHARS).contains(&k.len()) && k.bytes().all(|b| b.is_ascii_graphic()) && sent.next().is_none()
        });
        let message = "Idempotency-Key must be sent once, as 1 to 255 visible ASCII characters.";
        text.map(|k| Self(Some(k.to_owned()))).ok_or_else(|| ApiError::InvalidHeader(message.into()))
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Key {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        Self::read(&parts.headers)
    }
}

/// The body of a request that may have an idempotency key. It is received before the key is read, because it is part of
/// the fingerprint. It is parsed afterwards, so a stored answer is returned whether or not the body is still valid.
pub trait Payload: Sized {
    /// Receives the body of a request to `path`, as [`path::canonical`] writes it.
    fn receive(
        app: &App,
        path: &str,
        headers: &HeaderMap,
        body: Body,
    ) -> impl Future<Output = Result<Self, ApiError>> + Send;

    /// Returns the fingerprint of the request to `path` with this body. Requests with the same fingerprint count as the
    /// same request.
    fn fingerprint(&self, path: &str) -> [u8; 32];
}

/// Returns the fingerprint of a request to `path` with this body.
pub fn fingerprint(path: &str, body: &[u8]) -> [u8; 32] {
    hasher(path).chain_update(body).finalize().into()
}

/// Returns the hasher of [`fingerprint`], ready for the bytes of the body.
pub fn hasher(path: &str) -> Sha256 {
    Sha256::new().chain_update(path).chain_update([0])
}

impl Payload for Unparsed {
    async fn receive(_: &App, _: &str, headers: &HeaderMap, body: Body) -> Result<Self, ApiError> {
        Self::read(headers, body).await
    }

    fn fingerprint(&self, path: &str) -> [u8; 32] {
        fingerprint(path, self.bytes())
    }
}

/// A request that is answered once per idempotency key.
#[derive(Debug)]
pub struct Idempotent<B> {
    key: Key,
    /// The path of the request, as the contract writes it.
    path: String,
    body: B,
}

impl<B: Payload> FromRequest<Arc<App>> for Idempotent<B> {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, ApiError> {
        let (mut head, body) = request.into_parts();
        let path = path::canonical(&mut head).await?;
        let body = B::receive(app, &path, &head.headers, body).await?;
        Ok(Self { key: Key::read(&head.headers)?, path, body })
    }
}

/// The idempotency key of a request that is answered for the first time, with the request's fingerprint.
#[derive(Debug, Clone)]
pub struct RequestKey(Option<(String, [u8; 32])>);

impl RequestKey {
    /// Returns the key for a change of the state. `answer` builds the response of a successful change.
    pub fn keyed<T>(&self, answer: impl Fn(&T) -> Answer + Send + Sync + 'static) -> Option<Keyed<T>> {
        let (key, request) = self.0.clone()?;
        Some(Keyed::new(key, request, answer))
    }
}

/// What became of the work of a request.
#[derive(Debug)]
pub enum Done {
    /// The state was not changed, so the answer is not stored yet.
    Unchanged(Answer),
    /// The state was changed. The answer was stored in the same transaction.
    Changed(Answer),
    /// The same request was answered in the meantime: its client had disconnected, but it kept running.
    Answered(Answer),
}

impl Done {
    /// Returns what became of a change that is made at most once. `answer` builds the response of a successful change.
    ///
    /// # Errors
    /// [`Conflict::IdempotencyConflict`], and the errors of `refusal`.
    pub fn of<T, R>(
        became: Once<T, R>,
        answer: impl FnOnce(&T) -> Answer,
        refusal: impl FnOnce(R) -> ApiError,
    ) -> Result<Self, ApiError> {
        match became {
            Once::Made(made) => Ok(Self::Changed(answer(&made))),
            Once::Replayed(answer) => Ok(Self::Answered(answer)),
            Once::Conflict => Err(ApiError::Conflict(Conflict::IdempotencyConflict)),
            Once::Refused(why) => Err(refusal(why)),
        }
    }

    /// Returns the result of a request that changes nothing and is answered with 200.
    pub fn unchanged(body: &impl Serialize) -> Self {
        Self::Unchanged(success(StatusCode::OK, None, body))
    }
}

impl<B: Payload> Idempotent<B> {
    /// Answers the request: with the stored answer if the account made the same request before, or else by doing `work`,
    /// whose answer is stored.
    ///
    /// # Errors
    /// [`Conflict::IdempotencyInProgress`], [`Conflict::IdempotencyConflict`], [`ApiError::StorageUnavailable`], state
    /// errors, and those of `work`. An error is not stored.
    pub async fn answer(
        self,
        app: &App,
        account: Uuid,
        work: impl AsyncFnOnce(B, RequestKey) -> Result<Done, ApiError>,
    ) -> Result<Response, ApiError> {
        self.answer_with(app, account, work, async |response| Ok(response)).await
    }

    /// The same as [`Self::answer`], with a last step for the response, whether it is new or stored. For a new one, the
    /// request is in progress until that step ends.
    ///
    /// # Errors
    /// The same as [`Self::answer`], and those of `last`.
    pub async fn answer_with(
        self,
        app: &App,
        account: Uuid,
        work: impl AsyncFnOnce(B, RequestKey) -> Result<Done, ApiError>,
        last: impl AsyncFnOnce(Response) -> Result<Response, ApiError>,
    ) -> Result<Response, ApiError> {
        let Self { key: Key(key), path, body } = self;
        let Some(key) = key else {
            return match work(body, RequestKey(None)).await? {
                Done::Unchanged(answer) | Done::Changed(answer) => last(respond(&answer)).await,
                Done::Answered(answer) => last(replay(app, answer).await?).await,
            };
        };
        let taken = app.in_flight.take(account, &key);
        let alone = taken.ok_or(ApiError::Conflict(Conflict::IdempotencyInProgress))?;
        let request = body.fingerprint(&path);
        let asked = key.clone();
        match app.store.run(move |store| store.answered(account, &asked, &request, Millis::now())).await? {
            Past::Nothing => {}
            Past::Answer(answer) => {
                let response = replay(app, answer).await?;
                // Other repetitions may be answered at the same time.
                drop(alone);
                return last(response).await;
            }
            Past::Conflict => return Err(ApiError::Conflict(Conflict::IdempotencyConflict)),
        }
        let response = match work(body, RequestKey(Some((key.clone(), request)))).await? {
            Done::Unchanged(answer) => keep(app, account, key, request, answer).await?,
            Done::Changed(answer) => respond(&answer),
            Done::Answered(answer) => replay(app, answer).await?,
        };
        last(response).await
    }
}

/// Stores the answer of a request that changes nothing in the state, then responds with it.
///
/// # Errors
/// [`ApiError::StorageUnavailable`], and state errors.
async fn keep(app: &App, account: Uuid, key: String, request: [u8; 32], answer: Answer) -> Result<Response, ApiError> {
    let (now, mut kept) = (Millis::now(), answer.clone());
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

/// Responds with a stored answer.
///
/// # Errors
/// [`ApiError::StorageUnavailable`], [`ApiError::StorageDamaged`].
async fn replay(app: &App, answer: Answer) -> Result<Response, ApiError> {
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
            Key::read(&headers)
        };
        assert_eq!(read(&[]), Ok(Key(None)));
        assert_eq!(read(&[b"order-1"]), Ok(Key(Some("order-1".into()))));
        assert!(read(&[&[b'a'; 255]]).is_ok());
        for wrong in [[b"".as_slice()].as_slice(), &[b"a b"], &[b"\xc3\xa9"], &[&[b'a'; 256]], &[b"a", b"a"]] {
            assert!(read(wrong).is_err(), "{wrong:?}");
        }
    }
}
