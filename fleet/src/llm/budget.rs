//! Limits on calls: time and tokens of one job, and tokens of a day.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use parking_lot::Mutex;

use super::error::LlmError;

/// Tokens that the client of a job may use, and those that the job has used. Clones share the counts.
#[derive(Debug, Clone, Default)]
pub struct Allowance {
    tokens: Option<u64>,
    used: Arc<AtomicU64>,
    usage: Arc<Mutex<Usage>>,
}

/// Usage of answered calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Usage {
    /// Calls that the server answered.
    pub calls: u32,
    /// Tokens of their prompts.
    pub input: u64,
    /// Tokens of their answers.
    pub output: u64,
    /// Price in millionths of a US dollar; `None` where no price is known.
    pub micro_usd: Option<u64>,
}

/// The price of tokens, in US dollars per million.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Price {
    /// Of prompts.
    pub input: f64,
    /// Of answers.
    pub output: f64,
}

impl Price {
    /// Returns the price of these tokens, in millionths of a US dollar.
    pub(super) fn micro_usd(self, input: u64, output: u64) -> u64 {
        // Dollars per million tokens equal millionths of a dollar per token.
        (input as f64 * self.input + output as f64 * self.output).round() as u64
    }
}

impl Allowance {
    /// Allows this many tokens, prompts and answers together; `None` for no limit but that of the [`Budget`].
    pub fn of(tokens: Option<u64>) -> Self {
        Self { tokens, ..Self::default() }
    }

    /// Returns the tokens used. An unanswered call counts with its estimate.
    pub fn used(&self) -> u64 {
        self.used.load(Ordering::SeqCst)
    }

    /// Returns the usage of answered calls.
    pub fn usage(&self) -> Usage {
        *self.usage.lock()
    }
}

/// Limits of one job. All its calls share them.
#[derive(Debug)]
pub struct Budget {
    ends: Instant,
    tokens: AtomicU64,
    used: Arc<AtomicU64>,
    usage: Arc<Mutex<Usage>>,
    /// The name of the limit that the error reports when no tokens are left.
    of: &'static str,
}

impl Budget {
    /// Allows this much time from now on, and this many tokens, prompts and answers together.
    pub fn new(time: Duration, tokens: u64) -> Self {
        Self::within(time, tokens, &Allowance::default())
    }

    /// Like [`Self::new`], and also limited by the client's allowance.
    pub fn within(time: Duration, tokens: u64, allowance: &Allowance) -> Self {
        let (tokens, of) = match allowance.tokens {
            Some(allowed) if allowed < tokens => (allowed, "the account's tokens for today"),
            _ => (tokens, "tokens"),
        };
        Self {
            ends: Instant::now() + time,
            tokens: AtomicU64::new(tokens),
            used: Arc::clone(&allowance.used),
            usage: Arc::clone(&allowance.usage),
            of,
        }
    }

    /// Counts an answered call.
    pub(super) fn count(&self, call: Usage) {
        let mut usage = self.usage.lock();
        usage.calls += call.calls;
        usage.input += call.input;
        usage.output += call.output;
        if let Some(price) = call.micro_usd {
            usage.micro_usd = Some(usage.micro_usd.unwrap_or(0) + price);
        }
    }

    /// Returns the remaining time; `None` where none is left.
    pub fn time_left(&self) -> Option<Duration> {
        self.ends.checked_duration_since(Instant::now()).filter(|left| !left.is_zero())
    }

    /// Reserves tokens for a call.
    pub(super) fn reserve(&self, tokens: u64) -> Result<Reserved<'_>, LlmError> {
        if !take(&self.tokens, tokens) {
            return Err(LlmError::Budget(self.of));
        }
        self.used.fetch_add(tokens, Ordering::SeqCst);
        Ok(Reserved { from: &self.tokens, used: Some(&self.used), tokens })
    }
}

/// Subtracts `tokens` from `left`, and returns whether enough were left.
fn take(left: &AtomicU64, tokens: u64) -> bool {
    left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(tokens)).is_ok()
}

