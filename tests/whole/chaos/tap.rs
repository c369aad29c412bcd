//! A plain client of NATS that listens in, and says things again: the text protocol over one connection, in a thread of
//! its own.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

/// Listens until it is dropped.
pub struct Tap {
    stream: TcpStream,
    listener: Option<JoinHandle<()>>,
}

impl Tap {
    /// Hears what is said to `subject` at the server at `url`; whatever `heard` answers is said to that subject, and not
    /// heard again here.
    pub fn open(url: &str, subject: &str, heard: impl FnMut(&[u8]) -> Vec<Vec<u8>> + Send + 'static) -> Self {
        let mut stream = TcpStream::connect(url.strip_prefix("nats://").expect("a server's URL")).unwrap();
        let hello = format!("CONNECT {{\"verbose\":false,\"echo\":false}}\r\nSUB {subject} 1\r\nPING\r\n");
        stream.write_all(hello.as_bytes()).unwrap();
        let (ready, heard_it) = channel();
        let listening = stream.try_clone().unwrap();
        let listener = std::thread::spawn(move || {
            // The end of the server, or of this: then there is nothing more to hear.
            let _ = listen(listening, heard, &ready);
        });
        heard_it.recv_timeout(Duration::from_secs(60)).expect("the server answers");
        Self { stream, listener: Some(listener) }
    }
}

impl Drop for Tap {
    fn drop(&mut self) {
        let _ = self.stream.shutdown(Shutdown::Both);
        if let Some(listener) = self.listener.take() {
            let _ = listener.join();
        }
    }
}

fn listen(
    mut stream: TcpStream,
    mut heard: impl FnMut(&[u8]) -> Vec<Vec<u8>>,
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
            ["MSG", subject, _, .., bytes] => {
                let mut message = vec![0; bytes.parse::<usize>().expect("a length") + 2];
                lines.read_exact(&mut message)?;
                message.truncate(message.len() - 2);
                for again in heard(&message) {
                    let said = format!("PUB {subject} {}\r\n", again.len());
                    stream.write_all(&[said.as_bytes(), &again, b"\r\n"].concat())?;
                }
            }
            _ => {}
        }
    }
}

/// Who came for which job, in the order in which they came.
#[derive(Clone, Default)]
pub struct Claims(Arc<Mutex<Vec<(String, String)>>>);

impl Claims {
    /// Notes them from now on, while the tap is open.
    pub fn of(url: &str) -> (Tap, Self) {
        let claims = Self::default();
        let noted = claims.clone();
        let tap = Tap::open(url, "vivid.desk.claim", move |said| {
            noted.0.lock().unwrap().push(read(said).unwrap_or_else(|| panic!("no claim: {said:02x?}")));
            Vec::new()
        });
        (tap, claims)
    }

    /// How often somebody came for this job.
    pub fn count(&self, job: &str) -> usize {
        self.0.lock().unwrap().iter().filter(|(claimed, _)| claimed == job).count()
    }

    /// How often somebody came for any.
    pub fn all(&self) -> usize {
        self.0.lock().unwrap().len()
    }

    /// What this worker came for last.
    pub fn last_of(&self, worker: &str) -> Option<String> {
        self.0.lock().unwrap().iter().rev().find(|(_, name)| name == worker).map(|(job, _)| job.clone())
    }
}

/// Job and worker of a request: a version, the ticket (a UUID with its length before it, epoch, class), and a name with
/// its length before it.
fn read(said: &[u8]) -> Option<(String, String)> {
    let (_, rest) = said.split_first()?;
    let (length, rest) = number(rest)?;
    let (uuid, rest) = rest.split_at_checked(length)?;
    let (_epoch, rest) = number(rest)?;
    let (_class, rest) = number(rest)?;
    let (length, name) = number(rest)?;
    let name = name.get(..length)?;
    let hex = hex::encode(uuid);
    let parts = [hex.get(..8)?, hex.get(8..12)?, hex.get(12..16)?, hex.get(16..20)?, hex.get(20..)?];
    Some((parts.join("-"), String::from_utf8_lossy(name).into_owned()))
}

/// A number as bincode writes it: one byte, or a mark of how many follow.
fn number(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let (first, rest) = bytes.split_first()?;
    match first {
        251 => Some((usize::from(u16::from_le_bytes(rest.get(..2)?.try_into().ok()?)), &rest[2..])),
        252 => Some((u32::from_le_bytes(rest.get(..4)?.try_into().ok()?) as usize, &rest[4..])),
        253.. => None,
        small => Some((usize::from(*small), rest)),
    }
}
