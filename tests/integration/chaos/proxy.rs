//! A proxy in front of a server that simulates faulty networks and servers. The fault can be changed at any time.

use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use super::Dice;

/// Interval between two checks of the current fault.
const LOOK: Duration = Duration::from_millis(5);
/// Maximum size of a request or response in bytes.
const MESSAGE: usize = 16 << 20;

/// The fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// No fault.
    Pass,
    /// Bytes are delayed by this much in each direction; HTTP responses are delayed by this much.
    Slow(Duration),
    /// Nothing arrives, without any error. What was sent arrives when this fault ends.
    Silent,
    /// Connections are cut, and new ones are cut immediately.
    Down,
    /// This percentage of HTTP requests gets 503 and never reaches the server.
    Failing(u64),
    /// This percentage of HTTP responses is cut off halfway.
    Cutting(u64),
    /// This percentage of PUT requests gets a success response without storing the object. Half of these objects are
    /// lost; the others are returned truncated to half their size.
    Lying(u64),
}

/// Counts HTTP requests by what happened to them.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Done {
    /// Passed on unchanged.
    pub passed: u64,
    /// Passed on late.
    pub slowed: u64,
    /// Answered with 503.
    pub failed: u64,
    /// Response cut off.
    pub cut: u64,
    /// PUT lost.
    pub lost: u64,
    /// PUT, and truncated since.
    pub shortened: u64,
    /// Connections refused.
    pub refused: u64,
}

impl Done {
    /// The sum of all counts.
    pub fn all(&self) -> u64 {
        let Self { passed, slowed, failed, cut, lost, shortened, refused } = self;
        passed + slowed + failed + cut + lost + shortened + refused
    }

    /// The difference from earlier counts.
    pub fn since(&self, before: &Self) -> Self {
        Self {
            passed: self.passed - before.passed,
            slowed: self.slowed - before.slowed,
            failed: self.failed - before.failed,
            cut: self.cut - before.cut,
            lost: self.lost - before.lost,
            shortened: self.shortened - before.shortened,
            refused: self.refused - before.refused,
        }
    }
}

impl std::fmt::Display for Done {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { passed, slowed, failed, cut, lost, shortened, refused } = self;
        write!(f, "{passed} requests passed")?;
        let others = [(slowed, "late"), (failed, "failed"), (cut, "cut off"), (lost, "puts lost")];
        for (count, what) in others.into_iter().chain([(shortened, "puts cut short"), (refused, "refused")]) {
            if *count > 0 {
                write!(f, ", {count} {what}")?;
            }
        }
        Ok(())
    }
}

/// A running proxy. It listens until the test ends.
pub struct Proxy {
    /// The URL to use instead of the server's.
    pub url: String,
    shared: Arc<Shared>,
}

struct Shared {
    server: String,
    mode: Mutex<Mode>,
    open: Mutex<Vec<TcpStream>>,
    chance: Mutex<Dice>,
    done: Mutex<Done>,
    /// Paths of truncated objects.
    short: Mutex<BTreeSet<String>>,
}

impl Proxy {
    /// Starts a proxy in front of the server at `url`. It forwards bytes, or handles HTTP messages if the URL has that
    /// scheme.
    pub fn before(url: &str) -> Self {
        let (scheme, server) = url.split_once("://").expect("a URL");
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address: SocketAddr = listener.local_addr().unwrap();
        let shared = Arc::new(Shared {
            server: server.to_owned(),
            mode: Mutex::new(Mode::Pass),
            open: Mutex::default(),
            chance: Mutex::new(Dice::of(7)),
            done: Mutex::default(),
            short: Mutex::default(),
        });
        let (is_http, listening) = (scheme == "http", Arc::clone(&shared));
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let shared = Arc::clone(&listening);
                std::thread::spawn(move || {
                    // Either end may close the connection at any time.
                    let _ = if is_http { shared.exchange(stream) } else { shared.relay(&stream) };
                });
            }
        });
        Self { url: format!("{scheme}://{address}"), shared }
    }

    /// Sets the fault, which also applies to open connections.
    pub fn set(&self, mode: Mode) {
        *self.shared.mode.lock() = mode;
        let open = std::mem::take(&mut *self.shared.open.lock());
        if mode == Mode::Down {
            open.iter().for_each(close);
        } else {
            self.shared.open.lock().extend(open);
        }
    }

    /// Returns the counts of HTTP requests.
    pub fn done(&self) -> Done {
        *self.shared.done.lock()
    }
}

