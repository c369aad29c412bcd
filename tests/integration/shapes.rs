//! The time to parse, outline and plan a text grows linearly with its length, whatever its shape. This test checks some
//! shapes at lengths that take little time; `bench shapes` checks thousands, up to the longest allowed text.

#[path = "../../bench/src/shapes/forms.rs"]
mod forms;
#[path = "../../bench/src/shapes/growth.rs"]
mod growth;

use std::time::Duration;

use render_core::text::Fonts;

/// Number of random shapes, and characters of their longer texts.
const MIXED: usize = 40;
const CHARS: usize = 24_000;
/// Shorter times count as this much. Quadratic growth takes far longer at these lengths: "a1" takes 300 ms, a digit
/// with a combining mark 20 s.
const FLOOR: Duration = Duration::from_millis(150);
/// Maximum processor time for the texts of an attack, in an unoptimised build on a busy machine. Before the fix they
/// took 37 and 130 s in an optimised build.
const MOST: Duration = Duration::from_secs(20);

/// Runs the work on one thread, whose processor time is measured.
fn alone<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap().install(work)
}

#[test]
fn i18_time_grows_with_the_length_of_a_text_and_no_faster() {
    let fonts = Fonts::new();
    let shapes = forms::mixed(18, MIXED);
    let steep = alone(|| {
        let steep = shapes.iter().flat_map(|shape| {
            let steep = growth::steep(shape, CHARS, FLOOR, &fonts).0.into_iter();
            steep.map(move |s| format!("{shape}: {} of {} characters, {:?}", s.stage, s.chars, s.times))
        });
        steep.collect::<Vec<_>>()
    });
    assert!(steep.is_empty(), "these take more than {} times as long at twice the length: {steep:#?}", growth::MOST);
}

#[test]
fn i18_texts_that_took_minutes_are_planned_in_seconds() {
    let fonts = Fonts::new();
    for unit in ["a1", "0\u{301}"] {
        let text = unit.repeat(100_000);
        let times = alone(|| growth::times(&text, false, &fonts));
        assert!(times.iter().sum::<Duration>() < MOST, "{unit:?} took {times:?}");
    }
}
