//! Reloads the certificate while the service runs.

use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use crate::serve::tls::Tls;

/// Reloads the certificate and key on SIGHUP, which certificate renewal tools send.
pub(super) fn reload_at_signal(tls: Arc<Tls>, stop: CancellationToken) -> std::io::Result<()> {
    #[cfg(unix)]
    {
        let mut hangups = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::hangup())?;
        let reload = move || match tls.reload() {
            Ok(()) => tracing::info!("certificate reloaded"),
            Err(e) => tracing::error!(error = %e, "certificate not reloaded: keeping the previous one"),
        };
        tokio::spawn(stop.run_until_cancelled_owned(async move {
            while hangups.recv().await.is_some() {
                let reload = reload.clone();
                let _ = tokio::task::spawn_blocking(reload).await;
            }
        }));
    }
    #[cfg(not(unix))]
    drop((tls, stop));
    Ok(())
}
