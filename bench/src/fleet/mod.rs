//! What coordinator and queue can do: workers that hold a slot for a set time instead of drawing, so that only what lies
//! between them is measured. Coordinator, queue, generator and the simulated workers share this machine.

mod drawn;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use ::fleet::blobs::Blobs;
use ::fleet::desk::Desk;
use ::fleet::desk::nats::RemoteDesk;
use ::fleet::nats::{Client, Settings, connect};
use ::fleet::presence::{Announcer, Introduction};
use ::fleet::protocol::{
    Caller, ClaimAnswer, Class, Grant, Job, Outcome, Planned, PlannedPage, Rendered, Terms, Ticket, Tongue, Verdict,
    image_keys,
};
use ::fleet::queue::nats::NatsQueue;
use ::fleet::queue::{Delivery, Queue};
use anyhow::{Context as _, Result, ensure};
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

/// Slides of a generation: a plan and so many drawings are its jobs.
const SLIDES: usize = 20;
/// What the deployment calls itself on the queue.
const PREFIX: &str = "vivid";
/// What the simulated workers are to the queue.
const IDENTITY: &str = "worker";
/// What every simulated drawing and its thumbnail hold.
const PICTURE: [u8; 100] = [7; 100];
/// Simulated workers that share a connection, as the loops of one process do.
const A_PROCESS: usize = 8;
/// Time until the fleet is under way.
const WARM: Duration = Duration::from_secs(2);
/// What is to be reached: of linear at so many workers, jobs a second, milliseconds of the queue.
const LINEAR: f64 = 0.95;
const LINEAR_UP_TO: usize = 128;
const JOBS_PER_SECOND: f64 = 3_500.0;
const QUEUE_P50_MS: f64 = 3.0;
const QUEUE_P99_MS: f64 = 15.0;
/// What a fleet on one machine may lose against the standalone service.
const COST: f64 = 0.10;

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Simulated workers, one run each.
    #[arg(long, value_delimiter = ',', default_value = "1,8,32,128,512,1000")]
    workers: Vec<usize>,
    /// Milliseconds that a job takes.
    #[arg(long, default_value_t = 50)]
    job_ms: u64,
    /// Seconds that each run is timed for.
    #[arg(long, default_value_t = 10)]
    seconds: u64,
    /// Processes that really draw, one run each.
    #[arg(long, value_delimiter = ',', default_value = "1,2,4")]
    drawing: Vec<usize>,
    /// Generations of five slides that each of these runs draws.
    #[arg(long, default_value_t = 60)]
    generations: usize,
    /// Times that the standalone service and a fleet beside it draw as many: what a fleet costs is the median.
    #[arg(long, default_value_t = 7, value_parser = clap::value_parser!(u32).range(1..))]
    pairs: u32,
    /// Tickets that are timed from one end of the queue to the other.
    #[arg(long, default_value_t = 2_000)]
    tickets: usize,
    /// The coordinator's binary; else it is built and started.
    #[arg(long)]
    binary: Option<PathBuf>,
    /// Ends with one line of JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Run {
    workers: usize,
    jobs_per_second: f64,
    /// Of what so many workers could do if nothing lay between.
    of_linear: f64,
    /// Questions to queue or desk that came to nothing.
    failed: u64,
    /// Milliseconds (median) that a hand of a worker waits for its turn and a ticket, the answer to its claim, that to its report, and the
    /// server's word that the ticket is off the queue.
    waits_ms: [f64; 4],
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Report {
    bench: &'static str,
    machine: Machine,
    job_ms: u64,
    runs: Vec<Run>,
    /// From publishing a ticket to having it, with somebody waiting.
    queue_p50_ms: f64,
    queue_p99_ms: f64,
    /// Fleets of workers that draw.
    drawing: Vec<Drawn>,
    pairs: Vec<Pair>,
}

/// One beside the other, so that a machine that grows slower meanwhile is the same for both.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Pair {
    /// The standalone service with a loop a core.
    standalone: Drawn,
    /// A fleet of as many workers.
    fleet: Drawn,
}

