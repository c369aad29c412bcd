//! Writes the pages of an order: a brief, then the pages of each set of formats, checked and corrected.

use std::time::Instant;

use fleet::llm::{Budget, Call, LlmError, Role, Said, Turn};
use futures::future::join_all;
use render_core::author;
use render_core::content::without_pictures;
use render_core::outline::Outline;

use super::brief::{self, Brief};
use super::open::Open;
use super::order::Order;
use super::prompt;
use super::task::{Judged, Set, Task, commission, judge, pages_of, sets};
use super::writer::{Copywriter, MOST_TOKENS, clipped};
use super::written::{Cause, Written};
use crate::metrics::{COPY, COPY_SECONDS};

/// Times that a model is asked for one set of pages: once, and twice more to correct them.
const ROUNDS: usize = 3;
/// Times that a truncated answer is continued.
const CONTINUED: usize = 3;
/// Token limit of an answer: a base, and an amount per page. Models that reason first need more than the pages.
const TOKENS: (u32, u32) = (4_000, 1_200);

impl Copywriter {
    /// Writes outlines for all formats of an order.
    pub(crate) async fn write(&self, order: &Order<'_>) -> Written {
        let budget = Budget::within(self.spending.time, self.spending.tokens, order.allowance);
        let sets = sets(order.formats);
        // The evidence covers the source both as it was read and as it is written: Markdown escapes its special
        // characters with a backslash.
        let mut evidence = order.document.evidence.clone();
        let source = without_pictures(order.source);
        let order = &Order { source: &source, ..*order };
        evidence.admit(order.source);
        let brief = match self.brief(order, &sets, &budget).await {
            Ok(brief) => brief,
            Err(error) => {
                let cause = Cause::Silent(error);
                metrics::counter!(COPY, "outcome" => cause.name()).increment(1);
                let missing = order.formats.iter().map(|(format, _)| (*format, cause.clone())).collect();
                return Written { missing, ..Written::default() };
            }
        };
        let open = Open::of(order);
        let look = brief.as_ref().map_or(order.look, |brief| open.settled(order, &brief.look));
        let order = &Order { look, ..*order };
        let asked = sets.iter().map(|set| {
            self.write_set(Task {
                order,
                set,
                commission: commission(order, &evidence, set),
                brief: brief.as_ref(),
                budget: &budget,
                max_tokens: tokens(TOKENS, set.slides.unwrap_or(1)),
            })
        });
        let mut out = Written::default();
        for (set, written) in sets.iter().zip(join_all(asked).await) {
            match written {
                Ok(outline) => out.outlines.extend(set.formats.iter().map(|format| (*format, outline.clone()))),
                Err(cause) => out.missing.extend(set.formats.iter().map(|format| (*format, cause.clone()))),
            }
        }
        out.look = (!out.outlines.is_empty()).then_some(look);
        out
    }

    /// Asks for the brief of an order's longest carousel, or of its image. Returns `None` if the model wrote none, or
    /// for an image whose look is decided.
    async fn brief(&self, order: &Order<'_>, sets: &[Set], budget: &Budget) -> Result<Option<Brief>, LlmError> {
        let open = Open::of(order);
        let slides = sets.iter().filter_map(|set| set.slides).max();
        let Some(pages) = slides.or_else(|| open.any().then_some(1)) else { return Ok(None) };
        let schema = brief::schema(pages as usize, open);
        let turns = brief::turns(order, pages as usize);
        let max_tokens = tokens(brief::TOKENS, pages);
        let call = Call { turns: &turns, form: Some(brief::form(&schema)), max_tokens, seed: order.seed };
        match self.ask(call, budget).await.and_then(Said::complete) {
            Ok(said) => Ok(brief::read(&said)),
            // A model that wrote too much or declined may still compose pages.
            Err(LlmError::CutOff | LlmError::Declined) => Ok(None),
            Err(error) => {
                tracing::warn!(%error, "brief failed: no answer from the language model");
                Err(error)
            }
        }
    }

    async fn write_set(&self, task: Task<'_>) -> Result<Outline, Cause> {
        let began = Instant::now();
        let (outcome, name) = self.rounds(&task).await;
        metrics::counter!(COPY, "outcome" => name).increment(1);
        metrics::histogram!(COPY_SECONDS).record(began.elapsed().as_secs_f64());
        outcome
    }

