//! Whose ticket goes to the queue next: what the outbox holds, in memory, by account. A look at the table would read every
//! row of it, again and again while a large batch waits.
//!
//! It is made when the state is opened and follows every commit that touches the outbox.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Bound::{Excluded, Included, Unbounded};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use fleet::protocol::{Class, Ticket};
use uuid::Uuid;

use super::records::Posting;
use super::table::Tables;
use super::{JOBS, OUTBOX, StateError};

/// What waits to be put up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outbox {
    /// The tickets whose turn it is.
    pub next: Vec<Turn>,
    /// How many there are of each class, these included.
    pub all: [(Class, usize); Class::ALL.len()],
    /// Since when the oldest of all has waited.
    pub oldest: Option<Instant>,
}

/// A ticket whose turn it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Turn {
    /// The ticket.
    pub ticket: Ticket,
    /// Since when it has waited; since the start of the process, if it has waited for longer.
    pub since: Instant,
}

/// The outbox by account.
#[derive(Debug, Default)]
pub(super) struct Turns {
    line: Mutex<Line>,
}

impl Turns {
    /// Of every ticket in `tables`.
    pub(super) fn read(tables: &Tables) -> Result<Self, StateError> {
        let turns = Self::default();
        turns.reread(tables)?;
        Ok(turns)
    }

    /// Makes it anew.
    pub(super) fn reread(&self, tables: &Tables) -> Result<(), StateError> {
        let mut line = self.line();
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

    /// Follows a commit that touched the row at `key`, which is read anew under the lock: of two commits the later one is
    /// followed whichever comes here first.
    pub(super) fn follow(&self, tables: &Tables, key: &[u8]) {
        let mut line = self.line();
        let followed = match tables.get(&OUTBOX, key) {
            Ok(Some(posting)) => account(tables, key)
                .and_then(|account| Ok((account, ticket(key, posting)?)))
                .map(|(account, ticket)| line.put(account, ticket, Instant::now())),
            Ok(None) => job(key).map(|job| _ = line.remove(job)),
            Err(error) => Err(error),
        };
        if let Err(error) = followed {
            tracing::error!(%error, "whose turn a ticket is can't be read; it waits for the next start");
        }
    }

    /// Passes a job over until then, whether its ticket is here or comes. Not kept: after a restart it has its turn at once.
    pub(super) fn hold(&self, job: Uuid, until: Instant) {
        self.line().held.insert(job, until);
    }

    /// Whether a ticket of this job waits.
    pub(super) fn has(&self, job: Uuid) -> bool {
        self.line().places.contains_key(&job)
    }

    /// Up to `limit` tickets whose turn it is; they wait until they are taken out of the outbox.
    pub(super) fn next(&self, limit: usize) -> Outbox {
        self.line().next(limit, Instant::now())
    }

    /// Fails unless these are the tickets of the outbox.
    #[cfg(test)]
    pub(super) fn agrees_with(&self, tables: &Tables) {
        let (anew, line) = (Self::read(tables).unwrap().line.into_inner().unwrap(), self.line());
        assert_eq!((&line.accounts, line.counts), (&anew.accounts, anew.counts));
        assert_eq!(line.places.len(), anew.places.len());
        assert!(line.places.iter().all(|(job, at)| anew.places[job].is_at(at)));
        assert_eq!(line.ages, line.places.iter().map(|(job, at)| (at.since, *job)).collect());
    }

    fn line(&self) -> MutexGuard<'_, Line> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn job(key: &[u8]) -> Result<Uuid, StateError> {
    Uuid::from_slice(key).map_err(|e| StateError::Unreadable(e.to_string()))
}

fn ticket(key: &[u8], Posting { epoch, class }: Posting) -> Result<Ticket, StateError> {
    Ok(Ticket { job: job(key)?, epoch, class })
}

/// Whose job it is. One that is gone is put up like any other; its claim is refused.
fn account(tables: &Tables, key: &[u8]) -> Result<Uuid, StateError> {
    Ok(tables.get(&JOBS, key)?.map_or(Uuid::nil(), |job| job.account))
}

/// Where a ticket stands among those of its account: by class, the oldest job first.
type Place = (usize, Uuid);

/// Before everything that is no edit.
fn after_edits() -> Place {
    (Class::Edit.rank() + 1, Uuid::nil())
}

#[derive(Debug, Default)]
struct Line {
    accounts: HashMap<Uuid, BTreeMap<Place, Ticket>>,
    /// Where the ticket of a job is to be found.
    places: HashMap<Uuid, Standing>,
    /// The jobs by when they came.
    ages: BTreeSet<(Instant, Uuid)>,
    /// Jobs that are passed over, and until when.
    held: HashMap<Uuid, Instant>,
    /// How many there are of each class, by its rank.
    counts: [usize; Class::ALL.len()],
    /// When accounts were last served, by the count of tickets served.
    served: HashMap<Uuid, u64>,
    count: u64,
}

/// A job in the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Standing {
    account: Uuid,
    place: Place,
    since: Instant,
}

#[cfg(test)]
impl Standing {
    /// Whenever it came there.
    fn is_at(&self, other: &Self) -> bool {
        (self.account, self.place) == (other.account, other.place)
    }
}

impl Line {
    /// A job that stood in the line before has waited since then.
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

    /// Edits first: somebody waits for each. One of each account in turn, whoever was last served going last.
    fn next(&mut self, limit: usize, now: Instant) -> Outbox {
        self.held.retain(|_, until| *until > now);
        // Who has nothing waiting is no later than anybody else when it comes back.
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
                    next.push(Turn { ticket: *ticket, since: self.places[&ticket.job].since });
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

    /// Puts tickets in line, numbered from `first`.
    fn put(line: &mut Line, account: Uuid, first: u128, count: u128, class: Class) {
        for n in first..first + count {
            line.put(account, Ticket { job: Uuid::from_u128(n), epoch: 1, class }, Instant::now());
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
        // The same job once more, of a later epoch.
        line.put(LARGE, Ticket { job: Uuid::from_u128(2), epoch: 2, class: Class::Render4k }, Instant::now());
        let all = |line: &mut Line| line.next(0, Instant::now()).all.map(|(_, count)| count);
        assert_eq!(all(&mut line), [0, 1, 2, 1]);
        assert_eq!(
            line.next(9, Instant::now()).next.iter().map(|turn| turn.ticket.epoch).collect::<Vec<_>>(),
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
        let ticket = |n, epoch| Ticket { job: Uuid::from_u128(n), epoch, class: Class::Render2k };
        assert_eq!(line.next(9, Instant::now()).oldest, None);
        // There is always somebody, and nobody waits for more than a second.
        for n in 0..900 {
            line.put(LARGE, ticket(u128::from(n), 1), at(n));
            if let Some(served) = n.checked_sub(1) {
                line.remove(Uuid::from_u128(u128::from(served)));
            }
            assert_eq!(line.next(9, Instant::now()).oldest, Some(at(n)));
        }
        // The same job once more has waited since it first came.
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
