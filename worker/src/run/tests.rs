use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use async_trait::async_trait;
use bytes::Bytes;
use fleet::blobs::Blobs;
use fleet::net::{Fetcher, Guard};
use fleet::protocol::{BlobId, Class, Failure, InputKind, PlanJob, Planned, RenderJob, Rendered, Secret, Ticket};
use fleet::queue::embedded::EmbeddedQueue;
use fleet::sandbox::Sandbox;
use parking_lot::Mutex;
use render_core::design::{Brand, FaceFile, FileKey};
use render_core::raster::{Pixmap, RasterError, Rasteriser, cpu::CpuRasteriser};
use render_core::scene::{Canvas, Scene};
use render_core::text::{Family, Fonts};
use render_core::warning::WarningCode;
use tokio::sync::Notify;
use uuid::Uuid;

use super::*;
use crate::renderer::Renderer;

#[path = "clock_tests.rs"]
mod clock;

const TEXT: &str = "# Tides\n\nThe sea rises and falls twice a day. The moon pulls at the water.\n\n\
    - Spring tides come with the full moon\n- Neap tides come with the half moon\n- Slack water lasts minutes\n";

/// An in-memory coordinator.
#[derive(Default)]
struct FakeJobService {
    jobs: Mutex<HashMap<Uuid, Job>>,
    claims: AtomicU32,
    refuse_claims: AtomicBool,
    refuse_heartbeats: AtomicBool,
    silent_heartbeats: AtomicBool,
    refuse_reports: AtomicBool,
    /// The number of reports that get no answer.
    silent_reports: AtomicU32,
    reports: Mutex<Vec<(Grant, Outcome)>>,
    reported: Notify,
}

#[async_trait]
impl JobService for FakeJobService {
    async fn claim(&self, ticket: Ticket, _: &Caller) -> Result<ClaimAnswer, JobServiceError> {
        let nonce = self.claims.fetch_add(1, Ordering::SeqCst);
        if self.refuse_claims.load(Ordering::SeqCst) {
            self.reported.notify_one();
            return Ok(ClaimAnswer::Refused);
        }
        let job = self.jobs.lock()[&ticket.job].clone();
        let claim = Claim { job: ticket.job, epoch: ticket.epoch, nonce: nonce.into() };
        Ok(ClaimAnswer::Granted(claim, job, Terms { secret: Some(secret(nonce)), folder: Some("w".into()) }))
    }

    async fn heartbeat(&self, grant: Grant) -> Result<Verdict, JobServiceError> {
        is_proved(grant);
        if self.silent_heartbeats.load(Ordering::SeqCst) {
            std::future::pending::<()>().await;
        }
        let refuse = self.refuse_heartbeats.load(Ordering::SeqCst);
        Ok(if refuse { Verdict::Refused } else { Verdict::Accepted })
    }

    async fn report(&self, grant: Grant, outcome: Outcome) -> Result<Verdict, JobServiceError> {
        is_proved(grant);
        let silent = self.silent_reports.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |n| n.checked_sub(1));
        if silent.is_ok() {
            return Err(JobServiceError("silent".into()));
        }
        self.reports.lock().push((grant, outcome));
        self.reported.notify_one();
        Ok(if self.refuse_reports.load(Ordering::SeqCst) { Verdict::Refused } else { Verdict::Accepted })
    }
}

/// Returns the secret of the claim with this number.
fn secret(claim: u32) -> Secret {
    Secret(u128::from(claim).to_be_bytes().map(|byte| byte ^ 0x5a))
}

/// Every call under a claim carries the secret that the answer to that claim contained.
fn is_proved(Grant { claim, secret: said }: Grant) {
    assert_eq!(said, Some(secret(u32::try_from(claim.nonce).unwrap())));
}

/// A rasteriser that renders only when told to, or panics.
struct FakeRasteriser {
    inner: CpuRasteriser,
    panics: bool,
    started: Arc<AtomicBool>,
    go_on: Arc<AtomicBool>,
}

