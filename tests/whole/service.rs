//! The service as its users meet it: the real binary in a process of its own, and a client for it.

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::sync::OnceCell;

use crate::contract::{Contract, Seen};
use crate::repo;

/// How long a start or a generation may take before a test gives it up; machines that run tests are busy.
const PATIENCE: Duration = Duration::from_secs(120);
/// A service that has said nothing for so long has said what it has to say.
const SILENCE: Duration = Duration::from_millis(50);
/// Between two looks at a generation.
const PAUSE: Duration = Duration::from_millis(50);

/// The binary that `VIVID_BINARY` names; else one built in the profile of these tests, which is no work where everything
/// is built already.
fn binary() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        if let Some(given) = std::env::var_os("VIVID_BINARY") {
            return given.into();
        }
        // target/<profile>/deps/<test>
        let test = std::env::current_exe().unwrap();
        let folder = test.ancestors().nth(2).expect("a test lies in deps/");
        let profile = match folder.file_name().and_then(|f| f.to_str()) {
            Some("debug") | None => "dev",
            Some(other) => other,
        };
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        // The whole workspace with its tests, as `tests/run` builds it: another selection would have other features.
        let built = Command::new(cargo)
            .args([
                "build",
                "--workspace",
                "--all-targets",
                "--locked",
                "--quiet",
                "--profile",
                profile,
                "--target-dir",
            ])
            .arg(folder.parent().expect("a profile lies in the target folder"))
            .current_dir(repo::root())
            .status()
            .expect("cargo runs");
        assert!(built.success(), "the service does not build");
        folder.join(format!("coordinator{}", std::env::consts::EXE_SUFFIX))
    })
}

/// A worker's process, with these variables in its environment; killed when dropped.
pub struct Worker(Child);

impl Worker {
    /// Starts one.
    pub fn start(environment: &[(&str, &str)], more: &[&str]) -> Self {
        let worker = binary().with_file_name(format!("vivid-worker{}", std::env::consts::EXE_SUFFIX));
        let mut command = untouched(&worker);
        command.args(more).env("VIVID_DEVICE", "cpu").env("VIVID_LOG", "warn").envs(environment.iter().copied());
        Self(command.stdin(Stdio::null()).spawn().unwrap())
    }

    /// Ends it as a power cut would.
    pub fn kill(mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }

    /// Stops it for a while, as a machine that falls asleep; `CONT` wakes it.
    pub fn signal(&self, name: &str) {
        let told = Command::new("kill").args([&format!("-{name}"), &self.0.id().to_string()]).status().unwrap();
        assert!(told.success());
    }

    /// Whether it has ended by itself.
    pub fn has_ended(&mut self) -> bool {
        self.0.try_wait().unwrap().is_some()
    }

    /// Waits until it has ended by itself.
    pub fn ended(mut self) -> std::process::ExitStatus {
        self.0.wait().unwrap()
    }

    /// Whether it is stopped, where the system tells.
    pub fn is_stopped(&self) -> bool {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.0.id())).unwrap_or_default();
        // Its state follows its name, which may be any.
        stat.rsplit_once(") ").is_some_and(|(_, rest)| rest.starts_with('T'))
    }

    /// Asks it to end and waits until it has.
    pub fn stop(mut self) -> std::process::ExitStatus {
        self.signal("TERM");
        self.0.wait().unwrap()
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // Gone already where it was killed or stopped.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A binary of ours, untouched by settings in the environment of the tests.
fn untouched(binary: &Path) -> Command {
    let mut command = Command::new(binary);
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("VIVID_") {
            command.env_remove(name);
        }
    }
    command
}

