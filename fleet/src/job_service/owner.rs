//! Ensures one coordinator per prefix, because one process owns the state. A coordinator that starts asks whether
//! another runs, and if so, exits. If two have started because neither could reach the other, the later one exits.

use std::time::Duration;

use async_nats::{Client, Request};
use bytes::Bytes;
use futures::StreamExt;
use tokio::time::{MissedTickBehavior, interval, timeout};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::JobServiceError;

/// How long to wait for an answer. If nobody listens, the server says so at once.
const ANSWER: Duration = Duration::from_secs(1);
/// How long to wait for the first connection, which the client makes in the background.
const CONNECTION: Duration = Duration::from_secs(1);
/// Interval between checks for other coordinators.
const LOOK_EVERY: Duration = Duration::from_secs(5);
/// Maximum bytes read of another coordinator's name.
const NAME_BYTES: usize = 200;

/// Why a coordinator can't become the owner.
#[derive(Debug, thiserror::Error)]
pub enum OwnerError {
    /// Another coordinator is the owner.
    #[error(
        "another coordinator ({name}) already uses this queue under the prefix {prefix}. Only one may own the state: \
         stop it first, or give this one its own --queue-prefix and --store"
    )]
    Taken {
        /// The other coordinator's name.
        name: String,
        /// The prefix of both deployments.
        prefix: String,
    },
    /// Subscribing failed.
    #[error(transparent)]
    Subscribe(#[from] JobServiceError),
}

/// A coordinator that claims ownership of its prefix.
#[derive(Debug, Clone)]
pub struct Owner {
    client: Client,
    prefix: String,
    /// Greater for coordinators that start later, as far as clocks agree.
    id: Uuid,
    name: String,
}

impl Owner {
    /// Creates a coordinator named `name` of the deployment `prefix`.
    pub fn new(client: Client, prefix: &str, name: &str) -> Self {
        Self { client, prefix: prefix.to_owned(), id: Uuid::now_v7(), name: name.to_owned() }
    }

    /// Checks for another coordinator before this one starts. If the queue does not answer, this one may start.
    ///
    /// # Errors
    /// [`OwnerError::Taken`].
    pub async fn begin(&self) -> Result<(), OwnerError> {
        let _ = timeout(CONNECTION, self.client.flush()).await;
        self.ask(Uuid::max()).await
    }

    /// Answers other coordinators, and checks for them, until `stop` is cancelled.
    ///
    /// # Errors
    /// [`OwnerError`] where another coordinator started first.
    pub async fn hold(self, stop: CancellationToken) -> Result<(), OwnerError> {
        let asked = self.client.subscribe(self.subject()).await.map_err(|e| JobServiceError(e.to_string()))?;
        let answer = asked.for_each(async |message| {
            let later = Uuid::try_parse_ascii(&message.payload).is_ok_and(|theirs| theirs > self.id);
            if let (true, Some(reply)) = (later, message.reply) {
                // If publishing fails, the other coordinator asks again.
                let _ = self.client.publish(reply, Bytes::from(self.name.clone())).await;
            }
        });
        tokio::select! {
            () = stop.cancelled() => Ok(()),
            () = answer => Ok(()),
            found = self.look() => found,
        }
    }

    /// Returns an error once another coordinator that started earlier answers.
    async fn look(&self) -> Result<(), OwnerError> {
        let mut tick = interval(LOOK_EVERY);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tick.tick().await;
            self.ask(self.id).await?;
        }
    }

    /// Fails if a coordinator that started before `id` answers.
    async fn ask(&self, id: Uuid) -> Result<(), OwnerError> {
        let request = Request::new().payload(id.to_string().into()).timeout(Some(ANSWER));
        match self.client.send_request(self.subject(), request).await {
            Ok(answer) => {
                let name = &answer.payload[..answer.payload.len().min(NAME_BYTES)];
                let name = String::from_utf8_lossy(name).replace(char::is_control, " ");
                Err(OwnerError::Taken { name, prefix: self.prefix.clone() })
            }
            Err(_) => Ok(()),
        }
    }

    fn subject(&self) -> String {
        format!("{}.desk.owner", self.prefix)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;
    use crate::nats::server::Server;

    async fn owner(server: &Server, prefix: &str, name: &str) -> Owner {
        let settings = crate::nats::Settings {
            servers: server.url.parse().unwrap(),
            credentials: None,
            ca: None,
            name: name.to_owned(),
        };
        Owner::new(crate::nats::connect(&settings).await.unwrap(), prefix, name)
    }

    /// Returns once a coordinator answers under this prefix.
    async fn held(by: &Owner) {
        while by.begin().await.is_ok() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    #[tokio::test]
    async fn one_begins_and_others_leave_it_to_it() {
        let Some(server) = Server::start() else { return };
        let (first, second) = (owner(&server, "v", "first").await, owner(&server, "v", "second").await);
        first.client.flush().await.unwrap();
        let asked = Instant::now();
        first.begin().await.unwrap();
        assert!(asked.elapsed() < ANSWER, "nobody is waited for where nobody is");
        let stop = CancellationToken::new();
        let holds = tokio::spawn(first.hold(stop.clone()));
        held(&second).await;
        let said = second.begin().await.unwrap_err().to_string();
        assert!(said.contains("(first)") && said.contains("prefix v."), "{said}");
        owner(&server, "w", "elsewhere").await.begin().await.unwrap();
        stop.cancel();
        holds.await.unwrap().unwrap();
        while second.begin().await.is_err() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    #[tokio::test]
    async fn of_two_that_have_begun_the_later_ends() {
        let Some(server) = Server::start() else { return };
        let (first, second) = (owner(&server, "v", "first").await, owner(&server, "v", "second").await);
        assert!(first.id < second.id);
        let stop = CancellationToken::new();
        let holds = tokio::spawn(first.clone().hold(stop.clone()));
        held(&second).await;
        let ended = second.hold(stop.clone()).await;
        assert!(matches!(&ended, Err(OwnerError::Taken { name, .. }) if name == "first"), "{ended:?}");
        assert!(!holds.is_finished());
        // Messages that are not a request have no effect.
        for words in ["", "x", "\u{0}"] {
            first.client.publish(first.subject(), words.into()).await.unwrap();
        }
        assert!(owner(&server, "v", "third").await.begin().await.is_err(), "it is there yet");
        stop.cancel();
        holds.await.unwrap().unwrap();
    }
}
