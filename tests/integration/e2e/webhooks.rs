//! Tests of webhooks with receivers on loopback: which deliveries arrive at allowed addresses, and which are blocked.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};

use hmac::{Hmac, KeyInit, Mac};
use parking_lot::Mutex;
use serde_json::{Value, json};
use sha2::Sha256;

use super::{UNHURRIED, codes, fresh};
use crate::service::{Client, Service, id};

/// Timeout for conditions that must become true.
const PATIENCE: Duration = Duration::from_secs(120);
const PAUSE: Duration = Duration::from_millis(50);

/// A request that a receiver got.
#[derive(Debug, Clone)]
struct Got {
    method: String,
    path: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

impl Got {
    fn header(&self, name: &str) -> &str {
        self.headers.iter().find(|(n, _)| n == name).map_or("", |(_, value)| value)
    }

    fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    /// Verifies the signature as docs/api.md describes.
    fn is_signed_with(&self, secret: &str) -> bool {
        let (t, v1) = self.header("x-vivid-signature").strip_prefix("t=").unwrap().split_once(",v1=").unwrap();
        let sent: u64 = t.parse().unwrap();
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
        assert!(now.abs_diff(sent) < 600, "{sent} is not about {now}");
        let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).unwrap();
        mac.update(t.as_bytes());
        mac.update(b".");
        mac.update(&self.body);
        hex::encode(mac.finalize().into_bytes()) == v1
    }
}

/// A receiver that responds with what `answer` returns, a status line with headers; with `None`, it never responds.
struct Receiver {
    address: SocketAddr,
    got: Arc<Mutex<Vec<Got>>>,
}

impl Receiver {
    fn start(answer: impl Fn(&str, usize) -> Option<String> + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let got = Arc::new(Mutex::new(Vec::new()));
        let (noted, answer) = (Arc::clone(&got), Arc::new(answer));
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let (noted, answer) = (Arc::clone(&noted), Arc::clone(&answer));
                std::thread::spawn(move || serve(stream, &noted, &*answer));
            }
        });
        Self { address, got }
    }

    fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    fn allowed(&self) -> Vec<String> {
        let more = ["--allow-host".to_owned(), self.address.to_string()];
        UNHURRIED.iter().map(|s| (*s).to_owned()).chain(more).collect()
    }

    fn got(&self, path: &str) -> Vec<Got> {
        self.got.lock().iter().filter(|got| got.path == path).cloned().collect()
    }

    /// Waits for this many requests of a path.
    async fn wait(&self, path: &str, requests: usize) -> Vec<Got> {
        let until = Instant::now() + PATIENCE;
        while self.got(path).len() < requests {
            assert!(Instant::now() < until, "{path} was asked {} times", self.got(path).len());
            tokio::time::sleep(PAUSE).await;
        }
        self.got(path)
    }
}

/// `answer` gets the path and the number of earlier requests.
fn serve(mut stream: TcpStream, noted: &Mutex<Vec<Got>>, answer: &dyn Fn(&str, usize) -> Option<String>) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut line = || {
        let mut line = String::new();
        let _ = reader.read_line(&mut line);
        line.trim_end().to_owned()
    };
    let first = line();
    let mut words = first.split(' ').map(str::to_owned);
    let (method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let mut headers = Vec::new();
    loop {
        let line = line();
        let Some((name, value)) = line.split_once(": ") else { break };
        headers.push((name.to_ascii_lowercase(), value.to_owned()));
    }
    let mut got = Got { method, path: path.clone(), headers, body: Vec::new() };
    got.body = vec![0; got.header("content-length").parse().unwrap_or(0)];
    if reader.read_exact(&mut got.body).is_err() {
        return;
    }
    let before = {
        let mut noted = noted.lock();
        noted.push(got);
        noted.iter().filter(|got| got.path == path).count() - 1
    };
    match answer(&path, before) {
        // The service closes the connection once it needs no more of the response.
        Some(head) => _ = stream.write_all(format!("HTTP/1.1 {head}\r\nContent-Length: 0\r\n\r\n").as_bytes()),
        None => _ = stream.read(&mut [0]),
    }
}