/// The service on `data` and a free port, untouched by settings in the environment of the tests.
fn command(data: &Path, more: &[&str]) -> Command {
    let mut command = untouched(binary());
    command.args(["--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--data-dir"]).arg(data);
    // No test asks a model server that happens to run on the machine.
    if !more.contains(&"--llm-base-url") {
        command.args(["--llm-base-url", "off"]);
    }
    command.args(more);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs a command of the operator's against the service on `data`.
pub fn operate(data: &Path, words: &[&str]) -> std::process::Output {
    let mut command = Command::new(binary());
    command.env_remove("VIVID_ADMIN_URL").env_remove("VIVID_ADMIN_TOKEN");
    command.args(words).arg("--data-dir").arg(data).stdin(Stdio::null()).output().unwrap()
}

/// Starts the service under the most open umask there is.
pub fn start_under_open_umask(data: &Path, more: &[&str]) -> Service {
    let plain = command(data, more);
    let mut command = Command::new("sh");
    command.args(["-c", "umask 0; exec \"$0\" \"$@\""]).arg(plain.get_program()).args(plain.get_args());
    // Variables that are taken away from it.
    for (name, _) in plain.get_envs().filter(|(_, value)| value.is_none()) {
        command.env_remove(name);
    }
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    Service::launch(command).unwrap_or_else(|said| panic!("it ended at its start; it said {said:#?}"))
}

/// Starts the service where it is expected to end by itself.
pub fn start_in_vain(data: &Path, more: &[&str]) -> std::process::Output {
    command(data, more).output().unwrap()
}

/// A running service; killed when dropped.
pub struct Service {
    child: Child,
    /// Its base URL, without a slash at the end.
    pub base: String,
    /// The key that it printed, if it did.
    pub key: Option<String>,
    /// What it printed until it listened.
    pub said: Vec<String>,
    /// How long it took from its start until it was ready.
    pub ready_after: Duration,
    /// What it logs, line by line.
    log: Receiver<String>,
}

impl Service {
    /// Starts it on `data` and a free port, and waits until it is ready.
    pub fn start(data: &Path, more: &[&str]) -> Self {
        Self::launch(command(data, more)).unwrap_or_else(|said| panic!("it ended at its start; it said {said:#?}"))
    }

    /// The same, with these variables in its environment.
    pub fn start_in(environment: &[(&str, &str)], data: &Path, more: &[&str]) -> Self {
        let mut command = command(data, more);
        command.envs(environment.iter().copied());
        Self::launch(command).unwrap_or_else(|said| panic!("it ended at its start; it said {said:#?}"))
    }

    /// The same, of a service that ends where it passes a failpoint (`NAME=TIMES`): maybe before it is ready.
    pub fn start_towards(failpoint: &str, data: &Path, more: &[&str]) -> Option<Self> {
        let mut command = command(data, more);
        command.env("VIVID_FAILPOINT", failpoint);
        Self::launch(command).ok()
    }

    /// Starts it where it may refuse to start: then, what it said.
    pub fn try_start(data: &Path, more: &[&str]) -> Result<Self, Vec<String>> {
        Self::launch(command(data, more))
    }

    /// Starts it where it can't become ready, and waits until it listens.
    pub fn start_unready(data: &Path, more: &[&str]) -> Self {
        let listens = |service: &Self| !service.base.is_empty();
        let started = Self::launch_until(command(data, more), listens);
        started.unwrap_or_else(|said| panic!("it ended at its start; it said {said:#?}"))
    }

    /// Starts it and waits until it is ready; if it ends before that, what it said.
    fn launch(command: Command) -> Result<Self, Vec<String>> {
        Self::launch_until(command, Self::ready)
    }

    fn launch_until(mut command: Command, is_there: impl Fn(&Self) -> bool) -> Result<Self, Vec<String>> {
        let began = Instant::now();
        let mut child = command.spawn().unwrap();
        let spoken = lines(child.stdout.take().expect("piped"));
        let errors = lines(child.stderr.take().expect("piped"));
        let (base, said, ready_after) = (String::new(), Vec::new(), Duration::ZERO);
        let mut service = Self { child, base, key: None, said, ready_after, log: errors };
        let until = began + PATIENCE;
        while !is_there(&service) {
            assert!(Instant::now() < until, "not ready in time; it said {:#?}", service.said);
            match spoken.recv_timeout(Duration::from_millis(20)) {
                Ok(line) => service.hear(line),
                Err(std::sync::mpsc::RecvTimeoutError::Timeout) => {}
                Err(std::sync::mpsc::RecvTimeoutError::Disconnected) => {
                    // Its standard error is read by another thread, and ends with the process as well.
                    while let Ok(line) = service.log.recv_timeout(PATIENCE) {
                        service.said.push(line);
                    }
                    return Err(std::mem::take(&mut service.said));
                }
            }
        }
        service.ready_after = began.elapsed();
        // It says where it is and then, the first time, how to use it.
        while let Ok(line) = spoken.recv_timeout(SILENCE) {
            service.hear(line);
        }
        Ok(service)
    }

    fn hear(&mut self, line: String) {
        if line.starts_with("vd_") && !line.contains(' ') {
            self.key = Some(line.clone());
        }
        if self.base.is_empty() {
            let url = line.split([' ', '\'', '"']).find(|w| w.starts_with("http://") || w.starts_with("https://"));
            self.base = url.unwrap_or("").trim_end_matches('/').to_owned();
        }
        self.said.push(line);
    }

    /// Whether it said where it listens, and answers there.
    fn ready(&self) -> bool {
        // Over TLS its word must do.
        if self.base.starts_with("https://") {
            return true;
        }
        let Some(address) = self.base.strip_prefix("http://") else { return false };
        exchange(address, b"GET /readyz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            .is_ok_and(|a| a.starts_with("HTTP/1.1 200"))
    }

    /// Its host and port.
    pub fn address(&self) -> &str {
        self.base.split_once("://").expect("a base URL").1
    }

    /// A client with the key of the first start.
    pub fn client(&self) -> Client {
        Client::new(&self.base, self.key.as_deref().expect("the first start prints a key"))
    }

    /// Ends it as a power cut would.
    pub fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Whether it has ended by itself.
    pub fn has_ended(&mut self) -> bool {
        self.child.try_wait().unwrap().is_some()
    }

    /// Sends it a signal.
    pub fn signal(&self, name: &str) {
        let told = Command::new("kill").args([&format!("-{name}"), &self.child.id().to_string()]).status().unwrap();
        assert!(told.success());
    }

    /// The bytes of memory that it holds, where the system tells.
    pub fn memory(&self) -> Option<u64> {
        self.status_bytes("VmRSS:")
    }

    /// The most bytes of memory that it has held so far, where the system tells.
    pub fn peak_memory(&self) -> Option<u64> {
        self.status_bytes("VmHWM:")
    }

    fn status_bytes(&self, name: &str) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find_map(|l| l.strip_prefix(name))?;
        Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024)
    }

    /// Asks it to end and waits until it has.
    pub fn stop(self) -> std::process::ExitStatus {
        self.stop_and_tell().0
    }

    /// Asks it to end and waits until it has; also returns every line that it logged.
    pub fn stop_and_tell(mut self) -> (std::process::ExitStatus, Vec<String>) {
        let told = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status().unwrap();
        assert!(told.success());
        let ended = self.child.wait().unwrap();
        // Until whoever reads the pipe has come to its end.
        (ended, self.log.iter().collect())
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        // Gone already where it was killed or stopped.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn lines(from: impl Read + Send + 'static) -> Receiver<String> {
    let (send, receive) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(from).lines().map_while(Result::ok) {
            // Read on when nobody listens any more: a full pipe would stop the service.
            let _ = send.send(line);
        }
    });
    receive
}

