//! Accepts connections and serves them, with time limits where hyper has them, and an end that breaks nothing off.

use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;

use crate::api::Peer;

/// Time for a request's head to arrive, and for a connection to stay idle.
const HEADER_TIME: Duration = Duration::from_secs(10);
/// Headers that hyper reads: more than are allowed, so that the answer to too many is the contract's.
const HEADERS: usize = 1024;
/// Time for requests under way once the service is told to stop.
const DRAIN_TIME: Duration = Duration::from_secs(15);
/// Pause after a connection that could not be accepted: out of file descriptors, most likely.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// Serves until `stop` is cancelled, then finishes what is under way.
pub async fn serve(listener: TcpListener, router: Router, stop: CancellationToken) {
    let connections = GracefulShutdown::new();
    loop {
        let accepted = tokio::select! {
            () = stop.cancelled() => break,
            accepted = listener.accept() => accepted,
        };
        match accepted {
            Ok((stream, peer)) => {
                let watched = connections.watcher();
                tokio::spawn(connection(stream, peer, router.clone(), watched));
            }
            Err(e) => {
                tracing::warn!(error = %e, "a connection could not be accepted");
                tokio::time::sleep(ACCEPT_PAUSE).await;
            }
        }
    }
    drop(listener);
    if tokio::time::timeout(DRAIN_TIME, connections.shutdown()).await.is_err() {
        tracing::warn!("connections were cut off: they took too long to end");
    }
}

async fn connection(
    stream: TcpStream,
    peer: SocketAddr,
    router: Router,
    watched: hyper_util::server::graceful::Watcher,
) {
    // Small answers go out at once.
    let _ = stream.set_nodelay(true);
    let service = tower::service_fn(move |mut request: hyper::Request<hyper::body::Incoming>| {
        request.extensions_mut().insert(Peer(peer.ip()));
        tower::ServiceExt::oneshot(router.clone(), request)
    });
    let connection = hyper::server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADER_TIME)
        .max_headers(HEADERS)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(service));
    if let Err(e) = watched.watch(connection).await {
        // The client went away or spoke something that isn't HTTP.
        tracing::debug!(error = %e, %peer, "a connection ended early");
    }
}
