//! A compromised worker: what it can reach with its credentials for queue and store, set up as in `deploy/`. The tests
//! give it all information about other workers' jobs except their secrets.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use bytes::Bytes;
use fleet::blobs::{Access, Blobs};
use fleet::job_service::JobService;
use fleet::job_service::nats::RemoteJobService;
use fleet::nats::{Settings, connect};
use fleet::protocol::{Caller, ClaimAnswer, Class, Failure, Grant, NegotiatedVersion, Outcome, Secret, Verdict};
use fleet::queue::Queue;
use fleet::queue::nats::NatsQueue;
use futures::StreamExt;
use serde_json::{Value, json};

use super::UNHURRIED;
use crate::service::{Service, Worker, operate};
use crate::shipped::Shipped;
use crate::storage::{BUCKET, Storage};

/// Timeout for conditions that must become true.
const PATIENCE: Duration = Duration::from_secs(30);

fn text() -> Value {
    json!({
        "inputType": "text", "outputFormats": ["ad_mpu"],
        "inputContent": "# Calm teams\n\n- Write decisions down\n- Meet less\n- Ship small",
    })
}

/// A raw connection to the queue, without a client library.
struct Raw(BufReader<TcpStream>);

impl Raw {
    fn connect(url: &str) -> Self {
        let (login, address) = url.strip_prefix("nats://").unwrap().split_once('@').unwrap();
        let (user, password) = login.split_once(':').unwrap();
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let mut raw = Self(BufReader::new(stream));
        let hello = json!({"verbose": false, "pedantic": false, "user": user, "pass": password});
        assert_eq!(raw.say(&format!("CONNECT {hello}\r\n")), [] as [String; 0], "it is let in");
        raw
    }

    /// Sends protocol lines. Returns what is received until the server has processed them.
    fn say(&mut self, words: &str) -> Vec<String> {
        self.0.get_mut().write_all(format!("{words}PING\r\n").as_bytes()).unwrap();
        let mut heard = Vec::new();
        loop {
            let mut line = String::new();
            assert!(self.0.read_line(&mut line).unwrap() > 0, "the server closed the connection: {heard:?}");
            match line.split_ascii_whitespace().next().unwrap_or_default() {
                "PONG" => return heard,
                "INFO" | "PING" => {}
                "MSG" | "HMSG" => {
                    let bytes = line.split_ascii_whitespace().next_back().unwrap().parse::<usize>().unwrap();
                    self.0.read_exact(&mut vec![0; bytes + 2]).unwrap();
                    heard.push(line);
                }
                _ => heard.push(line),
            }
        }
    }

    fn subscribe(&mut self, subject: &str) -> Vec<String> {
        self.say(&format!("SUB {subject} 1\r\n"))
    }

    fn publish(&mut self, subject: &str, reply: &str, words: &str) -> Vec<String> {
        self.say(&format!("PUB {subject} {reply} {}\r\n{words}\r\n", words.len()))
    }
}

fn settings(shipped: &Shipped, user: &str) -> Settings {
    Settings { servers: shipped.url(user).parse().unwrap(), credentials: None, ca: None, name: user.to_owned() }
}

/// Starts the coordinator of a fleet with the shipped users and policies.
fn coordinator(shipped: &Shipped, environment: &[(&str, &str)], data: &std::path::Path, store: &str) -> Service {
    let url = shipped.url("coordinator");
    let environment = [environment, &[("VIVID_QUEUE", url.as_str())]].concat();
    Service::start_in(&environment, data, &[&["--store", store][..], &UNHURRIED].concat())
}

#[tokio::test]
async fn i19_a_workers_credentials_reach_nothing_of_others_on_the_queue() {
    let Some(shipped) = Shipped::start() else { return };
    let data = tempfile::tempdir().unwrap();
    let store = data.path().join("store").display().to_string();
    let coordinator = coordinator(&shipped, &[], data.path(), &store);
    let mut rogue = Raw::connect(&shipped.url("worker-2"));
    for subject in [
        ">",
        "*",
        "_INBOX.>",
        "_INBOX.*.>",
        "_INBOX.worker-1.>",
        "_INBOX.coordinator.>",
        "vivid.>",
        "vivid.desk.>",
        "vivid.desk.*.claim",
        "vivid.desk.worker-1.claim",
        "vivid.desk.worker-2.report",
        "vivid.desk.owner",
        "vivid.workers.*",
        "vivid.jobs.*",
        "$JS.>",
        "$JS.ACK.>",
        "$SYS.>",
    ] {
        let heard = rogue.subscribe(subject);
        assert!(
            heard.iter().any(|line| line.contains("Permissions Violation for Subscription")),
            "{subject}: {heard:?}"
        );
    }
    assert!(rogue.subscribe("_INBOX.worker-2.>").is_empty(), "its own answers");
    for subject in [
        "vivid.desk.claim",
        "vivid.desk.report",
        "vivid.desk.worker-1.claim",
        "vivid.desk.worker-1.report",
        "vivid.desk.worker-1.heartbeat",
        "vivid.desk.owner",
        "vivid.workers.worker-1",
        "vivid.jobs.plan",
        "_INBOX.worker-1.x",
        "_INBOX.coordinator.x",
        "$JS.API.INFO",
        "$JS.API.STREAM.NAMES",
        "$JS.API.STREAM.INFO.vivid-jobs",
        "$JS.API.STREAM.PURGE.vivid-jobs",
        "$JS.API.STREAM.DELETE.vivid-jobs",
        "$JS.API.STREAM.UPDATE.vivid-jobs",
        "$JS.API.STREAM.MSG.GET.vivid-jobs",
        "$JS.API.STREAM.MSG.DELETE.vivid-jobs",
        "$JS.API.STREAM.CREATE.mine",
        "$JS.API.CONSUMER.CREATE.vivid-jobs.mine",
        "$JS.API.CONSUMER.DELETE.vivid-jobs.plan",
        "$JS.API.CONSUMER.LIST.vivid-jobs",
        "$SYS.REQ.SERVER.PING",
    ] {
        let heard = rogue.publish(subject, "_INBOX.worker-2.x", "{}");
        assert!(heard.iter().any(|line| line.contains("Permissions Violation for Publish")), "{subject}: {heard:?}");
    }
    presents_itself_as_another(&shipped, data.path()).await;
    drop(coordinator);
}

