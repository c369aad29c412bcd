//! Deliveries of webhooks: which wait until when, what came of each attempt, and the log of the last days.
//!
//! Those that wait stand in an index too, in lanes: one for each receiver that an account sends to, in the order of time.
//! So what is due is found lane by lane, and a lane that doesn't move costs the others a look.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::generations::Snapshot;
use super::keyspace::pair;
use super::records::Generation;
use super::table::{Abort, Record, Tx};
use super::webhooks::{self, Event, Webhook};
use super::{ACCOUNTS, DELIVERIES, DUE_DELIVERIES, StateError, Store, WEBHOOK_URLS, WEBHOOKS, clip};
use crate::clock::Millis;
use crate::keys::WebhookSecret;

/// Seconds between a failed attempt and the next, before chance is added: after the last, the delivery is given up. It is
/// tried for about a day.
const RETRIES_S: [u64; 7] = [10, 60, 5 * 60, 30 * 60, 2 * 3600, 6 * 3600, 12 * 3600];
/// The share of a pause that chance may add, so that what failed together does not come again together.
const CHANCE_SHARE: i64 = 5;
/// Seconds that a delivery is kept for its account to look at.
const KEPT_S: u64 = 7 * 24 * 3600;
/// Attempts that are kept of a delivery, the newest. More than [`RETRIES_S`] has, so that what was sent again is tried once.
const ATTEMPTS: usize = 20;
/// Bytes of an attempt's error.
const ERROR_BYTES: usize = 200;
/// Bytes of a lane's name.
const LANE: usize = 8;

/// What a delivery is made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Owner {
    /// A subscription.
    Webhook(Uuid),
    /// The `webhookUrl` of its generation.
    Generation,
}

/// A delivery, by (account, what it is made for, id).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Delivery {
    /// Its id, the same in every attempt.
    pub id: Uuid,
    /// Whose it is.
    pub account: Uuid,
    /// What it is made for.
    pub owner: Owner,
    /// The generation that it tells of; the subscription's own id in a test.
    pub generation: Uuid,
    /// What it tells.
    pub event: Event,
    /// Who gets it.
    pub receiver: u64,
    /// When the generation ended.
    pub created: Millis,
    /// What was tried lately, the oldest first.
    pub attempts: Vec<Attempt>,
    /// Where it stands.
    pub progress: Progress,
}

/// Where a delivery stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Progress {
    /// It is tried at this time.
    Waiting(Millis),
    /// It was taken.
    Delivered,
    /// It was not taken, and is not tried again.
    GivenUp,
}

/// One time that a delivery was tried.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attempt {
    /// When.
    pub at: Millis,
    /// The status of the answer.
    pub status: Option<u16>,
    /// Why there was none.
    pub error: Option<String>,
    /// Milliseconds that it took.
    pub took_ms: u32,
}

/// A delivery that waits, by (lane, time, id).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Waiting {
    pub(super) account: Uuid,
    /// The subscription or generation within the delivery's key.
    pub(super) owner: Uuid,
    pub(super) receiver: u64,
}

impl Record for Delivery {}
impl Record for Waiting {}

/// A delivery whose time has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Due {
    /// When it came.
    pub at: Millis,
    /// Its id.
    pub delivery: Uuid,
    /// Whose it is.
    pub account: Uuid,
    /// Who gets it.
    pub receiver: u64,
    owner: Uuid,
}

/// What there is to send.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Agenda {
    /// What is due, the oldest first.
    pub due: Vec<Due>,
    /// When the next of the others is.
    pub next: Option<Millis>,
}

