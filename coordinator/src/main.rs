//! `vivid`: the coordinator and its workers in one process.

use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context;
use coordinator::config::{Config, ConfigError, LogFormat};
use coordinator::{command, services};
use fleet::process::{private_files, private_folder};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer};
use worker::allocator::Allocator;

#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

fn main() -> ExitCode {
    fleet::sandbox::enter(worker::tasks::TASKS);
    if command::is_one(std::env::args_os().skip(1)) {
        return command::run();
    }
    let config = match Config::load() {
        Ok(config) => config,
        // Also prints help and version, and exits with the right status.
        Err(ConfigError::Arguments(e)) => e.exit(),
        Err(e) => return fail(&e.into()),
    };
    match run(config) {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => fail(&e),
    }
}

fn fail(error: &anyhow::Error) -> ExitCode {
    // If standard error is closed, nobody can read the error.
    let _ = writeln!(std::io::stderr(), "coordinator: {error:#}");
    ExitCode::FAILURE
}

fn run(config: Config) -> anyhow::Result<()> {
    private_files();
    #[cfg(feature = "otlp")]
    let traces = coordinator::traces::Traces::start().context("spans can't be exported")?;
    log_to_stderr(
        &config,
        #[cfg(feature = "otlp")]
        traces.as_ref(),
    )?;
    private_folder(&config.data_dir)
        .with_context(|| format!("can't create the data folder {}", config.data_dir.display()))?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let result = runtime.block_on(services::run(config));
    // Tasks that still block then are aborted. Everything accepted is on the disk.
    runtime.shutdown_timeout(Duration::from_secs(2));
    #[cfg(feature = "otlp")]
    if let Some(traces) = traces {
        traces.end();
    }
    result
}

fn log_to_stderr(
    config: &Config,
    #[cfg(feature = "otlp")] traces: Option<&coordinator::traces::Traces>,
) -> anyhow::Result<()> {
    let filter = EnvFilter::try_new(&config.log).context("log: not a valid log filter")?;
    let log = tracing_subscriber::fmt::layer().with_writer(std::io::stderr);
    let log = log.with_ansi(std::io::stderr().is_terminal());
    let log = match config.log_format {
        LogFormat::Text => log.boxed(),
        LogFormat::Json => log.json().boxed(),
    };
    let said = tracing_subscriber::registry().with(filter).with(log);
    #[cfg(feature = "otlp")]
    let said = said.with(traces.map(|traces| traces.layer()));
    said.init();
    Ok(())
}
