//! File descriptors: every connection needs one, and many systems start with a limit of 1,024 although far more are
//! allowed.

/// Descriptors reserved for everything except served connections: files, child processes, outgoing requests, and
/// refused connections.
const OTHERS: u64 = 512 + super::gate::CROWD as u64;
/// More than ever needed. Some containers allow a thousand times as many, and some programs iterate over all of them.
#[cfg(unix)]
const MOST: u64 = 1 << 20;

/// Raises the limit as far as allowed, and returns it; `None` if it is unknown.
#[cfg(unix)]
pub fn raise() -> Option<u64> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let wanted = maximum.unwrap_or(MOST).min(MOST);
    if current.is_some_and(|now| now < wanted)
        && let Err(e) = setrlimit(Resource::Nofile, Rlimit { current: Some(wanted), maximum })
    {
        tracing::warn!(error = %e, "raising the limit of file descriptors failed");
    }
    getrlimit(Resource::Nofile).current
}

/// Raises the limit as far as allowed, and returns it; `None` if it is unknown.
#[cfg(not(unix))]
pub fn raise() -> Option<u64> {
    None
}

/// Returns how many of `wanted` connections this many descriptors allow.
pub fn enough_for(wanted: usize, descriptors: Option<u64>) -> usize {
    let room = descriptors.map_or(u64::MAX, |n| n.saturating_sub(OTHERS).max(n / 2).max(1));
    wanted.min(usize::try_from(room).unwrap_or(usize::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn some_descriptors_are_left_for_the_rest() {
        assert_eq!(enough_for(12_000, None), 12_000);
        assert_eq!(enough_for(12_000, Some(1 << 20)), 12_000);
        assert_eq!(enough_for(12_000, Some(11_024)), 10_000);
        assert_eq!(enough_for(12_000, Some(1024)), 512);
        assert_eq!(enough_for(12_000, Some(0)), 1);
    }

    #[cfg(unix)]
    #[test]
    fn the_limit_is_raised_and_stays() {
        let raised = raise();
        assert_eq!(raise(), raised);
    }
}