/// Tokens reserved for a call. A reservation that is dropped unsettled stays spent: the server may have worked on a
/// call that timed out.
#[derive(Debug)]
pub(super) struct Reserved<'a> {
    from: &'a AtomicU64,
    /// Counts the tokens used, for budgets with an allowance.
    used: Option<&'a AtomicU64>,
    tokens: u64,
}

impl Reserved<'_> {
    /// Returns what the call did not use, or subtracts what it used beyond the reservation, down to zero.
    pub fn settle(self, used: u64) {
        if let Some(count) = self.used {
            // The difference may wrap around. The sum is still right, because it includes the reservation.
            count.fetch_add(used.wrapping_sub(self.tokens), Ordering::SeqCst);
        }
        if used <= self.tokens {
            self.from.fetch_add(self.tokens - used, Ordering::SeqCst);
        } else {
            let more = used - self.tokens;
            let taken = |left: u64| Some(left.saturating_sub(more));
            // The closure always returns `Some`, so the update always succeeds.
            let _ = self.from.fetch_update(Ordering::SeqCst, Ordering::SeqCst, taken);
        }
    }
}

/// Tokens of a day in UTC.
#[derive(Debug)]
pub(super) struct Day {
    tokens: Option<u64>,
    today: Mutex<u64>,
    left: AtomicU64,
}

impl Day {
    /// Allows this many tokens per day; `None` for no limit.
    pub fn of(tokens: Option<u64>) -> Self {
        Self { tokens, today: Mutex::new(today()), left: AtomicU64::new(tokens.unwrap_or(u64::MAX)) }
    }

    /// Reserves tokens of today.
    pub fn reserve(&self, tokens: u64) -> Result<Reserved<'_>, LlmError> {
        self.reserve_on(today(), tokens)
    }

    fn reserve_on(&self, day: u64, tokens: u64) -> Result<Reserved<'_>, LlmError> {
        let Some(limit) = self.tokens else {
            // Without a limit nothing is counted.
            return Ok(Reserved { from: &self.left, used: None, tokens: 0 });
        };
        {
            let mut today = self.today.lock();
            if *today != day {
                *today = day;
                self.left.store(limit, Ordering::SeqCst);
            }
        }
        take(&self.left, tokens)
            .then_some(Reserved { from: &self.left, used: None, tokens })
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
    fn an_allowance_bounds_a_budget_and_counts_what_is_used() {
        let allowance = Allowance::of(Some(50));
        let budget = Budget::within(Duration::from_secs(60), 100, &allowance);
        let first = budget.reserve(40).unwrap();
        assert_eq!(allowance.used(), 40, "until it is settled, all of it");
        first.settle(30);
        assert_eq!(allowance.used(), 30);
        assert_eq!(budget.reserve(21).unwrap_err(), LlmError::Budget("the account's tokens for today"));
        budget.reserve(20).unwrap().settle(25);
        assert_eq!(allowance.used(), 55, "what the server counted");
        let wide = Allowance::of(Some(500));
        let budget = Budget::within(Duration::from_secs(60), 100, &wide);
        assert_eq!(budget.reserve(101).unwrap_err(), LlmError::Budget("tokens"));
        assert_eq!(wide.used(), 0);
    }

    #[test]
    fn usage_adds_up_with_its_price() {
        let allowance = Allowance::default();
        let budget = Budget::within(Duration::from_secs(60), 100, &allowance);
        budget.count(Usage { calls: 1, input: 10, output: 2, micro_usd: None });
        assert_eq!(allowance.usage(), Usage { calls: 1, input: 10, output: 2, micro_usd: None });
        let price = Price { input: 0.15, output: 0.6 };
        assert_eq!(price.micro_usd(12_000, 4_000), 4_200, "0.15 * 12,000 + 0.6 * 4,000 millionths");
        budget.count(Usage { calls: 1, input: 12_000, output: 4_000, micro_usd: Some(4_200) });
        assert_eq!(allowance.usage(), Usage { calls: 2, input: 12_010, output: 4_002, micro_usd: Some(4_200) });
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