impl FakeRasteriser {
    fn new() -> Self {
        Self { inner: CpuRasteriser::new(), panics: false, started: Arc::default(), go_on: Arc::new(true.into()) }
    }
}

impl Rasteriser for FakeRasteriser {
    fn name(&self) -> &'static str {
        "fake"
    }

    fn draw(&self, scene: &Scene, canvas: Canvas, fonts: &Fonts, out: &mut Pixmap) -> Result<(), RasterError> {
        self.started.store(true, Ordering::SeqCst);
        assert!(!self.panics, "in the rasteriser");
        while !self.go_on.load(Ordering::SeqCst) {
            std::thread::sleep(Duration::from_millis(1));
        }
        self.inner.draw(scene, canvas, fonts, out)
    }
}

struct Fixture {
    queue: Arc<EmbeddedQueue>,
    job_service: Arc<FakeJobService>,
    blobs: Blobs,
    shutdown: CancellationToken,
    running: tokio::task::JoinHandle<()>,
}

impl Fixture {
    fn new(rasteriser: FakeRasteriser, job_service: FakeJobService) -> Self {
        Self::with_lease(rasteriser, job_service, Duration::from_secs(20))
    }

    fn with_lease(rasteriser: FakeRasteriser, job_service: FakeJobService, lease: Duration) -> Self {
        Self::on(Blobs::memory(), rasteriser, job_service, lease)
    }

    fn on(blobs: Blobs, rasteriser: FakeRasteriser, job_service: FakeJobService, lease: Duration) -> Self {
        let queue = Arc::new(EmbeddedQueue::new());
        let job_service = Arc::new(job_service);
        let renderer = Renderer::new(Box::new(rasteriser), Vec::new(), Fonts::new(), 2);
        let fetcher = Fetcher::new(fleet::net::Parts::of_the_system(Guard::default()));
        let sandbox = Sandbox::new(1).unwrap();
        let worker = Worker {
            queue: Arc::clone(&queue) as _,
            job_service: Arc::clone(&job_service) as _,
            context: Arc::new(Context {
                blobs: blobs.clone(),
                renderer,
                fetcher,
                sandbox,
                copywriter: None,
                brands: Default::default(),
                photos: Default::default(),
                threads: fleet::fair_semaphore::FairSemaphore::new(2, fleet::fair_semaphore::AccountLimits::UNBOUNDED),
            }),
            caller: Arc::new(Caller::here("test")),
            timing: Timing { heartbeat: Duration::from_millis(20), lease, pause: Duration::from_millis(5) },
            running: Arc::default(),
            busy: Arc::default(),
            reported: Arc::default(),
            slots: Slots::new(2),
        };
        let shutdown = CancellationToken::new();
        let token = shutdown.clone();
        let running = tokio::spawn(async move { worker.run(&token).await });
        Self { queue, job_service, blobs, shutdown, running }
    }

    async fn enqueue(&self, id: u128, job: Job, class: Class) {
        self.job_service.jobs.lock().insert(Uuid::from_u128(id), job);
        self.queue.publish(Ticket { job: Uuid::from_u128(id), epoch: 1.into(), class }).await.unwrap();
    }

    async fn plan_job(&self, text: &str) -> Job {
        Self::plan_job_of(self.blobs.put_blob(Bytes::copy_from_slice(text.as_bytes())).await.unwrap())
    }

    fn plan_job_of(input: BlobId) -> Job {
        Job::Plan(PlanJob {
            generation: Uuid::from_u128(9),
            input_kind: InputKind::Text,
            input,
            title: Some("Ebb and flow".into()),
            formats: vec![("instagram_post".into(), None)],
            style: Some("bold".into()),
            exact: false,
            language: None,
            seed: 7,
            brand: None,
            tokens: None,
            wishes: fleet::protocol::Wishes::default(),
        })
    }

    async fn wait_for(&self, condition: impl Fn(&FakeJobService) -> bool) {
        tokio::time::timeout(Duration::from_secs(60), async {
            while !condition(&self.job_service) {
                tokio::select! {
                    () = self.job_service.reported.notified() => {}
                    () = sleep(Duration::from_millis(5)) => {}
                }
            }
        })
        .await
        .expect("what was waited for never came");
    }