impl Client {
    async fn subscribe(&self, body: &Value) -> Value {
        let answer = self.post("/api/webhooks", body).await;
        assert_eq!(answer.status, 201, "{}", String::from_utf8_lossy(&answer.body));
        let webhook = answer.json()["webhook"].take();
        assert!(answer.header("location").ends_with(id(&webhook)));
        webhook
    }

    /// Returns the deliveries under a path once they meet the condition.
    async fn deliveries(&self, path: &str, hold: impl Fn(&[Value]) -> bool) -> Vec<Value> {
        let until = Instant::now() + PATIENCE;
        loop {
            let answer = self.get(&format!("{path}/deliveries?limit=100")).await;
            assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
            let deliveries = answer.json()["deliveries"].as_array().unwrap().clone();
            if hold(&deliveries) {
                return deliveries;
            }
            assert!(Instant::now() < until, "{path}: {deliveries:#?}");
            tokio::time::sleep(PAUSE).await;
        }
    }
}

fn path_to(webhook: &Value) -> String {
    format!("/api/webhooks/{}", id(webhook))
}

fn text() -> Value {
    json!({"inputType": "text", "inputContent": "Cool the room to 18 °C.", "outputFormats": ["ad_mpu"]})
}

/// Removes what differs between two reads of a generation: the expiry of its URLs, and so their signatures.
fn lasting(generation: &Value) -> Value {
    let mut lasting = generation.clone();
    lasting["thumbnailUrl"] = json!(lasting["thumbnailUrl"].as_str().and_then(|url| url.split('?').next()));
    for output in lasting["outputs"].as_array_mut().unwrap() {
        for field in ["imageUrl", "fileUrl", "thumbnailUrl"] {
            output[field] = json!(output[field].as_str().unwrap().split('?').next());
        }
    }
    lasting
}

fn strs(of: &[String]) -> Vec<&str> {
    of.iter().map(String::as_str).collect()
}

