//! Repairs of images whose stored bytes are damaged or missing, from detection until the image is rendered again.
//!
//! A repair is a render job for the version that the image was rendered for. It has its own id, because the output may
//! be edited in the meantime. It moves no credits and changes no status. Its result is copied to the keys that rows and
//! clients' URLs already contain, so only the hash can change, and only if a newer version of the engine renders
//! different bytes.

use fleet::protocol::{Class, Grant};
use render_core::format::Resolution;
use uuid::Uuid;

use crate::clock::Millis;
use crate::state::database::tables::{Abort, Tx};
use crate::state::error::StateError;
use crate::state::generations::images::rendered;
use crate::state::jobs::claims::stands;
use crate::state::jobs::outbox;
use crate::state::jobs::repair_subject::{Subject, subject};
use crate::state::objects::digests::{self, Expected};
use crate::state::objects::{deletion_queue, storage};
use crate::state::rows::generations::Fault;
use crate::state::rows::jobs::{OpenJob, Repair, Work};
use crate::state::rows::keyspace::{pair, placed, versioned};
use crate::state::rows::outputs::{End, Image, Output, Version};
use crate::state::rows::schema::{DIGESTS, GENERATIONS, JOBS, OUTPUTS, REPAIRS, VERSIONS};
use crate::state::store::Store;

/// Maximum number of repairs in progress. Further repairs start when the image is next read or scrubbed.
const AT_ONCE: usize = 1_000;
/// Seconds after which a read or scrub of the image retries a failed repair.
const AGAIN_S: u64 = 600;

/// State of an image's repair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Repairing {
    /// It was started just now.
    Begun,
    /// It is already in progress.
    UnderWay,
    /// It failed recently.
    Failed(Fault),
    /// Too many other repairs are in progress.
    Full,
    /// No row references the image any more.
    Unnamed,
}

/// The objects that a repair replaces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RepairTarget {
    /// Key of the image.
    pub image: String,
    /// The expected SHA-256 of the image.
    pub sha256: [u8; 32],
    /// Key of its thumbnail.
    pub thumbnail: String,
    /// The expected SHA-256 of the thumbnail, if one was recorded.
    pub thumbnail_sha256: Option<[u8; 32]>,
}

/// Returns what a claim's repair replaces, if the claim holds and its job is a repair.
fn target(tx: &Tx<'_>, grant: Grant, now: Millis) -> Result<Option<RepairTarget>, Abort> {
    let Some(OpenJob { account, generation, work: Work::Repair { place, version }, .. }) = stands(tx, grant, now)?
    else {
        return Ok(None);
    };
    let Some(generation) = tx.get(&GENERATIONS, &pair(account, generation))? else { return Ok(None) };
    let Some(Subject { version, .. }) = subject(tx, &generation, place, version)? else { return Ok(None) };
    let Image { object: image, thumbnail, sha256, .. } = version.image;
    let thumbnail_sha256 = tx.get(&DIGESTS, thumbnail.as_bytes())?.map(|digest| digest.sha256);
    Ok(Some(RepairTarget { image, sha256, thumbnail, thumbnail_sha256 }))
}

/// Applies the result of a repair. Rows that show the image get its new hash and size if these changed. The objects
/// that the worker stored are queued for deletion, because they were copied. Returns whether the repair was still
/// wanted.
pub(in crate::state) fn drawn(
    tx: &Tx<'_>,
    id: Uuid,
    job: &OpenJob,
    (place, version): (u32, u32),
    made: &Image,
    thumbnail: Option<[u8; 32]>,
    now: Millis,
) -> Result<bool, Abort> {
    let Some(generation) = tx.get(&GENERATIONS, &pair(job.account, job.generation))? else { return Ok(false) };
    let Some(Subject { output, version }) = subject(tx, &generation, place, version)? else { return Ok(false) };
    let image = version.image;
    let key = image.object.as_bytes();
    if tx.get(&REPAIRS, key)?.is_none_or(|repair| repair.job != id) {
        return Ok(false);
    }
    if (image.sha256, image.bytes) != (made.sha256, made.bytes) {
        storage::resize_image(tx, job.account, &image, made.bytes)?;
        let changed = |shown: Image| Image { sha256: made.sha256, bytes: made.bytes, ..shown };
        for number in 1..=output.version {
            let row = versioned(generation.id, place, number);
            if let Some(version) = tx.get(&VERSIONS, &row)?.filter(|v| v.image.object == image.object) {
                tx.put(&VERSIONS, &row, &Version { image: changed(version.image.clone()), ..version })?;
            }
        }
        match &output.end {
            Some(End::Ready(shown)) if shown.object == image.object => {
                let end = Some(End::Ready(changed(shown.clone())));
                tx.put(&OUTPUTS, &placed(generation.id, place), &Output { end, ..output })?;
            }
            _ => {}
        }
    }
    match thumbnail {
        Some(sha256) => digests::put(tx, &image.thumbnail, sha256)?,
        // The next read records a new digest.
        None => tx.remove(&DIGESTS, image.thumbnail.as_bytes())?,
    }
    tx.remove(&REPAIRS, key)?;
    for object in [&made.object, &made.thumbnail] {
        if ![&image.object, &image.thumbnail].contains(&object) {
            deletion_queue::put(tx, object, now)?;
        }
    }
    Ok(true)
}

