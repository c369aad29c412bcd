//! Allocations during rendering: a warm rasteriser allocates nothing.

#![allow(unsafe_code, reason = "an allocator that counts is unsafe to declare; it only passes on to the system's")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use render_core::raster::cpu::CpuRasteriser;
use render_core::raster::{Pixmap, Rasteriser};
use render_core::scene::{Canvas, Coverage, Item, Scene};
use render_core::text::Fonts;

/// Maximum allocations for a dashed line or ring.
const DASHES: usize = 8;

thread_local! {
    /// This thread's number of allocations, and their bytes.
    static TAKEN: Cell<(usize, usize)> = const { Cell::new((0, 0)) };
}

struct Counting;

#[global_allocator]
static COUNTING: Counting = Counting;

fn count(bytes: usize) {
    // A thread that ends frees and allocates after its counter is destroyed.
    _ = TAKEN.try_with(|taken| {
        let (count, sum) = taken.get();
        taken.set((count + 1, sum + bytes));
    });
}

// SAFETY: every call is passed on unchanged to the system allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: the caller upholds the requirements, which are the same as those of the system allocator.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size);
        // SAFETY: as above.
        unsafe { System.realloc(at, layout, size) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(at, layout) }
    }
}

/// Returns the number of allocations and their bytes for the third rendering of a scene, on a single thread.
fn taken(scene: &Scene, canvas: Canvas) -> (usize, usize) {
    let fonts = Fonts::new();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    pool.install(|| {
        let cpu = CpuRasteriser::new();
        let mut pixels = Pixmap { width: 0, height: 0, data: Vec::new() };
        let mut draw = || cpu.draw(scene, canvas, &fonts, &mut pixels).unwrap();
        draw();
        draw();
        TAKEN.set((0, 0));
        draw();
        TAKEN.get()
    })
}

#[test]
fn a_page_drawn_again_allocates_nothing() {
    let fonts = Fonts::new();
    let mut findings = Vec::new();
    for case in crate::parity::cases(&fonts) {
        let (count, bytes) = taken(&case.scene, case.canvas);
        // Kurbo allocates its own buffers for dashes.
        let is_dashed = |i: &Item| matches!(&i.coverage, Coverage::Stroke { stroke, .. } if !stroke.dashes.is_empty());
        let named = ["dashed", "dotted"].iter().any(|kind| case.name.contains(kind));
        let dashed = case.scene.items.iter().filter(|i| is_dashed(i)).count().max(usize::from(named));
        if count > DASHES * dashed {
            findings.push(format!("{}: {count} allocations, {bytes} bytes", case.name));
        }
    }
    assert!(findings.is_empty(), "{}:\n  {}", findings.len(), findings.join("\n  "));
}
