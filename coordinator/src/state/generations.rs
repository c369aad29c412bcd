//! Accepting generations and reading them back.

use fleet::protocol::{BlobId, Class, Wishes};
use render_core::warning::Warning;
use uuid::Uuid;

use super::answers::{Answer, Keyed, Once, once};
use super::arrangement::Arrangement;
use super::edits::Edit;
use super::given::Given;
use super::keys::{self, KeyDay};
use super::keyspace::{self, pair, placed};
use super::ledger::{self, Posted};
use super::records::{Generation, OpenJob, Output, Request, Work};
use super::status::Status;
use super::storage::{Change, StorageFull};
use super::table::{Abort, Tables, Tx};
use super::webhooks::Address;
use super::{
    ARRANGEMENTS, EDITS, GENERATIONS, OUTPUTS, Shared, StateError, Store, WARNINGS, WEBHOOK_URLS, clip, outbox,
    page_words, places,
};
use crate::accounts::MonthlyCredits;
use crate::clock::Millis;
use crate::credits::Movement;

/// Maximum number of warnings per source (the request, the plan, an output).
pub(super) const WARNINGS_EACH: usize = fleet::protocol::WARNINGS;
/// Place of the first warning of the plan among a generation's warnings. The request's warnings come before.
pub(super) const PLAN_WARNINGS: u32 = 1_000;
/// Place of the first warning of the outputs, with [`WARNINGS_EACH`] places per output.
pub(super) const OUTPUT_WARNINGS: u32 = 2_000;
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

/// A warning of a generation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GenerationWarning {
    /// The warning.
    pub warning: Warning,
    /// The place of the output that it concerns, if it concerns one.
    pub output: Option<u32>,
}

/// Returns the warnings in a generation's rows, without duplicates.
pub(super) fn told<'a>(rows: impl IntoIterator<Item = &'a (sled::IVec, Warning)>) -> Vec<GenerationWarning> {
    let mut all: Vec<GenerationWarning> = Vec::new();
    for (key, warning) in rows {
        let output = keyspace::place(key).and_then(|place| place.checked_sub(OUTPUT_WARNINGS));
        let told =
            GenerationWarning { warning: warning.clone(), output: output.map(|place| place / WARNINGS_EACH as u32) };
        if !all.contains(&told) {
            all.push(told);
        }
    }
    all
}

/// A consistent view of a generation.
#[derive(Debug, Clone, PartialEq)]
pub struct Snapshot {
    /// The generation.
    pub generation: Generation,
    /// Its outputs in order; empty until a terminal status.
    pub outputs: Vec<Output>,
    /// Its warnings: those of the request, the plan and the outputs.
    pub warnings: Vec<GenerationWarning>,
    /// Edits of its outputs that are in progress or failed last, by the outputs' places.
    pub edits: Vec<(u32, Edit)>,
    /// The arrangement of its carousels.
    pub arrangement: Arrangement,
}

/// The forms of content, without the content itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InputType {
    /// A text.
    Text,
    /// The address of a web page.
    Url,
    /// An idea.
    Idea,
    /// A file: a PDF or another kind.
    Pdf,
    /// Pages in the page language.
    Pages,
}

impl Given {
    /// Returns the form of the content.
    pub fn input_type(&self) -> InputType {
        match self {
            Self::Text => InputType::Text,
            Self::Url(_) => InputType::Url,
            Self::Idea => InputType::Idea,
            Self::Pdf | Self::PdfUrl(_) | Self::File(_) => InputType::Pdf,
            Self::Markup => InputType::Pages,
            Self::Illustrated(given) | Self::Outlined(given) | Self::Remade(given) => given.input_type(),
        }
    }
}

/// A filter for lists of generations. All conditions that are set must hold.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Filter {
    /// The status.
    pub status: Option<Status>,
    /// The form of the content.
    pub input_type: Option<InputType>,
    /// The brand kit.
    pub brand: Option<Uuid>,
    /// Accepted at this time or later.
    pub created_after: Option<Millis>,
    /// Accepted before this time.
    pub created_before: Option<Millis>,
    /// Words of the title, of the excerpt or of a page, ignoring case.
    pub query: Option<String>,
}

impl Filter {
    /// Returns whether a generation matches. Reads its page texts only if its titles and excerpt lack the query.
    fn holds(&self, g: &Generation, tables: &Tables) -> Result<bool, StateError> {
        if !self.holds_apart_from_words(g) {
            return Ok(false);
        }
        let Some(q) = self.query.as_ref().map(|q| q.to_lowercase()) else { return Ok(true) };
        let mut own = g.titles().chain([g.request.excerpt.as_str()]);
        Ok(own.any(|text| text.to_lowercase().contains(&q))
            || page_words::shown(tables, g.id)?.iter().any(|text| text.contains(&q)))
    }

