//! Runs the real binary in a separate process, and provides a client for it.

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

/// Time limit for a start or a generation. Machines that run tests are busy.
const PATIENCE: Duration = Duration::from_secs(120);
/// After this time without output, a service has printed all it will print.
const SILENCE: Duration = Duration::from_millis(50);
/// Interval between two polls of a generation.
const PAUSE: Duration = Duration::from_millis(50);

/// Returns the binary that `VIVID_BINARY` names, or one built in the profile of these tests. The build does nothing if
/// the binary is current.
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
        // Builds the whole workspace with its tests, as `tests/run` does: another selection would enable other
        // features.
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

/// A worker process with these environment variables. Dropping it kills the process.
pub struct Worker(Child);

impl Worker {
    /// Starts a worker.
    pub fn start(environment: &[(&str, &str)], more: &[&str]) -> Self {
        let worker = binary().with_file_name(format!("vivid-worker{}", std::env::consts::EXE_SUFFIX));
        let mut command = untouched(&worker);
        command.args(more).env("VIVID_DEVICE", "cpu").env("VIVID_LOG", "warn").envs(environment.iter().copied());
        Self(command.stdin(Stdio::null()).spawn().unwrap())
    }

    /// Kills the worker, as a power cut would.
    pub fn kill(mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }

    /// Sends a signal: `STOP` suspends the worker like a machine that sleeps, `CONT` resumes it.
    pub fn signal(&self, name: &str) {
        let told = Command::new("kill").args([&format!("-{name}"), &self.0.id().to_string()]).status().unwrap();
        assert!(told.success());
    }

    /// Whether the worker has ended by itself.
    pub fn has_ended(&mut self) -> bool {
        self.0.try_wait().unwrap().is_some()
    }

    /// Waits until the worker has ended by itself.
    pub fn ended(mut self) -> std::process::ExitStatus {
        self.0.wait().unwrap()
    }

    /// Whether the worker is suspended, if the system reports it.
    pub fn is_stopped(&self) -> bool {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.0.id())).unwrap_or_default();
        // The state follows the process name, which may contain any character.
        stat.rsplit_once(") ").is_some_and(|(_, rest)| rest.starts_with('T'))
    }

    /// Tells the worker to stop, and waits until it has ended.
    pub fn stop(mut self) -> std::process::ExitStatus {
        self.signal("TERM");
        self.0.wait().unwrap()
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // Fails if the process has already ended.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Returns a command that is unaffected by settings in the tests' environment.
fn untouched(binary: &Path) -> Command {
    let mut command = Command::new(binary);
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("VIVID_") {
            command.env_remove(name);
        }
    }
    command
}

