//! Stand-ins for the network, and servers on loopback.

use std::collections::HashMap;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use parking_lot::Mutex;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio_rustls::rustls::RootCertStore;

use super::super::{
    AllowedHost, Checked, Dialler, Fetcher, Guard, Limits, Parts, Poster, Resolver, Stream, TcpDialler,
};

/// A public address, of a host that these tests never dial.
pub const PUBLIC: &str = "93.184.216.34";

/// Answers from a table: each name has a list of answers, returned in turn; the last one repeats.
#[derive(Default)]
pub struct Names {
    answers: Mutex<HashMap<String, Vec<Vec<IpAddr>>>>,
    pub asked: Mutex<Vec<String>>,
}

impl Names {
    pub fn of(answers: &[(&str, &[&[&str]])]) -> Arc<Self> {
        let parse = |turn: &&[&str]| turn.iter().map(|a| a.parse().unwrap()).collect();
        let table = answers.iter().map(|(name, turns)| ((*name).to_owned(), turns.iter().map(parse).collect()));
        Arc::new(Self { answers: Mutex::new(table.collect()), asked: Mutex::default() })
    }

    pub fn times_asked(&self) -> usize {
        self.asked.lock().len()
    }
}

#[async_trait]
impl Resolver for Names {
    async fn resolve(&self, name: &str) -> io::Result<Vec<IpAddr>> {
        self.asked.lock().push(name.to_owned());
        let mut answers = self.answers.lock();
        let turns = answers.get_mut(name.trim_end_matches('.')).ok_or(io::ErrorKind::NotFound)?;
        Ok(if turns.len() > 1 { turns.remove(0) } else { turns[0].clone() })
    }
}

/// Where a dialler connects to.
enum Leads {
    /// Refuses every connection.
    Nowhere,
    /// To this address, whatever the caller dials.
    To(SocketAddr),
    /// To the dialled address, on another port. Only for loopback addresses.
    ToPort(u16),
}

/// Records what is dialled.
pub struct Line {
    leads: Leads,
    pub dialled: Mutex<Vec<SocketAddr>>,
}

impl Line {
    pub fn dead() -> Arc<Self> {
        Arc::new(Self { leads: Leads::Nowhere, dialled: Mutex::default() })
    }

    pub fn to(address: SocketAddr) -> Arc<Self> {
        Arc::new(Self { leads: Leads::To(address), dialled: Mutex::default() })
    }

    pub fn to_port(port: u16) -> Arc<Self> {
        Arc::new(Self { leads: Leads::ToPort(port), dialled: Mutex::default() })
    }

    pub fn dialled(&self) -> Vec<String> {
        self.dialled.lock().iter().map(ToString::to_string).collect()
    }
}

#[async_trait]
impl Dialler for Line {
    async fn dial(&self, to: Checked) -> io::Result<Box<dyn Stream>> {
        let address = to.address();
        self.dialled.lock().push(address);
        match self.leads {
            Leads::Nowhere => Err(io::ErrorKind::ConnectionRefused.into()),
            Leads::To(server) => Ok(Box::new(TcpStream::connect(server).await?)),
            Leads::ToPort(port) => {
                assert!(address.ip().is_loopback(), "{address} would have been dialled");
                Ok(Box::new(TcpStream::connect((address.ip(), port)).await?))
            }
        }
    }
}

/// How a server answers.
#[derive(Clone)]
pub enum Reply {
    /// Sends these bytes.
    Bytes(Vec<u8>),
    /// Sends these bytes, then one more at each interval.
    Drip(Vec<u8>, Duration),
    /// Sends these bytes, then more without end.
    Endless(Vec<u8>),
    /// Sends these bytes, then nothing more.
    Silence(Vec<u8>),
}

/// A server on loopback; it stops when dropped.
pub struct Server {
    pub address: SocketAddr,
    /// The head of each request, with its body if any.
    pub requests: Arc<Mutex<Vec<String>>>,
    _task: JoinSet<()>,
}

