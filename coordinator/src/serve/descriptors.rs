//! File descriptors: every connection takes one, and many systems begin with a limit of 1,024 where far more are allowed.

/// Descriptors for all that isn't a connection to be served: files, children, pages that are fetched, and those who are
/// told that there are too many.
const OTHERS: u64 = 512 + super::gate::CROWD as u64;
/// Beyond any need; some containers allow a thousand times as many, and there are programs that walk them all.
#[cfg(unix)]
const MOST: u64 = 1 << 20;

/// Raises the limit as far as the system lets this process, and returns it; nothing where there is none to be known.
#[cfg(unix)]
pub fn raise() -> Option<u64> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let wanted = maximum.unwrap_or(MOST).min(MOST);
    if current.is_some_and(|now| now < wanted)
        && let Err(e) = setrlimit(Resource::Nofile, Rlimit { current: Some(wanted), maximum })
    {
        tracing::warn!(error = %e, "the limit of file descriptors can't be raised");
    }
    getrlimit(Resource::Nofile).current
}

/// Raises the limit as far as the system lets this process, and returns it; nothing where there is none to be known.
#[cfg(not(unix))]
pub fn raise() -> Option<u64> {
    None
}

/// How many of `wanted` connections so many descriptors are enough for.
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
