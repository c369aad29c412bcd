//! A client of any chat endpoint that speaks OpenAI's protocol (`POST {base}/chat/completions`): a hosted service, or a
//! server of one's own (llama.cpp, vLLM, Ollama).
//!
//! The endpoint is the operator's, so it may lie anywhere: the guard of [`crate::net`] is for what users name. Redirects
//! are refused all the same, for they would carry the key elsewhere. Everything is bounded: a call in time and in the
//! bytes of its answer, a piece of work in time and tokens ([`Budget`]), a day in tokens, and how many calls are out at
//! once. An endpoint that fails again and again is left alone for a while, so that work behind it isn't held up.
//!
//! The key, the prompts and the answers are never logged.

mod budget;
mod chat;
mod endpoint;
mod json;
mod local;

use std::fmt;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::Value;
use tokio::sync::Semaphore;
use tokio::time::timeout;

pub use budget::{Allowance, Budget};
pub use chat::{Role, Turn};
pub use json::{NoObject, object};
pub use local::{Local, find as find_local};

use budget::Day;
use chat::Dialect;
use endpoint::Endpoint;

/// Bytes of an answer; a hundred times what is asked for.
pub const ANSWER_BYTES: usize = 1 << 20;
/// Times that a call is sent, where what went wrong may pass.
const TRIES: u32 = 3;
/// Before the second try; four times as long before the third.
const PAUSE: Duration = Duration::from_millis(400);
/// The longest that a server may make a call wait.
const LONGEST_PAUSE: Duration = Duration::from_secs(20);
/// What a server may refuse of a request before it is given up.
const ADAPTATIONS: u32 = 5;
/// Calls that fail one after another before the endpoint is left alone, and for how long.
const FAILURES: u32 = 3;
const REST: Duration = Duration::from_secs(30);

/// A secret: shown to nobody.
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
    /// Calls that are out at once; further ones wait.
    pub calls: usize,
    /// Tokens that a day (of UTC) may cost, prompts and answers together; counted in this process.
    pub daily_tokens: Option<u64>,
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

/// A JSON object as an answer.
#[derive(Debug, Clone, Copy)]
pub struct Form<'a> {
    /// What the schema is called: letters, digits, `_`.
    pub name: &'a str,
    /// The JSON schema. Servers that know schemas keep to it; others are told it in words.
    pub schema: &'a Value,
}

/// What is asked.
#[derive(Debug, Clone, Copy)]
pub struct Call<'a> {
    /// What was said so far.
    pub turns: &'a [Turn],
    /// The form of the answer; `None` where it is text.
    pub form: Option<Form<'a>>,
    /// The most tokens that the answer may have.
    pub max_tokens: u32,
    /// The same seed, the same answer, where the server can.
    pub seed: u64,
}

/// A language model behind an endpoint.
pub struct Model {
    endpoint: Endpoint,
    name: String,
    timeout: Duration,
    slots: Semaphore,
    /// What the server has shown to understand.
    dialect: Mutex<Dialect>,
    health: Mutex<Health>,
    day: Day,
}

/// How the last calls went.
#[derive(Debug, Default)]
struct Health {
    failures: u32,
    rests_until: Option<Instant>,
}

/// What came of sending a call once.
enum Sent {
    Answered(chat::Answer),
    /// The server refused a part of the request; it is to be said otherwise.
    Otherwise(Dialect),
    Failed(LlmError, Option<Duration>),
}

impl Model {
    /// A model of these settings. Nothing is sent yet.
    ///
    /// # Errors
    /// [`BadSetting`].
    pub fn new(settings: Settings) -> Result<Self, BadSetting> {
        let Settings { base_url, model, key, timeout, calls, daily_tokens } = settings;
        if model.trim().is_empty() {
            return Err(BadSetting::Model);
        }
        Ok(Self {
            endpoint: Endpoint::new(&base_url, key.as_ref().map(|k| k.0.as_str()))?,
            name: model.trim().to_owned(),
            timeout,
            slots: Semaphore::new(calls.max(1)),
            dialect: Mutex::default(),
            health: Mutex::default(),
            day: Day::of(daily_tokens),
        })
    }

    /// The model's answer in its own words; [`object`] reads the object out of them.
    ///
    /// # Errors
    /// [`LlmError`].
    pub async fn ask(&self, call: Call<'_>, budget: &Budget) -> Result<String, LlmError> {
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
    async fn see_through(&self, call: Call<'_>, budget: &Budget) -> Result<String, LlmError> {
        let mut dialect = *locked(&self.dialect);
        let (mut tries, mut adaptations) = (0, 0);
        let mut pause = PAUSE;
        loop {
            let left = budget.time_left().ok_or(LlmError::Budget("time"))?;
            match self.send(call, dialect, budget, left.min(self.timeout)).await? {
                Sent::Answered(answer) => {
                    *locked(&self.dialect) = dialect;
                    return answer.said;
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

    /// Sends a call once, and pays for it.
    async fn send(&self, call: Call<'_>, dialect: Dialect, budget: &Budget, time: Duration) -> Result<Sent, LlmError> {
        let body = chat::request(&self.name, call, dialect);
        let estimate = chat::estimate(body.len(), call.turns) + u64::from(call.max_tokens);
        let reserved = budget.reserve(estimate)?;
        let today = self.day.reserve(estimate)?;
        let reply = match timeout(time, self.endpoint.post(body)).await {
            Ok(Ok(reply)) => reply,
            Ok(Err(error)) => {
                // Nobody counted what never arrived.
                if matches!(error, LlmError::Unreachable(_)) {
                    reserved.settle(0);
                    today.settle(0);
                }
                return Ok(Sent::Failed(error, None));
            }
            Err(_) => return Ok(Sent::Failed(LlmError::TimedOut, None)),
        };
        if let Some(error) = reply.error() {
            reserved.settle(0);
            today.settle(0);
            let otherwise = dialect.without_what_is_refused(reply.status, &reply.body);
            tracing::debug!(status = reply.status, adapts = otherwise.is_some(), "the language model refused");
            return Ok(otherwise.map_or(Sent::Failed(error, reply.retry_after), Sent::Otherwise));
        }
        match chat::answer(&reply.body) {
            Ok(answer) => {
                let used = answer.tokens.unwrap_or(estimate);
                reserved.settle(used);
                today.settle(used);
                Ok(Sent::Answered(answer))
            }
            Err(error) => Ok(Sent::Failed(error, None)),
        }
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
                    // One call tries it again then, and the next failure ends the trial.
                    health.rests_until = Some(Instant::now() + REST);
                    tracing::warn!(%error, rest_s = REST.as_secs(), "the language model's endpoint keeps failing");
                }
            }
            // A fault of one call says nothing about the endpoint.
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
