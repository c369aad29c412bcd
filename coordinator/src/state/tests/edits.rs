//! Edits in the state: started, rendered, failed and cancelled; versions and restores.

use std::collections::HashSet;

use super::*;
use crate::credits::Movement;
use crate::state::Back;
use crate::state::rows::golden;
use crate::state::rows::schema::{EDITS, JOBS, LEASES, OUTBOX, OUTPUT_PLACES, VERSIONS, WORDINGS};

const FAR: Millis = Millis(i64::MAX);

fn page(n: u8) -> BlobId {
    BlobId([n; 32])
}

/// A worker's report of a render, with keys that contain the version.
fn drawn(job: &Job) -> Outcome {
    let Job::Render(render) = job else { panic!("{job:?}") };
    let object = |end: &str| format!("images/{}-{}{end}.png", render.output, render.version);
    Outcome::Rendered(Rendered {
        object: object(""),
        thumbnail: object("-t"),
        bytes: 5,
        sha256: [1; 32],
        quality: Quality::default(),
        warnings: vec![],
    })
}

impl Bench {
    /// Creates a generation whose `slides` are all ready.
    fn done(&self, slides: u32) -> Snapshot {
        let id = self.accept(slides);
        while let Some(ticket) = self.next() {
            let (claim, job) = self.claim(ticket, T0).unwrap();
            let outcome = if matches!(job, Job::Plan(_)) { success(&job) } else { drawn(&job) };
            assert_eq!(self.store.report(claim, &outcome, T0).unwrap(), Verdict::Accepted);
        }
        self.get(id)
    }

    fn order(&self, of: &Snapshot, places: &[u32], made: u8) -> EditOrder {
        let new = |place: &u32| NewPage {
            place: *place,
            of: of.outputs[*place as usize].version,
            page: page(made),
            bytes: 30,
            alt_text: format!("made {made}"),
            words: format!("Page {made}\nits Words"),
            cost: credits::EDIT,
        };
        EditOrder {
            account: self.account,
            generation: of.generation.id,
            key: None,
            prompt: "bigger".into(),
            instruction: format!("On version 1: {made}."),
            pages: places.iter().map(new).collect(),
        }
    }

    pub(in crate::state) fn begin(&self, of: &Snapshot, places: &[u32], made: u8) -> Result<Uuid, Uneditable> {
        self.store.begin_edit(&self.order(of, places, made), 600, T0).unwrap()
    }

    fn end(&self, of: &Snapshot, place: u32, edit: Uuid, version: u32) -> EditEnd {
        self.store.edit_end(of.generation.id, place, edit, version).unwrap()
    }

    /// Claims the next job and renders it.
    pub(in crate::state) fn draw(&self) {
        let (claim, job) = self.claim(self.next().unwrap(), T0).unwrap();
        assert_eq!(self.store.report(claim, &drawn(&job), T0).unwrap(), Verdict::Accepted);
    }

    pub(in crate::state) fn restore(&self, of: &Snapshot, place: usize, version: u32) -> Once<Placed, Uneditable> {
        let (id, output) = (of.generation.id, of.outputs[place].id);
        self.store.restore(self.account, id, &[Back { output, to: version, from: None }], None, T0).unwrap()
    }

    fn versions(&self, of: &Snapshot, place: usize) -> Vec<(u32, BlobId, Option<u32>, Option<String>)> {
        let (id, output) = (of.generation.id, of.outputs[place].id);
        let (_, history) = self.store.history(self.account, id, output, None, 100).unwrap().unwrap();
        assert!(!history.more);
        let told = |v: PastVersion| (v.number, v.version.page, v.version.restored, v.wording.map(|w| w.instruction));
        history.versions.into_iter().map(told).collect()
    }

    fn edit_rows(&self) -> [usize; 7] {
        let t = &self.store.shared.tables;
        [
            t.scan(&EDITS, &[]).count(),
            t.scan(&VERSIONS, &[]).count(),
            t.scan(&WORDINGS, &[]).count(),
            t.scan(&OUTPUT_PLACES, &[]).count(),
            t.scan(&JOBS, &[]).count(),
            t.scan(&LEASES, &[]).count(),
            t.scan(&OUTBOX, &[]).count(),
        ]
    }

