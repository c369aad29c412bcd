//! Points at which tests end the process as a power cut would, or put it to sleep as a machine that nobody uses. Builds for
//! use have none of it.

/// The variable that names a point and how often it is passed before it ends the process: `NAME=TIMES`; or before it
/// stops the process until somebody continues it: `NAME=TIMES:stop`.
#[cfg(debug_assertions)]
const VARIABLE: &str = "VIVID_FAILPOINT";

/// Ends or stops the process at once, where the environment says so.
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
        // Another thread may get the signal, and this one must not go on before it has.
        std::thread::sleep(std::time::Duration::from_millis(100));
        return;
    }
    // Elsewhere nothing can be stopped. Nothing is dropped, flushed or closed.
    let _ = stops;
    std::process::abort();
}

/// Nothing.
#[cfg(not(debug_assertions))]
#[inline(always)]
pub fn failpoint(_name: impl std::fmt::Display) {}

/// The variable that names what goes wrong, and how often: `NAME=TIMES`.
#[cfg(debug_assertions)]
const FAULT: &str = "VIVID_FAULT";

/// Whether this goes wrong now, where the environment says so.
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

/// Never.
#[cfg(not(debug_assertions))]
#[inline(always)]
pub fn fault(_name: &str) -> bool {
    false
}