/// Returns the command of the service on `data` and a free port, unaffected by settings in the tests' environment.
fn command(data: &Path, more: &[&str]) -> Command {
    let mut command = untouched(binary());
    command.args(["--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--data-dir"]).arg(data);
    // Tests must not use a model server that happens to run on the machine.
    if !more.contains(&"--llm-base-url") {
        command.args(["--llm-base-url", "off"]);
    }
    command.args(more);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs an operator command against the service on `data`.
pub fn operate(data: &Path, words: &[&str]) -> std::process::Output {
    let mut command = Command::new(binary());
    command.env_remove("VIVID_ADMIN_URL").env_remove("VIVID_ADMIN_TOKEN");
    command.args(words).arg("--data-dir").arg(data).stdin(Stdio::null()).output().unwrap()
}

/// Starts the service under the most permissive umask.
pub fn start_under_open_umask(data: &Path, more: &[&str]) -> Service {
    let plain = command(data, more);
    let mut command = Command::new("sh");
    command.args(["-c", "umask 0; exec \"$0\" \"$@\""]).arg(plain.get_program()).args(plain.get_args());
    // Variables that are removed from the environment.
    for (name, _) in plain.get_envs().filter(|(_, value)| value.is_none()) {
        command.env_remove(name);
    }
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    Service::launch(command).unwrap_or_else(|said| panic!("it ended at its start; it said {said:#?}"))
}

/// Starts a service that is expected to end by itself.
pub fn start_in_vain(data: &Path, more: &[&str]) -> std::process::Output {
    command(data, more).output().unwrap()
}

/// A running service. Dropping it kills the process.
pub struct Service {
    child: Child,
    /// The base URL, without a trailing slash.
    pub base: String,
    /// The API key, if the service printed one.
    pub key: Option<String>,
    /// What the service printed until it listened.
    pub said: Vec<String>,
    /// The time from the start until the service was ready.
    pub ready_after: Duration,
    /// The lines that the service logs.
    log: Receiver<String>,
}

impl Service {
    /// Starts a service on `data` and a free port, and waits until it is ready.
    pub fn start(data: &Path, more: &[&str]) -> Self {
        Self::launch(command(data, more)).unwrap_or_else(|said| panic!("it ended at its start; it said {said:#?}"))
    }

    /// The same, with these environment variables.
    pub fn start_in(environment: &[(&str, &str)], data: &Path, more: &[&str]) -> Self {
        let mut command = command(data, more);
        command.envs(environment.iter().copied());
        Self::launch(command).unwrap_or_else(|said| panic!("it ended at its start; it said {said:#?}"))
    }

    /// The same, for a service that dies at a failpoint (`NAME=TIMES`), possibly before it is ready.
    pub fn start_towards(failpoint: &str, data: &Path, more: &[&str]) -> Option<Self> {
        let mut command = command(data, more);
        command.env("VIVID_FAILPOINT", failpoint);
        Self::launch(command).ok()
    }

    /// Starts a service that may refuse to start. In that case, returns what it printed.
    pub fn try_start(data: &Path, more: &[&str]) -> Result<Self, Vec<String>> {
        Self::launch(command(data, more))
    }

    /// Starts a service that can't become ready, and waits until it listens.
    pub fn start_unready(data: &Path, more: &[&str]) -> Self {
        let listens = |service: &Self| !service.base.is_empty();
        let started = Self::launch_until(command(data, more), listens);
        started.unwrap_or_else(|said| panic!("it ended at its start; it said {said:#?}"))
    }

    /// Starts a service and waits until it is ready. If it ends earlier, returns what it printed.
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
                    // Another thread reads standard error, which ends with the process.
                    while let Ok(line) = service.log.recv_timeout(PATIENCE) {
                        service.said.push(line);
                    }
                    return Err(std::mem::take(&mut service.said));
                }
            }
        }
        service.ready_after = began.elapsed();
        // The service prints its address and, at the first start, how to use it.
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

    /// Whether the service has printed its address and responds there.
    fn ready(&self) -> bool {
        // With TLS, the printed address has to suffice.
        if self.base.starts_with("https://") {
            return true;
        }
        let Some(address) = self.base.strip_prefix("http://") else { return false };
        exchange(address, b"GET /readyz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            .is_ok_and(|a| a.starts_with("HTTP/1.1 200"))
    }

    /// Returns the host and port.
    pub fn address(&self) -> &str {
        self.base.split_once("://").expect("a base URL").1
    }

    /// A client with the key of the first start.
    pub fn client(&self) -> Client {
        Client::new(&self.base, self.key.as_deref().expect("the first start prints a key"))
    }

    /// Kills the service, as a power cut would.
    pub fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Whether the service has ended by itself.
    pub fn has_ended(&mut self) -> bool {
        self.child.try_wait().unwrap().is_some()
    }

    /// Sends a signal to the service.
    pub fn signal(&self, name: &str) {
        let told = Command::new("kill").args([&format!("-{name}"), &self.child.id().to_string()]).status().unwrap();
        assert!(told.success());
    }

    /// Returns the service's memory in bytes, if the system reports it.
    pub fn memory(&self) -> Option<u64> {
        self.status_bytes("VmRSS:")
    }

    /// Returns the service's peak memory in bytes, if the system reports it.
    pub fn peak_memory(&self) -> Option<u64> {
        self.status_bytes("VmHWM:")
    }

    fn status_bytes(&self, name: &str) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find_map(|l| l.strip_prefix(name))?;
        Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024)
    }

    /// Tells the service to stop, and waits until it has ended.
    pub fn stop(self) -> std::process::ExitStatus {
        self.stop_and_tell().0
    }

    /// Tells the service to stop, and waits until it has ended. Also returns every line that it logged.
    pub fn stop_and_tell(mut self) -> (std::process::ExitStatus, Vec<String>) {
        let told = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status().unwrap();
        assert!(told.success());
        let ended = self.child.wait().unwrap();
        // Collects until the thread that reads the pipe ends.
        (ended, self.log.iter().collect())
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        // Fails if the process has already ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn lines(from: impl Read + Send + 'static) -> Receiver<String> {
    let (send, receive) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(from).lines().map_while(Result::ok) {
            // Continues to read without a receiver: a full pipe would block the service.
            let _ = send.send(line);
        }
    });
    receive
}

/// Sends raw bytes and reads the response to its end.
pub fn exchange(address: &str, request: &[u8]) -> std::io::Result<String> {
    exchange_bytes(address, request).map(|answer| String::from_utf8_lossy(&answer).into_owned())
}