    fn movements(&self, of: Uuid) -> Vec<(Movement, u32, u32, u64)> {
        let (lines, _) = self.store.ledger(self.account, None, 100).unwrap();
        let of_it = lines.into_iter().rev().filter(|l| l.output == Some(of) && l.entry.amount == credits::EDIT);
        of_it.map(|l| (l.movement, l.version, l.round, l.entry.amount)).collect()
    }
}

#[test]
fn rows_stay_as_they_are() {
    let id = Uuid::from_u128(0x0192_0000_0000_7000_8000_0000_0000_0001);
    let image = Image {
        object: "a".into(),
        thumbnail: "b".into(),
        bytes: 9,
        sha256: [3; 32],
        quality: Quality { passed: true, checks: vec![] },
    };
    let edit = Edit {
        id,
        version: 2,
        round: 1,
        set: vec![0, 4],
        page: page(4),
        alt_text: "A".into(),
        cost: 10,
        begun: Millis(5),
        drawn: None,
        fault: Some(Fault { code: "c".into(), message: "m".into() }),
    };
    let (bytes, four, three) = ("1001920000000070008000000000000001", "04".repeat(32), "03".repeat(32));
    golden(&edit, &format!("01{bytes}0201020004{four}01410a0a00010163016d"));
    let under_way = Edit { drawn: Some(image.clone()), fault: None, ..edit };
    let drawn = format!("0161016209{three}0100");
    golden(&under_way, &format!("01{bytes}0201020004{four}01410a0a01{drawn}00"));
    let version = Version { page: page(4), alt_text: "A".into(), image, edit: None, restored: None, at: Millis(5) };
    golden(&version, &format!("01{four}0141{drawn}00000a"));
    golden(&Version { edit: Some(id), restored: Some(3), ..version }, &format!("01{four}0141{drawn}01{bytes}01030a"));
    golden(&Wording { prompt: "p".into(), instruction: "i".into() }, "0101700169");
}

#[test]
fn pages_of_edits_are_looked_into_for_photographs() {
    let b = bench(100);
    let before = b.done(2);
    let looked_into = || b.store.gc_roots().unwrap().pages;
    assert!(looked_into().is_empty(), "the generation names its own");
    b.begin(&before, &[1], 40).unwrap();
    assert_eq!(looked_into(), HashSet::from([page(40)]), "under way");
    b.draw();
    assert_eq!(looked_into(), HashSet::from([page(40)]), "drawn");
    b.begin(&b.get(before.generation.id), &[1], 41).unwrap();
    b.draw();
    assert_eq!(looked_into(), HashSet::from([page(40), page(41)]), "an older version can come back");
}

#[test]
fn an_edit_is_held_drawn_and_paid_once() {
    let b = bench(100);
    let before = b.done(2);
    assert_eq!(b.check_money(), (70, 0));
    let edit = b.begin(&before, &[1], 40).unwrap();
    assert_eq!((b.check_money(), b.store.backlog()), ((60, 10), 1));
    let meanwhile = b.get(before.generation.id);
    assert_eq!((&meanwhile.generation, &meanwhile.outputs), (&before.generation, &before.outputs), "nothing shows");
    assert_eq!(meanwhile.edits.iter().map(|(place, e)| (*place, e.version)).collect::<Vec<_>>(), [(1, 2)]);
    assert_eq!(b.end(&before, 1, edit, 2), EditEnd::UnderWay);
    assert_eq!(b.begin(&before, &[1], 41), Err(Uneditable::InProgress));

    let ticket = b.next().unwrap();
    assert_eq!((ticket.class, ticket.job), (fleet::protocol::Class::Edit, before.outputs[1].id));
    let (claim, job) = b.claim(ticket, T0).unwrap();
    let Job::Render(render) = &job else { panic!("{job:?}") };
    assert_eq!((render.version, render.page, render.output), (2, page(40), before.outputs[1].id));
    for _ in 0..3 {
        assert_eq!(b.store.report(claim, &drawn(&job), T0).unwrap(), Verdict::Accepted);
    }
    let after = b.get(before.generation.id);
    assert_eq!(after.generation, before.generation, "the generation stays as it ended");
    assert_eq!(after.outputs[0], before.outputs[0]);
    let output = &after.outputs[1];
    assert_eq!((output.version, output.page, output.alt_text.as_str()), (2, Some(page(40)), "made 40"));
    assert!(matches!(&output.end, Some(End::Ready(image)) if image.object.ends_with("-2.png")));
    assert_eq!((b.end(&before, 1, edit, 2), after.edits.len()), (EditEnd::Done, 0));
    assert_eq!((b.check_money(), b.store.backlog()), ((60, 0), 0));
    let output = output.id;
    assert_eq!(b.movements(output), [(Movement::Hold, 2, 0, 10), (Movement::Capture, 2, 0, 10)]);
    assert_eq!(
        b.versions(&before, 1),
        [(2, page(40), None, Some("On version 1: 40.".into())), (1, page(1), None, None)]
    );
    assert_eq!(b.versions(&before, 0), [(1, page(0), None, None)]);

    assert_eq!(b.begin(&before, &[1], 41), Err(Uneditable::Moved), "made of another version");
    b.begin(&after, &[1], 42).unwrap();
    b.draw();
    assert_eq!(b.get(before.generation.id).outputs[1].version, 3);
    assert_eq!((b.check_money(), b.versions(&before, 1).len()), ((50, 0), 3));
}

