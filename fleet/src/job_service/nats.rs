//! The job service across machines: requests over NATS. One coordinator answers. A worker that gets no answer retries
//! or gives up, as with any [`JobService`].
//!
//! A worker sends requests to a subject that contains its identity, `PREFIX.desk.IDENTITY.claim`, and receives answers
//! in the inbox of that identity, `_INBOX.IDENTITY.…`. The server's permissions bind both to the worker's user, so no
//! worker can send requests as another or read another's answers. Where the worker has a NATS account of its own, the
//! server replaces the reply subject by one under `_R_` that leads back to that account. The coordinator publishes
//! answers only to these two kinds of subjects, so that a worker can't make it publish elsewhere with the coordinator's
//! rights.
//!
//! The coordinator answers in the protocol version of the request. If its own version differs, a header of the answer
//! names it. A worker whose version the coordinator refuses repeats the request in the previous version, and uses that
//! version from then on.
//!
//! If the outcome of a report exceeds the server's `max_payload`, the worker stores it as a blob: the message then
//! holds only the [`Grant`], and a header names the blob. No other message grows with the size of the result.

use std::sync::Arc;
use std::time::Duration;

use async_nats::{Client, HeaderMap, HeaderValue, Message as NatsMessage, RequestErrorKind};
use async_trait::async_trait;
use bytes::Bytes;
use futures::StreamExt;
use tokio::sync::Semaphore;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::{JobService, JobServiceError};
use crate::blobs::{BlobError, Blobs};
use crate::nats::inbox;
use crate::protocol::{
    BlobId, Caller, ClaimAnswer, ClaimRequest, Failure, FailureCode, Grant, MESSAGE_BYTES, Message, NegotiatedVersion,
    Outcome, PROTOCOL_VERSION, ReportRequest, Ticket, Verdict, WireError, decode, encode_as, length,
};

/// Maximum concurrent requests. The state groups commits, so many concurrent requests cost little more than few.
const MAX_REQUESTS: usize = 4_096;
/// How long flushing the last answers may take.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(3);
/// Prefix of the reply subjects that the server creates for requests from another account. Nobody can subscribe to
/// them.
const OTHER_ACCOUNT: &str = "_R_";
/// Header of an answer: why the request failed.
const ERROR: &str = "Vivid-Error";
/// Header of an answer: the coordinator's protocol version, where it differs from the request's.
const VERSION: &str = "Vivid-Version";
/// Header of a report: the blob that holds its outcome.
const OUTCOME: &str = "Vivid-Outcome";
/// Bytes of a message reserved for its headers.
const HEADERS: usize = 1 << 10;
/// Maximum characters of the header that says why the request failed.
const ERROR_CHARS: usize = 500;
/// Maximum outcomes read from the store concurrently, each of at most [`MESSAGE_BYTES`].
const MAX_OUTCOME_READS: usize = 16;

/// The kinds of requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RequestKind {
    Claim,
    Heartbeat,
    Report,
}

impl RequestKind {
    const ALL: [Self; 3] = [Self::Claim, Self::Heartbeat, Self::Report];

    fn name(self) -> &'static str {
        match self {
            Self::Claim => "claim",
            Self::Heartbeat => "heartbeat",
            Self::Report => "report",
        }
    }

    /// Returns the subject to which `identity` sends this request.
    fn subject(self, prefix: &str, identity: &str) -> String {
        format!("{prefix}.desk.{identity}.{}", self.name())
    }

    /// Parses a subject into the kind of request and the identity that sent it.
    fn parse<'s>(prefix: &str, subject: &'s str) -> Option<(Self, &'s str)> {
        let (identity, name) = subject.strip_prefix(prefix)?.strip_prefix(".desk.")?.split_once('.')?;
        let kind = Self::ALL.into_iter().find(|kind| kind.name() == name)?;
        Some((kind, identity))
    }
}

