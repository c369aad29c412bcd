//! Reports of workers, and how they change a generation.

use fleet::protocol::{ALT_BYTES, Failure, Grant, ModelUsage, Outcome, Planned, PlannedPage, Rendered, Verdict};

use crate::clock::Millis;
use crate::credits::Movement;
use crate::metrics;
use crate::state::billing::holds::held;
use crate::state::billing::{ledger, token_days};
use crate::state::database::tables::{Abort, Tx};
use crate::state::error::StateError;
use crate::state::generations::event_log;
use crate::state::generations::read::read_outputs;
use crate::state::generations::snapshot::{OUTPUT_WARNINGS, PLAN_WARNINGS, WARNINGS_EACH};
use crate::state::jobs::claims::stands;
use crate::state::jobs::endings::{Taken, fail, finish};
use crate::state::jobs::orders::clipped;
use crate::state::jobs::{edits, outbox, repairs};
use crate::state::objects::digests;
use crate::state::objects::storage::{Change, StoredFacts};
use crate::state::rows::encoding::clip;
use crate::state::rows::generations::{Fault, Generation, PlannedFacts};
use crate::state::rows::jobs::{Closed, OpenJob, Proof, Work, drawing};
use crate::state::rows::keyspace::{pair, placed};
use crate::state::rows::outputs::{End, Image, Output};
use crate::state::rows::schema::{CLOSED, GENERATIONS, JOBS, LEASES, OUTBOX, OUTPUTS, WARNINGS};
use crate::state::search::page_words;
use crate::state::store::{BatchedWrite, Reply, Store};

/// Maximum length in bytes of a title and of a message.
const TITLE_BYTES: usize = 400;
const MESSAGE_BYTES: usize = 400;
/// Maximum length in bytes of a code, a language tag and a style's name.
const NAME_BYTES: usize = 60;
/// Maximum length in bytes of an object's key.
const KEY_BYTES: usize = 512;
/// Maximum number of quality checks kept per output.
const CHECKS: usize = 40;

impl From<&Failure> for Fault {
    fn from(f: &Failure) -> Self {
        Self { code: clip(&f.code, NAME_BYTES), message: clip(&f.message, MESSAGE_BYTES) }
    }
}

impl Store {
    /// Applies the result of a job if the claim still holds. A repeated report is accepted again and changes nothing.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn report(&self, grant: Grant, outcome: &Outcome, now: Millis) -> Result<Verdict, StateError> {
        self.commit_alone(|reply| self.reporting(grant, outcome.clone(), StoredFacts::default(), now, reply))
    }

    /// Like [`Self::report`], as a commit for the write batcher. `stored` describes the objects that the job stored.
    pub fn reporting(
        &self,
        grant: Grant,
        outcome: Outcome,
        stored: StoredFacts,
        now: Millis,
        reply: Reply<Verdict>,
    ) -> BatchedWrite {
        if let Outcome::Failed(failure) = &outcome
            && failure.retry
        {
            return self.trying_again(grant, failure.into(), failure.tokens, now, reply);
        }
        let has_failed = matches!(outcome, Outcome::Failed(_));
        let count = move |store: &Self, taken: &Taken| {
            store.shared.counters.add(taken.ended, has_failed);
            store.add_backlog(-i64::from(taken.ended));
            if let Some((status, created, at)) = taken.finished {
                metrics::generation_finished(status.name(), at.0 - created.0);
                store.ring_webhooks();
            }
            if let Some(worker) = &taken.drawn_by {
                store.shared.counters.drawn(worker.clone(), now);
            }
            if taken.enqueued {
                store.ring();
            }
            if let Some(generation) = taken.generation {
                if !has_failed {
                    store.shared.outage.ended();
                }
                store.tell(generation);
            }
        };
        let take = move |tx: &Tx<'_>| match &outcome {
            Outcome::Failed(failure) => failed(tx, grant, failure, now),
            Outcome::Planned(done) => planned(tx, grant, done, &stored, now),
            Outcome::Rendered(done) => {
                let claim = grant.claim;
                let lease = tx.get(&LEASES, claim.job.as_bytes())?.filter(|lease| lease.nonce == claim.nonce);
                let taken = rendered(tx, grant, done, &stored, now)?;
                let drawn_by = lease.filter(|_| taken.verdict == Verdict::Accepted).map(|lease| lease.worker);
                Ok(Taken { drawn_by, ..taken })
            }
        };
        BatchedWrite::new(take, count, move |taken| reply(taken.map(|taken: Taken| taken.verdict)))
    }
}

