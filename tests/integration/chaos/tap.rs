//! A minimal NATS client that listens, republishes, and sends requests: the text protocol over one connection, on a
//! separate thread.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::mpsc::{Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde_json::Value;

/// Time limit for a server's answer.
const PATIENCE: Duration = Duration::from_secs(60);
/// The inbox for the server's own answers.
const ANSWERS: &str = "_INBOX.tests";

/// A message on the queue.
pub struct Heard<'m> {
    /// The subject of the message.
    pub subject: &'m str,
    /// The subject for the answer, if one is expected.
    pub answer_to: Option<&'m str>,
    /// The payload, without headers.
    pub said: &'m [u8],
}

/// Listens until dropped. Dropping it fails the test if the callback panicked.
pub struct Tap {
    stream: TcpStream,
    listener: Option<JoinHandle<()>>,
}

impl Tap {
    /// Subscribes to `subjects` at the server at `url`. Messages that `heard` returns are published to the same
    /// subject, and are not received here again.
    pub fn open(url: &str, subjects: &[&str], heard: impl FnMut(&Heard<'_>) -> Vec<Vec<u8>> + Send + 'static) -> Self {
        let stream = connect(url, subjects).unwrap();
        let (ready, heard_it) = channel();
        let listening = stream.try_clone().unwrap();
        let listener = std::thread::spawn(move || {
            // The connection ended with the server or with this tap; there is nothing more to receive.
            let _ = listen(listening, heard, &ready);
        });
        heard_it.recv_timeout(PATIENCE).expect("the server answers");
        Self { stream, listener: Some(listener) }
    }
}

impl Drop for Tap {
    fn drop(&mut self) {
        let _ = self.stream.shutdown(Shutdown::Both);
        let ended = self.listener.take().map(JoinHandle::join);
        assert!(std::thread::panicking() || matches!(ended, Some(Ok(()))), "what the tap heard was not to be");
    }
}

/// Opens a connection and subscribes to these subjects. A `PONG` confirms the subscriptions.
fn connect(url: &str, subjects: &[&str]) -> std::io::Result<TcpStream> {
    let mut stream = TcpStream::connect(url.strip_prefix("nats://").expect("a server's URL"))?;
    let subscribed: String = subjects.iter().enumerate().map(|(n, s)| format!("SUB {s} {n}\r\n")).collect();
    stream.write_all(format!("CONNECT {{\"verbose\":false,\"echo\":false}}\r\n{subscribed}PING\r\n").as_bytes())?;
    Ok(stream)
}

fn listen(
    mut stream: TcpStream,
    mut heard: impl FnMut(&Heard<'_>) -> Vec<Vec<u8>>,
    ready: &Sender<()>,
) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream.try_clone()?);
    loop {
        let mut line = String::new();
        if lines.read_line(&mut line)? == 0 {
            return Ok(());
        }
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        match words.as_slice() {
            ["PING"] => stream.write_all(b"PONG\r\n")?,
            // The subscriptions are in place.
            ["PONG"] => _ = ready.send(()),
            // MSG SUBJECT SUBSCRIPTION [ANSWER-TO] BYTES
            ["MSG", subject, _, answer_to @ .., bytes] => {
                let mut message = vec![0; bytes.parse::<usize>().expect("a length") + 2];
                lines.read_exact(&mut message)?;
                message.truncate(message.len() - 2);
                let heard_now = Heard { subject, answer_to: answer_to.first().copied(), said: &message };
                for again in heard(&heard_now) {
                    let said = format!("PUB {subject} {}\r\n", again.len());
                    stream.write_all(&[said.as_bytes(), &again, b"\r\n"].concat())?;
                }
            }
            _ => {}
        }
    }
}

/// Returns the number of messages in a stream of the server at `url`, or `None` if there is no such stream.
pub fn messages(url: &str, stream: &str) -> Option<u64> {
    let until = Instant::now() + PATIENCE;
    loop {
        // There is no answer until the server has recovered its streams.
        if let Ok(answer) = ask(url, &format!("$JS.API.STREAM.INFO.{stream}")) {
            let answer: Value = serde_json::from_slice(&answer).unwrap();
            let count = answer.pointer("/state/messages").and_then(Value::as_u64);
            assert!(count.is_some() || answer["error"]["code"] == 404, "{answer:#}");
            return count;
        }
        assert!(Instant::now() < until, "nobody knows of {stream}");
    }
}

/// Sends an empty request and returns the answer.
fn ask(url: &str, subject: &str) -> std::io::Result<Vec<u8>> {
    let mut stream = connect(url, &[ANSWERS])?;
    stream.set_read_timeout(Some(Duration::from_secs(1)))?;
    stream.write_all(format!("PUB {subject} {ANSWERS} 0\r\n\r\n").as_bytes())?;
    let mut lines = BufReader::new(stream);
    loop {
        let mut line = String::new();
        if lines.read_line(&mut line)? == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        if let ["MSG", .., bytes] = line.split_ascii_whitespace().collect::<Vec<_>>().as_slice() {
            let mut message = vec![0; bytes.parse::<usize>().expect("a length")];
            lines.read_exact(&mut message)?;
            return Ok(message);
        }
    }
}
