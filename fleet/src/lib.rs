//! What Vivid's coordinator and workers share: the protocol, the queue, object storage, the way to other hosts, the
//! sandbox.

pub mod blobs;
pub mod desk;
pub mod net;
pub mod protocol;
pub mod queue;
pub mod sandbox;
