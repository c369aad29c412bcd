//! Places shared fairly between accounts: for estimates, edit previews, children of the sandbox, threads that compute.
//!
//! A place that becomes free goes to the account that holds the fewest of those that wait, and among equals to the one
//! that was served longest ago. What an account asks for at once delays others by one of its pieces of work at most.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;
use uuid::Uuid;

/// An account has as much waiting here as it may.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the account has as much waiting as it may")]
pub struct Busy;

/// What one account may have at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Each {
    /// Places that it may hold.
    pub held: usize,
    /// Requests that may wait for one.
    pub waiting: usize,
}

impl Each {
    /// Whatever is free, and any number that waits: for callers that are bounded elsewhere.
    pub const UNBOUNDED: Self = Self { held: usize::MAX, waiting: usize::MAX };

    /// All of so many places but one, so that others find one free; any number may wait.
    pub fn all_but_one(places: usize) -> Self {
        Self { held: places.saturating_sub(1).max(1), ..Self::UNBOUNDED }
    }
}

/// Places for work, shared between accounts. Clones share them.
#[derive(Debug, Clone)]
pub struct Share(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    each: Each,
    line: Mutex<Line>,
}

#[derive(Debug, Default)]
struct Line {
    free: usize,
    /// Places by account; none has zero.
    held: HashMap<Uuid, usize>,
    /// When accounts that hold or wait for places were last given one, by the count of places given.
    served: HashMap<Uuid, u64>,
    count: u64,
    /// Accounts that wait, and their requests, oldest first.
    waiting: Vec<(Uuid, VecDeque<oneshot::Sender<Place>>)>,
}

/// A place. Free again once it is dropped.
#[derive(Debug)]
pub struct Place {
    share: Option<Share>,
    account: Uuid,
}

impl Share {
    /// So many places, one at the least. [`Uuid::nil`] stands for the service itself, which no limit of an account holds.
    pub fn new(places: usize, each: Each) -> Self {
        let line = Line { free: places.max(1), ..Line::default() };
        Self(Arc::new(Inner { each, line: Mutex::new(line) }))
    }

    /// A place for `account`, once it is its turn. May be dropped at any time.
    ///
    /// # Errors
    /// [`Busy`], at once.
    pub async fn take(&self, account: Uuid) -> Result<Place, Busy> {
        let turn = {
            let mut line = self.line();
            let at = line.waiting.iter().position(|(a, _)| *a == account);
            if at.is_none() && line.free > 0 && self.may_hold(&line, account) {
                line.grant(account);
                return Ok(self.place(account));
            }
            let (sender, turn) = oneshot::channel();
            match at {
                Some(at) => {
                    let queue = &mut line.waiting[at].1;
                    queue.retain(|waits| !waits.is_closed());
                    if queue.len() >= self.0.each.waiting && !account.is_nil() {
                        return Err(Busy);
                    }
                    queue.push_back(sender);
                }
                None if self.0.each.waiting == 0 && !account.is_nil() => return Err(Busy),
                None => line.waiting.push((account, VecDeque::from([sender]))),
            }
            turn
        };
        // Earlier waiters may have been dropped.
        self.serve();
        turn.await.map_err(|_| Busy)
    }

    fn may_hold(&self, line: &Line, account: Uuid) -> bool {
        account.is_nil() || line.held_by(account) < self.0.each.held
    }

    fn place(&self, account: Uuid) -> Place {
        Place { share: Some(self.clone()), account }
    }

    /// Gives free places to those whose turn it is.
    fn serve(&self) {
        loop {
            let (account, sender) = {
                let mut line = self.line();
                line.forget_the_gone();
                if line.free == 0 {
                    return;
                }
                let able = (0..line.waiting.len()).filter(|at| self.may_hold(&line, line.waiting[*at].0));
                let Some(at) = able.min_by_key(|at| line.turn_of(line.waiting[*at].0)) else { return };
                let account = line.waiting[at].0;
                let sender = line.waiting[at].1.pop_front();
                let Some(sender) = sender else { continue };
                line.grant(account);
                (account, sender)
            };
            // Outside the lock: a place that nobody takes any more is dropped here, and serves the next.
            drop(sender.send(self.place(account)));
        }
    }

