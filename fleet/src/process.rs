//! What the processes of a fleet have in common as processes.

use tokio_util::sync::CancellationToken;

/// Upper bounds of the buckets of every histogram, in seconds.
pub const BUCKETS_S: [f64; 14] = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0];

/// Cancels `stop` at SIGTERM or Ctrl-C.
///
/// # Errors
/// The signal can't be listened for.
pub fn stop_at_signal(stop: CancellationToken) -> std::io::Result<impl Future<Output = ()>> {
    #[cfg(unix)]
    let mut terminate = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())?;
    Ok(async move {
        #[cfg(unix)]
        let terminated = terminate.recv();
        #[cfg(not(unix))]
        let terminated = std::future::pending::<Option<()>>();
        tokio::select! {
            _ = terminated => {}
            _ = tokio::signal::ctrl_c() => {}
        }
        stop.cancel();
    })
}
