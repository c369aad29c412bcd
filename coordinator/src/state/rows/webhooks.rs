//! Rows of webhooks: subscriptions, addresses and deliveries.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::clock::Millis;
use crate::keys::WebhookSecret;
use crate::state::rows::encoding::{Record, versions};
use crate::state::status::Status;

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
    pub(in crate::state) fn of(status: Status) -> Option<Self> {
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

impl Record for Address {}

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

/// Version 1 of [`Webhook`]. A replaced secret signed nothing more.
#[derive(Deserialize)]
struct WebhookV1 {
    id: Uuid,
    address: Address,
    events: Events,
    secret: WebhookSecret,
    created: Millis,
    disabled: Option<Millis>,
}

impl From<WebhookV1> for Webhook {
    fn from(row: WebhookV1) -> Self {
        let WebhookV1 { id, address, events, secret, created, disabled } = row;
        Self { id, address, events, secret, created, disabled, previous: Vec::new() }
    }
}

versions! { Webhook as WebhookRow: 1 => V1(WebhookV1), 2 => V2(Webhook) }

/// A secret that was replaced.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PreviousSecret {
    /// The secret.
    pub secret: WebhookSecret,
    /// When it stops signing deliveries beside the new secret.
    pub until: Millis,
}

/// Secret for an account's deliveries that belong to no subscription.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccountSecret {
    /// The secret.
    pub secret: WebhookSecret,
    /// When it was created.
    pub created: Millis,
}

/// Summary of an account's webhooks, keyed by the account's id.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(in crate::state) struct WebhookShelf {
    /// Its subscriptions.
    pub(in crate::state) webhooks: Vec<Shelved>,
    /// Secret that signs deliveries to the `webhookUrl` of creations. Created when first requested.
    pub(in crate::state) secret: Option<AccountSecret>,
    /// Replaced secrets that still sign those deliveries too, the newest first.
    pub(in crate::state) previous: Vec<PreviousSecret>,
}

/// Version 1 of [`WebhookShelf`]. A replaced secret signed nothing more.
#[derive(Deserialize)]
struct WebhookShelfV1 {
    webhooks: Vec<Shelved>,
    secret: Option<AccountSecret>,
}

impl From<WebhookShelfV1> for WebhookShelf {
    fn from(WebhookShelfV1 { webhooks, secret }: WebhookShelfV1) -> Self {
        Self { webhooks, secret, previous: Vec::new() }
    }
}

versions! { WebhookShelf as WebhookShelfRow: 1 => V1(WebhookShelfV1), 2 => V2(WebhookShelf) }

/// The part of a subscription that the end of a generation needs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::state) struct Shelved {
    pub(in crate::state) id: Uuid,
    pub(in crate::state) events: Events,
    pub(in crate::state) receiver: u64,
    pub(in crate::state) disabled: bool,
}

/// What a delivery was created for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Owner {
    /// A subscription.
    Webhook(Uuid),
    /// The `webhookUrl` of its generation.
    Generation,
}

/// A delivery, keyed by (account, owner, id).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Delivery {
    /// The id, the same in every attempt.
    pub id: Uuid,
    /// The account.
    pub account: Uuid,
    /// What it was created for.
    pub owner: Owner,
    /// The generation that it reports; the subscription's own id in a test.
    pub generation: Uuid,
    /// The event that it reports.
    pub event: Event,
    /// The receiver.
    pub receiver: u64,
    /// When the generation ended.
    pub created: Millis,
    /// The recent attempts, the oldest first.
    pub attempts: Vec<Attempt>,
    /// The delivery's state.
    pub progress: Progress,
}

impl Record for Delivery {}

/// State of a delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Progress {
    /// The next attempt is due at this time.
    Waiting(Millis),
    /// The receiver accepted it.
    Delivered,
    /// The receiver did not accept it, and it is not retried.
    GivenUp,
}

/// One attempt to send a delivery.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attempt {
    /// When.
    pub at: Millis,
    /// The status code of the response.
    pub status: Option<u16>,
    /// Why there was no response.
    pub error: Option<String>,
    /// Duration in milliseconds.
    pub took_ms: u32,
}

/// A waiting delivery, keyed by (lane, time, id).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::state) struct Waiting {
    pub(in crate::state) account: Uuid,
    /// The subscription or generation in the delivery's key.
    pub(in crate::state) owner: Uuid,
    pub(in crate::state) receiver: u64,
}

impl Record for Waiting {}
