//! Accepting generations.

use fleet::protocol::{BlobId, Class, Wishes};
use render_core::warning::Warning;
use uuid::Uuid;

use crate::clock::Millis;
use crate::credits::Movement;
use crate::state::billing::holds::{Short, afford, held};
use crate::state::billing::ledger;
use crate::state::database::tables::{Abort, Tx};
use crate::state::error::StateError;
use crate::state::generations::output_index;
use crate::state::generations::snapshot::{GenerationWarning, Snapshot, WARNINGS_EACH};
use crate::state::idempotency::{Answer, Keyed, Once, once};
use crate::state::jobs::outbox;
use crate::state::objects::storage::{Change, StorageFull};
use crate::state::people::keys;
use crate::state::rows::arrangement::Arrangement;
use crate::state::rows::encoding::clip;
use crate::state::rows::generations::{Generation, Request};
use crate::state::rows::jobs::{OpenJob, Work};
use crate::state::rows::keys::KeyDay;
use crate::state::rows::keyspace::{pair, placed};
use crate::state::rows::outputs::Output;
use crate::state::rows::schema::{GENERATIONS, OUTPUTS, WARNINGS, WEBHOOK_URLS};
use crate::state::rows::webhooks::Address;
use crate::state::status::Status;
use crate::state::store::Store;

/// Maximum size in bytes of the excerpt stored for searching.
const EXCERPT_BYTES: usize = 400;
/// Maximum length of a warning's message in bytes.
const MESSAGE_BYTES: usize = 500;

/// A generation to accept.
#[derive(Debug, Clone)]
pub struct Order {
    /// The account.
    pub account: Uuid,
    /// The API key of the request, whose usage counts the generation.
    pub key: Option<Uuid>,
    /// When it was requested.
    pub created: Millis,
    /// The request.
    pub request: Request,
    /// Whether the pages keep the exact content.
    pub exact: bool,
    /// The stored brand kit of the request.
    pub brand: Option<BlobId>,
    /// The photographs in the pages that it is derived from.
    pub photos: Vec<BlobId>,
    /// The sizes of the stored blobs.
    pub sizes: OrderSizes,
    /// The outputs to render, in order.
    pub outputs: Vec<PlannedOutput>,
    /// The generation that it is derived from.
    pub parent: Option<Uuid>,
    /// The purpose of the pages, as the client describes it.
    pub wishes: Wishes,
    /// Where to send the webhook of its end, in addition to the account's subscriptions.
    pub webhook: Option<Address>,
    /// Warnings about the request.
    pub warnings: Vec<Warning>,
    /// The client's idempotency key, and how to build the response to acceptance.
    pub idempotency: Option<Keyed<Snapshot>>,
}

/// Sizes in bytes of the blobs that an order stored.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OrderSizes {
    /// Size of the input.
    pub input: u64,
    /// Size of the brand, if there is one.
    pub brand: u64,
    /// The logos and faces that the brand references.
    pub brand_parts: Vec<BlobId>,
}

/// An output to render.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedOutput {
    /// The format's id.
    pub format: String,
    /// Index of the slide, from 0; `None` for a visual.
    pub slide: Option<u32>,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Cost in credits.
    pub cost: u64,
}

/// Result of an order.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "one at a time, and nearly every one of them created")]
pub enum Accepted {
    /// It was accepted, and it is on the disk.
    Created(Snapshot),
    /// The same order was accepted before under the same idempotency key. This was the response.
    Replayed(Answer),
    /// A different order was accepted under the same idempotency key.
    Conflict,
    /// The account lacks the credits.
    Insufficient {
        /// The cost in credits.
        required: u64,
        /// The available credits.
        available: u64,
    },
    /// The account's storage quota is used up.
    StorageFull(StorageFull),
}

/// Why an order was refused.
enum NotAccepted {
    Short(Short),
    Storage(StorageFull),
}

impl Store {
    /// Accepts an order in one transaction: the generation, its outputs, the hold on its credits, the idempotency key
    /// and its first job. Returns once it is on the disk.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn accept(&self, order: &Order) -> Result<Accepted, StateError> {
        let generation = order.generation();
        let id = generation.id;
        let outputs: Vec<Output> = order.outputs.iter().map(PlannedOutput::record).collect();
        let warnings = clipped(&order.warnings);
        let job = order.first_job(id);

