//! Coordinator and workers in processes of their own, with a queue and an object store between them, to be broken one by
//! one.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;
use tokio::task::JoinHandle;

use super::small;
use crate::e2e::UNHURRIED;
use crate::nats::Server;
use crate::service::{Client, Service, Worker, id, operate};
use crate::storage::BUCKET;

/// How long somebody who is bound to come may take.
const PATIENCE: Duration = Duration::from_secs(60);
/// The time in which a process that is told to end does so.
pub const STOP: Duration = Duration::from_secs(30);
/// The time in which a coordinator is ready, whatever it was killed at.
pub const READY: Duration = Duration::from_secs(5);

/// A coordinator on a queue, and a store that its workers share.
pub struct Fleet {
    /// The coordinator's folder.
    pub data: TempDir,
    /// The server of the queue.
    pub queue: Server,
    coordinator: Option<Service>,
    /// A client of the coordinator that runs now.
    door: Arc<Mutex<Client>>,
    key: String,
    settings: Vec<String>,
    environment: Vec<(&'static str, String)>,
    /// How long the slowest start took after the first.
    pub slowest_start: Duration,
}

impl Fleet {
    /// A fleet on a queue of its own and a folder, where there is a queue to be started.
    pub fn start() -> Option<Self> {
        let queue = queue()?;
        let url = queue.url.clone();
        Some(Self::on(queue, &url, None))
    }

    /// A fleet on this queue, which it finds at `url`, and a bucket of the store there, else a folder.
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

    /// A client of the coordinator that runs now.
    pub fn client(&self) -> Client {
        self.door.lock().unwrap().clone()
    }

    /// The same for whoever goes on through the next one.
    pub fn door(&self) -> Arc<Mutex<Client>> {
        Arc::clone(&self.door)
    }

    /// Ends the coordinator as a power cut would, and starts another.
    pub fn kill(&mut self) {
        self.coordinator.take().expect("there is one").kill();
        self.begin();
    }

    /// Tells the coordinator to end, and starts another; returns how long it took to end.
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
        *self.door.lock().unwrap() = Client::new(&service.base, &self.key);
        self.coordinator = Some(service);
    }

    /// A worker that does so many jobs at once.
    pub fn worker(&self, slots: &str) -> Worker {
        self.worker_with(&[], &["--workers", slots])
    }

    /// One of this name.
    pub fn named(&self, name: &str, slots: &str) -> Worker {
        self.worker_with(&[], &["--workers", slots, "--name", name])
    }

    /// One that does one at a time and ends where it passes a failpoint.
    pub fn doomed(&self, name: &str, failpoint: &str) -> Worker {
        self.doomed_with(name, failpoint, "1")
    }

    /// The same, of one that does so many at once.
    pub fn doomed_with(&self, name: &str, failpoint: &str, slots: &str) -> Worker {
        self.worker_with(&[("VIVID_FAILPOINT", failpoint)], &["--workers", slots, "--name", name])
    }

    /// One with these variables and settings.
    pub fn worker_with(&self, environment: &[(&str, &str)], more: &[&str]) -> Worker {
        self.worker_at(&self.settings[1], environment, more)
    }

    /// One that finds the queue elsewhere.
    pub fn worker_at(&self, queue: &str, environment: &[(&str, &str)], more: &[&str]) -> Worker {
        // What they have to complain of is what is done to them.
        let quiet = [("VIVID_LOG", "off")];
        let mine = self.environment.iter().map(|(name, value)| (*name, value.as_str()));
        let environment: Vec<_> = quiet.into_iter().chain(mine).chain(environment.iter().copied()).collect();
        let settings = ["--queue", queue, "--store", &self.settings[3]];
        Worker::start(&environment, &[&settings[..], more].concat())
    }

    /// What a command of the operator's prints.
    pub fn asked(&self, words: &[&str]) -> Value {
        let said = operate(self.data.path(), words);
        assert!(said.status.success(), "{words:?}: {}", String::from_utf8_lossy(&said.stderr));
        serde_json::from_slice(&said.stdout).unwrap()
    }

    /// Waits until the operator is told of the fleet what is to be.
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

/// A queue, where there is one to be started; says so where there is none.
pub fn queue() -> Option<Server> {
    or_passed_over("NATS server", Server::start())
}

/// What a test needs, which says that it is passed over where that is missing.
#[expect(clippy::print_stderr, reason = "nothing is passed over silently")]
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

/// How many jobs of a class wait, as the operator is told.
pub fn waiting(shown: &Value, class: &str) -> u64 {
    let classes = shown["queue"].as_array().into_iter().flatten();
    classes.filter(|c| c["class"] == class).filter_map(|c| c["waiting"].as_u64()).sum()
}

/// Tells a worker to end, which it must in time; returns how long it took.
pub fn stop(worker: Worker) -> Duration {
    let told = Instant::now();
    let ended = worker.stop();
    let took = told.elapsed();
    assert!(ended.success() && took < STOP, "{ended} after {took:?}");
    took
}

/// A client that creates one small generation after the other, whatever becomes of the service.
pub struct Load {
    stop: Arc<AtomicBool>,
    posts: JoinHandle<Vec<String>>,
}

impl Load {
    /// Begins with one `every` so often, and ends after so `many`.
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

    /// Ends it; returns what was accepted.
    pub async fn end(self) -> Vec<String> {
        self.stop.store(true, Ordering::Relaxed);
        self.posts.await.unwrap()
    }

    /// Whether it has created all that it was to.
    pub fn has_ended(&self) -> bool {
        self.posts.is_finished()
    }
}

/// Creates a generation under a key of its own, again and again until that is answered.
async fn post(door: &Mutex<Client>, n: u64) -> String {
    let until = Instant::now() + PATIENCE;
    loop {
        assert!(Instant::now() < until, "nobody answers");
        let client = door.lock().unwrap().clone();
        let key = format!("load-{n}");
        let asked = client.request("POST", "/api/generations").header("Idempotency-Key", key).json(&small(n));
        match client.send(asked).await {
            Ok(answer) if answer.status == 202 => return id(&answer.json()["generation"]).to_owned(),
            // It is told to end, or the store it needs is away.
            Ok(answer) if answer.status == 503 => {}
            Ok(answer) => panic!("{}: {}", answer.status, String::from_utf8_lossy(&answer.body)),
            // It is gone; the next one has another address.
            Err(_) => {}
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}
