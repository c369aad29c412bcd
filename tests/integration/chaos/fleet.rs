//! A coordinator and workers in separate processes, with a queue and an object store that tests can break one by one.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use serde_json::Value;
use tempfile::TempDir;
use tokio::task::JoinHandle;

use super::small;
use crate::e2e::UNHURRIED;
use crate::nats::Server;
use crate::service::{Client, Service, Worker, id, operate};
use crate::storage::BUCKET;

/// Timeout for conditions that must become true.
const PATIENCE: Duration = Duration::from_secs(60);
/// Time limit for a process to end after it is told to.
pub const STOP: Duration = Duration::from_secs(30);
/// Time limit for a coordinator to become ready after any kill.
pub const READY: Duration = Duration::from_secs(5);

/// A coordinator on a queue, and the store that it shares with its workers.
pub struct Fleet {
    /// The coordinator's data folder.
    pub data: TempDir,
    /// The queue's server.
    pub queue: Server,
    coordinator: Option<Service>,
    /// A client of the running coordinator.
    door: Arc<Mutex<Client>>,
    key: String,
    settings: Vec<String>,
    environment: Vec<(&'static str, String)>,
    /// The slowest start other than the first.
    pub slowest_start: Duration,
}

impl Fleet {
    /// Starts a fleet with a separate queue and a folder as store. `None` without a queue server.
    pub fn start() -> Option<Self> {
        let queue = queue()?;
        let url = queue.url.clone();
        Some(Self::on(queue, &url, None))
    }

    /// Starts a fleet on this queue, which it reaches at `url`. It uses a bucket of the store at `bucket`, or a folder.
    pub fn on(queue: Server, url: &str, bucket: Option<&str>) -> Self {
        let data = tempfile::tempdir().unwrap();
        let place = match bucket {
            Some(_) => format!("s3://{BUCKET}/vivid"),
            None => data.path().join("store").display().to_string(),
        };
        let settings = ["--queue", url, "--store", &place].map(str::to_owned).to_vec();
        let environment = bucket.map(|url| {
            let set = |name, value: &str| (name, value.to_owned());
            vec![
                set("AWS_ENDPOINT_URL", url),
                set("AWS_ACCESS_KEY_ID", "test"),
                set("AWS_SECRET_ACCESS_KEY", "test"),
                set("AWS_REGION", "us-east-1"),
            ]
        });
        let environment = environment.unwrap_or_default();
        let coordinator = coordinator(data.path(), &settings, &environment);
        let key = coordinator.key.clone().expect("the first start prints a key");
        let door = Arc::new(Mutex::new(coordinator.client()));
        let slowest_start = Duration::ZERO;
        Self { data, queue, coordinator: Some(coordinator), door, key, settings, environment, slowest_start }
    }

    /// Returns a client of the running coordinator.
    pub fn client(&self) -> Client {
        self.door.lock().clone()
    }

    /// Returns the shared client, for callers that continue with the next coordinator after a restart.
    pub fn door(&self) -> Arc<Mutex<Client>> {
        Arc::clone(&self.door)
    }

    /// Kills the coordinator, as a power cut would, and starts another.
    pub fn kill(&mut self) {
        self.coordinator.take().expect("there is one").kill();
        self.begin();
    }

    /// Stops the coordinator and starts another. Returns how long the stop took.
    pub fn restart(&mut self) -> Duration {
        let told = Instant::now();
        let ended = self.coordinator.take().expect("there is one").stop();
        let took = told.elapsed();
        assert!(ended.success() && took < STOP, "{ended} after {took:?}");
        self.begin();
        took
    }

    fn begin(&mut self) {
        let service = coordinator(self.data.path(), &self.settings, &self.environment);
        self.slowest_start = self.slowest_start.max(service.ready_after);
        assert!(service.ready_after < READY, "ready after {:?}", service.ready_after);
        *self.door.lock() = Client::new(&service.base, &self.key);
        self.coordinator = Some(service);
    }

    /// Starts a worker with this many slots.
    pub fn worker(&self, slots: &str) -> Worker {
        self.worker_with(&[], &["--workers", slots])
    }

    /// Starts a worker with this name.
    pub fn named(&self, name: &str, slots: &str) -> Worker {
        self.worker_with(&[], &["--workers", slots, "--name", name])
    }

    /// Starts a worker with one slot that dies at a failpoint.
    pub fn doomed(&self, name: &str, failpoint: &str) -> Worker {
        self.doomed_with(name, failpoint, "1")
    }

    /// The same with this many slots.
    pub fn doomed_with(&self, name: &str, failpoint: &str, slots: &str) -> Worker {
        self.worker_with(&[("VIVID_FAILPOINT", failpoint)], &["--workers", slots, "--name", name])
    }

    /// Starts a worker with these environment variables and settings.
    pub fn worker_with(&self, environment: &[(&str, &str)], more: &[&str]) -> Worker {
        self.worker_at(&self.settings[1], environment, more)
    }

