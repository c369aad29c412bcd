//! The client of one model.

use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::Semaphore;
use tokio::time::timeout;

use super::answer::{self, Answer};
use super::budget::{Budget, Day, Price, Usage};
use super::call::{Call, Said};
use super::chat;
use super::context::Context;
use super::dialect::{ADAPTATIONS, Dialect};
use super::endpoint::Endpoint;
use super::error::LlmError;
use super::health::Health;
use super::settings::{BadSetting, Key, Settings};
use super::stream::Stream;

/// Attempts of a call whose failure may be temporary.
pub(super) const TRIES: u32 = 3;
/// Delay before the second attempt. The delay before the third is four times as long.
const PAUSE: Duration = Duration::from_millis(400);
/// Maximum delay that a server may request.
const LONGEST_PAUSE: Duration = Duration::from_secs(20);

/// A language model behind an endpoint.
pub struct Model {
    pub(super) endpoint: Endpoint,
    name: String,
    timeout: Duration,
    slots: Semaphore,
    calls: usize,
    price: Option<Price>,
    /// The parts of the protocol that the server is known to support.
    dialect: Mutex<Dialect>,
    health: Health,
    day: Day,
    context: Context,
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
            endpoint: Endpoint::new(&base_url, key.as_ref().map(Key::secret))?,
            name: model.trim().to_owned(),
            timeout,
            price,
            slots: Semaphore::new(calls.max(1)),
            calls: calls.max(1),
            dialect: Mutex::default(),
            health: Health::default(),
            day: Day::of(daily_tokens),
            context: Context::default(),
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

    /// Sends a call and returns the answer; [`super::object`] extracts a JSON object from it. An answer that was cut off holds
    /// the text that arrived.
    ///
    /// # Errors
    /// [`LlmError`].
    pub async fn ask(&self, call: Call<'_>, budget: &Budget) -> Result<Said, LlmError> {
        if self.health.rests() {
            return Err(LlmError::Resting);
        }
        let left = budget.time_left().ok_or(LlmError::Budget("time"))?;
        let slot = timeout(left, self.slots.acquire()).await.map_err(|_| LlmError::Budget("time"))?;
        let _slot = slot.map_err(|_| LlmError::Resting)?;
        let outcome = self.see_through(call, budget).await;
        self.health.note(outcome.as_ref().err());
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
        self.context.note(&self.name, reported.map(|usage| usage.input_tokens), prompt);
        Usage { calls: 1, input, output, micro_usd }
    }
}
