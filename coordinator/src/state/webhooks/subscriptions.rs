//! Webhooks: the addresses that accounts are notified at when generations end, and the deliveries that an end creates.
//!
//! A subscription is notified of every generation of its account; the `webhookUrl` of a creation only of that
//! generation. One row per account summarizes its subscriptions, so that the transaction that ends a generation reads a
//! single row.

use uuid::Uuid;

use crate::clock::Millis;
use crate::keys::WebhookSecret;
use crate::state::database::tables::{Abort, Tx};
use crate::state::error::StateError;
use crate::state::idempotency::{Full, Keyed, Once, once};
use crate::state::rows::keyspace::pair;
use crate::state::rows::schema::{WEBHOOK_SHELVES, WEBHOOKS};
use crate::state::rows::webhooks::{AccountSecret, Address, Events, PreviousSecret, Shelved, Webhook, WebhookShelf};
use crate::state::store::Store;

/// Maximum number of subscriptions per account: one row holds them all, and each end creates a delivery to every one of
/// them.
pub const WEBHOOKS_MAX: usize = 20;

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

/// Maximum number of replaced secrets that may still sign.
pub(super) const PREVIOUS_SECRETS: usize = 5;

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
    pub(in crate::state) fn webhook_secrets(
        &self,
        account: Uuid,
        now: Millis,
    ) -> Result<Vec<WebhookSecret>, StateError> {
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
}

/// Disables a subscription whose receiver at `url` is gone for good.
pub(in crate::state) fn disable(tx: &Tx<'_>, account: Uuid, id: Uuid, url: &str, now: Millis) -> Result<(), Abort> {
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
pub(in crate::state) fn signing(newest: WebhookSecret, previous: &[PreviousSecret], now: Millis) -> Vec<WebhookSecret> {
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
