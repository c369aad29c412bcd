//! Sends webhook deliveries: each at least once, with limited concurrency, and again after a pause if the receiver did
//! not accept it.
//!
//! Waiting deliveries are stored in the state, and only those in progress are held in memory, so a start resumes what a
//! shutdown interrupted. A slow receiver uses up only its own places.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::{Duration, Instant};

use fleet::net::{FetchError, Message, Poster};
use futures::FutureExt;
use hmac::{Hmac, KeyInit, Mac};
use parking_lot::Mutex;
use sha2::Sha256;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::api;
use crate::app::App;
use crate::clock::Millis;
use crate::keys::WebhookSecret;
use crate::metrics;
use crate::state::{Attempt, DeliveryAction, Due, Progress, Reception, Sending, StateError, Store};

/// Timeout of a receiver's response.
pub const ANSWER_TIME: Duration = Duration::from_secs(10);
/// Maximum number of concurrent deliveries: in total, per account, per receiver (a host and port), and per account and
/// receiver. A receiver that never responds holds a place for [`ANSWER_TIME`].
const PLACES: usize = 64;
const PLACES_ACCOUNT: usize = 16;
const PLACES_RECEIVER: usize = 8;
const PLACES_LANE: usize = 4;
/// Interval between checks for due deliveries even without a notification.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// Minimum interval between two checks, also as a multiple of the last check's duration.
const PACE: Duration = Duration::from_millis(20);
const PACE_TIMES: u32 = 10;
/// Pause before retrying after the state failed.
const PAUSE: Duration = Duration::from_secs(5);
/// Interval between counts of waiting deliveries.
const COUNT_EVERY: Duration = Duration::from_secs(15);
/// Timeout at shutdown for deliveries in progress. The next start sends the rest again.
const END_TIME: Duration = Duration::from_secs(5);
/// The status of a receiver that is gone for good (RFC 9110, 15.5.11).
const GONE: u16 = 410;

/// Returns the value of `X-Vivid-Signature` for a body sent at a time: `t` in Unix seconds, and for each secret a `v1`,
/// the HMAC-SHA256 of `t`, a dot and the body, in hexadecimal. The key is the secret as displayed, including its
/// prefix.
pub fn signature(secrets: &[WebhookSecret], at: Millis, body: &[u8]) -> String {
    let t = at.seconds();
    let mut header = format!("t={t}");
    for secret in secrets {
        let mut mac =
            Hmac::<Sha256>::new_from_slice(secret.reveal().as_bytes()).expect("HMAC takes a key of any length");
        mac.update(t.to_string().as_bytes());
        mac.update(b".");
        mac.update(body);
        header.push_str(",v1=");
        header.push_str(&hex::encode(mac.finalize().into_bytes()));
    }
    header
}

/// Sends due deliveries until `stop` is cancelled.
pub async fn deliver(app: Arc<App>, poster: Poster, stop: CancellationToken) {
    let (poster, places) = (Arc::new(poster), Places::default());
    let mut under_way = JoinSet::new();
    let mut counted: Option<Instant> = None;
    while !stop.is_cancelled() {
        if counted.is_none_or(|at| at.elapsed() >= COUNT_EVERY) {
            counted = Some(Instant::now());
            count(&app.store).await;
        }
        let looked = Instant::now();
        let batch = app.store.run(|s| s.due_deliveries(Millis::now(), PLACES_LANE)).await;
        let batch = batch.unwrap_or_else(|e| {
            complain("reading due deliveries failed", &e);
            Default::default()
        });
        for due in batch.due {
            if let Some(place) = places.take(&due) {
                under_way.spawn(attempt(Arc::clone(&app), Arc::clone(&poster), due, place));
            }
        }
        let pace = PACE.max(looked.elapsed() * PACE_TIMES);
        let next = batch.next.and_then(|next| u64::try_from(next.0 - Millis::now().0).ok());
        tokio::select! {
            () = stop.cancelled() => break,
            () = app.store.webhooks_rung() => {}
            Some(_) = under_way.join_next() => {}
            () = sleep(next.map_or(LOOK_EVERY, Duration::from_millis).min(LOOK_EVERY)) => {}
        }
        while under_way.try_join_next().is_some() {}
        tokio::select! {
            () = stop.cancelled() => break,
            () = sleep(pace.saturating_sub(looked.elapsed())) => {}
        }
    }
    let ended = timeout(END_TIME, async { while under_way.join_next().await.is_some() {} });
    if ended.await.is_err() {
        tracing::info!("webhook deliveries interrupted: the next start sends them again");
    }
}

/// Result of an attempt.
struct Came {
    reception: Reception,
    status: Option<u16>,
    error: Option<String>,
    /// Label for the metrics.
    outcome: &'static str,
}

impl Came {
    fn without_answer(reception: Reception, error: impl Into<String>, outcome: &'static str) -> Self {
        Self { reception, status: None, error: Some(error.into()), outcome }
    }

    fn of(answer: Result<u16, FetchError>) -> Self {
        let (reception, outcome) = match &answer {
            Ok(200..=299) => (Reception::Taken, "delivered"),
            Ok(GONE) => (Reception::Gone, "gone"),
            Ok(_) => (Reception::Missed, "status"),
            Err(FetchError::Refused(_)) => (Reception::Missed, "refused"),
            Err(_) => (Reception::Missed, "unanswered"),
        };
        match answer {
            Ok(status) => Self { reception, status: Some(status), error: None, outcome },
            Err(e) => Self::without_answer(reception, e.to_string(), outcome),
        }
    }
}

