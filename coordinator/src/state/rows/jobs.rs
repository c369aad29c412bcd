//! Rows of jobs: open jobs, the claims on them, how they ended, and repairs.

use fleet::protocol::{Class, Epoch, Grant, Secret, Series, image_keys};
use render_core::encode::ImageFormat as Encoding;
use render_core::format::Resolution;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;
use uuid::Uuid;

use crate::clock::Millis;
use crate::state::rows::encoding::{Record, versions};
use crate::state::rows::generations::{Fault, Generation};
use crate::state::rows::ledger::Granted;

/// The part of a generation that a job does. Append new variants at the end, so that the encodings of existing variants
/// stay the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::state) enum Work {
    /// Reads the input and designs all pages.
    Plan,
    /// Renders the output at this place.
    Render(u32),
    /// Renders a new version of the output at this place.
    Edit(u32),
    /// Renders a version of the output at this place again, because its stored image is damaged or missing.
    Repair {
        /// The place.
        place: u32,
        /// The version that the image was rendered for.
        version: u32,
    },
}

/// An open job, keyed by its id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::state) struct OpenJob {
    pub(in crate::state) account: Uuid,
    pub(in crate::state) generation: Uuid,
    pub(in crate::state) work: Work,
    pub(in crate::state) class: Class,
    /// Increases each time the job is enqueued again.
    pub(in crate::state) epoch: Epoch,
    /// Number of claims that count against the job.
    pub(in crate::state) claims: u32,
    /// Number of claims that ended because the whole process ended.
    pub(in crate::state) interruptions: u32,
    /// The fault that the last failed worker reported.
    pub(in crate::state) fault: Option<Fault>,
    /// The object store's failures during this job.
    pub(in crate::state) unstored: Option<Unstored>,
    /// Language model tokens granted with its claim.
    pub(in crate::state) tokens: Option<Granted>,
}

impl OpenJob {
    /// Creates the job that renders the new version of the output at a place. It uses the output's id, because an
    /// output that is ready has no other job.
    pub(in crate::state) fn of_edit(generation: &Generation, place: u32, version: u32) -> Self {
        Self::of_series(generation.account, generation.id, Work::Edit(place), Class::Edit, Series::Edit(version))
    }

    /// Creates an unstarted job in a generation's round.
    pub(in crate::state) fn new(account: Uuid, generation: Uuid, work: Work, class: Class, round: u32) -> Self {
        Self::of_series(account, generation, work, class, Series::Round(round))
    }

    /// Creates an unstarted job that is enqueued for the first time in this series.
    pub(in crate::state) fn of_series(
        account: Uuid,
        generation: Uuid,
        work: Work,
        class: Class,
        series: Series,
    ) -> Self {
        let (claims, interruptions, epoch) = (0, 0, Epoch::first(series));
        Self {
            account,
            generation,
            work,
            class,
            epoch,
            claims,
            interruptions,
            fault: None,
            unstored: None,
            tokens: None,
        }
    }
}

/// Version 1 of [`OpenJob`].
#[derive(Deserialize)]
struct OpenJobV1 {
    account: Uuid,
    generation: Uuid,
    work: Work,
    class: Class,
    epoch: Epoch,
    claims: u32,
    interruptions: u32,
    fault: Option<Fault>,
}

/// Version 2 of [`OpenJob`]. No tokens were granted.
#[derive(Deserialize)]
struct OpenJobV2 {
    before: OpenJobV1,
    unstored: Option<Unstored>,
}

impl From<OpenJobV1> for OpenJobV2 {
    fn from(before: OpenJobV1) -> Self {
        Self { before, unstored: None }
    }
}

impl From<OpenJobV2> for OpenJob {
    fn from(OpenJobV2 { before, unstored }: OpenJobV2) -> Self {
        let OpenJobV1 { account, generation, work, class, epoch, claims, interruptions, fault } = before;
        Self { account, generation, work, class, epoch, claims, interruptions, fault, unstored, tokens: None }
    }
}

versions! { OpenJob as OpenJobRow: 1 => V1(OpenJobV1), 2 => V2(OpenJobV2), 3 => V3(OpenJob) }

/// When the object store first failed the job, and how many times it did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::state) struct Unstored {
    pub(in crate::state) since: Millis,
    pub(in crate::state) times: u32,
}

/// A worker's claim on an open job, keyed by the job's id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::state) struct Lease {
    pub(in crate::state) nonce: u128,
    pub(in crate::state) worker: String,
    pub(in crate::state) expires: Millis,
    pub(in crate::state) since: Millis,
    /// Proof of the claim's secret; `None` if the worker's protocol version has no secrets.
    pub(in crate::state) proof: Option<Proof>,
    /// The worker's own folder for images.
    pub(in crate::state) folder: Option<String>,
}

impl Lease {
    /// Returns the keys under which this claim stores the image and thumbnail of a version.
    pub(in crate::state) fn image_keys(&self, generation: &Generation, output: Uuid, version: u32) -> [String; 2] {
        let extension = Encoding::from_name(generation.request.image_format.name()).map_or("bin", Encoding::extension);
        image_keys(self.folder.as_deref(), generation.id, output, version, self.nonce, extension)
    }