#[test]
fn a_failed_edit_changes_nothing_and_its_credits_come_back_each_time() {
    let b = bench(100);
    let before = b.done(1);
    let mut now = T0;
    for round in 0..3 {
        let edit = b.begin(&before, &[0], 40).unwrap();
        assert_eq!(b.check_money(), (75, 10));
        if round < 2 {
            let (claim, _) = b.claim(b.next().unwrap(), now).unwrap();
            assert_eq!(b.store.report(claim, &failure(false), now).unwrap(), Verdict::Accepted);
        } else {
            // Its workers never report.
            while let Some(ticket) = b.next() {
                b.claim(ticket, now).unwrap();
                now = now.plus_seconds(LEASE_S);
                b.store.reap(now).unwrap();
            }
            assert_eq!(b.store.dead_letters(9).unwrap()[0].place, Some(0));
        }
        let EditEnd::Failed(fault) = b.end(&before, 0, edit, 2) else { panic!() };
        assert_eq!(fault.code, if round < 2 { "no_content" } else { "render_failed" });
        let after = b.get(before.generation.id);
        assert_eq!((&after.generation, &after.outputs), (&before.generation, &before.outputs));
        assert_eq!(after.edits[0].1.fault, Some(fault));
        assert_eq!((b.check_money(), b.store.backlog()), ((85, 0), 0));
    }
    // Three claims, each of which may still store objects.
    assert_eq!(b.store.due_deletions(99, FAR).unwrap().len(), 2 * MAX_CLAIMS as usize);
    b.begin(&before, &[0], 44).unwrap();
    b.draw();
    let after = b.get(before.generation.id);
    assert_eq!((after.outputs[0].version, after.edits.len()), (2, 0), "no number is skipped");
    assert_eq!(b.check_money(), (75, 0));
    let rounds: Vec<_> = b.movements(before.outputs[0].id).into_iter().map(|(m, _, round, _)| (m, round)).collect();
    let failed = (0..3).flat_map(|n| [(Movement::Hold, n), (Movement::Release, n)]);
    assert_eq!(rounds, failed.chain([(Movement::Hold, 3), (Movement::Capture, 3)]).collect::<Vec<_>>());
}

