//! A client of language models behind OpenAI's protocols: chat completions (`POST {base}/chat/completions`) as hosted
//! services and local servers (llama.cpp, vLLM, Ollama, LM Studio) implement it, and Responses (`POST {base}/responses`).
//!
//! The operator configures the endpoint, so it may be anywhere: the guard of [`crate::net`] is for addresses that users
//! name. Redirects are refused, because they would send the key elsewhere. Everything is bounded: a call in time and bytes,
//! a piece of work in time and tokens ([`Budget`]), a day in tokens, and the number of concurrent calls. An endpoint that
//! fails repeatedly is skipped for a while, so that it does not delay the work behind it.
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
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

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

/// Maximum bytes of an answer, a hundred times what is asked for.
pub const ANSWER_BYTES: usize = 1 << 20;
/// Attempts at a call whose failure may be temporary.
const TRIES: u32 = 3;
/// Delay before the second attempt; four times as long before the third.
const PAUSE: Duration = Duration::from_millis(400);
/// Maximum delay that a server may ask for.
const LONGEST_PAUSE: Duration = Duration::from_secs(20);
/// Parts of a request that a server may refuse one after another.
const ADAPTATIONS: u32 = 9;
/// Consecutive failures before the endpoint is skipped, and for how long.
const FAILURES: u32 = 3;
const REST: Duration = Duration::from_secs(30);

/// A secret that is never shown.
#[derive(Clone)]
pub struct Key(String);

impl Key {
    /// This secret, without the white space around it.
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

/// How a model is reached.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Where, up to and without `/chat/completions`: `https://api.example.org/v1`.
    pub base_url: String,
    /// Its name there.
    pub model: String,
    /// What lets one in.
    pub key: Option<Key>,
    /// How long one call may take, from connecting to the last byte.
    pub timeout: Duration,
    /// Maximum concurrent calls; further ones wait.
    pub calls: usize,
    /// Tokens of a day (UTC), prompts and answers together, counted in this process.
    pub daily_tokens: Option<u64>,
    /// The price of its tokens, where it is known.
    pub price: Option<Price>,
}

/// What can't be meant by a setting.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadSetting {
    /// Not an `http` or `https` URL of a host and a path.
    #[error("the base URL must be http:// or https://, a host and a path, without user, query or fragment")]
    Url,
    /// The key can't stand in a header.
    #[error("the key holds characters that no key has")]
    Key,
    /// The model has no name.
    #[error("the model needs a name")]
    Model,
}

/// Why a model gave no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LlmError {
    /// Tokens or time of this piece of work, or tokens of the day, are used up.
    #[error("the budget of {0} is used up")]
    Budget(&'static str),
    /// It failed so often that it is left alone.
    #[error("the endpoint failed again and again and is left alone for a while")]
    Resting,
    /// Nobody answers at its address.
    #[error("the endpoint could not be connected to ({0})")]
    Unreachable(String),
    /// No answer in time.
    #[error("the endpoint took too long")]
    TimedOut,
    /// The answer is no HTTP, or ended too early.
    #[error("the endpoint's answer could not be read ({0})")]
    Http(String),
    /// It sends to another address.
    #[error("the endpoint redirects, which is not followed")]
    Redirect,
    /// It answered with an error.
    #[error("the endpoint answered with status {0}")]
    Status(u16),
    /// The answer has more than [`ANSWER_BYTES`].
    #[error("the endpoint's answer is too large")]
    TooLarge,
    /// The answer is not what the protocol says.
    #[error("the endpoint's answer is not of the protocol ({0})")]
    Malformed(&'static str),
    /// It had more to say than it was allowed to.
    #[error("the model's answer was cut off")]
    CutOff,
    /// It would not.
    #[error("the model declined")]
    Declined,
}

impl LlmError {
    /// Whether the same call may go better a moment later.
    pub fn may_pass(&self) -> bool {
        match self {
            Self::Unreachable(_) | Self::Http(_) | Self::Malformed(_) => true,
            Self::Status(status) => matches!(status, 408 | 409 | 425 | 429 | 500..),
            _ => false,
        }
    }

    /// Whether the endpoint is at fault, rather than this call.
    fn is_the_endpoints(&self) -> bool {
        self.may_pass() || matches!(self, Self::TimedOut | Self::Redirect | Self::Status(401 | 403))
    }

    /// Its name among metrics.
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
    /// What the server supports, as far as it is known.
    dialect: Mutex<Dialect>,
    health: Mutex<Health>,
    day: Day,
    /// Whether a prompt that was cut short has been logged.
    told_of_context: Mutex<bool>,
}

/// How the last calls went.
#[derive(Debug, Default)]
struct Health {
    failures: u32,
    rests_until: Option<Instant>,
}

/// The result of sending a call once.
enum Sent {
    Answered(Said),
    /// The server refused a part of the request; it is sent again in this dialect.
    Otherwise(Dialect),
    Failed(LlmError, Option<Duration>),
}

impl Model {
    /// A model of these settings. Nothing is sent yet.
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

    /// The model's answer; [`object`] extracts a JSON object from it. An answer that was cut off holds what arrived.
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

    /// Sends a call until it is answered, or further tries are of no use.
    async fn see_through(&self, call: Call<'_>, budget: &Budget) -> Result<Said, LlmError> {
        let mut dialect = *locked(&self.dialect);
        let (mut tries, mut adaptations) = (0, 0);
        let mut pause = PAUSE;
        loop {
            let left = budget.time_left().ok_or(LlmError::Budget("time"))?;
            match self.send(call, dialect, budget, left.min(self.timeout)).await? {
                Sent::Answered(answer) => {
                    *locked(&self.dialect) = dialect;
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

    /// Sends a call once, and counts what it takes.
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
                        "the model server refused a call"
                    );
                    return Ok(otherwise.map_or(Sent::Failed(error, reply.retry_after), Sent::Otherwise));
                }
                match reply.body {
                    Some(body) => (0, answer::read(dialect.api, &body)),
                    None => (stream.tokens(), stream.end()),
                }
            }
            Ok(Err(error)) => {
                // The server never received it.
                if matches!(error, LlmError::Unreachable(_)) {
                    reserved.settle(0);
                    today.settle(0);
                }
                return Ok(Sent::Failed(error, None));
            }
            Err(_) => (stream.tokens(), stream.cut().ok_or(LlmError::TimedOut)),
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

    /// What an answer took, by the server's report or else by estimates.
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
        locked(&self.health).rests_until.is_some_and(|until| Instant::now() < until)
    }

    /// Remembers how a call went.
    fn note(&self, error: Option<&LlmError>) {
        let mut health = locked(&self.health);
        match error {
            Some(error) if error.is_the_endpoints() => {
                health.failures += 1;
                if health.failures >= FAILURES {
                    // Afterwards one call is let through, and the next failure starts another rest.
                    health.rests_until = Some(Instant::now() + REST);
                    tracing::warn!(%error, rest_s = REST.as_secs(), "the model server keeps failing: skipping it");
                }
            }
            // A failure of this call alone.
            Some(_) => {}
            None => *health = Health::default(),
        }
    }
}

/// A lock whose value is whole after a panic too: every change of it is one assignment.
fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
