//! A server of the chat protocol on loopback, for tests. It answers what a script says, byte for byte, so that tests
//! can send answers that no correct server sends. The tests of other crates include this file.

#![allow(dead_code, reason = "each of the suites that include this file needs a part of it")]

use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// The answer to a request.
#[derive(Debug, Clone)]
pub enum Reply {
    /// The model's text, in a valid answer.
    Says(String),
    /// A status with headers and a body.
    Status(u16, &'static str, String),
    /// Raw bytes, then the connection closes.
    Bytes(Vec<u8>),
    /// These texts as a stream of events, one per chunk; then, instead of an end, silence for this long.
    Streams(Vec<String>, Option<Duration>),
    /// Silence for this long.
    Silence(Duration),
    /// A body that never ends.
    Endless,
}

impl Reply {
    /// Returns an answer whose text is a JSON value.
    pub fn json(value: &Value) -> Self {
        Self::Says(value.to_string())
    }
}

/// A running server. It stops with the runtime that started it.
pub struct Server {
    /// The value for `base_url`.
    pub base: String,
    /// The heads and bodies of the POST requests.
    pub seen: Arc<Mutex<Vec<(String, Value)>>>,
}

impl Server {
    /// Starts a server that answers the n-th POST request, from 0, and its body by `script`. GET requests are not
    /// counted: the script gets `usize::MAX` and a null body for them.
    pub async fn start(script: impl Fn(usize, &Value) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}/v1", listener.local_addr().unwrap());
        let seen: Arc<Mutex<Vec<(String, Value)>>> = Arc::default();
        let (script, noted) = (Arc::new(script), Arc::clone(&seen));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (script, seen) = (Arc::clone(&script), Arc::clone(&noted));
                tokio::spawn(async move {
                    let Some((stream, head, body)) = request(stream).await else { return };
                    let n = if head.starts_with("GET ") {
                        usize::MAX
                    } else {
                        let mut seen = seen.lock();
                        seen.push((head, body.clone()));
                        seen.len() - 1
                    };
                    // A client that stops reading closes the connection.
                    let _ = answer(stream, script(n, &body)).await;
                });
            }
        });
        Self { base, seen }
    }

    /// Returns how many POST requests arrived.
    pub fn count(&self) -> usize {
        self.seen.lock().len()
    }
}

/// Reads the head and the body of a request.
async fn request(mut stream: TcpStream) -> Option<(TcpStream, String, Value)> {
    let mut bytes = Vec::new();
    loop {
        let mut piece = [0; 4096];
        let n = stream.read(&mut piece).await.ok()?;
        bytes.extend_from_slice(&piece[..n]);
        let end = bytes.windows(4).position(|w| w == b"\r\n\r\n");
        let head = end.map(|end| String::from_utf8_lossy(&bytes[..end]).into_owned());
        if let Some(head) = head.as_ref().filter(|head| head.starts_with("GET ")) {
            return Some((stream, head.clone(), Value::Null));
        }
        let length = head.as_deref().and_then(|h| {
            let line = h.lines().find(|l| l.to_ascii_lowercase().starts_with("content-length:"))?;
            line.split(':').nth(1)?.trim().parse::<usize>().ok()
        });
        if let (Some(end), Some(head), Some(length)) = (end, head, length)
            && bytes.len() >= end + 4 + length
        {
            let body = serde_json::from_slice(&bytes[end + 4..end + 4 + length]).ok()?;
            return Some((stream, head, body));
        }
        if n == 0 {
            return None;
        }
    }
}

async fn answer(mut stream: TcpStream, reply: Reply) -> std::io::Result<()> {
    let whole = |status: u16, headers: &str, body: &str| {
        let length = body.len();
        let head = format!(
            "HTTP/1.1 {status} x\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n{headers}\r\n"
        );
        format!("{head}{body}").into_bytes()
    };
    let bytes = match reply {
        Reply::Says(words) => whole(200, "", &completion(&words)),
        Reply::Status(status, headers, body) => whole(status, headers, &body),
        Reply::Bytes(bytes) => bytes,
        Reply::Streams(words, silence) => {
            stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\n\r\n").await?;
            for words in words {
                let chunk = json!({ "choices": [{ "index": 0, "delta": { "content": words } }] });
                stream.write_all(format!("data: {chunk}\n\n").as_bytes()).await?;
            }
            if let Some(silence) = silence {
                tokio::time::sleep(silence).await;
                return Ok(());
            }
            let end = json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": "stop" }] });
            let usage = json!({ "choices": [], "usage": { "prompt_tokens": 100, "completion_tokens": 50 } });
            stream.write_all(format!("data: {end}\n\ndata: {usage}\n\ndata: [DONE]\n\n").as_bytes()).await?;
            return stream.shutdown().await;
        }
        Reply::Silence(time) => {
            tokio::time::sleep(time).await;
            return Ok(());
        }
        Reply::Endless => {
            stream.write_all(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n").await?;
            let chunk = format!("4000\r\n{}\r\n", " ".repeat(0x4000));
            loop {
                stream.write_all(chunk.as_bytes()).await?;
            }
        }
    };
    stream.write_all(&bytes).await?;
    stream.shutdown().await
}

/// Returns a valid answer with this text, as servers of the protocol send it.
pub fn completion(words: &str) -> String {
    json!({
        "id": "chatcmpl-1", "object": "chat.completion", "created": 1_790_000_000, "model": "test",
        "choices": [{
            "index": 0, "message": {"role": "assistant", "content": words, "refusal": null}, "logprobs": null,
            "finish_reason": "stop",
        }],
        "usage": {"prompt_tokens": 100, "completion_tokens": 50, "total_tokens": 150},
    })
    .to_string()
}