#[test]
fn a_set_changes_as_one_or_not_at_all() {
    let b = bench(1_000);
    let before = b.done(4);
    let id = before.generation.id;
    let money = b.check_money().0;
    let edit = b.begin(&before, &[0, 2, 3], 40).unwrap();
    assert_eq!((b.check_money(), b.store.backlog()), ((money - 30, 30), 3));
    assert_eq!(b.begin(&before, &[2], 41), Err(Uneditable::InProgress));
    let other = b.begin(&before, &[1], 41).unwrap();
    let versions = || b.get(id).outputs.iter().map(|o| o.version).collect::<Vec<_>>();
    for _ in 0..3 {
        b.draw();
    }
    assert_eq!(versions(), [1, 2, 1, 1], "not before the last one");
    b.draw();
    let after = b.get(id);
    assert_eq!(after.outputs.iter().map(|o| o.version).collect::<Vec<_>>(), [2, 2, 2, 2]);
    let made: Vec<_> = after.outputs.iter().map(|o| o.page.unwrap()).collect();
    assert_eq!(made, [page(40), page(41), page(40), page(40)]);
    assert_eq!((b.end(&before, 3, edit, 2), b.end(&before, 1, other, 2)), (EditEnd::Done, EditEnd::Done));
    assert_eq!((b.check_money(), b.store.backlog()), ((money - 40, 0), 0));

    // One of them fails, another is rendered, and one is in progress.
    let edit = b.begin(&after, &[0, 1, 2], 50).unwrap();
    b.draw();
    let at_work = b.claim(b.next().unwrap(), T0).unwrap();
    let (claim, _) = b.claim(b.next().unwrap(), T0).unwrap();
    assert_eq!(b.store.report(claim, &failure(false), T0).unwrap(), Verdict::Accepted);
    assert_eq!(b.store.report(at_work.0, &drawn(&at_work.1), T0).unwrap(), Verdict::Refused, "called off");
    assert!((0..3).all(|place| matches!(b.end(&after, place, edit, 3), EditEnd::Failed(_))));
    assert_eq!(b.get(id).outputs, after.outputs);
    assert_eq!((b.check_money(), b.store.backlog()), ((money - 40, 0), 0));
    assert_eq!(b.store.due_deletions(9, T0).unwrap().len(), 2, "what was drawn in vain");
    assert_eq!(b.store.due_deletions(9, FAR).unwrap().len(), 4, "and what may come yet");
    b.begin(&after, &[0, 1, 2], 51).unwrap();
    while b.store.outbox(1).unwrap().len() == 1 {
        b.draw();
    }
    assert_eq!(b.get(id).outputs.iter().map(|o| o.version).collect::<Vec<_>>(), [3, 3, 3, 2]);
    assert_eq!(b.check_money(), (money - 70, 0));
}

#[test]
fn what_cannot_be_edited_is_refused() {
    let b = bench(100);
    let before = b.done(2);
    let order = b.order(&before, &[0], 40);
    let refused = |order: &EditOrder, room| b.store.begin_edit(order, room, T0).unwrap().unwrap_err();
    assert_eq!(refused(&EditOrder { account: Uuid::now_v7(), ..order.clone() }, 9), Uneditable::NoGeneration);
    assert_eq!(refused(&order, 0), Uneditable::Full);
    let nowhere = NewPage { place: 7, ..order.pages[0].clone() };
    assert_eq!(refused(&EditOrder { pages: vec![nowhere], ..order.clone() }, 9), Uneditable::NoOutput);

    let poor = bench(35);
    let left = poor.done(2);
    let short = poor.store.begin_edit(&poor.order(&left, &[0, 1], 40), 9, T0).unwrap();
    assert_eq!(short, Err(Uneditable::Insufficient { required: 20, available: 5 }));
    assert_eq!((poor.check_money(), poor.edit_rows()), ((5, 0), [0, 0, 0, 3, 0, 0, 0]));

    // Not ended, failed, without images.
    let id = b.accept(2);
    let (claim, job) = b.claim(b.next().unwrap(), T0).unwrap();
    b.store.report(claim, &success(&job), T0).unwrap();
    let open = EditOrder { generation: id, ..order.clone() };
    assert_eq!(refused(&open, 9), Uneditable::NotReady);
    let (claim, _) = b.claim(b.next().unwrap(), T0).unwrap();
    b.store.report(claim, &failure(false), T0).unwrap();
    b.draw();
    let partial = b.get(id);
    assert_eq!(partial.generation.status, Status::Partial);
    let failed = u32::from(!matches!(partial.outputs[0].end, Some(End::Failed(_))));
    assert_eq!(b.begin(&partial, &[failed], 40), Err(Uneditable::NotReady));
    b.begin(&before, &[0], 40).unwrap();
    assert_eq!(b.store.delete_old_images(FAR, 9, T0).unwrap(), 1, "one is being edited");
    assert_eq!(b.begin(&partial, &[1 - failed], 40), Err(Uneditable::NotReady));
    b.draw();
    assert_eq!(b.store.delete_old_images(FAR, 9, T0).unwrap(), 1);
    assert_eq!(b.begin(&b.get(before.generation.id), &[0], 41), Err(Uneditable::NotReady));
    assert_eq!(b.restore(&before, 0, 1), Once::Refused(Uneditable::NotReady));
    // Two objects of the other generation. Of this one, two of each version; both outputs share the first.
    assert_eq!(b.store.due_deletions(99, T0).unwrap().len(), 2 + 6);
}

