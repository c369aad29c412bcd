//! An object store that speaks S3's language and holds to it (SeaweedFS): signatures are checked, and what is to be put
//! only where nothing is, is. On ports of its own, in a folder that is thrown away.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::repo;
use crate::service::exchange;

/// The bucket that is there.
pub const BUCKET: &str = "pictures";
/// Who may use it under the policies that `deploy/store` ships. The secret of each is its name.
const USERS: [(&str, &str); 3] = [("coordinator", "coordinator"), ("worker-1", "worker"), ("worker-2", "worker")];
/// How long it may take to begin.
const PATIENCE: Duration = Duration::from_secs(60);
/// Its parts; each listens on a port for HTTP and one for the others.
const PARTS: [&str; 4] = ["master", "volume", "filer", "s3"];

/// A running store; killed when dropped.
pub struct Storage {
    child: Child,
    _folder: TempDir,
    ports: [u16; 2 * PARTS.len()],
    /// Its base URL.
    pub url: String,
}

/// The store's binary: the one that `SEAWEEDFS` names. Where `REQUIRE_SEAWEEDFS` is set there must be one; without it,
/// tests that need one are passed over.
fn binary() -> Option<PathBuf> {
    let named = std::env::var_os("SEAWEEDFS").map(PathBuf::from);
    assert!(named.is_some() || std::env::var_os("REQUIRE_SEAWEEDFS").is_none(), "there is no SeaweedFS");
    named
}

/// What it knows of who may use it.
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
    /// Starts one with an empty bucket, where there is one to be started.
    pub fn start() -> Option<Self> {
        let binary = binary()?;
        // Its ports must be chosen for it, and somebody else may have taken one of them meanwhile.
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
        // Nobody is told of it, nothing else is served, and it keeps as little as it can.
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

    /// Whether something can be put into the bucket, which that makes, and the door of S3 is open.
    fn is_ready(&self) -> bool {
        let says = |port: u16, method: &str, path: &str, status: &str| {
            let head = format!("{method} {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n");
            let asked = exchange(&format!("127.0.0.1:{port}"), format!("{head}Content-Length: 1\r\n\r\nx").as_bytes());
            asked.is_ok_and(|answer| answer.starts_with(&format!("HTTP/1.1 {status}")))
        };
        let [.., filer, _, s3, _] = self.ports;
        says(s3, "GET", "/healthz", "200") && says(filer, "PUT", &format!("/buckets/{BUCKET}/ready"), "201")
    }

    /// What a client of it finds in its environment that may do everything.
    pub fn environment(&self) -> [(&str, &str); 4] {
        self.environment_of("test")
    }

    /// The same, of a client that may do what the shipped policies say of it: `coordinator`, `worker-1`, `worker-2`.
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
        // Gone already where it was killed, or ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
        // Its parts also meet at sockets whose folder can't be chosen.
        for (part, ports) in PARTS.iter().zip(self.ports.chunks(2)) {
            let _ = std::fs::remove_file(format!("/tmp/seaweedfs-{part}-grpc-{}.sock", ports[1]));
        }
    }
}
