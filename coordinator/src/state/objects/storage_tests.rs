//! Compares the recorded storage of accounts with what the tables reference, after events in any order.

use std::collections::{BTreeMap, HashSet};

use fleet::protocol::{Grant, Job, LEASE_S, Outcome, Planned, PlannedPage, Rendered, Verdict};
use proptest::prelude::*;
use render_core::inspect::Quality;

use super::*;
use crate::accounts::{Plan, StorageQuotas};
use crate::clock::Millis;
use crate::state::rows::{idempotency::IDEMPOTENCY_S, schema::DELETIONS};
use crate::state::tests::{Bench, T0, account, bench, failure, order};
use crate::state::{
    Accepted, AccountFace, Back, EditOrder, Growth, Kit, KitContent, KitLogo, LogoVariant, NewPage, NotKept, Once,
    Order, OrderSizes, Refusal, Request, StorageFull, StoredFacts, StoredThing, Upload,
};

const IMAGE: u64 = 1_000;
const THUMBNAIL: u64 = 100;
const DAY_S: u64 = 24 * 3600;

fn blob(n: u8) -> BlobId {
    BlobId([n; 32])
}

/// The size of a blob in these tests, different for each blob.
fn size(id: &BlobId) -> u64 {
    10_000 + u64::from(id.0[0])
}

fn sized(id: BlobId) -> (BlobId, u64) {
    (id, size(&id))
}

/// A worker's report. No two versions share a page or an image, but documents and photographs may be equal.
fn success(grant: &Grant, job: &Job) -> Outcome {
    match job {
        Job::Plan(plan) => {
            let page = |slide: u32| PlannedPage {
                format: "deck".into(),
                slide: Some(slide),
                // The first slides of all generations have the same page.
                page: if slide == 0 { blob(200) } else { BlobId(hash(plan.generation, slide)) },
                alt_text: String::new(),
            };
            let slides = plan.formats.first().and_then(|(_, slides)| *slides).unwrap_or(1);
            Outcome::Planned(Planned {
                document: blob(201),
                title: "Foxes".into(),
                language: "en".into(),
                style: "modern".into(),
                pages: (0..slides).map(page).collect(),
                warnings: vec![],
                photos: (plan.seed % 2 == 0).then(|| [blob(202), blob(204)]).into_iter().flatten().collect(),
                tokens: None,
                usage: None,
            })
        }
        Job::Render(render) => {
            let object = format!("images/{}-{}-{:x}", render.output, render.version, grant.claim.nonce);
            Outcome::Rendered(Rendered {
                thumbnail: format!("{object}-thumb.png"),
                object: format!("{object}.png"),
                bytes: IMAGE,
                sha256: [1; 32],
                quality: Quality::default(),
                warnings: vec![],
            })
        }
    }
}

fn hash(generation: Uuid, slide: u32) -> [u8; 32] {
    let mut bytes = [0; 32];
    bytes[..16].copy_from_slice(generation.as_bytes());
    bytes[16] = slide as u8;
    // The first byte determines the size.
    bytes[0] = 210 + slide as u8;
    bytes
}

fn sizes(outcome: &Outcome) -> StoredFacts {
    match outcome {
        Outcome::Planned(done) => {
            let blobs =
                done.pages.iter().map(|page| page.page).chain([done.document]).chain(done.photos.iter().copied());
            StoredFacts { blobs: blobs.map(sized).collect(), ..StoredFacts::default() }
        }
        Outcome::Rendered(_) => StoredFacts { thumbnail: Some(THUMBNAIL), ..StoredFacts::default() },
        Outcome::Failed(_) => StoredFacts::default(),
    }
}

fn report(b: &Bench, claim: Grant, outcome: &Outcome, now: Millis) -> Verdict {
    let sizes = sizes(outcome);
    b.store.commit_alone(|reply| b.store.reporting(claim, outcome.clone(), sizes, now, reply)).unwrap()
}

fn drain(b: &Bench, now: Millis) {
    while let Some(ticket) = b.next() {
        if let Some((claim, job)) = b.claim(ticket, now) {
            assert_eq!(report(b, claim, &success(&claim, &job), now), Verdict::Accepted);
        }
    }
}