/// A worker announces itself under another worker's name, but is listed under its own.
async fn presents_itself_as_another(shipped: &Shipped, data: &std::path::Path) {
    let info = fleet::presence::WorkerInfo {
        name: "worker-1".into(),
        version: "1".into(),
        devices: vec![],
        cores: 1,
        slots: 1,
    };
    let client = connect(&settings(shipped, "worker-2")).await.unwrap();
    let stop = tokio_util::sync::CancellationToken::new();
    let negotiated = NegotiatedVersion::default();
    let announcer = fleet::presence::Announcer::new(client, "vivid", "worker-2", info, Default::default(), negotiated);
    tokio::spawn(announcer.run(stop.clone()));
    let until = Instant::now() + PATIENCE;
    loop {
        let said = operate(data, &["fleet"]);
        let shown: Value = serde_json::from_slice(&said.stdout).unwrap();
        match shown["workers"].as_array().unwrap().as_slice() {
            [worker] => break assert_eq!(worker["name"], "worker-2/worker-1"),
            _ => assert!(Instant::now() < until, "{shown:#}"),
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    stop.cancel();
}

/// Covers what [`i19_a_workers_credentials_reach_nothing_of_others_on_the_queue`] can't forbid: on its own subjects, a
/// worker can send messages about another worker's claim.
#[tokio::test]
async fn i19_a_worker_fails_no_job_of_another() {
    let Some(shipped) = Shipped::start() else { return };
    let data = tempfile::tempdir().unwrap();
    let store = data.path().join("store").display().to_string();
    let coordinator = coordinator(&shipped, &[], data.path(), &store);
    let client = coordinator.client();
    let made = client.create(&text()).await;
    let blobs = Blobs::local(std::path::Path::new(&store)).unwrap();
    let at_job_service = async |user: &str| {
        let client = connect(&settings(&shipped, user)).await.unwrap();
        (
            RemoteJobService::new(client.clone(), "vivid", user, NegotiatedVersion::default(), blobs.clone()),
            NatsQueue::new(client, "vivid"),
        )
    };
    let ((honest, queue), (rogue, theirs)) = (at_job_service("worker-1").await, at_job_service("worker-2").await);
    let delivery = tokio::time::timeout(PATIENCE, queue.next(&Class::ALL)).await.unwrap().unwrap();
    let ticket = delivery.ticket();
    let answer = honest.claim(ticket, &Caller::here("worker-1")).await.unwrap();
    let ClaimAnswer::Granted(claim, job, terms) = answer else { panic!("{answer:?}") };
    assert_eq!(terms.folder.as_deref(), Some("worker-1"));
    let failed = |retry| {
        Outcome::Failed(Failure {
            code: "no_content".into(),
            message: "forged".into(),
            retry,
            tokens: None,
            usage: None,
        })
    };
    for secret in [None, Some(Secret([0; 16]))] {
        let forged = Grant { claim, secret };
        assert_eq!(rogue.heartbeat(forged).await.unwrap(), Verdict::Refused);
        for retry in [false, true] {
            assert_eq!(rogue.report(forged, failed(retry)).await.unwrap(), Verdict::Refused);
        }
    }
    // The rogue worker claims the same job, and has the server send it tickets on subjects where others listen.
    assert_eq!(rogue.claim(ticket, &Caller::here("worker-1")).await.unwrap(), ClaimAnswer::Refused);
    let owner = NatsQueue::new(connect(&settings(&shipped, "coordinator")).await.unwrap(), "vivid");
    assert_eq!(owner.holds().await.unwrap(), Some(1), "the ticket of the claim");
    let mut other = Raw::connect(&shipped.url("worker-1"));
    assert!(other.subscribe("_INBOX.worker-1.>").is_empty());
    bounce_fetches(&mut Raw::connect(&shipped.url("worker-2")));
    assert_eq!(owner.holds().await.unwrap(), Some(1), "the stream is neither removed, purged nor filled");
    assert!(other.say("").is_empty(), "another worker hears none of it");

    let grant = Grant { claim, secret: terms.secret };
    assert_eq!(honest.heartbeat(grant).await.unwrap(), Verdict::Accepted, "it is the other's still: {job:?}");
    // The job is enqueued again for a worker that can do it.
    assert_eq!(honest.report(grant, failed(true)).await.unwrap(), Verdict::Accepted);
    delivery.done().await;
    drop((queue, theirs));
    let url = shipped.url("worker-1");
    let worker = Worker::start(&[("VIVID_QUEUE", &url)], &["--store", &store, "--name", "worker-1"]);
    let generation = client.finished(crate::service::id(&made)).await;
    assert_eq!(generation["status"], "completed", "{generation:#}");
    assert!(worker.stop().success());
}

/// Makes the server send fetch statuses, which need no ticket, to subjects that the worker itself may not publish to.
fn bounce_fetches(rogue: &mut Raw) {
    for reply in [
        "vivid.desk.worker-1.report",
        "vivid.desk.report",
        "vivid.jobs.plan",
        "_INBOX.worker-1.x",
        "_INBOX.coordinator.x",
        "$JS.API.STREAM.PURGE.vivid-jobs",
        "$JS.API.STREAM.DELETE.vivid-jobs",
        "$JS.API.CONSUMER.DELETE.vivid-jobs.plan",
    ] {
        for class in ["plan", "render-2k"] {
            let next = format!("$JS.API.CONSUMER.MSG.NEXT.vivid-jobs.{class}");
            assert!(rogue.publish(&next, reply, "{\"batch\":1,\"no_wait\":true}").is_empty());
        }
    }
    assert!(rogue.publish("vivid.desk.worker-2.report", "_INBOX.worker-1.x", "{}").is_empty());
}

/// Tests the policies in deploy/ with a store that enforces them: a fleet works under them, and a worker can write only
/// to its own folder and the blobs.
#[tokio::test]
async fn i19_a_worker_writes_images_in_its_own_folder_alone() {
    let (Some(shipped), Some(storage)) = (Shipped::start(), Storage::start()) else { return };
    let (data, place) = (tempfile::tempdir().unwrap(), format!("s3://{BUCKET}"));
    let coordinator = coordinator(&shipped, &storage.environment_of("coordinator"), data.path(), &place);
    let client = coordinator.client();
    let url = shipped.url("worker-1");
    let environment = [&storage.environment_of("worker-1")[..], &[("VIVID_QUEUE", url.as_str())]].concat();
    let worker = Worker::start(&environment, &["--store", &place]);
    let generation = client.completed(&text()).await;
    let image = client.get(generation["outputs"][0]["imageUrl"].as_str().unwrap()).await;
    assert_eq!((image.status, image.body.len() as u64), (200, generation["outputs"][0]["bytes"].as_u64().unwrap()));
    let gone = client.request("DELETE", &format!("/api/generations/{}", crate::service::id(&generation)));
    assert_eq!(client.send(gone).await.unwrap().status, 204);
    assert!(worker.stop().success());

    let secrets = tempfile::tempdir().unwrap();
    let of = |user: &str| {
        let file = secrets.path().join(user);
        std::fs::write(&file, user).unwrap();
        let access = Access {
            endpoint: Some(storage.url.clone()),
            region: Some("us-east-1".into()),
            key_id: Some(user.to_owned()),
            key_file: Some(file),
        };
        Blobs::at(&place.parse().unwrap(), &access).unwrap()
    };
    let (ours, rogue, bytes) = (of("worker-1"), of("worker-2"), Bytes::from_static(b"bytes"));
    let put = async |blobs: &Blobs, key: &str| blobs.put_object(key, bytes.clone(), "image/png").await;
    put(&ours, "outputs/worker-1/a/b.png").await.unwrap();
    put(&rogue, "outputs/worker-2/a/b.png").await.unwrap();
    let blob = rogue.put_blob(bytes.clone()).await.unwrap();
    assert_eq!(rogue.get_blob(&blob).await.unwrap(), bytes);
    put(&of("coordinator"), "answers/a").await.unwrap();
    for key in ["outputs/worker-1/a/b.png", "outputs/a/b.png", "answers/a", "probes/a", "outputs/worker-20/a.png"] {
        assert!(put(&rogue, key).await.is_err(), "{key} is written");
        assert!(rogue.get_object(key).await.is_err(), "{key} is read");
        assert!(rogue.delete(key).await.is_err(), "{key} is removed");
    }
    assert!(rogue.delete("outputs/worker-2/a/b.png").await.is_err(), "not even its own");
    assert!(matches!(rogue.blobs().next().await, Some(Err(_))), "it sees which blobs there are");
    assert!(ours.get_object("outputs/worker-1/a/b.png").await.is_ok());
}
