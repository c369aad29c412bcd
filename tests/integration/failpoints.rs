//! Failpoints: the process is killed between a commit and its flush, between the queue and the outbox, or between the
//! removal of an object and its record, while clients create, cancel, retry and delete. Every response must still hold
//! in the next process, and the credits must add up.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::chaos::{GRANT, listed, tell};
use crate::e2e::UNHURRIED;
use crate::service::{Answer, Client, Service, id, key_in};

/// Time limit for a service to reach its failpoint, and timeout for conditions that must become true.
const PATIENCE: Duration = Duration::from_secs(60);

/// Failpoints at which the process is killed, on which pass, and whether it has a worker.
fn ends() -> Vec<(&'static str, u32, bool)> {
    let mut ends = Vec::new();
    for point in ["commit asked for", "commit visible", "commit on the disk"] {
        // Without a worker, the only commits are those of the client's requests, one after another.
        ends.extend((1..=10).map(|times| (point, times, false)));
        ends.extend([2, 5, 9, 20, 40, 80].map(|times| (point, times, true)));
    }
    for point in ["outbox read", "outbox published", "outbox written"] {
        // Without a worker there may be only one batch of tickets, because nobody claims them.
        ends.extend([(point, 1, true), (point, 3, true), (point, 1, false)]);
    }
    ends.extend((1..=3).map(|times| ("objects removed", times, true)));
    ends
}

/// What the client knows about a generation.
#[derive(Debug, Clone, PartialEq)]
enum Told {
    Accepted,
    Cancelled,
    /// The client requested deletion of a generation with this price and these images, and got no response.
    Asked(u64, Vec<String>),
    /// The generation is deleted.
    Deleted(u64, Vec<String>),
}

/// What the client knows across all runs of the service.
#[derive(Debug, Default)]
struct Book {
    told: BTreeMap<String, Told>,
    /// Creations without a response, by idempotency key.
    unanswered: BTreeMap<String, Value>,
    keys: u32,
}

/// The service has died.
struct Gone;

impl From<reqwest::Error> for Gone {
    fn from(_: reqwest::Error) -> Self {
        Self
    }
}

fn request(key: &str, broken: bool) -> Value {
    if broken {
        let file = base64::Engine::encode(&base64::prelude::BASE64_STANDARD, b"%PDF-1.7\nnot much of one");
        return json!({"inputType": "pdf", "inputFile": file, "outputFormats": ["ad_mpu"], "title": key});
    }
    json!({"inputType": "text", "inputContent": "Cool the room to 18 °C.", "outputFormats": ["ad_mpu"], "title": key})
}

/// Returns the keys of a generation's images, which are file names in the store.
fn objects(generation: &Value) -> Vec<String> {
    let path = |url: &Value| key_in(url.as_str().unwrap()).to_owned();
    let outputs = generation["outputs"].as_array().unwrap();
    outputs.iter().flat_map(|o| [path(&o["imageUrl"]), path(&o["thumbnailUrl"])]).collect()
}

fn worth(generation: &Value) -> u64 {
    generation["creditsCharged"].as_u64().unwrap() - generation["creditsRefunded"].as_u64().unwrap()
}

impl Book {
    async fn create(&mut self, client: &Client, key: String, body: Value) -> Result<String, Gone> {
        self.unanswered.insert(key.clone(), body.clone());
        let post = client.request("POST", "/api/generations").header("Idempotency-Key", &key).json(&body);
        let answer = client.send(post).await?;
        assert_eq!(answer.status, 202, "{}", String::from_utf8_lossy(&answer.body));
        let made = answer.json()["generation"].take();
        self.unanswered.remove(&key);
        self.told.entry(id(&made).to_owned()).or_insert(Told::Accepted);
        Ok(id(&made).to_owned())
    }

    async fn create_another(&mut self, client: &Client, broken: bool) -> Result<String, Gone> {
        self.keys += 1;
        let key = format!("key-{}", self.keys);
        let body = request(&key, broken);
        self.create(client, key, body).await
    }

    async fn act(&self, client: &Client, of: &str, what: &str) -> Result<Answer, Gone> {
        let key = format!("{what}-{of}");
        let post = client.request("POST", &format!("/api/generations/{of}/{what}")).header("Idempotency-Key", key);
        Ok(client.send(post).await?)
    }

    async fn cancel(&mut self, client: &Client, of: &str) -> Result<(), Gone> {
        let answer = self.act(client, of, "cancel").await?;
        if answer.status == 200 {
            self.told.insert(of.to_owned(), Told::Cancelled);
        } else {
            assert_eq!(answer.error(409, "conflict"), "not_cancellable");
        }
        Ok(())
    }

    /// Deletes a generation that has ended, so that its price is known.
    async fn delete(&mut self, client: &Client, of: &str) -> Result<(), Gone> {
        let read = client.send(client.request("GET", &format!("/api/generations/{of}"))).await?;
        let generation = read.json()["generation"].take();
        if !["completed", "cancelled"].contains(&generation["status"].as_str().unwrap()) {
            return Ok(());
        }
        let (worth, objects) = (worth(&generation), objects(&generation));
        self.told.insert(of.to_owned(), Told::Asked(worth, objects.clone()));
        let answer = client.send(client.request("DELETE", &format!("/api/generations/{of}"))).await?;
        assert_eq!(answer.status, 204);
        self.told.insert(of.to_owned(), Told::Deleted(worth, objects));
        Ok(())
    }

