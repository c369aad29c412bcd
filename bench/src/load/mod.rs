//! Loads the API itself: creations without workers, a kill and a restart on the resulting state, reads, lists with
//! every filter, and idle connections. Reads from a bare axum handler in the same run, with the same load generator.

pub mod bare;
pub mod wire;

use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use serde::Serialize;
use serde_json::{Value, json};

use crate::machine::{self, Machine};
use crate::server::Server;
use crate::table;
use bare::Bare;
use wire::{Load, Until, Wire, get, post, press};

/// The filters of the list.
const FILTERS: [(&str, &str); 12] = [
    ("no filter", ""),
    ("limit 100", "limit=100"),
    ("status, many", "status=cancelled"),
    ("status, few", "status=pending"),
    ("status, none", "status=failed"),
    ("inputType, half", "inputType=idea"),
    ("inputType, none", "inputType=pdf"),
    ("brandId", "brandId=BRAND"),
    ("createdAfter", "createdAfter=MIDDLE"),
    ("createdBefore", "createdBefore=MIDDLE"),
    ("q, few", "q=number+99"),
    ("q, none", "q=nowhere+to+be+found"),
];
/// Every n-th generation stays as it is, while all others are cancelled; every n-th is made with the brand kit.
const OPEN_EVERY: usize = 500;
const BRANDED_EVERY: usize = 100;
/// Timed pages of the list, one at a time.
const PAGES: usize = 300;
/// Timeout for opening the idle connections.
const IDLE_OPENING: Duration = Duration::from_secs(60);

/// The targets, for two cores including the load generator.
const READS_PER_SECOND: f64 = 8_000.0;
const READ_P99_MS: f64 = 20.0;
const CREATIONS_PER_SECOND: f64 = 1_000.0;
const START_S: f64 = 2.0;
const ALONE_P99_MS: f64 = 5.0;
const PAGE_P99_MS: f64 = 10.0;
const IDLE_MIB: f64 = 1_024.0;

