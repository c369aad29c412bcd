//! The fair scheduler: chooses which tickets go to the queue next. It keeps the outbox in memory, grouped by account,
//! because scanning the table would read every row again and again while a large batch waits.
//!
//! The scheduler is built when the state is opened and is updated after every commit that touches the outbox.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Bound::{Excluded, Included, Unbounded};
use std::time::Instant;

use fleet::protocol::{Class, Ticket};
use parking_lot::Mutex;
use uuid::Uuid;

use crate::state::database::tables::Tables;
use crate::state::error::StateError;
use crate::state::rows::jobs::Posting;
use crate::state::rows::schema::{JOBS, OUTBOX};

/// The tickets that wait to be published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outbox {
    /// The tickets to publish next.
    pub next: Vec<DueTicket>,
    /// Number of waiting tickets per class, including those in `next`.
    pub all: [(Class, usize); Class::ALL.len()],
    /// When the oldest ticket started to wait.
    pub oldest: Option<Instant>,
}

/// A ticket that is due to be published.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DueTicket {
    /// The ticket.
    pub ticket: Ticket,
    /// When the ticket started to wait, or the start of the process if that is later.
    pub since: Instant,
}

/// The outbox, grouped by account.
#[derive(Debug, Default)]
pub(in crate::state) struct Scheduler {
    line: Mutex<Line>,
}

impl Scheduler {
    /// Builds the scheduler from the outbox in `tables`.
    pub(in crate::state) fn read(tables: &Tables) -> Result<Self, StateError> {
        let scheduler = Self::default();
        scheduler.reread(tables)?;
        Ok(scheduler)
    }

    /// Rebuilds the scheduler from `tables`. It keeps waiting times and the record of who was served last.
    pub(in crate::state) fn reread(&self, tables: &Tables) -> Result<(), StateError> {
        let mut line = self.line.lock();
        let mut anew = Line { served: std::mem::take(&mut line.served), count: line.count, ..Line::default() };
        for row in tables.scan(&OUTBOX, &[]) {
            let (key, posting) = row?;
            let ticket = ticket(&key, posting)?;
            let since = line.places.get(&ticket.job).map_or_else(Instant::now, |at| at.since);
            anew.put(account(tables, &key)?, ticket, since);
        }
        *line = anew;
        Ok(())
    }

    /// Applies a commit that touched the row at `key`. It rereads the row under the lock, so the latest commit wins
    /// whatever the order of these calls.
    pub(in crate::state) fn follow(&self, tables: &Tables, key: &[u8]) {
        let mut line = self.line.lock();
        let followed = match tables.get(&OUTBOX, key) {
            Ok(Some(posting)) => account(tables, key)
                .and_then(|account| Ok((account, ticket(key, posting)?)))
                .map(|(account, ticket)| line.put(account, ticket, Instant::now())),
            Ok(None) => job(key).map(|job| _ = line.remove(job)),
            Err(error) => Err(error),
        };
        if let Err(error) = followed {
            tracing::error!(%error, "outbox row can't be read: its ticket waits for the next start");
        }
    }

    /// Skips a job until `until`, whether its ticket is already here or arrives later. The hold is not stored: after a
    /// restart the job is eligible at once.
    pub(in crate::state) fn hold(&self, job: Uuid, until: Instant) {
        self.line.lock().held.insert(job, until);
    }

    /// Returns whether a ticket of this job waits.
    pub(in crate::state) fn has(&self, job: Uuid) -> bool {
        self.line.lock().places.contains_key(&job)
    }

    /// Returns up to `limit` tickets to publish next. They stay here until their rows leave the outbox.
    pub(in crate::state) fn next(&self, limit: usize) -> Outbox {
        self.line.lock().next(limit, Instant::now())
    }

    /// Panics unless this scheduler holds exactly the tickets of the outbox.
    #[cfg(test)]
    pub(in crate::state) fn agrees_with(&self, tables: &Tables) {
        let (anew, line) = (Self::read(tables).unwrap().line.into_inner(), self.line.lock());
        assert_eq!((&line.accounts, line.counts), (&anew.accounts, anew.counts));
        assert_eq!(line.places.len(), anew.places.len());
        assert!(line.places.iter().all(|(job, at)| anew.places[job].is_at(at)));
        assert_eq!(line.ages, line.places.iter().map(|(job, at)| (at.since, *job)).collect());
    }
}

fn job(key: &[u8]) -> Result<Uuid, StateError> {
    Uuid::from_slice(key).map_err(|e| StateError::Unreadable(e.to_string()))
}

fn ticket(key: &[u8], Posting { epoch, class }: Posting) -> Result<Ticket, StateError> {
    Ok(Ticket { job: job(key)?, epoch, class })
}

