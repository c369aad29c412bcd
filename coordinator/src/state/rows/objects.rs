//! Rows about the object store: storage accounting, the deletion queue, the scrub and the probe.

use fleet::protocol::BlobId;
use serde::{Deserialize, Serialize};

use crate::clock::Millis;
use crate::state::rows::encoding::{LONGEST_ROW, Record};

/// Pixels of an unrendered image per reserved byte: 1 MiB for 2,048 × 2,048.
const PIXELS_PER_BYTE: u64 = 4;

/// The time of the last test write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::state) struct Probe {
    pub(in crate::state) at: Millis,
}

impl Record for Probe {}

/// Position of a pass.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum ScrubAt {
    /// Among the images, after the output whose row has this key.
    Images(Vec<u8>),
    /// Among the blobs, before those whose names begin with this byte.
    Blobs(u8),
}

/// A pass over all stored objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Pass {
    /// When it started.
    pub began: Millis,
    /// When it ended; zero while it runs.
    pub ended: Millis,
    /// Objects and blobs read.
    pub objects: u64,
    /// Bytes read.
    pub bytes: u64,
    /// Objects and blobs that were damaged or missing.
    pub damaged: u64,
}

/// Progress of the scrub.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ScrubProgress {
    /// The current pass, its position, the number of outputs when it started, and the number of outputs done.
    pub now: Option<(Pass, ScrubAt, u64, u64)>,
    /// The last completed pass.
    pub last: Option<Pass>,
}

impl Record for ScrubProgress {}

/// The storage of an account, keyed by the account's id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Storage {
    /// Bytes of everything that its rows reference.
    pub bytes: u64,
    /// Pixels of accepted images that aren't stored yet.
    pub pending_pixels: u64,
    /// Number of transactions that changed this row.
    pub(in crate::state) changes: u64,
}

impl Record for Storage {}

impl Storage {
    /// Returns the bytes that count against the quota: stored bytes, and bytes reserved for images that aren't rendered
    /// yet.
    pub fn used(&self) -> u64 {
        self.bytes + reserved(self.pending_pixels)
    }
}

/// A blob or image that an account stores, keyed by the account and its name.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(in crate::state) struct Stored {
    /// Its size in bytes, as far as it is known.
    pub(in crate::state) bytes: u64,
    /// Number of rows that reference it; 0 for a blob that is about to be stored or removed.
    pub(in crate::state) references: u32,
    /// Whether `bytes` is the complete size.
    pub(in crate::state) measured: bool,
    /// The blobs that it references itself: the logos and faces of a brand.
    pub(in crate::state) parts: Vec<BlobId>,
}

impl Record for Stored {
    const BYTES: usize = LONGEST_ROW;
}

/// A queued object, keyed by its object key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::state) struct QueuedDeletion {
    /// When the object is due to be removed.
    pub(in crate::state) due: Millis,
}

impl Record for QueuedDeletion {}

/// Returns the bytes reserved for a number of pixels.
pub(in crate::state) fn reserved(pixels: u64) -> u64 {
    pixels / PIXELS_PER_BYTE
}
