//! Webhook deliveries: which deliveries wait and until when, the result of each attempt, and the log of the last days.
//!
//! Waiting deliveries are also indexed by lane: one lane for each receiver that an account sends to, ordered by time.
//! Due deliveries are found lane by lane, so a stuck lane costs the others a single lookup.

use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::clock::Millis;
use crate::keys::WebhookSecret;
use crate::state::database::tables::{Abort, Tx};
use crate::state::error::StateError;
use crate::state::generations::snapshot::Snapshot;
use crate::state::rows::encoding::clip;
use crate::state::rows::generations::Generation;
use crate::state::rows::keyspace::pair;
use crate::state::rows::schema::{
    ACCOUNTS, DELIVERIES, DUE_DELIVERIES, GENERATIONS, WEBHOOK_SHELVES, WEBHOOK_URLS, WEBHOOKS,
};
use crate::state::rows::webhooks::{Attempt, Delivery, Event, Owner, Progress, Waiting, Webhook};
use crate::state::store::Store;
use crate::state::webhooks::subscriptions;

/// Seconds from a failed attempt to the next one, before jitter. After the last retry the delivery is given up. Retries
/// span about a day.
const RETRIES_S: [u64; 7] = [10, 60, 5 * 60, 30 * 60, 2 * 3600, 6 * 3600, 12 * 3600];
/// Jitter adds up to one fifth of the pause, so that deliveries that failed together don't retry together.
const CHANCE_SHARE: i64 = 5;
/// Seconds that a finished delivery stays in the account's log.
const KEPT_S: u64 = 7 * 24 * 3600;
/// Number of attempts kept per delivery, the newest ones. It exceeds the length of [`RETRIES_S`], so that a delivery
/// that was sent again has no retries left and is tried once.
const ATTEMPTS: usize = 20;
/// Maximum length in bytes of an attempt's error.
const ERROR_BYTES: usize = 200;
/// Length in bytes of a lane's name.
const LANE: usize = 8;

/// A delivery that is due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Due {
    /// When it became due.
    pub at: Millis,
    /// Its id.
    pub delivery: Uuid,
    /// The account.
    pub account: Uuid,
    /// The receiver.
    pub receiver: u64,
    owner: Uuid,
}

/// A batch of due deliveries.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DueBatch {
    /// The due deliveries, the oldest first.
    pub due: Vec<Due>,
    /// When the next delivery becomes due.
    pub next: Option<Millis>,
}

/// What to do with a due delivery.
#[derive(Debug, Clone, PartialEq)]
pub enum DeliveryAction {
    /// Send it.
    Send(Box<Sending>),
    /// Try later: it can't be sent now.
    Held(&'static str),
    /// Give it up: it must not be sent any more.
    Void(&'static str),
    /// Nothing: it no longer waits.
    Done,
}

/// The payload of a delivery and how to send it.
#[derive(Debug, Clone, PartialEq)]
pub struct Sending {
    /// The delivery.
    pub delivery: Delivery,
    /// Where to send it.
    pub url: String,
    /// The secrets to sign it with, the newest first.
    pub secrets: Vec<WebhookSecret>,
    /// The generation in its current state; `None` in a test.
    pub snapshot: Option<Snapshot>,
}

/// Why a delivery can't be sent again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotAgain {
    /// No delivery has this id.
    Absent,
    /// Its subscription is disabled, or its receiver is gone.
    Disabled,
}

/// Result of an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reception {
    /// The receiver accepted the delivery.
    Taken,
    /// The receiver did not accept it, but a retry may succeed.
    Missed,
    /// The receiver is gone for good, which disables the subscription.
    Gone,
    /// The delivery must not be retried.
    Void,
}

