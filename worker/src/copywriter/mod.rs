//! What pages say and show before they are planned: their language and, where a language model is configured, its pages.
//!
//! A model decides on a brief, then composes the pages of a set in the page language.
//! [`render_core::author::Commission`] judges the answer, and the planner tries it; pages without faults are read once more
//! against the source (`proof`). The model gets two chances to mend what is wrong. Pages that can't be shown then are set
//! by templates in the model's words. Where no words can be used, the rules outline the source, with a warning; only a
//! translation that can't be had is a failure.

mod brief;
pub(crate) mod edit;
mod look;
pub(crate) mod offline;
mod pages;
mod prompt;
mod proof;
mod review;
mod settle;
pub(crate) mod told;
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
pub(crate) use settle::{Settled, given, settle, told};

/// Times that a model is asked for a translation: once, and once more to mend it.
const ASKED: usize = 2;
/// Bytes of a bad answer that are shown to its writer.
const SHOWN_BYTES: usize = 48 << 10;
/// Facts of an idea that must stand on its pages; where there are more, none must.
const KEPT: usize = 8;
/// The most tokens that any answer may have.
const MOST_TOKENS: u32 = 24_000;

/// The longest that the words of a generation may take: above every [`Spending::time`] that can be configured.
pub(crate) const LONGEST: Duration = Duration::from_secs(1_830);

/// What may be spent on the words of one generation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spending {
    /// From the first question to the last answer.
    pub time: Duration,
    /// Tokens, of prompts and answers together.
    pub tokens: u64,
}

/// A language model that composes pages.
pub struct Copywriter {
    model: Arc<Model>,
    spending: Spending,
    /// Whether it is shown the pages that it composed.
    sees: bool,
}

/// What is to be written.
pub(crate) struct Order<'a> {
    /// The generation: nobody who wrote its source knows this.
    pub generation: Uuid,
    /// The words of the source.
    pub source: &'a str,
    /// What they say.
    pub document: &'a Document,
    /// What they are, where they are an idea.
    pub idea: Option<&'a Idea>,
    /// The title to use instead of the one found.
    pub title: Option<&'a str>,
    /// What to make.
    pub formats: &'a [(FormatId, Option<u32>)],
    /// What to write in.
    pub language: &'a Language,
    /// What the words of the source read as.
    pub source_language: &'a Language,
    /// What the client says about the purpose of the pages.
    pub wishes: &'a Wishes,
    /// The tone of the brand, where the client names none.
    pub tone: Option<&'a str>,
    /// The style that was asked for; `None` leaves it to the model.
    pub style: Option<Style>,
    /// How the pages look, as far as it is decided.
    pub look: Look,
    /// Whose pages these are.
    pub brand: Option<&'a Brand>,
    /// What they are set in.
    pub fonts: &'a Fonts,
    /// The photograph that came along with the source.
    pub photo: Option<&'a Photo>,
    /// The other pictures that it shows.
    pub pictures: &'a [Pictured],
    /// The same seed, the same words, where the model can.
    pub seed: u64,
    /// What the account is allowed of the model.
    pub allowance: &'a Allowance,
}

/// What a model wrote.
#[derive(Debug, Default)]
pub(crate) struct Written {
    /// An outline for each format that it composed pages for.
    pub outlines: Vec<(FormatId, Outline)>,
    /// The formats that it gave none for, and why.
    pub missing: Vec<(FormatId, Cause)>,
    /// The look that it chose; `None` where it wrote nothing.
    pub look: Option<Look>,
}

/// Why a model gave no outline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Cause {
    /// It gave no answer.
    Silent(LlmError),
    /// Its answers broke a rule, the mended one too.
    Invalid,
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Silent(error) => error.fmt(f),
            Self::Invalid => f.write_str("its answer broke the limits, or said what the input doesn't"),
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
    /// A copywriter that spends so much on a generation; one that `sees` looks at what it composed.
    pub fn new(model: Model, spending: Spending, sees: bool) -> Self {
        Self { model: Arc::new(model), spending, sees }
    }

    /// Whether it is shown pictures of pages.
    pub(crate) fn sees(&self) -> bool {
        self.sees
    }

    /// The model that it asks.
    pub fn model(&self) -> Arc<Model> {
        Arc::clone(&self.model)
    }

    /// What the model took of an allowance; `None` where it answered no call.
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

    /// Asks the model, and counts in the metrics what an answer took.
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
    /// What is said of each photograph that pages may show: of those that stand in the source, then of the one that came
    /// along.
    pub(crate) fn photos(&self) -> Vec<&str> {
        let lead = self.photo.map(|_| "the picture that leads the source");
        self.pictures.iter().map(|picture| picture.image.words()).chain(lead).collect()
    }
}

/// The beginning of an answer.
fn clipped(said: &str) -> &str {
    &said[..said.floor_char_boundary(SHOWN_BYTES)]
}

#[cfg(test)]
mod tests;
