//! A client of language models behind OpenAI's protocols: chat completions (`POST {base}/chat/completions`) as hosted
//! services and local servers (llama.cpp, vLLM, Ollama, LM Studio) implement it, and Responses (`POST {base}/responses`).
//!
//! The operator configures the endpoint, so it may have any address: the guard of [`crate::net`] is only for addresses
//! that users supply. Redirects are refused, because they would send the key elsewhere. Everything has a limit: a call
//! in time and bytes, a job in time and tokens ([`Budget`]), a day in tokens, and the number of concurrent calls. Calls
//! skip an endpoint that fails repeatedly for a while, so that it does not delay the jobs.
//!
//! Keys, prompts and answers are never logged.

mod answer;
mod budget;
mod call;
mod chat;
mod dialect;
mod endpoint;
mod json;
mod local;
mod probe;
mod stream;

use std::fmt;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use tokio::sync::Semaphore;
use tokio::time::timeout;

pub use budget::{Allowance, Budget, Price, Usage};
pub use call::{Call, Form, Role, Said, Turn};
pub use json::{NoObject, object};
pub use local::{Local, find as find_local};
pub use probe::Probe;

use answer::Answer;
use budget::Day;
use dialect::Dialect;
use endpoint::Endpoint;
use stream::Stream;

/// Maximum bytes of an answer, a hundred times the size that prompts request.
pub const ANSWER_BYTES: usize = 1 << 20;
/// Attempts of a call whose failure may be temporary.
const TRIES: u32 = 3;
/// Delay before the second attempt. The delay before the third is four times as long.
const PAUSE: Duration = Duration::from_millis(400);
/// Maximum delay that a server may request.
const LONGEST_PAUSE: Duration = Duration::from_secs(20);
/// Maximum adaptations of one call. Each removes a part of the request that the server refused.
const ADAPTATIONS: u32 = 9;
/// Consecutive failures after which calls skip the endpoint, and for how long.
const FAILURES: u32 = 3;
const REST: Duration = Duration::from_secs(30);

/// A secret that is never printed.
#[derive(Clone)]
pub struct Key(String);

impl Key {
    /// Creates a key, trimming white space.
    pub fn new(secret: &str) -> Self {
        Self(secret.trim().to_owned())
    }
}

impl std::str::FromStr for Key {
    type Err = std::convert::Infallible;

    fn from_str(secret: &str) -> Result<Self, Self::Err> {
        Ok(Self::new(secret))
    }
}

impl<'de> serde::Deserialize<'de> for Key {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self::new(&<String as serde::Deserialize>::deserialize(deserializer)?))
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(…)")
    }
}

/// How to access a model.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The base URL, up to and without `/chat/completions`: `https://api.example.org/v1`.
    pub base_url: String,
    /// The model's name there.
    pub model: String,
    /// The API key.
    pub key: Option<Key>,
    /// Timeout for one call, from connecting to the last byte.
    pub timeout: Duration,
    /// Maximum concurrent calls; further ones wait.
    pub calls: usize,
    /// Maximum tokens per day (UTC), prompts and answers together, counted in this process.
    pub daily_tokens: Option<u64>,
    /// Price of its tokens, where known.
    pub price: Option<Price>,
}

/// Why settings are invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadSetting {
    /// Not an `http` or `https` URL of a host and a path.
    #[error("the base URL must be http:// or https://, a host and a path, without user, query or fragment")]
    Url,
    /// The key has characters that a header can't hold.
    #[error("the key contains characters that an HTTP header can't hold")]
    Key,
    /// The model has no name.
    #[error("the model's name is empty")]
    Model,
}