impl Delivery {
    /// Creates the delivery that reports the end of a generation to `owner`. The id is derived from the end, so the
    /// same end always gives the same delivery.
    pub(in crate::state) fn of(
        generation: &Generation,
        event: Event,
        owner: Owner,
        receiver: u64,
        now: Millis,
    ) -> Self {
        let of_owner = Self::owner_id(owner, generation.id);
        let said = Sha256::new()
            .chain_update(generation.id.as_bytes())
            .chain_update(of_owner.as_bytes())
            .chain_update(generation.round.to_be_bytes())
            .chain_update(now.0.to_be_bytes());
        let digest: [u8; 32] = said.finalize().into();
        let chance = std::array::from_fn(|n| digest[n]);
        let id = uuid::Builder::from_unix_timestamp_millis(u64::try_from(now.0).unwrap_or(0), &chance).into_uuid();
        Self {
            id,
            account: generation.account,
            owner,
            generation: generation.id,
            event,
            receiver,
            created: now,
            attempts: Vec::new(),
            progress: Progress::Waiting(now),
        }
    }

    fn owner_id(owner: Owner, generation: Uuid) -> Uuid {
        match owner {
            Owner::Webhook(id) => id,
            Owner::Generation => generation,
        }
    }

    fn key(&self) -> Vec<u8> {
        key(self.account, Self::owner_id(self.owner, self.generation), self.id)
    }

    /// Returns its row in the index of waiting deliveries, due at `at`.
    fn waiting(&self, at: Millis) -> (Vec<u8>, Waiting) {
        let owner = Self::owner_id(self.owner, self.generation);
        let due = Due { at, delivery: self.id, account: self.account, receiver: self.receiver, owner };
        (due.key(), Waiting { account: self.account, owner, receiver: self.receiver })
    }

    /// Creates a test delivery for a subscription.
    fn test_of(account: Uuid, webhook: &Webhook, now: Millis) -> Self {
        Self {
            id: Uuid::now_v7(),
            account,
            owner: Owner::Webhook(webhook.id),
            generation: webhook.id,
            event: Event::Test,
            receiver: webhook.address.receiver,
            created: now,
            attempts: Vec::new(),
            progress: Progress::Waiting(now),
        }
    }

    /// Returns when to retry after an attempt that ended now. A test is tried only once, because a person waits for its
    /// result.
    fn retry_at(&self, now: Millis) -> Option<Millis> {
        if self.event == Event::Test {
            return None;
        }
        let pause = i64::try_from(*RETRIES_S.get(self.attempts.len().checked_sub(1)?)?).ok()? * 1000;
        // The jitter is derived from the delivery, because a transaction may run twice and must give the same result.
        let made = u8::try_from(self.attempts.len()).unwrap_or(u8::MAX);
        let digest: [u8; 32] = Sha256::new().chain_update(self.id.as_bytes()).chain_update([made]).finalize().into();
        let chance = i64::from(u16::from_be_bytes([digest[0], digest[1]]));
        Some(Millis(now.0 + pause + (pause / CHANCE_SHARE) * chance / (1 << 16)))
    }
}

impl Due {
    fn key(&self) -> Vec<u8> {
        let time = u64::try_from(self.at.0).unwrap_or(0).to_be_bytes();
        [self.lane().as_slice(), &time, self.delivery.as_bytes()].concat()
    }

    /// Returns the lane: one receiver of one account.
    pub fn lane(&self) -> [u8; LANE] {
        let said = Sha256::new().chain_update(self.account.as_bytes()).chain_update(self.receiver.to_be_bytes());
        let digest: [u8; 32] = said.finalize().into();
        std::array::from_fn(|n| digest[n])
    }

    /// Creates one that is due at once.
    #[cfg(test)]
    pub(crate) fn known(delivery: Uuid, account: Uuid, receiver: u64) -> Self {
        Self { at: Millis(0), delivery, account, receiver, owner: Uuid::nil() }
    }

    /// Returns what it was created for: a subscription or the generation.
    #[cfg(test)]
    pub(in crate::state) fn key_owner(&self) -> Uuid {
        self.owner
    }

