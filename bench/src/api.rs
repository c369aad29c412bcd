//! Times a server from POST to `completed`, by the timestamps `createdAt` and `completedAt` of each generation.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use jiff::Timestamp;
use reqwest::{Response, StatusCode, header};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::load::wire::{Load, Until, get, press};
use crate::machine::{self, Machine, Memory};
use crate::server::Server;
use crate::{load, render, table};

/// Polling interval. The results don't depend on it, because they use the server's timestamps.
const LOOK: Duration = Duration::from_millis(100);
/// Number of connections that read an image and its thumbnail after the last generation.
const READERS: usize = 4;
/// Timeout for one generation.
const PATIENCE: Duration = Duration::from_secs(120);

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Base URL of a running server; by default, bench starts one.
    #[arg(long, requires = "key")]
    server: Option<String>,
    /// API key for --server.
    #[arg(long, env = "BENCH_API_KEY", hide_env_values = true)]
    key: Option<String>,
    /// The binary to start; by default, bench builds and starts the coordinator.
    #[arg(long)]
    binary: Option<PathBuf>,
    /// Worker loops of the started server.
    #[arg(long, default_value_t = 2)]
    workers: u32,
    /// Another argument for the started server; may be repeated.
    #[arg(long, allow_hyphen_values = true)]
    server_arg: Vec<String>,
    /// Number of timed requests.
    #[arg(long, default_value_t = 30)]
    requests: usize,
    /// Number of warm-up requests.
    #[arg(long, default_value_t = 3)]
    warmup: usize,
    /// Concurrent requests; with 1, the server is idle when each request arrives.
    #[arg(long, default_value_t = 1)]
    concurrency: usize,
    /// Format, with `:slides` for a carousel.
    #[arg(long, default_value = "instagram_post")]
    format: String,
    /// Resolution.
    #[arg(long, default_value = "2K")]
    resolution: String,
    /// Text to render.
    #[arg(long, default_value = render::ARTICLE)]
    content: PathBuf,
    /// Number of GETs of an image and of its thumbnail after the last generation; 0 for none.
    #[arg(long, default_value_t = 2_000)]
    reads: usize,
    /// Loads the API itself instead: creations without workers, reads, lists, idle connections, a kill.
    #[arg(long, conflicts_with_all = ["server", "requests", "warmup", "concurrency", "format", "resolution", "content"])]
    load: bool,
    #[command(flatten)]
    loads: load::Args,
    /// Prints the result as one line of JSON at the end.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Report {
    bench: &'static str,
    machine: Machine,
    warmup: usize,
    requests: usize,
    concurrency: usize,
    /// Settings of the server, if bench started it.
    workers: Option<u32>,
    format: String,
    /// Size of the first image in pixels.
    width: u32,
    height: u32,
    /// From POST to the 202, measured by the client.
    accept_ms: Spread,
    /// From `createdAt` to `startedAt`, when the first worker starts on the generation.
    start_ms: Spread,
    /// `createdAt` to `completedAt`.
    complete_ms: Spread,
    images_per_second: f64,
    /// Repeated GETs of the first image.
    image_reads: Option<Load>,
    /// Repeated GETs of its thumbnail.
    thumbnail_reads: Option<Load>,
    /// Memory of the server after the last request, if bench started it on this machine.
    memory: Option<Memory>,
}

#[derive(Debug, Serialize)]
struct Spread {
    p50: f64,
    p99: f64,
    max: f64,
}

impl Spread {
    fn of(samples: &[f64]) -> Self {
        let at = |q| table::quantile(samples, q);
        Self { p50: at(0.5), p99: at(0.99), max: at(1.0) }
    }
}

