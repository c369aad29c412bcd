//! HTTP/1.1 connections with minimal overhead, so that the server gets nearly all of the two cores. Requests are
//! prepared bytes, and of a response only the status and the body length are parsed.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use serde::Serialize;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use crate::table;

/// Maximum bytes of a response head.
const HEAD_BYTES: usize = 16 << 10;

/// A keep-alive connection.
pub struct Wire {
    stream: TcpStream,
    read: Vec<u8>,
}

/// A response.
pub struct Reply {
    /// Its status.
    pub status: u16,
    /// Its body.
    pub body: Vec<u8>,
}

impl Wire {
    /// Connects to `HOST:PORT`.
    ///
    /// # Errors
    /// Fails if the connection fails.
    pub async fn open(address: &str) -> Result<Self> {
        let stream = TcpStream::connect(address).await.with_context(|| format!("connecting to {address}"))?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, read: Vec::with_capacity(HEAD_BYTES) })
    }

    /// Sends a request and reads the response.
    ///
    /// # Errors
    /// Fails if the connection fails, or if the response has no length.
    pub async fn ask(&mut self, request: &[u8]) -> Result<Reply> {
        self.stream.write_all(request).await?;
        self.read.clear();
        let head = loop {
            if let Some(at) = self.read.windows(4).position(|w| w == b"\r\n\r\n") {
                break at + 4;
            }
            ensure!(self.read.len() < HEAD_BYTES, "an answer's head has no end");
            self.more().await?;
        };
        let text = std::str::from_utf8(&self.read[..head]).context("an answer's head is no text")?;
        let status = text.get(9..12).and_then(|s| s.parse().ok()).context("an answer without a status")?;
        let length = text.lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().ok())?
        });
        let end = head + length.context("an answer without a length")?;
        while self.read.len() < end {
            self.more().await?;
        }
        Ok(Reply { status, body: self.read[head..end].to_vec() })
    }

    async fn more(&mut self) -> Result<()> {
        if self.stream.read_buf(&mut self.read).await? == 0 {
            bail!("the server closed a connection");
        }
        Ok(())
    }
}

/// The results of many requests.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Load {
    /// Number of requests that got a response.
    pub requests: usize,
    /// Concurrent requests.
    pub connections: usize,
    /// Responses per second.
    pub per_second: f64,
    /// Milliseconds from sending a request to the last byte of its response.
    pub p50_ms: f64,
    pub p99_ms: f64,
    pub max_ms: f64,
}

/// When to stop.
#[derive(Debug, Clone, Copy)]
pub enum Until {
    /// After this number of requests.
    Requests(usize),
    /// After this time.
    Time(Duration),
}

/// Sends requests over a number of connections; each sends the next request when it has the response. `request` builds
/// the n-th request; `keep` selects what to keep of a response.
///
/// # Errors
/// Fails if a connection fails, or if a response has another status than `wanted`.
pub async fn press<T: Send + 'static>(
    address: &str,
    connections: usize,
    until: Until,
    wanted: u16,
    request: impl Fn(usize) -> Vec<u8> + Send + Sync + 'static,
    keep: impl Fn(&[u8]) -> Option<T> + Send + Sync + 'static,
) -> Result<(Load, Vec<T>)> {
    let mut wires = Vec::with_capacity(connections);
    for _ in 0..connections {
        wires.push(Wire::open(address).await?);
    }
    let (asked, request, keep) = (Arc::new(AtomicUsize::new(0)), Arc::new(request), Arc::new(keep));
    let begun = Instant::now();
    let mut tasks = JoinSet::new();
    for mut wire in wires {
        let (asked, request, keep) = (Arc::clone(&asked), Arc::clone(&request), Arc::clone(&keep));
        tasks.spawn(async move {
            let (mut took, mut kept) = (Vec::new(), Vec::new());
            loop {
                let n = asked.fetch_add(1, Ordering::Relaxed);
                let enough = match until {
                    Until::Requests(all) => n >= all,
                    Until::Time(time) => begun.elapsed() >= time,
                };
                if enough {
                    return Ok((took, kept));
                }
                let bytes = request(n);
                let sent = Instant::now();
                let reply = wire.ask(&bytes).await?;
                took.push(sent.elapsed().as_secs_f64() * 1_000.0);
                let said = || String::from_utf8_lossy(&reply.body).into_owned();
                ensure!(reply.status == wanted, "answered {}, not {wanted}: {}", reply.status, said());
                kept.extend(keep(&reply.body));
            }
        });
    }
    let (mut took, mut kept) = (Vec::new(), Vec::new());
    while let Some(ended) = tasks.join_next().await {
        let (more_took, more_kept) = ended??;
        took.extend(more_took);
        kept.extend(more_kept);
    }
    let per_second = took.len() as f64 / begun.elapsed().as_secs_f64();
    let at = |q| table::quantile(&took, q);
    let load =
        Load { requests: took.len(), connections, per_second, p50_ms: at(0.5), p99_ms: at(0.99), max_ms: at(1.0) };
    Ok((load, kept))
}

/// Builds a GET with the key.
pub fn get(path: &str, key: &str) -> Vec<u8> {
    format!("GET {path} HTTP/1.1\r\nHost: bench\r\nX-API-Key: {key}\r\n\r\n").into_bytes()
}

/// Builds a POST of JSON with the key.
pub fn post(path: &str, key: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    let head = format!("POST {path} HTTP/1.1\r\nHost: bench\r\nX-API-Key: {key}\r\nContent-Type: application/json");
    format!("{head}\r\nContent-Length: {length}\r\n\r\n{body}").into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Answers every request on one connection, in chunks of a given number of bytes.
    async fn server(answer: &'static str, piece: usize) -> String {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut asked = [0; 1024];
            while stream.read(&mut asked).await.unwrap() > 0 {
                for piece in answer.as_bytes().chunks(piece) {
                    stream.write_all(piece).await.unwrap();
                    tokio::task::yield_now().await;
                }
            }
        });
        address
    }

    #[tokio::test]
    async fn answers_are_read_to_their_end_and_counted() {
        for piece in [1, 7, 1000] {
            let address = server("HTTP/1.1 202 Accepted\r\nX: y\r\ncontent-length: 5\r\n\r\nhello", piece).await;
            let ask = |n: usize| get(&format!("/{n}"), "k");
            let (load, kept) =
                press(&address, 1, Until::Requests(3), 202, ask, |body| Some(body.to_vec())).await.unwrap();
            assert_eq!((load.requests, kept), (3, vec![b"hello".to_vec(); 3]));
        }
    }

    #[tokio::test]
    async fn another_status_and_an_end_are_errors() {
        let address = server("HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n", 9).await;
        let asked = press(&address, 1, Until::Requests(1), 200, |_| get("/", "k"), |_| Some(())).await;
        assert!(asked.unwrap_err().to_string().contains("answered 500"));
        let address = server("HTTP/1.1 200 OK\r\n\r\n", 9).await;
        let asked = press(&address, 1, Until::Requests(1), 200, |_| get("/", "k"), |_| Some(())).await;
        assert!(asked.unwrap_err().to_string().contains("without a length"));
    }
}
