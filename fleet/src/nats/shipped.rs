//! A NATS server for tests as `deploy/` ships it: it accepts only the users that `deploy/secrets.sh` creates.

use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use super::Server;

/// A server with the users that `deploy/` ships: `coordinator`, and `worker-1` to `worker-3`, each with its own
/// password.
pub struct Shipped {
    /// The server.
    pub server: Server,
    secrets: TempDir,
}

impl Shipped {
    /// Starts a server; `None` if there is no binary. Uses `deploy/nats/server.conf` without its addresses and storage
    /// settings, and the users that `deploy/secrets.sh` creates.
    pub fn start() -> Option<Self> {
        let secrets = tempfile::tempdir().unwrap();
        let deploy = Path::new(env!("CARGO_MANIFEST_DIR")).join("../deploy");
        let made = Command::new("sh").arg(deploy.join("secrets.sh")).env("SECRETS", secrets.path()).status().unwrap();
        assert!(made.success());
        let shipped = std::fs::read_to_string(deploy.join("nats/server.conf")).unwrap();
        let own = |line: &&str| !["listen:", "http:", "jetstream:"].iter().any(|set| line.starts_with(set));
        let configuration: Vec<&str> = shipped.lines().filter(own).collect();
        let server = Server::start_with(&configuration.join("\n"), &[secrets.path().join("users.conf").as_path()])?;
        Some(Self { server, secrets })
    }

    /// Returns the URL with which the user of this name connects.
    pub fn url(&self, user: &str) -> String {
        let file = std::fs::read_to_string(self.secrets.path().join(format!("{user}.env"))).unwrap();
        let url = file.lines().find_map(|line| line.strip_prefix("VIVID_QUEUE=")).expect("its URL");
        let (front, _) = url.rsplit_once('@').expect("a user and a password");
        format!("{front}@{}", self.server.url.strip_prefix("nats://").expect("a server's URL"))
    }
}