#[derive(Debug, Deserialize)]
struct Answer {
    generation: Generation,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Generation {
    id: String,
    status: String,
    #[serde(default)]
    outputs: Vec<Output>,
    error: Option<serde_json::Value>,
    created_at: Timestamp,
    started_at: Option<Timestamp>,
    completed_at: Option<Timestamp>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Output {
    width: u32,
    height: u32,
    image_url: String,
    thumbnail_url: String,
}

/// One request, from its start to its end.
struct Sample {
    accept_ms: f64,
    generation: Generation,
}

struct Client {
    http: reqwest::Client,
    base: String,
    key: String,
    body: serde_json::Value,
}

impl Client {
    /// Repeats a request until the response is not 429.
    async fn patiently(&self, ask: impl Fn() -> reqwest::RequestBuilder) -> Result<(Response, Duration)> {
        loop {
            let started = Instant::now();
            let response = ask().header("X-API-Key", &self.key).send().await?;
            let took = started.elapsed();
            if response.status() != StatusCode::TOO_MANY_REQUESTS {
                return Ok((response, took));
            }
            let after = response.headers().get(header::RETRY_AFTER).and_then(|v| v.to_str().ok()?.parse().ok());
            tokio::time::sleep(Duration::from_secs(after.unwrap_or(1))).await;
        }
    }

    async fn make(&self, seed: usize) -> Result<Sample> {
        let mut body = self.body.clone();
        body["seed"] = json!(seed);
        let url = format!("{}/api/generations", self.base);
        let (response, took) = self.patiently(|| self.http.post(&url).json(&body)).await?;
        let status = response.status();
        if status != StatusCode::ACCEPTED {
            bail!("POST answered {status}: {}", response.text().await?);
        }
        let mut generation = response.json::<Answer>().await?.generation;
        let url = format!("{url}/{}", generation.id);
        let started = Instant::now();
        while matches!(generation.status.as_str(), "pending" | "processing") {
            if started.elapsed() > PATIENCE {
                bail!("generation {} is {} after {PATIENCE:?}", generation.id, generation.status);
            }
            tokio::time::sleep(LOOK).await;
            let (response, _) = self.patiently(|| self.http.get(&url)).await?;
            generation = response.error_for_status()?.json::<Answer>().await?.generation;
        }
        if generation.status != "completed" {
            bail!("generation {} ended as {}: {:?}", generation.id, generation.status, generation.error);
        }
        Ok(Sample { accept_ms: took.as_secs_f64() * 1_000.0, generation })
    }

    /// Reads a signed URL `times` times, after one untimed read.
    async fn read(&self, url: &str, times: usize) -> Result<Option<Load>> {
        if times == 0 {
            return Ok(None);
        }
        let (address, path) = url.strip_prefix("http://").and_then(|u| u.split_once('/')).context("a URL over HTTP")?;
        let request = get(&format!("/{path}"), "");
        let ask = move |_| request.clone();
        press(address, 1, Until::Requests(1), 200, ask.clone(), |_| None::<()>).await?;
        Ok(Some(press(address, READERS, Until::Requests(times), 200, ask, |_| None::<()>).await?.0))
    }

    /// Creates `requests` generations, `concurrency` at a time.
    async fn make_all(&self, requests: usize, concurrency: usize) -> Result<Vec<Sample>> {
        use futures::stream::{StreamExt as _, TryStreamExt as _};
        let made = (0..requests).map(|n| self.make(n));
        futures::stream::iter(made).buffer_unordered(concurrency.max(1)).try_collect().await
    }
}

pub fn run(args: &Args) -> Result<()> {
    tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?.block_on(async {
        if args.load {
            load::measure(&args.loads, args.binary.as_deref(), &args.server_arg, args.json).await
        } else {
            measure(args).await
        }
    })
}

async fn measure(args: &Args) -> Result<()> {
    let (started, base, key) = match (&args.server, &args.key) {
        (Some(base), Some(key)) => (None, base.trim_end_matches('/').to_owned(), key.clone()),
        _ => {
            let server = Server::start(args.binary.as_deref(), args.workers, &args.server_arg).await?;
            let (base, key) = (server.base.clone(), server.key.clone());
            (Some(server), base, key)
        }
    };
    let text = render::text(&args.content)?;
    let (format, counts) = match args.format.split_once(':') {
        Some((id, slides)) => (id, json!({ id: slides.parse::<u32>().context("a slide count")? })),
        None => (args.format.as_str(), json!({})),
    };
    let body = json!({
        "inputType": "text", "inputContent": text, "outputFormats": [format], "carouselCounts": counts,
        "resolution": args.resolution,
    });
    let client = Client { http: reqwest::Client::builder().no_proxy().build()?, base, key, body };
    client.make_all(args.warmup, 1).await?;
    let begun = Instant::now();
    let samples = client.make_all(args.requests.max(1), args.concurrency).await?;
    let took = begun.elapsed().as_secs_f64();
    let memory = started.as_ref().and_then(|server| machine::memory(server.pid()));

    let of = |pick: fn(&Sample) -> Option<f64>| Spread::of(&samples.iter().filter_map(pick).collect::<Vec<_>>());
    let first = samples[0].generation.outputs.first().context("a completed generation without outputs")?;
    let report = Report {
        bench: "api",
        machine: Machine::this(),
        warmup: args.warmup,
        requests: args.requests,
        concurrency: args.concurrency,
        workers: started.is_some().then_some(args.workers),
        format: args.format.clone(),
        width: first.width,
        height: first.height,
        accept_ms: of(|s| Some(s.accept_ms)),
        start_ms: of(|s| Some(between(s.generation.created_at, s.generation.started_at?))),
        complete_ms: of(|s| Some(between(s.generation.created_at, s.generation.completed_at?))),
        images_per_second: samples.iter().map(|s| s.generation.outputs.len()).sum::<usize>() as f64 / took,
        image_reads: client.read(&first.image_url, args.reads).await?,
        thumbnail_reads: client.read(&first.thumbnail_url, args.reads).await?,
        memory,
    };
    report.print();
    if args.json {
        println!("{}", serde_json::to_string(&report)?);
    }
    Ok(())
}

/// Milliseconds.
fn between(from: Timestamp, to: Timestamp) -> f64 {
    to.duration_since(from).as_secs_f64() * 1_000.0
}

impl Report {
    fn print(&self) {
        println!("{}", self.machine.describe());
        println!(
            "{} requests of {} ({}×{}), {} at once, after {} to warm up",
            self.requests, self.format, self.width, self.height, self.concurrency, self.warmup
        );
        println!();
        let row = |name: &str, s: &Spread| {
            let mut cells = vec![name.to_owned()];
            cells.extend([s.p50, s.p99, s.max].map(|v| format!("{v:.1}")));
            cells
        };
        let rows = [
            row("POST answered (client's clock)", &self.accept_ms),
            row("created to started (server's clock)", &self.start_ms),
            row("created to completed (server's clock)", &self.complete_ms),
        ];
        table::print(&["ms", "p50", "p99", "max"], &rows);
        println!();
        // With one request at a time, this includes the client's polling interval.
        println!("{:.1} images/s as the client sees it", self.images_per_second);
        for (what, reads) in [("the image", &self.image_reads), ("its thumbnail", &self.thumbnail_reads)] {
            if let Some(Load { connections, per_second, p50_ms, p99_ms, .. }) = reads {
                println!(
                    "GET of {what}, {connections} at once: {per_second:.0}/s, p50 {p50_ms:.2} ms, p99 {p99_ms:.2} ms"
                );
            }
        }
        if let Some(memory) = self.memory {
            let Memory { resident_mib, peak_mib } = memory;
            let loops = self.workers.unwrap_or_default();
            println!("server with {loops} loops: {resident_mib:.0} MiB resident, {peak_mib:.0} MiB at its peak");
        }
    }
}
