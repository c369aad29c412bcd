//! A server of its own, on a free port, with a folder that is thrown away.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};

/// Time that a server may take until it answers.
const START: Duration = Duration::from_secs(60);

/// A running server; killed when dropped.
pub struct Server {
    /// Its base URL, without a slash at the end.
    pub base: String,
    /// The key of its first account.
    pub key: String,
    child: Child,
    _data: TempDir,
}

impl Server {
    /// Starts `binary`, or the coordinator built beside this program, and reads where it listens and its first key.
    pub async fn start(binary: Option<&Path>, workers: u32, more: &[String]) -> Result<Self> {
        let binary = match binary {
            Some(binary) => binary.to_owned(),
            None => beside().await?,
        };
        let data = tempfile::tempdir()?;
        let mut command = Command::new(&binary);
        // Settings of this shell would be measured unnoticed.
        for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("VIVID_")) {
            command.env_remove(name);
        }
        let mut child = command
            .args(["--listen", "127.0.0.1:0", "--log", "warn", "--workers", &workers.to_string()])
            .args(["--rate-get", "1000000", "--rate-generate", "1000000", "--data-dir"])
            .arg(data.path())
            .args(more)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .with_context(|| format!("starting {}", binary.display()))?;
        let stdout = child.stdout.take().context("the server's output is piped")?;
        let mut lines = BufReader::new(stdout).lines();
        let (mut base, mut key) = (None, None);
        let read = async {
            while base.is_none() || key.is_none() {
                let Some(line) = lines.next_line().await? else { bail!("the server ended before it listened") };
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
        tokio::time::timeout(START, read).await.context("the server did not say where it listens")??;
        // What it says from here on is read and dropped, so that it never waits for a full pipe.
        tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
        let (base, key) = (base.context("no base URL")?, key.context("no key")?);
        Ok(Self { base, key, child, _data: data })
    }

    /// Its process, while it runs.
    pub fn pid(&self) -> Option<u32> {
        self.child.id()
    }
}

/// The coordinator in the folder of this program, built anew where its sources are: an old one would be measured
/// unnoticed.
async fn beside() -> Result<PathBuf> {
    let folder = std::env::current_exe()?.parent().context("a program lies in a folder")?.to_owned();
    let binary = folder.join(format!("coordinator{}", std::env::consts::EXE_SUFFIX));
    let workspace = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    if workspace.join("coordinator").exists() {
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo.args(["build", "--quiet", "--package", "coordinator"]).current_dir(workspace);
        if folder.ends_with("release") {
            cargo.arg("--release");
        }
        if let Some(target) = folder.parent() {
            cargo.arg("--target-dir").arg(target);
        }
        if !cargo.status().await.context("running cargo")?.success() {
            bail!("the coordinator can't be built");
        }
    }
    if !binary.exists() {
        bail!("{} is not there; name the server's binary with --binary", binary.display());
    }
    Ok(binary)
}
