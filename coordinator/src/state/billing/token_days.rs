//! Language model tokens that each account used per UTC day.
//!
//! A plan job is granted tokens when it is claimed. The grant counts as used at once, so that concurrent jobs can't
//! exceed the account's limit. The job's report says how many tokens it really used. If its worker never reports, the
//! whole grant stays used, because the model may have answered its calls.

use uuid::Uuid;

use crate::clock::{Day, Millis};
use crate::state::database::tables::{Abort, Tx};
use crate::state::error::StateError;
use crate::state::rows::jobs::{OpenJob, Work};
use crate::state::rows::ledger::{Granted, TokenDay};
use crate::state::rows::schema::TOKEN_DAYS;
use crate::state::store::Store;

/// Maximum number of tokens that a plan may report if no limit is set and so none were granted.
const UNGRANTED: u64 = 1 << 24;

impl TokenDay {
    /// Returns the row for `day`. Usage of an earlier day is dropped.
    fn on(self, day: Day) -> Self {
        if self.day == day.0 { self } else { Self { day: day.0, used: 0 } }
    }
}

/// Tokens of the current day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TokensToday {
    /// Tokens used, including grants that aren't reported yet.
    pub used: u64,
    /// The daily limit; `None` if there is none.
    pub limit: Option<u64>,
}

/// Grants an account as many of today's tokens as are left, up to the maximum per grant. Returns `None` without a
/// limit.
pub(in crate::state) fn grant(
    tx: &Tx<'_>,
    account: Uuid,
    limit: Option<(u64, u64)>,
    now: Millis,
) -> Result<Option<Granted>, Abort> {
    let Some((a_day, at_once)) = limit else { return Ok(None) };
    let mut row = tx.get(&TOKEN_DAYS, account.as_bytes())?.unwrap_or_default().on(now.day());
    let tokens = a_day.saturating_sub(row.used).min(at_once);
    if tokens > 0 {
        row.used += tokens;
        tx.put(&TOKEN_DAYS, account.as_bytes(), &row)?;
    }
    Ok(Some(Granted { day: row.day, tokens }))
}

/// Returns the number of tokens that a worker's report may count: only a plan's, and at most its grant. A worker must
/// not be able to use up the account's day.
pub(in crate::state) fn credible(job: &OpenJob, reported: Option<u64>) -> Option<u64> {
    let most = job.tokens.map_or(UNGRANTED, |granted| granted.tokens);
    reported.filter(|_| job.work == Work::Plan).map(|tokens| tokens.min(most))
}

/// Records the tokens that were used, and returns the unused part of the grant on the same day. If the number is
/// unknown, the whole grant counts as used.
pub(in crate::state) fn settle(
    tx: &Tx<'_>,
    account: Uuid,
    granted: Option<Granted>,
    used: Option<u64>,
    now: Millis,
) -> Result<(), Abort> {
    let Some(used) = used else { return Ok(()) };
    let day = granted.map_or(now.day(), |granted| Day(granted.day));
    let old = tx.get(&TOKEN_DAYS, account.as_bytes())?.unwrap_or_default();
    let granted = granted.map_or(0, |granted| granted.tokens);
    // The grant's day is over, or there is nothing to correct.
    if old.day > day.0 || granted == used {
        return Ok(());
    }
    let mut row = old.on(day);
    row.used = row.used.saturating_sub(granted).saturating_add(used);
    tx.put(&TOKEN_DAYS, account.as_bytes(), &row)
}

impl Store {
    /// Limits the tokens that an account may use per UTC day, and grants at most `at_once` to one job. Only the first
    /// call has an effect.
    pub fn limit_tokens(&self, a_day: u64, at_once: u64) {
        // A second call is a programming error, but harmless.
        let _ = self.shared.tokens.limit.set((a_day, at_once));
    }

    /// Returns the tokens of the current day.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn tokens_today(&self, account: Uuid, now: Millis) -> Result<TokensToday, StateError> {
        let row = self.shared.tables.get(&TOKEN_DAYS, account.as_bytes())?.unwrap_or_default().on(now.day());
        Ok(TokensToday { used: row.used, limit: self.shared.tokens.get().map(|(a_day, _)| a_day) })
    }

    /// Grants an account tokens for a request that it waits for. Returns `None` without a limit.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn grant_tokens(&self, account: Uuid, now: Millis) -> Result<Option<Granted>, StateError> {
        let Some(limit) = self.shared.tokens.get() else { return Ok(None) };
        self.commit(|tx| grant(tx, account, Some(limit), now))
    }

    /// Records the tokens used of a grant, or used without a limit.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn settle_tokens(
        &self,
        account: Uuid,
        granted: Option<Granted>,
        used: u64,
        now: Millis,
    ) -> Result<(), StateError> {
        if granted.is_none() && used == 0 {
            return Ok(());
        }
        self.commit(|tx| settle(tx, account, granted, Some(used), now))
    }
}