    async fn outcome(&self, nth: usize) -> Outcome {
        self.wait_for(|job_service| job_service.reports.lock().len() > nth).await;
        self.job_service.reports.lock()[nth].1.clone()
    }

    /// Plans [`TEXT`].
    async fn plan(&self) -> Planned {
        self.enqueue(1, self.plan_job(TEXT).await, Class::Plan).await;
        let Outcome::Planned(planned) = self.outcome(0).await else { panic!("not planned") };
        planned
    }

    /// Enqueues the render job of the page of `planned`.
    async fn draw(&self, planned: &Planned) {
        self.draw_for(2, planned, None).await;
    }

    /// Enqueues the render job of the page of `planned`, which belongs to a brand.
    async fn draw_for(&self, id: u128, planned: &Planned, brand: Option<BlobId>) {
        let job = RenderJob {
            generation: Uuid::from_u128(9),
            output: Uuid::from_u128(10),
            version: 1,
            page: planned.pages[0].page,
            width: 324,
            height: 405,
            image_format: "png".into(),
            brand,
        };
        self.enqueue(id, Job::Render(job), Class::Render2k).await;
    }

    async fn is_stored(&self, key: &str) -> bool {
        self.blobs.get_object(key).await.is_ok()
    }

    async fn stop(self) {
        self.shutdown.cancel();
        tokio::time::timeout(Duration::from_secs(60), self.running).await.expect("it never ends").unwrap();
    }
}

/// Returns the keys of the job that `draw` enqueues, under the `nonce`th claim.
fn keys(nonce: u32) -> [String; 2] {
    let base = format!("outputs/w/{}/{}/1-{nonce:032x}", Uuid::from_u128(9), Uuid::from_u128(10));
    [format!("{base}.png"), format!("{base}-thumb.png")]
}