/// Creates an order of `slides` slides, with an input and optionally a brand with a logo and a face.
fn an_order(account: Uuid, slides: u32, input: u8, brand: Option<u8>, created: Millis) -> Order {
    let base = order(account, slides);
    let request = Request { input: blob(input), seed: u64::from(input), ..base.request };
    let brand_parts = brand.map_or_else(Vec::new, |n| vec![blob(n + 10), blob(n + 20)]);
    let sizes = OrderSizes { input: size(&blob(input)), brand: brand.map_or(0, |n| size(&blob(n))), brand_parts };
    // Some are derived from pages with a photograph.
    let photos = input.is_multiple_of(3).then(|| blob(203)).into_iter().collect();
    Order { request, brand: brand.map(blob), photos, sizes, created, ..base }
}

fn accept(b: &Bench, order: &Order) -> Result<Uuid, StorageFull> {
    match b.store.accept(order).unwrap() {
        Accepted::Created(made) => Ok(made.generation.id),
        Accepted::StorageFull(full) => Err(full),
        other => panic!("{other:?}"),
    }
}

fn pdf(n: u8, now: Millis) -> Upload {
    let expires = now.plus_seconds(DAY_S);
    let (blob, bytes) = sized(blob(n));
    Upload { id: Uuid::now_v7(), blob, bytes, created: now, expires, kind: UploadKind::Pdf }
}

/// Returns the names of everything that the tables reference, each once, computed from all rows without the recorded
/// counts. Objects in the deletion queue are left out.
fn referred(b: &Bench) -> (BTreeMap<Vec<u8>, u64>, u64) {
    let (tables, mut all, mut pixels) = (&b.store.shared.tables, BTreeMap::new(), 0);
    let queued: HashSet<Vec<u8>> = tables.scan(&DELETIONS, &[]).map(|row| row.unwrap().0.to_vec()).collect();
    let mut add = |id: BlobId| {
        all.insert(storage::blob_key(b.account, &id), size(&id));
    };
    tables.scan(&UPLOADS, b.account.as_bytes()).for_each(|row| add(row.unwrap().1.blob));
    tables
        .scan(&FACE_SHELVES, b.account.as_bytes())
        .for_each(|row| row.unwrap().1.faces.iter().for_each(|face| add(face.blob)));
    for row in tables.scan(&KITS, b.account.as_bytes()) {
        let kit = row.unwrap().1;
        kit.logo.into_iter().chain(kit.logo_dark).for_each(|logo| add(logo.blob));
    }
    let mut images = Vec::new();
    for row in tables.scan(&GENERATIONS, b.account.as_bytes()) {
        let generation = row.unwrap().1;
        if generation.input_deleted.is_none() {
            add(generation.request.input);
        }
        generation.planned.iter().for_each(|planned| add(planned.document));
        generation.photos.iter().copied().for_each(&mut add);
        if let Some(brand) = generation.brand {
            let n = brand.0[0];
            [n, n + 10, n + 20].into_iter().for_each(|n| add(blob(n)));
        }
        for row in tables.scan(&OUTPUTS, generation.id.as_bytes()) {
            let output = row.unwrap().1;
            output.page.into_iter().for_each(&mut add);
            match output.end {
                Some(End::Ready(image)) => images.push(image),
                Some(End::Failed(_)) => {}
                None if generation.status.is_terminal() => {}
                None => pixels += storage::pixels(output.width, output.height),
            }
        }
    }
    for row in tables.scan(&VERSIONS, &[]) {
        let version = row.unwrap().1;
        add(version.page);
        images.push(version.image);
    }
    for row in tables.scan(&EDITS, &[]) {
        let edit = row.unwrap().1;
        if edit.fault.is_none() {
            add(edit.page);
            match edit.drawn {
                Some(image) => images.push(image),
                None => pixels += storage::pixels(1638, 2048),
            }
        }
    }
    for image in images {
        if !queued.contains(image.object.as_bytes()) {
            all.insert(storage::image_key(b.account, &image), IMAGE + THUMBNAIL);
        }
    }
    (all, pixels)
}

