//! Vivid's render worker: takes jobs off the queue, works on them, hands in what came of them.
//!
//! [`run::run`] is the whole of it: `loops` loops, each with one job at a time, until told to stop. The crate is a
//! library that the standalone service runs in its own process: without a queue that reaches other machines, a binary
//! of its own would have nothing to talk to.

pub mod brand;
pub mod copywriter;
pub mod estimate;
pub mod fonts;
pub mod intake;
pub mod metrics;
pub mod renderer;
pub mod run;
pub mod shelf;
pub mod tasks;

mod failure;
mod ingest;
mod stages;

pub use stages::Tools;