#[derive(Debug, clap::Args)]
#[group(id = "load-settings")]
pub struct Args {
    /// With --load: number of generations to create; they stay unprocessed during the other measurements.
    #[arg(long, default_value_t = 100_000)]
    generations: usize,
    /// With --load: concurrent creations.
    #[arg(long, default_value_t = 128)]
    creators: usize,
    /// With --load: concurrent reads.
    #[arg(long, default_value_t = 32)]
    readers: usize,
    /// With --load: seconds for which reads are timed.
    #[arg(long, default_value_t = 10)]
    seconds: u64,
    /// With --load: number of idle connections.
    #[arg(long, default_value_t = 10_000)]
    idle: usize,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Report {
    bench: &'static str,
    machine: Machine,
    generations: usize,
    /// POST of a creation, which is durable before the response.
    creations: Load,
    /// POST of a cancellation, likewise.
    cancellations: Load,
    /// From the start of the process after a kill to its first response.
    start_s: f64,
    /// GET by id, concurrently.
    reads: Load,
    /// The same with the bare server.
    bare: Load,
    /// Reads per second divided by those of the bare server.
    read_ratio: f64,
    /// GET by id, one at a time.
    alone: Load,
    /// Pages of the list, one at a time, by filter.
    pages: Vec<(&'static str, Load)>,
    idle: Option<Idle>,
}

/// Idle connections, after one request each.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Idle {
    connections: usize,
    /// Resident memory of the server before they were opened, and while they are open.
    before_mib: f64,
    with_mib: f64,
}

/// Runs all measurements and prints the report.
///
/// # Errors
/// Fails if a server doesn't start or responds unexpectedly.
pub async fn measure(args: &Args, binary: Option<&Path>, more: &[String], as_json: bool) -> Result<()> {
    raise_descriptors();
    let room = (args.idle + 1_000).to_string();
    let mut settings: Vec<String> =
        ["--max-backlog", "1000000000", "--max-connections", &room, "--max-connections-per-address", &room]
            .map(str::to_owned)
            .to_vec();
    settings.extend_from_slice(more);
    // Without workers nothing is dispatched, so accepted generations stay accepted.
    let mut server = Server::start(binary, 0, &settings).await?;
    let brand = prepare(&server, args.generations).await?;

    let (creations, ids) = create(&server, args, &brand).await?;
    let middle = middle(&server, &ids).await?;
    let cancellations = cancel(&server, args, &ids).await?;
    let start_s = server.restart().await?.as_secs_f64();

    let reads = read(&server, &ids, args.readers, Until::Time(Duration::from_secs(args.seconds))).await?;
    let bare = read_bare(&server, &ids, args).await?;
    let alone = read(&server, &ids, 1, Until::Requests(2_000)).await?;
    let pages = list(&server, &brand, &middle).await?;
    let idle = idle(&server, args.idle).await?;

    let read_ratio = reads.per_second / bare.per_second;
    let generations = args.generations;
    let machine = Machine::this();
    let report = Report {
        bench: "load",
        machine,
        generations,
        creations,
        cancellations,
        start_s,
        reads,
        bare,
        read_ratio,
        alone,
        pages,
        idle,
    };
    report.print();
    if as_json {
        println!("{}", serde_json::to_string(&report)?);
    }
    Ok(())
}

/// Gives the account enough credits and a brand kit. Returns the id of the brand kit.
async fn prepare(server: &Server, generations: usize) -> Result<String> {
    let accounts = server.operate(&["account", "list"]).await?;
    let account = accounts.pointer("/accounts/0/id").and_then(Value::as_str).context("there is no account")?;
    server.operate(&["account", "credit", account, &(generations * 10).to_string()]).await?;
    let mut wire = Wire::open(address(server)).await?;
    let kit = post("/api/brands", &server.key, r##"{"name": "Bench", "colors": {"primary": "#0a5f38"}}"##);
    let made: Value = serde_json::from_slice(&wire.ask(&kit).await?.body)?;
    Ok(made.pointer("/brand/id").and_then(Value::as_str).context("no brand kit was made")?.to_owned())
}

fn address(server: &Server) -> &str {
    server.base.trim_start_matches("http://")
}

/// Returns the id of the resource in a response: the first id in it.
fn id_in(body: &[u8]) -> Option<String> {
    const BEFORE: &[u8] = br#""id":""#;
    let at = body.windows(BEFORE.len()).position(|w| w == BEFORE)? + BEFORE.len();
    Some(std::str::from_utf8(body.get(at..at + 36)?).ok()?.to_owned())
}

async fn create(server: &Server, args: &Args, brand: &str) -> Result<(Load, Vec<String>)> {
    let (key, brand) = (server.key.clone(), brand.to_owned());
    let creation = move |n: usize| {
        let kind = if n.is_multiple_of(2) { "text" } else { "idea" };
        let mut body = json!({
            "inputType": kind, "outputFormats": ["instagram_post"], "title": format!("Number {n}"),
            "inputContent": format!("Habit {n} of calm teams.\n\nWrite decisions down. Meet less. Ship small. Rest well."),
        });
        if n.is_multiple_of(BRANDED_EVERY) {
            body["brandId"] = json!(brand);
        }
        post("/api/generations", &key, &body.to_string())
    };
    let all = Until::Requests(args.generations);
    let (load, ids) = press(address(server), args.creators, all, 202, creation, id_in).await?;
    ensure!(ids.len() == args.generations, "an answer without an id");
    Ok((load, ids))
}

/// Returns the creation time of the generation in the middle.
async fn middle(server: &Server, ids: &[String]) -> Result<String> {
    let mut wire = Wire::open(address(server)).await?;
    let read = wire.ask(&get(&format!("/api/generations/{}", ids[ids.len() / 2]), &server.key)).await?;
    let read: Value = serde_json::from_slice(&read.body)?;
    Ok(read.pointer("/generation/createdAt").and_then(Value::as_str).context("no createdAt")?.to_owned())
}

/// Cancels nearly all generations, because in practice most stored generations have ended.
async fn cancel(server: &Server, args: &Args, ids: &[String]) -> Result<Load> {
    let ended = ids.iter().enumerate().filter(|(n, _)| !n.is_multiple_of(OPEN_EVERY)).map(|(_, id)| id.clone());
    let (key, ended) = (server.key.clone(), ended.collect::<Vec<_>>());
    let all = Until::Requests(ended.len());
    let ask = move |n: usize| post(&format!("/api/generations/{}/cancel", ended[n]), &key, "");
    Ok(press(address(server), args.creators, all, 200, ask, |_| None::<()>).await?.0)
}

/// GET by id, over all generations in random order.
async fn read(server: &Server, ids: &[String], connections: usize, until: Until) -> Result<Load> {
    let (key, ids) = (server.key.clone(), ids.to_vec());
    let ask = move |n: usize| {
        // Generations that are close in time may also be close on the disk.
        let id = &ids[n.wrapping_mul(7_919) % ids.len()];
        get(&format!("/api/generations/{id}"), &key)
    };
    Ok(press(address(server), connections, until, 200, ask, |_| None::<()>).await?.0)
}

async fn read_bare(server: &Server, ids: &[String], args: &Args) -> Result<Load> {
    let mut wire = Wire::open(address(server)).await?;
    let same = wire.ask(&get(&format!("/api/generations/{}", ids[0]), &server.key)).await?;
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("answer.json");
    std::fs::write(&file, &same.body)?;
    let bare = Bare::start(&file).await?;
    let (key, path) = (server.key.clone(), format!("/api/generations/{}", ids[0]));
    let until = Until::Time(Duration::from_secs(args.seconds));
    Ok(press(&bare.address, args.readers, until, 200, move |_| get(&path, &key), |_| None::<()>).await?.0)
}

async fn list(server: &Server, brand: &str, middle: &str) -> Result<Vec<(&'static str, Load)>> {
    let mut pages = Vec::new();
    for (name, query) in FILTERS {
        let query = query.replace("BRAND", brand).replace("MIDDLE", middle);
        let request = get(&format!("/api/generations?{query}"), &server.key);
        let ask = move |_| request.clone();
        pages.push((name, press(address(server), 1, Until::Requests(PAGES), 200, ask, |_| None::<()>).await?.0));
    }
    Ok(pages)
}

/// Opens connections, makes one request over each and keeps them open.
async fn idle(server: &Server, connections: usize) -> Result<Option<Idle>> {
    let Some(before) = machine::memory(server.pid()) else { return Ok(None) };
    let open = async {
        let (mut open, ask) = (Vec::with_capacity(connections), get("/api/credits/balance", &server.key));
        for _ in 0..connections {
            let mut wire = Wire::open(address(server)).await?;
            let status = wire.ask(&ask).await?.status;
            ensure!(status == 200, "a connection got status {status}");
            open.push(wire);
        }
        Ok(open)
    };
    let open = tokio::time::timeout(IDLE_OPENING, open).await.context("connections open too slowly to be idle")??;
    let with = machine::memory(server.pid()).context("the server has ended")?;
    // The connections are still open: each one answers another request.
    let mut last = open.into_iter().next_back().context("no connection was asked for")?;
    ensure!(last.ask(&get("/healthz", "")).await?.status == 200, "an idle connection was closed");
    Ok(Some(Idle { connections, before_mib: before.resident_mib, with_mib: with.resident_mib }))
}

/// Raises the limit of file descriptors as far as the system allows.
fn raise_descriptors() {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
        // If the limit can't be raised, opening the connections fails with an error.
        let _ = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum });
    }
}