/// Measures what isn't measured yet, as the service does in the background.
fn measure(b: &Bench) {
    let mut after = Vec::new();
    loop {
        let some = b.store.unmeasured(&after, 3).unwrap();
        let Some((last, _)) = some.last() else { break };
        after.clone_from(last);
        let measured = some.iter().map(|(key, thing)| match thing {
            StoredThing::Blob(id) => (key.clone(), size(id)),
            StoredThing::Image(_) => (key.clone(), THUMBNAIL),
        });
        b.store.measured(&measured.collect::<Vec<_>>()).unwrap();
    }
}

/// Checks that the recorded references are right, and that the total is the sum of their sizes and of unreferenced
/// blobs. Returns the total.
fn check(b: &Bench) -> u64 {
    measure(b);
    let (right, pixels) = referred(b);
    let (mut noted, mut sum) = (BTreeMap::new(), 0);
    for row in b.store.shared.tables.scan(&STORED, b.account.as_bytes()) {
        let (key, stored) = row.unwrap();
        sum += stored.bytes;
        if stored.references > 0 {
            noted.insert(key.to_vec(), stored.bytes);
        } else {
            assert!(storage::is_blob(&key), "images go at once");
        }
    }
    assert_eq!(noted, right);
    let total = b.store.storage(b.account).unwrap();
    assert_eq!((total.bytes, total.pending_pixels), (sum, pixels));
    total.bytes
}

/// Removes all unreferenced blobs, as the service does once they are a day old, then checks.
fn swept(b: &Bench) -> u64 {
    let keys: Vec<_> = b.store.unreferenced(&[], usize::MAX).unwrap().into_iter().map(|(key, _)| key).collect();
    b.store.uncount(&keys).unwrap();
    check(b)
}

/// A random sequence of events of an account.
struct Walk {
    b: Bench,
    now: Millis,
    generations: Vec<Uuid>,
    kits: Vec<Uuid>,
    claims: Vec<(Grant, Job)>,
}

impl Walk {
    fn step(&mut self, event: u8, n: u8) {
        let (b, now) = (&self.b, self.now);
        let generation = self.generations.get(usize::from(n) % self.generations.len().max(1)).copied();
        let kit = self.kits.get(usize::from(n) % self.kits.len().max(1)).copied();
        match event {
            0..=3 => {
                // Few distinct inputs, so that many are the same.
                let brand = n.is_multiple_of(3).then_some(20 + n % 2);
                let order = an_order(b.account, 1 + u32::from(n % 2), n % 4, brand, now);
                self.generations.push(accept(b, &order).unwrap());
            }
            4..=6 => self.claims.extend(b.next().and_then(|ticket| b.claim(ticket, now))),
            7..=11 => {
                let Some((claim, job)) = self.claims.pop() else { return };
                let outcome = if n.is_multiple_of(5) { failure(n.is_multiple_of(2)) } else { success(&claim, &job) };
                report(b, claim, &outcome, now);
            }
            12..=13 => drain(b, now),
            14 => drop(generation.map(|id| b.store.cancel(b.account, id, None, now).unwrap())),
            15 => drop(generation.map(|id| b.store.retry(b.account, id, 600, None, now).unwrap())),
            16 => drop(generation.map(|id| b.store.delete_generation(b.account, id, now).unwrap())),
            17..=19 => self.edit(generation, n),
            20 => self.restore(generation, n),
            21 => drop(b.store.keep_upload(b.account, &pdf(n % 4, now), None, None).unwrap()),
            22 => {
                let family = format!("Family {}", n % 3);
                let (file, expires) = (blob(30 + n % 4), now.plus_seconds(DAY_S));
                let kind = UploadKind::Font { media: "font/woff2".into(), family: family.clone(), weight: 400 };
                let upload = Upload { blob: file, bytes: 7, kind, ..pdf(0, now) };
                let face =
                    AccountFace { upload: upload.id, family, weight: 400, blob: file, bytes: size(&file), expires };
                b.store.keep_upload(b.account, &upload, Some(&face), None).unwrap();
            }
            23 => {
                let id = Uuid::now_v7();
                let heading = n.is_multiple_of(2).then(|| format!("Family {}", n % 3));
                let content = KitContent { name: "Acme".into(), heading, ..KitContent::default() };
                let kit = Kit { id, content, logo: None, logo_dark: None, created: now, updated: now };
                b.store.make_kit(b.account, &kit, false, 500, None).unwrap();
                self.kits.push(id);
            }
            24 => {
                let variant = if n.is_multiple_of(2) { LogoVariant::Light } else { LogoVariant::Dark };
                let (blob, bytes) = sized(blob(40 + n % 3));
                let logo = KitLogo { blob, width: 1, height: 1 };
                kit.map(|id| b.store.set_logo(b.account, id, variant, logo, bytes, now).unwrap());
            }
            25 => {
                let without = [LogoVariant::Light];
                kit.map(|id| b.store.replace_kit(b.account, id, &KitContent::default(), false, &without, now).unwrap());
            }
            26 => drop(kit.map(|id| b.store.remove_kit(b.account, id).unwrap())),
            27 if n.is_multiple_of(2) => b.store.count_stored(b.account, &[sized(blob(n % 4))]).unwrap(),
            27 => drop(swept(b)),
            28 => {
                self.now = now.plus_seconds(3600 * u64::from(n % 30));
                self.b.store.forget(self.now).unwrap();
            }
            29 => drop(b.store.delete_old_images(now, usize::from(n % 4), now).unwrap()),
            30 => drop(b.store.delete_failed_inputs(now.minus_seconds(DAY_S), usize::from(n % 4), now).unwrap()),
            31 => drop(b.store.delete_old(now.minus_seconds(2 * DAY_S), usize::from(n % 4), now).unwrap()),
            _ => {
                self.now = now.plus_seconds(LEASE_S);
                self.b.store.reap(self.now).unwrap();
            }
        }
    }