/// Returns the account of a job. The ticket of a removed job is published like any other; its claim is refused.
fn account(tables: &Tables, key: &[u8]) -> Result<Uuid, StateError> {
    Ok(tables.get(&JOBS, key)?.map_or(Uuid::nil(), |job| job.account))
}

/// Sort key of a ticket within its account: by class, then the oldest job first.
type Place = (usize, Uuid);

/// The lowest key that sorts behind all edits.
fn after_edits() -> Place {
    (Class::Edit.rank() + 1, Uuid::nil())
}

#[derive(Debug, Default)]
struct Line {
    accounts: HashMap<Uuid, BTreeMap<Place, Ticket>>,
    /// Where to find the ticket of a job.
    places: HashMap<Uuid, Standing>,
    /// The jobs, ordered by when they started to wait.
    ages: BTreeSet<(Instant, Uuid)>,
    /// Jobs to skip, and until when.
    held: HashMap<Uuid, Instant>,
    /// Number of tickets per class, indexed by the class's rank.
    counts: [usize; Class::ALL.len()],
    /// When each account was last served, measured in tickets served so far.
    served: HashMap<Uuid, u64>,
    count: u64,
}

/// A waiting job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Standing {
    account: Uuid,
    place: Place,
    since: Instant,
}

#[cfg(test)]
impl Standing {
    /// Compares everything but the time of arrival.
    fn is_at(&self, other: &Self) -> bool {
        (self.account, self.place) == (other.account, other.place)
    }
}

impl Line {
    /// Adds or replaces the ticket of a job. A job that already waits keeps its waiting time.
    fn put(&mut self, account: Uuid, ticket: Ticket, now: Instant) {
        let since = self.remove(ticket.job).map_or(now, |before| before.since);
        let place = (ticket.class.rank(), ticket.job);
        self.accounts.entry(account).or_default().insert(place, ticket);
        self.places.insert(ticket.job, Standing { account, place, since });
        self.ages.insert((since, ticket.job));
        self.counts[place.0] += 1;
    }

    fn remove(&mut self, job: Uuid) -> Option<Standing> {
        let stood = self.places.remove(&job)?;
        let Standing { account, place, since } = stood;
        self.ages.remove(&(since, job));
        self.counts[place.0] -= 1;
        if let Entry::Occupied(mut tickets) = self.accounts.entry(account) {
            tickets.get_mut().remove(&place);
            if tickets.get().is_empty() {
                tickets.remove();
            }
        }
        Some(stood)
    }

