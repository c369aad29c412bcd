//! The desk across machines: requests over NATS. One coordinator answers; whoever gets no answer asks again or lets go, as
//! with any desk.

use std::sync::Arc;
use std::time::Duration;

use async_nats::{Client, HeaderMap, Message as Letter};
use async_trait::async_trait;
use bytes::Bytes;
use futures::StreamExt;
use tokio::sync::Semaphore;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::{Desk, DeskError};
use crate::protocol::{
    Claim, ClaimAnswer, ClaimRequest, Message, Outcome, ReportRequest, Ticket, Verdict, decode, encode,
};

/// Requests answered at once: the state groups their commits, so many are as quick as few.
const AT_ONCE: usize = 4_096;
/// How long the last answers may take to be sent.
const LAST_WORDS: Duration = Duration::from_secs(3);
/// The header of an answer that says why there is none.
const WHY: &str = "Vivid-Error";

/// What is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Question {
    Claim,
    Heartbeat,
    Report,
}

impl Question {
    const ALL: [Self; 3] = [Self::Claim, Self::Heartbeat, Self::Report];

    fn name(self) -> &'static str {
        match self {
            Self::Claim => "claim",
            Self::Heartbeat => "heartbeat",
            Self::Report => "report",
        }
    }

    fn subject(self, prefix: &str) -> String {
        format!("{prefix}.desk.{}", self.name())
    }
}

/// The coordinator's desk, as a worker on another machine reaches it.
#[derive(Debug, Clone)]
pub struct RemoteDesk {
    client: Client,
    prefix: String,
}

impl RemoteDesk {
    /// The desk of the deployment that calls itself `prefix`.
    pub fn new(client: Client, prefix: &str) -> Self {
        Self { client, prefix: prefix.to_owned() }
    }

    async fn ask<Q: Message, A: Message>(&self, question: Question, words: &Q) -> Result<A, DeskError> {
        let words = encode(words).map_err(failed)?;
        let answer = self.client.request(question.subject(&self.prefix), words.into()).await.map_err(failed)?;
        if let Some(why) = answer.headers.as_ref().and_then(|headers| headers.get(WHY)) {
            return Err(DeskError(why.as_str().to_owned()));
        }
        decode(&answer.payload).map_err(failed)
    }
}

#[async_trait]
impl Desk for RemoteDesk {
    async fn claim(&self, ticket: Ticket, worker: &str) -> Result<ClaimAnswer, DeskError> {
        self.ask(Question::Claim, &ClaimRequest { ticket, worker: worker.to_owned() }).await
    }

    async fn heartbeat(&self, claim: Claim) -> Result<Verdict, DeskError> {
        self.ask(Question::Heartbeat, &claim).await
    }

    async fn report(&self, claim: Claim, outcome: Outcome) -> Result<Verdict, DeskError> {
        self.ask(Question::Report, &ReportRequest { claim, outcome }).await
    }
}

/// Answers what workers on other machines ask, until `stop` is cancelled and the last of it is answered.
///
/// # Errors
/// [`DeskError`] where nothing can be listened for.
pub async fn serve(
    client: Client,
    prefix: &str,
    desk: Arc<dyn Desk>,
    stop: CancellationToken,
) -> Result<(), DeskError> {
    let mut asked = futures::stream::SelectAll::new();
    for question in Question::ALL {
        let heard = client.subscribe(question.subject(prefix)).await.map_err(failed)?;
        asked.push(heard.map(move |letter| (question, letter)).boxed());
    }
    let places = Arc::new(Semaphore::new(AT_ONCE));
    while let Some(Some((question, letter))) = stop.run_until_cancelled(asked.next()).await {
        let place = Arc::clone(&places).acquire_owned().await.map_err(failed)?;
        let (client, desk) = (client.clone(), Arc::clone(&desk));
        tokio::spawn(async move {
            answer(&client, &*desk, question, letter).await;
            drop(place);
        });
    }
    // What was asked before is answered yet.
    let _ = places.acquire_many(AT_ONCE as u32).await;
    let _ = timeout(LAST_WORDS, client.flush()).await;
    Ok(())
}

