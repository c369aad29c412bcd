//! Tests that span several crates: the structure of the repository, pictures against their references, the service end
//! to end, and fault injection.
#![allow(clippy::unwrap_used, reason = "a test's helpers may panic; nothing here is shipped")]

mod browser;
mod chaos;
mod contract;
mod e2e;
mod edits;
mod failpoints;
mod golden;
mod image;
mod language;
mod memory;
#[path = "../../fleet/src/nats/server.rs"]
mod nats;
mod pairs;
mod parity;
mod pdf;
mod people;
mod poppler;
mod repo;
mod service;
mod shapes;
#[path = "../../fleet/src/nats/shipped.rs"]
mod shipped;
mod sources;
mod storage;
mod tidy;
mod wire;

use nats::Server;
