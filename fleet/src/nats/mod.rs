//! The connection to NATS, which carries tickets, and what coordinator and workers say to each other.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

pub use async_nats::Client;
use async_nats::{ConnectOptions, ServerAddr};
use serde::{Deserialize, Deserializer};

/// How long a server may take to answer a ping, and how often it is asked: a connection that has died unnoticed is found
/// within a lease.
const PING: Duration = Duration::from_secs(5);
/// How long connecting to one server may take.
const CONNECT: Duration = Duration::from_secs(5);
/// How long a request waits for its answer where nothing shorter is said.
const REQUEST: Duration = Duration::from_secs(5);
/// The longest pause between two tries to connect.
const PAUSE: Duration = Duration::from_secs(2);

/// The servers of a cluster: `nats://HOST:PORT` or `tls://HOST:PORT`, several of them separated by commas. A name and a
/// password, or a token, may stand in front of a host.
#[derive(Clone, PartialEq, Eq)]
pub struct Servers(Vec<ServerAddr>);

/// What is to be read as [`Servers`], and may hold a password: nothing says it again, whatever is wrong with it.
#[derive(Clone, PartialEq, Eq)]
pub struct Unread(String);

impl FromStr for Unread {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Self(text.to_owned()))
    }
}

impl Unread {
    /// The servers.
    ///
    /// # Errors
    /// [`NoServers`].
    pub fn read(&self) -> Result<Servers, NoServers> {
        self.0.parse()
    }
}

impl fmt::Debug for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Unread")
    }
}

impl<'de> Deserialize<'de> for Unread {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Self)
    }
}

/// A text that names no servers.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NoServers(String);

impl FromStr for Servers {
    type Err = NoServers;

    fn from_str(text: &str) -> Result<Self, NoServers> {
        let read = |one: &str| {
            let known = one.starts_with("nats://") || one.starts_with("tls://");
            if !known {
                return Err(NoServers("servers begin with nats:// or tls://".into()));
            }
            let server = one.parse::<ServerAddr>().map_err(|e| NoServers(format!("a server can't be read: {e}")))?;
            if server.host().is_empty() { Err(NoServers("a server has a host".into())) } else { Ok(server) }
        };
        Ok(Self(text.split(',').map(str::trim).map(read).collect::<Result<_, _>>()?))
    }
}

/// Without names and passwords.
impl fmt::Display for Servers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hosts: Vec<_> = self.0.iter().map(|s| format!("{}:{}", s.host(), s.port())).collect();
        f.write_str(&hosts.join(", "))
    }
}

impl fmt::Debug for Servers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Servers({self})")
    }
}

/// How to reach NATS.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Where.
    pub servers: Servers,
    /// A file of credentials, as `nsc` writes it.
    pub credentials: Option<PathBuf>,
    /// Certificates to trust beside the system's, as PEM.
    pub ca: Option<PathBuf>,
    /// What this connection is called in the server's lists.
    pub name: String,
}

/// Why there is no connection.
#[derive(Debug, thiserror::Error)]
pub enum NatsError {
    /// The file of credentials can't be used.
    #[error("{path}: {source}")]
    Credentials {
        /// Which file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// What was said can't lead to a connection.
    #[error("can't connect to NATS: {0}")]
    Connect(#[from] async_nats::ConnectError),
}

/// Connects. Where no server answers yet, or one goes away later, the connection is made as soon as one is there: nothing
/// that is sent until then is sure to arrive.
///
/// # Errors
/// [`NatsError`].
pub async fn connect(settings: &Settings) -> Result<Client, NatsError> {
    let mut options = ConnectOptions::new()
        .name(&settings.name)
        .retry_on_initial_connect()
        .ping_interval(PING)
        .connection_timeout(CONNECT)
        .request_timeout(Some(REQUEST))
        .reconnect_delay_callback(|tries| PAUSE.min(Duration::from_millis(50 * tries as u64)))
        .event_callback(|event| async move { tracing::info!(%event, "NATS") });
    if let Some(path) = &settings.credentials {
        let unusable = |source| NatsError::Credentials { path: path.clone(), source };
        let text = std::fs::read_to_string(path).map_err(unusable)?;
        options = options.credentials(&text).map_err(unusable)?;
    }
    if let Some(path) = &settings.ca {
        options = options.add_root_certificates(path.clone());
    }
    Ok(options.connect(settings.servers.0.as_slice()).await?)
}

#[cfg(test)]
pub(crate) mod server;

#[cfg(test)]
impl server::Server {
    /// A connection to it.
    pub(crate) async fn client(&self) -> Client {
        let servers = self.url.parse().unwrap();
        connect(&Settings { servers, credentials: None, ca: None, name: "test".into() }).await.unwrap()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_are_read_and_told_without_passwords() {
        let servers: Servers = "nats://ada:secret@a.example:4222, tls://b.example".parse().unwrap();
        assert_eq!(servers.to_string(), "a.example:4222, b.example:4222");
        assert!(!format!("{servers:?}").contains("secret"));
        for wrong in ["", "a.example", "http://a.example", "nats://a,b", "nats://"] {
            assert!(wrong.parse::<Servers>().is_err(), "{wrong}");
        }
    }
}
