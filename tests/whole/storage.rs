//! An object store that speaks S3's language, on a port of its own and in memory.

use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::service::exchange;

/// The bucket that is there.
pub const BUCKET: &str = "pictures";

/// A running store; killed when dropped.
pub struct Storage {
    child: Child,
    /// Its base URL.
    pub url: String,
}

/// The store's binary: the one that `MOTO_SERVER` names. Where `REQUIRE_MOTO` is set there must be one; without it, tests
/// that need one are passed over.
fn binary() -> Option<PathBuf> {
    let named = std::env::var_os("MOTO_SERVER").map(PathBuf::from);
    assert!(named.is_some() || std::env::var_os("REQUIRE_MOTO").is_none(), "there is no moto_server");
    named
}

impl Storage {
    /// Starts one with an empty bucket, where there is one to be started.
    pub fn start() -> Option<Self> {
        let binary = binary()?;
        // It can't be asked for a free port, nor say which it has.
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let mut command = Command::new(binary);
        command.args(["-H", "127.0.0.1", "-p", &port.to_string()]);
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let storage = Self { child, url: format!("http://127.0.0.1:{port}") };
        let address = format!("127.0.0.1:{port}");
        for _ in 0..3_000 {
            if TcpStream::connect(&address).is_ok() {
                let request = format!("PUT /{BUCKET} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
                let made = exchange(&address, request.as_bytes()).unwrap();
                assert!(made.starts_with("HTTP/1.1 200"), "{made}");
                return Some(storage);
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("the store does not answer");
    }

    /// What a client of it finds in its environment.
    pub fn environment(&self) -> [(&str, &str); 4] {
        [
            ("AWS_ENDPOINT_URL", self.url.as_str()),
            ("AWS_ACCESS_KEY_ID", "test"),
            ("AWS_SECRET_ACCESS_KEY", "test"),
            ("AWS_REGION", "us-east-1"),
        ]
    }
}

impl Drop for Storage {
    fn drop(&mut self) {
        // Gone already where it was killed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
