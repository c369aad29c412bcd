//! After repeated failures, skips an endpoint for a while.

use std::time::{Duration, Instant};

use parking_lot::Mutex;

use super::error::LlmError;

/// Consecutive failures after which calls skip the endpoint, and for how long.
pub(super) const FAILURES: u32 = 3;
const REST: Duration = Duration::from_secs(30);

/// Whether an endpoint answers.
#[derive(Debug, Default)]
pub(super) struct Health(Mutex<Failures>);

/// Consecutive failures, and until when calls skip the endpoint.
#[derive(Debug, Default)]
struct Failures {
    count: u32,
    rests_until: Option<Instant>,
}

impl Health {
    /// Returns whether calls skip the endpoint.
    pub fn rests(&self) -> bool {
        self.0.lock().rests_until.is_some_and(|until| Instant::now() < until)
    }

    /// Records whether a call succeeded.
    pub fn note(&self, error: Option<&LlmError>) {
        let mut failures = self.0.lock();
        match error {
            Some(error) if error.is_the_endpoints() => {
                failures.count += 1;
                if failures.count >= FAILURES {
                    // After the pause one call is sent, and its failure starts another pause.
                    failures.rests_until = Some(Instant::now() + REST);
                    tracing::warn!(%error, rest_s = REST.as_secs(), "skipping the model server for a while: it keeps failing");
                }
            }
            // The failure concerns only this call.
            Some(_) => {}
            None => *failures = Failures::default(),
        }
    }
}