/// Sends bytes as they are and reads the answer to its end.
pub fn exchange(address: &str, request: &[u8]) -> std::io::Result<String> {
    exchange_bytes(address, request).map(|answer| String::from_utf8_lossy(&answer).into_owned())
}

/// [`exchange`], of an answer that may be no text.
pub fn exchange_bytes(address: &str, request: &[u8]) -> std::io::Result<Vec<u8>> {
    use std::io::Write;
    let mut stream = std::net::TcpStream::connect(address)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    // A server that has heard enough may answer and close before everything is written.
    let _ = stream.write_all(request);
    let mut answer = Vec::new();
    let read = stream.read_to_end(&mut answer);
    if answer.is_empty() {
        read?;
    }
    Ok(answer)
}

/// An answer, read whole.
#[derive(Debug)]
pub struct Answer {
    /// Its status.
    pub status: u16,
    /// Its headers.
    pub headers: reqwest::header::HeaderMap,
    /// Its body.
    pub body: Vec<u8>,
}

impl Answer {
    /// The body as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|e| panic!("{}: {e}: {}", self.status, String::from_utf8_lossy(&self.body)))
    }

    /// A header's value, or nothing.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |v| v.to_str().unwrap())
    }

    /// Fails unless this is an error of the contract; returns its code.
    pub fn error(&self, status: u16, error: &str) -> String {
        let said = String::from_utf8_lossy(&self.body);
        assert_eq!(self.status, status, "{said}");
        assert!(self.header("content-type").starts_with("application/json"), "{:?}", self.headers);
        let body = self.json();
        assert_eq!(body["error"], error, "{said}");
        assert!(body["message"].as_str().is_some_and(|m| m.len() > 10), "{said}");
        assert_eq!(body["requestId"], self.header("x-request-id"), "{said}");
        self.has_headers();
        body["code"].as_str().expect("a code").to_owned()
    }

    /// Fails unless the headers of every answer are there.
    pub fn has_headers(&self) {
        assert!(!self.header("x-request-id").is_empty(), "{self:?}");
        for name in ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"] {
            assert!(self.header(name).parse::<u64>().is_ok(), "{name} of {self:?}");
        }
    }
}

/// A client with a key.
#[derive(Clone)]
pub struct Client {
    http: reqwest::Client,
    base: String,
    key: String,
}