/// Client of the coordinator's job service, for a worker on another machine.
#[derive(Debug, Clone)]
pub struct RemoteJobService {
    client: Client,
    prefix: String,
    identity: String,
    negotiated: NegotiatedVersion,
    blobs: Blobs,
}

impl RemoteJobService {
    /// Creates a client for the deployment `prefix` that sends requests as `identity`
    /// ([`Settings::identity`](crate::nats::Settings::identity) of the client's connection). `negotiated` records which
    /// version the coordinator speaks. Outcomes too large for the queue go through `blobs`, which must be the
    /// coordinator's store.
    pub fn new(client: Client, prefix: &str, identity: &str, negotiated: NegotiatedVersion, blobs: Blobs) -> Self {
        Self { client, prefix: prefix.to_owned(), identity: identity.to_owned(), negotiated, blobs }
    }

    /// Stores the outcome as a blob and reports the blob's name.
    async fn report_by_blob(&self, grant: Grant, outcome: &Outcome) -> Result<Verdict, JobServiceError> {
        let bytes = encode_as(self.negotiated.version(), outcome).map_err(failed)?;
        tracing::debug!(bytes = bytes.len(), "report goes through the object store: too large for the queue");
        let blob = self.blobs.put_blob(bytes.into()).await.map_err(failed)?;
        let mut headers = HeaderMap::new();
        headers.insert(OUTCOME, blob.to_string());
        self.request_with(headers, RequestKind::Report, &grant).await
    }

    async fn request<Q: Message, A: Message>(&self, kind: RequestKind, body: &Q) -> Result<A, JobServiceError> {
        self.request_with(HeaderMap::new(), kind, body).await
    }

    async fn request_with<Q: Message, A: Message>(
        &self,
        headers: HeaderMap,
        kind: RequestKind,
        body: &Q,
    ) -> Result<A, JobServiceError> {
        self.negotiated.record_request();
        let version = self.negotiated.version();
        let answer = self.request_in(version, &headers, kind, body).await?;
        // A coordinator of the previous version refuses this one and names its own.
        let retry = answer.is_err() && self.negotiated.version() < version;
        let answer = if retry { self.request_in(version - 1, &headers, kind, body).await? } else { answer };
        answer.map_err(JobServiceError)
    }

    /// Returns the answer, or the coordinator's reason for refusing the request.
    async fn request_in<Q: Message, A: Message>(
        &self,
        version: u8,
        headers: &HeaderMap,
        kind: RequestKind,
        body: &Q,
    ) -> Result<Result<A, String>, JobServiceError> {
        let payload = encode_as(version, body).map_err(failed)?;
        let subject = kind.subject(&self.prefix, &self.identity);
        let answer = match headers.is_empty() {
            true => self.client.request(subject, payload.into()).await,
            false => self.client.request_with_headers(subject, headers.clone(), payload.into()).await,
        };
        let answer = answer.map_err(|error| match error.kind() {
            RequestErrorKind::NoResponders => JobServiceError("no coordinator listens on the queue".into()),
            _ => failed(error),
        })?;
        let header = |name| answer.headers.as_ref().and_then(|headers| headers.get(name)).map(HeaderValue::as_str);
        // A coordinator of the same version sends no header.
        self.negotiated.record_answer(header(VERSION).and_then(|own| own.parse().ok()).unwrap_or(version));
        Ok(match header(ERROR) {
            Some(why) => Err(why.to_owned()),
            None => Ok(decode(&answer.payload).map_err(failed)?),
        })
    }
}

#[async_trait]
impl JobService for RemoteJobService {
    async fn claim(&self, ticket: Ticket, caller: &Caller) -> Result<ClaimAnswer, JobServiceError> {
        self.request(RequestKind::Claim, &ClaimRequest { ticket, worker: caller.name.clone() }).await
    }

    async fn heartbeat(&self, grant: Grant) -> Result<Verdict, JobServiceError> {
        self.request(RequestKind::Heartbeat, &grant).await
    }