async fn answer(client: &Client, desk: &dyn Desk, question: Question, letter: Letter) {
    let Some(reply) = letter.reply else { return };
    let answered = match reply_to(desk, question, &letter.payload).await {
        Ok(bytes) => client.publish(reply, bytes).await,
        Err(why) => {
            let mut headers = HeaderMap::new();
            // One line: it is a header.
            headers.insert(WHY, why.0.replace(['\r', '\n'], " ").as_str());
            client.publish_with_headers(reply, headers, Bytes::new()).await
        }
    };
    if let Err(error) = answered {
        tracing::warn!(%error, question = question.name(), "an answer to a worker can't be sent");
    }
}

async fn reply_to(desk: &dyn Desk, question: Question, words: &[u8]) -> Result<Bytes, DeskError> {
    let answer = match question {
        Question::Claim => {
            let ClaimRequest { ticket, worker } = decode(words).map_err(failed)?;
            encode(&desk.claim(ticket, &worker).await?)
        }
        Question::Heartbeat => encode(&desk.heartbeat(decode(words).map_err(failed)?).await?),
        Question::Report => {
            let ReportRequest { claim, outcome } = decode(words).map_err(failed)?;
            encode(&desk.report(claim, outcome).await?)
        }
    };
    Ok(answer.map_err(failed)?.into())
}

fn failed(error: impl std::fmt::Display) -> DeskError {
    DeskError(error.to_string())
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::nats::server::Server;
    use crate::protocol::{Class, Failure};

    /// Grants nothing, and repeats what it was asked.
    struct Echo;

    #[async_trait]
    impl Desk for Echo {
        async fn claim(&self, ticket: Ticket, worker: &str) -> Result<ClaimAnswer, DeskError> {
            match worker {
                "broken" => Err(DeskError(format!("no\nroom for {}", ticket.epoch))),
                _ => Ok(ClaimAnswer::Refused),
            }
        }

        async fn heartbeat(&self, claim: Claim) -> Result<Verdict, DeskError> {
            Ok(if claim.epoch == 1 { Verdict::Accepted } else { Verdict::Refused })
        }

        async fn report(&self, claim: Claim, outcome: Outcome) -> Result<Verdict, DeskError> {
            let Outcome::Failed(failure) = outcome else { return Ok(Verdict::Refused) };
            assert_eq!((claim.nonce, failure.message.len()), (7, 10_000));
            Ok(Verdict::Accepted)
        }
    }

    #[tokio::test]
    async fn questions_are_answered_across_the_wire() {
        let Some(server) = Server::start() else { return };
        let client = server.client().await;
        let stop = CancellationToken::new();
        let desk = RemoteDesk::new(server.client().await, "t");
        let ticket = Ticket { job: Uuid::nil(), epoch: 3, class: Class::Plan };
        assert!(desk.claim(ticket, "w").await.is_err(), "nobody is there");

        let serving = tokio::spawn({
            let stop = stop.clone();
            async move { serve(client, "t", Arc::new(Echo), stop).await }
        });
        while desk.claim(ticket, "w").await.is_err() {
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
        assert_eq!(desk.claim(ticket, "w").await.unwrap(), ClaimAnswer::Refused);
        let refused = desk.claim(ticket, "broken").await.unwrap_err();
        assert!(refused.to_string().contains("no room for 3"), "{refused}");
        let claim = |epoch| Claim { job: Uuid::nil(), epoch, nonce: 7 };
        assert_eq!(desk.heartbeat(claim(1)).await.unwrap(), Verdict::Accepted);
        assert_eq!(desk.heartbeat(claim(2)).await.unwrap(), Verdict::Refused);
        let failure = Failure { code: "x".into(), message: "m".repeat(10_000), retry: true };
        assert_eq!(desk.report(claim(1), Outcome::Failed(failure)).await.unwrap(), Verdict::Accepted);
        let many = (0..500).map(|n| desk.heartbeat(claim(n % 2)));
        let many = futures::future::join_all(many).await;
        assert_eq!(many.iter().filter(|v| matches!(v, Ok(Verdict::Accepted))).count(), 250);
        stop.cancel();
        serving.await.unwrap().unwrap();
    }
}