impl Client {
    /// A client of the service at `base`.
    pub fn new(base: &str, key: &str) -> Self {
        // One is chosen already where another test runs in this process.
        let _ = tokio_rustls::rustls::crypto::ring::default_provider().install_default();
        let http = reqwest::Client::builder().timeout(PATIENCE).build().unwrap();
        Self { http, base: base.to_owned(), key: key.to_owned() }
    }

    /// The same client with another key.
    pub fn with_key(&self, key: &str) -> Self {
        Self { key: key.to_owned(), ..self.clone() }
    }

    /// A request with the key, to be finished by the caller.
    pub fn request(&self, method: &str, path: &str) -> reqwest::RequestBuilder {
        let url = if path.starts_with("http") { path.to_owned() } else { format!("{}{path}", self.base) };
        let request = self.http.request(method.parse().unwrap(), url);
        if self.key.is_empty() { request } else { request.header("X-API-Key", &self.key) }
    }

    /// Sends a request. Fails the test where the answer is not what the OpenAPI document says, which speaks of keys alone,
    /// not of sessions.
    pub async fn send(&self, request: reqwest::RequestBuilder) -> Result<Answer, reqwest::Error> {
        let request = request.build()?;
        let (method, path) = (request.method().clone(), request.url().path().to_owned());
        let has_session = request.headers().contains_key("cookie");
        let response = self.http.execute(request).await?;
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let answer = Answer { status, headers, body: response.bytes().await?.to_vec() };
        let header = |name: &str| Some(answer.headers.get(name)?.to_str().unwrap().to_owned());
        let seen = Seen { method: method.as_str(), path: &path, status, header: &header, body: &answer.body };
        match self.contract().await.check(&seen) {
            Err(fault) if !has_session => panic!("{fault}"),
            _ => Ok(answer),
        }
    }

    /// The document, as the service itself gives it out.
    async fn contract(&self) -> &'static Contract {
        static CONTRACT: OnceCell<Contract> = OnceCell::const_new();
        let document = async || {
            let answer = self.http.get(format!("{}/openapi.json", self.base)).send().await.unwrap();
            Contract::new(answer.json().await.unwrap())
        };
        CONTRACT.get_or_init(document).await
    }

    /// GET.
    pub async fn get(&self, path: &str) -> Answer {
        self.send(self.request("GET", path)).await.unwrap()
    }

    /// POST of JSON.
    pub async fn post(&self, path: &str, body: &Value) -> Answer {
        self.send(self.request("POST", path).json(body)).await.unwrap()
    }

    /// Creates a generation and returns it; fails unless it is accepted.
    pub async fn create(&self, body: &Value) -> Value {
        let answer = self.post("/api/generations", body).await;
        assert_eq!(answer.status, 202, "{}", String::from_utf8_lossy(&answer.body));
        let generation = answer.json()["generation"].take();
        let path = format!("/api/generations/{}", id(&generation));
        assert!(answer.header("location").ends_with(&path), "{}", answer.header("location"));
        generation
    }

    /// A generation as it stands.
    pub async fn generation(&self, id: &str) -> Value {
        let answer = self.get(&format!("/api/generations/{id}")).await;
        assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
        answer.json()["generation"].take()
    }

    /// Polls a generation to its end. Its progress must not fall.
    pub async fn finished(&self, id: &str) -> Value {
        let until = Instant::now() + PATIENCE;
        let mut progress = 0;
        loop {
            let generation = self.generation(id).await;
            let now = generation["progress"].as_u64().expect("a progress");
            assert!((progress..=100).contains(&now), "progress {now} after {progress}");
            progress = now;
            let status = generation["status"].as_str().unwrap();
            if !["pending", "processing"].contains(&status) {
                return generation;
            }
            assert_eq!(generation["outputs"], json!([]), "outputs come at the end");
            assert!(Instant::now() < until, "still {status} after {PATIENCE:?}");
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Creates a generation and polls it until it is completed.
    pub async fn completed(&self, body: &Value) -> Value {
        let created = self.create(body).await;
        let generation = self.finished(id(&created)).await;
        assert_eq!(generation["status"], "completed", "{generation:#}");
        assert_eq!(generation["progress"], 100);
        generation
    }
}

/// The id of a generation or an output.
/// The key of the object that a file URL names, without the file name that follows the key of an image.
pub fn key_in(url: &str) -> &str {
    let path = url.split_once("/files/").unwrap().1.split('?').next().unwrap();
    coordinator::urls::key_and_name(path).0
}

pub fn id(of: &Value) -> &str {
    of["id"].as_str().expect("an id")
}
