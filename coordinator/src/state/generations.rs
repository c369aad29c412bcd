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

/// Warnings that one source (the request, the plan, an output) may leave.
pub(super) const WARNINGS_EACH: usize = fleet::protocol::WARNINGS;
/// Where the warnings of the plan stand among those of a generation; those of the request come before.
pub(super) const PLAN_WARNINGS: u32 = 1_000;
/// Where those of the outputs stand, [`WARNINGS_EACH`] places an output.
pub(super) const OUTPUT_WARNINGS: u32 = 2_000;
/// Bytes of the content that are kept for searching.
const EXCERPT_BYTES: usize = 400;
/// Bytes of a warning's message.
const MESSAGE_BYTES: usize = 500;

/// A generation to accept.
#[derive(Debug, Clone)]
pub struct Order {
    /// Whose it is.
    pub account: Uuid,
    /// The key that it came by, which it is counted for.
    pub key: Option<Uuid>,
    /// When it was asked for.
    pub created: Millis,
    /// What was asked for.
    pub request: Request,
    /// Whether its words are set whole.
    pub exact: bool,
    /// What the brand kit of the request says.
    pub brand: Option<BlobId>,
    /// The photographs in the pages that it is derived from.
    pub photos: Vec<BlobId>,
    /// The sizes of what it stored.
    pub sizes: OrderSizes,
    /// The images to make, in order.
    pub outputs: Vec<PlannedOutput>,
    /// The generation whose pages it is made from.
    pub parent: Option<Uuid>,
    /// What the client says about the purpose of the pages.
    pub wishes: Wishes,
    /// Where its end is told, beside the account's subscriptions.
    pub webhook: Option<Address>,
    /// What the client should know about the request.
    pub warnings: Vec<Warning>,
    /// The client's idempotency key, and how acceptance is answered.
    pub idempotency: Option<Keyed<Snapshot>>,
}

/// The sizes in bytes of what an order stored.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OrderSizes {
    /// Of its input.
    pub input: u64,
    /// Of the brand, where it has one.
    pub brand: u64,
    /// The logos and faces that the brand refers to.
    pub brand_parts: Vec<BlobId>,
}

/// An image to make.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedOutput {
    /// Format id.
    pub format: String,
    /// Slide from 0; `None` for a visual.
    pub slide: Option<u32>,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Its credits.
    pub cost: u64,
}

/// What became of an order.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "one at a time, and nearly every one of them created")]
pub enum Accepted {
    /// It is accepted, and on the disk.
    Created(Snapshot),
    /// The same order under the same idempotency key was accepted before, and this was the answer.
    Replayed(Answer),
    /// Another order was accepted under the same idempotency key.
    Conflict,
    /// The account has not got the credits.
    Insufficient {
        /// What it costs.
        required: u64,
        /// What there is.
        available: u64,
    },
    /// The account's storage is used up.
    StorageFull(StorageFull),
}

/// Why an order is not accepted.
enum NotAccepted {
    Short(Short),
    Storage(StorageFull),
}

/// A warning of a generation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GenerationWarning {
    /// The warning.
    pub warning: Warning,
    /// The place of the output that it is about, where it is about one.
    pub output: Option<u32>,
}

/// The warnings of a generation by their rows, each once.
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

/// A generation as it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Snapshot {
    /// The generation.
    pub generation: Generation,
    /// Its outputs in order; empty before a terminal status.
    pub outputs: Vec<Output>,
    /// Its warnings: the request's, the plan's, the outputs'.
    pub warnings: Vec<GenerationWarning>,
    /// The edits of its outputs that are under way or failed last, by the outputs' places.
    pub edits: Vec<(u32, Edit)>,
    /// How its carousels are arranged.
    pub arrangement: Arrangement,
}

/// The ways to give content, without what is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InputType {
    /// A text.
    Text,
    /// The address of a page.
    Url,
    /// An idea.
    Idea,
    /// A file: a PDF or one of another kind.
    Pdf,
    /// Pages in the page language.
    Pages,
}

impl Given {
    /// Which way it is.
    pub fn input_type(&self) -> InputType {
        match self {
            Self::Text => InputType::Text,
            Self::Url(_) => InputType::Url,
            Self::Idea => InputType::Idea,
            Self::Pdf | Self::PdfUrl(_) | Self::File(_) => InputType::Pdf,
            Self::Markup => InputType::Pages,
            Self::Illustrated(given) | Self::Outlined(given) => given.input_type(),
        }
    }
}

/// Which generations are listed. Everything that is set must hold.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Filter {
    /// Its status.
    pub status: Option<Status>,
    /// What its content was given as.
    pub input_type: Option<InputType>,
    /// Its brand kit.
    pub brand: Option<Uuid>,
    /// Accepted at this time or later.
    pub created_after: Option<Millis>,
    /// Accepted before this time.
    pub created_before: Option<Millis>,
    /// Words of its title, of how its content begins or of its pages, in any case.
    pub query: Option<String>,
}

impl Filter {
    /// Whether it lets a generation through, whose pages are looked up where its own words don't decide.
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

/// What an account hasn't got.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Short {
    pub(super) required: u64,
    pub(super) available: u64,
}

/// Whether an account can pay so many credits.
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
    /// Accepts an order: the generation, its outputs, the hold on its credits, the idempotency key and the job that
    /// begins it, all or nothing, on the disk when this returns.
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

    /// An account's generation; another account's is not there.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn generation(&self, account: Uuid, id: Uuid) -> Result<Option<Snapshot>, StateError> {
        let found = self.shared.tables.get(&GENERATIONS, &pair(account, id))?;
        let snapshot = found.map(|g| self.snapshot(g)).transpose()?.flatten();
        self.settle()?;
        Ok(snapshot)
    }

    /// Up to `limit` of an account's generations that `filter` lets through, newest first, older than `after`; and
    /// whether there are more.
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

    /// The generation's row was read before its outputs: where that says terminal, they are all there, or it was deleted
    /// since.
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

    /// The edits of a generation's outputs, by their places.
    fn edits(&self, generation: Uuid) -> Result<Vec<(u32, Edit)>, StateError> {
        let rows = self.shared.tables.scan(&EDITS, generation.as_bytes());
        rows.map(|row| row.map(|(key, edit)| (keyspace::place(&key).unwrap_or(u32::MAX), edit))).collect()
    }

    pub(super) fn outputs(&self, generation: Uuid) -> Result<Vec<Output>, StateError> {
        self.shared.tables.scan(&OUTPUTS, generation.as_bytes()).map(|row| Ok(row?.1)).collect()
    }

    /// The warnings of a generation, each once.
    pub(super) fn warnings(&self, generation: Uuid) -> Result<Vec<GenerationWarning>, StateError> {
        let rows = self.shared.tables.scan(&WARNINGS, generation.as_bytes()).collect::<Result<Vec<_>, _>>()?;
        Ok(told(&rows))
    }
}

impl Order {
    /// The row of a generation that is just being accepted.
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

    /// What it changes of the account's storage.
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

/// The ledger's view of an output.
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

/// Warnings as they fit into rows.
pub(super) fn clipped(warnings: &[Warning]) -> Vec<Warning> {
    let fit = |w: &Warning| Warning::new(w.code, clip(&w.message, MESSAGE_BYTES));
    warnings.iter().take(WARNINGS_EACH).map(fit).collect()
}
