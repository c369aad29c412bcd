//! What a model is asked: turns of a conversation, and the form of the answer.

use bytes::Bytes;
use serde_json::Value;

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// The service's instructions.
    System,
    /// The material.
    User,
    /// An earlier answer of the model.
    Assistant,
}

impl Role {
    /// Its name in both protocols.
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
    /// Who speaks.
    pub role: Role,
    /// The words.
    pub text: String,
    /// A JPEG beside the words, for models that accept images.
    pub picture: Option<Bytes>,
}

impl Turn {
    /// A turn of words alone.
    pub fn new(role: Role, text: impl Into<String>) -> Self {
        Self { role, text: text.into(), picture: None }
    }
}

/// A JSON object as an answer.
#[derive(Debug, Clone, Copy)]
pub struct Form<'a> {
    /// The schema's name: letters, digits, `_`.
    pub name: &'a str,
    /// The JSON schema. Servers that support schemas enforce it; others are given it in words.
    pub schema: &'a Value,
}

impl Form<'_> {
    /// The instruction for servers that do not enforce schemas.
    pub(super) fn in_words(&self) -> String {
        format!(
            "Answer with exactly one JSON object and nothing else, no prose and no fences. It has to be valid under this \
             JSON schema:\n{}",
            self.schema
        )
    }
}

/// A question to a model.
#[derive(Debug, Clone, Copy)]
pub struct Call<'a> {
    /// The conversation so far.
    pub turns: &'a [Turn],
    /// The form of the answer; `None` for plain text.
    pub form: Option<Form<'a>>,
    /// Maximum tokens of the answer.
    pub max_tokens: u32,
    /// Servers that support seeds answer the same seed with the same text.
    pub seed: u64,
}

/// A model's answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// Its text.
    pub text: String,
    /// Whether it is complete. An answer that reached a limit of tokens or time, or that repeated itself, is not.
    pub whole: bool,
    /// What the call took.
    pub usage: super::Usage,
}

impl Said {
    /// The text of a complete answer.
    ///
    /// # Errors
    /// [`super::LlmError::CutOff`].
    pub fn complete(self) -> Result<String, super::LlmError> {
        if self.whole { Ok(self.text) } else { Err(super::LlmError::CutOff) }
    }
}
