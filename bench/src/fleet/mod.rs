//! Throughput of coordinator and queue. The simulated workers hold a slot for a fixed time instead of rendering, so
//! that only coordinator and queue are measured. Coordinator, queue, load generator and workers share this machine.

mod drawn;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use ::fleet::blobs::Blobs;
use ::fleet::job_service::JobService;
use ::fleet::job_service::nats::RemoteJobService;
use ::fleet::nats::{Client, Settings, connect};
use ::fleet::presence::{Announcer, WorkerInfo};
use ::fleet::protocol::{
    Caller, ClaimAnswer, Class, Grant, Job, NegotiatedVersion, Outcome, Planned, PlannedPage, Rendered, Terms, Ticket,
    Verdict, image_keys,
};
use ::fleet::queue::nats::NatsQueue;
use ::fleet::queue::{Delivery, Queue};
use anyhow::{Context as _, Result, ensure};
use parking_lot::Mutex;
use render_core::inspect::Quality;
use serde::Serialize;
use serde_json::{Value, json};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use worker::run::slots::{Fetched, Slots};

use crate::load::wire::{Until, post, press};
use crate::machine::Machine;
use crate::nats::Server as Nats;
use crate::server::Server;
use crate::table;
use drawn::Drawn;

/// Slides of a generation. Its jobs are one plan and a render for each slide.
const SLIDES: usize = 20;
/// Queue prefix of the deployment.
const PREFIX: &str = "vivid";
/// Identity of the simulated workers on the queue.
const IDENTITY: &str = "worker";
/// Content of every simulated image and thumbnail.
const PICTURE: [u8; 100] = [7; 100];
/// Simulated workers that share a connection, like the loops of one process.
const A_PROCESS: usize = 8;
/// Warm-up time of the fleet.
const WARM: Duration = Duration::from_secs(2);
/// The targets: share of linear at a number of workers, jobs per second, queue latency in milliseconds.
const LINEAR: f64 = 0.95;
const LINEAR_UP_TO: usize = 128;
const JOBS_PER_SECOND: f64 = 3_500.0;
const QUEUE_P50_MS: f64 = 3.0;
const QUEUE_P99_MS: f64 = 15.0;
/// Maximum loss of a fleet on one machine, compared with the standalone service.
const COST: f64 = 0.10;

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Numbers of simulated workers, one run each.
    #[arg(long, value_delimiter = ',', default_value = "1,8,32,128,512,1000")]
    workers: Vec<usize>,
    /// Milliseconds of a simulated job.
    #[arg(long, default_value_t = 50)]
    job_ms: u64,
    /// Timed seconds of each run.
    #[arg(long, default_value_t = 10)]
    seconds: u64,
    /// Numbers of processes that render, one run each.
    #[arg(long, value_delimiter = ',', default_value = "1,2,4")]
    drawing: Vec<usize>,
    /// Generations of five slides that each of these runs renders.
    #[arg(long, default_value_t = 60)]
    generations: usize,
    /// Pairs of runs of the standalone service and a fleet of the same size; the cost of a fleet is the median
    /// difference.
    #[arg(long, default_value_t = 7, value_parser = clap::value_parser!(u32).range(1..))]
    pairs: u32,
    /// Timed tickets through the queue.
    #[arg(long, default_value_t = 2_000)]
    tickets: usize,
    /// The coordinator's binary; by default, bench builds and starts it.
    #[arg(long)]
    binary: Option<PathBuf>,
    /// Prints the result as one line of JSON at the end.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Run {
    workers: usize,
    jobs_per_second: f64,
    /// Share of the throughput of as many workers without a queue.
    of_linear: f64,
    /// Failed requests to queue or job service.
    failed: u64,
    /// Median milliseconds that a worker waits for its turn and a ticket, for the reply to its claim, for the reply to
    /// its report, and for the server's confirmation that the ticket is off the queue.
    waits_ms: [f64; 4],
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Report {
    bench: &'static str,
    machine: Machine,
    job_ms: u64,
    runs: Vec<Run>,
    /// Milliseconds from publishing a ticket to receiving it, with a waiting consumer.
    queue_p50_ms: f64,
    queue_p99_ms: f64,
    /// Runs with fleets that render.
    drawing: Vec<Drawn>,
    pairs: Vec<Pair>,
}

