//! Webhooks: the addresses that accounts are notified at when generations end, and the deliveries that an end creates.
//!
//! A subscription is notified of every generation of its account; the `webhookUrl` of a creation only of that
//! generation. One row per account summarizes its subscriptions, so that the transaction that ends a generation reads a
//! single row.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::answers::{Full, Keyed, Once, once};
use super::deliveries::{self, Delivery, Owner};
use super::keyspace::pair;
use super::records::Generation;
use super::status::Status;
use super::table::{Abort, Record, Tx};
use super::{GENERATIONS, StateError, Store, WEBHOOK_SHELVES, WEBHOOK_URLS, WEBHOOKS};
use crate::clock::Millis;
use crate::keys::WebhookSecret;

/// Maximum number of subscriptions per account: one row holds them all, and each end creates a delivery to every one of
/// them.
pub const WEBHOOKS_MAX: usize = 20;

/// An event that accounts are notified of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Event {
    /// Every output is ready.
    Completed,
    /// Some outputs are ready.
    Partial,
    /// No output is ready.
    Failed,
    /// The client cancelled it.
    Cancelled,
    /// A test of a subscription. It concerns no generation and can't be subscribed to.
    Test,
}

impl Event {
    /// Every event that can be subscribed to.
    pub const ALL: [Self; 4] = [Self::Completed, Self::Partial, Self::Failed, Self::Cancelled];

    /// Returns its name in the API.
    pub fn name(self) -> &'static str {
        match self {
            Self::Completed => "generation.completed",
            Self::Partial => "generation.partial",
            Self::Failed => "generation.failed",
            Self::Cancelled => "generation.cancelled",
            Self::Test => "webhook.test",
        }
    }

    /// Returns the event with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|e| e.name() == name)
    }

    /// Returns the event for a status that ends a generation.
    fn of(status: Status) -> Option<Self> {
        match status {
            Status::Pending | Status::Processing => None,
            Status::Completed => Some(Self::Completed),
            Status::Partial => Some(Self::Partial),
            Status::Failed => Some(Self::Failed),
            Status::Cancelled => Some(Self::Cancelled),
        }
    }

    /// Returns its bit within [`Events`]. The bits are stored, so they are never renumbered.
    fn bit(self) -> u8 {
        match self {
            Self::Completed => 1,
            Self::Partial => 1 << 1,
            Self::Failed => 1 << 2,
            Self::Cancelled => 1 << 3,
            Self::Test => 0,
        }
    }
}

/// A set of events.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Events(u8);

impl Events {
    /// All events.
    pub const ALL: Self = Self(0b1111);

    /// Returns the set of these events.
    pub fn of(events: &[Event]) -> Self {
        Self(events.iter().fold(0, |bits, e| bits | e.bit()))
    }

    /// Returns whether the set contains `event`.
    pub fn has(self, event: Event) -> bool {
        self.0 & event.bit() != 0
    }

    /// Returns the names of the events.
    pub fn names(self) -> Vec<&'static str> {
        Event::ALL.into_iter().filter(|e| self.has(*e)).map(Event::name).collect()
    }
}

/// The destination of deliveries.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Address {
    /// The URL, as the client wrote it.
    pub url: String,
    /// Identifies the receiver: the first bytes of the SHA-256 of host and port. Deliveries to one receiver are sent
    /// one after another.
    pub receiver: u64,
}

impl Address {
    /// Creates an address from a URL and its host and port.
    pub fn new(url: &str, host_and_port: &str) -> Self {
        let digest: [u8; 32] = Sha256::digest(host_and_port.as_bytes()).into();
        let [a, b, c, d, e, f, g, h, ..] = digest;
        Self { url: url.to_owned(), receiver: u64::from_be_bytes([a, b, c, d, e, f, g, h]) }
    }
}

/// A subscription, keyed by (account, id).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Webhook {
    /// Its id.
    pub id: Uuid,
    /// Where its deliveries go.
    pub address: Address,
    /// The events that it is notified of.
    pub events: Events,
    /// The secret that signs its deliveries.
    pub secret: WebhookSecret,
    /// When it was created.
    pub created: Millis,
    /// When it was disabled, by the account or because its receiver said that it is gone for good.
    pub disabled: Option<Millis>,
    /// Replaced secrets that still sign its deliveries too, the newest first.
    pub previous: Vec<PreviousSecret>,
}

