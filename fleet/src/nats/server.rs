//! A NATS server for tests, on a port of its own and with a temporary folder.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use tempfile::TempDir;

/// Name of the configuration file in the server's folder.
const CONFIGURATION: &str = "server.conf";

/// A running server; killed when dropped.
pub struct Server {
    child: Child,
    folder: TempDir,
    /// Its address: `nats://HOST:PORT`.
    pub url: String,
}

/// Returns the server's binary: the one that `NATS_SERVER` names, or the installed one. With `REQUIRE_NATS`, a missing
/// binary is an error; without it, tests that need one are skipped.
fn binary() -> Option<PathBuf> {
    let named = std::env::var_os("NATS_SERVER").map(PathBuf::from);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let installed = || std::env::split_paths(&path).map(|folder| folder.join("nats-server")).find(|f| f.is_file());
    let found = named.or_else(installed);
    assert!(found.is_some() || std::env::var_os("REQUIRE_NATS").is_none(), "there is no nats-server");
    found
}

impl Server {
    /// Starts a server with JetStream; `None` if there is no binary.
    pub fn start() -> Option<Self> {
        Self::start_as("")
    }

    /// Like [`Self::start`], with additional lines in the configuration file.
    pub fn start_as(more: &str) -> Option<Self> {
        Self::start_with(more, &[])
    }

    /// Like [`Self::start_as`], with files that the configuration includes.
    pub fn start_with(more: &str, included: &[&Path]) -> Option<Self> {
        let (binary, folder) = (binary()?, tempfile::tempdir().unwrap());
        std::fs::write(folder.path().join(CONFIGURATION), more).unwrap();
        for file in included {
            std::fs::copy(file, folder.path().join(file.file_name().expect("a file"))).unwrap();
        }
        let child = run(&binary, &folder, "-1");
        let mut server = Self { child, folder, url: String::new() };
        server.url = server.address();
        Some(server)
    }

    /// Kills the server and starts it again on the same port. Deletes its JetStream data if `wiped`.
    pub fn restart(&mut self, wiped: bool) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        if wiped {
            std::fs::remove_dir_all(self.folder.path().join("jetstream")).unwrap();
        }
        let port = self.url.rsplit_once(':').unwrap().1.to_owned();
        self.child = run(&binary().unwrap(), &self.folder, &port);
        assert_eq!(self.address(), self.url);
    }

    /// Reads the address from the file that the server writes.
    fn address(&self) -> String {
        for _ in 0..3_000 {
            let said = std::fs::read_dir(self.folder.path()).unwrap().map(Result::unwrap);
            let ports = said.map(|entry| entry.path()).find(|path| {
                path.extension().is_some_and(|e| e == "ports")
                    && path.to_string_lossy().contains(&self.child.id().to_string())
            });
            let text = ports.and_then(|path| std::fs::read_to_string(path).ok()).unwrap_or_default();
            if let Ok(ports) = serde_json::from_str::<serde_json::Value>(&text)
                && let Some(url) = ports.pointer("/nats/0").and_then(|url| url.as_str())
            {
                return url.to_owned();
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("the server did not report its address");
    }
}

fn run(binary: &PathBuf, folder: &TempDir, port: &str) -> Child {
    Command::new(binary)
        .args(["--addr", "127.0.0.1", "--port", port, "--jetstream", "--store_dir"])
        .arg(folder.path())
        .arg("--config")
        .arg(folder.path().join(CONFIGURATION))
        .arg("--ports_file_dir")
        .arg(folder.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

impl Drop for Server {
    fn drop(&mut self) {
        // Fails if the server was killed already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
