//! Stands in front of a server and does to its connections what networks and servers in trouble do; what that is can be
//! changed at any moment.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use super::Chance;

/// Between looks whether something has changed.
const LOOK: Duration = Duration::from_millis(5);
/// Bytes of a request or an answer.
const MESSAGE: usize = 16 << 20;

/// What is done to what passes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Nothing.
    Pass,
    /// Bytes arrive so much later, each way; answers over HTTP come so much later.
    Slow(Duration),
    /// Nothing arrives, and nobody is told: what was sent arrives when this ends.
    Silent,
    /// Connections are cut, and new ones at once.
    Down,
    /// So many in a hundred requests over HTTP are answered 503, and the server never hears of them.
    Failing(u64),
    /// So many in a hundred answers over HTTP are cut off halfway.
    Cutting(u64),
}

/// What was done over HTTP.
#[derive(Debug, Default)]
pub struct Done {
    passed: AtomicU64,
    failed: AtomicU64,
    cut: AtomicU64,
}

impl std::fmt::Display for Done {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let read = |count: &AtomicU64| count.load(Ordering::Relaxed);
        write!(f, "{} requests passed, {} failed, {} cut off", read(&self.passed), read(&self.failed), read(&self.cut))
    }
}

/// Listens until the test ends.
pub struct Proxy {
    /// The URL to be used instead of the server's.
    pub url: String,
    shared: Arc<Shared>,
}

struct Shared {
    server: String,
    mode: Mutex<Mode>,
    open: Mutex<Vec<TcpStream>>,
    chance: Mutex<Chance>,
    done: Done,
}

impl Proxy {
    /// Stands in front of the server at `url`, of which it knows no more than bytes, or HTTP where the URL says so.
    pub fn before(url: &str) -> Self {
        let (scheme, server) = url.split_once("://").expect("a URL");
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address: SocketAddr = listener.local_addr().unwrap();
        let shared = Arc::new(Shared {
            server: server.to_owned(),
            mode: Mutex::new(Mode::Pass),
            open: Mutex::default(),
            chance: Mutex::new(Chance::of(7)),
            done: Done::default(),
        });
        let (is_http, listening) = (scheme == "http", Arc::clone(&shared));
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let shared = Arc::clone(&listening);
                std::thread::spawn(move || {
                    // Either end may go at any moment.
                    let _ = if is_http { shared.exchange(stream) } else { shared.relay(&stream) };
                });
            }
        });
        Self { url: format!("{scheme}://{address}"), shared }
    }

    /// Does this from now on, to connections that there are as well.
    pub fn set(&self, mode: Mode) {
        *self.shared.mode.lock().unwrap() = mode;
        let open = std::mem::take(&mut *self.shared.open.lock().unwrap());
        if mode == Mode::Down {
            open.iter().for_each(close);
        } else {
            self.shared.open.lock().unwrap().extend(open);
        }
    }

    /// What was done over HTTP.
    pub fn done(&self) -> &Done {
        &self.shared.done
    }
}

fn close(stream: &TcpStream) {
    // It may be closed already.
    let _ = stream.shutdown(Shutdown::Both);
}

impl Shared {
    fn mode(&self) -> Mode {
        *self.mode.lock().unwrap()
    }

    /// Notes a connection, to cut it when the time comes.
    fn note(&self, stream: &TcpStream) -> std::io::Result<()> {
        let mut open = self.open.lock().unwrap();
        if self.mode() == Mode::Down {
            return Err(std::io::ErrorKind::ConnectionReset.into());
        }
        // Those that have ended say so no more.
        open.retain(|stream| stream.peer_addr().is_ok());
        open.push(stream.try_clone()?);
        Ok(())
    }

    /// Whether chance has it that this is one of so many in a hundred.
    fn hits(&self, percent: u64) -> bool {
        self.chance.lock().unwrap().within(0..100) < percent
    }

    /// Bytes both ways.
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

    /// Writes what was read, each part in its time.
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

    /// One request and its answer, over a connection of their own.
    fn exchange(&self, mut client: TcpStream) -> std::io::Result<()> {
        self.note(&client)?;
        let Some(request) = message(&mut client, false)? else { return Ok(()) };
        if matches!(self.mode(), Mode::Failing(percent) if self.hits(percent)) {
            self.done.failed.fetch_add(1, Ordering::Relaxed);
            let answer = "HTTP/1.1 503 Slow Down\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
            return client.write_all(answer.as_bytes());
        }
        let mut server = TcpStream::connect(&self.server)?;
        server.write_all(&alone(&request))?;
        let is_head = request.starts_with(b"HEAD ");
        let answer = message(&mut server, is_head)?.ok_or(std::io::ErrorKind::UnexpectedEof)?;
        let answer = alone(&answer);
        let answered = Instant::now();
        loop {
            match self.mode() {
                Mode::Silent => {}
                Mode::Slow(later) if answered.elapsed() < later => {}
                Mode::Cutting(percent) if self.hits(percent) => {
                    self.done.cut.fetch_add(1, Ordering::Relaxed);
                    client.write_all(&answer[..answer.len() / 2])?;
                    break;
                }
                _ => {
                    self.done.passed.fetch_add(1, Ordering::Relaxed);
                    client.write_all(&answer)?;
                    break;
                }
            }
            std::thread::sleep(LOOK);
        }
        close(&client);
        Ok(())
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

/// A request or an answer, read whole; nothing where none comes.
fn message(from: &mut TcpStream, is_bare: bool) -> std::io::Result<Option<Vec<u8>>> {
    let (mut bytes, mut part) = (Vec::new(), vec![0; 64 << 10]);
    loop {
        if let Some(head) = head(&bytes) {
            let text = String::from_utf8_lossy(&bytes[..head]).to_ascii_lowercase();
            let length = text.lines().find_map(|line| line.strip_prefix("content-length:")?.trim().parse().ok());
            if is_bare || bytes.len() >= head + length.unwrap_or(0) {
                return Ok(Some(bytes));
            }
        }
        match from.read(&mut part)? {
            0 if bytes.is_empty() => return Ok(None),
            0 => return Err(std::io::ErrorKind::UnexpectedEof.into()),
            read => bytes.extend_from_slice(&part[..read]),
        }
        assert!(bytes.len() <= MESSAGE, "too long for a message");
    }
}

/// Where the head of a message ends.
fn head(bytes: &[u8]) -> Option<usize> {
    Some(bytes.windows(4).position(|w| w == b"\r\n\r\n")? + 4)
}

/// The same message, saying that none follows it.
fn alone(message: &[u8]) -> Vec<u8> {
    let end = head(message).expect("it was read to its end") - 2;
    let line = |line: &[u8]| line.to_ascii_lowercase().starts_with(b"connection:");
    let lines = message[..end].split_inclusive(|b| *b == b'\n').filter(|l| !line(l));
    let head: Vec<u8> = lines.flatten().copied().collect();
    [head.as_slice(), b"Connection: close\r\n", &message[end..]].concat()
}
