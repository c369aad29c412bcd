//! What Vivid's coordinator and workers share: the protocol, the queue, object storage.

pub mod blobs;
pub mod desk;
pub mod protocol;
pub mod queue;
