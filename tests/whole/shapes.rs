//! The time of reading, outlining and planning a text grows with its length and no faster, whatever its shape. Here that is
//! looked at for some shapes in lengths that take little time; `bench shapes` does it for thousands, up to the longest
//! text there may be.

#[path = "../../bench/src/shapes/forms.rs"]
mod forms;
#[path = "../../bench/src/shapes/growth.rs"]
mod growth;

use std::time::Duration;

use render_core::text::Fonts;

/// Shapes by chance, and characters of their longer texts.
const MIXED: usize = 40;
const CHARS: usize = 24_000;
/// Times below this count as that. What grows with the square takes far longer at these lengths: "a1" 300 ms, a digit with a
/// mark 20 s.
const FLOOR: Duration = Duration::from_millis(150);
/// What the texts of the attack may take of a processor, in a build that isn't optimised, on a busy machine. They took 37
/// and 130 s in one that is.
const MOST: Duration = Duration::from_secs(20);

/// On one thread, whose time is measured.
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