/// A pair of runs in direct succession, so that a machine that slows down over time affects both.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Pair {
    /// Throughput of the standalone service with one loop per core.
    standalone: Drawn,
    /// Throughput of a fleet with as many workers.
    fleet: Drawn,
}

impl Pair {
    /// Returns the fleet's loss, as a share of the standalone throughput.
    fn cost(&self) -> f64 {
        1.0 - self.fleet.images_per_second / self.standalone.images_per_second
    }
}

/// Runs all measurements and prints the report.
///
/// # Errors
/// Fails if a server doesn't start or responds unexpectedly.
pub fn run(args: &Args) -> Result<()> {
    let most = args.workers.iter().max().copied().unwrap_or(0);
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        // One blocking thread for every held job, and some for everything else.
        .max_blocking_threads(most + 64)
        .enable_all()
        .build()?
        .block_on(measure(args))
}

async fn measure(args: &Args) -> Result<()> {
    let nats = Nats::start().context("nats-server not found: set NATS_SERVER to its path")?;
    let (queue_p50_ms, queue_p99_ms) = time_queue(&nats, args.tickets).await?;
    let mut runs = Vec::new();
    for workers in &args.workers {
        runs.push(simulate(&nats, args, *workers).await?);
    }
    let binary = args.binary.as_deref();
    let mut drawing = Vec::new();
    for workers in &args.drawing {
        drawing.push(drawn::fleet(&nats, binary, *workers, args.generations).await?);
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut pairs = Vec::new();
    for n in 0..args.pairs {
        let fleet_first = n % 2 == 1;
        let before = if fleet_first { Some(drawn::fleet(&nats, binary, cores, args.generations).await?) } else { None };
        let standalone = drawn::standalone(binary, cores, args.generations).await?;
        let fleet = match before {
            Some(fleet) => fleet,
            None => drawn::fleet(&nats, binary, cores, args.generations).await?,
        };
        pairs.push(Pair { standalone, fleet });
    }
    let (machine, job_ms) = (Machine::this(), args.job_ms);
    let report = Report { bench: "fleet", machine, job_ms, runs, queue_p50_ms, queue_p99_ms, drawing, pairs };
    report.print();
    if args.json {
        println!("{}", serde_json::to_string(&report)?);
    }
    Ok(())
}

/// Opens a connection with the identity `name`, to a server without users.
async fn client(nats: &Nats, name: &str) -> Result<Client> {
    let settings = Settings { servers: nats.url.parse()?, credentials: None, ca: None, name: name.to_owned() };
    Ok(connect(&settings).await?)
}

/// Returns the milliseconds from publishing a ticket to receiving it, one at a time, with a waiting consumer.
async fn time_queue(nats: &Nats, tickets: usize) -> Result<(f64, f64)> {
    let (near, far) =
        (NatsQueue::new(client(nats, "near").await?, "timed"), NatsQueue::new(client(nats, "far").await?, "timed"));
    while near.prepare().await.is_err() {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let mut took = Vec::with_capacity(tickets);
    for n in 0..tickets {
        let ticket = Ticket { job: uuid::Uuid::from_u128(n as u128), epoch: 1.into(), class: Class::Render2k };
        let waiting = tokio::spawn({
            let far = far.clone();
            async move {
                let delivery = far.next(&Class::ALL).await?;
                let arrived = Instant::now();
                delivery.done().await;
                Ok::<_, ::fleet::queue::QueueError>(arrived)
            }
        });
        // Gives the consumer time to find no ticket and to start waiting.
        tokio::time::sleep(Duration::from_millis(3)).await;
        let sent = Instant::now();
        near.publish(ticket).await?;
        took.push((waiting.await?? - sent).as_secs_f64() * 1_000.0);
    }
    Ok((table::quantile(&took, 0.5), table::quantile(&took, 0.99)))
}

/// Measures the jobs per second of a number of workers, with a coordinator of their own.
async fn simulate(nats: &Nats, args: &Args, workers: usize) -> Result<Run> {
    let folder = tempfile::tempdir()?;
    let store = folder.path().to_str().context("a path of letters")?;
    let settings: Vec<String> =
        ["--queue", &nats.url, "--queue-prefix", PREFIX, "--store", store, "--max-backlog", "1000000000"]
            .map(str::to_owned)
            .to_vec();
    let server = Server::start(args.binary.as_deref(), 0, &settings).await?;
    let wanted = args.job_ms.max(1);
    let ideal = workers as f64 * 1_000.0 / wanted as f64;
    let seconds = args.seconds as f64 + WARM.as_secs_f64() * 2.0;
    let jobs = (ideal.min(JOBS_PER_SECOND * 3.0) * seconds) as usize;
    create(&server, jobs.div_ceil(SLIDES + 1).max(4)).await?;

    let (stop, mut running) = (CancellationToken::new(), JoinSet::new());
    let (done, failed) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
    let waits = Arc::default();
    for first in (0..workers).step_by(A_PROCESS) {
        let slots = A_PROCESS.min(workers - first);
        let connection = client(nats, IDENTITY).await?;
        let info = WorkerInfo {
            name: format!("simulated-{first}"),
            version: env!("CARGO_PKG_VERSION").into(),
            devices: vec!["none".into()],
            cores: 1,
            slots: u32::try_from(slots)?,
        };
        let negotiated = NegotiatedVersion::default();
        let announcer = Announcer::new(connection.clone(), PREFIX, IDENTITY, info, Arc::default(), negotiated.clone());
        running.spawn(announcer.run(stop.clone()));
        let queue = NatsQueue::new(connection.clone(), PREFIX);
        let worker = Simulated {
            queue,
            job_service: RemoteJobService::new(connection, PREFIX, IDENTITY, negotiated, Blobs::memory()),
            caller: Caller::here("simulated"),
            store: folder.path().to_owned(),
            takes: Duration::from_millis(args.job_ms),
            done: Arc::clone(&done),
            failed: Arc::clone(&failed),
            waits: Arc::clone(&waits),
            slots: Slots::new(slots),
        };
        for n in 0..worker.slots.loop_count() {
            let (worker, stop) = (worker.clone(), stop.clone());
            // Jobs of equal length that start at once would also end at once forever; in a real fleet, they start at
            // any time.
            let later = worker.takes.mul_f64((first + n % slots) as f64 / workers as f64);
            let work = async move {
                tokio::time::sleep(later).await;
                worker.work().await;
            };
            running.spawn(async move {
                let _ = stop.run_until_cancelled(work).await;
            });
        }
    }
    tokio::time::sleep(WARM).await;
    let (before, began) = (done.load(Ordering::Relaxed), Instant::now());
    tokio::time::sleep(Duration::from_secs(args.seconds)).await;
    let jobs_per_second = (done.load(Ordering::Relaxed) - before) as f64 / began.elapsed().as_secs_f64();
    stop.cancel();
    while running.join_next().await.is_some() {}
    let failed = failed.load(Ordering::Relaxed);
    let waits = waits.lock();
    let median = |which: usize| {
        let took: Vec<f64> = waits.iter().map(|wait: &[Duration; 4]| wait[which].as_secs_f64() * 1_000.0).collect();
        table::quantile(&took, 0.5)
    };
    let waits_ms = [0, 1, 2, 3].map(median);
    Ok(Run { workers, jobs_per_second, of_linear: jobs_per_second / ideal, failed, waits_ms })
}

/// Creates enough generations to keep the workers busy during the run.
async fn create(server: &Server, generations: usize) -> Result<()> {
    let accounts = server.operate(&["account", "list"]).await?;
    let account = accounts.pointer("/accounts/0/id").and_then(Value::as_str).context("there is no account")?;
    server.operate(&["account", "credit", account, &(generations * SLIDES * 15).to_string()]).await?;
    let (key, address) = (server.key.clone(), server.base.trim_start_matches("http://").to_owned());
    let creation = move |n: usize| {
        let body = json!({
            "inputType": "text", "inputContent": format!("Habit {n} of calm teams. Meet less."), "title": format!("{n}"),
            "outputFormats": ["linkedin_carousel"], "carouselCounts": {"linkedin_carousel": SLIDES},
        });
        post("/api/generations", &key, &body.to_string())
    };
    press(&address, 64, Until::Requests(generations), 202, creation, |_| None::<()>).await?;
    Ok(())
}

/// Stores the objects that a render reports, like a worker.
fn put(store: &Path, outcome: &Outcome) -> Result<()> {
    let Outcome::Rendered(Rendered { object, thumbnail, .. }) = outcome else { return Ok(()) };
    for key in [object, thumbnail] {
        let file = store.join(key);
        std::fs::create_dir_all(file.parent().context("a key has a folder")?)?;
        std::fs::write(file, PICTURE)?;
    }
    Ok(())
}

/// Returns the outcome of a job under a claim with this nonce.
fn outcome(nonce: u128, folder: Option<&str>, job: &Job) -> Outcome {
    match job {
        Job::Plan(plan) => {
            let slides = plan.formats.iter().flat_map(|(format, slides)| {
                (0..slides.unwrap_or(1)).map(move |n| (format.clone(), slides.map(|_| n)))
            });
            let page = |(format, slide)| PlannedPage { format, slide, page: plan.input, alt_text: String::new() };
            Outcome::Planned(Planned {
                document: plan.input,
                title: "Simulated".into(),
                language: "en".into(),
                style: "modern".into(),
                pages: slides.map(page).collect(),
                warnings: Vec::new(),
                photos: Vec::new(),
                tokens: None,
                usage: None,
            })
        }
        Job::Render(render) => {
            let [object, thumbnail] =
                image_keys(folder, render.generation, render.output, render.version, nonce, &render.image_format);
            let (sha256, quality, warnings) = ([0; 32], Quality::default(), Vec::new());
            Outcome::Rendered(Rendered { object, thumbnail, bytes: PICTURE.len() as u64, sha256, quality, warnings })
        }
    }
}

/// A job with a held slot.
struct Held {
    grant: Grant,
    outcome: Outcome,
    delivery: Box<dyn Delivery>,
    /// Waiting times for its ticket and its claim; if the job was prefetched, its slot waited for neither.
    waited: [Duration; 2],
}

/// A loop that holds its slot for a while.
#[derive(Clone)]
struct Simulated {
    queue: NatsQueue,
    job_service: RemoteJobService,
    caller: Caller,
    /// Folder of the object store.
    store: PathBuf,
    takes: Duration,
    done: Arc<AtomicU64>,
    /// Failed requests to queue or job service.
    failed: Arc<AtomicU64>,
    /// Waiting times of the jobs, as in [`Run::waits_ms`].
    waits: Arc<Mutex<Vec<[Duration; 4]>>>,
    slots: Arc<Slots>,
}

impl Simulated {
    async fn work(&self) {
        // Starts the next job while the previous report is in flight, like a worker.
        let mut reports = JoinSet::new();
        loop {
            let held = self.work_one().await;
            let reported = reports.join_next().await.unwrap_or(Ok(Ok(())));
            let next = held.map(|held| held.map(|held| reports.spawn(self.clone().report(held))));
            if next.is_err() || !matches!(reported, Ok(Ok(()))) {
                self.failed.fetch_add(1, Ordering::Relaxed);
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        }
    }

    /// Gets a job and holds a slot. Returns `None` if there is no job to prefetch, or another worker claimed it.
    async fn work_one(&self) -> Result<Option<Held>> {
        // Like a worker, prefetches the next job while the slot is in use.
        let began = Instant::now();
        let Some(Fetched { delivery, mut permits }) = self.slots.fetch(&self.queue).await? else { return Ok(None) };
        let given = Instant::now();
        let answer = self.job_service.claim(delivery.ticket(), &self.caller).await?;
        let ClaimAnswer::Granted(claim, job, Terms { secret, folder }) = answer else {
            delivery.done().await;
            return Ok(None);
        };
        let claimed = Instant::now();
        permits.acquire_slot().await;
        // A thread's sleep is exact; a timer of the runtime may be up to two milliseconds late.
        let (takes, store) = (self.takes, self.store.clone());
        let outcome = outcome(claim.nonce, folder.as_deref(), &job);
        let outcome = tokio::task::spawn_blocking(move || {
            let began = Instant::now();
            put(&store, &outcome)?;
            std::thread::sleep(takes.saturating_sub(began.elapsed()));
            anyhow::Ok(outcome)
        });
        let outcome = outcome.await??;
        drop(permits);
        let grant = Grant { claim, secret };
        Ok(Some(Held { grant, outcome, delivery, waited: [given - began, claimed - given] }))
    }

    async fn report(self, held: Held) -> Result<()> {
        let Held { grant, outcome, delivery, waited: [ticket, claimed] } = held;
        let began = Instant::now();
        let verdict = self.job_service.report(grant, outcome).await?;
        ensure!(verdict == Verdict::Accepted, "a report was refused");
        let reported = Instant::now();
        delivery.done().await;
        let waits = [ticket, claimed, reported - began, reported.elapsed()];
        self.waits.lock().push(waits);
        self.done.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }
}

impl Report {
    fn print(&self) {
        println!("{}", self.machine.describe());
        println!("simulated workers of {} ms a job; queue, coordinator and workers share this machine\n", self.job_ms);
        let held = |holds: bool| if holds { "held" } else { "MISSED" }.to_owned();
        let most = self.runs.iter().map(|run| run.jobs_per_second).fold(0.0, f64::max);
        let rows: Vec<_> = self
            .runs
            .iter()
            .map(|run| {
                let marked = run.workers <= LINEAR_UP_TO;
                let mark = if marked { held(run.of_linear >= LINEAR) } else { String::new() };
                let percent = format!("{:.1} %", run.of_linear * 100.0);
                vec![
                    run.workers.to_string(),
                    format!("{:.0}", run.jobs_per_second),
                    percent,
                    run.failed.to_string(),
                    mark,
                    run.waits_ms.map(|ms| format!("{ms:.1}")).join(" / "),
                ]
            })
            .collect();
        table::print(&["workers", "jobs/s", "of linear", "failed", "mark", "ticket / claim / report / ack ms"], &rows);
        println!("\nthe most: {most:.0} jobs/s, {}", held(most >= JOBS_PER_SECOND));
        let (p50, p99) = (self.queue_p50_ms, self.queue_p99_ms);
        let mark = held(p50 <= QUEUE_P50_MS && p99 <= QUEUE_P99_MS);
        println!("the queue adds {p50:.2} ms (p50), {p99:.2} ms (p99), {mark}\n");
        let row = |what: &str, drawn: &Drawn| {
            let (images, generations) = (drawn.images_per_second, drawn.generations_per_second);
            vec![what.to_owned(), drawn.workers.to_string(), format!("{images:.1}"), format!("{generations:.2}")]
        };
        let mut rows: Vec<_> = self.drawing.iter().map(|drawn| row("fleet", drawn)).collect();
        rows.extend(
            self.pairs.iter().flat_map(|p| [row("standalone", &p.standalone), row("fleet beside it", &p.fleet)]),
        );
        table::print(&["", "loops", "images/s", "generations/s"], &rows);
        let costs: Vec<f64> = self.pairs.iter().map(Pair::cost).collect();
        let [least, cost, most] = [0.0, 0.5, 1.0].map(|q| table::quantile(&costs, q) * 100.0);
        let mark = held(cost <= COST * 100.0);
        println!("\na fleet on one machine costs {cost:.1} % (median; {least:.1} to {most:.1}), {mark}");
    }
}