impl Server {
    /// Starts a server that answers each request with what `reply` returns for its head.
    pub async fn start(reply: impl Fn(&str) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let requests = Arc::new(Mutex::new(Vec::new()));
        let (noted, reply) = (Arc::clone(&requests), Arc::new(reply));
        let mut task = JoinSet::new();
        task.spawn(async move {
            let mut open = JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                open.spawn(serve(stream, Arc::clone(&noted), reply.clone()));
            }
        });
        Self { address, requests, _task: task }
    }

    /// Starts a server that sends the same reply to every request.
    pub async fn of(reply: Reply) -> Self {
        Self::start(move |_| reply.clone()).await
    }

    pub fn requests(&self) -> Vec<String> {
        self.requests.lock().clone()
    }
}

async fn serve(
    mut stream: TcpStream,
    noted: Arc<Mutex<Vec<String>>>,
    reply: Arc<impl Fn(&str) -> Reply + Send + Sync + 'static>,
) {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        match stream.read_u8().await {
            Ok(byte) => head.push(byte),
            // A closed connection or an incomplete request is recorded too.
            Err(_) => break,
        }
    }
    // Closing with unread bytes would reset the connection and cut off the answer.
    let length = String::from_utf8_lossy(&head).lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().unwrap())
    });
    let mut body = vec![0; length.unwrap_or(0)];
    if stream.read_exact(&mut body).await.is_ok() {
        head.append(&mut body);
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    let reply = reply(&head);
    noted.lock().push(head);
    // The client may have stopped reading.
    let _ = answer(stream, reply).await;
}

async fn answer(mut stream: TcpStream, reply: Reply) -> io::Result<()> {
    match reply {
        Reply::Bytes(bytes) => {
            stream.write_all(&bytes).await?;
            stream.shutdown().await
        }
        Reply::Drip(bytes, pause) => {
            stream.write_all(&bytes).await?;
            loop {
                tokio::time::sleep(pause).await;
                stream.write_all(b"x").await?;
            }
        }
        Reply::Endless(bytes) => {
            stream.write_all(&bytes).await?;
            loop {
                stream.write_all(&[b'x'; 4096]).await?;
            }
        }
        Reply::Silence(bytes) => {
            stream.write_all(&bytes).await?;
            std::future::pending().await
        }
    }
}

/// Returns a response with this body and these headers.
pub fn page(headers: &str, body: &[u8]) -> Reply {
    let head = format!("HTTP/1.1 200 OK\r\n{headers}Content-Length: {}\r\n\r\n", body.len());
    Reply::Bytes([head.as_bytes(), body].concat())
}

pub fn redirect(to: &str) -> Reply {
    Reply::Bytes(format!("HTTP/1.1 302 Found\r\nLocation: {to}\r\nContent-Length: 0\r\n\r\n").into_bytes())
}

/// Returns a fetcher with default limits on these stand-ins.
pub fn fetcher(resolver: Arc<Names>, dialler: Arc<Line>, allowed: &[&str]) -> Fetcher {
    let allowed: Vec<AllowedHost> = allowed.iter().map(|a| a.parse().unwrap()).collect();
    with_limits(resolver, dialler, Guard::new(allowed), Limits::default())
}

pub fn with_limits(resolver: Arc<Names>, dialler: Arc<dyn Dialler>, guard: Guard, limits: Limits) -> Fetcher {
    Fetcher::new(Parts { guard, resolver, dialler, roots: RootCertStore::empty(), limits })
}

/// Returns a poster on these stand-ins with a timeout of `total`.
pub fn poster(resolver: Arc<Names>, dialler: Arc<Line>, allowed: &[&str], total: Duration) -> Poster {
    let guard = Guard::new(allowed.iter().map(|a| a.parse().unwrap()).collect());
    let limits = Limits { total, ..Limits::default() };
    Poster::new(Parts { guard, resolver, dialler, roots: RootCertStore::empty(), limits })
}

/// Returns a fetcher for which `server` is the whole public Internet.
pub fn reading(server: &Server, limits: Limits) -> Fetcher {
    let names = Names::of(&[("pages.example", &[&[PUBLIC]])]);
    with_limits(names, Line::to(server.address), Guard::default(), limits)
}

/// Returns a fetcher with the real dialler that may reach only `server`.
pub fn reading_really(server: &Server) -> (Fetcher, String) {
    let allowed = server.address.to_string().parse().unwrap();
    let parts = Parts { dialler: Arc::new(TcpDialler), ..Parts::of_the_system(Guard::new(vec![allowed])) };
    (Fetcher::new(parts), format!("http://{}", server.address))
}
