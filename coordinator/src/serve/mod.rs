//! The edge: accepts connections, holds them to limits of number and time, speaks HTTP/1.1 and HTTP/2 on them, in the
//! clear or over TLS, and ends without breaking anything off.

mod answer;
mod connection;
pub mod descriptors;
mod flow;
mod gate;
mod host;
mod pace;
mod socket;
pub mod tls;
mod watched;

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use connection::{Connection, Shared};
use gate::{Entry, Gate};
use tls::Tls;

/// Connections that the system holds until they are accepted: enough for every client to come back at once.
const WAITING: u32 = 4096;
/// Time for requests under way once the service is told to stop.
const DRAIN_TIME: Duration = Duration::from_secs(15);
/// Pause after a connection that could not be accepted: out of file descriptors, most likely.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);
/// Connections of a listener that isn't meant for everybody.
const INNER_CONNECTIONS: usize = 256;

/// How a listener serves.
pub struct Edge {
    /// Connections at once.
    pub connections: usize,
    /// Connections at once of one address (IPv4, or the /64 of an IPv6 one).
    pub per_address: usize,
    /// Addresses that may have as many as there are.
    pub exempt: Vec<IpAddr>,
    /// Certificate and key, where TLS is spoken.
    pub tls: Option<Arc<Tls>>,
    /// Whether the router answers requests that carry a [`Refusal`](crate::api::Refusal). Else what can't be let in is
    /// closed, and what can't be read is answered as bare as hyper does.
    pub refusals: bool,
}

impl Default for Edge {
    /// For listeners of operators.
    fn default() -> Self {
        let all = INNER_CONNECTIONS;
        Self { connections: all, per_address: all, exempt: Vec::new(), tls: None, refusals: false }
    }
}

/// Listens on `address`.
///
/// # Errors
/// Those of the system: the address is taken, or not ours.
pub fn listen(address: SocketAddr) -> std::io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    // A restart doesn't wait for the connections of the last process to be forgotten.
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(WAITING)
}

/// Serves on a listener that isn't meant for everybody; see [`Edge::serve`].
pub async fn serve(listener: TcpListener, router: Router, stop: CancellationToken) {
    Edge::default().serve(listener, router, stop).await;
}

impl Edge {
    /// Serves until `stop` is cancelled, then finishes what is under way. Whoever connects meanwhile is still answered,
    /// once.
    pub async fn serve(self, listener: TcpListener, router: Router, stop: CancellationToken) {
        let gate = Gate::new(self.connections, self.per_address, self.exempt);
        let shared = Shared { router, tls: self.tls, refusals: self.refusals, stop, cut: CancellationToken::new() };
        let server = Server { gate, shared: Arc::new(shared), connections: TaskTracker::new() };
        server.run(listener).await;
    }
}

struct Server {
    gate: Arc<Gate>,
    shared: Arc<Shared>,
    connections: TaskTracker,
}

impl Server {
    async fn run(&self, listener: TcpListener) {
        let Shared { stop, cut, .. } = &*self.shared;
        loop {
            tokio::select! {
                () = stop.cancelled() => break,
                accepted = listener.accept() => self.welcome(accepted).await,
            }
        }
        self.connections.close();
        let late = tokio::time::sleep(DRAIN_TIME);
        tokio::pin!(late);
        loop {
            // First whoever waits to be accepted: closing the listener would reset them.
            tokio::select! {
                biased;
                () = &mut late => {
                    tracing::warn!("connections were cut off: they took too long to end");
                    break;
                }
                accepted = listener.accept() => self.welcome(accepted).await,
                () = self.connections.wait() => break,
            }
        }
        drop(listener);
        cut.cancel();
        self.connections.wait().await;
    }

    async fn welcome(&self, accepted: std::io::Result<(TcpStream, SocketAddr)>) {
        match accepted {
            Ok((stream, peer)) => {
                let peer = peer.ip();
                let (slot, crowded) = match self.gate.enter(peer) {
                    Entry::Admitted(slot) => (slot, false),
                    Entry::Crowded(slot) if self.shared.refusals => (slot, true),
                    Entry::Crowded(_) | Entry::Shut => return,
                };
                let connection = Connection::new(Arc::clone(&self.shared), peer, slot, crowded);
                self.connections.spawn(connection.run(stream));
            }
            // Of this one connection alone: its client went away before it was accepted.
            Err(e)
                if matches!(e.kind(), std::io::ErrorKind::ConnectionAborted | std::io::ErrorKind::ConnectionReset) => {}
            Err(e) => {
                tracing::warn!(error = %e, "a connection could not be accepted");
                tokio::time::sleep(ACCEPT_PAUSE).await;
            }
        }
    }
}
