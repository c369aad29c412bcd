//! Requests to a model: the turns of a conversation, and the form of the answer.

use bytes::Bytes;
use serde_json::Value;

use super::budget::Usage;
use super::error::LlmError;

/// The author of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// The service's instructions.
    System,
    /// The source material.
    User,
    /// An earlier answer of the model.
    Assistant,
}

impl Role {
    /// Returns the role's name in both protocols.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::User => "user",
            Self::Assistant => "assistant",
        }
    }
}

/// One turn of a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// Its author.
    pub role: Role,
    /// Its text.
    pub text: String,
    /// A JPEG beside the text, for models that accept images.
    pub picture: Option<Bytes>,
}

impl Turn {
    /// Creates a turn of text only.
    pub fn new(role: Role, text: impl Into<String>) -> Self {
        Self { role, text: text.into(), picture: None }
    }
}

/// A JSON object as the form of an answer.
#[derive(Debug, Clone, Copy)]
pub struct Form<'a> {
    /// The schema's name: letters, digits, `_`.
    pub name: &'a str,
    /// The JSON schema. Servers that support schemas enforce it; for others, the prompt contains it.
    pub schema: &'a Value,
}

impl Form<'_> {
    /// Returns the instruction for servers that do not enforce schemas.
    pub(super) fn in_words(&self) -> String {
        format!(
            "Answer with exactly one JSON object and nothing else, no prose and no fences. It has to be valid under this \
             JSON schema:\n{}",
            self.schema
        )
    }
}

/// A call to a model.
#[derive(Debug, Clone, Copy)]
pub struct Call<'a> {
    /// The conversation so far.
    pub turns: &'a [Turn],
    /// The form of the answer; `None` for plain text.
    pub form: Option<Form<'a>>,
    /// Maximum tokens of the answer.
    pub max_tokens: u32,
    /// Servers that support seeds give the same answer for the same seed.
    pub seed: u64,
}

/// A model's answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// Its text.
    pub text: String,
    /// Whether it is complete. An answer is incomplete if it reached a limit of tokens or time, or repeated itself.
    pub whole: bool,
    /// Usage of the call.
    pub usage: Usage,
}

impl Said {
    /// Returns the text if the answer is complete.
    ///
    /// # Errors
    /// [`LlmError::CutOff`].
    pub fn complete(self) -> Result<String, LlmError> {
        if self.whole { Ok(self.text) } else { Err(LlmError::CutOff) }
    }
}