fn close(stream: &TcpStream) {
    // The connection may already be closed.
    let _ = stream.shutdown(Shutdown::Both);
}

impl Shared {
    fn mode(&self) -> Mode {
        *self.mode.lock()
    }

    /// Registers a connection so that it can be cut.
    fn note(&self, stream: &TcpStream) -> std::io::Result<()> {
        let mut open = self.open.lock();
        if self.mode() == Mode::Down {
            self.count(|done| &mut done.refused);
            return Err(std::io::ErrorKind::ConnectionReset.into());
        }
        // Drop connections that have ended.
        open.retain(|stream| stream.peer_addr().is_ok());
        open.push(stream.try_clone()?);
        Ok(())
    }

    fn count(&self, what: impl FnOnce(&mut Done) -> &mut u64) {
        *what(&mut self.done.lock()) += 1;
    }

    /// Returns true with this probability in percent.
    fn hits(&self, percent: u64) -> bool {
        self.chance.lock().within(0..100) < percent
    }

    /// Forwards bytes in both directions.
    fn relay(self: &Arc<Self>, client: &TcpStream) -> std::io::Result<()> {
        self.note(client)?;
        let server = TcpStream::connect(&self.server)?;
        self.note(&server)?;
        for (from, to) in [(client, &server), (&server, client)] {
            from.set_nodelay(true)?;
            let (sender, parts) = channel();
            let (from, to, shared) = (from.try_clone()?, to.try_clone()?, Arc::clone(self));
            std::thread::spawn(move || read(from, &sender));
            std::thread::spawn(move || shared.write(to, &parts));
        }
        Ok(())
    }

    /// Writes what was read, each part at its due time.
    fn write(&self, mut to: TcpStream, parts: &Receiver<(Instant, Vec<u8>)>) {
        while let Ok((read, part)) = parts.recv() {
            loop {
                let due = match self.mode() {
                    Mode::Silent => None,
                    Mode::Slow(later) => Some(read + later),
                    _ => Some(read),
                };
                match due {
                    Some(due) if due <= Instant::now() => break,
                    _ => std::thread::sleep(LOOK),
                }
            }
            if to.write_all(&part).is_err() {
                break;
            }
        }
        close(&to);
    }

    /// Handles one request and its response, over a new connection to the server.
    fn exchange(&self, mut client: TcpStream) -> std::io::Result<()> {
        self.note(&client)?;
        let Some(request) = message(&mut client, Part::Request)? else { return Ok(()) };
        if matches!(self.mode(), Mode::Failing(percent) if self.hits(percent)) {
            self.count(|done| &mut done.failed);
            let answer = "HTTP/1.1 503 Slow Down\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
            return client.write_all(answer.as_bytes());
        }
        let line = String::from_utf8_lossy(&request).lines().next().unwrap_or_default().to_owned();
        let (method, path) = line.split_once(' ').unwrap_or_default();
        let path = path.split(['?', ' ']).next().unwrap_or_default();
        if method == "PUT" {
            self.short.lock().remove(path);
            if matches!(self.mode(), Mode::Lying(percent) if self.hits(percent)) {
                if self.hits(50) {
                    self.count(|done| &mut done.lost);
                    let answer = "HTTP/1.1 200 OK\r\nETag: \"lost\"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
                    return client.write_all(answer.as_bytes());
                }
                self.count(|done| &mut done.shortened);
                self.short.lock().insert(path.to_owned());
            }
        }
        let mut server = TcpStream::connect(&self.server)?;
        server.write_all(&alone(&request))?;
        let part = if method == "HEAD" { Part::Head } else { Part::Answer };
        let answer = message(&mut server, part)?.ok_or(std::io::ErrorKind::UnexpectedEof)?;
        let mut answer = alone(&answer);
        if ["HEAD", "GET"].contains(&method) && self.short.lock().contains(path) {
            answer = halved(&answer);
        }
        self.deliver(&answer, &mut client)?;
        close(&client);
        Ok(())
    }

