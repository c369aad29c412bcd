//! The object store as the state sees it: storage accounting, digests, garbage collection, the scrub's progress.

pub(super) mod bundles;
pub(super) mod deletion_queue;
pub(super) mod digests;
pub(super) mod gc_roots;
pub(super) mod scrubs;
pub(super) mod storage;
pub(super) mod storage_check;