    /// Starts a worker that reaches the queue at another URL.
    pub fn worker_at(&self, queue: &str, environment: &[(&str, &str)], more: &[&str]) -> Worker {
        // The log is off: these tests cause the errors on purpose.
        let quiet = [("VIVID_LOG", "off")];
        let mine = self.environment.iter().map(|(name, value)| (*name, value.as_str()));
        let environment: Vec<_> = quiet.into_iter().chain(mine).chain(environment.iter().copied()).collect();
        let settings = ["--queue", queue, "--store", &self.settings[3]];
        Worker::start(&environment, &[&settings[..], more].concat())
    }

    /// Runs an operator command and returns its output.
    pub fn asked(&self, words: &[&str]) -> Value {
        let said = operate(self.data.path(), words);
        assert!(said.status.success(), "{words:?}: {}", String::from_utf8_lossy(&said.stderr));
        serde_json::from_slice(&said.stdout).unwrap()
    }

    /// Waits until the operator's view of the fleet meets the condition.
    pub async fn until(&self, what: &str, holds: impl Fn(&Value) -> bool) {
        let until = Instant::now() + PATIENCE;
        loop {
            let shown = self.asked(&["fleet"]);
            if holds(&shown) {
                return;
            }
            assert!(Instant::now() < until, "{what}: {shown:#}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
}

/// Starts a queue server, or reports that there is none.
pub fn queue() -> Option<Server> {
    or_passed_over("NATS server", Server::start())
}

/// Returns what a test needs, or reports that the test is skipped without it.
#[expect(clippy::print_stderr, reason = "a skipped test says so")]
pub fn or_passed_over<T>(what: &str, found: Option<T>) -> Option<T> {
    if found.is_none() {
        let thread = std::thread::current();
        eprintln!("chaos: {} is passed over: there is no {what}", thread.name().unwrap_or("a test"));
    }
    found
}

fn coordinator(data: &std::path::Path, settings: &[String], environment: &[(&'static str, String)]) -> Service {
    let environment: Vec<_> = environment.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let settings: Vec<_> = settings.iter().map(String::as_str).chain(UNHURRIED).collect();
    Service::start_in(&environment, data, &settings)
}

/// Returns how many jobs of a class are queued, as the operator sees it.
pub fn waiting(shown: &Value, class: &str) -> u64 {
    let classes = shown["queue"].as_array().into_iter().flatten();
    classes.filter(|c| c["class"] == class).filter_map(|c| c["waiting"].as_u64()).sum()
}

/// Stops a worker and asserts that it ends in time. Returns how long it took.
pub fn stop(worker: Worker) -> Duration {
    let told = Instant::now();
    let ended = worker.stop();
    let took = told.elapsed();
    assert!(ended.success() && took < STOP, "{ended} after {took:?}");
    took
}

/// A client that creates small generations continuously, whatever happens to the service.
pub struct Load {
    stop: Arc<AtomicBool>,
    posts: JoinHandle<Vec<String>>,
}

impl Load {
    /// Starts creating one generation per `every`, up to `many`.
    pub fn begin(fleet: &Fleet, every: Duration, many: u64) -> Self {
        let (door, stop) = (fleet.door(), Arc::new(AtomicBool::new(false)));
        let stopped = Arc::clone(&stop);
        let posts = tokio::spawn(async move {
            let mut accepted = Vec::new();
            for n in 0..many {
                if stopped.load(Ordering::Relaxed) {
                    break;
                }
                accepted.push(post(&door, n).await);
                tokio::time::sleep(every).await;
            }
            accepted
        });
        Self { stop, posts }
    }

    /// Stops. Returns the accepted generations.
    pub async fn end(self) -> Vec<String> {
        self.stop.store(true, Ordering::Relaxed);
        self.posts.await.unwrap()
    }

    /// Whether it has created all of its generations.
    pub fn has_ended(&self) -> bool {
        self.posts.is_finished()
    }
}

/// Creates a generation under an idempotency key, and retries until there is a response.
async fn post(door: &Mutex<Client>, n: u64) -> String {
    let until = Instant::now() + PATIENCE;
    loop {
        assert!(Instant::now() < until, "nobody answers");
        let client = door.lock().clone();
        let key = format!("load-{n}");
        let asked = client.request("POST", "/api/generations").header("Idempotency-Key", key).json(&small(n));
        match client.send(asked).await {
            Ok(answer) if answer.status == 202 => return id(&answer.json()["generation"]).to_owned(),
            // The service is shutting down, or the object store is unreachable.
            Ok(answer) if answer.status == 503 => {}
            Ok(answer) => panic!("{}: {}", answer.status, String::from_utf8_lossy(&answer.body)),
            // The service is gone; the next one listens at another address.
            Err(_) => {}
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}
