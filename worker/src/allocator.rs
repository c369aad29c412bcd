//! The service's allocator.
//!
//! Threads constantly free blocks that other threads allocated. The system's allocator spends half of a busy
//! coordinator's time on that, so mimalloc serves small blocks. It does not serve large ones: mimalloc 2 never returns
//! a block beyond 16 MiB to the system if another thread frees it, which costs some 60 MB for every PDF that is sent.
//! The system's allocator maps such blocks one by one and unmaps them when they are freed.

#![allow(unsafe_code, reason = "an allocator is unsafe to declare; this one only chooses between two others by size")]

use std::alloc::{GlobalAlloc, Layout, System};

use mimalloc::MiMalloc;

/// Size in bytes from which the system's allocator serves a block: well below the size that mimalloc keeps.
const LARGE: usize = 8 << 20;

/// mimalloc for small blocks, the system's allocator for large ones.
#[derive(Debug)]
pub struct Allocator;

/// Whether the system allocator handles this layout. A block is freed with the layout that it was allocated with.
fn is_large(layout: &Layout) -> bool {
    layout.size() >= LARGE
}

// SAFETY: the layout alone chooses between two allocators. The caller frees a block with the layout that it was
// allocated with, so the block returns to the same allocator.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller guarantees what both allocators require.
        unsafe { if is_large(&layout) { System.alloc(layout) } else { MiMalloc.alloc(layout) } }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        unsafe { if is_large(&layout) { System.alloc_zeroed(layout) } else { MiMalloc.alloc_zeroed(layout) } }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        // SAFETY: as above; this allocator returned the block.
        unsafe { if is_large(&layout) { System.dealloc(at, layout) } else { MiMalloc.dealloc(at, layout) } }
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller promises that the new size makes a layout with the alignment of the old one.
        let new = unsafe { Layout::from_size_align_unchecked(size, layout.align()) };
        match (is_large(&layout), is_large(&new)) {
            // SAFETY: as above; this allocator returned the block, and the block stays with it.
            (true, true) => unsafe { System.realloc(at, layout, size) },
            // SAFETY: as above.
            (false, false) => unsafe { MiMalloc.realloc(at, layout, size) },
            // The block moves from one allocator to the other.
            // SAFETY: both blocks exist, do not overlap, and have the bytes that are copied; the old one is freed once,
            // with its layout.
            _ => unsafe {
                let moved = self.alloc(new);
                if !moved.is_null() {
                    std::ptr::copy_nonoverlapping(at, moved, layout.size().min(size));
                    self.dealloc(at, layout);
                }
                moved
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_keep_their_bytes_as_they_grow_and_shrink_across_the_border() {
        let sizes = [1, 1000, LARGE - 1, LARGE, LARGE + 1, 3 * LARGE, LARGE, LARGE - 1, 10, 2 * LARGE, 7];
        let layout = |size| Layout::from_size_align(size, 16).unwrap();
        // SAFETY: every block is read and written within its size, and freed once, with its layout.
        unsafe {
            let mut at = Allocator.alloc_zeroed(layout(sizes[0]));
            assert_eq!(*at, 0);
            *at = 42;
            for pair in sizes.windows(2) {
                at = Allocator.realloc(at, layout(pair[0]), pair[1]);
                assert!(!at.is_null() && *at == 42);
                *at.add(pair[1] - 1) = 42;
                *at = 42;
            }
            Allocator.dealloc(at, layout(sizes[sizes.len() - 1]));
            let zeroed = Allocator.alloc_zeroed(layout(LARGE));
            assert_eq!((*zeroed, *zeroed.add(LARGE - 1)), (0, 0));
            Allocator.dealloc(zeroed, layout(LARGE));
        }
    }
}
