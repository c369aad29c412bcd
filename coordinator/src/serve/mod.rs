//! The network edge: accepts connections, enforces limits on their number and timeouts, serves HTTP/1.1 and HTTP/2, in
//! plain text or over TLS, and shuts down without interrupting requests.

mod answer;
mod connection;
pub mod descriptors;
mod flow;
mod gate;
mod host;
mod pace;
mod peer;
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
pub use peer::{Peer, Refusal};
use tls::Tls;

/// Length of the listen backlog: enough for all clients to reconnect at once.
const WAITING: u32 = 4096;
/// Timeout for requests in progress after the service is told to stop.
const DRAIN_TIME: Duration = Duration::from_secs(15);
/// Pause after a failed accept, which most likely ran out of file descriptors.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);
/// Maximum number of connections of an internal listener.
const INNER_CONNECTIONS: usize = 256;

/// Configuration of a listener.
pub struct Edge {
    /// Maximum number of concurrent connections.
    pub connections: usize,
    /// Maximum number of concurrent connections per address (IPv4, or the /64 of an IPv6 address).
    pub per_address: usize,
    /// Addresses that the limit per address doesn't apply to.
    pub exempt: Vec<IpAddr>,
    /// Certificate and key, if the listener uses TLS.
    pub tls: Option<Arc<Tls>>,
    /// Whether the router answers requests that carry a [`Refusal`]. Otherwise excess connections are closed, and
    /// invalid requests get hyper's bare response.
    pub refusals: bool,
}

impl Default for Edge {
    /// Returns the configuration for internal listeners.
    fn default() -> Self {
        let all = INNER_CONNECTIONS;
        Self { connections: all, per_address: all, exempt: Vec::new(), tls: None, refusals: false }
    }
}

/// Listens on `address`.
///
/// # Errors
/// Returns the errors of the system: the address is in use, or it is not an address of this machine.
pub fn listen(address: SocketAddr) -> std::io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    // A restart need not wait until the system forgets the connections of the last process.
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(WAITING)
}

/// Serves on an internal listener; see [`Edge::serve`].
pub async fn serve(listener: TcpListener, router: Router, stop: CancellationToken) {
    Edge::default().serve(listener, router, stop).await;
}

impl Edge {
    /// Serves until `stop` is cancelled, then finishes the requests in progress. A client that connects in the meantime
    /// still gets one response.
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
            // First accept the connections in the backlog: closing the listener would reset them.
            tokio::select! {
                biased;
                () = &mut late => {
                    tracing::warn!("connections closed: they took too long to end");
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
            // This concerns a single connection: its client disconnected before it was accepted.
            Err(e)
                if matches!(e.kind(), std::io::ErrorKind::ConnectionAborted | std::io::ErrorKind::ConnectionReset) => {}
            Err(e) => {
                tracing::warn!(error = %e, "accepting a connection failed");
                tokio::time::sleep(ACCEPT_PAUSE).await;
            }
        }
    }
}