    async fn report(&self, grant: Grant, outcome: Outcome) -> Result<Verdict, JobServiceError> {
        let Grant { claim, secret } = grant;
        let outcome = match encode_as(PROTOCOL_VERSION, &outcome) {
            // A retry would produce an outcome of the same size.
            Err(error @ WireError::TooLong(_)) => too_long(&error, false),
            _ => outcome,
        };
        let mut report = ReportRequest { claim, outcome, secret };
        if length(&report) > max_payload(&self.client) {
            if self.negotiated.version() == PROTOCOL_VERSION {
                return self.report_by_blob(grant, &report.outcome).await;
            }
            // A coordinator of the previous version does not read outcomes from the store. It may be replaced before
            // the retry.
            let error = WireError::TooLong(length(&report));
            report.outcome = too_long(&error, true);
        }
        self.request(RequestKind::Report, &report).await
    }
}

/// Returns the maximum bytes of a message on this connection, without its version byte.
fn max_payload(client: &Client) -> usize {
    client.max_payload().min(MESSAGE_BYTES).saturating_sub(HEADERS)
}

/// Returns the failure to report in place of an outcome that is too large for the coordinator to read.
fn too_long(error: &WireError, retry: bool) -> Outcome {
    tracing::error!(%error, "outcome replaced by a failure: too large to report");
    let message = "The design is too large for one request. Ask for fewer images at once.".into();
    Outcome::Failed(Failure { code: FailureCode::RenderFailed.into(), message, retry, tokens: None, usage: None })
}

/// Answers requests of workers on other machines until `stop` is cancelled, then finishes the requests in flight. Reads
/// outcomes that were too large for the queue from `blobs`.
///
/// # Errors
/// [`JobServiceError`] where subscribing fails.
pub async fn serve(
    client: Client,
    prefix: &str,
    service: Arc<dyn JobService>,
    blobs: Blobs,
    stop: CancellationToken,
) -> Result<(), JobServiceError> {
    let responder =
        Arc::new(Responder { client: client.clone(), service, blobs, reads: Semaphore::new(MAX_OUTCOME_READS) });
    let mut requests = futures::stream::SelectAll::new();
    for kind in RequestKind::ALL {
        requests.push(client.subscribe(kind.subject(prefix, "*")).await.map_err(failed)?);
    }
    let permits = Arc::new(Semaphore::new(MAX_REQUESTS));
    while let Some(Some(message)) = stop.run_until_cancelled(requests.next()).await {
        // Dispatch by the subject that the message was published to, not by the subscription that received it: a worker
        // can make the server deliver a ticket to any subject.
        let Some((kind, identity)) = RequestKind::parse(prefix, &message.subject) else { continue };
        let Some(reply) = message.reply.as_ref().filter(|reply| belongs_to(reply, identity)) else {
            tracing::debug!(subject = %message.subject, "request ignored: reply subject does not belong to its sender");
            continue;
        };
        let (reply, identity) = (reply.clone(), identity.to_owned());
        let permit = Arc::clone(&permits).acquire_owned().await.map_err(failed)?;
        let responder = Arc::clone(&responder);
        tokio::spawn(async move {
            responder.answer(kind, identity, reply, message).await;
            drop(permit);
        });
    }
    // Requests in flight still get their answers.
    let _ = permits.acquire_many(MAX_REQUESTS as u32).await;
    let _ = timeout(FLUSH_TIMEOUT, client.flush()).await;
    Ok(())
}

/// Returns whether the coordinator may publish an answer for `identity` to this subject: only to the inbox or the
/// account of that identity.
fn belongs_to(reply: &str, identity: &str) -> bool {
    let inbox = inbox(identity);
    let is_below = |prefix: &str| reply.strip_prefix(prefix).is_some_and(|rest| rest.starts_with('.'));
    is_below(&inbox) || is_below(OTHER_ACCOUNT)
}

