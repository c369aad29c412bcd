//! How the rows of each table are read, for those who take them as they are stored.

use super::probe::Probe;
use super::records::{
    Account, Closed, Entry, FaceShelf, Generation, Idempotency, KeyRecord, Kit, KitShelf, Lease, MadeKit, Meta,
    OpenJob, Output, Posting, Upload,
};
use super::table::{Record, decode};
use super::{StateError, TREES};
use crate::credits::Balance;
use render_core::warning::Warning;

/// Whether a row can be read, in this version or an older one.
pub(super) type Reader = fn(&[u8]) -> Result<(), StateError>;

/// One a table, in the order of [`TREES`].
pub(super) const READERS: [Reader; TREES.len()] = [
    reads::<Meta>,
    reads::<Account>,
    reads::<KeyRecord>,
    reads::<Balance>,
    reads::<Entry>,
    reads::<Generation>,
    reads::<Output>,
    reads::<Warning>,
    reads::<OpenJob>,
    reads::<Lease>,
    reads::<Closed>,
    reads::<Idempotency>,
    reads::<Posting>,
    reads::<Upload>,
    reads::<Kit>,
    reads::<MadeKit>,
    reads::<KitShelf>,
    reads::<FaceShelf>,
    reads::<Probe>,
];

fn reads<R: Record>(row: &[u8]) -> Result<(), StateError> {
    decode::<R>(row).map(drop)
}