        let write = |tx: &Tx<'_>| -> Result<Snapshot, Abort> {
            tx.put(&GENERATIONS, &pair(order.account, id), &generation)?;
            for (place, output) in (0..).zip(&outputs) {
                tx.put(&OUTPUTS, &placed(id, place), output)?;
                ledger::post(tx, &held(&generation, output), Movement::Hold, order.created)?;
            }
            for (place, warning) in (0..).zip(&warnings) {
                tx.put(&WARNINGS, &placed(id, place), warning)?;
            }
            output_index::put(tx, order.account, id, &outputs)?;
            if let Some(key) = order.key {
                let more = KeyDay { generations: 1, credits: generation.charged, requests: 0 };
                keys::add_to_day(tx, key, order.created.day(), more)?;
            }
            if let Some(address) = &order.webhook {
                tx.put(&WEBHOOK_URLS, &pair(order.account, id), address)?;
            }
            outbox::post(tx, id, &job)?;
            order.change().apply(tx)?;
            let told = |warning: &Warning| GenerationWarning { warning: warning.clone(), output: None };
            let warnings = warnings.iter().map(told).collect();
            Ok(Snapshot {
                generation: generation.clone(),
                outputs: vec![],
                warnings,
                edits: vec![],
                arrangement: Arrangement::default(),
            })
        };
        let accept = |tx: &Tx<'_>| {
            once(tx, order.account, order.idempotency.as_ref(), order.created, || {
                match afford(tx, order.account, generation.charged, &self.shared.monthly, order.created)? {
                    Ok(()) => match order.change().fits(tx, self.storage_quotas())? {
                        Ok(()) => write(tx).map(Ok),
                        Err(full) => Ok(Err(NotAccepted::Storage(full))),
                    },
                    Err(short) => Ok(Err(NotAccepted::Short(short))),
                }
            })
        };
        let accepted = self.commit_and(accept, |accepted| {
            if matches!(accepted, Once::Made(_)) {
                self.add_backlog(i64::from(generation.total));
                self.ring();
            }
        })?;
        Ok(match accepted {
            Once::Made(snapshot) => Accepted::Created(snapshot),
            Once::Refused(NotAccepted::Short(Short { required, available })) => {
                Accepted::Insufficient { required, available }
            }
            Once::Refused(NotAccepted::Storage(full)) => Accepted::StorageFull(full),
            Once::Replayed(answer) => Accepted::Replayed(answer),
            Once::Conflict => Accepted::Conflict,
        })
    }
}

impl Order {
    /// Returns the row of the new generation.
    fn generation(&self) -> Generation {
        let request = Request { excerpt: clip(&self.request.excerpt, EXCERPT_BYTES), ..self.request.clone() };
        Generation {
            id: Uuid::now_v7(),
            account: self.account,
            status: Status::Pending,
            created: self.created,
            started: None,
            completed: None,
            request,
            planned: None,
            total: u32::try_from(self.outputs.len()).unwrap_or(u32::MAX),
            done: 0,
            failed: 0,
            charged: self.outputs.iter().map(|o| o.cost).sum(),
            refunded: 0,
            fault: None,
            round: 0,
            exact: self.exact,
            brand: self.brand,
            photos: self.photos.clone(),
            images_deleted: None,
            input_deleted: None,
            parent: self.parent,
            wishes: self.wishes.clone(),
            usage: None,
            name: None,
        }
    }

    /// Returns its changes of the account's storage.
    fn change(&self) -> Change {
        let mut change = Change::of(self.account);
        change.add_blob(&self.request.input, Some(self.sizes.input));
        if let Some(brand) = &self.brand {
            change.add_brand(brand, Some(self.sizes.brand), &self.sizes.brand_parts);
        }
        self.photos.iter().for_each(|photo| change.add_blob(photo, None));
        self.outputs.iter().for_each(|output| change.open(output.width, output.height));
        change
    }

    fn first_job(&self, generation: Uuid) -> OpenJob {
        OpenJob::new(self.account, generation, Work::Plan, Class::Plan, 0)
    }
}

impl PlannedOutput {
    pub(in crate::state) fn record(&self) -> Output {
        Output {
            id: Uuid::now_v7(),
            format: self.format.clone(),
            slide: self.slide,
            width: self.width,
            height: self.height,
            cost: self.cost,
            version: 1,
            page: None,
            alt_text: String::new(),
            end: None,
        }
    }
}

/// Returns the warnings, truncated to fit into rows.
pub(in crate::state) fn clipped(warnings: &[Warning]) -> Vec<Warning> {
    let fit = |w: &Warning| Warning::new(w.code, clip(&w.message, MESSAGE_BYTES));
    warnings.iter().take(WARNINGS_EACH).map(fit).collect()
}
