//! The language model that composes pages, and its budget.

use std::sync::Arc;
use std::time::Duration;

use fleet::llm::{Allowance, Budget, Call, LlmError, Model, Said};
use fleet::protocol::ModelUsage;

use crate::metrics::{MODEL_MICRO_USD, MODEL_TOKENS};

/// Bytes of a bad answer that are sent back to the model.
const SHOWN_BYTES: usize = 48 << 10;
/// Token limit of any answer.
pub(super) const MOST_TOKENS: u32 = 24_000;

/// The longest time for the words of a generation: above every [`Spending::time`] that can be configured.
pub(crate) const LONGEST: Duration = Duration::from_secs(1_830);

/// The budget for the words of one generation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spending {
    /// Time from the first question to the last answer.
    pub time: Duration,
    /// Tokens, of prompts and answers together.
    pub tokens: u64,
}

/// A language model that composes pages.
pub struct Copywriter {
    model: Arc<Model>,
    pub(super) spending: Spending,
    /// Whether the model reviews pictures of the pages that it composed.
    sees: bool,
}

impl Copywriter {
    /// Returns a copywriter with this budget per generation; one that `sees` reviews pictures of what it composed.
    pub fn new(model: Model, spending: Spending, sees: bool) -> Self {
        Self { model: Arc::new(model), spending, sees }
    }

    /// Returns whether the model reviews pictures of pages.
    pub(crate) fn sees(&self) -> bool {
        self.sees
    }

    /// Returns the language model.
    pub fn model(&self) -> Arc<Model> {
        Arc::clone(&self.model)
    }

    /// Returns what the model used of an allowance; `None` if it answered no call.
    pub(crate) fn usage(&self, allowance: &Allowance) -> Option<ModelUsage> {
        let usage = allowance.usage();
        (usage.calls > 0).then(|| ModelUsage {
            model: self.model.name().to_owned(),
            calls: usage.calls,
            input_tokens: usage.input,
            output_tokens: usage.output,
            micro_usd: usage.micro_usd,
        })
    }

    /// Asks the model, and counts the usage in the metrics.
    pub(super) async fn ask(&self, call: Call<'_>, budget: &Budget) -> Result<Said, LlmError> {
        let said = self.model.ask(call, budget).await?;
        metrics::counter!(MODEL_TOKENS, "of" => "prompts").increment(said.usage.input);
        metrics::counter!(MODEL_TOKENS, "of" => "answers").increment(said.usage.output);
        if let Some(price) = said.usage.micro_usd {
            metrics::counter!(MODEL_MICRO_USD).increment(price);
        }
        Ok(said)
    }
}

/// Returns the beginning of an answer.
pub(super) fn clipped(said: &str) -> &str {
    &said[..said.floor_char_boundary(SHOWN_BYTES)]
}