/// A secret that was replaced.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PreviousSecret {
    /// The secret.
    pub secret: WebhookSecret,
    /// When it stops signing deliveries beside the new secret.
    pub until: Millis,
}

/// Changes to a subscription; `None` leaves a field as it is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WebhookChange {
    /// Where its deliveries go.
    pub address: Option<Address>,
    /// The events that it is notified of.
    pub events: Option<Events>,
    /// Whether to create deliveries.
    pub active: Option<bool>,
}

/// Summary of an account's webhooks, keyed by the account's id.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct WebhookShelf {
    /// Its subscriptions.
    pub(super) webhooks: Vec<Shelved>,
    /// Secret that signs deliveries to the `webhookUrl` of creations. Created when first requested.
    pub(super) secret: Option<AccountSecret>,
    /// Replaced secrets that still sign those deliveries too, the newest first.
    pub(super) previous: Vec<PreviousSecret>,
}

/// The part of a subscription that the end of a generation needs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Shelved {
    pub(super) id: Uuid,
    pub(super) events: Events,
    pub(super) receiver: u64,
    pub(super) disabled: bool,
}

/// Secret for an account's deliveries that belong to no subscription.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccountSecret {
    /// The secret.
    pub secret: WebhookSecret,
    /// When it was created.
    pub created: Millis,
}

/// Maximum number of replaced secrets that may still sign.
const PREVIOUS_SECRETS: usize = 5;

impl Record for Address {}
impl Record for Webhook {
    /// 2: `previous`.
    const VERSION: u8 = 2;

    fn upgraded(from: u8, body: &[u8]) -> Option<Vec<u8>> {
        (from == 1).then(|| [body, &[0]].concat())
    }
}
impl Record for WebhookShelf {
    /// 2: `previous`.
    const VERSION: u8 = 2;

    fn upgraded(from: u8, body: &[u8]) -> Option<Vec<u8>> {
        (from == 1).then(|| [body, &[0]].concat())
    }
}

/// Creates the deliveries of a generation that has just ended, in the transaction that ends it. Does nothing if the
/// generation has not ended. The caller must call [`Store::ring_webhooks`] once the transaction has succeeded.
pub(super) fn ended(tx: &Tx<'_>, generation: &Generation, now: Millis) -> Result<(), Abort> {
    let Some(event) = Event::of(generation.status) else { return Ok(()) };
    let shelf = tx.get(&WEBHOOK_SHELVES, generation.account.as_bytes())?.unwrap_or_default();
    let subscribed = shelf.webhooks.iter().filter(|w| !w.disabled && w.events.has(event));
    let named = tx.get(&WEBHOOK_URLS, &pair(generation.account, generation.id))?;
    let owners = subscribed.map(|w| (Owner::Webhook(w.id), w.receiver));
    for (owner, receiver) in owners.chain(named.map(|address| (Owner::Generation, address.receiver))) {
        deliveries::post(tx, &Delivery::of(generation, event, owner, receiver, now))?;
    }
    Ok(())
}

