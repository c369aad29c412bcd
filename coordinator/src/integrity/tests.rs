//! Damaged objects are never served, and repairs restore them.

use std::path::PathBuf;

use bytes::Bytes;
use fleet::blobs::RetryPolicy;
use fleet::job_service::JobService;
use fleet::protocol::{
    Caller, ClaimAnswer, Grant, Job, Outcome, Planned, PlannedPage, RenderJob, Rendered, Verdict, image_keys,
};
use render_core::inspect::Quality;
use uuid::Uuid;

use super::*;
use crate::accounts::Plan;
use crate::queued::Queued;
use crate::services::job_service::StateJobService;
use crate::state::{Accepted, Account, EditOrder, End, Image, NewClaim, NewPage};

/// A state, a folder of objects, and a verifier.
pub(crate) struct Stand {
    folder: tempfile::TempDir,
    pub store: Store,
    pub integrity: Integrity,
    service: StateJobService,
    pub account: Uuid,
}

/// What the engine renders for a page: always the same.
fn drawn(output: Uuid, engine: u8) -> [Bytes; 2] {
    let bytes = |kind: u8, len: usize| {
        let seed = output.as_bytes().map(|b| b ^ kind ^ engine);
        Bytes::from(seed.iter().copied().cycle().take(len).collect::<Vec<_>>())
    };
    [bytes(1, 40_000 + usize::from(engine)), bytes(2, 3_000)]
}

impl Stand {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("state")).unwrap();
        let retries = RetryPolicy { pause: Duration::from_millis(1), ..RetryPolicy::default() };
        let blobs = Blobs::local(&folder.path().join("store")).unwrap().with_retries(retries);
        let account = Account { name: "a".into(), plan: Plan::Pro, active: true, created: Millis(0) };
        let account = store.create_account(&account, 1_000).unwrap();
        let integrity = Integrity::new(store.clone(), blobs.clone());
        let service = StateJobService::new(store.clone(), blobs, Queued::default());
        Self { folder, store, integrity, service, account }
    }

    /// Creates a generation of `images` images, rendered by this engine.
    pub async fn made(&self, images: u32, engine: u8) -> (Uuid, Vec<Image>) {
        let Accepted::Created(made) = self.store.accept(&crate::state::tests::order(self.account, images)).unwrap()
        else {
            panic!("not accepted")
        };
        while self.work(engine).await.is_some() {}
        (made.generation.id, self.images(made.generation.id))
    }

    pub fn images(&self, id: Uuid) -> Vec<Image> {
        let outputs = self.store.generation(self.account, id).unwrap().unwrap().outputs;
        let image = |end: Option<End>| match end {
            Some(End::Ready(image)) => image,
            other => panic!("{other:?}"),
        };
        outputs.into_iter().map(|output| image(output.end)).collect()
    }

    /// Claims the next job.
    pub async fn claim(&self) -> Option<(Grant, Job)> {
        let ticket = *self.store.outbox(1).unwrap().first()?;
        self.store.published(&[ticket]).unwrap();
        match self.service.claim(ticket, &Caller::here("w")).await.unwrap() {
            ClaimAnswer::Granted(claim, job, terms) => Some((Grant { claim, secret: terms.secret }, job)),
            ClaimAnswer::Refused => panic!("{ticket:?}"),
        }
    }

    /// Completes the next job.
    pub async fn work(&self, engine: u8) -> Option<Verdict> {
        let (claim, job) = self.claim().await?;
        Some(self.finish(claim, job, engine).await)
    }

    pub async fn finish(&self, claim: Grant, job: Job, engine: u8) -> Verdict {
        let outcome = match job {
            Job::Plan(plan) => Outcome::Planned(self.planned(plan.formats[0].1.unwrap()).await),
            Job::Render(job) => Outcome::Rendered(self.rendered(claim, &job, engine).await),
        };
        self.service.report(claim, outcome).await.unwrap()
    }

    async fn planned(&self, slides: u32) -> Planned {
        let mut pages = Vec::new();
        for slide in 0..slides {
            let page = self.integrity.blobs().put_blob(format!("page {slide}").into()).await.unwrap();
            pages.push(PlannedPage { format: "deck".into(), slide: Some(slide), page, alt_text: String::new() });
        }
        let document = self.integrity.blobs().put_blob("document".into()).await.unwrap();
        let (title, language, style) = ("T".into(), "en".into(), "modern".into());
        Planned {
            document,
            title,
            language,
            style,
            pages,
            warnings: vec![],
            photos: Vec::new(),
            tokens: None,
            usage: None,
        }
    }

    async fn rendered(&self, claim: Grant, job: &RenderJob, engine: u8) -> Rendered {
        let [image, small] = drawn(job.output, engine);
        let [object, thumbnail] = image_keys(None, job.generation, job.output, job.version, claim.claim.nonce, "png");
        let blobs = self.integrity.blobs();
        blobs.put_object(&object, image.clone(), "image/png").await.unwrap();
        blobs.put_object(&thumbnail, small, "image/png").await.unwrap();
        let (bytes, sha256) = (image.len() as u64, BlobId::of(&image).0);
        Rendered { object, thumbnail, bytes, sha256, quality: Quality::default(), warnings: vec![] }
    }

    pub fn file(&self, key: &str) -> PathBuf {
        self.folder.path().join("store").join(key)
    }

    /// Returns the bytes that a client would get.
    pub async fn served(&self, key: &str) -> Result<Bytes, Unsound> {
        let sound = self.integrity.sound(key).await?;
        Ok(self.integrity.open(key, sound, None).await?.bytes().await.unwrap())
    }

    pub fn money(&self) -> (u64, u64) {
        let balance = self.store.balance(self.account, Millis::now()).unwrap();
        assert_eq!(self.store.audit(self.account).unwrap(), (balance.available(), balance.reserved));
        (balance.available(), balance.reserved)
    }
}