    fn edit(&self, generation: Option<Uuid>, n: u8) {
        let Some(snapshot) = generation.and_then(|id| self.b.store.generation(self.b.account, id).unwrap()) else {
            return;
        };
        let places = (0..).zip(&snapshot.outputs).take(1 + usize::from(n % 2));
        let page = |(place, output): (u32, &Output)| {
            let ((page, bytes), words) = (sized(blob(100 + n % 8)), format!("words {n}"));
            NewPage { place, of: output.version, page, bytes, alt_text: String::new(), words, cost: 10 }
        };
        let order = EditOrder {
            account: self.b.account,
            generation: snapshot.generation.id,
            key: None,
            prompt: "bigger".into(),
            instruction: "bigger".into(),
            pages: places.map(page).collect(),
        };
        if !order.pages.is_empty() {
            // An order that can't be carried out now is refused and changes nothing.
            let _ = self.b.store.begin_edit(&order, 600, self.now).unwrap();
        }
    }

    fn restore(&self, generation: Option<Uuid>, n: u8) {
        let Some(snapshot) = generation.and_then(|id| self.b.store.generation(self.b.account, id).unwrap()) else {
            return;
        };
        let Some(output) = snapshot.outputs.first() else { return };
        let number = 1 + u32::from(n) % output.version.max(1);
        let id = snapshot.generation.id;
        drop(
            self.b
                .store
                .restore(self.b.account, id, &[Back { output: output.id, to: number, from: None }], None, self.now)
                .unwrap(),
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    /// In any order of events, an account's total is the sum of what its rows reference, each object counted once.
    #[test]
    fn i18_an_account_s_storage_is_the_sum_of_what_its_rows_refer_to(
        events in prop::collection::vec((0_u8..34, any::<u8>()), 1..120),
    ) {
        let b = bench(100_000);
        let mut walk = Walk { b, now: T0, generations: vec![], kits: vec![], claims: vec![] };
        for (event, n) in events {
            // No two events in the same millisecond: the time distinguishes images deleted by retention from new ones.
            walk.now = Millis(walk.now.0 + 1);
            walk.step(event, n);
            check(&walk.b);
        }
        let Walk { b, now, generations, kits, .. } = walk;
        prop_assert_eq!(b.store.check_storage(b.account), Ok(StorageCheck::Right));
        recount(&b);
        // Once everything is deleted and all retention has ended, nothing is stored.
        for id in generations {
            b.store.delete_generation(b.account, id, now).unwrap();
        }
        for id in kits {
            b.store.remove_kit(b.account, id).unwrap();
        }
        b.store.forget(now.plus_seconds(3 * DAY_S)).unwrap();
        check(&b);
        prop_assert_eq!(swept(&b), 0);
    }
}

/// Recounts everything, as for a state of a version that did not count, and checks that the references are the same.
fn recount(b: &Bench) {
    swept(b);
    let tables = &b.store.shared.tables;
    let noted = || -> Vec<_> { tables.scan(&STORED, &[]).map(|row| row.unwrap()).collect() };
    let before = noted();
    // Only these rows have the parts of brands, so keep them.
    let brands: HashSet<_> =
        before.iter().filter(|(_, stored)| !stored.parts.is_empty()).map(|(key, _)| key.clone()).collect();
    b.store
        .commit(|tx| {
            tx.remove(&STORAGE, COUNTED.as_bytes())?;
            tx.remove(&STORAGE, b.account.as_bytes())?;
            before.iter().filter(|(key, _)| !brands.contains(key)).try_for_each(|(key, _)| tx.remove(&STORED, key))
        })
        .unwrap();
    b.store.count_storage().unwrap();
    let references =
        |rows: &[(sled::IVec, Stored)]| rows.iter().map(|(key, s)| (key.clone(), s.references)).collect::<Vec<_>>();
    assert_eq!(references(&noted()), references(&before));
    // Sizes that rows don't contain are measured afterwards.
    measure(b);
    assert_eq!(noted(), before);
    check(b);
    assert_eq!(b.store.check_storage(b.account), Ok(StorageCheck::Right));
}

fn limited(plan: Plan, bytes: u64) -> Bench {
    let b = bench(100_000);
    b.store.limit_storage(StorageQuotas { pro: bytes, ..StorageQuotas::default() });
    if plan != Plan::Pro {
        let change = crate::state::AccountChange { plan: Some(plan), ..Default::default() };
        b.store.change_account(b.account, &change, T0).unwrap();
    }
    b
}

#[test]
fn i18_the_same_file_counts_once_while_anything_refers_to_it() {
    let b = bench(1_000);
    let keep = |now| match b.store.keep_upload(b.account, &pdf(1, now), None, None).unwrap() {
        Once::Made(upload) => upload,
        other => panic!("{other:?}"),
    };
    keep(T0);
    assert_eq!(check(&b), size(&blob(1)));
    keep(T0);
    let id = accept(&b, &an_order(b.account, 1, 1, None, T0)).unwrap();
    assert_eq!(check(&b), size(&blob(1)), "uploads and an input are one file");
    b.store.delete_generation(b.account, id, T0).unwrap();
    assert_eq!(check(&b), size(&blob(1)), "uploads refer to it");
    b.store.forget(T0.plus_seconds(DAY_S + IDEMPOTENCY_S)).unwrap();
    assert_eq!(check(&b), size(&blob(1)), "it is in the object store until that is swept");
    assert_eq!(swept(&b), 0);
    let other = b.store.create_account(&account(), 1_000).unwrap();
    b.store.keep_upload(other, &pdf(1, T0), None, None).unwrap();
    assert_eq!(b.store.storage(other).unwrap().bytes, size(&blob(1)), "each account has its own");
    assert_eq!(check(&b), 0);
}

#[test]
fn i18_what_does_not_fit_is_refused_and_changes_nothing() {
    let first = size(&blob(1));
    let b = limited(Plan::Pro, first + 100);
    b.store.keep_upload(b.account, &pdf(1, T0), None, None).unwrap();
    let full = b.store.keep_upload(b.account, &pdf(2, T0), None, None).unwrap();
    let said = StorageFull { required: size(&blob(2)), used: first, quota: first + 100 };
    assert_eq!(full, Once::Refused(NotKept::Storage(said)));
    assert_eq!(check(&b), first);
    b.store.keep_upload(b.account, &pdf(1, T0), None, None).unwrap();
    assert_eq!(check(&b), first, "the same again takes no room");
    let refused = accept(&b, &an_order(b.account, 2, 1, None, T0)).unwrap_err();
    assert_eq!(refused.required, 2 * 1638 * 2048 / 4, "room for its images");
    assert_eq!((b.check_money(), check(&b)), ((100_000, 0), first));
    // Another plan has no limit.
    let change = crate::state::AccountChange { plan: Some(Plan::Business), ..Default::default() };
    b.store.change_account(b.account, &change, T0).unwrap();
    accept(&b, &an_order(b.account, 2, 1, None, T0)).unwrap();
}

#[test]
fn i18_what_was_accepted_is_made_whatever_its_images_take() {
    let image = 1638 * 2048 / 4;
    let b = limited(Plan::Pro, size(&blob(1)) + 2 * image);
    let id = accept(&b, &an_order(b.account, 2, 1, None, T0)).unwrap();
    assert!(accept(&b, &an_order(b.account, 1, 1, None, T0)).is_err(), "it is reserved");
    let used = b.store.storage(b.account).unwrap().used();
    assert_eq!(used, size(&blob(1)) + 2 * image);
    while let Some(ticket) = b.next() {
        let (claim, job) = b.claim(ticket, T0).unwrap();
        let mut outcome = success(&claim, &job);
        if let Outcome::Rendered(done) = &mut outcome {
            done.bytes = 100 << 20;
        }
        assert_eq!(report(&b, claim, &outcome, T0), Verdict::Accepted, "larger than was reserved");
    }
    assert_eq!(b.get(id).generation.done, 2);
    assert!(b.store.storage(b.account).unwrap().bytes > 200 << 20);
    assert!(accept(&b, &an_order(b.account, 1, 1, None, T0)).is_err());
    b.store.delete_generation(b.account, id, T0).unwrap();
    assert!(check(&b) < 1 << 20, "deleting frees images");
    assert_eq!(swept(&b), 0);
    accept(&b, &an_order(b.account, 1, 1, None, T0)).unwrap();
}

#[test]
fn i18_room_is_reserved_before_anything_is_stored() {
    let b = limited(Plan::Pro, 100);
    let growth = |n: u8, bytes| Growth { blobs: vec![(blob(n), bytes)], pixels: 0 };
    let reserve = |n, bytes| b.store.reserve_storage(b.account, &growth(n, bytes)).unwrap();
    let used = || b.store.storage(b.account).unwrap().bytes;
    reserve(1, 60).unwrap();
    assert!(reserve(2, 60).is_err(), "at the same time");
    reserve(2, 40).unwrap();
    reserve(1, 60).unwrap();
    assert_eq!(used(), 100, "the same blob counts once");
    // Whatever happened to the request, the second blob may be in the object store until orphan collection removes it.
    let upload = Upload { bytes: 60, ..pdf(1, T0) };
    b.store.keep_upload(b.account, &upload, None, None).unwrap();
    assert_eq!(used(), 100);
    let unreferenced = b.store.unreferenced(&[], 9).unwrap();
    assert_eq!(unreferenced.iter().map(|(_, id)| *id).collect::<Vec<_>>(), [blob(2)]);
    b.store.uncount(&[unreferenced[0].0.clone(), storage::blob_key(b.account, &blob(1))]).unwrap();
    assert_eq!(used(), 60, "what is referred to stays");
    assert!(reserve(2, 60).is_err(), "stored");
    // Stored blobs count even beyond the quota.
    b.store.count_stored(b.account, &[(blob(3), 90)]).unwrap();
    assert_eq!(used(), 150);
}

#[test]
fn i18_the_input_of_what_came_to_nothing_goes_after_a_day() {
    let b = bench(1_000);
    let ids: Vec<Uuid> = (1..=3).map(|n| accept(&b, &an_order(b.account, 1, n, None, T0)).unwrap()).collect();
    let [failed, cancelled, fine] = ids[..] else { unreachable!() };
    let (claim, _) = b.claim(b.next().unwrap(), T0).unwrap();
    assert_eq!(report(&b, claim, &failure(false), T0), Verdict::Accepted);
    b.store.cancel(b.account, cancelled, None, T0).unwrap();
    drain(&b, T0);
    let day = T0.plus_seconds(DAY_S);
    let sweep = |now: Millis| b.store.delete_failed_inputs(now.minus_seconds(DAY_S), 100, now).unwrap();
    assert_eq!(sweep(day), 0, "a day is not over");
    // Within the day it can be retried. It fails again, and the day starts over.
    assert!(matches!(b.store.retry(b.account, failed, 100, None, day), Ok(Once::Made(_))));
    assert_eq!(sweep(day.plus_seconds(1)), 1, "what was cancelled");
    let (claim, _) = b.claim(b.next().unwrap(), day).unwrap();
    report(&b, claim, &failure(false), day);
    assert_eq!(sweep(day.plus_seconds(1)), 0);
    let later = day.plus_seconds(DAY_S + 1);
    assert_eq!((sweep(later), sweep(later)), (1, 0));
    let named = b.store.gc_roots().unwrap().blobs;
    assert_eq!([1, 2, 3].map(|n| named.contains(&blob(n))), [false, false, true]);
    assert!(b.get(fine).generation.input_deleted.is_none());
    check(&b);
    let retried = b.store.retry(b.account, failed, 100, None, later).unwrap();
    assert_eq!(retried, Once::Refused(Refusal::InputGone));
    b.store.delete_generation(b.account, failed, later).unwrap();
    check(&b);
}

#[test]
fn a_wrong_total_is_found_and_corrected() {
    let b = bench(1_000);
    accept(&b, &an_order(b.account, 2, 1, Some(20), T0)).unwrap();
    drain(&b, T0);
    let right = check(&b);
    let wrong = |change: &dyn Fn(&Tx<'_>) -> Result<(), Abort>| b.store.commit(|tx| change(tx)).unwrap();
    let key = storage::blob_key(b.account, &blob(201));
    wrong(&|tx| {
        let total = tx.need(&STORAGE, b.account.as_bytes())?;
        tx.put(&STORAGE, b.account.as_bytes(), &Storage { bytes: 1, pending_pixels: 7, ..total })
    });
    assert_eq!(b.store.check_storage(b.account), Ok(StorageCheck::Corrected(0)), "the total alone");
    assert_eq!(check(&b), right);
    wrong(&|tx| {
        let stored = tx.need(&STORED, &key)?;
        tx.put(&STORED, &key, &Stored { references: 9, ..stored })?;
        tx.put(
            &STORED,
            &storage::blob_key(b.account, &blob(99)),
            &Stored { bytes: 5, references: 1, ..Stored::default() },
        )
    });
    assert_eq!(b.store.check_storage(b.account), Ok(StorageCheck::Corrected(2)));
    assert_eq!(check(&b), right + size(&blob(99)), "it may be in the object store");
    assert_eq!(swept(&b), right);
    assert_eq!(b.store.check_storage(b.account), Ok(StorageCheck::Right));
}

#[test]
fn a_state_that_did_not_count_is_counted_when_it_is_opened() {
    let b = bench(1_000);
    accept(&b, &an_order(b.account, 2, 1, None, T0)).unwrap();
    b.store.keep_upload(b.account, &pdf(2, T0), None, None).unwrap();
    drain(&b, T0);
    accept(&b, &an_order(b.account, 1, 4, None, T0)).unwrap();
    let before = b.store.storage(b.account).unwrap();
    let rows: Vec<_> = b.store.shared.tables.scan(&STORED, &[]).map(|row| row.unwrap().0).collect();
    b.store
        .commit(|tx| {
            [COUNTED, b.account].iter().try_for_each(|id| tx.remove(&STORAGE, id.as_bytes()))?;
            rows.iter().try_for_each(|key| tx.remove(&STORED, key))
        })
        .unwrap();
    let Bench { folder, store, account } = b;
    drop(store);
    let store = Store::open(folder.path()).unwrap();
    let b = Bench { folder, store, account };
    let counted = b.store.storage(account).unwrap();
    assert_eq!(counted.pending_pixels, before.pending_pixels);
    assert_eq!(counted.bytes, size(&blob(2)) + 2 * IMAGE, "what the rows say; the rest is to be measured");
    check(&b);
    assert_eq!(b.store.storage(account).unwrap().bytes, before.bytes);
}
