//! Failpoints, at which tests end the process as a power cut would, or suspend it as a sleeping machine would. Only
//! debug builds contain them.

/// Environment variable that names a failpoint and the pass that triggers it. `NAME=TIMES` ends the process;
/// `NAME=TIMES:stop` stops the process until it is continued.
#[cfg(debug_assertions)]
const VARIABLE: &str = "VIVID_FAILPOINT";

/// Ends or stops the process immediately, if the environment selects this failpoint and pass.
#[cfg(debug_assertions)]
pub fn failpoint(name: impl std::fmt::Display) {
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicU32, Ordering};

    static NAMED: OnceLock<Option<(String, u32, bool)>> = OnceLock::new();
    static PASSED: AtomicU32 = AtomicU32::new(0);
    let named = NAMED.get_or_init(|| {
        let set = std::env::var(VARIABLE).ok()?;
        let (name, times) = set.rsplit_once('=')?;
        let (times, stops) = times.strip_suffix(":stop").map_or((times, false), |times| (times, true));
        Some((name.to_owned(), times.parse().ok()?, stops))
    });
    let Some((chosen, times, stops)) = named else { return };
    if *chosen != name.to_string() || PASSED.fetch_add(1, Ordering::SeqCst) + 1 != *times {
        return;
    }
    #[cfg(unix)]
    if *stops {
        let _ = rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::STOP);
        // Another thread may receive the signal, and this thread must not continue before that.
        std::thread::sleep(std::time::Duration::from_millis(100));
        return;
    }
    // Other platforms can't stop a process, so it ends. Nothing is dropped, flushed or closed.
    let _ = stops;
    std::process::abort();
}

/// Does nothing in release builds.
#[cfg(not(debug_assertions))]
#[inline(always)]
pub fn failpoint(_name: impl std::fmt::Display) {}

/// Environment variable that names a fault and how often it occurs: `NAME=TIMES`.
#[cfg(debug_assertions)]
const FAULT: &str = "VIVID_FAULT";

/// Returns whether this fault occurs now, as the environment selects.
#[cfg(debug_assertions)]
pub fn fault(name: &str) -> bool {
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicU32, Ordering};

    static NAMED: OnceLock<Option<(String, AtomicU32)>> = OnceLock::new();
    let named = NAMED.get_or_init(|| {
        let set = std::env::var(FAULT).ok()?;
        let (name, times) = set.rsplit_once('=')?;
        Some((name.to_owned(), AtomicU32::new(times.parse().ok()?)))
    });
    let Some((wrong, left)) = named else { return false };
    wrong == name && left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1)).is_ok()
}

/// Returns `false` in release builds.
#[cfg(not(debug_assertions))]
#[inline(always)]
pub fn fault(_name: &str) -> bool {
    false
}