#[tokio::test(flavor = "multi_thread")]
async fn text_becomes_a_stored_picture() {
    let fixture = Fixture::new(FakeRasteriser::new(), FakeJobService::default());
    let planned = fixture.plan().await;
    check_plan(&fixture, &planned).await;
    fixture.draw(&planned).await;
    let Outcome::Rendered(rendered) = fixture.outcome(1).await else { panic!("not rendered") };
    check_picture(&fixture, &rendered).await;
    fixture.wait_for(|_| fixture.queue.waiting() == 0).await;
    fixture.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_page_leaves_out_is_told_with_its_picture() {
    let fixture = Fixture::new(FakeRasteriser::new(), FakeJobService::default());
    let items: String = (0..30).map(|n| format!("- Item number {n} of a long list of things to do\n")).collect();
    let Job::Plan(job) = fixture.plan_job(&format!("# A long list\n\n{items}")).await else { unreachable!() };
    fixture.enqueue(11, Job::Plan(PlanJob { title: None, ..job }), Class::Plan).await;
    let Outcome::Planned(planned) = fixture.outcome(0).await else { panic!("not planned") };
    assert!(planned.warnings.is_empty(), "{:?}", planned.warnings);
    fixture.draw(&planned).await;
    let Outcome::Rendered(rendered) = fixture.outcome(1).await else { panic!("not rendered") };
    assert!(rendered.warnings.iter().any(|w| w.code == WarningCode::ContentShortened), "{:?}", rendered.warnings);
    fixture.stop().await;
}

async fn check_plan(fixture: &Fixture, planned: &Planned) {
    assert_eq!(planned.title, "Ebb and flow");
    assert_eq!(planned.style, "bold");
    assert_eq!(planned.language, "en");
    assert!(planned.warnings.is_empty(), "{:?}", planned.warnings);
    assert_eq!(planned.pages.len(), 1);
    assert_eq!(planned.pages[0].format, "instagram_post");
    assert!(!planned.pages[0].alt_text.is_empty());
    let document = fixture.blobs.get_blob(&planned.document).await.unwrap();
    let json: serde_json::Value = serde_json::from_slice(&zstd::decode_all(&document[..]).unwrap()).unwrap();
    assert_eq!(json["version"], render_core::content::DOCUMENT_VERSION);
    assert_eq!(json["document"]["title"]["text"], "Ebb and flow");
}

async fn check_picture(fixture: &Fixture, rendered: &Rendered) {
    assert_eq!([rendered.object.clone(), rendered.thumbnail.clone()], keys(1));
    let image = fixture.blobs.get_object(&rendered.object).await.unwrap().bytes().await.unwrap();
    assert_eq!(image.len() as u64, rendered.bytes);
    assert_eq!(fleet::protocol::BlobId::of(&image).0, rendered.sha256);
    assert_eq!(image[..8], *b"\x89PNG\r\n\x1a\n");
    assert_eq!(image[16..24], [324_u32.to_be_bytes(), 405_u32.to_be_bytes()].concat());
    assert!(fixture.is_stored(&rendered.thumbnail).await);
    assert!(!rendered.quality.checks.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_brand_s_pages_are_set_in_its_own_faces() {
    let fixture = Fixture::new(FakeRasteriser::new(), FakeJobService::default());
    let face = include_bytes!("../../../tests/data/fonts/noto-sans-cherokee-400.ttf");
    let key = FileKey(fixture.blobs.put_blob(Bytes::from_static(face)).await.unwrap().0);
    let faces = vec![FaceFile { family: Family::OwnHeading, key }];
    let brand = Brand { name: "ᏣᎳᎩ".into(), heading: Some(Family::OwnHeading), faces, ..Brand::default() };
    let brand = Some(fixture.blobs.put_blob(brand.encode().into()).await.unwrap());
    let Job::Plan(job) = fixture.plan_job("# ᏣᎳᎩ ᎦᏬᏂᎯᏍᏗ\n\n- ᎠᏂᏴᏫ ᎠᎴ\n- ᎣᏏᏲ\n").await
    else {
        unreachable!()
    };
    let plan = async |n: u128, brand| {
        let job = PlanJob { brand, title: None, ..job.clone() };
        fixture.enqueue(10 + n, Job::Plan(job), Class::Plan).await;
        fixture.outcome(n as usize).await
    };
    let Outcome::Planned(planned) = plan(0, brand).await else { panic!("not planned") };
    assert!(planned.warnings.iter().all(|w| w.code != WarningCode::MissingGlyphs), "{:?}", planned.warnings);
    let Outcome::Failed(without) = plan(1, None).await else { panic!("no face has these characters") };
    assert_eq!(without.code, "no_content");
    let Outcome::Failed(gone) = plan(2, Some(BlobId([9; 32]))).await else { panic!("there is no such brand") };
    assert_eq!(gone.code, "storage_damaged");
    let draw = async |n: u128, brand| {
        fixture.draw_for(20 + n, &planned, brand).await;
        let Outcome::Rendered(rendered) = fixture.outcome(3 + n as usize).await else { panic!("not rendered") };
        rendered.sha256
    };
    let drawn = draw(0, brand).await;
    assert_eq!(draw(1, brand).await, drawn);
    assert_ne!(draw(2, None).await, drawn, "who lacks the face lacks the letters");
    fixture.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_next_jobs_are_claimed_while_others_are_worked_on_where_some_wait() {
    let go_on = Arc::new(AtomicBool::new(true));
    let rasteriser = FakeRasteriser { go_on: Arc::clone(&go_on), ..FakeRasteriser::new() };
    let fixture = Fixture::new(rasteriser, FakeJobService::default());
    let planned = fixture.plan().await;
    go_on.store(false, Ordering::SeqCst);
    let mut drawn = 0;
    // The worker claims one job per slot without a backlog, and prefetches one more per slot once it sees a backlog.
    while fixture.job_service.claims.load(Ordering::SeqCst) < 5 {
        for _ in 0..4 {
            fixture.draw_for(20 + drawn, &planned, None).await;
            drawn += 1;
        }
        if drawn > 8 {
            // The slots were taken before the worker saw a backlog: once one is free it fetches the next job, and some
            // wait.
            go_on.store(true, Ordering::SeqCst);
            fixture.outcome(1).await;
            go_on.store(false, Ordering::SeqCst);
        }
        sleep(Duration::from_millis(50)).await;
    }
    go_on.store(true, Ordering::SeqCst);
    for n in 1..=drawn as usize {
        assert!(matches!(fixture.outcome(n).await, Outcome::Rendered(_)));
    }
    assert_eq!(fixture.job_service.claims.load(Ordering::SeqCst) as u128, drawn + 1, "each is claimed once");
    fixture.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_claim_is_forgotten() {
    let job_service = FakeJobService { refuse_claims: true.into(), ..FakeJobService::default() };
    let fixture = Fixture::new(FakeRasteriser::new(), job_service);
    fixture.enqueue(1, fixture.plan_job(TEXT).await, Class::Plan).await;
    fixture.wait_for(|job_service| job_service.claims.load(Ordering::SeqCst) > 0).await;
    let (queue, job_service) = (Arc::clone(&fixture.queue), Arc::clone(&fixture.job_service));
    fixture.stop().await;
    assert_eq!(queue.waiting(), 0);
    assert_eq!(job_service.claims.load(Ordering::SeqCst), 1);
    assert!(job_service.reports.lock().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_report_leaves_nothing_behind() {
    let fixture = Fixture::new(FakeRasteriser::new(), FakeJobService::default());
    let planned = fixture.plan().await;
    fixture.job_service.refuse_reports.store(true, Ordering::SeqCst);
    fixture.draw(&planned).await;
    let Outcome::Rendered(_) = fixture.outcome(1).await else { panic!("not rendered") };
    let blobs = fixture.blobs.clone();
    fixture.stop().await;
    for key in keys(1) {
        assert!(blobs.get_object(&key).await.is_err(), "{key} stays behind");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_report_is_repeated_until_it_is_answered() {
    let fixture =
        Fixture::new(FakeRasteriser::new(), FakeJobService { silent_reports: 3.into(), ..FakeJobService::default() });
    fixture.enqueue(1, fixture.plan_job(TEXT).await, Class::Plan).await;
    assert!(matches!(fixture.outcome(0).await, Outcome::Planned(_)));
    assert_eq!(fixture.job_service.claims.load(Ordering::SeqCst), 1);
    fixture.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_panic_is_reported_and_the_loop_goes_on() {
    let fixture = Fixture::new(FakeRasteriser { panics: true, ..FakeRasteriser::new() }, FakeJobService::default());
    fixture.draw(&fixture.plan().await).await;
    let Outcome::Failed(Failure { code, retry, .. }) = fixture.outcome(1).await else { panic!("not failed") };
    assert_eq!((code.as_str(), retry), ("render_failed", true));
    for n in 0..4 {
        fixture.enqueue(20 + n, fixture.plan_job(TEXT).await, Class::Plan).await;
        assert!(matches!(fixture.outcome(2 + n as usize).await, Outcome::Planned(_)));
    }
    fixture.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_holds_no_words_fails_for_good() {
    let fixture = Fixture::new(FakeRasteriser::new(), FakeJobService::default());
    fixture.enqueue(1, fixture.plan_job(" \n\n").await, Class::Plan).await;
    let Outcome::Failed(Failure { code, retry, .. }) = fixture.outcome(0).await else { panic!("not failed") };
    assert_eq!((code.as_str(), retry), ("no_content", false));
    fixture.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_claim_is_neither_reported_nor_kept() {
    let rasteriser = FakeRasteriser { go_on: Arc::new(false.into()), ..FakeRasteriser::new() };
    let (started, go_on) = (Arc::clone(&rasteriser.started), Arc::clone(&rasteriser.go_on));
    let fixture = Fixture::new(rasteriser, FakeJobService::default());
    fixture.draw(&fixture.plan().await).await;
    fixture.wait_for(|_| started.load(Ordering::SeqCst)).await;
    fixture.job_service.refuse_heartbeats.store(true, Ordering::SeqCst);
    // The loop abandons the render job, which still runs, and waits for work again.
    let (blobs, job_service) = (fixture.blobs.clone(), Arc::clone(&fixture.job_service));
    fixture.stop().await;
    go_on.store(true, Ordering::SeqCst);
    assert_eq!(job_service.reports.lock().len(), 1, "only the plan");
    for key in keys(1) {
        assert!(blobs.get_object(&key).await.is_err(), "{key} stays behind");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn told_to_stop_it_finishes_what_it_has() {
    let rasteriser = FakeRasteriser { go_on: Arc::new(false.into()), ..FakeRasteriser::new() };
    let (started, go_on) = (Arc::clone(&rasteriser.started), Arc::clone(&rasteriser.go_on));
    let fixture = Fixture::new(rasteriser, FakeJobService::default());
    fixture.draw(&fixture.plan().await).await;
    fixture.wait_for(|_| started.load(Ordering::SeqCst)).await;
    fixture.shutdown.cancel();
    // Enqueued after the shutdown: stays in the queue.
    fixture.enqueue(3, fixture.plan_job(TEXT).await, Class::Plan).await;
    go_on.store(true, Ordering::SeqCst);
    assert!(matches!(fixture.outcome(1).await, Outcome::Rendered(_)));
    let (queue, blobs) = (Arc::clone(&fixture.queue), fixture.blobs.clone());
    fixture.stop().await;
    assert_eq!(queue.waiting(), 1);
    for key in keys(1) {
        assert!(blobs.get_object(&key).await.is_ok(), "{key} is missing");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_coordinator_that_falls_silent_takes_the_claim_with_it() {
    let rasteriser = FakeRasteriser { go_on: Arc::new(false.into()), ..FakeRasteriser::new() };
    let (started, go_on) = (Arc::clone(&rasteriser.started), Arc::clone(&rasteriser.go_on));
    let fixture = Fixture::with_lease(rasteriser, FakeJobService::default(), Duration::from_millis(60));
    fixture.draw(&fixture.plan().await).await;
    fixture.wait_for(|_| started.load(Ordering::SeqCst)).await;
    fixture.job_service.silent_heartbeats.store(true, Ordering::SeqCst);
    let job_service = Arc::clone(&fixture.job_service);
    fixture.stop().await;
    go_on.store(true, Ordering::SeqCst);
    assert_eq!(job_service.reports.lock().len(), 1, "only the plan");
}

#[tokio::test(flavor = "multi_thread")]
async fn without_an_answer_the_ticket_goes_back_and_the_picture_stays() {
    let fixture = Fixture::with_lease(FakeRasteriser::new(), FakeJobService::default(), Duration::from_millis(60));
    let planned = fixture.plan().await;
    // No report of the first claim is ever answered; the worker can't tell whether it was accepted.
    fixture.job_service.silent_reports.store(u32::MAX, Ordering::SeqCst);
    fixture.draw(&planned).await;
    fixture.wait_for(|job_service| job_service.claims.load(Ordering::SeqCst) > 2).await;
    fixture.job_service.silent_reports.store(0, Ordering::SeqCst);
    let Outcome::Rendered(rendered) = fixture.outcome(1).await else { panic!("not rendered") };
    for key in keys(1).iter().chain([&rendered.object, &rendered.thumbnail]) {
        assert!(fixture.is_stored(key).await, "{key} is missing");
    }
    fixture.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_in_the_store_is_its_failure() {
    let fixture = Fixture::new(FakeRasteriser::new(), FakeJobService::default());
    let Job::Plan(job) = fixture.plan_job(TEXT).await else { panic!("not a plan") };
    let input = fleet::protocol::BlobId([0; 32]);
    fixture.enqueue(1, Job::Plan(PlanJob { input, ..job }), Class::Plan).await;
    let Outcome::Failed(Failure { code, .. }) = fixture.outcome(0).await else { panic!("not failed") };
    assert_eq!(code, "storage_damaged");
    fixture.stop().await;
}