    /// Uses all operations of the service until it dies.
    async fn use_until_gone(&mut self, client: &Client, worker: bool, end: &str) -> Gone {
        let until = Instant::now() + PATIENCE;
        while Instant::now() < until {
            if let Err(gone) = self.use_once(client, worker).await {
                return gone;
            }
        }
        panic!("it did not come to its failpoint: {end}")
    }

    async fn use_once(&mut self, client: &Client, worker: bool) -> Result<(), Gone> {
        for (key, body) in self.unanswered.clone() {
            self.create(client, key, body).await?;
        }
        if !worker {
            // Cancel open generations. Otherwise they would accumulate, and every start would have more of them to
            // resume.
            for (of, told) in self.told.clone() {
                if told == Told::Accepted {
                    self.cancel(client, &of).await?;
                }
            }
        }
        let first = self.create_another(client, false).await?;
        self.cancel(client, &first).await?;
        let broken = self.create_another(client, true).await?;
        self.create_another(client, false).await?;
        self.delete(client, &first).await?;
        let standing = |told: &Told| matches!(told, Told::Accepted | Told::Cancelled);
        let known: Vec<String> = self.told.iter().filter(|(_, t)| standing(t)).map(|(of, _)| of.clone()).collect();
        for of in known.iter().rev().skip(1).take(3) {
            // Only failed generations can be retried; which ones have failed depends on the worker's progress.
            let retried = self.act(client, of, "retry").await?;
            assert!([200, 409].contains(&retried.status), "{}", String::from_utf8_lossy(&retried.body));
            if *of != broken {
                self.delete(client, of).await?;
            }
        }
        Ok(())
    }

    /// Checks that every response still holds and that the credits add up.
    async fn check(&mut self, client: &Client, data: &Path) {
        for (key, body) in self.unanswered.clone() {
            assert!(self.create(client, key, body).await.is_ok());
        }
        let mut paid = 0;
        for (of, told) in &self.told {
            let read = client.get(&format!("/api/generations/{of}")).await;
            match told {
                Told::Accepted => _ = client.finished(of).await,
                Told::Cancelled => assert_eq!(read.json()["generation"]["status"], "cancelled", "{of}"),
                Told::Asked(..) if read.status == 200 => {}
                Told::Asked(worth, objects) | Told::Deleted(worth, objects) => {
                    assert_eq!(read.error(404, "not_found"), "generation_not_found");
                    paid += worth;
                    let until = Instant::now() + PATIENCE;
                    while objects.iter().any(|key| data.join("store").join(key).exists()) {
                        assert!(Instant::now() < until, "{objects:?} are still there");
                        tokio::time::sleep(Duration::from_millis(20)).await;
                    }
                }
            }
        }
        let mut titles = BTreeMap::<String, u32>::new();
        for of in listed(client).await.keys() {
            let generation = client.finished(of).await;
            let ready = generation["outputs"].as_array().unwrap().len() as u64;
            assert_eq!(worth(&generation), 10 * ready, "{generation:#}");
            *titles.entry(generation["title"].as_str().unwrap().to_owned()).or_default() += 1;
            assert!(self.told.contains_key(of), "made under a key that was asked for again: {generation:#}");
            paid += worth(&generation);
        }
        assert!(titles.values().all(|n| *n == 1), "one key, one generation: {titles:?}");
        let balance = client.get("/api/credits/balance").await.json();
        assert_eq!((&balance["reserved"], &balance["balance"]), (&json!(0), &json!(GRANT - paid)), "{paid} paid");
    }
}

#[tokio::test]
async fn i1_i2_an_end_at_any_point_loses_nothing_that_was_answered() {
    let (began, data) = (Instant::now(), tempfile::tempdir().unwrap());
    let service = Service::start(data.path(), &UNHURRIED);
    let key = service.key.clone().unwrap();
    service.kill();
    let (mut book, mut before_ready) = (Book::default(), 0);
    for (point, times, worker) in ends() {
        let mut settings = UNHURRIED.to_vec();
        settings.extend(["--workers", if worker { "1" } else { "0" }]);
        // The process may reach its failpoint before it is ready, because a start resumes open work.
        let end = format!("{point}={times}");
        let Some(mut service) = Service::start_towards(&end, data.path(), &settings) else {
            before_ready += 1;
            continue;
        };
        let Gone = book.use_until_gone(&Client::new(&service.base, &key), worker, &end).await;
        let until = Instant::now() + PATIENCE;
        while !service.has_ended() {
            assert!(Instant::now() < until, "it is there and does not answer: {end}");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
    let service = Service::start(data.path(), &UNHURRIED);
    book.check(&Client::new(&service.base, &key), data.path()).await;
    let (all, told) = (ends().len(), book.told.len());
    assert!(before_ready * 2 < all, "{before_ready} of {all} ended before anything could be asked of them");
    let figures = format!("{all} ends, {before_ready} of them before it was ready, {told} generations hold as told");
    tell("i1 i2, an end at any point", began, &figures);
}
