//! The desk where workers claim jobs and hand in results.

use async_trait::async_trait;
use fleet::blobs::Blobs;
use fleet::desk::{Desk, DeskError};
use fleet::protocol::{Claim, ClaimAnswer, Outcome, Rendered, Ticket, Verdict};

use crate::clock::Millis;
use crate::dispatch::Queued;
use crate::state::{StateError, Store};

/// Answers workers from the state.
pub struct StateDesk {
    store: Store,
    blobs: Blobs,
    queued: Queued,
}

impl StateDesk {
    /// A desk over this state; `queued` learns which tickets arrived.
    pub fn new(store: Store, blobs: Blobs, queued: Queued) -> Self {
        Self { store, blobs, queued }
    }

    /// Whether what a report names is there: completed means fetchable.
    async fn is_fetchable(&self, done: &Rendered) -> bool {
        let image = self.blobs.get_object(&done.object).await;
        image.is_ok_and(|o| o.bytes == done.bytes) && self.blobs.get_object(&done.thumbnail).await.is_ok()
    }
}

#[async_trait]
impl Desk for StateDesk {
    async fn claim(&self, ticket: Ticket, worker: &str) -> Result<ClaimAnswer, DeskError> {
        let mut nonce = [0; 16];
        getrandom::fill(&mut nonce).map_err(|e| DeskError(e.to_string()))?;
        let (nonce, worker) = (u128::from_be_bytes(nonce), worker.to_owned());
        let answer = self.store.run(move |s| s.claim(ticket, &worker, nonce, Millis::now())).await.map_err(failed)?;
        self.queued.remove(ticket);
        Ok(answer)
    }

    async fn heartbeat(&self, claim: Claim) -> Result<Verdict, DeskError> {
        self.store.run(move |s| s.heartbeat(claim, Millis::now())).await.map_err(failed)
    }

    async fn report(&self, claim: Claim, outcome: Outcome) -> Result<Verdict, DeskError> {
        if let Outcome::Rendered(done) = &outcome
            && !self.is_fetchable(done).await
        {
            tracing::error!(job = %claim.job, object = done.object, "a reported image is not in the store");
            return Err(DeskError("the image is not in the store".into()));
        }
        self.store.run(move |s| s.report(claim, &outcome, Millis::now())).await.map_err(failed)
    }
}

fn failed(e: StateError) -> DeskError {
    tracing::error!(error = %e, "a worker could not be answered");
    DeskError(e.to_string())
}
