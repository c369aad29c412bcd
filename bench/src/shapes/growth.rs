//! How the time of `read`, `outline` and `plan` grows with the length of a text.

use std::time::{Duration, Instant};

use render_core::content::{ReadOptions, read_text_with};
use render_core::design::Style;
use render_core::format::{Format, FormatId};
use render_core::outline::{self, outline};
use render_core::plan::{PlanRequest, plan};
use render_core::text::Fonts;

use super::forms::Shape;

/// The planned output: format, and slides of a carousel.
const FORMATS: [(&str, Option<u32>); 2] = [("instagram_post", None), ("linkedin_carousel", Some(5))];
/// The stages.
pub const STAGES: [&str; 3] = ["read", "outline", "plan"];
/// Maximum growth of a stage's time for a text of twice the length.
pub const MOST: f64 = 2.5;
/// Repetitions of a measurement that seems too long: other load on the machine only ever adds time.
const AGAIN: usize = 3;

/// Lengths of further texts that stand for the shorter one, in tenths of its length.
const SHORTER: [usize; 3] = [9, 8, 7];

/// Processor time, by stage.
pub type Times = [Duration; 3];

/// A stage whose time grows too fast with the length of a text.
#[derive(Debug, Clone)]
pub struct Steep {
    /// The stage.
    pub stage: &'static str,
    /// Characters of the shorter text.
    pub chars: usize,
    /// Its time, and the time for the text of twice the length.
    pub times: [Duration; 2],
}

/// Returns the processor time of this thread if the platform reports it, else the elapsed time.
fn thread_time(began: Instant) -> Duration {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanos = told.and_then(|told| told.split_whitespace().next()?.parse().ok());
    nanos.map_or_else(|| began.elapsed(), Duration::from_nanos)
}

/// Measures the time of each stage for a text. Runs only on this thread if it is the only one of its rayon pool.
pub fn times(text: &str, exact: bool, fonts: &Fonts) -> Times {
    let began = Instant::now();
    let mut last = thread_time(began);
    let mut lap = || {
        let now = thread_time(began);
        now.saturating_sub(std::mem::replace(&mut last, now))
    };
    let document = read_text_with(text, &ReadOptions { exact, ..ReadOptions::default() });
    let read = lap();
    // A text without content has no later stages.
    let Ok(document) = document else { return [read, Duration::ZERO, Duration::ZERO] };
    let formats = FORMATS.map(|(id, slides)| (Format::by_id(id).expect("it is in the catalogue"), slides));
    for (format, slides) in formats {
        let _ = std::hint::black_box(outline(&outline::Request { document: &document, format, slides }));
    }
    let outlined = lap();
    let request = PlanRequest::of(
        &document,
        formats.map(|(format, slides)| (format.id, slides)).into_iter().collect::<Vec<(FormatId, _)>>(),
        Style::MODERN,
        1,
    );
    let _ = std::hint::black_box(plan(&request, fonts));
    [read, outlined, lap()]
}

/// Returns the stages that take more than [`MOST`] times as long for a text of `chars` characters as for half the
/// length. Times below `floor` count as `floor`, because noise exceeds growth there.
///
/// The shorter time is the longest of four texts of about half the length. The end of a text can decide whether it is
/// read as a list or as prose, and one of these takes longer. The time then jumps between two lines, each of which may
/// be linear.
pub fn steep(shape: &Shape, chars: usize, floor: Duration, fonts: &Fonts) -> (Vec<Steep>, Times) {
    let (short, long) = (shape.text(chars / 2), shape.text(chars));
    let mut all = [times(&short, shape.exact, fonts), times(&long, shape.exact, fonts)];
    let grows =
        |all: &[Times; 2], stage: usize| all[1][stage].as_secs_f64() > MOST * all[0][stage].max(floor).as_secs_f64();
    let any_grows = |all: &[Times; 2]| (0..STAGES.len()).any(|stage| grows(all, stage));
    for tenths in SHORTER {
        if !any_grows(&all) {
            break;
        }
        let shorter = times(&shape.text(chars / 2 * tenths / 10), shape.exact, fonts);
        all[0].iter_mut().zip(shorter).for_each(|(most, time)| *most = time.max(*most));
    }
    for _ in 0..AGAIN {
        if !any_grows(&all) {
            break;
        }
        let once_more = times(&long, shape.exact, fonts);
        all[1].iter_mut().zip(once_more).for_each(|(least, time)| *least = time.min(*least));
    }
    let found = (0..STAGES.len()).filter(|stage| grows(&all, *stage));
    let found =
        found.map(|stage| Steep { stage: STAGES[stage], chars: chars / 2, times: [all[0][stage], all[1][stage]] });
    (found.collect(), all[1])
}
