//! The row types of all tables, and how rows and their keys are encoded. Every type here is stored: changing one needs
//! a new version, and golden tests pin the bytes of the old ones.

pub(super) mod accounts;
pub(super) mod arrangement;
pub(super) mod assets;
pub(super) mod encoding;
mod generation_versions;
pub(super) mod generations;
pub(super) mod given;
pub(super) mod idempotency;
pub(super) mod jobs;
pub(super) mod keys;
pub(super) mod keyspace;
pub(super) mod ledger;
pub(super) mod members;
pub(super) mod objects;
pub(super) mod outputs;
pub(super) mod schema;
pub(super) mod webhooks;

#[cfg(test)]
mod tests;
#[cfg(test)]
pub(super) use tests::{check as golden, check_older as golden_older};
