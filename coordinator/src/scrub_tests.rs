//! Passes find damage, resume where they stopped, and wait for quiet moments.

use super::*;
use crate::integrity::tests::{ATTACKS, Stand};

fn scrub(s: &Stand, days: u32) -> Scrub {
    Scrub::new(s.integrity.clone(), 100_000, days)
}

async fn pass(scrub: &Scrub) -> Pass {
    scrub.look(true, &CancellationToken::new()).await.unwrap();
    let progress = scrub.progress().await.unwrap();
    assert_eq!(progress.now, None);
    progress.last.unwrap()
}

#[tokio::test]
async fn i17_a_scrub_finds_damage_that_nobody_reads() {
    let s = Stand::new();
    let input = s.integrity.blobs().put_blob("input".into()).await.unwrap();
    let (_, images) = s.made(4, 0).await;
    let scrub = scrub(&s, 0);
    // The order's input is a name without a blob, so every pass reports it as missing.
    let first = pass(&scrub).await;
    assert_eq!((first.objects, first.damaged), (8 + 6, 1), "images, thumbnails, four pages, document, input");
    assert!(first.bytes > 4 * 43_000);
    for (image, (_, attack)) in images.iter().zip(ATTACKS) {
        attack(&s.file(&image.object));
    }
    let name = input.to_string();
    std::fs::write(s.file(&format!("blobs/{}/{}", &name[..2], &name[2..])), b"inPut").unwrap();
    assert_eq!(pass(&scrub).await.damaged, 1 + 4 + 1);
    assert_eq!(s.store.repairs().unwrap(), (4, 0));
    while s.work(0).await.is_some() {}
    for image in &images {
        s.served(&image.object).await.unwrap();
    }
    assert_eq!(pass(&scrub).await.damaged, 1 + 1, "a blob comes back from whoever has it");
    s.integrity.blobs().put_blob("input".into()).await.unwrap();
    assert_eq!(pass(&scrub).await.damaged, 1);
}

#[tokio::test]
async fn i17_a_scrub_goes_on_where_it_was() {
    let s = Stand::new();
    let (_, images) = s.made(6, 0).await;
    let scrub = scrub(&s, 30);
    let rows = s.store.images_after(&[], 2).unwrap();
    let done = Pass { began: Millis::now(), objects: 4, ..Pass::default() };
    let half = ScrubProgress { now: Some((done, ScrubAt::Images(rows[1].0.clone()), 6, 2)), last: None };
    s.store.note_scrub(&half).unwrap();
    ATTACKS[0].1(&s.file(&images[0].object));
    ATTACKS[0].1(&s.file(&images[5].object));
    // Two outputs were checked before, so the next pass finds their damage.
    let (before, ended) = (s.integrity.hashed(), pass(&scrub).await);
    assert_eq!(s.integrity.hashed() - before, 8 + 1, "twice what is damaged");
    assert_eq!((ended.began, ended.damaged), (done.began, 2), "one image, and the input that was never stored");
    assert_eq!(pass(&scrub).await.damaged, 3);
}

#[tokio::test]
async fn i17_a_scrub_waits_for_quiet_until_it_is_behind() {
    let s = Stand::new();
    let (_, images) = s.made(1, 0).await;
    s.served(&images[0].object).await.unwrap();
    let run = |began: Millis, hurried| {
        let stop = Box::leak(Box::new(CancellationToken::new()));
        let scrub = Box::leak(Box::new(scrub(&s, 1)));
        let (pass, at) = (Pass { began, ..Pass::default() }, ScrubAt::Images(Vec::new()));
        let (paid_until, noted) = (Instant::now(), Instant::now());
        Run {
            scrub,
            stop,
            pass,
            at,
            outputs: 1,
            done: 0,
            last: None,
            hurried,
            paid_until,
            noted,
            read: (0, 0),
            unreadable: 0,
        }
    };
    let now = Millis::now();
    let waits =
        async |mut run: Run<'static>| tokio::time::timeout(Duration::from_millis(100), run.turn()).await.is_err();
    // An image was read just now.
    s.integrity.sound(&images[0].object).await.unwrap();
    assert!(waits(run(now, false)).await);
    assert!(!waits(run(now, true)).await, "the operator asked");
    s.integrity.sound(&images[0].object).await.unwrap();
    assert!(!waits(run(now.minus_seconds(3_600), false)).await, "nothing is done after an hour of a day");
    // Behind schedule by less than the interval between progress writes: not yet.
    s.integrity.sound(&images[0].object).await.unwrap();
    assert!(waits(run(now.minus_seconds(5), false)).await);
}