#[tokio::test]
async fn a_receiver_is_told_exactly_what_a_get_says() {
    let receiver =
        Receiver::start(|path, _| Some(if path == "/page" { "404 Not Found" } else { "204 No Content" }.into()));
    let (_data, _service, client) = fresh(&strs(&receiver.allowed()));
    let all = client.subscribe(&json!({"url": receiver.url("/all?key=a")})).await;
    let failures = json!({"url": receiver.url("/failures"), "events": ["generation.failed", "generation.partial"]});
    let failures = client.subscribe(&failures).await;
    let single = client.get("/api/webhooks/secret").await.json()["secret"].as_str().unwrap().to_owned();

    let mut body = text();
    body["webhookUrl"] = json!(receiver.url("/single"));
    let completed = client.completed(&body).await;
    let page = json!({"inputType": "url", "inputUrl": receiver.url("/page"), "outputFormats": ["ad_mpu"]});
    let failed = client.create(&page).await;
    let failed = client.finished(id(&failed)).await;
    assert_eq!(failed["error"]["code"], "url_fetch_failed");

    let secret = |webhook: &Value| webhook["secret"].as_str().unwrap().to_owned();
    let mut told = receiver.wait("/all?key=a", 2).await;
    told.sort_by_key(|got| got.header("x-vivid-event").to_owned());
    let mut got: Vec<(Got, String, &Value, &str)> =
        told.into_iter().zip([&completed, &failed]).map(|(got, g)| (got, secret(&all), g, "all")).collect();
    got.push((receiver.wait("/failures", 1).await.remove(0), secret(&failures), &failed, "failures"));
    got.push((receiver.wait("/single", 1).await.remove(0), single, &completed, "single"));
    let mut ids = Vec::new();
    for (got, secret, generation, name) in got {
        assert_eq!(got.method, "POST");
        assert!(got.is_signed_with(&secret), "{name}: {:?}", got.headers);
        assert!(!got.is_signed_with("whsec_another"));
        let told = got.json();
        let fields: Vec<&str> = told.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(fields.len(), 4, "{fields:?}");
        let event = format!("generation.{}", generation["status"].as_str().unwrap());
        assert_eq!((&told["type"], got.header("x-vivid-event")), (&json!(event), event.as_str()), "{name}");
        assert_eq!(told["id"], got.header("x-vivid-delivery"));
        assert_eq!(told["createdAt"], generation["completedAt"]);
        assert_eq!(lasting(&told["generation"]), lasting(generation), "{name}");
        assert_eq!(got.header("content-type"), "application/json");
        assert!(got.header("user-agent").starts_with("Vivid/"));
        for output in told["generation"]["outputs"].as_array().unwrap() {
            assert_eq!(client.with_key("").get(output["imageUrl"].as_str().unwrap()).await.status, 200);
        }
        ids.push(told["id"].clone());
    }
    ids.sort_by_key(ToString::to_string);
    ids.dedup();
    assert_eq!(ids.len(), 4, "each delivery has an id of its own");
    let delivered = |of: &[Value]| of.iter().all(|d| d["status"] == "delivered");
    let log = client.deliveries(&path_to(&all), |of| of.len() == 2 && delivered(of)).await;
    assert_eq!(log[0]["generationId"], failed["id"], "the newest first");
    assert!(log.iter().all(|d| ids.contains(&d["id"]) && d["attempts"][0]["status"] == 204), "{log:#?}");
    let of_single = format!("/api/generations/{}", id(&completed));
    client.deliveries(&of_single, |of| of.len() == 1 && delivered(of)).await;
    assert_eq!(receiver.got.lock().iter().filter(|got| got.method == "POST").count(), 4, "once each");
}

#[tokio::test]
async fn what_is_not_taken_comes_again() {
    let canary = Receiver::start(|_, _| Some("200 OK".into()));
    let inside = canary.url("/");
    let receiver = Receiver::start(move |path, before| {
        Some(match (path, before) {
            ("/flaky", 0) => "500 Internal Server Error".into(),
            ("/gone", _) => "410 Gone".into(),
            ("/moved", _) => format!("307 Temporary Redirect\r\nLocation: {inside}"),
            _ => "200 OK".into(),
        })
    });
    let (_data, _service, client) = fresh(&strs(&receiver.allowed()));
    let [flaky, gone, moved] = ["/flaky", "/gone", "/moved"].map(|path| json!({"url": receiver.url(path)}));
    let (flaky, gone) = (client.subscribe(&flaky).await, client.subscribe(&gone).await);
    let moved = client.subscribe(&moved).await;
    client.completed(&text()).await;

    let log = client.deliveries(&path_to(&gone), |of| of.len() == 1 && of[0]["status"] == "failed").await;
    assert_eq!((&log[0]["attempts"][0]["status"], &log[0]["nextAttemptAt"]), (&json!(410), &Value::Null));
    let shown = client.get(&path_to(&gone)).await.json()["webhook"].take();
    assert_eq!((&shown["active"], shown["disabledAt"].is_string()), (&json!(false), true));
    let tried = |of: &[Value]| of.len() == 1 && of[0]["attempts"].as_array().is_some_and(|a| !a.is_empty());
    let log = client.deliveries(&path_to(&moved), tried).await;
    assert_eq!((&log[0]["attempts"][0]["status"], &log[0]["status"]), (&json!(307), &json!("pending")));

    let log = client.deliveries(&path_to(&flaky), |of| of.len() == 1 && of[0]["status"] == "delivered").await;
    let attempts: Vec<&Value> = log[0]["attempts"].as_array().unwrap().iter().map(|a| &a["status"]).collect();
    assert_eq!(attempts, [500, 200]);
    let sent = receiver.got("/flaky");
    assert_eq!(sent.len(), 2);
    assert_eq!(sent[0].json()["id"], sent[1].json()["id"], "the same delivery");
    assert!(sent.iter().all(|got| got.is_signed_with(flaky["secret"].as_str().unwrap())));
    assert!(sent[0].header("x-vivid-signature") != sent[1].header("x-vivid-signature"), "signed anew");

    // A receiver that responded with 410 gets no delivery for the next generation.
    client.completed(&text()).await;
    receiver.wait("/flaky", 3).await;
    assert_eq!(receiver.got("/gone").len(), 1);
    assert_eq!(canary.got("/").len(), 0);
}

