//! Tests connections to real servers: passwords, tokens, credentials, certificates, several servers, and the
//! permissions of users.

use std::path::PathBuf;
use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use super::shipped::Shipped;
use super::*;
use crate::blobs::Blobs;
use crate::job_service::nats::RemoteJobService;
use crate::job_service::owner::Owner;
use crate::job_service::{self, JobService, JobServiceError};
use crate::presence::{Announcer, Fleet, WorkerInfo};
use crate::protocol::{Caller, ClaimAnswer, Class, Grant, NegotiatedVersion, Outcome, Ticket, Verdict};
use crate::queue::nats::NatsQueue;
use crate::queue::{Queue, suite};

/// Timeouts for connections that must succeed, and for those that must not.
const SOON: Duration = Duration::from_secs(10);
const NEVER: Duration = Duration::from_millis(700);

fn data(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/data").join(name)
}

fn settings(servers: &str) -> Settings {
    Settings { servers: servers.parse().unwrap(), credentials: None, ca: None, name: "test".into() }
}

/// Returns the server's URL with this text before its host.
fn at(server: &Server, front: &str) -> String {
    server.url.replacen("127.0.0.1", &format!("{front}127.0.0.1"), 1)
}

impl Shipped {
    /// Returns the settings with which the user of this name connects.
    fn settings(&self, user: &str) -> Settings {
        settings(&self.url(user))
    }
}

