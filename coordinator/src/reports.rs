//! The desk where workers claim jobs and hand in results.

use std::collections::HashSet;
use std::time::Duration;

use async_trait::async_trait;
use fleet::blobs::Blobs;
use fleet::desk::{Desk, DeskError};
use fleet::protocol::{BlobId, Claim, ClaimAnswer, Failure, Outcome, Planned, Rendered, Ticket, Verdict};
use futures::{StreamExt, stream};
use tokio::time::sleep;

use crate::clock::Millis;
use crate::dispatch::Queued;
use crate::state::{STORE_FAULT, StateError, Store, StoredSizes};

/// Sizes that the object store is asked for at the same time.
const SIZES_AT_ONCE: usize = 8;
/// How long a report waits for them: what is late is measured later.
const SIZES_TIME: Duration = Duration::from_secs(2);

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

    /// The bytes of a reported image's thumbnail, where image and thumbnail are there: completed means fetchable.
    async fn fetchable(&self, done: &Rendered) -> Option<u64> {
        let (image, thumbnail) =
            tokio::join!(self.blobs.get_object(&done.object), self.blobs.get_object(&done.thumbnail));
        image.ok().filter(|image| image.bytes == done.bytes)?;
        Some(thumbnail.ok()?.bytes)
    }

    /// The sizes of what a plan stored, as the object store has them. Those that it doesn't tell are measured later.
    async fn sizes(&self, done: &Planned) -> StoredSizes {
        let blobs: HashSet<BlobId> =
            done.pages.iter().map(|page| page.page).chain([done.document]).chain(done.photo).collect();
        let size = async |id: BlobId| Some((id, self.blobs.blob_standing(&id).await.ok()?.bytes));
        let sizes = stream::iter(blobs).map(size).buffer_unordered(SIZES_AT_ONCE);
        let sizes = sizes.take_until(sleep(SIZES_TIME)).filter_map(std::future::ready);
        StoredSizes { blobs: sizes.collect().await, thumbnail: None }
    }

    /// Answers the report of an image that is not in the store.
    async fn not_stored(&self, claim: Claim, done: &Rendered) -> Result<Verdict, DeskError> {
        tracing::error!(job = %claim.job, object = done.object, "a reported image is not in the store");
        let failure = Failure {
            code: STORE_FAULT.into(),
            message: "the image store could not be read; try again later".into(),
            retry: true,
            tokens: None,
        };
        let outcome = Outcome::Failed(failure);
        let filing = |reply| self.store.reporting(claim, outcome, StoredSizes::default(), Millis::now(), reply);
        match self.store.in_line(filing).await.map_err(failed)? {
            // It is drawn again, as where the worker can't reach the store.
            Verdict::Accepted => Ok(Verdict::Refused),
            // It may have been taken before, and be visible: whoever reports must not remove it.
            Verdict::Refused => Err(DeskError("the image is not in the store".into())),
        }
    }
}

#[async_trait]
impl Desk for StateDesk {
    async fn claim(&self, ticket: Ticket, worker: &str) -> Result<ClaimAnswer, DeskError> {
        let mut nonce = [0; 16];
        getrandom::fill(&mut nonce).map_err(|e| DeskError(e.to_string()))?;
        let nonce = u128::from_be_bytes(nonce);
        let answer = self
            .store
            .in_line(|reply| self.store.claiming(ticket, worker, nonce, Millis::now(), reply))
            .await
            .map_err(failed)?;
        self.queued.remove(ticket);
        Ok(answer)
    }

    async fn heartbeat(&self, claim: Claim) -> Result<Verdict, DeskError> {
        self.store.run(move |s| s.heartbeat(claim, Millis::now())).await.map_err(failed)
    }

    async fn report(&self, claim: Claim, outcome: Outcome) -> Result<Verdict, DeskError> {
        let sizes = match &outcome {
            Outcome::Rendered(done) => match self.fetchable(done).await {
                Some(thumbnail) => StoredSizes { thumbnail: Some(thumbnail), ..StoredSizes::default() },
                None => return self.not_stored(claim, done).await,
            },
            Outcome::Planned(done) => self.sizes(done).await,
            Outcome::Failed(_) => StoredSizes::default(),
        };
        let filing = |reply| self.store.reporting(claim, outcome, sizes, Millis::now(), reply);
        self.store.in_line(filing).await.map_err(failed)
    }
}