    fn read(key: &[u8], Waiting { account, owner, receiver }: Waiting) -> Result<Self, StateError> {
        let unreadable = || StateError::Unreadable("a key of the deliveries that are due".into());
        let time = key.get(LANE..LANE + 8).and_then(|t| t.try_into().ok()).map(u64::from_be_bytes);
        let at = time.and_then(|t| i64::try_from(t).ok()).map(Millis).ok_or_else(unreadable)?;
        let delivery = key.get(LANE + 8..).and_then(|id| Uuid::from_slice(id).ok()).ok_or_else(unreadable)?;
        Ok(Self { at, delivery, account, receiver, owner })
    }
}

fn key(account: Uuid, owner: Uuid, delivery: Uuid) -> Vec<u8> {
    [account.as_bytes().as_slice(), owner.as_bytes(), delivery.as_bytes()].concat()
}

/// Enqueues a delivery, if it waits, and stores it.
pub(in crate::state) fn post(tx: &Tx<'_>, delivery: &Delivery) -> Result<(), Abort> {
    if let Progress::Waiting(at) = delivery.progress {
        let (key, waiting) = delivery.waiting(at);
        tx.put(&DUE_DELIVERIES, &key, &waiting)?;
    }
    tx.put(&DELIVERIES, &delivery.key(), delivery)
}

impl Store {
    /// Waits until there may be a new delivery.
    pub async fn webhooks_rung(&self) {
        self.shared.webhooks.notified().await;
    }

    /// Wakes the task that sends deliveries.
    pub(in crate::state) fn ring_webhooks(&self) {
        self.shared.webhooks.notify_one();
    }

