//! Vivid's render worker: claims jobs from the queue, works on them and reports their results.
//!
//! [`run::run`] is the entry point: it runs `loops` jobs at a time until it is told to stop. The binary `vivid-worker`
//! runs it on a machine of its own; the standalone service runs it in its own process.

pub mod allocator;
pub mod brand;
pub mod cache;
pub mod copywriter;
pub mod edit;
pub mod estimate;
pub mod export;
pub mod fonts;
pub mod import;
pub mod metrics;
pub mod renderer;
pub mod run;
pub mod sample;
pub mod setup;
pub mod tasks;

mod concurrency;
mod failure;
mod ingest;
mod stages;

pub use ingest::page_of_file;
pub use ingest::photo::of_file as photo_of_file;
pub use stages::Context;