#[cfg(test)]
mod tests {
    use fleet::protocol::{Class, Failure, Grant, Job, Outcome, Planned, Verdict};

    use super::*;
    use crate::state::Order;
    use crate::state::rows::golden;
    use crate::state::tests::{Bench, T0, bench, failure, order, success};

    #[test]
    fn rows_stay_as_they_are() {
        golden(&TokenDay { day: 5, used: 300 }, "0105fb2c01");
    }

    /// Claims the next plan job, and returns the tokens that it is granted.
    fn claimed(b: &Bench) -> (Grant, Job, Option<u64>) {
        let (claim, job) = b.claim(b.next().unwrap(), T0).unwrap();
        let Job::Plan(plan) = &job else { panic!("{job:?}") };
        let tokens = plan.tokens;
        (claim, job, tokens)
    }

    fn having_used(outcome: Outcome, tokens: u64) -> Outcome {
        let tokens = Some(tokens);
        match outcome {
            Outcome::Planned(done) => Outcome::Planned(Planned { tokens, ..done }),
            Outcome::Failed(failure) => Outcome::Failed(Failure { tokens, ..failure }),
            other => other,
        }
    }

    #[test]
    fn i18_one_account_can_t_use_up_the_tokens_of_others() {
        let b = bench(10_000);
        b.store.limit_tokens(1_000, 600);
        let used = || b.store.tokens_today(b.account, T0).unwrap().used;
        for _ in 0..4 {
            b.accept(1);
        }
        let claims: Vec<_> = (0..4).map(|_| claimed(&b)).collect();
        assert_eq!(claims.iter().map(|c| c.2).collect::<Vec<_>>(), [Some(600), Some(400), Some(0), Some(0)]);
        let [(first, plan, _), (second, ..), (third, ..), (fourth, other, _)] = &claims[..] else { unreachable!() };
        // Unused tokens are available to the next job.
        b.store.report(*first, &having_used(success(plan), 250), T0).unwrap();
        assert_eq!(used(), 650);
        b.store.report(*second, &having_used(failure(false), 0), T0).unwrap();
        assert_eq!(used(), 250, "what failed before a model was asked");
        b.store.report(*third, &having_used(failure(true), 0), T0).unwrap();
        b.store.report(*fourth, &success(other), T0).unwrap();
        assert_eq!(used(), 250, "a worker that does not tell what it used had nothing to use");
        // The job is enqueued again after a temporary failure, and granted the remaining tokens.
        let again = std::iter::from_fn(|| b.next()).find(|ticket| ticket.class == Class::Plan).unwrap();
        let (claim, job) = b.claim(again, T0).unwrap();
        assert!(matches!(&job, Job::Plan(plan) if plan.tokens == Some(600)));
        b.store.reap_all(T0).unwrap();
        assert_eq!(b.store.report(claim, &having_used(success(&job), 1), T0).unwrap(), Verdict::Refused);
        assert_eq!(used(), 850, "of a lost worker the grant stays used");
        let other = b.store.create_account(&crate::state::tests::account(), 100).unwrap();
        assert_eq!(b.store.tokens_today(other, T0), Ok(TokensToday { used: 0, limit: Some(1_000) }));
    }

    #[test]
    fn words_that_are_set_whole_are_granted_none() {
        let b = bench(100);
        b.store.limit_tokens(1_000, 600);
        b.store.accept(&Order { exact: true, ..order(b.account, 1) }).unwrap();
        assert_eq!(claimed(&b).2, None);
        assert_eq!(b.store.tokens_today(b.account, T0).unwrap().used, 0);
    }

    #[test]
    fn grants_count_at_once_and_are_settled_on_their_day() {
        let b = bench(0);
        let used = |now| b.store.tokens_today(b.account, now).unwrap().used;
        assert_eq!(b.store.grant_tokens(b.account, T0), Ok(None), "there is no limit yet");
        b.store.settle_tokens(b.account, None, 7, T0).unwrap();
        assert_eq!(used(T0), 7, "counted all the same");
        b.store.limit_tokens(100, 60);
        let grant = |now| b.store.grant_tokens(b.account, now).unwrap();
        let first = grant(T0);
        assert_eq!(first.map(|g| g.tokens), Some(60));
        assert_eq!(grant(T0).map(|g| g.tokens), Some(33), "what is left");
        assert_eq!(grant(T0).map(|g| g.tokens), Some(0));
        b.store.settle_tokens(b.account, first, 10, T0).unwrap();
        assert_eq!(used(T0), 50);
        let tomorrow = T0.plus_seconds(24 * 3600);
        let last = grant(T0);
        assert_eq!((used(tomorrow), grant(tomorrow).map(|g| g.tokens)), (0, Some(60)));
        b.store.settle_tokens(b.account, last, 0, tomorrow).unwrap();
        assert_eq!(used(tomorrow), 60, "what was granted yesterday is not given back today");
    }
}