    /// Returns the deliveries due now, at most `each` per lane with the oldest first, and when the next one becomes
    /// due.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn due_deliveries(&self, now: Millis, each: usize) -> Result<DueBatch, StateError> {
        let tables = &self.shared.tables;
        let mut batch = DueBatch::default();
        let mut from = 0_u64;
        let end = || vec![u8::MAX; LANE + 8 + 16 + 1];
        while let Some(row) = tables.range(&DUE_DELIVERIES, from.to_be_bytes().to_vec(), end()).next() {
            let (first, _) = row?;
            let lane = first.get(..LANE).and_then(|l| l.try_into().ok()).map_or(u64::MAX, u64::from_be_bytes);
            for row in tables.scan(&DUE_DELIVERIES, &lane.to_be_bytes()).take(each) {
                let (key, waiting) = row?;
                let due = Due::read(&key, waiting)?;
                if due.at > now {
                    batch.next = Some(batch.next.map_or(due.at, |next| next.min(due.at)));
                    break;
                }
                batch.due.push(due);
            }
            match lane.checked_add(1) {
                Some(next) => from = next,
                None => break,
            }
        }
        batch.due.sort_by_key(|due| due.at);
        Ok(batch)
    }

    /// Returns what to do with a due delivery, based on the current state.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn delivery_action(&self, due: &Due, now: Millis) -> Result<DeliveryAction, StateError> {
        let tables = &self.shared.tables;
        let found = tables.get(&DELIVERIES, &key(due.account, due.owner, due.delivery))?;
        let Some(delivery) = found.filter(|d| d.progress == Progress::Waiting(due.at)) else {
            return Ok(DeliveryAction::Done);
        };
        let account = delivery.account;
        if tables.get(&ACCOUNTS, account.as_bytes())?.is_none_or(|account| !account.active) {
            return Ok(DeliveryAction::Held("the account is deactivated"));
        }
        let is_test = delivery.event == Event::Test;
        let (url, secrets) = match delivery.owner {
            Owner::Webhook(id) => match tables.get(&WEBHOOKS, &pair(account, id))? {
                None => return Ok(DeliveryAction::Void("the webhook was deleted")),
                // Tests are allowed, so that an account can check whether to enable the subscription again.
                Some(webhook) if webhook.disabled.is_some() && !is_test => {
                    return Ok(DeliveryAction::Void("the webhook is disabled"));
                }
                Some(webhook) => (webhook.address.url, subscriptions::signing(webhook.secret, &webhook.previous, now)),
            },
            Owner::Generation => match tables.get(&WEBHOOK_URLS, &pair(account, delivery.generation))? {
                None => return Ok(DeliveryAction::Void("the generation was deleted")),
                Some(address) => (address.url, self.webhook_secrets(account, now)?),
            },
        };
        let snapshot = if is_test { None } else { self.generation(account, delivery.generation)? };
        Ok(match snapshot {
            None if !is_test => DeliveryAction::Void("the generation was deleted"),
            snapshot => DeliveryAction::Send(Box::new(Sending { delivery, url, secrets, snapshot })),
        })
    }

    /// Creates a test delivery to a subscription. Returns `None` if there is no such subscription.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn test_webhook(&self, account: Uuid, id: Uuid, now: Millis) -> Result<Option<Delivery>, StateError> {
        let test = |tx: &Tx<'_>| -> Result<Option<Delivery>, Abort> {
            let Some(webhook) = tx.get(&WEBHOOKS, &pair(account, id))? else { return Ok(None) };
            let delivery = Delivery::test_of(account, &webhook, now);
            post(tx, &delivery)?;
            Ok(Some(delivery))
        };
        self.commit_and(test, |_| self.ring_webhooks())
    }

    /// Sends a delivery again now, whatever its state. `owner` is the subscription or generation that it was created
    /// for.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn redeliver(
        &self,
        account: Uuid,
        owner: Uuid,
        id: Uuid,
        now: Millis,
    ) -> Result<Result<Delivery, NotAgain>, StateError> {
        let again = |tx: &Tx<'_>| -> Result<Result<Delivery, NotAgain>, Abort> {
            let Some(mut delivery) = tx.get(&DELIVERIES, &key(account, owner, id))? else {
                return Ok(Err(NotAgain::Absent));
            };
            if let Owner::Webhook(webhook) = delivery.owner {
                match tx.get(&WEBHOOKS, &pair(account, webhook))? {
                    None => return Ok(Err(NotAgain::Absent)),
                    Some(webhook) if webhook.disabled.is_some() && delivery.event != Event::Test => {
                        return Ok(Err(NotAgain::Disabled));
                    }
                    Some(_) => {}
                }
            }
            if let Progress::Waiting(at) = delivery.progress {
                tx.remove(&DUE_DELIVERIES, &delivery.waiting(at).0)?;
            }
            delivery.progress = Progress::Waiting(now);
            post(tx, &delivery)?;
            Ok(Ok(delivery))
        };
        self.commit_and(again, |_| self.ring_webhooks())
    }

    /// Stores the result of an attempt at `url` and updates the delivery. A delivery that no longer waits is left
    /// unchanged, and so is a subscription whose address changed during the attempt.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn attempted(
        &self,
        due: &Due,
        url: &str,
        attempt: &Attempt,
        reception: Reception,
        now: Millis,
    ) -> Result<Progress, StateError> {
        let attempt = Attempt { error: attempt.error.as_deref().map(|e| clip(e, ERROR_BYTES)), ..attempt.clone() };
        self.commit(|tx: &Tx<'_>| -> Result<Progress, Abort> {
            let mut delivery = tx.need(&DELIVERIES, &key(due.account, due.owner, due.delivery))?;
            if delivery.progress != Progress::Waiting(due.at) {
                return Ok(delivery.progress);
            }
            tx.remove(&DUE_DELIVERIES, &due.key())?;
            delivery.attempts.push(attempt.clone());
            let surplus = delivery.attempts.len().saturating_sub(ATTEMPTS);
            delivery.attempts.drain(..surplus);
            delivery.progress = match reception {
                Reception::Taken => Progress::Delivered,
                Reception::Missed => delivery.retry_at(now).map_or(Progress::GivenUp, Progress::Waiting),
                Reception::Gone | Reception::Void => Progress::GivenUp,
            };
            if let (Reception::Gone, Owner::Webhook(id)) = (reception, delivery.owner) {
                subscriptions::disable(tx, due.account, id, url, now)?;
            }
            post(tx, &delivery)?;
            Ok(delivery.progress)
        })
    }

    /// Returns up to `limit` deliveries of a subscription, or of a generation's `webhookUrl`, by its id: the newest
    /// first, only those older than `after`. Also returns whether there are more.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn deliveries(
        &self,
        account: Uuid,
        owner: Uuid,
        after: Option<Uuid>,
        limit: usize,
    ) -> Result<(Vec<Delivery>, bool), StateError> {
        let (start, end) = (key(account, owner, Uuid::nil()), key(account, owner, after.unwrap_or(Uuid::max())));
        let rows = self.shared.tables.range(&DELIVERIES, start, end).rev().take(limit + 1);
        let mut found = rows.map(|row| Ok(row?.1)).collect::<Result<Vec<_>, StateError>>()?;
        self.settle()?;
        let more = found.len() > limit;
        found.truncate(limit);
        Ok((found, more))
    }

    /// Returns the number of waiting deliveries, and when the oldest of them was created.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn waiting_deliveries(&self) -> Result<(usize, Option<Millis>), StateError> {
        let (mut waiting, mut oldest) = (0, None::<Millis>);
        for row in self.shared.tables.scan(&DUE_DELIVERIES, &[]) {
            let (key, row) = row?;
            // A version 7 UUID starts with its creation time.
            let id = Due::read(&key, row)?.delivery.as_u128();
            let made = Millis(i64::try_from(id >> 80).unwrap_or(i64::MAX));
            waiting += 1;
            oldest = Some(oldest.map_or(made, |oldest| oldest.min(made)));
        }
        Ok((waiting, oldest))
    }

    /// Deletes finished deliveries whose retention has ended. Waiting deliveries are kept, however old they are.
    pub(in crate::state) fn forget_deliveries(&self, now: Millis) -> Result<(), StateError> {
        for row in self.shared.tables.scan(&DELIVERIES, &[]) {
            let (key, delivery) = row?;
            let waits = matches!(delivery.progress, Progress::Waiting(_));
            if !waits && delivery.created.plus_seconds(KEPT_S) <= now {
                self.shared.tables.remove_if(&DELIVERIES, &key, &delivery)?;
            }
        }
        Ok(())
    }
}

