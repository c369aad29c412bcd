//! The connection to NATS, which carries tickets and the messages between coordinator and workers.

mod trust;

use std::borrow::Cow;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

pub use async_nats::Client;
use async_nats::connection::State;
use async_nats::{ConnectOptions, Event, ServerAddr};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use percent_encoding::percent_decode_str;
use serde::{Deserialize, Deserializer};

use crate::protocol::token;

/// Prefix of the subjects of answers.
const INBOX: &str = "_INBOX";

/// How long a server may take to answer a ping, and how often the client sends one. A connection that has died silently
/// is detected within a lease.
const PING: Duration = Duration::from_secs(5);
/// Timeout for connecting to one server.
const CONNECT: Duration = Duration::from_secs(5);
/// Default timeout for a request.
const REQUEST: Duration = Duration::from_secs(5);
/// Interval between warnings while there is no connection yet.
const COMPLAIN_EVERY: Duration = Duration::from_secs(10);
/// Maximum pause between two attempts to connect.
const PAUSE: Duration = Duration::from_secs(2);

/// The servers of a cluster: `nats://HOST:PORT` or `tls://HOST:PORT`, separated by commas. A name and a password, or a
/// token, may precede a host: the same before each host, or before one of them for all.
#[derive(Clone, PartialEq, Eq)]
pub struct Servers {
    addresses: Vec<ServerAddr>,
    login: Option<Login>,
}

/// The credentials that the servers require.
#[derive(Clone, PartialEq, Eq)]
enum Login {
    Token(String),
    Password { name: String, password: String },
}

impl Login {
    /// Returns the credentials before a host, if there are any.
    fn of(server: &ServerAddr) -> Result<Option<Self>, NoServers> {
        let plain = |encoded: &str| {
            let decoded = percent_decode_str(encoded).decode_utf8();
            decoded.map(Cow::into_owned).map_err(|_| NoServers("a name or password is not valid UTF-8".into()))
        };
        Ok(match (server.username(), server.password()) {
            (None, None) => None,
            (Some(token), None) => Some(Self::Token(plain(token)?)),
            (name, Some(password)) => {
                Some(Self::Password { name: plain(name.unwrap_or_default())?, password: plain(password)? })
            }
        })
    }
}

/// An unparsed value for [`Servers`], which may contain a password. No error message repeats it.
#[derive(Clone, PartialEq, Eq)]
pub struct Unread(String);

impl FromStr for Unread {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Self(text.to_owned()))
    }
}

impl Unread {
    /// Parses the servers.
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

/// Why a text can't be parsed as [`Servers`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NoServers(String);

impl FromStr for Servers {
    type Err = NoServers;

    fn from_str(text: &str) -> Result<Self, NoServers> {
        let read = |one: &str| {
            let known = one.starts_with("nats://") || one.starts_with("tls://");
            if !known {
                return Err(NoServers("each server must begin with nats:// or tls://".into()));
            }
            let server = one.parse::<ServerAddr>().map_err(|e| NoServers(format!("a server's URL is invalid: {e}")))?;
            if server.host().is_empty() { Err(NoServers("a server has no host".into())) } else { Ok(server) }
        };
        let addresses: Vec<_> = text.split(',').map(str::trim).map(read).collect::<Result<_, _>>()?;
        let mut login = None;
        for one in addresses.iter().map(Login::of).filter_map(Result::transpose) {
            let one = one?;
            if login.get_or_insert_with(|| one.clone()) != &one {
                return Err(NoServers("all servers must have the same name and password, or token".into()));
            }
        }
        Ok(Self { addresses, login })
    }
}

/// Without names and passwords.
impl fmt::Display for Servers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hosts: Vec<_> = self.addresses.iter().map(|s| format!("{}:{}", s.host(), s.port())).collect();
        f.write_str(&hosts.join(", "))
    }
}

impl fmt::Debug for Servers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Servers({self})")
    }
}

/// How to connect to NATS.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The servers.
    pub servers: Servers,
    /// A credentials file, as `nsc` writes it.
    pub credentials: Option<PathBuf>,
    /// A PEM file of certificates to trust in addition to the system's.
    pub ca: Option<PathBuf>,
    /// The connection's name in the server's lists.
    pub name: String,
}

