//! Permits that accounts share fairly: for estimates, edit previews, children of the sandbox, and compute threads.
//!
//! A free permit goes to the waiting account that holds the fewest, and among equals to the one that was served longest
//! ago. However much an account requests at once, it delays others by at most one of its tasks.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use parking_lot::Mutex;
use tokio::sync::oneshot;
use uuid::Uuid;

/// The account has too many requests waiting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the account has too many requests waiting")]
pub struct Busy;

/// Limits of one account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AccountLimits {
    /// Permits that it may hold.
    pub held: usize,
    /// Requests that may wait for a permit.
    pub waiting: usize,
}

impl AccountLimits {
    /// No limits, for callers that are limited elsewhere.
    pub const UNBOUNDED: Self = Self { held: usize::MAX, waiting: usize::MAX };

    /// Allows all permits but one, so that other accounts find one free. Any number may wait.
    pub fn all_but_one(permits: usize) -> Self {
        Self { held: permits.saturating_sub(1).max(1), ..Self::UNBOUNDED }
    }
}

/// A set of permits that accounts share. Clones share it.
#[derive(Debug, Clone)]
pub struct FairSemaphore(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    each: AccountLimits,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    free: usize,
    /// Permits held per account; accounts without permits have no entry.
    held: HashMap<Uuid, usize>,
    /// For accounts that hold or await permits: the value of `count` when they last got one.
    served: HashMap<Uuid, u64>,
    count: u64,
    /// Waiting accounts with their requests, oldest first.
    waiting: Vec<(Uuid, VecDeque<oneshot::Sender<Permit>>)>,
}

/// A permit. Dropping it frees it.
#[derive(Debug)]
pub struct Permit {
    semaphore: Option<FairSemaphore>,
    account: Uuid,
}

impl FairSemaphore {
    /// Creates this many permits, at least one. [`Uuid::nil`] stands for the service itself, which no account limit
    /// affects.
    pub fn new(permits: usize, each: AccountLimits) -> Self {
        let state = State { free: permits.max(1), ..State::default() };
        Self(Arc::new(Inner { each, state: Mutex::new(state) }))
    }

    /// Waits for a permit for `account`. Cancel safe: the future may be dropped at any time.
    ///
    /// # Errors
    /// [`Busy`], immediately.
    pub async fn acquire(&self, account: Uuid) -> Result<Permit, Busy> {
        let turn = {
            let mut state = self.0.state.lock();
            let at = state.waiting.iter().position(|(a, _)| *a == account);
            if at.is_none() && state.free > 0 && self.may_hold(&state, account) {
                state.grant(account);
                return Ok(self.permit(account));
            }
            let (sender, turn) = oneshot::channel();
            match at {
                Some(at) => {
                    let queue = &mut state.waiting[at].1;
                    queue.retain(|waits| !waits.is_closed());
                    if queue.len() >= self.0.each.waiting && !account.is_nil() {
                        return Err(Busy);
                    }
                    queue.push_back(sender);
                }
                None if self.0.each.waiting == 0 && !account.is_nil() => return Err(Busy),
                None => state.waiting.push((account, VecDeque::from([sender]))),
            }
            turn
        };
        // Earlier waiters may have been dropped, so a permit may be free.
        self.serve();
        turn.await.map_err(|_| Busy)
    }

    fn may_hold(&self, state: &State, account: Uuid) -> bool {
        account.is_nil() || state.held_by(account) < self.0.each.held
    }

    fn permit(&self, account: Uuid) -> Permit {
        Permit { semaphore: Some(self.clone()), account }
    }

    /// Gives free permits to the accounts that are next.
    fn serve(&self) {
        loop {
            let (account, sender) = {
                let mut state = self.0.state.lock();
                state.forget_the_gone();
                if state.free == 0 {
                    return;
                }
                let able = (0..state.waiting.len()).filter(|at| self.may_hold(&state, state.waiting[*at].0));
                let Some(at) = able.min_by_key(|at| state.turn_of(state.waiting[*at].0)) else { return };
                let account = state.waiting[at].0;
                let sender = state.waiting[at].1.pop_front();
                let Some(sender) = sender else { continue };
                state.grant(account);
                (account, sender)
            };
            // Send outside the lock: if the receiver is gone, the permit is dropped here, which serves the next
            // account.
            drop(sender.send(self.permit(account)));
        }
    }
}

impl State {
    fn held_by(&self, account: Uuid) -> usize {
        self.held.get(&account).copied().unwrap_or(0)
    }

    /// The sort key of an account, least first: permits held, then when it was last served, 0 for never.
    fn turn_of(&self, account: Uuid) -> (usize, u64) {
        (self.held_by(account), self.served.get(&account).copied().unwrap_or(0))
    }

    fn grant(&mut self, account: Uuid) {
        self.free -= 1;
        self.count += 1;
        self.served.insert(account, self.count);
        *self.held.entry(account).or_default() += 1;
    }