/// Why a call gave no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LlmError {
    /// The job's tokens or time, or the day's tokens, are used up.
    #[error("the budget of {0} is used up")]
    Budget(&'static str),
    /// The endpoint failed repeatedly, so calls skip it for a while.
    #[error("the endpoint failed repeatedly, so calls skip it for a while")]
    Resting,
    /// Connecting to the endpoint failed.
    #[error("connecting to the endpoint failed ({0})")]
    Unreachable(String),
    /// No answer in time.
    #[error("the endpoint did not answer in time")]
    TimedOut,
    /// The answer is not HTTP, or ended too early.
    #[error("the endpoint's answer could not be read ({0})")]
    Http(String),
    /// The endpoint redirects to another address.
    #[error("the endpoint answered with a redirect, which is not followed")]
    Redirect,
    /// The endpoint answered with an error.
    #[error("the endpoint answered with status {0}")]
    Status(u16),
    /// The answer has more than [`ANSWER_BYTES`].
    #[error("the endpoint's answer is too large")]
    TooLarge,
    /// The answer violates the protocol.
    #[error("the endpoint's answer violates the protocol ({0})")]
    Malformed(&'static str),
    /// The answer reached its limit of tokens or time.
    #[error("the model's answer was cut off")]
    CutOff,
    /// The model refused to answer.
    #[error("the model refused to answer")]
    Declined,
}

impl LlmError {
    /// Returns whether a retry a moment later may succeed.
    pub fn may_pass(&self) -> bool {
        match self {
            Self::Unreachable(_) | Self::Http(_) | Self::Malformed(_) => true,
            Self::Status(status) => matches!(status, 408 | 409 | 425 | 429 | 500..),
            _ => false,
        }
    }

    /// Returns whether the endpoint is at fault, rather than this call.
    fn is_the_endpoints(&self) -> bool {
        self.may_pass() || matches!(self, Self::TimedOut | Self::Redirect | Self::Status(401 | 403))
    }

    /// Returns the error's name as a metric label.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Budget(_) => "budget",
            Self::Resting => "resting",
            Self::Unreachable(_) => "unreachable",
            Self::TimedOut => "timed_out",
            Self::Http(_) => "broken_off",
            Self::Redirect => "redirect",
            Self::Status(429) => "rate_limited",
            Self::Status(_) => "status",
            Self::TooLarge => "too_large",
            Self::Malformed(_) => "malformed",
            Self::CutOff => "cut_off",
            Self::Declined => "declined",
        }
    }
}

/// A language model behind an endpoint.
pub struct Model {
    endpoint: Endpoint,
    name: String,
    timeout: Duration,
    slots: Semaphore,
    calls: usize,
    price: Option<Price>,
    /// The parts of the protocol that the server is known to support.
    dialect: Mutex<Dialect>,
    health: Mutex<Health>,
    day: Day,
    /// Whether a truncated prompt has been logged.
    told_of_context: Mutex<bool>,
}

/// Consecutive failures, and until when calls skip the endpoint.
#[derive(Debug, Default)]
struct Health {
    failures: u32,
    rests_until: Option<Instant>,
}

/// The result of sending a call once.
enum Sent {
    Answered(Said),
    /// The server refused a part of the request. The call is repeated in this dialect.
    Otherwise(Dialect),
    Failed(LlmError, Option<Duration>),
}

impl Model {
    /// Creates a client with these settings. Sends nothing yet.
    ///
    /// # Errors
    /// [`BadSetting`].
    pub fn new(settings: Settings) -> Result<Self, BadSetting> {
        let Settings { base_url, model, key, timeout, calls, daily_tokens, price } = settings;
        if model.trim().is_empty() {
            return Err(BadSetting::Model);
        }
        Ok(Self {
            endpoint: Endpoint::new(&base_url, key.as_ref().map(|k| k.0.as_str()))?,
            name: model.trim().to_owned(),
            timeout,
            price,
            slots: Semaphore::new(calls.max(1)),
            calls: calls.max(1),
            dialect: Mutex::default(),
            health: Mutex::default(),
            day: Day::of(daily_tokens),
            told_of_context: Mutex::default(),
        })
    }

    /// The model's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Maximum concurrent calls.
    pub fn calls(&self) -> usize {
        self.calls
    }

    /// Sends a call and returns the answer; [`object`] extracts a JSON object from it. An answer that was cut off holds
    /// the text that arrived.
    ///
    /// # Errors
    /// [`LlmError`].
    pub async fn ask(&self, call: Call<'_>, budget: &Budget) -> Result<Said, LlmError> {
        if self.rests() {
            return Err(LlmError::Resting);
        }
        let left = budget.time_left().ok_or(LlmError::Budget("time"))?;
        let slot = timeout(left, self.slots.acquire()).await.map_err(|_| LlmError::Budget("time"))?;
        let _slot = slot.map_err(|_| LlmError::Resting)?;
        let outcome = self.see_through(call, budget).await;
        self.note(outcome.as_ref().err());
        outcome
    }

