//! A plain client of NATS that listens in, says things again, and asks: the text protocol over one connection, in a thread
//! of its own.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::mpsc::{Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde_json::Value;

/// How long a server may take to answer.
const PATIENCE: Duration = Duration::from_secs(60);
/// Where the server's own answers are awaited.
const ANSWERS: &str = "_INBOX.tests";

/// What somebody said.
pub struct Heard<'m> {
    /// To whom.
    pub subject: &'m str,
    /// Where an answer is awaited.
    pub answer_to: Option<&'m str>,
    /// The message itself, without headers.
    pub said: &'m [u8],
}

/// Listens until it is dropped; fails then, if what it heard was not to be.
pub struct Tap {
    stream: TcpStream,
    listener: Option<JoinHandle<()>>,
}

impl Tap {
    /// Hears what is said to `subjects` at the server at `url`; whatever `heard` answers is said to the same subject, and
    /// not heard again here.
    pub fn open(url: &str, subjects: &[&str], heard: impl FnMut(&Heard<'_>) -> Vec<Vec<u8>> + Send + 'static) -> Self {
        let stream = connect(url, subjects).unwrap();
        let (ready, heard_it) = channel();
        let listening = stream.try_clone().unwrap();
        let listener = std::thread::spawn(move || {
            // The end of the server, or of this: then there is nothing more to hear.
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

/// A connection over which these subjects are heard; a `PONG` comes once that is in place.
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
            // What was asked for before is in place.
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

/// The messages that a stream of the server at `url` holds; nothing where there is no such stream.
pub fn messages(url: &str, stream: &str) -> Option<u64> {
    let until = Instant::now() + PATIENCE;
    loop {
        // Nobody answers before the server has found its streams again.
        if let Ok(answer) = ask(url, &format!("$JS.API.STREAM.INFO.{stream}")) {
            let answer: Value = serde_json::from_slice(&answer).unwrap();
            let count = answer.pointer("/state/messages").and_then(Value::as_u64);
            assert!(count.is_some() || answer["error"]["code"] == 404, "{answer:#}");
            return count;
        }
        assert!(Instant::now() < until, "nobody knows of {stream}");
    }
}

/// The answer to a question without words.
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
