//! The desk across machines: requests over NATS. One coordinator answers; whoever gets no answer asks again or lets go, as
//! with any desk.
//!
//! A question is answered in the version of the protocol that it was asked in, and the coordinator says its own beside
//! every answer that isn't in it. A worker that is refused asks once more in the version before, for the coordinator may be
//! of that, and goes on in the one that was understood.

use std::sync::Arc;
use std::time::Duration;

use async_nats::{Client, HeaderMap, HeaderValue, Message as Letter};
use async_trait::async_trait;
use bytes::Bytes;
use futures::StreamExt;
use tokio::sync::Semaphore;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::{Desk, DeskError};
use crate::protocol::{
    Claim, ClaimAnswer, ClaimRequest, Message, Outcome, PROTOCOL_VERSION, ReportRequest, Ticket, Tongue, Verdict,
    decode, encode_as,
};

/// Requests answered at once: the state groups their commits, so many are as quick as few.
const AT_ONCE: usize = 4_096;
/// How long the last answers may take to be sent.
const LAST_WORDS: Duration = Duration::from_secs(3);
/// The header of an answer that says why there is none.
const WHY: &str = "Vivid-Error";
/// The header of an answer that says the coordinator's version of the protocol, where the question's was another.
const VERSION: &str = "Vivid-Version";

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
    tongue: Tongue,
}

impl RemoteDesk {
    /// The desk of the deployment that calls itself `prefix`; `tongue` learns which version it speaks.
    pub fn new(client: Client, prefix: &str, tongue: Tongue) -> Self {
        Self { client, prefix: prefix.to_owned(), tongue }
    }

    async fn ask<Q: Message, A: Message>(&self, question: Question, words: &Q) -> Result<A, DeskError> {
        let version = self.tongue.spoken();
        let answer = match self.ask_in(version, question, words).await? {
            // It may be too new to be understood; whatever else it is, it may be asked twice.
            Err(_) if version == PROTOCOL_VERSION => self.ask_in(version - 1, question, words).await?,
            answer => answer,
        };
        answer.map_err(DeskError)
    }

