//! How many jobs a worker works on at once if the operator does not set it.
//!
//! On the CPU it is one per core: all cores render the tiles of a picture, and more loops than cores render no more
//! (`bench fleet`). With a device, a thread waits while the device renders, so the worker runs as many more loops, and
//! threads, as keep the cores busy. At the start it measures how long a page waits for the device and how long it uses
//! a core.

use std::time::{Duration, Instant};

use render_core::compose::compose;
use render_core::content::ReadOptions;
use render_core::design::{Page, Style};
use render_core::encode::{ImageFormat, encode};
use render_core::format::Format;
use render_core::inspect::inspect;
use render_core::plan::{PlanRequest, plan};
use render_core::scene::Canvas;

use crate::ingest;
use crate::renderer::Renderer;

/// The page that is measured.
const WORDS: &[u8] =
    b"# Five habits of calm teams\n\n- Write decisions down\n- Meet less\n- Ship small\n- Ask early\n- Rest";
const FORMAT: &str = "instagram_post";
/// Pixels of its edge: the size of most pages.
const EDGE: u32 = 2_048;
/// Times that it is rendered. The fastest counts, because the first ones fill caches.
const ROUNDS: usize = 4;

/// What a page takes.
#[derive(Debug, Clone, Copy)]
struct Cost {
    /// Time on the device.
    waiting: Duration,
    /// Time on a core.
    working: Duration,
}

/// Returns how many jobs to work on at once with this renderer on `cores` cores.
pub fn loops(renderer: &Renderer, cores: usize) -> usize {
    if !renderer.has_devices() {
        return cores;
    }
    // On one thread, so that the work of tiles and segments on other threads counts as well.
    let measured = rayon::ThreadPoolBuilder::new().num_threads(1).build().ok().and_then(|pool| {
        let page = page(renderer)?;
        Some(pool.install(|| (0..ROUNDS).filter_map(|_| cost(renderer, &page)).collect::<Vec<_>>()))
    });
    let Some(cost) = measured.and_then(|costs| costs.into_iter().min_by_key(|cost| cost.waiting + cost.working)) else {
        tracing::warn!("measuring the cost of a page failed: the worker runs one loop per core");
        return cores;
    };
    let loops = busy_cores(cores, cost);
    let [waiting_ms, working_ms] = [cost.waiting, cost.working].map(|time| time.as_secs_f64() * 1_000.0);
    tracing::info!(waiting_ms, working_ms, loops, "measured the cost of a page on a device and on a core");
    loops
}

/// Returns the number of loops that keep `cores` cores busy, at most twice as many: each holds a picture or two in
/// memory.
fn busy_cores(cores: usize, Cost { waiting, working }: Cost) -> usize {
    let share = waiting.as_secs_f64() / working.as_secs_f64().max(1e-6);
    // A float beyond the range of usize becomes `usize::MAX`.
    let more = (cores as f64 * share).ceil() as usize;
    cores + more.min(cores)
}

fn page(renderer: &Renderer) -> Option<Page> {
    let document = ingest::text(WORDS, &ReadOptions::default()).ok()?;
    let request = PlanRequest::of(&document, vec![(Format::by_id(FORMAT)?.id, None)], Style::MODERN, 1);
    plan(&request, renderer.fonts()).ok()?.pages.into_iter().next()
}

/// Measures a page with the same steps as the stages of a render job.
fn cost(renderer: &Renderer, page: &Page) -> Option<Cost> {
    let began = Instant::now();
    let scene = compose(page, renderer.fonts()).scene;
    let composed = Instant::now();
    let drawn = renderer.draw(&scene, Canvas::new(EDGE, EDGE)).ok()?;
    let waiting = composed.elapsed();
    inspect(&scene, page, Some(&renderer.backdrop(&scene).ok()?));
    encode(&drawn, ImageFormat::Png).ok()?;
    Some(Cost { waiting, working: began.elapsed() - waiting })
}

#[cfg(test)]
mod tests {
    use render_core::text::Fonts;

    use super::*;

    #[test]
    fn cores_are_kept_at_work_while_devices_draw() {
        let cost = |waiting, working| Cost {
            waiting: Duration::from_millis(waiting),
            working: Duration::from_millis(working),
        };
        for (cores, waiting, working, loops) in
            [(16, 0, 20, 16), (16, 5, 20, 20), (16, 20, 20, 32), (2, 1, 20, 3), (4, 500, 20, 8), (1, 10, 0, 2)]
        {
            assert_eq!(busy_cores(cores, cost(waiting, working)), loops, "{cores} cores, {waiting} of {working} ms");
        }
    }

    #[test]
    fn without_a_device_there_is_one_a_core() {
        let renderer = Renderer::cpu(Fonts::new(), 1);
        assert_eq!(loops(&renderer, 7), 7);
        let cost = cost(&renderer, &page(&renderer).unwrap()).unwrap();
        assert!(!cost.waiting.is_zero() && !cost.working.is_zero());
    }
}
