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
#[cfg(feature = "peers")]
mod peers;
mod render;
mod server;
mod shapes;
mod table;
mod typesetting;

use anyhow::Result;
use clap::{Parser, Subcommand};

/// The service's, so that what is measured in this process takes as long as it does there.
#[global_allocator]
static ALLOCATOR: worker::allocator::Allocator = worker::allocator::Allocator;

/// Measures Vivid, and shows what it draws.
#[derive(Debug, Parser)]
#[command(name = "bench")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Times the stages of a page, and pages a second.
    Render(render::Args),
    /// Times designing a page, and each stage between a designed page and its scene.
    Compose(compose::Args),
    /// Times what a page takes on a graphics device: upload, raster, copy, encode.
    Gpu(gpu::Args),
    /// Times a server from POST to completed, by the server's own clock.
    Api(api::Args),
    /// Times edits: from a prompt to its instruction and a small picture.
    Edit(edit::Args),
    /// Simulated workers on a real queue and coordinator: jobs a second, and what the queue adds.
    Fleet(fleet::Args),
    /// Times setting the text of a slide, in a Latin script and in others.
    Type(typesetting::Args),
    /// Times what lies between an input and its outlines: a text, a page, a PDF.
    Ingest(ingest::Args),
    /// Looks whether the time of reading and planning grows faster than the text, over texts of thousands of shapes.
    Shapes(shapes::Args),
    /// Measures what carousels of real articles say, against the targets.
    Editorial(editorial::Args),
    /// Draws every template in every style into one folder, with an index page and contact sheets.
    Gallery(gallery::Args),
    /// Serves one JSON body at every path, as little as a server can do: what the API's figures are held against.
    #[command(hide = true)]
    Bare(load::bare::Args),
    /// Holds the results of two runs together.
    Compare(compare::Args),
    /// Times one slide from strings to PNG through Vivid and through other renderers, and looks whether they agree.
    #[cfg(feature = "peers")]
    Peers(peers::Args),
}

fn main() -> Result<()> {
    // Pages and PDFs are read in children of this very program.
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
        #[cfg(feature = "peers")]
        Command::Peers(args) => peers::run(&args),
    }
}