impl Pair {
    /// What the fleet loses, of what the standalone service draws.
    fn cost(&self) -> f64 {
        1.0 - self.fleet.images_per_second / self.standalone.images_per_second
    }
}

/// Measures and prints.
///
/// # Errors
/// A server that doesn't start or answers what it must not.
pub fn run(args: &Args) -> Result<()> {
    let most = args.workers.iter().max().copied().unwrap_or(0);
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        // One for every job that is held, and some for everything else.
        .max_blocking_threads(most + 64)
        .enable_all()
        .build()?
        .block_on(measure(args))
}

async fn measure(args: &Args) -> Result<()> {
    let nats = Nats::start().context("there is no nats-server; name one in NATS_SERVER")?;
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

/// A connection, whose identity is `name`: there are no users.
async fn client(nats: &Nats, name: &str) -> Result<Client> {
    let settings = Settings { servers: nats.url.parse()?, credentials: None, ca: None, name: name.to_owned() };
    Ok(connect(&settings).await?)
}

/// Milliseconds from publishing a ticket to having it, one after the other, with somebody waiting.
async fn time_queue(nats: &Nats, tickets: usize) -> Result<(f64, f64)> {
    let (near, far) =
        (NatsQueue::new(client(nats, "near").await?, "timed"), NatsQueue::new(client(nats, "far").await?, "timed"));
    while near.prepare().await.is_err() {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let mut took = Vec::with_capacity(tickets);
    for n in 0..tickets {
        let ticket = Ticket { job: uuid::Uuid::from_u128(n as u128), epoch: 1, class: Class::Render2k };
        let waiting = tokio::spawn({
            let far = far.clone();
            async move {
                let delivery = far.next(&Class::ALL).await?;
                let arrived = Instant::now();
                delivery.done().await;
                Ok::<_, ::fleet::queue::QueueError>(arrived)
            }
        });
        // Until it has found nothing and waits.
        tokio::time::sleep(Duration::from_millis(3)).await;
        let sent = Instant::now();
        near.publish(ticket).await?;
        took.push((waiting.await?? - sent).as_secs_f64() * 1_000.0);
    }
    Ok((table::quantile(&took, 0.5), table::quantile(&took, 0.99)))
}

/// Jobs a second of so many workers, with a coordinator of their own.
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
        let introduction = Introduction {
            name: format!("simulated-{first}"),
            version: env!("CARGO_PKG_VERSION").into(),
            devices: vec!["none".into()],
            cores: 1,
            slots: u32::try_from(slots)?,
        };
        let tongue = Tongue::default();
        let announcer =
            Announcer::new(connection.clone(), PREFIX, IDENTITY, introduction, Arc::default(), tongue.clone());
        running.spawn(announcer.run(stop.clone()));
        let queue = NatsQueue::new(connection.clone(), PREFIX);
        let worker = Simulated {
            queue,
            desk: RemoteDesk::new(connection, PREFIX, IDENTITY, tongue, Blobs::memory()),
            caller: Caller::here("simulated"),
            store: folder.path().to_owned(),
            takes: Duration::from_millis(args.job_ms),
            done: Arc::clone(&done),
            failed: Arc::clone(&failed),
            waits: Arc::clone(&waits),
            slots: Slots::new(slots),
        };
        for hand in 0..worker.slots.hands() {
            let (worker, stop) = (worker.clone(), stop.clone());
            // Jobs of one length that begin at once would end at once for ever; a fleet's begin at any time.
            let later = worker.takes.mul_f64((first + hand % slots) as f64 / workers as f64);
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
    let waits = waits.lock().unwrap_or_else(PoisonError::into_inner);
    let median = |which: usize| {
        let took: Vec<f64> = waits.iter().map(|wait: &[Duration; 4]| wait[which].as_secs_f64() * 1_000.0).collect();
        table::quantile(&took, 0.5)
    };
    let waits_ms = [0, 1, 2, 3].map(median);
    Ok(Run { workers, jobs_per_second, of_linear: jobs_per_second / ideal, failed, waits_ms })
}

/// Accepts as many generations as are worked on meanwhile.
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

/// Stores what a drawing names, as a worker does.
fn put(store: &Path, outcome: &Outcome) -> Result<()> {
    let Outcome::Rendered(Rendered { object, thumbnail, .. }) = outcome else { return Ok(()) };
    for key in [object, thumbnail] {
        let file = store.join(key);
        std::fs::create_dir_all(file.parent().context("a key has a folder")?)?;
        std::fs::write(file, PICTURE)?;
    }
    Ok(())
}

/// What a job comes to under a claim with this nonce.
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

/// A job for which a slot was held.
struct Held {
    grant: Grant,
    outcome: Outcome,
    delivery: Box<dyn Delivery>,
    /// For its ticket and for its claim; its slot, where it was fetched ahead, waited for neither.
    waited: [Duration; 2],
}

/// A loop that holds its slot for a while.
#[derive(Clone)]
struct Simulated {
    queue: NatsQueue,
    desk: RemoteDesk,
    caller: Caller,
    /// The folder of the object store.
    store: PathBuf,
    takes: Duration,
    done: Arc<AtomicU64>,
    /// Questions to queue or desk that came to nothing.
    failed: Arc<AtomicU64>,
    /// How long each job waited, as [`Run::waits_ms`] says.
    waits: Arc<Mutex<Vec<[Duration; 4]>>>,
    slots: Arc<Slots>,
}

impl Simulated {
    async fn work(&self) {
        // The next job is begun beside the report of the one before, as workers do.
        let mut reports = JoinSet::new();
        loop {
            let held = self.hold().await;
            let reported = reports.join_next().await.unwrap_or(Ok(Ok(())));
            let next = held.map(|held| held.map(|held| reports.spawn(self.clone().report(held))));
            if next.is_err() || !matches!(reported, Ok(Ok(()))) {
                self.failed.fetch_add(1, Ordering::Relaxed);
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        }
    }

    /// Holds a slot for a job. `None` where there is none to be had ahead, or it is somebody else's.
    async fn hold(&self) -> Result<Option<Held>> {
        // As workers have it: the next job is fetched while the slot is somebody's.
        let began = Instant::now();
        let Some(Fetched { delivery, mut hold }) = self.slots.fetch(&self.queue).await? else { return Ok(None) };
        let given = Instant::now();
        let answer = self.desk.claim(delivery.ticket(), &self.caller).await?;
        let ClaimAnswer::Granted(claim, job, Terms { secret, folder }) = answer else {
            delivery.done().await;
            return Ok(None);
        };
        let claimed = Instant::now();
        hold.begin().await;
        // A thread's sleep is exact; a timer of the runtime's ends up to two milliseconds late.
        let (takes, store) = (self.takes, self.store.clone());
        let outcome = outcome(claim.nonce, folder.as_deref(), &job);
        let outcome = tokio::task::spawn_blocking(move || {
            let began = Instant::now();
            put(&store, &outcome)?;
            std::thread::sleep(takes.saturating_sub(began.elapsed()));
            anyhow::Ok(outcome)
        });
        let outcome = outcome.await??;
        drop(hold);
        let grant = Grant { claim, secret };
        Ok(Some(Held { grant, outcome, delivery, waited: [given - began, claimed - given] }))
    }

    async fn report(self, held: Held) -> Result<()> {
        let Held { grant, outcome, delivery, waited: [ticket, claimed] } = held;
        let began = Instant::now();
        let verdict = self.desk.report(grant, outcome).await?;
        ensure!(verdict == Verdict::Accepted, "a report was refused");
        let reported = Instant::now();
        delivery.done().await;
        let waits = [ticket, claimed, reported - began, reported.elapsed()];
        self.waits.lock().unwrap_or_else(PoisonError::into_inner).push(waits);
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
