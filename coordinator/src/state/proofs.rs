//! Proofs of claims, and what a worker may report under a claim.

use fleet::protocol::{Caller, Grant, Outcome, Secret, image_keys};
use render_core::encode::ImageFormat as Encoding;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;
use uuid::Uuid;

use super::keyspace::{pair, placed};
use super::records::{Generation, Lease, OpenJob, Work};
use super::{EDITS, GENERATIONS, JOBS, LEASES, OUTPUTS, StateError, Store};
use crate::clock::Millis;

/// The digest of a claim's secret: the first 16 bytes of its SHA-256. Someone who reads the state, or a copy of it,
/// can't report with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Proof([u8; 16]);

impl Proof {
    pub(super) fn of(secret: Secret) -> Self {
        let mut proof = [0; 16];
        proof.copy_from_slice(&Sha256::digest(secret.0)[..16]);
        Self(proof)
    }

    /// Returns whether `given` is the secret of a claim with this proof. A claim under a protocol version without
    /// secrets has no proof and needs no secret.
    pub(super) fn holds(proof: Option<Self>, given: Option<Secret>) -> bool {
        match (proof, given.map(Self::of)) {
            (None, None) => true,
            (Some(proof), Some(given)) => proof.0.ct_eq(&given.0).into(),
            _ => false,
        }
    }
}

/// A request to claim a job: the caller, and random bits for the claim.
#[derive(Debug, Clone)]
pub struct NewClaim {
    /// The caller.
    pub caller: Caller,
    /// Unique per claim. It appears in object keys.
    pub nonce: u128,
    /// Proves the claim; `None` for a caller whose protocol version has no secrets.
    pub secret: Option<Secret>,
}

impl NewClaim {
    /// Creates a claim of a worker in this process, without a secret.
    pub fn here(worker: &str, nonce: u128) -> Self {
        Self { caller: Caller::here(worker), nonce, secret: None }
    }
}

/// What a worker may report under a claim that holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Allowed {
    /// The keys of the image and the thumbnail; `None` for a plan.
    images: Option<[String; 2]>,
}

impl Allowed {
    /// Returns whether the outcome matches the kind of job and names exactly the objects that the worker was to store.
    pub fn permits(&self, outcome: &Outcome) -> bool {
        match (outcome, &self.images) {
            (Outcome::Failed(_), _) | (Outcome::Planned(_), None) => true,
            (Outcome::Rendered(done), Some([image, thumbnail])) => {
                done.object == *image && done.thumbnail == *thumbnail
            }
            (Outcome::Planned(_), Some(_)) | (Outcome::Rendered(_), None) => false,
        }
    }
}

impl Lease {
    /// Returns the keys under which this claim stores the image and thumbnail of a version.
    pub(super) fn image_keys(&self, generation: &Generation, output: Uuid, version: u32) -> [String; 2] {
        let extension = Encoding::from_name(generation.request.image_format.name()).map_or("bin", Encoding::extension);
        image_keys(self.folder.as_deref(), generation.id, output, version, self.nonce, extension)
    }

    /// Returns whether a worker holds this claim on `job` and proves it.
    pub(super) fn is_held(&self, job: &OpenJob, grant: Grant, now: Millis) -> bool {
        let Grant { claim, secret } = grant;
        let stands = self.nonce == claim.nonce && job.epoch == claim.epoch && self.expires > now;
        stands && Proof::holds(self.proof, secret)
    }
}

impl Store {
    /// Returns what may be reported under a claim. `None` if the claim no longer holds or the secret is wrong. The
    /// result stays valid for as long as the claim does, because it depends only on the claim and on fixed properties
    /// of its job.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn allowed(&self, grant: Grant, now: Millis) -> Result<Option<Allowed>, StateError> {
        let (tables, key) = (&self.shared.tables, grant.claim.job.as_bytes());
        let (Some(job), Some(lease)) = (tables.get(&JOBS, key)?, tables.get(&LEASES, key)?) else { return Ok(None) };
        if !lease.is_held(&job, grant, now) {
            return Ok(None);
        }
        let place = match job.work {
            Work::Plan => return Ok(Some(Allowed { images: None })),
            Work::Render(place) | Work::Edit(place) | Work::Repair { place, .. } => place,
        };
        let at = placed(job.generation, place);
        let generation = tables.get(&GENERATIONS, &pair(job.account, job.generation))?;
        // If a row is missing, the job was cancelled in the meantime.
        let (Some(generation), Some(output)) = (generation, tables.get(&OUTPUTS, &at)?) else { return Ok(None) };
        let version = match job.work {
            Work::Edit(_) => tables.get(&EDITS, &at)?.map(|edit| edit.version),
            Work::Repair { version, .. } => Some(version),
            Work::Plan | Work::Render(_) => Some(output.version),
        };
        Ok(version.map(|version| Allowed { images: Some(lease.image_keys(&generation, output.id, version)) }))
    }
}