    fn forget_the_gone(&mut self) {
        self.waiting.retain_mut(|(_, queue)| {
            queue.retain(|waits| !waits.is_closed());
            !queue.is_empty()
        });
        // Forget idle accounts: one that returns counts as never served.
        let (held, waiting) = (&self.held, &self.waiting);
        self.served.retain(|account, _| held.contains_key(account) || waiting.iter().any(|(a, _)| a == account));
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        let Some(semaphore) = self.semaphore.take() else { return };
        {
            let mut state = semaphore.0.state.lock();
            state.free += 1;
            let left = state.held_by(self.account).saturating_sub(1);
            if left == 0 {
                state.held.remove(&self.account);
            } else {
                state.held.insert(self.account, left);
            }
        }
        semaphore.serve();
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;

    use super::*;

    const LOUD: Uuid = Uuid::from_u128(1);
    const QUIET: Uuid = Uuid::from_u128(2);
    const OTHER: Uuid = Uuid::from_u128(3);

    /// Requests a permit in a task, which waits if none is free.
    fn asked(semaphore: &FairSemaphore, account: Uuid) -> tokio::task::JoinHandle<Result<Permit, Busy>> {
        let semaphore = semaphore.clone();
        tokio::spawn(async move { semaphore.acquire(account).await })
    }

    async fn settled() {
        for _ in 0..20 {
            tokio::task::yield_now().await;
        }
    }

    #[tokio::test]
    async fn i18_who_comes_late_waits_for_one_of_those_who_flood() {
        let semaphore = FairSemaphore::new(2, AccountLimits::UNBOUNDED);
        let mut held = vec![semaphore.acquire(LOUD).await.unwrap(), semaphore.acquire(LOUD).await.unwrap()];
        let waiting: Vec<_> = (0..100).map(|_| asked(&semaphore, LOUD)).collect();
        settled().await;
        let (quiet, other) = (asked(&semaphore, QUIET), asked(&semaphore, OTHER));
        settled().await;
        assert!(!quiet.is_finished() && !other.is_finished());
        held.pop();
        settled().await;
        assert!(quiet.is_finished() && !other.is_finished(), "the next permit is that of who holds none");
        held.pop();
        settled().await;
        assert!(other.is_finished() && waiting.iter().all(|w| !w.is_finished()));
        drop((quiet.await.unwrap().unwrap(), other.await.unwrap().unwrap()));
        settled().await;
        assert_eq!(waiting.iter().filter(|w| w.is_finished()).count(), 2, "alone it has them all");
    }

    #[tokio::test]
    async fn i18_equals_take_turns() {
        let semaphore = FairSemaphore::new(1, AccountLimits::UNBOUNDED);
        let first = semaphore.acquire(OTHER).await.unwrap();
        let (turns, mut told) = tokio::sync::mpsc::unbounded_channel();
        for n in 0..12_u128 {
            let (semaphore, turns) = (semaphore.clone(), turns.clone());
            let account = if n < 8 { LOUD } else { QUIET };
            tokio::spawn(async move {
                let permit = semaphore.acquire(account).await.unwrap();
                turns.send(account).unwrap();
                tokio::task::yield_now().await;
                drop(permit);
            });
            settled().await;
        }
        drop((first, turns));
        let mut order = Vec::new();
        while let Some(account) = told.recv().await {
            order.push(account);
        }
        assert_eq!(order[..8], [LOUD, QUIET, LOUD, QUIET, LOUD, QUIET, LOUD, QUIET]);
        assert_eq!(order[8..], [LOUD; 4]);
    }

    #[tokio::test]
    async fn i18_an_account_has_only_so_much_at_once() {
        let semaphore = FairSemaphore::new(3, AccountLimits { held: 2, waiting: 1 });
        let held = [semaphore.acquire(LOUD).await.unwrap(), semaphore.acquire(LOUD).await.unwrap()];
        let mut third = Box::pin(semaphore.acquire(LOUD));
        assert!(third.as_mut().now_or_never().is_none(), "one permit is others'");
        assert_eq!(semaphore.acquire(LOUD).await.unwrap_err(), Busy);
        let quiet = semaphore.acquire(QUIET).await.unwrap();
        // Dropping a waiting request removes it from the queue, and frees a permit that it was given.
        drop(third);
        let third = asked(&semaphore, LOUD);
        settled().await;
        assert!(!third.is_finished());
        drop(held);
        settled().await;
        assert!(third.is_finished());
        drop((quiet, third));
        settled().await;
        let all: Vec<_> = (0..3).map(|_| semaphore.acquire(Uuid::nil()).now_or_never().unwrap().unwrap()).collect();
        assert_eq!(all.len(), 3, "the service itself has no such limit");
        drop(all);
        let state = semaphore.0.state.lock();
        assert!(state.free == 3 && state.held.is_empty() && state.served.is_empty() && state.waiting.is_empty());
    }
}