#[tokio::test]
async fn what_a_kill_broke_off_comes_again() {
    let receiver = Receiver::start(|_, before| (before > 0).then(|| "200 OK".into()));
    let data = tempfile::tempdir().unwrap();
    let service = Service::start(data.path(), &strs(&receiver.allowed()));
    let (client, key) = (service.client(), service.key.clone().unwrap());
    let webhook = client.subscribe(&json!({"url": receiver.url("/")})).await;
    let generation = client.completed(&text()).await;
    receiver.wait("/", 1).await;
    service.kill();

    let service = Service::start(data.path(), &strs(&receiver.allowed()));
    let client = Client::new(&service.base, &key);
    let log = client.deliveries(&path_to(&webhook), |of| of[0]["status"] == "delivered").await;
    let sent = receiver.got("/");
    assert_eq!((log.len(), sent.len()), (1, 2));
    assert!(sent.iter().all(|got| got.json()["id"] == log[0]["id"]));
    assert!(sent.iter().all(|got| got.json()["generation"]["id"] == generation["id"]));
}

#[tokio::test]
async fn nothing_is_sent_to_where_nothing_is_fetched_from() {
    let canary = Receiver::start(|_, _| Some("200 OK".into()));
    let port = canary.address.port();
    let data = tempfile::tempdir().unwrap();
    let service = Service::start(data.path(), &strs(&canary.allowed()));
    let key = service.key.clone().unwrap();
    let webhook = service.client().subscribe(&json!({"url": canary.url("/")})).await;
    service.kill();

    // The address was allowed before the restart, and is not any more.
    let service = Service::start(data.path(), &UNHURRIED);
    let client = Client::new(&service.base, &key);
    client.completed(&text()).await;
    let tried = |of: &[Value]| of.len() == 1 && of[0]["attempts"].as_array().is_some_and(|a| !a.is_empty());
    let log = client.deliveries(&path_to(&webhook), tried).await;
    assert_eq!((&log[0]["status"], &log[0]["attempts"][0]["status"]), (&json!("pending"), &Value::Null));
    assert!(log[0]["attempts"][0]["error"].as_str().is_some_and(|e| e.contains("port")), "{log:#?}");

    for url in [
        canary.url("/"),
        format!("http://2130706433:{port}/"),
        format!("http://[::ffff:127.0.0.1]:{port}/"),
        "http://127.1/".into(),
        "http://LOCALHOST/".into(),
        "http://169.254.169.254/latest/meta-data/".into(),
        "file:///etc/passwd".into(),
        "https://me:secret@example.org/".into(),
        "https://example.org:22/".into(),
    ] {
        let answer = client.post("/api/webhooks", &json!({"url": url})).await;
        assert_eq!(answer.error(400, "invalid_request"), "validation_failed", "{url}");
        assert_eq!(codes(&answer.json()["details"]), ["url_not_allowed"], "{url}");
        let mut body = text();
        body["webhookUrl"] = json!(url);
        let answer = client.post("/api/generations", &body).await;
        answer.error(400, "invalid_request");
        let detail = &answer.json()["details"][0];
        assert_eq!((&detail["field"], &detail["code"]), (&json!("webhookUrl"), &json!("url_not_allowed")), "{url}");
    }
    assert!(canary.got.lock().is_empty());
}
