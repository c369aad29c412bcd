use uuid::Uuid;

use super::*;
use crate::nats::server::Server;
use crate::protocol::golden::{claim, grant, granted, old, plan_job, planned, ticket};
use crate::protocol::{Claim, Class, Failure, Job, PlanJob, Planned, PlannedPage, Terms, encode};

/// Identity of the client that [`Server::client`] returns.
const IDENTITY: &str = "test";

fn caller(name: &str) -> Caller {
    Caller { identity: None, name: name.into(), version: PROTOCOL_VERSION }
}

/// Grants nothing, and answers from the request alone.
struct Echo;

#[async_trait]
impl JobService for Echo {
    async fn claim(&self, ticket: Ticket, caller: &Caller) -> Result<ClaimAnswer, JobServiceError> {
        match caller.name.as_str() {
            "broken" => Err(JobServiceError(format!("no\nroom for {}", u32::from(ticket.epoch)))),
            _ => Ok(ClaimAnswer::Refused),
        }
    }

    async fn heartbeat(&self, Grant { claim, .. }: Grant) -> Result<Verdict, JobServiceError> {
        Ok(if claim.epoch == 1.into() { Verdict::Accepted } else { Verdict::Refused })
    }

    async fn report(&self, Grant { claim, .. }: Grant, outcome: Outcome) -> Result<Verdict, JobServiceError> {
        let Outcome::Failed(failure) = outcome else { return Ok(Verdict::Refused) };
        assert_eq!((claim.nonce, failure.message.len()), (7, 10_000));
        Ok(Verdict::Accepted)
    }
}