/// Damages a file.
pub(crate) type Attack = fn(&std::path::Path);

/// Ways to damage a file, including its removal.
pub(crate) const ATTACKS: [(&str, Attack); 4] = [
    ("a bit is flipped", |file| {
        let mut bytes = std::fs::read(file).unwrap();
        let at = bytes.len() / 3;
        bytes[at] ^= 1;
        std::fs::write(file, bytes).unwrap();
    }),
    ("half is cut off", |file| {
        let bytes = std::fs::read(file).unwrap();
        std::fs::write(file, &bytes[..bytes.len() / 2]).unwrap();
    }),
    ("all is cut off", |file| std::fs::write(file, b"").unwrap()),
    ("it is deleted", |file| std::fs::remove_file(file).unwrap()),
];

#[tokio::test]
async fn i17_damage_is_never_served_and_is_repaired_for_nothing() {
    let s = Stand::new();
    let (id, images) = s.made(1, 0).await;
    let image = &images[0];
    let (money, before) = (s.money(), s.store.generation(s.account, id).unwrap().unwrap());
    for key in [&image.object, &image.thumbnail] {
        let whole = s.served(key).await.unwrap();
        for (what, attack) in ATTACKS {
            attack(&s.file(key));
            for _ in 0..3 {
                let got = s.served(key).await;
                assert!(matches!(got, Err(Unsound::Damaged(Repair::UnderWay))), "{what}: {got:?}");
            }
            assert_eq!(s.work(0).await, Some(Verdict::Accepted), "{what}");
            assert_eq!(s.work(0).await, None, "one repair is enough");
            assert_eq!(s.served(key).await.unwrap(), whole, "{what}");
            assert_eq!(s.store.repairs().unwrap(), (0, 0));
        }
    }
    assert_eq!(s.money(), money);
    assert_eq!(s.store.generation(s.account, id).unwrap().unwrap(), before, "no row of it has changed");
    assert_eq!(s.store.due_deletions(100, Millis::now()).unwrap().len(), 16, "what was copied goes");
}

#[tokio::test]
async fn i17_images_that_change_places_are_noticed() {
    let s = Stand::new();
    let (_, images) = s.made(2, 0).await;
    let (a, b) = (&images[0].object, &images[1].object);
    let whole = [s.served(a).await.unwrap(), s.served(b).await.unwrap()];
    let aside = s.file("aside");
    for (from, to) in [(s.file(a), aside.clone()), (s.file(b), s.file(a)), (aside, s.file(b))] {
        std::fs::rename(from, to).unwrap();
    }
    for key in [a, b] {
        assert!(matches!(s.served(key).await, Err(Unsound::Damaged(Repair::UnderWay))));
    }
    while s.work(0).await.is_some() {}
    assert_eq!([s.served(a).await.unwrap(), s.served(b).await.unwrap()], whole);
}

