//! Throughput of real workers on this machine: processes of one loop each beside a coordinator with a queue. Compares
//! it with the same number of loops inside the coordinator, which gives the cost of a fleet.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use serde::Serialize;
use serde_json::{Value, json};
use tokio::process::{Child, Command};

use super::Nats;
use crate::load::wire::{Until, Wire, get, post, press};
use crate::server::{Server, built};

/// Slides of a generation.
const SLIDES: usize = 5;
/// Untimed generations at the start, which load faces and fill caches.
const FIRST: usize = 4;
/// Polling interval for completion.
const LOOK_EVERY: Duration = Duration::from_millis(10);
/// Timeout for a worker to start, and for one generation to end.
const PATIENCE: Duration = Duration::from_secs(60);

/// The result for a number of loops.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Drawn {
    /// Processes of one loop; for the standalone service, its loops.
    pub(super) workers: usize,
    pub(super) images_per_second: f64,
    pub(super) generations_per_second: f64,
}

/// Measures a fleet with the given number of workers.
pub(super) async fn fleet(nats: &Nats, binary: Option<&Path>, workers: usize, generations: usize) -> Result<Drawn> {
    let folder = tempfile::tempdir()?;
    let store = folder.path().to_str().context("a path of letters")?;
    let prefix = format!("drawn{workers}");
    let shared = ["--queue", &nats.url, "--queue-prefix", &prefix, "--store", store].map(str::to_owned);
    let server = Server::start(binary, 0, &shared).await?;
    let program = match binary {
        Some(binary) => binary.with_file_name(format!("vivid-worker{}", std::env::consts::EXE_SUFFIX)),
        None => built("worker", "vivid-worker").await?,
    };
    let running: Vec<Child> = (0..workers).map(|_| start(&program, &shared)).collect::<Result<_>>()?;
    let begun = Instant::now();
    while server.operate(&["fleet"]).await?["slots"] != workers {
        ensure!(begun.elapsed() < PATIENCE, "the workers did not come");
        tokio::time::sleep(LOOK_EVERY).await;
    }
    let drawn = draw(&server, workers, generations).await;
    drop(running);
    drawn
}

/// Measures the standalone service with the given number of loops.
pub(super) async fn standalone(binary: Option<&Path>, loops: usize, generations: usize) -> Result<Drawn> {
    let folder = tempfile::tempdir()?;
    let store = folder.path().to_str().context("a path of letters")?;
    let server = Server::start(binary, u32::try_from(loops)?, &["--store", store].map(str::to_owned)).await?;
    draw(&server, loops, generations).await
}

fn start(program: &PathBuf, shared: &[String]) -> Result<Child> {
    let mut command = Command::new(program);
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("VIVID_")) {
        command.env_remove(name);
    }
    command.args(shared).args(["--workers", "1", "--log", "warn"]).stdin(Stdio::null()).kill_on_drop(true);
    command.spawn().with_context(|| format!("starting {}", program.display()))
}

/// Measures from the first request to the last image that is paid for.
async fn draw(server: &Server, workers: usize, generations: usize) -> Result<Drawn> {
    let accounts = server.operate(&["account", "list"]).await?;
    let account = accounts.pointer("/accounts/0/id").and_then(Value::as_str).context("there is no account")?;
    let price = SLIDES * 15;
    server.operate(&["account", "credit", account, &((generations + FIRST) * price).to_string()]).await?;
    let before = balance(server).await?.0;
    create(server, FIRST).await?;
    ended(server).await?;
    let begun = Instant::now();
    create(server, generations).await?;
    ended(server).await?;
    let seconds = begun.elapsed().as_secs_f64();
    let paid = before - balance(server).await?.0;
    ensure!(paid == (generations + FIRST) * price, "not everything was drawn: {paid} credits were paid");
    let of = |n: usize| n as f64 / seconds;
    Ok(Drawn { workers, images_per_second: of(generations * SLIDES), generations_per_second: of(generations) })
}

async fn create(server: &Server, generations: usize) -> Result<()> {
    let key = server.key.clone();
    let creation = move |n: usize| {
        let text = format!(
            "# {n} habits of calm teams\n\n- Write decisions down where all can read them\n- Meet less, and end early\n\
             - Ship small changes every day\n- Rest well, for tired teams break things"
        );
        let body = json!({
            "inputType": "text", "inputContent": text, "outputFormats": ["linkedin_carousel"], "seed": n,
            "carouselCounts": {"linkedin_carousel": SLIDES},
        });
        post("/api/generations", &key, &body.to_string())
    };
    press(address(server), 8, Until::Requests(generations), 202, creation, |_| None::<()>).await?;
    Ok(())
}

/// Returns when no credits are held for outputs any more.
async fn ended(server: &Server) -> Result<()> {
    let mut since = (Instant::now(), usize::MAX);
    loop {
        let reserved = balance(server).await?.1;
        if reserved == 0 {
            return Ok(());
        }
        if reserved != since.1 {
            since = (Instant::now(), reserved);
        }
        ensure!(since.0.elapsed() < PATIENCE, "nothing is drawn any more");
        tokio::time::sleep(LOOK_EVERY).await;
    }
}

/// Returns the credits including those held, and the held credits.
async fn balance(server: &Server) -> Result<(usize, usize)> {
    let reply = Wire::open(address(server)).await?.ask(&get("/api/credits/balance", &server.key)).await?;
    let said: Value = serde_json::from_slice(&reply.body)?;
    let read = |name: &str| said[name].as_u64().and_then(|n| usize::try_from(n).ok()).context("a balance");
    let (available, reserved) = (read("balance")?, read("reserved")?);
    Ok((available + reserved, reserved))
}

fn address(server: &Server) -> &str {
    server.base.trim_start_matches("http://")
}
