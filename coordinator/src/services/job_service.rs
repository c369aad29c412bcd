//! The job service: handles the claims, heartbeats and reports of workers.

use std::collections::{HashMap, HashSet};

use async_trait::async_trait;
use fleet::blobs::{BlobError, Blobs, Digest};
use fleet::job_service::{JobService, JobServiceError};
use fleet::protocol::{
    BlobId, Caller, ClaimAnswer, Failure, FailureCode, Grant, Outcome, PROTOCOL_VERSION, Planned, Rendered, Secret,
    Ticket, Verdict,
};
use futures::future::try_join_all;
use futures::{StreamExt, TryStreamExt, stream};
use uuid::Uuid;

use crate::clock::Millis;
use crate::integrity::content_type;
use crate::metrics;
use crate::queued::Queued;
use crate::state::{NewClaim, RepairTarget, StateError, Store, StoredFacts};
use crate::words;

/// Pages of a plan that are read at once.
const PAGES_AT_ONCE: usize = 8;

/// Implements the job service on top of the state.
pub struct StateJobService {
    store: Store,
    blobs: Blobs,
    queued: Queued,
}

impl StateJobService {
    /// Creates a job service for this state. It removes claimed tickets from `queued`.
    pub fn new(store: Store, blobs: Blobs, queued: Queued) -> Self {
        Self { store, blobs, queued }
    }

    /// Returns the sizes of a plan's blobs and the words of its pages, if all blobs exist. Readers of the other blobs compare
    /// their bytes with the hashes.
    async fn planned(&self, done: &Planned) -> Option<StoredFacts> {
        let pages: HashSet<BlobId> = done.pages.iter().map(|page| page.page).collect();
        let others: HashSet<BlobId> = done.photos.iter().copied().chain([done.document]).collect();
        let size = async |id: BlobId| self.blobs.blob_metadata(&id).await.map(|metadata| (id, metadata.bytes));
        let mut blobs: HashMap<_, _> = try_join_all(others.into_iter().map(size)).await.ok()?.into_iter().collect();
        let read = async |id: BlobId| self.blobs.get_blob(&id).await.map(|bytes| (id, bytes));
        let pages = stream::iter(pages).map(read).buffer_unordered(PAGES_AT_ONCE).try_collect::<Vec<_>>().await.ok()?;
        blobs.extend(pages.iter().map(|(id, bytes)| (*id, bytes.len() as u64)));
        let words = pages.iter().map(|(id, bytes)| (*id, words::of_page(bytes))).collect();
        Some(StoredFacts { blobs, words, ..StoredFacts::default() })
    }

    /// Returns the hash and size of a reported image's thumbnail, if both the image and the thumbnail exist: a
    /// completed image must be fetchable. The thumbnail is small and is read completely, because workers don't report
    /// its SHA-256.
    async fn fetchable(&self, done: &Rendered) -> Option<Digest> {
        let (image, thumbnail) = tokio::join!(self.blobs.get_object(&done.object), self.blobs.digest(&done.thumbnail));
        image.ok().filter(|image| image.bytes == done.bytes)?;
        thumbnail.ok()
    }

    /// Copies a repaired image and thumbnail over the damaged objects. Undamaged objects stay, and the report is
    /// adjusted to them.
    async fn replace(
        &self,
        target: &RepairTarget,
        done: &mut Rendered,
        thumbnail: &mut [u8; 32],
    ) -> Result<(), BlobError> {
        match self.blobs.digest(&target.image).await {
            Ok(there) if there.sha256 == target.sha256 => {
                (done.sha256, done.bytes) = (there.sha256, there.metadata.bytes);
            }
            _ => self.copy(&done.object, done.sha256, &target.image).await?,
        }
        match self.blobs.digest(&target.thumbnail).await {
            Ok(there) if Some(there.sha256) == target.thumbnail_sha256 => *thumbnail = there.sha256,
            _ => self.copy(&done.thumbnail, *thumbnail, &target.thumbnail).await?,
        }
        Ok(())
    }

    /// Copies an object after checking its hash.
    async fn copy(&self, from: &str, sha256: [u8; 32], to: &str) -> Result<(), BlobError> {
        let bytes = self.blobs.get_object(from).await?.bytes().await?;
        if BlobId::of(&bytes).0 != sha256 {
            return Err(BlobError::Damaged(from.to_owned()));
        }
        self.blobs.put_object(to, bytes, content_type(to)).await
    }

