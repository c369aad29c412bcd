//! What is said before it is laid out: the language of the pages and, where a language model is configured, its words.
//!
//! A model writes outlines, a set of pages at a time, under a schema; [`render_core::outline::Commission`] judges each slot
//! of what it hands in. It gets one chance to mend what is wrong. Whatever then is missing is outlined by the rules alone,
//! with a warning; only a translation that can't be had is a failure.

mod brief;
pub(crate) mod edit;
pub(crate) mod offline;
mod schema;
mod settle;
pub(crate) mod translate;

use std::collections::BTreeMap;
use std::fmt;
use std::time::{Duration, Instant};

use fleet::llm::{Allowance, Budget, Call, LlmError, Model, Role, Turn};
use futures::future::join_all;
use render_core::content::{Document, Evidence, Idea, Language, without_pictures};
use render_core::format::{FormatId, Purpose};
use render_core::outline::{Commission, Fault, Licence, Outline, Room, WrittenPage, facts};
use serde_json::Value;
use uuid::Uuid;

pub(crate) use settle::{Settled, settle, told};

use crate::metrics::{COPY, COPY_SECONDS};

/// Times that a model is asked for one set of pages: once, and once more to mend it.
const ASKED: usize = 2;
/// Bytes of a bad answer that are shown to its writer.
const SHOWN_BYTES: usize = 24 << 10;
/// Tokens that an answer may have: so many, and so many a page. Models that think aloud need more than the words.
const TOKENS: (u32, u32) = (1_500, 500);
/// Facts of an idea that must stand on its pages; where there are more, none must.
const KEPT: usize = 8;
/// The most that any answer may have.
const MOST_TOKENS: u32 = 16_000;

/// The longest that the words of a generation may take: above every [`Spending::time`] that can be configured.
pub(crate) const LONGEST: Duration = Duration::from_secs(630);

/// What may be spent on the words of one generation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spending {
    /// From the first question to the last answer.
    pub time: Duration,
    /// Tokens, of prompts and answers together.
    pub tokens: u64,
}

/// A language model that writes outlines.
pub struct Copywriter {
    model: Model,
    spending: Spending,
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
    /// How the one speaks whose pages these are.
    pub tone: Option<&'a str>,
    /// The same seed, the same words, where the model can.
    pub seed: u64,
    /// What the account is allowed of the model.
    pub allowance: &'a Allowance,
}

/// What a model wrote.
#[derive(Debug, Default)]
pub(crate) struct Written {
    /// An outline for each format that it wrote well enough for.
    pub outlines: Vec<(FormatId, Outline)>,
    /// The formats that it gave none for, and why.
    pub missing: Vec<(FormatId, Cause)>,
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

/// Formats that the same words serve.
struct Set {
    formats: Vec<FormatId>,
    slides: Option<u32>,
    purpose: Purpose,
    room: Room,
}

impl Copywriter {
    /// A copywriter that spends so much on a generation.
    pub fn new(model: Model, spending: Spending) -> Self {
        Self { model, spending }
    }

    /// Outlines for all formats of an order.
    pub(crate) async fn write(&self, order: &Order<'_>) -> Written {
        let budget = Budget::within(self.spending.time, self.spending.tokens, order.allowance);
        let sets = sets(order.formats);
        // The source as it was read, and as it is written: Markdown marks what it means by itself with a backslash.
        let mut evidence = order.document.evidence.clone();
        let source = without_pictures(order.source);
        let order = &Order { source: &source, ..*order };
        evidence.admit(order.source);
        let asked = sets.iter().map(|set| self.write_set(order, &evidence, set, &budget));
        let mut out = Written::default();
        for (set, written) in sets.iter().zip(join_all(asked).await) {
            match written {
                Ok(outline) => out.outlines.extend(set.formats.iter().map(|format| (*format, outline.clone()))),
                Err(cause) => out.missing.extend(set.formats.iter().map(|format| (*format, cause.clone()))),
            }
        }
        out
    }