#[tokio::test]
async fn i17_another_engine_may_render_other_bytes() {
    let s = Stand::new();
    let (id, images) = s.made(1, 0).await;
    let thumbnail = s.served(&images[0].thumbnail).await.unwrap();
    let stored = || s.store.storage(s.account).unwrap().bytes;
    let before = stored();
    ATTACKS[0].1(&s.file(&images[0].object));
    assert!(s.served(&images[0].object).await.is_err());
    assert_eq!(s.work(9).await, Some(Verdict::Accepted));
    let output = s.store.generation(s.account, id).unwrap().unwrap().outputs[0].id;
    assert_eq!(s.served(&images[0].object).await.unwrap(), drawn(output, 9)[0]);
    assert_eq!(s.served(&images[0].thumbnail).await.unwrap(), thumbnail, "what was whole stays");
    let now = &s.images(id)[0];
    assert_eq!(now.sha256, BlobId::of(&drawn(output, 9)[0]).0);
    assert_eq!((&now.object, &now.thumbnail), (&images[0].object, &images[0].thumbnail));
    assert_eq!(stored(), before + 9, "its new size counts");
}

#[tokio::test]
async fn i17_a_hit_costs_no_hash() {
    let s = Stand::new();
    let (_, images) = s.made(1, 0).await;
    for _ in 0..100 {
        s.served(&images[0].object).await.unwrap();
    }
    assert_eq!(s.integrity.hashed(), 1);
    // Concurrent readers of an unverified object wait for a single hash.
    std::fs::File::options()
        .write(true)
        .open(s.file(&images[0].object))
        .unwrap()
        .set_modified(std::time::SystemTime::UNIX_EPOCH)
        .unwrap();
    let readers = (0..20).map(|_| s.integrity.sound(&images[0].object));
    assert!(futures::future::join_all(readers).await.iter().all(Result::is_ok));
    assert_eq!(s.integrity.hashed(), 2);
}

#[tokio::test]
async fn i17_a_version_is_repaired_while_the_next_is_made() {
    let s = Stand::new();
    let (id, images) = s.made(1, 0).await;
    let first = &images[0];
    let whole = s.served(&first.object).await.unwrap();
    ATTACKS[0].1(&s.file(&first.object));
    assert!(s.served(&first.object).await.is_err());
    let page = s.integrity.blobs().put_blob("page, edited".into()).await.unwrap();
    let pages =
        vec![NewPage { place: 0, of: 1, page, bytes: 12, alt_text: String::new(), words: String::new(), cost: 10 }];
    let (prompt, instruction) = (String::new(), String::new());
    let order = EditOrder { account: s.account, generation: id, key: None, prompt, instruction, pages };
    s.store.begin_edit(&order, 9, Millis::now()).unwrap().unwrap();
    for _ in 0..2 {
        let (claim, job) = s.claim().await.unwrap();
        let Job::Render(render) = &job else { panic!("{job:?}") };
        assert_eq!(render.page == page, render.version == 2, "each version has its page");
        assert_eq!(s.finish(claim, job, 0).await, Verdict::Accepted);
    }
    let second = s.images(id).remove(0);
    assert_ne!(second.object, first.object);
    for image in [first, &second] {
        assert_eq!(s.served(&image.object).await.unwrap(), whole, "the engine here draws by the output alone");
    }
    // An image of an earlier version is repaired as well.
    ATTACKS[3].1(&s.file(&first.object));
    assert!(s.served(&first.object).await.is_err());
    assert_eq!(s.work(0).await, Some(Verdict::Accepted));
    assert_eq!(s.served(&first.object).await.unwrap(), whole);
    assert_eq!(s.images(id), [second]);
}

#[tokio::test]
async fn i17_a_repair_outlives_a_worker_and_gives_up_after_three() {
    let s = Stand::new();
    let (_, images) = s.made(1, 0).await;
    let money = s.money();
    ATTACKS[0].1(&s.file(&images[0].object));
    assert!(s.served(&images[0].object).await.is_err());
    let mut now = Millis::now();
    for claims in 1..=3 {
        let ticket = *s.store.outbox(1).unwrap().first().unwrap();
        s.store.published(&[ticket]).unwrap();
        assert!(
            matches!(s.store.claim(ticket, &NewClaim::here("w", 1), now).unwrap(), ClaimAnswer::Granted(..)),
            "claim {claims}"
        );
        now = now.plus_seconds(60);
        assert_eq!(s.store.reap(now).unwrap(), 1);
    }
    assert_eq!((s.store.repairs().unwrap(), s.store.outbox(9).unwrap().len()), ((0, 1), 0));
    assert_eq!(s.money(), money);
    assert!(matches!(s.served(&images[0].object).await, Err(Unsound::Damaged(Repair::Impossible))));
    // Later the repair is retried.
    let expected = s.store.expected(&images[0].object).unwrap().unwrap();
    assert_eq!(s.store.begin_repair(&expected, true, now.plus_seconds(900)).unwrap(), Repairing::Begun);
    assert_eq!(s.work(0).await, Some(Verdict::Accepted));
    s.served(&images[0].object).await.unwrap();
}