/// Returns the open job of a claim that holds, or the effects of a report without one.
fn open(tx: &Tx<'_>, grant: Grant, now: Millis) -> Result<Result<OpenJob, Taken>, Abort> {
    if let Some(job) = stands(tx, grant, now)? {
        return Ok(Ok(job));
    }
    let Grant { claim, secret } = grant;
    let repeated = matches!(
        tx.get(&CLOSED, claim.job.as_bytes())?,
        Some(Closed::Accepted { nonce, proof, .. }) if nonce == claim.nonce && Proof::holds(proof, secret)
    );
    Ok(Err(if repeated { Taken::REPEATED } else { Taken::REFUSED }))
}

/// Stores the pages and enqueues one job per output.
fn planned(tx: &Tx<'_>, grant: Grant, done: &Planned, known: &StoredFacts, now: Millis) -> Result<Taken, Abort> {
    let job = match open(tx, grant, now)? {
        Ok(job) => job,
        Err(taken) => return Ok(taken),
    };
    let at = pair(job.account, job.generation);
    let mut generation = tx.need(&GENERATIONS, &at)?;
    let outputs = read_outputs(tx, &generation)?;
    let fits = |(output, page): (&Output, &PlannedPage)| output.format == page.format && output.slide == page.slide;
    if job.work != Work::Plan || outputs.len() != done.pages.len() || !outputs.iter().zip(&done.pages).all(fits) {
        return Ok(Taken::REFUSED);
    }
    close(tx, grant, now)?;
    token_days::settle(tx, job.account, job.tokens, token_days::credible(&job, done.tokens), now)?;
    let mut change = Change::of(job.account);
    let stored = done.pages.iter().map(|page| page.page).chain([done.document]).chain(done.photos.iter().copied());
    stored.for_each(|blob| change.add_blob(&blob, known.blobs.get(&blob).copied()));
    // A derived generation referenced the photographs of its source until now.
    generation.photos_told().for_each(|photo| change.remove_blob(&photo));
    change.apply(tx)?;
    generation.planned = Some(PlannedFacts {
        document: done.document,
        title: clip(&done.title, TITLE_BYTES),
        language: clip(&done.language, NAME_BYTES),
        style: clip(&done.style, NAME_BYTES),
    });
    generation.photos = done.photos.clone();
    generation.usage = done.usage.as_ref().map(clipped_usage);
    tx.put(&GENERATIONS, &at, &generation)?;
    for (place, warning) in (PLAN_WARNINGS..).zip(&clipped(&done.warnings)) {
        tx.put(&WARNINGS, &placed(generation.id, place), warning)?;
    }
    for ((place, output), page) in (0..).zip(outputs).zip(&done.pages) {
        let output = Output { page: Some(page.page), alt_text: clip(&page.alt_text, ALT_BYTES), ..output };
        tx.put(&OUTPUTS, &placed(generation.id, place), &output)?;
        if let Some(words) = known.words.get(&page.page) {
            page_words::put(tx, generation.id, place, output.version, words)?;
        }
        outbox::post(tx, output.id, &drawing(&generation, place))?;
    }
    event_log::moved(tx, generation.id)?;
    Ok(Taken::of(&generation, 0, true))
}