impl Settings {
    /// Returns the identity of this connection, as one token of a subject: the user name from its credentials file or
    /// its URL, or else the connection's name. Answers go to the [`inbox`] of the identity, and a worker sends requests
    /// to subjects that contain it, so permissions can bind both to one user.
    ///
    /// # Errors
    /// [`NatsError::Credentials`] where the file can't be read.
    pub fn identity(&self) -> Result<String, NatsError> {
        let in_credentials = self.credentials()?.as_deref().and_then(name_in);
        let name = in_credentials.as_deref().or(match &self.servers.login {
            Some(Login::Password { name, .. }) => Some(name.as_str()),
            Some(Login::Token(_)) | None => None,
        });
        Ok(token(name.unwrap_or(&self.name)))
    }

    /// Reads the credentials file, if there is one.
    fn credentials(&self) -> Result<Option<String>, NatsError> {
        let read = |path: &PathBuf| {
            let unusable = |source| NatsError::Credentials { path: path.clone(), source };
            std::fs::read_to_string(path).map_err(unusable)
        };
        self.credentials.as_ref().map(read).transpose()
    }
}

/// Returns the user's name from a credentials file, whose first block is a JWT.
fn name_in(credentials: &str) -> Option<String> {
    let jwt = credentials.lines().skip_while(|line| !line.contains("BEGIN NATS USER JWT")).nth(1)?;
    let claims = URL_SAFE_NO_PAD.decode(jwt.trim().split('.').nth(1)?).ok()?;
    let claims: serde_json::Value = serde_json::from_slice(&claims).ok()?;
    claims["name"].as_str().filter(|name| !name.is_empty()).map(str::to_owned)
}

/// Returns the prefix of the subjects at which `identity` receives answers.
pub fn inbox(identity: &str) -> String {
    format!("{INBOX}.{identity}")
}

/// Why connecting failed.
#[derive(Debug, thiserror::Error)]
pub enum NatsError {
    /// The credentials file can't be used.
    #[error("{path}: {source}")]
    Credentials {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: std::io::Error,
    },
    /// The certificate file can't be used.
    #[error("{path}: {reason}")]
    Certificates {
        /// The file.
        path: PathBuf,
        /// The reason.
        reason: String,
    },
    /// The settings can't lead to a connection.
    #[error("can't connect to NATS: {0}")]
    Connect(#[from] async_nats::ConnectError),
}

/// Connects. If no server answers yet, or a server disappears later, the client reconnects in the background. Messages
/// sent meanwhile may be lost.
///
/// # Errors
/// [`NatsError`].
pub async fn connect(settings: &Settings) -> Result<Client, NatsError> {
    let mut options = ConnectOptions::new()
        .name(&settings.name)
        .custom_inbox_prefix(inbox(&settings.identity()?))
        .retry_on_initial_connect()
        .ping_interval(PING)
        .connection_timeout(CONNECT)
        .request_timeout(Some(REQUEST))
        .reconnect_delay_callback(|tries| PAUSE.min(Duration::from_millis(50 * tries as u64)))
        .event_callback(|event| async move {
            match event {
                Event::ServerError(_) | Event::ClientError(_) | Event::SlowConsumer(_) => {
                    tracing::warn!(%event, "NATS")
                }
                _ => tracing::info!(%event, "NATS"),
            }
        });
    match settings.servers.login.clone() {
        None => {}
        Some(Login::Token(token)) => options = options.token(token),
        Some(Login::Password { name, password }) => options = options.user_and_password(name, password),
    }
    if let (Some(path), Some(text)) = (&settings.credentials, settings.credentials()?) {
        let unusable = |source| NatsError::Credentials { path: path.clone(), source };
        options = options.credentials(&text).map_err(unusable)?;
    }
    if let Some(path) = &settings.ca {
        let unusable = |reason| NatsError::Certificates { path: path.clone(), reason };
        options = options.tls_client_config(trust::beside_the_systems(path).map_err(unusable)?);
    }
    let client = options.connect(settings.servers.addresses.as_slice()).await?;
    tokio::spawn(complain_until_connected(client.clone(), settings.servers.to_string()));
    Ok(client)
}

/// The client retries silently while a server is unreachable or refuses the login, so this task warns.
async fn complain_until_connected(client: Client, servers: String) {
    loop {
        tokio::time::sleep(COMPLAIN_EVERY).await;
        if client.connection_state() == State::Connected {
            return;
        }
        tracing::warn!(servers, "not connected to NATS yet: check that it runs and accepts this login");
    }
}

#[cfg(test)]
pub(crate) mod server;
#[cfg(test)]
mod shipped;

#[cfg(test)]
use server::Server;

#[cfg(test)]
impl Server {
    /// Connects to the server.
    pub(crate) async fn client(&self) -> Client {
        let servers = self.url.parse().unwrap();
        connect(&Settings { servers, credentials: None, ca: None, name: "test".into() }).await.unwrap()
    }
}

#[cfg(test)]
mod tests;
