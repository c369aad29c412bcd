//! Decides what pages say and show before they are planned: their language and, if a language model is configured,
//! their content.
//!
//! A model writes a brief, then composes the pages of a set in the page language. [`render_core::author::Commission`]
//! checks the answer, and the planner tries it. Pages without faults are then checked against the source once
//! (`proof`). The model gets two chances to correct what is wrong. If pages still can't be shown, templates set the
//! model's words. If no words can be used, the rules outline the source, with a warning. Only a translation that is
//! unavailable is a failure.

pub(crate) mod added_texts;
mod brief;
pub(crate) mod edit;
mod look;
pub(crate) mod offline;
mod pages;
mod prompt;
mod proof;
mod review;
mod settle;
pub(crate) mod translate;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use fleet::llm::{Allowance, Budget, Call, LlmError, Model, Said};
use fleet::protocol::{ModelUsage, Wishes};
use render_core::content::{Document, Idea, Language};
use render_core::design::{Brand, Photo, Style};
use render_core::format::FormatId;
use render_core::outline::Outline;
use render_core::plan::Pictured;
use render_core::text::Fonts;
use uuid::Uuid;

use crate::metrics::{MODEL_MICRO_USD, MODEL_TOKENS};

pub(crate) use look::Look;
pub(crate) use settle::{Settled, estimated, given, settle};

/// Times that a model is asked for a translation: once, and once more to correct it.
const ASKED: usize = 2;
/// Bytes of a bad answer that are sent back to the model.
const SHOWN_BYTES: usize = 48 << 10;
/// Facts of an idea that its pages must contain; if there are more, none is required.
const KEPT: usize = 8;
/// Token limit of any answer.
const MOST_TOKENS: u32 = 24_000;

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
    spending: Spending,
    /// Whether the model reviews pictures of the pages that it composed.
    sees: bool,
}

/// An order: what a model is asked to write.
pub(crate) struct Order<'a> {
    /// The generation. The author of its source can't know this ID.
    pub generation: Uuid,
    /// The words of the source.
    pub source: &'a str,
    /// The document that was read from them.
    pub document: &'a Document,
    /// The parsed idea, if the source is one.
    pub idea: Option<&'a Idea>,
    /// The title to use instead of the one found.
    pub title: Option<&'a str>,
    /// The formats to make.
    pub formats: &'a [(FormatId, Option<u32>)],
    /// The language to write in.
    pub language: &'a Language,
    /// The detected language of the source.
    pub source_language: &'a Language,
    /// The client's statements about the purpose of the pages.
    pub wishes: &'a Wishes,
    /// The tone of the brand, if the client specifies none.
    pub tone: Option<&'a str>,
    /// The requested style; `None` leaves it to the model.
    pub style: Option<Style>,
    /// The look of the pages, as far as it is decided.
    pub look: Look,
    /// The brand of the pages.
    pub brand: Option<&'a Brand>,
    /// The faces that set the pages.
    pub fonts: &'a Fonts,
    /// The photograph that came with the source.
    pub photo: Option<&'a Photo>,
    /// The other pictures of the source.
    pub pictures: &'a [Pictured],
    /// The same seed yields the same words, if the model supports it.
    pub seed: u64,
    /// What the account may use of the model.
    pub allowance: &'a Allowance,
}

/// What a model wrote.
#[derive(Debug, Default)]
pub(crate) struct Written {
    /// An outline for each format that it composed pages for.
    pub outlines: Vec<(FormatId, Outline)>,
    /// The formats without an outline, and why.
    pub missing: Vec<(FormatId, Cause)>,
    /// The look that it chose; `None` if it wrote nothing.
    pub look: Option<Look>,
}

/// Why a model gave no outline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Cause {
    /// It gave no answer.
    Silent(LlmError),
    /// Its answers broke a rule, including the corrected ones.
    Invalid,
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Silent(error) => error.fmt(f),
            Self::Invalid => f.write_str("its answer broke the limits, or contained facts that the input doesn't"),
        }
    }
}

impl Cause {
    fn name(&self) -> &'static str {
        match self {
            Self::Silent(error) => error.name(),
            Self::Invalid => "invalid",
        }
    }
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
    async fn ask(&self, call: Call<'_>, budget: &Budget) -> Result<Said, LlmError> {
        let said = self.model.ask(call, budget).await?;
        metrics::counter!(MODEL_TOKENS, "of" => "prompts").increment(said.usage.input);
        metrics::counter!(MODEL_TOKENS, "of" => "answers").increment(said.usage.output);
        if let Some(price) = said.usage.micro_usd {
            metrics::counter!(MODEL_MICRO_USD).increment(price);
        }
        Ok(said)
    }
}

impl Order<'_> {
    /// Returns the descriptions of the photographs that pages may show: first those in the source, then the one that
    /// came with it.
    pub(crate) fn photos(&self) -> Vec<&str> {
        let lead = self.photo.map(|_| "the picture that leads the source");
        self.pictures.iter().map(|picture| picture.image.words()).chain(lead).collect()
    }
}

/// Returns the beginning of an answer.
fn clipped(said: &str) -> &str {
    &said[..said.floor_char_boundary(SHOWN_BYTES)]
}

#[cfg(test)]
mod tests;