#[test]
fn an_earlier_version_comes_back_as_a_new_one() {
    let b = bench(100);
    let before = b.done(1);
    b.begin(&before, &[0], 40).unwrap();
    assert_eq!(b.restore(&before, 0, 1), Once::Refused(Uneditable::InProgress));
    b.draw();
    let money = b.check_money();
    let Once::Made(back) = b.restore(&before, 0, 1) else { panic!() };
    let (old, new) = (&before.outputs[0], back.output().unwrap());
    assert_eq!((new.version, new.page, &new.alt_text, &new.end), (3, old.page, &old.alt_text, &old.end));
    let Once::Made(again) = b.restore(&before, 0, 3) else { panic!() };
    assert_eq!(again, back, "it shows that already");
    assert_eq!(b.restore(&before, 0, 4), Once::Refused(Uneditable::NoVersion));
    assert_eq!(b.restore(&before, 0, 0), Once::Refused(Uneditable::NoVersion));
    let numbers: Vec<_> = b.versions(&before, 0).into_iter().map(|(n, page, of, _)| (n, page, of)).collect();
    assert_eq!(numbers, [(3, page(0), Some(1)), (2, page(40), None), (1, page(0), None)]);
    assert_eq!(b.check_money(), money, "it is free");
    b.begin(&b.get(before.generation.id), &[0], 41).unwrap();
    b.draw();
    assert_eq!(b.get(before.generation.id).outputs[0].version, 4);

    let (id, output) = (before.generation.id, before.outputs[0].id);
    let part = |before, limit| {
        let (_, history) = b.store.history(b.account, id, output, before, limit).unwrap().unwrap();
        (history.versions.iter().map(|v| v.number).collect::<Vec<_>>(), history.more, history.current)
    };
    assert_eq!(part(None, 3), (vec![4, 3, 2], true, 4));
    assert_eq!(part(Some(2), 3), (vec![1], false, 4));
    assert_eq!(b.store.history(Uuid::now_v7(), id, output, None, 9).unwrap(), Err(Uneditable::NoGeneration));
    assert_eq!(b.store.history(b.account, id, id, None, 9).unwrap(), Err(Uneditable::NoOutput));
    let named = b.store.gc_roots().unwrap();
    assert!([0, 40, 41].iter().all(|n| named.blobs.contains(&page(*n))), "of all versions");
}

#[test]
fn what_was_deleted_for_its_age_does_not_come_back_after_a_retry() {
    let b = bench(500);
    let id = b.accept(3);
    let (claim, job) = b.claim(b.next().unwrap(), T0).unwrap();
    b.store.report(claim, &success(&job), T0).unwrap();
    let (claim, _) = b.claim(b.next().unwrap(), T0).unwrap();
    b.store.report(claim, &failure(false), T0).unwrap();
    b.draw();
    b.draw();
    let partial = b.get(id);
    let (mut ready, mut failed) = (Vec::new(), Vec::new());
    for (place, output) in partial.outputs.iter().enumerate() {
        let of = if matches!(output.end, Some(End::Ready(_))) { &mut ready } else { &mut failed };
        of.push(place);
    }
    let (edited, plain, failed) = (ready[0], ready[1], failed[0]);
    b.begin(&partial, &[edited as u32], 40).unwrap();
    b.draw();
    let (deleted, later) = (T0.plus_seconds(10), T0.plus_seconds(20));
    let restore = |place: usize, version| {
        let output = partial.outputs[place].id;
        b.store.restore(b.account, id, &[Back { output, to: version, from: None }], None, later).unwrap()
    };
    let gone = |place: usize| {
        let output = partial.outputs[place].id;
        let (_, history) = b.store.history(b.account, id, output, None, 100).unwrap().unwrap();
        history.versions.iter().map(|v| (v.number, v.gone)).collect::<Vec<_>>()
    };
    let draw = || {
        let (claim, job) = b.claim(b.next().unwrap(), later).unwrap();
        assert_eq!(b.store.report(claim, &drawn(&job), later).unwrap(), Verdict::Accepted);
    };
    let edit = |made| {
        b.store.begin_edit(&b.order(&b.get(id), &[edited as u32], made), 600, later).unwrap().unwrap();
        draw();
    };
    // The version is newer than the deletion, but its image is not.
    assert!(matches!(restore(edited, 1), Once::Made(_)));
    assert_eq!(gone(edited), [(3, false), (2, false), (1, false)]);
    assert_eq!(b.store.delete_old_images(FAR, 9, deleted).unwrap(), 1);
    assert_eq!(gone(edited), [(3, true), (2, true), (1, true)]);

    assert!(matches!(b.store.retry(b.account, id, 600, None, later).unwrap(), Once::Made(_)));
    draw();
    assert_eq!(b.get(id).generation.status, Status::Completed);
    edit(41);
    assert_eq!(gone(edited), [(4, false), (3, true), (2, true), (1, true)]);
    assert_eq!((gone(plain), gone(failed)), (vec![(1, true)], vec![(1, false)]));
    for version in 1..=3 {
        assert_eq!(restore(edited, version), Once::Refused(Uneditable::NotReady));
    }
    assert_eq!(restore(plain, 1), Once::Refused(Uneditable::NotReady), "though it shows that");
    assert!(matches!(restore(failed, 1), Once::Made(_)));
    edit(42);
    assert!(matches!(restore(edited, 4), Once::Made(_)));
    assert_eq!(gone(edited)[..3], [(6, false), (5, false), (4, false)]);
}