/// Creates the deliveries of a generation that has just ended, in the transaction that ends it. Does nothing if the
/// generation has not ended. The caller must call [`Store::ring_webhooks`] once the transaction has succeeded.
pub(in crate::state) fn ended(tx: &Tx<'_>, generation: &Generation, now: Millis) -> Result<(), Abort> {
    let Some(event) = Event::of(generation.status) else { return Ok(()) };
    let shelf = tx.get(&WEBHOOK_SHELVES, generation.account.as_bytes())?.unwrap_or_default();
    let subscribed = shelf.webhooks.iter().filter(|w| !w.disabled && w.events.has(event));
    let named = tx.get(&WEBHOOK_URLS, &pair(generation.account, generation.id))?;
    let owners = subscribed.map(|w| (Owner::Webhook(w.id), w.receiver));
    for (owner, receiver) in owners.chain(named.map(|address| (Owner::Generation, address.receiver))) {
        post(tx, &Delivery::of(generation, event, owner, receiver, now))?;
    }
    Ok(())
}

impl Store {
    /// Deletes deliveries whose retention has ended, and the `webhookUrl` of deleted generations.
    pub(in crate::state) fn forget_webhooks(&self, now: Millis) -> Result<(), StateError> {
        let tables = &self.shared.tables;
        self.forget_deliveries(now)?;
        for row in tables.scan(&WEBHOOK_URLS, &[]) {
            let (key, address) = row?;
            if tables.get(&GENERATIONS, &key)?.is_none() {
                tables.remove_if(&WEBHOOK_URLS, &key, &address)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
