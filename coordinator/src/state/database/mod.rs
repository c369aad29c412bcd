//! The database: sled, the transactions over its trees, and the threads that make commits durable.

pub(super) mod ballast;
pub(super) mod batcher;
pub(super) mod commit;
pub(super) mod dirty;
pub(super) mod opening;
pub(super) mod tables;
