//! Actions of clients on accepted generations: cancel, retry and delete.

use std::sync::atomic::{AtomicI64, Ordering};

use fleet::protocol::{Class, FailureCode};
use render_core::warning::Warning;
use uuid::Uuid;

use crate::clock::Millis;
use crate::credits::Movement;
use crate::metrics;
use crate::state::billing::holds::{Short, afford, held};
use crate::state::billing::ledger;
use crate::state::database::tables::{Abort, Tx};
use crate::state::error::StateError;
use crate::state::generations::event_log;
use crate::state::generations::read::{arrangement_of, edits_of, read_outputs};
use crate::state::generations::snapshot::{Snapshot, told};
use crate::state::idempotency::{Keyed, Once, once};
use crate::state::jobs::claims::call_off;
use crate::state::jobs::endings::end;
use crate::state::jobs::{edits, images, outbox};
use crate::state::objects::storage::{Change, StorageFull};
use crate::state::objects::{bundles, deletion_queue};
use crate::state::rows::generations::{Fault, Generation};
use crate::state::rows::jobs::{OpenJob, Work, drawing};
use crate::state::rows::keyspace::{pair, placed};
use crate::state::rows::outputs::{End, Output};
use crate::state::rows::schema::{
    ARRANGEMENTS, CLOSED, EVENT_LOGS, GENERATIONS, OUTPUT_PLACES, OUTPUTS, WARNINGS, WEBHOOK_URLS,
};
use crate::state::status::Status;
use crate::state::store::Store;

/// Why an action was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// The generation doesn't exist, or it belongs to another account.
    Absent,
    /// Its status doesn't allow the action.
    Stands(Status),
    /// The account lacks the credits.
    Insufficient {
        /// The cost in credits.
        required: u64,
        /// The available credits.
        available: u64,
    },
    /// The service can't take on that many images.
    Full,
    /// The account's storage quota is used up.
    StorageFull(StorageFull),
    /// Its input was deleted.
    InputGone,
}

impl From<Short> for Refusal {
    fn from(Short { required, available }: Short) -> Self {
        Self::Insufficient { required, available }
    }
}