    fn line(&self) -> MutexGuard<'_, Line> {
        self.0.line.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Line {
    fn held_by(&self, account: Uuid) -> usize {
        self.held.get(&account).copied().unwrap_or(0)
    }

    /// The least goes first: who holds least, then who was served longest ago, or never.
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
        // An idle account that returns counts as one that was never served.
        let (held, waiting) = (&self.held, &self.waiting);
        self.served.retain(|account, _| held.contains_key(account) || waiting.iter().any(|(a, _)| a == account));
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let Some(share) = self.share.take() else { return };
        {
            let mut line = share.line();
            line.free += 1;
            let left = line.held_by(self.account).saturating_sub(1);
            if left == 0 {
                line.held.remove(&self.account);
            } else {
                line.held.insert(self.account, left);
            }
        }
        share.serve();
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;

    use super::*;

    const LOUD: Uuid = Uuid::from_u128(1);
    const QUIET: Uuid = Uuid::from_u128(2);
    const OTHER: Uuid = Uuid::from_u128(3);

    /// Asks for a place, and stands in line where there is none.
    fn asked(share: &Share, account: Uuid) -> tokio::task::JoinHandle<Result<Place, Busy>> {
        let share = share.clone();
        tokio::spawn(async move { share.take(account).await })
    }

    async fn settled() {
        for _ in 0..20 {
            tokio::task::yield_now().await;
        }
    }

    #[tokio::test]
    async fn i18_who_comes_late_waits_for_one_of_those_who_flood() {
        let share = Share::new(2, Each::UNBOUNDED);
        let mut held = vec![share.take(LOUD).await.unwrap(), share.take(LOUD).await.unwrap()];
        let waiting: Vec<_> = (0..100).map(|_| asked(&share, LOUD)).collect();
        settled().await;
        let (quiet, other) = (asked(&share, QUIET), asked(&share, OTHER));
        settled().await;
        assert!(!quiet.is_finished() && !other.is_finished());
        held.pop();
        settled().await;
        assert!(quiet.is_finished() && !other.is_finished(), "the next place is that of who holds none");
        held.pop();
        settled().await;
        assert!(other.is_finished() && waiting.iter().all(|w| !w.is_finished()));
        drop((quiet.await.unwrap().unwrap(), other.await.unwrap().unwrap()));
        settled().await;
        assert_eq!(waiting.iter().filter(|w| w.is_finished()).count(), 2, "alone it has them all");
    }

    #[tokio::test]
    async fn i18_equals_take_turns() {
        let share = Share::new(1, Each::UNBOUNDED);
        let first = share.take(OTHER).await.unwrap();
        let (turns, mut told) = tokio::sync::mpsc::unbounded_channel();
        for n in 0..12_u128 {
            let (share, turns) = (share.clone(), turns.clone());
            let account = if n < 8 { LOUD } else { QUIET };
            tokio::spawn(async move {
                let place = share.take(account).await.unwrap();
                turns.send(account).unwrap();
                tokio::task::yield_now().await;
                drop(place);
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
        let share = Share::new(3, Each { held: 2, waiting: 1 });
        let held = [share.take(LOUD).await.unwrap(), share.take(LOUD).await.unwrap()];
        let mut third = Box::pin(share.take(LOUD));
        assert!(third.as_mut().now_or_never().is_none(), "one place is others'");
        assert_eq!(share.take(LOUD).await.unwrap_err(), Busy);
        let quiet = share.take(QUIET).await.unwrap();
        // One that is not waited for any more makes room in the line, and the place that it was given is free again.
        drop(third);
        let third = asked(&share, LOUD);
        settled().await;
        assert!(!third.is_finished());
        drop(held);
        settled().await;
        assert!(third.is_finished());
        drop((quiet, third));
        settled().await;
        let all: Vec<_> = (0..3).map(|_| share.take(Uuid::nil()).now_or_never().unwrap().unwrap()).collect();
        assert_eq!(all.len(), 3, "the service itself has no such limit");
        drop(all);
        let line = share.line();
        assert!(line.free == 3 && line.held.is_empty() && line.served.is_empty() && line.waiting.is_empty());
    }
}
