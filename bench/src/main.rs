//! Vivid's bench harness. Every subcommand prints a table and, with `--json`, one JSON object as its last line.
#![allow(clippy::print_stdout, reason = "printing its findings is what this program does")]

mod api;
mod compare;
mod compose;
mod edit;
mod editorial;
mod fleet;
mod gallery;
mod gpu;
mod ingest;
mod load;
mod machine;
#[path = "../../fleet/src/nats/server.rs"]
#[allow(dead_code, clippy::unwrap_used, reason = "it is the tests', which restart it and may panic")]
mod nats;
mod render;
mod server;
mod shapes;
mod table;
mod typesetting;

use anyhow::Result;
use clap::{Parser, Subcommand};

/// The service's allocator, so that code in this process takes as long as in the service.
#[global_allocator]
static ALLOCATOR: worker::allocator::Allocator = worker::allocator::Allocator;

/// Benchmarks Vivid, and renders galleries.
#[derive(Debug, Parser)]
#[command(name = "bench")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Times the stages of a page, and pages per second.
    Render(render::Args),
    /// Times the design of a page, and each stage between a designed page and its scene.
    Compose(compose::Args),
    /// Times the stages of a page on a graphics device: upload, raster, copy, encode.
    Gpu(gpu::Args),
    /// Times a server from POST to completed, by the server's timestamps.
    Api(api::Args),
    /// Times edits: from a prompt to its instruction and a preview.
    Edit(edit::Args),
    /// Runs simulated workers with a real queue and coordinator: jobs per second, and the queue's latency.
    Fleet(fleet::Args),
    /// Times the typesetting of a slide, in a Latin script and in others.
    Type(typesetting::Args),
    /// Times the path from an input to its outlines: a text, a page, a PDF.
    Ingest(ingest::Args),
    /// Checks that the time to read and plan grows no faster than the text, with texts of thousands of shapes.
    Shapes(shapes::Args),
    /// Measures the text quality of carousels of real articles, against targets.
    Editorial(editorial::Args),
    /// Renders every template in every style into one folder, with an index page and contact sheets.
    Gallery(gallery::Args),
    /// Serves one JSON body at every path, as the minimal server that the API is compared with.
    #[command(hide = true)]
    Bare(load::bare::Args),
    /// Compares the results of two runs.
    Compare(compare::Args),
}

fn main() -> Result<()> {
    // Pages and PDFs are parsed in child processes that run this same program.
    ::fleet::sandbox::enter(worker::tasks::TASKS);
    ::fleet::tls::choose();
    match Cli::parse().command {
        Command::Render(args) => render::run(&args),
        Command::Compose(args) => compose::run(&args),
        Command::Gpu(args) => gpu::run(&args),
        Command::Api(args) => api::run(&args),
        Command::Edit(args) => edit::run(&args),
        Command::Fleet(args) => fleet::run(&args),
        Command::Type(args) => typesetting::run(&args),
        Command::Ingest(args) => ingest::run(&args),
        Command::Shapes(args) => shapes::run(&args),
        Command::Editorial(args) => editorial::run(&args),
        Command::Gallery(args) => gallery::run(&args),
        Command::Bare(args) => load::bare::run(&args),
        Command::Compare(args) => compare::run(&args),
    }
}
