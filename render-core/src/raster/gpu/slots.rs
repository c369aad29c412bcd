//! Assigns the device's resources to pages.

use std::cell::Cell;
use std::ops::{Deref, DerefMut};

use parking_lot::{Condvar, Mutex};

thread_local! {
    /// Number of slots that this thread holds. A thread that waits for rayon tasks of its page may steal a task that
    /// draws another page. That page must not wait for a slot, since the first page can't finish before it.
    static HELD: Cell<usize> = const { Cell::new(0) };
}

/// Resources for a bounded number of pages at a time.
pub(super) struct Slots<T> {
    idle: Mutex<Idle<T>>,
    freed: Condvar,
}

struct Idle<T> {
    free: Vec<T>,
    /// How many more resources may be created.
    unmade: usize,
}

impl<T: Default> Slots<T> {
    /// Creates slots for `count` pages, at least one.
    pub fn new(count: usize) -> Self {
        Self { idle: Mutex::new(Idle { free: Vec::new(), unmade: count.max(1) }), freed: Condvar::new() }
    }

    /// Returns resources for a page. Waits if all are in use, except on a thread that already holds some.
    pub fn take(&self) -> Slot<'_, T> {
        let mut idle = self.idle.lock();
        let (held, counted) = loop {
            // The most recently used resources are still in the CPU caches.
            if let Some(held) = idle.free.pop() {
                break (held, true);
            }
            if idle.unmade > 0 {
                idle.unmade -= 1;
                break (T::default(), true);
            }
            if HELD.get() > 0 {
                break (T::default(), false);
            }
            self.freed.wait(&mut idle);
        };
        HELD.set(HELD.get() + 1);
        Slot { slots: self, held, counted }
    }
}

/// Resources in use. Dropping the slot returns them.
pub(super) struct Slot<'a, T: Default> {
    slots: &'a Slots<T>,
    held: T,
    counted: bool,
}

impl<T: Default> Slot<'_, T> {
    /// Replaces the resources, because their state is no longer known.
    pub fn reset(&mut self) {
        self.held = T::default();
    }
}

impl<T: Default> Deref for Slot<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.held
    }
}

impl<T: Default> DerefMut for Slot<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.held
    }
}

impl<T: Default> Drop for Slot<'_, T> {
    fn drop(&mut self) {
        HELD.set(HELD.get() - 1);
        if self.counted {
            let held = std::mem::take(&mut self.held);
            self.slots.idle.lock().free.push(held);
            self.slots.freed.notify_one();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_given_back_is_used_again_and_a_holder_never_waits() {
        let slots: Slots<Vec<u8>> = Slots::new(1);
        {
            let mut first = slots.take();
            first.push(7);
            assert_eq!(slots.take().len(), 0, "one beyond the bound for the thread that holds them all");
        }
        assert_eq!(*slots.take(), [7]);
        slots.take().reset();
        assert!(slots.take().is_empty());
    }

    #[test]
    fn others_wait_for_one() {
        let slots: Slots<Vec<u8>> = Slots::new(1);
        let mut first = slots.take();
        std::thread::scope(|scope| {
            let other = scope.spawn(|| slots.take().clone());
            first.push(1);
            drop(first);
            assert_eq!(other.join().unwrap(), [1]);
        });
    }
}