#[test]
fn the_longest_words_fit() {
    let b = bench(100);
    let before = b.done(1);
    let (prompt, instruction) = ("\u{1d11e}".repeat(2_000), "\u{e9}".repeat(50_000));
    let order = EditOrder { prompt: prompt.clone(), instruction, ..b.order(&before, &[0], 40) };
    b.store.begin_edit(&order, 9, T0).unwrap().unwrap();
    b.draw();
    let (id, output) = (before.generation.id, before.outputs[0].id);
    let (_, history) = b.store.history(b.account, id, output, None, 9).unwrap().unwrap();
    let wording = history.versions[0].wording.as_ref().unwrap();
    assert_eq!((&wording.prompt, wording.instruction.len()), (&prompt, 16_000));
}

#[test]
fn deleting_a_generation_calls_its_edits_off_and_takes_all_versions() {
    let b = bench(100);
    let before = b.done(2);
    b.begin(&before, &[0], 40).unwrap();
    b.draw();
    let edited = b.get(before.generation.id);
    b.begin(&edited, &[0, 1], 41).unwrap();
    assert!(b.store.gc_roots().unwrap().blobs.contains(&page(41)));
    b.draw();
    let (claim, job) = b.claim(b.next().unwrap(), T0).unwrap();
    let preview = format!("{PREVIEWS}{}/x.png", before.generation.id);
    b.store.preview(&preview, T0.plus_seconds(60)).unwrap();
    assert_eq!((b.check_money(), b.store.backlog()), ((40, 20), 2));
    assert!(b.store.delete_generation(b.account, before.generation.id, T0).unwrap());
    assert_eq!((b.check_money(), b.store.backlog()), ((60, 0), 0));
    assert_eq!(b.store.report(claim, &drawn(&job), T0).unwrap(), Verdict::Refused);
    assert_eq!(b.edit_rows(), [0, 0, 0, 1, 0, 0, 0], "but that all outputs are indexed");
    // Two images of version 1, one of version 2, one rendered for the edit, each with its thumbnail, and the preview.
    assert_eq!(b.store.due_deletions(99, T0).unwrap().len(), 9);
    assert_eq!(b.store.due_deletions(99, FAR).unwrap().len(), 11, "and what the worker may store yet");
    assert_eq!(b.store.gc_roots().unwrap(), GcRoots::default());
    assert_eq!(b.store.reconcile(|_, _| false).unwrap() + b.store.reap(FAR).unwrap(), 0);
}