impl Report {
    fn print(&self) {
        println!("{}", self.machine.describe());
        println!("{} generations; the generator has the same cores as the server\n", self.generations);
        let row = |name: &str, load: &Load, mark: Option<bool>| {
            let mut cells = vec![name.to_owned(), load.connections.to_string(), format!("{:.0}", load.per_second)];
            cells.extend([load.p50_ms, load.p99_ms, load.max_ms].map(|ms| format!("{ms:.2}")));
            cells.push(mark.map_or("", |held| if held { "held" } else { "MISSED" }).to_owned());
            cells
        };
        let reads_hold = self.reads.per_second >= READS_PER_SECOND && self.reads.p99_ms <= READ_P99_MS;
        let mut rows = vec![
            row("creations", &self.creations, Some(self.creations.per_second >= CREATIONS_PER_SECOND)),
            row("cancellations", &self.cancellations, None),
            row("GET by id", &self.reads, Some(reads_hold)),
            row("the same of a bare handler", &self.bare, None),
            row("GET by id, one at a time", &self.alone, Some(self.alone.p99_ms <= ALONE_P99_MS)),
        ];
        let pages = self.pages.iter();
        rows.extend(pages.map(|(name, load)| row(&format!("list: {name}"), load, Some(load.p99_ms <= PAGE_P99_MS))));
        table::print(&["", "at once", "/s", "p50 ms", "p99 ms", "max ms", "mark"], &rows);
        println!("\nGET by id reaches {:.2} of the bare handler", self.read_ratio);
        let held = |holds: bool| if holds { "held" } else { "MISSED" };
        println!("start after a kill: {:.2} s, {}", self.start_s, held(self.start_s <= START_S));
        if let Some(Idle { connections, before_mib, with_mib }) = self.idle {
            let mark = held(with_mib <= IDLE_MIB);
            println!(
                "{connections} idle connections: {before_mib:.0} MiB before them, {with_mib:.0} MiB with them, {mark}"
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_id_of_an_answer_is_its_resources() {
        let id = "0198c0de-0000-7000-8000-000000000000";
        let body = format!(r#"{{"generation":{{"id":"{id}","outputs":[{{"id":"x"}}]}}}}"#);
        assert_eq!(id_in(body.as_bytes()).as_deref(), Some(id));
        assert_eq!(id_in(br#"{"id":"short"}"#), None);
        assert_eq!(id_in(b"{}"), None);
    }
}