impl Store {
    /// Cancels a generation: closes its open jobs and refunds the credits reserved for outputs that aren't ready.
    /// Outputs that are ready stay, and stay charged.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn cancel(
        &self,
        account: Uuid,
        id: Uuid,
        keyed: Option<&Keyed<Snapshot>>,
        now: Millis,
    ) -> Result<Once<Snapshot, Refusal>, StateError> {
        let released = AtomicI64::new(0);
        let cancel = |tx: &Tx<'_>, mut generation: Generation, warnings: &Warnings| {
            if generation.status.is_terminal() {
                return Ok(Err(Refusal::Stands(generation.status)));
            }
            let outputs = read_outputs(tx, &generation)?;
            released.store(stop(tx, &mut generation, &outputs, now)?, Ordering::Relaxed);
            let outputs = read_outputs(tx, &generation)?;
            tx.put(&GENERATIONS, &pair(account, id), &generation)?;
            event_log::moved(tx, id)?;
            let edits = edits_of(tx, &generation)?;
            let arrangement = arrangement_of(tx, id)?;
            Ok(Ok(Snapshot { generation, outputs, warnings: told(warnings), edits, arrangement }))
        };
        self.change(account, id, keyed, now, cancel, |made| {
            self.count_stopped(&made.generation, released.load(Ordering::Relaxed));
        })
    }

    /// Renders the failed outputs of a generation again, or plans it again if planning failed. This starts a new round,
    /// for which credits are reserved again. Refuses to take on more than `room` outputs.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn retry(
        &self,
        account: Uuid,
        id: Uuid,
        room: u64,
        keyed: Option<&Keyed<Snapshot>>,
        now: Millis,
    ) -> Result<Once<Snapshot, Refusal>, StateError> {
        let retry = |tx: &Tx<'_>, mut generation: Generation, warnings: &Warnings| {
            let Ok(status) = generation.status.reopened() else {
                return Ok(Err(Refusal::Stands(generation.status)));
            };
            if generation.planned.is_none() && generation.input_deleted.is_some() {
                return Ok(Err(Refusal::InputGone));
            }
            let outputs = read_outputs(tx, &generation)?;
            let arrangement = arrangement_of(tx, id)?;
            let has_failed = |o: &Output| matches!(o.end, Some(End::Failed(_)));
            let failed = || (0..).zip(&outputs).filter(|(place, o)| has_failed(o) && !arrangement.is_removed(*place));
            let again = u32::try_from(failed().count()).unwrap_or(u32::MAX);
            if again == 0 {
                return Ok(Err(Refusal::Stands(generation.status)));
            }
            if u64::from(again) > room {
                return Ok(Err(Refusal::Full));
            }
            let cost = failed().map(|(_, output)| output.cost).sum();
            if let Err(short) = afford(tx, account, cost, &self.shared.monthly, now)? {
                return Ok(Err(short.into()));
            }
            let mut change = Change::of(account);
            failed().for_each(|(_, output)| change.open(output.width, output.height));
            if let Err(full) = change.fits(tx, self.storage_quotas())? {
                return Ok(Err(Refusal::StorageFull(full)));
            }
            change.apply(tx)?;
            generation.round += 1;
            generation.status = status;
            generation.completed = None;
            generation.fault = None;
            // Failed slides that were removed since are not retried.
            generation.failed -= again;
            generation.charged += cost;
            for (place, output) in failed() {
                tx.put(&OUTPUTS, &placed(id, place), &Output { end: None, ..output.clone() })?;
                ledger::post(tx, &held(&generation, output), Movement::Hold, now)?;
                if generation.planned.is_some() {
                    tx.remove(&CLOSED, output.id.as_bytes())?;
                    outbox::post(tx, output.id, &drawing(&generation, place))?;
                }
            }
            if generation.planned.is_none() {
                tx.remove(&CLOSED, id.as_bytes())?;
                outbox::post(tx, id, &OpenJob::new(account, id, Work::Plan, Class::Plan, generation.round))?;
            }
            tx.put(&GENERATIONS, &pair(account, id), &generation)?;
            event_log::moved(tx, id)?;
            // Outputs are shown only at a terminal status.
            let warnings = told(warnings);
            Ok(Ok(Snapshot { generation, outputs: Vec::new(), warnings, edits: vec![], arrangement }))
        };
        self.change(account, id, keyed, now, retry, |made| {
            self.add_backlog(i64::from(made.generation.total - made.generation.done - made.generation.failed));
            self.ring();
            self.tell(id);
            metrics::generation_retried();
        })
    }

    /// Sets the title of a generation, or without a `name` restores the title found in its content. Stored export files
    /// contain the old title, so they are removed and made again on demand. Returns `None` if the generation doesn't
    /// exist.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn rename(
        &self,
        account: Uuid,
        id: Uuid,
        name: Option<&str>,
        now: Millis,
    ) -> Result<Option<Snapshot>, StateError> {
        let rename = |tx: &Tx<'_>, generation: Generation, warnings: &Warnings| {
            let all = read_outputs(tx, &generation)?;
            let renamed = Generation { name: name.map(str::to_owned), ..generation };
            let mut change = Change::of(account);
            bundles::remove_all(tx, id, &all, &mut change)?;
            change.apply(tx)?;
            tx.put(&GENERATIONS, &pair(account, id), &renamed)?;
            let outputs = if renamed.status.is_terminal() { all } else { Vec::new() };
            let edits = if outputs.is_empty() { Vec::new() } else { edits_of(tx, &renamed)? };
            let arrangement = arrangement_of(tx, id)?;
            Ok(Ok(Snapshot { generation: renamed, outputs, warnings: told(warnings), edits, arrangement }))
        };
        match self.change(account, id, None, now, rename, |_| {})? {
            Once::Made(snapshot) => Ok(Some(snapshot)),
            _ => Ok(None),
        }
    }

    /// Deletes a generation with all its rows, and queues its images for deletion. A generation that has not ended is
    /// cancelled first. Its ledger entries stay. Its blobs stay too: they are addressed by content, so other rows may
    /// reference them. Returns whether the generation existed.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn delete_generation(&self, account: Uuid, id: Uuid, now: Millis) -> Result<bool, StateError> {
        let previews = self.previews(id)?;
        let released = AtomicI64::new(0);
        let delete = |tx: &Tx<'_>, mut generation: Generation, warnings: &Warnings| {
            let outputs = read_outputs(tx, &generation)?;
            let unfinished = !generation.status.is_terminal();
            if unfinished {
                released.store(stop(tx, &mut generation, &outputs, now)?, Ordering::Relaxed);
            }
            let mut edited = 0;
            let mut change = Change::of(account);
            for (place, output) in (0..).zip(&outputs) {
                edited += edits::call_off_edit(tx, &generation, place, now)?;
                images::drop_all(tx, id, place, output, &mut change, now)?;
                tx.remove(&OUTPUTS, &placed(id, place))?;
                tx.remove(&OUTPUT_PLACES, output.id.as_bytes())?;
                tx.remove(&CLOSED, output.id.as_bytes())?;
            }
            bundles::remove_all(tx, id, &outputs, &mut change)?;
            for (row, _) in warnings {
                tx.remove(&WARNINGS, row)?;
            }
            tx.remove(&CLOSED, id.as_bytes())?;
            tx.remove(&EVENT_LOGS, id.as_bytes())?;
            tx.remove(&ARRANGEMENTS, id.as_bytes())?;
            tx.remove(&WEBHOOK_URLS, &pair(account, id))?;
            tx.remove(&GENERATIONS, &pair(account, id))?;
            generation.blobs().for_each(|blob| change.remove_blob(&blob));
            change.apply(tx)?;
            for preview in &previews {
                deletion_queue::put(tx, preview, now)?;
            }
            Ok(Ok((generation, unfinished, edited)))
        };
        let deleted = self.change(account, id, None, now, delete, |(generation, unfinished, edited)| {
            if *unfinished {
                self.count_stopped(generation, released.load(Ordering::Relaxed));
            }
            self.add_backlog(-i64::from(*edited));
            self.shared.deletions.notify_one();
            self.tell(id);
        })?;
        Ok(matches!(deleted, Once::Made(_)))
    }

    /// Changes a generation in isolation and once. A transaction can't scan for the generation's warnings, so they are
    /// read before it, and everything is repeated if the generation changed in the meantime.
    fn change<T>(
        &self,
        account: Uuid,
        id: Uuid,
        keyed: Option<&Keyed<T>>,
        now: Millis,
        change: impl Fn(&Tx<'_>, Generation, &Warnings) -> Result<Result<T, Refusal>, Abort>,
        stands: impl Fn(&T),
    ) -> Result<Once<T, Refusal>, StateError> {
        let at = pair(account, id);
        loop {
            let before = self.shared.tables.get(&GENERATIONS, &at)?;
            let warnings = match &before {
                Some(_) => self.shared.tables.scan(&WARNINGS, id.as_bytes()).collect::<Result<Warnings, _>>()?,
                None => Vec::new(),
            };
            let attempt = |tx: &Tx<'_>| {
                once(tx, account, keyed, now, || {
                    let generation = tx.get(&GENERATIONS, &at)?;
                    if generation != before {
                        return Ok(Err(None));
                    }
                    let Some(generation) = generation else { return Ok(Err(Some(Refusal::Absent))) };
                    Ok(change(tx, generation, &warnings)?.map_err(Some))
                })
            };
            let attempted = self.commit_and(attempt, |attempted| {
                if let Once::Made(made) = attempted {
                    stands(made);
                }
            })?;
            return Ok(match attempted {
                Once::Refused(None) => continue,
                Once::Refused(Some(refusal)) => Once::Refused(refusal),
                Once::Made(made) => Once::Made(made),
                Once::Replayed(answer) => Once::Replayed(answer),
                Once::Conflict => Once::Conflict,
            });
        }
    }

    /// Updates counts for a generation that was stopped with `released` unfinished outputs.
    fn count_stopped(&self, generation: &Generation, released: i64) {
        self.ring_webhooks();
        self.add_backlog(-released);
        self.tell(generation.id);
        let ended = generation.completed.unwrap_or(generation.created);
        metrics::generation_finished(generation.status.name(), ended.0 - generation.created.0);
    }
}