/// The same as [`exchange`], for a response that may not be text.
pub fn exchange_bytes(address: &str, request: &[u8]) -> std::io::Result<Vec<u8>> {
    use std::io::Write;
    let mut stream = std::net::TcpStream::connect(address)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    // A server may respond and close the connection before everything is written.
    let _ = stream.write_all(request);
    let mut answer = Vec::new();
    let read = stream.read_to_end(&mut answer);
    if answer.is_empty() {
        read?;
    }
    Ok(answer)
}

/// A complete response.
#[derive(Debug)]
pub struct Answer {
    /// The status.
    pub status: u16,
    /// The headers.
    pub headers: reqwest::header::HeaderMap,
    /// The body.
    pub body: Vec<u8>,
}

impl Answer {
    /// The body as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|e| panic!("{}: {e}: {}", self.status, String::from_utf8_lossy(&self.body)))
    }

    /// Returns a header's value, or an empty string.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |v| v.to_str().unwrap())
    }

    /// Asserts that this is an error of the contract, and returns its code.
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

    /// Asserts that the headers of every response are present.
    pub fn has_headers(&self) {
        assert!(!self.header("x-request-id").is_empty(), "{self:?}");
        for name in ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"] {
            assert!(self.header(name).parse::<u64>().is_ok(), "{name} of {self:?}");
        }
    }
}

/// An API client with a key.
#[derive(Clone)]
pub struct Client {
    http: reqwest::Client,
    base: String,
    key: String,
}

impl Client {
    /// Creates a client of the service at `base`.
    pub fn new(base: &str, key: &str) -> Self {
        // Fails if another test in this process has already installed one.
        let _ = tokio_rustls::rustls::crypto::ring::default_provider().install_default();
        let http = reqwest::Client::builder().timeout(PATIENCE).build().unwrap();
        Self { http, base: base.to_owned(), key: key.to_owned() }
    }

    /// Returns a client with another key.
    pub fn with_key(&self, key: &str) -> Self {
        Self { key: key.to_owned(), ..self.clone() }
    }

    /// Starts a request with the key, to be completed by the caller.
    pub fn request(&self, method: &str, path: &str) -> reqwest::RequestBuilder {
        let url = if path.starts_with("http") { path.to_owned() } else { format!("{}{path}", self.base) };
        let request = self.http.request(method.parse().unwrap(), url);
        if self.key.is_empty() { request } else { request.header("X-API-Key", &self.key) }
    }

    /// Sends a request and checks the response against the OpenAPI document, which describes requests with keys, not
    /// sessions.
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

    /// Returns the OpenAPI document, fetched from the service.
    async fn contract(&self) -> &'static Contract {
        static CONTRACT: OnceCell<Contract> = OnceCell::const_new();
        let document = async || {
            let answer = self.http.get(format!("{}/openapi.json", self.base)).send().await.unwrap();
            Contract::new(answer.json().await.unwrap())
        };
        CONTRACT.get_or_init(document).await
    }

    /// Sends a GET request.
    pub async fn get(&self, path: &str) -> Answer {
        self.send(self.request("GET", path)).await.unwrap()
    }

    /// Sends a POST request with JSON.
    pub async fn post(&self, path: &str, body: &Value) -> Answer {
        self.send(self.request("POST", path).json(body)).await.unwrap()
    }

    /// Creates a generation and returns it. Fails unless it is accepted.
    pub async fn create(&self, body: &Value) -> Value {
        let answer = self.post("/api/generations", body).await;
        assert_eq!(answer.status, 202, "{}", String::from_utf8_lossy(&answer.body));
        let generation = answer.json()["generation"].take();
        let path = format!("/api/generations/{}", id(&generation));
        assert!(answer.header("location").ends_with(&path), "{}", answer.header("location"));
        generation
    }

    /// Reads a generation.
    pub async fn generation(&self, id: &str) -> Value {
        let answer = self.get(&format!("/api/generations/{id}")).await;
        assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
        answer.json()["generation"].take()
    }

    /// Polls a generation until it has ended. Fails if its progress decreases.
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

/// Returns the object key in a file URL, without the file name that follows the key of an image.
pub fn key_in(url: &str) -> &str {
    let path = url.split_once("/files/").unwrap().1.split('?').next().unwrap();
    coordinator::urls::key_and_name(path).0
}

/// Returns the id of a generation or an output.
pub fn id(of: &Value) -> &str {
    of["id"].as_str().expect("an id")
}