    /// The answer, or why there is none.
    async fn ask_in<Q: Message, A: Message>(
        &self,
        version: u8,
        question: Question,
        words: &Q,
    ) -> Result<Result<A, String>, DeskError> {
        let said = encode_as(version, words).map_err(failed)?;
        let answer = self.client.request(question.subject(&self.prefix), said.into()).await.map_err(failed)?;
        let header = |name| answer.headers.as_ref().and_then(|headers| headers.get(name)).map(HeaderValue::as_str);
        let why = header(WHY);
        // Who understands says nothing of versions where there is nothing to say.
        let own = header(VERSION).and_then(|own| own.parse().ok()).or(why.is_none().then_some(version));
        if let Some(own) = own {
            self.tongue.heard(own);
        }
        Ok(match why {
            Some(why) => Err(why.to_owned()),
            None => Ok(decode(&answer.payload).map_err(failed)?),
        })
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
    let mut headers = HeaderMap::new();
    if letter.payload.first() != Some(&PROTOCOL_VERSION) {
        headers.insert(VERSION, PROTOCOL_VERSION.to_string());
    }
    let words = reply_to(desk, question, &letter.payload).await.unwrap_or_else(|why| {
        // One line: it is a header.
        headers.insert(WHY, why.0.replace(['\r', '\n'], " ").as_str());
        Bytes::new()
    });
    let answered = match headers.is_empty() {
        true => client.publish(reply, words).await,
        false => client.publish_with_headers(reply, headers, words).await,
    };
    if let Err(error) = answered {
        tracing::warn!(%error, question = question.name(), "an answer to a worker can't be sent");
    }
}

async fn reply_to(desk: &dyn Desk, question: Question, words: &[u8]) -> Result<Bytes, DeskError> {
    // What is read below has a version.
    let version = words.first().copied().unwrap_or(PROTOCOL_VERSION);
    let answer = match question {
        Question::Claim => {
            let ClaimRequest { ticket, worker } = decode(words).map_err(failed)?;
            encode_as(version, &desk.claim(ticket, &worker).await?)
        }
        Question::Heartbeat => encode_as(version, &desk.heartbeat(decode(words).map_err(failed)?).await?),
        Question::Report => {
            let ReportRequest { claim, outcome } = decode(words).map_err(failed)?;
            encode_as(version, &desk.report(claim, outcome).await?)
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
    use crate::protocol::golden::{claim, old, planned, render_job, ticket};
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
        let desk = RemoteDesk::new(server.client().await, "t", Tongue::default());
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
        let failure = Failure { code: "x".into(), message: "m".repeat(10_000), retry: true, tokens: None };
        assert_eq!(desk.report(claim(1), Outcome::Failed(failure)).await.unwrap(), Verdict::Accepted);
        let many = (0..500).map(|n| desk.heartbeat(claim(n % 2)));
        let many = futures::future::join_all(many).await;
        assert_eq!(many.iter().filter(|v| matches!(v, Ok(Verdict::Accepted))).count(), 250);
        stop.cancel();
        serving.await.unwrap().unwrap();
    }

    /// Knows one job.
    struct OneJob;

    #[async_trait]
    impl Desk for OneJob {
        async fn claim(&self, asked: Ticket, worker: &str) -> Result<ClaimAnswer, DeskError> {
            assert_eq!((asked, worker), (ticket(), "w"));
            Ok(ClaimAnswer::Granted(claim(), render_job()))
        }

        async fn heartbeat(&self, asked: Claim) -> Result<Verdict, DeskError> {
            assert_eq!(asked, claim());
            Ok(Verdict::Refused)
        }

        async fn report(&self, asked: Claim, outcome: Outcome) -> Result<Verdict, DeskError> {
            assert_eq!((asked, outcome), (claim(), planned()));
            Ok(Verdict::Refused)
        }
    }

    /// By what it wrote and what it could read.
    #[tokio::test]
    async fn a_worker_of_the_version_before_is_answered_in_it() {
        let Some(server) = Server::start() else { return };
        let (client, stop) = (server.client().await, CancellationToken::new());
        let serving = tokio::spawn(serve(server.client().await, "t", Arc::new(OneJob), stop.clone()));
        let ask = async |question: Question, words: Vec<u8>| loop {
            match client.request(question.subject("t"), words.clone().into()).await {
                Ok(answer) => return answer,
                Err(_) => tokio::time::sleep(Duration::from_millis(10)).await,
            }
        };
        for (question, words, answer) in [
            (Question::Claim, "knock", "granted"),
            (Question::Heartbeat, "claim", "verdict"),
            (Question::Report, "report", "verdict"),
        ] {
            let answered = ask(question, old(words)).await;
            assert_eq!(hex::encode(&answered.payload), hex::encode(old(answer)), "{question:?}");
            let headers = answered.headers.unwrap();
            assert!(headers.get(WHY).is_none());
            assert_eq!(headers.get(VERSION).unwrap().as_str(), PROTOCOL_VERSION.to_string());
        }
        let older = ask(Question::Heartbeat, vec![PROTOCOL_VERSION - 2, 1]).await;
        assert!(older.headers.unwrap().get(WHY).unwrap().as_str().contains("version"));
        stop.cancel();
        serving.await.unwrap().unwrap();
    }

    #[tokio::test]
    async fn a_coordinator_of_the_version_before_is_asked_in_it() {
        let Some(server) = Server::start() else { return };
        let coordinator = server.client().await;
        let mut asked = coordinator.subscribe("t.desk.*").await.unwrap();
        coordinator.flush().await.unwrap();
        // What it is asked in its version, in order; the rest it can't read, and says so.
        let old_coordinator = tokio::spawn(async move {
            let mut understood = Vec::new();
            while understood.len() < 3 {
                let letter = asked.next().await.unwrap();
                let reply = letter.reply.unwrap();
                if letter.payload[0] == PROTOCOL_VERSION {
                    let mut headers = HeaderMap::new();
                    headers.insert(WHY, "protocol version 6 is neither 5 nor the one before");
                    coordinator.publish_with_headers(reply, headers, Bytes::new()).await.unwrap();
                    continue;
                }
                let answer = if letter.subject.ends_with("claim") { "granted" } else { "verdict" };
                coordinator.publish(reply, old(answer).into()).await.unwrap();
                understood.push(letter.payload.to_vec());
            }
            understood
        });
        let tongue = Tongue::default();
        let desk = RemoteDesk::new(server.client().await, "t", tongue.clone());
        assert_eq!(desk.claim(ticket(), "w").await.unwrap(), ClaimAnswer::Granted(claim(), render_job()));
        assert_eq!(tongue.known(), Some(PROTOCOL_VERSION - 1));
        assert_eq!(desk.heartbeat(claim()).await.unwrap(), Verdict::Refused);
        assert_eq!(desk.report(claim(), planned()).await.unwrap(), Verdict::Refused);
        assert_eq!(old_coordinator.await.unwrap(), ["knock", "claim", "report"].map(old));
    }
}