/// The context for answering requests.
struct Responder {
    client: Client,
    service: Arc<dyn JobService>,
    blobs: Blobs,
    reads: Semaphore,
}

impl Responder {
    async fn answer(&self, kind: RequestKind, identity: String, reply: async_nats::Subject, message: NatsMessage) {
        let mut headers = HeaderMap::new();
        if message.payload.first() != Some(&PROTOCOL_VERSION) {
            headers.insert(VERSION, PROTOCOL_VERSION.to_string());
        }
        let payload = self.reply_to(kind, identity, &message).await.unwrap_or_else(|why| {
            // Headers hold one line, so the text is flattened and cut.
            let line: String = why.0.replace(['\r', '\n'], " ").chars().take(ERROR_CHARS).collect();
            headers.insert(ERROR, line.as_str());
            Bytes::new()
        });
        let answered = match headers.is_empty() {
            true => self.client.publish(reply, payload).await,
            false => self.client.publish_with_headers(reply, headers, payload).await,
        };
        if let Err(error) = answered {
            tracing::warn!(%error, kind = kind.name(), "answer to a worker not sent: publish failed");
        }
    }

    async fn reply_to(
        &self,
        kind: RequestKind,
        identity: String,
        message: &NatsMessage,
    ) -> Result<Bytes, JobServiceError> {
        let payload = &message.payload;
        // A payload that decodes below has a version byte.
        let version = payload.first().copied().unwrap_or(PROTOCOL_VERSION);
        let answer = match kind {
            RequestKind::Claim => {
                let ClaimRequest { ticket, worker: name } = decode(payload).map_err(failed)?;
                encode_as(
                    version,
                    &self.service.claim(ticket, &Caller { identity: Some(identity), name, version }).await?,
                )
            }
            RequestKind::Heartbeat => {
                encode_as(version, &self.service.heartbeat(decode(payload).map_err(failed)?).await?)
            }
            RequestKind::Report => {
                let (grant, outcome) = match message.headers.as_ref().and_then(|headers| headers.get(OUTCOME)) {
                    Some(blob) => (decode(payload).map_err(failed)?, self.outcome(blob.as_str()).await?),
                    None => {
                        let ReportRequest { claim, outcome, secret } = decode(payload).map_err(failed)?;
                        (Grant { claim, secret }, outcome)
                    }
                };
                encode_as(version, &self.service.report(grant, outcome).await?)
            }
        };
        let answer = answer.map_err(failed)?;
        if answer.len() > max_payload(&self.client) {
            let most = self.client.max_payload();
            tracing::error!(
                bytes = answer.len(),
                most,
                "answer to a worker not sent: larger than the queue's max_payload"
            );
            return Err(JobServiceError(format!("the answer exceeds the queue's max_payload of {most} bytes")));
        }
        Ok(answer.into())
    }

    /// Reads the outcome in a blob. The sender can name any blob, so the size is checked first.
    async fn outcome(&self, blob: &str) -> Result<Outcome, JobServiceError> {
        let blob: BlobId = blob.parse().map_err(failed)?;
        let _read = self.reads.acquire().await.map_err(failed)?;
        let unread = |error: BlobError| JobServiceError(format!("the outcome of a report can't be read: {error}"));
        let bytes = self.blobs.blob_metadata(&blob).await.map_err(unread)?.bytes;
        if bytes > MESSAGE_BYTES as u64 {
            return Err(JobServiceError(format!("an outcome of {bytes} bytes is over the limit of {MESSAGE_BYTES}")));
        }
        decode(&self.blobs.get_blob(&blob).await.map_err(unread)?).map_err(failed)
    }
}

fn failed(error: impl std::fmt::Display) -> JobServiceError {
    JobServiceError(error.to_string())
}

#[cfg(test)]
#[path = "nats_tests.rs"]
mod tests;
