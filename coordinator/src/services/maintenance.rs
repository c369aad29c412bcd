//! Starts the maintenance tasks.

use fleet::blobs::Blobs;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::{audits, dispatch, leftovers, retention, storage};
use crate::config::Config;
use crate::exports::Exports;
use crate::state::Store;

/// Starts the maintenance tasks of the state and the object store, which no request waits for.
pub(super) fn maintain(
    tasks: &mut JoinSet<()>,
    config: &Config,
    (store, blobs): (&Store, &Blobs),
    exports: Exports,
    stop: &CancellationToken,
) {
    let keep = retention::Keep {
        generations: config.keep_days,
        images: config.keep_images_days,
        failed_inputs_h: config.keep_failed_inputs_h,
    };
    tasks.spawn(leftovers::run(store.clone(), blobs.clone(), stop.clone()));
    tasks.spawn(storage::run(store.clone(), blobs.clone(), stop.clone()));
    tasks.spawn(retention::run(store.clone(), keep, stop.clone()));
    tasks.spawn(exports.run(store.clone(), stop.clone()));
    tasks.spawn(audits::run(store.clone(), stop.clone()));
    tasks.spawn(dispatch::write_recent(store.clone(), stop.clone()));
}
