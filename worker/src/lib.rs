//! Vivid's render worker: takes jobs off the queue, works on them, hands in what came of them.
//!
//! [`run::run`] is the whole of it: `loops` loops, each with one job at a time, until told to stop. The binary
//! `vivid-worker` runs it on a machine of its own, the standalone service in its own process.

pub mod allocator;
pub mod brand;
pub mod copywriter;
pub mod edit;
pub mod estimate;
pub mod export;
pub mod fonts;
pub mod intake;
pub mod metrics;
pub mod renderer;
pub mod run;
pub mod sample;
pub mod setup;
pub mod shelf;
pub mod tasks;

mod concurrency;
mod failure;
mod ingest;
mod stages;

pub use ingest::page_of_file;
pub use ingest::photo::of_file as photo_of_file;
pub use stages::Tools;