    /// Asks for a set until it has no faults; otherwise returns the usable part of the best answer that has pages.
    async fn rounds(&self, task: &Task<'_>) -> (Result<Outline, Cause>, &'static str) {
        let Some(format) = task.set.formats.first() else { return (Err(Cause::Invalid), Cause::Invalid.name()) };
        let mut turns = prompt::turns(task.order, &task.commission, *format, task.brief);
        let mut best: Option<(Judged, Vec<String>)> = None;
        // The current pages, and those that were requested again.
        let (mut texts, mut concerned): (Vec<String>, Vec<usize>) = (Vec::new(), Vec::new());
        let mut failure = Cause::Invalid;
        let mut name = "salvaged";
        let mut proved = false;
        for round in 0..ROUNDS {
            let wanted = if concerned.is_empty() { task.commission.pages() } else { concerned.len() };
            let said = match self.answer(task, &turns, wanted).await {
                Ok(said) => said,
                Err(error) => {
                    tracing::warn!(%error, round, "page writing failed: no answer from the language model");
                    failure = Cause::Silent(error);
                    break;
                }
            };
            texts = merged(&texts, &concerned, &said);
            let judged = judge(task, &texts.join("\n"));
            let faults = match judged {
                Ok(judged) if judged.faults.is_empty() => {
                    name = if round == 0 { "written" } else { "mended" };
                    best = Some((judged, texts.clone()));
                    // An idea has no source to check against, and faults found in the last round could not be
                    // corrected.
                    let checks = !proved && task.order.idea.is_none() && round + 1 < ROUNDS;
                    proved = true;
                    let found = if checks { self.proof(task, &texts).await } else { Vec::new() };
                    if found.is_empty() {
                        break;
                    }
                    concerned = pages_of(&found);
                    found
                }
                Ok(judged) => {
                    let faults = judged.faults.clone();
                    concerned.clone_from(&judged.pages);
                    // With equal faults, the newer answer is better, because it contains corrections.
                    if best.as_ref().is_none_or(|(best, _)| faults.len() <= best.faults.len()) {
                        best = Some((judged, texts.clone()));
                    }
                    faults
                }
                Err(faults) => {
                    let whole = texts.len() != task.commission.pages();
                    concerned = if whole { Vec::new() } else { pages_of(&faults) };
                    faults
                }
            };
            tracing::info!(round, faults = faults.len(), "pages of the language model have faults");
            turns.push(Turn::new(Role::Assistant, clipped(&said)));
            turns.push(Turn::new(Role::User, prompt::mend(&faults, &concerned)));
        }
        match best {
            Some((judged, texts)) if self.sees() => (Ok(self.reviewed(task, judged, &texts).await), name),
            Some((judged, _)) => (Ok(judged.outline), name),
            None => {
                let name = failure.name();
                (Err(failure), name)
            }
        }
    }

    /// Returns the answer to `turns`, of `wanted` pages. An answer that is cut off after a complete page is continued
    /// from there; if that fails, the complete pages are the answer.
    async fn answer(&self, task: &Task<'_>, turns: &[Turn], wanted: usize) -> Result<String, LlmError> {
        let mut turns = turns.to_vec();
        let mut written = String::new();
        for _ in 0..=CONTINUED {
            let call = Call { turns: &turns, form: None, max_tokens: task.max_tokens, seed: task.order.seed };
            let said = match self.ask(call, task.budget).await {
                Ok(said) if said.whole && written.is_empty() => return Ok(said.text),
                // Text around the pages of a continued answer, such as thoughts, would hide the pages before it.
                Ok(said) if said.whole => return Ok(written + &author::pages(&said.text).join("\n")),
                Ok(said) => author::pages(&said.text).join("\n"),
                Err(_) if !written.is_empty() => return Ok(written),
                Err(error) => return Err(error),
            };
            if said.is_empty() {
                break;
            }
            written += &said;
            written.push('\n');
            let done = author::pages(&written).len();
            if done >= wanted {
                break;
            }
            tracing::info!(done, wanted, "continuing an answer of the language model that was cut off");
            turns.push(Turn::new(Role::Assistant, said));
            turns.push(Turn::new(Role::User, prompt::go_on(done, wanted)));
        }
        if written.is_empty() { Err(LlmError::CutOff) } else { Ok(written) }
    }
}

/// Returns the pages of a set after an answer: the requested pages replace the previous ones, or the answer replaces
/// all.
fn merged(texts: &[String], concerned: &[usize], said: &str) -> Vec<String> {
    let new = author::pages(said);
    if new.len() == concerned.len() && new.len() < texts.len() && !new.is_empty() {
        let mut out = texts.to_vec();
        for (index, page) in concerned.iter().zip(new) {
            if let Some(text) = out.get_mut(*index) {
                page.clone_into(text);
            }
        }
        return out;
    }
    new.into_iter().map(str::to_owned).collect()
}

fn tokens((least, each): (u32, u32), pages: u32) -> u32 {
    pages.saturating_mul(each).saturating_add(least).min(MOST_TOKENS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_that_were_asked_for_again_take_their_places() {
        let texts: Vec<String> = ["<page>1</page>", "<page>2</page>", "<page>3</page>"].map(str::to_owned).to_vec();
        let said = "Sure:\n<page>b</page>";
        assert_eq!(merged(&texts, &[1], said), ["<page>1</page>", "<page>b</page>", "<page>3</page>"]);
        assert_eq!(merged(&texts, &[], said), ["<page>b</page>"]);
        assert_eq!(
            merged(&[], &[], "<page a=\"1\">x</page> <page>y</page>"),
            ["<page a=\"1\">x</page>", "<page>y</page>"]
        );
    }
}
