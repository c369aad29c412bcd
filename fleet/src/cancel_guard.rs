//! Cancels computation: at its deadline, and when nobody awaits it any more.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use render_core::cancel::{Scope, Signal};

/// Cancels work when it is dropped, or at its deadline. The computing thread checks the clock itself, so work ends even
/// if no other thread is free to cancel it.
#[derive(Debug)]
pub struct CancelGuard(Arc<Until>);

#[derive(Debug)]
struct Until {
    off: AtomicBool,
    deadline: Instant,
}

impl Signal for Until {
    fn is_raised(&self) -> bool {
        self.off.load(Ordering::Relaxed) || Instant::now() >= self.deadline
    }
}

impl CancelGuard {
    /// Creates a guard of work that may take up to `time` from now on.
    pub fn new(time: Duration) -> Self {
        Self(Arc::new(Until { off: AtomicBool::new(false), deadline: Instant::now() + time }))
    }

    /// Returns the scope in which the work must run.
    pub fn scope(&self) -> Scope {
        Scope::new(Arc::clone(&self.0) as Arc<dyn Signal>)
    }
}

impl Drop for CancelGuard {
    fn drop(&mut self) {
        self.0.off.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use render_core::cancel::{Cancelled, check};

    use super::*;

    #[test]
    fn i18_work_ends_at_its_deadline_and_with_whoever_wanted_it() {
        let endless = || -> () {
            loop {
                check();
                std::thread::yield_now();
            }
        };
        let guard = CancelGuard::new(Duration::from_millis(20));
        assert_eq!(guard.scope().run(endless), Err(Cancelled));
        let guard = CancelGuard::new(Duration::from_secs(3_600));
        let scope = guard.scope();
        let working = std::thread::spawn(move || scope.run(endless));
        drop(guard);
        assert_eq!(working.join().unwrap(), Err(Cancelled));
    }
}
