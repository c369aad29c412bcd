//! One coordinator to a prefix, for one owns the state. Whoever is about to begin asks who is there, and leaves it to
//! them; of two that have begun, since neither reached the other then, the one that came later ends.

use std::time::Duration;

use async_nats::{Client, Request};
use bytes::Bytes;
use futures::StreamExt;
use tokio::time::{MissedTickBehavior, interval, timeout};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::DeskError;

/// How long an answer is waited for. With nobody there the server says so at once.
const ANSWER: Duration = Duration::from_secs(1);
/// How long the first connection is waited for, which is made behind whoever asked for it.
const CONNECTION: Duration = Duration::from_secs(1);
/// Between two looks for others.
const LOOK_EVERY: Duration = Duration::from_secs(5);
/// Of another's name, no more is read.
const NAME_BYTES: usize = 200;

/// Why a coordinator can't be the owner.
#[derive(Debug, thiserror::Error)]
pub enum OwnerError {
    /// Another is.
    #[error(
        "another coordinator ({name}) works on this queue under the prefix {prefix}. One owns the state: stop it first, or \
         give this one a --queue-prefix and a --store of its own"
    )]
    Taken {
        /// What the other calls itself.
        name: String,
        /// What both call their deployment.
        prefix: String,
    },
    /// Nothing can be listened for.
    #[error(transparent)]
    Deaf(#[from] DeskError),
}

/// A coordinator, as others under its prefix come to know it.
#[derive(Debug, Clone)]
pub struct Owner {
    client: Client,
    prefix: String,
    /// Those that begin later have a greater one, as far as clocks agree.
    id: Uuid,
    name: String,
}

impl Owner {
    /// A coordinator that calls itself `name`, of the deployment `prefix`.
    pub fn new(client: Client, prefix: &str, name: &str) -> Self {
        Self { client, prefix: prefix.to_owned(), id: Uuid::now_v7(), name: name.to_owned() }
    }

    /// Asks before anything is begun. A queue that doesn't answer says nothing against it.
    ///
    /// # Errors
    /// [`OwnerError::Taken`].
    pub async fn begin(&self) -> Result<(), OwnerError> {
        let _ = timeout(CONNECTION, self.client.flush()).await;
        self.ask(Uuid::max()).await
    }

    /// Answers those who ask, and looks for others, until `stop` is cancelled.
    ///
    /// # Errors
    /// [`OwnerError`]: another came first.
    pub async fn hold(self, stop: CancellationToken) -> Result<(), OwnerError> {
        let asked = self.client.subscribe(self.subject()).await.map_err(|e| DeskError(e.to_string()))?;
        let answer = asked.for_each(async |letter| {
            let later = Uuid::try_parse_ascii(&letter.payload).is_ok_and(|theirs| theirs > self.id);
            if let (true, Some(reply)) = (later, letter.reply) {
                // Unsent, it is asked for again.
                let _ = self.client.publish(reply, Bytes::from(self.name.clone())).await;
            }
        });
        tokio::select! {
            () = stop.cancelled() => Ok(()),
            () = answer => Ok(()),
            found = self.look() => found,
        }
    }

    /// Returns when there is another that came first.
    async fn look(&self) -> Result<(), OwnerError> {
        let mut tick = interval(LOOK_EVERY);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tick.tick().await;
            self.ask(self.id).await?;
        }
    }

    /// Whether anybody is there that began before whoever has this id.
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

    /// Returns once it is answered under this prefix.
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
        // What isn't a question is no reason for anything.
        for words in ["", "x", "\u{0}"] {
            first.client.publish(first.subject(), words.into()).await.unwrap();
        }
        assert!(owner(&server, "v", "third").await.begin().await.is_err(), "it is there yet");
        stop.cancel();
        holds.await.unwrap().unwrap();
    }
}
