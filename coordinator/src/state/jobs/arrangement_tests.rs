use fleet::protocol::{Job, Verdict};

use super::*;
use crate::credits;
use crate::state::jobs::edits::NewPage;
use crate::state::rows::golden;
use crate::state::rows::schema::{ARRANGEMENTS, OUTPUT_PLACES};
use crate::state::status::Status;
use crate::state::tests::{Bench, T0, bench, failure};
use crate::state::{Arrangement, Back};

fn page(n: u8) -> BlobId {
    BlobId([n; 32])
}

impl Bench {
    /// Creates a carousel whose slides are all ready.
    fn carousel(&self, slides: u32) -> Snapshot {
        let id = self.accept(slides);
        self.drain(T0);
        self.get(id)
    }

    /// Creates an order of slides: numbers are places, `None` is a copy of the first one. The pages of `renumbered`
    /// change.
    fn slides(&self, of: &Snapshot, slides: &[Option<u32>], renumbered: &[u32]) -> ArrangeOrder {
        let new = |place: &u32| NewPage {
            place: *place,
            of: of.outputs[*place as usize].version,
            page: page(7),
            bytes: 30,
            alt_text: "moved".into(),
            words: "Moved words".into(),
            cost: 0,
        };
        let copy = || {
            let Output { format, width, height, .. } = of.outputs[0].clone();
            let output = PlannedOutput { format, slide: Some(0), width, height, cost: credits::SLIDE };
            ArrangedSlide::Added(AddedSlide {
                output,
                page: page(8),
                bytes: 30,
                alt_text: "a copy".into(),
                words: "Copied words".into(),
            })
        };
        ArrangeOrder {
            renumbered: EditOrder {
                account: self.account,
                generation: of.generation.id,
                key: None,
                prompt: "The slides were rearranged.".into(),
                instruction: String::new(),
                pages: renumbered.iter().map(new).collect(),
            },
            before: of.slides(0).unwrap().0,
            slides: slides.iter().map(|slide| slide.map_or_else(copy, ArrangedSlide::Kept)).collect(),
        }
    }

    fn arrange_within(&self, order: &ArrangeOrder, room: u64) -> Result<Arranged, Uneditable> {
        match self.store.arrange(order, room, None, T0).unwrap() {
            Once::Made(arranged) => Ok(arranged),
            Once::Refused(why) => Err(why),
            other => panic!("{other:?}"),
        }
    }

    fn arrange(&self, order: &ArrangeOrder) -> Result<Arranged, Uneditable> {
        self.arrange_within(order, 600)
    }

    fn reserved(&self) -> u64 {
        self.check_money().1
    }
}

#[test]
fn rows_stay_as_they_are() {
    let set = ArrangedSet { first: 1, shown: vec![3, 1], removed: vec![2] };
    golden(&Arrangement { sets: vec![set] }, "0101010203010102");
}

#[test]
fn slides_change_places_at_once_and_their_numbers_follow() {
    let b = bench(100_000);
    let before = b.carousel(3);
    assert_eq!(before.order(), [0, 1, 2]);
    let arranged = b.arrange(&b.slides(&before, &[Some(2), Some(0), Some(1)], &[0, 1, 2])).unwrap();
    assert_eq!(arranged.shown, [2, 0, 1]);
    let moved = b.get(before.generation.id);
    assert_eq!((moved.order(), moved.generation.status), (vec![2, 0, 1], Status::Completed));
    let index = |place: u32| moved.slide(place, &moved.outputs[place as usize]);
    assert_eq!([index(0), index(1), index(2)], [Some(1), Some(2), Some(0)]);
    assert_eq!(b.reserved(), 0, "page numbers cost nothing");
    b.drain(T0);
    let after = b.get(before.generation.id);
    assert!(after.outputs.iter().all(|o| o.version == 2 && o.page == Some(page(7))));
    assert!(after.edits.is_empty());
    // The same order again refers to an outdated order.
    assert_eq!(b.arrange(&b.slides(&before, &[Some(0), Some(1), Some(2)], &[])), Err(Uneditable::Moved));
    assert!(b.arrange(&b.slides(&after, &[Some(0), Some(1), Some(2)], &[])).is_ok());
    assert_eq!(b.get(before.generation.id).order(), [0, 1, 2]);
}

#[test]
fn removed_slides_are_neither_shown_nor_edited_and_can_be_put_back() {
    let b = bench(100_000);
    let before = b.carousel(3);
    b.arrange(&b.slides(&before, &[Some(0), Some(2)], &[])).unwrap();
    let fewer = b.get(before.generation.id);
    assert_eq!((fewer.order(), fewer.arrangement.removed().collect::<Vec<_>>()), (vec![0, 2], vec![1]));
    assert_eq!(fewer.exported(None).iter().map(|(place, _)| *place).collect::<Vec<_>>(), [0, 2]);
    let (id, gone) = (before.generation.id, before.outputs[1].id);
    assert_eq!(b.store.placed(b.account, Some(id), gone).unwrap(), Err(Uneditable::NoOutput));
    let restored = b.store.restore(b.account, id, &[Back { output: gone, to: 1, from: None }], None, T0).unwrap();
    assert!(matches!(restored, Once::Refused(Uneditable::NoOutput)));
    let kept = b.store.placed(b.account, Some(id), before.outputs[2].id).unwrap().unwrap();
    assert_eq!(kept.set().iter().map(|(place, _)| *place).collect::<Vec<_>>(), [0, 2]);
    b.arrange(&b.slides(&fewer, &[Some(0), Some(2), Some(1)], &[])).unwrap();
    let all = b.get(id);
    assert_eq!((all.order(), all.arrangement.removed().count()), (vec![0, 2, 1], 0));
}