/// Attempts a delivery. The place is held until the result is on the disk. Otherwise a state that can't be written
/// would cause the same delivery to be sent over and over.
async fn attempt(app: Arc<App>, poster: Arc<Poster>, due: Due, _place: Place) {
    let (at, began) = (Millis::now(), Instant::now());
    let action = match app.store.run(move |s| s.delivery_action(&due, at)).await {
        Ok(action) => action,
        Err(e) => {
            complain("reading a delivery failed", &e);
            return sleep(PAUSE).await;
        }
    };
    let url = match &action {
        DeliveryAction::Send(sending) => sending.url.clone(),
        DeliveryAction::Done | DeliveryAction::Held(_) | DeliveryAction::Void(_) => String::new(),
    };
    let came = match action {
        DeliveryAction::Done => return,
        DeliveryAction::Held(why) => Came::without_answer(Reception::Missed, why, "held"),
        DeliveryAction::Void(why) => Came::without_answer(Reception::Void, why, "void"),
        DeliveryAction::Send(sending) => {
            // Without this, a panic would cause the same delivery to be retried forever.
            let sent = AssertUnwindSafe(send(&app, &poster, *sending)).catch_unwind().await;
            sent.unwrap_or_else(|_| Came::without_answer(Reception::Missed, "a fault of the service", "fault"))
        }
    };
    let took = began.elapsed();
    metrics::webhook_attempted(came.outcome, took);
    tracing::debug!(delivery = %due.delivery, account = %due.account, outcome = came.outcome, "delivery attempted");
    let took_ms = u32::try_from(took.as_millis()).unwrap_or(u32::MAX);
    let attempt = Attempt { at, status: came.status, error: came.error, took_ms };
    loop {
        let (url, attempt) = (url.clone(), attempt.clone());
        match app.store.run(move |s| s.attempted(&due, &url, &attempt, came.reception, Millis::now())).await {
            Ok(Progress::GivenUp) => {
                metrics::webhook_given_up();
                tracing::info!(delivery = %due.delivery, account = %due.account, "delivery given up");
                return;
            }
            Ok(_) => return,
            Err(e) => complain("storing the result of a delivery failed", &e),
        }
        sleep(PAUSE).await;
    }
}

async fn send(app: &App, poster: &Poster, sending: Sending) -> Came {
    let now = Millis::now();
    let Sending { delivery, url, secrets, snapshot } = sending;
    let body = api::told(&delivery, snapshot.as_ref(), app, now);
    let headers = vec![
        ("x-vivid-event", delivery.event.name().to_owned()),
        ("x-vivid-delivery", delivery.id.to_string()),
        ("x-vivid-signature", signature(&secrets, now, &body)),
    ];
    Came::of(poster.post(Message { url, headers, body: body.into() }).await)
}

/// Updates the metrics of waiting deliveries.
async fn count(store: &Store) {
    match store.run(|s| s.waiting_deliveries()).await {
        Ok((waiting, oldest)) => {
            let age = oldest.and_then(|oldest| u64::try_from(Millis::now().0 - oldest.0).ok());
            metrics::webhooks_waiting(waiting, Duration::from_millis(age.unwrap_or(0)));
        }
        Err(e) => complain("counting waiting deliveries failed", &e),
    }
}

fn complain(what: &str, error: &StateError) {
    tracing::error!(%error, "webhooks: {what}");
}

/// The deliveries in progress.
#[derive(Clone, Default)]
struct Places(Arc<Mutex<Taken>>);

#[derive(Default)]
struct Taken {
    deliveries: HashSet<Uuid>,
    accounts: HashMap<Uuid, usize>,
    receivers: HashMap<u64, usize>,
    lanes: HashMap<[u8; 8], usize>,
}

/// The place of one delivery. Dropping it frees the place.
struct Place {
    places: Places,
    due: Due,
}

impl Places {
    /// Takes a place for a delivery that isn't in progress, if one is free.
    fn take(&self, due: &Due) -> Option<Place> {
        let taken = &mut *self.0.lock();
        let free = !taken.deliveries.contains(&due.delivery)
            && taken.deliveries.len() < PLACES
            && held(&taken.accounts, &due.account) < PLACES_ACCOUNT
            && held(&taken.receivers, &due.receiver) < PLACES_RECEIVER
            && held(&taken.lanes, &due.lane()) < PLACES_LANE;
        if !free {
            return None;
        }
        taken.deliveries.insert(due.delivery);
        *taken.accounts.entry(due.account).or_default() += 1;
        *taken.receivers.entry(due.receiver).or_default() += 1;
        *taken.lanes.entry(due.lane()).or_default() += 1;
        Some(Place { places: self.clone(), due: *due })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let taken = &mut *self.places.0.lock();
        taken.deliveries.remove(&self.due.delivery);
        give_back(&mut taken.accounts, &self.due.account);
        give_back(&mut taken.receivers, &self.due.receiver);
        give_back(&mut taken.lanes, &self.due.lane());
    }
}

fn held<K: Hash + Eq>(counts: &HashMap<K, usize>, key: &K) -> usize {
    counts.get(key).copied().unwrap_or(0)
}

fn give_back<K: Hash + Eq + Copy>(counts: &mut HashMap<K, usize>, key: &K) {
    if let Some(count) = counts.get_mut(key) {
        *count -= 1;
        if *count == 0 {
            counts.remove(key);
        }
    }
}

#[cfg(test)]
#[path = "webhooks_tests.rs"]
mod tests;