    /// Takes edits first, because a person waits for each. Among accounts it goes round robin: the account that was
    /// served last goes last.
    fn next(&mut self, limit: usize, now: Instant) -> Outbox {
        self.held.retain(|_, until| *until > now);
        // Forget accounts without tickets, so that none is ranked behind the others when it returns.
        self.served.retain(|account, _| self.accounts.contains_key(account));
        let mut next = Vec::new();
        for places in [(Unbounded, Excluded(after_edits())), (Included(after_edits()), Unbounded)] {
            let mut waiting: Vec<_> =
                self.accounts.iter().map(|(account, tickets)| (*account, tickets.range(places))).collect();
            waiting.sort_unstable_by_key(|(account, _)| (self.served.get(account).copied().unwrap_or(0), *account));
            while next.len() < limit && !waiting.is_empty() {
                waiting.retain_mut(|(account, tickets)| {
                    if next.len() == limit {
                        return true;
                    }
                    let Some((_, ticket)) = tickets.find(|(_, ticket)| !self.held.contains_key(&ticket.job)) else {
                        return false;
                    };
                    next.push(DueTicket { ticket: *ticket, since: self.places[&ticket.job].since });
                    self.count += 1;
                    self.served.insert(*account, self.count);
                    true
                });
            }
        }
        let all = Class::ALL.map(|class| (class, self.counts[class.rank()]));
        Outbox { next, all, oldest: self.ages.first().map(|(since, _)| *since) }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    const LARGE: Uuid = Uuid::from_u128(1);

    const SMALL: Uuid = Uuid::from_u128(2);

    /// Adds `count` tickets, numbered from `first`.
    fn put(line: &mut Line, account: Uuid, first: u128, count: u128, class: Class) {
        for n in first..first + count {
            line.put(account, Ticket { job: Uuid::from_u128(n), epoch: 1.into(), class }, Instant::now());
        }
    }

    fn next(line: &mut Line, limit: usize) -> Vec<u128> {
        line.next(limit, Instant::now()).next.iter().map(|turn| turn.ticket.job.as_u128()).collect()
    }

    #[test]
    fn a_large_batch_starves_nobody() {
        let mut line = Line::default();
        put(&mut line, LARGE, 100, 1_000, Class::Render2k);
        assert_eq!(next(&mut line, 3), [100, 101, 102]);
        put(&mut line, SMALL, 5_000, 2, Class::Render4k);
        assert_eq!(next(&mut line, 5), [5_000, 100, 5_001, 101, 102]);
        assert_eq!(next(&mut line, 1), [5_000], "the other was served last");
        assert_eq!(next(&mut line, 1), [100]);
    }

    #[test]
    fn edits_go_before_everybodys_batches() {
        let mut line = Line::default();
        put(&mut line, LARGE, 100, 1_000, Class::Render2k);
        put(&mut line, LARGE, 7_000, 2, Class::Edit);
        put(&mut line, SMALL, 5_000, 1, Class::Plan);
        assert_eq!(next(&mut line, 4), [7_000, 7_001, 5_000, 100]);
    }

    #[test]
    fn edits_go_before_plans_before_drawings_and_old_jobs_before_new_ones() {
        let mut line = Line::default();
        put(&mut line, LARGE, 1, 2, Class::Render2k);
        put(&mut line, LARGE, 9, 1, Class::Plan);
        put(&mut line, LARGE, 7, 1, Class::Plan);
        put(&mut line, LARGE, 20, 1, Class::Edit);
        assert_eq!(next(&mut line, 9), [20, 7, 9, 1, 2]);
    }

    #[test]
    fn what_waits_is_counted_until_it_is_gone() {
        let mut line = Line::default();
        put(&mut line, LARGE, 1, 3, Class::Render2k);
        put(&mut line, LARGE, 9, 1, Class::Plan);
        // The same job again, with a later epoch.
        line.put(LARGE, Ticket { job: Uuid::from_u128(2), epoch: 2.into(), class: Class::Render4k }, Instant::now());
        let all = |line: &mut Line| line.next(0, Instant::now()).all.map(|(_, count)| count);
        assert_eq!(all(&mut line), [0, 1, 2, 1]);
        assert_eq!(
            line.next(9, Instant::now()).next.iter().map(|turn| u32::from(turn.ticket.epoch)).collect::<Vec<_>>(),
            [1, 1, 1, 2]
        );
        for job in [1, 2, 3, 9, 9, 44] {
            line.remove(Uuid::from_u128(job));
        }
        assert_eq!(all(&mut line), [0; 4]);
        assert!(line.next(9, Instant::now()).next.is_empty() && line.accounts.is_empty() && line.served.is_empty());
        assert!(line.ages.is_empty());
    }

    #[test]
    fn the_oldest_is_who_waits_and_not_how_long_anybody_has() {
        let (mut line, begun) = (Line::default(), Instant::now());
        let at = |seconds| begun + Duration::from_secs(seconds);
        let ticket = |n, epoch: u32| Ticket { job: Uuid::from_u128(n), epoch: epoch.into(), class: Class::Render2k };
        assert_eq!(line.next(9, Instant::now()).oldest, None);
        // Some ticket always waits, but none waits for more than a second.
        for n in 0..900 {
            line.put(LARGE, ticket(u128::from(n), 1), at(n));
            if let Some(served) = n.checked_sub(1) {
                line.remove(Uuid::from_u128(u128::from(served)));
            }
            assert_eq!(line.next(9, Instant::now()).oldest, Some(at(n)));
        }
        // A replaced ticket keeps the waiting time of its job.
        line.put(LARGE, ticket(899, 2), at(950));
        line.put(SMALL, ticket(7_000, 1), at(960));
        let next = line.next(9, Instant::now());
        assert_eq!(next.oldest, Some(at(899)));
        let since: HashMap<_, _> = next.next.iter().map(|turn| (turn.ticket.job.as_u128(), turn.since)).collect();
        assert_eq!(since, HashMap::from([(899, at(899)), (7_000, at(960))]));
    }

    #[test]
    fn who_is_held_is_passed_over_for_a_while() {
        let (mut line, now) = (Line::default(), Instant::now());
        put(&mut line, LARGE, 1, 3, Class::Render2k);
        line.held.insert(Uuid::from_u128(1), now + Duration::from_secs(10));
        let at = |line: &mut Line, seconds| {
            let next = line.next(9, now + Duration::from_secs(seconds));
            assert_eq!(next.all[Class::Render2k.rank()].1, 3, "it waits like the others");
            next.next.iter().map(|turn| turn.ticket.job.as_u128()).collect::<Vec<_>>()
        };
        assert_eq!(at(&mut line, 9), [2, 3]);
        assert_eq!(at(&mut line, 10), [1, 2, 3]);
        assert!(line.held.is_empty());
    }
}