#[tokio::test]
async fn i17_what_can_not_be_rendered_again_is_told() {
    let s = Stand::new();
    let (id, images) = s.made(1, 0).await;
    let money = s.money();
    ATTACKS[0].1(&s.file(&images[0].object));
    assert!(s.served(&images[0].object).await.is_err());
    let (claim, _) = s.claim().await.unwrap();
    let failure = fleet::protocol::Failure {
        code: "storage_damaged".into(),
        message: "m".into(),
        retry: false,
        tokens: None,
        usage: None,
    };
    assert_eq!(s.service.report(claim, Outcome::Failed(failure)).await.unwrap(), Verdict::Accepted);
    let got = s.served(&images[0].object).await;
    assert!(matches!(got, Err(Unsound::Damaged(Repair::Impossible))), "{got:?}");
    assert_eq!((s.store.repairs().unwrap(), s.work(0).await), ((0, 1), None), "not again at once");
    assert_eq!((s.money(), s.images(id)), (money, images), "the generation is what it was");
}

#[tokio::test]
async fn i17_a_deleted_image_is_not_rendered_again() {
    let s = Stand::new();
    let (id, images) = s.made(1, 0).await;
    ATTACKS[0].1(&s.file(&images[0].object));
    assert!(s.served(&images[0].object).await.is_err());
    // The generation is deleted during the repair, so the repair has no effect.
    let (claim, job) = s.claim().await.unwrap();
    s.store.delete_generation(s.account, id, Millis::now()).unwrap();
    assert_eq!(s.finish(claim, job, 0).await, Verdict::Refused);
    assert!(matches!(s.served(&images[0].object).await, Err(Unsound::NotFound)));
    assert_eq!((s.store.repairs().unwrap(), s.work(0).await), ((0, 0), None));
    // An image that retention deleted.
    let (_, images) = s.made(1, 0).await;
    let later = Millis::now().plus_seconds(9);
    assert_eq!(s.store.delete_old_images(later, 9, later).unwrap(), 1);
    std::fs::remove_file(s.file(&images[0].object)).unwrap();
    assert!(matches!(s.served(&images[0].object).await, Err(Unsound::NotFound)));
    assert_eq!(s.work(0).await, None);
}

#[tokio::test]
async fn i17_thumbnails_of_older_versions_get_their_hash_when_they_are_first_read() {
    let s = Stand::new();
    let Accepted::Created(made) = s.store.accept(&crate::state::tests::order(s.account, 1)).unwrap() else { panic!() };
    s.work(0).await;
    // A report of a version that recorded no hash.
    let (claim, Job::Render(job)) = s.claim().await.unwrap() else { panic!("not a drawing") };
    let done = s.rendered(claim, &job, 0).await;
    s.store.report(claim, &Outcome::Rendered(done), Millis::now()).unwrap();
    let image = s.images(made.generation.id).remove(0);
    assert_eq!(s.store.expected(&image.thumbnail).unwrap().unwrap().sha256, None);
    s.served(&image.thumbnail).await.unwrap();
    ATTACKS[0].1(&s.file(&image.thumbnail));
    assert!(matches!(s.served(&image.thumbnail).await, Err(Unsound::Damaged(Repair::UnderWay))));
}

#[tokio::test]
async fn i17_previews_and_answers_are_compared_with_their_names() {
    let s = Stand::new();
    let blobs = s.integrity.blobs().clone();
    for prefix in [PREVIEWS, ANSWERS] {
        let key = hashed_name(&format!("{prefix}x/"), Uuid::now_v7(), b"whole", "png");
        assert!(matches!(s.served(&key).await, Err(Unsound::NotFound)), "not there yet");
        blobs.put_object(&key, Bytes::from_static(b"whole"), "image/png").await.unwrap();
        assert_eq!(s.served(&key).await.unwrap(), "whole");
        std::fs::write(s.file(&key), b"other").unwrap();
        assert!(matches!(s.served(&key).await, Err(Unsound::Damaged(Repair::Impossible))));
        let old = format!("{prefix}x/{}.png", Uuid::now_v7());
        blobs.put_object(&old, Bytes::from_static(b"old"), "image/png").await.unwrap();
        assert_eq!(s.served(&old).await.unwrap(), "old", "of a version before");
    }
    blobs.put_object("other/a.png", Bytes::from_static(b"x"), "image/png").await.unwrap();
    assert!(matches!(s.served("other/a.png").await, Err(Unsound::NotFound)), "nothing names it");
}
