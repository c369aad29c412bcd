//! Points at which tests end the process as a power cut would. Builds for use have none of it.

/// The variable that names a point and how often it is passed before it ends the process: `NAME=TIMES`.
#[cfg(debug_assertions)]
const VARIABLE: &str = "VIVID_FAILPOINT";

/// Ends the process at once, where the environment says so.
#[cfg(debug_assertions)]
pub fn failpoint(name: impl std::fmt::Display) {
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicU32, Ordering};

    static NAMED: OnceLock<Option<(String, u32)>> = OnceLock::new();
    static PASSED: AtomicU32 = AtomicU32::new(0);
    let named = NAMED.get_or_init(|| {
        let set = std::env::var(VARIABLE).ok()?;
        let (name, times) = set.rsplit_once('=')?;
        Some((name.to_owned(), times.parse().ok()?))
    });
    let Some((fatal, times)) = named else { return };
    if *fatal == name.to_string() && PASSED.fetch_add(1, Ordering::SeqCst) + 1 == *times {
        // Nothing is dropped, flushed or closed.
        std::process::abort();
    }
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