/// Publishes an output and captures its credits.
fn rendered(tx: &Tx<'_>, grant: Grant, done: &Rendered, known: &StoredFacts, now: Millis) -> Result<Taken, Abort> {
    let job = match open(tx, grant, now)? {
        Ok(job) => job,
        Err(taken) => return Ok(taken),
    };
    let place = match job.work {
        Work::Render(place) | Work::Edit(place) | Work::Repair { place, .. } => place,
        Work::Plan => return Ok(Taken::REFUSED),
    };
    if done.object.len() > KEY_BYTES || done.thumbnail.len() > KEY_BYTES {
        return Ok(Taken::REFUSED);
    }
    let image = image(done);
    if let Work::Repair { version, .. } = job.work {
        if !repairs::drawn(tx, grant.claim.job, &job, (place, version), &image, known.thumbnail_sha256, now)? {
            return Ok(Taken::REFUSED);
        }
        close(tx, grant, now)?;
        return Ok(Taken::REPEATED);
    }
    close(tx, grant, now)?;
    if let Some(sha256) = known.thumbnail_sha256 {
        digests::put(tx, &image.thumbnail, sha256)?;
    }
    if matches!(job.work, Work::Edit(_)) {
        return Ok(Taken::edited(&job, edits::drawn(tx, &job, place, image, known.thumbnail, now)?));
    }
    let at = pair(job.account, job.generation);
    let mut generation = tx.need(&GENERATIONS, &at)?;
    let output = tx.need(&OUTPUTS, &placed(generation.id, place))?;
    let mut change = Change::of(job.account);
    change.add_image(&image, known.thumbnail);
    change.close(output.width, output.height);
    change.apply(tx)?;
    ledger::post(tx, &held(&generation, &output), Movement::Capture, now)?;
    tx.put(&OUTPUTS, &placed(generation.id, place), &Output { end: Some(End::Ready(image)), ..output })?;
    let first = OUTPUT_WARNINGS + place * WARNINGS_EACH as u32;
    for (place, warning) in (first..).zip(&clipped(&done.warnings)) {
        tx.put(&WARNINGS, &placed(generation.id, place), warning)?;
    }
    generation.done += 1;
    finish(tx, &mut generation, now)?;
    tx.put(&GENERATIONS, &at, &generation)?;
    event_log::landed(tx, generation.id, place)?;
    Ok(Taken::of(&generation, 1, false))
}

/// Converts a report to an image record.
fn image(done: &Rendered) -> Image {
    let mut quality = done.quality.clone();
    quality.checks.truncate(CHECKS);
    Image {
        object: done.object.clone(),
        thumbnail: done.thumbnail.clone(),
        bytes: done.bytes,
        sha256: done.sha256,
        quality,
    }
}

/// Handles a report of a permanent failure.
fn failed(tx: &Tx<'_>, grant: Grant, failure: &Failure, now: Millis) -> Result<Taken, Abort> {
    let job = match open(tx, grant, now)? {
        Ok(job) => job,
        Err(taken) => return Ok(taken),
    };
    close(tx, grant, now)?;
    token_days::settle(tx, job.account, job.tokens, token_days::credible(&job, failure.tokens), now)?;
    if let (Work::Plan, Some(usage)) = (job.work, &failure.usage) {
        let at = pair(job.account, job.generation);
        let generation = tx.need(&GENERATIONS, &at)?;
        tx.put(&GENERATIONS, &at, &Generation { usage: Some(clipped_usage(usage)), ..generation })?;
    }
    fail(tx, grant.claim.job, &job, &failure.into(), now)
}

/// Truncates the name of the language model.
fn clipped_usage(usage: &ModelUsage) -> ModelUsage {
    ModelUsage { model: clip(&usage.model, NAME_BYTES), ..usage.clone() }
}

/// Closes a job whose report is accepted.
fn close(tx: &Tx<'_>, Grant { claim, secret }: Grant, now: Millis) -> Result<(), Abort> {
    let key = claim.job.as_bytes();
    tx.remove(&JOBS, key)?;
    tx.remove(&LEASES, key)?;
    tx.remove(&OUTBOX, key)?;
    tx.put(&CLOSED, key, &Closed::Accepted { nonce: claim.nonce, at: now, proof: secret.map(Proof::of) })
}