/// Returns whether a connection succeeds within a timeout.
async fn is_let_in(settings: Settings, within: Duration) -> bool {
    let client = connect(&settings).await.unwrap();
    let connected = async {
        while client.connection_state() != State::Connected {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        client.flush().await.unwrap();
    };
    tokio::time::timeout(within, connected).await.is_ok()
}

#[tokio::test]
async fn a_name_and_a_password_stand_in_front_of_the_host() {
    let Some(server) = Server::start_as("authorization { user: ada, password: \"s@cret\" }") else { return };
    assert!(is_let_in(settings(&at(&server, "ada:s%40cret@")), SOON).await);
    for wrong in ["", "ada:secret@", "s%40cret@"] {
        assert!(!is_let_in(settings(&at(&server, wrong)), NEVER).await, "{wrong}");
    }
}

#[tokio::test]
async fn a_token_stands_in_front_of_the_host() {
    let Some(server) = Server::start_as("authorization { token: \"t0ken\" }") else { return };
    assert!(is_let_in(settings(&at(&server, "t0ken@")), SOON).await);
    assert!(!is_let_in(settings(&at(&server, "other@")), NEVER).await);
}

#[tokio::test]
async fn a_file_of_credentials_lets_in() {
    let operator = std::fs::read_to_string(data("nats/operator.conf")).unwrap();
    let Some(server) = Server::start_as(&operator) else { return };
    let with = |credentials| Settings { credentials, ..settings(&server.url) };
    assert!(is_let_in(with(Some(data("nats/worker.creds"))), SOON).await);
    assert!(!is_let_in(with(None), NEVER).await);
    let absent = connect(&with(Some(data("nats/absent.creds")))).await.unwrap_err();
    assert!(matches!(absent, NatsError::Credentials { .. }), "{absent}");
    // The account of the credentials has JetStream too.
    let client = connect(&with(Some(data("nats/worker.creds")))).await.unwrap();
    let queue = NatsQueue::new(client, "t");
    while queue.prepare().await.is_err() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test]
async fn certificates_are_trusted_that_are_named_and_no_others() {
    crate::tls::choose();
    let file = |name: &str| data(&format!("tls/{name}"));
    let shown = |name: &str| file(name).display().to_string();
    let tls = format!("tls {{ cert_file: {:?}, key_file: {:?} }}", shown("one-cert.pem"), shown("one-key.pem"));
    let Some(server) = Server::start_as(&tls) else { return };
    let with = |scheme: &str, ca: Option<&str>| Settings {
        ca: ca.map(file),
        ..settings(&server.url.replacen("nats://127.0.0.1", &format!("{scheme}://localhost"), 1))
    };
    for scheme in ["tls", "nats"] {
        assert!(is_let_in(with(scheme, Some("one-cert.pem")), SOON).await, "{scheme}");
    }
    for wrong in [None, Some("two-cert.pem")] {
        assert!(!is_let_in(with("tls", wrong), NEVER).await, "{wrong:?}");
    }
    let absent = connect(&with("tls", Some("absent.pem"))).await.unwrap_err();
    assert!(matches!(absent, NatsError::Certificates { .. }), "{absent}");
}

#[tokio::test]
async fn of_several_servers_one_that_is_there_is_found() {
    let (Some(first), Some(second)) = (Server::start(), Server::start()) else { return };
    let client = connect(&settings(&format!("nats://127.0.0.1:1,{},{}", first.url, second.url))).await.unwrap();
    let connected = async || {
        let until = tokio::time::Instant::now() + SOON;
        while client.flush().await.is_err() || client.connection_state() != State::Connected {
            assert!(tokio::time::Instant::now() < until, "none is found");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        client.server_info().port
    };
    let port = |server: &Server| server.url.rsplit_once(':').unwrap().1.parse::<u16>().unwrap();
    let (one, other) = (port(&first), port(&second));
    let mut servers = vec![(one, first), (other, second)];
    let at = connected().await;
    assert!(at == one || at == other);
    servers.retain(|(port, _)| *port != at);
    let until = tokio::time::Instant::now() + SOON;
    while connected().await == at {
        assert!(tokio::time::Instant::now() < until, "the other one is not found");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// A job service that refuses everything.
struct Refuses;

#[async_trait::async_trait]
impl JobService for Refuses {
    async fn claim(&self, _: Ticket, _: &Caller) -> Result<ClaimAnswer, JobServiceError> {
        Ok(ClaimAnswer::Refused)
    }

    async fn heartbeat(&self, _: Grant) -> Result<Verdict, JobServiceError> {
        Ok(Verdict::Refused)
    }

    async fn report(&self, _: Grant, _: Outcome) -> Result<Verdict, JobServiceError> {
        Ok(Verdict::Refused)
    }
}

#[test]
fn an_identity_is_the_users_or_the_credentials_name() {
    let of = |servers: &str| settings(servers).identity().unwrap();
    assert_eq!(of("nats://worker-1:secret@a"), "worker-1");
    assert_eq!(of("nats://ada.lovelace:secret@a"), "ada-lovelace");
    assert_eq!((of("nats://a"), of("nats://t0ken@a")), ("test".into(), "test".into()));
    let with = Settings { credentials: Some(data("nats/worker.creds")), ..settings("nats://someone:else@a") };
    assert_eq!(with.identity().unwrap(), "worker");
    let absent = Settings { credentials: Some(data("nats/absent.creds")), ..settings("nats://a") };
    assert!(matches!(absent.identity(), Err(NatsError::Credentials { .. })));
}

/// The server accepts one user, with the permissions that docs/operations.md documents for a shared user.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_user_for_all_can_do_everything() {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/operations.md")).unwrap();
    let rights =
        ["PREFIX.jobs.*", "PREFIX.desk.>", "PREFIX.workers.*", "_INBOX.>", "$JS.API.>", "$JS.ACK.PREFIX-jobs.>"];
    for right in rights {
        assert!(page.contains(&format!("`{right}`")), "{right} is not told");
    }
    let rights = rights.map(|right| format!("{:?}", right.replace("PREFIX", "vivid"))).join(", ");
    let permissions = format!("{{ publish: [{rights}], subscribe: [{rights}] }}");
    let user = format!("authorization {{ users: [ {{ user: v, password: p, permissions: {permissions} }} ] }}");
    let Some(server) = Server::start_as(&user) else { return };
    let all = settings(&at(&server, "v:p@"));
    can_do_everything(&all, &all).await;
}

/// The server accepts the users that deploy/ ships.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn i19_coordinator_and_worker_can_do_what_they_must_and_no_more() {
    let Some(shipped) = Shipped::start() else { return };
    can_do_everything(&shipped.settings("coordinator"), &shipped.settings("worker-1")).await;
}

/// Performs every operation of coordinator and worker on the queue.
async fn can_do_everything(coordinator: &Settings, worker: &Settings) {
    let queue = NatsQueue::new(connect(coordinator).await.unwrap(), "vivid");
    while queue.prepare().await.is_err() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    // Again, as if the stream already exists.
    queue.prepare().await.unwrap();
    let ticket = suite::ticket(1, Class::Plan);
    queue.publish(ticket).await.unwrap();
    let theirs = NatsQueue::new(connect(worker).await.unwrap(), "vivid");
    for _ in 0..2 {
        // A dropped ticket is delivered again.
        assert_eq!(theirs.next(&Class::ALL).await.unwrap().ticket(), ticket);
    }
    theirs.next(&Class::ALL).await.unwrap().done().await;
    assert!(theirs.at_once(&Class::ALL).await.unwrap().is_none());
    // A worker stops with open requests. A ticket that the server sends to one of them comes back immediately.
    let waiting = tokio::spawn({
        let theirs = theirs.clone();
        async move { theirs.next(&Class::ALL).await.map(drop) }
    });
    tokio::time::sleep(Duration::from_millis(200)).await;
    waiting.abort();
    drop(theirs);
    queue.publish(ticket).await.unwrap();
    tokio::time::timeout(Duration::from_secs(3), queue.next(&Class::ALL)).await.unwrap().unwrap().done().await;
    // A coordinator with workers in its process.
    queue.publish(ticket).await.unwrap();
    queue.next(&Class::ALL).await.unwrap().done().await;
    while queue.holds().await.unwrap() != Some(0) {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let owner = Owner::new(connect(coordinator).await.unwrap(), "vivid", "one");
    let stop = CancellationToken::new();
    tokio::spawn(owner.hold(stop.clone()));
    let another = Owner::new(connect(coordinator).await.unwrap(), "vivid", "two");
    while another.begin().await.is_ok() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let (ours, identity) = (connect(coordinator).await.unwrap(), worker.identity().unwrap());
    let asking = RemoteJobService::new(
        connect(worker).await.unwrap(),
        "vivid",
        &identity,
        NegotiatedVersion::default(),
        Blobs::memory(),
    );
    let caller = Caller::here("w");
    let service = tokio::spawn(job_service::nats::serve(
        ours,
        "vivid",
        Arc::new(Refuses),
        Blobs::memory(),
        CancellationToken::new(),
    ));
    while asking.claim(ticket, &caller).await.is_err() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    service.abort();
    let fleet = Fleet::default();
    tokio::spawn(fleet.clone().listen(connect(coordinator).await.unwrap(), "vivid", stop.clone()));
    let info = WorkerInfo { name: "w".into(), version: "1".into(), devices: vec!["cpu".into()], cores: 1, slots: 1 };
    let client = connect(worker).await.unwrap();
    let announcer = Announcer::new(client, "vivid", &identity, info, Arc::default(), NegotiatedVersion::default());
    tokio::spawn(announcer.run(stop.clone()));
    let until = tokio::time::Instant::now() + SOON;
    while fleet.workers().is_empty() {
        assert!(tokio::time::Instant::now() < until, "a worker is not heard");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    stop.cancel();
}

#[test]
fn servers_are_read_and_told_without_passwords() {
    let servers: Servers = "nats://ada:secret@a.example:4222, tls://b.example".parse().unwrap();
    assert_eq!(servers.to_string(), "a.example:4222, b.example:4222");
    assert!(!format!("{servers:?}").contains("secret"));
    for wrong in ["", "a.example", "http://a.example", "nats://a,b", "nats://", "nats://a:b@c,nats://a:d@c"] {
        assert!(wrong.parse::<Servers>().is_err(), "{wrong}");
    }
}

#[test]
fn one_name_lets_in_at_all_servers() {
    let login = |text: &str| text.parse::<Servers>().unwrap().login;
    assert!(login("nats://a.example,nats://b.example").is_none());
    let word = |name: &str, password: &str| Login::Password { name: name.into(), password: password.into() };
    assert!(login("nats://ada:s%40cret+@a,tls://b") == Some(word("ada", "s@cret+")));
    assert!(login("nats://a,nats://ada:x@b,nats://ada:x@c") == Some(word("ada", "x")));
    assert!(login("nats://t0ken@a") == Some(Login::Token("t0ken".into())));
}