/// Ends a repair that failed: the image stays damaged, and the generation stays as it is.
pub(in crate::state) fn fail(
    tx: &Tx<'_>,
    id: Uuid,
    job: &OpenJob,
    (place, version): (u32, u32),
    fault: &Fault,
    now: Millis,
) -> Result<(), Abort> {
    let Some(generation) = tx.get(&GENERATIONS, &pair(job.account, job.generation))? else { return Ok(()) };
    let Some(Subject { version, .. }) = subject(tx, &generation, place, version)? else { return Ok(()) };
    let key = version.image.object.as_bytes();
    match tx.get(&REPAIRS, key)? {
        Some(repair) if repair.job == id => {
            tx.put(&REPAIRS, key, &Repair { begun: now, fault: Some(fault.clone()), ..repair })
        }
        _ => Ok(()),
    }
}

impl Store {
    /// Starts to render a damaged or missing image again. An `urgent` repair, which a reader waits for, goes before
    /// other work.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn begin_repair(&self, of: &Expected, urgent: bool, now: Millis) -> Result<Repairing, StateError> {
        // A failed repair doesn't count: it may stay failed for as long as its page is lost.
        let under_way = |row: &Result<(_, Repair), StateError>| row.as_ref().is_ok_and(|(_, row)| row.fault.is_none());
        let full = self.shared.tables.scan(&REPAIRS, &[]).filter(under_way).take(AT_ONCE).count() == AT_ONCE;
        let id = Uuid::now_v7();
        let begin = |tx: &Tx<'_>| {
            let key = of.image.as_bytes();
            match tx.get(&REPAIRS, key)? {
                // A restored state may lack the job of a repair. Such a repair is started again.
                Some(Repair { job, fault: None, .. }) if tx.get(&JOBS, job.as_bytes())?.is_some() => {
                    return Ok(Repairing::UnderWay);
                }
                Some(Repair { begun, fault: Some(fault), .. }) if begun.plus_seconds(AGAIN_S) > now => {
                    return Ok(Repairing::Failed(fault));
                }
                _ if full => return Ok(Repairing::Full),
                _ => {}
            }
            let Some(generation) = tx.get(&GENERATIONS, &pair(of.account, of.generation))? else {
                return Ok(Repairing::Unnamed);
            };
            let Some(output) = tx.get(&OUTPUTS, &placed(of.generation, of.place))? else {
                return Ok(Repairing::Unnamed);
            };
            let rendered = rendered(tx, &generation, of.place, &output, of.version)?;
            if rendered.is_none_or(|version| version.image.object != of.image) {
                return Ok(Repairing::Unnamed);
            }
            let class = match generation.request.resolution {
                _ if urgent => Class::Edit,
                Resolution::TwoK | Resolution::Exact => Class::Render2k,
                Resolution::FourK => Class::Render4k,
            };
            let work = Work::Repair { place: of.place, version: of.version };
            outbox::post(tx, id, &OpenJob::new(of.account, of.generation, work, class, 0))?;
            tx.put(&REPAIRS, key, &Repair { job: id, begun: now, fault: None })?;
            Ok(Repairing::Begun)
        };
        self.commit_and(begin, |became| {
            if *became == Repairing::Begun {
                self.ring();
            }
        })
    }

    /// Returns the objects that the result of a claim replaces, if its job is a repair and the claim holds.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn repair_target(&self, grant: Grant, now: Millis) -> Result<Option<RepairTarget>, StateError> {
        // Nearly all reports are for other jobs, so check the kind first with a single read.
        let job = self.shared.tables.get(&JOBS, grant.claim.job.as_bytes())?;
        if !matches!(job, Some(OpenJob { work: Work::Repair { .. }, .. })) {
            return Ok(None);
        }
        Ok(self.shared.tables.transact(|tx| target(tx, grant, now))?.0)
    }

    /// Returns the number of repairs with an open job, and the number of images whose repair failed.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn repairs(&self) -> Result<(u64, u64), StateError> {
        let (mut under_way, mut failed) = (0, 0);
        for row in self.shared.tables.scan(&REPAIRS, &[]) {
            let Repair { job, fault, .. } = row?.1;
            match fault {
                None => under_way += u64::from(self.shared.tables.get(&JOBS, job.as_bytes())?.is_some()),
                Some(_) => failed += 1,
            }
        }
        Ok((under_way, failed))
    }
}