    /// Sends a response to the client, with the current fault applied.
    fn deliver(&self, answer: &[u8], client: &mut TcpStream) -> std::io::Result<()> {
        let answered = Instant::now();
        loop {
            match self.mode() {
                Mode::Silent => {}
                Mode::Slow(later) if answered.elapsed() < later => {}
                Mode::Cutting(percent) if self.hits(percent) => {
                    self.count(|done| &mut done.cut);
                    return client.write_all(&answer[..answer.len() / 2]);
                }
                mode => {
                    let is_slow = matches!(mode, Mode::Slow(_));
                    self.count(|done| if is_slow { &mut done.slowed } else { &mut done.passed });
                    return client.write_all(answer);
                }
            }
            std::thread::sleep(LOOK);
        }
    }
}

fn read(mut from: TcpStream, parts: &Sender<(Instant, Vec<u8>)>) {
    let mut part = vec![0; 64 << 10];
    while let Ok(bytes @ 1..) = from.read(&mut part) {
        if parts.send((Instant::now(), part[..bytes].to_vec())).is_err() {
            break;
        }
    }
}

/// The kind of message that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Request,
    Answer,
    /// A response to HEAD, which has no body whatever its headers say.
    Head,
}

/// Reads a complete request or response. Returns `None` at the end of the connection.
fn message(from: &mut TcpStream, what: Part) -> std::io::Result<Option<Vec<u8>>> {
    let (mut bytes, mut part) = (Vec::new(), vec![0; 64 << 10]);
    loop {
        let head = head(&bytes);
        let length = head.and_then(|head| length(&bytes[..head]));
        if let Some(head) = head {
            // A response without a length ends with its connection.
            let body = if what == Part::Answer { length } else { Some(length.unwrap_or(0)) };
            if what == Part::Head || body.is_some_and(|body| bytes.len() >= head + body) {
                return Ok(Some(bytes));
            }
        }
        match from.read(&mut part)? {
            0 if bytes.is_empty() => return Ok(None),
            0 if head.is_some() && length.is_none() => return Ok(Some(bytes)),
            0 => return Err(std::io::ErrorKind::UnexpectedEof.into()),
            read => bytes.extend_from_slice(&part[..read]),
        }
        assert!(bytes.len() <= MESSAGE, "too long for a message");
    }
}

/// Returns the body length that the head declares.
fn length(head: &[u8]) -> Option<usize> {
    let text = String::from_utf8_lossy(head).to_ascii_lowercase();
    text.lines().find_map(|line| line.strip_prefix("content-length:")?.trim().parse().ok())
}

/// Returns the response that the server would give if only half of the object were stored.
fn halved(answer: &[u8]) -> Vec<u8> {
    let end = head(answer).expect("it was read to its end");
    let (head, body) = answer.split_at(end);
    let Some(length) = length(head).filter(|_| head.starts_with(b"HTTP/1.1 200")) else { return answer.to_vec() };
    let text = String::from_utf8_lossy(head);
    let is_length = |line: &&str| line.to_ascii_lowercase().starts_with("content-length:");
    let kept: String = text.split_inclusive("\r\n").filter(|line| !is_length(line) && line.trim() != "").collect();
    let head = format!("{kept}Content-Length: {}\r\n\r\n", length / 2);
    [head.as_bytes(), &body[..body.len().min(length / 2)]].concat()
}

/// Returns the end of a message's head.
fn head(bytes: &[u8]) -> Option<usize> {
    Some(bytes.windows(4).position(|w| w == b"\r\n\r\n")? + 4)
}

/// Returns the message with `Connection: close`.
fn alone(message: &[u8]) -> Vec<u8> {
    let end = head(message).expect("it was read to its end") - 2;
    let line = |line: &[u8]| line.to_ascii_lowercase().starts_with(b"connection:");
    let lines = message[..end].split_inclusive(|b| *b == b'\n').filter(|l| !line(l));
    let head: Vec<u8> = lines.flatten().copied().collect();
    [head.as_slice(), b"Connection: close\r\n", &message[end..]].concat()
}