    /// Handles the verdict on a repair whose result was copied into place.
    async fn repaired(&self, job: Uuid, target: RepairTarget, taken: Verdict) -> Result<(), StateError> {
        if taken == Verdict::Accepted {
            tracing::info!(%job, object = target.image, "damaged image repaired");
            metrics::image_repaired();
            return Ok(());
        }
        // The image was deleted in the meantime, and the copies may have been made after its removal. Delete them.
        let put_away = move |store: &Store| {
            if store.expected(&target.image)?.is_none() {
                store.queue_deletion(&target.image, Millis::now())?;
                store.queue_deletion(&target.thumbnail, Millis::now())?;
            }
            Ok(())
        };
        self.store.run(put_away).await
    }

    /// Handles the report of an image.
    async fn rendered(&self, grant: Grant, mut done: Rendered) -> Result<Verdict, JobServiceError> {
        let job = grant.claim.job;
        let target = self.store.run(move |store| store.repair_target(grant, Millis::now())).await.map_err(failed)?;
        let Some(mut thumbnail) = self.fetchable(&done).await else { return self.missing(grant).await };
        if let Some(target) = &target
            && let Err(error) = self.replace(target, &mut done, &mut thumbnail.sha256).await
        {
            tracing::error!(%job, %error, "copying a repaired image failed");
            return self.missing(grant).await;
        }
        let stored = StoredFacts {
            thumbnail: Some(thumbnail.metadata.bytes),
            thumbnail_sha256: Some(thumbnail.sha256),
            ..StoredFacts::default()
        };
        let verdict = self.file(grant, Outcome::Rendered(done), stored).await?;
        if let Some(target) = target {
            self.repaired(job, target, verdict).await.map_err(failed)?;
        }
        Ok(verdict)
    }

    /// Enqueues a job again whose result is not in the store.
    async fn missing(&self, grant: Grant) -> Result<Verdict, JobServiceError> {
        tracing::error!(job = %grant.claim.job, "report refused: its objects are not in the store");
        let failure = Failure {
            code: FailureCode::StorageFailed.into(),
            message: "the image store could not be read; try again later".into(),
            retry: true,
            tokens: None,
            usage: None,
        };
        match self.file(grant, Outcome::Failed(failure), StoredFacts::default()).await? {
            // The job is rendered again, as if the worker could not reach the store.
            Verdict::Accepted => Ok(Verdict::Refused),
            // The report may have been accepted before and its image may be visible, so the worker must not remove it.
            Verdict::Refused => Err(JobServiceError("the image is not in the store".into())),
        }
    }

    /// Applies a report if the claim holds. `stored` describes the objects in the report.
    async fn file(&self, grant: Grant, outcome: Outcome, stored: StoredFacts) -> Result<Verdict, JobServiceError> {
        let write = |reply| self.store.reporting(grant, outcome, stored, Millis::now(), reply);
        self.store.commit_batched(write).await.map_err(failed)
    }
}

#[async_trait]
impl JobService for StateJobService {
    async fn claim(&self, ticket: Ticket, caller: &Caller) -> Result<ClaimAnswer, JobServiceError> {
        if caller.version < PROTOCOL_VERSION {
            let least = self.store.run(move |s| s.least_version(ticket.job)).await.map_err(failed)?;
            if caller.version < least {
                // The ticket returns to the queue, and the job doesn't use up a claim.
                return Err(JobServiceError(format!("this job needs a worker of protocol version {least}")));
            }
        }
        let new =
            NewClaim { caller: caller.clone(), nonce: u128::from_be_bytes(random()?), secret: Some(Secret(random()?)) };
        let answer = self
            .store
            .commit_batched(|reply| self.store.claiming(ticket, &new, Millis::now(), reply))
            .await
            .map_err(failed)?;
        if let ClaimAnswer::Granted(claim, ..) = &answer {
            tracing::debug!(job = %claim.job, epoch = u32::from(claim.epoch), worker = caller.shown(), "job claimed");
        }
        self.queued.remove(ticket);
        Ok(answer)
    }

    async fn heartbeat(&self, grant: Grant) -> Result<Verdict, JobServiceError> {
        self.store.run(move |s| s.heartbeat(grant, Millis::now())).await.map_err(failed)
    }

