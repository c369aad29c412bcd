//! What Vivid's coordinator and workers share: the protocol, the queue, object storage, and the way to other hosts.

pub mod blobs;
pub mod desk;
pub mod net;
pub mod protocol;
pub mod queue;