#[test]
fn an_edit_goes_on_beside_a_retry_and_what_becomes_of_that() {
    let b = bench(200);
    let id = b.accept(3);
    let (claim, job) = b.claim(b.next().unwrap(), T0).unwrap();
    b.store.report(claim, &success(&job), T0).unwrap();
    let (claim, _) = b.claim(b.next().unwrap(), T0).unwrap();
    b.store.report(claim, &failure(false), T0).unwrap();
    b.draw();
    b.draw();
    let partial = b.get(id);
    let ready: Vec<u32> = (0..3).filter(|n| matches!(partial.outputs[*n as usize].end, Some(End::Ready(_)))).collect();
    assert_eq!((partial.generation.status, ready.len()), (Status::Partial, 2));
    let edit = b.begin(&partial, &ready[..1], 40).unwrap();
    let Once::Made(again) = b.store.retry(b.account, id, 600, None, T0).unwrap() else { panic!() };
    assert_eq!(again.generation.status, Status::Pending);
    assert_eq!(b.begin(&partial, &ready[1..], 41), Err(Uneditable::NotReady), "it has not ended");
    assert_eq!(b.store.backlog(), 2);

    // The edit's job doesn't count as the generation's, which then continues and ends by itself.
    let outbox = b.store.next_tickets(9);
    let edits = outbox.next.iter().filter(|t| t.ticket.class == fleet::protocol::Class::Edit).count();
    assert_eq!((outbox.next.len(), edits), (2, 1));
    let (claim, job) = b.claim(outbox.next[0].ticket, T0).unwrap();
    assert_eq!(b.get(id).generation.status, Status::Pending);
    assert_eq!(b.store.report(claim, &drawn(&job), T0).unwrap(), Verdict::Accepted);
    assert_eq!((b.end(&partial, ready[0], edit, 2), b.get(id).generation.done), (EditEnd::Done, 2));
    let (claim, job) = b.claim(outbox.next[1].ticket, T0).unwrap();
    assert_eq!(b.store.report(claim, &drawn(&job), T0).unwrap(), Verdict::Accepted);
    let done = b.get(id);
    assert_eq!(done.generation.status, Status::Completed);
    let versions: Vec<u32> = done.outputs.iter().map(|o| o.version).collect();
    assert_eq!((versions.iter().sum::<u32>(), versions[ready[0] as usize]), (4, 2));
    assert_eq!((b.check_money(), b.store.backlog()), ((200 - 45 - 10, 0), 0));
}

#[test]
fn an_edit_outlives_the_process() {
    let b = bench(100);
    let before = b.done(2);
    let edit = b.begin(&before, &[0, 1], 40).unwrap();
    b.draw();
    let (stale, job) = b.claim(b.next().unwrap(), T0).unwrap();
    let Bench { folder, store, account } = b;
    drop(store);
    let b = Bench { store: Store::open(folder.path()).unwrap(), folder, account };
    assert_eq!((b.store.backlog(), b.end(&before, 0, edit, 2)), (2, EditEnd::UnderWay));
    assert_eq!(b.store.reap_all(T0).unwrap(), 1);
    assert_eq!(b.store.report(stale, &drawn(&job), T0).unwrap(), Verdict::Refused);
    // The queue loses the ticket as well.
    b.next().unwrap();
    assert_eq!(b.store.reconcile(|_, _| false).unwrap(), 1);
    b.draw();
    assert_eq!(b.get(before.generation.id).outputs.iter().map(|o| o.version).collect::<Vec<_>>(), [2, 2]);
    assert_eq!((b.check_money(), b.store.backlog()), ((50, 0), 0));
    assert!(b.next().is_none());
}

#[test]
fn of_many_confirmations_at_once_one_is_carried_out() {
    let b = bench(10_000);
    let before = b.done(1);
    let begun = AtomicUsize::new(0);
    std::thread::scope(|threads| {
        for _ in 0..20 {
            threads.spawn(|| {
                for _ in 0..10 {
                    match b.begin(&before, &[0], 40) {
                        Ok(_) => {
                            begun.fetch_add(1, Ordering::Relaxed);
                        }
                        Err(why) => assert_eq!(why, Uneditable::InProgress),
                    }
                }
            });
        }
    });
    assert_eq!(begun.into_inner(), 1);
    assert_eq!(b.check_money(), (10_000 - 15 - 10, 10));
    b.draw();
    assert_eq!((b.begin(&before, &[0], 40), b.check_money().0), (Err(Uneditable::Moved), 9_975));
}