impl Store {
    /// Creates a subscription. Returns once it is on the disk. An account has at most [`WEBHOOKS_MAX`].
    ///
    /// # Errors
    /// [`StateError`].
    pub fn make_webhook(
        &self,
        account: Uuid,
        webhook: &Webhook,
        keyed: Option<&Keyed<Webhook>>,
    ) -> Result<Once<Webhook, Full>, StateError> {
        self.commit(|tx: &Tx<'_>| {
            once(tx, account, keyed, webhook.created, || {
                let mut shelf = tx.get(&WEBHOOK_SHELVES, account.as_bytes())?.unwrap_or_default();
                if shelf.webhooks.len() >= WEBHOOKS_MAX {
                    return Ok(Err(Full));
                }
                shelf.webhooks.push(Shelved::of(webhook));
                tx.put(&WEBHOOK_SHELVES, account.as_bytes(), &shelf)?;
                tx.put(&WEBHOOKS, &pair(account, webhook.id), webhook)?;
                Ok(Ok(webhook.clone()))
            })
        })
    }

    /// Returns an account's subscriptions, in order of creation.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn webhooks(&self, account: Uuid) -> Result<Vec<Webhook>, StateError> {
        let rows = self.shared.tables.scan(&WEBHOOKS, account.as_bytes());
        let webhooks = rows.map(|row| Ok(row?.1)).collect::<Result<_, StateError>>()?;
        self.settle()?;
        Ok(webhooks)
    }

    /// Returns one of the account's subscriptions. Subscriptions of other accounts are not found.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn webhook(&self, account: Uuid, id: Uuid) -> Result<Option<Webhook>, StateError> {
        let found = self.shared.tables.get(&WEBHOOKS, &pair(account, id))?;
        self.settle()?;
        Ok(found)
    }

    /// Changes a subscription. Returns `None` if there is none. A subscription that is enabled again is notified of
    /// generations that end from then on.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn change_webhook(
        &self,
        account: Uuid,
        id: Uuid,
        change: &WebhookChange,
        now: Millis,
    ) -> Result<Option<Webhook>, StateError> {
        self.commit(|tx: &Tx<'_>| -> Result<Option<Webhook>, Abort> {
            let Some(webhook) = tx.get(&WEBHOOKS, &pair(account, id))? else { return Ok(None) };
            let changed = Webhook {
                address: change.address.clone().unwrap_or(webhook.address),
                events: change.events.unwrap_or(webhook.events),
                disabled: match change.active {
                    Some(true) => None,
                    Some(false) => webhook.disabled.or(Some(now)),
                    None => webhook.disabled,
                },
                ..webhook
            };
            keep(tx, account, &changed)?;
            Ok(Some(changed))
        })
    }

    /// Gives a subscription a new secret. The old secret also signs deliveries until `until`. Returns `None` if there
    /// is no such subscription.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn rotate_secret_of(
        &self,
        account: Uuid,
        id: Uuid,
        until: Millis,
        now: Millis,
    ) -> Result<Option<Webhook>, StateError> {
        let fresh = fresh_secret(now)?.secret;
        self.commit(|tx: &Tx<'_>| -> Result<Option<Webhook>, Abort> {
            let Some(webhook) = tx.get(&WEBHOOKS, &pair(account, id))? else { return Ok(None) };
            let previous = retired(webhook.previous, webhook.secret, until, now);
            let rotated = Webhook { secret: fresh.clone(), previous, ..webhook };
            tx.put(&WEBHOOKS, &pair(account, id), &rotated)?;
            Ok(Some(rotated))
        })
    }

    /// Removes a subscription, and returns whether there was one. Its waiting deliveries are not sent.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn remove_webhook(&self, account: Uuid, id: Uuid) -> Result<bool, StateError> {
        self.commit(|tx: &Tx<'_>| -> Result<bool, Abort> {
            if tx.get(&WEBHOOKS, &pair(account, id))?.is_none() {
                return Ok(false);
            }
            let mut shelf = tx.need(&WEBHOOK_SHELVES, account.as_bytes())?;
            shelf.webhooks.retain(|w| w.id != id);
            tx.put(&WEBHOOK_SHELVES, account.as_bytes(), &shelf)?;
            tx.remove(&WEBHOOKS, &pair(account, id))?;
            Ok(true)
        })
    }

    /// Returns the secret that signs deliveries to the `webhookUrl` of an account's creations. The first call creates
    /// it.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn webhook_secret(&self, account: Uuid, now: Millis) -> Result<AccountSecret, StateError> {
        let shelf = self.shared.tables.get(&WEBHOOK_SHELVES, account.as_bytes())?;
        if let Some(secret) = shelf.and_then(|shelf| shelf.secret) {
            self.settle()?;
            return Ok(secret);
        }
        let fresh = fresh_secret(now)?;
        self.commit(|tx: &Tx<'_>| -> Result<AccountSecret, Abort> {
            let mut shelf = tx.get(&WEBHOOK_SHELVES, account.as_bytes())?.unwrap_or_default();
            let secret = shelf.secret.get_or_insert_with(|| fresh.clone()).clone();
            tx.put(&WEBHOOK_SHELVES, account.as_bytes(), &shelf)?;
            Ok(secret)
        })
    }

    /// Returns all secrets that currently sign deliveries to the `webhookUrl` of an account's creations, the newest
    /// first.
    ///
    /// # Errors
    /// [`StateError`].
    pub(super) fn webhook_secrets(&self, account: Uuid, now: Millis) -> Result<Vec<WebhookSecret>, StateError> {
        let newest = self.webhook_secret(account, now)?.secret;
        let shelf = self.shared.tables.get(&WEBHOOK_SHELVES, account.as_bytes())?;
        Ok(signing(newest, &shelf.map(|shelf| shelf.previous).unwrap_or_default(), now))
    }

    /// Replaces [`Self::webhook_secret`]. The old secret also signs deliveries until `until`.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn rotate_webhook_secret(
        &self,
        account: Uuid,
        until: Millis,
        now: Millis,
    ) -> Result<AccountSecret, StateError> {
        let fresh = fresh_secret(now)?;
        self.commit(|tx: &Tx<'_>| -> Result<AccountSecret, Abort> {
            let shelf = tx.get(&WEBHOOK_SHELVES, account.as_bytes())?.unwrap_or_default();
            let previous = match shelf.secret {
                Some(old) => retired(shelf.previous, old.secret, until, now),
                None => shelf.previous,
            };
            let shelf = WebhookShelf { secret: Some(fresh.clone()), previous, ..shelf };
            tx.put(&WEBHOOK_SHELVES, account.as_bytes(), &shelf)?;
            Ok(fresh.clone())
        })
    }

    /// Deletes deliveries whose retention has ended, and the `webhookUrl` of deleted generations.
    pub(super) fn forget_webhooks(&self, now: Millis) -> Result<(), StateError> {
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

/// Disables a subscription whose receiver at `url` is gone for good.
pub(super) fn disable(tx: &Tx<'_>, account: Uuid, id: Uuid, url: &str, now: Millis) -> Result<(), Abort> {
    // The subscription may have been removed or got another address in the meantime.
    let webhook = tx.get(&WEBHOOKS, &pair(account, id))?.filter(|webhook| webhook.address.url == url);
    let Some(webhook) = webhook else { return Ok(()) };
    keep(tx, account, &Webhook { disabled: webhook.disabled.or(Some(now)), ..webhook })
}

/// Stores a changed subscription, and updates the account's summary row.
fn keep(tx: &Tx<'_>, account: Uuid, webhook: &Webhook) -> Result<(), Abort> {
    let mut shelf = tx.need(&WEBHOOK_SHELVES, account.as_bytes())?;
    for shelved in shelf.webhooks.iter_mut().filter(|w| w.id == webhook.id) {
        *shelved = Shelved::of(webhook);
    }
    tx.put(&WEBHOOK_SHELVES, account.as_bytes(), &shelf)?;
    tx.put(&WEBHOOKS, &pair(account, webhook.id), webhook)
}

impl Shelved {
    fn of(webhook: &Webhook) -> Self {
        let Webhook { id, address, events, disabled, .. } = webhook;
        Self { id: *id, events: *events, receiver: address.receiver, disabled: disabled.is_some() }
    }
}

/// Returns the secrets to sign with now, the newest first.
pub(super) fn signing(newest: WebhookSecret, previous: &[PreviousSecret], now: Millis) -> Vec<WebhookSecret> {
    let previous = previous.iter().filter(|previous| now < previous.until).map(|previous| previous.secret.clone());
    std::iter::once(newest).chain(previous).collect()
}

/// Returns the replaced secrets, the newest first, after `secret` is replaced. Secrets that still sign are kept, up to
/// [`PREVIOUS_SECRETS`], so that a client that repeats a rotation because its response was lost does not end the
/// overlap.
fn retired(previous: Vec<PreviousSecret>, secret: WebhookSecret, until: Millis, now: Millis) -> Vec<PreviousSecret> {
    let older = previous.into_iter().map(|older| PreviousSecret { until: older.until.min(until), ..older });
    let all = std::iter::once(PreviousSecret { secret, until }).chain(older);
    all.filter(|previous| now < previous.until).take(PREVIOUS_SECRETS).collect()
}

fn fresh_secret(now: Millis) -> Result<AccountSecret, StateError> {
    let secret = WebhookSecret::generate().map_err(|e| StateError::Randomness(e.to_string()))?;
    Ok(AccountSecret { secret, created: now })
}

#[cfg(test)]
#[path = "webhooks_tests.rs"]
mod tests;