    /// Returns whether a worker holds this claim on `job` and proves it.
    pub(in crate::state) fn is_held(&self, job: &OpenJob, grant: Grant, now: Millis) -> bool {
        let Grant { claim, secret } = grant;
        let stands = self.nonce == claim.nonce && job.epoch == claim.epoch && self.expires > now;
        stands && Proof::holds(self.proof, secret)
    }
}

/// Version 1 of [`Lease`]. It did not tell when the job was claimed.
#[derive(Deserialize)]
struct LeaseV1 {
    nonce: u128,
    worker: String,
    expires: Millis,
}

/// Version 2 of [`Lease`]. Claims had no secrets, and workers no folders.
#[derive(Deserialize)]
struct LeaseV2 {
    before: LeaseV1,
    since: Millis,
}

impl From<LeaseV1> for LeaseV2 {
    fn from(before: LeaseV1) -> Self {
        Self { before, since: Millis(0) }
    }
}

impl From<LeaseV2> for Lease {
    fn from(LeaseV2 { before, since }: LeaseV2) -> Self {
        let LeaseV1 { nonce, worker, expires } = before;
        Self { nonce, worker, expires, since, proof: None, folder: None }
    }
}

versions! { Lease as LeaseRow: 1 => V1(LeaseV1), 2 => V2(LeaseV2), 3 => V3(Lease) }

/// How a job was closed, keyed by its id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::state) enum Closed {
    /// A report under this nonce was accepted.
    Accepted { nonce: u128, at: Millis, proof: Option<Proof> },
    /// The job was given up: a dead letter.
    GivenUp { fault: Fault, claims: u32, at: Millis, of: Option<DeadJob> },
}

/// Version 1 of [`Closed`]. It did not tell what was given up.
#[derive(Deserialize)]
enum ClosedV1 {
    Accepted { nonce: u128, at: Millis },
    GivenUp { fault: Fault, claims: u32, at: Millis },
}

/// Version 2 of [`Closed`]. Claims had no secrets.
#[derive(Deserialize)]
enum ClosedV2 {
    Accepted { nonce: u128, at: Millis },
    GivenUp { fault: Fault, claims: u32, at: Millis, of: Option<DeadJob> },
}

impl From<ClosedV1> for ClosedV2 {
    fn from(row: ClosedV1) -> Self {
        match row {
            ClosedV1::Accepted { nonce, at } => Self::Accepted { nonce, at },
            ClosedV1::GivenUp { fault, claims, at } => Self::GivenUp { fault, claims, at, of: None },
        }
    }
}

impl From<ClosedV2> for Closed {
    fn from(row: ClosedV2) -> Self {
        match row {
            ClosedV2::Accepted { nonce, at } => Self::Accepted { nonce, at, proof: None },
            ClosedV2::GivenUp { fault, claims, at, of } => Self::GivenUp { fault, claims, at, of },
        }
    }
}

versions! { Closed as ClosedRow: 1 => V1(ClosedV1), 2 => V2(ClosedV2), 3 => V3(Closed) }

/// Details of a job that was given up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::state) struct DeadJob {
    pub(in crate::state) account: Uuid,
    pub(in crate::state) generation: Uuid,
    pub(in crate::state) work: Work,
}

/// A ticket that isn't published yet, keyed by the job's id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::state) struct Posting {
    pub(in crate::state) epoch: Epoch,
    pub(in crate::state) class: Class,
}

impl Record for Posting {}

/// The digest of a claim's secret: the first 16 bytes of its SHA-256. Someone who reads the state, or a copy of it,
/// can't report with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::state) struct Proof([u8; 16]);

impl Proof {
    pub(in crate::state) fn of(secret: Secret) -> Self {
        let mut proof = [0; 16];
        proof.copy_from_slice(&Sha256::digest(secret.0)[..16]);
        Self(proof)
    }

    /// Returns whether `given` is the secret of a claim with this proof. A claim under a protocol version without
    /// secrets has no proof and needs no secret.
    pub(in crate::state) fn holds(proof: Option<Self>, given: Option<Secret>) -> bool {
        match (proof, given.map(Self::of)) {
            (None, None) => true,
            (Some(proof), Some(given)) => proof.0.ct_eq(&given.0).into(),
            _ => false,
        }
    }
}

/// A repair of an image, keyed by the image's key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::state) struct Repair {
    /// The job that renders it.
    pub(in crate::state) job: Uuid,
    /// When the job was enqueued, or when the repair failed.
    pub(in crate::state) begun: Millis,
    /// Why it failed; `None` while it is in progress.
    pub(in crate::state) fault: Option<Fault>,
}

impl Record for Repair {}

/// Returns the job that renders the output at a place.
pub(in crate::state) fn drawing(generation: &Generation, place: u32) -> OpenJob {
    let class = match generation.request.resolution {
        Resolution::TwoK | Resolution::Exact => Class::Render2k,
        Resolution::FourK => Class::Render4k,
    };
    OpenJob::new(generation.account, generation.id, Work::Render(place), class, generation.round)
}