fn failed(e: StateError) -> DeskError {
    tracing::error!(error = %e, "a worker could not be answered");
    DeskError(e.to_string())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use fleet::protocol::{BlobId, Class, Job, Planned, PlannedPage};
    use fleet::queue::Queue;
    use fleet::queue::embedded::EmbeddedQueue;
    use render_core::format::Resolution;
    use render_core::inspect::Quality;
    use tokio_util::sync::CancellationToken;
    use uuid::Uuid;

    use super::*;
    use crate::accounts::Plan;
    use crate::dispatch;
    use crate::state::{Accepted, Account, Given, ImageFormat, Order, PlannedOutput, Request, Status};

    fn order(account: Uuid) -> Order {
        let request = Request {
            given: Given::Text,
            input: BlobId([0; 32]),
            excerpt: String::new(),
            formats: vec![("post".into(), None)],
            title: None,
            brand: None,
            style: None,
            language: None,
            resolution: Resolution::FourK,
            image_format: ImageFormat::Png,
            seed: 1,
        };
        let output = PlannedOutput { format: "post".into(), slide: None, width: 1, height: 1, cost: 10 };
        Order {
            account,
            key: None,
            created: Millis::now(),
            request,
            exact: false,
            brand: None,
            sizes: Default::default(),
            outputs: vec![output],
            webhook: None,
            warnings: vec![],
            idempotency: None,
        }
    }

    fn granted(answer: ClaimAnswer) -> Claim {
        let ClaimAnswer::Granted(claim, Job::Render(_)) = answer else { panic!("{answer:?}") };
        claim
    }

    fn planned() -> Outcome {
        let page = PlannedPage { format: "post".into(), slide: None, page: BlobId([1; 32]), alt_text: String::new() };
        let (title, language, style) = ("T".into(), "en".into(), "modern".into());
        Outcome::Planned(Planned {
            document: BlobId([2; 32]),
            title,
            language,
            style,
            pages: vec![page],
            warnings: vec![],
            photo: None,
            tokens: None,
        })
    }

    /// From acceptance over outbox, queue and desk to the end; and what is not in the store is not completed.
    #[tokio::test]
    async fn a_job_goes_from_outbox_to_report() {
        let folder = tempfile::tempdir().unwrap();
        let (store, blobs) = (Store::open(folder.path()).unwrap(), Blobs::memory());
        let (queue, queued, stop) = (Arc::new(EmbeddedQueue::new()), Queued::default(), CancellationToken::new());
        let desk = StateDesk::new(store.clone(), blobs.clone(), queued.clone());
        let publisher = tokio::spawn(dispatch::publish(
            store.clone(),
            queue.clone(),
            queued.clone(),
            dispatch::Slots { here: 1, fleet: None },
            stop.clone(),
        ));
        let classes = Class::ALL;
        let next = async || {
            let delivery = tokio::time::timeout(Duration::from_secs(30), queue.next(&classes)).await.unwrap().unwrap();
            let ticket = delivery.ticket();
            delivery.done().await;
            ticket
        };

        let account = Account { name: "t".into(), plan: Plan::Pro, active: true, created: Millis(0) };
        let account = store.create_account(&account, 10).unwrap();
        let Accepted::Created(made) = store.accept(&order(account)).unwrap() else { panic!() };

        let ticket = next().await;
        assert_eq!(ticket.class, Class::Plan);
        dispatch::reconcile(&store, &queued).await;
        let ClaimAnswer::Granted(plan, _) = desk.claim(ticket, "w").await.unwrap() else {
            panic!("it was put up anew")
        };
        assert_eq!(desk.claim(ticket, "w").await.unwrap(), ClaimAnswer::Refused);
        assert_eq!(desk.report(plan, planned()).await.unwrap(), Verdict::Accepted);

        let ticket = next().await;
        assert_eq!(ticket.class, Class::Render4k);
        let mut claim = granted(desk.claim(ticket, "w").await.unwrap());
        assert_eq!(desk.heartbeat(claim).await.unwrap(), Verdict::Accepted);
        let (object, thumbnail) = ("o/a.png".to_owned(), "o/t.png".to_owned());
        let rendered = Rendered {
            object: object.clone(),
            thumbnail: thumbnail.clone(),
            bytes: 3,
            sha256: [0; 32],
            quality: Quality::default(),
            warnings: vec![],
        };
        let report = async |claim| desk.report(claim, Outcome::Rendered(rendered.clone())).await;
        // Nothing is there, and then it is cut short: it is drawn again.
        for _ in 0..2 {
            assert_eq!(report(claim).await.unwrap(), Verdict::Refused);
            assert!(report(claim).await.is_err(), "that claim is over");
            claim = granted(desk.claim(next().await, "w").await.unwrap());
            blobs.put_object(&object, b"ab".as_slice().into(), "image/png").await.unwrap();
            blobs.put_object(&thumbnail, b"t".as_slice().into(), "image/png").await.unwrap();
        }
        blobs.put_object(&object, b"abc".as_slice().into(), "image/png").await.unwrap();
        assert_eq!(report(claim).await.unwrap(), Verdict::Accepted);
        assert_eq!(report(claim).await.unwrap(), Verdict::Accepted, "said twice, taken once");
        blobs.delete(&object).await.unwrap();
        assert!(report(claim).await.is_err(), "and no reason to remove anything");

        let end = store.generation(account, made.generation.id).unwrap().unwrap().generation;
        assert_eq!((end.status, end.charged, end.refunded), (Status::Completed, 10, 0));
        stop.cancel();
        publisher.await.unwrap();
    }
}
