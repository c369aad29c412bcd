//! The connection to NATS, which carries tickets, and what coordinator and workers say to each other.

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

/// What the subjects of answers begin with.
const INBOX: &str = "_INBOX";

/// How long a server may take to answer a ping, and how often it is asked: a connection that has died unnoticed is found
/// within a lease.
const PING: Duration = Duration::from_secs(5);
/// How long connecting to one server may take.
const CONNECT: Duration = Duration::from_secs(5);
/// How long a request waits for its answer where nothing shorter is said.
const REQUEST: Duration = Duration::from_secs(5);
/// Between complaints that there is no connection yet.
const COMPLAIN_EVERY: Duration = Duration::from_secs(10);
/// The longest pause between two tries to connect.
const PAUSE: Duration = Duration::from_secs(2);

/// The servers of a cluster: `nats://HOST:PORT` or `tls://HOST:PORT`, several of them separated by commas. A name and a
/// password, or a token, may stand in front of a host: the same in front of each, or in front of one for all.
#[derive(Clone, PartialEq, Eq)]
pub struct Servers {
    addresses: Vec<ServerAddr>,
    login: Option<Login>,
}

/// Whom the servers let in.
#[derive(Clone, PartialEq, Eq)]
enum Login {
    Token(String),
    Password { name: String, password: String },
}

impl Login {
    /// What stands in front of a host, where anything does.
    fn of(server: &ServerAddr) -> Result<Option<Self>, NoServers> {
        let plain = |encoded: &str| {
            let decoded = percent_decode_str(encoded).decode_utf8();
            decoded.map(Cow::into_owned).map_err(|_| NoServers("a name or password is no text".into()))
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
        let addresses: Vec<_> = text.split(',').map(str::trim).map(read).collect::<Result<_, _>>()?;
        let mut login = None;
        for one in addresses.iter().map(Login::of).filter_map(Result::transpose) {
            let one = one?;
            if login.get_or_insert_with(|| one.clone()) != &one {
                return Err(NoServers("servers of one cluster let in by one name and password, or one token".into()));
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

/// How to reach NATS.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Where.
    pub servers: Servers,
    /// A file of credentials, as `nsc` writes it.
    pub credentials: Option<PathBuf>,
    /// A file of certificates to trust beside the system's, as PEM.
    pub ca: Option<PathBuf>,
    /// What this connection is called in the server's lists.
    pub name: String,
}

impl Settings {
    /// Who this connection is to the servers, as one token of a subject: the name of its user, or in its credentials, and its
    /// own name where it has neither. Answers to it go to [`inbox`] of that, and a worker asks under subjects that hold it,
    /// so permissions can bind both to one user.
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

    /// What stands in the file of credentials, where there is one.
    fn credentials(&self) -> Result<Option<String>, NatsError> {
        let read = |path: &PathBuf| {
            let unusable = |source| NatsError::Credentials { path: path.clone(), source };
            std::fs::read_to_string(path).map_err(unusable)
        };
        self.credentials.as_ref().map(read).transpose()
    }
}

/// The user's name in a file of credentials, whose first block is a JWT.
fn name_in(credentials: &str) -> Option<String> {
    let jwt = credentials.lines().skip_while(|line| !line.contains("BEGIN NATS USER JWT")).nth(1)?;
    let claims = URL_SAFE_NO_PAD.decode(jwt.trim().split('.').nth(1)?).ok()?;
    let claims: serde_json::Value = serde_json::from_slice(&claims).ok()?;
    claims["name"].as_str().filter(|name| !name.is_empty()).map(str::to_owned)
}

/// What the subjects begin with under which `identity` takes answers.
pub fn inbox(identity: &str) -> String {
    format!("{INBOX}.{identity}")
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
    /// The file of certificates can't be used.
    #[error("{path}: {reason}")]
    Certificates {
        /// Which file.
        path: PathBuf,
        /// Why.
        reason: String,
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

/// A server that is not there yet, or lets nobody in, is tried again without a word.
async fn complain_until_connected(client: Client, servers: String) {
    loop {
        tokio::time::sleep(COMPLAIN_EVERY).await;
        if client.connection_state() == State::Connected {
            return;
        }
        tracing::warn!(servers, "there is no connection to NATS yet: is it there, and does it let this name in?");
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
    /// A connection to it.
    pub(crate) async fn client(&self) -> Client {
        let servers = self.url.parse().unwrap();
        connect(&Settings { servers, credentials: None, ca: None, name: "test".into() }).await.unwrap()
    }
}

#[cfg(test)]
mod tests;