#[test]
fn copies_are_paid_once_they_are_there_and_end_the_generation_again() {
    let b = bench(100_000);
    let before = b.carousel(2);
    let id = before.generation.id;
    let arranged = b.arrange(&b.slides(&before, &[Some(0), None, Some(1)], &[1])).unwrap();
    assert_eq!(arranged.shown, [0, 2, 1]);
    let open = b.get(id);
    assert_eq!((open.generation.status, open.generation.total, open.outputs.len()), (Status::Pending, 3, 0));
    assert_eq!(b.reserved(), credits::SLIDE);
    b.drain(T0);
    let after = b.get(id);
    assert_eq!((after.generation.status, after.generation.done, after.order()), (Status::Completed, 3, vec![0, 2, 1]));
    assert_eq!((before.counts()["deck"], open.counts()["deck"], after.counts()["deck"]), (2, 3, 3));
    assert_eq!(after.generation.charged, before.generation.charged + credits::SLIDE);
    assert_eq!((b.reserved(), after.outputs[1].version, after.outputs[2].version), (0, 2, 1));
    assert_eq!(b.store.output_place(b.account, after.outputs[2].id), Ok(Some((id, 2))));
    // A copy is removed and restored like any other slide, even if it was added at the end.
    b.arrange(&b.slides(&after, &[Some(1), Some(0)], &[])).unwrap();
    let fewer = b.get(id);
    assert_eq!((fewer.order(), fewer.slides(2)), (vec![1, 0], Some((vec![1, 0], vec![2]))));
    assert!(b.store.delete_generation(b.account, id, T0).unwrap());
    assert_eq!(b.store.shared.tables.scan(&ARRANGEMENTS, &[]).count(), 0);
    assert_eq!(b.store.shared.tables.scan(&OUTPUT_PLACES, &[]).count(), 1, "the mark that all have rows");
}

#[test]
fn a_copy_that_fails_gives_its_credits_back_and_can_be_tried_again() {
    let b = bench(100_000);
    let before = b.carousel(2);
    let id = before.generation.id;
    b.arrange(&b.slides(&before, &[Some(0), Some(1), None], &[])).unwrap();
    let (claim, job) = b.claim(b.next().unwrap(), T0).unwrap();
    assert!(matches!(job, Job::Render(_)));
    assert_eq!(b.store.report(claim, &failure(false), T0).unwrap(), Verdict::Accepted);
    let partial = b.get(id);
    assert_eq!((partial.generation.status, b.reserved()), (Status::Partial, 0));
    assert_eq!(partial.order(), [0, 1, 2]);
    // Removed slides are not charged.
    b.arrange(&b.slides(&partial, &[Some(0), Some(1)], &[])).unwrap();
    let retried = b.store.retry(b.account, id, 600, None, T0).unwrap();
    assert!(matches!(retried, Once::Refused(crate::state::Refusal::Stands(Status::Partial))));
    b.arrange(&b.slides(&b.get(id), &[Some(0), Some(1), Some(2)], &[])).unwrap();
    b.store.retry(b.account, id, 600, None, T0).unwrap();
    b.drain(T0);
    assert_eq!(b.get(id).generation.status, Status::Completed);
}

#[test]
fn who_cannot_pay_gets_no_copy() {
    let b = bench(2 * credits::SLIDE + credits::VISUAL);
    let before = b.carousel(2);
    let short = b.arrange(&b.slides(&before, &[Some(0), None, Some(1)], &[]));
    assert!(matches!(short, Err(Uneditable::Insufficient { required: credits::SLIDE, .. })), "{short:?}");
    assert_eq!(b.get(before.generation.id), before);
    assert_eq!(b.arrange_within(&b.slides(&before, &[Some(1), Some(0)], &[0, 1]), 1), Err(Uneditable::Full));
}

#[test]
fn a_repeated_order_adds_one_copy_and_a_cancelled_one_leaves_the_carousel_as_it_was() {
    let b = bench(100_000);
    let before = b.carousel(2);
    let id = before.generation.id;
    let told = |arranged: &Arranged| crate::state::Answer {
        status: 202,
        location: None,
        body: crate::state::AnswerBody::Bytes(vec![arranged.cost as u8]),
    };
    let keyed = Keyed::new("k".into(), [1; 32], told);
    let order = b.slides(&before, &[Some(0), Some(1), None], &[]);
    assert!(matches!(b.store.arrange(&order, 600, Some(&keyed), T0).unwrap(), Once::Made(_)));
    assert!(matches!(b.store.arrange(&order, 600, Some(&keyed), T0).unwrap(), Once::Replayed(_)));
    assert_eq!((b.get(id).generation.total, b.reserved()), (3, credits::SLIDE));
    assert!(matches!(b.store.cancel(b.account, id, None, T0).unwrap(), Once::Made(_)));
    let after = b.get(id);
    assert_eq!((after.generation.status, after.generation.failed, b.reserved()), (Status::Partial, 1, 0));
    assert_eq!(after.generation.fault.as_ref().map(|fault| fault.code.as_str()), Some("render_cancelled"));
    assert!(b.arrange(&b.slides(&after, &[Some(1), Some(0)], &[])).is_ok());
    assert_eq!(b.store.backlog(), 0);
}
