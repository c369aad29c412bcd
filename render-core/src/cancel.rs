//! Cancellation: a scope that callers open around cancellable work, and the checks in its loops.
//!
//! The core has neither a clock nor its own threads, so the caller decides when work is cancelled and reports it
//! through a [`Signal`]. Loops whose length depends on the input check the signal. If it is raised, the check unwinds
//! the stack with [`Cancelled`], using `resume_unwind` so that no panic is reported, and [`Scope::run`] catches it.
//! This keeps `Result`s out of a few hundred functions that can't fail otherwise. No check happens while a lock is held
//! or a static is initialised.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;

/// Tells whether work has been cancelled.
pub trait Signal: Send + Sync {
    /// Returns whether the work must end now. Called often, so it must be fast.
    fn is_raised(&self) -> bool;
}

/// The work was cancelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the work was cancelled")]
pub struct Cancelled;

/// The signal that the checks of a thread query.
#[derive(Clone, Default)]
pub struct Scope(Option<Arc<dyn Signal>>);

/// Number of [`tick`] calls per query of the signal: a power of two.
const TICKS: u32 = 64;

thread_local! {
    static CURRENT: RefCell<Scope> = RefCell::default();
    static TICKED: Cell<u32> = const { Cell::new(0) };
}

/// Restores the caller's scope, even if the work unwinds.
struct Restore(Option<Scope>);

impl Drop for Restore {
    fn drop(&mut self) {
        if let Some(scope) = self.0.take() {
            CURRENT.replace(scope);
        }
    }
}

impl Scope {
    /// Creates a scope whose work ends once `signal` is raised.
    pub fn new(signal: Arc<dyn Signal>) -> Self {
        Self(Some(signal))
    }

    /// Returns this thread's scope, to enter it on another thread that does part of the same work.
    pub fn current() -> Self {
        CURRENT.with_borrow(Self::clone)
    }

    /// Runs `work` within this scope. A check that finds the signal raised unwinds through this call.
    pub fn enter<T>(&self, work: impl FnOnce() -> T) -> T {
        let _restore = Restore(Some(CURRENT.replace(self.clone())));
        work()
    }

    /// Runs `work` within this scope until it is cancelled. Other panics unwind through this call.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn run<T>(&self, work: impl FnOnce() -> T) -> Result<T, Cancelled> {
        catch_unwind(AssertUnwindSafe(|| self.enter(work)))
            .or_else(|payload| if payload.is::<Cancelled>() { Err(Cancelled) } else { resume_unwind(payload) })
    }

    fn is_raised(&self) -> bool {
        self.0.as_ref().is_some_and(|signal| signal.is_raised())
    }
}

/// Unwinds if the work of this scope was cancelled. For loops whose steps take microseconds or more.
pub fn check() {
    if CURRENT.with_borrow(Scope::is_raised) {
        resume_unwind(Box::new(Cancelled));
    }
}

/// Does the same for loops with short steps: queries the signal only once in many calls.
pub fn tick() {
    let ticked = TICKED.get().wrapping_add(1);
    TICKED.set(ticked);
    if ticked.is_multiple_of(TICKS) {
        check();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use rayon::prelude::*;

    use super::*;

    /// A signal that is raised after this many queries.
    struct After(AtomicUsize);

    impl Signal for After {
        fn is_raised(&self) -> bool {
            self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| n.checked_sub(1)).is_err()
        }
    }

    fn after(looks: usize) -> Scope {
        Scope::new(Arc::new(After(AtomicUsize::new(looks))))
    }

    #[test]
    fn i18_work_ends_at_the_first_check_after_the_signal() {
        let steps = Cell::new(0);
        let ended = after(3).run(|| {
            loop {
                check();
                steps.set(steps.get() + 1);
            }
        });
        assert_eq!((ended, steps.get()), (Err::<(), _>(Cancelled), 3));
        // Outside the scope, nothing is cancelled.
        check();
        assert_eq!(after(0).run(|| 7), Ok(7), "work without checks");
        let ticks = Cell::new(0);
        let ended = after(2).run(|| {
            loop {
                tick();
                ticks.set(ticks.get() + 1);
            }
        });
        assert_eq!(ended, Err::<(), _>(Cancelled));
        assert!((2 * TICKS..3 * TICKS).contains(&ticks.get()), "{}", ticks.get());
    }

    #[test]
    fn scopes_nest_and_other_panics_go_on() {
        let outer = after(usize::MAX);
        let within = outer.run(|| {
            assert_eq!(after(0).run(check), Err(Cancelled));
            check();
            "the outer goes on"
        });
        assert_eq!(within, Ok("the outer goes on"));
        let other = catch_unwind(AssertUnwindSafe(|| outer.run(|| resume_unwind(Box::new("a fault")))));
        assert_eq!(other.expect_err("it panicked").downcast_ref::<&str>(), Some(&"a fault"));
        assert!(Scope::current().0.is_none());
    }

    #[test]
    fn other_threads_take_part() {
        let ended = after(50).run(|| {
            let scope = Scope::current();
            (0..10_000).into_par_iter().for_each(|_| scope.enter(check));
        });
        assert_eq!(ended, Err(Cancelled));
    }
}