/// The rows of a generation's warnings.
type Warnings = Vec<(sled::IVec, Warning)>;

/// Cancels all jobs of a generation, refunds the credits reserved for unfinished outputs, and ends it as cancelled. A
/// generation with added copies ends with the status of its outputs instead. Returns the number of outputs that were
/// cancelled.
fn stop(tx: &Tx<'_>, generation: &mut Generation, outputs: &[Output], now: Millis) -> Result<i64, Abort> {
    call_off(tx, generation.id)?;
    let mut change = Change::of(generation.account);
    let (mut is_extended, mut released) = (false, 0);
    for (place, output) in (0..).zip(outputs).filter(|(_, o)| o.end.is_none()) {
        change.close(output.width, output.height);
        if let Some(lease) = call_off(tx, output.id)? {
            deletion_queue::put_late(tx, generation, output.id, output.version, &lease, now)?;
        }
        ledger::post(tx, &held(generation, output), Movement::Release, now)?;
        generation.refunded += output.cost;
        released += 1;
        if generation.is_added(place) {
            // A copy: the original slides exist all the same, and the copy can be retried.
            is_extended = true;
            generation.failed += 1;
            let fault = Fault {
                code: FailureCode::RenderCancelled.into(),
                message: "It was cancelled before it was rendered.".into(),
            };
            generation.fault.get_or_insert_with(|| fault.clone());
            tx.put(
                &OUTPUTS,
                &placed(generation.id, place),
                &Output { end: Some(End::Failed(fault)), ..output.clone() },
            )?;
        }
    }
    change.apply(tx)?;
    if !is_extended {
        end(tx, generation, Status::Cancelled, now)?;
        return Ok(released);
    }
    if generation.status == Status::Pending {
        generation.status = generation.status.become_status(Status::Processing)?;
    }
    end(tx, generation, Status::outcome(generation.done, generation.failed), now)?;
    Ok(released)
}
