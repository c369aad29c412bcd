//! Reading generations: snapshots, lists, the event log, and the index of outputs.

pub(super) mod event_log;
pub(super) mod failures;
pub(super) mod images;
pub(super) mod output_index;
pub(super) mod past_edits;
pub(super) mod read;
pub(super) mod snapshot;