    fn holds_apart_from_words(&self, g: &Generation) -> bool {
        self.status.is_none_or(|s| s == g.status)
            && self.input_type.is_none_or(|t| t == g.request.given.input_type())
            && self.brand.is_none_or(|b| Some(b) == g.request.brand)
            && self.created_after.is_none_or(|t| g.created >= t)
            && self.created_before.is_none_or(|t| g.created < t)
    }
}

/// A lack of credits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Short {
    pub(super) required: u64,
    pub(super) available: u64,
}

/// Checks that an account has `required` credits.
pub(super) fn afford(
    tx: &Tx<'_>,
    account: Uuid,
    required: u64,
    monthly: &MonthlyCredits,
    now: Millis,
) -> Result<Result<(), Short>, Abort> {
    let available = ledger::renewed(tx, account, monthly, now)?.available();
    Ok(if available < required { Err(Short { required, available }) } else { Ok(()) })
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
            places::put(tx, order.account, id, &outputs)?;
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

    /// Returns an account's generation. Generations of other accounts are not found.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn generation(&self, account: Uuid, id: Uuid) -> Result<Option<Snapshot>, StateError> {
        let found = self.shared.tables.get(&GENERATIONS, &pair(account, id))?;
        let snapshot = found.map(|g| self.snapshot(g)).transpose()?.flatten();
        self.settle()?;
        Ok(snapshot)
    }

    /// Returns up to `limit` of an account's generations that match `filter`, the newest first, only those older than
    /// `after`. Also returns whether there are more.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn generations(
        &self,
        account: Uuid,
        filter: &Filter,
        after: Option<Uuid>,
        limit: usize,
    ) -> Result<(Vec<Snapshot>, bool), StateError> {
        let Shared { tables, index, .. } = &*self.shared;
        let (mut found, mut after) = (Vec::new(), after);
        loop {
            let wanted = limit + 1 - found.len();
            let ids = index.find(account, filter, after, wanted);
            for id in &ids {
                // It may have changed or gone since the index was asked.
                let Some(generation) = tables.get(&GENERATIONS, &pair(account, *id))? else { continue };
                if !filter.holds(&generation, tables)? {
                    continue;
                }
                if found.len() == limit {
                    self.settle()?;
                    return Ok((found, true));
                }
                found.extend(self.snapshot(generation)?);
            }
            if ids.len() < wanted {
                self.settle()?;
                return Ok((found, false));
            }
            after = ids.last().copied();
        }
    }

    /// Reads the rest of a generation whose row was read before. If its status is terminal, all its outputs exist,
    /// unless it was deleted since.
    fn snapshot(&self, generation: Generation) -> Result<Option<Snapshot>, StateError> {
        let outputs = if generation.status.is_terminal() { self.outputs(generation.id)? } else { Vec::new() };
        if generation.status.is_terminal() && outputs.len() < generation.total as usize {
            return Ok(None);
        }
        let warnings = self.warnings(generation.id)?;
        let edits = if outputs.is_empty() { Vec::new() } else { self.edits(generation.id)? };
        let arrangement = self.shared.tables.get(&ARRANGEMENTS, generation.id.as_bytes())?.unwrap_or_default();
        Ok(Some(Snapshot { generation, outputs, warnings, edits, arrangement }))
    }

    /// Returns the edits of a generation's outputs, by their places.
    fn edits(&self, generation: Uuid) -> Result<Vec<(u32, Edit)>, StateError> {
        let rows = self.shared.tables.scan(&EDITS, generation.as_bytes());
        rows.map(|row| row.map(|(key, edit)| (keyspace::place(&key).unwrap_or(u32::MAX), edit))).collect()
    }

    pub(super) fn outputs(&self, generation: Uuid) -> Result<Vec<Output>, StateError> {
        self.shared.tables.scan(&OUTPUTS, generation.as_bytes()).map(|row| Ok(row?.1)).collect()
    }

    /// Returns the warnings of a generation, without duplicates.
    pub(super) fn warnings(&self, generation: Uuid) -> Result<Vec<GenerationWarning>, StateError> {
        let rows = self.shared.tables.scan(&WARNINGS, generation.as_bytes()).collect::<Result<Vec<_>, _>>()?;
        Ok(told(&rows))
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
    pub(super) fn record(&self) -> Output {
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

/// Returns what an output's credits move for.
pub(super) fn held(generation: &Generation, output: &Output) -> Posted {
    Posted {
        account: generation.account,
        generation: generation.id,
        output: output.id,
        version: output.version,
        round: generation.round,
        amount: output.cost,
    }
}

/// Returns the warnings, truncated to fit into rows.
pub(super) fn clipped(warnings: &[Warning]) -> Vec<Warning> {
    let fit = |w: &Warning| Warning::new(w.code, clip(&w.message, MESSAGE_BYTES));
    warnings.iter().take(WARNINGS_EACH).map(fit).collect()
}
