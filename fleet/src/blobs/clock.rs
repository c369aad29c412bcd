//! Detects that a store rejects this machine's clock. A bucket refuses requests whose signature time is more than 15
//! minutes off its own time, so a machine with a wrong clock can neither read nor store anything.

use std::error::Error;

use tokio::sync::watch;

use super::error::BlobError;
use crate::protocol::BlobId;

/// S3's error code for a clock that is too far off.
const TOO_SKEWED: &str = "RequestTimeTooSkewed";
/// S3's answer to a request without permission. S3 checks permissions only after it has accepted the signature, and
/// with it the time. Without permission to list a bucket, S3 also answers this for objects that don't exist.
const DENIED: &str = "<Code>AccessDenied</Code>";
/// The blob for a request that only tests the clock: no bytes have this hash.
pub(super) const NO_BLOB: BlobId = BlobId([0; 32]);

/// What the store last reported about this machine's clock. Clones share it.
#[derive(Debug, Clone)]
pub(super) struct Clock(watch::Sender<Option<String>>);

impl Default for Clock {
    fn default() -> Self {
        Self(watch::Sender::new(None))
    }
}

impl Clock {
    /// Returns a channel that holds the store's message while it refuses this machine's clock, else `None`.
    pub fn subscribe(&self) -> watch::Receiver<Option<String>> {
        self.0.subscribe()
    }

    /// Records the result of a request.
    pub fn note<T>(&self, result: &Result<T, BlobError>) {
        let refused = match result {
            Ok(_) | Err(BlobError::NotFound(_)) => None,
            Err(BlobError::Store(error)) => match refusal(error) {
                Some(refusal) => Some(refusal),
                None if message_with(error, DENIED).is_some() => None,
                // Other errors say nothing about clocks.
                None => return,
            },
            Err(_) => return,
        };
        self.0.send_if_modified(|known| {
            // The text holds times, which change with each request, so only the transition counts.
            let changed = known.is_some() != refused.is_some();
            if changed {
                *known = refused;
            }
            changed
        });
    }
}

impl BlobError {
    /// Returns whether the store refused the request because of this machine's clock.
    pub fn is_of_the_clock(&self) -> bool {
        matches!(self, Self::Store(error) if refusal(error).is_some())
    }
}

/// Returns a message for the operator if an error says that the store refuses this machine's clock.
fn refusal(error: &(dyn Error + 'static)) -> Option<String> {
    let said = message_with(error, TOO_SKEWED)?;
    let tagged = |tag: &str| {
        let (_, rest) = said.split_once(&format!("<{tag}>"))?;
        rest.split_once("</").map(|(text, _)| text.chars().take(40).collect::<String>())
    };
    let times = match (tagged("RequestTime"), tagged("ServerTime")) {
        (Some(here), Some(there)) => format!(": it is {here} here and {there} there"),
        _ => String::new(),
    };
    Some(format!("the object store refuses this machine's clock ({TOO_SKEWED}){times}"))
}

/// Returns the text of the first error in the chain of causes that contains `what`.
fn message_with(error: &(dyn Error + 'static), what: &str) -> Option<String> {
    let causes = std::iter::successors(Some(error), |error| (**error).source());
    causes.map(ToString::to_string).find(|message| message.contains(what))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn denied(body: &str) -> BlobError {
        let source = format!("Server returned non-2xx status code: 403 Forbidden: {body}").into();
        BlobError::Store(object_store::Error::PermissionDenied { path: "a".into(), source })
    }

    #[test]
    fn a_refusal_is_told_from_others_and_ends() {
        let skewed = "<Error><Code>RequestTimeTooSkewed</Code><RequestTime>20261125T124400Z</RequestTime>\
                      <ServerTime>2026-11-25T13:00:00Z</ServerTime></Error>";
        let (clock, other) = (Clock::default(), denied("<Code>SignatureDoesNotMatch</Code>"));
        assert!(denied(skewed).is_of_the_clock() && !other.is_of_the_clock());
        let known = clock.subscribe();
        let said = |result: Result<(), BlobError>| {
            clock.note(&result);
            known.borrow().clone()
        };
        assert_eq!(said(Err(other)), None);
        let refused = said(Err(denied(skewed))).unwrap();
        assert!(refused.contains("20261125T124400Z here and 2026-11-25T13:00:00Z there"), "{refused}");
        assert!(said(Err(denied("<Code>SignatureDoesNotMatch</Code>"))).is_some(), "that says nothing of clocks");
        assert!(said(Err(denied(""))).is_some(), "nor does what comes without words");
        assert!(said(Err(BlobError::TimedOut("a".into()))).is_some());
        assert_eq!(said(Err(denied("<Code>AccessDenied</Code>"))), None, "it was refused for its rights");
        assert!(said(Err(denied(skewed))).is_some());
        assert_eq!(said(Err(BlobError::NotFound("a".into()))), None, "it was answered");
        assert!(said(Err(denied("<Code>RequestTimeTooSkewed</Code>"))).is_some(), "without times");
        assert_eq!(said(Ok(())), None);
    }
}