    /// Retries a call until it is answered, or further attempts are pointless.
    async fn see_through(&self, call: Call<'_>, budget: &Budget) -> Result<Said, LlmError> {
        let mut dialect = *self.dialect.lock();
        let (mut tries, mut adaptations) = (0, 0);
        let mut pause = PAUSE;
        loop {
            let left = budget.time_left().ok_or(LlmError::Budget("time"))?;
            match self.send(call, dialect, budget, left.min(self.timeout)).await? {
                Sent::Answered(answer) => {
                    *self.dialect.lock() = dialect;
                    return Ok(answer);
                }
                Sent::Otherwise(other) if adaptations < ADAPTATIONS => {
                    adaptations += 1;
                    dialect = other;
                }
                Sent::Otherwise(_) => return Err(LlmError::Status(400)),
                Sent::Failed(error, wait) => {
                    tries += 1;
                    let wait = wait.unwrap_or(pause);
                    pause *= 4;
                    let in_time = wait <= LONGEST_PAUSE && budget.time_left().is_some_and(|left| wait < left);
                    if tries >= TRIES || !error.may_pass() || !in_time {
                        return Err(error);
                    }
                    tokio::time::sleep(wait).await;
                }
            }
        }
    }

    /// Sends a call once, and counts its usage.
    async fn send(&self, call: Call<'_>, dialect: Dialect, budget: &Budget, time: Duration) -> Result<Sent, LlmError> {
        let body = chat::request(&self.name, call, dialect);
        let prompt = chat::estimate(call.turns);
        let reserved = budget.reserve(prompt + u64::from(call.max_tokens))?;
        let today = self.day.reserve(prompt + u64::from(call.max_tokens))?;
        let mut stream = Stream::new(dialect.api, call.max_tokens);
        let mut sink = |bytes: &[u8]| stream.take(bytes);
        let reply = timeout(time, self.endpoint.post(dialect.api.path(), body, &mut sink)).await;
        let (written, answer) = match reply {
            Ok(Ok(reply)) => {
                if let Some(error) = reply.error() {
                    reserved.settle(0);
                    today.settle(0);
                    let said = reply.body.unwrap_or_default();
                    let otherwise = dialect.without_what_is_refused(reply.status, &said, call.form.is_some());
                    tracing::debug!(
                        status = reply.status,
                        adapts = otherwise.is_some(),
                        "call refused by the model server"
                    );
                    return Ok(otherwise.map_or(Sent::Failed(error, reply.retry_after), Sent::Otherwise));
                }
                match reply.body {
                    Some(body) => (0, answer::read(dialect.api, &body)),
                    None => (stream.tokens(), stream.end()),
                }
            }
            Ok(Err(error)) => {
                // The server never received the request.
                if matches!(error, LlmError::Unreachable(_)) {
                    reserved.settle(0);
                    today.settle(0);
                }
                return Ok(Sent::Failed(error, None));
            }
            Err(_) => (stream.tokens(), stream.into_partial().ok_or(LlmError::TimedOut)),
        };
        Ok(match answer {
            Ok(answer) => {
                let usage = self.usage(&answer, prompt);
                budget.count(usage);
                reserved.settle(usage.input + usage.output);
                today.settle(usage.input + usage.output);
                Sent::Answered(Said { text: answer.text, whole: answer.whole, usage })
            }
            Err(error) => {
                if written > 0 {
                    reserved.settle(prompt + written);
                    today.settle(prompt + written);
                }
                Sent::Failed(error, None)
            }
        })
    }

    /// Returns the usage of an answer, as the server reports it or else estimated.
    fn usage(&self, answer: &Answer, prompt: u64) -> Usage {
        let reported = answer.usage.filter(|usage| usage.input_tokens + usage.output_tokens > 0);
        let (input, output) = match reported {
            Some(usage) => (usage.input_tokens, usage.output_tokens),
            None => (prompt, chat::tokens_of(answer.text.len())),
        };
        let billed = answer.usage.and_then(|usage| usage.cost).map(|usd| (usd.max(0.0) * 1e6).round() as u64);
        let micro_usd = billed.or_else(|| self.price.map(|price| price.micro_usd(input, output)));
        self.note_context(reported.map(|usage| usage.input_tokens), prompt);
        Usage { calls: 1, input, output, micro_usd }
    }

    fn rests(&self) -> bool {
        self.health.lock().rests_until.is_some_and(|until| Instant::now() < until)
    }

    /// Records whether a call succeeded.
    fn note(&self, error: Option<&LlmError>) {
        let mut health = self.health.lock();
        match error {
            Some(error) if error.is_the_endpoints() => {
                health.failures += 1;
                if health.failures >= FAILURES {
                    // After the pause one call is sent, and its failure starts another pause.
                    health.rests_until = Some(Instant::now() + REST);
                    tracing::warn!(%error, rest_s = REST.as_secs(), "skipping the model server for a while: it keeps failing");
                }
            }
            // The failure concerns only this call.
            Some(_) => {}
            None => *health = Health::default(),
        }
    }
}

#[cfg(test)]
mod tests;
