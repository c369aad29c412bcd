//! What the process keeps in memory beside the tables.

pub(super) mod counters;
pub(super) mod limits;
pub(super) mod outage;
pub(super) mod recent;
pub(super) mod scheduler;
pub(super) mod watchers;