    async fn report(&self, grant: Grant, outcome: Outcome) -> Result<Verdict, JobServiceError> {
        let job = grant.claim.job;
        let allowed = self.store.run(move |s| s.allowed(grant, Millis::now())).await.map_err(failed)?;
        // If the claim no longer holds, skip the checks: the report was accepted before, or is refused.
        let Some(allowed) = allowed else { return self.file(grant, outcome, StoredFacts::default()).await };
        if !allowed.permits(&outcome) {
            tracing::error!(%job, "report refused: it names objects that its claim doesn't allow");
            return Ok(Verdict::Refused);
        }
        match outcome {
            Outcome::Rendered(done) => self.rendered(grant, done).await,
            Outcome::Planned(done) => match self.planned(&done).await {
                Some(stored) => self.file(grant, Outcome::Planned(done), stored).await,
                None => self.missing(grant).await,
            },
            failed => self.file(grant, failed, StoredFacts::default()).await,
        }
    }
}

/// Returns `N` random bytes.
fn random<const N: usize>() -> Result<[u8; N], JobServiceError> {
    let mut bits = [0; N];
    getrandom::fill(&mut bits).map_err(|e| JobServiceError(e.to_string()))?;
    Ok(bits)
}

fn failed(e: StateError) -> JobServiceError {
    tracing::error!(error = %e, "request of a worker failed");
    JobServiceError(e.to_string())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use fleet::protocol::{Class, InputKind, Job, MAX_CLAIMS, PROTOCOL_VERSION, PlannedPage, Wishes, image_keys};
    use fleet::queue::Queue;
    use fleet::queue::embedded::EmbeddedQueue;
    use render_core::format::Resolution;
    use render_core::inspect::Quality;
    use tokio_util::sync::CancellationToken;
    use uuid::Uuid;

    use super::*;
    use crate::accounts::Plan;
    use crate::services::dispatch;
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
            photos: Vec::new(),
            parent: None,
            wishes: Wishes::default(),
            webhook: None,
            warnings: vec![],
            idempotency: None,
        }
    }

    fn granted(answer: ClaimAnswer) -> (Grant, Job) {
        let ClaimAnswer::Granted(claim, job, terms) = answer else { panic!("{answer:?}") };
        assert!(terms.secret.is_some());
        (Grant { claim, secret: terms.secret }, job)
    }

    /// A plan whose pages are stored.
    async fn planned(blobs: &Blobs) -> Outcome {
        let page = blobs.put_blob(b"page".as_slice().into()).await.unwrap();
        let page = PlannedPage { format: "post".into(), slide: None, page, alt_text: String::new() };
        let (title, language, style) = ("T".into(), "en".into(), "modern".into());
        Outcome::Planned(Planned {
            document: blobs.put_blob(b"document".as_slice().into()).await.unwrap(),
            title,
            language,
            style,
            pages: vec![page],
            warnings: vec![],
            photos: Vec::new(),
            tokens: None,
            usage: None,
        })
    }

    /// The report of a worker that rendered `job`: its image is three bytes, its thumbnail one.
    fn rendered(grant: Grant, job: &Job, folder: Option<&str>) -> Rendered {
        let Job::Render(job) = job else { panic!("{job:?}") };
        let [object, thumbnail] = image_keys(folder, job.generation, job.output, job.version, grant.claim.nonce, "png");
        let (quality, warnings) = (Quality::default(), vec![]);
        Rendered { object, thumbnail, bytes: 3, sha256: [0; 32], quality, warnings }
    }

    /// A state, its job service, and the dispatch between them.
    struct Bench {
        store: Store,
        blobs: Blobs,
        queued: Queued,
        queue: Arc<EmbeddedQueue>,
        service: StateJobService,
        account: Uuid,
        stop: CancellationToken,
        _folder: tempfile::TempDir,
    }

    impl Bench {
        fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            let (store, blobs) = (Store::open(folder.path()).unwrap(), Blobs::memory());
            let (queue, queued, stop) = (Arc::new(EmbeddedQueue::new()), Queued::default(), CancellationToken::new());
            let service = StateJobService::new(store.clone(), blobs.clone(), queued.clone());
            let slots = dispatch::Slots { here: 1, fleet: None };
            tokio::spawn(dispatch::publish(store.clone(), queue.clone(), queued.clone(), slots, stop.clone()));
            let account = Account { name: "t".into(), plan: Plan::Pro, active: true, created: Millis(0) };
            let account = store.create_account(&account, 100).unwrap();
            Self { store, blobs, queued, queue, service, account, stop, _folder: folder }
        }

        fn accept(&self) -> Uuid {
            self.accept_as(order(self.account))
        }

        fn accept_as(&self, order: Order) -> Uuid {
            let Accepted::Created(made) = self.store.accept(&order).unwrap() else { panic!() };
            made.generation.id
        }

        async fn next(&self) -> Ticket {
            let delivery = self.queue.next(&Class::ALL);
            let delivery = tokio::time::timeout(Duration::from_secs(30), delivery).await.unwrap().unwrap();
            let ticket = delivery.ticket();
            delivery.done().await;
            ticket
        }

        /// Claims the next job.
        async fn claim(&self, caller: &Caller) -> (Grant, Job) {
            // Tickets are delivered at least once: a second ticket of a claimed job is refused.
            loop {
                match self.service.claim(self.next().await, caller).await.unwrap() {
                    ClaimAnswer::Refused => {}
                    answer => return granted(answer),
                }
            }
        }

        /// Completes the next plan job.
        async fn plan(&self) {
            let (plan, _) = self.claim(&Caller::here("w")).await;
            assert_eq!(self.service.report(plan, planned(&self.blobs).await).await.unwrap(), Verdict::Accepted);
        }

        async fn put(&self, key: &str, bytes: &'static str) {
            self.blobs.put_object(key, bytes.as_bytes().into(), "image/png").await.unwrap();
        }

        fn ends_as(&self, id: Uuid) -> (Status, u64, u64) {
            let end = self.store.generation(self.account, id).unwrap().unwrap().generation;
            (end.status, end.charged, end.refunded)
        }
    }

    impl Drop for Bench {
        fn drop(&mut self) {
            self.stop.cancel();
        }
    }

    /// From acceptance through outbox, queue and job service to the end. Results that are not in the store don't
    /// complete.
    #[tokio::test]
    async fn a_job_goes_from_outbox_to_report() {
        let b = Bench::new();
        let here = Caller::here("w");
        let id = b.accept();
        let ticket = b.next().await;
        assert_eq!(ticket.class, Class::Plan);
        dispatch::reconcile(&b.store, &b.queued).await;
        let (plan, _) = granted(b.service.claim(ticket, &here).await.unwrap());
        assert_eq!(b.service.claim(ticket, &here).await.unwrap(), ClaimAnswer::Refused);
        // None of its pages is in the store, so it is planned again.
        let absent = planned(&Blobs::memory()).await;
        assert_eq!(b.service.report(plan, absent).await.unwrap(), Verdict::Refused);
        b.plan().await;

        let (mut grant, job) = b.claim(&here).await;
        assert_eq!(b.service.heartbeat(grant).await.unwrap(), Verdict::Accepted);
        let report = async |grant| b.service.report(grant, Outcome::Rendered(rendered(grant, &job, None))).await;
        // The image is missing, then truncated: it is rendered again both times.
        for _ in 0..2 {
            assert_eq!(report(grant).await.unwrap(), Verdict::Refused);
            assert_eq!(report(grant).await.unwrap(), Verdict::Refused, "that claim is over");
            grant = b.claim(&here).await.0;
            let Rendered { object, thumbnail, .. } = rendered(grant, &job, None);
            b.put(&object, "ab").await;
            b.put(&thumbnail, "t").await;
        }
        let object = rendered(grant, &job, None).object;
        b.put(&object, "abc").await;
        assert_eq!(report(grant).await.unwrap(), Verdict::Accepted);
        b.blobs.delete(&object).await.unwrap();
        assert_eq!(report(grant).await.unwrap(), Verdict::Accepted, "said twice, taken once");
        assert_eq!(b.ends_as(id), (Status::Completed, 10, 0));
    }

    /// The forger has everything that object keys and tickets contain, but not the secret.
    #[tokio::test]
    async fn i19_a_claim_is_its_workers_alone() {
        let b = Bench::new();
        let id = b.accept();
        b.plan().await;
        let worker = Caller { identity: Some("w1".into()), name: "w1".into(), version: PROTOCOL_VERSION };
        let (grant, job) = b.claim(&worker).await;
        let done = rendered(grant, &job, Some("w1"));
        b.put(&done.object, "abc").await;
        b.put(&done.thumbnail, "t").await;
        let failure =
            |retry| Failure { code: "no_content".into(), message: "forged".into(), retry, tokens: None, usage: None };
        let secret = grant.secret.unwrap();
        let mut guesses = vec![None, Some(Secret([0; 16]))];
        guesses.extend((0..16).map(|byte| {
            let mut bits = secret.0;
            bits[byte] ^= 1;
            Some(Secret(bits))
        }));
        for secret in guesses {
            let forged = Grant { secret, ..grant };
            assert_eq!(b.service.heartbeat(forged).await.unwrap(), Verdict::Refused);
            for outcome in [
                Outcome::Failed(failure(false)),
                Outcome::Failed(failure(true)),
                Outcome::Rendered(done.clone()),
                planned(&b.blobs).await,
            ] {
                assert_eq!(b.service.report(forged, outcome).await.unwrap(), Verdict::Refused);
            }
        }
        assert_eq!(b.service.heartbeat(grant).await.unwrap(), Verdict::Accepted, "it stands");
        assert_eq!(b.service.report(grant, Outcome::Rendered(done.clone())).await.unwrap(), Verdict::Accepted);
        let forged = Grant { secret: None, ..grant };
        assert_eq!(
            b.service.report(forged, Outcome::Rendered(done)).await.unwrap(),
            Verdict::Refused,
            "not even again"
        );
        assert_eq!(b.ends_as(id), (Status::Completed, 10, 0));
    }

    /// A worker with a valid claim names other objects: of another account, an earlier claim, or another worker.
    #[tokio::test]
    async fn i19_a_report_names_the_objects_of_its_claim_and_no_others() {
        let b = Bench::new();
        let id = b.accept();
        b.plan().await;
        let worker = Caller { identity: Some("w1".into()), name: "w1".into(), version: PROTOCOL_VERSION };
        let (grant, job) = b.claim(&worker).await;
        let own = rendered(grant, &job, Some("w1"));
        let folders = [None, Some("w2")].map(|folder| rendered(grant, &job, folder));
        let swapped = Rendered { object: own.thumbnail.clone(), thumbnail: own.object.clone(), ..own.clone() };
        let twice = Rendered { thumbnail: own.object.clone(), ..own.clone() };
        let another = Rendered { object: "outputs/w1/another/image.png".into(), ..own.clone() };
        let longer = Rendered { object: format!("{}.png", own.object), ..own.clone() };
        for done in folders.into_iter().chain([swapped, twice, another, longer]) {
            // The objects exist nevertheless.
            b.put(&done.object, "abc").await;
            b.put(&done.thumbnail, "abc").await;
            assert_eq!(
                b.service.report(grant, Outcome::Rendered(done.clone())).await.unwrap(),
                Verdict::Refused,
                "{done:?}"
            );
        }
        assert_eq!(b.service.report(grant, planned(&b.blobs).await).await.unwrap(), Verdict::Refused, "it is no plan");
        b.put(&own.object, "abc").await;
        assert_eq!(b.service.report(grant, Outcome::Rendered(own)).await.unwrap(), Verdict::Accepted);
        assert_eq!(b.ends_as(id), (Status::Completed, 10, 0));
    }

    /// A worker of the previous version works as before, except that it gets no job with an outline, which it can't
    /// read.
    #[tokio::test]
    async fn a_worker_of_the_previous_version_is_given_what_it_can_read() {
        let b = Bench::new();
        let old = Caller { identity: None, name: "old".into(), version: PROTOCOL_VERSION - 1 };
        let id = b.accept();
        b.plan().await;
        let (grant, job) = b.claim(&old).await;
        let done = rendered(grant, &job, None);
        b.put(&done.object, "abc").await;
        b.put(&done.thumbnail, "t").await;
        assert_eq!(b.service.report(grant, Outcome::Rendered(done)).await.unwrap(), Verdict::Accepted);
        assert_eq!(b.ends_as(id), (Status::Completed, 10, 0));

        let plain = order(b.account);
        let request = Request { given: Given::Remade(Box::new(Given::Text)), ..plain.request.clone() };
        b.accept_as(Order { request, ..plain });
        // A ticket of the previous job may be delivered again. It is refused without an error.
        let ticket = loop {
            let ticket = b.next().await;
            if b.service.claim(ticket, &old).await.is_err() {
                break ticket;
            }
        };
        for _ in 0..2 * MAX_CLAIMS {
            let refused = b.service.claim(ticket, &old).await.unwrap_err();
            assert!(refused.to_string().contains("version 14"), "{refused}");
        }
        let current = Caller { version: PROTOCOL_VERSION, ..old };
        let (_, job) = granted(b.service.claim(ticket, &current).await.unwrap());
        let Job::Plan(job) = job else { panic!("{job:?}") };
        assert_eq!(job.input_kind, InputKind::Illustrated);
    }
}