/// What is to be done with a delivery that is due.
#[derive(Debug, Clone, PartialEq)]
pub enum Errand {
    /// It is sent.
    Send(Box<Sending>),
    /// It can't be sent now.
    Held(&'static str),
    /// It is not to be sent any more.
    Void(&'static str),
    /// Nothing: it does not wait any more.
    Done,
}

/// What is sent.
#[derive(Debug, Clone, PartialEq)]
pub struct Sending {
    /// The delivery.
    pub delivery: Delivery,
    /// Where to.
    pub url: String,
    /// Signed with these, the newest first.
    pub secrets: Vec<WebhookSecret>,
    /// The generation as it stands; `None` in a test.
    pub snapshot: Option<Snapshot>,
}

/// Why a delivery is not sent again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotAgain {
    /// There is none of this id.
    Absent,
    /// Its subscription is switched off, or its receiver gone.
    Disabled,
}

/// What an attempt means for its delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reception {
    /// It was taken.
    Taken,
    /// It was not, and may be another time.
    Missed,
    /// The receiver is gone for good, and so is the subscription.
    Gone,
    /// It is not tried again.
    Void,
}

impl Delivery {
    /// What tells `owner` of the end of a generation. The same end is told by the same delivery.
    pub(super) fn of(generation: &Generation, event: Event, owner: Owner, receiver: u64, now: Millis) -> Self {
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

    /// Its row in the index, while it waits until `at`.
    fn waiting(&self, at: Millis) -> (Vec<u8>, Waiting) {
        let owner = Self::owner_id(self.owner, self.generation);
        let due = Due { at, delivery: self.id, account: self.account, receiver: self.receiver, owner };
        (due.key(), Waiting { account: self.account, owner, receiver: self.receiver })
    }

    /// A test of a subscription.
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

    /// When it is tried after an attempt that ended now. Somebody waits for a test, so it is tried once.
    fn retry_at(&self, now: Millis) -> Option<Millis> {
        if self.event == Event::Test {
            return None;
        }
        let pause = i64::try_from(*RETRIES_S.get(self.attempts.len().checked_sub(1)?)?).ok()? * 1000;
        // Chance that is the same whenever it is asked: a transaction may run twice.
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

    /// One receiver of one account.
    pub fn lane(&self) -> [u8; LANE] {
        let said = Sha256::new().chain_update(self.account.as_bytes()).chain_update(self.receiver.to_be_bytes());
        let digest: [u8; 32] = said.finalize().into();
        std::array::from_fn(|n| digest[n])
    }

    /// One that is due at once.
    #[cfg(test)]
    pub(crate) fn known(delivery: Uuid, account: Uuid, receiver: u64) -> Self {
        Self { at: Millis(0), delivery, account, receiver, owner: Uuid::nil() }
    }

    /// What it was made for: a subscription, or the generation.
    #[cfg(test)]
    pub(super) fn key_owner(&self) -> Uuid {
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

/// Puts up a delivery that waits.
pub(super) fn post(tx: &Tx<'_>, delivery: &Delivery) -> Result<(), Abort> {
    if let Progress::Waiting(at) = delivery.progress {
        let (key, waiting) = delivery.waiting(at);
        tx.put(&DUE_DELIVERIES, &key, &waiting)?;
    }
    tx.put(&DELIVERIES, &delivery.key(), delivery)
}

impl Store {
    /// Waits until there may be a delivery that was not there before.
    pub async fn webhooks_rung(&self) {
        self.shared.webhooks.notified().await;
    }

    /// Wakes whoever delivers.
    pub(super) fn ring_webhooks(&self) {
        self.shared.webhooks.notify_one();
    }

    /// What is due now, the oldest `each` of every lane; and when something else is.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn due_deliveries(&self, now: Millis, each: usize) -> Result<Agenda, StateError> {
        let tables = &self.shared.tables;
        let mut agenda = Agenda::default();
        let mut from = 0_u64;
        let end = || vec![u8::MAX; LANE + 8 + 16 + 1];
        while let Some(row) = tables.range(&DUE_DELIVERIES, from.to_be_bytes().to_vec(), end()).next() {
            let (first, _) = row?;
            let lane = first.get(..LANE).and_then(|l| l.try_into().ok()).map_or(u64::MAX, u64::from_be_bytes);
            for row in tables.scan(&DUE_DELIVERIES, &lane.to_be_bytes()).take(each) {
                let (key, waiting) = row?;
                let due = Due::read(&key, waiting)?;
                if due.at > now {
                    agenda.next = Some(agenda.next.map_or(due.at, |next| next.min(due.at)));
                    break;
                }
                agenda.due.push(due);
            }
            match lane.checked_add(1) {
                Some(next) => from = next,
                None => break,
            }
        }
        agenda.due.sort_by_key(|due| due.at);
        Ok(agenda)
    }

    /// What is to be done with a delivery that is due, as everything stands now.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn errand(&self, due: &Due, now: Millis) -> Result<Errand, StateError> {
        let tables = &self.shared.tables;
        let found = tables.get(&DELIVERIES, &key(due.account, due.owner, due.delivery))?;
        let Some(delivery) = found.filter(|d| d.progress == Progress::Waiting(due.at)) else { return Ok(Errand::Done) };
        let account = delivery.account;
        if tables.get(&ACCOUNTS, account.as_bytes())?.is_none_or(|account| !account.active) {
            return Ok(Errand::Held("the account is deactivated"));
        }
        let is_test = delivery.event == Event::Test;
        let (url, secrets) = match delivery.owner {
            Owner::Webhook(id) => match tables.get(&WEBHOOKS, &pair(account, id))? {
                None => return Ok(Errand::Void("the webhook was deleted")),
                // A test shows whether a subscription can be switched on again.
                Some(webhook) if webhook.disabled.is_some() && !is_test => {
                    return Ok(Errand::Void("the webhook is disabled"));
                }
                Some(webhook) => (webhook.address.url, webhooks::signing(webhook.secret, &webhook.previous, now)),
            },
            Owner::Generation => match tables.get(&WEBHOOK_URLS, &pair(account, delivery.generation))? {
                None => return Ok(Errand::Void("the generation was deleted")),
                Some(address) => (address.url, self.webhook_secrets(account, now)?),
            },
        };
        let snapshot = if is_test { None } else { self.generation(account, delivery.generation)? };
        Ok(match snapshot {
            None if !is_test => Errand::Void("the generation was deleted"),
            snapshot => Errand::Send(Box::new(Sending { delivery, url, secrets, snapshot })),
        })
    }

    /// Makes a test delivery to a subscription; `None` where there is no such subscription.
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

    /// Sends a delivery once more, now, whatever became of it before. `owner` is the subscription or the generation that it
    /// was made for.
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

    /// Notes the result of an attempt at `url`, and what becomes of its delivery. A delivery that no longer waits stays as it
    /// is, and so does a subscription whose address was changed during the attempt.
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
                webhooks::disable(tx, due.account, id, url, now)?;
            }
            post(tx, &delivery)?;
            Ok(delivery.progress)
        })
    }

    /// Up to `limit` of the deliveries that were made for a subscription or for a generation's `webhookUrl`, by its id,
    /// newest first, older than `after`; and whether there are more.
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

    /// How many deliveries wait, and since when the oldest does.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn waiting_deliveries(&self) -> Result<(usize, Option<Millis>), StateError> {
        let (mut waiting, mut oldest) = (0, None::<Millis>);
        for row in self.shared.tables.scan(&DUE_DELIVERIES, &[]) {
            let (key, row) = row?;
            // An id of version 7 begins with its time.
            let id = Due::read(&key, row)?.delivery.as_u128();
            let made = Millis(i64::try_from(id >> 80).unwrap_or(i64::MAX));
            waiting += 1;
            oldest = Some(oldest.map_or(made, |oldest| oldest.min(made)));
        }
        Ok((waiting, oldest))
    }

    /// Forgets deliveries that were kept their time. Those that wait are not forgotten, however long they do.
    pub(super) fn forget_deliveries(&self, now: Millis) -> Result<(), StateError> {
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
