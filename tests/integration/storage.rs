//! A strict S3-compatible object store (SeaweedFS): it checks signatures and enforces conditional writes. It runs on
//! its own ports in a temporary folder.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::repo;
use crate::service::exchange;

/// The bucket.
pub const BUCKET: &str = "pictures";
/// The users of the policies in `deploy/store`. The secret of each user is its name.
const USERS: [(&str, &str); 3] = [("coordinator", "coordinator"), ("worker-1", "worker"), ("worker-2", "worker")];
/// Time limit for the start.
const PATIENCE: Duration = Duration::from_secs(60);
/// The components. Each listens on one port for HTTP and one for the other components.
const PARTS: [&str; 4] = ["master", "volume", "filer", "s3"];

/// A running store. Dropping it kills the process.
pub struct Storage {
    child: Child,
    _folder: TempDir,
    ports: [u16; 2 * PARTS.len()],
    /// The base URL.
    pub url: String,
}

/// Returns the store's binary, which `SEAWEEDFS` names. Without it, tests that need a store are skipped, or fail if
/// `REQUIRE_SEAWEEDFS` is set.
fn binary() -> Option<PathBuf> {
    let named = std::env::var_os("SEAWEEDFS").map(PathBuf::from);
    assert!(named.is_some() || std::env::var_os("REQUIRE_SEAWEEDFS").is_none(), "there is no SeaweedFS");
    named
}

/// Returns the store's configuration of users.
fn keys() -> Value {
    let policy = |role: &str| {
        let file = repo::root().join(format!("deploy/store/{role}.json"));
        let text = std::fs::read_to_string(file).unwrap();
        json!({"name": role, "content": text.replace("arn:aws:s3:::vivid", &format!("arn:aws:s3:::{BUCKET}"))})
    };
    let credentials = |name: &str| json!([{"accessKey": name, "secretKey": name}]);
    let admin = json!({"name": "test", "actions": ["Admin"], "credentials": credentials("test")});
    let users =
        USERS.iter().map(|(name, role)| json!({"name": name, "policyNames": [role], "credentials": credentials(name)}));
    json!({
        "identities": std::iter::once(admin).chain(users).collect::<Vec<_>>(),
        "policies": [policy("coordinator"), policy("worker")],
    })
}

impl Storage {
    /// Starts a store with an empty bucket. `None` without a binary.
    pub fn start() -> Option<Self> {
        let binary = binary()?;
        // The ports must be chosen in advance, and another process may take one of them in the meantime.
        let begun = (0..5).find_map(|_| Self::launch(&binary));
        Some(begun.expect("the store begins"))
    }

    fn launch(binary: &Path) -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let free = [(); 2 * PARTS.len()].map(|()| TcpListener::bind("127.0.0.1:0").unwrap());
        let ports = free.map(|listener| listener.local_addr().unwrap().port());
        let within = |name: &str| folder.path().join(name).display().to_string();
        std::fs::write(within("keys.json"), keys().to_string()).unwrap();
        let mut command = Command::new(binary);
        command.arg(format!("-logdir={}", folder.path().display())).args(["server", "-filer", "-s3"]);
        command.args(["-ip=127.0.0.1", "-ip.bind=127.0.0.1", "-dir"]).arg(folder.path());
        for (part, ports) in PARTS.iter().zip(ports.chunks(2)) {
            command.args([format!("-{part}.port={}", ports[0]), format!("-{part}.port.grpc={}", ports[1])]);
        }
        // Disables telemetry and other services, and minimizes resources.
        command.args(["-master.telemetry=false", "-s3.iam=false", "-s3.port.iceberg=0", "-s3.port.lance=0"]);
        command.args(["-master.volumeSizeLimitMB=64", "-volume.max=0", "-volume.minFreeSpace=0"]);
        command.args(["-master.electionTimeout=1s", "-master.heartbeatInterval=50ms"]);
        command.args([
            format!("-filer.localSocket={}", within("filer.sock")),
            format!("-s3.config={}", within("keys.json")),
        ]);
        command.arg(format!("-s3.localSocket={}", within("s3.sock")));
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).current_dir(&folder);
        let child = command.spawn().unwrap();
        let [.., s3, _] = ports;
        let mut storage = Self { child, _folder: folder, ports, url: format!("http://127.0.0.1:{s3}") };
        let until = Instant::now() + PATIENCE;
        while !storage.is_ready() {
            if storage.child.try_wait().unwrap().is_some() {
                return None;
            }
            assert!(Instant::now() < until, "the store does not answer");
            std::thread::sleep(Duration::from_millis(20));
        }
        Some(storage)
    }

    /// Creates the bucket, and checks that the S3 endpoint accepts writes.
    fn is_ready(&self) -> bool {
        let says = |port: u16, method: &str, path: &str, status: &str| {
            let head = format!("{method} {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n");
            let asked = exchange(&format!("127.0.0.1:{port}"), format!("{head}Content-Length: 1\r\n\r\nx").as_bytes());
            asked.is_ok_and(|answer| answer.starts_with(&format!("HTTP/1.1 {status}")))
        };
        let [.., filer, _, s3, _] = self.ports;
        says(s3, "GET", "/healthz", "200") && says(filer, "PUT", &format!("/buckets/{BUCKET}/ready"), "201")
    }

    /// Returns the environment variables of a client with full access.
    pub fn environment(&self) -> [(&str, &str); 4] {
        self.environment_of("test")
    }

    /// The same for a user of the shipped policies: `coordinator`, `worker-1`, `worker-2`.
    pub fn environment_of<'s>(&'s self, user: &'s str) -> [(&'s str, &'s str); 4] {
        [
            ("AWS_ENDPOINT_URL", self.url.as_str()),
            ("AWS_ACCESS_KEY_ID", user),
            ("AWS_SECRET_ACCESS_KEY", user),
            ("AWS_REGION", "us-east-1"),
        ]
    }
}

impl Drop for Storage {
    fn drop(&mut self) {
        // Fails if the process has already ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
        // The components also create sockets in a folder that can't be configured.
        for (part, ports) in PARTS.iter().zip(self.ports.chunks(2)) {
            let _ = std::fs::remove_file(format!("/tmp/seaweedfs-{part}-grpc-{}.sock", ports[1]));
        }
    }
}