#[tokio::test]
async fn requests_are_answered_across_the_wire() {
    let Some(server) = Server::start() else { return };
    let client = server.client().await;
    let stop = CancellationToken::new();
    let service =
        RemoteJobService::new(server.client().await, "t", IDENTITY, NegotiatedVersion::default(), Blobs::memory());
    let ticket = Ticket { job: Uuid::nil(), epoch: 3.into(), class: Class::Plan };
    assert!(service.claim(ticket, &caller("w")).await.is_err(), "nobody is there");

    let serving = tokio::spawn({
        let stop = stop.clone();
        async move { serve(client, "t", Arc::new(Echo), Blobs::memory(), stop).await }
    });
    while service.claim(ticket, &caller("w")).await.is_err() {
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    assert_eq!(service.claim(ticket, &caller("w")).await.unwrap(), ClaimAnswer::Refused);
    let refused = service.claim(ticket, &caller("broken")).await.unwrap_err();
    assert!(refused.to_string().contains("no room for 3"), "{refused}");
    let claim = |epoch: u32| Grant { claim: Claim { job: Uuid::nil(), epoch: epoch.into(), nonce: 7 }, secret: None };
    assert_eq!(service.heartbeat(claim(1)).await.unwrap(), Verdict::Accepted);
    assert_eq!(service.heartbeat(claim(2)).await.unwrap(), Verdict::Refused);
    let failure = Failure { code: "x".into(), message: "m".repeat(10_000), retry: true, tokens: None, usage: None };
    assert_eq!(service.report(claim(1), Outcome::Failed(failure)).await.unwrap(), Verdict::Accepted);
    let many = (0..500).map(|n| service.heartbeat(claim(1 + n % 2)));
    let many = futures::future::join_all(many).await;
    assert_eq!(many.iter().filter(|v| matches!(v, Ok(Verdict::Accepted))).count(), 250);
    stop.cancel();
    serving.await.unwrap().unwrap();
}

/// Has one job, and expects claims of one protocol version.
struct OneJob {
    version: u8,
}

#[async_trait]
impl JobService for OneJob {
    async fn claim(&self, asked: Ticket, caller: &Caller) -> Result<ClaimAnswer, JobServiceError> {
        assert_eq!(caller, &Caller { identity: Some(IDENTITY.into()), name: "w".into(), version: self.version });
        assert_eq!(asked, ticket());
        Ok(granted())
    }

    async fn heartbeat(&self, asked: Grant) -> Result<Verdict, JobServiceError> {
        assert_eq!(asked, grant());
        Ok(Verdict::Refused)
    }

    async fn report(&self, asked: Grant, outcome: Outcome) -> Result<Verdict, JobServiceError> {
        assert_eq!((asked, outcome), (grant(), planned()));
        Ok(Verdict::Refused)
    }
}

/// Returns the answer to a request, retrying until somebody listens on the subject.
async fn answer_to(client: &Client, subject: String, payload: Vec<u8>) -> NatsMessage {
    loop {
        match client.request(subject.clone(), payload.clone().into()).await {
            Ok(answer) => return answer,
            Err(_) => tokio::time::sleep(Duration::from_millis(10)).await,
        }
    }
}

/// Replays bytes that the previous version wrote and compares the answers with those it can read.
#[tokio::test]
async fn a_worker_of_the_previous_version_is_answered_in_it() {
    let Some(server) = Server::start() else { return };
    let (client, stop) = (server.client().await, CancellationToken::new());
    let service = Arc::new(OneJob { version: PROTOCOL_VERSION - 1 });
    let serving = tokio::spawn(serve(server.client().await, "t", service, Blobs::memory(), stop.clone()));
    for (kind, payload, answer) in
        [("claim", "claim request", "granted"), ("heartbeat", "claim", "verdict"), ("report", "report", "verdict")]
    {
        let answered = answer_to(&client, format!("t.desk.{IDENTITY}.{kind}"), old(payload)).await;
        assert_eq!(hex::encode(&answered.payload), hex::encode(old(answer)), "{kind:?}");
        let headers = answered.headers.unwrap();
        assert!(headers.get(ERROR).is_none());
        assert_eq!(headers.get(VERSION).unwrap().as_str(), PROTOCOL_VERSION.to_string());
    }
    let older = answer_to(&client, format!("t.desk.{IDENTITY}.heartbeat"), vec![PROTOCOL_VERSION - 2, 1]).await;
    assert!(older.headers.unwrap().get(ERROR).unwrap().as_str().contains("version"));
    stop.cancel();
    serving.await.unwrap().unwrap();
}

#[tokio::test]
async fn a_worker_of_this_version_asks_as_itself() {
    let Some(server) = Server::start() else { return };
    let stop = CancellationToken::new();
    let service = Arc::new(OneJob { version: PROTOCOL_VERSION });
    let serving = tokio::spawn(serve(server.client().await, "t", service, Blobs::memory(), stop.clone()));
    let worker =
        RemoteJobService::new(server.client().await, "t", IDENTITY, NegotiatedVersion::default(), Blobs::memory());
    let answer = loop {
        match worker.claim(ticket(), &caller("w")).await {
            Ok(answer) => break answer,
            Err(_) => tokio::time::sleep(Duration::from_millis(10)).await,
        }
    };
    assert_eq!(answer, granted());
    assert_eq!(worker.heartbeat(grant()).await.unwrap(), Verdict::Refused);
    assert_eq!(worker.report(grant(), planned()).await.unwrap(), Verdict::Refused);
    stop.cancel();
    serving.await.unwrap().unwrap();
}

/// A worker can publish only to its own subjects, and its messages there reach no other subject.
#[tokio::test]
async fn i19_a_request_is_answered_in_the_inbox_of_the_identity_that_sends_it() {
    let Some(server) = Server::start() else { return };
    let (client, stop) = (server.client().await, CancellationToken::new());
    let serving = tokio::spawn(serve(server.client().await, "t", Arc::new(Echo), Blobs::memory(), stop.clone()));
    let claim_request = || encode_as(PROTOCOL_VERSION, &ClaimRequest { ticket: ticket(), worker: "w".into() }).unwrap();
    let answered = answer_to(&client, format!("t.desk.{IDENTITY}.claim"), claim_request()).await;
    assert!(answered.headers.is_none() && !answered.payload.is_empty());
    // Nobody listens on a subject without an identity.
    let unnamed = client.request("t.desk.claim", claim_request().into()).await.unwrap_err();
    assert_eq!(unnamed.kind(), RequestErrorKind::NoResponders);
    // The coordinator publishes nothing to another's inbox, to another's request subject or to the stream of tickets.
    let mut others = client.subscribe(">").await.unwrap();
    for reply in
        ["_INBOX.other.x", "_INBOX.testing.x", "_INBOX.test", "t.desk.other.claim", "$JS.API.STREAM.PURGE.t-jobs"]
    {
        client.publish_with_reply(format!("t.desk.{IDENTITY}.claim"), reply, claim_request().into()).await.unwrap();
    }
    client.flush().await.unwrap();
    while let Ok(Some(heard)) = timeout(Duration::from_millis(300), others.next()).await {
        let own = heard.subject.starts_with("_INBOX.test.") || heard.subject.starts_with("t.desk.");
        assert!(own, "{}", heard.subject);
    }
    stop.cancel();
    serving.await.unwrap().unwrap();
}

#[test]
fn subjects_say_who_asks_what() {
    for (subject, asked) in [
        ("v.desk.w-1.claim", Some((RequestKind::Claim, "w-1"))),
        ("v.desk.report", None),
        ("v.desk.owner", None),
        ("v.jobs.plan", None),
        ("v.desk.a.b.claim", None),
        ("w.desk.claim", None),
    ] {
        assert_eq!(RequestKind::parse("v", subject), asked, "{subject}");
    }
}

/// A coordinator of the previous version: it refuses this version and names its own.
async fn previous_coordinator(client: Client, requests: usize) -> Vec<Vec<u8>> {
    let mut asked = client.subscribe("t.desk.*.*").await.unwrap();
    client.flush().await.unwrap();
    let mut understood = Vec::new();
    while understood.len() < requests {
        let message = asked.next().await.unwrap();
        let reply = message.reply.unwrap();
        if message.payload[0] == PROTOCOL_VERSION {
            let mut headers = HeaderMap::new();
            headers.insert(VERSION, (PROTOCOL_VERSION - 1).to_string());
            headers.insert(ERROR, "protocol version");
            client.publish_with_headers(reply, headers, Bytes::new()).await.unwrap();
            continue;
        }
        assert!(message.headers.is_none(), "it reads no outcome from the store");
        let answer = if message.subject.ends_with("claim") { "granted" } else { "verdict" };
        client.publish(reply, old(answer).into()).await.unwrap();
        understood.push(message.payload.to_vec());
    }
    understood
}

#[tokio::test]
async fn a_coordinator_of_the_previous_version_is_asked_in_it() {
    let Some(server) = Server::start_as("max_payload: 65536") else { return };
    let coordinator = tokio::spawn(previous_coordinator(server.client().await, 4));
    let negotiated = NegotiatedVersion::default();
    let service = RemoteJobService::new(server.client().await, "t", IDENTITY, negotiated.clone(), Blobs::memory());
    let answer = loop {
        match service.claim(ticket(), &caller("w")).await {
            Ok(answer) => break answer,
            Err(_) => tokio::time::sleep(Duration::from_millis(10)).await,
        }
    };
    assert_eq!(answer, granted());
    assert_eq!(negotiated.known(), Some(PROTOCOL_VERSION - 1));
    assert_eq!(service.heartbeat(grant()).await.unwrap(), Verdict::Refused);
    assert_eq!(service.report(grant(), planned()).await.unwrap(), Verdict::Refused);
    // A report that is too large for the queue fails with `retry`: another coordinator may accept it.
    assert_eq!(service.report(grant(), planned_pages(100, 1_000)).await.unwrap(), Verdict::Refused);
    let understood = coordinator.await.unwrap();
    assert_eq!(understood[..3], ["claim request", "claim", "report"].map(old));
    let report: ReportRequest = decode(&understood[3]).unwrap();
    let Outcome::Failed(failure) = report.outcome else { panic!("{report:?}") };
    assert!(failure.retry && failure.message.contains("too large"), "{failure:?}");
}

/// Stores every report.
#[derive(Default)]
struct Keeps(parking_lot::Mutex<Vec<(Grant, Outcome)>>);

#[async_trait]
impl JobService for Keeps {
    async fn claim(&self, _ticket: Ticket, _caller: &Caller) -> Result<ClaimAnswer, JobServiceError> {
        // No real coordinator answers this: it exceeds the server's `max_payload`.
        let Job::Plan(job) = plan_job() else { panic!("it plans") };
        let job = Job::Plan(PlanJob { title: Some("x".repeat(70_000)), ..job });
        Ok(ClaimAnswer::Granted(claim(), job, Terms::default()))
    }

    async fn heartbeat(&self, _grant: Grant) -> Result<Verdict, JobServiceError> {
        Ok(Verdict::Accepted)
    }

    async fn report(&self, grant: Grant, outcome: Outcome) -> Result<Verdict, JobServiceError> {
        self.0.lock().push((grant, outcome));
        Ok(Verdict::Accepted)
    }
}

/// Returns this many pages with descriptions of this length.
fn planned_pages(pages: u32, alt_text: usize) -> Outcome {
    let Outcome::Planned(planned) = planned() else { panic!("it is planned") };
    let page = |slide| PlannedPage {
        format: "pitch_deck".into(),
        slide: Some(slide),
        page: BlobId([9; 32]),
        alt_text: "x".repeat(alt_text),
    };
    Outcome::Planned(Planned { pages: (0..pages).map(page).collect(), ..planned })
}

/// Returns a server with a small `max_payload`, a job service behind it, a worker that shares its store, and that
/// store.
async fn on_a_small_server() -> Option<(Server, Arc<Keeps>, RemoteJobService, Blobs)> {
    let server = Server::start_as("max_payload: 65536")?;
    let (service, blobs) = (Arc::new(Keeps::default()), Blobs::memory());
    tokio::spawn(serve(server.client().await, "t", Arc::clone(&service) as _, blobs.clone(), CancellationToken::new()));
    let worker =
        RemoteJobService::new(server.client().await, "t", IDENTITY, NegotiatedVersion::default(), blobs.clone());
    while worker.heartbeat(grant()).await.is_err() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert_eq!(worker.client.max_payload(), 65_536);
    Some((server, service, worker, blobs))
}

#[tokio::test]
async fn a_report_larger_than_the_queue_allows_goes_through_the_store() {
    let Some((_server, service, worker, blobs)) = on_a_small_server().await else { return };
    let (small, large) = (planned_pages(2, 1_000), planned_pages(100, 1_000));
    assert!(encode(&large).unwrap().len() > 65_536);
    for outcome in [&small, &large] {
        assert_eq!(worker.report(grant(), outcome.clone()).await.unwrap(), Verdict::Accepted);
    }
    let kept = std::mem::take(&mut *service.0.lock());
    assert!(kept == [(grant(), small.clone()), (grant(), large.clone())], "with the secret of the claim");
    let blob_of = |outcome: &Outcome| BlobId::of(&encode(outcome).unwrap());
    assert!(blobs.blob_metadata(&blob_of(&large)).await.is_ok());
    assert!(blobs.blob_metadata(&blob_of(&small)).await.is_err(), "a small one goes by itself");
    // Sizes around the limit, byte by byte.
    for alt_text in 6_330..6_500 {
        let outcome = planned_pages(10, alt_text);
        assert_eq!(worker.report(grant(), outcome.clone()).await.unwrap(), Verdict::Accepted, "{alt_text}");
        assert!(service.0.lock().pop().unwrap().1 == outcome);
    }
    // An outcome that no coordinator could read fails for good.
    assert_eq!(worker.report(grant(), planned_pages(500, 3_000)).await.unwrap(), Verdict::Accepted);
    let Some((_, Outcome::Failed(failure))) = service.0.lock().pop() else { panic!("it failed") };
    assert!(failure.message.contains("too large") && !failure.retry, "{failure:?}");
}

#[tokio::test]
async fn what_is_named_in_place_of_an_outcome_is_read_with_limits() {
    let Some((_server, service, worker, blobs)) = on_a_small_server().await else { return };
    let large = blobs.put_blob(vec![PROTOCOL_VERSION; MESSAGE_BYTES + 1].into()).await.unwrap();
    let noise = blobs.put_blob(Bytes::from_static(&[PROTOCOL_VERSION, 9, 9])).await.unwrap();
    let cases = [
        (large.to_string(), "over the limit"),
        (noise.to_string(), "malformed"),
        (BlobId([7; 32]).to_string(), "can't be read"),
        ("../state".into(), "hexadecimal"),
    ];
    for (named, why) in cases {
        let mut headers = HeaderMap::new();
        headers.insert(OUTCOME, named.as_str());
        let refused = worker.request_with::<_, Verdict>(headers, RequestKind::Report, &grant()).await.unwrap_err();
        assert!(refused.to_string().contains(why), "{named}: {refused}");
    }
    assert!(service.0.lock().is_empty());
}

#[tokio::test]
async fn an_answer_larger_than_the_queue_allows_is_refused_in_words() {
    let Some((_server, _service, worker, _blobs)) = on_a_small_server().await else { return };
    let refused = worker.claim(ticket(), &caller("w")).await.unwrap_err();
    assert!(refused.to_string().contains("max_payload"), "{refused}");
}
