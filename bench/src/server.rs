//! A server process for benchmarks, on a free port and with a temporary folder.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};

/// Timeout for a server to respond.
const START: Duration = Duration::from_secs(60);

/// If the server prints nothing for this long, it has finished its startup messages.
const SILENCE: Duration = Duration::from_millis(100);
/// Requests a minute, far above the measured rates.
const UNLIMITED: &str = "1000000000";

/// A running server; killed when dropped.
pub struct Server {
    /// Its base URL, without a trailing slash.
    pub base: String,
    /// The key of its first account.
    pub key: String,
    child: Child,
    launch: Launch,
}

/// How to start a server, and to restart it.
struct Launch {
    binary: PathBuf,
    arguments: Vec<String>,
    data: TempDir,
}

impl Launch {
    /// Returns the command for the binary, without the settings of this shell, which would silently change the results.
    fn command(&self) -> Command {
        let mut command = Command::new(&self.binary);
        for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("VIVID_")) {
            command.env_remove(name);
        }
        command
    }

    /// Starts the server, and reads its address and, at the first start, its key.
    async fn start(&self) -> Result<(Child, String, Option<String>)> {
        let mut child = self
            .command()
            .args(&self.arguments)
            .arg("--data-dir")
            .arg(self.data.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .with_context(|| format!("starting {}", self.binary.display()))?;
        let stdout = child.stdout.take().context("the server's output is piped")?;
        let mut lines = BufReader::new(stdout).lines();
        let (mut base, mut key) = (None, None);
        let read = async {
            // The server prints its address and, at the first start, instructions.
            while base.is_none() || key.is_none() {
                let line =
                    match tokio::time::timeout(if base.is_none() { START } else { SILENCE }, lines.next_line()).await {
                        Ok(line) => line?,
                        Err(_) if base.is_some() => break,
                        Err(_) => bail!("timeout: the server did not print its address"),
                    };
                let Some(line) = line else { bail!("the server exited before it printed its address") };
                for word in line.split([' ', '\'', '"']) {
                    if word.starts_with("http://") && base.is_none() {
                        base = Some(word.trim_end_matches('/').to_owned());
                    } else if word.starts_with("vd_") && key.is_none() {
                        key = Some(word.to_owned());
                    }
                }
            }
            Ok(())
        };
        read.await?;
        // Further output is read and dropped, so that the server never blocks on a full pipe.
        tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
        Ok((child, base.context("no base URL")?, key))
    }
}

impl Server {
    /// Starts `binary`, or the coordinator built beside this program, and reads its address and its first key.
    pub async fn start(binary: Option<&Path>, workers: u32, more: &[String]) -> Result<Self> {
        let binary = match binary {
            Some(binary) => binary.to_owned(),
            None => built("coordinator", "coordinator").await?,
        };
        let mut arguments: Vec<String> = ["--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--log", "warn"]
            .into_iter()
            .chain(["--rate-get", UNLIMITED, "--rate-generate", UNLIMITED, "--rate-other", UNLIMITED])
            .chain(["--storage-pro-mib", "0", "--workers"])
            .map(str::to_owned)
            .collect();
        arguments.push(workers.to_string());
        arguments.extend_from_slice(more);
        let launch = Launch { binary, arguments, data: tempfile::tempdir()? };
        let (child, base, key) = launch.start().await?;
        Ok(Self { base, key: key.context("no key")?, child, launch })
    }

    /// Kills the server, as a power failure would, and restarts it on the same data. Returns the time to its first
    /// response.
    pub async fn restart(&mut self) -> Result<Duration> {
        self.child.kill().await?;
        let begun = Instant::now();
        let (child, base, _) = self.launch.start().await?;
        (self.child, self.base) = (child, base);
        Ok(begun.elapsed())
    }

    /// Runs an operator's command and returns its output.
    pub async fn operate(&self, words: &[&str]) -> Result<serde_json::Value> {
        let mut command = self.launch.command();
        let said = command.args(words).arg("--data-dir").arg(self.launch.data.path()).output().await?;
        anyhow::ensure!(said.status.success(), "{words:?}: {}", String::from_utf8_lossy(&said.stderr));
        Ok(serde_json::from_slice(&said.stdout)?)
    }

    /// Returns the id of its process while it runs.
    pub fn pid(&self) -> Option<u32> {
        self.child.id()
    }
}

/// Returns a program in this program's folder, rebuilt if its sources changed: a stale one would silently falsify
/// results.
///
/// # Errors
/// Fails if it can't be built, or doesn't exist.
pub async fn built(package: &str, name: &str) -> Result<PathBuf> {
    let folder = std::env::current_exe()?.parent().context("a program lies in a folder")?.to_owned();
    let binary = folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    let workspace = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    if workspace.join(package).exists() {
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo.args(["build", "--quiet", "--package", package]).current_dir(workspace);
        // Each profile builds into a folder of its own name, except `dev`, which builds into `debug`.
        if let Some(profile) = folder.file_name().and_then(|name| name.to_str()).filter(|name| *name != "debug") {
            cargo.args(["--profile", profile]);
        }
        if let Some(target) = folder.parent() {
            cargo.arg("--target-dir").arg(target);
        }
        if !cargo.status().await.context("running cargo")?.success() {
            bail!("building {package} failed");
        }
    }
    if !binary.exists() {
        bail!("{} does not exist: name the coordinator's binary with --binary", binary.display());
    }
    Ok(binary)
}
