//! What calls may cost: time and tokens of one piece of work, tokens of a day.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use super::{LlmError, locked};

/// What one piece of work may cost. Its calls share it.
#[derive(Debug)]
pub struct Budget {
    ends: Instant,
    tokens: AtomicU64,
}

impl Budget {
    /// So much time from now on, and so many tokens, prompts and answers together.
    pub fn new(time: Duration, tokens: u64) -> Self {
        Self { ends: Instant::now() + time, tokens: AtomicU64::new(tokens) }
    }

    /// The time that is left; `None` where there is none.
    pub fn time_left(&self) -> Option<Duration> {
        self.ends.checked_duration_since(Instant::now()).filter(|left| !left.is_zero())
    }

    /// Sets tokens aside.
    pub(super) fn reserve(&self, tokens: u64) -> Result<Reserved<'_>, LlmError> {
        take(&self.tokens, tokens).then_some(Reserved { from: &self.tokens, tokens }).ok_or(LlmError::Budget("tokens"))
    }
}

/// Takes `tokens` off `left`, where there are as many.
fn take(left: &AtomicU64, tokens: u64) -> bool {
    left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(tokens)).is_ok()
}

/// Tokens set aside for a call. What isn't settled counts as spent: a call that timed out may have been worked on.
#[derive(Debug)]
pub(super) struct Reserved<'a> {
    from: &'a AtomicU64,
    tokens: u64,
}

impl Reserved<'_> {
    /// Gives back what the call did not use; takes what it used beyond, as far as there is any.
    pub fn settle(self, used: u64) {
        if used <= self.tokens {
            self.from.fetch_add(self.tokens - used, Ordering::SeqCst);
        } else {
            let more = used - self.tokens;
            let taken = |left: u64| Some(left.saturating_sub(more));
            // The closure always answers, so the update always succeeds.
            let _ = self.from.fetch_update(Ordering::SeqCst, Ordering::SeqCst, taken);
        }
    }
}

/// Tokens of a day, in UTC.
#[derive(Debug)]
pub(super) struct Day {
    tokens: Option<u64>,
    today: Mutex<u64>,
    left: AtomicU64,
}

impl Day {
    /// So many a day; `None` is without end.
    pub fn of(tokens: Option<u64>) -> Self {
        Self { tokens, today: Mutex::new(today()), left: AtomicU64::new(tokens.unwrap_or(u64::MAX)) }
    }

    /// Sets tokens of today aside.
    pub fn reserve(&self, tokens: u64) -> Result<Reserved<'_>, LlmError> {
        self.reserve_on(today(), tokens)
    }

    fn reserve_on(&self, day: u64, tokens: u64) -> Result<Reserved<'_>, LlmError> {
        let Some(limit) = self.tokens else {
            // Nothing is counted where nothing is bounded.
            return Ok(Reserved { from: &self.left, tokens: 0 });
        };
        {
            let mut today = locked(&self.today);
            if *today != day {
                *today = day;
                self.left.store(limit, Ordering::SeqCst);
            }
        }
        take(&self.left, tokens)
            .then_some(Reserved { from: &self.left, tokens })
            .ok_or(LlmError::Budget("tokens for today"))
    }
}

/// Days since 1970.
fn today() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs() / 86_400)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_set_aside_is_gone_until_it_is_settled() {
        let budget = Budget::new(Duration::from_secs(60), 100);
        let first = budget.reserve(60).unwrap();
        assert_eq!(budget.reserve(60).unwrap_err(), LlmError::Budget("tokens"));
        first.settle(10);
        let second = budget.reserve(90).unwrap();
        second.settle(95);
        assert_eq!(budget.tokens.load(Ordering::SeqCst), 0, "ten and ninety-five are more than there were");
        assert!(budget.reserve(0).is_ok());
        assert!(Budget::new(Duration::ZERO, 1).time_left().is_none());
    }

    #[test]
    fn every_day_begins_anew() {
        let day = Day::of(Some(100));
        assert!(day.reserve_on(1, 80).is_ok());
        assert_eq!(day.reserve_on(1, 80).unwrap_err(), LlmError::Budget("tokens for today"));
        assert!(day.reserve_on(2, 80).is_ok());
        let endless = Day::of(None);
        for _ in 0..3 {
            endless.reserve(u64::MAX).unwrap().settle(u64::MAX);
        }
    }
}