    async fn write_set(
        &self,
        order: &Order<'_>,
        evidence: &Evidence,
        set: &Set,
        budget: &Budget,
    ) -> Result<Outline, Cause> {
        let began = Instant::now();
        let commission = commission(order, evidence, set);
        let schema = schema::of(&commission);
        let mut turns = brief::turns(order, &commission);
        let pages = u32::try_from(commission.pages()).unwrap_or(u32::MAX);
        let (least, each) = TOKENS;
        let max_tokens = pages.saturating_mul(each).saturating_add(least).min(MOST_TOKENS);
        let mut outcome = Err(Cause::Invalid);
        let mut name = Cause::Invalid.name();
        for round in 0..ASKED {
            let call = Call { turns: &turns, name: "outline", schema: &schema, max_tokens, seed: order.seed };
            let said = match self.model.ask(call, budget).await {
                Ok(said) => said,
                Err(error) => {
                    tracing::warn!(%error, "the language model gave no answer");
                    outcome = Err(Cause::Silent(error.clone()));
                    name = Cause::Silent(error).name();
                    break;
                }
            };
            match read(&said).and_then(|pages| commission.accept(&pages).map_err(|faults| faults_of(&faults))) {
                Ok(outline) => {
                    name = if round == 0 { "written" } else { "mended" };
                    outcome = Ok(outline);
                    break;
                }
                Err(faults) => {
                    tracing::info!(round, faults = faults.len(), "a language model's outline was refused");
                    turns.push(Turn { role: Role::Assistant, text: clipped(&said).to_owned() });
                    turns.push(Turn { role: Role::User, text: brief::mend(&faults) });
                }
            }
        }
        metrics::counter!(COPY, "outcome" => name).increment(1);
        metrics::histogram!(COPY_SECONDS).record(began.elapsed().as_secs_f64());
        outcome
    }
}

/// The pages of an answer.
fn read(said: &str) -> Result<Vec<WrittenPage>, Vec<String>> {
    let mut object = fleet::llm::object(said).map_err(|e| vec![e.to_string()])?;
    let pages = object.remove("pages").ok_or_else(|| vec!["the object has no pages".to_owned()])?;
    // "null" is as good as nothing.
    serde_json::from_value(without_nulls(pages)).map_err(|e| vec![format!("the pages are not of the schema: {e}")])
}

fn without_nulls(value: Value) -> Value {
    match value {
        Value::Array(all) => Value::Array(all.into_iter().map(without_nulls).collect()),
        Value::Object(fields) => {
            let told = fields.into_iter().filter(|(_, v)| !v.is_null());
            Value::Object(told.map(|(k, v)| (k, without_nulls(v))).collect())
        }
        other => other,
    }
}

fn faults_of(faults: &[Fault]) -> Vec<String> {
    faults.iter().map(ToString::to_string).collect()
}

/// The beginning of an answer.
fn clipped(said: &str) -> &str {
    &said[..said.floor_char_boundary(SHOWN_BYTES)]
}

/// The formats of an order, those together that the same words serve: as many pages, for the same purpose, in the least
/// of their rooms. Wide and low formats hold so much less that they are apart.
fn sets(formats: &[(FormatId, Option<u32>)]) -> Vec<Set> {
    let mut sets: BTreeMap<(Option<u32>, u8, u8, bool), Set> = BTreeMap::new();
    for (id, slides) in formats {
        let format = id.format();
        let wide = format.size_du().aspect() > 1.2;
        let room = Room::of(format);
        let key = (*slides, format.purpose as u8, format.density as u8, wide);
        sets.entry(key)
            .and_modify(|set| {
                set.formats.push(*id);
                set.room = set.room.least(room);
            })
            .or_insert(Set { formats: vec![*id], slides: *slides, purpose: format.purpose, room });
    }
    sets.into_values().collect()
}

fn commission<'a>(order: &Order<'a>, evidence: &'a Evidence, set: &Set) -> Commission<'a> {
    let translated = order.language.primary() != order.source_language.primary();
    Commission {
        slides: set.slides,
        purpose: set.purpose,
        room: set.room,
        title: order.title,
        language: order.language,
        source_language: order.source_language,
        source: order.source,
        evidence,
        licence: if order.idea.is_some() { Licence::Idea } else { Licence::Source },
        count: order.idea.and_then(|idea| idea.count),
        kept: order.idea.map_or_else(Vec::new, |idea| kept(idea, order.source, translated)),
    }
}

/// What of an idea must stand on the pages it is developed into: what its reader would act on. In another language
/// numbers may be written otherwise; codes and addresses are not.
fn kept(idea: &Idea, source: &str, translated: bool) -> Vec<String> {
    // How many things there are is seen by counting them.
    let count = idea.count.map(|n| n.to_string());
    let is_number = |fact: &String| fact.chars().all(|c| !c.is_alphabetic());
    let facts: Vec<String> =
        facts(source).into_iter().filter(|f| !(translated && is_number(f)) && Some(f) != count.as_ref()).collect();
    // A page can't hold them all of an idea that is a text.
    if facts.len() <= KEPT { facts } else { Vec::new() }
}

#[cfg(test)]
mod tests;
