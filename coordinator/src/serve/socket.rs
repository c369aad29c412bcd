//! The raw connection, with a write timeout and a lingering close. It fails if a client doesn't read what it is sent.
//! At the end it returns the stream, so that the server can read and discard what the client still sends: closing a
//! connection with unread bytes would reset it and lose the response in transit.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use parking_lot::Mutex;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep, timeout};

/// Write timeout: the time in which a client must read at least [`LEAST`] of the pending bytes.
pub const WRITE_TIME: Duration = Duration::from_secs(30);
/// Minimum number of bytes per timeout: 4 kbit/s, slower than any line in use.
pub const LEAST: usize = 16 << 10;
/// Maximum duration of a lingering close, and the silence after which it ends.
const HEARING_TIME: Duration = Duration::from_secs(10);
const HEARING_PAUSE: Duration = Duration::from_secs(2);
/// Maximum bytes read in a lingering close: more than any body that is accepted.
const HEARING_BYTES: usize = 64 << 20;

/// Receives the stream when its socket is dropped.
#[derive(Clone, Default)]
pub struct Home(Arc<Mutex<Option<TcpStream>>>);

impl Home {
    /// Takes the stream, once the socket was dropped.
    pub fn take(&self) -> Option<TcpStream> {
        self.0.lock().take()
    }
}

/// A stream with a write timeout.
pub struct Socket {
    /// `Some` until this is dropped.
    stream: Option<TcpStream>,
    home: Home,
    patience: Duration,
    blocked: Option<Blocked>,
}

/// A write that is blocked because the client reads too slowly.
struct Blocked {
    until: Pin<Box<Sleep>>,
    taken: usize,
}

impl Socket {
    /// Wraps a stream. Dropping the socket passes the stream to `home`.
    pub fn lend(stream: TcpStream, home: Home) -> Self {
        Self { stream: Some(stream), home, patience: WRITE_TIME, blocked: None }
    }

    fn stream(&mut self) -> Pin<&mut TcpStream> {
        Pin::new(self.stream.as_mut().expect("it is there until this is dropped"))
    }

    /// Handles the result of a write of `offered` bytes.
    fn wrote(
        &mut self,
        cx: &mut Context<'_>,
        wrote: Poll<io::Result<usize>>,
        offered: usize,
    ) -> Poll<io::Result<usize>> {
        match wrote {
            Poll::Ready(Ok(n)) => {
                match &mut self.blocked {
                    Some(_) if n == offered => self.blocked = None,
                    Some(blocked) => blocked.taken += n,
                    None => {}
                }
                Poll::Ready(Ok(n))
            }
            Poll::Ready(Err(e)) => Poll::Ready(Err(e)),
            Poll::Pending => {
                let patience = self.patience;
                let blocked = self.blocked.get_or_insert_with(|| Blocked::within(patience));
                while blocked.until.as_mut().poll(cx).is_ready() {
                    if blocked.taken < LEAST {
                        return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
                    }
                    *blocked = Blocked::within(patience);
                }
                Poll::Pending
            }
        }
    }
}

impl Blocked {
    fn within(patience: Duration) -> Self {
        Self { until: Box::pin(sleep(patience)), taken: 0 }
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        // No lingering close for a client that doesn't read.
        if self.blocked.is_none() {
            *self.home.0.lock() = self.stream.take();
        }
    }
}

impl AsyncRead for Socket {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        self.stream().poll_read(cx, buf)
    }
}

impl AsyncWrite for Socket {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        let wrote = self.stream().poll_write(cx, buf);
        self.wrote(cx, wrote, buf.len())
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let wrote = self.stream().poll_write_vectored(cx, bufs);
        self.wrote(cx, wrote, bufs.iter().map(|b| b.len()).sum())
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.stream().poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.stream().poll_shutdown(cx))?;
        Poll::Ready(Ok(()))
    }
}

/// Performs a lingering close: shuts down the sending side, then reads and discards what the client still sends.
pub async fn hear_out(mut stream: TcpStream) {
    if stream.shutdown().await.is_err() {
        return;
    }
    let mut buffer = vec![0; 16 << 10];
    let mut heard = 0;
    let hearing = async {
        while heard < HEARING_BYTES {
            match timeout(HEARING_PAUSE, stream.read(&mut buffer)).await {
                Ok(Ok(n)) if n > 0 => heard += n,
                _ => return,
            }
        }
    };
    let _ = timeout(HEARING_TIME, hearing).await;
}

#[cfg(test)]
mod tests {
    use tokio::net::TcpListener;

    use super::*;

    async fn pair() -> (TcpStream, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        (listener.accept().await.unwrap().0, client)
    }

    /// Writes until a write fails.
    async fn write_on(socket: &mut Socket) -> io::ErrorKind {
        let block = vec![7; 1 << 20];
        loop {
            if let Err(e) = socket.write_all(&block).await {
                return e.kind();
            }
        }
    }

    #[tokio::test]
    async fn a_peer_that_takes_nothing_is_given_up() {
        let (server, _client) = pair().await;
        let home = Home::default();
        let mut socket = Socket::lend(server, home.clone());
        socket.patience = Duration::from_millis(20);
        assert_eq!(write_on(&mut socket).await, io::ErrorKind::TimedOut);
        drop(socket);
        assert!(home.take().is_none(), "and not heard out");
    }

    #[tokio::test]
    async fn a_peer_that_takes_its_time_is_not() {
        let (server, mut client) = pair().await;
        let sent = vec![7; 20 << 20];
        let home = Home::default();
        let mut socket = Socket::lend(server, home.clone());
        let reading = tokio::spawn(async move {
            let mut all = Vec::new();
            client.read_to_end(&mut all).await.unwrap();
            all
        });
        socket.write_all(&sent).await.unwrap();
        drop(socket);
        hear_out(home.take().unwrap()).await;
        assert_eq!(reading.await.unwrap(), sent);
    }
}
