//! Changes of generations: orders, jobs and their claims, reports, edits, versions, and retention.

pub(super) mod arrangement;
pub(super) mod at_work;
pub(super) mod claims;
pub(super) mod dead_letters;
pub(super) mod edits;
pub(super) mod endings;
pub(super) mod images;
pub(super) mod lifecycle;
pub(super) mod orders;
pub(super) mod outbox;
pub(super) mod repair_subject;
pub(super) mod repairs;
pub(super) mod reports;
pub(super) mod retention;
pub(super) mod retries;
pub(super) mod versions;
