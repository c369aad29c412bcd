//! Estimates: what a generation would produce, without making it.

use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use fleet::estimate::{Estimate, Estimator};
use fleet::fair_semaphore::{AccountLimits, FairSemaphore};
use fleet::protocol::{Failure, PlanJob};
use uuid::Uuid;

use crate::Context;
use crate::failure;
use crate::stages::{self, Stop};

/// Estimates of one account that may be queued.
const WAITING: usize = 16;

/// Makes estimates in this process, on the same threads as paid jobs. It makes as many at once as there are loops, at
/// least two, and for one account one fewer.
pub struct LocalEstimator {
    context: Arc<Context>,
    permits: FairSemaphore,
}

impl LocalEstimator {
    /// Returns an estimator for a process with `loops` loops.
    pub fn new(context: Arc<Context>, loops: usize) -> Self {
        let permits = loops.max(2);
        Self {
            context,
            permits: FairSemaphore::new(
                permits,
                AccountLimits { waiting: WAITING, ..AccountLimits::all_but_one(permits) },
            ),
        }
    }
}

#[async_trait]
impl Estimator for LocalEstimator {
    async fn estimate(&self, account: Uuid, job: PlanJob, input: Bytes) -> Result<Estimate, Failure> {
        let _permit = self.permits.acquire(account).await.map_err(failure::busy)?;
        match stages::estimate(account, job, input, &self.context).await {
            Ok(estimate) => Ok(estimate),
            Err(Stop::Failed(failure)) => Err(failure),
            Err(Stop::Lost) => Err(failure::panicked()),
        }
    }
}

#[cfg(test)]
mod tests {

    use fleet::protocol::{BlobId, InputKind};
    use parking_lot::Mutex;

    use super::*;
    use crate::stages::test_context;

    #[tokio::test]
    async fn i18_estimates_of_one_account_keep_no_other_waiting() {
        const LOUD: Uuid = Uuid::from_u128(1);
        const ASKED: usize = 60;
        let estimator = LocalEstimator::new(test_context(), 2);
        let done = Mutex::new((0, 0));
        // A text without content fails at once, after a stage that computes.
        let ask = async |account: Uuid| {
            let job = PlanJob {
                generation: Uuid::now_v7(),
                input_kind: InputKind::Text,
                input: BlobId::of(b" "),
                title: None,
                formats: vec![("instagram_post".into(), None)],
                style: None,
                language: None,
                seed: 1,
                exact: false,
                brand: None,
                tokens: None,
                wishes: fleet::protocol::Wishes::default(),
            };
            estimator.estimate(account, job, Bytes::from_static(b" ")).await.unwrap_err().code
        };
        let loud = async || match ask(LOUD).await.as_str() {
            "no_content" => done.lock().0 += 1,
            "busy" => done.lock().1 += 1,
            other => panic!("{other}"),
        };
        let quiet = async {
            assert_eq!(ask(Uuid::from_u128(2)).await, "no_content");
            done.lock().0
        };
        let (_, before) = tokio::join!(futures::future::join_all((0..ASKED).map(|_| loud())), quiet);
        // On a busy machine some estimates finish before the last are requested, and free their permits for these.
        let (made, refused) = *done.lock();
        assert_eq!(made + refused, ASKED);
        assert!(made > WAITING && refused > 0, "{made} made, {refused} refused at once");
        assert!(before <= WAITING / 2, "{before} estimates of the other account were made before");
    }
}
